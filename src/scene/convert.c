#include "scene/convert.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "base/output.h"
#include "scree/convert.h"

#define MOST_BYTES ((size_t)16 << 20)

void scr_convert_leave(scr_conversion *c, const char *format, ...)
{
    char why[300];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    c->left++;
    fprintf(c->noted, "#   line %d: %s: %s\n", c->script.line, c->script.plain, why);
    if (c->list) fprintf(c->list, "line %d: %s: %s\n", c->script.line, c->script.plain, why);
}

double scr_convert_number(const scr_conversion *c, int k, double fallback)
{
    double value;
    if (k >= c->script.count || !scr_script_number(&c->script, c->script.words[k], &value)) return fallback;
    return value;
}

int scr_convert_word(const scr_conversion *c, int k, const char *word)
{
    for (; k < c->script.count; k++)
        if (!strcmp(c->script.words[k], word)) return k;
    return 0;
}

const scr_convert_region *scr_convert_region_of(const scr_conversion *c, const char *name)
{
    for (int k = 0; k < c->region_count; k++)
        if (!strcmp(c->regions[k].name, name)) return &c->regions[k];
    return NULL;
}

int scr_convert_type_of(scr_conversion *c, double number)
{
    int type = number >= 1 && number <= SCR_CONVERT_TYPES ? (int)number : 1;
    if (type > c->type_count) c->type_count = type;
    return type;
}

void scr_convert_region_text(const scr_conversion *c, const scr_convert_region *r, char *text, size_t size)
{
    (void)c;
    if (r->shape == SCR_CONVERT_BLOCK)
        snprintf(text, size, ", region: {box: [[%.9g, %.9g, %.9g], [%.9g, %.9g, %.9g]]}", r->low.x, r->low.y, r->low.z,
                 r->high.x, r->high.y, r->high.z);
    else if (r->shape == SCR_CONVERT_SPHERE)
        snprintf(text, size, ", region: {shape: sphere, center: [%.9g, %.9g, %.9g], radius: %.9g}", r->from.x,
                 r->from.y, r->from.z, r->radius[0]);
    else
        snprintf(text, size,
                 ", region: {shape: frustum, from: [%.9g, %.9g, %.9g], to: [%.9g, %.9g, %.9g], radius_from: %.9g, "
                 "radius_to: %.9g}",
                 r->from.x, r->from.y, r->from.z, r->to.x, r->to.y, r->to.z, r->radius[0], r->radius[1]);
}

/* ---- commands ---- */

static const char *word(const scr_conversion *c, int k)
{
    return k < c->script.count ? c->script.words[k] : "";
}

// INF and EDGE: where the box ends
static double edge_of(const scr_conversion *c, int k, int axis, bool high)
{
    return scr_convert_number(c, k, c->has_box ? (high ? &c->high.x : &c->low.x)[axis] : high ? 1e3 : -1e3);
}

static void region(scr_conversion *c)
{
    if (c->region_count == (int)(sizeof c->regions / sizeof *c->regions)) return;
    scr_convert_region *r = &c->regions[c->region_count];
    const char *style = word(c, 2);
    *r = (scr_convert_region){0};
    snprintf(r->name, sizeof r->name, "%s", word(c, 1));
    if (!strcmp(style, "block") || !strcmp(style, "prism")) {
        for (int d = 0; d < 3; d++)
            (&r->low.x)[d] = edge_of(c, 3 + 2 * d, d, false), (&r->high.x)[d] = edge_of(c, 4 + 2 * d, d, true);
        if (*style == 'p') scr_convert_leave(c, "a prism is replaced by the block of its first six numbers");
    } else if (!strcmp(style, "cylinder") || !strcmp(style, "cone")) {
        bool cone = style[1] == 'o';
        int axis = *word(c, 3) - 'x', p = axis == 0 ? 1 : 0, q = axis == 2 ? 1 : 2, end = cone ? 8 : 7;
        if (axis < 0 || axis > 2) return scr_convert_leave(c, "its axis must be x, y or z");
        r->shape = cone ? SCR_CONVERT_CONE : SCR_CONVERT_CYLINDER;
        (&r->from.x)[p] = (&r->to.x)[p] = scr_convert_number(c, 4, 0);
        (&r->from.x)[q] = (&r->to.x)[q] = scr_convert_number(c, 5, 0);
        r->radius[0] = scr_convert_number(c, 6, 0), r->radius[1] = cone ? scr_convert_number(c, 7, 0) : r->radius[0];
        (&r->from.x)[axis] = edge_of(c, end, axis, false), (&r->to.x)[axis] = edge_of(c, end + 1, axis, true);
    } else if (!strcmp(style, "sphere")) {
        r->shape = SCR_CONVERT_SPHERE;
        r->from = v3(scr_convert_number(c, 3, 0), scr_convert_number(c, 4, 0), scr_convert_number(c, 5, 0));
        r->radius[0] = scr_convert_number(c, 6, 0);
    } else {
        return scr_convert_leave(c, "unknown region style %s", style);
    }
    c->region_count++;
}

