#!/bin/bash
# The scripts of docs/python/ run and find what they say: tests/python/scripts.py runs them and reads their words.
. "$(dirname "$0")/lib/python.sh"
run_python scripts
