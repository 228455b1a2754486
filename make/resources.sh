#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# resources.sh: reads what `ptxas -v` said and prints registers, shared memory and spills,
# a line a kernel. A template with many instances gets one line with ranges; a kernel that spills
# is always named. `make resources` shows every kernel.
c++filt | awk -v all="${RESOURCES_ALL:-0}" '
function base(name) { sub(/<.*/, "", name); return name }
function keep() {
  if (name == "") return
  n++; kernel[n] = name; registers[n] = regs; shared[n] = smem; spills[n] = spill; stack[n] = frame
  b = base(name)
  if (!(b in count)) order[++groups] = b
  count[b]++
  if (count[b] == 1 || regs < low[b]) low[b] = regs
  if (count[b] == 1 || regs > high[b]) high[b] = regs
  if (count[b] == 1 || smem < slow[b]) slow[b] = smem
  if (count[b] == 1 || smem > shigh[b]) shigh[b] = smem
  if (spill > 0) spilling[b]++
}
function range(a, b) { return a == b ? a : a ".." b }
function row(name, regs, smem, spill, frame) {
  printf("           %-32s %s registers, %s B shared, %s\n", name, regs, smem,
         (spill > 0 ? spill " B SPILLED" : "no spills") (frame > 0 ? ", " frame " B stack" : ""))
}
/Compiling entry function/ {
  keep(); name = $0
  sub(/^[^\047]*\047/, "", name); sub(/\047 for \047sm_.*/, "", name)
  sub(/^void /, "", name); sub(/\(.*\)$/, "", name);
  gsub(/\((int|unsigned int|bool)\)| /, "", name)
  regs = smem = spill = frame = 0
  entry = 1
}
/Function properties for/ { inner = entry == 1 ? 0 : 1; entry = 2 }
/bytes stack frame/ && !inner {
  frame = $1 + 0
  for (i = 1; i <= NF; i++) if ($i == "spill") spill += $(i - 2)
}
/: Used [0-9]+ registers/ {
  for (i = 1; i <= NF; i++) {
    if ($i ~ /^registers/) regs = $(i - 1) + 0
    if ($i == "smem" || $i == "smem,") smem = $(i - 2) + 0
  }
}
END {
  keep()
  if (all) {
    for (i = 1; i <= n; i++) row(kernel[i], registers[i], shared[i], spills[i], stack[i])
    exit
  }
  for (g = 1; g <= groups; g++) {
    b = order[g]
    for (i = 1; i <= n; i++)
      if (base(kernel[i]) == b && (count[b] == 1 || spills[i] > 0))
        row(kernel[i], registers[i], shared[i], spills[i], stack[i])
    if (count[b] > 1)
      printf("           %-32s %s registers, %s B shared%s\n", b "<> (" count[b] " instances)",
             range(low[b], high[b]), range(slow[b], shigh[b]), spilling[b] ? "" : ", no spills")
  }
}'
