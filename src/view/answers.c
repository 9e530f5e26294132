#include "view/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/json.h"
#include "view/bundle.h"

/* ---- the results ---- */

static void origin_set(scr_viewer *v)
{
    scr_domain d = scr_archive_domain(v->archive);
    vec3 middle = v3_scale(0.5, v3_add(d.lower, d.upper));
    const double axes[] = {middle.x, middle.y, middle.z};
    for (int k = 0; k < 3; k++) v->origin[k] = isfinite(axes[k]) ? axes[k] : 0;
}

static void bonds_look(scr_viewer *v)
{
    double *first, *second;
    size_t count = 0;
    scree_report unheard;
    scree_report_init(&unheard);
    if (scr_archive_frame_count(v->archive) > 0)
        scr_archive_bonds(v->archive, 0, &first, &second, &count, &unheard);
    else
        first = second = NULL;
    free(first), free(second);
    scree_report_deinit(&unheard);
    v->bonds = count > 0;
}

scree_status scr_viewer_open(scr_viewer *v, const char *path, scree_report *report)
{
    *v = (scr_viewer){.path = path};
    // before it is opened: a change in between is seen later
    stat(path, &v->seen);
    v->archive = scr_archive_open(path, report);
    if (!v->archive) return SCREE_E_INPUT;
    origin_set(v);
    bonds_look(v);
    return SCREE_OK;
}

void scr_viewer_close(scr_viewer *v)
{
    scr_archive_close(v->archive);
    v->archive = NULL;
}

// A run writes a new index beside the old one and renames it: another file under the same name. Where it cannot be
// read, for example because it has just been removed, the old one stays.
static void refresh(scr_viewer *v)
{
    struct stat now;
    if (stat(v->path, &now)) return;
    if (now.st_ino == v->seen.st_ino && now.st_size == v->seen.st_size &&
        now.st_mtim.tv_sec == v->seen.st_mtim.tv_sec && now.st_mtim.tv_nsec == v->seen.st_mtim.tv_nsec)
        return;
    scree_report unheard;
    scree_report_init(&unheard);
    scr_archive *fresh = scr_archive_open(v->path, &unheard);
    scree_report_deinit(&unheard);
    v->seen = now;
    if (!fresh) return;
    bool same = !strcmp(scr_archive_run(fresh), scr_archive_run(v->archive));
    scr_archive_close(v->archive);
    v->archive = fresh;
    if (same) return;
    origin_set(v);
    bonds_look(v);
}

/* ---- answers ---- */

static scr_answer text_answer(int status, const char *type, char *text, size_t size)
{
    return (scr_answer){status, type, "", (unsigned char *)text, size, true};
}

// closes the stream; what was cut for want of memory is not an answer
static scr_answer json_answer(int status, FILE *out, char **text, const size_t *size)
{
    if (!fclose(out)) return text_answer(status, "application/json", *text, *size);
    free(*text);
    return (scr_answer){.status = 500, .type = "application/json"};
}

static scr_answer error_answer(int status, const char *what)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return (scr_answer){.status = 500, .type = "application/json"};
    fputs("{\"error\":", out);
    scr_json_text(out, what);
    fputc('}', out);
    return json_answer(status, out, &text, &size);
}

static scr_answer no_memory(void)
{
    return error_answer(500, "no memory to answer");
}

static scr_answer report_answer(const scree_report *report)
{
    const scree_message *m = report->count ? &report->messages[report->count - 1] : NULL;
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s", m && m->file ? m->file : "", m && m->file ? ": " : "",
             m ? m->text : "no reason was given");
    return error_answer(422, text);
}

static scr_answer not_found(const char *path)
{
    char text[256];
    snprintf(text, sizeof text, "there is nothing at %.180s", path);
    return error_answer(404, text);
}

// the tag of an answer that follows from `source` and the question alone; true when it is known already
static bool is_known(const scr_question *q, uint64_t source, scr_answer *answer)
{
    const char *const parts[] = {q->path, q->by, q->warp, q->inside};
    uint64_t digest = SCR_DIGEST_START;
    for (int k = 0; k < 4; k++)
        if (parts[k]) digest = scr_digest_bytes(digest, parts[k], strlen(parts[k]) + 1);
    snprintf(answer->tag, sizeof answer->tag, "\"%016llx-%016llx\"", (unsigned long long)source,
             (unsigned long long)digest);
    answer->status = q->known && strstr(q->known, answer->tag) ? 304 : 200;
    return answer->status == 304;
}

static scr_answer block_answer(scree_status status, scr_block *block, const scr_answer *head,
                               const scree_report *report)
{
    if (status) {
        free(block->data);
        return report_answer(report);
    }
    scr_answer answer = *head;
    answer.type = "application/octet-stream";
    answer.data = block->data, answer.size = block->size, answer.owned = true;
    return answer;
}

