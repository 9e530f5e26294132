/* Meshes of gmsh: both formats, all kinds of elements, groups; and every way to break a file that we thought of. */
#include "shape/gmsh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"

typedef struct {
    scr_polyhedra mesh;
    scr_gmsh_report report;
    scr_mesh_error error;
    bool ok;
} loaded;

static loaded load(const char *text)
{
    loaded l = {0};
    scr_polyhedra_init(&l.mesh);
    l.ok = scr_gmsh_read(text, strlen(text), &l.mesh, &l.report, &l.error);
    return l;
}

static double volume_of(const scr_polyhedra *m)
{
    scr_cell_shape *cells = calloc(m->cell_count + 1, sizeof *cells);
    scr_face_shape *faces = calloc(m->face_count + 1, sizeof *faces);
    double sum = 0;
    CHECK(scr_polyhedra_shapes(m, cells, faces));
    for (size_t c = 0; c < m->cell_count; c++) sum += cells[c].volume;
    free(cells);
    free(faces);
    return sum;
}

static int links_of(const scr_polyhedra *m)
{
    int n = 0;
    for (size_t f = 0; f < m->face_count; f++) n += m->cells[2 * f + 1] >= 0;
    return n;
}

static int faces_on(const scr_polyhedra *m, const char *side)
{
    int n = 0;
    for (size_t f = 0; f < m->face_count; f++) n += m->side[f] >= 0 && !strcmp(m->sides[m->side[f]], side);
    return n;
}

#define FORMAT2 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"

/* Two cubes side by side along x; the left end is `fixed`, the right one `pulled at`; cubes are `soft` and `hard`. */
#define NODES2                                                           \
    "$Nodes\n12\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0\n" \
    "17 0 0 1\n18 1 0 1\n19 2 0 1\n20 0 1 1\n21 1 1 1\n22 2 1 1\n$EndNodes\n"
#define NAMES                                                                 \
    "$PhysicalNames\n4\n2 1 \"fixed\"\n2 2 \"pulled at\"\n3 3 \"soft\"\n3 4 " \
    "\"hard\"\n$EndPhysicalNames\n"
#define HEX_LEFT  "7 5 2 3 1 1 2 5 4 17 18 21 20\n"
#define HEX_RIGHT "8 5 2 4 1 2 3 6 5 18 19 22 21\n"

static void test_format_2(void)
{
    loaded l = load(FORMAT2 NAMES NODES2 "$Elements\n6\n1 15 2 0 1 1\n2 1 2 0 1 1 2\n"
                                         "3 3 2 1 1 1 17 20 4\n4 3 2 2 1 3 6 22 19\n" HEX_LEFT HEX_RIGHT
                                         "$EndElements\n$NodeData\n1\n\"x\"\n$EndNodeData\n");
    if (!l.ok) printf("line %d: %s\n", l.error.line, l.error.what);
    CHECK(l.ok);
    CHECK_INT(l.mesh.cell_count, 2);
    CHECK_INT(l.mesh.face_count, 11);
    CHECK_INT(links_of(&l.mesh), 1);
    CHECK_NEAR(volume_of(&l.mesh), 2, 1e-14); // 9e-16
    CHECK_INT(faces_on(&l.mesh, "fixed"), 1);
    CHECK_INT(faces_on(&l.mesh, "pulled at"), 1);
    CHECK_INT(faces_on(&l.mesh, "rest"), 8);
    CHECK_INT(l.mesh.group_count, 2);
    CHECK_TEXT(l.mesh.groups[l.mesh.group[0]], "soft");
    CHECK_TEXT(l.mesh.groups[l.mesh.group[1]], "hard");
    CHECK_INT(l.report.turned + l.report.coincident + l.report.inner + l.report.stray + l.report.unused, 0);
    scr_polyhedra_deinit(&l.mesh);
}

// groups and names follow cells when they are sorted; here the second cube comes first in the file
static void test_sorted(void)
{
    loaded l = load(FORMAT2 NAMES NODES2 "$Elements\n2\n" HEX_RIGHT HEX_LEFT "$EndElements\n");
    CHECK(l.ok);
    CHECK_TEXT(l.mesh.groups[l.mesh.group[0]], "hard");
    CHECK(scr_polyhedra_sort(&l.mesh));
    CHECK_TEXT(l.mesh.groups[l.mesh.group[0]], "soft");
    scr_polyhedra_deinit(&l.mesh);
}

