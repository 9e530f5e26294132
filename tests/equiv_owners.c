/* A pair that two owners compute gives both the same bits.
 *
 * A heap of grains of many sizes is cut in two. Each half is computed by itself, with those grains of the other half
 * that it touches; so is the whole. Pairs across the cut are computed three times, in other rows, blocks and lanes:
 * force, couple and history must agree to the last bit, and so must who is first. So must bonds.
 *
 * Laws are made from the table of words (kernel/law/table.h), so that a new word is in: as few as have every word
 * together with every word of each other choice that it may go with, and with every scheme. Each is computed alone, and
 * beside the next one, by the law of the other material: lanes of different laws in one vector. For every width. What
 * else a step may be, the conditions, go with each other in all ways, and with every word: with grains that nothing can
 * push, walls, a box that deforms, in the first step, with or without a ledger, and with one of each contact. */
#include "base/buffer.h"
#include "base/random.h"
#include "check.h"
#include "exec/cpu/threads.h"
#include "step/soft/cpu/phases.h"

#include <stdlib.h>
#include <string.h>

enum { GRAINS = 1400, MATERIALS = 2, MOST_NEAR = 32000 };
#define SIDE 0.4 /* of the cube they are in */

/* ---- laws ---- */

/* What an option chooses between: the choices of a law, and schemes. */
enum { NORMAL, COHESION, DAMPING, TANGENTIAL, ROLLING, TWISTING, TABLE, SLIP = TABLE, PULL, SCHEME, CHOICES };
enum { STANDARD, IMPROVED, LAMMPS, IMPROVED_LAMMPS, SCHEMES, MOST_WORDS = 8, MOST_OPTIONS = 64 };

static const struct {
    const char *name;
    int count;
} choices[CHOICES] = {{"normal", SCR_NORMAL_KINDS},
                      {"cohesion", SCR_COHESION_KINDS},
                      {"damping", SCR_DAMPING_KINDS},
                      {"tangential", SCR_TANGENTIAL_KINDS},
                      {"rolling", SCR_ROLLING_KINDS},
                      {"twisting", SCR_TWISTING_KINDS},
                      {"slip", SCR_SLIP_KINDS},
                      {"pull", SCR_PULL_BARE + 1},
                      {"scheme", SCHEMES}};

typedef struct {
    int word[CHOICES];
} option;

/* The conditions of a step. */
enum { BOOKS, HELD, OPENING, WALLS, BOX, CONDITIONS };
enum { LEDGER, NO_LEDGER, SPENT, BOOK_KINDS, WHOLE = 3 * 2 * 2 * 2 * 2 };

static const struct {
    const char *name;
    int count;
} conditions[CONDITIONS] = {{"books", BOOK_KINDS}, {"held", 2}, {"opening", 2}, {"walls", 2}, {"box", 2}};

typedef struct {
    int value[CONDITIONS];
} condition;

static bool in_words(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = words; (p = strstr(p, word)); p += n)
        if ((p == words || p[-1] == ' ') && (!p[n] || p[n] == ' ')) return true;
    return false;
}

// whether a scene could ask for it
static bool allowed(const option *o)
{
    for (int c = 0; c < TABLE; c++) {
        const scr_law_word *w = scr_law_word_of(choices[c].name, o->word[c]);
        for (int d = 0; d < TABLE && w->other; d++)
            if (!strcmp(choices[d].name, w->other) && !in_words(w->words, scr_law_word_of(w->other, o->word[d])->word))
                return false;
    }
    return true;
}

// the next one in the order of an odometer; false: that was the last
static bool turn(option *o)
{
    for (int c = CHOICES - 1; c >= 0; c--) {
        if (++o->word[c] < choices[c].count) return true;
        o->word[c] = 0;
    }
    return false;
}

typedef bool cover[CHOICES][MOST_WORDS][CHOICES][MOST_WORDS];

