#include "exchange/onnx_graph.h"

#include <fmt/core.h>

#include <limits>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/file.h"
#include "core/text.h"

namespace nowhere {
namespace {

constexpr int64_t kIrVersion = 8;
constexpr int64_t kOperatorSet = 17;
constexpr uint64_t kLargest = std::numeric_limits<int32_t>::max();  // bytes that readers of protobuf take

// Field numbers of the messages in onnx.proto.
namespace field {
enum Model : uint32_t { kVersion = 1, kProducer = 2, kGraph = 7, kOperators = 8, kMetadata = 14 };
enum Operators : uint32_t { kDomain = 1, kOperatorsVersion = 2 };
enum Entry : uint32_t { kKey = 1, kEntryValue = 2 };
enum Graph : uint32_t { kNode = 1, kGraphName = 2, kTensor = 5, kInput = 11, kOutput = 12 };
enum Node : uint32_t { kNodeInput = 1, kNodeOutput = 2, kNodeName = 3, kOperation = 4, kAttribute = 5 };
enum Attribute : uint32_t {
  kAttributeName = 1,
  kNumber = 2,
  kInteger = 3,
  kText = 4,
  kIntegers = 8,
  kAttributeType = 20
};
enum Tensor : uint32_t { kTensorShape = 1, kTensorElement = 2, kTensorName = 8, kBytes = 9 };
enum Value : uint32_t { kValueName = 1, kType = 2, kComment = 3 };
enum Type : uint32_t { kTensorType = 1 };
enum TensorType : uint32_t { kElement = 1, kShape = 2 };
enum Shape : uint32_t { kDimension = 1 };
enum Dimension : uint32_t { kSize = 1, kAnySize = 2 };
}  // namespace field

enum AttributeIs : int64_t { kIsNumber = 1, kIsInteger = 2, kIsText = 3, kIsIntegers = 7 };

ProtoMessage attribute(const std::string& name, AttributeIs type) {
  ProtoMessage message;
  message.bytes(field::kAttributeName, name).integer(field::kAttributeType, type);
  return message;
}

ProtoMessage float_tensor() {
  return std::move(
      ProtoMessage().integer(field::kElement, static_cast<int64_t>(OnnxGraph::Element::kFloat32)));
}

ProtoMessage type_of(const ProtoMessage& tensor) {
  return std::move(ProtoMessage().message(field::kTensorType, tensor));
}

}  // namespace

OnnxGraph::OnnxGraph(const std::string& name, const std::string& input, const std::string& comment) {
  // Without a shape, of which onnx.checker disapproves: onnxruntime holds an input to the number of
  // dimensions that the file declares, and z may have two or four.
  const ProtoMessage value = ProtoMessage()
                                 .bytes(field::kValueName, input)
                                 .message(field::kType, type_of(float_tensor()))
                                 .bytes(field::kComment, comment);
  graph_.bytes(field::kGraphName, name).message(field::kInput, value);
}

void OnnxGraph::add(const std::string& operation, const std::string& output,
                    const std::vector<std::string>& inputs, const std::vector<ProtoMessage>& attributes) {
  ProtoMessage node;
  for (const std::string& input : inputs) node.bytes(field::kNodeInput, input);
  node.bytes(field::kNodeOutput, output).bytes(field::kNodeName, output);
  node.bytes(field::kOperation, operation);
  for (const ProtoMessage& attribute : attributes) node.message(field::kAttribute, attribute);
  graph_.message(field::kNode, node);
}

ProtoMessage OnnxGraph::integer(const std::string& name, int64_t value) {
  return std::move(attribute(name, kIsInteger).integer(field::kInteger, value));
}

ProtoMessage OnnxGraph::integers(const std::string& name, std::initializer_list<int64_t> values) {
  ProtoMessage message = attribute(name, kIsIntegers);
  for (const int64_t value : values) message.integer(field::kIntegers, value);
  return message;
}

ProtoMessage OnnxGraph::number(const std::string& name, double value) {
  return std::move(attribute(name, kIsNumber).single(field::kNumber, static_cast<float>(value)));
}

ProtoMessage OnnxGraph::text(const std::string& name, const std::string& value) {
  return std::move(attribute(name, kIsText).bytes(field::kText, value));
}

void OnnxGraph::tensor(const std::string& name, Element type, std::span<const int64_t> shape,
                       std::span<const uint8_t> bytes) {
  ProtoMessage tensor;
  for (const int64_t size : shape) tensor.integer(field::kTensorShape, size);
  tensor.integer(field::kTensorElement, static_cast<int64_t>(type)).bytes(field::kTensorName, name);
  tensor.field_header(field::kBytes, bytes.size());
  const ProtoMessage head = ProtoMessage().field_header(field::kTensor, tensor.data().size() + bytes.size());
  tensors_.push_back({head.data() + tensor.data(), bytes});
}

void OnnxGraph::finish(const std::string& output, std::initializer_list<int64_t> shape) {
  ProtoMessage dimensions;
  dimensions.message(field::kDimension, ProtoMessage().bytes(field::kAnySize, "N"));
  for (const int64_t size : shape)
    dimensions.message(field::kDimension, ProtoMessage().integer(field::kSize, size));
  const ProtoMessage tensor = float_tensor().message(field::kShape, dimensions);
  graph_.message(field::kOutput,
                 ProtoMessage().bytes(field::kValueName, output).message(field::kType, type_of(tensor)));
}

void OnnxGraph::write(const std::filesystem::path& path,
                      std::span<const std::pair<std::string, std::string>> metadata) const {
  ProtoMessage model;
  model.integer(field::kVersion, kIrVersion).bytes(field::kProducer, "nowhere");
  model.message(field::kOperators,
                ProtoMessage().bytes(field::kDomain, "").integer(field::kOperatorsVersion, kOperatorSet));
  for (const auto& [key, value] : metadata)
    model.message(field::kMetadata, ProtoMessage().bytes(field::kKey, key).bytes(field::kEntryValue, value));
  uint64_t size = graph_.data().size();
  for (const Tensor& tensor : tensors_) size += tensor.head.size() + tensor.bytes.size();
  model.field_header(field::kGraph, size);
  size += model.data().size();
  if (size > kLargest)
    throw Error(
        fmt::format("cannot write {}: it would take {}, and ONNX ends at 2 GB; "
                    "give a path that ends in .ts or .safetensors",
                    printable(path), human_bytes(size)));
  AtomicFile file(path);
  file.write(model.data().data(), model.data().size());
  file.write(graph_.data().data(), graph_.data().size());
  for (const Tensor& tensor : tensors_) {
    file.write(tensor.head.data(), tensor.head.size());
    file.write(tensor.bytes.data(), tensor.bytes.size());
  }
  file.commit();
}

}  // namespace nowhere
