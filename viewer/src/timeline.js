// The bar at the bottom: play, slider, time, speed, follow.
import { h, option } from './dom.js';
import { say } from './colours.js';

const SPEEDS = [1, 2, 5, 10, 20, 30, 60];

export class Timeline {
    /** `go(frame)` shows a frame and is done when it is drawn. */
    constructor(element, go, follow) {
        this.go = go;
        this.count = 0;
        this.frame = 0;
        this.wanted = 0; // what was asked for last, perhaps not yet in view
        this.speed = 10;
        this.playing = false;
        this.slider = h('input', { type: 'range', id: 'slider', min: 0, max: 0, step: 1, value: 0,
            'aria-label': 'frame', oninput: () => this.user(Number(this.slider.value)) });
        this.button = h('button', { id: 'play', title: 'play or pause (space)', 'aria-label': 'play',
            onclick: () => this.toggle() }, '▶');
        this.clock = h('output', { id: 'clock' });
        this.live = h('button', { id: 'live', hidden: true, title: 'follow live run (L)', onclick: () => follow() },
            'live');
        const speed = h('select', { 'aria-label': 'frames per second', title: 'frames per second',
            onchange: (e) => (this.speed = Number(e.target.value)) },
            ...SPEEDS.map((s) => option(s, `${s}/s`, s === this.speed)));
        const step = (by, text, title) => h('button', { title, 'aria-label': title,
            onclick: () => this.user(this.wanted + by) }, text);
        element.replaceChildren(step(-1, '‹', 'previous frame'), this.button, step(1, '›', 'next frame'), this.slider,
            this.clock, speed, this.live);
    }

    frames(times) {
        this.times = times;
        this.count = times.length;
        this.slider.max = Math.max(0, this.count - 1);
    }

    show(frame) {
        this.frame = this.wanted = frame;
        this.slider.value = frame;
        this.clock.textContent = this.count ? `${say(this.times[frame], 5)} s` : '';
    }

    /** A frame that the user has chosen. */
    user(frame) {
        this.pause();
        this.onuser?.();
        this.wanted = Math.max(0, Math.min(this.count - 1, frame));
        this.slider.value = this.wanted;
        this.go(this.wanted);
    }

    pause() {
        this.playing = false;
        this.button.textContent = '▶';
        this.button.setAttribute('aria-label', 'play');
    }

    toggle() {
        if (this.playing || this.count < 2) return this.pause();
        this.playing = true;
        this.button.textContent = '❚❚';
        this.button.setAttribute('aria-label', 'pause');
        this.onuser?.();
        return this.#run();
    }

    // a frame is shown for as long as the speed says, or as it takes to load the next
    async #run() {
        if (this.frame >= this.count - 1) await this.go(0);
        while (this.playing && this.frame < this.count - 1) {
            const start = performance.now();
            if (!(await this.go(this.frame + 1))) break;
            const rest = 1000 / this.speed - (performance.now() - start);
            await new Promise((done) => setTimeout(done, Math.max(0, rest)));
        }
        this.pause();
    }
}
