#include "step/equilibrium/tangent.h"

#include <math.h>
#include <string.h>

#include "base/buffer.h"

static const char what[] = "the tangent of solids";

static uint32_t link_cell(const scr_world *w, size_t link, int side)
{
    return (uint32_t)w->links.cell[2 * link + (size_t)side];
}

static uint32_t other_cell(const scr_world *w, size_t link, uint32_t cell)
{
    uint32_t a = link_cell(w, link, 0);
    return a == cell ? link_cell(w, link, 1) : a;
}

static bool holds(const scr_world *w, size_t link)
{
    return w->links.fate[link] == SCR_LINK_HOLDS;
}

static const scr_solid *solid_of(const scr_world *w, size_t cell)
{
    return &w->solids[w->cells.solid[cell]];
}

/* ---- pattern ---- */

static bool number_motions(scr_tangent *t)
{
    const scr_cells *c = &t->world->cells;
    t->number = SCR_TAKE(&t->arena, int64_t, 6 * c->table.count);
    if (!t->number) return false;
    for (size_t k = 0; k < c->table.count; k++)
        for (size_t d = 0; d < 6; d++) t->number[6 * k + d] = c->held[k] >> d & 1 ? -1 : (int64_t)t->size++;
    return true;
}

static bool sort_links(scr_tangent *t)
{
    const scr_world *w = t->world;
    size_t cells = w->cells.table.count, links = w->links.table.count;
    t->first = SCR_TAKE(&t->arena, uint32_t, cells + 2);
    t->of = SCR_TAKE(&t->arena, uint32_t, 2 * links);
    if (t->arena.failed) return false;
    for (size_t l = 0; l < links; l++)
        for (int side = 0; side < 2 && holds(w, l); side++) t->first[link_cell(w, l, side) + 2]++;
    for (size_t k = 2; k < cells + 2; k++) t->first[k] += t->first[k - 1];
    for (size_t l = 0; l < links; l++)
        for (int side = 0; side < 2 && holds(w, l); side++) t->of[t->first[link_cell(w, l, side) + 1]++] = (uint32_t)l;
    return true;
}

// adds a number to a rising list without repetition
static size_t insert(uint32_t *list, size_t count, uint32_t value)
{
    size_t k = count;
    while (k > 0 && list[k - 1] > value) k--;
    if (k > 0 && list[k - 1] == value) return count;
    memmove(list + k + 1, list + k, (count - k) * sizeof *list);
    list[k] = value;
    return count + 1;
}

// the eps or kap of this cell depends on all its neighbours and so joins them
static bool joins(const scr_world *w, size_t cell)
{
    return solid_of(w, cell)->thickness > 0 || scr_cell_lambda(w, cell) != 0;
}

// cells from this one on whose rows have entries in its columns
static size_t column_of(const scr_tangent *t, uint32_t cell, uint32_t *list)
{
    const scr_world *w = t->world;
    size_t count = insert(list, 0, cell);
    for (uint32_t i = t->first[cell]; i < t->first[cell + 1]; i++) {
        uint32_t near = other_cell(w, t->of[i], cell);
        if (near > cell) count = insert(list, count, near);
        for (uint32_t j = t->first[near]; joins(w, near) && j < t->first[near + 1]; j++) {
            uint32_t far = other_cell(w, t->of[j], near);
            if (far > cell) count = insert(list, count, far);
        }
    }
    return count;
}

static size_t most_links(const scr_tangent *t)
{
    size_t most = 0;
    for (size_t k = 0; k < t->world->cells.table.count; k++) {
        size_t degree = t->first[k + 1] - t->first[k];
        if (degree > most) most = degree;
    }
    return most;
}

