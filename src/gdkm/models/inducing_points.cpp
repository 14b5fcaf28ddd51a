#include "gdkm/models/inducing_points.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/graph/distribute.hpp"
#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {

namespace {

/// k-means++ considers this many nodes per centre instead of all nodes of a large graph.
constexpr Index candidates_per_centre = 10;

/// `count` distinct numbers from [0, n), at random.
std::vector<std::int32_t> random_subset(Index n, Index count, Random& random) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  for (Index k = 0; k < count; ++k) {
    std::swap(order[k], order[k + static_cast<Index>(random.below(static_cast<std::uint64_t>(n - k)))]);
  }
  order.resize(static_cast<std::size_t>(count));
  return order;
}

/// Calls visit(column, value) for every stored entry of row r of `features`.
template <class Visit>
void for_each_entry(const Features& features, Index r, Visit visit) {
  if (features.is_sparse) {
    const Csr& x = features.sparse;
    for (Index k = x.row_start[r]; k < x.row_start[r + 1]; ++k) visit(Index{x.col[k]}, x.value[k]);
  } else {
    for (Index j = 0; j < features.cols; ++j)
      visit(j, static_cast<double>(features.dense[r * features.cols + j]));
  }
}

/// Adds row r of `features` to `out`.
void add_row(const Features& features, Index r, double* out) {
  for_each_entry(features, r, [&](Index j, double value) { out[j] += value; });
}

/// Products of the rows of `features` with one of them. Features are kept by columns, which are contiguous
/// then.
class RowProducts {
 public:
  explicit RowProducts(const Features& features) : features_(features) {
    if (features.is_sparse) {
      columns_ = transpose(features.sparse);
      return;
    }
    dense_columns_.resize(features.dense.size());
    for (Index r = 0; r < features.rows; ++r) {
      for (Index j = 0; j < features.cols; ++j)
        dense_columns_[j * features.rows + r] = features.dense[r * features.cols + j];
    }
  }
  /// out_r ← row r · row `with`, for all rows. Of sparse rows, those that share a column with it are visited.
  void operator()(Index with, std::vector<double>& out) const {
    std::fill(out.begin(), out.end(), 0.0);
    for_each_entry(features_, with, [&](Index j, double value) {
      if (features_.is_sparse) {
        for (Index k = columns_.row_start[j]; k < columns_.row_start[j + 1]; ++k)
          out[columns_.col[k]] += columns_.value[k] * value;
      } else {
        const float* column = dense_columns_.data() + j * features_.rows;
        for (Index r = 0; r < features_.rows; ++r) out[r] += static_cast<double>(column[r]) * value;
      }
    });
  }

 private:
  const Features& features_;
  Csr columns_;
  std::vector<float> dense_columns_;
};

/// k-means++ (Arthur & Vassilvitskii, 2007): draws each centre from the rows with probability ∝ the squared
/// distance to the nearest centre so far. Returns row numbers. When every row equals a centre, draws
/// uniformly.
std::vector<std::int32_t> kmeans_plus_plus(const Features& rows, Index count, Random& random) {
  const Index n = rows.rows;
  std::vector<double> product(static_cast<std::size_t>(n)), square(product.size()),
      nearest(product.size(), INFINITY);
  const RowProducts products(rows);
  for (Index r = 0; r < n; ++r)
    for_each_entry(rows, r, [&](Index /*column*/, double value) { square[r] += value * value; });
  std::vector<std::int32_t> chosen;
  std::vector<char> taken(static_cast<std::size_t>(n), 0);
  for (Index k = 0; k < count; ++k) {
    double total = 0;
    if (k > 0) {
      for (Index r = 0; r < n; ++r) total += taken[r] ? 0.0 : nearest[r];
    }
    Index pick = 0;
    if (total > 0) {
      double left = random.uniform() * total;
      pick = -1;
      for (Index r = 0; r < n; ++r) {
        if (taken[r] || nearest[r] <= 0) continue;
        pick = r;
        left -= nearest[r];
        if (left < 0) break;
      }
    } else {
      do {
        pick = static_cast<Index>(random.below(static_cast<std::uint64_t>(n)));
      } while (taken[pick]);
    }
    chosen.push_back(static_cast<std::int32_t>(pick));
    taken[pick] = 1;
    products(pick, product);
    for (Index r = 0; r < n; ++r) {
      double distance = square[r] + square[pick] - 2 * product[r];
      if (distance < 1e-6 * (square[r] + square[pick])) distance = 0;  // the same row, apart from rounding
      nearest[r] = std::min(nearest[r], distance);
    }
  }
  return chosen;
}

