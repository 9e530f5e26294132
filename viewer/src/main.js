// The viewer's client: what is shown, and what happens when something is changed.
import * as THREE from 'three';
import './style.css';
import { Problem, getBlock, getJson, getText, inside } from './api.js';
import { brief, count, rangeOf, say, shades } from './colours.js';
import { $, h } from './dom.js';
import { legendOf, picture, showLegends } from './legend.js';
import { KEYS, buildPanel } from './panel.js';
import { Picked } from './picked.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';

const FORCE_ROOM = 0.9; // half width of the largest force, in radii of grains
const CHAIN_SIZE = 0.3; // of grains while force chains are shown

let run, stage, timeline, plots, picked;
let shown = { frame: -1 }; // the frame in view, and its blocks
let asked = 0; // the newest question
let ranges = {}; // of fields, as chosen

const s = {
    by: '', map: 'viridis', range: [0, 1], grains: true, walls: true, domain: true, bonds: true, forces: false, size: 1, forceScale: 1,
    warp: 1, clipAxis: '', clipAt: 0.5, clipFlip: false, parallel: false, plots: true, follow: false, picked: null,
};

const field = () => run.fields.find((f) => f.by === s.by) ?? null;
const tag = (frame) => run.tags[frame];

function complain(problem) {
    $('problem').textContent = problem ? problem.message : '';
    $('problem').hidden = !problem;
    if (problem && !(problem instanceof Problem)) console.error(problem);
}

// of several answers those that came; if none did, why
async function readable(promises) {
    const all = await Promise.allSettled(promises);
    const good = all.filter((r) => r.status === 'fulfilled').map((r) => r.value);
    if (!good.length && all.length) throw all[0].reason;
    return good;
}

/* ---- frames ---- */

const part = (frame, what = '') => getBlock(`/api/frame/${frame}${what}`, tag(frame));
const valuesOf = (frame) => part(frame, `/values?by=${encodeURIComponent(s.by)}`);

// what a frame consists of with the present settings
async function fetchFrame(frame) {
    const cells = run.cells ? part(frame, `/cells?warp=${s.warp}${s.clipAxis ? '&inside=1' : ''}`) : null;
    const [grains, walls, values, solid, contacts, bonds] = await Promise.all([
        part(frame), part(frame, '/walls'), s.by ? valuesOf(frame) : {}, cells,
        s.forces && run.contacts ? part(frame, '/contacts') : null,
        s.bonds && run.bonds ? part(frame, '/bonds') : null,
    ]);
    return { frame, grains, walls, values, solid, contacts, bonds };
}

/** Shows a frame; true when it is drawn, false when it cannot be, or another was asked for since. */
async function go(frame) {
    if (!run.times.length || frame < 0) return false;
    const question = ++asked;
    let parts;
    try {
        parts = await fetchFrame(frame);
    } catch (problem) {
        if (question === asked) complain(problem);
        return false;
    }
    if (question !== asked) return false;
    complain(null);
    shown = parts;
    stage.box.union(contentBox([parts]));
    if (run.live) widenRange();
    apply();
    if (timeline.playing && frame + 1 < run.times.length) fetchFrame(frame + 1).catch(() => {});
    if (s.picked) picked.show(s.picked, run, frame, field());
    await new Promise((done) => requestAnimationFrame(done));
    return true;
}

function applyForces() {
    const radius = meanRadius();
    const data = s.forces && shown.contacts?.contacts.data;
    if (!data?.length) return stage.forces.set(0);
    const sorted = Float32Array.from({ length: data.length / 8 }, (_, k) => data[8 * k + 6]).sort();
    const top = sorted[Math.floor(0.99 * (sorted.length - 1))] || sorted[sorted.length - 1] || 1;
    shown.force = top;
    return stage.forces.set(data.length / 8, (out) => {
        for (let k = 0; k < data.length; k += 8) {
            const part = Math.max(0, data[k + 6] / top);
            out.set(data.subarray(k, k + 6), k);
            out[k + 6] = part > 0.005 ? FORCE_ROOM * radius * Math.min(part, 1.5) : 0;
            out[k + 7] = Math.min(1, part);
        }
    });
}

