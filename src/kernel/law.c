/* Restitution of the damped Hooke contact, m x'' + eta x' + k x = 0, z = eta / (2 sqrt(m k)).
 *
 * With the attractive end of the contact kept, e = exp(-pi z / sqrt(1 - z^2)) (Vyas et al. 2025,
 * eq. 31). When the force is clipped at zero the contact ends at the moment the force vanishes,
 * before the overlap does, and e = exp(-(z/y) atan2(2 z y, 2 z^2 - 1)), y = sqrt(1 - z^2); for z >
 * 1 the same function continued: e = exp(-(2 z/s) atanh(s/z)), s = sqrt(z^2 - 1). It falls
 * monotonically from 1 to 0. */
#include "kernel/law.h"

#include <math.h>
#include <string.h>

#include "kernel/law/parts.h"
#include "math/elementary.h"

/* ---- the tables ---- */

#define NORMAL_KEY     normal
#define COHESION_KEY   cohesion
#define DAMPING_KEY    damping
#define TANGENTIAL_KEY tangential
#define ROLLING_KEY    rolling
#define TWISTING_KEY   twisting
#define TEXT_OF(x)     #x
#define TEXT(x)        TEXT_OF(x)

const scr_law_word scr_law_words[] = {
#define W(CHOICE, NAME, word, traits, other, words, why, doc) \
    {TEXT(CHOICE##_KEY),                                      \
     #word,                                                   \
     TEXT(CHOICE##_KEY) ": " #word,                           \
     traits,                                                  \
     offsetof(scr_contact_def, CHOICE##_KEY),                 \
     SCR_##CHOICE##_##NAME,                                   \
     other,                                                   \
     words,                                                   \
     why},
    SCR_LAW_WORDS(W)
#undef W
        {0}};

const scr_law_key scr_law_keys[] = {
#define K(key, also, unit, fallback, allowed, choice, words, need, doc) {#key, choice, words, need},
    SCR_LAW_KEYS(SCR_LAW_SKIP, K)
#undef K
        {0}};

static const scr_normal_law normals[] = {
#define W(CHOICE, NAME, word, traits, ...)  \
    {#word,                                 \
     traits,                                \
     word##_power,                          \
     word##_potential,                      \
     word##_gap,                            \
     word##_overlap,                        \
     word##_depth,                          \
     word##_time,                           \
     word##_shortest,                       \
     TEXT(word##_key),                      \
     offsetof(scr_contact_def, word##_key), \
     word##_needed,                         \
     word##_elastic,                        \
     word##_choose,                         \
     word##_rebound,                        \
     word##_rebound_key,                    \
     word##_rebound_at,                     \
     word##_bounce,                         \
     word##_describe},
    SCR_LAW_NORMAL(W)
#undef W
};

static const scr_damping_law dampings[] = {
#define W(CHOICE, NAME, word, ...) {#word, word##_rate, word##_said_rate},
    SCR_LAW_DAMPING(W)
#undef W
};

static const scr_cohesion_law cohesions[] = {
#define W(CHOICE, NAME, word, ...) \
    {#word, word##_choose, word##_said, word##_range, word##_pull_off, word##_work, word##_time},
    SCR_LAW_COHESION(W)
#undef W
};

/* ---- laws ---- */

const scr_normal_law *scr_law_normal(const scr_law *law)
{
    return &normals[(int)law->normal];
}

const scr_cohesion_law *scr_law_cohesion(const scr_law *law)
{
    return &cohesions[parts_cohesion(law)];
}

const scr_cohesion_law *scr_cohesion_of_word(int index)
{
    return &cohesions[index];
}

const scr_damping_law *scr_damping_of_word(int index)
{
    return &dampings[index];
}

int scr_law_attracts(const scr_law *law)
{
    return parts_cohesion(law) != SCR_COHESION_NONE;
}

double scr_law_overlap(const scr_law *law, double mass, double radius, double speed)
{
    return scr_law_normal(law)->overlap(law, mass, radius, speed);
}

double scr_law_contact_time(const scr_law *law, double mass, double radius)
{
    return scr_law_normal(law)->time(law, mass, radius);
}

double scr_law_range(const scr_law *law, double radius)
{
    return scr_law_cohesion(law)->range(law, radius);
}

const scr_law_word *scr_law_lacks(const scr_law *law, int trait)
{
    const struct {
        size_t offset;
        int index;
    } has[] = {{offsetof(scr_contact_def, normal), (int)law->normal},
               {offsetof(scr_contact_def, cohesion), (int)parts_cohesion(law)},
               {offsetof(scr_contact_def, damping), parts_damping(law)},
               {offsetof(scr_contact_def, tangential), tangential_word(law)},
               {offsetof(scr_contact_def, rolling), (int)law->rolling},
               {offsetof(scr_contact_def, twisting), (int)law->twisting}};
    for (const scr_law_word *w = scr_law_words; w->choice; w++)
        for (size_t k = 0; k < sizeof has / sizeof *has; k++)
            if (w->offset == has[k].offset && w->index == has[k].index && !(w->traits & trait)) return w;
    return NULL;
}

const scr_law_word *scr_law_word_of(const char *choice, int index)
{
    const scr_law_word *w = scr_law_words;
    while (w->choice && (w->index != index || strcmp(w->choice, choice))) w++;
    return w;
}

/* ---- damping ---- */

double scr_damping_ratio_unclipped(double e)
{
    if (e >= 1) return 0;
    double l = scr_log(e);
    return -l / sqrt(M_PI * M_PI + l * l);
}

double scr_restitution_clipped(double z)
{
    if (z <= 0) return 1;
    if (fabs(z - 1) < 1e-9) return scr_exp(-2);
    if (z < 1) {
        double y = sqrt((1 - z) * (1 + z));
        return scr_exp(-(z / y) * scr_atan2(2 * z * y, 2 * z * z - 1));
    }
    double s = sqrt((z - 1) * (z + 1));
    return scr_exp(-(2 * z / s) * scr_atanh(s / z));
}

double scr_damping_ratio_clipped(double e)
{
    if (e >= 1) return 0;
    double low = 0, high = 1;
    while (scr_restitution_clipped(high) > e) high *= 2;
    for (int k = 0; k < 200 && high - low > 1e-16 * high; k++) {
        double mid = 0.5 * (low + high);
        if (scr_restitution_clipped(mid) > e)
            low = mid;
        else
            high = mid;
    }
    return 0.5 * (low + high);
}
