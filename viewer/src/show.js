// Which frame is shown, and what it is coloured by.
import { rangeOf } from './colours.js';
import { $ } from './dom.js';
import { apply } from './draw.js';
import { fetchFrame, readable, valuesOf } from './frames.js';
import { contentBox } from './places.js';
import { be, complain, field, picked, ranges, run, s, shown, stage, timeline, twin } from './state.js';

const LOADING = 150; // milliseconds until a question is said to take long

let asked = 0; // the newest question

/** Shows a frame; true when it is drawn, false when it cannot be, or another was requested since. `told`: by the other
 *  of two runs, which is not told back. */
export async function go(frame, told = false) {
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
    be({ shown: parts });
    stage.box.union(contentBox([parts]));
    if (run.live) widenRange();
    apply();
    if (timeline.playing && frame + 1 < run.times.length) fetchFrame(frame + 1).catch(() => {});
    if (s.picked) picked.show(s.picked, run, frame, field());
    if (!told) twin?.say({ time: run.times[frame] });
    await new Promise((done) => requestAnimationFrame(done));
    return true;
}

export async function autoRange(frames) {
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

export async function setField(by) {
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
