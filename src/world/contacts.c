#include "world/contacts.h"

#include "base/buffer.h"

static const scr_field contact_fields[] = {
#define F(member, type, width, unit, flags, doc) \
    {#member, SCR_FIELD_TYPE(type), width, unit, flags, offsetof(scr_contacts, member), doc},
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
    if (!scr_reserve(&contacts->wide, 8 * scr_room_of(contacts->body))) return false;
    contacts->table.field_count = FIELD_COUNT;
    return true;
}
