// SPDX-License-Identifier: Apache-2.0
// Makes the mutations of one function after the other. Private to this room.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/code/opcode.h"
#include "emulator/mutate/mutations.h"
#include "emulator/mutate/operands.h"

namespace lockstep::emulator {

class MutationMaker {
 public:
  // Both must outlive it. most_rank: none that is less likely is made.
  MutationMaker(Mutations* to, const std::string& file, int most_rank)
      : to_(*to), module_(to->module_), file_(file), most_rank_(most_rank) {}

  void function(uint32_t number);

 private:
  // The numbers that the student's lines hold: for each, that another of them stands there.
  void collect_numbers();
  void collect_members();
  std::string_view kept(std::string opcode);
  void add(std::vector<Instruction> instead, Instruction told, int rank,
           std::vector<Type> registers = {}, Mutation::Words words = Mutation::Words::kStatement);
  void add_one(const Instruction& instead, int rank);
  void instruction(const Instruction& in);
  void other_numbers(const Instruction& in, const Opcode& op);
  void replace(const Instruction& in, size_t k, const Operand& other, int rank);
  // A number that multiplies stands for a block's threads, or for a part of these.
  void block_sizes(const Instruction& in, const Opcode& op);
  // In place of an operand, each variable that has the type.
  void add_variables(const Instruction& in, size_t k, const Opcode& op);
  void other_variables(const Instruction& in, const Opcode& op);
  void other_places(const Instruction& in, const Opcode& op);
  void other_operation(const Instruction& in, const Opcode& op);
  void other_order(const Instruction& in, const Opcode& op);
  // One operand is left of an operation with two.
  void one_operand(const Instruction& in, const Opcode& op);
  void regrouped(const Instruction& in, const Opcode& op);
  void store(const Instruction& in, const Opcode& op);
  // The condition's instruction comes before: it says what it is.
  void branch(const Instruction& in);

  // mutation_more.cc: something is missing.
  // Further operands of a number of this type: what is to be executed before, and the words.
  struct Further {
    Operand operand;
    std::string words;
    std::vector<Instruction> before;
    std::vector<Type> registers;
  };
  // What is computed and then used at once is only part of a value.
  bool is_whole_value(const Instruction& in, const Opcode& op) const;
  // The compiler's own copy of a loop's variable.
  bool copies(const Instruction& in, const Opcode& op) const;
  void missing(const Instruction& in, const Opcode& op);
  std::vector<Further> further(Type type, uint32_t first_register, bool products);
  // A variable times a number or another one: a distance.
  void add_products(int bytes, uint32_t reg, std::vector<Further>* all);
  Instruction made(std::string opcode, std::vector<Operand> operands);
  Further widened(const Operand& from, const std::string& name, uint32_t reg);
  Further of_special(std::string_view name, int bytes, uint32_t reg);
  static std::string type_of(Type type);
  // r = in; r = r + more
  void missing_of_result(const Instruction& in, Type type);
  // What is missing with this operand: a number is rather a factor than a term.
  static std::vector<std::pair<const char*, const char*>> operations(Type type, bool of_number);
  static std::vector<std::pair<const char*, const char*>> operations(Type type,
                                                                     const Further& more);
  // x = a op more; in(x)
  void missing_of_operand(const Instruction& in, size_t k, Type type, int rank);
  const Operand* step_of(const Instruction& condition) const;
  void turns(const Instruction& in);
  void turned_round(const Instruction& in, const Opcode& op);
  static bool is_sum(const std::string& words);
  // An operand that only has words.
  Operand worded(std::string words, const char* sign, const std::string& more);
  void missing_of_index(const Instruction& in);

  // mutation_flow.cc, mutation_guards.cc: statements are executed otherwise. How the function is
  // laid out:
  struct Loop {
    uint32_t head = 0, body = 0, end = 0;  // end: the jump back
    int line = 0;
  };
  int line_at(uint32_t i) const;  // of the student's file, else 0
  static bool is_jump(const Instruction& in);
  std::optional<uint32_t> target_of(const Instruction& in) const;
  std::vector<Loop> loops() const;
  // The stretch of one line's instructions, without jumps, that this one is in: its ends.
  std::pair<uint32_t, uint32_t> stretch(uint32_t i) const;
  Mutation phrased(uint32_t at, int rank, std::string phrase, int line);
  void put(Mutation m);
  Instruction jump(const Operand& to);
  Operand new_label(Mutation* m, uint32_t at);
  // What brings variables from where they lie in one place to where they lie in another.
  std::vector<Instruction> carried(uint32_t from, uint32_t to);
  void flow();
  void barriers();
  void further_conditions();
  struct Test {
    std::string words;                // "i < n"
    std::vector<Instruction> before;  // that set the register
  };
  // Comparisons of what there is at that place, of a register more than the function has and two
  // behind it.
  std::vector<Test> tests_at(uint32_t at);
  Instruction leave(const Operand& to, bool where_true);
  std::vector<Test> tests_of_sums(uint32_t first, uint32_t end);
  struct Decision {
    std::string words;  // of the condition
    Operand if_true, if_false;
  };
  std::optional<Decision> decision_at(uint32_t i) const;
  Mutation further_condition(uint32_t i, const Decision& is, const Test& test, bool both);
  struct Stretch {
    uint32_t first = 0, end = 0;
  };
  std::vector<Stretch> storing() const;
  Mutation guarded_store(const Stretch& s, const Test& test);
  void guarded_stores();
  void guarded_loads();
  void earlier_ends();
  uint32_t behind_moves(uint32_t at) const;
  std::string words_of_end(uint32_t now, uint32_t at, int line) const;
  std::vector<std::pair<Operand, std::string>> steps_at(uint32_t at) const;
  void repeated();
  std::vector<Instruction> brought_back(uint32_t first, uint32_t branch, uint32_t last);

