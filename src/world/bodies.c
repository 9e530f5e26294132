#include "world/bodies.h"

#include <string.h>

#include "base/sort.h"

static const scr_field body_fields[] = {
#define F(member, type, width, unit, flags, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, flags, offsetof(scr_bodies, member), doc},
    SCR_BODY_FIELDS(F)
#undef F
};

void scr_bodies_init(scr_bodies *bodies)
{
    *bodies = (scr_bodies){0};
    bodies->table.fields = body_fields;
    bodies->table.field_count = sizeof body_fields / sizeof *body_fields;
}

const scr_view scr_body_views[] = {
    {"id", "", "id", 0, 1, "identity of the body"},
    {"position", "m", "place", 0, 3, "centre"},
    {"radius", "m", "place", 3, 1, "radius"},
    {"velocity", "m/s", "motion", 0, 3, "velocity of the centre"},
    {"spin", "rad/s", "spin", 0, 3, "angular velocity"},
    {"force", "N", "load", 0, 3, "force of all contacts, without gravity"},
    {"torque", "N m", "load", 4, 3, "torque of all contacts"},
    {"mass", "kg", "mass", 0, 1, "mass"},
    {"image", "", "image", 0, 3, "crossings of each periodic boundary"},
    {"material", "", "material", 0, 1, "index of the material, in the order of the scene"},
    {"aggregate", "", "carrier", 0, 1,
     "what it moves with: 0 nothing, 1 what rests, 2 and on the walls, then rigid bodies, in the "
     "order of the scene"},
    {"group", "", "group", 0, 1, "index of the group of bodies, in the order of the scene"},
    {0},
};

const scr_view *scr_body_view(const char *name)
{
    for (const scr_view *v = scr_body_views; v->name; v++)
        if (!strcmp(v->name, name)) return v;
    return NULL;
}

void scr_bodies_by_id(const scr_bodies *bodies, uint32_t *order)
{
    scr_order_of(bodies->id, bodies->table.count, order);
}
