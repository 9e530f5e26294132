#!/bin/bash
# The public C API as other programs get it: the shared library shows what the headers declare and nothing else, has a
# version, and the examples of docs/api/ build with pkg-config, in C and in C++, shared and static, run, and find what
# they should.
. "$(dirname "$0")/lib/cli.sh"
build=$(dirname "$scree")

if nm "$build/libscree.a" 2>/dev/null | grep -qE '__(asan|tsan)_init'; then
    echo "skipped: the library has sanitizers: no program is linked with it"
    exit 77
fi
check "cmake --install" cmake --install "$build" --prefix "$folder/usr" >log
export PKG_CONFIG_PATH=$folder/usr/lib/pkgconfig LD_LIBRARY_PATH=$folder/usr/lib

# ---- the shared library ----

library=usr/lib/libscree.so
same "its soname" "libscree.so.0.1" "$(readelf -d $library | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')"
same "names are those of files" "libscree.so.0.1.0" "$(basename "$(readlink -f $library)")"
shown=$(nm -D --defined-only $library | awk '$2 ~ /[A-Z]/ {print $3}' | sed 's/@.*//' | sort -u)
same "nothing but scree_ is shown" "" "$(grep -v '^scree_' <<<"$shown")"
declared=$(printf '#include <scree/%s>\n' scree.h log.h | gcc -E -P $(pkg-config --cflags scree) - |
    grep -v '^typedef' | grep -oE '\bscree_[a-z_0-9]+\(' |
    tr -d '(' | sort -u)
number "functions in the headers" "$(wc -l <<<"$declared")" 60 500
same "all that headers declare is shown, and no more" "$declared" "$shown"

# ---- pkg-config ----

same "a description" "discrete element engine: sand, grains, rock and elastic solids" \
    "$(pkg-config --print-provides scree >/dev/null && sed -n 's/^Description: //p' usr/lib/pkgconfig/scree.pc)"
same "shared: the library alone" "-lscree" "$(pkg-config --libs-only-l scree | xargs)"
check "static: with all it needs" grep -q -- "-lscree .*-lhdf5_serial" <<<"$(pkg-config --static --libs scree)"

# ---- the headers ----

for header in "$source"/include/scree/*.h; do
    name=$(basename "$header")
    [[ $name == begin.h || $name == end.h ]] && continue
    echo "#include <scree/$name>" >one.c
    check "$name in C" gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags scree) one.c
    check "$name in C++" g++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only $(pkg-config --cflags scree) -x c++ one.c
done

# ---- the page ----

# blocks of C in docs/api.md, in their order, are one program
run init drop
mv drop.yaml scene.yaml
must "results for it" run scene.yaml --quiet --set time.end=0.02 --output hopper.h5
{
    printf \
        '#include <math.h>\n#include <stdlib.h>\n#include <scree/scree.h>\n#include <scree/log.h>\nint main(void)\n{\n'
    printf \
        'scree_scene *scene; scree_simulation *sim; double *x, fastest = 0; int64_t rows; int width;\nscree_quiet(true);\n'
    sed -n '/^```c$/,/^```$/p' "$source/docs/api.md" |
        sed '/^```/d; s|; *//.*|;|; s/^status = \(.*\);$/if ((status = \1)) return 9;/'
    printf 'free(x); scree_results_close(results);\nreturn frames > 1 && fastest > 0 ? 0 : 8;\n}\n'
} >page.c
check "C of docs/api.md builds" gcc -std=c11 -Wall -Wextra -Werror -O1 page.c -o page \
    $(pkg-config --cflags --libs scree) -lm
check "and runs" ./page

# ---- the examples ----

# builds NAME COMPILER...: and runs it; its words are in the file out
build_and_run() {
    local name=$1
    shift
    check "$name builds" "$@" -o "$name"
    code=0
    "./$name" >out 2>err || code=$?
    same "$name ends well" 0 "$code"
    same "$name says nothing of errors" "" "$(cat err)"
}
build_and_run weigh gcc -std=c11 -Wall -Wextra -Werror -O2 "$source/docs/api/weigh.c" \
    $(pkg-config --cflags --libs scree)
check "the shared library is used" grep -q "libscree.so.0.1 => $folder" <(ldd weigh)
while read -r count _ _ weight _ _ _ _ load _ _ _ _ error _; do
    number "the floor carries $count grains" "$(awk "BEGIN { print $load / $weight }")" 0.995 1.005
    number "the energy balance" "$error" -1e-3 1e-3
done <out
same "two lines" 2 "$(wc -l <out)"
cp out shared
build_and_run magnet g++ -std=c++14 -Wall -Wextra -Werror -O2 "$source/docs/api/magnet.cc" \
    $(pkg-config --cflags --libs scree)
says out "the ball swings in 0.803" "the period of a spring and a mass"

build_and_run weigh-static gcc -O2 "$source/docs/api/weigh.c" $(pkg-config --cflags scree) usr/lib/libscree.a \
    $(pkg-config --static --libs scree | sed 's/-L[^ ]* -lscree//')
same "the static library gives the same" "$(cat shared)" "$(cat out)"
check "and nothing shared" bash -c '! ldd weigh-static | grep -q libscree'
finish
