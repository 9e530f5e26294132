/* The layout of a plot: title above, names of the axes at their ends, light lines at round numbers,
 * the legend to the right. Sizes are in units of which a picture has 720 by 440. */
#include "show/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/colour.h"
#include "show/picture_png.h"
#include "show/picture_ticks.h"
#include "show/plot_pen.h"

#define WIDTH  720.0
#define HEIGHT 440.0
#define INK    0x222426
#define FAINT  0xe4e6e8
#define SOFT   0x6a6e72

#define LABEL  8.2 /* heights of capitals */
#define NAME   9.0
#define TITLE  10.5
#define MARKER 2.6 /* radius of a point */
#define APART  9.0 /* points of a curve are not drawn nearer than this */
#define DASH   7.0
#define MOST   256 /* curves */

static const uint32_t palette[] = {0,        0x2a6fb4, 0xc83e3a, 0x2f9455, 0xdf8a1c, 0x7b57a5,
                                   0x222426, 0x8b9094, 0xe8c547, 0x3aa6a6, 0xd98cb3, 0x8c6239};
static const uint32_t cell_colours[] = {0xa9cbe8, 0xe9a9a3, 0xd9dcde}; /* 0, other, not-a-number */

typedef struct {
    double low, high; /* shown, after the logarithm */
    double from, to;  /* on the sheet */
    bool log;
    scr_ticks ticks;
} scale;

typedef struct {
    const scr_plot *plot;
    scr_pen *pen;
    scale x, y;
    uint32_t colour[MOST];
} sheet;

/* ---- scales ---- */

// the smallest step between numbers that follow each other: of a regular grid, its spacing
static double spacing_of(const double *values, size_t count)
{
    double least = INFINITY;
    for (size_t n = 1; n < count; n++)
        if (values[n] != values[n - 1]) least = fmin(least, fabs(values[n] - values[n - 1]));
    return isfinite(least) ? least : 0;
}

static double place_of(const scale *s, double value)
{
    double at = s->log ? log10(value) : value;
    return s->from + (at - s->low) / (s->high - s->low) * (s->to - s->from);
}

static bool can_show(const scale *s, double value)
{
    return isfinite(value) && (!s->log || value > 0);
}

static void decades(scale *s)
{
    s->ticks = (scr_ticks){.step = 1};
    int first = (int)ceil(s->low - 1e-9), last = (int)floor(s->high + 1e-9);
    int every = (last - first) / 8 + 1;
    for (int k = first; k <= last && s->ticks.count < SCR_TICKS_MAX; k += every) {
        s->ticks.value[s->ticks.count] = pow(10, k);
        if (k >= -3 && k <= 4)
            snprintf(s->ticks.label[s->ticks.count], sizeof s->ticks.label[0], "%g", pow(10, k));
        else
            scr_power_text(s->ticks.label[s->ticks.count], sizeof s->ticks.label[0], "10", k);
        s->ticks.count++;
    }
}

static void offer(scale *s, double value)
{
    if (!can_show(s, value)) return;
    double at = s->log ? log10(value) : value;
    s->low = fmin(s->low, at), s->high = fmax(s->high, at);
}

// whether a value lies between the ends that were given
static bool is_shown(const scr_plot_axis *axis, double value)
{
    return !(value < axis->low) && !(value > axis->high);
}

// what the curves need and a little more, unless the ends are given
static void set_scale(sheet *h, scale *s, const scr_plot_axis *axis, bool vertical)
{
    *s = (scale){.low = NAN, .high = NAN, .from = s->from, .to = s->to, .log = axis->log};
    bool cells = false;
    double map = 0;
    for (int k = 0; k < h->plot->curve_count; k++) {
        const scr_plot_curve *c = &h->plot->curves[k];
        cells |= c->style == SCR_PLOT_CELLS;
        if (c->style == SCR_PLOT_MAP) map = fmax(map, 0.5 * spacing_of(vertical ? c->y : c->x, c->count));
        for (size_t n = 0; n < c->count; n++)
            if (is_shown(&h->plot->x, c->x[n]) && is_shown(&h->plot->y, c->y[n]))
                offer(s, vertical ? c->y[n] : c->x[n]);
        for (size_t n = 0; vertical && c->style == SCR_PLOT_AREA && n < c->count; n++) offer(s, c->value[n]);
    }
    scr_range_widen(&s->low, &s->high);
    if (map > 0) s->low -= map, s->high += map;
    double margin = cells ? 0.06 : map > 0 ? 0 : vertical ? 0.05 : 0;
    double low = s->low - margin * (s->high - s->low), high = s->high + margin * (s->high - s->low);
    // zero is a good end
    if (!s->log && s->low >= 0 && low < 0) low = cells ? low : 0;
    s->low = low, s->high = high;
    if (can_show(s, axis->low)) s->low = s->log ? log10(axis->low) : axis->low;
    if (can_show(s, axis->high)) s->high = s->log ? log10(axis->high) : axis->high;
    if (!(s->high > s->low)) s->high = s->low + 1;
    if (s->log && s->high - s->low >= 1)
        decades(s);
    else
        s->ticks = scr_ticks_of(s->low, s->high, 6);
}

