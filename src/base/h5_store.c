#include "base/h5_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "base/h5_file.h"
#include "base/h5_pack.h"

#define SMALL ((size_t)4096) // [bytes]

// a dataset as it was written last, and the file that has it
typedef struct {
    char name[64], file[64];
    scr_h5_type type;
    int width;
    size_t rows;
    uint64_t digest;
} past;

struct scr_h5_store {
    bool single, compress;
    past *pasts; // a buffer
    size_t past_count;
    scr_h5_packer packer;

    // the dataset that is being written
    char *bytes;             // malloc'ed
    size_t rows, room, used; // room and used in bytes
};

scr_h5_store *scr_h5_store_new(void)
{
    return calloc(1, sizeof(scr_h5_store));
}

void scr_h5_store_free(scr_h5_store *s)
{
    if (!s) return;
    scr_h5_packer_deinit(&s->packer);
    scr_buffer_free(s->pasts);
    free(s->bytes);
    free(s);
}

void scr_h5_store_set(scr_h5_store *s, bool single, bool compress)
{
    s->single = single, s->compress = compress;
}

scree_status scr_h5_store_use(scr_h5 *file, scr_h5_store *store)
{
    if (file->status) return file->status;
    // the pointer itself, not what is behind it
    if (file->queue) return scr_h5_tell(file, &(scr_h5_words){SCR_H5_SAY_STORE, .data = store});
    file->store = store;
    return SCREE_OK;
}

void scr_h5_store_forget(scr_h5_store *s, const char *name)
{
    size_t kept = 0;
    for (size_t k = 0; k < s->past_count; k++)
        if (strcmp(s->pasts[k].file, name)) s->pasts[kept++] = s->pasts[k];
    s->past_count = kept;
}

/* ---- collecting a dataset ---- */

static scr_h5_type stored_type(const scr_h5_store *s, scr_h5_type type)
{
    return s->single && type == SCR_H5_F64 ? SCR_H5_F32 : type;
}

static size_t stored_row(const scr_h5_store *s, const scr_h5_set *set)
{
    return (size_t)set->width * scr_h5_scalar_size(stored_type(s, set->type));
}

scree_status scr_h5_store_begin(scr_h5 *file, const scr_h5_set *set, size_t rows)
{
    scr_h5_store *s = file->store;
    size_t size = rows * stored_row(s, set);
    s->rows = rows, s->used = 0;
    if (size > s->room || !s->bytes) {
        free(s->bytes);
        s->bytes = malloc(size + 1);
        s->room = s->bytes ? size : 0;
    }
    return s->bytes ? SCREE_OK : (file->status = scr_h5_no_memory(file, set->name));
}

void scr_h5_store_block(scr_h5 *file, const scr_h5_set *set, size_t count, const void *block)
{
    scr_h5_store *s = file->store;
    size_t numbers = count * (size_t)set->width;
    char *to = s->bytes + s->used;
    s->used += count * stored_row(s, set);
    if (stored_type(s, set->type) == set->type) {
        scr_copy(to, block, numbers * scr_h5_scalar_size(set->type));
        return;
    }
    const double *from = block;
    for (size_t k = 0; k < numbers; k++) ((float *)to)[k] = (float)from[k];
}

/* ---- writing it ---- */

// in four lanes, which a processor works on at the same time
static uint64_t digest_of(const char *bytes, size_t size)
{
    uint64_t lanes[4] = {1, 2, 3, 4}, words[4];
    size_t at = 0;
    for (; at + sizeof words <= size; at += sizeof words) {
        memcpy(words, bytes + at, sizeof words);
        for (int k = 0; k < 4; k++) lanes[k] = scr_digest_mix(lanes[k], words[k]);
    }
    return scr_digest_bytes(scr_digest_bytes(SCR_DIGEST_START, lanes, sizeof lanes), bytes + at, size - at);
}

static const char *name_of(const scr_h5 *file)
{
    const char *slash = strrchr(file->path, '/');
    return slash ? slash + 1 : file->path;
}

