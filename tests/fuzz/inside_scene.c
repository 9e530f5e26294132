/* Scenes: any YAML, read through the tables and checked for form. A scene that is good must stay the same when it is
 * written out and read again: results keep that text. */
#include "build/schema.h"
#include "scene/scene.h"
#include "tests/fuzz/inside.h"

static scr_scene *read_scene(const char *text)
{
    scree_report report;
    scree_report_init(&report);
    scr_scene *scene = scr_scene_parse(text, "fuzz.yaml", scr_schema_get(), NULL, 0, &report);
    inside_judge(!scene, &report);
    scree_report_deinit(&report);
    return scene;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = inside_text(data, size);
    scr_scene *scene = read_scene(text);
    if (scene) {
        scr_scene *again = read_scene(scr_scene_text(scene));
        CHECK_INSIDE(again && !strcmp(scr_scene_text(scene), scr_scene_text(again)));
        scr_scene_destroy(again);
    }
    scr_scene_destroy(scene);
    free(text);
    return 0;
}
