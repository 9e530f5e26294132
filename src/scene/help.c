/* `scree help KEY`: every section, kind and key of the schema is an entry with a dotted path; the
 * question is matched against those paths (see help.h). */
#include "scene/help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "scene/tree.h"

typedef struct {
    char path[96];
    const scr_section *section;
    const scr_variant *variant; /* NULL: of the section itself */
    const scr_param *param;     /* NULL: a section or a kind */
} entry;

typedef struct {
    entry *items;
    size_t count;
    bool failed;
} entries;

// ---- the list of entries ----

static void add(entries *all, const char *above, const char *name, entry e)
{
    snprintf(e.path, sizeof e.path, "%.60s%s%.30s", above, above[0] && name[0] ? "." : "", name);
    if (!scr_push(all->items, all->count, e)) all->failed = true;
}

static void collect_section(entries *all, const char *above, const scr_section *section);

static void collect_params(entries *all, const char *above, const scr_section *section, const scr_variant *variant,
                           const scr_param *params)
{
    for (const scr_param *p = params; p && p->name; p++) {
        add(all, above, p->name, (entry){.section = section, .variant = variant, .param = p});
        char path[96];
        snprintf(path, sizeof path, "%.60s%s%.30s", above, *above ? "." : "", p->name);
        if (p->nested) collect_section(all, path, p->nested);
    }
}

// keys and kinds of a section; `above` is its own path
static void collect_section(entries *all, const char *above, const scr_section *section)
{
    collect_params(all, above, section, NULL, section->params);
    for (const scr_variant *const *v = section->variants; v && *v; v++) {
        char path[96];
        snprintf(path, sizeof path, "%.60s.%.30s", above, (*v)->name);
        add(all, above, (*v)->name, (entry){.section = section, .variant = *v});
        collect_params(all, path, section, *v, (*v)->params);
    }
}

static entries collect(const scr_schema *schema)
{
    entries all = {0};
    for (const scr_section *const *s = schema->sections; *s; s++) {
        if ((*s)->name[0]) add(&all, "", (*s)->name, (entry){.section = *s});
        collect_section(&all, (*s)->name, *s);
    }
    return all;
}

// ---- matching ----

static size_t word_length(const char *path)
{
    return strcspn(path, ".");
}

static bool same_word(const char *a, const char *b)
{
    return word_length(a) == word_length(b) && !memcmp(a, b, word_length(a));
}

