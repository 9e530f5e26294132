/* Checkpoints: the same bits back, and nothing back from a file that is damaged or says what cannot
 * be. */
#include "check.h"

#include <fcntl.h>

#include "base/buffer.h"
#include "base/h5.h"
#include "solid_fixture.h"
#include "world/checkpoint.h"
#include "world_fixture.h"

#define FOLDER "folder_world_checkpoint"
#define FILE_A FOLDER "/a.h5"
#define FILE_B FOLDER "/b.h5"

static bool tables_equal(const scr_table *a, const scr_table *b)
{
    if (a->count != b->count) return false;
    for (int k = 0; k < a->field_count; k++) {
        size_t bytes = a->count * scr_field_row(&a->fields[k]);
        if (bytes && memcmp(scr_table_array(a, &a->fields[k]), scr_table_array(b, &b->fields[k]), bytes)) return false;
    }
    return true;
}

static void check_parts(const scr_world *a, const scr_world *b)
{
    CHECK_INT(b->material_count, a->material_count);
    for (int k = 0; k < a->material_count; k++) {
        CHECK_TEXT(b->materials[k].name, a->materials[k].name);
        CHECK(!memcmp(&a->materials[k].density, &b->materials[k].density, 24));
    }
    CHECK_INT(b->group_count, a->group_count);
    for (int k = 0; k < a->group_count; k++) {
        CHECK_TEXT(b->groups[k].name, a->groups[k].name);
        CHECK_INT(b->groups[k].frozen, a->groups[k].frozen);
        CHECK_INT(b->groups[k].material, a->groups[k].material);
    }
    CHECK_INT(b->wall_count, a->wall_count);
    for (int k = 0; k < a->wall_count; k++) {
        CHECK_TEXT(b->walls[k].name, a->walls[k].name);
        CHECK_TEXT(b->walls[k].shape, a->walls[k].shape);
        CHECK_INT(b->walls[k].material, a->walls[k].material);
        // velocity, spin, force, torque follow each other
        CHECK(!memcmp(&a->walls[k].velocity, &b->walls[k].velocity, 4 * sizeof(vec3)));
        CHECK(!memcmp(&a->walls[k].reference, &b->walls[k].reference, sizeof(vec3)));
        const pose *p[3] = {&a->walls[k].pose, &a->walls[k].anchor, &a->walls[k].base};
        const pose *q[3] = {&b->walls[k].pose, &b->walls[k].anchor, &b->walls[k].base};
        for (int m = 0; m < 3; m++) CHECK(!memcmp(p[m], q[m], 4 * sizeof(vec3)) && p[m]->turned == q[m]->turned);
        CHECK(a->walls[k].travel == b->walls[k].travel && b->walls[k].active);
        CHECK_INT(b->walls[k].first_face, a->walls[k].first_face);
        CHECK_INT(b->walls[k].face_count, a->walls[k].face_count);
    }
    CHECK_INT(b->face_count, a->face_count);
    for (int k = 0; k < a->face_count; k++) {
        const scr_face *f = &a->faces[k], *g = &b->faces[k];
        CHECK(f->kind == g->kind && f->wall == g->wall && f->material == g->material);
        CHECK(!memcmp(&f->point, &g->point, 15 * sizeof(double)));
    }
    CHECK(b->law_source == a->law_source);
    CHECK(b->laws && !memcmp(a->laws, b->laws, 4 * sizeof *a->laws));
    CHECK(!memcmp(&a->domain.lower, &b->domain.lower, 2 * sizeof(vec3)));
    CHECK(!memcmp(a->domain.periodic, b->domain.periodic, 3 * sizeof(bool)));
}

// grains, walls and a solid of shell cells, one link of which is broken
static void make_world(scr_world *w, size_t bodies, uint64_t seed)
{
    static const int size[3] = {4, 3, 2};
    fixture_world(w, bodies, seed);
    fixture_solid(w, size, 0.25);
    fixture_deform(w, 0.1);
    fixture_loads(w);
    w->links.fate[5] = SCR_LINK_SHEAR;
    w->solids[0].thickness = 0.5;
    w->border[3] = SCR_BORDER_SYMMETRY;
    size_t cells = w->cells.table.count;
    scr_table_reserve(&w->shells.table, cells);
    w->shells.table.count = cells;
    for (size_t k = 0; k < cells; k++) {
        w->shells.director[4 * k + 2] = 1, w->shells.director[4 * k + 3] = 1.0 / 3;
        w->shells.bend[2 * k] = 2, w->shells.bend[2 * k + 1] = -0.1 * (double)k;
    }
    CHECK(scr_reserve(&w->mesh.shift, 3 * w->mesh.face_count));
    w->mesh.shift[4] = -1.0 / 3;
}

