#!/bin/bash
# The tasks of `scree init` run, and what they need: walls that move for a while, paths and tables of every spelling,
# triangles as numbers, starting from a frame or at another time, results that are not replaced unasked.
. "$(dirname "$0")/lib/cli.sh"
export OMP_WAIT_POLICY=passive

# ---- tasks ----

task() { # task NAME END COLUMN
    runs "$1: written" 0 init "$1"
    must "$1: runs" run "$1.yaml" --quiet --output "$1.h5" --set "time.end=$2" --set output.every="$2"
    runs "$1: its curve" 0 plot "$1.h5" --y "$3" --output "$1.svg"
    says "$1.svg" "<svg" "$1: a picture"
}
task drum "4 ms" surface.angle
task silo "4 ms" orifice.mass_rate
task triaxial "1 ms" walls.top.fz
task vibration "4 ms" nut.z
task agglomerate "60 us" pieces.fragments
task mixer "4 ms" torque.tz
runs "a mesh that stands stays" 2 init silo --output other.yaml
says err "silo.stl" "it is named"
check "and no scene was written" test ! -e other.yaml
same "a mesh as it was written" 16 "$(grep -c 'endfacet' silo.stl)"

# ---- results of an earlier run ----

cat >one.yaml <<'YAML'
scree: 1
gravity: [0, 0, 0]
domain: {box: [[-1, -1, -1], [1, 1, 1]], boundary: delete}
materials: {m: {density: 1000, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 5}}
bodies:
  a: {from: positions, material: m, radius: 1 cm, positions: [[0, 0, 0], [0.1, 0, 0]], velocity: [0.5, 0, 0], spin: [0, 0, 3]}
  b: {from: positions, material: m, radius: 2 cm, positions: [[0.9, 0.5, 0]], velocity: [2, 0, 0]}
walls:
  plate: {shape: disc, material: m, center: [0, -0.5, 0], normal: [0, 1, 0], radius: 0.1}
time: {end: 0.1, step: 1 ms}
output: {every: 10 ms, checkpoint: 50 ms, fields: [position, radius, velocity, spin, group]}
observers: {plate: {type: walls, wall: plate, every: 10 ms}, a: {type: probe, group: a}, n: {type: count}}
YAML
must "a run" run one.yaml --output one.h5 --quiet
before=$(cksum <one.h5)
keep=1
runs "again, unasked" 2 run one.yaml --output one.h5 --quiet
says err \
    "one.h5: error: contains results of an earlier run: --force replaces them, --output gives another name, --resume continues them"
same "the results stand" "$before" "$(cksum <one.h5)"
runs "again, by force" 0 run one.yaml --output one.h5 --quiet --force
runs "statics too" 2 equilibrate one.yaml --output one.h5 --quiet
says err "contains results of an earlier run" "they are not replaced"
if command -v script >/dev/null; then
    for answer in y n; do
        printf '%s\n' "$answer" | script -qec "$scree run one.yaml --output one.h5 --quiet" /dev/null >said 2>&1
        echo "exit $?" >>said
        says said "one.h5 contains results of an earlier run. Replace them? [y/N]" "a terminal is asked"
        matches said "$([[ $answer == y ]] && echo 'exit 0' || echo 'exit 2')" "$answer: as answered"
    done
else
    left_out "the question on a terminal" "no script(1)"
fi
keep=

# ---- a frame ----

column() { awk -F, -v c="$2" -v r="$3" \
    'NR == 1 {for (k = 1; k <= NF; k++) {n = $k; sub(/ .*/, "", n); if (n == c) w = k}} NR == r + 1 {print $w}' "$1"; }
runs "from a frame" 0 run one.yaml --from one.h5 --frame 3 --output later.h5 --set time.end=10ms
matches err 'starting from one.h5: step 30, time 0.03 s, 3 grains' "the state of that frame"
says err "without the history of contacts" "it says what is lost"
runs "its series" 0 export later.h5 --series a --output later.csv
number "where the group was then" "$(column later.csv x 1)" 0.0649999999999 0.0650000000001
number "and how it moved" "$(column later.csv wz 1)" 3 3
# the fast grain has left by the end; the frame knows its group
runs "the series of the count" 0 export one.h5 --series n --output n.csv
number "one has left" "$(column n.csv count 11)" 2 2
runs "from a frame with a checkpoint" 0 run one.yaml --from one.h5 --frame 5 --output later.h5 --set time.end=10ms
says_not err "without the history of contacts" "the checkpoint of that step is the whole state"
runs "counted from the end" 0 run one.yaml --from one.h5 --frame -1 --output later.h5 --set time.end=10ms
runs "a frame that is not there" 2 run one.yaml --from one.h5 --frame 99 --output later2.h5
says err "there is no frame 99: the results have 11, counted from 0"
runs "a frame of nothing" 2 run one.yaml --frame 1 --output later2.h5
says err "is a frame of the results that"
runs "no number" 2 run one.yaml --from one.h5 --frame x --output later2.h5
must "without groups" run one.yaml --output plain.h5 --quiet --set 'output.fields=[position, radius, velocity]'
runs "a grain that left" 2 run one.yaml --from plain.h5 --frame 2 --output later2.h5
says err "does not contain their group" "its group must be known"
must "without velocities" run one.yaml --output plain.h5 --quiet --set 'output.fields=[position, radius]'
runs "how they moved" 2 run one.yaml --from plain.h5 --frame 2 --output later2.h5
says err "does not contain the velocity of grains" "must be known too"
check "nothing written" test ! -e later2.h5

