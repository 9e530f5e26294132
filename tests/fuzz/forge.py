#!/usr/bin/python3
"""Forged results: files of a real run, changed where their structure is and sealed again, so that everything behind the
seal is read.

Each mutant is one index, frame or checkpoint, read by one command. What must hold: exit code 0, 1 or 2, never a signal;
a message when it is not 0, without raw bytes for the terminal and without the HDF5 library's own words; no hang; with 2
nothing is written.
The last line is `N passed, M failed`. A mutant is determined by --seed and its number: --only N repeats one.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import mutate  # noqa: E402
import seal  # noqa: E402

HANG = 60  # s of CPU time; a reader may take 3 for a small file, a page some seconds
TIMEOUT = 500.0  # s by the clock; the machine may be busy
GRAINS = """scree: 1
title: grains with walls, bonds, contacts and observers
domain: {box: [[0, 0, 0], [0.02, 0.02, 0.02]], periodic: [x]}
gravity: [0, 0, -9.81]
materials: {glass: {density: 2500, restitution: 0.8, friction: 0.5}}
contacts: {any: {stiffness: 1000 N/m}}
bodies:
  rain: {from: random, material: glass, radius: [1 mm, 1.5 mm], count: 12, region: {shape: box, box: [[0, 0, 0.002], [0.02, 0.02, 0.016]]}}
walls:
  floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}
  tube: {shape: cylinder, material: glass, from: [0.01, 0.01, 0], to: [0.01, 0.01, 0.02], radius: 10 mm}
