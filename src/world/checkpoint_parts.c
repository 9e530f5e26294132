/* The small parts of a world in HDF5: domain, materials, groups, laws, walls. Each named item is a
 * group of that name with attributes, among them its index, since HDF5 lists names in alphabetical
 * order.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "world/checkpoint_items.h"

#define MOST_ITEMS 1000000
#define MOST_FACES 100000000

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
    scree_status status = scr_h5_set_text(file, "/domain", "unit", "m; gravity m/s^2");
    return status ? status : scr_box_shape_write(file, d);
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
    return scr_box_shape_read(file, d);
}

/* ---- named items ---- */

char *scr_item_write(scr_h5 *file, const char *section, const char *name, int64_t index)
{
    char *path = scr_h5_path(section, name);
    if (!path) return NULL;
    scr_h5_group(file, path);
    scr_h5_set_text(file, path, "name", name);
    scr_h5_set_i64(file, path, "index", &index, 1);
    return path;
}

scree_status scr_item_sums_write(scr_h5 *file, const char *path, const char *unit, const scr_total *sums, size_t count)
{
    char *name = scr_h5_path(path, "sums");
    scree_status status = name ? scr_totals_write(file, name, unit, sums, count) : scr_h5_no_memory(file, path);
    free(name);
    return status;
}

scree_status scr_item_sums_read(const scr_h5 *file, const char *path, scr_total *sums, size_t count)
{
    char *name = scr_h5_path(path, "sums");
    scree_status status = name ? scr_totals_read(file, name, sums, count) : scr_h5_no_memory(file, path);
    free(name);
    return status;
}

// reads item k of the listing; its own index says where it belongs
static scree_status item_read(const scr_h5 *file, const char *section, const char *link, int count, bool *seen,
                              scr_item_reader *reader, int material_count, scr_world *world)
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

scree_status scr_items_read(const scr_h5 *file, const char *section, void **items, size_t size, int *count,
                            scr_item_reader *reader, int material_count, scr_world *world)
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
        char *path = scr_item_write(file, "/materials", m->name, k);
        if (!path) return scr_h5_no_memory(file, "names");
        scr_h5_set_f64(file, path, "density", &m->density, 1);
        scr_h5_set_f64(file, path, "young", &m->young, 1);
        status = scr_h5_set_f64(file, path, "poisson", &m->poisson, 1);
        free(path);
    }
    if (!status) status = scr_h5_group(file, "/groups");
    for (int k = 0; !status && k < world->group_count; k++) {
        const scr_group *g = &world->groups[k];
        char *path = scr_item_write(file, "/groups", g->name, k);
        if (!path) return scr_h5_no_memory(file, "names");
        scr_h5_set_i64(file, path, "material", &(int64_t){g->material}, 1);
        status = scr_h5_set_i64(file, path, "frozen", &(int64_t){g->frozen}, 1);
        free(path);
    }
    return status;
}

static scree_status material_read(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                                  scr_world *world)
{
    scr_material *m = &world->materials[index];
    (void)material_count;
    m->name = name;
    scree_status status = scr_h5_get_f64(file, path, "density", &m->density, 1);
    if (!status) status = scr_h5_get_f64(file, path, "young", &m->young, 1);
    return status ? status : scr_h5_get_f64(file, path, "poisson", &m->poisson, 1);
}

// an index of a material that exists
static scree_status material_get(const scr_h5 *file, const char *path, int material_count, int *material)
{
    int64_t index;
    scree_status status = scr_h5_get_i64(file, path, "material", &index, 1);
    if (status) return status;
    if (index < 0 || index >= material_count)
        return scr_h5_wrong(file, path, "refers to a material that does not exist");
    *material = (int)index;
    return SCREE_OK;
}

static scree_status group_read(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                               scr_world *world)
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
    scree_status status = scr_items_read(file, "/materials", (void **)&world->materials, sizeof *world->materials,
                                         &world->material_count, material_read, 0, world);
    if (status) return status;
    return scr_items_read(file, "/groups", (void **)&world->groups, sizeof *world->groups, &world->group_count,
                          group_read, world->material_count, world);
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

