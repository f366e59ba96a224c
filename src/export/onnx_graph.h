// An ONNX file of one chain of operators. Written directly, because LibTorch's exporter needs Python at run time and a
// generator takes five operators.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/proto.h"

namespace nowhere {

class OnnxGraph {
 public:
  enum class Element : int64_t { kFloat32 = 1, kInt64 = 7 };  // the format's own numbers

  OnnxGraph(const std::string& name, std::string input, const std::string& comment);

  // An operator on what the one before gave, or on the input, and on tensors; `output` names what it gives.
  void add(const std::string& operation, const std::string& output,
           const std::vector<std::string>& tensors = {}, const std::vector<ProtoMessage>& attributes = {});
  static ProtoMessage integers(const std::string& name, std::initializer_list<int64_t> values);
  static ProtoMessage number(const std::string& name, double value);

  // The bytes, lowest first, are not copied: they outlive write().
  void tensor(const std::string& name, Element type, std::span<const int64_t> shape,
              std::span<const uint8_t> bytes);

  // What the last operator gives is the model's output: any number of things of this shape.
  void finish(std::initializer_list<int64_t> shape);

  // The file is there whole, or an Error says why not.
  void write(const std::filesystem::path& path,
             std::span<const std::pair<std::string, std::string>> metadata) const;

 private:
  // All of a tensor's field but its bytes, which follow in the file.
  struct Tensor {
    std::string head;
    std::span<const uint8_t> bytes;
  };

  ProtoMessage graph_;  // without the tensors
  std::vector<Tensor> tensors_;
  std::string last_;  // the name of what the next operator works on
};

}  // namespace nowhere
