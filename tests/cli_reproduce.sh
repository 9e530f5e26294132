#!/bin/bash
# scree reproduce: a case of our own that passes, one that fails, ones that are wrong; exit codes, sets, plots.
. "$(dirname "$0")/lib/cli.sh"

mkdir -p cases/throw cases/broken
cat >cases/throw/throw.yaml <<'YAML'
scree: 1
values: {speed: 1 m/s}
domain: {box: [[-1, -1, -10], [9, 1, 9]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.3}}
contacts: {any: {stiffness: 1 kN/m}}
bodies:
  grain: {from: positions, material: glass, radius: 1 mm, position: [0, 0, 0], velocity: [=speed, 0, =speed]}
time: {end: 0.3, step: 1e-4}
output: {fields: [position, radius]}
observers: {ball: {type: probe, id: 1, every: 1 ms}}
YAML
cat >cases/throw/measured.csv <<'CSV'
# a table of measurements
x,z
0,0
0.1,0.05095
CSV
cat >cases/throw/case.yaml <<'YAML'
scree: 1
title: A thrown grain
source: school
define:
  top: max(ball.z)
  range_x: last(ball.x where ball.z >= 0)
  path_error: "max(abs(interpolate(file.x, one.ball.x, one.ball.z) - file.z))"
tables: {file: measured.csv}
runs:
  one: {scene: throw.yaml}
  table: {scene: throw.yaml, timed: yes, over: ["values.speed=0.5,1,1.4"], measure: [top=top]}
  slow: {scene: throw.yaml, set: [values.speed=0.1], in: long}
quantities:
  top: {run: one, measure: top, reference: speed^2/2/9.81, relative: 0.001, unit: m, figure: figure 1}
  range: {run: one, measure: range_x, reference: 0.2038, tolerance: 0.002, unit: m, note: to the nearest sample}
  tops: {run: table, measure: "max(abs(top/(speed^2/2/9.81) - 1))", at_most: 0.001}
  both: {measure: max(table.top) - one.top, at_least: 0, at_most: 1}
  path: {measure: path_error, reference: 0, tolerance: 1e-5}
  frame: {run: one, measure: "last(grains.position.x(0.3))", reference: 0.3, tolerance: 1e-6}
  later: {run: slow, measure: top, reference: 0.01/2/9.81, relative: 0.01}
plots:
  path: {title: "Path & <time>", x: "x [m]", y: "z [m]", y_from: -0.1}
  map: {title: Map, x: speed, y: top, x_log: yes}
curves:
  ours: {plot: path, run: one, x: ball.x, y: ball.z, label: measured}
  file: {plot: path, file: measured.csv, x: x, y: z, style: points, label: file}
  exact: {plot: path, x: "range(0, 0.3, 50)", y: x - 9.81/2*x^2, style: dashes, label: exact}
  cells: {plot: map, run: table, x: speed, y: top, value: top > 0.05, style: cells, label: low | high}
YAML
export SCREE_CASES=$PWD/cases
sed 's/reference: 0.2038/reference: 0.3/' cases/throw/case.yaml >cases/broken/case.yaml
cp cases/throw/throw.yaml cases/throw/measured.csv cases/broken

runs "the list" 0 reproduce
matches out '^throw +A thrown grain \(7 quantities; runs: 2 quick, 1 long, 0 full\)'
runs "a case that passes" 0 reproduce throw --plot plots --jobs 2 --report page.html --markdown page.md
matches out '^  top \[m\] +0\.05096.* pass +figure 1$'
says out "note: to the nearest sample"
says out "1 more in the larger sets"
says out "6 passed, 0 failed"
says out "4 plots in plots"
for plot in path map; do
    check "$plot.svg is XML" $python -c "import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])" \
        "plots/throw-$plot.svg"
    same "$plot.png begins as PNGs do" "89504e470d0a1a0a" \
        "$(head -c 8 "plots/throw-$plot.png" | od -An -tx1 | tr -d ' \n')"
