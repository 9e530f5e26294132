/* One self-contained HTML page: style and pictures inside, nothing from elsewhere, readable without a network, in
 * print, and in the dark. */
#ifndef SCREE_SHOW_PAGE_H
#define SCREE_SHOW_PAGE_H

#include <stdio.h>

#include "base/output.h"
#include "show/plot.h"

typedef struct {
    FILE *out; /* for what has no call of its own; NULL: there was no memory */
    char *text;
    size_t size;
} scr_page;

extern const scr_output_kind scr_page_kind;

bool scr_page_begin(scr_page *page, const char *title);
/* A section; `name` is its anchor. */
void scr_page_section(scr_page *page, const char *name, const char *title);
/* A row of a table of facts, which scr_page_facts begins and scr_page_facts_end ends. */
void scr_page_facts(scr_page *page);
void scr_page_fact(scr_page *page, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void scr_page_facts_end(scr_page *page);
void scr_page_pre(scr_page *page, const char *text);
/* A plot as SVG; a PNG file, read from disk. */
scree_status scr_page_plot(scr_page *page, const scr_plot *plot, scree_report *report);
scree_status scr_page_picture(scr_page *page, const char *path, const char *caption, scree_report *report);
/* Ends the page and writes it as base/output.h says (path NULL: nothing is written). */
scree_status scr_page_finish(scr_page *page, const char *path, bool force, scree_report *report);

#endif
