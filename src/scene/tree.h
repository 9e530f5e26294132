/* The tree behind a scene: what YAML says, without any idea of what it means.
 *
 * Scalars are plain text (the parameter tables decide what a text means), and every node knows
 * where it was written. The YAML reader (libfyaml) is used in tree.c and nowhere else. We read the
 * part of YAML that a scene needs: one document of mappings, lists and scalars. Anchors, aliases,
 * merge keys, tags and further documents are refused with a message. */
#ifndef SCREE_SCENE_TREE_H
#define SCREE_SCENE_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef enum {
    SCR_NODE_SCALAR,
    SCR_NODE_LIST,
    SCR_NODE_MAP,
    SCR_NODE_BAD, /* already reported as an error: readers pass over it in silence */
} scr_node_kind;

typedef struct scr_node {
    scr_node_kind kind;
    bool quoted;      /* a scalar in quotes or a block scalar */
    char *text;       /* of a scalar, else NULL */
    char *key;        /* in a mapping, else NULL */
    const char *file; /* name used in messages; outlives the tree */
    int line, column; /* of the value, from 1; 0 = unknown */
    int key_line, key_column;
    struct scr_node *parent;
    struct scr_node **children; /* of a list or mapping, in the order written */
    int count, capacity;
    char *path;  /* dotted, made when first asked for */
    bool faulty; /* something in this item was reported while reading: spare it checks that build on
                    it */
} scr_node;

/* Most bytes, values and levels of nesting of one scene. Bulk data belongs into a table file. */
#define SCR_TREE_BYTES ((size_t)64 << 20)
#define SCR_TREE_NODES 200000
#define SCR_TREE_DEPTH 32

/* Parses YAML text. NULL when it is not YAML at all or memory is exhausted. Other errors (duplicate
 * keys, anchors, ...) are reported too and leave a tree, so that the caller can go on and find
 * more. `file` must outlive the tree. An empty text gives an empty scalar. */
scr_node *scr_tree_parse(const char *text, size_t size, const char *file, scree_report *report);

/* Whether the text is UTF-8 without control characters; reports where it is not. */
bool scr_text_is_clean(const char *text, size_t size, const char *file, scree_report *report);

scr_node *scr_node_create(scr_node_kind kind, const char *text, const char *file);
void scr_node_destroy(scr_node *node); /* with all below it; the parent is not touched */

/* Appends a child (key NULL in lists, copied). The parent owns it then; on failure (memory) the
 * child is destroyed and false returned. */
bool scr_node_add(scr_node *parent, const char *key, scr_node *child);

/* Child of a mapping by key, or NULL. */
scr_node *scr_node_child(const scr_node *map, const char *key);

/* A scalar that says nothing: `key:`, `~` or `null`. */
bool scr_node_is_null(const scr_node *node);

/* Dotted path from the root, "" for the root itself. */
const char *scr_node_path(scr_node *node);
/* Where the value is written; where its key is. */
scree_place scr_node_place(scr_node *node);
scree_place scr_node_key_place(scr_node *node);

/* The tree as YAML text that parses back to the same tree; NULL when memory is exhausted. Caller
 * frees. */
char *scr_tree_text(const scr_node *root);

/* A value for a message: at most a few dozen characters of it, in quotes, without control
 * characters. */
typedef struct {
    char text[64];
} scr_quoted;
scr_quoted scr_quote(const char *text);
/* The same of a node: its text, or what kind of thing it is. */
scr_quoted scr_node_quote(const scr_node *node);

#endif
