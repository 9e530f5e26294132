#include "show/render_path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"

#define LARGEST 1000000 /* bytes of a file of keys */

void scr_camera_path_deinit(scr_camera_path *p)
{
    free(p->keys);
    *p = (scr_camera_path){0};
}

// numbers of a line up to a comment; how many, -1 when something else is there
static int line_read(const char *line, double key[SCR_KEY_SIZE])
{
    int count = 0;
    for (;;) {
        line += strspn(line, " \t\r");
        if (!*line || *line == '#') return count;
        char *end;
        double x = strtod(line, &end);
        if (end == line || !isfinite(x) || count == SCR_KEY_SIZE || !strchr(" \t\r#", *end)) return -1;
        key[count++] = x, line = end;
    }
}

static void line_add(scr_camera_path *p, const char *line, scree_place at, scree_report *report)
{
    double *key = p->keys[p->count], *last = p->count ? p->keys[p->count - 1] : NULL;
    int count = line_read(line, key);
    if (count == 0) return;
    if (count != SCR_KEY_X && count != SCR_KEY_SIZE) {
        scr_fail(report, SCREE_E_INPUT, at,
                 "a key is: time azimuth elevation zoom, or these and x y z; received '%.60s'", line);
        return;
    }
    bool aimed = count == SCR_KEY_SIZE;
    if (last && aimed != p->aimed)
        scr_fail(report, SCREE_E_INPUT, at, "the point x y z must be in all keys or in none; the previous keys have %s",
                 p->aimed ? "it" : "none");
    if (last && key[0] <= last[0])
        scr_fail(report, SCREE_E_INPUT, at, "time is %g, must be later than that of the previous key, %g", key[0],
                 last[0]);
    if (fabs(key[SCR_KEY_ELEVATION]) > 90)
        scr_fail(report, SCREE_E_INPUT, at, "elevation is %g, must lie in [-90, 90]", key[SCR_KEY_ELEVATION]);
    if (!(key[SCR_KEY_ZOOM] >= 1e-3 && key[SCR_KEY_ZOOM] <= 1e6))
        scr_fail(report, SCREE_E_INPUT, at, "zoom is %g, must lie in [0.001, 1e6]", key[SCR_KEY_ZOOM]);
    p->aimed = aimed;
    p->count++;
}

scree_status scr_camera_path_read(const char *file, scr_camera_path *p, scree_report *report)
{
    *p = (scr_camera_path){0};
    char *text = scr_file_read(file, LARGEST, NULL, report);
    if (!text) return SCREE_E_INPUT;
    int before = report->errors, lines = 1;
    for (const char *c = text; *c; c++) lines += *c == '\n';
    p->keys = calloc((size_t)lines + 1, sizeof *p->keys);
    if (!p->keys) {
        free(text);
        return scr_no_memory_in(report, file, "keys");
    }
    char *line = text;
    for (int n = 1; line; n++) {
        char *end = strchr(line, '\n');
        if (end) *end = 0;
        line_add(p, line, (scree_place){.file = file, .line = n}, report);
        line = end ? end + 1 : NULL;
    }
    free(text);
    if (report->errors == before && p->count == 0)
        scr_fail(report, SCREE_E_INPUT, (scree_place){.file = file},
                 "has no keys; a key is a line: time azimuth elevation zoom [x y z]");
    return report->errors > before ? SCREE_E_INPUT : SCREE_OK;
}

// slope of a number at a key, from its neighbours
static double slope(const scr_camera_path *p, int k, int number)
{
    int a = k > 0 ? k - 1 : k, b = k + 1 < p->count ? k + 1 : k;
    double time = p->keys[b][0] - p->keys[a][0];
    // the camera comes to rest at both ends
    if (k == 0 || k == p->count - 1) return 0;
    return (p->keys[b][number] - p->keys[a][number]) / time;
}

void scr_camera_path_at(const scr_camera_path *p, double time, double key[SCR_KEY_SIZE])
{
    int k = 0;
    while (k + 1 < p->count && p->keys[k + 1][0] <= time) k++;
    memcpy(key, p->keys[k], SCR_KEY_SIZE * sizeof *key);
    key[0] = time;
    if (time <= p->keys[0][0] || k + 1 == p->count) return;
    double length = p->keys[k + 1][0] - p->keys[k][0], s = (time - p->keys[k][0]) / length;
    for (int n = 1; n < SCR_KEY_SIZE; n++) {
        double a = p->keys[k][n], b = p->keys[k + 1][n];
        double u = length * slope(p, k, n), v = length * slope(p, k + 1, n);
        key[n] = a + s * (u + s * (3 * (b - a) - 2 * u - v + s * (2 * (a - b) + u + v)));
    }
    key[SCR_KEY_ELEVATION] = fmin(90, fmax(-90, key[SCR_KEY_ELEVATION]));
    key[SCR_KEY_ZOOM] = fmax(1e-3, key[SCR_KEY_ZOOM]);
}
