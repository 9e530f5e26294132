/* Dense random packings: grains are scattered over the region, overlaps and all, and the overlaps
 * are relaxed (relax.h).
 *
 * With a given solid fraction that is all: below the density at which the grains jam, the overlaps
 * relax to nothing. To find where they jam, the grains start too large and shrink: after each
 * relaxation what is left, e = sqrt(E), falls in proportion to the distance from jamming (O'Hern et
 * al. 2003), so that two states tell where it will vanish, and the next one is tried a little above
 * that. The radii at the end are those asked for, times one factor; as many grains are taken that
 * the factor is near 1. Equal frictionless spheres jam at a solid fraction of 0.639 with six
 * contacts each, rattlers left out (O'Hern et al. 2003; Agnolin & Roux 2007).
 *
 * Then all may become smaller (`shrink`), so that hardly any touch and many are near. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "scene/generators.h"
#include "scene/relax.h"

#define PI 3.14159265358979323846

static const int64_t MOST_ITERATIONS = 20000; /* of one relaxation */
static const int MOST_STATES = 40;            /* on the way to one jammed packing */
static const int MOST_ROUNDS = 8;             /* to find how many grains there is room for */
static const double FIRST_FRACTION = 0.64;    /* guess of where it jams */
static const double FIRST_SCALE = 1.01;       /* and so much larger the grains start */
static const double NEAR_ONE = 0.01;          /* how far from 1 the factor may be */

typedef struct {
    scr_generator *g;
    scr_region region;
    scr_random start; /* the group's stream before anything was drawn */
    double *radii;    /* largest first */
    size_t count;
    double solid; /* volume of all */
    double scale; /* radii are times this now */
    scr_relax relax;
} packer;

static double ball_volume(double r)
{
    return 4 * PI / 3 * r * r * r;
}

static int largest_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double fraction_of(const packer *p)
{
    return p->scale * p->scale * p->scale * p->solid / p->region.volume;
}

// ---- grains ----

// grains whose volumes come nearest to this fraction of the region; at least one
static scree_status draw(packer *p, double fraction)
{
    double wanted = fraction * p->region.volume;
    double mean = 4 * PI / 3 * scr_grading_moment(&p->g->grading, 3);
    if (wanted / mean > SCR_MOST_GRAINS)
        return scr_fail(p->g->report, SCREE_E_INPUT, scr_generator_place(p->g, "region"),
                        "bodies.%s would have %.3g grains, at most %d are possible", p->g->group->name, wanted / mean,
                        SCR_MOST_GRAINS);
    p->g->random = p->start;
    p->count = 0;
    p->solid = 0;
    for (;;) {
        double r = scr_generator_radius(p->g);
        if (p->count && p->solid + 0.5 * ball_volume(r) > wanted) break;
        if (!scr_reserve(&p->radii, p->count + 1)) return SCREE_E_MEMORY;
        p->radii[p->count++] = r;
        p->solid += ball_volume(r);
    }
    qsort(p->radii, p->count, sizeof *p->radii, largest_first);
    return SCREE_OK;
}

static void set_scale(packer *p, double scale)
{
    p->scale = scale;
    for (size_t k = 0; k < p->count; k++) p->relax.place[4 * k + 3] = scale * p->radii[k];
}

// neighbours in space become neighbours in memory: large grains first, then along a Morton curve
typedef struct {
    uint64_t key;
    double place[4];
} keyed;

static int by_key(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->place[0] > y->place[0]) - (x->place[0] < y->place[0]);
}

static uint64_t key_of(const scr_region *region, const double *place, double largest)
{
    uint64_t key = (uint64_t)(ilogb(largest) - ilogb(place[3])) << 48;
    for (int d = 0; d < 3; d++) {
        double low = (&region->low.x)[d], high = (&region->high.x)[d];
        uint64_t c = (uint64_t)fmin(fmax((place[d] - low) / (high - low) * 1024, 0), 1023);
        for (int bit = 0; bit < 10; bit++) key |= (c >> bit & 1) << (3 * bit + d);
    }
    return key;
}

