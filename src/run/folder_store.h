// A folder as a store of files.
#pragma once

#include <filesystem>

#include "run/store.h"

namespace nowhere {

class FolderStore : public Store {
 public:
  explicit FolderStore(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::vector<StoredFile> list() const override;
  Result<StoredBytes> read(const std::string& name) const override;
  void write(const std::string& name, std::span<const uint8_t> bytes) override;
  void remove(const std::string& name) override;
  std::optional<uint64_t> stamp(const std::string& name) const override;
  std::string location(const std::string& name = "") const override;

 private:
  std::filesystem::path folder_;
};

}  // namespace nowhere