static scree_status law_column_write(scr_h5 *file, const scr_law *laws, size_t rows, const law_column *column)
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
    scree_status status = scr_h5_set_i64(file, "/laws", "source", &(int64_t){(int64_t)world->law_source}, 1);
    for (size_t c = 0; !status && c < LAW_COLUMNS; c++)
        status = law_column_write(file, world->laws, rows, &law_columns[c]);
    return status;
}

// only the restitution may be unknown
static scree_status law_column_read(const scr_h5 *file, scr_law *laws, size_t rows, const law_column *column)
{
    bool may_be_nan = column->offset == offsetof(scr_law, restitution);
    double *values = malloc((rows + 1) * sizeof *values);
    if (!values) return scr_h5_no_memory(file, column->name);
    scree_status status = scr_h5_read(file, &(scr_h5_set){column->name, SCR_H5_F64, 1, NULL, NULL}, rows, values);
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

/* ---- laws of bonds ---- */

typedef struct {
    const char *name;
    size_t offset;
} bond_number;

static const bond_number bond_numbers[] = {
    {"young", offsetof(scr_bond_law, young)},
    {"poisson", offsetof(scr_bond_law, poisson)},
    {"stiffness_ratio", offsetof(scr_bond_law, stiffness_ratio)},
    {"radius", offsetof(scr_bond_law, radius)},
    {"tensile_strength", offsetof(scr_bond_law, tensile_strength)},
    {"shear_strength", offsetof(scr_bond_law, shear_strength)},
    {"damping", offsetof(scr_bond_law, damping)},
};
#define BOND_NUMBERS (sizeof bond_numbers / sizeof *bond_numbers)
_Static_assert(sizeof(scr_bond_law) == sizeof(char *) + BOND_NUMBERS * sizeof(double),
               "a number of the law is missing in the table above");

scree_status scr_bond_laws_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/bond_laws");
    for (int k = 0; !status && k < world->bond_law_count; k++) {
        const scr_bond_law *law = &world->bond_laws[k];
        char *path = scr_item_write(file, "/bond_laws", law->name, k);
        if (!path) return scr_h5_no_memory(file, "/bond_laws");
        for (size_t n = 0; n < BOND_NUMBERS; n++)
            status = scr_h5_set_f64(file, path, bond_numbers[n].name,
                                    (const double *)((const char *)law + bond_numbers[n].offset), 1);
        free(path);
    }
    return status;
}

// Poisson's ratio or the stiffness ratio may be unknown, strengths infinite; the springs are stored by bond
static scree_status bond_law_read(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                                  scr_world *world)
{
    scr_bond_law *law = &world->bond_laws[index];
    (void)material_count;
    law->name = name;
    scree_status status = SCREE_OK;
    for (size_t n = 0; !status && n < BOND_NUMBERS; n++)
        status = scr_h5_get_f64(file, path, bond_numbers[n].name, (double *)((char *)law + bond_numbers[n].offset), 1);
    return status;
}

scree_status scr_bond_laws_read(const scr_h5 *file, scr_world *world)
{
    return scr_items_read(file, "/bond_laws", (void **)&world->bond_laws, sizeof *world->bond_laws,
                          &world->bond_law_count, bond_law_read, 0, world);
}

/* ---- walls ---- */

#define FACE_WIDTH 16
static const char face_doc[] =
    "one row per face: kind (0 plane, 1 shell, 2 sphere, 3 triangle), point x y z, unit axis x y z, length, radius at "
    "the point, radius at point + length axis, edge x y z, edge x y z. A plane holds grains on the side of its axis; a "
    "shell is the line from the one radius to the other, turned about the axis, and the first number of its edge is 1 "
    "where all outside it is solid, -1 where all inside; a sphere has its first radius around the point; a triangle "
    "has the corners point, point + first edge, point + second edge, and its length is 1 where all behind it is solid. "
    "The wall's pose brings them to where they are.";

