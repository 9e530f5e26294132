#!/bin/bash
# `pip install .` without a network, from the build that is there: the package, the library and the program inside it
# work alone.
. "$(dirname "$0")/lib/python.sh"
if ! "$python" -c 'import setuptools, wheel, pip' 2>/dev/null; then
    echo "skipped: $python has no pip, setuptools or wheel"
    exit 77
fi
passed=0 failed=0
check() {
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $1"
        tail -n 20 log
    fi
}
export SCREE_BUILD=$build HOME=$folder PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
before=$(cd "$source" && git status --porcelain 2>/dev/null)
check "pip install ." "$python" -m pip install "$source" \
    --no-build-isolation --no-index --no-deps --target "$folder/site" >log 2>&1
unset SCREE_PROGRAM
cat >try.py <<'PYTHON'
import os
import scree
assert scree.__file__.startswith(os.environ["PYTHONPATH"]), scree.__file__
sim = scree.Simulation(scree.example("drop"))
sim.advance(10)
assert sim.step == 10 and len(sim.grains) > 0
assert scree.program().startswith(os.environ["PYTHONPATH"])
print(scree.__version__, f"{sim.digest:016x}")
PYTHON
export PYTHONPATH=$folder/site
check "it imports and steps" "$python" try.py >said 2>log
check "with the version of the program" grep -q "^$("$scree" version | awk '{print $2; exit}') " said
check "its program runs" test "$("$python" -m scree version 2>log)" = "$("$scree" version)"
check "the source folder is as it was" test "$before" = "$(cd "$source" && git status --porcelain 2>/dev/null)"
echo "$passed passed, $failed failed"
((failed == 0))
