"""Ways to break a text or a binary file, each a function of a random generator and the bytes so far.

mutate_text and mutate_binary apply a few of them and return the new bytes and the names of what was done.
"""

import re
import struct

EXTREMES = [
    b"0", b"-0", b"-1", b"1", b"2", b"1e308", b"-1e308", b"1e-308", b"5e-324", b"1e400", b"nan", b".nan",
    b"inf", b"-inf", b".inf", b"-.inf", b"", b"null", b"~", b"0.1", b"-0.001", b"1e-9", b"1e9", b"65536", b"2147483647",
    b"2147483648", b"4294967296", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808",
    b"18446744073709551616", b"9" * 60, b"0x7fffffff", b"1_000", b"1,5", b"1e", b"1e+", b"--1", b"+", b".",
    b"0." + b"1" * 400,
    b"1 1", b"1/0", b"true", b"auto", b"1e9999999999",
]
UNITS = [
    b"m", b"mm", b"um", b"nm", b"km", b"s", b"ms", b"us", b"ns", b"min", b"h", b"Pa", b"kPa", b"MPa", b"GPa", b"N/m",
    b"kN/m",
    b"kg", b"g", b"kg/m^3", b"g/cm^3", b"m/s", b"m/s^2", b"deg", b"rad", b"rad/s", b"K", b"parsec", b"mm mm", b"m/",
    b"/s", b"m^",
    b"m^99999999999", b"%", b"\xc2\xb5m", b"m^-1", b"1",
]
KEYS = [
    b"scree", b"title", b"domain", b"box", b"periodic", b"boundary", b"gravity", b"materials", b"density", b"young",
    b"poisson",
    b"restitution", b"friction", b"contacts", b"any", b"stiffness", b"bodies", b"from", b"to", b"material", b"radius",
    b"diameter",
    b"count", b"fraction", b"region", b"shape", b"file", b"frozen", b"walls", b"point", b"normal", b"radius_from",
    b"radius_to",
    b"stepper", b"type", b"scheme", b"time", b"end", b"step", b"output", b"every", b"checkpoint", b"fields",
    b"observers",
    b"youngsModulus", b"coefficientFriction", b"", b"<<", b"?", b"\"\"", b"a.b", b"a/b/c", b"/", b"k" * 5000,
    b"\xc3\xa9",
]
SCALARS = [b"1", b"text", b"null", b"true", b"\"\"", b"''", b"x y z", b"-", b"soft", b"glass", b"none", b"../../..",
           b".", b"/dev/null"]
LISTS = [b"[]", b"[1]", b"[1, 2]", b"[1, 2, 3]", b"[x]", b"[[0, 0, 0], [1, 1, 1]]", b"[[]]", b"[null]", b"[1, 2, 3, 4]",
         b"[{a: 1}]"]
