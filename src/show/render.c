/* Pictures and movies of results.
 *
 * A plan says which frame each picture shows and where the camera stands. Where there are several pictures, all frames
 * are looked through first: the view is made for what all of them show together and the ends of the colour scale are
 * those of all their values, so that nothing but the grains moves. */
#include "show/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/log.h"
#include "base/os.h"
#include "base/sort.h"
#include "show/movie.h"
#include "show/picture_hull.h"
#include "show/picture_png.h"
#include "show/picture_ticks.h"
#include "show/render_path.h"
#include "show/render_shot.h"

#define TURNS   64   /* directions of the camera for which the distance is chosen */
#define SAMPLES 4096 /* values of a frame that the colour scale is chosen from, at most */

typedef struct {
    scree_picture_def def;
    scr_archive *archive;
    int count;
    int *frames;   /* of the results, by picture */
    double *times; /* that each picture shows [s] */
    bool numbered; /* pictures are counted from 0, not by frames */

    bool moving; /* the camera is */
    scr_camera_path path;
    double turns[TURNS][2];
    int turn_count;

    scr_clip clip;
    bool surveyed;
    scr_picture_hull hull;
    int beyond;
    double warp; /* the smallest that a frame chose */
} plan;

static void plan_deinit(plan *p)
{
    free(p->frames);
    free(p->times);
    scr_camera_path_deinit(&p->path);
}

/* ---- what is asked for ---- */

static scree_status check(plan *p, scree_report *report)
{
    scree_picture_def *d = &p->def;
    int before = report->errors;
    if (!d->width) d->width = d->movie ? 1280 : 1600;
    if (!d->height) d->height = d->movie ? 720 : 1000;
    if (!d->rays) d->rays = d->movie ? 2 : 3;
    // H.264 halves both for its colours
    if (d->movie) d->width -= d->width % 2, d->height -= d->height % 2;
    if (d->movie && !scr_movie_path_ok(d->movie))
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "movie"}, "movie is '%s', must end in .mp4, .mov or .mkv",
                 d->movie);
    if (d->movie && d->output)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "output"},
                 "output is '%s' and movie '%s': one or the other is written", d->output, d->movie);
    if (!(d->fps >= 0.1 && d->fps <= 240))
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "fps"}, "fps is %g, must lie in [0.1, 240]", d->fps);
    if (!isnan(d->duration) && !(d->duration > 0 && d->duration * d->fps <= 1e6))
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "duration"},
                 "duration is %g s, must be positive and at most a million images", d->duration);
    if (!(fabs(d->orbit) <= 36000))
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "orbit"},
                 "orbit is %g degrees, must lie in [-36000, 36000]", d->orbit);
    if (d->path && d->orbit != 0)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "path"},
                 "path is '%s' and orbit %g: the camera follows one or the other", d->path, d->orbit);
    if (!isnan(d->grains) && !(d->grains >= 0 && d->grains <= 100))
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "grains"}, "grains is %g, must lie in [0, 100]",
                 d->grains);
    if (d->forces && d->bonds)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "bonds"}, "forces and bonds: one or the other is drawn");
    if (d->forces && d->colour)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "colour"},
                 "forces have the colours: colour is '%s' and cannot be shown with them", d->colour);
    if (!d->colour) d->colour = "speed";
    // forces begin at zero
    if (d->forces && isnan(d->low)) d->low = 0;
    if (report->errors > before) return SCREE_E_INPUT;
    p->moving = d->path || d->orbit != 0;
    return d->path ? scr_camera_path_read(d->path, &p->path, report) : SCREE_OK;
}

