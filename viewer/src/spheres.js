// Grains as impostors: a square for each, turned to the eye, just large enough; the fragment shader finds where the ray
// meets the sphere, with its depth, so that spheres cut each other as they should.
//
// Without a graphics card and with many grains, they are points (an instance each costs too much there) shaded as
// spheres, at the depth of their centres, drawn from the front to the back.
import * as THREE from 'three';
import { CLIP, COLOUR, LIGHT } from './shaders.js';
import { PALETTE_SIZE } from './colours.js';

const exactVertex = /* glsl */ `
in vec4 grain; // place and radius
in float value;
uniform float size;
uniform int selected;
${CLIP}
${COLOUR}
out vec3 point;
flat out vec4 ball;
flat out vec3 paint;
flat out int mark;

void main() {
    vec3 c = (modelViewMatrix * vec4(grain.xyz, 1.0)).xyz;
    float r = grain.w * size;
    float d2 = dot(c, c);
    bool within = !isOrthographic && d2 <= 1.0001 * r * r;
    if (hidden(grain.xyz) || within) {
        gl_Position = NOWHERE;
        return;
    }
    ball = vec4(c, r);
    paint = colourOf(value);
    mark = gl_InstanceID == selected ? 1 : 0;
    if (isOrthographic) {
        point = c + vec3(position.xy * r, 0.0);
    } else {
        // the outline of a sphere seen from distance d is that of a disc of radius r d / sqrt(d^2 - r^2)
        vec3 w = c * inversesqrt(d2);
        vec3 u = normalize(cross(w, abs(w.y) > 0.9 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0)));
        point = c + (u * position.x + cross(u, w) * position.y) * (r * inversesqrt(1.0 - r * r / d2));
    }
    gl_Position = projectionMatrix * vec4(point, 1.0);
}
`;

// a ring, two pixels wide at least, around the one that is picked
const MARKED = /* glsl */ `
flat in int mark;
uniform vec3 accent;
vec3 marked(vec3 colour, float rim, float onePixel) {
    return mark == 0 ? colour : mix(colour, accent, rim < max(0.08, 2.5 * onePixel) ? 1.0 : 0.15);
}
`;

const exactFragment = /* glsl */ `
precision highp float;
in vec3 point;
flat in vec4 ball;
flat in vec3 paint;
uniform mat4 projectionMatrix;
${LIGHT}
${MARKED}
out vec4 pixel;

void main() {
    float r = ball.w, onePixel = length(fwidth(point)) / r;
    vec3 c = ball.xyz, d = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(point);
    // from the centre to the nearest point of the ray
    vec3 away = isOrthographic ? vec3(point.xy - c.xy, 0.0) : d * dot(d, c) - c;
    float far2 = dot(away, away), rim = 1.0 - sqrt(far2) / r, alpha = 1.0;
#ifdef SMOOTH
    alpha = clamp(0.5 + rim / max(onePixel, 1e-6), 0.0, 1.0);
    if (alpha <= 0.0) discard;
#else
    if (far2 > r * r) discard;
#endif
    vec3 p = c + away - d * sqrt(max(r * r - far2, 0.0));
    vec4 q = projectionMatrix * vec4(p, 1.0);
    gl_FragDepth = 0.5 * q.z / q.w + 0.5;
    pixel = vec4(marked(lit(paint, (p - c) / r), rim, onePixel), alpha);
}
`;

const quickVertex = /* glsl */ `
in float radius, value;
uniform float size, height; // of the picture, in pixels
uniform int selected;
${CLIP}
${COLOUR}
flat out float onePixel;
flat out vec3 paint;
flat out int mark;

void main() {
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    float across = radius * size * projectionMatrix[1][1] * height / gl_Position.w;
    if (hidden(position)) gl_Position = NOWHERE;
    gl_PointSize = max(across, 1.0);
    onePixel = 2.0 / gl_PointSize;
    paint = colourOf(value);
    mark = gl_VertexID == selected ? 1 : 0;
}
`;

const quickFragment = /* glsl */ `
precision highp float;
flat in float onePixel;
flat in vec3 paint;
${LIGHT}
${MARKED}
out vec4 pixel;

void main() {
    vec2 disc = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
    float d2 = dot(disc, disc);
    if (d2 > 1.0) discard;
    pixel = vec4(marked(lit(paint, vec3(disc, sqrt(1.0 - d2))), 1.0 - sqrt(d2), onePixel), 1.0);
}
`;

const QUICK_FROM = 5000; // grains without a graphics card
const BUCKETS = 4096;
const STRIDE = 5; // of a point: place, radius, value

