"""The scripts of docs/python/: each runs as a user would run it, and its words and numbers are right; Python of
README.md and docs/python.md, too."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from check import check, finish, near, same

source = pathlib.Path(os.environ["SCREE_SOURCE"])


def run(name):
    """What a script says, line by line."""
    said = subprocess.run([sys.executable, source / "docs" / "python" / f"{name}.py"], capture_output=True, text=True)
    same(f"{name}.py ends well", (said.returncode, said.stderr), (0, ""))
    print(said.stdout, end="")
    return said.stdout


def numbers(pattern, text):
    return [tuple(map(float, found)) if isinstance(found, tuple) else float(found)
            for found in re.findall(pattern, text)]


def first_steps():
    said = run("first_steps")
    check("a picture and a plot", os.path.getsize("beads.png") > 5000 and os.path.getsize("beads-energies.png") > 5000)
    same("four states", len(numbers(r"t = ([\d.]+) s: ", said)), 4)
    check("results", "<scree run beads.h5: 16 frames, to 0.3 s" in said)
    weight, carried = numbers(r"weigh ([\d.]+) N; the box carries ([\d.]+) N", said)[0]
    near("at rest, nearly", carried, weight, 0.5 * weight)


def triaxial():
    said = run("triaxial")
    angle, strain = numbers(r"friction ([\d.]+) degrees at a strain of ([\d.]+) %", said)[0]
    # dense spheres of friction 0.5: 30 to 40 degrees at the peak, within a few percent of strain (Thornton 2000; Suiker
    # & Fleck 2004)
    check("a peak as dense spheres have it", 25 < angle < 45 and 0.5 < strain < 6, (angle, strain))
    pressures = re.search(r"isotropic at \[([^\]]+)\]", said)
    near("the pressure is held from all sides", [float(one) for one in pressures.group(1).split()], 20, 0.4)


def settling():
    said = run("settling")
    found = numbers(r"phi = ([\d.]+): [\d.]+ mm/s, Richardson & Zaki [\d.]+ mm/s \(([-+\d.]+) %\)", said)
    same("four clouds", len(found), 4)
    for fraction, off in found:
        near(f"settling at {fraction}", off, 0, 5)  # percent, as Richardson & Zaki's data scatter; 1.9 at most
    near("exponent", numbers(r"fitted exponent ([\d.]+)", said), 4.40, 0.15)  # 4.43
    # 6.896; its own drag law, solved for the speed, which it nears
    near("one bead", numbers(r"one bead: ([\d.]+) mm/s", said), 6.92, 0.05)


def calibration():
    said = run("calibration")
    sweep = numbers(r"friction ([\d.]+): angle ([\d.]+) degrees", said)
    check("the angle grows with friction", len(sweep) == 3 and sweep[0][1] < sweep[1][1] < sweep[2][1], sweep)
    angle = numbers(r"; angle = ([\d.]+)", said)
    near("the angle is met", angle, 18, 1)
    tried = numbers(r"  friction ([\d.]+): ([\d.]+) degrees", said)
    check("by some runs", 4 <= len(tried) <= 9, tried)


def batch():
    said = run("batch")
    worst, mean = numbers(r"off by ([\d.]+) at most, ([-+\d.]+) in the mean", said)[0]
    check("restitution", worst < 0.01 and abs(mean) < 0.005, (worst, mean))


def pages():
    """Blocks of Python in README.md and docs/python.md, in their order, as one program each."""
    for page, least in (("README.md", 1), ("docs/python.md", 6)):
        text = (source / page).read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.M | re.S)
        check(f"{page} has blocks", len(blocks) >= least, len(blocks))
        said = subprocess.run([sys.executable, "-c", "\n".join(blocks)], capture_output=True, text=True)
        same(f"Python of {page} runs", (said.returncode, said.stderr), (0, ""))
        os.remove("drop.h5")


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for part in [globals()[name] for name in sys.argv[1:]] or (first_steps, triaxial, settling, calibration, batch,
                                                               pages):
        print(part.__name__)
        part()
    os.chdir("/")
finish()
