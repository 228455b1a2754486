// SPDX-License-Identifier: Apache-2.0
// Homework 6, the instructor's part: copies and transposes of a matrix, and products of two. The
// problem's unit (--vectors) is a side, from which the sizes of all matrices follow.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "common/base/error.h"
#include "common/base/parallel.h"
#include "common/harness/kernel_list.h"
#include "common/harness/metrics.h"
#include "common/harness/random_input.h"
#include "problems/matrices.h"

namespace lockstep {
namespace {

constexpr int64_t kTile = 32;         // of all kernels but transpose_best and the products
constexpr int64_t kSaxpy = 100000;    // elements, always
constexpr double kA = 0.5;            // of saxpy
constexpr int64_t kMostSide = 30000;  // indices must fit into an int, a grid into its limits
// Larger products are too much for a CPU to check.
constexpr int64_t kMostProduct = 2048;

// What a case is about: its parameter "part".
enum Part : int64_t { kVector, kCopy, kTranspose, kProduct };

Part part_of(const Case& c) { return static_cast<Part>(c.parameter("part")); }

constexpr Product kOdd = {256, 123, 45};

Product product_of(const Case& c) { return {c.parameter("N"), c.parameter("R"), c.parameter("M")}; }

ElementType type_of(const Case& c) {
  const bool doubles = part_of(c) == kVector || (part_of(c) == kProduct && c.parameter("doubles"));
  return doubles ? ElementType::kF64 : ElementType::kF32;
}

// The names of rows, by kernel without the type.
const std::map<std::string, std::string>& row_names() {
  static const std::map<std::string, std::string> names = {
      {"copy_tile<0>", "tile"},
      {"copy_tile<1>", "tile, padded"},
      {"copy_several<0>", "several"},
      {"copy_several<1>", "sev., padded"},
      {"copy_best", "best"},
      {"transpose_tile<0>", "tile"},
      {"transpose_tile<1>", "tile, padded"},
      {"transpose_several<0>", "several"},
      {"transpose_several<1>", "sev., padded"},
      {"transpose_swizzled", "swizzled"},
      {"transpose_best", "best"},
      {"product_naive", "naive"},
      {"product_tiled", "tiled"},
      {"product_registers", "registers"},
  };
  return names;
}

void add_saxpy(std::vector<Case>* cases) {
  for (const int64_t threads : {32, 256}) {
    Case c;
    c.kernel = fmt::format("saxpy<{}>", threads);
    c.table = "y = a * x + y in doubles";
    c.label = fmt::format("{} elements", kSaxpy);
    c.row = fmt::format("saxpy {}", threads);
    c.parameters = {{"part", kVector}, {"n", kSaxpy}, {"threads", threads}};
    cases->push_back(std::move(c));
  }
}

// The simple kernels come with blocks of three shapes.
void add_moves(const std::vector<ListedKernel>& listed, Part part, Matrix matrix,
               std::vector<Case>* cases) {
  const std::string prefix = part == kCopy ? "copy_" : "transpose_";
  const auto add = [&](const std::string& name, const std::string& row, int64_t x, int64_t y) {
    Case c;
    c.kernel = name;
    c.table = part == kCopy ? "Copy" : "Transpose";
    c.label = fmt::format("{} x {} floats", matrix.rows, matrix.cols);
    c.row = row;
    c.parameters = {{"part", part},
                    {"rows", matrix.rows},
                    {"cols", matrix.cols},
                    {"block x", x},
                    {"block y", y}};
    cases->push_back(std::move(c));
  };
  for (const ListedKernel& kernel : listed) {
    if (!kernel.function.starts_with(prefix)) continue;
    if (kernel.function.ends_with("_simple")) {
      for (const Matrix shape : {Matrix{32, 32}, {1024, 1}, {1, 1024}}) {
        const std::string blocks = fmt::format("{},{}", shape.rows, shape.cols);
        add(fmt::format("{}<{}>", kernel.name, blocks), blocks, shape.rows, shape.cols);
      }
      continue;
    }
    const bool square = kernel.function.ends_with("_tile");
    add(kernel.name, row_names().at(kernel.name), kTile, square ? kTile : kTile / 4);
  }
}

void add_products(const std::vector<ListedKernel>& listed, const std::string& type, Product p,
                  const std::string& prefix, std::vector<Case>* cases) {
  for (const ListedKernel& kernel : listed) {
    if (!kernel.function.starts_with("product_") || kernel.arguments.at(0) != type) continue;
    const int64_t each = kernel.arguments.size() > 1 ? kernel.number(1) : 0;
    Case c;
    c.kernel = prefix + kernel.name;
    c.table = fmt::format("Product of {}s", type);
    c.label = fmt::format("A {} x {}, B {} x {}", p.n, p.r, p.r, p.m);
    c.row = each > 0 ? fmt::format("best {}", each) : row_names().at(kernel.function);
    c.parameters = {
        {"part", kProduct}, {"N", p.n}, {"R", p.r}, {"M", p.m}, {"doubles", type == "double"},
        {"each", each}};
    cases->push_back(std::move(c));
  }
  // Opening the library takes longer than all the rest, so it is for whoever asks for it.
  Case library = cases->back();
  library.kernel = fmt::format("{}cublas_{}", prefix, type);
  library.row = "cuBLAS";
  library.library = true;
  library.by_default = false;
  cases->push_back(std::move(library));
}

// Shape of a block, and how many elements of C or of the moved matrix's columns and rows it has.
struct Shape {
  Dim3 block;
  int64_t columns, rows;
};

class Homework6 : public Assignment {
 public:
  std::string name() const override { return "hw06"; }
  ShapeFrom shape_from() const override { return ShapeFrom::kStudent; }
  // Matrices of 2048 x 2048 floats, on the emulator of 256 x 256.
  int64_t default_bytes(const DeviceInfo&, bool emulated) const override {
    return emulated ? 256 << 10 : 16 << 20;
  }
  std::vector<StudentConstant> constants() const override {
    return {{"best_tile", 8, 128, 8, "rows and columns of a tile"},
            {"best_threads", 32, 1024, 32, "threads of a block"}};
  }
  std::vector<Case> cases(const ProblemSize& size) const override;
  std::string problem_key(const Case& c) const override;
  std::vector<std::string> launched_kernels(const Case& c) const override { return {kernel_of(c)}; }
  std::string signature(const Case& c, const std::string& kernel) const override;
  std::vector<ArraySpec> arrays(const Case& c) const override;
  std::vector<HostArray> make_inputs(const Case& c, uint64_t seed) const override;
  std::optional<ExpectedElement> expected_at(const Case& c, const std::vector<HostArray>& inputs,
                                             size_t output, int64_t i) const override;
  std::vector<Expected> reference(const Case& c,
                                  const std::vector<HostArray>& inputs) const override;
  std::vector<Argument> arguments(const Case& c,
                                  const std::vector<BufferId>& buffers) const override;
  Sequence launches(const Case& c, const LaunchContext& context,
                    const std::vector<BufferId>& buffers) const override;
  UsefulWork work(const Case& c) const override;
  std::vector<std::string> columns() const override {
    return {metric::kThreadsPerBlock,
            metric::kBlocks,
            metric::kTheoreticalOccupancy,
            metric::kTimeUs,
            metric::kUsefulGbps,
            metric::kFpGflops,
            metric::kInstPerElement,
            metric::kLoadSectorsPerRequest,
            metric::kStoreSectorsPerRequest,
            metric::kSharedRequests,
            metric::kSharedConflictsPerRequest};
  }
  std::string describe_index(const Case& c, const ArraySpec& array, int64_t index) const override;
  std::vector<Confusion> confusions(const Case& c) const override;

