"""The kinds of cases that tools/fuzz runs: broken files, and the command that gets them.

A case is determined by a seed and its number, and, where results are broken, by the bytes the program wrote.
"""

import collections
import os
import random
import re

import mutate
import scenes
import seal
import yaml_tree

FOLDER = os.path.dirname(os.path.abspath(__file__))

# files: name -> bytes; command: arguments; many: it may rightly take long, or much memory; what: how it was broken;
# requests: bytes to send to the viewer
Case = collections.namedtuple("Case", "kind files command many what requests")

# At most 200 steps, whatever the rest of the scene says: for the scenes of tests/data.
SHORT = ["--set", "time.end=1e-3", "--set", "time.step=5e-6"]

# Commands, each a list of arguments; SCENE is the scene's name. Everything runs inside the case's folder.
CHECK = ["check", "SCENE"]
RUN = ["run", "SCENE", "--quiet", "--output", "new.h5"]
ADVISE = ["advise", "SCENE"]
REST = ["equilibrate", "SCENE", "--quiet", "--output", "new.h5"]
READERS = [
    ["info", "results.h5"],
    ["info", "results.h5"],
    ["export", "results.h5", "--to", "csv", "--output", "exported"],
    ["export", "results.h5", "--to", "vtp", "--output", "exported"],
    ["export", "results.h5", "--to", "dump", "--output", "exported"],
    ["export", "results.h5", "--to", "xyz", "--output", "exported"],
    ["export", "results.h5", "--contacts", "--to", "csv", "--output", "exported"],
    ["export", "results.h5", "--series", "energy", "--output", "exported"],
    ["render", "results.h5", "--output", "picture.png", "--width", "160", "--height", "100", "--rays", "1"],
    ["render", "results.h5", "--output", "picture.png", "--all", "--width", "80", "--height", "60", "--rays", "1",
     "--colour", "displacement"],
    ["render", "results.h5", "--output", "picture.png", "--width", "80", "--height", "60", "--rays", "1", "--forces"],
    ["render", "results.h5", "--output", "picture.png", "--width", "80", "--height", "60", "--rays", "1", "--bonds"],
    ["report", "results.h5", "--output", "page.html"],
    ["compare", "results.h5", "other.h5", "--table"],
    ["compare", "other.h5", "results.h5", "--output", "compared"],
    ["export", "results.h5", "--output", "exported"],
]
RESUME = ["run", "SCENE", "--quiet", "--resume", "results.h5", "--set", "time.end=1.5e-3"]
FROM = ["run", "SCENE", "--quiet", "--from", "results.h5", "--output", "new.h5"]
VIEW = ["view", "results.h5", "--no-open"]
REPRODUCE = ["reproduce", "mini", "--cases", ".", "--results", "kept", "--plot", "plots", "--report", "page.html",
             "--markdown", "table.md",
             "--jobs", "1", "--quiet"]
SWEEP = ["sweep", "SCENE", "--jobs", "1", "--quiet", "--output", "table.csv"]

# scenes whose results are broken: grains, walls, frozen groups, inlets, solids, bonds, parts and joints, aggregates,
# all steppers
RESULTS = ["grains.yaml", "hopper.yaml", "table.yaml", "meshes.yaml", "bar.yaml", "init-disc.yaml", "init-pour.yaml",
           "deklerk2022-ramp2000.yaml",
           "digger-digger.yaml", "servin2015-conveyor.yaml", "block-on-grains-block.yaml"]


def command_for(template, scene):
    return [scene if word == "SCENE" else word for word in template]


