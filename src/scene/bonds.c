/* The section `bonds`: what may be written, and what it says about other sections. */
#include <math.h>
#include <string.h>

#include "scene/scene_data.h"

#define AT(member) offsetof(scr_bond_def, member)

static const scr_param params[] = {
    {"between", "group groups", SCR_TEXTS, NULL, "", NULL, AT(between),
     "The groups whose grains are bonded: one name (grains of this group with each other) or two "
     "(grains of the one with grains of the other). Neither `between` nor `materials`: all grains.",
     NULL},
    {"materials", "material", SCR_TEXTS, NULL, "", NULL, AT(materials), "The same by material instead of by group.",
     NULL},
    {"gap", NULL, SCR_REAL, "m", "auto", ">= 0 | auto", AT(gap),
     "Grains are bonded where the gap between their surfaces at the start is at most this. auto: 1 % of the smaller "
     "radius, so that grains that touch are bonded.",
     NULL},
    {"young", "youngsModulus youngs_modulus young_modulus E", SCR_REAL, "Pa", NULL, "> 0", AT(young),
     "Young's modulus of the bond. Stiffness against stretch is E A/L, against bending E I/L, with "
     "the section's area A and second moment I and the distance L of the centres.",
     NULL},
    {"poisson", "poissonsRatio poissons_ratio poisson_ratio nu", SCR_REAL, "", "0.25", "(-1, 0.5]", AT(poisson),
     "Poisson's ratio of the bond: gives the shear modulus and with it the stiffness against shear, so that a chain of "
     "bonds bends as a beam, and against twist.",
     NULL},
    {"stiffness_ratio", NULL, SCR_REAL, "", "", "> 0", AT(stiffness_ratio),
     "Stiffness against stretch over stiffness against shear, instead of Poisson's ratio.", NULL},
    {"radius", "radius_multiplier", SCR_REAL, "", "1", "(0, 10]", AT(radius),
     "Radius of the bond's round section, as a fraction of the smaller grain's radius.", NULL},
    {"tensile_strength", "tension_strength normal_strength", SCR_REAL, "Pa", "", "> 0", AT(tensile_strength),
     "A bond breaks where stretch and bending pull harder than this at its edge. Default: never.", NULL},
    {"shear_strength", NULL, SCR_REAL, "Pa", "", "> 0", AT(shear_strength),
     "A bond breaks where shear and twist together exceed this at its edge. Default: never.", NULL},
    {"damping", NULL, SCR_REAL, "", "0.1", ">= 0", AT(damping),
     "Damping ratio of every deformation mode of the bond (stretch, shear, bending, twist), as a "
     "fraction of critical damping.",
     NULL},
    {0}};

const scr_section scr_section_bonds = {
    .name = "bonds",
    .doc = "Bonds between grains that are close at the start, by name: short elastic beams that act "
           "in addition to contacts, and break where they are loaded beyond their strength. A pair of "
           "grains gets the first bond that fits.",
    .named = true,
    .params = params,
    .size = sizeof(scr_bond_def),
};

// one or two names, each of an item of this section
static void check_names(const scr_scene *scene, const scr_item *item, const char *key, const scr_texts *names,
                        const char *section, scree_report *report)
{
    scree_place at = scr_item_place(scene, item, key);
    if (names->count > 2)
        scr_fail(report, SCREE_E_INPUT, at, "bonds.%s.%s has %d names, one or two are possible", item->name, key,
                 names->count);
    for (int k = 0; k < names->count; k++) {
        if (scr_scene_find(scene, section, names->items[k])) continue;
        const scr_items *all = scr_scene_items(scene, section);
        scr_nearest nearest = {.wanted = names->items[k]};
        for (int n = 0; n < all->count; n++)
            if (all->items[n].name) scr_nearest_offer(&nearest, all->items[n].name);
        scr_fail(report, SCREE_E_INPUT, at, "bonds.%s.%s names %s, which is not in %s%s%s%s", item->name, key,
                 scr_quote(names->items[k]).text, section, nearest.found ? ", did you mean '" : "",
                 nearest.found ? nearest.found : "", nearest.found ? "'?" : "");
    }
}

void scr_bonds_check(const scr_scene *scene, scree_report *report)
{
    const scr_items *all = scr_scene_items(scene, "bonds");
    for (int k = 0; k < all->count; k++) {
        const scr_item *item = &all->items[k];
        const scr_bond_def *def = item->def;
        if (!item->name || !def) continue;
        check_names(scene, item, "between", &def->between, "bodies", report);
        check_names(scene, item, "materials", &def->materials, "materials", report);
        if (def->between.count && def->materials.count)
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "materials"),
                     "bonds.%s has between and materials, give one of them", item->name);
        if (scr_item_has(item, "poisson") && scr_item_has(item, "stiffness_ratio"))
            scr_fail(report, SCREE_E_INPUT, scr_item_place(scene, item, "stiffness_ratio"),
                     "bonds.%s has poisson and stiffness_ratio, give one of them", item->name);
    }
}
