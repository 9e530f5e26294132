#include "step/soft/cpu/contacts.h"

#include "base/memory.h"

static scr_contact_row body_row(const scr_step *s, const scr_images *images, size_t k)
{
    const scr_pairs *p = &s->pairs;
    const double *x = s->world->bodies.place + 4 * (size_t)p->first[k];
    const double *y = s->world->bodies.place + 4 * (size_t)p->second[k];
    double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
    scr_image_nearest(images, d, NULL);
    double distance = v3_norm(v3_load(d));
    scr_contact_row row = {.body = {(int32_t)p->first[k], (int32_t)p->second[k]},
                           .normal = v3_scale(1 / distance, v3_load(d)),
                           .branch = v3_load(d),
                           .overlap = x[3] + y[3] - distance};
    row.point = v3_axpy(v3_load(x), -(x[3] - 0.5 * row.overlap), row.normal);
    return row;
}

static scr_contact_row wall_row(const scr_step *s, size_t k)
{
    const scr_pairs *p = &s->pairs;
    const double *x = s->world->bodies.place + 4 * (size_t)p->walls.body[k];
    scr_contact_row row = {.body = {(int32_t)p->walls.body[k], -1 - (int32_t)p->walls.face[k]}};
    row.overlap = x[3] - scr_world_face_distance(s->world, (int)p->walls.face[k], v3_load(x), &row.normal);
    row.point = v3_axpy(v3_load(x), -(x[3] - 0.5 * row.overlap), row.normal);
    row.branch = v3_sub(v3_load(x), row.point);
    return row;
}

static void add_record(scr_contact_row *row, const double *record, const double *wide)
{
    row->force = v3_load(record);
    row->couple = v3_load(record + 4);
    if (wide) row->spent = wide[4] + record[3];
}

scree_status scr_soft_contacts(const scr_step *s, size_t more, scr_contact_row **rows, size_t *count,
                               scree_report *report)
{
    const scr_pairs *p = &s->pairs;
    const scr_images images = scr_images_of(&s->world->domain);
    *count = 0;
    *rows = scr_memory_new((size_t)s->last.contacts + more + 1, sizeof **rows);
    if (!*rows) return scr_no_memory(report, "contacts");
    for (size_t k = p->block_pairs[p->own_first]; k < p->block_pairs[p->own_end]; k++) {
        if (!p->touch[k]) continue;
        scr_contact_row row = body_row(s, &images, k);
        add_record(&row, p->record + 8 * k, p->wide ? p->wide + 8 * k : NULL);
        (*rows)[(*count)++] = row;
    }
    for (size_t k = 0; k < p->walls.count; k++) {
        if (!p->walls.touch[k]) continue;
        scr_contact_row row = wall_row(s, k);
        add_record(&row, p->walls.record + 8 * k, p->walls.wide ? p->walls.wide + 8 * k : NULL);
        (*rows)[(*count)++] = row;
    }
    return SCREE_OK;
}