/* ---- the frame ---- */

static void draw_line(const sheet *h, double x0, double y0, double x1, double y1, double width, uint32_t rgb)
{
    h->pen->kind->stroke(h->pen, (scr_spot[]){{x0, y0}, {x1, y1}}, 2, width, rgb);
}

static void draw_text(const sheet *h, double x, double y, double size, double anchor, bool bold, uint32_t rgb,
                      const char *text)
{
    if (text && *text) h->pen->kind->text(h->pen, (scr_spot){x, y}, size, anchor, bold, rgb, text);
}

static double tick_place(const scale *s, int k)
{
    double value = s->ticks.value[k];
    // a logarithmic scale of less than a decade has even ticks of the exponent's own range
    return s->log && s->high - s->low < 1 ? s->from + (value - s->low) / (s->high - s->low) * (s->to - s->from)
                                          : place_of(s, value);
}

static void draw_grid(const sheet *h)
{
    // cells are a grid already
    for (int k = 0; k < h->plot->curve_count; k++)
        if (h->plot->curves[k].style == SCR_PLOT_CELLS || h->plot->curves[k].style == SCR_PLOT_MAP) return;
    for (int k = 0; k < h->x.ticks.count; k++) {
        double x = tick_place(&h->x, k);
        draw_line(h, x, h->y.from, x, h->y.to, 0.8, FAINT);
    }
    for (int k = 0; k < h->y.ticks.count; k++) {
        double y = tick_place(&h->y, k);
        draw_line(h, h->x.from, y, h->x.to, y, 0.8, FAINT);
    }
}

static void name_axis(const scr_plot_axis *axis, const scale *s, char *text, size_t size)
{
    char power[48] = "";
    if (s->ticks.exponent) scr_power_text(power, sizeof power, "\u00d710", s->ticks.exponent);
    snprintf(text, size, "%s%s%s", axis->label ? axis->label : "", *power ? "   " : "", power);
}

static void draw_frame(const sheet *h)
{
    const scale *x = &h->x, *y = &h->y;
    char name[200];
    draw_line(h, x->from, y->from, x->to, y->from, 1.1, INK);
    draw_line(h, x->from, y->from, x->from, y->to, 1.1, INK);
    for (int k = 0; k < x->ticks.count; k++) {
        double at = tick_place(x, k);
        draw_line(h, at, y->from, at, y->from + 4, 1.1, INK);
        draw_text(h, at, y->from + 8 + LABEL, LABEL, 0.5, false, INK, x->ticks.label[k]);
    }
    for (int k = 0; k < y->ticks.count; k++) {
        double at = tick_place(y, k);
        draw_line(h, x->from - 4, at, x->from, at, 1.1, INK);
        draw_text(h, x->from - 8, at + LABEL / 2, LABEL, 1, false, INK, y->ticks.label[k]);
    }
    name_axis(&h->plot->x, x, name, sizeof name);
    draw_text(h, 0.5 * (x->from + x->to), y->from + 34, NAME, 0.5, false, INK, name);
    name_axis(&h->plot->y, y, name, sizeof name);
    // where the numbers of the axis begin, above it
    draw_text(h, 22, y->to - 12, NAME, 0, false, INK, name);
    draw_text(h, 22, 22 + TITLE / 2, TITLE, 0, true, INK, h->plot->title);
}

/* ---- curves ---- */