static bool sort_places(packer *p)
{
    keyed *all = scr_memory_new(p->count, sizeof *all);
    if (!all) return false;
    for (size_t k = 0; k < p->count; k++) {
        memcpy(all[k].place, p->relax.place + 4 * k, sizeof all[k].place);
        all[k].place[3] = p->radii[k];
        all[k].key = key_of(&p->region, all[k].place, p->radii[0]);
    }
    qsort(all, p->count, sizeof *all, by_key);
    for (size_t k = 0; k < p->count; k++) {
        memcpy(p->relax.place + 4 * k, all[k].place, sizeof all[k].place);
        p->radii[k] = all[k].place[3];
    }
    scr_memory_free(all);
    return true;
}

// a random place in the region, not within what is solid
static bool open_point(packer *p, double radius, vec3 *x)
{
    for (int tries = 0; tries < 100000; tries++) {
        if (!scr_region_point(&p->region, radius, &p->g->random, x)) return false;
        if (scr_generator_clear(p->g, *x, 0)) return true;
    }
    return false;
}

// random places, whatever is there; grains of earlier groups stay where they are
static scree_status scatter(packer *p)
{
    const scr_grains *earlier = p->g->grains;
    if (!scr_relax_reserve(&p->relax, p->count, earlier->count)) return SCREE_E_MEMORY;
    for (size_t k = 0; k < p->count + earlier->count; k++) {
        double *place = p->relax.place + 4 * k;
        vec3 x;
        if (k >= p->count) {
            x = earlier->items[k - p->count].position;
            place[3] = earlier->items[k - p->count].radius;
        } else if (!open_point(p, p->radii[k], &x)) {
            return scr_fail(p->g->report, SCREE_E_INPUT, scr_generator_place(p->g, "region"),
                            "a grain of bodies.%s of radius %g m does not fit into the region", p->g->group->name,
                            p->radii[k]);
        }
        v3_store(place, x);
    }
    return sort_places(p) ? SCREE_OK : SCREE_E_MEMORY;
}

static scree_status relax(packer *p, double scale, double tolerance, double rest)
{
    set_scale(p, scale);
    return scr_relax_run(&p->relax, tolerance, rest, MOST_ITERATIONS) ? SCREE_OK : SCREE_E_MEMORY;
}

// the images of a grain must not meet
static scree_status check_period(const packer *p)
{
    const scr_domain_def *domain = p->relax.domain;
    vec3 size = v3_sub(domain->box[1], domain->box[0]);
    double largest = p->g->grading.radius[1];
    for (int k = 0; k < 3; k++)
        if (domain->periodic[k] && (&size.x)[k] < 4.4 * largest)
            return scr_fail(p->g->report, SCREE_E_INPUT, scr_generator_place(p->g, NULL),
                            "the periodic axis %c is %g m long, too short to pack grains of "
                            "diameter %g m: at least 2.2 of them",
                            "xyz"[k], (&size.x)[k], 2 * largest);
    return SCREE_OK;
}

// ---- a given solid fraction ----

static void say_patience(const packer *p)
{
    if (p->count > 50000) scr_say("bodies.%s: packing %zu grains takes minutes", p->g->group->name, p->count);
}

static scree_status pack_to(packer *p, double fraction, double tolerance)
{
    scree_status status = draw(p, fraction);
    if (!status) say_patience(p);
    if (!status) status = scatter(p);
    if (!status) status = relax(p, 1, tolerance, 1e-4);
    if (status || p->relax.worst <= tolerance) return status;
    return scr_fail(p->g->report, SCREE_E_INPUT, scr_generator_place(p->g, "fraction"),
                    "bodies.%s.fraction is %g, but its grains jam before that: overlaps up to %.2g "
                    "of the smaller radius remain, %.2g are allowed; fraction: auto finds where "
                    "they jam",
                    p->g->group->name, fraction, p->relax.worst, tolerance);
}

// ---- jamming ----

/* What the search knows: the last two jammed states, and the largest scale that was loose. */
typedef struct {
    double scale, e;       /* last jammed */
    double before, e_then; /* the one before; 0 when there is none */
    double loose;          /* 0: none yet */
} search;

