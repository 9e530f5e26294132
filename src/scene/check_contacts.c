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
    memcpy(&index, (who ? (const char *)who->def : (const char *)&fallback) + p->offset,
           sizeof index);
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

static const struct {
    const char *choice, *word, *other, *words, *why;
} needs_law[] = {
    {"cohesion", "jkr", "normal", "hertz", "it is the adhesion of elastic spheres"},
    {"tangential", "mindlin", "normal", "hertz", "its stiffness follows the contact radius"},
    {"damping", "viscoelastic", "normal", "hertz", "it follows the contact radius"},
    {"twisting", "marshall", "tangential", "auto history mindlin", "it follows that law"},
};

static void check_laws(const view *v)
{
    for (size_t k = 0; k < sizeof needs_law / sizeof *needs_law; k++) {
        const char *choice = needs_law[k].choice, *other = needs_law[k].other;
        bool own = says(v->item, choice);
        // what only `any` says is judged there
        if (!own && !says(v->item, other)) continue;
        if (!is(v, choice, needs_law[k].word) || is(v, other, needs_law[k].words)) continue;
        char allowed[64];
        scr_words_text(needs_law[k].words, " or ", allowed, sizeof allowed);
        scr_fail(v->report, SCREE_E_INPUT, scr_item_place(v->scene, v->item, own ? choice : other),
                 "%s has %s: %s, which needs %s: %s (%s), but %s is %s",
                 scr_node_path(v->item->node), choice, needs_law[k].word, other, allowed,
                 needs_law[k].why, other, word_of(v, other).text);
    }
}

// ---- keys that must be there ----

static const struct {
    const char *choice, *word, *key;
} needs_key[] = {
    {"damping", "viscous", "damping_rate"},   {"damping", "viscoelastic", "area_damping_rate"},
    {"cohesion", "jkr", "surface_energy"},    {"cohesion", "linear", "adhesion"},
    {"twisting", "sds", "twisting_friction"},
};

static void check_keys(const view *v)
{
    for (size_t k = 0; k < sizeof needs_key / sizeof *needs_key; k++) {
        const char *choice = needs_key[k].choice, *key = needs_key[k].key;
        if (!says(v->item, choice) || !is(v, choice, needs_key[k].word)) continue;
        if (says(v->item, key) || says(v->any, key)) continue;
        char expects[120];
        scr_param_expects(scr_param_find(scr_section_contacts.params, key), expects,
                          sizeof expects);
        scr_fail(v->report, SCREE_E_INPUT, scr_item_place(v->scene, v->item, choice),
                 "%s has %s: %s and lacks %s, %s", scr_node_path(v->item->node), choice,
                 needs_key[k].word, key, expects);
    }
}

// ---- keys without effect ----

static const struct {
    const char *key, *choice, *words;
} acts_with[] = {
    {"stiffness", "normal", "hooke"},
    {"normal_modulus", "normal", "hertz"},
    {"surface_energy", "cohesion", "jkr"},
    {"adhesion", "cohesion", "linear"},
    {"cohesion_range", "cohesion", "linear"},
    {"restitution", "damping", "restitution"},
    {"damping_rate", "damping", "viscous"},
    {"area_damping_rate", "damping", "viscoelastic"},
    {"stiffness_ratio", "tangential", "auto history mindlin"},
    {"tangential_stiffness", "tangential", "auto history"},
    {"tangential_modulus", "tangential", "auto mindlin"},
    {"damping_ratio", "tangential", "auto history mindlin viscous"},
    {"friction", "tangential", "auto history mindlin viscous"},
    {"rolling_friction", "rolling", "sds constant"},
    {"rolling_stiffness_ratio", "rolling", "sds"},
    {"rolling_damping_ratio", "rolling", "sds"},
    {"twisting_friction", "twisting", "sds"},
    {"twisting_stiffness_ratio", "twisting", "sds"},
    {"twisting_damping_ratio", "twisting", "sds"},
};

// a key of `any` may act through a named pair that does not say it itself
static bool acts_elsewhere(const view *v, size_t k)
{
    if (v->item != v->any) return false;
    const scr_items *all = scr_scene_items(v->scene, "contacts");
    for (int i = 0; i < all->count; i++) {
        view other = {v->scene, &all->items[i], v->any, v->report};
        if (all->items[i].node && !says(&all->items[i], acts_with[k].key) &&
            is(&other, acts_with[k].choice, acts_with[k].words))
            return true;
    }
    return false;
}

static void check_effects(const view *v)
{
    for (size_t k = 0; k < sizeof acts_with / sizeof *acts_with; k++) {
        const char *key = acts_with[k].key, *choice = acts_with[k].choice;
        if (!says(v->item, key) || is(v, choice, acts_with[k].words)) continue;
        if (acts_elsewhere(v, k)) continue;
        char allowed[64];
        scr_words_text(acts_with[k].words, " or ", allowed, sizeof allowed);
        scr_warn(v->report, scr_item_place(v->scene, v->item, key),
                 "%s.%s has no effect: %s is %s, it acts with %s", scr_node_path(v->item->node),
                 key, choice, word_of(v, choice).text, allowed);
    }
}

void scr_contact_check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    view v = {scene, item, scr_scene_find(scene, "contacts", "any"), report};
    check_laws(&v);
    check_keys(&v);
    check_effects(&v);
}
