// The legend: a bar with numbers, or names with their colours; in the page, and the same in a picture.
import { css, paletteColour, say, ticks } from './colours.js';
import { h } from './dom.js';

/** What the legend says: { title, unit, colours, low, high } or { title, names: [[colour, name], ...] }. */
export function legendOf(run, field, colours, [low, high], log) {
    if (!field) return null;
    const title = field.title;
    if (!field.names) return { title, unit: field.unit, colours, low, high, log };
    const lists = { material: run.materials, group: run.groups, solid: run.solids };
    const names = lists[field.by]?.map((name, k) => [paletteColour(k), name]);
    if (names) return { title, names };
    if (field.by === 'aggregate') return { title, names: [['var(--tone)', 'free'], [paletteColour(1), 'at rest'],
        [paletteColour(2), 'others: one colour each']] };
    return { title, names: [[paletteColour(0), 'one colour each']] };
}

// where numbers stand; of powers of ten whole ones where there are enough
function marksOf({ low, high, log }) {
    if (!log) return ticks(low, high, 5);
    const whole = [];
    for (let k = Math.ceil(low - 1e-9); k <= high + 1e-9; k++) whole.push(k);
    return whole.length > 1 ? whole.filter((_, k) => k % Math.ceil(whole.length / 7) === 0) : ticks(low, high, 4);
}

function entry(legend) {
    const head = h('h2', {}, legend.title, legend.unit ? h('span', { className: 'unit' }, ` [${legend.unit}]`) : null);
    if (legend.names) {
        return h('div', {}, head, h('ul', {}, ...legend.names.slice(0, 14).map(([colour, name]) => {
            const dot = h('i');
            dot.style.background = colour;
            return h('li', {}, dot, name);
        })));
    }
    const bar = h('div', { className: 'bar' });
    const stops = legend.colours.filter((_, k) => k % 3 === 0).map(css);
    bar.style.background = `linear-gradient(to top, ${stops.join(',')})`;
    const { low, high } = legend;
    const marks = marksOf(legend).map((t) => {
        const mark = h('span', {}, say(legend.log ? 10 ** t : t));
        mark.style.bottom = `${(100 * (t - low)) / (high - low)}%`;
        return mark;
    });
    return h('div', {}, head, h('div', { className: 'scale' }, bar, h('div', { className: 'marks' }, ...marks)));
}

/** Legends side by side; those that are null are left out. */
export function showLegends(element, legends) {
    element.replaceChildren(...legends.filter(Boolean).map(entry));
}

// ---- in a picture ----

const FONT = 'system-ui, sans-serif';

function drawLegend(c, legend, left, ink, tone, height, unit) {
    const top = height - unit * (legend.names ? 1.5 * Math.min(legend.names.length, 14) + 1 : 12) - 2 * unit;
    c.fillStyle = ink;
    c.textBaseline = 'middle';
    c.font = `600 ${unit}px ${FONT}`;
    c.fillText(legend.title + (legend.unit ? ` [${legend.unit}]` : ''), left, top - 1.2 * unit);
    c.font = `${unit}px ${FONT}`;
    if (legend.names) {
        legend.names.slice(0, 14).forEach(([colour, name], k) => {
            c.fillStyle = colour.startsWith('var') ? tone : colour;
            c.beginPath();
            c.arc(left + unit / 2, top + 1.5 * unit * k + unit / 2, unit / 2, 0, 7);
            c.fill();
            c.fillStyle = ink;
            c.fillText(name, left + 1.6 * unit, top + 1.5 * unit * k + unit / 2);
        });
        return;
    }
    const gradient = c.createLinearGradient(0, top + 12 * unit, 0, top);
    legend.colours.forEach((colour, k) => gradient.addColorStop(k / (legend.colours.length - 1), css(colour)));
    c.fillStyle = gradient;
    c.fillRect(left, top, unit, 12 * unit);
    c.fillStyle = ink;
    for (const t of marksOf(legend))
        c.fillText(say(legend.log ? 10 ** t : t), left + 1.6 * unit,
            top + 12 * unit * (1 - (t - legend.low) / (legend.high - legend.low)));
}

/** The view with title and legend as a canvas. */
export function picture(stage, { title, facts, legends, ink, tone, bar }) {
    stage.drawNow();
    const source = stage.renderer.domElement;
    const canvas = h('canvas', { width: source.width, height: source.height });
    const c = canvas.getContext('2d');
    const unit = Math.max(10, source.height / 58);
    c.drawImage(source, 0, 0);
    c.fillStyle = ink;
    c.textBaseline = 'middle';
    c.font = `600 ${1.3 * unit}px ${FONT}`;
    c.fillText(title, 1.5 * unit, 2 * unit);
    c.font = `${unit}px ${FONT}`;
    c.fillText(facts, 1.5 * unit, 3.9 * unit);
    legends.filter(Boolean)
        .forEach((legend, k) => drawLegend(c, legend, unit * (1.5 + 11 * k), ink, tone, source.height, unit));
    drawBar(c, bar, source, ink, unit);
    return canvas;
}

// at the right below; `bar.pixels` are those of the window
function drawBar(c, bar, source, ink, unit) {
    const wide = (bar.pixels * source.width) / source.clientWidth;
    const [right, low] = [source.width - 1.5 * unit, source.height - 1.5 * unit];
    c.fillStyle = ink;
    c.fillRect(right - wide, low - 0.25 * unit, wide, 0.25 * unit);
    for (const x of [right - wide, right - 0.15 * unit]) c.fillRect(x, low - 0.7 * unit, 0.15 * unit, 0.7 * unit);
    c.textAlign = 'center';
    c.fillText(bar.text, right - wide / 2, low - 1.5 * unit);
    c.textAlign = 'left';
}