#define SAME(member, count) CHECK(!memcmp(a->mesh.member, b->mesh.member, (count) * sizeof *a->mesh.member))
static void check_solids(const scr_world *a, const scr_world *b)
{
    CHECK(tables_equal(&a->cells.table, &b->cells.table));
    CHECK(tables_equal(&a->links.table, &b->links.table));
    CHECK(tables_equal(&a->shells.table, &b->shells.table));
    CHECK_INT(b->solid_count, 1);
    CHECK_TEXT(b->solids[0].name, a->solids[0].name);
    size_t behind = offsetof(scr_solid, material);
    CHECK(!memcmp((char *)a->solids + behind, (char *)b->solids + behind, sizeof *a->solids - behind));
    CHECK_INT((int)b->mesh.point_count, (int)a->mesh.point_count);
    CHECK_INT((int)b->mesh.face_count, (int)a->mesh.face_count);
    CHECK_INT((int)b->mesh.corner_count, (int)a->mesh.corner_count);
    CHECK_INT((int)b->mesh.cell_count, (int)a->mesh.cell_count);
    SAME(points, 3 * a->mesh.point_count);
    SAME(first, a->mesh.face_count + 1);
    SAME(corners, a->mesh.corner_count);
    SAME(cells, 2 * a->mesh.face_count);
    SAME(side, a->mesh.face_count);
    SAME(shift, 3 * a->mesh.face_count);
    CHECK(!memcmp(a->border, b->border, a->mesh.face_count * sizeof *a->border));
    CHECK_INT(b->mesh.side_count, 6);
    CHECK_TEXT(b->mesh.sides[3], "+y");
    CHECK(b->support_count == 2 && b->load_count == 1);
    for (int k = 0; k < 2 && b->support_count == 2; k++) {
        CHECK_TEXT(b->supports[k].name, a->supports[k].name);
        for (int d = 0; d < SCR_FELT_SUMS; d++)
            CHECK(scr_total_value(&a->supports[k].felt[d]) == scr_total_value(&b->supports[k].felt[d]));
    }
    CHECK(b->load_count && scr_total_value(&b->loads[0].work) == scr_total_value(&a->loads[0].work));
}

// every digit
static void check_totals(const scr_total *a, const scr_total *b, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        int64_t x[SCR_TOTAL_ROW], y[SCR_TOTAL_ROW];
        scr_total_pack(&a[k], x), scr_total_pack(&b[k], y);
        CHECK(!memcmp(x, y, sizeof x));
    }
}