// pairs of words of an option that no other has had; taken off where `take`
static int gain(const option *o, cover open, bool take)
{
    int count = 0;
    for (int c = 0; c < CHOICES; c++)
        for (int d = c + 1; d < CHOICES; d++) {
            bool *is = &open[c][o->word[c]][d][o->word[d]];
            count += *is;
            if (take) *is = false;
        }
    return count;
}

// greedily: always the first of those that have most of what is missing
static int choose_options(option options[MOST_OPTIONS])
{
    static cover open;
    option o = {{0}};
    do {
        bool may = allowed(&o);
        for (int c = 0; c < CHOICES && may; c++)
            for (int d = c + 1; d < CHOICES; d++) open[c][o.word[c]][d][o.word[d]] = true;
    } while (turn(&o));
    for (int n = 0; n < MOST_OPTIONS; n++) {
        int most = 0;
        o = (option){{0}};
        do {
            int own = gain(&o, open, false);
            if (own > most && allowed(&o)) most = own, options[n] = o;
        } while (turn(&o));
        if (!most) return n;
        gain(&options[n], open, true);
    }
    CHECK(!"MOST_OPTIONS are enough");
    return MOST_OPTIONS;
}

/* Which words have not met which conditions, and which conditions not all others at once. */
typedef struct {
    bool word[CHOICES][MOST_WORDS][CONDITIONS][BOOK_KINDS];
    bool whole[WHOLE];
} meeting;

static bool turn_condition(condition *c)
{
    for (int k = CONDITIONS - 1; k >= 0; k--) {
        if (++c->value[k] < conditions[k].count) return true;
        c->value[k] = 0;
    }
    return false;
}

static int number_of(const condition *c)
{
    int n = 0;
    for (int k = 0; k < CONDITIONS; k++) n = n * conditions[k].count + c->value[k];
    return n;
}

// how much is new; noted where `take`
static int gain_of(const option *o, const condition *c, meeting *met, bool take)
{
    int count = !met->whole[number_of(c)];
    if (take) met->whole[number_of(c)] = true;
    for (int k = 0; k < CHOICES; k++)
        for (int d = 0; d < CONDITIONS; d++) {
            bool *is = &met->word[k][o->word[k]][d][c->value[d]];
            count += !*is;
            if (take) *is = true;
        }
    return count;
}

// the conditions that bring most that is new
static int choose_condition(const option *o, meeting *met, condition *best)
{
    condition c = {{0}};
    int most = -1;
    do {
        int own = gain_of(o, &c, met, false);
        if (own > most) most = own, *best = c;
    } while (turn_condition(&c));
    return most;
}

/* Of setting number n: each option alone and mixed, then those that bring something new; -1: there is none. */
static int choose_setting(const option *options, int count, int n, meeting *met, condition *c)
{
    int best = n / 2, most = -1;
    for (int k = 0; k < count && n >= 2 * count; k++) {
        int own = choose_condition(&options[k], met, c);
        if (own > most) most = own, best = k;
    }
    if (choose_condition(&options[best], met, c) == 0 && n >= 2 * count) return -1;
    gain_of(&options[best], c, met, true);
    return best;
}

static void name_option(const option *o, char *text, size_t size)
{
    int n = 0;
    for (int c = 0; c < TABLE; c++)
        n += snprintf(text + n, size - (size_t)n, "%s, ", scr_law_word_of(choices[c].name, o->word[c])->text);
    for (int c = TABLE; c < CHOICES; c++)
        n += snprintf(text + n, size - (size_t)n, "%s %d%s", choices[c].name, o->word[c], c < CHOICES - 1 ? ", " : "");
}

static void set_damping(scr_law *law, int word)
{
    scr_law_normal(law)->bounce(law, 0.6, scr_damping_ratio_clipped(0.6));
    if (word == SCR_DAMPING_RESTITUTION) return;
    law->eta_root = 0;
    if (word == SCR_DAMPING_VISCOUS)
        law->eta_mass = 300;
    else if (word == SCR_DAMPING_VISCOELASTIC)
        law->eta_area = 9000;
    else
        CHECK(!"numbers of a new word of damping");
}

