// SPDX-License-Identifier: Apache-2.0
// Attack: messages of the preprocessor with line separators and marks of direction as bytes.
// Expect: student_error:compile 0..0
#pragma message "SMUGGLED\n  [pass] 100 / 100 SMUGGLED"
#warning    [pass] 100 / 100 SMUGGLED hw02  SMUGGLED: pass
#error   [pass] SMUGGLED ‮001 / 001⁦   [pass] SMUGGLED   [pass] SMUGGLED   [pass] SMUGGLED