// where to look next: a little above where e would vanish, never below what was loose
static double next_scale(const search *s, double ratio, double *jam)
{
    double slope = s->before > 0 ? (s->e_then - s->e) / (s->before - s->scale) : 0;
    *jam = slope > 0 ? s->scale - s->e / slope : s->scale * 0.98;
    if (*jam < s->loose) *jam = s->loose;
    if (*jam < 0.9 * s->scale) *jam = 0.9 * s->scale;
    return *jam + ratio * (s->scale - *jam);
}

// shrinks the grains until they are at rest with no overlap beyond the tolerance; gives up when the
// radii would be far from those asked for and `may_retry`. *jam is where they jam.
static scree_status find_jam(packer *p, double tolerance, bool may_retry, double *jam)
{
    search s = {0};
    double scale = FIRST_SCALE;
    for (int n = 0; n < MOST_STATES; n++) {
        // near the end forces must balance well; what overlaps this little is loose
        double rest = s.scale > 0 && p->relax.worst < 0.02 ? 1e-3 : 1e-2, least = 0.03 * tolerance;
        scree_status status = relax(p, scale, least, rest);
        if (status) return status;
        if (p->relax.worst <= least) {
            s.loose = *jam = scale;
            // halfway to what jammed; when that was hardly larger it was not quite at rest
            if (s.scale - scale > 10 * tolerance) {
                scale = 0.5 * (scale + s.scale);
            } else {
                s.scale = s.before = 0;
                scale *= 1.002;
            }
            continue;
        }
        if (p->relax.worst <= tolerance) return SCREE_OK;
        s.before = s.scale, s.e_then = s.e;
        s.scale = scale, s.e = sqrt(p->relax.energy);
        // a third of the overlap each time, the last time as much as is needed
        scale = next_scale(&s, fmin(fmax(0.7 * tolerance / p->relax.worst, 0.3), 0.7), jam);
        if (may_retry && p->relax.worst < 0.05 && fabs(*jam - 1) > NEAR_ONE) return SCREE_OK;
    }
    return SCREE_OK;
}

// as many grains as jam with radii near those asked for
static scree_status pack_jammed(packer *p, double tolerance)
{
    double fraction = FIRST_FRACTION, jam = 1;
    for (int round = 1; round <= MOST_ROUNDS; round++) {
        scree_status status = draw(p, fraction);
        if (!status && round == 1) say_patience(p);
        if (!status) status = scatter(p);
        if (!status) status = find_jam(p, tolerance, round < MOST_ROUNDS, &jam);
        if (status || p->relax.worst <= tolerance) return status;
        fraction = jam * jam * jam * p->solid / p->region.volume;
    }
    return scr_fail(p->g->report, SCREE_E_INPUT, scr_generator_place(p->g, NULL),
                    "bodies.%s: %zu grains did not come to rest with overlaps below %.2g of the "
                    "smaller radius, %.2g remain; allow a larger tolerance or give a fraction",
                    p->g->group->name, p->count, tolerance, p->relax.worst);
}

static scree_status pack(packer *p)
{
    const scr_bodies_packing_def *def = p->g->group->variant_def;
    scree_status status = scr_generator_room(p->g, &def->region, &p->region);
    if (!status) status = check_period(p);
    if (!status)
        status = isnan(def->fraction) ? pack_jammed(p, def->tolerance) : pack_to(p, def->fraction, def->tolerance);
    if (status) return status;
    for (size_t k = 0; k < p->count; k++) {
        double *x = p->relax.place + 4 * k;
        v3_store(x, scr_space_wrap(&p->relax.space, v3_load(x)));
    }
    scr_say("bodies.%s: %zu grains packed to a solid fraction of %.4f, radii times %.5f, "
            "overlaps up to %.2g of the smaller radius, %.3g contacts per grain",
            p->g->group->name, p->count, fraction_of(p), p->scale, p->relax.worst,
            2 * (double)p->relax.contacts / (double)p->count);
    if (def->shrink == 0) return SCREE_OK;
    set_scale(p, (1 - def->shrink) * p->scale);
    scr_say("bodies.%s: all radii reduced by %g %%, to a solid fraction of %.4f", p->g->group->name, 100 * def->shrink,
            fraction_of(p));
    return SCREE_OK;
}

