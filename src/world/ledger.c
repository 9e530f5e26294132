#include "world/ledger.h"

#include "world/energy.h"

static const scree_account accounts[] = {
#define F(name, kind, part, label, colour, doc) \
    {#name, part, label, doc, SCREE_##kind, SCREE_##kind < SCREE_WORK ? 1 : -1, offsetof(scree_energies, name)},
    SCREE_ACCOUNTS(F)
#undef F
        {0},
};

const scree_account *scree_accounts(void)
{
    return accounts;
}

double scree_account_value(const scree_account *account, const scree_energies *energies)
{
    return *(const double *)((const char *)energies + account->offset);
}

// over the accounts of some kinds, in their order
static double sum(const scree_energies *e, scree_account_kind first, scree_account_kind last)
{
    double total = 0;
    for (const scree_account *a = accounts; a->name; a++)
        if (a->kind >= first && a->kind <= last) total += scree_account_value(a, e);
    return total;
}

double scree_energies_sum(const scree_energies *energies, scree_account_kind kind)
{
    return sum(energies, kind, kind);
}

double scr_ledger_mechanical(const scree_energies *e)
{
    return sum(e, SCREE_KINETIC, SCREE_ELASTIC);
}

double scr_ledger_balance(const scree_energies *e)
{
    return scr_ledger_mechanical(e) + sum(e, SCREE_LOST, SCREE_LEFT) - sum(e, SCREE_WORK, SCREE_CAME);
}

void scr_ledger_book_excess(scr_ledger *l)
{
    l->damping += l->excess_damping;
    l->rolling += l->excess_rolling;
    l->excess_damping = l->excess_rolling = 0;
}

scree_energies scr_ledger_energies_of(const scr_world *w, const double sums[3])
{
    const scr_ledger *l = &w->ledger;
    scree_energies e = {
#define F(name, ...) .name = l->name,
        SCREE_ELASTIC_ACCOUNTS(F)
#undef F
#define F(name, ...) .name = SCR_ACCOUNT(l, name),
            SCREE_LOSS_ACCOUNTS(F) SCREE_WORK_ACCOUNTS(F)
#undef F
    };
    e.damping += l->excess_damping;
    e.rolling += l->excess_rolling;
    e.translation = sums[0], e.rotation = sums[1], e.gravity = sums[2];
    e.closure = scr_ledger_balance(&e) - l->initial;
    return e;
}

scree_energies scr_ledger_energies(const scr_world *w)
{
    double sums[3];
    scr_world_energies(w, &sums[0], &sums[1], &sums[2]);
    return scr_ledger_energies_of(w, sums);
}
