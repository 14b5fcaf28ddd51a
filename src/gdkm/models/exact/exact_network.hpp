#pragma once

#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// Whose kernel exact regression uses: an infinitely wide graph network's, or one without a graph.
enum class ExactNetwork { gcn, sage, gin, gcnii, mixhop, h2gcn, rgcn, dirgnn, gpr, rbf, linear };

template <>
struct EnumNames<ExactNetwork> {
  static constexpr std::string_view names[] = {"gcn",  "sage",   "gin", "gcnii", "mixhop", "h2gcn",
                                               "rgcn", "dirgnn", "gpr", "rbf",   "linear"};
};

}  // namespace gdkm
