// The viewer's client: what is shown, and what happens when something is changed.
import * as THREE from 'three';
import './style.css';
import { Problem, getBlock, getJson, getText, inside } from './api.js';
import { Twin, showBoth } from './beside.js';
import { brief, count, paletteColour, rangeOf, say, shades } from './colours.js';
import { $, h } from './dom.js';
import { parseFilter } from './filter.js';
import { Histogram } from './histogram.js';
import { linkOf, readLink, setEye } from './link.js';
import { fillArrows, fillTrails } from './motion.js';
import { canRecord, record } from './movie.js';
import { sayLength, scaleBar } from './scale.js';
import { legendOf, picture, showLegends } from './legend.js';
import { KEYS, buildPanel } from './panel.js';
import { Picked } from './picked.js';
import { Plots } from './plots.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';

const FORCE_ROOM = 0.9; // half width of the largest force, in radii of grains
const CHAIN_SIZE = 0.3; // of grains while force chains are shown
const BOND_SIZE = 0.6; // where there are bonds

const LOADING = 150; // milliseconds until a question is said to take long

let run, stage, timeline, plots, picked, histogram, twin;
let shown = { frame: -1 }; // the frame in view, and its blocks
let asked = 0; // the newest question
let ranges = {}; // of fields, as chosen

const s = {
    by: '', map: 'viridis', range: [0, 1], grains: true, walls: true, domain: true, bonds: true, forces: false, size: 1, forceScale: 1,
    warp: 1, clipAxis: '', clipAt: 0.5, clipFlip: false, parallel: false, plots: true, follow: false, picked: null,
    log: false, filter: '', arrows: false, arrowScale: 1, trail: 0, hiddenGroups: [], chosen: [], measuring: null,
};
let plain = { ...s }; // as it is without a link

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
    const names = namesAsked();
    const [numbers, before] = await Promise.all([
        Promise.all(names.map((by) => (by === 'id' ? null : part(frame, `/values?by=${encodeURIComponent(by)}`)))), trailOf(frame),
    ]);
    const fields = Object.fromEntries(names.map((by, k) => [by, by === 'id' ? grains.ids.data : numbers[k].grains?.data]));
    return { frame, grains, walls, values, solid, contacts, bonds, fields, before };
}

const VELOCITY = ['velocity.x', 'velocity.y', 'velocity.z'];
const has = (by) => run.fields.some((f) => f.by === by && f.grains);

// fields beside that of the colour: of the filter, of hidden groups, of arrows
function namesAsked() {
    const names = new Set(filter?.names ?? []);
    if (s.hiddenGroups.length) names.add('group');
    if (s.arrows) VELOCITY.forEach((v) => names.add(v));
    return [...names].filter((by) => by === 'id' || has(by));
}

// the frames that a trail leads through, but the last
async function trailOf(frame) {
    const first = Math.max(0, frame - s.trail);
    const list = Array.from({ length: frame - first }, (_, k) => part(first + k));
    return (await Promise.all(list)).map((g) => ({ grains: g.grains.data, ids: g.ids.data }));
}

let filter = null; // { names, test } of s.filter

/** One byte per grain: whether it is shown; null: all are. */
function keepOf({ grains, fields }) {
    const group = s.hiddenGroups.length ? fields.group : null;
    const test = filter && filter.names.every((name) => fields[name]) ? filter.test : null;
    if (!group && !test) return null;
    return Uint8Array.from({ length: grains.grains.rows }, (_, k) => (!group || !s.hiddenGroups.includes(group[k])) && (!test || Boolean(test(fields, k))));
}

// rows that are kept, with their numbers: what the picture shows
function compact(data, width, keep) {
    if (!keep || !data) return data;
    const out = new Float32Array(width * keep.reduce((a, b) => a + b, 0));
    let n = 0;
    keep.forEach((on, k) => on && (out.set(data.subarray(width * k, width * k + width), width * n), n++));
    return out;
}

