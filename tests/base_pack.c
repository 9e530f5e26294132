/* base/h5_pack.h: chunks come back bit for bit, noise costs nothing, damage is told. That other programs read them is
 * tested with h5py (cli_h5py). */
#include "base/h5_pack.h"

#include <stdlib.h>

#include "base/random.h"
#include "check.h"

enum { MOST = 100000 };
static unsigned char data[8 * MOST], back[8 * MOST], room[8 * MOST];

static void fill(int kind, size_t size)
{
    scr_random r = scr_random_stream(1, (uint64_t)kind);
    double *numbers = (double *)data;
    for (size_t k = 0; k < size / 8; k++) {
        double x = scr_random_unit(&r);
        if (kind == 0) numbers[k] = 0;
        if (kind == 1) numbers[k] = x;                                             // its last bytes are noise
        if (kind == 2) ((int64_t *)data)[k] = (int64_t)k;                          // ids
        if (kind == 3) ((uint64_t *)data)[k] = (uint64_t)(x * 9e15) * 2654435761u; // all bytes are
        if (kind == 4) numbers[k] = k % 2 ? x : 0;
    }
}

// how many times smaller
static double packed(scr_h5_packer *p, int kind, size_t size, size_t scalar, bool noisy)
{
    bool deflated;
    fill(kind, size);
    size_t n = scr_h5_pack(p, data, size, scalar, noisy, &deflated);
    memset(back, 0xa5, size);
    bool same = n > 0 && n <= size && scr_h5_unpack(p->packed, n, deflated, scalar, room, back, size) &&
                !memcmp(data, back, size);
    CHECK(same);
    return (double)size / (double)n;
}

static void round_trips(void)
{
    static const size_t sizes[] = {8, 16, 4096, 65536, 8 * 65535, 8 * 65536, 8 * MOST};
    scr_h5_packer p = {0};
    for (int kind = 0; kind < 5; kind++)
        for (int k = 0; k < 7; k++)
            for (int noisy = 0; noisy < 2; noisy++) {
                packed(&p, kind, sizes[k], 8, noisy);
                packed(&p, kind, sizes[k], 4, noisy);
                packed(&p, kind, sizes[k], 1, noisy);
            }
    // measured: 700, 1.19, 7.9, 1
    CHECK(packed(&p, 0, 8 * MOST, 8, true) > 100);
    CHECK(packed(&p, 1, 8 * MOST, 8, true) > 1.1);
    CHECK(packed(&p, 2, 8 * MOST, 8, false) > 4);
    CHECK(packed(&p, 3, 8 * MOST, 8, true) == 1);
    // storing the noise costs little of what deflating it would give
    double all = packed(&p, 1, 8 * MOST, 8, false), some = packed(&p, 1, 8 * MOST, 8, true);
    CHECK(some > 0.98 * all);
    scr_h5_packer_deinit(&p);
}

static void damage(void)
{
    scr_h5_packer p = {0};
    bool deflated;
    size_t size = 8 * 1000;
    fill(1, size);
    size_t n = scr_h5_pack(&p, data, size, 8, true, &deflated);
    CHECK(deflated);
    CHECK(!scr_h5_unpack(p.packed, n - 1, true, 8, room, back, size));
    CHECK(!scr_h5_unpack(p.packed, n, true, 8, room, back, size - 8));
    CHECK(!scr_h5_unpack(p.packed, n, true, 8, room, back, size + 8));
    CHECK(!scr_h5_unpack(p.packed, n, false, 8, room, back, size));
    int told = 0;
    for (size_t at = 0; at < n; at += 97) {
        p.packed[at] ^= 0x10;
        told += !scr_h5_unpack(p.packed, n, true, 8, room, back, size);
        p.packed[at] ^= 0x10;
    }
    CHECK_INT(told, (n + 96) / 97);
    scr_h5_packer_deinit(&p);
}

int main(void)
{
    round_trips();
    damage();
    return check_done();
}
