#include "world/contacts.h"

#include <string.h>

#include "base/memory.h"

static const scr_field contact_fields[] = {
#define F(member, type, width, unit, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, offsetof(scr_contacts, member), doc},
    SCR_CONTACT_FIELDS(F)
#undef F
};
#define FIELD_COUNT ((int)(sizeof contact_fields / sizeof *contact_fields))

void scr_contacts_init(scr_contacts *contacts)
{
    *contacts = (scr_contacts){0};
    contacts->table.fields = contact_fields;
    contacts->table.field_count = FIELD_COUNT - 1; // `wide` is the last
}

bool scr_contacts_widen(scr_contacts *contacts)
{
    if (contacts->wide) return true;
    contacts->wide = scr_memory_new(8 * (contacts->table.capacity + 1), sizeof *contacts->wide);
    if (!contacts->wide) return false;
    contacts->table.field_count = FIELD_COUNT;
    return true;
}

void scr_contacts_copy(scr_contacts *c, size_t to, size_t from)
{
    c->body[to] = c->body[from];
    c->partner[to] = c->partner[from];
    memmove(c->history + 4 * to, c->history + 4 * from, 4 * sizeof *c->history);
    if (c->wide) memmove(c->wide + 8 * to, c->wide + 8 * from, 8 * sizeof *c->wide);
}
