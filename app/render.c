#include "app.h"

#include <math.h>
#include <string.h>

// where the camera stands, by a word; --azimuth and --elevation change it
static bool take_view(const char *word, scree_picture_def *def)
{
    static const struct {
        const char *word;
        double azimuth, elevation; // [deg]
    } views[] = {{"front", -90, 0}, {"side", 0, 0}, {"top", -90, 90}, {"iso", -45, 35.264389682754654}};
    const char *words[5] = {NULL};
    for (size_t k = 0; k < 4; k++) {
        words[k] = views[k].word;
        if (strcmp(word, views[k].word)) continue;
        def->azimuth = views[k].azimuth, def->elevation = views[k].elevation;
        return true;
    }
    const char *meant = scree_nearest(word, words);
    fprintf(stderr, "scree: --view is '%s', must be front, side, top or iso%s%s%s\n", word,
            meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
    return false;
}

static int render(int argc, char **argv)
{
    scree_picture_def def = scree_picture_def_default();
    const char *frame = NULL, *first = NULL, *last = NULL, *every = NULL, *width = NULL, *height = NULL;
    const char *view = NULL, *azimuth = NULL, *elevation = NULL, *zoom = NULL, *low = NULL, *high = NULL, *warp = NULL,
               *rays = NULL, *fps = NULL, *duration = NULL, *orbit = NULL, *grains = NULL;
    int signal = 0;
    bool all = false, bare = false;
    const app_option options[] = {
        {"output", &def.output, NULL, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},
        {"frame", &frame, NULL, NULL, NULL},
        {"all", NULL, &all, NULL, NULL},
        {"first", &first, NULL, NULL, NULL},
        {"last", &last, NULL, NULL, NULL},
        {"every", &every, NULL, NULL, NULL},
        {"width", &width, NULL, NULL, NULL},
        {"height", &height, NULL, NULL, NULL},
        {"colour", &def.colour, NULL, NULL, NULL},
        {"color", &def.colour, NULL, NULL, NULL},
        {"map", &def.map, NULL, NULL, NULL},
        {"low", &low, NULL, NULL, NULL},
        {"high", &high, NULL, NULL, NULL},
        {"view", &view, NULL, NULL, NULL},
        {"azimuth", &azimuth, NULL, NULL, NULL},
        {"elevation", &elevation, NULL, NULL, NULL},
        {"zoom", &zoom, NULL, NULL, NULL},
        {"warp", &warp, NULL, NULL, NULL},
        {"rigid", NULL, &def.rigid, NULL, NULL},
        {"bare", NULL, &bare, NULL, NULL},
        {"grains", &grains, NULL, NULL, NULL},
        {"forces", NULL, &def.forces, NULL, NULL},
        {"bonds", NULL, &def.bonds, NULL, NULL},
        {"clip", &def.clip, NULL, NULL, NULL},
        {"rays", &rays, NULL, NULL, NULL},
        {"movie", &def.movie, NULL, NULL, NULL},
        {"fps", &fps, NULL, NULL, NULL},
        {"duration", &duration, NULL, NULL, NULL},
        {"orbit", &orbit, NULL, NULL, NULL},
        {"path", &def.path, NULL, NULL, NULL},
        {0},
    };
    if (!app_options(&app_render, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_render);
    if (all || def.movie) def.first = 0, def.last = -1;
    if (frame && !app_int("frame", frame, -1, 1 << 30, &def.first)) return 2;
    if (frame) def.last = def.first;
    const int many = 1 << 30;
    if (first && !app_int("first", first, -many, many, &def.first)) return 2;
    if (last && !app_int("last", last, -many, many, &def.last)) return 2;
    if (every && !app_int("every", every, 1, many, &def.every)) return 2;
    if (width && !app_int("width", width, 16, 16384, &def.width)) return 2;
    if (height && !app_int("height", height, 16, 16384, &def.height)) return 2;
    if (view && !take_view(view, &def)) return 2;
    if (azimuth && !app_real("azimuth", azimuth, &def.azimuth)) return 2;
    if (elevation && !app_real("elevation", elevation, &def.elevation)) return 2;
    if (zoom && !app_real("zoom", zoom, &def.zoom)) return 2;
    if (low && !app_real("low", low, &def.low)) return 2;
    if (high && !app_real("high", high, &def.high)) return 2;
    if (warp && !strcmp(warp, "auto"))
        def.warp = NAN;
    else if (warp && !app_real("warp", warp, &def.warp))
        return 2;
    if (rays && !app_int("rays", rays, 1, 8, &def.rays)) return 2;
    if (grains && !app_real("grains", grains, &def.grains)) return 2;
    if (fps && !app_real("fps", fps, &def.fps)) return 2;
    if (duration && !app_real("duration", duration, &def.duration)) return 2;
    if (orbit && !app_real("orbit", orbit, &def.orbit)) return 2;
    if (bare) def.title = def.legend = false;
    def.results = argv[1];
    def.list = stdout, def.signal = &signal;
    scree_report report;
    scree_report_init(&report);
    int code = app_end(scree_results_render(&def, &report), &report);
    return signal ? 128 + signal : code;
}

const app_command app_render = {
    .name = "render",
    .usage = "RESULTS [options]",
    .doc = "render a frame as a PNG image, or a movie",
    .help = "  --output FILE      PNG file (default: the results' name with .png)\n"
            "  --force            overwrite an existing file (" APP_FORCE ")\n"
            "  --frame N          one frame, counted from 0; -1: the last (default)\n"
            "  --all              all frames: FILE-0000.png, FILE-0001.png, ...\n"
            "  --first, --last, --every N   a choice of frames\n"
            "  --colour VIEW      colour by speed (default), velocity.z, radius, height, "
            "displacement,\n"
            "                     kinetic_energy (needs mass), coordination and pressure (need "
            "contacts),\n"
            "                     fragment (needs bonds), ...\n"
            "                     of elastic solids also displacement, stress (von Mises), pressure,\n"
            "                     stress.xx, energy, damage, fragment, ...\n"
            "                     material, group, aggregate and fragment get one colour each\n"
            "  --warp X           magnify displacements of elastic solids X times; auto: chosen so "
            "that they are visible\n"
            "  --rigid            draw cells as rigid bodies, with the gaps between them\n"
            "  --forces           draw contact forces as rods, with thickness proportional to force, "
            "coloured by force without\n"
            "                     --colour (needs output.contacts: yes)\n"
            "  --bonds            draw bonds as rods between grains\n"
            "  --grains X         scale grains by X; 0: none (default 1, with --forces 0, --bonds "
            "0.6)\n"
            "  --clip x=0.1       clip everything on the camera's side of this plane; +x=0.1: above "
            "it, -x=0.1: below\n"
            "  --map NAME         colour map: viridis, magma, coolwarm, turbo\n"
            "  --low, --high X    ends of the colour scale\n"
            "  --view NAME        front (from -y), side (from +x), top, or iso (all axes alike)\n"
            "  --azimuth, --elevation DEG, --zoom X   camera position\n"
            "  --width, --height N  size in pixels\n"
            "  --rays N           rays per pixel and side, 1 to 8 (default 3, in a movie 2)\n"
            "  --bare             no title, no legend\n"
            "movies:\n"
            "  --movie FILE       .mp4, .mov or .mkv of all frames, or of --first, --last, --every; "
            "without ffmpeg\n"
            "                     writes numbered images, and the command that makes a movie of them\n"
            "  --fps X            images per second (default 25)\n"
            "  --duration X       length of the movie in seconds; simulated time runs at a constant "
            "rate\n"
            "  --orbit DEG        rotate the camera by this angle during the movie\n"
            "  --path FILE        camera path: lines of time azimuth elevation zoom [x y z]\n",
    .main = render,
};
