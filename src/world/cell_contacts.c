#include "world/cell_contacts.h"

static const scr_field fields[] = {
#define F(member, type, width, unit, flags, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, flags, offsetof(scr_cell_contacts, member), doc},
    SCR_CELL_CONTACT_FIELDS(F)
#undef F
};

void scr_cell_contacts_init(scr_cell_contacts *contacts)
{
    *contacts = (scr_cell_contacts){0};
    contacts->table.fields = fields;
    contacts->table.field_count = sizeof fields / sizeof *fields;
}

// the first row that does not come before (kind, first)
static size_t place_of(const scr_cell_contacts *c, int kind, int64_t first)
{
    size_t low = 0, high = c->table.count;
    while (low < high) {
        size_t k = low + (high - low) / 2;
        bool before = c->kind[k] != kind ? c->kind[k] < kind : c->first[k] < first;
        if (before)
            low = k + 1;
        else
            high = k;
    }
    return low;
}

size_t scr_cell_contacts_of(const scr_cell_contacts *c, int kind, int64_t first, size_t *end)
{
    *end = place_of(c, kind, first + 1);
    return place_of(c, kind, first);
}
