/* The ledger follows from one list (scree/energies.h): what is booked under an account appears in its column, in
 * scree_energies, and in the closure with its sign. */
#include <string.h>

#include "check.h"
#include "observe/ledger.h"
#include "world/ledger.h"

// the numbers of the world that are accounts
static const struct {
    const char *name;
    size_t offset;
} booked[] = {
#define F(name, ...) {#name, offsetof(scr_ledger, name)},
    SCREE_ELASTIC_ACCOUNTS(F) SCREE_LOSS_ACCOUNTS(F) SCREE_WORK_ACCOUNTS(F)
#undef F
};
enum { BOOKED = sizeof booked / sizeof *booked };

static int column_of(const char *name)
{
    for (int c = 0; scr_ledger_observer.columns[c].name; c++)
        if (!strcmp(scr_ledger_observer.columns[c].name, name)) return c;
    return -1;
}

static const scree_account *account_of(const char *name)
{
    for (const scree_account *a = scree_accounts(); a->name; a++)
        if (!strcmp(a->name, name)) return a;
    return NULL;
}

// time, accounts, closure, kinetic, bodies, contacts
enum { COLUMNS = SCREE_ACCOUNT_COUNT + 5 };

static void sample(const scr_world *w, double row[COLUMNS])
{
    scr_scene_view view = {.world = w, .contacts = 7, .energies = scr_ledger_energies(w)};
    CHECK(scr_ledger_observer.sample(&view, NULL, row));
}

static void test_booking(void)
{
    scr_world w;
    scr_world_init(&w);
    w.ledger.initial = 1000;
    for (int k = 0; k < BOOKED; k++) {
        double row[COLUMNS], *number = (double *)((char *)&w.ledger + booked[k].offset);
        const scree_account *a = account_of(booked[k].name);
        if (!a) {
            CHECK_TEXT("no account", booked[k].name);
            continue;
        }
        bool brought = strstr(a->name, "_work") || !strcmp(a->name, "inserted");
        *number = 0.5;
        scree_energies e = scr_ledger_energies(&w);
        sample(&w, row);
        CHECK_NEAR(scree_account_value(a, &e), 0.5, 0);
        CHECK_NEAR(row[column_of(a->name)], 0.5, 0);
        CHECK_NEAR(scree_energies_sum(&e, a->kind), 0.5, 0);
        CHECK_NEAR(e.closure, brought ? -1000.5 : -999.5, 0);
        CHECK_NEAR(row[column_of("closure")], e.closure, 0);
        CHECK_NEAR(scr_ledger_mechanical(&e), a->kind == SCREE_ELASTIC ? 0.5 : 0, 0);
        *number = 0;
    }
    scr_world_deinit(&w);
}

// what is dissipated and can still come back is counted with its account
static void test_excess(void)
{
    scr_world w;
    scr_world_init(&w);
    w.ledger.damping = 1, w.ledger.excess_damping = 2;
    w.ledger.rolling = 4, w.ledger.excess_rolling = 8;
    w.ledger.frozen = 16; // a part of what is stored, in no sum
    scree_energies e = scr_ledger_energies(&w);
    CHECK_NEAR(e.damping, 3, 0);
    CHECK_NEAR(e.rolling, 12, 0);
    CHECK_NEAR(e.closure, 15, 0);
    scr_world_deinit(&w);
}

// what is added to a total counts with the double of its account; what a new evaluation finds anew is booked before it
static void test_totals(void)
{
    scr_world w;
    scr_world_init(&w);
    w.ledger.damping = 1, w.ledger.excess_damping = 2, w.ledger.excess_rolling = 8;
    for (int k = 0; k < SCR_BOOKED; k++) scr_total_add(scr_ledger_totals(&w.ledger) + k, k + 0.25);
    scree_energies e = scr_ledger_energies(&w);
    CHECK_NEAR(e.damping, 3.25, 0);
    CHECK_NEAR(e.removed, SCR_BOOKED - 1 + 0.25, 0);
    scr_ledger_book_excess(&w.ledger);
    CHECK(w.ledger.excess_damping == 0 && w.ledger.excess_rolling == 0);
    scree_energies settled = scr_ledger_energies(&w);
    CHECK(!memcmp(&e, &settled, sizeof e));
    scr_world_deinit(&w);
}

// time, the accounts in their order, kinetic energy and three more
static void test_columns(void)
{
    const scr_column *c = scr_ledger_observer.columns;
    const scree_account *a = scree_accounts();
    CHECK_TEXT(c[0].name, "time");
    for (int k = 0; k < SCREE_ACCOUNT_COUNT; k++) {
        CHECK_TEXT(c[k + 1].name, a[k].name);
        CHECK_TEXT(c[k + 1].doc, a[k].doc);
        CHECK((a[k].sign < 0) == (a[k].kind == SCREE_WORK || a[k].kind == SCREE_CAME));
        CHECK((*a[k].label != 0) == (a[k].sign > 0));
    }
    CHECK(!a[SCREE_ACCOUNT_COUNT].name);
    CHECK_INT(SCREE_ACCOUNT_COUNT, BOOKED + 3); // and translation, rotation, gravity
    CHECK_INT(column_of("contacts"), COLUMNS - 1);
}

int main(void)
{
    test_booking();
    test_excess();
    test_totals();
    test_columns();
    return check_done();
}
