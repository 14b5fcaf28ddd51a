#include "gdkm/graph/relation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <stdexcept>

#include "gdkm/linalg/csr_plus_identity.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

constexpr int most_degree_of_poly = 16;

std::string known_names() {
  std::string out;
  for (const std::string& name : names_of<RelationKind>()) out += (out.empty() ? "" : ", ") + name;
  return out;
}

RelationSpec parse_relation(const std::string& text) {
  const std::string_view all = text;
  const std::size_t colon = std::min(all.find(':'), all.size());
  const std::string name(all.substr(0, colon)), rest(all.substr(std::min(colon + 1, all.size())));
  const auto kind = value_named<RelationKind>(name);
  if (!kind) throw InputError(fmt::format("there is no relation '{}'; use {}", name, known_names()));
  RelationSpec out{*kind};
  if (*kind == RelationKind::poly) {
    const bool is_number =
        !rest.empty() && rest.size() <= 2 && rest.find_first_not_of("0123456789") == std::string::npos;
    out.degree = is_number ? std::stoi(rest) : 0;
    if (out.degree < 1 || out.degree > most_degree_of_poly)
      throw InputError(
          fmt::format("'{}' has no degree from 1 to {}; write poly:3", text, most_degree_of_poly));
    return out;
  }
  if (colon == all.size()) return out;
  const auto scaling = value_named<RelationScaling>(rest);
  if (!scaling)
    throw InputError(fmt::format("'{}': there is no scaling '{}'; use sym, row or sum", text, rest));
  if (*kind == RelationKind::self) return out;  // I, however it is scaled
  const auto own = *kind == RelationKind::gin ? RelationScaling::sum : RelationScaling::sym;
  if (!out.can_be_scaled() && *scaling != own)
    throw InputError(fmt::format("'{0}': {1} has no other scaling; write {1}", text, name));
  if (!out.can_be_scaled()) return out;
  out.scaling = *scaling;
  return out;
}

/// The sums of rows, to the power of `power`; 0 where there is nothing.
std::vector<double> degrees(const Csr& a, double power) {
  std::vector<double> out(static_cast<std::size_t>(a.rows), 0.0);
  for (Index r = 0; r < a.rows; ++r) {
    double sum = 0;
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) sum += a.value[k];
    if (sum > 0) out[r] = std::pow(sum, power);
  }
  return out;
}

Csr scaled(Csr a, RelationScaling how, const NodeRanks& shared) {
  if (how == RelationScaling::sum) return a;
  const bool both = how == RelationScaling::sym;
  const auto of_rows = degrees(a, both ? -0.5 : -1.0);
  auto of_columns = both ? degrees(transpose(a), -0.5) : std::vector<double>();
  if (both) shared.complete(of_columns);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k)
      a.value[k] *= of_rows[r] * (both ? of_columns[a.col[k]] : 1.0);
  }
  return a;
}

Csr identity(Index nodes) {
  Csr out;
  out.rows = out.cols = nodes;
  for (Index r = 0; r < nodes; ++r) {
    out.col.push_back(static_cast<std::int32_t>(r));
    out.value.push_back(1);
    out.row_start.push_back(r + 1);
  }
  return out;
}

/// Refuses a square that would not fit: a few nodes with very many neighbours can make it nearly full.
void check_square(const Csr& a, const RelationSpec& spec) {
  constexpr Index most = Index{1} << 28;
  if (count_product_nonzeros(a, a, most) <= most) return;
  throw OptionError("relations", to_string(spec),
                    fmt::format("more than {} pairs of nodes have a neighbour in common", most),
                    "leave it out");
}

