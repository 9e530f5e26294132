// Straight things from point to point, with a width: forces between grains, bonds. A strip for each, turned to the eye
// and shaded as a cylinder.
import * as THREE from 'three';
import { CLIP, LIGHT } from './shaders.js';

const vertexShader = /* glsl */ `
in vec3 from, to;
in float width, strength;
uniform float scale;
${CLIP}
out float across;
flat out float strong;
flat out vec3 side;

void main() {
    if (width == 0.0 || hidden(0.5 * (from + to))) {
        gl_Position = NOWHERE;
        return;
    }
    vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz, b = (modelViewMatrix * vec4(to, 1.0)).xyz;
    vec3 p = mix(a, b, position.x);
    vec3 sight = isOrthographic ? vec3(0.0, 0.0, -1.0) : normalize(p);
    side = normalize(cross(b - a, sight) + vec3(1e-20, 0.0, 0.0));
    across = position.y;
    strong = strength;
    // below zero: a cone that ends in a point
    float half_width = width < 0.0 ? -width * (1.0 - position.x) : width;
    gl_Position = projectionMatrix * vec4(p + side * (position.y * half_width * scale), 1.0);
}
`;

const fragmentShader = /* glsl */ `
precision highp float;
in float across;
flat in float strong;
flat in vec3 side;
uniform vec3 weakColour, strongColour;
${LIGHT}
out vec4 pixel;

void main() {
    vec3 n = normalize(side * across + vec3(0.0, 0.0, sqrt(max(0.0, 1.0 - across * across))));
    pixel = vec4(lit(mix(weakColour, strongColour, strong), n), 1.0);
}
`;

export class Segments {
    constructor(clip, weak, strong) {
        this.uniforms = {
            clip,
            scale: { value: 1 },
            weakColour: { value: new THREE.Color() },
            strongColour: { value: new THREE.Color() },
        };
        this.colours(weak, strong);
        this.material = new THREE.ShaderMaterial({
            glslVersion: THREE.GLSL3,
            vertexShader,
            fragmentShader,
            uniforms: this.uniforms,
            side: THREE.DoubleSide,
        });
        this.object = new THREE.Mesh(new THREE.InstancedBufferGeometry(), this.material);
        this.object.frustumCulled = false;
        this.set(0, null);
    }

    colours(weak, strong) {
        this.uniforms.weakColour.value.setHex(weak, THREE.LinearSRGBColorSpace);
        this.uniforms.strongColour.value.setHex(strong, THREE.LinearSRGBColorSpace);
    }

    /** Colours from weak to strong, for a legend. */
    ramp() {
        const { weakColour, strongColour } = this.uniforms;
        const mix = (part) => weakColour.value.clone().lerp(strongColour.value, part)
            .getHex(THREE.LinearSRGBColorSpace);
        return Array.from({ length: 64 }, (_, k) => mix(k / 63));
    }

    /** `fill(data)` writes eight numbers of each: from, to, half width (below zero: of the foot of a cone), strength in
     *  0 to 1. */
    set(count, fill) {
        const data = new Float32Array(8 * count);
        if (count) fill(data);
        const geometry = new THREE.InstancedBufferGeometry();
        geometry.setAttribute('position',
            new THREE.BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
        geometry.setIndex([0, 1, 2, 0, 2, 3]);
        const buffer = new THREE.InstancedInterleavedBuffer(data, 8);
        [['from', 3, 0], ['to', 3, 3], ['width', 1, 6], ['strength', 1, 7]].forEach(([name, width, at]) =>
            geometry.setAttribute(name, new THREE.InterleavedBufferAttribute(buffer, width, at)));
        geometry.instanceCount = count;
        this.object.geometry.dispose();
        this.object.geometry = geometry;
        this.object.visible = count > 0;
        this.count = count;
    }
}
