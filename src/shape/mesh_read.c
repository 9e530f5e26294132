/* STL and OBJ. Binary STL: 80 bytes of anything, the number of facets (32 bits), then 50 bytes per
 * facet: normal, three vertices (32-bit floats), 2 bytes of anything; all little-endian. Text STL:
 * `facet normal nx ny nz`, `outer loop`, three `vertex x y z`, `endloop`, `endfacet`. Normals are not
 * used: they follow from the vertices. OBJ: lines `v x y z` and `f a b c ...` with `a/b/c` in each
 * place, numbers from 1, negative ones from the end. Triangles: nine numbers a line, the three corners, between them
 * blanks, tabs, commas or semicolons; a first line that does not begin with a number is a header, # a comment. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "shape/mesh.h"

#define MOST_FACETS 100000000u

typedef struct {
    scr_mesh *mesh;
    scr_mesh_error *error;
    int line;
} reader;

#define refuse(r, ...) scr_mesh_refuse((r)->error, (r)->line, __VA_ARGS__)
#define no_memory(r)   scr_mesh_no_memory((r)->error, (r)->line)

static bool add_vertex(reader *r, vec3 v)
{
    scr_mesh *m = r->mesh;
    return scr_push(m->vertices, m->vertex_count, v) || no_memory(r);
}

static bool add_facet(reader *r, uint32_t a, uint32_t b, uint32_t c, uint32_t source)
{
    scr_mesh *m = r->mesh;
    if (m->facet_count == MOST_FACETS) return refuse(r, "more than %u facets", MOST_FACETS);
    size_t room = (size_t)m->facet_count + 1;
    if (!scr_reserve(&m->facet, room) || !scr_reserve(&m->source, room)) return no_memory(r);
    m->facet[m->facet_count][0] = a, m->facet[m->facet_count][1] = b;
    m->facet[m->facet_count][2] = c;
    m->source[m->facet_count++] = source;
    return true;
}

/* ---- binary STL ---- */

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes)
{
    uint32_t word = word_at(bytes);
    float f;
    memcpy(&f, &word, sizeof f);
    return (double)f;
}

static bool read_binary(reader *r, const char *bytes, uint32_t count)
{
    for (uint32_t f = 0; f < count; f++) {
        const char *at = bytes + 84 + 50 * (size_t)f + 12;
        for (int k = 0; k < 3; k++, at += 12) {
            vec3 v = {float_at(at), float_at(at + 4), float_at(at + 8)};
            if (!isfinite(v.x + v.y + v.z)) return refuse(r, "facet %u has a vertex that is not finite", f + 1);
            if (!add_vertex(r, v)) return false;
        }
        if (!add_facet(r, 3 * f, 3 * f + 1, 3 * f + 2, f + 1)) return false;
    }
    return true;
}

/* ---- lines of text ---- */

// the next line that has a word, without its end; NULL at the end of the text
static const char *next_line(reader *r, const char **at, const char **end)
{
    while (**at) {
        const char *line = *at, *stop = line + strcspn(line, "\n");
        *at = *stop ? stop + 1 : stop;
        r->line++;
        line += strspn(line, " \t\r");
        if (line >= stop) continue;
        *end = stop;
        return line;
    }
    return NULL;
}

// whether the line starts with this word; then *at is behind it
static bool starts(const char *line, const char *word, const char **at)
{
    size_t n = strlen(word);
    for (size_t k = 0; k < n; k++)
        if ((line[k] | 32) != word[k]) return false;
    if (line[n] && !strchr(" \t\r\n", line[n])) return false;
    *at = line + n;
    return true;
}

static bool read_vertex(reader *r, const char *at, const char *end)
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        char *stop;
        at += strspn(at, " \t");
        v[k] = at < end ? strtod(at, &stop) : NAN;
        if (at >= end || stop == at || stop > end) return refuse(r, "vertex has %d numbers, must have 3", k);
        if (!isfinite(v[k])) return refuse(r, "vertex has a number that is not finite");
        at = stop;
    }
    return add_vertex(r, v3_load(v));
}

/* ---- text STL ---- */

static bool read_text(reader *r, const char *text)
{
    const char *line, *end, *at;
    int corners = -1; // outside a facet
    while ((line = next_line(r, &text, &end))) {
        uint32_t facet = r->mesh->facet_count + 1;
        if (starts(line, "facet", &at)) {
            if (corners >= 0) return refuse(r, "facet %u begins inside another", facet);
            corners = 0;
        } else if (starts(line, "vertex", &at)) {
            if (corners < 0) return refuse(r, "a vertex is outside a facet");
            if (++corners > 3) return refuse(r, "facet %u has more than 3 vertices", facet);
            if (!read_vertex(r, at, end)) return false;
        } else if (starts(line, "endfacet", &at)) {
            if (corners != 3)
                return refuse(r, "facet %u ends with %d vertices, must have 3", facet, corners < 0 ? 0 : corners);
            uint32_t first = r->mesh->vertex_count - 3;
            if (!add_facet(r, first, first + 1, first + 2, facet)) return false;
            corners = -1;
        } else if (!starts(line, "outer", &at) && !starts(line, "endloop", &at) && !starts(line, "solid", &at) &&
                   !starts(line, "endsolid", &at)) {
            return refuse(r, "'%.*s' is not a valid STL line",
                          (int)strcspn(line, " \t\r\n") < 32 ? (int)strcspn(line, " \t\r\n") : 32, line);
        }
    }
    if (corners >= 0) return refuse(r, "facet %u does not end", r->mesh->facet_count + 1);
    return true;
}

