#include "gdkm/fitting/fitted_model.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "gdkm/fitting/committee_content.hpp"
#include "gdkm/fitting/exact_learner.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/fitting/model_content.hpp"
#include "gdkm/fitting/model_tensors.hpp"
#include "gdkm/fitting/trained_models.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/option_mention.hpp"
#include "gdkm/training/own_items.hpp"

namespace gdkm {

namespace {

/// Rows of graphs, from those of their nodes.
NodeFeatures pooled(const NodeFeatures& nodes, const std::vector<std::int32_t>& start, Pooling how) {
  NodeFeatures out{nodes.width, {}, {}};
  const auto width = static_cast<std::size_t>(nodes.width);
  for (std::size_t g = 0; g + 1 < start.size(); ++g) {
    std::vector<double> sum(width, 0.0);
    for (auto node = start[g]; node < start[g + 1]; ++node) {
      for (std::size_t c = 0; c < width; ++c)
        sum[c] += nodes.values[static_cast<std::size_t>(node) * width + c];
    }
    const double size = std::max(1.0, static_cast<double>(start[g + 1] - start[g]));
    for (const double value : sum) out.values.push_back(how == Pooling::mean ? value / size : value);
  }
  return out;
}

void check_nodes(const std::vector<std::int32_t>& nodes, Index count) {
  for (const auto node : nodes) {
    if (node < 0 || node >= count)
      throw InputError(fmt::format("node {}: the graph has nodes 0 to {}; use these", node, count - 1));
  }
}

/// Some model of a file, on some device.
class LoadedModel {
 public:
  virtual ~LoadedModel() = default;
  virtual std::vector<double> predict(const Problem& problem) = 0;
  virtual NodeFeatures features(const Problem& problem, int layer) = 0;
  virtual std::vector<NodeFeatures> inducing_features(const Problem& problem) = 0;
};

template <class T, class Config>
class Loaded final : public LoadedModel {
 public:
  Loaded(Backend<T>& backend, const Config& config, const TensorFile& file, const ModelCard& card,
         const std::filesystem::path& path)
      : ranks_(backend.ranks()),
        model_(from_tensors<Model>(backend, config, file, card, path)),
        options_(card.settings.training),
        calibration_(card.run.calibration) {}

  std::vector<double> predict(const Problem& problem) override {
    return TrainedModel<Config>::predict(*model_, shared(problem), options_, calibration_, nullptr);
  }
  NodeFeatures features(const Problem& problem, int layer) override {
    return gdkm::features(*model_, shared(problem), layer);
  }
  std::vector<NodeFeatures> inducing_features(const Problem& problem) override {
    return gdkm::inducing_features(*model_, shared(problem));
  }

 private:
  Problem shared(const Problem& problem) const {
    return ranks_ == nullptr ? problem : share_out(problem, {}, *ranks_, options_.batches.batches == 1);
  }

  using Model = typename TrainedModel<Config>::template Type<T>;
  Communicator* ranks_;
  std::unique_ptr<Model> model_;
  TrainOptions options_;
  std::optional<Calibration> calibration_;
};

class SavedContent final : public FittedModel::Content {
 public:
  SavedContent(TensorFile tensors, const DeviceChoice& device, std::filesystem::path path)
      : Content(read_card(tensors, path)),
        tensors_(std::move(tensors)),
        choice_(device),
        path_(std::move(path)) {}

  ~SavedContent() override { leave_if_forked(); }

