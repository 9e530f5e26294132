/* Bonds as observers see them: their share of the stress, and the counts. */
#include <math.h>

#include "observe_fixture.h"

// two grains a bond apart along x in a box of 1 m^3, pulled by 2 mm and sheared by 1 mm
static void add_bond(sight *s)
{
    scr_world *w = &s->world;
    sight_grain(s, v3(0.602, 0.5, 0.5), 0.05, v3(0, 0, 0));
    sight_grain(s, v3(0.4, 0.5, 0.5), 0.05, v3(0, 0, 0));
    w->bond_laws = calloc(1, sizeof *w->bond_laws);
    w->bond_law_count = 1;
    w->bond_laws[0] = (scr_bond_law){.name = strdup("glue")};
    scr_bonds *b = &w->bonds;
    scr_table_reserve(&b->table, 1);
    b->table.count = 1;
    scr_bond_join(b, 0, &w->bodies, 0, 1);
    b->shape[0] = 0.2, b->shape[1] = 0.01;
    b->spring[0] = 1000, b->spring[1] = 400;
    b->damper[0] = 3, b->damper[1] = 5;
    b->shear[2] = 1e-3;
    b->rate[2] = 0.1, b->rate[7] = -0.2;
}

// a chain of three, a pair whose bond broke, and a heavy grain of another group; ids against the order of rows
static void test_fragments(void)
{
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    scr_world *w = &s.world;
    for (int k = 0; k < 6; k++) {
        size_t i = sight_grain(&s, v3(0.1 + 0.12 * k, 0.5, 0.5), k == 5 ? 0.2 : 0.05, v3(0, 0, 0));
        w->bodies.id[i] = 16 - k;
    }
    w->bodies.group[5] = 1;
    w->bond_laws = calloc(1, sizeof *w->bond_laws);
    w->bond_law_count = 1;
    w->bond_laws[0] = (scr_bond_law){.name = strdup("glue")};
    scr_table_reserve(&w->bonds.table, 3);
    w->bonds.table.count = 3;
    scr_bond_join(&w->bonds, 0, &w->bodies, 0, 1);
    scr_bond_join(&w->bonds, 1, &w->bodies, 3, 4);
    scr_bond_join(&w->bonds, 2, &w->bodies, 2, 1);
    w->bonds.fate[1] = SCR_BOND_SHEAR;
    double m = w->bodies.mass[0], id[4], grains[4];
    CHECK_NEAR(sight_number(&s, "type: fragments", "fragments"), 4, 0);
    CHECK_NEAR(sight_number(&s, "type: fragments", "singles"), 3, 0);
    CHECK_NEAR(sight_number(&s, "type: fragments", "largest_mass"), 64 * m, 1e-13);
    CHECK_NEAR(sight_number(&s, "type: fragments", "largest_share"), 64.0 / 69, 1e-14);
    sight_sample(&s, "type: fragments, largest: 5", "id", id, 4);
    CHECK(id[0] == 11 && id[1] == 14 && id[2] == 12 && id[3] == 13);
    sight_sample(&s, "type: fragments, group: sand, largest: 4", "grains", grains, 4);
    CHECK(grains[0] == 3 && grains[1] == 1 && grains[2] == 1 && grains[3] == 0);
    sight_sample(&s, "type: fragments, group: sand, largest: 4", "id", id, 4);
    CHECK(id[0] == 14 && isnan(id[3]));
    CHECK_NEAR(sight_number(&s, "type: fragments, group: sand", "largest_share"), 0.6, 1e-15);
    sight_close(&s);
}

int main(void)
{
    test_fragments();
    sight s;
    sight_open(&s, v3(0, 0, 0), v3(1, 1, 1));
    add_bond(&s);
    // pull 1000 x 2 mm - 3 x 0.2, shear 400 x 1 mm + 5 x 0.1; compression is positive
    double length = 0.202, pull = 2 - 0.6, shear = 0.4 + 0.5;
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_xx"), -pull * length, 1e-13);
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_xz"), -0.5 * shear * length, 1e-13);
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_zz"), 0, 0);
    CHECK_NEAR(sight_number(&s, "type: bonds", "holding"), 1, 0);

    s.world.bonds.fate[0] = SCR_BOND_TENSION;
    s.world.clock.broken_tension = 1;
    s.world.ledger.broken = 0.25;
    CHECK_NEAR(sight_number(&s, "type: stress", "contact_xx"), 0, 0);
    CHECK_NEAR(sight_number(&s, "type: bonds", "holding"), 0, 0);
    CHECK_NEAR(sight_number(&s, "type: bonds", "broken_tension"), 1, 0);
    CHECK_NEAR(sight_number(&s, "type: bonds", "broken_shear"), 0, 0);
    CHECK_NEAR(sight_number(&s, "type: bonds", "broken"), 0.25, 0);
    sight_close(&s);
    return check_done();
}
