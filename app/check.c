#include "app.h"

#include <stdlib.h>

static int check(int argc, char **argv)
{
    scree_setting settings[APP_SETTINGS];
    int setting_count = 0;
    bool json = false;
    const app_option options[] = {
        {"set", NULL, NULL, settings, &setting_count}, {"json", NULL, &json, NULL, NULL}, {0}};
    if (!app_options(&app_check, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_check);

    scree_report report;
    scree_report_init(&report);
    scree_scene *scene;
    scree_status status = scree_scene_open(argv[1], settings, setting_count, &scene, &report);
    if (!status) status = scree_scene_check(scene, &report);
    scree_scene_close(scene);
    if (json) {
        // the messages are the answer: they are not printed again
        printf("{\n  \"ok\": %s,\n  \"errors\": %d,\n  \"warnings\": %d,\n  \"messages\": ", status ? "false" : "true",
               report.errors, report.warnings);
        scree_report_json(&report, stdout);
        printf("\n}\n");
        report.printed = report.count;
    } else if (!status)
        printf("%s: ok, %d warning%s\n", argv[1], report.warnings, report.warnings == 1 ? "" : "s");
    else
        printf("%s: %d error%s, %d warning%s\n", argv[1], report.errors, report.errors == 1 ? "" : "s", report.warnings,
               report.warnings == 1 ? "" : "s");
    return app_end(status, &report);
}

const app_command app_check = {
    .name = "check",
    .usage = "SCENE [options]",
    .doc = "check a scene without running it: reports every error at once, and checks the physics",
    .help = "  --set PATH=VALUE   change a key of the scene first; repeatable\n"
            "  --json             the verdict and all messages as JSON\n",
    .main = check,
};
