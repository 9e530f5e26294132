// The three-dimensional view: camera, what is in it, pictures of it. It draws when something has changed.
import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { Cells } from './cells.js';
import { mapTexture, paletteTexture } from './colours.js';
import { Segments } from './segments.js';
import { Spheres } from './spheres.js';
import { Walls } from './walls.js';

const THEMES = {
    dark: { back: 0x15181d, tone: 0x9aa1ab, glass: 0x9fb4cc, ink: 0xa9b6c6, weak: 0x4a5568, strong: 0xffb35c,
        bond: 0xd9c27a },
    light: { back: 0xf5f6f8, tone: 0xaab0b8, glass: 0x6f8299, ink: 0x5c6a7a, weak: 0xb7bec8, strong: 0xb3392b,
        bond: 0x8a6d1d },
};
const FIELD = 32; // of view, in degrees
const FILL = 0.93; // of the window, by what there is to see

// `?renderer=card` or `?renderer=software` behind the address overrides what is found
function isSoftware() {
    const wish = new URLSearchParams(location.search).get('renderer');
    if (wish) return wish === 'software';
    const gl = document.createElement('canvas').getContext('webgl2');
    if (!gl) return true;
    const known = gl.getExtension('WEBGL_debug_renderer_info');
    const name = known ? gl.getParameter(known.UNMASKED_RENDERER_WEBGL) : '';
    gl.getExtension('WEBGL_lose_context')?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software/i.test(name);
}