class Source:
    """What cases start from: scenes, cases, and results, which are made when first asked for. `run` runs the program in
    a folder of files and returns the files afterwards."""

    def __init__(self, binary, run):
        self.scenes = {scene.name: scene for scene in scenes.load(binary)}
        self.trees = [scene.tree for scene in self.scenes.values()]
        self.mini = {"mini/" + name: scenes.read(os.path.join(FOLDER, "mini", name))
                     for name in sorted(os.listdir(FOLDER + "/mini"))}
        self.mini["mini/drop.yaml"] = self.scenes["drop.yaml"].files["drop.yaml"]
        self.mini_tree = yaml_tree.parse(self.mini["mini/case.yaml"])
        paths = sorted(os.path.join(base, name) for base, _, names in os.walk(scenes.ROOT + "/cases") for name in names)
        self.case_trees = [yaml_tree.parse(scenes.read(path)) for path in paths if path.endswith("/case.yaml")]
        self.numbers = numbers(data for scene in self.scenes.values() for data in scene.files.values())
        self.run = run
        self.results = {}

    def result(self, scene):
        """The files of a scene, with its results and others like them."""
        if scene not in self.results:
            files = self.scenes[scene].files
            for output in ("results.h5", "other.h5"):
                files = self.run(["run", scene, "--quiet", "--output", output, "--set", "output.contacts=yes"], files)
            self.results[scene] = files
        return self.results[scene]


# ---- scenes ----


def break_scene(rng, source, scene):
    """The scene's files with a broken scene among them: mostly wrong in what it says, sometimes no YAML at all."""
    files = dict(scene.files)
    if rng.random() < 0.75:
        tree, what = yaml_tree.change(rng, scene.tree, source.trees)
        files[scene.name] = yaml_tree.text(tree)
    else:
        files[scene.name], what = mutate.mutate_text(rng, files[scene.name], mutate.SCENE)
    return files, what


def make_scene(rng, source, template):
    """A broken scene; checked, advised on, run or brought to rest."""
    scene = source.scenes[rng.choice(list(source.scenes))]
    files, what = break_scene(rng, source, scene)
    command = command_for(template, scene.name)
    if template is RUN and rng.random() < 0.3:
        command += SHORT
    if template is REST:
        command += rng.choice([[], ["--steps", "2"], ["--method", "newton"], ["--method", "relaxation"],
                               ["--stability"]])
    return files, command, what


def some_setting(rng, source, scene):
    """PATH=VALUE: a place of the scene, or of another, and a value that fits or does not."""
    tree = scene.tree if rng.random() < 0.8 else rng.choice(source.trees)
    _, _, path = rng.choice(list(yaml_tree.places(tree)))
    parent, key, _ = rng.choice(list(yaml_tree.places(rng.choice(source.trees))))
    value = rng.choice([yaml_tree.flow(parent[key]).encode("utf-8", "surrogateescape"), rng.choice(mutate.EXTREMES),
                        rng.choice(mutate.EXTREMES) + b" " + rng.choice(mutate.UNITS)])
    text, what = ".".join(path).encode("utf-8", "surrogateescape") + b"=" + value, ["setting"]
    if rng.random() < 0.3:
        text, more = mutate.mutate_text(rng, text, mutate.SCENE)
        what += more
    # the kernel takes no zero bytes and no arguments beyond 128 KiB
    return os.fsdecode(text.replace(b"\x00", b"")[:100000]), what


def make_setting(rng, source):
    """A good scene and broken settings."""
    scene = source.scenes[rng.choice(list(source.scenes))]
    command, what = command_for(rng.choice([CHECK, CHECK, RUN, ADVISE]), scene.name), []
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text, more = some_setting(rng, source, scene)
        command += ["--set", text]
        what += more
    return dict(scene.files), command, what


VALUES = ["1:5:1", "1:100:*10", "0.1:1:0.3 ms", "1,2,3", "a,b", "1", "5:1:-1", "1:5:0", "1:5:-1", "0:1:*2", "1:nan:1",
          "inf:1:1", "1:1e9:1",
          "::", ":", ",", ",,", "1:2", "1:2:3:4", "1:5:*1", "1:5:*0", "1:5:*-2", "1e-3:2e-3:0.5e-3", "[1, 2],[3, 4]",
          "{a: 1},{b: 2}", ""]
MEASURES = ["energy.gravity:last", "top=max(energy.gravity)", "n=rows(grains.radius(0))", "x=", "=x", "a=1,b=2",
            "probe.z:last", "energy:last",
            "v=mean(grains.velocity.z(1e-3))", "v=at(energy.time, nan)", "x=range(0, 1e9, 1e9)", "energy.time:first",
            ":", "e=energy.none:max"]


