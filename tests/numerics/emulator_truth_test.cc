// SPDX-License-Identifier: Apache-2.0
// The whole road, PTX text to result bits: the emulator runs the table's kernels and must give
// what the card gave for the same kernels.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "common/backend/backend.h"
#include "tests/numerics/card_truth.h"

namespace lockstep::emulator::num {
namespace {

constexpr uint32_t kThreads = 256;

// A file that is gone when the test is.
class TemporaryFile {
 public:
  TemporaryFile() {
    char name[] = "/tmp/lockstep-ops-XXXXXX.ptx";
    const int descriptor = mkstemps(name, 4);
    if (descriptor >= 0) close(descriptor);
    path_ = name;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class EmulatorTruth : public testing::Test {
 protected:
  void SetUp() override { backend_ = make_emulator_backend({}); }

  BufferId write_operands(const Op& op, int position) {
    const int width = width_of(op.kind(position)), count = count_of(op);
    std::vector<uint8_t> bytes(static_cast<size_t>(width) * count);
    for (int i = 0; i < count; ++i) {
      const uint64_t value = operand(op.kind(position), position, op.arity(), i);
      std::memcpy(&bytes[static_cast<size_t>(i) * width], &value, width);
    }
    const BufferId id = backend_->allocate({"operand", bytes.size()});
    backend_->write(id, 0, bytes.data(), bytes.size());
    return id;
  }

  // A module of one kernel each, so that one that is refused hides no other.
  std::vector<uint64_t> run(const Op& op) {
    std::ofstream(file_.path()) << write_ptx({op});
    backend_->load_module({file_.path(), ""});
    const int width = width_of(op.d), count = count_of(op);
    std::vector<BufferId> buffers;
    for (int p = 0; p < op.arity(); ++p) buffers.push_back(write_operands(op, p));
    const size_t operands = buffers.size();
    buffers.push_back(backend_->allocate({"result", static_cast<size_t>(width) * count}));
    Launch launch{"op_0", {count / kThreads}, {kThreads}, 0, {}};
    for (size_t p = 0; p < 3; ++p) {
      launch.arguments.push_back(Argument::of_buffer(buffers[p < operands ? p : 0]));
    }
    launch.arguments.push_back(Argument::of_buffer(buffers.back()));
    launch.arguments.push_back(Argument::of<uint32_t>(count));
    backend_->launch(launch);
    std::vector<uint8_t> bytes(static_cast<size_t>(width) * count);
    backend_->read(buffers.back(), 0, bytes.data(), bytes.size());
    for (const BufferId id : buffers) backend_->release(id);
    std::vector<uint64_t> results(count);
    for (int i = 0; i < count; ++i) {
      std::memcpy(&results[i], &bytes[static_cast<size_t>(i) * width], width);
    }
    return results;
  }

  TemporaryFile file_;
  std::unique_ptr<Backend> backend_;
};

TEST_F(EmulatorTruth, EveryOperationGivesWhatTheCardGave) {
  const auto answers = read_card_answers();
  for (size_t i = 0; i < all_ops().size(); ++i) {
    const Op& op = all_ops()[i];
    try {
      if (is_pending(op, answers))
        EXPECT_EQ(run(op), compute_all(op)) << op.name;
      else
        EXPECT_EQ(compare_with_card(op, answers.at(i), run(op)), "");
    } catch (const Error& error) {
      ADD_FAILURE() << op.name << ": " << error.what();
    }
  }
}

// A modifier that the handler would ignore must not be run wrongly.
TEST_F(EmulatorTruth, AnUnknownModifierIsRefusedWhenTheModuleIsLoaded) {
  for (const char* code : {"fma.rn.oob.f16 %d, %a, %a, %a;", "add.rn.surprise.f16 %d, %a, %a;"}) {
    const Op op{code, code, Kind::kF16, Kind::kF16, Kind::kNone, Kind::kNone, {}};
    try {
      run(op);
      ADD_FAILURE() << code << " was run";
    } catch (const lockstep::Error& error) {
      EXPECT_NE(std::string(error.what()).find("unsupported: modifier"), std::string::npos)
          << error.what();
    }
  }
}

// Inverting is for predicates: of a number it once made a mask that was read as 32 numbers.
TEST_F(EmulatorTruth, AnInvertedNumberIsRefused) {
  for (const char* code : {"add.s32 %d, !%a, %a;", "mov.u32 %d, !%tid.x;", "mov.u32 %d, !%a;"}) {
    const Op op{code, code, Kind::kB32, Kind::kB32, Kind::kNone, Kind::kNone, {}};
    EXPECT_THROW(run(op), lockstep::Error) << code;
  }
  const Op valid{"not",       "setp.eq.s32 %p, %a, %a; selp.b32 %d, 1, 0, !%p;",
                 Kind::kB32,  Kind::kB32,
                 Kind::kNone, Kind::kNone,
                 {}};
  EXPECT_EQ(run(valid).front(), 0u);
}

}  // namespace
}  // namespace lockstep::emulator::num
