#include "gdkm/experiments/demo/demo_plan.hpp"

#include <fmt/format.h>

#include "gdkm/experiments/number_text.hpp"

namespace gdkm {

DemoPlan DemoPlan::quick() {
  DemoPlan plan;
  plan.homophily = {0, 0.5, 1};
  plan.nu = {INFINITY, 1};
  plan.pictured = {0, 1};
  plan.graphs = 2;
  plan.boards = 2;
  plan.nodes = 480;
  plan.board = 24;
  plan.inducing = 24;
  plan.epochs = 60;
  plan.pictured_per_class = 10;
  return plan;
}

std::string DemoPlan::graph(double at_homophily, int k) const {
  return fmt::format("csbm:n={},classes={},degree={},features={},signal={},homophily={:g},seed={}", nodes,
                     classes, degree, features, signal, at_homophily, seed + static_cast<std::uint64_t>(k));
}

std::string DemoPlan::minesweeper(int k) const {
  return fmt::format("minesweeper:rows={0},cols={0},seed={1}", board, seed + static_cast<std::uint64_t>(k));
}

Settings DemoPlan::settings(const std::string& data, double at_nu, int k) const {
  Settings out;
  out.model = std::isinf(at_nu) ? ModelKind::nngp : ModelKind::dkm;
  out.config.nu = {at_nu};
  out.config.inducing = inducing;
  out.config.lambda = data.starts_with("minesweeper") ? board_lambda : 0;
  out.training.epochs = epochs;
  out.training.rate = rate;
  out.training.seed = seed + static_cast<std::uint64_t>(k);
  out.device.threads = threads;
  return out;
}

std::string DemoPlan::command(const std::string& data, const Settings& s) const {
  return fmt::format("gdkm train {} {} --inducing {}{} --epochs {} --lr {:g} --seed {}", data,
                     s.model == ModelKind::nngp ? "--model nngp" : "--nu " + nu_option(s.config.nu[0]),
                     s.config.inducing,
                     s.config.lambda > 0 ? fmt::format(" --lambda {:g}", s.config.lambda) : "",
                     s.training.epochs, s.training.rate, s.training.seed);
}

std::int64_t DemoPlan::total_epochs() const {
  const auto runs =
      nu.size() * (homophily.size() * static_cast<std::size_t>(graphs) + static_cast<std::size_t>(boards));
  return static_cast<std::int64_t>(runs) * epochs;
}

}  // namespace gdkm
