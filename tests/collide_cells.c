/* Cells of elastic solids and what touches them: hulls, lists of what is near, and contacts of spheres, walls and
 * cells. */
#include "collide/cell_touch.h"

#include "base/buffer.h"
#include "base/random.h"
#include "check.h"
#include "solid_fixture.h"

#define EDGE 0.5

static void build_world(scr_world *w, const int size[3])
{
    scr_world_init(w);
    w->domain.lower = v3(-10, -10, -10), w->domain.upper = v3(10, 10, 10);
    w->materials = calloc(1, sizeof *w->materials);
    w->material_count = 1;
    w->materials[0] = (scr_material){.name = strdup("m"), .density = 1000, .young = 1e6, .poisson = 0.2};
    w->laws = scr_memory_new(1, sizeof *w->laws);
    w->laws[0] = (scr_law){.kn = 1e4};
    fixture_solid(w, size, EDGE);
    // one solid: all hang together
    for (size_t k = 0; k < w->cells.table.count; k++) w->cells.fragment[k] = 0;
}

static void add_grain(scr_world *w, vec3 x, double radius)
{
    scr_table_reserve(&w->bodies.table, w->bodies.table.count + 1);
    size_t i = scr_table_add(&w->bodies.table);
    v3_store(w->bodies.place + 4 * i, x);
    w->bodies.place[4 * i + 3] = radius;
    w->bodies.mass[i] = w->bodies.motion[4 * i + 3] = 1;
    w->bodies.id[i] = 100 + (int64_t)i;
}

static void build_pairs(scr_cell_pairs *p, const scr_world *w)
{
    scree_report report;
    scr_wall_extent extent = {.endless = true};
    scree_report_init(&report);
    CHECK(scr_cell_pairs_build(p, w, &extent, &report) == SCREE_OK);
    scree_report_deinit(&report);
}

