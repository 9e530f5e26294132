// Grains and cells that are clicked: one that is looked at, a list, two whose distance is measured.
import { count, say } from './colours.js';
import { $, h } from './dom.js';
import { applyMeasure, mark } from './draw.js';
import { field, picked, run, s, shown, stage } from './state.js';

const rowOf = (found) => (shown.rows ? shown.rows[found.row] : found.row);

// shift adds a grain to those chosen, or takes it away; their numbers stand in the panel
export function chooseMore(found) {
    if (found?.kind !== 'grain') return;
    const id = shown.grains.ids.data[rowOf(found)];
    s.chosen = s.chosen.includes(id) ? s.chosen.filter((x) => x !== id) : [...s.chosen, id];
    showChosen();
}

function showChosen() {
    const f = field();
    const { data } = shown.grains.ids;
    const value = (id) => (f && shown.values.grains && data.includes(id)
        ? `${say(shown.values.grains.data[data.indexOf(id)])} ${f.names ? '' : f.unit}` : '–');
    const see = (id) => choose({ kind: 'grain', row: shown.rows ? shown.rows.indexOf(data.indexOf(id))
        : data.indexOf(id) });
    $('chosen').hidden = !s.chosen.length;
    $('chosen').replaceChildren(
        h('li', {}, `${count(s.chosen.length)} grains, ${f?.title ?? ''}`,
            h('button', { className: 'small', onclick: () => ((s.chosen = []), showChosen()) }, '×')),
        ...s.chosen.slice(0, 200).map((id) => h('li', { onclick: () => see(id) }, `${count(id)}: ${value(id)}`)));
}

export function measure(found) {
    if (found?.kind !== 'grain') return;
    const id = shown.grains.ids.data[rowOf(found)];
    s.measuring = s.measuring.length === 1 ? [...s.measuring, id] : [id];
    applyMeasure();
    stage.draw();
}

export function choose(found) {
    s.picked = !found ? null : found.kind === 'cell' ? { kind: 'cell', name: found.cell }
        : { kind: 'grain', name: shown.grains.ids.data[rowOf(found)] };
    if (s.picked) picked.show(s.picked, run, shown.frame, field());
    else picked.clear();
    mark();
    stage.draw();
}