static scr_grain grain_at(const double *x)
{
    return (scr_grain){.position = v3_load(x), .radius = x[3], .density = NAN};
}

// ---- several ranks ----

/* All balls feel each other until they rest, and sums over them have one order: rank 0 packs, with some 300 bytes for
 * each, and others wait. Then runs of the packing go round the ranks, a few at a time. */

// what is there on all ranks, on rank 0
static void gather_earlier(scr_generator *g)
{
    scr_grains *grains = g->grains;
    const scr_grains_ranks *ranks = grains->ranks;
    uint64_t *counts = NULL;
    char *in = NULL;
    ranks->need(scr_reserve(&counts, (size_t)ranks->size));
    counts[0] = grains->there_count;
    size_t row = 4 * sizeof *grains->there;
    size_t count = ranks->trade(ranks->context, (const char *)grains->there, counts, row, &in);
    ranks->need(scr_reserve(&grains->items, count + 1));
    for (size_t k = 0; k < count; k++) {
        double x[4];
        memcpy(x, in + k * row, row);
        grains->items[k] = grain_at(x);
    }
    grains->count = count;
    scr_free_all(counts, in);
}

// grains from number `first` on, a run for each rank
static void hand_out(scr_generator *g, const double *place, size_t first, size_t count)
{
    const scr_grains_ranks *ranks = g->grains->ranks;
    uint64_t *counts = NULL;
    char *in = NULL;
    ranks->need(scr_reserve(&counts, (size_t)ranks->size));
    for (size_t r = 0; r < (size_t)ranks->size && !ranks->rank; r++) {
        size_t from = first + r * SCR_GRAINS_RUN, left = from < count ? count - from : 0;
        counts[r] = left < SCR_GRAINS_RUN ? left : SCR_GRAINS_RUN;
    }
    const char *out = place ? (const char *)(place + 4 * first) : NULL;
    size_t row = 4 * sizeof *place, mine = ranks->trade(ranks->context, out, counts, row, &in);
    g->grains->made = (int64_t)(first + (size_t)ranks->rank * SCR_GRAINS_RUN);
    for (size_t k = 0; k < mine; k++) {
        double x[4];
        memcpy(x, in + k * row, row);
        ranks->need(scr_generator_keep(g, grain_at(x), true));
    }
    scr_free_all(counts, in);
}

static scree_status pack_on_first(packer *p)
{
    scr_grains *grains = p->g->grains;
    const scr_grains_ranks *ranks = grains->ranks;
    gather_earlier(p->g);
    scree_status status = ranks->rank ? SCREE_OK : pack(p);
    grains->count = 0;
    int64_t told[2] = {(int64_t)p->count, status};
    ranks->add(ranks->context, told, 2);
    if (told[1]) return (scree_status)told[1];
    size_t count = (size_t)told[0], step = (size_t)ranks->size * SCR_GRAINS_RUN;
    ranks->need(scr_generator_reserve(p->g, count));
    for (size_t first = 0; first < count; first += step) hand_out(p->g, p->relax.place, first, count);
    grains->made = (int64_t)count;
    return SCREE_OK;
}

scree_status scr_generate_packing(scr_generator *g)
{
    packer p = {.g = g, .start = g->random, .scale = 1};
    p.relax.domain = scr_scene_def(g->scene, "domain");
    p.relax.region = &p.region;
    p.relax.obstacles = g->grains->obstacles;
    scree_status status = g->grains->ranks ? pack_on_first(&p) : pack(&p);
    if (!status && !g->grains->ranks) {
        if (!scr_generator_reserve(g, p.count)) status = SCREE_E_MEMORY;
        for (size_t k = 0; k < p.count && !status; k++) scr_generator_add(g, grain_at(p.relax.place + 4 * k));
    }
    scr_relax_deinit(&p.relax);
    scr_buffer_free(p.radii);
    return status;
}
