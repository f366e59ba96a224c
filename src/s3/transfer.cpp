#include "s3/transfer.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <optional>

#include "core/parallel.h"
#include "s3/digest.h"

namespace nowhere {
namespace {

// Parts of a file, each with the MD5 by which the server's copy is recognised.
class FileParts {
 public:
  FileParts(std::span<const uint8_t> bytes, uint64_t part_size, int threads)
      : bytes_(bytes), part_size_(part_size), digests_((bytes.size() + part_size - 1) / part_size) {
    parallel_for(digests_.size(), threads, [&](size_t i) { digests_[i] = md5_of(part(i)); });
  }

  size_t size() const { return digests_.size(); }
  std::span<const uint8_t> part(size_t index) const {
    const size_t begin = index * part_size_;
    return bytes_.subspan(begin, std::min<size_t>(part_size_, bytes_.size() - begin));
  }
  const Md5& digest(size_t index) const { return digests_[index]; }
  std::span<const Md5> digests() const { return digests_; }

  bool is_same(const ListedPart& listed) const {
    const auto index = static_cast<size_t>(listed.number) - 1;
    return listed.number >= 1 && index < size() && listed.size == part(index).size() &&
           listed.etag == hex_of(digests_[index]);
  }

 private:
  std::span<const uint8_t> bytes_;
  uint64_t part_size_;
  std::vector<Md5> digests_;
};

// The first failure of work that several threads do.
class FirstFailure {
 public:
  bool any() const { return failed_; }
  void set(S3Failure failure) {
    const std::lock_guard lock(mutex_);
    if (!failed_.exchange(true)) failure_ = std::move(failure);
  }
  const S3Failure& get() const { return failure_; }

 private:
  std::atomic<bool> failed_ = false;
  std::mutex mutex_;
  S3Failure failure_;
};

// Whether the same upload may be finished later.
bool may_go_on(const S3Failure& failure) {
  return failure.code.empty() ||
         (failure.fault == S3Fault::kUnwell && failure.code != "InvalidPart" &&
          failure.code != "EntityTooSmall" && failure.code != "NoSuchUpload") ||
         failure.fault == S3Fault::kCredentials || failure.fault == S3Fault::kClock;
}

// An upload in parts of one file.
class PartedUpload {
 public:
  PartedUpload(S3Client& client, const S3Url& file, const FileParts& parts, int at_once)
      : client_(client), file_(file), parts_(parts), at_once_(at_once), done_(parts.size()) {}

  S3Result<void> run() {
    if (auto found = find_or_begin(); !found) return found.error();
    auto finished = send_missing();
    if (finished) finished = complete();
    if (!finished && !may_go_on(finished.error())) std::ignore = client_.abort_upload(file_, id_);
    return finished;
  }

 private:
  // The unfinished upload with most of our parts; those that have none are of another content, and in the
  // way.
  S3Result<void> find_or_begin() {
    size_t most = 0;
    // Listing takes a permission of its own; without it every upload begins anew.
    if (const auto uploads = client_.unfinished_uploads(file_))
      for (const ListedUpload& upload : *uploads) {
        const auto listed = client_.uploaded_parts(file_, upload.id);
        if (!listed) continue;
        std::vector<std::optional<ListedPart>> ours(parts_.size());
        size_t count = 0;
        for (const ListedPart& part : *listed)
          if (parts_.is_same(part)) ours[static_cast<size_t>(part.number) - 1] = part, ++count;
        if (count == 0) std::ignore = client_.abort_upload(file_, upload.id);
        if (count <= most) continue;
        most = count;
        id_ = upload.id;
        done_ = std::move(ours);
      }
    if (most > 0) return {};
    auto begun = client_.begin_upload(file_);
    if (!begun) return begun.error();
    id_ = *begun;
    return {};
  }

  S3Result<void> send_missing() {
    std::vector<size_t> missing;
    for (size_t i = 0; i < done_.size(); ++i)
      if (!done_[i]) missing.push_back(i);
    FirstFailure failure;
    parallel_for(missing.size(), at_once_, [&](size_t item) {
      if (failure.any()) return;
      const size_t i = missing[item];
      auto sent = client_.put_part(file_, id_, static_cast<int>(i + 1), parts_.part(i), parts_.digest(i));
      if (sent)
        done_[i] = *sent;
      else
        failure.set(sent.error());
    });
    if (failure.any()) return failure.get();
    return {};
  }

