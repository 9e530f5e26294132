"""Simulations from Python: views without a copy, writes, forces, grains that come and go, walls, observers, signals,
threads."""
import gc
import math
import os
import pickle
import signal
import subprocess
import threading
import time

import numpy
import scree
from check import check, finish, near, raises, same
from scree._library import ffi, lib

R, DENSITY, G = 0.01, 2500.0, 9.81
MASS = DENSITY * 4 / 3 * math.pi * R**3


def scene(position, gravity=(0, 0, -G), **more):
    return {
        "scree": 1,
        "domain": {"box": [[-1, -1, -0.1], [1, 1, 1]]},
        "gravity": list(gravity),
        "materials": {"m": {"density": DENSITY, "restitution": 0.5, "friction": 0.4}},
        "contacts": {"any": {"stiffness": 1e4}},
        "walls": {"floor": {"shape": "plane", "point": [0, 0, 0], "normal": [0, 0, 1], "material": "m"}},
        "bodies": {"all": {"from": "positions", "positions": position, "radius": R, "material": "m"}},
        "time": {"end": 1, "step": 1e-4},
        **more,
    }


HEAP = {
    "scree": 1,
    "domain": {"box": [[0, 0, 0], [0.1, 0.1, 0.3]]},
    "materials": {"m": {"density": DENSITY, "restitution": 0.5, "friction": 0.4}},
    "contacts": {"any": {"stiffness": 1e4}},
    "walls": {"box": {"shape": "box", "box": [[0, 0, 0], [0.1, 0.1, 0.3]], "material": "m"}},
    "bodies": {"heap": {"from": "lattice", "material": "m", "radius": 0.005,
                        "region": {"shape": "box", "box": [[0, 0, 0], [0.1, 0.1, 0.1]]}}},
    "time": {"end": 0.1},
}


def views():
    sim = scree.Simulation(scene([[0, 0, 0.1], [0.1, 0, 0.2]]), threads=1)
    c = ffi.new("scree_view *")
    lib.scree_simulation_view_find(sim._handle.c, b"position", c, sim._handle.report.c)
    for _ in range(2):
        place = sim.grains.position
        same("a view has the address of the simulation's memory", place.__array_interface__["data"][0],
             int(ffi.cast("uintptr_t", c.data)))
    same("shape", place.shape, (2, 3))
    same("strides", place.strides, (c.stride, 8))
    same("a part is no copy either", place[1, 2:].__array_interface__["data"][0],
         place.__array_interface__["data"][0] + c.stride + 16)
    ffi.cast("double *", c.data)[0] += 0.0
    for name in sim.grains.names:
        same(f"{name} has a row for each grain", len(getattr(sim.grains, name)), 2)
    check("a view says what it is", "velocity [m/s]: velocity of the centre" in sim.grains.describe())
    check("id is a whole number", sim.grains.id.dtype == numpy.int64)
    same("ids", sorted(sim.grains.id), [1, 2])
    same("rows of ids", list(sim.grains.id[sim.grains.rows([2, 1])]), [2, 1])
    raises("who has no such view says so", AttributeError, lambda: sim.grains.colour, "there are id, position")
    # what comes out of arithmetic is nobody's window
    same("sums are plain", type(place + 1), numpy.ndarray)
    same("means are plain", type(place.mean(axis=0)), numpy.ndarray)
    same("copies are plain", type(place.copy()), numpy.ndarray)
    same("chosen rows are plain", type(place[[1, 0]]), numpy.ndarray)
    same("a view can be pickled", pickle.loads(pickle.dumps(place)).tolist(), place.tolist())


