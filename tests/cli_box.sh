#!/bin/bash
# A periodic domain that deforms: the same bits on threads, vectors, with other lists and after restarts; stages,
# conditions on the strain, columns; each key with a good and a bad value, and what is refused.
. "$(dirname "$0")/lib/cli.sh"

cat >box.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain:
  box: [[0, 0, 0], [6 mm, 6 mm, 6 mm]]
  periodic: [x, y, z]
  deform: {rate: {xx: 8 1/s, zz: -60 1/s, xy: 20 1/s, xz: 150 1/s, yz: -30 1/s}}
materials: {glass: {density: 2500, restitution: 0.6, friction: 0.4}}
contacts: {any: {normal: hooke, stiffness: 1 kN/m}}
bodies: {grains: {from: random, material: glass, radius: [0.3 mm, 0.5 mm], fraction: 0.33}}
time: {end: 12 ms, step: 2 us}
output: {every: 1 ms, checkpoint: 1 ms}
observers:
  cell: {type: box, every: 0.2 ms}
  mean: {type: stress, every: 0.2 ms}
YAML
must "sheared and compressed" run box.yaml --threads 1 --output one.h5
whole=$(digest)
# last RESULTS SERIES COLUMN
last() {
    "$scree" export "$1" --series "$2" --output column.csv --force >/dev/null && awk -F, -v c="$3" '
        NR == 1 {for (k = 1; k <= NF; k++) {split($k, w, " "); at[w[1]] = k}} END {print $at[c]}' column.csv
}
number "strain xz" "$(last one.h5 cell strain_xz)" 1.79999 1.80001
number "strain zz" "$(last one.h5 cell strain_zz)" -0.720001 -0.719999
number "the largest" "$(last one.h5 cell strain)" 1.79999 1.80001
number "offset within half a length" \
    "$(awk -v a="$(last one.h5 cell offset_xz)" -v l="$(last one.h5 cell length_x)" 'BEGIN {print a / l}')" -0.6 0.6
number "rate xz [1/s]" "$(last one.h5 cell rate_xz)" 149.9 150.1
number "stress zz of both observers" \
    "$(awk -v a="$(last one.h5 cell stress_zz)" -v b="$(last one.h5 mean zz)" 'BEGIN {print a / b}')" 0.99999 1.00001
number "stress xz of both observers" \
    "$(awk -v a="$(last one.h5 cell stress_xz)" -v b="$(last one.h5 mean xz)" 'BEGIN {print a / b}')" 0.99999 1.00001
number "its sign opposes the rate [Pa]" "$(last one.h5 cell stress_xz)" -1e9 -1
number "work [J]" "$(awk -v a="$(last one.h5 cell work)" -v b="$(last one.h5 ledger box_work)" 'BEGIN {print a - b}')" \
    0 0
number "closure over work" \
    "$(awk -v a="$(last one.h5 ledger closure)" -v b="$(last one.h5 ledger box_work)" 'BEGIN {print a / b}')" -2e-4 2e-4
for threads in 2 3; do
    runs "$threads threads" 0 run box.yaml --threads $threads --output two.h5 --force --quiet
    same "same bits on $threads threads" "$whole" "$(digest)"
done
for vectors in avx2 portable; do
    SCREE_VECTOR=$vectors run run box.yaml --threads 1 --output vectors.h5 --force --quiet
    same "same bits with $vectors vectors" "$whole" "$(digest)"
done
for skin in 0.01 0.15; do
    runs "skin of $skin mm" 0 run box.yaml --output skin.h5 --force --quiet --set "stepper={type: soft, skin: $skin mm}"
    same "same bits with a skin of $skin mm" "$whole" "$(digest)"
done
for end in "1.234 ms" "7 ms"; do
    rm -rf cut.h5*
    runs "cut at $end" 0 run box.yaml --threads 1 --output cut.h5 --quiet --set "time.end=$end"
    runs "resumed" 0 run box.yaml --resume cut.h5 --threads 2 --quiet
    same "same bits when cut at $end" "$whole" "$(digest)"
