/* Expressions: values, lists, reductions, and what is refused. */
#include "base/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const double times[] = {0, 1, 2, 3}, x[] = {5, 3, 1, -1}, y[] = {1, 4, 9, 16};

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why,
                 size_t why_size)
{
    (void)context;
    if (!strcmp(name, "ratio") && !argument) return *found = (scr_operand){.number = 7}, true;
    if (!strcmp(name, "twice") && argument) return *found = (scr_operand){.number = 2 * *argument}, true;
    const double *rows = !strcmp(name, "fine.x") ? x : !strcmp(name, "fine.y") ? y : NULL;
    if (rows) return *found = (scr_operand){true, 0, rows, times, 4}, true;
    if (!strcmp(name, "cells")) return *found = (scr_operand){true, 0, y, NULL, 3}, true;
    snprintf(why, why_size, "nothing is called '%s'", name);
    return false;
}

static const scr_names names = {.find = find, .context = NULL};

static double value(const char *text)
{
    char why[SCR_EXPRESSION_WHY] = "";
    double v;
    if (scr_expression_number(text, &names, &v, why, sizeof why)) return v;
    printf("%s: %s\n", text, why);
    CHECK(!"evaluates");
    return NAN;
}

static void refused(const char *text, const char *part)
{
    char why[SCR_EXPRESSION_WHY] = "";
    double v;
    CHECK(!scr_expression_number(text, &names, &v, why, sizeof why));
    if (!strstr(why, part)) printf("%s: '%s' lacks '%s'\n", text, why, part);
    CHECK(strstr(why, part) != NULL);
}

static void test_numbers(void)
{
    CHECK_NEAR(value("1 + 2*3 - 4/8"), 6.5, 0);
    CHECK_NEAR(value("-2^2"), -4, 0);
    CHECK_NEAR(value("2^-1"), 0.5, 0);
    CHECK_NEAR(value("2^3^2"), 512, 0);
    CHECK_NEAR(value("(1 + 2)*3"), 9, 0);
    CHECK_NEAR(value("8 - 3 - 2"), 3, 0);
    CHECK_NEAR(value("1.5e-3*2E3"), 3, 1e-15);
    CHECK_NEAR(value(".5 + 1."), 1.5, 0);
    CHECK_NEAR(value("deg(atan2(1, 1)) + rad(180)/pi"), 46, 1e-13);
    CHECK_NEAR(value("1/(sqrt(1+0.6^2)-1)"), 1 / (sqrt(1.36) - 1), 1e-13);
    CHECK_NEAR(value("hypot(3, 4) + max(1, 2) + min(1, 2)"), 8, 0);
    CHECK_NEAR(value("if(ratio > 5, 1, 2)"), 1, 0);
    CHECK_NEAR(value("twice(ratio)"), 14, 0);
    CHECK_NEAR(value("1 < 2 and not 2 <= 1 or 0"), 1, 0);
    CHECK_NEAR(value("3 != 3"), 0, 0);
}

