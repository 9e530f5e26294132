/* From rays to pixels.
 *
 * A pixel is the average over a square pattern of rays. Floors are large and even, so that the eye
 * would find the turns of the light pattern on them: their light is averaged over the four by four
 * pixels in which the pattern turns once (interleaved sampling, Keller & Heidrich 2001). The
 * picture is made in bands of rows, so that memory does not grow with its height. */
#include <math.h>
#include <omp.h>

#include "base/memory.h"
#include "show/picture_stage.h"

#define BAND   128
#define BLOCK  4 /* the pattern turns once in BLOCK x BLOCK pixels */
#define BEFORE 1 /* rows above and columns left that a floor's light is averaged over */

/* Relative differences of light that no eye sees: half a step of an 8-bit file. */
#define FLAT 0.003

/* The averages of a pixel, before floors are lit. */
typedef struct {
    float base[3], floor[3];
    float shade; /* sum of light on the floor, by how much floor each ray sees */
    float weight;
} pixel;

typedef struct {
    vec3 base, floor, low, high;
    double shade, weight;
    int count;
} blend;

static void blend_ray(blend *b, const scr_stage *stage, int x, int y, int ray)
{
    // neighbouring pixels turn the pattern far apart (Bayer 1973)
    static const int turn[SCR_TURNS] = {0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5};
    int n = stage->def->antialias;
    scr_sample at = {ray, turn[(y & 3) * 4 + (x & 3)]};
    scr_seen s = scr_stage_trace(stage, x + (ray % n + 0.5) / n, y + (ray / n + 0.5) / n, at);
    vec3 c = v3_axpy(s.base, s.shade, s.floor);
    b->base = v3_add(b->base, s.base);
    b->floor = v3_add(b->floor, s.floor);
    b->weight += s.floor.y, b->shade += s.shade * s.floor.y;
    b->low = v3(fmin(b->low.x, c.x), fmin(b->low.y, c.y), fmin(b->low.z, c.z));
    b->high = v3(fmax(b->high.x, c.x), fmax(b->high.y, c.y), fmax(b->high.z, c.z));
    b->count++;
}

// corners first; where they agree, on open floor and background, the rest of the pattern is not
// needed
static pixel pixel_trace(const scr_stage *stage, int x, int y)
{
    int n = stage->def->antialias, last = n * n - 1;
    const int corner[4] = {0, n - 1, last - n + 1, last};
    blend b = {.low = {INFINITY, INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY, -INFINITY}};
    for (int k = 0; k < 4 && n > 2; k++) blend_ray(&b, stage, x, y, corner[k]);
    vec3 spread = v3_sub(b.high, b.low);
    bool flat = n > 2 && fmax(spread.x, fmax(spread.y, spread.z)) <= FLAT * b.high.y;
    for (int ray = 0; ray <= last && !flat; ray++) {
        bool done = ray == 0 || ray == n - 1 || ray == last - n + 1 || ray == last;
        if (n <= 2 || !done) blend_ray(&b, stage, x, y, ray);
    }
    double part = 1.0 / b.count;
    return (pixel){
        .base = {(float)(part * b.base.x), (float)(part * b.base.y), (float)(part * b.base.z)},
        .floor = {(float)(part * b.floor.x), (float)(part * b.floor.y), (float)(part * b.floor.z)},
        .shade = (float)(part * b.shade),
        .weight = (float)(part * b.weight),
    };
}

// the floor's light around column x of a row, its neighbours in the block taken together
static double floor_light(const pixel *row, int x, int width, int rows_before, int rows_after)
{
    double shade = 0, weight = 0;
    for (int j = -rows_before; j <= rows_after; j++)
        for (int i = x - BEFORE; i < x - BEFORE + BLOCK; i++) {
            if (i < 0 || i >= width) continue;
            const pixel *p = row + (ptrdiff_t)j * width + i;
            shade += p->shade, weight += p->weight;
        }
    return weight > 0 ? shade / weight : 1;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// row y of the picture, which lies at `row` in the band
static void row_finish(const scr_stage *stage, scr_canvas *canvas, int y, const pixel *row)
{
    int width = canvas->width, before = least(BEFORE, y);
    int after = least(BLOCK - 1 - BEFORE, stage->def->height - 1 - y);
    for (int x = 0; x < width; x++) {
        const pixel *p = row + x;
        double s = p->weight > 0 ? floor_light(row, x, width, before, after) : 0;
        vec3 c = v3(p->base[0] + s * p->floor[0], p->base[1] + s * p->floor[1],
                    p->base[2] + s * p->floor[2]);
        scr_colour_bytes(c, canvas->rgb + 3 * ((size_t)y * (size_t)width + (size_t)x));
    }
}

bool scr_stage_draw(const scr_stage *stage, scr_canvas *canvas)
{
    int width = canvas->width, height = canvas->height;
    int threads = stage->def->threads > 0 ? stage->def->threads : omp_get_max_threads();
    pixel *band = scr_memory_new((size_t)width * (BAND + BLOCK), sizeof *band);
    if (!band) return false;
    for (int top = 0; top < height; top += BAND) {
        int first = top - least(BEFORE, top), end = least(top + BAND, height);
        int last = least(end + BLOCK - 1 - BEFORE, height);
        // each pixel depends on nothing but itself, so any schedule gives the same bytes
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int y = first; y < last; y++)
            for (int x = 0; x < width; x++)
                band[(size_t)(y - first) * (size_t)width + (size_t)x] = pixel_trace(stage, x, y);
#pragma omp parallel for schedule(static) num_threads(threads)
        for (int y = top; y < end; y++)
            row_finish(stage, canvas, y, band + (size_t)(y - first) * (size_t)width);
    }
    scr_memory_free(band);
    return true;
}
