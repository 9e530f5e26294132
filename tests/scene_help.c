/* Help, JSON schema, reference page and example scenes: all made from the tables, complete, and
 * true. */
#include "scene/help.h"

#include <libfyaml.h>

#include "build/schema.h"
#include "scene/examples.h"
#include "scene/generate.h"
#include "scene/tree.h"
#include "scene/value.h"
#include "scene_fake.h"

static char *capture(void (*write)(const scr_schema *, FILE *))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    write(&fake_schema, out);
    fclose(out);
    return text;
}

// ---- JSON schema ----

static bool is_json(const char *text)
{
    struct fy_parse_cfg config = {.flags = FYPCF_QUIET | FYPCF_JSON_FORCE};
    struct fy_document *document = fy_document_build_from_string(&config, text, FY_NT);
    if (document) fy_document_destroy(document);
    return document != NULL;
}

// the node at a path of keys and indices, or NULL
static scr_node *at(scr_node *node, const char *path)
{
    char copy[256];
    snprintf(copy, sizeof copy, "%s", path);
    for (char *word = strtok(copy, "/"); node && word; word = strtok(NULL, "/")) {
        if (node->kind == SCR_NODE_LIST)
            node = atoi(word) < node->count ? node->children[atoi(word)] : NULL;
        else
            node = scr_node_child(node, word);
    }
    return node;
}

static void check_property(scr_node *object, const char *owner, const char *key)
{
    char note[160];
    snprintf(note, sizeof note, "the schema has %s.%s", owner, key);
    scr_node *properties = scr_node_child(object, "properties");
    check_report(properties && scr_node_child(properties, key), __FILE__, __LINE__, note);
}

static void check_object(scr_node *item, const scr_section *section);

static void check_params(scr_node *object, const char *owner, const scr_param *params)
{
    for (const scr_param *p = params; p && p->name; p++) {
        check_property(object, owner, p->name);
        size_t length;
        const char *also = p->also;
        for (const char *w; (w = scr_words_next(&also, &length));) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)length, w);
            check_property(object, owner, key);
        }
        scr_node *property = scr_node_child(scr_node_child(object, "properties"), p->name);
        if (p->nested && property) check_object(property, p->nested);
    }
}

// an item of the section: an object, or a choice of one per variant
static void check_object(scr_node *item, const scr_section *section)
{
    if (!section->variants) {
        check_params(item, section->name, section->params);
        return;
    }
    scr_node *ways = scr_node_child(item, "anyOf");
    for (int k = 0; section->variants[k]; k++) {
        scr_node *object = ways && k < ways->count ? ways->children[k] : NULL;
        CHECK(object);
        if (!object) return;
        check_property(object, section->name, section->selector);
        check_params(object, section->name, section->params);
        check_params(object, section->name, section->variants[k]->params);
    }
}

static void test_json(void)
{
    char *text = capture(scr_schema_write_json);
    CHECK(is_json(text));
    scree_report report;
    scree_report_init(&report);
    scr_node *root = scr_tree_parse(text, strlen(text), "schema", &report);
    CHECK(root && !report.count);
    check_params(root, "", scr_section_head.params);
    for (int s = 1; fake_sections[s]; s++) {
        const scr_section *section = fake_sections[s];
        check_property(root, "", section->name);
        scr_node *node = at(root, "properties");
        node = node ? scr_node_child(node, section->name) : NULL;
        if (section->named && node) node = scr_node_child(node, "additionalProperties");
        if (node) check_object(node, section);
    }
    // a few facts, spot-checked
    scr_node *n = at(root, "properties/materials/additionalProperties/properties/restitution/anyOf/0");
    CHECK(n && at(n, "exclusiveMinimum") && !strcmp(at(n, "maximum")->text, "1"));
    n = at(root, "properties/time/properties/step/anyOf/2/const");
    CHECK(n && !strcmp(n->text, "auto"));
    n = at(root, "properties/walls/additionalProperties/anyOf/0/properties/shape/const");
    CHECK(n && !strcmp(n->text, "plane"));
    n = at(root, "properties/stepper/anyOf/1/enum/0");
    CHECK(n && !strcmp(n->text, "soft"));
    n = at(root, "properties/gravity/default/2");
    CHECK(n && !strcmp(n->text, "-9.81"));
    scr_node_destroy(root);
    scree_report_deinit(&report);
    free(text);
}

