#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Holds the counters of the homework programs against Nsight Compute on the same launches, in
# separate processes, and prints a Markdown table. Run in the folder of the programs.
import csv
import io
import json
import subprocess
import sys

CONFLICTS = ["l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_ld.sum",
             "l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_st.sum"]
# Our metric, the counters of Nsight Compute that add up to it, a factor, and what is promised.
METRICS = [
    ("warp_instructions", ["smsp__inst_executed.sum"], 1, "equal"),
    ("thread_instructions", ["smsp__thread_inst_executed_pred_on.sum"], 1, "equal"),
    ("global_load_requests", ["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"], 1, "equal"),
    ("global_load_sectors", ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 1, "equal"),
    ("global_store_requests", ["l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"], 1, "equal"),
    ("global_store_sectors", ["l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"], 1, "equal"),
    ("l2_to_l1_bytes", ["l1tex__m_xbar2l1tex_read_bytes.sum"], 1, "2 %"),
    ("l1_to_l2_bytes", ["lts__t_sectors_srcunit_tex_op_write.sum"], 32, "2 %"),
    ("global_bank_conflicts", CONFLICTS, 1, "spread"),
]
# Program, kernel, warps per block.
LAUNCHES = [
    ("hw01", "norm_base<4>", 8), ("hw01", "norm_base<8>", 8), ("hw01", "norm_base<32>", 8),
    ("hw01-sol", "norm_group<32,32>", 8), ("hw01-sol", "norm_group<32,8>", 8),
    ("hw02", "norm_group<8,8>", 4), ("hw02", "norm_group<8,8>", 32),
    ("hw02", "norm_group_u<8,8,4>", 8), ("hw02-sol", "norm_group_u<8,8,1>", 8),
    ("hw02-sol", "norm_group_u<8,8,2>", 8), ("hw02-sol", "norm_group_u<8,8,4>", 8),
    ("hw02-sol", "norm_group_u<8,8,8>", 32), ("hw02-sol", "norm_group_u<32,32,4>", 16),
]
OURS_RUNS, NCU_RUNS = 3, 2


def ours(program, kernel, warps):
    runs = []
    for _ in range(OURS_RUNS):
        out = subprocess.run([f"./{program}", "--json", "--no-times", "--kernel", kernel, "0",
                              str(warps)], capture_output=True, text=True, check=True).stdout
        record = json.loads(out.splitlines()[-1])
        assert record["kernel"] == kernel, record["kernel"]
        runs.append({k: v["value"] for k, v in record["counts"].items()})
    return runs


def by_ncu(program, kernel, warps, names):
    """One dictionary a launch. Names that take one pass are counted without a replay, so that the
    caches are as the program leaves them."""
    runs = []
    for _ in range(NCU_RUNS):
        out = subprocess.run(["ncu", "--clock-control", "none", "--cache-control", "none",
                              "--csv", "--print-units", "base", "--metrics", ",".join(names),
                              f"./{program}", "--no-counters", "--no-times", "--kernel", kernel,
                              "0", str(warps)], capture_output=True, text=True).stdout
        start = out.find('"ID"')
        if start < 0:
            sys.exit(f"ncu gave no table:\n{out[-2000:]}")
        launches = {}
        for row in csv.DictReader(io.StringIO(out[start:])):
            value = float(row["Metric Value"].replace(",", ""))
            launches.setdefault(row["ID"], {})[row["Metric Name"]] = value
        runs += launches.values()
    return runs


def verdict(promise, mine, theirs):
    if promise == "equal":
        return mine == theirs and len(mine) == 1
    if promise == "2 %":
        return abs(min(mine) - min(theirs)) <= 0.02 * min(theirs)
    spread = max(max(mine) - min(mine), max(theirs) - min(theirs))
    gap = max(min(mine) - max(theirs), min(theirs) - max(mine), 0)
    return gap <= spread


def text(values):
    low, high = min(values), max(values)
    return f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"


def main():
    print("\nEach launch in processes of its own: the program's own counters "
          f"({OURS_RUNS} runs), then Nsight Compute around the program without counters "
          f"({NCU_RUNS} runs; `--cache-control none --clock-control none`).\n")
    print("| program | kernel | wp | metric | ours | ncu | promised | holds |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    failed = 0
    for program, kernel, warps in LAUNCHES:
        mine_runs = ours(program, kernel, warps)
        counts = sorted({n for _, parts, _, promise in METRICS for n in parts if promise == "equal"})
        count_runs = by_ncu(program, kernel, warps, counts)
        for metric, parts, factor, promise in METRICS:
            mine = {r[metric] for r in mine_runs if metric in r}
            runs = count_runs if promise == "equal" else by_ncu(program, kernel, warps, parts)
            theirs = {factor * sum(r[p] for p in parts) for r in runs}
            holds = bool(mine) and verdict(promise, mine, theirs)
            failed += not holds
            print(f"| {program} | `{kernel}` | {warps} | {metric} | "
                  f"{text(mine) if mine else 'not measured'} | {text(theirs)} | {promise} | "
                  f"{'yes' if holds else '**no**'} |")
    print(f"\n{len(LAUNCHES) * len(METRICS) - failed} of {len(LAUNCHES) * len(METRICS)} hold.")


if __name__ == "__main__":
    main()
