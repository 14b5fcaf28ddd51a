#include "gdkm/graph/stream_partition.hpp"

#include <algorithm>
#include <cmath>

namespace gdkm {

namespace {

/// The neighbours of a range of nodes.
class Neighbours {
 public:
  Neighbours(const EdgeStream& edges, Index first, Index last, const std::vector<std::int64_t>& start)
      : offset_(start[static_cast<std::size_t>(first)]), start_(start) {
    neighbour_.resize(static_cast<std::size_t>(start[static_cast<std::size_t>(last)] - offset_));
    std::vector<std::int64_t> next(start.begin() + first, start.begin() + last);
    const auto add = [&](Index node, Index other) {
      if (node >= first && node < last)
        neighbour_[static_cast<std::size_t>(next[static_cast<std::size_t>(node - first)]++ - offset_)] =
            static_cast<std::int32_t>(other);
    };
    edges([&](Index from, Index to) {
      if (from == to) return;
      add(from, to);
      add(to, from);
    });
  }
  const std::int32_t* begin(Index node) const { return at(node); }
  const std::int32_t* end(Index node) const { return at(node + 1); }

 private:
  const std::int32_t* at(Index node) const {
    return neighbour_.data() + (start_[static_cast<std::size_t>(node)] - offset_);
  }
  std::int64_t offset_;
  const std::vector<std::int64_t>& start_;
  std::vector<std::int32_t> neighbour_;
};

/// The nodes of each range that is held at a time.
std::vector<Index> ranges(const std::vector<std::int64_t>& start, std::size_t memory) {
  const auto most = static_cast<std::int64_t>(std::max<std::size_t>(1, memory / sizeof(std::int32_t)));
  std::vector<Index> out{0};
  const auto nodes = static_cast<Index>(start.size()) - 1;
  for (Index node = 0; node < nodes; ++node) {
    const bool fits =
        start[static_cast<std::size_t>(node) + 1] - start[static_cast<std::size_t>(out.back())] <= most;
    if (!fits && node > out.back()) out.push_back(node);
  }
  out.push_back(nodes);
  return out;
}

}  // namespace

std::vector<std::int32_t> stream_partition(const EdgeStream& edges, Index nodes,
                                           const StreamPartitionOptions& options) {
  std::vector<std::int32_t> part(static_cast<std::size_t>(nodes), -1);
  if (nodes == 0) return part;
  const auto parts = static_cast<std::size_t>(options.parts);
  std::vector<std::int64_t> start(static_cast<std::size_t>(nodes) + 1, 0);
  edges([&](Index from, Index to) {
    if (from == to) return;
    ++start[static_cast<std::size_t>(from) + 1];
    ++start[static_cast<std::size_t>(to) + 1];
  });
  for (std::size_t node = 1; node < start.size(); ++node) start[node] += start[node - 1];

  const double capacity =
      std::ceil((1 + options.slack) * static_cast<double>(nodes) / static_cast<double>(parts));
  const auto range = ranges(start, options.memory);
  std::vector<std::int64_t> count(parts, 0);
  std::vector<std::size_t> touched;
  for (int pass = 0; pass < options.passes; ++pass) {
    std::vector<double> size(parts, 0);
    for (std::size_t k = 0; k + 1 < range.size(); ++k) {
      const Neighbours near(edges, range[k], range[k + 1], start);
      for (Index node = range[k]; node < range[k + 1]; ++node) {
        for (const std::int32_t* other = near.begin(node); other != near.end(node); ++other) {
          const std::int32_t where = part[static_cast<std::size_t>(*other)];
          if (where < 0) continue;
          if (count[static_cast<std::size_t>(where)]++ == 0)
            touched.push_back(static_cast<std::size_t>(where));
        }
        // Without neighbours in any part that has room, the smallest part.
        std::size_t best =
            static_cast<std::size_t>(std::min_element(size.begin(), size.end()) - size.begin());
        double score = 0;
        std::sort(touched.begin(), touched.end());
        for (const std::size_t p : touched) {
          const double here = static_cast<double>(count[p]) * (1 - size[p] / capacity);
          if (size[p] < capacity && here > score) score = here, best = p;
          count[p] = 0;
        }
        touched.clear();
        part[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(best);
        ++size[best];
      }
    }
  }
  return part;
}

Index count_cut(const EdgeStream& edges, const std::vector<std::int32_t>& part) {
  Index out = 0;
  edges([&](Index from, Index to) {
    if (part[static_cast<std::size_t>(from)] != part[static_cast<std::size_t>(to)]) ++out;
  });
  return out;
}

}  // namespace gdkm
