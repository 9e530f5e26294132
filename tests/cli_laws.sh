# What `scree check` says of the contact laws: numbers, reasons, and the restitution that two bodies really have;
# what `scree advise` says of the whole.
. "$(dirname "$0")/lib/cli.sh"

cat >scene.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials:
  glass: {density: 2500, restitution: 0.8, friction: 0.5, young: 70 GPa, poisson: 0.25}
  steel: {density: 7800, restitution: 0.5, friction: 0.5, young: 210 GPa, poisson: 0.3}
contacts:
  any: {normal: hertz}
  glass: {normal: hooke, stiffness: hertz-matched, rolling: sds, rolling_friction: 0.1, twisting: marshall}
  steel: {cohesion: jkr, surface_energy: 0.1}
bodies:
  g: {from: random, count: 10, material: glass, radius: [1 mm, 2 mm]}
  s: {from: random, count: 3, material: steel, radius: 1 mm}
walls: {floor: {shape: plane, material: steel}}
time: {end: 1 ms}
YAML
runs "check" 0 check scene.yaml
says err "contact glass/glass: hooke" "each pair is named"
says err "contacts as long as those of elastic spheres" "and why it is so stiff"
says err "rolling: sds, friction 0.1, stiffness 0.857 of normal" "rolling as stiff as tangential"
says err "twisting: marshall" "twisting"
says err "contact glass/steel: hertz, E* 5.641e+10 Pa (from young and poisson)" "the effective modulus"
says err "jkr, surface energy 0.1 J/m^2: pull-off forces 0.000471 to 0.000942 N" "pull-off 3 pi gamma R*"
matches err 'time step .* s: shortest (contact|rolling) .* \(glass/glass, d .* on d .*\) / 4[0-9.]+' \
    "the step and its reason"
says err "they stick below" "the sticking speed"
same "nothing was written" "" "$(find . -name '*.h5*')"

# the measured restitution is what was asked for, at both speeds, for all pairs that do not stick
awk '/: e / && /requested/ {
    for (k = 1; k <= NF; k++) { if ($k == "e") got = $(k + 1); if ($k == "(requested") want = $(k + 1) + 0 }
    n++; d = got - want; if (d < 0) d = -d; if (d > worst) worst = d
} END {print n, worst}' err >measured
number "restitutions measured" "$(cut -d' ' -f1 measured)" 14 40
number "largest deviation from the one asked for" "$(cut -d' ' -f2 measured)" 0 0.02

# a step too long for its contacts shows
runs "check with a long step" 0 check scene.yaml --set contacts.any.normal=hooke --set contacts.any.stiffness=1000 \
    --set contacts.any.speed=0.1 --set contacts.glass.stiffness=1000 --set contacts.steel.cohesion=none \
    --set materials.steel.restitution=0.2 --set materials.glass.restitution=0.2 --set 'time.step=0.1 ms' \
    --set 'time.end=1 s'
says err "has restitution" "a restitution that the step spoils is named"
says out "warning" "as a warning"

# ---- advise ----

runs "advise" 0 advise scene.yaml --threads 1
for text in "13 move, 0 are fixed" "the standard scheme would trap grains above a ratio of 8.47" "shortest contact" \
    "Rayleigh" \
    "wave through the domain" "fall through the domain 0.1428 s" "in an impact at the expected speed of 1.4 m/s" \
    "with 1 thread, timed just now" \
    "101 frames" "none: no problems found"; do says out "$text"; done
same "it says nothing else" "" "$(cat err)"
same "nothing was written" "" "$(find . -name '*.h5*')"
step=$(sed -n 's/^  time step \([^ ]*\) s: .*/\1/p' out)
number "steps times time step is the end of time" "$(awk -v dt="$step" '/steps of/ {print $1 * dt * 1000}' out)" 0.999 \
    1.001
runs "advise on a bad idea" 0 advise scene.yaml --set bodies.s.radius='0.1 mm' --set stepper.scheme=standard \
    --set 'output.every=1 us' \
    --set contacts.any.normal=hooke --set contacts.any.stiffness=100 --set contacts.glass.stiffness=100 \
    --set contacts.steel.cohesion=none --threads 1
