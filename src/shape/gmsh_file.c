/* Sections $Name ... $EndName of words between blanks. Those that are used:
 *
 *   $MeshFormat     version, 0 for text, bytes of a number
 *   $PhysicalNames  count; dimension, tag, "name"
 *   $Entities       (4.1) counts of points, curves, surfaces, volumes; tag, place or bounds, count of physical tags
 *                   and these, count of borders and these
 *   $Nodes          2.x: count; tag, x, y, z
 *                   4.1: blocks, count, least and greatest tag; per block dimension, tag, parametric, count; tags;
 *                   x, y, z and parameters
 *   $Elements       2.x: count; tag, type, count of tags, tags (physical, entity, ...), nodes
 *                   4.1: blocks, count, least and greatest tag; per block dimension, entity, type, count; tag, nodes */
#include "shape/gmsh_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

typedef struct {
    const char *at, *end;
    int line; /* of the last word */
    int next; /* of `at` */
    scr_gmsh_file *file;
    scr_mesh_error *error;
    bool blocks; /* format 4.1 */
} reader;

/* A piece of the text. */
typedef struct {
    const char *text;
    int length;
} word;

#define refuse(r, ...) scr_mesh_refuse((r)->error, (r)->line, __VA_ARGS__)
#define no_memory(r)   scr_mesh_no_memory((r)->error, (r)->line)

/* ---- words and numbers ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// the next word; of no length at the end of the text
static word next_word(reader *r)
{
    while (r->at < r->end && is_blank(*r->at)) r->next += *r->at++ == '\n';
    r->line = r->next;
    word w = {r->at, 0};
    while (r->at < r->end && !is_blank(*r->at)) r->at++;
    w.length = r->at - w.text < 64 ? (int)(r->at - w.text) : 64;
    return w;
}

static bool is(word w, const char *text)
{
    return (size_t)w.length == strlen(text) && !memcmp(w.text, text, strlen(text));
}

static void skip_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n') r->at++;
}

static bool read_integer(reader *r, const char *what, int64_t low, int64_t high, int64_t *value)
{
    word w = next_word(r);
    char *stop;
    long long n = w.length ? strtoll(w.text, &stop, 10) : 0;
    if (!w.length) return refuse(r, "the file ends where %s is expected", what);
    if (stop != r->at) return refuse(r, "%s is '%.*s', must be a whole number", what, w.length, w.text);
    if (n < low || n > high)
        return refuse(r, "%s is '%.*s', must lie in [%" PRId64 ", %" PRId64 "]", what, w.length, w.text, low, high);
    *value = n;
    return true;
}

static bool read_real(reader *r, const char *what, double *value)
{
    word w = next_word(r);
    char *stop;
    if (!w.length) return refuse(r, "the file ends where %s is expected", what);
    *value = strtod(w.text, &stop);
    if (stop != r->at) return refuse(r, "%s is '%.*s', must be a number", what, w.length, w.text);
    return isfinite(*value) || refuse(r, "%s is '%.*s', must be finite", what, w.length, w.text);
}

// a number of things that follow, each of two bytes or more
static bool read_count(reader *r, const char *what, size_t *count)
{
    int64_t n;
    if (!read_integer(r, what, 0, (r->end - r->at) / 2, &n)) return false;
    *count = (size_t)n;
    return true;
}

static bool read_tag(reader *r, const char *what, uint64_t *tag)
{
    int64_t n;
    if (!read_integer(r, what, 1, INT64_MAX, &n)) return false;
    *tag = (uint64_t)n;
    return true;
}

static bool skip_words(reader *r, size_t count, const char *what)
{
    for (size_t k = 0; k < count; k++)
        if (!next_word(r).length) return refuse(r, "the file ends where %s is expected", what);
    return true;
}

/* ---- sections ---- */

static bool read_format(reader *r)
{
    double version;
    int64_t binary, size;
    if (!read_real(r, "the version of the format", &version) ||
        !read_integer(r, "the kind of file (0: text)", 0, 1, &binary) ||
        !read_integer(r, "the size of numbers", 0, 1000, &size))
        return false;
    if (binary) return refuse(r, "is a binary file: save it as text (gmsh -bin 0, or Mesh.Binary = 0)");
    r->blocks = version == 4.1;
    return r->blocks || (version >= 2 && version < 3) ||
           refuse(r, "has the format %g, must be 2.2 or 4.1 (gmsh -format msh41)", version);
}

static bool add_name(reader *r, int dimension, int64_t tag, const char *text, size_t length)
{
    scr_gmsh_file *f = r->file;
    scr_gmsh_tag name = {.dimension = dimension, .tag = tag};
    if (!length || length >= sizeof name.name)
        return refuse(r, "physical name \"%.*s\" has %zu letters, must have 1 to %zu", (int)(length < 64 ? length : 64),
                      text, length, sizeof name.name - 1);
    memcpy(name.name, text, length);
    if (!scr_reserve(&f->names, f->name_count + 1)) return no_memory(r);
    f->names[f->name_count++] = name;
    return true;
}

