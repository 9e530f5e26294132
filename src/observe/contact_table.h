/* The contacts of a frame as a table: columns, and how they are written. Read back with scr_archive_contacts
 * (observe/results.h). */
#ifndef SCREE_OBSERVE_CONTACT_TABLE_H
#define SCREE_OBSERVE_CONTACT_TABLE_H

#include "base/h5.h"
#include "step/stepper.h"
#include "world/world.h"

/* Of one moment; rows as the stepper gives them. */
typedef struct {
    const scr_contact_row *rows;
    size_t count;
} scr_frame_contacts;

typedef struct {
    const char *name, *unit;
    int width;
    bool integer;
    const char *doc;
} scr_contact_column;

/* In the order in which they are shown; ends with a NULL name. */
extern const scr_contact_column scr_contact_columns[];

/* Group /contacts with one dataset per column. The first partner of two grains is the one of the smaller id, and
 * rows are in the order of ids, whatever the order in memory. */
scree_status scr_contact_table_write(scr_h5 *file, const scr_world *world, const scr_frame_contacts *contacts);
/* The same as rows, one for each contact. False when memory is exhausted. */
bool scr_contact_table_fill(const scr_world *world, const scr_frame_contacts *contacts, scree_contact *out);
/* A contact by itself, without its world: ids, wall, what orders those of one wall, and the columns that are numbers,
 * one after the other. */
#define SCR_CONTACT_NUMBERS 21
typedef struct {
    int64_t first, second, wall, face;
    double numbers[SCR_CONTACT_NUMBERS];
} scr_flat_contact;
/* All of them, in the order of rows; and such rows as the group /contacts. They are sorted. */
void scr_contact_table_flatten(const scr_world *world, const scr_frame_contacts *contacts, scr_flat_contact *out);
scree_status scr_contact_table_write_flat(scr_h5 *file, scr_flat_contact *rows, size_t count);
/* Bytes that it takes. */
uint64_t scr_contact_table_size(const scr_frame_contacts *contacts);

#endif
