/* `scree reproduce`: runs the cases' runs in one pool, then compares what was measured with what was
 * published. */
#include "study/reproduce.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "base/os.h"
#include "scree/scree.h"
#include "show/markup.h"
#include "study/pool.h"
#include "study/verdict.h"

#define DEPTH 16 /* definitions within definitions */

typedef struct {
    const scree_reproduce_def *def;
    scr_case_work *works;
    int count;
    char folder[4096]; /* of the results */
    bool fresh;        /* it was not there before */
    bool temporary;    /* it is ours, and goes at the end */
    scree_report *report;
} session;

scr_case_run *scr_case_work_run(const scr_case_work *work, const char *name)
{
    for (int k = 0; k < work->run_count; k++)
        if (!strcmp(work->runs[k].item->name, name)) return &work->runs[k];
    return NULL;
}

scr_case_set scr_case_run_set(const scr_case_run *run)
{
    return (scr_case_set)((const scr_case_run_def *)run->item->def)->set_of;
}

void scr_case_work_date(const scr_case_work *work, scr_case_set set, char *text, size_t size)
{
    time_t last = 0;
    for (int k = 0; k < work->run_count; k++) {
        struct stat st;
        const scr_case_run *run = &work->runs[k];
        if (!run->active || scr_case_run_set(run) != set || fstat(run->study.journal, &st)) continue;
        if (st.st_mtime > last) last = st.st_mtime;
    }
    struct tm day;
    *text = 0;
    if (last && gmtime_r(&last, &day)) strftime(text, size, "%Y-%m-%d", &day);
}

/* ---- names over several runs and tables: RUN.NAME, TABLE.COLUMN ---- */

static bool find_defined(scr_case_whole *w, const char *name, scr_operand *found, char *why, size_t size)
{
    const scr_definition *d = w->work->c.definitions;
    while (d && d->name && strcmp(d->name, name)) d++;
    if (!d || !d->name || w->depth >= DEPTH) return false;
    scr_names names = scr_case_whole_names(w);
    *found = (scr_operand){0};
    w->depth++;
    bool good = scr_expression_number(d->text, &names, &found->number, why, size);
    w->depth--;
    return good;
}

static bool find_in_runs(void *context, const char *name, const double *argument, scr_operand *found, char *why,
                         size_t size)
{
    scr_case_whole *w = context;
    const char *dot = strchr(name, '.');
    char head[64];
    *why = 0;
    if (!dot && !argument) return find_defined(w, name, found, why, size);
    if (!dot || (size_t)(dot - name) >= sizeof head) return false;
    snprintf(head, sizeof head, "%.*s", (int)(dot - name), name);
    scr_csv *table = scr_case_table(&w->work->c, head);
    if (table) {
        scr_names names = scr_csv_names(table);
        return names.find(names.context, dot + 1, argument, found, why, size);
    }
    scr_case_run *run = scr_case_work_run(w->work, head);
    if (!run) {
        snprintf(why, size, "there is no run or table '%s'", head);
        return false;
    }
    if (scr_case_run_set(run) > w->set) w->set = scr_case_run_set(run);
    if (!run->active) {
        w->inactive = true;
        return false;
    }
    char inner[SCR_EXPRESSION_WHY];
    if (!scr_case_run_read(run, inner, sizeof inner)) {
        snprintf(why, size, "run %s: %.160s", head, inner);
        return false;
    }
    scr_names names = scr_case_run_names(run);
    return names.find(names.context, dot + 1, argument, found, why, size);
}

scr_names scr_case_whole_names(scr_case_whole *all)
{
    return (scr_names){.find = find_in_runs, .context = all};
}

/* ---- the report ---- */

static void print_quantity(FILE *out, const scr_item *item, const scr_verdict *v, int width)
{
    static const char *const words[] = {"FAIL", "pass", "differs"};
    const scr_quantity_def *q = item->def;
    scr_verdict_text t = scr_verdict_words(item, v);
    fprintf(out, "  %-*s  %12s  %12s  %10s  %-7s  %s\n", width, t.name, t.wanted, t.measured, t.tolerance,
            words[v->outcome], t.source);
    if (*v->why) fprintf(out, "  %-*s  %s\n", width, "", v->why);
    if (*t.reason) fprintf(out, "  %-*s  as declared: %s\n", width, "", t.reason);
    if (q->note) fprintf(out, "  %-*s  note: %s\n", width, "", q->note);
}

static int name_width(const scr_items *all)
{
    int width = 8;
    for (int k = 0; k < all->count; k++) {
        const scr_quantity_def *q = all->items[k].def;
        int w = (int)(strlen(all->items[k].name) + (q->unit ? strlen(q->unit) + 3 : 0));
        if (w > width) width = w;
    }
    return width;
}

