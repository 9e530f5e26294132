#!/bin/bash
# What the documents say is true: every ```sh block of README.md and the pages listed in tools/shown runs, and prints
# what the page shows; docs/scene.md is what the program writes; every relative link leads somewhere.
#   $1 the program, $2 the source folder
set -u
scree=$(realpath "${1:?usage: cli_tutorial.sh BINARY SOURCE}") || exit 1
source=$(realpath "${2:?usage: cli_tutorial.sh BINARY SOURCE}") || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

exec /usr/bin/python3 - "$scree" "$source" "$folder" <<'END'
import os, pathlib, re, shutil, subprocess, sys

scree, source, folder = map(pathlib.Path, sys.argv[1:])
passed = failed = 0


def check(what, ok, detail=""):
    global passed, failed
    if ok:
        passed += 1
    else:
        failed += 1
        print(f"failed: {what}", *[f"    {line}" for line in str(detail).splitlines()[-25:]], sep="\n")
    return ok


# ---- output that pages show ----


def shown(*arguments):
    """Prints what fails, without the count."""
    result = subprocess.run([source / "tools/shown", *arguments], capture_output=True, text=True)
    said = result.stdout + result.stderr
    return result.returncode, re.sub(r"^\d+ passed, \d+ failed\n", "", said, flags=re.M)


# the tool sees a number that is not printed, and mends it; what changes from run to run stays open
page, right = folder / "page.md", "steps 7, 3 contacts\nspeed ... particle-steps/s in ... s\n...\ndigest 00112233445566aa\n"
prints = "echo steps 7, 3 contacts; echo speed $RANDOM particle-steps/s in 0.$RANDOM s; echo more; echo digest 00112233445566aa"
page.write_text(f"```sh\n{prints}\n```\n\n```\n{right.replace('3', '4').replace('66aa', '77bb')}```\n")
code, said = shown("--check", "/bin/true", page)
check("another number is an error", code == 1 and "not printed:" in said and "steps 7, 4 contacts" in said, said)
code, said = shown("/bin/true", page)
check("written anew", code == 0 and f"```\n{right}```\n" in page.read_text(), said + page.read_text())
check("it is right then", shown("--check", "/bin/true", page)[0] == 0)
page.write_text(page.read_text().replace("\nsteps 7, 3 contacts", "\nwho is this?"))
check("a line that nothing resembles is said, and stays", shown("/bin/true", page)[0] == 1 and "who is this?" in page.read_text())

code, said = shown("--check", scree)
check("the pages show what the program prints", code == 0, said)
print(said, end="")

# ---- the reference page ----

page = subprocess.run([scree, "schema", "--markdown"], capture_output=True, text=True).stdout
check("docs/scene.md is what `scree schema --markdown` writes ('make docs' does it)",
      page and page == (source / "docs/scene.md").read_text())

# ---- the site ----

if shutil.which("mkdocs"):
    made = subprocess.run([source / "tools/site", folder / "site"], capture_output=True, text=True)
    check("the pages make a site", made.returncode == 0 and (folder / "site/index.html").exists(), made.stdout + made.stderr)
    outside = [f"{page.name}: {found}" for page in (folder / "site").rglob("*.html")
               for found in re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"(?:https?:)?//[^\"]*", page.read_text())]
    check("nothing on the site comes from elsewhere", not outside, "\n".join(outside))
    missing = {f"{page.name}: {name}" for page in (folder / "site").rglob("*.html")
               for name in re.findall(r"<(?:script|link|img|video)[^>]*(?:src|href|poster)=\"([^\":#?]+)\"", page.read_text())
               if page.name != "404.html" and not (page.parent / name).exists()}
    check("scripts, styles and images of the site are there", not missing, "\n".join(sorted(missing)))
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
