/* Whole scenes: read, built into a world, checked, and two steps of it. Scenes that ask for much (many grains or cells,
 * a fine mesh) are legal and slow; tools/fuzz-inside passes over those that take seconds or gigabytes. */
#include "scree/scree.h"
#include "tests/fuzz/inside.h"

static void advance(const scree_scene *scene)
{
    scree_report report;
    scree_report_init(&report);
    scree_simulation_def def = scree_simulation_def_default();
    def.threads = 1;
    def.quiet = true;
    scree_simulation *simulation = NULL;
    scree_status status = scree_simulation_create(scene, &def, &simulation, &report);
    if (!status) status = scree_simulation_advance(simulation, 2, &report);
    inside_judge(status, &report);
    scree_simulation_destroy(simulation);
    scree_report_deinit(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = inside_text(data, size);
    scree_scene *scene = NULL;
    scree_report report;
    scree_report_init(&report);
    scr_log_quiet(true);
    scree_status status = scree_scene_parse(text, "fuzz.yaml", NULL, 0, &scene, &report);
    if (!status) {
        inside_judge(scree_scene_check(scene, &report), &report);
        if (!report.errors) advance(scene);
    }
    scree_scene_close(scene);
    scree_report_deinit(&report);
    free(text);
    return 0;
}