# ---- time.start, and motions that begin and end ----

moves='walls.plate={shape: disc, material: m, center: [0, -0.5, 0], normal: [0, 1, 0], radius: 0.1, '
plate() { # plate MOTION COLUMN ROW VALUE [SETTING...]: where the plate is in a row of its series
    runs "$1" 0 run one.yaml --output plate.h5 --quiet --set "$moves$1}" "${@:5}"
    "$scree" export plate.h5 --series plate --output plate.csv --force >/dev/null
    number "$1: $2 at row $3" "$(column plate.csv "$2" "$3")" "$(awk -v v="$4" 'BEGIN {printf "%.15g", v - 1e-12}')" \
        "$(awk -v v="$4" 'BEGIN {printf "%.15g", v + 1e-12}')"
}
plate 'velocity: [0, 0, 1]' z 11 0.1
plate 'translation: {velocity: [0, 0, 1], since: 20 ms, until: 50 ms}' z 3 0
plate 'translation: {velocity: [0, 0, 1], since: 20 ms, until: 50 ms}' z 5 0.02
plate 'translation: {velocity: [0, 0, 1], since: 20 ms, until: 50 ms}' z 11 0.03
plate 'oscillation: {direction: [0, 0, 1], amplitude: 3 mm, frequency: 25 Hz, since: 20 ms, until: 50 ms}' z 4 0.003
plate 'oscillation: {direction: [0, 0, 1], amplitude: 3 mm, frequency: 25 Hz, since: 20 ms, until: 50 ms}' z 11 -0.003
plate 'velocity: [0, 0, 1]' z 1 0.05 --set time.start=50ms
plate 'velocity: [0, 0, 1]' time 1 0.05 --set time.start=50ms
plate 'path: {table: [[0, 0, 0, 0], [50 ms, 0, 1 cm, 2 cm], [80 ms, 0, 0, 2 cm]]}' z 4 0.012
plate 'path: {table: [[0, 0, 0, 0], [50 ms, 0, 1 cm, 2 cm], [80 ms, 0, 0, 2 cm]]}' y 9 0
# a turn of a quarter from 25 to 75 ms about z through the origin carries the plate from -y to x
cat >turn.yaml <<YAML
$(sed -e 's/center: \[0, -0.5, 0\], normal: \[0, 1, 0\]/center: [0, -0.5, 0], normal: [0, 1, 0], rotation: {point: [0, 0, 0], axis: [0, 0, 1], rate: 5 Hz, since: 25 ms, until: 75 ms}/' -e 's/5 Hz/31.41592653589793/' one.yaml)
YAML
must "a rotation for a while" run turn.yaml --output turn.h5 --quiet --set 'observers.plate.every=5 ms'
if have_h5py; then
    cat >look.py <<'PYTHON'
import h5py, numpy as np, sys
f = h5py.File(sys.argv[1])
def pose(k): return f["frames/%06d/walls/plate" % k].attrs["pose"][:]
same = lambda a, b: np.allclose(pose(a), pose(b), atol=1e-15)
# at rest until 25 ms and from 75 ms on; turning between
assert same(0, 1) and same(1, 2) and not same(2, 3) and not same(6, 7) and same(8, 9) and same(9, 10), "rest"
PYTHON
    check "at rest before and after" "$python" look.py turn.h5
else
    left_out "poses of a wall" "no h5py"
fi
# a restart in the middle of such motions is bit for bit
runs "in one go" 0 run turn.yaml --output whole.h5 \
    --set "$moves"'translation: {velocity: [0, 0, 1], since: 20 ms, until: 50 ms}, oscillation: {direction: [1, 0, 0], amplitude: 1 mm, frequency: 30 Hz, since: 33 ms}}'
