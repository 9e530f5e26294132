// The frame in view on the stage, with all settings.
import * as THREE from 'three';
import { inside } from './api.js';
import { brief, count, say, shades } from './colours.js';
import { $ } from './dom.js';
import { compact, keepOf } from './frames.js';
import { legendOf, showLegends } from './legend.js';
import { linkOf } from './link.js';
import { fillArrows, fillTrails } from './motion.js';
import { domainBox, wallBox } from './places.js';
import { sayLength, scaleBar } from './scale.js';
import { VELOCITY, field, histogram, plain, plots, run, s, shown, stage, timeline, twin } from './state.js';

const FORCE_ROOM = 0.9; // half width of the largest force, in radii of grains

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
    if (s.arrows && velocity.every(Boolean)) shown.speed = fillArrows(stage.arrows, grains.data, velocity, shown.keep,
        6 * radius * s.arrowScale, 0.14 * radius);
    else stage.arrows.set(0);
    // through a periodic side a trail would cross the whole picture
    const far = 0.5 * Math.min(...run.upper.map((x, d) => x - run.lower[d]).filter(Number.isFinite));
    if (s.trail && shown.before.length) fillTrails(stage.trails,
        [...shown.before, { grains: grains.data, ids: ids.data }], shown.keep, far, 0.12 * radius);
    else stage.trails.set(0);
}

// a line between two grains, and how long it is
export function applyMeasure() {
    const rows = (s.measuring ?? []).map((id) => shown.grains.ids.data.indexOf(id));
    const { data } = shown.grains.grains;
    const both = rows.length === 2 && rows.every((row) => row >= 0);
    stage.ruler.set(both ? 1 : 0,
        (out) => out.set([...data.subarray(4 * rows[0], 4 * rows[0] + 3),
            ...data.subarray(4 * rows[1], 4 * rows[1] + 3), 0.25 * meanRadius(), 1]));
    const place = $('measured');
    if (!place) return;
    place.hidden = !s.measuring;
    if (!s.measuring) return;
    if (!both) {
        place.textContent = s.measuring.length < 2 ? `click ${s.measuring.length ? 'a second' : 'a first'} grain`
            : 'one of both is not in this frame';
        return;
    }
    const [a, b] = rows.map((row) => data.subarray(4 * row, 4 * row + 4));
    const d = [0, 1, 2].map((k) => b[k] - a[k]);
    const gap = Math.hypot(...d) - a[3] - b[3];
    const parts = d.map((x) => sayLength(x, 3)).join(', ');
    place.textContent = `centres ${sayLength(Math.hypot(...d))} apart (${parts}), surfaces ${sayLength(gap, 3)}`;
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

export function applyColours() {
    const f = field();
    const { mode, range } = stage.uniforms;
    mode.value = !f ? 0 : !f.names ? 1 : f.by === 'aggregate' ? 3 : 2;
    range.value.set(...inScale(s.range));
    showLegends($('legend'), legends());
    for (const [id, k] of [['low', 0], ['high', 1]]) $(id).value = brief(s.range[k]);
    $('range').hidden = $('map').closest('.row').hidden = $('histogram').hidden = $('log-row').hidden = !f || f.names;
    const { values, keep } = shown;
    if (f && !f.names && shown.frame >= 0)
        histogram.set([compact(values.grains?.data, 1, keep), values.cells?.data].filter(Boolean).map(logged),
            inScale(s.range), shades(run.maps[s.map]), s.log);
}

// powers of ten where these are shown; what has none is not a number
const logged = (data) => (s.log && data && !field()?.names ? Float32Array.from(data,
    (x) => (x > 0 ? Math.log10(x) : NaN)) : data);
function inScale([low, high]) {
    if (!s.log || !(high > 0)) return [low, high];
    const top = Math.log10(high);
    return [low > 0 ? Math.min(Math.log10(low), top - 0.01) : top - 4, top];
}

// of the field, and of forces where they are shown
export function legends() {
    const forces = s.forces && shown.force ? { title: 'normal force', unit: 'N', colours: stage.forces.ramp(), low: 0,
        high: shown.force } : null;
    const speed = s.arrows && shown.speed ? { title: 'arrows', unit: 'm/s', colours: stage.arrows.ramp(), low: 0,
        high: shown.speed } : null;
    return [legendOf(run, field(), shades(run.maps[s.map]), inScale(s.range), s.log && !field()?.names), forces, speed];
}

export function mark() {
    const { picked: p } = s;
    let row = p?.kind === 'grain' ? shown.grains.ids.data.indexOf(p.name) : -1;
    if (shown.rows && row >= 0) row = shown.rows.indexOf(row);
    stage.spheres.select(row);
    stage.cells.uniforms.selected.value = p?.kind === 'cell' ? p.name : -1;
}

// the frame in view, with all settings
export function apply() {
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
export function remember() {
    if (inside || twin?.channel || shown.frame < 0) return;
    clearTimeout(remembering);
    remembering = setTimeout(() => history.replaceState(null, '', linkOf(s, plain, shown.frame, stage)), 200);
}

export function showBar() {
    const bar = scaleBar(stage.pixels);
    const [line, text] = $('bar').children;
    line.style.width = `${bar.pixels}px`;
    text.textContent = bar.text;
}

export function facts() {
    const n = shown.grains.grains.rows;
    const parts = [`t = ${say(run.times[shown.frame], 5)} s`, `frame ${shown.frame} of ${run.times.length - 1}`];
    const some = shown.rows ? `${count(shown.rows.length)} of ` : '';
    if (n || !run.cells) parts.push(`${some}${count(n)} grain${n === 1 ? '' : 's'}`);
    if (run.cells) parts.push(`${count(run.cells)} cells`);
    if (run.cells && s.warp !== 1) parts.push(`displacements × ${say(s.warp)}`);
    return parts.join(' · ');
}