/* Liang & Barsky 1984: the part of a segment within the frame. */
static bool clip(const sheet *h, scr_spot *a, scr_spot *b)
{
    double from = 0, to = 1, dx = b->x - a->x, dy = b->y - a->y;
    const double p[] = {-dx, dx, dy, -dy};
    const double q[] = {a->x - h->x.from, h->x.to - a->x, h->y.from - a->y, a->y - h->y.to};
    for (int k = 0; k < 4; k++) {
        if (p[k] == 0) {
            if (q[k] < 0) return false;
        } else if (p[k] < 0) {
            from = fmax(from, q[k] / p[k]);
        } else {
            to = fmin(to, q[k] / p[k]);
        }
    }
    if (from > to) return false;
    scr_spot start = *a;
    *a = (scr_spot){start.x + from * dx, start.y + from * dy};
    *b = (scr_spot){start.x + to * dx, start.y + to * dy};
    return true;
}

/* A line on its way: points that are drawn together. */
typedef struct {
    const sheet *h;
    scr_spot *points;
    size_t count, capacity;
    double width;
    uint32_t rgb;
} track;

static void track_end(track *t)
{
    if (t->count > 1) t->h->pen->kind->stroke(t->h->pen, t->points, t->count, t->width, t->rgb);
    t->count = 0;
}

static void track_segment(track *t, scr_spot a, scr_spot b)
{
    if (!clip(t->h, &a, &b)) {
        track_end(t);
        return;
    }
    const scr_spot *last = t->count ? &t->points[t->count - 1] : NULL;
    if (last && hypot(last->x - a.x, last->y - a.y) > 1e-6) track_end(t);
    if (!t->count) t->points[t->count++] = a;
    t->points[t->count++] = b;
    if (t->count + 2 > t->capacity) track_end(t);
}

static bool spot_of(const sheet *h, const scr_plot_curve *c, size_t n, scr_spot *at)
{
    if (!can_show(&h->x, c->x[n]) || !can_show(&h->y, c->y[n])) return false;
    *at = (scr_spot){place_of(&h->x, c->x[n]), place_of(&h->y, c->y[n])};
    return true;
}

static void draw_dashed(track *t, scr_spot a, scr_spot b, double *walked)
{
    double length = hypot(b.x - a.x, b.y - a.y), done = 0;
    while (done < length) {
        double phase = fmod(*walked, 2 * DASH), left = DASH - fmod(*walked, DASH);
        double piece = fmin(left, length - done), from = done / length, to = (done + piece) / length;
        if (phase < DASH)
            track_segment(t, (scr_spot){a.x + from * (b.x - a.x), a.y + from * (b.y - a.y)},
                          (scr_spot){a.x + to * (b.x - a.x), a.y + to * (b.y - a.y)});
        else
            track_end(t);
        done += piece + 1e-9, *walked += piece + 1e-9;
    }
}

static void draw_curve(const sheet *h, const scr_plot_curve *c, uint32_t rgb, scr_spot *room, size_t capacity)
{
    track t = {h, room, 0, capacity, c->style == SCR_PLOT_DASHES ? 1.5 : 1.7, rgb};
    scr_spot last = {0}, at;
    bool has = false;
    double walked = 0;
    for (size_t n = 0; n < c->count; n++) {
        if (!spot_of(h, c, n, &at)) {
            track_end(&t);
            has = false;
            continue;
        }
        // closer points than the eye tells apart are left out
        bool near = has && n + 1 < c->count && hypot(at.x - last.x, at.y - last.y) < 0.4;
        if (near) continue;
        if (has && c->style == SCR_PLOT_DASHES)
            draw_dashed(&t, last, at, &walked);
        else if (has)
            track_segment(&t, last, at);
        last = at, has = true;
    }
    track_end(&t);
}

static void draw_points(const sheet *h, const scr_plot_curve *c, uint32_t rgb)
{
    scr_spot last = {-1e9, -1e9}, at;
    for (size_t n = 0; n < c->count; n++) {
        if (!spot_of(h, c, n, &at)) continue;
        if (at.x < h->x.from - 0.5 || at.x > h->x.to + 0.5 || at.y > h->y.from + 0.5 || at.y < h->y.to - 0.5) continue;
        // a dense series shows as a row of points
        if (c->count > 200 && hypot(at.x - last.x, at.y - last.y) < APART) continue;
        h->pen->kind->dot(h->pen, at, MARKER, rgb);
        last = at;
    }
}

static double within(double a, double low, double high)
{
    return a < low ? low : a > high ? high : a;
}

/* ---- areas ---- */

