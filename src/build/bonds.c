#include "build/bonds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "collide/pairs.h"

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "bonds");
}

scree_status scr_build_bond_laws(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *items = scr_scene_items(scene, "bonds");
    w->bond_laws = calloc((size_t)items->count + 1, sizeof *w->bond_laws);
    if (!w->bond_laws) return no_memory(report);
    for (int k = 0; k < items->count; k++) {
        const scr_bond_def *def = items->items[k].def;
        scr_bond_law *law = &w->bond_laws[w->bond_law_count++];
        *law = (scr_bond_law){.name = strdup(items->items[k].name),
                              .young = def->young,
                              .poisson = def->poisson,
                              .stiffness_ratio = def->stiffness_ratio,
                              .radius = def->radius,
                              .tensile_strength = isnan(def->tensile_strength) ? INFINITY : def->tensile_strength,
                              .shear_strength = isnan(def->shear_strength) ? INFINITY : def->shear_strength,
                              .damping = def->damping};
        if (!law->name) return no_memory(report);
    }
    return SCREE_OK;
}

/* ---- a world that continues another ---- */

static int law_index(const scr_world *w, const char *name)
{
    for (int k = 0; k < w->bond_law_count; k++)
        if (!strcmp(w->bond_laws[k].name, name)) return k;
    return -1;
}

scree_status scr_adopt_bonds(scr_world *w, const scr_scene *scene, scr_world *from, bool *taken, scree_report *report)
{
    for (int k = 0; k < from->bond_law_count; k++) {
        int law = law_index(w, from->bond_laws[k].name);
        if (law >= 0) taken[law] = true;
    }
    scr_bonds *b = &from->bonds;
    for (size_t k = 0; k < b->table.count; k++) {
        const char *name = from->bond_laws[b->law[k]].name;
        b->law[k] = law_index(w, name);
        if (b->law[k] < 0)
            return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = scr_scene_path(scene)},
                            "the results contain bonds of the kind '%s', which is not defined under bonds", name);
        scr_bond_derive(b, k, &w->bond_laws[b->law[k]], &w->bodies);
    }
    w->bonds = *b;
    scr_bonds_init(b);
    return SCREE_OK;
}

/* ---- which grains are bonded ---- */

typedef struct {
    int64_t id[2]; /* the smaller first */
    size_t row[2];
    double distance;
    int law;
} candidate;

static int by_ids(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->id[0] != y->id[0]) return x->id[0] < y->id[0] ? -1 : 1;
    return (x->id[1] > y->id[1]) - (x->id[1] < y->id[1]);
}

static bool names(const scr_texts *texts, int k, const char *name)
{
    return !strcmp(texts->items[k < texts->count ? k : 0], name);
}

// one name: both bodies have it; two names: one each
static bool fits(const scr_texts *texts, const char *a, const char *b)
{
    return !texts->count || (names(texts, 0, a) && names(texts, 1, b)) || (names(texts, 0, b) && names(texts, 1, a));
}

static double gap_of(const scr_bond_def *def, double smaller_radius)
{
    return isnan(def->gap) ? 0.01 * smaller_radius : def->gap;
}

// the first law that bonds these two bodies, -1: none
static int law_of(const scr_world *w, const scr_items *laws, const bool *skip, size_t i, size_t j, double distance)
{
    const scr_bodies *b = &w->bodies;
    if (b->motion[4 * i + 3] == 0 && b->motion[4 * j + 3] == 0) return -1;
    double gap = distance - b->place[4 * i + 3] - b->place[4 * j + 3];
    double smaller = fmin(b->place[4 * i + 3], b->place[4 * j + 3]);
    for (int k = 0; k < laws->count; k++) {
        const scr_bond_def *def = laws->items[k].def;
        if (!skip[k] && gap <= gap_of(def, smaller) &&
            fits(&def->between, w->groups[b->group[i]].name, w->groups[b->group[j]].name) &&
            fits(&def->materials, w->materials[b->material[i]].name, w->materials[b->material[j]].name))
            return k;
    }
    return -1;
}

