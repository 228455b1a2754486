#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# many-gradings.sh FOLDER SAMPLES SUBMISSIONS: grades SAMPLES submissions of hw02 without a GPU and
# makes SUBMISSIONS of them in FOLDER/results, each with records, counts by line, code and source of
# its own. Prints the seconds of grading and the bytes of the samples' results.
set -e
cd "$(dirname "$0")/.."
folder=$1 samples=$2 submissions=$3
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
INSERT INTO member SELECT homework, CAST(identity || i AS BLOB), submission || i
  FROM made JOIN graded ON graded.id = old;
INSERT INTO launches SELECT made.id, plan, size, records, lines_size, lines
  FROM made JOIN launches ON grading = old;
INSERT INTO check_result SELECT made.id, position, check_result.id, title, status, points,
  max_points, hidden, kernel, measured, threshold, tier, message, costs, hint, reproduce, quoted,
  blocks, waits_for FROM made JOIN check_result ON grading = old;
COMMIT;
EOF
echo "$graded_s $bytes_of_samples"