static void test_format_4(void)
{
    loaded l = load("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n" NAMES "$Entities\n1 1 2 1\n"
                    "1 0 0 0 0\n1 0 0 0 1 0 0 0 2 1 1\n"
                    "5 0 0 0 0 1 1 1 1 0\n6 2 0 0 2 1 1 1 2 1 1\n9 0 0 0 2 1 1 1 3 2 5 6\n$EndEntities\n"
                    "$Nodes\n2 12 1 22\n0 1 0 1\n1\n0 0 0\n3 9 0 11\n2\n3\n4\n5\n6\n17\n18\n19\n20\n21\n22\n"
                    "1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n0 0 1\n1 0 1\n2 0 1\n0 1 1\n1 1 1\n2 1 1\n$EndNodes\n"
                    "$Elements\n4 5 1 8\n0 1 15 1\n1 1\n2 5 3 1\n3 1 17 20 4\n2 6 3 1\n4 3 6 22 19\n"
                    "3 9 5 2\n7 1 2 5 4 17 18 21 20\n8 2 3 6 5 18 19 22 21\n$EndElements\n");
    if (!l.ok) printf("line %d: %s\n", l.error.line, l.error.what);
    CHECK(l.ok);
    CHECK_INT(l.mesh.cell_count, 2);
    CHECK_NEAR(volume_of(&l.mesh), 2, 1e-14); // 9e-16
    CHECK_INT(faces_on(&l.mesh, "fixed"), 1);
    CHECK_INT(faces_on(&l.mesh, "pulled at"), 1);
    CHECK_INT(l.mesh.group_count, 1);
    CHECK_TEXT(l.mesh.groups[0], "soft");
    scr_polyhedra_deinit(&l.mesh);
}

// a cube cut into a pyramid on its bottom and four tetrahedra, two of them inside out; and a prism on one side
static void test_kinds(void)
{
    static const char nodes[] = "$Nodes\n11\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 "
                                "1\n7 1 1 1\n8 0 1 1\n9 2 0 0\n10 2 1 0\n"
                                "11 9 9 9\n$EndNodes\n";
    static const char elements[] = "$Elements\n7\n1 7 0 1 2 3 4 5\n2 4 0 3 2 5 6\n3 4 0 3 6 7 5\n4 "
                                   "4 0 4 3 5 8\n5 4 0 3 8 5 7\n"
                                   "6 6 0 2 9 6 3 10 7\n7 2 2 1 1 2 3 5\n$EndElements\n";
    char text[2048];
    snprintf(text, sizeof text, FORMAT2 "%s%s", nodes, elements);
    loaded l = load(text);
    // the prism has a quadrangle where two tetrahedra have triangles
    CHECK(!l.ok);
    CHECK_TEXT(l.error.what, "element 6 has a quadrangle where element 3 has a triangle: they do not fit");
    CHECK_INT(l.error.line, 25);
    scr_polyhedra_deinit(&l.mesh);
    strcpy(strstr(text, "6 6 0"), "7 2 2 1 1 2 3 5\n8 2 2 1 1 1 2 11\n$EndElements\n");
    l = load(text);
    if (!l.ok) printf("line %d: %s\n", l.error.line, l.error.what);
    CHECK(l.ok);
    CHECK_NEAR(volume_of(&l.mesh), 1, 1e-15);
    CHECK_INT(links_of(&l.mesh), 5);
    CHECK_INT(l.report.turned, 2);
    CHECK_INT(l.report.unused, 3);
    CHECK_INT(l.report.inner, 1);
    CHECK_INT(l.report.stray, 1);
    scr_polyhedra_deinit(&l.mesh);
    // the prism alone
    l = load(FORMAT2 "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 2\n5 1 0 2\n6 0 1 2\n$EndNodes\n"
                     "$Elements\n1\n1 6 2 0 1 1 2 3 4 5 6\n$EndElements\n");
    CHECK(l.ok);
    CHECK_NEAR(volume_of(&l.mesh), 1, 1e-15);
    CHECK_INT(l.report.turned, 0);
    scr_polyhedra_deinit(&l.mesh);
}

static void broken(const char *text, int line, const char *what)
{
    loaded l = load(text);
    CHECK(!l.ok);
    if (!l.ok && (l.error.line != line || !strstr(l.error.what, what)))
        printf("got line %d: %s\nfor: %s\n", l.error.line, l.error.what, text);
    CHECK(!l.ok && strstr(l.error.what, what));
    CHECK_INT(l.error.line, line);
    scr_polyhedra_deinit(&l.mesh);
}

#define TET_NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"

