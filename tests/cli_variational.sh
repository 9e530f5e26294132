#!/bin/bash
# The stepper variational: the same bits for any number of threads and after a restart at any moment, with an inlet, an
# outlet, faces that move and one that goes, a group of prescribed motion, bonds and periodic sides; what it says of a
# scene that it cannot do; a step that has no solution.
. "$(dirname "$0")/lib/cli.sh"

cat >plant.yaml <<'YAML'
scree: 1
gravity: [2, 0, -9]
domain: {box: [[-0.3, -0.06, -0.2], [0.5, 0.06, 0.5]], periodic: [y], boundary: delete}
materials:
  rock: {density: 3700, restitution: 0.3, friction: 0.5, rolling_friction: 0.1}
contacts:
  any: {stiffness: 5 kN/m, rolling: sds}
bodies:
  rain: {from: inlet, material: rock, diameter: [10 mm, 13 mm], rate: 300, velocity: [0, 0, -1], region: {box: [[0, -0.04, 0.2], [0.08, 0.04, 0.3]]}}
  heap: {from: lattice, material: rock, diameter: [10 mm, 13 mm], spacing: 13.5 mm, jitter: 1, velocity: [0.1, 0.2, 0], region: {box: [[0.101, -0.05, 0.001], [0.16, 0.05, 0.06]]}}
  paddle: {from: lattice, material: rock, diameter: 12 mm, spacing: 12 mm, motion: {velocity: [0.2, 0, 0.05]}, region: {box: [[-0.03, -0.03, 0.004], [-0.01, 0.03, 0.03]]}}
  chain: {from: lattice, material: rock, diameter: 12 mm, spacing: 12.1 mm, region: {box: [[-0.2, -0.02, 0.1], [-0.14, 0.02, 0.14]]}}
bonds:
  glue: {between: [chain, chain], gap: 1 mm, young: 1e6, poisson: 0.2, tensile_strength: 20 kPa, shear_strength: 20 kPa}
outlets:
  end: {shape: plane, point: [0.3, 0, 0], normal: [1, 0, 0]}
walls:
  floor: {shape: plane, material: rock, velocity: [0.1, 0, 0]}
  drum: {shape: cylinder, material: rock, from: [-0.17, -0.5, 0.08], to: [-0.17, 0.5, 0.08], radius: 0.08, rotation: {point: [-0.17, 0, 0.08], axis: [0, 1, 0], rate: 1}}
  gate: {shape: disc, material: rock, center: [0.05, 0, 0.12], normal: [0, 0, 1], radius: 0.03, until: 0.15}
stepper: {type: variational}
time: {end: 0.3 s, step: 0.2 ms}
output: {every: 50 ms, contacts: yes}
YAML
must "one thread" run plant.yaml --threads 1 --output one.h5
whole=$(digest)
number "grains have come and gone" "$(told grains)" 150 600
number "contacts" "$(ledger_of one.h5 contacts)" 100 2000
for threads in 2 3; do
    must "$threads threads" run plant.yaml --threads $threads --output other.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
done
for moment in 0.05 0.1498 0.1502 0.226; do
    must "until $moment s" run plant.yaml --threads 2 --output part.h5 --set time.end=$moment --quiet
    must "and on" run plant.yaml --threads 1 --resume part.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
    rm -rf part.h5*
done
# several blocks of bodies
cat >bed.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.2, 0.2, 0.4]], periodic: [x, y]}
materials: {rock: {density: 2500, restitution: 0.3, friction: 0.5}}
contacts: {any: {stiffness: 5 kN/m}}
bodies:
  all: {from: lattice, kind: fcc, material: rock, diameter: [9 mm, 10 mm], spacing: 10.3 mm, jitter: 1, velocity: [0, 0, -0.5], region: {box: [[0, 0, 0.002], [0.2, 0.2, 0.1]]}}
walls: {floor: {shape: plane, material: rock}}
stepper: {type: variational}
time: {end: 0.02 s, step: 0.1 ms}
YAML
must "a bed, one thread" run bed.yaml --threads 1 --output bed.h5
whole=$(digest)
number "grains" "$(told grains)" 2500 5000
number "contacts" "$(told contacts)" 1000 20000
for threads in 2 3; do
    must "a bed, $threads threads" run bed.yaml --threads $threads --output other.h5 --quiet
    same "the same bits" "$whole" "$(digest)"
done
must "forces that keep the energy" run bed.yaml --threads 1 --set stepper.energy=exact --set time.step=0.5ms \
    --output bed.h5 --quiet