static bool read_names(reader *r)
{
    size_t count;
    if (!read_count(r, "the number of physical names", &count)) return false;
    for (size_t k = 0; k < count; k++) {
        int64_t dimension, tag;
        if (!read_integer(r, "the dimension of a physical name", 0, 3, &dimension) ||
            !read_integer(r, "the tag of a physical name", 1, INT64_MAX, &tag))
            return false;
        // a name may have blanks: from quotation mark to quotation mark, on one line
        const char *open = r->at + strcspn(r->at, "\"\n"),
                   *close = *open == '"' ? open + 1 + strcspn(open + 1, "\"\n") : open;
        if (*open != '"' || *close != '"') return refuse(r, "a physical name must be in quotation marks");
        r->at = close + 1;
        if (!add_name(r, (int)dimension, tag, open + 1, (size_t)(close - open - 1))) return false;
    }
    return true;
}

static bool read_entity(reader *r, int dimension)
{
    scr_gmsh_file *f = r->file;
    scr_gmsh_tag entity = {.dimension = dimension};
    size_t physical, borders = 0;
    if (!read_integer(r, "the tag of an entity", INT64_MIN, INT64_MAX, &entity.tag) ||
        !skip_words(r, dimension ? 6 : 3, "the place of an entity") ||
        !read_count(r, "the number of physical tags", &physical))
        return false;
    for (size_t k = 0; k < physical; k++) {
        int64_t tag;
        if (!read_integer(r, "a physical tag", INT64_MIN + 1, INT64_MAX, &tag)) return false;
        if (k == 0) entity.physical = tag < 0 ? -tag : tag; // the sign is a direction
    }
    if (dimension &&
        (!read_count(r, "the number of borders of an entity", &borders) || !skip_words(r, borders, "a border")))
        return false;
    if (!scr_reserve(&f->entities, f->entity_count + 1)) return no_memory(r);
    f->entities[f->entity_count++] = entity;
    return true;
}

static bool read_entities(reader *r)
{
    size_t counts[4];
    for (int d = 0; d < 4; d++)
        if (!read_count(r, "a number of entities", &counts[d])) return false;
    for (int d = 0; d < 4; d++)
        for (size_t k = 0; k < counts[d]; k++)
            if (!read_entity(r, d)) return false;
    return true;
}

static bool read_place(reader *r, scr_gmsh_node *node)
{
    return read_real(r, "x of a node", &node->x.x) && read_real(r, "y of a node", &node->x.y) &&
           read_real(r, "z of a node", &node->x.z);
}

static bool room_for_nodes(reader *r, size_t count)
{
    scr_gmsh_file *f = r->file;
    return scr_reserve(&f->nodes, f->node_count + count) || no_memory(r);
}

static bool read_nodes(reader *r)
{
    size_t count;
    if (!read_count(r, "the number of nodes", &count) || !room_for_nodes(r, count)) return false;
    for (size_t k = 0; k < count; k++) {
        scr_gmsh_node *node = &r->file->nodes[r->file->node_count];
        if (!read_tag(r, "the number of a node", &node->tag)) return false;
        node->line = r->line;
        if (!read_place(r, node)) return false;
        r->file->node_count++;
    }
    return true;
}

static bool read_node_block(reader *r)
{
    int64_t dimension, parametric;
    size_t count;
    if (!read_integer(r, "the dimension of a block", 0, 3, &dimension) || !skip_words(r, 1, "the entity of a block") ||
        !read_integer(r, "whether nodes have parameters", 0, 1, &parametric) ||
        !read_count(r, "the number of nodes of a block", &count) || !room_for_nodes(r, count))
        return false;
    scr_gmsh_node *nodes = r->file->nodes + r->file->node_count;
    for (size_t k = 0; k < count; k++) {
        if (!read_tag(r, "the number of a node", &nodes[k].tag)) return false;
        nodes[k].line = r->line;
    }
    for (size_t k = 0; k < count; k++)
        if (!read_place(r, &nodes[k]) || !skip_words(r, parametric ? (size_t)dimension : 0, "a parameter of a node"))
            return false;
    r->file->node_count += count;
    return true;
}

int scr_gmsh_corners(int type)
{
    static const int corners[8] = {0, 0, 3, 4, 4, 8, 6, 5};
    return type >= 0 && type < 8 ? corners[type] : 0;
}

// points and lines are not part of the mesh; others but the simplest are not known
static bool is_ignored(int64_t type)
{
    return type == 15 || type == 1 || type == 8 || (type >= 26 && type <= 28);
}