/** Shows a frame; true when it is drawn, false when it cannot be, or another was asked for since. */
async function go(frame) {
    if (!run.times.length || frame < 0) return false;
    const question = ++asked;
    let parts;
    const slow = setTimeout(() => ($('loading').hidden = false), LOADING);
    try {
        parts = await fetchFrame(frame);
    } catch (problem) {
        if (question === asked) complain(problem);
        return false;
    } finally {
        clearTimeout(slow);
        if (question === asked) $('loading').hidden = true;
    }
    if (question !== asked) return false;
    complain(null);
    shown = parts;
    stage.box.union(contentBox([parts]));
    if (run.live) widenRange();
    apply();
    if (timeline.playing && frame + 1 < run.times.length) fetchFrame(frame + 1).catch(() => {});
    if (s.picked) picked.show(s.picked, run, frame, field());
    if (frame !== told) twin?.say({ time: run.times[frame] });
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
    const { keep } = shown;
    const period = new THREE.Vector3(...run.upper).sub(new THREE.Vector3(...run.lower));
    return stage.bonds.set(pairs.length / 2, (out) => {
        for (let k = 0; k < pairs.length / 2; k++) {
            const [a, b] = [4 * pairs[2 * k], 4 * pairs[2 * k + 1]];
            out.set(data.subarray(a, a + 3), 8 * k);
            out.set(data.subarray(b, b + 3), 8 * k + 3);
            // through a periodic side it would cross the whole picture
            const far = [0, 1, 2].some((d) => Math.abs(data[a + d] - data[b + d]) > 0.5 * period.getComponent(d));
            const gone = keep && !(keep[a / 4] && keep[b / 4]);
            out[8 * k + 6] = far || gone ? 0 : 0.35 * Math.min(data[a + 3], data[b + 3]);
        }
    });
}

function applyMotion() {
    const radius = meanRadius();
    const { grains, ids } = shown.grains;
    const velocity = VELOCITY.map((v) => shown.fields[v]);
    shown.speed = 0;
    if (s.arrows && velocity.every(Boolean)) shown.speed = fillArrows(stage.arrows, grains.data, velocity, shown.keep, 6 * radius * s.arrowScale, 0.14 * radius);
    else stage.arrows.set(0);
    // through a periodic side a trail would cross the whole picture
    const far = 0.5 * Math.min(...run.upper.map((x, d) => x - run.lower[d]).filter(Number.isFinite));
    if (s.trail && shown.before.length) fillTrails(stage.trails, [...shown.before, { grains: grains.data, ids: ids.data }], shown.keep, far, 0.12 * radius);
    else stage.trails.set(0);
}

// a line between two grains, and how long it is
function applyMeasure() {
    const rows = (s.measuring ?? []).map((id) => shown.grains.ids.data.indexOf(id));
    const { data } = shown.grains.grains;
    const both = rows.length === 2 && rows.every((row) => row >= 0);
    stage.ruler.set(both ? 1 : 0, (out) => out.set([...data.subarray(4 * rows[0], 4 * rows[0] + 3), ...data.subarray(4 * rows[1], 4 * rows[1] + 3), 0.25 * meanRadius(), 1]));
    const place = $('measured');
    if (!place) return;
    place.hidden = !s.measuring;
    if (!s.measuring) return;
    if (!both) {
        place.textContent = s.measuring.length < 2 ? `click ${s.measuring.length ? 'a second' : 'a first'} grain` : 'one of both is not in this frame';
        return;
    }
    const [a, b] = rows.map((row) => data.subarray(4 * row, 4 * row + 4));
    const d = [0, 1, 2].map((k) => b[k] - a[k]);
    const gap = Math.hypot(...d) - a[3] - b[3];
    place.textContent = `centres ${sayLength(Math.hypot(...d))} apart (${d.map((x) => sayLength(x, 3)).join(', ')}), surfaces ${sayLength(gap, 3)}`;
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
    range.value.set(...inScale(s.range));
    showLegends($('legend'), legends());
    for (const [id, k] of [['low', 0], ['high', 1]]) $(id).value = brief(s.range[k]);
    $('range').hidden = $('map').closest('.row').hidden = $('histogram').hidden = $('log-row').hidden = !f || f.names;
    const { values, keep } = shown;
    if (f && !f.names && shown.frame >= 0)
        histogram.set([compact(values.grains?.data, 1, keep), values.cells?.data].filter(Boolean).map(logged), inScale(s.range), shades(run.maps[s.map]), s.log);
}

