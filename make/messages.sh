#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# messages.sh FROM COMMAND...: runs a compiler in the top folder for somebody who typed make in
# FROM, and rewrites the file names that begin its messages as seen from there, so that F9's
# next-error finds them: "hw02/hw02.cu(7)" is "hw02.cu(7)", "common/a.h:3" is "../common/a.h:3".
from=$1
shift
up=$(sed -e 's|[^/][^/]*|..|g' <<< "$from")
"$@" 2> >(sed -E -e "s#^((In file included from|                 from) )?(\./)?${from}/#\1#; t" \
  -e "s#^((In file included from|                 from) )?(\./)?([A-Za-z0-9_-]+/[^:( ]+[:(][0-9])#\1${up}/\4#" >&2)
status=$?
wait $!
exit $status
