/* Contacts into blocks and impulses back: a part of pgs_text.h, whose types it uses. Arithmetic is in double precision
 * until a number is stored. */

#define PUT(lane, field, value) (((number *)&(field))[lane] = (number)(value))
#define GET(lane, field)        ((double)((const number *)&(field))[lane])

static inline void put3(int lane, rvec *field, double scale, vec3 v)
{
    PUT(lane, field->x, scale * v.x);
    PUT(lane, field->y, scale * v.y);
    PUT(lane, field->z, scale * v.z);
}

static void pack_bodies(const pgs_task *t, size_t from, size_t to)
{
    number *row = (number *)t->rows + 8 * from;
    double inertia = t->mass * t->length * t->length, length = t->length;
    for (size_t i = from; i < to; i++, row += 8) {
        const scr_pgs_body *b = &t->start[i];
        // + 0: no -0
        row[0] = (number)b->v.x + 0, row[1] = (number)b->v.y + 0, row[2] = (number)b->v.z + 0;
        row[3] = (number)(b->inverse_mass * t->mass);
        row[4] = (number)(b->w.x * length) + 0, row[5] = (number)(b->w.y * length) + 0;
        row[6] = (number)(b->w.z * length) + 0;
        row[7] = (number)(b->inverse_inertia * inertia);
    }
    if (to < t->problem->body_count) return;
    for (size_t k = 0; k < 8 * PGS_EMPTY * (t->chunks + 1); k++) row[k] = 0;
}

// inverse inertia of a row, as a general body's: xx, yy, zz, xy, xz, yz
static void inverse_of(const scr_pgs_problem *p, uint32_t row, double m[6])
{
    for (int k = 0; k < 6; k++) m[k] = 0;
    if (row == SCR_PGS_STILL) return;
    if (row < p->general_first)
        m[0] = m[1] = m[2] = p->bodies[row].inverse_inertia;
    else
        for (int k = 0; k < 6; k++) m[k] = p->inverse_inertia[row - p->general_first][k];
}

static vec3 times6(const double m[6], vec3 a)
{
    return v3(m[0] * a.x + m[3] * a.y + m[4] * a.z, m[3] * a.x + m[1] * a.y + m[5] * a.z,
              m[4] * a.x + m[5] * a.y + m[2] * a.z);
}

// no eigenvalue is above the largest sum of a row's sizes (Gershgorin)
static double bound6(const double m[6])
{
    double x = fabs(m[0]) + fabs(m[3]) + fabs(m[4]), y = fabs(m[1]) + fabs(m[3]) + fabs(m[5]);
    double z = fabs(m[2]) + fabs(m[4]) + fabs(m[5]);
    return fmax(x, fmax(y, z));
}

static inline double inverse(double d)
{
    return d > 0 ? 1 / d : 0;
}

// what all kinds have; d_t is D_t without what gives
static inline void put_impulses(const pgs_task *t, int lane, impulses *l, const scr_pgs_contact *c, double d_t)
{
    const scr_pgs_problem *p = t->problem;
    PUT(lane, l->offset, c->target + c->give * c->ln);
    PUT(lane, l->least, -c->ln * t->over_mass);
    PUT(lane, l->change, 0);
    PUT(lane, l->over_t, inverse((d_t + p->give_tangential) * t->mass));
    put3(lane, &l->lt, t->over_mass, c->lt);
    put3(lane, &l->lr, t->over_mass * t->over_length, c->lr);
}

static inline void pack_pair(const pgs_task *t, const scr_pgs_contact *c, size_t block, int lane)
{
    pair_block *q = (pair_block *)t->blocks[PGS_PAIR] + block;
    const scr_pgs_body *a = &t->problem->bodies[c->a], *b = &t->problem->bodies[c->b];
    double over_m = a->inverse_mass + b->inverse_mass;
    q->a[lane] = c->a, q->b[lane] = c->b;
    put3(lane, &q->n, 1, c->normal);
    PUT(lane, q->arm_a, c->arm[0] * t->over_length);
    PUT(lane, q->arm_b, c->arm[1] * t->over_length);
    put_impulses(t, lane, &q->l, c,
                 over_m + c->arm[0] * c->arm[0] * a->inverse_inertia + c->arm[1] * c->arm[1] * b->inverse_inertia);
}

