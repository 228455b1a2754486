#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# starter.sh SOURCE: prints the starter of a homework: solutions/hwNN/hwNN.cu as the preprocessor
# would leave it with SOLUTION 0, but touching only its `#if SOLUTION`, `#if !SOLUTION`, `#else`
# and `#endif` lines. The result goes to hwNN/hwNN.cu (`make starters`) and is committed.
exec awk '
function fail(line, what) {
  printf "%s:%d: error: %s\n", FILENAME, line, what > "/dev/stderr"
  failed = 1
  exit 2
}
# kind[depth] is "solution" for a conditional on SOLUTION, else "other"; hidden[depth] says
# whether its current branch is left out.
/^[ \t]*#[ \t]*if[ \t]+!?[ \t]*SOLUTION[ \t]*$/ {
  depth++
  kind[depth] = "solution"; opened[depth] = FNR
  hidden[depth] = ($0 !~ /!/)
  next
}
/^[ \t]*#[ \t]*(if|ifdef|ifndef)[ \t(!]/ {
  if ($0 ~ /[^A-Za-z0-9_]SOLUTION([^A-Za-z0-9_]|$)/)
    fail(FNR, "write `#if SOLUTION` or `#if !SOLUTION`, with nothing else on the line")
  depth++
  kind[depth] = "other"; hidden[depth] = 0; opened[depth] = FNR
}
/^[ \t]*#[ \t]*elif/ && kind[depth] == "solution" { fail(FNR, "#elif of #if SOLUTION") }
/^[ \t]*#[ \t]*else/ {
  if (depth == 0) fail(FNR, "#else without #if")
  if (kind[depth] == "solution") { hidden[depth] = !hidden[depth]; next }
}
/^[ \t]*#[ \t]*endif/ {
  if (depth == 0) fail(FNR, "#endif without #if")
  if (kind[depth--] == "solution") next
  if (out()) next
  print
  next
}
function out(  i) {
  for (i = 1; i <= depth; i++) if (hidden[i]) return 1
  return 0
}
{ if (!out()) print }
END { if (!failed && depth > 0) fail(opened[depth], "#if without #endif") }
' "$1"