 private:
  static std::string kernel_of(const Case& c);
  static Shape shape_of(const Case& c, const LaunchContext& context);
};

std::vector<Case> Homework6::cases(const ProblemSize& size) const {
  int64_t side = size.vectors.value_or(0);
  if (!size.vectors.has_value()) {
    side = static_cast<int64_t>(std::sqrt(static_cast<double>(size.bytes) / sizeof(float)));
    if (side > kTile) side -= side % kTile;
  }
  if (side < 1) throw Error(fmt::format("SIZE: {} bytes are less than one element", size.bytes));
  if (side > kMostSide)
    throw Error(fmt::format("SIZE: matrices of {} rows are more than this homework can count, {}",
                            side, kMostSide));
  const std::vector<ListedKernel> listed = {
#define KERNEL(name, ...) listed_kernel(#name, "" #__VA_ARGS__),
#include "hw06/instances.cu"
  };
  std::vector<Case> cases;
  add_saxpy(&cases);
  add_moves(listed, kCopy, moved(side), &cases);
  add_moves(listed, kTranspose, moved(side), &cases);
  const Product product = multiplied(std::min(side, kMostProduct));
  add_products(listed, "float", product, "", &cases);
  add_products(listed, "double", product, "", &cases);
  add_products(listed, "float", kOdd, "odd_", &cases);
  add_products(listed, "double", kOdd, "odd_", &cases);
  return cases;
}

std::string Homework6::problem_key(const Case& c) const {
  if (part_of(c) == kVector) return "saxpy";
  if (part_of(c) != kProduct)
    return fmt::format("{}/{}/{}", c.parameter("part"), c.parameter("rows"), c.parameter("cols"));
  const Product p = product_of(c);
  return fmt::format("product/{}/{}/{}/{}", p.n, p.r, p.m, c.parameter("doubles"));
}

// Without what only the case has: the shape of blocks, and which sizes.
std::string Homework6::kernel_of(const Case& c) {
  if (part_of(c) == kProduct && c.kernel.starts_with("odd_")) return c.kernel.substr(4);
  if (c.kernel.starts_with("saxpy") || c.kernel.find("_simple<") != std::string::npos)
    return c.kernel.substr(0, c.kernel.find('<'));
  return c.kernel;
}

std::string Homework6::signature(const Case& c, const std::string&) const {
  if (part_of(c) == kVector) return "(double*,double const*,double,int)";
  if (part_of(c) != kProduct) return "(float*,float const*,int,int)";
  return c.parameter("doubles") ? "(double*,double const*,double const*,int,int,int)"
                                : "(float*,float const*,float const*,int,int,int)";
}

std::vector<ArraySpec> Homework6::arrays(const Case& c) const {
  const ElementType type = type_of(c);
  if (part_of(c) == kVector) return {{"y", kSaxpy, Role::kInOut, type}, {"x", kSaxpy, {}, type}};
  if (part_of(c) != kProduct) {
    const size_t n = static_cast<size_t>(c.parameter("rows") * c.parameter("cols"));
    return {{"out", n, Role::kOutput, type}, {"in", n, Role::kInput, type}};
  }
  const Product p = product_of(c);
  return {{"c", static_cast<size_t>(p.n * p.m), Role::kOutput, type},
          {"a", static_cast<size_t>(p.n * p.r), Role::kInput, type},
          {"b", static_cast<size_t>(p.r * p.m), Role::kInput, type}};
}

// What the numbers of an array have in common: those of a row, of a column, or of neighbours.
struct Kinds {
  int64_t pitch = 1;
  bool by_column = false;
  bool of_product = false;
  uint64_t of(int64_t i) const { return static_cast<uint64_t>(by_column ? i % pitch : i / pitch); }
};

// Rows (of B, columns) have a magnitude of their own, one in eight any that a product can bear. In
// one in eight of a product's but some four numbers are zeros: the sum is off by few roundings
// there, however long it is, so that who has fewer bits for a number is seen.
double scale_of(const Kinds& kinds, uint64_t seed, uint64_t stream, int64_t i) {
  const uint64_t bits = random_bits(seed, stream + 32, kinds.of(i));
  const bool sparse = kinds.of_product && (bits & 7) == 1;
  const auto length = static_cast<uint64_t>(kinds.pitch);
  if (sparse && random_bits(seed, stream + 48, static_cast<uint64_t>(i)) % length >= 4) return 0;
  const int most = bits & 7 ? 3 : 40;
  return std::ldexp(1.0,
                    static_cast<int>((bits >> 8) % static_cast<uint64_t>(2 * most + 1)) - most);
}

Kinds kinds_of(const Case& c, const std::string& array) {
  constexpr int64_t kNeighbours = 64;
  if (part_of(c) == kVector) return {kNeighbours};
  if (part_of(c) != kProduct) return {c.parameter("cols")};
  return array == "a" ? Kinds{c.parameter("R"), false, true} : Kinds{c.parameter("M"), true, true};
}

// In [-1, 1), times the scale. Doubles have more digits than a float holds.
std::vector<HostArray> Homework6::make_inputs(const Case& c, uint64_t seed) const {
  std::vector<HostArray> inputs;
  uint64_t stream = 0;
  for (const ArraySpec& spec : arrays(c)) {
    if (!spec.has_input()) continue;
    HostArray array(spec.type, spec.elements);
    const Kinds kinds = kinds_of(c, spec.name);
    parallel_chunks(static_cast<int64_t>(spec.elements), 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) {
        const float value = random_float(seed, stream, static_cast<uint64_t>(i));
        const double scale = scale_of(kinds, seed, stream, i);
        if (spec.type == ElementType::kF32)
          array.as<float>()[i] = static_cast<float>(scale * value);
        else
          array.as<double>()[i] =
              scale * (value + 0x1p-25 * random_float(seed, stream + 16, static_cast<uint64_t>(i)));
      }
    });
    inputs.push_back(std::move(array));
    stream++;
  }
  return inputs;
}