static void create_box(scr_conversion *c)
{
    const scr_convert_region *r = scr_convert_region_of(c, word(c, 2));
    scr_convert_type_of(c, scr_convert_number(c, 1, 1));
    if (!r || r->shape != SCR_CONVERT_BLOCK) return scr_convert_leave(c, "its region is not a block defined before");
    c->low = r->low, c->high = r->high, c->has_box = true;
}

static void boundary(scr_conversion *c)
{
    for (int d = 0; d < 3; d++) c->periodic[d] = *word(c, 1 + d) == 'p';
}

// how many types there are, and the box
static void read_data(scr_conversion *c)
{
    char path[4096];
    size_t size;
    scree_report unheard;
    scree_report_init(&unheard);
    snprintf(path, sizeof path, "%s%.2000s", *word(c, 1) == '/' ? "" : c->folder, word(c, 1));
    char *text = scr_file_read(path, (size_t)2 << 30, &size, &unheard);
    scree_report_deinit(&unheard);
    int types = 1;
    if (!text) scr_convert_leave(c, "the file cannot be read: one atom type is assumed");
    for (char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
        double a, b;
        char first[8], second[8];
        if (!strncmp(line, "Atoms", 5)) break;
        if (sscanf(line, "%lf atom types", &a) == 1 && strstr(line, "atom types")) types = (int)a;
        if (sscanf(line, "%lf %lf %7s %7s", &a, &b, first, second) != 4 || strcmp(first + 1, "lo")) continue;
        int d = *first - 'x';
        if (d >= 0 && d < 3) (&c->low.x)[d] = a, (&c->high.x)[d] = b, c->has_box = true;
    }
    free(text);
    for (int t = 1; t <= types && t <= SCR_CONVERT_TYPES && c->body_count < 64; t++) {
        scr_convert_body *b = &c->bodies[c->body_count++];
        *b = (scr_convert_body){.since = NAN, .until = NAN};
        scr_convert_type_of(c, t);
        snprintf(b->fix, sizeof b->fix, "atoms%d", t);
        snprintf(b->text, sizeof b->text, "from: lammps, material: type%d, file: %.200s, type: %d", t, word(c, 1), t);
    }
}

static void lattice(scr_conversion *c)
{
    snprintf(c->lattice_kind, sizeof c->lattice_kind, "%.7s", word(c, 1));
    double a = scr_convert_number(c, 2, NAN);
    c->lattice = !strcmp(c->lattice_kind, "fcc") ? a / sqrt(2.0) : a;
    if (strcmp(c->lattice_kind, "sc") && strcmp(c->lattice_kind, "fcc"))
        c->lattice = NAN, scr_convert_leave(c, "unknown lattice style %s", word(c, 1));
}

// create_atoms T region R | box
static void create_atoms(scr_conversion *c)
{
    int type = scr_convert_type_of(c, scr_convert_number(c, 1, 1));
    const scr_convert_region *r = !strcmp(word(c, 2), "region") ? scr_convert_region_of(c, word(c, 3)) : NULL;
    if (isnan(c->lattice) || (!r && strcmp(word(c, 2), "box")) || c->body_count == 64)
        return scr_convert_leave(c, "only atoms on a lattice, in a region or in the box, can be made");
    scr_convert_body *b = &c->bodies[c->body_count++];
    char where[200] = "";
    *b = (scr_convert_body){.since = NAN, .until = NAN};
    if (r) scr_convert_region_text(c, r, where, sizeof where);
    snprintf(b->fix, sizeof b->fix, "atoms%d", c->body_count);
    snprintf(b->text, sizeof b->text, "from: lattice, kind: %s, spacing: %.10g, material: type%d, diameter: @%d@%s",
             c->lattice_kind, c->lattice, type, type, where);
}

