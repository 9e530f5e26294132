#include "exec/reduce.h"

#include <assert.h>
#include <string.h>

#include "exec/cpu/threads.h"

#define PARTS 64   /* at most */
#define LEAST 1024 /* rows of a part: less is not worth a thread */

// rows of a part: as many in each, but the last
static size_t rows_of_part(size_t rows)
{
    size_t part = (rows + PARTS - 1) / PARTS;
    return part < LEAST ? LEAST : part;
}

typedef struct {
    scr_reduce_part *work;
    void *context;
    size_t rows, part, size;
    char (*results)[SCR_REDUCE_MOST];
} job;

static void do_part(void *context, size_t index)
{
    const job *j = context;
    size_t from = index * j->part, to = from + j->part < j->rows ? from + j->part : j->rows;
    j->work(j->context, from, to, j->results ? j->results[index] : NULL);
}

void scr_reduce(size_t rows, scr_reduce_part *work, scr_reduce_join *join, void *context, void *all, size_t size)
{
    assert(size <= SCR_REDUCE_MOST);
    if (!rows) return;
    size_t part = rows_of_part(rows), count = (rows + part - 1) / part;
    _Alignas(64) char results[PARTS][SCR_REDUCE_MOST];
    for (size_t k = 0; k < count; k++) memcpy(results[k], all, size);
    scr_each(count, NULL, do_part, &(job){work, context, rows, part, size, results});
    for (size_t k = 0; k < count; k++) join(all, results[k]);
}

static void join_any(void *all, const void *part)
{
    *(bool *)all |= *(const bool *)part;
}

bool scr_reduce_any(size_t rows, scr_reduce_part *work, void *context)
{
    bool any = false;
    scr_reduce(rows, work, join_any, context, &any, sizeof any);
    return any;
}

typedef struct {
    scr_rows_work *work;
    void *context;
} pass;

static void do_rows(void *context, size_t from, size_t to, void *part)
{
    (void)part;
    const pass *p = context;
    p->work(p->context, from, to);
}

void scr_each_rows(size_t rows, scr_rows_work *work, void *context)
{
    size_t part = rows_of_part(rows), count = (rows + part - 1) / part;
    scr_each(count, NULL, do_part, &(job){do_rows, &(pass){work, context}, rows, part, 0, NULL});
}
