#!/bin/bash
# The same bits on every machine: what makes the state or the numbers of results calls no function of the C library
# whose last bit depends on the processor or on the library's version. src/math/elementary.h has our own. $2 is the
# source folder. (sqrt and fma are correctly rounded everywhere.) Pictures (src/show) and the viewer may use the
# library's.
set -u
passed=0
failed=0
names='exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|lgamma|tgamma'

# prints file:line of every use of such a name in the tree at $1, as a call or as a function to be called
violations() {
    /usr/bin/python3 - "$1" "$names" <<'END'
import pathlib, re, sys
root, names = pathlib.Path(sys.argv[1]), sys.argv[2]
# comments and texts are blanked, the lines stay
aside = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)
call = re.compile(rf"(?<![\w.>])(?:{names})[fl]?\s*\(|[,=]\s*(?:{names})[fl]?\s*[,;}}]")
for path in sorted(root.glob("src/*/**/*.[ch]*")):
    if path.parts[len(root.parts) + 1] in ("show", "view"):
        continue
    text = aside.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        # a variable of that name is no call
        if call.search(line) and not re.search(rf"\b(?:double|int|real)\b[^;(]*\b(?:{names})\b\s*[,;=]", line):
            print(f"{path.relative_to(root)}:{number}: {line.strip()}")
END
}

check() {
    if [[ $2 == "$3" ]]; then passed=$((passed + 1)); else failed=$((failed + 1));
    printf 'failed: %s\n%s\n' "$1" "$3"; fi
}

# the checker sees what it must
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/src/{step/soft,show}
printf 'double a(double x)\n{\n    return sin(x); // cos(x)\n}\n' >"$folder/src/step/soft/a.c"
printf 'double b(double x)\n{\n    return sin(x);\n}\n' >"$folder/src/show/b.c"
printf \
    '/* sin(x) */\nf g[] = {{"sin", 1, tan, 0}};\ndouble c(double x)\n{\n    return scr_sin(x) + a.exp(x) + sqrt(x);\n}\n' >"$folder/src/step/c.h"
check "what is found" 'src/step/c.h:2: f g[] = {{     , 1, tan, 0}};
src/step/soft/a.c:3: return sin(x);' "$(violations "$folder")"

check "no call whose last bit is the machine's" "" "$(violations "$2")"

echo "$passed passed, $failed failed"
exit $((failed > 0))