done
says plots/throw-path.svg "Path &amp; &lt;time&gt;"
same "the page has both plots" 2 "$(grep -c '<svg' page.html)"
number "a verdict for each quantity" "$(grep -c 'class="good">pass' page.html)" 1 100
same "as many in Markdown" "$(grep -c 'class="good">pass' page.html)" "$(grep -c '| pass |' page.md)"
check "results are gone" test -z "$(find . -name '*.h5')"

runs "the long set" 0 reproduce throw --long --results kept
says out "7 passed, 0 failed"
runs "kept results are not run again" 0 reproduce throw --long --results kept
check "results are kept" test -n "$(find kept -name results.h5)"
sed -i 's/values: {speed: 1 m/values: {speed: 2 m/' cases/throw/throw.yaml
runs "a scene that was edited is run again" 1 reproduce throw --results kept
matches out '^  frame +0\.3 +0\.6 ' "with its new speed"
sed -i 's/values: {speed: 2 m/values: {speed: 1 m/' cases/throw/throw.yaml

runs "a case that fails" 1 reproduce broken throw
matches out '^  range \[m\] .* FAIL'
says out "11 passed, 1 failed"
runs "all cases" 1 reproduce --all --quiet
says out "11 passed, 1 failed"

# a difference that is declared is neither passed nor failed, and must go when it is none
mkdir cases/known
cp cases/throw/throw.yaml cases/throw/measured.csv cases/known
declared="expect: differs, reason: it | was windy, analysis: 'docs/wind.md#gusts'"
sed "s%reference: 0.2038%$declared, reference: 0.3%" cases/throw/case.yaml >cases/known/case.yaml
runs "a declared difference" 0 reproduce known --markdown known.md --report known.html
matches out '^  range \[m\] .* differs '
says out "as declared: it | was windy (docs/wind.md#gusts)"
says out "5 passed, 0 failed, 1 differ as declared"
says known.html "it | was windy"
matches known.md '^\| range \[m\] \| quick \| 0\.3 \| 0\.20.* \| \*differs\* \(1\) \|'
says known.md '1. it \| was windy (docs/wind.md#gusts)'
says known.md "| known | 5 | 0 | 1 |"
says known.md "figure 1: 1 of 1."
says known.md "quick: run on $(date -u +%Y-)"
sed "s%reference: 0.2038%$declared, reference: 0.2038%" cases/throw/case.yaml >cases/known/case.yaml
runs "a declared difference that is none" 1 reproduce known
says out "is declared to differ but meets its reference"
sed "s%reference: 0.2038%${declared/differs/varies}, reference: 0.2038%" cases/throw/case.yaml >cases/known/case.yaml
runs "what varies may meet its reference" 0 reproduce known
says out "6 passed, 0 failed"
sed "s%reference: 0.2038%${declared/differs/varies}, reference: 0.3%" cases/throw/case.yaml >cases/known/case.yaml
runs "or miss it" 0 reproduce known
says out "5 passed, 0 failed, 1 differ as declared"
sed "s%reference: 0.2038%$declared, reference: 0.2038%" cases/throw/case.yaml >cases/known/case.yaml
runs "a declared difference that is none" 1 reproduce known
says out "5 passed, 1 failed"
sed "s%measure: range_x%$declared, measure: range_y%" cases/throw/case.yaml >cases/known/case.yaml
runs "a declared difference that was not measured" 1 reproduce known
matches out '^  range \[m\] .* FAIL'
sed "s%measure: range_x%$declared, measure: 0/0%" cases/throw/case.yaml >cases/known/case.yaml
runs "a declared difference that is not a number" 1 reproduce known
rm -r cases/known

# runs that start from others, singly and cell by cell; time that was spent; definitions along time
mkdir cases/chain
cp cases/throw/throw.yaml cases/chain
cat >cases/chain/case.yaml <<'YAML'
scree: 1
title: A throw in two parts
source: school
define:
  height: first(grains.position.z(now))
