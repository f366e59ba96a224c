// The requests of S3 that a store of files needs, for one bucket. Each is repeated while that may help.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "s3/credential_chain.h"
#include "s3/digest.h"
#include "s3/failure.h"
#include "s3/retry.h"
#include "s3/settings.h"
#include "s3/url.h"
#include "s3/web.h"
#include "s3/xml.h"

namespace nowhere {

// A piece of an object, and what the server says of the whole.
struct ObjectPiece {
  std::vector<uint8_t> bytes;
  uint64_t size = 0;         // of the whole object
  std::string etag;          // without quotes
  std::string modified;      // as the server spells it
  bool etag_is_md5 = false;  // of the content; for an object of several parts, of the parts' MD5s
};

// Any thread. What is passed outlives it.
class S3Client {
 public:
  S3Client(S3Settings settings, WebClient& http, CredentialChain& credentials, Retry retry);

  // All files below `folder`, without those in folders below it.
  S3Result<std::vector<ListedObject>> list(const S3Url& folder);
  // Bytes [begin, begin + count), or fewer at the end of the object. With an ETag only if it is still the
  // object's.
  S3Result<ObjectPiece> get(const S3Url& file, uint64_t begin, uint64_t count, const std::string& etag = "");
  // The size of the first part of an object that was uploaded in several; nothing where the server does not
  // say.
  std::optional<uint64_t> part_size(const S3Url& file);
  S3Result<void> put(const S3Url& file, std::span<const uint8_t> bytes);
  S3Result<void> remove(const S3Url& file);  // of what is not there too

  S3Result<std::string> begin_upload(const S3Url& file);                      // its id
  S3Result<std::vector<ListedUpload>> unfinished_uploads(const S3Url& file);  // of exactly this file
  S3Result<std::vector<ListedPart>> uploaded_parts(const S3Url& file, const std::string& id);
  S3Result<ListedPart> put_part(const S3Url& file, const std::string& id, int number,
                                std::span<const uint8_t> bytes, const Md5& md5);
  S3Result<std::string> complete_upload(const S3Url& file, const std::string& id,
                                        const std::vector<ListedPart>& parts);  // the ETag of the object
  S3Result<void> abort_upload(const S3Url& file, const std::string& id);

 private:
  struct Call {
    std::string method;
    const S3Url& place;
    std::vector<std::pair<std::string, std::string>> query = {};
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::span<const uint8_t> body = {};
    std::chrono::seconds at_least{0};  // of patience
  };
  S3Result<WebReply> call(const Call& call);
  WebReply send(const Call& call);
  bool take_region_from(const WebReply& reply);
  std::string region();
  std::string server_of(const S3Url& place);
  template <class T>
  S3Result<T> understood(const S3Url& place, Result<T> answer);

  const S3Settings settings_;
  WebClient& http_;
  CredentialChain& credentials_;
  const Retry retry_;
  std::mutex mutex_;    // guards region_
  std::string region_;  // the bucket's, as far as known
};

}  // namespace nowhere