/// 1 for nodes at distance two.
Csr two_hops(const Csr& a, const RelationSpec& spec) {
  check_square(a, spec);
  Csr pattern = a;
  std::fill(pattern.value.begin(), pattern.value.end(), 1.0);
  const Csr square = multiply(pattern, pattern);
  Csr out;
  out.rows = out.cols = a.rows;
  for (Index r = 0; r < a.rows; ++r) {
    Index near = a.row_start[r];
    for (Index k = square.row_start[r]; k < square.row_start[r + 1]; ++k) {
      const auto c = square.col[k];
      while (near < a.row_start[r + 1] && a.col[near] < c) ++near;
      if (c == r || (near < a.row_start[r + 1] && a.col[near] == c)) continue;
      out.col.push_back(c);
      out.value.push_back(1);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

/// Nodes at distance two may belong to ranks that a rank knows nothing of.
void refuse_shared(const RelationSpec& spec, const NodeRanks& shared) {
  if (shared)
    throw OptionError("relations", to_string(spec), "ranks read the edges of their own nodes alone",
                      "use relations of one step, or give all ranks the whole data set");
}

Csr matrix_of(const Graph& graph, const RelationSpec& spec, double lambda, AdjacencyOptions options,
              const NodeRanks& shared) {
  switch (spec.kind) {
    case RelationKind::gcn:
    case RelationKind::poly:
      return normalised_adjacency(graph, lambda, options, nullptr, shared);
    case RelationKind::gcn2: {
      refuse_shared(spec, shared);
      const Csr once = normalised_adjacency(graph, lambda, options);
      check_square(once, spec);
      return multiply(once, once);
    }
    case RelationKind::gin:
      return combine_with_identity(1, adjacency(graph, options), 1);
    case RelationKind::self:
      return identity(graph.nodes);
    case RelationKind::und:
      options.keep_direction = false;
      return scaled(adjacency(graph, options), spec.scaling, shared);
    case RelationKind::hop2:
      refuse_shared(spec, shared);
      options.keep_direction = false;
      return scaled(two_hops(adjacency(graph, options), spec), spec.scaling, {});
    case RelationKind::in:
    case RelationKind::out: {
      if (!graph.directed)
        throw OptionError("relations", to_string(spec), "the edges of this data set have no direction",
                          "use und");
      options.keep_direction = true;
      const Csr in = adjacency(graph, options);
      return scaled(spec.kind == RelationKind::in ? in : transpose(in), spec.scaling, shared);
    }
    case RelationKind::types:
      break;  // more than one
  }
  throw std::logic_error("[make_relations] not one matrix");
}

void add_types(const Graph& graph, const RelationSpec& spec, const AdjacencyOptions& options,
               const NodeRanks& shared, Relations& out) {
  // One that ranks share may have no edges here.
  if (graph.types() == 0 || (graph.type.empty() && !graph.edges.empty()))
    throw OptionError("relations", to_string(spec), "the edges of this data set have no types", "use und");
  for (int type = 0; type < graph.types(); ++type) {
    out.each.push_back({"type " + graph.type_names[static_cast<std::size_t>(type)], spec.scaling,
                        scaled(adjacency(of_type(graph, type), options), spec.scaling, shared)});
  }
}

}  // namespace

bool RelationSpec::can_be_scaled() const {
  return kind == RelationKind::und || kind == RelationKind::in || kind == RelationKind::out ||
         kind == RelationKind::hop2 || kind == RelationKind::types;
}

std::vector<RelationSpec> parse_relations(const std::string& text) {
  std::vector<RelationSpec> out;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const RelationSpec spec = parse_relation(word);
    if (std::find(out.begin(), out.end(), spec) != out.end())
      throw InputError(fmt::format("'{}' comes twice; write it once", to_string(spec)));
    out.push_back(spec);
  }
  if (out.empty()) throw InputError("the list of relations is empty; use " + known_names());
  const auto is_poly = [](const RelationSpec& spec) { return spec.kind == RelationKind::poly; };
  if (out.size() > 1 && std::any_of(out.begin(), out.end(), is_poly))
    throw InputError("poly has one set of weights for all its powers and stands alone; write poly:3");
  return out;
}

std::string to_string(const RelationSpec& spec) {
  if (spec.kind == RelationKind::poly) return fmt::format("poly:{}", spec.degree);
  if (spec.scaling == RelationScaling::sym) return name_of(spec.kind);
  return fmt::format("{}:{}", name_of(spec.kind), name_of(spec.scaling));
}

std::string to_string(const std::vector<RelationSpec>& specs) {
  std::string out;
  for (const RelationSpec& spec : specs) {
    if (!out.empty()) out += ',';
    out += to_string(spec);
  }
  return out;
}

Relations make_relations(const Graph& graph, const std::vector<RelationSpec>& specs, double lambda,
                         const AdjacencyOptions& options, const NodeRanks& shared) {
  Relations out;
  for (const RelationSpec& spec : specs) {
    if (spec.kind == RelationKind::types) {
      add_types(graph, spec, options, shared, out);
    } else {
      const auto scaling = spec.kind == RelationKind::gin ? RelationScaling::sum : spec.scaling;
      out.each.push_back({to_string(spec), scaling, matrix_of(graph, spec, lambda, options, shared)});
    }
    if (!shared) continue;
    // Rows of other ranks' nodes have the edges to own nodes alone.
    const auto own = shared.own();
    for (Relation& relation : out.each) {
      if (relation.matrix.rows == graph.nodes) relation.matrix = submatrix(relation.matrix, own, {});
    }
  }
  return out;
}

Relations rows_of(const Relations& relations, const std::vector<std::int32_t>& rows) {
  Relations out;
  for (const Relation& relation : relations.each)
    out.each.push_back({relation.name, relation.scaling, submatrix(relation.matrix, rows, {})});
  return out;
}

Index count_relations(const std::vector<RelationSpec>& specs, Index edge_types) {
  Index out = 0;
  for (const RelationSpec& spec : specs) out += spec.kind == RelationKind::types ? edge_types : 1;
  return out;
}

bool has_types(const std::vector<RelationSpec>& specs) {
  return std::any_of(specs.begin(), specs.end(),
                     [](const RelationSpec& spec) { return spec.kind == RelationKind::types; });
}

Relations submatrices(const Relations& relations, const std::vector<std::int32_t>& nodes) {
  Relations out;
  for (const Relation& relation : relations.each)
    out.each.push_back({relation.name, relation.scaling, submatrix(relation.matrix, nodes, nodes)});
  return out;
}

std::vector<std::int32_t> neighbourhood(const Relations& relations, const std::vector<std::int32_t>& seeds,
                                        int hops) {
  std::vector<char> seen(static_cast<std::size_t>(relations.nodes()), 0);
  std::vector<std::int32_t> reached, frontier;
  const auto visit = [&](std::int32_t node, std::vector<std::int32_t>& next) {
    if (seen[node]) return;
    seen[node] = 1;
    reached.push_back(node);
    next.push_back(node);
  };
  for (const auto node : seeds) visit(node, frontier);
  for (int hop = 0; hop < hops && !frontier.empty(); ++hop) {
    std::vector<std::int32_t> next;
    for (const auto node : frontier) {
      for (const auto& [name, scaling, matrix] : relations.each) {
        for (Index k = matrix.row_start[node]; k < matrix.row_start[node + 1]; ++k)
          visit(matrix.col[k], next);
      }
    }
    frontier = std::move(next);
  }
  std::sort(reached.begin(), reached.end());
  return reached;
}

bool is_identity(const Csr& a) {
  if (a.rows != a.cols || a.nonzeros() != a.rows) return false;
  for (Index r = 0; r < a.rows; ++r) {
    if (a.row_start[r] != r || a.col[r] != r || a.value[r] != 1) return false;
  }
  return true;
}

}  // namespace gdkm