// powers of ten where these are shown; what has none is not a number
const logged = (data) => (s.log && data && !field()?.names ? Float32Array.from(data, (x) => (x > 0 ? Math.log10(x) : NaN)) : data);
function inScale([low, high]) {
    if (!s.log || !(high > 0)) return [low, high];
    const top = Math.log10(high);
    return [low > 0 ? Math.min(Math.log10(low), top - 0.01) : top - 4, top];
}

// of the field, and of forces where they are shown
function legends() {
    const forces = s.forces && shown.force ? { title: 'normal force', unit: 'N', colours: stage.forces.ramp(), low: 0, high: shown.force } : null;
    const speed = s.arrows && shown.speed ? { title: 'arrows', unit: 'm/s', colours: stage.arrows.ramp(), low: 0, high: shown.speed } : null;
    return [legendOf(run, field(), shades(run.maps[s.map]), inScale(s.range), s.log && !field()?.names), forces, speed];
}

// the frame in view, with all settings
function apply() {
    const { frame, grains, values } = shown;
    if (frame < 0) return;
    shown.keep = keepOf(shown);
    shown.rows = shown.keep ? Array.from(shown.keep.keys()).filter((k) => shown.keep[k]) : null;
    stage.spheres.set(compact(grains.grains.data, 4, shown.keep), logged(compact(values.grains?.data, 1, shown.keep)));
    stage.spheres.object.visible &&= s.grains;
    stage.spheres.uniforms.size.value = s.size;
    stage.cells.set(shown.solid, run.cells);
    stage.cells.values(logged(values.cells?.data) ?? null);
    stage.walls.set(shown.walls.faces, wallBox(), (wall) => run.walls[wall]?.shape === 'box');
    stage.walls.object.visible = s.walls;
    stage.edges.visible = s.domain && Boolean(domainBox());
    stage.forces.uniforms.scale.value = s.forceScale;
    applyForces();
    applyBonds();
    applyMotion();
    applyMeasure();
    applyClip();
    applyColours();
    mark();
    timeline.show(frame);
    plots.time(run.times[frame]);
    $('facts').textContent = facts();
    document.body.dataset.frame = frame;
    remember();
    stage.draw();
}

// the address follows what is in view, a moment later
let remembering = 0;
function remember() {
    if (inside || twin?.channel || shown.frame < 0) return;
    clearTimeout(remembering);
    remembering = setTimeout(() => history.replaceState(null, '', linkOf(s, plain, shown.frame, stage)), 200);
}

function showBar() {
    const bar = scaleBar(stage.pixels);
    const [line, text] = $('bar').children;
    line.style.width = `${bar.pixels}px`;
    text.textContent = bar.text;
}

