#!/bin/bash
# What several ranks cannot do is refused with exit code 2, before anything is written.
. "$(dirname "$0")/lib/cli.sh"
. "$source/tests/lib/ranks.sh"
cp "$source/tests/ranks/chute.yaml" .

# refused WHAT MESSAGE ARGUMENTS...
refused() {
    local what=$1 message=$2 before
    shift 2
    before=$(ls -A | grep -vxE 'out|err')
    many 2 "$@"
    same "$what: exit code 2" 2 $?
    matches err "error: .*$message" "$what: and why"
    same "$what: nothing is written" "$before" "$(ls -A | grep -vxE 'out|err')"
}
refused "stages" "stages run on one rank only, but there are 2" run chute.yaml --set 'stages.one={duration: 1 ms}'
refused "a domain that deforms" "domain.deform runs on one rank only, but there are 2" run chute.yaml \
    --set 'domain.deform={rate: {xx: 1}}'
refused "a GPU" "a run on several processes computes on CPUs" run chute.yaml --device gpu
refused "an equilibrium" "equilibrate runs on one rank only, but there are 2" equilibrate chute.yaml
refused "a sweep" "sweeps and cases run on one rank, not on 2" sweep chute.yaml --over time.end=1us,2us
refused "nonsmooth" "nonsmooth runs on one rank only" run chute.yaml --set stepper.type=nonsmooth
finish
