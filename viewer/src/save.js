// What a user takes along: an image, a movie, a link.
import { Problem } from './api.js';
import { $, h } from './dom.js';
import { facts, legends } from './draw.js';
import { picture } from './legend.js';
import { linkOf } from './link.js';
import { canRecord, record } from './movie.js';
import { scaleBar } from './scale.js';
import { go } from './show.js';
import { complain, plain, run, s, shown, stage, timeline } from './state.js';

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

export function savePicture() {
    const name = `${stem()}-${String(shown.frame).padStart(4, '0')}.png`;
    paint().toBlob((blob) => save(blob, name));
}

let recording = false;

// all frames at the speed of the bar below; a second click ends it
export async function saveMovie() {
    if (recording) return void (recording = false);
    if (!canRecord()) return complain(new Problem('this browser cannot record; scree render --movie makes movies'));
    timeline.pause();
    const before = shown.frame;
    recording = true;
    $('movie').classList.add('on');
    try {
        const blob = await record({ count: run.times.length, fps: timeline.speed, show: go, paint,
            stopped: () => !recording });
        if (blob) save(blob, `${stem()}.webm`);
    } finally {
        recording = false;
        $('movie').classList.remove('on');
        await go(before);
    }
    return null;
}

export async function copyLink() {
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
