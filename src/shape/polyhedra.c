#include "shape/polyhedra.h"

#include "base/memory.h"

void scr_polyhedra_init(scr_polyhedra *mesh)
{
    *mesh = (scr_polyhedra){0};
}

void scr_polyhedra_deinit(scr_polyhedra *mesh)
{
    scr_memory_free(mesh->points);
    scr_memory_free(mesh->first);
    scr_memory_free(mesh->corners);
    scr_memory_free(mesh->cells);
    scr_memory_free(mesh->side);
    scr_memory_free(mesh->seeds);
    scr_polyhedra_init(mesh);
}