std::vector<double> doubles_of(const HostArray& array) {
  std::vector<double> values(array.size());
  parallel_chunks(static_cast<int64_t>(values.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) values[i] = array.value(i);
  });
  return values;
}

// Of the product of the norms, where so many numbers of the row of A are other than zero.
double rounding_of(const Case& c, int64_t terms) {
  return 1.1 * (c.parameter("doubles") ? 2 * 0x1p-53 : 0x1p-24) * static_cast<double>(terms + 1);
}

// R products in any order miss by at most R roundings of the sum of their magnitudes, which is at
// most the product of the norms, and no more than there are numbers other than zero in the row of
// A; of doubles, the reference misses by as much.
Assignment::Expected product_reference(const Case& c, const std::vector<HostArray>& inputs) {
  const Product p = product_of(c);
  const std::vector<double> a = doubles_of(inputs.at(0)), b = doubles_of(inputs.at(1));
  Assignment::Expected expected;
  resize_by_all(&expected.values, p.n * p.m);
  resize_by_all(&expected.tolerance, p.n * p.m);
  const std::vector<double> of_a = norms(a, p.n, p.r, false), of_b = norms(b, p.r, p.m, true);
  std::vector<double> factors;
  for (int64_t h = 0; h < p.n; h++) {
    const auto row = a.begin() + h * p.r;
    factors.push_back(rounding_of(c, p.r - std::count(row, row + p.r, 0.0)));
  }
  parallel_chunks(p.n * p.m, 4 * p.m, [&](int64_t begin, int64_t end) {
    multiply_rows(p, a.data(), b.data(), expected.values.data(), begin / p.m, end / p.m);
    for (int64_t i = begin; i < end; i++)
      expected.tolerance[i] = factors[i / p.m] * of_a[i / p.m] * of_b[i % p.m];
  });
  return expected;
}