function facts() {
    const n = shown.grains.grains.rows;
    const parts = [`t = ${say(run.times[shown.frame], 5)} s`, `frame ${shown.frame} of ${run.times.length - 1}`];
    const some = shown.rows ? `${count(shown.rows.length)} of ` : '';
    if (n || !run.cells) parts.push(`${some}${count(n)} grain${n === 1 ? '' : 's'}`);
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

// points with a radius that must be in sight: some of the grains, all corners of the rest
function contentPoints(frames) {
    const list = [];
    for (const { grains, solid, walls } of frames) {
        const { data } = grains.grains;
        const stride = 4 * Math.max(1, Math.floor(data.length / 4 / 4000));
        for (let k = 0; k < data.length; k += stride) list.push(...data.subarray(k, k + 4));
        const corners = solid?.points.data ?? [];
        for (let k = 0; k < corners.length; k += 3) list.push(corners[k], corners[k + 1], corners[k + 2], 0);
        const box = new THREE.Box3();
        expandByWalls(box, walls.faces.data);
        if (!box.isEmpty()) for (let k = 0; k < 8; k++) list.push(...[0, 1, 2].map((d) => (k & (1 << d) ? box.max : box.min).getComponent(d)), 0);
    }
    if (list.length) return Float32Array.from(list);
    const { min, max } = contentBox(frames);
    return Float32Array.from([...min.toArray(), 0, ...max.toArray(), 0]);
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
    if (by !== s.by) s.ownRange = false;
    s.by = by;
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
    let row = p?.kind === 'grain' ? shown.grains.ids.data.indexOf(p.name) : -1;
    if (shown.rows && row >= 0) row = shown.rows.indexOf(row);
    stage.spheres.select(row);
    stage.cells.uniforms.selected.value = p?.kind === 'cell' ? p.name : -1;
}

const rowOf = (found) => (shown.rows ? shown.rows[found.row] : found.row);

// shift adds a grain to those chosen, or takes it away; their numbers stand in the panel
function chooseMore(found) {
    if (found?.kind !== 'grain') return;
    const id = shown.grains.ids.data[rowOf(found)];
    s.chosen = s.chosen.includes(id) ? s.chosen.filter((x) => x !== id) : [...s.chosen, id];
    showChosen();
}

function showChosen() {
    const f = field();
    const { data } = shown.grains.ids;
    const value = (id) => (f && shown.values.grains && data.includes(id) ? `${say(shown.values.grains.data[data.indexOf(id)])} ${f.names ? '' : f.unit}` : '–');
    const see = (id) => choose({ kind: 'grain', row: shown.rows ? shown.rows.indexOf(data.indexOf(id)) : data.indexOf(id) });
    $('chosen').hidden = !s.chosen.length;
    $('chosen').replaceChildren(
        h('li', {}, `${count(s.chosen.length)} grains, ${f?.title ?? ''}`, h('button', { className: 'small', onclick: () => ((s.chosen = []), showChosen()) }, '×')),
        ...s.chosen.slice(0, 200).map((id) => h('li', { onclick: () => see(id) }, `${count(id)}: ${value(id)}`)));
}

function measure(found) {
    if (found?.kind !== 'grain') return;
    const id = shown.grains.ids.data[rowOf(found)];
    s.measuring = s.measuring.length === 1 ? [...s.measuring, id] : [id];
    applyMeasure();
    stage.draw();
}

function choose(found) {
    s.picked = !found ? null : found.kind === 'cell' ? { kind: 'cell', name: found.cell } : { kind: 'grain', name: shown.grains.ids.data[rowOf(found)] };
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
    if ('measuring' in change) $('measure')?.classList.toggle('on', Boolean(s.measuring));
    // what is not loaded yet
    const wanting = namesAsked().some((by) => !shown.fields?.[by]) || 'trail' in change || (s.forces && run.contacts && !shown.contacts) || (s.bonds && run.bonds && !shown.bonds) || ('clipAxis' in change && run.cells);
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

function paint() {
    const style = getComputedStyle(document.documentElement);
    return picture(stage, {
        title: $('title').textContent,
        facts: facts(),
        legends: legends(),
        ink: style.getPropertyValue('--ink').trim(),
        tone: style.getPropertyValue('--tone').trim(),
        bar: scaleBar(stage.pixels),
    });
}

function save(blob, name) {
    const link = h('a', { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const stem = () => run.file.replace(/\.h5$/, '');

function savePicture() {
    const name = `${stem()}-${String(shown.frame).padStart(4, '0')}.png`;
    paint().toBlob((blob) => save(blob, name));
}

let recording = false;

// all frames at the speed of the bar below; a second click ends it
async function saveMovie() {
    if (recording) return void (recording = false);
    if (!canRecord()) return complain(new Problem('this browser cannot record; scree render --movie makes movies'));
    timeline.pause();
    const before = shown.frame;
    recording = true;
    $('movie').classList.add('on');
    try {
        const blob = await record({ count: run.times.length, fps: timeline.speed, show: go, paint, stopped: () => !recording });
        if (blob) save(blob, `${stem()}.webm`);
    } finally {
        recording = false;
        $('movie').classList.remove('on');
        await go(before);
    }
    return null;
}

async function copyLink() {
    const address = new URL(linkOf(s, plain, shown.frame, stage), location.href).href;
    history.replaceState(null, '', address);
    let words = 'copied';
    try {
        await navigator.clipboard.writeText(address);
    } catch {
        words = 'see address bar';
    }
    $('link').textContent = words;
    setTimeout(() => ($('link').textContent = 'link'), 1500);
}

function setFilter(text) {
    $('filter-why').textContent = '';
    try {
        filter = text.trim() ? parseFilter(text, ['id', ...run.fields.filter((f) => f.grains).map((f) => f.by)]) : null;
        s.filter = filter ? text.trim() : '';
    } catch (problem) {
        $('filter-why').textContent = problem.message;
        return;
    }
    if (shown.frame >= 0) go(shown.frame);
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
    ArrowLeft: (e) => timeline.user(timeline.wanted - (e.shiftKey ? 10 : 1)),
    ArrowRight: (e) => timeline.user(timeline.wanted + (e.shiftKey ? 10 : 1)),
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
    v: () => settle({ arrows: !s.arrows && VELOCITY.every(has) }),
    d: () => settle({ measuring: s.measuring ? null : [] }),
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
        if (!still || e.button !== 0 || shown.frame < 0) return;
        const found = stage.pick(e.clientX, e.clientY);
        (s.measuring ? measure : e.shiftKey ? chooseMore : choose)(found);
    });
}

/* ---- the start ---- */

const NO_WEBGL = 'This browser has no WebGL 2, which the view needs. Turn on hardware acceleration in its settings, or use a current Firefox or Chromium. '
    + 'Without it, scree render makes images, and scree report a page with plots.';

// what the address asks for, beyond the frame and the camera
function takeLink(link) {
    Object.assign(s, link.settings);
    if (!(s.map in run.maps)) s.map = plain.map;
    if (link.by !== null && run.fields.some((f) => f.by === link.by)) s.by = link.by;
    if (link.range) ranges[s.by] = s.range = link.range;
    s.ownRange = Boolean(link.range);
    if (s.filter) setFilter(s.filter);
}

// what the other of two runs shows, this one shows too
let hearing = false; // a camera that was told of is not told back
let told = -1; // nor is a frame
function hear({ time, eye }) {
    hearing = true;
    if (eye) setEye(stage, eye);
    hearing = false;
    if (time === undefined || shown.frame < 0 || nearest(time) === timeline.wanted) return;
    timeline.pause();
    timeline.wanted = told = nearest(time);
    go(told).then(() => (told = -1));
}

function onTurn() {
    remember();
    if (!hearing && shown.frame >= 0) twin?.say({ eye: readLink(linkOf(s, plain, shown.frame, stage)).eye });
}

async function start() {
    run = await getJson('/api/run');
    if (run.beside && window.parent === window) return showBoth(['./1/', './2/'], [run.file, run.beside]);
    if (!document.createElement('canvas').getContext('webgl2')) throw new Problem(NO_WEBGL);
    stage = new Stage($('stage'), $('axes'));
    stage.ondraw = showBar;
    stage.onturn = onTurn;
    twin = new Twin(hear);
    histogram = new Histogram((low, high) => {
        ranges[s.by] = s.range = s.log ? [10 ** low, 10 ** high] : [low, high];
        s.ownRange = true;
        applyColours();
        remember();
        stage.draw();
    }, () => act.autoRange());
    timeline = new Timeline($('time'), go, () => follow(!s.follow));
    timeline.onuser = () => follow(false);
    plots = new Plots($('plots'), (t) => timeline.user(nearest(t)));
    s.by = run.fields.some((f) => f.by === run.by) ? run.by : (run.fields[0]?.by ?? '');
    s.plots = run.series.length > 0 && innerWidth > 640;
    // bonds are between grains: these must leave them room
    if (run.bonds) s.size = BOND_SIZE;
    plain = { ...s };
    const link = readLink(inside ? '' : location.hash);
    $('menu').onclick = () => document.body.classList.toggle('open');
    Object.assign(s, link.settings);
    picked = new Picked(buildPanel($('panel'), run, s, act, histogram.canvas), () => choose(null));
    takeLink(link);
    s.follow = run.live && link.frame === null;
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
    stage.bounds(contentBox(ends), domainBox(), contentPoints(ends));
    stage.fit(new THREE.Vector3(...LOOKS['']));
    if (s.parallel) stage.project(true);
    $('projection').classList.toggle('on', s.parallel);
    if (link.eye) setEye(stage, link.eye);
    await setField(s.by);
    await go(Math.min(link.frame ?? last, last));
    return null;
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
