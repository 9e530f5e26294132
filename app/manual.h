/* The manual page and the completion of shells, from the tables of commands. */
#ifndef SCREE_APP_MANUAL_H
#define SCREE_APP_MANUAL_H

#include <stdio.h>

#include "app.h"

void app_write_manual(FILE *file);
void app_write_completion(FILE *file);

#endif
