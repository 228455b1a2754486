#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slurm.sh: grades a class that waits instead of computing on one and on four nodes of the test's own
# Slurm, and writes docs/measured/slurm.md: what a task and a submission cost besides, and the
# speed-up that follows for a class of 300. As root, with Slurm installed (make/packages.sh ci).
set -e
cd "$(dirname "$0")/../.."
raw=$(mktemp)
trap 'rm -f "$raw"' EXIT
LOCKSTEP_SLURM_RAW=$raw build/release/tests/slurm/run --gtest_also_run_disabled_tests \
  --gtest_filter='*DISABLED_Measure' > build/measure-slurm.log 2>&1 ||
  { tail -n 30 build/measure-slurm.log >&2; exit 1; }
[ -s "$raw" ] || { tail -n 30 build/measure-slurm.log >&2; exit 1; }

awk -v commit="$(git rev-parse --short HEAD)" -v slurm="$(/usr/sbin/slurmctld -V)" -v cores="$(nproc)" -v load="$(cut -d " " -f 1 /proc/loadavg)" '
# The seconds that stand before some words of the sentence that the front prints.
function before(words,   at, part, n) {
  at = index($0, " s " words)
  if (at == 0) return "-"
  n = split(substr($0, 1, at - 1), part, " ")
  return part[n]
}
function speed_up(w,   one, four) {
  one = first + 300 * (w + each)
  four = first + 75 * (w + each)
  return one / four
}
NR == 1 { count = $1 }
NR == 2 { wall[1] = $1 }
NR == 3 { wall[4] = $1 }
NR >= 4 {
  nodes = NR == 4 ? 1 : 4
  start[nodes] = before("from sbatch"); look[nodes] = before("until it had looked")
  graded[nodes] = before("to grade"); besides[nodes] = before("with each")
}
END {
  if (start[4] == "-" || start[1] == "-") { print "a task was lost meanwhile; measure again" > "/dev/stderr"; exit 1 }
  print "# What a Slurm cluster costs"
  print ""
  print "Measured by `make measure-slurm` at commit " commit ", " slurm ", all nodes on one machine of " cores " processors"
  print "(load average at the end: " load "). So that four nodes can work at a time there, the " count " submissions wait instead of computing: each step of"
  print "their build sleeps. What the grader and Slurm do besides is real."
  print ""
  print "| | 1 task | 4 tasks on 4 nodes |"
  print "| --- | --- | --- |"
  printf "| the whole command, %d submissions, s | %.1f | %.1f |\n", count, wall[1], wall[4]
  printf "| to grade a submission, s (median) | %s | %s |\n", graded[1], graded[4]
  printf "| from `sbatch` to a task'\''s start, s (median) | %s | %s |\n", start[1], start[4]
  printf "| until a task had looked at its node, s (median) | %s | %s |\n", look[1], look[4]
  printf "| with each submission besides grading, s (median) | %s | %s |\n", besides[1], besides[4]
  print ""
  printf "Speed-up of the whole command with these %d: %.2f.\n\n", count, wall[1] / wall[4]
  print "A class of 300 was not graded. What follows for it from the rows of the four tasks, by"
  print "(start + look + 300 (w + besides)) / (start + look + 75 (w + besides)), where one submission takes w:"
  print ""
  print "| w, s | speed-up of four nodes |"
  print "| --- | --- |"
  first = start[4] + look[4]; each = besides[4]
  n = split("1 2 5 10 30", w, " ")
  for (i = 1; i <= n; ++i) printf "| %d | %.2f |\n", w[i], speed_up(w[i])
  print ""
  print "Not in this: waiting in a queue, a slow network file system, and submissions of unequal length at the end."
}' "$raw" > build/measured-slurm.md
mv build/measured-slurm.md docs/measured/slurm.md
