// DiffAugment of a batch on the CPU by a kernel of our own: one operator, one pass over memory.
#pragma once

#include <torch/torch.h>

namespace nowhere {

// What was drawn for each picture; undefined where nothing changes.
struct DrawnChanges {
  torch::Tensor brightness, saturation, contrast;  // [N,1,1,1]
  torch::Tensor down, right;                       // [N,1,1], whole numbers
};

// Square pictures in float32 on the CPU, of one colour or three.
bool can_change_in_one_pass(const torch::Tensor& pictures);

// pictures [N,nc,S,S] -> the same shape, channels last, plus noise of that shape, if there is any, which is
// overwritten. The gradient flows to the pictures; second derivatives are refused.
torch::Tensor change_in_one_pass(const torch::Tensor& pictures, const DrawnChanges& drawn,
                                 torch::Tensor noise = {});

}  // namespace nowhere
