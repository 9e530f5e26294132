/* From a mesh to cells and links: sections 1 to 5 of docs/theory-elastic.md, whose equations are cited here. */
#include "build/solids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/sort.h"
#include "build/solid_mesh.h"
#include "step/stepper.h"

#define FAIL(key, ...) scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key), __VA_ARGS__)

/* One solid while it is made. Its cells and faces begin at these numbers in the world. */
typedef struct {
    scr_world *world;
    const scr_scene *scene;
    const scr_item *item;
    scr_solid *solid;
    scr_polyhedra mesh;
    scr_cell_shape *cells;
    size_t first_cell, first_face;
    double young, poisson, density;
    bool tilted;     /* some line of centres is not along its face's normal */
    bool uneven;     /* or does not have its face's centre in its middle */
    vec3 *pivots;    /* of links that are fitted, else NULL: centres */
    vec3 *directors; /* of shells, else NULL */
    double *thicknesses;
} draft;

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "elastic solids");
}

/* ---- what the scene says ---- */

static int material_of(const scr_world *w, const char *name)
{
    for (int k = 0; name && k < w->material_count; k++)
        if (!strcmp(w->materials[k].name, name)) return k;
    return -1;
}

static scree_status read_material(draft *d, scree_report *report)
{
    const scr_scene *scene = d->scene;
    const scr_item *item = d->item;
    const scr_solid_def *def = item->def;
    int m = material_of(d->world, def->material);
    const scr_material *material = &d->world->materials[m];
    const scr_item *of = scr_scene_find(scene, "materials", material->name);
    d->solid->material = m;
    d->young = material->young, d->poisson = material->poisson, d->density = material->density;
    const struct {
        const char *key;
        double value;
    } needed[] = {{"young", d->young}, {"poisson", d->poisson}, {"density", d->density}};
    for (int k = 0; k < 3; k++)
        if (isnan(needed[k].value))
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, of, NULL),
                            "materials.%s lacks %s, which the elastic solid %s needs", material->name, needed[k].key,
                            item->name);
    if (!(d->poisson > -1 && d->poisson < 0.5))
        return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, of, "poisson"),
                        "materials.%s.poisson is %g, for the elastic solid %s it must lie in (-1, "
                        "0.5)",
                        material->name, d->poisson, item->name);
    return SCREE_OK;
}

static int border_of(const draft *d, size_t face)
{
    const scr_texts *sides = &((const scr_solid_def *)d->item->def)->symmetry;
    int side = d->mesh.side[face];
    for (int k = 0; side >= 0 && k < sides->count; k++)
        if (!strcmp(sides->items[k], d->mesh.sides[side])) return SCR_BORDER_SYMMETRY;
    return SCR_BORDER_FREE;
}

static scree_status check_sides(const draft *d, scree_report *report)
{
    const scr_scene *scene = d->scene;
    const scr_item *item = d->item;
    const scr_texts *sides = &((const scr_solid_def *)item->def)->symmetry;
    for (int k = 0; k < sides->count; k++) {
        char all[256] = "";
        bool found = false;
        for (int s = 0; s < d->mesh.side_count; s++) {
            found |= !strcmp(sides->items[k], d->mesh.sides[s]);
            snprintf(all + strlen(all), sizeof all - strlen(all), " %s", d->mesh.sides[s]);
        }
        if (!found)
            return FAIL("symmetry", "solids.%s.symmetry names '%s', which is not a side; there are%s", item->name,
                        sides->items[k], all);
    }
    return SCREE_OK;
}

static scree_status check_domain(const draft *d, scree_report *report)
{
    const scr_scene *scene = d->scene;
    const scr_item *item = d->item;
    const scr_domain *domain = &d->world->domain;
    for (size_t k = 0; k < 3 * d->mesh.point_count; k++) {
        double x = d->mesh.points[k], low = (&domain->lower.x)[k % 3], high = (&domain->upper.x)[k % 3];
        double slack = 1e-9 * (high - low);
        if (d->mesh.shift && domain->periodic[k % 3]) continue; // cells reach across the border
        if (!(x < low - slack || x > high + slack)) continue;
        return FAIL(NULL,
                    "solids.%s reaches to %c = %g m, outside the domain, which reaches from %g to "
                    "%g m",
                    item->name, "xyz"[k % 3], x, low, high);
    }
    return SCREE_OK;
}

