/* Elastic solids in HDF5: what they are (/solids), the mesh that they are made of (/mesh), and what their supports and
 * loads have felt (/supports, /loads); the tables of cells, links and shells are written as all tables are. Reading
 * checks every index that a step or a picture follows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "world/checkpoint_items.h"

#define MOST_MESH 1000000000 // points, faces or corners of a mesh

static bool is_unit(const double *v, int width)
{
    double square = 0;
    for (int d = 0; d < width; d++) square += v[d] * v[d];
    return fabs(square - 1) < 1e-6;
}

/* ---- solids ---- */

static const struct {
    const char *name;
    size_t offset;
    bool may_be_infinite;
} solid_numbers[] = {
    {"thickness", offsetof(scr_solid, thickness), false},
    {"tensile_strength", offsetof(scr_solid, tensile_strength), true},
    {"shear_strength", offsetof(scr_solid, shear_strength), true},
    {"fracture_energy", offsetof(scr_solid, fracture_energy), true},
    {"damping", offsetof(scr_solid, damping), false},
    {"stiffness_damping", offsetof(scr_solid, stiffness_damping), false},
};
#define SOLID_NUMBERS (sizeof solid_numbers / sizeof *solid_numbers)

static const struct {
    const char *name;
    size_t offset;
} solid_counts[] = {
    {"material", offsetof(scr_solid, material)},
    {"first_cell", offsetof(scr_solid, first_cell)},
    {"cell_count", offsetof(scr_solid, cell_count)},
    {"normal", offsetof(scr_solid, normal)},
};
#define SOLID_COUNTS (sizeof solid_counts / sizeof *solid_counts)

scree_status scr_solids_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/solids");
    for (int k = 0; !status && k < world->solid_count; k++) {
        const char *solid = (const char *)&world->solids[k];
        char *path = scr_item_write(file, "/solids", world->solids[k].name, k);
        if (!path) return scr_h5_no_memory(file, "/solids");
        for (size_t n = 0; n < SOLID_COUNTS; n++)
            scr_h5_set_i64(file, path, solid_counts[n].name, &(int64_t){*(const int *)(solid + solid_counts[n].offset)},
                           1);
        for (size_t n = 0; n < SOLID_NUMBERS; n++)
            scr_h5_set_f64(file, path, solid_numbers[n].name, (const double *)(solid + solid_numbers[n].offset), 1);
        status = scr_h5_set_text(file, path, "unit",
                                 "thickness m, strengths Pa, fracture_energy J/m^2, damping 1/s, "
                                 "stiffness_damping s");
        free(path);
    }
    return status;
}

static scree_status solid_read(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                               scr_world *world)
{
    scr_solid *s = &world->solids[index];
    s->name = name;
    scree_status status = SCREE_OK;
    for (size_t n = 0; !status && n < SOLID_COUNTS; n++) {
        int64_t value = -1;
        status = scr_h5_get_i64(file, path, solid_counts[n].name, &value, 1);
        if (!status && (value < 0 || value > INT32_MAX)) status = scr_h5_wrong(file, path, "has an invalid count");
        *(int *)((char *)s + solid_counts[n].offset) = (int)value;
    }
    for (size_t n = 0; !status && n < SOLID_NUMBERS; n++) {
        double *value = (double *)((char *)s + solid_numbers[n].offset);
        status = scr_h5_get_f64(file, path, solid_numbers[n].name, value, 1);
        if (!status && (!(*value >= 0) || (isinf(*value) && !solid_numbers[n].may_be_infinite)))
            status = scr_h5_wrong(file, path, "has an invalid number");
    }
    if (status) return status;
    if (s->material >= material_count) return scr_h5_wrong(file, path, "refers to a material that does not exist");
    return s->normal > SCR_LINK_FITTED ? scr_h5_wrong(file, path, "has an unknown normal") : SCREE_OK;
}

scree_status scr_solids_read(const scr_h5 *file, scr_world *world)
{
    return scr_items_read(file, "/solids", (void **)&world->solids, sizeof *world->solids, &world->solid_count,
                          solid_read, world->material_count, world);
}

