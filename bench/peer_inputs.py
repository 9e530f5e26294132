"""Inputs for LAMMPS, LIGGGHTS and YADE, written from the numbers that `scree bench` prints.

The law of the beds is that of LAMMPS' gran/hertz/history,

    F_n = sqrt(R* delta) (kn delta - m* gamma v_n),   F_t = -sqrt(R* delta) (kt h + m* gamma/2 v_t),

which LIGGGHTS has as hertz/stiffness. YADE's Mindlin law takes its damping from a restitution
coefficient; it is compared with Scree's own damping by restitution.
"""

import csv
import math


def read_csv(path):
    with open(path) as text:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(text)]


CHUTE_BOX = ((0, 40), (0, 20), (-1, 60))


def box(problem):
    if problem.name == "chute":
        return CHUTE_BOX
    n = problem.numbers
    return ((0, n["width"]), (0, n["width"]), (-1, n["height"]))


def write_data(problem, path):
    """A LAMMPS data file of atom style sphere, once for each problem."""
    if problem.data:
        return
    problem.data = path
    types = 1 if problem.name == "bed" else 2
    with open(path, "w") as out:
        out.write(f"{problem.name}\n\n{len(problem.rows)} atoms\n{types} atom types\n")
        for axis, (low, high) in zip("xyz", box(problem)):
            out.write(f"{low:.17g} {high:.17g} {axis}lo {axis}hi\n")
        out.write("\nAtoms # sphere\n\n")
        for r in problem.rows:
            out.write("{id:.0f} {type:.0f} {diameter:.17g} {density:.17g} {x:.17g} {y:.17g} {z:.17g}\n".format(**r))
        out.write("\nVelocities\n\n")
        for r in problem.rows:
            out.write("{id:.0f} {vx:.17g} {vy:.17g} {vz:.17g} {wx:.17g} {wy:.17g} {wz:.17g}\n".format(**r))


SAMPLE = """compute spin all erotate/sphere
compute touching all contact/atom
compute contacts all reduce sum c_touching
compute radius all property/atom radius
variable low atom "z<c_radius"
compute floor all reduce sum v_low
thermo_style custom step ke c_spin c_contacts c_floor
thermo_modify norm no
"""


def lists(problem):
    """When neighbour lists are built: when needed, or every so many steps."""
    when = f"{problem.list_every} check no" if problem.list_every else "1"
    return f"neigh_modify delay 0 every {when}"


def lammps(problem, style):
    """`history`: gran/hooke/history or gran/hertz/history; `newton`: the same with Newton's third law across
    the periodic sides, which LAMMPS asks for its reduced communication of mixed sizes; `granular`: from pair
    granular."""
    n, chute = problem.numbers, problem.name == "chute"
    lines = ["units lj", "atom_style sphere", "boundary p p fm" if chute else "boundary p p f",
             "newton on" if style == "newton" else "newton off"]
    if problem.mixed:
        # as its documentation advises for mixed sizes
        reduced = "reduce/multi " if style == "newton" else ""
        lines += ["neighbor 0.1 multi", f"comm_modify mode multi {reduced}vel yes"]
    else:
        lines += ["comm_modify vel yes", "neighbor 0.1 bin"]
    lines += [lists(problem), f"read_data {problem.name}.data"]
    if chute:
        numbers = "200000.0 NULL 50.0 NULL 0.5 0"
        pair = {"history": [f"pair_style gran/hooke/history {numbers}", "pair_coeff * *"],
                "granular": ["pair_style granular",
                             "pair_coeff * * hooke 200000.0 50.0 damping mass_velocity "
                             f"tangential linear_history {200000 * 2 / 7:.17g} 0.0 0.5"]}
    else:
        kn, kt, gamma, mu = n["kn"], n["kt"], n["gamma"], n["friction"]
        numbers = f"{kn:.17g} {kt:.17g} {gamma:.17g} {gamma / 2:.17g} {mu:.17g} 1"
        pair = {"history": [f"pair_style gran/hertz/history {numbers}", "pair_coeff * *"],
                "granular": ["pair_style granular",
                             f"pair_coeff * * hertz {kn:.17g} {gamma:.17g} damping viscoelastic "
                             f"tangential mindlin {kt:.17g} 0.5 {mu:.17g}"]}
    lines += pair["granular" if style == "granular" else "history"] + [f"timestep {n['step']:.17g}"]
    if chute:
        lines += ["group bottom type 2", "group active subtract all bottom", "neigh_modify exclude group bottom bottom",
                  "fix gravity all gravity 1.0 chute 26.0", "fix hold bottom freeze", "fix move active nve/sphere"]
    else:
        lines += ["fix gravity all gravity 1.0 vector 0 0 -1",
                  f"fix floor all wall/gran hertz/history {numbers} zplane 0.0 NULL", "fix move all nve/sphere"]
    return "\n".join(lines) + "\n" + SAMPLE + f"thermo {problem.steps}\nrun {problem.steps}\n"


def matrix(value, types):
    return " ".join([f"{value:.17g}"] * (types * types))


