// SPDX-License-Identifier: Apache-2.0
// A launch is the homework's doing, a kernel's attributes and needs are its author's.
#include "emulator/module/launch_check.h"

#include "common/base/error.h"
#include "emulator/code/locations.h"

namespace lockstep::emulator {
namespace {

std::string shape(uint64_t x, uint64_t y, uint64_t z) {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

class LaunchCheck {
 public:
  LaunchCheck(const LoadedModule& module, size_t kernel, const Launch& launch)
      : module_(module.ptx),
        function_(module.ptx.functions[module.kernel_functions[kernel]]),
        info_(module.kernels[kernel]),
        program_(module.programs[kernel]),
        launch_(launch) {}

  void sizes(const DeviceProfile& device) const {
    const Dim3 &grid = launch_.grid, &block = launch_.block;
    if (grid.count() == 0 || block.count() == 0)
      wrong("grid and block need at least one in each dimension");
    if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535)
      wrong("the grid is too large (2147483647 x 65535 x 65535 blocks at most)");
    const auto most = static_cast<uint64_t>(device.info.max_threads_per_block);
    if (block.x > 1024 || block.y > 1024 || block.z > 64 || block.count() > most)
      wrong("a block has " + std::to_string(block.count()) + " threads; the device takes " +
            std::to_string(most));
    if (launch_.arguments.size() != info_.parameter_bytes.size())
      wrong("the kernel takes " + std::to_string(info_.parameter_bytes.size()) +
            " arguments, not " + std::to_string(launch_.arguments.size()));
  }

  void attributes() const {
    const Dim3& b = launch_.block;
    const std::string asked = "this launch has blocks of " + shape(b.x, b.y, b.z);
    const Function& f = function_;
    if (const LaunchAttribute& a = f.threads; a.given() && (b.x != a.x || b.y != a.y || b.z != a.z))
      refuse(a, "allows blocks of " + shape(a.x, a.y, a.z) + " threads alone; " + asked);
    if (const LaunchAttribute& a = f.most_threads; a.given() && b.count() > a.count())
      refuse(a, "allows at most " + std::to_string(a.count()) + " threads a block; " + asked);
    if (f.cluster.given() && f.cluster.count() > 1)
      refuse(f.cluster, "wants clusters of " + std::to_string(f.cluster.count()) +
                            " blocks; this launch has none");
    if (f.cluster_demand.given() && !f.cluster.given())
      refuse(f.cluster_demand, "wants clusters of blocks; this launch has none");
  }

  void needs(const DeviceProfile& device) const {
    const uint64_t threads = launch_.block.count();
    if (threads > static_cast<uint64_t>(info_.max_threads_per_block))
      refuse("a block of it can have " + std::to_string(info_.max_threads_per_block) +
             " threads with its " + std::to_string(info_.registers) +
             " registers a thread or its launch bounds; this launch has " +
             std::to_string(threads));
    const int64_t shared = int64_t{program_.static_shared_bytes} + launch_.dynamic_shared_bytes;
    if (shared > device.info.shared_per_block_optin)
      refuse("a block needs " + std::to_string(shared) +
             " bytes of shared memory; the device has " +
             std::to_string(device.info.shared_per_block_optin));
  }

 private:
  [[noreturn]] void wrong(const std::string& what) const {
    throw Error("launch of " + info_.name + ": " + what);
  }
  [[noreturn]] void refuse(const std::string& why) const {
    FaultPlace place = place_of(module_, function_);
    place.kernel = info_.name;
    throw KernelFault("launch_failed", place,
                      prefix_of(place) + "kernel " + info_.name + " cannot be launched: " + why);
  }
  [[noreturn]] void refuse(const LaunchAttribute& a, const std::string& what) const {
    refuse("its attribute " + std::string(a.name) + " (" + module_.name + ":" +
           std::to_string(a.line) + ") " + what +
           "; the shape of a graded launch is the homework's: leave __launch_bounds__, "
           "__block_size__ and __cluster_dims__ away, or let them allow it");
  }

  const Module& module_;
  const Function& function_;
  const KernelInfo& info_;
  const Program& program_;
  const Launch& launch_;
};

}  // namespace

void check_launch(const LoadedModule& module, size_t kernel, const Launch& launch,
                  const DeviceProfile& device) {
  if (module.refusals[kernel]) throw *module.refusals[kernel];
  const LaunchCheck check(module, kernel, launch);
  check.sizes(device);
  check.attributes();
  check.needs(device);
}

}  // namespace lockstep::emulator