MAPS = [b"{}", b"{a: 1}", b"{type: soft}", b"{shape: box}", b"{from: random}", b"{? [1] : 2}", b"{a: {a: {a: 1}}}"]
YAML = [
    b"&a ", b"*a", b"*none", b"!!int ", b"!!binary ", b"!x ", b"|\n", b">\n", b"---\n", b"...\n", b"%YAML 9.9\n---\n",
    b"\t", b"# ", b"\"", b"'", b": ", b"- ", b", ", b"{", b"}", b"[", b"]", b"? ", b"\\x", b"\r\n", b"\n",
]
JUNK = [
    b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x1b[2J",
    b"\x7f",
    b"\xe2\x80\xa8", b"\xc3", b"%s%n%s%n", b"\\u0000",
]

NUMBER = re.compile(rb"(?<![\w.])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
QUANTITY = re.compile(rb"(?<=\d) ?[A-Za-z][A-Za-z/^0-9]*")
KEY = re.compile(rb"(?<![A-Za-z_/])[A-Za-z_/]+(?=[ ]*:)")
VALUE = re.compile(rb"(?<=: )[^\s,{}\[\]#][^,{}\[\]\n#]*")
LIST = re.compile(rb"\[[^\[\]]*\]")
MAP = re.compile(rb"\{[^{}]*\}")


def replace_one(rng, data, pattern, new):
    """Replaces one match of the pattern, chosen at random; new is bytes or a function of the old bytes."""
    found = list(pattern.finditer(data))
    if not found:
        return data
    match = rng.choice(found)
    text = new(match.group()) if callable(new) else new
    return data[: match.start()] + text + data[match.end() :]


def somewhere(rng, data):
    return rng.randrange(len(data) + 1)


# ---- any bytes ----


def flip_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def random_bytes(rng, data):
    data = bytearray(data)
    for _ in range(rng.choice([1, 2, 8])):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def truncate(rng, data):
    return data[: rng.choice([0, 1, somewhere(rng, data), somewhere(rng, data),
                              max(0, len(data) - rng.randrange(1, 64))])]


def cut_block(rng, data):
    a = somewhere(rng, data)
    return data[:a] + data[a + rng.choice([1, 2, 8, 64, 512]) :]


def repeat_block(rng, data):
    a = somewhere(rng, data)
    block = data[a : a + rng.choice([1, 4, 32, 256])]
    b = somewhere(rng, data)
    return data[:b] + block * rng.choice([1, 2, 16]) + data[b:]


# ---- text ----


def change_lines(rng, data):
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    what = rng.randrange(5)
    if what == 0:
        del lines[a]
    elif what == 1:
        lines.insert(b, lines[a])
    elif what == 2:
        lines[a], lines[b] = lines[b], lines[a]
    elif what == 3:
        del lines[min(a, b) : max(a, b)]
    else:
        lines[a : a + 1] = [lines[a]] * rng.choice([2, 10, 1000])
    return b"".join(lines)


def change_indent(rng, data):
    lines = data.splitlines(keepends=True)
    if lines:
        a = rng.randrange(len(lines))
        lines[a] = rng.choice([b" ", b"  ", b"\t", b"      "]) + lines[a] if rng.random() < 0.5 else lines[a].lstrip()
    return b"".join(lines)


def extreme_number(rng, data):
    return replace_one(rng, data, NUMBER, rng.choice(EXTREMES))


def scale_number(rng, data):
    factor = rng.choice([-1, 0.01, 0.5, 1.5, 2, 10])

    def scaled(old):
        return repr(float(old) * factor).encode()

    return replace_one(rng, data, NUMBER, scaled)


def swap_unit(rng, data):
    return replace_one(rng, data, QUANTITY, b" " + rng.choice(UNITS))


def add_unit(rng, data):
    unit = rng.choice(UNITS)
    return replace_one(rng, data, NUMBER, lambda old: old + b" " + unit)


def rename_key(rng, data):
    def renamed(old):
        what = rng.randrange(5)
        if what == 0:
            return rng.choice(KEYS)
        if what == 1:
            return old[:-1]
        if what == 2:
            return old.upper()
        if what == 3:
            a = rng.randrange(len(old))
            return old[:a] + old[a + 1 : a + 2] + old[a : a + 1] + old[a + 2 :]
        return old + rng.choice([b"s", b"_", b"2", b"x" * 300])

    return replace_one(rng, data, KEY, renamed)


def add_key(rng, data):
    value = rng.choice(EXTREMES + SCALARS + LISTS + MAPS)
    return replace_one(rng, data, KEY, lambda old: rng.choice(KEYS) + b": " + value + rng.choice([b", ", b"\n"]) + old)


def swap_type(rng, data):
    pattern = rng.choice([VALUE, LIST, MAP])
    return replace_one(rng, data, pattern, rng.choice(rng.choice([SCALARS, LISTS, MAPS])))


def swap_values(rng, data):
    donor = VALUE.findall(data)
    return replace_one(rng, data, VALUE, rng.choice(donor)) if donor else data


def nest_deeply(rng, data):
    depth = rng.choice([5, 50, 500, 5000, 50000])
    left, right = rng.choice([(b"[", b"]"), (b"{a: ", b"}"), (b"[{a: ", b"}]"), (b"- ", b"")])
    text = left * depth + b"1" + right * rng.choice([depth, depth, depth - 1, 0])
    return replace_one(rng, data, rng.choice([VALUE, LIST, MAP]), text)


def alias_bomb(rng, data):
    lines = [b"a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for i in range(1, rng.choice([3, 9, 20])):
        lines.append(b"a%d: &a%d [%s]" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 9)))
    return b"\n".join(lines) + b"\n" + data if rng.random() < 0.5 else data + b"\n".join(lines) + b"\n"


def insert_yaml(rng, data):
    a = somewhere(rng, data)
    return data[:a] + rng.choice(YAML) + data[a:]


def insert_junk(rng, data):
    a = rng.choice([0, somewhere(rng, data), len(data)])
    return data[:a] + rng.choice(JUNK) * rng.choice([1, 1, 3, 300]) + data[a:]


def long_token(rng, data):
    text = rng.choice([b"a", b"9", b" ", b"-", b"\""]) * rng.choice([300, 5000, 100000])
    return replace_one(rng, data, rng.choice([VALUE, NUMBER, KEY]), text)


def recode(rng, data):
    what = rng.randrange(5)
    if what == 0:
        return data.replace(b"\n", b"\r\n")
    if what == 1:
        return data.replace(b"\n", b"\r")
    if what == 2:
        return data.decode("latin-1").encode("utf-16")
    if what == 3:
        return data.replace(b"  ", b"\t")
    return data + data


def change_columns(rng, data):
    """Tables: drops, repeats or swaps a column, or changes what stands between columns."""
    separator = b"," if b"," in data else b" "
    rows = [line.split(separator) for line in data.split(b"\n")]
    a, b, what = rng.randrange(11), rng.randrange(11), rng.randrange(4)
    for row in rows:
        if len(row) > max(a, b):
            if what == 0:
                del row[a]
            elif what == 1:
                row.insert(b, row[a])
            elif what == 2:
                row[a], row[b] = row[b], row[a]
    between = separator if what < 3 else rng.choice([b";", b"\t", b" , ", b",,", b"  ", b"\""])
    return b"\n".join(between.join(row) for row in rows)


COMMON = [flip_bytes, random_bytes, truncate, cut_block, repeat_block, change_lines, change_lines, extreme_number,
          extreme_number, extreme_number, scale_number, insert_junk, long_token, recode]
SCENE = COMMON + [extreme_number, swap_unit, add_unit, rename_key, rename_key, add_key, swap_type, swap_type,
                  swap_values,
                  nest_deeply, alias_bomb, insert_yaml, change_indent]
TABLE = COMMON + [extreme_number, extreme_number, change_columns, change_lines]


def mutate_text(rng, data, ways):
    """One or a few changes out of `ways`."""
    names = []
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        way = rng.choice(ways)
        data = way(rng, data)[:2000000]
        names.append(way.__name__)
    return data, names


# ---- binary ----


def zero_block(rng, data):
    a = somewhere(rng, data)
    size = rng.choice([1, 8, 64, 512, 4096])
    return data[:a] + rng.choice([b"\x00", b"\xff"]) * len(data[a : a + size]) + data[a + size :]


def extreme_word(rng, data):
    """Overwrites a whole number of 2, 4 or 8 bytes: sizes, counts and offsets like to be wrong together."""
    width = rng.choice([2, 4, 8])
    values = [0, 1, 2, 0xFF, 1 << 15, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, len(data), len(data) - 1,
              len(data) + 1, len(data) // 2, 1 << 40]
    # half of all hits go to the head of the file, where the structure is
    limit = len(data) if rng.random() < 0.5 else min(len(data), 4096)
    if limit <= width:
        return data
    a = rng.randrange(limit - width)
    value = rng.choice(values) & ((1 << 8 * width) - 1)
    return data[:a] + value.to_bytes(width, "little") + data[a + width :]


def extreme_double(rng, data):
    """Overwrites an aligned double, so that the structure stays and the numbers are wrong."""
    if len(data) < 16:
        return data
    a = 8 * rng.randrange(len(data) // 8)
    value = rng.choice([float("nan"), float("inf"), -float("inf"), 1e308, -1.0, 0.0, 5e-324, 1e9])
    return data[:a] + struct.pack("<d", value) + data[a + 8 :]


def swap_blocks(rng, data):
    size = rng.choice([8, 64, 512])
    a, b = sorted((somewhere(rng, data), somewhere(rng, data)))
    if a + size > b:
        return data
    return data[:a] + data[b : b + size] + data[a + size : b] + data[a : a + size] + data[b + size :]


def change_name(rng, data):
    """Breaks one of the names in the file: an attribute or data set that is not there."""
    return replace_one(rng, data, re.compile(rb"[A-Za-z_]{4,}"),
                       lambda old: old[:-1] + rng.choice([b"~", b"\x00", b"\xff"]))


def append_junk(rng, data):
    return data + rng.randbytes(rng.choice([1, 100, 5000]))


BINARY = [flip_bytes, flip_bytes, random_bytes, truncate, truncate, cut_block, repeat_block, zero_block, zero_block,
          extreme_word, extreme_word, extreme_word, extreme_double, extreme_double, swap_blocks, change_name,
          append_junk]


def mutate_binary(rng, data):
    names = []
    for _ in range(rng.choice([1, 1, 2, 4, 10])):
        way = rng.choice(BINARY)
        data = way(rng, data)
        names.append(way.__name__)
    return data, names
