/* Views of the arrays of a simulation, contacts as rows, and calls of each step (scree/live.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "observe/cell_views.h"
#include "observe/contact_table.h"
#include "run/simulation.h"

_Static_assert((int)SCREE_F64 == SCR_F64 && (int)SCREE_I64 == SCR_I64 && (int)SCREE_I32 == SCR_I32 &&
                   (int)SCREE_U8 == SCR_U8,
               "public numbers are those of field tables");

static int body_view_count(void)
{
    int count = 0;
    while (scr_body_views[count].name) count++;
    return count;
}

static int cell_view_count(const scree_simulation *s)
{
    int count = 0;
    while (s->world.cells.table.count && scr_cell_views[count].name) count++;
    return count;
}

int scree_simulation_view_count(const scree_simulation *s)
{
    return body_view_count() + cell_view_count(s);
}

// what a later step starts from, and a program may choose; all else follows or identifies the grain
static bool is_writable(const char *name)
{
    static const char *const names[] = {"position", "radius", "velocity", "spin", "mass"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(names[k], name)) return true;
    return false;
}

static scree_view body_view(scr_bodies *b, const scr_view *v)
{
    const scr_field *f = scr_table_field(&b->table, v->field);
    char *array = scr_table_array(&b->table, f);
    b->table.keeps = true; // from now on a caller may hold a pointer
    return (scree_view){.name = v->name,
                        .unit = v->unit,
                        .doc = v->doc,
                        .type = (scree_scalar)f->type,
                        .width = v->width,
                        .rows = (int64_t)b->table.count,
                        .stride = (ptrdiff_t)scr_field_row(f),
                        .flags = is_writable(v->name) ? SCREE_VIEW_WRITABLE : 0,
                        .data = array ? array + (size_t)v->first * scr_scalar_size(f->type) : NULL};
}

// names with their prefix live as long as the simulation
static const char *cell_name(scree_simulation *s, int k)
{
    if (!s->view_names) s->view_names = calloc((size_t)cell_view_count(s), sizeof *s->view_names);
    if (!s->view_names) return scr_cell_views[k].name;
    snprintf(s->view_names[k], sizeof s->view_names[k], "cells.%s", scr_cell_views[k].name);
    return s->view_names[k];
}

scree_view scree_simulation_view(scree_simulation *s, int number)
{
    int bodies = body_view_count();
    scr_step_catch_up(&s->step);
    if (number < bodies) return body_view(&s->world.bodies, &scr_body_views[number]);
    const scr_cell_view *v = &scr_cell_views[number - bodies];
    return (scree_view){.name = cell_name(s, number - bodies),
                        .unit = v->unit,
                        .doc = v->doc,
                        .type = SCREE_F64,
                        .width = v->width,
                        .rows = (int64_t)s->world.cells.table.count,
                        .stride = (ptrdiff_t)sizeof(double) * v->width,
                        .flags = SCREE_VIEW_COPIED};
}

scree_status scree_simulation_view_find(scree_simulation *s, const char *name, scree_view *view, scree_report *report)
{
    const scr_view *v = scr_body_view(name);
    scr_step_catch_up(&s->step);
    if (v) {
        *view = body_view(&s->world.bodies, v);
        return SCREE_OK;
    }
    for (int k = body_view_count(), count = scree_simulation_view_count(s); k < count; k++) {
        *view = scree_simulation_view(s, k);
        if (!strcmp(view->name, name)) return SCREE_OK;
    }
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "there is no view '%s'", name);
}

uint64_t scree_simulation_row_version(const scree_simulation *s)
{
    scr_step_catch_up((scr_step *)&s->step);
    return s->world.bodies.table.moves;
}

void scree_simulation_on_step(scree_simulation *s, const scree_step_calls *calls)
{
    s->calls = calls ? *calls : (scree_step_calls){0};
    s->pushed = false;
}

const char *scree_simulation_group(const scree_simulation *s, int group)
{
    return group >= 0 && group < s->world.group_count ? s->world.groups[group].name : NULL;
}

const char *scree_simulation_material(const scree_simulation *s, int material)
{
    return material >= 0 && material < s->world.material_count ? s->world.materials[material].name : NULL;
}

scree_status scree_simulation_contacts(scree_simulation *s, scree_contact **contacts, int64_t *count,
                                       scree_report *report)
{
    scr_contact_row *rows = NULL;
    scr_frame_contacts all = {0};
    *contacts = NULL, *count = 0;
    scree_status status = scree_simulation_renew(s, report);
    if (status) return status;
    if (!s->contacts_known)
        return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                        "contacts are not available: set scree_simulation_def.contacts to keep those of the last step "
                        "of each advance, if the integrator provides them");
    status = s->step.stepper->contacts(&s->step, &rows, &all.count, report);
    all.rows = rows;
    if (!status) *contacts = malloc((all.count + 1) * sizeof **contacts);
    if (!status && (!*contacts || !scr_contact_table_fill(&s->world, &all, *contacts)))
        status = scr_no_memory(report, "contacts");
    *count = (int64_t)all.count;
    scr_memory_free(rows);
    return status;
}
