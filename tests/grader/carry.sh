#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# carry.sh: collects what the grader and `make test-gpu` need on another machine, a GPU's say, in
# build/carry.tar.xz: the programs and modules built here, bubblewrap, and the libraries that a bare machine
# lacks. There, in a copy of the repository: tests/grader/on_card.sh.
set -e
cd "$(dirname "$0")/../.."
carry=build/carry
rm -rf $carry
mkdir -p $carry/lib $carry/bin

programs="grader/grader runner/lockstep-runner runner/asked.so tools/run-kernel build/release/tests/cuda/run
  build/release/tests/grader/run"
modules=
for homework in hw??; do
  programs="$programs $homework/$homework"
  modules="$modules $homework/$homework solutions/$homework/$homework-sol"
done
for program in $programs; do
  mkdir -p "$carry/tree/$(dirname "$program")"
  strip -o "$carry/tree/$program" "$program"
done
for module in $modules; do  # the solution's program is the homework's (on_card.sh)
  mkdir -p "$carry/tree/$(dirname "$module")"
  cp -p "$module.ptx" "$module.cubin" "$carry/tree/$(dirname "$module")"
done
mkdir -p $carry/tree/build/modules
cp -r build/modules/tests $carry/tree/build/modules/
cp "$(command -v bwrap)" $carry/bin/bwrap.bin
# The wrapper finds its libraries, and hands on none of that.
cat > $carry/bin/bwrap <<'WRAPPER'
#!/bin/sh
here=$(dirname "$0")
LD_LIBRARY_PATH=$here/../lib exec "$here/bwrap.bin" "$@"
WRAPPER
chmod +x $carry/bin/bwrap
for file in $carry/tree/*/* $carry/tree/build/release/tests/*/run $carry/bin/bwrap.bin; do
  [ -f "$file" ] || continue
  ldd "$file" 2> /dev/null | awk '$3 ~ /^\// { print $3 }'
done | sort -u | grep -vE '/lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+)\.so' |
  while read -r library; do cp -L "$library" $carry/lib/; done
# One file: much smaller so, and nothing of it is lost where links and rights are not kept.
tar -C $carry -cJf build/carry.tar.xz lib bin tree
rm -r $carry
du -sh build/carry.tar.xz