Assignment::Expected saxpy_reference(const std::vector<HostArray>& inputs) {
  const std::span<const double> y = inputs.at(0).as<double>(), x = inputs.at(1).as<double>();
  Assignment::Expected expected;
  for (size_t i = 0; i < y.size(); i++) {
    expected.values.push_back(kA * x[i] + y[i]);
    expected.tolerance.push_back(0x1p-51 * (std::fabs(x[i]) + std::fabs(y[i])));
  }
  return expected;
}

Assignment::Expected moved_reference(const Case& c, const std::vector<HostArray>& inputs) {
  const std::span<const float> in = inputs.at(0).as<float>();
  const int64_t rows = c.parameter("rows"), cols = c.parameter("cols");
  const bool copy = part_of(c) == kCopy;
  Assignment::Expected expected;
  resize_by_all(&expected.values, static_cast<int64_t>(in.size()));
  resize_by_all(&expected.tolerance, static_cast<int64_t>(in.size()));
  parallel_chunks(static_cast<int64_t>(in.size()), 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      expected.values[i] = in[copy ? i : i % rows * cols + i / rows];
  });
  return expected;
}

std::optional<Assignment::ExpectedElement> Homework6::expected_at(
    const Case& c, const std::vector<HostArray>& inputs, size_t, int64_t i) const {
  if (part_of(c) != kProduct) return std::nullopt;
  const Product p = product_of(c);
  const int64_t row = i / p.m, column = i % p.m;
  double sum = 0, of_a = 0, of_b = 0;
  int64_t terms = 0;
  for (int64_t k = 0; k < p.r; k++) {
    const double x = inputs.at(0).value(row * p.r + k), y = inputs.at(1).value(k * p.m + column);
    sum += x * y;
    of_a += x * x;
    of_b += y * y;
    terms += x != 0;
  }
  return ExpectedElement{sum, rounding_of(c, terms) * std::sqrt(of_a) * std::sqrt(of_b)};
}

