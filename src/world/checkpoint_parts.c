/* The small parts of a world in HDF5: domain, materials, groups, laws, walls. Each named item is a
 * group of that name with attributes, among them its index, since HDF5 lists names in alphabetical
 * order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/checkpoint.h"

#define MOST_ITEMS 1000000

/* ---- domain ---- */

scree_status scr_domain_write(scr_h5 *file, const scr_world *world)
{
    const scr_domain *d = &world->domain;
    int64_t periodic[3] = {d->periodic[0], d->periodic[1], d->periodic[2]};
    scr_h5_group(file, "/domain");
    scr_h5_set_f64(file, "/domain", "lower", &d->lower.x, 3);
    scr_h5_set_f64(file, "/domain", "upper", &d->upper.x, 3);
    scr_h5_set_i64(file, "/domain", "periodic", periodic, 3);
    scr_h5_set_i64(file, "/domain", "delete_escaped", &(int64_t){d->delete_escaped}, 1);
    scr_h5_set_f64(file, "/domain", "gravity", &world->gravity.x, 3);
    return scr_h5_set_text(file, "/domain", "unit", "m; gravity m/s^2");
}

static bool finite3(vec3 v)
{
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

scree_status scr_domain_read(const scr_h5 *file, scr_world *world)
{
    scr_domain *d = &world->domain;
    int64_t periodic[3], delete_escaped;
    scree_status status;
    if ((status = scr_h5_get_f64(file, "/domain", "lower", &d->lower.x, 3)) ||
        (status = scr_h5_get_f64(file, "/domain", "upper", &d->upper.x, 3)) ||
        (status = scr_h5_get_i64(file, "/domain", "periodic", periodic, 3)) ||
        (status = scr_h5_get_i64(file, "/domain", "delete_escaped", &delete_escaped, 1)) ||
        (status = scr_h5_get_f64(file, "/domain", "gravity", &world->gravity.x, 3)))
        return status;
    if (!finite3(d->lower) || !finite3(d->upper) || !finite3(world->gravity))
        return scr_h5_wrong(file, "/domain", "has numbers that are not finite");
    for (int a = 0; a < 3; a++) d->periodic[a] = periodic[a] != 0;
    d->delete_escaped = delete_escaped != 0;
    return SCREE_OK;
}

/* ---- named items ---- */

// one item: makes its group and says which one it is; NULL when memory is exhausted
static char *item_write(scr_h5 *file, const char *section, const char *name, int64_t index)
{
    char *path = scr_h5_path(section, name);
    if (!path) return NULL;
    scr_h5_group(file, path);
    scr_h5_set_text(file, path, "name", name);
    scr_h5_set_i64(file, path, "index", &index, 1);
    return path;
}

// fills one item of `world` from the group at `path`, and takes the name over
typedef scree_status item_reader(const scr_h5 *file, const char *path, int index, char *name,
                                 int material_count, scr_world *world);

// reads item k of the listing; its own index says where it belongs
static scree_status item_read(const scr_h5 *file, const char *section, const char *link, int count,
                              bool *seen, item_reader *reader, int material_count, scr_world *world)
{
    char *path, *name = NULL;
    int64_t index = -1;
    if (asprintf(&path, "%s/%s", section, link) < 0) return scr_h5_no_memory(file, section);
    scree_status status = scr_h5_get_i64(file, path, "index", &index, 1);
    if (!status && (index < 0 || index >= count || seen[index]))
        status = scr_h5_wrong(file, path, "has an index that is out of range or taken");
    if (!status) status = scr_h5_get_text(file, path, "name", &name);
    if (!status) {
        seen[index] = true;
        status = reader(file, path, (int)index, name, material_count, world);
    }
    free(path);
    return status;
}

// lists a section, makes room for its items at *items, and reads each
static scree_status items_read(const scr_h5 *file, const char *section, void **items, size_t size,
                               int *count, item_reader *reader, int material_count,
                               scr_world *world)
{
    char **links;
    int n;
    scree_status status = scr_h5_list(file, section, false, &links, &n);
    if (status) return status;
    bool *seen = calloc((size_t)n + 1, sizeof *seen);
    *items = calloc((size_t)n + 1, size);
    if (n > MOST_ITEMS)
        status = scr_h5_wrong(file, section, "has too many items");
    else if (!seen || !*items)
        status = scr_h5_no_memory(file, section);
    else
        *count = n;
    for (int k = 0; !status && k < n; k++)
        status = item_read(file, section, links[k], n, seen, reader, material_count, world);
    free(seen);
    free(links);
    return status;
}

/* ---- materials and groups ---- */

scree_status scr_names_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/materials");
    for (int k = 0; !status && k < world->material_count; k++) {
        const scr_material *m = &world->materials[k];
        char *path = item_write(file, "/materials", m->name, k);
        if (!path) return scr_h5_no_memory(file, "names");
        scr_h5_set_f64(file, path, "density", &m->density, 1);
        scr_h5_set_f64(file, path, "young", &m->young, 1);
        status = scr_h5_set_f64(file, path, "poisson", &m->poisson, 1);
        free(path);
    }
    if (!status) status = scr_h5_group(file, "/groups");
    for (int k = 0; !status && k < world->group_count; k++) {
        const scr_group *g = &world->groups[k];
        char *path = item_write(file, "/groups", g->name, k);
        if (!path) return scr_h5_no_memory(file, "names");
        scr_h5_set_i64(file, path, "material", &(int64_t){g->material}, 1);
        status = scr_h5_set_i64(file, path, "frozen", &(int64_t){g->frozen}, 1);
        free(path);
    }
    return status;
}

