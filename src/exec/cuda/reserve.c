/* Growing arrays of a device: the same for every kind of it. */
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
