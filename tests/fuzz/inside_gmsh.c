/* gmsh files: any bytes. */
#include "shape/gmsh.h"
#include "tests/fuzz/inside.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = inside_text(data, size);
    scr_polyhedra mesh;
    scr_gmsh_report report = {0};
    scr_mesh_error error = {0};
    scr_polyhedra_init(&mesh);
    bool good = scr_gmsh_read(bytes, size, &mesh, &report, &error);
    CHECK_INSIDE(good ? mesh.cell_count > 0 : error.no_memory || *error.what);
    scr_polyhedra_deinit(&mesh);
    free(bytes);
    return 0;
}