// there along one border and back along the other; in pieces where it has more points than there is room
static void draw_area(const sheet *h, const scr_plot_curve *c, uint32_t rgb, scr_spot *room, size_t capacity)
{
    size_t most = capacity / 2, step = c->count / most + 1;
    size_t used = 0;
    for (size_t n = 0; n < c->count; n += step) {
        // the last point belongs to it, whatever the step
        size_t k = n + step < c->count ? n : c->count - 1;
        if (!can_show(&h->x, c->x[k]) || !isfinite(c->y[k]) || !isfinite(c->value[k])) continue;
        double x = within(place_of(&h->x, c->x[k]), h->x.from, h->x.to);
        room[used] = (scr_spot){x, within(place_of(&h->y, c->y[k]), h->y.to, h->y.from)};
        room[capacity - 1 - used++] = (scr_spot){x, within(place_of(&h->y, c->value[k]), h->y.to, h->y.from)};
    }
    memmove(room + used, room + capacity - used, used * sizeof *room);
    if (used > 1) h->pen->kind->fill(h->pen, room, 2 * used, rgb);
}

/* ---- cells ---- */

// half the distance to the next other value along an axis, below and above
static void reach(const scale *s, const double *values, size_t count, double value, double *low, double *high)
{
    double here = place_of(s, value), below = INFINITY, above = INFINITY;
    for (size_t n = 0; n < count; n++) {
        if (!can_show(s, values[n])) continue;
        double d = (place_of(s, values[n]) - here) * (s->to > s->from ? 1 : -1);
        if (d > 1e-6) above = fmin(above, d);
        if (d < -1e-6) below = fmin(below, -d);
    }
    if (!isfinite(below)) below = isfinite(above) ? above : 20;
    if (!isfinite(above)) above = below;
    *low = here - below / 2 * (s->to > s->from ? 1 : -1);
    *high = here + above / 2 * (s->to > s->from ? 1 : -1);
}

static void draw_cells(const sheet *h, const scr_plot_curve *c)
{
    scr_spot at;
    for (size_t n = 0; n < c->count; n++) {
        if (!spot_of(h, c, n, &at)) continue;
        double x0, x1, y0, y1;
        reach(&h->x, c->x, c->count, c->x[n], &x0, &x1);
        reach(&h->y, c->y, c->count, c->y[n], &y0, &y1);
        scr_spot low = {within(x0, h->x.from, h->x.to) + 0.5, within(y1, h->y.to, h->y.from) + 0.5};
        scr_spot high = {within(x1, h->x.from, h->x.to), within(y0, h->y.to, h->y.from)};
        int kind = isnan(c->value[n]) ? 2 : c->value[n] != 0;
        if (high.x > low.x && high.y > low.y) h->pen->kind->box(h->pen, low, high, cell_colours[kind]);
    }
}

/* ---- maps ---- */

#define SHADES 48 /* of the scale */

static void value_range(const scr_plot_curve *c, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (size_t n = 0; n < c->count; n++)
        if (isfinite(c->value[n])) *low = fmin(*low, c->value[n]), *high = fmax(*high, c->value[n]);
    if (!(*low <= *high)) *low = *high = 0;
    scr_range_widen(low, high);
}

