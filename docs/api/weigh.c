/* Grains fall into a box and are weighed by its floor; then half of them are taken out, and it is weighed again.
 *
 *   cc weigh.c -o weigh $(pkg-config --cflags --libs scree) && ./weigh */
#include <scree/scree.h>
#include <stdio.h>
#include <stdlib.h>

static const char scene_text[] =
    "scree: 1\n"
    "title: weighed by the floor\n"
    "domain: {box: [[0, 0, 0], [0.04, 0.04, 0.2]]}\n"
    "materials: {glass: {density: 2500, restitution: 0.4, friction: 0.4}}\n"
    "contacts: {any: {stiffness: 2e3}}\n"
    "walls:\n"
    "  floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}\n"
    "  sides: {shape: box, box: [[0, 0, -0.1], [0.04, 0.04, 0.3]], material: glass}\n"
    "bodies: {grains: {from: lattice, material: glass, radius: 4 mm,\n"
    "  region: {shape: box, box: [[0, 0, 0], [0.04, 0.04, 0.08]]}}}\n"
    "time: {end: 1}\n";

/* Prints what went wrong and ends. */
static void must(scree_status status, scree_report *report)
{
    scree_report_print(report, stderr);
    if (status) exit(scree_status_exit_code(status));
}

/* The weight of all grains [N], through a view: no copy is made. */
static double weight(scree_simulation *sim, scree_report *report)
{
    scree_view mass;
    double sum = 0;
    must(scree_simulation_view_find(sim, "mass", &mass, report), report);
    for (int64_t k = 0; k < mass.rows; k++) sum += *(double *)((char *)mass.data + k * mass.stride);
    return 9.81 * sum;
}

static double floor_load(const scree_simulation *sim)
{
    return -scree_simulation_wall(sim, scree_simulation_wall_find(sim, "floor")).force[2];
}

/* Every second grain leaves. */
static void take_half(scree_simulation *sim, scree_report *report)
{
    scree_view id;
    must(scree_simulation_view_find(sim, "id", &id, report), report);
    int64_t count = 0, *ids = malloc((size_t)id.rows * sizeof *ids);
    if (!ids) exit(1);
    for (int64_t k = 0; k < id.rows; k += 2) ids[count++] = *(int64_t *)((char *)id.data + k * id.stride);
    must(scree_simulation_remove(sim, ids, count, report), report);
    free(ids);
}

int main(void)
{
    scree_report report;
    scree_scene *scene;
    scree_simulation *sim;
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = 1;
    scree_report_init(&report);
    must(scree_scene_parse(scene_text, "weigh.yaml", NULL, 0, &scene, &report), &report);
    must(scree_simulation_create(scene, &def, &sim, &report), &report);
    for (int round = 0; round < 2; round++) {
        double end = scree_simulation_clock(sim).time + 0.5, load = 0;
        must(scree_simulation_advance_until(sim, end - 0.1, &report), &report);
        // the grains still rattle: the mean over a tenth of a second
        for (int k = 1; k <= 100; k++) {
            must(scree_simulation_advance_until(sim, end - 0.1 + 0.001 * k, &report), &report);
            load += floor_load(sim) / 100;
        }
        scree_energies e = scree_simulation_energies(sim);
        printf("%lld grains weigh %.4f N, the floor carries %.4f N; energy balance error %.1e J\n",
               (long long)scree_simulation_stats(sim).bodies, weight(sim, &report), load, e.closure);
        if (round == 0) take_half(sim, &report);
    }
    scree_simulation_destroy(sim);
    scree_scene_close(scene);
    scree_report_deinit(&report);
    return 0;
}
