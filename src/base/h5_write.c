/* Writing datasets, attributes and links of base/h5.h. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/h5_file.h"
#include "base/sort.h"

static hid_t memory_type(scr_h5_type type)
{
    switch (type) {
    case SCR_H5_F64: return H5T_NATIVE_DOUBLE;
    case SCR_H5_I64: return H5T_NATIVE_INT64;
    case SCR_H5_I32: return H5T_NATIVE_INT32;
    case SCR_H5_F32: return H5T_NATIVE_FLOAT;
    default: return H5T_NATIVE_UINT8;
    }
}

static hid_t file_type(scr_h5_type type)
{
    switch (type) {
    case SCR_H5_F64: return H5T_IEEE_F64LE;
    case SCR_H5_I64: return H5T_STD_I64LE;
    case SCR_H5_I32: return H5T_STD_I32LE;
    case SCR_H5_F32: return H5T_IEEE_F32LE;
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

hid_t scr_h5_link_list(void)
{
    hid_t list = H5Pcreate(H5P_LINK_CREATE);
    if (list >= 0) H5Pset_create_intermediate_group(list, 1);
    return list;
}

scree_status scr_h5_group(scr_h5 *file, const char *name)
{
    if (file->status) return file->status;
    if (file->queue) return scr_h5_tell(file, &(scr_h5_words){SCR_H5_SAY_GROUP, .set.name = name});
    hid_t list = scr_h5_link_list();
    hid_t group = H5Gcreate2(file->id, name, list, H5P_DEFAULT, H5P_DEFAULT);
    H5Pclose(list);
    if (group >= 0) H5Gclose(group);
    return written(file, group >= 0, name);
}

// no time stamps and no fill values: the same contents are the same bytes, written once
hid_t scr_h5_set_create(scr_h5 *file, const scr_h5_set *set, size_t rows, size_t chunk)
{
    hsize_t shape[2] = {rows, (hsize_t)set->width};
    hid_t space = H5Screate_simple(set->width > 1 ? 2 : 1, shape, NULL);
    hid_t links = scr_h5_link_list(), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, 0);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    if (chunk) {
        H5Pset_chunk(creation, set->width > 1 ? 2 : 1, (hsize_t[]){chunk, (hsize_t)set->width});
        H5Pset_shuffle(creation);
        H5Pset_deflate(creation, 1);
    }
    hid_t data = H5Dcreate2(file->id, set->name, file_type(set->type), space, links, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Pclose(links);
    H5Sclose(space);
    return data;
}

scree_status scr_h5_set_begin(scr_h5 *file, const scr_h5_set *set, size_t rows)
{
    if (file->status) return file->status;
    if (file->queue) return scr_h5_tell(file, &(scr_h5_words){SCR_H5_SAY_BEGIN, .set = *set, .rows = rows});
    if (file->store) return scr_h5_store_begin(file, set, rows);
    file->set = scr_h5_set_create(file, set, rows, 0);
    file->set_rows = 0;
    return written(file, file->set >= 0, set->name);
}

bool scr_h5_block_write(hid_t id, const scr_h5_set *set, size_t first, size_t count, const void *block)
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

static size_t row_size(const scr_h5_set *set)
{
    return (size_t)set->width * scr_h5_scalar_size(set->type);
}

scree_status scr_h5_set_block(scr_h5 *file, const scr_h5_set *set, size_t count, const void *block)
{
    if (file->status) return file->status;
    if (file->queue) {
        scr_h5_words words = {SCR_H5_SAY_BLOCK, *set, .rows = count, .data = block, .size = count * row_size(set)};
        return scr_h5_tell(file, &words);
    }
    if (file->store) {
        scr_h5_store_block(file, set, count, block);
        return SCREE_OK;
    }
    bool ok = scr_h5_block_write(file->set, set, file->set_rows, count, block);
    file->set_rows += count;
    return written(file, ok, set->name);
}

scree_status scr_h5_set_end(scr_h5 *file, const scr_h5_set *set)
{
    if (file->queue && !file->status) return scr_h5_tell(file, &(scr_h5_words){SCR_H5_SAY_END, .set = *set});
    bool linked = false, ok = file->set < 0 || H5Dclose(file->set) >= 0;
    file->set = -1;
    if (file->status) return file->status;
    if (file->store) ok = scr_h5_store_end(file, set, &linked);
    if (written(file, ok, set->name) || linked) return file->status;
    if (set->unit) scr_h5_set_text(file, set->name, "unit", set->unit);
    if (set->doc) scr_h5_set_text(file, set->name, "doc", set->doc);
    return file->status;
}

static size_t block_rows(size_t first, size_t rows)
{
    return rows - first < SCR_H5_BLOCK ? rows - first : SCR_H5_BLOCK;
}

scree_status scr_h5_write(scr_h5 *file, const scr_h5_set *set, size_t rows, const void *data)
{
    scree_status status = scr_h5_set_begin(file, set, rows);
    for (size_t first = 0; !status && first < rows; first += SCR_H5_BLOCK)
        status = scr_h5_set_block(file, set, block_rows(first, rows), (const char *)data + first * row_size(set));
    return scr_h5_set_end(file, set);
}

scree_status scr_h5_write_blocks(scr_h5 *file, const scr_h5_set *set, size_t rows, scr_h5_fill *fill,
                                 const void *context)
{
    if (file->status) return file->status;
    void *block = malloc(block_rows(0, rows) * row_size(set) + 1);
    if (!block) return file->status = scr_h5_no_memory(file, set->name);
    scree_status status = scr_h5_set_begin(file, set, rows);
    for (size_t first = 0; !status && first < rows; first += SCR_H5_BLOCK) {
        fill(context, first, block_rows(first, rows), block);
        status = scr_h5_set_block(file, set, block_rows(first, rows), block);
    }
    free(block);
    return scr_h5_set_end(file, set);
}

scree_status scr_h5_order(scr_h5 *file, const int64_t *keys, size_t count)
{
    if (file->status) return file->status;
    if (file->queue) {
        scr_h5_words words = {SCR_H5_SAY_ORDER, .rows = count, .data = keys, .size = count * sizeof *keys};
        return scr_h5_tell(file, &words);
    }
    free(file->order);
    file->order = malloc((count + 1) * sizeof *file->order);
    file->order_count = count;
    if (!file->order) return file->status = scr_h5_no_memory(file, "the order of rows");
    scr_order_of(keys, count, file->order);
    return SCREE_OK;
}

typedef struct {
    const char *data;
    const uint32_t *order;
    size_t row;
} column;

static void column_fill(const void *context, size_t first, size_t count, void *block)
{
    const column *c = context;
    for (size_t k = 0; k < count; k++)
        memcpy((char *)block + k * c->row, c->data + c->order[first + k] * c->row, c->row);
}

scree_status scr_h5_write_column(scr_h5 *file, const scr_h5_set *set, size_t rows, void *data)
{
    if (file->queue) {
        scr_h5_words words = {SCR_H5_SAY_COLUMN, *set, .rows = rows, .given = data, .size = rows * row_size(set)};
        return scr_h5_tell(file, &words);
    }
    assert(file->status || file->order_count == rows);
    column c = {data, file->order, row_size(set)};
    scree_status status = scr_h5_write_blocks(file, set, rows, column_fill, &c);
    free(data);
    return status;
}

scree_status scr_h5_write_text(scr_h5 *file, const char *name, const char *text)
{
    if (file->status) return file->status;
    if (file->queue) return scr_h5_tell(file, &(scr_h5_words){SCR_H5_SAY_TEXT, .set.name = name, .text = text});
    hid_t type = scr_h5_text_type(), space = H5Screate(H5S_SCALAR), links = scr_h5_link_list();
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
    if (file->queue) return scr_h5_tell(file, &(scr_h5_words){SCR_H5_SAY_LINK, .set.name = name, .text = target});
    hid_t links = scr_h5_link_list();
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
    if (file->status) return file->status;
    if (file->queue)
        return scr_h5_tell(file,
                           &(scr_h5_words){SCR_H5_SAY_ATTRIBUTE, .set.name = object, .attribute = name, .text = text});
    hid_t type = scr_h5_text_type();
    set_attribute(file, object, name, type, type, &text, 1);
    H5Tclose(type);
    return file->status;
}

scree_status scr_h5_set_word(scr_h5 *file, const char *object, const char *name, const char *word)
{
    assert(!file->queue);
    if (file->status) return file->status;
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0) H5Tset_size(type, strlen(word)), H5Tset_strpad(type, H5T_STR_NULLPAD);
    set_attribute(file, object, name, type, type, word, 1);
    H5Tclose(type);
    return file->status;
}

static scree_status set_numbers(scr_h5 *file, const char *object, const char *name, scr_h5_type type,
                                const void *values, int count)
{
    scr_h5_words words = {SCR_H5_SAY_ATTRIBUTE, .set = {.name = object, .type = type},
                          .attribute = name,    .rows = (size_t)count,
                          .data = values,       .size = 8 * (size_t)count};
    if (file->queue && !file->status) return scr_h5_tell(file, &words);
    return set_attribute(file, object, name, file_type(type), memory_type(type), values, count);
}

scree_status scr_h5_set_f64(scr_h5 *file, const char *object, const char *name, const double *values, int count)
{
    return set_numbers(file, object, name, SCR_H5_F64, values, count);
}

scree_status scr_h5_set_i64(scr_h5 *file, const char *object, const char *name, const int64_t *values, int count)
{
    return set_numbers(file, object, name, SCR_H5_I64, values, count);
}
