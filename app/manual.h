/* The manual page and the completion of shells, from the tables of commands. */
#ifndef SCREE_APP_MANUAL_H
#define SCREE_APP_MANUAL_H

#include <stdio.h>

#include "app.h"

void app_write_manual(FILE *file);
/* For bash (also when `shell` is NULL), zsh or fish; false: for no other shell. */
bool app_write_completion(const char *shell, FILE *file);

/* Where the left column of a line of help ends that begins with an option, or its whole length. */
size_t app_left_column(const char *option, size_t length);

#endif