// cells of a table that could not be run are told, whatever the quantities make of them
static void print_failures(FILE *out, const scr_case_run *run)
{
    int told = 0;
    for (size_t c = 0; run->active && c < run->study.cells; c++) {
        const char *why;
        if (scr_study_good(&run->study, c, &why) || told++ >= 5) continue;
        fprintf(out, "  run %s", run->item->name);
        for (int a = 0; a < run->axes.count; a++)
            fprintf(out, " %s=%s", run->axes.axes[a].path, scr_axes_value(&run->axes, c, a));
        fprintf(out, ": %s\n", why ? why : "was not run");
    }
    if (told > 5) fprintf(out, "  and %d more\n", told - 5);
}

static void print_case(session *s, const scr_case_work *work, scree_reproduce_result *result)
{
    FILE *out = s->def->out;
    const scr_items *all = scr_case_items(&work->c, "quantities");
    int width = name_width(all);
    scr_score score = {0};
    fprintf(out, "%s: %s\n", work->c.name, scr_case_head(&work->c)->title);
    fprintf(out, "  source: %s\n", scr_case_head(&work->c)->source);
    fprintf(out, "  %-*s  %12s  %12s  %10s  %-7s  %s\n", width, "quantity", "reference", "measured", "tolerance", "",
            "source");
    for (int k = 0; k < all->count; k++) {
        scr_verdict v = scr_case_judge(work, all->items[k].def);
        scr_score_add(&score, &v);
        if (!v.skipped) print_quantity(out, &all->items[k], &v, width);
    }
    result->passed += score.of[SCR_PASSED];
    result->failed += score.of[SCR_FAILED];
    result->differing += score.of[SCR_DIFFERS];
    for (int k = 0; k < work->run_count; k++) print_failures(out, &work->runs[k]);
    if (score.skipped) fprintf(out, "  %d more in the larger sets (--long, --full)\n", score.skipped);
    fputc('\n', out);
}

/* ---- preparation ---- */

// runs that start from others
static scree_status link_runs(const session *s, const scr_case_work *work)
{
    for (int k = 0; k < work->run_count; k++) {
        scr_case_run *run = &work->runs[k];
        const scr_case_run_def *def = run->item->def;
        if (!def->from) continue;
        scr_case_run *source = scr_case_work_run(work, def->from);
        size_t cells = run->axes.count ? scr_axes_size(&run->axes) : 1;
        size_t sources = source->axes.count ? scr_axes_size(&source->axes) : 1;
        if (sources > 1 && sources != cells)
            return scr_fail(s->report, SCREE_E_INPUT, scr_item_place(work->c.file, run->item, "from"),
                            "run %s has %zu cells and starts from %s, which has %zu", run->item->name, cells, def->from,
                            sources);
        source->study.keep = true;
        run->study.from = &source->study;
    }
    return SCREE_OK;
}

// how many runs must be over before a run can start
static int depth_of(const scr_case_run *run)
{
    int depth = 0;
    for (const scr_study *s = run->study.from; s; s = s->from) depth++;
    return depth;
}

static scree_status open_case(session *s, const char *cases, const char *name)
{
    scr_case_work *work = &s->works[s->count++];
    scree_status status = scr_case_open(&work->c, cases, name, s->report);
    if (status) return status;
    const scr_items *all = scr_case_items(&work->c, "runs");
    work->runs = calloc((size_t)all->count + 1, sizeof *work->runs);
    if (!work->runs) return scr_no_memory(s->report, "a study");
    for (int k = 0; k < all->count && !status; k++) {
        scr_case_run *run = &work->runs[work->run_count++];
        status = scr_case_run_init(run, &work->c, &all->items[k], s->folder, (scr_case_set)s->def->set, s->report);
    }
    if (!status) status = link_runs(s, work);
    for (int k = 0; k < work->run_count && !status; k++) {
        // a case that was edited is run anew where that matters
        scr_study_start start = s->def->fresh ? SCR_STUDY_FRESH : SCR_STUDY_RENEW;
        if (work->runs[k].active) status = scr_study_open(&work->runs[k].study, start, s->report);
    }
    return status;
}

static scree_status make_folder(session *s)
{
    if (s->def->results) {
        snprintf(s->folder, sizeof s->folder, "%s", s->def->results);
        s->fresh = access(s->folder, F_OK) != 0;
        return scr_output_folder(s->folder, s->report);
    }
    const char *base = getenv("TMPDIR");
    snprintf(s->folder, sizeof s->folder, "%s/scree-reproduce-XXXXXX", base ? base : "/tmp");
    s->temporary = mkdtemp(s->folder) != NULL;
    if (s->temporary) return SCREE_OK;
    return scr_fail(s->report, SCREE_E_IO, (scree_place){.file = s->folder}, "cannot be made: %s", strerror(errno));
}

