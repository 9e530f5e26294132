/* Foreign text: what is a character, and what becomes of the rest. */
#include "check.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/status.h"
#include "base/text.h"

static void tamed(const char *text, const char *keep, const char *want)
{
    char *copy = strdup(text);
    CHECK_TEXT(scr_text_tame(copy, keep), want);
    free(copy);
}

static void taming(void)
{
    CHECK(scr_text_tame(NULL, "") == NULL);
    tamed("", "", "");
    tamed("glass \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "", "glass \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    tamed("\x1b]0;x\x07", "", "?]0;x?");
    tamed("a\x7f\x01", "", "a??");
    tamed("a\n\tb\r\n", "\n\t", "a\n\tb?\n");
    tamed("a\n\tb\r\n", "\n\t\r", "a\n\tb\r\n");
    tamed("a\n\tb", "", "a??b");
    // the control sequence introducer in UTF-8 and as a byte; cut, overlong and impossible characters
    tamed("\xc2\x9b"
          "2J\x9b",
          "", "??2J?");
    tamed("\xc3", "", "?");
    tamed("\xc0\x9b\xed\xa0\x80\xf4\x90\x80\x80", "", "?????????");
}

// whatever bytes: the length stays, and a second time changes nothing
static void any_bytes(void)
{
    unsigned seed = 1;
    int changed = 0, controls = 0;
    for (int k = 0; k < 20000; k++) {
        char text[32] = "", once[32];
        for (int n = 0; n < 31; n++) text[n] = (char)(1 + (seed = seed * 1103515245u + 12345u) / 65536 % 255);
        memcpy(once, scr_text_tame(text, ""), sizeof once);
        changed += strcmp(scr_text_tame(text, ""), once) || strlen(once) != 31;
        for (int n = 0; n < 31; n++) controls += (unsigned char)once[n] < 32 || once[n] == 127;
    }
    CHECK_INT(changed, 0);
    CHECK_INT(controls, 0);
}

static void messages(void)
{
    scree_report report;
    scree_report_init(&report);
    scr_fail(&report, SCREE_E_INPUT, (scree_place){.file = "a\x1b[2J.h5"}, "'%s' is bad", "\x1b]0;x\x07");
    scr_warn(&report, SCR_NOWHERE, "two\nlines\r");
    CHECK_TEXT(report.messages[0].file, "a?[2J.h5");
    CHECK_TEXT(report.messages[0].text, "'?]0;x?' is bad");
    CHECK_TEXT(report.messages[1].text, "two\nlines?");
    scree_report_deinit(&report);
    scr_log_quiet(true);
    static scr_log_lines lines;
    scr_log_keep(&lines);
    scr_say("%s of %d", "\x1b[31mgrains", 3);
    scr_log_note("noted");
    CHECK(!strcmp(lines.text, "?[31mgrains of 3\nnoted\n"));
}

int main(void)
{
    taming();
    any_bytes();
    messages();
    return check_done();
}
