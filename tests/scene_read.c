/* Reading scenes: values land where they should, and every mistake is told, with its place, at
 * once. */
#include "scene/tree.h"
#include "scene_fake.h"

// ---- good scenes ----

static void test_values(void)
{
    scree_report report;
    scr_scene *s = fake_read("scree: 1\n"
                             "title: a test\n"
                             "gravity: [0, 1 cm/s^2, -9.81 m/s^2]\n"
                             "seed: 1e3\n"
                             "domain: {box: [[0, 0, 0], [1, 50 cm, 2 m]], periodic: [x, z], boundary: delete}\n"
                             "materials:\n"
                             "  glass: {youngsModulus: 72 GPa, poissonsRatio: 0.2, density: 2.5 g/cm^3,\n"
                             "          coefficientRestitution: 0.9, coefficientFriction: 30 %}\n"
                             "contacts:\n"
                             "  any: {stiffness: 10 kN/m, stiffness_ratio: auto}\n"
                             "bodies:\n"
                             "  a: {from: random, material: glass, diameter: [1 mm, 2 mm], count: 10,\n"
                             "      frozen: on, spin: [0, 0, 60 rpm],\n"
                             "      region: {shape: sphere, centre: [1, 2, 3], radius: 4 cm}}\n"
                             "  b: {from: lattice, material: glass, radius: 1 mm, kind: hcp}\n"
                             "walls: {w: {shape: disc, material: glass, center: [0, 0, 0], radius: 1}}\n"
                             "stepper: {type: soft, scheme: standard}\n"
                             "time: {end: 1 min, dt: 1 us}\n"
                             "output: {fields: [position, radius], precision: single, compression: none}\n"
                             "observers: {energy: ledger}\n",
                             &report);
    scree_report_print(&report, stdout);
    CHECK(s && report.count == 0);
    if (!s) return;
    const scr_head_def *head = scr_scene_def(s, "");
    CHECK_INT(head->version, 1);
    CHECK_TEXT(head->title, "a test");
    CHECK(head->gravity.y == 0.01 && head->gravity.z == -9.81);
    CHECK_INT(head->seed, 1000);
    const scr_domain_def *domain = scr_scene_def(s, "domain");
    CHECK(domain->box[1].y == 0.5 && domain->box[1].z == 2);
    CHECK(domain->periodic[0] && !domain->periodic[1] && domain->periodic[2]);
    CHECK_INT(domain->boundary, SCR_BOUNDARY_DELETE);
    const scr_material_def *glass = scr_scene_find(s, "materials", "glass")->def;
    CHECK(glass->young == 72e9 && glass->poisson == 0.2 && glass->density == 2500);
    CHECK(glass->restitution == 0.9 && glass->friction == 0.3);
    const scr_item *any = scr_scene_find(s, "contacts", "any");
    const scr_contact_def *law = any->def;
    CHECK(law->stiffness == 1e4 && isnan(law->stiffness_ratio) && isnan(law->speed));
    CHECK(law->overlap == 0.001 && isnan(law->restitution) && law->damping == SCR_DAMPING_RESTITUTION);
    CHECK(scr_item_has(any, "stiffness") && scr_item_has(any, "kn") && !scr_item_has(any, "overlap"));
    const scr_item *a = scr_scene_find(s, "bodies", "a");
    const scr_bodies_def *grains = a->def;
    const scr_bodies_random_def *random = a->variant_def;
    CHECK(grains->diameter[0] == 0.001 && grains->diameter[1] == 0.002 && isnan(grains->radius[0]));
    CHECK(grains->frozen && fabs(grains->spin.z - 6.283185307179586) < 1e-15);
    CHECK_TEXT(random->region.variant->name, "sphere");
    CHECK(((scr_region_sphere_def *)random->region.variant_def)->center.z == 3);
    CHECK_INT(random->count, 10);
    const scr_item *b = scr_scene_find(s, "bodies", "b");
    const scr_bodies_lattice_def *lattice = b->variant_def;
    CHECK_INT(lattice->kind, SCR_LATTICE_HCP);
    CHECK(!lattice->region.def && isnan(lattice->spacing) && lattice->jitter == 0);
    CHECK_INT(((const fake_soft_def *)scr_scene_items(s, "stepper")->items[0].variant_def)->scheme, 1);
    const scr_time_def *time = scr_scene_def(s, "time");
    CHECK(time->end == 60 && time->step == 1e-6);
    const scr_output_def *output = scr_scene_def(s, "output");
    CHECK(output->fields.count == 2 && isnan(output->every));
    CHECK_TEXT(output->fields.items[1], "radius");
    CHECK(output->precision == SCR_OUTPUT_SINGLE && output->compress == SCR_OUTPUT_PLAIN);
    CHECK_TEXT(scr_scene_find(s, "observers", "energy")->variant->name, "ledger");
    CHECK(!scr_scene_find(s, "walls", "nothing") && scr_scene_items(s, "nothing")->count == 0);
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

// what a scene does not say has its default, also whole sections
static void test_defaults(void)
{
    scree_report report;
    scr_scene *s = fake_read(FAKE_SCENE "walls:\noutput:\n", &report);
    CHECK(s && report.count == 0);
    if (!s) return;
    CHECK(((const scr_head_def *)scr_scene_def(s, ""))->gravity.z == -9.81);
    const scr_output_def *output = scr_scene_def(s, "output");
    CHECK_INT(output->fields.count, 10);
    CHECK_TEXT(output->fields.items[3], "spin");
    CHECK(output->precision == SCR_OUTPUT_DOUBLE && output->compress == SCR_OUTPUT_FAST);
    const scr_items *stepper = scr_scene_items(s, "stepper");
    CHECK_INT(stepper->count, 1);
    CHECK_TEXT(stepper->items[0].variant->name, "soft");
    CHECK(!scr_item_has(&stepper->items[0], "scheme"));
    CHECK_INT(scr_scene_items(s, "walls")->count, 0);
    CHECK_TEXT(scr_scene_text(s), FAKE_SCENE "walls:\noutput:\n");
    CHECK_TEXT(scr_scene_path(s), "test.yaml");
    scree_place at = scr_item_place(s, scr_scene_find(s, "bodies", "grains"), "material");
    CHECK(at.line == 4 && at.column == 44);
    CHECK_TEXT(at.key, "bodies.grains.material");
    at = scr_item_place(s, scr_scene_find(s, "bodies", "grains"), "velocity");
    CHECK(at.line == 4 && at.column == 10);
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

static void test_file_paths(void)
{
    scree_report report;
    scree_report_init(&report);
    scr_scene *s = scr_scene_parse(FAKE_SCENE, "a/b/test.yaml", &fake_schema, NULL, 0, &report);
    char *relative = scr_scene_file(s, "x.csv"), *absolute = scr_scene_file(s, "/x.csv");
    CHECK_TEXT(relative, "a/b/x.csv");
    CHECK_TEXT(absolute, "/x.csv");
    free(relative), free(absolute);
    scr_scene_destroy(s);
    CHECK(!scr_scene_read("no/such/file.yaml", &fake_schema, NULL, 0, &report));
    CHECK_INT(report.errors, 1);
    scree_report_deinit(&report);
}

// ---- bad scenes ----

static void test_all_at_once(void)
{
    CHECK_MESSAGES("scree: 1\n"
                   "gravty: [0, 0, -1]\n"
                   "domain:\n"
                   "  box: [[0, 0, 0], [1, 1, 0]]\n"
                   "  periodic: [x, w]\n"
                   "materials:\n"
                   "  glas: {densty: 2500, restitution: 1.5}\n"
                   "  steel: {density: 4 kg, friction: 0.1, mu: 0.2}\n"
                   "bodies:\n"
                   "  grains: {from: random, material: glass, radius: 4 mm, count: 1e999}\n"
                   "  more: {from: lattise, material: glas}\n"
                   "walls:\n"
                   "  floor: {shape: plane, material: steal, radius: 3}\n"
                   "time: {end: -1 s, step: soon}\n"
                   "xyzzy: 5\n",
                   "test.yaml:2:1: error: unknown key 'gravty' in the scene, did you mean 'gravity'?\n"
                   "test.yaml:4:8: error: domain.box runs from [0, 0, 0] to [1, 1, 0], the upper corner must "
                   "lie "
                   "above the lower one along z\n"
                   "test.yaml:5:17: error: domain.periodic.1 is 'w', must be a list of x, y, z, or none\n"
                   "test.yaml:7:10: error: unknown key 'densty' in materials.glas, did you mean 'density'?\n"
                   "test.yaml:7:37: error: materials.glas.restitution is '1.5', must be a number in (0, 1]\n"
                   "test.yaml:8:20: error: materials.steel.density is '4 kg', unit 'kg' cannot be converted "
                   "to "
                   "kg/m^3; must be a number [kg/m^3] > 0\n"
                   "test.yaml:8:41: error: materials.steel.friction is given twice, as 'friction' and as "
                   "'mu'\n"
                   "test.yaml:10:36: error: bodies.grains.material is 'glass', which is not defined under "
                   "materials, "
                   "did you mean 'glas'?\n"
                   "test.yaml:10:64: error: bodies.grains.count is '1e999', must be a whole number in "
                   "[0, 100000000]\n"
                   "test.yaml:11:16: error: bodies.more.from is 'lattise', must be one of positions, table, "
                   "lammps, "
                   "lattice, "
                   "random, packing, inlet; did you mean 'lattice'?\n"
                   "test.yaml:13:35: error: walls.floor.material is 'steal', which is not defined under "
                   "materials, "
                   "did you mean 'steel'?\n"
                   "test.yaml:13:42: error: walls.floor has shape: plane, key 'radius' belongs to shape: "
                   "cylinder, "
                   "disc, sphere\n"
                   "test.yaml:14:13: error: time.end is '-1 s', must be a number [s] > 0\n"
                   "test.yaml:14:25: error: time.step is 'soon', which is not a number; must be a number [s] "
                   "> 0, or "
                   "auto\n"
                   "test.yaml:15:1: error: unknown key 'xyzzy' in the scene, allowed are scree, title, "
                   "gravity, gravity_signal, gravity_table, seed, "
                   "domain, materials, contacts, bodies, bonds, walls, outlets, stepper, time, "
                   "output, observers\n");
}

static void test_missing(void)
{
    CHECK_MESSAGES("scree: 1\n"
                   "domain: {}\n"
                   "materials: {}\n"
                   "bodies:\n"
                   "  a: {material: x}\n"
                   "  b: {from: random}\n",
                   "test.yaml:1:1: error: the scene lacks the section time: Duration and time step.\n"
                   "test.yaml:2:1: error: domain lacks box, [[x, y, z], [x, y, z]] [m], the lower and the "
                   "upper corner\n"
                   "test.yaml:3:1: error: materials is empty, it must have at least one item\n"
                   "test.yaml:5:3: error: bodies.a lacks from, one of positions, table, lammps, lattice, "
                   "random, packing, inlet\n"
                   "test.yaml:6:3: error: bodies.b lacks material, a text\n");
}

static void test_version(void)
{
    CHECK_MESSAGES("title: x\n", "test.yaml:1:1: error: a scene must begin with the key 'scree: 1'\n");
    CHECK_MESSAGES("scree: 2\nfoo: bar\n",
                   "test.yaml:1:8: error: scree is '2', this program reads scenes of version 1\n");
    CHECK_MESSAGES("title: x\n" FAKE_SCENE,
                   "test.yaml:2:1: error: 'scree' must be the first key of the scene, it follows 'title'\n");
    CHECK_MESSAGES("", "test.yaml:1:1: error: a scene must be a mapping of keys that begins with "
                       "'scree: 1', received empty\n");
    CHECK_MESSAGES("[1, 2]", "test.yaml:1:1: error: a scene must be a mapping of keys that begins with "
                             "'scree: 1', received a list of 2\n");
}

static void test_yaml(void)
{
    CHECK_MESSAGES("scree: 1\nmaterials: {a: [1, 2}\n",
                   "test.yaml:2:21: error: this is not valid YAML: mismatched flow mapping end\n");
    CHECK_MESSAGES("scree: 1\ntime: {end: 1}\ntime: {end: 2}\n" /* told before what is missing */,
                   "test.yaml:1:1: error: the scene lacks the section domain: The space of the "
                   "simulation. Its sides are not walls: add walls wherever grains must be contained.\n"
                   "test.yaml:1:1: error: the scene lacks the section materials: What grains and walls "
                   "are made of, by name. The names used by LIGGGHTS are understood too.\n"
                   "test.yaml:1:1: error: the scene has neither bodies (groups of grains) nor solids: "
                   "there is nothing to move\n"
                   "test.yaml:3:1: error: key 'time' is given twice, first on line 2\n");
    CHECK_MESSAGES(FAKE_SCENE "title: &a x\n", "test.yaml:6:11: error: anchors (&name) are not supported in a scene\n");
    CHECK_MESSAGES(FAKE_SCENE "title: *a\n",
                   "test.yaml:6:9: error: aliases (*name) are not supported in a scene: write the value "
                   "out\n");
    CHECK_MESSAGES(FAKE_SCENE "title: !!str x\n", "test.yaml:6:14: error: tags (!name) are not supported in a scene\n");
    CHECK_MESSAGES(FAKE_SCENE "<<: {seed: 2}\n",
                   "test.yaml:6:1: error: merge keys (<<) are not supported in a scene\n");
    CHECK_MESSAGES(FAKE_SCENE "[a, b]: 3\n",
                   "test.yaml:6:1: error: a key must be a plain word, not a list or a mapping\n");
    CHECK_MESSAGES(FAKE_SCENE "---\nscree: 1\n",
                   "test.yaml:6:1: error: a second document (---) begins here; a scene is one "
                   "document\n");
    CHECK_MESSAGES(FAKE_SCENE "title: \xff\n",
                   "test.yaml:6:8: error: byte 0xff is not text, a scene must be UTF-8 without control "
                   "characters\n");
    CHECK_MESSAGES(FAKE_SCENE "title:\n", "test.yaml:6:1: error: title is empty, must be a text\n");
}

static void test_limits(void)
{
    size_t size = 1 << 20;
    char *text = malloc(size);
    memset(text, '[', size);
    text[size - 1] = 0;
    CHECK_MESSAGES(text, "test.yaml:1:33: error: nested deeper than 32 levels\n");
    strcpy(text, "scree: 1\ntitle: [");
    for (int k = 0; k < 200001; k++) strcat(text + 2 * k, "1,");
    strcat(text + 400000, "1]\n");
    scree_report report;
    CHECK(!fake_read(text, &report));
    CHECK_INT(report.errors, 1);
    CHECK(strstr(report.messages[0].text, "more than 200000 values"));
    scree_report_deinit(&report);
    free(text);
}

// bodies of a scene that is otherwise right
#define BODIES(text)                                                \
    "scree: 1\n"                                                    \
    "domain: {box: [[0, 0, 0], [1, 1, 1]]}\n"                       \
    "materials: {glass: {density: 2500}, steel: {density: 7800}}\n" \
    "time: {end: 1}\n"                                              \
    "bodies: {a: {material: glass, " text "}}\n"
#define GOOD BODIES("from: lattice, radius: 0.1")

static void test_cross_checks(void)
{
    CHECK_MESSAGES(BODIES("from: random, radius: 1 mm, diameter: 2 mm, count: 1"),
                   "test.yaml:5:69: error: bodies.a has radius and diameter, give one of them\n");
    CHECK_MESSAGES(BODIES("from: random, count: 1"),
                   "test.yaml:5:10: error: bodies.a lacks radius, diameter or sizes, a number [m] > 0\n");
    CHECK_MESSAGES(BODIES("from: table, file: x.csv, radius: 1 mm"),
                   "test.yaml:5:65: error: bodies.a.radius is given, but the sizes come from the file\n");
    CHECK_MESSAGES(BODIES("from: random, radius: 1 mm"),
                   "test.yaml:5:10: error: bodies.a lacks the number of grains: count or fraction\n");
    CHECK_MESSAGES(BODIES("from: random, radius: 1 mm, count: 1, fraction: 0.1"),
                   "test.yaml:5:79: error: bodies.a has count and fraction, give one of them\n");
    CHECK_MESSAGES(BODIES("from: random, radius: 1 mm, count: 0"),
                   "test.yaml:5:66: error: bodies.a.count is 0, must be at least 1\n");
    CHECK_MESSAGES(BODIES("from: lattice, radius: 1 mm, spacing: 1 mm"),
                   "test.yaml:5:69: error: bodies.a.spacing is 0.001 m, must be at least the diameter of the grains, "
                   "0.002 m\n");
    CHECK_MESSAGES(BODIES("from: lattice, radius: [3 mm, 2 mm]"),
                   "test.yaml:5:54: error: bodies.a.radius is a list of 2, the first is larger than the "
                   "second; must be a number [m] > 0, or a list [low, high] of two\n");
    CHECK_MESSAGES(
        BODIES("from: lattice, radius: 1 mm, region: {shape: cylinder, from: [0, 0, 0], to: [0, 0, 0], radius: 1}"),
        "test.yaml:5:107: error: bodies.a.region runs from a point to itself, 'from' and 'to' must "
        "differ\n");
    CHECK_MESSAGES(GOOD "walls: {w: {shape: plane, material: steel, normal: [0, 0, 0]}}\n",
                   "test.yaml:6:52: error: walls.w.normal is [0, 0, 0], must not be zero\n");
    CHECK_MESSAGES(GOOD "stepper: {scheme: improvd}\n",
                   "test.yaml:6:19: error: stepper.scheme is 'improvd', did you mean 'improved'?; must be "
                   "one of improved, standard\n");
    CHECK_MESSAGES("scree: 1\n"
                   "domain: {box: [[0, 0, 0], [1, 1, 1]]}\n"
                   "materials: {a.b: {density: 1}, any: {density: 1}}\n"
                   "bodies: {a: {material: any, from: lattice, radius: 0.1}}\n"
                   "time: {end: 1, step: 2}\n",
                   "test.yaml:3:13: error: 'a.b' is not a name: letters, digits, _ and - are allowed\n"
                   "test.yaml:3:32: error: a material cannot be named 'any': in contacts that means all "
                   "pairs\n"
                   "test.yaml:5:22: error: time.step is 2 s, longer than the duration of the run, 1 s\n");
}

static void test_contacts(void)
{
    CHECK_MESSAGES(GOOD "contacts:\n"
                        "  glass/steel: {}\n"
                        "  steel/glass: {damping: viscous}\n"
                        "  glass: {}\n"
                        "  glass/glass: {}\n"
                        "  brass: {}\n"
                        "  any/glass: {}\n"
                        "  glass/: {}\n",
                   "test.yaml:8:3: error: the contact 'steel/glass' is given twice, also as 'glass/steel' "
                   "on line 7\n"
                   "test.yaml:8:26: error: contacts.steel/glass has damping: viscous and lacks "
                   "damping_rate, a number [1/s] >= 0\n"
                   "test.yaml:10:3: error: the contact 'glass/glass' is given twice, also as 'glass' on "
                   "line 9\n"
                   "test.yaml:11:3: error: contact material is 'brass', which is not defined under materials, "
                   "did you mean 'glass'?\n"
                   "test.yaml:12:3: error: contact 'any/glass': 'any' cannot be part of a pair; alone it "
                   "means all pairs that are not named\n"
                   "test.yaml:13:3: error: contact 'glass/' must be a material, a pair such as glass/steel, or "
                   "any\n");
    // laws that need each other, keys that are lacking, keys that do nothing
    CHECK_MESSAGES(GOOD "contacts:\n"
                        "  any: {normal: hertz, stiffness: 1e4, tangential: mindlin, tangential_stiffness: 1}\n"
                        "  glass: {normal: hooke, cohesion: linear}\n"
                        "  steel: {cohesion: jkr, damping: viscoelastic, damping_rate: 1, adhesion: 1 mN}\n"
                        "  glass/steel: {tangential: none, twisting: marshall, friction: 0.1,\n"
                        "    rolling: constant, rolling_stiffness_ratio: 1, rolling_friction: 0.1}\n",
                   "test.yaml:7:83: warning: contacts.any.tangential_stiffness has no effect: tangential is "
                   "mindlin, it acts with auto or history\n"
                   "test.yaml:8:19: error: contacts.glass has tangential: mindlin, which needs normal: hertz "
                   "(its stiffness follows the contact radius), but normal is hooke\n"
                   "test.yaml:8:36: error: contacts.glass has cohesion: linear and lacks adhesion, a number "
                   "[N] > 0\n"
                   "test.yaml:9:21: error: contacts.steel has cohesion: jkr and lacks surface_energy, a "
                   "number [J/m^2] > 0\n"
                   "test.yaml:9:35: error: contacts.steel has damping: viscoelastic and lacks "
                   "area_damping_rate, a number [1/(m s)] >= 0\n"
                   "test.yaml:9:63: warning: contacts.steel.damping_rate has no effect: damping is "
                   "viscoelastic, it acts with viscous\n"
                   "test.yaml:9:76: warning: contacts.steel.adhesion has no effect: cohesion is jkr, it acts "
                   "with linear\n"
                   "test.yaml:10:45: error: contacts.glass/steel has twisting: marshall, which needs "
                   "tangential: auto or history or mindlin (it follows that law), but tangential is none\n"
                   "test.yaml:10:65: warning: contacts.glass/steel.friction has no effect: tangential is "
                   "none, it acts with auto or history or mindlin or viscous\n"
                   "test.yaml:11:49: warning: contacts.glass/steel.rolling_stiffness_ratio has no effect: "
                   "rolling is constant, it acts with sds\n");
    CHECK_MESSAGES(GOOD "contacts: {any: {cohesion: jkr, surface_energy: 50 mJ/m^2,\n"
                        "  stiffness: matched, normal_modulus: -1}}\n",
                   "test.yaml:7:14: error: contacts.any.stiffness is 'matched', which is not a number; must "
                   "be a number [N/m] > 0, or auto or hertz-matched\n"
                   "test.yaml:7:39: error: contacts.any.normal_modulus is '-1', must be a number "
                   "[Pa] > 0, or auto or overlap-based\n");
    scree_report report;
    scr_scene *s = fake_read(GOOD "contacts:\n"
                                  "  any: {damping_rate: 50 1/s}\n"
                                  "  glass: {damping: viscous, stiffness: hertz-matched}\n"
                                  "  steel: {normal: hertz, normal_modulus: overlap-based}\n",
                             &report);
    CHECK(s && !report.count);
    const scr_contact_def *glass = scr_scene_find(s, "contacts", "glass")->def;
    const scr_contact_def *steel = scr_scene_find(s, "contacts", "steel")->def;
    CHECK(glass->stiffness == SCR_HERTZ_MATCHED && isnan(glass->normal_modulus));
    CHECK(steel->normal_modulus == SCR_OVERLAP_BASED && isnan(steel->stiffness));
    CHECK(steel->normal == SCR_NORMAL_HERTZ && steel->tangential == SCR_TANGENTIAL_AUTO);
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

static void test_wrong_types(void)
{
    CHECK_MESSAGES(GOOD "gravity: [0, 1]\n"
                        "seed: 1.5\n"
                        "title: [a]\n"
                        "stepper: [soft]\n"
                        "output: {fields: {a: 1}, every: nan}\n"
                        "walls: 3\n"
                        "observers: {o: {type: {}}}\n",
                   "test.yaml:6:10: error: gravity is a list of 2, must be a list [x, y, z] of three "
                   "numbers [m/s^2]\n"
                   "test.yaml:7:7: error: seed is '1.5', must be a whole number in [0, "
                   "9007199254740992]\n"
                   "test.yaml:8:8: error: title is a list of 1, must be a text\n"
                   "test.yaml:9:10: error: stepper is a list of 1, must be a mapping of keys\n"
                   "test.yaml:10:18: error: output.fields is a mapping of 1 keys, must be a list of "
                   "words\n"
                   "test.yaml:10:33: error: output.every is 'nan', which is not a number; must be a number "
                   "[s] > 0, or auto\n"
                   "test.yaml:11:8: error: walls is '3', must be a mapping of names to items\n"
                   "test.yaml:12:23: error: observers.o.type is a mapping of 0 keys, must be one of "
                   "ledger, bonds\n");
}

// ---- settings ----

static scr_scene *set(const char *path, const char *value, scree_report *report)
{
    const scr_setting setting = {path, value};
    scree_report_init(report);
    return scr_scene_parse(GOOD "stepper: soft\ngravity: [0, 0, -1]\n", "test.yaml", &fake_schema, &setting, 1, report);
}

static void check_setting_error(const char *path, const char *value, const char *wanted)
{
    scree_report report;
    scr_scene *s = set(path, value, &report);
    CHECK(!s);
    char *text = fake_messages(&report);
    CHECK_TEXT(text, wanted);
    free(text);
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

static void test_settings(void)
{
    scree_report report;
    scr_scene *s = set("materials.glass.friction", "0.3", &report);
    CHECK(s && ((scr_material_def *)scr_scene_find(s, "materials", "glass")->def)->friction == 0.3);
    scr_scene_destroy(s);
    s = set("contacts.glass/steel.friction", "30 %", &report);
    CHECK(s && ((scr_contact_def *)scr_scene_find(s, "contacts", "glass/steel")->def)->friction == 0.3);
    scr_scene_destroy(s);
    s = set("gravity.2", "-2 cm/s^2", &report);
    CHECK(s && ((const scr_head_def *)scr_scene_def(s, ""))->gravity.z == -0.02);
    scr_scene_destroy(s);
    s = set("gravity", "[1, 2, 3]", &report);
    CHECK(s && ((const scr_head_def *)scr_scene_def(s, ""))->gravity.z == 3);
    scr_scene_destroy(s);
    s = set("stepper.scheme", "standard", &report);
    CHECK(s && ((fake_soft_def *)scr_scene_items(s, "stepper")->items[0].variant_def)->scheme == 1);
    // the text says what was run, and says it again
    scr_scene *again = s ? fake_read(scr_scene_text(s), &report) : NULL;
    CHECK(again && ((fake_soft_def *)scr_scene_items(again, "stepper")->items[0].variant_def)->scheme == 1);
    scr_scene_destroy(s), scr_scene_destroy(again);
    // another spelling replaces the key, rather than standing beside it
    s = set("materials.glass.rho", "1", &report);
    CHECK(s && ((scr_material_def *)scr_scene_find(s, "materials", "glass")->def)->density == 1);
    scr_scene_destroy(s);
    s = set("walls.lid", "{shape: plane, material: steel}", &report);
    CHECK(s && scr_scene_find(s, "walls", "lid"));
    scr_scene_destroy(s);
    scree_report_deinit(&report);
}

static void test_bad_settings(void)
{
    check_setting_error("materials.glass.frction", "1",
                        "--set materials.glass.frction=1: error: unknown key 'frction' in "
                        "materials.glass, did you mean 'friction'?\n");
    check_setting_error("time.end", "-1", "--set time.end=-1: error: time.end is '-1', must be a number [s] > 0\n");
    check_setting_error("gravity.3", "1", "--set gravity.3=1: error: the list has no element '3'\n");
    check_setting_error("time.end.x", "1", "--set time.end.x=1: error: there are no keys in the value '1'\n");
    check_setting_error("time..end", "1", "--set time..end=1: error: a name is missing in the path 'time..end'\n");
    check_setting_error("", "1", "--set =1: error: a name is missing in the path ''\n");
    check_setting_error("time.end", "[1",
                        "--set time.end=[1: error: this is not valid YAML: flow sequence without a "
                        "closing bracket\n");
    check_setting_error("time.end", "",
                        "--set time.end=: error: time.end is empty, must be a number [s] > "
                        "0\n");
}

// ---- trees ----

static void test_tree_text(void)
{
    const char *text = "a: 1\n"
                       "b: [x, \"y, z\", {c: \"1: 2\", \"# d\": null}]\n"
                       "e:\n"
                       "  f: \"\"\n"
                       "  g: \"two\\x0alines \\\"\\\\\"\n"
                       "  h: {}\n"
                       "  i: []\n"
                       "  j: -1.5 kg/m^3\n";
    scree_report report;
    scree_report_init(&report);
    scr_node *tree = scr_tree_parse(text, strlen(text), "x", &report);
    char *out = scr_tree_text(tree);
    CHECK_TEXT(out, text);
    CHECK_INT(report.count, 0);
    free(out);
    scr_node_destroy(tree);
    scree_report_deinit(&report);
}

static void test_nearest(void)
{
    CHECK_INT(scr_edit_distance("friction", "frction"), 1);
    CHECK_INT(scr_edit_distance("friction", "firction"), 1);
    CHECK_INT(scr_edit_distance("", "abc"), 3);
    CHECK_INT(scr_edit_distance("kitten", "sitting"), 3);
    scr_interval i = scr_interval_parse("(0, 1]");
    CHECK(!scr_interval_holds(i, 0) && scr_interval_holds(i, 1) && !scr_interval_holds(i, 1.1));
    i = scr_interval_parse(">= 2 | auto");
    CHECK(scr_interval_holds(i, 2) && !scr_interval_holds(i, 1.9) && !scr_interval_holds(i, NAN));
}

int main(void)
{
    test_values();
    test_defaults();
    test_file_paths();
    test_all_at_once();
    test_missing();
    test_version();
    test_yaml();
    test_limits();
    test_cross_checks();
    test_contacts();
    test_wrong_types();
    test_settings();
    test_bad_settings();
    test_tree_text();
    test_nearest();
    return check_done();
}
