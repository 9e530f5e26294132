/* HDF5 files as Scree writes and reads them: whole, verified, or not at all.
 *
 * Writing goes to `PATH.tmp`, which scr_h5_finish renames to PATH when everything is on disk; an
 * error on the way removes it and leaves whatever was at PATH alone. The first 512 bytes (HDF5's
 * user block) hold a short text with the file's kind, length and digest, which reading checks against
 * the bytes. That tells damage. It does not tell forgery, and HDF5 1.10 is not safe against
 * either: files are read without the library, from a catalogue that a child process without rights
 * makes when the file is opened (base/h5_catalogue.h). Other programs simply find an HDF5 file.
 *
 * The functions that write remember the first failure: after it they do nothing and return its
 * status, so that a caller may write everything and look only at what scr_h5_finish returns. The
 * functions that read check type, rank and size against what is expected, and against the length of
 * the file, before anything is allocated. Every message names the file and the object. Not for use
 * by several threads: opening forks, and no other thread may be in the HDF5 library then. A thread that goes on while
 * another one writes uses scr_h5_later, and opens no file meanwhile. */
#ifndef SCREE_BASE_H5_H
#define SCREE_BASE_H5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/queue.h"
#include "base/status.h"

typedef struct scr_h5 scr_h5;

typedef enum { SCR_H5_F64, SCR_H5_I64, SCR_H5_I32, SCR_H5_U8, SCR_H5_F32 } scr_h5_type;

/* A dataset: `rows` rows of `width` scalars; one-dimensional when width is 1. */
typedef struct {
    const char *name; /* path from the root; groups on the way are made */
    scr_h5_type type;
    int width;
    const char *unit, *doc; /* its attributes; NULL: none */
} scr_h5_set;

/* ---- writing ---- */

/* NULL with a message when the file cannot be made. `report` must live until finish or discard. */
scr_h5 *scr_h5_create(const char *path, scree_report *report);
/* Closes, seals with kind and note (short words, no line breaks), renames; frees `file` in any
 * case. *digest may be NULL. */
scree_status scr_h5_finish(scr_h5 *file, const char *kind, const char *note, uint64_t *digest);
/* The same in two steps, for a caller with something to do when all is on disk and only the rename
 * is left. After a seal comes place, which frees `file` in any case, or discard. */
scree_status scr_h5_seal(scr_h5 *file, const char *kind, const char *note);
scree_status scr_h5_place(scr_h5 *file);
/* Gives up: removes what was written, frees `file`. NULL is fine. */
void scr_h5_discard(scr_h5 *file);

/* A file that jobs write later: all that is written to it is copied, and done by jobs of `queue` on *file, which other
 * jobs before and behind these create and finish; where that is NULL then, nothing is done. Ends with scr_h5_close.
 * What fails here is memory alone; what fails later is known to *file. NULL with a message: no memory. */
scr_h5 *scr_h5_later(const char *path, scr_queue *queue, scr_h5 **file, scree_report *report);

scree_status scr_h5_group(scr_h5 *file, const char *name);
scree_status scr_h5_write(scr_h5 *file, const scr_h5_set *set, size_t rows, const void *data);
/* The same in blocks that `fill` makes one after the other, so that no whole copy is needed. */
typedef void scr_h5_fill(const void *context, size_t first, size_t count, void *block);
scree_status scr_h5_write_blocks(scr_h5 *file, const scr_h5_set *set, size_t rows, scr_h5_fill *fill,
                                 const void *context);
/* Columns are written in the order of keys, smallest first: scr_h5_order says them once, for all columns of this file,
 * each of which has as many rows. `data` is malloc'ed and the file's from now on. */
scree_status scr_h5_order(scr_h5 *file, const int64_t *keys, size_t count);
scree_status scr_h5_write_column(scr_h5 *file, const scr_h5_set *set, size_t rows, void *data);
scree_status scr_h5_write_text(scr_h5 *file, const char *name, const char *text);
/* A link to the root of another file; `target` is relative to this file's folder. */
scree_status scr_h5_write_link(scr_h5 *file, const char *name, const char *target);

/* Attributes of an existing object ("/" is the file itself); count 1 gives a scalar. */
scree_status scr_h5_set_text(scr_h5 *file, const char *object, const char *name, const char *text);
/* ASCII of fixed length, for readers that know no other; not for a file that is written later. */
scree_status scr_h5_set_word(scr_h5 *file, const char *object, const char *name, const char *word);
scree_status scr_h5_set_f64(scr_h5 *file, const char *object, const char *name, const double *values, int count);
scree_status scr_h5_set_i64(scr_h5 *file, const char *object, const char *name, const int64_t *values, int count);