export class Spheres {
    constructor(uniforms, software) {
        this.software = software;
        this.uniforms = { ...uniforms, size: { value: 1 }, selected: { value: -1 }, height: { value: 1 } };
        const material = (vertexShader, fragmentShader, more = {}) => new THREE.ShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader,
            fragmentShader,
            uniforms: this.uniforms,
            defines: { PALETTE_SIZE: `${PALETTE_SIZE}.0`, ...(software ? {} : { SMOOTH: 1 }) },
            ...more,
        });
        const square = new THREE.InstancedBufferGeometry();
        square.setAttribute('position',
            new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]), 3));
        square.setIndex([0, 1, 2, 0, 2, 3]);
        this.exact = new THREE.Mesh(square, material(exactVertex, exactFragment, { alphaToCoverage: !software }));
        this.points = new THREE.Points(new THREE.BufferGeometry(), material(quickVertex, quickFragment));
        this.exact.frustumCulled = this.points.frustumCulled = false;
        this.object = new THREE.Group();
        this.object.add(this.exact, this.points);
        this.set(new Float32Array(0));
    }

    get count() {
        return this.data.length / 4;
    }

    /** Places and radii, four numbers each; `values` has one each, or is missing. */
    set(data, values) {
        const n = data.length / 4;
        this.data = data;
        this.values = values && values.length === n ? values : new Float32Array(n).fill(NaN);
        this.order = this.sight = null;
        this.quick = this.software && n >= QUICK_FROM;
        this.exact.visible = !this.quick;
        this.points.visible = this.quick;
        this.object.visible = n > 0;
        if (!this.quick) this.#instances(n);
    }

    // buffers are used again when they have the right size
    #instances(n) {
        const { geometry } = this.exact;
        const fits = geometry.getAttribute('grain')?.count === n;
        if (!fits) geometry.dispose();
        for (const [name, width, from] of [['grain', 4, this.data], ['value', 1, this.values]]) {
            if (!fits) {
                const fresh = new THREE.InstancedBufferAttribute(new Float32Array(n * width), width);
                geometry.setAttribute(name, fresh.setUsage(THREE.DynamicDrawUsage));
            }
            const attribute = geometry.getAttribute(name);
            attribute.array.set(from);
            attribute.needsUpdate = true;
        }
        geometry.instanceCount = n;
    }

    /** The row that is picked; -1: none. */
    select(row) {
        this.row = row;
        this.uniforms.selected.value = this.order && row >= 0 ? this.order.indexOf(row) : row;
    }

    /** Before it is drawn; points are sorted again when the camera has turned. */
    prepare(camera, height) {
        this.uniforms.height.value = height;
        if (!this.quick) return;
        const sight = camera.getWorldDirection(new THREE.Vector3());
        if (this.sight && this.sight.dot(sight) > 0.985) return;
        this.sight = sight;
        this.order = this.#order(sight);
        this.#points();
        this.select(this.row ?? -1);
    }

    // rows from the front to the back, by counting
    #order(sight) {
        const { data, count: n } = this;
        const depth = new Float32Array(n);
        let [low, high] = [Infinity, -Infinity];
        for (let k = 0; k < n; k++) {
            const z = data[4 * k] * sight.x + data[4 * k + 1] * sight.y + data[4 * k + 2] * sight.z;
            depth[k] = z;
            if (z < low) low = z;
            if (z > high) high = z;
        }
        const scale = (BUCKETS - 1) / (high - low || 1);
        const first = new Uint32Array(BUCKETS + 1);
        for (let k = 0; k < n; k++) first[Math.floor((depth[k] - low) * scale) + 1]++;
        for (let b = 0; b < BUCKETS; b++) first[b + 1] += first[b];
        const order = new Uint32Array(n);
        for (let k = 0; k < n; k++) order[first[Math.floor((depth[k] - low) * scale)]++] = k;
        return order;
    }

    #points() {
        const { geometry } = this.points;
        const n = this.count;
        if (this.buffer?.count !== n) {
            geometry.dispose();
            this.buffer = new THREE.InterleavedBuffer(new Float32Array(STRIDE * n), STRIDE)
                .setUsage(THREE.DynamicDrawUsage);
            [['position', 3, 0], ['radius', 1, 3], ['value', 1, 4]].forEach(([name, width, at]) =>
                geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(this.buffer, width, at)));
        }
        const to = this.buffer.array;
        for (let k = 0; k < n; k++) {
            const row = this.order[k];
            for (let d = 0; d < 4; d++) to[STRIDE * k + d] = this.data[4 * row + d];
            to[STRIDE * k + 4] = this.values[row];
        }
        this.buffer.needsUpdate = true;
    }

    /** The row of the first sphere that a ray meets, and how far; row -1: none. */
    pick(ray, clip) {
        const { origin: o, direction: d } = ray;
        const size = this.uniforms.size.value;
        const a = this.data;
        let best = Infinity;
        let row = -1;
        for (let k = 0; k < a.length; k += 4) {
            const x = a[k] - o.x;
            const y = a[k + 1] - o.y;
            const z = a[k + 2] - o.z;
            const r = a[k + 3] * size;
            const along = x * d.x + y * d.y + z * d.z;
            const h2 = r * r - (x * x + y * y + z * z - along * along);
            if (h2 < 0) continue;
            const t = along - Math.sqrt(h2);
            if (t <= 0 || t >= best || clip.x * a[k] + clip.y * a[k + 1] + clip.z * a[k + 2] > clip.w) continue;
            best = t;
            row = k / 4;
        }
        return { row, distance: best };
    }
}
