// The settings beside the view.
import { h, option, row, slider, toggle } from './dom.js';
import { brief } from './colours.js';

const section = (title, ...children) => h('section', {}, h('h2', {}, title), ...children);

function colourSection(run, s, act, histogram) {
    const fields = h('select', { id: 'field', 'aria-label': 'colour by', onchange: (e) => act.field(e.target.value) },
        ...run.fields.map((f) => option(f.by, f.title, f.by === s.by)));
    const maps = h('select', { id: 'map', 'aria-label': 'colour map', onchange: (e) => act.map(e.target.value) },
        ...Object.keys(run.maps).map((m) => option(m, m, m === s.map)));
    const bound = (id, label) => h('input', { type: 'text', id, inputMode: 'decimal', 'aria-label': label,
        onchange: () => act.range() });
    return section('Colour',
        row('by', fields), row('map', maps), histogram,
        h('div', { id: 'log-row' }, toggle('logarithmic', s.log, (on) => act.set({ log: on }))),
        h('div', { className: 'row', id: 'range' }, h('span', {}, 'range'), bound('low', 'lower end'),
            bound('high', 'upper end'),
            h('button', { className: 'small', id: 'auto', title: 'the range of this frame',
                onclick: () => act.autoRange() }, 'fit')));
}

function showSection(run, s, act) {
    const grains = run.bodies.some((n) => n > 0);
    return section('Show',
        grains ? toggle('grains', s.grains, (on) => act.set({ grains: on })) : null,
        run.walls.length ? toggle('walls', s.walls, (on) => act.set({ walls: on })) : null,
        toggle('domain', s.domain, (on) => act.set({ domain: on })),
        run.bonds ? toggle('bonds', s.bonds, (on) => act.set({ bonds: on })) : null,
        grains ? toggle('force chains', s.forces, (on) => act.set({ forces: on }),
            run.contacts ? 'width and colour show the normal force' : 'the results contain no contacts') : null,
        grains ? h('div', { id: 'size-row' }, slider('grain size', { min: 0.1, max: 1, step: 0.05, value: s.size },
            (v) => act.set({ size: v }))) : null,
        run.contacts
            ? h('div', { id: 'force-row' }, slider('force width', { min: 0.2, max: 4, step: 0.1, value: s.forceScale },
                (v) => act.set({ forceScale: v }))) : null,
        act.has('velocity.x') ? toggle('velocity arrows', s.arrows, (on) => act.set({ arrows: on }),
            'the longest are the 98th percentile of the frame (V)') : null,
        grains ? slider('trails', { min: 0, max: 20, step: 1, value: s.trail }, (v) => act.set({ trail: v })) : null,
        run.cells
            ? h('div', { className: 'row' }, h('span', { title: 'magnification of the displacements of cells' },
                'warp ×'),
            h('input', { type: 'text', id: 'warp', inputMode: 'decimal', value: brief(s.warp),
                'aria-label': 'displacement magnification', onchange: (e) => act.warp(e.target.value) }),
            h('button', { className: 'small', title: 'make them visible', onclick: () => act.warp('auto') }, 'auto'))
                : null);
}

// each group with its colour, and an eye that hides it
function groupSection(run, s, act) {
    if (run.groups.length < 2 || !act.has('group')) return null;
    return h('section', { id: 'groups' }, h('h2', {}, 'Groups'), ...run.groups.map((name, k) => {
        const dot = h('i');
        dot.style.background = act.groupColour(k);
        return h('label', {},
            h('input', { type: 'checkbox', checked: !s.hiddenGroups.includes(k), 'aria-label': `group ${name}`,
                onchange: (e) => act.group(k, e.target.checked) }), dot, h('span', {}, name));
    }));
}

