#include "collide/wall_pairs.h"

#include "base/memory.h"
#include "collide/pairs.h"

void scr_wall_pairs_deinit(scr_wall_pairs *p)
{
    void *const arrays[] = {p->body, p->face, p->law, p->touch, p->history, p->wide, p->record};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) scr_memory_free(arrays[k]);
    *p = (scr_wall_pairs){0};
}

#define RESERVE(array, capacity, count, width)                                                     \
    scr_memory_reserve(&(array), &(capacity), (count), 0, (width) * sizeof *(array))

bool scr_wall_pairs_reserve(scr_wall_pairs *p, size_t count, bool wide)
{
    size_t room = count + count / 8 + 8, c[5];
    for (int k = 0; k < 5; k++) c[k] = p->capacity;
    bool ok = RESERVE(p->body, c[0], room, 1) && RESERVE(p->face, c[1], room, 1) &&
              RESERVE(p->law, c[2], room, 1) && RESERVE(p->touch, c[3], room, 1) &&
              RESERVE(p->history, c[4], room, 4);
    if (ok) p->capacity = c[0];
    return ok && (!wide || RESERVE(p->wide, p->wide_capacity, room, 8));
}

bool scr_walls_search(scr_wall_finder *f, const scr_world *w, uint32_t i, double reach)
{
    const double *x = w->bodies.anchor + 4 * (size_t)i;
    if (w->bodies.motion[4 * (size_t)i + 3] == 0) return true;
    for (int k = 0; k < w->face_count; k++) {
        // the wall where it was when the bodies were anchored, so that a restart makes the same list
        scr_face face = w->faces[k];
        face.point = v3_add(face.rest, w->walls[face.wall].anchor);
        vec3 normal;
        if (scr_face_distance(&face, v3_load(x), &normal) >= x[3] + reach) continue;
        if (f->count == f->capacity &&
            !scr_memory_reserve(&f->found, &f->capacity, f->count + 64 + f->count / 8, f->count,
                                2 * sizeof *f->found))
            return false;
        f->found[2 * f->count] = i;
        f->found[2 * f->count++ + 1] = (uint32_t)k;
    }
    return true;
}

void scr_wall_pairs_place(scr_pairs *p, const scr_world *w, const scr_wall_finder *f,
                          uint32_t first)
{
    scr_wall_pairs *q = &p->walls;
    for (size_t k = 0; k < f->count; k++) {
        size_t to = first + k;
        uint32_t i = f->found[2 * k], face = f->found[2 * k + 1];
        q->body[to] = i;
        q->face[to] = face;
        q->law[to] =
            (uint16_t)(w->bodies.material[i] * w->material_count + w->faces[face].material);
        q->touch[to] = scr_pairs_match(p, w, i, -1 - (int64_t)face, q->history + 4 * to,
                                       q->wide ? q->wide + 8 * to : NULL);
    }
}
