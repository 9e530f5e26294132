"""YAML as a tree of dicts, lists and texts, written out again, and ways to change the tree: what comes out is YAML, and
wrong in what it says.

Every scalar is a text, as it stands. mutate() applies a few changes and returns the names of what was done.
"""

import copy
import re

import yaml

import mutate

PLAIN = re.compile(r"[A-Za-z0-9_./+=-][A-Za-z0-9_./%^*+()= <>-]*(?<! )")


def parse(data):
    return yaml.load(data, yaml.BaseLoader)


def scalar(value):
    return value if PLAIN.fullmatch(value) else '"%s"' % value.replace("\\", "\\\\").replace('"', '\\"').replace("\n",
            "\\n")


def flow(node):
    if isinstance(node, dict):
        return "{" + ", ".join(scalar(key) + ": " + flow(value) for key, value in node.items()) + "}"
    if isinstance(node, list):
        return "[" + ", ".join(flow(value) for value in node) + "]"
    return scalar(node)


def lines(node, indent):
    for key, value in node.items():
        if isinstance(value, dict) and value and indent < 8:
            yield " " * indent + scalar(key) + ":"
            yield from lines(value, indent + 2)
        else:
            yield " " * indent + scalar(key) + ": " + flow(value)


def text(tree):
    """The tree as bytes of YAML: mappings as blocks, the rest in flow style."""
    return ("\n".join(lines(tree, 0)) if isinstance(tree, dict) else flow(tree)).encode("utf-8",
            "surrogateescape") + b"\n"


# ---- places ----


def put(tree, path, value):
    """Sets what the path leads to, through mappings that are made where they lack."""
    for key in path[:-1]:
        if not isinstance(tree.get(key), dict):
            tree[key] = {} if not isinstance(tree.get(key), str) else {"type": tree[key]}
        tree = tree[key]
    tree[path[-1]] = value


def children(node):
    return list(node.items()) if isinstance(node, dict) else list(enumerate(node)) if isinstance(node, list) else []


def places(tree, path=()):
    """Every (container, key, path) of the tree."""
    for key, value in children(tree):
        yield tree, key, path + (str(key),)
        yield from places(value, path + (str(key),))


def scalars(tree):
    return [place for place in places(tree) if isinstance(place[0][place[1]], str)]


def maps(tree):
    return [tree] * isinstance(tree, dict) + [parent[key] for parent, key, _ in places(tree)
                                              if isinstance(parent[key], dict)]


# ---- changes: functions of a random generator, the tree and others like it ----


def extreme(rng, tree, others):
    parent, key, _ = rng.choice(scalars(tree))
    parent[key] = rng.choice(mutate.EXTREMES).decode() + rng.choice(["", "", " " + rng.choice(mutate.UNITS).decode()])


def boundary(rng, tree, others):
    """A hair beside what it was, or its negative, inverse, or a multiple."""
    numbers = [place for place in scalars(tree) if re.match(r"[-+]?\d", place[0][place[1]])]
    if not numbers:
        return
    parent, key, _ = rng.choice(numbers)
    match = re.match(r"([-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(.*)", parent[key])
    value = float(match.group(1))
    new = rng.choice([value + 1, value - 1, -value, 0.0, 1 / value if value else 1.0, value * 0.999999,
                      value * 1.000001, value * 2,
                      value / 2, value * 10, value / 10, value * 1e3])
    parent[key] = (repr(int(new)) if new == int(new) and abs(new) < 1e15 else repr(new)) + match.group(2)


def expression(rng, tree, others):
    parent, key, _ = rng.choice(scalars(tree))
    names = list(tree.get("values") or ["x"]) if isinstance(tree.get("values") or {}, dict) else ["x"]
    old = parent[key][1:] if parent[key].startswith("=") else re.sub(r"[^\d.e+-].*", "", parent[key]) or "1"
    parent[key] = "=" + rng.choice(["%s/0", "sqrt(-%s)", "%s*" + rng.choice(names), "(%s", "log(0*(%s))",
                                    "if(%s, 1, 0)", "-(%s)", "%s^99",
                                    "none + %s", "range(0, %s, 3)", "1e300*(%s)", "%s %s", "floor(%s)",
                                    "=%s"]).replace("%s", old)


def delete(rng, tree, others):
    parent, key, _ = rng.choice(list(places(tree)))
    del parent[key]