// frames from first to last, or one for each picture of a movie of given duration
static scree_status choose_frames(plan *p, scree_report *report)
{
    const scree_picture_def *d = &p->def;
    int frames = scr_archive_frame_count(p->archive);
    int first = d->first < 0 ? frames + d->first : d->first;
    int last = d->last < 0 ? frames + d->last : d->last;
    if (d->first == d->last && (first < 0 || first >= frames))
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = d->results},
                        "there is no frame %d, the frames are 0 to %d", d->first, frames - 1);
    if (first < 0 || first >= frames || last >= frames || last < first)
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.file = d->results},
                        "there is no frame %d to %d, the frames are 0 to %d", d->first, d->last, frames - 1);
    int own = (last - first) / d->every + 1;
    p->count = isnan(d->duration) ? own : (int)fmax(1, rint(d->duration * d->fps));
    p->numbered = d->movie || !isnan(d->duration);
    p->frames = malloc((size_t)p->count * sizeof *p->frames);
    p->times = malloc((size_t)p->count * sizeof *p->times);
    if (!p->frames || !p->times) return scr_no_memory(report, "%d pictures", p->count);
    double begin = scr_archive_frame(p->archive, first).time;
    double end = scr_archive_frame(p->archive, first + (own - 1) * d->every).time;
    for (int k = 0, at = first; k < p->count; k++) {
        if (isnan(d->duration)) {
            p->frames[k] = first + k * d->every;
            p->times[k] = scr_archive_frame(p->archive, p->frames[k]).time;
            continue;
        }
        // the last frame that is not later
        double t = begin + (end - begin) * k / (p->count > 1 ? p->count - 1 : 1);
        while (at + d->every <= last &&
               scr_archive_frame(p->archive, at + d->every).time <= t + 1e-9 * fabs(end - begin))
            at += d->every;
        p->frames[k] = at, p->times[k] = t;
    }
    return SCREE_OK;
}

/* ---- the camera ---- */

static void camera_at(const plan *p, int k, double key[SCR_KEY_SIZE])
{
    const scree_picture_def *d = &p->def;
    double part = p->count > 1 ? k / (p->count - 1.0) : 0;
    // a whole turn must not show its first picture twice
    if (fmod(d->orbit, 360) == 0) part = (double)k / p->count;
    if (p->path.count) {
        scr_camera_path_at(&p->path, p->times[k], key);
        return;
    }
    key[SCR_KEY_AZIMUTH] = d->azimuth + part * d->orbit;
    key[SCR_KEY_ELEVATION] = d->elevation, key[SCR_KEY_ZOOM] = d->zoom;
}

static void choose_turns(plan *p)
{
    p->turn_count = p->count < TURNS ? p->count : TURNS;
    for (int n = 0; n < p->turn_count && p->moving; n++) {
        double key[SCR_KEY_SIZE];
        camera_at(p, (int)((int64_t)n * p->count / p->turn_count), key);
        p->turns[n][0] = key[SCR_KEY_AZIMUTH], p->turns[n][1] = key[SCR_KEY_ELEVATION];
    }
}

static void aim(const plan *p, int k, scr_picture_def *picture)
{
    if (!p->moving) return;
    double key[SCR_KEY_SIZE], start[SCR_KEY_SIZE];
    camera_at(p, k, key);
    camera_at(p, 0, start);
    picture->azimuth = key[SCR_KEY_AZIMUTH], picture->elevation = key[SCR_KEY_ELEVATION];
    picture->zoom = key[SCR_KEY_ZOOM];
    if (p->path.aimed) picture->focus = v3(key[SCR_KEY_X], key[SCR_KEY_X + 1], key[SCR_KEY_X + 2]);
    picture->turns = p->turns, picture->turn_count = p->turn_count;
    picture->light = start[SCR_KEY_AZIMUTH];
}

/* ---- the cut ---- */

// x=0.1, or +x=0.1 and -x=0.1 to say which side goes
static scree_status clip_read(plan *p, scree_report *report)
{
    const char *text = p->def.clip;
    if (!text) return SCREE_OK;
    const char *rest = text + (*text == '+' || *text == '-');
    const char *axis = *rest ? strchr("xyz", *rest) : NULL;
    char *end = NULL;
    double at = axis && rest[1] == '=' ? strtod(rest + 2, &end) : 0;
    if (!end || end == rest + 2 || *end || !isfinite(at))
        return scr_fail(report, SCREE_E_INPUT, (scree_place){.key = "clip"},
                        "clip is '%s', must be a plane such as x=0.1, y=0 or z=-2 [m]; +x=0.1 and "
                        "-x=0.1 say which side goes",
                        text);
    p->clip = (scr_clip){.axis = *rest - 'x', .at = at, .side = *text == '-' ? -1 : 1};
    if (rest != text) return SCREE_OK;
    // the side on which the camera stands at first
    double key[SCR_KEY_SIZE];
    camera_at(p, 0, key);
    double azimuth = key[SCR_KEY_AZIMUTH] * M_PI / 180;
    double level = cos(key[SCR_KEY_ELEVATION] * M_PI / 180);
    double toward[3] = {level * cos(azimuth), level * sin(azimuth), key[SCR_KEY_ELEVATION]};
    if (toward[p->clip.axis] < 0) p->clip.side = -1;
    return SCREE_OK;
}

