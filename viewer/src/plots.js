// Time series under the view: the ledger of energies stacked, observers as lines, profiles at the time shown.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { getBlock } from './api.js';
import { SERIES, say, sayMarks, sayTimes } from './colours.js';
import { h, option } from './dom.js';

/** Parts of the ledger that are not zero: [name, values]; a column says to which one it belongs. Gravity is counted
 *  from its minimum. */
export function ledgerParts(info, columns) {
    const sums = new Map();
    for (const { name, part } of info.columns) {
        if (!part) continue;
        const sum = sums.get(part);
        if (sum) columns[name].forEach((x, k) => (sum[k] += x));
        else sums.set(part, Float64Array.from(columns[name]));
    }
    const parts = [];
    for (const [name, sum] of sums) {
        if (name === 'gravity') {
            const low = sum.reduce((a, b) => Math.min(a, b), Infinity);
            sum.forEach((x, k) => (sum[k] = x - low));
        }
        if (sum.some((x) => x !== 0)) parts.push([name === 'gravity' ? 'gravity (above its minimum)' : name, sum]);
    }
    return parts;
}

const unitOf = (column) => column.unit || '1';

export class Plots {
    constructor(element, goTime) {
        this.element = element;
        this.goTime = goTime;
        this.series = h('select', { id: 'series', 'aria-label': 'series', onchange: () => this.#choose() });
        this.unit = h('select', { id: 'quantity', 'aria-label': 'quantity', onchange: () => this.draw() });
        this.place = h('div', { id: 'chart' });
        element.replaceChildren(h('div', { className: 'chooser' }, this.series, this.unit), this.place);
        new ResizeObserver(() => this.#fit()).observe(this.place);
    }

    /** New results, or more rows of them. */
    set(run) {
        const names = run.series.map((s) => s.name).join('\n');
        const fresh = names !== this.names;
        this.run = run;
        this.names = names;
        if (!run.series.length) return;
        if (fresh) {
            const first = Math.max(0, run.series.findIndex((s) => s.kind === 'ledger'));
            this.series.replaceChildren(...run.series.map((s, k) =>
                option(k, s.kind === 'ledger' ? `energy (${s.name})` : s.name, k === first)));
            this.#choose();
        } else if (run.series[Number(this.series.value)].rows !== this.rows) {
            this.draw();
        }
    }

    #choose() {
        const info = this.run.series[Number(this.series.value)];
        const units = [...new Set(info.columns.slice(1).map(unitOf))];
        const names = (unit) => info.columns.slice(1).filter((c) => unitOf(c) === unit).map((c) => c.name);
        const label = (unit) => {
            const list = names(unit);
            return `${list.slice(0, 2).join(', ')}${list.length > 2 ? ', …' : ''}${unit === '1' ? '' : ` [${unit}]`}`;
        };
        const stacked = info.kind === 'ledger' ? [option('stack', 'stacked', true)] : [];
        this.unit.replaceChildren(...stacked, ...units.map((u) => option(u, label(u))));
        this.draw();
    }

    /** The time that is marked. */
    time(t) {
        this.now = t;
        if (this.profile) this.draw();
        else this.chart?.redraw(false);
    }

    show(visible) {
        this.element.hidden = !visible;
        if (visible) this.draw();
    }

    async draw() {
        if (!this.run?.series.length || this.element.hidden) return;
        const k = Number(this.series.value);
        const info = this.run.series[k];
        this.rows = info.rows;
        const block = await getBlock(`/api/series/${k}`, `${this.run.run}-${info.rows}`);
        const columns = {};
        info.columns.forEach((c, n) => (columns[c.name] = block[String(n)].data));
        const time = block['0'].data;
        const chosen = info.columns.slice(1).filter((c) => unitOf(c) === this.unit.value);
        this.profile = chosen.length > 0 && chosen.every((c) => c.width > 1);
        if (this.unit.value === 'stack') this.#stack(time, ledgerParts(info, columns));
        else if (this.profile) this.#bins(info, chosen, columns, time);
        else this.#lines(time, chosen.filter((c) => c.width === 1), columns);
    }

    #stack(time, parts) {
        // each line is the sum up to it; the highest is drawn first
        const sums = [];
        parts.forEach(([, values], n) => sums.push(Float64Array.from(values, (x, k) => x + (n ? sums[n - 1][k] : 0))));
        const order = parts.map((_, n) => parts.length - 1 - n);
        const series = order.map((n) => ({
            label: parts[n][0],
            stroke: SERIES[n % SERIES.length],
            fill: `${SERIES[n % SERIES.length]}b0`,
            width: 1,
            points: { show: false },
            value: (_, __, ___, k) => (k === null || k === undefined ? '–' : say(parts[n][1][k])),
        }));
        const bands = order.slice(0, -1).map((_, n) => ({ series: [n + 1, n + 2] }));
        this.#make([time, ...order.map((n) => sums[n])], series,
            { unit: 'J', bands: bands.length ? bands : undefined, stacked: true });
    }

