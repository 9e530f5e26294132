/* Pictures: projected areas against closed forms, framing, colours, legend, the same bytes for any
 * number of threads, odd input, and failures to write. */
#include "check.h"

#include <png.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "show/colour.h"
#include "show/font.h"
#include "show/picture.h"
#include "show/picture_ticks.h"

#define FILE_NAME "show_picture_test.png"
#define PI        3.14159265358979323846

static scree_report report;

static scr_picture_def small_def(int width, int height)
{
    scr_picture_def def = scr_picture_def_default();
    def.width = width, def.height = height, def.antialias = 1, def.legend = false;
    def.background[0] = def.background[1] = 0xffffff;
    return def;
}

static uint8_t *draw(const scr_picture_def *def, const scr_picture_content *content)
{
    uint8_t *rgb = malloc(3 * (size_t)def->width * (size_t)def->height);
    CHECK_INT(scr_picture_draw(def, content, rgb, &report), SCREE_OK);
    return rgb;
}

static const uint8_t *pixel_at(const scr_picture_def *def, const uint8_t *rgb, int x, int y)
{
    return rgb + 3 * ((size_t)y * (size_t)def->width + (size_t)x);
}

static int not_white(const scr_picture_def *def, const uint8_t *rgb)
{
    int count = 0;
    for (int k = 0; k < def->width * def->height; k++)
        count += rgb[3 * k] != 255 || rgb[3 * k + 1] != 255 || rgb[3 * k + 2] != 255;
    return count;
}

// a sphere of angular radius alpha, theta off the axis, projects to an ellipse with half axes
// f sin(a) cos(a) / (cos^2 t - sin^2 a) and f sin(a) / sqrt(cos^2 t - sin^2 a)
static void check_area(double offset, double radius)
{
    double position[3] = {offset, 0, 0}, distance = 10;
    scr_picture_content content = {.spheres = {position, &radius, NULL, 1}};
    scr_picture_def def = small_def(700, 500);
    def.auto_camera = false;
    def.eye = v3(0, -distance, 0), def.target = v3(0, 0, 0), def.fov = 40;
    uint8_t *rgb = draw(&def, &content);
    double f = 0.5 * def.height / tan(0.5 * def.fov * PI / 180);
    double away = hypot(distance, offset), sine = radius / away, cosine = sqrt(1 - sine * sine);
    double q = distance * distance / (away * away) - sine * sine;
    double area = PI * f * sine * cosine / q * f * sine / sqrt(q);
    CHECK_NEAR(not_white(&def, rgb) / area, 1, 1e-3); /* off by 1.5e-4 and 4e-5 */
    free(rgb);
}

// all grains lie within the frame, and touch it on two sides
static void check_framing(void)
{
    double position[3 * 40], radius[40];
    scr_random r = scr_random_stream(1, 2);
    for (int i = 0; i < 40; i++) {
        for (int k = 0; k < 3; k++) position[3 * i + k] = 1e7 + 50 * scr_random_unit(&r) * (3 - k);
        radius[i] = 1 + 4 * scr_random_unit(&r);
    }
    scr_picture_content content = {.spheres = {position, radius, NULL, 40}};
    scr_picture_def def = small_def(400, 300);
    uint8_t *rgb = draw(&def, &content);
    int left = 400, right = -1, top = 300, bottom = -1;
    for (int y = 0; y < 300; y++)
        for (int x = 0; x < 400; x++)
            if (pixel_at(&def, rgb, x, y)[2] < 250) {
                left = x < left ? x : left, right = x > right ? x : right;
                top = y < top ? y : top, bottom = y > bottom ? y : bottom;
            }
    // margins of 20 pixels
    CHECK(left >= 19 && top >= 19 && right <= 380 && bottom <= 280);
    CHECK((left <= 21 && right >= 378) || (top <= 21 && bottom >= 278));
    // zooming out makes everything smaller
    int before = not_white(&def, rgb);
    free(rgb);
    def.zoom = 0.5;
    rgb = draw(&def, &content);
    CHECK_NEAR(not_white(&def, rgb) / (double)before, 0.25, 0.01); /* off by 6e-4 */
    free(rgb);
}

