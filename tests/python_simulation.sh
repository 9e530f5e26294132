#!/bin/bash
# The Python package: tests/python/simulation.py.
. "$(dirname "$0")/lib/python.sh"
run_python simulation
