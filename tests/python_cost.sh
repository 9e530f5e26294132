#!/bin/bash
# A loop of single steps of 1000 grains in Python against the same loop in C: at least 0.8 of its speed, by CPU time;
# the best of rounds that alternate.
. "$(dirname "$0")/lib/python.sh"

cat >scene.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.3]]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}
contacts: {any: {stiffness: 1e4}}
walls: {box: {shape: box, box: [[0, 0, 0], [0.1, 0.1, 0.3]], material: m}}
bodies: {heap: {from: lattice, material: m, radius: 0.005, region: {shape: box, box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}}
time: {end: 1}
YAML
cat >loop.c <<'C'
#include <scree/scree.h>
#include <stdio.h>
#include <time.h>
int main(void)
{
    scree_report report;
    scree_scene *scene;
    scree_simulation *sim;
    scree_simulation_def def = scree_simulation_def_default();
    def.quiet = def.contacts = true, def.threads = 1;
    scree_report_init(&report);
    if (scree_scene_open("scene.yaml", NULL, 0, &scene, &report) || scree_simulation_create(scene, &def, &sim, &report)) return 1;
    if (scree_simulation_advance(sim, 2000, &report)) return 1;
    clock_t start = clock();
    for (int k = 0; k < 2000; k++)
        if (scree_simulation_advance(sim, 1, &report)) return 1;
    printf("%.6f %016llx\n", (double)(clock() - start) / CLOCKS_PER_SEC, (unsigned long long)scree_simulation_digest(sim, &report));
    return 0;
}
C
cat >loop.py <<'PYTHON'
import time
import scree
sim = scree.Simulation("scene.yaml", threads=1)
sim.advance(2000)
start = time.process_time()
for _ in range(2000):
    sim.advance()
print(f"{time.process_time() - start:.6f} {sim.digest:016x}")
PYTHON
passed=0 failed=0
check() {
    if "${@:2}"; then passed=$((passed + 1)); else
        failed=$((failed + 1))
        echo "failed: $1"
    fi
}
check "the C program builds" gcc -O2 -I"$source/include" loop.c -o loop -L"$build" -lscree -Wl,-rpath,"$build"
for _ in 1 2 3 4 5; do
    ./loop >>c
    "$python" loop.py >>python
done
check "the same bits" test "$(cut -d' ' -f2 c python | sort -u | wc -l)" = 1
best() { cut -d' ' -f1 "$1" | sort -g | head -1; }
ratio=$(awk "BEGIN { printf \"%.3f\", $(best c) / $(best python) }")
echo "2000 steps of 1000 grains: C $(best c) s, Python $(best python) s: $ratio of its speed"
check "at least 0.8 of the speed of C" awk "BEGIN { exit !($ratio >= 0.8) }"
echo "$passed passed, $failed failed"
((failed == 0))