static scree_status material_read(const scr_h5 *file, const char *path, int index, char *name,
                                  int material_count, scr_world *world)
{
    scr_material *m = &world->materials[index];
    (void)material_count;
    m->name = name;
    scree_status status = scr_h5_get_f64(file, path, "density", &m->density, 1);
    if (!status) status = scr_h5_get_f64(file, path, "young", &m->young, 1);
    return status ? status : scr_h5_get_f64(file, path, "poisson", &m->poisson, 1);
}

// an index of a material that exists
static scree_status material_get(const scr_h5 *file, const char *path, int material_count,
                                 int *material)
{
    int64_t index;
    scree_status status = scr_h5_get_i64(file, path, "material", &index, 1);
    if (status) return status;
    if (index < 0 || index >= material_count)
        return scr_h5_wrong(file, path, "has a material that is not there");
    *material = (int)index;
    return SCREE_OK;
}

static scree_status group_read(const scr_h5 *file, const char *path, int index, char *name,
                               int material_count, scr_world *world)
{
    scr_group *g = &world->groups[index];
    int64_t frozen;
    g->name = name;
    scree_status status = material_get(file, path, material_count, &g->material);
    if (!status) status = scr_h5_get_i64(file, path, "frozen", &frozen, 1);
    if (!status) g->frozen = frozen != 0;
    return status;
}

scree_status scr_names_read(const scr_h5 *file, scr_world *world)
{
    scree_status status =
        items_read(file, "/materials", (void **)&world->materials, sizeof *world->materials,
                   &world->material_count, material_read, 0, world);
    if (status) return status;
    return items_read(file, "/groups", (void **)&world->groups, sizeof *world->groups,
                      &world->group_count, group_read, world->material_count, world);
}

/* ---- laws ---- */

// one dataset per number of a law; materials a and b at row a * number of materials + b
typedef struct {
    const char *name, *unit, *doc;
    size_t offset;
} law_column;

static const law_column law_columns[] = {
#define F(member, unit, doc) {"/laws/" #member, unit, doc, offsetof(scr_law, member)},
    SCR_LAW_NUMBERS(F)
#undef F
};
#define LAW_COLUMNS (sizeof law_columns / sizeof *law_columns)

static double *law_number(const scr_law *laws, size_t k, const law_column *column)
{
    return (double *)((char *)&laws[k] + column->offset);
}

static scree_status law_column_write(scr_h5 *file, const scr_law *laws, size_t rows,
                                     const law_column *column)
{
    double *values = malloc((rows + 1) * sizeof *values);
    if (!values) return scr_h5_no_memory(file, column->name);
    for (size_t k = 0; k < rows; k++) values[k] = *law_number(laws, k, column);
    scr_h5_set set = {column->name, SCR_H5_F64, 1, column->unit, column->doc};
    scree_status status = scr_h5_write(file, &set, rows, values);
    free(values);
    return status;
}

