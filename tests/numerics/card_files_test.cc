// SPDX-License-Identifier: Apache-2.0
// Writes what a card needs to answer the table, into the folder $LOCKSTEP_NUMERICS_DIR: ops.ptx,
// manifest.tsv (op, width and operand files, count) and the operand arrays. Run on demand:
//   LOCKSTEP_NUMERICS_DIR=DIR build/release/tests/numerics/run --gtest_also_run_disabled_tests
//     --gtest_filter='*WritesCardFiles'
// then ptxas, then tests/data/numerics_h200/run.py on a machine with the card.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/numerics/op_table.h"

namespace lockstep::emulator::num {
namespace {

// One file for each kind of operand at each position: all operations share them.
std::string operand_file(const Op& op, int position) {
  return std::string(name_of(op.kind(position))) + "." + std::to_string(position) + "." +
         std::to_string(op.arity()) + ".bin";
}

void write_operands(const std::string& path, const Op& op, int position) {
  std::ofstream file(path, std::ios::binary);
  const int width = width_of(op.kind(position));
  for (int i = 0; i < count_of(op); ++i) {
    const uint64_t value = operand(op.kind(position), position, op.arity(), i);
    file.write(reinterpret_cast<const char*>(&value), width);  // little-endian
  }
}

TEST(CardFiles, DISABLED_WritesCardFiles) {
  const char* folder = std::getenv("LOCKSTEP_NUMERICS_DIR");
  ASSERT_NE(folder, nullptr) << "set LOCKSTEP_NUMERICS_DIR";
  const std::string stem = std::string(folder) + "/";
  std::ofstream(stem + "ops.ptx") << write_ptx(all_ops());
  std::ofstream manifest(stem + "manifest.tsv");
  std::set<std::string> written;
  for (const Op& op : all_ops()) {
    manifest << op.name << '\t' << width_of(op.d) << '\t' << count_of(op);
    for (int position = 0; position < op.arity(); ++position) {
      const std::string name = operand_file(op, position) + (count_of(op) == 65536 ? "h" : "");
      if (written.insert(name).second) write_operands(stem + name, op, position);
      manifest << '\t' << name;
    }
    manifest << '\n';
  }
  EXPECT_TRUE(manifest.good());
}

}  // namespace
}  // namespace lockstep::emulator::num
