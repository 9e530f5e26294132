/* From rays to pixels.
 *
 * A pixel is the mean over a pattern of rays of which no two share a row or a column. What they meet becomes patches, a
 * few per pixel, and light is looked for once per patch: along few directions, others in each pixel of a block of four
 * by four. Pixels that show the same surface then share what they found, by how alike their normals are: the mean over
 * the block has all directions (interleaved sampling, Keller & Heidrich 2001). The picture is made in bands of rows, so
 * that memory does not grow with its height. */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "base/buffer.h"
#include "show/picture_stage.h"

#define BAND   64
#define BLOCK  4 /* the pattern turns once in BLOCK x BLOCK pixels */
#define BEFORE 1 /* rows above and columns left whose light is shared */
#define ROWS   (BAND + BLOCK - 1)

/* Relative differences of light that no eye sees: half a step of an 8-bit file. */
#define FLAT 0.003

typedef struct {
    float base[3];
    uint32_t first, count; /* patches, in those of its row */
} pixel;

/* A row of the band, traced. */
typedef struct {
    pixel *pixels;
    scr_patch *patches; /* of all its pixels, one after the other */
    size_t used;
    bool full; /* no memory */
} row;

/* ---- one pixel ---- */

// all rows and columns differ; the first rays are far apart
static void look(const scr_stage *stage, int x, int y, int ray, scr_gather *g)
{
    int n = stage->def->antialias, i = ray % n, j = ray / n;
    double px = (i + (j + 0.5) / n) / n, py = (j + (n - 1 - i + 0.5) / n) / n;
    scr_stage_look(stage, x + px, y + py, g);
}

// the rays so far met one surface, or none, away from its edges
static bool is_even(const scr_gather *g)
{
    if (!g->calm || g->count > 1 || g->high - g->low > FLAT * g->high) return false;
    return g->count == 0 || g->hits[0] == g->rays;
}

// corners first; where they agree the rest of the pattern is not needed
static void pixel_gather(const scr_stage *stage, int x, int y, scr_gather *g)
{
    int n = stage->def->antialias, last = n * n - 1;
    const int corner[4] = {0, last, n - 1, last - n + 1};
    int first = n == 1 ? 1 : n == 2 ? 2 : 4;
    g->count = g->rays = 0, g->base = v3(0, 0, 0), g->floors = 0;
    g->low = INFINITY, g->high = -INFINITY, g->calm = true;
    for (int k = 0; k < first; k++) look(stage, x, y, corner[k], g);
    if (is_even(g)) return;
    for (int k = first; k < 4 && n > 1; k++) look(stage, x, y, corner[k], g);
    for (int ray = 0; ray <= last && n > 2; ray++)
        if (ray && ray != n - 1 && ray != last - n + 1 && ray != last) look(stage, x, y, ray, g);
}

static void patch_finish(scr_patch *p, float part)
{
    float n2 = p->normal[0] * p->normal[0] + p->normal[1] * p->normal[1] + p->normal[2] * p->normal[2];
    float over = n2 > 0 ? 1 / sqrtf(n2) : 0;
    for (int k = 0; k < 3; k++) p->normal[k] *= over;
    p->cover *= part, p->matt *= part, p->turned *= part;
    p->mirror *= part, p->shine *= part;
}

static void pixel_trace(const scr_stage *stage, int x, int y, row *to)
{
    // neighbouring pixels turn the pattern far apart (Bayer 1973)
    static const int turn[SCR_TURNS] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    scr_gather g;
    pixel_gather(stage, x, y, &g);
    double part = 1.0 / g.rays;
    pixel *p = &to->pixels[x];
    *p = (pixel){{(float)(part * g.base.x), (float)(part * g.base.y), (float)(part * g.base.z)},
                 (uint32_t)to->used,
                 (uint32_t)g.count};
    if (!scr_reserve(&to->patches, to->used + SCR_PATCHES)) {
        to->full = true;
        p->count = 0;
        return;
    }
    for (int k = 0; k < g.count; k++) {
        scr_stage_illuminate(stage, k, turn[(y & 3) * 4 + (x & 3)], &g);
        patch_finish(&g.patches[k], (float)part);
        to->patches[to->used++] = g.patches[k];
    }
}

/* ---- sharing light ---- */

