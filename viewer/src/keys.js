// Keys and mouse.
import { choose, chooseMore, measure } from './choose.js';
import { $ } from './dom.js';
import { follow } from './live.js';
import { savePicture } from './save.js';
import { act, otherTheme, alter, showKeys } from './settings.js';
import { setField } from './show.js';
import { VELOCITY, has, run, s, shown, stage, timeline } from './state.js';

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
    o: () => alter({ parallel: !s.parallel }),
    f: () => alter({ forces: !s.forces }),
    w: () => alter({ walls: !s.walls }),
    p: () => alter({ plots: !s.plots }),
    m: () => document.body.classList.toggle('bare'),
    t: otherTheme,
    s: savePicture,
    v: () => alter({ arrows: !s.arrows && VELOCITY.every(has) }),
    d: () => alter({ measuring: s.measuring ? null : [] }),
    '?': showKeys,
    Escape: () => choose(null),
};

export function listen() {
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