static void face_pack(const scr_face *f, double *row)
{
    row[0] = f->kind;
    v3_store(row + 1, f->point);
    v3_store(row + 4, f->axis);
    row[7] = f->length, row[8] = f->radius[0], row[9] = f->radius[1];
    v3_store(row + 10, f->edge[0]);
    v3_store(row + 13, f->edge[1]);
    if (f->kind == SCR_FACE_SHELL) row[10] = f->solid;
    if (f->kind == SCR_FACE_TRIANGLE) row[7] = f->solid;
}

static scree_status faces_write(scr_h5 *file, const char *path, const scr_face *faces, size_t count)
{
    double *rows = malloc((count + 1) * FACE_WIDTH * sizeof *rows);
    char *name = scr_h5_path(path, "faces");
    scree_status status;
    if (rows && name) {
        for (size_t k = 0; k < count; k++) face_pack(&faces[k], rows + FACE_WIDTH * k);
        status = scr_h5_write(file, &(scr_h5_set){name, SCR_H5_F64, FACE_WIDTH, "m", face_doc}, count, rows);
    } else {
        status = scr_h5_no_memory(file, path);
    }
    free(rows), free(name);
    return status;
}

#define POSE_WIDTH 13 /* shift, rows of the turn, whether it is turned */

static void pose_write(scr_h5 *file, const char *path, const char *name, const pose *p)
{
    double row[POSE_WIDTH];
    v3_store(row, p->shift);
    for (int k = 0; k < 3; k++) v3_store(row + 3 + 3 * k, p->row[k]);
    row[12] = p->turned;
    scr_h5_set_f64(file, path, name, row, POSE_WIDTH);
}

static scree_status pose_read(const scr_h5 *file, const char *path, const char *name, pose *p)
{
    double row[POSE_WIDTH];
    scree_status status = scr_h5_get_f64(file, path, name, row, POSE_WIDTH);
    for (int k = 0; !status && k < POSE_WIDTH; k++)
        if (!isfinite(row[k])) status = scr_h5_wrong(file, path, "has a pose with a number that is not finite");
    if (status) return status;
    p->shift = v3_load(row);
    for (int k = 0; k < 3; k++) p->row[k] = v3_load(row + 3 + 3 * k);
    p->turned = row[12] != 0;
    return SCREE_OK;
}

/* The numbers of a wall that are plain vectors. */
static const struct {
    const char *name;
    size_t offset;
} wall_vectors[] = {{"reference", offsetof(scr_wall, reference)},
                    {"velocity", offsetof(scr_wall, velocity)},
                    {"spin", offsetof(scr_wall, spin)},
                    {"force", offsetof(scr_wall, force)},
                    {"torque", offsetof(scr_wall, torque)}};
#define WALL_VECTORS (sizeof wall_vectors / sizeof *wall_vectors)

/* What a servo remembers: one row of numbers. */
static const scr_h5_set servo_set = {
    NULL, SCR_H5_F64, SCR_SERVO_STATE_WIDTH, "N, m^2, s, N s",
    "what a servo remembers: integral term, area, whether the target was reached; since the last look time, sums of "
    "force and target over it, time at the largest speed, the same with its sign; largest force; time held, time "
    "missed; where it missed by most: mean force, mean target, time, part at the largest speed, with its sign"};

static scree_status servo_write(scr_h5 *file, const char *path, const scr_servo_state *state)
{
    scr_h5_set set = servo_set;
    char *name = scr_h5_path(path, "servo");
    if (!name) return scr_h5_no_memory(file, path);
    set.name = name;
    scree_status status = scr_h5_write(file, &set, 1, state);
    free(name);
    return status;
}

// walls without one have none
static scree_status servo_read(const scr_h5 *file, const char *path, scr_servo_state *state)
{
    scr_h5_set set = servo_set;
    char *name = scr_h5_path(path, "servo");
    if (!name) return scr_h5_no_memory(file, path);
    set.name = name;
    const double *numbers = (const double *)state;
    scree_status status = scr_h5_has(file, name) ? scr_h5_read(file, &set, 1, state) : SCREE_OK;
    for (int k = 0; !status && k < SCR_SERVO_STATE_WIDTH; k++)
        if (!isfinite(numbers[k])) status = scr_h5_wrong(file, path, "has a servo that is not finite");
    free(name);
    return status;
}

