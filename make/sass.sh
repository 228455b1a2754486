#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sass.sh CUDA CUBIN OUTPUT: disassembles a cubin with source lines, by nvdisasm or cuobjdump,
# whichever is installed. Without either it says so in one line, and that is no failure.
for folder in "$1/bin/" ""; do
  if command -v "${folder}nvdisasm" >/dev/null 2>&1; then
    "${folder}nvdisasm" --print-line-info "$2" > "$3" && exit 0
  elif command -v "${folder}cuobjdump" >/dev/null 2>&1; then
    "${folder}cuobjdump" -sass -lineinfo "$2" > "$3" && exit 0
  else
    continue
  fi
  rm -f "$3"
  exit 1
done
echo "no $3: neither nvdisasm nor cuobjdump is installed (CUDA's package cuda-nvdisasm)" >&2
exit 0
