/* The child's part of reading (base/h5_catalogue.h): one walk through a file with the HDF5 library.
 * It runs without rights, and whatever it does wrong is its own death, so it asks the library
 * without fear; what it says is checked by the process that started it. */
#include <stdlib.h>
#include <string.h>

#include "base/h5_file.h"
#include "base/h5_reader.h"

#define DEEPEST 8 // groups in groups; ours are three deep, and forged ones may be rings

typedef struct {
    hid_t text; // the type of all texts
    uint64_t size, limit;
    char *bytes;
    size_t used, room;
    bool failed; // no memory, or more than the limit
    int fd;
    int64_t base; // what must be added to addresses of chunks; -1: not known yet
} walk;

/* ---- records ---- */

static void put(walk *w, const void *data, size_t size)
{
    if (w->failed || size > w->limit - w->used) {
        w->failed = true;
        return;
    }
    if (w->used + size > w->room) {
        size_t room = 2 * w->room + size + 4096;
        char *grown = realloc(w->bytes, room);
        if (!grown) {
            w->failed = true;
            return;
        }
        w->bytes = grown, w->room = room;
    }
    if (data) memcpy(w->bytes + w->used, data, size);
    w->used += size;
}

static void put_record(walk *w, scr_h5_record *r, const char *name, const void *payload)
{
    r->name_size = (uint32_t)strlen(name);
    put(w, r, sizeof *r);
    put(w, name, r->name_size + 1);
    put(w, payload, (size_t)r->size);
}

// a text that the library allocated becomes ours; none is an empty one
static char *text_own(char *text)
{
    char *copy = strdup(text ? text : "");
    H5free_memory(text);
    return copy;
}

/* ---- attributes ---- */

static bool numbers_read(walk *w, hid_t id, hid_t memory, scr_h5_record *r, void **payload)
{
    if (r->rows > w->size / 8) return false;
    r->size = 8 * r->rows;
    *payload = malloc((size_t)r->size + 1);
    return *payload && H5Aread(id, memory, *payload) >= 0;
}

// what is neither numbers nor one text, or cannot be read, is there but of no type
static void attribute_read(walk *w, hid_t id, scr_h5_record *r, void **payload)
{
    hid_t type = H5Aget_type(id), space = H5Aget_space(id);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    bool ok = false;
    r->rows = count > 0 ? (uint64_t)count : 0;
    if (H5Tequal(type, H5T_IEEE_F64LE) > 0) {
        r->type = SCR_H5_F64, ok = numbers_read(w, id, H5T_NATIVE_DOUBLE, r, payload);
    } else if (H5Tequal(type, H5T_STD_I64LE) > 0) {
        r->type = SCR_H5_I64, ok = numbers_read(w, id, H5T_NATIVE_INT64, r, payload);
    } else if (count == 1 && H5Tequal(type, w->text) > 0) {
        char *text = NULL;
        r->type = SCR_H5_TEXT;
        ok = H5Aread(id, w->text, &text) >= 0 && (*payload = text_own(text));
        if (ok) r->size = strlen(*payload) + 1;
    }
    if (!ok) r->type = SCR_H5_UNKNOWN, r->size = 0;
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
}

static herr_t attribute_take(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    walk *w = context;
    scr_h5_record r = {.kind = SCR_H5_IS_ATTRIBUTE, .type = SCR_H5_UNKNOWN};
    void *payload = NULL;
    hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    if (id >= 0) attribute_read(w, id, &r, &payload);
    put_record(w, &r, name, payload);
    free(payload);
    if (id >= 0) H5Aclose(id);
    return w->failed ? -1 : 0;
}

static void attributes_take(walk *w, hid_t object)
{
    hsize_t at = 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &at, attribute_take, w);
}

/* ---- objects ---- */

static uint32_t scalar_type(hid_t type)
{
    if (H5Tequal(type, H5T_IEEE_F64LE) > 0) return SCR_H5_F64;
    if (H5Tequal(type, H5T_STD_I64LE) > 0) return SCR_H5_I64;
    if (H5Tequal(type, H5T_STD_I32LE) > 0) return SCR_H5_I32;
    if (H5Tequal(type, H5T_IEEE_F32LE) > 0) return SCR_H5_F32;
    return H5Tequal(type, H5T_STD_U8LE) > 0 ? SCR_H5_U8 : SCR_H5_UNKNOWN;
}