static void round_trip(size_t bodies)
{
    scr_world a, b;
    scree_report report;
    uint64_t digest_a, digest_b, digest_read;
    scree_report_init(&report);
    make_world(&a, bodies, 1);
    // bodies that have come since the last list are in no block
    CHECK(scr_blocks_cut(&a.blocks, bodies / 2) && scr_blocks_extend(&a.blocks, bodies - bodies / 4));
    CHECK_INT(scr_checkpoint_write(FILE_A, &a, &digest_a, &report), SCREE_OK);
    scr_world_init(&b);
    CHECK_INT(scr_checkpoint_read(FILE_A, &b, &digest_read, &report), SCREE_OK);
    CHECK(digest_a == digest_read);
    check_parts(&a, &b);
    CHECK(tables_equal(&a.bodies.table, &b.bodies.table));
    CHECK_INT((int)b.blocks.count, (int)a.blocks.count);
    for (size_t k = 0; k <= a.blocks.count && b.blocks.count == a.blocks.count && a.blocks.count; k++)
        CHECK_INT((int)b.blocks.start[k], (int)a.blocks.start[k]);
    CHECK(tables_equal(&a.rigids.table, &b.rigids.table));
    CHECK(b.part_count == 1 && !strcmp(b.parts[0].name, a.parts[0].name));
    CHECK(b.walls[1].carried && b.walls[1].carrier == 0 && !b.walls[0].carried);
    CHECK(b.joint_count == 1 && !strcmp(b.joints[0].name, "pin"));
    CHECK(b.joints[0].kind == SCR_JOINT_HINGE);
    CHECK(b.joints[0].coordinate[0] == a.joints[0].coordinate[0] && b.joints[0].impulse[7] == a.joints[0].impulse[7]);
    check_solids(&a, &b);
    CHECK(tables_equal(&a.contacts.table, &b.contacts.table));
    CHECK(tables_equal(&a.bonds.table, &b.bonds.table));
    CHECK_INT(b.bond_law_count, 2);
    for (int k = 0; k < 2 && b.bond_law_count == 2; k++) {
        CHECK_TEXT(b.bond_laws[k].name, a.bond_laws[k].name);
        CHECK(!memcmp(&a.bond_laws[k].young, &b.bond_laws[k].young, 7 * sizeof(double)));
    }
    CHECK(!memcmp(&a.clock, &b.clock, sizeof a.clock));
    CHECK(!memcmp(&a.ledger, &b.ledger, offsetof(scr_ledger, booked)));
    check_totals(scr_ledger_totals(&a.ledger), scr_ledger_totals(&b.ledger), SCR_BOOKED);
    for (int k = 0; k < a.wall_count; k++) check_totals(a.walls[k].load, b.walls[k].load, 6);
    CHECK(SCR_ACCOUNT(&b.ledger, rolling) == 1e-40 && scr_total_value(&b.walls[1].load[4]) == -3);
    CHECK(!memcmp(&a.tally, &b.tally, sizeof a.tally));
    CHECK(scr_world_digest(&a) == scr_world_digest(&b));
    // the same world is the same file
    CHECK_INT(scr_checkpoint_write(FILE_B, &b, &digest_b, &report), SCREE_OK);
    CHECK(digest_a == digest_b);
    // the size is known beforehand, as far as a check of free space needs it
    struct stat info;
    CHECK(!stat(FILE_A, &info) && (uint64_t)info.st_size <= scr_checkpoint_size(&a));
    CHECK_INT(report.errors, 0);
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
    scr_world_deinit(&a);
    scr_world_deinit(&b);
}

// a world that is wrong in one place is written as it is, and refused when it is read
static void check_refused(const char *what, void (*spoil)(scr_world *))
{
    scr_world a, b;
    scree_report report;
    scree_report_init(&report);
    make_world(&a, 20, 2);
    spoil(&a);
    CHECK_INT(scr_checkpoint_write(FILE_A, &a, NULL, &report), SCREE_OK);
    scr_world_init(&b);
    scree_status status = scr_checkpoint_read(FILE_A, &b, NULL, &report);
    if (status != SCREE_E_INPUT) printf("not refused: %s\n", what);
    CHECK_INT(status, SCREE_E_INPUT);
    CHECK(report.count == 1 && report.messages[0].file && strstr(report.messages[0].file, "a.h5"));
    scree_report_deinit(&report);
    scr_world_deinit(&a);
    scr_world_deinit(&b);
}

#define SPOIL(name, statement)             \
    static void spoil_##name(scr_world *w) \
    {                                      \
        statement;                         \
    }
