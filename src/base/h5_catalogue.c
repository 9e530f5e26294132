#include "base/h5_catalogue.h"

#include <stdlib.h>
#include <string.h>

/* ---- taking a catalogue apart; nothing in it is believed ---- */

// the record at `at`, which moves behind it; false when it is not one
static bool record_take(const char *bytes, size_t size, size_t *at, scr_h5_object *o)
{
    size_t left = size - *at;
    if (left < sizeof o->is) return false;
    memcpy(&o->is, bytes + *at, sizeof o->is);
    left -= sizeof o->is;
    if (o->is.kind > SCR_H5_IS_ATTRIBUTE || o->is.type > SCR_H5_UNKNOWN) return false;
    if (o->is.name_size >= left || o->is.size > left - o->is.name_size - 1) return false;
    o->name = bytes + *at + sizeof o->is;
    o->payload = o->name + o->is.name_size + 1;
    *at += sizeof o->is + o->is.name_size + 1 + (size_t)o->is.size;
    return memchr(o->name, 0, o->is.name_size + 1) == o->name + o->is.name_size;
}

static bool is_text(const scr_h5_object *o)
{
    return o->is.kind == SCR_H5_IS_TEXT || o->is.kind == SCR_H5_IS_LINK || o->is.kind == SCR_H5_IS_SHARED ||
           (o->is.kind == SCR_H5_IS_ATTRIBUTE && o->is.type == SCR_H5_TEXT);
}

// payloads as their kind needs them: a text ends with its only zero, numbers are as many as said
static bool payload_fits(const scr_h5_object *o)
{
    size_t size = (size_t)o->is.size;
    if (is_text(o)) return size > 0 && memchr(o->payload, 0, size) == o->payload + size - 1;
    if (o->is.kind == SCR_H5_IS_ATTRIBUTE && o->is.type <= SCR_H5_I64) return size % 8 == 0 && o->is.rows == size / 8;
    if (o->is.kind == SCR_H5_IS_SET && o->is.chunk)
        return size % sizeof(scr_h5_chunk) == 0 && scr_h5_chunk_count(&o->is) == size / sizeof(scr_h5_chunk);
    return size == 0;
}

static bool add(scr_h5_object **objects, size_t *count, size_t *room, const scr_h5_object *o)
{
    if (*count == *room) {
        size_t more = 2 * *room + 64;
        scr_h5_object *grown = realloc(*objects, more * sizeof *grown);
        if (!grown) return false;
        *objects = grown, *room = more;
    }
    (*objects)[(*count)++] = *o;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const scr_h5_object *)a)->name, ((const scr_h5_object *)b)->name);
}

static scree_status take_apart(scr_h5_catalogue *c, size_t size)
{
    size_t rooms[2] = {0};
    for (size_t at = 0; at < size;) {
        scr_h5_object o = {0};
        if (!record_take(c->bytes, size, &at, &o) || !payload_fits(&o)) return SCREE_E_INPUT;
        bool attribute = o.is.kind == SCR_H5_IS_ATTRIBUTE;
        if (attribute && !c->object_count) return SCREE_E_INPUT;
        o.attribute = c->attribute_count;
        if (!(attribute ? add(&c->attributes, &c->attribute_count, &rooms[0], &o)
                        : add(&c->objects, &c->object_count, &rooms[1], &o)))
            return SCREE_E_MEMORY;
        if (attribute) c->objects[c->object_count - 1].attribute_count++;
    }
    if (c->object_count) qsort(c->objects, c->object_count, sizeof *c->objects, by_name);
    return SCREE_OK;
}

scree_status scr_h5_catalogue_init(scr_h5_catalogue *c, char *bytes, size_t size)
{
    *c = (scr_h5_catalogue){.bytes = bytes};
    scree_status status = take_apart(c, size);
    if (status) scr_h5_catalogue_deinit(c);
    return status;
}

void scr_h5_catalogue_deinit(scr_h5_catalogue *c)
{
    free(c->bytes), free(c->objects), free(c->attributes);
    *c = (scr_h5_catalogue){0};
}

/* ---- questions ---- */

const scr_h5_object *scr_h5_object_find(const scr_h5_catalogue *c, const char *path)
{
    scr_h5_object key = {.name = path + (*path == '/')};
    return c->object_count ? bsearch(&key, c->objects, c->object_count, sizeof key, by_name) : NULL;
}

const scr_h5_object *scr_h5_attribute_find(const scr_h5_catalogue *c, const char *path, const char *name)
{
    const scr_h5_object *o = scr_h5_object_find(c, path);
    for (size_t k = 0; o && k < o->attribute_count; k++)
        if (!strcmp(c->attributes[o->attribute + k].name, name)) return &c->attributes[o->attribute + k];
    return NULL;
}