scree_status scr_laws_write(scr_h5 *file, const scr_world *world)
{
    size_t rows = world->laws ? (size_t)world->material_count * (size_t)world->material_count : 0;
    scr_h5_group(file, "/laws");
    scree_status status =
        scr_h5_set_i64(file, "/laws", "source", &(int64_t){(int64_t)world->law_source}, 1);
    for (size_t c = 0; !status && c < LAW_COLUMNS; c++)
        status = law_column_write(file, world->laws, rows, &law_columns[c]);
    return status;
}

// only the restitution may be unknown
static scree_status law_column_read(const scr_h5 *file, scr_law *laws, size_t rows,
                                    const law_column *column)
{
    bool may_be_nan = column->offset == offsetof(scr_law, restitution);
    double *values = malloc((rows + 1) * sizeof *values);
    if (!values) return scr_h5_no_memory(file, column->name);
    scree_status status =
        scr_h5_read(file, &(scr_h5_set){column->name, SCR_H5_F64, 1, NULL, NULL}, rows, values);
    for (size_t k = 0; !status && k < rows; k++) {
        *law_number(laws, k, column) = values[k];
        if (!isfinite(values[k]) && !may_be_nan)
            status = scr_h5_wrong(file, column->name, "has a number that is not finite");
    }
    free(values);
    return status;
}

scree_status scr_laws_read(const scr_h5 *file, scr_world *world)
{
    scr_h5_type type;
    size_t rows, materials = (size_t)world->material_count;
    int width;
    int64_t source;
    scree_status status = scr_h5_get_i64(file, "/laws", "source", &source, 1);
    if (!status) status = scr_h5_shape(file, law_columns[0].name, &type, &rows, &width);
    if (status) return status;
    world->law_source = (uint64_t)source;
    if (rows == 0) return SCREE_OK;
    if (rows != materials * materials)
        return scr_h5_wrong(file, "/laws", "does not have one row per pair of materials");
    world->laws = scr_memory_new(rows, sizeof *world->laws);
    if (!world->laws) return scr_h5_no_memory(file, "/laws");
    for (size_t c = 0; !status && c < LAW_COLUMNS; c++)
        status = law_column_read(file, world->laws, rows, &law_columns[c]);
    return status;
}

/* ---- walls ---- */

_Static_assert(sizeof(scr_wall) == 3 * sizeof(char *) + 18 * sizeof(double),
               "what a wall holds is written and read below");

#define FACE_WIDTH 10
static const char face_doc[] = "one row per face: kind (0 plane, 1 shell), point x y z, axis x y "
                               "z, length, radius at the point, radius "
                               "at point + length axis. A plane holds grains on the side of its "
                               "axis; a shell is the line from the one "
                               "radius to the other, turned about the axis. Where the wall is now.";

static void face_pack(const scr_face *f, double *row)
{
    row[0] = f->kind;
    v3_store(row + 1, f->point);
    v3_store(row + 4, f->axis);
    row[7] = f->length, row[8] = f->radius[0], row[9] = f->radius[1];
}

static scree_status faces_write(scr_h5 *file, const char *path, const scr_world *world, int wall)
{
    size_t room = (size_t)world->face_count + 1, count = 0;
    double *rows = malloc(room * FACE_WIDTH * sizeof *rows);
    int32_t *numbers = malloc(room * sizeof *numbers);
    char *faces = scr_h5_path(path, "faces"), *number = scr_h5_path(path, "face_numbers");
    scree_status status;
    if (rows && numbers && faces && number) {
        for (int k = 0; k < world->face_count; k++) {
            if (world->faces[k].wall != wall) continue;
            face_pack(&world->faces[k], rows + FACE_WIDTH * count);
            numbers[count++] = k;
        }
        scr_h5_write(file, &(scr_h5_set){faces, SCR_H5_F64, FACE_WIDTH, "m", face_doc}, count,
                     rows);
        status = scr_h5_write(
            file, &(scr_h5_set){number, SCR_H5_I32, 1, "", "number of each face among all walls'"},
            count, numbers);
    } else {
        status = scr_h5_no_memory(file, path);
    }
    free(rows), free(numbers), free(faces), free(number);
    return status;
}