static float cosine_of(const scr_patch *a, const scr_patch *b)
{
    return a->normal[0] * b->normal[0] + a->normal[1] * b->normal[1] + a->normal[2] * b->normal[2];
}

/* Light is shared by how far two patches are one surface. The sky's is smooth; the sun's has edges, and is shared where
 * the surface hardly turns within the block: floors, flat sides, large grains. */
static void share(const scr_stage *stage, const scr_patch *patch, const scr_patch *other, scr_light *l, float *sun)
{
    float cosine = cosine_of(patch, other);
    bool same = patch->id == other->id;
    // neighbouring polygons of an even surface
    if (!same && !(cosine > 0.98f && scr_is_polygon(stage, patch->id) && scr_is_polygon(stage, other->id))) return;
    float weight = same ? cosine - 0.7f : 0.3f, strict = cosine - 0.985f;
    if (weight > 0) {
        l->rays += weight * other->light.rays, l->open += weight * other->light.open;
        l->open_up += weight * other->light.open_up;
        l->hidden_up += weight * other->light.hidden_up;
    }
    if (strict > 0) {
        strict *= other->cover;
        l->sun += strict * other->light.sun, *sun += strict;
    }
}

static scr_light shared_light(const scr_stage *stage, const scr_patch *patch, const row *rows, int at, int x,
                              const int reach[4])
{
    scr_light l = {0};
    float sun = 0;
    for (int j = at - reach[0]; j <= at + reach[1]; j++)
        for (int i = x - reach[2]; i <= x + reach[3]; i++) {
            const pixel *p = &rows[j].pixels[i];
            for (uint32_t k = p->first; k < p->first + p->count; k++)
                share(stage, patch, &rows[j].patches[k], &l, &sun);
        }
    l.sun = sun > 0 ? l.sun / sun : patch->light.sun;
    return l;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// row y of the picture, which is row `at` of the band
static void row_finish(const scr_stage *stage, scr_canvas *canvas, int y, const row *rows, int at)
{
    const int before = BEFORE, after = BLOCK - 1 - BEFORE;
    int width = canvas->width, height = canvas->height;
    for (int x = 0; x < width; x++) {
        const pixel *p = &rows[at].pixels[x];
        vec3 c = v3(p->base[0], p->base[1], p->base[2]);
        int reach[4] = {least(before, y), least(after, height - 1 - y), least(before, x), least(after, width - 1 - x)};
        for (uint32_t k = p->first; k < p->first + p->count; k++) {
            const scr_patch *patch = &rows[at].patches[k];
            scr_light l = shared_light(stage, patch, rows, at, x, reach);
            c = v3_add(c, scr_patch_colour(stage, patch, &l, y));
        }
        scr_colour_bytes(c, canvas->rgb + 3 * ((size_t)y * (size_t)width + (size_t)x));
    }
}

/* ---- the picture ---- */

static bool band_draw(const scr_stage *stage, scr_canvas *canvas, row rows[ROWS], int top, int threads)
{
    int first = top - least(BEFORE, top), end = least(top + BAND, canvas->height);
    int last = least(end + BLOCK - 1 - BEFORE, canvas->height);
    // each pixel depends on nothing but itself, so any schedule gives the same bytes
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (int y = first; y < last; y++) {
        row *r = &rows[y - first];
        r->used = 0;
        for (int x = 0; x < canvas->width; x++) pixel_trace(stage, x, y, r);
    }
    for (int k = 0; k < last - first; k++)
        if (rows[k].full) return false;
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)
    for (int y = top; y < end; y++) row_finish(stage, canvas, y, rows, y - first);
    return true;
}

bool scr_stage_draw(const scr_stage *stage, scr_canvas *canvas)
{
    int threads = stage->def->threads > 0 ? stage->def->threads : omp_get_max_threads();
    size_t width = (size_t)canvas->width;
    row rows[ROWS] = {0};
    pixel *pixels = scr_memory_new(width * ROWS, sizeof *pixels);
    for (int k = 0; k < ROWS && pixels; k++) rows[k].pixels = pixels + width * (size_t)k;
    bool ok = pixels != NULL;
    for (int top = 0; top < canvas->height && ok; top += BAND) ok = band_draw(stage, canvas, rows, top, threads);
    for (int k = 0; k < ROWS; k++) scr_buffer_free(rows[k].patches);
    scr_memory_free(pixels);
    return ok;
}
