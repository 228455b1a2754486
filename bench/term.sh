#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# term.sh [SAMPLES] [SUBMISSIONS]: how long it takes to judge a term anew after its rubric has
# changed. Grades SAMPLES (40) submissions of hw02 without a GPU, makes SUBMISSIONS (6000: 20 rounds
# of 300) of them in one file of results, each with records, counts by line, code and source of its
# own, and runs grader regrade on it with stricter limits, which change nearly everybody's points.
# Prints docs/measured/term.md; ends with 1 where it took 10 s or more. Uses build/term.
# PRIORITY='chrt -r 1' gives the judging the processors where others work on the machine.
set -e
cd "$(dirname "$0")/.."
samples=${1:-40}
submissions=${2:-6000}
folder=$PWD/build/term
read -r graded_s bytes_of_samples <<< "$(bench/many-gradings.sh "$folder" "$samples" "$submissions")"
bytes=$(stat -c %s "$folder/results/results.db")
one() { sqlite3 "$folder/results/results.db" "$1"; }
launches=$(one 'SELECT sum(length(records) + length(lines)) FROM launches')

sed -e 's/^at_most = 1.4$/at_most = 1.0/' hw02/rubric.toml > "$folder/rubric.toml"
TIMEFORMAT='%R %U'
time_of() { { time "$@" > "$folder/regrade.log"; } 2>&1; }
# shellcheck disable=SC2206
regrade=(${PRIORITY:-} grader/grader regrade hw02 -o "$folder/results" --rubric "$folder/rubric.toml")
read -r dry_s dry_cpu_s <<< "$(time_of "${regrade[@]}" --dry-run)"
read -r wall_s cpu_s <<< "$(time_of "${regrade[@]}")"
told=$(grep 'judged anew' "$folder/regrade.log")
start=$EPOCHREALTIME
rm -rf "$folder/copy"
grader/grader backup "$folder/copy" -o "$folder/results" > /dev/null
copy_s=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
cat << EOF
# A term judged anew

Measured by \`make term\` at commit $(git rev-parse --short HEAD 2> /dev/null || echo unknown), on $(nproc) processors (load average at the end: $(cut -d ' ' -f 1 /proc/loadavg)),
with $samples submissions of hw02 graded on the emulator in $graded_s s, of which $submissions were made${PRIORITY:+;
\`grader regrade\` by \`$PRIORITY\`, so that what else ran did not take its processors}.

| | |
| --- | --- |
| \`results.db\` of the $samples | $bytes_of_samples bytes, $((bytes_of_samples / samples)) a submission |
| of the $(one 'SELECT count(*) FROM grading WHERE judged_from = 0') | $bytes bytes, $((bytes / submissions)) a submission, of which records and counts by line are $((launches / submissions)) |
| \`grader regrade\` with 1.0 in the place of two limits of 1.4, s | $wall_s (processor time $cpu_s) |
| with \`--dry-run\`, s | $dry_s (processor time $dry_cpu_s) |
| \`grader backup\` afterwards, s | $copy_s |

What it told at its end: $told
EOF
awk -v s="$wall_s" 'BEGIN { exit !(s < 10) }'
