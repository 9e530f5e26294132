#include "base/number.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

double scr_number_meant(double value)
{
    char text[SCR_NUMBER_TEXT];
    snprintf(text, sizeof text, "%.15g", value);
    double near = strtod(text, NULL);
    return fabs(near - value) <= 1.5 * DBL_EPSILON * fabs(value) ? near : value;
}
