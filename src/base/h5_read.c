/* Reading datasets, attributes, links and listings of base/h5.h: questions to the catalogue, numbers
 * straight from the file. Nothing here calls the HDF5 library. */
#include <stdlib.h>
#include <string.h>

#include "base/h5_file.h"
#include "base/h5_pack.h"
#include "base/text.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are stored as they are used");

#define MOST_COLUMNS 4096
#define BLOCK        ((size_t)1 << 15) // numbers converted at once
#define MOST_OTHERS  100
#define MOST_CHUNK   ((uint64_t)1 << 28) // [bytes]

/* ---- datasets ---- */

// the object, in this file or in the one that shares it; `file` becomes that one. NULL: there is none
static const scr_h5_object *object_find(const scr_h5 **file, const char *name)
{
    const scr_h5_object *o = scr_h5_object_find(&(*file)->contents, name);
    if (!o || o->is.kind != SCR_H5_IS_SHARED) return o;
    const scr_h5 *other = NULL;
    for (int k = 0; k < (*file)->other_count; k++)
        if (!strcmp((*file)->others[k].name, o->payload)) other = (*file)->others[k].file;
    if (!other) return NULL;
    *file = other;
    o = scr_h5_object_find(&other->contents, name);
    return o && o->is.kind == SCR_H5_IS_SHARED ? NULL : o;
}

// deflate makes at most 1032 bytes of one
#define EXPANDS 1032

// whether the file can hold its numbers
static bool set_fits(const scr_h5 *file, const scr_h5_object *o)
{
    uint64_t most = o->is.chunk ? EXPANDS * file->disk.size : file->disk.size;
    uint64_t row = o->is.width * scr_h5_scalar_size((scr_h5_type)o->is.type);
    return o->is.width >= 1 && o->is.width <= MOST_COLUMNS && o->is.rows <= most / row &&
           o->is.chunk <= MOST_CHUNK / row && o->is.chunk <= o->is.rows;
}

// a dataset of ours that the file can hold; NULL with a message. `file` becomes the one that has it
static const scr_h5_object *set_find(const scr_h5 **file, const char *name)
{
    const scr_h5_object *o = object_find(file, name);
    const char *wrong = NULL;
    if (!o || (o->is.kind != SCR_H5_IS_SET && o->is.kind != SCR_H5_IS_TEXT))
        wrong = "is missing or is not a dataset";
    else if (o->is.kind == SCR_H5_IS_TEXT || o->is.type > SCR_H5_F32)
        wrong = "has a scalar type that is not f64, f32, i64, i32 or u8";
    else if (o->is.flawed)
        wrong = "has more than two dimensions, or none";
    else if (!set_fits(*file, o))
        wrong = "has a size that the file cannot hold";
    if (!wrong) return o;
    scr_h5_wrong(*file, name, wrong);
    return NULL;
}

scree_status scr_h5_shape(const scr_h5 *file, const char *name, scr_h5_type *type, size_t *rows, int *width)
{
    const scr_h5_object *o = set_find(&file, name);
    if (!o) return SCREE_E_INPUT;
    *type = (scr_h5_type)o->is.type, *rows = (size_t)o->is.rows, *width = (int)o->is.width;
    return SCREE_OK;
}

static scr_h5_chunk chunk_of(const scr_h5_object *o, uint64_t k)
{
    scr_h5_chunk chunk;
    memcpy(&chunk, o->payload + k * sizeof chunk, sizeof chunk);
    return chunk;
}

// whether all bytes of the dataset are in the file
static bool is_there(const scr_h5 *file, const scr_h5_object *o, uint64_t size)
{
    if (!size) return true;
    if (!o->is.chunk) return o->is.offset <= file->disk.size && size <= file->disk.size - o->is.offset;
    for (uint64_t k = 0; k < scr_h5_chunk_count(&o->is); k++) {
        scr_h5_chunk chunk = chunk_of(o, k);
        if (chunk.offset > file->disk.size || chunk.size > file->disk.size - chunk.offset) return false;
    }
    return true;
}

