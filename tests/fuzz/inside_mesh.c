/* STL and OBJ: any bytes, read as either, and repaired. */
#include "shape/mesh.h"
#include "tests/fuzz/inside.h"

static void judge(const scr_mesh *mesh)
{
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        for (int k = 0; k < 3; k++) CHECK_INSIDE(mesh->facet[f][k] < mesh->vertex_count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = inside_text(data, size);
    for (int obj = 0; obj < 2; obj++) {
        scr_mesh mesh = {0};
        scr_mesh_error error = {0};
        scr_mesh_report report = {0};
        if (scr_mesh_read(bytes, size, obj, &mesh, &error)) {
            judge(&mesh);
            CHECK_INSIDE(scr_mesh_repair(&mesh, &report));
            judge(&mesh);
        } else {
            CHECK_INSIDE(error.no_memory || *error.what);
            CHECK_INSIDE(!mesh.vertex_count && !mesh.facet_count);
        }
        scr_mesh_deinit(&mesh);
    }
    free(bytes);
    return 0;
}
