/* The text formats: LAMMPS dump, extended XYZ, CSV. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "show/export_frame.h"

static void put_value(FILE *out, const scr_export_view *v, size_t body, int component)
{
    double value = v->data[body * (size_t)v->width + (size_t)component];
    if (v->integer)
        fprintf(out, "%" PRId64, scr_export_integer(value));
    else
        scr_number_write(out, value);
}

static void put_values(FILE *out, const scr_export_view *v, size_t body, const char *before)
{
    for (int c = 0; c < v->width; c++) {
        fputs(before, out);
        put_value(out, v, body, c);
    }
}

static int material_of(const scr_export_frame *f, const scr_export_view *material, size_t body)
{
    int64_t m = material ? scr_export_integer(material->data[body * (size_t)material->width]) : 0;
    return m >= 0 && m < f->material_count ? (int)m : 0;
}

/* ---- LAMMPS dump ---- */

// views as LAMMPS calls their components; id, type and position stand before them
static const struct {
    const char *view, *columns;
    int width;
} dump_columns[] = {
    {"velocity", " vx vy vz", 3}, {"force", " fx fy fz", 3}, {"spin", " omegax omegay omegaz", 3},
    {"radius", " radius", 1},     {"mass", " mass", 1},      {"torque", " tqx tqy tqz", 3},
    {"image", " ix iy iz", 3},    {"group", " group", 1},
};
#define DUMP_COLUMNS ((int)(sizeof dump_columns / sizeof *dump_columns))

static bool is_dump(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "ITEM: UNITS\nsi\nITEM: TIME\n") &&
           scr_bytes_hold(head, size, "\nITEM: ATOMS id type x y z");
}

const scr_output_kind scr_dump_kind = {.what = "an exported dump", .is = is_dump};

// a box whose images are shifted: bounds of all of its corners, and the offset of each axis
static void dump_leaning(FILE *out, const scr_domain *d)
{
    double xy = d->box.tilt[0], xz = d->box.tilt[1], yz = d->box.tilt[2];
    double low = fmin(fmin(0, xy), fmin(xz, xy + xz)), high = fmax(fmax(0, xy), fmax(xz, xy + xz));
    fprintf(out, "\n%.17g %.17g %.17g\n%.17g %.17g %.17g\n%.17g %.17g %.17g\n", d->lower.x + low, d->upper.x + high, xy,
            d->lower.y + fmin(0, yz), d->upper.y + fmax(0, yz), xz, d->lower.z, d->upper.z, yz);
}

static void dump_head(FILE *out, const scr_export_frame *f, bool first)
{
    const scr_domain *d = &f->domain;
    if (first) fprintf(out, "ITEM: UNITS\nsi\n");
    char time[SCR_NUMBER_TEXT];
    fprintf(out, "ITEM: TIME\n%s\nITEM: TIMESTEP\n%" PRId64 "\nITEM: NUMBER OF ATOMS\n%zu\n",
            scr_number_text(time, f->time), f->step, f->bodies);
    const double *tilt = d->box.tilt;
    bool leans = d->box.deforms && (tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0);
    fprintf(out, "ITEM: BOX BOUNDS%s", leans ? " xy xz yz" : "");
    for (int a = 0; a < 3; a++) fputs(d->periodic[a] ? " pp" : " ff", out);
    if (leans) {
        dump_leaning(out, d);
        return;
    }
    fprintf(out, "\n%.17g %.17g\n%.17g %.17g\n%.17g %.17g\n", d->lower.x, d->upper.x, d->lower.y, d->upper.y,
            d->lower.z, d->upper.z);
}

void scr_export_dump(FILE *out, const scr_export_frame *f, bool first)
{
    const scr_export_view *id = scr_export_frame_view(f, "id");
    const scr_export_view *material = scr_export_frame_view(f, "material");
    const scr_export_view *position = scr_export_frame_view(f, "position");
    const scr_export_view *views[DUMP_COLUMNS];
    dump_head(out, f, first);
    fprintf(out, "ITEM: ATOMS id type x y z");
    for (int k = 0; k < DUMP_COLUMNS; k++) {
        views[k] = scr_export_frame_view(f, dump_columns[k].view);
        if (views[k] && views[k]->width != dump_columns[k].width) views[k] = NULL;
        if (views[k]) fputs(dump_columns[k].columns, out);
    }
    fputc('\n', out);
    for (size_t b = 0; b < f->bodies; b++) {
        fprintf(out, "%" PRId64 " %d", id ? scr_export_integer(id->data[b]) : (int64_t)b + 1,
                1 + material_of(f, material, b));
        put_values(out, position, b, " ");
        for (int k = 0; k < DUMP_COLUMNS; k++)
            if (views[k]) put_values(out, views[k], b, " ");
        fputc('\n', out);
    }
}

