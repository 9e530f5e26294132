#!/bin/bash
# Coarse-grained fields of a chute flow, at fixed steps: mass and momentum of the grid are those of the grains, and the
# momentum balance of the layers above each height closes; the fields for ParaView and as a picture.
. "$(dirname "$0")/lib/cli.sh"
export OMP_WAIT_POLICY=passive

cat >chute.yaml <<'YAML'
scree: 1
gravity: [4.300, 0, -8.817]
domain: {box: [[0, 0, 0], [30 mm, 25 mm, 70 mm]], periodic: [x, y]}
materials: {glass: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.5}}
contacts: {any: {stiffness: 500 N/m}}
bodies:
  base: {from: lattice, material: glass, diameter: 5 mm, frozen: yes, region: {box: [[0, 0, 0], [30 mm, 25 mm, 5 mm]]}}
  flow: {from: lattice, kind: sc, material: glass, diameter: [4.5 mm, 5 mm], spacing: 5.2 mm, jitter: 1, velocity: [0.2, 0, 0],
    region: {box: [[0, 0, 5.2 mm], [30 mm, 25 mm, 5 cm]]}}
time: {end: 0.4, step: 20 us}
output: {every: 20 ms, fields: [position, radius, velocity, mass, group]}
YAML
must "a chute flow" run chute.yaml --output chute.h5 --quiet
# fields in each of some steps, from there on
fields() { printf 'observers.%s={type: fields, group: flow, stress: no, bins: [1, 1, 140], %s, every: 20 us}' "$1" \
    "$2"; }
stress() { printf 'observers.%s={type: fields, bins: [1, 1, %s, every: 20 us}' "$1" "$2"; }
must "some steps more" run chute.yaml --from chute.h5 --output fine.h5 --quiet --set 'time.end=0.4 ms' \
    --set 'output.every=20 us' \
    --set "$(fields gauss 'width: 1.5 mm')" --set "$(fields lucy 'width: 1.5 mm, kernel: lucy')" \
    --set "$(stress coarse '140], width: 1.5 mm, kernel: lucy')" \
    --set "$(stress fine '420], width: 1.5 mm, kernel: lucy')" --set "$(stress gauss_fine '420], width: 1.5 mm')" \
    --set 'observers.map={type: fields, bins: [12, 1, 28], every: 0.2 ms}'
if have_h5py; then
    cat >look.py <<'PYTHON'
import h5py, numpy as np, sys
f = h5py.File("fine.h5")
bad = []
def check(what, ok, value=""):
    print("ok" if ok else "WRONG", what, value)
    if not ok: bad.append(what)
s = f["series"]
area, dz, g, dt = 0.03 * 0.025, 0.07 / 140, np.array([4.3, 0, -8.817]), 20e-6
rows = len(s["gauss"]["time"])
check("a row for each step", rows == 21)
for name in "gauss", "lucy":
    q = s[name]
    for k in 0, 10, 20:
        last = f["frames/%06d" % k]
        flow = last["group"][:] == 1
        m, v = last["mass"][:][flow], last["velocity"][:][flow]
        rho = q["density"][k]
        u = np.array([np.nan_to_num(q["velocity_" + a][k]) for a in "xyz"])
        off = abs(rho.sum() * area * dz / m.sum() - 1)
        check(f"{name}: mass of step {k}", off < 1e-14, off)  # 2e-16
        p = (rho * u).sum(1) * area * dz
        want = (m[:, None] * v).sum(0)
        off = abs(p - want).max() / abs(want).max()
        check(f"{name}: momentum of step {k}", off < 1e-13, off)  # 1e-15