static char *text_take(walk *w, hid_t set, hid_t space)
{
    char *text = NULL;
    if (H5Sget_simple_extent_type(space) != H5S_SCALAR ||
        H5Dread(set, w->text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text) < 0)
        return NULL;
    return text_own(text);
}

// filters as we use them: all bytes of one place together, then deflated
static bool is_packed(hid_t list)
{
    unsigned flags;
    size_t values = 0;
    return H5Pget_nfilters(list) == 2 &&
           H5Pget_filter2(list, 0, &flags, &values, NULL, 0, NULL, NULL) == H5Z_FILTER_SHUFFLE &&
           (values = 0, H5Pget_filter2(list, 1, &flags, &values, NULL, 0, NULL, NULL)) == H5Z_FILTER_DEFLATE;
}

// Some versions of the library count addresses of chunks from behind the user block, others from the beginning of the
// file: the bytes tell. Where both places hold the same bytes either will do for this chunk, and the next one is asked.
static int64_t chunk_base(walk *w, hid_t set, const hsize_t *at, haddr_t address, hsize_t size)
{
    if (w->base >= 0) return w->base;
    hsize_t block = 0;
    uint32_t mask;
    hid_t file = H5Iget_file_id(set), list = file < 0 ? -1 : H5Fget_create_plist(file);
    if (list >= 0) H5Pget_userblock(list, &block), H5Pclose(list);
    if (file >= 0) H5Fclose(file);
    char *chunk = size > w->size ? NULL : malloc(2 * size + 1);
    int64_t base = -1;
    int matches = 0;
    if (chunk && H5Dread_chunk(set, H5P_DEFAULT, at, &mask, chunk) >= 0)
        for (int k = 0; k < 2; k++) {
            uint64_t offset = address + (k ? 0 : block);
            if (scr_disk_read(w->fd, offset, chunk + size, size) || memcmp(chunk, chunk + size, size)) continue;
            base = k ? 0 : (int64_t)block;
            matches++;
        }
    if (matches == 1 || !block) w->base = base;
    free(chunk);
    return base;
}

// the places of all chunks in their order, malloc'ed; NULL: they are not ours
static scr_h5_chunk *chunks_take(walk *w, hid_t set, int rank, scr_h5_record *r)
{
    hsize_t shape[2] = {0, 0}, at[2] = {0, 0}, count = 0;
    hid_t list = H5Dget_create_plist(set);
    bool ours = list >= 0 && H5Pget_layout(list) == H5D_CHUNKED && H5Pget_chunk(list, rank, shape) == rank &&
                shape[0] > 0 && (rank == 1 || shape[1] == r->width) && is_packed(list);
    if (list >= 0) H5Pclose(list);
    if (!ours) return NULL;
    r->chunk = shape[0];
    count = scr_h5_chunk_count(r);
    // each chunk has some bytes in the file
    scr_h5_chunk *chunks = count > w->size ? NULL : calloc(count + 1, sizeof *chunks);
    for (hsize_t k = 0; chunks && k < count; k++) {
        unsigned mask = 0;
        haddr_t address = HADDR_UNDEF;
        hsize_t size = 0;
        at[0] = k * r->chunk;
        bool there = H5Dget_chunk_info_by_coord(set, at, &mask, &address, &size) >= 0 && address != HADDR_UNDEF;
        int64_t base = there ? chunk_base(w, set, at, address, size) : -1;
        if (base < 0 || size > UINT32_MAX || (mask & ~2u)) {
            free(chunks);
            return NULL;
        }
        chunks[k] = (scr_h5_chunk){address + (uint64_t)base, (uint32_t)size, !(mask & 2)};
    }
    if (chunks) r->size = count * sizeof *chunks;
    return chunks;
}

