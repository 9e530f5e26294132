// Where things are: the domain, planes in it, and what must be in sight.
import * as THREE from 'three';
import { run, stage } from './state.js';

export function domainBox() {
    if (![...run.lower, ...run.upper].every(Number.isFinite)) return null;
    const at = (corner) => new THREE.Vector3(...corner.map((x, k) => x - run.origin[k]));
    return new THREE.Box3(at(run.lower), at(run.upper));
}

// planes have no end: they are shown in the domain, or, where that is far larger, around what there is
export function wallBox() {
    const domain = domainBox();
    const around = stage.box.clone().expandByVector(stage.box.getSize(new THREE.Vector3()).multiplyScalar(0.02));
    if (!domain) return around;
    const size = (box) => box.getSize(new THREE.Vector3()).length();
    return size(domain) < 4 * size(around) ? domain : domain.intersect(around);
}

// points with a radius that must be in sight: some of the grains, all corners of the rest
export function contentPoints(frames) {
    const list = [];
    for (const { grains, solid, walls } of frames) {
        const { data } = grains.grains;
        const stride = 4 * Math.max(1, Math.floor(data.length / 4 / 4000));
        for (let k = 0; k < data.length; k += stride) list.push(...data.subarray(k, k + 4));
        const corners = solid?.points.data ?? [];
        for (let k = 0; k < corners.length; k += 3) list.push(corners[k], corners[k + 1], corners[k + 2], 0);
        const box = new THREE.Box3();
        expandByWalls(box, walls.faces.data);
        if (!box.isEmpty()) for (let k = 0; k < 8; k++) list.push(...[0, 1, 2]
            .map((d) => (k & (1 << d) ? box.max : box.min).getComponent(d)), 0);
    }
    if (list.length) return Float32Array.from(list);
    const { min, max } = contentBox(frames);
    return Float32Array.from([...min.toArray(), 0, ...max.toArray(), 0]);
}

export function contentBox(frames) {
    const box = new THREE.Box3();
    const p = new THREE.Vector3();
    for (const { grains, solid, walls } of frames) {
        const { data } = grains.grains;
        for (let k = 0; k < data.length; k += 4) {
            const r = data[k + 3];
            box.expandByPoint(p.set(data[k] - r, data[k + 1] - r, data[k + 2] - r));
            box.expandByPoint(p.set(data[k] + r, data[k + 1] + r, data[k + 2] + r));
        }
        const points = solid?.points.data ?? [];
        for (let k = 0; k < points.length; k += 3) box.expandByPoint(p.fromArray(points, k));
        expandByWalls(box, walls.faces.data);
    }
    return box.isEmpty() ? domainBox() ?? new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1))
        : box;
}

// all but planes, which have no end
function expandByWalls(box, faces) {
    for (let k = 0; k < faces.length; k += 18) {
        const v = (at) => new THREE.Vector3().fromArray(faces, k + at);
        const point = v(2);
        if (faces[k] === 3) {
            box.expandByPoint(point).expandByPoint(point.clone().add(v(11))).expandByPoint(point.clone().add(v(14)));
        } else if (faces[k] === 2) {
            const r = new THREE.Vector3(1, 1, 1).multiplyScalar(faces[k + 9]);
            box.expandByPoint(point.clone().add(r)).expandByPoint(point.sub(r));
        } else if (faces[k] === 1) {
            const axis = v(5);
            [0, faces[k + 8]].forEach((along, end) => {
                const r = faces[k + 9 + end];
                const half = new THREE.Vector3(...[axis.x, axis.y, axis.z]
                    .map((a) => r * Math.sqrt(Math.max(0, 1 - a * a))));
                const c = point.clone().addScaledVector(axis, along);
                box.expandByPoint(c.clone().add(half)).expandByPoint(c.sub(half));
            });
        }
    }
}