static bool list_blocks(scr_tangent *t)
{
    size_t cells = t->world->cells.table.count, most = most_links(t), count = 0;
    uint32_t *list = scr_memory_new(most * (most + 1) + 2, sizeof *list);
    t->block_first = SCR_TAKE(&t->arena, uint32_t, cells + 1);
    t->members = SCR_TAKE(&t->arena, uint32_t, most + 1);
    t->gather = SCR_TAKE(&t->arena, double, 6 * (most + 1));
    bool good = list && !t->arena.failed;
    for (uint32_t k = 0; k < cells && good; k++) {
        size_t more = column_of(t, k, list);
        good = scr_reserve(&t->block_cell, count + more);
        if (good) memcpy(t->block_cell + count, list, more * sizeof *list);
        count += more;
        t->block_first[k + 1] = (uint32_t)count;
    }
    scr_memory_free(list);
    t->block_at = SCR_TAKE(&t->arena, int64_t, 6 * count);
    return good && !t->arena.failed;
}

// number of the first free motion of a cell from `from` on, or -1
static int64_t first_free(const scr_tangent *t, size_t cell, size_t from)
{
    for (size_t d = from; d < 6; d++)
        if (t->number[6 * cell + d] >= 0) return t->number[6 * cell + d];
    return -1;
}

static int64_t free_count(const scr_tangent *t, size_t cell, size_t from)
{
    int64_t count = 0;
    for (size_t d = from; d < 6; d++) count += t->number[6 * cell + d] >= 0;
    return count;
}

// places of all entries; with `rows` (NULL: only count them) also their rows
static int64_t place_entries(scr_tangent *t, int64_t *first, int64_t *rows)
{
    int64_t place = 0;
    for (size_t k = 0; k < t->world->cells.table.count; k++)
        for (size_t c = 0; c < 6; c++) {
            int64_t column = t->number[6 * k + c];
            if (column < 0) continue;
            first[column] = place;
            for (uint32_t b = t->block_first[k]; b < t->block_first[k + 1]; b++) {
                size_t cell = t->block_cell[b], from = cell == k ? c : 0;
                int64_t row = first_free(t, cell, from), count = free_count(t, cell, from);
                t->block_at[6 * (size_t)b + c] = place - row;
                for (int64_t n = 0; rows && n < count; n++) rows[place + n] = row + n;
                place += count;
            }
        }
    first[t->size] = place;
    return place;
}

static scree_status make_sparse(scr_tangent *t, double memory, scree_report *report)
{
    scr_arena arena = {0};
    int64_t *first = SCR_TAKE(&arena, int64_t, t->size + 1), *rows = NULL;
    if (first) rows = SCR_TAKE(&arena, int64_t, (size_t)place_entries(t, first, NULL));
    scree_status status = scr_arena_status(&arena, report, what);
    if (!status) {
        place_entries(t, first, rows);
        status = scr_sparse_create(t->size, first, rows, memory, &t->sparse, report);
    }
    scr_arena_deinit(&arena);
    return status;
}

scree_status scr_tangent_create(scr_tangent *t, const scr_world *w, double memory, scree_report *report)
{
    *t = (scr_tangent){.world = w};
    size_t links = w->links.table.count;
    t->swelling = SCR_TAKE(&t->arena, double, 2 * SCR_LINK_DOFS * links);
    t->bending = SCR_TAKE(&t->arena, double, w->shells.table.count ? SCR_LINK_DOFS *links : 0);
    if (t->arena.failed || !number_motions(t) || !sort_links(t) || !list_blocks(t)) {
        scr_tangent_deinit(t);
        return scr_no_memory(report, "%s", what);
    }
    scree_status status = memory < 0 ? SCREE_OK : make_sparse(t, memory, report);
    if (status) scr_tangent_deinit(t);
    return status;
}

void scr_tangent_deinit(scr_tangent *t)
{
    scr_sparse_destroy(t->sparse);
    scr_buffer_free(t->block_cell);
    scr_arena_deinit(&t->arena);
    *t = (scr_tangent){0};
}

/* ---- where entries go ---- */

/* Into the matrix and the forces of motions that are given, or into sums of sizes. */
typedef struct {
    const scr_tangent *t;
    double *values;
    const double *given;
    double *force;
    double *sums; /* instead of the matrix */
} sink;