static void set_tangential(scr_law *law, int word)
{
    bool grows = scr_law_normal(law)->power != 1;
    if (word == SCR_TANGENTIAL_AUTO) word = grows ? SCR_TANGENTIAL_MINDLIN : SCR_TANGENTIAL_HISTORY;
    if (word == SCR_TANGENTIAL_NONE) return;
    law->mu = 0.4, law->zeta = 0.5, law->mindlin = word == SCR_TANGENTIAL_MINDLIN;
    if (word == SCR_TANGENTIAL_HISTORY)
        law->kt = 1500;
    else if (word == SCR_TANGENTIAL_MINDLIN)
        law->kt = 0.7 * law->kn;
    else if (word != SCR_TANGENTIAL_VISCOUS)
        CHECK(!"numbers of a new word of tangential");
}

static scr_law law_of(const option *o)
{
    scr_law law = {.normal = o->word[NORMAL],
                   .rolling = o->word[ROLLING],
                   .twisting = o->word[TWISTING],
                   .slip = o->word[SLIP],
                   .pull = o->word[PULL]};
    law.kn = scr_law_normal(&law)->power == 1 ? 2000 : 3e5;
    set_damping(&law, o->word[DAMPING]);
    set_tangential(&law, o->word[TANGENTIAL]);
    scr_contact_def said = {.surface_energy = 0.5, .adhesion = 0.3, .cohesion_range = 0.002};
    scr_cohesion_of_word(o->word[COHESION])->choose(&law, &said, 0.01);
    CHECK(scr_law_attracts(&law) == (o->word[COHESION] != SCR_COHESION_NONE));
    if (o->word[ROLLING]) law.rolling_mu = 0.1, law.rolling_k = 0.4 * law.kn, law.rolling_zeta = 0.4;
    if (o->word[TWISTING]) law.twisting_mu = 0.05, law.twisting_k = 0.3 * law.kn, law.twisting_zeta = 0.3;
    return law;
}

/* A world is computed with these. */
typedef struct {
    char name[400];
    bool improved, lammps, bonds;
    scr_law law, other; /* between grains of the same material, and of two */
    condition in;
} setting;

static setting setting_of(const option *o, const option *other, const condition *c)
{
    int scheme = o->word[SCHEME];
    setting s = {.improved = scheme == IMPROVED || scheme == IMPROVED_LAMMPS,
                 .lammps = scheme == LAMMPS || scheme == IMPROVED_LAMMPS,
                 .law = law_of(o),
                 .other = law_of(other),
                 .in = *c};
    name_option(o, s.name, sizeof s.name);
    for (int k = 0; k < CONDITIONS; k++) {
        size_t n = strlen(s.name);
        snprintf(s.name + n, sizeof s.name - n, ", %s %d", conditions[k].name, c->value[k]);
    }
    s.other.kn *= 1.5, s.other.mu *= 0.5;
    return s;
}

/* ---- worlds ---- */

/* The heap, in the order of ids. */
typedef struct {
    double place[GRAINS][4], motion[GRAINS][3], spin[GRAINS][3];
    int near[MOST_NEAR][2]; /* pairs that may touch */
    double gap[MOST_NEAR];
    size_t near_count;
} heap;

static double image(double x)
{
    return x - SIDE * rint(x / SIDE);
}

static double gap(const heap *h, int i, int j)
{
    double dx = image(h->place[i][0] - h->place[j][0]), dy = h->place[i][1] - h->place[j][1];
    double dz = h->place[i][2] - h->place[j][2];
    return sqrt(dx * dx + dy * dy + dz * dz) - h->place[i][3] - h->place[j][3];
}

