#!/bin/bash
# Bad input is told with file, line and column, all of it at once, with exit code 2 and nothing written; a run that
# goes wrong says where, and keeps a checkpoint.
. "$(dirname "$0")/lib/cli.sh"

cat >base.yaml <<'YAML'
scree: 1
title: base
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials:
  glass: {density: 2500, restitution: 0.8, friction: 0.5}
contacts:
  any: {stiffness: 1000}
bodies:
  pair: {from: table, material: glass, file: pair.csv}
walls:
  floor: {shape: plane, material: glass}
time: {end: 1 ms, step: 20 us}
output: {every: 0.5 ms}
YAML
grains() { printf '%s\n' "$@" >pair.csv; }
apart=('x,y,z,radius' '0.03,0.05,0.05,0.005' '0.06,0.05,0.05,0.005')
grains "${apart[@]}"
must "the base scene is good" check base.yaml
says out "base.yaml: ok, 0 warnings" "and has no warnings"

inventory() { find . -mindepth 1 -not -name out -not -name err | sort; }

# scene WHAT EDIT CODE TEXT...: the base scene after a sed script; each text is in what `check` says, and for an error
# `run` says the same and writes nothing
scene() {
    local what=$1 edit=$2 wanted=$3 text before
    shift 3
    sed "$edit" base.yaml >bad.yaml
    before=$(inventory)
    runs "$what" "$wanted" check bad.yaml
    for text in "$@"; do says err "$text"; done
    if [[ $wanted == 2 ]]; then
        grep error: err >errors
        before=$(inventory)
        run run bad.yaml --threads 1 --quiet
        same "$what: run says the same" "2 $(cat errors)" "$code $(grep error: err)"
        same "$what: nothing is written" "$before" "$(inventory)"
        rm -f errors
    fi
}

# ---- one thing wrong ----

scene "unknown key" 's/density/densty/' 2 \
    "bad.yaml:5:11: error: unknown key 'densty' in materials.glass, did you mean 'density'?"
scene "unknown key, nothing near" 's/pair.csv/pair.csv, colour: red/' 2 \
    "bad.yaml:9:56: error: unknown key 'colour' in bodies.pair, allowed are "
scene "unknown section" 's/^walls/wals/' 2 "bad.yaml:10:1: error: unknown key 'wals'" "did you mean 'walls'?"
scene "wrong unit" 's/2500/2500 mm/' 2 "bad.yaml:5:20: error: materials.glass.density is '2500 mm'" \
    "'mm' cannot be converted to kg/m^3"
scene "not a number" 's/end: 1 ms/end: soon/' 2 "bad.yaml:12:13: error: time.end is 'soon'" "must be a number [s] > 0"
scene "out of range" 's/friction: 0.5/friction: -0.5/' 2 \
    "bad.yaml:5:54: error: materials.glass.friction is '-0.5', must be a number >= 0"
scene "restitution above one" 's/restitution: 0.8/restitution: 1.2/' 2 \
    "bad.yaml:5:39: error: materials.glass.restitution is '1.2'" "(0, 1]"
scene "missing key" 's/density: 2500, //' 2 "bad.yaml:5:3: error: materials.glass lacks density"
scene "missing material" 's/material: glass, file/material: glas, file/' 2 \
    "bad.yaml:9:33: error: bodies.pair.material is 'glas'" "did you mean 'glass'?"
scene "missing material of a wall" 's/plane, material: glass/plane, material: steel/' 2 \
    "bad.yaml:11:35: error: walls.floor.material is 'steel'"
scene "missing section" '/^domain/d' 2 "error: the scene lacks the section domain"
scene "unknown choice" 's/shape: plane/shape: plain/' 2 \
    "bad.yaml:11:18: error: walls.floor.shape is 'plain', must be one of plane, box" "did you mean 'plane'?"
scene "unknown field" 's/^output.*/output: {fields: [position, colour]}/' 2 "bad.yaml:13:29: error: output.fields.1" \
    "'colour'" "position" "velocity"
scene "unknown observer" 's/^output.*/observers: {a: {type: prob, id: 1}}/' 2 \
    "bad.yaml:13:23: error: observers.a.type is 'prob'" "did you mean 'probe'?"
scene "a later version" 's/scree: 1/scree: 2/' 2 \
    "bad.yaml:1:8: error: scree is '2', this program reads scenes of version 1"
scene "no version" '/^scree/d' 2 "bad.yaml:1:1: error: a scene must begin with the key 'scree: 1'"
scene "not YAML" 's/^title: base/title: [a/' 2 "bad.yaml:4:1: error: this is not valid YAML"
scene "radius and diameter" 's/from: table.*/from: random, material: glass, count: 3, radius: 1 mm, diameter: 2 mm}/' \
    2 "bad.yaml:9:" "radius" "diameter"
