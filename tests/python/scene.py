"""Scenes as Python objects: classes from the tables, keys, units, and messages with the path in Python."""
import warnings

import numpy
import scree
from check import check, finish, near, raises, same
from scree import scene as s

YAML = """
scree: 1
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.2]]}
materials: {glass: {density: 2500, restitution: 0.5, friction: 0.4}}
contacts: {any: {stiffness: 1e4}}
walls: {floor: {shape: plane, point: [0, 0, 0], normal: [0, 0, 1], material: glass}}
bodies: {heap: {from: lattice, material: glass, radius: 5 mm, region: {shape: box, box: [[0, 0, 0], [0.1, 0.1, 0.05]]}}}
time: {end: 0.1}
"""


def made():
    return s.Scene(domain=s.Domain(box=[[0, 0, 0], [0.1, 0.1, 0.2]]),
                   materials={"glass": s.Material(density=2500.0, restitution=0.5, friction=0.4)},
                   contacts={"any": s.Contact(stiffness=1e4)},
                   walls={"floor": s.WallPlane(point=numpy.zeros(3), normal=(0, 0, 1), material="glass")},
                   bodies={"heap": s.BodiesLattice(material="glass", radius="5 mm",
                                                   region=s.RegionBox(box=[[0, 0, 0], [0.1, 0.1, 0.05]]))},
                   time=s.Time(end=0.1))


def classes():
    for name in ("Material", "Contact", "BodiesLattice", "WallPlane", "StepperSoft", "ObserverProfile", "RegionBox",
                 "Time", "Output", "Bond",
                 "SolidBlock", "JointHinge", "LoadForce"):
        check(f"class {name}", hasattr(s, name))
    check("many", len(s.classes()) > 60, len(s.classes()))
    check("no leftovers", not [name for name in s.classes() if not name.isidentifier()])
    check("a docstring has keys with units", "\ndensity: Mass per volume" in s.Material.__doc__
          and "[kg/m^3]" in s.Material.__doc__)
    check("and kinds their own", "radius" in s.BodiesLattice.__doc__
          and s.WallPlane.__doc__.startswith("An infinite plane"))
    same("the kind is in it", s.WallPlane()._given, {"shape": "plane"})
    raises("an unknown key", AttributeError, lambda: s.Material(densty=1), "did you mean 'density'?")
    raises("nothing like it", AttributeError, lambda: s.Material(zzzzz=1), "it has")
    material = s.Material(density=2500)
    material.friction = 0.5
    same("as attributes", (material.density, material.friction), (2500, 0.5))
    check("defaults can be seen", s.StepperSoft().scheme == "improved")
    same("words", repr(material), "Material(density=2500, friction=0.5)")


def running():
    warnings.simplefilter("ignore", scree.SceneWarning)
    a, b, c = (scree.Simulation(scene, threads=1) for scene in (YAML, made(), eval_dict()))
    for sim in (a, b, c):
        sim.advance(100)
    same("text, objects and dict are one scene", (b.digest, c.digest), (a.digest, a.digest))
    made().write("made.yaml")
    same("and a file", len(scree.Simulation("made.yaml").grains), len(a.grains))
    same("changes", len(scree.Simulation(made(), set={"bodies.heap.radius": "10 mm"}).grains),
         len(scree.Simulation(YAML, set={"bodies.heap.radius": 0.01}).grains))
    near("a time step", scree.Simulation(made(), set={"time.step": "0.02 ms"}).dt, 2e-5, 1e-20)
    made().check()


def eval_dict():
    import yaml
    return yaml.safe_load(YAML)


def messages():
    wrong = made()
    wrong.materials["glass"].friction = -1
    wrong.bodies["heap"].material = "sand"
    problem = raises("all errors at once", scree.InputError, wrong.check)
    if problem:
        text = str(problem)
        check("with the path in Python", 'materials["glass"].friction: error: ' in text, text)
        check("and what is allowed", "-1" in text, text)
        same("no line numbers", [m.path is not None for m in problem.messages], [True] * len(problem.messages))
    wrong = made()
    wrong.bodies["heap"].material = "sand"
    raises("an unknown material", scree.InputError, wrong.check, 'bodies["heap"].material: error: ')
    raises("of a dict", scree.InputError, lambda: scree.check({"materials": {"m": {"density": -3}}}),
           'scene["materials"]["m"]["density"]')
    raises("of text the line", scree.InputError, lambda: scree.check(YAML.replace("2500", "-5")), "<text>:4:")
    raises("of a change its path", scree.InputError, lambda: scree.check(YAML, set={"materials.glass.density": -5}),
           "density")
    raises("what cannot be written", ValueError, lambda: s.Material(density=float("nan")) and s.plain(float("nan")))
    same("examples", scree.example("drop").startswith("scree: 1") or "scree: 1" in scree.example("drop"), True)
    check("of which there are some", {"drop", "hopper"} <= set(scree.examples()))


for part in (classes, running, messages):
    print(part.__name__)
    part()
finish()
