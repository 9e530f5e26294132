/* Writing datasets, attributes and links of base/h5.h. */
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

// text of any length, UTF-8: what h5py shows as str
hid_t scr_h5_text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0) return -1;
    if (H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0) return type;
    H5Tclose(type);
    return -1;
}

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
    hid_t data = H5Dcreate2(file->id, set->name, file_type(set->type), space, links, creation, H5P_DEFAULT);
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
    if (ok && rows > 0) ok = H5Dwrite(id, memory_type(set->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    if (id >= 0) ok = H5Dclose(id) >= 0 && ok;
    written(file, ok, set->name);
    return set_labels(file, set);
}

static bool block_write(hid_t id, const scr_h5_set *set, size_t first, size_t count, const void *block)
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

scree_status scr_h5_write_blocks(scr_h5 *file, const scr_h5_set *set, size_t rows, scr_h5_fill *fill,
                                 const void *context)
{
    if (file->status) return file->status;
    size_t most = rows < BLOCK_ROWS ? rows : BLOCK_ROWS;
    void *block = malloc(most * (size_t)set->width * scr_h5_scalar_size(set->type) + 1);
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
    hid_t type = scr_h5_text_type(), space = H5Screate(H5S_SCALAR), links = link_list();
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

static scree_status set_attribute(scr_h5 *file, const char *object, const char *name, hid_t stored, hid_t memory,
                                  const void *values, int count)
{
    if (file->status) return file->status;
    hsize_t shape = (hsize_t)count;
    hid_t space = count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &shape, NULL);
    hid_t id = H5Acreate_by_name(file->id, object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool ok = id >= 0 && H5Awrite(id, memory, values) >= 0;
    if (id >= 0) ok = H5Aclose(id) >= 0 && ok;
    H5Sclose(space);
    return written(file, ok, object);
}

scree_status scr_h5_set_text(scr_h5 *file, const char *object, const char *name, const char *text)
{
    hid_t type = scr_h5_text_type();
    set_attribute(file, object, name, type, type, &text, 1);
    H5Tclose(type);
    return file->status;
}

scree_status scr_h5_set_f64(scr_h5 *file, const char *object, const char *name, const double *values, int count)
{
    return set_attribute(file, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

scree_status scr_h5_set_i64(scr_h5 *file, const char *object, const char *name, const int64_t *values, int count)
{
    return set_attribute(file, object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, values, count);
}
