"""Scenes to start from: those of tests/data and cases/, and the examples of `scree init`, each made so small by a few
settings that a run of it takes less than a second.

load() returns a list of Scene: name, files (the scene's and those it reads, name -> bytes) and tree, the scene as
yaml_tree reads it. """

import collections
import glob
import os
import re
import subprocess
import tempfile

import yaml_tree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

Scene = collections.namedtuple("Scene", "name files tree")

# A new scene of cases/ needs its line here: the end of the run in seconds, about twenty steps, and what makes it small.
SMALL = {
    "analytic/cluster": "time.end=2e-5",
    "analytic/group": "time.end=2e-5",
    "analytic/hertz": "time.end=1e-6",
    "analytic/packing": "time.end=1e-5 values.N=60",
    "analytic/plane": "time.end=1e-4",
    "analytic/silo": "time.end=1e-4 values.grains=60",
    "block-on-grains/block": "time.end=3e-4",
    "brazilian/disc": "time.end=1.5e-6 values.size=6e-3",
    "chung-ooi2011/pair": "time.end=1e-6",
    "chung-ooi2011/wall": "time.end=1e-5",
    "deklerk2022/box": "time.end=2e-3",
    "deklerk2022/hit": "time.end=1e-3",
    "deklerk2022/impact": "time.end=1e-3",
    "deklerk2022/incline": "time.end=0.25",
    "deklerk2022/pair": "time.end=5e-3",
    "deklerk2022/ramp": "time.end=2e-3",
    "deklerk2022/ramp2000": "time.end=2e-3 bodies.grains.count=50",
    "deklerk2022/walls": "time.end=5e-4",
    "demo/conveyor": "time.end=0.1",
    "demo/hopper": "time.end=1e-3 bodies.beads.count=50",
    "demo/jammed": "time.end=1e-4 values.W=5e-2 values.H=3e-2 statics.steps=2",
    "demo/pane": "time.end=1e-6 values.size=2e-2",
    "digger/digger": "time.end=0.05 values.d=0.1 values.grains=50",
    "heap/table": "time.end=0.02 values.half=4 values.wide=3 values.high=3",
    "kharaz2001/oblique": "time.end=5e-7",
    "monasse2012/bar": "time.end=0.4",
    "monasse2012/body": "time.end=2",
    "monasse2012/cantilever": "time.end=2e-3 statics.steps=2",
    "monasse2012/cylinder": "time.end=1e-4 statics.steps=2",
    "monasse2012/hemisphere": "time.end=1e-4 statics.steps=2",
    "monasse2012/lamb": "time.end=2e-2 values.h=20 values.left=1e2 values.right=4e2 values.depth=4e2",
    "monasse2012/lamb-random": "time.end=2e-2 values.h=20 values.left=1e2 values.right=4e2 values.depth=4e2",
    "monasse2012/moduli": "time.end=0.5 values.cells=27 statics.steps=1",
    "monasse2012/patch": "time.end=1",
    "monasse2012/ring": "time.end=0.2",
    "monasse2012/twist": "time.end=1",
    "plate-impact/plate": "time.end=1e-6 values.size=2e-2",
    "triaxial/sample": "time.end=3e-5 values.L=4e-3 values.T0=1.5e-5 values.T=1.5e-5",
    "rest/beam": "time.end=1e-3 statics.steps=2",
    "rest/box": "time.end=1e-2 values.N=60 values.loose=0.45 statics.steps=2",
    "rest/push": "time.end=1e-3 statics.steps=2",
    "servin2015/asleep": "time.end=0.02 bodies.grains.count=50",
    "servin2015/collapse": "time.end=0.02 values.grains=50 bodies.grains.region.shape=box "
                           "bodies.grains.region.box=[[0,0,0],[0.1,0.1,0.1]]",
    "servin2015/conveyor": "time.end=0.05",
    "servin2015/discharge": "time.end=0.05",
    "servin2015/drum": "time.end=0.02 values.grains=50",
    "servin2015/settle": "time.end=0.02 values.grains=50",
    "settle/box": "time.end=2e-3 values.n=40 values.w=4",
    "vyas2025/bed": "time.end=2e-6 values.width=8 values.height=4 values.fines=5 values.phi=0.5",
    "vyas2025/impact": "time.end=2e-7",
    "vyas2025/percolation": "time.end=2e-5 values.larges=30 values.fines=5",
    "vyas2025/stir": "time.end=2e-5 values.width=6 values.height=6 values.phi=0.5",
    "vyas2025/valley": "time.end=2e-6",
    "vyas2025/valleys": "time.end=2e-6",
    "init/drop": "time.end=1e-3",
    "init/hopper": "time.end=1e-3 bodies.grains.count=50",
    "init/column": "time.end=1e-3 bodies.column.count=50",
    "init/chute": "time.end=1e-3",
    "init/collision": "time.end=1e-4",
    "init/disc": "time.end=1e-5",
    "init/pour": "time.end=1e-3 bodies.bed.diameter=1.5e-2",
    "init/beam": "time.end=1e-4",
    "init/wave": "time.end=1e-2",
    "init/drum": "time.end=1e-3 bodies.bed.fraction=0.03",
    "init/silo": "time.end=1e-3 bodies.seeds.count=50",
    "init/triaxial": "time.end=1e-5 bodies.sample.diameter=1.2e-2",
    "init/vibration": "time.end=1e-3 bodies.grains.count=50",
    "init/agglomerate": "time.end=1e-5 bodies.ball.diameter=5e-3",
    "init/mixer": "time.end=1e-3 bodies.left.count=30 bodies.right.count=30",
}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def small(name, tree):
    """The tree with its settings, and two frames and checkpoints."""
    settings = dict(word.split("=") for word in SMALL[name].split())
    half = repr(float(settings["time.end"]) / 2)
    settings["output.every"] = settings["output.checkpoint"] = half
    for path, value in settings.items():
        yaml_tree.put(tree, path.split("."), yaml_tree.parse(value))
    return tree


def companions(path, text):
    """The files beside a scene that it names."""
    names = set(re.findall(r"file: *([\w.-]+)", text))
    return {name: read(os.path.join(os.path.dirname(path), name)) for name in sorted(names)}


def example(binary, name):
    """What `scree init NAME` writes: the scene, and the files beside it."""
    with tempfile.TemporaryDirectory(prefix="scree-fuzz-") as folder:
        subprocess.run([binary, "init", name], cwd=folder, capture_output=True, check=True)
        path = os.path.join(folder, name + ".yaml")
        return read(path), companions(path, read(path).decode())


def load(binary):
    """All scenes, always in the same order."""
    found = []
    for path in sorted(glob.glob(ROOT + "/tests/data/*.yaml")):
        text = read(path)
        name = os.path.basename(path)
        found.append(Scene(name, {name: text, **companions(path, text.decode())}, yaml_tree.parse(text)))
    for path in sorted(glob.glob(ROOT + "/cases/*/*.yaml")):
        if not path.endswith("/case.yaml"):
            name = os.path.relpath(path, ROOT + "/cases")[:-5]
            tree = small(name, yaml_tree.parse(read(path)))
            text, file = yaml_tree.text(tree), name.replace("/", "-") + ".yaml"
            found.append(Scene(file, {file: text, **companions(path, text.decode())}, tree))
    for name in sorted(name for name in SMALL if name.startswith("init/")):
        (text, beside), file = example(binary, name[5:]), name.replace("/", "-") + ".yaml"
        tree = small(name, yaml_tree.parse(text))
        found.append(Scene(file, {file: yaml_tree.text(tree), **beside}, tree))
    return found
