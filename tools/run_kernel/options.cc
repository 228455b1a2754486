// SPDX-License-Identifier: Apache-2.0
// Reading run-kernel's command line: see options.h.
#include "tools/run_kernel/options.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <filesystem>
#include <sstream>

#include "common/base/error.h"

namespace lockstep::run_kernel {
namespace {

namespace po = boost::program_options;

constexpr char kUsage[] =
    "usage: run-kernel --module FILE --kernel NAME --grid X,Y,Z --block X,Y,Z --arg KIND...\n"
    "Runs one kernel of a PTX or cubin file and prints its outputs, its counts, and its counts by\n"
    "source line.\n";

constexpr char kArguments[] =
    "\nArguments, in the order of the kernel's parameters, each a KIND:\n"
    "  in:TYPE:@FILE      a buffer with the file's raw bytes, which the kernel must not change\n"
    "  inout:TYPE:@FILE   the same, but the kernel may\n"
    "  out:BYTES          a buffer for results, zeroed before the launch; out:BYTES:TYPE says how\n"
    "                     to print it, out:BYTES:poison fills it with a pattern instead\n"
    "  TYPE:N             a number, as in i32:-5, u64:0x10, f32:1.5\n"
    "  bytes:@FILE        a structure by value\n"
    "TYPE: u8 i8 u16 i16 f16 bf16 u32 i32 f32 u64 i64 f64.\n"
    "\nExit codes: 0 good, 1 the kernel changed what it must not, 2 bad command line or file,\n"
    "77 cannot run here, 110 the kernel or the GPU failed.\n";

po::options_description describe() {
  po::options_description all("Options");
  auto add = all.add_options();
  add("help,h", "print this");
  add("module", po::value<std::string>(), "FILE.ptx or FILE.cubin; the other is found beside it");
  add("cubin", po::value<std::string>(), "the module's cubin, where it has another name");
  add("kernel", po::value<std::string>(), "its name, as in 'norm<8,4>', or the mangled name");
  add("grid", po::value<std::string>(), "blocks: X or X,Y or X,Y,Z");
  add("block", po::value<std::string>(), "threads of a block: X or X,Y or X,Y,Z");
  add("shared", po::value<std::string>(), "bytes of dynamic shared memory");
  add("arg", po::value<std::vector<std::string>>()->composing()->multitoken(),
      "the arguments, see below; once with all of them or once for each");
  add("backend", po::value<std::string>(), "gpu or emulator; by default a GPU if there is one");
  add("device", po::value<std::string>(), "gpu: which, by CUDA's numbers");
  add("profile", po::value<std::string>(), "emulator: the GPU to be, as in h200");
  add("threads", po::value<std::string>(), "emulator: threads of the processor to use");
  add("lane-order", po::value<std::string>(),
      "emulator: a number that shuffles lanes between syncs");
  add("step-budget", po::value<std::string>(), "emulator: warp instructions until it gives up");
  add("time-limit", po::value<std::string>(), "gpu: seconds until it gives up, 0 for never");
  add("dump", po::value<std::string>(), "write the output buffers' bytes, one after another");
  add("json", "print one JSON object instead of text");
  return all;
}

std::string text_of(const po::variables_map& given, const char* name) {
  return given.count(name) != 0 ? given[name].as<std::string>() : std::string();
}

std::string required(const po::variables_map& given, const char* name) {
  if (given.count(name) == 0) {
    throw Error(fmt::format("--{} is missing; run-kernel --help shows what is needed", name));
  }
  return text_of(given, name);
}

uint64_t number(const std::string& option, const std::string& text, uint64_t most) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value > most) {
    throw Error(fmt::format("--{} {}: expected a whole number up to {}", option, text, most));
  }
  return value;
}

Dim3 dimensions(const char* option, const std::string& text) {
  std::vector<uint32_t> sizes;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    sizes.push_back(static_cast<uint32_t>(number(option, part, 0x7fffffff)));
  }
  const bool ends_in_comma = !text.empty() && text.back() == ',';
  if (sizes.empty() || sizes.size() > 3 || ends_in_comma) {
    throw Error(fmt::format("--{} {}: expected X,Y,Z", option, text));
  }
  sizes.resize(3, 1);
  Dim3 d{sizes[0], sizes[1], sizes[2]};
  if (d.count() == 0) throw Error(fmt::format("--{} {}: a size of 0", option, text));
  return d;
}

ModuleFiles module_files(const po::variables_map& given) {
  ModuleFiles files = find_module_files(required(given, "module"));
  if (given.count("cubin") == 0) return files;
  files.cubin = text_of(given, "cubin");
  if (!std::filesystem::is_regular_file(files.cubin)) {
    throw Error(files.cubin + ": no such cubin");
  }
  return files;
}

BackendOptions backend_options(const po::variables_map& given) {
  BackendOptions open;
  auto value = [&](const char* name, uint64_t most, uint64_t otherwise) {
    return given.count(name) != 0 ? number(name, text_of(given, name), most) : otherwise;
  };
  if (given.count("device") != 0) open.device = static_cast<int>(value("device", 1024, 0));
  open.profile = text_of(given, "profile");
  open.threads = static_cast<int>(value("threads", 4096, 0));
  open.lane_order = static_cast<uint32_t>(value("lane-order", UINT32_MAX, 0));
  open.step_budget = value("step-budget", UINT64_MAX, 0);
  open.time_limit_s = static_cast<double>(value("time-limit", 1000000, 10));
  open.lines = true;
  return open;
}

po::variables_map parse(int argc, const char* const* argv) {
  po::variables_map given;
  try {
    const po::options_description known = describe();
    // Full names only: a guessed one could be another option tomorrow.
    const int style =
        po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
    const po::positional_options_description none;
    po::store(
        po::command_line_parser(argc, argv).options(known).positional(none).style(style).run(),
        given);
    po::notify(given);
  } catch (const po::error& error) {
    throw Error(std::string(error.what()) + "; run-kernel --help shows the options");
  }
  return given;
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  const po::variables_map given = parse(argc, argv);
  Options options;
  options.help = given.count("help") != 0;
  if (options.help) return options;
  options.module = module_files(given);
  options.kernel = required(given, "kernel");
  options.grid = dimensions("grid", required(given, "grid"));
  options.block = dimensions("block", required(given, "block"));
  if (given.count("shared") != 0) {
    options.shared_bytes =
        static_cast<uint32_t>(number("shared", text_of(given, "shared"), 0x7fffffff));
  }
  options.backend = text_of(given, "backend");
  if (!options.backend.empty() && options.backend != "gpu" && options.backend != "emulator") {
    throw Error("--backend " + options.backend + ": expected gpu or emulator");
  }
  options.open = backend_options(given);
  options.dump = text_of(given, "dump");
  options.json = given.count("json") != 0;
  if (given.count("arg") != 0) {
    for (const std::string& text : given["arg"].as<std::vector<std::string>>()) {
      const int position = static_cast<int>(options.arguments.size()) + 1;
      options.arguments.push_back(parse_argument(text, position));
    }
  }
  return options;
}

std::string help_text() {
  std::ostringstream text;
  text << kUsage << "\n" << describe() << kArguments;
  return text.str();
}

}  // namespace lockstep::run_kernel
