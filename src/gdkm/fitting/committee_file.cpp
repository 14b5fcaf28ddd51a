#include "gdkm/fitting/committee_file.hpp"

#include "gdkm/fitting/model_file.hpp"
#include "gdkm/support/tensor_parts.hpp"

namespace gdkm {

namespace {

std::string prefix_of(std::size_t member) {
  return "member." + std::to_string(member) + ".";
}

}  // namespace

TensorFile committee_file(const ModelCard& card, const std::vector<TensorFile>& members) {
  TensorFile out = with_metadata(card);
  for (std::size_t k = 0; k < members.size(); ++k) add_part(out, prefix_of(k), members[k]);
  return out;
}

std::vector<TensorFile> members_of(const TensorFile& file) {
  std::vector<TensorFile> out;
  while (file.metadata.contains(prefix_of(out.size()) + "format"))
    out.push_back(part_of(file, prefix_of(out.size())));
  return out;
}

}  // namespace gdkm
