/* Datasets, attributes, links and listings of base/h5.h. */
#include <stdlib.h>
#include <string.h>

#include "base/h5_file.h"

// rows handed to the library at once when a dataset is made block by block
#define BLOCK_ROWS ((size_t)1 << 15)

static hid_t memory_type(scr_h5_type type)
{
    switch (type) {
    case SCR_H5_F64: return H5T_NATIVE_DOUBLE;
    case SCR_H5_I64: return H5T_NATIVE_INT64;
    case SCR_H5_I32: return H5T_NATIVE_INT32;
    default: return H5T_NATIVE_UINT8;
    }
}

static hid_t file_type(scr_h5_type type)
{
    switch (type) {
    case SCR_H5_F64: return H5T_IEEE_F64LE;
    case SCR_H5_I64: return H5T_STD_I64LE;
    case SCR_H5_I32: return H5T_STD_I32LE;
    default: return H5T_STD_U8LE;
    }
}

static size_t scalar_size(scr_h5_type type)
{
    return type == SCR_H5_U8 ? 1 : type == SCR_H5_I32 ? 4 : 8;
}

// text of any length, UTF-8: what h5py shows as str
static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return -1;
    if (H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    H5Tclose(type);
    return -1;
}

/* ---- writing ---- */

// a write that the library took may still have failed on disk: the driver knows
static scree_status written(scr_h5 *file, bool ok, const char *object)
{
    return ok && !file->disk.error ? file->status : scr_h5_unwritten(file, object);
}

static hid_t link_list(void)
{
    hid_t list = H5Pcreate(H5P_LINK_CREATE);
    if (list >= 0) H5Pset_create_intermediate_group(list, 1);
    return list;
}

scree_status scr_h5_group(scr_h5 *file, const char *name)
{
    if (file->status) return file->status;
    hid_t list = link_list();
    hid_t group = H5Gcreate2(file->id, name, list, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(list);
    if (group >= 0) H5Gclose(group);
    return written(file, group >= 0, name);
}

// no time stamps and no fill values: the same contents are the same bytes, written once
static hid_t set_create(scr_h5 *file, const scr_h5_set *set, size_t rows)
{
    hsize_t shape[2] = {rows, (hsize_t)set->width};
    hid_t space = H5Screate_simple(set->width > 1 ? 2 : 1, shape, NULL);
    hid_t links = link_list(), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    hid_t data =
        H5Dcreate2(file->id, set->name, file_type(set->type), space, links, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Pclose(links);
    H5Sclose(space);
    return data;
}

static scree_status set_labels(scr_h5 *file, const scr_h5_set *set)
{
    if (set->unit) scr_h5_set_text(file, set->name, "unit", set->unit);
    if (set->doc) scr_h5_set_text(file, set->name, "doc", set->doc);
    return file->status;
}

scree_status scr_h5_write(scr_h5 *file, const scr_h5_set *set, size_t rows, const void *data)
{
    if (file->status) return file->status;
    hid_t id = set_create(file, set, rows);
    bool ok = id >= 0;
    if (ok && rows > 0)
        ok = H5Dwrite(id, memory_type(set->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (id >= 0) ok = H5Dclose(id) >= 0 && ok;
    written(file, ok, set->name);
    return set_labels(file, set);
}

static bool block_write(hid_t id, const scr_h5_set *set, size_t first, size_t count,
                        const void *block)
{
    int rank = set->width > 1 ? 2 : 1;
    hsize_t start[2] = {first, 0}, shape[2] = {count, (hsize_t)set->width};
    hid_t to = H5Dget_space(id), from = H5Screate_simple(rank, shape, NULL);
    bool ok = H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, shape, NULL) >= 0 &&
              H5Dwrite(id, memory_type(set->type), from, to, H5P_DEFAULT, block) >= 0;
    H5Sclose(to);
    H5Sclose(from);
    return ok;
}

scree_status scr_h5_write_blocks(scr_h5 *file, const scr_h5_set *set, size_t rows,
                                 scr_h5_fill *fill, const void *context)
{
    if (file->status) return file->status;
    size_t most = rows < BLOCK_ROWS ? rows : BLOCK_ROWS;
    void *block = malloc(most * (size_t)set->width * scalar_size(set->type) + 1);
    if (!block) return file->status = scr_h5_no_memory(file, set->name);
    hid_t id = set_create(file, set, rows);
    bool ok = id >= 0;
    for (size_t first = 0; ok && !file->disk.error && first < rows; first += BLOCK_ROWS) {
        size_t count = rows - first < BLOCK_ROWS ? rows - first : BLOCK_ROWS;
        fill(context, first, count, block);
        ok = block_write(id, set, first, count, block);
    }
    if (id >= 0) ok = H5Dclose(id) >= 0 && ok;
    free(block);
    written(file, ok, set->name);
    return set_labels(file, set);
}

scree_status scr_h5_write_text(scr_h5 *file, const char *name, const char *text)
{
    if (file->status) return file->status;
    hid_t type = text_type(), space = H5Screate(H5S_SCALAR), links = link_list();
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0);
    hid_t id = H5Dcreate2(file->id, name, type, space, links, creation, H5P_DEFAULT);
    bool ok = id >= 0 && H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) >= 0;
    if (id >= 0) ok = H5Dclose(id) >= 0 && ok;
    H5Pclose(creation);
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
    return written(file, ok, name);
}

scree_status scr_h5_write_link(scr_h5 *file, const char *name, const char *target)
{
    if (file->status) return file->status;
    hid_t links = link_list();
    bool ok = H5Lcreate_external(target, "/", file->id, name, links, H5P_DEFAULT) >= 0;
    H5Pclose(links);
    return written(file, ok, name);
}

static scree_status set_attribute(scr_h5 *file, const char *object, const char *name, hid_t stored,
                                  hid_t memory, const void *values, int count)
{
    if (file->status) return file->status;
    hsize_t shape = (hsize_t)count;
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &shape, NULL);
    hid_t id = H5Acreate_by_name(file->id, object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT,
                                 H5P_DEFAULT);
    bool ok = id >= 0 && H5Awrite(id, memory, values) >= 0;
    if (id >= 0) ok = H5Aclose(id) >= 0 && ok;
    H5Sclose(space);
    return written(file, ok, object);
}

