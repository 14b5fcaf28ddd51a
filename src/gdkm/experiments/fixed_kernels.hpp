#pragma once

#include <set>
#include <vector>

#include "gdkm/store/stored_run.hpp"
#include "gdkm/support/enum_names.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// A kernel that no training changes: what a learned one is compared with.
struct FixedKernel {
  enum class Kind { exact, landmarks, fixed_inducing };

  Kind kind = Kind::exact;
  Summary val, test;  // as summarise_runs summarises them
  std::vector<std::int64_t> runs;

  /// The lines of several kernels in one chart differ in this number: see colours.hpp.
  int style() const { return 2 + static_cast<int>(kind); }
};

template <>
struct EnumNames<FixedKernel::Kind> {
  static constexpr std::string_view names[] = {"exact NNGP", "landmark NNGP",
                                               "NNGP at fixed inducing points"};
};

/// The fixed kernels among the finished runs of one data set, at most one of each kind. Their options agree
/// with `held`, those of a curve, wherever both have them, apart from ν and the scheme; of several settings
/// the one with the best validation score is taken. A kernel counts only if it has runs on all of `splits`,
/// and those alone are taken.
std::vector<FixedKernel> fixed_kernels(const std::vector<const StoredRun*>& runs, const nlohmann::json& held,
                                       const std::set<int>& splits);

}  // namespace gdkm
