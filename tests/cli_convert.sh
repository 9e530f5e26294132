#!/bin/bash
# scree convert: inputs in the syntax of LIGGGHTS and LAMMPS, one per feature and three whole ones, become scenes that
# pass the check; what has no equal is listed with its line.
. "$(dirname "$0")/lib/cli.sh"

# a box with one type of atoms, and what the feature adds; every scene is checked
head=$(
    cat <<'END'
units si
atom_style granular
boundary f f f
region box block -0.1 0.1 -0.1 0.1 0 0.4 units box
create_box 2 box
fix m1 all property/global youngsModulus peratomtype 5e6 2e7
fix m2 all property/global poissonsRatio peratomtype 0.3 0.25
fix m3 all property/global coefficientRestitution peratomtypepair 2 0.5 0.6 0.6 0.7
fix m4 all property/global coefficientFriction peratomtypepair 2 0.4 0.3 0.3 0.2
pair_style gran model hertz tangential history
pair_coeff * *
fix grav all gravity 9.81 vector 0 0 -1
fix pts1 all particletemplate/sphere 15485863 atom_type 1 density constant 2500 radius constant 0.004
fix pdd all particledistribution/discrete 15485867 1 pts1 1.0
region fill block -0.08 0.08 -0.08 0.08 0.02 0.3 units box
fix ins all insert/pack seed 32452843 distributiontemplate pdd vel constant 0 0 -0.5 insert_every once overlapcheck yes all_in yes particles_in_region 100 region fill
fix floor all wall/gran model hertz tangential history primitive type 2 zplane 0.0
fix integr all nve/sphere
timestep 1e-5
dump dmp all custom 800 post/dump*.grains id type x y z radius
run 20000
END
)

# feature NAME LEFT LINE... : the input above with lines added before `fix integr`; LEFT commands are not translated
feature() {
    local name=$1 left=$2
    shift 2
    { sed '/^fix integr/,$d' <<<"$head"; printf '%s\n' "$@"; sed -n '/^fix integr/,$p' <<<"$head"; } >in.test
    rm -f test.yaml
    runs "$name" 0 convert in.test
    matches out "wrote test.yaml; $left command(s were| was) not translated" "$name: $left left"
    cp out words
    runs "$name: the scene is right" 0 check test.yaml
}

feature "the plain input" 0
says test.yaml "type1: {density: 2500, young: 5000000, poisson: 0.3}" "materials"
says test.yaml "any: {normal: hertz, tangential: mindlin}" "the law"
says test.yaml "type1/type2: {restitution: 0.6, friction: 0.3}" "coefficients of pairs"
says test.yaml "ins: {from: random, material: type1, radius: 0.004, count: 100, velocity: [0, 0, -0.5]" "insertion"
says test.yaml "floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: type2}" "a plane towards the box"
says test.yaml "time: {end: 0.2, step: 1e-05}" "run length"
says test.yaml "output: {every: 0.008}" "frames"

feature "hooke" 0 "pair_style gran model hooke tangential history" \
    "fix m5 all property/global characteristicVelocity scalar 2."
says test.yaml "any: {normal: hooke, stiffness: hertz-matched, tangential: history, speed: 2}" \
    "stiffness from moduli at that speed"
feature "rolling friction" 0 "pair_style gran model hertz tangential history rolling_friction epsd2" \
    "fix m6 all property/global coefficientRollingFriction peratomtypepair 2 0.1 0.2 0.2 0.3"
says test.yaml "type1/type2: {restitution: 0.6, friction: 0.3, rolling_friction: 0.2}" "rolling per pair"
feature "cohesion" 2 "pair_style gran model hertz tangential history cohesion sjkr" \
    "fix m7 all property/global cohesionEnergyDensity peratomtypepair 2 1e4 1e4 1e4 1e4"
