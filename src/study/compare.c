#include "study/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "observe/balance.h"
#include "scree/scree.h"

scr_difference *scr_differences_add(scr_differences *list, const char *name, const char *unit, double a, double b)
{
    if (!scr_reserve(&list->rows, (size_t)list->count + 1)) return NULL;
    scr_difference *row = &list->rows[list->count++];
    *row = (scr_difference){.a = a, .b = b, .worst = NAN, .rms = NAN};
    snprintf(row->name, sizeof row->name, "%s", name);
    snprintf(row->unit, sizeof row->unit, "%s", unit ? unit : "");
    return row;
}

/* ---- scenes ---- */

static void differ(const scr_compared *a, const scr_compared *b, const char *what, scree_report *r)
{
    scr_warn(r, (scree_place){.file = b->path}, "is of another scene than %s: %s", a->path, what);
}

static bool names_differ(const char *x, const char *y)
{
    return strcmp(x ? x : "", y ? y : "") != 0;
}

// what can be told from the results; the stepper may differ, the rest should not
static void check_scenes(const scr_compared *a, const scr_compared *b, scree_report *report)
{
    scr_domain da = scr_archive_domain(a->archive), db = scr_archive_domain(b->archive);
    int na, nb;
    bool other = false;
    if (v3_norm(v3_sub(da.lower, db.lower)) + v3_norm(v3_sub(da.upper, db.upper)) >
        1e-9 * v3_norm(v3_sub(da.upper, da.lower)))
        differ(a, b, "the domains differ", report);
    const scr_material *ma = scr_archive_materials(a->archive, &na);
    const scr_material *mb = scr_archive_materials(b->archive, &nb);
    other = na != nb;
    for (int k = 0; !other && k < na; k++)
        other = names_differ(ma[k].name, mb[k].name) || ma[k].density != mb[k].density;
    if (other) differ(a, b, "the materials differ", report);
    const scr_wall *wa = scr_archive_walls(a->archive, &na);
    const scr_wall *wb = scr_archive_walls(b->archive, &nb);
    other = na != nb;
    for (int k = 0; !other && k < na; k++)
        other = names_differ(wa[k].name, wb[k].name) || names_differ(wa[k].shape, wb[k].shape);
    if (other) differ(a, b, "the walls differ", report);
    if (names_differ(scr_archive_title(a->archive), scr_archive_title(b->archive)))
        differ(a, b, "the titles differ", report);
    if (scr_archive_frame(a->archive, 0).bodies != scr_archive_frame(b->archive, 0).bodies)
        differ(a, b, "they begin with different numbers of grains", report);
}

/* ---- common time ---- */

static double spacing(const scr_archive *archive)
{
    int count = scr_archive_frame_count(archive);
    double span = scr_archive_frame(archive, count - 1).time - scr_archive_frame(archive, 0).time;
    return count > 1 ? span / (count - 1) : INFINITY;
}

// the last frames of both that are of one time, up to a hundredth of the time between frames
static bool common_time(scr_compared *a, scr_compared *b)
{
    double slack = 0.01 * fmin(spacing(a->archive), spacing(b->archive));
    if (isinf(slack)) slack = 0;
    int i = scr_archive_frame_count(a->archive) - 1, j = scr_archive_frame_count(b->archive) - 1;
    while (i >= 0 && j >= 0) {
        double ta = scr_archive_frame(a->archive, i).time;
        double tb = scr_archive_frame(b->archive, j).time;
        if (fabs(ta - tb) <= slack + 1e-9 * fabs(ta)) {
            a->frame = i, b->frame = j, a->time = ta, b->time = tb;
            // every run begins at zero: that alone is nothing in common
            return i + j > 0 || scr_archive_frame_count(a->archive) == 1 || scr_archive_frame_count(b->archive) == 1;
        }
        if (ta > tb)
            i--;
        else
            j--;
    }
    return false;
}

/* ---- table ---- */

static bool add_times(const scr_compared *a, const scr_compared *b, scr_differences *list)
{
    scr_frame_info fa = scr_archive_frame(a->archive, a->frame);
    scr_frame_info fb = scr_archive_frame(b->archive, b->frame);
    scr_spent sa = fa.spent, sb = fb.spent;
    bool good = scr_differences_add(list, "steps", "", (double)fa.step, (double)fb.step);
    if (isnan(sa.seconds) || isnan(sb.seconds)) return good;
    if (good) good = scr_differences_add(list, "time of steps", "s", sa.seconds, sb.seconds);
    if (good) good = scr_differences_add(list, "CPU time", "s", sa.processor, sb.processor);
    if (good && sb.processor > 0) {
        scr_difference *row = scr_differences_add(list, "speed-up", "", NAN, sa.processor / sb.processor);
        if (row) row->only = true;
        good = row != NULL;
    }
    return good;
}

