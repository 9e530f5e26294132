#include "app.h"

static int export(int argc, char **argv)
{
    scree_export_def def = scree_export_def_default();
    const char *first = NULL, *last = NULL, *every = NULL;
    const app_option options[] = {
        {"to", &def.format, NULL, NULL, NULL},     {"output", &def.output, NULL, NULL, NULL},
        {"force", NULL, &def.force, NULL, NULL},   {"first", &first, NULL, NULL, NULL},
        {"last", &last, NULL, NULL, NULL},         {"every", &every, NULL, NULL, NULL},
        {"series", &def.series, NULL, NULL, NULL}, {"contacts", NULL, &def.contacts, NULL, NULL},
        {"rigid", NULL, &def.rigid, NULL, NULL},   {0},
    };
    if (!app_options(&app_export, &argc, argv, options)) return 2;
    if (argc != 2) return app_usage(&app_export);
    if (first && !app_int("first", first, -(1 << 30), 1 << 30, &def.first)) return 2;
    if (last && !app_int("last", last, -(1 << 30), 1 << 30, &def.last)) return 2;
    if (every && !app_int("every", every, 1, 1 << 30, &def.every)) return 2;
    def.results = argv[1];
    def.list = stdout;
    scree_report report;
    scree_report_init(&report);
    return app_end(scree_results_export(&def, &report), &report);
}

const app_command app_export = {
    .name = "export",
    .usage = "RESULTS [--to vtp|vtu|vtkhdf|hdf|xdmf|dump|xyz|csv] [options] | "
             "RESULTS --series NAME [--to csv|vti] [options]",
    .doc = "export frames to ParaView (vtp, vtu, vtkhdf, hdf, xdmf), OVITO (dump, xyz) or CSV",
    .help = "  --to FORMAT        vtp: .vtp files and a .pvd; dump: LAMMPS dump; xyz: extended "
            "XYZ; csv\n"
            "                     vtu: elastic solids as polyhedra, with the grains as vtp beside "
            "them\n"
            "                     vtkhdf: all frames in one file, for ParaView 5.12 and later; hdf: a file for "
            "each frame, for 5.11\n"
            "                     xdmf: a small file with which ParaView opens the results themselves\n"
            "                     (default: vtu where there are elastic solids, else vtp)\n"
            "  --rigid            vtu: every cell with its own corners, as a rigid body; otherwise "
            "corners are\n"
            "                     merged where cells are connected\n"
            "  --contacts         the contacts in the frames, as lines (vtp) or CSV\n"
            "  --series NAME      the time series of an observer, as CSV; one on a grid (fields, grid,\n"
            "                     profile) with --to vti for ParaView\n"
            "  --output PATH      file, or prefix of the files (default: the results' name)\n"
            "  --force            overwrite existing files (" APP_FORCE ")\n"
            "  --first N          first frame, counted from 0; -1: the last\n"
            "  --last N           last frame; -1: the last\n"
            "  --every N          every N-th frame\n",
    .main = export,
};