// set type T diameter D density R
static void set(scr_conversion *c)
{
    int diameter = scr_convert_word(c, 3, "diameter"), density = scr_convert_word(c, 3, "density");
    bool all = !strcmp(word(c, 1), "group") && !strcmp(word(c, 2), "all");
    if ((!all && strcmp(word(c, 1), "type")) || (!diameter && !density))
        return scr_convert_leave(c, "only diameter and density of a type, or of all, can be set");
    int first = all ? 1 : scr_convert_type_of(c, scr_convert_number(c, 2, 1)), last = all ? SCR_CONVERT_TYPES : first;
    for (int t = first; t <= last; t++) {
        if (diameter) c->types[t - 1].diameter = scr_convert_number(c, diameter + 1, NAN);
        if (density) c->types[t - 1].density = scr_convert_number(c, density + 1, NAN);
    }
}

static void group(scr_conversion *c)
{
    if (strcmp(word(c, 2), "type") || c->script.count != 4 || c->group_count == 16) return; // nothing may ask for it
    snprintf(c->groups[c->group_count], sizeof *c->groups, "%s", word(c, 1));
    c->group_type[c->group_count++] = (int)scr_convert_number(c, 3, 0);
}

static void run(scr_conversion *c)
{
    double steps = scr_convert_number(c, 1, 0);
    if (isnan(c->dt)) return scr_convert_leave(c, "there is no time step before it");
    c->time = !strcmp(word(c, 2), "upto") ? steps * c->dt : c->time + steps * c->dt;
}

static void timestep(scr_conversion *c)
{
    c->dt = scr_convert_number(c, 1, NAN);
}

static void dump(scr_conversion *c)
{
    double steps = scr_convert_number(c, 4, NAN);
    if (isnan(c->every) && steps > 0) c->every = steps;
}

static void units(scr_conversion *c)
{
    if (strcmp(word(c, 1), "si")) scr_convert_leave(c, "numbers are taken as SI units, without conversion");
}

static void fix(scr_conversion *c)
{
    if (c->script.count < 4 || !scr_convert_fix(c)) scr_convert_leave(c, "no equivalent in a scene");
}

static void unfix(scr_conversion *c)
{
    scr_convert_unfix(c, word(c, 1));
}

static void variable(scr_conversion *c)
{
    if (*c->script.why) scr_convert_leave(c, "%s", c->script.why);
}

static void nothing(scr_conversion *c)
{
    (void)c;
}

// commands, in the order of the alphabet; those that have nothing to say to a scene too
static const struct {
    const char *name;
    void (*take)(scr_conversion *c);
} commands[] = {
    {"atom_style", nothing},
    {"atom_modify", nothing},
    {"boundary", boundary},
    {"comm_modify", nothing},
    {"comm_style", nothing},
    {"communicate", nothing},
    {"create_atoms", create_atoms},
    {"create_box", create_box},
    {"dump", dump},
    {"dump_modify", nothing},
    {"echo", nothing},
    {"fix", fix},
    {"fix_modify", nothing},
    {"group", group},
    {"hard_particles", nothing},
    {"lattice", lattice},
    {"log", nothing},
    {"modify_timing", nothing},
    {"neigh_modify", nothing},
    {"neighbor", nothing},
    {"newton", nothing},
    {"pair_coeff", scr_convert_pair_coeff},
    {"pair_style", scr_convert_pair_style},
    {"print", nothing},
    {"processors", nothing},
    {"read_data", read_data},
    {"region", region},
    {"reset_timestep", nothing},
    {"restart", nothing},
    {"run", run},
    {"set", set},
    {"shell", nothing},
    {"thermo", nothing},
    {"thermo_modify", nothing},
    {"thermo_style", nothing},
    {"timestep", timestep},
    {"undump", nothing},
    {"unfix", unfix},
    {"units", units},
    {"variable", variable},
    {"write_data", nothing},
    {"write_dump", nothing},
    {"write_restart", nothing},
};

static void take(scr_conversion *c)
{
    if (*c->script.why && strcmp(c->script.words[0], "variable")) return scr_convert_leave(c, "%s", c->script.why);
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        if (!strcmp(commands[k].name, c->script.words[0])) return commands[k].take(c);
    scr_convert_leave(c, "no equivalent in a scene");
}

/* ---- the scene ---- */

static void put(FILE *out, const char *key, double value)
{
    if (!isnan(value)) fprintf(out, ", %s: %.10g", key, value);
}

static void put_materials(const scr_conversion *c, FILE *out)
{
    fprintf(out, "\nmaterials:\n");
    for (int t = 0; t < c->type_count; t++) {
        const scr_convert_type *k = &c->types[t];
        bool assumed = isnan(k->density);
        fprintf(out, "  type%d: {density: %.10g", t + 1, assumed ? 1000 : k->density);
        put(out, "young", k->young), put(out, "poisson", k->poisson);
        fprintf(out, "}%s\n", assumed ? "  # density is not in the input" : "");
    }
}