scree_status scr_h5_set_text(scr_h5 *file, const char *object, const char *name, const char *text)
{
    hid_t type = text_type();
    set_attribute(file, object, name, type, type, &text, 1);
    H5Tclose(type);
    return file->status;
}

scree_status scr_h5_set_f64(scr_h5 *file, const char *object, const char *name,
                            const double *values, int count)
{
    return set_attribute(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

scree_status scr_h5_set_i64(scr_h5 *file, const char *object, const char *name,
                            const int64_t *values, int count)
{
    return set_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values, count);
}

/* ---- reading ---- */

// the scalar type of an open dataset, when it is one of ours
static bool stored_type(hid_t data, scr_h5_type *type)
{
    hid_t stored = H5Dget_type(data);
    bool known = false;
    for (int t = SCR_H5_F64; t <= SCR_H5_U8 && !known; t++)
        if (H5Tequal(stored, file_type((scr_h5_type)t)) > 0) *type = (scr_h5_type)t, known = true;
    if (stored >= 0) H5Tclose(stored);
    return known;
}

static bool stored_shape(hid_t data, hsize_t shape[2])
{
    hid_t space = H5Dget_space(data);
    int rank = H5Sget_simple_extent_ndims(space);
    shape[1] = 1;
    bool ok = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, shape, NULL) == rank;
    if (space >= 0) H5Sclose(space);
    return ok;
}

static scree_status set_open(const scr_h5 *file, const char *name, hid_t *id, scr_h5_type *type,
                             size_t *rows, int *width)
{
    hsize_t shape[2];
    *id = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (*id < 0) return scr_h5_wrong(file, name, "is missing or is not a dataset");
    const char *wrong = NULL;
    if (!stored_type(*id, type))
        wrong = "has a scalar type that is not f64, i64, i32 or u8";
    else if (!stored_shape(*id, shape))
        wrong = "has more than two dimensions, or none";
    else if (shape[1] < 1 || shape[1] > 4096 || shape[0] > file->disk.size ||
             shape[0] * shape[1] * scalar_size(*type) > file->disk.size)
        wrong = "has a size that the file cannot hold";
    if (wrong) {
        H5Dclose(*id);
        return scr_h5_wrong(file, name, wrong);
    }
    *rows = (size_t)shape[0], *width = (int)shape[1];
    return SCREE_OK;
}

scree_status scr_h5_shape(const scr_h5 *file, const char *name, scr_h5_type *type, size_t *rows,
                          int *width)
{
    hid_t id;
    scree_status status = set_open(file, name, &id, type, rows, width);
    if (!status) H5Dclose(id);
    return status;
}

