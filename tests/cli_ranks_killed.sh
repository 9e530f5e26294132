#!/bin/bash
# A rank that dies ends the run; what was sealed can be read, and the run goes on from it to the state of one that
# nothing has disturbed: grains, where rank 0 dies, which writes, and where another does; elastic solids among grains.
. "$(dirname "$0")/lib/cli.sh"
. "$source/tests/lib/ranks.sh"

# killed WHICH SCENE STEP EVERY: the time step, and how often a checkpoint is written
killed() {
    local scene=$source/tests/ranks/$2.yaml often=(--set "output.every=$4" --set "output.checkpoint=$4")
    start_long 2 "$scene" "${often[@]}"
    kill_rank "$1"
    must "$2: results can be read" info long.h5
    goes_on 3 "$scene" "$3" 20 "${often[@]}"
}
killed head chute 2e-5 1ms
killed tail chute 2e-5 1ms
killed head drop 25e-6 0.25ms
finish
