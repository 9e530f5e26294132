#!/bin/bash
# `scree report`: one page with pictures, plots, choices and the scene, that asks for nothing elsewhere; texts of a
# scene cannot become part of the page's code.
. "$(dirname "$0")/lib/cli.sh"

cat >few.yaml <<'YAML'
scree: 1
title: "grains <script>alert(1)</script> & more"
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.1]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {grains: {from: random, material: glass, radius: 4 mm, count: 60}}
walls: {room: {shape: box, material: glass, box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}
observers:
  layers: {type: profile, axis: z, bins: 10}
  touch: {type: coordination}
time: {end: 0.05 s}
output: {every: 5 ms}
YAML
runs "a run" 0 run few.yaml --threads 1
runs "report" 0 report few.h5
same "it names the page" few.html "$(cat out)"
same "no other file is left" "" "$(ls | grep "few.html.")"

page=few.html
for id in pictures energy observers choices next scene; do
    check "section $id" grep -q "<h2 id=\"$id\">" $page
done
check "the view, or why there is none" grep -qE '<iframe class="view"|has no viewer' $page
same "three pictures" 3 "$(grep -o 'src="data:image/png;base64,' $page | wc -l)"
number "plots" "$(grep -c '<svg' $page)" 4 40
check "the stacked energies" grep -q '<polygon' $page
check "the choices" grep -q "time step" $page
check "the machine" grep -q "processors" $page
check "the scene, whole" grep -q "output: {every: 5 ms}" $page
same "no script from the scene" "" "$(grep -o '<script>alert' $page)"
same "nothing from elsewhere" "" "$(grep -oE '(src|href|url)[=(]"?(https?:)?//[^" ]*' $page)"

$python - $page <<'END' || fail "the page is well-formed"
import html.parser, sys
class Page(html.parser.HTMLParser):
    open = []
    void = {"meta", "img", "br", "hr", "link", "input"}
    def handle_starttag(self, tag, attrs):
        if tag not in self.void: self.open.append(tag)
    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag: sys.exit(f"{tag} at {self.getpos()} ends what it did not begin")
page = Page()
page.feed(open(sys.argv[1]).read())
sys.exit("not ended: " + " ".join(page.open) if page.open else 0)
END
pass "well-formed"

# ---- plots that would say nothing ----

cat >rest.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [1, 1, 1]]}
gravity: [0, 0, 0]
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.5}}
contacts: {any: {stiffness: 1000}}
bodies: {one: {from: positions, material: glass, radius: 0.1, position: [0.5, 0.5, 0.5], velocity: [0.1, 0, 0]}}
observers: {path: {type: probe, id: 1}}
time: {end: 0.05 s, step: 1 ms}
output: {every: 5 ms}
YAML
must "a grain that flies straight" run rest.yaml --quiet
must "its report" report rest.h5
check "what does not change is told in words" grep -qE 'Constant: .*vx 0\.1 m/s' rest.html
same "and what changes has a plot, and nothing else of the probe" 1 \
    "$(sed -n '/<h3>path/,/<h2/p' rest.html | grep -c '<svg')"

# ---- frames with less ----

runs "places and radii alone" 0 run few.yaml --quiet --set 'output={every: 0.05, fields: [position, radius]}' \
    --output bare.h5
runs "report of them" 0 report bare.h5
same "a picture" 1 "$(grep -o 'src="data:image/png;base64,' bare.html | wc -l)"
runs "nothing to draw" 0 run few.yaml --quiet --set 'output={every: 0.05, fields: [radius]}' --output none.h5
runs "report of that" 0 report none.h5
check "it says so, and goes on" grep -q 'nothing to draw.*' none.html
check "with energy" grep -q '<h2 id="energy">' none.html

# ---- wrong input ----

runs "the page over the results" 2 report few.h5 --output few.h5
runs "they are still there" 0 info few.h5

head -c 3000 few.h5 >half.h5
runs "half a file" 2 report half.h5
check "no page" test ! -e half.html
runs "no results" 2 report few.yaml
finish
