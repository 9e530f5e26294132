/* Title, time and colour bar, laid over the finished picture. All sizes follow the picture's. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/picture_stage.h"
#include "show/picture_ticks.h"

/* Everything that has a place, in pixels. */
typedef struct {
    double unit; /* one thousandth of the height, not too small */
    double margin;
    scr_font title, subtitle, label, caption;
    scr_ticks ticks;
    char head[200], power[32]; /* above the bar: what and unit; factor of the numbers */
    double bar_x, bar_top, bar_bottom, bar_width;
} layout;

static scr_font font_of(const scr_stage *stage, double size, double weight, double strength)
{
    // ink between the background and black or white
    double ink = stage->dark ? 245 : 22, paper = stage->dark ? 30 : 250;
    uint8_t tone = (uint8_t)(paper + strength * (ink - paper));
    scr_font font = {size, weight, {tone, tone, (uint8_t)(tone + (stage->dark ? 0 : 5))}};
    return font;
}

static void head_write(char *out, size_t size, const scr_picture_def *def)
{
    const char *what = def->legend_title ? def->legend_title : "";
    const char *unit = def->legend_unit ? def->legend_unit : "";
    if (*unit)
        snprintf(out, size, "%s%s[%s]", what, *what ? " " : "", unit);
    else
        snprintf(out, size, "%s", what);
}

static double label_width(const layout *l)
{
    double widest = 0;
    for (int k = 0; k < l->ticks.count; k++) widest = fmax(widest, scr_text_width(&l->label, l->ticks.label[k]));
    return widest;
}

// as wide as the longest name, in the middle of the height
static void categories_layout(const scr_picture_def *def, layout *l)
{
    double widest = 0;
    for (int k = 0; k < def->category_count; k++) widest = fmax(widest, scr_text_width(&l->label, def->category[k]));
    l->bar_width = 16 * l->unit;
    double column = fmax(l->bar_width + 12 * l->unit + widest, scr_text_width(&l->caption, l->head));
    l->bar_x = def->width - l->margin - fmin(column, 0.3 * def->width);
    l->bar_top = 0.5 * def->height - 14 * l->unit * def->category_count;
}

static layout layout_of(const scr_stage *stage)
{
    const scr_picture_def *def = stage->def;
    layout l = {.unit = fmax(0.5, fmin(def->height / 1000.0, def->width / 1400.0))};
    l.margin = 40 * l.unit;
    l.title = font_of(stage, 23 * l.unit, 0.135, 1);
    l.subtitle = font_of(stage, 16 * l.unit, 0.11, 0.68);
    l.label = font_of(stage, 14 * l.unit, 0.115, 0.85);
    l.caption = font_of(stage, 15 * l.unit, 0.125, 0.95);
    if (!stage->show_legend) return l;
    head_write(l.head, sizeof l.head, def);
    if (def->categories) {
        categories_layout(def, &l);
        return l;
    }
    l.ticks = scr_ticks_of(stage->low, stage->high, 5);
    if (l.ticks.exponent) scr_power_text(l.power, sizeof l.power, "\u00d710", l.ticks.exponent);
    l.bar_width = 20 * l.unit;
    double length = 0.44 * def->height;
    l.bar_top = 0.5 * (def->height - length) + 10 * l.unit;
    l.bar_bottom = l.bar_top + length;
    // the column is as wide as its widest text
    double column = l.bar_width + 14 * l.unit + label_width(&l);
    double caption = fmax(scr_text_width(&l.caption, l.head), scr_text_width(&l.label, l.power));
    column = fmax(column, fmin(caption, 0.12 * def->width));
    l.bar_x = def->width - l.margin - column;
    return l;
}

scr_frame scr_legend_frame(const scr_stage *stage)
{
    const scr_picture_def *def = stage->def;
    layout l = layout_of(stage);
    scr_frame f = {l.margin, l.margin, def->width - l.margin, def->height - l.margin};
    if (def->title && *def->title) f.top += 28 * l.unit;
    if (def->subtitle && *def->subtitle) f.top += 28 * l.unit;
    if (stage->show_legend) f.right = fmax(l.bar_x - l.margin, 0.5 * def->width);
    // a picture too small for its texts still has room for the scene
    f.top = fmin(f.top, 0.3 * def->height), f.left = fmin(f.left, 0.1 * def->width);
    f.right = fmax(f.right, 0.6 * def->width), f.bottom = fmax(f.bottom, 0.7 * def->height);
    return f;
}

/* ---- texts ---- */

// text with a rim of background around it, so that it can be read over grains
static void text_draw(const scr_stage *stage, scr_canvas *canvas, const scr_font *font, double x, double y,
                      const char *text)
{
    scr_font rim = *font;
    rim.weight += 5 * fmax(0.5, stage->def->height / 1000.0) / font->size;
    scr_colour_bytes(scr_stage_background(stage, y - 0.5 * font->size), rim.rgb);
    scr_text_draw(canvas, &rim, x, y, text);
    scr_text_draw(canvas, font, x, y, text);
}

/* ---- the bar ---- */

static double part_of(double a, double b, int pixel)
{
    return fmax(0, fmin(b, pixel + 1) - fmax(a, pixel));
}

// the colour at height y of the bar
static void bar_colour(const scr_stage *stage, const layout *l, double y, uint8_t rgb[3])
{
    double at = (l->bar_bottom - y) / (l->bar_bottom - l->bar_top);
    at = at < 0 ? 0 : at > 1 ? 1 : at;
    scr_colour_bytes(stage->colours[(int)(at * (SCR_COLOUR_STEPS - 1) + 0.5)], rgb);
}

