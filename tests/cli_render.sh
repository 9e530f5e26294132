#!/bin/bash
# Pictures and movies through the program: sizes, numbers, movies with and without ffmpeg, a whole movie or none, the
# same bytes for any number of threads, wrong input.
. "$(dirname "$0")/lib/cli.sh"
export OMP_WAIT_POLICY=passive

cat >drop.yaml <<'YAML'
scree: 1
title: Drop
domain: {box: [[-0.1, -0.1, 0], [0.1, 0.1, 0.2]]}
materials: {glass: {density: 2500}, steel: {density: 7800}}
contacts: {any: {stiffness: 20000, restitution: 0.6, friction: 0.4}}
bodies:
  light: {from: lattice, kind: sc, material: glass, radius: 8 mm, region: {box: [[-0.06, -0.06, 0.01], [0.06, 0.06, 0.09]]}}
  heavy: {from: lattice, kind: sc, material: steel, radius: 8 mm, region: {box: [[-0.02, -0.02, 0.14], [0.02, 0.02, 0.18]]}}
walls: {floor: {shape: plane, material: steel, point: [0, 0, 0], normal: [0, 0, 1]}}
time: {end: 0.1 s}
output: {every: 20 ms, contacts: yes, fields: [position, radius, velocity, material]}
YAML
must "a run" run drop.yaml
small=(--width 160 --height 100)

png_size() { od -An -tu1 -j16 -N8 "$1" | awk \
    '{print $1 * 16777216 + $2 * 65536 + $3 * 256 + $4 "x" $5 * 16777216 + $6 * 65536 + $7 * 256 + $8}'; }

runs "the last frame" 0 render drop.h5 "${small[@]}"
same "its size" 160x100 "$(png_size drop.png)"
runs "all frames" 0 render drop.h5 --all "${small[@]}" --output all.png
same "a picture for each" 6 "$(ls all-000[0-5].png | wc -l)"
same "and each is named" 6 "$(wc -l <out)"
for n in 1 3; do OMP_NUM_THREADS=$n "$scree" render drop.h5 "${small[@]}" --frame 3 --output t$n.png >out; done
check "the same bytes for any number of threads" cmp -s t1.png t3.png

# ---- what is drawn ----
draw() { "$scree" render drop.h5 "${small[@]}" "$@" >out 2>err; }

draw --view front --output front.png
draw --azimuth -90 --elevation 0 --output same.png
check "a view by name is that of its angles" cmp -s front.png same.png
for view in side top iso; do
    draw --view $view --output $view.png
    check "view $view is another one" bash -c "test -s $view.png && ! cmp -s $view.png front.png"
done
runs "a view that is none" 2 render drop.h5 --view topp
says err "front, side, top or iso; did you mean 'top'" "what is allowed"
rm -f front.png same.png side.png top.png iso.png
differs() {
    local what=$1
    shift
    draw --output other.png "$@"
    check "$what" bash -c 'test -s other.png && ! cmp -s other.png drop.png'
    rm -f other.png
}
differs "forces" --forces
differs "materials have their colours" --colour material
differs "a cut" --clip y=0
differs "small grains" --grains 0.5
draw --clip y=0 --output near.png
draw --clip -y=0 --output below.png
check "the camera's side goes" cmp -s near.png below.png
draw --clip y=0 --azimuth 60 --output near.png
draw --clip +y=0 --azimuth 60 --output above.png
check "wherever it stands" cmp -s near.png above.png
must "the same run without contacts" run drop.yaml --set output.contacts=false --output bare.h5

# ---- without ffmpeg ----
mkdir nothing
tools=$PATH
PATH=$folder/nothing run render drop.h5 --movie movie.mp4 --width 161 --height 101 --fps 10
same "a movie without ffmpeg: exit code 0" 0 "$code"
same "is numbered pictures" 6 "$(ls movie-000[0-5].png | wc -l)"
same "of even size" 160x100 "$(png_size movie-0000.png)"
says err "ffmpeg is not installed" "which is said"
says out "ffmpeg -framerate 10 -i movie-%04d.png" "with the command to run"
check "and no movie" test ! -e movie.mp4
PATH=$folder/nothing run render drop.h5 --movie even.mp4 "${small[@]}" --duration 1 --fps 12 --orbit 360
same "a duration says how many pictures there are" 12 "$(ls even-00*.png | wc -l)"
check "the camera turns" bash -c '! cmp -s even-0000.png even-0001.png'
PATH=$folder/nothing run render drop.h5 --movie still.mp4 "${small[@]}" --duration 1 --fps 12
check "frames are shown as long as they last" cmp -s still-0000.png still-0001.png