  const TensorFile& tensors() const override { return tensors_; }
  Predictions predict(const Dataset& dataset) const override {
    const PredictionData data = prepare_for(card(), dataset, path_, choice_.ranks.get());
    const std::lock_guard lock(mutex_);
    return named(model().predict(data.problem), data.dataset, is_training_data(data));
  }
  NodeFeatures features(const Dataset& dataset, int layer, FeatureRows of) const override {
    if (of == FeatureRows::nodes && card().settings.preprocessing.makes_rows())
      throw InputError(fmt::format(
          "{}: the model has no features of nodes, because {} made one row of each graph before "
          "the model saw it; ask for features of graphs",
          path_.string(), option("pool_features", name_of(card().settings.preprocessing.pool_features))));
    const PredictionData data = prepare_for(card(), dataset, path_, choice_.ranks.get());
    const std::lock_guard lock(mutex_);
    NodeFeatures out = model().features(data.problem, layer);
    if (of == FeatureRows::items && data.dataset.task == Task::graph)
      return pooled(out, data.dataset.graph_start, card().settings.config.pooling);
    out.names = data.dataset.node_names;
    return out;
  }
  std::vector<NodeFeatures> inducing_features(const Dataset& dataset) const override {
    const PredictionData data = prepare_for(card(), dataset, path_, choice_.ranks.get());
    const std::lock_guard lock(mutex_);
    return model().inducing_features(data.problem);
  }
  bool was_trained_on(const Dataset& dataset) const override {
    return is_training_data(prepare_for(card(), dataset, path_, choice_.ranks.get()));
  }
  Dense kernel(const Dataset& dataset, const std::vector<std::int32_t>& rows,
               const std::vector<std::int32_t>& columns, int layer, FeatureRows of) const override {
    const NodeFeatures all = features(dataset, layer, of);
    const Index nodes = all.width == 0 ? 0 : static_cast<Index>(all.values.size()) / all.width;
    check_nodes(rows, nodes);
    check_nodes(columns, nodes);
    Dense out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    for (Index r = 0; r < out.rows; ++r) {
      const double* left = all.values.data() + rows[static_cast<std::size_t>(r)] * all.width;
      for (Index c = 0; c < out.cols; ++c) {
        const double* right = all.values.data() + columns[static_cast<std::size_t>(c)] * all.width;
        out(r, c) = std::inner_product(left, left + all.width, right, 0.0);
      }
    }
    return out;
  }

 private:
  bool is_training_data(const PredictionData& data) const {
    return data.problem.nodes() == card().nodes &&
           fingerprint(data.dataset, data.problem.relations, card().settings.preprocessing) == card().graph;
  }
  /// A process that was forked has none of its parent's threads, and none of its devices: what waits for them
  /// can neither be used nor taken down.
  void leave_if_forked() const {
    if (process_ == getpid()) return;
    process_ = getpid();
    static_cast<void>(model_.release());
    static_cast<void>(device_.release());
  }
  /// Made when it is first wanted.
  LoadedModel& model() const {
    leave_if_forked();
    if (model_) return *model_;
    device_ = std::make_unique<ComputeDevice>(choice_, card().settings.precision);
    std::visit(
        [&]<class Config>(const Config& config) {
          if constexpr (HasTrainedModel<Config>) {
            device_->visit([&]<class T>(Backend<T>& backend) {
              model_ = std::make_unique<Loaded<T, Config>>(backend, config, tensors_, card(), path_);
            });
          } else {
            throw InputError(path_.string() + ": exact models are not saved, and this file says it is one");
          }
        },
        model_choice(card().settings));
    return *model_;
  }

  TensorFile tensors_;
  DeviceChoice choice_;
  std::filesystem::path path_;
  mutable std::mutex mutex_;  // of what follows
  mutable pid_t process_ = getpid();
  mutable std::unique_ptr<ComputeDevice> device_;
  mutable std::unique_ptr<LoadedModel> model_;
};

class ExactContent final : public FittedModel::Content {
 public:
  ExactContent(ModelCard card, std::shared_ptr<const PreparedData> data,
               std::shared_ptr<ExactLearner> learner)
      : Content(std::move(card)), data_(std::move(data)), learner_(std::move(learner)) {}

