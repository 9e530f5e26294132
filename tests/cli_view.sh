#!/bin/bash
# `scree view`: what the server answers, and to whom. The client in a browser is tested by viewer_browser.sh.
. "$(dirname "$0")/lib/cli.sh"

# start_view ARGUMENTS...: $viewer is its process, $address where it is
start_view() {
    rm -f address
    "$scree" view "$@" --no-open >address 2>err &
    viewer=$!
    for _ in {1..400}; do
        [[ -s address ]] && break
        kill -0 $viewer 2>/dev/null || break
        sleep 0.05
    done
    address=$(head -n 1 address)
}
# stop_view SIGNAL: $code is its exit code
stop_view() {
    kill -"$1" $viewer
    code=0
    wait $viewer || code=$?
}

cat >three.yaml <<'END'
scree: 1
title: three grains
domain: {box: [[0, 0, 0], [1, 1, 1]]}
materials: {glass: {density: 2500 kg/m^3, restitution: 0.6, friction: 0.4}}
contacts: {any: {overlap: 1 %}}
bodies:
  pair: {from: positions, material: glass, radius: 0.1, positions: [[0.3, 0.5, 0.0999], [0.7, 0.5, 0.5]]}
  third: {from: positions, material: glass, radius: 0.05, position: [0.5, 0.5, 0.9]}
bonds: {beam: {between: pair, young: 1e6 Pa, gap: 0.5}}
walls: {floor: {shape: plane, material: glass, point: [0, 0, 0], normal: [0, 0, 1]}}
time: {end: 20 ms}
output: {every: 10 ms, contacts: true}
END
must "a run" run three.yaml --quiet
start_view three.h5
if [[ -z $address ]] && grep -q 'built without its viewer' err; then
    cat err
    stop_view TERM 2>/dev/null
    exit 77
fi
cleanup+=("kill $viewer 2>/dev/null")
matches address '^http://127\.0\.0\.1:[0-9]+/$' "the address is printed"

"$python" - "$address" three.h5 >out 2>err <<'END'
import http.client, json, socket, struct, sys, urllib.parse

at = urllib.parse.urlparse(sys.argv[1])
passed = failed = 0

def check(what, good):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    if not good:
        print("FAILED:", what)

def ask(path, method="GET", **headers):
    c = http.client.HTTPConnection(at.hostname, at.port, timeout=20)
    c.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    r = c.getresponse()
    body = r.read()
    c.close()
    return r, body

def block(path):
    r, body = ask(path)
    assert r.status == 200, (path, r.status, body[:200])
    assert body[:8] == b"scview1\0"
    arrays, p = {}, 8
    while p < len(body):
        name = body[p:p + 16].split(b"\0")[0].decode()
        kind, width, rows = struct.unpack_from("<IIQ", body, p + 16)
        size = [4, 4, 8][kind] * width * rows
        arrays[name] = struct.unpack_from(f"<{width * rows}{'fId'[kind]}", body, p + 32)
        p += 32 + (size + 7) // 8 * 8
    return arrays

def near(a, b):
    return len(a) == len(b) and all(abs(x - y) < 1e-6 for x, y in zip(a, b))

# the page, and what it may load
r, body = ask("/")
check("the page", r.status == 200 and r.getheader("Content-Type").startswith("text/html") and b"app.js" in body)
policy = r.getheader("Content-Security-Policy")
loads, _, showers = policy.partition("frame-ancestors ")
check("a policy without other hosts", "default-src 'none'" in loads and "http" not in loads and "*" not in loads)
check("pages of this machine may show it, no others", set(showers.split()) == {"'self'", *(f"{scheme}://{host}:*" for scheme in ("http", "https") for host in ("localhost", "127.0.0.1"))})
check("no sniffing", r.getheader("X-Content-Type-Options") == "nosniff")
style = ask("/app.css")[1].replace(b"http://www.w3.org/2000/svg", b"")  # a name in drawings, which nobody loads
check("a script", len(ask("/app.js")[1]) > 100000 and b"http" not in style)

# the run
r, body = ask("/api/run")
run = json.loads(body)
tag = r.getheader("ETag")
check("title, frames", run["title"] == "three grains" and run["times"] == [0, 0.01, 0.02] and run["bodies"] == [3, 3, 3])
check("it is not running", run["live"] is False)
fields = {f["by"]: f for f in run["fields"]}
check("fields", {"speed", "radius", "height", "coordination", "pressure", "displacement", "spin"} <= set(fields))
check("units", fields["speed"]["unit"] == "m/s" and fields["coordination"]["unit"] == "")
check("contacts and bonds are there", run["contacts"] and run["bonds"])
check("a ledger", run["series"][0]["kind"] == "ledger" and run["series"][0]["columns"][0]["name"] == "time")
check("maps as scree render has them", run["maps"]["viridis"].startswith("63409e"))
r, body = ask("/api/run", If_None_Match=tag)
check("nothing new", r.status == 304 and not body)
check("the scene", b"three grains" in ask("/api/scene")[1])

