#include "gdkm/training/dkm_trainable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/support/error.hpp"
#include "gdkm/training/class_weights.hpp"
#include "gdkm/training/dkm_batch.hpp"
#include "gdkm/training/item_weights.hpp"

namespace gdkm {

namespace {

/// Numbers to predict are trained on with mean 0 and variance 1.
struct TargetScale {
  std::vector<double> mean, deviation;
};

TargetScale scale_of_targets(const Problem& problem, const std::vector<std::int32_t>& train) {
  const auto k = static_cast<std::size_t>(problem.targets);
  const auto weight = [&](std::int32_t item) {
    return problem.item_weight.empty() ? 1.0 : problem.item_weight[static_cast<std::size_t>(item)];
  };
  double sum = 0;
  for (const auto item : train) sum += weight(item);
  const double count = sum > 0 ? sum : 1.0;
  TargetScale out{std::vector<double>(k), std::vector<double>(k)};
  const auto target = [&](std::int32_t item, std::size_t c) {
    return static_cast<double>(problem.target[static_cast<std::size_t>(item) * k + c]);
  };
  for (std::size_t c = 0; c < k; ++c) {
    for (const auto item : train) out.mean[c] += weight(item) * target(item, c) / count;
    for (const auto item : train)
      out.deviation[c] += weight(item) * std::pow(target(item, c) - out.mean[c], 2) / count;
    out.deviation[c] = out.deviation[c] > 0 ? std::sqrt(out.deviation[c]) : 1.0;
  }
  return out;
}

template <class T>
class DkmTrainable final : public Trainable<T> {
 public:
  DkmTrainable(Dkm<T>& model, const Problem& problem, const std::vector<std::int32_t>& train,
               const TrainOptions& options)
      : model_(model),
        options_(options),
        class_weights_(weights_of_classes(options.class_weights, problem, train)),
        item_weights_(weights_of_items(class_weights_, problem)),
        steps_{options.seed, static_cast<double>(train.size())} {
    model.declare_parameters();
    model.initialise(choose_inducing_points(problem.relations, problem.features, model.config(), options.init,
                                            options.seed, nodes_of_training_graphs(problem, train),
                                            is_natural() ? many_rounds : few_rounds,
                                            problem.to_be_asked(model.backend().ranks())));
    const auto x = model.parameters().get("X_i");
    double square = 0;
    for (const T value : x) square += static_cast<double>(value) * static_cast<double>(value);
    size_of_inputs_ = std::sqrt(square / static_cast<double>(x.size()));
    if (is_natural()) natural_ = std::make_unique<NaturalInference<T>>(model);
    if (!problem.is_regression()) return;
    scale_ = scale_of_targets(problem, train);
    const auto keep = [&](const std::string& name, const std::vector<double>& values) {
      model.parameters().set(name, std::vector<T>(values.begin(), values.end()));
    };
    keep("readout.target_mean", scale_.mean);  // the model predicts on the scale of the targets
    keep("readout.target_scale", scale_.deviation);
  }

  Backend<T>& backend() override { return model_.backend(); }
  Parameters<T>& parameters() override { return model_.parameters(); }
  Parameters<T>* statistics() override { return natural_ ? &natural_->state() : nullptr; }
  typename Trainable<T>::Reach reach() const override {
    // Centred kernels subtract the mean over all nodes.
    return {model_.config().hops(), model_.inducing_nodes(), model_.config().center};
  }
  bool keeps_best_epoch() const override { return is_natural(); }
  int validation_interval() const override { return 10; }

