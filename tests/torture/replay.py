"""What a power cut may leave of files whose changes shim.c has written down.

A change reaches the disk for certain only when it is asked for: data of a file by fsync of the file, names by fsync of
their folder. Everything later may have reached it or not, each change by itself and in any order; a write may also
have reached it in part. That is more than any file system with a journal does.
"""

import os

SECTOR = 512


def read_log(path):
    """[(name, path, argument, data)]"""
    calls = []
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        name, where, argument, size = data[at:end].decode().split("\t")
        at = end + 1
        body = b""
        if name == "write":
            body = data[at : at + int(size)]
            at += int(size)
        calls.append((name, where, argument, body))
    return calls


class File:
    def __init__(self, data=b""):
        self.synced = data
        self.pending = []  # (offset, bytes), or (length, None): the file is cut there or extended

    def sync(self):
        self.synced = self.content(lambda change: True)
        self.pending = []

    def content(self, reached, torn=lambda size: size):
        data = bytearray(self.synced)
        for change in self.pending:
            if not reached(change):
                continue
            at, body = change
            if body is None:
                data = data[:at].ljust(at, b"\0")
            else:
                body = body[: torn(len(body))]
                data = data.ljust(at + len(body), b"\0")
                data[at : at + len(body)] = body
        return bytes(data)


class Folder:
    def __init__(self):
        self.synced = {}  # names that are on the disk for certain
        self.names = {}  # names as the program sees them
        self.pending = []  # [(name, file or folder or None)]: one change, several names

    def change(self, *names):
        self.pending.append(names)
        apply(self.names, names)

    def sync(self):
        self.synced = dict(self.names)
        self.pending = []

    def entries(self, reached):
        names = dict(self.synced)
        for change in self.pending:
            if reached(change):
                apply(names, change)
        return names


def apply(names, change):
    for name, item in change:
        if item is None:
            names.pop(name, None)
        else:
            names[name] = item


class Disk:
    """A folder, as it was when the record began, and then call by call."""

    def __init__(self, root):
        self.root = root
        self.top = self.load(root)

    def load(self, path):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return File(file.read())
        folder = Folder()
        for name in os.listdir(path):
            folder.synced[name] = folder.names[name] = self.load(os.path.join(path, name))
        return folder

    def find(self, path):
        item = self.top
        for part in os.path.relpath(path, self.root).split(os.sep):
            if part != ".":
                item = item.names[part]
        return item

    def place(self, path):
        return self.find(os.path.dirname(path)), os.path.basename(path)

    def do(self, call):
        name, path, argument, body = call
        if name == "sync":
            self.find(path).sync()
        elif name == "write":
            self.find(path).pending.append((int(argument), body))
        elif name == "truncate":
            self.find(path).pending.append((int(argument), None))
        elif name == "rename":
            folder, old = self.place(path)
            other, new = self.place(argument)
            assert folder is other, "results are renamed within their folder"
            folder.change((old, None), (new, folder.names[old]))
        else:
            folder, leaf = self.place(path)
            folder.change((leaf, {"create": File, "mkdir": Folder, "unlink": lambda: None}[name]()))

    def folders(self, folder=None):
        folder = folder or self.top
        yield folder
        for item in folder.names.values():
            if isinstance(item, Folder):
                yield from self.folders(item)

    def tree(self, names, data, torn=lambda size: size, folder=None):
        """{path: bytes, or None for a folder}; `names` and `data` say of each change whether it reached the disk"""
        found = {}
        for name, item in (folder or self.top).entries(names).items():
            if isinstance(item, File):
                found[name] = item.content(data, torn)
            else:
                found[name] = None
                for inner, content in self.tree(names, data, torn, item).items():
                    found[os.path.join(name, inner)] = content
        return found

    def states(self, random, count):
        """(what, tree) after a power cut now: the five extremes, and as many at random"""
        latest = [folder.pending[-1] for folder in self.folders() if folder.pending]

        def all_of(change):
            return True

        def none_of(change):
            return False

        def some_of(change):
            return random.random() < 0.5

        def part_of(size):
            return random.choice([size, size, random.randrange(0, size + 1, SECTOR)])

        yield "nothing but what was flushed", self.tree(none_of, none_of)
        yield "everything", self.tree(all_of, all_of)
        yield "names without data", self.tree(all_of, none_of)
        yield "data without names", self.tree(none_of, all_of)
        yield "of names only the last change", self.tree(lambda change: change in latest, all_of)
        for k in range(count):
            yield f"random {k}", self.tree(some_of, random.choice([some_of, none_of, all_of]), part_of)


def write_tree(tree, root):
    os.makedirs(root)
    for path, content in sorted(tree.items()):
        if content is None:
            os.mkdir(os.path.join(root, path))
        else:
            with open(os.path.join(root, path), "wb") as file:
                file.write(content)


def read_tree(root):
    found = {}
    for place, folders, files in os.walk(root):
        for name in folders:
            found[os.path.relpath(os.path.join(place, name), root)] = None
        for name in files:
            with open(os.path.join(place, name), "rb") as file:
                found[os.path.relpath(os.path.join(place, name), root)] = file.read()
    return found