SPOIL(nan, w->bodies.place[5] = NAN)
SPOIL(infinite, w->bodies.load[9] = INFINITY)
SPOIL(radius, w->bodies.place[4 * 3 + 3] = 0)
SPOIL(inverse_mass, w->bodies.motion[4 * 3 + 3] = -1)
SPOIL(mass, w->bodies.mass[2] = 0)
SPOIL(id, w->bodies.id[7] = w->bodies.id[11])
SPOIL(id_negative, w->bodies.id[0] = -5)
SPOIL(material, w->bodies.material[3] = 2)
SPOIL(material_negative, w->bodies.material[3] = -1)
SPOIL(group, w->bodies.group[3] = 3)
SPOIL(carrier, w->bodies.carrier[3] = 999)
SPOIL(blocks, CHECK(scr_blocks_cut(&w->blocks, 21)))
SPOIL(blocks_order, CHECK(scr_blocks_cut(&w->blocks, 10) && (w->blocks.start[0] = 2)))
SPOIL(contact_body, w->contacts.body[4] = 999)
SPOIL(contact_body_negative, w->contacts.body[4] = -1)
SPOIL(partner, w->contacts.partner[4] = 999)
SPOIL(partner_face, w->contacts.partner[5] = -4)
SPOIL(partner_self, w->contacts.partner[4] = w->contacts.body[4])
SPOIL(history, w->contacts.history[8] = NAN)
SPOIL(bond_body, w->bonds.body[3] = 999)
SPOIL(bond_partner, w->bonds.partner[3] = -1)
SPOIL(bond_law, w->bonds.law[2] = 2)
SPOIL(bond_length, w->bonds.shape[4] = 0)
SPOIL(bond_spring, w->bonds.spring[4] = NAN)
SPOIL(time, w->clock.time = NAN)
SPOIL(step, w->clock.step = -1)
SPOIL(ledger, w->ledger.friction = INFINITY)
SPOIL(booked, scr_total_add(&w->ledger.booked.friction, INFINITY))
SPOIL(booked_digit, w->ledger.booked.removed.digit[SCR_TOTAL_DIGITS - 1] = INT64_MAX)
SPOIL(wall_load, scr_total_add(&w->walls[1].load[5], NAN))
SPOIL(wall_material, w->walls[0].material = 2)
SPOIL(wall_pose, w->walls[1].pose.shift.y = NAN)
SPOIL(wall_turn, w->walls[1].base.row[2].y = INFINITY)
SPOIL(wall_travel, w->walls[1].travel = NAN)
SPOIL(wall_torque, w->walls[0].torque.x = NAN)
SPOIL(face, w->faces[1].axis.x = NAN)
SPOIL(face_kind, w->faces[1].kind = SCR_FACE_KINDS)
SPOIL(face_edge, w->faces[1].edge[1].y = NAN)
SPOIL(law, w->laws[2].kn = NAN)
SPOIL(domain, w->domain.upper.z = INFINITY)
SPOIL(cell_nan, w->cells.displacement[5] = NAN)
SPOIL(cell_mass, w->cells.displacement[7] = 0)
SPOIL(cell_inverse, w->cells.velocity[7] = -1)
SPOIL(cell_inertia, w->cells.inertia[9] = 0)
SPOIL(cell_volume, w->cells.home[3] = 0)
SPOIL(cell_bulk, w->cells.bulk[2] = -1)
SPOIL(cell_turn, w->cells.turn[4] = 0.5)
SPOIL(cell_axes, w->cells.axes[4] = 0)
SPOIL(cell_solid, w->cells.solid[3] = 1)
SPOIL(cell_fragment, w->cells.fragment[3] = 4)
SPOIL(cell_fragment_root, (w->cells.fragment[3] = 3, w->cells.fragment[3 + 1] = 2, w->cells.fragment[2] = 1))
SPOIL(cell_held, w->cells.held[3] = 64)
SPOIL(link_cell, w->links.cell[1] = 24)
SPOIL(link_self, w->links.cell[1] = w->links.cell[0])
SPOIL(link_negative, w->links.cell[0] = -1)
SPOIL(link_order, w->links.cell[2] = 20)
SPOIL(link_normal, w->links.frame[0] = 0.5)
SPOIL(link_axis, (w->links.frame[3] = 1, w->links.frame[4] = 0))
SPOIL(link_stiffness, w->links.stiff[0] = 0)
SPOIL(link_area, w->links.area[2] = -1)
SPOIL(link_face, w->links.face[2] = (int32_t)w->mesh.face_count)
SPOIL(link_fate, w->links.fate[2] = 4)
SPOIL(link_arm, w->links.arm[2] = INFINITY)
SPOIL(link_share, w->links.share[6] = NAN)
SPOIL(cell_pivot, w->cells.pivot[4] = NAN)
SPOIL(shell_director, w->shells.director[2] = 0)
SPOIL(shell_volume, w->shells.bend[2] = 0)
SPOIL(shell_count, w->shells.table.count = 23)
SPOIL(shell_missing, w->shells.table.count = 0)
SPOIL(solid_material, w->solids[0].material = 2)
SPOIL(solid_first, w->solids[0].first_cell = 1)
SPOIL(solid_cells, w->solids[0].cell_count = 23)
SPOIL(solid_normal, w->solids[0].normal = 3)
SPOIL(solid_strength, w->solids[0].tensile_strength = NAN)
SPOIL(solid_damping, w->solids[0].damping = INFINITY)
SPOIL(mesh_point, w->mesh.points[4] = NAN)
SPOIL(mesh_corner, w->mesh.corners[4] = (uint32_t)w->mesh.point_count)
SPOIL(mesh_corner_huge, w->mesh.corners[4] = UINT32_MAX)
SPOIL(mesh_first, w->mesh.first[2] = w->mesh.first[1] + 2)
SPOIL(mesh_first_back, w->mesh.first[2] = 0)
SPOIL(mesh_first_huge, w->mesh.first[2] = UINT32_MAX)
SPOIL(mesh_cell, w->mesh.cells[4] = 24)
SPOIL(mesh_cell_negative, w->mesh.cells[4] = -1)
SPOIL(mesh_other, w->mesh.cells[5] = -2)
SPOIL(mesh_side, w->mesh.side[1] = 6)
SPOIL(mesh_skin, w->border[1] = 2)
SPOIL(mesh_shift, w->mesh.shift[1] = INFINITY)
SPOIL(mesh_cells, w->mesh.cell_count = 23)
SPOIL(support, scr_total_add(&w->supports[1].felt[SCR_FELT_TORQUE + 1], NAN))
SPOIL(load_work, scr_total_add(&w->loads[0].work, NAN))