static double distance_of(const scr_world *w, const scr_images *images, size_t i, size_t j)
{
    double d[3];
    for (int a = 0; a < 3; a++) d[a] = w->bodies.place[4 * i + a] - w->bodies.place[4 * j + a];
    scr_image_nearest(images, d, NULL);
    return v3_norm(v3_load(d));
}

// a list of the pairs that are nearer than the largest gap
static scree_status list_near(scr_world *w, const scr_items *laws, scr_pairs *pairs, scree_report *report)
{
    scr_bodies *b = &w->bodies;
    double largest = 0, gap = 0, skin = w->clock.skin;
    for (size_t i = 0; i < b->table.count; i++) largest = fmax(largest, b->place[4 * i + 3]);
    for (int k = 0; k < laws->count; k++) gap = fmax(gap, gap_of(laws->items[k].def, largest));
    scr_world_wrap(w);
    scr_copy(b->anchor, b->place, 4 * b->table.count * sizeof *b->anchor);
    // groups that do not touch may be bonded all the same
    bool *apart = w->apart;
    w->apart = NULL;
    // a hair more: the list is of those that are nearer, a bond may be exactly as long as the gap says
    w->clock.skin = gap + 1e-6 * largest;
    scree_status status = scr_pairs_build(pairs, w, report);
    w->clock.skin = skin;
    w->apart = apart;
    return status;
}

static void add_bond(scr_world *w, const candidate *c)
{
    scr_bonds *b = &w->bonds;
    size_t k = scr_table_add(&b->table);
    scr_bond_join(b, k, &w->bodies, c->row[0], c->row[1]);
    b->law[k] = c->law;
    b->shape[2 * k] = c->distance;
    scr_bond_derive(b, k, &w->bond_laws[c->law], &w->bodies);
}

/* ---- saying so ---- */

static void say_law(const scr_world *w, const scr_scene *scene, int law, bool old, scree_report *report)
{
    const scr_bonds *b = &w->bonds;
    const scr_bond_law *l = &w->bond_laws[law];
    size_t count = 0, whole = 0;
    double low[4], high[4] = {0};
    for (int m = 0; m < 4; m++) low[m] = INFINITY;
    for (size_t k = 0; k < b->table.count; k++) {
        if (b->law[k] != law) continue;
        count++;
        if (b->fate[k] != SCR_BOND_HOLDS) continue;
        whole++;
        for (int m = 0; m < 4; m++) {
            low[m] = fmin(low[m], b->spring[4 * k + m]);
            high[m] = fmax(high[m], b->spring[4 * k + m]);
        }
    }
    if (!count && old) {
        scr_say("bonds %s: all have left with their grains", l->name);
        return;
    }
    if (!count) {
        scr_warn(report, scr_item_place(scene, &scr_scene_items(scene, "bonds")->items[law], NULL),
                 "bonds.%s creates no bonds: no two grains are near enough", l->name);
        return;
    }
    scr_say("bonds %s: %zu %s%s, stretch %.4g to %.4g N/m, shear %.4g to %.4g N/m", l->name, whole,
            old ? "bonds as before" : "bonds", whole < count ? " hold" : "", low[0], high[0], low[1], high[1]);
    scr_say("  bending %.4g to %.4g N m, twist %.4g to %.4g N m (%s)", low[2], high[2], low[3], high[3],
            isnan(l->stiffness_ratio) ? "a beam, from Young's modulus and Poisson's ratio"
                                      : "from Young's modulus and the stiffness ratio");
    char strength[2][32];
    const double value[2] = {l->tensile_strength, l->shear_strength};
    for (int k = 0; k < 2; k++)
        if (isinf(value[k]))
            snprintf(strength[k], sizeof strength[k], "unlimited");
        else
            snprintf(strength[k], sizeof strength[k], "%.4g Pa", value[k]);
    scr_say("  tensile strength %s, shear strength %s, damping %.3g of critical", strength[0], strength[1], l->damping);
}