    #lines(time, chosen, columns) {
        const series = chosen.map((c, n) => ({
            label: c.name,
            stroke: SERIES[n % SERIES.length],
            width: 1.5,
            points: { show: false },
            value: (_, v) => (v === null || v === undefined ? '–' : say(v)),
        }));
        const clean = (data) => Array.from(data, (x) => (Number.isFinite(x) ? x : null));
        this.#make([time, ...chosen.map((c) => clean(columns[c.name]))], series, { unit: chosen[0]?.unit });
    }

    // the row of the time shown, over where the bins are
    #bins(info, chosen, columns, time) {
        let at = 0;
        while (at + 1 < time.length && time[at + 1] <= this.now + 1e-12) at++;
        const wide = info.bin_width;
        const spread = (d) => new Set(info.bin_values.filter((_, k) => k % wide === d)).size;
        let axis = 0;
        for (let d = 1; d < wide; d++) if (spread(d) > spread(axis)) axis = d;
        const where = info.bin_values.filter((_, k) => k % wide === axis);
        const name = wide > 1 ? 'xyz'[axis] : info.bin;
        const series = chosen.map((c, n) => ({ label: c.name, stroke: SERIES[n % SERIES.length], width: 1.5,
            value: (_, v) => (v === null ? '–' : say(v)) }));
        const rows = chosen.map((c) => Array.from(columns[c.name].subarray(at * c.width, (at + 1) * c.width),
            (x) => (Number.isFinite(x) ? x : null)));
        this.#make([where, ...rows], series, { unit: chosen[0].unit,
            x: `${name}${info.bin_unit ? ` [${info.bin_unit}]` : ''}` });
    }

    #make(data, series, { unit, bands, stacked, x }) {
        this.chart?.destroy();
        const style = getComputedStyle(document.documentElement);
        const ink = style.getPropertyValue('--ink-soft').trim();
        const grid = style.getPropertyValue('--line').trim();
        const accent = style.getPropertyValue('--accent').trim();
        const axis = { stroke: ink, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 },
            font: '11px system-ui, sans-serif' };
        const mark = (u) => {
            if (x || this.now === undefined) return;
            const at = Math.round(u.valToPos(this.now, 'x', true));
            u.ctx.save();
            u.ctx.strokeStyle = accent;
            u.ctx.lineWidth = 1.5 * devicePixelRatio;
            u.ctx.beginPath();
            u.ctx.moveTo(at, u.bbox.top);
            u.ctx.lineTo(at, u.bbox.top + u.bbox.height);
            u.ctx.stroke();
            u.ctx.restore();
        };
        this.chart = new uPlot({
            ...this.#size(),
            scales: { x: { time: false }, y: stacked ? { range: (_, low, high) =>
                [Math.min(0, low), high * 1.05 || 1] } : {} },
            series: [{ label: x ?? 't [s]', value: (_, v) => (v === null ? '–' : say(v)) }, ...series],
            bands,
            axes: [{ ...axis, values: (_, t) => (x ? sayMarks(t) : sayTimes(t)), size: 28 },
                { ...axis, values: (_, t) => sayMarks(t), size: 64, label: unit ? `[${unit}]` : undefined,
                    labelSize: 16, labelFont: '11px system-ui, sans-serif' }],
            cursor: { drag: { x: true, y: false }, points: { size: 5 } },
            legend: { isolate: true },
            hooks: { draw: [mark] },
        }, data, this.place);
        this.chart.over.addEventListener('click', (e) => {
            if (!x && this.chart.select.width < 3) this.goTime(this.chart.posToVal(e.offsetX, 'x'));
        });
        // the legend is as wide as the chart only after it has been drawn
        requestAnimationFrame(() => this.#fit());
    }

    #size() {
        const legend = this.place.querySelector('.u-legend')?.offsetHeight ?? 18;
        return { width: Math.max(200, this.place.clientWidth), height: Math.max(80, this.place.clientHeight - legend) };
    }

    #fit() {
        if (this.chart && this.place.clientWidth) this.chart.setSize(this.#size());
    }
}
