#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// What the demo runs: each ν on some graphs at every homophily, and on some Minesweeper boards. All ν see
/// the same graphs, splits and seeds, so that they can be compared graph by graph.
///
/// The features alone show a node's class, but the graph convolution averages a node with its (about four)
/// neighbours, twice. At low homophily the class has to be read from a mixture of all six classes by a
/// nonlinear rule: it is the class that occurs in the mixture, but rarely.
struct DemoPlan {
  std::vector<double> homophily{0, 0.1, 0.2, 0.4, 0.6, 0.8, 1};
  std::vector<double> nu{INFINITY, 10, 1, 0.1};  // the NNGP first
  std::vector<double> pictured{0, 0.8};          // the kernels at these homophilies are shown
  int graphs = 5, boards = 3;
  std::uint64_t seed = 0;
  int threads = 0;

  std::int64_t nodes = 1500, classes = 6, degree = 4, features = 16, signal = 20;
  std::int64_t board = 50;  // rows and columns
  double board_lambda = 0.5;
  Index inducing = 48;
  int epochs = 150;
  double rate = 0.02;
  Index pictured_per_class = 25;

  /// Small enough for a test, too small to show much.
  static DemoPlan quick();

  /// The generator specifications of graph k and of board k.
  std::string graph(double at_homophily, int k) const;
  std::string minesweeper(int k) const;
  /// Settings of one run, as `gdkm train` sets them.
  Settings settings(const std::string& data, double at_nu, int k) const;
  /// The command that does this run.
  std::string command(const std::string& data, const Settings& settings) const;

  std::int64_t total_epochs() const;
};

}  // namespace gdkm
