#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# handout.sh "HOMEWORKS" FILE.tar.gz: what students get: the homeworks named, as committed, and what
# builds, runs and grades them. Not in it: solutions (templates have some, too), tests with their
# submissions, other homeworks.
set -e
homeworks=$1 archive=$2
if [ -z "$homeworks" ]; then
  echo 'handout.sh: say which homeworks: make handout HW="hw01"' >&2
  exit 2
fi
for homework in $homeworks; do
  if [ ! -f "$homework/rubric.toml" ]; then
    echo "handout.sh: no homework '$homework'; say which: make handout HW=\"hw01\"" >&2
    exit 2
  fi
  if [ ! -f "$homework/recorded.json" ]; then
    echo "handout.sh: $homework/recorded.json is not there, so students could not grade themselves;" \
      "make it: grader/grader selfcheck $homework --record" >&2
    exit 2
  fi
done
if ! git rev-parse --verify -q HEAD > /dev/null; then
  echo "handout.sh: this is no git checkout, which tells what belongs to it; clone it with git" >&2
  exit 77
fi
changed=$(git status --porcelain -- $homeworks)
[ -z "$changed" ] || printf 'handout.sh: not committed, so not in it as it stands here:\n%s\n' "$changed" >&2
for homework in $homeworks; do
  if ! git cat-file -e "HEAD:$homework/recorded.json" 2> /dev/null; then
    echo "handout.sh: $homework is not committed; commit $homework, solutions/$homework and its samples" >&2
    exit 2
  fi
done
hidden=$(git grep -nE "^[^#]*hidden" HEAD -- $(printf "%s/rubric.toml " $homeworks) || true)
if [ -n "$hidden" ]; then
  printf "handout.sh: a student would read the hidden check in\n%s\n" "${hidden//HEAD:/}" >&2
  exit 2
fi
given="Makefile LICENSE README.md CONTRIBUTING.md .gitignore .clang-format .vscode .devcontainer editors
  make docs common problems program emulator runner grader tools $homeworks"
# .handout says what is not there, so that `make docs` knows such links from broken ones.
left_out=$(git ls-tree --name-only HEAD | grep -vxF -f <(printf '%s\n' $given))
# shellcheck disable=SC2086
git archive --format=tar.gz --prefix=lockstep/ -o "$archive.new" \
  --add-virtual-file="lockstep/.handout:$left_out" HEAD -- $given
mv "$archive.new" "$archive"
echo "$archive: $homeworks, to hand out"
