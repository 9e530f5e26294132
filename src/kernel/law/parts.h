/* The files of the words `normal`, `cohesion` and `damping` of the table: one line each. What a file must define:
 *
 *   of both       WORD_lanes: the force on vector lanes, in those that have the word (kernel/contact.h)
 *   normal only   _power _potential _gap _overlap _depth _time _shortest _key _needed _elastic _choose _rebound
 *                 _rebound_key _rebound_at _bounce _describe: scr_normal_law (kernel/law.h), where _key is the name of
 *                 a key, _power a number, _rebound_key a text or NULL and _rebound_at an offset
 *                 _load _secant: force at an overlap, and mean force between two (kernel/potential.h)
 *   cohesion      _choose _said _range _pull_off _work _time: scr_cohesion_law, where _said is `describe`
 *                 _acts: whether a law has it, by its numbers
 *                 _reach: the overlap above which bodies are in contact, from that of the rows before (contact_reach)
 *   damping       _rate _damps _said_rate: scr_damping_law; in viscous.h
 *
 * _needed and _elastic do not see the law: they are asked before its numbers are there. */
#ifndef SCREE_KERNEL_LAW_PARTS_H
#define SCREE_KERNEL_LAW_PARTS_H

#include "kernel/law/hertz.h"
#include "kernel/law/hooke.h"
#include "kernel/law/jkr.h"
#include "kernel/law/linear.h"
#include "kernel/law/none.h"
#include "kernel/law/plastic.h"
#include "kernel/law/tangential.h"
#include "kernel/law/viscous.h"

/* The damper of a law: the last that it has, by its numbers. */
static inline int parts_damping(const scr_law *law)
{
    int word = 0;
#define W(CHOICE, NAME, word_, ...) \
    if (word_##_damps(law)) word = SCR_DAMPING_##NAME;
    SCR_LAW_DAMPING(W)
#undef W
    return word;
}

/* The cohesion of a law: the first that acts. */
static inline scr_cohesion parts_cohesion(const scr_law *law)
{
#define W(CHOICE, NAME, word, ...) \
    if (word##_acts(law)) return SCR_COHESION_##NAME;
    SCR_LAW_COHESION(W)
#undef W
    return SCR_COHESION_NONE;
}

#endif
