/* Movies: the camera along keys, a view that stays where it is while grains move, strays that do not count, the command
 * for those who have no ffmpeg, and ffmpegs that fail. */
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/os.h"
#include "base/random.h"
#include "show/movie.h"
#include "show/picture_hull.h"
#include "show/render_path.h"

#define FOLDER "show_movie_test.d"

static scree_report report;

static void write_text(const char *path, const char *text, int mode)
{
    FILE *out = fopen(path, "w");
    CHECK(out && fputs(text, out) >= 0 && !fclose(out) && !chmod(path, (mode_t)mode));
}

/* ---- keys ---- */

static void check_path(void)
{
    scr_camera_path p;
    double key[SCR_KEY_SIZE], before[SCR_KEY_SIZE];
    write_text(FOLDER "/keys", "# a turn\n0 -60 18 1\n 1\t0 20 2 # half\n\n3 30 0 1\n4 40 0 1\n", 0600);
    CHECK_INT(scr_camera_path_read(FOLDER "/keys", &p, &report), SCREE_OK);
    CHECK_INT(p.count, 4);
    CHECK(!p.aimed);
    // through the keys, and at rest beyond them
    scr_camera_path_at(&p, 1, key);
    CHECK_NEAR(key[SCR_KEY_AZIMUTH], 0, 1e-12);
    CHECK_NEAR(key[SCR_KEY_ZOOM], 2, 1e-12);
    scr_camera_path_at(&p, -5, key);
    CHECK_NEAR(key[SCR_KEY_AZIMUTH], -60, 0);
    scr_camera_path_at(&p, 9, key);
    CHECK_NEAR(key[SCR_KEY_AZIMUTH], 40, 0);
    // no jumps, neither in place nor in speed: differences of second order are those of a cubic
    double jump = 0, last = 0;
    scr_camera_path_at(&p, 0, before);
    for (int k = 1; k <= 4000; k++) {
        scr_camera_path_at(&p, k * 1e-3, key);
        double step = key[SCR_KEY_AZIMUTH] - before[SCR_KEY_AZIMUTH];
        if (k > 1) jump = check_worse(jump, fabs(step - last));
        last = step;
        memcpy(before, key, sizeof key);
    }
    CHECK_NEAR(jump, 3e-4, 2e-6); /* 300 deg/s^2 at the start; off by 5e-7, the mean over a step */
    scr_camera_path_deinit(&p);
    write_text(FOLDER "/keys", "0 1 2\n1 0 95 1\n0.5 0 0 -1\n2 0 0 1 1 2 3\n3 0 0 1 x\n", 0600);
    int errors = report.errors;
    CHECK_INT(scr_camera_path_read(FOLDER "/keys", &p, &report), SCREE_E_INPUT);
    CHECK_INT(report.errors - errors, 6); /* columns, elevation, time and zoom, point, text */
    scr_camera_path_deinit(&p);
    write_text(FOLDER "/keys", "# nothing\n", 0600);
    CHECK_INT(scr_camera_path_read(FOLDER "/keys", &p, &report), SCREE_E_INPUT);
    scr_camera_path_deinit(&p);
}

/* ---- the view ---- */

#define COUNT 1000

typedef struct {
    double position[3 * COUNT], radius[COUNT];
} heap;

// a large grain that stays, the others anywhere in a cube; below 500 grains none is a stray
static scr_picture_content heap_fill(heap *h, uint64_t seed, double size, size_t count)
{
    scr_random r = scr_random_stream(seed, 1);
    for (size_t i = 0; i < COUNT; i++) {
        for (int k = 0; k < 3; k++) h->position[3 * i + (size_t)k] = i ? size * (scr_random_unit(&r) - 0.5) : 1.5;
        h->radius[i] = i ? 0.02 : 0.4;
    }
    return (scr_picture_content){.spheres = {h->position, h->radius, NULL, count}};
}

static scr_picture_def small(void)
{
    scr_picture_def def = scr_picture_def_default();
    def.width = 240, def.height = 160, def.antialias = 1, def.legend = false;
    return def;
}

static long difference(const uint8_t *a, const uint8_t *b, int from, int to)
{
    long sum = 0;
    for (int y = 0; y < 160; y++)
        for (int x = from; x < to; x++)
            for (int k = 0; k < 3; k++) sum += labs((long)a[3 * (y * 240 + x) + k] - b[3 * (y * 240 + x) + k]);
    return sum;
}

// seen from -y, the large grain lies far to the right: there two frames of one movie are the same picture
static void check_steady(void)
{
    static heap one, two;
    static uint8_t a[3 * 240 * 160], b[3 * 240 * 160];
    scr_picture_content first = heap_fill(&one, 3, 1, 400), second = heap_fill(&two, 4, 0.5, 400);
    scr_picture_def def = small();
    def.azimuth = -90, def.elevation = 0, def.shadows = false, def.ambient_samples = 0;
    scr_picture_hull hull = {0};
    CHECK(scr_hull_add(&hull, &first) && scr_hull_add(&hull, &second));
    for (int steady = 0; steady < 2; steady++) {
        first.hull = second.hull = steady ? &hull : NULL;
        CHECK_INT(scr_picture_draw(&def, &first, a, &report), SCREE_OK);
        CHECK_INT(scr_picture_draw(&def, &second, b, &report), SCREE_OK);
        CHECK(difference(a, b, 0, 120) > 1000); // the others have moved
        long right = difference(a, b, 150, 240);
        if (steady)
            CHECK_INT(right, 0);
        else
            CHECK(right > 1000);
    }
}

