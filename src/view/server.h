/* The viewer's server: HTTP for this machine alone, read only.
 *
 * It listens on 127.0.0.1, answers GET and HEAD to the paths in view/answers.h and nothing else, and takes no request
 * that names another host: a page elsewhere cannot reach it under a name of its own. The policy it sends lets the
 * client load nothing from anywhere else. One thread answers, one question after the other, so that the reader of
 * results, and HDF5 below it, have one user. */
#ifndef SCREE_VIEW_SERVER_H
#define SCREE_VIEW_SERVER_H

#include "scree/scree.h"

scree_status scr_view_serve(const scree_view_def *def, scree_report *report);

#endif
