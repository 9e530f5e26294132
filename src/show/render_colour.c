#include "show/render_colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "observe/cell_views.h"
#include "show/derived.h"

/* A view and what is made of its numbers. */
typedef struct {
    char view[64];
    const char *component; /* behind the dot, in `view`; NULL: the whole */
    double (*of_stress)(const double stress[6]);
} wish;

// `velocity.z` is view and component; speed, height, mises and pressure are names of their own
static void parse(const char *text, wish *w)
{
    *w = (wish){0};
    if (!strcmp(text, "speed")) text = "velocity";
    if (!strcmp(text, "height")) text = "position.z";
    if (!strcmp(text, "mises") || !strcmp(text, "stress")) w->of_stress = scr_stress_mises, text = "stress";
    if (!strcmp(text, "pressure")) w->of_stress = scr_stress_pressure, text = "stress";
    snprintf(w->view, sizeof w->view, "%s", text);
    // the component points into the view: a wish must not be moved
    char *dot = strchr(w->view, '.');
    if (dot) *dot = 0, w->component = dot + 1;
}

// the number's place in a row; -1: magnitude, -2: there is none
static int place_of(const wish *w, int width)
{
    static const char *const axes[] = {"x", "y", "z"};
    static const char *const tensor[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
    if (!w->component) return -1;
    const char *const *names = width == 6 ? tensor : axes;
    for (int k = 0; k < width && k < (width == 6 ? 6 : 3); k++)
        if (!strcmp(names[k], w->component)) return k;
    return -2;
}

static scree_status numbers_of(const wish *w, const char *by, double *data, size_t rows, int width, double **out,
                               scree_report *report)
{
    int place = place_of(w, width);
    double *values = malloc((rows + 1) * sizeof *values);
    if (!values || place == -2) {
        free(values), free(data);
        return scr_fail(report, place == -2 ? SCREE_E_INPUT : SCREE_E_MEMORY, SCR_NOWHERE, "cannot colour by '%s'%s",
                        by, place == -2 ? ": the view has no such component" : ": no memory");
    }
    for (size_t k = 0; k < rows; k++) {
        const double *row = data + k * (size_t)width;
        double sum = 0;
        for (int d = 0; d < width; d++) sum += row[d] * row[d];
        values[k] = w->of_stress && width == 6 ? w->of_stress(row)
                    : place >= 0               ? row[place]
                    : width == 1               ? row[0]
                                               : sqrt(sum);
    }
    free(data);
    *out = values;
    return SCREE_OK;
}

// views whose numbers stand for things
static const char *const named[] = {"fragment", "material", "group", "aggregate", "solid", NULL};

static void list_views(char *list, size_t size, const char *const *views)
{
    for (int k = 0; views[k]; k++) snprintf(list + strlen(list), size - strlen(list), "%s%s", k ? ", " : "", views[k]);
}

static scree_status no_view(const scr_archive *a, int frame, const char *by, scree_report *report)
{
    char grains[512] = "", cells[512] = "";
    list_views(grains, sizeof grains, scr_archive_views(a, frame));
    list_views(cells, sizeof cells, scr_archive_cell_views(a, frame));
    // a frame that holds nothing is one that cannot be read: reading it says why
    double *id = NULL;
    size_t rows;
    int width;
    scree_status status = *grains || *cells ? SCREE_OK : scr_archive_read(a, frame, "id", &id, &rows, &width, report);
    free(id);
    if (status) return status;
    return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                    "cannot colour by '%s': the frame contains %s%s%s; also possible are speed, height, displacement "
                    "and components such as velocity.z, with mass kinetic_energy, with contacts coordination and "
                    "pressure, with bonds fragment",
                    by, grains, *cells ? "; of cells " : "", cells);
}

scree_status scr_colouring_read(const scr_archive *a, int frame, const char *by, scr_colouring *c, scree_report *report)
{
    wish w;
    parse(by, &w);
    double *data;
    int width;
    size_t rows = 0, cells = scr_archive_mesh(a, NULL)->cell_count;
    scree_status status = SCREE_OK;
    *c = (scr_colouring){.unit = ""};
    snprintf(c->title, sizeof c->title, "%s", w.of_stress == scr_stress_mises ? "von Mises" : by);
    if (scr_name_is_among(scr_archive_views(a, frame), w.view)) {
        c->unit = scr_archive_unit(a, frame, w.view);
        status = scr_archive_read(a, frame, w.view, &data, &rows, &width, report);
        if (!status) status = numbers_of(&w, by, data, rows, width, &c->grains, report);
    }
    const scr_derived *derived = c->grains ? NULL : scr_derived_find(a, frame, by);
    if (!status && derived) {
        c->unit = derived->unit;
        status = scr_derived_read(a, frame, derived, &c->grains, report);
    }
    if (!status && scr_name_is_among(scr_archive_cell_views(a, frame), w.view)) {
        c->unit = scr_archive_cell_unit(a, frame, w.view);
        status = scr_archive_cells(a, frame, w.view, &data, &width, report);
        if (!status) status = numbers_of(&w, by, data, cells, width, &c->cells, report);
    }
    if (!status && !c->grains && !c->cells) status = no_view(a, frame, by, report);
    c->names = scr_name_is_among(named, w.view);
    return status;
}

void scr_colouring_deinit(scr_colouring *c)
{
    free(c->grains);
    free(c->cells);
    c->grains = c->cells = NULL;
}

const char *scr_colouring_first(const scr_archive *a, int frame)
{
    const char *const *grains = scr_archive_views(a, frame);
    const char *const *cells = scr_archive_cell_views(a, frame);
    return scr_name_is_among(cells, "stress")         ? "stress"
           : scr_name_is_among(grains, "velocity")    ? "speed"
           : scr_name_is_among(cells, "displacement") ? "displacement"
           : scr_name_is_among(grains, "radius")      ? "radius"
                                                      : "";
}