std::vector<Assignment::Expected> Homework6::reference(const Case& c,
                                                       const std::vector<HostArray>& inputs) const {
  std::vector<Expected> all;
  all.push_back(part_of(c) == kProduct  ? product_reference(c, inputs)
                : part_of(c) == kVector ? saxpy_reference(inputs)
                                        : moved_reference(c, inputs));
  return all;
}

std::vector<Argument> Homework6::arguments(const Case& c,
                                           const std::vector<BufferId>& buffers) const {
  std::vector<Argument> arguments = Assignment::arguments(c, buffers);
  if (part_of(c) == kVector) arguments.push_back(Argument::of(kA));
  static const std::map<Part, std::vector<std::string>> kNumbers = {{kVector, {"n"}},
                                                                    {kCopy, {"rows", "cols"}},
                                                                    {kTranspose, {"rows", "cols"}},
                                                                    {kProduct, {"N", "R", "M"}}};
  for (const std::string& name : kNumbers.at(part_of(c)))
    arguments.push_back(Argument::of(static_cast<int32_t>(c.parameter(name))));
  return arguments;
}

Shape Homework6::shape_of(const Case& c, const LaunchContext& context) {
  if (part_of(c) == kProduct) {
    const int64_t each = c.parameter("each");
    if (each > 0) return {{256, 1, 1}, 16 * each, 16 * each};
    if (c.kernel.find("_registers") != std::string::npos) return {{16, 16, 1}, 64, 64};
    return {{32, 32, 1}, kTile, kTile};
  }
  if (c.kernel == "transpose_best") {
    const int64_t tile = context.constants.at("best_tile");
    return {{static_cast<uint32_t>(context.constants.at("best_threads")), 1, 1}, tile, tile};
  }
  const int64_t x = c.parameter("block x"), y = c.parameter("block y");
  const Dim3 block = {static_cast<uint32_t>(x), static_cast<uint32_t>(y), 1};
  if (c.kernel.find("_simple") != std::string::npos) return {block, x, y};
  return {block, kTile, kTile};
}

