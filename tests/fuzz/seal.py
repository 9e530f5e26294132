"""Seals files of results again after they were changed, so that they pass the digest and their contents are read.

The seal is in the first 512 bytes of an index, a frame or a checkpoint (docs/format.md); it is written here as
src/base/h5.c writes it. It tells damage, not forgery: whoever can change a file can seal it.
"""

import re
import struct

SIZE = 512
MASK = (1 << 64) - 1
START = 0x9E3779B97F4A7C15
FACTOR = 0xD6E8FEB86659FD93
BLOCK = 1 << 20
HEAD = re.compile(rb"scree ([^\n]{1,31})\n.*?note ([^\n]{0,255})\n", re.S)


def mix(h, word):
    h ^= word
    h = (h ^ h >> 32) * FACTOR & MASK
    h = (h ^ h >> 32) * FACTOR & MASK
    return h ^ h >> 32


def digest(data):
    """The digest of what stands behind the seal."""
    h = START
    for a in range(0, len(data), BLOCK):
        block = data[a : a + BLOCK]
        whole = len(block) & ~7
        for (word,) in struct.iter_unpack("<Q", block[:whole]):
            h = mix(h, word)
        h = mix(h, int.from_bytes(block[whole:], "little") ^ (len(block) - whole) << 56)
    return h


def seal(data, head=None):
    """`data` with a seal that fits. Kind and note come from `head`, the first 512 bytes of the file before it was
    changed, or from the data itself. Files without a seal are returned as they are."""
    match = HEAD.match((head or data)[:SIZE])
    if not match or len(data) < SIZE:
        return data
    text = b"scree %s\nseal 1\ndigest %016x\nlength %020d\nnote %s\n" % (
        match.group(1), digest(data[SIZE:]), len(data), match.group(2))
    return text.ljust(SIZE, b"\0") + data[SIZE:]


def sealed_digest(data):
    """The digest that the seal of a file tells, as the index stores it."""
    match = re.search(rb"\ndigest ([0-9a-f]{16})\n", data[:SIZE])
    return int(match.group(1), 16).to_bytes(8, "little") if match else None


def seal_results(old, new, index):
    """Seals what changed between two sets of files (name -> bytes), and lets the index know the new digests."""
    new = dict(new)
    for name in old:
        if name == index or name not in new or new[name] == old[name]:
            continue
        was = sealed_digest(old[name])
        new[name] = seal(new[name], old[name])
        now = sealed_digest(new[name])
        if was and now:
            new[index] = new[index][:SIZE] + new[index][SIZE:].replace(was, now)
    if new.get(index) != old[index]:
        new[index] = seal(new[index], old[index])
    return new
