#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/training/settings.hpp"

namespace gdkm {

/// What the demo runs: each ν on some graphs at every homophily, and on some Minesweeper boards. All ν meet
/// the same graphs, splits and seeds, so that they can be compared graph by graph.
///
/// The graphs are such that features alone name the class and a graph convolution can spoil that: it averages
/// a node with its (about four) neighbours, twice. Where neighbours differ, the class has to be read from a
/// blend of six, by a rule that is not linear: it is the class that occurs, but seldom.
struct DemoPlan {
  std::vector<double> homophily{0, 0.1, 0.2, 0.4, 0.6, 0.8, 1};
  std::vector<double> nu{INFINITY, 10, 1, 0.1};  // the NNGP first
  std::vector<double> pictured{0, 0.8};          // homophilies whose kernels are shown
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

  /// The generators' texts of graph k and of board k.
  std::string graph(double at_homophily, int k) const;
  std::string minesweeper(int k) const;
  /// Settings of one run, as `gdkm train` would have them.
  Settings settings(const std::string& data, double at_nu, int k) const;
  /// That run as a command.
  std::string command(const Settings& settings) const;

  std::int64_t total_epochs() const;
};

}  // namespace gdkm