def writes():
    def fresh():
        sim = scree.Simulation(scene([[0, 0, 0.5]]), threads=1)
        sim.advance(100)
        return sim

    def put(sim):
        sim.grains.velocity[0] = [1, 0, 2]

    def assign(sim):
        sim.grains.velocity = [1, 0, 2]

    def add(sim):
        sim.grains.velocity *= 0
        sim.grains.velocity += [1, 0, 2]

    def add_part(sim):
        v = sim.grains.velocity
        v[:, 0] += 1
        v[:, 2] *= 0
        v[:, 2] += 2

    def ufunc(sim):
        numpy.add([[1, 0, 2]], 0.0, out=sim.grains.velocity)

    def copyto(sim):
        numpy.copyto(sim.grains.velocity, [1, 0, 2])

    def fill(sim):
        sim.grains.velocity[:, 0].fill(1)
        numpy.put(sim.grains.velocity[:, 2], [0], [2])

    def pointer(sim):
        sim.grains.edit()
        c = ffi.new("scree_view *")
        lib.scree_simulation_view_find(sim._handle.c, b"velocity", c, sim._handle.report.c)
        v = ffi.cast("double *", c.data)
        v[0], v[2] = 1.0, 2.0

    digests = set()
    for way in (put, assign, add, add_part, ufunc, copyto, fill, pointer):
        sim = fresh()
        z = sim.grains.position[0, 2]
        way(sim)
        sim.advance(1000)
        # off by 3e-15
        near(f"thrown by {way.__name__}", sim.grains.position[0], [0.1, 0, z + 0.2 - 0.5 * G * 0.01], 1e-13)
        near("energy that came is booked", sim.energies.inserted, 0.5 * MASS * (5 - (G * 0.01) ** 2), 1e-14)
        near("and the balance closes", sim.energies.closure, 0, 1e-13)
        digests.add(sim.digest)
    same("all ways are one", len(digests), 1)

    # reading changes nothing
    a, b = fresh(), fresh()
    for _ in range(50):
        a.advance()
        b.advance()
        _ = b.grains.position.sum() + b.grains.velocity[0,
                                                        2], numpy.sort(b.grains.position[:,
                                                                2]), b.grains.position.copy().fill(0)
    same("who reads changes nothing", a.digest, b.digest)

    sim = fresh()
    raises("ids cannot be written", AttributeError, lambda: setattr(sim.grains, "id", 7), "cannot be written")
    raises("nor in place", ValueError, lambda: sim.grains.id.__setitem__(0, 7))
    sim.grains.position[0, 0] = math.nan
    raises("what is no number is refused", scree.InputError, sim.advance, "grain 1: position x is nan, must be finite")
    sim.grains.position[0, 0] = 0.3
    sim.advance()
    near("and can be mended", sim.grains.position[0, 0], 0.3, 1e-12)

    # lists and forces follow: a grain that is put onto another is pushed away
    sim = scree.Simulation(scene([[0, 0, 0.5], [0.5, 0, 0.5]], gravity=(0, 0, 0)), threads=1)
    sim.advance(10)
    sim.grains.position[sim.grains.rows([2])[0]] = [1.9 * R, 0, 0.5]
    energy = sim.energies
    near("the spring is wound", energy.elastic_normal, 0.5 * 1e4 * (0.1 * R) ** 2, 1e-15)
    near("its force acts at once", abs(sim.grains.force[:, 0]), 1e4 * 0.1 * R, 1e-9)
    sim.advance(300)
    check("they part", sim.grains.velocity[sim.grains.rows([2])[0], 0] > 0.1)
    # a heavier, larger grain
    sim.grains.radius[0], sim.grains.mass[0] = 2 * R, 8 * MASS
    near("moves on with its speed", sim.energies.closure, energy.closure, 1e-4)


def stale():
    sim = scree.Simulation(HEAP, threads=1)
    sim.advance(10)
    place, velocity = sim.grains.position, sim.grains.velocity
    sim.advance(10)
    velocity[0, 0] = 0.01  # rows have not moved: still a window
    before = place.copy()
    ids = sim.grains.insert([[0.05, 0.05, 0.25]] * 1 + [[0.02 + 0.011 * k, 0.05, 0.28] for k in range(5)], 0.005)
    same("six came", len(ids), 6)
    check("an old view can be read", numpy.isfinite(place).all() and place.shape == before.shape)
    raises("but not be written", scree.StaleView, lambda: velocity.__setitem__(0, 0), "fetch it again")
    raises("by no way", scree.StaleView, lambda: velocity[:, 0].fill(0))
    sim.advance(2000)  # sorted on the way
    check("it can be read after all", numpy.isfinite(place).all())
    many = numpy.column_stack([numpy.linspace(0.01, 0.09, 8).repeat(8), numpy.tile(numpy.linspace(0.01, 0.09, 8), 8),
                               numpy.full(64, 0.29)])
    for k in range(3):  # arrays grow
        sim.grains.insert(many - [0, 0, 0.011 * k], 0.003)
    check("and when arrays have moved", numpy.isfinite(place).all())
    same("the new view is longer", len(sim.grains.position), len(before) + 6 + 3 * 64)
    view = sim.grains.position
    wanted = view.copy()
    del sim
    gc.collect()
    check("a view keeps its simulation", (view == wanted).all())