/* ---- looking through all frames ---- */

typedef struct {
    double *values;
    size_t count;
    double low, high; /* of all */
} value_samples;

static bool samples_add(value_samples *s, const double *values, size_t count)
{
    if (!values) return true;
    size_t step = count / SAMPLES + 1;
    if (!scr_reserve(&s->values, s->count + SAMPLES)) return false;
    for (size_t k = 0; k < count; k++) {
        if (!isfinite(values[k])) continue;
        s->low = fmin(s->low, values[k]), s->high = fmax(s->high, values[k]);
        if (k % step == 0 && s->count < scr_room_of(s->values)) s->values[s->count++] = values[k];
    }
    return true;
}

// as for one picture: without the outermost 0.5 %
static void choose_scale(plan *p, value_samples *s)
{
    scree_picture_def *d = &p->def;
    qsort(s->values, s->count, sizeof *s->values, scr_by_f64);
    double low = d->low, high = d->high;
    scr_range_choose(s->values, s->count, &low, &high);
    double slack = 0.005 * (high - low);
    p->beyond = (s->low < low - slack) | (s->high > high + slack) << 1;
    d->low = low, d->high = high;
}

static scree_status survey_frame(plan *p, int frame, value_samples *s, scree_report *report)
{
    scr_shot shot;
    scree_status status = scr_shot_read(p->archive, &p->def, &p->clip, frame, &shot, report);
    if (!status) {
        const scr_colouring *c = &shot.colours;
        size_t cells = scr_archive_mesh(p->archive, NULL)->cell_count;
        if (!scr_hull_add(&p->hull, &shot.content) || !samples_add(s, c->grains, shot.content.spheres.count) ||
            !samples_add(s, c->cells, cells) || !samples_add(s, shot.rods.value, shot.rods.count))
            status = scr_no_memory(report, "a look through the frames");
        if (isnan(p->def.warp) && cells) p->warp = fmin(p->warp, shot.cells.warp);
    }
    scr_shot_deinit(&shot);
    return status;
}

static scree_status survey(plan *p, scree_report *report)
{
    value_samples s = {.low = INFINITY, .high = -INFINITY};
    scree_status status = SCREE_OK;
    p->warp = INFINITY;
    for (int k = 0; k < p->count && !status; k++) {
        if (k && p->frames[k] == p->frames[k - 1]) continue;
        status = scr_signal_pending() ? SCREE_E_INTERRUPT : survey_frame(p, p->frames[k], &s, report);
    }
    if (!status) choose_scale(p, &s);
    if (p->warp < INFINITY) p->def.warp = p->warp;
    scr_buffer_free(s.values);
    p->surveyed = true;
    return status;
}

/* ---- drawing ---- */

// results.h5 -> results.png; with several pictures a number goes before the ending
static void picture_path(const plan *p, int k, bool pattern, char *path, size_t size)
{
    const scree_picture_def *d = &p->def;
    const char *base = d->movie ? d->movie : d->output ? d->output : d->results;
    const char *slash = strrchr(base, '/'), *dot = strrchr(base, '.');
    int stem = dot && dot > (slash ? slash + 1 : base) ? (int)(dot - base) : (int)strlen(base);
    if (pattern)
        snprintf(path, size, "%.*s-%%04d.png", stem, base);
    else if (p->count > 1 || p->numbered)
        snprintf(path, size, "%.*s-%04d.png", stem, base, p->numbered ? k : p->frames[k]);
    else if (d->output)
        snprintf(path, size, "%s", d->output);
    else
        snprintf(path, size, "%.*s.png", stem, base);
}

// known before the first picture is drawn, not in the middle of a movie
static scree_status check_outputs(const plan *p, scree_report *report)
{
    const scree_picture_def *d = &p->def;
    scree_status status = SCREE_OK;
    if (d->movie) status = scr_output_check(d->movie, &scr_movie_kind, d->force, report);
    for (int k = 0; k < p->count && !status && !d->movie; k++) {
        char path[4096];
        picture_path(p, k, false, path, sizeof path);
        status = scr_output_check(path, &scr_png_kind, d->force, report);
    }
    return status;
}

