#include "archive/pickle_stack.h"

#include <fmt/core.h>

namespace nowhere {

bool PickleStack::has(const OpRow& row) const {
  size_t top = stack_.size();
  size_t marks = marks_.size();
  if (row.mark) {
    if (marks == 0) return false;
    top = marks_[--marks];
  }
  const size_t bottom = marks > 0 ? marks_[marks - 1] : 0;
  return row.needs <= top - bottom;
}

void PickleStack::replace(size_t count, Ref made) {
  stack_.resize(stack_.size() - count);
  stack_.push_back(made);
}

size_t PickleStack::pop_mark() {
  const size_t height = marks_.back();
  marks_.pop_back();
  return height;
}

void PickleStack::collect(size_t from, bool tuple) {
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(from);
  PickleGraph::Sequence sequence{.tuple = tuple, .items = {first, stack_.end()}};
  stack_.resize(from);
  push(std::move(sequence));
}

Result<void> PickleStack::append_to(size_t list_at) {
  auto* list = graph_.get<PickleGraph::Sequence>(stack_[list_at]);
  if (list == nullptr || list->tuple) return Failure{"something is appended to what is not a list"};
  list->items.insert(list->items.end(), stack_.begin() + static_cast<std::ptrdiff_t>(list_at) + 1,
                     stack_.end());
  stack_.resize(list_at + 1);
  return {};
}

Result<void> PickleStack::set_in(size_t dict_at) {
  auto* dict = graph_.get<PickleGraph::Mapping>(stack_[dict_at]);
  if (dict == nullptr) return Failure{"an item is set in what is not a dict"};
  if ((stack_.size() - dict_at) % 2 == 0) return Failure{"a key has no value"};
  for (size_t i = dict_at + 1; i < stack_.size(); i += 2)
    dict->entries.emplace_back(stack_[i], stack_[i + 1]);
  stack_.resize(dict_at + 1);
  return {};
}

Result<void> PickleStack::drop_attributes() {
  const auto* dict = graph_.get<PickleGraph::Mapping>(top(1));
  if (dict == nullptr || !dict->ordered) return Failure{"attributes are set on what is not an OrderedDict"};
  stack_.pop_back();
  return {};
}

Result<void> PickleStack::get(uint64_t number) {
  const auto found = memo_.find(number);
  if (found == memo_.end()) return Failure{fmt::format("it refers to object {}, which is not there", number)};
  stack_.push_back(found->second);
  return {};
}

}  // namespace nowhere
