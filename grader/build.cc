// SPDX-License-Identifier: Apache-2.0
// One submission's way through the compiler, and what the tools are asked about it on the way:
// each question is a function here, each step of a tool one of build_steps.h.
#include "grader/build.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>

#include "grader/asked.h"
#include "grader/assembly.h"
#include "grader/build_files.h"
#include "grader/build_steps.h"
#include "grader/inspect.h"
#include "grader/line_places.h"
#include "grader/preprocessed.h"
#include "grader/sha256.h"
#include "runner/process.h"

namespace lockstep::grader {
namespace {

// The same test, asked once for each name: a text may hold very many markers.
NameTest asked_once(NameTest test) {
  return [test = std::move(test), said = std::make_shared<std::unordered_map<std::string, bool>>()](
             const std::string& name) {
    const auto [at, is_new] = said->try_emplace(name);
    if (is_new) at->second = test(name);
    return at->second;
  };
}

// The compiler has macros of its own, listed as "#define NAME ...". Without them it prints a text
// as it is.
std::string undefine_all(const std::string& listed) {
  std::istringstream lines(listed);
  std::string out;
  for (std::string define, name, rest; lines >> define >> name; std::getline(lines, rest))
    out += "#undef " + name.substr(0, name.find('(')) + "\n";
  return out;
}

class Build {
 public:
  Build(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
        const Sandbox& sandbox)
      : request_(request), rubric_(rubric), steps_(request, rubric, tools, sandbox) {}

  BuildResult run() {
    double start = monotonic_seconds();
    bool good = steps_.lay_out() && preprocess() && includes_allowed() && questions_allowed() &&
                lines_true() && compile() && directives_true() && survey() && assemble();
    if (good) finish();
    steps_.result().seconds = monotonic_seconds() - start;
    return steps_.result();
  }

 private:
  // 0: the line is unknown.
  std::string shown_place(int line) const {
    return steps_.shown_file() + (line > 0 ? ":" + std::to_string(line) : "");
  }

  bool forbid(const std::vector<Breach>& breaches, const std::string& log = "") {
    std::string text;
    for (const Breach& b : breaches)
      text += shown_place(b.line) + ": not allowed: " + b.what + "\n";
    return breaches.empty() || steps_.stop("forbidden", text + log);
  }

  bool preprocess() {
    const MaybeAnswer answer = steps_.preprocess();
    if (answer && !answer->accepted && !missing_allowed()) return false;
    if (!steps_.accepted(answer, "the preprocessor")) return false;
    steps_.result().log = answer->messages;
    return steps_.take_dependencies(&dependencies_) && steps_.take_asked(&asked_) &&
           steps_.take_preprocessed(&preprocessed_);
  }

  // After an error the preprocessor has no list. It is asked once more, with missing files taken as
  // empty (-MG): one out of the folder is no mere mistake.
  bool missing_allowed() {
    if (request_.trusted) return true;
    const MaybeAnswer answer = steps_.list_files();
    if (!answer || !answer->accepted) return answer.has_value();
    if (!steps_.take_dependencies(&dependencies_)) return false;
    const std::string folder = steps_.seen("");
    std::vector<Breach> breaches;
    for (const std::string& file : parse_dependencies(dependencies_))
      if ((file[0] == '/' || steps_.seen(file).rfind(folder, 0) != 0) &&
          steps_.system_header(file).empty())
        breaches.push_back(foreign(file));
    return forbid(breaches);
  }

  static Breach foreign(const std::string& file) {
    return {0, "#include of a file that is not yours: " + file.substr(0, 80)};
  }

  bool is_student(const std::string& file) const {
    return steps_.seen(file) == steps_.seen(steps_.shown_file());
  }
  bool is_ours(const std::string& file) const {
    return is_student(file) || steps_.seen(file) == steps_.seen(steps_.instances());
  }
  bool is_known(const std::string& file) const { return known_files_.count(steps_.seen(file)) > 0; }

