/* Export: each format is parsed back by a small reader of its own and compared, bit for bit, with
 * the world that was written. */
#include "check.h"

#include <inttypes.h>

#include "base/os.h"
#include "observe/results.h"
#include "show/export.h"
#include "world_fixture.h"

#define FOLDER "folder_show_export"
#define PATH   FOLDER "/run & more.h5"
#define STEM   FOLDER "/run & more"
#define BODIES 30
#define FRAMES 3

static scr_world worlds[FRAMES];
static uint32_t orders[FRAMES][BODIES];

static const char *const full[] = {"position", "radius", "velocity", "spin",      "force", "torque",
                                   "mass",     "image",  "material", "aggregate", "group"};
static const char *const bare[] = {"position"};

static void write_results(const char *const *views, int count)
{
    scree_report report;
    scr_results *r;
    scree_report_init(&report);
    CHECK_INT(scr_results_create(PATH, &(scr_results_scene){"s", "scree: 1\n", NULL}, &r, &report), SCREE_OK);
    for (int k = 0; k < FRAMES; k++) {
        scr_world_deinit(&worlds[k]);
        fixture_world(&worlds[k], BODIES, (uint64_t)k);
        worlds[k].clock.step = 100 * k;
        worlds[k].clock.time = 0.1 * k;
        scr_bodies_by_id(&worlds[k].bodies, orders[k]);
        CHECK_INT(scr_results_frame(r, &worlds[k], views, count, NULL, &report), SCREE_OK);
    }
    CHECK_INT(scr_results_publish(r, &worlds[FRAMES - 1], NULL, 0, &report), SCREE_OK);
    scr_results_destroy(r);
    scree_report_deinit(&report);
}

static scr_export_def def_of(const char *word)
{
    scr_export_def def = {.results = PATH, .first = 0, .last = -1, .every = 1};
    CHECK(scr_export_format_find(word, &def.format));
    return def;
}

static scree_status export_as(scr_export_def def, int *errors)
{
    scree_report report;
    char *written;
    int frames = -1;
    scree_report_init(&report);
    scree_status status = scr_export_write(&def, &written, &frames, &report);
    CHECK(status ? !written : !access(written, R_OK) && frames > 0);
    if (errors) *errors = report.errors;
    free(written);
    scree_report_deinit(&report);
    return status;
}

static char *text_of(const char *path, size_t *size)
{
    scree_report report;
    scree_report_init(&report);
    char *text = scr_file_read(path, (size_t)1 << 30, size, &report);
    CHECK(text != NULL);
    scree_report_deinit(&report);
    return text;
}

// component c of a view of the b-th body by id, as a double
static double want(int frame, size_t b, const char *view, int c)
{
    const scr_bodies *bodies = &worlds[frame].bodies;
    const scr_view *v = scr_body_view(view);
    const scr_field *f = scr_table_field(&bodies->table, v->field);
    size_t at = (size_t)orders[frame][b] * (size_t)f->width + (size_t)(v->first + c);
    const void *array = scr_table_array(&bodies->table, f);
    return f->type == SCR_F64   ? ((const double *)array)[at]
           : f->type == SCR_I64 ? (double)((const int64_t *)array)[at]
                                : (double)((const int32_t *)array)[at];
}

// reads numbers of a view at *at, separated by `gap`; false on the first difference
static bool next_is(char **at, char gap, int frame, size_t b, const char *view, int width)
{
    for (int c = 0; c < width; c++) {
        char *end;
        double got = strtod(*at, &end), value = want(frame, b, view, c);
        if (end == *at || memcmp(&got, &value, sizeof got)) return false;
        *at = end + (*end == gap);
    }
    return true;
}

static bool skip(char **at, const char *text)
{
    if (strncmp(*at, text, strlen(text))) return false;
    *at += strlen(text);
    return true;
}

/* ---- text formats ---- */

