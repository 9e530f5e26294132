#include "base/number.h"

#include <charconv>
#include <cmath>
#include <cstring>

extern "C" char *scr_number_text(char *text, double value)
{
    if (std::isnan(value)) return strcpy(text, "nan");
    *std::to_chars(text, text + SCR_NUMBER_TEXT - 1, value).ptr = 0;
    return text;
}
