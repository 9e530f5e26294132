/* /api/run: what the results are, in one text that the client asks for again and again (view/answers.h). */
#include <string.h>

#include "base/json.h"
#include "show/colour.h"
#include "show/derived.h"
#include "show/render_colour.h"
#include "view/answers.h"

static void key(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":", name);
    scr_json_text(out, text);
}

/* ---- what can be coloured by ---- */

// numbers of grains and cells: names as `scree render --colour` has them
typedef struct {
    FILE *out;
    bool comma;
    const char *const *only; // NULL: all
} list;

static void field(list *l, const char *by, const char *title, const char *unit, bool grains, bool cells, bool names)
{
    if (l->only && !scr_name_is_among(l->only, by)) return;
    fprintf(l->out, "%s{\"by\":", l->comma ? "," : "");
    scr_json_text(l->out, by);
    key(l->out, "title", title);
    key(l->out, "unit", unit);
    fprintf(l->out, ",\"grains\":%s,\"cells\":%s,\"names\":%s}", grains ? "true" : "false", cells ? "true" : "false",
            names ? "true" : "false");
    l->comma = true;
}

static void components(list *l, const char *view, const char *unit, bool grains, bool cells)
{
    static const char *const axes[] = {"x", "y", "z"};
    char by[64];
    for (int k = 0; k < 3; k++) {
        snprintf(by, sizeof by, "%s.%s", view, axes[k]);
        field(l, by, by, unit, grains, cells, false);
    }
}

// views with a name of their own when they are coloured by; NULL: not shown, "": as they are called
static const char *title_of(const char *view)
{
    static const char *const titles[][2] = {
        {"velocity", "speed"}, {"spin", "angular speed"},      {"turn", NULL},  {"image", NULL},
        {"position", NULL},    {"stress", "von Mises stress"}, {"mises", NULL}, {"dilation", "change of volume"}};
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++)
        if (!strcmp(titles[k][0], view)) return titles[k][1];
    return "";
}

static void view_fields(list *l, const char *view, const char *unit, bool grains, bool cells)
{
    static const char *const words[] = {"id", "material", "group", "aggregate", "fragment", "solid", NULL};
    static const char *const vectors[] = {"velocity", "spin", "force", "torque", "displacement", NULL};
    static const char *const tensor[] = {"stress.xx", "stress.yy", "stress.zz", "stress.xy", "stress.xz", "stress.yz"};
    const char *title = title_of(view);
    if (!strcmp(view, "position")) {
        field(l, "height", "height", unit, grains, cells, false);
        field(l, "position.x", "x", unit, grains, cells, false);
        field(l, "position.y", "y", unit, grains, cells, false);
    }
    if (title)
        field(l, !strcmp(view, "velocity") ? "speed" : view, *title ? title : view, unit, grains, cells,
              scr_name_is_among(words, view));
    // displacements of grains are derived: their length alone
    if (scr_name_is_among(vectors, view)) components(l, view, unit, grains && strcmp(view, "displacement"), cells);
    for (int k = 0; k < 6 && !strcmp(view, "stress"); k++) field(l, tensor[k], tensor[k], unit, false, cells, false);
}

static void fields_write(const scr_viewer *v, FILE *out)
{
    const scr_archive *a = v->archive;
    int frame = scr_archive_frame_count(a) - 1;
    const char *const *grains = scr_archive_views(a, frame);
    const char *const *cells = scr_archive_cell_views(a, frame);
    bool any = frame >= 0 && scr_archive_frame(a, frame).bodies > 0;
    for (int k = 0; !any && k < frame; k++) any = scr_archive_frame(a, k).bodies > 0;
    list l = {out, false, v->fields};
    for (int k = 0; any && grains[k]; k++)
        view_fields(&l, grains[k], scr_archive_unit(a, frame, grains[k]), true, scr_name_is_among(cells, grains[k]));
    for (int k = 0; cells[k]; k++)
        if (!any || !scr_name_is_among(grains, cells[k]))
            view_fields(&l, cells[k], scr_archive_cell_unit(a, frame, cells[k]),
                        any && scr_derived_find(a, frame, cells[k]), true);
    bool stress = scr_name_is_among(cells, "stress");
    for (const scr_derived *d = scr_derived_values; any && d->name; d++)
        if (!scr_name_is_among(cells, d->name) && scr_derived_find(a, frame, d->name))
            field(&l, d->name, d->name, d->unit, true, stress && !strcmp(d->name, "pressure"), d->of_bonds);
    bool shown = any && scr_derived_find(a, frame, "pressure");
    if (stress && !shown) field(&l, "pressure", "pressure", "Pa", false, true, false);
}

/* ---- the rest ---- */

static int frame_of(const scr_viewer *v, int k)
{
    return v->frames ? v->frames[k] : k;
}

static void frames_write(const scr_viewer *v, FILE *out)
{
    const scr_archive *a = v->archive;
    int count = v->frames ? v->frame_count : scr_archive_frame_count(a);
    fputs(",\"times\":[", out);
    for (int k = 0; k < count; k++) {
        if (k) fputc(',', out);
        scr_json_number(out, scr_archive_frame(a, frame_of(v, k)).time);
    }
    fputs("],\"bodies\":[", out);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s%lld", k ? "," : "", (long long)scr_archive_frame(a, frame_of(v, k)).bodies);
    fputs("],\"tags\":[", out);
    for (int k = 0; k < count; k++)
        fprintf(out, "%s\"%016llx\"", k ? "," : "", (unsigned long long)scr_archive_frame_digest(a, frame_of(v, k)));
    fputs("]", out);
}

