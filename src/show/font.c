/* Draws strokes by distance: a pixel's ink is how far it lies inside the pen's width, one pixel
 * wide at the edge. Curves become short chords. Ink is laid over the picture in sRGB, where it
 * keeps an even weight on light and dark grounds. */
#include "show/font.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/buffer.h"

#define CAP_HEIGHT 14.0
#define LETTER_GAP 3.3
#define PI         3.14159265358979323846

/* ---- ink ---- */

static void ink_pixel(scr_canvas *canvas, int x, int y, double ink, const uint8_t rgb[3])
{
    uint8_t *p = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
    for (int k = 0; k < 3; k++) p[k] = (uint8_t)lrint(p[k] + ink * ((double)rgb[k] - p[k]));
}

/* Largest ink per pixel of one glyph, so that strokes that cross do not darken each other. */
typedef struct {
    int x0, y0, width, height;
    float *ink;
} stencil;

static int clamp_int(double value, int low, int high)
{
    return value < low ? low : value > high ? high : (int)value;
}

// clears the stencil to the given rectangle cut to the canvas; false when nothing is left
static bool stencil_open(stencil *s, const scr_canvas *canvas, double x0, double y0, double x1, double y1)
{
    if (!(x1 > x0 && y1 > y0)) return false;
    s->x0 = clamp_int(floor(x0), 0, canvas->width), s->y0 = clamp_int(floor(y0), 0, canvas->height);
    s->width = clamp_int(ceil(x1), 0, canvas->width) - s->x0;
    s->height = clamp_int(ceil(y1), 0, canvas->height) - s->y0;
    if (s->width <= 0 || s->height <= 0) return false;
    size_t count = (size_t)s->width * (size_t)s->height;
    // lost text is not a reason to lose a picture
    if (!scr_reserve(&s->ink, count)) return false;
    for (size_t k = 0; k < count; k++) s->ink[k] = 0;
    return true;
}

static double distance_to_segment(double x, double y, double ax, double ay, double bx, double by)
{
    double ux = bx - ax, uy = by - ay, length2 = ux * ux + uy * uy;
    double s = length2 > 0 ? ((x - ax) * ux + (y - ay) * uy) / length2 : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return hypot(x - ax - s * ux, y - ay - s * uy);
}

static void stencil_segment(stencil *s, double ax, double ay, double bx, double by, double pen)
{
    double reach = pen / 2 + 1;
    int x0 = clamp_int(floor(fmin(ax, bx) - reach) - s->x0, 0, s->width);
    int x1 = clamp_int(ceil(fmax(ax, bx) + reach) - s->x0, 0, s->width);
    int y0 = clamp_int(floor(fmin(ay, by) - reach) - s->y0, 0, s->height);
    int y1 = clamp_int(ceil(fmax(ay, by) + reach) - s->y0, 0, s->height);
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++) {
            double d = distance_to_segment(s->x0 + x + 0.5, s->y0 + y + 0.5, ax, ay, bx, by);
            // a pen thinner than a pixel covers at most its own width
            double ink = fmin(fmin(pen, 1), fmax(0, pen / 2 + 0.5 - d));
            float *at = &s->ink[(size_t)y * (size_t)s->width + (size_t)x];
            if (ink > *at) *at = (float)ink;
        }
}

static void stencil_print(const stencil *s, scr_canvas *canvas, const uint8_t rgb[3])
{
    for (int y = 0; y < s->height; y++)
        for (int x = 0; x < s->width; x++) {
            float ink = s->ink[(size_t)y * (size_t)s->width + (size_t)x];
            if (ink > 0) ink_pixel(canvas, s->x0 + x, s->y0 + y, ink, rgb);
        }
}

void scr_canvas_line(scr_canvas *canvas, double x0, double y0, double x1, double y1, double width, const uint8_t rgb[3])
{
    stencil s = {0};
    double reach = width / 2 + 1;
    if (stencil_open(&s, canvas, fmin(x0, x1) - reach, fmin(y0, y1) - reach, fmax(x0, x1) + reach,
                     fmax(y0, y1) + reach)) {
        stencil_segment(&s, x0, y0, x1, y1, width);
        stencil_print(&s, canvas, rgb);
    }
    scr_buffer_free(s.ink);
}

/* ---- strokes ---- */

typedef struct {
    stencil *out;
    double x, y, scale; /* where the glyph's origin lies, pixels per unit */
    double pen;
    bool down;
    double px, py; /* last point, in glyph units */
} plotter;

static void plot_to(plotter *p, double x, double y)
{
    if (p->down)
        stencil_segment(p->out, p->x + p->scale * p->px, p->y - p->scale * p->py, p->x + p->scale * x,
                        p->y - p->scale * y, p->pen);
    p->px = x, p->py = y, p->down = true;
}