function meanRadius() {
    const { data } = shown.grains.grains;
    let sum = 0;
    for (let k = 3; k < data.length; k += 4) sum += data[k];
    return data.length ? (4 * sum) / data.length : 1;
}

function applyBonds() {
    const pairs = s.bonds && shown.bonds?.bonds.data;
    if (!pairs?.length) return stage.bonds.set(0);
    const { data } = shown.grains.grains;
    const period = new THREE.Vector3(...run.upper).sub(new THREE.Vector3(...run.lower));
    return stage.bonds.set(pairs.length / 2, (out) => {
        for (let k = 0; k < pairs.length / 2; k++) {
            const [a, b] = [4 * pairs[2 * k], 4 * pairs[2 * k + 1]];
            out.set(data.subarray(a, a + 3), 8 * k);
            out.set(data.subarray(b, b + 3), 8 * k + 3);
            // through a periodic side it would cross the whole picture
            const far = [0, 1, 2].some((d) => Math.abs(data[a + d] - data[b + d]) > 0.5 * period.getComponent(d));
            out[8 * k + 6] = far ? 0 : 0.35 * Math.min(data[a + 3], data[b + 3]);
        }
    });
}

function applyClip() {
    const k = ['x', 'y', 'z'].indexOf(s.clipAxis);
    const clip = stage.uniforms.clip.value.set(0, 0, 0, 1);
    if (k < 0) return;
    const low = stage.box.min.getComponent(k);
    const at = low + s.clipAt * (stage.box.max.getComponent(k) - low);
    const sign = s.clipFlip ? -1 : 1;
    clip.setComponent(k, sign);
    clip.w = sign * at;
}

function applyColours() {
    const f = field();
    const { mode, range } = stage.uniforms;
    mode.value = !f ? 0 : !f.names ? 1 : f.by === 'aggregate' ? 3 : 2;
    range.value.set(...s.range);
    showLegends($('legend'), legends());
    for (const [id, k] of [['low', 0], ['high', 1]]) $(id).value = brief(s.range[k]);
    $('range').hidden = $('map').closest('.row').hidden = !f || f.names;
}

// of the field, and of forces where they are shown
function legends() {
    const forces = s.forces && shown.force ? { title: 'normal force', unit: 'N', colours: stage.forces.ramp(), low: 0, high: shown.force } : null;
    return [legendOf(run, field(), shades(run.maps[s.map]), s.range), forces];
}

// the frame in view, with all settings
function apply() {
    const { frame, grains, values } = shown;
    if (frame < 0) return;
    stage.spheres.set(grains.grains.data, values.grains?.data);
    stage.spheres.object.visible &&= s.grains;
    stage.spheres.uniforms.size.value = s.size;
    stage.cells.set(shown.solid, run.cells);
    stage.cells.values(values.cells?.data ?? null);
    stage.walls.set(shown.walls.faces, wallBox(), (wall) => run.walls[wall]?.shape === 'box');
    stage.walls.object.visible = s.walls;
    stage.edges.visible = s.domain && Boolean(domainBox());
    stage.forces.uniforms.scale.value = s.forceScale;
    applyForces();
    applyBonds();
    applyClip();
    applyColours();
    mark();
    timeline.show(frame);
    plots.time(run.times[frame]);
    $('facts').textContent = facts();
    document.body.dataset.frame = frame;
    stage.draw();
}

function facts() {
    const n = shown.grains.grains.rows;
    const parts = [`t = ${say(run.times[shown.frame], 5)} s`, `frame ${shown.frame} of ${run.times.length - 1}`];
    if (n || !run.cells) parts.push(`${count(n)} grain${n === 1 ? '' : 's'}`);
    if (run.cells) parts.push(`${count(run.cells)} cells`);
    if (run.cells && s.warp !== 1) parts.push(`displacements × ${say(s.warp)}`);
    return parts.join(' · ');
}

/* ---- where things are ---- */

