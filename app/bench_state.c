/* States for the benchmarks: made once, by Scree itself, and kept as CSV files.
 *
 * A bed lies on a plane and is periodic along x and y; the smallest grains have diameter, density
 * and weight 1, the large ones the diameter D = ratio. It is made in three stages:
 *
 *   A  large grains, from a shaken cubic lattice, fall without friction and come to rest
 *   B  fines on a shaken cubic lattice in what is left, the large grains held: they fall and come to
 *      rest with a linear spring that is softer than the final law (long steps), 3 x 2000 steps
 *   C  all grains free, final law, 2 x 1500 steps
 *
 * After each part the grains are halted, which takes out what a long wait would.
 * Where there are too few fines to fill the pores (ratio 50 and more) they are heaped up in one pore
 * at the bottom. Springs of friction are not kept in a CSV file: a run from it starts with
 * none, in every program alike, and the bed gives a little until it has them again. */
#include "bench.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool bench_cache(char *path, size_t size, const char *name)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[2048];
    if (cache && *cache)
        snprintf(folder, sizeof folder, "%s", cache);
    else if (home && *home)
        snprintf(folder, sizeof folder, "%s/.cache", home);
    else
        return false;
    mkdir(folder, 0777);
    snprintf(path, size, "%s/scree", folder);
    if (mkdir(path, 0777) && errno != EEXIST) return false;
    snprintf(path, size, "%s/scree/%s", folder, name);
    return true;
}

double bench_halt(double z)
{
    return 0 * z;
}

bool bench_write_state(scree_simulation *s, const char *path, const int types[2], bench_flow *flow)
{
    static const char *const views[] = {"id", "group", "radius", "position", "velocity", "spin"};
    double *data[6] = {0};
    int64_t bodies = 0;
    int width;
    scree_report report;
    scree_report_init(&report);
    bool ok = true;
    for (int k = 0; k < 6; k++) ok = ok && !scree_simulation_read(s, views[k], &data[k], &bodies, &width, &report);
    char temporary[2400];
    snprintf(temporary, sizeof temporary, "%s.tmp", path);
    FILE *out = ok ? fopen(temporary, "w") : NULL;
    ok = out != NULL;
    if (ok) {
        fprintf(out, "id,type,diameter,density,x,y,z,vx,vy,vz,wx,wy,wz\n");
        for (int64_t i = 0; i < bodies; i++) {
            int type = types[data[1][i] == 0 ? 0 : 1];
            fprintf(out, "%.0f,%d,%.17g,1", data[0][i], type, 2 * data[2][i]);
            for (int d = 0; d < 3; d++) fprintf(out, ",%.17g", data[3][3 * i + d]);
            if (flow) fprintf(out, ",%.17g,0,0,0,0,0", flow(data[3][3 * i + 2]));
            for (int v = 4; v < 6 && !flow; v++)
                for (int d = 0; d < 3; d++) fprintf(out, ",%.17g", data[v][3 * i + d]);
            fputc('\n', out);
        }
        ok = fclose(out) == 0 && rename(temporary, path) == 0;
    }
    for (int k = 0; k < 6; k++) free(data[k]);
    scree_report_print(&report, stderr);
    scree_report_deinit(&report);
    return ok;
}

// a row of such a CSV, moved, under another id: id,type,diameter,density,x,y,...
static bool copy_row(char *row, FILE *out, size_t id, const double shift[2])
{
    char *kept = strchr(row, ','), *x = kept, *rest;
    for (int k = 0; k < 3 && x; k++) x = strchr(x + 1, ',');
    if (!x) return false;
    double at = strtod(x + 1, &rest);
    if (*rest != ',') return false;
    double beside = strtod(rest + 1, &rest);
    return fprintf(out, "%zu%.*s,%.17g,%.17g%s", id, (int)(x - kept), kept, at + shift[0], beside + shift[1], rest) > 0;
}

