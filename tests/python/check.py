"""A test's few words: near, same, raises, and a last line that counts. Comparisons that are not numbers fail."""
import sys
import traceback

passed = failed = 0


def check(what, good, why=""):
    global passed, failed
    if good:
        passed += 1
        return
    failed += 1
    caller = traceback.extract_stack()[-2 if sys._getframe(1).f_code.co_name not in ("same", "near", "raises") else -3]
    print(f"{caller.filename}:{caller.lineno}: failed: {what}{': ' + str(why) if why else ''}")


def same(what, got, wanted):
    check(what, got == wanted, f"got {got!r}, expected {wanted!r}")


def near(what, got, wanted, tolerance):
    import numpy
    off = float(numpy.max(numpy.abs(numpy.asarray(got, dtype=float) - wanted))) if numpy.size(got) else float("nan")
    check(what, off <= tolerance, f"got {got}, expected {wanted} within {tolerance}, off by {off}")


def raises(what, kind, call, words=""):
    """Whether a call raises this, with these words; the exception."""
    try:
        call()
    except kind as problem:
        check(what, words in str(problem), f"'{words}' is not in: {problem}")
        return problem
    except Exception as problem:
        check(what, False, f"{type(problem).__name__}: {problem}")
        return None
    check(what, False, "nothing was raised")
    return None


def finish():
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)
