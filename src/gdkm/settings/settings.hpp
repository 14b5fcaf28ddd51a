#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/dataset/preprocessing.hpp"
#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/models/exact/exact_network.hpp"
#include "gdkm/models/gcn/gcn_config.hpp"
#include "gdkm/models/model_config.hpp"
#include "gdkm/settings/members.hpp"
#include "gdkm/training/train_options.hpp"

namespace gdkm {

/// dkm learns kernels; nngp is the dkm at ν = ∞; gcn is the network of finite width.
enum class ModelKind { dkm, nngp, gcn };

template <>
struct EnumNames<ModelKind> {
  static constexpr std::string_view names[] = {"dkm", "nngp", "gcn"};
};

enum class Precision { float32, float64 };

template <>
struct EnumNames<Precision> {
  static constexpr std::string_view names[] = {"float32", "float64"};
};

/// Which splits of the data are used.
struct SplitOptions {
  std::string set = "public";
  std::optional<SplitSpec> random;  // random splits in place of the data's own
  std::uint64_t seed = 0;           // of random splits
  int count = 1;                    // the first so many; 0 for all
  double conformal = 0;             // the share of validation items to keep apart: see Split
};

/// Everything that a training is told. Each option is one entry of option_table.cpp, which says what it means
/// and when it has an effect. The same settings, threads and machine give the same results.
struct Settings {
  ModelKind model = ModelKind::dkm;
  bool exact = false;      // without inducing points
  bool landmarks = false;  // of the nngp: GP regression with inducing points that stay where they are
  ModelConfig config;      // arch, layers, lambda, kernel and pooling hold for the other models, too
  ExactNetwork network = ExactNetwork::gcn;
  double noise = 0.1;  // σ² of the full-rank DKM's likelihood
  GcnOptions gcn;
  TrainOptions training;
  Preprocessing preprocessing;
  SplitOptions split;
  int seeds = 1;
  Precision precision = Precision::float32;
  DeviceChoice device;
  int jobs = 0;  // runs at a time; 0: as suits the device
  /// What the members of a committee have in place of the above; empty: one model.
  std::vector<MemberOptions> members;

  /// Whether the model has inducing points.
  bool is_sparse() const { return model != ModelKind::gcn && !exact; }
  /// Whether the model predicts on the graph that it was trained on, and on no other.
  bool belongs_to_graph() const {
    return exact || preprocessing.structure_features || (is_sparse() && config.scheme == Scheme::intra);
  }
  /// Whether ν is chosen on validation items.
  bool chooses_nu() const { return model == ModelKind::dkm && config.nu.empty(); }
  /// Whether it computes with Dense, whose threads are those of the process: one such run at a time.
  bool uses_dense() const { return exact || landmarks; }
  /// The precision that the model computes in: exact models always use float64.
  Precision arithmetic() const { return exact ? Precision::float64 : precision; }
};

}  // namespace gdkm
