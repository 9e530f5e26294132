#include "observe/cell_views.h"

#include <stdlib.h>
#include <string.h>

/* ---- views ---- */

// the first `width` of `stride` numbers per cell
static void take(double *out, const double *from, size_t cells, int stride, int first, int width)
{
    for (size_t k = 0; k < cells; k++)
        for (int d = 0; d < width; d++)
            out[k * (size_t)width + (size_t)d] = from[k * (size_t)stride + (size_t)(first + d)];
}
#define TAKEN(name, from, stride, first, width)                               \
    static bool name(const scr_world *w, double *out)                         \
    {                                                                         \
        take(out, w->cells.from, w->cells.table.count, stride, first, width); \
        return true;                                                          \
    }
#define EACH(name, ...)                                     \
    static bool name(const scr_world *w, double *out)       \
    {                                                       \
        for (size_t k = 0; k < w->cells.table.count; k++) { \
            __VA_ARGS__;                                    \
        }                                                   \
        return true;                                        \
    }
TAKEN(displacement, displacement, 4, 0, 3)
TAKEN(turn, turn, 4, 0, 4)
TAKEN(velocity, velocity, 4, 0, 3)
TAKEN(force, load, 8, 0, 3)
TAKEN(torque, load, 8, 4, 3)
TAKEN(mass, displacement, 4, 3, 1)
TAKEN(dilation, bulk, 2, 1, 1)
EACH(position, v3_store(out + 3 * k, scr_cell_centre(&w->cells, k)))
EACH(pivot, vec3 p = scr_cell_pivot(&w->cells, k);
     v3_store(out + 3 * k, v3_add(p, scr_cell_point_displacement(&w->cells, k, p))))
EACH(spin, v3_store(out + 3 * k, scr_cell_spin(&w->cells, k)))
EACH(fragment, out[k] = w->cells.fragment[k])
EACH(solid, out[k] = w->cells.solid[k])
EACH(material, out[k] = w->solids[w->cells.solid[k]].material)

static bool stress(const scr_world *w, double *out)
{
    return scr_cells_stress(w, out);
}

static bool energy(const scr_world *w, double *out)
{
    scr_cells_energy(w, out);
    return true;
}

static bool of_stress(const scr_world *w, double *out, double (*number)(const double stress[6]))
{
    size_t cells = w->cells.table.count;
    double *tensors = malloc((6 * cells + 1) * sizeof *tensors);
    bool good = tensors && scr_cells_stress(w, tensors);
    for (size_t k = 0; good && k < cells; k++) out[k] = number(tensors + 6 * k);
    free(tensors);
    return good;
}

static bool pressure(const scr_world *w, double *out)
{
    return of_stress(w, out, scr_stress_pressure);
}

static bool mises(const scr_world *w, double *out)
{
    return of_stress(w, out, scr_stress_mises);
}

static bool damage(const scr_world *w, double *out)
{
    size_t cells = w->cells.table.count;
    double *all = calloc(cells + 1, sizeof *all);
    if (!all) return false;
    memset(out, 0, cells * sizeof *out);
    for (size_t k = 0; k < 2 * w->links.table.count; k++) {
        int cell = w->links.cell[k];
        all[cell]++, out[cell] += w->links.fate[k / 2] != SCR_LINK_HOLDS;
    }
    for (size_t k = 0; k < cells; k++) out[k] = all[k] > 0 ? out[k] / all[k] : 0;
    free(all);
    return true;
}

