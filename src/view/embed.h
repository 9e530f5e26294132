/* The viewer inside a page that is mailed: its client with the answers to what it will ask, for some of the frames. */
#ifndef SCREE_VIEW_EMBED_H
#define SCREE_VIEW_EMBED_H

#include <stdio.h>

#include "base/status.h"

/* A frame of HTML; where the client is not in this build or the results are too large, a line that says so. */
scree_status scr_view_embed(const char *results, FILE *out, scree_report *report);

#endif
