/* What acts on elastic solids: patches, supports, loads and sponges, from the scene. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "build/origin.h"
#include "build/signals.h"
#include "build/solids.h"
#include "scene/region.h"

#define FAIL(key, ...) scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key), __VA_ARGS__)

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "loads on solids");
}

static bool is_given(vec3 v)
{
    return !isnan(v.x);
}

/* ---- patches ---- */

typedef struct {
    const scr_world *world;
    const scr_patch_def *def;
    scr_region region;
    vec3 point, normal; // of the plane, unit
    double size;        // of all meshes: distances below 1e-9 of it are none
} chooser;

static bool solid_fits(const chooser *c, int cell)
{
    const scr_texts *names = &c->def->solids;
    const char *own = c->world->solids[c->world->cells.solid[cell]].name;
    for (int k = 0; k < names->count; k++)
        if (!strcmp(names->items[k], own)) return true;
    return !names->count;
}

static bool group_fits(const chooser *c, int cell)
{
    const scr_polyhedra *mesh = &c->world->mesh;
    const scr_texts *names = &c->def->groups;
    int group = mesh->group ? mesh->group[cell] : -1;
    for (int k = 0; group >= 0 && k < names->count; k++)
        if (!strcmp(names->items[k], mesh->groups[group])) return true;
    return !names->count;
}

static bool cell_fits(const chooser *c, int cell)
{
    return solid_fits(c, cell) && group_fits(c, cell);
}

static bool side_fits(const chooser *c, size_t face)
{
    const scr_texts *names = &c->def->sides;
    int side = c->world->mesh.side[face];
    for (int k = 0; side >= 0 && k < names->count; k++)
        if (!strcmp(names->items[k], c->world->mesh.sides[side])) return true;
    return !names->count;
}

static bool point_fits(const chooser *c, vec3 x)
{
    return !c->def->region.def || scr_region_holds(&c->region, x, 0, 1e-9 * c->size);
}

static bool face_fits(const chooser *c, size_t face)
{
    const scr_polyhedra *mesh = &c->world->mesh;
    if (mesh->cells[2 * face + 1] >= 0 || !cell_fits(c, mesh->cells[2 * face]) || !side_fits(c, face)) return false;
    scr_face_shape f = scr_polyhedra_face(mesh, face);
    if (!point_fits(c, f.centre)) return false;
    if (!c->def->plane.def) return true;
    return fabs(v3_dot(v3_sub(f.centre, c->point), c->normal)) <= 1e-6 * c->size &&
           fabs(v3_dot(f.normal, c->normal)) > 1 - 1e-6;
}

// marks cells by their own place, and by the faces that fit where sides are named
static void mark_cells(const chooser *c, const uint8_t *faces, uint8_t *cells)
{
    const scr_polyhedra *mesh = &c->world->mesh;
    size_t n = mesh->cell_count;
    for (size_t k = 0; k < n; k++)
        cells[k] = cell_fits(c, (int)k) && point_fits(c, v3_load(c->world->cells.home + 4 * k)) ? 1 : 0;
    uint8_t wanted = 1;
    if (c->def->sides.count) {
        // a cell's centre need not be in the region when its face's is
        for (size_t f = 0; f < mesh->face_count; f++)
            if (faces[f]) cells[mesh->cells[2 * f]] = 2;
        wanted = 2;
    } else if (c->def->plane.def) {
        // bit 2: a corner below the plane, bit 4: above it
        for (size_t f = 0; f < mesh->face_count; f++)
            for (uint32_t k = mesh->first[f]; k < mesh->first[f + 1]; k++) {
                vec3 x = v3_load(mesh->points + 3 * mesh->corners[k]);
                double height = v3_dot(v3_sub(x, c->point), c->normal);
                uint8_t bits = (uint8_t)((height <= 1e-9 * c->size ? 2 : 0) | (height >= -1e-9 * c->size ? 4 : 0));
                for (int e = 0; e < 2; e++)
                    if (mesh->cells[2 * f + (size_t)e] >= 0) cells[mesh->cells[2 * f + (size_t)e]] |= bits;
            }
        wanted = 7;
    }
    for (size_t k = 0; k < n; k++) cells[k] = cells[k] == wanted;
}