/* ---- mesh ---- */

// names of sides, one per line
static scree_status sides_write(scr_h5 *file, const scr_polyhedra *mesh)
{
    char text[SCR_MOST_SIDES * (sizeof *mesh->sides + 1)] = "";
    for (int k = 0; k < mesh->side_count; k++) {
        strncat(text, mesh->sides[k], sizeof *mesh->sides - 1);
        strcat(text, "\n");
    }
    return scr_h5_set_text(file, "/mesh", "sides", text);
}

static scree_status sides_read(const scr_h5 *file, scr_polyhedra *mesh)
{
    char *text;
    scree_status status = scr_h5_get_text(file, "/mesh", "sides", &text);
    if (status) return status;
    for (char *line = text, *end; !status && (end = strchr(line, '\n')); line = end + 1) {
        size_t length = (size_t)(end - line);
        if (mesh->side_count == SCR_MOST_SIDES || length >= sizeof *mesh->sides)
            status = scr_h5_wrong(file, "/mesh", "has too many sides or one of too long a name");
        else
            memcpy(mesh->sides[mesh->side_count++], line, length);
    }
    free(text);
    return status;
}

uint64_t scr_cell_mesh_size(const scr_world *world)
{
    const scr_polyhedra *m = &world->mesh;
    return 24 * m->point_count + 4 * m->corner_count + 20 * m->face_count + (m->shift ? 24 * m->face_count : 0);
}

scree_status scr_cell_mesh_write(scr_h5 *file, const scr_world *world)
{
    const scr_polyhedra *m = &world->mesh;
    static const uint32_t zero;
    const struct {
        scr_h5_set set;
        size_t rows;
        const void *data;
    } sets[] = {
        {{"/mesh/points", SCR_H5_F64, 3, "m", "corners in the reference state"}, m->point_count, m->points},
        {{"/mesh/first", SCR_H5_I32, 1, "", "where the corners of each face begin, and their number"},
         m->face_count + 1,
         m->face_count ? m->first : &zero},
        {{"/mesh/corners", SCR_H5_I32, 1, "", "points, counter-clockwise seen from outside the face's first cell"},
         m->corner_count,
         m->corners},
        {{"/mesh/cells", SCR_H5_I32, 2, "", "of each face; the second -1 on the border"}, m->face_count, m->cells},
        {{"/mesh/side", SCR_H5_I32, 1, "", "of each face: line of the attribute sides; -1 within"},
         m->face_count,
         m->side},
        {{"/mesh/skin", SCR_H5_I32, 1, "", "of each face on the border: 0 free, 1 symmetry"},
         m->face_count,
         world->border},
        {{"/mesh/shift", SCR_H5_F64, 3, "m",
          "of each face: the second cell's copy there is so far from it (periodic meshes)"},
         m->shift ? m->face_count : 0,
         m->shift},
    };
    scr_h5_group(file, "/mesh");
    scr_h5_set_i64(file, "/mesh", "cell_count", &(int64_t){(int64_t)m->cell_count}, 1);
    scree_status status = sides_write(file, m);
    for (size_t k = 0; !status && k < sizeof sets / sizeof *sets; k++)
        status = scr_h5_write(file, &sets[k].set, sets[k].rows, sets[k].data);
    return status;
}

// a dataset of the mesh into a buffer; *rows as found, or as they must be where they are known
static scree_status array_read(const scr_h5 *file, const char *name, scr_h5_type type, int width, size_t *rows,
                               bool known, void *array)
{
    scr_h5_type found;
    size_t count;
    int across;
    scree_status status = scr_h5_shape(file, name, &found, &count, &across);
    if (status) return status;
    if (found != type || across != width || count > MOST_MESH || (known && count != *rows))
        return scr_h5_wrong(file, name, "has the wrong type or shape");
    if (!scr_buffer_reserve(array, count, (size_t)width * (type == SCR_H5_F64 ? 8 : 4)))
        return scr_h5_no_memory(file, name);
    void *data;
    memcpy(&data, array, sizeof data);
    *rows = count;
    return scr_h5_read(file, &(scr_h5_set){name, type, width, NULL, NULL}, count, data);
}