scree_status scr_walls_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/walls");
    for (int k = 0; !status && k < world->wall_count; k++) {
        const scr_wall *w = &world->walls[k];
        char *path = item_write(file, "/walls", w->name, k);
        if (!path) return scr_h5_no_memory(file, "names");
        scr_h5_set_text(file, path, "shape", w->shape ? w->shape : "");
        scr_h5_set_i64(file, path, "material", &(int64_t){w->material}, 1);
        scr_h5_set_f64(file, path, "velocity", &w->velocity.x, 3);
        scr_h5_set_f64(file, path, "offset", &w->offset.x, 3);
        scr_h5_set_f64(file, path, "anchor", &w->anchor.x, 3);
        scr_h5_set_f64(file, path, "force", &w->force.x, 3);
        scr_h5_set_f64(file, path, "torque", &w->torque.x, 3);
        scr_h5_set_f64(file, path, "reference", &w->reference.x, 3);
        scr_h5_set_text(file, path, "unit",
                        "velocity m/s, offset, anchor and reference m, force N, torque N m");
        status = faces_write(file, path, world, k);
        free(path);
    }
    return status;
}

static bool face_unpack(const double *row, scr_face *f)
{
    for (int k = 0; k < FACE_WIDTH; k++)
        if (!isfinite(row[k])) return false;
    if (row[0] != SCR_FACE_PLANE && row[0] != SCR_FACE_SHELL) return false;
    f->kind = (int)row[0];
    f->point = v3_load(row + 1), f->axis = v3_load(row + 4);
    f->length = row[7], f->radius[0] = row[8], f->radius[1] = row[9];
    return true;
}

// faces go to the places their numbers say; an empty place has wall -1
static scree_status faces_place(const scr_h5 *file, const char *path, scr_world *world, int wall,
                                const double *rows, const int32_t *numbers, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        int n = numbers[k];
        if (n < 0 || n >= MOST_ITEMS)
            return scr_h5_wrong(file, path, "has a face number out of range");
        if (n >= world->face_count) {
            scr_face *grown = realloc(world->faces, ((size_t)n + 1) * sizeof *grown);
            if (!grown) return scr_h5_no_memory(file, path);
            world->faces = grown;
            for (; world->face_count <= n; world->face_count++)
                grown[world->face_count] = (scr_face){.wall = -1};
        }
        scr_face *f = &world->faces[n];
        if (f->wall >= 0 || !face_unpack(rows + FACE_WIDTH * k, f))
            return scr_h5_wrong(file, path, "has a face that is not one");
        f->wall = wall, f->material = world->walls[wall].material;
    }
    return SCREE_OK;
}

static scree_status faces_read(const scr_h5 *file, const char *path, int wall, scr_world *world)
{
    size_t count = 0;
    int width;
    scr_h5_type type;
    double *rows = NULL;
    int32_t *numbers = NULL;
    char *faces = scr_h5_path(path, "faces"), *number = scr_h5_path(path, "face_numbers");
    scree_status status = faces && number ? SCREE_OK : scr_h5_no_memory(file, path);
    if (!status) status = scr_h5_shape(file, faces, &type, &count, &width);
    if (!status) {
        rows = malloc((count + 1) * FACE_WIDTH * sizeof *rows);
        numbers = malloc((count + 1) * sizeof *numbers);
        if (!rows || !numbers) status = scr_h5_no_memory(file, path);
    }
    if (!status)
        status = scr_h5_read(file, &(scr_h5_set){faces, SCR_H5_F64, FACE_WIDTH, NULL, NULL}, count,
                             rows);
    if (!status)
        status =
            scr_h5_read(file, &(scr_h5_set){number, SCR_H5_I32, 1, NULL, NULL}, count, numbers);
    if (!status) status = faces_place(file, path, world, wall, rows, numbers, count);
    free(rows), free(numbers), free(faces), free(number);
    return status;
}

