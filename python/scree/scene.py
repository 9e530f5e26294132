"""Scenes as Python objects, made from the tables that the reader of scene files uses.

Every section of a scene, and every kind within it, is a class: Material, Contact, BodiesLattice, WallPlane,
ObserverProfile,
StepperSoft and so on (`scree.scene.classes()` names all). Arguments are the keys of the scene;
`help(scree.scene.Material)` explains them. Numbers are SI, or texts with a unit: "5 mm".

    scene = Scene(domain=Domain(box=[[0, 0, 0], [0.1, 0.1, 0.2]]),
                  materials={"glass": Material(density=2500, friction=0.4)},
                  bodies={"grains": BodiesLattice(material="glass", radius="2 mm")},
                  time=Time(end=0.5))
    scene.check()

An unknown key is refused at once; all else is checked by `check()` and when a simulation is made, with the path in
these objects in front of each message."""
import json
import math

from ._library import LOCK, Report, encoded, ffi, lib, settings, text_of, written

_schema = json.loads(written(lib.scree_schema_write))


# ---- numbers and texts for the reader ----


def plain(value):
    """A value as the reader of scenes takes it: JSON, which is YAML; whole numpy arrays, too."""
    return json.dumps(_tree(value))


def _tree(value):
    if isinstance(value, Part):
        return {key: _tree(item) for key, item in value._given.items()}
    if isinstance(value, dict):
        return {str(key): _tree(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_tree(item) for item in value]
    if hasattr(value, "tolist"):
        return _tree(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{value} cannot be written to a scene")
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)  # paths


class _Writer:
    """JSON with a line for each leaf, and the path in the Python objects of each line."""

    def __init__(self):
        self.lines, self.paths = [], [""]

    def line(self, text, path):
        self.lines.append(text)
        self.paths.append(path)

    def put(self, value, path, before, after):
        items = list(value._given.items()) if isinstance(value, Part) else list(value.items()) if isinstance(value,
                dict) else None
        if not items:
            self.line(before + json.dumps(_tree(value)) + after, path)
            return
        self.line(before + "{", path)
        for n, (key, item) in enumerate(items):
            inner = f"{path}.{key}" if isinstance(value, Part) and path else str(key) if isinstance(value,
                    Part) else f'{path}["{key}"]'
            self.put(item, inner, json.dumps(str(key)) + ": ", "," if n + 1 < len(items) else "")
        self.line("}" + after, path)


# ---- classes ----


class Part:
    """A part of a scene: its arguments are the keys that a scene file would have."""

    _keys = {}  # name: its piece of the schema
    _fixed = {}  # the key that says which kind it is

    def __init__(self, **keys):
        object.__setattr__(self, "_given", dict(self._fixed))
        for key, value in keys.items():
            setattr(self, key, value)

    def __setattr__(self, key, value):
        if self._keys is not None and key not in self._keys:
            near = _nearest(key, self._keys)
            raise AttributeError(f"{type(self).__name__} has no key '{key}'" + (f"; did you mean '{near}'?" if near else
                                 f"; it has {', '.join(sorted(self._keys))}"))
        self._given[key] = value

    def __getattr__(self, key):
        if key.startswith("_"):
            raise AttributeError(key)
        if key in self._given:
            return self._given[key]
        if key in self._keys:
            return self._keys[key].get("default")
        raise AttributeError(f"{type(self).__name__} has no key '{key}'")

    def __delattr__(self, key):
        del self._given[key]

    def __eq__(self, other):
        return type(other) is type(self) and other._given == self._given

    def __dir__(self):
        return sorted(set(super().__dir__()) | set(self._keys))

    def __repr__(self):
        given = ", ".join(f"{key}={value!r}" for key, value in self._given.items() if key not in self._fixed)
        return f"{type(self).__name__}({given})"


def _nearest(wanted, words):
    held = [ffi.new("char[]", word.encode()) for word in words]
    return text_of(lib.scree_nearest(wanted.encode(), ffi.new("char *[]", held + [ffi.NULL])))


def _camel(name):
    return "".join(piece.capitalize() for piece in name.replace("-", "_").split("_"))


def _document(name, piece, keys, fixed):
    lines = [piece.get("description", "").strip() or name, ""]
    needed = set(piece.get("required", []))
    for key, about in keys.items():
        if key in fixed or _is_alias(about):
            continue
        default = f" Default: {json.dumps(about['default'])}." if "default" in about else ""
        lines.append(f"{key}{' (required)' if key in needed else ''}: {about.get('description', '').strip()}{default}")
    return "\n".join(lines)


_classes = {}


def _define(name, piece, fixed=None):
    keys = dict(piece.get("properties", {}))
    _classes[name] = type(name, (Part,), {"__doc__": _document(name, piece, keys, fixed or {}), "_keys": keys,
                                          "_fixed": fixed or {},
                                          "__module__": __name__})
    return keys


# items of named sections are called in the singular
_singular = {"materials": "Material", "contacts": "Contact", "bodies": "Bodies", "bonds": "Bond", "walls": "Wall",
             "parts": "MachinePart",
             "joints": "Joint", "solids": "Solid", "patches": "Patch", "supports": "Support", "loads": "Load",
             "sponges": "Sponge",
             "outlets": "Outlet", "resolved_regions": "ResolvedRegion", "observers": "Observer"}


def _alternatives(piece):
    """Objects that a piece of the schema allows."""
    if piece.get("type") == "object" and "properties" in piece:
        return [piece]
    return [one for several in ("anyOf", "oneOf", "allOf") for part in piece.get(several, []) if isinstance(part, dict)
            for one in _alternatives(part)]


def _is_alias(about):
    return not isinstance(about, dict) or about.get("description", "").startswith("The same as")


def _selector(piece):
    """The key that names the kind, with its word."""
    for key, about in piece.get("properties", {}).items():
        if isinstance(about, dict) and "const" in about:
            return {key: about["const"]}
    return {}


def _define_all(name, piece):
    """Classes of a section, of its kinds, and of the mappings within it."""
    about_all = piece.get("description", "")
    if isinstance(piece.get("additionalProperties"), dict) and "properties" not in piece:
        piece = piece["additionalProperties"]
    base = _singular.get(name, _camel(name))
    for kind in _alternatives(piece):
        fixed = _selector(kind)
        full = base + _camel("".join(fixed.values()))
        if full in _classes and list(_classes[full]._keys) == list(kind.get("properties", {})):
            continue
        while full in _classes:  # another thing of the same name
            full += "_"
        _define(full, kind if kind.get("description") else {**kind, "description": about_all}, fixed)
        for key, about in kind.get("properties", {}).items():
            if key not in fixed and not _is_alias(about) and _alternatives(about):
                _define_all(key, about)


_scene_keys = _schema["properties"]
for _name, _piece in _scene_keys.items():
    if not _is_alias(_piece):
        _define_all(_name, _piece)
globals().update(_classes)


def classes():
    """Names of all classes that a scene is made of."""
    return sorted(_classes) + ["Scene"]


class Scene(Part):
    __doc__ = _document("Scene", {"description": "A whole scene: sections by name.",
                                  **{k: v for k, v in _schema.items() if k == "required"}},
                        _scene_keys, {})
    _keys = _scene_keys

    def __init__(self, **keys):
        super().__init__(**{"scree": 1, **keys})

    def text(self):
        """The scene as a file would have it: JSON, which is YAML."""
        return as_source(self)[0]

    def write(self, path):
        """Writes it as a scene file."""
        with open(path, "w") as out:
            out.write(self.text())

    def check(self, **set):
        """Builds the world and checks the scene, physics included. Raises scree.InputError with all messages."""
        check(self, set=set)


def as_source(scene):
    """(text, name, place) of a scene that is an object or a dict: what the reader gets, and where its lines come
    from."""
    writer = _Writer()
    if isinstance(scene, dict) and "scree" not in scene:
        scene = {"scree": 1, **scene}
    writer.put(scene, "scene" if isinstance(scene, dict) else "", "", "")

    def place(file, line, key):
        if file != "<python>":
            return None
        path = writer.paths[line] if 0 < line < len(writer.paths) else key
        return path or key or "scene"

    return "\n".join(writer.lines) + "\n", "<python>", place


class Source:
    """A scene that the library has read: from a path, text, dict or Scene."""

    def __init__(self, scene, set=None):
        import os
        changes, count, kept = settings(set)
        c = ffi.new("scree_scene **")
        place = None
        if isinstance(scene, (dict, Part)):
            text, name, place = as_source(scene)
        elif isinstance(scene, os.PathLike) or "\n" not in str(scene):
            text, name = None, scene
        else:
            text, name = str(scene), "<text>"
        report = Report(place)
        with LOCK:
            if text is None:
                status = lib.scree_scene_open(encoded(name), changes, count, c, report.c)
            else:
                status = lib.scree_scene_parse(text.encode(), encoded(name), changes, count, c, report.c)
        del kept
        report.check(status)
        self.c = ffi.gc(c[0], lib.scree_scene_close)
        self.place = place
        self.title = text_of(lib.scree_scene_title(self.c))


def check(scene, set=None):
    """Checks a scene as `scree check` does. Raises scree.InputError with all messages; warnings are issued as
    SceneWarning."""
    source = Source(scene, set)
    report = Report(source.place)
    with LOCK:
        lib.scree_quiet(True)
        status = lib.scree_scene_check(source.c, report.c)
    report.check(status)