def liggghts(problem):
    n, chute = problem.numbers, problem.name == "chute"
    types = 1 if problem.name == "bed" else 2
    law = {"kn": 200000, "kt": 200000 * 2 / 7, "gamman": 50, "gammat": 0, "coefficientFriction": 0.5}
    if not chute:
        law = {"kn": n["kn"], "kt": n["kt"], "gamman": n["gamma"], "gammat": n["gamma"] / 2,
               "coefficientFriction": n["friction"]}
    model = "hooke/stiffness" if chute else "hertz/stiffness"
    lines = ["units si", "atom_style granular", "atom_modify map array", "boundary p p f", "newton off",
             "communicate single vel yes", f"read_data {problem.name}.data", "neighbor 0.1 bin",
             lists(problem)]
    for key, value in law.items():
        lines.append(f"fix {key} all property/global {key} peratomtypepair {types} {matrix(value, types)}")
    lines += [f"pair_style gran model {model} tangential history", "pair_coeff * *", f"timestep {n['step']:.17g}"]
    if chute:
        tilt = math.radians(26)
        lines += ["group bottom type 2", "group active subtract all bottom", "neigh_modify exclude group bottom bottom",
                  f"fix gravity all gravity 1.0 vector {math.sin(tilt):.17g} 0 {-math.cos(tilt):.17g}",
                  "fix hold bottom freeze", "fix move active nve/sphere"]
    else:
        lines += ["fix gravity all gravity 1.0 vector 0 0 -1",
                  f"fix floor all wall/gran model {model} tangential history primitive type 1 zplane 0.0",
                  "fix move all nve/sphere"]
    return "\n".join(lines) + "\n" + SAMPLE + f"thermo {problem.steps}\nrun {problem.steps}\n"


YADE_HEAD = """import csv, math, time
from yade import *
rows = [{{k: float(v) for k, v in row.items()}} for row in csv.DictReader(open("{state}"))]
O.periodic = True
O.cell.setBox({x:.17g}, {y:.17g}, {z:.17g})
"""

YADE_TAIL = """for r in rows:
    b = utils.sphere((r["x"], r["y"], r["z"] + {lift}), 0.5 * r["diameter"], material={material}, fixed={fixed})
    b.state.vel = (r["vx"], r["vy"], r["vz"])
    b.state.angVel = (r["wx"], r["wy"], r["wz"])
    O.bodies.append(b)
{floor}
O.dt = {step:.17g}
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=0.05, allowBiggerThanPeriod=True),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [{physics}], [{law}]),
    NewtonIntegrator(gravity=({gravity}), damping=0),
]
O.run(1, True)
start, cpu_start = time.perf_counter(), time.process_time()
O.run({steps} - 1, True)
seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
print("figure cpu_seconds %.9g s" % (cpu_seconds * {steps} / ({steps} - 1.0)))
print("figure seconds %.9g s" % (seconds * {steps} / ({steps} - 1.0)))
print("figure energy %.9g -" % kineticEnergy())
print("figure contacts %d -" % sum(1 for i in O.interactions if i.isReal and i.geom.penetrationDepth > 0))
"""


def unclipped(e):
    """The restitution to ask of YADE, which damps by the formula for a contact that may pull but does not let
    it pull, so that it gives e: Schwager & Poeschel's duration of a contact that ends when the force is zero."""

    def clipped(z):
        y = math.sqrt(1 - z * z)
        return math.exp(-(z / y) * math.atan2(2 * z * y, 2 * z * z - 1))

    low, high = 1e-9, 1 - 1e-9
    for _ in range(100):
        z = 0.5 * (low + high)
        low, high = (z, high) if clipped(z) > e else (low, z)
    return math.exp(-math.pi * z / math.sqrt(1 - z * z))


def yade(problem, steps):
    n, chute = problem.numbers, problem.name == "chute"
    (x0, x1), (y0, y1), (z0, z1) = box(problem)
    head = YADE_HEAD.format(state=problem.state.name, x=x1 - x0, y=y1 - y0, z=z1 - z0 + 4)
    common = dict(step=n["step"], steps=steps, lift=2)
    if chute:
        tilt, mass = math.radians(26), math.pi / 6
        # of two equal contacts in series; m* is half a grain's mass
        head += (f"grain = ViscElMat(density=1, kn=4e5, ks={4e5 * 2 / 7:.17g}, cn={50 * mass:.17g}, cs=0, "
                 "frictionAngle=math.atan(0.5))\nO.materials.append(grain)\n")
        tail = YADE_TAIL.format(material="grain", fixed='r["type"] == 2', floor="",
                                gravity=f"{math.sin(tilt):.17g}, 0, {-math.cos(tilt):.17g}",
                                physics="Ip2_ViscElMat_ViscElMat_ViscElPhys()", law="Law2_ScGeom_ViscElPhys_Basic()",
                                **common)
    else:
        young = 1.5 * (1 - n["poisson"] ** 2) * n["kn"]
        head += (f"grain = FrictMat(density=1, young={young:.17g}, poisson={n['poisson']:.17g}, "
                 f"frictionAngle=math.atan({n['friction']:.17g}))\nO.materials.append(grain)\n")
        # YADE's R* of a sphere on a wall is that of two equal spheres, r/2: a stiffer floor makes up for it
        head += (f"floor = FrictMat(density=1, young={(1 + math.sqrt(2)) * young:.17g}, poisson={n['poisson']:.17g}, "
                 f"frictionAngle=math.atan({n['friction']:.17g}))\nO.materials.append(floor)\n")
        tail = YADE_TAIL.format(material="grain", fixed="False",
                                floor="O.bodies.append(utils.wall(2, axis=2, sense=1, material=floor))",
                                gravity="0, 0, -1",
                                physics=f"Ip2_FrictMat_FrictMat_MindlinPhys(en={unclipped(0.5):.17g})",
                                law="Law2_ScGeom_MindlinPhys_Mindlin()", **common)
    return head + tail
