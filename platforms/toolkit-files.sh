#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# toolkit-files.sh: writes platforms/toolkit-files.txt, the files of the CUDA toolkit that grading
# opens, with their bytes, and prints how much that is by folder. Watched with strace: each homework's
# solution, and all honest submissions that include headers of the toolkit, graded on the emulator.
# After `make`, as root; some minutes.
set -e
cd "$(dirname "$0")/.."
list=platforms/toolkit-files.txt
cuda=$(realpath "${CUDA:-/usr/local/cuda}")
command -v strace > /dev/null || { echo "toolkit-files.sh: install strace" >&2; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for homework in hw??; do
  { echo '#define SOLUTION 1'; cat "solutions/$homework/$homework.cu"; } > "$folder/$homework.cu"
  for sample in tests/honest/"$homework"/*.cu; do
    grep -qE '^ *# *include *<(c(u|oo)|thrust|math_c)' "$sample" &&
      tests/hostile/assemble "$sample" > "$folder/$homework $(basename "$sample")"
  done
done
# What no sample calls: functions that come out of a library of the compiler's.
{ cat "$folder/hw02.cu"; echo '__global__ void further(float* x) { x[0] = sinf(x[0]); }'; } \
  > "$folder/hw02 sinf.cu"
rm -rf build/reference  # what is kept of earlier gradings would open nothing
for submission in "$folder"/*.cu; do
  name=$(basename "$submission" .cu)
  echo "${name/ /: }" >&2
  strace -f -qq -z -s 4096 -e trace=open,openat,execve -e signal=none -o "$folder/trace" \
    grader/grader check "${name:0:4}" "$submission" --backend emulator > /dev/null || [ $? = 1 ]
  sed -nE 's/^[^"]*"(\/[^"]*)".*/\1/p' "$folder/trace" >> "$folder/opened"
done
sort -u "$folder/opened" | xargs -d '\n' realpath -m | sort -u | while read -r path; do
  [[ $path == "$cuda"/* && -f $path ]] && stat -c '%s %n' "$path" | sed "s|$cuda/||"
done > "$list" || true
awk '{ total += $1; n = split($2, part, "/"); top = part[1] (n > 2 ? "/" part[2] : "")
       if (part[1] != "include") top = part[1]
       sum[top] += $1; files[top]++ }
  END { for (t in sum) printf "| `%s` | %d | %.1f |\n", t, files[t], sum[t] / 1e6
        printf "| together | %d | %.1f |\n", NR, total / 1e6 }' "$list" | sort
