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
rm -rf "$folder"
mkdir -p "$folder/class"
files=(tests/honest/hw02/*.cu tests/naive/hw02/*.cu tests/hostile/hw02/{half,zeros,off_by_one,hangs}.cu)
for ((i = 0; i < samples; i++)); do
  tests/hostile/assemble "${files[i * 7 % ${#files[@]}]}" > "$folder/class/$(printf 'student%03d.cu' $i)"
done
start=$EPOCHREALTIME
grader/grader run hw02 "$folder/class" -o "$folder/results" --backend emulator > "$folder/run.log"
graded_s=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }')
bytes_of_samples=$(stat -c %s "$folder/results/results.db")

sqlite3 "$folder/results/results.db" << EOF
BEGIN;
CREATE TEMP TABLE copy AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
  WHERE i < $submissions / $samples + 1) SELECT i FROM n;
CREATE TEMP TABLE graded AS SELECT * FROM grading;
CREATE TEMP TABLE made AS SELECT id AS old, (SELECT max(id) FROM graded) * i + id AS id, i
  FROM graded, copy ORDER BY i, old LIMIT $submissions - $samples;
INSERT INTO source SELECT DISTINCT content_hash || i, text
  FROM made JOIN graded ON graded.id = old JOIN source USING (content_hash);
INSERT INTO code SELECT DISTINCT module_hash || i, size, json
  FROM made JOIN graded ON graded.id = old JOIN code USING (module_hash);
INSERT INTO grading SELECT made.id, homework, submission || i, path, content_hash || i, config_hash,
  backend, device, driver, arch, compiler, sandbox, module_hash || i, seed, attempts, build_seconds,
  run_seconds, finished_at, verdict, reason, message, points, max_points, undecided_points,
  CAST(identity || i AS BLOB), quoted, draw, review_points, node, execution_hash, ended, judged_from
  FROM made JOIN graded ON graded.id = old;
INSERT INTO launches SELECT made.id, plan, size, records, lines_size, lines
  FROM made JOIN launches ON grading = old;
INSERT INTO check_result SELECT made.id, position, check_result.id, title, status, points,
  max_points, hidden, kernel, measured, threshold, tier, message, costs, hint, reproduce, quoted,
  blocks, waits_for FROM made JOIN check_result ON grading = old;
COMMIT;
EOF
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
