#include "view/embed.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "show/markup.h"
#include "show/render_colour.h"
#include "view/answers.h"
#include "view/bundle.h"

#define ROOM   ((size_t)6 << 20) /* bytes of frames before they are written as text */
#define FRAMES 25

/* ---- the answers ---- */

// as part of a script: what would end it, or begin a comment, is written another way
static void write_script(FILE *out, const char *text, size_t size)
{
    static const char *const ends[][2] = {{"</script", "<\\/script"}, {"<!--", "<\\!--"}};
    while (size) {
        const char *next = text + size;
        int which = -1;
        for (int k = 0; k < 2; k++) {
            const char *at = memmem(text, size, ends[k][0], strlen(ends[k][0]));
            if (at && at < next) next = at, which = k;
        }
        fwrite(text, 1, (size_t)(next - text), out);
        size -= (size_t)(next - text), text = next;
        if (which < 0) break;
        fputs(ends[which][1], out);
        text += strlen(ends[which][0]), size -= strlen(ends[which][0]);
    }
}

static bool answer(scr_viewer *v, FILE *out, const char *path, const scr_question *q)
{
    scr_answer a = scr_viewer_answer(v, q);
    bool good = a.status == 200;
    if (good) {
        fprintf(out, ",\n\"%s\":\"", path);
        scr_base64_write(out, a.data, a.size);
        fputc('"', out);
    }
    if (a.owned) free(a.data);
    return good;
}

// the parts of one frame that the client asks for as it starts, under the number `as`
static void answer_frame(scr_viewer *v, FILE *out, int frame, int as, const char *by)
{
    static const char *const parts[] = {"", "/walls", "/values", "/contacts", "/bonds", "/cells"};
    bool cells = scr_archive_mesh(v->archive, NULL)->cell_count > 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        bool values = !strcmp(parts[k], "/values");
        if ((!strcmp(parts[k], "/bonds") && !v->bonds) || (!strcmp(parts[k], "/cells") && !cells) || (values && !*by))
            continue;
        char question[64], path[128];
        snprintf(question, sizeof question, "/api/frame/%d%s", frame, parts[k]);
        snprintf(path, sizeof path, "/api/frame/%d%s%s%s", as, parts[k], values ? "?by=" : "",
                 values                        ? by
                 : !strcmp(parts[k], "/cells") ? "?warp=1"
                                               : "");
        answer(v, out, path, &(scr_question){.path = question, .by = by, .warp = "1"});
    }
}

// the frame with most to show
static int largest_frame(const scr_viewer *v)
{
    int best = 0;
    for (int k = 1; k < scr_archive_frame_count(v->archive); k++)
        if (scr_archive_frame(v->archive, k).bodies > scr_archive_frame(v->archive, best).bodies) best = k;
    return best;
}

// frames that fit, the first and the last among them; 0: not even one does
static int choose_frames(scr_viewer *v, const char *by, int *frames)
{
    int count = scr_archive_frame_count(v->archive), last = count - 1;
    char *text = NULL;
    size_t size = 0;
    FILE *trial = open_memstream(&text, &size);
    if (!trial) return 0;
    answer_frame(v, trial, largest_frame(v), 0, by);
    fclose(trial);
    free(text);
    size_t fit = ROOM / (size + 1);
    int most = fit > FRAMES ? FRAMES : (int)fit;
    if (!most) return 0;
    if (most > count) most = count;
    for (int k = 0; k < most; k++) frames[k] = most > 1 ? (int)((double)k * last / (most - 1) + 0.5) : last;
    return most;
}

/* ---- the page ---- */

static const scr_bundle_file *file_of(const char *path)
{
    const scr_bundle_file *f = scr_bundle;
    while (f->path && strcmp(f->path, path)) f++;
    return f;
}

// the client's page up to and from its own script and style sheet, which are put in instead
static void write_client(FILE *out, const char *answers, size_t size)
{
    const scr_bundle_file *html = file_of("/"), *js = file_of("/app.js"), *css = file_of("/app.css");
    const char *text = (const char *)html->data, *end = (const char *)html->end;
    const char *tags[] = {"<script", "<link rel=\"stylesheet\""};
    while (text < end) {
        const char *next = end;
        for (int k = 0; k < 2; k++) {
            const char *at = memmem(text, (size_t)(end - text), tags[k], strlen(tags[k]));
            if (at && at < next) next = at;
        }
        fwrite(text, 1, (size_t)(next - text), out);
        if (next == end) break;
        bool script = !strncmp(next, tags[0], strlen(tags[0]));
        if (script) {
            fputs("<script>window.screeAnswers={", out);
            fwrite(answers, 1, size, out);
            fputs("}</script><script type=\"module\">", out);
            write_script(out, (const char *)js->data, (size_t)(js->end - js->data));
            fputs("</script>", out);
        } else {
            fputs("<style>", out);
            fwrite(css->data, 1, (size_t)(css->end - css->data), out);
            fputs("</style>", out);
        }
        const char *close = script ? "</script>" : ">";
        const char *over = memmem(next, (size_t)(end - next), close, strlen(close));
        text = over ? over + strlen(close) : end;
    }
}

static scree_status no_memory(scree_report *report)
{
    return scr_no_memory(report, "the view of a report");
}

// everything that the client will ask for, as members of an object of JavaScript; malloc'ed, NULL: no memory
static char *gather_answers(scr_viewer *v, const int *frames, int count, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) return NULL;
    fputs("\"page\":\"\"", out);
    answer(v, out, "/api/run", &(scr_question){.path = "/api/run"});
    answer(v, out, "/api/scene", &(scr_question){.path = "/api/scene"});
    for (int k = 0; k < count; k++) answer_frame(v, out, frames[k], k, v->fields[0]);
    if (!fclose(out)) return text;
    free(text);
    return NULL;
}

static scree_status write_view(scr_viewer *v, const int *frames, int count, FILE *out, scree_report *report)
{
    char *page = NULL;
    size_t size = 0, page_size = 0;
    v->frames = frames, v->frame_count = count;
    char *answers = gather_answers(v, frames, count, &size);
    FILE *p = answers ? open_memstream(&page, &page_size) : NULL;
    if (p) write_client(p, answers, size);
    free(answers);
    if (!p || fclose(p)) {
        free(page);
        return no_memory(report);
    }
    fputs("<iframe class=\"view\" title=\"three-dimensional view\" srcdoc=\"", out);
    scr_markup_write(out, page);
    fputs("\"></iframe>\n", out);
    fprintf(out,
            "<p class=\"soft\">%d of %d frames; all of them, and all fields: <code>scree "
            "view</code>.</p>\n",
            count, scr_archive_frame_count(v->archive));
    free(page);
    return SCREE_OK;
}

scree_status scr_view_embed(const char *results, FILE *out, scree_report *report)
{
    if (file_of("/app.js")->data == file_of("/app.js")->end) {
        fputs("<p class=\"soft\">This build of Scree has no viewer.</p>\n", out);
        return SCREE_OK;
    }
    scr_viewer v;
    scree_status status = scr_viewer_open(&v, results, report);
    if (status) return status;
    const char *const by[] = {scr_colouring_first(v.archive, scr_archive_frame_count(v.archive) - 1), NULL};
    v.fields = by;
    int frames[FRAMES], count = choose_frames(&v, by[0], frames);
    if (count)
        status = write_view(&v, frames, count, out, report);
    else
        fputs("<p class=\"soft\">The frames are too large for a page: <code>scree view</code> "
              "shows them.</p>\n",
              out);
    scr_viewer_close(&v);
    return status;
}