# frames: places from the origin, the middle of the domain
f = block("/api/frame/0")
check("grains", near(f["grains"], [-0.2, 0, -0.4001, 0.1, 0.2, 0, 0, 0.1, 0, 0, 0.4, 0.05]) and f["ids"] == (1, 2, 3))
check("values", near(block("/api/frame/0/values?by=radius")["grains"], [0.1, 0.1, 0.05]))
check("derived values", near(block("/api/frame/0/values?by=coordination")["grains"], [1, 0, 0]))
fallen = block("/api/frame/2/values?by=displacement")["grains"]
check("displacement in free fall, 9.81 t^2/2", abs(fallen[2] - 9.81 / 2 * 0.02 ** 2) < 2e-7)
check("a floor", near(block("/api/frame/0/walls")["faces"][:8], [0, 0, -0.5, -0.5, -0.5, 0, 0, 1]))
c = block("/api/frame/0/contacts")["contacts"]
check("a contact that pushes", len(c) == 8 and abs(c[5] + 0.5) < 1e-3 and c[6] > 0)
p = block("/api/frame/0/values?by=pressure")["grains"]
check("its pressure, f r/(3 V)", abs(p[0] / (c[6] * 0.1 / (4 * 3.14159265 * 0.1 ** 3)) - 1) < 2e-3 and p[1] == p[2] == 0)
check("a bond", block("/api/frame/0/bonds")["bonds"] == (0, 1))
check("a series", len(block("/api/series/0")["0"]) == run["series"][0]["rows"])
one = json.loads(ask("/api/frame/1/grain/3")[1])
check("a grain by id", {v["name"]: v["value"] for v in one["views"]}["radius"] == [0.05])
speed = json.loads(ask("/api/frame/1/grain/3?by=speed")[1])["value"]
check("its speed, 9.81 t", abs(speed - 0.0981) < 1e-4)
r, body = ask("/api/frame/0")
check("frames have tags", ask("/api/frame/0", If_None_Match=r.getheader("ETag"))[0].status == 304)
check("other frames have others", ask("/api/frame/1", If_None_Match=r.getheader("ETag"))[0].status == 200)
check("HEAD", ask("/api/frame/0", "HEAD")[0].status == 200)

# what is not there, and what is refused
for path in ("/api/frame/3", "/api/frame/-1", "/api/frame/x", "/api/frame/0/none", "/api/series/9x", "/etc/passwd",
             "/../three.yaml", "/%2e%2e/three.yaml", "/api/../three.h5", "/three.h5", "/api/frame/99999999999999999999"):
    r, body = ask(path)
    check("nothing at " + path, r.status == 404 and "error" in json.loads(body))
r, body = ask("/api/frame/0/values?by=colour")
check("an unknown field is named", r.status == 422 and "colour" in json.loads(body)["error"])
check("no such grain", ask("/api/frame/0/grain/77")[0].status == 422)
check("no such series", ask("/api/series/7")[0].status == 422)
check("no solids", ask("/api/frame/0/cells")[0].status == 422)
check("other hosts", ask("/api/run", Host="example.org")[0].status == 403)
check("localhost", ask("/api/run", Host="localhost:1234")[0].status == 200)
for method in ("POST", "PUT", "DELETE"):
    check(method, ask("/api/run", method)[0].status == 405)
idle = [socket.create_connection((at.hostname, at.port)) for _ in range(100)]
for s in idle:
    s.sendall(b"GET /api/run")
check("behind 100 that do not go on", ask("/api/run")[0].status == 200)
print(passed, failed)
END
read -r good bad < <(tail -n 1 out)
number "answers that are right" "${good:-0}" 49 49
same "answers that are wrong" 0 "${bad:-none}"

# only this machine: it listens on 127.0.0.1 and nowhere else (the kernel's list is in hexadecimal, lowest byte first)
port=$(printf '%04X' "$(grep -oE '[0-9]+/$' address | tr -d /)")
same "where it listens" "0100007F:$port" \
    "$(awk -v p=":$port" '$4 == "0A" && substr($2, length($2) - 4) == p {print $2}' /proc/net/tcp /proc/net/tcp6)"
stop_view INT
same "Ctrl-C ends it in order" 0 "$code"

# a port that is taken
start_view three.h5
runs "a port that is taken" 1 view three.h5 --no-open --port "$(grep -oE '[0-9]+/$' address | tr -d /)"
says err "cannot listen on 127.0.0.1"
stop_view INT