static void refusals(void)
{
#define REFUSED(name) check_refused(#name, spoil_##name)
    REFUSED(nan), REFUSED(infinite), REFUSED(radius), REFUSED(inverse_mass), REFUSED(mass);
    REFUSED(id), REFUSED(id_negative), REFUSED(material), REFUSED(material_negative), REFUSED(group), REFUSED(carrier);
    REFUSED(blocks), REFUSED(blocks_order), REFUSED(contact_body), REFUSED(contact_body_negative);
    REFUSED(partner), REFUSED(partner_face);
    REFUSED(partner_self), REFUSED(history), REFUSED(time), REFUSED(step), REFUSED(ledger);
    REFUSED(booked), REFUSED(booked_digit), REFUSED(wall_load);
    REFUSED(wall_material), REFUSED(wall_pose), REFUSED(wall_turn), REFUSED(wall_travel);
    REFUSED(wall_torque), REFUSED(face), REFUSED(face_kind), REFUSED(face_edge);
    REFUSED(domain), REFUSED(law);
    REFUSED(bond_body), REFUSED(bond_partner), REFUSED(bond_law), REFUSED(bond_length);
    REFUSED(bond_spring);
    REFUSED(cell_nan), REFUSED(cell_mass), REFUSED(cell_inverse), REFUSED(cell_inertia);
    REFUSED(cell_volume), REFUSED(cell_bulk), REFUSED(cell_turn), REFUSED(cell_axes);
    REFUSED(cell_solid), REFUSED(cell_fragment), REFUSED(cell_fragment_root), REFUSED(cell_held);
    REFUSED(link_cell), REFUSED(link_self), REFUSED(link_negative), REFUSED(link_order);
    REFUSED(link_normal), REFUSED(link_share), REFUSED(cell_pivot), REFUSED(link_axis), REFUSED(link_stiffness),
        REFUSED(link_area);
    REFUSED(link_face), REFUSED(link_fate), REFUSED(link_arm), REFUSED(shell_director);
    REFUSED(shell_volume), REFUSED(shell_count), REFUSED(shell_missing), REFUSED(solid_material);
    REFUSED(solid_first), REFUSED(solid_cells), REFUSED(solid_normal), REFUSED(solid_strength);
    REFUSED(solid_damping), REFUSED(mesh_point), REFUSED(mesh_corner), REFUSED(mesh_corner_huge);
    REFUSED(mesh_first), REFUSED(mesh_first_back), REFUSED(mesh_first_huge), REFUSED(mesh_cell);
    REFUSED(mesh_cell_negative), REFUSED(mesh_other), REFUSED(mesh_side), REFUSED(mesh_skin);
    REFUSED(mesh_shift), REFUSED(mesh_cells), REFUSED(support), REFUSED(load_work);
}