// the block of the rows of cell i in the columns of cell j <= i
static const int64_t *block_of(const scr_tangent *t, uint32_t i, uint32_t j)
{
    uint32_t low = t->block_first[j], high = t->block_first[j + 1];
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (t->block_cell[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return t->block_at + 6 * (size_t)low;
}

// adds the 6 x 6 block (i, j), i >= j; its mirror image is not given where they differ
static void add_block(const sink *to, uint32_t i, uint32_t j, const double k[6][6])
{
    const scr_tangent *t = to->t;
    const int64_t *row = t->number + 6 * (size_t)i, *column = t->number + 6 * (size_t)j;
    if (to->sums) {
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++) {
                if (row[r] >= 0) to->sums[row[r]] += fabs(k[r][c]);
                if (i != j && column[c] >= 0) to->sums[column[c]] += fabs(k[r][c]);
            }
        return;
    }
    const int64_t *at = block_of(t, i, j);
    for (int c = 0; c < 6; c++)
        for (int r = 0; r < 6; r++)
            if (column[c] >= 0 && row[r] >= column[c]) to->values[at[c] + row[r]] += k[r][c];
    if (!to->given) return;
    const double *di = to->given + 6 * (size_t)i, *dj = to->given + 6 * (size_t)j;
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) {
            if (row[r] >= 0 && column[c] < 0) to->force[row[r]] -= k[r][c] * dj[c];
            if (i != j && row[r] < 0 && column[c] >= 0) to->force[column[c]] -= k[r][c] * di[r];
        }
}

/* ---- parts ---- */

// how it swells its cells, and what their pressures make of that
static void set_swelling(const scr_world *w, size_t l, scr_link_now *now)
{
    const scr_cells *c = &w->cells;
    size_t a = link_cell(w, l, 0), b = link_cell(w, l, 1);
    double pa = scr_cell_lambda(w, a) * c->bulk[2 * a + 1], pb = scr_cell_lambda(w, b) * c->bulk[2 * b + 1];
    now->pressure = 0.5 * now->area * (pa + pb);
    const double *share = w->links.share + 4 * l;
    vec3 all = v3_scale(now->area, v3_load(w->links.frame + 6 * l));
    vec3 g = v3_axpy(v3_scale(share[3], all), now->area, v3_load(share));
    quat qa = scr_cell_turn(c, a), qb = scr_cell_turn(c, b);
    for (int side = 0; side < 2; side++) {
        vec3 of = side ? v3_sub(all, g) : g;
        now->swell_a[side] = quat_turn(qa, of), now->swell_b[side] = quat_turn(qb, of);
    }
    now->push_a = v3_axpy(v3_scale(pa, now->swell_a[0]), pb, now->swell_a[1]);
    now->push_b = v3_axpy(v3_scale(pa, now->swell_b[0]), pb, now->swell_b[1]);
}

static scr_link_now link_now(const scr_world *w, size_t l)
{
    const scr_links *links = &w->links;
    const scr_cells *c = &w->cells;
    size_t a = link_cell(w, l, 0), b = link_cell(w, l, 1);
    quat qa = scr_cell_turn(c, a), qb = scr_cell_turn(c, b);
    vec3 ra = v3_load(links->arm + 6 * l), rb = v3_load(links->arm + 6 * l + 3);
    vec3 axes[3] = {v3_load(links->frame + 6 * l), v3_load(links->frame + 6 * l + 3)};
    vec3 way = v3_sub(v3_load(c->displacement + 4 * b), v3_load(c->displacement + 4 * a));
    axes[2] = v3_cross(axes[0], axes[1]);
    scr_link_now now = {.arm_a = quat_turn(qa, ra),
                        .arm_b = quat_turn(qb, rb),
                        .gap = v3_add(way, v3_sub(scr_turn_less_one(qb, rb), scr_turn_less_one(qa, ra))),
                        .line = v3_add(way, v3_sub(ra, rb)),
                        .area = links->area[l],
                        .centre_line = solid_of(w, a)->normal == SCR_LINK_CENTRE_LINE,
                        .shell = solid_of(w, a)->thickness > 0};
    for (int k = 0; k < 3; k++) {
        now.axes_a[k] = quat_turn(qa, axes[k]);
        now.axes_b[k] = quat_turn(qb, axes[k]);
    }
    memcpy(now.stiff, links->stiff + 4 * l, sizeof now.stiff);
    set_swelling(w, l, &now);
    if (!now.shell) return now;
    const scr_shells *s = &w->shells;
    now.director_a = quat_turn(qa, v3_load(s->director + 4 * a));
    now.director_b = quat_turn(qb, v3_load(s->director + 4 * b));
    now.moment = 0.5 * links->area[l] *
                 (s->director[4 * a + 3] * s->bend[2 * a + 1] / s->bend[2 * a] +
                  s->director[4 * b + 3] * s->bend[2 * b + 1] / s->bend[2 * b]);
    return now;
}

