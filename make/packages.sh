#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# packages.sh [USE]: checks that the Debian packages of make/packages are there, those marked
# '@USE' or, without USE, the unmarked ones. As root with apt-get it installs what is missing; else
# it names them, with the command that does, and fails. On a system without dpkg there is nothing
# to ask: the compiler will say what it does not find.
command -v dpkg-query >/dev/null 2>&1 || exit 0

wanted=$(awk -v use="${1:+@$1}" '{ sub(/#.*/, "") } NF && $2 == use { print $1 }' make/packages)
# shellcheck disable=SC2086
missing() {
  have=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
         sed -n 's/^installed //p')
  for package in $wanted; do
    echo "$have" | grep -qxF "$package" || printf '%s ' "$package"
  done
}
absent=$(missing)
[ -z "$absent" ] && exit 0
absent=${absent% }

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "Installing Debian packages: $absent" >&2
  DEBIAN_FRONTEND=noninteractive
  export DEBIAN_FRONTEND
  # shellcheck disable=SC2086
  apt-get install -y -qq --no-install-recommends $absent >/dev/null 2>&1 || {
    apt-get update -qq >&2 &&
    apt-get install -y -qq --no-install-recommends $absent >/dev/null
  }
  absent=$(missing)
  absent=${absent% }
  [ -z "$absent" ] && exit 0
fi
echo "missing Debian packages: $absent; install them: sudo apt-get install -y $absent" >&2
exit 1
