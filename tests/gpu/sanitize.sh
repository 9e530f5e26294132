#!/bin/bash
# `make sanitize-gpu`: five small scenes on the GPU of this machine under compute-sanitizer: memory (memcheck), races
# within blocks (racecheck), memory that nobody has written (initcheck). $1 is the program, $2 the source folder;
# SANITIZER in the environment is another program in place of compute-sanitizer, STEPS how many steps each scene has,
# TOOLS some of its tools.
. "$(dirname "$0")/../lib/cli.sh"
scenes=$source/tests/gpu steps=${STEPS:-100}
sanitizer=${SANITIZER:-$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)}
command -v "$sanitizer" >/dev/null || { echo "compute-sanitizer is missing: it comes with CUDA"; exit 77; }
"$scree" version >out 2>err
grep -q '^gpu:' out || { echo "there is no GPU: $(grep '^no GPU' out)"; exit 77; }
bash "$scenes/funnel.sh" 24 3 0 4 7.5 6 3 7.5 9 1 >funnel.obj
cp "$scenes/mesh.yaml" .
end=$(awk "BEGIN { printf \"%.17g\", $steps * 2e-6 }")

clean() { # clean TOOL WHAT FILE OPTION...
    local tool=$1 what=$2 code=0
    "$sanitizer" --tool "$tool" --error-exitcode 9 --print-limit 5 "$scree" run "$3" --quiet --force --device gpu \
        --set time.step=2e-6 --set time.end=$end --set output.every=$end --set output.checkpoint=$end --output gpu.h5 \
        "${@:4}" >out 2>err || code=$?
    # its last line: ERROR SUMMARY: 0 errors, or RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)
    same "$tool, $what" "0 0" "$code $(cat out err | grep -o 'SUMMARY: [0-9]*' | tail -n 1 | grep -o '[0-9]*$')"
}

for tool in ${TOOLS:-memcheck racecheck initcheck}; do
    clean $tool "periodic, hertz" "$scenes/small.yaml" --set contacts.any.normal=hertz
    clean $tool "rolling, twisting, a drum" "$scenes/drum.yaml" --set contacts.any.rolling=sds \
        --set contacts.any.twisting=marshall
    clean $tool "inlet, outlet" "$scenes/ports.yaml"
    clean $tool "a turning funnel of facets" mesh.yaml
    clean $tool "size ratio 20" "$scenes/sizes.yaml" --set bodies.dust.spacing=0.9e-3
done
finish