# ---- with one that waits: a signal leaves nothing ----
mkdir slow
printf '#!/bin/sh\ntouch "%s/started"\nexec sleep 60\n' "$folder" >slow/ffmpeg
chmod +x slow/ffmpeg
PATH=$folder/slow:$tools "$scree" render drop.h5 --movie cut.mp4 --duration 20 >out 2>err &
pid=$!
for k in {1..100}; do [[ -e started ]] && break; sleep 0.1; done
kill -TERM $pid
wait $pid
same "a signal ends it with its number" 143 $?
says err "no movie was written" "and it says so"
same "nothing is left" "" "$(ls | grep '^cut')"

# one that takes all pictures and then does not end
printf '#!/bin/sh\ncat >/dev/null\ntouch "%s/taken"\nexec sleep 60\n' "$folder" >slow/ffmpeg
PATH=$folder/slow:$tools "$scree" render drop.h5 --movie cut.mp4 "${small[@]}" >out 2>err &
pid=$!
for k in {1..100}; do [[ -e taken ]] && break; sleep 0.1; done
kill -INT $pid
wait $pid
same "Ctrl-C while ffmpeg finishes" 130 $?
says err "no movie was written"
same "leaves nothing" "" "$(ls | grep '^cut')"

# ---- with ffmpeg ----
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
    runs "a movie" 0 render drop.h5 --movie movie.mp4 --width 161 --height 101 --fps 10 --first 1
    says out "movie.mp4 (5 images, 0.5 s)" "which is told"
    same "H.264 of five pictures, of even size, for every player" "h264,160,100,yuv420p,10/1,5" \
        "$(ffprobe -v error -select_streams v \
        -show_entries stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_frames -of csv=p=0 movie.mp4)"
    PATH=$folder/nothing run render drop.h5 --movie again.mp4 "${small[@]}" --fps 10
    check "the command that is printed makes a movie" bash \
        -c "$(cat out) >/dev/null 2>&1 </dev/null && test -s again.mp4"
    for name in a:b.mp4 -b.mp4; do
        runs "a movie of the name $name" 0 render drop.h5 --movie "$name" "${small[@]}" --first -1
        check "is there" test -s "./$name"
        PATH=$folder/nothing run render drop.h5 --movie "$name" "${small[@]}"
        rm -- "$name"
        check "as by the command" bash -c "$(cat out) >/dev/null 2>&1 </dev/null && test -s ./$name"
    done
else
    left_out movies "no ffmpeg or ffprobe"
fi

# ---- wrong input ----
wrong() {
    local what=$1 text=$2
    shift 2
    runs "$what" 2 render drop.h5 "$@"
    says err "$text"
}
wrong "an unknown ending" "must end in .mp4, .mov or .mkv" --movie movie.avi
wrong "movie and picture" "one or the other" --movie x.mp4 --output x.png
wrong "no pictures a second" "must lie in [0.1, 240]" --movie x.mp4 --fps 0
wrong "no duration" "must be positive" --movie x.mp4 --duration 0
wrong "no keys" "cannot be read" --movie x.mp4 --path nowhere
printf '0 0 0\n' >keys
wrong "a key that is short" "keys:1: error: a key is: time azimuth elevation zoom" --movie x.mp4 --path keys
wrong "two ways for the camera" "one or the other" --movie x.mp4 --path keys --orbit 90
wrong "no such view" "cannot colour by 'beauty'" --movie x.mp4 --colour beauty
wrong "a cut that is none" "must be a plane such as x=0.1" --clip x
wrong "a cut across nothing" "must be a plane such as x=0.1" --clip w=3 --output x.png
wrong "forces and bonds" "one or the other is drawn" --forces --bonds --output x.png
wrong "grains that are too large" "must lie in [0, 100]" --grains 101 --output x.png
runs "forces without contacts" 2 render bare.h5 --forces --output x.png
says err "output.contacts: yes"
wrong "too many rays" "from 1 to 8" --rays 9
wrong "forces and a colour" "forces have the colours: colour is 'speed'" --forces --colour speed --output x.png
ln drop.h5 linked.mp4
cp drop.h5 aside.h5
wrong "a picture over the results" "is not overwritten" --output ./drop.h5
wrong "a movie over the results" "is not overwritten" --movie linked.mp4
check "they are as they were" cmp -s drop.h5 aside.h5
same "nothing was written" "" "$(ls | grep '^x')"


# ---- the gallery of the site ----

check "a movie, or its poster, for the gallery" "$source/tools/movies" "$scree" "$folder/movies" collision >log
same "a poster" 640x360 "$(png_size movies/collision.png)"
check "and its entry" grep -q 'gallery/collision.png' movies/gallery.md
same "no results are left" "" "$(ls movies | grep making)"
finish
