"""Simulations that a program drives: steps, views, forces, grains that come and go, walls, observers."""
import collections.abc
import math
import time

import numpy

from ._library import LOCK, InputError, Message, Report, array_of, encoded, ffi, lib, libc, text_of
from .scene import Source
from .views import view_of

_MOMENT = 0.1  # [s] of steps between two looks at signals


def _refuse(text):
    raise InputError([Message("error", None, 0, 0, None, text)])


class _Handle:
    """The simulation of the library. Views keep it alive."""

    def __init__(self, source, definition):
        self.source, self.report = source, Report(source.place)
        c = ffi.new("scree_simulation **")
        with LOCK:
            status = lib.scree_simulation_create(source.c, definition, c, self.report.c)
        self.report.check(status)
        self.c = ffi.gc(c[0], lib.scree_simulation_destroy)

    def check(self, status):
        if status or self.report.c.count:
            self.report.check(status)

    def edit(self):
        self.check(lib.scree_simulation_edit(self.c, self.report.c))

    def renew(self):
        self.check(lib.scree_simulation_renew(self.c, self.report.c))


class Numbers(dict):
    """Numbers by name, also as attributes."""

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no '{name}'; there are {', '.join(self)}") from None


def _struct(c, kind):
    found = Numbers()
    for name, field in ffi.typeof(kind).fields:
        value = getattr(c, name)
        if field.type.kind == "struct":
            value = _struct(value, field.type.cname)
        elif field.type.kind == "array":
            value = numpy.array(list(value))
        elif field.type.kind == "pointer":
            if field.type.item.cname not in ("char", "char const"):
                continue
            value = text_of(value)
        found[name] = value
    return found


def _rows(values, count, what):
    """(count, 3) doubles, contiguous."""
    try:
        return numpy.ascontiguousarray(numpy.broadcast_to(numpy.asarray(values, dtype=float), (count, 3)))
    except ValueError:
        _refuse(f"{what} has shape {numpy.shape(values)}, must be ({count}, 3) or (3,)")


def _doubles(array):
    return ffi.NULL if array is None else ffi.cast("double *", array.ctypes.data)


