# Helpers of the tests of the Python package: `. lib/python.sh; run_python NAME` runs tests/python/NAME.py with the
# package of the build, in a folder of its own. $1 is the program and $2 the source folder. Exit 77: skipped.
set -u
export LC_ALL=C.UTF-8
scree=$(realpath "${1:?usage: $0 SCREE SOURCE}") source=$(realpath "${2:?usage: $0 SCREE SOURCE}")
build=$(dirname "$scree")
python=/usr/bin/python3

if [[ ! -e $build/python/scree/_api.py ]]; then
    echo "skipped: $python has no cffi, so there is no Python package"
    exit 77
fi
if nm "$build/libscree.a" 2>/dev/null | grep -qE '__(asan|tsan)_init'; then
    echo "skipped: the library has sanitizers, which Python has not"
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'cd /; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
export PYTHONPATH=$build/python:$source/tests/python SCREE_PROGRAM=$scree SCREE_SOURCE=$source MPLBACKEND=Agg \
    PYTHONDONTWRITEBYTECODE=1
export OMP_WAIT_POLICY=passive
unset SCREE_LIBRARY

run_python() {
    "$python" -X faulthandler -W error::RuntimeWarning "$source/tests/python/$1.py" "${@:2}"
}