  /// Rates of natural inference, as multiples of that of a number of order 1. Adam moves every entry of a
  /// parameter by its rate: entries of X_i by a share of their size, and those of L so that L, as a whole,
  /// moves alike for any number of inducing points.
  double rate_factor(const std::string& parameter) const override {
    if (parameter == "X_i" && options_.fixed_inducing) return 0;
    if (!is_natural()) return 1;
    if (parameter == "readout.mu" || parameter == "readout.L_sigma") return 0;
    if (parameter == "X_i") return 3 * size_of_inputs_;
    if (parameter.ends_with(".L")) {
      const Parameters<T>& all = model_.parameters();
      const auto rows = static_cast<double>(all.value(all.find(parameter)).rows);
      return std::min(1.0, 2 / std::sqrt(rows));
    }
    return 5;  // scales, constants and noise
  }

  const std::vector<double>& class_weights() const override { return class_weights_; }
  std::unique_ptr<TrainingBatch<T>> upload(const Problem& problem, const Batch& given) override {
    Batch batch = given;
    order_by_weight(item_weights_, batch);
    Backend<T>& backend = model_.backend();
    const OwnItems own = own_items(batch.part, batch.item, backend.ranks());
    const auto items = own.select(batch.whole);
    auto weights = weight_runs(item_weights_, items);
    Labels labels;
    Targets<T> targets;
    if (problem.is_regression()) {
      targets = {ItemRows(backend, own.row),
                 Matrix<T>(backend, static_cast<Index>(items.size()), problem.targets,
                           standardised(problem, items), Space::nodes),
                 std::move(weights)};
    } else {
      labels = {ItemRows(backend, own.row), Buffer<std::int32_t>(backend, own.select(batch.label)),
                std::move(weights)};
      // Draws depend on the number of an item among all, whichever rank has it.
      if (backend.ranks() != nullptr) labels.number = Buffer<std::int32_t>(backend, own.place);
    }
    auto out = std::make_unique<DkmBatch<T>>(model_, steps_, natural_.get(), inputs_of(model_, batch.part),
                                             std::move(labels), std::move(targets), own);
    batches_.push_back(out.get());
    steps_.batches = static_cast<double>(batches_.size());
    return out;
  }
  std::unique_ptr<ValidationBatch<T>> upload_validation(const Problem& /*problem*/,
                                                        const Batch& batch) override {
    return std::make_unique<DkmValidationBatch<T>>(model_, inputs_of(model_, batch.part), batch);
  }

  void begin() override {
    if (!natural_) return;
    with_features([&] {
      for (DkmBatch<T>* batch : batches_) visit(*batch, [&] { batch->start_sites(); });
      solve();
      choose_scale();
    });
  }
  void refine() override {
    if (!natural_) return;
    with_features([&] {
      solve();  // the features have moved, and take q(W) with them
      improve(rounds_before_validation, model_.config().samples);
    });
  }
  void finish() override {
    if (!natural_) return;
    with_features([&] {
      // What was kept is only replaced by something better.
      const auto kept = model_.parameters().values();
      std::vector<T> values(static_cast<std::size_t>(kept.size()));
      model_.backend().download(kept.data, values.data(), values.size() * sizeof(T));
      const bool exact = steps_.n_train * static_cast<double>(model_.classes()) <= most_by_quadrature;
      // Rows of all items are on one device where no ranks share them.
      const bool rows = exact && keeps_layers() && !model_.config().regression &&
                        model_.backend().ranks() == nullptr && is_lost_in_sums();
      if (rows) {
        Index items = 0;
        for (const DkmBatch<T>* batch : batches_) items += batch->items();
        natural_->posterior().use_rows(items);
      }
      const double before = update(exact ? by_quadrature : last_pairs, 1);
      if (!exact) improve(rounds_at_the_end, pairs_at_the_end);
      const double after =
          exact ? improve(rounds_at_the_end, by_quadrature) : improve(last_rounds, last_pairs);
      natural_->posterior().use_rows(0);
      if (!(after < before - (exact ? 0 : 1e-3) * std::abs(before))) return;
      model_.backend().upload(values.data(), kept.data, values.size() * sizeof(T));
      refresh();
    });
  }

