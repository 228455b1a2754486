// SPDX-License-Identifier: Apache-2.0
// Parsing the command line with Boost.Program_options. See command_line.h. Numbers are read here
// rather than by Boost, so that every message says what the argument is for and what it may be.
#include "common/harness/command_line.h"

#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <sstream>

#include "common/base/error.h"
#include "common/base/text.h"

namespace lockstep {
namespace {

namespace po = boost::program_options;

constexpr int64_t kMaxBlocks = 2147483647;  // of a grid's first dimension

[[noreturn]] void bad_number(const std::string& name, const std::string& text,
                             const std::string& wanted) {
  throw Error(fmt::format("{} must be {}, not '{}'", name, wanted, printable(text)));
}

template <typename T>
T parse_whole(const std::string& name, const std::string& text, T least, T most) {
  const std::string wanted = fmt::format("a whole number from {} to {}", least, most);
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  T value{};
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || text.empty()) bad_number(name, text, wanted);
  if (value < least || value > most) bad_number(name, text, wanted);
  return value;
}

double parse_real(const std::string& name, const std::string& text, const std::string& wanted) {
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end || text.empty() || !std::isfinite(value))
    bad_number(name, text, wanted);
  return value;
}

struct Raw {
  std::vector<std::string> positional;
  po::variables_map named;
};

struct NamedOption {
  const char* name;
  const char* value;  // what stands for it in the help; nullptr: the option has none
  const char* help;
  bool repeatable = false;
  bool optional = false;  // the value, after a '='
};

constexpr NamedOption kNamedOptions[] = {
    {"kernel", "PATTERN",
     "only kernels whose name has PATTERN in it; * stands for any text, ? for one letter; may be "
     "given more than once",
     true},
    {"vectors", "N", "input of N vectors, instead of SIZE"},
    {"seed", "N", "makes the input (1)"},
    {"repetitions", "N", "timed executions of a launch, of which the shortest counts (3)"},
    {"device", "N", "GPU to use, as numbered by CUDA"},
    {"module", "FILE", "kernels of FILE.ptx and FILE.cubin, instead of the program's own"},
    {"annotate", nullptr, "the whole source with its costs by line"},
    {"lines", nullptr,
     "source lines that execute the most instructions; on a GPU, of the first launch only"},
    {"compare", "FILE",
     "what has changed since the records in FILE, which --json has printed; without, on a "
     "terminal: since the last run"},
    {"html", "[=FILE]",
     "the run as a page for a browser, too (hwNN.html): plots, the source with its costs, the "
     "machine code",
     false, true},
    {"trace", "LINE",
     "what the variables of that line of your file held each time that a thread executed it; "
     "emulated, on a small problem unless SIZE or --vectors is given"},
    {"thread", "X[,Y[,Z]]", "with --trace: the thread of its block (0)"},
    {"block", "X[,Y[,Z]]", "with --trace: the block (0)"},
    {"json", nullptr, "one record a launch, as JSON; with --device-info, the GPUs"},
    {"device-info", nullptr, "GPU information and nothing else"},
    {"no-counters", nullptr, "no counters: check and time only"},
    {"no-times", nullptr, "no times, so that the output repeats"},
    {"backend", "KIND", "gpu, emulator, or auto: a GPU if there is one (auto)"},
    {"profile", "NAME", "emulator: the GPU to stand in for (h200)"},
    {"threads", "N", "emulator: CPU threads (all)"},
    {"lane-order", "N",
     "emulator: N > 0 runs the threads of a warp in another order between synchronizations"},
    {"step-budget", "N", "emulator: warp instructions after which a launch is too slow"},
    {"total-step-budget", "N", "emulator: the same for all launches together"},
    {"time-limit", "SECONDS", "GPU: time after which a launch has hung"},
    {"runner", "COMMAND", "executes the kernels in the process that COMMAND starts"},
    {"plan", "FILE", "the launches that FILE names, as records; for graders"},
    {"turn", "FILE",
     "with --plan: counts and times nothing before it has the lock of FILE; for graders"},
    {"default-sizes", nullptr,
     "how many vectors each kernel takes by default, as JSON; for graders"},
    {"large-launches", "FILE",
     "the launches as large as a card's that the searches in FILE call for, as JSON; for graders"},
    {"columns", nullptr, "the metrics of the table's columns; for graders"},
    {"help", nullptr, "this"},
};

po::options_description named_options() {
  po::options_description options("Options", 80, 52);
  for (const NamedOption& o : kNamedOptions) {
    if (o.value == nullptr)
      options.add_options()(o.name, o.help);
    else if (o.optional)
      options.add_options()(
          o.name, po::value<std::string>()->implicit_value(kOwnPage, "")->value_name(o.value),
          o.help);
    else if (o.repeatable)
      options.add_options()(
          o.name, po::value<std::vector<std::string>>()->value_name(o.value)->composing(), o.help);
    else
      options.add_options()(o.name, po::value<std::string>()->value_name(o.value), o.help);
  }
  return options;
}

