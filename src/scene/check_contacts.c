/* What the keys of a contact law say about each other: laws that need each other, keys that must be
 * there and keys without effect (see scene_data.h). A named pair takes from `any` what it does not
 * say itself, so each item is judged together with `any`. */
#include <string.h>

#include "scene/scene_data.h"

typedef struct {
    const scr_scene *scene;
    const scr_item *item, *any; /* any may be NULL, or the item itself */
    scree_report *report;
} view;

static bool says(const scr_item *item, const char *key)
{
    return item && scr_item_has(item, key);
}

typedef struct {
    char text[32];
} word;

// the word that holds for a choice: the item's own, else that of `any`, else the default
static word word_of(const view *v, const char *choice)
{
    scr_contact_def fallback = {0};
    scr_section_defaults(&scr_section_contacts, &fallback);
    const scr_item *who = says(v->item, choice) ? v->item : says(v->any, choice) ? v->any : NULL;
    const scr_param *p = scr_param_find(scr_section_contacts.params, choice);
    int index;
    memcpy(&index, (who ? (const char *)who->def : (const char *)&fallback) + p->offset, sizeof index);
    const char *cursor = p->allowed, *found = NULL;
    size_t length = 0;
    for (int k = 0; k <= index; k++) found = scr_words_next(&cursor, &length);
    word w = {""};
    if (found) snprintf(w.text, sizeof w.text, "%.*s", (int)length, found);
    return w;
}

static bool is(const view *v, const char *choice, const char *words)
{
    return scr_words_index(words, word_of(v, choice).text) >= 0;
}

// ---- laws that need each other ----

static void check_laws(const view *v)
{
    for (const scr_law_word *w = scr_law_words; w->choice; w++) {
        if (!w->other) continue;
        bool own = says(v->item, w->choice);
        // what only `any` says is judged there
        if (!own && !says(v->item, w->other)) continue;
        if (!is(v, w->choice, w->word) || is(v, w->other, w->words)) continue;
        char allowed[64];
        scr_words_text(w->words, " or ", allowed, sizeof allowed);
        scr_fail(v->report, SCREE_E_INPUT, scr_item_place(v->scene, v->item, own ? w->choice : w->other),
                 "%s has %s, which needs %s: %s (%s), but %s is %s", scr_node_path(v->item->node), w->text, w->other,
                 allowed, w->why, w->other, word_of(v, w->other).text);
    }
}

// ---- keys that must be there ----

static void check_keys(const view *v)
{
    for (const scr_law_key *k = scr_law_keys; k->key; k++) {
        if (!(k->need & SCR_KEY_MUST)) continue;
        if (!says(v->item, k->choice) || !is(v, k->choice, k->words)) continue;
        if (says(v->item, k->key) || says(v->any, k->key)) continue;
        char expects[120];
        scr_param_expects(scr_param_find(scr_section_contacts.params, k->key), expects, sizeof expects);
        scr_fail(v->report, SCREE_E_INPUT, scr_item_place(v->scene, v->item, k->choice),
                 "%s has %s: %s and lacks %s, %s", scr_node_path(v->item->node), k->choice, word_of(v, k->choice).text,
                 k->key, expects);
    }
}

// ---- keys without effect ----

// a key of `any` may act through a named pair that does not say it itself
static bool acts_elsewhere(const view *v, const scr_law_key *k)
{
    if (v->item != v->any) return false;
    const scr_items *all = scr_scene_items(v->scene, "contacts");
    for (int i = 0; i < all->count; i++) {
        view other = {v->scene, &all->items[i], v->any, v->report};
        if (all->items[i].node && !says(&all->items[i], k->key) && is(&other, k->choice, k->words)) return true;
    }
    return false;
}

static void check_effects(const view *v)
{
    for (const scr_law_key *k = scr_law_keys; k->key; k++) {
        if (!k->choice || !says(v->item, k->key) || is(v, k->choice, k->words)) continue;
        if (acts_elsewhere(v, k)) continue;
        char allowed[64];
        scr_words_text(k->words, " or ", allowed, sizeof allowed);
        scr_warn(v->report, scr_item_place(v->scene, v->item, k->key), "%s.%s has no effect: %s is %s, it acts with %s",
                 scr_node_path(v->item->node), k->key, k->choice, word_of(v, k->choice).text, allowed);
    }
}

void scr_contact_check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    view v = {scene, item, scr_scene_find(scene, "contacts", "any"), report};
    check_laws(&v);
    check_keys(&v);
    check_effects(&v);
}
