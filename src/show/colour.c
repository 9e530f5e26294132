/* Colour maps from control points at equal distances, in sRGB, joined by a Catmull-Rom spline
 * (Catmull & Rom 1974). The points are our own readings of the families that people know by these
 * names: violet to yellow with even steps of lightness, violet-red-cream, blue-grey-red, and a
 * bright rainbow. None begins near black: a bed at rest, all of it at the lower end, must show its grains. */
#include "show/colour.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define POINTS 9

struct scr_colour_map {
    const char *name;
    uint32_t point[POINTS]; /* 0xrrggbb */
};

static const scr_colour_map maps[] = {
    {"viridis", {0x63409e, 0x54579f, 0x456c9c, 0x378198, 0x2a958f, 0x2fae7f, 0x60c860, 0xaadb36, 0xfbe62a}},
    {"magma", {0x4b3a7a, 0x673685, 0x853388, 0xa03384, 0xc03f7b, 0xdf4f6b, 0xf8765c, 0xfeb37c, 0xfcf4bd}},
    {"coolwarm", {0x3b50c3, 0x6385ea, 0x8db2fd, 0xb7cff8, 0xdedddc, 0xf4c4ac, 0xf49a7a, 0xdd604d, 0xb40a28}},
    {"turbo", {0x34257a, 0x4369ea, 0x2aa6f1, 0x1bd9b6, 0x6ef661, 0xc8ee36, 0xfcb636, 0xf0651a, 0xa31203}},
    {"grey", {0x3c3c3f, 0x4c4c50, 0x5d5d61, 0x69696d, 0x86868a, 0xa3a3a7, 0xc0c0c4, 0xdcdcde, 0xf7f7f8}},
};

const scr_colour_map *scr_colour_map_find(const char *name)
{
    for (size_t k = 0; k < sizeof maps / sizeof *maps; k++)
        if (!strcmp(maps[k].name, name)) return &maps[k];
    return NULL;
}

const char *scr_colour_map_name(int k)
{
    return k >= 0 && (size_t)k < sizeof maps / sizeof *maps ? maps[k].name : NULL;
}

double scr_colour_linear(double s)
{
    return s <= 0.04045 ? s / 12.92 : pow((s + 0.055) / 1.055, 2.4);
}

double scr_colour_srgb(double l)
{
    return l <= 0.0031308 ? 12.92 * l : 1.055 * pow(l, 1 / 2.4) - 0.055;
}

static vec3 srgb_of_hex(uint32_t hex)
{
    return v3((hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0);
}

static vec3 linear_of_srgb(vec3 s)
{
    return v3(scr_colour_linear(s.x), scr_colour_linear(s.y), scr_colour_linear(s.z));
}

vec3 scr_colour_of_hex(uint32_t hex)
{
    return linear_of_srgb(srgb_of_hex(hex));
}

static double cut(double x)
{
    return x > 0 ? fmin(x, 1) : 0;
}

void scr_colour_bytes(vec3 linear, uint8_t rgb[3])
{
    double c[3] = {linear.x, linear.y, linear.z};
    for (int k = 0; k < 3; k++) rgb[k] = (uint8_t)(255 * scr_colour_srgb(cut(c[k])) + 0.5);
}

double scr_colour_luminance(vec3 c)
{
    return 0.2126 * c.x + 0.7152 * c.y + 0.0722 * c.z;
}

static vec3 spline(vec3 a, vec3 b, vec3 c, vec3 d, double t)
{
    double t2 = t * t, t3 = t2 * t;
    vec3 sum = v3_scale(0.5 * (-t + 2 * t2 - t3), a);
    sum = v3_axpy(sum, 0.5 * (2 - 5 * t2 + 3 * t3), b);
    sum = v3_axpy(sum, 0.5 * (t + 4 * t2 - 3 * t3), c);
    return v3_axpy(sum, 0.5 * (t3 - t2), d);
}

vec3 scr_colour_map_at(const scr_colour_map *map, double s)
{
    if (isnan(s)) return scr_colour_of_hex(0x9a9a9a);
    double at = cut(s) * (POINTS - 1);
    int k = (int)fmin(floor(at), POINTS - 2);
    vec3 b = srgb_of_hex(map->point[k]), c = srgb_of_hex(map->point[k + 1]);
    // beyond the ends the neighbour is mirrored
    vec3 a = k > 0 ? srgb_of_hex(map->point[k - 1]) : v3_axpy(v3_scale(2, b), -1, c);
    vec3 d = k + 2 < POINTS ? srgb_of_hex(map->point[k + 2]) : v3_axpy(v3_scale(2, c), -1, b);
    vec3 e = spline(a, b, c, d, at - k);
    return linear_of_srgb(v3(cut(e.x), cut(e.y), cut(e.z)));
}

// a hue in turns, of middling lightness (HSL), as sRGB
static vec3 srgb_of_hue(double hue, double colourful, double light)
{
    double c[3];
    for (int k = 0; k < 3; k++) {
        double t = 6 * (hue - k / 3.0 - floor(hue - k / 3.0));
        double ramp = cut(fabs(t - 3) - 1);
        c[k] = light + colourful * (ramp - 0.5);
    }
    return v3(cut(c[0]), cut(c[1]), cut(c[2]));
}

vec3 scr_colour_category(int64_t n)
{
    static const uint32_t first[] = {0x4c7fb3, 0xe48b3c, 0x58a35c, 0xc9524f, 0x8f6db3,
                                     0x3eb1bb, 0xd67fb0, 0x8e6b54, 0xbdb440, 0x7d8792};
    if (n >= 0 && n < 10) return scr_colour_of_hex(first[n]);
    // golden angles, at three lightnesses
    double turns = 0.61803398874989485 * (double)n;
    int64_t level = ((n % 3) + 3) % 3;
    return linear_of_srgb(srgb_of_hue(turns - floor(turns), 0.52, 0.44 + 0.1 * (double)level));
}
