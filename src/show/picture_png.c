/* PNG through libpng: 8-bit sRGB, no date inside, so that equal pictures are equal files. */
#include "show/picture_png.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

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
    png_set_IHDR(png, info, (png_uint_32)canvas->width, (png_uint_32)canvas->height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_text note = {.compression = PNG_TEXT_COMPRESSION_NONE};
    char key[] = "Software", value[] = "Scree";
    note.key = key, note.text = value;
    png_set_text(png, info, &note, 1);
    // one good filter and a middle level: half the time of the defaults at about the same size
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
    png_set_compression_level(png, 5);
    png_write_info(png, info);
    for (int y = 0; y < canvas->height; y++) png_write_row(png, canvas->rgb + 3 * (size_t)y * (size_t)canvas->width);
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

static bool is_png(const char *head, size_t size)
{
    static const char mark[] = "tEXtSoftware\0Scree";
    return scr_bytes_begin(head, size, "\x89PNG\r\n\x1a\n") && memmem(head, size, mark, sizeof mark - 1);
}

const scr_output_kind scr_png_kind = {.what = "an image by Scree (PNG)", .is = is_png};

scree_status scr_png_write(const scr_canvas *canvas, const char *path, bool force, scree_report *report)
{
    scr_output file;
    scree_status status = scr_output_open(&file, path, &scr_png_kind, force, report);
    if (status) return status;
    complaint why = {"no memory"};
    errno = 0;
    if (!write_stream(canvas, file.out, &why))
        status = scr_fail(report, SCREE_E_IO, (scree_place){.file = path}, "cannot be written: %s",
                          errno ? strerror(errno) : why.text);
    return scr_output_close(&file, status, report);
}
