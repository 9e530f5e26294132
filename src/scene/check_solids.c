/* What patches, supports and loads of elastic solids say about each other. */
#include "scene/scene_data.h"

static void check_patch(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_texts *solids = &((const scr_patch_def *)item->def)->solids;
    for (int k = 0; k < solids->count; k++)
        if (!scr_scene_find(scene, "solids", solids->items[k]))
            scr_refuse_name(scene, item, "solids", "solids", solids->items[k], report);
}

static void check_patch_of(const scr_scene *scene, const scr_item *item, const char *patch, scree_report *report)
{
    if (patch && !scr_scene_find(scene, "patches", patch))
        scr_refuse_name(scene, item, "patch", "patches", patch, report);
}

void scr_solids_check(const scr_scene *scene, scree_report *report)
{
    static const char *const sections[] = {"patches", "supports", "loads"};
    for (int s = 0; s < 3; s++) {
        const scr_items *items = scr_scene_items(scene, sections[s]);
        for (int k = 0; k < items->count; k++) {
            const scr_item *item = &items->items[k];
            if (!item->name || !item->def) continue;
            if (s == 0) check_patch(scene, item, report);
            if (s == 1) check_patch_of(scene, item, ((const scr_support_def *)item->def)->patch, report);
            if (s == 2) check_patch_of(scene, item, ((const scr_load_def *)item->def)->patch, report);
        }
    }
}
