/* Solids that come from results: the same bits where nothing has changed; what the scene says where it has. */
#include "check.h"

#include "build/adopt_solids.h"
#include "solid_fixture.h"

static void make(scr_world *w, double density, double poisson)
{
    static const int size[3] = {4, 3, 2};
    scr_world_init(w);
    w->material_count = 1;
    w->materials = calloc(1, sizeof *w->materials);
    w->materials[0] = (scr_material){strdup("glass"), density, 7e10, poisson};
    fixture_solid(w, size, 0.25);
    fixture_loads(w);
}

// what breaking a link does to the corrected volumes of its cells
static void open_link(scr_world *w, size_t k, double poisson)
{
    w->links.fate[k] = SCR_LINK_TENSION;
    for (int s = 0; s < 2; s++)
        w->cells.bulk[2 * w->links.cell[2 * k + (size_t)s]] += 3 * poisson / (1 - 2 * poisson) * 0.0625 * 0.125 / 3;
}

static void same_scene(void)
{
    scr_world past, now;
    make(&past, 2500, 0.25);
    fixture_deform(&past, 0.1);
    open_link(&past, 7, 0.25);
    past.cells.fragment[5] = 5;
    make(&now, 2500, 0.25);
    scr_loads_begin(&now);
    memcpy(now.cells.held, past.cells.held, now.cells.table.count * sizeof *now.cells.held);
    CHECK(scr_world_digest(&now) != scr_world_digest(&past));
    CHECK_INT(scr_adopt_solids(&now, NULL, &past, true, NULL), SCREE_OK);
    for (int f = 0; f < now.cells.table.field_count; f++) {
        const scr_field *field = &now.cells.table.fields[f];
        CHECK(!memcmp(scr_table_array(&now.cells.table, field), scr_table_array(&past.cells.table, field),
                      24 * scr_field_row(field)));
    }
    CHECK(scr_world_digest(&now) == scr_world_digest(&past));
    for (int k = 0; k < 2; k++)
        CHECK(!memcmp(now.supports[k].felt, past.supports[k].felt, sizeof past.supports[k].felt));
    double work = scr_total_value(&now.loads[0].work);
    CHECK(work == scr_total_value(&past.loads[0].work) && work != 0);
    scr_loads_begin(&now);
    CHECK(scr_total_value(&now.loads[0].work) == 0 && scr_support_force(&now.supports[0]).x == 0);
    CHECK(scr_total_value(&now.supports[1].felt[SCR_FELT_WORK]) == 0);
    scr_world_deinit(&past);
    scr_world_deinit(&now);
}

// another material: masses and corrected volumes are the scene's, with the link that broke
static void other_material(void)
{
    scr_world past, now, want;
    make(&past, 2500, 0.25);
    fixture_deform(&past, 0.1);
    open_link(&past, 7, 0.25);
    make(&now, 5000, 0.3);
    make(&want, 5000, 0.3);
    open_link(&want, 7, 0.3);
    CHECK_INT(scr_adopt_solids(&now, NULL, &past, false, NULL), SCREE_OK);
    CHECK_INT(now.links.fate[7], SCR_LINK_TENSION);
    for (size_t k = 0; k < 24; k++) {
        CHECK_NEAR(now.cells.bulk[2 * k] / want.cells.bulk[2 * k], 1, 1e-14); // off by 2e-16
        CHECK(scr_cell_mass(&now.cells, k) == scr_cell_mass(&want.cells, k));
        vec3 gap = v3_sub(scr_cell_spin(&now.cells, k), scr_cell_spin(&past.cells, k));
        CHECK_NEAR(v3_norm(gap), 0, 1e-13); // 2e-15
    }
    scr_world_deinit(&past);
    scr_world_deinit(&now);
    scr_world_deinit(&want);
}

int main(void)
{
    same_scene();
    other_material();
    return check_done();
}
