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
