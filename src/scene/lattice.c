/* Grains on a lattice of given nearest-neighbour distance a, inside a region.
 *
 * Sites, counted from the first grain in the lower corner of the region's bounds:
 *   sc   a (i, j, k)
 *   fcc  a/sqrt(2) (i, j, k) with i + j + k even
 *   hcp  a (i + ((j + k) mod 2)/2, sqrt(3)/2 (j + (k mod 2)/3), sqrt(2/3) k)
 * Layers are filled from below. On periodic axes the lattice keeps inside the box as well: it would
 * not fit its own image. */
#include <string.h>

#include "base/buffer.h"
#include "scene/generators.h"

typedef struct {
    scr_lattice kind;
    double a;
    vec3 step; /* between lines of sites along x, y, z */
    vec3 origin;
    int64_t n[3];
} lattice;

static vec3 steps(scr_lattice kind, double a)
{
    if (kind == SCR_LATTICE_FCC) return v3_scale(a * sqrt(0.5), v3(1, 1, 1));
    if (kind == SCR_LATTICE_HCP) return v3(a, a * sqrt(0.75), a * sqrt(2.0 / 3));
    return v3(a, a, a);
}

// the site, or false where this kind of lattice has none
static bool site(const lattice *l, int64_t i, int64_t j, int64_t k, vec3 *p)
{
    double x = (double)i, y = (double)j, z = (double)k;
    if (l->kind == SCR_LATTICE_FCC && (i + j + k) % 2) return false;
    if (l->kind == SCR_LATTICE_HCP) {
        x += 0.5 * (double)((j + k) % 2);
        y += (double)(k % 2) / 3;
    }
    *p = v3_add(l->origin, v3(x * l->step.x, y * l->step.y, z * l->step.z));
    return true;
}

// a random point of the unit ball
static vec3 ball_point(scr_random *random)
{
    vec3 d;
    do {
        d.x = scr_random_between(random, -1, 1);
        d.y = scr_random_between(random, -1, 1);
        d.z = scr_random_between(random, -1, 1);
    } while (v3_dot(d, d) > 1);
    return d;
}

// a random shift of at most half the free gap, so that neighbours cannot meet; a grain at the
// border gets a few tries to stay inside, else its site
static vec3 shifted(scr_generator *g, const scr_region *region, vec3 p, double reach)
{
    for (int tries = 0; reach > 0 && tries < 16; tries++) {
        vec3 q = v3_axpy(p, reach, ball_point(&g->random));
        if (scr_region_holds(region, q, g->grading.radius[1], 0)) return q;
    }
    return p;
}

static scree_status lay_out(scr_generator *g, lattice *l, const scr_region *region)
{
    double r = g->grading.radius[1];
    l->step = steps(l->kind, l->a);
    l->origin = v3_add(region->low, v3(r, r, r));
    double sites = 1;
    for (int k = 0; k < 3; k++) {
        double room = (&region->high.x)[k] - (&region->low.x)[k] - 2 * r;
        double n = floor(room / (&l->step.x)[k] + 1e-9) + 1;
        if (n < 1)
            return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "region"),
                            "no grain of bodies.%s fits: the region is %g m wide along %c, the "
                            "largest diameter is %g m",
                            g->group->name, room + 2 * r, "xyz"[k], 2 * r);
        sites *= n;
        l->n[k] = n < 1e9 ? (int64_t)n : 1000000000;
    }
    // fcc leaves out every other site
    if (sites > 4.0 * SCR_MOST_GRAINS)
        return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "spacing"),
                        "the lattice of bodies.%s has %.3g sites in the region's bounds, at most "
                        "%.3g are possible",
                        g->group->name, sites, 4.0 * SCR_MOST_GRAINS);
    return SCREE_OK;
}

static scree_status report_none(const scr_generator *g)
{
    return scr_fail(g->report, SCREE_E_INPUT, scr_generator_place(g, "region"),
                    "no grain of bodies.%s fits inside its region", g->group->name);
}

static scree_status fill(scr_generator *g, const lattice *l, const scr_region *region, double jitter, int64_t most)
{
    const double slack = 1e-9 * g->grading.radius[1];
    const double reach = jitter * fmax(0, l->a - 2 * g->grading.radius[1]) / 2;
    int64_t made = 0, sites = l->n[0] * l->n[1] * l->n[2];
    if (!scr_generator_reserve(g, (size_t)(sites < most ? sites : most))) return SCREE_E_MEMORY;
    for (int64_t k = 0; k < l->n[2]; k++) {
        for (int64_t j = 0; j < l->n[1]; j++) {
            for (int64_t i = 0; i < l->n[0]; i++) {
                vec3 p;
                if (made == most) return SCREE_OK;
                if (!site(l, i, j, k, &p)) continue;
                if (!scr_region_holds(region, p, g->grading.radius[1], slack)) continue;
                scr_grain grain = {.radius = scr_generator_radius(g), .density = NAN};
                grain.position = shifted(g, region, p, reach);
                if (!scr_generator_add(g, grain)) return SCREE_E_MEMORY;
                made++;
            }
        }
    }
    return made ? SCREE_OK : report_none(g);
}

