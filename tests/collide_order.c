/* The order of rows: a function of where bodies are and of the scene, not of who else is there. */
#include "collide/order.h"

#include "check.h"
#include "world/carrier.h"
#include "world_fixture.h"

#define N 200

// random grains; the last `more` are far smaller than the others
static void fill(scr_world *w, size_t more)
{
    scr_random r = scr_random_stream(5, 0);
    scr_world_init(w);
    w->domain = (scr_domain){.upper = {1, 1, 1}};
    w->clock.curve = 0.05;
    CHECK(scr_table_reserve(&w->bodies.table, N + more));
    for (size_t k = 0; k < N + more; k++) {
        size_t i = scr_table_add(&w->bodies.table);
        for (int d = 0; d < 3; d++) w->bodies.place[4 * i + (size_t)d] = scr_random_unit(&r);
        w->bodies.place[4 * i + 3] = i < N ? 0.025 : 0.001;
        w->bodies.id[i] = (int64_t)(k * 37 % (N + 7)) + 1 + (i < N ? 0 : 1000);
    }
}

static void sort(const scr_world *w, uint32_t *order)
{
    static uint64_t key[2][N + 8];
    static uint32_t rows[2][N + 8];
    scr_order o = {{key[0], key[1]}, {rows[0], rows[1]}};
    scr_order_morton(&o, w);
    memcpy(order, o.order[0], w->bodies.table.count * sizeof *order);
}

// a small grain that comes or goes does not change the order of the others
static void small_grains(void)
{
    scr_world a, b;
    uint32_t one[N + 8], two[N + 8];
    fill(&a, 0), fill(&b, 3);
    sort(&a, one), sort(&b, two);
    size_t n = 0, same = 0;
    for (size_t k = 0; k < N + 3; k++)
        if (two[k] < N) same += two[k] == one[n++];
    CHECK_INT((int)n, N);
    CHECK_INT((int)same, N);
    scr_world_deinit(&a), scr_world_deinit(&b);
}

// the spheres of a clump are next to each other, wherever they are
static void clumps(void)
{
    scr_world w;
    uint32_t order[N + 8], at[N + 8];
    fill(&w, 0);
    CHECK(scr_table_reserve(&w.rigids.table, 2));
    for (int k = 0; k < 2; k++)
        scr_rigid_add(&w.rigids, SCR_RIGID_CLUMP, 0, v3(0.3 + 0.3 * k, 0.4, 0.5), 1, v3(1, 1, 1), (quat){1, 0, 0, 0});
    for (size_t m = 0; m < 6; m++) {
        w.bodies.carrier[20 * m] = scr_carrier_of_rigid(&w, m < 3 ? 0 : 1);
        w.bodies.id[20 * m] = 5000 + (int64_t)m;
    }
    sort(&w, order);
    for (uint32_t k = 0; k < N; k++) at[order[k]] = k;
    for (int k = 0; k < 2; k++)
        for (size_t m = 1; m < 3; m++) CHECK_INT((int)at[20 * (3 * (size_t)k + m)], (int)(at[60 * (size_t)k] + m));
    scr_world_deinit(&w);
}

int main(void)
{
    small_grains();
    clumps();
    return check_done();
}
