/* Exact sums as doubles: the text for devices against the compiler's own conversion. */
#include "math/exact_text.h"

#include "base/random.h"
#include "check.h"

static scr_exact number_of(scr_random *random, int bits)
{
    __extension__ typedef unsigned __int128 wide;
    wide n = 0;
    for (int k = 0; k < 4; k++) n = n << 32 | (wide)(scr_random_between(random, 0, 1) * 0x1p32);
    return (scr_exact)(n >> (128 - bits));
}

// parts as they are added up: each may have grown beyond its 32 bits
static void check_parts(scr_exact a, scr_exact b)
{
    unsigned long long part[SCR_EXACT_PARTS] = {0};
    const scr_exact terms[2] = {a, b};
    for (int t = 0; t < 2; t++) {
        scr_exact left = terms[t];
        for (int n = 0; n < SCR_EXACT_PARTS; n++, left >>= 32)
            part[n] +=
                n == SCR_EXACT_PARTS - 1 ? (unsigned long long)(long long)left : (unsigned long long)(uint32_t)left;
    }
    CHECK(exact_parts_value(part) == scr_exact_value(a + b));
}

int main(void)
{
    scr_random random = {.key = 7};
    int differ = 0;
    for (int bits = 1; bits <= 126; bits++)
        for (int k = 0; k < 200; k++) {
            scr_exact n = number_of(&random, bits), one = 1;
            // ties between two doubles, and one beside them
            if (bits > 54 && k % 4 < 3) n = (n >> (bits - 54) << (bits - 54)) + (k % 4 - 1) * one;
            differ += exact_value(n) != scr_exact_value(n);
            differ += exact_value(-n) != scr_exact_value(-n);
        }
    CHECK_INT(differ, 0);
    CHECK(exact_value(0) == 0);
    CHECK(exact_value(scr_exact_of(-1.25)) == -1.25);
    CHECK(exact_value(scr_exact_of(1e300)) == 0x1p36);
    for (int k = 0; k < 100; k++) {
        scr_exact a = number_of(&random, 110), b = number_of(&random, 60 + k % 50);
        check_parts(k % 2 ? -a : a, k % 3 ? -b : b);
    }
    return check_done();
}
