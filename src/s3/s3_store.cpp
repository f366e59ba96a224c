#include "s3/s3_store.h"

#include <fmt/core.h>

#include "core/hash.h"
#include "s3/curl_client.h"

namespace nowhere {
namespace {

uint64_t stamp_of_object(const std::string& name, const std::string& etag, uint64_t size) {
  return hash64(fmt::format("{} {} {}", name, etag, size));
}

}  // namespace

S3Store::S3Store(S3Url folder, const Environment& environment, const std::function<bool()>& stopped,
                 TransferSizes sizes)
    : folder_(std::move(folder)), sizes_(sizes) {
  const S3Settings settings = S3Settings::read(environment);
  http_ = std::make_unique<CurlClient>(stopped, settings.certificates);
  credentials_ = std::make_unique<CredentialChain>(environment, settings, *http_);
  client_ =
      std::make_unique<S3Client>(settings, *http_, *credentials_, make_retry(settings.attempts, stopped));
}

std::vector<StoredFile> S3Store::list() const {
  const size_t folder = folder_.path.empty() ? 0 : folder_.path.size() + 1;
  std::vector<StoredFile> files;
  for (const ListedObject& object : client_->list(folder_).value()) {
    if (object.key.size() <= folder) continue;  // what consoles make to show an empty folder
    std::string name = object.key.substr(folder);
    const uint64_t stamp = stamp_of_object(name, object.etag, object.size);
    files.push_back({std::move(name), stamp});
  }
  return files;
}

Result<StoredBytes> S3Store::read(const std::string& name) const {
  auto bytes = download_file(*client_, folder_.below(name), sizes_);
  if (!bytes && bytes.error().fault == S3Fault::kNoKey) return Failure{bytes.error().reason};
  const auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(bytes).value());
  return StoredBytes{*owner, owner};
}

void S3Store::write(const std::string& name, std::span<const uint8_t> bytes) {
  upload_file(*client_, folder_.below(name), bytes, sizes_).value();
}

void S3Store::remove(const std::string& name) {
  client_->remove(folder_.below(name)).value();
}

std::optional<uint64_t> S3Store::stamp(const std::string& name) const {
  const auto piece = client_->get(folder_.below(name), 0, 1);
  if (!piece && piece.error().fault == S3Fault::kNoKey) return std::nullopt;
  return stamp_of_object(name, piece.value().etag, piece->size);
}

std::string S3Store::location(const std::string& name) const {
  return name.empty() ? folder_.text() : folder_.below(name).text();
}

S3Result<void> S3Store::check_writing(const std::string& name) const {
  const S3Url file = folder_.below(name);
  const auto id = client_->begin_upload(file);
  if (!id) return id.error();
  std::ignore = client_->abort_upload(file, *id);
  return {};
}

}  // namespace nowhere
