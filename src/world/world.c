#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/digest.h"

void scr_world_init(scr_world *world)
{
    *world = (scr_world){.load_share = 1};
    scr_bodies_init(&world->bodies);
    scr_contacts_init(&world->contacts);
    scr_bonds_init(&world->bonds);
    scr_rigids_init(&world->rigids);
    scr_cells_init(&world->cells);
    scr_cell_contacts_init(&world->cell_contacts);
    scr_links_init(&world->links);
    scr_shells_init(&world->shells);
    scr_polyhedra_init(&world->mesh);
}

void scr_world_deinit(scr_world *world)
{
    for (int k = 0; k < world->material_count; k++) free(world->materials[k].name);
    for (int k = 0; k < world->group_count; k++) free(world->groups[k].name);
    for (int k = 0; k < world->wall_count; k++) scr_wall_deinit(&world->walls[k]);
    for (int k = 0; k < world->bond_law_count; k++) free(world->bond_laws[k].name);
    for (int k = 0; k < world->part_count; k++) free(world->parts[k].name);
    for (int k = 0; k < world->joint_count; k++) scr_joint_deinit(&world->joints[k]);
    free(world->parts);
    free(world->joints);
    free(world->bond_laws);
    free(world->materials);
    free(world->laws);
    free(world->groups);
    free(world->apart);
    free(world->walls);
    scr_buffer_free(world->faces);
    scr_flows_deinit(world);
    scr_resolved_deinit(world);
    scr_ports_deinit(world);
    scr_table_deinit(&world->bodies.table);
    scr_blocks_deinit(&world->blocks);
    scr_table_deinit(&world->contacts.table);
    scr_table_deinit(&world->bonds.table);
    scr_table_deinit(&world->rigids.table);
    scr_solids_deinit(world);
    scr_loads_deinit(world);
    scr_gravity_deinit(&world->gravity_law);
    scr_box_plan_deinit(&world->box.plan);
    scr_receivers_deinit(world);
    scr_stages_deinit(world);
    *world = (scr_world){0};
}

/* ---- digest: one number for each thing, of all that tells it from others, and their sum ---- */

typedef enum {
    OF_BODY = 1,
    OF_CONTACT,
    OF_BOND,
    OF_WALL,
    OF_PORT,
    OF_RIGID,
    OF_JOINT,
    OF_CELL,
    OF_LINK,
    OF_BOX,
    OF_CELL_CONTACT
} kind;

static uint64_t begin(kind of, int64_t number)
{
    return scr_digest_mix(scr_digest_mix(SCR_DIGEST_START, of), (uint64_t)number);
}

// goes on with row k of the fields of a table that are part of the digest
static uint64_t add_row(uint64_t h, const scr_table *table, size_t k)
{
    const scr_field *f;
    for (int n = 0; (f = scr_table_flagged(table, SCR_DIGEST, n)); n++) {
        const char *row = (const char *)scr_table_array(table, f) + k * scr_field_row(f);
        if (f->type == SCR_I32)
            for (int d = 0; d < f->width; d++) h = scr_digest_mix(h, (uint64_t)((const int32_t *)row)[d]);
        else
            h = scr_digest_bytes(h, row, scr_field_row(f));
    }
    return h;
}

static uint64_t digest_bodies(const scr_bodies *b)
{
    uint64_t sum = 0;
    for (size_t i = b->low; i < scr_bodies_end(b); i++) sum += add_row(begin(OF_BODY, b->id[i]), &b->table, i);
    return sum;
}

// as seen from the body of the smaller id, whichever is called first
static uint64_t digest_contact(const scr_contacts *c, size_t k)
{
    int64_t a = c->body[k], b = c->partner[k];
    double sign = b >= 0 && b < a ? -1 : 1;
    double history[11] = {0};
    for (int d = 0; d < 3; d++) history[d] = sign * c->history[4 * k + d] + 0.0;
    history[3] = c->history[4 * k + 3];
    // all but what it has dissipated, which is kept only where it is needed
    for (int d = 0; d < 7 && c->wide; d++) history[4 + d] = c->wide[8 * k + d + (d > 3)] + 0.0;
    uint64_t h = scr_digest_mix(begin(OF_CONTACT, sign < 0 ? b : a), (uint64_t)(sign < 0 ? a : b));
    return scr_digest_bytes(h, history, sizeof history);
}