matches words '^line 18: pair_style gran model hertz .*: cohesion sjkr has no equivalent' "listed with its line"
matches words '^line 19: fix m7 .*: the property cohesionEnergyDensity has no equivalent' "and the other one"
says test.yaml "#   line 19: fix m7" "in the scene too"
feature "a cylinder" 0 "fix side all wall/gran model hertz tangential history primitive type 1 zcylinder 0.09 0.0 0.0"
says test.yaml "side: {shape: cylinder, from: [0, 0, 0], to: [0, 0, 0.4], radius: 0.09, material: type1}" \
    "of the box's height"
feature "two templates by mass" 0 \
    "fix pts2 all particletemplate/sphere 1 atom_type 1 density constant 2500 radius constant 0.008" \
    "fix pd2 all particledistribution/discrete 1 2 pts1 0.5 pts2 0.5" \
    "fix in2 all insert/pack seed 1 distributiontemplate pd2 vel constant 0 0 0 particles_in_region 90 region fill"
matches test.yaml 'in2_1: .*radius: 0.004, count: 80,' "eight of nine are small"
matches test.yaml 'in2_2: .*radius: 0.008, count: 10,' "one of nine is large"
feature "uniform radii and a solid fraction" 0 \
    "fix pts3 all particletemplate/sphere 1 atom_type 1 density constant 2500 radius uniform 0.003 0.005" \
    "fix pd3 all particledistribution/discrete 1 1 pts3 1" \
    "region up block -0.05 0.05 -0.05 0.05 0.31 0.39 units box" \
    "fix in3 all insert/pack seed 1 distributiontemplate pd3 volumefraction_region 0.1 region up"
matches test.yaml 'in3: .*radius: \[0.003, 0.005\], fraction: 0.1' "both are taken"
feature "a rate" 0 "region top cylinder z 0 0 0.05 0.32 0.39 units box" \
    "fix in4 all insert/rate/region seed 1 distributiontemplate pdd nparticles 500 massrate 0.2 insert_every 1000 vel constant 0 0 -1 region top"
matches test.yaml 'in4: .from: inlet, .*mass_rate: 0.2, count: 500, velocity: \[0, 0, -1\], region: .shape: frustum' \
    "an inlet"
cat >cube.stl <<'STL'
solid cube
facet normal 0 0 0
outer loop
vertex -20 -20 50
vertex 20 -20 50
vertex 0 20 60
endloop
endfacet
endsolid cube
STL
feature "a mesh that turns" 0 \
    "fix cad all mesh/surface file cube.stl type 2 scale 0.001 move 0 0 0.3 rotate axis 0 0 1 angle 90." \
    "fix walls all wall/gran model hertz tangential history mesh n_meshes 1 meshes cad" \
    "fix mv all move/mesh mesh cad rotate origin 0. 0. 0. axis 0. 0. 1. period 0.5"
says test.yaml \
    "cad: {shape: mesh, file: cube.stl, scale: 0.001, rotate: [0 deg, 0 deg, 90 deg], translate: [0, 0, 0.3], material: type2, rotation: {point: [0, 0, 0], axis: [0, 0, 1], rate: 12.566371}}" "scaled, turned, moved"
feature "a mesh that shakes and one that moves" 0 "fix cad all mesh/surface file cube.stl type 2 scale 0.001" \
    "fix cad2 all mesh/surface file cube.stl type 2 scale 0.001" \
    "fix walls all wall/gran model hertz tangential history mesh n_meshes 2 meshes cad cad2" \
    "fix mv all move/mesh mesh cad wiggle amplitude 0. 0. 0.002 period 0.05" \
    "fix mv2 all move/mesh mesh cad2 linear 0. 0. -0.1"
says test.yaml "oscillation: {direction: [0, 0, 0.002], amplitude: 0.002, frequency: 20}" "a wiggle"
says test.yaml "translation: {velocity: [0, 0, -0.1]}" "and a velocity"
feature "a servo" 0 \
    "fix cad all mesh/surface/stress/servo file cube.stl type 2 scale 0.001 com 0 0 0.05 ctrlPV force axis 0 0 1 target_val -20. vel_max 0.1" \
    "fix walls all wall/gran model hertz tangential history mesh n_meshes 1 meshes cad"