  S3Result<void> complete() {
    std::vector<ListedPart> all;
    bool etags_are_md5 = true;
    for (const auto& part : done_) {
      all.push_back(*part);
      etags_are_md5 = etags_are_md5 && parts_.is_same(*part);
    }
    const std::string expected = etag_of_parts(parts_.digests());
    auto etag = client_.complete_upload(file_, id_, all);
    if (!etag && etag.error().code == "NoSuchUpload") {
      // It was completed, but the answer got lost, and the request was sent again.
      const auto there = client_.get(file_, 0, 1);
      if (there && there->etag == expected) return {};
    }
    if (!etag) return etag.error();
    if (etags_are_md5 && *etag != expected)
      return S3Failure{
          S3Fault::kDamaged,
          fmt::format("{}: the server has put other parts together than were sent; upload it again",
                      file_.text())};
    return {};
  }

  S3Client& client_;
  const S3Url& file_;
  const FileParts& parts_;
  const int at_once_;
  std::string id_;
  std::vector<std::optional<ListedPart>> done_;  // as the server has them
};

// By the ETag, where that says something of the content. Of an object in parts it does when all are of one
// size.
bool is_whole(S3Client& client, const S3Url& file, const ObjectPiece& first, std::span<const uint8_t> bytes,
              int threads) {
  if (bytes.size() != first.size) return false;
  if (!first.etag_is_md5 || first.etag.empty()) return true;
  const size_t dash = first.etag.find('-');
  if (dash == std::string::npos) return first.etag.size() != 32 || first.etag == hex_of(md5_of(bytes));
  const auto part = client.part_size(file);
  if (!part || *part > bytes.size()) return true;
  const FileParts parts(bytes, *part, threads);
  return fmt::format("{}", parts.size()) != first.etag.substr(dash + 1) ||
         etag_of_parts(parts.digests()) == first.etag;
}

S3Result<std::vector<uint8_t>> download_once(S3Client& client, const S3Url& file,
                                             const TransferSizes& sizes) {
  auto first = client.get(file, 0, sizes.part);
  if (!first) return first.error();
  std::vector<uint8_t> bytes = std::move(first->bytes);
  const uint64_t begun = bytes.size();
  if (begun < first->size) {
    bytes.resize(first->size);
    FirstFailure failure;
    const uint64_t pieces = (first->size - begun + sizes.part - 1) / sizes.part;
    parallel_for(pieces, sizes.at_once, [&](size_t i) {
      if (failure.any()) return;
      const uint64_t begin = begun + i * sizes.part, count = std::min(sizes.part, first->size - begin);
      const auto piece = client.get(file, begin, count, first->etag);
      if (!piece)
        failure.set(piece.error());
      else if (piece->bytes.size() != count)
        failure.set({S3Fault::kDamaged,
                     fmt::format("{}: a piece of it is not as long as it should be", file.text())});
      else
        std::ranges::copy(piece->bytes, bytes.begin() + static_cast<ptrdiff_t>(begin));
    });
    if (failure.any()) return failure.get();
  }
  if (!is_whole(client, file, *first, bytes, sizes.at_once))
    return S3Failure{S3Fault::kDamaged,
                     fmt::format("{}: what arrived does not fit its checksum; try again", file.text())};
  return bytes;
}

}  // namespace

uint64_t part_size_for(uint64_t file_size, const TransferSizes& sizes) {
  constexpr uint64_t kMostParts = 10'000, kStep = 1 << 20;
  const uint64_t least = (file_size + kMostParts - 1) / kMostParts;
  return std::max(sizes.part, (least + kStep - 1) / kStep * kStep);
}

std::string etag_of_parts(std::span<const Md5> parts) {
  std::vector<uint8_t> all;
  for (const Md5& part : parts) all.insert(all.end(), part.begin(), part.end());
  return fmt::format("{}-{}", hex_of(md5_of(all)), parts.size());
}

S3Result<void> upload_file(S3Client& client, const S3Url& file, std::span<const uint8_t> bytes,
                           const TransferSizes& sizes) {
  if (bytes.size() <= sizes.whole) return client.put(file, bytes);
  const FileParts parts(bytes, part_size_for(bytes.size(), sizes), sizes.at_once);
  return PartedUpload(client, file, parts, sizes.at_once).run();
}

S3Result<std::vector<uint8_t>> download_file(S3Client& client, const S3Url& file,
                                             const TransferSizes& sizes) {
  constexpr int kAttempts = 3;
  for (int attempt = 1;; ++attempt) {
    auto bytes = download_once(client, file, sizes);
    // The file may be replaced while it is read.
    if (bytes || attempt == kAttempts ||
        (bytes.error().fault != S3Fault::kDamaged && bytes.error().code != "PreconditionFailed"))
      return bytes;
  }
}

}  // namespace nowhere
