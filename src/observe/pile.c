/* Angles of piles from their columns. Seen from above the grains are divided into square columns, and the highest
 * grain of each makes the surface there.
 *
 * `pile`: the mean profile of a slice: for each step s down the flank the mean over the columns of the slice of their
 * highest points, empty columns counting as the ground. The angle is that of the line fitted to the profile where it
 * is between fractions of the pile's height. Long piles are cut into slices along the crest; both flanks of each count.
 *
 * `tops`: one line through the centres of the highest grains of all columns, and how high grains are lifted.
 *
 * Neither turns its columns with the slope nor leaves out points that are off, as `heap` and `slope` do (surface.h):
 * these are the measures that papers use. `network` leaves out grains that do not hang together with the most
 * others, by contacts or in one aggregate. */
#include "observe/pile.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "math/elementary.h"

#define MOST_CELLS 100000000.0

// what both kinds say
typedef struct {
    char *group;
    vec3 up; // zero: against gravity
    vec3 box[2];
    double cell; // NAN: mean diameter
    vec3 direction, center;
    bool network;
} common_def;

typedef struct {
    common_def common;
    double base; // NAN: the lowest grain
    double slice, trim, beyond;
    double crest[2]; // NAN: the highest of the profile
    double window[2];
    int sides; // 0: one, 1: both
} pile_def;

/* ---- grains ---- */

// s down the flank, t along the crest, z up, from `center`
typedef struct {
    double s, t, z, r;
} grain;

typedef struct {
    grain *grains;
    size_t count;
    double cell, bottom, highest; // highest centre of all that hang together, inside the box or not
    double network;               // part of the grains
    double first, last;           // range of t: of the box, or of the domain
    double front;                 // largest t of all grains
} heap;

static uint32_t root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root(parent, a), b = root(parent, b);
    // the smaller number is the root: the same whatever the order of contacts
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// one for each grain of the largest network; NULL: no memory
static uint8_t *main_network(const scr_scene_view *view)
{
    const scr_bodies *b = &view->world->bodies;
    size_t n = b->table.count;
    uint32_t *parent = scr_memory_new(n + 1, sizeof *parent);
    uint32_t *size = scr_memory_new(n + 1, sizeof *size);
    uint8_t *inside = scr_memory_new(n + 1, sizeof *inside);
    uint32_t best = 0, *of_carrier = NULL;
    int32_t carriers = 0;
    for (size_t i = 0; i < n; i++)
        if (b->carrier[i] > carriers) carriers = b->carrier[i];
    of_carrier = scr_memory_new((size_t)carriers + 1, sizeof *of_carrier);
    bool good = parent && size && inside && of_carrier;
    for (size_t i = 0; good && i < n; i++) parent[i] = (uint32_t)i;
    for (size_t k = 0; good && k < view->row_count; k++)
        if (view->rows[k].body[1] >= 0) join(parent, (uint32_t)view->rows[k].body[0], (uint32_t)view->rows[k].body[1]);
    // grains of one aggregate hold together
    for (size_t i = 0; good && i < n; i++) {
        uint32_t *known = &of_carrier[b->carrier[i]];
        if (b->carrier[i] <= 0) continue;
        if (*known) join(parent, *known - 1, (uint32_t)i);
        *known = (uint32_t)i + 1;
    }
    for (size_t i = 0; good && i < n; i++) size[root(parent, (uint32_t)i)]++;
    for (uint32_t i = 1; good && i < n; i++)
        if (size[i] > size[best]) best = i;
    for (size_t i = 0; good && i < n; i++) inside[i] = root(parent, (uint32_t)i) == best;
    scr_memory_free(parent), scr_memory_free(size), scr_memory_free(of_carrier);
    if (!good) scr_memory_free(inside), inside = NULL;
    return inside;
}

static void axes(const scr_world *w, const common_def *def, vec3 *along, vec3 *crest, vec3 *up)
{
    *up = scr_observer_up(w, def->up);
    *along = v3_unit(v3_axpy(def->direction, -v3_dot(def->direction, *up), *up));
    *crest = v3_cross(*along, *up);
}

// the range of the box along the crest: corners of a box along the axes
static void crest_range(vec3 center, vec3 crest, vec3 lower, vec3 upper, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (int k = 0; k < 8; k++) {
        vec3 corner = v3(k & 1 ? upper.x : lower.x, k & 2 ? upper.y : lower.y, k & 4 ? upper.z : lower.z);
        double t = v3_dot(v3_sub(corner, center), crest);
        *low = fmin(*low, t), *high = fmax(*high, t);
    }
}