for text in "traps small grains at this size ratio; use scheme: improved" "impacts overlap by more than 1 %" \
    "frames are written every"; do says out "$text"; done
runs "advise on a bad scene" 2 advise scene.yaml --set contacts.glass.normal=hertzz
says err "did you mean 'hertz'?" "with the reason"

# ---- a damper along the contact, without a spring: slip = exp(-7/2 eta t/m), with a limit from 0.2 on ----

cat >slide.yaml <<'YAML'
scree: 1
gravity: [0, 0, -1]
domain: {box: [[-5, -5, -1], [5, 5, 5]]}
materials: {unit: {density: =6/pi, friction: 1e9}}
contacts: {any: {stiffness: 195000, tangential: viscous, damping: viscous, damping_rate: 2, damping_ratio: 0.5}}
bodies: {ball: {from: positions, material: unit, diameter: 1, position: [0, 0, =0.5 - 1/195000], velocity: [1, 0, 0]}}
walls: {floor: {shape: plane, material: unit}}
observers: {ball: {type: probe, id: 1, every: 0.2}}
time: {end: 0.2, step: 0.2 ms}
YAML
must "nothing of it is without effect" check slide.yaml
says out "slide.yaml: ok, 0 warnings"
must "a spring that is not there" check slide.yaml --set contacts.any.tangential_stiffness=1
says err "tangential_stiffness has no effect: tangential is viscous"
speed() { "$scree" info slide.h5 | sed -n 's/^ *vx  *\([^ ]*\) .*/\1/p'; }
for stepper in "{type: soft}" "{type: variational}"; do
    must "a damper, $stepper" run slide.yaml --set "stepper=$stepper" --output slide.h5
    says err "no tangential spring, friction 1e+09, tangential damping 0.5 of normal"
    # 1 - (1 - exp(-0.7))/3.5 = 0.856167; off by 3.5e-5, of first order
    number "it slows down" "$(speed)" 0.85612 0.85621
    number "nothing is stored" "$(ledger_of slide.h5 elastic_tangential)" 0 0
    number "the ledger closes" "$(ledger_of slide.h5 closure)" -1e-6 1e-6
    must "with a limit" run slide.yaml --set "stepper=$stepper" --set materials.unit.friction=0.2 --set time.end=2 \
        --output slide.h5
    # 0.771429 - 0.2 (1 - exp(-3))/3.5 = 0.717131; off by 5e-6
    number "it slows down as that allows" "$(speed)" 0.71710 0.71716
    # 0.2 of force, 0.8 in slip/0.7: 0.137143, of which a third moves the damper, whose force is 0.2 at a speed of 0.2
    number "friction took its part" "$(ledger_of slide.h5 friction)" 0.09142 0.09144 # 0.2*0.8^2/1.4: 0.091429
    number "the ledger closes" "$(ledger_of slide.h5 closure)" -1e-5 1e-5 # off by 2e-6: the first step
done

# ---- how contacts slip and pull: said, stored with the laws, kept by a resumed run ----

cat >throw.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [20 mm, 20 mm, 60 mm]], periodic: [x, y], boundary: delete}
materials: {glass: {density: 2500, restitution: 0.3, friction: 0.4}}
contacts: {any: {stiffness: 1e4, slip: damper, pull: allowed}}
bodies: {g: {from: random, count: 60, material: glass, radius: [1 mm, 2 mm], velocity: [1, 0, -1]}}
walls: {floor: {shape: plane, material: glass}}
time: {end: 20 ms, step: 10 us}
output: {checkpoint: 5 ms}
YAML
must "all of it" run throw.yaml --threads 1 --output throw.h5
says err "slip: damper, its force is kept in the spring while sliding"
says err "pull: allowed, the normal force may attract while a contact separates"
whole=$(digest)
must "the first half" run throw.yaml --threads 1 --output half.h5 --set 'time.end=9.87 ms'
must "the rest" run throw.yaml --threads 2 --resume half.h5
same "the same bits after a restart" "$whole" "$(digest)"
for key in slip=spring pull=never; do
    must "with $key" run throw.yaml --threads 1 --output other.h5 --set "contacts.any.$key"
    check "$key is another law" test "$(digest)" != "$whole"
    runs "$key is not as LAMMPS does it" 2 check throw.yaml --set "contacts.any.$key" --set stepper.conventions=lammps
    says err "stepper.conventions: lammps implies"
