/* The command language of LAMMPS and LIGGGHTS, line by line: words between blanks, & at the end of a line continues it,
 * # begins a comment, ${name} and $x stand for variables, $(...) for arithmetic. What jumps, loops or decides is not
 * followed. */
#ifndef SCREE_SCENE_SCRIPT_H
#define SCREE_SCENE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#define SCR_SCRIPT_WORDS 256

typedef struct {
    char *name, *text;
} scr_script_variable;

typedef struct {
    const char *at; /* rest of the text */
    int line;       /* of the last command: where it begins, */
    int next_line;  /* and where the next one does */
    char *command;  /* variables filled in, cut into words; owned */
    char *words[SCR_SCRIPT_WORDS];
    int count;
    char plain[200]; /* the command as it is written, for messages */
    char why[240];   /* what is wrong with it; "": nothing */
    scr_script_variable *variables;
    int variable_count;
} scr_script;

/* `text` must stay. */
void scr_script_open(scr_script *script, const char *text);
void scr_script_close(scr_script *script);
/* The next command; false at the end. `variable` is done here, and given too. */
bool scr_script_next(scr_script *script);

/* A number: plain, or v_NAME. */
bool scr_script_number(const scr_script *script, const char *word, double *value);

#endif
