// Questions to the server (src/view/answers.h). Answers are kept, those used last, up to a limit of bytes.

const LIMIT = 384 * 1024 * 1024;
const TYPES = [Float32Array, Uint32Array, Float64Array];

export class Problem extends Error {}

/** Named arrays of a block (src/view/block.h): { name: { data, width, rows } }. */
export function decode(buffer) {
    const view = new DataView(buffer);
    const arrays = {};
    const text = (at, length) => {
        const bytes = new Uint8Array(buffer, at, length);
        const end = bytes.indexOf(0);
        return new TextDecoder().decode(bytes.subarray(0, end < 0 ? length : end));
    };
    if (buffer.byteLength < 8 || text(0, 8) !== 'scview1') throw new Problem('unexpected response from the server');
    for (let at = 8; at < buffer.byteLength; ) {
        const Type = TYPES[view.getUint32(at + 16, true)];
        const width = view.getUint32(at + 20, true);
        const rows = Number(view.getBigUint64(at + 24, true));
        arrays[text(at, 16)] = { data: new Type(buffer, at + 32, rows * width), width, rows };
        at += 32 + Math.ceil((rows * width * Type.BYTES_PER_ELEMENT) / 8) * 8;
    }
    return arrays;
}

/** Inside a page that is mailed there is no server: the answers are in the page (src/view/embed.c). */
export const inside = window.screeAnswers;

async function ask(path) {
    let response;
    if (inside) {
        if (!(path in inside)) throw new Problem('not included in this page; scree view shows everything');
        return new Response(Uint8Array.from(atob(inside[path]), (c) => c.charCodeAt(0)));
    }
    try {
        response = await fetch(`.${path}`);
    } catch {
        throw new Problem('the viewer is not running or cannot be reached');
    }
    if (response.ok) return response;
    let why = `${response.status} ${response.statusText}`;
    try {
        why = (await response.json()).error || why;
    } catch {
        // not ours: the number must do
    }
    throw new Problem(why);
}

export const getJson = async (path) => (await ask(path)).json();
export const getText = async (path) => (await ask(path)).text();

const kept = new Map(); // key -> { promise, bytes }
let bytes = 0;

function forget() {
    for (const [key, entry] of kept) {
        if (bytes <= LIMIT) break;
        bytes -= entry.bytes;
        kept.delete(key);
    }
}

/** A block; `tag` tells versions of the same path apart. */
export function getBlock(path, tag) {
    const key = `${path}#${tag}`;
    const old = kept.get(key);
    if (old) {
        kept.delete(key);
        kept.set(key, old);
        return old.promise;
    }
    const entry = { bytes: 0 };
    entry.promise = ask(path)
        .then((response) => response.arrayBuffer())
        .then((buffer) => {
            entry.bytes = buffer.byteLength;
            bytes += entry.bytes;
            forget();
            return decode(buffer);
        });
    entry.promise.catch(() => kept.delete(key));
    kept.set(key, entry);
    return entry.promise;
}
