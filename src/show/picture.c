/* Pictures: what is asked for is checked, the stage is set, rays are cast, and texts are laid over
 * the result. */
#include "show/picture.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "show/picture_png.h"
#include "show/picture_stage.h"

scr_picture_def scr_picture_def_default(void)
{
    return (scr_picture_def){
        .width = 1600,
        .height = 1000,
        .antialias = 3,
        .ambient_samples = 2,
        .shadows = true,
        .auto_camera = true,
        .azimuth = -60,
        .elevation = 18,
        .eye = {0, -1, 0},
        .up = {0, 0, 1},
        .fov = 26,
        .focus = {NAN, NAN, NAN},
        .zoom = 1,
        .light = NAN,
        .colour_map = "viridis",
        .value_min = NAN,
        .value_max = NAN,
        .beyond = -1,
        .grain = 0xc9a577,
        .solid = 0xaab4be,
        .rod = 0xa39b8f,
        .background = {0xffffff, 0xf1f3f5},
        .legend = true,
    };
}

/* ---- checks ---- */

static bool finite3(vec3 v)
{
    return fabs(v.x) < 1e100 && fabs(v.y) < 1e100 && fabs(v.z) < 1e100;
}

static void check_int(const char *key, int value, int low, int high, scree_report *report)
{
    if (value < low || value > high)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = key}, "picture: %s is %d, must lie in [%d, %d]", key,
                 value, low, high);
}

static void check_number(const char *key, double value, double low, double high, scree_report *report)
{
    if (!(value >= low && value <= high))
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = key}, "picture: %s is %g, must lie in [%g, %g]", key,
                 value, low, high);
}

static void check_camera(const scr_picture_def *def, scree_report *report)
{
    check_number("fov", def->fov, 1, 150, report);
    check_number("zoom", def->zoom, 1e-3, 1e6, report);
    if (!finite3(def->up) || v3_norm(def->up) == 0)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "up"},
                 "picture: up is (%g, %g, %g), must be a finite direction", def->up.x, def->up.y, def->up.z);
    if (def->auto_camera) {
        check_number("azimuth", def->azimuth, -3600, 3600, report);
        check_number("elevation", def->elevation, -90, 90, report);
    } else if (!finite3(def->eye) || !finite3(def->target) || v3_norm(v3_sub(def->target, def->eye)) == 0) {
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "eye"},
                 "picture: eye (%g, %g, %g) and target (%g, %g, %g) must be finite and apart", def->eye.x, def->eye.y,
                 def->eye.z, def->target.x, def->target.y, def->target.z);
    }
}

static void check_colours(const scr_picture_def *def, scree_report *report)
{
    if (!def->colour_map || !scr_colour_map_find(def->colour_map)) {
        char known[128] = "";
        for (int k = 0; scr_colour_map_name(k); k++) {
            strncat(known, k ? ", " : "", sizeof known - strlen(known) - 1);
            strncat(known, scr_colour_map_name(k), sizeof known - strlen(known) - 1);
        }
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "colour_map"},
                 "picture: colour map is '%s', must be one of %s", def->colour_map ? def->colour_map : "", known);
    }
    if (isinf(def->value_min) || isinf(def->value_max) || def->value_min >= def->value_max)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "value_min"},
                 "picture: values from %g to %g, must be finite and rising", def->value_min, def->value_max);
}

static scree_status check(const scr_picture_def *def, const scr_picture_content *content, scree_report *report)
{
    int before = report->errors;
    check_int("width", def->width, 16, 16384, report);
    check_int("height", def->height, 16, 16384, report);
    check_int("antialias", def->antialias, 1, 8, report);
    check_int("ambient_samples", def->ambient_samples, 0, SCR_AMBIENT_MAX, report);
    check_camera(def, report);
    check_colours(def, report);
    const scr_picture_polygons *polygons = &content->polygons;
    size_t corners = polygons->count ? polygons->first[polygons->count] : 0;
    size_t bodies = content->spheres.count + content->rods.count + corners;
    if (bodies > INT32_MAX)
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                 "picture: %zu grains, rods and corners of cells, at most %d can be drawn", bodies, INT32_MAX);
    return report->errors > before ? SCREE_E_INPUT : SCREE_OK;
}

scree_status scr_picture_draw(const scr_picture_def *def, const scr_picture_content *content, uint8_t *rgb,
                              scree_report *report)
{
    scree_status status = check(def, content, report);
    if (status) return status;
    scr_stage *stage = scr_memory_new(1, sizeof *stage);
    if (!stage) return scr_no_memory(report, "a picture");
    status = scr_stage_init(stage, def, content, report);
    if (!status) {
        scr_canvas canvas = {def->width, def->height, rgb};
        if (scr_stage_draw(stage, &canvas))
            scr_legend_draw(stage, &canvas);
        else
            status = scr_no_memory(report, "a picture");
    }
    scr_stage_deinit(stage);
    scr_memory_free(stage);
    return status;
}

scree_status scr_picture_write(const scr_picture_def *def, const scr_picture_content *content, const char *path,
                               scree_report *report)
{
    scree_status status = check(def, content, report);
    if (status) return status;
    scr_canvas canvas = {def->width, def->height, NULL};
    canvas.rgb = scr_memory_new((size_t)def->width * (size_t)def->height, 3);
    if (!canvas.rgb) return scr_no_memory_in(report, path, "%d x %d pixels", def->width, def->height);
    status = scr_picture_draw(def, content, canvas.rgb, report);
    if (!status) status = scr_png_write(&canvas, path, false, report);
    scr_memory_free(canvas.rgb);
    return status;
}