static void test_broken(void)
{
    broken("", 1, "must begin with $MeshFormat");
    broken("solid x\n", 1, "must begin with $MeshFormat");
    broken("$MeshFormat\n2.2 1 8\n", 2, "binary");
    broken("$MeshFormat\n4 0 8\n$EndMeshFormat\n", 2, "has the format 4, must be 2.2 or 4.1");
    broken("$MeshFormat\n2.2 0 8\n$EndFormat\n", 3, "'$EndFormat' stands where $EndMeshFormat");
    broken("$MeshFormat\n2.2", 2, "the file ends where the kind of file");
    broken(FORMAT2, 0, "has no tetrahedra");
    broken(FORMAT2 "junk\n", 4, "'junk' stands where a section is expected");
    broken(FORMAT2 "$Nodes\n1000000000\n1 0 0 0\n", 5, "the number of nodes is '1000000000', must lie in [0, ");
    broken(FORMAT2 "$Nodes\n-1\n$EndNodes\n", 5, "the number of nodes is '-1'");
    broken(FORMAT2 "$Nodes\nfour\n$EndNodes\n", 5, "must be a whole number");
    broken(FORMAT2 "$Nodes\n2\n1 0 0 0\n1 0 0 1\n$EndNodes\n", 7, "node 1 occurs twice");
    broken(FORMAT2 "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", 6, "y of a node is 'nan', must be finite");
    broken(FORMAT2 "$Nodes\n1\n1 0 0x 0\n$EndNodes\n", 6, "y of a node is '0x', must be a number");
    broken(FORMAT2 "$Nodes\n2\n1 0 0 0\n$EndNodes\n", 7, "the number of a node is '$EndNodes'");
    broken(FORMAT2 TET_NODES "$Elements\n1\n1 4 2 0 1 1 2 3 5\n$EndElements\n", 13,
           "element 1 has node 5, which does not exist");
    broken(FORMAT2 TET_NODES "$Elements\n1\n1 4 2 0 1 1 2 3 3\n$EndElements\n", 13, "element 1 has node 3 twice");
    broken(FORMAT2 TET_NODES "$Elements\n1\n1 11 2 0 1 1 2 3 4 5 6 7 8 9 10\n$EndElements\n", 13,
           "element 1 has the type 11");
    broken(FORMAT2 TET_NODES "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 2 3 1 4\n$EndElements\n", 14,
           "elements 1 and 2 lie on the same side");
    broken(FORMAT2 "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 1 1 0\n$EndNodes\n"
                   "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
           13, "element 1 has no volume");
    broken(FORMAT2 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 -1\n$EndNodes\n"
                   "$Elements\n3\n1 4 0 1 2 3 4\n2 4 0 1 2 3 5\n3 4 0 1 2 3 4\n$EndElements\n",
           16, "elements 1, 2 and 3 share a face");
    // a corner of a cube that is pushed in
    broken(FORMAT2 "$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 0.3 0.3 0.3\n8 0 1 1\n"
                   "$EndNodes\n$Elements\n1\n9 5 0 1 2 3 4 5 6 7 8\n$EndElements\n",
           17, "element 9: cell 0 is not convex");
    broken(FORMAT2 "$PhysicalNames\n1\n2 1 fixed\n$EndPhysicalNames\n", 6, "must be in quotation marks");
    broken(FORMAT2 "$PhysicalNames\n1\n2 1 \"a name of far too many letters\"\n$EndPhysicalNames\n", 6,
           "has 30 letters");
    broken("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 2 1 2\n0 1 0 1\n1\n0 0 0\n$EndNodes\n", 8,
           "there are 1 nodes, but 2 were announced");
}

// cut short or with bytes changed at random: an answer, whatever it is, and no crash
static void test_mangled(void)
{
    static const char good[] =
        FORMAT2 NAMES NODES2 "$Elements\n3\n3 3 2 1 1 1 17 20 4\n" HEX_LEFT HEX_RIGHT "$EndElements\n";
    static const char letters[] = "0123456789 -.$\nEe\"x";
    scr_random r = scr_random_stream(1, 2);
    char text[sizeof good];
    int read = 0, refused = 0;
    for (int k = 0; k < 20000; k++) {
        memcpy(text, good, sizeof good);
        size_t size = sizeof good - 1;
        if (k % 3 == 0) text[size = scr_random_bits(&r) % size] = 0;
        for (int n = (int)(scr_random_bits(&r) % 4); n > 0 && size; n--)
            text[scr_random_bits(&r) % size] = letters[scr_random_bits(&r) % (sizeof letters - 1)];
        loaded l = load(text);
        read += l.ok, refused += !l.ok;
        if (!l.ok && !l.error.what[0]) CHECK(!"an error has words");
        scr_polyhedra_deinit(&l.mesh);
    }
    CHECK(read > 100 && refused > 10000);
}

int main(void)
{
    test_format_2();
    test_sorted();
    test_format_4();
    test_kinds();
    test_broken();
    test_mangled();
    return check_done();
}
