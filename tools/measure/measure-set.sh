#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the launches of tests/data/h200_SET one after another; run it in the top folder.
#
#   tools/measure/measure-set.sh [--set fresh|unseen|exam|async] [--backend gpu|emulator] [--skip N]
#                                  [--seconds N] MODULES OUT
#
# SET is fresh unless told. MODULES holds SET.ptx and SET.cubin; OUT gets counters.tsv, outputs.tsv
# and failures.txt. --skip leaves out the first N launches, --seconds (520) is when no further one
# is begun, so that two runs can share a list that is too long for one.
set -euo pipefail
exec python3 "$(dirname "$0")/measure_set.py" "$@"
