#!/bin/bash
# The quick set of every case in cases/.
. "$(dirname "$0")/lib/cli.sh"
run reproduce --all --quick --cases "$source/cases" --quiet
cat out
same "every quantity meets its reference" 0 "$code"

# what is declared to differ is worked out where the case says: the page is there, and has that section
places() { $python - "$source" <<'PY'
import pathlib, re, sys
root = pathlib.Path(sys.argv[1])
def anchors(page):
    heads = re.findall(r"^#+ +(.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in heads}
for case in sorted(root.glob("cases/*/case.yaml")):
    for place in re.findall(r"analysis: *[\"']?([^,\"'}\n]+)", case.read_text()):
        page, _, section = place.strip().partition("#")
        if not section or not (root / page).is_file() or section not in anchors(root / page):
            print(f"{case.parent.name}: {place}")
PY
}
same "every analysis is there" "" "$(places)"
finish
