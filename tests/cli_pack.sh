#!/bin/bash
# Results as one file: packed, listed by tar, unpacked elsewhere, the same bits; what is missing is said; forged
# archives write nothing.
. "$(dirname "$0")/lib/cli.sh"

cat >a.yaml <<'YAML'
scree: 1
domain: {box: [[0, 0, 0], [1, 1, 1]]}
materials: {glass: {density: 2500, restitution: 0.6, friction: 0.4}}
contacts: {any: {stiffness: 1000}}
bodies: {grains: {from: positions, material: glass, radius: 0.1, positions: [[0.3, 0.5, 0.3], [0.7, 0.5, 0.5]]}}
time: {end: 2 ms}
output: {every: 1 ms, checkpoint: 1 ms}
YAML
must "a run" run a.yaml --quiet --output a.h5

# ---- the way there and back ----

must "pack" pack a.h5
same "the name is printed" a.h5.tar "$(cat out)"
same "tar knows what is in it" "$(echo a.h5; cd a.h5.data && ls | sed 's/^/a.h5.data\//' | LC_ALL=C sort -r)" \
    "$(tar tf a.h5.tar | { read -r first; echo "$first"; LC_ALL=C sort -r; })"
mkdir there by-tar
must "unpack" unpack a.h5.tar --output there
same "the index is printed" there/a.h5 "$(cat out)"
check "the same files" diff -r a.h5.data there/a.h5.data
check "the same index" cmp a.h5 there/a.h5
check "tar unpacks it too" tar xf a.h5.tar -C by-tar
check "to the same files" diff -r there by-tar
must "what was unpacked can be read" info there/a.h5
must "and continued" run a.yaml --quiet --resume there/a.h5 --set time.end='3 ms'
must "packed again" pack a.h5
must "by another name" pack a.h5 --output b.tar
same "it is the same" "$(cksum <a.h5.tar)" "$(cksum <b.tar)"

# ---- what is refused ----

runs "nothing is overwritten" 2 unpack a.h5.tar --output there
says err "there/a.h5: error: exists and is not overwritten"
rm there/a.h5
runs "a folder neither" 2 unpack a.h5.tar --output there
says err "there/a.h5.data: error: exists"
check "no index was left" test ! -e there/a.h5 -a -z "$(ls there | grep unpacked)"
for command in "info a.h5.tar" "export a.h5.tar" "run a.yaml --from a.h5.tar --output no.h5"; do
    # shellcheck disable=SC2086
    runs "packed results cannot be read: $command" 2 $command
    says err "holds packed results: \`scree unpack\`"
done
runs "a scene is no output" 2 pack a.h5 --output a.yaml --force
says err "a scene"
runs "results are not unpacked" 2 unpack a.h5
runs "nor is a scene" 2 unpack a.yaml
runs "nor what is not there" 2 unpack none.tar
says err "No such file"

# ---- what is missing ----

mkdir alone
cp a.h5 alone
must "an index alone is shown" info alone/a.h5
says err "warning: the folder alone/a.h5.data is missing"
says err "Copy both"
says err "scree pack"
for command in "export alone/a.h5 --output e" "render alone/a.h5 --output e.png" "run a.yaml --resume alone/a.h5" \
    "pack alone/a.h5"; do
    # shellcheck disable=SC2086
    runs "an index alone: $command" 2 $command
    says err "the folder alone/a.h5.data is missing"
says err "scree pack"
done
cp -r a.h5.data alone
rm alone/a.h5.data/frame-00000001.h5
runs "a frame is missing" 2 pack alone/a.h5 --output no.tar
says err "frame-00000001.h5 is missing in alone/a.h5.data"
check "nothing was written" test ! -e no.tar -a ! -e no.tar.part

# ---- damaged and forged archives: nothing is written ----

"$python" - a.h5.tar >names <<'END'
import io, random, sys, tarfile
whole = open(sys.argv[1], "rb").read()
made = 0
def put(data):
    global made
    name = "bad%03d.tar" % made
    open(name, "wb").write(data)
    print(name)
    made += 1
for length in [0, 100, 512, 700, 5000, len(whole) // 2, len(whole) - 1500]:
    put(whole[:length])
rng = random.Random(1)
for _ in range(20):
    a = rng.randrange(len(whole) - 2048)
    put(whole[:a] + bytes([whole[a] ^ 1 << rng.randrange(8)]) + whole[a + 1:])
members = [(m, tarfile.open(sys.argv[1]).extractfile(m).read()) for m in tarfile.open(sys.argv[1])]
def again(change):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for k, (m, data) in enumerate(members):
            info = tarfile.TarInfo(m.name)
            info.size = len(data)
            if change(k, info):
                tar.addfile(info, io.BytesIO(data) if info.isreg() else None)
    put(out.getvalue())
def rename(n, name):
    def change(k, info):
        if k == n: info.name = name
        return True
    return change
for name in "../a.h5", "/dev/shm/a.h5", "sub/a.h5", ".a.h5":
    again(rename(0, name))
for name in "../evil", "a.h5.data/../../evil", "/dev/shm/evil", "b.h5.data/x", "evil", "a.h5.data/.hidden":
    again(rename(2, name))
again(lambda k, info: k != 2)  # a file is missing
again(lambda k, info: k != 0)  # the index is
def link(kind):
    def change(k, info):
        if k == 1: info.type, info.linkname, info.size = kind, "/etc/passwd", 0
        return True
    return change
for kind in tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.FIFOTYPE:
    again(link(kind))
END
number "forged archives" "$(wc -l <names)" 40 100
mkdir -p in/here
bad=0
while read -r name; do
    run unpack "$name" --output in/here
    left=$(find in -mindepth 1 ! -path in/here)
    if [[ $code != 2 || -n $left || ! -s err ]]; then
        # a bit in a time, an owner or the like changes nothing that is unpacked
        if [[ $code == 0 ]] && diff -r in/here by-tar >/dev/null; then rm -rf in/here/*; continue; fi
        fail "$name: exit code $code, left: $left"
        bad=$((bad + 1))
        rm -rf in && mkdir -p in/here
    fi
done <names
same "all are refused, and leave nothing" 0 "$bad"
check "nothing was written elsewhere" test ! -e evil -a ! -e /dev/shm/evil -a ! -e in/evil
# names that a terminal must not get, files that are no results, folders that are not there yet
/usr/bin/python3 - a.h5.tar <<'END'
import io, sys, tarfile
with tarfile.open(sys.argv[1]) as tar:
    members = [(m, tar.extractfile(m).read()) for m in tar.getmembers()]
def write(path, members):
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
first, rest = members[0], [(m.name, data) for m, data in members[1:]]
write("terminal.tar", [("\x1b]0;x\x07.h5", first[1])] + rest)
write("script.tar", [(first[0].name, first[1]), (rest[0][0].rsplit("/", 1)[0] + "/evil.sh", b"x")] + rest)
END
runs "a name with terminal codes" 2 unpack terminal.tar --output strange
check "leaves nothing" test ! -e strange
runs "a file that is no part of results" 2 unpack script.tar --output strange
check "leaves nothing either" test ! -e strange
must "a folder that is not there is made" unpack a.h5.tar --output strange
must "and its results can be read" info strange/a.h5
finish
