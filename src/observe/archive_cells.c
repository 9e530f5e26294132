/* Reading results: elastic solids (observe/results.h). */
#include <stdlib.h>
#include <string.h>

#include "observe/archive_index.h"
#include "observe/cell_views.h"

const scr_solid *scr_archive_solids(const scr_archive *a, int *count)
{
    *count = a->world.solid_count;
    return a->world.solids;
}

const scr_polyhedra *scr_archive_mesh(const scr_archive *a, const int32_t **border)
{
    if (border) *border = a->world.border;
    return &a->world.mesh;
}

static scree_status no_cells(const scr_archive *a, int frame, scree_report *report)
{
    return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = a->path},
                    "frame %d contains no cells of elastic solids", frame);
}

scree_status scr_archive_cells(const scr_archive *a, int frame, const char *view, double **data, int *width,
                               scree_report *report)
{
    char path[64];
    size_t count;
    *data = NULL;
    scree_status status = scr_archive_frame_open(a, frame, report);
    if (status) return status;
    if (!a->cell_views) return no_cells(a, frame, report);
    snprintf(path, sizeof path, "/cells/%.40s", view);
    status = scr_archive_set_read(a, path, (int64_t)a->world.mesh.cell_count, data, &count, width, report);
    const scr_cell_view *known = scr_cell_view_find(view);
    if (status || !known || *width == known->width) return status;
    free(*data);
    *data = NULL;
    return scr_h5_wrong(a->frame, path, "has the wrong number of columns");
}

const char *const *scr_archive_cell_views(const scr_archive *a, int frame)
{
    static const char *const none[] = {NULL};
    bool known = scr_archive_frame_is_open(a, frame) && a->cell_views;
    return known ? (const char *const *)a->cell_views : none;
}

const char *scr_archive_cell_unit(const scr_archive *a, int frame, const char *view)
{
    const char *const *views = scr_archive_cell_views(a, frame);
    for (int k = 0; views[k]; k++)
        if (!strcmp(views[k], view)) return a->cell_units[k];
    return "";
}

scree_status scr_archive_broken(const scr_archive *a, int frame, int32_t **faces, int32_t **fates, size_t *count,
                                scree_report *report)
{
    static const char set[] = "/broken/links";
    scr_h5_type type;
    int width;
    *faces = *fates = NULL, *count = 0;
    scree_status status = scr_archive_frame_open(a, frame, report);
    if (!status && !a->cell_views) status = no_cells(a, frame, report);
    if (!status) status = scr_h5_shape(a->frame, set, &type, count, &width);
    if (status) return status;
    int32_t *rows = malloc((2 * *count + 1) * sizeof *rows);
    *faces = malloc((*count + 1) * sizeof **faces);
    *fates = malloc((*count + 1) * sizeof **fates);
    if (!rows || !*faces || !*fates)
        status = scr_h5_no_memory(a->frame, set);
    else
        status = scr_h5_read(a->frame, &(scr_h5_set){set, SCR_H5_I32, 2, NULL, NULL}, *count, rows);
    for (size_t k = 0; !status && k < *count; k++) {
        (*faces)[k] = rows[2 * k], (*fates)[k] = rows[2 * k + 1];
        if (rows[2 * k] < 0 || rows[2 * k] >= (int64_t)a->world.mesh.face_count)
            status = scr_h5_wrong(a->frame, set, "refers to a face that does not exist");
    }
    free(rows);
    if (!status) return SCREE_OK;
    free(*faces), free(*fates);
    *faces = *fates = NULL, *count = 0;
    return status;
}
