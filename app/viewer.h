/* A viewer beside a run. */
#ifndef SCREE_APP_VIEWER_H
#define SCREE_APP_VIEWER_H

#include <sys/types.h>

#include "app.h"

typedef struct {
    bool open;        /* in a browser */
    const char *port; /* NULL: any that is free */
    pid_t process;
} app_viewer;

/* As `ready` of a run (scree_run_def): starts it for these results; `context` is an app_viewer. */
void app_viewer_start(void *context, const char *output);
/* Waits until the user ends it, or ends it. */
void app_viewer_end(app_viewer *viewer, bool wait);

#endif
