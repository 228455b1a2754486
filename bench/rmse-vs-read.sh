#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rmse-vs-read.sh: on a card, hw05's best kernel beside the library's sum (CUB), which reads as many
# bytes, in one run. A row a size: MiB of a and b together, microseconds, GB/s of reading, and how
# much of the library's speed it reaches. Needs nvcc and a GPU.
set -e
cd "$(dirname "$0")/.."
make --no-print-directory -s solutions/hw05/hw05-sol solutions/hw05/hw05-sol.cubin
nvcc=${CUDA:-/usr/local/cuda}/bin/nvcc
mkdir -p build/bench
"$nvcc" -std=c++20 -O3 -arch=native -o build/bench/library_sum bench/library_sum.cu
sizes="16 64 256 1024 2048 4096"
build/bench/library_sum $sizes > build/bench/library_sum.txt
echo "  MiB  rmse_4 t/us   GB/s    CUB t/us   GB/s  of CUB's speed"
while read -r mib library _; do
  own=$(solutions/hw05/hw05-sol 0 0 "$mib" --kernel rmse_4 --json --no-counters \
    --repetitions 20 2> /dev/null | sed -n 's/.*"time_us":\([0-9][0-9.]*\).*/\1/p' | sort -n | head -1)
  awk -v m="$mib" -v a="$own" -v b="$library" 'BEGIN {
    bytes = m * 1048576
    printf "%5d %12.1f %6.0f %11.1f %6.0f %14.0f %%\n", m, a, bytes / a / 1000, b,
      bytes / b / 1000, 100 * b / a }'
done < build/bench/library_sum.txt
