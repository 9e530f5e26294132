/* Tree to YAML text (see tree.h): mappings as blocks, everything inside lists in flow style. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/tree.h"

// texts that mean the same without quotes wherever they stand
static bool is_plain(const char *text)
{
    const char *p = text;
    if ((*p == '+' || *p == '-' || *p == '.') && p[1]) p++;
    if (!isalnum((unsigned char)*p) && !(*p == '.' && isdigit((unsigned char)p[1]))) return false;
    for (; *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("_./%^*+- ", *p)) return false;
    return p[-1] != ' ';
}

static void emit_text(FILE *out, const char *text, bool quoted)
{
    if (!quoted && is_plain(text)) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p == '"' || *p == '\\')
            fprintf(out, "\\%c", *p);
        else if (*p < ' ' || *p == 127)
            fprintf(out, "\\x%02x", *p);
        else
            fputc(*p, out);
    }
    fputc('"', out);
}

static void emit_flow(FILE *out, const scr_node *node)
{
    if (node->kind == SCR_NODE_SCALAR || node->kind == SCR_NODE_BAD) {
        if (!node->text || scr_node_is_null(node))
            fputs("null", out);
        else
            emit_text(out, node->text, node->quoted);
        return;
    }
    bool map = node->kind == SCR_NODE_MAP;
    fputc(map ? '{' : '[', out);
    for (int k = 0; k < node->count; k++) {
        if (k) fputs(", ", out);
        if (map) {
            emit_text(out, node->children[k]->key, false);
            fputs(": ", out);
        }
        emit_flow(out, node->children[k]);
    }
    fputc(map ? '}' : ']', out);
}

static void emit_block(FILE *out, const scr_node *map, int indent)
{
    for (int k = 0; k < map->count; k++) {
        const scr_node *child = map->children[k];
        fprintf(out, "%*s", indent, "");
        emit_text(out, child->key, false);
        if (child->kind == SCR_NODE_MAP && child->count) {
            fputs(":\n", out);
            emit_block(out, child, indent + 2);
        } else {
            fputs(": ", out);
            emit_flow(out, child);
            fputc('\n', out);
        }
    }
}

char *scr_tree_text(const scr_node *root)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    if (root->kind == SCR_NODE_MAP)
        emit_block(out, root, 0);
    else
        emit_flow(out, root);
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}