time: {end: 0.4 ms, step: 5 us}
output: {every: 0.2 ms, checkpoint: 0.2 ms, contacts: yes}
observers: {energy: {type: ledger, every: 0.1 ms}, grain: {type: probe, id: 1, every: 0.1 ms}}
"""
SOLIDS = """scree: 1
domain: {box: [[-1, -2, -2], [3, 2, 2]]}
materials: {rubber: {restitution: 0.8, friction: 0.3, density: 1200, young: 5 MPa, poisson: 0.3}}
solids: {beam: {material: rubber, mesh: block, box: [[0, -0.1, -0.1], [0.4, 0.1, 0.1]], cells: [4, 2, 1], spin: [0, 0, 1]}}
stepper: elastic
time: {end: 1 ms}
output: {every: 0.5 ms, checkpoint: 0.5 ms}
"""
SCENES = {"grains.yaml": GRAINS, "solids.yaml": SOLIDS}
SMALL = ["--width", "80", "--height", "60", "--rays", "1"]
READ = 4 * [
    ["info", "results.h5"],
    ["export", "results.h5", "--output", "out"],
    ["render", "results.h5", "--output", "out.png"] + SMALL,
] + [["report", "results.h5", "--output", "out.html"]]  # pages have large pictures, which take seconds
CONTINUE = 4 * [
    ["run", "SCENE", "--quiet", "--resume", "results.h5", "--set", "time.end=1.2 ms"],
    ["run", "SCENE", "--quiet", "--from", "results.h5", "--output", "new.h5", "--set", "time.end=10 us"],
]
# which commands read which file; a frame is shown, a checkpoint continued, and an index leads to both
COMMANDS = {"index": READ + CONTINUE, "frame": READ, "checkpoint": CONTINUE}
SIGNATURE = re.compile(rb"TREE|SNOD|HEAP|GCOL|OHDR|OCHK|FRHP|FHDB|FHIB|BTHD|BTIN|BTLF|SMTB|\x89HDF|[a-z_]{3,}\x00")
UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
REASON = re.compile(r"damaged or forged: ([^;\n]*)")


def spot(rng, data, width):
    """A place for `width` bytes: mostly where the structure is, else anywhere."""
    found = [m.start() for m in SIGNATURE.finditer(data, seal.SIZE)]
    a = rng.choice(found) + rng.randrange(96) if found and rng.random() < 0.8 else rng.randrange(seal.SIZE, len(data))
    return min(a, len(data) - width)


def put(data, a, value, width):
    return data[:a] + (value & ((1 << 8 * width) - 1)).to_bytes(width, "little") + data[a + width :]


def wrong_number(rng, data):
    width = rng.choice([1, 2, 4, 8])
    value = rng.choice([0, 1, 2, 3, 8, 127, 255, 4096, 65535, 1 << 20, 1 << 30, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
                        1 << 40,
                        (1 << 63) - 1, (1 << 64) - 1, len(data), len(data) - seal.SIZE, rng.randrange(1 << 64)])
    return put(data, spot(rng, data, width), value, width)


def wrong_address(rng, data):
    """An address in the file where another one, or anything, was: rings, and parts read as what they are not."""
    target = max(0, rng.choice([spot(rng, data, 8), 8 * rng.randrange(len(data) // 8)]) - seal.SIZE)
    a = spot(rng, data, 8)
    near = [b for b in range(a & ~7, min(a + 256, len(data) - 8), 8)
            if 0 < int.from_bytes(data[b : b + 8], "little") < len(data)]
    return put(data, rng.choice(near) if near and rng.random() < 0.8 else a, target, 8)


def wrong_bit(rng, data):
    a = spot(rng, data, 1)
    return put(data, a, data[a] ^ 1 << rng.randrange(8), 1)


def wrong_text(rng, data):
    a = spot(rng, data, 8)
    return data[:a] + rng.choice([b"\x1b]0;x\x07", b"\x1b[2J", b"../../x", b"%s%n%s%n", b"\xc2\x9b2J",
                                  b"\xff\xfe"]) + data[a + 7 :]


WAYS = [wrong_number] * 4 + [wrong_address] * 3 + [wrong_bit] * 2 + [wrong_text] + [None]


def forge(rng, data):
    names = []
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        way = rng.choice(WAYS)
        if way:
            data = way(rng, data)
            names.append(way.__name__)
        else:
            data, more = mutate.mutate_binary(rng, data)
            names += more
        if len(data) <= seal.SIZE + 8:
            break
    return data, names


def read_folder(folder):
    files = {}
    for base, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(base, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


def write_folder(folder, files):
    for name, data in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)


def kind_of(name):
    return "frame" if "/frame-" in name else "checkpoint" if "/checkpoint-" in name else "index"


def make(seed, number, base):
    rng = random.Random("%s %d" % (seed, number))
    scene = rng.choice(list(base))
    old = base[scene]
    kind = rng.choice(["index", "index", "frame", "checkpoint"])
    # the last one, which is the one that is read: by number
    name = max((name for name in old if kind_of(name) == kind and name.endswith(".h5")),
               key=lambda name: (len(name), name))
    new = dict(old)
    new[name], what = forge(rng, old[name])
    command = [scene if word == "SCENE" else word for word in rng.choice(COMMANDS[kind])]
    return seal.seal_results(old, new, "results.h5"), kind, command, what


def run(binary, command, folder):
    environment = dict(os.environ, OMP_NUM_THREADS="1", GOMP_SPINCOUNT="0")
    most = resource.RLIM_INFINITY if command[0] == "run" else HANG  # a run of a state that was forged may be slow
    process = subprocess.Popen([binary] + command, cwd=folder, env=environment, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE,
                               preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (most, most)))
    try:
        out, err = process.communicate(timeout=TIMEOUT)
        return process.returncode, out, err, False
    except subprocess.TimeoutExpired:
        process.terminate()
    try:
        out, err = process.communicate(timeout=TIMEOUT)
        return process.returncode, out, err, command[0] != "run"
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        return process.returncode, out, err, True


def outcome(binary, case, scratch):
    files, _, command, _ = case
    folder = tempfile.mkdtemp(dir=scratch)
    write_folder(folder, files)
    code, out, err, hung = run(binary, command, folder)
    written = sorted(set(read_folder(folder)) - set(files))
    shutil.rmtree(folder, ignore_errors=True)
    out, err = out.decode(errors="surrogateescape"), err.decode(errors="surrogateescape")
    found = []
    if hung:
        found.append("hang")
    elif code not in (0, 1, 2, 143):
        found.append("ended by signal %d" % -code if code < 0 else "exit code %d" % code)
    if code and not err.strip():
        found.append("no message")
    if "HDF5-DIAG" in err or "Sanitizer" in err or "runtime error" in err:
        found.append("a library's own report")
    if UNFIT.search(out) or UNFIT.search(err):
        found.append("raw bytes on the terminal")
    if code == 2 and written:
        found.append("exit code 2, yet wrote " + ", ".join(written[:3]))
    reason = REASON.search(err)
    return code, reason.group(1) if reason else "", found, err


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="number of the first one")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="repeats this one and shows what was said")
    parser.add_argument("--keep", metavar="DIR", help="with --only: leaves its files here")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    codes, reasons, failures = collections.Counter(), collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="scree-forge-") as scratch:
        base = {}
        for scene, text in SCENES.items():
            folder = os.path.join(scratch, "base-" + scene)
            write_folder(folder, {scene: text.encode()})
            subprocess.run([binary, "run", scene, "--quiet", "--output", "results.h5"], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)
            base[scene] = read_folder(folder)
        for command in READ[-4:] + CONTINUE[-2:]:  # unbroken results, which every command must read
            case = base["grains.yaml"], "unbroken", ["grains.yaml" if word == "SCENE" else word for word in command], []
            if outcome(binary, case, scratch)[0]:
                raise SystemExit("scree %s fails on unbroken results" % " ".join(case[2]))
        if options.only is not None:
            case = make(options.seed, options.only, base)
            if options.keep:
                write_folder(options.keep, case[0])
            print("%s, by %s: scree %s" % (case[1], ", ".join(case[3]), " ".join(case[2])))
            print(*outcome(binary, case, scratch), sep="\n")
            return 0

        def one(number):
            case = make(options.seed, number, base)
            return number, case, outcome(binary, case, scratch)

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for number, case, (code, reason, found, err) in pool.map(one,
                                                                     range(options.first,
                                                                           options.first + options.mutants)):
                codes["%s, exit code %d" % (case[1], code)] += 1
                if reason:
                    reasons[reason] += 1
                if found:
                    failures.append(number)
                    print("mutant %d (%s, by %s), scree %s: %s\n  %s"
                          % (number, case[1], ", ".join(case[3]), " ".join(case[2]),
                                                                         "; ".join(found), err.strip()[-300:]))
                    sys.stdout.flush()
    for counter in codes, reasons:
        for key in sorted(counter):
            print("%7d  %s" % (counter[key], key))
    print("%d passed, %d failed" % (options.mutants - len(failures), len(failures)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
