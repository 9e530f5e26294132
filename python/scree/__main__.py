"""`python3 -m scree ...` is the command line program."""
import os
import sys

from ._library import program

name = program()
if name is None:
    sys.exit("the program `scree` was not found: set SCREE_PROGRAM to its path")
os.execv(name, ["scree", *sys.argv[1:]])
