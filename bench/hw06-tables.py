#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# hw06-tables.py: on a card, the times of the solution of hw06 as its handout has them, in Markdown:
# copies and transposes of two sizes, and the best products. bench/measured.sh says with what.
import json
import subprocess

PROGRAM = "solutions/hw06/hw06-sol"
ROWS = [("simple, (32, 32)", "simple<32,32>"), ("simple, (1024, 1)", "simple<1024,1>"),
        ("simple, (1, 1024)", "simple<1,1024>"), ("tile", "tile<0>"), ("tile, padded", "tile<1>"),
        ("several", "several<0>"), ("several, padded", "several<1>"), ("swizzled", "swizzled"),
        ("best", "best")]
SIDES = {2048: 16, 8192: 256}  # and MiB


def records(mib, *kernels):
    command = [PROGRAM, "0", "0", str(mib), "--json", "--no-counters", "--repetitions", "20"]
    for kernel in kernels:
        command += ["--kernel", kernel]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return {r["kernel"]: r for r in map(json.loads, lines) if "kernel" in r}


def moves():
    columns = [(what, side) for what in ("copy", "transpose") for side in SIDES]
    print("| kernel |", " | ".join(f"{what} {side} | GB/s" for what, side in columns), "|")
    print("|", " | ".join(["---"] * (1 + 2 * len(columns))), "|")
    found = {side: records(mib, "copy*", "transpose*") for side, mib in SIDES.items()}
    for row, name in ROWS:
        cells = []
        for what, side in columns:
            record = found[side].get(f"{what}_{name}")
            us = record["time_us"] if record else None
            cells += [f"{us:.1f}", f"{8 * side * side / us / 1000:.0f}"] if us else ["", ""]
        print("|", " | ".join([row] + cells), "|")


def products():
    found = records(16, "*product_best*")
    print("| type | product | best 2 us | best 4 us | best 8 us |\n| --- | --- | --- | --- | --- |")
    for kind in ("float", "double"):
        for odd in ("odd_", ""):
            cells = [found[f"{odd}product_best<{kind},{each}>"] for each in (2, 4, 8)]
            n, r, m = (cells[0]["parameters"][k] for k in "NRM")
            print("|", " | ".join([kind, f"{n} x {r} by {r} x {m}"] +
                                  [f"{c['time_us']:.1f}" for c in cells]), "|")


moves()
print()
products()
