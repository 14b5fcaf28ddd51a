#pragma once

#include <string>

namespace gdkm {

/// ν as people write it: "∞", "10", "0.1".
std::string nu_name(double nu);
/// "NNGP (ν = ∞)" or "DKM (ν = 0.1)".
std::string model_name(double nu);
/// ν as the command line and JSON spell it: "inf", "0.1".
std::string nu_option(double nu);

}  // namespace gdkm