# beside a run: it stays when the run has ended, until Ctrl-C, which reaches both
answers() { "$python" -c 'import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1] + "api/run").status)' \
    "$(grep -oE 'http:.*' words)" 2>/dev/null; }
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
setsid "$scree" run three.yaml --force --view --port $port --no-open --output beside.h5 >words 2>err &
beside=$!
cleanup+=("kill -9 -- -$beside 2>/dev/null")
for _ in {1..200}; do grep -q ^results words && grep -q ^http words && break; sleep 0.05; done
says words "results beside.h5" "the run has ended"
says words "http://127.0.0.1:$port/" "its viewer is at the port that was asked for"
same "its viewer answers" 200 "$(answers)"
kill -INT -- -$beside
code=0
wait $beside || code=$?
same "Ctrl-C ends both" 0 "$code"
same "the viewer is gone" "" "$(answers)"

# it does not outlive the run's process
"$scree" run three.yaml --force --view --no-open --output beside.h5 --quiet >words 2>err &
beside=$!
for _ in {1..200}; do grep -q ^http words && grep -q ^results words && break; sleep 0.05; done
kill -9 $beside
wait $beside 2>/dev/null
for _ in {1..60}; do [[ -z $(answers) ]] && break; sleep 0.05; done
same "a viewer ends with the program that began it" "" "$(answers)"

# a client that drips: each byte comes in time, the request does not
start_view three.h5 --patience 1
"$python" - "$address" >out 2>&1 <<'END'
import http.client, socket, sys, time, urllib.parse
at = urllib.parse.urlparse(sys.argv[1])
def drip(text, pause, most):
    """Seconds until the server closes; `most` when it does not."""
    begin, c = time.monotonic(), socket.create_connection((at.hostname, at.port))
    c.settimeout(pause)
    for byte in text:
        try:
            c.sendall(bytes([byte]))
            if not c.recv(1000): return time.monotonic() - begin
        except socket.timeout:
            pass
        except OSError:
            return time.monotonic() - begin
        if time.monotonic() - begin > most: break
    return most
print("drip %.1f" % drip(b"GET /" + b"a" * 1000, 0.2, 15))
print("header %.1f" % drip(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 1000, 0.2, 15))
# as many as there may be, all dripping: they are closed too, and others are answered
crowd = [socket.create_connection((at.hostname, at.port)) for _ in range(256)]
for c in crowd: c.sendall(b"GET")
begin = time.monotonic()
while time.monotonic() - begin < 15:
    try:
        c = http.client.HTTPConnection(at.hostname, at.port, timeout=15)
        c.request("GET", "/api/run")
        print("crowd", c.getresponse().status, "after %.1f" % (time.monotonic() - begin))
        break
    except OSError:
        time.sleep(0.1)
# a connection that is used again and again stays
c = http.client.HTTPConnection(at.hostname, at.port, timeout=15)
c.connect()
first, good = c.sock, 0
for _ in range(5):
    c.request("GET", "/api/run")
    r = c.getresponse()
    r.read()
    good += r.status == 200 and c.sock is first
    time.sleep(0.4)
print("kept", good)
END
number "a request line that drips is cut off after a second [s]" "$(sed -n 's/^drip //p' out)" 0.9 8
number "so is a header [s]" "$(sed -n 's/^header //p' out)" 0.9 8
matches out '^crowd 200 after ' "a crowd of them keeps nobody out for long"
same "a client that asks in time is kept" "kept 5" "$(grep '^kept' out)"
stop_view INT
runs "no patience" 2 view three.h5 --no-open --patience 0
says err "--patience is '0', must be positive"

# a frame that is damaged is told as such, the others can still be seen
printf 'x' | dd of=three.h5.data/frame-00000001.h5 bs=1 seek=3000 conv=notrunc 2>/dev/null
start_view three.h5
"$python" - "$address" >out 2>&1 <<'END'
import sys, urllib.request, urllib.error
print(urllib.request.urlopen(sys.argv[1] + "api/frame/2").status)
try:
    urllib.request.urlopen(sys.argv[1] + "api/frame/1")
except urllib.error.HTTPError as e:
    print(e.code, e.read().decode())
END
matches out '^200$' "a good frame beside a damaged one"
matches out '^422 .*frame-00000001.h5.*damaged' "a damaged frame is named"
stop_view TERM
same "SIGTERM too" 0 "$code"

# an index that is damaged, or none
printf 'x' | dd of=three.h5 bs=1 seek=3000 conv=notrunc 2>/dev/null
runs "a damaged index" 2 view three.h5 --no-open
says err "three.h5"
runs "no file" 2 view nothing.h5 --no-open
says err "nothing.h5"
runs "a port that is none" 2 view three.h5 --port 99999
runs "nor beside a run" 2 run three.yaml --view --port 99999
runs "no results" 2 view
finish