// half the bar's width at height y: full along the scale, narrowing to a point beyond a cut end
static double bar_half(const scr_stage *stage, const layout *l, double y)
{
    double half = 0.5 * l->bar_width, tip = 0.9 * l->bar_width;
    if (y < l->bar_top) return stage->above ? half * fmax(0, 1 - (l->bar_top - y) / tip) : 0;
    if (y > l->bar_bottom) return stage->below ? half * fmax(0, 1 - (y - l->bar_bottom) / tip) : 0;
    return half;
}

static void bar_draw(const scr_stage *stage, const layout *l, scr_canvas *canvas)
{
    double middle = l->bar_x + 0.5 * l->bar_width;
    int first = (int)floor(l->bar_top - l->bar_width), last = (int)ceil(l->bar_bottom + l->bar_width);
    int left = (int)floor(l->bar_x), right = (int)ceil(l->bar_x + l->bar_width);
    for (int y = first < 0 ? 0 : first; y < last && y < canvas->height; y++) {
        double half = bar_half(stage, l, y + 0.5);
        uint8_t rgb[3];
        bar_colour(stage, l, y + 0.5, rgb);
        for (int x = left < 0 ? 0 : left; x < right && x < canvas->width; x++) {
            double ink = half > 0 ? part_of(middle - half, middle + half, x) : 0;
            uint8_t *p = canvas->rgb + 3 * ((size_t)y * (size_t)canvas->width + (size_t)x);
            for (int k = 0; k < 3; k++) p[k] = (uint8_t)lrint(p[k] + ink * (rgb[k] - p[k]));
        }
    }
}

// a thin line around the bar and its points
static void bar_outline(const scr_stage *stage, const layout *l, scr_canvas *canvas)
{
    double x0 = l->bar_x, x1 = l->bar_x + l->bar_width, xm = 0.5 * (x0 + x1);
    double tip = 0.9 * l->bar_width, pen = 1.3 * l->unit;
    double top = l->bar_top, bottom = l->bar_bottom;
    const uint8_t *ink = l->subtitle.rgb;
    scr_canvas_line(canvas, x0, top, x0, bottom, pen, ink);
    scr_canvas_line(canvas, x1, top, x1, bottom, pen, ink);
    double peak = stage->above ? top - tip : top, foot = stage->below ? bottom + tip : bottom;
    scr_canvas_line(canvas, x0, top, xm, peak, pen, ink);
    scr_canvas_line(canvas, xm, peak, x1, top, pen, ink);
    scr_canvas_line(canvas, x0, bottom, xm, foot, pen, ink);
    scr_canvas_line(canvas, xm, foot, x1, bottom, pen, ink);
}

static void ticks_draw(const scr_stage *stage, const layout *l, scr_canvas *canvas)
{
    double x = l->bar_x + l->bar_width, widest = label_width(l);
    for (int k = 0; k < l->ticks.count; k++) {
        double at = (l->ticks.value[k] - stage->low) / (stage->high - stage->low);
        double y = l->bar_bottom - at * (l->bar_bottom - l->bar_top);
        scr_canvas_line(canvas, x, y, x + 6 * l->unit, y, 1.3 * l->unit, l->subtitle.rgb);
        double shift = widest - scr_text_width(&l->label, l->ticks.label[k]);
        text_draw(stage, canvas, &l->label, x + 14 * l->unit + shift, y + 0.5 * l->label.size, l->ticks.label[k]);
    }
}

static void heads_draw(const scr_stage *stage, const layout *l, scr_canvas *canvas)
{
    double y = l->bar_top - 20 * l->unit - (stage->above ? 0.9 * l->bar_width : 0);
    if (l->power[0]) {
        text_draw(stage, canvas, &l->label, l->bar_x, y, l->power);
        y -= 30 * l->unit;
    }
    // a long head ends at the margin
    double width = scr_text_width(&l->caption, l->head);
    double x = fmin(l->bar_x, stage->def->width - l->margin - width);
    if (l->head[0]) text_draw(stage, canvas, &l->caption, x, y, l->head);
}

// a dot of colour and a name for each
static void categories_draw(const scr_stage *stage, const layout *l, scr_canvas *canvas)
{
    const scr_picture_def *def = stage->def;
    if (l->head[0]) text_draw(stage, canvas, &l->caption, l->bar_x, l->bar_top - 20 * l->unit, l->head);
    for (int k = 0; k < def->category_count; k++) {
        double y = l->bar_top + (28 * k + 14) * l->unit, half = 0.5 * l->bar_width;
        uint8_t rgb[3];
        scr_colour_bytes(scr_colour_category(k), rgb);
        scr_canvas_line(canvas, l->bar_x + half - 0.1, y, l->bar_x + half + 0.1, y, 2 * half, rgb);
        text_draw(stage, canvas, &l->label, l->bar_x + l->bar_width + 12 * l->unit, y + 0.5 * l->label.size,
                  def->category[k]);
    }
}

void scr_legend_draw(const scr_stage *stage, scr_canvas *canvas)
{
    const scr_picture_def *def = stage->def;
    layout l = layout_of(stage);
    double y = l.margin + l.title.size;
    if (def->title && *def->title) {
        text_draw(stage, canvas, &l.title, l.margin, y, def->title);
        y += 21 * l.unit + l.subtitle.size;
    }
    if (def->subtitle && *def->subtitle) text_draw(stage, canvas, &l.subtitle, l.margin, y, def->subtitle);
    // no bar where it would fill the picture
    if (!stage->show_legend || l.bar_x < 0.35 * def->width || def->height < 160) return;
    if (def->categories) {
        categories_draw(stage, &l, canvas);
        return;
    }
    bar_draw(stage, &l, canvas);
    bar_outline(stage, &l, canvas);
    ticks_draw(stage, &l, canvas);
    heads_draw(stage, &l, canvas);
}