static void make_heap(heap *h)
{
    scr_random r = scr_random_stream(11, 3);
    for (int k = 0; k < GRAINS; k++) {
        for (int d = 0; d < 3; d++) {
            h->place[k][d] = scr_random_between(&r, 0, SIDE);
            h->motion[k][d] = scr_random_between(&r, -1, 1);
            h->spin[k][d] = scr_random_between(&r, -30, 30);
        }
        // the smallest are everywhere: the curve is the same for all parts
        h->place[k][3] = k % 8 == 0 ? 0.01 : 0.01 * pow(8, scr_random_unit(&r) * scr_random_unit(&r));
    }
    for (int i = 0; i < GRAINS; i++)
        for (int j = i + 1; j < GRAINS; j++) {
            double own = gap(h, i, j);
            if (own > 0.005) continue;
            CHECK(h->near_count < MOST_NEAR);
            h->near[h->near_count][0] = i, h->near[h->near_count][1] = j;
            h->gap[h->near_count++] = own;
        }
}

static void add_grain(scr_world *w, const heap *h, int k, bool held)
{
    scr_bodies *b = &w->bodies;
    size_t i = scr_table_add(&b->table);
    double r = h->place[k][3], mass = 2500 * 4.19 * r * r * r;
    memcpy(b->place + 4 * i, h->place[k], 32);
    memcpy(b->motion + 4 * i, h->motion[k], 24), memcpy(b->spin + 4 * i, h->spin[k], 24);
    b->motion[4 * i + 3] = 1 / mass, b->spin[4 * i + 3] = 2.5 / (mass * r * r);
    b->mass[i] = mass, b->id[i] = k + 1, b->material[i] = k % MATERIALS;
    if (held && k % 6 < 2) b->group[i] = 1 + k % 6, b->motion[4 * i + 3] = b->spin[4 * i + 3] = 0;
}

// springs that this contact has had, and no other
static void add_history(scr_world *w, uint64_t number, size_t first, int32_t partner)
{
    CHECK(scr_table_reserve(&w->contacts.table, w->contacts.table.count + 1));
    size_t k = scr_table_add(&w->contacts.table);
    scr_random r = scr_random_stream(number, 1);
    scr_contact_join(&w->contacts, k, &w->bodies, first, partner);
    for (int d = 0; d < 4; d++) {
        w->contacts.history[4 * k + (size_t)d] = scr_random_between(&r, -1e-4, 1e-4);
        w->contacts.wide[8 * k + (size_t)d] = scr_random_between(&r, -1e-4, 1e-4);
    }
    // dissipated so far; the overlap that remained: some yield further, and some have come off
    w->contacts.wide[8 * k + 4] = scr_random_between(&r, 0, 1e-3);
    w->contacts.wide[8 * k + 5] = scr_random_between(&r, 0, 0.01);
}

// histories that only this pair can have; most contacts have one, and so have some that have just ended
static void add_contacts(scr_world *w, const heap *h, const int *row)
{
    for (size_t n = 0; n < h->near_count; n++) {
        int i = h->near[n][0], j = h->near[n][1];
        if (row[i] < 0 || row[j] < 0 || (i + j) % 5 == 0 || h->gap[n] > 1e-4) continue;
        add_history(w, (uint64_t)(i * GRAINS + j), (size_t)row[i], row[j]);
    }
}

// below and above, with contacts of most grains that touch them
static void add_walls(scr_world *w, const heap *h, const int *row)
{
    w->wall_count = 1, w->face_count = 2;
    w->walls = calloc(1, sizeof *w->walls);
    CHECK(scr_reserve(&w->faces, 2));
    w->walls[0] = (scr_wall){.face_count = 2};
    w->faces[0] = (scr_face){.kind = SCR_FACE_PLANE, .point = w->domain.lower, .axis = {0, 0, 1}};
    w->faces[1] = (scr_face){.kind = SCR_FACE_PLANE, .point = w->domain.upper, .axis = {0, 0, -1}};
    scr_wall_init(&w->walls[0], 0);
    w->walls[0].active = true;
    w->walls[0].velocity = v3(0.1, -0.2, 0.3), w->walls[0].spin = v3(3, 2, 1);
    for (int k = 0; k < GRAINS; k++)
        for (int side = 0; side < 2 && row[k] >= 0; side++) {
            double overlap = h->place[k][3] - (side ? SIDE - h->place[k][2] : h->place[k][2]);
            if (overlap > 0 && k % 5)
                add_history(w, (uint64_t)(GRAINS * GRAINS + 2 * k + side), (size_t)row[k], -1 - side);
        }
}

