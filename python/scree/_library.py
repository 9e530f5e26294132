"""The shared library: where it is, and how its calls speak: statuses and reports become exceptions and warnings."""
import os
import pathlib
import sys
import threading
import warnings

from ._api import ffi

LOCK = threading.RLock()  # files are read and written by one thread at a time


def _candidates():
    here = pathlib.Path(__file__).resolve().parent
    if os.environ.get("SCREE_LIBRARY"):
        return [os.environ["SCREE_LIBRARY"]]
    return [str(path) for path in sorted(here.glob("libscree.so*"))] + ["libscree.so.0.1", "libscree.so"]


def _load():
    problems = []
    for path in _candidates():
        try:
            return ffi.dlopen(path)
        except OSError as problem:
            problems.append(str(problem))
    raise ImportError("scree: the shared library libscree.so was not found; set SCREE_LIBRARY to its path\n  "
                      + "\n  ".join(problems))


lib = _load()
libc = ffi.dlopen(None)


def text_of(pointer):
    """A C string as text; None for NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


class Message:
    """One message of a report: severity ("error" or "warning"), file, line, column, key, text."""

    def __init__(self, severity, file, line, column, key, text, path=None):
        self.severity, self.file, self.line, self.column = severity, file, line, column
        self.key, self.text, self.path = key, text, path

    def __str__(self):
        if self.path is not None:
            return f"{self.path}: {self.severity}: {self.text}" if self.path else f"{self.severity}: {self.text}"
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return f"{place}: {self.severity}: {self.text}" if place else f"{self.severity}: {self.text}"


class Error(Exception):
    """Base of the errors of Scree; `messages` lists all that were found, one Message each."""

    def __init__(self, messages):
        self.messages = [message for message in messages if message.severity == "error"] or list(messages)
        super().__init__("\n".join(str(message) for message in self.messages) or "failed without a message")


class InputError(Error, ValueError):
    """A scene, a file or an argument is wrong."""


class RunError(Error, RuntimeError):
    """A run failed: a grain left the domain, an overlap beyond the radius."""


class FileError(Error, OSError):
    """Reading or writing failed."""


class NoMemory(Error, MemoryError):
    """Memory is exhausted."""


class SceneWarning(UserWarning):
    """A warning of Scree, for example about a doubtful value in a scene or a long time step."""


_errors = {lib.SCREE_E_RUN: RunError, lib.SCREE_E_INPUT: InputError, lib.SCREE_E_IO: FileError,
           lib.SCREE_E_MEMORY: NoMemory}


class Report:
    """A report of the library. `place` maps (file, line, key) to the path that stands before messages, or is None."""

    def __init__(self, place=None):
        self.c = ffi.new("scree_report *")
        self.place = place
        lib.scree_report_init(self.c)

    def take(self):
        """The messages so far; the report is empty then."""
        found = []
        for k in range(self.c.count):
            m = self.c.messages[k]
            file, key = text_of(m.file), text_of(m.key)
            path = self.place(file, m.line, key) if self.place else None
            found.append(Message("error" if m.severity == lib.SCREE_ERROR else "warning", file, m.line, m.column, key,
                                 text_of(m.text),
                                 path))
        lib.scree_report_deinit(self.c)
        lib.scree_report_init(self.c)
        return found

    def check(self, status):
        """Raises errors, and issues warnings."""
        if status == 0 and self.c.count == 0:
            return
        messages = self.take()
        for message in messages:
            if message.severity == "warning":
                warnings.warn(str(message), SceneWarning, stacklevel=4)
        if status == lib.SCREE_E_INTERRUPT:
            raise KeyboardInterrupt("\n".join(str(message) for message in messages))
        if status:
            raise _errors.get(status, Error)(messages)

    def __del__(self):
        if lib is not None:
            lib.scree_report_deinit(self.c)


def written(call):
    """What call(FILE *) writes, as text."""
    text, size = ffi.new("char **"), ffi.new("size_t *")
    stream = libc.open_memstream(text, size)
    if stream == ffi.NULL:
        raise MemoryError
    try:
        call(stream)
    finally:
        libc.fclose(stream)
        result = ffi.buffer(text[0], size[0])[:].decode("utf-8", "replace")
        libc.free(text[0])
    return result


def array_of(pointer, rows, width=1):
    """Doubles that the library has allocated, as an array that frees them at the end: (rows, width), or (rows,)."""
    import numpy
    owned = ffi.gc(pointer, libc.free)
    flat = numpy.frombuffer(ffi.buffer(owned, 8 * rows * width), dtype=float) if rows * width else numpy.empty(0)
    return flat.reshape(rows, width) if width != 1 else flat


def encoded(path):
    """A path or text for C."""
    return ffi.NULL if path is None else os.fsencode(path) if isinstance(path,
            (os.PathLike, bytes)) else str(path).encode()


def program():
    """The path of the command line program `scree`, or None."""
    import shutil
    here = pathlib.Path(__file__).resolve().parent
    for path in (os.environ.get("SCREE_PROGRAM"), here / "bin" / "scree"):
        if path and os.access(path, os.X_OK):
            return str(path)
    return shutil.which("scree")


def settings(changes):
    """scree_setting[] of a dict {path: value}; the second result keeps the texts alive."""
    from .scene import plain
    pairs = [(str(path).encode(), plain(value).encode()) for path, value in (changes or {}).items()]
    kept = [(ffi.new("char[]", path), ffi.new("char[]", value)) for path, value in pairs]
    return (ffi.new("scree_setting[]", [{"path": path, "value": value} for path, value in kept]) if kept
            else ffi.NULL), len(kept), kept


def say(line):
    print(line, file=sys.stderr)
