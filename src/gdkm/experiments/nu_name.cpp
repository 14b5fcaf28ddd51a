#include "gdkm/experiments/nu_name.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gdkm {

std::string nu_option(double nu) {
  return std::isinf(nu) ? "inf" : fmt::format("{:g}", nu);
}

std::string nu_name(double nu) {
  return std::isinf(nu) ? "∞" : nu_option(nu);
}

std::string model_name(double nu) {
  return fmt::format("{} (ν = {})", std::isinf(nu) ? "NNGP" : "DKM", nu_name(nu));
}

}  // namespace gdkm