static bool gather(const scr_scene_view *view, const common_def *def, heap *h)
{
    const scr_world *w = view->world;
    const scr_bodies *b = &w->bodies;
    int group = scr_observer_group(w, def->group);
    bool whole = def->box[0].x >= def->box[1].x;
    vec3 lower, upper, along, crest, up;
    double radius = 0, seen = 0, inside = 0;
    *h = (heap){.bottom = INFINITY, .highest = -INFINITY, .front = -INFINITY};
    axes(w, def, &along, &crest, &up);
    scr_observer_box(w, def->box, &lower, &upper);
    crest_range(def->center, crest, lower, upper, &h->first, &h->last);
    uint8_t *network = def->network ? main_network(view) : NULL;
    h->grains = scr_memory_new(b->table.count + 1, sizeof *h->grains);
    bool good = h->grains && (network || !def->network);
    for (size_t i = 0; good && i < b->table.count; i++) {
        const double *x = b->place + 4 * i;
        if (!scr_observer_sees(w, group, i)) continue;
        seen++, radius += x[3];
        if (network && !network[i]) continue;
        vec3 d = v3_sub(v3_load(x), def->center);
        grain g = {v3_dot(d, along), v3_dot(d, crest), v3_dot(d, up), x[3]};
        inside++;
        h->highest = fmax(h->highest, g.z), h->front = fmax(h->front, g.t);
        h->bottom = fmin(h->bottom, g.z - g.r);
        if (whole || (x[0] >= lower.x && x[0] <= upper.x && x[1] >= lower.y && x[1] <= upper.y && x[2] >= lower.z &&
                      x[2] <= upper.z))
            h->grains[h->count++] = g;
    }
    h->network = seen > 0 ? inside / seen : NAN;
    h->cell = isnan(def->cell) ? 2 * radius / seen : def->cell;
    scr_memory_free(network);
    return good;
}

/* ---- lines ---- */

typedef struct {
    double n, x, y, xx, xy;
} line_sums;

static void line_add(line_sums *m, double x, double y)
{
    m->n++, m->x += x, m->y += y, m->xx += x * x, m->xy += x * y;
}

// [deg], positive where it rises; NAN: too few points
static double line_angle(const line_sums *m, int least)
{
    double xx = m->xx - m->x * m->x / m->n, xy = m->xy - m->x * m->y / m->n;
    return m->n >= least && xx > 0 ? scr_atan(xy / xx) * (180 / M_PI) : NAN;
}

/* ---- profiles of slices ---- */

// heights of the columns of a slice: `steps` by `wide`, from step `first` on
typedef struct {
    double *top, *profile;
    int64_t first;
    size_t steps, wide;
} columns;

static size_t clip(double k, size_t count)
{
    return k < 0 ? 0 : k >= (double)count ? count - 1 : (size_t)k;
}

static bool columns_reserve(columns *c, const heap *h, double slice)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t k = 0; k < h->count; k++) {
        double step = floor(h->grains[k].s / h->cell);
        low = fmin(low, step), high = fmax(high, step);
    }
    double wide = fmax(rint(slice / h->cell), 1);
    *c = (columns){0};
    if (!h->count || !((high - low + 1) * wide < MOST_CELLS)) return true;
    c->first = (int64_t)low, c->steps = (size_t)(high - low + 1), c->wide = (size_t)wide;
    c->top = scr_memory_new(c->steps * c->wide, sizeof *c->top);
    c->profile = scr_memory_new(c->steps, sizeof *c->profile);
    return c->top && c->profile;
}

// the mean profile of the grains with t from `low` to `high`, above the base
static void profile_of(const heap *h, columns *c, double low, double high, double base)
{
    memset(c->top, 0, c->steps * c->wide * sizeof *c->top);
    for (size_t k = 0; k < h->count; k++) {
        const grain *g = &h->grains[k];
        if (g->t < low || g->t > high) continue;
        size_t i = clip(floor(g->s / h->cell) - (double)c->first, c->steps);
        size_t j = clip(floor((g->t - low) / h->cell), c->wide);
        double *top = &c->top[i * c->wide + j];
        *top = fmax(*top, g->z + g->r - base);
    }
    for (size_t i = 0; i < c->steps; i++) {
        double sum = 0;
        for (size_t j = 0; j < c->wide; j++) sum += c->top[i * c->wide + j];
        c->profile[i] = sum / (double)c->wide;
    }
}

static double step_middle(const columns *c, const heap *h, size_t i)
{
    return ((double)c->first + (double)i + 0.5) * h->cell;
}

// median of the profile over the crest, or its highest point
static double pile_height(const pile_def *d, const heap *h, const columns *c)
{
    double most = 0, values[64];
    int n = 0;
    for (size_t i = 0; i < c->steps; i++) {
        double s = step_middle(c, h, i);
        most = fmax(most, c->profile[i]);
        if (s < d->crest[0] || s > d->crest[1] || n >= 64) continue;
        // kept in order
        int k = n++;
        for (; k > 0 && values[k - 1] > c->profile[i]; k--) values[k] = values[k - 1];
        values[k] = c->profile[i];
    }
    if (!(d->crest[0] < d->crest[1])) return most;
    return n ? 0.5 * (values[(n - 1) / 2] + values[n / 2]) : NAN;
}