// how a still partner moves
static inline void put_still(const pgs_task *t, int lane, rvec *u0, rvec *w0, const scr_pgs_contact *c)
{
    put3(lane, u0, 1, c->beside ? c->beside->u0 : v3(0, 0, 0));
    put3(lane, w0, t->length, c->beside ? c->beside->w0 : v3(0, 0, 0));
}

static inline void pack_alone(const pgs_task *t, const scr_pgs_contact *c, size_t block, int lane)
{
    alone_block *q = (alone_block *)t->blocks[PGS_ALONE] + block;
    const scr_pgs_body *a = &t->problem->bodies[c->a];
    q->a[lane] = c->a;
    put3(lane, &q->n, 1, c->normal);
    PUT(lane, q->arm, c->arm[0] * t->over_length);
    put_still(t, lane, &q->u0, &q->w0, c);
    PUT(lane, q->over_n, inverse((a->inverse_mass + c->give) * t->mass));
    PUT(lane, q->over_r, inverse((a->inverse_inertia + t->problem->give_rolling) * (t->mass * t->length * t->length)));
    put_impulses(t, lane, &q->l, c, a->inverse_mass + c->arm[0] * c->arm[0] * a->inverse_inertia);
}

static void pack_general(const pgs_task *t, const scr_pgs_contact *c, size_t block, int lane)
{
    general_block *q = (general_block *)t->blocks[PGS_GENERAL] + block;
    const scr_pgs_problem *p = t->problem;
    uint32_t row[2] = {c->a, c->b};
    rvec *levers[2] = {&q->lever_a, &q->lever_b};
    rsym *inverses[2] = {&q->inverse_a, &q->inverse_b};
    double inertia = t->mass * t->length * t->length, d[3] = {0};
    for (int side = 0; side < 2; side++) {
        double m[6];
        inverse_of(p, row[side], m);
        bool still = row[side] == SCR_PGS_STILL;
        vec3 lever = still ? v3(0, 0, 0) : c->beside->lever[side], arm = v3_cross(lever, c->normal);
        double over_m = still ? 0 : p->bodies[row[side]].inverse_mass, most = bound6(m);
        d[0] += over_m + v3_dot(arm, times6(m, arm));
        d[1] += over_m + most * v3_dot(lever, lever);
        d[2] += most;
        put3(lane, levers[side], t->over_length, lever);
        for (int k = 0; k < 6; k++) PUT(lane, (&inverses[side]->xx)[k], m[k] * inertia);
    }
    uint32_t empty = pgs_empty_row(t, c->a / t->chunk_rows, PGS_GENERAL);
    q->a[lane] = c->a;
    q->b[lane] = c->b == SCR_PGS_STILL ? empty : c->b;
    put3(lane, &q->n, 1, c->normal);
    put_still(t, lane, &q->u0, &q->w0, c);
    PUT(lane, q->over_n, inverse((d[0] + c->give) * t->mass));
    PUT(lane, q->over_r, inverse((d[2] + t->problem->give_rolling) * (t->mass * t->length * t->length)));
    put_impulses(t, lane, &q->l, c, d[1]);
}

static inline void pack_coefficients(const pgs_task *t, const scr_pgs_contact *c, int kind, size_t block, int lane,
                                     bool alike[PGS_COEFFICIENTS])
{
    const scr_pgs_contact *first = &t->problem->contacts[t->first[kind]];
    const double mine[] = {c->give, c->mu, c->roll, c->twist};
    const double its[] = {first->give, first->mu, first->roll, first->twist};
    real *to = (real *)t->coefficients[kind] + block;
    for (int f = 0; f < PGS_COEFFICIENTS; f++) {
        PUT(lane, to[(size_t)f * t->block_count[kind]], mine[f] * unit_of(t, f));
        if (mine[f] != its[f]) alike[f] = false;
    }
}

