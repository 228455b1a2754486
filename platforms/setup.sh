#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# setup.sh HOMEWORK [USER]: makes a container ready to grade one homework as USER (root), who is made
# where there is none: packages, the CUDA compiler, the build. As root, on Debian 12 or Ubuntu 24.04,
# with a network; what is there already is left alone.
set -e
cd "$(dirname "$0")/.."
homework=$1
user=${2:-root}
[ -f "$homework/rubric.toml" ] || { echo "setup.sh: no homework '$homework'" >&2; exit 2; }

export DEBIAN_FRONTEND=noninteractive
if ! command -v make > /dev/null; then
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends make
fi
make/packages.sh
if [ ! -x /usr/local/cuda/bin/nvcc ] && ! command -v nvcc > /dev/null; then
  # The compiler and headers alone; a container needs no driver.
  compiler=cuda-minimal-build-13-0
  if [ -f platforms/cuda-keyring.deb ]; then
    apt-get install -y -qq --no-install-recommends ca-certificates
    dpkg -i platforms/cuda-keyring.deb
    apt-get update -qq
  fi
  if ! apt-cache show "$compiler" > /dev/null 2>&1; then
    echo "setup.sh: no package $compiler: put the package cuda-keyring for this system, from" >&2
    echo "  https://developer.nvidia.com/cuda-downloads, into platforms/cuda-keyring.deb" >&2
    exit 77
  fi
  apt-get install -y -qq --no-install-recommends "$compiler"
fi
make --no-print-directory "$homework/$homework" "$homework/$homework.cubin" grader/grader \
  runner/lockstep-runner

# Submissions are compiled and run as another user where namespaces are refused: what could help one
# who writes them is the grader's alone.
id "$user" > /dev/null 2>&1 || useradd --create-home "$user"
for secret in solutions tests .git; do
  [ -e "$secret" ] || continue
  chown -R "$user" "$secret"
  chmod -R go-rwx "$secret"
done
