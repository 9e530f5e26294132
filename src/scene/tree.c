/* Nodes of a scene's tree: making, finding, naming them (see tree.h). Parsing is in parse.c,
 * writing in emit.c. */
#include "scene/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

scr_node *scr_node_create(scr_node_kind kind, const char *text, const char *file)
{
    scr_node *node = calloc(1, sizeof *node);
    if (!node) return NULL;
    node->kind = kind;
    node->file = file;
    if (text && !(node->text = strdup(text))) {
        free(node);
        return NULL;
    }
    return node;
}

void scr_node_destroy(scr_node *node)
{
    if (!node) return;
    for (int k = 0; k < node->count; k++) scr_node_destroy(node->children[k]);
    free(node->children);
    free(node->text);
    free(node->key);
    free(node->path);
    free(node);
}

static bool reserve_child(scr_node *parent)
{
    if (parent->count < parent->capacity) return true;
    int capacity = parent->capacity ? 2 * parent->capacity : 4;
    scr_node **grown = realloc(parent->children, (size_t)capacity * sizeof *grown);
    if (!grown) return false;
    parent->children = grown;
    parent->capacity = capacity;
    return true;
}

bool scr_node_add(scr_node *parent, const char *key, scr_node *child)
{
    char *copy = key ? strdup(key) : NULL;
    if ((key && !copy) || !reserve_child(parent)) {
        free(copy);
        scr_node_destroy(child);
        return false;
    }
    free(child->key);
    child->key = copy;
    child->parent = parent;
    parent->children[parent->count++] = child;
    return true;
}

scr_node *scr_node_child(const scr_node *map, const char *key)
{
    if (!map || map->kind != SCR_NODE_MAP) return NULL;
    for (int k = 0; k < map->count; k++)
        if (!strcmp(map->children[k]->key, key)) return map->children[k];
    return NULL;
}

bool scr_node_is_null(const scr_node *node)
{
    return node->kind == SCR_NODE_SCALAR && !node->quoted &&
           (!node->text[0] || !strcmp(node->text, "~") || !strcmp(node->text, "null"));
}

static int index_in_parent(const scr_node *node)
{
    for (int k = 0; k < node->parent->count; k++)
        if (node->parent->children[k] == node) return k;
    return 0;
}

const char *scr_node_path(scr_node *node)
{
    if (node->path) return node->path;
    if (!node->parent) return "";
    const char *above = scr_node_path(node->parent);
    const char *dot = above[0] ? "." : "";
    int size = node->key ? asprintf(&node->path, "%s%s%s", above, dot, node->key)
                         : asprintf(&node->path, "%s%s%d", above, dot, index_in_parent(node));
    if (size < 0) node->path = NULL;
    return node->path ? node->path : "";
}

scree_place scr_node_place(scr_node *node)
{
    return (scree_place){node->file, node->line, node->column, scr_node_path(node)};
}

scree_place scr_node_key_place(scr_node *node)
{
    if (!node->key_line) return scr_node_place(node);
    return (scree_place){node->file, node->key_line, node->key_column, scr_node_path(node)};
}

scr_quoted scr_quote(const char *text)
{
    scr_quoted q;
    const size_t most = sizeof q.text - 6;
    size_t n = 0;
    q.text[n++] = '\'';
    const char *p = text;
    for (; *p && n < most; p++) q.text[n++] = (unsigned char)*p < ' ' || *p == 127 ? ' ' : *p;
    if (*p) {
        // cut between characters, not inside one
        while (n > 1 && ((unsigned char)q.text[n - 1] & 0xc0) == 0x80) n--;
        if (n > 1 && ((unsigned char)q.text[n - 1] & 0x80)) n--;
        for (int k = 0; k < 3; k++) q.text[n++] = '.';
    }
    q.text[n++] = '\'';
    q.text[n] = 0;
    return q;
}

scr_quoted scr_node_quote(const scr_node *node)
{
    if (node->kind == SCR_NODE_SCALAR && !scr_node_is_null(node)) return scr_quote(node->text);
    scr_quoted q;
    if (node->kind == SCR_NODE_LIST)
        snprintf(q.text, sizeof q.text, "a list of %d", node->count);
    else if (node->kind == SCR_NODE_MAP)
        snprintf(q.text, sizeof q.text, "a mapping of %d keys", node->count);
    else
        snprintf(q.text, sizeof q.text, "empty");
    return q;
}
