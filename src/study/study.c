/* The journal, the runs and the table of a study (see study.h). */
#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "base/os.h"
#include "build/schema.h"
#include "run/simulation.h"
#include "study/pool.h"

#define JOURNAL_BYTES ((size_t)1 << 30)
#define JOURNAL_HEAD  "scree sweep "

/* What every run tells, before the measures. */
static const char *const fixed[] = {"time",    "steps",      "seconds", "kinetic", "gravity",
                                    "elastic", "dissipated", "closure", NULL};
static const char *const fixed_units[] = {" [s]", "", " [s]", " [J]", " [J]", " [J]", " [J]", " [J]"};

static int count_definitions(const scr_definition *list)
{
    int count = 0;
    while (list && list[count].name) count++;
    return count;
}

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "a sweep");
}

/* ---- settings of a cell ---- */

static int axis_count(const scr_study *s)
{
    return s->axes ? s->axes->count : 0;
}

// the study's own settings, then those of the grid; the caller frees the list
static scr_setting *cell_settings(const scr_study *s, size_t cell, int *count)
{
    *count = s->setting_count + axis_count(s);
    scr_setting *all = calloc((size_t)*count + 1, sizeof *all);
    for (int k = 0; all && k < s->setting_count; k++) all[k] = s->settings[k];
    for (int a = 0; all && a < axis_count(s); a++)
        all[s->setting_count + a] = (scr_setting){s->axes->axes[a].path, scr_axes_value(s->axes, cell, a)};
    return all;
}

scr_scene *scr_study_scene(const scr_study *s, size_t cell, scree_report *report)
{
    int count;
    scr_setting *settings = cell_settings(s, cell, &count);
    scr_scene *scene = settings ? scr_scene_read(s->scene, scr_schema_get(), settings, count, report) : NULL;
    free(settings);
    return scene;
}

// the cell's values, by which the journal knows it
static char *cell_key(const scr_study *s, size_t cell)
{
    char *key = NULL;
    size_t size;
    FILE *out = open_memstream(&key, &size);
    if (!out) return NULL;
    for (int a = 0; a < axis_count(s); a++) fprintf(out, "%s%s", a ? "|" : "", scr_axes_value(s->axes, cell, a));
    if (fclose(out)) free(key), key = NULL;
    return key;
}

static char *run_folder(const scr_study *s, size_t cell)
{
    char *path = NULL, *key = cell_key(s, cell);
    uint64_t digest = key ? scr_digest_bytes(SCR_DIGEST_START, key, strlen(key)) : 0;
    if (key && asprintf(&path, "%s/run-%016llx", s->folder, (unsigned long long)digest) < 0) path = NULL;
    free(key);
    return path;
}

char *scr_study_results(const scr_study *s, size_t cell)
{
    char *folder = run_folder(s, cell), *path = NULL;
    if (folder && asprintf(&path, "%s/results.h5", folder) < 0) path = NULL;
    free(folder);
    return path;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info, (void)kind, (void)walk;
    return remove(path), 0;
}

void scr_folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- one run, in a process of its own ---- */

// the first error of a report, on one line
static void first_error(const scree_report *report, char *answer, size_t size)
{
    const char *text = "it failed without a message", *file = NULL;
    for (int k = 0; k < report->count; k++) {
        if (report->messages[k].severity != SCREE_ERROR) continue;
        text = report->messages[k].text, file = report->messages[k].file;
        break;
    }
    snprintf(answer, size < SCR_STUDY_TEXT ? size : SCR_STUDY_TEXT, "%s%s%s", file ? file : "", file ? ": " : "", text);
    for (char *p = answer; *p; p++)
        if ((unsigned char)*p < ' ') *p = ' ';
}

// results that are there already are continued: bit for bit the same run
static scree_status run_scene(const scr_study *s, const scree_scene *scene, const char *from, const char *path,
                              scree_run_result *result, scree_report *report)
{
    scree_run_def def = scree_run_def_default();
    def.simulation.statics = s->statics;
    def.simulation.threads = 1;
    def.simulation.quiet = true;
    def.output = path;
    if (!access(path, F_OK)) {
        scree_report unheard;
        scree_report_init(&unheard);
        def.simulation.resume = path;
        scree_status status = scree_run(scene, &def, result, &unheard);
        scree_report_deinit(&unheard);
        if (!status || status == SCREE_E_INTERRUPT) return status;
        def.simulation.resume = NULL;
    }
    def.simulation.from = from;
    return scree_run(scene, &def, result, report);
}

