/* `scree info`: every kind of thing that results hold is told, and bad files end with a message. */
#include "check.h"

#include "scree/scree.h"

#include "base/os.h"
#include "observe/results.h"
#include "show/info.h"
#include "world_fixture.h"

#define FOLDER "folder_show_info"
#define PATH   FOLDER "/run.h5"

static const scr_column columns[] = {{"time", "s", ""}, {"kinetic", "J", ""}, {0}};

static char *info_text(scree_status *status, int *errors)
{
    char *text = NULL;
    size_t size;
    scree_report report;
    scree_report_init(&report);
    FILE *out = open_memstream(&text, &size);
    *status = scr_info_write(PATH, out, &report);
    fclose(out);
    *errors = report.errors;
    scree_report_deinit(&report);
    return text;
}

static void write_results(const char *path, const scr_results_scene *scene)
{
    scr_world w;
    scr_results *r;
    scr_series s;
    scree_report report;
    scree_report_init(&report);
    fixture_world(&w, 20, 1);
    CHECK_INT(scr_results_create(path, scene, &r, &report), 0);
    scr_series_init(&s, "energy", "ledger", columns);
    scr_series_add(&s, (double[]){0.25, 1.5});
    CHECK_INT(scr_results_frame(r, &w, (const char *const[]){"position", "radius", "image"}, 3, NULL, &report), 0);
    CHECK_INT(scr_results_checkpoint(r, &w, &report), 0);
    CHECK_INT(scr_results_publish(r, &w, &s, 1, &report), 0);
    scr_series_deinit(&s);
    scr_results_destroy(r);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
}

// the title is what the scene means by it, not the first line that looks so
static const scr_results_scene silo = {"silo.yaml", "# title: or so\nscree: 1\ntitle: \"A silo\\e[1m\"\n",
                                       "A silo\033[1m"};
static const scr_results_scene bare = {"silo.yaml", "scree: 1\n# title:\n", NULL};

static char *picture_of(const char *text, const char *title, size_t *size)
{
    scree_report report;
    scree_report_init(&report);
    write_results(PATH, &(scr_results_scene){"s", text, title});
    scree_picture_def def = scree_picture_def_default();
    def.results = PATH, def.output = FOLDER "/picture.png", def.colour = "radius";
    def.width = 320, def.height = 240;
    CHECK_INT(scree_results_render(&def, &report), SCREE_OK);
    char *bytes = scr_file_read(def.output, (size_t)1 << 30, size, &report);
    CHECK(bytes != NULL);
    scree_report_print(&report, stdout);
    scree_report_deinit(&report);
    return bytes;
}

// pictures show the title whatever else the scene's text has
static void titles_in_pictures(void)
{
    size_t sizes[3] = {0};
    char *plain = picture_of("scree: 1\ntitle: A silo\n", "A silo", &sizes[0]);
    char *late = picture_of("# the title: below\nscree: 1\ntitle: A silo\n", "A silo", &sizes[1]);
    char *none = picture_of("scree: 1\n", NULL, &sizes[2]);
    CHECK(plain && late && sizes[0] == sizes[1] && !memcmp(plain, late, sizes[0]));
    CHECK(plain && none && (sizes[0] != sizes[2] || memcmp(plain, none, sizes[0]) != 0));
    free(plain), free(late), free(none);
}

int main(void)
{
    scree_status status;
    int errors;
    fixture_folder(FOLDER);
    write_results(PATH, &silo);
    char *text = info_text(&status, &errors);
    CHECK_INT(status, SCREE_OK);
    CHECK_INT(errors, 0);
    static const char *const told[] = {
        "results of Scree",
        "title       A silo?[1m\n",
        "scene       silo.yaml",
        "[-1, -2, -3] to [4, 5, 6] m, periodic in x z",
        "frames      1, from 0.3 s to 0.3 s, steps 1000 to 1000",
        "grains      20 in the first frame",
        "fields      id, image, position [m], radius [m]\n",
        "checkpoints step 1000 (0.3 s)",
        "glass (2500 kg/m^3)",
        "alpha of ., frozen",
        "side/with 50 % slope: frustum of .",
        "Böden: plane of glass, force on it (1, 2, -3) N, moved by (0, 0, 0.3) m",
        "energy (ledger): 1 rows",
        "kinetic              1.5 J",
        "on disk     index",
    };
    for (size_t k = 0; k < sizeof told / sizeof *told; k++) {
        if (!strstr(text, told[k])) printf("not told: %s\nin:\n%s", told[k], text);
        CHECK(strstr(text, told[k]) != NULL);
    }
    free(text);

    // a frame that is gone is told as such, the rest remains
    CHECK(!unlink(PATH ".data/frame-00000000.h5"));
    text = info_text(&status, &errors);
    CHECK(strstr(text, "the last frame cannot be read") != NULL);
    free(text);

    write_results(PATH, &bare);
    text = info_text(&status, &errors);
    CHECK(status == SCREE_OK && strstr(text, "  title") == NULL);
    free(text);
    titles_in_pictures();

    CHECK(!truncate(PATH, 900));
    text = info_text(&status, &errors);
    CHECK_INT(status, SCREE_E_INPUT);
    CHECK_INT(errors, 1);
    free(text);
    fixture_remove_tree(FOLDER);
    return check_done();
}