// the dataset, with this shape, whose bytes are in the file; NULL with a message
static const scr_h5_object *set_expect(const scr_h5 **file, const char *name, size_t rows, int width)
{
    const scr_h5_object *o = set_find(file, name);
    if (!o) return NULL;
    uint64_t size = rows * (uint64_t)width * scr_h5_scalar_size((scr_h5_type)o->is.type);
    if (o->is.rows != rows || o->is.width != (uint64_t)width)
        scr_h5_wrong(*file, name, "has the wrong type or shape");
    else if (!is_there(*file, o, size))
        scr_h5_wrong(*file, name, "cannot be read: it is neither contiguous nor in chunks as Scree writes them");
    else
        return o;
    return NULL;
}

// bytes from `at` on, of a dataset in chunks: whole chunks into `room`, of which what is wanted is taken
static scree_status chunks_read(const scr_h5 *file, const scr_h5_object *o, uint64_t at, char *data, size_t size)
{
    size_t scalar = scr_h5_scalar_size((scr_h5_type)o->is.type);
    size_t whole = (size_t)(o->is.chunk * o->is.width) * scalar;
    char *room = malloc(2 * whole + 1), *packed = NULL;
    scree_status status = room ? SCREE_OK : scr_h5_no_memory(file, o->name);
    while (!status && size > 0) {
        scr_h5_chunk chunk = chunk_of(o, at / whole);
        char *grown = realloc(packed, (size_t)chunk.size + 1);
        if (grown) packed = grown;
        if (!grown)
            status = scr_h5_no_memory(file, o->name);
        else if (scr_disk_read(file->disk.fd, chunk.offset, packed, chunk.size) ||
                 !scr_h5_unpack(packed, chunk.size, chunk.deflated, scalar, room, room + whole, whole))
            status = scr_h5_wrong(file, o->name, "cannot be read: a chunk is damaged");
        if (status) break;
        size_t from = (size_t)(at % whole), n = whole - from < size ? whole - from : size;
        memcpy(data, room + whole + from, n);
        data += n, at += n, size -= n;
    }
    free(room), free(packed);
    return status;
}

static scree_status bytes_read(const scr_h5 *file, const scr_h5_object *o, uint64_t at, void *data, size_t size)
{
    if (o->is.chunk) return chunks_read(file, o, at, data, size);
    return size && scr_disk_read(file->disk.fd, o->is.offset + at, data, size)
               ? scr_h5_wrong(file, o->name, "cannot be read")
               : SCREE_OK;
}

scree_status scr_h5_read_rows(const scr_h5 *file, const scr_h5_set *set, size_t rows, size_t first, size_t count,
                              void *data)
{
    const scr_h5_object *o = set_expect(&file, set->name, rows, set->width);
    size_t row = (size_t)set->width * scr_h5_scalar_size(set->type);
    if (!o) return SCREE_E_INPUT;
    if (o->is.type != set->type || first > rows || count > rows - first)
        return scr_h5_wrong(file, set->name, "has the wrong type or shape");
    return bytes_read(file, o, first * row, data, count * row);
}

scree_status scr_h5_read(const scr_h5 *file, const scr_h5_set *set, size_t rows, void *data)
{
    return scr_h5_read_rows(file, set, rows, 0, rows, data);
}

// any scalar as a double; memory is that of the file, so nothing is aligned
static double scalar(const char *bytes, scr_h5_type type, size_t k)
{
    double f64;
    int64_t i64;
    int32_t i32;
    float f32;
    switch (type) {
    case SCR_H5_F64: return memcpy(&f64, bytes + 8 * k, 8), f64;
    case SCR_H5_I64: return memcpy(&i64, bytes + 8 * k, 8), (double)i64;
    case SCR_H5_I32: return memcpy(&i32, bytes + 4 * k, 4), (double)i32;
    case SCR_H5_F32: return memcpy(&f32, bytes + 4 * k, 4), (double)f32;
    default: return ((const unsigned char *)bytes)[k];
    }
}

