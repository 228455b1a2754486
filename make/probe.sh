#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What make must know of this machine before it starts, in one call: `probe.sh CXX CUDA GPU_CC`
# prints five words: processors, the compiler's version, the toolkit's folder and version, the
# GPUs' compute capabilities ("9.0,9.0"); '-' is "none". It runs at every make, so it asks the GPU
# only when the driver, the devices or the machine have changed (build/gpu.cache). An answer that
# there is no usable GPU is not kept.
cxx=$1 cuda=$2 gpu_cc=$3

# The toolkit: the one named, CUDA_HOME, the usual place, or the one on the PATH.
if [ -z "$cuda" ]; then
  on_path=$(command -v nvcc 2>/dev/null)
  for folder in "$CUDA_HOME" "$CUDA_PATH" /usr/local/cuda "${on_path%/bin/nvcc}"; do
    [ -n "$folder" ] && [ -x "$folder/bin/nvcc" ] && cuda=$folder && break
  done
fi
if [ -n "$cuda" ] && [ -x "$cuda/bin/nvcc" ]; then
  version=$("$cuda/bin/nvcc" --version 2>/dev/null | sed -n 's/.*, V\([0-9.]*\).*/\1/p')
else
  cuda=
fi

# The compute capabilities, the GPU that programs choose first.
devices=$(echo /dev/nvidia[0-9]* /dev/dxg)
case $devices in
  *'*'*/dev/dxg) [ -e /dev/dxg ] || devices= ;;
esac
if [ -z "$gpu_cc" ] && [ -n "$devices" ]; then
  key="$devices|$(cat /proc/driver/nvidia/version /etc/machine-id /proc/sys/kernel/hostname \
       2>/dev/null | tr -s ' \n' '  ')|$CUDA_VISIBLE_DEVICES|$(echo /proc/driver/nvidia/gpus/*)"
  if [ -f build/gpu.cache ] && [ "$(sed -n 1p build/gpu.cache)" = "$key" ]; then
    gpu_cc=$(sed -n 2p build/gpu.cache)
  else
    mkdir -p build
    [ build/gpu-arch -nt make/gpu_arch.cc ] ||
      $cxx -std=c++20 -O1 -o build/gpu-arch make/gpu_arch.cc -ldl 2>/dev/null
    gpu_cc=$(build/gpu-arch 2>/dev/null)
    [ -n "$gpu_cc" ] && printf '%s\n%s\n' "$key" "$gpu_cc" > build/gpu.cache
  fi
fi
processors=$(nproc 2>/dev/null || echo 1)
cxx_version=$($cxx -dumpfullversion -dumpversion 2>/dev/null | head -1)
echo "$processors ${cxx_version:--} ${cuda:--} ${version:--} ${gpu_cc:--}"