/* ---- files that are not whole ---- */

static char *bytes_of(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    char *bytes = malloc(*size);
    if (fread(bytes, 1, *size, in) != *size) *size = 0;
    fclose(in);
    return bytes;
}

static void put_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    fwrite(bytes, 1, size, out);
    fclose(out);
}

static bool refused(const char *path)
{
    scr_world w;
    scree_report report;
    scree_report_init(&report);
    scr_world_init(&w);
    scree_status status = scr_checkpoint_read(path, &w, NULL, &report);
    bool ok = status == SCREE_E_INPUT && report.errors > 0;
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    return ok;
}

static void damage(void)
{
    scr_world a;
    scree_report report;
    size_t size;
    scree_report_init(&report);
    make_world(&a, 20, 3);
    CHECK_INT(scr_checkpoint_write(FILE_A, &a, NULL, &report), SCREE_OK);
    scr_world_deinit(&a);
    char *bytes = bytes_of(FILE_A, &size);

    int bad = 0;
    for (size_t length = 0; length < size; length += length < 600 ? 1 : 97) {
        put_bytes(FILE_B, bytes, length);
        bad += !refused(FILE_B);
    }
    CHECK_INT(bad, 0); // truncated at any length
    for (size_t at = 0; at < size; at += at < 600 ? 1 : 61) {
        bytes[at] ^= 0x10;
        put_bytes(FILE_B, bytes, size);
        bad += !refused(FILE_B);
        bytes[at] ^= 0x10;
    }
    CHECK_INT(bad, 0); // one bit anywhere
    char *longer = calloc(1, size + 100);
    memcpy(longer, bytes, size);
    put_bytes(FILE_B, longer, size + 100);
    CHECK(refused(FILE_B));
    CHECK(refused(FOLDER "/missing.h5"));
    CHECK(refused(FOLDER));
    CHECK(refused("/dev/null"));
    put_bytes(FILE_B, bytes, size);
    CHECK(!refused(FILE_B));
    free(bytes), free(longer);
    scree_report_deinit(&report);
}

// a file with a valid seal whose contents are not a checkpoint: every object may be missing or of
// another kind
static void foreign(void)
{
    scree_report report;
    scree_report_init(&report);
    for (int stage = 0; stage < 5; stage++) {
        scr_h5 *file = scr_h5_create(FILE_B, &report);
        int64_t huge[1] = {INT64_MAX}, version = stage > 0 ? SCR_CHECKPOINT_VERSION : 99;
        scr_h5_set_i64(file, "/", "format_version", &version, 1);
        if (stage > 1) scr_h5_group(file, "/bodies");
        if (stage > 2) scr_h5_set_i64(file, "/bodies", "count", huge, 1);
        if (stage > 3) scr_h5_write_text(file, "/clock", "noon");
        CHECK_INT(scr_h5_finish(file, SCR_CHECKPOINT_KIND, NULL, NULL), SCREE_OK);
        CHECK(refused(FILE_B));
    }
    scree_report_deinit(&report);
}

// a checkpoint of an older Scree is told as such
static void old_version(void)
{
    scr_world w;
    scree_report report;
    scree_report_init(&report);
    scr_h5 *file = scr_h5_create(FILE_B, &report);
    scr_h5_set_i64(file, "/", "format_version", &(int64_t){SCR_CHECKPOINT_VERSION - 1}, 1);
    CHECK_INT(scr_h5_finish(file, SCR_CHECKPOINT_KIND, NULL, NULL), SCREE_OK);
    scr_world_init(&w);
    CHECK_INT(scr_checkpoint_read(FILE_B, &w, NULL, &report), SCREE_E_INPUT);
    CHECK(report.count == 1 && strstr(report.messages[0].text, "older version of Scree"));
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

int main(void)
{
    fixture_folder(FOLDER);
    round_trip(20);
    round_trip(0);
    round_trip(1);
    round_trip(40000); // more than one block of rows
    refusals();
    damage();
    foreign();
    old_version();
    CHECK_INT(fixture_file_count(FOLDER), 2); // no temporaries are left
    fixture_remove_tree(FOLDER);
    return check_done();
}
