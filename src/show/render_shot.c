#include "show/render_shot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/results.h"
#include "show/picture_ticks.h"
#include "show/render_edges.h"

static void drawn_free(scr_drawn_walls *d)
{
    for (int k = 0; k < d->tree_count; k++) scr_face_tree_deinit(&d->trees[k]);
    for (int k = 0; k < d->tree_count; k++) free(d->edges[k]);
    free(d->trees);
    free(d->edges);
    free(d->items);
    *d = (scr_drawn_walls){0};
}

// the facets of one wall, as many as follow each other
static void draw_mesh(scr_drawn_walls *d, const scr_face *faces, int count)
{
    scr_face_tree *tree = &d->trees[d->tree_count];
    if (!scr_face_tree_build(tree, faces, (uint32_t)count)) return;
    double **edges = &d->edges[d->tree_count++];
    size_t edge_count = scr_mesh_edges(faces, (size_t)count, edges);
    d->items[d->count++] = (scr_picture_wall){.kind = SCR_PICTURE_MESH,
                                              .edges = *edges,
                                              .edge_count = edge_count,
                                              .a = tree->nodes[0].lower,
                                              .b = tree->nodes[0].upper,
                                              .faces = faces,
                                              .tree = tree};
}

static void draw_face(scr_drawn_walls *d, const scr_face *face)
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
static scr_drawn_walls picture_walls(const scr_archive *archive, int frame)
{
    int face_count, wall_count;
    const scr_face *faces = scr_archive_faces(archive, frame, &face_count);
    const scr_wall *walls = scr_archive_walls(archive, &wall_count);
    scr_drawn_walls d = {.items = calloc((size_t)face_count + 1, sizeof *d.items),
                         .trees = calloc((size_t)wall_count + 2, sizeof *d.trees),
                         .edges = calloc((size_t)wall_count + 2, sizeof *d.edges)};
    for (int f = 0, n; d.items && d.trees && d.edges && f < face_count; f += n) {
        const scr_face *face = &faces[f];
        bool box = face->wall < wall_count && !strcmp(walls[face->wall].shape, "box");
        n = 1;
        if (box && f + 5 < face_count && face->axis.x == 1) {
            d.items[d.count++] = (scr_picture_wall){.kind = SCR_PICTURE_BOX, .a = face->point, .b = faces[f + 1].point};
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

static void frame_texts(const scr_archive *archive, int frame, size_t grains, const scr_drawn_cells *cells, char *text,
                        size_t size)
{
    scr_frame_info info = scr_archive_frame(archive, frame);
    size_t count = scr_archive_mesh(archive, NULL)->cell_count;
    int at = snprintf(text, size, "t = %.4g s", info.time);
    if (grains || !count) at += snprintf(text + at, size - (size_t)at, ", %zu grain%s", grains, grains == 1 ? "" : "s");
    if (count) at += snprintf(text + at, size - (size_t)at, ", %zu cells", count);
    if (!count || cells->warp == 1) return;
    // large factors as a digit and a power of ten
    int exponent = cells->warp >= 1e5 ? (int)floor(log10(cells->warp) + 1e-9) : 0;
    double lead = cells->warp / pow(10, exponent);
    at += snprintf(text + at, size - (size_t)at, ", displacements");
    if (!exponent || lead != 1) at += snprintf(text + at, size - (size_t)at, " \u00d7 %.4g", lead);
    if (exponent) scr_power_text(text + at, size - (size_t)at, " \u00d7 10", exponent);
}

/* ---- names ---- */

#define NAMES_MOST 12 /* that a legend has room for */

static void name_add(const char **names, int *count, const char *name)
{
    if (*count <= NAMES_MOST) names[*count] = name ? name : "";
    ++*count;
}

// what the numbers of such a view stand for; NULL when unknown, or they are too many
static const char **names_of(const scr_archive *a, const char *view, int *count)
{
    const char **names = calloc(NAMES_MOST + 1, sizeof *names);
    int n = 0, own;
    if (!names) return NULL;
    if (!strcmp(view, "material")) {
        const scr_material *m = scr_archive_materials(a, &own);
        for (int k = 0; k < own; k++) name_add(names, &n, m[k].name);
    } else if (!strcmp(view, "group")) {
        const scr_group *g = scr_archive_groups(a, &own);
        for (int k = 0; k < own; k++) name_add(names, &n, g[k].name);
    } else if (!strcmp(view, "solid")) {
        const scr_solid *s = scr_archive_solids(a, &own);
        for (int k = 0; k < own; k++) name_add(names, &n, s[k].name);
    } else if (!strcmp(view, "aggregate")) {
        name_add(names, &n, "by itself"), name_add(names, &n, "at rest");
        const scr_wall *w = scr_archive_walls(a, &own);
        for (int k = 0; k < own; k++) name_add(names, &n, w[k].name);
    }
    *count = n;
    if (n > 0 && n <= NAMES_MOST) return names;
    free(names);
    return NULL;
}

/* ---- the picture ---- */

static scr_picture_def picture_def(const scree_picture_def *def, const scr_shot *shot, int names)
{
    scr_picture_def p = scr_picture_def_default();
    const scr_colouring *c = &shot->colours;
    p.width = def->width, p.height = def->height, p.antialias = def->rays;
    // pictures that are looked at for long, and movies
    p.ambient_samples = def->rays > 2 ? 4 : 2;
    p.azimuth = def->azimuth, p.elevation = def->elevation, p.zoom = def->zoom;
    p.colour_map = def->map;
    p.value_min = def->low, p.value_max = def->high;
    p.legend = def->legend;
    p.categories = c->names;
    p.category = shot->category, p.category_count = names;
    p.legend_title = def->forces ? "force" : c->title;
    p.legend_unit = def->forces ? "N" : c->unit;
    p.title = def->title ? shot->title : NULL;
    p.subtitle = def->title ? shot->subtitle : NULL;
    return p;
}

static scree_status grains_read(const scr_archive *archive, int frame, scr_shot *s, size_t *count, scree_report *report)
{
    size_t bodies[2];
    int width;
    scree_status status = scr_archive_read(archive, frame, "position", &s->position, &bodies[0], &width, report);
    if (!status) status = scr_archive_read(archive, frame, "radius", &s->radius, &bodies[1], &width, report);
    if (!status) *count = bodies[0] < bodies[1] ? bodies[0] : bodies[1];
    return status;
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t k = 0; k < count; k++) sum += values[k];
    return count ? sum / (double)count : 0;
}

// leaves out what the clip hides and sets the size of the rest; how many are left
static size_t grains_cut(scr_shot *s, size_t count, const scr_clip *clip, double size)
{
    size_t kept = 0;
    double *value = s->colours.grains;
    for (size_t k = 0; k < count; k++) {
        vec3 p = v3_load(s->position + 3 * k);
        if (size == 0 || scr_clip_hides(clip, p)) continue;
        v3_store(s->position + 3 * kept, p);
        if (value) value[kept] = value[k];
        s->radius[kept++] = size * s->radius[k];
    }
    return kept;
}

// numbers and forces: what has a colour, and what is known of it
static scree_status values_read(const scr_archive *archive, const scree_picture_def *def, const scr_clip *clip,
                                int frame, size_t bodies, scr_shot *s, scree_report *report)
{
    if (def->forces)
        return scr_drawn_forces_read(archive, frame, mean(s->radius, bodies), def->high, clip, &s->rods, report);
    scree_status status = scr_colouring_read(archive, frame, def->colour, &s->colours, report);
    if (!status && def->bonds && bodies)
        status =
            scr_drawn_bonds_read(archive, frame, s->position, 0.25 * mean(s->radius, bodies), clip, &s->rods, report);
    return status;
}

scree_status scr_shot_read(const scr_archive *archive, const scree_picture_def *def, const scr_clip *clip, int frame,
                           scr_shot *s, scree_report *report)
{
    *s = (scr_shot){0};
    size_t bodies = 0;
    bool grains = scr_archive_frame(archive, frame).bodies > 0;
    bool solids = scr_archive_mesh(archive, NULL)->cell_count > 0;
    scree_status status = SCREE_OK;
    if (grains || !solids) status = grains_read(archive, frame, s, &bodies, report);
    if (!status) status = values_read(archive, def, clip, frame, bodies, s, report);
    if (!status && solids)
        status = scr_drawn_cells_read(archive, frame, def->rigid, def->warp, s->colours.cells, clip, &s->cells, report);
    if (status) return status;
    scr_domain domain = scr_archive_frame_domain(archive, frame);
    s->walls = picture_walls(archive, frame);
    scene_title(archive, s->title, sizeof s->title);
    frame_texts(archive, frame, bodies, &s->cells, s->subtitle, sizeof s->subtitle);
    int names = 0;
    if (s->colours.names) s->category = names_of(archive, def->colour, &names);
    double size = !isnan(def->grains) ? def->grains : def->forces ? 0 : def->bonds ? 0.6 : 1;
    size_t drawn = grains_cut(s, bodies, clip, size);
    s->picture = picture_def(def, s, names);
    s->content = (scr_picture_content){.spheres = {s->position, s->radius, s->colours.grains, drawn},
                                       .polygons = s->cells.polygons,
                                       .rods = scr_drawn_rods_picture(&s->rods),
                                       .walls = s->walls.items,
                                       .wall_count = s->walls.count,
                                       .box = {domain.lower, domain.upper}};
    return SCREE_OK;
}

void scr_shot_deinit(scr_shot *s)
{
    free(s->position);
    free(s->radius);
    free(s->category);
    scr_colouring_deinit(&s->colours);
    scr_drawn_cells_deinit(&s->cells);
    scr_drawn_rods_deinit(&s->rods);
    drawn_free(&s->walls);
    *s = (scr_shot){0};
}
