# Runs of one scene on two devices, for tests/cli_gpu.sh and tests/gpu/compare.sh: `program` runs them, with steps of
# `step` [s], by default `usual_step`. FEWER in the environment: only this part of all steps, to see that the scripts
# work; SCREE_GPU_TIMES: what it makes the program say is kept; DRY: the CPU takes the part of the GPU, to see that
# conditions hold which no short run meets. Read after lib/cli.sh, whose `run` it replaces.

fewer() { echo $((($1 + ${FEWER:-1} - 1) / ${FEWER:-1})); } # fewer STEPS

run() { # run DEVICE FILE STEPS OPTION...
    local dt=${step:-$usual_step} end quiet=--quiet device=$1
    [[ -n ${SCREE_GPU_TIMES:-} ]] && quiet=
    [[ -n ${DRY:-} && $1 == gpu ]] && device=cpu
    [[ -L $1.h5 ]] && rm "$1.h5"
    end=$(awk "BEGIN { printf \"%.17g\", $(fewer "$3") * $dt }")
    "$program" run "$2" $quiet --force --set time.step=$dt --set time.end=$end --set output.every=$end \
        --set output.checkpoint=$end --device $device --output "$1.h5" "${@:4}" >"$1.out" 2>"$1.err"
}

# rows of an observer, or of the ledger, as CSV
series() { # series DEVICE NAME
    "$program" export "$1.h5" --series "$2" --force --output series.csv >/dev/null 2>&1 && cat series.csv
}
of_contacts() { # of_contacts DEVICE: rows of contacts in all frames
    "$program" export "$1.h5" --contacts --to csv --force --output contacts >/dev/null 2>&1 && cat contacts.csv
}

# rows of both devices agree to 1e-12 of the largest number of the same unit; measured: 1e-15
near() { # near WHAT NAME
    series cpu "$2" >one.csv
    series gpu "$2" >other.csv
    number "$1" "$(paste -d, one.csv other.csv | awk -F, '
        function size(x) { return x < 0 ? -x : x }
        NR == 1 {
            for (k = 1; k <= NF / 2; k++) { unit[k] = $k; sub(/^[^[]*/, "", unit[k]); bad += $k != $(k + NF / 2) }
            next
        }
        {
            for (k = 1; k <= NF / 2; k++) {
                one = $k; other = $(k + NF / 2); u = unit[k]
                if (one !~ /^-?[0-9]/ || other !~ /^-?[0-9]/) { bad += one != other; continue }
                if (size(one) > most[u]) most[u] = size(one)
                if (size(one - other) > apart[u]) apart[u] = size(one - other)
            }
        }
        END {
            for (u in apart) if (apart[u] / most[u] > worst) worst = apart[u] / most[u]
            print NR < 2 || bad ? "not comparable" : worst + 0
        }')" 0 1e-12
}

# ---- that something has happened: after `alike`, all steps ----

last() { # last WORD: the last row of an observer has it
    "$program" info gpu.h5 | awk -v word="$1" '$1 == word { v = $2 } END { print v + 0 }'
}
pressed() { # pressed FILE WALL AXIS [SINCE]: whether grains pushed a wall along it, after that time
    "$program" export "$1" --series on --force --output series.csv >/dev/null 2>&1 &&
        awk -F, -v since="${4:--1}" -v name="$2.f$3 [N]" '
            NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k; next }
            at && $1 > since && $at != 0 { pushed = 1 }
            END { exit !pushed }' series.csv
}
has_happened() { # has_happened SCENE LAW: what the scene is for
    case $1 in
    periodic) (($(last contacts) > 100)) ;;
    floor) pressed gpu.h5 floor z ;;
    drum) pressed gpu.h5 drum z && pressed gpu.h5 ends y ;;
    mesh) pressed gpu.h5 funnel z ;;
    press)
        pressed gpu.h5 lid z && pressed gpu.h5 left x && pressed gpu.h5 right x &&
            { [[ $2 == frictionless ]] || pressed gpu.h5 lid x; }
        ;;
    bonds) (($(last broken_tension) + $(last broken_shear) > 50 && $(last holding) > 50)) ;;
    ports) pressed gpu.h5 hopper z && (($(last rain.count) > 50 && $(last out.count) > 3)) ;;
    sizes) (($(last contacts) > 100)) && [[ $(last fz) != 0 ]] ;; # on balls
    cell) pressed gpu.h5 east x && pressed gpu.h5 north y && pressed gpu.h5 top z ;;
    odd)
        for wall in floor disc belt ball plate late early funnel; do pressed gpu.h5 $wall z || return; done
        (($(of_contacts gpu | wc -l) > 10))
        ;;
    hundred) [[ $(series gpu ball | awk -F, '$1 ~ /^[0-9]/ && $13 > 0.01' | wc -l) -gt 0 ]] ;; # thousands at once
    esac
}
happened() { # happened SCENE [LAW]
    ((${FEWER:-1} > 1)) || check "and what $1 is for has happened" has_happened "$1" "${2:-}"
}

# after `alike` of soft-bonds.yaml, all of its steps
some_broke() {
    ((${FEWER:-1} > 1)) || check "and some did" test "$(last broken_tension)" -gt 50
}

# after `alike` of odd.yaml: what observers say
observed() {
    local name
    for name in mean touching layers field inside one all; do
        same "rows of the observer $name" "$(series cpu $name | cksum)" "$(series gpu $name | cksum)"
    done
    near "forces on walls" on
    near "the ledger" ledger
    same "contacts in frames" "$(of_contacts cpu | cksum)" "$(of_contacts gpu | cksum)"
}

# after `alike` of planes.yaml: what has passed, in all columns
rows() { # rows DEVICE
    for plane in across below some; do series "$1" $plane; done
}
passed_planes() {
    check "some have passed all of them" test "$(rows gpu | awk -F, '$5 != 0 && $5 + 0 == $5' | wc -l)" -gt 3
    same "and the rows of their observers" "$(rows cpu)" "$(rows gpu)"
}

alike() { # alike WHAT FILE STEPS OPTION...
    run cpu "$2" "${@:3}"
    if [[ -n ${DRY:-} ]]; then
        ln -sf cpu.h5 gpu.h5 && cp cpu.out gpu.out && cp cpu.err gpu.err
    else
        run gpu "$2" "${@:3}"
    fi
    local cpu gpu
    cpu=$(grep '^digest' cpu.out) gpu=$(grep '^digest' gpu.out)
    [[ -n $cpu && $cpu == "$gpu" ]] || tail -n 3 cpu.err gpu.err
    same "$1" "${cpu:-none}" "$gpu"
}