done
must "with conventions of LAMMPS" check throw.yaml --set stepper.conventions=lammps
runs "a word that is not there" 2 check throw.yaml --set contacts.any.slip=sprin
says err "did you mean 'spring'?"

# ---- plastic contacts: the same bits however they are computed, and what can be said of them ----

plastic="contacts={any: {normal: plastic, stiffness: 1e4, unloading_stiffness: 4e4, rolling: sds, rolling_friction: 0.1}}"
must "plastic grains" run throw.yaml --threads 1 --output throw.h5 --set "$plastic"
says err "plastic, kn 1e+04 N/m, unloading 4e+04 N/m"
says err "restitution 0.5, by yielding"
whole=$(digest)
for vector in portable avx2; do
    SCREE_VECTOR=$vector must "with $vector" run throw.yaml --threads 3 --output other.h5 --set "$plastic"
    same "the same bits" "$whole" "$(digest)"
done
must "the first half" run throw.yaml --threads 1 --output half.h5 --set "$plastic" --set 'time.end=9.87 ms'
must "the rest" run throw.yaml --threads 2 --resume half.h5 --set "$plastic"
same "the same bits after a restart" "$whole" "$(digest)"
must "from restitution" check throw.yaml --set contacts.any.normal=plastic
says err "unloading 1.111e+05 N/m"
runs "softer unloading" 2 check throw.yaml --set "$plastic" --set contacts.any.unloading_stiffness=5e3
says err "the contact glass/glass has unloading_stiffness 5000, which gives restitution 1.414: it must not be above 1"
runs "a damper without its number" 2 check throw.yaml \
    --set "contacts={any: {normal: plastic, stiffness: 1e4, damping: viscous, damping_rate: 10}}"
says err "give its unloading_stiffness too"
runs "no potential" 2 check throw.yaml --set "$plastic" --set stepper=variational
says err "the contact glass/glass has normal: plastic, which has no potential"
must "as constraints" check throw.yaml --set "$plastic" --set stepper=nonsmooth --set 'time.step=1 ms'
says err "restitution 0.5"
{
    cat "$source/tests/bits/elastic-beam.yaml"
    echo "contacts: {any: {normal: plastic, stiffness: 1e4, unloading_stiffness: 4e4, friction: 0.1}}"
} >beam.yaml
line=$(wc -l <beam.yaml)
for command in check run equilibrate; do
    runs "$command with cells of a solid" 2 $command beam.yaml
    same "it is said once" 1 \
        "$(grep -c 'has normal: plastic, which cells of an elastic solid cannot have; give it another normal law' err)"
    matches err "^beam.yaml:$line:[0-9]+: error"
done
both="the contact glass/glass has restitution 0.5 and unloading_stiffness 4e+04, which determines the restitution: leave one of the two out"
runs "restitution twice" 2 check throw.yaml --set "$plastic" --set contacts.any.restitution=0.5
says err "$both"
runs "restitution nearer than the stiffness" 2 check throw.yaml --set "$plastic" \
    --set 'contacts.glass={restitution: 0.5}'
says err "$both"
must "restitution of any, a pair of its own" check throw.yaml \
    --set 'contacts={any: {restitution: 0.3, stiffness: 1e4}, glass: {normal: plastic, unloading_stiffness: 4e4}}'
says err "restitution 0.5, by yielding"
must "another law" check throw.yaml --set contacts.any.unloading_stiffness=1e5
says err "contacts.any.unloading_stiffness has no effect: normal is hooke, it acts with plastic"

finish
