#include "comm/reports.h"

#include <string.h>

#include "base/buffer.h"

#define TEXT 1024 /* bytes of a message; longer ones are cut */

/* A message on its way. */
typedef struct {
    int32_t severity, status, line, column;
    char file[512], key[128], text[TEXT]; /* empty: none */
} sent_message;

static sent_message pack(const scree_message *m)
{
    sent_message s = {.severity = m->severity, .status = m->status, .line = m->line, .column = m->column};
    snprintf(s.file, sizeof s.file, "%s", m->file ? m->file : "");
    snprintf(s.key, sizeof s.key, "%s", m->key ? m->key : "");
    snprintf(s.text, sizeof s.text, "%s", m->text ? m->text : "");
    return s;
}

static bool is_same(const sent_message *s, const scree_message *m)
{
    const sent_message other = pack(m);
    return s->severity == other.severity && s->line == other.line && s->column == other.column &&
           !strcmp(s->file, other.file) && !strcmp(s->text, other.text);
}

// true: it is new
static bool add(scree_report *report, int before, const sent_message *s)
{
    for (int k = before; k < report->count; k++)
        if (is_same(s, &report->messages[k])) return false;
    scree_place at = {*s->file ? s->file : NULL, s->line, s->column, *s->key ? s->key : NULL};
    if (s->severity == SCREE_ERROR)
        scr_fail(report, (scree_status)s->status, at, "%s", s->text);
    else
        scr_warn(report, at, "%s", s->text);
    return true;
}

static uint64_t tell_count(scr_comm *c, uint64_t count, uint64_t *counts)
{
    uint64_t others = 0;
    scr_comm_gather_all(c, &count, sizeof count, counts);
    for (int r = 1; r < c->size; r++) others += counts[r];
    return others;
}

// errors or what is none, behind those that are packed, as far as there is room
static uint64_t pack_all(const scree_report *report, int before, bool errors, sent_message *to, uint64_t packed)
{
    for (int k = before; k < report->count && packed < SCR_RANK_MESSAGES; k++)
        if ((report->messages[k].severity == SCREE_ERROR) == errors) to[packed++] = pack(&report->messages[k]);
    return packed;
}

void scr_comm_report(scr_comm *c, scree_report *report, int before)
{
    uint64_t count = 0, *counts = NULL;
    sent_message *messages = NULL;
    if (c->size < 2) return;
    for (int k = before; k < report->count; k++) count++;
    if (count > SCR_RANK_MESSAGES) count = SCR_RANK_MESSAGES;
    if (!scr_reserve(&counts, (size_t)c->size) || !scr_reserve(&messages, SCR_RANK_MESSAGES))
        scr_comm_no_memory("messages");
    if (tell_count(c, count, counts) && c->rank) {
        uint64_t packed = pack_all(report, before, true, messages, 0);
        pack_all(report, before, false, messages, packed);
        scr_comm_send(c, 0, messages, count * sizeof *messages);
    }
    for (int r = 1, more = 0; !c->rank && r < c->size; r++) {
        scr_comm_receive(c, r, messages, counts[r] * sizeof *messages);
        for (uint64_t k = 0; k < counts[r] && more < SCR_RANK_MESSAGES; k++) more += add(report, before, &messages[k]);
    }
    scr_free_all(counts, messages);
}

scree_status scr_comm_agree(scr_comm *c, scree_status status, int before, scree_report *report)
{
    double worst = (double)status;
    scr_comm_most(c, &worst, 1);
    if (worst > 0) scr_comm_report(c, report, before);
    return (scree_status)worst;
}