function domainBox() {
    if (![...run.lower, ...run.upper].every(Number.isFinite)) return null;
    const at = (corner) => new THREE.Vector3(...corner.map((x, k) => x - run.origin[k]));
    return new THREE.Box3(at(run.lower), at(run.upper));
}

// planes have no end: they are shown in the domain, or, where that is far larger, around what there is
function wallBox() {
    const domain = domainBox();
    const around = stage.box.clone().expandByVector(stage.box.getSize(new THREE.Vector3()).multiplyScalar(0.02));
    if (!domain) return around;
    const size = (box) => box.getSize(new THREE.Vector3()).length();
    return size(domain) < 4 * size(around) ? domain : domain.intersect(around);
}

function contentBox(frames) {
    const box = new THREE.Box3();
    const p = new THREE.Vector3();
    for (const { grains, solid, walls } of frames) {
        const { data } = grains.grains;
        for (let k = 0; k < data.length; k += 4) {
            const r = data[k + 3];
            box.expandByPoint(p.set(data[k] - r, data[k + 1] - r, data[k + 2] - r));
            box.expandByPoint(p.set(data[k] + r, data[k + 1] + r, data[k + 2] + r));
        }
        const points = solid?.points.data ?? [];
        for (let k = 0; k < points.length; k += 3) box.expandByPoint(p.fromArray(points, k));
        expandByWalls(box, walls.faces.data);
    }
    return box.isEmpty() ? domainBox() ?? new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1)) : box;
}

// all but planes, which have no end
function expandByWalls(box, faces) {
    for (let k = 0; k < faces.length; k += 18) {
        const v = (at) => new THREE.Vector3().fromArray(faces, k + at);
        const point = v(2);
        if (faces[k] === 3) {
            box.expandByPoint(point).expandByPoint(point.clone().add(v(11))).expandByPoint(point.clone().add(v(14)));
        } else if (faces[k] === 2) {
            const r = new THREE.Vector3(1, 1, 1).multiplyScalar(faces[k + 9]);
            box.expandByPoint(point.clone().add(r)).expandByPoint(point.sub(r));
        } else if (faces[k] === 1) {
            const axis = v(5);
            [0, faces[k + 8]].forEach((along, end) => {
                const r = faces[k + 9 + end];
                const half = new THREE.Vector3(...[axis.x, axis.y, axis.z].map((a) => r * Math.sqrt(Math.max(0, 1 - a * a))));
                const c = point.clone().addScaledVector(axis, along);
                box.expandByPoint(c.clone().add(half)).expandByPoint(c.sub(half));
            });
        }
    }
}

/* ---- what the controls do ---- */

async function autoRange(frames) {
    const f = field();
    if (!f || f.names) return;
    const blocks = await readable(frames.map(valuesOf));
    s.range = rangeOf(blocks.flatMap((b) => [b.grains?.data, b.cells?.data].filter(Boolean)));
    ranges[s.by] = s.range;
}

// of a run that goes on the first frames tell little: the range grows with what comes, until the user has set it
function widenRange() {
    const f = field();
    if (!f || f.names || s.ownRange) return;
    const [low, high] = rangeOf([shown.values.grains?.data, shown.values.cells?.data].filter(Boolean));
    ranges[s.by] = s.range = [Math.min(low, s.range[0]), Math.max(high, s.range[1])];
}

// some frames tell the range of all; of large ones only the present one is asked
function sampleFrames() {
    const last = run.times.length - 1;
    if (Math.max(...run.bodies, run.cells) > 200000) return [Math.max(0, shown.frame < 0 ? last : shown.frame)];
    return [...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * last)))];
}

async function setField(by) {
    s.by = by;
    s.ownRange = false;
    $('field').value = by;
    try {
        if (ranges[by]) s.range = ranges[by];
        else if (run.times.length) await autoRange(sampleFrames());
    } catch (problem) {
        complain(problem);
    }
    document.body.dataset.field = by;
    if (shown.frame >= 0) await go(shown.frame);
}

function mark() {
    const { picked: p } = s;
    const row = p?.kind === 'grain' ? shown.grains.ids.data.indexOf(p.name) : -1;
    stage.spheres.select(row);
    stage.cells.uniforms.selected.value = p?.kind === 'cell' ? p.name : -1;
}

