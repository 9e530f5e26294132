// What all shaders share: light from the camera's upper left, colours by value, and what a clipping plane hides.

export const COLOUR = /* glsl */ `
uniform sampler2D map, palette;
uniform vec2 range;
uniform int mode; // 0 one tone, 1 numbers, 2 names, 3 names of which 0 is none
uniform vec3 tone;

vec3 colourOf(float value) {
    if (mode == 0 || value != value) return tone;
    if (mode >= 2) {
        float k = floor(value + 0.5);
        if (mode == 3 && k == 0.0) return tone;
        return texture(palette, vec2((mod(k, PALETTE_SIZE) + 0.5) / PALETTE_SIZE, 0.5)).rgb;
    }
    float s = clamp((value - range.x) / (range.y - range.x), 0.0, 1.0);
    return texture(map, vec2((s * 63.0 + 0.5) / 64.0, 0.5)).rgb;
}
`;

export const LIGHT = /* glsl */ `
vec3 lit(vec3 colour, vec3 n) {
    float key = max(dot(n, vec3(-0.3523, 0.5536, 0.7549)), 0.0);
    float rim = 1.0 - max(n.z, 0.0);
    float gloss = max(dot(n, vec3(-0.1853, 0.3243, 0.9266)), 0.0);
    gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss, gloss *= gloss;
    return colour * (0.60 + 0.06 * n.y + 0.55 * key) * (1.0 - 0.45 * rim * rim * rim) + 0.10 * gloss;
}
`;

// x, y, z and the distance behind which nothing is shown
export const CLIP = /* glsl */ `
uniform vec4 clip;
bool hidden(vec3 x) { return dot(clip.xyz, x) > clip.w; }
const vec4 NOWHERE = vec4(2.0, 2.0, 2.0, 1.0);
`;