// leaves the nearest alone: the cell; or with sides the face, and its cell
static void keep_nearest(const chooser *c, uint8_t *cells, uint8_t *faces)
{
    const scr_polyhedra *mesh = &c->world->mesh;
    bool by_faces = c->def->sides.count > 0;
    scr_nearest_point nearest = scr_nearest_to(c->def->near);
    for (size_t k = 0; by_faces && k < mesh->face_count; k++)
        if (faces[k]) scr_nearest_point_offer(&nearest, k, scr_polyhedra_face(mesh, k).centre);
    for (size_t k = 0; !by_faces && k < mesh->cell_count; k++)
        if (cells[k]) scr_nearest_point_offer(&nearest, k, v3_load(c->world->cells.home + 4 * k));
    size_t best = nearest.best;
    memset(cells, 0, mesh->cell_count);
    memset(faces, 0, mesh->face_count);
    if (best == SIZE_MAX) return;
    if (by_faces) faces[best] = 1;
    cells[by_faces ? (size_t)mesh->cells[2 * best] : best] = 1;
}

static uint32_t *listed(const uint8_t *marks, size_t count, size_t *found)
{
    *found = 0;
    for (size_t k = 0; k < count; k++) *found += marks[k];
    uint32_t *list = scr_memory_new(*found + 1, sizeof *list);
    size_t n = 0;
    for (size_t k = 0; list && k < count; k++)
        if (marks[k]) list[n++] = (uint32_t)k;
    return list;
}

static bool has_name(const char (*names)[24], int count, const char *name)
{
    for (int k = 0; k < count; k++)
        if (!strcmp(names[k], name)) return true;
    return false;
}

static scree_status check_patch(const scr_world *w, const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_patch_def *def = item->def;
    const struct {
        const char *key, *what;
        const scr_texts *wanted;
        const char (*names)[24];
        int count;
    } kinds[] = {{"groups", "group of cells", &def->groups, w->mesh.groups, w->mesh.group_count},
                 {"sides", "side", &def->sides, w->mesh.sides, w->mesh.side_count}};
    for (int n = 0; n < 2; n++) {
        char all[512] = "";
        for (int k = 0; k < kinds[n].count; k++)
            snprintf(all + strlen(all), sizeof all - strlen(all), " %s", kinds[n].names[k]);
        for (int k = 0; k < kinds[n].wanted->count; k++)
            if (!has_name(kinds[n].names, kinds[n].count, kinds[n].wanted->items[k]))
                return FAIL(kinds[n].key, "patches.%s.%s names '%s', which is not a %s of any mesh here; there are%s",
                            item->name, kinds[n].key, kinds[n].wanted->items[k], kinds[n].what, *all ? all : " none");
    }
    const scr_patch_plane_def *plane = def->plane.def;
    if (plane && !(v3_norm(plane->normal) > 0)) return FAIL("plane", "patches.%s.plane.normal is zero", item->name);
    return SCREE_OK;
}