def forces():
    sim = scree.Simulation(scene([[0, 0, 0.5]], gravity=(0, 0, 0)), threads=1)
    sim.grains.push([1e-3, 0, 2e-3], torque=[[0, 1e-6, 0]])
    sim.advance(1000)
    near("a constant force", sim.grains.position[0], [0.5e-3 / MASS * 0.01, 0, 0.5 + 1e-3 / MASS * 0.01], 1e-13)
    near("a constant torque", sim.grains.spin[0, 1], 1e-7 / (0.4 * MASS * R**2), 1e-12)
    near("its work", sim.energies.closure, 0, 1e-16)
    sim.grains.push([[0, 0, 0]], ids=[1])
    raises("of who is there", scree.InputError, lambda: sim.grains.push([0, 0, 0], ids=[5]),
           "there is no grain of id 5")
    raises("of the right shape", scree.InputError, lambda: sim.grains.push([[1, 2]]), "must be (1, 3)")
    sim.grains.push()

    # where contacts are solved for: two spheres in one body, of which one is pushed aside
    pair = scene([[0, 0, 0.5]], gravity=(0, 0, 0), stepper="nonsmooth")
    pair["bodies"]["all"].update(radius=2 * R, clump={"spheres": [[-1, 0, 0, 1], [1, 0, 0, 1]],
                                                      "orientation": "aligned"})
    sim = scree.Simulation(pair, threads=1)
    sim.grains.push([0, 1e-3, 0], ids=[2])
    sim.advance(10)
    near("a force on a clump moves its centre", sim.grains.velocity[:, 1].mean() / (1e-3 * sim.time / (2 * MASS)), 1,
         1e-14)
    # off by 3e-13
    near("and turns it", sim.grains.spin[:, 2] / (R * 1e-3 * sim.time / (14 / 5 * MASS * R**2)), 1, 3e-11)
    near("its work in the balance", sim.energies.closure / sim.energies.load_work, 0, 1e-13)
    sim.grains.velocity[0] = 1
    raises("spheres of a clump cannot be written", scree.InputError, sim.advance,
           "grain 1 was changed, but is a sphere of a clump")
    pair["stepper"] = {"type": "nonsmooth", "reduction": "on"}
    raises("aggregates cannot be pushed", scree.InputError,
           lambda: scree.Simulation(pair, threads=1).grains.push([0, 0, 1]),
           "set stepper.reduction to off")

    # a spring from Python: of second order
    off = []
    for steps in (200, 400):
        sim = scree.Simulation(scene([[0.1, 0, 0.5]], gravity=(0, 0, 0)), threads=1)
        k = MASS * (2 * math.pi / (1e-4 * steps)) ** 2
        sim.each_step(push=lambda s: s.grains.push(-k * numpy.array([1, 0, 0]) * s.grains.position))
        sim.advance(steps * 5 // 4)
        off.append(sim.grains.position[0, 0])
    near("order of a force that depends on places", off[0] / off[1], 4, 1e-2)  # off by 1e-3

    calls = []
    sim.each_step(before=lambda s: calls.append(("before", s.step)), after=lambda s: calls.append(("after", s.step)))
    start = sim.step
    sim.advance(2)
    same("calls of each step", calls, [("before", start), ("after", start + 1), ("before", start + 1),
                                       ("after", start + 2)])

    def fails(_):
        raise ZeroDivisionError("mine")

    sim.each_step(after=fails)
    raises("an exception comes through", ZeroDivisionError, lambda: sim.advance(5), "mine")
    same("and ends it there", sim.step, start + 3)
    sim.each_step()
    sim.advance(5)
    same("it goes on", sim.step, start + 8)


def walls_and_observers():
    sim = scree.Simulation(scene([[0, 0, R], [0, 0, 3 * R]]), set={"observers": {"force": {"type": "stress"}}},
                           threads=1)
    sim.advance(20000)
    same("walls", list(sim.walls), ["floor"])
    near("the floor carries both", sim.walls["floor"].force[2], -2 * MASS * G, 1e-6 * MASS * G)
    table = sim.contacts
    same("contacts", [(c["first"], c["second"], c["wall"]) for c in table], [(1, 0, 0), (1, 2, -1)])
    near("force of the upper", table["force"][1, 2], -MASS * G, 1e-6 * MASS * G)
    near("overlap", table["overlap"][1], MASS * G / 1e4, 1e-6 * MASS * G / 1e4)
    check("observers", {"force", "ledger"} <= set(sim.observers))
    near("an observer's column", sim.observers["ledger"].gravity, sim.energies.gravity, 0)
    same("its unit", sim.observers["ledger"].columns["gravity"], "J")
    raises("an unknown column", AttributeError, lambda: sim.observers["ledger"].colour, "it has time")
    sim.walls.floor.velocity = [0, 0, 0.25]
    sim.advance(2000)
    near("the wall has moved", sim.walls["floor"].position[2], 0.05, 1e-14)
    raises("a wall without a servo", scree.InputError, lambda: setattr(sim.walls["floor"], "target", 1), "has no servo")
    raises("an unknown wall", KeyError, lambda: sim.walls["roof"], "there are floor")

    lid = {"shape": "plane", "point": [0, 0, 0.025], "normal": [0, 0, -1], "material": "m",
           "servo": {"axis": [0, 0, -1], "force": 0.5, "max_speed": 0.02}}
    sim = scree.Simulation(scene([[0, 0, R]]), set={"walls.lid": lid}, threads=1)
    for target in (0.5, 1.5):
        sim.walls["lid"].target = target
        sim.advance(until=sim.time + 1)
        near("a servo meets its target", sim.walls["lid"].measured, target, 1e-3 * target)
    same("groups", sim.groups, ["all"])
    raises("what a scene does not allow", scree.InputError,
           lambda: scree.Simulation(scene([[0, 0, R]]), set={"walls.lid": {"shape": "plain"}}))


def grains_come_and_go():
    sim = scree.Simulation(HEAP, threads=1)
    sim.advance(200)
    closure, count = sim.energies.closure, len(sim.grains)
    ids = sim.grains.insert([[0.03, 0.05, 0.25], [0.07, 0.05, 0.25]], [0.004, 0.005], group="heap", velocity=[0, 0, -1])
    near("their energy is booked", sim.energies.closure, closure, 1e-14)
    rows = sim.grains.rows(ids)
    same("radii", list(sim.grains.radius[rows]), [0.004, 0.005])
    near("velocity", sim.grains.velocity[rows], [[0, 0, -1]] * 2, 0)
    sim.grains.delete(ids[:1])
    same("one left", len(sim.grains), count + 1)
    sim.advance(100)
    raises("who is gone cannot go", scree.InputError, lambda: sim.grains.delete(ids[0]), "there is no grain of id")
    raises("an unknown group", scree.InputError, lambda: sim.grains.insert([0, 0, 0], 1, group="sand"),
           "there are heap")


def beside_rigid_bodies():
    """A dumbbell and a ball, a paddle that hangs on a hinge: balls are free, spheres of clumps are not, clumps come and
    go as wholes."""
    machine = scene([[0.3, 0, 0.5]], stepper="nonsmooth", time={"end": 9, "step": 1e-3})
    machine["bodies"]["pairs"] = {"from": "positions", "positions": [[-0.3, 0, 0.5]], "radius": 2 * R, "material": "m",
                                  "clump": {"spheres": [[-1, 0, 0, 1], [1, 0, 0, 1]], "orientation": "aligned"}}
    machine["walls"]["blade"] = {"shape": "sphere", "center": [0.6, 0.5, 0.5], "radius": 0.05, "material": "m"}
    machine["parts"] = {"paddle": {"walls": ["blade"], "mass": 2, "centre": [0.6, 0.5, 0.5],
                                   "inertia": [0.01, 0.01, 0.01]}}
    machine["joints"] = {"pin": {"type": "hinge", "between": ["ground", "paddle"], "point": [0.5, 0.5, 0.5],
                                 "axis": [0, 1, 0]}}
    sim, alone = scree.Simulation(machine, threads=1), scree.Simulation(machine, threads=1)
    for one in (sim, alone):
        one.advance(20)
    ball, pair = sim.groups.index("all"), sim.groups.index("pairs")
    closure = sim.energies.closure
    row = int(numpy.flatnonzero(sim.grains.group == ball)[0])
    name, z, v = int(sim.grains.id[row]), float(sim.grains.position[row, 2]), 1.5
    sim.grains.velocity[row, 2] = v
    near("energy that a write brings is booked", sim.energies.closure, closure, 1e-15)
    for one in (sim, alone):
        one.advance(50)
    t = 50 * sim.dt
    near("a ball beside a clump can be thrown", sim.grains.position[sim.grains.rows([name])[0], 2],
         z + v * t - G * t * (t + sim.dt) / 2, 1e-13)
    others = sim.read("id") != name
    check("nobody else notices", numpy.array_equal(sim.read("position")[others], alone.read("position")[others]))
    near("not the paddle either", sim.walls["blade"].position, alone.walls["blade"].position, 0)
    check("which swings", abs(sim.walls["blade"].velocity[2]) > 0.01, sim.walls["blade"].velocity)

    spheres = sim.grains.id[sim.grains.group == pair]
    kept = sim.digest
    sim.grains.position[sim.grains.rows(spheres[:1])] += 1e-3
    raises("a sphere of a clump cannot be moved", scree.InputError, sim.advance,
           "is a sphere of a clump and moves with it")
    same("and stays where it was", sim.digest, kept)
    raises("half a clump cannot go", scree.InputError, lambda: sim.grains.delete(spheres[:1]),
           "a clump can only be removed as a whole")
    mass = sim.grains.mass.sum()
    first, = sim.grains.insert([0, 0, 0.7], 2 * R, group="pairs", velocity=[0, 0, 1])
    near("a clump comes", [len(sim.grains), sim.grains.mass.sum() - mass], [5, 2 * MASS], 1e-15)
    near("where it shall", sim.grains.position[sim.grains.rows([first, first + 1])], [[-R, 0, 0.7], [R, 0, 0.7]], 1e-15)
    sim.advance(10)
    near("and flies", sim.grains.velocity[sim.grains.rows([first, first + 1]), 2], 1 - 10 * G * sim.dt, 1e-12)
    closure = sim.energies.closure
    sim.grains.delete(spheres)
    same("another goes", sorted(sim.grains.id), sorted([name, first, first + 1]))
    near("with its energy", sim.energies.closure, closure, 1e-13)
    sim.advance(2000)
    near("all comes to rest", sim.grains.position[:, 2], R, 1e-4)
    sim.checkpoint("machine.h5", force=True)
    same("and can be continued", scree.Simulation(machine, resume="machine.h5", threads=1).digest, sim.digest)


def same_bits():
    def drive(sim, steps):
        sim.advance(steps)
        return sim.digest

    alone = drive(scree.Simulation(HEAP, threads=1), 600)
    a, b = scree.Simulation(HEAP, threads=1), scree.Simulation(HEAP, threads=2)
    for _ in range(6):
        a.advance(100)
        b.advance(100)
    same("two in one process", (a.digest, b.digest), (alone, alone))
    found = {}
    workers = [threading.Thread(target=lambda k=k: found.__setitem__(k, drive(scree.Simulation(HEAP, threads=1), 600)))
               for k in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    same("two in two threads", list(found.values()), [alone, alone])

    # as the program has it
    scree.Scene(**HEAP).write("heap.yaml")
    said = subprocess.run([os.environ["SCREE_PROGRAM"], "run", "heap.yaml", "--threads", "1"], capture_output=True,
                          text=True)
    sim = scree.Simulation("heap.yaml", threads=1)
    states = [s.time for s in sim.run(every=0.02)]
    near("a run yields", states, [0, 0.02, 0.04, 0.06, 0.08, 0.1], 1e-4)
    check("the digest of `scree run`", f"{sim.digest:016x}" in said.stdout + said.stderr,
          f"{sim.digest:016x} {said.stderr}")

    a.checkpoint("state.h5")
    c = scree.Simulation(HEAP, resume="state.h5", threads=1)
    a.advance(300)
    c.advance(300)
    same("a checkpoint goes on", c.digest, a.digest)
    raises("results that are there are not replaced silently by others", scree.Error, lambda: a.checkpoint("heap.yaml"))
    d = scree.Simulation(HEAP, start="state.h5", threads=1)
    same("the start of a new run", (d.time, len(d.grains)), (0.0, len(a.grains)))


def devices():
    digests = set()
    for device in (None, "cpu", "auto"):
        sim = scree.Simulation(HEAP, device=device, threads=1)
        sim.advance(20)
        digests.add(sim.digest)
    same("steps on any device have the same bits", len(digests), 1)
    raises("a device that there is none of", scree.InputError, lambda: scree.Simulation(HEAP, device="gpu:99"),
           "gpu:99 cannot be used")
    raises("what is no device", scree.InputError, lambda: scree.Simulation(HEAP, device="tpu"),
           "auto, cpu, gpu, or gpu:N")


def signals():
    sim = scree.Simulation(HEAP, threads=1)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    raises("Ctrl-C ends an advance", KeyboardInterrupt, lambda: sim.advance(10**9))
    check("soon", time.monotonic() - start < 30)
    step = sim.step
    check("between two steps", step > 0)
    sim.advance(3)
    same("and it goes on", sim.step, step + 3)


for part in (views, writes, stale, forces, walls_and_observers, grains_come_and_go, beside_rigid_bodies, same_bits,
             devices, signals):
    print(part.__name__)
    part()
finish()