scree_status scr_h5_read_f64(const scr_h5 *file, const char *name, size_t rows, int width, double *data)
{
    const scr_h5_object *o = set_expect(&file, name, rows, width);
    if (!o) return SCREE_E_INPUT;
    scr_h5_type type = (scr_h5_type)o->is.type;
    size_t count = rows * (size_t)width, size = scr_h5_scalar_size(type);
    if (type == SCR_H5_F64) return bytes_read(file, o, 0, data, count * size);
    // a chunk is unpacked as a whole
    size_t most = o->is.chunk ? (size_t)(o->is.chunk * o->is.width) : BLOCK;
    char *block = malloc(most * size);
    scree_status status = block ? SCREE_OK : scr_h5_no_memory(file, name);
    for (size_t at = 0; !status && at < count; at += most) {
        size_t n = count - at < most ? count - at : most;
        status = bytes_read(file, o, at * size, block, n * size);
        for (size_t k = 0; k < n; k++) data[at + k] = scalar(block, type, k);
    }
    free(block);
    return status;
}

/* ---- texts and attributes ---- */

// texts of a file are shown to people: they are tamed here, whatever becomes of them
static scree_status text_copy(const scr_h5 *file, const char *name, const char *from, const char *keep, char **text)
{
    *text = strdup(from);
    scr_text_tame(*text, keep);
    return *text ? SCREE_OK : scr_h5_no_memory(file, name);
}

scree_status scr_h5_read_text(const scr_h5 *file, const char *name, char **text)
{
    *text = NULL;
    const scr_h5_object *o = object_find(&file, name);
    if (!o || (o->is.kind != SCR_H5_IS_SET && o->is.kind != SCR_H5_IS_TEXT))
        return scr_h5_wrong(file, name, "is missing or is not a dataset");
    if (o->is.kind != SCR_H5_IS_TEXT) return scr_h5_wrong(file, name, "is not text");
    return text_copy(file, name, o->payload, "\n\t\r", text);
}

scree_status scr_h5_read_link(const scr_h5 *file, const char *name, char **target)
{
    *target = NULL;
    const scr_h5_object *o = scr_h5_object_find(&file->contents, name);
    if (!o || o->is.kind != SCR_H5_IS_LINK) return scr_h5_wrong(file, name, "is missing or is not an external link");
    // the name of a file, any bytes, which the caller compares with what it must be
    *target = strdup(o->payload);
    return *target ? SCREE_OK : scr_h5_no_memory(file, name);
}

// an attribute of this type and number of values; NULL with a message
static const scr_h5_object *attribute_expect(const scr_h5 *file, const char *object, const char *name, uint32_t type,
                                             int count)
{
    object_find(&file, object);
    const scr_h5_object *a = scr_h5_attribute_find(&file->contents, object, name);
    if (a && a->is.type == type && a->is.rows == (uint64_t)count) return a;
    char what[128];
    snprintf(what, sizeof what, "has no attribute '%.48s' of the right type and size", name);
    scr_h5_wrong(file, object, what);
    return NULL;
}

scree_status scr_h5_get_text(const scr_h5 *file, const char *object, const char *name, char **text)
{
    *text = NULL;
    const scr_h5_object *a = attribute_expect(file, object, name, SCR_H5_TEXT, 1);
    return a ? text_copy(file, object, a->payload, "\n", text) : SCREE_E_INPUT;
}

static scree_status numbers_get(const scr_h5 *file, const char *object, const char *name, scr_h5_type type,
                                void *values, int count)
{
    const scr_h5_object *a = attribute_expect(file, object, name, type, count);
    if (!a) return SCREE_E_INPUT;
    memcpy(values, a->payload, 8 * (size_t)count);
    return SCREE_OK;
}

scree_status scr_h5_get_f64(const scr_h5 *file, const char *object, const char *name, double *values, int count)
{
    return numbers_get(file, object, name, SCR_H5_F64, values, count);
}

scree_status scr_h5_get_i64(const scr_h5 *file, const char *object, const char *name, int64_t *values, int count)
{
    return numbers_get(file, object, name, SCR_H5_I64, values, count);
}

/* ---- listings ---- */

