#include "study/case.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "base/os.h"

/* ---- tables ---- */

#define AT(type, member) offsetof(type, member)
#define TEXT(name, type, member, doc)                                     \
    {                                                                     \
        name, NULL, SCR_TEXT, NULL, "", NULL, AT(type, member), doc, NULL \
    }
#define NEEDED(name, type, member, doc)                                     \
    {                                                                       \
        name, NULL, SCR_TEXT, NULL, NULL, NULL, AT(type, member), doc, NULL \
    }
#define LIST(name, type, member, doc)                                      \
    {                                                                      \
        name, NULL, SCR_TEXTS, NULL, "", NULL, AT(type, member), doc, NULL \
    }
#define REAL(name, type, member, doc)                                   \
    {                                                                   \
        name, NULL, SCR_REAL, "", "", NULL, AT(type, member), doc, NULL \
    }

static const scr_param head_params[] = {{"scree", NULL, SCR_INT, NULL, NULL, "[1, 1]", AT(scr_case_def, version),
                                         "Version of the format, always the first key.", NULL},
                                        NEEDED("title", scr_case_def, title, "One line."),
                                        NEEDED("source", scr_case_def, source,
                                               "Source of the references that do not name "
                                               "their own."),
                                        TEXT("about", scr_case_def, about, "What the case shows."),
                                        {0}};

static const scr_param define_params[] = {NEEDED("value", scr_define_def, text, "An expression."), {0}};

static const scr_param table_params[] = {
    NEEDED("file", scr_case_table_def, file, "CSV file in the folder of the case."), {0}};

static const scr_param run_params[] = {
    NEEDED("scene", scr_case_run_def, scene, "Scene file, in the folder of the case."),
    TEXT("from", scr_case_run_def, from,
         "A run whose last state is where this one starts; of a table: each cell from the cell in "
         "its place."),
    {"by", NULL, SCR_CHOICE, NULL, "run", "run equilibrate", AT(scr_case_run_def, statics),
     "run: the world moves. equilibrate: equilibria of solids or grains, as `scree equilibrate` finds them.", NULL},
    LIST("set", scr_case_run_def, set, "Changes to the scene: a list of path=value."),
    LIST("over", scr_case_run_def, over,
         "Keys to sweep, as after `scree sweep --over`: the run becomes a table of runs."),
    LIST("measure", scr_case_run_def, measure, "With over: the columns of the table, a list of NAME=EXPRESSION."),
    LIST("rows", scr_case_run_def, rows,
         "With over: further columns, each a list of values of a run, all of one length: every value becomes a row of "
         "the table."),
    {"in", NULL, SCR_CHOICE, NULL, "quick", "quick long full", AT(scr_case_run_def, set_of),
     "The smallest set in which it is run.", NULL},
    {"timed", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_case_run_def, timed),
     "Its computing time is a quantity: it is run when little else runs, one for each eight cores at a time.", NULL},
    {0}};

static const scr_param quantity_params[] = {
    TEXT("run", scr_quantity_def, run,
         "The run to which names in the expressions refer. Default: names begin with that of a run or a table."),
    NEEDED("measure", scr_quantity_def, measure, "Expression to be measured."),
    TEXT("reference", scr_quantity_def, reference, "Expression for the expected value."),
    TEXT("tolerance", scr_quantity_def, tolerance, "Largest difference."),
    TEXT("relative", scr_quantity_def, relative, "Tolerance as a fraction of the reference."),
    TEXT("at_least", scr_quantity_def, at_least, "Lower bound, instead of a reference."),
    TEXT("at_most", scr_quantity_def, at_most, "Upper bound, instead of a reference."),
    TEXT("unit", scr_quantity_def, unit, "Shown beside the name."),
    TEXT("figure", scr_quantity_def, figure, "Figure, table or equation of the source."),
    TEXT("source", scr_quantity_def, source, "Source of the reference."),
    TEXT("note", scr_quantity_def, note, "What should be known about it."),
    {"expect", NULL, SCR_CHOICE, NULL, "meets", "meets differs varies", AT(scr_quantity_def, expect),
     "differs: a known disagreement, counted as such; it fails when it meets its reference. varies: with the machine, "
     "to either side; counted as different where it misses.",
     NULL},
    TEXT("reason", scr_quantity_def, reason, "With `expect: differs` or `varies`: why."),
    TEXT("analysis", scr_quantity_def, analysis,
         "With `expect: differs` or `varies`: the analysis, a document and section."),
    {0}};

