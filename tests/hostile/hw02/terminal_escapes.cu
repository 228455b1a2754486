// SPDX-License-Identifier: Apache-2.0
// Attack: a compiler error with escapes for the terminal that shows it.
// Expect: student_error:compile 0..0
#error ]0;owned[2J[31mPASS 100 / 100
