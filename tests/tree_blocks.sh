#!/bin/bash
# The rule of src/world/blocks.h: nobody makes blocks of bodies from row numbers, loops of the soft step go over
# blocks, and what scr_reduce joins has no order, where ranks may divide the world. $2 is the source folder.
set -u
passed=0
failed=0

# prints file:line of what breaks it in the tree at $1
violations() {
    /usr/bin/python3 - "$1" <<'END'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
# who may know the length of a block: blocks themselves and their checks, where ranks begin at a sort, cells of elastic
# solids, which keep their rows for life
knows = ("src/world/blocks.", "src/world/checkpoint.c", "src/comm/migrate.c", "src/comm/cells.c", "src/step/elastic/")
# writes each row by itself
single = {("src/step/soft/cuda/state.c", "b->drift[4 * i + 3] = 0")}
# what scr_reduce adds up: whole numbers and exact sums; doubles of a box that deforms, whose world has one rank
joins = {("src/collide/grid.c", "join_levels"), ("src/collide/tidy.c", "join_fates"),
         ("src/collide/box.c", "join_swarms"), ("src/collide/box.c", "join_passages"),
         ("src/collide/box.c", "join_gains"), ("src/step/soft/cpu/box.c", "join")}
# worlds that are not divided
undivided = ("src/step/nonsmooth/", "src/step/variational/", "src/step/equilibrium/")
aside = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)
loop = re.compile(r"\bfor \(.*<=? *[\w.>-]*\b(?:bodies|b)(?:\.|->)table\.count")
for path in sorted(p for p in root.glob("src/**/*") if p.suffix in (".c", ".h", ".cu")):
    name = str(path.relative_to(root))
    text = aside.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), path.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        cuts = re.search(r"\bSCR_BLOCK\b", line) and not name.startswith(knows)
        loops = name.startswith("src/step/soft/") and loop.search(line) and not any(
            name == file and words in line for file, words in single)
        if cuts or loops:
            print(f"{name}:{number}: {line.strip()}")
    for join in re.finditer(r"\bvoid (\w+)\(void \*\w+, const void \*\w+\)\n\{(.*?)\n\}", text, re.S):
        adds = "+=" in join.group(2) and "scr_reduce(" in text and not name.startswith(undivided)
        if adds and (name, join.group(1)) not in joins:
            print(f"{name}: {join.group(1)} adds up")
END
}

check() {
    if [[ $2 == "$3" ]]; then passed=$((passed + 1)); else failed=$((failed + 1));
    printf 'failed: %s\n%s\n' "$1" "$3"; fi
}

# the checker sees what it must
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder"/src/{step/soft/cpu,step/elastic,world}
printf \
    'for (size_t i = 0; i < w->bodies.table.count; i++) sum += x[i];\nfor (k = 0; k < w->bonds.table.count; k++) f(k);\n' >"$folder/src/step/soft/cpu/a.c"
printf 'size_t b = row / SCR_BLOCK; // SCR_BLOCK\n' >"$folder/src/world/b.c"
printf 'size_t b = cell / SCR_BLOCK;\n' >"$folder/src/step/elastic/c.h"
printf \
    'static void join(void *all, const void *part)\n{\n    *(double *)all += *(double *)part;\n}\nscr_reduce(n, f, join, c, &x, 8);\n' \
    >"$folder/src/world/d.c"
check "what is found" 'src/step/soft/cpu/a.c:1: for (size_t i = 0; i < w->bodies.table.count; i++) sum += x[i];
src/world/b.c:1: size_t b = row / SCR_BLOCK;
src/world/d.c: join adds up' "$(violations "$folder")"

check "blocks of bodies are those of the world" "" "$(violations "$2")"
echo "$passed passed, $failed failed"
exit $((failed > 0))
