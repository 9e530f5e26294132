/* The files that viewer/build leaves in SCREE_BUNDLE, taken in by the assembler. */
#include "view/bundle.h"

#define FILE_IN(name, file)                           \
    __asm__(".section .rodata\n"                      \
            ".global scr_bundle_" name "\n"           \
            ".hidden scr_bundle_" name "\n"           \
            "scr_bundle_" name ":\n"                  \
            ".incbin \"" SCREE_BUNDLE "/" file "\"\n" \
            ".global scr_bundle_" name "_end\n"       \
            ".hidden scr_bundle_" name "_end\n"       \
            "scr_bundle_" name "_end:\n"              \
            ".byte 0\n"                               \
            ".previous\n")

FILE_IN("html", "index.html");
FILE_IN("js", "app.js");
FILE_IN("css", "app.css");

extern const unsigned char scr_bundle_html[], scr_bundle_html_end[], scr_bundle_js[], scr_bundle_js_end[],
    scr_bundle_css[], scr_bundle_css_end[];

const scr_bundle_file scr_bundle[] = {
    {"/", "text/html; charset=utf-8", scr_bundle_html, scr_bundle_html_end},
    {"/app.js", "text/javascript; charset=utf-8", scr_bundle_js, scr_bundle_js_end},
    {"/app.css", "text/css; charset=utf-8", scr_bundle_css, scr_bundle_css_end},
    {0},
};