whole=$(digest)
number "nothing is lost by stepping" "$(ledger_of bed.h5 numerical)" -1e-12 1e-12
must "by three threads" run bed.yaml --threads 3 --set stepper.energy=exact --set time.step=0.5ms --output other.h5 \
    --quiet
same "the same bits" "$whole" "$(digest)"
must "until 7 ms" run bed.yaml --threads 2 --set stepper.energy=exact --set time.step=0.5ms --set time.end=7ms \
    --output part.h5 --quiet
must "and on" run bed.yaml --threads 1 --set stepper.energy=exact --set time.step=0.5ms --resume part.h5 --quiet
same "the same bits" "$whole" "$(digest)"
must "backward Euler, long steps" run bed.yaml --set stepper.theta=1 --set time.step=1ms --output long.h5
number "its ledger closes" "$(ledger_of long.h5 closure)" -1e-9 1e-9
number "what it loses is booked" "$(ledger_of long.h5 numerical)" 0.2 0.8 # 0.39

# ---- what it refuses ----

runs "order 1 has no theta" 2 check bed.yaml --set stepper.order=1 --set stepper.theta=1
says err "stepper.theta is 1, but with order: 1 elastic forces are those of the start of the step"
runs "the energy of another stage" 2 check bed.yaml --set stepper.energy=exact --set stepper.theta=1
says err "stepper.energy is exact, which needs theta: 0.5, but stepper.theta is 1"
runs "the energy of order 1" 2 check bed.yaml --set stepper.energy=exact --set stepper.order=1
says err "stepper.energy is exact, which needs order: 2, but stepper.order is 1"
runs "the energy in a drum" 2 check plant.yaml --set stepper.energy=exact
says err "walls.drum.shape is cylinder, but stepper.energy: exact supports only plane and box; use these, or energy: stage"
runs "a theta below 1/2" 2 check bed.yaml --set stepper.theta=0.4
runs "cohesion without a potential" 2 check bed.yaml --set contacts.any.cohesion=jkr \
    --set contacts.any.surface_energy=0.1 --set contacts.any.normal=hertz --set materials.rock.young=1e7 \
    --set materials.rock.poisson=0.3
says err \
    "the contact rock/rock has cohesion: jkr, which has no potential, so the integrator variational does not support it; leave it out, or use the integrator soft"
runs "a constant pull" 2 check bed.yaml --set contacts.any.cohesion=linear --set contacts.any.adhesion=0.1
says err "the contact rock/rock has cohesion: linear, which has no potential"
runs "a constant rolling torque" 2 check bed.yaml --set contacts.any.rolling=constant \
    --set materials.rock.rolling_friction=0.1
says err "the contact rock/rock has rolling: constant, which has no potential"
runs "twisting" 2 check bed.yaml --set contacts.any.twisting=marshall
says err "has twisting: marshall, which has no potential"
runs "twisting with a spring" 2 check bed.yaml --set contacts.any.twisting=sds --set contacts.any.twisting_friction=0.1
says err "the contact rock/rock has twisting: sds, which has no potential"
# where it is written, whatever is asked for
for words in "cohesion: jkr, surface_energy: 0.1" "cohesion: linear, adhesion: 0.1" "rolling: constant" \
    "twisting: marshall" "twisting: sds, twisting_friction: 0.1"; do
    law=${words%%,*}
    sed "s/^contacts: .*/contacts:\n  any:\n    {normal: hertz,\n     $words}/; s/friction: 0.5/friction: 0.5, young: 1e7, poisson: 0.3, rolling_friction: 0.1/" bed.yaml >lines.yaml
    for command in check run equilibrate; do
        runs "$command with $law" 2 $command lines.yaml
        says err "error: the contact rock/rock has $law, which has no potential, so "
        matches err "^lines.yaml:7:[0-9]+: error"
    done
    says err \
        "so equilibrate cannot find its state of rest; leave it out, or let the grains come to rest in a run with the integrator soft"
done
check "nothing was written" test ! -e lines.h5
runs "clumps" 2 check bed.yaml --set "bodies.all.clump={spheres: [[0, 0, 0, 1]]}"
says err "bodies.all.clump: the integrator variational does not support clumps; leave it out, or use the integrator nonsmooth"

# ---- a step without a solution: a checkpoint, and who is to blame ----

runs "one iteration is not enough" 1 run bed.yaml --set stepper.iterations=1 --set stepper.halvings=1 \
    --set time.step=1ms --output stuck.h5
matches err \
    "no solution, down to a step of 0.0005 s \(1 halvings\); the deepest contact is that of grain [0-9]+ and (grain [0-9]+|wall floor)"
