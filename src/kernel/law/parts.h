/* The files of the words `normal` and `cohesion` of the table: one line each. What a file must define:
 *
 *   of both       WORD_lanes: the force on vector lanes, in those that have the word (kernel/contact.h)
 *   normal only   _power _potential _gap _overlap _depth _time _shortest _key _needed _elastic _choose _rebound
 *                 _bounce _describe: scr_normal_law (kernel/law.h), where _key is the name of a key and _power a number
 *                 _load _secant: force at an overlap, and mean force between two (kernel/potential.h)
 *   cohesion      _choose _said _range _pull_off _work _time: scr_cohesion_law, where _said is `describe`
 *                 _acts: whether a law has it, by its numbers
 *                 _reach: the overlap above which bodies are in contact, from that of the rows before (contact_reach)
 *
 * _needed and _elastic do not see the law: they are asked before its numbers are there. */
#ifndef SCREE_KERNEL_LAW_PARTS_H
#define SCREE_KERNEL_LAW_PARTS_H

#include "kernel/law/hertz.h"
#include "kernel/law/hooke.h"
#include "kernel/law/jkr.h"
#include "kernel/law/linear.h"
#include "kernel/law/plastic.h"

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
