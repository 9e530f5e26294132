#!/bin/bash
# The texts of kernel/ compile as device code, to the operations that the processor's loops have: nothing is fused but
# what the texts ask for, and no function of a library is called. Needs nvcc, but no device.
. "$(dirname "$0")/lib/cli.sh"

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [[ -z $nvcc ]]; then
    echo "skipped: nvcc is not installed, so nothing can be compiled for a device"
    exit 77
fi
"$nvcc" --version | tail -n 1

# compile FILE OPTION...: to FILE.ptx
compile() { "$nvcc" -std=c++20 -O2 -fmad=false -arch=sm_90 -Werror all-warnings -ptx -o "$1.ptx" "${@:2}" 2>"$1.err"; }

step=$source/tests/device/step.cu
compile step -I "$source/src" "$step"
same "pairs, walls, kicks and bonds compile" "0 " "$? $(cat step.err)"
same "as 19 kernels" 19 "$(grep -c '^.visible .entry' step.ptx)"
same "none of them calls" "" "$(grep -oE 'call\.[a-z]*' step.ptx | sort | uniq -c)"
check "they fuse what the texts ask for" grep -q 'fma\.rn\.f64' step.ptx
# with products and sums in their place nothing is fused
printf '#include <math.h>\n#define fma(a, b, c) ((a) * (b) + (c))\n' >apart.h
compile apart -I "$source/src" -include apart.h "$step"
same "and nothing else" "0 " "$? $(grep -oE 'fma\.rn\.f64' apart.ptx | sort | uniq -c)"
check "they divide as IEEE 754 says" grep -q 'div\.rn\.f64' step.ptx
check "and so do roots" grep -q 'sqrt\.rn\.f64' step.ptx
# the check can fail: fused operations would be seen
"$nvcc" -std=c++20 -O2 -fmad=true -arch=sm_90 -ptx -o fused.ptx -I "$source/src" -include apart.h "$step" 2>err
check "with -fmad=true there would be some" grep -q 'fma\.rn\.f64' fused.ptx

finish
