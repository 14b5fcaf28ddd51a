#include "gdkm/data/formats/shared/attributed_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "gdkm/data/formats/shared/class_column.hpp"
#include "gdkm/data/formats/shared/class_names.hpp"
#include "gdkm/data/formats/shared/column_coding.hpp"
#include "gdkm/data/formats/shared/edge_types.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Attributes that fewer than this share of the nodes have are left out.
constexpr double least_share = 0.01;
/// Edges have at most so many types, unless somebody says which attribute they are.
constexpr std::size_t most_found_types = 100;

std::string listed(const Attributes& attributes) {
  constexpr std::size_t most = 8;
  std::string out;
  const auto& columns = attributes.columns();
  for (std::size_t k = 0; k < std::min(most, columns.size()); ++k)
    out += (k == 0 ? "" : ", ") + show_field(columns[k].name);
  return out + (columns.size() > most ? ", ..." : "");
}

std::size_t find_key(const AttributedGraph& graph, const Attributes& attributes, const char* field,
                     const std::string& name) {
  if (const auto found = attributes.find(name)) return *found;
  const std::string known = listed(attributes);
  refuse("{}: {}: the file has no such attribute; {}", graph.where, option(field, show_field(name)),
         known.empty() ? "it has none" : "use one of " + known);
}

/// The values of an attribute, one per element; "" where it has none.
std::vector<std::string_view> fields_of(const Attributes::Column& column, Index elements) {
  std::vector<std::string_view> out(static_cast<std::size_t>(elements));
  for (const auto& [element, value] : column.value) out[static_cast<std::size_t>(element)] = value;
  return out;
}

class Maker {
 public:
  Maker(AttributedGraph graph, const AttributeChoice& choice) : in_(std::move(graph)), choice_(choice) {}

  Dataset make() {
    if (in_.nodes.size() == 0) refuse(in_.where + ": has no nodes; a graph needs at least one");
    out_.remarks = std::move(in_.remarks);
    out_.graph.nodes = in_.nodes.size();
    out_.graph.edges = std::move(in_.edges);
    out_.graph.directed = choice_.directed.value_or(in_.directed);
    set_weights_and_types();
    choose_names();
    collect();
    choose_class();
    set_features();
    set_labels();
    name_columns_of_nodes(out_);
    return std::move(out_);
  }

 private:
  void remark(std::string text) { out_.remarks.push_back(in_.where + ": " + std::move(text)); }

  std::optional<std::size_t> weight_attribute() const {
    const Attributes& a = in_.edge_attributes;
    if (choice_.weight_key == "none") return std::nullopt;
    if (!choice_.weight_key.empty()) return find_key(in_, a, "weight_key", choice_.weight_key);
    return a.find("weight");
  }

  std::optional<std::size_t> type_attribute(std::optional<std::size_t> weight) const {
    const Attributes& a = in_.edge_attributes;
    if (choice_.type_key == "none") return std::nullopt;
    if (!choice_.type_key.empty()) return find_key(in_, a, "type_key", choice_.type_key);
    for (const char* name : {"type", "relation", "label"}) {
      for (std::size_t k = 0; k < a.columns().size(); ++k) {
        if (k != weight && lower_case(a.columns()[k].name) == name && are_types(a.columns()[k])) return k;
      }
    }
    return std::nullopt;
  }

  /// Whether every edge has one of not too many values: others are names or remarks.
  bool are_types(const Attributes::Column& column) const {
    if (column.value.empty() || column.value.size() != out_.graph.edges.size()) return false;
    std::unordered_set<std::string_view> different;
    for (const auto& [edge, value] : column.value) {
      different.insert(value);
      if (value.empty() || different.size() > most_found_types) return false;
    }
    return true;
  }

