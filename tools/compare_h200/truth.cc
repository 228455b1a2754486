// SPDX-License-Identifier: Apache-2.0
#include "tools/compare_h200/truth.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "common/backend/metric_names.h"
#include "common/base/error.h"
#include "emulator/cubin/cubin.h"

namespace lockstep::compare_h200 {
namespace {

// A metric of ours is the sum of these counters times a factor.
struct Source {
  const char* metric;
  double factor;
  std::vector<std::string> counters;
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all = {
      {metric::kWarpInstructions, 1, {"smsp__inst_executed.sum"}},
      {metric::kThreadInstructions, 1, {"smsp__thread_inst_executed_pred_on.sum"}},
      {metric::kSharedWavefronts, 1, {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"}},
      {metric::kGlobalLoadRequests, 1, {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}},
      {metric::kGlobalLoadSectors, 1, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
      {metric::kGlobalStoreRequests, 1, {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}},
      {metric::kGlobalStoreSectors, 1, {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}},
      {metric::kL2ToL1Bytes, 1, {"l1tex__m_xbar2l1tex_read_bytes.sum"}},
      {metric::kL1ToL2Bytes, 32, {"lts__t_sectors_srcunit_tex_op_write.sum"}},
      {metric::kLocalSectors,
       1,
       {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
        "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}},
      {metric::kGlobalBankConflicts,
       1,
       {"l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_ld.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_gds_op_st.sum"}},
      {metric::kDivergentBranches, 1, {"smsp__sass_branch_targets_threads_divergent.sum"}},
      {metric::kBranches, 1, {"smsp__sass_branch_targets.sum"}},
  };
  return all;
}

std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, '\t');) cells.push_back(cell);
  return cells;
}

Dim3 shape(const std::string& text) {
  Dim3 d;
  char x = 0;
  std::istringstream in(text);
  in >> d.x >> x >> d.y;
  if (uint32_t z = 0; in >> x >> z) d.z = z;
  return d;
}

using Row = std::map<std::string, std::string>;

// By atomics, in any order.
bool adds_floats(const std::string& kernel) {
  return kernel.size() > 3 && kernel.compare(kernel.size() - 3, 3, "_fa") == 0;
}

// heading: empty where the file's first line is one.
std::vector<Row> read_table(const std::string& path, std::vector<std::string> heading = {}) {
  std::ifstream file(path);
  if (!file) throw Error(path + ": cannot be read; run this in the top folder");
  std::string line;
  if (heading.empty()) {
    std::getline(file, line);
    heading = split(line);
  }
  std::vector<Row> rows;
  while (std::getline(file, line)) {
    const std::vector<std::string> cells = split(line);
    if (cells.size() > heading.size() || cells.size() < std::min<size_t>(heading.size(), 5)) {
      throw Error(path + ": a row has " + std::to_string(cells.size()) + " cells, the heading " +
                  std::to_string(heading.size()));
    }
    Row row;
    for (size_t i = 0; i < cells.size(); ++i) row[heading[i]] = cells[i];
    rows.push_back(std::move(row));
  }
  return rows;
}

MeasuredLaunch launch_of(Row& row, const std::string& set, const std::string& module) {
  MeasuredLaunch out;
  out.set = set;
  out.module = module;
  out.kernel = row["kernel"];
  out.grid = shape(row["grid"]);
  out.block = shape(row["block"]);
  out.argument = int32_t(std::atoll(row["arg"].c_str()));
  out.shared_bytes = uint32_t(std::atoll(row["shared"].c_str()));
  if (!adds_floats(out.kernel)) out.output = row["hash"];
  if (!out.output.empty()) out.output.insert(0, 16 - std::min<size_t>(out.output.size(), 16), '0');
  for (const Source& source : sources()) {
    double sum = 0;
    bool all = true;
    for (const std::string& counter : source.counters) {
      const auto cell = row.find(counter);
      all &= cell != row.end() && !cell->second.empty();
      if (all) sum += std::atof(cell->second.c_str());
    }
    if (all) out.counts[source.metric] = sum * source.factor;
    const std::string& whole = row[source.metric];  // run-kernel's sum
    if (!whole.empty()) out.counts[source.metric] = std::atof(whole.c_str());
  }
  return out;
}

std::string key_of(Row& row) {
  std::string key;
  for (const char* column : {"module", "kernel", "grid", "block", "shared", "arg"})
    key += row[column] + "\t";
  return key;
}

// Gives each launch its output's hash, by what was launched.
void add_hashes(const std::string& path, std::vector<Row>& launches) {
  std::map<std::string, std::string> hashes;
  for (Row& row : read_table(path)) hashes[key_of(row)] = row["hash"];
  for (Row& row : launches) row["hash"] = hashes[key_of(row)];
}

// The same for the table without columns for that, whose rows are in the launches' order.
void add_word_hashes(const std::string& path, std::vector<Row>& launches) {
  std::vector<Row> rows =
      read_table(path, {"kernel", "hash", "sum", "first", "second", "element777"});
  for (size_t i = 0; i < launches.size(); ++i) {
    if (i >= rows.size() || rows[i]["kernel"] != launches[i]["kernel"])
      throw Error(path + ": row " + std::to_string(i + 1) + " should be of " +
                  launches[i]["kernel"]);
    launches[i]["hash"] = rows[i]["hash"];
  }
}

// codes.tsv: `compare-h200 --codes` of the build that was measured.
void leave_out_other_code(const std::string& path, std::vector<MeasuredLaunch>& launches) {
  std::map<std::pair<std::string, std::string>, std::string> codes, here;
  for (Row& row : read_table(path)) codes[{row["module"], row["kernel"]}] = row["code"];
  for (MeasuredLaunch& m : launches) {
    const std::pair<std::string, std::string> key{m.module, m.kernel};
    m.code = codes[key];
    if (!here.contains(key)) here[key] = code_hash(m.module, m.kernel);
    if (m.code.empty() || here[key].empty() || here[key] == m.code) continue;
    m.counts.clear();
    m.output.clear();
  }
}

}  // namespace

std::string code_hash(const std::string& module, const std::string& kernel) {
  static std::map<std::string, std::shared_ptr<emulator::Cubin>> cubins;
  std::shared_ptr<emulator::Cubin>& cubin = cubins[module];
  try {
    if (cubin == nullptr)
      cubin = std::make_shared<emulator::Cubin>(emulator::Cubin::read(module + ".cubin"));
  } catch (const Error&) {
    return "";  // no toolkit has made it
  }
  const emulator::CubinKernel* found = cubin->find_kernel(kernel);
  if (found == nullptr) return "";
  return output_hash({found->code.begin(), found->code.end()}, HashRule());
}

std::vector<MeasuredLaunch> read_truth(const std::string& folder) {
  const std::string modules = "build/modules/" + folder;
  std::vector<MeasuredLaunch> launches;
  std::vector<Row> given = read_table(folder + "/h200/counters.tsv");
  add_word_hashes(folder + "/h200/outputs.tsv", given);
  for (Row& row : given) {
    launches.push_back(launch_of(row, "h200", modules + "/h200/kernels"));
    launches.back().output_rule = kGivenHash;
  }
  for (const std::string more :
       {"/h200_more", "/h200_fresh", "/h200_unseen", "/h200_exam", "/h200_clean", "/h200_afresh",
        "/h200_third", "/h200_fourth", "/h200_fifth", "/h200_sixth", "/h200_seventh"}) {
    std::vector<Row> rows = read_table(folder + more + "/counters.tsv");
    add_hashes(folder + more + "/outputs.tsv", rows);
    for (Row& row : rows) {
      const std::string set = row["module"];
      launches.push_back(launch_of(row, set, modules + more + "/" + set));
      if (more != "/h200_fresh" && more != "/h200_unseen" && more != "/h200_exam")
        launches.back().output_rule = kMoreHash;
    }
  }
  leave_out_other_code(folder + "/codes.tsv", launches);
  return launches;
}

}  // namespace lockstep::compare_h200