static scree_status choose_patch(chooser *c, const scr_scene *scene, const scr_item *item, scr_patch *patch,
                                 scree_report *report)
{
    const scr_polyhedra *mesh = &c->world->mesh;
    const scr_patch_plane_def *plane = c->def->plane.def;
    if (plane) c->point = plane->point, c->normal = v3_unit(plane->normal);
    if (c->def->region.def && !scr_region_init(&c->region, scene, &c->def->region))
        return FAIL("region", "patches.%s.region has no volume, or is too large", item->name);
    uint8_t *faces = scr_memory_new(mesh->face_count + 1, 1);
    uint8_t *cells = scr_memory_new(mesh->cell_count + 1, 1);
    scree_status status = faces && cells ? SCREE_OK : no_memory(report);
    if (!status) {
        for (size_t f = 0; f < mesh->face_count; f++) faces[f] = face_fits(c, f);
        mark_cells(c, faces, cells);
        if (is_given(c->def->near)) keep_nearest(c, cells, faces);
        patch->cells = listed(cells, mesh->cell_count, &patch->cell_count);
        patch->faces = listed(faces, mesh->face_count, &patch->face_count);
        if (!patch->cells || !patch->faces) status = no_memory(report);
    }
    scr_memory_free(faces);
    scr_memory_free(cells);
    if (!status && !patch->cell_count && !patch->face_count)
        status = FAIL(NULL, "patches.%s contains no cell and no face", item->name);
    return status;
}

static double mesh_size(const scr_polyhedra *mesh)
{
    double most = 0;
    for (int d = 0; d < 3; d++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < mesh->point_count; k++) {
            double x = mesh->points[3 * k + (size_t)d];
            low = fmin(low, x), high = fmax(high, x);
        }
        most = fmax(most, high - low);
    }
    return most;
}

static scree_status build_patches(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *items = scr_scene_items(scene, "patches");
    scree_status worst = SCREE_OK;
    w->patches = calloc((size_t)items->count + 1, sizeof *w->patches);
    if (!w->patches) return no_memory(report);
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        scr_patch *patch = &w->patches[w->patch_count++];
        patch->name = strdup(item->name);
        if (!patch->name) return no_memory(report);
        chooser c = {.world = w, .def = item->def, .size = mesh_size(&w->mesh)};
        scree_status status = check_patch(w, scene, item, report);
        if (!status) status = choose_patch(&c, scene, item, patch, report);
        if (status) worst = status;
    }
    return worst;
}

/* ---- supports ---- */

static int bits_of(const scr_texts *words)
{
    static const char *const names[] = {"x", "y", "z", "rx", "ry", "rz"};
    int bits = 0;
    for (int k = 0; k < words->count; k++)
        for (int b = 0; b < 6; b++)
            if (!strcmp(words->items[k], names[b]))
                bits |= 1 << b;
            else if (!strcmp(words->items[k], "all"))
                bits = 63;
    return bits;
}

// the first support that holds this cell in one of these directions
static const char *holder(const scr_world *w, uint32_t cell, int directions)
{
    int n = 0;
    for (; n < w->support_count - 1; n++) {
        const scr_support *s = &w->supports[n];
        const scr_patch *p = s->patch < 0 ? NULL : &w->patches[s->patch];
        for (size_t k = 0; p && s->holds & directions && k < p->cell_count; k++)
            if (p->cells[k] == cell) return s->name;
    }
    return w->supports[n].name;
}

static scree_status build_support(scr_world *w, const scr_scene *scene, const scr_item *item, scr_support *s,
                                  scree_report *report)
{
    const scr_support_def *def = item->def;
    s->patch = scr_patch_find(w, def->patch);
    s->holds = bits_of(&def->holds);
    s->displacement = def->displacement;
    s->rotation = def->rotation, s->point = def->point;
    if (!w->patches[s->patch].cell_count) return SCREE_E_INPUT; // said of the patch
    if (v3_norm(s->rotation) > 0 && s->holds != 63)
        return FAIL("rotation", "supports.%s has a rotation: it must hold all six motions of its cells", item->name);
    for (int d = 0; d < 3; d++)
        if ((&s->displacement.x)[d] != 0 && !(s->holds >> d & 1))
            return FAIL("displacement",
                        "supports.%s.displacement is %g m along %c, but the support does not hold this direction",
                        item->name, (&s->displacement.x)[d], "xyz"[d]);
    const scr_patch *patch = &w->patches[s->patch];
    for (size_t k = 0; k < patch->cell_count; k++) {
        int32_t *held = &w->cells.held[patch->cells[k]];
        if (*held & s->holds) {
            vec3 x = v3_load(w->cells.home + 4 * patch->cells[k]);
            return FAIL("patch",
                        "supports.%s holds the cell at (%.6g, %.6g, %.6g) m in a direction in which supports.%s "
                        "already holds it",
                        item->name, x.x, x.y, x.z, holder(w, patch->cells[k], s->holds));
        }
        *held |= s->holds;
    }
    return scr_signal_read(scene, item, &def->signal, NULL, scr_origin(w, scene, "supports", item->name), &s->signal,
                           report);
}

