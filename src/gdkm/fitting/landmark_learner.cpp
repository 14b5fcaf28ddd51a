#include "gdkm/fitting/landmark_learner.hpp"

#include <cmath>

#include "gdkm/fitting/model_tensors.hpp"
#include "gdkm/fitting/regression_targets.hpp"
#include "gdkm/fitting/trained_models.hpp"
#include "gdkm/models/exact/feature_regression.hpp"

namespace gdkm {
namespace {

/// Some rows of the features, on the host.
template <class T>
Dense rows_of(Backend<T>& backend, ConstView<T> features, const std::vector<std::int32_t>& rows) {
  Dense out(static_cast<Index>(rows.size()), features.cols);
  if (rows.empty()) return out;
  const Matrix<T> gathered(backend, out.rows, out.cols);
  backend.gather_rows(features, Buffer<std::int32_t>(backend, rows).data(), gathered);
  const auto host = gathered.to_host();
  out.value.assign(host.begin(), host.end());
  return out;
}

/// The lower triangle L as positive_lower takes it: logarithms on the diagonal.
std::vector<double> with_log_diagonal(Dense lower) {
  for (Index j = 0; j < lower.rows; ++j) lower(j, j) = std::log(std::max(lower(j, j), 1e-300));
  return lower.value;
}

template <class T>
class LandmarkLearner final : public Learner {
 public:
  LandmarkLearner(Backend<T>& backend, const LandmarkConfig& config, const TrainOptions& options,
                  const PreparedData& data, const Split& split)
      : threads_(data.settings.device.threads),
        problem_(data.problem),
        split_{labelled(data.problem, split.train), labelled(data.problem, split.val), {}},
        options_(options),
        model_(backend, config, data.problem.features.cols, data.problem.outputs()) {}

  bool finished() const override { return !losses_.empty(); }
  int epoch() const override { return static_cast<int>(losses_.size()); }
  const std::vector<double>& losses() const override { return losses_; }
  double jitter() const override { return jitter_; }

  double step() override {
    model_.declare_parameters();
    model_.initialise(choose_inducing_points(problem_.relations, problem_.features, model_.config(),
                                             options_.init, options_.seed,
                                             nodes_of_training_graphs(problem_, split_.train), many_rounds));
    const double score = fit_readout();
    if (const auto items = calibration_items(options_.inference, problem_, split_); !items.empty())
      calibration_ = calibrate(predict(), problem_.classes, problem_.label, items);
    losses_.push_back(-score);
    return losses_.back();
  }
  std::optional<Calibration> calibration() const override { return calibration_; }

  std::vector<double> predict() override {
    return TrainedModel<LandmarkConfig>::predict(model_, problem_, options_, calibration_, &jitter_);
  }
  TensorFile model_file(const ModelCard& card) override { return to_tensors(model_, card); }
  TensorFile save_state() override { return {}; }  // it is done in one epoch
  void restore_state(const TensorFile& /*state*/, const std::filesystem::path& /*path*/) override {}

 private:
  /// Returns the score of the nugget that it chooses.
  double fit_readout() {
    Dense train, val;
    find_features(train, val);
    const DenseThreads threads(threads_);
    const FeatureRegression regression(std::move(train), targets_of(problem_, split_.train),
                                       problem_.is_regression());
    const NuggetScore score = problem_.is_regression() ? NuggetScore::r_squared : NuggetScore::accuracy;
    const NuggetChoice choice = split_.val.empty()
                                    ? regression.choose_nugget_leaving_one_out()
                                    : regression.choose_nugget(val, targets_of(problem_, split_.val), score);
    keep(regression.weights(choice.nugget));
    return choice.score;
  }

  /// The features that the readout takes, of the nodes to train on and to validate with.
  void find_features(Dense& train, Dense& val) {
    Backend<T>& backend = model_.backend();
    const auto inputs =
        make_inputs<T>(backend, problem_.relations, problem_.features, model_.inducing_nodes(),
                       model_.config().mixes_inputs(), model_.config().degree());
    if (model_.config().center) model_.network(inputs, true)->forward();  // leaves means for prediction
    const auto network = model_.network(inputs, false);
    network->forward();
    network->factorisations().check();
    const View<T> features = network->features().f_t();
    train = rows_of<T>(backend, features, split_.train);
    val = rows_of<T>(backend, features, split_.val);
  }

  void keep(const FeatureWeights& weights) {
    const auto set = [&](const std::string& name, const std::vector<double>& values) {
      model_.parameters().set(name, std::vector<T>(values.begin(), values.end()));
    };
    set("readout.mu", weights.mean.value);
    set("readout.L_sigma", with_log_diagonal(weights.covariance_factor));
    set("readout.bias", weights.constant);
    set("readout.log_noise", {std::log(weights.noise)});
    set("readout.target_scale", std::vector<double>(weights.constant.size(), 1.0));
  }

  int threads_;
  const Problem& problem_;
  Split split_;  // items that have labels
  TrainOptions options_;
  Dkm<T> model_;
  double jitter_ = 0;
  std::optional<Calibration> calibration_;
  std::vector<double> losses_;
};

}  // namespace

template <class T>
std::unique_ptr<Learner> make_landmark_learner(Backend<T>& backend, const LandmarkConfig& config,
                                               const TrainOptions& options, const PreparedData& data,
                                               const Split& split) {
  return std::make_unique<LandmarkLearner<T>>(backend, config, options, data, split);
}

template std::unique_ptr<Learner> make_landmark_learner(Backend<float>&, const LandmarkConfig&,
                                                        const TrainOptions&, const PreparedData&,
                                                        const Split&);
template std::unique_ptr<Learner> make_landmark_learner(Backend<double>&, const LandmarkConfig&,
                                                        const TrainOptions&, const PreparedData&,
                                                        const Split&);

}  // namespace gdkm
