/* Passes over all rows that end in one result: smallest, largest, sums, whether any.
 *
 * Rows are taken in parts that depend on their number alone, and the results of parts are joined in their order: so a
 * sum has the same bits for any number of threads. But not for any division of a world among ranks: there, results are
 * such that have no order (see world/blocks.h). */
#ifndef SCREE_EXEC_REDUCE_H
#define SCREE_EXEC_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#define SCR_REDUCE_MOST 1024 /* bytes of a result */

/* The result of rows [from, to): `part` begins as what `all` was. */
typedef void scr_reduce_part(void *context, size_t from, size_t to, void *part);
/* Takes the result of the next part into that of all before. */
typedef void scr_reduce_join(void *all, const void *part);

/* `all`, of `size` bytes, is at first the result of no rows at all. Small tables are done by the caller alone. */
void scr_reduce(size_t rows, scr_reduce_part *work, scr_reduce_join *join, void *context, void *all, size_t size);

/* Whether any rows say so: `part` is a bool. */
bool scr_reduce_any(size_t rows, scr_reduce_part *work, void *context);

/* Rows [from, to) of a pass that has no result. */
typedef void scr_rows_work(void *context, size_t from, size_t to);
void scr_each_rows(size_t rows, scr_rows_work *work, void *context);

#endif
