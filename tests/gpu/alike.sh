# Runs of one scene on two devices, for tests/cli_gpu.sh and tests/gpu/compare.sh: `program` runs them, with steps of `step` [s], by
# default `usual_step`. FEWER in the environment: only this part of all steps, to see that the scripts work. Read after
# lib/cli.sh, whose `run` it replaces.

fewer() { echo $((($1 + ${FEWER:-1} - 1) / ${FEWER:-1})); } # fewer STEPS

run() { # run DEVICE FILE STEPS OPTION...
    local dt=${step:-$usual_step} end
    end=$(awk "BEGIN { printf \"%.17g\", $(fewer "$3") * $dt }")
    "$program" run "$2" --quiet --force --set time.step=$dt --set time.end=$end --set output.every=$end \
        --set output.checkpoint=$end --device "$1" --output "$1.h5" "${@:4}" >"$1.out" 2>"$1.err"
}

alike() { # alike WHAT FILE STEPS OPTION...
    run cpu "$2" "${@:3}"
    run gpu "$2" "${@:3}"
    local cpu gpu
    cpu=$(grep '^digest' cpu.out) gpu=$(grep '^digest' gpu.out)
    [[ -n $cpu && $cpu == "$gpu" ]] || tail -n 3 cpu.err gpu.err
    same "$1" "${cpu:-none}" "$gpu"
}