static bool dump_frame(char **at, int frame)
{
    char head[512];
    const scr_world *w = &worlds[frame];
    snprintf(head, sizeof head,
             "%sITEM: TIME\n%g\nITEM: TIMESTEP\n%d\nITEM: NUMBER OF ATOMS\n%d\nITEM: BOX BOUNDS "
             "pp ff pp\n"
             "-1 4\n-2 5\n-3 6\nITEM: ATOMS id type x y z vx vy vz fx fy fz omegax omegay omegaz "
             "radius mass tqx "
             "tqy tqz ix iy iz group\n",
             frame == 0 ? "ITEM: UNITS\nsi\n" : "", w->clock.time, 100 * frame, BODIES);
    if (!skip(at, head)) return false;
    for (size_t b = 0; b < BODIES; b++) {
        if (!next_is(at, ' ', frame, b, "id", 1)) return false;
        if (strtod(*at, at) != 1 + want(frame, b, "material", 0)) return false;
        if (!next_is(at, ' ', frame, b, "position", 3) || !next_is(at, ' ', frame, b, "velocity", 3) ||
            !next_is(at, ' ', frame, b, "force", 3) || !next_is(at, ' ', frame, b, "spin", 3) ||
            !next_is(at, ' ', frame, b, "radius", 1) || !next_is(at, ' ', frame, b, "mass", 1) ||
            !next_is(at, ' ', frame, b, "torque", 3) || !next_is(at, ' ', frame, b, "image", 3) ||
            !next_is(at, ' ', frame, b, "group", 1) || !skip(at, "\n"))
            return false;
    }
    return true;
}

static bool xyz_frame(char **at, int frame)
{
    char head[512];
    snprintf(head, sizeof head,
             "%d\nLattice=\"5 0 0 0 7 0 0 0 9\" Origin=\"-1 -2 -3\" pbc=\"T F T\" "
             "Properties=species:S:1:pos:R:3:id:I:1:Radius:R:1:velo:R:3:force:R:3:mass:R:1:torque:"
             "R:3:omega:R:3:"
             "image:I:3:group:I:1 Time=%g Timestep=%d Program=Scree\n",
             BODIES, worlds[frame].clock.time, 100 * frame);
    if (!skip(at, head)) return false;
    for (size_t b = 0; b < BODIES; b++) {
        if (!skip(at, want(frame, b, "material", 0) > 0 ? ". " : "glass ")) return false;
        if (!next_is(at, ' ', frame, b, "position", 3) || !next_is(at, ' ', frame, b, "id", 1) ||
            !next_is(at, ' ', frame, b, "radius", 1) || !next_is(at, ' ', frame, b, "velocity", 3) ||
            !next_is(at, ' ', frame, b, "force", 3) || !next_is(at, ' ', frame, b, "mass", 1) ||
            !next_is(at, ' ', frame, b, "torque", 3) || !next_is(at, ' ', frame, b, "spin", 3) ||
            !next_is(at, ' ', frame, b, "image", 3) || !next_is(at, ' ', frame, b, "group", 1) || !skip(at, "\n"))
            return false;
    }
    return true;
}

static bool csv_frame(char **at, int frame)
{
    char row[64];
    if (frame == 0 && !skip(at, "frame,step,time [s],id,position_x [m],position_y [m],position_z [m],radius [m],"
                                "velocity_x [m/s],velocity_y [m/s],velocity_z [m/s],spin_x [rad/s],spin_y [rad/s],"
                                "spin_z [rad/s],force_x [N],force_y [N],force_z [N],torque_x [N m],torque_y [N m],"
                                "torque_z [N m],mass [kg],image_x,image_y,image_z,material,aggregate,group\n"))
        return false;
    snprintf(row, sizeof row, "%d,%d,%g,", frame, 100 * frame, worlds[frame].clock.time);
    for (size_t b = 0; b < BODIES; b++) {
        if (!skip(at, row)) return false;
        for (const scr_view *v = scr_body_views; v->name; v++)
            if (!next_is(at, ',', frame, b, v->name, v->width)) return false;
        if (!skip(at, "\n")) return false;
    }
    return true;
}

static void text_format(const char *word, bool (*read_frame)(char **, int))
{
    char path[256];
    size_t size;
    CHECK_INT(export_as(def_of(word), NULL), SCREE_OK);
    snprintf(path, sizeof path, STEM ".%s", word);
    char *text = text_of(path, &size), *at = text;
    for (int k = 0; k < FRAMES; k++) {
        bool same = text && read_frame(&at, k);
        if (!same) printf("%s frame %d differs at: %.80s\n", word, k, at);
        CHECK(same);
    }
    CHECK(text && at == text + size);
    free(text);
    // again: an earlier export is replaced
    CHECK_INT(export_as(def_of(word), NULL), SCREE_OK);
}