// some that hold and some that break, bent and moving
static void add_bonds(scr_world *w, const heap *h, const int *row)
{
    const scr_bond_law laws[] = {
        {.tensile_strength = 1e5, .shear_strength = 2e4},
        {.tensile_strength = INFINITY, .shear_strength = INFINITY},
    };
    w->bond_law_count = 2;
    w->bond_laws = calloc(2, sizeof *w->bond_laws);
    for (int k = 0; k < 2; k++) {
        w->bond_laws[k] = laws[k];
        w->bond_laws[k].young = 1e7, w->bond_laws[k].radius = 1, w->bond_laws[k].damping = 0.05;
        w->bond_laws[k].poisson = 0.3, w->bond_laws[k].stiffness_ratio = k ? NAN : 2.5;
    }
    for (size_t n = 0; n < h->near_count; n++) {
        int i = h->near[n][0], j = h->near[n][1];
        if (row[i] < 0 || row[j] < 0 || h->gap[n] > 1e-3) continue;
        CHECK(scr_table_reserve(&w->bonds.table, w->bonds.table.count + 1));
        size_t k = scr_table_add(&w->bonds.table);
        scr_random r = scr_random_stream((uint64_t)(i * GRAINS + j), 2);
        // the first may be either
        bool swap = (i + j) % 3 == 0;
        scr_bond_join(&w->bonds, k, &w->bodies, (size_t)row[swap ? j : i], (size_t)row[swap ? i : j]);
        w->bonds.law[k] = (i + j) % 2, w->bonds.fate[k] = SCR_BOND_HOLDS;
        w->bonds.shape[2 * k] = h->gap[n] + h->place[i][3] + h->place[j][3];
        scr_bond_derive(&w->bonds, k, &w->bond_laws[w->bonds.law[k]], &w->bodies);
        for (size_t d = 0; d < 8; d++) w->bonds.rate[8 * k + d] = scr_random_between(&r, -1, 1);
        for (size_t d = 0; d < 3; d++) w->bonds.shear[4 * k + d] = scr_random_between(&r, -1e-5, 1e-5);
        for (size_t d = 0; d < 3; d++) w->bonds.bend[4 * k + d] = scr_random_between(&r, -1e-3, 1e-3);
        w->bonds.shear[4 * k + 3] = scr_random_between(&r, -1e-3, 1e-3), w->bonds.bend[4 * k + 3] = 0;
    }
}

// grains of the half (0, 1; 2: all), and those that these touch
static void make_world(scr_world *w, const heap *h, int half, const setting *o)
{
    int row[GRAINS];
    bool in[GRAINS];
    scr_world_init(w);
    w->domain = (scr_domain){.lower = {0, 0, 0}, .upper = {SIDE, SIDE, SIDE}, .periodic = {true}};
    w->clock = (scr_clock){.dt = 1e-4, .skin = half == 1 ? 0.002 : 0.001, .step = o->in.value[OPENING] ? 0 : 1};
    w->domain.box.deforms = o->in.value[BOX];
    for (int k = 0; k < SCR_BOX_PARTS && o->in.value[BOX]; k++) w->domain.box.speed[k] = 0.02 * (k + 1);
    w->material_count = MATERIALS, w->group_count = 3;
    w->materials = calloc(MATERIALS, sizeof *w->materials);
    // one of two that nothing can push moves
    w->groups = calloc(3, sizeof *w->groups);
    w->groups[1].frozen = w->groups[2].drive.moves = o->in.value[HELD];
    w->laws = scr_memory_new(MATERIALS * MATERIALS, sizeof *w->laws);
    for (int k = 0; k < MATERIALS * MATERIALS; k++) w->laws[k] = k == 1 || k == 2 ? o->other : o->law;
    CHECK(scr_table_reserve(&w->bodies.table, GRAINS) && scr_contacts_widen(&w->contacts));
    for (int k = 0; k < GRAINS; k++) in[k] = half == 2 || (h->place[k][1] > 0.5 * SIDE) == half;
    for (size_t n = 0; n < h->near_count; n++)
        for (int side = 0; side < 2; side++)
            if ((h->place[h->near[n][side]][1] > 0.5 * SIDE) == half) in[h->near[n][!side]] = true;
    for (int k = 0; k < GRAINS; k++) {
        row[k] = in[k] ? (int)w->bodies.table.count : -1;
        if (in[k]) add_grain(w, h, k, o->in.value[HELD]);
    }
    add_contacts(w, h, row);
    if (o->in.value[WALLS]) add_walls(w, h, row);
    if (o->bonds) add_bonds(w, h, row);
}

