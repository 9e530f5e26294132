/* Cells that are never rebuilt, against brute force: bodies of all sizes enter, move, change carriers and leave, in
 * open and periodic boxes. */
#include "collide/tiles.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "check.h"

enum { CARRIERS = 3, MOST = 1200 };

typedef struct {
    int count;
    double ratio;  /* largest over smallest radius */
    double length; /* of the box */
    double beyond; /* how far bodies may be outside, of the box's length */
    bool periodic[3];
} cloud;

typedef struct {
    vec3 x;
    double radius;
    int carrier; /* -1: nowhere */
} body;

typedef struct {
    scr_domain domain;
    scr_tiles cells;
    body bodies[MOST];
    int count;
    bool good; /* nothing was missing, nothing twice, no stranger */
    size_t found, near;
} box;

static double distance2(const box *b, vec3 x, vec3 y)
{
    double sum = 0;
    const double d[3] = {y.x - x.x, y.y - x.y, y.z - x.z};
    const double *lower = &b->domain.lower.x, *upper = &b->domain.upper.x;
    for (int k = 0; k < 3; k++) {
        double length = upper[k] - lower[k];
        double gap = b->domain.periodic[k] ? d[k] - length * rint(d[k] / length) : d[k];
        sum += gap * gap;
    }
    return sum;
}

static void search(box *b, int carrier, vec3 x, double r)
{
    static uint32_t found[MOST];
    bool told[MOST] = {false};
    size_t n = scr_tiles_near(&b->cells, carrier, x, r, found, MOST);
    b->good &= n <= MOST;
    for (size_t k = 0; k < n && k < MOST; k++) {
        b->good &= found[k] < (uint32_t)b->count && !told[found[k]] && b->bodies[found[k]].carrier == carrier;
        told[found[k]] = true;
    }
    b->found += n;
    for (int k = 0; k < b->count; k++) {
        double reach = r + b->bodies[k].radius;
        if (b->bodies[k].carrier != carrier || distance2(b, x, b->bodies[k].x) >= reach * reach) continue;
        b->near++;
        b->good &= told[k];
    }
    // with too little room only so many are written, but all are counted
    if (n > 1) {
        uint32_t few[2] = {SCR_NO_ROW, SCR_NO_ROW};
        b->good &= scr_tiles_near(&b->cells, carrier, x, r, few, 1) == n && few[1] == SCR_NO_ROW;
    }
}

static vec3 somewhere(const cloud *c, scr_random *r, const scr_domain *d)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        double u = scr_random_unit(r);
        // some on the sides of the box, some beyond
        x[k] = u < 0.02 ? 0 : u > 0.98 ? c->length : scr_random_between(r, -c->beyond, 1 + c->beyond) * c->length;
    }
    return v3_add(d->lower, v3(x[0], x[1], x[2]));
}

static void enter(box *b, uint32_t i, int carrier, vec3 x)
{
    b->bodies[i].carrier = carrier;
    b->bodies[i].x = x;
    CHECK(scr_tiles_enter(&b->cells, i, carrier, x, b->bodies[i].radius));
}

static void search_all(box *b, const cloud *c, scr_random *r)
{
    for (int k = 0; k < 60; k++) {
        const body *a = &b->bodies[(int)(scr_random_unit(r) * b->count)];
        int carrier = (int)(scr_random_unit(r) * CARRIERS);
        bool own = k % 2;
        vec3 x = own ? a->x : somewhere(c, r, &b->domain);
        search(b, carrier, x, a->radius);
        // far around: more cells than there are bodies, in part or all of the box
        if (k < 6) search(b, carrier, x, scr_random_between(r, 0.1, 0.6) * c->length);
        if (k < 2) search(b, carrier, x, k ? 1e24 : 1e300);
    }
}