/* ---- ParaView ---- */

// the bytes of a named array in the appended data, with the length that stands before them
static const char *vtp_array(const char *text, size_t size, const char *name, const char *type, int width,
                             uint64_t *bytes)
{
    char tag[128];
    snprintf(tag, sizeof tag, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" ", type,
             name, width);
    const char *at = memmem(text, size, tag, strlen(tag));
    const char *data = memmem(text, size, "<AppendedData encoding=\"raw\">", 29);
    if (!at || !data) return NULL;
    at = strstr(at, "offset=\"") + 8;
    data = strchr(data, '_') + 1 + strtoull(at, NULL, 10);
    if (data + 8 > text + size) return NULL;
    memcpy(bytes, data, 8);
    return data + 8 + *bytes <= text + size ? data + 8 : NULL;
}

static bool vtp_view(const char *text, size_t size, int frame, const char *name, const scr_view *v, bool integer)
{
    uint64_t bytes;
    const char *data = vtp_array(text, size, name, integer ? "Int64" : "Float64", v->width, &bytes);
    if (!data || bytes != (uint64_t)(8 * BODIES * v->width)) return false;
    for (int k = 0; k < BODIES * v->width; k++) {
        double value = want(frame, (size_t)(k / v->width), v->name, k % v->width), got;
        int64_t whole;
        memcpy(&whole, data + 8 * k, 8);
        memcpy(&got, data + 8 * k, 8);
        if (integer) got = (double)whole;
        if (memcmp(&got, &value, 8)) return false;
    }
    return true;
}

