"""Results of runs: frames and series as numpy arrays, read when they are asked for, also while a run writes them."""
import base64
import collections.abc
import os
import pathlib
import subprocess
import tempfile

import numpy

from ._library import LOCK, InputError, Message, Report, array_of, encoded, ffi, lib, program, text_of, written

_integers = {"id", "image", "material", "group", "aggregate", "contacts.first", "contacts.second", "contacts.wall",
             "cells.solid",
             "cells.fragment"}


def _missing(kind, name, known):
    return KeyError(f"there is no {kind} '{name}'; there are {', '.join(known)}")


class Frame(collections.abc.Mapping):
    """One moment: a mapping from names (position, velocity, ..., cells.*, contacts.*) to arrays in the order of ids."""

    def __init__(self, run, number):
        self._run, self.number = run, number
        facts = lib.scree_results_frame(run._c, number)
        self.step, self.time, self.bodies = facts.step, facts.time, facts.bodies
        self._names = None

    def _list(self):
        if self._names is None:
            self._names, k = [], 0
            with LOCK:
                while (name := text_of(lib.scree_results_view_name(self._run._c, self.number, k))) is not None:
                    self._names.append(name)
                    k += 1
        return self._names

    def __iter__(self):
        return iter(self._list())

    def __len__(self):
        return len(self._list())

    def __getitem__(self, name):
        if name not in self._list():
            raise _missing("field", name, self._list())
        data, rows, width = ffi.new("double **"), ffi.new("int64_t *"), ffi.new("int *")
        report = Report()
        with LOCK:
            status = lib.scree_results_read(self._run._c, self.number, name.encode(), data, rows, width, report.c)
        report.check(status)
        values = array_of(data[0], rows[0], width[0])
        return values.astype(numpy.int64) if name in _integers else values

    def unit(self, name):
        """Unit of a field, "" for a pure number."""
        with LOCK:
            return text_of(lib.scree_results_unit(self._run._c, self.number, name.encode()))

    @property
    def contacts(self):
        """The contacts as a structured array, None where the frame was written without them."""
        names = [name for name in self._list() if name.startswith("contacts.")]
        if not names:
            return None
        columns = {name.partition(".")[2]: self[name] for name in names}
        kinds = [(name, values.dtype, values.shape[1:]) for name, values in columns.items()]
        table = numpy.empty(len(next(iter(columns.values()))), dtype=kinds)
        for name, values in columns.items():
            table[name] = values
        return table

    def __repr__(self):
        return f"<scree frame {self.number}: time {self.time:.6g} s, {self.bodies} grains>"


class Frames(collections.abc.Sequence):
    """The frames of a run, by number; `frames.at(t)` is the last one at or before a time."""

    def __init__(self, run):
        self._run = run

    def __len__(self):
        self._run._refresh()
        return lib.scree_results_describe(self._run._c).frames

    def __getitem__(self, number):
        count = len(self)
        if isinstance(number, slice):
            return [Frame(self._run, k) for k in range(*number.indices(count))]
        k = number + count if number < 0 else number
        if not 0 <= k < count:
            raise IndexError(f"there is no frame {number}: there are {count}")
        return Frame(self._run, k)

    @property
    def times(self):
        """Times of all frames [s]."""
        return numpy.array([lib.scree_results_frame(self._run._c, k).time for k in range(len(self))])

    def at(self, time):
        """The last frame at or before a time."""
        return self[max(0, int(numpy.searchsorted(self.times, time * (1 + 1e-12), side="right")) - 1)]


class Series(collections.abc.Mapping):
    """A time series: columns by name or as attributes, one number per row, or one per row and bin. `bins` says where
    those are."""

    def __init__(self, run, number):
        facts = lib.scree_results_series(run._c, number)
        self._run, self._number = run, number
        self.name, self.type, self.rows = text_of(facts.name), text_of(facts.type), facts.rows
        self.columns = [text_of(facts.columns[k]) for k in range(facts.column_count)]
        self.units = {name: text_of(facts.units[k]) for k, name in enumerate(self.columns)}
        self._widths = [facts.widths[k] for k in range(facts.column_count)]
        self.bins = None
        if facts.bins:
            flat = numpy.frombuffer(ffi.buffer(facts.bin_values, 8 * facts.bins * facts.bin_width), dtype=float).copy()
            self.bins = flat.reshape(facts.bins, facts.bin_width) if facts.bin_width > 1 else flat

    def __iter__(self):
        return iter(self.columns)

    def __len__(self):
        return len(self.columns)

    def __getitem__(self, name):
        if name not in self.columns:
            raise _missing("column", name, self.columns)
        column, data, report = self.columns.index(name), ffi.new("double **"), Report()
        with LOCK:
            status = lib.scree_results_series_read(self._run._c, self._number, column, data, report.c)
        report.check(status)
        return array_of(data[0], self.rows, self._widths[column])

    def __getattr__(self, name):
        if name.startswith("_") or name not in self.columns:
            raise AttributeError(f"the series has no column '{name}'; there are {', '.join(self.columns)}")
        return self[name]

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self.columns))

    def __repr__(self):
        return f"<scree series {self.name} ({self.type}): {self.rows} rows of {', '.join(self.columns)}>"


