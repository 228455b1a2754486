#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# messages.sh FROM COMMAND...: runs a compiler in the top folder for somebody who typed make in
# FROM (empty: in the top folder), and rewrites the file names that begin its messages as seen from
# there, so that F9's next-error finds them: in hw02, "hw02/hw02.cu(7)" is "hw02.cu(7)" and
# "common/a.h:3" is "../common/a.h:3".
from=$1
shift
start='^((In file included from|                 from) )?(\./)?'
rules=(-e "s#$start#\\1#")
if [ -n "$from" ]; then
  up=$(sed -e 's|[^/][^/]*|..|g' <<< "$from")
  rules=(-e "s#$start$from/#\\1#; t"
         -e "s#$start([A-Za-z0-9_-]+/[^:( ]+[:(][0-9])#\\1$up/\\4#")
fi
"$@" 2> >(sed -E "${rules[@]}" >&2)
status=$?
wait $!
exit $status
