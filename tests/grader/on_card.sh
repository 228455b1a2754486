#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# on_card.sh [--weak]: on a machine with a GPU, with build/carry brought along (carry.sh): doctor,
# selfcheck of both homeworks, and the tests of `make test-gpu`, every hostile, honest and naive
# submission among them, compared with the emulator. --weak goes on where the machine allows no
# namespaces.
cd "$(dirname "$0")/../.."
carry=$PWD/build/carry
if [ -f "$carry.tar.xz" ]; then
  mkdir -p "$carry"
  tar -C "$carry" -xJf "$carry.tar.xz"
  cp -r "$carry/tree/." .
  for homework in hw??; do cp $homework/$homework solutions/$homework/$homework-sol; done
  command -v bwrap > /dev/null || PATH=$carry/bin:$PATH
  # The system's own libraries come first.
  export LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$carry/lib
fi
weak=
if [ "$1" = --weak ]; then
  weak=--weak-sandbox
  export LOCKSTEP_WEAK_SANDBOX=1
fi
step() { printf '\n== %s\n' "$1"; }
step "grader doctor"
grader/grader doctor $weak
for homework in hw??; do
  step "grader selfcheck $homework"
  timeout 200 grader/grader selfcheck $homework --backend gpu $weak
done
step "make test-gpu"
TEST_FILTER='*Gpu*' tests/run build/release/tests/cuda/run build/release/tests/grader/run
