#include "show/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/os.h"
#include "show/markup.h"

#define PICTURE_LIMIT ((size_t)1 << 28) /* bytes of a PNG */

static const char style[] =
    ":root{--ink:#222426;--soft:#6a6e72;--line:#dfe2e5;--paper:#fff;--shade:#f5f6f7;--accent:#"
    "2a6fb4;--bad:#c83e3a;--warn:#9a6700;"
    "--good:#2f9455}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#e4e6e8;--soft:#a0a5aa;--line:#3a3e42;--paper:#"
    "1b1d1f;"
    "--shade:#25282b;--accent:#7db5ea;--bad:#ef7f78;--warn:#e3b341;--good:#6fcf97}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:1100px;padding:24px 20px "
    "60px;background:var(--paper);color:var(--ink);"
    "font:15px/1.5 system-ui,'Helvetica Neue',Helvetica,Arial,sans-serif}\n"
    "h1{font-size:26px;line-height:1.2;margin:8px 0 4px}h2{font-size:19px;margin:38px 0 "
    "10px;padding-top:8px;"
    "border-top:1px solid var(--line)}h3{font-size:15px;margin:20px 0 6px}\n"
    "nav "
    "a{margin-right:14px}a{color:var(--accent);text-decoration:none}a:hover{text-decoration:"
    "underline}\n"
    "table{border-collapse:collapse}td,th{padding:3px 14px 3px "
    "0;text-align:left;vertical-align:top}\n"
    ".facts td:first-child{color:var(--soft);white-space:nowrap}\n"
    ".grid td,.grid th{padding:3px 10px;border-bottom:1px solid var(--line)}.grid "
    ".n{text-align:right;"
    "font-variant-numeric:tabular-nums}\n"
    "pre{background:var(--shade);padding:12px "
    "14px;overflow:auto;font-size:13px;line-height:1.45;border-radius:6px;"
    "white-space:pre-wrap;overflow-wrap:anywhere}\n"
    "figure{margin:12px "
    "0;display:inline-block;max-width:100%;vertical-align:top}figcaption{color:var(--soft);"
    "font-size:13px;text-align:center}\n"
    "figure img,figure svg{max-width:100%;height:auto;border-radius:6px;border:1px solid "
    "var(--line);background:#fff}\n"
    ".row{display:flex;flex-wrap:wrap;gap:14px}.row figure{flex:1 1 300px}\n"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(430px,100%),1fr));gap:14px}.plots "
    "figure{margin:0}\n"
    ".view{width:100%;height:600px;border:1px solid var(--line);border-radius:6px}\n"
    ".soft{color:var(--soft)}.bad{color:var(--bad)}.good{color:var(--good)}.warn{color:var(--warn)}"
    "\n";

#define BEGIN "<!doctype html>\n"
#define MARK  "<meta name=\"generator\" content=\"Scree\">\n"

static bool is_page(const char *head, size_t size)
{
    return scr_bytes_begin(head, size, BEGIN) && scr_bytes_hold(head, size, MARK);
}

const scr_output_kind scr_page_kind = {.what = "a page by Scree (HTML)", .is = is_page};

bool scr_page_begin(scr_page *page, const char *title)
{
    *page = (scr_page){0};
    page->out = open_memstream(&page->text, &page->size);
    if (!page->out) return false;
    // a page that is mailed must not ask for anything elsewhere
    fprintf(page->out, BEGIN "<html lang=\"en\"><head><meta charset=\"utf-8\">\n" MARK
                             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                             "img-src data: blob:; "
                             "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
    scr_markup_write(page->out, title);
    fprintf(page->out, "</title>\n<style>\n%s</style></head><body>\n<h1>", style);
    scr_markup_write(page->out, title);
    fputs("</h1>\n", page->out);
    return true;
}

void scr_page_section(scr_page *page, const char *name, const char *title)
{
    fputs("<h2 id=\"", page->out);
    scr_markup_write(page->out, name);
    fputs("\">", page->out);
    scr_markup_write(page->out, title);
    fputs("</h2>\n", page->out);
}

void scr_page_facts(scr_page *page)
{
    fputs("<table class=\"facts\">\n", page->out);
}

void scr_page_fact(scr_page *page, const char *name, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) text = NULL;
    va_end(args);
    fputs("<tr><td>", page->out);
    scr_markup_write(page->out, name);
    fputs("</td><td>", page->out);
    scr_markup_write(page->out, text ? text : "");
    fputs("</td></tr>\n", page->out);
    free(text);
}

void scr_page_facts_end(scr_page *page)
{
    fputs("</table>\n", page->out);
}

void scr_page_pre(scr_page *page, const char *text)
{
    fputs("<pre>", page->out);
    scr_markup_write(page->out, text);
    fputs("</pre>\n", page->out);
}

scree_status scr_page_plot(scr_page *page, const scr_plot *plot, scree_report *report)
{
    char *svg = NULL;
    scree_status status = scr_plot_svg(plot, &svg, report);
    if (status) return status;
    // without the prologue of a file
    const char *root = strstr(svg, "<svg");
    fprintf(page->out, "<figure>%s</figure>\n", root ? root : svg);
    free(svg);
    return SCREE_OK;
}

void scr_base64_write(FILE *out, const unsigned char *data, size_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t k = 0; k < size; k += 3) {
        size_t left = size - k;
        unsigned v =
            (unsigned)data[k] << 16 | (left > 1 ? (unsigned)data[k + 1] << 8 : 0) | (left > 2 ? data[k + 2] : 0);
        char four[4] = {digits[v >> 18], digits[v >> 12 & 63], left > 1 ? digits[v >> 6 & 63] : '=',
                        left > 2 ? digits[v & 63] : '='};
        fwrite(four, 1, 4, out);
    }
}

scree_status scr_page_picture(scr_page *page, const char *path, const char *caption, scree_report *report)
{
    size_t size;
    char *data = scr_file_read(path, PICTURE_LIMIT, &size, report);
    if (!data) return SCREE_E_IO;
    fputs("<figure><img alt=\"", page->out);
    scr_markup_write(page->out, caption);
    fputs("\" src=\"data:image/png;base64,", page->out);
    scr_base64_write(page->out, (const unsigned char *)data, size);
    fputs("\"><figcaption>", page->out);
    scr_markup_write(page->out, caption);
    fputs("</figcaption></figure>\n", page->out);
    free(data);
    return SCREE_OK;
}

scree_status scr_page_finish(scr_page *page, const char *path, bool force, scree_report *report)
{
    if (!page->out) return SCREE_OK;
    fputs("</body></html>\n", page->out);
    scree_status status = SCREE_OK;
    if (fclose(page->out))
        status = scr_no_memory(report, "a page");
    else if (path)
        status = scr_output_write(path, &scr_page_kind, force, page->text, page->size, report);
    free(page->text);
    *page = (scr_page){0};
    return status;
}
