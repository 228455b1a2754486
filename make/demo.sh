#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What `make demo` does when everything is built: runs ./hw02, then grades a sample class of twelve
# (good, partial, wrong, broken and hostile submissions) in build/demo and prints the summary.
set -e
folder=build/demo
rm -rf $folder
mkdir -p $folder/class

step() { printf '\n== %s\n\n' "$1"; }
# submit NAME FILE: tests/hostile/assemble makes one file of a sample, as a student hands it in.
submit() { tests/hostile/assemble "$2" > "$folder/class/$1.cu"; }

step "cd hw02 && ./hw02"
(cd hw02 && ./hw02)

submit Ada tests/honest/hw02/pointer_steps.cu
submit Barbara tests/honest/hw02/lambdas.cu
submit Claude tests/honest/hw02/while_loops.cu
cp hw02/hw02.cu $folder/class/Dennis.cu # hands in what he was given
submit Edsger tests/sample_class/only_d_l_8.cu
submit Frances tests/hostile/hw02/off_by_one.cu
submit Grace tests/sample_class/out_of_bounds.cu
submit Hedy tests/sample_class/does_not_compile.cu
submit Ivan tests/hostile/hw02/half.cu
submit Jean tests/hostile/hw02/hangs.cu
submit Mallory tests/hostile/hw02/include_passwd.cu
submit Oscar tests/hostile/hw02/copy.cu

step "grader run hw02 $folder/class"
grader/grader run hw02 $folder/class -o $folder/results "$@"