Sequence Homework6::launches(const Case& c, const LaunchContext& context,
                             const std::vector<BufferId>& buffers) const {
  Launch launch;
  launch.kernel = kernel_of(c);
  launch.arguments = arguments(c, buffers);
  launch.library = c.library;
  if (c.library) return {launch};
  if (part_of(c) == kVector) {
    launch.block.x = static_cast<uint32_t>(c.parameter("threads"));
    launch.grid.x = static_cast<uint32_t>(divided_up(kSaxpy, launch.block.x));
  } else if (c.kernel == "copy_best") {
    // 16 elements a thread; up to twice as many or half as many where no table shows it.
    const int64_t rows = c.parameter("rows"), cols = c.parameter("cols");
    const int64_t blocks = divided_up(rows * cols, 16 * 256) + rows * cols % 3;
    launch.block.x = 256;
    launch.grid.x =
        static_cast<uint32_t>(rows == cols && is_shown_side(rows)
                                  ? blocks
                                  : drawn_blocks(rows * cols, divided_up(blocks, 2), 2 * blocks));
  } else {
    const bool product = part_of(c) == kProduct;
    const Shape shape = shape_of(c, context);
    launch.block = shape.block;
    launch.grid.x =
        static_cast<uint32_t>(divided_up(c.parameter(product ? "M" : "cols"), shape.columns));
    launch.grid.y =
        static_cast<uint32_t>(divided_up(c.parameter(product ? "N" : "rows"), shape.rows));
  }
  return {launch};
}

// Of a product, a multiply-add is an element.
UsefulWork Homework6::work(const Case& c) const {
  UsefulWork work;
  for (const ArraySpec& array : arrays(c)) {
    if (array.has_input()) work.bytes_read += static_cast<int64_t>(array.bytes());
    if (array.is_checked()) work.bytes_written += static_cast<int64_t>(array.bytes());
    work.load_stores += static_cast<int64_t>(array.elements);
    if (array.is_checked()) work.elements = static_cast<int64_t>(array.elements);
  }
  if (part_of(c) == kProduct) work.elements *= c.parameter("R");
  if (part_of(c) == kProduct || part_of(c) == kVector) work.fp_operations = work.elements;
  return work;
}

std::string Homework6::describe_index(const Case& c, const ArraySpec& array, int64_t index) const {
  if (part_of(c) == kVector || array.name == "a" || array.name == "b") return {};
  const int64_t length = part_of(c) == kCopy        ? c.parameter("cols")
                         : part_of(c) == kTranspose ? c.parameter("rows")
                                                    : c.parameter("M");
  return fmt::format("row {}, column {}", index / length, index % length);
}

std::vector<Assignment::Confusion> Homework6::confusions(const Case& c) const {
  if (part_of(c) == kVector) return {};
  if (part_of(c) != kProduct) {
    const auto copied = [](const std::vector<HostArray>& inputs, int64_t index) {
      return inputs.at(0).value(static_cast<size_t>(index));
    };
    // A tile is turned, but put where it came from: right only on the diagonal.
    const auto in_place = [c](const std::vector<HostArray>& inputs, int64_t index) {
      const int64_t rows = c.parameter("rows"), cols = c.parameter("cols");
      const int64_t y = index / rows, x = index % rows;
      const int64_t from_y = y - y % kTile + x % kTile, from_x = x - x % kTile + y % kTile;
      return from_y < rows && from_x < cols
                 ? inputs.at(0).value(static_cast<size_t>(from_y * cols + from_x))
                 : 0;
    };
    if (part_of(c) == kCopy) return {};
    return {{"the input as it was, not transposed", copied},
            {"its tile of 32 x 32 turned, and left at its place in the matrix", in_place}};
  }
  const Product p = product_of(c);
  const auto first_terms = [p](int64_t terms) {
    return [p, terms](const std::vector<HostArray>& inputs, int64_t index) {
      double sum = 0;
      for (int64_t k = 0; k < terms; k++)
        sum += inputs.at(0).value(static_cast<size_t>(index / p.m * p.r + k)) *
               inputs.at(1).value(static_cast<size_t>(k * p.m + index % p.m));
      return sum;
    };
  };
  std::vector<Confusion> known;
  for (const int64_t depth : {8, 16, 32})
    if (p.r % depth != 0 && p.r > depth)
      known.push_back({fmt::format("the sum without the terms behind the last whole {}", depth),
                       first_terms(p.r - p.r % depth)});
  if (p.r > 1) known.push_back({"the sum without its last term", first_terms(p.r - 1)});
  return known;
}

}  // namespace

std::unique_ptr<Assignment> make_assignment() { return std::make_unique<Homework6>(); }

}  // namespace lockstep
