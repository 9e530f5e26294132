// Frames, as the server has them: what is asked of it with the present settings, and which grains of it are kept.
import { getBlock } from './api.js';
import { VELOCITY, filter, has, run, s } from './state.js';

// of several answers those that came; if none did, why
export async function readable(promises) {
    const all = await Promise.allSettled(promises);
    const good = all.filter((r) => r.status === 'fulfilled').map((r) => r.value);
    if (!good.length && all.length) throw all[0].reason;
    return good;
}

const tag = (frame) => run.tags[frame];
export const part = (frame, what = '') => getBlock(`/api/frame/${frame}${what}`, tag(frame));
export const valuesOf = (frame) => part(frame, `/values?by=${encodeURIComponent(s.by)}`);

// what a frame consists of with the present settings
export async function fetchFrame(frame) {
    const cells = run.cells ? part(frame, `/cells?warp=${s.warp}${s.clipAxis ? '&inside=1' : ''}`) : null;
    const [grains, walls, values, solid, contacts, bonds] = await Promise.all([
        part(frame), part(frame, '/walls'), s.by ? valuesOf(frame) : {}, cells,
        s.forces && run.contacts ? part(frame, '/contacts') : null,
        s.bonds && run.bonds ? part(frame, '/bonds') : null,
    ]);
    const names = namesAsked();
    const [numbers, before] = await Promise.all([
        Promise.all(names.map((by) => (by === 'id' ? null : part(frame, `/values?by=${encodeURIComponent(by)}`)))),
        trailOf(frame),
    ]);
    const fields = Object.fromEntries(names.map((by, k) => [by,
        by === 'id' ? grains.ids.data : numbers[k].grains?.data]));
    return { frame, grains, walls, values, solid, contacts, bonds, fields, before };
}

// fields beside that of the colour: of the filter, of hidden groups, of arrows
export function namesAsked() {
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

/** One byte per grain: whether it is shown; null: all are. */
export function keepOf({ grains, fields }) {
    const group = s.hiddenGroups.length ? fields.group : null;
    const test = filter && filter.names.every((name) => fields[name]) ? filter.test : null;
    if (!group && !test) return null;
    return Uint8Array.from({ length: grains.grains.rows },
        (_, k) => (!group || !s.hiddenGroups.includes(group[k])) && (!test || Boolean(test(fields, k))));
}

// rows that are kept, with their numbers: what the picture shows
export function compact(data, width, keep) {
    if (!keep || !data) return data;
    const out = new Float32Array(width * keep.reduce((a, b) => a + b, 0));
    let n = 0;
    keep.forEach((on, k) => on && (out.set(data.subarray(width * k, width * k + width), width * n), n++));
    return out;
}
