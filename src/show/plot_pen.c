#include "show/plot_pen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/font.h"
#include "show/markup.h"
#include "show/picture_png.h"

#define SCALE     2.0 /* pixels per unit of the sheet */
#define SVG_BEGIN "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Scree -->\n<svg "
#define CAPITAL   0.72 /* height of a capital over the font size, in the fonts browsers have */

static scr_font font_of(double size, bool bold, uint32_t rgb)
{
    scr_font font = {size, bold ? 0.15 : 0.115, {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb}};
    return font;
}

double scr_pen_width(double size, bool bold, const char *text)
{
    scr_font font = font_of(size, bold, 0);
    return scr_text_width(&font, text);
}

/* ---- SVG ---- */

typedef struct {
    scr_pen pen;
    char *text;
    size_t size;
    FILE *out;
} svg;

static void svg_stroke(scr_pen *pen, const scr_spot *points, size_t count, double width, uint32_t rgb)
{
    FILE *out = ((svg *)pen)->out;
    fprintf(out, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.4g\" points=\"", rgb, width);
    for (size_t k = 0; k < count; k++) fprintf(out, "%s%.2f,%.2f", k ? " " : "", points[k].x, points[k].y);
    fprintf(out, "\"/>\n");
}

static void svg_dot(scr_pen *pen, scr_spot at, double radius, uint32_t rgb)
{
    fprintf(((svg *)pen)->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.4g\" fill=\"#%06x\"/>\n", at.x, at.y, radius,
            rgb);
}

static void svg_box(scr_pen *pen, scr_spot low, scr_spot high, uint32_t rgb)
{
    fprintf(((svg *)pen)->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"#%06x\"/>\n", low.x,
            low.y, high.x - low.x, high.y - low.y, rgb);
}

static void svg_text(scr_pen *pen, scr_spot at, double size, double anchor, bool bold, uint32_t rgb, const char *text)
{
    FILE *out = ((svg *)pen)->out;
    const char *where = anchor <= 0 ? "start" : anchor >= 1 ? "end" : "middle";
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.4g\" text-anchor=\"%s\"%s fill=\"#%06x\">", at.x, at.y,
            size / CAPITAL, where, bold ? " font-weight=\"600\"" : "", rgb);
    scr_markup_write(out, text);
    fputs("</text>\n", out);
}

static void svg_fill(scr_pen *pen, const scr_spot *points, size_t count, uint32_t rgb)
{
    FILE *out = ((svg *)pen)->out;
    fprintf(out, "<polygon fill=\"#%06x\" points=\"", rgb);
    for (size_t k = 0; k < count; k++) fprintf(out, "%s%.2f,%.2f", k ? " " : "", points[k].x, points[k].y);
    fprintf(out, "\"/>\n");
}

char *scr_pen_svg_take(scr_pen *pen)
{
    svg *s = (svg *)pen;
    fprintf(s->out, "</g>\n</svg>\n");
    char *text = NULL;
    if (fclose(s->out))
        free(s->text);
    else
        text = s->text;
    free(s);
    return text;
}

static bool is_svg(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, SVG_BEGIN);
}

const scr_output_kind scr_svg_kind = {.what = "a plot by Scree (SVG)", .is = is_svg};

static scree_status svg_close(scr_pen *pen, const char *path, bool force, scree_report *report)
{
    char *text = scr_pen_svg_take(pen);
    if (!text) return scr_no_memory(report, "a plot");
    scree_status status = SCREE_OK;
    if (path) status = scr_output_write(path, &scr_svg_kind, force, text, strlen(text), report);
    free(text);
    return status;
}

scr_pen *scr_pen_svg(double width, double height)
{
    static const scr_pen_kind kind = {svg_stroke, svg_dot, svg_box, svg_fill, svg_text, svg_close};
    svg *s = calloc(1, sizeof *s);
    if (!s || !(s->out = open_memstream(&s->text, &s->size))) {
        free(s);
        return NULL;
    }
    s->pen.kind = &kind;
    fprintf(s->out,
            SVG_BEGIN "xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" height=\"%g\" "
                      "viewBox=\"0 0 %g %g\">\n"
                      "<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n"
                      "<g font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
                      "stroke-linecap=\"round\" stroke-linejoin=\"round\">\n",
            width, height, width, height, width, height);
    return &s->pen;
}

