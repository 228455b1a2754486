// SPDX-License-Identifier: Apache-2.0
// The arguments of a kernel as run-kernel's command line gives them, one --arg each:
//   in:TYPE:@FILE     a read-only buffer with the file's bytes
//   inout:TYPE:@FILE  a buffer with the file's bytes that the kernel may change
//   out:BYTES[:TYPE][:poison]  a buffer for results, zeroed (or poisoned) before the launch
//   TYPE:N            a number; f32 and f64 take what strtod takes, integers 0x... too
//   bytes:@FILE       a structure by value
// TYPE: u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64. Files hold raw little-endian elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::run_kernel {

struct ElementType {
  std::string name;
  size_t bytes = 0;
};
// Throws Error for a name that is no type.
ElementType element_type(const std::string& name);
// The element of that type at `from`, as text.
std::string element_text(const ElementType& type, const uint8_t* from);

struct KernelArgument {
  enum class Kind { kIn, kInOut, kOut, kScalar };
  Kind kind = Kind::kScalar;
  ElementType type;
  std::vector<uint8_t> bytes;  // contents of a buffer (but kOut), or the scalar
  size_t out_bytes = 0;        // kOut
  bool poison = false;         // kOut

  bool is_output() const { return kind == Kind::kOut || kind == Kind::kInOut; }
  bool is_buffer() const { return kind != Kind::kScalar; }
  size_t buffer_bytes() const { return kind == Kind::kOut ? out_bytes : bytes.size(); }
};

// `position` counts from 1, for messages. Throws Error where the text is no argument.
KernelArgument parse_argument(const std::string& text, int position);

}  // namespace lockstep::run_kernel