// Straight from above x is to the right and y up: three grains along x and one beyond them along y fill the width, and
// the upper half has more of them.
static void check_from_above(void)
{
    double position[12] = {-3, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0}, radius[4] = {0.4, 0.4, 0.4, 0.4};
    scr_picture_content content = {.spheres = {position, radius, NULL, 4}};
    scr_picture_def def = small_def(300, 300);
    def.azimuth = -90, def.elevation = 90, def.shadows = false;
    uint8_t *rgb = draw(&def, &content);
    int low[2] = {300, 300}, high[2] = {-1, -1}, seen[2] = {0, 0};
    for (int k = 0; k < 300 * 300; k++) {
        int at[2] = {k % 300, k / 300};
        if (pixel_at(&def, rgb, at[0], at[1])[0] == 255) continue;
        for (int d = 0; d < 2; d++)
            low[d] = at[d] < low[d] ? at[d] : low[d], high[d] = at[d] > high[d] ? at[d] : high[d];
    }
    for (int k = 0; k < 300 * 300; k++)
        if (pixel_at(&def, rgb, k % 300, k / 300)[0] != 255) seen[2 * (k / 300) > low[1] + high[1]]++;
    CHECK_NEAR((double)(high[0] - low[0]) / (high[1] - low[1]), 6.8 / 1.8, 0.2); /* off by 0.09: perspective */
    CHECK_NEAR((double)seen[0] / seen[1], 1.0 / 3, 0.05);                        /* off by 0.005 */
    free(rgb);
}

static void check_colour(const char *map, double at, int r, int g, int b)
{
    uint8_t rgb[3];
    scr_colour_bytes(scr_colour_map_at(scr_colour_map_find(map), at), rgb);
    CHECK_INT(rgb[0], r);
    CHECK_INT(rgb[1], g);
    CHECK_INT(rgb[2], b);
}

static void check_colours(void)
{
    check_colour("viridis", 0, 0x63, 0x40, 0x9e);
    check_colour("viridis", -3, 0x63, 0x40, 0x9e);
    check_colour("viridis", 1, 0xfb, 0xe6, 0x2a);
    check_colour("viridis", 7, 0xfb, 0xe6, 0x2a);
    check_colour("coolwarm", 0.5, 0xde, 0xdd, 0xdc);
    check_colour("turbo", NAN, 0x9a, 0x9a, 0x9a);
    CHECK(!scr_colour_map_find("jet"));
    for (int k = 0; k < 256; k++) {
        uint8_t rgb[3];
        scr_colour_bytes(scr_colour_of_hex((uint32_t)k << 16), rgb);
        if (rgb[0] != k) CHECK_INT(rgb[0], k);
    }
    // lightness of the map for magnitudes rises all the way
    double last = -1;
    for (int k = 0; k <= 100; k++) {
        double l = scr_colour_luminance(scr_colour_map_at(scr_colour_map_find("viridis"), k / 100.0));
        if (!(l > last)) CHECK_NEAR(l, last, 0);
        last = l;
    }
}

// values choose colours; a missing one is grey, and hidden grains change nothing
static void check_values(void)
{
    double position[9] = {-2, 0, 0, 0, 0, 0, 2, 0, 0}, radius[3] = {0.9, 0.9, 0.9};
    double value[3] = {5, NAN, 9};
    scr_picture_content content = {.spheres = {position, radius, value, 3}};
    scr_picture_def def = small_def(300, 120);
    def.auto_camera = false, def.eye = v3(0, -12, 0), def.fov = 20;
    uint8_t *rgb = draw(&def, &content);
    const uint8_t *low = pixel_at(&def, rgb, 150 - 56, 60), *none = pixel_at(&def, rgb, 150, 60),
                  *high = pixel_at(&def, rgb, 150 + 56, 60);
    CHECK(low[2] > low[0] && low[2] > 2 * low[1]);
    CHECK(high[0] > high[2] && high[1] > 2 * high[2]);
    CHECK(abs(none[0] - none[1]) < 12 && abs(none[1] - none[2]) < 12);
    free(rgb);
}