static void write_fixed(FILE *out, const scree_run_result *r)
{
    const scree_energies *e = &r->energies;
    fprintf(out, "ok,%.12g,%lld,%.3g,%.9g,%.9g,%.9g,%.9g,%.3g", r->stats.time, (long long)r->stats.step, r->seconds,
            scree_energies_sum(e, SCREE_KINETIC), scree_energies_sum(e, SCREE_POTENTIAL),
            scree_energies_sum(e, SCREE_ELASTIC), scree_energies_sum(e, SCREE_LOST), e->closure);
}

// what a list is: its values belong to the caller
static bool list_value(const scr_definition *m, scr_scope *scope, scr_operand *value, double **rows,
                       scree_report *report)
{
    char why[SCR_EXPRESSION_WHY];
    double *times = NULL;
    scr_names names = scr_scope_names(scope);
    *rows = NULL;
    bool good = scr_expression_value(m->text, &names, value, rows, &times, why, sizeof why);
    if (good && !value->list) {
        snprintf(why, sizeof why, "is one number, which belongs under measure");
        good = false;
    }
    free(times);
    if (!good) scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "rows %s: %s", m->name, why);
    return good;
}

static bool write_measures(const scr_study *s, const scr_scene *scene, const scr_archive *archive, FILE *out,
                           scree_report *report)
{
    scr_scope *scope = scr_scope_create(scene, archive, s->definitions);
    bool good = scope != NULL;
    for (const scr_definition *m = s->measures; good && m && m->name; m++) {
        char why[SCR_EXPRESSION_WHY];
        double value;
        scr_names names = scr_scope_names(scope);
        good = scr_expression_number(m->text, &names, &value, why, sizeof why);
        if (good)
            fprintf(out, ",%.12g", value);
        else
            scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "measure %s: %s", m->name, why);
    }
    scr_scope_destroy(scope);
    return good;
}

// the lists, each in one field with blanks between its values; of no rows: not-a-number
static bool write_lists(const scr_study *s, const scr_scene *scene, const scr_archive *archive, FILE *out,
                        scree_report *report)
{
    scr_scope *scope = scr_scope_create(scene, archive, s->definitions);
    bool good = scope != NULL;
    size_t count = 0;
    for (const scr_definition *m = s->lists; good && m && m->name; m++) {
        scr_operand value;
        double *rows;
        good = list_value(m, scope, &value, &rows, report);
        if (!good) break;
        if (m == s->lists) count = value.count;
        if (value.count != count) {
            scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE,
                     "%s has %zu rows and %s %zu: the lists of a table must be of one length", s->lists->name, count,
                     m->name, value.count);
            good = false;
        }
        if (!count) fputs(",nan", out);
        for (size_t k = 0; k < value.count; k++) fprintf(out, "%c%.9g", k ? ' ' : ',', rows[k]);
        free(rows);
    }
    scr_scope_destroy(scope);
    return good;
}

static void write_answer(const scr_study *s, const scr_scene *scene, const char *path, const scree_run_result *result,
                         char *answer, size_t size, scree_report *report)
{
    scr_archive *archive = scr_archive_open(path, report);
    FILE *out = archive ? fmemopen(answer, size, "w") : NULL;
    bool good = out != NULL;
    if (out) write_fixed(out, result);
    if (out) good = write_measures(s, scene, archive, out, report);
    if (good && s->lists) good = write_lists(s, scene, archive, out, report);
    if (out && fclose(out) && good) {
        scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "its measures and rows are more than %zu bytes", size);
        good = false;
    }
    if (!good) first_error(report, answer, size);
    scr_archive_close(archive);
}

// where the run of a cell starts from; NULL: from its scene
static char *source_of(const scr_study *s, size_t cell)
{
    if (!s->from) return NULL;
    return scr_study_results(s->from, s->from->cells > 1 ? cell : 0);
}

