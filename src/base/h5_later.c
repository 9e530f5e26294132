/* Files that are written later (base/h5.h): each call becomes a job with a copy of what it was given, and the job makes
 * the same call on the file itself. So the same calls in the same order make the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/h5_file.h"

typedef struct {
    scr_job job;
    scr_h5 **file;
    scr_h5_words words;
    _Alignas(8) char copies[]; // of data, then of texts
} note;

static void attribute_set(scr_h5 *file, const scr_h5_words *w)
{
    if (w->text)
        scr_h5_set_text(file, w->set.name, w->attribute, w->text);
    else if (w->set.type == SCR_H5_F64)
        scr_h5_set_f64(file, w->set.name, w->attribute, w->data, (int)w->rows);
    else
        scr_h5_set_i64(file, w->set.name, w->attribute, w->data, (int)w->rows);
}

static void apply(scr_h5 *file, scr_h5_words *w)
{
    switch (w->what) {
    case SCR_H5_SAY_GROUP: scr_h5_group(file, w->set.name); break;
    case SCR_H5_SAY_BEGIN: scr_h5_set_begin(file, &w->set, w->rows); break;
    case SCR_H5_SAY_BLOCK: scr_h5_set_block(file, &w->set, w->rows, w->data); break;
    case SCR_H5_SAY_END: scr_h5_set_end(file, &w->set); break;
    case SCR_H5_SAY_ORDER: scr_h5_order(file, w->data, w->rows); break;
    case SCR_H5_SAY_COLUMN: scr_h5_write_column(file, &w->set, w->rows, w->given), w->given = NULL; break;
    case SCR_H5_SAY_TEXT: scr_h5_write_text(file, w->set.name, w->text); break;
    case SCR_H5_SAY_LINK: scr_h5_write_link(file, w->set.name, w->text); break;
    case SCR_H5_SAY_ATTRIBUTE: attribute_set(file, w); break;
    case SCR_H5_SAY_STORE: scr_h5_store_use(file, (scr_h5_store *)w->data); break;
    }
}

// the file remembers its first failure, and reports it when it is finished
static void note_do(scr_job *job)
{
    note *n = (note *)job;
    if (*n->file) apply(*n->file, &n->words);
    free(n->words.given);
}

static size_t length(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *copied(char **at, const char *text)
{
    if (!text) return NULL;
    const char *copy = *at;
    *at = stpcpy(*at, text) + 1;
    return copy;
}

scree_status scr_h5_tell(scr_h5 *file, const scr_h5_words *w)
{
    size_t data = w->data ? w->size : 0, texts = length(w->set.name) + length(w->set.unit) + length(w->set.doc) +
                                                 length(w->attribute) + length(w->text);
    note *n = file->status ? NULL : malloc(sizeof *n + data + texts);
    if (!n) {
        free(w->given);
        return file->status ? file->status : (file->status = scr_h5_no_memory(file, "what is written"));
    }
    size_t size = sizeof *n + data + texts + (w->given ? w->size : 0);
    *n = (note){.job = {.run = note_do, .size = size}, .file = file->later, .words = *w};
    char *at = n->copies + data;
    if (data) n->words.data = memcpy(n->copies, w->data, data);
    n->words.set.name = copied(&at, w->set.name);
    n->words.set.unit = copied(&at, w->set.unit);
    n->words.set.doc = copied(&at, w->set.doc);
    n->words.attribute = copied(&at, w->attribute);
    n->words.text = copied(&at, w->text);
    scr_queue_push(file->queue, &n->job);
    return SCREE_OK;
}

scr_h5 *scr_h5_later(const char *path, scr_queue *queue, scr_h5 **later, scree_report *report)
{
    scr_h5 *file = scr_h5_handle(path, report);
    if (!file) return NULL;
    file->queue = queue;
    file->later = later;
    return file;
}
