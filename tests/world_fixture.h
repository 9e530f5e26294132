/* A small world made by hand for tests of checkpoints, results and export: bodies whose memory
 * order is not the order of ids, names with awkward letters, two walls of three faces, and contacts
 * with history. */
#ifndef SCREE_TESTS_WORLD_FIXTURE_H
#define SCREE_TESTS_WORLD_FIXTURE_H

#include <dirent.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/random.h"
#include "world/world.h"

static inline void fixture_bodies(scr_bodies *b, size_t count, scr_random *r)
{
    scr_table_reserve(&b->table, count);
    b->table.count = count;
    for (size_t k = 0; k < count; k++) {
        for (int d = 0; d < 4; d++) {
            b->place[4 * k + d] = scr_random_between(r, 0.001, 1);
            b->motion[4 * k + d] = scr_random_between(r, 0.001, 1);
            b->spin[4 * k + d] = scr_random_between(r, 0.001, 1);
            b->load[8 * k + d] = scr_random_between(r, -1, 1);
            b->load[8 * k + 4 + d] = scr_random_between(r, -1, 1);
            b->anchor[4 * k + d] = scr_random_between(r, 0.001, 1);
            b->image[4 * k + d] = d < 3 ? (int32_t)(k % 5) - 2 : 0;
        }
        b->load[8 * k + 3] = b->load[8 * k + 7] = 0;
        b->mass[k] = scr_random_between(r, 1, 2);
        b->id[k] = (int64_t)((k * 7 + 3) % count) + 1; // count must not be a multiple of 7
        b->material[k] = (int32_t)(k % 2);
        b->group[k] = (int32_t)(k % 3);
        b->carrier[k] = (int32_t)(k % 2);
    }
    // the awkward values of floating point survive too
    if (count > 2) b->motion[0] = -0.0, b->motion[1] = 5e-324, b->motion[2] = 1.7e308;
}

static inline void fixture_walls(scr_world *w)
{
    w->wall_count = 2;
    w->walls = calloc(2, sizeof *w->walls);
    w->walls[0] = (scr_wall){.name = strdup("side/with 50 % slope"),
                             .shape = strdup("frustum"),
                             .material = 1,
                             .face_count = 2,
                             .active = true};
    w->walls[1] = (scr_wall){.name = strdup("Böden"),
                             .shape = strdup("plane"),
                             .first_face = 2,
                             .face_count = 1,
                             .active = true,
                             .velocity = {0, 0, 0.1},
                             .pose = {.shift = {0, 0, 0.3}},
                             .anchor = {.shift = {0, 0, 0.29}},
                             .spin = {0.1, 0, 7},
                             .force = {1, 2, -3},
                             .torque = {-1, 0.5, 3},
                             .travel = 0.01};
    w->walls[1].base = pose_turn(v3(0, 0, 1), 0.3);
    scr_total_add(&w->walls[1].load[4], -3);
    w->face_count = 3;
    CHECK(scr_reserve(&w->faces, 3));
    w->faces[0] = (scr_face){.kind = SCR_FACE_SHELL, .axis = {0, 0, 1}, .length = 2, .radius = {0.5, 1}, .material = 1};
    w->faces[1] = (scr_face){.kind = SCR_FACE_TRIANGLE,
                             .point = {0, 0, 3},
                             .axis = {0, 0, -1},
                             .edge = {{0, 1, 0}, {1, 0, 0}},
                             .material = 1};
    w->faces[2] = (scr_face){.kind = SCR_FACE_PLANE, .axis = {0, 0, 1}, .wall = 1};
}

// a part that carries a wall, a clump, and a joint
static inline void fixture_rigids(scr_world *w, scr_random *r)
{
    w->part_count = 1;
    w->parts = calloc(1, sizeof *w->parts);
    w->parts[0].name = strdup("arm of 50 %");
    w->walls[1].carried = true;
    scr_table_reserve(&w->rigids.table, 2);
    for (int k = 0; k < 2; k++) {
        scr_rigid_add(&w->rigids, k ? SCR_RIGID_CLUMP : SCR_RIGID_PART, k, v3(0.1, 0.2, 0.3 + k), 2, v3(1, 2, 2.5),
                      quat_exp(v3(0.3, 0.1 * k, 0.2)));
        scr_rigid_set_spin(&w->rigids, (size_t)k, v3(1, 2, scr_random_unit(r)));
    }
    w->joint_count = 1;
    w->joints = calloc(1, sizeof *w->joints);
    w->joints[0] = (scr_joint){.name = strdup("pin"), .kind = SCR_JOINT_HINGE, .body = {-1, 0}};
    w->joints[0].coordinate[0] = scr_random_unit(r);
    w->joints[0].impulse[7] = scr_random_unit(r);
}