static const scr_param plot_params[] = {
    NEEDED("title", scr_case_plot_def, title, "One line above the plot."),
    NEEDED("x", scr_case_plot_def, x, "Name and unit of the horizontal axis."),
    NEEDED("y", scr_case_plot_def, y, "Name and unit of the vertical axis."),
    REAL("x_from", scr_case_plot_def, x_from, "Left end."),
    REAL("x_to", scr_case_plot_def, x_to, "Right end."),
    REAL("y_from", scr_case_plot_def, y_from, "Lower end."),
    REAL("y_to", scr_case_plot_def, y_to, "Upper end."),
    {"x_log", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_case_plot_def, x_log), "By powers of ten.", NULL},
    {"y_log", NULL, SCR_BOOL, NULL, "no", NULL, AT(scr_case_plot_def, y_log), "By powers of ten.", NULL},
    {0}};

static const scr_param curve_params[] = {
    NEEDED("plot", scr_case_curve_def, plot, "The plot it belongs to."),
    TEXT("run", scr_case_curve_def, run, "The run to which names refer."),
    TEXT("file", scr_case_curve_def, file, "CSV file in the folder of the case, instead of a run."),
    NEEDED("x", scr_case_curve_def, x, "Expression: a list."),
    NEEDED("y", scr_case_curve_def, y, "Expression: a list of the same length, or a number; `x` is the list of x."),
    TEXT("value", scr_case_curve_def, value, "Cells: expression, 0 or 1 in each."),
    TEXT("label", scr_case_curve_def, label, "Name in the legend; cells: `name of 0 | name of 1`."),
    {"style", NULL, SCR_CHOICE, NULL, "line", "line dashes points cells", AT(scr_case_curve_def, style),
     "How it is drawn.", NULL},
    {"colour", "color", SCR_CHOICE, NULL, "auto", "auto blue red green orange purple black grey",
     AT(scr_case_curve_def, colour), "Its colour; auto: the next one.", NULL},
    {0}};

static const scr_section head = {
    .name = "", .doc = "", .required = true, .params = head_params, .size = sizeof(scr_case_def)};
static const scr_section define = {.name = "define",
                                   .doc = "Names for expressions.",
                                   .named = true,
                                   .plain = true,
                                   .params = define_params,
                                   .size = sizeof(scr_define_def)};
static const scr_section tables = {.name = "tables",
                                   .doc = "Published numbers.",
                                   .named = true,
                                   .plain = true,
                                   .params = table_params,
                                   .size = sizeof(scr_case_table_def)};
static const scr_section runs = {.name = "runs",
                                 .doc = "What is run.",
                                 .named = true,
                                 .required = true,
                                 .params = run_params,
                                 .size = sizeof(scr_case_run_def)};
static const scr_section quantities = {.name = "quantities",
                                       .doc = "What is compared.",
                                       .named = true,
                                       .params = quantity_params,
                                       .size = sizeof(scr_quantity_def)};
static const scr_section plots = {
    .name = "plots", .doc = "Pictures.", .named = true, .params = plot_params, .size = sizeof(scr_case_plot_def)};
static const scr_section curves = {.name = "curves",
                                   .doc = "What is in them.",
                                   .named = true,
                                   .params = curve_params,
                                   .size = sizeof(scr_case_curve_def)};
static const scr_section *const sections[] = {&head, &define, &tables, &runs, &quantities, &plots, &curves, NULL};
static const scr_schema schema = {sections};

/* ---- checks ---- */