static void run_cell(const scr_study *s, size_t cell, char *answer, size_t size)
{
    scree_report report;
    scree_report_init(&report);
    char *folder = run_folder(s, cell), *path = scr_study_results(s, cell);
    char *from = source_of(s, cell);
    scree_scene scene = {scr_study_scene(s, cell, &report)};
    scree_run_result result;
    if (folder && mkdir(folder, 0777) && errno != EEXIST)
        scr_fail(&report, SCREE_E_IO, (scree_place){.file = folder}, "cannot be made: %s", strerror(errno));
    bool ready = scene.scene && folder && path && !report.errors && (from || !s->from);
    scree_status status = ready ? run_scene(s, &scene, from, path, &result, &report) : SCREE_E_INPUT;
    if (!status)
        write_answer(s, scene.scene, path, &result, answer, size, &report);
    else
        first_error(&report, answer, size);
    // a run that was stopped goes on from its checkpoint next time
    if (folder && !s->keep && status != SCREE_E_INTERRUPT) scr_folder_remove(folder);
    scr_scene_destroy(scene.scene);
    free(folder), free(path), free(from);
    scree_report_deinit(&report);
}

/* ---- the journal ---- */

static uint64_t add_text(uint64_t digest, const char *text)
{
    return scr_digest_bytes(digest, text, strlen(text) + 1);
}

// of all that says what a run is, but for its place in the grid
static bool study_digest(const scr_study *s, uint64_t *digest, scree_report *report)
{
    char *text = scr_file_read(s->scene, SCR_STUDY_TEXT * (size_t)1000000, NULL, report);
    if (!text) return false;
    uint64_t d = add_text(SCR_DIGEST_START, text);
    free(text);
    for (int k = 0; k < s->setting_count; k++) d = add_text(add_text(d, s->settings[k].path), s->settings[k].value);
    for (int a = 0; a < axis_count(s); a++) d = add_text(d, s->axes->axes[a].path);
    // without measures the definitions do not touch what is kept
    const scr_definition *const lists[] = {s->measures, s->lists, s->definitions};
    int count = count_definitions(s->measures) + count_definitions(s->lists) ? 3 : 0;
    for (int k = 0; k < count; k++)
        for (const scr_definition *m = lists[k]; m && m->name; m++) d = add_text(add_text(d, m->name), m->text);
    if (s->statics) d = add_text(d, "equilibrate");
    // and of where it starts
    uint64_t source = 0;
    if (s->from && !study_digest(s->from, &source, report)) return false;
    if (s->from) d = scr_digest_bytes(d, &source, sizeof source);
    *digest = d;
    return true;
}

typedef struct {
    char *key;
    size_t cell;
} keyed;

static int by_key(const void *a, const void *b)
{
    return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

static keyed *sorted_cells(const scr_study *s)
{
    keyed *list = calloc(s->cells + 1, sizeof *list);
    for (size_t c = 0; list && c < s->cells; c++) {
        list[c] = (keyed){cell_key(s, c), c};
        if (!list[c].key) list[c].key = strdup("");
    }
    if (list) qsort(list, s->cells, sizeof *list, by_key);
    return list;
}

// lines that are whole, and tell of a run that went well; later ones count
static void take_lines(scr_study *s, char *text, const keyed *list)
{
    for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        char *tab = strchr(line, '\t');
        if (!tab || strncmp(tab + 1, "ok,", 3)) continue;
        *tab = 0;
        keyed wanted = {line, 0};
        const keyed *found = bsearch(&wanted, list, s->cells, sizeof *list, by_key);
        if (!found) continue;
        char *results = s->keep ? scr_study_results(s, found->cell) : NULL;
        // results that were asked for must be there
        if (!s->keep || (results && !access(results, F_OK))) {
            if (!s->rows[found->cell]) s->known++;
            free(s->rows[found->cell]);
            s->rows[found->cell] = strdup(tab + 1);
        }
        free(results);
    }
}

