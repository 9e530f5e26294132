/* What the nonsmooth stepper means for the choices before a run, and what of a scene it cannot do or does not use. */
#include <math.h>
#include <string.h>

#include "step/nonsmooth/nonsmooth.h"

void scr_nonsmooth_traits(const void *nonsmooth, scr_stepper_traits *t)
{
    const scr_nonsmooth_def *def = nonsmooth;
    bool reduces = def->reduction == SCR_REDUCTION_ON;
    t->contacts = SCR_CONTACTS_SOLVED;
    t->lists = false;
    t->substeps = (int)def->substeps;
    t->reduces = reduces;
    t->holds_deep = true;
    t->rows_ready = true;
    char parts[32] = "";
    if (def->substeps > 1) snprintf(parts, sizeof parts, "%lld x ", (long long)def->substeps);
    snprintf(t->words, sizeof t->words, "%s%lld %s sweeps%s", parts, (long long)def->sweeps,
             def->start == SCR_START_WARM ? "warm" : "cold",
             !reduces                               ? ""
             : def->preset == SCR_PRESET_SERVIN2015 ? ", reduction as Servin & Wang 2015"
                                                    : ", reduction");
}

/* ---- keys without meaning ---- */

typedef struct {
    const scr_scene *scene;
    scree_place first;
    char text[600];
    size_t used;
} listing;

static void list_key(listing *l, const scr_item *item, const char *key, const char *word)
{
    scree_place at = scr_item_place(l->scene, item, key);
    if (!l->used) l->first = at;
    if (l->used >= sizeof l->text) return;
    // what --set has changed has no line
    char line[24] = "";
    if (at.line > 0) snprintf(line, sizeof line, " (line %d)", at.line);
    l->used += (size_t)snprintf(l->text + l->used, sizeof l->text - l->used, "%scontacts.%s.%s%s%s%s",
                                l->used ? ", " : "", item->name, key, *word ? ": " : "", word, line);
}

static bool word_said(const scr_item *item, const scr_law_word *w)
{
    int index;
    memcpy(&index, (const char *)item->def + w->offset, sizeof index);
    return index == w->index;
}

// springs and dampers: contacts are constraints, and restitution alone says how they bounce
static void list_springs(listing *l, const scr_item *item)
{
    for (const scr_law_key *k = scr_law_keys; k->key; k++)
        if (k->need & SCR_KEY_IDLE && scr_item_has(item, k->key)) list_key(l, item, k->key, "");
    for (const scr_law_word *w = scr_law_words; w->choice; w++)
        if (w->traits & SCR_WORD_IDLE && word_said(item, w)) list_key(l, item, w->choice, w->word);
}

static void check_contacts(const scr_scene *scene, scree_report *report)
{
    const scr_items *items = scr_scene_items(scene, "contacts");
    listing l = {.scene = scene};
    for (int k = 0; k < items->count; k++) {
        const scr_item *item = &items->items[k];
        list_springs(&l, item);
        for (const scr_law_word *w = scr_law_words; w->choice; w++)
            if (w->traits & SCR_WORD_PULLS && word_said(item, w))
                scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, w->choice),
                         "contacts.%s.%s is %s: the integrator nonsmooth does not support attraction; leave it out, or "
                         "use the integrator soft",
                         item->name, w->choice, w->word);
    }
    if (l.used) scr_warn(report, l.first, "no effect with the integrator nonsmooth: %s", l.text);
}

/* ---- thresholds ---- */

static void never_merges(const scr_scene *scene, const scr_item *item, const char *key, const char *what,
                         scree_report *report)
{
    scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, key),
             "stepper.%s is 0: with reduction: on no contact %s slowly enough to merge; give a "
             "number > 0, or none for no such condition",
             key, what);
}

static void check_reduction(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_nonsmooth_def *d = item->variant_def;
    const struct {
        const char *key, *what;
        double value;
    } thresholds[] = {
        {"merge_sliding", "slides", d->merge_sliding},
        {"merge_spin", "rolls", d->merge_spin},
        {"merge_normal_acceleration", "closes or opens evenly", d->merge_normal_acceleration},
        {"merge_sliding_acceleration", "slides evenly", d->merge_sliding_acceleration},
        {"merge_spin_acceleration", "rolls evenly", d->merge_spin_acceleration},
    };
    if (d->reduction != SCR_REDUCTION_ON) return;
    for (size_t k = 0; k < sizeof thresholds / sizeof *thresholds; k++)
        if (thresholds[k].value == 0) never_merges(scene, item, thresholds[k].key, thresholds[k].what, report);
    // one of the two may be zero: then contacts merge while they open, or while they close
    if (d->merge_approach == 0 && d->merge_separation == 0)
        never_merges(scene, item, "merge_approach", "closes or opens", report);
}

void scr_nonsmooth_check(const scr_scene *scene, const scr_item *item, scree_report *report)
{
    const scr_items *bonds = scr_scene_items(scene, "bonds");
    for (int k = 0; k < bonds->count; k++)
        scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, &bonds->items[k], NULL),
                 "bonds.%s: the integrator nonsmooth does not support bonds between grains; leave them out, or use the "
                 "integrator soft",
                 bonds->items[k].name);
    check_contacts(scene, report);
    check_reduction(scene, item, report);
}
