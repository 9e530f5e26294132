/* YAML text to tree (see tree.h), by way of libfyaml's events.
 *
 * Events rather than libfyaml's documents: positions of keys, duplicate keys, limits and refusals
 * are then ours to handle and to word. The parser is an explicit stack of open nodes, so no input
 * can exhaust the C stack. */
#include <libfyaml.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "scene/tree.h"

enum { LONGEST_KEY = 100 };

typedef struct {
    scr_node *node; /* an open list or mapping */
    char *key;      /* mapping: the key read, waiting for its value */
    int key_line, key_column;
    bool key_expected; /* mapping: the next event is a key */
} level;

typedef struct {
    const char *file;
    scree_report *report;
    scr_node *root;
    level stack[SCR_TREE_DEPTH];
    int depth;
    int nodes;
    int documents;
    int skip; /* > 0: inside a refused complex key, so many levels deep */
    bool stop;
} parser;

// libfyaml gives no mark to an empty value: it stands where its key is
static scree_place place_of(const parser *p, struct fy_event *event)
{
    const struct fy_mark *mark = fy_event_start_mark(event);
    scree_place at = {.file = p->file};
    if (mark) {
        at.line = mark->line + 1, at.column = mark->column + 1;
    } else if (p->depth) {
        at.line = p->stack[p->depth - 1].key_line;
        at.column = p->stack[p->depth - 1].key_column;
    }
    return at;
}

static void give_up(parser *p, scree_status status, scree_place at, const char *text)
{
    scr_fail(p->report, status, at, "%s", text);
    p->stop = true;
}

static void no_room(parser *p)
{
    scr_no_memory_in(p->report, p->file, "the scene");
    p->stop = true;
}

// ---- characters ----

bool scr_text_is_clean(const char *text, size_t size, const char *file, scree_report *report)
{
    scree_place at = {.file = file, .line = 1, .column = 1};
    for (size_t k = 0; k < size;) {
        size_t n = scr_character_length(text + k, size - k);
        if (!n) {
            scr_fail(report, SCREE_E_INPUT, at,
                     "byte 0x%02x is not text, a scene must be UTF-8 without control characters",
                     (unsigned char)text[k]);
            return false;
        }
        at.column++;
        if (text[k] == '\n') at.line++, at.column = 1;
        k += n;
    }
    return true;
}

// ---- nodes ----

// copies a scalar's text; libfyaml may give NULL for an empty one
static char *token_text(struct fy_token *token)
{
    size_t size = 0;
    const char *text = token ? fy_token_get_text(token, &size) : NULL;
    if (!text) size = 0;
    char *copy = malloc(size + 1);
    if (!copy) return NULL;
    if (size) memcpy(copy, text, size);
    copy[size] = 0;
    // an escaped zero (\0) ends the text for us
    return copy;
}

// hands a finished or just opened node to the innermost open one
static bool attach(parser *p, scr_node *node)
{
    if (!p->depth) {
        p->root = node;
        return true;
    }
    level *top = &p->stack[p->depth - 1];
    node->key_line = top->key_line, node->key_column = top->key_column;
    bool ok = scr_node_add(top->node, top->key, node);
    free(top->key);
    top->key = NULL;
    top->key_expected = top->node->kind == SCR_NODE_MAP;
    top->key_line = top->key_column = 0;
    if (!ok) no_room(p);
    return ok;
}

static bool expects_key(const parser *p)
{
    return p->depth && p->stack[p->depth - 1].key_expected;
}

static void refuse_extras(parser *p, struct fy_event *event)
{
    scree_place at = place_of(p, event);
    if (fy_event_get_anchor_token(event) && event->type != FYET_ALIAS)
        scr_fail(p->report, SCREE_E_INPUT, at, "anchors (&name) are not supported in a scene");
    if (fy_event_get_tag_token(event))
        scr_fail(p->report, SCREE_E_INPUT, at, "tags (!name) are not supported in a scene");
}

static scr_node *new_node(parser *p, scr_node_kind kind, struct fy_event *event)
{
    scree_place at = place_of(p, event);
    if (++p->nodes > SCR_TREE_NODES) {
        give_up(p, SCREE_E_INPUT, at, "the scene has more than 200000 values; bulk data belongs in a table file");
        return NULL;
    }
    scr_node *node = scr_node_create(kind, NULL, p->file);
    if (!node) {
        no_room(p);
        return NULL;
    }
    node->line = at.line, node->column = at.column;
    return node;
}

