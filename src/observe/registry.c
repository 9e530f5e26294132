/* All observers. A new one adds its line here and its file beside. */
#include <string.h>

#include "observe/ledger.h"
#include "observe/probe.h"

const scr_observer *const scr_observers[] = {&scr_ledger_observer, &scr_probe_observer, NULL};

const scr_observer *scr_observer_find(const char *name)
{
    for (int k = 0; scr_observers[k]; k++)
        if (!strcmp(scr_observers[k]->variant.name, name)) return scr_observers[k];
    return NULL;
}