static const char *last_word(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

// words of the question stand in the path in this order; the last may be another spelling of the
// key
static bool matches(const entry *e, const char *question)
{
    const char *last = last_word(question);
    bool same = e->param ? scr_param_is(e->param, last) : same_word(last_word(e->path), last);
    if (!same) return false;
    const char *path = e->path;
    for (const char *q = question; q != last; q += word_length(q) + 1) {
        while (path < last_word(e->path) && !same_word(path, q)) path += word_length(path) + 1;
        if (path >= last_word(e->path)) return false;
        path += word_length(path) + 1;
    }
    return true;
}

static bool is_exact(const entry *e, const char *question)
{
    return !strcmp(e->path, question);
}

// materials.glass.density asks for materials.density: the second word is a name
static bool without_name(const char *question, char *shorter, size_t size)
{
    const char *first = strchr(question, '.'), *second = first ? strchr(first + 1, '.') : NULL;
    if (!second) return false;
    snprintf(shorter, size, "%.*s%s", (int)(first - question), question, second);
    return true;
}

// ---- writing ----

// wraps at 78 columns
static void write_text(FILE *out, const char *text, int indent)
{
    int column = 0;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column && column + 1 + length > 78) {
            fputc('\n', out);
            column = 0;
        }
        if (column) {
            fputc(' ', out);
        } else {
            fprintf(out, "%*s", indent, "");
            column = indent - 1;
        }
        fprintf(out, "%.*s", length, text);
        column += 1 + length;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void write_param(FILE *out, const char *path, const scr_param *p)
{
    char expects[512];
    scr_param_expects(p, expects, sizeof expects);
    fprintf(out, "%s: %s\n", path, expects);
    write_text(out, p->doc, 4);
    if (!p->fallback)
        fprintf(out, "    Required.\n");
    else if (p->fallback[0])
        fprintf(out, "    Default: %s\n", p->fallback);
    char also[256];
    scr_words_text(p->also, ", ", also, sizeof also);
    if (also[0]) fprintf(out, "    %s: %s\n", strchr(also, ',') ? "Aliases" : "Alias", also);
}

static void write_params(FILE *out, const scr_param *params)
{
    for (const scr_param *p = params; p && p->name; p++) {
        char path[96];
        snprintf(path, sizeof path, "  %.80s", p->name);
        write_param(out, path, p);
    }
}

static void write_variant(FILE *out, const entry *e)
{
    fprintf(out, "%s (%s: %s)\n", e->path, e->section->selector, e->variant->name);
    write_text(out, e->variant->doc, 4);
    write_params(out, e->variant->params);
    write_params(out, e->section->params);
}

// keys and kinds
static void write_body(FILE *out, const char *path, const scr_section *section)
{
    write_text(out, section->doc, 4);
    write_params(out, section->params);
    if (!section->variants) return;
    fprintf(out, "  %s%s: one of\n", section->selector, section->selector_fallback ? "" : " (required)");
    for (const scr_variant *const *v = section->variants; *v; v++)
        fprintf(out, "    %-10s %s  (scree help %s.%s)\n", (*v)->name, (*v)->doc, path, (*v)->name);
    if (section->selector_fallback) fprintf(out, "    Default: %s\n", section->selector_fallback);
}

static void write_section(FILE *out, const char *path, const scr_section *section)
{
    fprintf(out, "%s%s%s\n", path, section->named ? ", a mapping of names to items" : "",
            section->required ? " (required)" : "");
    write_body(out, path, section);
}

static void write_entry(FILE *out, const entry *e)
{
    if (!e->param && !e->variant) {
        write_section(out, e->path, e->section);
    } else if (!e->param) {
        write_variant(out, e);
    } else {
        write_param(out, e->path, e->param);
        if (e->param->nested) write_body(out, e->path, e->param->nested);
    }
}

static void write_overview(const scr_schema *schema, FILE *out)
{
    fprintf(out, "A scene is a YAML file; its first key is `scree: 1`. Values may carry units "
                 "(72 GPa, 4 mm,\n30 deg); plain numbers are SI.\n\n");
    for (const scr_section *const *s = schema->sections; *s; s++) {
        for (const scr_param *p = (*s)->name[0] ? NULL : (*s)->params; p && p->name; p++)
            fprintf(out, "  %-10s %s\n", p->name, p->doc);
        if ((*s)->name[0]) fprintf(out, "  %-10s %s%s\n", (*s)->name, (*s)->required ? "(required) " : "", (*s)->doc);
    }
    fprintf(out, "\n`scree help materials`, `scree help walls.plane`, `scree help density` say more.\n");
}

// ---- the question ----

static int write_matches(const entries *all, const char *question, FILE *out)
{
    int found = 0;
    for (size_t k = 0; k < all->count; k++)
        if (is_exact(&all->items[k], question)) {
            write_entry(out, &all->items[k]);
            return 1;
        }
    for (size_t k = 0; k < all->count; k++) {
        if (!matches(&all->items[k], question)) continue;
        if (found++) fputc('\n', out);
        write_entry(out, &all->items[k]);
    }
    return found;
}

static scree_status refuse(const entries *all, const char *key, scree_report *report)
{
    scr_nearest whole = {.wanted = key}, last = {.wanted = last_word(key)};
    const char *path = NULL;
    for (size_t k = 0; k < all->count; k++) {
        const char *before = last.found;
        scr_nearest_offer(&whole, all->items[k].path);
        scr_nearest_offer(&last, last_word(all->items[k].path));
        if (last.found != before) path = all->items[k].path;
    }
    const char *near = whole.found ? whole.found : path;
    if (near)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "no key %s, did you mean '%s'?", scr_quote(key).text, near);
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "no key %s; `scree help scene` lists all sections",
                    scr_quote(key).text);
}

scree_status scr_help_write(const scr_schema *schema, const char *key, FILE *out, scree_report *report)
{
    if (!key || !key[0] || !strcmp(key, "scene")) {
        write_overview(schema, out);
        return SCREE_OK;
    }
    entries all = collect(schema);
    scree_status status = SCREE_OK;
    char shorter[256];
    if (all.failed)
        status = scr_no_memory(report, "help");
    else if (!write_matches(&all, key, out) &&
             !(without_name(key, shorter, sizeof shorter) && write_matches(&all, shorter, out)))
        status = refuse(&all, key, report);
    scr_buffer_free(all.items);
    return status;
}