bool bench_copy_state(const char *from, const char *to, const double edge[2], int side)
{
    char row[1024];
    FILE *in = fopen(from, "r"), *out = in ? fopen(to, "w") : NULL;
    bool ok = out != NULL;
    size_t id = 0;
    for (int k = 0; k < side * side && ok; k++) {
        const double shift[2] = {edge[0] * (k % side), edge[1] * (k / side)};
        rewind(in);
        ok = fgets(row, sizeof row, in) && (k > 0 || fputs(row, out) >= 0);
        while (ok && fgets(row, sizeof row, in)) ok = copy_row(row, out, ++id, shift);
    }
    if (in) fclose(in);
    if (out) ok = fclose(out) == 0 && ok;
    if (!ok) fprintf(stderr, "scree bench: %s cannot be copied to %s\n", from, to);
    return ok;
}

/* ---- the problem ---- */

enum { FINE = 1, LARGE = 2 }; /* column `type` */
enum { LAYERS = 24, LARGE_LAYERS = 3 };
static const double shaken = 1.04; /* spacing of the lattice of fines */
static const double loose = 1.12;  /* spacing of that of the large grains, in diameters */

bench_bed bench_bed_of(int ratio, int grains)
{
    bench_bed bed = {.ratio = ratio, .grains = grains, .poisson = 0.3, .friction = 0.5, .full = true};
    double diameter = ratio;
    if (ratio == 1) {
        bed.width = shaken * fmax(4, round(sqrt(grains / (double)LAYERS)));
        bed.height = shaken * (grains / pow(bed.width / shaken, 2) + 2);
    } else {
        // lattice sites that a column of large grains leaves to the fines
        double column = pow(loose * diameter, 2) * 0.95 * LARGE_LAYERS * diameter;
        double taken = LARGE_LAYERS * M_PI / 6 * pow(diameter + 1, 3);
        double sites = (column - taken) / pow(shaken, 3);
        double side = fmax(2, round(sqrt(grains / sites)));
        bed.full = side > 2;
        bed.width = loose * diameter * side;
        bed.height = loose * diameter * (LARGE_LAYERS + 0.5);
        bed.large = (int)(LARGE_LAYERS * side * side);
    }
    // the large grains press each other by 1.6 % at most, whatever the ratio
    bed.kn = 2e5 * fmax(1, ratio / 100.0);
    bed.kt = bed.kn * 3 * (1 - bed.poisson) / (2 - bed.poisson);
    // damping between large grains must be slow against the step, which is made for the fines
    bed.gamma = 1000 / fmax(1, ratio / 20.0);
    bed.dt = 1e-4 * pow(bed.kn / 2e5, -0.4);
    return bed;
}

/* ---- scenes ---- */

/* What differs between the runs on one bed. */
typedef struct {
    const char *file;
    const char *contact; /* law */
    const char *scheme;
    double dt;     /* 0: chosen by the program */
    bool hold;     /* the large grains */
    bool no_fines; /* yet */
} stage;

static void scene_text(const bench_bed *bed, const stage *s, char *text, size_t size)
{
    char fines[2600] = "", large[2600] = "", step[40] = "";
    if (!s->no_fines)
        snprintf(fines, sizeof fines, "  fines: {from: table, file: \"%s\", type: 1, material: grain}\n", s->file);
    if (bed->large)
        snprintf(large, sizeof large, "  large: {from: table, file: \"%s\", type: 2, material: grain, frozen: %s}\n",
                 s->file, s->hold ? "yes" : "no");
    if (s->dt > 0) snprintf(step, sizeof step, ", step: %.17g", s->dt);
    // kn = 4/3 E* = 2/3 E/(1 - nu^2) for equal materials
    double young = 1.5 * (1 - bed->poisson * bed->poisson) * bed->kn;
    snprintf(text, size,
             "scree: 1\ntitle: bed\n"
             "domain: {box: [[0, 0, -1], [%.17g, %.17g, %.17g]], periodic: [x, y]}\n"
             "gravity: [0, 0, -1]\n"
             "materials: {grain: {density: 1, young: %.17g, poisson: %.17g}}\n"
             "contacts: {any: {%s}}\n"
             "bodies:\n%s%s"
             "walls: {floor: {shape: plane, material: grain}}\n"
             "stepper: {type: soft, scheme: %s}\n"
             "time: {end: 1%s}\n",
             bed->width, bed->width, bed->height, young, bed->poisson, s->contact, fines, large, s->scheme, step);
}

