/* PNG through libpng: 8-bit sRGB, no date inside, so that equal pictures are equal files. */
#include "show/picture_png.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/os.h"

typedef struct {
    char text[160];
} complaint;

static void on_error(png_structp png, png_const_charp text)
{
    complaint *c = png_get_error_ptr(png);
    snprintf(c->text, sizeof c->text, "%s", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

// libpng leaves by longjmp on any failure: nothing that must be freed is created below the setjmp
static bool encode(png_structp png, png_infop info, const scr_canvas *canvas, FILE *out)
{
    if (setjmp(png_jmpbuf(png))) return false;
    png_init_io(png, out);
    png_set_IHDR(png, info, (png_uint_32)canvas->width, (png_uint_32)canvas->height, 8,
                 PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_text note = {.compression = PNG_TEXT_COMPRESSION_NONE};
    char key[] = "Software", value[] = "Scree";
    note.key = key, note.text = value;
    png_set_text(png, info, &note, 1);
    // one good filter and a middle level: half the time of the defaults at about the same size
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    png_set_compression_level(png, 5);
    png_write_info(png, info);
    for (int y = 0; y < canvas->height; y++)
        png_write_row(png, canvas->rgb + 3 * (size_t)y * (size_t)canvas->width);
    png_write_end(png, NULL);
    return true;
}

static bool write_stream(const scr_canvas *canvas, FILE *out, complaint *why)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, why, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool ok = info && encode(png, info, canvas, out);
    png_destroy_write_struct(&png, &info);
    return ok;
}

scree_status scr_png_write(const scr_canvas *canvas, const char *path, scree_report *report)
{
    scree_place at = {.file = path};
    size_t room = strlen(path) + 8;
    char *temporary = malloc(room);
    if (!temporary) return scr_fail(report, SCREE_E_MEMORY, at, "no memory for the file name");
    snprintf(temporary, room, "%s.part", path);
    FILE *out = fopen(temporary, "wb");
    if (!out) {
        scree_status status =
            scr_fail(report, SCREE_E_IO, at, "cannot be written: %s", strerror(errno));
        free(temporary);
        return status;
    }
    complaint why = {"no memory"};
    errno = 0;
    bool ok = write_stream(canvas, out, &why);
    int number = errno;
    if (fclose(out) && ok) ok = false, number = errno;
    scree_status status = SCREE_OK;
    if (ok)
        status = scr_file_replace(temporary, path, report);
    else
        status = scr_fail(report, SCREE_E_IO, at, "cannot be written: %s",
                          number ? strerror(number) : why.text);
    if (status) unlink(temporary);
    free(temporary);
    return status;
}
