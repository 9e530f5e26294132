/* Numbers as text that others read. */
#ifndef SCREE_BASE_NUMBER_H
#define SCREE_BASE_NUMBER_H

#include <stdio.h>

#define SCR_NUMBER_TEXT 32 /* room that any number needs, with its end */

#ifdef __cplusplus
extern "C" {
#endif

/* The shortest decimal that reads back as the same double; "nan", "inf", "-inf". Returns `text`, which has room for
 * SCR_NUMBER_TEXT bytes. */
char *scr_number_text(char *text, double value);

#ifdef __cplusplus
}
#endif

static inline void scr_number_write(FILE *out, double value)
{
    char text[SCR_NUMBER_TEXT];
    fputs(scr_number_text(text, value), out);
}

/* A product such as 3 times 0.1 is off by rounding: 0.30000000000000004. The decimal of at most 15 digits as near
 * as two roundings and a sum may have left it (3/2 of the machine's epsilon) is what was meant, 0.3; where there is
 * none, the number itself. */
double scr_number_meant(double value);

#endif
