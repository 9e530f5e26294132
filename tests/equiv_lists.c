/* The state after N steps depends on the scene alone: not on the skin, on when the neighbour list is built, on the
 * number of threads or on the width of vectors.
 *
 * Five scenes: flow down a chute, a bed pressed by a wall with a servo, grains that come and go, bonds that break, and
 * sizes 1 : 20. Each runs 2000 steps in each of these ways; digest, energies and counts must agree to the last bit, and
 * the numbers of lists must not. */
#include <strings.h>

#include "exec/cpu/threads.h"
#include "stage.h"

enum { STEPS = 2000 };

typedef struct {
    uint64_t digest;
    scree_stats stats;
    scree_energies energies;
    double travel; /* of the wall with a servo [m] */
} outcome;

typedef struct {
    const char *name, *text; /* %s: skin */
    double diameter;         /* the smallest [m] */
    int64_t least;           /* contacts at the end */
    bool (*happened)(const outcome *o);
} scene;

static bool has_slid(const outcome *o)
{
    return o->energies.friction > 0 && o->energies.damping > 0;
}

static bool has_pressed(const outcome *o)
{
    return has_slid(o) && o->travel > 1e-3 && o->energies.rolling > 0;
}

static bool has_come_and_gone(const outcome *o)
{
    return has_slid(o) && o->energies.inserted != 0 && o->energies.removed != 0;
}

static bool has_broken(const outcome *o)
{
    return o->stats.bonds > 0 && o->stats.broken_tension > 0 && o->stats.broken_shear > 0;
}

