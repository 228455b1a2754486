# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts of this folder that measure on a card: prints what a table was measured
# with. COMMIT: of a copy of the sources without its history.
measured_with() {
  local commit=${COMMIT:-$(git rev-parse --short HEAD 2> /dev/null || echo unknown)}
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1 | {
    IFS=, read -r gpu driver
    "$cuda/bin/nvcc" --version | sed -n 's/.*release.*V\([0-9.]*\).*/\1/p' |
      sed "s/.*/Measured on an $gpu with driver${driver} and CUDA &, commit $commit./"
  }
  echo
}
