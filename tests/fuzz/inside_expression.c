/* Expressions: any text, with numbers and lists to work on. */
#include "base/expression.h"
#include "tests/fuzz/inside.h"

static const double rows[] = {-1, 0, 2.5, 1e300, 3}, times[] = {0, 1, 2, 2, 3};

static bool find(void *context, const char *name, const double *argument, scr_operand *found, char *why, size_t size)
{
    (void)context;
    size_t count = argument && *argument >= 0 && *argument <= 5 ? (size_t)*argument : 5;
    if (*name == 'x') {
        *found = (scr_operand){.number = 2};
    } else if (*name == 't') {
        *found = (scr_operand){.list = true, .rows = rows, .times = times, .count = count};
    } else if (*name == 'a') {
        *found = (scr_operand){.list = true, .rows = rows, .count = count};
    } else {
        snprintf(why, size, "there is no '%s'", name);
        return false;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = inside_text(data, size), why[SCR_EXPRESSION_WHY] = "";
    const scr_names names = {.find = find, .context = NULL};
    double number, *list = NULL, *list_times = NULL, sum = 0;
    scr_operand value;
    if (!scr_expression_number(text, &names, &number, why, sizeof why)) CHECK_INSIDE(*why);
    if (scr_expression_value(text, &names, &value, &list, &list_times, why, sizeof why))
        for (size_t k = 0; value.list && k < value.count; k++) sum += list[k] + (list_times ? list_times[k] : 0);
    else
        CHECK_INSIDE(*why);
    free(list);
    free(list_times);
    free(text);
    return sum == 0.123 ? -1 : 0; // so that the sum is needed
}
