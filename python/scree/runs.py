"""Whole runs, many runs: `run` writes results as `scree run` does, `sweep` is `scree sweep`, `batch` calls a function
for many cases."""
import concurrent.futures
import csv
import os
import pathlib
import tempfile

from ._library import LOCK, Report, encoded, ffi, lib, settings, text_of
from .results import Run
from .scene import Part, Source


def run(scene, output=None, set=None, *, threads=None, resume=None, start=None, force=True, statics=False, quiet=True):
    """Runs a scene to its end, with frames, series and checkpoints, and returns the results (scree.open). Ctrl-C writes
    a checkpoint and raises KeyboardInterrupt: resume=PATH continues from there."""
    source = Source(scene, set)
    if output is None and resume is None and source.place is not None:
        raise TypeError("a scene that is not a file needs output='NAME.h5'")
    definition = ffi.new("scree_run_def *", lib.scree_run_def_default())
    result, report = ffi.new("scree_run_result *"), Report(source.place)
    kept = [ffi.new("char[]", encoded(path)) if path else ffi.NULL for path in (output, resume, start)]
    definition.output, definition.force = kept[0], force
    setattr(definition.simulation, "resume", kept[1])
    setattr(definition.simulation, "from", kept[2])
    simulation = definition.simulation
    simulation.threads, simulation.quiet, simulation.statics = threads or 0, quiet, statics
    with LOCK:
        status = lib.scree_run(source.c, definition, result, report.c)
    report.check(status)
    return Run(ffi.string(result.output).decode())


def scene_file(scene, folder):
    """A scene as a file: itself, or one written to `folder`."""
    if isinstance(scene, (dict, Part)):
        from .scene import as_source
        text = as_source(scene)[0]
    elif isinstance(scene, os.PathLike) or "\n" not in str(scene):
        return os.fspath(scene)
    else:
        text = str(scene)
    path = pathlib.Path(folder) / "scene.yaml"
    path.write_text(text)
    return str(path)


def _texts(values):
    """char *[] with the texts; the second result keeps them alive."""
    kept = [ffi.new("char[]", str(value).encode()) for value in values]
    return (ffi.new("char *[]", kept) if kept else ffi.NULL), kept


def _listed(values):
    return values if isinstance(values, str) else ",".join(f"{value!r}" if isinstance(value, float) else str(value)
                                                           for value in values)


def _number(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def sweep(scene, over, measures=(), set=None, *, output=None, jobs=0, keep=False, fresh=False, force=True, quiet=True):
    """Runs a scene for every combination of values, {"path": values or "from:to:step"}, each run on one core. Measures
    are "SERIES.COLUMN:last" or "NAME=EXPRESSION" (docs/cases.md). Returns the rows of the table as dicts; with `output`
    the table and its journal stay, and the same call goes on where another has stopped."""
    with tempfile.TemporaryDirectory() as folder:
        definition, result, report = ffi.new("scree_sweep_def *"), ffi.new("scree_sweep_result *"), Report()
        changes, count, kept = settings(set)
        overs, kept_overs = _texts(f"{path}={_listed(values)}" for path, values in over.items())
        wanted, kept_measures = _texts(measures)
        file = ffi.new("char[]", encoded(scene_file(scene, folder)))
        table = ffi.new("char[]", encoded(output if output else os.path.join(folder, "sweep.csv")))
        definition.scene, definition.settings, definition.setting_count = file, changes, count
        definition.over, definition.over_count = ffi.cast("char const * const *", overs), len(kept_overs)
        definition.measures, definition.measure_count = ffi.cast("char const * const *", wanted), len(kept_measures)
        definition.output, definition.jobs, definition.keep = table, jobs, keep
        definition.fresh, definition.force, definition.quiet = fresh, force, quiet
        with LOCK:
            status = lib.scree_sweep(definition, result, report.c)
        report.check(status)
        del kept
        with open(ffi.string(result.output).decode(), newline="") as rows:
            return [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(rows)]


def batch(function, items, jobs=None, progress=None):
    """Calls function(item) for all items, `jobs` at once (None: as many as there are cores), and returns the results in
    their order.
    Simulations in it should have threads=1: each then runs on a core of its own, in this process."""
    from .simulation import _bar
    items = list(items)
    bar, done = _bar(len(items), progress, None), [None] * len(items)
    with concurrent.futures.ThreadPoolExecutor(jobs or os.cpu_count()) as pool:
        waiting = {pool.submit(function, item): k for k, item in enumerate(items)}
        try:
            for future in concurrent.futures.as_completed(waiting):
                done[waiting[future]] = future.result()
                if bar is not None:
                    bar.update()
        except BaseException:
            for future in waiting:
                future.cancel()
            raise
        finally:
            if bar is not None:
                bar.close()
    return done
