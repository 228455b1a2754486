#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Copies the built homework programs, their modules, sources and tools into one folder, which
# runs on another machine (measure-gpu.sh): tools/measure/collect.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
to=$1
mkdir -p "$to"
for folder in hw01 hw02 solutions/hw01 solutions/hw02; do
  name=$(basename "$folder")
  [ "$folder" = "$name" ] || name=$name-sol
  cp -p "$folder/$name" "$folder/$name".{ptx,cubin} "$to"
  mkdir -p "$to/source/$folder" && cp -p "$folder/$(basename "$folder").cu" "$to/source/$folder"
done
cp -p hw02/hw02-cuda-debug hw02/hw02-cuda-debug.{ptx,cubin} tools/run-kernel "$to"
strip "$to"/hw0? "$to"/hw0?-sol "$to"/run-kernel