runs:
  second: {scene: throw.yaml, from: first, set: [time.end=0.1]}
  first: {scene: throw.yaml, set: [time.end=0.1]}
  firsts: {scene: throw.yaml, over: ["values.speed=1,2"], set: [time.end=0.1]}
  seconds: {scene: throw.yaml, from: firsts, over: ["values.speed=1,2"], set: [time.end=0.1], measure: [x=last(ball.x)]}
quantities:
  x: {run: second, measure: last(ball.x), reference: 0.2, tolerance: 1e-6}
  z: {run: second, measure: "last(each.height)", reference: 0.2 - 9.81/2*0.04, tolerance: 1e-4}
  times: {run: second, measure: "max(abs(each.now - frames.time))", reference: 0, tolerance: 0}
  spent: {run: second, measure: last(frames.processor), at_least: 1e-9}
  cells: {run: seconds, measure: "max(abs(x - 0.2*speed))", reference: 0, tolerance: 1e-6}
YAML
runs "runs that start from others" 0 reproduce chain --results chained
says out "5 passed, 0 failed"
runs "they are known again" 0 reproduce chain --results chained
sed -i 's/first: {scene: throw.yaml, set: .time.end=0.1/first: {scene: throw.yaml, set: [time.end=0.2/' \
    cases/chain/case.yaml
runs "what starts from a run that was edited is run again" 1 reproduce chain --results chained
matches out '^  x +0\.2 +0\.3 '
linked() { # linked WHAT MESSAGE SED
    cp cases/chain/case.yaml aside.yaml
    sed -i "$3" cases/chain/case.yaml
    runs "$1" 2 reproduce chain
    says err "$2"
    mv aside.yaml cases/chain/case.yaml
}
linked "from a run that is not there" "did you mean 'first'?" 's/from: first,/from: firsst,/'
linked "from itself" "starts from itself" 's/from: first,/from: second,/'
linked "from a run of a larger set" "in a larger set" \
    's/first: {scene: throw.yaml, /first: {scene: throw.yaml, in: long, /'
linked "from another number of cells" "which has 2" \
    's/from: firsts, over: .*, set/from: firsts, over: ["values.speed=1,2,3"], set/'
rm -r cases/chain

runs "no such case" 2 reproduce trow
says err "did you mean 'throw'?"
runs "no such folder" 2 reproduce throw --cases nowhere
says err "nowhere"

# known before anything is run
for option in --report --markdown --plot; do
    runs "$option where nothing can be written" 2 reproduce throw $option nowhere/x
    says err "nowhere/x"
    says_not out "passed"
done
mkdir full
runs "a page that is a folder" 2 reproduce throw --report full
says err "full: error: is a folder and is not overwritten"
check "nothing is left" test ! -e full.part

# a folder's name is text in a page
cp -r cases/throw 'cases/a"b<c'
runs "a case of an odd name" 0 reproduce 'a"b<c' --report odd.html
says odd.html 'href="#a&quot;b&lt;c">a&quot;b&lt;c</a>'
says odd.html '<h2 id="a&quot;b&lt;c">'
says odd.html 'scree reproduce a&quot;b&lt;c</code>'
rm -r 'cases/a"b<c'

wrong() { # wrong WHAT MESSAGE SED
    sed "$3" cases/throw/case.yaml >cases/broken/case.yaml
    runs "$1" 2 reproduce broken --results refused
    says err "$2"
    check "$1: nothing is left" test ! -e refused
}
wrong "no such run" "'on', which is not in runs; did you mean 'one'?" 's/top: {run: one/top: {run: on/'
wrong "neither reference nor bound" "needs either a reference" 's/at_most: 0.001//'
wrong "no tolerance" "needs either tolerance or relative" 's/relative: 0.001,//'
wrong "timed neither yes nor no" "timed" 's/timed: yes/timed: often/'
wrong "differs without a reason" "it needs the keys reason and analysis" \
    's/figure: figure 1/expect: differs, analysis: here/'