/* ---- shells: cells with two free faces opposite to each other ---- */

// the pair of free faces that look away from each other; how many such pairs there are
static int opposite_faces(const draft *d, const scr_cell_faces *of, size_t cell, uint32_t pair[2])
{
    int pairs = 0;
    double best = -0.8;
    for (uint32_t m = of->first[cell]; m < of->first[cell + 1]; m++)
        for (uint32_t n = m + 1; n < of->first[cell + 1]; n++) {
            uint32_t f = of->faces[m], g = of->faces[n];
            if (d->mesh.cells[2 * f + 1] >= 0 || d->mesh.cells[2 * g + 1] >= 0) continue;
            if (border_of(d, f) != SCR_BORDER_FREE || border_of(d, g) != SCR_BORDER_FREE) continue;
            double cosine = v3_dot(scr_polyhedra_face(&d->mesh, f).normal, scr_polyhedra_face(&d->mesh, g).normal);
            if (cosine > -0.8) continue;
            pairs++;
            if (cosine < best) best = cosine, pair[0] = f, pair[1] = g;
        }
    return pairs;
}

// directors of neighbours point to the same side: the first cell of each piece says which
static bool align(draft *d, const scr_cell_faces *of)
{
    size_t n = d->mesh.cell_count, head = 0, tail = 0;
    uint32_t *queue = scr_memory_new(n, sizeof *queue);
    uint8_t *seen = scr_memory_new(n, sizeof *seen);
    for (size_t start = 0; queue && seen && start < n; start++) {
        if (seen[start]) continue;
        seen[start] = 1, queue[tail++] = (uint32_t)start;
        while (head < tail) {
            size_t c = queue[head++];
            for (uint32_t k = of->first[c]; k < of->first[c + 1]; k++) {
                const int32_t *pair = d->mesh.cells + 2 * of->faces[k];
                int other = pair[0] == (int)c ? pair[1] : pair[0];
                if (other < 0 || seen[other]) continue;
                seen[other] = 1, queue[tail++] = (uint32_t)other;
                if (v3_dot(d->directors[c], d->directors[other]) < 0)
                    d->directors[other] = v3_scale(-1, d->directors[other]);
            }
        }
    }
    bool done = queue && seen;
    scr_memory_free(queue);
    scr_memory_free(seen);
    return done;
}

// fills directors and thicknesses; *thin: the body is a shell by itself (see `torsion: auto`)
static scree_status find_directors(draft *d, bool *thin, size_t *without, scree_report *report)
{
    size_t n = d->mesh.cell_count, beams = 0;
    scr_cell_faces of = {0};
    d->directors = scr_memory_new(n, sizeof *d->directors);
    d->thicknesses = scr_memory_new(n, sizeof *d->thicknesses);
    bool good = d->directors && d->thicknesses && scr_cell_faces_build(&d->mesh, &of);
    *thin = true, *without = 0;
    for (size_t c = 0; good && c < n; c++) {
        uint32_t pair[2] = {0, 0};
        int pairs = opposite_faces(d, &of, c, pair);
        if (!pairs) {
            *thin = false, ++*without;
            continue;
        }
        scr_face_shape f = scr_polyhedra_face(&d->mesh, pair[0]);
        scr_face_shape g = scr_polyhedra_face(&d->mesh, pair[1]);
        d->directors[c] = v3_unit(v3_sub(f.normal, g.normal));
        d->thicknesses[c] = 2 * d->cells[c].volume / (f.area + g.area);
        beams += pairs > 1;
        *thin &= d->thicknesses[c] <= 1.001 * sqrt(0.5 * (f.area + g.area));
    }
    *thin &= 2 * beams < n;
    if (good) good = align(d, &of);
    scr_cell_faces_deinit(&of);
    return good ? SCREE_OK : no_memory(report);
}