static void check_name(const scr_case *c, const scr_item *item, const char *key, const char *section, const char *name,
                       scree_report *report)
{
    if (!name || scr_scene_find(c->file, section, name)) return;
    const scr_items *all = scr_scene_items(c->file, section);
    scr_nearest nearest = {.wanted = name};
    for (int k = 0; k < all->count; k++) scr_nearest_offer(&nearest, all->items[k].name);
    scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, key), "%s has %s '%s', which is not in %s%s%s%s",
             item->name, key, name, section, nearest.found ? "; did you mean '" : "",
             nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
}

static void check_quantity(const scr_case *c, const scr_item *item, scree_report *report)
{
    const scr_quantity_def *q = item->def;
    scree_place at = scr_item_place(c->file, item, NULL);
    check_name(c, item, "run", "runs", q->run, report);
    bool bounded = q->at_least || q->at_most;
    if (!q->reference == !bounded)
        scr_fail(report, SCREE_E_INPUT, at, "%s needs either a reference or at_least, at_most or both", item->name);
    if (q->reference && !q->tolerance == !q->relative)
        scr_fail(report, SCREE_E_INPUT, at, "%s needs either tolerance or relative", item->name);
    if (q->expect && (!q->reason || !q->analysis))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, "expect"),
                 "%s is not expected to meet its reference: it needs the keys reason and analysis", item->name);
    if (!q->expect && (q->reason || q->analysis))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, q->reason ? "reason" : "analysis"),
                 "%s: reason and analysis belong to `expect: differs` or `varies`", item->name);
}

static void check_curve(const scr_case *c, const scr_item *item, scree_report *report)
{
    const scr_case_curve_def *v = item->def;
    check_name(c, item, "plot", "plots", v->plot, report);
    check_name(c, item, "run", "runs", v->run, report);
    if (v->run && v->file)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, NULL),
                 "%s has a run and a file, give one of them, or none for a closed form", item->name);
    if ((v->style == SCR_CURVE_CELLS) != (v->value != NULL))
        scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, NULL),
                 "%s: style cells and the key value belong together", item->name);
}

// a run that starts from another is run after it, so that must be there, and not lead back
static void check_run(const scr_case *c, const scr_item *item, scree_report *report)
{
    const scr_case_run_def *def = item->def;
    const scr_items *all = scr_case_items(c, "runs");
    check_name(c, item, "from", "runs", def->from, report);
    const scr_case_run_def *at = def;
    for (int steps = 0; at && at->from; steps++) {
        const scr_item *source = scr_scene_find(c->file, "runs", at->from);
        const scr_case_run_def *next = source ? source->def : NULL;
        if (next && next->set_of > at->set_of)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, "from"),
                     "run %s starts from %s, which is in a larger set", item->name, source->name);
        if (steps > all->count) {
            scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, item, "from"), "run %s starts from itself",
                     item->name);
            return;
        }
        at = next;
    }
}

static void check_case(const scr_case *c, scree_report *report)
{
    const scr_items *all = scr_case_items(c, "tables");
    for (int k = 0; k < all->count; k++)
        if (scr_scene_find(c->file, "runs", all->items[k].name))
            scr_fail(report, SCREE_E_INPUT, scr_item_place(c->file, &all->items[k], NULL),
                     "%s is a table and a run: one of them needs another name", all->items[k].name);
    all = scr_case_items(c, "runs");
    for (int k = 0; k < all->count; k++) check_run(c, &all->items[k], report);
    all = scr_case_items(c, "quantities");
    for (int k = 0; k < all->count; k++) check_quantity(c, &all->items[k], report);
    all = scr_case_items(c, "curves");
    for (int k = 0; k < all->count; k++) check_curve(c, &all->items[k], report);
}

/* ---- reading ---- */

static bool take_definitions(scr_case *c)
{
    const scr_items *all = scr_case_items(c, "define");
    c->definitions = calloc((size_t)all->count + 1, sizeof *c->definitions);
    for (int k = 0; c->definitions && k < all->count; k++)
        c->definitions[k] = (scr_definition){all->items[k].name, ((const scr_define_def *)all->items[k].def)->text};
    return c->definitions != NULL;
}

