// A run that goes on: its new frames, another run in its place.
import { getJson } from './api.js';
import { $ } from './dom.js';
import { facts } from './draw.js';
import { go } from './show.js';
import { be, complain, plots, run, s, shown, timeline } from './state.js';

export function follow(on = true) {
    s.follow = on && run.live;
    timeline.live.classList.toggle('on', s.follow);
    if (s.follow && shown.frame !== run.times.length - 1) go(run.times.length - 1);
}

export function adopt(fresh) {
    const other = run && fresh.run !== run.run;
    be({ run: fresh });
    document.body.dataset.frames = run.times.length;
    timeline.frames(run.times);
    timeline.live.hidden = !run.live;
    timeline.live.classList.toggle('on', s.follow);
    $('title').textContent = run.title.split('\n')[0] || run.file;
    document.title = `${$('title').textContent} – Scree`;
    return other;
}

let lost = false; // the server did not answer

export async function poll() {
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