function choose(found) {
    s.picked = !found ? null : found.kind === 'cell' ? { kind: 'cell', name: found.cell } : { kind: 'grain', name: shown.grains.ids.data[found.row] };
    if (s.picked) picked.show(s.picked, run, shown.frame, field());
    else picked.clear();
    mark();
    stage.draw();
}

// what stands between the plane and the eye is taken away
function setClipSide() {
    const k = ['x', 'y', 'z'].indexOf(s.clipAxis);
    $('clip-rows').hidden = k < 0;
    if (k < 0) return;
    s.clipFlip = stage.camera.position.getComponent(k) < stage.controls.target.getComponent(k);
    $('clip-rows').querySelector('input[type=checkbox]').checked = s.clipFlip;
}

function settle(change) {
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
        document.querySelectorAll('.check input').forEach((i) => i.getAttribute('aria-label') === 'force chains' && (i.checked = s.forces));
    }
    if ('walls' in change) document.querySelectorAll('.check input').forEach((i) => i.getAttribute('aria-label') === 'walls' && (i.checked = s.walls));
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
    // what is not loaded yet
    const wanting = (s.forces && run.contacts && !shown.contacts) || (s.bonds && run.bonds && !shown.bonds) || ('clipAxis' in change && run.cells);
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

const LOOKS = { x: [1, 0, 0], y: [0, -1, 0], z: [0, 0, 1], '': [0.72, -1.35, 0.55] };

function setTheme(name) {
    document.documentElement.dataset.theme = name;
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--accent').trim();
    stage.theme(name, accent);
    plots.draw();
}

function otherTheme() {
    const name = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    localStorage.setItem('scree-theme', name);
    setTheme(name);
}

