// What moves, as lines: arrows along velocities, trails of where grains have been.
const MOST = 200000; // segments

/** Arrows: a shaft and a head for each grain; `velocity` are three arrays. Returns the speed whose arrow is `length`
 *  long. */
export function fillArrows(segments, grains, velocity, keep, length, width) {
    const n = grains.length / 4;
    const speeds = Float32Array.from({ length: n }, (_, k) =>
        Math.hypot(velocity[0][k], velocity[1][k], velocity[2][k]));
    const sorted = Float32Array.from(speeds).sort();
    const top = sorted[Math.floor(0.98 * (n - 1))] || sorted[n - 1] || 0;
    const stride = Math.max(1, Math.ceil((2 * n) / MOST));
    const rows = [];
    for (let k = 0; k < n; k += stride) if ((!keep || keep[k]) && speeds[k] > 0.01 * top) rows.push(k);
    segments.set(top > 0 ? 2 * rows.length : 0, (out) => {
        rows.forEach((k, i) => {
            const part = Math.min(speeds[k] / top, 2);
            const at = [0, 1, 2].map((d) => grains[4 * k + d]);
            const to = [0, 1, 2].map((d) => at[d] + (velocity[d][k] / top) * length);
            const neck = [0, 1, 2].map((d) => at[d] + 0.7 * (to[d] - at[d]));
            out.set([...at, ...to, width, Math.min(1, part)], 16 * i);
            out.set([...neck, ...to, -2.6 * width, Math.min(1, part)], 16 * i + 8);
        });
    });
    return top;
}

/** Trails through frames, oldest first, each { grains, ids }; grains are identified by id. Jumps over `far` are left
 *  out. */
export function fillTrails(segments, frames, keep, far, width) {
    const last = frames[frames.length - 1];
    const n = last ? last.ids.length : 0;
    const stride = Math.max(1, Math.ceil((n * Math.max(1, frames.length - 1)) / MOST));
    const where = frames.map((f) => new Map(Array.from(f.ids, (id, row) => [id, row])));
    const lines = [];
    for (let k = 0; k < n; k += stride) {
        if (keep && !keep[k]) continue;
        for (let f = 0; f + 1 < frames.length; f++) {
            const [a, b] = [where[f].get(last.ids[k]), where[f + 1].get(last.ids[k])];
            if (a === undefined || b === undefined) continue;
            const from = frames[f].grains.subarray(4 * a, 4 * a + 3);
            const to = frames[f + 1].grains.subarray(4 * b, 4 * b + 3);
            if (Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]) > far) continue;
            lines.push([...from, ...to, width, (f + 1) / (frames.length - 1)]);
        }
    }
    segments.set(lines.length, (out) => lines.forEach((line, k) => out.set(line, 8 * k)));
}