static bool read_stl(reader *r, const char *bytes, size_t size)
{
    // a binary file has exactly the size that its count of facets asks for; some begin with `solid`
    uint64_t count = size >= 84 ? word_at(bytes + 80) : 0;
    if (size >= 84 && size == 84 + 50 * count)
        return count <= MOST_FACETS ? read_binary(r, bytes, (uint32_t)count)
                                    : refuse(r, "more than %u facets", MOST_FACETS);
    const char *at, *start = bytes + strspn(bytes, " \t\r\n");
    if (!starts(start, "solid", &at) || memchr(bytes, 0, size)) {
        if (size < 84) return refuse(r, "has %zu bytes, a binary STL file has at least 84", size);
        return refuse(r, "has %zu bytes, but its %llu facets need %llu", size, (unsigned long long)count,
                      (unsigned long long)(84 + 50 * count));
    }
    return read_text(r, bytes);
}

/* ---- OBJ ---- */

// a vertex number of a face: the part before the first slash
static bool read_corner(reader *r, const char **at, uint32_t *corner)
{
    char *stop;
    long long n = strtoll(*at, &stop, 10), count = r->mesh->vertex_count;
    if (stop == *at) return refuse(r, "'%.*s' is not a vertex number", (int)strcspn(*at, " \t\r\n"), *at);
    if (n < 0) n += count + 1;
    if (n < 1 || n > count)
        return refuse(r, "vertex %.*s does not exist, there are %lld so far", (int)strcspn(*at, "/ \t\r\n"), *at,
                      count);
    *corner = (uint32_t)(n - 1);
    *at += strcspn(*at, " \t\r\n");
    return true;
}

static bool read_face(reader *r, const char *at, const char *end, uint32_t face)
{
    uint32_t first = 0, last = 0, corner = 0;
    int n = 0;
    for (at += strspn(at, " \t\r"); at < end && *at != '#'; at += strspn(at, " \t\r"), n++) {
        if (!read_corner(r, &at, &corner)) return false;
        if (n == 0) first = corner;
        if (n >= 2 && !add_facet(r, first, last, corner, face)) return false;
        last = corner;
    }
    return n >= 3 || refuse(r, "face %u has %d vertices, must have at least 3", face, n);
}

static bool read_obj(reader *r, const char *text)
{
    const char *line, *end, *at;
    uint32_t faces = 0;
    while ((line = next_line(r, &text, &end))) {
        if (starts(line, "v", &at) && !read_vertex(r, at, end)) return false;
        if (starts(line, "f", &at) && !read_face(r, at, end, ++faces)) return false;
    }
    return true;
}

/* ---- lines of nine numbers ---- */

static bool read_triangle(reader *r, const char *at, const char *end, uint32_t number)
{
    double v[9];
    int n = 0;
    for (at += strspn(at, " \t,;\r"); at < end && *at != '#'; at += strspn(at, " \t,;\r"), n++) {
        char *stop;
        double x = strtod(at, &stop);
        if (stop == at || stop > end || !strchr(" \t,;\r\n", *stop) || !isfinite(x))
            return refuse(r, "'%.*s' is not a number", (int)strcspn(at, " \t,;\r\n"), at);
        if (n < 9) v[n] = x;
        at = stop;
    }
    if (n != 9) return refuse(r, "triangle %u has %d numbers, must have 9: three corners", number, n);
    uint32_t first = r->mesh->vertex_count;
    for (int k = 0; k < 3; k++)
        if (!add_vertex(r, (vec3){v[3 * k], v[3 * k + 1], v[3 * k + 2]})) return false;
    return add_facet(r, first, first + 1, first + 2, number);
}

static bool read_triangles(reader *r, const char *text)
{
    const char *line, *end;
    uint32_t count = 0;
    bool first = true;
    while ((line = next_line(r, &text, &end))) {
        bool header = first && !strchr("+-.0123456789", *line);
        if (*line == '#') continue;
        first = false;
        if (!header && !read_triangle(r, line, end, ++count)) return false;
    }
    return true;
}

bool scr_mesh_read(const char *bytes, size_t size, scr_mesh_format format, scr_mesh *mesh, scr_mesh_error *error)
{
    *mesh = (scr_mesh){0};
    *error = (scr_mesh_error){0};
    reader r = {.mesh = mesh, .error = error};
    bool ok = format == SCR_MESH_OBJ         ? read_obj(&r, bytes)
              : format == SCR_MESH_TRIANGLES ? read_triangles(&r, bytes)
                                             : read_stl(&r, bytes, size);
    if (ok && !mesh->facet_count) {
        r.line = 0;
        ok = refuse(&r, "has no facets");
    }
    if (!ok) scr_mesh_deinit(mesh);
    return ok;
}