wrong "a reason for what does not differ" 'belong to `expect: differs` or `varies`' 's/figure: figure 1/reason: none/'
wrong "no such expectation" "meets, differs" 's/figure: figure 1/expect: diffs/'
wrong "no such key" "unknown key 'figur'" 's/figure: /figur: /'
wrong "no such scene" "other.yaml" 's/scene: throw.yaml, set/scene: other.yaml, in: quick, set/; s/, in: long//'
wrong "a table with a run's name" "is a table and a run" 's/tables: {file/tables: {one/'
wrong "no such table" "nothing.csv" 's/tables: {file: measured/tables: {file: nothing/'
wrong "a bad setting" "must be path=value" 's/set: .values.speed=0.1./set: [values.speed]/'

wrong "rows that are one number" "rows top: is one number" 's/measure: .top=top./rows: [top=top]/'
wrong "rows of no observer" "the scene has no observer 'bal'" \
    's/measure: .top=top./measure: [top=top], rows: [x=bal.x]/'

# lists: every value is a row, beside what the run is known by and its numbers
mkdir cases/rows && cp cases/throw/throw.yaml cases/rows
cat >cases/rows/case.yaml <<'YAML'
scree: 1
title: Rows of a table
source: school
runs:
  paths: {scene: throw.yaml, over: ["values.speed=0.5,1,1.4"], measure: [end=last(ball.x)], rows: ["x=ball.x", "z=ball.z"]}
  uneven: {scene: throw.yaml, over: ["values.speed=1,2"], rows: ["x=ball.x", "z=ball.z where ball.z > 0"], in: long}
  empty: {scene: throw.yaml, over: ["values.speed=1,2"], rows: ["z=ball.z where ball.z > 9"], in: long}
quantities:
  count: {run: paths, measure: rows(x), reference: 3*301, tolerance: 0}
  path: {run: paths, measure: "max(abs(z - x + 9.81/2*(x/speed)^2))", reference: 0, tolerance: 1e-8}
  end: {run: paths, measure: max(x/end), reference: 1, tolerance: 1e-8}
  second: {run: paths, measure: max(x where speed == 1), reference: 0.3, tolerance: 1e-8}
  uneven: {run: uneven, measure: rows(x), reference: 2, tolerance: 0}
  empty: {run: empty, measure: count(z == z), reference: 0, tolerance: 0}
YAML
runs "rows" 0 reproduce rows --results kept
says out "4 passed, 0 failed"
runs "rows from the journal" 0 reproduce rows --results kept
says out "4 passed, 0 failed"
runs "lists of two lengths" 0 reproduce rows --results kept --long
says out "the lists of a table must be of one length"
says out "6 passed, 0 failed" "a run that failed is a row, and so is one that has nothing to tell"

# an expression that cannot be evaluated fails its quantity alone
sed 's/measure: top, reference: speed/measure: tip, reference: speed/' cases/throw/case.yaml >cases/broken/case.yaml
runs "a bad expression" 1 reproduce broken
says out "there is no name 'tip'"
says out "5 passed, 1 failed"

# a plot of what is not there shows when the runs are over: that is no input that was refused
sed 's/x: ball.x, y: ball.z/x: ball.none, y: ball.z/' cases/throw/case.yaml >cases/broken/case.yaml
runs "a bad curve" 1 reproduce broken --plot lacking
says err "none"

# a run that dies fails what depends on it
sed 's/set: .values.speed=0.1., in: long/set: [values.speed=100]/' cases/throw/case.yaml >cases/broken/case.yaml
runs "a run that fails" 1 reproduce broken
says out "run slow:"
says out "6 passed, 1 failed"

finish
