# SPDX-License-Identifier: Apache-2.0
# Finds the coefficients of a card's multi-function unit out of what tools/measure/multifunction.cu
# has written to a folder, and prints emulator/numerics/multifunction_tables.h:
#   python3 tools/measure/fit_multifunction.py FOLDER > emulator/numerics/multifunction_tables.h
# Needs numpy and scipy; some ten minutes. How it computes: docs/arithmetic.md.
import sys

import numpy as np
from scipy.optimize import linprog

FOLDER = sys.argv[1]
STEPS = 1 << 17  # of a stretch
UNIT = 2.0 ** 40


def answers(op, first, distance=1):
    return np.fromfile(f"{FOLDER}/{op}.{first:08x}.{distance}", dtype=np.uint32)


def truncated_square():
    t = np.arange(STEPS, dtype=np.int64)
    bit = [(t >> i) & 1 for i in range(17)]
    square = np.zeros_like(t)
    for i in range(17):
        for j in range(i, 17):
            at = 2 * i if i == j else i + j + 1
            if at >= 19:
                square += (bit[i] & bit[j]) << (at - 19)
    return square.astype(float)


SQUARE = truncated_square()


def values(bits):
    return bits.astype(np.uint32).view(np.float32).astype(float)


# A stretch: steps t, and bounds of what stands before the cut: least <= F < beyond, in UNIT.
class Stretch:
    def __init__(self, t, bits):
        self.t = np.asarray(t)
        self.least = values(bits) * UNIT
        self.beyond = values(bits + np.uint32(1)) * UNIT
        self.base = np.round(self.least.mean())

    # What misses the bounds least, with some coefficients given. points: where it begins to look,
    # since the solver now and then gives up.
    def solve(self, linear=None, square=None):
        for points in (60, 61, 97, 300, 1000):
            found = self.solve_from(points, linear, square)
            if found is not None:
                return found
        raise SystemExit("the solver gives up")

    def solve_from(self, points, linear, square):
        t, s = self.t.astype(float), SQUARE[self.t]
        known = (0 if linear is None else linear * t) + (0 if square is None else square * s)
        columns = [np.ones_like(t)]
        scales = [UNIT / 2 ** 24]
        if linear is None:
            columns.append(t / STEPS), scales.append(UNIT / 2 ** 24 / STEPS)
        if square is None:
            columns.append(s / 2 ** 15), scales.append(UNIT / 2 ** 24 / 2 ** 15)
        a = np.column_stack(columns)
        least = (self.least - self.base - known) / (UNIT / 2 ** 24)
        beyond = (self.beyond - self.base - known) / (UNIT / 2 ** 24)
        if a.shape[1] == 1:
            return np.array([least.max(), beyond.min()]) * (UNIT / 2 ** 24) + self.base
        active = set(np.linspace(0, len(t) - 1, points).astype(int).tolist())
        for _ in range(40):  # only few of the bounds matter: those that are missed are added
            rows = np.array(sorted(active))
            one = np.ones((len(rows), 1))
            result = linprog([0] * a.shape[1] + [-1],
                             A_ub=np.vstack([np.hstack([-a[rows], one]), np.hstack([a[rows], one])]),
                             b_ub=np.concatenate([-least[rows], beyond[rows]]),
                             bounds=[(None, None)] * a.shape[1] + [(None, 1e6)], method="highs")
            if result.x is None:
                return None
            x, margin = result.x[:-1], result.x[-1]
            missed = np.minimum(a @ x - least, beyond - a @ x) - margin
            worst = np.argpartition(missed, min(60, len(missed) - 1))[:60]
            new = set(worst[missed[worst] < -1e-7].tolist()) - active
            if not new:
                break
            active |= new
        return x * scales

    # Whole coefficients, the coarsest that satisfy all bounds: a square's unit is twice the others'.
    def coefficients(self):
        guess = self.solve()[2]
        for unit in (32, 16, 8, 4, 2, 1):
            if unit > 1 and abs(guess / unit - round(guess / unit)) > 0.3:
                continue
            half = max(unit // 2, 1)
            for step in (0, 1, -1):
                square = (round(guess / unit) + step) * unit
                near = self.solve(square=square)[1]
                for more in (0, 1, -1):
                    linear = (round(near / half) + more) * half
                    low, high = self.solve(linear=linear, square=square)
                    constant = int(np.ceil(low / half - 1e-3)) * half
                    if constant < high:
                        return constant, int(linear), int(square)
        raise SystemExit("a stretch has no coefficients")


def table(name, comment, stretches):
    found = []
    for one in stretches:
        found.append(one.coefficients())
    print(f"// Of {comment}.\ninline constexpr Stretch {name}[{len(found)}] = {{")
    line = " "
    for one in found:
        text = " {%d, %d, %d}," % one
        if len(line) + len(text) > 100:
            print(line)
            line = " "
        line += text
    print(line + "\n};\n")


def cut(bits, number, first=0):
    for k in range(number):
        begin = first if k == 0 else 0
        yield Stretch(np.arange(begin, STEPS), bits[k * STEPS + begin:(k + 1) * STEPS])


def reciprocals(bits):
    for k in range(128):
        yield Stretch(np.arange(STEPS // 2) * 2, bits[k * STEPS // 2:(k + 1) * STEPS // 2])


# The first quarter of a turn, as far as it was asked about: operands are turns after a product.
def sines():
    seen = np.zeros(64 * STEPS, dtype=np.uint32)
    known = np.zeros(64 * STEPS, dtype=bool)
    for exponent in (126, 127, 128, 129):
        first = exponent << 23
        bits = answers("sin.approx.ftz.f32", first)
        radians = values(first + np.arange(len(bits), dtype=np.uint32))
        product = radians * float(np.uint32(0x3e22f983).view(np.float32))
        turns = (product.view(np.uint64) & np.uint64(0xffffffffe0000000)).view(np.float64)
        at = np.floor(turns * 2 ** 25).astype(np.int64) & (4 * 64 * STEPS - 1)
        quarter, step = at // (64 * STEPS), at % (64 * STEPS)
        step = np.where(quarter % 2 == 1, 64 * STEPS - 1 - step, step)
        seen[step] = np.where(quarter >= 2, bits ^ np.uint32(1 << 31), bits)
        known[step] = True
    for k in range(64):
        t = np.flatnonzero(known[k * STEPS:(k + 1) * STEPS])
        t = t[t + k > 0]  # the sine of 0 has no last place
        yield Stretch(t, seen[k * STEPS + t])


def tangents():
    for exponent, bits in zip(range(-8, 3), (0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 3)):
        distance = 1 if exponent in (-1, 0) else 8
        got = answers("tanh.approx.f32", (exponent + 127) << 23, distance)
        step = (np.arange(len(got)) * distance) >> (6 - bits)
        for k in range(1 << bits):
            t, first = np.unique(step[step // STEPS == k] % STEPS, return_index=True)
            yield Stretch(t, got[step // STEPS == k][first])


print("""// SPDX-License-Identifier: Apache-2.0
// Generated by tools/measure/fit_multifunction.py: the coefficients of a card's multi-function unit.
// Of each stretch of a function: what stands before it, before the distance from its beginning, and
// before that distance's truncated square (multifunction.h), in units of 2^-40.
#pragma once

#include <cstdint>

namespace lockstep::emulator::num {

struct Stretch {
  int64_t constant;
  int32_t linear, square;
};

// clang-format off""")
table("kReciprocal", "1 / x of x from 1 to 2", reciprocals(answers("rcp.approx.ftz.f32", 0x3f800000)))
table("kInverseRoot", "1 / sqrt(x) of x from 1 to 4, 64 in each half of it",
      cut(answers("rsqrt.approx.ftz.f32", 0x3f800000), 128, 1))
table("kRoot", "sqrt(x) likewise", cut(answers("sqrt.approx.ftz.f32", 0x3f800000), 128))
table("kPower", "2^x of x from 0 to 1",
      cut(answers("ex2.approx.ftz.f32", 0x3f800000) - np.uint32(1 << 23), 64))
table("kLogarithm", "log2(x) of x from 1 to 2", cut(answers("lg2.approx.ftz.f32", 0x3f800000), 64, 1))
table("kSine", "the sine of a quarter of a turn", sines())
table("kTangent", "tanh(x) of x from 1/256 to 8: of each power of two 1, 1, 1, 2, 2, 4, 4, 4, 8, 16 and 8",
      tangents())
print("""// clang-format on

}  // namespace lockstep::emulator::num""")