// vectors, `rows` of them or none
static scree_status optional_read(const scr_h5 *file, const char *name, size_t rows, double **array)
{
    size_t found = 0;
    scree_status status = array_read(file, name, SCR_H5_F64, 3, &found, false, array);
    if (status || (found && found == rows)) return status;
    if (found) return scr_h5_wrong(file, name, "has the wrong number of rows");
    scr_buffer_free(*array);
    *array = NULL;
    return SCREE_OK;
}

static scree_status points_check(const scr_h5 *file, const char *name, const double *x, size_t rows)
{
    for (size_t k = 0; k < 3 * rows; k++)
        if (!isfinite(x[k])) return scr_h5_wrong(file, name, "has a number that is not finite");
    return SCREE_OK;
}

static const char *face_fault(const scr_world *w, size_t f)
{
    const scr_polyhedra *m = &w->mesh;
    int64_t cells = (int64_t)m->cell_count, a = m->cells[2 * f], b = m->cells[2 * f + 1];
    // written so that no difference can wrap
    if (m->first[f + 1] < m->first[f] || m->first[f + 1] - m->first[f] < 3 || m->first[f + 1] > m->corner_count)
        return "has a face whose corners do not exist";
    if (a < 0 || a >= cells || b < SCR_NO_CELL || b >= cells || (a == b && !m->shift))
        return "has a face of a cell that does not exist";
    if (m->side[f] < SCR_NO_SIDE || m->side[f] >= m->side_count) return "has a face on a side that does not exist";
    if (w->border[f] < SCR_BORDER_FREE || w->border[f] > SCR_BORDER_SYMMETRY)
        return "has a face of an unknown kind of border";
    return NULL;
}

static scree_status mesh_check(const scr_h5 *file, const scr_world *w)
{
    const scr_polyhedra *m = &w->mesh;
    if (m->first[0] != 0 || m->first[m->face_count] != m->corner_count)
        return scr_h5_wrong(file, "/mesh/first", "does not begin with 0 and end with all corners");
    for (size_t f = 0; f < m->face_count; f++) {
        const char *fault = face_fault(w, f);
        if (fault) return scr_h5_wrong(file, "/mesh", fault);
    }
    for (size_t k = 0; k < m->corner_count; k++)
        if (m->corners[k] >= m->point_count)
            return scr_h5_wrong(file, "/mesh/corners", "refers to a point that does not exist");
    scree_status status = points_check(file, "/mesh/points", m->points, m->point_count);
    if (!status && m->shift) status = points_check(file, "/mesh/shift", m->shift, m->face_count);
    return status;
}

// cells of a solid stand together, one solid behind the other
static scree_status solids_check(const scr_h5 *file, const scr_world *w)
{
    int64_t next = 0;
    for (int s = 0; s < w->solid_count; s++) {
        if (w->solids[s].first_cell != next) return scr_h5_wrong(file, "/solids", "has cells that are not contiguous");
        next += w->solids[s].cell_count;
    }
    return next == (int64_t)w->mesh.cell_count
               ? SCREE_OK
               : scr_h5_wrong(file, "/solids", "has another number of cells than the mesh");
}

