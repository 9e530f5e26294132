// Elements of the page, made in one expression.

export const $ = (id) => document.getElementById(id);

/** What the browser keeps for the next visit; nothing where it does not, as within pages of others. */
export function remembered(key) {
    try {
        return localStorage.getItem(key);
    } catch {
        return null;
    }
}
export function remember(key, value) {
    try {
        localStorage.setItem(key, value);
    } catch {
        // until it is closed, then
    }
}

/** h('label', { title: 'x' }, 'text', child): properties, on* listeners, the rest are attributes. */
export function h(tag, properties = {}, ...children) {
    const e = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === undefined || value === null) continue;
        if (name.startsWith('on')) e.addEventListener(name.slice(2), value);
        else if (name in e) e[name] = value;
        else e.setAttribute(name, value);
    }
    e.append(...children.filter((c) => c !== null && c !== undefined));
    return e;
}

export const option = (value, text, selected) => h('option', { value, selected: Boolean(selected) }, text);

export function row(label, ...inputs) {
    return h('label', { className: 'row' }, h('span', {}, label), ...inputs);
}

export function toggle(label, checked, change, title) {
    return h('label', { className: 'check', title },
        h('input', { type: 'checkbox', checked, 'aria-label': label, onchange: (e) => change(e.target.checked) }),
        h('span', {}, label));
}

export function slider(label, { min, max, step, value }, change) {
    return row(label,
        h('input', { type: 'range', min, max, step, value, 'aria-label': label,
            oninput: (e) => change(Number(e.target.value)) }));
}
