#!/bin/bash
# 10 000 forged results; see cli_forged.sh.
exec /usr/bin/python3 "${2:?usage: cli_forged_long.sh BINARY SOURCE}/tests/fuzz/forge.py" "$1" --mutants 10000 \
    --seed long
