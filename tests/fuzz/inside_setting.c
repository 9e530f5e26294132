/* Settings, lists of a sweep: lines `path=value`, applied to an example scene, the first byte says which. */
#include "build/schema.h"
#include "scene/examples.h"
#include "scene/scene.h"
#include "study/axes.h"
#include "tests/fuzz/inside.h"

enum { MOST = 8 };

// cuts the text into settings
static int cut(char *text, scr_setting *settings)
{
    int count = 0;
    for (char *line; count < MOST && (line = strsep(&text, "\n"));) {
        char *value = strchr(line, '=');
        if (!value) continue;
        *value++ = 0;
        settings[count++] = (scr_setting){line, value};
    }
    return count;
}

static void read_axes(const char *text)
{
    scree_report report;
    scr_axes grid = {0};
    scree_report_init(&report);
    scree_status status = scr_axes_add(&grid, text, (scree_place){.file = "--over"}, &report);
    inside_judge(status, &report);
    for (size_t k = 0; !status && k < scr_axes_size(&grid) && k < 100; k++) CHECK_INSIDE(scr_axes_value(&grid, k, 0));
    scr_axes_deinit(&grid);
    scree_report_deinit(&report);
}

static const char *example(unsigned which)
{
    unsigned count = 0;
    while (scr_examples[count].name) count++;
    return scr_examples[which % count].text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!size) return 0;
    char *text = inside_text(data + 1, size - 1);
    scr_setting settings[MOST];
    read_axes(text);
    int count = cut(text, settings);
    scree_report report;
    scree_report_init(&report);
    scr_scene *scene = scr_scene_parse(example(*data), "fuzz.yaml", scr_schema_get(), settings, count, &report);
    inside_judge(!scene, &report);
    scr_scene_destroy(scene);
    scree_report_deinit(&report);
    free(text);
    return 0;
}