scene "no size" 's/from: table.*/from: random, material: glass, count: 3}/' 2 "bad.yaml:9:" "radius"
scene "a table that is missing" 's/pair.csv/none.csv/' 2 "none.csv" "No such file or directory"
grains 'x,y,z,radius' '0.03,0.05,0.05,0.005' '0.06,0.05,0.05,large'
scene "a bad number in a table" '' 2 "pair.csv:3:16: error: radius is 'large', must be a number"
grains 'x,y,radius' '0.03,0.05,0.005'
scene "a column that is missing" '' 2 "pair.csv:1:" "z"
grains "${apart[@]}"

# ---- all at once, in the order of the file ----

scene "five errors" \
    's/density/densty/; s/pair.csv/pair.csv, colour: red/; s/shape: plane/shape: plain/; s/end: 1 ms/end: -1 ms/; s/any: {/any: {friction: -1, /' 2 \
    "bad.yaml:7:19: error: contacts.any.friction is '-1'" "bad.yaml:5:11: error: unknown key 'densty'" \
    "bad.yaml:9:56: error: unknown key 'colour'" \
    "bad.yaml:11:18: error: walls.floor.shape is 'plain'" "bad.yaml:12:13: error: time.end is '-1 ms'"
run check bad.yaml
says out "bad.yaml: 5 errors, 0 warnings" "they are counted"
same "in the order of the file" "5 7 9 11 12" "$(sed -n 's/^bad.yaml:\([0-9]*\):.*error.*/\1/p' err | xargs)"

# ---- what the numbers mean together ----

grains 'x,y,z,radius' '0.03,0.05,0.05,0.005' '0.0399,0.05,0.05,0.005'
scene "an overlap of 2 %" '' 0 \
    "bad.yaml:9:3: warning: grain 1 at (0.03, 0.05, 0.05) m overlaps grain 2 at the start by 2 %"
grains 'x,y,z,radius' '0.03,0.05,0.05,0.005' '0.03996,0.05,0.05,0.005'
scene "an overlap of 0.8 %" '' 0
says out "ok, 0 warnings" "is no warning"
grains 'x,y,z,radius' '0.03,0.05,0.05,0.005' '0.033,0.05,0.05,0.005'
scene "an overlap beyond the radius" '' 2 \
    "bad.yaml:9:3: error: grain 1 at (0.03, 0.05, 0.05) m overlaps grain 2 at the start by 1.4 of the smaller radius"
grains 'x,y,z,radius' '0.03,0.05,0.0049,0.005'
scene "an overlap with a wall" '' 0 "warning: grain 1 at (0.03, 0.05, 0.0049) m overlaps wall floor at the start by 2 %"
grains 'x,y,z,radius' '0.002,0.05,0.05,0.005' '0.099,0.05,0.05,0.005'
scene "an overlap through a periodic side" 's/0.1]]}/0.1]], periodic: x}/' 2 \
    "error: grain 1 at (0.002, 0.05, 0.05) m overlaps grain 2 at the start by 1.4"
grains "${apart[@]}"
scene "a large step" 's/20 us/500 us/' 0 \
    "bad.yaml:12:25: warning: the time step 0.0005 s is larger than a tenth of the shortest contact, 0.002542 s"
scene "a step longer than a contact" 's/20 us/5 ms/; s/end: 1 ms/end: 1 s/' 2 \
    "bad.yaml:12:24: error: the time step 0.005 s is longer than half the shortest contact, 0.002542 s"
scene "a grain outside" 's/\[0.1, 0.1, 0.1\]/[0.05, 0.1, 0.1]/' 2 \
    "bad.yaml:9:3: error: grain 2 at (0.06, 0.05, 0.05) m is outside the domain, (0, 0, 0) to (0.05, 0.1, 0.1) m"
scene "a contact without law" '/^contacts/,/^  any/d; s/, restitution: 0.8//' 2 \
    "error: the contact glass/glass has no restitution"
scene "no friction" 's/, friction: 0.5//' 2 "error: the contact glass/glass has no friction"
scene "a periodic box too short" 's/\[0.1, 0.1, 0.1\]\]/[0.019, 0.1, 0.1]], periodic: [x]/' 2 \
    "bad.yaml:3:15: error: the domain is 0.019 m long along the periodic axis x, at least "
scene "a region that is too small" \
    's/from: table.*/from: random, material: glass, count: 9, radius: 4 mm, region: {box: [[0, 0, 0], [1 cm, 1 cm, 1 cm]]}}/' 2 "bad.yaml:9:48: error: 9 grains of bodies.pair would fill 2.41 of their region"

# ---- the command line ----

usage() { # usage WHAT TEXT ARGUMENTS...
    local what=$1 text=$2 before
    shift 2
    before=$(inventory)
    runs "$what" 2 "$@"
    says err "$text"
    same "$what: nothing is written" "$before" "$(inventory)"
}
rm -f bad.yaml
usage "--set of a key that is not there" "unknown key 'frction' in materials.glass, did you mean 'friction'?" run \
    base.yaml --set materials.glass.frction=1