static scree_status set_read(const scr_h5 *file, const scr_h5_set *set, bool convert, size_t rows,
                             void *data)
{
    hid_t id;
    scr_h5_type type;
    size_t got_rows;
    int got_width;
    scree_status status = set_open(file, set->name, &id, &type, &got_rows, &got_width);
    if (status) return status;
    if ((!convert && type != set->type) || got_rows != rows || got_width != set->width)
        status = scr_h5_wrong(file, set->name, "has another type or shape than it must have");
    else if (rows > 0 &&
             H5Dread(id, memory_type(set->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        status = scr_h5_wrong(file, set->name, "cannot be read");
    H5Dclose(id);
    return status;
}

scree_status scr_h5_read(const scr_h5 *file, const scr_h5_set *set, size_t rows, void *data)
{
    return set_read(file, set, false, rows, data);
}

scree_status scr_h5_read_f64(const scr_h5 *file, const char *name, size_t rows, int width,
                             double *data)
{
    return set_read(file, &(scr_h5_set){.name = name, .type = SCR_H5_F64, .width = width}, true,
                    rows, data);
}

// takes over text that the library allocated
static scree_status take_text(const scr_h5 *file, const char *object, char *raw, char **text)
{
    *text = strdup(raw ? raw : "");
    H5free_memory(raw);
    return *text ? SCREE_OK : scr_h5_no_memory(file, object);
}

scree_status scr_h5_read_text(const scr_h5 *file, const char *name, char **text)
{
    char *raw = NULL;
    *text = NULL;
    hid_t id = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (id < 0) return scr_h5_wrong(file, name, "is missing or is not a dataset");
    hid_t type = text_type(), stored = H5Dget_type(id), space = H5Dget_space(id);
    bool ok = H5Tequal(type, stored) > 0 && H5Sget_simple_extent_type(space) == H5S_SCALAR &&
              H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &raw) >= 0;
    if (space >= 0) H5Sclose(space);
    if (stored >= 0) H5Tclose(stored);
    H5Tclose(type);
    H5Dclose(id);
    return ok ? take_text(file, name, raw, text) : scr_h5_wrong(file, name, "is not a text");
}

scree_status scr_h5_read_link(const scr_h5 *file, const char *name, char **target)
{
    H5L_info_t info;
    const char *path, *object;
    *target = NULL;
    if (H5Lget_info(file->id, name, &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_EXTERNAL ||
        info.u.val_size > 65536)
        return scr_h5_wrong(file, name, "is missing or is not an external link");
    char *value = malloc(info.u.val_size + 1);
    if (value && H5Lget_val(file->id, name, value, info.u.val_size, H5P_DEFAULT) >= 0 &&
        H5Lunpack_elink_val(value, info.u.val_size, NULL, &path, &object) >= 0)
        *target = strdup(path);
    free(value);
    return *target ? SCREE_OK : scr_h5_wrong(file, name, "cannot be read");
}

static scree_status get_attribute(const scr_h5 *file, const char *object, const char *name,
                                  hid_t stored, hid_t memory, void *values, int count)
{
    hid_t id = H5Aopen_by_name(file->id, object, name, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = id >= 0;
    if (ok) {
        hid_t type = H5Aget_type(id), space = H5Aget_space(id);
        ok = H5Tequal(type, stored) > 0 && H5Sget_simple_extent_npoints(space) == count &&
             H5Aread(id, memory, values) >= 0;
        if (type >= 0) H5Tclose(type);
        if (space >= 0) H5Sclose(space);
        H5Aclose(id);
    }
    if (ok) return SCREE_OK;
    char what[128];
    snprintf(what, sizeof what, "has no attribute '%.48s' of the right type and size", name);
    return scr_h5_wrong(file, object, what);
}

scree_status scr_h5_get_text(const scr_h5 *file, const char *object, const char *name, char **text)
{
    char *raw = NULL;
    *text = NULL;
    hid_t type = text_type();
    scree_status status = get_attribute(file, object, name, type, type, &raw, 1);
    H5Tclose(type);
    return status ? status : take_text(file, object, raw, text);
}

scree_status scr_h5_get_f64(const scr_h5 *file, const char *object, const char *name,
                            double *values, int count)
{
    return get_attribute(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

scree_status scr_h5_get_i64(const scr_h5 *file, const char *object, const char *name,
                            int64_t *values, int count)
{
    return get_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values, count);
}

typedef struct {
    bool sets_only;
    char *text; // names, each with its zero
    size_t used, room;
    int count;
    bool failed;
} listing;

static herr_t list_one(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
    listing *l = context;
    H5O_info_t info;
    if (l->sets_only &&
        (link->type != H5L_TYPE_HARD || H5Oget_info_by_name(group, name, &info, H5P_DEFAULT) < 0 ||
         info.type != H5O_TYPE_DATASET))
        return 0;
    size_t size = strlen(name) + 1;
    if (l->used + size > l->room) {
        size_t room = 2 * l->room + size + 256;
        char *grown = realloc(l->text, room);
        if (!grown) return l->failed = true, -1;
        l->text = grown, l->room = room;
    }
    memcpy(l->text + l->used, name, size);
    l->used += size;
    l->count++;
    return 0;
}

scree_status scr_h5_list(const scr_h5 *file, const char *group, bool sets_only, char ***names,
                         int *count)
{
    listing l = {.sets_only = sets_only};
    *names = NULL, *count = 0;
    hid_t id = H5Gopen2(file->id, group, H5P_DEFAULT);
    if (id < 0) return scr_h5_wrong(file, group, "is missing or is not a group");
    herr_t bad = H5Literate(id, H5_INDEX_NAME, H5_ITER_INC, NULL, list_one, &l);
    H5Gclose(id);
    size_t pointers = ((size_t)l.count + 1) * sizeof **names;
    char **block = bad < 0 ? NULL : malloc(pointers + l.used);
    if (block) {
        // pointers first, then the text they point to
        char *text = (char *)block + pointers;
        if (l.used) memcpy(text, l.text, l.used);
        for (int k = 0; k < l.count; k++, text += strlen(text) + 1) block[k] = text;
        block[l.count] = NULL;
        *names = block, *count = l.count;
    }
    free(l.text);
    return block ? SCREE_OK : scr_h5_wrong(file, group, "cannot be listed");
}
