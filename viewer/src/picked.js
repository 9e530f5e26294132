// The grain or cell that was picked: what it is, and how the number it is coloured by went in time.
import uPlot from 'uplot';
import { getJson } from './api.js';
import { count, say } from './colours.js';
import { h } from './dom.js';

const MOST = 120; // frames that are asked for a history

function lines(views, run) {
    const names = { material: run.materials, group: run.groups, solid: run.solids };
    const rows = [];
    for (const { name, unit, value } of views) {
        if (name === 'id') continue;
        const tail = unit ? ` ${unit}` : '';
        if (value.length === 1) {
            rows.push([name, names[name]?.[value[0]] ?? `${say(value[0], 6)}${tail}`]);
            continue;
        }
        // a vector: its length where that means something, and its parts
        const sized = value.length === 3 && name !== 'position' && name !== 'image';
        rows.push([name, sized ? `${say(Math.hypot(...value), 5)}${tail}` : unit ? `[${unit}]` : '']);
        for (let k = 0; k < value.length; k += 3) rows.push(['',
            value.slice(k, k + 3).map((v) => say(v, 4)).join(',  ')]);
    }
    return rows;
}

export class Picked {
    constructor(element, close) {
        this.element = element;
        this.close = close;
        this.clear();
    }

    clear() {
        this.chosen = null;
        this.element.hidden = true;
        this.chart?.destroy();
        this.chart = null;
        this.turn = (this.turn ?? 0) + 1;
    }

    /** `chosen` is { kind: 'grain' or 'cell', name }. */
    async show(chosen, run, frame, field) {
        const turn = (this.turn = (this.turn ?? 0) + 1);
        const path = (f) => `/api/frame/${f}/${chosen.kind}/${chosen.name}`;
        const fresh = this.chosen?.name !== chosen.name || this.chosen?.kind !== chosen.kind || this.by !== field?.by;
        this.chosen = chosen;
        this.element.hidden = false;
        if (fresh) this.#frame(chosen);
        let found = null;
        try {
            found = await getJson(path(frame));
        } catch (problem) {
            this.table.replaceChildren(h('tr', {}, h('td', {}, problem.message)));
        }
        if (this.chosen !== chosen) return;
        if (found) this.table.replaceChildren(...lines(found.views, run)
            .map(([a, b]) => h('tr', { className: a ? '' : 'parts' }, a ? h('th', {}, a) : null,
                h('td', { colSpan: a ? 1 : 2 }, b))));
        if (fresh && field && field[`${chosen.kind}s`] && turn) await this.#history(chosen, run, field, path);
        this.mark(run.times[frame]);
    }

    #frame(chosen) {
        this.chart?.destroy();
        this.chart = null;
        this.table = h('table');
        this.place = h('div', { className: 'history' });
        this.element.replaceChildren(
            h('h2', {}, `${chosen.kind} `, h('span', { id: 'picked-name' }, count(chosen.name)),
                h('button', { className: 'small', title: 'let go (Esc)', onclick: () => this.close() }, '×')),
            this.place, this.table);
    }

    // frame by frame, so that the server has time for others in between
    async #history(chosen, run, field, path) {
        this.by = field.by;
        const n = run.times.length;
        const stride = Math.max(1, Math.ceil(n / MOST));
        const [times, values] = [[], []];
        for (let f = 0; f < n; f += stride) {
            let value = null;
            try {
                value = (await getJson(`${path(f)}?by=${encodeURIComponent(field.by)}`)).value;
            } catch {
                // it was not there yet, or is gone
            }
            if (this.chosen !== chosen || this.by !== field.by) return;
            times.push(run.times[f]);
            values.push(value);
            if (f % (8 * stride) === 0) this.#draw(field, times, values);
        }
        this.#draw(field, times, values);
    }

    #draw(field, times, values) {
        if (this.chart) return void this.chart.setData([times, values]);
        const style = getComputedStyle(document.documentElement);
        const [ink, line, accent] = ['--ink-soft', '--line', '--accent']
            .map((name) => style.getPropertyValue(name).trim());
        const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { show: false },
            font: '10px system-ui, sans-serif', values: (_, t) => t.map((x) => say(x)) };
        const mark = (u) => {
            if (this.now === undefined) return;
            const at = u.valToPos(this.now, 'x', true);
            u.ctx.fillStyle = accent;
            u.ctx.fillRect(Math.round(at), u.bbox.top, 1.5 * devicePixelRatio, u.bbox.height);
        };
        this.chart = new uPlot({
            width: this.place.clientWidth || 240,
            height: 130,
            title: `${field.title}${field.unit ? ` [${field.unit}]` : ''}`,
            scales: { x: { time: false } },
            legend: { show: false },
            cursor: { show: false },
            series: [{}, { stroke: accent, width: 1.5, points: { show: false } }],
            axes: [{ ...axis, size: 22 }, { ...axis, size: 52 }],
            hooks: { draw: [mark] },
        }, [times, values], this.place);
    }

    mark(time) {
        this.now = time;
        this.chart?.redraw(false);
    }
}
