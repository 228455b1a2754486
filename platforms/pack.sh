#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# pack.sh HOMEWORK FILE.zip: the autograder for Gradescope: setup.sh and run_autograder at the top of
# the archive, with the sources as they are now in this git checkout (files that git knows) and the
# solution of this homework alone.
set -e
cd "$(dirname "$0")/.."
homework=$1 zip=$2
if [ ! -f "$homework/rubric.toml" ]; then
  echo "pack.sh: no homework '$homework'; say which: make gradescope HW=hw02" >&2
  exit 2
fi
if ! git rev-parse --verify -q HEAD > /dev/null; then
  echo "pack.sh: this is no git checkout, which tells what belongs to it; clone it with git" >&2
  exit 77
fi
# A commit that no branch knows, of what was changed since the last; nothing if nothing was.
now=$(git -c user.name=lockstep -c user.email=lockstep@localhost stash create)
solution=
[ ! -d "solutions/$homework" ] || solution=solutions/$homework
# What tells where NVIDIA's packages are is not ours to hand on: it is put there by who packs.
keyring=
[ ! -f platforms/cuda-keyring.deb ] ||
  keyring="--prefix=platforms/ --add-file=platforms/cuda-keyring.deb --prefix="
# shellcheck disable=SC2086
git archive --format=zip -o "$zip.new" --add-file=platforms/gradescope/setup.sh \
  --add-file=platforms/gradescope/run_autograder --add-virtual-file="homework:$homework" $keyring \
  "${now:-HEAD}" -- Makefile LICENSE common emulator grader make platforms problems program runner \
  tools 'hw*' $solution
mv "$zip.new" "$zip"
[ -n "$keyring" ] || echo "without platforms/cuda-keyring.deb (docs/platforms/README.md) its setup finds no CUDA compiler"
echo "$zip: upload it as the assignment's autograder"