// of a thousand grains two may be far away (the large one is), four count
static void check_strays(void)
{
    static heap h;
    scr_picture_content content = heap_fill(&h, 5, 1, COUNT);
    scr_picture_hull near = {0}, few = {0}, many = {0};
    CHECK(scr_hull_add(&near, &content));
    h.position[3 * 7] = 50;
    CHECK(scr_hull_add(&few, &content));
    h.position[3 * 8] = 50, h.position[3 * 9] = 50;
    CHECK(scr_hull_add(&many, &content));
    double reach[3] = {0, 0, 0};
    for (int k = 0; k < SCR_HULL_WAYS; k++) {
        reach[0] = check_worse(reach[0], near.reach[k]), reach[1] = check_worse(reach[1], few.reach[k]);
        reach[2] = check_worse(reach[2], many.reach[k]);
    }
    CHECK(reach[0] < 3 && reach[1] < 3);
    CHECK(reach[2] > 40);
}

// from every direction that the camera takes all of the content lies in the picture
static void check_turns(void)
{
    static heap h;
    static uint8_t rgb[3 * 240 * 160];
    scr_picture_content content = heap_fill(&h, 6, 1, 400);
    const double turns[4][2] = {{0, 0}, {45, 10}, {90, 60}, {200, 0}};
    scr_picture_def def = small();
    def.background[0] = def.background[1] = 0xffffff;
    def.turns = turns, def.turn_count = 4;
    for (int k = 0; k < 4; k++) {
        def.azimuth = turns[k][0], def.elevation = turns[k][1];
        CHECK_INT(scr_picture_draw(&def, &content, rgb, &report), SCREE_OK);
        int border = 0;
        for (int x = 0; x < 240; x++) border += rgb[3 * x] < 255 || rgb[3 * (159 * 240 + x)] < 255;
        for (int y = 0; y < 160; y++) border += rgb[3 * (240 * y)] < 255 || rgb[3 * (240 * y + 239)] < 255;
        CHECK_INT(border, 0);
    }
}

/* ---- ffmpeg ---- */

static void check_command(void)
{
    char text[400] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    scr_movie_command(out, "it's-%04d.png", 12.5, "a b.mp4");
    fclose(out);
    CHECK(strstr(text, "ffmpeg -framerate 12.5 -i 'it'\\''s-%04d.png' "));
    CHECK(strstr(text, " -color_trc bt709 ") && strstr(text, " 'a b.mp4'\n"));
    // ffmpeg would take the one for an option, the other for a protocol
    out = fmemopen(text, sizeof text, "w");
    scr_movie_command(out, "-b-%04d.png", 25, "a:b.mp4");
    fclose(out);
    CHECK(strstr(text, " -i file:-b-%04d.png ") && strstr(text, " file:a:b.mp4\n"));
    CHECK(scr_movie_path_ok("x.mp4") && scr_movie_path_ok("x.mkv") && !scr_movie_path_ok(".mp4") &&
          !scr_movie_path_ok("x.avi"));
}

// a program of this text in the place of ffmpeg: what opening, three pictures and closing give
static scree_status movie_of(const char *program, const char *path)
{
    static uint8_t rgb[3 * 320 * 240];
    unlink(FOLDER "/ffmpeg");
    if (program) write_text(FOLDER "/ffmpeg", program, 0700);
    scr_movie *movie;
    scree_status status = scr_movie_open(path, 320, 240, 25, &movie, &report);
    for (int k = 0; k < 3 && movie && !status; k++) status = scr_movie_add(movie, rgb, &report);
    CHECK(!program || movie || status);
    if (!movie) return status;
    scree_status closed = scr_movie_close(movie, !status, &report);
    return status ? status : closed;
}

static void check_failures(void)
{
    char *old = strdup(getenv("PATH"));
    const char *path = FOLDER "/x.mp4", *part = FOLDER "/x.mp4.part";
    setenv("PATH", FOLDER, 1);
    scr_signals_catch();
    CHECK_INT(movie_of(NULL, path), SCREE_OK); // there is none
    CHECK(access(path, F_OK) && access(part, F_OK));
    CHECK_INT(movie_of("#!/bin/sh\necho no such codec >&2\nexit 1\n", path), SCREE_E_IO);
    CHECK(strstr(report.messages[report.count - 1].text, "no such codec"));
    CHECK(access(path, F_OK) && access(part, F_OK));
    // takes everything, and fails at the end
    CHECK_INT(movie_of("#!/bin/sh\nexec </dev/stdin\nwhile read -r x; do :; done\nexit 3\n", path), SCREE_E_IO);
    CHECK(access(path, F_OK) && access(part, F_OK));
    CHECK_INT(movie_of("#!/bin/sh\nwhile read -r x; do :; done\nfor f; do :; done\necho ok >\"${f#file:}\"\n", path),
              SCREE_OK);
    CHECK(!access(path, F_OK) && access(part, F_OK));
    CHECK_INT(movie_of("#!/bin/sh\n", "no/such/folder/x.mp4"), SCREE_E_IO);
    scr_signals_release();
    setenv("PATH", old, 1);
    free(old);
}

int main(void)
{
    scree_report_init(&report);
    mkdir(FOLDER, 0700);
    check_path();
    check_steady();
    check_strays();
    check_turns();
    check_command();
    check_failures();
    scree_report_deinit(&report);
    unlink(FOLDER "/keys"), unlink(FOLDER "/ffmpeg"), unlink(FOLDER "/x.mp4");
    rmdir(FOLDER);
    return check_done();
}
