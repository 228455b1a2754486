# SPDX-License-Identifier: Apache-2.0
# Packs what run.py brought back: pack.py IN OUT PTXAS_VERSION > results.tsv. One line an operation:
# name, result width, count, CRC-32 of each sixteenth of the results.
import sys
import zlib

source, target, ptxas = sys.argv[1:4]
device = open(target + "/device.txt").read().strip()
print(f"# {device}, ptxas {ptxas}; made by run.py and pack.py")
part, number, data = zlib.decompressobj(), 1, b""
stream = open(f"{target}/results.1.z", "rb")


def take(size):
    global part, number, data, stream
    while len(data) < size:
        chunk = stream.read(1 << 20)
        if chunk:
            data += part.decompress(chunk)
            continue
        number, part = number + 1, zlib.decompressobj()
        stream = open(f"{target}/results.{number}.z", "rb")
    result, data = data[:size], data[size:]
    return result


for line in open(source + "/manifest.tsv"):
    name, width, count = line.split("\t")[:3]
    width, count = int(width), int(count)
    results = take(width * count)
    step = len(results) // 16
    fields = [name, str(width), str(count)]
    fields += [f"{zlib.crc32(results[i * step:(i + 1) * step]):08x}" for i in range(16)]
    print("\t".join(fields))
