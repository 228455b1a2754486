# SPDX-License-Identifier: Apache-2.0
# Runs the table of PTX operations on a card: run.py IN OUT. IN holds manifest.tsv, the operand
# files (tests/numerics/card_files_test.cc writes them) and ops.cubin made by ptxas from ops.ptx.
# OUT gets the raw results of all operations in order, deflated, in parts of at most 32 MiB raw.
# Needs Python with CuPy.
import subprocess
import sys
import zlib

import cupy
import numpy

source, target = sys.argv[1], sys.argv[2]
module = cupy.RawModule(path=source + "/ops.cubin")
operands = {}
part, raw, parts = zlib.compressobj(9), 0, 1
out = open(f"{target}/results.{parts}.z", "wb")
for number, line in enumerate(open(source + "/manifest.tsv")):
    name, width, count, *files = line.rstrip("\n").split("\t")
    width, count = int(width), int(count)
    for file in files:
        if file not in operands:
            operands[file] = cupy.asarray(numpy.fromfile(f"{source}/{file}", dtype=numpy.uint8))
    pointers = [operands[f] for f in files] + [operands[files[0]]] * (3 - len(files))
    result = cupy.zeros(count * width, dtype=cupy.uint8)
    kernel = module.get_function(f"op_{number}")
    kernel(((count + 255) // 256,), (256,), (*pointers, result, numpy.uint32(count)))
    data = result.get().tobytes()
    if raw + len(data) > 32 << 20:
        out.write(part.flush())
        out.close()
        parts, raw, part = parts + 1, 0, zlib.compressobj(9)
        out = open(f"{target}/results.{parts}.z", "wb")
    out.write(part.compress(data))
    raw += len(data)
out.write(part.flush())
out.close()
fields = "name,driver_version,compute_cap"
gpu = subprocess.run(["nvidia-smi", "--query-gpu=" + fields, "--format=csv,noheader"],
                     capture_output=True, text=True).stdout.strip()
version = cupy.cuda.runtime.runtimeGetVersion()
open(target + "/device.txt", "w").write(f"{gpu}, CUDA runtime {version}\n")
print(gpu, "parts", parts)