// the nearest image must stay the one that was bonded
static scree_status check_length(const scr_world *w, const scr_items *laws, const scr_scene *scene, const candidate *c,
                                 scree_report *report)
{
    vec3 size = v3_sub(w->domain.upper, w->domain.lower);
    const double length[3] = {size.x, size.y, size.z};
    for (int d = 0; d < 3; d++)
        if (w->domain.periodic[d] && c->distance > 0.4 * length[d])
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &laws->items[c->law], "gap"),
                            "bonds.%s: grains %lld and %lld are %.4g m apart; a bond may not be longer than 0.4 of the "
                            "domain, which is %.4g m long along the periodic axis %c",
                            laws->items[c->law].name, (long long)c->id[0], (long long)c->id[1], c->distance, length[d],
                            "xyz"[d]);
    return SCREE_OK;
}

// bonds of the laws that are not skipped
static scree_status make_bonds(scr_world *w, const scr_scene *scene, const scr_items *laws, const bool *skip,
                               scree_report *report)
{
    scr_pairs pairs = {0};
    scr_images images = scr_images_of(&w->domain);
    scree_status status = list_near(w, laws, &pairs, report);
    candidate *found = NULL;
    size_t count = 0;
    if (!status) found = scr_memory_new(pairs.count + 1, sizeof *found);
    if (!status && !found) status = no_memory(report);
    for (size_t k = 0; !status && k < pairs.count; k++) {
        size_t i = pairs.first[k], j = pairs.second[k];
        if (w->bodies.id[i] > w->bodies.id[j]) i = pairs.second[k], j = pairs.first[k];
        candidate c = {{w->bodies.id[i], w->bodies.id[j]}, {i, j}, distance_of(w, &images, i, j), 0};
        c.law = law_of(w, laws, skip, i, j, c.distance);
        if (c.law >= 0) found[count++] = c;
    }
    for (size_t k = 0; !status && k < count; k++) status = check_length(w, laws, scene, &found[k], report);
    // in the order of ids, whatever the order in memory
    if (count) qsort(found, count, sizeof *found, by_ids);
    if (!status && !scr_table_reserve(&w->bonds.table, w->bonds.table.count + count)) status = no_memory(report);
    for (size_t k = 0; !status && k < count; k++) add_bond(w, &found[k]);
    scr_memory_free(found);
    scr_pairs_deinit(&pairs);
    return status;
}

scree_status scr_build_bonds(scr_world *w, const scr_scene *scene, const bool *skip, scree_report *report)
{
    const scr_items *laws = scr_scene_items(scene, "bonds");
    bool fresh = false;
    for (int k = 0; k < laws->count; k++) fresh |= !skip[k];
    scree_status status = fresh ? make_bonds(w, scene, laws, skip, report) : SCREE_OK;
    for (int k = 0; !status && k < laws->count; k++) say_law(w, scene, k, skip[k], report);
    return status;
}

/* ---- how fast ---- */

double scr_shortest_bond(const scr_world *w, size_t *bond, int *mode)
{
    double fastest = 0;
    for (size_t k = 0; k < w->bonds.table.count; k++) {
        double frequency[4];
        if (w->bonds.fate[k] != SCR_BOND_HOLDS) continue;
        scr_bond_frequencies(&w->bonds, k, &w->bodies, frequency);
        for (int m = 0; m < 4; m++)
            if (frequency[m] > fastest) fastest = frequency[m], *bond = k, *mode = m;
    }
    return M_PI / fastest;
}

void scr_bond_text(const scr_world *w, size_t bond, int mode, char *text, size_t size)
{
    static const char *const modes[] = {"stretch", "shear", "bending", "twist"};
    const scr_bonds *b = &w->bonds;
    snprintf(text, size, "%s of the bond between grains %lld and %lld (bonds.%.60s)", modes[mode],
             (long long)b->body[bond], (long long)b->partner[bond], w->bond_laws[b->law[bond]].name);
}