static uint32_t shade(double s)
{
    uint8_t rgb[3];
    scr_colour_bytes(scr_colour_map_at(scr_colour_map_find("viridis"), s), rgb);
    return (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
}

static void draw_map(const sheet *h, const scr_plot_curve *c)
{
    double low, high, dx = 0.5 * spacing_of(c->x, c->count), dy = 0.5 * spacing_of(c->y, c->count);
    value_range(c, &low, &high);
    for (size_t n = 0; n < c->count; n++) {
        double x0 = within(place_of(&h->x, c->x[n] - dx), h->x.from, h->x.to);
        double x1 = within(place_of(&h->x, c->x[n] + dx), h->x.from, h->x.to);
        double y0 = within(place_of(&h->y, c->y[n] + dy), h->y.to, h->y.from);
        double y1 = within(place_of(&h->y, c->y[n] - dy), h->y.to, h->y.from);
        if (isfinite(c->value[n]) && x1 > x0 && y1 > y0)
            h->pen->kind->box(h->pen, (scr_spot){x0, y0}, (scr_spot){x1, y1},
                              shade((c->value[n] - low) / (high - low)));
    }
}

static void draw_shades(const sheet *h, const scr_plot_curve *c, double x, double y)
{
    double low, high, bottom = h->y.from - 10, top = y + 16;
    value_range(c, &low, &high);
    scr_ticks ticks = scr_ticks_of(low, high, 5);
    char name[200], power[48] = "";
    if (ticks.exponent) scr_power_text(power, sizeof power, "\u00d710", ticks.exponent);
    snprintf(name, sizeof name, "%.120s%s%s", c->label, *power ? "  " : "", power);
    draw_text(h, x, y, LABEL, 0, false, INK, name);
    for (int k = 0; k < SHADES; k++) {
        double y1 = bottom + (top - bottom) * k / SHADES, y0 = bottom + (top - bottom) * (k + 1) / SHADES;
        h->pen->kind->box(h->pen, (scr_spot){x, y0 - 0.3}, (scr_spot){x + 14, y1}, shade((k + 0.5) / SHADES));
    }
    for (int k = 0; k < ticks.count; k++) {
        double at = bottom + (top - bottom) * (ticks.value[k] - low) / (high - low);
        draw_line(h, x + 14, at, x + 18, at, 1.1, INK);
        draw_text(h, x + 22, at + LABEL / 2, LABEL, 0, false, SOFT, ticks.label[k]);
    }
}

/* ---- the legend ---- */

// the name of a kind of cells: before or after the bar
static void cell_name(const char *label, int kind, char *text, size_t size)
{
    const char *bar = strchr(label, '|');
    size_t length = kind || !bar ? strlen(label) : (size_t)(bar - label);
    if (kind) label = bar ? bar + 1 : "", length = strlen(label);
    while (length && *label == ' ') label++, length--;
    while (length && label[length - 1] == ' ') length--;
    snprintf(text, size, "%.*s", (int)length, label);
}

static double legend_width(const scr_plot *plot)
{
    double widest = 0;
    for (int k = 0; k < plot->curve_count; k++) {
        const scr_plot_curve *c = &plot->curves[k];
        for (int kind = 0; c->label && kind < (c->style == SCR_PLOT_CELLS ? 2 : 1); kind++) {
            char name[200];
            snprintf(name, sizeof name, "%s", c->label);
            if (c->style == SCR_PLOT_CELLS) cell_name(c->label, kind, name, sizeof name);
            widest = fmax(widest, scr_pen_width(LABEL, false, name));
        }
    }
    return widest > 0 ? widest + 44 : 0;
}

static void draw_key(const sheet *h, const scr_plot_curve *c, uint32_t rgb, double x, double y)
{
    scr_spot middle = {x + 12, y - LABEL / 2};
    if (c->style == SCR_PLOT_POINTS) {
        h->pen->kind->dot(h->pen, middle, MARKER, rgb);
    } else if (c->style == SCR_PLOT_DASHES) {
        draw_line(h, x, middle.y, x + 8, middle.y, 1.5, rgb);
        draw_line(h, x + 15, middle.y, x + 23, middle.y, 1.5, rgb);
    } else if (c->style == SCR_PLOT_AREA) {
        h->pen->kind->box(h->pen, (scr_spot){x + 4, y - LABEL - 1}, (scr_spot){x + 20, y + 2}, rgb);
    } else {
        draw_line(h, x, middle.y, x + 24, middle.y, 1.7, rgb);
    }
}

static void draw_legend(const sheet *h)
{
    double x = h->x.to + 18, y = h->y.to + LABEL + 4;
    for (int k = 0; k < h->plot->curve_count; k++) {
        const scr_plot_curve *c = &h->plot->curves[k];
        bool cells = c->style == SCR_PLOT_CELLS;
        if (c->style == SCR_PLOT_MAP && c->label) {
            draw_shades(h, c, x, y);
            continue;
        }
        for (int kind = 0; c->label && kind < (cells ? 2 : 1); kind++) {
            char name[200];
            snprintf(name, sizeof name, "%s", c->label);
            if (cells) {
                cell_name(c->label, kind, name, sizeof name);
                h->pen->kind->box(h->pen, (scr_spot){x + 6, y - LABEL - 1}, (scr_spot){x + 18, y + 2},
                                  cell_colours[kind]);
            } else {
                draw_key(h, c, h->colour[k], x, y);
            }
            draw_text(h, x + 32, y, LABEL, 0, false, SOFT, name);
            y += 2.2 * LABEL;
        }
    }
}

/* ---- all ---- */

static void choose_colours(sheet *h)
{
    int next = 0;
    for (int k = 0; k < h->plot->curve_count; k++) {
        int own = h->plot->curves[k].colour;
        if (!own && h->plot->curves[k].style != SCR_PLOT_CELLS) own = 1 + next++ % 5;
        h->colour[k] = palette[own];
    }
}

static void draw_all(sheet *h, scr_spot *room, size_t capacity)
{
    const scr_plot *p = h->plot;
    for (int k = 0; k < p->curve_count; k++)
        if (p->curves[k].style == SCR_PLOT_CELLS)
            draw_cells(h, &p->curves[k]);
        else if (p->curves[k].style == SCR_PLOT_MAP)
            draw_map(h, &p->curves[k]);
    draw_grid(h);
    for (int k = 0; k < p->curve_count; k++)
        if (p->curves[k].style == SCR_PLOT_AREA) draw_area(h, &p->curves[k], h->colour[k], room, capacity);
    for (int k = 0; k < p->curve_count; k++) {
        const scr_plot_curve *c = &p->curves[k];
        if (c->style == SCR_PLOT_POINTS) draw_points(h, c, h->colour[k]);
        if (c->style == SCR_PLOT_LINE || c->style == SCR_PLOT_DASHES) draw_curve(h, c, h->colour[k], room, capacity);
    }
    draw_frame(h);
    draw_legend(h);
}

// all of it with this pen; NULL: there was no memory for one
static scree_status draw_with(scr_pen *pen, const scr_plot *plot, scree_place at, scree_report *report)
{
    enum { ROOM = 4096 };
    sheet h = {.plot = plot, .pen = pen};
    scr_spot *room = malloc(ROOM * sizeof *room);
    if (!pen || !room || plot->curve_count > MOST) {
        free(room);
        if (pen) pen->kind->close(pen, NULL, false, report);
        return plot->curve_count > MOST
                   ? scr_fail(report, SCREE_E_INPUT, at, "%d curves, at most %d are drawn in one plot",
                              plot->curve_count, MOST)
                   : scr_no_memory_in(report, at.file, "a plot");
    }
    h.x.from = 66, h.x.to = WIDTH - 26 - legend_width(plot);
    h.y.from = HEIGHT - 54, h.y.to = 72;
    set_scale(&h, &h.x, &plot->x, false);
    set_scale(&h, &h.y, &plot->y, true);
    choose_colours(&h);
    draw_all(&h, room, ROOM);
    free(room);
    return SCREE_OK;
}

scree_status scr_plot_svg(const scr_plot *plot, char **text, scree_report *report)
{
    scr_pen *pen = scr_pen_svg(WIDTH, HEIGHT);
    scree_status status = draw_with(pen, plot, SCR_NOWHERE, report);
    *text = status ? NULL : scr_pen_svg_take(pen);
    return status || *text ? status : scr_no_memory(report, "a plot");
}

scree_status scr_plot_write(const scr_plot *plot, const char *path, bool force, scree_report *report)
{
    const char *dot = strrchr(path, '.');
    bool vector = dot && !strcmp(dot, ".svg"), pixels = dot && !strcmp(dot, ".png");
    if (!vector && !pixels)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "a plot is written as .svg or .png");
    scr_pen *pen = vector ? scr_pen_svg(WIDTH, HEIGHT) : scr_pen_png(WIDTH, HEIGHT);
    scree_status status = draw_with(pen, plot, (scree_place){.file = path}, report);
    return status ? status : pen->kind->close(pen, path, force, report);
}

// what is done with the path of each of the two files
static scree_status each_of_both(const scr_plot *plot, const char *stem, bool force, int *written, scree_report *report)
{
    static const char *const endings[] = {"svg", "png"};
    const scr_output_kind *const kinds[] = {&scr_svg_kind, &scr_png_kind};
    scree_status status = SCREE_OK;
    for (int k = 0; k < 2 && !status; k++) {
        char *path = NULL;
        if (asprintf(&path, "%s.%s", stem, endings[k]) < 0) return scr_no_memory(report, "a plot");
        status = plot ? scr_plot_write(plot, path, force, report) : scr_output_check(path, kinds[k], force, report);
        if (written) *written += !status;
        free(path);
    }
    return status;
}

scree_status scr_plot_check_both(const char *stem, bool force, scree_report *report)
{
    return each_of_both(NULL, stem, force, NULL, report);
}

scree_status scr_plot_write_both(const scr_plot *plot, const char *stem, bool force, int *written, scree_report *report)
{
    return each_of_both(plot, stem, force, written, report);
}