static scree_status open_cases(session *s, const char *cases, char **names)
{
    scree_status status = SCREE_OK;
    int wanted = s->def->case_count;
    for (int k = 0; (wanted ? k < wanted : names[k] != NULL) && !status; k++) {
        const char *name = wanted ? s->def->cases[k] : names[k];
        scr_nearest nearest = {.wanted = name};
        bool found = false;
        for (char **n = names; *n; n++) {
            found |= !strcmp(*n, name);
            scr_nearest_offer(&nearest, *n);
        }
        status = found ? open_case(s, cases, name)
                       : scr_fail(s->report, SCREE_E_INPUT, SCR_NOWHERE, "there is no case '%s' in %s%s%s%s", name,
                                  cases, nearest.found ? ", did you mean '" : "", nearest.found ? nearest.found : "",
                                  nearest.found ? "'?" : "");
    }
    return status;
}

#define MARKDOWN_HEAD "# Validation\n\nWritten by `scree reproduce`"

static bool is_markdown(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, MARKDOWN_HEAD);
}

static const scr_output_kind markdown_kind = {.what = "what scree reproduce wrote (Markdown)", .is = is_markdown};

static scree_status check_output(const session *s, const char *path, const scr_output_kind *kind)
{
    if (!path) return SCREE_OK;
    scree_status status = scr_output_check(path, kind, s->def->force, s->report);
    return status ? status : scr_output_try(path, s->report);
}

static scree_status check_plots(const session *s)
{
    const char *folder = s->def->plots;
    char inside[4200];
    snprintf(inside, sizeof inside, "%s/plot", folder);
    scree_status status = scr_output_folder(folder, s->report);
    for (int k = 0; k < s->count && !status; k++)
        status = scr_case_plots_check(&s->works[k], folder, s->def->force, s->report);
    return status ? status : scr_output_try(inside, s->report);
}

// known before the first run, not after the last
static scree_status check_outputs(const session *s)
{
    scree_status status = check_output(s, s->def->page, &scr_page_kind);
    if (!status) status = check_output(s, s->def->markdown, &markdown_kind);
    return status || !s->def->plots ? status : check_plots(s);
}

// the runs of one depth, timed ones or the others; how many
static int studies_of(const session *s, int depth, bool timed, scr_study **studies)
{
    int count = 0;
    for (int k = 0; k < s->count; k++)
        for (int r = 0; r < s->works[k].run_count; r++) {
            scr_case_run *run = &s->works[k].runs[r];
            if (run->active && depth_of(run) == depth && ((const scr_case_run_def *)run->item->def)->timed == timed)
                studies[count++] = &run->study;
        }
    return count;
}

static int deepest(const session *s)
{
    int depth = 0;
    for (int k = 0; k < s->count; k++)
        for (int r = 0; r < s->works[k].run_count; r++) {
            scr_case_run *run = &s->works[k].runs[r];
            if (run->active && depth_of(run) > depth) depth = depth_of(run);
        }
    return depth;
}

static scree_status run_all(session *s, scree_reproduce_result *result)
{
    int count = 0, jobs = s->def->jobs > 0 ? s->def->jobs : scr_pool_cores();
    for (int k = 0; k < s->count; k++) count += s->works[k].run_count;
    scr_study **studies = calloc((size_t)count + 1, sizeof *studies);
    if (!studies) return scr_no_memory(s->report, "a study");
    scree_status status = SCREE_OK;
    // first those that start from nothing, then those that start from them, and so on; timed ones by themselves
    for (int k = 0, last = 2 * deepest(s) + 1; k <= last && !status; k++) {
        count = studies_of(s, k / 2, k % 2, studies);
        status =
            scr_studies_run(studies, count, k % 2 ? (jobs + 7) / 8 : jobs, s->def->quiet, &result->signal, s->report);
    }
    free(studies);
    if (status == SCREE_E_INTERRUPT)
        scr_fail(s->report, status, SCR_NOWHERE, "stopped by signal %d%s", result->signal,
                 s->temporary ? "; with --results DIR the same command continues where it stopped"
                              : "; the same command continues where it stopped");
    return status;
}

