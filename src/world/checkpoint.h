/* Checkpoints: a world on disk, bit for bit.
 *
 * Written by walking the field tables, so that a new field needs no line here. Reading checks
 * everything that a step relies on (finite numbers, indices in range, unique ids), so that no
 * damaged file can make a step read out of bounds.
 *
 * The parts (domain, materials, groups, walls with their faces) are written in the same form into
 * the index of results and into frames. */
#ifndef SCREE_WORLD_CHECKPOINT_H
#define SCREE_WORLD_CHECKPOINT_H

#include "base/h5.h"
#include "world/world.h"

#define SCR_CHECKPOINT_KIND "checkpoint"
/* Rises with every number that a checkpoint must have: of laws (kernel/law/table.h), accounts, the clock, fields. */
#define SCR_CHECKPOINT_VERSION 15 /* older ones have no totals of planes, supports and loads */

/* Writes beside and renames (base/h5.h). The world's contacts must be current. *digest, of the
 * file's bytes, may be NULL. */
scree_status scr_checkpoint_write(const char *path, const scr_world *world, uint64_t *digest, scree_report *report);
/* What it holds, into a file that the caller makes and finishes. */
scree_status scr_checkpoint_put(scr_h5 *file, const scr_world *world);
/* Fills `world`, which must be initialised and empty; on error it is left so that deinit is all it
 * needs. *digest, of the file's bytes, may be NULL. */
scree_status scr_checkpoint_read(const char *path, scr_world *world, uint64_t *digest, scree_report *report);
/* The same where bodies and contacts are in pieces, files of their own, whose rows follow one another: paths and the
 * digests that they must have. */
typedef struct {
    char **paths;
    const int64_t *digests;
    int count;
    struct scr_checkpoint_rows *own; /* NULL: all rows are read */
} scr_checkpoint_pieces;
/* Where several ranks read one checkpoint, the rows of one of them: whole blocks of bodies, and any contacts, whose
 * rows are not looked for. Blocks are those of all bodies. Each file's digest is looked at by one rank. */
typedef struct scr_checkpoint_rows {
    int rank, size;
    size_t first, bodies, contacts; /* found: row of its first body; all bodies; all contacts */
} scr_checkpoint_rows;
scree_status scr_checkpoint_read_pieces(const char *path, const scr_checkpoint_pieces *pieces, scr_world *world,
                                        uint64_t *digest, scree_report *report);
/* What such a piece holds: all rows of bodies and contacts of this world. */
scree_status scr_checkpoint_put_piece(scr_h5 *file, const scr_world *world);
/* Whether an older Scree wrote it, so that this one cannot read it. */
bool scr_checkpoint_is_older(const char *path);
/* Bytes that a checkpoint of this world takes, within a few kilobytes. */
uint64_t scr_checkpoint_size(const scr_world *world);

/* ---- parts ---- */

scree_status scr_domain_write(scr_h5 *file, const scr_world *world);
scree_status scr_domain_read(const scr_h5 *file, scr_world *world);
/* Of a domain that deforms: offsets and speeds, a part of the above; and what else the box remembers. */
scree_status scr_box_shape_write(scr_h5 *file, const scr_domain *domain);
scree_status scr_box_shape_read(const scr_h5 *file, scr_domain *domain);
scree_status scr_box_write(scr_h5 *file, const scr_world *world);
scree_status scr_box_read(const scr_h5 *file, scr_world *world);
/* Materials and groups; names become the names of HDF5 groups. */
scree_status scr_names_write(scr_h5 *file, const scr_world *world);
scree_status scr_names_read(const scr_h5 *file, scr_world *world);
/* Laws of all pairs, none when world->laws is NULL. Reading needs the materials. */
scree_status scr_laws_write(scr_h5 *file, const scr_world *world);
scree_status scr_laws_read(const scr_h5 *file, scr_world *world);
scree_status scr_bond_laws_write(scr_h5 *file, const scr_world *world);
scree_status scr_bond_laws_read(const scr_h5 *file, scr_world *world);
/* Walls and faces, those of meshes only on request. Reading refuses material indices from
 * `material_count` on. */
scree_status scr_walls_write(scr_h5 *file, const scr_world *world, bool with_meshes);
scree_status scr_walls_read(const scr_h5 *file, scr_world *world, int material_count);

/* Stages that were begun: nothing where the run has none. */
scree_status scr_stages_write(scr_h5 *file, const scr_world *world);
scree_status scr_stages_read(const scr_h5 *file, scr_world *world);

/* Planes through which grains are counted. Reading needs the groups. */
scree_status scr_flows_write(scr_h5 *file, const scr_world *world);
scree_status scr_flows_read(const scr_h5 *file, scr_world *world);

/* What inlets and outlets have done; where they are is in the scene. */
scree_status scr_ports_write(scr_h5 *file, const scr_world *world);
scree_status scr_ports_read(const scr_h5 *file, scr_world *world);

/* Parts by name, joints with their state; what joints are is in the scene. */
scree_status scr_parts_write(scr_h5 *file, const scr_world *world);
scree_status scr_parts_read(const scr_h5 *file, scr_world *world);
scree_status scr_joints_write(scr_h5 *file, const scr_world *world);
scree_status scr_joints_read(const scr_h5 *file, scr_world *world);
/* After the table of rigid bodies has been read. */
scree_status scr_rigids_check(const scr_h5 *file, const scr_world *world);

/* Elastic solids, and the mesh of all of them with its border. Reading solids needs the materials, reading
 * the mesh the solids. */
scree_status scr_solids_write(scr_h5 *file, const scr_world *world);
scree_status scr_solids_read(const scr_h5 *file, scr_world *world);
scree_status scr_cell_mesh_write(scr_h5 *file, const scr_world *world);
scree_status scr_cell_mesh_read(const scr_h5 *file, scr_world *world);
uint64_t scr_cell_mesh_size(const scr_world *world); /* bytes, about */
/* After solids, mesh and the tables of cells, links and shells have been read, all numbers finite. */
scree_status scr_cells_check(const scr_h5 *file, const scr_world *world);
/* What supports and loads have felt, by name; what they are is in the scene. */
scree_status scr_loads_write(scr_h5 *file, const scr_world *world);
scree_status scr_loads_read(const scr_h5 *file, scr_world *world);

#endif
