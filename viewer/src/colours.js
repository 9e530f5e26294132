// Colour maps, ranges and the words that go with them.
import * as THREE from 'three';

// far apart in hue and lightness, calm on dark and on light ground
const PALETTE = [
    0x4e79a7, 0xf28e2b, 0x59a14f, 0xe15759, 0xb07aa1, 0x76b7b2, 0xedc948, 0xff9da7, 0x9c755f, 0x8cd17d, 0x86bcb6,
    0xd37295,
];
export const SERIES = ['#4e79a7', '#f28e2b', '#59a14f', '#e15759', '#b07aa1', '#76b7b2', '#c9a227', '#d37295',
    '#9c755f', '#8a8f98'];

/** 'rrggbb' times n as an array of numbers. */
export function shades(text) {
    return text.match(/.{6}/g).map((hex) => parseInt(hex, 16));
}

function texture(colours, filter) {
    const data = new Uint8Array(4 * colours.length);
    colours.forEach((c, k) => data.set([c >> 16, (c >> 8) & 255, c & 255, 255], 4 * k));
    const t = new THREE.DataTexture(data, colours.length, 1);
    t.magFilter = t.minFilter = filter;
    t.wrapS = t.wrapT = THREE.ClampToEdgeWrapping;
    t.needsUpdate = true;
    return t;
}

export const mapTexture = (colours) => texture(colours, THREE.LinearFilter);
export const paletteTexture = () => texture(PALETTE, THREE.NearestFilter);
export const paletteColour = (k) =>
    `#${PALETTE[((k % PALETTE.length) + PALETTE.length) % PALETTE.length].toString(16).padStart(6, '0')}`;
export const PALETTE_SIZE = PALETTE.length;

export const css = (colour) => `#${colour.toString(16).padStart(6, '0')}`;

/** The range of most numbers: a few far outside do not make all the others look alike. */
export function rangeOf(arrays) {
    let low = Infinity;
    let high = -Infinity;
    const sample = [];
    for (const values of arrays) {
        const stride = Math.max(1, Math.floor(values.length / 20000));
        for (let k = 0; k < values.length; k++) {
            const v = values[k];
            if (!Number.isFinite(v)) continue;
            if (v < low) low = v;
            if (v > high) high = v;
            if (k % stride === 0) sample.push(v);
        }
    }
    if (low > high) return [0, 1];
    sample.sort((a, b) => a - b);
    const at = (part) => sample[Math.min(sample.length - 1, Math.floor(part * sample.length))];
    if (sample.length > 200) {
        const top = at(0.995);
        const bottom = at(0.005);
        if (top > bottom && high - top > 0.25 * (top - bottom)) high = top;
        if (top > bottom && bottom - low > 0.25 * (top - bottom)) low = bottom;
    }
    // what begins close to zero begins at zero
    if (low > 0 && low < 0.2 * high) low = 0;
    return low < high ? [low, high] : [low - (Math.abs(low) || 1) * 0.5, high + (Math.abs(high) || 1) * 0.5];
}

/** A number for a person: few digits, powers of ten where they help. */
export function say(x, digits = 4) {
    if (x === null || Number.isNaN(x)) return '–';
    if (x === 0) return '0';
    const size = Math.abs(x);
    if (size >= 1e-3 && size < 1e5) return String(Number(x.toPrecision(digits)));
    const [lead, power] = x.toExponential(digits - 1).split('e');
    const raised = String(Number(power)).replace(/./g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻');
    return `${Number(lead)}·10${raised}`;
}

// where a number is below the last size its unit is named with it; all marks of an axis alike
const SMALLER = [[0.1, 1, ''], [1e-4, 1e3, ' ms'], [1e-7, 1e6, ' µs'], [0, 1e9, ' ns']];

/** Marks of a time axis [s], in one unit. */
export function sayTimes(marks) {
    const [, factor, unit] = SMALLER.find(([size]) => Math.max(...marks.map(Math.abs)) >= size);
    return marks.map((t) => (t === 0 ? '0' : `${Number((t * factor).toPrecision(6))}${unit}`));
}

/** Marks of another axis: powers of ten for all of them, or for none. */
export function sayMarks(marks) {
    const size = Math.max(...marks.map(Math.abs));
    if (size >= 1e-2 && size < 1e5) return marks.map((x) => String(Number(x.toPrecision(6))));
    const power = Math.floor(Math.log10(size || 1));
    const raised = String(power).replace(/./g, (c) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[c] ?? '⁻');
    return marks.map((x) => (x === 0 ? '0' : `${Number((x / 10 ** power).toPrecision(6))}·10${raised}`));
}

/** A number as it is typed. */
export function brief(x, digits = 4) {
    const size = Math.abs(x);
    if (x === 0 || (size >= 1e-3 && size < 1e5)) return String(Number(x.toPrecision(digits)));
    const [lead, power] = x.toExponential(digits - 1).split('e');
    return `${Number(lead)}e${Number(power)}`;
}

/** Whole numbers with thin spaces between thousands. */
export const count = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, '\u2009');

/** About `wanted` round numbers from low to high. */
export function ticks(low, high, wanted = 5) {
    const rough = (high - low) / wanted;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5, 10].find((s) => s * power >= rough) ?? 10);
    const list = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step;
        k++) list.push(Number((k * step).toPrecision(12)));
    return list;
}