static void put_pairs(const scr_conversion *c, FILE *out)
{
    for (int a = 0; a < c->type_count; a++)
        for (int b = a; b < c->type_count; b++) {
            double e = c->restitution[a][b], mu = c->friction[a][b], roll = c->rolling[a][b];
            if (isnan(e) && isnan(mu) && isnan(roll)) continue;
            char values[200] = "", name[40];
            size_t n = 0;
            if (!isnan(e)) n += (size_t)snprintf(values + n, sizeof values - n, ", restitution: %.10g", e);
            if (!isnan(mu)) n += (size_t)snprintf(values + n, sizeof values - n, ", friction: %.10g", mu);
            if (!isnan(roll) && c->law.rolling)
                snprintf(values + n, sizeof values - n, ", rolling_friction: %.10g", roll);
            snprintf(name, sizeof name, a == b ? "type%d" : "type%d/type%d", a + 1, b + 1);
            fprintf(out, "  %s: {%s}\n", name, values + 2);
        }
}

static void put_contacts(const scr_conversion *c, FILE *out)
{
    const scr_convert_law *l = &c->law;
    fprintf(out, "\ncontacts:\n  any: {normal: %s", l->hertz ? "hertz" : "hooke");
    if (!l->hertz && l->from_young) fprintf(out, ", stiffness: hertz-matched");
    if (!l->from_young) put(out, l->hertz ? "normal_modulus" : "stiffness", l->kn);
    const char *tangential = l->frictionless ? "none" : l->no_history ? "viscous" : l->hertz ? "mindlin" : "history";
    fprintf(out, ", tangential: %s", tangential);
    bool springs = !l->frictionless && !l->no_history;
    if (springs) put(out, l->hertz ? "tangential_modulus" : "tangential_stiffness", l->kt);
    if (l->viscous) put(out, "damping_rate", l->gamma_n), fprintf(out, ", damping: viscous");
    if (l->viscoelastic) put(out, "area_damping_rate", l->gamma_n), fprintf(out, ", damping: viscoelastic");
    if ((l->viscous || l->viscoelastic) && l->gamma_n > 0 && !l->frictionless)
        put(out, "damping_ratio", l->gamma_t / l->gamma_n);
    put(out, "restitution", l->restitution), put(out, "speed", l->speed);
    if (!l->frictionless) put(out, "friction", l->mu);
    if (l->rolling) fprintf(out, ", rolling: %s", l->rolling == 2 ? "constant" : "sds");
    if (l->rolling) put(out, "rolling_friction", l->rolling_friction);
    fprintf(out, "}\n");
    put_pairs(c, out);
}

// names begin with a letter and have no signs
static void put_name(FILE *out, const char *name)
{
    fprintf(out, "  %s", isalpha((unsigned char)*name) ? "" : "w");
    for (; *name; name++) fputc(isalnum((unsigned char)*name) || *name == '_' ? *name : '_', out);
    fprintf(out, ": {");
}

// @T@ stands for the diameter of a type, which may be set later
static void put_text(const scr_conversion *c, FILE *out, const char *text)
{
    const char *mark = strchr(text, '@');
    if (!mark) {
        fputs(text, out);
        return;
    }
    int type = atoi(mark + 1);
    double d = c->types[type - 1].diameter;
    fprintf(out, "%.*s%.10g%s", (int)(mark - text), text, isnan(d) ? 1 : d, strchr(mark + 1, '@') + 1);
}

static void put_bodies(const scr_conversion *c, FILE *out)
{
    if (c->body_count) fprintf(out, "\nbodies:\n");
    for (int k = 0; k < c->body_count; k++) {
        const scr_convert_body *b = &c->bodies[k];
        char frozen[32];
        snprintf(frozen, sizeof frozen, "material: type%d,", c->frozen_type);
        put_name(out, b->fix);
        put_text(c, out, b->text);
        if (b->inlet) put(out, "start", b->since), put(out, "until", b->until);
        if (c->frozen_type && strstr(b->text, frozen)) fprintf(out, ", frozen: yes");
        fprintf(out, "}\n");
    }
}

static void put_walls(scr_conversion *c, FILE *out)
{
    bool any = false;
    for (int k = 0; k < c->wall_count; k++) {
        const scr_convert_wall *w = &c->walls[k];
        if (w->surface) {
            fprintf(c->noted, "#   the mesh %s is not used by any `wall/gran` and is left out\n", w->name);
            continue;
        }
        if (!any) fprintf(out, "\nwalls:\n");
        any = true;
        put_name(out, w->name);
        fprintf(out, "%s, material: type%d%s", w->shape, scr_convert_type_of(c, w->type), w->motion);
        if (*w->moving) fprintf(out, ", %s}", w->moving);
        put(out, "since", w->since), put(out, "until", w->until);
        fprintf(out, "}\n");
    }
}

