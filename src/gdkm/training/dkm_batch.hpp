#pragma once

#include <fmt/format.h>

#include <cmath>

#include "gdkm/support/error.hpp"
#include "gdkm/training/natural_inference.hpp"
#include "gdkm/training/own_items.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainable.hpp"

namespace gdkm {

/// What the steps of all batches share.
struct DkmSteps {
  std::uint64_t seed = 0;
  double n_train = 0;
  double batches = 0;
};

/// Random numbers of updates outside recorded steps are those of turns that no training reaches.
inline constexpr std::uint32_t first_free_turn = 1u << 30;

template <class T>
class DkmBatch final : public TrainingBatch<T> {
 public:
  /// `natural` is null without natural-gradient inference. `own`: the labelled items, of which labels or
  /// targets are those of this rank.
  DkmBatch(Dkm<T>& model, const DkmSteps& steps, NaturalInference<T>* natural, GraphInputs<T> inputs,
           Labels labels, Targets<T> targets, const OwnItems& own)
      : model_(model),
        steps_(steps),
        natural_(natural),
        inputs_(std::move(inputs)),
        labels_(std::move(labels)),
        targets_(std::move(targets)),
        items_(own.all) {
    if (natural != nullptr) number_ = natural->declare(own.place, own.all);
  }

  Index nodes() const override { return inputs_.all_nodes < 0 ? inputs_.nodes : inputs_.all_nodes; }
  Index items() const override { return items_; }
  void build() override { network_ = model_.network(inputs_, true); }
  void release() override { network_.reset(); }
  bool is_built() const { return network_ != nullptr; }
  void set_mean_weight(double weight) override { network_->set_mean_weight(weight); }

  void compute_gradients(const std::uint32_t* turn) override {
    // Every batch comes once in an epoch: it stands for as many as there are.
    const double repeats = steps_.batches;
    const T scale = static_cast<T>(-1.0 / steps_.n_train);
    network_->forward();
    if (natural_ != nullptr) {
      solve();
      if (!is_regression() && steps_.batches == 1) {  // of several, the sums of the others are older
        Sites<T> sites = natural_->sites(number_);
        network_->update(labels_, stream(1, turn), model_.config().samples, 0, sites);
        network_->add_up(labels_, sites, true);
        natural_->posterior().move(false);
        network_->refresh();
      }
    }
    if (is_regression()) {
      network_->backward(targets_, scale, repeats);
    } else if (natural_ != nullptr) {
      Sites<T> sites = natural_->sites(number_);
      network_->backward(labels_, stream(0, turn), scale, repeats, sites);
    } else {
      network_->backward(labels_, Stream{steps_.seed, Purpose::sampling, 0, turn}, scale, {}, repeats);
    }
  }

  // Outside steps, with the features that forward() left:
  void forward() { network_->forward(); }
  /// Before any q(W).
  void start_sites() {
    Sites<T> sites = natural_->sites(number_);
    if (!is_regression()) network_->start_sites(labels_, sites);
  }
  void solve() {
    Sites<T> sites = natural_->sites(number_);
    if (is_regression()) {
      network_->solve(targets_, sites, natural_->posterior());
    } else {
      network_->solve(labels_, sites, natural_->posterior());
    }
  }
  /// New sites, and their sums for WeightPosterior::move; `rate`: the share of the new β. Returns the
  /// objective of q(W) as it is, with the expected log-likelihood of this batch alone.
  Objective update(Index pairs, double rate) {
    if (is_regression()) return {};
    Sites<T> sites = natural_->sites(number_);
    network_->update(labels_, Stream{steps_.seed, Purpose::sampling, first_free_turn}, pairs, rate, sites);
    network_->add_up(labels_, sites, false);
    Objective out = network_->objective();
    out.expected_log_likelihood /= network_->repeats();
    return out;
  }
  /// The rows of this batch, from column `first` on, for a posterior that uses them.
  void weigh_rows(Index first) {
    const auto put = [&](ConstView<T> weight, const typename WeightPosterior<T>::Rows& all) {
      network_->weigh_rows(labels_, weight, {all.of_items.block_cols(first, items()), all.order});
    };
    const Sites<T> sites = natural_->sites(number_);
    put(sites.precision, natural_->posterior().covariance_rows());
    put(sites.curvature, natural_->posterior().mean_rows());
  }
  void refresh() { network_->refresh(); }
  double sum_of_kernel() { return network_->sum_of_kernel(is_regression() ? targets_.row : labels_.row); }

  View<T> numbers() const override { return network_->numbers(); }

  StepReport report(std::span<const T> numbers) const override {
    const Objective objective = network_->objective(numbers);
    const Factorisations factorisations = network_->factorisations(numbers);
    factorisations.check();
    const double loss = -objective.elbo / (steps_.batches * static_cast<double>(items()));
    if (!std::isfinite(loss)) {
      throw NumericalError(fmt::format(
          "the loss is not finite (expected log-likelihood {}, KL of the weights {}); try {} or a "
          "smaller {}",
          objective.expected_log_likelihood, objective.kl_weights, option("precision", "float64"),
          option("lr")));
    }
    return {loss, factorisations.jitter};
  }

 private:
  bool is_regression() const { return model_.config().regression; }
  /// One of the streams of a step.
  Stream stream(std::uint32_t number, const std::uint32_t* turn) const {
    return {steps_.seed, Purpose::sampling, number, turn, 2};
  }

  Dkm<T>& model_;
  const DkmSteps& steps_;
  NaturalInference<T>* natural_;
  int number_ = 0;
  GraphInputs<T> inputs_;
  Labels labels_;
  Targets<T> targets_;
  Index items_;  // of all ranks
  std::unique_ptr<Network<T>> network_;
};

template <class T>
class DkmValidationBatch final : public ValidationBatch<T> {
 public:
  DkmValidationBatch(Dkm<T>& model, GraphInputs<T> inputs, const Batch& batch)
      : ValidationBatch<T>(batch.whole),
        model_(model),
        inputs_(std::move(inputs)),
        own_(own_items(batch.part, batch.item, model.backend().ranks())),
        network_(model.network(inputs_, false)),
        marginals_(model, *network_) {}

  Index items() const override { return own_.all; }
  Logits outputs() override {
    network_->forward();
    network_->factorisations().check();
    Logits out = logits_of(model_, *network_, own_.row, marginals_);
    Communicator* ranks = model_.backend().ranks();
    out.mean = own_.collect(out.mean, out.classes, ranks);
    if (!model_.config().regression) out.variance = own_.collect(out.variance, 1, ranks);
    return out;
  }

 private:
  Dkm<T>& model_;
  GraphInputs<T> inputs_;
  OwnItems own_;
  std::unique_ptr<Network<T>> network_;
  Marginals<T> marginals_;
};

}  // namespace gdkm
