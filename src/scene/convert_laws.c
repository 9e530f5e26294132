/* Contact laws of LIGGGHTS and LAMMPS (convert.h).
 *
 *   LIGGGHTS   gran model hooke|hertz [tangential history|no_history|off] [rolling_friction cdt|epsd|epsd2|off] ...
 *   LAMMPS     gran/hooke[/history] Kn Kt gamma_n gamma_t mu damp, gran/hertz/history the same
 *              granular, with pair_coeff * * hooke kn g | hertz kn g | hertz/material E g nu, tangential ..., rolling
 *
 * Damping of LAMMPS' gran styles is a rate per effective mass, as is Scree's damping_rate. */
#include <math.h>
#include <string.h>

#include "scene/convert.h"

static void liggghts_model(scr_conversion *c)
{
    char *const *w = c->script.words;
    scr_convert_law *law = &c->law;
    int model = scr_convert_word(c, 2, "model"), n = c->script.count;
    law->from_young = true;
    if (model && model + 1 < n) law->hertz = !strcmp(w[model + 1], "hertz");
    if (model && model + 1 < n && strcmp(w[model + 1], "hertz") && strcmp(w[model + 1], "hooke"))
        scr_convert_leave(c, "unknown normal model %s: hertz is assumed", w[model + 1]), law->hertz = true;
    int tangential = scr_convert_word(c, 2, "tangential");
    if (tangential && tangential + 1 < n) {
        law->no_history = !strcmp(w[tangential + 1], "no_history");
        law->frictionless = !strcmp(w[tangential + 1], "off");
    }
    int rolling = scr_convert_word(c, 2, "rolling_friction");
    if (rolling && rolling + 1 < n)
        law->rolling = !strcmp(w[rolling + 1], "cdt") ? 2 : !strcmp(w[rolling + 1], "off") ? 0 : 1;
    int cohesion = scr_convert_word(c, 2, "cohesion");
    if (cohesion && cohesion + 1 < n && strcmp(w[cohesion + 1], "off"))
        scr_convert_leave(c, "cohesion %s has no equivalent: see `cohesion` of contacts", w[cohesion + 1]);
}

// Kn Kt gamma_n gamma_t mu damp from word k on
static void lammps_numbers(scr_conversion *c, int k)
{
    scr_convert_law *law = &c->law;
    law->kn = scr_convert_number(c, k, NAN);
    law->kt = scr_convert_number(c, k + 1, NAN);
    law->gamma_n = scr_convert_number(c, k + 2, 0);
    law->gamma_t = scr_convert_number(c, k + 3, 0.5 * law->gamma_n);
    law->mu = scr_convert_number(c, k + 4, 0);
    if (scr_convert_number(c, k + 5, 1) == 0) law->gamma_t = 0;
    law->viscous = !law->hertz, law->viscoelastic = law->hertz;
}

void scr_convert_pair_style(scr_conversion *c)
{
    if (c->script.count < 2) {
        scr_convert_leave(c, "it names no style");
        return;
    }
    const char *style = c->script.words[1];
    c->law.hertz = !strncmp(style, "gran/hertz", 10);
    if (!strcmp(style, "gran"))
        liggghts_model(c);
    else if (!strncmp(style, "gran/hooke", 10) || !strncmp(style, "gran/hertz", 10)) {
        c->law.no_history = !strcmp(style, "gran/hooke");
        lammps_numbers(c, 2);
    } else if (strcmp(style, "granular") && strcmp(style, "none"))
        scr_convert_leave(c, "the pair style %s is not granular", style);
}

/* ---- pair_coeff of `granular` ---- */

static void take_material(scr_conversion *c, double young, double poisson)
{
    c->law.from_young = true;
    for (int t = 0; t < SCR_CONVERT_TYPES; t++) c->types[t].young = young, c->types[t].poisson = poisson;
}

static int normal_model(scr_conversion *c, double *gamma)
{
    const char *model = c->script.words[3];
    c->law.hertz = strncmp(model, "hooke", 5) != 0;
    if (!strcmp(model, "hertz/material")) {
        take_material(c, scr_convert_number(c, 4, NAN), scr_convert_number(c, 6, NAN));
        *gamma = scr_convert_number(c, 5, NAN);
        return 7;
    }
    if (strcmp(model, "hooke") && strcmp(model, "hertz")) scr_convert_leave(c, "unknown normal model %s", model);
    c->law.kn = scr_convert_number(c, 4, NAN);
    *gamma = scr_convert_number(c, 5, NAN);
    return 6;
}

static void tangential_model(scr_conversion *c, int k)
{
    const char *model = c->script.words[k];
    bool history = strstr(model, "history") && !strstr(model, "nohistory");
    c->law.no_history = strstr(model, "nohistory") != NULL;
    if (history || strstr(model, "mindlin")) {
        c->law.kt = scr_convert_number(c, k + 1, NAN);
        c->law.mu = scr_convert_number(c, k + 3, NAN);
    } else {
        c->law.mu = scr_convert_number(c, k + 2, NAN);
    }
}

static void damping_model(scr_conversion *c, const char *model, double gamma)
{
    scr_convert_law *law = &c->law;
    law->viscous = law->viscoelastic = false;
    if (!strcmp(model, "tsuji") || !strcmp(model, "coeff_restitution"))
        law->restitution = gamma;
    else if (!strcmp(model, "mass_velocity"))
        law->viscous = true, law->gamma_n = law->gamma_t = gamma;
    else if (!strcmp(model, "viscoelastic") && law->hertz)
        law->viscoelastic = true, law->gamma_n = law->gamma_t = gamma;
    else
        scr_convert_leave(c, "damping %s of this normal model has no equivalent: restitution 0.5 is assumed", model),
            law->restitution = 0.5;
}

void scr_convert_pair_coeff(scr_conversion *c)
{
    double gamma = NAN;
    int n = c->script.count;
    if (n < 4) return; // LIGGGHTS: * *
    if (strcmp(c->script.words[1], "*") || strcmp(c->script.words[2], "*"))
        scr_convert_leave(c, "it applies to one pair of types, but is used for all");
    normal_model(c, &gamma);
    int tangential = scr_convert_word(c, 4, "tangential"), damping = scr_convert_word(c, 4, "damping");
    int rolling = scr_convert_word(c, 4, "rolling");
    if (tangential && tangential + 1 < n) tangential_model(c, tangential + 1);
    damping_model(c, damping && damping + 1 < n ? c->script.words[damping + 1] : "viscoelastic", gamma);
    if (rolling && rolling + 4 < n && !strcmp(c->script.words[rolling + 1], "sds"))
        c->law.rolling = 1, c->law.rolling_friction = scr_convert_number(c, rolling + 4, NAN);
    if (scr_convert_word(c, 4, "twisting")) scr_convert_leave(c, "twisting is left out: see `twisting` of contacts");
}
