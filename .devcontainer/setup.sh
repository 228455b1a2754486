#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# setup.sh: what a container of Debian 12 or Ubuntu 24.04 lacks for Lockstep, as root: make, git, gdb
# and the packages of make/packages. What is there is left alone. The CUDA toolkit is the image's.
set -e
cd "$(dirname "$0")/.."
lacking=
for program in make git gdb; do
  command -v "$program" > /dev/null || lacking="$lacking $program"
done
if [ -n "$lacking" ]; then
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $lacking
fi
make/packages.sh