done

# with the other integrator
must "variational" run box.yaml --threads 1 --output var.h5 --set stepper.type=variational --set 'time.step=4 us' \
    --set 'time.end=8 ms'
bits=$(digest)
number "variational: closure over work" \
    "$(awk -v a="$(last var.h5 ledger closure)" -v b="$(last var.h5 ledger box_work)" 'BEGIN {print a / b}')" -1e-6 1e-6
runs "variational, cut" 0 run box.yaml --output var-cut.h5 --quiet --set stepper.type=variational \
    --set 'time.step=4 us' --set 'time.end=3 ms'
runs "variational, resumed" 0 run box.yaml --threads 2 --resume var-cut.h5 --quiet --set stepper.type=variational \
    --set 'time.step=4 us' --set 'time.end=8 ms'
same "variational: same bits" "$bits" "$(digest)"
must "soft, as long" run box.yaml --threads 1 --output soft.h5 --set 'time.end=8 ms'
number "both integrators do the same work" \
    "$(awk -v a="$(last var.h5 cell work)" -v b="$(last soft.h5 cell work)" 'BEGIN {print a / b}')" 0.97 1.03

# stages: compressed to a pressure, then sheared until a strain; a restart in the middle of each
cat >stages.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain:
  box: [[0, 0, 0], [5 mm, 5 mm, 5 mm]]
  periodic: [x, y, z]
  deform: {stress: {xx: 2 kPa, yy: 2 kPa, zz: 2 kPa}, max_rate: 8 1/s}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.4}}
contacts: {any: {normal: hooke, stiffness: 1 kN/m}}
bodies: {grains: {from: random, material: glass, diameter: 1 mm, fraction: 0.34}}
time: {step: 2 us}
output: {every: 5 ms, checkpoint: 5 ms}
observers: {cell: {type: box, every: 0.5 ms}}
stages:
  press: {end: 300 ms, until: box.error < 0.02}
  shear: {end: 300 ms, until: strain_xz > 0.25, domain: {deform: {rate: {xz: 3 1/s}}}}
YAML
sed -i 's/box.error/cell.error/' stages.yaml
must "stages" run stages.yaml --threads 2 --output stages.h5
whole=$(digest)
says err "cell.error < 0.02" "the first stage ends at its pressure"
says err "strain_xz > 0.25" "the second one at its strain"
number "shear strain" "$(last stages.h5 cell strain_xz)" 0.25 0.27
number "pressure is held while it is sheared [Pa]" "$(last stages.h5 cell stress_zz)" 1600 2400
number "friction of the flow" \
    "$(awk -v a="$(last stages.h5 cell stress_xz)" -v b="$(last stages.h5 cell pressure)" 'BEGIN {print -a / b}')" 0.2 \
    0.6
"$scree" run stages.yaml --threads 1 --output again.h5 --quiet >out 2>err
same "stages on one thread" "$whole" "$(digest)"
cp -r stages.h5 from.h5 && cp -r stages.h5.data from.h5.data
runs "from the second stage on" 0 run stages.yaml --threads 1 --resume from.h5 --from shear --quiet
same "the same from the second stage on" "$whole" "$(digest)"

# a new run in the box as it became
sed '/^stages:/,$d; s/deform: .*/deform: {rate: {xz: -5 1\/s}}/; s/^time: .*/time: {end: 1 ms, step: 2 us}/' \
    stages.yaml >next.yaml
must "a run from a deformed box" run next.yaml --from stages.h5 --output next.h5
number "its length [m]" "$(last next.h5 cell length_x)" 4e-3 4.9e-3
number "its strain is its own" "$(last next.h5 cell strain_xz)" -0.00501 -0.00499