/* ---- layers in parallel, where nothing is drawn ---- */

typedef struct {
    const scr_generator *g;
    const lattice *lattice;
    const scr_region *region;
    size_t first;    /* place of the first grain that is kept */
    size_t from, to; /* those that are: all, or a part where there are ranks */
    size_t *start;   /* of each layer; at first how many it has in start[k + 1]. A buffer */
} layering;

static bool is_ours(const layering *l, size_t layer)
{
    const scr_grains_ranks *ranks = l->g->grains->ranks;
    return !ranks || layer % (size_t)ranks->size == (size_t)ranks->rank;
}

// of each layer how many, as the rank that has counted it says
static void share_counts(const layering *l, size_t layers)
{
    const scr_grains_ranks *ranks = l->g->grains->ranks;
    size_t size = (size_t)ranks->size, each = (layers + size - 1) / size, *own = NULL, *all = NULL;
    ranks->need(scr_reserve(&own, each) && scr_reserve(&all, each * size));
    for (size_t k = (size_t)ranks->rank; k < layers; k += size) own[k / size] = l->start[k + 1];
    ranks->gather(ranks->context, own, each * sizeof *own, all);
    for (size_t k = 0; k < layers; k++) l->start[k + 1] = all[k % size * each + k / size];
    scr_free_all(own, all);
}

// the grains of a layer; NULL: how many
static size_t fill_layer(const layering *l, size_t layer, const size_t *from)
{
    const double r = l->g->grading.radius[1], slack = 1e-9 * r;
    size_t made = 0;
    for (int64_t j = 0; j < l->lattice->n[1]; j++)
        for (int64_t i = 0; i < l->lattice->n[0]; i++) {
            scr_grain grain = {.radius = r, .density = NAN};
            if (!site(l->lattice, i, j, (int64_t)layer, &grain.position)) continue;
            if (!scr_region_holds(l->region, grain.position, r, slack)) continue;
            size_t number = from ? *from + made : 0;
            if (from && number >= l->to) return made;
            if (from && l->g->grains->ranks) grain.id = -1 - (int64_t)number;
            if (from && number >= l->from) scr_generator_put(l->g, l->first + number - l->from, grain);
            made++;
        }
    return made;
}

static void count_layer(void *context, size_t layer)
{
    const layering *l = context;
    if (is_ours(l, layer)) l->start[layer + 1] = fill_layer(l, layer, NULL);
}

static void place_layer(void *context, size_t layer)
{
    const layering *l = context;
    if (l->start[layer] < l->to && l->start[layer + 1] > l->from) fill_layer(l, layer, &l->start[layer]);
}

static scree_status fill_layers(scr_generator *g, const lattice *l, const scr_region *region, size_t most)
{
    size_t layers = (size_t)l->n[2];
    scr_grains_each *each = g->grains->each;
    const scr_grains_ranks *ranks = g->grains->ranks;
    layering all = {.g = g, .lattice = l, .region = region, .first = g->grains->count};
    bool room = scr_reserve(&all.start, layers + 1);
    if (ranks) ranks->need(room);
    if (!room) return SCREE_E_MEMORY;
    each(layers, count_layer, &all);
    if (ranks) share_counts(&all, layers);
    for (size_t k = 0; k < layers; k++) all.start[k + 1] += all.start[k];
    size_t made = all.start[layers] < most ? all.start[layers] : most;
    all.from = ranks ? made * (size_t)ranks->rank / (size_t)ranks->size : 0;
    all.to = ranks ? made * (size_t)(ranks->rank + 1) / (size_t)ranks->size : made;
    room = scr_reserve(&g->grains->items, all.first + all.to - all.from);
    if (room) each(layers, place_layer, &all);
    if (room) g->grains->count += all.to - all.from, g->grains->made += (int64_t)made;
    scr_buffer_free(all.start);
    return !room ? SCREE_E_MEMORY : made ? SCREE_OK : report_none(g);
}

scree_status scr_generate_lattice(scr_generator *g)
{
    const scr_bodies_lattice_def *def = g->group->variant_def;
    lattice l = {.kind = (scr_lattice)def->kind, .a = isnan(def->spacing) ? 2 * g->grading.radius[1] : def->spacing};
    scr_region region;
    scree_status status = scr_generator_region(g, &def->region, &region);
    if (!status) {
        // a missing border is not a reason to reach across: see the head of this file
        memset(region.endless, 0, sizeof region.endless);
        status = lay_out(g, &l, &region);
    }
    if (status) return status;
    int64_t most = def->count > 0 ? def->count : INT64_MAX;
    bool drawn = g->grading.radius[0] < g->grading.radius[1] || def->jitter * (l.a - 2 * g->grading.radius[1]) > 0;
    return drawn || !g->grains->each ? fill(g, &l, &region, def->jitter, most)
                                     : fill_layers(g, &l, &region, (size_t)most);
}