/* ---- extended XYZ ---- */

static const struct {
    const char *view, *property;
} xyz_properties[] = {
    {"id", "id"},         {"radius", "Radius"}, {"velocity", "velo"}, {"force", "force"}, {"mass", "mass"},
    {"torque", "torque"}, {"spin", "omega"},    {"image", "image"},   {"group", "group"},
};
#define XYZ_PROPERTIES ((int)(sizeof xyz_properties / sizeof *xyz_properties))

// a number of grains, then a comment line that ends with our name
static bool is_xyz(const char *head, size_t size)
{
    return isdigit((unsigned char)*head) && scr_bytes_hold(head, size, " Program=Scree\n");
}

const scr_output_kind scr_xyz_kind = {.what = "an exported XYZ file", .is = is_xyz};

// names become words: columns are separated by spaces
static void put_word(FILE *out, const char *name)
{
    if (!*name) fputc('_', out);
    for (; *name; name++) fputc((unsigned char)*name <= ' ' || *name == 127 ? '_' : *name, out);
}

static void xyz_head(FILE *out, const scr_export_frame *f, const scr_export_view **views)
{
    const scr_domain *d = &f->domain;
    const double *tilt = d->box.tilt; // 0 but where images are shifted
    fprintf(out, "%zu\nLattice=\"%.17g 0 0 %.17g %.17g 0 %.17g %.17g %.17g\" Origin=\"%.17g %.17g %.17g\" pbc=\"",
            f->bodies, d->upper.x - d->lower.x, tilt[0], d->upper.y - d->lower.y, tilt[1], tilt[2],
            d->upper.z - d->lower.z, d->lower.x, d->lower.y, d->lower.z);
    for (int a = 0; a < 3; a++) fprintf(out, "%s%c", a ? " " : "", d->periodic[a] ? 'T' : 'F');
    fprintf(out, "\" Properties=species:S:1:pos:R:3");
    for (int k = 0; k < XYZ_PROPERTIES; k++)
        if (views[k])
            fprintf(out, ":%s:%c:%d", xyz_properties[k].property, views[k]->integer ? 'I' : 'R', views[k]->width);
    char time[SCR_NUMBER_TEXT];
    fprintf(out, " Time=%s Timestep=%" PRId64 " Program=Scree\n", scr_number_text(time, f->time), f->step);
}

void scr_export_xyz(FILE *out, const scr_export_frame *f, bool first)
{
    (void)first;
    const scr_export_view *material = scr_export_frame_view(f, "material");
    const scr_export_view *position = scr_export_frame_view(f, "position");
    const scr_export_view *views[XYZ_PROPERTIES];
    for (int k = 0; k < XYZ_PROPERTIES; k++) views[k] = scr_export_frame_view(f, xyz_properties[k].view);
    xyz_head(out, f, views);
    for (size_t b = 0; b < f->bodies; b++) {
        put_word(out, f->material_count > 0 ? f->materials[material_of(f, material, b)].name : "X");
        put_values(out, position, b, " ");
        for (int k = 0; k < XYZ_PROPERTIES; k++)
            if (views[k]) put_values(out, views[k], b, " ");
        fputc('\n', out);
    }
}

/* ---- CSV ---- */

static bool is_contacts(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "frame,step,time [s],first,");
}

static bool is_csv(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, "frame,step,time [s],") && !is_contacts(head, size);
}

const scr_output_kind scr_contacts_kind = {.what = "an exported table of contacts (CSV)", .is = is_contacts};
const scr_output_kind scr_csv_kind = {.what = "an exported table of grains (CSV)", .is = is_csv};

static void csv_head(FILE *out, const scr_export_frame *f)
{
    fprintf(out, "frame,step,time [s]");
    for (int k = 0; k < f->view_count; k++) {
        const scr_export_view *v = &f->views[k];
        for (int c = 0; c < v->width; c++) {
            fprintf(out, ",%s", v->name);
            if (v->width == 3) fprintf(out, "_%c", "xyz"[c]);
            if (v->width > 1 && v->width != 3) fprintf(out, "_%d", c);
            if (*v->unit) fprintf(out, " [%s]", v->unit);
        }
    }
    fputc('\n', out);
}

void scr_export_csv(FILE *out, const scr_export_frame *f, bool first)
{
    if (first) csv_head(out, f);
    char time[SCR_NUMBER_TEXT];
    scr_number_text(time, f->time);
    for (size_t b = 0; b < f->bodies; b++) {
        fprintf(out, "%d,%" PRId64 ",%s", f->number, f->step, time);
        for (int k = 0; k < f->view_count; k++) put_values(out, &f->views[k], b, ",");
        fputc('\n', out);
    }
}
