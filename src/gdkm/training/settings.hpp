#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "gdkm/dataset/preprocessing.hpp"
#include "gdkm/models/gcn/gcn_config.hpp"
#include "gdkm/models/model_config.hpp"
#include "gdkm/support/enum_names.hpp"
#include "gdkm/training/train_options.hpp"

namespace gdkm {

enum class Precision { float32, float64 };

template <>
struct EnumNames<Precision> {
  static constexpr std::string_view names[] = {"float32", "float64"};
};

/// Whose kernel exact regression uses: an infinitely wide graph network's, or one without a graph.
enum class ExactNetwork { gcn, sage, gin, gcnii, rbf, linear };

template <>
struct EnumNames<ExactNetwork> {
  static constexpr std::string_view names[] = {"gcn", "sage", "gin", "gcnii", "rbf", "linear"};
};

/// Everything that `gdkm train` is told, typed. The same settings, threads and machine give the same results.
struct Settings {
  std::string data;
  std::string model = "dkm";  // or nngp: the dkm at ν = ∞; or gcn
  bool exact = false;         // without inducing points: see exact_learner.hpp
  ExactNetwork network = ExactNetwork::gcn;
  double noise = 0.1;  // σ² of the full-rank DKM's likelihood
  GcnConfig gcn;
  int patience = 100;  // of the gcn
  ModelConfig config;
  TrainOptions training;
  Preprocessing preprocessing;
  std::string split_set = "public";
  std::string split;  // random splits in place of the data's own: 60/20/20, per-class=20; see split_spec
  std::uint64_t split_seed = 0;
  int seeds = 1;
  int splits = 1;  // 0 for all
  Precision precision = Precision::float32;
  std::string device = "cpu";  // or cuda, cuda:N
  bool tf32 = false;           // of cuda: products with many rows in TF32
  int threads = 0;             // 0 for all cores
  int jobs = 0;                // runs at a time; 0: as suits the device
  /// Whether the model has inducing points.
  bool is_sparse_dkm() const { return model != "gcn" && !exact; }

  bool keep_model = true;  // whether a study hands out the best model
};

/// {"nu": …, "scheme": …}: the options under the names of the command line.
nlohmann::ordered_json to_json(const Settings& settings);
/// The inverse; an InputError that starts with `where` when a value is missing or impossible.
Settings settings_from_json(const nlohmann::ordered_json& json, const std::string& where);

}  // namespace gdkm