says test.yaml "servo: {axis: [-0, -0, -1], force: 20, max_speed: 0.1}" "along its force"
feature "stages" 0 "fix gate all wall/gran model hertz tangential history primitive type 2 zplane 0.01" \
    "timestep 1e-5" "run 5000" "unfix gate" \
    "fix lid all wall/gran model hertz tangential history primitive type 2 zplane 0.39"
matches test.yaml 'gate: .*until: 0.05\}' "what is unfixed ends then"
matches test.yaml 'lid: .*normal: \[0, 0, -1\], material: type2, since: 0.05\}' "what comes later begins then"
says test.yaml "end: 0.25" "runs add up"
feature "gravity on a slope" 0 "fix grav all gravity 9.81 chute 30.0"
matches test.yaml 'gravity: \[4.905, 0, -8.49570921[0-9]*\]' "chute"
feature "variables" 0 "variable R equal 0.004*2" "variable half index 0.05" \
    "fix side all wall/gran model hertz tangential history &" "  primitive type 1 zcylinder \$(v_R*10) \${half} 0.0"
says test.yaml "from: [0.05, 0, 0], to: [0.05, 0, 0.4], radius: 0.08" "names, arithmetic and lines that go on"
feature "what a scene has no equal for" 4 "compute 1 all erotate/sphere" "fix ts all ave/time 1 1 10 c_1" \
    "if '\${x} > 1' then 'jump in.test'" "variable y atom x"
matches words "^line 18: compute 1 all erotate/sphere: no equivalent in a scene" "a compute"
matches words "^line 20: if .*: the variable 'x' is not defined" "a variable that nobody defined"
matches words "^line 21: variable y atom x: variables of style atom are not evaluated" "a style of variables"

# ---- LAMMPS ----

lammps='units si
atom_style sphere
boundary p p f
region box block 0 0.1 0 0.05 0 0.3
create_box 1 box
pair_style gran/hooke/history 2000.0 NULL 50.0 NULL 0.5 1
pair_coeff * *
region slab block 0 0.1 0 0.05 0.2 0.29
fix pr all pour 300 1 4767548 region slab diam range 0.005 0.006 dens 2500 2500 vol 0.2 500
fix zw all wall/gran hooke/history 2000.0 NULL 50.0 NULL 0.5 1 zplane 0.0 NULL
fix g all gravity 9.81 chute 24
fix n all nve/sphere
timestep 2e-5
run 10000'
echo "$lammps" >in.pour
runs "pour" 0 convert in.pour
matches out '^line 9: fix pr all pour .*: rate is an estimate|it pours as many' "the rate is an estimate"
says pour.yaml \
    "any: {normal: hooke, stiffness: 2000, tangential: history, damping_rate: 50, damping: viscous, damping_ratio: 0.5, friction: 0.5}" "the law"
says pour.yaml "periodic: [x, y]" "periodic sides"
says pour.yaml "zw_low: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: type1}" "the floor, and no NULL"
runs "pour: the scene is right" 0 check pour.yaml
sed 's/^pair_style.*/pair_style gran\/hertz\/history 1e6 8e5 30.0 NULL 0.4 0/' in.pour >in.hertz
runs "hertz" 0 convert in.hertz
says hertz.yaml \
    "any: {normal: hertz, normal_modulus: 1000000, tangential: mindlin, tangential_modulus: 800000, area_damping_rate: 30, damping: viscoelastic, damping_ratio: 0, friction: 0.4}" "the law"
runs "hertz: the scene is right" 0 check hertz.yaml
sed -e 's/^pair_style.*/pair_style granular/' \
    -e 's/^pair_coeff.*/pair_coeff * * hertz\/material 1e7 0.6 0.3 tangential mindlin NULL 1.0 0.35 rolling sds 2e3 5 0.1 damping tsuji/' in.pour >in.granular
