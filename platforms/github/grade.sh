#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# grade.sh HOMEWORK: a step of GitHub Actions, in the checkout of a student's repository. Its output
# `result` is what classroom-resources/autograding-grading-reporter reads. Nothing that the student
# wrote is printed, since a line of a step's output may be a command to the runner.
homework=$1
checkout=${GITHUB_WORKSPACE:-$PWD}
out=$(mktemp)
trap 'rm -f "$out"' EXIT
options=()
time=$(git -c safe.directory="$checkout" -C "$checkout" log -1 --format=%cI 2> /dev/null) &&
  options=(--submitted "$time")
"$(dirname "$0")/../grade.sh" github "$homework" "$checkout" "$out" "${options[@]}" || exit
echo "result=$(cat "$out")" >> "${GITHUB_OUTPUT:?is set by GitHub Actions}"