scree_status scr_cell_mesh_read(const scr_h5 *file, scr_world *world)
{
    scr_polyhedra *m = &world->mesh;
    int64_t cells;
    scree_status status = scr_h5_get_i64(file, "/mesh", "cell_count", &cells, 1);
    if (!status && (cells < 0 || cells > MOST_MESH)) status = scr_h5_wrong(file, "/mesh", "has an impossible count");
    if (!status) status = sides_read(file, m);
    if (status) return status;
    m->cell_count = (size_t)cells;
    size_t starts = 0;
    if ((status = array_read(file, "/mesh/points", SCR_H5_F64, 3, &m->point_count, false, &m->points)) ||
        (status = array_read(file, "/mesh/first", SCR_H5_I32, 1, &starts, false, &m->first)) ||
        (status = array_read(file, "/mesh/corners", SCR_H5_I32, 1, &m->corner_count, false, &m->corners)))
        return status;
    if (starts == 0) return scr_h5_wrong(file, "/mesh/first", "is empty");
    m->face_count = starts - 1;
    if ((status = array_read(file, "/mesh/cells", SCR_H5_I32, 2, &m->face_count, true, &m->cells)) ||
        (status = array_read(file, "/mesh/side", SCR_H5_I32, 1, &m->face_count, true, &m->side)) ||
        (status = array_read(file, "/mesh/skin", SCR_H5_I32, 1, &m->face_count, true, &world->border)))
        return status;
    if ((status = optional_read(file, "/mesh/shift", m->face_count, &m->shift))) return status;
    status = mesh_check(file, world);
    return status ? status : solids_check(file, world);
}

/* ---- what a step relies on in cells, links and shells ---- */

static const char *cell_fault(const scr_world *w, size_t k)
{
    const scr_cells *c = &w->cells;
    const double *m = c->inertia + 4 * k;
    if (!(scr_cell_mass(c, k) > 0) || !(c->velocity[4 * k + 3] >= 0)) return "has a mass that is not positive";
    if (!(m[0] > 0) || !(m[1] > 0) || !(m[2] > 0)) return "has an inertia that is not positive";
    if (!(scr_cell_volume(c, k) > 0) || !(c->bulk[2 * k] > 0)) return "has a volume that is not positive";
    if (!is_unit(c->turn + 4 * k, 4) || !is_unit(c->axes + 4 * k, 4))
        return "has a quaternion that is not of unit length";
    int64_t s = c->solid[k], fragment = c->fragment[k];
    if (s < 0 || s >= w->solid_count || (int64_t)k < w->solids[s].first_cell ||
        (int64_t)k >= (int64_t)w->solids[s].first_cell + w->solids[s].cell_count)
        return "refers to a solid to which the cell does not belong";
    if (fragment < 0 || fragment > (int64_t)k || c->fragment[fragment] != fragment || c->solid[fragment] != s)
        return "has an invalid fragment";
    return c->held[k] < 0 || c->held[k] > 63 ? "holds motions that do not exist" : NULL;
}

static const char *link_fault(const scr_world *w, size_t k)
{
    const scr_links *l = &w->links;
    const double *frame = l->frame + 6 * k;
    int64_t a = l->cell[2 * k], b = l->cell[2 * k + 1], cells = (int64_t)w->cells.table.count;
    if (a < 0 || b <= a || b >= cells) return "refers to a cell that does not exist";
    if (w->cells.solid[a] != w->cells.solid[b]) return "joins two solids";
    if (k > 0 && (l->cell[2 * k - 2] > a || (l->cell[2 * k - 2] == a && l->cell[2 * k - 1] > b)))
        return "is not sorted";
    if (!is_unit(frame, 3) || !is_unit(frame + 3, 3) || fabs(v3_dot(v3_load(frame), v3_load(frame + 3))) > 1e-6)
        return "has an invalid frame";
    if (!(l->stiff[4 * k] > 0) || !(l->area[k] > 0)) return "has a stiffness that is not positive";
    if (l->face[k] < 0 || l->face[k] >= (int64_t)w->mesh.face_count) return "refers to a face that does not exist";
    return l->fate[k] < SCR_LINK_HOLDS || l->fate[k] > SCR_LINK_ENERGY ? "has an unknown fate" : NULL;
}

static const char *shell_fault(const scr_world *w, size_t k)
{
    const scr_shells *s = &w->shells;
    if (!(w->solids[w->cells.solid[k]].thickness > 0)) return NULL;
    if (!is_unit(s->director + 4 * k, 3)) return "has an invalid director";
    return s->bend[2 * k] > 0 ? NULL : "has a volume that is not positive";
}

