#include "show/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "observe/results.h"
#include "show/picture.h"
#include "show/picture_ticks.h"
#include "show/render_cells.h"
#include "show/render_colour.h"

/* Walls as the picture draws them, with the trees of their meshes. */
typedef struct {
    scr_picture_wall *items;
    scr_face_tree *trees;
    int count, tree_count;
} drawn_walls;

static void drawn_free(drawn_walls *d)
{
    for (int k = 0; k < d->tree_count; k++) scr_face_tree_deinit(&d->trees[k]);
    free(d->trees);
    free(d->items);
    *d = (drawn_walls){0};
}

// the facets of one wall, as many as follow each other
static void draw_mesh(drawn_walls *d, const scr_face *faces, int count)
{
    scr_face_tree *tree = &d->trees[d->tree_count];
    if (!scr_face_tree_build(tree, faces, (uint32_t)count)) return;
    d->tree_count++;
    d->items[d->count++] = (scr_picture_wall){.kind = SCR_PICTURE_MESH,
                                              .a = tree->nodes[0].lower,
                                              .b = tree->nodes[0].upper,
                                              .faces = faces,
                                              .tree = tree};
}

static void draw_face(drawn_walls *d, const scr_face *face)
{
    scr_picture_wall *p = &d->items[d->count++];
    *p = (scr_picture_wall){.a = face->point,
                            .b = v3_axpy(face->point, face->length, face->axis),
                            .normal = face->axis,
                            .radius = {face->radius[0], face->radius[1]}};
    p->kind = face->kind == SCR_FACE_PLANE    ? SCR_PICTURE_PLANE
              : face->kind == SCR_FACE_SPHERE ? SCR_PICTURE_SPHERE
              : face->length > 0              ? SCR_PICTURE_FRUSTUM
                                              : SCR_PICTURE_RING;
}

// a box that has not turned is drawn as one, meshes as a whole, others face by face
static drawn_walls picture_walls(const scr_archive *archive, int frame)
{
    int face_count, wall_count;
    const scr_face *faces = scr_archive_faces(archive, frame, &face_count);
    const scr_wall *walls = scr_archive_walls(archive, &wall_count);
    drawn_walls d = {.items = calloc((size_t)face_count + 1, sizeof *d.items),
                     .trees = calloc((size_t)wall_count + 2, sizeof *d.trees)};
    for (int f = 0, n; d.items && d.trees && f < face_count; f += n) {
        const scr_face *face = &faces[f];
        bool box = face->wall < wall_count && !strcmp(walls[face->wall].shape, "box");
        n = 1;
        if (box && f + 5 < face_count && face->axis.x == 1) {
            d.items[d.count++] = (scr_picture_wall){
                .kind = SCR_PICTURE_BOX, .a = face->point, .b = faces[f + 1].point};
            n = 6;
        } else if (face->kind == SCR_FACE_TRIANGLE) {
            while (f + n < face_count && faces[f + n].wall == face->wall) n++;
            if (d.tree_count <= wall_count) draw_mesh(&d, face, n);
        } else {
            draw_face(&d, face);
        }
    }
    return d;
}

// the first line of the scene's title
static void scene_title(const scr_archive *archive, char *title, size_t size)
{
    snprintf(title, size, "%s", scr_archive_title(archive));
    title[strcspn(title, "\r\n")] = 0;
}

static void frame_texts(const scr_archive *archive, int frame, size_t grains,
                        const scr_drawn_cells *cells, char *text, size_t size)
{
    scr_frame_info info = scr_archive_frame(archive, frame);
    size_t count = scr_archive_mesh(archive, NULL)->cell_count;
    int at = snprintf(text, size, "t = %.4g s", info.time);
    if (grains || !count)
        at +=
            snprintf(text + at, size - (size_t)at, ", %zu grain%s", grains, grains == 1 ? "" : "s");
    if (count) at += snprintf(text + at, size - (size_t)at, ", %zu cells", count);
    if (!count || cells->warp == 1) return;
    // large factors as a digit and a power of ten
    int exponent = cells->warp >= 1e5 ? (int)floor(log10(cells->warp) + 1e-9) : 0;
    double lead = cells->warp / pow(10, exponent);
    at += snprintf(text + at, size - (size_t)at, ", displacements");
    if (!exponent || lead != 1) at += snprintf(text + at, size - (size_t)at, " \u00d7 %.4g", lead);
    if (exponent) scr_power_text(text + at, size - (size_t)at, " \u00d7 10", exponent);
}