function savePicture() {
    const style = getComputedStyle(document.documentElement);
    const canvas = picture(stage, {
        title: $('title').textContent,
        facts: facts(),
        legends: legends(),
        ink: style.getPropertyValue('--ink').trim(),
        tone: style.getPropertyValue('--tone').trim(),
    });
    const name = `${run.file.replace(/\.h5$/, '')}-${String(shown.frame).padStart(4, '0')}.png`;
    canvas.toBlob((blob) => {
        const link = h('a', { href: URL.createObjectURL(blob), download: name });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
}

function dialog(title, ...content) {
    $('help').replaceChildren(h('h2', {}, title, h('button', { className: 'small', onclick: () => $('help').close() }, '×')), ...content);
    $('help').showModal();
}

const showKeys = () => dialog('Keys', h('table', {}, ...KEYS.map(([key, what]) => h('tr', {}, h('th', {}, key), h('td', {}, what)))));

const act = {
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
        await autoRange([shown.frame]);
        apply();
    },
    set: settle,
    warp: setWarp,
    look: (axis) => stage.fit(new THREE.Vector3(...LOOKS[axis])),
    picture: savePicture,
    theme: otherTheme,
    help: showKeys,
    async scene() {
        dialog(run.scene || 'scene', h('pre', {}, await getText('/api/scene')));
    },
};

/* ---- live ---- */

function follow(on = true) {
    s.follow = on && run.live;
    timeline.live.classList.toggle('on', s.follow);
    if (s.follow && shown.frame !== run.times.length - 1) go(run.times.length - 1);
}

function adopt(fresh) {
    const other = run && fresh.run !== run.run;
    run = fresh;
    document.body.dataset.frames = run.times.length;
    timeline.frames(run.times);
    timeline.live.hidden = !run.live;
    timeline.live.classList.toggle('on', s.follow);
    $('title').textContent = run.title.split('\n')[0] || run.file;
    document.title = `${$('title').textContent} – Scree`;
    return other;
}

async function poll() {
    let wait = 5000;
    try {
        const fresh = await getJson('/api/run');
        const before = run.times.length;
        // another run has taken the place of this one, or the first frame has come
        if (adopt(fresh) || (!before && run.times.length)) return location.reload();
        wait = run.live ? 1000 : 4000;
        plots.set(run);
        if (s.follow && !timeline.playing && run.times.length > before) await go(run.times.length - 1);
        else if (shown.frame >= 0) $('facts').textContent = facts();
        if (!run.live) s.follow = false;
        if (lost) complain(null);
        lost = false;
    } catch (problem) {
        lost = true;
        complain(problem);
    }
    return setTimeout(poll, wait);
}
let lost = false;

/* ---- keys and mouse ---- */

function nextField(by) {
    const list = run.fields;
    if (list.length) setField(list[(list.findIndex((f) => f.by === s.by) + by + list.length) % list.length].by);
}

const KEY = {
    ' ': () => timeline.toggle(),
    ArrowLeft: (e) => timeline.user(timeline.frame - (e.shiftKey ? 10 : 1)),
    ArrowRight: (e) => timeline.user(timeline.frame + (e.shiftKey ? 10 : 1)),
    Home: () => timeline.user(0),
    End: () => timeline.user(run.times.length - 1),
    l: () => follow(!s.follow),
    c: (e) => nextField(e.shiftKey ? -1 : 1),
    0: () => act.look(''),
    1: () => act.look('x'),
    2: () => act.look('y'),
    3: () => act.look('z'),
    o: () => settle({ parallel: !s.parallel }),
    f: () => settle({ forces: !s.forces }),
    w: () => settle({ walls: !s.walls }),
    p: () => settle({ plots: !s.plots }),
    m: () => document.body.classList.toggle('bare'),
    t: otherTheme,
    s: savePicture,
    '?': showKeys,
    Escape: () => choose(null),
};

function listen() {
    addEventListener('keydown', (e) => {
        const writing = e.target.matches('input[type=text], select, textarea') || $('help').open;
        const act = KEY[e.key.length === 1 ? e.key.toLowerCase() : e.key];
        if (writing || !act || e.ctrlKey || e.metaKey || e.altKey) return;
        e.preventDefault();
        act(e);
    });
    let down = null;
    $('stage').addEventListener('pointerdown', (e) => (down = [e.clientX, e.clientY]));
    $('stage').addEventListener('pointerup', (e) => {
        const still = down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4;
        if (still && e.button === 0) choose(stage.pick(e.clientX, e.clientY));
    });
}

/* ---- the start ---- */

async function start() {
    run = await getJson('/api/run');
    stage = new Stage($('stage'), $('axes'));
    timeline = new Timeline($('time'), go, () => follow(!s.follow));
    timeline.onuser = () => follow(false);
    plots = new Plots($('plots'), (t) => timeline.user(nearest(t)));
    s.by = run.fields.some((f) => f.by === run.by) ? run.by : (run.fields[0]?.by ?? '');
    s.plots = run.series.length > 0;
    s.follow = run.live;
    picked = new Picked(buildPanel($('panel'), run, s, act), () => choose(null));
    adopt(run);
    stage.map(shades(run.maps[s.map]));
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', (e) => localStorage.getItem('scree-theme') || setTheme(e.matches ? 'dark' : 'light'));
    setTheme(localStorage.getItem('scree-theme') ?? (dark.matches ? 'dark' : 'light'));
    document.body.classList.toggle('plots', s.plots);
    $('plots-button').classList.toggle('on', s.plots);
    plots.show(s.plots);
    plots.set(run);
    listen();
    if (!inside) setTimeout(poll, 1000);
    const last = run.times.length - 1;
    if (last < 0) throw new Problem('there are no frames yet');
    const ends = await readable([...new Set([0, last])].map(fetchFrame));
    stage.bounds(contentBox(ends), domainBox());
    stage.fit(new THREE.Vector3(...LOOKS['']));
    await setField(s.by);
    await go(last);
}

// the frame next to a time
function nearest(t) {
    let best = 0;
    run.times.forEach((x, k) => Math.abs(x - t) < Math.abs(run.times[best] - t) && (best = k));
    return best;
}

start()
    .catch(complain)
    .finally(() => (document.body.dataset.ready = 'yes'));

// for tests, and for whoever looks behind the scenes
window.scree = { state: s, stage: () => stage, shown: () => shown, run: () => run, plots: () => plots };
