#!/bin/bash
# What the documents say is true: every ```sh block of README.md and the pages listed below runs, and prints what the
# page shows; docs/scene.md is what the program writes; every relative link leads somewhere.
#   $1 the program, $2 the source folder
#
# A line that ends with `# fails on purpose` must end with exit code 2. In the output that a page shows, `...`
# stands for anything, and numbers may differ (the page is no test of physics), but lines with `error:` may
# not, and digests that are equal on the page must be equal here.
set -u
scree=$(realpath "${1:?usage: cli_tutorial.sh BINARY SOURCE}") || exit 1
source=$(realpath "${2:?usage: cli_tutorial.sh BINARY SOURCE}") || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

# the program under its own name; threads that sleep while they wait leave the machine to other tests
mkdir "$folder/bin"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$scree" >"$folder/bin/scree"
chmod +x "$folder/bin/scree"
export PATH="$folder/bin:$PATH" SCREE="$source" OMP_WAIT_POLICY=passive

exec /usr/bin/python3 - "$source" "$folder" <<'END'
import os, pathlib, re, shutil, subprocess, sys

source, folder = map(pathlib.Path, sys.argv[1:])
passed = failed = 0


def check(what, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"failed: {what}", *[f"    {line}" for line in str(detail).splitlines()[-25:]], sep="\n")
    return ok


# ---- blocks ----


def blocks(path):
    """(language, first line, text) of every fenced block."""
    found, language, start, lines = [], None, 0, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = re.match(r"```(\w*)\s*$", line)
        if fence and language is None:
            language, start, lines = fence.group(1), number, []
        elif fence:
            found.append((language, start, "\n".join(lines) + "\n"))
            language = None
        elif language is not None:
            lines.append(line)
    return found


def script(text):
    """The block as bash: stops at the first failure; a line that fails on purpose must give 2."""
    lines = ["set -eu"]
    for line in text.splitlines():
        wrong = re.match(r"(.*\S)\s+# fails on purpose$", line)
        lines.append(f"code=0; {wrong.group(1)} || code=$?; test $code = 2" if wrong else line)
    return "\n".join(lines) + "\n"


def run(text, where):
    return subprocess.run(["bash", "-c", script(text)], cwd=where, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=300)


# ---- output that a page shows ----

digests = {}  # on the page: here


def pattern(line):
    """A line of shown output as a regular expression."""
    parts = re.split(r"(\.\.\.|[-+]?\d[\d.]*(?:e[-+]?\d+)?)", line.strip())
    exact = "error:" in line
    text = ""
    for part in parts:
        if part == "...":
            text += ".*"
        elif not exact and re.match(r"[-+]?\d", part):
            text += r"[-+]?\d[\d.]*(?:e[-+]?\d+)?"
        else:
            text += re.escape(part)
    return text


def shown(line, output):
    digest = re.match(r"digest ([0-9a-f]{16})$", line)
    if digest:
        here = re.findall(r"^digest ([0-9a-f]{16})$", output, re.M)
        return bool(here) and digests.setdefault(digest.group(1), here[-1]) == here[-1]
    return line.strip() in ("", "...") or any(re.fullmatch(pattern(line), o.strip()) for o in output.splitlines())


def document(name):
    where = folder / name.replace("/", "-")
    where.mkdir()
    output, ran = None, 0
    for language, line, text in blocks(source / name):
        place = f"{name}:{line}"
        if language == "sh":
            if "h5py" in text and subprocess.run(["/usr/bin/python3", "-c", "import h5py"], capture_output=True).returncode:
                print(f"{place} was not run: /usr/bin/python3 has no h5py")
                output = None
                continue
            result = run(text, where)
            output, ran = result.stdout, ran + 1
            check(f"{place} runs", result.returncode == 0, f"exit code {result.returncode}\n{output}")
        elif language == "" and output is not None:
            missing = [l for l in text.splitlines() if not shown(l, output)]
            check(f"{place} shows what the commands print", not missing,
                  "not printed:\n" + "\n".join(missing) + "\nprinted:\n" + output)
            output = None
        elif language == "yaml":
            known = [path.read_text() for path in sorted(where.glob("*.yaml")) + sorted((source / "docs").glob("*/*.yaml"))]
            known += [subprocess.run(["scree", "init", "drop", "--output", where / "shown.yaml"], capture_output=True).stdout.decode()]
            if (where / "shown.yaml").exists():
                known.append((where / "shown.yaml").read_text())
                (where / "shown.yaml").unlink()
            check(f"{place} is part of a scene that runs", any(text in k for k in known), text)
    check(f"{name} has commands", ran > 0)


document("README.md")
document("docs/start.md")
document("docs/tutorial.md")
document("docs/coming-from.md")

# ---- keys that pages name as section.key ----

for name in ["docs/coming-from.md"]:
    keys = sorted(set(re.findall(r"`([a-z]+\.[a-z_]+)`", (source / name).read_text())))
    unknown = [key for key in keys if subprocess.run(["scree", "help", key], capture_output=True).returncode]
    check(f"{name} names keys that exist", keys and not unknown, "unknown: " + ", ".join(unknown))

# ---- the reference page ----

page = subprocess.run(["scree", "schema", "--markdown"], capture_output=True, text=True).stdout
check("docs/scene.md is what `scree schema --markdown` writes ('make docs' does it)",
      page and page == (source / "docs/scene.md").read_text())

# ---- the site ----

if shutil.which("mkdocs"):
    made = subprocess.run([source / "tools/site", folder / "site"], capture_output=True, text=True)
    check("the pages make a site", made.returncode == 0 and (folder / "site/index.html").exists(), made.stdout + made.stderr)
    outside = [f"{page.name}: {found}" for page in (folder / "site").rglob("*.html")
               for found in re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*", page.read_text())]
    check("nothing on the site comes from elsewhere", not outside, "\n".join(outside))
else:
    print("the site was not built: there is no mkdocs")

# ---- links ----


def pages():
    for base, folders, names in os.walk(source):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")) and f not in ("out", "node_modules") and not f.endswith(".data"))
        yield from (pathlib.Path(base) / n for n in sorted(names) if n.endswith(".md"))


def prose(path):
    text = re.sub(r"^```.*?^```\s*$", "", path.read_text(), flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", lambda m: "x" * len(m.group()), text)


def anchors(path):
    """Names of the headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```\s*$", "", path.read_text(), flags=re.M | re.S)
    return {re.sub(r"[^\w\- ]", "", h.strip().lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M)}


broken, links = [], 0
for path in pages():
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        if re.match(r"[a-z]+:", target):
            continue
        links += 1
        name, _, anchor = target.partition("#")
        goal = (path.parent / name).resolve() if name else path
        if not goal.exists():
            broken.append(f"{path.relative_to(source)}: {target}: there is no such file")
        elif anchor and anchor not in anchors(goal):
            broken.append(f"{path.relative_to(source)}: {target}: there is no such heading")
check("there are links to follow", links > 0)
check("every relative link leads somewhere", not broken, "\n".join(broken))

print(f"{passed} passed, {failed} failed")
sys.exit(failed > 0)
END