static scree_status wall_write(scr_h5 *file, const char *path, const scr_world *world, const scr_wall *w,
                               int first_face, int face_count)
{
    scr_h5_set_text(file, path, "shape", w->shape ? w->shape : "");
    scr_h5_set_i64(file, path, "material", &(int64_t){w->material}, 1);
    scr_h5_set_i64(file, path, "first_face", &(int64_t){first_face}, 1);
    scr_h5_set_i64(file, path, "motion", &(int64_t){(int64_t)w->motion_source}, 1);
    scr_h5_set_i64(file, path, "active", &(int64_t){w->active}, 1);
    scr_h5_set_i64(file, path, "carrier", &(int64_t){w->carried ? w->carrier : -1}, 1);
    scr_h5_set_f64(file, path, "travel", &w->travel, 1);
    for (size_t k = 0; k < WALL_VECTORS; k++)
        scr_h5_set_f64(file, path, wall_vectors[k].name, (const double *)((const char *)w + wall_vectors[k].offset), 3);
    pose_write(file, path, "pose", &w->pose);
    pose_write(file, path, "anchor", &w->anchor);
    pose_write(file, path, "base", &w->base);
    if (w->motion.servo) servo_write(file, path, &w->held);
    scr_h5_set_text(file, path, "unit",
                    "velocity m/s, spin rad/s, force N, torque N m about the reference m, travel m; "
                    "a pose is a shift x y z [m], the rows of a rotation, and whether it is turned");
    return faces_write(file, path, world->faces + w->first_face, (size_t)face_count);
}

scree_status scr_walls_write(scr_h5 *file, const scr_world *world, bool with_meshes)
{
    scree_status status = scr_h5_group(file, "/walls");
    int first = 0;
    for (int k = 0; !status && k < world->wall_count; k++) {
        const scr_wall *w = &world->walls[k];
        bool omitted = !with_meshes && w->shape && !strcmp(w->shape, "mesh");
        int count = omitted ? 0 : w->face_count;
        char *path = scr_item_write(file, "/walls", w->name, k);
        if (!path) return scr_h5_no_memory(file, "names");
        status = wall_write(file, path, world, w, first, count);
        first += count;
        free(path);
    }
    return status;
}

static bool face_unpack(const double *row, scr_face *f)
{
    for (int k = 0; k < FACE_WIDTH; k++)
        if (!isfinite(row[k])) return false;
    if (!(row[0] >= 0 && row[0] < SCR_FACE_KINDS)) return false;
    f->kind = (int)row[0];
    f->point = v3_load(row + 1), f->axis = v3_load(row + 4);
    f->length = row[7], f->radius[0] = row[8], f->radius[1] = row[9];
    f->edge[0] = v3_load(row + 10), f->edge[1] = v3_load(row + 13);
    f->solid = 0;
    if (f->kind == SCR_FACE_SHELL) {
        if (fabs(row[10]) > 1) return false;
        f->solid = (int)row[10], f->edge[0] = v3(0, 0, 0);
    }
    if (f->kind == SCR_FACE_TRIANGLE) f->solid = row[7] == 1, f->length = 0;
    return true;
}

// faces go to the places their wall says; an empty place has wall -1
static scree_status faces_place(const scr_h5 *file, const char *path, scr_world *world, int wall, const double *rows,
                                size_t count)
{
    scr_wall *w = &world->walls[wall];
    if (w->first_face < 0 || count > MOST_FACES || (size_t)w->first_face > MOST_FACES - count)
        return scr_h5_wrong(file, path, "has a face number out of range");
    int end = w->first_face + (int)count;
    if (end > world->face_count) {
        if (!scr_reserve(&world->faces, (size_t)end)) return scr_h5_no_memory(file, path);
        while (world->face_count < end) world->faces[world->face_count++] = (scr_face){.wall = -1};
    }
    for (size_t k = 0; k < count; k++) {
        scr_face *f = &world->faces[w->first_face + (int)k];
        if (f->wall >= 0 || !face_unpack(rows + FACE_WIDTH * k, f))
            return scr_h5_wrong(file, path, "has an invalid face");
        f->wall = wall, f->material = w->material;
    }
    w->face_count = (int)count;
    return SCREE_OK;
}