bool looks_negative(const std::string& text) {
  return text.size() > 1 && text[0] == '-' &&
         (std::isdigit(static_cast<unsigned char>(text[1])) || text[1] == '.');
}

// Lets -5 and -0.5 stand among the positional arguments.
std::vector<po::option> take_negative_number(std::vector<std::string>& arguments) {
  std::vector<po::option> options;
  if (arguments.empty() || !looks_negative(arguments[0])) return options;
  po::option option;
  option.position_key = 0;  // any number but -1: positional
  option.value.push_back(arguments[0]);
  option.original_tokens.push_back(arguments[0]);
  options.push_back(option);
  arguments.erase(arguments.begin());
  return options;
}

Raw split_arguments(const std::vector<std::string>& arguments) {
  Raw raw;
  try {
    const po::options_description options = named_options();
    const auto style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
    po::parsed_options parsed = po::command_line_parser(arguments)
                                    .options(options)
                                    .style(style)
                                    .extra_style_parser(take_negative_number)
                                    .run();
    std::vector<po::option> named;
    for (po::option& option : parsed.options) {
      if (option.string_key.empty())
        raw.positional.insert(raw.positional.end(), option.value.begin(), option.value.end());
      else
        named.push_back(option);
    }
    parsed.options = named;
    po::store(parsed, raw.named);
  } catch (const po::error& error) {
    throw Error(printable(error.what()));
  }
  return raw;
}

void read_positional(const std::vector<std::string>& arguments, Options* options) {
  if (arguments.size() > 3)
    throw Error(fmt::format("'{}' is one argument too many: NBLOCKS WARPS SIZE are all",
                            printable(arguments[3])));
  if (arguments.size() > 0)
    options->blocks = parse_whole<int64_t>("NBLOCKS", arguments[0], -kMaxBlocks, kMaxBlocks);
  // 32 warps are what a block of any GPU so far holds; launch_plan.h knows the device's own bound.
  if (arguments.size() > 1) options->warps = parse_whole<int>("WARPS", arguments[1], 0, 32);
  if (arguments.size() > 2)
    options->size =
        parse_real("SIZE", arguments[2], "a number: MiB, or if negative multiples of the L2 cache");
}

// "3", "3,1" or "3,1,0".
void read_index(const std::string& name, const std::string& text, uint32_t index[3]) {
  constexpr size_t kDimensions = 3;
  size_t begin = 0;
  for (size_t k = 0; k < kDimensions; k++) {
    const size_t comma = text.find(',', begin);
    index[k] = parse_whole<uint32_t>(name, text.substr(begin, comma - begin), 0,
                                     static_cast<uint32_t>(kMaxBlocks));
    if (comma == std::string::npos) return;
    begin = comma + 1;
  }
  throw Error(fmt::format("{} has three indices at most: '{}'", name, printable(text)));
}

void read_trace(const po::variables_map& named, Options* o) {
  for (const char* name : {"thread", "block"})
    if (named.count(name) && !named.count("trace"))
      throw Error(fmt::format("--{} goes with --trace LINE", name));
  if (!named.count("trace")) return;
  TraceOptions trace;
  trace.line = parse_whole<int>("--trace", named["trace"].as<std::string>(), 1, 10'000'000);
  if (named.count("thread"))
    read_index("--thread", named["thread"].as<std::string>(), trace.thread);
  if (named.count("block")) read_index("--block", named["block"].as<std::string>(), trace.block);
  o->trace = trace;
}

