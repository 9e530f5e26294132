/* A test program's few words: CHECK, CHECK_NEAR, CHECK_INT, CHECK_TEXT, and a last line that
 * counts. Comparisons are in double precision, print both values, and fail on NaN. */
#ifndef SCREE_TESTS_CHECK_H
#define SCREE_TESTS_CHECK_H

#include <math.h>
#include <stdio.h>
#include <string.h>

static int check_passed, check_failed;

static inline void check_report(int ok, const char *file, int line, const char *text)
{
    if (ok) {
        check_passed++;
        return;
    }
    check_failed++;
    printf("%s:%d: failed: %s\n", file, line, text);
}

static inline void check_near(double got, double want, double tol, const char *file, int line, const char *text)
{
    char note[512];
    snprintf(note, sizeof note, "%s is %.17g, expected %.17g within %g (off by %g)", text, got, want, tol,
             fabs(got - want));
    check_report(fabs(got - want) <= tol, file, line, note);
}

#define CHECK(condition)           check_report((condition) ? 1 : 0, __FILE__, __LINE__, #condition)
#define CHECK_NEAR(got, want, tol) check_near((got), (want), (tol), __FILE__, __LINE__, #got)
#define CHECK_INT(got, want)                                                                          \
    do {                                                                                              \
        long long check_g = (long long)(got), check_w = (long long)(want);                            \
        char check_note[256];                                                                         \
        snprintf(check_note, sizeof check_note, "%s is %lld, expected %lld", #got, check_g, check_w); \
        check_report(check_g == check_w, __FILE__, __LINE__, check_note);                             \
    } while (0)
#define CHECK_TEXT(got, want)                                                                                    \
    do {                                                                                                         \
        const char *check_g = (got), *check_w = (want);                                                          \
        char check_note[1024];                                                                                   \
        snprintf(check_note, sizeof check_note, "%s is '%s', expected '%s'", #got, check_g ? check_g : "(null)", \
                 check_w);                                                                                       \
        check_report(check_g && !strcmp(check_g, check_w), __FILE__, __LINE__, check_note);                      \
    } while (0)

/* The larger of two errors; one that is not a number is the worst, where fmax would drop it. */
static inline double check_worse(double worst, double next)
{
    return next > worst || isnan(next) ? next : worst;
}

/* The smaller of two; not a number where one is none, as above. */
static inline double check_lesser(double least, double next)
{
    return next < least || isnan(next) ? next : least;
}

static inline int check_done(void)
{
    printf("%d passed, %d failed\n", check_passed, check_failed);
    return check_failed > 0 || check_passed == 0;
}

#endif