static scree_status read_journal(scr_study *s, const char *path, const char *head, scr_study_start start, bool *begun,
                                 scree_report *report)
{
    size_t size;
    if (access(path, F_OK)) return SCREE_OK;
    char *text = scr_file_read(path, JOURNAL_BYTES, &size, report);
    if (!text) return SCREE_E_IO;
    scree_status status = SCREE_OK;
    if (!strncmp(text, head, strlen(head))) {
        keyed *list = sorted_cells(s);
        if (list) take_lines(s, text, list);
        for (size_t c = 0; list && c < s->cells; c++) free(list[c].key);
        free(list);
        *begun = true;
    } else if (size && start == SCR_STUDY_GO_ON) {
        status = scr_fail(report, SCREE_E_INPUT, (scree_place){.file = path},
                          "contains the runs of another scene, other settings or other measures; start again with "
                          "--fresh, or choose another output");
    }
    free(text);
    return status;
}

static scree_status write_line(const scr_study *s, const char *text, scree_report *report)
{
    size_t length = strlen(text);
    if (write(s->journal, text, length) == (ssize_t)length && !fdatasync(s->journal)) return SCREE_OK;
    return scr_fail(report, SCREE_E_IO, (scree_place){.file = s->folder}, "the journal cannot be written: %s",
                    strerror(errno));
}

// a kill in the middle of a line leaves half of one: what follows starts a new line
static bool ends_within_line(int file)
{
    char last = '\n';
    off_t size = lseek(file, 0, SEEK_END);
    return size > 0 && pread(file, &last, 1, size - 1) == 1 && last != '\n';
}

// the children of a process that was killed hold its lock for a moment longer
static bool lock(int file)
{
    for (int tries = 0; tries < 40; tries++) {
        if (!flock(file, LOCK_EX | LOCK_NB)) return true;
        usleep(50000);
    }
    return false;
}

static scree_status empty_folder(const char *path, scree_report *report)
{
    scr_folder_remove(path);
    return scr_output_folder(path, report);
}

static bool is_journal(const char *head, size_t size)
{
    size_t length = strlen(JOURNAL_HEAD);
    return !strncmp(head, JOURNAL_HEAD, size < length ? size : length);
}

// what stands beside a journal of ours is ours, and may be removed
static const scr_output_kind journal_kind = {.what = "the journal of a sweep", .is = is_journal};

static scree_status open_journal(scr_study *s, scr_study_start start, scree_report *report)
{
    char head[64], *path = NULL;
    uint64_t digest = 0;
    bool begun = false;
    if (!study_digest(s, &digest, report)) return SCREE_E_INPUT;
    snprintf(head, sizeof head, JOURNAL_HEAD "1 %016llx\n", (unsigned long long)digest);
    if (scr_output_folder(s->folder, report)) return SCREE_E_INPUT;
    if (asprintf(&path, "%s/journal", s->folder) < 0) return no_memory(report);
    scree_status status = scr_output_check(path, &journal_kind, false, report);
    if (!status && start != SCR_STUDY_FRESH) status = read_journal(s, path, head, start, &begun, report);
    // results of other runs must not be continued
    if (!status && !begun && !access(path, F_OK)) status = empty_folder(s->folder, report);
    if (!status) {
        s->journal = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | (begun ? 0 : O_TRUNC), 0666);
        if (s->journal < 0)
            status =
                scr_fail(report, SCREE_E_IO, (scree_place){.file = path}, "cannot be written: %s", strerror(errno));
        else if (!lock(s->journal))
            status =
                scr_fail(report, SCREE_E_IO, (scree_place){.file = path}, "another process is working on these runs");
        else if (!begun)
            status = write_line(s, head, report);
        else if (ends_within_line(s->journal))
            status = write_line(s, "\n", report);
    }
    free(path);
    return status;
}

/* ---- opening ---- */

static scree_status check_measures(const scr_study *s, const scr_scene *scene, scree_report *report)
{
    scr_scope *scope = scr_scope_create(scene, NULL, s->definitions);
    if (!scope) return no_memory(report);
    scree_status status = SCREE_OK;
    for (const scr_definition *m = s->measures; m && m->name; m++) {
        char why[SCR_EXPRESSION_WHY];
        double value;
        scr_names names = scr_scope_names(scope);
        if (!scr_expression_number(m->text, &names, &value, why, sizeof why))
            status = scr_fail(report, SCREE_E_INPUT, SCR_NOWHERE, "measure %s: %s", m->name, why);
    }
    for (const scr_definition *m = s->lists; m && m->name; m++) {
        scr_operand value;
        double *rows;
        if (!list_value(m, scope, &value, &rows, report)) status = SCREE_E_INPUT;
        free(rows);
    }
    scr_scope_destroy(scope);
    return status;
}

