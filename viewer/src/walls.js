// Walls: glassy surfaces, clearer where one looks straight at them, with the lines of their shape. A row of a face is
// kind, wall, point, axis, length, two radii, two edges, solid (src/view/frame.c).
import * as THREE from 'three';

const [PLANE, SHELL, SPHERE, TRIANGLE] = [0, 1, 2, 3];
const AROUND = 72;

const vertexShader = /* glsl */ `
out vec3 at;
void main() {
    at = (modelViewMatrix * vec4(position, 1.0)).xyz;
    gl_Position = projectionMatrix * vec4(at, 1.0);
}
`;
const fragmentShader = /* glsl */ `
precision highp float;
in vec3 at;
uniform vec3 colour;
uniform float opacity;
out vec4 pixel;
void main() {
    vec3 n = normalize(cross(dFdx(at), dFdy(at)));
    float facing = abs(dot(n, isOrthographic ? vec3(0.0, 0.0, 1.0) : normalize(at)));
    pixel = vec4(colour, opacity * (0.55 + 1.1 * pow(1.0 - facing, 2.0)));
}
`;

class Sink {
    points = [];
    lines = [];
    quad(a, b, c, d) {
        for (const p of [a, b, c, a, c, d]) this.points.push(p.x, p.y, p.z);
    }
    triangle(a, b, c) {
        for (const p of [a, b, c]) this.points.push(p.x, p.y, p.z);
    }
    line(a, b) {
        this.lines.push(a.x, a.y, a.z, b.x, b.y, b.z);
    }
}

// where a plane cuts a box: the corners in order around the normal
function planeInBox(point, normal, tight) {
    const corners = [];
    // a plane on the border is in it, whatever rounding says
    const box = tight.clone().expandByScalar(1e-5 * tight.getSize(new THREE.Vector3()).length());
    const c = [box.min, box.max];
    const at = (i, j, k) => new THREE.Vector3(c[i].x, c[j].y, c[k].z);
    const height = (p) => p.clone().sub(point).dot(normal);
    const edge = (a, b) => {
        const [ha, hb] = [height(a), height(b)];
        if (ha * hb > 0 || ha === hb) return;
        corners.push(a.clone().lerp(b, ha / (ha - hb)));
    };
    for (let i = 0; i < 2; i++)
        for (let j = 0; j < 2; j++) {
            edge(at(0, i, j), at(1, i, j));
            edge(at(i, 0, j), at(i, 1, j));
            edge(at(i, j, 0), at(i, j, 1));
        }
    if (corners.length < 3) return [];
    const middle = corners.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(corners.length);
    const [u, v] = across(normal);
    const angle = (p) => Math.atan2(p.clone().sub(middle).dot(v), p.clone().sub(middle).dot(u));
    return corners.sort((a, b) => angle(a) - angle(b));
}

// what is left of a polygon on the side of a plane to which its normal points
function cut(corners, point, normal) {
    const left = [];
    const height = (p) => p.clone().sub(point).dot(normal);
    corners.forEach((p, k) => {
        const q = corners[(k + 1) % corners.length];
        const [hp, hq] = [height(p), height(q)];
        if (hp >= 0) left.push(p);
        if (hp * hq < 0) left.push(p.clone().lerp(q, hp / (hp - hq)));
    });
    return left;
}

function across(axis) {
    const u = new THREE.Vector3(Math.abs(axis.x) > 0.8 ? 0 : 1, Math.abs(axis.x) > 0.8 ? 1 : 0, 0).cross(axis)
        .normalize();
    return [u, axis.clone().cross(u)];
}

function ring(centre, u, v, radius) {
    const list = [];
    for (let k = 0; k <= AROUND; k++) {
        const a = (2 * Math.PI * k) / AROUND;
        list.push(centre.clone().addScaledVector(u, radius * Math.cos(a)).addScaledVector(v, radius * Math.sin(a)));
    }
    return list;
}

function addShell(sink, point, axis, length, radii) {
    const [u, v] = across(axis);
    const a = ring(point, u, v, radii[0]);
    const b = ring(point.clone().addScaledVector(axis, length), u, v, radii[1]);
    for (let k = 0; k < AROUND; k++) {
        sink.quad(a[k], a[k + 1], b[k + 1], b[k]);
        if (radii[0] > 0) sink.line(a[k], a[k + 1]);
        if (radii[1] > 0) sink.line(b[k], b[k + 1]);
    }
}

