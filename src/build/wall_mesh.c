#include "build/wall_mesh.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/os.h"
#include "shape/mesh.h"

#define MOST_BYTES (((size_t)2 << 30) - 1)

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && !strcasecmp(text + a - b, end);
}

static scree_status read_mesh(const scr_scene *scene, const scr_item *item, scr_mesh *mesh, scree_report *report)
{
    const scr_wall_mesh_def *def = item->variant_def;
    scree_place place = scr_item_place(scene, item, "file");
    static const struct {
        const char *ending;
        scr_mesh_format format;
    } endings[] = {{".stl", SCR_MESH_STL},
                   {".obj", SCR_MESH_OBJ},
                   {".txt", SCR_MESH_TRIANGLES},
                   {".dat", SCR_MESH_TRIANGLES},
                   {".csv", SCR_MESH_TRIANGLES}};
    size_t k = 0, known = sizeof endings / sizeof *endings;
    while (k < known && !ends_with(def->file, endings[k].ending)) k++;
    if (k == known)
        return scr_fail(
            report, SCREE_E_INPUT, place,
            "walls.%s.file is '%s', its name must end in .stl, .obj, or .txt, .dat or .csv for triangles of "
            "nine numbers",
            item->name, def->file);
    char *path = scr_scene_file(scene, def->file);
    if (!path) return scr_no_memory(report, "the walls");
    size_t size = 0;
    char *bytes = scr_file_read(path, MOST_BYTES, &size, report);
    scr_mesh_error error;
    scree_status status = SCREE_OK;
    if (!bytes)
        status = scr_fail(report, SCREE_E_INPUT, place, "walls.%s.file is '%s', which cannot be read", item->name,
                          def->file);
    else if (!scr_mesh_read(bytes, size, endings[k].format, mesh, &error))
        status = scr_fail(report, error.no_memory ? SCREE_E_MEMORY : SCREE_E_INPUT,
                          (scree_place){.file = path, .line = error.line}, "%s", error.what);
    free(bytes);
    free(path);
    return status;
}

// scaled, turned, moved
static void place_mesh(scr_mesh *mesh, const scr_wall_mesh_def *def)
{
    pose p = pose_turn(v3_unit(def->rotate), v3_norm(def->rotate));
    p.shift = def->translate;
    for (uint32_t k = 0; k < mesh->vertex_count; k++)
        mesh->vertices[k] = pose_point(&p, v3_scale(def->scale, mesh->vertices[k]));
}

static void tell(const scr_scene *scene, const scr_item *item, const scr_mesh *mesh, const scr_mesh_report *r,
                 scree_report *report)
{
    const scr_wall_mesh_def *def = item->variant_def;
    scree_place place = scr_item_place(scene, item, "file");
    vec3 size = v3_sub(r->upper, r->lower);
    scr_say("wall %s: %s, %u facets, %u vertices (%u welded), %u piece%s, %.4g x %.4g x %.4g m", item->name, def->file,
            mesh->facet_count, mesh->vertex_count, r->welded, r->pieces, r->pieces == 1 ? "" : "s", size.x, size.y,
            size.z);
    if (r->closed)
        scr_say("  closed, area %.4g m^2, volume %.4g m^3", r->area, fabs(r->volume));
    else
        scr_say("  open, %u open edges, area %.4g m^2", r->open_edges, r->area);
    if (r->flipped) scr_say("  repaired: %u facets turned to agree with their neighbours", r->flipped);
    if (r->degenerate) scr_say("  repaired: %u facets without area dropped", r->degenerate);
    if (r->duplicates) scr_say("  repaired: %u duplicate facets dropped", r->duplicates);
    if (r->many_edges) scr_warn(report, place, "%s has %u edges of more than two facets", def->file, r->many_edges);
    if (r->twisted_edges)
        scr_warn(report, place, "%s has %u edges where the sides cannot agree (a one-sided surface)", def->file,
                 r->twisted_edges);
    if (r->slivers)
        scr_warn(report, place, "%s has %u slivers, facets a thousand times longer than wide; the first is facet %u",
                 def->file, r->slivers, r->first_sliver);
}

static scr_face facet_face(const scr_mesh *m, uint32_t f)
{
    vec3 a = m->vertices[m->facet[f][0]];
    vec3 ab = v3_sub(m->vertices[m->facet[f][1]], a), ac = v3_sub(m->vertices[m->facet[f][2]], a);
    return (scr_face){.kind = SCR_FACE_TRIANGLE, .point = a, .axis = v3_unit(v3_cross(ab, ac)), .edge = {ab, ac}};
}

scree_status scr_wall_mesh_faces(const scr_scene *scene, const scr_item *item, scr_face **faces, int *count,
                                 vec3 *middle, scree_report *report)
{
    scr_mesh mesh = {0};
    scr_mesh_report found;
    *faces = NULL;
    scree_status status = read_mesh(scene, item, &mesh, report);
    if (status) return status;
    place_mesh(&mesh, item->variant_def);
    bool ok = scr_mesh_repair(&mesh, &found);
    if (ok && !mesh.facet_count)
        status = scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "file"),
                          "walls.%s.file has no facet with an area", item->name);
    if (ok && !status) ok = scr_reserve(faces, mesh.facet_count);
    if (!ok) status = scr_no_memory(report, "the mesh");
    if (!status) {
        tell(scene, item, &mesh, &found, report);
        for (uint32_t f = 0; f < mesh.facet_count; f++) (*faces)[f] = facet_face(&mesh, f);
        *count = (int)mesh.facet_count;
        *middle = v3_scale(0.5, v3_add(found.lower, found.upper));
    }
    scr_mesh_deinit(&mesh);
    return status;
}