// a rod covers what its sides and round ends do; it is askew, so that sides do not follow rows of pixels
static void check_rod(void)
{
    double ends[6] = {-0.8, 0, -0.6, 0.8, 0, 0.6}, radius = 0.2, value = 1;
    scr_picture_content content = {.rods = {ends, &radius, NULL, 1}};
    scr_picture_def def = small_def(700, 500);
    def.auto_camera = false, def.eye = v3(0, -200, 0), def.fov = 1;
    uint8_t *rgb = draw(&def, &content);
    double f = 0.5 * def.height / tan(0.5 * def.fov * PI / 180) / 200;
    double area = f * f * (2 * 2 * radius + PI * radius * radius);
    CHECK_NEAR(not_white(&def, rgb) / area, 1, 2e-3); /* off by 1.4e-3: pixels along the sides */
    free(rgb);
    content.rods.value = &value, radius = NAN;
    rgb = draw(&def, &content);
    CHECK_INT(not_white(&def, rgb), 0);
    free(rgb);
}

// things have colours of their own, however large their numbers
static void check_categories(void)
{
    double position[9] = {-2, 0, 0, 0, 0, 0, 2, 0, 0}, radius[3] = {0.9, 0.9, 0.9};
    double value[3] = {0, 1, 1e9};
    static const char *const names[] = {"glass", "steel"};
    scr_picture_content content = {.spheres = {position, radius, value, 3}};
    scr_picture_def def = small_def(300, 200);
    def.auto_camera = false, def.eye = v3(0, -12, 0), def.fov = 20 * 200 / 120.0;
    def.categories = true;
    uint8_t *rgb = draw(&def, &content);
    const uint8_t *blue = pixel_at(&def, rgb, 150 - 56, 100), *orange = pixel_at(&def, rgb, 150, 100);
    CHECK(blue[2] > blue[0] + 30 && orange[0] > orange[2] + 30);
    // named, they are explained: ink at the right edge
    int before = not_white(&def, rgb);
    free(rgb);
    def.legend = true, def.category = names, def.category_count = 2;
    rgb = draw(&def, &content);
    CHECK(not_white(&def, rgb) > before + 50);
    free(rgb);
    int differ = 0;
    for (int n = 0; n < 40; n++) {
        vec3 a = scr_colour_category(n), b = scr_colour_category(n + 1);
        differ += v3_norm(v3_sub(a, b)) > 0.1;
    }
    CHECK_INT(differ, 40);
}

static void check_ticks(void)
{
    scr_ticks t = scr_ticks_of(0, 1.05, 5);
    CHECK_INT(t.count, 5);
    CHECK_TEXT(t.label[0], "0.00");
    CHECK_TEXT(t.label[1], "0.25");
    CHECK_INT(t.exponent, 0);
    t = scr_ticks_of(-3, 3, 6);
    CHECK_INT(t.count, 7);
    CHECK_TEXT(t.label[0], "\u22123");
    CHECK_TEXT(t.label[3], "0");
    t = scr_ticks_of(0, 4.1e-6, 4);
    CHECK_INT(t.exponent, -6);
    CHECK_TEXT(t.label[t.count - 1], "4");
    t = scr_ticks_of(2e7, 9.5e7, 5);
    CHECK_INT(t.exponent, 6);
    CHECK_TEXT(t.label[0], "20");
    CHECK_TEXT(t.label[3], "80");
    t = scr_ticks_of(273.10, 273.25, 4);
    CHECK_TEXT(t.label[0], "273.10");
    CHECK_NEAR(scr_round_up(0.3), 0.5, 1e-15);
    CHECK_NEAR(scr_round_up(2e-5), 2e-5, 1e-19);
    double low = 4, high = 4;
    scr_range_widen(&low, &high);
    CHECK(low < 4 && high > 4);
    low = NAN, high = NAN;
    scr_range_widen(&low, &high);
    CHECK(low < high);
}