def make_sweep(rng, source):
    scene = source.scenes[rng.choice(["drop.yaml", "grains.yaml", "lattice.yaml", "analytic-plane.yaml", "table.yaml"])]
    command, what = command_for(SWEEP, scene.name), ["sweep"]
    for _ in range(rng.choice([1, 1, 2, 3, 9])):
        path = ".".join(rng.choice(list(yaml_tree.places(scene.tree)))[2])
        command += ["--over", path + "=" + rng.choice(VALUES + [value.decode() for value in mutate.EXTREMES])]
    for _ in range(rng.choice([0, 1, 2])):
        command += ["--measure", rng.choice(MEASURES)]
    if rng.random() < 0.3:
        k = rng.randrange(command.index("--over"), len(command))
        text, more = mutate.mutate_text(rng, os.fsencode(command[k]), mutate.SCENE)
        command[k] = os.fsdecode(text.replace(b"\x00", b"")[:100000])
        what += more
    return dict(scene.files), command, what


def make_case_file(rng, source):
    """A broken case.yaml, or what belongs to it."""
    files = dict(source.mini)
    kind = rng.random()
    if kind < 0.6:
        tree, what = yaml_tree.change(rng, source.mini_tree, source.case_trees)
        files["mini/case.yaml"] = yaml_tree.text(tree)
    elif kind < 0.8:
        files["mini/case.yaml"], what = mutate.mutate_text(rng, files["mini/case.yaml"], mutate.SCENE)
    elif kind < 0.9:
        files["mini/printed.csv"], what = mutate.mutate_text(rng, files["mini/printed.csv"], mutate.TABLE)
    else:
        tree, what = yaml_tree.change(rng, source.scenes["drop.yaml"].tree, source.trees)
        files["mini/drop.yaml"] = yaml_tree.text(tree)
    return files, list(REPRODUCE), what


# ---- files that scenes read ----


def make_file(rng, source, pattern):
    """A broken table or mesh under a good scene."""
    choices = [(scene, name) for scene in source.scenes.values() for name in sorted(scene.files)
               if re.search(pattern, name)]
    scene, name = rng.choice(choices)
    files = dict(scene.files)
    if name.endswith("binary.stl"):
        files[name], what = mutate.mutate_binary(rng, files[name])
    else:
        files[name], what = mutate.mutate_text(rng, files[name], mutate.TABLE)
    return files, command_for(rng.choice([CHECK, RUN]), scene.name), what


# ---- results ----


def break_results(rng, good, scene_names):
    files, what = dict(good), []
    mine = [name for name in good if name not in scene_names and not name.startswith("other.h5")]
    for _ in range(rng.choice([1, 1, 1, 2])):
        # the file the user names is hit as often as all those behind it
        name = "results.h5" if rng.random() < 0.5 and "results.h5" in files else rng.choice(mine)
        if name not in files:
            continue
        kind = rng.random()
        if kind < 0.04:
            del files[name]
            what.append("delete " + name)
        elif kind < 0.08:
            other = rng.choice([other for other in mine if other in files])
            files[name] = files[other]
            what.append("%s becomes %s" % (name, other))
        else:
            files[name], ways = mutate.mutate_binary(rng, files[name])
            what += [way + " " + name for way in ways]
    return files, what


def make_results(rng, source, templates, sealed):
    """Broken results, sealed again or not: read, resumed, or started from."""
    scene = rng.choice(RESULTS)
    good = source.result(scene)
    files, what = break_results(rng, good, source.scenes[scene].files)
    if sealed and "results.h5" in files:
        files = seal.seal_results(good, files, "results.h5")
        what.append("sealed")
    return files, command_for(rng.choice(templates), scene), what


def make_other_scene(rng, source):
    """Good results continued under a broken or a different scene."""
    origin = rng.choice(RESULTS)
    scene = source.scenes[rng.choice([origin, rng.choice(list(source.scenes))])]
    files, what = dict(source.result(origin)), ["scene " + scene.name + " on results of " + origin]
    files.update(scene.files)
    if rng.random() < 0.8:
        broken, ways = break_scene(rng, source, scene)
        files.update(broken)
        what += ways
    return files, command_for(rng.choice([RESUME, FROM, ["advise", "SCENE", "--from", "results.h5"],
                                          REST + ["--from", "results.h5"]]), scene.name), what