/* ---- pixels ---- */

typedef struct {
    scr_pen pen;
    scr_canvas canvas;
} png;

static void png_stroke(scr_pen *pen, const scr_spot *points, size_t count, double width, uint32_t rgb)
{
    scr_font ink = font_of(1, false, rgb);
    for (size_t k = 1; k < count; k++)
        scr_canvas_line(&((png *)pen)->canvas, SCALE * points[k - 1].x, SCALE * points[k - 1].y, SCALE * points[k].x,
                        SCALE * points[k].y, SCALE * width, ink.rgb);
}

static void png_dot(scr_pen *pen, scr_spot at, double radius, uint32_t rgb)
{
    scr_font ink = font_of(1, false, rgb);
    scr_canvas_line(&((png *)pen)->canvas, SCALE * at.x, SCALE * at.y, SCALE * at.x, SCALE * at.y, 2 * SCALE * radius,
                    ink.rgb);
}

static int pixel_of(double at, int most)
{
    long k = lrint(SCALE * at);
    return k < 0 ? 0 : k > most ? most : (int)k;
}

static void png_box(scr_pen *pen, scr_spot low, scr_spot high, uint32_t rgb)
{
    scr_canvas *c = &((png *)pen)->canvas;
    scr_font ink = font_of(1, false, rgb);
    int left = pixel_of(low.x, c->width), right = pixel_of(high.x, c->width);
    for (int y = pixel_of(low.y, c->height); y < pixel_of(high.y, c->height); y++)
        for (int x = left; x < right; x++) memcpy(c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x), ink.rgb, 3);
}

static void png_row(scr_canvas *c, int y, double from, double to, const uint8_t rgb[3])
{
    int left = (int)fmax(ceil(from - 0.5), 0), right = (int)fmin(floor(to + 0.5), c->width);
    for (int x = left; x < right; x++) memcpy(c->rgb + 3 * ((size_t)y * (size_t)c->width + (size_t)x), rgb, 3);
}

// rows of pixels between crossings of the border, taken by twos
static void png_fill(scr_pen *pen, const scr_spot *points, size_t count, uint32_t rgb)
{
    enum { MOST = 256 };
    scr_canvas *c = &((png *)pen)->canvas;
    scr_font ink = font_of(1, false, rgb);
    for (int y = 0; y < c->height; y++) {
        double cut[MOST], at = (y + 0.5) / SCALE;
        int cuts = 0;
        for (size_t k = 0; k < count && cuts < MOST; k++) {
            scr_spot a = points[k], b = points[(k + 1) % count];
            if ((a.y <= at) == (b.y <= at)) continue;
            double x = SCALE * (a.x + (at - a.y) / (b.y - a.y) * (b.x - a.x));
            int place = cuts++;
            for (; place > 0 && cut[place - 1] > x; place--) cut[place] = cut[place - 1];
            cut[place] = x;
        }
        for (int k = 0; k + 1 < cuts; k += 2) png_row(c, y, cut[k], cut[k + 1], ink.rgb);
    }
}

static void png_text(scr_pen *pen, scr_spot at, double size, double anchor, bool bold, uint32_t rgb, const char *text)
{
    scr_font font = font_of(SCALE * size, bold, rgb);
    double width = scr_text_width(&font, text);
    scr_text_draw(&((png *)pen)->canvas, &font, SCALE * at.x - anchor * width, SCALE * at.y, text);
}

static scree_status png_close(scr_pen *pen, const char *path, bool force, scree_report *report)
{
    png *p = (png *)pen;
    scree_status status = path ? scr_png_write(&p->canvas, path, force, report) : SCREE_OK;
    scr_memory_free(p->canvas.rgb);
    free(p);
    return status;
}

scr_pen *scr_pen_png(double width, double height)
{
    static const scr_pen_kind kind = {png_stroke, png_dot, png_box, png_fill, png_text, png_close};
    png *p = calloc(1, sizeof *p);
    int w = (int)(SCALE * width), h = (int)(SCALE * height);
    uint8_t *rgb = p ? scr_memory_new((size_t)w * (size_t)h, 3) : NULL;
    if (!rgb) {
        free(p);
        return NULL;
    }
    memset(rgb, 255, 3 * (size_t)w * (size_t)h);
    *p = (png){{&kind}, {w, h, rgb}};
    return &p->pen;
}