static void add_link(const sink *to, size_t l)
{
    const scr_tangent *t = to->t;
    scr_link_now now = link_now(t->world, l);
    scr_link_matrix h;
    scr_link_hessian(&now, h);
    for (int side = 0; side < 2; side++)
        scr_link_swelling(&now, side, t->swelling + SCR_LINK_DOFS * (2 * l + (size_t)side));
    if (now.shell) scr_link_bending(&now, t->bending + SCR_LINK_DOFS * l);
    double aa[6][6], bb[6][6], ba[6][6];
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 6; c++) aa[r][c] = h[r][c], bb[r][c] = h[6 + r][6 + c], ba[r][c] = h[6 + r][c];
    uint32_t a = link_cell(t->world, l, 0), b = link_cell(t->world, l, 1);
    add_block(to, a, a, aa);
    add_block(to, b, b, bb);
    add_block(to, b, a, ba);
}

// cells that take part in a cell's g or h, and their parts; `sides`: a link has one gradient for both its cells, or two
static size_t gather(const scr_tangent *t, uint32_t cell, const double *gradients, size_t sides)
{
    size_t count = 1;
    t->members[0] = cell;
    memset(t->gather, 0, 6 * sizeof *t->gather);
    for (uint32_t i = t->first[cell]; i < t->first[cell + 1]; i++) {
        size_t l = t->of[i], k = 1;
        uint32_t near = other_cell(t->world, l, cell);
        while (k < count && t->members[k] != near) k++;
        if (k == count) {
            t->members[count++] = near;
            memset(t->gather + 6 * k, 0, 6 * sizeof *t->gather);
        }
        bool first = link_cell(t->world, l, 0) == cell;
        const double *g = gradients + SCR_LINK_DOFS * (sides * l + (first ? 0 : sides - 1));
        for (size_t d = 0; d < 6; d++) {
            t->gather[d] += g[first ? d : 6 + d];
            t->gather[6 * k + d] += g[first ? 6 + d : d];
        }
    }
    return count;
}

// s g g^T
static void add_rank_one(const sink *to, uint32_t cell, double s, const double *gradients, size_t sides)
{
    const scr_tangent *t = to->t;
    size_t count = gather(t, cell, gradients, sides);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            if (t->members[i] < t->members[j]) continue;
            double block[6][6];
            for (size_t r = 0; r < 6; r++)
                for (size_t c = 0; c < 6; c++) block[r][c] = s * t->gather[6 * i + r] * t->gather[6 * j + c];
            add_block(to, t->members[i], t->members[j], block);
        }
}

static void add_cell(const sink *to, uint32_t k)
{
    const scr_world *w = to->t->world;
    double lambda = scr_cell_lambda(w, k);
    if (lambda != 0) add_rank_one(to, k, lambda / w->cells.bulk[2 * (size_t)k], to->t->swelling, 2);
    if (solid_of(w, k)->thickness > 0) {
        double vk = w->shells.bend[2 * (size_t)k];
        double kb = w->shells.director[4 * (size_t)k + 3];
        if (kb != 0) add_rank_one(to, k, kb / (vk * vk), to->t->bending, 1);
    }
}

