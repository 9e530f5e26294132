/* The reference page of the scene file (see help.h). */
#include <string.h>

#include "scene/help.h"

static void write_row(FILE *out, const scr_param *p)
{
    char expects[512];
    scr_param_expects(p, expects, sizeof expects);
    fprintf(out, "| `%s` | %s | ", p->name, expects);
    if (!p->fallback)
        fprintf(out, "required");
    else if (p->fallback[0])
        fprintf(out, "`%s`", p->fallback);
    fprintf(out, " | %s", p->doc);
    size_t length;
    const char *also = p->also, *mark = also && strchr(also, ' ') ? " Aliases:" : " Alias:";
    for (const char *w; (w = scr_words_next(&also, &length)); mark = ",")
        fprintf(out, "%s `%.*s`", mark, (int)length, w);
    fprintf(out, "%s |\n", p->also ? "." : "");
}

static void write_table(FILE *out, const scr_param *params)
{
    if (!params || !params->name) return;
    fprintf(out, "| key | value | default | meaning |\n|---|---|---|---|\n");
    for (const scr_param *p = params; p->name; p++) write_row(out, p);
    fputc('\n', out);
}

static void write_section(FILE *out, const scr_section *section, const char *path, int level);

static void write_heading(FILE *out, int level)
{
    for (int k = 0; k < level; k++) fputc('#', out);
    fputc(' ', out);
}

static void write_kind(FILE *out, const scr_section *section, const scr_variant *variant, const char *path, int level)
{
    const char *fallback = section->selector_fallback;
    write_heading(out, level);
    fprintf(out, "`%s: %s` in `%s`%s\n\n%s\n\n", section->selector, variant->name, path,
            fallback && !strcmp(variant->name, fallback) ? " (default)" : "", variant->doc);
    write_table(out, variant->params);
}

enum { MOST_NESTED = 16 };

// sections that stand inside others, each once
static void write_nested(FILE *out, const scr_param *params, const char *path, int level, const scr_section **seen)
{
    for (const scr_param *p = params; p && p->name; p++) {
        int k = 0;
        while (k < MOST_NESTED && seen[k] && seen[k] != p->nested) k++;
        if (!p->nested || k == MOST_NESTED || seen[k]) continue;
        seen[k] = p->nested;
        char name[128];
        snprintf(name, sizeof name, "%.60s%s%.60s", path, *path ? "." : "", p->name);
        write_section(out, p->nested, name, level);
    }
}

static void write_section(FILE *out, const scr_section *section, const char *path, int level)
{
    const scr_section *seen[MOST_NESTED] = {NULL};
    write_heading(out, level);
    fprintf(out, "`%s`\n\n%s", path, section->doc);
    if (section->named) fprintf(out, " A mapping of names to %s.", section->plain ? "values" : "items");
    fprintf(out, "%s\n\n", section->required ? " Required." : "");
    if (!section->plain) write_table(out, section->params);
    for (const scr_variant *const *v = section->variants; v && *v; v++) write_kind(out, section, *v, path, level + 1);
    write_nested(out, section->params, path, level + 1, seen);
    for (const scr_variant *const *v = section->variants; v && *v; v++)
        write_nested(out, (*v)->params, path, level + 1, seen);
}

void scr_schema_write_markdown(const scr_schema *schema, FILE *out)
{
    fprintf(out, "# The scene file\n\n"
                 "This page is made by `scree schema --markdown` from the tables the program reads scenes "
                 "with.\n\n"
                 "A scene is one YAML document of mappings, lists and plain values; its first key is "
                 "`scree: 1`. Numbers may carry a unit (`72 GPa`, `4 mm`, `10 ms`, `30 deg`, "
                 "`2500 kg/m^3`, `5 %%`), also inside lists; plain numbers are SI.\n\n");
    for (const scr_section *const *s = schema->sections; *s; s++) {
        if ((*s)->name[0]) {
            write_section(out, *s, (*s)->name, 2);
            continue;
        }
        fprintf(out, "## Top level\n\n%s\n\n", (*s)->doc);
        write_table(out, (*s)->params);
        write_nested(out, (*s)->params, "", 3, (const scr_section *[MOST_NESTED]){NULL});
    }
}
