#include "app.h"

static int schema(int argc, char **argv)
{
    bool markdown = false;
    const app_option options[] = {{"markdown", NULL, &markdown, NULL, NULL}, {0}};
    if (!app_options(&app_schema, &argc, argv, options)) return 2;
    if (argc != 1) return app_usage(&app_schema);
    if (markdown)
        scree_reference_write(stdout);
    else
        scree_schema_write(stdout);
    return 0;
}

const app_command app_schema = {
    .name = "schema",
    .usage = "[--markdown]",
    .doc = "print the JSON schema of scene files, for editors",
    .help = "  --markdown         the reference page instead\n",
    .main = schema,
};