static uint64_t digest_contacts(const scr_world *w)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < w->contacts.table.count; k++) sum += digest_contact(&w->contacts, k);
    return sum;
}

uint64_t scr_world_digest_part(const scr_world *w, const uint32_t *contacts, size_t count)
{
    uint64_t sum = digest_bodies(&w->bodies);
    for (size_t k = 0; k < count; k++) sum += digest_contact(&w->contacts, contacts[k]);
    return sum;
}

static uint64_t digest_walls(const scr_world *w)
{
    uint64_t sum = 0;
    for (int k = 0; k < w->wall_count; k++) {
        const scr_wall *wall = &w->walls[k];
        uint64_t h = scr_digest_mix(begin(OF_WALL, k), wall->active);
        if (wall->pose.turned) h = scr_digest_bytes(h, wall->pose.row, sizeof wall->pose.row);
        sum += scr_digest_bytes(h, &wall->pose.shift, sizeof wall->pose.shift);
    }
    return sum;
}

static double farthest_corner(const scr_domain *d, vec3 from)
{
    double far = 0;
    for (int k = 0; k < 8; k++) {
        vec3 corner = {k & 1 ? d->upper.x : d->lower.x, k & 2 ? d->upper.y : d->lower.y,
                       k & 4 ? d->upper.z : d->lower.z};
        far = fmax(far, v3_norm(v3_sub(corner, from)));
    }
    return far;
}

bool scr_world_wall_box(const scr_world *w, const scr_wall *wall, vec3 *lower, vec3 *upper)
{
    bool endless = false;
    *lower = v3(INFINITY, INFINITY, INFINITY), *upper = v3_scale(-1, *lower);
    for (int k = 0; k < wall->face_count; k++) {
        const scr_face *face = &w->faces[wall->first_face + k];
        vec3 low, high;
        scr_face_box(face, &low, &high);
        endless |= face->kind == SCR_FACE_PLANE;
        *lower = v3(fmin(lower->x, low.x), fmin(lower->y, low.y), fmin(lower->z, low.z));
        *upper = v3(fmax(upper->x, high.x), fmax(upper->y, high.y), fmax(upper->z, high.z));
    }
    if (!endless) return false;
    double far = farthest_corner(&w->domain, scr_wall_reference(wall));
    *lower = v3_sub(wall->reference, v3(far, far, far));
    *upper = v3_add(wall->reference, v3(far, far, far));
    return true;
}

double scr_world_range(const scr_world *w, double radius)
{
    double range = 0;
    for (int k = 0; w->laws && k < w->material_count * w->material_count; k++) {
        double r = scr_law_range(&w->laws[k], radius);
        range = r > range ? r : range;
    }
    return range;
}

bool scr_world_held_groups(const scr_world *w, int *a, int *b)
{
    for (*a = 0; *a < w->group_count; ++*a)
        for (*b = *a + 1; *b < w->group_count; ++*b)
            if (scr_group_held(&w->groups[*a]) && scr_group_held(&w->groups[*b]) && scr_world_held_meet(w, *a, *b) &&
                !scr_world_apart(w, *a, *b))
                return true;
    return false;
}

double scr_world_inverse_mass(const scr_world *w, size_t i, size_t j)
{
    const scr_bodies *b = &w->bodies;
    double sum = b->motion[4 * i + 3] + b->motion[4 * j + 3];
    return sum > 0 ? sum : 1 / b->mass[i] + 1 / b->mass[j];
}

