#include "gdkm/experiments/number_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gdkm {

namespace {

int score_decimals(bool regression) {
  return regression ? 4 : 2;
}

}  // namespace

std::string nu_option(double nu) {
  return std::isinf(nu) ? "inf" : fmt::format("{:g}", nu);
}

std::string nu_name(double nu) {
  return std::isinf(nu) ? "∞" : nu_option(nu);
}

std::string model_name(double nu) {
  return fmt::format("{} (ν = {})", std::isinf(nu) ? "NNGP" : "DKM", nu_name(nu));
}

std::string number_text(double value, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
  return value < 0 && digits.find_first_not_of("0.") != std::string::npos ? "−" + digits : digits;
}

std::string grouped_digits(double value, int decimals, std::string_view separator) {
  std::string out = fmt::format("{:.{}f}", value, decimals);
  if (out[0] == '-' && out.find_first_not_of("-0.") == std::string::npos) out.erase(0, 1);
  const auto point = out.find('.');
  auto at = static_cast<std::ptrdiff_t>(point == std::string::npos ? out.size() : point) - 3;
  for (; at > (out[0] == '-' ? 1 : 0); at -= 3) out.insert(static_cast<std::size_t>(at), separator);
  return out;
}

std::string score_text(double value, bool regression) {
  return fmt::format("{:.{}f}", value, score_decimals(regression));
}

std::string score_text(const Summary& summary, bool regression) {
  return mean_text(summary, score_decimals(regression));
}

std::string mean_text(const Summary& summary, int decimals) {
  if (std::isnan(summary.mean)) return "-";
  const std::string mean = fmt::format("{:.{}f}", summary.mean, decimals);
  return summary.count > 1 ? fmt::format("{} ± {:.{}f}", mean, summary.std, decimals) : mean;
}

std::string interval_text(double mean, double half, int decimals) {
  const std::string text = fmt::format("{:.{}f}", mean, decimals);
  return std::isnan(half) ? text : fmt::format("{} ± {:.{}f}", text, half, decimals);
}

std::string score_title(const std::string& part, bool classes, bool numbers) {
  return part + (numbers ? (classes ? " %/R2" : " R2") : " %");
}

}  // namespace gdkm