  // What was included is what the preprocessor's own list says.
  bool includes_allowed() {
    std::vector<Breach> breaches;
    for (const std::string& file : parse_dependencies(dependencies_)) {
      known_files_.insert(steps_.seen(file));
      if (!is_ours(file) && steps_.system_header(file).empty()) breaches.push_back(foreign(file));
    }
    text_.emplace(preprocessed_, student_, known_);
    if (breaches.empty() &&
        text_->enters_again(asked_once([this](const std::string& file) { return is_ours(file); })))
      breaches.push_back({0, "#include of the submission by itself"});
    return request_.trusted || forbid(breaches);
  }

  // What was asked for is what the preprocessor asked the system for.
  bool questions_allowed() {
    std::vector<Breach> breaches;
    Asked asked(asked_, steps_.nowhere(), steps_.instances(), steps_.shown_file());
    for (const std::string& name : asked.foreign())
      if (breaches.size() < kMostBreaches)
        breaches.push_back({0,
                            "asking (__has_include) whether there is a file that is not of the "
                            "compiler's own headers: " +
                                name.substr(0, 80)});
    return request_.trusted || forbid(breaches);
  }

  // What could be a directive that lies about lines is no directive with an empty macro before it;
  // it is text then, and the output another one. Nothing else changes, since the macro's name is
  // one that the submission cannot know.
  bool lines_true() {
    if (request_.trusted) return true;
    const std::vector<size_t> places = find_line_places(request_.contents);
    if (places.empty()) return true;
    const std::string word = BuildSteps::secret_word();
    const auto begin = request_.contents.begin();
    const auto first = std::count(begin, begin + static_cast<ptrdiff_t>(places.front()), '\n') + 1;
    const MaybeAnswer answer = steps_.preprocess_instead(
        put_before(request_.contents, places, word),
        shown_place(static_cast<int>(first)) + ": text that could be a #line directive",
        "-D" + word + "=");
    if (!answer) return false;
    std::optional<int> line = 0;
    std::string trial;
    if (answer->accepted) {
      if (!steps_.take_preprocessed(&trial)) return false;
      line = text_->first_difference(trial, word);
    }
    if (!line) return true;
    return forbid({{*line,
                    "a directive that changes line numbers (#line), or text that cannot be told "
                    "from one"}});
  }

  bool refuses_assembly() const { return !request_.trusted && !rubric_.policy.inline_asm; }

  bool compile() {
    std::string text = preprocessed_;
    if (refuses_assembly() && !take_assembly(&text)) return false;
    const MaybeAnswer answer = steps_.compile(text);
    if (answer && !answer->accepted && refuses_assembly() && !is_free_of_assembly(*answer))
      return false;
    if (!steps_.accepted(answer, "the compiler") || !steps_.take_ptx(&ptx_)) return false;
    steps_.result().log += answer->messages;
    return true;
  }

  // What compiles with the words for assembly alone has assembly.
  bool is_free_of_assembly(const Answer& without) {
    const MaybeAnswer with = steps_.compile(preprocessed_);
    if (!with) return false;
    if (!with->accepted) return true;
    return forbid({{0, "inline assembly" +
                           std::string(not_alone_.empty()
                                           ? ""
                                           : "; the headers cannot be read without what stands "
                                             "before them, so none of it is known to be theirs")}},
                  not_alone_ + without.messages);
  }

  // The text without the words for assembly, but for what headers hold that are permitted.
  bool take_assembly(std::string* text) {
    std::optional<Preprocessed> alone;
    if (const std::string source = headers_alone(*text_); !source.empty()) {
      const MaybeAnswer answer =
          steps_.preprocess_instead(source, shown_place(0) + ": assembly in what it includes");
      std::string output;
      if (!answer) return false;
      if (!answer->accepted) {
        not_alone_ = answer->messages;
      } else {
        if (!steps_.take_preprocessed(&output)) return false;
        alone.emplace(output, student_, [](const std::string&) { return true; });
      }
    }
    *text = refuse_assembly(
        *text_, alone ? &*alone : nullptr, asked_once([this](const std::string& file) {
          const std::string real = is_known(file) ? steps_.system_header(file) : "";
          return !real.empty() &&
                 may_hold_assembly(real, steps_.toolkit_folders(), rubric_.policy.headers);
        }));
    return true;
  }