// grains are known by id: one that is not there has no contact
static const char *contact_fault(const scr_world *w, size_t k)
{
    const scr_cell_contacts *c = &w->cell_contacts;
    int64_t cells = (int64_t)w->cells.table.count, kind = c->kind[k];
    if (kind < 0 || kind >= SCR_MEET_KINDS) return "has an unknown kind";
    int64_t most = kind == SCR_MEET_CELL_WALL ? w->face_count : cells;
    if (c->second[k] < 0 || c->second[k] >= most ||
        (kind != SCR_MEET_GRAIN_CELL && (c->first[k] < 0 || c->first[k] >= cells)))
        return "refers to a cell or face that does not exist";
    if (k > 0 && (c->kind[k - 1] > kind || (c->kind[k - 1] == kind && c->first[k - 1] > c->first[k])))
        return "is not sorted";
    if (c->feature[2 * k] < 0 || c->feature[2 * k + 1] < 0 || !is_unit(c->normal + 4 * k, 3))
        return "has an invalid normal or feature";
    return NULL;
}

scree_status scr_cells_check(const scr_h5 *file, const scr_world *w)
{
    const char *fault = NULL;
    size_t cells = w->cells.table.count, shells = w->shells.table.count;
    if (cells != w->mesh.cell_count) return scr_h5_wrong(file, "/cells", "has another number of cells than the mesh");
    if (shells && shells != cells) return scr_h5_wrong(file, "/shells", "does not have one row per cell");
    for (size_t k = 0; k < cells; k++)
        if ((fault = cell_fault(w, k))) return scr_h5_wrong(file, "/cells", fault);
    for (size_t k = 0; k < w->links.table.count; k++)
        if ((fault = link_fault(w, k))) return scr_h5_wrong(file, "/links", fault);
    for (size_t k = 0; k < shells; k++)
        if ((fault = shell_fault(w, k))) return scr_h5_wrong(file, "/shells", fault);
    for (size_t k = 0; k < w->cell_contacts.table.count; k++)
        if ((fault = contact_fault(w, k))) return scr_h5_wrong(file, "/cell_contacts", fault);
    for (int k = 0; k < w->solid_count && !shells; k++)
        if (w->solids[k].thickness > 0) return scr_h5_wrong(file, "/shells", "is empty, and a solid is a shell");
    return SCREE_OK;
}

/* ---- what supports and loads have felt ---- */

scree_status scr_loads_write(scr_h5 *file, const scr_world *world)
{
    scr_h5_group(file, "/loads");
    scree_status status = scr_h5_group(file, "/supports");
    for (int k = 0; !status && k < world->load_count; k++) {
        char *path = scr_item_write(file, "/loads", world->loads[k].name, k);
        if (!path) return scr_h5_no_memory(file, "/loads");
        status = scr_item_sums_write(file, path, "J", &world->loads[k].work, 1);
        free(path);
    }
    for (int k = 0; !status && k < world->support_count; k++) {
        const scr_support *s = &world->supports[k];
        char *path = scr_item_write(file, "/supports", s->name, k);
        if (!path) return scr_h5_no_memory(file, "/supports");
        status = scr_item_sums_write(file, path, "N, N m, J", s->felt, SCR_FELT_SUMS);
        free(path);
    }
    return status;
}

static scree_status load_read(const scr_h5 *file, const char *path, int index, char *name, int unused, scr_world *world)
{
    scr_load *load = &world->loads[index];
    (void)unused;
    load->name = name;
    return scr_item_sums_read(file, path, &load->work, 1);
}

static scree_status support_read(const scr_h5 *file, const char *path, int index, char *name, int unused,
                                 scr_world *world)
{
    scr_support *s = &world->supports[index];
    (void)unused;
    s->name = name;
    return scr_item_sums_read(file, path, s->felt, SCR_FELT_SUMS);
}

scree_status scr_loads_read(const scr_h5 *file, scr_world *world)
{
    scree_status status = scr_items_read(file, "/loads", (void **)&world->loads, sizeof *world->loads,
                                         &world->load_count, load_read, 0, world);
    if (status) return status;
    return scr_items_read(file, "/supports", (void **)&world->supports, sizeof *world->supports, &world->support_count,
                          support_read, 0, world);
}