static void set_take(walk *w, hid_t set, const char *path)
{
    scr_h5_record r = {.kind = SCR_H5_IS_SET, .width = 1, .offset = SCR_H5_NO_OFFSET};
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    char *text = H5Tequal(type, w->text) > 0 ? text_take(w, set, space) : NULL;
    scr_h5_chunk *chunks = NULL;
    if (text) {
        r.kind = SCR_H5_IS_TEXT, r.size = strlen(text) + 1;
    } else {
        hsize_t shape[2] = {0, 1};
        int rank = H5Sget_simple_extent_ndims(space);
        r.type = scalar_type(type);
        r.flawed = (rank != 1 && rank != 2) || H5Sget_simple_extent_dims(space, shape, NULL) != rank;
        r.rows = shape[0], r.width = shape[1];
        haddr_t offset = H5Dget_offset(set);
        if (offset != HADDR_UNDEF) r.offset = offset;
        if (!r.flawed && offset == HADDR_UNDEF && r.rows) chunks = chunks_take(w, set, rank, &r);
        if (!chunks) r.chunk = 0;
    }
    put_record(w, &r, path, text ? (void *)text : (void *)chunks);
    free(text);
    free(chunks);
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    attributes_take(w, set);
}

static void link_take(walk *w, hid_t group, const char *name, size_t size, const char *path)
{
    scr_h5_record r = {.kind = SCR_H5_IS_OTHER};
    const char *file = NULL, *object;
    char *value = size > 0 && size < 65536 ? malloc(size) : NULL;
    if (value && H5Lget_val(group, name, value, size, H5P_DEFAULT) >= 0 &&
        H5Lunpack_elink_val(value, size, NULL, &file, &object) >= 0) {
        // to a whole file, or to the same dataset in another one
        if (!strcmp(object, "/"))
            r.kind = SCR_H5_IS_LINK, r.size = strlen(file) + 1;
        else if (*object == '/' && !strcmp(object + 1, path))
            r.kind = SCR_H5_IS_SHARED, r.size = strlen(file) + 1;
    }
    put_record(w, &r, path, file);
    free(value);
}

typedef struct {
    walk *walk;
    const char *path;
    int depth;
} place;

static void group_take(walk *w, hid_t group, const char *path, int depth);

static void object_take(walk *w, hid_t group, const char *name, const char *path, int depth)
{
    hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    H5I_type_t type = object < 0 ? H5I_BADID : H5Iget_type(object);
    if (type == H5I_GROUP)
        group_take(w, object, path, depth + 1);
    else if (type == H5I_DATASET)
        set_take(w, object, path);
    else
        put_record(w, &(scr_h5_record){.kind = SCR_H5_IS_OTHER}, path, NULL);
    if (object >= 0) H5Oclose(object);
}

static herr_t name_take(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
    const place *in = context;
    walk *w = in->walk;
    char *path;
    if (asprintf(&path, "%s%s%s", in->path, *in->path ? "/" : "", name) < 0) return -1;
    if (link->type == H5L_TYPE_HARD)
        object_take(w, group, name, path, in->depth);
    else if (link->type == H5L_TYPE_EXTERNAL)
        link_take(w, group, name, link->u.val_size, path);
    else
        put_record(w, &(scr_h5_record){.kind = SCR_H5_IS_OTHER}, path, NULL);
    free(path);
    return w->failed ? -1 : 0;
}

static void group_take(walk *w, hid_t group, const char *path, int depth)
{
    size_t at = w->used;
    put_record(w, &(scr_h5_record){.kind = SCR_H5_IS_GROUP}, path, NULL);
    attributes_take(w, group);
    if (w->failed) return;
    place in = {w, path, depth};
    uint32_t flawed = depth > DEEPEST || H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, name_take, &in) < 0;
    memcpy(w->bytes + at + offsetof(scr_h5_record, flawed), &flawed, sizeof flawed);
}

/* ---- the file ---- */

scree_status scr_h5_walk(int fd, uint64_t size, char **bytes, size_t *length)
{
    scr_h5_disk disk = {.fd = fd, .size = size};
    walk w = {.fd = fd, .base = -1, .text = scr_h5_text_type(), .size = size, .limit = scr_h5_catalogue_limit(size)};
    hid_t access = scr_h5_access(&disk);
    hid_t file = access < 0 ? -1 : H5Fopen("results", H5F_ACC_RDONLY, access);
    hid_t root = file < 0 ? -1 : H5Gopen2(file, "/", H5P_DEFAULT);
    if (root >= 0) group_take(&w, root, "", 0);
    if (root >= 0) H5Gclose(root);
    if (file >= 0) H5Fclose(file);
    if (access >= 0) H5Pclose(access);
    if (w.text >= 0) H5Tclose(w.text);
    *bytes = w.bytes, *length = w.used;
    return root < 0 ? SCREE_E_INPUT : w.failed ? SCREE_E_MEMORY : SCREE_OK;
}