 private:
  std::vector<T> standardised(const Problem& problem, const std::vector<std::int32_t>& items) const {
    std::vector<T> out;
    const std::size_t k = scale_.mean.size();
    for (const auto item : items) {
      for (std::size_t c = 0; c < k; ++c) {
        const auto y = static_cast<double>(problem.target[static_cast<std::size_t>(item) * k + c]);
        out.push_back(static_cast<T>((y - scale_.mean[c]) / scale_.deviation[c]));
      }
    }
    return out;
  }

  double largest_weight() const {
    return item_weights_.empty() ? 1 : *std::max_element(item_weights_.begin(), item_weights_.end());
  }

  bool is_natural() const { return options_.inference != Inference::paper; }

  /// The identity in the sums of sites, which are of the order of n_train · kernel / width, by rounding.
  bool is_lost_in_sums() {
    const double size = mean_kernel() * steps_.n_train / static_cast<double>(natural_->posterior().width());
    return size * static_cast<double>(std::numeric_limits<T>::epsilon()) > 1e-3;
  }
  /// Over all training items.
  double mean_kernel() {
    double mean = 0;
    for (DkmBatch<T>* batch : batches_) {
      visit(*batch, [&] { mean += batch->sum_of_kernel() / steps_.n_train; });
    }
    return mean;
  }

  bool keeps_layers() const { return batches_.front()->is_built(); }

  /// Of a batch in the means over all nodes, when batches come in their order: see Center.
  double mean_weight(const DkmBatch<T>& batch) const {
    double nodes = 0;
    for (const DkmBatch<T>* each : batches_) {
      nodes += static_cast<double>(each->nodes());
      if (each == &batch) break;
    }
    return static_cast<double>(batch.nodes()) / nodes;
  }

  /// Calls `work` with the features of all batches as the parameters make them, where their layers are kept.
  template <class Work>
  void with_features(const Work& work) {
    if (keeps_layers()) {
      for (DkmBatch<T>* batch : batches_) {
        batch->set_mean_weight(mean_weight(*batch));
        batch->forward();
      }
    }
    work();
  }
  /// Calls `work` with the layers of a batch, which may exist for this alone.
  template <class Work>
  void visit(DkmBatch<T>& batch, const Work& work) {
    const bool builds = !batch.is_built();
    if (builds) {
      batch.build();
      batch.set_mean_weight(mean_weight(batch));
      batch.forward();
    }
    work();
    if (builds) batch.release();
  }

  /// Makes q(W) of the sites as they are.
  void solve() {
    for (DkmBatch<T>* batch : batches_) visit(*batch, [&] { batch->solve(); });
    refresh();
  }
  void refresh() {
    for (DkmBatch<T>* batch : batches_) {
      if (batch->is_built()) batch->refresh();
    }
  }
  /// New sites for q(W) as it is, and their sums; returns its ELBO without the KL divergences of Gram layers.
  double update(Index pairs, double rate) {
    double elbo = 0;
    Index first = 0;
    for (DkmBatch<T>* batch : batches_) {
      visit(*batch, [&] {
        const Objective part = batch->update(pairs, rate);
        if (natural_->posterior().uses_rows()) batch->weigh_rows(first);
        first += batch->items();
        elbo += part.expected_log_likelihood;
        if (batch == batches_.back()) elbo -= model_.config().temper * part.kl_weights;
      });
    }
    return elbo;
  }

