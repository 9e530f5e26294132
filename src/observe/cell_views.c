#include "observe/cell_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- a link, now ---- */

typedef struct {
    vec3 arm[2]; /* q_a, q_b [m] */
    vec3 force;  /* f, on the first cell [N] */
    double energy;
} pull;

// 2 [(b_s + b_t) p_n^2 + ...] of the relative turn (equation 7 of kernel/link.h)
static double flexion(const scr_links *l, size_t k, quat a, quat b)
{
    quat p = quat_mul(quat_conjugate(a), b);
    vec3 v = v3(p.x, p.y, p.z), n = v3_load(l->frame + 6 * k), s = v3_load(l->frame + 6 * k + 3);
    double pn = v3_dot(v, n), ps = v3_dot(v, s), pt = v3_dot(v, v3_cross(n, s));
    const double *c = l->stiff + 4 * k + 1;
    return 2 * ((c[1] + c[2]) * pn * pn + (c[0] + c[2]) * ps * ps + (c[0] + c[1]) * pt * pt);
}

static pull pull_of(const scr_world *w, size_t k)
{
    const scr_links *l = &w->links;
    const scr_cells *c = &w->cells;
    pull p;
    vec3 less[2], u[2], tilt[2], n = v3_load(l->frame + 6 * k);
    quat q[2];
    double pressure = 0;
    for (int s = 0; s < 2; s++) {
        size_t cell = (size_t)l->cell[2 * k + (size_t)s];
        vec3 arm = v3_load(l->arm + 6 * k + 3 * (size_t)s);
        q[s] = scr_cell_turn(c, cell);
        u[s] = v3_load(c->displacement + 4 * cell);
        less[s] = scr_turn_less_one(q[s], arm);
        tilt[s] = scr_turn_less_one(q[s], n);
        p.arm[s] = v3_add(arm, less[s]);
        pressure += 0.5 * l->area[k] * scr_cell_lambda(w, cell) * c->bulk[2 * cell + 1];
    }
    vec3 way = v3_sub(u[1], u[0]), gap = v3_add(way, v3_sub(less[1], less[0]));
    if (w->solids[c->solid[l->cell[2 * k]]].normal == SCR_LINK_CENTRE_LINE)
        n = v3_unit(v3_add(way, v3_sub(v3_load(l->arm + 6 * k), v3_load(l->arm + 6 * k + 3))));
    else
        n = v3_axpy(n, 0.5, v3_add(tilt[0], tilt[1]));
    double stiff = l->stiff[4 * k];
    p.force = v3_axpy(v3_scale(stiff, gap), pressure, n);
    p.energy = 0.5 * stiff * v3_dot(gap, gap) + flexion(l, k, q[0], q[1]);
    return p;
}

/* ---- stress ---- */

static void add_outer(double *out, double sign, vec3 f, vec3 q)
{
    const double a[3] = {sign * f.x, sign * f.y, sign * f.z}, b[3] = {q.x, q.y, q.z};
    static const int first[6] = {0, 1, 2, 0, 0, 1}, second[6] = {0, 1, 2, 1, 2, 2};
    for (int n = 0; n < 6; n++)
        out[n] += 0.5 * (a[first[n]] * b[second[n]] + a[second[n]] * b[first[n]]);
}

static void add_loads(const scr_world *w, double *out)
{
    for (int k = 0; k < w->load_count; k++) {
        const scr_load *load = &w->loads[k];
        double factor = scr_signal_at(&load->signal, w->clock.time);
        for (size_t n = 0; n < load->entry_count; n++) {
            const scr_load_entry *e = &load->entries[n];
            quat q = scr_cell_turn(&w->cells, e->cell);
            vec3 force = load->follows ? quat_turn(q, e->force) : e->force;
            add_outer(out + 6 * e->cell, factor, force, quat_turn(q, e->arm));
        }
    }
}

// area times normal of a face, from its corners: exact for flat ones
static vec3 face_area(const scr_polyhedra *m, size_t f)
{
    vec3 sum = v3(0, 0, 0), origin = v3_load(m->points + 3 * m->corners[m->first[f]]);
    for (uint32_t k = m->first[f] + 1; k + 1 < m->first[f + 1]; k++) {
        vec3 a = v3_sub(v3_load(m->points + 3 * m->corners[k]), origin);
        vec3 b = v3_sub(v3_load(m->points + 3 * m->corners[k + 1]), origin);
        sum = v3_axpy(sum, 0.5, v3_cross(a, b));
    }
    return sum;
}

// a mirror image pulls along the normal, on the arm that reaches the plane
static void add_mirrors(const scr_world *w, double *out)
{
    const scr_polyhedra *m = &w->mesh;
    for (size_t f = 0; f < m->face_count; f++) {
        if (m->cells[2 * f + 1] != SCR_NO_CELL || w->skin[f] != SCR_SKIN_SYMMETRY) continue;
        size_t cell = (size_t)m->cells[2 * f];
        quat q = scr_cell_turn(&w->cells, cell);
        vec3 area = face_area(m, f), n = v3_unit(area);
        vec3 corner = v3_load(m->points + 3 * m->corners[m->first[f]]);
        double height = v3_dot(v3_sub(corner, v3_load(w->cells.home + 4 * cell)), n);
        double stress = scr_cell_lambda(w, cell) * w->cells.bulk[2 * cell + 1];
        add_outer(out + 6 * cell, stress, quat_turn(q, area), quat_turn(q, v3_scale(height, n)));
    }
}

