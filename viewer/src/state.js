// What the parts of the client share: the run, the frame in view, the settings. Whoever changes one of them says so
// with be().
import { Problem } from './api.js';
import { $ } from './dom.js';

export let run, stage, timeline, plots, picked, histogram, twin;
export let shown = { frame: -1 }; // the frame in view, and its blocks
export let filter = null; // { names, test } of s.filter
export const ranges = {}; // of fields, as chosen

export const s = {
    by: '', map: 'viridis', range: [0, 1], grains: true, walls: true, domain: true, bonds: true, forces: false, size: 1,
    forceScale: 1,
    warp: 1, clipAxis: '', clipAt: 0.5, clipFlip: false, parallel: false, plots: true, follow: false, picked: null,
    log: false, filter: '', arrows: false, arrowScale: 1, trail: 0, hiddenGroups: [], chosen: [], measuring: null,
};
export let plain = { ...s }; // as it is without a link

/** Other parts in place of those there are. */
export function be(change) {
    ({ run, stage, timeline, plots, picked, histogram, twin, shown, filter, plain } = { run, stage, timeline, plots,
        picked, histogram, twin, shown, filter, plain, ...change });
}

export const VELOCITY = ['velocity.x', 'velocity.y', 'velocity.z'];
export const field = () => run.fields.find((f) => f.by === s.by) ?? null;
export const has = (by) => run.fields.some((f) => f.by === by && f.grains);

// the frame next to a time
export function nearest(t) {
    let best = 0;
    run.times.forEach((x, k) => Math.abs(x - t) < Math.abs(run.times[best] - t) && (best = k));
    return best;
}

export function complain(problem) {
    $('problem').textContent = problem ? problem.message : '';
    $('problem').hidden = !problem;
    if (problem && !(problem instanceof Problem)) console.error(problem);
}