  /// Updates all sites and q(W), at most so often; ends when the ELBO has stopped to change. Returns the
  /// ELBO. Steps become smaller where it falls. A q(W) that is worse than none starts anew. Without draws
  /// steps are accelerated: see WeightPosterior::go_on.
  double improve(int rounds, Index pairs) {
    if (model_.config().regression) {
      solve();
      return 0;
    }
    if (!keeps_layers()) rounds = std::min(rounds, most_passes);  // each takes a pass over the data
    const double hopeless = -10 * largest_weight() * steps_.n_train *
                            std::log(static_cast<double>(std::max<Index>(2, model_.classes())));
    const bool exact = pairs == by_quadrature;
    double before = -std::numeric_limits<double>::infinity(), rate = 1, rises = 0;
    int steady = 0;
    for (int round = 0; round < rounds; ++round) {
      // The same draws each time, or it would never stop. What they say of β is noisy. Without draws the
      // first β replaces what steps have left; then it goes slowly, because a full step of Σ overshoots.
      const double share = !exact ? 0.7 * rate : round == 0 ? 1 : 0.3 * rate;
      const double elbo = update(pairs, share);
      if (!(elbo > hopeless)) {
        for (DkmBatch<T>* batch : batches_) visit(*batch, [&] { batch->start_sites(); });
        solve();
        rises = 0;
        continue;
      }
      rate = elbo < before ? std::max(0.5 * rate, 0.05) : std::min(1.0, 1.2 * rate);
      rises = elbo < before ? 0 : rises + 1;
      natural_->posterior().move(true, static_cast<T>(rate));
      if (exact) natural_->posterior().go_on(static_cast<T>((rises - 1) / (rises + 2)));
      refresh();
      steady = std::abs(elbo - before) <= (exact ? 5e-6 : 2e-5) * std::abs(elbo) ? steady + 1 : 0;
      if (steady == (exact ? 2 : 1)) return elbo;  // an accelerated step may just turn round
      before = elbo;
    }
    return before;
  }

  /// Where the scale starts: the mean of the output kernel is e at first, and grows by a factor e as long as
  /// the ELBO grows.
  void choose_scale() {
    constexpr int rounds = 6, most = 8;
    if (!model_.config().learned_scale) {
      improve(2 * rounds, model_.config().samples);
      return;
    }
    const double mean = mean_kernel();
    const double unit = mean > 0 && std::isfinite(mean) ? -std::log(mean) : 0;
    const auto at_scale = [&](double log_scale, int how_often) {
      model_.parameters().set("readout.log_scale", {static_cast<T>(unit + log_scale)});
      with_features([] {});
      solve();
      return improve(how_often, model_.config().samples);
    };
    double best = at_scale(1, rounds);
    // Of regression the noise is not known yet: steps find both.
    if (model_.config().regression || !keeps_layers()) return;
    int chosen = 1;
    for (; chosen < most; ++chosen) {
      const double elbo = at_scale(chosen + 1, rounds);
      if (elbo <= best) break;
      best = elbo;
    }
    at_scale(chosen, 2 * rounds);
  }

  Dkm<T>& model_;
  TrainOptions options_;
  std::vector<double> class_weights_, item_weights_;
  DkmSteps steps_;
  TargetScale scale_;
  double size_of_inputs_ = 1;
  std::unique_ptr<NaturalInference<T>> natural_;
  std::vector<DkmBatch<T>*> batches_;  // the trainer's
};

}  // namespace

template <class T>
std::unique_ptr<Dkm<T>> make_model(Backend<T>& backend, const ModelConfig& config, const Problem& problem) {
  ModelConfig with_task = config;
  with_task.regression = problem.is_regression();
  return std::make_unique<Dkm<T>>(backend, with_task, problem.features.cols, problem.outputs());
}

template <class T>
std::unique_ptr<Trainable<T>> make_trainable(Dkm<T>& model, const Problem& problem,
                                             const std::vector<std::int32_t>& train,
                                             const TrainOptions& options) {
  return std::make_unique<DkmTrainable<T>>(model, problem, train, options);
}

#define GDKM_INSTANTIATE(T)                                                                     \
  template std::unique_ptr<Dkm<T>> make_model(Backend<T>&, const ModelConfig&, const Problem&); \
  template std::unique_ptr<Trainable<T>> make_trainable(                                        \
      Dkm<T>&, const Problem&, const std::vector<std::int32_t>&, const TrainOptions&)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
