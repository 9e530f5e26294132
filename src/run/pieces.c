#include "run/pieces.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "comm/comm.h"
#include "observe/pieces.h"
#include "observe/results_files.h"

static scree_status ask(scree_simulation *s, const scr_pieces_order *order, void *result, scree_report *report)
{
    return s->step.stepper->everywhere(&s->step, order, sizeof *order, scr_pieces_needs(order), result, report);
}

// what some have written is of no use without the rest
static void remove_parts(const char *path, int count)
{
    const char *file = scr_base_name(path);
    for (int k = 1; k <= count; k++) {
        char name[64], *part;
        scr_piece_name(name, file, k);
        if (asprintf(&part, "%.*s%s", (int)(file - path), path, name) < 0) continue;
        unlink(part);
        free(part);
    }
}

// the files of the writers; then the next file of the results has them. *parts lives as long as that is written
static scree_status write_parts(scree_simulation *s, scr_results *results, scr_pieces_order *order, scr_piece **parts,
                                scree_report *report)
{
    char *path = NULL;
    int writers = scr_comm_world()->writers;
    bool checkpoint = order->kind == SCR_PIECES_CHECKPOINT;
    scree_status status = scr_results_pieces_path(results, checkpoint, &s->world, &path, report);
    *parts = calloc((size_t)writers, sizeof **parts);
    if (!status && !*parts) status = scr_no_memory(report, "parts of results");
    if (!status && strlen(path) >= sizeof order->path)
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path}, "is too long a path for several ranks");
    if (!status) {
        strcpy(order->path, path);
        order->ids = s->world.clock.next_id;
        status = ask(s, order, *parts, report);
        if (status) remove_parts(path, writers);
    }
    if (!status) scr_results_pieces_set(results, *parts, writers);
    free(path);
    return status;
}

scree_status scr_pieces_frame(scree_simulation *s, scr_results *results, const char **fields, int field_count,
                              bool contacts, scree_report *report)
{
    const scr_output_def *output = scr_scene_def(s->scene, "output");
    scr_piece *parts;
    scr_pieces_order order = {.kind = SCR_PIECES_FRAME,
                              .contacts = contacts,
                              .single = output->precision == SCR_OUTPUT_SINGLE,
                              .compress = output->compress == SCR_OUTPUT_FAST};
    scr_pieces_order_fields(&order, fields, field_count);
    scree_status status = write_parts(s, results, &order, &parts, report);
    if (!status) status = scr_results_frame(results, &s->world, fields, field_count, NULL, report);
    free(parts);
    return status;
}

scree_status scr_pieces_checkpoint(scree_simulation *s, scr_results *results, scree_report *report)
{
    scr_piece *parts;
    scr_pieces_order order = {.kind = SCR_PIECES_CHECKPOINT};
    scree_status status = write_parts(s, results, &order, &parts, report);
    if (!status) status = scr_results_checkpoint(results, &s->world, report);
    free(parts);
    return status;
}

scree_status scr_pieces_look(scree_simulation *s, scree_report *report)
{
    return ask(s, &(scr_pieces_order){.kind = SCR_PIECES_LOOK}, NULL, report);
}

bool scr_pieces_are_finite(scree_simulation *s, scree_report *report)
{
    bool finite = false;
    return !ask(s, &(scr_pieces_order){.kind = SCR_PIECES_FINITE}, &finite, report) && finite;
}
