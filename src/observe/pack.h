/* Results as one file, for mailing: a tar archive of the index and its data folder, as they stand.
 *
 * The format is POSIX ustar, so that any tar shows and unpacks it. The index comes first, then the
 * files of the folder that it names, in its order; there is nothing else in it. Every file has its own seal
 * (base/h5.h), and the index knows the digests of the others: packing and unpacking check them. Sizes of 8 GiB and more
 * are written as GNU tar does. */
#ifndef SCREE_OBSERVE_PACK_H
#define SCREE_OBSERVE_PACK_H

#include <stdbool.h>

#include "base/status.h"

/* Packs the results at `path` into `output`; results that a run is still writing, or that are not whole, are
 * refused. */
scree_status scr_pack(const char *path, const char *output, bool force, scree_report *report);

/* Unpacks into `folder`, which must be there, without replacing anything. Names are those of results and lead nowhere
 * else. *index is the path of the index, malloc'ed for the caller. On failure there is nothing new. */
scree_status scr_unpack(const char *packed, const char *folder, char **index, scree_report *report);

#endif