// whether `o` is in the group of this name, not deeper, and asked for
static bool is_member(const scr_h5_object *o, const char *group, size_t length, bool sets_only)
{
    if (strncmp(o->name, group, length) || (length && o->name[length] != '/')) return false;
    const char *name = o->name + length + (length > 0);
    bool set = o->is.kind == SCR_H5_IS_SET || o->is.kind == SCR_H5_IS_TEXT || o->is.kind == SCR_H5_IS_SHARED;
    return *name && !strchr(name, '/') && (set || !sets_only);
}

scree_status scr_h5_list(const scr_h5 *file, const char *group, bool sets_only, char ***names, int *count)
{
    const scr_h5_catalogue *c = &file->contents;
    const scr_h5_object *in = scr_h5_object_find(c, group), *end = c->objects + c->object_count;
    *names = NULL, *count = 0;
    if (!in || in->is.kind != SCR_H5_IS_GROUP) return scr_h5_wrong(file, group, "is missing or is not a group");
    if (in->is.flawed) return scr_h5_wrong(file, group, "cannot be listed");
    size_t length = in->is.name_size, size = 0, n = 0;
    // all that begins with the group's name follows it
    for (const scr_h5_object *o = in; o < end && !strncmp(o->name, in->name, length); o++)
        if (is_member(o, in->name, length, sets_only)) n++, size += o->is.name_size - length + 1;
    char **block = n < INT32_MAX ? malloc((n + 1) * sizeof *block + size) : NULL;
    if (!block) return scr_h5_no_memory(file, group);
    // pointers first, then the text they point to
    char *text = (char *)(block + n + 1);
    n = 0;
    for (const scr_h5_object *o = in; o < end && !strncmp(o->name, in->name, length); o++) {
        if (!is_member(o, in->name, length, sets_only)) continue;
        block[n++] = text;
        text = stpcpy(text, o->name + length + (length > 0)) + 1;
        scr_text_tame(block[n - 1], "");
    }
    block[n] = NULL;
    *names = block, *count = (int)n;
    return SCREE_OK;
}

bool scr_h5_has(const scr_h5 *file, const char *path)
{
    return scr_h5_object_find(&file->contents, path) != NULL;
}

/* ---- datasets of other files ---- */

scree_status scr_h5_shared(const scr_h5 *file, char ***names, int *count)
{
    const scr_h5_catalogue *c = &file->contents;
    size_t size = 0, n = 0;
    *names = NULL, *count = 0;
    for (size_t k = 0; k < c->object_count; k++)
        if (c->objects[k].is.kind == SCR_H5_IS_SHARED) n++, size += (size_t)c->objects[k].is.size;
    char **block = n < INT32_MAX ? malloc((n + 1) * sizeof *block + size) : NULL;
    if (!block) return scr_h5_no_memory(file, "/");
    char *text = (char *)(block + n + 1);
    n = 0;
    for (size_t k = 0; k < c->object_count; k++) {
        if (c->objects[k].is.kind != SCR_H5_IS_SHARED) continue;
        size_t j = 0;
        while (j < n && strcmp(block[j], c->objects[k].payload)) j++;
        if (j < n) continue;
        if (n == MOST_OTHERS) {
            free(block);
            return scr_h5_wrong(file, "/", "shares datasets of too many files");
        }
        block[n++] = text;
        text = stpcpy(text, c->objects[k].payload) + 1;
    }
    block[n] = NULL;
    *names = block, *count = (int)n;
    return SCREE_OK;
}

const char *scr_h5_home(const scr_h5 *file, const char *path)
{
    const scr_h5_object *o = scr_h5_object_find(&file->contents, path);
    return o && o->is.kind == SCR_H5_IS_SHARED ? o->payload : NULL;
}

scree_status scr_h5_attach(scr_h5 *file, const char *name, scr_h5 *other)
{
    char *copy = strdup(name);
    struct scr_h5_other *grown = realloc(file->others, ((size_t)file->other_count + 1) * sizeof *grown);
    if (grown) file->others = grown;
    if (!copy || !grown) {
        free(copy);
        return scr_h5_no_memory(file, name);
    }
    file->others[file->other_count++] = (struct scr_h5_other){copy, other};
    return SCREE_OK;
}
