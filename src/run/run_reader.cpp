#include "run/run_reader.h"

#include <fmt/core.h>

#include <algorithm>

#include "archive/torch_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/json.h"
#include "run/folder_store.h"

namespace nowhere {
namespace {

namespace fs = std::filesystem;

struct Found {
  CheckpointName name;
  CheckpointFile file;
};

// In the order of progress; of the same progress the slim one last.
std::vector<Found> checkpoints_of(const Store& store) {
  std::vector<Found> found;
  for (StoredFile& file : store.list())
    if (const auto name = CheckpointName::parse(file.name))
      found.push_back({*name, {std::move(file.name), name->epoch, file.stamp}});
  std::ranges::sort(found, {}, &Found::name);
  return found;
}

std::string epoch_list(const std::vector<CheckpointFile>& epochs) {
  if (epochs.empty()) return "none";
  if (epochs.size() == 1) return fmt::format("{}", epochs.front().epoch);
  return fmt::format("{} of them, from {} to {}", epochs.size(), epochs.front().epoch, epochs.back().epoch);
}

bool lacks_weights(const Value& checkpoint) {
  const Value* state = checkpoint.find("G_state_dict");
  return state != nullptr && state->dict() == nullptr;
}

}  // namespace

RunReader RunReader::open(const fs::path& path) {
  if (!fs::exists(path))
    throw data_error(
        fmt::format("{} does not exist; give a run directory or a checkpoint (.pt)", printable(path)));
  const fs::path full = fs::canonical(path);
  if (fs::is_directory(full)) return {std::make_shared<FolderStore>(path), printable(full.filename())};
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  return {std::make_shared<FolderStore>(folder), printable(full.stem()), path.filename().string()};
}

RunReader::RunReader(std::shared_ptr<Store> store, std::string name, std::optional<std::string> only)
    : store_(std::move(store)), name_(std::move(name)), only_(std::move(only)) {}

std::vector<CheckpointFile> RunReader::epochs() const {
  std::vector<CheckpointFile> epochs;
  if (only_) return epochs;
  for (Found& found : checkpoints_of(*store_)) {
    if (found.name.within_epoch()) continue;
    if (!epochs.empty() && epochs.back().epoch == found.name.epoch) epochs.pop_back();
    epochs.push_back(std::move(found.file));
  }
  return epochs;
}

CheckpointFile RunReader::find(std::optional<uint64_t> epoch) const {
  if (only_) {
    if (epoch)
      throw usage_error(fmt::format("{} is one checkpoint; an epoch can be chosen of a run directory",
                                    store_->location(*only_)));
    const auto name = CheckpointName::parse(*only_);
    return {*only_, name ? name->epoch : 0, store_->stamp(*only_).value_or(0)};
  }
  if (!epoch) {
    std::vector<Found> all = checkpoints_of(*store_);
    if (!all.empty()) return std::move(all.back().file);
    throw data_error(
        fmt::format("{} holds no checkpoint; give a run directory or a .pt file", store_->location()));
  }
  const std::vector<CheckpointFile> all = epochs();
  const auto found = std::ranges::find(all, *epoch, &CheckpointFile::epoch);
  if (found == all.end())
    throw data_error(fmt::format("{} holds no checkpoint of epoch {}; there are: {}", store_->location(),
                                 *epoch, epoch_list(all)));
  return *found;
}

Value RunReader::read_value(const CheckpointFile& file) const {
  const auto content = store_->read(file.name);
  if (!content) throw data_error(content.error().reason);
  auto value = read_torch_bytes(content->bytes);
  if (!value) throw data_error(fmt::format("cannot read {}: {}", location(file), value.error().reason));
  return std::move(*value);
}

RunReader::Content RunReader::read(const CheckpointFile& file) const {
  Value value = read_value(file);
  if (value.find("G_state_dict") == nullptr)
    throw data_error(fmt::format("{} holds no G_state_dict: it is not a checkpoint", location(file)));
  const auto name = CheckpointName::parse(file.name);
  if (!lacks_weights(value) || !name || !name->slim) return {file, std::move(value)};
  const auto full = full_beside(file);
  if (!full)
    throw data_error(
        fmt::format("{} holds a number in place of the generator's weights, a known fault of the reference; "
                    "put {} beside it, or give that file",
                    location(file), CheckpointName{.epoch = name->epoch}.file_name()));
  return {*full, read_value(*full)};
}

RunReader::Content RunReader::read_full(const CheckpointFile& file) const {
  return read(full_beside(file).value_or(file));
}

// The full checkpoint of a slim one's epoch; nothing when there is none, or when the file is no slim one.
std::optional<CheckpointFile> RunReader::full_beside(const CheckpointFile& file) const {
  auto name = CheckpointName::parse(file.name);
  if (!name || !name->slim) return std::nullopt;
  name->slim = false;
  const auto stamp = store_->stamp(name->file_name());
  if (!stamp) return std::nullopt;
  return CheckpointFile{name->file_name(), name->epoch, *stamp};
}

std::optional<boost::json::object> RunReader::config() const {
  try {
    const auto content = store_->read("config.json");
    if (!content) return std::nullopt;
    const std::string_view text(reinterpret_cast<const char*>(content->bytes.data()), content->bytes.size());
    return parse_json_object(text, store_->location("config.json"));
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::string RunReader::trained_on() const {
  const auto json = config();
  const auto* data = json ? json->if_contains("dataroot") : nullptr;
  if (data == nullptr || !data->is_string()) return "";
  return printable(fs::path(data->as_string().c_str()).lexically_normal().filename());
}

std::optional<std::string> RunReader::data_digest() const {
  const std::vector<Found> all = checkpoints_of(*store_);
  const auto newest = std::find_if(all.rbegin(), all.rend(), [&](const Found& found) {
    return !found.name.slim && (!only_ || found.file.name == *only_);
  });
  if (newest == all.rend()) return std::nullopt;
  try {
    const Value checkpoint = read_value(newest->file);
    const Value* loader = checkpoint.find("loader");
    const Value* digest = loader != nullptr ? loader->find("data_digest") : nullptr;
    if (digest != nullptr && digest->text() != nullptr) return *digest->text();
  } catch (const Error&) {  // damaged: then it says nothing
  }
  return std::nullopt;
}

}  // namespace nowhere
