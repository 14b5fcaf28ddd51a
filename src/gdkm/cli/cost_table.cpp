#include "gdkm/cli/cost_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gdkm::cli {

namespace {

std::string size_text(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return fmt::format("{:.{}f} {}", bytes, unit == 0 ? 0 : 1, units[unit]);
}

}  // namespace

std::string cost_table(const std::vector<RankCost>& costs, const MachineRates& rates) {
  const int ranks = static_cast<int>(costs.size());
  std::string out =
      fmt::format("{:>5} {:>11} {:>12} {:>10} {:>9} {:>11} {:>10} {:>11} {:>11} {:>10}\n", "rank", "nodes",
                  "entries", "halo", "labels", "memory", "GFLOP", "sent", "added up", "ms a step");
  double slowest = 0;
  for (int r = 0; r < ranks; ++r) {
    const RankCost& cost = costs[static_cast<std::size_t>(r)];
    const double seconds = step_seconds(cost, rates, ranks);
    slowest = std::max(slowest, seconds);
    out += fmt::format("{:>5} {:>11} {:>12} {:>10} {:>9} {:>11} {:>10.3g} {:>11} {:>11} {:>10.3g}\n", r,
                       cost.nodes, cost.entries, cost.halo, cost.labels, size_text(cost.bytes),
                       cost.step.flops / 1e9, size_text(static_cast<double>(cost.traffic.sent_bytes)),
                       size_text(static_cast<double>(cost.traffic.summed_bytes)), 1e3 * seconds);
  }
  out += fmt::format(
      "{:.3g} ms a step, at {:.3g} GFLOP/s, {:.3g} GB/s of memory, {:.3g} us a call; between ranks {:.3g} us "
      "and "
      "{:.3g} GB/s\n",
      1e3 * slowest, rates.flops / 1e9, rates.bytes / 1e9, 1e6 * rates.call, 1e6 * rates.latency,
      rates.bandwidth / 1e9);
  return out;
}

}  // namespace gdkm::cli
