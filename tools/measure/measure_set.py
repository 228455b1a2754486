# SPDX-License-Identifier: Apache-2.0
"""The work of measure-set.sh: runs tools/run-kernel once a launch and writes the tables."""
import argparse
import array
import json
import os
import subprocess
import sys
import tempfile
import time

DATA = "tests/data/h200_"  # and the set's name
KEYS = ["module", "kernel", "grid", "block", "shared", "arg"]
LAUNCH_SECONDS = 60  # a launch that takes longer has failed

# Columns of counters.tsv that are one metric of run-kernel, divided by the number.
COLUMN_METRIC = {
    "smsp__inst_executed.sum": ("warp_instructions", 1),
    "smsp__thread_inst_executed_pred_on.sum": ("thread_instructions", 1),
    "smsp__sass_branch_targets_threads_divergent.sum": ("divergent_branches", 1),
    "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum": ("shared_wavefronts", 1),
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": ("global_load_requests", 1),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("global_load_sectors", 1),
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum": ("global_store_requests", 1),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": ("global_store_sectors", 1),
    "l1tex__m_xbar2l1tex_read_bytes.sum": ("l2_to_l1_bytes", 1),
    "lts__t_sectors_srcunit_tex_op_write.sum": ("l1_to_l2_bytes", 32),
}

# Columns of which run-kernel gives the sum: 0 each where that is 0, unknown otherwise.
COLUMN_SUM = {
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum": "local_sectors",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum": "local_sectors",
    "smsp__inst_executed_op_shared_ld.sum": "shared_requests",
    "smsp__inst_executed_op_shared_st.sum": "shared_requests",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_ld.sum": "global_bank_conflicts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_st.sum": "global_bank_conflicts",
}

# Metrics that stand in columns of their own, behind the others.
EXTRA = ["local_sectors", "global_bank_conflicts", "shared_requests", "shared_wavefronts_ideal",
         "barriers", "dram_bytes", "active_warps_pct"]


def glibc_rand(count):
    """What srand(1) and rand() of the GNU C library give."""
    r = [1]
    for _ in range(30):
        r.append(16807 * r[-1] % 2147483647)
    r += r[:3]
    for i in range(34, 344 + count):
        r.append((r[i - 31] + r[i - 3]) & 0xFFFFFFFF)
    return (x >> 1 for x in r[344:])


def write_input(path):
    """2^20 floats: rand() / (float)RAND_MAX, in order."""
    with open(path, "wb") as file:
        array.array("f", (x / 2147483648.0 for x in glibc_rand(1 << 20))).tofile(file)


def number(value):
    return str(int(value)) if value == int(value) else repr(value)


def cell(column, counts):
    """The text of one cell, empty where run-kernel gave nothing."""
    if column in counts:
        return number(counts[column]["value"])
    if column in COLUMN_METRIC:
        metric, divisor = COLUMN_METRIC[column]
        return number(counts[metric]["value"] / divisor) if metric in counts else ""
    total = counts.get(COLUMN_SUM.get(column))
    return "0" if total and total["value"] == 0 else ""


def run(launch, options, input_path):
    """The JSON of one launch; ValueError with what went wrong."""
    command = ["tools/run-kernel", "--backend", options.backend, "--json",
               "--module", os.path.join(options.modules, launch["module"] + ".ptx"),
               "--kernel", launch["kernel"], "--grid", launch["grid"].replace("x", ","),
               "--block", launch["block"].replace("x", ","), "--shared", launch["shared"],
               "--arg", "out:4194304", f"in:f32:@{input_path}", f"i32:{launch['arg']}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=LAUNCH_SECONDS)
    except subprocess.TimeoutExpired:
        raise ValueError(f"not done after {LAUNCH_SECONDS} s")
    try:
        result = json.loads(done.stdout)
    except ValueError:
        raise ValueError(f"exit code {done.returncode}: {(done.stderr or done.stdout).strip()}")
    if done.returncode != 0 or "fault" in result or result.get("violations"):
        what = result.get("fault") or result.get("violations")
        raise ValueError(f"exit code {done.returncode}: {json.dumps(what)} {done.stderr.strip()}")
    return result


def read_launches(name):
    path = f"{DATA}{name}/launches.tsv"
    with open(path, encoding="ascii") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    if rows[0] != KEYS or any(len(row) != len(KEYS) for row in rows):
        sys.exit(f"{path}: not a table of {' '.join(KEYS)}")
    return [dict(zip(KEYS, row)) for row in rows[1:]]


def counter_columns():
    with open("tests/data/h200_more/counters.tsv", encoding="ascii") as file:
        return file.readline().rstrip("\n").split("\t")[len(KEYS):] + EXTRA


def main():
    parser = argparse.ArgumentParser(prog="measure-set.sh")
    parser.add_argument("--backend", choices=["gpu", "emulator"], default="gpu")
    parser.add_argument("--set", default="fresh", choices=["fresh", "unseen", "exam", "async"])
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=520)
    parser.add_argument("modules")
    parser.add_argument("out")
    options = parser.parse_args()
    start = time.monotonic()
    columns = counter_columns()
    os.makedirs(options.out, exist_ok=True)
    measured = failed = left = 0
    with tempfile.TemporaryDirectory() as scratch, \
            open(f"{options.out}/counters.tsv", "w", encoding="ascii") as counters, \
            open(f"{options.out}/outputs.tsv", "w", encoding="ascii") as outputs, \
            open(f"{options.out}/failures.txt", "w", encoding="utf-8") as failures:
        write_input(f"{scratch}/in.bin")
        print(*KEYS, *columns, sep="\t", file=counters)
        print(*KEYS, "hash", sep="\t", file=outputs)
        for launch in read_launches(options.set)[options.skip:]:
            if time.monotonic() - start > options.seconds:
                left += 1
                continue
            try:
                result = run(launch, options, f"{scratch}/in.bin")
            except ValueError as error:
                failed += 1
                print(*launch.values(), error, sep="\t", file=failures, flush=True)
                continue
            measured += 1
            cells = [cell(column, result["counts"]) for column in columns]
            print(*launch.values(), *cells, sep="\t", file=counters, flush=True)
            print(*launch.values(), result["outputs"][0]["fnv1a"], sep="\t", file=outputs,
                  flush=True)
        if left:
            go_on = options.skip + measured + failed
            print(f"{left} launches not begun: go on with --skip {go_on}", file=failures)
    print(f"{measured} launches measured, {failed} failed, {left} not begun, "
          f"{time.monotonic() - start:.0f} s")
    return 1 if failed or left else 0


if __name__ == "__main__":
    sys.exit(main())