const scr_cell_view scr_cell_views[] = {
    {"displacement", "m", 3, false, true, "of the centre since the reference state", displacement},
    {"turn", "", 4, false, true, "quaternion w, x, y, z: the rotation since the reference state", turn},
    {"position", "m", 3, false, false, "centre", position},
    {"pivot", "m", 3, false, false,
     "point whose displacement is that of the body: the centre, or the seed in a Voronoi mesh", pivot},
    {"velocity", "m/s", 3, false, false, "velocity of the centre", velocity},
    {"spin", "rad/s", 3, false, false, "angular velocity", spin},
    {"force", "N", 3, false, false, "force of links, contacts and loads, without gravity", force},
    {"torque", "N m", 3, false, false, "torque of links, contacts and loads", torque},
    {"mass", "kg", 1, false, false, "mass", mass},
    {"stress", "Pa", 6, false, false, "mean stress of the cell: xx, yy, zz, xy, xz, yz; tension is positive", stress},
    {"pressure", "Pa", 1, false, false, "minus a third of the trace of the stress", pressure},
    {"mises", "Pa", 1, false, false, "equivalent stress of von Mises", mises},
    {"energy", "J", 1, false, false, "stored: half of that in its links, and its own of volume and curvature", energy},
    {"dilation", "", 1, false, false, "relative change of volume", dilation},
    {"damage", "", 1, false, false, "fraction of its links that have broken", damage},
    {"fragment", "", 1, true, false, "smallest number of a cell of its connected part", fragment},
    {"solid", "", 1, true, false, "index of its solid, in the order of the scene", solid},
    {"material", "", 1, true, false, "index of the material, in the order of the scene", material},
    {0},
};

const scr_cell_view *scr_cell_view_find(const char *name)
{
    for (const scr_cell_view *v = scr_cell_views; v->name; v++)
        if (!strcmp(v->name, name)) return v;
    return NULL;
}

/* ---- frames ---- */

static bool asked(const scr_cell_view *view, const char *const *fields, int field_count)
{
    for (int k = 0; k < field_count; k++)
        if (!strcmp(fields[k], view->name)) return true;
    return view->always;
}

uint64_t scr_cell_frame_size(const scr_world *w, const char *const *fields, int field_count)
{
    uint64_t row = 0, broken = 0;
    if (!w->cells.table.count) return 0;
    for (const scr_cell_view *v = scr_cell_views; v->name; v++)
        if (asked(v, fields, field_count)) row += 8 * (uint64_t)v->width;
    for (size_t k = 0; k < w->links.table.count; k++) broken += w->links.fate[k] != SCR_LINK_HOLDS;
    return row * w->cells.table.count + 8 * broken + 32768;
}

static scree_status view_write(scr_h5 *file, const scr_world *w, const scr_cell_view *view, double *room)
{
    size_t cells = w->cells.table.count, count = cells * (size_t)view->width;
    char name[48];
    snprintf(name, sizeof name, "/cells/%s", view->name);
    if (!view->fill(w, room)) return scr_h5_no_memory(file, name);
    scr_h5_set set = {name, view->integer ? SCR_H5_I32 : SCR_H5_F64, view->width, view->unit, view->doc};
    // in place: an integer is never behind the number it comes from
    for (size_t k = 0; view->integer && k < count; k++) {
        int32_t value = (int32_t)room[k];
        memcpy((char *)room + 4 * k, &value, 4);
    }
    return scr_h5_write(file, &set, cells, room);
}

static scree_status broken_write(scr_h5 *file, const scr_world *w)
{
    const scr_links *l = &w->links;
    size_t count = 0;
    int32_t *rows = malloc((2 * l->table.count + 1) * sizeof *rows);
    if (!rows) return scr_h5_no_memory(file, "/broken");
    for (size_t k = 0; k < l->table.count; k++) {
        if (l->fate[k] == SCR_LINK_HOLDS) continue;
        rows[2 * count] = l->face[k], rows[2 * count++ + 1] = l->fate[k];
    }
    scr_h5_set set = {"/broken/links", SCR_H5_I32, 2, "",
                      "face of the mesh, and what broke its link: 1 tension, 2 shear, 3 energy"};
    scr_h5_group(file, "/broken");
    scree_status status = scr_h5_write(file, &set, count, rows);
    free(rows);
    return status;
}

scree_status scr_cell_frame_write(scr_h5 *file, const scr_world *w, const char *const *fields, int field_count)
{
    double *room = malloc((6 * w->cells.table.count + 1) * sizeof *room);
    if (!room) return scr_h5_no_memory(file, "/cells");
    scree_status status = scr_h5_group(file, "/cells");
    for (const scr_cell_view *v = scr_cell_views; !status && v->name; v++)
        if (asked(v, fields, field_count)) status = view_write(file, w, v, room);
    free(room);
    return status ? status : broken_write(file, w);
}
