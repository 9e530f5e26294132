#include "view/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/os.h"
#include "observe/results.h"
#include "show/markup.h"
#include "show/page.h"
#include "show/render.h"
#include "show/render_colour.h"
#include "show/report_series.h"
#include "view/embed.h"

#define PICTURE_WIDTH  960
#define PICTURE_HEIGHT 640

/* ---- what was run ---- */

// the n-th line of a text
static void line_of(const char *text, int n, char *line, size_t size)
{
    for (; n > 0 && *text; n--) text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    snprintf(line, size, "%.*s", (int)strcspn(text, "\n"), text);
}

static void page_facts(scr_page *page, const scr_archive *a, const char *results)
{
    int frames = scr_archive_frame_count(a), groups;
    scr_archive_groups(a, &groups);
    char machine[200];
    line_of(scr_archive_words(a), 0, machine, sizeof machine);
    scr_page_facts(page);
    scr_page_fact(page, "results", "%s", results);
    scr_page_fact(page, "scene", "%s", scr_archive_scene_path(a));
    scr_page_fact(page, "begun", "%s, Scree %s", scr_archive_created(a), scr_archive_version(a));
    if (*machine) scr_page_fact(page, "run by", "%s", machine);
    scr_page_fact(page, "device", "%s", scr_archive_device(a));
    if (frames > 0) {
        scr_frame_info first = scr_archive_frame(a, 0), last = scr_archive_frame(a, frames - 1);
        scr_page_fact(page, "simulated", "%.6g s in %lld steps, %d frames", last.time - first.time,
                      (long long)(last.step - first.step), frames);
        if (last.bodies || first.bodies)
            scr_page_fact(page, "grains", "%lld at the start, %lld at the end", (long long)first.bodies,
                          (long long)last.bodies);
        size_t cells = scr_archive_mesh(a, NULL)->cell_count;
        if (cells) scr_page_fact(page, "cells", "%zu", cells);
        double units = 0.5 * (double)(first.bodies + last.bodies) + (double)cells;
        double steps = (double)(last.step - first.step);
        if (last.spent.seconds > 0)
            scr_page_fact(page, "took", "wall time %.4g s, CPU time %.4g s, about %.3g %s-steps/s", last.spent.seconds,
                          last.spent.processor, units * steps / last.spent.seconds, cells ? "cell" : "grain");
    }
    scr_page_facts_end(page);
}

static void page_warnings(scr_page *page, const scr_archive *a)
{
    bool begun = false;
    for (const char *line = scr_archive_words(a); *line;) {
        size_t length = strcspn(line, "\n");
        if (!strncmp(line, "warning:", 8)) {
            if (!begun) scr_page_section(page, "warnings", "Warnings");
            begun = true;
            char text[1000];
            snprintf(text, sizeof text, "%.*s", (int)length, line);
            fputs("<p class=\"bad\">", page->out);
            scr_markup_write(page->out, text);
            fputs("</p>\n", page->out);
        }
        line += length + (line[length] == '\n');
    }
}

/* ---- pictures ---- */

// drawn into a file beside the page, which is gone afterwards
static scree_status page_pictures(scr_page *page, const scr_archive *a, const scree_page_def *def, scree_report *report)
{
    int count = scr_archive_frame_count(a);
    const int frames[3] = {0, count / 2, count - 1};
    char *path = NULL;
    if (asprintf(&path, "%s.XXXXXX.png", def->output) < 0) return scr_no_memory(report, "a report");
    int file = mkstemps(path, 4);
    scree_status status = SCREE_OK;
    if (file < 0)
        status =
            scr_fail(report, SCREE_E_IO, (scree_place){.file = def->output}, "cannot be written: %s", strerror(errno));
    else
        close(file);
    fputs("<div class=\"row\">\n", page->out);
    for (int k = count > 2 ? 0 : 2; k < 3 && !status; k++) {
        scree_picture_def picture = scree_picture_def_default();
        picture.results = def->results, picture.output = path;
        picture.force = true; // the file is our own
        picture.first = picture.last = frames[k];
        picture.width = PICTURE_WIDTH, picture.height = PICTURE_HEIGHT;
        picture.colour = scr_colouring_first(a, frames[k]);
        status = scr_render(&picture, report);
        char caption[64];
        snprintf(caption, sizeof caption, "t = %.4g s", scr_archive_frame(a, frames[k]).time);
        if (!status) status = scr_page_picture(page, path, caption, report);
    }
    fputs("</div>\n", page->out);
    if (file >= 0) unlink(path);
    free(path);
    return status;
}

