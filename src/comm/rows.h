/* Rows of tables as bytes: some rows, field by field. */
#ifndef SCREE_COMM_ROWS_H
#define SCREE_COMM_ROWS_H

#include "world/field.h"

/* Rows of the fields that have one of these flags, in the order of `rows`, into `bytes`; where they end. */
char *scr_rows_pack(const scr_table *table, int flags, const uint32_t *rows, size_t count, char *bytes);
/* The same into rows from `first` on. */
const char *scr_rows_unpack(const scr_table *table, int flags, size_t first, size_t count, const char *bytes);

#endif
