/* Growing arrays of a device, and the words for its failures: the same for every kind of it. */
#include <string.h>

#include "exec/cuda/device.h"

bool scr_device_reserve(scr_device *d, void *array, size_t *capacity, size_t count, size_t kept, size_t width)
{
    void **place = array, *old;
    memcpy(&old, place, sizeof old);
    if (count <= *capacity && old) return true;
    // what grows once is likely to grow again
    size_t room = old ? count + count / 16 + 16 : count + 1;
    if (!kept) scr_device_free(d, old), old = NULL, memset(place, 0, sizeof old), *capacity = 0;
    void *memory = scr_device_new(d, room * width);
    if (!memory) return false;
    if (kept) scr_device_copy(d, memory, old, kept * width);
    scr_device_free(d, old);
    memcpy(place, &memory, sizeof memory);
    *capacity = room;
    return true;
}

#define FAILED "the GPU failed: "

scree_status scr_device_failed(const char *why, scree_report *report)
{
    for (int k = 0; report && k < (int)report->count; k++)
        if (strstr(report->messages[k].text, FAILED)) return SCREE_E_IO;
    return scr_fail(report, SCREE_E_IO, SCR_NOWHERE,
                    FAILED "%s; the last checkpoint remains, and --resume FILE --device cpu continues from it", why);
}