class Grains:
    """The grains of a simulation. Every view of docs/format.md is an attribute: position, velocity, spin, radius, mass,
    id, force, torque, group, material, ... in the order of memory (`id` identifies the grain). No copy is made;
    position, velocity, spin, radius and mass can be written, and before the next step neighbour lists and forces are
    renewed. Held groups stay where they are."""

    def __init__(self, simulation, prefix=""):
        object.__setattr__(self, "_handle", simulation._handle)
        object.__setattr__(self, "_simulation", simulation)
        c = self._handle.c
        names = [text_of(lib.scree_simulation_view(c, k).name) for k in range(lib.scree_simulation_view_count(c))]
        object.__setattr__(self, "_names", [name[len(prefix):] for name in names
                                            if name.startswith(prefix) == bool(prefix)
                                            or (not prefix and "." not in name)])
        object.__setattr__(self, "_prefix", prefix)

    def _find(self, name):
        c = ffi.new("scree_view *")
        if name not in self._names:
            raise AttributeError(f"there is no view '{name}'; there are {', '.join(self._names)}")
        self._handle.check(lib.scree_simulation_view_find(self._handle.c, (self._prefix + name).encode(), c,
                                                          self._handle.report.c))
        return c

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        c = self._find(name)
        if c.flags & lib.SCREE_VIEW_COPIED:
            return self._simulation.read(self._prefix + name)
        return view_of(self._handle, c)

    def __setattr__(self, name, value):
        view = getattr(self, name)
        if view is value:  # `grains.velocity += 1` has written already
            return
        if not view.flags.writeable:
            raise AttributeError(f"'{name}' cannot be written: position, velocity, spin, radius and mass can")
        view[...] = value

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._names))

    def __len__(self):
        return int(lib.scree_simulation_view(self._handle.c, 0).rows)

    @property
    def names(self):
        """Names of all views."""
        return list(self._names)

    def describe(self):
        """Name, unit and meaning of each view, as text."""
        lines = []
        for name in self._names:
            c = self._find(name)
            unit = text_of(c.unit)
            lines.append(f"{name}{f' [{unit}]' if unit else ''}: {text_of(c.doc)}")
        return "\n".join(lines)

    def edit(self):
        """Before memory of views is written by other means than numpy's: through pointers, or by compiled code."""
        self._handle.edit()

    def push(self, force=None, torque=None, ids=None):
        """Forces [N] and torques [N m] that act from now on, in every step, until they are set again. Without `ids`
        there is a row for each grain in the order of views; one row serves all. push() with nothing ends it. Their work
        is energies.load_work."""
        handle = self._handle
        if force is None and torque is None:
            handle.check(lib.scree_simulation_push(handle.c, ffi.NULL, ffi.NULL, ffi.NULL, 0, handle.report.c))
            return
        count = len(self) if ids is None else len(ids)
        forces = _rows(0.0 if force is None else force, count, "force")
        torques = None if torque is None else _rows(torque, count, "torque")
        if ids is None:
            status = lib.scree_simulation_push_rows(handle.c, _doubles(forces), _doubles(torques), count,
                                                    handle.report.c)
        else:
            numbers = numpy.ascontiguousarray(ids, dtype=numpy.int64)
            status = lib.scree_simulation_push(handle.c, ffi.cast("int64_t *", numbers.ctypes.data), _doubles(forces),
                                               _doubles(torques),
                                               count, handle.report.c)
        handle.check(status)

    def insert(self, position, radius, group=0, velocity=0.0, spin=0.0, density=math.nan):
        """Puts grains in: positions (n, 3) or one (3,), the rest for all or for each. `group` is a name or a number of
        a group of bodies, which gives the material. Returns their ids. Their energy is energies.inserted."""
        position = numpy.atleast_2d(numpy.asarray(position, dtype=float))
        count = len(position)
        places, velocities, spins = _rows(position, count, "position"), _rows(velocity, count, "velocity"), _rows(spin,
                count, "spin")
        radii, densities = (numpy.broadcast_to(numpy.asarray(value, dtype=float), count) for value in (radius, density))
        number = self._simulation.groups.index(group) if isinstance(group,
                                                                    str) and group in self._simulation.groups else group
        if isinstance(number, str):
            _refuse(f"there is no group '{group}'; there are {', '.join(self._simulation.groups)}")
        grains = ffi.new("scree_grain[]", count) if count else ffi.NULL
        for k in range(count):
            g = grains[k]
            g.group, g.radius, g.density = number, radii[k], densities[k]
            g.position, g.velocity, g.spin = list(places[k]), list(velocities[k]), list(spins[k])
        ids = numpy.empty(count, numpy.int64)
        handle = self._handle
        handle.check(lib.scree_simulation_insert(handle.c, grains, count, ffi.cast("int64_t *", ids.ctypes.data),
                                                 handle.report.c))
        return ids

    def delete(self, ids):
        """Takes grains out, with their contacts and bonds. Their energy is energies.removed."""
        numbers = numpy.ascontiguousarray(numpy.atleast_1d(ids), dtype=numpy.int64)
        handle = self._handle
        handle.check(lib.scree_simulation_remove(handle.c, ffi.cast("int64_t *", numbers.ctypes.data), len(numbers),
                                                 handle.report.c))

    def rows(self, ids):
        """Rows of the grains with these ids, valid until grains change rows."""
        known = numpy.asarray(self.id)
        order = numpy.argsort(known)
        at = numpy.minimum(numpy.searchsorted(known[order], ids), len(known) - 1)
        found = order[at]
        if not numpy.all(known[found] == ids):
            _refuse("some of these ids are no grains")
        return found

    def __repr__(self):
        return f"<{len(self)} grains: {', '.join(self._names)}>"