static scree_status faces_read(const scr_h5 *file, const char *path, int wall, scr_world *world)
{
    size_t count = 0;
    int width;
    scr_h5_type type;
    double *rows = NULL;
    char *faces = scr_h5_path(path, "faces");
    scree_status status = faces ? SCREE_OK : scr_h5_no_memory(file, path);
    if (!status) status = scr_h5_shape(file, faces, &type, &count, &width);
    if (!status) {
        rows = malloc((count + 1) * FACE_WIDTH * sizeof *rows);
        if (!rows) status = scr_h5_no_memory(file, path);
    }
    if (!status) status = scr_h5_read(file, &(scr_h5_set){faces, SCR_H5_F64, FACE_WIDTH, NULL, NULL}, count, rows);
    if (!status) status = faces_place(file, path, world, wall, rows, count);
    free(rows), free(faces);
    return status;
}

static scree_status wall_read(const scr_h5 *file, const char *path, int index, char *name, int material_count,
                              scr_world *world)
{
    scr_wall *w = &world->walls[index];
    int64_t first_face, active, motion, carrier;
    scree_status status;
    w->name = name;
    if ((status = scr_h5_get_text(file, path, "shape", &w->shape)) ||
        (status = material_get(file, path, material_count, &w->material)) ||
        (status = scr_h5_get_i64(file, path, "first_face", &first_face, 1)) ||
        (status = scr_h5_get_i64(file, path, "motion", &motion, 1)) ||
        (status = scr_h5_get_i64(file, path, "active", &active, 1)) ||
        (status = scr_h5_get_i64(file, path, "carrier", &carrier, 1)) ||
        (status = scr_h5_get_f64(file, path, "travel", &w->travel, 1)) ||
        (status = pose_read(file, path, "pose", &w->pose)) || (status = pose_read(file, path, "anchor", &w->anchor)) ||
        (status = pose_read(file, path, "base", &w->base)))
        return status;
    for (size_t k = 0; !status && k < WALL_VECTORS; k++) {
        vec3 *v = (vec3 *)((char *)w + wall_vectors[k].offset);
        status = scr_h5_get_f64(file, path, wall_vectors[k].name, &v->x, 3);
        if (!status && !finite3(*v)) status = scr_h5_wrong(file, path, "has a vector that is not finite");
    }
    if (!status) status = servo_read(file, path, &w->held);
    if (!status && !isfinite(w->travel)) status = scr_h5_wrong(file, path, "has a travel that is not finite");
    if (status) return status;
    w->first_face = first_face < 0 || first_face > MOST_FACES ? -1 : (int)first_face;
    w->motion_source = (uint64_t)motion;
    w->active = active != 0;
    w->carried = carrier >= 0 && carrier < MOST_ITEMS;
    w->carrier = w->carried ? (int)carrier : 0;
    return faces_read(file, path, index, world);
}

scree_status scr_walls_read(const scr_h5 *file, scr_world *world, int material_count)
{
    scree_status status = scr_items_read(file, "/walls", (void **)&world->walls, sizeof *world->walls,
                                         &world->wall_count, wall_read, material_count, world);
    for (int k = 0; !status && k < world->face_count; k++)
        if (world->faces[k].wall < 0) status = scr_h5_wrong(file, "/walls", "has a gap in its face numbers");
    return status;
}

/* ---- flows ---- */

// bins are there where the plane has some, so that earlier checkpoints are read as they are
static scree_status flow_bins_write(scr_h5 *file, const char *path, const scr_flow_bins *bins)
{
    size_t number = scr_flow_bins_number(bins);
    if (!number) return SCREE_OK;
    char *name = scr_h5_path(path, "passed");
    if (!name) return scr_h5_no_memory(file, path);
    scree_status status = scr_h5_write(
        file, &(scr_h5_set){name, SCR_H5_I64, 1, "", "grains that passed along the normal in each bin, x fastest"},
        number, bins->passed);
    scr_h5_set_i64(file, name, "bins", (int64_t[]){bins->count[0], bins->count[1], bins->count[2]}, 3);
    scr_h5_set_f64(file, name, "low", &bins->low.x, 3);
    scr_h5_set_f64(file, name, "high", &bins->high.x, 3);
    free(name);
    return status;
}

