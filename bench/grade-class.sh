#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# grade-class.sh [N [BACKEND]]: grades a class of N (200) submissions of hw02, without a GPU or on
# BACKEND, and says what it took: the time of the compilers alone on all processors, without the
# grader; the grader's; the processor time of executing kernels; and how the grader's memory went.
# Uses build/bench-class.
set -e
since() { awk "BEGIN { printf \"%.1f\", $(date +%s.%N) - $1 }"; }
cd "$(dirname "$0")/.."
n=${1:-200}
backend=${2:-emulator}
folder=$PWD/build/bench-class
rm -rf "$folder"
mkdir -p "$folder/class" "$folder/plain/hw02"
cuda=${CUDA:-/usr/local/cuda}
samples=(tests/honest/hw02/*.cu tests/naive/hw02/*.cu)
for ((i = 0; i < n; i++)); do
  file=$folder/class/$(printf 'student%03d' $i).cu
  tests/hostile/assemble "${samples[i % ${#samples[@]}]}" > "$file"
  printf '\n// %d\n' $i >> "$file"
done

# The compilers alone: the same two commands, in a folder with the same layout.
cp hw02/instances.cu "$folder/plain/hw02/"
compile_one() {
  work=$(mktemp -d "$folder/plain/XXXXXX")
  mkdir "$work/hw02"
  cp "$folder/plain/hw02/instances.cu" "$work/hw02/"
  cp "$1" "$work/hw02/hw02.cu"
  (cd "$work" && "$cuda/bin/nvcc" -std=c++20 -I. -ptx -arch=compute_90 -lineinfo \
    '-DSTUDENT_FILE="hw02/hw02.cu"' -o hw02.ptx hw02/instances.cu &&
    "$cuda/bin/ptxas" -arch=sm_90 -lineinfo -o hw02.cubin hw02.ptx) > /dev/null 2>&1
  rm -rf "$work"
}
export -f compile_one
export folder cuda
start=$(date +%s.%N)
printf '%s\0' "$folder"/class/*.cu | xargs -0 -n 1 -P "$(nproc)" bash -c 'compile_one "$0"'
compilers=$(since $start)

start=$(date +%s.%N)
grader/grader run hw02 "$folder/class" -o "$folder/results" --backend "$backend" \
  > "$folder/log" 2>&1 &
grader=$!
while kill -0 $grader 2> /dev/null; do
  awk '/VmRSS/ { print $2 }' /proc/$grader/status >> "$folder/memory" 2> /dev/null || true
  sleep 0.5
done
wait $grader
wall=$(since $start)
runs=$(python3 -c 'import sqlite3, sys
print(round(sqlite3.connect(sys.argv[1]).execute("SELECT sum(run_seconds) FROM grading").fetchone()[0], 1))' \
  "$folder/results/results.db")
tail -4 "$folder/log"
samples=$(wc -l < "$folder/memory")
quarter=$((samples / 4))
echo "submissions:                     $n on $(nproc) processors"
echo "compilers alone:                 $compilers s"
echo "grader, wall:                    $wall s"
echo "executing kernels, summed:       $runs s"
echo "wall, a submission:              $(awk "BEGIN { printf \"%.2f\", $wall / $n }") s"
[ "$backend" = gpu ] ||
  echo "(wall - runs / processors) / compilers: $(awk "BEGIN { printf \"%.2f\", ($wall - $runs / $(nproc)) / $compilers }")"
echo "grader's memory, KiB: after a quarter $(sed -n "$((quarter + 1))p" "$folder/memory"), at the end $(tail -1 "$folder/memory"), at most $(sort -n "$folder/memory" | tail -1)"