// what there is to see, where frames say where things are
static scree_status page_frames(scr_page *page, const scr_archive *a, const scree_page_def *def, scree_report *report)
{
    int last = scr_archive_frame_count(a) - 1;
    if (last < 0) return SCREE_OK;
    scr_page_section(page, "pictures", "Pictures");
    const char *const *views = scr_archive_views(a, last);
    bool grains = scr_name_is_among(views, "position") && scr_name_is_among(views, "radius");
    if (!grains && !scr_archive_mesh(a, NULL)->cell_count) {
        fputs("<p class=\"soft\">Frames have no positions and radii: there is nothing to draw.</p>\n", page->out);
        return SCREE_OK;
    }
    scree_status status = page_pictures(page, a, def, report);
    if (status) return status;
    scr_page_section(page, "view", "Interactive view");
    return scr_view_embed(def->results, page->out, report);
}

/* ---- the end of the page ---- */

// what only the first line of the words said is among the facts
static void page_choices(scr_page *page, const scr_archive *a)
{
    const char *words = scr_archive_words(a);
    words += strcspn(words, "\n");
    if (!*words) return;
    scr_page_section(page, "choices", "What the run chose, and why");
    scr_page_pre(page, words + 1);
}

// a line of what can be done with the results
static void command(FILE *out, const char *before, const char *results, const char *after)
{
    fputs(before, out);
    scr_shell_write(out, results);
    fputs(after, out);
}

static void page_next(scr_page *page, const scr_archive *a, const char *results)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return;
    bool statics = scr_archive_reports(a, "load");
    command(out, "scree view ", results, "                     # explore them in a browser\n");
    command(out, "scree render ", results, " --movie movie.mp4 # a movie\n");
    command(out, "scree export ", results, " --to csv          # vtp: ParaView; dump, xyz: OVITO\n");
    command(out, statics ? "scree equilibrate SCENE --resume " : "scree run SCENE --resume ", results,
            "       # continue, bit for bit\n");
    command(out, "scree run SCENE --from ", results, "         # start another scene from their last state\n");
    scr_page_section(page, "next", "Next steps");
    fputs("<p>SCENE is the scene below, saved to a file.</p>\n", page->out);
    if (!fclose(out)) scr_page_pre(page, text);
    free(text);
}

static const char *page_title(const scr_archive *a)
{
    return *scr_archive_title(a) ? scr_archive_title(a) : "A run of Scree";
}

scree_status scr_report_write(const scree_page_def *def, scree_report *report)
{
    scree_status status = scr_output_check(def->output, &scr_page_kind, def->force, report);
    scr_archive *a = status ? NULL : scr_archive_open(def->results, report);
    if (!a) return SCREE_E_INPUT;
    scr_page page;
    if (!scr_page_begin(&page, page_title(a))) status = scr_no_memory(report, "a report");
    if (!status) {
        page_facts(&page, a, def->results);
        page_warnings(&page, a);
        status = page_frames(&page, a, def, report);
    }
    if (!status) status = scr_page_ledger(&page, a, report);
    if (!status) status = scr_page_observers(&page, a, report);
    if (!status) {
        page_choices(&page, a);
        page_next(&page, a, def->results);
        scr_page_section(&page, "scene", "The scene");
        scr_page_pre(&page, scr_archive_scene_text(a));
    }
    scr_archive_close(a);
    scree_status ended = scr_page_finish(&page, status ? NULL : def->output, def->force, report);
    return status ? status : ended;
}
