#include "gdkm/support/tensor_parts.hpp"

namespace gdkm {

void add_part(TensorFile& to, const std::string& prefix, const TensorFile& part) {
  for (const auto& [name, tensor] : part.tensors) to.tensors[prefix + name] = tensor;
  for (const auto& [name, text] : part.metadata) to.metadata[prefix + name] = text;
}

TensorFile part_of(const TensorFile& file, const std::string& prefix) {
  TensorFile out;
  for (const auto& [name, tensor] : file.tensors) {
    if (name.starts_with(prefix)) out.tensors[name.substr(prefix.size())] = tensor;
  }
  for (const auto& [name, text] : file.metadata) {
    if (name.starts_with(prefix)) out.metadata[name.substr(prefix.size())] = text;
  }
  return out;
}

}  // namespace gdkm
