// Cells of elastic solids: flat polygons with their edges. A polygon belongs to a cell, and a clipping plane takes
// cells whole, so that one looks at the sides of those behind.
import * as THREE from 'three';
import { CLIP, COLOUR, LIGHT } from './shaders.js';
import { PALETTE_SIZE } from './colours.js';

const vertexShader = /* glsl */ `
in vec3 centre;
in float value;
in float cell;
uniform int selected;
${CLIP}
out vec3 at;
flat out float shade;
flat out int mark;
void main() {
    at = (modelViewMatrix * vec4(position, 1.0)).xyz;
    shade = value;
    mark = int(cell) == selected ? 1 : 0;
    gl_Position = hidden(centre) ? NOWHERE : projectionMatrix * vec4(at, 1.0);
}
`;
const fragmentShader = /* glsl */ `
precision highp float;
in vec3 at;
flat in float shade;
flat in int mark;
uniform vec3 accent;
${COLOUR}
${LIGHT}
out vec4 pixel;
void main() {
    vec3 n = normalize(cross(dFdx(at), dFdy(at)));
    pixel = vec4(mix(lit(colourOf(shade), n), accent, mark == 1 ? 0.7 : 0.0), 1.0);
}
`;
const lineVertex = /* glsl */ `
in vec3 centre;
${CLIP}
void main() {
    gl_Position = hidden(centre) ? NOWHERE : projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}
`;
const lineFragment = /* glsl */ `
precision highp float;
uniform float strength;
out vec4 pixel;
void main() { pixel = vec4(0.0, 0.0, 0.0, strength); }
`;

const EDGE = 0.3; // darkness of edges

// the middle of each cell, from the corners of its polygons
function middles(block, cells) {
    const { points, first, cell, corners } = block;
    const sum = new Float32Array(3 * cells);
    const weight = new Float32Array(cells);
    for (let f = 0; f < cell.rows; f++) {
        const c = cell.data[f];
        for (let k = first.data[f]; k < first.data[f + 1]; k++) {
            for (let d = 0; d < 3; d++) sum[3 * c + d] += points.data[3 * corners.data[k] + d];
            weight[c]++;
        }
    }
    for (let c = 0; c < cells; c++) for (let d = 0; d < 3; d++) sum[3 * c + d] /= weight[c] || 1;
    return sum;
}

function meanLength(edges) {
    let sum = 0;
    for (let k = 0; k < edges.length;
        k += 6) sum += Math.hypot(edges[k] - edges[k + 3], edges[k + 1] - edges[k + 4], edges[k + 2] - edges[k + 5]);
    return edges.length ? (6 * sum) / edges.length : 0;
}

export class Cells {
    constructor(uniforms) {
        this.uniforms = { ...uniforms, selected: { value: -1 } };
        this.strength = { value: EDGE };
        const faces = new THREE.ShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader,
            fragmentShader,
            uniforms: this.uniforms,
            defines: { PALETTE_SIZE: `${PALETTE_SIZE}.0` },
            side: THREE.DoubleSide,
            polygonOffset: true,
            polygonOffsetFactor: 1,
            polygonOffsetUnits: 1,
        });
        const lines = new THREE.ShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader: lineVertex,
            fragmentShader: lineFragment,
            uniforms: { clip: uniforms.clip, strength: this.strength },
            transparent: true,
            depthWrite: false,
        });
        this.object = new THREE.Group();
        this.faces = new THREE.Mesh(new THREE.BufferGeometry(), faces);
        this.lines = new THREE.LineSegments(new THREE.BufferGeometry(), lines);
        this.faces.frustumCulled = this.lines.frustumCulled = false;
        this.object.add(this.faces, this.lines);
        this.object.visible = false;
        this.block = null;
    }

    /** Polygons of a frame, or null. */
    set(block, cells) {
        this.object.visible = Boolean(block);
        if (this.block === block) return;
        this.block = block;
        if (!block) return;
        const { points, first, cell, corners } = block;
        this.middle = middles(block, cells);
        let triangles = 0;
        for (let f = 0; f < cell.rows; f++) triangles += Math.max(0, first.data[f + 1] - first.data[f] - 2);
        const position = new Float32Array(9 * triangles);
        this.of = new Uint32Array(3 * triangles); // cell of each corner
        const edges = new Float32Array(6 * corners.rows);
        const edgeOf = new Uint32Array(2 * corners.rows);
        let t = 0;
        const put = (to, at, k) => to.set(points.data.subarray(3 * corners.data[k], 3 * corners.data[k] + 3), at);
        for (let f = 0; f < cell.rows; f++) {
            const [from, to] = [first.data[f], first.data[f + 1]];
            for (let k = from + 1; k + 1 < to; k++, t++) {
                put(position, 9 * t, from);
                put(position, 9 * t + 3, k);
                put(position, 9 * t + 6, k + 1);
                this.of.fill(cell.data[f], 3 * t, 3 * t + 3);
            }
            for (let k = from; k < to; k++) {
                put(edges, 6 * k, k);
                put(edges, 6 * k + 3, k + 1 < to ? k + 1 : from);
                edgeOf.fill(cell.data[f], 2 * k, 2 * k + 2);
            }
        }
        this.position = position;
        this.edge = meanLength(edges);
        this.#geometry(this.faces, position, this.of);
        this.#geometry(this.lines, edges, edgeOf);
        this.faces.geometry.setAttribute('cell', new THREE.BufferAttribute(Float32Array.from(this.of), 1));
    }

    #geometry(object, position, of) {
        const centre = new Float32Array(3 * of.length);
        of.forEach((c, k) => centre.set(this.middle.subarray(3 * c, 3 * c + 3), 3 * k));
        object.geometry.dispose();
        object.geometry = new THREE.BufferGeometry();
        object.geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
        object.geometry.setAttribute('centre', new THREE.BufferAttribute(centre, 3));
    }

    /** Edges of cells that are only a few pixels large would hide their colour. */
    scale(pixels) {
        this.strength.value = EDGE * Math.min(1, Math.max(0, ((this.edge ?? 0) * pixels - 2) / 10));
        this.lines.visible = this.strength.value > 0;
    }

    /** One number per cell, or null. */
    values(values) {
        if (!this.block) return;
        const data = new Float32Array(this.of.length);
        this.of.forEach((c, k) => (data[k] = values ? values[c] : NaN));
        this.faces.geometry.setAttribute('value', new THREE.BufferAttribute(data, 1));
    }

    /** The number of the first cell that a ray meets, and how far; cell -1: none. */
    pick(ray, clip) {
        const result = { cell: -1, distance: Infinity };
        if (!this.block || !this.object.visible) return result;
        const [a, b, c, hit] = [0, 0, 0, 0].map(() => new THREE.Vector3());
        for (let t = 0; t < this.of.length / 3; t++) {
            const cell = this.of[3 * t];
            const m = this.middle.subarray(3 * cell, 3 * cell + 3);
            if (clip.x * m[0] + clip.y * m[1] + clip.z * m[2] > clip.w) continue;
            a.fromArray(this.position, 9 * t);
            b.fromArray(this.position, 9 * t + 3);
            c.fromArray(this.position, 9 * t + 6);
            if (!ray.intersectTriangle(a, b, c, false, hit)) continue;
            const distance = hit.distanceTo(ray.origin);
            if (distance < result.distance) Object.assign(result, { cell, distance });
        }
        return result;
    }
}
