# Runs of one scene on two devices, for tests/cli_gpu.sh and tests/gpu/compare.sh: `program` runs them, with steps of
# `step` [s], by default `usual_step`. FEWER in the environment: only this part of all steps, to see that the scripts
# work; SCREE_GPU_TIMES: what it makes the program say is kept. Read after lib/cli.sh, whose `run` it replaces.

fewer() { echo $((($1 + ${FEWER:-1} - 1) / ${FEWER:-1})); } # fewer STEPS

run() { # run DEVICE FILE STEPS OPTION...
    local dt=${step:-$usual_step} end quiet=--quiet
    [[ -n ${SCREE_GPU_TIMES:-} ]] && quiet=
    end=$(awk "BEGIN { printf \"%.17g\", $(fewer "$3") * $dt }")
    "$program" run "$2" $quiet --force --set time.step=$dt --set time.end=$end --set output.every=$end \
        --set output.checkpoint=$end --device "$1" --output "$1.h5" "${@:4}" >"$1.out" 2>"$1.err"
}

# after `alike` of soft-bonds.yaml, all of its steps
some_broke() {
    ((${FEWER:-1} > 1)) || check "and some did" test "$("$program" info gpu.h5 | awk '$1 == "broken_tension" { print $2 }')" -gt 50
}

# after `alike` of planes.yaml: what has passed, in all columns
rows() { # rows DEVICE
    for plane in across below some; do "$program" export "$1.h5" --series $plane \
        --force --output "$plane.csv" >/dev/null 2>&1 && cat "$plane.csv"; done
}
passed_planes() {
    check "some have passed all of them" test "$(rows gpu | awk -F, '$5 != 0 && $5 + 0 == $5' | wc -l)" -gt 3
    same "and the rows of their observers" "$(rows cpu)" "$(rows gpu)"
}

alike() { # alike WHAT FILE STEPS OPTION...
    run cpu "$2" "${@:3}"
    run gpu "$2" "${@:3}"
    local cpu gpu
    cpu=$(grep '^digest' cpu.out) gpu=$(grep '^digest' gpu.out)
    [[ -n $cpu && $cpu == "$gpu" ]] || tail -n 3 cpu.err gpu.err
    same "$1" "${cpu:-none}" "$gpu"
}