// a force f, which keeps its direction or follows, with the turned arm q: minus the derivatives of force and torque
static void add_load(const sink *to, const scr_load *load, const scr_load_entry *e, double factor)
{
    quat turn = scr_cell_turn(&to->t->world->cells, e->cell);
    vec3 f = v3_scale(factor, load->follows ? quat_turn(turn, e->force) : e->force);
    double k[6][6] = {{0}};
    if (load->follows) {
        // dF = theta x F, half of it on either side of the diagonal
        const double cross[3][3] = {{0, -f.z, f.y}, {f.z, 0, -f.x}, {-f.y, f.x, 0}};
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) k[r][3 + c] = 0.5 * cross[r][c], k[3 + c][r] = 0.5 * cross[r][c];
    } else {
        double b[3][3];
        link_turned_twice(f, quat_turn(turn, e->arm), b);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) k[3 + r][3 + c] = -b[r][c];
    }
    add_block(to, e->cell, e->cell, k);
}

static void add_all(const sink *to, const double *factor)
{
    const scr_world *w = to->t->world;
    for (size_t l = 0; l < w->links.table.count; l++)
        if (holds(w, l)) add_link(to, l);
    for (uint32_t k = 0; k < w->cells.table.count; k++) add_cell(to, k);
    for (int n = 0; n < w->load_count; n++)
        for (size_t i = 0; i < w->loads[n].entry_count; i++)
            add_load(to, &w->loads[n], &w->loads[n].entries[i], factor[n]);
}

void scr_tangent_assemble(scr_tangent *t, const double *factor, const double *given, double *force)
{
    double *values = scr_sparse_values(t->sparse);
    memset(values, 0, scr_sparse_tell(t->sparse).entries * sizeof *values);
    add_all(&(sink){.t = t, .values = values, .given = given, .force = force}, factor);
}

void scr_tangent_row_sums(scr_tangent *t, const double *factor, double *sum)
{
    memset(sum, 0, t->size * sizeof *sum);
    add_all(&(sink){.t = t, .sums = sum}, factor);
}

/* ---- masses ---- */

// of the present attitude
static sym3 inertia_of(const scr_cells *c, size_t k)
{
    const double *moment = c->inertia + 4 * k;
    quat q = quat_mul(scr_cell_turn(c, k), quat_load(c->axes + 4 * k));
    return quat_turn_sym3(q, (sym3){.xx = moment[0], .yy = moment[1], .zz = moment[2]});
}

void scr_tangent_add_masses(scr_tangent *t, double tau)
{
    const scr_cells *c = &t->world->cells;
    const sink to = {.t = t, .values = scr_sparse_values(t->sparse)};
    for (uint32_t k = 0; k < c->table.count; k++) {
        double m = tau * scr_cell_mass(c, k), block[6][6] = {{m}, {0, m}, {0, 0, m}};
        sym3 j = inertia_of(c, k);
        const double turns[3][3] = {{j.xx, j.xy, j.xz}, {j.xy, j.yy, j.yz}, {j.xz, j.yz, j.zz}};
        for (int r = 0; r < 3; r++)
            for (int d = 0; d < 3; d++) block[3 + r][3 + d] = tau * turns[r][d];
        add_block(&to, k, k, block);
    }
}

void scr_tangent_weigh(const scr_tangent *t, const double *x, double *y)
{
    const scr_cells *c = &t->world->cells;
    for (size_t k = 0; k < c->table.count; k++) {
        const int64_t *number = t->number + 6 * k;
        double d[6] = {0};
        for (int i = 0; i < 6; i++)
            if (number[i] >= 0) d[i] = x[number[i]];
        v3_store(d, v3_scale(scr_cell_mass(c, k), v3_load(d)));
        v3_store(d + 3, sym3_times(inertia_of(c, k), v3_load(d + 3)));
        for (int i = 0; i < 6; i++)
            if (number[i] >= 0) y[number[i]] = d[i];
    }
}
