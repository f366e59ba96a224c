#include "train/picture_history.h"

#include <algorithm>

#include "tensor/tensors.h"

namespace nowhere {
namespace {

bool is_entry(const TensorData& entry, const ModelConfig& model) {
  const std::vector<int64_t>& shape = entry.shape;
  return shape.size() == 4 && shape[0] >= 1 && shape[1] == model.nc && shape[2] == model.img_size &&
         shape[3] == model.img_size && !entry.repeats() &&
         (entry.dtype == Dtype::kFloat32 || entry.dtype == Dtype::kFloat16 ||
          entry.dtype == Dtype::kBfloat16);
}

}  // namespace

PictureHistory::PictureHistory(const Value* list, const ModelConfig& model) {
  if (list == nullptr || list->items() == nullptr) return;
  uint64_t bytes = 0;
  for (auto item = list->items()->rbegin(); item != list->items()->rend(); ++item) {
    const TensorData* entry = item->tensor();
    if (entry == nullptr || !is_entry(*entry, model)) continue;
    bytes += static_cast<uint64_t>(entry->count()) * sizeof(float);
    if (bytes > kMaxBytes && !entries_.empty()) break;  // before more memory is taken
    entries_.push_front(to_data(from_data(*entry).to(torch::kFloat)));
  }
}

void PictureHistory::add(const torch::Tensor& pictures) {
  entries_.push_back(to_data(pictures.to(torch::kFloat)));
  uint64_t bytes = 0;
  for (const TensorData& entry : entries_) bytes += entry.storage.size();
  for (; bytes > kMaxBytes && entries_.size() > 1; entries_.pop_front())
    bytes -= entries_.front().storage.size();
}

Value PictureHistory::value() const {
  List list;
  for (const TensorData& entry : entries_) list.items.emplace_back(entry);
  return list;
}

uint64_t PictureHistory::bytes_after(uint64_t saves, const ModelConfig& model) {
  const auto side = static_cast<uint64_t>(model.img_size);
  const uint64_t entry = kFixedVectors * static_cast<uint64_t>(model.nc) * side * side * sizeof(float);
  return entry * std::min(saves, std::max<uint64_t>(1, kMaxBytes / entry));
}

}  // namespace nowhere