class Wall:
    """A wall: name, shape, material, position, velocity, spin, force, torque, active, servo, target, measured, travel.
    `velocity`, `rate` and `target` can be set: the wall continues from where it is."""

    def __init__(self, handle, number):
        object.__setattr__(self, "_handle", handle)
        object.__setattr__(self, "_number", number)

    def _facts(self):
        return lib.scree_simulation_wall(self._handle.c, self._number)

    @property
    def rate(self):
        """Angular velocity about its axis [rad/s]."""
        return self._facts().own_rate

    def __getattr__(self, name):
        facts = _struct(self._facts(), "scree_wall")
        if name not in facts:
            raise AttributeError(f"a wall has no '{name}'; it has {', '.join(facts)}")
        return facts[name]

    def __setattr__(self, name, value):
        handle, number = self._handle, self._number
        if name == "velocity":
            status = lib.scree_simulation_wall_velocity(handle.c, number, [float(one) for one in value],
                                                        handle.report.c)
        elif name == "rate":
            status = lib.scree_simulation_wall_rate(handle.c, number, float(value), handle.report.c)
        elif name == "target":
            status = lib.scree_simulation_wall_target(handle.c, number, float(value), handle.report.c)
        else:
            raise AttributeError(f"'{name}' of a wall cannot be set: velocity, rate and target can")
        handle.check(status)

    def __repr__(self):
        return f"<wall {self.name}: {self.shape} at {self.position}, force {self.force} N>"


class Walls(collections.abc.Mapping):
    """Walls by name."""

    def __init__(self, handle):
        self._handle = handle
        self._names = [text_of(lib.scree_simulation_wall(handle.c, k).name)
                       for k in range(lib.scree_simulation_wall_count(handle.c))]

    def __iter__(self):
        return iter(self._names)

    def __len__(self):
        return len(self._names)

    def __getitem__(self, name):
        if name not in self._names:
            raise KeyError(f"there is no wall '{name}'; there are {', '.join(self._names)}")
        return Wall(self._handle, self._names.index(name))

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._names:
            raise AttributeError(name)
        return self[name]


class Observer:
    """What an observer of the scene sees now: its columns are attributes."""

    def __init__(self, simulation, name, kind):
        self._simulation, self.name, self.type = simulation, name, kind

    @property
    def columns(self):
        """{name: unit} of its columns."""
        handle, c, count = self._simulation._handle, ffi.new("scree_column **"), ffi.new("int *")
        handle.check(lib.scree_simulation_columns(handle.c, self.name.encode(), c, count, handle.report.c))
        owned = ffi.gc(c[0], libc.free)
        return {ffi.string(owned[k].name).decode(): ffi.string(owned[k].unit).decode() for k in range(count[0])}

    def __getitem__(self, column):
        handle, values, count = self._simulation._handle, ffi.new("double **"), ffi.new("int *")
        handle.check(lib.scree_simulation_observe(handle.c, self.name.encode(), column.encode(), values, count,
                                                  handle.report.c))
        found = array_of(values[0], count[0])
        return float(found[0]) if count[0] == 1 else found

    def __getattr__(self, column):
        if column.startswith("_") or column not in self.columns:
            raise AttributeError(f"the observer has no column '{column}'; it has {', '.join(self.columns)}")
        return self[column]

    def __repr__(self):
        return f"<observer {self.name} ({self.type}): {', '.join(self.columns)}>"


class Observers(collections.abc.Mapping):
    """Observers by name: those of the scene, and those that are always there."""

    def __init__(self, simulation):
        self._simulation, self._types, kind, k = simulation, {}, ffi.new("char const **"), 0
        while (name := text_of(lib.scree_simulation_observer(simulation._handle.c, k, kind))) is not None:
            self._types[name] = text_of(kind[0])
            k += 1

    def __iter__(self):
        return iter(self._types)

    def __len__(self):
        return len(self._types)

    def __getitem__(self, name):
        if name not in self._types:
            raise KeyError(f"there is no observer '{name}'; there are {', '.join(self._types)}")
        return Observer(self._simulation, name, self._types[name])


