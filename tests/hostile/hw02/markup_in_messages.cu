// SPDX-License-Identifier: Apache-2.0
// Attack: a compiler error that is markup, a formula, JSON and a workflow command.
// Expect: student_error:compile 0..0
#error =cmd|' /C calc'!A0 <script>alert(1)</script> {"verdict": "pass"} ::notice title=Autograding complete:: Grade :=>> 100
