// SPDX-License-Identifier: Apache-2.0
// grader: the instructor's program. See docs/grading.md.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <iostream>

#include "common/base/error.h"
#include "grader/commands.h"

namespace {

namespace po = boost::program_options;
using lockstep::Error;
using lockstep::grader::CommandOptions;

constexpr char kUsage[] =
    "usage: grader check HOMEWORK FILE             one submission\n"
    "       grader run HOMEWORK SUBMISSIONS        a class: a folder or archive\n"
    "       grader regrade HOMEWORK                its stored results by a changed rubric\n"
    "       grader export FORMAT HOMEWORK          the results of a class for a platform\n"
    "       grader report HOMEWORK                 pages of a class that was graded\n"
    "       grader backup FOLDER                   a copy of the results, while grading runs, too\n"
    "       grader selfcheck HOMEWORK              the homework itself, before it is given out\n"
    "       grader doctor                          this machine\n"
    "       grader new HOMEWORK                    a homework to begin with, like hw07\n";

struct Verb {
  const char* name;
  size_t words;  // with its own
  int (*run)(const CommandOptions&);
};

constexpr Verb kVerbs[] = {{"check", 3, lockstep::grader::check_command},
                           {"run", 3, lockstep::grader::run_command},
                           {"export", 3, lockstep::grader::export_command},
                           {"regrade", 2, lockstep::grader::regrade_command},
                           {"backup", 2, lockstep::grader::backup_command},
                           {"report", 2, lockstep::grader::report_command},
                           {"selfcheck", 2, lockstep::grader::selfcheck_command},
                           {"doctor", 1, lockstep::grader::doctor_command},
                           {"new", 2, lockstep::grader::new_command},
                           {"task", 2, lockstep::grader::task_command}};

po::options_description options_of(CommandOptions* o) {
  po::options_description d("Options");
  auto& s = o->session;
  d.add_options()                                                                                 //
      ("backend", po::value(&s.backend), "gpu, emulator, or auto: a GPU if there is one")         //
      ("device", po::value(&s.devices), "GPU to use; may be given more than once")                //
      ("profile", po::value(&s.profile), "emulator: the GPU to stand in for")                     //
      ("rubric", po::value(&s.rubric), "instead of HOMEWORK/rubric.toml")                         //
      ("seed", po::value<uint64_t>(), "repeat the grading that printed this seed")                //
      ("results,o", po::value(&o->results), "folder of the results (results)")                    //
      ("jobs,j", po::value(&o->jobs), "run: submissions at one time (one a processor)")           //
      ("regrade", po::bool_switch(&o->regrade), "run: grade again, and show what changes")        //
      ("dry-run", po::bool_switch(&o->dry_run), "regrade: tell what changes, and store nothing")  //
      ("view", po::value(&o->view), "check: student (hidden checks are not shown) or instructor")(
          "brief", po::bool_switch(&o->brief), "check: no details of what passes")  //
      ("record", po::bool_switch(&o->record),
       "selfcheck: write the solution's values on new public draws to recorded.json")          //
      ("draws", po::value(&o->draws), "selfcheck: on so many draws of sizes and shapes (20)")  //
      ("kind", po::value(&o->new_homework.kind), "new: a folder of templates/ (elements)")     //
      ("title", po::value(&o->new_homework.title), "new: its title")                           //
      ("kernel", po::value(&o->new_homework.kernel), "new: the student's kernel (work)")       //
      ("element", po::value(&o->new_homework.element), "new: float, double or int (float)")    //
      ("format", po::value(&o->format), "check: write the verdict as a platform reads it")     //
      ("out", po::value(&o->out), "export, check: the file or folder to write")                //
      ("students", po::value(&o->students), "run, export: CSV of who is called what where")    //
      ("from", po::value(&o->platform),
       "run: submissions as they come from gradescope, canvas, moodle or github")      //
      ("html", po::value(&o->html), "check: a page for a browser, too, in this file")  //
      ("pseudonyms", po::bool_switch(&o->pseudonyms),
       "export, report: in the place of names; what students wrote stays")  //
      ("assignment", po::value(&o->assignment),
       "export: the heading of the grades' column; run --from github: how clones' names begin")  //
      ("submitted", po::value(&o->submitted), "check: when it was handed in (with --format)")    //
      ("metadata", po::value(&o->metadata), "check: Gradescope's submission_metadata.json")      //
      ("slurm", po::bool_switch(&o->slurm), "run: on the nodes of a Slurm cluster")              //
      ("tasks", po::value(&o->tasks), "run --slurm: tasks of the job array (4)")                 //
      ("partition", po::value(&o->cluster.partition), "run --slurm: as sbatch takes it")         //
      ("gres", po::value(&o->cluster.gres), "run --slurm: as sbatch takes it, like gpu:1")       //
      ("slurm-option", po::value(&o->cluster.more), "run --slurm: another option of sbatch's")   //
      ("shared", po::value(&o->shared), "run --slurm: a folder that all nodes see")              //
      ("json", po::bool_switch(&o->json), "one JSON object a line")                              //
      ("middle-sandbox", po::bool_switch(&s.middle_sandbox),
       "go on where namespaces are refused, if files can be confined without (Landlock)")  //
      ("weak-sandbox", po::bool_switch(&s.weak_sandbox),
       "go on where namespaces are refused; said in every report")  //
      ("help", "this");
  return d;
}

void require_one_of(const char* option, const std::string& value,
                    std::initializer_list<const char*> words) {
  if (std::none_of(words.begin(), words.end(), [&](const char* w) { return value == w; }))
    throw Error(std::string("--") + option + ": '" + value + "' is not known; --help tells more");
}

struct CommandLine {
  std::vector<std::string> words;
  CommandOptions options;
  bool help = false;
};

CommandLine parse(int argc, char** argv) {
  CommandLine line;
  po::options_description named = options_of(&line.options), all;
  all.add(named).add_options()("word", po::value(&line.words));
  po::positional_options_description positional;
  positional.add("word", -1);
  po::variables_map values;
  try {
    po::store(po::command_line_parser(argc, argv).options(all).positional(positional).run(),
              values);
    po::notify(values);
  } catch (const po::error& e) {
    throw Error(std::string(e.what()) + "; --help tells more");
  }
  if (values.count("seed")) line.options.session.seed = values["seed"].as<uint64_t>();
  line.help = values.count("help") > 0;
  require_one_of("backend", line.options.session.backend, {"auto", "gpu", "emulator"});
  require_one_of("from", line.options.platform, {"", "gradescope", "canvas", "moodle", "github"});
  require_one_of("view", line.options.view, {"", "student", "instructor"});
  if (line.options.tasks < 1 || line.options.tasks > 1000)
    throw Error("--tasks: expected a number from 1 to 1000");
  if (line.options.draws < 1 || line.options.draws > 1000)
    throw Error("--draws: expected a number from 1 to 1000");
  if (line.help) std::cout << kUsage << "\n" << named;
  return line;
}

int run(int argc, char** argv) {
  CommandLine line = parse(argc, argv);
  if (line.help) return lockstep::kExitGood;
  const std::vector<std::string>& words = line.words;
  const Verb* verb = std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) {
    return !words.empty() && words[0] == v.name && words.size() == v.words;
  });
  if (verb == std::end(kVerbs)) throw Error(std::string("expected a command\n") + kUsage);
  CommandOptions& o = line.options;
  const bool has_format = verb->run == lockstep::grader::export_command;  // before the homework
  if (has_format) o.format = words[1];
  const bool has_folder =
      verb->run == lockstep::grader::task_command || verb->run == lockstep::grader::backup_command;
  if (has_folder) o.path = words[1];
  if (words.size() > 1 && !has_folder)
    o.session.homework = o.new_homework.name = words[has_format ? 2 : 1];
  if (o.session.homework.find('/') != std::string::npos)
    throw Error("'" + o.session.homework + "' is not a homework's name, like hw02");
  if (words.size() > 2 && !has_format) o.path = words[2];
  return verb->run(o);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& e) {
    std::fprintf(stderr, "grader: %s\n", e.what());
    return e.code();
  } catch (const std::exception& e) {
    std::fprintf(stderr, "grader: %s\n", e.what());
    return lockstep::kExitCannotRun;
  }
}