scree_status scr_study_open(scr_study *s, scr_study_start start, scree_report *report)
{
    s->journal = -1;
    s->cells = s->axes ? scr_axes_size(s->axes) : 1;
    s->known = 0;
    s->rows = calloc(s->cells, sizeof *s->rows);
    if (!s->rows) return no_memory(report);
    scr_scene *scene = scr_study_scene(s, 0, report);
    if (!scene) return SCREE_E_INPUT;
    scree_status status = check_measures(s, scene, report);
    scr_scene_destroy(scene);
    return status ? status : open_journal(s, start, report);
}

void scr_study_close(scr_study *s)
{
    for (size_t c = 0; s->rows && c < s->cells; c++) free(s->rows[c]);
    free(s->rows);
    s->rows = NULL;
    if (s->journal >= 0) close(s->journal);
    s->journal = -1;
}

/* ---- running ---- */

typedef struct {
    scr_study *study;
    size_t cell;
} todo;

static void work(void *context, int task, char *answer, size_t size)
{
    const todo *t = &((const todo *)context)[task];
    run_cell(t->study, t->cell, answer, size);
}

static scree_status take(void *context, int task, const char *answer, const char *died, scree_report *report)
{
    const todo *t = &((const todo *)context)[task];
    scr_study *s = t->study;
    free(s->rows[t->cell]);
    s->rows[t->cell] = strdup(answer ? answer : died);
    char *key = cell_key(s, t->cell), *line = NULL;
    scree_status status = SCREE_OK;
    if (!s->rows[t->cell] || !key || asprintf(&line, "%s\t%s\n", key, s->rows[t->cell]) < 0)
        status = no_memory(report);
    else
        status = write_line(s, line, report);
    free(key), free(line);
    return status;
}

scree_status scr_studies_run(scr_study *const *studies, int count, int jobs, bool quiet, int *signal,
                             scree_report *report)
{
    size_t most = 0, n = 0;
    for (int k = 0; k < count; k++) most += studies[k]->cells;
    todo *list = calloc(most + 1, sizeof *list);
    if (!list) return no_memory(report);
    for (int k = 0; k < count; k++)
        for (size_t c = 0; c < studies[k]->cells; c++)
            if (!studies[k]->rows[c]) list[n++] = (todo){studies[k], c};
    scr_pool_def def = {
        .count = (int)n, .jobs = jobs, .noun = "runs", .quiet = quiet, .work = work, .take = take, .context = list};
    scree_status status = scr_pool_run(&def, signal, report);
    free(list);
    return status;
}

/* ---- the table ---- */

bool scr_study_good(const scr_study *s, size_t cell, const char **why)
{
    const char *row = s->rows[cell];
    bool good = row && !strncmp(row, "ok,", 3);
    if (why) *why = good ? NULL : row;
    return good;
}

size_t scr_study_failures(const scr_study *s)
{
    size_t failures = 0;
    for (size_t c = 0; c < s->cells; c++) failures += !scr_study_good(s, c, NULL);
    return failures;
}

// where field k of a row that went well begins; 0 is the word ok
static const char *field_text(const char *row, int k)
{
    for (; k > 0 && row; k--) {
        row = strchr(row, ',');
        if (row) row++;
    }
    return row;
}

// value n of a field, the only one where it is not a list
static double field(const char *row, int k, size_t n)
{
    const char *text = field_text(row, k), *end = text ? text + strcspn(text, ",") : NULL;
    for (const char *p = text; p && n; n--) {
        p = memchr(p, ' ', (size_t)(end - p));
        if (p) text = ++p;
    }
    return text ? strtod(text, NULL) : NAN;
}

// rows that a cell has in the table
static size_t cell_rows(const scr_study *s, size_t cell)
{
    if (!s->lists || !scr_study_good(s, cell, NULL)) return 1;
    int first = (int)(sizeof fixed / sizeof *fixed) + count_definitions(s->measures);
    const char *text = field_text(s->rows[cell], first);
    size_t rows = 1;
    for (; text && *text && *text != ','; text++) rows += *text == ' ';
    return rows;
}