/* ---- loads ---- */

typedef struct {
    scr_world *world;
    const scr_scene *scene;
    const scr_item *item;
    const scr_patch *patch;
    scr_load *load;
    scree_report *report;
} loader;

static scree_status reserve(const loader *l, size_t count)
{
    l->load->entries = scr_memory_new(count + 1, sizeof *l->load->entries);
    return l->load->entries ? SCREE_OK : no_memory(l->report);
}

static scr_face_shape shape_of(const loader *l, uint32_t face)
{
    return scr_polyhedra_face(&l->world->mesh, face);
}

static vec3 face_arm(const loader *l, uint32_t face)
{
    int cell = l->world->mesh.cells[2 * face];
    return v3_sub(shape_of(l, face).centre, v3_load(l->world->cells.home + 4 * cell));
}

static scree_status on_faces(const loader *l, const char *what)
{
    const scr_scene *scene = l->scene;
    const scr_item *item = l->item;
    scree_report *report = l->report;
    if (!l->patch->face_count)
        return FAIL("patch",
                    "loads.%s is a %s, but its patch has no faces of the border; name its "
                    "sides",
                    item->name, what);
    return reserve(l, l->patch->face_count);
}

static void add_entry(const loader *l, uint32_t cell, vec3 arm, vec3 force, vec3 couple)
{
    l->load->entries[l->load->entry_count++] =
        (scr_load_entry){.cell = cell, .arm = arm, .force = force, .couple = couple};
}

static scree_status load_force(const loader *l)
{
    const scr_load_force_def *def = l->item->variant_def;
    const scr_cells *cells = &l->world->cells;
    const scr_patch *p = l->patch;
    if (is_given(def->at)) {
        scr_nearest_point nearest = scr_nearest_to(def->at);
        for (size_t k = 0; k < p->cell_count; k++)
            scr_nearest_point_offer(&nearest, p->cells[k], v3_load(cells->home + 4 * p->cells[k]));
        scree_status status = reserve(l, 1);
        vec3 arm = v3_sub(def->at, v3_load(cells->home + 4 * nearest.best));
        if (!status) add_entry(l, (uint32_t)nearest.best, arm, def->force, v3(0, 0, 0));
        return status;
    }
    bool by_sides = ((const scr_patch_def *)scr_scene_find(l->scene, "patches", p->name)->def)->sides.count > 0;
    int spread = def->spread;
    if (spread == SCR_SPREAD_AUTO) spread = by_sides ? SCR_SPREAD_AREA : SCR_SPREAD_VOLUME;
    double sum = 0;
    if (spread == SCR_SPREAD_AREA) {
        scree_status status = on_faces(l, "force spread over area");
        for (size_t k = 0; !status && k < p->face_count; k++) sum += shape_of(l, p->faces[k]).area;
        for (size_t k = 0; !status && k < p->face_count; k++)
            add_entry(l, (uint32_t)l->world->mesh.cells[2 * p->faces[k]], face_arm(l, p->faces[k]),
                      v3_scale(shape_of(l, p->faces[k]).area / sum, def->force), v3(0, 0, 0));
        return status;
    }
    scree_status status = reserve(l, p->cell_count);
    for (size_t k = 0; !status && k < p->cell_count; k++)
        sum += spread == SCR_SPREAD_EQUAL ? 1 : scr_cell_volume(cells, p->cells[k]);
    for (size_t k = 0; !status && k < p->cell_count; k++) {
        uint32_t c = p->cells[k];
        bool equal = spread == SCR_SPREAD_EQUAL;
        double part = equal ? 1 : scr_cell_volume(cells, c);
        // by volume it is a body force and acts at the centre; else where the cell stands for the body
        vec3 arm = equal ? v3_load(cells->pivot + 3 * (size_t)c) : v3(0, 0, 0);
        add_entry(l, c, arm, v3_scale(part / sum, def->force), v3(0, 0, 0));
    }
    return status;
}

