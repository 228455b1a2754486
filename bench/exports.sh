#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exports.sh [SUBMISSIONS]: how long exports and pages of a class of SUBMISSIONS (300) of hw02 take,
# made of 40 that are graded without a GPU. Prints docs/measured/exports.md; ends with 1 where all
# exports together took 10 s or more. Uses build/exports.
set -e
cd "$(dirname "$0")/.."
submissions=${1:-300}
folder=$PWD/build/exports
bench/many-gradings.sh "$folder" 40 "$submissions" > /dev/null
sync
TIMEFORMAT='%R %U'
time_of() { { time "$@" > "$folder/log" 2>&1; } 2>&1; }
{
  echo 'student,canvas,moodle,github,email,idnumber,sis_user,sis_login,section,name,file'
  sqlite3 "$folder/results/results.db" \
    'SELECT DISTINCT submission, CAST(identity AS TEXT) FROM grading' |
    awk -F '|' '{ print $1 "," NR "," NR ",gh" NR "," $1 "@example.org," NR "," NR "," $1 ",A," $1 "," $2 }'
} > "$folder/students.csv"
rows='' sum=0 sum_cpu=0
formats=$(grader/grader export none hw02 2>&1 | sed -n 's/.*expected one of //; s/,//gp')
for format in $formats; do
  out=$folder/hw02-$format
  read -r wall cpu <<< "$(time_of grader/grader export "$format" hw02 -o "$folder/results" \
    --students "$folder/students.csv" --out "$out")"
  told=$(grep ' of .* submissions in ' "$folder/log" | sed 's/ submissions in .*//')
  rows+="| \`$format\` | ${told:-$(tail -1 "$folder/log")} | $(find "$out" -type f | wc -l) | $(du -sb "$out" | cut -f 1) | $wall | $cpu |"$'\n'
  sum=$(awk "BEGIN { print $sum + $wall }") sum_cpu=$(awk "BEGIN { print $sum_cpu + $cpu }")
done
read -r wall cpu <<< "$(time_of grader/grader report hw02 -o "$folder/results")"
cat << EOF
# Exports and pages of a class

Measured by \`make exports\` at commit $(git rev-parse --short HEAD 2> /dev/null || echo unknown), on $(nproc) processors (load average at the end: $(cut -d ' ' -f 1 /proc/loadavg)),
with $submissions submissions of hw02, made of 40 that were graded on the emulator, and a table of students.

| | submissions | files | bytes | s | processor time |
| --- | --- | --- | --- | --- | --- |
${rows}| all of them | | | | $sum | $sum_cpu |
| \`grader report\` | | $(find "$folder/results/report" -type f | wc -l) | $(du -sb "$folder/results/report" | cut -f 1) | $wall | $cpu |
EOF
awk -v s="$sum" 'BEGIN { exit !(s < 10) }'