static inline void fixture_contacts(scr_world *w, size_t bodies, scr_random *r)
{
    scr_contacts *c = &w->contacts;
    size_t count = bodies > 1 ? 2 * bodies : 0;
    scr_table_reserve(&c->table, count);
    c->table.count = count;
    for (size_t k = 0; k < count; k++) {
        scr_contact_join(c, k, &w->bodies, k / 2, k % 2 ? -1 - (int32_t)(k % 3) : (int32_t)((k / 2 + 1) % bodies));
        for (int d = 0; d < 4; d++) c->history[4 * k + d] = scr_random_between(r, -1, 1);
    }
}

static inline void fixture_bonds(scr_world *w, size_t bodies, scr_random *r)
{
    scr_bonds *b = &w->bonds;
    size_t count = bodies > 1 ? bodies - 1 : 0;
    w->bond_law_count = 2;
    w->bond_laws = calloc(2, sizeof *w->bond_laws);
    w->bond_laws[0] = (scr_bond_law){strdup("wax"), 1e6, 0.3, NAN, 1, INFINITY, 1e3, 0.1};
    w->bond_laws[1] = (scr_bond_law){strdup("ash/50 %"), 1e9, NAN, 2.5, 0.5, 1e5, INFINITY, 0};
    scr_table_reserve(&b->table, count);
    b->table.count = count;
    for (size_t k = 0; k < count; k++) {
        scr_bond_join(b, k, &w->bodies, k, k + 1);
        b->law[k] = k % 2, b->fate[k] = k % 3;
        for (int d = 0; d < 2; d++) b->shape[2 * k + d] = scr_random_between(r, 0.1, 1);
        for (int d = 0; d < 4; d++) {
            b->spring[4 * k + d] = scr_random_between(r, 1, 2);
            b->damper[4 * k + d] = scr_random_between(r, 1, 2);
            b->shear[4 * k + d] = scr_random_between(r, -1, 1);
            b->bend[4 * k + d] = d < 3 ? scr_random_between(r, -1, 1) : 0;
        }
        for (int d = 0; d < 8; d++) b->rate[8 * k + d] = scr_random_between(r, -1, 1);
    }
}

static inline void fixture_world(scr_world *w, size_t bodies, uint64_t seed)
{
    scr_random r = scr_random_stream(seed, 0);
    scr_world_init(w);
    w->domain = (scr_domain){.lower = {-1, -2, -3}, .upper = {4, 5, 6}, .periodic = {true, false, true}};
    w->gravity = (vec3){0, 0, -9.81};
    w->material_count = 2;
    w->materials = calloc(2, sizeof *w->materials);
    w->materials[0] = (scr_material){strdup("glass"), 2500, NAN, NAN};
    w->materials[1] = (scr_material){strdup("."), 7800, 2e11, 0.3};
    w->laws = scr_memory_new(4, sizeof *w->laws);
    for (int k = 0; k < 4; k++) w->laws[k] = (scr_law){.kn = 1e5 + k % 3, .kt = 2e4, .mu = 0.5, .restitution = NAN};
    w->law_source = 0xfedcba9876543210u;
    w->group_count = 3;
    w->groups = calloc(3, sizeof *w->groups);
    w->groups[0] = (scr_group){.name = strdup("zeta")};
    w->groups[1] = (scr_group){.name = strdup("alpha"), .material = 1, .frozen = true};
    w->groups[2] = (scr_group){.name = strdup(""), .material = 1};
    fixture_walls(w);
    fixture_rigids(w, &r);
    fixture_bodies(&w->bodies, bodies, &r);
    fixture_contacts(w, bodies, &r);
    fixture_bonds(w, bodies, &r);
    w->clock = (scr_clock){.time = 0.1 + 0.2, .step = 1000, .dt = 1e-5, .skin = 0.01, .rebuilds = 7};
    w->clock.next_id = (int64_t)bodies + 1, w->clock.removed_count = 3;
    w->ledger = (scr_ledger){.initial = 1.0 / 3, .damping = 0.1, .friction = 1e-300, .removed = 5};
    for (int k = 0; k < 3; k++) scr_total_add(&w->ledger.booked.rolling, (const double[]){1e20, 1e-40, -1e20}[k]);
    scr_total_add(&w->ledger.booked.removed, -0.7);
    w->tally = (scr_tally){.unconverged = 2, .merges = 17, .solved_sweeps = 1e9 + 1.0 / 3};
}

static inline int fixture_unlink(const char *path, const struct stat *info, int kind, struct FTW *at)
{
    (void)info, (void)kind, (void)at;
    return remove(path);
}

static inline void fixture_remove_tree(const char *path)
{
    nftw(path, fixture_unlink, 16, FTW_DEPTH | FTW_PHYS);
}

/* A fresh folder for a test's files, under the current one. */
static inline void fixture_folder(const char *name)
{
    fixture_remove_tree(name);
    mkdir(name, 0777);
}

static inline int fixture_file_count(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir));) count += e->d_name[0] != '.';
    if (dir) closedir(dir);
    return dir ? count : -1;
}

#endif
