#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Rewrites the tables of docs/h200-comparison.md, below its text, by tools/compare-h200. Run it in
# the top folder after `make`, with everything committed.
set -euo pipefail
page=docs/h200-comparison.md
tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
tools/compare-h200 --markdown > "$tables"

# Rows of one set, below the heading.
launches() {
  awk -v set="$1" '/^$/ { exit } NR <= 2 || $2 == set' "$tables"
}
{
  sed -e '/^## Summary/,$d' -e "s/at commit [0-9a-f]*/at commit $(git rev-parse --short HEAD)/" $page
  printf '## Summary\n\n'
  sed '1,/^$/d' "$tables"
  for set in h200 fit held fresh unseen exam clean dawn dusk noon tide frost ember gale squall swell drizzle hail; do
    printf '\n## Launches of %s\n\n' $set
    launches $set
  done
} > $page.new
mv $page.new $page