  // The compiler's own preprocessor would heed a directive that macros made, join lines, and end
  // raw strings in them, which the first one does not. Where something looks like either it is
  // asked to print what it reads: the same text, in the same lines.
  bool directives_true() {
    if (request_.trusted) return true;
    const std::string word = BuildSteps::secret_word();
    const Preprocessed::Trial trial = text_->without_directives(word);
    if (trial.text.empty()) return true;
    if (trial.too_long)
      return forbid({{trial.line, "so many lines that look like directives (in raw strings)"}});
    const std::string reason =
        shown_place(trial.line) + ": text that could be a directive or a joined line";
    std::string own, output;
    if (!read_again("", "--list_macros", reason, &own) ||
        !read_again(undefine_all(own) + trial.text, "-P", reason, &output))
      return false;
    const std::optional<int> line = text_->first_read_otherwise(output, word);
    if (!line) return true;
    return forbid({{*line,
                    "text that the compiler's own preprocessor reads otherwise: a directive that "
                    "is made by macros, or a line that a '\\' joins to the next for it alone"}});
  }

  bool read_again(const std::string& text, const char* option, const std::string& reason,
                  std::string* output) {
    return steps_.preprocess_again(text, reason, option) && steps_.take_read_again(output);
  }

  // What launches cannot reach is left out, whatever it is: so what is looked at is all there is.
  bool survey() {
    const MaybeAnswer answer = steps_.survey(ptx_);
    if (!steps_.accepted(answer, "the survey of the PTX")) return false;
    const Survey survey = parse_survey(answer->out);
    if (!survey.whole && !steps_.take_launched(&launched_)) return false;
    if (request_.trusted)
      return survey.error.empty() ||
             steps_.stop("infrastructure", "PTX cannot be read: " + survey.error);
    return forbid(inspect_survey(survey, rubric_.policy, student_, known_));
  }

  bool assemble(const std::string& ptx, std::string* cubin) {
    return steps_.accepted(steps_.assemble(ptx), "ptxas") && steps_.take_cubin(cubin);
  }
  // What make makes must come into being, and what is left out must change nothing of the rest:
  // else the whole is what is run, and looked at.
  bool assemble() {
    if (!assemble(ptx_, &cubin_)) return false;
    if (launched_.empty()) return true;
    std::string part, other;
    if (!assemble(launched_, &part) || !steps_.compare_code(cubin_, part, &other)) return false;
    if (!other.empty()) return whole_allowed();
    ptx_ = std::move(launched_);
    cubin_ = std::move(part);
    return true;
  }
  bool whole_allowed() {
    const MaybeAnswer answer = steps_.survey(ptx_, true);
    if (!steps_.accepted(answer, "the survey of the PTX")) return false;
    if (request_.trusted) return true;
    return forbid(inspect_survey(parse_survey(answer->out), rubric_.policy, student_, known_),
                  "What no launch reaches counts as well here, since launched kernels have other "
                  "machine code without it; take it out.\n");
  }

  // The module that is run is what was looked at: our copy, not the cage's file.
  void finish() {
    std::string base = request_.folder + "/" + steps_.name();
    write_file(base + ".ptx", ptx_);
    write_file(base + ".cubin", cubin_);
    steps_.result().module = base + ".ptx";
    steps_.result().module_hash = sha256(sha256(ptx_) + sha256(cubin_));
    if (request_.listing) steps_.result().code = steps_.listing(cubin_);
  }

  const BuildRequest& request_;
  const Rubric& rubric_;
  BuildSteps steps_;
  std::string dependencies_, asked_, preprocessed_, ptx_, cubin_;
  std::string launched_;  // the part of the PTX that launches reach; empty: all
  std::set<std::string> known_files_;
  const NameTest student_ =
      asked_once([this](const std::string& file) { return is_student(file); });
  const NameTest known_ = asked_once([this](const std::string& file) { return is_known(file); });
  std::string not_alone_;  // why its headers cannot be read by themselves; empty: they can
  std::optional<Preprocessed> text_;
};

}  // namespace

BuildResult build_module(const BuildRequest& request, const Rubric& rubric, const Toolchain& tools,
                         const Sandbox& sandbox) {
  try {
    return Build(request, rubric, tools, sandbox).run();
  } catch (const std::exception& e) {
    BuildResult result;
    result.problem = "infrastructure";
    result.log = e.what();
    return result;
  }
}

}  // namespace lockstep::grader