static void names_write(const scr_archive *a, FILE *out)
{
    int count;
    const scr_material *materials = scr_archive_materials(a, &count);
    fputs(",\"materials\":[", out);
    for (int k = 0; k < count; k++) fputs(k ? "," : "", out), scr_json_text(out, materials[k].name);
    const scr_group *groups = scr_archive_groups(a, &count);
    fputs("],\"groups\":[", out);
    for (int k = 0; k < count; k++) fputs(k ? "," : "", out), scr_json_text(out, groups[k].name);
    const scr_wall *walls = scr_archive_walls(a, &count);
    fputs("],\"walls\":[", out);
    for (int k = 0; k < count; k++) {
        fprintf(out, "%s{\"name\":", k ? "," : "");
        scr_json_text(out, walls[k].name);
        key(out, "shape", walls[k].shape);
        fputc('}', out);
    }
    const scr_solid *solids = scr_archive_solids(a, &count);
    fputs("],\"solids\":[", out);
    for (int k = 0; k < count; k++) fputs(k ? "," : "", out), scr_json_text(out, solids[k].name);
    fprintf(out, "],\"cells\":%zu", scr_archive_mesh(a, NULL)->cell_count);
}

// columns of the ledger that are shown as one; what was brought is not shown
static void account_write(FILE *out, const char *column)
{
    for (const scree_account *a = scree_accounts(); a->name; a++)
        if (!strcmp(a->name, column) && a->sign > 0) key(out, "part", a->part);
}

static void series_write(const scr_archive *a, FILE *out)
{
    int count;
    const scr_series_info *series = scr_archive_series(a, &count);
    fputs(",\"series\":[", out);
    for (int k = 0; k < count; k++) {
        const scr_series_info *s = &series[k];
        fprintf(out, "%s{\"rows\":%zu,\"bins\":%d", k ? "," : "", s->count, s->bins);
        key(out, "name", s->name);
        key(out, "kind", s->kind);
        key(out, "bin", s->bins ? s->bin_name : "");
        key(out, "bin_unit", s->bins ? s->bin_unit : "");
        fprintf(out, ",\"bin_width\":%d,\"bin_values\":", s->bins ? s->bin_width : 0);
        scr_json_numbers(out, s->bin_values, s->bins * s->bin_width);
        fputs(",\"columns\":[", out);
        for (int c = 0; c < s->column_count; c++) {
            fprintf(out, "%s{\"width\":%d", c ? "," : "", s->widths[c]);
            key(out, "name", s->columns[c]);
            key(out, "unit", s->units[c]);
            if (!strcmp(s->kind, "ledger")) account_write(out, s->columns[c]);
            fputc('}', out);
        }
        fputs("]}", out);
    }
    fputc(']', out);
}

#define SHADES 64
static void maps_write(FILE *out)
{
    fputs(",\"maps\":{", out);
    for (int k = 0; scr_colour_map_name(k); k++) {
        const scr_colour_map *map = scr_colour_map_find(scr_colour_map_name(k));
        fprintf(out, "%s\"%s\":\"", k ? "," : "", scr_colour_map_name(k));
        for (int n = 0; n < SHADES; n++) {
            uint8_t rgb[3];
            scr_colour_bytes(scr_colour_map_at(map, n / (SHADES - 1.0)), rgb);
            fprintf(out, "%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
        }
        fputc('"', out);
    }
    fputc('}', out);
}

void scr_run_json_write(const scr_viewer *v, FILE *out)
{
    const scr_archive *a = v->archive;
    scr_domain domain = scr_archive_domain(a);
    const char *file = strrchr(v->path, '/');
    int last = scr_archive_frame_count(a) - 1;
    fputs("{\"file\":", out);
    scr_json_text(out, file ? file + 1 : v->path);
    const char *other = v->beside ? strrchr(v->beside, '/') : NULL;
    if (v->beside) key(out, "beside", other ? other + 1 : v->beside);
    key(out, "run", scr_archive_run(a));
    key(out, "title", scr_archive_title(a));
    key(out, "version", scr_archive_version(a));
    key(out, "created", scr_archive_created(a));
    key(out, "scene", scr_archive_scene_path(a));
    fprintf(out, ",\"live\":%s", scr_archive_is_live(a) ? "true" : "false");
    const double box[] = {domain.lower.x, domain.lower.y, domain.lower.z,
                          domain.upper.x, domain.upper.y, domain.upper.z};
    fputs(",\"origin\":", out);
    scr_json_numbers(out, v->origin, 3);
    fputs(",\"lower\":", out);
    scr_json_numbers(out, box, 3);
    fputs(",\"upper\":", out);
    scr_json_numbers(out, box + 3, 3);
    key(out, "by", scr_colouring_first(a, last));
    fprintf(out, ",\"contacts\":%s,\"bonds\":%s",
            last >= 0 && scr_archive_contact_count(a, last) >= 0 ? "true" : "false", v->bonds ? "true" : "false");
    frames_write(v, out);
    names_write(a, out);
    fputs(",\"fields\":[", out);
    fields_write(v, out);
    fputc(']', out);
    if (v->frames)
        fputs(",\"series\":[]", out);
    else
        series_write(a, out);
    maps_write(out);
    fputc('}', out);
}