/* What came out of a pair, or of a bond: its load, springs, rates and fate. */
typedef struct {
    int64_t first, second;
    double record[8], history[4], wide[8], more[4];
} result;

static int by_ids(const void *a, const void *b)
{
    const result *x = a, *y = b;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x->second < y->second ? -1 : x->second > y->second;
}

static size_t results_of_pairs(const scr_world *w, const scr_pairs *p, result *results)
{
    size_t n = 0;
    for (size_t m = 0; m < p->count; m++) {
        if (!p->touch[m]) continue;
        result *r = &results[n++];
        r->first = w->bodies.id[p->first[m]], r->second = w->bodies.id[p->second[m]];
        memcpy(r->record, p->record + 8 * m, sizeof r->record);
        r->record[3] += 0.0; // a loss that is zero may be either
        memcpy(r->history, p->history + 4 * m, sizeof r->history);
        if (p->wide) memcpy(r->wide, p->wide + 8 * m, sizeof r->wide);
    }
    const scr_wall_pairs *walls = &p->walls;
    size_t pairs = n;
    for (size_t m = 0; m < walls->count; m++) {
        if (!walls->touch[m]) continue;
        result *r = &results[n++];
        r->first = w->bodies.id[walls->body[m]], r->second = -1 - (int64_t)walls->face[m];
        memcpy(r->record, walls->record + 8 * m, sizeof r->record);
        r->record[3] += 0.0;
        memcpy(r->history, walls->history + 4 * m, sizeof r->history);
        if (walls->wide) memcpy(r->wide, walls->wide + 8 * m, sizeof r->wide);
    }
    CHECK(!w->wall_count || n > pairs + 20);
    return n;
}

static size_t results_of_bonds(const scr_world *w, const soft_bonds *loads, result *results)
{
    const scr_bonds *b = &w->bonds;
    size_t broken = 0;
    for (size_t m = 0; m < b->table.count; m++) {
        result *r = &results[m];
        const double *load = loads->load + 12 * m;
        r->first = b->body[m], r->second = b->partner[m];
        // the fate is in the last place of a bend, which means nothing
        for (int d = 0; d < 8; d++) r->record[d] = load[d];
        for (int d = 0; d < 4; d++) r->history[d] = d ? b->bend[4 * m + (size_t)d - 1] : load[8];
        memcpy(r->wide, b->rate + 8 * m, sizeof r->wide);
        memcpy(r->more, b->shear + 4 * m, sizeof r->more);
        if (b->fate[m] != SCR_BOND_HOLDS) r->history[0] = 10 + b->fate[m], broken++;
    }
    CHECK(broken > 50 && broken < b->table.count - 50);
    return b->table.count;
}