  void set_weights_and_types() {
    const auto& columns = in_.edge_attributes.columns();
    const auto edges = static_cast<Index>(out_.graph.edges.size());
    const auto weight = weight_attribute(), type = type_attribute(weight);
    if (weight && edges > 0) set_weights(columns[*weight], edges);
    if (type && edges > 0) set_types(columns[*type], edges);
    std::string ignored;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k == weight || k == type || columns[k].value.empty()) continue;
      ignored += (ignored.empty() ? "" : ", ") + show_field(columns[k].name);
    }
    if (!ignored.empty()) {
      remark("ignored attributes of edges: " + ignored + "; choose with " + option("weight_key") + " and " +
             option("type_key"));
    }
  }

  void set_weights(const Attributes::Column& column, Index edges) {
    Index without = 0;
    for (const auto field : fields_of(column, edges)) {
      const auto value = field.empty() ? std::optional(1.0f) : to_float(field);
      without += field.empty() ? 1 : 0;
      if (!value || !(*value > 0) || !std::isfinite(*value)) {
        refuse(
            "{}: edge attribute {}: expected a positive, finite weight, got {}; correct it, or leave weights "
            "out with {}",
            in_.where, show_field(column.name), show_field(field), option("weight_key", "none"));
      }
      out_.graph.weight.push_back(*value);
    }
    const auto is_one = [](float w) { return w == 1; };
    if (std::all_of(out_.graph.weight.begin(), out_.graph.weight.end(), is_one)) out_.graph.weight.clear();
    if (without > 0)
      remark(fmt::format("{} edges without {} have weight 1", without, show_field(column.name)));
  }

  void set_types(const Attributes::Column& column, Index edges) {
    EdgeTypes types;
    try {
      for (const auto field : fields_of(column, edges)) types.add(field);
    } catch (const InputError& error) {
      refuse("{}: edge attribute {}: {}; or leave types out with {}", in_.where, show_field(column.name),
             error.message(), option("type_key", "none"));
    }
    types.give_to(out_.graph);
    if (choice_.type_key.empty()) remark(fmt::format("edges have types, from {}", show_field(column.name)));
  }

  /// Ids that only count give way to names that tell nodes apart.
  void choose_names() {
    out_.node_names = in_.nodes.names();
    const auto counts = [](const std::string& id) {
      return id.find_first_not_of("0123456789", id.starts_with('n') ? 1 : 0) == std::string::npos;
    };
    if (!std::all_of(out_.node_names.begin(), out_.node_names.end(), counts)) return;
    for (const char* name : {"label", "name", "id"}) {
      const auto found = find_lower(name);
      if (!found || in_.node_attributes.columns()[*found].name == choice_.label_key) continue;
      const auto& value = in_.node_attributes.columns()[*found].value;
      if (static_cast<Index>(value.size()) != in_.nodes.size()) continue;
      std::unordered_set<std::string_view> seen;
      for (const auto& [node, text] : value)
        if (!text.empty()) seen.insert(text);
      if (seen.size() != value.size()) continue;
      names_ = found;
      out_.node_names.clear();
      bool is_counted = true;
      for (const auto& [node, text] : value) {
        is_counted = is_counted && text == std::to_string(node);
        out_.node_names.push_back(text);
      }
      if (is_counted) out_.node_names.clear();
      return;
    }
  }

  std::optional<std::size_t> find_lower(const char* name) const {
    const auto& columns = in_.node_attributes.columns();
    for (std::size_t k = 0; k < columns.size(); ++k)
      if (lower_case(columns[k].name) == name) return k;
    return std::nullopt;
  }

  /// Learns what the values of each attribute are.
  void collect() {
    const auto& columns = in_.node_attributes.columns();
    std::vector<std::string> known;
    for (const auto& column : columns) known.push_back(column.name);
    check_rules(choice_.rules, in_.where, known);
    if (!choice_.label_key.empty() && choice_.label_key != "none")
      label_ = find_key(in_, in_.node_attributes, "label_key", choice_.label_key);
    std::vector<std::string> rare;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k == names_ || choice_.rules.ignores(columns[k].name)) continue;
      const bool is_said = choice_.rules.type_of(columns[k].name) != nullptr || k == label_;
      if (!is_said && static_cast<double>(columns[k].value.size()) <
                          least_share * static_cast<double>(in_.nodes.size())) {
        rare.push_back(show_field(columns[k].name));
        continue;
      }
      FoundColumn found{columns[k].name, "attribute " + show_field(columns[k].name),
                        evidence_of(columns[k], false)};
      if (needs_texts(found.evidence)) found.evidence = evidence_of(columns[k], true);
      found_.push_back(std::move(found));
      source_.push_back(k);
    }
    if (rare.empty()) return;
    const auto shown = std::min<std::size_t>(rare.size(), 8);
    remark(fmt::format("left out attributes that fewer than 1 % of the nodes have: {}{}",
                       fmt::join(rare.begin(), rare.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                       shown < rare.size() ? ", ..." : ""));
  }

  ColumnEvidence evidence_of(const Attributes::Column& column, bool as_text) const {
    ColumnEvidence out =
        as_text ? ColumnEvidence({false, true})
                : choice_.rules.evidence_for(column.name, false, is_named_like_class(column.name));
    for (const auto field : fields_of(column, in_.nodes.size())) out.add(field);
    return out;
  }

  void choose_class() {
    if (choice_.label_key == "none") return drop_telling();
    if (!label_) {
      std::vector<FoundColumn> free;
      std::vector<std::size_t> place;
      for (std::size_t k = 0; k < found_.size(); ++k) {
        if (choice_.rules.type_of(found_[k].name) != nullptr) continue;
        free.push_back(found_[k]);
        place.push_back(source_[k]);
      }
      if (const auto guess = guess_class(free)) {
        label_ = place[*guess];
        remark(fmt::format("the class is the attribute {}; choose another with {}",
                           show_field(free[*guess].name), option("label_key")));
      } else if (!in_.node_attributes.columns().empty()) {
        remark(
            fmt::format("no attribute is named like a class; name it with 'gdkm data import' and {}; "
                        "there are {}",
                        option("label_key"), listed(in_.node_attributes)));
      }
    }
    if (label_) erase(*label_);
    drop_telling();
  }

  void erase(std::size_t source) {
    const auto at = std::find(source_.begin(), source_.end(), source);
    if (at == source_.end()) return;
    found_.erase(found_.begin() + (at - source_.begin()));
    source_.erase(at);
  }

  /// Another attribute that is named like the class would give it away.
  void drop_telling() {
    for (std::size_t k = found_.size(); k-- > 0;) {
      if (!gives_class_away(found_[k].name) || choice_.rules.type_of(found_[k].name) != nullptr ||
          choice_.rules.is_category(found_[k].name))
        continue;
      remark(fmt::format("left out attribute {}, which is named like a class; rename it to keep it",
                         show_field(found_[k].name)));
      erase(source_[k]);
    }
  }

  void set_features() {
    TableTypes types;
    try {
      types = choose_types(in_.where, found_, choice_.rules);
    } catch (const ColumnRefusal& error) {
      refuse("{}: {}", in_.where, error.message());
    }
    out_.remarks.insert(out_.remarks.end(), types.remarks.begin(), types.remarks.end());
    Features& x = out_.features;
    x.rows = in_.nodes.size();
    x.cols = width_of(types.table());
    if (x.cols == 0) return set_default_features();
    if (choice_.default_features) refuse_default_features(in_.where, types.columns.size());
    x.dense.resize(static_cast<std::size_t>(x.rows * x.cols));
    Index first = 0;
    for (const TypedColumn& typed : types.columns) {
      const auto& column = in_.node_attributes.columns()[source_[typed.source]];
      const ColumnEncoder encoder(typed);
      float* out = x.dense.data() + first;
      for (const auto field : fields_of(column, x.rows)) {
        encoder.encode(field, out);
        out += x.cols;
      }
      first += encoder.width();
    }
    if (types.untyped && !types.words) return;
    out_.columns.kind = types.words ? FeatureColumns::Kind::words : FeatureColumns::Kind::table;
    out_.columns.table = types.table();
    out_.columns.where = in_.where;
  }

  void set_default_features() { gdkm::set_default_features(choice_.default_features, out_); }

  void set_labels() {
    std::vector<std::string> text(static_cast<std::size_t>(in_.nodes.size()));
    if (label_) {
      for (const auto& [node, value] : in_.node_attributes.columns()[*label_].value)
        text[static_cast<std::size_t>(node)] = value;
    }
    try {
      choice_.regression ? set_targets(text, out_) : set_classes(text, {}, out_);
      if (has_many_numbers(out_)) out_.remarks.push_back(many_numbers(in_.where, out_));
    } catch (const InputError& error) {
      refuse("{}: {}", in_.where, error.message());
    }
  }

  AttributedGraph in_;
  const AttributeChoice& choice_;
  Dataset out_;
  std::optional<std::size_t> label_, names_;  // places among the attributes of nodes
  std::vector<FoundColumn> found_;
  std::vector<std::size_t> source_;  // of each found column, its place among the attributes
};

}  // namespace

std::size_t Attributes::declare(std::string_view name) {
  const auto known = place_.find(name);
  if (known != place_.end()) return known->second;
  columns_.push_back({std::string(name), {}});
  return place_.emplace(std::string(name), columns_.size() - 1).first->second;
}

bool Attributes::add(std::int32_t element, std::string_view name, std::string_view value) {
  return add(element, declare(name), value);
}

bool Attributes::add(std::int32_t element, std::size_t column, std::string_view value) {
  auto& values = columns_[column].value;
  if (!values.empty() && values.back().first == element) return false;
  values.emplace_back(element, value);
  return true;
}

std::optional<std::size_t> Attributes::find(std::string_view name) const {
  const auto at = place_.find(name);
  return at == place_.end() ? std::nullopt : std::optional(at->second);
}

Dataset to_dataset(AttributedGraph graph, const AttributeChoice& choice) {
  return Maker(std::move(graph), choice).make();
}

}  // namespace gdkm
