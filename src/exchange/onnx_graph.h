// An ONNX file of a graph of operators. Written directly, because LibTorch's exporter needs Python at run
// time and a generator takes a handful of operators.
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

  OnnxGraph(const std::string& name, const std::string& input, const std::string& comment);

  // An operator on outputs of earlier ones, the input, or tensors, all by name; an empty name leaves an input
  // out.
  void add(const std::string& operation, const std::string& output, const std::vector<std::string>& inputs,
           const std::vector<ProtoMessage>& attributes = {});
  static ProtoMessage integer(const std::string& name, int64_t value);
  static ProtoMessage integers(const std::string& name, std::initializer_list<int64_t> values);
  static ProtoMessage number(const std::string& name, double value);
  static ProtoMessage text(const std::string& name, const std::string& value);

  // The bytes, lowest first, are not copied: they outlive write().
  void tensor(const std::string& name, Element type, std::span<const int64_t> shape,
              std::span<const uint8_t> bytes);

  // Names the model's output: any number of things of this shape.
  void finish(const std::string& output, std::initializer_list<int64_t> shape);

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
};

}  // namespace nowhere
