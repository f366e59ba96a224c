// A place in a bucket as a store of files.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/environment.h"
#include "run/store.h"
#include "s3/client.h"
#include "s3/transfer.h"
#include "s3/url.h"

namespace nowhere {

class S3Store : public Store {
 public:
  // Requests in progress are given up when `stopped` says so. Asks for nothing yet; throws a usage error for
  // variables of the environment that make no sense.
  S3Store(S3Url folder, const Environment& environment, const std::function<bool()>& stopped,
          TransferSizes sizes = {});

  // Unlike those of a folder, these throw an Error when the bucket is missing or cannot be read.
  std::vector<StoredFile> list() const override;
  Result<StoredBytes> read(const std::string& name) const override;
  void write(const std::string& name, std::span<const uint8_t> bytes) override;
  void remove(const std::string& name) override;
  std::optional<uint64_t> stamp(const std::string& name) const override;
  std::string location(const std::string& name = "") const override;

  // Whether a file of this name might be written; nothing is.
  S3Result<void> check_writing(const std::string& name) const;

 private:
  S3Url folder_;
  TransferSizes sizes_;
  std::unique_ptr<WebClient> http_;  // the next two use what stands before them
  std::unique_ptr<CredentialChain> credentials_;
  std::unique_ptr<S3Client> client_;
};

}  // namespace nowhere
