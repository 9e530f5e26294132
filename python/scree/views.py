"""Views of the arrays of a simulation: numpy arrays without a copy that notice when they are written.

Rows are in the order of memory. They move every thousand steps or so, and when grains come or leave: `id` says who is
who. A view that was fetched before can always be read, but shows other grains then; writing to it raises StaleView. So
fetch a view where you use it: `sim.grains.velocity[...] = 0` costs a microsecond, not a copy."""
import numpy

from ._library import ffi, lib

_types = {lib.SCREE_F64: numpy.dtype(float), lib.SCREE_I64: numpy.dtype(numpy.int64),
          lib.SCREE_I32: numpy.dtype(numpy.int32),
          lib.SCREE_U8: numpy.dtype(numpy.uint8)}


class StaleView(RuntimeError):
    """Grains have changed their rows since this view was fetched: fetch it again."""


def _plain(value):
    return value.view(numpy.ndarray) if isinstance(value, View) else value


class View(numpy.ndarray):
    """An array of a simulation. Arithmetic gives plain arrays; writing renews lists and forces before the next step."""

    _window = None

    def __array_finalize__(self, origin):
        self._window = getattr(origin, "_window", None)

    def _touch(self):
        """Before a write: is this memory of the simulation, and are rows where they were?"""
        if self._window is not None and self._window.holds(self):
            self._window.touch()

    def __setitem__(self, key, value):
        self._touch()
        super().__setitem__(key, _plain(value))

    def __getitem__(self, key):
        found = super().__getitem__(key)
        # a copy, as lists of indices give, is nobody's window
        return _plain(found) if isinstance(found, View) and not self._window.holds(found) else found

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        if out is not None:
            for one in out:
                if isinstance(one, View):
                    one._touch()
            options["out"] = tuple(_plain(one) for one in out)
        elif method == "at" and isinstance(inputs[0], View):
            inputs[0]._touch()
        result = getattr(ufunc, method)(*(_plain(one) for one in inputs), **options)
        return out[0] if out is not None and len(out) == 1 and isinstance(out[0], View) else result

    def __array_function__(self, function, types, arguments, options):
        if function in (numpy.copyto, numpy.put, numpy.place, numpy.putmask, numpy.fill_diagonal, numpy.put_along_axis):
            target = arguments[0] if arguments else options.get("dst")
            if isinstance(target, View):
                target._touch()
        result = super().__array_function__(function, types, arguments, options)
        return _plain(result) if isinstance(result,
                                            View) and not (result._window and result._window.holds(result)) else result

    def __reduce__(self):
        return numpy.array(self).__reduce__()

    def copy(self, order="C"):
        return numpy.array(_plain(self), order=order)


def _writer(name):
    def write(self, *arguments, **options):
        self._touch()
        return getattr(numpy.ndarray, name)(self, *arguments, **options)

    write.__name__, write.__doc__ = name, getattr(numpy.ndarray, name).__doc__
    return write


for _name in ("fill", "put", "sort", "partition", "itemset", "setfield"):
    if hasattr(numpy.ndarray, _name):
        setattr(View, _name, _writer(_name))


class Window:
    """Where a view's memory is, and whose. It keeps the simulation alive."""

    def __init__(self, handle, c):
        self.handle = handle
        self.version = lib.scree_simulation_row_version(handle.c)
        self.start = int(ffi.cast("uintptr_t", c.data))
        self.size = (c.rows - 1) * c.stride + c.width * _types[c.type].itemsize if c.rows else 0

    def holds(self, array):
        return 0 <= array.__array_interface__["data"][0] - self.start < self.size

    def touch(self):
        if lib.scree_simulation_row_version(self.handle.c) != self.version:
            raise StaleView("grains have changed their rows since this view was fetched: fetch it again "
                            "(sim.grains....)")
        self.handle.edit()


def view_of(handle, c):
    """The numpy array of a scree_view."""
    kind = _types[c.type]
    shape = (c.rows, c.width) if c.width > 1 else (c.rows,)
    if not c.rows:
        return numpy.empty(shape, kind)
    window = Window(handle, c)
    strides = (c.stride, kind.itemsize) if c.width > 1 else (c.stride,)
    array = numpy.ndarray.__new__(View, shape, kind, ffi.buffer(c.data, window.size), 0, strides)
    array._window = window
    array.flags.writeable = bool(c.flags & lib.SCREE_VIEW_WRITABLE)
    return array