  // mutation_forms.cc
  void forms();
  void other_shuffles(uint32_t call);
  std::vector<Operand> terms_of(const Instruction& sum) const;
  std::optional<std::pair<Operand, Operand>> product_of(const Operand& o) const;
  void other_terms(const Instruction& in, const Opcode& op);
  void other_factor(const Instruction& in, const std::vector<Operand>& terms, size_t t,
                    const std::pair<Operand, Operand>& product, size_t y);
  void rounded_up(uint32_t i);

  // mutation_moves.cc: statements and values in another order.
  void order();
  bool is_closed(const Stretch& s) const;
  std::vector<Stretch> statements(const std::vector<Loop>& all) const;
  static const Loop* around(const std::vector<Loop>& all, const Loop& loop);
  bool is_place(uint32_t i, const std::vector<Loop>& all) const;
  Mutation::Piece statement_at(const Stretch& s, uint32_t place);
  struct Needs {
    std::set<std::string> reads, writes;  // variables
    bool loads = false, stores = false;   // memory; both where others are waited for
  };
  Needs needs_of(uint32_t first, uint32_t end) const;
  static bool depend(const Needs& a, const Needs& b);
  bool can_stand(const Stretch& s, const Needs& needs, uint32_t place, const Needs& passed) const;
  std::string words_of_place(uint32_t place, const std::vector<Loop>& all) const;
  void moves_of(const Stretch& s, const std::vector<Loop>& all);
  void exchanged_values();
  void exchanged_dimensions();
  static std::vector<Operand> read_by(const Instruction& in);
  std::string value_name(const Operand& o) const;
  void exchange(const std::string& place, int line, const std::vector<uint32_t>& instructions,
                const std::pair<const std::string, Operand>& a,
                const std::pair<const std::string, Operand>& b);

  // mutation_data.cc: variables are kept otherwise.
  void data();
  void dropped_results();
  static bool stands_for(const Instruction& in, size_t k, int64_t value);
  std::optional<Instruction> with_number(const Instruction& in, size_t k, int64_t value);
  void named_numbers();
  void reset_variables(const Loop& loop);
  void reset_stretches(const std::vector<Loop>& loops);
  static constexpr uint32_t kBytesOfATurn = 8, kTurns = 64;
  static constexpr int64_t kMostBytes = 256;  // of an array that gets so many elements for each
  void variables_of_turns(const std::vector<Loop>& loops);
  static const Loop* innermost(const std::vector<Loop>& loops, uint32_t i);
  std::vector<Instruction> address_of_turn(Mutation* m, uint32_t counter);
  Operand element_of_turn(const Mutation& m) const;
  bool read_elements(const std::vector<Loop>& loops, const Loop* loop, const Operand& variable,
                     const std::string& counter, Mutation* m);
  std::optional<std::pair<uint32_t, int64_t>> local_array_of(const Instruction& in) const;
  void put_element_of_turn(uint32_t k, uint32_t begin, uint32_t counter, Mutation* m);
  void arrays_of_turns(const std::vector<Loop>& loops);
  void add_array_of_turns(const std::vector<uint32_t>& accesses, uint32_t set,
                          const CodeWords::Variable& counter, uint64_t bytes);
  void larger_arrays();
  std::optional<Operand> initial_value(const std::string& name, uint32_t before, int* line) const;

  Mutations& to_;
  const Module& module_;
  const std::string& file_;
  const int most_rank_;
  const Function* f_ = nullptr;
  const CodeWords* words_ = nullptr;
  uint32_t number_ = 0, at_ = 0;  // of the function, of the instruction
  std::set<int64_t> numbers_;
  std::map<std::string, Instruction> members_;   // of structures: what loads each, by its words
  std::set<std::string> tried_;                  // in place of the instruction
  std::map<std::string_view, uint32_t> labels_;  // by name: the instruction behind it
  std::set<uint32_t> label_places_;
  bool is_flat_ = true;  // blocks and threads have one dimension
  std::vector<CodeWords::Variable> variables_;
};

}  // namespace lockstep::emulator