static scree_status load_torque(const loader *l)
{
    const scr_load_torque_def *def = l->item->variant_def;
    const scr_cells *cells = &l->world->cells;
    double sum = 0;
    scree_status status = reserve(l, l->patch->cell_count);
    for (size_t k = 0; !status && k < l->patch->cell_count; k++) sum += scr_cell_volume(cells, l->patch->cells[k]);
    for (size_t k = 0; !status && k < l->patch->cell_count; k++) {
        uint32_t c = l->patch->cells[k];
        add_entry(l, c, v3(0, 0, 0), v3(0, 0, 0), v3_scale(scr_cell_volume(cells, c) / sum, def->torque));
    }
    return status;
}

// stress on a face: it also swells the cell, (10) of docs/theory-elastic.md
static void add_stress(const loader *l, uint32_t face, vec3 stress)
{
    const scr_world *w = l->world;
    scr_face_shape f = shape_of(l, face);
    uint32_t cell = (uint32_t)w->mesh.cells[2 * face];
    const scr_material *m = &w->materials[w->solids[w->cells.solid[cell]].material];
    vec3 arm = face_arm(l, face);
    add_entry(l, cell, arm, v3_scale(f.area, stress), v3(0, 0, 0));
    if (w->border[face] != SCR_BORDER_FREE) return;
    vec3 to = v3_sub(arm, v3_load(w->cells.pivot + 3 * (size_t)cell));
    if (w->solids[w->cells.solid[cell]].normal != SCR_LINK_FITTED) to = v3_scale(v3_dot(to, f.normal), f.normal);
    l->load->entries[l->load->entry_count - 1].swell =
        f.area * v3_dot(to, stress) / scr_lame_twice_mu(m->young, m->poisson);
}

static scree_status load_traction(const loader *l)
{
    const scr_load_traction_def *def = l->item->variant_def;
    scree_status status = on_faces(l, "traction");
    for (size_t k = 0; !status && k < l->patch->face_count; k++) add_stress(l, l->patch->faces[k], def->stress);
    return status;
}

static scree_status load_pressure(const loader *l)
{
    const scr_load_pressure_def *def = l->item->variant_def;
    scree_status status = on_faces(l, "pressure");
    l->load->follows = true;
    for (size_t k = 0; !status && k < l->patch->face_count; k++)
        add_stress(l, l->patch->faces[k], v3_scale(-def->pressure, shape_of(l, l->patch->faces[k]).normal));
    return status;
}

static scree_status load_acceleration(const loader *l)
{
    const scr_load_acceleration_def *def = l->item->variant_def;
    scree_status status = reserve(l, l->patch->cell_count);
    for (size_t k = 0; !status && k < l->patch->cell_count; k++) {
        uint32_t c = l->patch->cells[k];
        add_entry(l, c, v3(0, 0, 0), v3_scale(scr_cell_mass(&l->world->cells, c), def->acceleration), v3(0, 0, 0));
    }
    return status;
}

static const struct {
    const char *name;
    scree_status (*make)(const loader *l);
} load_kinds[] = {{"force", load_force},
                  {"torque", load_torque},
                  {"traction", load_traction},
                  {"pressure", load_pressure},
                  {"acceleration", load_acceleration}};

// by cell, which comes first in them: blocks of cells look for their own
static scree_status sort_entries(scr_load *load, scree_report *report)
{
    scr_sorter sorter = {0};
    bool sorted = scr_sort(&sorter, load->entries, load->entry_count, sizeof *load->entries, scr_by_u32);
    scr_memory_free(sorter.room);
    return sorted ? SCREE_OK : no_memory(report);
}

