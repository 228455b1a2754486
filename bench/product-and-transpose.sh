#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# product-and-transpose.sh: on a card, in one run, hw06's kernels as its handout shows them, and the
# best of them beside the card's own copy and cuBLAS without tensor cores. Needs nvcc and a GPU;
# cuBLAS where it is installed. BUILT=1: the programs are taken as they lie there.
set -e
cd "$(dirname "$0")/.."
cuda=${CUDA:-/usr/local/cuda}
. bench/measured.sh
[ -n "$BUILT" ] || make --no-print-directory -s solutions/hw06/hw06-sol{,.cubin}
mkdir -p build/bench
"$cuda/bin/nvcc" -std=c++20 -O3 -arch="${ARCH:-native}" -I. -DSOLUTION=1 \
  -o build/bench/product_and_transpose bench/product_and_transpose.cu -ldl
measured_with
bench/hw06-tables.py
echo
LD_LIBRARY_PATH=$cuda/lib64:$LD_LIBRARY_PATH build/bench/product_and_transpose "$@"
