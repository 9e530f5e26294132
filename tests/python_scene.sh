#!/bin/bash
# The Python package: tests/python/scene.py.
. "$(dirname "$0")/lib/python.sh"
run_python scene
