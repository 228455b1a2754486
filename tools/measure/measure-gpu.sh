#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the homeworks on this machine's GPU and writes the pages of docs/measured/.
#
#   tools/measure/measure-gpu.sh PROGRAMS OUTPUT [COMMIT ["tables times ncu_page debugger"]]
#
# PROGRAMS is a folder that holds hw01, hw01-sol, hw02, hw02-sol, hw02-cuda-debug and their modules
# (tools/measure/collect.sh gathers them), OUTPUT the folder to write to. Nsight Compute and cuda-gdb are
# used where they are installed, and their sections say so where they are not.
set -uo pipefail

programs=$(cd "$1" && pwd)
output=$2
commit=${3:-$(git rev-parse --short HEAD 2>/dev/null || echo unknown)}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$output"
output=$(cd "$output" && pwd)
cd "$programs" || exit 2
export COLUMNS=128

gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
toolkit=$(nvcc --version | sed -n 's/.*release \([0-9.]*\), V\(.*\)/\2/p')

page() {  # page FILE TITLE: starts a page that names what it was measured on
  {
    echo "# $2"
    echo
    echo "Measured on one $gpu, driver $driver, CUDA $toolkit, commit $commit, by"
    echo "\`tools/measure/measure-gpu.sh\`. Times vary from run to run; counts do not, but for BXW,"
    echo "N\\*W and DRAM."
  } > "$output/$1"
}

run() {  # run FILE COMMAND...: appends the command and what it printed
  local file=$output/$1
  shift
  {
    echo
    echo '```'
    echo "\$ ./$*"
    "./$@" 2>&1
    local rc=$?
    [ $rc -eq 0 ] || echo "(exit code $rc)"
    echo '```'
  } >> "$file"
}

say() { printf '\n%s\n' "$2" >> "$output/$1"; }

seconds() {  # seconds COMMAND...: shortest wall time of five runs
  local best=999 t
  for _ in 1 2 3 4 5; do
    local from=$EPOCHREALTIME
    "$@" > /dev/null 2>&1
    t=$(awk -v a="$from" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
    best=$(awk -v a="$best" -v b="$t" 'BEGIN { print (b < a) ? b : a }')
  done
  echo "$best"
}

tables() {
  page hw01.md "Homework 1 on a GPU"
  say hw01.md "## As shipped"
  run hw01.md hw01
  say hw01.md "## Solved"
  run hw01.md hw01-sol
  page hw02.md "Homework 2 on a GPU"
  say hw02.md "## As shipped"
  run hw02.md hw02
  say hw02.md "## Solved"
  run hw02.md hw02-sol
  say hw02.md "## Solved, two blocks an SM, four times the L2"
  run hw02.md hw02-sol -2 0 -4
}

times() {
  page time.md "Where the time of a run goes"
  {
    echo
    echo "Wall seconds of the whole program, the shortest of five runs."
    echo
    echo "| run | s |"
    echo "| --- | --- |"
    echo "| \`./hw02\` | $(seconds ./hw02) |"
    echo "| \`./hw02 --no-counters\` | $(seconds ./hw02 --no-counters) |"
    echo "| \`./hw02 --no-counters --no-times\`: checking alone | $(seconds ./hw02 --no-counters --no-times) |"
    echo "| \`./hw02 --device-info\`: opening the GPU | $(seconds ./hw02 --device-info) |"
    echo "| \`./hw02-sol\` | $(seconds ./hw02-sol) |"
    echo "| \`./hw02 --no-times\`: checks and counters | $(seconds ./hw02 --no-times) |"
    echo "| \`./hw01\` | $(seconds ./hw01) |"
  } >> "$output/time.md"
}

debugger() {
  page cuda-gdb.md "cuda-gdb in a student's kernel"
  if ! command -v cuda-gdb > /dev/null; then
    say cuda-gdb.md "cuda-gdb is not installed here."
    return
  fi
  local kernel='norm_group_u<8,8,2>'
  {
    echo
    echo '```'
    echo "\$ cuda-gdb --args ./hw02-cuda-debug --kernel '$kernel' 0 4"
    timeout 120 cuda-gdb -batch \
      -ex 'directory source' -ex 'set breakpoint pending on' -ex 'break norm_group_u' -ex 'run' -ex 'next' -ex 'next' \
      -ex 'print n_l' -ex 'print n_threads' -ex 'print threadIdx' -ex 'info cuda kernels' \
      -ex 'backtrace' -ex 'kill' \
      --args ./hw02-cuda-debug --kernel "$kernel" 0 4 2>&1 |
      grep -v -E '^\[(New|Thread|Detaching)|^warning: |^ *$|libthread_db|^GPU |answered Y' |
      sed -E 's|at /[^ ]*/(hw0[0-9]/)|at \1|'
    echo '```'
  } >> "$output/cuda-gdb.md"
}

ncu_page() {
  page ncu.md "Agreement with Nsight Compute"
  if ! command -v ncu > /dev/null; then
    say ncu.md "Nsight Compute is not installed here."
    return
  fi
  python3 "$here/compare_ncu.py" >> "$output/ncu.md"
}

for section in ${4:-tables times ncu_page debugger}; do "$section"; done