// ---- help ----

static char *help(const char *key, scree_status wanted, char **messages)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    scree_report report;
    scree_report_init(&report);
    CHECK_INT(scr_help_write(&fake_schema, key, out, &report), wanted);
    fclose(out);
    if (messages) *messages = fake_messages(&report);
    scree_report_deinit(&report);
    return text;
}

static void check_help(const char *key, const char *part)
{
    char *text = help(key, SCREE_OK, NULL), note[256];
    snprintf(note, sizeof note, "help on %s says: %s", key ? key : "nothing", part);
    check_report(strstr(text, part) != NULL, __FILE__, __LINE__, note);
    free(text);
}

static void check_no_help(const char *key, const char *wanted)
{
    char *messages, *text = help(key, SCREE_E_INPUT, &messages);
    CHECK_TEXT(messages, wanted);
    CHECK_TEXT(text, "");
    free(text);
    free(messages);
}

static void test_help(void)
{
    const char *density = "materials.density: a number [kg/m^3] > 0\n"
                          "    Mass per volume of the solid, not of the packing.\n"
                          "    Required.\n"
                          "    Alias: rho\n";
    char *text = help("materials.density", SCREE_OK, NULL);
    CHECK_TEXT(text, density);
    free(text);
    check_help("density", density);
    check_help("rho", density);
    check_help("materials.glass.density", density);
    check_help(NULL, "bodies     Groups of grains");
    check_help("scene", "gravity    Acceleration");
    check_help("walls", "shape (required): one of\n    plane ");
    check_help("walls.plane", "  normal: a list [x, y, z] of three numbers\n");
    check_help("walls.radius", "walls.cylinder.radius");
    check_help("walls.radius", "walls.disc.radius");
    check_help("bodies.region", "bodies.lattice.region: a mapping\n");
    check_help("bodies.region", "  (scree help bodies.random.region.frustum)\n");
    check_help("region.sphere", "bodies.random.region.sphere (shape: sphere)");
    check_help("seed", "Default: 1");
    check_help("stepper.scheme", "one of improved, standard");
    check_no_help("materials.densty", "error: no key 'materials.densty', did you mean 'materials.density'?\n");
    check_no_help("frictoin", "error: no key 'frictoin', did you mean 'materials.friction'?\n");
    check_no_help("qqqqqqqqq", "error: no key 'qqqqqqqqq'; `scree help scene` lists all sections\n");
    check_no_help("...", "error: no key '...'; `scree help scene` lists all sections\n");
}

static void test_markdown(void)
{
    char *text = capture(scr_schema_write_markdown);
    CHECK(strstr(text, "## `materials`\n"));
    CHECK(strstr(text, "| `density` | a number [kg/m^3] > 0 | required | Mass per volume"));
    CHECK(strstr(text, "### `shape: plane` in `walls`\n"));
    // a nested section stands there once, though two kinds use it
    char *region = strstr(text, "### `bodies.region`\n");
    CHECK(region && !strstr(region + 1, "### `bodies.region`"));
    // every row of every table has its four columns
    int wrong = 0, rows = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        if (line[0] != '|') continue;
        int bars = 0;
        for (char *p = line; *p; p++) bars += *p == '|';
        wrong += bars != 5;
        rows++;
    }
    CHECK_INT(wrong, 0);
    CHECK(rows > 70);
    free(text);
}

// ---- tables ----

static void check_default(const scr_param *p, const char *owner)
{
    char note[160];
    snprintf(note, sizeof note, "%s.%s has a doc of at least one sentence", owner, p->name);
    check_report(p->doc && strlen(p->doc) > 8 && p->doc[strlen(p->doc) - 1] == '.', __FILE__, __LINE__, note);
    if (p->nested && p->nested->variants)
        for (int k = 0; p->nested->variants[k]; k++)
            for (const scr_param *q = p->nested->variants[k]->params; q && q->name; q++) check_default(q, p->name);
}

