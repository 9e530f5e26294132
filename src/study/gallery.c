/* Cases for people to look at: each with its plots over the reference, its numbers and the verdicts. */
#include <string.h>

#include "show/markup.h"
#include "study/reproduce.h"

static void cell(FILE *out, const char *kind, const char *text)
{
    fprintf(out, "<td%s>", kind);
    scr_markup_write(out, text);
    fputs("</td>", out);
}

static void row(FILE *out, const scr_item *item, const scr_verdict *v)
{
    const scr_quantity_def *q = item->def;
    char name[160], wanted[80], measured[32], tolerance[32], source[240];
    snprintf(name, sizeof name, "%s%s%s%s", item->name, q->unit ? " [" : "", q->unit ? q->unit : "",
             q->unit ? "]" : "");
    snprintf(source, sizeof source, "%s%s%s", q->source ? q->source : "",
             q->source && q->figure ? ", " : "", q->figure ? q->figure : "");
    scr_verdict_wanted(q, v, wanted, sizeof wanted);
    scr_verdict_number(v->measured, measured, sizeof measured);
    scr_verdict_number(v->tolerance, tolerance, sizeof tolerance);
    fputs("<tr>", out);
    cell(out, "", name);
    cell(out, " class=\"n\"", wanted);
    cell(out, " class=\"n\"", measured);
    cell(out, " class=\"n\"", tolerance);
    cell(out, v->good ? " class=\"good\"" : " class=\"bad\"", v->good ? "pass" : "fail");
    cell(out, " class=\"soft\"", source);
    fputs("</tr>\n", out);
    const char *more = *v->why ? v->why : q->note;
    if (!more) return;
    fputs("<tr><td></td><td colspan=\"5\" class=\"soft\">", out);
    scr_markup_write(out, more);
    fputs("</td></tr>\n", out);
}

scree_status scr_gallery_case(const scr_case_work *work, scr_page *page, scree_report *report)
{
    const scr_case_def *head = scr_case_head(&work->c);
    const scr_items *all = scr_case_items(&work->c, "quantities");
    scr_page_section(page, work->c.name, head->title);
    fputs("<p class=\"soft\">", page->out);
    scr_markup_write(page->out, head->source);
    fputs("; <code>scree reproduce ", page->out);
    scr_markup_write(page->out, work->c.name);
    fputs("</code></p>\n<div class=\"plots\">\n", page->out);
    scree_status status = scr_case_plots_page(work, page, report);
    fputs("</div>\n<table class=\"grid\"><tr><th>quantity</th><th class=\"n\">reference</th><th "
          "class=\"n\">measured</th>"
          "<th class=\"n\">tolerance</th><th></th><th>source</th></tr>\n",
          page->out);
    int skipped = 0;
    for (int k = 0; k < all->count; k++) {
        scr_verdict v = scr_case_judge(work, all->items[k].def);
        skipped += v.skipped;
        if (!v.skipped) row(page->out, &all->items[k], &v);
    }
    fputs("</table>\n", page->out);
    if (skipped)
        fprintf(page->out, "<p class=\"soft\">%d more in the larger sets (--long, --full).</p>\n",
                skipped);
    return status;
}

// a bar would end a cell of a table
static void plain(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '|') fputc('\\', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
}

void scr_gallery_markdown(const scr_case_work *work, FILE *out)
{
    const scr_case_def *head = scr_case_head(&work->c);
    const scr_items *all = scr_case_items(&work->c, "quantities");
    int counts[3] = {0}; // passed, failed, not in this set
    fprintf(out, "## %s\n\n%s; `scree reproduce %s`\n\n", head->title, head->source, work->c.name);
    fputs("| quantity | reference | measured | tolerance | |\n|---|---|---|---|---|\n", out);
    for (int k = 0; k < all->count; k++) {
        const scr_quantity_def *q = all->items[k].def;
        scr_verdict v = scr_case_judge(work, q);
        counts[v.skipped ? 2 : !v.good]++;
        if (v.skipped) continue;
        char wanted[80], measured[32], tolerance[32];
        scr_verdict_wanted(q, &v, wanted, sizeof wanted);
        scr_verdict_number(v.measured, measured, sizeof measured);
        scr_verdict_number(v.tolerance, tolerance, sizeof tolerance);
        fputs("| ", out);
        plain(out, all->items[k].name);
        if (q->unit) fputs(" [", out), plain(out, q->unit), fputc(']', out);
        fprintf(out, " | %s | %s | %s | %s |\n", wanted, measured, tolerance,
                v.good ? "pass" : "**fail**");
    }
    fprintf(out, "\n%d passed, %d failed", counts[0], counts[1]);
    if (counts[2]) fprintf(out, ", %d more in the larger sets", counts[2]);
    fputs(".\n\n", out);
}