/* ---- reading ---- */

/* The child process that makes catalogues (base/h5_reader.h): begins as zeros, ends with
 * scr_h5_reader_end, serves any number of files of one author in between. */
typedef struct {
    int pid, owner; /* 0: there is none */
    int socket, served;
    int how;       /* the last one ended, as waitpid tells it */
    uint64_t size; /* of the largest file it may read [bytes] */
} scr_h5_reader;
void scr_h5_reader_end(scr_h5_reader *reader);

/* Opens a file of this kind after checking its length and digest; NULL with a message. All that is
 * read later is of the bytes that were checked, also when the file is replaced meanwhile. `reader` NULL: a child for
 * this file alone. */
scr_h5 *scr_h5_open(const char *path, const char *kind, scr_h5_reader *reader, scree_report *report);
/* The same without a look at the digest, of a file that another process opens too, and looks. */
scr_h5 *scr_h5_open_unread(const char *path, const char *kind, scree_report *report);
/* Only the checks of kind, length and digest; *digest may be NULL. */
scree_status scr_h5_verify(const char *path, const char *kind, uint64_t *digest, scree_report *report);
void scr_h5_close(scr_h5 *file);
/* Where later messages go; a report must outlive its use here. */
void scr_h5_report_to(scr_h5 *file, scree_report *report);
uint64_t scr_h5_digest(const scr_h5 *file);
uint64_t scr_h5_size(const scr_h5 *file); /* bytes on disk */
/* Says that `object` is not as it must be; returns the status for it. */
scree_status scr_h5_wrong(const scr_h5 *file, const char *object, const char *what);
/* Says that memory is exhausted, while reading or writing; returns the status for it. */
scree_status scr_h5_no_memory(const scr_h5 *file, const char *object);
/* Refuses a file whose attribute format_version is not in [1, known]. */
scree_status scr_h5_version_check(const scr_h5 *file, int64_t known);

/* Whether the file at `path` says that it is of this kind (its contents are not looked at), with
 * its note in `note` (SCR_H5_NOTE bytes; may be NULL). */
#define SCR_H5_NOTE 256
bool scr_h5_peek(const char *path, const char *kind, char *note);

/* The shape of a dataset of a known scalar type; refuses more bytes than the file can hold. */
scree_status scr_h5_shape(const scr_h5 *file, const char *name, scr_h5_type *type, size_t *rows, int *width);
/* Reads a dataset that must have exactly this type, width and number of rows. */
scree_status scr_h5_read(const scr_h5 *file, const scr_h5_set *set, size_t rows, void *data);
/* The same, but only `count` rows from `first` on. */
scree_status scr_h5_read_rows(const scr_h5 *file, const scr_h5_set *set, size_t rows, size_t first, size_t count,
                              void *data);
/* All rows, converting any scalar type to doubles. */
scree_status scr_h5_read_f64(const scr_h5 *file, const char *name, size_t rows, int width, double *data);
/* Text is malloc'ed for the caller, and tamed (base/text.h): names are one line, texts and attributes may
 * have several. Only the target of a link is as it stands in the file. */
scree_status scr_h5_read_text(const scr_h5 *file, const char *name, char **text);
scree_status scr_h5_read_link(const scr_h5 *file, const char *name, char **target);
scree_status scr_h5_get_text(const scr_h5 *file, const char *object, const char *name, char **text);
scree_status scr_h5_get_f64(const scr_h5 *file, const char *object, const char *name, double *values, int count);
scree_status scr_h5_get_i64(const scr_h5 *file, const char *object, const char *name, int64_t *values, int count);

/* Whether there is an object of this path. */
bool scr_h5_has(const scr_h5 *file, const char *path);
/* Names of the files whose datasets this one shares, as they stand in it: NULL at the end, malloc'ed as one block for
 * the caller. Each must be attached before such a dataset is read; `other` must outlive the reading. */
scree_status scr_h5_shared(const scr_h5 *file, char ***names, int *count);
scree_status scr_h5_attach(scr_h5 *file, const char *name, scr_h5 *other);
/* The name of the file whose dataset this one shares; NULL: it is its own. */
const char *scr_h5_home(const scr_h5 *file, const char *path);

/* Names in a group, sorted, NULL at the end, malloc'ed as one block for the caller; only datasets
 * when asked so. */
scree_status scr_h5_list(const scr_h5 *file, const char *group, bool sets_only, char ***names, int *count);

/* GROUP/NAME as a path, with what HDF5 would misread in a name ('/', a lone '.', '%') written as
 * %XX; malloc'ed for the caller, NULL when memory is exhausted. */
char *scr_h5_path(const char *group, const char *name);

#endif