// the angle of one flank; side 1: s > 0
static double flank(const pile_def *d, const heap *h, const columns *c, double height, int side)
{
    line_sums m = {0};
    for (size_t i = 0; i < c->steps; i++) {
        double s = side * step_middle(c, h, i), z = c->profile[i];
        if (s > d->beyond && z > d->window[0] * height && z < d->window[1] * height) line_add(&m, s, z);
    }
    return -line_angle(&m, 3);
}

static const scr_column pile_columns[] = {
    {"time", "s", "time"},
    {"angle", "deg", "mean angle of the flanks against the horizontal"},
    {"spread", "deg", "standard deviation over the flanks and slices"},
    {"fits", "", "number of flanks that were fitted"},
    {"height", "m", "mean height of the slices above the base"},
    {"reach", "m", "distance from the center at which the mean profile is one cell high"},
    {0},
};

static void pile_slices(const pile_def *d, const heap *h, columns *c, double base, double *row)
{
    double last = isnan(d->trim) ? h->last : fmin(h->last, h->front - d->trim);
    double length = last - h->first, slices = 1, sum = 0, square = 0, n = 0, height = 0, reach = 0;
    if (!isnan(d->slice)) slices = fmax(floor(length / d->slice * (1 + 1e-12)), 1);
    if (!(length > 0) || !c->steps || slices > 1e6) return;
    for (int k = 0; k < (int)slices; k++) {
        double low = h->first + length * k / slices, high = h->first + length * (k + 1) / slices;
        profile_of(h, c, low, high, base);
        double top = pile_height(d, h, c);
        height += top / slices;
        for (int side = d->sides ? -1 : 1; side <= 1; side += 2) {
            double angle = flank(d, h, c, top, side);
            if (!isnan(angle)) sum += angle, square += angle * angle, n++;
        }
        for (size_t i = 0; i < c->steps; i++)
            if (c->profile[i] > h->cell) reach = fmax(reach, step_middle(c, h, i) + 0.5 * h->cell);
    }
    row[1] = n > 0 ? sum / n : NAN;
    row[2] = n > 0 ? sqrt(fmax(square / n - sum / n * (sum / n), 0)) : NAN;
    row[3] = n;
    row[4] = height;
    row[5] = reach;
}

static bool pile_sample(const scr_scene_view *view, const void *def, double *row)
{
    const pile_def *d = def;
    heap h;
    columns c = {0};
    bool good = gather(view, &d->common, &h);
    double across = isnan(d->slice) ? h.last - h.first : d->slice;
    if (good) good = columns_reserve(&c, &h, across);
    vec3 up = scr_observer_up(view->world, d->common.up);
    // heights are measured from `center`; the base is one along the vertical
    double base = isnan(d->base) ? h.bottom : d->base - v3_dot(d->common.center, up);
    row[0] = view->world->clock.time;
    for (int k = 1; k < 6; k++) row[k] = k == 3 ? 0 : NAN;
    if (good) pile_slices(d, &h, &c, base, row);
    scr_memory_free(h.grains), scr_memory_free(c.top), scr_memory_free(c.profile);
    return good;
}

/* ---- tops ---- */

static const scr_column tops_columns[] = {
    {"time", "s", "time"},
    {"angle", "deg", "slope along the direction of the line through the tops; positive where it rises"},
    {"highest", "m", "highest centre of a grain above `center`, inside the box or not"},
    {"columns", "", "number of columns that were fitted"},
    {"network", "", "fraction of the grains considered"},
    {0},
};

static bool tops_sample(const scr_scene_view *view, const void *def, double *row)
{
    const common_def *d = def;
    heap h;
    bool good = gather(view, d, &h);
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t k = 0; good && k < h.count; k++) {
        double at[2] = {floor(h.grains[k].s / h.cell), floor(h.grains[k].t / h.cell)};
        for (int a = 0; a < 2; a++) low[a] = fmin(low[a], at[a]), high[a] = fmax(high[a], at[a]);
    }
    double wide = high[1] - low[1] + 1, cells = (high[0] - low[0] + 1) * wide;
    bool some = good && h.count && cells < MOST_CELLS;
    double *top = some ? scr_memory_new((size_t)cells, sizeof *top) : NULL;
    if (some && !top) good = false;
    for (size_t k = 0; top && k < (size_t)cells; k++) top[k] = -INFINITY;
    for (size_t k = 0; top && k < h.count; k++) {
        const grain *g = &h.grains[k];
        double i = floor(g->s / h.cell) - low[0], j = floor(g->t / h.cell) - low[1];
        double *t = &top[(size_t)(i * wide + j)];
        *t = fmax(*t, g->z);
    }
    line_sums m = {0};
    for (size_t k = 0; top && k < (size_t)cells; k++)
        if (isfinite(top[k])) line_add(&m, (low[0] + (double)(k / (size_t)wide) + 0.5) * h.cell, top[k]);
    row[0] = view->world->clock.time;
    row[1] = line_angle(&m, 3);
    row[2] = isfinite(h.highest) ? h.highest : NAN;
    row[3] = m.n;
    row[4] = h.network;
    scr_memory_free(top), scr_memory_free(h.grains);
    return good;
}