static scree_status choose_torsion(draft *d, int *torsion, scree_report *report)
{
    const scr_scene *scene = d->scene;
    const scr_item *item = d->item;
    const scr_solid_def *def = item->def;
    *torsion = def->torsion;
    if (*torsion == SCR_TORSION_PAPER || *torsion == SCR_TORSION_PLATE) return SCREE_OK;
    bool thin;
    size_t without;
    scree_status status = find_directors(d, &thin, &without, report);
    if (status) return status;
    if (*torsion == SCR_TORSION_SHELL && without)
        return FAIL("torsion",
                    "solids.%s.torsion is shell, but %zu of %zu cells have no two free faces "
                    "opposite to each other: it must be one cell thick",
                    item->name, without, d->mesh.cell_count);
    if (*torsion == SCR_TORSION_AUTO) *torsion = thin ? SCR_TORSION_SHELL : SCR_TORSION_PAPER;
    if (*torsion != SCR_TORSION_SHELL) {
        scr_memory_free(d->directors);
        scr_memory_free(d->thicknesses);
        d->directors = NULL, d->thicknesses = NULL;
        return SCREE_OK;
    }
    double sum = 0;
    for (size_t c = 0; c < d->mesh.cell_count; c++) sum += d->thicknesses[c];
    d->solid->thickness = sum / (double)d->mesh.cell_count;
    return SCREE_OK;
}

/* ---- the mesh ---- */

static vec3 pivot_of(const draft *d, size_t cell)
{
    return d->pivots ? d->pivots[cell] : d->cells[cell].centre;
}

// from the pivot of a face's first cell to that of the second
static vec3 line_of(const draft *d, size_t face)
{
    const int32_t *c = d->mesh.cells + 2 * face;
    vec3 shift = d->mesh.shift ? v3_load(d->mesh.shift + 3 * face) : v3(0, 0, 0);
    return v3_sub(v3_add(pivot_of(d, (size_t)c[1]), shift), pivot_of(d, (size_t)c[0]));
}

// lines of centres against faces
static void look_at_lines(draft *d)
{
    for (size_t f = 0; f < d->mesh.face_count; f++) {
        if (d->mesh.cells[2 * f + 1] < 0) continue;
        scr_face_shape face = scr_polyhedra_face(&d->mesh, f);
        vec3 line = line_of(d, f), from = pivot_of(d, (size_t)d->mesh.cells[2 * f]);
        vec3 off = v3_sub(face.centre, v3_axpy(from, 0.5, line));
        d->tilted |= v3_norm(v3_cross(v3_unit(line), face.normal)) > 1e-9;
        d->uneven |= v3_norm(off) > 1e-9 * v3_norm(line);
    }
}

/* Where the displacement of the body is that of the cell: in a Voronoi mesh its seed, because lines between seeds are
 * along the normals of faces; else its centre. */
static bool find_pivots(draft *d)
{
    size_t n = d->mesh.cell_count;
    d->pivots = scr_memory_new(n, sizeof *d->pivots);
    for (size_t c = 0; d->pivots && c < n; c++)
        d->pivots[c] = d->mesh.seeds ? v3_load(d->mesh.seeds + 3 * c) : d->cells[c].centre;
    return d->pivots != NULL;
}

// names of sides and groups are those of all solids together: whether they have room
static scree_status check_names(const draft *d, scree_report *report)
{
    const scr_scene *scene = d->scene;
    const scr_item *item = d->item;
    scr_polyhedra all = {.side_count = d->world->mesh.side_count, .group_count = d->world->mesh.group_count};
    memcpy(all.sides, d->world->mesh.sides, sizeof all.sides);
    memcpy(all.groups, d->world->mesh.groups, sizeof all.groups);
    for (int k = 0; k < d->mesh.side_count; k++)
        if (scr_polyhedra_side(&all, d->mesh.sides[k]) == SCR_NO_SIDE)
            return FAIL(NULL, "solids.%s: all solids together have more than %d names of sides", item->name,
                        SCR_MOST_SIDES);
    for (int k = 0; k < d->mesh.group_count; k++)
        if (scr_polyhedra_group(&all, d->mesh.groups[k]) == SCR_NO_CELL_GROUP)
            return FAIL(NULL, "solids.%s: all solids together have more than %d names of groups", item->name,
                        SCR_MOST_GROUPS);
    return SCREE_OK;
}