usage "--set of a section that is not there" "--set nosuch.key=3: error: unknown key 'nosuch'" run base.yaml \
    --set nosuch.key=3
usage "--set of a bad value" "--set time.end=abc: error: time.end is 'abc'" run base.yaml --set time.end=abc
usage "--set without value" "a change is written path.to.key=value" run base.yaml --set time
usage "--set without path" "a change is written path.to.key=value" check base.yaml --set =3
usage "an unknown option" "unknown option --nosuch" run base.yaml --nosuch
usage "an option that is misspelt" "unknown option --ouput, did you mean --output?" run base.yaml --ouput x.h5
usage "with its value" "unknown option --thread, did you mean --threads?" run base.yaml --thread=2
usage "of another command" "unknown option --widht, did you mean --width?" render none.h5 --widht 3
usage "with one dash" "unknown option -output, did you mean --output?" sweep base.yaml -output x.csv
usage "a letter that is no option" "unknown option -q" run base.yaml -q
usage "-o without value" "--output needs a value" run base.yaml -o
usage "a command that is misspelt" "unknown command 'rnu', did you mean 'run'?" rnu base.yaml
usage "an option without value" "--output needs a value" run base.yaml --output
usage "threads that are no number" "--threads is 'two'" run base.yaml --threads two
usage "no threads" "--threads is '0'" run base.yaml --threads 0
usage "a scene that is missing" "none.yaml: error: cannot be read: No such file or directory" run none.yaml
usage "a scene that is a folder" "is not a regular file" run .
usage "two scenes" "usage: scree run" run base.yaml base.yaml
usage "no scene" "usage: scree run" run
usage "an unknown command" "unknown command 'nosuch'" nosuch
usage "results that are missing" "none.h5" info none.h5
usage "an unknown format" "there is no format 'stl'" export none.h5 --to stl
usage "an unknown benchmark" "usage: scree bench" bench nosuch
usage "an example that is not there" "unknown example 'nosuch'" init nosuch
usage "help on a key that is not there" "no key 'frction', did you mean 'materials.friction'?" help frction
usage "help on nothing known" "no key 'nosuchkey'" help nosuchkey
run
same "no arguments: exit code" 2 "$code"
cat out err >both
says both "usage: scree COMMAND" "no arguments: usage"
runs "help on a key" 0 help materials.density
says out "kg/m^3" "it has the unit"
runs "help on a section" 0 help walls
says out "frustum" "it has the variants"
runs "help on a command" 0 help run
says out "--resume" "it has the options"

# ---- runs that go wrong ----

# wrong WHAT EDIT STEP TIME KEPT TEXT...: exit code 1; the message has step, time, id and position, and results keep
# the checkpoint of step KEPT
wrong() {
    local what=$1 edit=$2 step=$3 time=$4 kept=$5 text
    shift 5
    sed "$edit" base.yaml >wrong.yaml
    rm -rf wrong.h5*
    runs "$what" 1 run wrong.yaml --threads 2
    matches err "error: step $step, time $time s: grain [0-9]+ .*position \([-+0-9a-z., ]*\) m" \
        "$what: step, time, id, position"
    for text in "$@"; do says err "$text"; done
    same "$what: no digest" "" "$(digest)"
    runs "$what: info opens the results" 0 info wrong.h5
    says out "step $kept (" "$what: the checkpoint of step $kept is there"
    same "$what: no temporaries" "" "$(stray .)"
}
grains 'x,y,z,radius,vx' '0.03,0.05,0.05,0.005,300' '0.06,0.05,0.05,0.005,0'
wrong "an overlap beyond the radius" '' 5 0.0001 5 "grain 1 overlaps grain 2 by more than the smaller radius"
grains 'x,y,z,radius,vz' '0.03,0.05,0.05,0.005,0' '0.06,0.05,0.02,0.005,-100'
wrong "a wall that gives way" '' 11 0.00022 11 "grain 2 overlaps wall floor by more than the smaller radius"
grains 'x,y,z,radius,vx' '0.03,0.05,0.05,0.005,100' '0.06,0.05,0.02,0.005,0'
wrong "a grain that leaves a closed box and is found outside" 's/end: [^,}]*/end: 0.01/' 64 0.00128 65 \
    "grain 1 left the domain, position (0.158"
wrong "a grain that leaves a closed box" '' 50 0.001 50 "grain 1 left the domain, position (0.13"
run run wrong.yaml --resume wrong.h5 --threads 1 --set domain.boundary=delete --quiet
same "it can be resumed with an open box" 0 "$code"
grains 'x,y,z,radius,vx' '0.03,0.05,0.05,0.005,10' '0.0399,0.05,0.05,0.005,-10'
wrong "a NaN" 's/stiffness: 1000/stiffness: 1000, damping: viscous, damping_rate: 1e308/' 1 2e-05 0 \
    "position that is not a number" "last good checkpoint is that of step 0"

finish