static scree_status wall_read(const scr_h5 *file, const char *path, int index, char *name,
                              int material_count, scr_world *world)
{
    scr_wall *w = &world->walls[index];
    scree_status status;
    w->name = name;
    if ((status = scr_h5_get_text(file, path, "shape", &w->shape)) ||
        (status = material_get(file, path, material_count, &w->material)) ||
        (status = scr_h5_get_f64(file, path, "velocity", &w->velocity.x, 3)) ||
        (status = scr_h5_get_f64(file, path, "offset", &w->offset.x, 3)) ||
        (status = scr_h5_get_f64(file, path, "anchor", &w->anchor.x, 3)) ||
        (status = scr_h5_get_f64(file, path, "force", &w->force.x, 3)) ||
        (status = scr_h5_get_f64(file, path, "torque", &w->torque.x, 3)) ||
        (status = scr_h5_get_f64(file, path, "reference", &w->reference.x, 3)))
        return status;
    if (!finite3(w->velocity) || !finite3(w->offset) || !finite3(w->anchor))
        return scr_h5_wrong(file, path, "has a velocity or offset that is not finite");
    return faces_read(file, path, index, world);
}

scree_status scr_walls_read(const scr_h5 *file, scr_world *world, int material_count)
{
    scree_status status = items_read(file, "/walls", (void **)&world->walls, sizeof *world->walls,
                                     &world->wall_count, wall_read, material_count, world);
    for (int k = 0; !status && k < world->face_count; k++)
        if (world->faces[k].wall < 0)
            status = scr_h5_wrong(file, "/walls", "has a gap in its face numbers");
    return status;
}

/* ---- flows ---- */

scree_status scr_flows_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/flows");
    for (int k = 0; !status && k < world->flow_count; k++) {
        const scr_flow *f = &world->flows[k];
        char *path = item_write(file, "/flows", f->name, k);
        if (!path) return scr_h5_no_memory(file, "/flows");
        scr_h5_set_f64(file, path, "point", &f->point.x, 3);
        scr_h5_set_f64(file, path, "normal", &f->normal.x, 3);
        scr_h5_set_i64(file, path, "periodic", &(int64_t){f->periodic}, 1);
        scr_h5_set_i64(file, path, "group", &(int64_t){f->group}, 1);
        scr_h5_set_i64(file, path, "slot", &(int64_t){f->slot}, 1);
        scr_h5_set_i64(file, path, "count", f->sum.count, 2);
        scr_h5_set_f64(file, path, "mass", f->sum.mass, 2);
        scr_h5_set_i64(file, path, "mark_count", f->mark.count, 2);
        scr_h5_set_f64(file, path, "mark_mass", f->mark.mass, 2);
        scr_h5_set_f64(file, path, "mark_time", &f->mark_time, 1);
        status = scr_h5_set_text(file, path, "unit", "point m, mass kg, mark_time s");
        free(path);
    }
    return status;
}

static scree_status flow_read(const scr_h5 *file, const char *path, int index, char *name,
                              int group_count, scr_world *world)
{
    scr_flow *f = &world->flows[index];
    int64_t periodic, group, slot;
    scree_status status;
    f->name = name;
    f->near_list = -1;
    if ((status = scr_h5_get_f64(file, path, "point", &f->point.x, 3)) ||
        (status = scr_h5_get_f64(file, path, "normal", &f->normal.x, 3)) ||
        (status = scr_h5_get_i64(file, path, "periodic", &periodic, 1)) ||
        (status = scr_h5_get_i64(file, path, "group", &group, 1)) ||
        (status = scr_h5_get_i64(file, path, "slot", &slot, 1)) ||
        (status = scr_h5_get_i64(file, path, "count", f->sum.count, 2)) ||
        (status = scr_h5_get_f64(file, path, "mass", f->sum.mass, 2)) ||
        (status = scr_h5_get_i64(file, path, "mark_count", f->mark.count, 2)) ||
        (status = scr_h5_get_f64(file, path, "mark_mass", f->mark.mass, 2)) ||
        (status = scr_h5_get_f64(file, path, "mark_time", &f->mark_time, 1)))
        return status;
    if (periodic < -1 || periodic > 2 || group < -1 || group >= group_count || slot < 0 ||
        slot >= SCR_MOST_FLOWS || !finite3(f->point) || !finite3(f->normal))
        return scr_h5_wrong(file, path, "has a plane, group or slot that cannot be");
    f->periodic = (int)periodic, f->group = (int)group, f->slot = (int)slot;
    return SCREE_OK;
}

scree_status scr_flows_read(const scr_h5 *file, scr_world *world)
{
    return items_read(file, "/flows", (void **)&world->flows, sizeof *world->flows,
                      &world->flow_count, flow_read, world->group_count, world);
}