function findSection(run, s, act) {
    const example = act.has('speed') ? 'speed < 0.1' : 'radius > 4e-3';
    const found = section('Find',
        row('only',
            h('input', { type: 'text', id: 'filter', value: s.filter, placeholder: example, 'aria-label': 'filter',
                title: 'show only grains for which this holds: fields, numbers, < > == and or not',
                onchange: (e) => act.filter(e.target.value) })),
        h('p', { id: 'filter-why', role: 'alert' }),
        h('div', { className: 'buttons' },
            h('button', { className: 'small', id: 'measure', title: 'distance between two grains (D)',
                onclick: () => act.set({ measuring: s.measuring ? null : [] }) }, 'measure')),
        h('p', { className: 'soft', id: 'measured', hidden: true }),
        h('ul', { id: 'chosen', hidden: true, title: 'Shift and click adds grains' }));
    found.hidden = !run.bodies.some((n) => n > 0);
    return found;
}

function clipSection(s, act) {
    const axis = h('select', { id: 'clip-axis', 'aria-label': 'clipping plane',
        onchange: (e) => act.set({ clipAxis: e.target.value }) },
        ...[['', 'off'], ['x', 'x'], ['y', 'y'], ['z', 'z']].map(([v, t]) => option(v, t, v === s.clipAxis)));
    return section('Clip',
        row('normal to', axis),
        h('div', { id: 'clip-rows', hidden: !s.clipAxis },
            slider('at', { min: 0, max: 1, step: 0.005, value: s.clipAt }, (v) => act.set({ clipAt: v })),
            toggle('other side', s.clipFlip, (on) => act.set({ clipFlip: on }))));
}

function cameraSection(s, act) {
    const look = (text, title, direction) => h('button', { className: 'small', title,
        onclick: () => act.look(direction) }, text);
    return section('Camera',
        h('div', { className: 'buttons' },
            look('x', 'along x (1)', 'x'), look('y', 'along y (2)', 'y'), look('top', 'from above (3)', 'z'),
            look('3D', 'fit all, oblique view (0)', ''),
            h('button', { className: 'small', id: 'projection', title: 'parallel or perspective (O)',
                onclick: () => act.set({ parallel: !s.parallel }) }, 'parallel')));
}

/** Builds the panel; `act` has what the controls do. */
export function buildPanel(element, run, s, act, histogram) {
    const picked = h('section', { id: 'picked', hidden: true, 'aria-label': 'selection' });
    element.replaceChildren(
        h('div', { className: 'buttons top' },
            h('button', { id: 'shot', title: 'save an image (S)', onclick: () => act.picture() }, 'image'),
            h('button', { id: 'movie', title: 'save a movie of all frames (WebM); click again to stop',
                onclick: () => act.movie() }, 'movie'),
            h('button', { id: 'link', title: 'copy a link to this view', onclick: () => act.link() }, 'link'),
            h('button', { id: 'plots-button', title: 'time series (P)', onclick: () => act.set({ plots: !s.plots }) },
                'plots'),
            h('button', { id: 'theme', title: 'dark or light (T)', onclick: () => act.theme() }, 'theme'),
            h('button', { id: 'help-button', title: 'keys (?)', onclick: () => act.help() }, '?')),
        picked, colourSection(run, s, act, histogram), ...[groupSection(run, s, act)].filter(Boolean),
        showSection(run, s, act),
        findSection(run, s, act), clipSection(s, act), cameraSection(s, act),
        section('Run',
            h('p', { className: 'soft' }, run.file, h('br'), `${run.created.replace('T', ' ').replace('Z', ' UTC')}`,
                h('br'), `Scree ${run.version}`),
            h('button', { className: 'small', onclick: () => act.scene() }, 'scene text')));
    return picked;
}

export const KEYS = [
    ['space', 'play or pause'], ['← →', 'previous / next frame (Shift: 10)'], ['Home, End', 'first, last frame'],
    ['L', 'follow live run'],
    ['C, shift C', 'next / previous field'], ['0', 'fit all'], ['1 2 3', 'along x, along y, from above'],
    ['O', 'parallel or perspective'],
    ['F', 'force chains'], ['V', 'velocity arrows'], ['D', 'distance between two grains'], ['W', 'walls'],
    ['P', 'time series'], ['M', 'this panel'], ['T', 'dark or light'], ['S', 'save an image'],
    ['Esc', 'clear selection'],
    ['click', 'select a grain or cell'], ['shift click', 'add a grain to a list'],
    ['drag, right drag, wheel', 'rotate, pan, zoom'],
];