void read_named(const po::variables_map& named, Options* o) {
  const auto text = [&](const char* name) {
    return named.count(name) ? named[name].as<std::string>() : std::string();
  };
  const auto whole = [&](const char* name, auto* value, auto least, auto most) {
    using T = std::remove_reference_t<decltype(*value)>;
    if (named.count(name))
      *value = parse_whole<T>("--" + std::string(name), text(name), T(least), T(most));
  };
  whole("device", &o->device, 0, 1023);
  whole("seed", &o->seed, 0, std::numeric_limits<uint64_t>::max());
  whole("repetitions", &o->repetitions, 1, 1000000);
  whole("threads", &o->threads, 0, 4096);
  whole("lane-order", &o->lane_order, 0, std::numeric_limits<uint32_t>::max());
  whole("step-budget", &o->step_budget, 1, std::numeric_limits<int64_t>::max());
  whole("total-step-budget", &o->total_step_budget, 1, std::numeric_limits<int64_t>::max());
  if (named.count("vectors"))
    o->vectors =
        parse_whole<int64_t>("--vectors", text("vectors"), 1, std::numeric_limits<int32_t>::max());
  if (named.count("time-limit")) {
    o->time_limit_s = parse_real("--time-limit", text("time-limit"), "a number of seconds");
    if (!(o->time_limit_s > 0)) throw Error("--time-limit must be more than 0 seconds");
  }
  if (named.count("kernel")) o->kernels = named["kernel"].as<std::vector<std::string>>();
  o->plan = text("plan");
  o->large_launches = text("large-launches");
  o->turn = text("turn");
  o->module = text("module");
  o->compare = text("compare");
  o->html = text("html");
  o->profile = text("profile");
  if (named.count("backend")) o->backend = text("backend");
  if (named.count("runner")) o->runner = split_command(text("runner"));
  o->json = named.count("json") > 0 || !o->plan.empty();
  o->device_info = named.count("device-info") > 0;
  o->default_sizes = named.count("default-sizes") > 0;
  o->columns = named.count("columns") > 0;
  o->counters = named.count("no-counters") == 0;
  o->times = named.count("no-times") == 0;
  o->annotate = named.count("annotate") > 0;
  o->lines = named.count("lines") > 0 || o->annotate;
  o->help = named.count("help") > 0;
  read_trace(named, o);
}

void check_together(const Options& o, const po::variables_map& named) {
  if (o.backend != "auto" && o.backend != "gpu" && o.backend != "emulator")
    throw Error(
        fmt::format("--backend must be auto, gpu or emulator, not '{}'", printable(o.backend)));
  if (o.vectors && o.size != 0) throw Error("give SIZE or --vectors, not both");
  if (o.lines && !o.counters) throw Error("--lines needs counters, so not with --no-counters");
  if (!o.compare.empty() && o.json) throw Error("--compare is of tables, so not with --json");
  if (!o.html.empty() && (o.json || o.trace))
    throw Error("--html is beside the tables, so not with --json, --plan or --trace");
  if (o.trace && (o.json || !o.runner.empty()))
    throw Error("--trace prints a table of its own: not with --json, --plan or --runner");
  if (named.count("runner") && o.runner.empty()) throw Error("--runner: the command is empty");
  for (const char* name :
       {"kernel", "module", "profile", "plan", "large-launches", "compare", "html"})
    if (named.count(name) && named[name].defaulted() == false) {
      const bool empty = std::string(name) == "kernel" ? o.kernels.back().empty()
                                                       : named[name].as<std::string>().empty();
      if (empty) throw Error(fmt::format("--{} needs a value that is not empty", name));
    }
}

// Iterative, with one point to go back to: linear memory, no bad patterns.
bool glob_match(const std::string& pattern, const std::string& text) {
  size_t p = 0, t = 0, star = std::string::npos, resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      p++, t++;
    } else if (star != std::string::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') p++;
  return p == pattern.size();
}

// The library leaves blanks where it breaks a line.
std::string without_blank_ends(const std::string& text) {
  std::string out;
  for (const char c : text) {
    while (c == '\n' && out.ends_with(' ')) out.pop_back();
    out += c;
  }
  return out;
}

}  // namespace

Options parse_command_line(const std::vector<std::string>& arguments) {
  Options options;
  const Raw raw = split_arguments(arguments);
  read_positional(raw.positional, &options);
  read_named(raw.named, &options);
  check_together(options, raw.named);
  return options;
}

std::string usage(const std::string& program) {
  std::ostringstream text;
  text << "Usage: " << program << " [NBLOCKS [WARPS [SIZE]]] [options]\n\n"
       << "  NBLOCKS  blocks of a launch; 0: one an SM (default); -2: two an SM\n"
       << "  WARPS    warps of a block, up to 32; 0: several, one launch each (default)\n"
       << "  SIZE     input in MiB, 3.6 say; -0.5: half the L2 cache; 0: the default\n\n"
       << named_options() << "\n"
       << "Exit code: 0 all right, 1 a wrong result, 2 a wrong command line, 77 cannot run\n"
       << "here (no GPU, or make is due), 110 the GPU failed.\n";
  return without_blank_ends(text.str());
}

bool matches_kernel(const std::string& pattern, const std::string& kernel) {
  std::string wanted = "*";
  for (const char c : pattern)
    if (c != ' ') wanted += c;
  return glob_match(wanted + "*", kernel);
}

std::vector<std::string> split_command(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); i++) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (c == quote && quote != 0) {
      quote = 0;
    } else {
      if (c == '\\' && quote != '\'' && i + 1 < command.size()) i++;
      word += command[i];
      in_word = true;
    }
  }
  if (quote != 0) throw Error(fmt::format("a {} is not closed in '{}'", quote, printable(command)));
  if (in_word) words.push_back(word);
  return words;
}

}  // namespace lockstep