def duplicate(rng, tree, others):
    """A second item like another, or a list that is longer than before."""
    parent, key, _ = rng.choice(list(places(tree)))
    if isinstance(parent, dict):
        parent[rng.choice([key + "2", key + "_", "a"])] = copy.deepcopy(parent[key])
    else:
        parent[key:key] = [copy.deepcopy(parent[key])] * rng.choice([1, 1, 3, 100])


def rename(rng, tree, others):
    """The key of another place, or one that is nearly right; the order stays."""
    named = [place for place in places(tree) if isinstance(place[0], dict)]
    if not named:
        return
    parent, key, _ = rng.choice(named)
    other = rng.choice(named)[1]
    new = rng.choice([other, key + "s", key[:-1] or "x", key.upper(), "x", "",
                      rng.choice(mutate.KEYS).decode("utf-8", "replace")])
    items = [(new if name == key else name, value) for name, value in parent.items()]
    parent.clear()
    parent.update(items)


def retype(rng, tree, others):
    parent, key, _ = rng.choice(list(places(tree)))
    old = parent[key]
    parent[key] = rng.choice([[old], [old, old], [old] * 3, {"x": old}, [], {}, "1", "text", "null", "true", "none",
                              "all", "auto",
                              [[old]], ["1", "2", "3"], [["0", "0", "0"], ["1", "1", "1"]]])


def lengthen(rng, tree, others):
    """A list of another length."""
    lists = [parent[key] for parent, key, _ in places(tree) if isinstance(parent[key], list)]
    if not lists:
        return
    chosen = rng.choice(lists)
    if chosen and rng.random() < 0.5:
        del chosen[rng.randrange(len(chosen))]
    else:
        chosen.append(copy.deepcopy(rng.choice(chosen)) if chosen else "1")


def refer(rng, tree, others):
    """A word becomes the name of something else in the scene, or of nothing."""
    words = [place for place in scalars(tree) if re.fullmatch(r"[A-Za-z_]+", place[0][place[1]])]
    names = [key for node in maps(tree) for key in node] + ["nobody", "ground", "any", "all"]
    if words:
        parent, key, _ = rng.choice(words)
        parent[key] = rng.choice(names)


def swap(rng, tree, others):
    found = list(places(tree))
    (a, i, p), (b, j, q) = rng.choice(found), rng.choice(found)
    if p[: len(q)] != q and q[: len(p)] != p:
        a[i], b[j] = b[j], a[i]


def copy_within(rng, tree, others):
    found = list(places(tree))
    a, i, _ = rng.choice(found)
    b, j, _ = rng.choice(found)
    a[i] = copy.deepcopy(b[j])


def cross(rng, tree, others):
    """A part of another scene: at the same path where that exists, else in a mapping of ours."""
    other = rng.choice(others)
    b, j, path = rng.choice(list(places(other)))
    part = copy.deepcopy(b[j])
    same = [place for place in places(tree) if place[2] == path]
    if same and rng.random() < 0.7:
        same[0][0][same[0][1]] = part
    elif rng.random() < 0.7 and len(path) > 1 and isinstance(tree.get(path[0]), dict):
        tree[path[0]][path[1]] = copy.deepcopy(other[path[0]][path[1]]) if isinstance(other[path[0]], dict) else part
    else:
        rng.choice(maps(tree))[str(j)] = part


def exchange_section(rng, tree, others):
    """A whole section of another scene: its stepper, walls, bodies, ..."""
    other = rng.choice(others)
    key = rng.choice(list(other))
    tree[key] = copy.deepcopy(other[key])


def merge_section(rng, tree, others):
    """The items of both."""
    other = rng.choice(others)
    key = rng.choice(list(other))
    if isinstance(tree.get(key), dict) and isinstance(other[key], dict):
        tree[key].update(copy.deepcopy(other[key]))
    else:
        tree[key] = copy.deepcopy(other[key])


# most scenes should get as far as their first step: changes that are small, or come from another scene, are the most
# frequent
WAYS = [extreme, extreme] + 8 * [boundary] + [expression, delete, delete, duplicate, rename, retype, retype, lengthen,
        refer, refer, swap, copy_within] + 4 * [cross] + 2 * [exchange_section] + 2 * [merge_section]


def change(rng, tree, others):
    """A changed copy of the tree, and the names of what was done to it."""
    tree, names = copy.deepcopy(tree), []
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        if not isinstance(tree, dict) or not scalars(tree):
            break
        way = rng.choice(WAYS)
        way(rng, tree, others)
        names.append(way.__name__)
    return tree, names