// the nodes of an element; what is ignored is skipped to the end of its line
static bool read_element(reader *r, uint64_t tag, int64_t type, int64_t physical)
{
    scr_gmsh_file *f = r->file;
    scr_gmsh_element e = {.tag = tag, .type = (int)type, .physical = physical, .line = r->line};
    if (is_ignored(type)) {
        skip_line(r);
        return true;
    }
    int corners = scr_gmsh_corners((int)type);
    if (!corners)
        return refuse(r,
                      "element %" PRIu64 " has the type %" PRId64
                      ", must be a tetrahedron, hexahedron, prism or pyramid of first order (gmsh -order 1)",
                      tag, type);
    for (int k = 0; k < corners; k++) {
        if (!read_tag(r, "a node of an element", &e.nodes[k])) return false;
        for (int j = 0; j < k; j++)
            if (e.nodes[j] == e.nodes[k])
                return refuse(r, "element %" PRIu64 " has node %" PRIu64 " twice", tag, e.nodes[k]);
    }
    if (!scr_reserve(&f->elements, f->element_count + 1)) return no_memory(r);
    f->elements[f->element_count++] = e;
    return true;
}

static bool read_elements(reader *r)
{
    size_t count, tags;
    if (!read_count(r, "the number of elements", &count)) return false;
    for (size_t k = 0; k < count; k++) {
        uint64_t tag;
        int64_t type, physical = 0;
        if (!read_tag(r, "the number of an element", &tag) ||
            !read_integer(r, "the type of an element", 1, 1000, &type) ||
            !read_count(r, "the number of tags of an element", &tags))
            return false;
        if (tags && !read_integer(r, "the physical tag of an element", INT64_MIN + 1, INT64_MAX, &physical))
            return false;
        if (!skip_words(r, tags ? tags - 1 : 0, "a tag of an element") ||
            !read_element(r, tag, type, physical < 0 ? -physical : physical))
            return false;
    }
    return true;
}

static int64_t physical_of(const scr_gmsh_file *f, int64_t dimension, int64_t entity)
{
    for (size_t k = 0; k < f->entity_count; k++)
        if (f->entities[k].dimension == dimension && f->entities[k].tag == entity) return f->entities[k].physical;
    return 0;
}

static bool read_element_block(reader *r)
{
    int64_t dimension, entity, type;
    size_t count;
    if (!read_integer(r, "the dimension of a block", 0, 3, &dimension) ||
        !read_integer(r, "the entity of a block", INT64_MIN, INT64_MAX, &entity) ||
        !read_integer(r, "the type of elements", 1, 1000, &type) ||
        !read_count(r, "the number of elements of a block", &count))
        return false;
    int64_t physical = physical_of(r->file, dimension, entity);
    for (size_t k = 0; k < count; k++) {
        uint64_t tag;
        if (!read_tag(r, "the number of an element", &tag) || !read_element(r, tag, type, physical)) return false;
    }
    return true;
}

// format 4.1: blocks
static bool read_blocks(reader *r, const char *what, bool (*read)(reader *))
{
    size_t blocks, count;
    if (!read_count(r, "the number of blocks", &blocks) || !read_count(r, what, &count) ||
        !skip_words(r, 2, "the range of numbers"))
        return false;
    for (size_t k = 0; k < blocks; k++)
        if (!read(r)) return false;
    size_t found = read == read_node_block ? r->file->node_count : 0;
    return !found || found == count || refuse(r, "there are %zu nodes, but %zu were announced", found, count);
}

static bool read_section(reader *r, word name)
{
    if (is(name, "$MeshFormat")) return read_format(r);
    if (is(name, "$PhysicalNames")) return read_names(r);
    if (is(name, "$Entities") && r->blocks) return read_entities(r);
    if (is(name, "$Nodes")) return r->blocks ? read_blocks(r, "the number of nodes", read_node_block) : read_nodes(r);
    if (is(name, "$Elements"))
        return r->blocks ? read_blocks(r, "the number of elements", read_element_block) : read_elements(r);
    // not used: on to its end
    while (r->at < r->end && *r->at != '$') r->next += *r->at++ == '\n';
    return true;
}

bool scr_gmsh_file_read(const char *bytes, size_t size, scr_gmsh_file *file, scr_mesh_error *error)
{
    *file = (scr_gmsh_file){0};
    *error = (scr_mesh_error){0};
    reader r = {.at = bytes, .end = bytes + size, .next = 1, .file = file, .error = error};
    if (memchr(bytes, 0, size)) return refuse(&r, "is not a text file: it contains a zero byte");
    for (bool first = true;; first = false) {
        word name = next_word(&r), end;
        if (!name.length && !first) return true;
        if (first && !is(name, "$MeshFormat")) return refuse(&r, "is not a gmsh mesh: it must begin with $MeshFormat");
        if (name.text[0] != '$' || !strncmp(name.text, "$End", 4))
            return refuse(&r, "'%.*s' stands where a section is expected", name.length, name.text);
        if (!read_section(&r, name)) return false;
        end = next_word(&r);
        if (end.length != name.length + 3 || strncmp(end.text, "$End", 4) != 0 ||
            strncmp(end.text + 4, name.text + 1, (size_t)name.length - 1) != 0)
            return refuse(&r, "'%.*s' stands where $End%.*s is expected", end.length, end.text, name.length - 1,
                          name.text + 1);
    }
}

void scr_gmsh_file_deinit(scr_gmsh_file *file)
{
    scr_free_all(file->nodes, file->elements, file->names, file->entities);
    *file = (scr_gmsh_file){0};
}