static void final_law(const bench_bed *bed, double restitution, char *text, size_t size)
{
#define ELASTIC "normal: hertz, tangential: mindlin, friction: %.17g, "
    if (restitution > 0)
        snprintf(text, size, ELASTIC "restitution: %.17g, damping_ratio: 1", bed->friction, restitution);
    else
        snprintf(text, size, ELASTIC "damping: viscoelastic, area_damping_rate: %.17g, damping_ratio: 0.5",
                 bed->friction, bed->gamma);
}

void bench_bed_scene(const bench_bed *bed, const bench_run *run, char *text, size_t size)
{
    char law[256];
    final_law(bed, run->restitution, law, sizeof law);
    const stage s = {.file = bed->path, .contact = law, .scheme = run->scheme, .dt = bed->dt};
    scene_text(bed, &s, text, size);
}

/* ---- making one ---- */

// from the CSV of a stage to the CSV of the next, in which all grains are halted; `place` (may be NULL) gets the
// positions, by id
static bool run_stage(const bench_bed *bed, const stage *s, int steps, double **place)
{
    char text[8192];
    scene_text(bed, s, text, sizeof text);
    bench_world w = bench_open(text, scree_simulation_def_default());
    bool ok = w.simulation && bench_advance(w.simulation, steps) >= 0 &&
              bench_write_state(w.simulation, s->file, (const int[2]){s->no_fines ? LARGE : FINE, LARGE}, bench_halt);
    scree_report report;
    scree_report_init(&report);
    int64_t bodies;
    int width;
    if (place) ok = ok && !scree_simulation_read(w.simulation, "position", place, &bodies, &width, &report);
    scree_report_deinit(&report);
    bench_close(&w);
    return ok;
}

typedef struct {
    double x[3], far; /* how late this site is filled */
} site;

static double random_part(uint64_t *state) /* in [-1/2, 1/2) */
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) * 0x1p-53 - 0.5;
}

static int earlier(const void *a, const void *b)
{
    double x = ((const site *)a)->far, y = ((const site *)b)->far;
    return (x > y) - (x < y);
}

// clear of the large grains, also across the periodic sides
static bool is_free(const bench_bed *bed, const double *large, const double *x)
{
    double reach = 0.5 * (bed->ratio + 1) + 0.02;
    for (int k = 0; large && k < bed->large; k++) {
        double d[3];
        for (int a = 0; a < 3; a++) d[a] = x[a] - large[3 * k + a];
        for (int a = 0; a < 2; a++) d[a] -= bed->width * round(d[a] / bed->width);
        if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach) return false;
    }
    return true;
}

// a shaken cubic lattice on the floor for grains of diameter d, in the order of filling: layer by
// layer, or, where `around` is set, as a heap of that radius in the middle
static site *lattice(const bench_bed *bed, double d, double spacing, double around, const double *large, size_t *count)
{
    int side = (int)floor(bed->width / spacing * (1 + 1e-9));
    int layers = (int)((around > 0 ? around : bed->height) / spacing);
    double pitch = bed->width / side, middle = 0.5 * bed->width;
    int first = around > 0 ? (int)fmax(0, (middle - around) / pitch) : 0, row = side - 2 * first;
    site *sites = malloc((size_t)row * (size_t)row * (size_t)layers * sizeof *sites);
    uint64_t random = 1;
    *count = 0;
    for (int n = 0; sites && n < row * row * layers; n++) {
        site *s = &sites[*count];
        const double c[3] = {pitch * (first + n % row + 0.5), pitch * (first + n / row % row + 0.5),
                             spacing * (n / row / row + 0.5)};
        for (int a = 0; a < 3; a++) s->x[a] = c[a] + 0.9 * (spacing - d) * random_part(&random);
        s->far = around > 0 ? 0.45 * hypot(c[0] - middle, c[1] - middle) + c[2] : n;
        *count += is_free(bed, large, s->x);
    }
    if (sites) qsort(sites, *count, sizeof *sites, earlier);
    return sites;
}