static scree_status write_page(const session *s, const scree_reproduce_result *result)
{
    scr_page page;
    if (!scr_page_begin(&page, "Published problems, reproduced")) return scr_no_memory(s->report, "a page");
    fprintf(page.out,
            "<p>Scree %s: %d quantities meet their reference, <span class=\"%s\">%d do "
            "not</span>, %d differ as declared.</p>\n<nav>",
            SCREE_VERSION, result->passed, result->failed ? "bad" : "good", result->failed, result->differing);
    for (int k = 0; k < s->count; k++) {
        fputs("<a href=\"#", page.out);
        scr_markup_write(page.out, s->works[k].c.name);
        fputs("\">", page.out);
        scr_markup_write(page.out, s->works[k].c.name);
        fputs("</a>\n", page.out);
    }
    fputs("</nav>\n", page.out);
    scree_status status = SCREE_OK;
    for (int k = 0; k < s->count && !status; k++) status = scr_gallery_case(&s->works[k], &page, s->report);
    scree_status ended = scr_page_finish(&page, status ? NULL : s->def->page, s->def->force, s->report);
    return status ? status : ended;
}

static scree_status write_markdown(const session *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return scr_no_memory(s->report, "a study");
    fputs(MARKDOWN_HEAD " (`make gallery`). Each case is a command: `scree reproduce CASE` runs it again, with a plot "
                        "over the reference where there is one (`--plot`, `--report`).\n\n",
          out);
    scr_gallery_markdown(s->works, s->count, out);
    scree_status status =
        fclose(out) ? scr_no_memory(s->report, "a study")
                    : scr_output_write(s->def->markdown, &markdown_kind, s->def->force, text, size, s->report);
    free(text);
    return status;
}

static scree_status tell_all(session *s, scree_reproduce_result *result)
{
    scree_status status = SCREE_OK;
    for (int k = 0; k < s->count; k++) print_case(s, &s->works[k], result);
    fprintf(s->def->out, "%d passed, %d failed", result->passed, result->failed);
    if (result->differing) fprintf(s->def->out, ", %d differ as declared", result->differing);
    fputc('\n', s->def->out);
    const char *plots = s->def->plots;
    for (int k = 0; plots && k < s->count && !status; k++)
        status = scr_case_plots_write(&s->works[k], plots, s->def->force, &result->plots, s->report);
    // what can be written is: the runs may have taken hours
    scree_status page = s->def->page ? write_page(s, result) : SCREE_OK;
    scree_status markdown = s->def->markdown ? write_markdown(s) : SCREE_OK;
    return status ? status : page ? page : markdown;
}

scree_status scree_reproduce(const scree_reproduce_def *def, scree_reproduce_result *result, scree_report *report)
{
    char cases[4096];
    *result = (scree_reproduce_result){0};
    session s = {.def = def, .report = report};
    scr_log_quiet(def->quiet);
    scree_status alone = scr_pool_check_ranks(report);
    if (alone) return alone;
    if (!scr_cases_folder(def->folder, cases, sizeof cases, report)) return SCREE_E_INPUT;
    char **names = scr_cases_list(cases);
    int most = def->case_count;
    while (names && names[most]) most++;
    s.works = calloc((size_t)most + (size_t)def->case_count + 1, sizeof *s.works);
    scree_status status = SCREE_OK;
    if (!names || !s.works) status = scr_no_memory(report, "a study");
    if (!status) status = make_folder(&s);
    if (!status) status = open_cases(&s, cases, names);
    if (!status) status = check_outputs(&s);
    bool ran = !status;
    if (ran) status = run_all(&s, result);
    if (!status) status = tell_all(&s, result);
    // a plot of something that is not there shows when the runs are over: more than input that was refused
    if (status == SCREE_E_INPUT && ran) status = SCREE_E_RUN;
    for (int k = 0; k < s.count; k++) {
        for (int r = 0; r < s.works[k].run_count; r++) scr_case_run_deinit(&s.works[k].runs[r]);
        free(s.works[k].runs);
        scr_case_close(&s.works[k].c);
    }
    if (s.temporary || (s.fresh && !ran)) scr_folder_remove(s.folder);
    free(s.works);
    scr_names_free(names);
    return status;
}

scree_status scree_cases_write(const char *folder, FILE *out, scree_report *report)
{
    char cases[4096];
    if (!scr_cases_folder(folder, cases, sizeof cases, report)) return SCREE_E_INPUT;
    char **names = scr_cases_list(cases);
    scree_status status = SCREE_OK;
    for (char **n = names; n && *n; n++) {
        scr_case c;
        scree_status one = scr_case_open(&c, cases, *n, report);
        if (!one) {
            int count[3] = {0};
            const scr_items *runs = scr_case_items(&c, "runs");
            for (int k = 0; k < runs->count; k++) count[((const scr_case_run_def *)runs->items[k].def)->set_of]++;
            fprintf(out, "%-16s %s (%d quantities; runs: %d quick, %d long, %d full)\n", *n, scr_case_head(&c)->title,
                    scr_case_items(&c, "quantities")->count, count[0], count[1], count[2]);
        } else {
            status = one;
        }
        scr_case_close(&c);
    }
    scr_names_free(names);
    return status;
}
