"""Results from Python: frames, contacts and series against h5py, lazily and while a run goes on; pictures, plots,
tables, the viewer."""
import os
import subprocess
import time
import urllib.request

import numpy
import scree
from check import check, finish, near, raises, same

SCENE = """
scree: 1
title: a small heap
domain: {box: [[0, 0, 0], [0.1, 0.1, 0.2]]}
materials: {m: {density: 2500, restitution: 0.5, friction: 0.4}}
contacts: {any: {stiffness: 1e4}}
walls: {box: {shape: box, box: [[0, 0, 0], [0.1, 0.1, 0.2]], material: m}}
bodies: {heap: {from: lattice, material: m, radius: 0.008, region: {shape: box, box: [[0, 0, 0], [0.1, 0.1, 0.1]]}}}
observers: {layers: {type: profile, axis: z, bins: 5}, energy: {type: ledger, every: 0.005}}
time: {end: 0.1}
output: {every: 0.01, contacts: true, fields: [position, velocity, radius, force]}
"""


def reading():
    import h5py
    run = scree.run(SCENE, "heap.h5", threads=1)
    same("frames", len(run.frames), 11)
    near("times", run.frames.times, numpy.linspace(0, 0.1, 11), 1e-5)
    file = h5py.File("heap.h5")
    for k in (0, 5, -1):
        frame, group = run.frames[k], file[f"frames/{k % 11:06d}"]
        for name in ("id", "position", "velocity", "radius", "force"):
            check(f"{name} of frame {k}", numpy.array_equal(frame[name], group[name][:]))
        for name in group["contacts"]:
            check(f"contacts.{name} of frame {k}", numpy.array_equal(frame[f"contacts.{name}"],
                                                                     group[f"contacts/{name}"][:]))
        same("number of contacts", len(frame.contacts), group.attrs["contacts"])
    table = run.frames[-1].contacts
    check("contacts as a structured array", table["normal"].shape == (len(table), 3)
          and table["first"].dtype == numpy.int64)
    same("ids are whole numbers", run.frames[-1]["id"].dtype, numpy.int64)
    same("unit", run.frames[-1].unit("velocity"), "m/s")
    same("unit of contacts", run.frames[-1].unit("contacts.normal_force"), "N")
    check("a frame at a time", run.frames.at(0.0301).number == 3 and run.frames.at(1).number == 10
          and run.frames.at(-1).number == 0)
    same("several frames", [f.number for f in run.frames[2:8:3]], [2, 5])
    raises("no such frame", IndexError, lambda: run.frames[11], "there are 11")
    raises("no such field", KeyError, lambda: run.frames[0]["colour"], "there are force, id")

    same("series", sorted(run.series), ["energy", "layers"])
    energy = run.series["energy"]
    for name in energy:
        check(f"column {name}", numpy.array_equal(energy[name], file[f"series/energy/{name}"][:], equal_nan=True))
    near("as attributes", energy.time, energy["time"], 0)
    same("unit of a column", energy.units["gravity"], "J")
    layers = run.series["layers"]
    column = next(name for name in layers if layers[name].ndim == 2)
    same("bins", (layers[column].shape, len(layers.bins)), ((layers.rows, 5), 5))
    raises("no such series", KeyError, lambda: run.series["x"], "there are")
    check("the scene", "title: a small heap" in run.scene)
    same("title", run.title, "a small heap")
    same("names", (run.walls, run.groups, run.materials), (["box"], ["heap"], ["m"]))
    check("info", "a small heap" in run.info())
    check("words", repr(run).startswith("<scree run heap.h5: 11 frames, to 0.1 s"), repr(run))
    check("what the run said", "grains" in run.said)
    same("not live", run.live, False)
    raises("no results", scree.Error, lambda: scree.open("nothing.h5"))


def showing():
    run = scree.open("heap.h5")
    png = run.picture(width=160, height=100)
    same("a picture", png[:8], b"\x89PNG\r\n\x1a\n")
    run.picture(path="one.png", frame=3, width=160, height=100, colour="velocity.z")
    check("a picture of a file", os.path.getsize("one.png") > 500)
    raises("an unknown option", TypeError, lambda: run.picture(colours="speed"), "is not an option of images")
    axes = run.plot("kinetic")
    line = axes.get_lines()[0]
    energy = run.series["energy"]
    near("a plot has the numbers", line.get_ydata(), energy["translation"] + energy["rotation"], 0)
    same("and labels", (axes.get_xlabel(), axes.get_ylabel()), ("time [s]", "kinetic [J]"))
    axes.figure.clf()
    check("a plot of all energies", len(run.plot().get_lines()) > 3)
    raises("nothing to plot", scree.InputError, lambda: run.plot("colour"), "there is no series or column 'colour'")
    try:
        import pandas
        table = run.to_pandas("layers")
        check("a table", isinstance(table, pandas.DataFrame) and table.index.name == "time"
              and len(table) == run.series["layers"].rows)
        near("its numbers", run.to_pandas("energy")["gravity"].to_numpy(), energy["gravity"], 0)
    except ImportError:
        print("not checked: to_pandas, there is no pandas")
    run.report("heap.html")
    check("a report", b"a small heap" in open("heap.html", "rb").read())

    html = run._repr_html_()
    check("in a notebook", "data:image/png;base64," in html and "<iframe" in html)
    with urllib.request.urlopen(run.view(), timeout=60) as page:
        check("the viewer serves", b"<html" in page.read().lower())
    process = run._viewer[0]
    run.unview()
    check("and ends", process.poll() is not None)


def living():
    """A run goes on while it is read."""
    with open("live.yaml", "w") as out:
        out.write(SCENE.replace("end: 0.1", "end: 100").replace("every: 0.01", "every: 0.001"))
    process = subprocess.Popen([os.environ["SCREE_PROGRAM"], "run", "live.yaml", "--quiet", "--threads", "1"],
                               stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 120
        while not os.path.exists("live.h5") and time.monotonic() < deadline:
            time.sleep(0.05)
        run = scree.open("live.h5")
        first, start = len(run.frames), run.frames[0]["position"]
        while len(run.frames) < first + 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        check("frames come", len(run.frames) >= first + 3)
        check("it is live", run.live)
        moved = numpy.abs(run.frames[-1]["position"] - start).max()
        check("and differ", moved > 0)
        check("the first can still be read", numpy.array_equal(run.frames[0]["position"], start))
        rows = run.series["energy"].rows
        while run.series["energy"].rows == rows and time.monotonic() < deadline:
            time.sleep(0.1)
        check("series grow", len(run.series["energy"].time) > rows)
    finally:
        process.terminate()
        process.wait()
    same("not live any more", run.live, False)
    # going on from there, in this process
    more = scree.run("live.yaml", resume="live.h5", set={"time.end": run.frames[-1].time + 0.002}, threads=1)
    check("resumed", more.frames[-1].time > run.frames[-1].time - 1e-9)


for part in (reading, showing, living):
    print(part.__name__)
    part()
finish()
