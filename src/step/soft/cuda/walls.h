/* Contacts with walls on a device: a thread for each body near a wall finds its contacts (collide/touch_text.h) and
 * their forces, which the kernel of tiles adds to those of pairs. */
#ifndef SCREE_STEP_SOFT_CUDA_WALLS_H
#define SCREE_STEP_SOFT_CUDA_WALLS_H

#include "math/exact_text.h"
#include "step/soft/cuda/tile.h"

struct scr_world;

/* The force on a wall is an exact sum in parts (math/exact_text.h): force and torque of one wall. */
#define SOFT_WALL_EXACT (6 * SCR_EXACT_PARTS)

#define SOFT_FEW_FACES 8 /* of a body, which its thread has room for */

typedef struct {
    uint32_t rows;                 /* bodies near walls */
    const uint32_t *start;         /* pairs of each, and the end */
    uint32_t *count;               /* contacts of each that were found */
    double *load;                  /* 6 per pair: force and torque on the body, contact by contact */
    const struct scr_world *world; /* as it is in this step, with arrays of the device */
    void *pairs;                   /* its scr_wall_pairs, likewise */
    double range;                  /* as in scr_pairs */
    const uint8_t *wanted;         /* of each wall: its force is asked for in this step */
    unsigned long long *exact;     /* SOFT_WALL_EXACT per wall */
    uint32_t place;                /* of sums: from here on, one per warp */
    uint32_t many_count;           /* bodies with more than SOFT_FEW_FACES faces, */
    const uint32_t *many;          /* which of the rows they are, */
    void *room;                    /* and SOFT_FINDERS places to look for their contacts in */
} soft_wall_rows;

#define SOFT_FINDERS 1024

/* Which bodies are near walls, found on the device (faces.cu). */
#define SOFT_FACE_CELLS 4096 /* of a face in more of them all bodies know */
typedef struct {
    uint32_t bodies, room; /* room: pairs that there is place for */
    const double *place, *motion;
    double reach, horizon; /* as in soft_list */
    bool halted;
    const struct scr_world *world; /* with walls anchored where they are */
    const int32_t *material;
    int materials;
    const uint32_t *order; /* rows before; NULL: the same */
    const uint32_t *from_of, *from_start;
    const void *from; /* scr_wall_pairs before, */
    void *to;         /* and now */
    uint32_t *of, *start, *many, *many_count;
    unsigned long long *found; /* rows, and their pairs in the lower half */
    /* triangles by cells; no cells: all bodies look at all faces */
    int cells[3];
    double lower[3], per[3];
    double around;                            /* that a body can be from a face which it must know of */
    uint32_t *cell_start, *cell_fill, *entry; /* cells + 1 of both */
    uint32_t *everywhere, *everywhere_count;  /* other faces */
} soft_wall_search;

#ifdef __cplusplus
extern "C" {
#endif

void scr_soft_walls_forces(void *stream, const soft_tile *tile, const soft_wall_rows *rows);
/* Faces into cells: counted, then filled in; and then bodies. */
void scr_soft_walls_sort(void *stream, const soft_wall_search *search, uint32_t faces, bool fill);
void scr_soft_walls_search(void *stream, const soft_wall_search *search);
/* Warps that it is done by, and bytes of a finder's room. */
uint32_t scr_soft_walls_warps(const soft_wall_rows *rows);
size_t scr_soft_walls_room(void);

#ifdef __cplusplus
}
#endif

#endif
