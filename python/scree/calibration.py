"""Calibration: parameters of a scene for which its measures meet their targets, by scipy over `scree sweep`."""
import hashlib
import json
import os
import tempfile

import numpy

from .runs import scene_file, sweep


class Calibration:
    """What was found: parameters and measured by name, cost (sum of squared residuals), runs (all that were tried),
    success, message."""

    def __init__(self, parameters, measured, cost, runs, success, message):
        self.parameters, self.measured, self.cost, self.runs = parameters, measured, cost, runs
        self.success, self.message = success, message

    def __repr__(self):
        found = ", ".join(f"{path} = {value:.6g}" for path, value in self.parameters.items())
        reached = ", ".join(f"{name} = {value:.6g}" for name, value in self.measured.items())
        return f"<calibration: {found}; {reached}; cost {self.cost:.3g} after {len(self.runs)} evaluations>"


class _Model:
    """From parameters to measures: one sweep over the seeds for each point, and each point once."""

    def __init__(self, scene, parameters, targets, set, seeds, jobs, folder):
        self.scene, self.paths, self.set, self.jobs, self.folder = scene, list(parameters), dict(set
                or {}), jobs, folder
        self.low, self.high = (numpy.array([float(bounds[k]) for bounds in parameters.values()]) for k in (0, 1))
        self.names = [name.partition("=")[0].strip() for name in targets]
        self.measures = [text if "=" in text else f"{self._safe(text)}={self._expression(text)}" for text in targets]
        self.names = [measure.partition("=")[0] for measure in self.measures]
        pairs = [value if isinstance(value, (tuple, list)) else (value, 1.0) for value in targets.values()]
        self.wanted, self.scale = (numpy.array([float(pair[k]) for pair in pairs]) for k in (0, 1))
        self.seeds = list(range(1, seeds + 1)) if isinstance(seeds, int) else list(seeds)
        self.known, self.runs = {}, []

    @staticmethod
    def _safe(text):
        return "".join(letter if letter.isalnum() else "_" for letter in text)

    @staticmethod
    def _expression(text):
        column, _, how = text.rpartition(":")
        return f"{how}({column})" if column and how.isidentifier() else text

    def measure(self, unit):
        """The measures at a point of the unit cube: means over the seeds."""
        values = self.low + numpy.clip(unit, 0, 1) * (self.high - self.low)
        key = tuple(float(f"{value:.12g}") for value in values)
        if key not in self.known:
            self.known[key] = self._run(key)
        return self.known[key]

    def _run(self, values):
        at = dict(zip(self.paths, values))
        name = hashlib.sha256(json.dumps([at, self.set, self.seeds, self.measures]).encode()).hexdigest()[:16]
        rows = sweep(self.scene, {"seed": self.seeds}, self.measures, {**self.set, **at}, jobs=self.jobs,
                     output=os.path.join(self.folder, f"calibrate-{name}.csv"))
        failed = [row for row in rows if row.get("status") != "ok"]
        found = numpy.array([[float(row[name]) if row not in failed else numpy.nan for name in self.names]
                             for row in rows]).mean(axis=0)
        self.runs.append({**at, **dict(zip(self.names, found)), "failed": len(failed)})
        return found

    def residuals(self, unit):
        off = (self.measure(unit) - self.wanted) / self.scale
        return numpy.where(numpy.isfinite(off), off, 1e3)  # a run that fails is far away

    def cost(self, unit):
        return float(numpy.sum(self.residuals(unit) ** 2))


def calibrate(scene, parameters, targets, *, method="nelder-mead", start=None, set=None, seeds=1, tolerance=0.01,
              evaluations=60, jobs=0,
              folder=None):
    """Finds values of keys of a scene for which measures of its runs are as wanted.

    parameters   {"materials.glass.friction": (0.1, 0.9)}: paths and bounds
    targets      {"heap.angle:last": 25} or {"angle=EXPRESSION": (25, 0.5)}: measures (docs/cases.md), what they should
    be, and by
                 which scale a difference counts (1 without it)
    method       "nelder-mead": robust where runs scatter; "least-squares": fewer runs where measures are smooth
    start        {path: value}; the middle of the bounds without it
    seeds        each point is the mean over so many seeds, or over these; they run at once
    tolerance    of parameters, as a part of the range between their bounds
    evaluations  at most
    folder       where tables and journals stay, so that a stopped call goes on; None: a temporary one

    Returns a Calibration. Needs scipy."""
    with tempfile.TemporaryDirectory() as temporary:
        place = os.fspath(folder) if folder else temporary
        os.makedirs(place, exist_ok=True)
        model = _Model(scene_file(scene, place), parameters, targets, set, seeds, jobs, place)
        if not parameters or not targets:
            raise ValueError("calibrate needs at least one parameter and one target")
        if not numpy.all(model.low < model.high):
            raise ValueError(f"bounds must be (low, high): {parameters}")
        first = numpy.full(len(model.paths), 0.5)
        for path, value in (start or {}).items():
            k = model.paths.index(path)
            first[k] = (float(value) - model.low[k]) / (model.high[k] - model.low[k])
        success, message, unit = _search(model, method, first, tolerance, evaluations)
        values = model.low + numpy.clip(unit, 0, 1) * (model.high - model.low)
        return Calibration(dict(zip(model.paths, map(float, values))),
                           dict(zip(model.names, map(float, model.measure(unit)))), model.cost(unit),
                           model.runs, success, message)


def _search(model, method, first, tolerance, evaluations):
    from scipy import optimize
    if method == "least-squares":
        # differences over a twentieth of the range: runs scatter
        found = optimize.least_squares(model.residuals, first, bounds=(0, 1), diff_step=0.05, xtol=tolerance, ftol=1e-6,
                                       gtol=1e-9,
                                       max_nfev=evaluations)
        return found.status > 0, found.message, found.x
    if method != "nelder-mead":
        raise ValueError(f"method is '{method}', must be nelder-mead or least-squares")
    count = len(first)
    simplex = numpy.vstack([first] + [first + 0.2 * numpy.eye(count)[k] * (1 if first[k] < 0.5 else -1)
                                      for k in range(count)])
    found = optimize.minimize(model.cost, first, method="Nelder-Mead", bounds=[(0, 1)] * count,
                              options={"initial_simplex": simplex, "xatol": tolerance, "fatol": 1e-4,
                                       "maxfev": evaluations})
    return bool(found.success), str(found.message), found.x
