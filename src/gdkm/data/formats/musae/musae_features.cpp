#include "gdkm/data/formats/musae/musae_features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Handles the events of the parser, so that no tree of the whole file is built, however deeply a bad file is
/// nested.
class Reader {
 public:
  Reader(const Text& text, Index nodes) : where_(text.where), seen_(static_cast<std::size_t>(nodes), false) {}

  std::vector<Triplet> entries;
  std::int32_t last_feature = -1;

  bool start_object(std::size_t) {
    if (depth_ != 0) not_a_number("an object");
    depth_ = 1;
    return true;
  }
  bool end_object() { return true; }
  bool start_array(std::size_t) {
    if (depth_ != 1) not_a_number("a list");
    depth_ = 2;
    return true;
  }
  bool end_array() {
    depth_ = 1;
    return true;
  }
  bool key(std::string& name) {
    const char* end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, node_);
    if (name.empty() || error != std::errc{} || stop != end || node_ < 0 ||
        static_cast<std::size_t>(node_) >= seen_.size()) {
      refuse("{}: expected a node number as key, got {}; use 0 to {}", where_, shown(name), seen_.size() - 1);
    }
    if (seen_[static_cast<std::size_t>(node_)])
      refuse("{}: node {} occurs twice; keep one list of features", where_, node_);
    seen_[static_cast<std::size_t>(node_)] = true;
    return true;
  }
  bool number_unsigned(std::uint64_t feature) {
    if (depth_ != 2) not_a_number("a number outside a list");
    if (feature >= std::numeric_limits<std::int32_t>::max()) not_a_number(std::to_string(feature));
    entries.push_back({node_, static_cast<std::int32_t>(feature), 1});
    last_feature = std::max(last_feature, entries.back().col);
    return true;
  }
  bool number_integer(std::int64_t value) { not_a_number(std::to_string(value)); }
  bool number_float(double value, const std::string&) { not_a_number(fmt::format("{}", value)); }
  bool string(std::string& text) { not_a_number(shown(text)); }
  bool binary(nlohmann::json::binary_t&) { not_a_number("binary data"); }
  bool null() { not_a_number("null"); }
  bool boolean(bool value) { not_a_number(value ? "true" : "false"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    refuse("{}: is not valid JSON at byte {}, or is cut short; fetch it again", where_, position);
  }

 private:
  static std::string shown(const std::string& text) {
    return nlohmann::json(text.substr(0, 40)).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }
  [[noreturn]] void not_a_number(const std::string& what) const {
    const std::string place = depth_ == 0 ? "the top" : fmt::format("node {}", node_);
    refuse("{}: {}: expected a list of feature numbers, got {}; write {{\"node\": [numbers]}}", where_, place,
           what);
  }

  const std::string& where_;
  std::vector<bool> seen_;
  int depth_ = 0;  // 1 in the object, 2 in a list
  std::int32_t node_ = 0;
};

}  // namespace

Features read_musae_features(const Text& text, Index nodes) {
  Reader reader(text, nodes);
  nlohmann::json::sax_parse(text.bytes, &reader);
  if (reader.last_feature < 0) refuse(text.where + ": has no features; list at least one feature number");
  Features out;
  out.is_sparse = true;
  out.sparse = csr_from_triplets(nodes, Index{reader.last_feature} + 1, std::move(reader.entries), false);
  out.rows = out.sparse.rows;
  out.cols = out.sparse.cols;
  return out;
}

}  // namespace gdkm
