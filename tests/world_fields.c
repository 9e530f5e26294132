/* Field tables: what their flags say is what checkpoints, digest, frames and ghosts do. */
#include "world/field.h"

#include "check.h"
#include "world/ids.h"
#include "world_fixture.h"

// every field is part of the state, but for rows, which follow from ids
static void states(const scr_world *w)
{
    const scr_table *tables[] = {&w->bodies.table, &w->contacts.table, &w->bonds.table,  &w->rigids.table,
                                 &w->cells.table,  &w->links.table,    &w->shells.table, &w->cell_contacts.table};
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int k = 0; k < tables[t]->field_count; k++) {
            const scr_field *f = &tables[t]->fields[k];
            CHECK(!(f->flags & SCR_STATE) == !strcmp(f->name, "row"));
            CHECK((f->flags & SCR_STATE) || !(f->flags & SCR_DIGEST)); // what is derived tells nothing more
        }
}

// what people see of a body is marked, and what is marked is seen
static void results(const scr_world *w)
{
    for (const scr_view *v = scr_body_views; v->name; v++)
        CHECK(scr_table_field(&w->bodies.table, v->field)->flags & SCR_RESULTS);
    const scr_field *f;
    for (int k = 0; (f = scr_table_flagged(&w->bodies.table, SCR_RESULTS, k)); k++) {
        bool seen = false;
        for (const scr_view *v = scr_body_views; v->name; v++) seen |= !strcmp(v->field, f->name);
        CHECK(seen);
    }
}

// a field of bodies or bonds is in the digest if and only if it is marked so; ids always are
static void digests(scr_world *w)
{
    uint64_t before = scr_world_digest(w);
    const scr_table *tables[] = {&w->bodies.table, &w->bonds.table, &w->rigids.table};
    int inside = 0;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (int k = 0; k < tables[t]->field_count; k++) {
            const scr_field *f = &tables[t]->fields[k];
            bool named = !strcmp(f->name, "id") || !strcmp(f->name, "body") || !strcmp(f->name, "partner");
            char *byte = (char *)scr_table_array(tables[t], f) + scr_field_row(f); // of the second row
            *byte ^= 1;
            CHECK((scr_world_digest(w) != before) == (named || f->flags & SCR_DIGEST));
            *byte ^= 1;
            inside += (f->flags & SCR_DIGEST) != 0;
        }
    CHECK_INT(inside, 3 + 4 + 4);
    CHECK(scr_world_digest(w) == before);
}

// place, motion and spin each step; what does not change between two lists with a list
static void ghosts(const scr_world *w)
{
    CHECK_INT((int)scr_table_row(&w->bodies.table, SCR_GHOST_STEP), 3 * 32);
    CHECK_INT((int)scr_table_row(&w->bodies.table, SCR_GHOST_LIST), 2 * 32 + 8 + 8 + 3 * 4);
    const scr_field *f;
    for (int k = 0; (f = scr_table_flagged(&w->bodies.table, SCR_GHOST_STEP, k)); k++)
        CHECK(!(f->flags & SCR_GHOST_LIST));
}

static void ids(scr_world *w)
{
    scr_ids map;
    CHECK(scr_ids_init(&map, &w->bodies) && !map.twice);
    for (size_t i = 0; i < w->bodies.table.count; i++) CHECK(scr_ids_row(&map, w->bodies.id[i]) == (int64_t)i);
    CHECK(scr_ids_row(&map, 1 << 20) == -1 && scr_ids_row(&map, -1) == -1);
    scr_ids_deinit(&map);
    int64_t id = w->bodies.id[3];
    w->bodies.id[3] = w->bodies.id[17];
    CHECK(scr_ids_init(&map, &w->bodies) && map.twice);
    scr_ids_deinit(&map);
    w->bodies.id[3] = id;
    // a world without bodies
    scr_bodies none;
    scr_bodies_init(&none);
    CHECK(scr_ids_init(&map, &none) && scr_ids_row(&map, 0) == -1);
    scr_ids_deinit(&map);
}

int main(void)
{
    scr_world w;
    fixture_world(&w, 40, 9);
    states(&w);
    results(&w);
    digests(&w);
    ghosts(&w);
    ids(&w);
    scr_world_deinit(&w);
    return check_done();
}