// a number at *text, which is moved behind it and the slash that follows; -1: there is none
static int64_t number_take(const char **text)
{
    char *end;
    if (**text < '0' || **text > '9') return -1;
    int64_t number = strtoll(*text, &end, 10);
    if (*end && *end != '/') return -1;
    *text = *end ? end + 1 : end;
    return number;
}

static scr_answer one_answer(scr_viewer *v, int frame, bool cell, const char *rest, const scr_question *q,
                             const scr_answer *head, scree_report *report)
{
    int64_t name = number_take(&rest);
    if (name < 0 || *rest) return not_found(q->path);
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return no_memory();
    scree_status status = scr_view_one(v, frame, cell, name, q->by, out, report);
    scr_answer answer = json_answer(200, out, &text, &size);
    if (answer.status == 200) memcpy(answer.tag, head->tag, sizeof answer.tag);
    if (!status) return answer;
    free(answer.data);
    return report_answer(report);
}

static scr_answer frame_answer(scr_viewer *v, int frame, const char *what, const scr_question *q, scree_report *report)
{
    scr_answer head = {0};
    if (frame < 0 || frame >= scr_archive_frame_count(v->archive)) return not_found(q->path);
    if (is_known(q, scr_archive_frame_digest(v->archive, frame), &head)) return head;
    scr_block block = {0};
    scree_status status;
    if (!strncmp(what, "grain/", 6)) return one_answer(v, frame, false, what + 6, q, &head, report);
    if (!strncmp(what, "cell/", 5)) return one_answer(v, frame, true, what + 5, q, &head, report);
    if (!*what)
        status = scr_view_grains(v, frame, &block, report);
    else if (!strcmp(what, "values"))
        status = scr_view_values(v, frame, q->by ? q->by : "speed", &block, report);
    else if (!strcmp(what, "walls"))
        status = scr_view_walls(v, frame, &block, report);
    else if (!strcmp(what, "contacts"))
        status = scr_view_contacts(v, frame, &block, report);
    else if (!strcmp(what, "bonds"))
        status = scr_view_bonds(v, frame, &block, report);
    else if (!strcmp(what, "cells"))
        status = scr_view_cells(v, frame, q->warp, q->inside != NULL, &block, report);
    else
        return not_found(q->path);
    return block_answer(status, &block, &head, report);
}

static scr_answer series_answer(scr_viewer *v, const char *rest, const scr_question *q, scree_report *report)
{
    scr_answer head = {0};
    int64_t series = number_take(&rest);
    if (series < 0 || series > 1 << 20 || *rest) return not_found(q->path);
    if (is_known(q, scr_archive_digest(v->archive), &head)) return head;
    scr_block block = {0};
    scree_status status = scr_view_series(v, (int)series, &block, report);
    return block_answer(status, &block, &head, report);
}

static scr_answer run_answer(scr_viewer *v, const scr_question *q)
{
    char *text = NULL;
    size_t size = 0;
    scr_answer head = {0};
    // whether a run is writing is not in the index
    if (is_known(q, scr_archive_digest(v->archive) + scr_archive_is_live(v->archive), &head)) return head;
    FILE *out = open_memstream(&text, &size);
    if (!out) return no_memory();
    scr_run_json_write(v, out);
    scr_answer answer = json_answer(200, out, &text, &size);
    if (answer.status == 200) memcpy(answer.tag, head.tag, sizeof answer.tag);
    return answer;
}

static scr_answer scene_answer(scr_viewer *v)
{
    char *text = strdup(scr_archive_scene_text(v->archive));
    if (!text) return no_memory();
    return text_answer(200, "text/plain; charset=utf-8", text, strlen(text));
}

static scr_answer bundle_answer(const scr_question *q)
{
    for (const scr_bundle_file *f = scr_bundle; f->path; f++) {
        if (strcmp(f->path, q->path)) continue;
        size_t size = (size_t)(f->end - f->data);
        scr_answer answer = {.type = f->type};
        if (is_known(q, scr_digest_bytes(SCR_DIGEST_START, f->data, size), &answer)) return answer;
        answer.data = (unsigned char *)f->data, answer.size = size;
        return answer;
    }
    return not_found(q->path);
}

static scr_answer api_answer(scr_viewer *v, const char *path, const scr_question *q, scree_report *report)
{
    if (!strcmp(path, "run")) return run_answer(v, q);
    if (!strcmp(path, "scene")) return scene_answer(v);
    if (!strncmp(path, "series/", 7)) return series_answer(v, path + 7, q, report);
    if (strncmp(path, "frame/", 6)) return not_found(q->path);
    const char *rest = path + 6;
    int64_t frame = number_take(&rest);
    return frame < 0 || frame > 1 << 30 ? not_found(q->path) : frame_answer(v, (int)frame, rest, q, report);
}

scr_answer scr_viewer_answer(scr_viewer *v, const scr_question *q)
{
    if (strncmp(q->path, "/api/", 5)) return bundle_answer(q);
    scree_report report;
    scree_report_init(&report);
    refresh(v);
    scr_answer answer = api_answer(v, q->path + 5, q, &report);
    scree_report_deinit(&report);
    return answer;
}
