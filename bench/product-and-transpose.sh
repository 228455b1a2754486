#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# product-and-transpose.sh: on a card, hw06's best kernels beside the card's own copy and cuBLAS
# without tensor cores, in one run. Needs nvcc and a GPU; cuBLAS where it is installed.
set -e
cd "$(dirname "$0")/.."
cuda=${CUDA:-/usr/local/cuda}
mkdir -p build/bench
"$cuda/bin/nvcc" -std=c++20 -O3 -arch="${ARCH:-native}" -I. -DSOLUTION=1 \
  -o build/bench/product_and_transpose bench/product_and_transpose.cu -ldl
LD_LIBRARY_PATH=$cuda/lib64:$LD_LIBRARY_PATH build/bench/product_and_transpose "$@"