whole=$(digest)
for cut in 35 60; do
    runs "cut at $cut ms" 0 run turn.yaml --output cut.h5 --quiet --set time.end=${cut}ms \
        --set "$moves"'translation: {velocity: [0, 0, 1], since: 20 ms, until: 50 ms}, oscillation: {direction: [1, 0, 0], amplitude: 1 mm, frequency: 30 Hz, since: 33 ms}}'
    runs "resumed" 0 run turn.yaml --resume cut.h5 \
        --set "$moves"'translation: {velocity: [0, 0, 1], since: 20 ms, until: 50 ms}, oscillation: {direction: [1, 0, 0], amplitude: 1 mm, frequency: 30 Hz, since: 33 ms}}'
    same "the same digest" "$whole" "$(digest)"
done

refuses() { # refuses WHAT SETTING TEXT
    runs "$1" 2 check one.yaml --set "$2"
    says err "$3" "$1: $3"
}
refuses "a start after the end" time.start=1 "time.start is 1 s, must be earlier than end"
refuses "a motion that ends before it begins" "$moves"'translation: {velocity: [1, 0, 0], since: 2, until: 1}}' \
    "must be later than since, 2 s"
refuses "a rotation that ends before it begins" "$moves"'rotation: {rate: 1, until: 0}}' \
    "walls.plate.rotation.until is 0 s"
refuses "an oscillation that ends before it begins" \
    "$moves"'oscillation: {amplitude: 1, frequency: 1, since: 3, until: 2}}' "walls.plate.oscillation.until is 2 s"
refuses "a translation without velocity" "$moves"'translation: {since: 2}}' "velocity"
refuses "a path of nothing" "$moves"'path: {}}' "a table, angles or a file"
refuses "a path of both" "$moves"'path: {table: [[0, 0, 0, 0]], file: x.csv}}' "not both"
refuses "times that fall" "$moves"'path: {table: [[1, 0, 0, 0], [0, 0, 0, 1]]}}' \
    "the time of row 2 is 0 s, must be later than 1 s"
refuses "three numbers" "$moves"'path: {table: [[0, 0, 0]]}}' "table"
refuses "angles about nothing" "$moves"'path: {angles: [[0, 0], [1, 90 deg]]}}' "the axis must be given under rotation"
runs "angles about an axis" 0 check one.yaml \
    --set "$moves"'rotation: {}, path: {angles: [[0, 0], [1, 90 deg]], table: [[0, 0, 0, 0], [0.5, 0, 0, 1 cm]]}}'

# ---- tables ----

table() { # table WHAT CODE TEXT [SETTING...]: the group a from a table
    printf "$3" >grains.txt
    runs "$1" "$2" run one.yaml --output table.h5 \
        --quiet --set "bodies.a={from: table, file: grains.txt, material: m${4:+, $4}}" --set 'time.end=1 ms' \
        --set 'output.every=1 ms'
}
place() { # place WHAT COLUMN VALUE: of the group's centre at the start
    "$scree" export table.h5 --series a --output a.csv --force >/dev/null
    number "$1" "$(column a.csv "$2" 1)" "$(awk -v v="$3" 'BEGIN {printf "%.17g", v - 1e-15}')" \
        "$(awk -v v="$3" 'BEGIN {printf "%.17g", v + 1e-15}')"
}
table "published headers, blanks" 0 \
    '# a comment\nPosX[m]  PosY[m] PosZ[m]   Radius[mm] VelX[cm/s]\n 0.1   0.2  0.3   5   7\n'
place "its place" z 0.3
place "units of the header" vx 0.07
table "tabs, a unit on its own" 0 'x [cm]\ty\tz\td [mm]\n1\t0.2\t0.3\t4\n'
place "centimetres" x 0.01
table "blanks, a unit on its own" 0 'x [cm] y z d [mm]\n1 0.2 0.3 4\n'
place "centimetres between blanks" x 0.01
table "names between tabs, numbers between blanks" 0 'x\ty\tz\tradius\n0.1  0.2 0.3   0.01\n'
place "both are read" y 0.2
table "semicolons" 0 'X;Y;Z;RADIUS\n0.1;0.2;0.3;0.01\n'
place "capitals too" z 0.3
table "other names" 0 'a b c size\n10 20 0.3 4\n' 'columns: {x: "a [mm]", y: "b [cm]", z: c, diameter: "size [mm]"}'
place "with units of their own" x 0.01
place "the other unit" y 0.2
table "numbers alone" 0 '1 0.1 0.2 0.3 0.01\n2 0.2 0.4 0.5 0.01\n' 'columns: {id: 1, x: 2, y: 3, z: 4, radius: 5}'
place "columns by number" y 0.3
table "numbers without names" 2 '0.1 0.2 0.3 0.01\n'
says err "the first line contains only numbers" "they must have names"
table "a column that is not there" 2 'x y z r\n0.1 0.2 0.3 0.01\n' 'columns: {x: PosX}'
says err "there is no column 'PosX' for columns.x" "it is said"
table "a unit that does not fit" 2 'x y z r\n0.1 0.2 0.3 0.01\n' 'columns: {x: "x [kg]"}'
says err "cannot be converted to m" "it is said"
refuses "an unknown column" 'bodies.a={from: table, file: grains.txt, material: m, columns: {colour: x}}' "colour"
heavy='materials.lead={density: 11000, restitution: 0.5, friction: 0.5}'
printf 'x y z r material group\n0.1 0.2 0.3 0.01 m light\n0.2 0.3 0.4 0.01 lead heavy\n0.4 0.3 0.4 0.01 1 heavy\n' \
    >grains.txt
