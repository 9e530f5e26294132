#!/bin/bash
# The same program gives the same bits on processors of all generations: the scenes of tests/bits with each of our
# instruction sets, and with the C library told that the processor has no AVX2, no fused operations, or none of both.
. "$(dirname "$0")/lib/cli.sh"
bits=$source/tools/bits

# table NAME: what tools/bits prints goes to NAME
table() { "$bits" "$scree" >"$1" 2>"$1.err" || fail "scenes run: $1" "$(cat "$1.err")"; }

# one table of ten scenes
table here
same "scenes" 10 "$(grep -cE '^[a-z-]+ +[0-9a-f]{16} [0-9a-f]{16}$' here)"

# what a processor of the name in front has: our loops, the C library's choice
while read -r processor vector hidden; do
    SCREE_VECTOR=$vector TUNABLES=$hidden THREADS=2 table other
    same "$processor" "$(cat here)" "$(cat other)"
done <<'END'
first portable glibc.cpu.hwcaps=-AVX2,-AVX,-FMA,-FMA4,-SSE4_1,-SSE4_2,-AVX512F,-AVX512VL,-ERMS,-BMI2
haswell avx2 glibc.cpu.hwcaps=-AVX512F,-AVX512VL
END

# BLAS, which libraries bring with them and which has kernels for each processor, is not called
for name in dgemm dsyrk dtrsm dgemv dtrsv dpotrf; do echo "#include <stdlib.h>";
echo "void ${name}_(void); void ${name}_(void) { abort(); }"; done >blas.c
if gcc -shared -fPIC -o blas.so blas.c 2>err; then
    LD_PRELOAD=$PWD/blas.so "$bits" "$scree" elastic-rest variational-rest >other 2>err
    same "no BLAS" "$(grep -e '-rest' here)" "$(cat other)"
fi

# the C library does listen: otherwise the rows above prove nothing
cat >sine.c <<'C'
#include <math.h>
#include <stdint.h>
#include <stdio.h>
int main(void)
{
    uint64_t bits = 0;
    for (double x = 0.1; x < 1000; x += 0.01) {
        union { double number; uint64_t bits; } y = {sin(x) * exp(-x / 300)};
        bits = 3 * bits + y.bits;
    }
    printf("%016llx\n", (unsigned long long)bits);
    return 0;
}
C
if gcc -O1 -o sine sine.c -lm 2>err && grep -q fma /proc/cpuinfo; then
    plain=$(GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4 ./sine)
    check "the C library's own functions differ ($(./sine), $plain)" test "$(./sine)" != "$plain"
fi

finish
