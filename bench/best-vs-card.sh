#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# best-vs-card.sh [HOMEWORK...]: on a card, in one run, the best kernels of hw02, hw04 and hw05
# beside what moves as many bytes there: hw02's beside the card's own copy, the sums beside the
# library's (CUB). A Markdown table each, a row a size in MiB of input. Needs nvcc and a GPU.
# BUILT=1: the programs are taken as they lie there.
set -e
cd "$(dirname "$0")/.."
cuda=${CUDA:-/usr/local/cuda}
. bench/measured.sh
homeworks=${*:-hw02 hw04 hw05}

# Of the homework: sizes; kernel; NBLOCKS and WARPS for so many MiB; bytes moved for each of input;
# the rival's name and its column of library_sum. A warp of hw02 takes 512 bytes a turn: so many
# blocks that each warp has one.
sizes_of() { if [ "$1" = hw02 ]; then echo 64 256 1024; else echo 16 64 256 1024 2048; fi; }
kernel_of() {
  case $1 in hw02) echo 'norm_group_u<8,8,4>' ;; hw04) echo 'reduce_8<*' ;; *) echo rmse_4 ;; esac
}
shape_of() { if [ "$1" = hw02 ]; then echo $(($2 * 512)) 4; else echo 0 0; fi; }

[ -n "$BUILT" ] || for homework in $homeworks; do
  make --no-print-directory -s solutions/$homework/$homework-sol{,.cubin}
done
mkdir -p build/bench
"$cuda/bin/nvcc" -std=c++20 -O3 -arch="${ARCH:-native}" -o build/bench/library_sum \
  bench/library_sum.cu

measured_with
for homework in $homeworks; do
  kernel=$(kernel_of $homework)
  rival="CUB's sum" passes=1
  [ $homework != hw02 ] || rival="the card's copy" passes=2
  echo "| MiB | $homework: \`${kernel%%<\*}\` us | GB/s | $rival us | GB/s | of its speed |"
  echo "| --- | --- | --- | --- | --- | --- |"
  # shellcheck disable=SC2046
  build/bench/library_sum $(sizes_of $homework) | while read -r mib sum copy; do
    # shellcheck disable=SC2046
    own=$(solutions/$homework/$homework-sol $(shape_of $homework "$mib") "$mib" \
      --kernel "$kernel" --json --no-counters --repetitions 20 2> /dev/null < /dev/null |
      sed -n 's/.*"time_us":\([0-9][0-9.]*\).*/\1/p' | sort -n | head -1)
    [ $homework = hw02 ] || copy=$sum
    awk -v m="$mib" -v a="$own" -v b="$copy" -v passes=$passes 'BEGIN {
      bytes = passes * m * 1048576
      printf "| %d | %.1f | %.0f | %.1f | %.0f | %.0f %% |\n", m, a, bytes / a / 1000, b,
        bytes / b / 1000, 100 * b / a }'
  done
  echo
done