static void pack(const pgs_task *t, const uint32_t *list, size_t count, bool alike[PGS_KINDS][PGS_COEFFICIENTS])
{
    const scr_pgs_problem *p = t->problem;
    const uint8_t serial = LANES == 1 ? PGS_SERIAL : 0;
    for (size_t at = 0; at < count; at++) {
        size_t i = list[at];
        if ((t->kind[i] & PGS_SERIAL) != serial) continue;
        const scr_pgs_contact *c = &p->contacts[i];
        int kind = t->kind[i] & PGS_KIND, lane = (int)(t->slot[i] % LANES);
        size_t block = t->slot[i] / LANES;
        pack_coefficients(t, c, kind, block, lane, alike[kind]);
        if (kind == PGS_PAIR)
            pack_pair(t, c, block, lane);
        else if (kind == PGS_ALONE)
            pack_alone(t, c, block, lane);
        else
            pack_general(t, c, block, lane);
    }
}

static impulses *impulses_of(const pgs_task *t, int kind, size_t block)
{
    if (kind == PGS_PAIR) return &((pair_block *)t->blocks[kind] + block)->l;
    if (kind == PGS_ALONE) return &((alone_block *)t->blocks[kind] + block)->l;
    return &((general_block *)t->blocks[kind] + block)->l;
}

static void clear(const pgs_task *t, size_t part, int kind, size_t from, size_t to)
{
    uint32_t empty = pgs_empty_row(t, part, kind);
    static const size_t indices[PGS_KINDS] = {2, 1, 2};
    for (size_t slot = from; slot < to; slot++) {
        size_t block = slot / LANES, bytes = PGS_LOOPS.block_bytes[kind];
        size_t fields = (bytes - indices[kind] * LANES * sizeof(uint32_t)) / sizeof(real);
        uint32_t *index = (uint32_t *)((char *)t->blocks[kind] + block * bytes) + slot % LANES;
        for (size_t k = 0; k < indices[kind]; k++) index[k * LANES] = empty;
        // fields end the block
        number *field = (number *)((char *)t->blocks[kind] + (block + 1) * bytes);
        field = field - fields * LANES + slot % LANES;
        for (size_t k = 0; k < fields; k++) field[k * LANES] = 0;
    }
}

// a total impulse: where it started, and what the sweeps added to what they were given of it. What they were given is
// rounded: `volatile`, since GCC 12 forgets about it where it takes several of these for a vector
static inline double total(double start, double unit, double over_unit, number now)
{
    volatile number given = (number)(start * over_unit);
    return start + unit * ((double)now - (double)given);
}

static void unpack(const pgs_task *t, const uint32_t *list, size_t count)
{
    const uint8_t serial = LANES == 1 ? PGS_SERIAL : 0;
    for (size_t at = 0; at < count; at++) {
        size_t i = list[at];
        if ((t->kind[i] & PGS_SERIAL) != serial) continue;
        scr_pgs_contact *c = &t->problem->contacts[i];
        int lane = (int)(t->slot[i] % LANES);
        const impulses *l = impulses_of(t, t->kind[i] & PGS_KIND, t->slot[i] / LANES);
        double m = t->mass, ml = t->mass * t->length;
        double over_m = t->over_mass, over_ml = t->over_mass * t->over_length;
        number change = ((const number *)&l->change)[lane];
        bool open = change == ((const number *)&l->least)[lane];
        c->ln = open ? 0 : fmax(0, c->ln + m * (double)change);
        if (c->mu == 0 || open)
            c->lt = v3(0, 0, 0);
        else
            c->lt = v3(total(c->lt.x, m, over_m, ((const number *)&l->lt.x)[lane]),
                       total(c->lt.y, m, over_m, ((const number *)&l->lt.y)[lane]),
                       total(c->lt.z, m, over_m, ((const number *)&l->lt.z)[lane]));
        if ((c->roll == 0 && !(t->problem->twist_apart && c->twist != 0)) || open)
            c->lr = v3(0, 0, 0);
        else
            c->lr = v3(total(c->lr.x, ml, over_ml, ((const number *)&l->lr.x)[lane]),
                       total(c->lr.y, ml, over_ml, ((const number *)&l->lr.y)[lane]),
                       total(c->lr.z, ml, over_ml, ((const number *)&l->lr.z)[lane]));
    }
}