void scr_cells_stress(const scr_world *w, double *out)
{
    size_t cells = w->cells.table.count;
    memset(out, 0, 6 * cells * sizeof *out);
    for (size_t k = 0; k < w->links.table.count; k++) {
        if (w->links.fate[k] != SCR_LINK_HOLDS) continue;
        pull p = pull_of(w, k);
        for (int s = 0; s < 2; s++)
            add_outer(out + 6 * w->links.cell[2 * k + (size_t)s], s ? -1 : 1, p.force, p.arm[s]);
    }
    add_loads(w, out);
    add_mirrors(w, out);
    for (size_t k = 0; k < 6 * cells; k++) out[k] /= scr_cell_volume(&w->cells, k / 6);
}

double scr_stress_pressure(const double s[6])
{
    return -(s[0] + s[1] + s[2]) / 3;
}

double scr_stress_mises(const double s[6])
{
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/* ---- energy ---- */

void scr_cells_energy(const scr_world *w, double *out)
{
    const scr_cells *c = &w->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        double eps = c->bulk[2 * k + 1];
        out[k] = 0.5 * scr_cell_lambda(w, k) * c->bulk[2 * k] * eps * eps;
        if (!w->shells.table.count) continue;
        double kap = w->shells.bend[2 * k + 1];
        out[k] += 0.5 * w->shells.director[4 * k + 3] * kap * kap;
    }
    for (size_t k = 0; k < w->links.table.count; k++) {
        if (w->links.fate[k] != SCR_LINK_HOLDS) continue;
        double half = 0.5 * pull_of(w, k).energy;
        out[w->links.cell[2 * k]] += half, out[w->links.cell[2 * k + 1]] += half;
    }
}

/* ---- views ---- */

// the first `width` of `stride` numbers per cell
static void take(double *out, const double *from, size_t cells, int stride, int first, int width)
{
    for (size_t k = 0; k < cells; k++)
        for (int d = 0; d < width; d++)
            out[k * (size_t)width + (size_t)d] = from[k * (size_t)stride + (size_t)(first + d)];
}
#define TAKEN(name, from, stride, first, width)                                                    \
    static bool name(const scr_world *w, double *out)                                              \
    {                                                                                              \
        take(out, w->cells.from, w->cells.table.count, stride, first, width);                      \
        return true;                                                                               \
    }
#define EACH(name, ...)                                                                            \
    static bool name(const scr_world *w, double *out)                                              \
    {                                                                                              \
        for (size_t k = 0; k < w->cells.table.count; k++) {                                        \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        return true;                                                                               \
    }
TAKEN(displacement, displacement, 4, 0, 3)
TAKEN(turn, turn, 4, 0, 4)
TAKEN(velocity, velocity, 4, 0, 3)
TAKEN(force, load, 8, 0, 3)
TAKEN(torque, load, 8, 4, 3)
TAKEN(mass, displacement, 4, 3, 1)
TAKEN(dilation, bulk, 2, 1, 1)
EACH(position, v3_store(out + 3 * k, scr_cell_centre(&w->cells, k)))
EACH(spin, v3_store(out + 3 * k, scr_cell_spin(&w->cells, k)))
EACH(fragment, out[k] = w->cells.fragment[k])
EACH(solid, out[k] = w->cells.solid[k])
EACH(material, out[k] = w->solids[w->cells.solid[k]].material)

static bool stress(const scr_world *w, double *out)
{
    scr_cells_stress(w, out);
    return true;
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
    if (!tensors) return false;
    scr_cells_stress(w, tensors);
    for (size_t k = 0; k < cells; k++) out[k] = number(tensors + 6 * k);
    free(tensors);
    return true;
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
    {"turn", "", 4, false, true, "quaternion w, x, y, z: the turn since the reference state", turn},
    {"position", "m", 3, false, false, "centre", position},
    {"velocity", "m/s", 3, false, false, "velocity of the centre", velocity},
    {"spin", "rad/s", 3, false, false, "angular velocity", spin},
    {"force", "N", 3, false, false, "force of links, contacts and loads, without gravity", force},
    {"torque", "N m", 3, false, false, "torque of links, contacts and loads", torque},
    {"mass", "kg", 1, false, false, "mass", mass},
    {"stress", "Pa", 6, false, false,
     "mean stress of the cell: xx, yy, zz, xy, xz, yz; tension is positive", stress},
    {"pressure", "Pa", 1, false, false, "minus a third of the trace of the stress", pressure},
    {"mises", "Pa", 1, false, false, "equivalent stress of von Mises", mises},
    {"energy", "J", 1, false, false,
     "stored: half of that in its links, and its own of volume and curvature", energy},
    {"dilation", "", 1, false, false, "relative change of volume", dilation},
    {"damage", "", 1, false, false, "part of its links that have broken", damage},
    {"fragment", "", 1, true, false, "smallest number of a cell that hangs together with it",
     fragment},
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

static scree_status view_write(scr_h5 *file, const scr_world *w, const scr_cell_view *view,
                               double *room)
{
    size_t cells = w->cells.table.count, count = cells * (size_t)view->width;
    char name[48];
    snprintf(name, sizeof name, "/cells/%s", view->name);
    if (!view->fill(w, room)) return scr_h5_no_memory(file, name);
    scr_h5_set set = {name, view->integer ? SCR_H5_I32 : SCR_H5_F64, view->width, view->unit,
                      view->doc};
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

scree_status scr_cell_frame_write(scr_h5 *file, const scr_world *w, const char *const *fields,
                                  int field_count)
{
    double *room = malloc((6 * w->cells.table.count + 1) * sizeof *room);
    if (!room) return scr_h5_no_memory(file, "/cells");
    scree_status status = scr_h5_group(file, "/cells");
    for (const scr_cell_view *v = scr_cell_views; !status && v->name; v++)
        if (asked(v, fields, field_count)) status = view_write(file, w, v, room);
    free(room);
    return status ? status : broken_write(file, w);
}