static scree_status build_load(scr_world *w, const scr_scene *scene, const scr_item *item, scr_load *load,
                               scree_report *report)
{
    const scr_load_def *def = item->def;
    int patch = scr_patch_find(w, def->patch);
    if (!w->patches[patch].cell_count) return SCREE_E_INPUT; // said of the patch
    load->follows = def->follows;
    loader l = {w, scene, item, &w->patches[patch], load, report};
    scree_status status = SCREE_OK;
    for (size_t k = 0; k < sizeof load_kinds / sizeof *load_kinds; k++)
        if (!strcmp(load_kinds[k].name, item->variant->name)) status = load_kinds[k].make(&l);
    if (!status) status = sort_entries(load, report);
    return status ? status
                  : scr_signal_read(scene, item, &def->signal, NULL, scr_origin(w, scene, "loads", item->name),
                                    &load->signal, report);
}

/* ---- sponges ---- */

static scree_status build_sponge(const scr_scene *scene, const scr_item *item, scr_sponge *sponge, scree_report *report)
{
    const scr_sponge_def *def = item->def;
    if (!(v3_norm(def->normal) > 0)) return FAIL("normal", "sponges.%s.normal is zero", item->name);
    sponge->point = def->point, sponge->normal = v3_unit(def->normal);
    sponge->width = def->width, sponge->rate = def->rate;
    return SCREE_OK;
}

/* ---- all ---- */

static scree_status build_rest(scr_world *w, const scr_scene *scene, scree_report *report)
{
    const scr_items *supports = scr_scene_items(scene, "supports");
    const scr_items *loads = scr_scene_items(scene, "loads");
    const scr_items *sponges = scr_scene_items(scene, "sponges");
    w->supports = calloc((size_t)supports->count + 1, sizeof *w->supports);
    w->loads = calloc((size_t)loads->count + 1, sizeof *w->loads);
    w->sponges = calloc((size_t)sponges->count + 1, sizeof *w->sponges);
    if (!w->supports || !w->loads || !w->sponges) return no_memory(report);
    scree_status worst = SCREE_OK, status;
    for (int k = 0; k < supports->count; k++) {
        scr_support *s = &w->supports[w->support_count++];
        s->name = strdup(supports->items[k].name);
        status = s->name ? build_support(w, scene, &supports->items[k], s, report) : no_memory(report);
        if (status) worst = status;
    }
    for (int k = 0; k < loads->count; k++) {
        scr_load *l = &w->loads[w->load_count++];
        l->name = strdup(loads->items[k].name);
        status = l->name ? build_load(w, scene, &loads->items[k], l, report) : no_memory(report);
        if (status) worst = status;
    }
    for (int k = 0; k < sponges->count; k++) {
        scr_sponge *s = &w->sponges[w->sponge_count++];
        s->name = strdup(sponges->items[k].name);
        status = s->name ? build_sponge(scene, &sponges->items[k], s, report) : no_memory(report);
        if (status) worst = status;
    }
    return worst;
}

scree_status scr_build_loads(scr_world *w, const scr_scene *scene, scree_report *report)
{
    static const char *const sections[] = {"patches", "supports", "loads", "sponges"};
    for (int k = 0; k < 4 && !w->cells.table.count; k++) {
        const scr_items *items = scr_scene_items(scene, sections[k]);
        if (items->count)
            return scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &items->items[0], NULL),
                            "%s.%s needs an elastic solid, but the scene has none (solids)", sections[k],
                            items->items[0].name);
    }
    if (!w->cells.table.count) return SCREE_OK;
    scree_status patches = build_patches(w, scene, report);
    if (patches == SCREE_E_MEMORY) return patches;
    // all that is wrong at once
    scree_status rest = build_rest(w, scene, report);
    return patches ? patches : rest;
}