/// Lloyd iterations from given centres (count × d, row-major): each row is assigned to its nearest centre,
/// and each centre moves to the mean of its rows. A centre without rows stays where it is. Only distances to
/// centres that have moved are computed anew, and rounds end when none has.
void move_to_means(const Features& rows, Index count, int rounds, std::vector<double>& centres) {
  const Index d = rows.cols;
  // −½‖row − centre‖², without the term that all centres share
  std::vector<float> score(static_cast<std::size_t>(rows.rows * count)), by_feature, offset, part;
  std::vector<double> mean(static_cast<std::size_t>(d));
  std::vector<Index> nearest(static_cast<std::size_t>(rows.rows), -1), moved(static_cast<std::size_t>(count));
  std::vector<std::vector<std::int32_t>> members(moved.size());
  std::iota(moved.begin(), moved.end(), 0);
  for (int round = 0; round < rounds && !moved.empty(); ++round) {
    const auto some = static_cast<Index>(moved.size());
    by_feature.resize(static_cast<std::size_t>(d * some));
    offset.resize(moved.size());
    for (Index c = 0; c < some; ++c) {
      const double* centre = centres.data() + moved[c] * d;
      offset[c] = static_cast<float>(-0.5 * std::inner_product(centre, centre + d, centre, 0.0));
      for (Index j = 0; j < d; ++j) by_feature[j * some + c] = static_cast<float>(centre[j]);
    }
    std::vector<char> changed(members.size(), 0);
    for (Index r = 0; r < rows.rows; ++r) {
      part = offset;
      for_each_entry(rows, r, [&](Index j, double value) {
        const float* feature = by_feature.data() + j * some;
        const auto v = static_cast<float>(value);
        for (Index c = 0; c < some; ++c) part[c] += v * feature[c];
      });
      float* of_row = score.data() + r * count;
      for (Index c = 0; c < some; ++c) of_row[moved[c]] = part[c];
      const Index now = std::max_element(of_row, of_row + count) - of_row;
      if (now == nearest[r]) continue;
      changed[now] = 1;
      if (nearest[r] >= 0) changed[nearest[r]] = 1;
      nearest[r] = now;
    }
    for (auto& list : members) list.clear();
    for (Index r = 0; r < rows.rows; ++r) members[nearest[r]].push_back(static_cast<std::int32_t>(r));
    moved.clear();
    for (Index c = 0; c < count; ++c) {
      if (changed[c] == 0 || members[c].empty()) continue;
      std::fill(mean.begin(), mean.end(), 0.0);
      for (const auto r : members[c]) add_row(rows, r, mean.data());
      for (Index j = 0; j < d; ++j) centres[c * d + j] = mean[j] / static_cast<double>(members[c].size());
      moved.push_back(c);
    }
  }
}

/// Adds noise to rows that are zero or that repeat an earlier one.
void make_distinct(std::vector<double>& rows, Index count, Index width, Random& random) {
  double mean_square = 0;
  for (const double v : rows) mean_square += v * v / static_cast<double>(count);
  const double length = mean_square > 0 ? std::sqrt(mean_square) : 1.0;
  std::vector<double> square(static_cast<std::size_t>(count));
  for (Index r = 0; r < count; ++r) {
    double* row = rows.data() + r * width;
    const auto inner = [&](const double* other) { return std::inner_product(row, row + width, other, 0.0); };
    square[r] = inner(row);
    bool repeated = square[r] < 1e-12 * mean_square || square[r] == 0;
    for (Index k = 0; k < r && !repeated; ++k) {
      const double both = square[r] + square[k];
      // Rows of different length differ: this spares most products.
      const double lengths = std::sqrt(square[r]) - std::sqrt(square[k]);
      if (lengths * lengths > 2e-6 * both) continue;
      repeated = both - 2 * inner(rows.data() + k * width) < 1e-6 * both;
    }
    if (!repeated) continue;
    const double spread = 0.3 * length / std::sqrt(static_cast<double>(width));
    for (Index j = 0; j < width; ++j) row[j] += spread * random.normal();
    square[r] = inner(row);
  }
}