static void number(FILE *out, int width, double value)
{
    if (isnan(value))
        fprintf(out, "  %*s", width, "-");
    else
        fprintf(out, "  %*.5g", width, value);
}

static void percent(FILE *out, double value)
{
    if (!isfinite(value))
        fprintf(out, "  %9s", "-");
    else
        fprintf(out, "  %8.3g%%", 100 * value);
}

static double relative(const scr_difference *row)
{
    if (row->only) return NAN;
    return row->b == row->a ? 0 : (row->b - row->a) / fabs(row->a);
}

static void print_table(FILE *out, const scr_compared *a, const scr_compared *b, const scr_differences *list)
{
    int width = 8;
    for (int k = 0; k < list->count; k++) {
        int w = (int)strlen(list->rows[k].name);
        if (w > width) width = w;
    }
    fprintf(out, "A %s\nB %s\nat %.6g s, the last common time\n", a->path, b->path, a->time);
    fprintf(out, "  %-*s  %-6s  %12s  %12s  %12s  %9s  %9s  %9s\n", width, "quantity", "unit", "A", "B", "difference",
            "relative", "largest", "rms");
    for (int k = 0; k < list->count; k++) {
        const scr_difference *row = &list->rows[k];
        fprintf(out, "  %-*s  %-6s", width, row->name, row->unit);
        number(out, 12, row->a);
        number(out, 12, row->only ? NAN : row->b);
        number(out, 12, row->only ? row->b : row->b - row->a);
        percent(out, relative(row));
        percent(out, row->worst), percent(out, row->rms);
        fputc('\n', out);
    }
    if (a->solves != b->solves)
        fprintf(out,
                "contacts: of %s those that carry an impulse (integrator nonsmooth), of %s those that "
                "overlap\n",
                a->solves ? "A" : "B", a->solves ? "B" : "A");
    fprintf(out, "relative: over |A|; largest, rms: of the difference along time, over the range of "
                 "A (surface and profiles: along them)\n\n");
}

static void write_csv(FILE *out, const scr_compared *b, const scr_differences *list)
{
    for (int k = 0; k < list->count; k++) {
        const scr_difference *row = &list->rows[k];
        fprintf(out, "\"%s\",\"%s\",%s,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", b->path, row->name, row->unit, row->a,
                row->only ? NAN : row->b, row->only ? row->b : row->b - row->a, relative(row), row->worst, row->rms);
    }
}

/* ---- the whole ---- */

// whether pairs that are only near were looked at: the stepper nonsmooth does
static bool solves(const scr_compared *run, scree_report *report)
{
    scr_compare_curve curve;
    if (!scr_compare_column(run, "solver", "candidates", &curve, report)) return false;
    bool any = false;
    for (size_t k = 0; k < curve.count; k++) any |= curve.y[k] > 0;
    free(curve.x), free(curve.y);
    return any;
}

static scree_status open_all(const scree_compare_def *def, scr_compared *runs, scree_report *report)
{
    for (int k = 0; k < def->count; k++) {
        scr_compared *run = &runs[k];
        const char *base = strrchr(def->results[k], '/');
        base = base ? base + 1 : def->results[k];
        const char *dot = strrchr(base, '.');
        run->path = def->results[k];
        snprintf(run->label, sizeof run->label, "%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base),
                 base);
        run->archive = scr_archive_open(run->path, report);
        if (!run->archive) return SCREE_E_INPUT;
        if (scr_archive_frame_count(run->archive) == 0)
            return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = run->path},
                            "has no frames: there is nothing to compare");
        run->solves = solves(run, report);
    }
    return SCREE_OK;
}

/* What becomes of a comparison besides the table on the terminal. */
typedef struct {
    char *text, *csv; // the tables, as printed and as CSV
    size_t text_size, csv_size;
    FILE *texts, *table; // NULL: only the terminal
} record;

static scree_status compare_two(const scree_compare_def *def, scr_compared *a, scr_compared *b, const record *r,
                                scree_report *report)
{
    scr_differences list = {0};
    check_scenes(a, b, report);
    if (!common_time(a, b))
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = b->path},
                        "has no frame after the start of a time at which %s has one too (%g to %g s, and %g to "
                        "%g s)",
                        a->path, scr_archive_frame(b->archive, 0).time,
                        scr_archive_frame(b->archive, scr_archive_frame_count(b->archive) - 1).time,
                        scr_archive_frame(a->archive, 0).time,
                        scr_archive_frame(a->archive, scr_archive_frame_count(a->archive) - 1).time);
    int errors = report->errors;
    bool good =
        add_times(a, b, &list) && scr_compare_grains(a, b, &list, report) && scr_compare_series(a, b, &list, report);
    if (good && report->errors == errors) {
        print_table(def->out, a, b, &list);
        if (r->texts) print_table(r->texts, a, b, &list);
        if (r->table) write_csv(r->table, b, &list);
    }
    scr_buffer_free(list.rows);
    if (report->errors > errors) return SCREE_E_IO;
    return good ? SCREE_OK : scr_no_memory(report, "a comparison");
}