// the same dataset in an earlier file; NULL: none, and from now on it is this file's
static const past *find(scr_h5 *file, const scr_h5_set *set)
{
    scr_h5_store *s = file->store;
    past now = {.type = set->type, .width = set->width, .rows = s->rows, .digest = digest_of(s->bytes, s->used)};
    const char *name = set->name + (*set->name == '/'), *own = name_of(file);
    if (strlen(name) >= sizeof now.name || strlen(own) >= sizeof now.file) return NULL;
    strcpy(now.name, name), strcpy(now.file, own);
    size_t k = 0;
    while (k < s->past_count && strcmp(s->pasts[k].name, name)) k++;
    past *old = k < s->past_count ? &s->pasts[k] : NULL;
    if (old && old->type == now.type && old->width == now.width && old->rows == now.rows && old->digest == now.digest)
        return old;
    if (old)
        *old = now;
    else if (!scr_push(s->pasts, s->past_count, now))
        return NULL; // without memory it is written again
    return NULL;
}

static bool link_write(scr_h5 *file, const past *old)
{
    char object[80];
    snprintf(object, sizeof object, "/%s", old->name);
    hid_t links = scr_h5_link_list();
    bool ok = H5Lcreate_external(old->file, object, file->id, object, links, H5P_DEFAULT) >= 0;
    H5Pclose(links);
    return ok;
}

static bool whole_write(scr_h5 *file, const scr_h5_set *set)
{
    scr_h5_store *s = file->store;
    hid_t id = scr_h5_set_create(file, set, s->rows, 0);
    bool ok = id >= 0 && (!s->rows || scr_h5_block_write(id, set, 0, s->rows, s->bytes));
    return id >= 0 && H5Dclose(id) >= 0 && ok;
}

// the last chunk is as long as the others: what is behind its rows is zero
static bool chunk_write(scr_h5 *file, hid_t id, const scr_h5_set *set, size_t first, size_t chunk, char *padded)
{
    scr_h5_store *s = file->store;
    size_t scalar = scr_h5_scalar_size(set->type), row = (size_t)set->width * scalar;
    size_t count = s->rows - first < chunk ? s->rows - first : chunk;
    const char *bytes = s->bytes + first * row;
    if (count < chunk) {
        memcpy(padded, bytes, count * row);
        memset(padded + count * row, 0, (chunk - count) * row);
        bytes = padded;
    }
    bool deflated, noisy = set->type == SCR_H5_F64 || set->type == SCR_H5_F32;
    size_t size = scr_h5_pack(&s->packer, bytes, chunk * row, scalar, noisy, &deflated);
    // a bit for each filter that was not used: the second one deflates
    return size &&
           H5Dwrite_chunk(id, H5P_DEFAULT, deflated ? 0 : 2, (hsize_t[]){first, 0}, size, s->packer.packed) >= 0;
}

static bool chunks_write(scr_h5 *file, const scr_h5_set *set)
{
    scr_h5_store *s = file->store;
    size_t chunk = s->rows < SCR_H5_BLOCK ? s->rows : SCR_H5_BLOCK;
    char *padded = malloc(chunk * (size_t)set->width * scr_h5_scalar_size(set->type));
    hid_t id = padded ? scr_h5_set_create(file, set, s->rows, chunk) : -1;
    bool ok = id >= 0;
    for (size_t first = 0; ok && !file->disk.error && first < s->rows; first += chunk)
        ok = chunk_write(file, id, set, first, chunk, padded);
    free(padded);
    return id >= 0 && H5Dclose(id) >= 0 && ok;
}

bool scr_h5_store_end(scr_h5 *file, const scr_h5_set *given, bool *linked)
{
    scr_h5_store *s = file->store;
    scr_h5_set set = *given;
    set.type = stored_type(s, set.type);
    bool large = s->used >= SMALL;
    const past *old = large ? find(file, &set) : NULL;
    *linked = old != NULL;
    if (old) return link_write(file, old);
    return large && s->compress ? chunks_write(file, &set) : whole_write(file, &set);
}
