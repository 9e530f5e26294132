/* What a step must move through memory at least, counted from the sizes of what its loops read and
 * write, if every array passes once and each body's rows are found in the cache when its pairs ask for
 * them again. Numbers are doubles; rows have 4, loads 8.
 *
 *   per listed pair     first, second, sink (4 bytes each), touch flag (1)
 *   per contact         history read and written (32 + 32), its flag written
 *   per halo slot       cleared, added to, collected (64 each time), its body and inbox (8)
 *   per grain, forces   place, motion, spin read (96), load cleared and added to (64 + 64)
 *   per grain, motion   load, motion, spin, place read, motion, spin and place written (160 + 96), in one pass;
 *                       anchor and drift (64), which most steps need not look at, are not counted
 *
 * A contact of the improved scheme with its ledger takes about as many operations as bench/operations
 * counts in the loop. `scree bench machine` measures what the memory and the units give. */
#include "bench.h"

enum {
    PAIR_BYTES = 13,
    CONTACT_BYTES = 65,
    HALO_BYTES = 3 * 64 + 8,
    FORCE_BYTES = 96 + 128,
    MOTION_BYTES = 160 + 96,
};

void bench_account(const scree_stats *s, double ns_per_grain)
{
    double n = (double)s->bodies;
    double forces =
        FORCE_BYTES +
        (PAIR_BYTES * (double)s->pairs + CONTACT_BYTES * (double)s->contacts + HALO_BYTES * (double)s->halo) / n;
    double all = forces + MOTION_BYTES;
    printf("  %d grid level%s, %.2f halo slots per grain; at least %.0f bytes per grain and step, %.0f of them for "
           "forces: %.1f GB/s at this rate\n",
           s->levels, s->levels == 1 ? "" : "s", (double)s->halo / n, all, forces, all / ns_per_grain);
}