static const scene scenes[] = {
    {"chute",
     "scree: 1\ngravity: [4.3, 0.7, -8.8]\n"
     "domain: {box: [[0, 0, 0], [7 cm, 3.5 cm, 15 cm]], periodic: [x, y]}\n"
     "materials: {glass: {density: 2500, restitution: 0.7, friction: 0.5}}\n"
     "contacts: {any: {stiffness: 2000}}\n"
     "bodies:\n"
     "  base: {from: lattice, material: glass, diameter: 5 mm, frozen: yes, region: {box: [[0, 0, "
     "0], [7 cm, 3.5 cm, 5 mm]]}}\n"
     "  flow: {from: lattice, kind: fcc, material: glass, diameter: [3.5 mm, 4.5 mm], spacing: 4.6 "
     "mm, jitter: 1,\n"
     "    velocity: [1.5, -0.4, 0], region: {box: [[0, 0, 5.5 mm], [7 cm, 3.5 cm, 4.5 cm]]}}\n"
     "walls: {floor: {shape: plane, material: glass}}\n"
     "stepper: {type: soft, skin: %s}\n"
     "time: {end: 1, step: 2e-5}\n",
     3.5e-3, 500, has_slid},
    {"bed",
     "scree: 1\n"
     "domain: {box: [[0, 0, 0], [6 cm, 6 cm, 12 cm]]}\n"
     "materials: {sand: {density: 2500, young: 1e7, poisson: 0.2, restitution: 0.4, friction: "
     "0.6}, steel: {density: 7800, young: 1e8, poisson: 0.3, friction: 0.2}}\n"
     "contacts: {any: {normal: hertz, rolling: sds, rolling_friction: 0.1}}\n"
     "bodies: {bed: {from: lattice, kind: hcp, material: sand, diameter: [4 mm, 6 mm], spacing: "
     "6.1 mm, jitter: 1, velocity: [0.1, 0, -0.4],\n"
     "  region: {box: [[1 mm, 1 mm, 11 mm], [59 mm, 59 mm, 50 mm]]}}}\n"
     "walls:\n"
     "  box: {shape: box, material: steel, box: [[0, 0, 0], [6 cm, 6 cm, 12 cm]]}\n"
     "  paddle: {shape: rectangle, material: steel, corner: [2 cm, 3 cm, 1 mm], along: [2 cm, 0, "
     "0], "
     "across: [0, 0, 9 mm], rotation: {rate: 20 rad/s, axis: [0, 0, 1], point: [3 cm, 3 cm, 0]}}\n"
     "  plate: {shape: plane, material: steel, point: [0, 0, 5.1 cm], normal: [0, 0, -1],\n"
     "    servo: {axis: [0, 0, -1], force: 20, max_speed: 0.3, ramp: 0.01}}\n"
     "stepper: {type: soft, skin: %s}\n"
     "time: {end: 1, step: 2e-5}\n",
     4e-3, 500, has_pressed},
    {"ports",
     "scree: 1\n"
     "domain: {box: [[-6 cm, -6 cm, -4 cm], [6 cm, 6 cm, 12 cm]], boundary: delete}\n"
     "materials: {glass: {density: 2500, restitution: 0.4, friction: 0.5}}\n"
     "contacts: {any: {stiffness: 1000}}\n"
     "bodies:\n"
     "  bed: {from: lattice, kind: fcc, material: glass, diameter: 6 mm, spacing: 6.1 mm, "
     "velocity: [0.3, 0.2, -0.6],\n"
     "    region: {shape: cylinder, from: [0, 0, 1 mm], to: [0, 0, 2.5 cm], radius: 5 cm}}\n"
     "  rain: {from: inlet, material: glass, diameter: [4 mm, 7 mm], rate: 8000, velocity: [0, 0, "
     "-1], spread: 0.5,\n"
     "    region: {shape: cylinder, from: [0, 0, 6 cm], to: [0, 0, 11 cm], radius: 5.5 cm}}\n"
     "walls:\n"
     "  side: {shape: cylinder, material: glass, from: [0, 0, 0], to: [0, 0, 5 cm], radius: 5 cm}\n"
     "  floor: {shape: frustum, material: glass, from: [0, 0, 0], to: [0, 0, 0.1 mm], "
     "radius_from: 25 mm, radius_to: 5 cm}\n"
     "outlets: {drain: {shape: plane, point: [0, 0, -5 mm], side: below}}\n"
     "stepper: {type: soft, skin: %s}\n"
     "time: {end: 1, step: 4e-5}\n",
     4e-3, 300, has_come_and_gone},
    {"bonds",
     "scree: 1\ngravity: [0, 0, 0]\n"
     "domain: {box: [[-4 cm, -4 cm, -4 cm], [4 cm, 4 cm, 4 cm]]}\n"
     "materials: {stone: {density: 2500, restitution: 0.5, friction: 0.5}, steel: {density: "
     "7800}}\n"
     "contacts: {any: {stiffness: 100 kN/m, restitution: 0.5, friction: 0.3}}\n"
     "bodies: {disc: {from: lattice, kind: hcp, material: stone, radius: 1 mm, region: {shape: "
     "cylinder, from: [0, 0, -3 mm], to: [0, 0, 3 mm], radius: 14 mm}}}\n"
     "bonds: {cement: {between: disc, young: 0.05 GPa, poisson: 0.2, tensile_strength: 0.5 MPa, "
     "shear_strength: 1 MPa}}\n"
     "walls:\n"
     "  below: {shape: plane, material: steel, point: [0, -13.5 mm, 0], normal: [0, 1, 0], "
     "velocity: [0, 1, 0]}\n"
     "  above: {shape: plane, material: steel, point: [0, 13.5 mm, 0], normal: [0, -1, 0], "
     "velocity: [0, -1, 0]}\n"
     "stepper: {type: soft, skin: %s}\n"
     "time: {end: 1, step: 1e-6}\n",
     2e-3, 500, has_broken},
    {"ratio",
     "scree: 1\n"
     "domain: {box: [[-5 cm, -5 cm, 0], [5 cm, 5 cm, 20 cm]], periodic: [y]}\n"
     "materials: {glass: {density: 2500, restitution: 0.6, friction: 0.4}, foam: {density: 300, "
     "restitution: 0.2, friction: 0.3}}\n"
     "contacts: {any: {stiffness: 10000, cohesion: linear, adhesion: 1e-4}}\n"
     "bodies:\n"
     "  large: {from: positions, material: foam, diameter: 4 cm, positions: [[2 cm, 4 cm, 2.65 "
     "cm], "
     "[-2.5 cm, -1 cm, 2.7 cm]], velocity: [0, 0, -0.6]}\n"
     "  middle: {from: random, material: foam, diameter: [6 mm, 12 mm], count: 40, velocity: [0.5, "
     "0.5, -1], region: {box: [[-5 cm, -5 cm, 5.1 cm], [5 cm, 5 cm, 9 cm]]}}\n"
     "  small: {from: lattice, kind: fcc, material: glass, diameter: 2 mm, spacing: 3.6 mm, "
     "jitter: "
     "1, region: {box: [[-5 cm, -5 cm, 0.1 mm], [5 cm, 5 cm, 5 mm]]}}\n"
     "walls: {box: {shape: box, material: glass, box: [[-5 cm, -9, 0], [5 cm, 9, 9]]}}\n"
     "stepper: {type: soft, skin: %s}\n"
     "time: {end: 1, step: 5e-6}\n",
     2e-3, 50, has_slid},
};

