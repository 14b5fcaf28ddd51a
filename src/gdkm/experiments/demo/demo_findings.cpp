#include "gdkm/experiments/demo/demo_findings.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gdkm/experiments/number_text.hpp"

namespace gdkm {

namespace {

/// The finite ν whose cells have the highest mean of `score`: chosen without the test nodes.
template <class Score>
std::size_t best_nu(std::size_t count, Score score) {
  std::size_t best = 1;
  for (std::size_t k = 2; k < count; ++k) {
    if (score(k) > score(best)) best = k;
  }
  return best;
}

std::string signed_number(double value, int decimals) {
  const std::string out = number_text(value, decimals);
  return value > 0 && out.find_first_not_of("0.") != std::string::npos ? "+" + out : out;
}

std::string headline(const Summary& low, const Summary& high) {
  const bool gains_low = is_clear(low) && low.mean > 0, gains_high = is_clear(high) && high.mean > 0;
  if (gains_low && low.mean > 2 * std::abs(high.mean)) {
    if (!is_clear(high)) {
      return "Learning the kernel helps where neighbours differ; where they agree it makes no clear "
             "difference.";
    }
    return high.mean > 0
               ? "Learning the kernel helps most where neighbours differ."
               : "Learning the kernel helps where neighbours differ, and costs a little where they agree.";
  }
  if (gains_low && gains_high)
    return "Learning the kernel helps where neighbours differ and where they agree.";
  if (gains_high)
    return "Here, learning the kernel helps where neighbours agree rather than where they differ.";
  if (gains_low) return "Learning the kernel helps where neighbours differ.";
  if (is_clear(low) && low.mean < 0) return "Here, learning the kernel hurts where neighbours differ.";
  return "These runs show no clear effect of learning the kernel where neighbours differ.";
}

std::string at_one_end(const DemoPlan& plan, const DemoResults& results, std::size_t row, std::size_t nu,
                       const Summary& gain) {
  return fmt::format(
      "at homophily {:g} the NNGP is right for {:.1f} % of the test nodes and the DKM for {:.1f} % ({} ± "
      "{:.1f} points{})",
      plan.homophily[row], results.graphs[row][0].accuracy().mean, results.graphs[row][nu].accuracy().mean,
      signed_number(gain.mean, 1), standard_error(gain), is_clear(gain) ? "" : ", no clear difference");
}

std::string kernel_sentence(const DemoPlan& plan, const DemoResults& results, std::size_t nu) {
  std::string out;
  for (const DemoPictures& shown : results.pictures) {
    out += fmt::format(
        "{}At homophily {:g}, the cosine between two nodes of different classes is {} on average at ν = ∞ "
        "and {} "
        "at ν = {}; the alignment of the kernel with the labels (CKA) is {:.2f} and {:.2f}.",
        out.empty() ? "" : " ", shown.homophily,
        number_text(between_classes(shown.by_nu[0], shown.labels), 2),
        number_text(between_classes(shown.by_nu[nu], shown.labels), 2), nu_name(plan.nu[nu]), shown.cka[0],
        shown.cka[nu]);
  }
  return out;
}

std::string board_sentence(const DemoPlan& plan, const DemoResults& results, const DemoFindings& found) {
  const DemoCell &fixed = results.boards[0], &learned = results.boards[found.board_nu];
  const char* verb = !is_clear(found.board_auc) ? "makes no clear difference to how well mines are ranked"
                     : found.board_auc.mean > 0 ? "ranks mines better"
                                                : "ranks mines worse";
  return fmt::format(
      "On Minesweeper, learning the kernel {}: AUC {:.3f} at ν = {} against {:.3f} at ν = ∞ ({} ± "
      "{:.3f}). Always saying “no mine” is right for {:.1f} % of the cells.",
      verb, learned.auc().mean, nu_name(plan.nu[found.board_nu]), fixed.auc().mean,
      signed_number(found.board_auc.mean, 3), standard_error(found.board_auc), results.board_majority);
}

}  // namespace

bool is_clear(const Summary& difference) {
  return difference.count > 1 && std::abs(difference.mean) > 2 * standard_error(difference);
}

DemoFindings find_in(const DemoPlan& plan, const DemoResults& results) {
  DemoFindings out;
  const std::size_t last = plan.homophily.size() - 1;
  out.nu = best_nu(plan.nu.size(), [&](std::size_t k) {
    double sum = 0;
    for (const auto& row : results.graphs) sum += row[k].val_accuracy().mean;
    return sum;
  });
  out.heterophilous = mean_and_std(results.gains(0, out.nu));
  out.homophilous = mean_and_std(results.gains(last, out.nu));
  out.board_nu =
      best_nu(plan.nu.size(), [&](std::size_t k) { return results.boards[k].val_accuracy().mean; });
  std::vector<double> auc;
  for (std::size_t k = 0; k < results.boards[0].runs.size(); ++k) {
    auc.push_back(results.boards[out.board_nu].runs[k].test.value().auc.value_or(NAN) -
                  results.boards[0].runs[k].test.value().auc.value_or(NAN));
  }
  out.board_auc = mean_and_std(auc);

  out.headline = headline(out.heterophilous, out.homophilous);
  out.detail = fmt::format(
      "With ν = {}, which validation prefers: {}; {}. Means over {} graphs ± one standard "
      "error of the paired difference.",
      nu_name(plan.nu[out.nu]), at_one_end(plan, results, 0, out.nu, out.heterophilous),
      at_one_end(plan, results, last, out.nu, out.homophilous), plan.graphs);
  out.kernels = kernel_sentence(plan, results, out.nu);
  out.boards = board_sentence(plan, results, out);
  return out;
}

}  // namespace gdkm
