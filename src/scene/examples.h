/* The example scenes of `scree init`: commented, complete, and quick to run. */
#ifndef SCREE_SCENE_EXAMPLES_H
#define SCREE_SCENE_EXAMPLES_H

typedef struct {
    const char *name;
    const char *doc;  /* one line */
    const char *text; /* the scene file */
} scr_example;

/* Ends with a NULL name; the first is the one to begin with. */
extern const scr_example scr_examples[];

/* By name, or NULL. */
const scr_example *scr_example_find(const char *name);

#endif