static void test_lists(void)
{
    CHECK_NEAR(value("last(fine.x)"), -1, 0);
    CHECK_NEAR(value("first(fine.x + fine.y)"), 6, 0);
    CHECK_NEAR(value("max(2*fine.y - 1)"), 31, 0);
    CHECK_NEAR(value("mean(fine.x)"), 2, 0);
    CHECK_NEAR(value("median(fine.y)"), 6.5, 0);
    CHECK_NEAR(value("std(fine.x)"), sqrt(20.0 / 3), 1e-15);
    CHECK_NEAR(value("count(fine.x > 0)"), 3, 0);
    CHECK_NEAR(value("rows(fine.x where fine.x > 0)"), 3, 0);
    CHECK_NEAR(value("last(fine.y where fine.x > 0)"), 9, 0);
    CHECK_NEAR(value("when(fine.x < 2)"), 2, 0);
    CHECK_NEAR(value("crossing(fine.x, 0)"), 2.5, 0);
    CHECK_NEAR(value("at(fine.y, 1.5)"), 6.5, 0);
    CHECK_NEAR(value("at(fine.y where fine.y > 2, 1)"), 4, 0);
    CHECK_NEAR(value("integral(fine.x)"), 6, 0);
    CHECK_NEAR(value("slope(fine.x, 2*at(fine.y, 0)*fine.x)"), 0.5, 1e-15);
    CHECK_NEAR(value("sum(range(1, 3, 5))"), 10, 0);
    CHECK_NEAR(value("interpolate(1.25, range(0, 4, 5), range(0, 4, 5)^2)"), 1 + 0.25 * 3, 0);
    CHECK_NEAR(value("interpolate(4, range(0, 4, 5), range(0, 4, 5)^2)"), 16, 0);
    CHECK_NEAR(value("crossing(interpolate(fine.y, range(0, 20, 5), range(-10, 10, 5)), 0)"),
               value("crossing(fine.y, 10)"), 1e-15);
    // cells 0, 0 1, 1 2, 2: the highest of each
    CHECK_NEAR(value("below(2, range(4, 0, 5))"), 2, 0);
    CHECK_NEAR(value("below(9, range(4, 0, 5))"), 5, 0);
    CHECK_NEAR(value("below(2, range(4, 0, 5)/if(range(4, 0, 5) == 1, 0, 1) - "
                     "range(4, 0, 5)/if(range(4, 0, 5) == 1, 0, 1))"),
               4, 0);
    CHECK_NEAR(value("sum(below(range(-1, 1, 3), range(0, 1, 3)))"), 2, 0);
    CHECK_NEAR(value("count(tops(range(0, 2.5, 6), 0*range(0, 1, 6), range(1, 6, 6), 1))"), 3, 0);
    CHECK_NEAR(value("sum(range(1, 6, 6) where tops(range(0, 2.5, 6), 0*range(0, 1, 6), "
                     "range(1, 6, 6), 1))"),
               2 + 4 + 6, 0);
    CHECK_NEAR(value("sum(range(1, 6, 6) where tops(0*range(0, 1, 6), range(0, 2.5, 6), "
                     "-range(1, 6, 6), 1))"),
               1 + 3 + 5, 0);
    CHECK(isnan(value("last(fine.x where fine.x > 99)")));
    CHECK(isnan(value("at(fine.x, 99)")));
    CHECK(isnan(value("crossing(fine.x, 99)")));
}

static void test_refused(void)
{
    refused("", "a value is missing at the end");
    refused("1 +", "a value is missing at the end");
    refused("(1", "')' is missing at the end");
    refused("1 2", "unexpected '2' at the end");
    refused("1 ** 2", "a value is expected at '* 2'");
    refused("3x", "is not a number");
    refused("lost + 1", "nothing is called 'lost'");
    refused("sin", "sin needs its values in brackets");
    refused("sin(1, 2)", "sin does not take 2 values");
    refused("if(1, 2, 3, 4)", "if does not take 4 values");
    refused("fine.x", "the result is a list of 4 rows");
    refused("last(fine.x + cells)", "lists of 4 and 3 rows cannot be combined");
    refused("when(cells)", "when needs a list that has times");
    refused("lost(1)", "nothing is called 'lost'");
    refused("and 3", "a value is expected before 'and'");
    refused("1 where 2", "must be a list");
    refused("sum(range(1, 2, 1))", "count from 2");
    refused("interpolate(9, range(0, 4, 5), range(0, 4, 5))", "9 is outside the list, 0 to 4");
    refused("below(1, 2)", "needs a list of xs");
    refused("interpolate(1, 2, 3)", "two lists of the same length");
    refused("sum(tops(cells, cells, fine.x, 1))", "three lists of the same length");
    refused("sum(tops(cells, cells, cells, 0))", "and a size");
    char deep[1000];
    memset(deep, '(', sizeof deep - 1), deep[sizeof deep - 1] = 0;
    refused(deep, "levels");
    memset(deep, '-', sizeof deep - 1);
    refused(deep, "levels");
}

static void test_value(void)
{
    scr_operand v;
    double *rows, *when;
    char why[SCR_EXPRESSION_WHY];
    CHECK(scr_expression_value("fine.x where fine.x < 4", &names, &v, &rows, &when, why, sizeof why));
    CHECK(v.list && v.count == 3 && rows[0] == 3 && when[0] == 1);
    free(rows), free(when);
    CHECK(scr_expression_value("2 + 3", &names, &v, &rows, &when, why, sizeof why));
    CHECK(!v.list && v.number == 5 && !rows && !when);
}

int main(void)
{
    test_numbers();
    test_lists();
    test_refused();
    test_value();
    return check_done();
}