static void check_text(void)
{
    scr_font font = {.size = 14, .weight = 0.12};
    CHECK_NEAR(scr_text_width(&font, "0"), 9, 1e-12);
    CHECK_NEAR(scr_text_width(&font, "00"), 21.3, 1e-12);
    CHECK(scr_text_width(&font, "m/s\u00b2") > scr_text_width(&font, "m/s"));
    CHECK_NEAR(scr_text_width(&font, ""), 0, 0);
    // every glyph leaves ink inside of its line, and broken UTF-8 or places outside do no harm
    uint8_t rgb[3 * 60 * 60];
    scr_canvas canvas = {60, 60, rgb};
    for (int c = 33; c < 127; c++) {
        memset(rgb, 255, sizeof rgb);
        char text[2] = {(char)c, 0};
        scr_text_draw(&canvas, &font, 20, 40, text);
        int ink = 0, outside = 0;
        for (int k = 0; k < 60 * 60; k++) {
            int x = k % 60, y = k / 60, mark = rgb[3 * k] < 255;
            ink += mark, outside += mark && (x < 17 || x > 40 || y < 22 || y > 48);
        }
        if (ink < 4 || outside) CHECK_INT(c, -1);
    }
    scr_text_draw(&canvas, &font, -5, 3, "\xe2\x88 \xff\xc3");
    scr_text_draw(&canvas, &font, 1e9, -1e9, "far");
    CHECK_INT(check_failed, 0);
}

static scr_picture_content heap(double *position, double *radius, double *value, size_t count)
{
    static const scr_picture_wall walls[] = {
        {.kind = SCR_PICTURE_PLANE, .normal = {0, 0, 2}},
        {.kind = SCR_PICTURE_PLANE, .a = {-1, 0, 0}, .normal = {1, 0, 0}},
        {.kind = SCR_PICTURE_FRUSTUM, .a = {0, 0, 1}, .b = {0, 0, 2}, .radius = {0.3, 1}},
        {.kind = SCR_PICTURE_BOX, .a = {1, 1, 0}, .b = {-1, -1, 0.5}},
        {.kind = SCR_PICTURE_RING, .a = {0, 0, 1}, .normal = {0, 0, 1}, .radius = {0, 0.3}},
    };
    scr_random r = scr_random_stream(9, 9);
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) position[3 * i + k] = scr_random_between(&r, -1, 1);
        position[3 * i + 2] = fabs(position[3 * i + 2]);
        radius[i] = 0.05, value[i] = scr_random_unit(&r);
    }
    return (scr_picture_content){
        .spheres = {position, radius, value, count}, .walls = walls, .wall_count = 5, .box = {{-1, -1, 0}, {1, 1, 2}}};
}

static void check_threads(void)
{
    double position[900], radius[300], value[300];
    scr_picture_content content = heap(position, radius, value, 300);
    scr_picture_def def = small_def(320, 240);
    def.antialias = 3, def.legend = true, def.domain = true, def.title = "Heap";
    def.legend_title = "speed", def.legend_unit = "m/s", def.subtitle = "t = 1 s";
    def.threads = 1;
    uint8_t *one = draw(&def, &content);
    for (int n = 2; n <= 4; n++) {
        def.threads = n;
        uint8_t *more = draw(&def, &content);
        CHECK(!memcmp(one, more, 3 * 320 * 240));
        free(more);
    }
    free(one);
}

static void check_odd_input(void)
{
    double position[900], radius[300], value[300];
    scr_picture_content content = heap(position, radius, value, 300);
    scr_picture_def def = small_def(120, 90);
    def.legend = true;
    for (int i = 0; i < 100; i++) value[i] = NAN;
    value[100] = INFINITY, value[101] = -1e300, radius[0] = 0, radius[1] = -1, radius[2] = NAN;
    radius[3] = INFINITY, position[15] = NAN, position[18] = INFINITY, position[21] = 1e300;
    position[24] = 1e90, radius[10] = 1e-300;
    free(draw(&def, &content));
    for (int i = 0; i < 300; i++) value[i] = NAN;
    free(draw(&def, &content));
    for (int i = 0; i < 300; i++) value[i] = 0;
    free(draw(&def, &content));
    // straight from above and from below
    for (int side = -1; side <= 1; side += 2) {
        def.elevation = 90 * side;
        free(draw(&def, &content));
    }
    // no grains; nothing at all
    content.spheres.count = 0;
    free(draw(&def, &content));
    scr_picture_content nothing = {.walls = NULL};
    uint8_t *rgb = draw(&def, &nothing);
    CHECK_INT(not_white(&def, rgb), 0);
    free(rgb);
    // walls that cannot be drawn
    scr_picture_wall bad[] = {{.kind = SCR_PICTURE_PLANE},
                              {.kind = SCR_PICTURE_BOX, .b = {NAN, 1, 1}},
                              {.kind = SCR_PICTURE_FRUSTUM, .radius = {1, 2}},
                              {.kind = SCR_PICTURE_FRUSTUM, .b = {0, 0, 1}, .radius = {-1, 2}},
                              {.kind = SCR_PICTURE_RING, .normal = {0, 0, 1}}};
    nothing.walls = bad, nothing.wall_count = 5;
    rgb = draw(&def, &nothing);
    CHECK_INT(not_white(&def, rgb), 0);
    free(rgb);
}

