/* Quantities of a case, judged (verdict.c), and what is told of each. */
#ifndef SCREE_STUDY_VERDICT_H
#define SCREE_STUDY_VERDICT_H

#include "study/reproduce.h"

typedef enum { SCR_FAILED, SCR_PASSED, SCR_DIFFERS, SCR_OUTCOMES } scr_outcome;

typedef struct {
    bool skipped; /* belongs to a larger set */
    scr_case_set set;
    scr_outcome outcome;
    double measured, reference, tolerance, low, high; /* NAN: absent */
    char why[SCR_EXPRESSION_WHY];
} scr_verdict;

scr_verdict scr_case_judge(const scr_case_work *work, const scr_quantity_def *quantity);

typedef struct {
    int of[SCR_OUTCOMES], skipped;
} scr_score;
void scr_score_add(scr_score *score, const scr_verdict *verdict);

/* As it is printed: name and unit, the reference or the bounds, numbers, and why a difference is expected. */
typedef struct {
    char name[160], wanted[80], measured[32], tolerance[32], source[240], reason[600];
} scr_verdict_text;
scr_verdict_text scr_verdict_words(const scr_item *item, const scr_verdict *verdict);
void scr_verdict_number(double value, char *text, size_t size);
const char *scr_set_name(scr_case_set set);

#endif
