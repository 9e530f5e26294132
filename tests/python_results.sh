#!/bin/bash
# The Python package: tests/python/results.py.
. "$(dirname "$0")/lib/python.sh"
run_python results
