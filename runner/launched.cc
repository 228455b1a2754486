// SPDX-License-Identifier: Apache-2.0
// Pieces of PTX text, followed from name to name. Where more is followed than is meant, more stays;
// where less were, ptxas would miss it. See launched.h.
#include "runner/launched.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "common/backend/backend.h"
#include "emulator/ptx/lexer.h"

namespace lockstep {
namespace {

using namespace emulator;

class Followed {
 public:
  Followed(const Module& module, const std::vector<std::string>& kernels)
      : module_(module), kernels_(kernels.begin(), kernels.end()), kept_(module.pieces.size()) {
    for (size_t i = 0; i < kept_.size(); ++i)
      for (const std::string_view name : module.pieces[i].names) pieces_[name].push_back(i);
  }

  std::optional<std::string> run() {
    for (size_t i = 0; i < kept_.size(); ++i)
      if (begins_with(module_.pieces[i])) keep(i);
    while (!work_.empty()) {
      const std::string_view text = module_.pieces[work_.back()].text;
      work_.pop_back();
      follow(text);
    }
    if (std::find(kept_.begin(), kept_.end(), false) == kept_.end()) return {};
    std::string text;
    for (size_t i = 0; i < kept_.size(); ++i)
      text += kept_[i] ? module_.pieces[i].text : "\n";  // what it stood between stays apart
    return text + "\n";
  }

 private:
  bool begins_with(const Piece& piece) const {
    return piece.names.empty() ||
           std::any_of(piece.names.begin(), piece.names.end(), [this](std::string_view name) {
             return is_launched(name) || name.starts_with(kConstantPrefix);
           });
  }
  bool is_launched(std::string_view name) const {
    const auto at = module_.function_index.find(name);
    return at != module_.function_index.end() && module_.functions[at->second].is_entry &&
           kernels_.count(kernel_name(std::string(name))) > 0;
  }
  void keep(size_t piece) {
    if (kept_[piece]) return;
    kept_[piece] = true;
    work_.push_back(piece);
  }
  void follow(std::string_view text) {
    Lexer lexer(text, module_.name);
    for (Token token = lexer.next(); token.kind != TokenKind::kEnd; token = lexer.next()) {
      if (token.kind != TokenKind::kWord) continue;
      const auto named = pieces_.find(token.text);
      if (named == pieces_.end()) continue;
      for (const size_t piece : named->second) keep(piece);
      pieces_.erase(named);
    }
  }

  const Module& module_;
  const std::set<std::string> kernels_;
  std::unordered_map<std::string_view, std::vector<size_t>> pieces_;  // by what they declare
  std::vector<bool> kept_;
  std::vector<size_t> work_;  // kept, and not followed yet
};

}  // namespace

std::optional<std::string> launched_part(const Module& module,
                                         const std::vector<std::string>& kernels) {
  return Followed(module, kernels).run();
}

}  // namespace lockstep
