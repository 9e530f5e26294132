#!/usr/bin/python3
"""Makes scree/_api.py: the public headers, as cffi wants them.

  build_api.py INCLUDE OUTPUT       INCLUDE: folder of scree/scree.h, OUTPUT: the module to write

The headers are all that is known of the library: the C preprocessor expands their tables, with empty system headers,
and cffi reads the rest. The module loads the library when it is imported and needs no compiler."""
import os
import pathlib
import re
import subprocess
import sys

import cffi

BESIDE = """
FILE *open_memstream(char **text, size_t *size);
int fclose(FILE *file);
void free(void *data);
"""


def declarations(include):
    """The headers without system headers, macros and directives."""
    fake = pathlib.Path(__file__).resolve().parent / "fake"
    command = [os.environ.get("CC", "cc"), "-E", "-P", "-nostdinc", f"-I{fake}", f"-I{include}", "-x", "c", "-"]
    text = subprocess.run(command, input='#include "scree/scree.h"\n#include "scree/log.h"\n', capture_output=True,
                          text=True, check=True).stdout
    # sums of ones: cffi wants a number
    return re.sub(r"=\s*((?:\+\s*1\s*)+)", lambda found: f"= {found.group(1).count('1')}", text)


def write(include, output):
    ffi = cffi.FFI()
    ffi.cdef(declarations(include) + BESIDE)
    ffi.set_source("scree._api", None)
    output = pathlib.Path(output)
    output.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(output))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write(sys.argv[1], sys.argv[2])