static scree_status flow_bins_read(const scr_h5 *file, const char *name, scr_flow_bins *bins)
{
    int64_t count[3];
    scree_status status = SCREE_OK;
    if (!scr_h5_has(file, name)) return SCREE_OK;
    if ((status = scr_h5_get_i64(file, name, "bins", count, 3)) ||
        (status = scr_h5_get_f64(file, name, "low", &bins->low.x, 3)) ||
        (status = scr_h5_get_f64(file, name, "high", &bins->high.x, 3)))
        return status;
    bool wrong = !finite3(bins->low) || !finite3(bins->high);
    for (int d = 0; d < 3; d++) {
        wrong |= count[d] < 1 || count[d] > SCR_MOST_FLOW_BINS || !((&bins->low.x)[d] < (&bins->high.x)[d]);
        bins->count[d] = wrong ? 0 : (int)count[d];
    }
    size_t number = scr_flow_bins_number(bins), rows;
    scr_h5_type type;
    int width;
    if (!wrong && (status = scr_h5_shape(file, name, &type, &rows, &width))) return status;
    if (wrong || number > SCR_MOST_FLOW_BINS || rows != number) {
        bins->count[0] = 0;
        return scr_h5_wrong(file, name, "has invalid bins");
    }
    if (!scr_flow_bins_open(bins)) return scr_h5_no_memory(file, name);
    return scr_h5_read(file, &(scr_h5_set){name, SCR_H5_I64, 1, NULL, NULL}, number, bins->passed);
}

scree_status scr_flows_write(scr_h5 *file, const scr_world *world)
{
    scree_status status = scr_h5_group(file, "/flows");
    for (int k = 0; !status && k < world->flow_count; k++) {
        const scr_flow *f = &world->flows[k];
        char *path = scr_item_write(file, "/flows", f->name, k);
        if (!path) return scr_h5_no_memory(file, "/flows");
        scr_h5_set_f64(file, path, "point", &f->point.x, 3);
        scr_h5_set_f64(file, path, "normal", &f->normal.x, 3);
        scr_h5_set_i64(file, path, "periodic", &(int64_t){f->periodic}, 1);
        scr_h5_set_i64(file, path, "group", &(int64_t){f->group}, 1);
        scr_h5_set_i64(file, path, "slot", &(int64_t){f->slot}, 1);
        scr_h5_set_i64(file, path, "count", f->count, 2);
        scr_h5_set_i64(file, path, "mark_count", f->mark.count, 2);
        scr_h5_set_f64(file, path, "mark_mass", f->mark.mass, 2);
        scr_h5_set_f64(file, path, "mark_time", &f->mark_time, 1);
        status = scr_h5_set_text(file, path, "unit", "point m, mark_mass kg, mark_time s");
        if (!status) status = scr_item_sums_write(file, path, "kg, kg m, kg m^2", f->sum, SCR_FLOW_SUMS);
        if (!status) status = flow_bins_write(file, path, &f->bins);
        free(path);
    }
    return status;
}

static scree_status flow_read(const scr_h5 *file, const char *path, int index, char *name, int group_count,
                              scr_world *world)
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
        (status = scr_h5_get_i64(file, path, "count", f->count, 2)) ||
        (status = scr_h5_get_i64(file, path, "mark_count", f->mark.count, 2)) ||
        (status = scr_h5_get_f64(file, path, "mark_mass", f->mark.mass, 2)) ||
        (status = scr_h5_get_f64(file, path, "mark_time", &f->mark_time, 1)))
        return status;
    if (periodic < -1 || periodic > 2 || group < -1 || group >= group_count || slot < 0 || slot >= SCR_MOST_FLOWS ||
        !finite3(f->point) || !finite3(f->normal))
        return scr_h5_wrong(file, path, "has an invalid plane, group or slot");
    f->periodic = (int)periodic, f->group = (int)group, f->slot = (int)slot;
    if ((status = scr_item_sums_read(file, path, f->sum, SCR_FLOW_SUMS))) return status;
    char *bins = scr_h5_path(path, "passed");
    if (!bins) return scr_h5_no_memory(file, path);
    status = flow_bins_read(file, bins, &f->bins);
    free(bins);
    return status;
}