static void check_bad_definition(void)
{
    scr_picture_content nothing = {.walls = NULL};
    scr_picture_def def = small_def(8, 90);
    def.antialias = 0, def.fov = 200, def.zoom = NAN, def.colour_map = "jet", def.up = v3(0, 0, 0);
    def.auto_camera = false, def.eye = def.target = v3(1, 2, 3);
    def.value_min = 3, def.value_max = 2;
    int before = report.errors;
    CHECK_INT(scr_picture_write(&def, &nothing, FILE_NAME, &report), SCREE_E_INPUT);
    CHECK_INT(report.errors - before, 8);
    CHECK(access(FILE_NAME, F_OK) != 0);
}

static void check_file(void)
{
    double position[900], radius[300], value[300];
    scr_picture_content content = heap(position, radius, value, 300);
    scr_picture_def def = small_def(160, 120);
    uint8_t *rgb = draw(&def, &content);
    CHECK_INT(scr_picture_write(&def, &content, FILE_NAME, &report), SCREE_OK);
    CHECK(access(FILE_NAME ".part", F_OK) != 0);
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&image, FILE_NAME));
    image.format = PNG_FORMAT_RGB;
    CHECK_INT(image.width, 160);
    CHECK_INT(image.height, 120);
    uint8_t *back = malloc(PNG_IMAGE_SIZE(image));
    CHECK(png_image_finish_read(&image, NULL, back, 0, NULL));
    CHECK(!memcmp(rgb, back, 3 * 160 * 120));
    free(back);
    free(rgb);
}

// a failed write is told and leaves what was there
static void check_write_failures(void)
{
    scr_picture_content nothing = {.walls = NULL};
    scr_picture_def def = small_def(64, 64);
    def.title = "x";
    int before = report.errors;
    CHECK_INT(scr_picture_write(&def, &nothing, "no/such/folder/a.png", &report), SCREE_E_IO);
    CHECK_INT(report.errors - before, 1);
    CHECK(strstr(report.messages[report.count - 1].text, "No such file") != NULL);
    // the target is a folder
    CHECK(!mkdir("show_picture_test.d", 0700));
    CHECK_INT(scr_picture_write(&def, &nothing, "show_picture_test.d", &report), SCREE_E_INPUT);
    CHECK(access("show_picture_test.d.part", F_OK) != 0);
    rmdir("show_picture_test.d");
    // as on a full disk: the old file stays
    struct stat old, now;
    CHECK(!stat(FILE_NAME, &old));
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit, tight;
    getrlimit(RLIMIT_FSIZE, &limit);
    tight = limit, tight.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &tight);
    CHECK_INT(scr_picture_write(&def, &nothing, FILE_NAME, &report), SCREE_E_IO);
    setrlimit(RLIMIT_FSIZE, &limit);
    CHECK(!stat(FILE_NAME, &now));
    CHECK(now.st_size == old.st_size && now.st_ino == old.st_ino);
    CHECK(access(FILE_NAME ".part", F_OK) != 0);
    unlink(FILE_NAME);
}

int main(void)
{
    scree_report_init(&report);
    check_area(0, 2);
    check_area(3, 1.5);
    check_framing();
    check_from_above();
    check_colours();
    check_values();
    check_rod();
    check_categories();
    check_ticks();
    check_text();
    check_threads();
    check_odd_input();
    check_bad_definition();
    check_file();
    check_write_failures();
    scree_report_deinit(&report);
    return check_done();
}
