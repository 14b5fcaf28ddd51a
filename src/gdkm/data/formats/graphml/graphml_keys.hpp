#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pugi {
class xml_node;
}

namespace gdkm {

/// An attribute that a GraphML file declares for its nodes or edges.
struct GraphMlKey {
  std::string id, name, type;
  std::optional<std::string> default_value;

  bool is_numeric() const;  // including boolean
  /// The name used in messages.
  const std::string& shown() const { return name.empty() ? id : name; }
};

/// Throws an InputError with the file, the line of the element and a message.
using GraphMlFailure = std::function<void(const pugi::xml_node&, const std::string&)>;

/// The keys for `domain` ("node" or "edge"), in file order.
std::vector<GraphMlKey> read_graphml_keys(const pugi::xml_node& root, std::string_view domain,
                                          const GraphMlFailure& fail);

/// The key with that name, else the key with that id.
std::optional<std::size_t> find_graphml_key(const std::vector<GraphMlKey>& keys, const std::string& name);

/// The values of `keys` at one element: its own, else the default of the key, else nothing.
class GraphMlValues {
 public:
  explicit GraphMlValues(const std::vector<GraphMlKey>& keys);

  void read(const pugi::xml_node& element, const GraphMlFailure& fail);
  const std::optional<std::string_view>& operator[](std::size_t key) const { return value_[key]; }

 private:
  const std::vector<GraphMlKey>& keys_;
  std::map<std::string, std::size_t, std::less<>> place_;
  std::vector<std::optional<std::string_view>> value_;
};

}  // namespace gdkm