class Simulation:
    """A simulation of a scene: a path, text, a dict or a scree.scene.Scene.

    set       changes to the scene before it is read, {"materials.glass.friction": 0.3}
    threads   number of threads; None: all cores
    device    where steps run, as `scree run --device` takes it; None: the default
    resume    results to continue exactly; start: results whose last state is the start of a new run
    contacts  keep the forces of contacts of the last step of each advance
    statics   states of rest instead of motion: a step is a load step
    quiet     do not print what was chosen"""

    def __init__(self, scene, set=None, *, threads=None, device=None, resume=None, start=None, contacts=True,
                 statics=False, quiet=True):
        source = Source(scene, set)
        definition = ffi.new("scree_simulation_def *", lib.scree_simulation_def_default())
        kept = [ffi.new("char[]", encoded(path)) if path else ffi.NULL for path in (resume, start, device)]
        definition.threads, definition.quiet = threads or 0, quiet
        definition.contacts, definition.statics = contacts, statics
        setattr(definition, "resume", kept[0])
        setattr(definition, "from", kept[1])
        if device is not None:
            if not any(name == "device" for name, _ in ffi.typeof("scree_simulation_def").fields):
                _refuse(f"device='{device}': this build has no devices but the CPU")
            definition.device = kept[2]
        self._handle = _Handle(source, definition)
        self._pace, self._raised, self._calls = 1, None, None
        c = self._handle.c
        self.title = source.title
        self.groups = self._named(lib.scree_simulation_group)
        self.materials = self._named(lib.scree_simulation_material)
        self.grains = Grains(self)
        self.cells = Grains(self, "cells.")
        self.walls = Walls(self._handle)
        self.observers = Observers(self)
        self.end, self.every = lib.scree_simulation_end(c), lib.scree_simulation_every(c)

    def _named(self, call):
        names = []
        while (name := text_of(call(self._handle.c, len(names)))) is not None:
            names.append(name)
        return names

    # ---- time ----

    def advance(self, steps=None, until=None):
        """Advances by a number of steps (default: 1), or until a time [s]. Ctrl-C ends it between two
        steps."""
        handle = self._handle
        if until is not None:
            steps = lib.scree_simulation_steps_until(handle.c, float(until))
        steps = 1 if steps is None else steps
        if steps <= 1:
            status = lib.scree_simulation_advance(handle.c, steps, handle.report.c)
            if status or handle.report.c.count or self._raised:
                self._check(status)
            return
        while steps > 0:
            some = min(steps, self._pace)
            start = time.perf_counter()
            self._check(lib.scree_simulation_advance(handle.c, some, handle.report.c))
            seconds, steps = time.perf_counter() - start, steps - some
            if seconds > _MOMENT and self._pace > 1:
                self._pace //= 2
            elif seconds < 0.25 * _MOMENT and some == self._pace:
                self._pace *= 2

    def _check(self, status):
        if self._raised is not None:
            raised, self._raised = self._raised, None
            self._handle.report.take()
            raise raised
        self._handle.check(status)

    def each_step(self, before=None, push=None, after=None):
        """Calls these functions, with the simulation, before and after every step. `push` sets forces for grains where
        they are now (grains.push): it is called at the start, and in each step before its last half kick, which makes
        the step of second order. each_step() with nothing ends it. An exception ends the advance, between two steps
        where it comes from `before` or `after`."""
        calls = ffi.new("scree_step_calls *")
        kept = [calls]
        for name, function in (("before", before), ("push", push), ("after", after)):
            if function is not None:
                kept.append(ffi.callback("scree_status(void *, scree_simulation *, scree_report *)",
                                         self._guarded(function)))
                setattr(calls, name, kept[-1])
        lib.scree_simulation_on_step(self._handle.c, calls if len(kept) > 1 else ffi.NULL)
        self._calls = kept

    def _guarded(self, function):
        def call(_context, _simulation, _report):
            try:
                function(self)
                return 0
            except BaseException as problem:
                self._raised = problem
                return lib.SCREE_E_INTERRUPT

        return call

    def run(self, every=None, until=None, progress=None):
        """Advances and yields the simulation at this interval [s]: at the start, and up to the end of the scene unless
        `until` says another time. A progress bar where tqdm is installed and stderr is a terminal (progress=True or
        False decides)."""
        every = self.every if every is None else float(every)
        until = self.end if until is None else float(until)
        count = max(0, math.ceil((until - self.time) / every * (1 - 1e-9)))
        start, bar = self.time, _bar(count, progress, self.title)
        yield self
        for k in range(1, count + 1):
            self.advance(until=min(start + k * every, until))
            if bar is not None:
                bar.update()
            yield self
        if bar is not None:
            bar.close()

    # ---- looking ----

    @property
    def stats(self):
        """time, dt, step, bodies, contacts and what else the integrator reports."""
        return _struct(lib.scree_simulation_stats(self._handle.c), "scree_stats")

    @property
    def time(self):
        """[s]"""
        return lib.scree_simulation_clock(self._handle.c).time

    @property
    def dt(self):
        """Time step [s]."""
        return lib.scree_simulation_clock(self._handle.c).dt

    @property
    def step(self):
        """Steps done."""
        return lib.scree_simulation_clock(self._handle.c).step

    @property
    def energies(self):
        """The energy balance [J]: accounts by name, and `closure`, its error."""
        self._handle.renew()
        return _struct(lib.scree_simulation_energies(self._handle.c), "scree_energies")

    @property
    def digest(self):
        """Fingerprint of the whole state, the same for any number of threads."""
        handle = self._handle
        digest = lib.scree_simulation_digest(handle.c, handle.report.c)
        handle.check(lib.SCREE_E_RUN if handle.report.c.errors else 0)
        return digest

    @property
    def contacts(self):
        """Contacts of grains after the last step: a structured array with first, second (ids), wall, point, normal,
        branch, force, couple, overlap, dissipated, in the order of ids."""
        handle, c, count = self._handle, ffi.new("scree_contact **"), ffi.new("int64_t *")
        handle.check(lib.scree_simulation_contacts(handle.c, c, count, handle.report.c))
        owned = ffi.gc(c[0], libc.free)
        return numpy.frombuffer(ffi.buffer(owned, ffi.sizeof("scree_contact") * count[0]),
                                dtype=_contact_type) if count[0] else \
            numpy.empty(0, _contact_type)

    def read(self, view):
        """A copy of a view in the order of ids, as doubles."""
        handle, data, rows, width = self._handle, ffi.new("double **"), ffi.new("int64_t *"), ffi.new("int *")
        handle.check(lib.scree_simulation_read(handle.c, view.encode(), data, rows, width, handle.report.c))
        return array_of(data[0], rows[0], width[0])

    def checkpoint(self, path, force=False):
        """Writes the state as results with one frame and one checkpoint: for resume= and start=, for `scree run
        --resume`."""
        handle = self._handle
        with LOCK:
            status = lib.scree_simulation_write(handle.c, encoded(path), force, handle.report.c)
        handle.check(status)

    def __repr__(self):
        return f"<scree simulation {self.title!r}: time {self.time:.6g} s, step {self.step}, {len(self.grains)} grains>"


def _contact_dtype():
    kinds = []
    for name, field in ffi.typeof("scree_contact").fields:
        is_array = field.type.kind == "array"
        kind = field.type.item.cname if is_array else field.type.cname
        kinds.append((name, numpy.int64 if kind == "int64_t" else float, (field.type.length,) if is_array else ()))
    return numpy.dtype(kinds)


_contact_type = _contact_dtype()


def _bar(count, progress, title):
    import sys
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return None
    try:
        import tqdm
    except ImportError:
        return None
    return tqdm.tqdm(total=count, desc=title or None)
