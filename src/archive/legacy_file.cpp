#include "archive/legacy_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "archive/pickle_reader.h"
#include "core/text.h"

namespace nowhere {
namespace {

using Rest = std::span<const uint8_t>;

// The end of the first pickle: an integer of ten bytes, and a stop. What precedes it depends on the protocol.
constexpr std::array<uint8_t, 13> kMagic = {0x8a, 0x0a, 0x6c, 0xfc, 0x9c, 0x46, 0xf9,
                                            0x20, 0x6a, 0xa8, 0x50, 0x19, '.'};
constexpr size_t kMagicWithin = 32;
constexpr int64_t kLegacyVersion = 1001;

// What follows the first pickle; empty when it is not there.
Rest after_magic(std::span<const uint8_t> file) {
  const auto head = file.first(std::min(file.size(), kMagicWithin));
  const auto found = std::ranges::search(head, kMagic);
  return found.empty() ? Rest() : file.subspan(static_cast<size_t>(found.end() - head.begin()));
}

Result<Storage> no_storage(const StorageRequest&) {
  return Failure{"it has a tensor in its header"};
}

// The second and third pickle: a version, and what the machine was like.
Result<void> check_header(Rest& rest) {
  const auto version = take_pickle(rest, no_storage);
  if (!version) return version.error();
  if (version->integer() != kLegacyVersion)
    return Failure{fmt::format("its format is not {}, the one that PyTorch had before 1.6", kLegacyVersion)};
  const auto machine = take_pickle(rest, no_storage);
  if (!machine) return machine.error();
  const Value* little = machine->find("little_endian");
  if (little != nullptr && little->boolean() == false)
    return Failure{
        "it was saved on a big-endian machine; load it with PyTorch on this one and save it again"};
  return {};
}

// Where the storages lie, by their keys: each after its number of elements, in the order of a list of keys.
Result<std::map<std::string, Storage>> read_storages(Rest rest, const std::map<std::string, size_t>& sizes) {
  const auto keys = take_pickle(rest, no_storage);
  if (!keys) return keys.error();
  if (keys->items() == nullptr) return Failure{"its list of storages is missing"};
  std::map<std::string, Storage> storages;
  for (const Value& key : *keys->items()) {
    const std::string* name = key.text();
    const auto size = name != nullptr ? sizes.find(*name) : sizes.end();
    if (size == sizes.end()) return Failure{"its list of storages names one that no tensor has"};
    constexpr size_t kCountBytes = 8;  // the tensors have told the size already
    if (rest.size() < kCountBytes || rest.size() - kCountBytes < size->second)
      return Failure{"it is truncated; copy it again or take an earlier one"};
    const Rest bytes = rest.subspan(kCountBytes, size->second);
    const auto owner = std::make_shared<const std::vector<uint8_t>>(bytes.begin(), bytes.end());
    storages[*name] = {*owner, owner};
    rest = rest.subspan(kCountBytes + size->second);
  }
  return storages;
}

}  // namespace

bool is_legacy_torch_file(std::span<const uint8_t> file) {
  return !after_magic(file).empty();
}

// The storages come last, and how long each is only the tensors say. So the object is read twice: first for
// the sizes, with any bytes in place of the right ones.
Result<Value> read_legacy_torch_bytes(std::span<const uint8_t> file) {
  Rest rest = after_magic(file);
  if (auto checked = check_header(rest); !checked) return checked.error();
  const Rest object = rest;
  std::map<std::string, size_t> sizes;
  const auto measured = take_pickle(rest, [&](const StorageRequest& wanted) -> Result<Storage> {
    if (wanted.bytes > file.size()) return Failure{"it is truncated; copy it again or take an earlier one"};
    const auto [known, is_new] = sizes.emplace(wanted.key, wanted.bytes);
    if (!is_new && known->second != wanted.bytes)
      return Failure{
          fmt::format("two tensors disagree on how long storage {} is", printable_text(wanted.key))};
    return Storage{file.first(wanted.bytes), nullptr};
  });
  if (!measured) return measured.error();
  const auto storages = read_storages(rest, sizes);
  if (!storages) return storages.error();
  rest = object;
  return take_pickle(rest, [&](const StorageRequest& wanted) -> Result<Storage> {
    const auto found = storages->find(wanted.key);
    if (found == storages->end())
      return Failure{fmt::format("storage {} is missing", printable_text(wanted.key))};
    return found->second;
  });
}

}  // namespace nowhere
