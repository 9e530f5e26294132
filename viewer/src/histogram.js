// How many grains have which value: bars in the colours of the map, over a span that is wider than the range; both ends
// of the range can be dragged. A double click fits the range to the frame.
import { css, say } from './colours.js';
import { h } from './dom.js';

const BINS = 48;

export class Histogram {
    /** `change(low, high)` when an end was dragged, `fit()` after a double click. */
    constructor(change, fit) {
        this.canvas = h('canvas', { id: 'histogram', height: 64,
            title: 'drag the ends of the range; double click: fit to this frame', 'aria-label': 'histogram' });
        this.span = [0, 1];
        this.held = -1;
        this.canvas.addEventListener('pointerdown', (e) => this.#grab(e));
        this.canvas.addEventListener('pointermove', (e) => this.#drag(e, change));
        this.canvas.addEventListener('pointerup', () => (this.held = -1));
        this.canvas.addEventListener('dblclick', fit);
    }

    /** Values of a frame, the range, colours; `log`: values and range are powers of ten. */
    set(arrays, range, colours, log) {
        const values = arrays.flatMap((a) => Array.from(a)).filter(Number.isFinite);
        Object.assign(this, { values, range, colours, log });
        if (this.held < 0) {
            const low = values.reduce((a, b) => Math.min(a, b), range[0]);
            const high = values.reduce((a, b) => Math.max(a, b), range[1]);
            const room = 0.05 * (high - low || 1);
            this.span = [low - room, high + room];
        }
        this.draw();
    }

    #x(value) {
        return ((value - this.span[0]) / (this.span[1] - this.span[0])) * this.canvas.width;
    }

    #value(e) {
        const box = this.canvas.getBoundingClientRect();
        return this.span[0] + ((e.clientX - box.left) / box.width) * (this.span[1] - this.span[0]);
    }

    #grab(e) {
        if (!this.range) return;
        const at = this.#value(e);
        this.held = Math.abs(at - this.range[0]) < Math.abs(at - this.range[1]) ? 0 : 1;
        this.canvas.setPointerCapture(e.pointerId);
    }

    #drag(e, change) {
        if (this.held < 0) return;
        const range = [...this.range];
        const least = 0.005 * (this.span[1] - this.span[0]);
        range[this.held] = this.held ? Math.max(this.#value(e), range[0] + least)
            : Math.min(this.#value(e), range[1] - least);
        change(...range);
    }

    draw() {
        const { canvas, values, range, colours } = this;
        if (!values) return;
        canvas.width = canvas.clientWidth || 234;
        const c = canvas.getContext('2d');
        const counts = new Array(BINS).fill(0);
        const [a, b] = this.span;
        for (const v of values) counts[Math.max(0, Math.min(BINS - 1, Math.floor(((v - a) / (b - a)) * BINS)))]++;
        // the root of the count: a few grains among many are still seen
        const top = Math.sqrt(Math.max(1, ...counts));
        const [w, tall] = [canvas.width / BINS, canvas.height - 6];
        c.clearRect(0, 0, canvas.width, canvas.height);
        counts.forEach((n, k) => {
            const part = (a + ((k + 0.5) / BINS) * (b - a) - range[0]) / (range[1] - range[0]);
            c.fillStyle = css(colours[Math.max(0, Math.min(colours.length - 1,
                Math.round(part * (colours.length - 1))))]);
            const height = (Math.sqrt(n) / top) * tall;
            c.fillRect(k * w, canvas.height - height, Math.max(1, w - 1), height);
        });
        const ink = getComputedStyle(canvas).color;
        range.forEach((x) => {
            c.fillStyle = ink;
            c.fillRect(this.#x(x) - 1, 0, 2, canvas.height);
            c.fillRect(this.#x(x) - 4, 0, 8, 6);
        });
        canvas.dataset.range = range.map((x) => say(this.log ? 10 ** x : x)).join(' ');
    }
}