# keys: good and bad values
bad() { # WHAT MESSAGE SETTING...
    local what=$1 message=$2
    shift 2
    runs "$what" 2 check box.yaml "$@"
    says err "$message" "$what: message"
}
good() {
    local what=$1
    shift
    runs "$what" 0 check box.yaml "$@"
}
good "since and until" --set domain.deform.since=1ms --set domain.deform.until=2ms
bad "until before since" "domain.deform.until is 0.001 s, must be after since" --set domain.deform.since=2ms \
    --set domain.deform.until=1ms
good "a signal" --set 'domain.deform.signal={type: ramp, duration: 1 ms}'
bad "a signal that is none" "signal" --set 'domain.deform.signal={type: rampe}'
good "a stress" \
    --set 'domain.deform={stress: {zz: 1 kPa}, stress_signal: {type: ramp, duration: 1 ms}, max_rate: 1 1/s, gain: 1e-3, integral_time: 1 ms}'
bad "a stress signal that is none" "stress_signal" \
    --set 'domain.deform={stress: {zz: 1 kPa}, stress_signal: {type: sin}}'
bad "max_rate" "max_rate" --set 'domain.deform={stress: {zz: 1 kPa}, max_rate: 0}'
bad "gain" "gain" --set 'domain.deform={stress: {zz: 1 kPa}, gain: -1}'
bad "integral_time" "integral_time" --set 'domain.deform={stress: {zz: 1 kPa}, integral_time: 0}'
for part in xx yy zz xy xz yz; do
    good "rate $part" --set "domain.deform={rate: {$part: 1 1/s}}"
    bad "rate $part in metres" "rate.$part" --set "domain.deform={rate: {$part: 1 m}}"
    good "stress $part" --set "domain.deform={stress: {$part: -1 kPa}}"
    bad "stress $part in metres" "stress.$part" --set "domain.deform={stress: {$part: 1 m}}"
done
bad "both" "domain.deform has zz in rate and in stress" --set 'domain.deform.stress={zz: 1 kPa}'
bad "neither" "domain.deform names no component" --set 'domain.deform={since: 1 ms}'
bad "an axis that is not periodic" "the domain is not periodic along z" --set 'domain.periodic=[x, y]'
bad "an unknown component" "zx" --set 'domain.deform.rate={zx: 1 1/s}'
bad "nonsmooth" "the integrator nonsmooth does not support it; soft and variational do" --set stepper.type=nonsmooth
bad "elastic" "the integrator elastic does not support it; soft and variational do" --set stepper.type=elastic
bad "walls" "walls.floor cannot be used with domain.deform" --set 'walls={floor: {shape: plane, material: glass}}'
bad "gravity" "gravity has a component of -9.81 m/s^2 there" --set 'gravity=[0, 0, -9.81]'
bad "frozen grains" "bodies.grains is frozen" --set bodies.grains.frozen=yes
bad "a flow" "observers.f measures the flow through a fixed plane" \
    --set 'observers.f={type: flow, point: [3 mm, 0, 0], normal: [1, 0, 0]}'
bad "an outlet" "outlets.o cannot be used with domain.deform" \
    --set 'outlets={o: {shape: box, box: [[0, 0, 0], [1 mm, 1 mm, 1 mm]]}}'
runs "equilibrate" 2 equilibrate box.yaml --output rest.h5
says err "does not support it; soft and variational do" "equilibrate: message"
sed '/deform:/d; /type: box/d; s/^time: {/time: {until: strain > 0.1, /' box.yaml >still.yaml
runs "strain without a box" 2 check still.yaml
says err "strain is that of a domain that deforms" "strain without a box: message"
sed 's/^  shear:.*/  shear: {end: 300 ms, domain: {box: [[0, 0, 0], [1, 1, 1]]}}/' stages.yaml >moved.yaml
runs "a stage that moves the domain" 2 check moved.yaml
says err "which a stage cannot change; allowed: deform" "a stage that moves the domain: message"
# in the file: with its place
sed 's/rate: {xx: 8 1\/s, /stress: {zz: 1 kPa}, rate: {xx: 8 1\/s, /' box.yaml >both.yaml
runs "both, in the file" 2 check both.yaml
says err "both.yaml:6" "both, in the file: place"
finish