scree_status scr_flows_read(const scr_h5 *file, scr_world *world)
{
    return scr_items_read(file, "/flows", (void **)&world->flows, sizeof *world->flows, &world->flow_count, flow_read,
                          world->group_count, world);
}

/* ---- inlets and outlets ---- */

typedef struct {
    const char *name;
    scr_scalar type;
    size_t offset;
} port_number;

static const port_number inlet_numbers[] = {
#define F(member, type) {#member, SCR_FIELD_TYPE(type), offsetof(scr_inlet, member)},
    SCR_INLET_NUMBERS(F)
#undef F
        {0}};

static const port_number outlet_numbers[] = {
#define F(member, type) {#member, SCR_FIELD_TYPE(type), offsetof(scr_outlet, member)},
    SCR_OUTLET_NUMBERS(F)
#undef F
        {0}};

static scree_status port_write(scr_h5 *file, const char *section, const char *name, int index,
                               const port_number *numbers, const void *port)
{
    char *path = scr_item_write(file, section, name, index);
    if (!path) return scr_h5_no_memory(file, section);
    scree_status status = SCREE_OK;
    for (const port_number *n = numbers; n->name && !status; n++) {
        const void *value = (const char *)port + n->offset;
        status = n->type == SCR_F64 ? scr_h5_set_f64(file, path, n->name, value, 1)
                                    : scr_h5_set_i64(file, path, n->name, value, 1);
    }
    free(path);
    return status;
}

scree_status scr_ports_write(scr_h5 *file, const scr_world *w)
{
    scree_status status = scr_h5_group(file, "/inlets");
    for (int k = 0; !status && k < w->inlet_count; k++)
        status = port_write(file, "/inlets", w->inlets[k].name, k, inlet_numbers, &w->inlets[k]);
    if (!status) status = scr_h5_group(file, "/outlets");
    for (int k = 0; !status && k < w->outlet_count; k++)
        status = port_write(file, "/outlets", w->outlets[k].name, k, outlet_numbers, &w->outlets[k]);
    return status;
}

static scree_status port_read(const scr_h5 *file, const char *path, const port_number *numbers, void *port)
{
    scree_status status = SCREE_OK;
    for (const port_number *n = numbers; n->name && !status; n++) {
        void *value = (char *)port + n->offset;
        status = n->type == SCR_F64 ? scr_h5_get_f64(file, path, n->name, value, 1)
                                    : scr_h5_get_i64(file, path, n->name, value, 1);
        bool good = n->type == SCR_F64 ? *(double *)value >= 0 && isfinite(*(double *)value) : *(int64_t *)value >= 0;
        if (!status && !good) status = scr_h5_wrong(file, path, "has an invalid number");
    }
    return status;
}

static scree_status inlet_read(const scr_h5 *file, const char *path, int index, char *name, int unused,
                               scr_world *world)
{
    (void)unused;
    world->inlets[index].name = name;
    return port_read(file, path, inlet_numbers, &world->inlets[index]);
}

static scree_status outlet_read(const scr_h5 *file, const char *path, int index, char *name, int unused,
                                scr_world *world)
{
    (void)unused;
    world->outlets[index].name = name;
    return port_read(file, path, outlet_numbers, &world->outlets[index]);
}

scree_status scr_ports_read(const scr_h5 *file, scr_world *world)
{
    scree_status status = scr_items_read(file, "/inlets", (void **)&world->inlets, sizeof *world->inlets,
                                         &world->inlet_count, inlet_read, 0, world);
    if (status) return status;
    return scr_items_read(file, "/outlets", (void **)&world->outlets, sizeof *world->outlets, &world->outlet_count,
                          outlet_read, 0, world);
}
