/* The client, as the build has put it into the program; length 0 when it was built without. */
#ifndef SCREE_VIEW_BUNDLE_H
#define SCREE_VIEW_BUNDLE_H

#include <stddef.h>

typedef struct {
    const char *path, *type; /* of the URL, of the content */
    const unsigned char *data, *end;
} scr_bundle_file;

extern const scr_bundle_file scr_bundle[]; /* ends with a NULL path */

#endif