PATHS = ["/", "/app.js", "/api/run", "/api/scene", "/api/series/0", "/api/series/1", "/api/frame/0", "/api/frame/1",
         "/api/frame/0/walls",
         "/api/frame/0/contacts", "/api/frame/0/bonds", "/api/frame/0/cells", "/api/frame/0/cells?warp=10&inside=1",
         "/api/frame/0/grain/1",
         "/api/frame/0/cell/1", "/api/frame/0/values?by=speed", "/api/frame/0/values?by=velocity.z",
         "/api/frame/1/values?by=displacement",
         "/api/frame/1/values?by=stress.xx", "/api/frame/0/grain/1?by=speed"]


def request_line(rng):
    """One request: a good one, or broken in a number, a word or its bytes."""
    path = rng.choice(PATHS).encode()
    kind = rng.random()
    if kind < 0.2:
        path = mutate.extreme_number(rng, path)
    elif kind < 0.3:
        path, _ = mutate.mutate_text(rng, path, mutate.COMMON)
    data = b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    if rng.random() < 0.1:
        data, _ = mutate.mutate_text(rng, data, mutate.COMMON)
    return data[:20000]


def make_view(rng, source):
    """Results in the viewer, mostly broken ones, and a few requests."""
    files, command, what = make_results(rng, source, [VIEW], rng.random() < 0.8)
    return files, command, what, [request_line(rng) for _ in range(rng.choice([3, 6, 12]))]


KINDS = {
    "scene check": lambda rng, source: make_scene(rng, source, CHECK),
    "scene run": lambda rng, source: make_scene(rng, source, RUN),
    "scene advise": lambda rng, source: make_scene(rng, source, ADVISE),
    "equilibrate": lambda rng, source: make_scene(rng, source, REST),
    "setting": make_setting,
    "sweep": make_sweep,
    "case": make_case_file,
    "csv table": lambda rng, source: make_file(rng, source, r"\.csv$"),
    "lammps data": lambda rng, source: make_file(rng, source, r"\.data$"),
    "mesh": lambda rng, source: make_file(rng, source, r"\.(stl|obj)$"),
    "gmsh": lambda rng, source: make_file(rng, source, r"\.msh$"),
    "results read": lambda rng, source: make_results(rng, source, READERS, False),
    "results resume": lambda rng, source: make_results(rng, source, [RESUME, FROM], False),
    "sealed read": lambda rng, source: make_results(rng, source, READERS, True),
    "sealed resume": lambda rng, source: make_results(rng, source, [RESUME, FROM], True),
    "other scene": make_other_scene,
    "view": make_view,
}
ORDER = ["scene check", "sealed read", "scene run", "csv table", "scene check", "case", "sealed resume", "setting",
         "mesh", "scene run",
         "view", "scene advise", "sweep", "scene check", "sealed read", "equilibrate", "gmsh", "results read",
         "scene run", "lammps data",
         "other scene", "scene check", "results resume", "setting"]


def numbers(texts):
    found = set()
    for data in texts:
        for match in mutate.NUMBER.finditer(data):
            try:
                found.add(abs(float(match.group())))
            except ValueError:
                pass
    return found


# changes that leave a scene as large as it was
TAME = {"delete", "refer", "retype", "expression", "setting", "flip_bytes", "change_indent", "insert_yaml",
        "insert_junk", "rename_key",
        "swap_type", "rename", "truncate", "alias_bomb", "nest_deeply", "change_columns"}


def may_be_large(source, files, command, what):
    """Whether numbers beyond those of the seeds, or parts of other scenes, may mean very many grains or steps."""
    texts = [data for name, data in files.items() if name.endswith((".yaml", ".csv", ".data", ".obj", ".msh"))]
    new = numbers(texts + [os.fsencode(word) for word in command if "=" in word]) - source.numbers
    return any(n >= 1e5 or 0 < n < 1e-6 for n in new) or any(way.split()[0] not in TAME for way in what)


def make(seed, number, source):
    kind = ORDER[number % len(ORDER)]
    rng = random.Random("%s:%s" % (seed, number))
    files, command, what, *requests = KINDS[kind](rng, source)
    return Case(kind, files, command, may_be_large(source, files, command, what), what, requests[0] if requests else [])
