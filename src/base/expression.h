/* Small arithmetic on numbers and lists of numbers, for scenes (`radius: =R/ratio`), sweeps and
 * cases (`last(deg(atan2(fine.y, fine.z)) where fine.fz > 0)`).
 *
 *   numbers and names     2.5e-3   pi   ratio   fine.x   grains.position.z(1.5)
 *   arithmetic            + - * / ^, and - before a value; ^ binds tighter than that -
 *   comparison, logic     < <= > >= == != and or not; true is 1
 *   rows that fulfil      x where condition
 *   value by value        sin cos tan asin acos atan atan2 sqrt abs exp log log10 floor ceil round
 *                         deg rad hypot, min and max of two, if(condition, a, b)
 *   list to number        first last min max mean std sum count (of true rows) rows median
 *                         at(x, time) when(condition) crossing(x, level) integral(x) slope(y, x)
 *   numbers to list       range(from, to, count)
 *   list to list          tops(x, y, z, cell): 1 where z is the largest of its square cell, seen from above
 *                         interpolate(x, xs, ys): y at x, linear between rows whose xs rise
 *                         below(x, xs): how many of xs lie below x
 *
 * A list belongs to rows of a table, and remembers their times where there are some: at, when,
 * crossing and integral use them. Lists of different lengths do not mix. A reduction of no rows is
 * not-a-number. */
#ifndef SCREE_BASE_EXPRESSION_H
#define SCREE_BASE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    bool list;
    double number;              /* of a plain number */
    const double *rows, *times; /* of a list; times NULL: none */
    size_t count;
} scr_operand;

/* What names mean. `argument` is the number in brackets after the name, NULL when there is none.
 * What is found stays the owner's and must last until the evaluation ends. On failure `why` says
 * why, worded to stand alone. */
typedef struct {
    bool (*find)(void *context, const char *name, const double *argument, scr_operand *found, char *why,
                 size_t why_size);
    void *context;
    /* The unit that `text`, after a number, begins with: its length, 0 for none, and the factor of the number. NULL:
     * there are no units. */
    bool (*unit)(void *context, const char *text, size_t *length, double *factor, char *why, size_t why_size);
} scr_names;

#define SCR_EXPRESSION_WHY 240 /* good size for `why` */

/* The value of the text, which must be one number. On failure false, and `why` says why. */
bool scr_expression_number(const char *text, const scr_names *names, double *value, char *why, size_t why_size);

/* The value of the text, a number or a list; *rows (malloc'ed, NULL for a number) and *times (the
 * same, NULL where there are none) belong to the caller. */
bool scr_expression_value(const char *text, const scr_names *names, scr_operand *value, double **rows, double **times,
                          char *why, size_t why_size);

#endif