static void plot_arc(plotter *p, const double a[6])
{
    int steps = (int)ceil(fabs(a[5] - a[4]) / 9);
    for (int k = 0; k <= steps; k++) {
        double angle = (a[4] + (a[5] - a[4]) * k / steps) * PI / 180;
        plot_to(p, a[0] + a[2] * cos(angle), a[1] + a[3] * sin(angle));
    }
}

static void plot_curve(plotter *p, const double c[6])
{
    double x0 = p->px, y0 = p->py;
    for (int k = 1; k <= 12; k++) {
        double t = k / 12.0, s = 1 - t;
        double w0 = s * s * s, w1 = 3 * s * s * t, w2 = 3 * s * t * t, w3 = t * t * t;
        plot_to(p, w0 * x0 + w1 * c[0] + w2 * c[2] + w3 * c[4], w0 * y0 + w1 * c[1] + w2 * c[3] + w3 * c[5]);
    }
}

static void plot_stroke(plotter *p, const char *stroke)
{
    while (*stroke) {
        char verb = *stroke++;
        double a[6] = {0};
        int wanted = verb == 'M' || verb == 'L' ? 2 : verb == 'A' || verb == 'C' ? 6 : 0;
        for (int k = 0; k < wanted; k++) {
            char *end;
            a[k] = strtod(stroke, &end);
            stroke = end;
        }
        if (verb == 'M' || verb == 'N') p->down = false;
        if (verb == 'M' || verb == 'L') plot_to(p, a[0], a[1]);
        if (verb == 'A') plot_arc(p, a);
        if (verb == 'C') plot_curve(p, a);
    }
}

/* ---- text ---- */

// one code point of UTF-8; a byte that fits nowhere stands for itself and shows as unknown
static uint32_t next_code(const char **text)
{
    const unsigned char *s = (const unsigned char *)*text;
    int more = s[0] >= 0xf0 ? 3 : s[0] >= 0xe0 ? 2 : s[0] >= 0xc0 ? 1 : 0;
    uint32_t code = more ? s[0] & (0x3fu >> more) : s[0];
    for (int k = 1; k <= more; k++) {
        if ((s[k] & 0xc0) != 0x80) {
            (*text)++;
            return 0xfffd;
        }
        code = code << 6 | (s[k] & 0x3fu);
    }
    *text += 1 + more;
    return code >= 0x80 && !more ? 0xfffd : code;
}

// raised digits and minus are drawn with the plain ones; 0 when `code` is none of them
static uint32_t raised(uint32_t code)
{
    if (code == 0xb9) return '1';
    if (code == 0xb2 || code == 0xb3) return '2' + (code - 0xb2);
    if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079)) return '0' + (code - 0x2070);
    return code == 0x207b ? 0x2212 : 0;
}

typedef struct {
    const scr_glyph *glyph;
    double scale, lift; /* [-], in units of the glyph grid */
} letter;

static letter letter_of(uint32_t code)
{
    uint32_t plain = raised(code);
    if (plain) return (letter){scr_glyph_of(plain), 0.58, 7.4};
    return (letter){scr_glyph_of(code), 1, 0};
}

double scr_text_width(const scr_font *font, const char *text)
{
    double width = 0;
    while (*text) {
        letter l = letter_of(next_code(&text));
        width += (l.glyph->width + LETTER_GAP) * l.scale;
    }
    return fmax(0, width - LETTER_GAP) * font->size / CAP_HEIGHT;
}

static void letter_draw(scr_canvas *canvas, stencil *s, const scr_font *font, letter l, double x, double y)
{
    double unit = font->size / CAP_HEIGHT, scale = unit * l.scale;
    plotter p = {.out = s, .x = x, .y = y - unit * l.lift, .scale = scale};
    p.pen = font->weight * font->size * (l.scale < 1 ? 0.8 : 1);
    double reach = p.pen + 2;
    if (!stencil_open(s, canvas, x - reach, p.y - 17 * scale - reach, x + l.glyph->width * scale + reach,
                      p.y + 6 * scale + reach))
        return;
    plot_stroke(&p, l.glyph->stroke);
    stencil_print(s, canvas, font->rgb);
}

void scr_text_draw(scr_canvas *canvas, const scr_font *font, double x, double y, const char *text)
{
    stencil s = {0};
    while (*text) {
        letter l = letter_of(next_code(&text));
        letter_draw(canvas, &s, font, l, x, y);
        x += (l.glyph->width + LETTER_GAP) * l.scale * font->size / CAP_HEIGHT;
    }
    scr_buffer_free(s.ink);
}