static size_t compute(const heap *h, int half, const setting *o, result **results)
{
    scr_world w;
    make_world(&w, h, half, o);
    scr_step s = {.world = &w,
                  .want_contacts = true,
                  .no_ledger = o->in.value[BOOKS] == NO_LEDGER,
                  .keep_spent = o->in.value[BOOKS] == SPENT};
    soft_work k = {0};
    scree_report report;
    scree_report_init(&report);
    CHECK(scr_soft_open(&s, &k, o->improved, o->lammps, false, &report) == SCREE_OK);
    k.task.dt = w.clock.dt, k.task.opening = w.clock.step == 0 ? 0.25 * w.clock.dt : 0;
    CHECK(k.task.held == o->in.value[HELD]);
    CHECK(scr_soft_forces(&s, &k, &report) == SCREE_OK);
    *results = calloc(s.pairs.count + s.pairs.walls.count + w.bonds.table.count + 1, sizeof **results);
    size_t n = o->bonds ? results_of_bonds(&w, &k.bonds, *results) : results_of_pairs(&w, &s.pairs, *results);
    qsort(*results, n, sizeof **results, by_ids);
    scr_soft_close(&k);
    scr_pairs_deinit(&s.pairs);
    scr_world_deinit(&w);
    scree_report_deinit(&report);
    return n;
}

// pairs of a part that the whole has too, and those that are another there
static size_t compare(const result *part, size_t count, const result *all, size_t all_count, size_t *wrong)
{
    size_t same = 0;
    for (size_t k = 0; k < count; k++) {
        const result *other = bsearch(&part[k], all, all_count, sizeof *all, by_ids);
        same += other && !memcmp(other, &part[k], sizeof *other);
        *wrong += !other || memcmp(other, &part[k], sizeof *other);
    }
    return same;
}

static void test_setting(const heap *h, const setting *o, const char *vector)
{
    result *r[3];
    size_t n[3], wrong = 0;
    for (int half = 0; half < 3; half++) n[half] = compute(h, half, o, &r[half]);
    size_t same = compare(r[0], n[0], r[2], n[2], &wrong) + compare(r[1], n[1], r[2], n[2], &wrong);
    CHECK_INT(wrong, 0);
    // all are computed by one of the two, and some by both
    CHECK(n[2] > 1000 && same > n[2] + 50);
    if (wrong) printf("%s, %s: %zu of %zu pairs differ\n", o->name, vector, wrong, same + wrong);
    for (int half = 0; half < 3; half++) free(r[half]);
}

static void test_vectors(const heap *h, const setting *o)
{
    static const char *const vectors[] = {"portable", "avx2", ""};
    for (int v = 0; v < 3; v++) {
        setenv("SCREE_VECTOR", vectors[v], 1);
        if (scr_cpu_vectors() == (scr_vectors)v) test_setting(h, o, vectors[v]);
    }
}

int main(void)
{
    static heap h;
    static option options[MOST_OPTIONS];
    scr_threads_set(1); // of which equiv_threads.c is about
    make_heap(&h);
    int count = choose_options(options);
    printf("%d laws\n", count);
    // each law alone and mixed; more where a word has not met all conditions, or conditions not all others
    static meeting met;
    condition c;
    int settings = 0;
    for (int n = 0, k; (k = choose_setting(options, count, n, &met, &c)) >= 0; n++) {
        setting s = setting_of(&options[k], &options[n % 2 ? (k + 1) % count : k], &c);
        if (n % 2) strncat(s.name, ", mixed", sizeof s.name - strlen(s.name) - 1);
        test_vectors(&h, &s);
        settings = n + 1;
    }
    for (int n = 0; n < 8; n++) {
        c = (condition){{[BOOKS] = n / 2 % 2, [HELD] = n / 4 % 2, [OPENING] = n / 2 % 2}};
        setting s = setting_of(&options[0], &options[0], &c);
        snprintf(s.name, sizeof s.name, "bonds, %s, held %d", n % 2 ? "improved" : "standard", c.value[HELD]);
        s.improved = n % 2, s.lammps = false, s.bonds = true;
        test_vectors(&h, &s);
    }
    printf("%d settings of laws and conditions%s\n", settings,
           scr_cpu_vectors() == SCR_VECTORS_AVX512 ? "" : "; skipped: AVX-512, which this machine lacks");
    return check_done();
}