/// Rows of ÂX, or of [√w_r P_r X]_r with the weights that relations start with: `rows` of the matrices.
Features mixed_rows(const Relations& relations, const std::vector<std::int32_t>& rows,
                    const Features& features, const NodeRanks& shared) {
  Relations some = rows_of(relations, rows);
  const double share = 1 / std::sqrt(static_cast<double>(relations.count()));
  for (Relation& relation : some.each) {
    if (relations.count() == 1) break;
    for (double& value : relation.matrix.value) value *= share;
  }
  if (!shared) return mix_by(some, features);
  const auto needed = columns_of(some);
  const Features around = fetch_rows(features, needed, shared);
  std::vector<std::int32_t> all(rows.size());
  std::iota(all.begin(), all.end(), 0);
  for (Relation& relation : some.each) {
    relation.matrix = submatrix(relation.matrix, all, needed);
    relation.matrix.cols = around.rows;
  }
  return mix_by(some, around);
}

/// The rows that a model's first layer sees of some nodes, the same on all ranks.
Features rows_of_nodes(const Relations& relations, const Features& features,
                       const std::vector<std::int32_t>& nodes, bool mixed, const NodeRanks& shared) {
  if (!shared) return mixed ? mixed_rows(relations, nodes, features, {}) : select_rows(features, nodes);
  if (!mixed) return fetch_rows(features, nodes, shared);
  // Each rank mixes those of its own nodes; then all of them get all.
  const auto number = shared.numbers();
  std::vector<std::int32_t> owner, mine, all(nodes.size());
  std::iota(all.begin(), all.end(), 0);
  for (const auto node : nodes) {
    owner.push_back((*shared.owner)[static_cast<std::size_t>(node)]);
    if (owner.back() == shared.ranks->rank()) mine.push_back(number[static_cast<std::size_t>(node)]);
  }
  return fetch_rows(mixed_rows(relations, mine, features, shared), all, {&owner, shared.ranks});
}

}  // namespace

InducingPoints choose_inducing_points(const Relations& relations, const Features& features,
                                      const ModelConfig& config, Init init, std::uint64_t seed,
                                      const std::vector<std::int32_t>& among, int rounds,
                                      const NodeRanks& shared) {
  if (config.locations() < 1 || config.locations() > relations.nodes()) {
    throw InputError(option("inducing", std::to_string(config.inducing)) + ": the graph has " +
                     std::to_string(relations.nodes()) + " nodes; choose between 1 and that number");
  }
  Random random(Stream{seed, Purpose::inducing, 0});
  const Index n = among.empty() ? relations.nodes() : static_cast<Index>(among.size());
  const Index m = config.locations();
  const bool inter = config.scheme == Scheme::inter;
  // Fewer nodes than points repeat, and get noise below.
  const Index looked_at = std::min(n, init == Init::kmeans ? candidates_per_centre * m : m);
  std::vector<std::int32_t> nodes = random_subset(n, looked_at, random);
  while (static_cast<Index>(nodes.size()) < m)
    nodes.push_back(nodes[nodes.size() - static_cast<std::size_t>(n)]);
  if (!among.empty()) {
    for (auto& node : nodes) node = among[static_cast<std::size_t>(node)];
  }
  const Features candidates =
      rows_of_nodes(relations, features, nodes, inter && config.mixes_inputs(), shared);
  const Index d = candidates.cols;
  std::vector<std::int32_t> picks(static_cast<std::size_t>(m));
  std::iota(picks.begin(), picks.end(), 0);
  if (init == Init::kmeans) picks = kmeans_plus_plus(candidates, m, random);

  InducingPoints out;
  out.inputs.assign(static_cast<std::size_t>(m * d), 0.0);
  for (Index r = 0; r < m; ++r) add_row(candidates, picks[r], out.inputs.data() + r * d);
  // Intra-domain inputs stay at their nodes; inter-domain inputs may be means of several.
  if (init == Init::kmeans && inter) move_to_means(candidates, m, rounds, out.inputs);
  make_distinct(out.inputs, m, d, random);
  if (!inter) {
    for (const auto pick : picks) out.nodes.push_back(nodes[pick]);
  }
  return out;
}

}  // namespace gdkm