static void test_cloud(const cloud *c, uint64_t seed)
{
    static box b;
    scr_random r = scr_random_stream(seed, 3);
    b = (box){.count = c->count, .good = true};
    b.domain.lower = v3(-0.7, 0.3, 11);
    b.domain.upper = v3_add(b.domain.lower, v3(c->length, c->length, c->length));
    memcpy(b.domain.periodic, c->periodic, sizeof c->periodic);
    const double small = 0.004, large = small * c->ratio;
    CHECK(scr_tiles_reserve(&b.cells, (size_t)c->count));
    // twice: what was there is forgotten
    for (int round = 0; round < 2; round++) {
        CHECK(scr_tiles_init(&b.cells, &b.domain, small, large));
        for (int k = 0; k < c->count; k++) {
            b.bodies[k].radius = k == 0 ? large : k == 1 ? small : small * pow(c->ratio, scr_random_unit(&r));
            enter(&b, (uint32_t)k, k % CARRIERS, somewhere(c, &r, &b.domain));
        }
        search_all(&b, c, &r);
    }
    for (int turn = 0; turn < 6; turn++) {
        for (int k = 0; k < c->count; k++) {
            body *a = &b.bodies[k];
            double u = scr_random_unit(&r);
            if (u < 0.1 || a->carrier < 0) {
                if (a->carrier >= 0) scr_tiles_leave(&b.cells, (uint32_t)k, a->radius);
                a->carrier = -1;
                if (scr_random_unit(&r) < 0.5)
                    enter(&b, (uint32_t)k, (int)(u * 1e6) % CARRIERS, somewhere(c, &r, &b.domain));
            } else {
                double way = u < 0.2 ? c->length : a->radius;
                for (int d = 0; d < 3; d++) (&a->x.x)[d] += scr_random_between(&r, -way, way);
                CHECK(scr_tiles_move(&b.cells, (uint32_t)k, a->carrier, a->x, a->radius));
            }
        }
        search_all(&b, c, &r);
    }
    CHECK(b.good);
    CHECK(b.near > 30);
    printf("ratio %g: %.2f looked at for each that is near\n", c->ratio, (double)b.found / (double)b.near);
    scr_tiles_deinit(&b.cells);
}

// an axis has an end somewhere: what is beyond is found nevertheless
static void test_far(void)
{
    static box b;
    b = (box){.count = 4, .good = true};
    b.domain.upper = v3(1, 1, 1);
    CHECK(scr_tiles_reserve(&b.cells, 4));
    CHECK(scr_tiles_init(&b.cells, &b.domain, 0.004, 0.004));
    const double far[4] = {-5000, 5000, -1048.575, 1048.575};
    for (uint32_t k = 0; k < 4; k++) {
        b.bodies[k].radius = 0.004;
        enter(&b, k, 0, v3(far[k], far[3 - k], 0));
    }
    for (uint32_t k = 0; k < 4; k++) search(&b, 0, b.bodies[k].x, 0.004);
    CHECK(b.good);
    CHECK_INT(b.near, 4);
    scr_tiles_deinit(&b.cells);
}

int main(void)
{
    const cloud clouds[] = {
        {.count = 2, .ratio = 1, .length = 0.01},
        {.count = 300, .ratio = 1, .length = 0.1},
        {.count = 1200, .ratio = 1.3, .length = 0.2, .beyond = 0.2},
        {.count = 1000, .ratio = 30, .length = 0.5, .beyond = 0.1},
        {.count = 1000, .ratio = 30, .length = 0.5, .periodic = {true, true, true}},
        {.count = 800, .ratio = 5, .length = 0.15, .beyond = 0.5, .periodic = {true, false, false}},
        {.count = 800, .ratio = 3, .length = 0.1, .beyond = 2.5, .periodic = {false, true, true}},
        {.count = 40, .ratio = 30, .length = 0.3, .periodic = {true, true, false}},
    };
    for (size_t k = 0; k < sizeof clouds / sizeof *clouds; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) test_cloud(&clouds[k], seed);
    test_far();
    return check_done();
}
