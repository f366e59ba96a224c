#include "archive/pickle_reader.h"

#include <fmt/core.h>

#include <array>
#include <bit>

#include "archive/pickle_calls.h"
#include "archive/pickle_format.h"
#include "archive/pickle_graph.h"
#include "archive/pickle_stack.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr uint64_t kNewestProtocol = 5;

std::string_view as_text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

uint64_t little_endian(std::span<const uint8_t> bytes) {
  uint64_t number = 0;
  for (size_t i = bytes.size(); i-- > 0;) number = number << 8 | bytes[i];
  return number;
}

// Executes one opcode after the other.
class Machine {
 public:
  Machine(std::span<const uint8_t> pickle, const FindStorage& find_storage)
      : pickle_(pickle), find_storage_(find_storage) {}

  Result<Value> run();
  size_t end() const { return at_; }  // behind the last opcode

 private:
  Result<OpRow> fetch();
  Result<void> execute(Op op);
  Result<void> execute_on_stack(Op op);

  Result<void> push(PickleGraph::Node node) {
    stack_.push(std::move(node));
    return {};
  }
  Result<void> push_long();
  Result<void> push_global(std::string_view module, std::string_view name);
  Result<void> read_global();
  Result<void> stack_global();
  Result<void> replace(size_t count, const Result<PickleGraph::Ref>& made);

  Failure damaged(std::string_view what) const {
    return Failure{fmt::format("its pickle is damaged at byte {}: {}", at_, what)};
  }

  std::span<const uint8_t> pickle_;
  const FindStorage& find_storage_;
  PickleStack stack_;
  size_t at_ = 0;
  uint64_t operand_ = 0;              // of the current opcode
  std::span<const uint8_t> payload_;  // of the current opcode
};

Result<Value> Machine::run() {
  while (true) {
    const auto row = fetch();
    if (!row) return row.error();
    if (row->op == Op::kStop) return stack_.graph().unfold(stack_.top());
    if (auto done = execute(row->op); !done) return done.error();
    if (stack_.too_large())
      return Failure{
          fmt::format("it has more than {} values, which no checkpoint does", with_commas(kMaxValues))};
  }
}

// The next opcode, once everything that it needs is known to be there.
Result<OpRow> Machine::fetch() {
  if (at_ == pickle_.size()) return damaged("it has no end");
  const OpRow* row = find_op(pickle_[at_]);
  if (row == nullptr)
    return damaged(fmt::format("0x{:02x} is not an opcode that torch.save writes", pickle_[at_]));
  ++at_;
  if (row->operand > pickle_.size() - at_) return damaged("it is cut off");
  operand_ = little_endian(pickle_.subspan(at_, row->operand));
  at_ += row->operand;
  if (row->payload) {
    if (operand_ > pickle_.size() - at_) return damaged("it is cut off");
    payload_ = pickle_.subspan(at_, static_cast<size_t>(operand_));
    at_ += payload_.size();
  }
  if (!stack_.has(*row)) return damaged("its stack is too short");
  return *row;
}

Result<void> Machine::execute(Op op) {
  switch (op) {
    case Op::kProto:
      if (operand_ > kNewestProtocol) return Failure{fmt::format("its pickle has protocol {}", operand_)};
      return {};
    case Op::kFrame:
      return {};
    case Op::kNone:
      return push(std::monostate());
    case Op::kTrue:
      return push(true);
    case Op::kFalse:
      return push(false);
    case Op::kInt1:
    case Op::kInt2:
      return push(static_cast<int64_t>(operand_));
    case Op::kInt4:
      return push(int64_t{static_cast<int32_t>(operand_)});
    case Op::kLong1:
    case Op::kLong4:
      return push_long();
    case Op::kFloat:
      return push(std::bit_cast<double>(__builtin_bswap64(operand_)));
    case Op::kText1:
    case Op::kText4:
    case Op::kText8:
      return push(as_text(payload_));
    case Op::kBytes1:
    case Op::kBytes4:
    case Op::kBytes8:
    case Op::kBytearray8:
      return push(PickleGraph::RawBytes{payload_});
    case Op::kEmptyList:
    case Op::kEmptySet:
      return push(PickleGraph::Sequence{.tuple = false, .items = {}});
    case Op::kEmptyDict:
      return push(PickleGraph::Mapping{.ordered = false, .entries = {}});
    case Op::kGlobal:
      return read_global();
    case Op::kStackGlobal:
      return stack_global();
    case Op::kReduce:
      return replace(2, call_global(stack_.graph(), stack_.top(1), stack_.top()));
    case Op::kPersistentId:
      return replace(1, load_storage(stack_.graph(), stack_.top(), find_storage_));
    default:
      if (auto done = execute_on_stack(op); !done) return damaged(done.error().reason);
      return {};
  }
}

