// What opcodes work on: a stack of objects, marks in it, and the memo of objects seen before. The failures
// are those of a damaged pickle. The functions rely on has() having been asked first.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "archive/pickle_format.h"
#include "archive/pickle_graph.h"
#include "core/error.h"

namespace nowhere {

class PickleStack {
 public:
  using Ref = PickleGraph::Ref;

  // Whether the opcode finds what it needs.
  bool has(const OpRow& row) const;
  // Whether there are more objects than any checkpoint has.
  bool too_large() const { return graph_.size() > kMaxValues || memo_.size() > kMaxValues; }

  PickleGraph& graph() { return graph_; }
  Ref top(size_t depth = 0) const { return stack_[stack_.size() - 1 - depth]; }

  void push(PickleGraph::Node node) { stack_.push_back(graph_.add(std::move(node))); }
  void push_mark() { marks_.push_back(stack_.size()); }
  // Replaces the `count` objects on top by one.
  void replace(size_t count, Ref made);

  // The `count` objects on top, or all above the last mark, become a tuple or a list.
  void make_tuple(size_t count) { collect(stack_.size() - count, true); }
  void make_tuple_from_mark() { collect(pop_mark(), true); }
  void make_list_from_mark() { collect(pop_mark(), false); }

  // Moves the object on top, or all above the last mark, into the list or dict below.
  Result<void> append() { return append_to(stack_.size() - 2); }
  Result<void> append_from_mark() { return append_to(pop_mark() - 1); }
  Result<void> set_item() { return set_in(stack_.size() - 3); }
  Result<void> set_items_from_mark() { return set_in(pop_mark() - 1); }
  // The attributes of a state dict are its modules' versions, which do not matter to the values.
  Result<void> drop_attributes();

  void put(uint64_t number) { memo_[number] = stack_.back(); }
  void memoize() { put(memo_.size()); }
  Result<void> get(uint64_t number);

 private:
  size_t pop_mark();
  void collect(size_t from, bool tuple);
  Result<void> append_to(size_t list_at);
  Result<void> set_in(size_t dict_at);

  PickleGraph graph_;
  std::vector<Ref> stack_;
  std::vector<size_t> marks_;  // heights of the stack
  std::unordered_map<uint64_t, Ref> memo_;
};

}  // namespace nowhere