runs "granular" 0 convert in.granular
says granular.yaml \
    "any: {normal: hertz, tangential: mindlin, restitution: 0.6, friction: 0.35, rolling: sds, rolling_friction: 0.1}" \
    "the law"
says granular.yaml "young: 10000000, poisson: 0.3" "its moduli are the material's"
runs "granular: the scene is right" 0 check granular.yaml

# ---- three whole inputs ----

cp "$source"/docs/coming-from/in.l* .
for name in liggghts lammps; do
    runs "the $name input of the documentation" 0 convert in.$name --output whole-$name.yaml
    says out "0 commands were not translated" "$name: nothing is left"
    must "$name: it runs" run whole-$name.yaml --output whole.h5 --quiet --set time.end=2ms
done
same "a thousand beads" 1000 \
    "$("$scree" check whole-liggghts.yaml 2>&1 | grep -oE '^[0-9]+ (grains|bodies)' | head -n 1 | grep -oE '[0-9]+' ||
    "$scree" run whole-liggghts.yaml --force --output n.h5 --set time.end=20us 2>/dev/null |
    sed -n 's/.* \([0-9]*\) grains.*/\1/p')"
"$scree" init mixer >out
cat >in.mixer <<'INPUT'
# a paddle stirs what was poured in; variables, two stages, a mesh
variable dt equal 2e-5
variable period equal 1.0      # of the paddle [s]
units si
atom_style granular
boundary f f f
newton off
communicate single vel yes
region reg block -0.06 0.06 -0.06 0.06 -0.01 0.16 units box
create_box 2 reg
neighbor 0.002 bin
fix m1 all property/global youngsModulus peratomtype 5e6 5e6
fix m2 all property/global poissonsRatio peratomtype 0.45 0.45
fix m3 all property/global coefficientRestitution peratomtypepair 2 0.5 0.5 0.5 0.5
fix m4 all property/global coefficientFriction peratomtypepair 2 0.5 0.4 0.4 0.4
pair_style gran model hertz tangential history
pair_coeff * *
timestep ${dt}
fix gravi all gravity 9.81 vector 0.0 0.0 -1.0
fix vessel all wall/gran model hertz tangential history primitive type 2 zcylinder 0.05 0. 0.
fix floor all wall/gran model hertz tangential history primitive type 2 zplane 0.
fix paddle all mesh/surface/stress file mixer.stl type 2 scale 0.001
fix walls all wall/gran model hertz tangential history mesh n_meshes 1 meshes paddle
fix pts1 all particletemplate/sphere 15485863 atom_type 1 density constant 2500 radius uniform 0.0025 0.003
fix pdd1 all particledistribution/discrete 15485867 1 pts1 1.0
region fill cylinder z 0 0 0.045 0.045 0.15 units box
fix ins all insert/pack seed 32452843 distributiontemplate pdd1 vel constant 0 0 -0.5 insert_every once &
    overlapcheck yes all_in yes particles_in_region 300 region fill
fix integr all nve/sphere
dump dmp all custom 1000 post/dump*.mixer id type x y z vx vy vz radius
thermo_style custom step atoms ke
run 20000
fix turn all move/mesh mesh paddle rotate origin 0. 0. 0. axis 0. 0. 1. period ${period}
run 30000
unfix turn
run 10000
INPUT
runs "a mixer" 0 convert in.mixer --output mixer2.yaml
says out "0 commands were not translated" "mixer: nothing is left"
says mixer2.yaml "rate: 6.2831853, since: 0.4, until: 1}" "the paddle turns in the second stage"
says mixer2.yaml "time: {end: 1.2, step: 2e-05}" "three runs"
must "mixer: it runs" run mixer2.yaml --output whole.h5 --quiet --set time.end=2ms

# ---- wrong ----

runs "a file that is not there" 2 convert in.nobody
runs "over a scene" 2 convert in.mixer --output mixer.yaml
says err "not overwritten" "a scene stays"
printf 'a\0b' >in.zero
runs "not a text" 2 convert in.zero
says err "is not text" "it is said"
check "nothing written" test ! -e zero.yaml
finish