export class Stage {
    constructor(canvas, axes) {
        this.canvas = canvas;
        this.axes = axes;
        this.software = isSoftware();
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: !this.software,
            powerPreference: 'high-performance' });
        this.renderer.setPixelRatio(this.software ? 1 : Math.min(devicePixelRatio, 2));
        this.uniforms = {
            map: { value: mapTexture([0, 0xffffff]) },
            palette: { value: paletteTexture() },
            range: { value: new THREE.Vector2(0, 1) },
            mode: { value: 0 },
            tone: { value: new THREE.Color() },
            accent: { value: new THREE.Color() },
            clip: { value: new THREE.Vector4(0, 0, 0, 1) },
        };
        this.scene = new THREE.Scene();
        this.spheres = new Spheres(this.uniforms, this.software);
        this.cells = new Cells(this.uniforms);
        this.walls = new Walls();
        this.forces = new Segments(this.uniforms.clip, 0, 0);
        this.bonds = new Segments(this.uniforms.clip, 0, 0);
        this.arrows = new Segments(this.uniforms.clip, 0, 0);
        this.trails = new Segments(this.uniforms.clip, 0, 0);
        this.ruler = new Segments({ value: new THREE.Vector4(0, 0, 0, 1) }, 0, 0);
        this.edges = new THREE.LineSegments(new THREE.BufferGeometry(),
            new THREE.LineBasicMaterial({ transparent: true, opacity: 0.16 }));
        this.scene.add(this.spheres.object, this.cells.object, this.forces.object, this.bonds.object,
            this.arrows.object, this.trails.object, this.ruler.object, this.edges, this.walls.object);
        this.perspective = new THREE.PerspectiveCamera(FIELD, 1, 0.1, 10);
        this.parallel = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 10);
        this.perspective.up.set(0, 0, 1);
        this.parallel.up.set(0, 0, 1);
        this.camera = this.perspective;
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.zoomToCursor = true;
        this.controls.addEventListener('change', () => this.draw());
        this.points = new Float32Array(0);
        this.box = new THREE.Box3(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
        this.height = 2; // that the parallel camera sees
        new ResizeObserver(() => this.#resize()).observe(canvas.parentElement);
        this.#resize();
    }

    /* ---- drawing ---- */

    draw() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => {
            this.waiting = false;
            this.drawNow();
        });
    }

    drawNow() {
        this.#depths();
        this.cells.scale(this.pixels);
        this.camera.updateMatrixWorld();
        this.spheres.prepare(this.camera, this.renderer.domElement.height);
        this.renderer.render(this.scene, this.camera);
        this.#drawAxes();
        this.drawn = (this.drawn ?? 0) + 1;
        this.ondraw?.();
    }

    #resize() {
        const { clientWidth: w, clientHeight: h } = this.canvas.parentElement;
        if (!w || !h) return;
        this.renderer.setSize(w, h, false);
        this.perspective.aspect = w / h;
        this.#shapeParallel();
        this.perspective.updateProjectionMatrix();
        this.drawNow();
    }

    #shapeParallel() {
        const half = this.height / 2;
        Object.assign(this.parallel, {
            top: half, bottom: -half, left: -half * this.perspective.aspect, right: half * this.perspective.aspect,
        });
        this.parallel.updateProjectionMatrix();
    }

    // near and far as close as what there is to see allows
    #depths() {
        const centre = this.box.getCenter(new THREE.Vector3());
        const radius = this.box.getSize(new THREE.Vector3()).length() * 0.75;
        const distance = this.camera.position.distanceTo(centre);
        this.camera.far = distance + 1.5 * radius;
        this.camera.near = this.camera === this.parallel ? distance - 1.5 * radius
            : Math.max(distance - 1.5 * radius, this.camera.far * 2e-4);
        this.camera.updateProjectionMatrix();
    }

    #drawAxes() {
        const turn = new THREE.Matrix4().extractRotation(this.camera.matrixWorldInverse);
        const names = ['x', 'y', 'z'];
        const colours = ['#e15759', '#59a14f', '#4e8fd0'];
        const tips = names.map((_, k) => new THREE.Vector3(...[0, 1, 2].map((d) => Number(d === k)))
            .applyMatrix4(turn));
        const order = [0, 1, 2].sort((a, b) => tips[a].z - tips[b].z);
        this.axes.replaceChildren(...order.flatMap((k) => {
            const make = (tag, attributes) => {
                const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
                for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
                return e;
            };
            const { x, y } = tips[k];
            const label = make('text', { x: 33 * x, y: -33 * y + 3.5, fill: colours[k], 'text-anchor': 'middle' });
            label.textContent = names[k];
            return [make('line', { x1: 0, y1: 0, x2: 25 * x, y2: -25 * y, stroke: colours[k], 'stroke-width': 2,
                'stroke-linecap': 'round' }), label];
        }));
    }

    /* ---- looks ---- */

    theme(name, accent) {
        const t = THEMES[name];
        this.renderer.setClearColor(new THREE.Color().setHex(t.back), 1);
        this.uniforms.tone.value.setHex(t.tone, THREE.LinearSRGBColorSpace);
        this.uniforms.accent.value.setStyle(accent, THREE.LinearSRGBColorSpace);
        this.walls.colours(t.glass, t.ink);
        this.edges.material.color.setHex(t.ink);
        this.forces.colours(t.weak, t.strong);
        this.bonds.colours(t.bond, t.bond);
        this.arrows.colours(t.weak, t.strong);
        this.trails.colours(t.back, t.tone);
        this.ruler.colours(t.strong, t.strong);
        this.draw();
    }

    map(colours) {
        this.uniforms.map.value.dispose();
        this.uniforms.map.value = mapTexture(colours);
        this.draw();
    }

    /* ---- camera ---- */

    /** What there is to see, the domain, whose edges are drawn (null: it has none), and points with a radius that the
     *  camera must have in sight. */
    bounds(box, domain, points) {
        this.box = box;
        this.points = points;
        this.edges.geometry.dispose();
        this.edges.geometry = new THREE.BufferGeometry();
        this.edges.visible = Boolean(domain);
        if (!domain) return;
        const size = domain.getSize(new THREE.Vector3());
        const outline = new THREE.EdgesGeometry(new THREE.BoxGeometry(size.x, size.y, size.z));
        outline.translate(...domain.getCenter(new THREE.Vector3()).toArray());
        this.edges.geometry = outline;
    }

    // a camera looking back along `back` at `centre`: how far away it must be for all points to be in the window, less
    // a margin, and how far off the middle they lie there
    #frame(centre, back, right, over) {
        const tan = Math.tan((FIELD * Math.PI) / 360) * FILL;
        const aspect = this.perspective.aspect;
        const p = new THREE.Vector3();
        let distance = 1e-12;
        const each = (visit) => {
            for (let k = 0; k < this.points.length; k += 4) {
                p.fromArray(this.points, k).sub(centre);
                visit(p.dot(right), p.dot(over), p.dot(back), this.points[k + 3]);
            }
        };
        each((x, y, z, r) => (distance = Math.max(distance, (Math.abs(x) + r) / (tan * aspect) + z + r,
            (Math.abs(y) + r) / tan + z + r)));
        let [left, low, wide, high] = [Infinity, Infinity, -Infinity, -Infinity];
        each((x, y, z, r) => {
            const d = distance - z;
            [left, wide] = [Math.min(left, (x - r) / d), Math.max(wide, (x + r) / d)];
            [low, high] = [Math.min(low, (y - r) / d), Math.max(high, (y + r) / d)];
        });
        return { distance, shift: [(0.5 * distance * (left + wide)) || 0, (0.5 * distance * (low + high)) || 0] };
    }

    /** Turns the camera to look along `direction` (away from it), everything in sight and as large as it can be. */
    fit(direction) {
        const centre = this.box.getCenter(new THREE.Vector3());
        const back = (direction ?? this.camera.position.clone().sub(this.controls.target)).clone().normalize();
        // half the extents of the box across the line of sight
        const up = Math.abs(back.z) > 0.999 ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
        const right = up.clone().cross(back).normalize();
        const over = back.clone().cross(right);
        let found = this.#frame(centre, back, right, over);
        for (let turn = 0; turn < 3; turn++) {
            centre.addScaledVector(right, found.shift[0]).addScaledVector(over, found.shift[1]);
            found = this.#frame(centre, back, right, over);
        }
        const { distance } = found;
        this.height = 2 * distance * Math.tan((FIELD * Math.PI) / 360);
        this.#shapeParallel();
        for (const camera of [this.perspective, this.parallel]) {
            camera.up.copy(up);
            camera.zoom = 1;
            camera.position.copy(centre).addScaledVector(back, distance);
            camera.lookAt(centre);
            camera.updateProjectionMatrix();
        }
        this.#controls(centre);
    }

    /** The camera at a place, looking at another; zoom and height are those of the parallel one. */
    place_camera(from, target, up, zoom, height) {
        this.height = height;
        for (const camera of [this.perspective, this.parallel]) {
            camera.up.copy(up);
            camera.zoom = zoom;
            camera.position.copy(from);
            camera.lookAt(target);
        }
        this.#shapeParallel();
        this.perspective.updateProjectionMatrix();
        this.#controls(target);
    }

    // OrbitControls reads the camera's up only when it begins
    #controls(target) {
        this.controls.dispose();
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.zoomToCursor = true;
        this.controls.target.copy(target);
        this.controls.addEventListener('change', () => {
            this.draw();
            this.onturn?.();
        });
        this.controls.update();
        this.draw();
        this.onturn?.();
    }

    /** Pixels of the window for a unit of length, in the middle of the view. */
    get pixels() {
        const seen = this.isParallel
            ? this.height / this.parallel.zoom
            : 2 * Math.tan((FIELD * Math.PI) / 360) * this.camera.position.distanceTo(this.controls.target);
        return this.canvas.clientHeight / seen;
    }

    get isParallel() {
        return this.camera === this.parallel;
    }

    project(parallel) {
        if (parallel === this.isParallel) return;
        const from = this.camera;
        const target = this.controls.target.clone();
        const back = from.position.clone().sub(target);
        this.camera = parallel ? this.parallel : this.perspective;
        this.camera.up.copy(from.up);
        const tan = Math.tan((FIELD * Math.PI) / 360);
        if (parallel) {
            this.height = 2 * tan * back.length();
            this.parallel.zoom = 1;
            this.#shapeParallel();
        } else {
            back.setLength(this.height / this.parallel.zoom / 2 / tan);
        }
        this.camera.position.copy(target).add(back);
        this.camera.lookAt(target);
        this.#controls(target);
    }

    /* ---- picking ---- */

    /** What is at a place of the window: { kind: 'grain', row }, { kind: 'cell', cell } or null. */
    pick(x, y) {
        const box = this.canvas.getBoundingClientRect();
        const at = new THREE.Vector2(((x - box.left) / box.width) * 2 - 1, 1 - ((y - box.top) / box.height) * 2);
        const caster = new THREE.Raycaster();
        this.camera.updateMatrixWorld();
        caster.setFromCamera(at, this.camera);
        const clip = this.uniforms.clip.value;
        const grain = this.spheres.object.visible ? this.spheres.pick(caster.ray, clip)
            : { row: -1, distance: Infinity };
        const cell = this.cells.pick(caster.ray, clip);
        if (grain.row >= 0 && grain.distance <= cell.distance) return { kind: 'grain', row: grain.row };
        return cell.cell >= 0 ? { kind: 'cell', cell: cell.cell } : null;
    }

    /** Where a point is in the window. */
    place(x, y, z) {
        this.camera.updateMatrixWorld();
        const p = new THREE.Vector3(x, y, z).project(this.camera);
        const box = this.canvas.getBoundingClientRect();
        return { x: box.left + ((p.x + 1) / 2) * box.width, y: box.top + ((1 - p.y) / 2) * box.height };
    }
}