#if LANES == 1
/* A joint's row; effect = M^-1 G^T: linear and angular, of a and b. */
typedef struct {
    uint32_t body[2];
    number linear[2][3], angular[2][3];
    number effect[2][6];
    number offset, give, over, low, high, change;
} joint;

static void put_array(number *to, double scale, vec3 v)
{
    to[0] = (number)(scale * v.x), to[1] = (number)(scale * v.y), to[2] = (number)(scale * v.z);
}

static void pack_joints(const pgs_task *t)
{
    const scr_pgs_problem *p = t->problem;
    for (size_t i = 0; i < p->row_count; i++) {
        const scr_pgs_row *r = &p->rows[i];
        joint *j = (joint *)t->joints + i;
        uint32_t row[2] = {r->a, r->b};
        double d = 0;
        for (int side = 0; side < 2; side++) {
            bool still = row[side] == SCR_PGS_STILL;
            double m[6], over_m = still ? 0 : p->bodies[row[side]].inverse_mass;
            inverse_of(p, row[side], m);
            vec3 linear = still ? v3(0, 0, 0) : r->linear[side];
            vec3 angular = still ? v3(0, 0, 0) : r->angular[side], turn = times6(m, angular);
            j->body[side] = still ? pgs_empty_row(t, t->chunks, PGS_KINDS) : row[side];
            put_array(j->linear[side], 1, linear);
            put_array(j->angular[side], t->over_length, angular);
            put_array(j->effect[side], over_m * t->mass, linear);
            put_array(j->effect[side] + 3, t->mass * t->length, turn);
            d += over_m * v3_dot(linear, linear) + v3_dot(angular, turn);
        }
        j->over = (number)inverse((d + r->give) * t->mass);
        j->give = (number)(r->give * t->mass);
        j->offset = (number)(r->rhs - r->give * r->impulse);
        j->low = (number)((r->low - r->impulse) * t->over_mass);
        j->high = (number)((r->high - r->impulse) * t->over_mass);
        j->change = 0;
    }
}

static double sweep_joints(const pgs_task *t)
{
    number worst = 0;
    for (size_t i = 0; i < t->problem->row_count; i++) {
        joint *j = (joint *)t->joints + i;
        number speed = 0;
        for (int side = 0; side < 2; side++) {
            const number *row = (const number *)t->rows + 8 * (size_t)j->body[side];
            for (int k = 0; k < 3; k++) speed += j->linear[side][k] * row[k] + j->angular[side][k] * row[4 + k];
        }
        number change = j->change + (j->offset - speed - j->give * j->change) * j->over;
        change = r_min(r_max(change, j->low), j->high);
        number grown = change - j->change;
        j->change = change;
        for (int side = 0; side < 2; side++) {
            number *row = (number *)t->rows + 8 * (size_t)j->body[side];
            for (int k = 0; k < 3; k++) {
                row[k] += j->effect[side][k] * grown;
                row[4 + k] += j->effect[side][3 + k] * grown;
            }
        }
        number response = j->over > 0 ? 1 / j->over - j->give : 0;
        worst = r_max(worst, r_abs(grown * response));
    }
    return worst;
}

static void unpack_joints(const pgs_task *t)
{
    for (size_t i = 0; i < t->problem->row_count; i++) {
        scr_pgs_row *r = &t->problem->rows[i];
        const joint *j = (const joint *)t->joints + i;
        double low = r->low, high = r->high, impulse = r->impulse + t->mass * (double)j->change;
        // at a bound, exactly there
        r->impulse = fmin(fmax(impulse, low), high);
        if (j->change == j->low) r->impulse = low;
        if (j->change == j->high) r->impulse = high;
    }
}
#endif