Result<void> Machine::execute_on_stack(Op op) {
  switch (op) {
    case Op::kMark:
      stack_.push_mark();
      return {};
    case Op::kEmptyTuple:
      stack_.make_tuple(0);
      return {};
    case Op::kTuple1:
      stack_.make_tuple(1);
      return {};
    case Op::kTuple2:
      stack_.make_tuple(2);
      return {};
    case Op::kTuple3:
      stack_.make_tuple(3);
      return {};
    case Op::kTuple:
      stack_.make_tuple_from_mark();
      return {};
    case Op::kFrozenSet:
      stack_.make_list_from_mark();
      return {};
    case Op::kAppend:
      return stack_.append();
    case Op::kAppends:
    case Op::kAddItems:
      return stack_.append_from_mark();
    case Op::kSetItem:
      return stack_.set_item();
    case Op::kSetItems:
      return stack_.set_items_from_mark();
    case Op::kBuild:
      return stack_.drop_attributes();
    case Op::kPut1:
    case Op::kPut4:
      stack_.put(operand_);
      return {};
    case Op::kMemoize:
      stack_.memoize();
      return {};
    case Op::kGet1:
    case Op::kGet4:
      return stack_.get(operand_);
    default:
      return Failure{"an opcode out of place"};
  }
}

// An integer of any length; checkpoints have none of more than 64 bits.
Result<void> Machine::push_long() {
  if (payload_.size() > sizeof(int64_t)) return Failure{"it holds an integer of more than 64 bits"};
  if (payload_.empty()) return push(int64_t{0});
  const auto unused = static_cast<int>(64 - 8 * payload_.size());
  return push(static_cast<int64_t>(little_endian(payload_) << unused) >> unused);  // with its sign
}

Result<void> Machine::push_global(std::string_view module, std::string_view name) {
  const auto found = find_global(module, name);
  if (found) return push(*found);
  return Failure{
      fmt::format("it asks for {}.{}, which is not in the list of what a checkpoint may hold; "
                  "nothing was executed; save state dicts and plain values only",
                  printable_text(module.substr(0, 80)), printable_text(name.substr(0, 80)))};
}

// Two lines of text: the module and the name.
Result<void> Machine::read_global() {
  std::array<std::string_view, 2> lines;
  for (std::string_view& line : lines) {
    const std::string_view rest = as_text(pickle_.subspan(at_));
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return damaged("it is cut off");
    line = rest.substr(0, end);
    at_ += end + 1;
  }
  return push_global(lines[0], lines[1]);
}

Result<void> Machine::stack_global() {
  const auto* module = stack_.graph().get<std::string_view>(stack_.top(1));
  const auto* name = stack_.graph().get<std::string_view>(stack_.top());
  if (module == nullptr || name == nullptr) return damaged("a name is not text");
  if (auto pushed = push_global(*module, *name); !pushed) return pushed;
  stack_.replace(3, stack_.top());
  return {};
}

Result<void> Machine::replace(size_t count, const Result<PickleGraph::Ref>& made) {
  if (!made) return made.error();
  stack_.replace(count, *made);
  return {};
}

}  // namespace

Result<Value> read_pickle(std::span<const uint8_t> pickle, const FindStorage& find_storage) {
  return Machine(pickle, find_storage).run();
}

Result<Value> take_pickle(std::span<const uint8_t>& rest, const FindStorage& find_storage) {
  Machine machine(rest, find_storage);
  auto value = machine.run();
  rest = rest.subspan(machine.end());
  return value;
}

}  // namespace nowhere