static bool append_mesh(draft *d)
{
    scr_polyhedra *all = &d->world->mesh;
    d->first_cell = all->cell_count, d->first_face = all->face_count;
    if (!scr_polyhedra_append(all, &d->mesh)) return false;
    if (!scr_reserve(&d->world->border, all->face_count)) return false;
    for (size_t f = 0; f < d->mesh.face_count; f++) d->world->border[d->first_face + f] = border_of(d, f);
    return true;
}

/* ---- cells ---- */

// volumes of the pyramids over free faces, sum of S h/3 in (9); those of edges alone for (16)
static double *free_volumes(const draft *d, bool edges_only)
{
    double *sum = scr_memory_new(d->mesh.cell_count, sizeof *sum);
    for (size_t f = 0; sum && f < d->mesh.face_count; f++) {
        int c = d->mesh.cells[2 * f];
        if (d->mesh.cells[2 * f + 1] >= 0 || border_of(d, f) != SCR_BORDER_FREE) continue;
        scr_face_shape s = scr_polyhedra_face(&d->mesh, f);
        if (edges_only && fabs(v3_dot(s.normal, d->directors[c])) >= 0.7) continue;
        sum[c] += s.area * v3_dot(v3_sub(s.centre, pivot_of(d, (size_t)c)), s.normal) / 3;
    }
    return sum;
}

static bool add_cells(draft *d)
{
    scr_cells *cells = &d->world->cells;
    double *free_volume = free_volumes(d, false);
    double factor = 3 * d->poisson / (1 - 2 * d->poisson);
    int solid = (int)(d->solid - d->world->solids);
    if (!free_volume || !scr_table_reserve(&cells->table, d->first_cell + d->mesh.cell_count + SCR_SPARE_ROWS)) {
        scr_memory_free(free_volume);
        return false;
    }
    for (size_t c = 0; c < d->mesh.cell_count; c++) {
        const scr_cell_shape *s = &d->cells[c];
        size_t k = scr_table_add(&cells->table);
        double mass = d->density * s->volume;
        v3_store(cells->home + 4 * k, s->centre);
        cells->home[4 * k + 3] = s->volume;
        v3_store(cells->pivot + 3 * k, v3_sub(pivot_of(d, c), s->centre));
        cells->displacement[4 * k + 3] = mass;
        cells->velocity[4 * k + 3] = 1 / mass;
        v3_store(cells->inertia + 4 * k, v3_scale(d->density, s->moments));
        quat_store(cells->turn + 4 * k, quat_one());
        quat_store(cells->axes + 4 * k, s->axes);
        cells->bulk[2 * k] = s->volume + factor * free_volume[c];
        cells->solid[k] = solid;
    }
    scr_memory_free(free_volume);
    d->solid->first_cell = (int)d->first_cell;
    d->solid->cell_count = (int)d->mesh.cell_count;
    return true;
}

static void start_moving(const draft *d)
{
    scr_cells *cells = &d->world->cells;
    const scr_solid_def *def = d->item->def;
    if (v3_norm(def->velocity) == 0 && v3_norm(def->spin) == 0) return;
    vec3 centre = v3(0, 0, 0);
    double mass = 0;
    for (size_t k = d->first_cell; k < cells->table.count; k++) {
        centre = v3_axpy(centre, scr_cell_mass(cells, k), v3_load(cells->home + 4 * k));
        mass += scr_cell_mass(cells, k);
    }
    centre = v3_scale(1 / mass, centre);
    for (size_t k = d->first_cell; k < cells->table.count; k++) {
        vec3 arm = v3_sub(v3_load(cells->home + 4 * k), centre);
        v3_store(cells->velocity + 4 * k, v3_add(def->velocity, v3_cross(def->spin, arm)));
        scr_cell_set_spin(cells, k, def->spin);
    }
}

/* ---- links ---- */