class SeriesByName(collections.abc.Mapping):
    """The series of a run, by name."""

    def __init__(self, run):
        self._run = run

    def _names(self):
        self._run._refresh()
        count = lib.scree_results_describe(self._run._c).series
        return [text_of(lib.scree_results_series(self._run._c, k).name) for k in range(count)]

    def __iter__(self):
        return iter(self._names())

    def __len__(self):
        return len(self._names())

    def __getitem__(self, name):
        names = self._names()
        if name not in names:
            raise _missing("series", name, names)
        return Series(self._run, names.index(name))


class Run:
    """Results of a run. `scree.open("hopper.h5")` makes one."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._stamp = None
        self._c = None
        self._viewer = None
        self._refresh()
        self.frames = Frames(self)
        self.series = SeriesByName(self)

    def _refresh(self):
        """Reopens the index if a run has replaced it."""
        try:
            stat = os.stat(self.path)
            stamp = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
        except OSError:
            stamp = None
        if self._c is not None and stamp == self._stamp:
            return
        c, report = ffi.new("scree_results **"), Report()
        with LOCK:
            status = lib.scree_results_open(encoded(self.path), c, report.c)
        if status and self._c is not None:
            report.take()  # what was read before stays readable
            return
        report.check(status)
        self._c, self._stamp = ffi.gc(c[0], lib.scree_results_close), stamp

    def _facts(self):
        self._refresh()
        return lib.scree_results_describe(self._c)

    @property
    def scene(self):
        """The scene as it was run: its text."""
        return text_of(self._facts().scene)

    @property
    def title(self):
        return text_of(self._facts().title)

    @property
    def said(self):
        """What the run reported: its choices, warnings and progress."""
        return text_of(self._facts().said)

    @property
    def version(self):
        """Version of Scree that wrote the results."""
        return text_of(self._facts().version)

    @property
    def live(self):
        """Whether a run is writing to these results now."""
        return bool(self._facts().live)

    @property
    def walls(self):
        """Names, in the order of the scene."""
        return [text_of(lib.scree_results_wall(self._c, k)) for k in range(self._facts().walls)]

    @property
    def groups(self):
        return [text_of(lib.scree_results_group(self._c, k)) for k in range(self._facts().groups)]

    @property
    def materials(self):
        return [text_of(lib.scree_results_material(self._c, k)) for k in range(self._facts().materials)]

    def info(self):
        """Contents of the results, as listed by `scree info`."""
        report = Report()
        with LOCK:
            status = []
            text = written(lambda out: status.append(lib.scree_results_info(encoded(self.path), out, report.c)))
        report.check(status[0])
        return text

    def to_pandas(self, name="ledger"):
        """A series as a pandas DataFrame with time as its index; columns with bins become one column for each bin."""
        import pandas
        series, columns = self.series[name], {}
        for column in series:
            values = series[column]
            if column == "time":
                continue
            if values.ndim == 1:
                columns[column] = values
            else:
                columns.update({(f"{column}[{k}]"): values[:, k] for k in range(values.shape[1])})
        return pandas.DataFrame(columns, index=pandas.Index(series["time"], name="time"))

    def plot(self, what="energies", axes=None):
        """Plots over time with matplotlib: a column ("kinetic", or "profile.velocity_x" of a series), "energies" for
        the whole balance, or a series by its name. Returns the axes."""
        import matplotlib.pyplot as pyplot
        axes = pyplot.gca() if axes is None else axes
        series, columns = self._find_columns(what)
        for column in columns:
            values = _column(series, column)
            if len(columns) > 1 and not numpy.any(values):
                continue
            axes.plot(series["time"], values, label=column)
        unit = series.units.get(columns[0], "J")
        axes.set_xlabel("time [s]")
        axes.set_ylabel(f"{what} [{unit}]" if unit else what)
        if len(axes.get_lines()) > 1:
            axes.legend(fontsize="small")
        axes.set_title(self.title or os.path.basename(self.path), fontsize="medium")
        return axes

    def _find_columns(self, what):
        ledger = next((self.series[name] for name in self.series if self.series[name].type == "ledger"), None)
        if what == "energies":
            return ledger, [name for name in ledger.columns if name not in ("time", "closure")]
        if what == "kinetic" and ledger is not None:
            return ledger, ["kinetic"]
        name, _, column = what.rpartition(".")
        if name in self.series and column in self.series[name].columns:
            return self.series[name], [column]
        if what in self.series:
            series = self.series[what]
            return series, [c for c, width in zip(series.columns, series._widths) if width == 1 and c != "time"]
        for series in self.series.values():
            if what in series.columns:
                return series, [what]
        raise InputError([Message("error", None, 0, 0, None,
                                  f"there is no series or column '{what}'; series are {', '.join(self.series)}")])

    def picture(self, frame=-1, path=None, **options):
        """An image of a frame, as made by `scree render`; options are width, height, colour, azimuth, elevation,
        zoom, forces and so on (scree_picture_def). Returns the bytes of a PNG, or writes it to `path`."""
        definition = lib.scree_picture_def_default()
        kept = []
        known = {name for name, _ in ffi.typeof("scree_picture_def").fields}
        with tempfile.TemporaryDirectory() as folder:
            target = str(path) if path else os.path.join(folder, "picture.png")
            for key, value in {"results": self.path, "output": target, "first": frame, "last": frame,
                               "force": bool(path), **options}.items():
                if key not in known:
                    raise TypeError(f"'{key}' is not an option of images; there are {', '.join(sorted(known))}")
                if isinstance(value, (str, os.PathLike)):
                    kept.append(ffi.new("char[]", encoded(value)))
                    value = kept[-1]
                setattr(definition, key, value)
            report = Report()
            with LOCK:
                status = lib.scree_results_render(ffi.new("scree_picture_def *", definition), report.c)
            report.check(status)
            return None if path else pathlib.Path(target).read_bytes()

    def report(self, path, force=False):
        """Writes the HTML report: images, energies, observers, an interactive view."""
        definition = ffi.new("scree_page_def *")
        kept = [ffi.new("char[]", encoded(self.path)), ffi.new("char[]", encoded(path))]
        definition.results, definition.output, definition.force = kept[0], kept[1], force
        report = Report()
        with LOCK:
            status = lib.scree_results_report(definition, report.c)
        report.check(status)

    def view(self):
        """Starts the viewer for a browser on this machine and returns its address; it serves until this object is gone
        or `unview()`."""
        if self._viewer is None or self._viewer[0].poll() is not None:
            name = program()
            if name is None:
                raise FileNotFoundError("the program `scree` was not found: set SCREE_PROGRAM to its path")
            process = subprocess.Popen([name, "view", self.path, "--no-open"], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
            line = process.stdout.readline()
            address = next((word for word in line.split() if word.startswith("http://")), None)
            if address is None:
                process.kill()
                raise RuntimeError(f"the viewer did not start: {line.strip()}")
            self._viewer = (process, address)
        return self._viewer[1]

    def unview(self):
        """Ends the viewer."""
        if self._viewer is not None:
            process, self._viewer = self._viewer[0], None
            process.terminate()
            process.wait()
            process.stdout.close()

    def __del__(self):
        if getattr(self, "_viewer", None) is not None:
            self.unview()

    def _repr_png_(self):
        return self.picture(width=960, height=600)

    def _repr_html_(self):
        """In a notebook: an image of the last frame, and the viewer."""
        picture = base64.b64encode(self._repr_png_()).decode()
        html = (f'<p>{_escaped(repr(self))}</p>'
                f'<img style="max-width:100%" alt="last frame" src="data:image/png;base64,{picture}">')
        if program() is not None:
            html += (f'<details><summary>viewer</summary>'
                     f'<iframe src="{self.view()}" width="960" height="640"></iframe></details>')
        return html

    def __repr__(self):
        frames = self.frames
        last = f", to {frames[-1].time:.6g} s, {frames[-1].bodies} grains" if len(frames) else ""
        return f"<scree run {self.path}: {len(frames)} frames{last}{', going on' if self.live else ''}>"


def _column(series, name):
    """A column; `kinetic` is that of translation and rotation together."""
    if name == "kinetic" and name not in series.columns:
        return series["translation"] + series["rotation"]
    return series[name]


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def open(path):
    """Results of a run, also of one in progress: frames, series, the scene. Data is read only when it is used."""
    return Run(path)