// keys go into messages, paths and file names: short, and without control characters
static void tame_key(parser *p, char *key, scree_place at)
{
    bool bad = strlen(key) > LONGEST_KEY;
    for (const char *c = key; *c; c++) bad |= (unsigned char)*c < ' ' || *c == 127;
    if (!bad) return;
    scr_fail(p->report, SCREE_E_INPUT, at, "key %s is not usable, at most %d characters on one line are allowed",
             scr_quote(key).text, LONGEST_KEY);
    strcpy(key, "*");
}

static void read_key(parser *p, struct fy_event *event)
{
    level *top = &p->stack[p->depth - 1];
    scree_place at = place_of(p, event);
    refuse_extras(p, event);
    top->key = token_text(event->scalar.value);
    top->key_line = at.line, top->key_column = at.column;
    top->key_expected = false;
    if (!top->key)
        no_room(p);
    else
        tame_key(p, top->key, at);
}

static void on_scalar(parser *p, struct fy_event *event)
{
    if (expects_key(p)) {
        read_key(p, event);
        return;
    }
    refuse_extras(p, event);
    scr_node *node = new_node(p, SCR_NODE_SCALAR, event);
    if (!node) return;
    node->quoted = event->scalar.value && fy_token_scalar_style(event->scalar.value) != FYSS_PLAIN;
    node->text = token_text(event->scalar.value);
    if (!node->text) {
        no_room(p);
        scr_node_destroy(node);
        return;
    }
    attach(p, node);
}

static void on_alias(parser *p, struct fy_event *event)
{
    scr_fail(p->report, SCREE_E_INPUT, place_of(p, event),
             "aliases (*name) are not supported in a scene: write the value out");
    // an alias as a key: its value is read under a name that is already an error and leaves the
    // tree
    if (expects_key(p)) {
        level *top = &p->stack[p->depth - 1];
        top->key = strdup("*");
        top->key_expected = false;
        if (!top->key) p->stop = true;
        return;
    }
    scr_node *node = new_node(p, SCR_NODE_BAD, event);
    if (node) attach(p, node);
}

static void on_open(parser *p, struct fy_event *event, scr_node_kind kind)
{
    if (expects_key(p)) {
        scr_fail(p->report, SCREE_E_INPUT, place_of(p, event), "a key must be a plain word, not a list or a mapping");
        p->skip = 1;
        return;
    }
    refuse_extras(p, event);
    if (p->depth == SCR_TREE_DEPTH) {
        give_up(p, SCREE_E_INPUT, place_of(p, event), "nested deeper than 32 levels");
        return;
    }
    scr_node *node = new_node(p, kind, event);
    if (!node || !attach(p, node)) return;
    p->stack[p->depth++] = (level){.node = node, .key_expected = kind == SCR_NODE_MAP};
}

// ---- duplicate keys ----

static int by_key_then_place(const void *a, const void *b)
{
    const scr_node *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);
    if (order) return order;
    if ((*x)->key_line != (*y)->key_line) return (*x)->key_line < (*y)->key_line ? -1 : 1;
    return ((*x)->key_column > (*y)->key_column) - ((*x)->key_column < (*y)->key_column);
}

// reports keys that stand twice in one mapping; of those the first stays
static void refuse_duplicates(parser *p, scr_node *map)
{
    if (map->count < 2) return;
    size_t count = (size_t)map->count;
    scr_node **sorted = malloc(count * sizeof *sorted);
    if (!sorted) {
        no_room(p);
        return;
    }
    memcpy(sorted, map->children, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_key_then_place);
    scr_node *first = sorted[0];
    for (size_t k = 1; k < count; k++) {
        if (strcmp(first->key, sorted[k]->key)) {
            first = sorted[k];
            continue;
        }
        scr_fail(p->report, SCREE_E_INPUT, scr_node_key_place(sorted[k]), "key %s is given twice, first on line %d",
                 scr_quote(first->key).text, first->key_line);
        // an empty name cannot be a key of ours, and marks it for removal
        sorted[k]->key[0] = 0;
        sorted[k]->kind = SCR_NODE_BAD;
    }
    free(sorted);
}

// merge keys and refused keys leave the mapping
static void finish_map(parser *p, scr_node *map)
{
    refuse_duplicates(p, map);
    int kept = 0;
    for (int k = 0; k < map->count; k++) {
        scr_node *child = map->children[k];
        bool merge = !strcmp(child->key, "<<"), alias = !strcmp(child->key, "*");
        if (merge)
            scr_fail(p->report, SCREE_E_INPUT, scr_node_key_place(child),
                     "merge keys (<<) are not supported in a scene");
        if (merge || alias || (child->kind == SCR_NODE_BAD && !child->key[0]))
            scr_node_destroy(child);
        else
            map->children[kept++] = child;
    }
    map->count = kept;
}