static scr_picture_def picture_def(const scree_picture_def *def, const scr_colouring *c)
{
    scr_picture_def p = scr_picture_def_default();
    p.width = def->width, p.height = def->height;
    p.azimuth = def->azimuth, p.elevation = def->elevation, p.zoom = def->zoom;
    p.colour_map = def->map;
    p.value_min = def->low, p.value_max = def->high;
    p.legend = def->legend && !c->names;
    p.legend_title = c->title;
    p.legend_unit = c->unit;
    return p;
}

static scree_status draw_frame(const scr_archive *archive, const scree_picture_def *def, int frame,
                               const char *path, scree_report *report)
{
    double *position = NULL, *radius = NULL;
    size_t bodies = 0, bodies_r = 0;
    int width;
    scr_colouring c = {0};
    scr_drawn_cells cells = {0};
    drawn_walls walls = {0};
    bool grains = scr_archive_frame(archive, frame).bodies > 0;
    bool solids = scr_archive_mesh(archive, NULL)->cell_count > 0;
    scree_status status = SCREE_OK;
    if (grains || !solids)
        status = scr_archive_read(archive, frame, "position", &position, &bodies, &width, report);
    if (!status && (grains || !solids))
        status = scr_archive_read(archive, frame, "radius", &radius, &bodies_r, &width, report);
    if (!status) status = scr_colouring_read(archive, frame, def->colour, &c, report);
    if (!status && solids)
        status =
            scr_drawn_cells_read(archive, frame, def->rigid, def->warp, c.cells, &cells, report);
    if (!status) {
        scr_domain domain = scr_archive_domain(archive);
        walls = picture_walls(archive, frame);
        char title[128], subtitle[160];
        scene_title(archive, title, sizeof title);
        frame_texts(archive, frame, bodies, &cells, subtitle, sizeof subtitle);
        scr_picture_def p = picture_def(def, &c);
        p.title = def->title ? title : NULL;
        p.subtitle = def->title ? subtitle : NULL;
        scr_picture_content content = {
            .spheres = {position, radius, c.grains, bodies < bodies_r ? bodies : bodies_r},
            .polygons = cells.polygons,
            .walls = walls.items,
            .wall_count = walls.count,
            .box = {domain.lower, domain.upper}};
        status = scr_picture_write(&p, &content, path, report);
    }
    free(position);
    free(radius);
    scr_colouring_deinit(&c);
    scr_drawn_cells_deinit(&cells);
    drawn_free(&walls);
    return status;
}

// results.h5 -> results.png; for several frames a number goes before the ending
static void picture_path(const scree_picture_def *def, int frame, bool several, char *path,
                         size_t size)
{
    const char *base = def->output ? def->output : def->results;
    const char *slash = strrchr(base, '/'), *dot = strrchr(base, '.');
    int stem = dot && dot > (slash ? slash + 1 : base) ? (int)(dot - base) : (int)strlen(base);
    if (several)
        snprintf(path, size, "%.*s-%04d.png", stem, base, frame);
    else if (def->output)
        snprintf(path, size, "%s", def->output);
    else
        snprintf(path, size, "%.*s.png", stem, base);
}

scree_status scr_render(const scree_picture_def *def, scree_report *report)
{
    scr_archive *archive = scr_archive_open(def->results, report);
    if (!archive) return SCREE_E_INPUT;
    int count = scr_archive_frame_count(archive);
    int first = def->first < 0 ? count + def->first : def->first;
    int last = def->last < 0 ? count + def->last : def->last;
    scree_status status = SCREE_OK;
    if (first < 0 || first >= count || last >= count || last < first)
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = def->results},
                          "there is no frame %d to %d, the frames are 0 to %d", def->first,
                          def->last, count - 1);
    for (int frame = first; frame <= last && !status; frame += def->every) {
        char path[4096];
        picture_path(def, frame, last > first, path, sizeof path);
        status = draw_frame(archive, def, frame, path, report);
        if (!status && def->list) fprintf(def->list, "%s\n", path);
    }
    scr_archive_close(archive);
    return status;
}
