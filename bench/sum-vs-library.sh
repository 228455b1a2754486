#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sum-vs-library.sh: on a card, hw04's best kernel beside the library's sum (CUB) and the card's own
# copy, on the same bytes, in one run. A row a size: microseconds, GB/s of reading, and how much of
# the library's speed it reaches. Needs nvcc and a GPU.
set -e
cd "$(dirname "$0")/.."
make --no-print-directory -s solutions/hw04/hw04-sol solutions/hw04/hw04-sol.cubin
nvcc=${CUDA:-/usr/local/cuda}/bin/nvcc
mkdir -p build/bench
"$nvcc" -std=c++20 -O3 -arch=native -o build/bench/library_sum bench/library_sum.cu
sizes="16 64 256 1024 2048"
build/bench/library_sum $sizes > build/bench/library_sum.txt
echo "  MiB  reduce_8 t/us   GB/s    CUB t/us   GB/s  of CUB's speed   copy GB/s (read + write)"
while read -r mib library copy; do
  own=$(solutions/hw04/hw04-sol 0 0 "$mib" --kernel 'reduce_8<*' --json --no-counters \
    --repetitions 20 2> /dev/null | sed -n 's/.*"time_us":\([0-9][0-9.]*\).*/\1/p' | sort -n | head -1)
  awk -v m="$mib" -v a="$own" -v b="$library" -v c="$copy" 'BEGIN {
    bytes = m * 1048576
    printf "%5d %14.1f %6.0f %11.1f %6.0f %14.0f %% %11.0f\n", m, a, bytes / a / 1000, b,
      bytes / b / 1000, 100 * b / a, 2 * bytes / c / 1000 }'
done < build/bench/library_sum.txt
