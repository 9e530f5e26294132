# Helpers of the tests on several ranks; after lib/cli.sh. Skips where there is no MPI.
ranks=$(dirname "$scree")/scree-mpi
if [[ ! -x $ranks ]] || ! command -v mpirun >/dev/null; then
    echo "skipped: no MPI here (libopenmpi-dev, openmpi-bin)"
    exit 77
fi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
export OMP_NUM_THREADS=1 OMPI_MCA_orte_base_help_aggregate=1

many() { # many N ARGUMENTS: scree-mpi on N ranks; what it writes to out and err
    local n=$1
    shift
    timeout "${LIMIT:-200}" mpirun -q --oversubscribe --bind-to none -n "$n" "$ranks" "$@" >out 2>err </dev/null
}

# start_long N SCENE [OPTIONS]: a run on N ranks that does not end, in the background: its process is $run, its words go
# to the file said; back when two checkpoints are there, whole
start_long() {
    local n=$1 scene=$2 k whole="checkpoint-[0-9]+${SCREE_WRITERS:+[.]p$SCREE_WRITERS}[.]h5$"
    shift 2
    rm -rf long.h5*
    mpirun -q --oversubscribe --bind-to none -n "$n" "$ranks" run "$scene" --set time.end=1000 "$@" --output long.h5 \
        >said 2>&1 </dev/null &
    run=$!
    cleanup+=("kill -9 $run 2>/dev/null")
    for ((k = 0; k < 600; k++)); do
        [[ -e long.h5 ]] && (($(ls long.h5.data | grep -cE "$whole") > 1)) && break
        sleep 0.1
    done
}

# kill_rank WHICH: kill -9 of the first (head) or last (tail) of its ranks; the run ends, soon
kill_rank() {
    local begun
    kill -9 "$(pgrep -P "$run" -f scree-mpi | "$1" -n 1)"
    begun=$SECONDS
    wait "$run" 2>/dev/null
    check "a rank that was killed ends the run ($1)" test $? != 0
    number "soon [s]" $((SECONDS - begun)) 0 10
}

# goes_on N SCENE STEP STEPS [OPTIONS]: the run that was killed goes on for so many steps on N ranks, and comes to the
# digest of a run that nothing has disturbed
goes_on() {
    local n=$1 scene=$2 reached end resumed
    reached=$("$scree" info long.h5 | sed -n 's/.*steps 0 to \([0-9]*\).*/\1/p')
    check "it was under way" test "${reached:-0}" -gt 0
    end=$(awk -v n="$reached" -v more="$4" -v step="$3" 'BEGIN {print (n + more) * step}')
    many "$n" run "$scene" --set "time.end=$end" "${@:5}" --resume long.h5 --quiet
    resumed=$(digest)
    must "the same in one go" run "$scene" --set "time.end=$end" --output one.h5 --quiet --force
    check "it has a digest" test -n "$resumed"
    same "it goes on as if nothing had happened" "$(digest)" "$resumed"
}