// stiffness about t, s and n over E or G: moments of the face; then alpha of each axis, (8) or (14)
static void set_stiffness(const draft *d, int torsion, const scr_face_shape *f, double distance, double stiff[4])
{
    double twice_mu = scr_lame_twice_mu(d->young, d->poisson), least = fmin(f->is, f->it);
    double about_t = d->young * f->is, about_s = d->young * f->it, twist = 0.5 * twice_mu;
    twist *= torsion == SCR_TORSION_PAPER ? f->is + f->it : 2 * least;
    if (torsion == SCR_TORSION_SHELL) about_t = about_s = twist = twice_mu * least;
    stiff[0] = twice_mu * f->area / distance;
    stiff[1] = 0.5 * (about_t + about_s - twist) / distance;
    stiff[2] = 0.5 * (about_t - about_s + twist) / distance;
    stiff[3] = 0.5 * (about_s - about_t + twist) / distance;
}

typedef struct {
    uint64_t key; // the two cells
    uint32_t face;
} pair;

static pair *sorted_pairs(const draft *d, size_t *count)
{
    pair *pairs = scr_memory_new(d->mesh.face_count, sizeof *pairs);
    scr_sorter sorter = {0};
    *count = 0;
    for (size_t f = 0; pairs && f < d->mesh.face_count; f++) {
        int32_t a = d->mesh.cells[2 * f], b = d->mesh.cells[2 * f + 1];
        if (b < 0) continue;
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        pairs[(*count)++] = (pair){low << 32 | high, (uint32_t)f};
    }
    if (pairs && !scr_sort(&sorter, pairs, *count, sizeof *pairs, scr_by_u64)) {
        scr_memory_free(pairs);
        pairs = NULL;
    }
    scr_memory_free(sorter.room);
    return pairs;
}

/* How a link swells its first cell, S (c n + t), so that the gaps e.D of a uniform strain e give its trace
 * ((5a) of docs/theory-elastic.md): t and c. */
static void share_of(const draft *d, uint32_t face, const scr_face_shape *f, double share[4])
{
    vec3 line = line_of(d, face), to = v3_sub(f->centre, pivot_of(d, (size_t)d->mesh.cells[2 * face]));
    double along = v3_dot(line, f->normal);
    share[3] = 0.5;
    if (!d->pivots) return;
    share[3] = v3_dot(to, f->normal) / along;
    vec3 off = v3_axpy(to, -share[3], line);
    v3_store(share, v3_scale(1 / along, v3_axpy(off, -v3_dot(off, line) / v3_dot(line, line), line)));
}

static void add_link(const draft *d, int torsion, uint32_t face)
{
    scr_links *links = &d->world->links;
    scr_face_shape f = scr_polyhedra_face(&d->mesh, face);
    int32_t a = d->mesh.cells[2 * face], b = d->mesh.cells[2 * face + 1];
    vec3 shift = d->mesh.shift ? v3_load(d->mesh.shift + 3 * face) : v3(0, 0, 0);
    vec3 arm[2] = {v3_sub(f.centre, d->cells[a].centre), v3_sub(v3_sub(f.centre, shift), d->cells[b].centre)};
    int turned = a > b;
    size_t k = scr_table_add(&links->table);
    links->cell[2 * k] = (int32_t)d->first_cell + (turned ? b : a);
    links->cell[2 * k + 1] = (int32_t)d->first_cell + (turned ? a : b);
    v3_store(links->arm + 6 * k, arm[turned]);
    v3_store(links->arm + 6 * k + 3, arm[!turned]);
    v3_store(links->frame + 6 * k, v3_scale(turned ? -1 : 1, f.normal));
    v3_store(links->frame + 6 * k + 3, f.s);
    links->area[k] = f.area;
    links->face[k] = (int32_t)(d->first_face + face);
    set_stiffness(d, torsion, &f, v3_norm(line_of(d, face)), links->stiff + 4 * k);
    double *share = links->share + 4 * k;
    share_of(d, face, &f, share);
    if (turned) share[3] = 1 - share[3];
}

/* With a negative Poisson's ratio lambda is negative, too, and a body whose cells swell much by skew gaps would gain
 * energy from it. By Cauchy's inequality (step/elastic/bound.c) it cannot where, in every cell,
 *
 *   -lambda sum of S D (c^2 + s^2 t^2) <= mu Vt;
 *
 * so t is held back by a factor s where it must be. Without t this holds down to -1. */
