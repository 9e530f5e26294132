#include "world/contacts.h"

static const scr_field contact_fields[] = {
#define F(member, type, width, unit, doc)                                                          \
    {#member, SCR_FIELD_TYPE(type), width, unit, offsetof(scr_contacts, member), doc},
    SCR_CONTACT_FIELDS(F)
#undef F
};

void scr_contacts_init(scr_contacts *contacts)
{
    *contacts = (scr_contacts){0};
    contacts->table.fields = contact_fields;
    contacts->table.field_count = sizeof contact_fields / sizeof *contact_fields;
}
