#!/bin/bash
# Inlets and outlets in the real program: the same grains after a restart, for any number of threads, and what a run
# says of them; what cannot be is refused.
. "$(dirname "$0")/lib/cli.sh"

cat >pour.yaml <<'YAML'
scree: 1
title: pour and drain
domain: {box: [[0, 0, -0.05], [0.1, 0.1, 0.2]]}
seed: 3
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies:
  rain:
    from: inlet
    material: glass
    sizes: {distribution: lognormal, median: 5 mm, sigma: 0.2, weighted: mass}
    velocity: [0, 0, -1.5]
    spread: 0.1
    mass_rate: 0.7 kg/s
    start: 3.3 ms
    until: 80 ms
    region: {shape: cylinder, from: [0.05, 0.05, 0.06], to: [0.05, 0.05, 0.11], radius: 0.04}
walls:
  side: {shape: cylinder, material: glass, from: [0.05, 0.05, 0], to: [0.05, 0.05, 0.2], radius: 0.045}
  funnel: {shape: frustum, material: glass, from: [0.05, 0.05, -0.03], to: [0.05, 0.05, 0], radius_from: 0.015, radius_to: 0.045}
outlets:
  drain: {shape: plane, point: [0, 0, -0.035], normal: [0, 0, -1]}
time: {end: 150 ms}
output: {every: 10 ms, checkpoint: 50 ms}
observers: {ports: {type: ports}}
YAML

must "a whole run" run pour.yaml --threads 1 --output whole.h5
whole=$(digest)
says err "lognormal sizes weighted by mass, diameters" "the sizes are said"
matches err "^inlet rain: [0-9]+ grains, 0\.05[0-9]+ kg" "what came is said"
matches err "^outlet drain: [1-9][0-9]* grains" "what left is said"
number "grains came" "$(ledger_of whole.h5 rain.count)" 200 600
number "grains left" "$(ledger_of whole.h5 drain.count)" 50 600
same "the rest is there" "$(awk "BEGIN {print $(ledger_of whole.h5 rain.count) - $(ledger_of whole.h5 drain.count)}")" \
    "$(told grains)"

for threads in 2 3; do
    runs "$threads threads" 0 run pour.yaml --threads $threads --output other.h5 --quiet
    same "$threads threads: digest" "$whole" "$(digest)"
done
for cut in '1 ms' '21.37 ms' '60 ms/120 ms'; do
    rm -rf cut.h5*
    resume=(--output cut.h5)
    IFS=/ read -ra points <<<"$cut"
    for point in "${points[@]}" '150 ms'; do
        run run pour.yaml "${resume[@]}" --threads 2 --quiet --set "time.end=$point"
        ((code == 0)) || fail "run to $point: exit code $code"
        resume=(--resume cut.h5)
    done
    same "cut at $cut and resumed: digest" "$whole" "$(digest)"
done

# a new run from this state counts anew
runs "a new run" 0 run pour.yaml --from whole.h5 --output next.h5 --set 'time.end=4 ms'
number "it has poured little" "$(ledger_of next.h5 rain.count)" 0 20

# ---- what cannot be ----
refused() {
    local what=$1 text=$2
    shift 2
    rm -rf bad.h5*
    run run pour.yaml --output bad.h5 "$@"
    same "$what: exit code" 2 "$code"
    says err "$text" "$what: $text"
    check "$what: nothing is written" test ! -e bad.h5
}
refused "two rates" "bodies.rain has rate and mass_rate, give one of them" --set bodies.rain.rate=3
refused "a frozen inlet" "bodies.rain is an inlet: its grains cannot be frozen" --set bodies.rain.frozen=yes
refused "times in disorder" "bodies.rain.until is 0.001 s, must be later than start, 0.0033 s" \
    --set 'bodies.rain.until=1 ms'
refused "outside" "the region of bodies.rain reaches from 0.06 to 0.21 m along z, outside the domain, -0.05 to 0.2 m" \
    --set 'bodies.rain.region.to=[0.05, 0.05, 0.21]'
refused "too large" "does not fit into the region" --set 'bodies.rain.region.radius=1 mm'
refused "an outlet without a direction" "outlets.drain.normal is [0, 0, 0], must not be zero" \
    --set 'outlets.drain.normal=[0, 0, 0]'
finish