static void on_close(parser *p)
{
    if (!p->depth) return;
    level *top = &p->stack[--p->depth];
    free(top->key);
    if (top->node->kind == SCR_NODE_MAP) finish_map(p, top->node);
}

// a complex key is passed over; its value then comes under a name that is already an error
static void skip_event(parser *p, struct fy_event *event)
{
    if (event->type == FYET_MAPPING_START || event->type == FYET_SEQUENCE_START) p->skip++;
    if (event->type == FYET_MAPPING_END || event->type == FYET_SEQUENCE_END) p->skip--;
    if (p->skip) return;
    level *top = &p->stack[p->depth - 1];
    top->key = strdup("*");
    top->key_expected = false;
    if (!top->key) p->stop = true;
}

static void on_event(parser *p, struct fy_event *event)
{
    if (p->skip) {
        skip_event(p, event);
        return;
    }
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (++p->documents > 1)
            give_up(p, SCREE_E_INPUT, place_of(p, event),
                    "a second document (---) begins here; a scene is one document");
        break;
    case FYET_MAPPING_START: on_open(p, event, SCR_NODE_MAP); break;
    case FYET_SEQUENCE_START: on_open(p, event, SCR_NODE_LIST); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: on_close(p); break;
    case FYET_SCALAR: on_scalar(p, event); break;
    case FYET_ALIAS: on_alias(p, event); break;
    default: break;
    }
}

// ---- libfyaml ----

static void discard(struct fy_diag *diag, void *user, const char *text, size_t size)
{
    (void)diag, (void)user, (void)text, (void)size;
}

static struct fy_diag *new_diag(void)
{
    struct fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = NULL;
    config.output_fn = discard;
    config.colorize = false;
    struct fy_diag *diag = fy_diag_create(&config);
    if (diag) fy_diag_set_collect_errors(diag, true);
    return diag;
}

static void report_syntax(parser *p, struct fy_diag *diag)
{
    int before = p->report->errors;
    void *state = NULL;
    for (struct fy_diag_error *e; (e = fy_diag_errors_iterate(diag, &state));) {
        scree_place at = {.file = p->file, .line = e->line, .column = e->column};
        if (e->type == FYET_ERROR && p->report->errors - before < 10)
            scr_fail(p->report, SCREE_E_INPUT, at, "this is not valid YAML: %s", e->msg ? e->msg : "syntax error");
    }
    if (p->report->errors == before)
        scr_fail(p->report, SCREE_E_INPUT, (scree_place){.file = p->file}, "this is not valid YAML");
}

// pulls all events; false after a syntax error or when we gave up
static bool pull_events(parser *p, struct fy_parser *yaml, struct fy_diag *diag)
{
    bool ended = false;
    for (struct fy_event *event; !p->stop && !ended && (event = fy_parser_parse(yaml));) {
        ended = event->type == FYET_STREAM_END;
        on_event(p, event);
        fy_parser_event_free(yaml, event);
    }
    if (!ended && !p->stop) report_syntax(p, diag);
    return ended && !p->stop;
}

static bool parse_text(parser *p, const char *text, size_t size)
{
    bool good = false;
    struct fy_diag *diag = new_diag();
    struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE | FYPCF_SLOPPY_FLOW_INDENTATION, .diag = diag};
    struct fy_parser *yaml = diag ? fy_parser_create(&config) : NULL;
    if (!yaml || fy_parser_set_string(yaml, text, size))
        no_room(p);
    else
        good = pull_events(p, yaml, diag);
    if (yaml) fy_parser_destroy(yaml);
    if (diag) fy_diag_destroy(diag);
    while (p->depth) free(p->stack[--p->depth].key);
    return good;
}

scr_node *scr_tree_parse(const char *text, size_t size, const char *file, scree_report *report)
{
    parser p = {.file = file, .report = report};
    // a byte order mark is not part of the text
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) text += 3, size -= 3;
    if (!scr_text_is_clean(text, size, file, report)) return NULL;
    if (size && !parse_text(&p, text, size)) {
        scr_node_destroy(p.root);
        return NULL;
    }
    return p.root ? p.root : scr_node_create(SCR_NODE_SCALAR, "", file);
}