  const TensorFile& tensors() const override {
    learner_->model_file(card());  // which says why there are none
    throw std::logic_error("an exact model has no tensors");
  }
  TensorFile state() const override {
    const std::lock_guard lock(mutex_);
    return learner_->save_state();
  }
  Predictions predict(const Dataset& dataset) const override {
    check_same(dataset);
    const std::lock_guard lock(mutex_);
    return named(learner_->predict(), data_->dataset, true);
  }
  bool was_trained_on(const Dataset& dataset) const override {
    return fingerprint(dataset, false) == data_->fingerprint;
  }
  NodeFeatures features(const Dataset& /*dataset*/, int /*layer*/, FeatureRows /*of*/) const override {
    throw InputError("an exact model has a kernel and no features; use its kernel, or train without " +
                     option("exact"));
  }
  std::vector<NodeFeatures> inducing_features(const Dataset& /*dataset*/) const override {
    throw InputError("an exact model has no inducing points; use its kernel, or train without " +
                     option("exact"));
  }
  Dense kernel(const Dataset& dataset, const std::vector<std::int32_t>& rows,
               const std::vector<std::int32_t>& columns, int layer, FeatureRows /*of*/) const override {
    check_same(dataset);
    if (layer != -1)
      throw InputError(fmt::format("layer {}: of exact models only the last kernel is kept; use -1", layer));
    const std::lock_guard lock(mutex_);
    const DenseThreads threads(card().settings.device.threads);
    const Dense all = learner_->kernel();
    check_nodes(rows, all.rows);
    check_nodes(columns, all.rows);
    Dense out(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
    for (Index r = 0; r < out.rows; ++r) {
      for (Index c = 0; c < out.cols; ++c)
        out(r, c) = all(rows[static_cast<std::size_t>(r)], columns[static_cast<std::size_t>(c)]);
    }
    return out;
  }

 private:
  void check_same(const Dataset& dataset) const {
    if (was_trained_on(dataset)) return;
    throw InputError(
        fmt::format("an exact model belongs to the data it was trained on ({}), and this is other data; "
                    "train without {} to "
                    "predict on new data",
                    card().data, option("exact")));
  }

  std::shared_ptr<const PreparedData> data_;
  std::shared_ptr<ExactLearner> learner_;
  mutable std::mutex mutex_;
};

}  // namespace

FittedModel fitted_model(TensorFile tensors, const DeviceChoice& device, std::filesystem::path path) {
  if (auto committee = committee_content(tensors, device, path)) return FittedModel(std::move(committee));
  return FittedModel(std::make_shared<SavedContent>(std::move(tensors), device, std::move(path)));
}

FittedModel fitted_model(ModelCard card, std::shared_ptr<const PreparedData> data,
                         std::shared_ptr<Learner> learner) {
  return FittedModel(std::make_shared<ExactContent>(std::move(card), std::move(data),
                                                    std::dynamic_pointer_cast<ExactLearner>(learner)));
}

Predictions FittedModel::predict(const Dataset& dataset) const {
  return content_->predict(dataset);
}
NodeFeatures FittedModel::features(const Dataset& dataset, int layer, FeatureRows of) const {
  return content_->features(dataset, layer, of);
}
std::vector<NodeFeatures> FittedModel::inducing_features(const Dataset& dataset) const {
  return content_->inducing_features(dataset);
}
Dense FittedModel::kernel(const Dataset& dataset, const std::vector<std::int32_t>& rows,
                          const std::vector<std::int32_t>& columns, int layer, FeatureRows of) const {
  return content_->kernel(dataset, rows, columns, layer, of);
}
std::vector<FittedModel> FittedModel::members() const {
  return content_->members();
}
bool FittedModel::was_trained_on(const Dataset& dataset) const {
  return content_->was_trained_on(dataset);
}
const ModelCard& FittedModel::card() const {
  return content_->card();
}
const TensorFile& FittedModel::tensors() const {
  return content_->tensors();
}
TensorFile FittedModel::state() const {
  return content_->state();
}
void FittedModel::save(const std::filesystem::path& path) const {
  write_safetensors(path, tensors());
}
FittedModel FittedModel::load(const std::filesystem::path& path, const DeviceChoice& device) {
  return fitted_model(read_safetensors(path), device, path);
}

}  // namespace gdkm
