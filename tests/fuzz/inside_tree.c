/* Changes to YAML that keep it YAML: half of the inputs of scenes and cases are made by changing the tree that the text
 * is of, the others by changing bytes. What libFuzzer calls a mutator and a cross-over. */
#include "scene/tree.h"
#include "tests/fuzz/inside.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed);

static const char *const words[] = {
    "0",     "-0",       "-1",      "1",    "2",     "3",           "0.5",       "1e-3",
    "1e-9",  "1e-300",   "5e-324",  "1e9",  "1e308", "-1e308",      "nan",       "inf",
    "-inf",  "65536",    "1000",    "1 mm", "1 km",  "1 us",        "1 h",       "30 deg",
    "1 GPa", "1 N/m",    "10 rpm",  "auto", "none",  "true",        "false",     "",
    "x",     "=1/0",     "=R",      "soft", "glass", "variational", "nonsmooth", "elastic",
    "hooke", "hertz",    "box",     "all",  "any",   "2147483648",  "1e19",      "-9223372036854775808",
    "=2*2",  "improved", "1 parsec"};

static uint64_t state;

static unsigned draw(unsigned below)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return below ? (unsigned)((state >> 32) % below) : 0;
}

static int nodes_in(const scr_node *node)
{
    int count = 1;
    for (int k = 0; k < node->count; k++) count += nodes_in(node->children[k]);
    return count;
}

static scr_node *node_at(scr_node *node, int *left)
{
    if (!(*left)--) return node;
    for (int k = 0; k < node->count; k++) {
        scr_node *found = node_at(node->children[k], left);
        if (found) return found;
    }
    return NULL;
}

static scr_node *some_node(scr_node *root)
{
    int left = (int)draw((unsigned)nodes_in(root));
    return node_at(root, &left);
}

static scr_node *copy_of(const scr_node *node)
{
    scr_node *copy = scr_node_create(node->kind, node->text, "fuzz");
    CHECK_INSIDE(copy);
    copy->quoted = node->quoted;
    for (int k = 0; k < node->count; k++)
        CHECK_INSIDE(scr_node_add(copy, node->children[k]->key, copy_of(node->children[k])));
    return copy;
}

static scr_node *new_scalar(const char *text)
{
    scr_node *node = scr_node_create(SCR_NODE_SCALAR, text, "fuzz");
    CHECK_INSIDE(node);
    return node;
}

// `fresh` takes the place and the key of `old`, which is destroyed; the root stays
static void put(scr_node *old, scr_node *fresh)
{
    scr_node *parent = old->parent;
    int k = 0;
    while (parent && parent->children[k] != old) k++;
    if (!parent) {
        scr_node_destroy(fresh);
        return;
    }
    fresh->key = old->key, old->key = NULL;
    fresh->parent = parent;
    parent->children[k] = fresh;
    scr_node_destroy(old);
}

static void take_away(scr_node *node)
{
    scr_node *parent = node->parent;
    if (!parent) return;
    int k = 0;
    while (parent->children[k] != node) k++;
    memmove(parent->children + k, parent->children + k + 1, (size_t)(parent->count - k - 1) * sizeof(scr_node *));
    parent->count--;
    scr_node_destroy(node);
}

static void rename_key(scr_node *root, scr_node *node)
{
    const scr_node *other = some_node(root);
    if (!node->key || !other->key) return;
    char *key = strdup(other->key);
    CHECK_INSIDE(key);
    free(node->key);
    node->key = key;
}

static void scale_number(scr_node *node)
{
    static const double factors[] = {-1, 0.01, 0.5, 0.999, 1.001, 2, 10, 100};
    char *end = NULL, text[200];
    double value = node->text ? strtod(node->text, &end) : 0;
    if (end == node->text) return;
    snprintf(text, sizeof text, "%.6g%.100s", value * factors[draw(8)], end);
    put(node, new_scalar(text));
}

static void wrap(scr_node *node)
{
    scr_node *list = scr_node_create(draw(2) ? SCR_NODE_LIST : SCR_NODE_MAP, NULL, "fuzz");
    CHECK_INSIDE(list);
    int count = 1 + (int)draw(3);
    for (int k = 0; k < count; k++)
        CHECK_INSIDE(scr_node_add(list, list->kind == SCR_NODE_MAP ? words[33 + k] : NULL, copy_of(node)));
    put(node, list);
}

static void add_child(scr_node *node, const scr_node *child)
{
    const char *key = child->key ? child->key : words[draw(sizeof words / sizeof *words)];
    if (node->kind == SCR_NODE_MAP || node->kind == SCR_NODE_LIST)
        CHECK_INSIDE(scr_node_add(node, node->kind == SCR_NODE_MAP ? key : NULL, copy_of(child)));
}

static void change(scr_node *root, scr_node *donor)
{
    scr_node *node = some_node(root);
    const scr_node *other = some_node(donor);
    switch (draw(8)) {
    case 0:
    case 1: put(node, new_scalar(words[draw(sizeof words / sizeof *words)])); break;
    case 2: scale_number(node); break;
    case 3: take_away(node); break;
    case 4: rename_key(root, node); break;
    case 5: put(node, copy_of(other)); break;
    case 6: add_child(node, other); break;
    default: wrap(node); break;
    }
}

static scr_node *tree_of(const uint8_t *data, size_t size)
{
    scree_report report;
    scree_report_init(&report);
    scr_node *root = scr_tree_parse((const char *)data, size, "fuzz", &report);
    scree_report_deinit(&report);
    return root;
}

// the tree as text, or as many bytes of it as there is room for
static size_t put_text(scr_node *root, uint8_t *out, size_t most)
{
    char *text = scr_tree_text(root);
    size_t size = text ? strlen(text) : 0;
    if (size > most) size = most;
    if (size) memcpy(out, text, size);
    free(text);
    scr_node_destroy(root);
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    state = seed * 0x9E3779B97F4A7C15u + 1;
    draw(2);
    scr_node *root = draw(2) ? tree_of(data, size) : NULL;
    if (!root) return LLVMFuzzerMutate(data, size, most);
    int count = 1 + (int)draw(3);
    for (int k = 0; k < count; k++) change(root, root);
    return put_text(root, data, most);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t most, unsigned seed)
{
    state = seed * 0x9E3779B97F4A7C15u + 1;
    scr_node *root = tree_of(a, a_size), *donor = tree_of(b, b_size);
    size_t size = 0;
    if (root && donor) {
        scr_node *node = some_node(root);
        const scr_node *other = some_node(donor);
        if (draw(2))
            put(node, copy_of(other));
        else
            add_child(node, other);
        size = put_text(root, out, most);
    } else {
        scr_node_destroy(root);
    }
    scr_node_destroy(donor);
    return size;
}