function addSphere(sink, centre, radius) {
    const geometry = new THREE.SphereGeometry(radius, 48, 24).toNonIndexed();
    const p = geometry.getAttribute('position');
    for (let k = 0; k < p.count;
        k++) sink.points.push(p.getX(k) + centre.x, p.getY(k) + centre.y, p.getZ(k) + centre.z);
    geometry.dispose();
}

// sides of triangles that another one shares, bent less than 25 degrees, are no lines of a shape
function addTriangles(sink, list) {
    const edges = new Map();
    const name = (p) => `${p.x.toPrecision(6)},${p.y.toPrecision(6)},${p.z.toPrecision(6)}`;
    for (const [a, b, c, n] of list) {
        sink.triangle(a, b, c);
        if (list.length > 60000) continue;
        for (const [p, q] of [[a, b], [b, c], [c, a]]) {
            const [s, t] = [name(p), name(q)];
            const key = s < t ? `${s} ${t}` : `${t} ${s}`;
            const old = edges.get(key);
            if (!old) edges.set(key, { p, q, n, sharp: true });
            else old.sharp = Math.abs(old.n.dot(n)) < 0.906;
        }
    }
    for (const { p, q, sharp } of edges.values()) if (sharp) sink.line(p, q);
}

// planes of a box end at each other, others at the domain
function addPlanes(sink, planes, box, isBox) {
    for (const plane of planes) {
        let corners = planeInBox(plane.point, plane.axis, box);
        if (isBox(plane.wall))
            for (const other of planes)
                if (other !== plane && other.wall === plane.wall) corners = cut(corners, other.point, other.axis);
        for (let n = 1; n + 1 < corners.length; n++) sink.triangle(corners[0], corners[n], corners[n + 1]);
        corners.forEach((p, n) => sink.line(p, corners[(n + 1) % corners.length]));
    }
}

function tessellate(faces, box, isBox) {
    const planes = [];
    const sink = new Sink();
    const triangles = [];
    const { data } = faces;
    for (let k = 0; k < data.length; k += 18) {
        const vector = (at) => new THREE.Vector3(data[k + at], data[k + at + 1], data[k + at + 2]);
        const [point, axis] = [vector(2), vector(5)];
        if (data[k] === PLANE) {
            planes.push({ wall: data[k + 1], point, axis });
        } else if (data[k] === SHELL) {
            addShell(sink, point, axis, data[k + 8], [data[k + 9], data[k + 10]]);
        } else if (data[k] === SPHERE) {
            addSphere(sink, point, data[k + 9]);
        } else if (data[k] === TRIANGLE) {
            triangles.push([point, point.clone().add(vector(11)), point.clone().add(vector(14)), axis]);
        }
    }
    addPlanes(sink, planes, box, isBox);
    addTriangles(sink, triangles);
    return sink;
}

function geometryOf(numbers) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(numbers), 3));
    return geometry;
}

export class Walls {
    constructor() {
        this.uniforms = { colour: { value: new THREE.Color() }, opacity: { value: 0.16 } };
        const glass = new THREE.ShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader,
            fragmentShader,
            uniforms: this.uniforms,
            transparent: true,
            depthWrite: false,
            side: THREE.DoubleSide,
        });
        this.ink = new THREE.LineBasicMaterial({ transparent: true, opacity: 0.45 });
        this.object = new THREE.Group();
        this.glass = new THREE.Mesh(new THREE.BufferGeometry(), glass);
        this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), this.ink);
        this.object.add(this.glass, this.lines);
        this.glass.frustumCulled = this.lines.frustumCulled = false;
        this.last = null;
    }

    /** Faces of a frame; planes are shown within `box`, those of walls for which `isBox` holds as a box. Faces
     *  that have not moved are not made again. */
    set(faces, box, isBox) {
        const same = this.last && this.last.length === faces.data.length
            && this.last.every((x, k) => x === faces.data[k]);
        if (same && this.box?.equals(box)) return;
        this.last = faces.data;
        this.box = box.clone();
        const sink = tessellate(faces, box, isBox);
        this.glass.geometry.dispose();
        this.lines.geometry.dispose();
        this.glass.geometry = geometryOf(sink.points);
        this.lines.geometry = geometryOf(sink.lines);
    }

    colours(glass, ink) {
        this.uniforms.colour.value.setHex(glass, THREE.LinearSRGBColorSpace);
        this.ink.color.setHex(ink);
    }
}
