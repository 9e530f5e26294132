#!/bin/bash
# What tools/mutants would change: operators, numbers and statements of code, never comments, texts or declarations; the
# same choice for the same seed, whatever stands around a line. $2 is the source folder.
. "$(dirname "$0")/lib/cli.sh"

cat >try.py <<'PYTHON'
import importlib.machinery, importlib.util, pathlib, sys
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("mutants", sys.argv[1] + "/tools/mutants")
m = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutants", loader))
loader.exec_module(m)

def tried(line):
    return sorted(changed.strip() for _, changed in m.changes("    " + line))

def check(what, good):
    print("ok" if good else "WRONG", what)

check("operators", tried("x = a + b;") == [";", "x = a - b;"])
check("comparisons", tried("if (a < b) f();") == ["if (a <= b) f();", "if (a >= b) f();"])
check("signs and negations", tried("return !done ? -a : b;") == ["return !done ? a : b;", "return done ? -a : b;"])
check("numbers", tried("return v[0];") == ["return v[1];"] and tried("return 1e-3;") == ["return 0.002;", "return 1.001;"])
check("maxima", tried("return fmax(a, b);") == ["return fmin(a, b);"])
check("pointers and addresses stay", tried("const double *x = &y[k];") == [])

root = pathlib.Path("tree")
(root / "src/step").mkdir(parents=True)
text = ["#define ONE 1", "/* 1 + 1", "   2 < 3 */", "int f(int a)", "{", '    puts("1 + 1"); // 2 - 1', "    double v[4];", "    assert(a > 0);",
        "    return a + 2; // a + 1", "}"]
(root / "src/step/a.c").write_text("\n".join(text))
m.ROOT = root
one = list(m.mutants_of("src/step/a.c", 1))
check("comments, texts, declarations and asserts stay", {x.number for x in one} == {9})
check("the comment behind a change stays", all(x.after.endswith("// a + 1") for x in one) and len(one) == 3)
(root / "src/step/a.c").write_text("\n".join(["#include <math.h>", ""] + text))
two = list(m.mutants_of("src/step/a.c", 1))
check("the choice does not depend on the number of the line", [x.key for x in one] == [x.key for x in two] and two[0].number == 11)
check("but on the seed", one[0].key != list(m.mutants_of("src/step/a.c", 2))[0].key)
PYTHON
must_pass=$("$python" try.py "$source" 2>err)
while read -r verdict what; do check "$what" test "$verdict" = ok; done <<<"$must_pass"
same "all was looked at" 10 "$(grep -c . <<<"$must_pass")"

code=0
"$python" "$source/tools/mutants" --list --count 300 >list 2>err || code=$?
same "each entry of tools/mutants-equivalent fits a line: exit code 0" 0 "$code"
"$python" "$source/tools/mutants" --list --count 300 >again
check "the same choice again" cmp list again
number "mutants" "$(grep -c '^src/' list)" 300 300
for folder in kernel collide solve step; do number "of $folder" "$(grep -c "^src/$folder/" list)" 10 290; done
finish