static scree_status read_tables(scr_case *c, scree_report *report)
{
    const scr_items *all = scr_case_items(c, "tables");
    c->tables = calloc((size_t)all->count + 1, sizeof *c->tables);
    scree_status status = c->tables ? SCREE_OK : SCREE_E_MEMORY;
    for (int k = 0; k < all->count && !status; k++) {
        char *path = scr_scene_file(c->file, ((const scr_case_table_def *)all->items[k].def)->file);
        status = path ? scr_csv_read(&c->tables[k], path, report) : SCREE_E_MEMORY;
        free(path);
    }
    return status;
}

scr_csv *scr_case_table(const scr_case *c, const char *name)
{
    const scr_items *all = scr_case_items(c, "tables");
    for (int k = 0; k < all->count; k++)
        if (!strcmp(all->items[k].name, name)) return &c->tables[k];
    return NULL;
}

scree_status scr_case_open(scr_case *c, const char *cases, const char *name, scree_report *report)
{
    char *path = NULL;
    *c = (scr_case){.name = strdup(name)};
    if (!c->name || asprintf(&c->folder, "%s/%s", cases, name) < 0 || asprintf(&path, "%s/case.yaml", c->folder) < 0)
        return scr_no_memory(report, "a case");
    int errors = report->errors;
    c->file = scr_scene_read(path, &schema, NULL, 0, report);
    free(path);
    if (!c->file) return SCREE_E_INPUT;
    check_case(c, report);
    if (report->errors > errors) return SCREE_E_INPUT;
    if (!take_definitions(c)) return scr_no_memory(report, "a case");
    return read_tables(c, report);
}

void scr_case_close(scr_case *c)
{
    int count = c->file && c->tables ? scr_case_items(c, "tables")->count : 0;
    for (int k = 0; k < count; k++) scr_csv_deinit(&c->tables[k]);
    free(c->tables);
    scr_scene_destroy(c->file);
    free(c->definitions);
    free(c->folder);
    free(c->name);
    *c = (scr_case){0};
}

const scr_case_def *scr_case_head(const scr_case *c)
{
    return scr_scene_def(c->file, "");
}

const scr_items *scr_case_items(const scr_case *c, const char *section)
{
    return scr_scene_items(c->file, section);
}

/* ---- where cases are ---- */

// a folder relative to that of the program
static bool beside_program(const char *relative, char *path, size_t size)
{
    char program[4096];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0) return false;
    program[n] = 0;
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    *slash = 0;
    return (size_t)snprintf(path, size, "%s/%s", program, relative) < size && !access(path, R_OK);
}

bool scr_cases_folder(const char *given, char *path, size_t size, scree_report *report)
{
    const char *chosen = given ? given : getenv("SCREE_CASES");
    if (chosen && *chosen) {
        snprintf(path, size, "%s", chosen);
        if (!access(path, R_OK | X_OK)) return true;
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = chosen}, "the folder of the cases cannot be read: %s",
                 strerror(errno));
        return false;
    }
    // as installed, and as built in the tree
    if (beside_program("../share/scree/cases", path, size)) return true;
    if (beside_program("../cases", path, size)) return true;
    scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
             "the cases are not beside the program; name their folder with --cases or in the "
             "environment as SCREE_CASES");
    return false;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **scr_cases_list(const char *folder)
{
    DIR *dir = opendir(folder);
    char **names = NULL;
    size_t count = 0;
    bool room = scr_reserve(&names, 1);
    for (struct dirent *e; dir && room && (e = readdir(dir));) {
        char *path = NULL;
        if (e->d_name[0] == '.' || asprintf(&path, "%s/%s/case.yaml", folder, e->d_name) < 0) continue;
        // rows of a buffer are zero: the one after the last name ends them
        if (!access(path, R_OK) && (room = scr_reserve(&names, count + 2))) names[count++] = strdup(e->d_name);
        free(path);
    }
    if (dir) closedir(dir);
    if (names) qsort(names, count, sizeof *names, by_name);
    return names;
}

void scr_names_free(char **names)
{
    for (char **n = names; n && *n; n++) free(*n);
    scr_buffer_free(names);
}
