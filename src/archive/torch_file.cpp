#include "archive/torch_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "archive/legacy_file.h"
#include "archive/pickle_reader.h"
#include "archive/pickle_writer.h"
#include "archive/zip_reader.h"
#include "archive/zip_writer.h"
#include "core/file.h"

namespace nowhere {
namespace {

static_assert(std::endian::native == std::endian::little,
              "storages are read and written in the byte order of the memory");

constexpr std::string_view kPickle = "/data.pkl";
constexpr std::string_view kFolder = "archive";  // the folder inside; torch.load accepts any
constexpr std::string_view kVersion = "3\n", kByteOrder = "little";

constexpr std::array<uint8_t, 4> kZipMagic = {'P', 'K', 3, 4};

Failure not_an_archive(std::span<const uint8_t> file, const Failure& reason) {
  if (!std::ranges::search(file.first(std::min(file.size(), kZipMagic.size())), kZipMagic).empty())
    return Failure{
        fmt::format("it is truncated or damaged ({}); copy it again or take an earlier one", reason.reason)};
  return Failure{"it is not a file of torch.save"};
}

// The folder that holds all records.
std::optional<std::string> find_folder(const ZipReader& zip) {
  for (const std::string& name : zip.names())
    if (name.ends_with(kPickle) && name.find('/') == name.size() - kPickle.size())
      return name.substr(0, name.size() - kPickle.size());
  return std::nullopt;
}

Result<void> check_byte_order(ZipReader& zip, const std::string& folder) {
  if (!zip.has(folder + "/byteorder")) return {};  // PyTorch before 2.1
  const auto order = zip.read(folder + "/byteorder");
  if (!order) return order.error();
  if (std::string_view(reinterpret_cast<const char*>(order->data()), order->size()) == kByteOrder) return {};
  return Failure{"it was saved on a big-endian machine; load it with PyTorch on this one and save it again"};
}

std::span<const uint8_t> as_bytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

Result<void> compare(std::span<const uint8_t> file, const Pickle& pickle) {
  auto zip = ZipReader::open(file);
  if (!zip) return not_an_archive(file, zip.error());
  const std::string folder(kFolder);
  if (auto same = zip->compare(folder + std::string(kPickle), pickle.bytes); !same) return same;
  for (size_t i = 0; i < pickle.storages.size(); ++i)
    if (auto same = zip->compare(fmt::format("{}/data/{}", folder, i), pickle.storages[i]); !same)
      return same;
  const auto value = read_pickle(pickle.bytes, [&](const StorageRequest& wanted) -> Result<Storage> {
    return Storage{pickle.storages[std::stoul(wanted.key)], nullptr};
  });
  if (!value) return value.error();
  return {};
}

}  // namespace

Result<Value> read_torch_bytes(std::span<const uint8_t> file) {
  if (file.empty()) return Failure{"it is empty; take an earlier one"};
  if (is_legacy_torch_file(file)) return read_legacy_torch_bytes(file);
  auto zip = ZipReader::open(file);
  if (!zip) return not_an_archive(file, zip.error());
  const auto folder = find_folder(*zip);
  if (!folder) return Failure{"it is a zip archive, but not of torch.save: there is no data.pkl in it"};
  if (auto checked = check_byte_order(*zip, *folder); !checked) return checked.error();
  const auto pickle = zip->read(*folder + std::string(kPickle));
  if (!pickle) return pickle.error();
  std::map<std::string, Storage> storages;
  return read_pickle(*pickle, [&](const StorageRequest& wanted) -> Result<Storage> {
    const std::string& key = wanted.key;
    if (const auto known = storages.find(key); known != storages.end()) return known->second;
    auto bytes = zip->read(fmt::format("{}/data/{}", *folder, key));
    if (!bytes) return bytes.error();
    const auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(*bytes));
    return storages.emplace(key, Storage{*owner, owner}).first->second;
  });
}

Value read_torch_file(const std::filesystem::path& path) {
  const auto file = MappedFile::open(path);
  if (!file) throw data_error(file.error().reason);
  auto value = read_torch_bytes(file->bytes());
  if (!value) throw data_error(fmt::format("cannot read {}: {}", printable(path), value.error().reason));
  return std::move(*value);
}

void write_torch_file(const std::filesystem::path& path, const Value& value) {
  const Pickle pickle = write_pickle(value);
  std::vector<ZipRecord> records;
  const auto add = [&](std::string_view name, std::span<const uint8_t> bytes) {
    records.push_back({fmt::format("{}/{}", kFolder, name), bytes});
  };
  add(kPickle.substr(1), pickle.bytes);
  add("byteorder", as_bytes(kByteOrder));
  for (size_t i = 0; i < pickle.storages.size(); ++i) add(fmt::format("data/{}", i), pickle.storages[i]);
  add("version", as_bytes(kVersion));
  write_zip(path, records);
}

void check_torch_file(const std::filesystem::path& path, const Value& value) {
  const auto file = MappedFile::open(path);
  if (!file) throw Error(file.error().reason);
  if (auto same = compare(file->bytes(), write_pickle(value)); !same)
    throw Error(
        fmt::format("{} was written and cannot be read back: {}", printable(path), same.error().reason));
}

}  // namespace nowhere