static bool hold_back(const draft *d, size_t first)
{
    const scr_cells *cells = &d->world->cells;
    scr_links *l = &d->world->links;
    double twice_mu = scr_lame_twice_mu(d->young, d->poisson);
    double lambda = scr_lame_lambda(d->young, d->poisson);
    if (!d->pivots || lambda >= 0) return true;
    double(*sum)[2] = scr_memory_new(cells->table.count, sizeof *sum);
    for (size_t k = first; sum && k < l->table.count; k++)
        for (size_t side = 0; side < 2; side++) {
            vec3 t = v3_load(l->share + 4 * k), n = v3_load(l->frame + 6 * k);
            double c = side ? 1 - l->share[4 * k + 3] : l->share[4 * k + 3];
            double weight = twice_mu * l->area[k] * l->area[k] / l->stiff[4 * k]; // S D
            sum[l->cell[2 * k + side]][0] += weight * (c * c + 2 * fabs(c * v3_dot(n, t)));
            sum[l->cell[2 * k + side]][1] += weight * v3_dot(t, t);
        }
    for (size_t k = first; sum && k < l->table.count; k++) {
        double square = 1;
        for (size_t side = 0; side < 2; side++) {
            size_t c = (size_t)l->cell[2 * k + side];
            double room = -0.5 * twice_mu / lambda * cells->bulk[2 * c] - sum[c][0];
            if (sum[c][1] > 0) square = fmin(square, fmax(room, 0) / sum[c][1]);
        }
        v3_store(l->share + 4 * k, v3_scale(sqrt(square), v3_load(l->share + 4 * k)));
    }
    bool good = sum != NULL;
    scr_memory_free(sum);
    return good;
}

static bool add_links(draft *d, int torsion)
{
    scr_links *links = &d->world->links;
    size_t count;
    pair *pairs = sorted_pairs(d, &count);
    bool good = pairs && scr_table_reserve(&links->table, links->table.count + count + SCR_SPARE_ROWS);
    size_t first = links->table.count;
    for (size_t k = 0; good && k < count; k++) add_link(d, torsion, pairs[k].face);
    scr_memory_free(pairs);
    return good && hold_back(d, first);
}

/* ---- shells ---- */

static bool add_shell(draft *d, int torsion)
{
    scr_shells *shells = &d->world->shells;
    size_t end = d->first_cell + d->mesh.cell_count;
    if (torsion != SCR_TORSION_SHELL && !shells->table.count) return true;
    if (!scr_table_reserve(&shells->table, end)) return false;
    while (shells->table.count < end) {
        size_t k = scr_table_add(&shells->table);
        shells->bend[2 * k] = 1; // no shell: of no stiffness
    }
    if (torsion != SCR_TORSION_SHELL) return true;
    double *edges = free_volumes(d, true), nu = d->poisson;
    for (size_t c = 0; edges && c < d->mesh.cell_count; c++) {
        size_t k = d->first_cell + c;
        double volume = d->cells[c].volume + 3 * nu / (1 - nu) * edges[c], t = d->thicknesses[c];
        v3_store(shells->director + 4 * k, d->directors[c]);
        shells->director[4 * k + 3] = d->young * nu / (1 - nu * nu) * t * t / 12 * volume;
        shells->bend[2 * k] = volume;
    }
    bool good = edges != NULL;
    scr_memory_free(edges);
    return good;
}

/* ---- all ---- */

static void set_numbers(const scr_solid_def *def, scr_solid *solid)
{
    solid->tensile_strength = isnan(def->tensile_strength) ? INFINITY : def->tensile_strength;
    solid->shear_strength = isnan(def->shear_strength) ? INFINITY : def->shear_strength;
    solid->fracture_energy = isnan(def->fracture_energy) ? INFINITY : def->fracture_energy;
    solid->damping = def->damping;
    solid->stiffness_damping = def->stiffness_damping;
}

static void say(const draft *d, int torsion)
{
    static const char *const torsions[] = {"", "as in the paper", "of a plate", "of a shell"};
    char thick[48] = "";
    if (d->solid->thickness > 0) snprintf(thick, sizeof thick, " %.4g m thick", d->solid->thickness);
    bool irregular = d->tilted || (d->uneven && torsion != SCR_TORSION_SHELL);
    static const char *const normals[] = {"centre-line", "face-normal", "fitted"};
    scr_say("solid %s: %zu cells, %s; normal: %s; torsion: %s%s", d->item->name, d->mesh.cell_count,
            irregular ? "irregular mesh" : "regular mesh", normals[d->solid->normal], torsions[torsion], thick);
}