static void write_grain(FILE *out, size_t id, int type, double d, const double *x, uint64_t *random)
{
    fprintf(out, "%zu,%d,%.17g,1,%.17g,%.17g,%.17g", id, type, d, x[0], x[1], x[2]);
    for (int a = 0; a < 3; a++) fprintf(out, ",%.17g", random ? sqrt(d) * random_part(random) : 0.0);
    fprintf(out, ",0,0,0\n");
}

// the large grains where they are (not NULL) and `count` sites to a CSV
static bool write_start(const bench_bed *bed, const double *large, const site *sites, size_t count, int type, double d)
{
    FILE *out = fopen(bed->path, "w");
    if (!out) return false;
    fprintf(out, "id,type,diameter,density,x,y,z,vx,vy,vz,wx,wy,wz\n");
    size_t id = 0;
    uint64_t random = 2;
    for (int k = 0; large && k < bed->large; k++) write_grain(out, ++id, LARGE, bed->ratio, large + 3 * k, NULL);
    for (size_t k = 0; k < count; k++) write_grain(out, ++id, type, d, sites[k].x, &random);
    return fclose(out) == 0;
}

// stage A; *large are the positions
static bool make_large(const bench_bed *bed, double **large)
{
    size_t count;
    double d = bed->ratio;
    site *sites = lattice(bed, d, loose * d, 0, NULL, &count);
    bool ok = sites && count >= (size_t)bed->large && write_start(bed, NULL, sites, (size_t)bed->large, LARGE, d);
    free(sites);
    char law[256];
    bench_bed smooth = *bed;
    smooth.friction = 0;
    final_law(&smooth, 0.3, law, sizeof law);
    // in units of the large grains it is the bed of ratio 1
    const stage s = {.file = bed->path, .contact = law, .scheme = "improved", .dt = 2e-4 * sqrt(d), .no_fines = true};
    return ok && run_stage(bed, &s, 40000, large);
}

static bool fill_pores(const bench_bed *bed, const double *large)
{
    size_t count, wanted = (size_t)(bed->grains - bed->large);
    double around = bed->full ? 0 : 1.7 * cbrt((double)wanted);
    site *sites = lattice(bed, 1, shaken, around, large, &count);
    bool ok = sites && count >= wanted && write_start(bed, large, sites, wanted, FINE, 1);
    free(sites);
    return ok;
}

// stages B and C
static bool settle(const bench_bed *bed)
{
    const double soft = 2e3; // a Hertz contact that bears some grains has about three times this
    char law[256];
    snprintf(law, sizeof law, "normal: hooke, stiffness: %g, restitution: 0.2, friction: %g", soft, bed->friction);
    const stage fall = {.file = bed->path, .contact = law, .scheme = "standard", .dt = 0.08 / sqrt(soft), .hold = true};
    bool ok = true;
    for (int k = 0; k < 3; k++) ok = ok && run_stage(bed, &fall, 2000, NULL);
    final_law(bed, 0.1, law, sizeof law);
    const stage rest = {.file = bed->path, .contact = law, .scheme = "improved", .dt = bed->dt};
    // fines that fill no pore run apart on the large grains, and take longer
    for (int k = 0; k < (bed->full ? 2 : 8); k++) ok = ok && run_stage(bed, &rest, 1500, NULL);
    return ok;
}

bool bench_bed_make(bench_bed *bed, const char *state)
{
    struct stat info;
    char name[64];
    snprintf(name, sizeof name, "bed-2-%d-%d.csv", bed->ratio, bed->grains);
    if (state)
        snprintf(bed->path, sizeof bed->path, "%.2200s", state);
    else if (!bench_cache(bed->path, sizeof bed->path, name))
        return false;
    if (!stat(bed->path, &info)) return true;
    fprintf(stderr, "making a bed of %d grains, size ratio %d (once; kept in %s)\n", bed->grains, bed->ratio,
            bed->path);
    bench_bed work = *bed;
    snprintf(work.path, sizeof work.path, "%.2250s.part", bed->path);
    double *large = NULL;
    bool ok = (!bed->large || make_large(&work, &large)) && fill_pores(&work, large) && settle(&work) &&
              rename(work.path, bed->path) == 0;
    free(large);
    if (!ok) fprintf(stderr, "scree bench: the bed cannot be made\n");
    return ok;
}