/* ---- tables ---- */

static bool needs_contacts(const void *def)
{
    return ((const common_def *)def)->network;
}

static void check(const scr_world *world, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const common_def *d = item->variant_def;
    vec3 up = scr_observer_up(world, d->up), along = v3_unit(d->direction);
    scr_observer_check_group(world, scene, item, d->group, report);
    scr_observer_check_box(world, scene, item, d->box, report);
    if (!(v3_norm(v3_cross(up, along)) > 1e-6))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "direction"),
                 "observers.%s.direction is [%g, %g, %g], it must not be zero nor vertical", item->name, d->direction.x,
                 d->direction.y, d->direction.z);
}

#define AT(member) offsetof(common_def, member)
#define OF(member) offsetof(pile_def, member)
#define DIRECTION(w)                                                               \
    {                                                                              \
        "direction", NULL, SCR_VEC3, "", "[1, 0, 0]", NULL, AT(direction), w, NULL \
    }
#define COMMON                                                                                                         \
    {"center",    "centre", SCR_VEC3,   "m",                                                                           \
     "[0, 0, 0]", NULL,     AT(center), "Point from which columns and heights are measured.",                          \
     NULL},                                                                                                            \
        {"up", NULL, SCR_VEC3, "",                                                                                     \
         "",   NULL, AT(up),   "Upward direction; need not be normalised. Default: opposite to gravity.",              \
         NULL},                                                                                                        \
        {"box", NULL, SCR_BOX, "m", "", NULL, AT(box), "Only grains with their centre in this box. Default: all.",     \
         NULL},                                                                                                        \
        {"cell", NULL, SCR_REAL, "m", "auto", "> 0 | auto", AT(cell), "Side of a column. auto: mean diameter.", NULL}, \
        {"network",   NULL,                                                                                            \
         SCR_BOOL,    NULL,                                                                                            \
         "no",        NULL,                                                                                            \
         AT(network), "Only grains of the largest connected cluster, without flying or isolated grains.",              \
         NULL},                                                                                                        \
        SCR_OBSERVER_GROUP(common_def)

static const scr_param pile_params[] = {
    DIRECTION("Down the flank, perpendicular to the crest."),
    {"base", NULL, SCR_REAL, "m", "", NULL, OF(base),
     "Height of the ground, along up from the origin. Default: the lowest point of any grain.", NULL},
    {"sides", NULL, SCR_CHOICE, NULL, "one", "one both", OF(sides),
     "Flanks: the one down the direction, or that behind the center too.", NULL},
    {"slice", NULL, SCR_REAL, "m", "", "> 0", OF(slice),
     "Length of the slices along the crest. Default: one slice, the whole box.", NULL},
    {"trim", NULL, SCR_REAL, "m", "", ">= 0", OF(trim),
     "Length left out behind the foremost grain along the crest (the crest points along direction x up). Default: 0.",
     NULL},
    {"crest", NULL, SCR_SPAN, "m", "", NULL, OF(crest),
     "The height is the median of the profile from here to there. Default: its highest point.", NULL},
    {"beyond", NULL, SCR_REAL, "m", "0", ">= 0", OF(beyond), "Distance from the center at which the fit begins.", NULL},
    {"window", NULL, SCR_SPAN, "", "[0.2, 0.8]", "[0, 1]", OF(window),
     "Range of heights in which the profile is fitted, as fractions.", NULL},
    COMMON,
    {0},
};

static const scr_param tops_params[] = {
    DIRECTION("Along which the slope is measured."),
    COMMON,
    {0},
};

const scr_observer scr_pile_observer = {
    .variant = {"pile",
                "Angle and height of a long pile or a bank: a line through the mean profile of its "
                "columns' tops.",
                pile_params, sizeof(pile_def)},
    .columns = pile_columns,
    .needs_contacts = needs_contacts,
    .check = check,
    .sample = pile_sample,
};

const scr_observer scr_tops_observer = {
    .variant = {"tops", "Slope of a line through the highest grains of columns, and the highest grain.", tops_params,
                sizeof(common_def)},
    .columns = tops_columns,
    .needs_contacts = needs_contacts,
    .check = check,
    .sample = tops_sample,
};