static void test_hulls(void)
{
    scr_world w;
    scr_hulls h = {0};
    scree_report report;
    scree_report_init(&report);
    build_world(&w, (const int[3]){4, 4, 4});
    CHECK(scr_hulls_build(&h, &w, &report) == SCREE_OK);
    CHECK_INT(h.count, 64 - 8); // all but the inner ones
    int glued = 0, open = 0;
    for (size_t k = 0; k < h.count; k++) {
        const scr_convex *s = &h.shape[k];
        CHECK_INT(s->corner_count, 8);
        CHECK_INT(s->edge_count, 12);
        for (int f = 0; f < 6; f++) glued += !s->free[f], open += s->free[f];
        CHECK_NEAR(s->radius, EDGE * sqrt(0.75), 1e-15);
    }
    CHECK_INT(open, 6 * 16);
    CHECK_INT(glued, 6 * 56 - 6 * 16);
    // cell 0 and its neighbour 1: linked; 0 and 5: an edge in common; 0 and 2 stand apart
    size_t a = (size_t)h.of_cell[0], b = (size_t)h.of_cell[1];
    CHECK(!scr_hulls_may_touch(&h, &w, a, b));
    CHECK(!scr_hulls_may_touch(&h, &w, a, (size_t)h.of_cell[5]));
    CHECK(scr_hulls_may_touch(&h, &w, a, (size_t)h.of_cell[2]));
    // what each glued face is glued to, as the mesh has it
    for (size_t k = 0; k < h.count; k++)
        for (int f = 0; f < 6; f++) {
            const int32_t *cells = w.mesh.cells + 2 * h.face[h.start[5 * k + 1] + (uint32_t)f];
            int32_t other = cells[0] == h.cell[k] ? cells[1] : cells[0];
            CHECK_INT(scr_hull_across(&h, &w, k, f), other == SCR_NO_CELL ? -1 : other);
        }
    // broken, they may, and both faces are free
    for (size_t k = 0; k < w.links.table.count; k++)
        if (w.links.cell[2 * k] == 0 && w.links.cell[2 * k + 1] == 1) w.links.fate[k] = SCR_LINK_TENSION;
    CHECK(scr_hulls_build(&h, &w, &report) == SCREE_OK);
    int free_now = 0;
    for (size_t k = 0; k < h.count; k++)
        for (int f = 0; f < 6; f++) free_now += h.shape[k].free[f];
    CHECK_INT(free_now, open + 2);
    CHECK(scr_hulls_may_touch(&h, &w, a, b));
    scr_hulls_deinit(&h);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

// faces of a block that lies askew are flat but for rounding: they stay whole
static void test_askew(void)
{
    scr_world w;
    scr_hulls h = {0};
    scree_report report;
    scree_report_init(&report);
    build_world(&w, (const int[3]){3, 2, 2});
    quat q = quat_exp(v3(0.3, -0.7, 0.4));
    for (size_t k = 0; k < w.mesh.point_count; k++)
        v3_store(w.mesh.points + 3 * k, quat_turn(q, v3_load(w.mesh.points + 3 * k)));
    for (size_t k = 0; k < w.cells.table.count; k++)
        v3_store(w.cells.home + 4 * k, quat_turn(q, v3_load(w.cells.home + 4 * k)));
    CHECK(scr_hulls_build(&h, &w, &report) == SCREE_OK);
    CHECK_INT(h.count, 12);
    for (size_t k = 0; k < h.count; k++) {
        CHECK_INT(h.shape[k].corner_count, 8);
        CHECK_INT(h.shape[k].face_count, 6);
        CHECK_NEAR(h.shape[k].radius, EDGE * sqrt(0.75), 1e-14);
    }
    scr_hulls_deinit(&h);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

// a list is good while nothing moves, whatever the walls, and no more when one of all the things moves far
static void test_stale(void)
{
    scr_world w;
    scr_cell_pairs p = {0};
    scree_report report;
    scree_report_init(&report);
    build_world(&w, (const int[3]){3, 2, 2});
    for (int k = 0; k < 3; k++) add_grain(&w, v3(0.2 + k, 0.3, 1.1 + 0.1 * k), 0.1 + 0.05 * k);
    w.walls = calloc(2, sizeof *w.walls);
    CHECK(scr_reserve(&w.faces, 2));
    w.wall_count = w.face_count = 2;
    const scr_wall_extent extents[2] = {{.lower = v3(-2, -2, -1), .upper = v3(2, 2, -1)},
                                        {.lower = v3(-2, -2, 5), .upper = v3(2, 2, 5)}};
    for (int k = 0; k < 2; k++) {
        w.walls[k] = (scr_wall){.first_face = k, .face_count = 1, .active = true};
        w.walls[k].pose = quat_pose(quat_exp(v3(0, 0, 0.3)), v3(0.1 * k, 0.2, 0));
        w.faces[k] = (scr_face){.kind = SCR_FACE_PLANE, .axis = {0, 0, 1}, .wall = k};
        w.faces[k].point = v3(0, 0, -1 + 6 * k);
    }
    CHECK(scr_cell_pairs_build(&p, &w, extents, &report) == SCREE_OK);
    CHECK(!scr_cell_pairs_stale(&p, &w, extents));
    const double near = 0.49 * p.margin, far = 0.51 * p.margin;
    CHECK(near > 0);
    for (int d = 0; d < 3; d++)
        for (int e = 0; e < 2; e++) {
            double way = e ? far : near;
            size_t cell = (size_t)p.hulls.cell[p.hulls.count - 1];
            double *moved[4] = {w.cells.displacement + 4 * cell + d, w.bodies.place + 8 + d,
                                &w.walls[0].pose.shift.x + d, &w.walls[1].pose.shift.x + d};
            for (int m = 0; m < 4; m++) {
                double was = *moved[m];
                *moved[m] += way;
                CHECK_INT(scr_cell_pairs_stale(&p, &w, extents), e);
                *moved[m] = was;
            }
        }
    CHECK(!scr_cell_pairs_stale(&p, &w, extents));
    w.walls[0].active = false;
    CHECK(scr_cell_pairs_stale(&p, &w, extents));
    scr_cell_pairs_deinit(&p);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

// contacts of the only grain of a world, at x
static int touch_at(scr_world *w, scr_cell_pairs *p, vec3 x, scr_cell_touch *t)
{
    v3_store(w->bodies.place, x);
    if (scr_cell_pairs_stale(p, w, NULL)) build_pairs(p, w);
    scr_cell_finder f = {.world = w, .pairs = p, .dt = 1e-3, .improved = true};
    return p->grains.count ? scr_cell_touch_grain(&f, 0, t) : 0;
}

/* Over the flat top of a block, whatever its cells, there is one contact, the same everywhere; over an edge of the
 * block the normal turns with the sphere. */
static void test_flat_top(void)
{
    scr_world w;
    scr_cell_pairs p = {0};
    scr_cell_touch t[2 * SCR_MOST_CELL_TOUCHES];
    build_world(&w, (const int[3]){5, 4, 2});
    int alone = 0;
    add_grain(&w, v3(1, 1, 2), 0.3);
    for (double radius = 0.1; radius < 2; radius *= 2)
        for (int k = 0; k < 400; k++) {
            // also exactly above edges and corners of cells
            double x = 2.5 * (k % 20) / 20, y = 2.0 * (k / 20) / 20;
            w.bodies.place[3] = radius;
            CHECK_INT(touch_at(&w, &p, v3(x, y, 1 + 0.97 * radius), t), 1);
            double more = t[0].overlap / (0.03 * radius) - 1;
            CHECK_NEAR(t[0].normal.z, 1, 1e-3); // it leans a little where cells share it
            CHECK(more > -1e-13 && more < 0.375 * 0.03);
            // the point is half-way through the overlap, and each cell's arm reaches there from its centre
            vec3 point = v3_scale(0.5 * t[0].overlap - radius, t[0].normal);
            CHECK_NEAR(v3_norm(v3_sub(t[0].point, point)), 0, 1e-15);
            for (int i = 0; i < t[0].side_count; i++) {
                vec3 centre = scr_cell_centre(&w.cells, (size_t)t[0].side[i].cell);
                vec3 arm = v3_sub(v3_add(v3_load(w.bodies.place), point), centre);
                CHECK_NEAR(v3_norm(v3_sub(t[0].side[i].arm, arm)), 0, 1e-14);
            }
            alone += t[0].side_count == 1;
            if (t[0].side_count == 1) CHECK_NEAR(more, 0, 1e-13); // 2e-14
        }
    CHECK(alone > 300);
    w.bodies.place[3] = 0.3;
    CHECK_INT(touch_at(&w, &p, v3(2.5 + 0.27 * sin(0.5), 1.2, 1 + 0.27 * cos(0.5)), t), 1);
    CHECK_NEAR(t[0].overlap, 0.03, 1e-14);
    CHECK_NEAR(t[0].normal.x, sin(0.5), 1e-14);
    CHECK_INT(touch_at(&w, &p, v3(1, 1, 1.31), t), 0);
    scr_cell_pairs_deinit(&p);
    scr_world_deinit(&w);
}

static void strain(scr_world *w, uint64_t seed, double size)
{
    scr_random r = scr_random_stream(seed, 1);
    for (size_t k = 0; k < w->cells.table.count; k++) {
        for (int d = 0; d < 3; d++) w->cells.displacement[4 * k + (size_t)d] = scr_random_between(&r, -size, size);
        double a = scr_random_between(&r, -size, size), b = scr_random_between(&r, -size, size);
        quat_store(w->cells.turn + 4 * k, quat_exp(v3(a, b, scr_random_between(&r, -size, size))));
    }
}

/* Cells that are strained do not fit: still there is one contact, its overlap is continuous, and the cells' parts of
 * the force are the gradient of the overlap with regard to each of them. */
static void test_strained_top(void)
{
    scr_world w;
    scr_cell_pairs p = {0};
    scr_cell_touch t[2 * SCR_MOST_CELL_TOUCHES], u[2 * SCR_MOST_CELL_TOUCHES];
    const double step = 1e-5, radius = 0.4;
    build_world(&w, (const int[3]){5, 4, 2});
    add_grain(&w, v3(1, 1, 2), radius);
    strain(&w, 5, 2e-3);
    double before = NAN, jump = 0, bend = 0, off = 0;
    vec3 normal = {0, 0, 0};
    int several = 0, checked = 0;
    for (int k = 0; k < 150000; k++) {
        vec3 x = v3(0.5 + k * step, 0.4 + 0.5 * k * step, 1 + radius - 0.01);
        CHECK_INT(touch_at(&w, &p, x, t), 1);
        several += t[0].side_count > 1;
        if (k > 0) jump = check_worse(jump, fabs(t[0].overlap - before));
        if (k > 0) bend = check_worse(bend, v3_norm(v3_sub(t[0].normal, normal)));
        before = t[0].overlap, normal = t[0].normal;
        if (k % 997 && (t[0].side_count < 2 || k % 13)) continue;
        // gradients by central differences
        double h = 1e-7;
        for (int s = 0; s < t[0].side_count; s++)
            for (int d = 0; d < 3; d++) {
                double *at = w.cells.displacement + 4 * (size_t)t[0].side[s].cell + d, was = *at, got[2];
                for (int e = 0; e < 2; e++) {
                    *at = was + (e ? h : -h);
                    got[e] = touch_at(&w, &p, x, u) == 1 ? u[0].overlap : NAN;
                }
                *at = was;
                vec3 want = t[0].side[s].push;
                double slope = (got[1] - got[0]) / (2 * h);
                off = check_worse(off, fabs(slope - (d == 0 ? want.x : d == 1 ? want.y : want.z)));
                checked++;
            }
    }
    printf("strained top: overlap jumps by %.2g and the normal by %.2g in steps of %g m; gradient off by %.2g in %d "
           "checks; %d contacts of several cells\n",
           jump, bend, step, off, checked, several);
    CHECK(several > 200);     // 505
    CHECK(jump < 0.2 * step); // 0.092: never more than the slope of a cell
    CHECK(bend < 3e-3);       // 1.3e-3: it turns within some micrometres
    CHECK_NEAR(off, 0, 7e-8); // 7.7e-10
    scr_cell_pairs_deinit(&p);
    scr_world_deinit(&w);
}

// a list has every grain that is within its reach
static void test_list(void)
{
    scr_world w;
    scr_cell_pairs p = {0};
    scr_random r = scr_random_stream(9, 1);
    build_world(&w, (const int[3]){6, 5, 4});
    strain(&w, 3,
           0.2); // so much that cells come near others that they have no corner in common with
    for (int k = 0; k < 500; k++) {
        double x = scr_random_between(&r, -1, 4), y = scr_random_between(&r, -1, 4);
        add_grain(&w, v3(x, y, scr_random_between(&r, -1, 3)), scr_random_between(&r, 0.05, 0.6));
    }
    build_pairs(&p, &w);
    size_t want = 0;
    for (size_t i = 0; i < w.bodies.table.count; i++)
        for (size_t k = 0; k < p.hulls.count; k++) {
            double d = v3_norm(v3_sub(v3_load(w.bodies.place + 4 * i), scr_hull_centre(&w, &p.hulls, k)));
            want += d < w.bodies.place[4 * i + 3] + p.hulls.shape[k].radius + p.reach;
        }
    CHECK_INT(p.grains.item_count, want);
    CHECK(want > 1000);
    for (size_t k = 1; k < p.grains.count; k++) CHECK(p.by_id[k - 1].id < p.by_id[k].id);
    size_t cells = 0;
    for (size_t a = 0; a < p.hulls.count; a++)
        for (size_t b = a + 1; b < p.hulls.count; b++) {
            vec3 d = v3_sub(scr_hull_centre(&w, &p.hulls, a), scr_hull_centre(&w, &p.hulls, b));
            double reach = p.hulls.shape[a].radius + p.hulls.shape[b].radius + p.reach;
            cells += v3_norm(d) < reach && scr_hulls_may_touch(&p.hulls, &w, a, b);
        }
    CHECK_INT(p.cells.item_count, cells);
    printf("%zu pairs of cells\n", cells);
    CHECK(cells > 20);
    scr_cell_pairs_deinit(&p);
    scr_world_deinit(&w);
}

// contacts of two grains that have left: each ends where it was, with the normal it had
static void test_ended(void)
{
    scr_world w;
    scr_cell_pairs p = {0};
    scr_cell_touch t[2 * SCR_MOST_CELL_TOUCHES];
    build_world(&w, (const int[3]){5, 4, 2});
    CHECK(scr_table_reserve(&w.cell_contacts.table, 2));
    const vec3 normal[2] = {v3(0, 0.6, 0.8), v3(0.8, 0, 0.6)};
    for (int k = 0; k < 2; k++) {
        add_grain(&w, v3(1 + k, 1, 1 + 0.3001), 0.3); // near, and does not touch
        size_t row = scr_table_add(&w.cell_contacts.table);
        w.cell_contacts.kind[row] = SCR_MEET_GRAIN_CELL;
        w.cell_contacts.first[row] = 100 + k;
        w.cell_contacts.second[row] = 20 + k;
        w.cell_contacts.touches[row] = 1;
        v3_store(w.cell_contacts.normal + 4 * row, normal[k]);
        v3_store(w.cell_contacts.place + 4 * row, v3_scale(-0.3, normal[k]));
    }
    build_pairs(&p, &w);
    scr_cell_finder f = {.world = &w, .pairs = &p, .dt = 1e-3};
    CHECK_INT(p.grains.count, 2);
    for (int k = 0; k < 2; k++) {
        CHECK_INT(scr_cell_touch_grain(&f, (size_t)k, t), 1);
        CHECK(t[0].ended && t[0].overlap < 0);
        CHECK_INT(t[0].row, k);
        CHECK_INT(t[0].second, 20 + k);
        CHECK_NEAR(v3_norm(v3_sub(t[0].normal, normal[k])), 0, 0);
        CHECK_NEAR(v3_norm(v3_axpy(t[0].point, 0.3, normal[k])), 0, 1e-15);
    }
    scr_cell_pairs_deinit(&p);
    scr_world_deinit(&w);
}

// two cells that overlapped when they came apart: what they had then is taken off as long as the same parts meet
static void test_offset(void)
{
    scr_world w;
    scr_cell_pairs p = {0};
    scr_cell_touch t[2 * SCR_MOST_CELL_TOUCHES];
    build_world(&w, (const int[3]){4, 1, 1});
    const double deep = 0.02;
    // the last one's free end into that of the first
    v3_store(w.cells.displacement + 4 * 3, v3(-4 * EDGE + deep, 0.01, 0.02));
    build_pairs(&p, &w);
    scr_cell_finder f = {.world = &w, .pairs = &p};
    size_t a = (size_t)p.hulls.of_cell[0], b = (size_t)p.hulls.of_cell[3];
    int n = scr_cell_touch_cells(&f, a, b, NULL, t);
    CHECK(n > 0);
    double before = t[0].overlap;
    CHECK_NEAR(before, deep, 1e-3 * deep);
    CHECK_NEAR(t[0].offset, 0, 0); // nothing was there before
    CHECK(scr_table_reserve(&w.cell_contacts.table, 2));
    scr_cell_contacts *c = &w.cell_contacts;
    for (int k = 0; k < 2; k++) {
        size_t row = scr_table_add(&c->table);
        c->kind[row] = k ? SCR_MEET_CELL_CELL : SCR_MEET_GRAIN_CELL;
        c->first[row] = 0, c->second[row] = k ? 3 : 1, c->touches[row] = 1;
        for (size_t m = 0; m < 2; m++) c->feature[2 * row + m] = k ? t[0].feature[m] : 0;
        v3_store(c->normal + 4 * row, t[0].normal);
        v3_store(c->place + 4 * row, t[0].point);
        c->place[4 * row + 3] = k ? 0.3 * deep : 0;
        c->stored[row] = 0;
    }
    CHECK_INT(scr_cell_touch_cells(&f, a, b, NULL, t), n);
    CHECK_NEAR(t[0].offset, 0.3 * deep, 0);
    CHECK_NEAR(t[0].overlap, before - 0.3 * deep, 1e-15);
    CHECK_INT(t[0].row, 1);
    scr_cell_pairs_deinit(&p);
    scr_world_deinit(&w);
}

int main(void)
{
    test_hulls();
    test_askew();
    test_stale();
    test_flat_top();
    test_strained_top();
    test_list();
    test_ended();
    test_offset();
    return check_done();
}