static scree_status draw(const plan *p, int k, uint8_t *rgb, scree_report *report)
{
    scr_shot shot;
    scree_status status = scr_shot_read(p->archive, &p->def, &p->clip, p->frames[k], &shot, report);
    if (!status) {
        aim(p, k, &shot.picture);
        if (p->surveyed) shot.content.hull = &p->hull, shot.picture.beyond = p->beyond;
        status = scr_picture_draw(&shot.picture, &shot.content, rgb, report);
    }
    scr_shot_deinit(&shot);
    return status;
}

static scree_status put(const plan *p, int k, scr_movie *movie, uint8_t *rgb, scree_report *report)
{
    if (movie) return scr_movie_add(movie, rgb, report);
    char path[4096];
    picture_path(p, k, false, path, sizeof path);
    scr_canvas canvas = {p->def.width, p->def.height, rgb};
    scree_status status = scr_png_write(&canvas, path, p->def.force, report);
    if (!status && p->def.list && !p->def.movie) fprintf(p->def.list, "%s\n", path);
    return status;
}

static void show_progress(const plan *p, int done, double start, double *shown)
{
    double now = scr_seconds();
    bool terminal = isatty(STDERR_FILENO);
    if (scr_log_is_quiet() || p->count == 1 || now - *shown < (terminal ? 0.2 : 5)) return;
    char left[40];
    scr_time_text((now - start) / done * (p->count - done), left, sizeof left);
    fprintf(stderr, "%s%d of %d images, %s left%s", terminal ? "\r\033[K" : "", done, p->count, left,
            terminal ? "" : "\n");
    fflush(stderr);
    *shown = now;
}

static scree_status draw_all(const plan *p, scr_movie *movie, scree_report *report)
{
    uint8_t *rgb = malloc(3 * (size_t)p->def.width * (size_t)p->def.height);
    if (!rgb) return scr_no_memory(report, "%d x %d pixels", p->def.width, p->def.height);
    scree_status status = SCREE_OK;
    double start = scr_seconds(), shown = start;
    for (int k = 0; k < p->count && !status; k++) {
        // a frame that is shown again is not drawn again
        if (k == 0 || p->moving || p->frames[k] != p->frames[k - 1]) status = draw(p, k, rgb, report);
        if (!status) status = put(p, k, movie, rgb, report);
        if (!status && scr_signal_pending()) status = SCREE_E_INTERRUPT;
        if (!status) show_progress(p, k + 1, start, &shown);
    }
    if (shown > start && isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K");
    free(rgb);
    return status;
}

static scree_status make_movie(const plan *p, scree_report *report)
{
    const scree_picture_def *d = &p->def;
    scr_movie *movie;
    scree_status status = scr_movie_open(d->movie, d->width, d->height, d->fps, &movie, report);
    if (!status && !movie) scr_say("ffmpeg is not installed: the movie is written as numbered images");
    if (!status) status = draw_all(p, movie, report);
    if (movie) {
        scree_status closed = scr_movie_close(movie, !status, report);
        if (!status) status = closed;
    }
    if (status || !d->list) return status;
    char pattern[4096];
    picture_path(p, 0, true, pattern, sizeof pattern);
    if (movie)
        fprintf(d->list, "%s (%d images, %.3g s)\n", d->movie, p->count, p->count / d->fps);
    else
        scr_movie_command(d->list, pattern, d->fps, d->movie);
    return SCREE_OK;
}

scree_status scr_render(const scree_picture_def *def, scree_report *report)
{
    plan p = {.def = *def, .beyond = -1};
    scree_status status = check(&p, report);
    if (!status) {
        p.archive = scr_archive_open(def->results, report);
        status = p.archive ? choose_frames(&p, report) : SCREE_E_INPUT;
    }
    if (!status) status = clip_read(&p, report);
    if (!status) status = check_outputs(&p, report);
    if (!status) {
        scr_signals_catch();
        choose_turns(&p);
        if (p.count > 1) status = survey(&p, report);
        if (!status) status = p.def.movie ? make_movie(&p, report) : draw_all(&p, NULL, report);
        int signal = scr_signal_pending();
        scr_signals_release();
        if (status == SCREE_E_INTERRUPT) {
            if (def->signal) *def->signal = signal;
            scr_fail(report, status, SCR_NOWHERE, "stopped by signal %d%s", signal,
                     def->movie ? "; no movie was written" : "");
        }
    }
    if (p.archive) scr_archive_close(p.archive);
    plan_deinit(&p);
    return status;
}
