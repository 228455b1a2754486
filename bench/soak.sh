#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# soak.sh [SUBMISSIONS] [KILLS]: grades a class of SUBMISSIONS (1000) of hw01 without a GPU, in one
# go, and says how the grader's memory went; copies of the results are made meanwhile. The first
# hundred of them are graded in a class of their own by a grader that is killed KILLS (100) times at
# random moments and started again; nothing may be lost, doubled or otherwise. Prints
# docs/measured/soak.md; ends with 1 where something is not as it must be. Uses build/soak.
set -e
cd "$(dirname "$0")/.."
submissions=${1:-1000}
kills=${2:-100}
killed_class=$((submissions < 100 ? submissions : 100))
folder=$PWD/build/soak
rm -rf "$folder"
mkdir -p "$folder/class" "$folder/few"
samples=(tests/honest/hw01/*.cu tests/naive/hw01/*.cu tests/hostile/hw01/{half,zeros,off_by_one}.cu)
for ((i = 0; i < submissions; i++)); do
  file=$(printf 'student%04d.cu' $i)
  tests/hostile/assemble "${samples[i % ${#samples[@]}]}" > "$folder/class/$file"
  echo "// $i" >> "$folder/class/$file"
  ((i >= killed_class)) || cp "$folder/class/$file" "$folder/few/"
done

problems=0
problem() { echo "soak: $*" >&2; problems=$((problems + 1)); }
number() { sqlite3 "$1/results.db" "$2" 2> /dev/null || echo 0; }
options=(--backend emulator --seed 1120 --rubric bench/soak.toml)
grade() { exec grader/grader run hw01 "$folder/$1" -o "$folder/$2" "${options[@]}"; }
elapsed() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.0f", b - a }'; }

# Each of the class has one grading.
check_killed() {
  local rows whose
  rows=$(number "$folder/killed" 'SELECT count(*) FROM grading')
  whose=$(number "$folder/killed" 'SELECT count(DISTINCT identity) FROM grading')
  ((rows == killed_class && whose == killed_class)) ||
    problem "$killed_class submissions have $rows gradings of $whose after kill $k"
}

# Killed at random moments up to 8 s after its start. When the class is done, it is begun anew.
start=$EPOCHREALTIME
RANDOM=1120
before=0 classes=1 late=0
for ((k = 0; k < kills; k++)); do
  (grade few killed) > "$folder/killed.log" 2>&1 &
  grader=$!
  sleep "$((RANDOM % 8)).$((RANDOM % 10))"
  kill -9 $grader 2> /dev/null || late=$((late + 1))
  wait $grader 2> /dev/null || true
  now=$(number "$folder/killed" 'SELECT count(*) FROM grading')
  ((now >= before)) || problem "kill $k: $before gradings became $now"
  before=$now
  if ((now >= killed_class && k + 1 < kills)); then
    check_killed
    rm -rf "$folder/killed"
    before=0 classes=$((classes + 1))
  fi
done
(grade few killed) > "$folder/killed.log" 2>&1 || problem "the last run: $(tail -n 1 "$folder/killed.log")"
kill_seconds=$(elapsed "$start")
check_killed
[ ! -e "$folder/killed/work" ] || problem "a working folder was left behind"

# In one go, with a copy every now and then.
start=$EPOCHREALTIME
(grade class whole) > "$folder/whole.log" 2>&1 &
grader=$!
copies=0
while kill -0 $grader 2> /dev/null; do
  memory=$(awk '/VmRSS/ { print $2 }' /proc/$grader/status 2> /dev/null || true)
  [ -z "$memory" ] || echo "$(grep -c '^student' "$folder/whole.log" || true) $memory" >> "$folder/memory"
  if [ -e "$folder/whole/results.db" ] && ((++tick % 15 == 0)); then
    rm -rf "$folder/copy"
    if grader/grader backup "$folder/copy" -o "$folder/whole" > "$folder/copy.log" 2>&1; then
      copies=$((copies + 1))
      there=$(number "$folder/copy" 'SELECT count(*) FROM grading')
      full=$(number "$folder/copy" 'SELECT count(DISTINCT grading) FROM check_result')
      ((there == full)) || problem "a copy holds $there gradings and the checks of $full"
    else
      problem "no copy: $(cat "$folder/copy.log")"
    fi
  fi
  sleep 1
done
wait $grader || problem "the class: $(tail -n 1 "$folder/whole.log")"
seconds=$(elapsed "$start")
rows=$(number "$folder/whole" 'SELECT count(*) FROM grading')
((rows == submissions)) || problem "$submissions submissions have $rows gradings"

# Each of the killed class has the one result that it has without kills.
different=$(sqlite3 "$folder/killed/results.db" "ATTACH '$folder/whole/results.db' AS whole;
  SELECT count(*) FROM (
    SELECT identity, g.verdict, g.reason, g.points, c.id, c.status, c.points, c.measured
      FROM main.grading g JOIN main.check_result c ON c.grading = g.id
    EXCEPT
    SELECT identity, g.verdict, g.reason, g.points, c.id, c.status, c.points, c.measured
      FROM whole.grading g JOIN whole.check_result c ON c.grading = g.id)")
((different == 0)) || problem "$different checks came out otherwise after kills"

kib_at() { awk -v n="$1" '$1 >= n { print $2; exit }' "$folder/memory"; }
quarter=$(kib_at $((submissions / 4))) half=$(kib_at $((submissions / 2))) end=$(tail -n 1 "$folder/memory" | cut -d ' ' -f 2)
most=$(sort -n -k 2 "$folder/memory" | tail -n 1 | cut -d ' ' -f 2)
bytes=$(stat -c %s "$folder/whole/results.db")
cat << EOF
# A soak

Measured by \`make soak\` at commit $(git rev-parse --short HEAD 2> /dev/null || echo unknown), on $(nproc) processors (load average at the end: $(cut -d ' ' -f 1 /proc/loadavg)),
with submissions of hw01 made of the samples of tests/, on the emulator, by bench/soak.toml.

| | |
| --- | --- |
| submissions graded in one go | $rows in $seconds s |
| the grader's memory after a quarter, after half, at the end, at most, MiB | $((quarter / 1024)), $((half / 1024)), $((end / 1024)), $((most / 1024)) |
| copies of the results made meanwhile, each whole | $copies |
| \`results.db\` | $bytes bytes, $((bytes / rows)) a submission |
| \`kill -9\` at random moments in a class of $killed_class | $kills in $kill_seconds s ($late after the end), in which it was graded $classes times |
| gradings afterwards, and of how many | $(number "$folder/killed" 'SELECT count(*) FROM grading') of $(number "$folder/killed" 'SELECT count(DISTINCT identity) FROM grading') |
| checks that came out otherwise than without kills | $different |
| problems | $problems |
EOF
((problems == 0))
