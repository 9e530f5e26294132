"""Scree from Python: read results, drive simulations, build scenes, calibrate.

    import scree
    run = scree.open("hopper.h5")               results, also while a run goes on
    run.frames[-1]["position"]                  numpy, read when asked for
    sim = scree.Simulation("scene.yaml")        a simulation in this process
    sim.advance(until=0.1)
    sim.grains.velocity[:, 2] = 0               no copy: this is the simulation's memory

See docs/python.md."""
from . import scene
from ._library import (Error, FileError, InputError, Message, NoMemory, RunError, SceneWarning, ffi as _ffi,
                       lib as _lib, program,
                       text_of as _text_of)
from .calibration import Calibration, calibrate
from .results import Frame, Run, Series, open
from .runs import batch, run, sweep
from .scene import Scene, check
from .simulation import Simulation
from .views import StaleView, View

__version__ = _text_of(_lib.scree_version())


def examples():
    """Names of the example scenes, with a line about each."""
    found, k, list_of = {}, 0, _lib.scree_examples()
    while list_of[k].name != _ffi.NULL:
        found[_text_of(list_of[k].name)] = _text_of(list_of[k].doc)
        k += 1
    return found


def example(name):
    """The text of an example scene, as `scree init NAME` writes it."""
    k, list_of = 0, _lib.scree_examples()
    while list_of[k].name != _ffi.NULL:
        if _text_of(list_of[k].name) == name:
            return _text_of(list_of[k].text)
        k += 1
    raise KeyError(f"there is no example '{name}'; there are {', '.join(examples())}")


__all__ = ["Calibration", "Error", "FileError", "Frame", "InputError", "Message", "NoMemory", "Run", "RunError",
           "Scene", "SceneWarning",
           "Series", "Simulation", "StaleView", "View", "batch", "calibrate", "check", "example", "examples", "open",
           "program", "run",
           "scene", "sweep"]
