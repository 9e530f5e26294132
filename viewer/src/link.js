// What is in view as part of the address: #frame=10&by=speed&... A link shows the same again, to whoever has the
// results.
import * as THREE from 'three';

const NUMBERS = ['size', 'forceScale', 'warp', 'clipAt', 'arrowScale', 'trail'];
const WORDS = ['map', 'clipAxis', 'filter'];
const FLAGS = ['grains', 'walls', 'domain', 'bonds', 'forces', 'arrows', 'clipFlip', 'parallel', 'plots', 'log'];

const round = (x) => String(Number(x.toPrecision(5)));

/** Settings that differ from `plain`, frame and camera, as text. */
export function linkOf(s, plain, frame, stage) {
    const q = new URLSearchParams();
    q.set('frame', frame);
    if (s.by) q.set('by', s.by);
    if (s.ownRange) q.set('range', s.range.map(round).join(','));
    for (const name of [...NUMBERS, ...WORDS, ...FLAGS])
        if (s[name] !== plain[name]) q.set(name, typeof s[name] === 'boolean' ? Number(s[name]) : s[name]);
    if (s.hiddenGroups.length) q.set('hide', s.hiddenGroups.join(','));
    const { camera, controls } = stage;
    q.set('eye', [...camera.position.toArray(), ...controls.target.toArray(), ...camera.up.toArray(), camera.zoom,
        stage.height].map(round).join(','));
    return `#${q.toString()}`;
}

/** What the address asks for: { settings, frame, by, range, eye }, all of it optional. */
export function readLink(hash) {
    const q = new URLSearchParams(hash.replace(/^#/, ''));
    const settings = {};
    const list = (name, count) => {
        const numbers = (q.get(name) ?? '').split(',').map(Number);
        return q.has(name) && numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
    };
    for (const name of NUMBERS) if (Number.isFinite(parseFloat(q.get(name)))) settings[name] = parseFloat(q.get(name));
    for (const name of WORDS) if (q.has(name)) settings[name] = q.get(name);
    for (const name of FLAGS) if (q.has(name)) settings[name] = q.get(name) === '1';
    if (q.get('hide')) settings.hiddenGroups = q.get('hide').split(',').map(Number).filter(Number.isInteger);
    const frame = /^\d+$/.test(q.get('frame') ?? '') ? Number(q.get('frame')) : null;
    return { settings, frame, by: q.get('by'), range: list('range', 2), eye: list('eye', 11) };
}

/** The camera as a link has it. */
export function setEye(stage, eye) {
    const v = (k) => new THREE.Vector3(...eye.slice(k, k + 3));
    stage.place_camera(v(0), v(3), v(6), eye[9], eye[10]);
}