size_t scr_study_rows(const scr_study *s)
{
    size_t rows = 0;
    for (size_t c = 0; c < s->cells; c++) rows += cell_rows(s, c);
    return rows;
}

static double axis_number(const scr_axis *axis, const char *value)
{
    char *end;
    double number = strtod(value, &end);
    if (end != value) return number;
    for (int k = 0; k < axis->count; k++)
        if (!strcmp(axis->values[k], value)) return k;
    return NAN;
}

static int find_axis(const scr_study *s, const char *name)
{
    for (int a = 0; a < axis_count(s); a++)
        if (!strcmp(s->axes->axes[a].path, name)) return a;
    for (int a = 0; a < axis_count(s); a++)
        if (!strcmp(scr_axis_name(&s->axes->axes[a]), name)) return a;
    return -1;
}

bool scr_study_column(const scr_study *s, const char *name, double *values)
{
    int column = 0, axis = -1, n = 1;
    for (int k = 0; fixed[k]; k++, n++)
        if (!strcmp(fixed[k], name)) column = n;
    for (const scr_definition *m = s->measures; m && m->name; m++, n++)
        if (!strcmp(m->name, name)) column = n;
    for (const scr_definition *m = s->lists; m && m->name; m++, n++)
        if (!strcmp(m->name, name)) column = n;
    if (!column) axis = find_axis(s, name);
    if (!column && axis < 0) return false;
    for (size_t c = 0; c < s->cells; c++) {
        bool good = scr_study_good(s, c, NULL);
        for (size_t k = 0, rows = cell_rows(s, c); k < rows; k++)
            if (axis >= 0)
                *values++ = axis_number(&s->axes->axes[axis], scr_axes_value(s->axes, c, axis));
            else
                *values++ = good ? field(s->rows[c], column, k) : NAN;
    }
    return true;
}

static void write_field(FILE *out, const char *text)
{
    bool quote = strpbrk(text, ",\"\n") != NULL;
    if (quote) fputc('"', out);
    for (const char *p = text; *p; p++) {
        if (*p == '"') fputc('"', out);
        fputc(*p, out);
    }
    if (quote) fputc('"', out);
}

// of the columns that every table has
static void write_names(FILE *out)
{
    fprintf(out, "status");
    for (int k = 0; fixed[k]; k++) fprintf(out, ",%s%s", fixed[k], fixed_units[k]);
}

static void write_table(const scr_study *s, FILE *out)
{
    for (int a = 0; a < axis_count(s); a++) fprintf(out, "%s,", s->axes->axes[a].path);
    write_names(out);
    for (const scr_definition *m = s->measures; m && m->name; m++) {
        fputc(',', out);
        write_field(out, m->name);
    }
    fputc('\n', out);
    for (size_t c = 0; c < s->cells; c++) {
        for (int a = 0; a < axis_count(s); a++) {
            write_field(out, scr_axes_value(s->axes, c, a));
            fputc(',', out);
        }
        if (scr_study_good(s, c, NULL)) {
            fprintf(out, "%s\n", s->rows[c]);
            continue;
        }
        write_field(out, s->rows[c] ? s->rows[c] : "not run");
        for (int k = 0; k < count_definitions(s->measures); k++) fputc(',', out);
        for (int k = 0; fixed[k]; k++) fputc(',', out);
        fputc('\n', out);
    }
}

// its columns in their order, behind those of the axes
static bool is_table(const char *head, size_t size)
{
    (void)size;
    size_t line = strcspn(head, "\n");
    char *text = strndup(head, line), *names = NULL;
    size_t length;
    FILE *out = open_memstream(&names, &length);
    if (out) write_names(out), fclose(out);
    bool same = text && names && strstr(text, names);
    free(text), free(names);
    return same;
}

const scr_output_kind scr_study_kind = {.what = "the table of a sweep (CSV)", .is = is_table};

scree_status scr_study_write(const scr_study *s, const char *path, bool force, scree_report *report)
{
    scr_output file;
    scree_status status = scr_output_open(&file, path, &scr_study_kind, force, report);
    if (status) return status;
    write_table(s, file.out);
    return scr_output_close(&file, SCREE_OK, report);
}
