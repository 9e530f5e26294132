// What the controls of the panel do.
import * as THREE from 'three';
import { Problem, getText } from './api.js';
import { brief, paletteColour, shades } from './colours.js';
import { $, h, remember } from './dom.js';
import { apply, applyColours } from './draw.js';
import { parseFilter } from './filter.js';
import { namesAsked, part } from './frames.js';
import { KEYS } from './panel.js';
import { copyLink, saveMovie, savePicture } from './save.js';
import { autoRange, go, setField } from './show.js';
import { be, complain, has, plots, ranges, run, s, shown, stage } from './state.js';

const CHAIN_SIZE = 0.3; // of grains while force chains are shown

// what stands between the plane and the eye is taken away
function setClipSide() {
    const k = ['x', 'y', 'z'].indexOf(s.clipAxis);
    $('clip-rows').hidden = k < 0;
    if (k < 0) return;
    s.clipFlip = stage.camera.position.getComponent(k) < stage.controls.target.getComponent(k);
    $('clip-rows').querySelector('input[type=checkbox]').checked = s.clipFlip;
}

// boxes follow what keys have changed
const BOXES = { forces: 'force chains', walls: 'walls', arrows: 'velocity arrows' };
function tick(change) {
    for (const [key, label] of Object.entries(BOXES)) {
        const box = document.querySelector(`.check input[aria-label="${label}"]`);
        if (key in change && box) box.checked = s[key];
    }
}

export function alter(change) {
    Object.assign(s, change);
    if ('forces' in change) {
        if (s.forces && !run.contacts) {
            s.forces = false;
            complain(new Problem('these results contain no contacts; add output: {contacts: true} to the scene'));
        } else if (s.forces && s.size === 1) {
            s.size = CHAIN_SIZE;
        } else if (!s.forces && s.size === CHAIN_SIZE) {
            s.size = 1;
        }
        const input = document.querySelector('#size-row input');
        if (input) input.value = s.size;
    }
    tick(change);
    if ('clipAxis' in change) setClipSide();
    if ('parallel' in change) {
        stage.project(s.parallel);
        $('projection').classList.toggle('on', s.parallel);
    }
    if ('plots' in change) {
        plots.show(s.plots);
        document.body.classList.toggle('plots', s.plots);
        $('plots-button').classList.toggle('on', s.plots);
    }
    if ('measuring' in change) $('measure')?.classList.toggle('on', Boolean(s.measuring));
    // what is not loaded yet
    const wanting = namesAsked().some((by) => !shown.fields?.[by]) || 'trail' in change
        || (s.forces && run.contacts && !shown.contacts) || (s.bonds && run.bonds && !shown.bonds)
            || ('clipAxis' in change && run.cells);
    if (wanting) go(shown.frame);
    else apply();
}

async function setWarp(text) {
    if (text === 'auto') {
        const last = run.times.length - 1;
        s.warp = (await part(last, '/cells?warp=auto')).warp.data[0];
    } else {
        const value = Number(text);
        if (Number.isFinite(value) && text !== '') s.warp = value;
    }
    $('warp').value = brief(s.warp);
    go(shown.frame);
}

export const LOOKS = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], '': [0.72, -1.35, 0.55] };

export function setTheme(name) {
    document.documentElement.dataset.theme = name;
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
    stage.theme(name, accent);
    plots.draw();
}

export function otherTheme() {
    const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    remember('scree-theme', name);
    setTheme(name);
}

export function setFilter(text) {
    $('filter-why').textContent = '';
    try {
        const filter = text.trim() ? parseFilter(text, ['id', ...run.fields.filter((f) => f.grains).map((f) => f.by)])
            : null;
        be({ filter });
        s.filter = filter ? text.trim() : '';
    } catch (problem) {
        $('filter-why').textContent = problem.message;
        return;
    }
    if (shown.frame >= 0) go(shown.frame);
}

function dialog(title, ...content) {
    $('help')
        .replaceChildren(h('h2', {}, title, h('button', { className: 'small', onclick: () => $('help').close() }, '×')),
            ...content);
    $('help').showModal();
}

export const showKeys = () =>
    dialog('Keys', h('table', {}, ...KEYS.map(([key, what]) => h('tr', {}, h('th', {}, key), h('td', {}, what)))));

export const act = {
    field: setField,
    map(name) {
        s.map = name;
        stage.map(shades(run.maps[name]));
        applyColours();
    },
    range() {
        const [low, high] = [Number($('low').value), Number($('high').value)];
        s.ownRange = Number.isFinite(low) && Number.isFinite(high) && low < high;
        if (s.ownRange) ranges[s.by] = s.range = [low, high];
        apply();
    },
    async autoRange() {
        s.ownRange = false;
        await autoRange([shown.frame]);
        apply();
    },
    movie: saveMovie,
    link: copyLink,
    filter: setFilter,
    group(k, on) {
        s.hiddenGroups = on ? s.hiddenGroups.filter((g) => g !== k) : [...s.hiddenGroups, k];
        go(shown.frame);
    },
    groupColour: paletteColour,
    has,
    set: alter,
    warp: setWarp,
    look: (axis) => stage.fit(new THREE.Vector3(...LOOKS[axis])),
    picture: savePicture,
    theme: otherTheme,
    help: showKeys,
    async scene() {
        dialog(run.scene || 'scene', h('pre', {}, await getText('/api/scene')));
    },
};