static void put_scene(scr_conversion *c, const char *input, FILE *out)
{
    const char *base = strrchr(input, '/');
    // walls may name types that nothing else does
    for (int k = 0; k < c->wall_count; k++) scr_convert_type_of(c, c->walls[k].type);
    if (!c->type_count) c->type_count = 1;
    fprintf(out, "# From %s, by `scree convert`.\nscree: 1\ngravity: [%.10g, %.10g, %.10g]\n", base ? base + 1 : input,
            c->gravity.x, c->gravity.y, c->gravity.z);
    fprintf(out, "domain:\n  box: [[%.10g, %.10g, %.10g], [%.10g, %.10g, %.10g]]\n", c->low.x, c->low.y, c->low.z,
            c->high.x, c->high.y, c->high.z);
    bool some = c->periodic[0] || c->periodic[1] || c->periodic[2], all = true;
    fprintf(out, some ? "  periodic: [" : "");
    for (int d = 0, n = 0; d < 3; d++)
        if (c->periodic[d])
            fprintf(out, "%s%c", n++ ? ", " : "", "xyz"[d]);
        else
            all = false;
    fprintf(out, some ? "]\n" : "");
    if (!all) fprintf(out, "  boundary: delete\n");
    put_materials(c, out);
    put_contacts(c, out);
    put_bodies(c, out);
    put_walls(c, out);
    fprintf(out, "\ntime: {end: %.10g", c->time > 0 ? c->time : 1);
    put(out, "step", c->dt);
    fprintf(out, "}\n");
    if (!isnan(c->every) && !isnan(c->dt)) fprintf(out, "output: {every: %.10g}\n", c->every * c->dt);
    fclose(c->noted), c->noted = NULL;
    if (c->notes_size) fprintf(out, "\n# Not translated, or only in part:\n%s", c->notes);
}

/* ---- all ---- */

static void begin(scr_conversion *c)
{
    c->dt = c->every = c->lattice = NAN;
    c->low = v3(0, 0, 0), c->high = v3(1, 1, 1);
    c->law = (scr_convert_law){.kn = NAN, .kt = NAN, .gamma_n = NAN, .gamma_t = NAN, .mu = NAN, .restitution = NAN};
    c->law.speed = c->law.rolling_friction = NAN;
    for (int a = 0; a < SCR_CONVERT_TYPES; a++) {
        c->types[a] = (scr_convert_type){NAN, NAN, NAN, NAN};
        for (int b = 0; b < SCR_CONVERT_TYPES; b++) c->restitution[a][b] = c->friction[a][b] = c->rolling[a][b] = NAN;
    }
}

static scree_status convert(scr_conversion *c, const char *input, const char *text, char **scene, size_t *size,
                            scree_report *report)
{
    c->noted = open_memstream(&c->notes, &c->notes_size);
    FILE *out = open_memstream(scene, size);
    if (c->noted && out) {
        begin(c);
        scr_script_open(&c->script, text);
        while (scr_script_next(&c->script)) take(c);
        if (!c->has_box) c->left++, fprintf(c->noted, "#   there is no create_box: a domain of 1 m is assumed\n");
        put_scene(c, input, out);
        scr_script_close(&c->script);
    }
    scree_status status = c->noted || !out ? scr_no_memory(report, "a scene") : SCREE_OK;
    if (c->noted) fclose(c->noted);
    if (out) fclose(out);
    free(c->notes);
    return status;
}

scree_status scree_convert(const char *input, const char *output, bool force, FILE *list, int *left,
                           scree_report *report)
{
    static const scr_output_kind kind = {0};
    size_t size = 0;
    char *text = scr_file_read(input, MOST_BYTES, &size, report), *scene = NULL;
    if (!text) return SCREE_E_INPUT;
    if (strlen(text) != size) {
        free(text);
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = input}, "is not text");
    }
    const char *slash = strrchr(input, '/');
    char *folder = slash ? strndup(input, (size_t)(slash + 1 - input)) : strdup("");
    scr_conversion *c = calloc(1, sizeof *c);
    scree_status status = SCREE_OK;
    if (!c || !folder) {
        status = scr_no_memory(report, "a scene");
    } else {
        c->folder = folder, c->list = list;
        status = convert(c, input, text, &scene, &size, report);
        if (left) *left = c->left;
    }
    if (!status) status = scr_output_write(output, &kind, force, scene, size, report);
    free(text), free(scene), free(folder), free(c);
    return status;
}
