// SPDX-License-Identifier: Apache-2.0
// The language between the remote backend and the runner: what a message may hold and how it is
// put into bytes. Decoding trusts nothing: every length is checked against what is left and
// against a bound, so that a lying peer costs an error and no memory.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/backend/backend.h"

namespace lockstep::wire {

inline constexpr uint32_t kProtocolVersion = 11;
inline constexpr size_t kMaxReplyBytes = 64 << 20;     // one message of a runner
inline constexpr size_t kMaxRequestBytes = 256 << 20;  // one message of ours: a module
inline constexpr size_t kMaxKernels = 4096;
inline constexpr size_t kMaxLines = 20000;
inline constexpr size_t kMaxLaunches = 4096;    // counted in one request
inline constexpr size_t kMaxNumbers = 1 << 16;  // in the code of a kernel
inline constexpr size_t kMaxNames = 1024;       // metrics in one reply
inline constexpr size_t kMaxText = 64 << 10;    // any one string of a runner

enum class Op : uint8_t {
  // Requests
  kOpen = 1,  // with the window of window.h, through which kWrite and kRead go
  kLoadModule,
  kMaxBlocks,
  kReadGlobal,
  kAllocate,
  kRelease,
  kWrite,
  kRead,
  kFill,
  kPoison,
  kCopy,
  kReadGuards,
  kLaunch,
  kTime,
  kCount,
  kTakeOutput,
  kFreeBytes,
  kSteps,
  kPrepareCounters,
  kReleaseCounters,
  kUnreached,
  kOppose,
  kScout,
  // Replies
  kOk = 64,
  kFault,
  kError,
  // Inside kTime and kCount: the runner announces a pass of launch number N; the client answers
  // when its hook is done (requests may come in between), or tells the runner to give up.
  kBeforePass = 96,
  kAfterPass,
  kContinue,
  kAbort,
};

class Writer {
 public:
  explicit Writer(Op op) { u8(static_cast<uint8_t>(op)); }
  void u8(uint8_t v) { bytes_.push_back(v); }
  void u32(uint32_t v) { raw(&v, sizeof v); }
  void u64(uint64_t v) { raw(&v, sizeof v); }
  void i64(int64_t v) { raw(&v, sizeof v); }
  void f64(double v) { raw(&v, sizeof v); }
  void text(const std::string& s);
  void blob(const void* data, size_t bytes);
  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  void raw(const void* data, size_t bytes);
  std::vector<uint8_t> bytes_;
};

// Every getter throws Error on a message that is too short or passes a bound.
class Reader {
 public:
  explicit Reader(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
  uint8_t u8();
  bool flag() { return u8() != 0; }
  uint32_t u32();
  uint64_t u64();
  int64_t i64() { return static_cast<int64_t>(u64()); }
  int i32();  // an i64 that fits an int
  double f64();
  std::string text(size_t most = kMaxText);
  std::vector<uint8_t> blob(size_t most);
  // A count of items to come, each of at least one byte.
  size_t count(size_t most);
  void end() const;  // throws where something is left over

 private:
  const uint8_t* take(size_t bytes);
  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
};

void put_device(Writer& w, const DeviceInfo& d);
DeviceInfo get_device(Reader& r);
void put_comparisons(Writer& w, const std::vector<Backend::Unreached::Comparison>& all);
std::vector<Backend::Unreached::Comparison> get_comparisons(Reader& r);
void put_options(Writer& w, const BackendOptions& o);
BackendOptions get_options(Reader& r);
void put_kernels(Writer& w, const std::vector<KernelInfo>& kernels);
std::vector<KernelInfo> get_kernels(Reader& r);
void put_launch(Writer& w, const Launch& launch);
Launch get_launch(Reader& r);
void put_sequence(Writer& w, const Sequence& sequence);
Sequence get_sequence(Reader& r);
void put_names(Writer& w, const std::vector<std::string>& names);  // of metrics
std::vector<std::string> get_names(Reader& r);
void put_counts(Writer& w, const Counts& counts);
Counts get_counts(Reader& r);
void put_fault(Writer& w, const KernelFault& fault);
KernelFault get_fault(Reader& r);

}  // namespace lockstep::wire
