// SPDX-License-Identifier: Apache-2.0
// The command line of every homework program: NBLOCKS WARPS SIZE and named options.
// What depends on the device (warps that a block holds, memory) is checked in launch_plan.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

// --trace LINE, of the student's file, and the thread that is followed.
struct TraceOptions {
  int line = 0;
  uint32_t thread[3] = {0, 0, 0};
  uint32_t block[3] = {0, 0, 0};
};

struct Options {
  int64_t blocks = 0;              // 0: one an SM; negative: that many an SM
  int warps = 0;                   // 0: sweep
  double size = 0;                 // MiB; negative: multiples of the L2; 0: the homework's default
  std::optional<int64_t> vectors;  // instead of size

  int device = -1;  // -1: choose
  uint64_t seed = 1;
  int repetitions = 3;               // timed executions of a launch; the shortest counts
  std::vector<std::string> kernels;  // patterns; empty: the homework's default kernels
  std::string plan;                  // a file of launches (plan_file.h); implies json
  std::string turn;              // of a plan: a file whose lock is a turn at the card (card_turn.h)
  std::string module;            // empty: the program's own
  std::string html;              // a page of the run, to be written there; empty: none
  std::string compare;           // a file of records, to hold the tables against
  std::string backend = "auto";  // "auto", "gpu", "emulator"
  std::string profile;           // emulated device
  int threads = 0;
  uint32_t lane_order = 0;
  uint64_t step_budget = 0;
  uint64_t total_step_budget = 0;
  double time_limit_s = 0;  // 0: the backend's own
  std::string library;      // no option: what lies beside the program (Backend::has_library)
  std::vector<std::string> runner;  // command of a process that executes the kernels
  bool json = false;
  bool device_info = false;    // print the GPU lines and end
  std::string large_launches;  // a plan's file: print its launches as large as a card's and end
  bool default_sizes = false;  // print how large each case is by default and end
  bool columns = false;        // print the metrics that the table shows and end
  bool counters = true;
  bool times = true;
  bool lines = false;     // costs by source line
  bool annotate = false;  // the whole file with its costs
  std::optional<TraceOptions> trace;
  bool help = false;
};

// What Options::html is where --html has no FILE: hwNN.html, where one stands.
inline constexpr char kOwnPage[] = "*";

// Throws Error (kExitUsage) with one line that says what is wrong with which argument.
Options parse_command_line(const std::vector<std::string>& arguments);

// What --help prints.
std::string usage(const std::string& program);

// Whether a pattern is found anywhere in a kernel's name; '*' stands for any text, '?' for one
// letter. Spaces in the pattern do not count.
bool matches_kernel(const std::string& pattern, const std::string& kernel);

// A command as a shell would split it: spaces, single and double quotes, backslash; no variables,
// no wildcards. Throws Error on a quote that is not closed.
std::vector<std::string> split_command(const std::string& command);

}  // namespace lockstep