says err "state written as checkpoint of step"
must "it can be continued" run bed.yaml --resume stuck.h5 --quiet
cat >dish.yaml <<'YAML'
scree: 1
domain: {box: [[-0.2, -0.2, -0.1], [0.2, 0.2, 0.4]]}
materials: {rock: {density: 2500, restitution: 1}}
contacts: {any: {normal: hertz, normal_modulus: 1e7, tangential: none}}
bodies: {one: {from: positions, material: rock, diameter: 10 mm, position: [0.01, 0.02, 0.0051], velocity: [0, 0, -1]}}
walls: {dish: {shape: disc, material: rock, center: [0, 0, 0], normal: [0, 0, 1], radius: 0.1}}
stepper: {type: variational, iterations: 1, halvings: 0}
time: {end: 0.02 s, step: 0.1 ms}
YAML
runs "in a face that is not a plane" 1 run dish.yaml --output dish.h5
says err "the deepest contact is that of grain 1 and wall dish"
must "it can be continued" run dish.yaml --resume dish.h5 --set stepper.iterations=60 --quiet

# ---- scree equilibrate: grains come to rest ----

# a column of four: forces of 1 to 4 weights, and the energy that they store
cat >column.yaml <<'YAML'
scree: 1
gravity: [0, 0, -1]
domain: {box: [[-2, -2, -1], [2, 2, 9]]}
materials: {unit: {density: =6/pi, restitution: 0.5, friction: 0}}
contacts: {any: {stiffness: 195000, tangential: none}}
bodies: {all: {from: lattice, kind: sc, material: unit, diameter: 1, spacing: 1.01, region: {box: [[-0.5, -0.5, 0.01], [0.52, 0.52, 4.06]]}}}
walls: {floor: {shape: plane, material: unit}}
time: {end: 1}
YAML
must "a column" equilibrate column.yaml --steps 2 --set statics.tolerance=1e-9 --output column.h5
matches out "load steps 2, load 1, 4 grains"
number "the energy stored" "$(sed -n 's/^energy stored \([^ ]*\) J.*/\1/p' out)" 7.6922e-5 7.6924e-5 \
    # (1 + 4 + 9 + 16)/(2 k)
# the gaps of 0.1 m in all are closed, and contacts give way by 15/k, with half of gravity, by as much again with all of
# it: work of half of gravity that is carried, loss of what the springs do not take
number "potential energy" "$(ledger_of column.h5 gravity)" 7.9998461537 7.9998461540 # 8 - 30/k
number "work of gravity that does not act yet" "$(ledger_of column.h5 load_work)" \
    -0.0500384617 -0.0500384614 # -(0.1 + 15/k)/2
number "energy lost" "$(ledger_of column.h5 numerical)" 0.0500384614 0.0500384617 # 0.05 + 7.5/k
# the closure would be no witness: what a fall loses is booked as what the other accounts leave (rest.c)
must "it stays at rest" run column.yaml --from column.h5 --set time.end=0.1 --output stays.h5
number "kinetic energy" "$(ledger_of stays.h5 translation)" 0 1e-12

# a heap with friction, from where it was let go
cat >heap.yaml <<'YAML'
scree: 1
gravity: [0, 0, -1]
domain: {box: [[-5, -5, -1], [5, 5, 9]]}
materials: {unit: {density: =6/pi, restitution: 0.5, friction: 0.6, rolling_friction: 0.2}}
contacts: {any: {stiffness: 195000, rolling: sds}}
bodies: {all: {from: lattice, kind: fcc, material: unit, diameter: [0.9, 1], spacing: 1.01, jitter: 1, region: {box: [[-1.5, -1.5, 0.01], [1.5, 1.5, 2]]}}}
walls: {floor: {shape: plane, material: unit}}
time: {end: 1}
YAML
must "a heap" equilibrate heap.yaml --steps 1 --set statics.tolerance=1e-8 --output heap.h5
matches err "at rest: [0-9.e-]+ of the largest contact force"
number "what it turned over" "$(ledger_of heap.h5 friction)" 0.04 0.17 # 0.084
number "its ledger closes" "$(ledger_of heap.h5 closure)" -1e-13 1e-13 # 4e-15
number "forces left" "$(sed -n 's/.*residual \([^ ]*\) of the largest force/\1/p' out)" 0 1e-8
must "it stays at rest" run heap.yaml --from heap.h5 --set time.end=0.2 --output stays.h5
number "kinetic energy" "$(ledger_of stays.h5 translation)" 0 1e-10
runs "a law without a potential" 2 equilibrate heap.yaml --set contacts.any.twisting=marshall --output no.h5
says err "has twisting: marshall, which has no potential"

finish
