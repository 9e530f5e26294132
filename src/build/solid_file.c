/* The mesh of an elastic solid from a file of gmsh. */
#include <math.h>
#include <stdlib.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "build/solid_mesh.h"
#include "shape/gmsh.h"

#define MOST_BYTES (((size_t)2 << 30) - 1)

static void tell(const scr_scene *scene, const scr_item *item, const scr_polyhedra *mesh, const scr_gmsh_report *r,
                 scree_report *report)
{
    const scr_mesh_file_def *def = item->variant_def;
    scree_place place = scr_item_place(scene, item, "file");
    scr_say("solid %s: %s, %zu cell%s, %zu points, %d side%s, %d group%s of cells", item->name, def->file,
            mesh->cell_count, mesh->cell_count == 1 ? "" : "s", mesh->point_count, mesh->side_count,
            mesh->side_count == 1 ? "" : "s", mesh->group_count, mesh->group_count == 1 ? "" : "s");
    if (r->turned) scr_say("  repaired: %zu elements with reversed node order", r->turned);
    if (r->unused) scr_say("  %zu nodes belong to no cell", r->unused);
    if (r->coincident)
        scr_warn(report, place, "%s has %zu nodes that coincide with another: cells are not joined there", def->file,
                 r->coincident);
    if (r->inner)
        scr_warn(report, place, "%s has %zu faces of physical surfaces between two cells: they are not part of a side",
                 def->file, r->inner);
    if (r->stray)
        scr_warn(report, place, "%s has %zu faces of physical surfaces that are not the face of a cell", def->file,
                 r->stray);
}

scree_status scr_solid_file(const scr_scene *scene, const scr_item *item, scr_polyhedra *mesh, double *volume,
                            scree_report *report)
{
    const scr_mesh_file_def *def = item->variant_def;
    char *path = scr_scene_file(scene, def->file);
    if (!path) return scr_no_memory(report, "the mesh");
    size_t size = 0;
    char *bytes = scr_file_read(path, MOST_BYTES, &size, report);
    scr_mesh_error error;
    scr_gmsh_report found;
    scree_status status = SCREE_OK;
    *volume = NAN;
    if (!bytes)
        status = scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "file"),
                          "solids.%s.file is '%s', which cannot be read", item->name, def->file);
    else if (!scr_gmsh_read(bytes, size, mesh, &found, &error))
        status = scr_fail(report, error.no_memory ? SCREE_E_MEMORY : SCREE_E_INPUT,
                          (scree_place){.file = path, .line = error.line}, "%s", error.what);
    free(bytes);
    free(path);
    if (status) return status;
    for (size_t k = 0; k < 3 * mesh->point_count; k++) mesh->points[k] *= def->scale;
    tell(scene, item, mesh, &found, report);
    return SCREE_OK;
}