groups='bodies={a: {from: table, file: grains.txt, material: m, rows: light}, h: {from: table, file: grains.txt, material: m, rows: heavy}}'
runs "material and group per row" 0 run one.yaml --output table.h5 --quiet --set "$heavy" --set "$groups" \
    --set 'time.end=1 ms'
"$scree" export table.h5 --series n --output n.csv --force >/dev/null
number "the light one" "$(column n.csv a.mass 1)" 0.00418 0.0042
number "two heavy ones, by name and by number" "$(column n.csv h.mass 1)" 0.0921 0.0922
runs "they keep their material" 0 run one.yaml --from table.h5 --output next.h5 --quiet --set "$heavy" --set "$groups" \
    --set 'time.end=1 ms'
"$scree" export next.h5 --series n --output n.csv --force >/dev/null
number "in a run that goes on" "$(column n.csv h.mass 1)" 0.0921 0.0922
runs "rows of no group" 2 run one.yaml --output wrong.h5 --set "$heavy" --set "${groups/light/middle}"
says err "but no row of the table has this in its column group" "it is said"
runs "an unknown material" 2 run one.yaml --output wrong.h5 --set "$groups"
says err "material is 'lead', which is not defined under materials" "it is said"
printf 'x y z r\n0.1 0.2 0.3 0.01\n' >grains.txt
runs "no column group" 2 run one.yaml --output wrong.h5 --set "$groups"
says err "but the table has no column group" "it is said"
check "nothing written" test ! -e wrong.h5

# ---- triangles ----

printf '# two triangles\nax ay az bx by bz cx cy cz\n-1 -1 0 1 -1 0 1 1 0\n-1,-1,0,\t1 1 0;-1 1 0\n' >floor.txt
floor='walls.plate={shape: mesh, material: m, file: floor.txt, scale: 0.3, translate: [0, 0, -0.5]}'
runs "triangles as nine numbers" 0 check one.yaml --set "$floor"
matches err 'wall plate: floor.txt, 2 facets, 4 vertices' "two facets that share an edge"
echo "1 2 3 4 5" >>floor.txt
runs "five numbers" 2 check one.yaml --set "$floor"
says err "floor.txt:5: error: triangle 3 has 5 numbers, must have 9" "with its line"
refuses "another ending" "${floor/txt/vtk}" "must end in .stl, .obj, or .txt, .dat or .csv"

# ---- nothing to run, and an outlet that takes all ----

runs "an outlet that takes everything" 2 run one.yaml --output wrong.h5 \
    --set 'outlets={all: {shape: box, box: [[-1, -1, -1], [1, 1, 1]]}}'
says err "outlets.all would remove 3 of 3 grains at the start" "it is said before the run"
runs "no grains at all" 2 run one.yaml --output wrong.h5 --set 'bodies={}' --set 'observers={}'
matches err "no grains|bodies" "the cause is named"
late='bodies={rain: {from: inlet, material: m, radius: 1 cm, rate: 10, start: 5, region: {box: [[0, 0, 0], [0.5, 0.5, 0.5]]}}}'
runs "an inlet that opens too late" 0 run one.yaml --output late.h5 --set "$late" --set 'observers={}'
says err "the first come through bodies.rain at 5 s, after the end of the run at 0.1 s: nothing would move" \
    "a warning says so; it may be resumed"
runs "one that opens in time" 0 run one.yaml --output late.h5 --set "${late/start: 5/start: 0.05}" --set 'observers={}'
says err "no grains at the start: the first come through bodies.rain at 0.05 s" "when they come"
check "and nothing is written" test ! -e wrong.h5
finish
