// SPDX-License-Identifier: Apache-2.0
// run-kernel: one kernel of any PTX or cubin, on a GPU or in the emulator, with its outputs, its
// counts and its counts by source line. `run-kernel --help` says how. Its parts are in run_kernel/.
#include <fstream>
#include <iostream>

#include "common/base/error.h"
#include "tools/run_kernel/options.h"
#include "tools/run_kernel/report.h"
#include "tools/run_kernel/session.h"

namespace {

using lockstep::Error;
using lockstep::KernelFault;
using lockstep::run_kernel::Options;
using lockstep::run_kernel::Result;

void write_dump(const std::string& file, const Result& result) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  for (const auto& output : result.outputs) {
    out.write(reinterpret_cast<const char*>(output.bytes.data()),
              static_cast<std::streamsize>(output.bytes.size()));
  }
  out.close();
  if (!out) throw Error(file + ": cannot be written");
}

int run(const Options& options) {
  std::string note;
  std::unique_ptr<lockstep::Backend> backend = lockstep::run_kernel::open_backend(options, &note);
  if (!note.empty()) std::cerr << note << "\n";
  Result result;
  try {
    result = lockstep::run_kernel::run(backend.get(), options);
  } catch (const KernelFault& fault) {
    const std::string printed = backend->take_output();
    std::cout << (options.json ? lockstep::run_kernel::json_fault(options, *backend, fault, printed)
                               : printed)
              << std::flush;
    throw;
  }
  if (!options.json) std::cout << result.printed;
  std::cout << (options.json ? lockstep::run_kernel::json_report(options, result)
                             : lockstep::run_kernel::text_report(options, result))
            << std::flush;
  if (!options.dump.empty()) write_dump(options.dump, result);
  for (const std::string& violation : result.violations) std::cerr << violation << "\n";
  return result.violations.empty() ? lockstep::kExitGood : lockstep::kExitWrong;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = lockstep::run_kernel::parse_options(argc, argv);
    if (options.help) {
      std::cout << lockstep::run_kernel::help_text();
      return lockstep::kExitGood;
    }
    return run(options);
  } catch (const Error& error) {
    std::cerr << "run-kernel: " << error.what() << "\n";
    return error.code();
  } catch (const std::exception& error) {
    std::cerr << "run-kernel: " << error.what() << "\n";
    return lockstep::kExitUsage;
  }
}
