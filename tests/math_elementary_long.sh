#!/bin/bash
# The elementary functions on a million arguments each. $1 is the program; the test stands beside it.
exec "$(dirname "$1")/test_math_elementary" 1000000