typedef struct {
    const char *name;
    double skin; /* over the smallest diameter */
    int list_every, threads;
    const char *vector;
} way;

static const way ways[] = {
    {"as it is", 1.0 / 16, 0, 1, ""},
    {"skin 1/8, 2 threads", 1.0 / 8, 0, 2, ""},
    {"skin 1/40, AVX2", 1.0 / 40, 0, 1, "avx2"},
    {"a list every step", 1.0 / 16, 1, 3, ""},
    {"every 7 steps", 1.0 / 8, 7, 2, "portable"},
    {"skin 1/16, AVX2", 1.0 / 16, 0, 2, "avx2"},
    {"skin 1/40, portable", 1.0 / 40, 0, 3, "portable"},
    {"skin 1/8, AVX2", 1.0 / 8, 0, 3, "avx2"},
};
enum { SCENES = sizeof scenes / sizeof *scenes, WAYS = sizeof ways / sizeof *ways };

static outcome run(const scene *one, const way *how)
{
    char text[4096], skin[32];
    outcome o = {0};
    stage s = {0};
    snprintf(skin, sizeof skin, "%.17g", how->skin * one->diameter);
    snprintf(text, sizeof text, one->text, skin);
    setenv("SCREE_VECTOR", how->vector, 1);
    scree_report_init(&s.report);
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = true, def.threads = how->threads, def.list_every = how->list_every;
    scree_status status = scree_scene_parse(text, one->name, NULL, 0, &s.scene, &s.report);
    if (!status) status = scree_simulation_create(s.scene, &def, &s.sim, &s.report);
    CHECK(status == SCREE_OK);
    CHECK_INT(scr_threads(), how->threads);
    if (status) scree_report_print(&s.report, stdout);
    if (!status) {
        stage_advance(&s, STEPS);
        o.stats = scree_simulation_stats(s.sim);
        o.energies = scree_simulation_energies(s.sim);
        o.digest = scree_simulation_digest(s.sim, &s.report);
        int plate = scree_simulation_wall_find(s.sim, "plate");
        if (plate >= 0) o.travel = scree_simulation_wall(s.sim, plate).travel;
    }
    stage_close(&s);
    return o;
}

// a list every so many steps; as needed, a thinner skin needs more of them, and the same skin as many
static void check_lists(const outcome *all, int m)
{
    const way *how = &ways[m];
    if (how->list_every) CHECK(all[m].stats.rebuilds >= STEPS / how->list_every);
    for (int n = 0; n < m && !how->list_every; n++) {
        int64_t more = all[m].stats.rebuilds - all[n].stats.rebuilds;
        if (ways[n].list_every) continue;
        CHECK(how->skin < ways[n].skin ? more > 0 : how->skin > ways[n].skin ? more < 0 : more == 0);
    }
}

int main(int argc, char **argv)
{
    stage_wait_passively(argv);
    unsetenv("SCREE_VECTOR");
    scr_vectors widest = scr_cpu_vectors();
    if (widest < SCR_VECTORS_AVX512) printf("skipped: AVX-512, which this machine lacks\n");
    for (int k = 0; k < SCENES; k++) {
        if (argc > 1 && strcmp(argv[1], scenes[k].name)) continue;
        outcome all[WAYS] = {{0}};
        for (int m = 0; m < WAYS; m++) {
            const outcome *o = &all[m];
            all[m] = run(&scenes[k], &ways[m]);
            printf("%-6s %-20s %016llx, %lld grains, %lld contacts, %lld lists, %s vectors\n", scenes[k].name,
                   ways[m].name, (unsigned long long)o->digest, (long long)o->stats.bodies,
                   (long long)o->stats.contacts, (long long)o->stats.rebuilds, o->stats.vectors);
            CHECK(o->digest == all->digest);
            CHECK(!memcmp(&o->energies, &all->energies, sizeof o->energies));
            CHECK_INT(o->stats.contacts, all->stats.contacts);
            CHECK_INT(o->stats.step, STEPS);
            if (widest >= SCR_VECTORS_AVX2 && *ways[m].vector) CHECK(!strcasecmp(o->stats.vectors, ways[m].vector));
            CHECK(o->stats.contacts >= scenes[k].least && scenes[k].happened(o));
            check_lists(all, m);
        }
    }
    return check_done();
}