static void vtp_frame(int frame)
{
    char path[256], piece[160];
    size_t size;
    snprintf(path, sizeof path, STEM "-%06d.vtp", frame);
    char *text = text_of(path, &size);
    if (!text) return;
    snprintf(piece, sizeof piece, "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" ", BODIES, BODIES);
    CHECK(strstr(text, piece) != NULL);
    CHECK(strstr(text, "header_type=\"UInt64\"") != NULL);
    for (const scr_view *v = scr_body_views; v->name; v++) {
        bool integer = !strcmp(v->name, "id") || !strcmp(v->name, "image") || !strcmp(v->name, "material") ||
                       !strcmp(v->name, "aggregate") || !strcmp(v->name, "group");
        bool place = !strcmp(v->name, "position");
        CHECK(vtp_view(text, size, frame, place ? "Points" : v->name, v, integer));
    }
    // vertex cells: cell k is point k, and ends after k + 1 points
    uint64_t bytes;
    int64_t ends[2] = {-1, -1};
    const char *cells = vtp_array(text, size, "connectivity", "Int64", 1, &bytes);
    CHECK(cells && bytes == 8 * BODIES);
    if (cells) memcpy(&ends[0], cells + 8 * (BODIES - 1), 8);
    const char *offsets = vtp_array(text, size, "offsets", "Int64", 1, &bytes);
    if (offsets) memcpy(&ends[1], offsets + 8 * (BODIES - 1), 8);
    CHECK_INT(ends[0], BODIES - 1);
    CHECK_INT(ends[1], BODIES);
    // the last array ends where the appended data ends
    const char *tail = "\n  </AppendedData>\n</VTKFile>\n";
    const char *last = vtp_array(text, size, "group", "Int64", 1, &bytes);
    CHECK(last && last + bytes + strlen(tail) == text + size && !memcmp(last + bytes, tail, strlen(tail)));
    free(text);
}

static void vtp(void)
{
    size_t size;
    CHECK_INT(export_as(def_of("vtp"), NULL), SCREE_OK);
    for (int k = 0; k < FRAMES; k++) vtp_frame(k);
    char *text = text_of(STEM ".pvd", &size);
    CHECK(text && strstr(text, "<DataSet timestep=\"0.20000000000000001\" part=\"0\" file=\"run &amp; "
                               "more-000002.vtp\"/>"));
    free(text);
    CHECK_INT(export_as(def_of("vtp"), NULL), SCREE_OK);
}

/* ---- choices and refusals ---- */

static int lines_of(const char *path)
{
    size_t size = 0;
    int lines = 0;
    char *text = text_of(path, &size);
    for (size_t k = 0; k < size; k++) lines += text[k] == '\n';
    free(text);
    return lines;
}

static void choices(void)
{
    scr_export_def def = def_of("csv");
    int errors;
    def.output = FOLDER "/some.csv";
    def.first = 1;
    CHECK_INT(export_as(def, NULL), SCREE_OK);
    CHECK_INT(lines_of(FOLDER "/some.csv"), 1 + 2 * BODIES);
    def.first = 0, def.every = 2;
    def.output = FOLDER "/some";
    CHECK_INT(export_as(def, NULL), SCREE_OK);
    CHECK_INT(lines_of(FOLDER "/some.csv"), 1 + 2 * BODIES);
    def.first = -1, def.every = 1 << 30;
    CHECK_INT(export_as(def, NULL), SCREE_OK);
    CHECK_INT(lines_of(FOLDER "/some.csv"), 1 + BODIES);

    static const int bad[][3] = {{3, -1, 1}, {0, 3, 1}, {2, 1, 1}, {0, -1, 0}, {-4, -1, 1}, {0, -5, 1}};
    for (int k = 0; k < 6; k++) {
        def.first = bad[k][0], def.last = bad[k][1], def.every = bad[k][2];
        CHECK_INT(export_as(def, &errors), SCREE_E_INPUT);
        CHECK_INT(errors, 1);
    }
    CHECK(!scr_export_format_find("png", &def.format));
    def = def_of("csv");
    def.results = FOLDER "/none.h5";
    CHECK_INT(export_as(def, &errors), SCREE_E_INPUT);
    def = def_of("csv");
    def.output = FOLDER "/none/x.csv";
    CHECK_INT(export_as(def, &errors), SCREE_E_IO);
    CHECK_INT(errors, 1);
}

// what is not an export of ours stays as it is
static void refusals(void)
{
    static const char *const words[] = {"vtp", "dump", "xyz", "csv"};
    static const char *const files[] = {"precious.pvd", "precious.dump", "precious.xyz", "precious.csv"};
    for (int k = 0; k < 4; k++) {
        char path[256];
        int errors;
        size_t size;
        snprintf(path, sizeof path, FOLDER "/%s", files[k]);
        FILE *out = fopen(path, "w");
        fputs("12 years of work\n", out);
        fclose(out);
        scr_export_def def = def_of(words[k]);
        def.output = path;
        CHECK_INT(export_as(def, &errors), SCREE_E_INPUT);
        CHECK_INT(errors, 1);
        char *text = text_of(path, &size);
        CHECK_TEXT(text, "12 years of work\n");
        free(text);
    }
    int files_before = fixture_file_count(FOLDER);
    CHECK_INT(export_as(def_of("dump"), NULL), SCREE_OK);
    CHECK_INT(fixture_file_count(FOLDER), files_before); // no temporary stays
}

// frames with positions only: what is missing is left out
static void bare_frames(void)
{
    size_t size;
    write_results(bare, 1);
    CHECK_INT(export_as(def_of("dump"), NULL), SCREE_OK);
    char *text = text_of(STEM ".dump", &size);
    CHECK(text && strstr(text, "ITEM: ATOMS id type x y z\n1 1 "));
    free(text);
    CHECK_INT(export_as(def_of("xyz"), NULL), SCREE_OK);
    CHECK_INT(export_as(def_of("csv"), NULL), SCREE_OK);
    CHECK_INT(export_as(def_of("vtp"), NULL), SCREE_OK);
}

int main(void)
{
    fixture_folder(FOLDER);
    write_results(full, 11);
    text_format("dump", dump_frame);
    text_format("xyz", xyz_frame);
    text_format("csv", csv_frame);
    vtp();
    choices();
    refusals();
    bare_frames();
    for (int k = 0; k < FRAMES; k++) scr_world_deinit(&worlds[k]);
    fixture_remove_tree(FOLDER);
    return check_done();
}
