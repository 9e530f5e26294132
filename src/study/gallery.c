/* Cases for people to look at: each with its plots over the reference, its numbers and the verdicts. */
#include <stdlib.h>
#include <string.h>

#include "show/markup.h"
#include "study/verdict.h"

static void cell(FILE *out, const char *kind, const char *text)
{
    fprintf(out, "<td%s>", kind);
    scr_markup_write(out, text);
    fputs("</td>", out);
}

static void row_below(FILE *out, const char *head, const char *text)
{
    fputs("<tr><td></td><td colspan=\"6\" class=\"soft\">", out);
    fputs(head, out);
    scr_markup_write(out, text);
    fputs("</td></tr>\n", out);
}

static void row(FILE *out, const scr_item *item, const scr_verdict *v)
{
    static const char *const classes[] = {" class=\"bad\"", " class=\"good\"", " class=\"warn\""};
    static const char *const words[] = {"fail", "pass", "differs"};
    const scr_quantity_def *q = item->def;
    scr_verdict_text t = scr_verdict_words(item, v);
    fputs("<tr>", out);
    cell(out, "", t.name);
    cell(out, " class=\"soft\"", scr_set_name(v->set));
    cell(out, " class=\"n\"", t.wanted);
    cell(out, " class=\"n\"", t.measured);
    cell(out, " class=\"n\"", t.tolerance);
    cell(out, classes[v->outcome], words[v->outcome]);
    cell(out, " class=\"soft\"", t.source);
    fputs("</tr>\n", out);
    if (*v->why) row_below(out, "", v->why);
    if (*t.reason) row_below(out, "as declared: ", t.reason);
    if (q->note) row_below(out, "", q->note);
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
    fputs("</div>\n<table class=\"grid\"><tr><th>quantity</th><th>set</th><th "
          "class=\"n\">reference</th><th "
          "class=\"n\">measured</th>"
          "<th class=\"n\">tolerance</th><th></th><th>source</th></tr>\n",
          page->out);
    scr_score score = {0};
    for (int k = 0; k < all->count; k++) {
        scr_verdict v = scr_case_judge(work, all->items[k].def);
        scr_score_add(&score, &v);
        if (!v.skipped) row(page->out, &all->items[k], &v);
    }
    fputs("</table>\n", page->out);
    if (score.skipped)
        fprintf(page->out, "<p class=\"soft\">%d more in the larger sets (--long, --full).</p>\n", score.skipped);
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

static void heading(FILE *out, const scr_case_work *work)
{
    const scr_case_def *head = scr_case_head(&work->c);
    fprintf(out, "## %s\n\n%s; `scree reproduce %s`", head->title, head->source, work->c.name);
    for (int set = SCR_QUICK; set <= SCR_FULL; set++) {
        char date[16];
        scr_case_work_date(work, (scr_case_set)set, date, sizeof date);
        if (*date) fprintf(out, "; %s: run on %s", scr_set_name((scr_case_set)set), date);
    }
    fputs("\n\n| quantity | set | reference | measured | tolerance | | source |\n"
          "|---|---|---|---|---|---|---|\n",
          out);
}

static void markdown_row(FILE *out, const scr_item *item, const scr_verdict *v, int mark)
{
    static const char *const words[] = {"**fail**", "pass", "*differs*"};
    scr_verdict_text t = scr_verdict_words(item, v);
    fputs("| ", out);
    plain(out, t.name);
    fprintf(out, " | %s | %s | %s | %s | %s", scr_set_name(v->set), t.wanted, t.measured, t.tolerance,
            words[v->outcome]);
    if (mark) fprintf(out, " (%d)", mark);
    fputs(" | ", out);
    plain(out, t.source);
    fputs(" |\n", out);
}

// what is declared stands below the table, by number
static void reasons(FILE *out, const scr_case_work *work)
{
    const scr_items *all = scr_case_items(&work->c, "quantities");
    for (int k = 0, mark = 0; k < all->count; k++) {
        scr_verdict v = scr_case_judge(work, all->items[k].def);
        if (v.skipped || v.outcome != SCR_DIFFERS) continue;
        if (!mark++) fputc('\n', out);
        scr_verdict_text t = scr_verdict_words(&all->items[k], &v);
        fprintf(out, "%d. ", mark);
        plain(out, t.reason);
        fputc('\n', out);
    }
}

static const char *figure_of(const scr_items *all, int k)
{
    const scr_quantity_def *q = all->items[k].def;
    return q->figure;
}

// whether a quantity before this one belongs to the same figure
static bool seen_before(const scr_items *all, int k)
{
    for (int j = 0; j < k; j++)
        if (figure_of(all, j) && !strcmp(figure_of(all, j), figure_of(all, k))) return true;
    return false;
}

// the figures and tables of the source, each with how many of its quantities meet their reference
static void figures(FILE *out, const scr_case_work *work)
{
    const scr_items *all = scr_case_items(&work->c, "quantities");
    int told = 0;
    for (int k = 0; k < all->count; k++) {
        const char *figure = figure_of(all, k);
        if (!figure || seen_before(all, k)) continue;
        scr_score score = {0};
        for (int j = k; j < all->count; j++) {
            if (!figure_of(all, j) || strcmp(figure_of(all, j), figure)) continue;
            scr_verdict v = scr_case_judge(work, all->items[j].def);
            scr_score_add(&score, &v);
        }
        int judged = score.of[SCR_PASSED] + score.of[SCR_FAILED] + score.of[SCR_DIFFERS];
        if (!judged) continue;
        fputs(told++ ? ", " : "\n", out);
        plain(out, figure);
        fprintf(out, ": %d of %d", score.of[SCR_PASSED], judged);
    }
    if (told) fputs(".\n", out);
}

static scr_score one_case(const scr_case_work *work, FILE *out)
{
    const scr_items *all = scr_case_items(&work->c, "quantities");
    scr_score score = {0};
    heading(out, work);
    for (int k = 0; k < all->count; k++) {
        scr_verdict v = scr_case_judge(work, all->items[k].def);
        scr_score_add(&score, &v);
        bool marked = !v.skipped && v.outcome == SCR_DIFFERS;
        if (!v.skipped) markdown_row(out, &all->items[k], &v, marked ? score.of[SCR_DIFFERS] : 0);
    }
    reasons(out, work);
    figures(out, work);
    fprintf(out, "\n%d passed, %d failed, %d differ as declared", score.of[SCR_PASSED], score.of[SCR_FAILED],
            score.of[SCR_DIFFERS]);
    if (score.skipped) fprintf(out, ", %d more in the larger sets", score.skipped);
    fputs(".\n\n", out);
    return score;
}

void scr_gallery_markdown(const scr_case_work *works, int count, FILE *out)
{
    char *text = NULL;
    size_t size = 0;
    FILE *cases = open_memstream(&text, &size);
    if (!cases) return;
    fputs("| case | passed | failed | differ as declared |\n|---|---|---|---|\n", out);
    for (int k = 0; k < count; k++) {
        scr_score score = one_case(&works[k], cases);
        fprintf(out, "| %s | %d | %d | %d |\n", works[k].c.name, score.of[SCR_PASSED], score.of[SCR_FAILED],
                score.of[SCR_DIFFERS]);
    }
    if (!fclose(cases)) fprintf(out, "\n%s", text);
    free(text);
}
