// A condition on grains, as `radius > 4e-3 and speed < 1 or group == 2`: comparisons of expressions, joined by and, or,
// not. Names are fields as the menu of colours has them (also id). Values come as arrays, the answer is one byte per
// grain.
//
//   or: and ('or' and)*       and: not ('and' not)*       not: 'not' not | compare
//   compare: sum (op sum)?    sum: term (+|- term)*       term: factor (*|/ factor)*
//   factor: number | name | -factor | (or) | abs(or) | sqrt(or)

const NUMBER = /(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)/.source;
const SIGN = /(<=|>=|==|!=|&&|\|\||[-+*/()<>=!])/.source;
const TOKEN = new RegExp(`\\s*(?:${NUMBER}|([A-Za-z_][\\w.]*)|${SIGN})`, 'y');
const SAME = { '&&': 'and', '||': 'or', '!': 'not', '=': '==' };

function tokens(text) {
    const list = [];
    TOKEN.lastIndex = 0;
    while (TOKEN.lastIndex < text.trimEnd().length) {
        const at = TOKEN.lastIndex;
        const m = TOKEN.exec(text);
        if (!m) throw new Error(`'${text.slice(at).trim().slice(0, 12)}' is not understood`);
        if (m[1]) list.push({ number: Number(m[1]) });
        else if (m[2]) list.push(/^(and|or|not)$/i.test(m[2]) ? { sign: m[2].toLowerCase() } : { name: m[2] });
        else list.push({ sign: SAME[m[3]] ?? m[3] });
    }
    return list;
}

const OPERATE = {
    or: (a, b) => a || b, and: (a, b) => a && b,
    '<': (a, b) => a < b, '>': (a, b) => a > b, '<=': (a, b) => a <= b, '>=': (a, b) => a >= b, '==': (a, b) => a === b,
    '!=': (a, b) => a !== b,
    '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b,
};
const LEVELS = [['or'], ['and'], ['<', '>', '<=', '>=', '==', '!='], ['+', '-'], ['*', '/']];
const CALLS = { abs: Math.abs, sqrt: Math.sqrt };

/** { names, test(values, row) }; `known` are the names that may stand in it. Throws an Error with a reason. */
export function parseFilter(text, known) {
    const list = tokens(text);
    const names = new Set();
    let at = 0;
    const is = (...signs) => signs.includes(list[at]?.sign);
    const need = (sign) => {
        if (!is(sign)) throw new Error(`'${sign}' is missing`);
        at++;
    };
    function factor() {
        const t = list[at++];
        if (!t) throw new Error('something is missing at the end');
        if (t.number !== undefined) return () => t.number;
        if (t.sign === '-') {
            const a = factor();
            return (v, k) => -a(v, k);
        }
        if (t.sign === '(') {
            const a = level(0);
            need(')');
            return a;
        }
        if (t.name && CALLS[t.name] && is('(')) {
            const a = factor();
            return (v, k) => CALLS[t.name](a(v, k));
        }
        if (!t.name) throw new Error(`'${t.sign}' is not expected here`);
        if (!known.includes(t.name)) throw new Error(`no field '${t.name}'; there are ${known.join(', ')}`);
        names.add(t.name);
        return (v, k) => v[t.name][k];
    }
    function level(n) {
        if (n === LEVELS.length) return factor();
        if (n === 2 && is('not')) {
            at++;
            const a = level(2);
            return (v, k) => !a(v, k);
        }
        let left = level(n + 1);
        while (is(...LEVELS[n])) {
            const [a, operate] = [left, OPERATE[list[at++].sign]];
            const b = level(n + 1);
            left = (v, k) => operate(a(v, k), b(v, k));
        }
        return left;
    }
    const test = level(0);
    if (at < list.length) {
        throw new Error(`'${list[at].sign ?? list[at].name ?? list[at].number}' is not expected here`);
    }
    return { names: [...names], test };
}
