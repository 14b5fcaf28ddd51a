#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// Which nodes train, select and test; ascending node numbers, disjoint.
struct Split {
  std::vector<std::int32_t> train, val, test;
};

/// A graph with features, labels and splits: a node-classification problem.
struct Dataset {
  std::string name;
  Graph graph;
  Features features;                // as published, before any normalisation
  std::vector<std::int32_t> label;  // class 0..classes−1, or −1 where there is none
  int classes = 0;
  std::map<std::string, std::vector<Split>> splits;  // by set: "public", "geom"
};

}  // namespace gdkm