static int choose_normal(const draft *d, int torsion)
{
    const scr_solid_def *def = d->item->def;
    if (def->normal == SCR_LINKS_CENTRE_LINE) return SCR_LINK_CENTRE_LINE;
    if (def->normal == SCR_LINKS_FACE_NORMAL) return SCR_LINK_FACE_NORMAL;
    if (def->normal == SCR_LINKS_FITTED) return SCR_LINK_FITTED;
    if (torsion == SCR_TORSION_SHELL) return d->tilted ? SCR_LINK_FACE_NORMAL : SCR_LINK_CENTRE_LINE;
    return d->tilted || d->uneven ? SCR_LINK_FITTED : SCR_LINK_CENTRE_LINE;
}

static scree_status build(draft *d, scree_report *report)
{
    const scr_scene *scene = d->scene;
    const scr_item *item = d->item;
    const scr_solid_def *def = item->def;
    scree_status status = read_material(d, report);
    if (!status) status = scr_solid_mesh(scene, item, &d->mesh, report);
    if (!status) status = check_sides(d, report);
    if (!status) status = check_domain(d, report);
    if (!status) status = check_names(d, report);
    if (status) return status;
    d->cells = scr_memory_new(d->mesh.cell_count, sizeof *d->cells);
    if (!d->cells || !scr_polyhedra_shapes(&d->mesh, d->cells, NULL)) return no_memory(report);
    look_at_lines(d);
    int torsion;
    status = choose_torsion(d, &torsion, report);
    if (status) return status;
    d->solid->normal = choose_normal(d, torsion);
    if (d->solid->normal == SCR_LINK_FITTED && !find_pivots(d)) return no_memory(report);
    if (d->tilted && d->poisson > 0.35 && d->solid->normal != SCR_LINK_FITTED)
        scr_warn(report, scr_item_place(scene, item, "material"),
                 "solids.%s: Poisson's ratio %g on an irregular mesh: cells cannot shear without "
                 "changing volume, so that it is too stiff in shear by some per cent, with finer "
                 "meshes too; up to 0.35 is fine, or take normal: fitted, or a regular mesh",
                 item->name, d->poisson);
    set_numbers(def, d->solid);
    if (!append_mesh(d) || !add_cells(d) || !add_links(d, torsion) || !add_shell(d, torsion)) return no_memory(report);
    start_moving(d);
    say(d, torsion);
    return SCREE_OK;
}

scree_status scr_build_solids(scr_step *step, const scr_scene *scene, scree_report *report)
{
    scr_world *w = step->world;
    const scr_items *items = scr_scene_items(scene, "solids");
    if (!items->count) return SCREE_OK;
    if (!step->traits.moves_solids)
        return scr_fail(
            report, SCREE_E_INPUT, scr_item_place(scene, &items->items[0], NULL),
            "solids.%s: the integrator %s does not support elastic solids; leave it out, or use the integrator elastic",
            items->items[0].name, scr_scene_items(scene, "stepper")->items[0].variant->name);
    w->solids = calloc((size_t)items->count, sizeof *w->solids);
    if (!w->solids) return no_memory(report);
    scree_status worst = SCREE_OK;
    for (int k = 0; k < items->count; k++) {
        draft d = {.world = w, .scene = scene, .item = &items->items[k], .solid = &w->solids[k]};
        w->solid_count++;
        d.solid->name = strdup(items->items[k].name);
        scr_polyhedra_init(&d.mesh);
        scree_status status = d.solid->name ? build(&d, report) : no_memory(report);
        if (status) worst = status;
        scr_polyhedra_deinit(&d.mesh);
        scr_memory_free(d.cells);
        scr_memory_free(d.pivots);
        scr_memory_free(d.directors);
        scr_memory_free(d.thicknesses);
    }
    scr_cells_label(w);
    return worst;
}