// NAME-compare beside the first results
static void default_folder(const char *path, char *folder, size_t size)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    int length = dot && (!slash || dot > slash + 1) ? (int)(dot - path) : (int)strlen(path);
    snprintf(folder, size, "%.*s-compare", length, path);
}

#define TABLE_HEAD "file,quantity,unit,A,B,difference,relative,largest,rms\n"

static bool is_table(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, TABLE_HEAD);
}

static const scr_output_kind table_kind = {.what = "the table of a comparison (CSV)", .is = is_table};

// table.csv, the plots, and report.html with all of it
static scree_status write_files(const scree_compare_def *def, const scr_compared *runs, const record *r,
                                scree_compare_result *result, scree_report *report)
{
    if (def->output)
        snprintf(result->folder, sizeof result->folder, "%s", def->output);
    else
        default_folder(runs[0].path, result->folder, sizeof result->folder);
    char table[4200], path[4200];
    snprintf(table, sizeof table, "%s/table.csv", result->folder);
    snprintf(path, sizeof path, "%s/report.html", result->folder);
    // all of it or nothing
    scree_status status = scr_output_check(table, &table_kind, def->force, report);
    if (!status) status = scr_output_check(path, &scr_page_kind, def->force, report);
    if (!status) status = scr_compare_plots_check(runs, result->folder, def->force, report);
    if (!status) status = scr_output_folder(result->folder, report);
    if (!status) status = scr_output_write(table, &table_kind, def->force, r->csv, r->csv_size, report);
    if (status) return status;
    scr_page page;
    const char *title = scr_archive_title(runs[0].archive);
    if (!scr_page_begin(&page, *title ? title : "Runs compared")) return scr_no_memory(report, "a page");
    scr_page_section(&page, "table", "What differs");
    scr_page_pre(&page, r->text);
    scr_page_section(&page, "plots", "Side by side");
    fputs("<div class=\"plots\">\n", page.out);
    status = scr_compare_plots(runs, def->count, result->folder, def->force, &page, &result->plots, report);
    fputs("</div>\n", page.out);
    scree_status ended = scr_page_finish(&page, status ? NULL : path, def->force, report);
    return status ? status : ended;
}

// what differs may be the error of one of them
static scree_status warn_of_balance(const scr_compared *run, scree_report *report)
{
    scr_balance balance;
    char text[SCR_BALANCE_TEXT];
    scree_status status = scr_balance_of_archive(run->archive, &balance, report);
    if (status || !(balance.turned > 0) || scr_balance_is_fine(&balance)) return status;
    scr_balance_text(&balance, text);
    scr_warn(report, (scree_place){.file = run->path}, "%s", text);
    return SCREE_OK;
}

scree_status scree_compare(const scree_compare_def *def, scree_compare_result *result, scree_report *report)
{
    *result = (scree_compare_result){0};
    if (def->count < 2) return scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "at least two results are needed");
    scr_compared *runs = calloc((size_t)def->count, sizeof *runs);
    if (!runs) return scr_no_memory(report, "a comparison");
    record r = {0};
    scree_status status = SCREE_OK;
    if (!def->table_only) {
        r.texts = open_memstream(&r.text, &r.text_size);
        r.table = open_memstream(&r.csv, &r.csv_size);
        if (!r.texts || !r.table) status = scr_no_memory(report, "a comparison");
    }
    if (r.table) fputs(TABLE_HEAD, r.table);
    if (!status) status = open_all(def, runs, report);
    for (int k = 0; k < def->count && !status; k++) status = warn_of_balance(&runs[k], report);
    for (int k = 1; k < def->count && !status; k++) status = compare_two(def, &runs[0], &runs[k], &r, report);
    bool cut = r.texts && fclose(r.texts);
    cut |= r.table && fclose(r.table);
    if (!status && cut) status = scr_no_memory(report, "a comparison");
    if (!status && !def->table_only) status = write_files(def, runs, &r, result, report);
    for (int k = 0; k < def->count; k++) scr_archive_close(runs[k].archive);
    free(runs), free(r.csv), free(r.text);
    return status;
}