scr_fastest scr_world_fastest(const scr_world *w)
{
    const scr_bodies *b = &w->bodies;
    bool rests = w->wall_count > 0;
    if (!rests && !b->table.count) return (scr_fastest){0, {-1, -1}};
    int64_t low[3], high[3];
    double least[3], most[3];
    for (int d = 0; d < 3; d++) {
        low[d] = high[d] = rests ? -1 : 0;
        least[d] = most[d] = rests ? 0 : b->motion[d];
    }
    for (size_t i = 0; i < b->table.count; i++)
        for (int d = 0; d < 3; d++) {
            double v = b->motion[4 * i + (size_t)d];
            if (v < least[d]) least[d] = v, low[d] = (int64_t)i;
            if (v > most[d]) most[d] = v, high[d] = (int64_t)i;
        }
    int along = 0;
    for (int d = 1; d < 3; d++)
        if (most[d] - least[d] > most[along] - least[along]) along = d;
    return (scr_fastest){most[along] - least[along], {low[along], high[along]}};
}

// bonds keep their first body for life
static uint64_t digest_bonds(const scr_world *w)
{
    uint64_t sum = 0;
    const scr_bonds *b = &w->bonds;
    for (size_t k = 0; k < b->table.count; k++) {
        uint64_t h = scr_digest_mix(begin(OF_BOND, b->body[k]), (uint64_t)b->partner[k]);
        sum += add_row(h, &b->table, k);
    }
    return sum;
}

static uint64_t digest_ports(const scr_world *w)
{
    uint64_t sum = 0;
#define F(member, type) h = scr_digest_bytes(h, &port->member, sizeof port->member);
    for (int k = 0; k < w->inlet_count; k++) {
        const scr_inlet *port = &w->inlets[k];
        uint64_t h = begin(OF_PORT, k);
        SCR_INLET_NUMBERS(F)
        sum += h;
    }
    for (int k = 0; k < w->outlet_count; k++) {
        const scr_outlet *port = &w->outlets[k];
        uint64_t h = begin(OF_PORT, -1 - k);
        SCR_OUTLET_NUMBERS(F)
        sum += h;
    }
#undef F
    return sum;
}

static uint64_t digest_rigids(const scr_world *w)
{
    const scr_rigids *r = &w->rigids;
    uint64_t sum = 0;
    for (size_t k = 0; k < r->table.count; k++) sum += add_row(begin(OF_RIGID, (int64_t)k), &r->table, k);
#define F(member, count) h = scr_digest_bytes(h, w->joints[k].member, (count) * sizeof(double));
    for (int k = 0; k < w->joint_count; k++) {
        uint64_t h = begin(OF_JOINT, k);
        SCR_JOINT_STATE(F)
        sum += h;
    }
#undef F
    return sum;
}

// rows that have their number for life
static uint64_t digest_rows(kind of, const scr_table *table)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < table->count; k++) sum += add_row(begin(of, (int64_t)k), table, k);
    return sum;
}

static uint64_t digest_cell_contacts(const scr_cell_contacts *c)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < c->table.count; k++) {
        uint64_t h = scr_digest_mix(begin(OF_CELL_CONTACT, c->first[k]), (uint64_t)c->kind[k]);
        sum += add_row(h, &c->table, k);
    }
    return sum;
}

static uint64_t digest_cells(const scr_world *w)
{
    return digest_rows(OF_CELL, &w->cells.table) + digest_cell_contacts(&w->cell_contacts) +
           digest_rows(OF_LINK, &w->links.table);
}

static uint64_t digest_box(const scr_domain *d)
{
    uint64_t h = scr_digest_bytes(begin(OF_BOX, 0), &d->lower, sizeof d->lower);
    h = scr_digest_bytes(h, &d->upper, sizeof d->upper);
    h = scr_digest_bytes(h, d->box.tilt, sizeof d->box.tilt);
    return scr_digest_bytes(h, d->box.speed, sizeof d->box.speed);
}

uint64_t scr_world_digest(const scr_world *world)
{
    uint64_t sum = scr_digest_bytes(SCR_DIGEST_START, &world->clock.time, 8);
    sum += digest_bodies(&world->bodies) + digest_contacts(world) + digest_bonds(world);
    sum += digest_walls(world) + digest_ports(world) + digest_rigids(world);
    if (world->domain.box.deforms) sum += digest_box(&world->domain);
    return world->cells.table.count ? sum + digest_cells(world) : sum;
}