// every default is a value its own parameter takes
static void check_section_defaults(void)
{
    scr_contact_def law = {0};
    scr_section_defaults(&scr_section_contacts, &law);
    CHECK(law.overlap == 0.001 && isnan(law.stiffness) && isnan(law.friction));
    for (int s = 0; fake_sections[s]; s++) {
        const scr_section *section = fake_sections[s];
        char *def = calloc(1, section->size + 1);
        scree_report report;
        scree_report_init(&report);
        for (const scr_param *p = section->params; p->name; p++) {
            scr_value_default(p, def, &report);
            scr_value_free(p, def);
        }
        CHECK_INT(report.count, 0);
        scree_report_print(&report, stdout);
        scree_report_deinit(&report);
        free(def);
    }
}

static void test_tables(void)
{
    check_section_defaults();
    for (int s = 0; fake_sections[s]; s++) {
        const scr_section *section = fake_sections[s];
        for (const scr_param *p = section->params; p->name; p++) check_default(p, section->name);
        for (int k = 0; section->variants && section->variants[k]; k++)
            for (const scr_param *p = section->variants[k]->params; p && p->name; p++)
                check_default(p, section->variants[k]->name);
    }
}

// ---- examples ----

static void check_example(const scree_example *example)
{
    scree_report report;
    scree_report_init(&report);
    scr_scene *s = scr_scene_parse(example->text, "test.yaml", scr_schema_get(), NULL, 0, &report);
    CHECK(s && report.count == 0);
    scree_report_print(&report, stdout);
    const scr_items *bodies = s ? scr_scene_items(s, "bodies") : NULL;
    scr_grains grains = {0};
    for (int k = 0; s && k < bodies->count; k++)
        CHECK_INT(scr_grains_generate(s, &bodies->items[k], &grains, &report), SCREE_OK);
    printf("example %s: %zu grains\n", example->name, grains.count);
    bool solids = s && scr_scene_items(s, "solids")->count;
    CHECK((grains.count >= 2 || solids) && grains.count < 10000);
    // nothing overlaps by more than a packing may, 1e-4 of the radius; nothing is outside
    const scr_domain_def *domain = s ? scr_scene_def(s, "domain") : NULL;
    int touching = 0, outside = 0;
    for (size_t i = 0; i < grains.count; i++) {
        vec3 p = grains.items[i].position;
        double r = grains.items[i].radius;
        for (int k = 0; k < 3; k++) outside += (&p.x)[k] < (&domain->box[0].x)[k] || (&p.x)[k] > (&domain->box[1].x)[k];
        for (size_t j = 0; j < i; j++) {
            double reach = r + grains.items[j].radius;
            touching += v3_norm(v3_sub(p, grains.items[j].position)) < reach * (1 - 0.51e-4);
        }
    }
    CHECK_INT(touching, 0);
    CHECK_INT(outside, 0);
    CHECK_INT(report.count, 0);
    // tasks are short
    int lines = 0;
    for (const char *p = example->text; *p; p++) lines += *p == '\n';
    if (!strncmp(example->doc, "Task:", 5)) CHECK(lines < 40);
    CHECK(!example->file == !example->file_text);
    scr_grains_deinit(&grains);
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

static void test_examples(void)
{
    const char *wanted[] = {"drop", "hopper", "column",    "chute",       "collision", "beam",    "wave",
                            "drum", "silo",   "vibration", "agglomerate", "mixer",     "triaxial"};
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const scree_example *e = scr_examples;
        while (e->name && strcmp(e->name, wanted[k])) e++;
        CHECK(e->name != NULL);
    }
    for (const scree_example *e = scr_examples; e->name; e++) check_example(e);
    // the first scene has ten lines
    int lines = 0;
    for (const char *p = scr_examples[0].text; *p && strncmp(p, "\n\n", 2); p++) lines += *p == '\n';
    CHECK_INT(lines + 1, 10);
}

int main(void)
{
    test_json();
    test_help();
    test_markdown();
    test_tables();
    test_examples();
    return check_done();
}