# d/dt of the momentum above z is what comes in through z (stress and flow of momentum) and the weight of what is above
worst = {}
for name, bins, limit in ("coarse", 140, 0.05), ("fine", 420, 0.01), ("gauss_fine", 420, 0.02):
    q = s[name]
    dz = 0.07 / bins
    rho, w = q["density"][:], np.nan_to_num(q["velocity_z"][:])
    u = np.nan_to_num(q["velocity_x"][:])
    flux_z, flux_x = q["stress_zz"][:] + rho * w * w, q["stress_xz"][:] + rho * u * w
    above = lambda a: np.flip(np.cumsum(np.flip(a, 1), 1), 1)[:, 1:] * dz  # above the border of bins k and k + 1
    at = lambda a: 0.5 * (a[:, 1:] + a[:, :-1])
    # from 10 mm, two kernels above the base, to where a fifth of the layer is still above
    middle = slice(bins // 7, int(np.argmax(above(rho)[0] < 0.2 * above(rho)[0, bins // 14])))
    check(f"{name}: enough heights", middle.stop > bins // 5, middle.stop)
    for axis, momentum, flux in (2, rho * w, flux_z), (0, rho * u, flux_x):
        rate = (above(momentum)[2:] - above(momentum)[:-2]) / (2 * dt)
        # velocities change by half of the forces of two steps each
        force = at(flux) + g[axis] * above(rho)
        given = 0.25 * force[:-2] + 0.5 * force[1:-1] + 0.25 * force[2:]
        weight = abs(g[2]) * above(rho)[1:-1]
        off = abs(rate - given)[:, middle] / weight[:, middle]
        worst[name, axis] = off.max()
        check(f"{name}: balance along {'xyz'[axis]} at each step and height", off.max() < limit, off.max())
        check(f"{name}: which is not a matter of course", abs(rate / weight)[:, middle].max() > 5 * off.max(), abs(rate / weight)[:, middle].max())
for axis in 0, 2:
    ratio = worst["coarse", axis] / worst["fine", axis]
    check(f"it is an error of the grid, of second order ({'xyz'[axis]})", ratio > 4, ratio)
sys.exit(bool(bad))
PYTHON
    if "$python" look.py >out 2>err; then pass "fields agree: $(grep -c '^ok' out) checks";
    else fail "fields agree" "$(grep WRONG out)"; fi
    [[ -n ${SHOW:-} ]] && cat out err
else
    left_out "numbers of the fields" "no h5py"
fi

# ---- ParaView and pictures ----

runs "for ParaView" 0 export fine.h5 --series map --to vti --output map
says out "map.pvd (3 rows)" "a file per row, and their times"
matches map-000002.vti 'ImageData WholeExtent="0 12 0 1 0 28" Origin="0 0 0" Spacing="0.0025' "the grid"
matches map-000002.vti 'Name="kinetic_xz"' "all columns"
same "its size" "$((12 * 28))" "$("$python" - <<'PYTHON'
raw = open("map-000002.vti", "rb").read()
data = raw.split(b'<AppendedData encoding="raw">\n   _', 1)[1]
print(int.from_bytes(data[:8], "little") // 8)
PYTHON
)"
runs "one row" 0 export fine.h5 --series map --to vti --first -1 --output last
check "no more than that" test ! -e last-000001.vti
runs "a series without a grid" 2 export fine.h5 --series ledger --to vti
says err "is not on a grid" "it is said"
runs "no series" 2 export fine.h5 --to vti
says err "name it with --series" "what is missing"
runs "rows that are not there" 2 export fine.h5 --series map --to vti --last 99
runs "a map" 0 plot fine.h5 --map map.density --output map.svg
matches map.svg 'map.density \[kg/m\^3\]' "with its scale"
number "a box for each bin and shade" "$(grep -o '<rect' map.svg | wc -l)" 336 500
runs "as a picture" 0 plot fine.h5 --map map.velocity_x --time 0 --slice y=0.01 --output map.png
runs "curves" 0 plot fine.h5 --y ledger.kinetic --y 'half=ledger.kinetic/2' --x 'ledger.time*1e3' \
    --x-label 'time [ms]' --output curves.svg
says curves.svg "time [ms]" "with their names"
says curves.svg ">half<" "and a name of its own"
wrong() { # wrong TEXT ARGUMENTS...
    local text=$1
    shift
    runs "plot $*" 2 plot fine.h5 "$@" --output wrong.png
    says err "$text"
}
wrong "give what to draw"
wrong "give only one of the two" --map map.density --y ledger.kinetic
wrong "there is no column 'map.dense'" --map map.dense
wrong "is not on a grid" --map ledger.kinetic
wrong "must be like y=0.01" --map map.density --slice w=3
wrong "is one number" --y 'last(ledger.kinetic)'
wrong "they cannot be drawn over each other" --y ledger.kinetic --x map.time
wrong "'kinetic'" --y kinetic
check "nothing written" test ! -e wrong.png
runs "another ending" 2 plot fine.h5 --y ledger.kinetic --output wrong.pdf

refused() { # refused WHAT OBSERVER TEXT
    runs "$1" 2 check chute.yaml --set "observers.it={type: fields, $2}"
    says err "$3" "$1: $3"
}
refused "half bins" "bins: [1.5, 1, 1]" "three whole numbers"
refused "no width" "width: 0" "width is '0'"
refused "an unknown kernel" "kernel: heaviside" "gaussian, lucy"
refused "stress of a group" "group: flow" "leave out group or stress"
refused "a box beyond the domain" "box: [[0, 0, 0], [1, 1, 1]]" "must lie in the domain"
runs "a good one" 0 check chute.yaml \
    --set \
    'observers.it={type: fields, bins: [3, 2, 1], width: 2 mm, kernel: lucy, box: [[0, 0, 0], [30 mm, 25 mm, 40 mm]]}'
finish
