#include "gdkm/training/gcn_trainable.hpp"

#include <cmath>
#include <numeric>

#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/class_weights.hpp"
#include "gdkm/training/item_weights.hpp"

namespace gdkm {

namespace {

/// Inputs and the classes of some of their outputs.
template <class T>
struct GcnItems {
  GcnInputs<T> inputs;
  Labels labels;
};

template <class T>
class GcnTrainingBatch final : public TrainingBatch<T> {
 public:
  GcnTrainingBatch(Gcn<T>& model, GcnItems<T> items, std::uint64_t seed)
      : model_(model), items_(std::move(items)), seed_(seed) {}

  Index nodes() const override { return items_.inputs.nodes; }
  Index items() const override { return items_.labels.count(); }
  void build() override { network_ = model_.network(items_.inputs, true); }
  void release() override { network_.reset(); }

  void compute_gradients(const std::uint32_t* turn) override {
    network_->forward(Stream{seed_, Purpose::dropout, 0, turn});
    network_->backward(items_.labels);
    model_.add_weight_decay();
  }

  View<T> numbers() const override { return network_->numbers(); }

  StepReport report(std::span<const T> numbers) const override {
    const double loss = network_->score_from(numbers).loss;
    if (!std::isfinite(loss)) {
      throw NumericalError("the loss is not finite; try a smaller " + option("lr") + " or " +
                           option("precision", "float64"));
    }
    return {loss, 0};
  }

 private:
  Gcn<T>& model_;
  GcnItems<T> items_;
  std::uint64_t seed_;
  std::unique_ptr<GcnNetwork<T>> network_;
};

template <class T>
class GcnValidationBatch final : public ValidationBatch<T> {
 public:
  GcnValidationBatch(Gcn<T>& model, GcnItems<T> items, const Batch& batch)
      : ValidationBatch<T>(batch.whole),
        model_(model),
        items_(std::move(items)),
        rows_(items_.labels.row.to_host()),
        network_(model.network(items_.inputs, false)) {}

  Index items() const override { return items_.labels.count(); }
  Logits outputs() override {
    network_->predict();
    const View<T> logits = network_->logits();
    std::vector<T> host(static_cast<std::size_t>(logits.size()));
    model_.backend().download(logits.data, host.data(), host.size() * sizeof(T));
    Logits out{logits.cols, {}, {}};
    for (const auto row : rows_) {
      const auto first = host.begin() + static_cast<std::ptrdiff_t>(row * logits.cols);
      out.mean.insert(out.mean.end(), first, first + logits.cols);
    }
    return out;
  }

 private:
  Gcn<T>& model_;
  GcnItems<T> items_;
  std::vector<std::int32_t> rows_;
  std::unique_ptr<GcnNetwork<T>> network_;
};

template <class T>
class GcnTrainable final : public Trainable<T> {
 public:
  GcnTrainable(Gcn<T>& model, const Problem& problem, const std::vector<std::int32_t>& train,
               const TrainOptions& options)
      : model_(model),
        seed_(options.seed),
        class_weights_(weights_of_classes(options.class_weights, problem, train)),
        item_weights_(mean_weights_of_items(class_weights_, problem, train)),
        keeps_best_(options.inference != Inference::paper),
        all_nodes_(model.config().batch_norm || !options.batches.only_within_reach) {
    model.initialise(options.seed);
  }

  Backend<T>& backend() override { return model_.backend(); }
  Parameters<T>& parameters() override { return model_.parameters(); }
  Parameters<T>* statistics() override {
    return model_.statistics().size() > 0 ? &model_.statistics() : nullptr;
  }
  typename Trainable<T>::Reach reach() const override {
    // Batch normalisation takes moments over all nodes.
    return {model_.config().layers, {}, model_.config().batch_norm};
  }
  const std::vector<double>& class_weights() const override { return class_weights_; }
  std::unique_ptr<TrainingBatch<T>> upload(const Problem& /*problem*/, const Batch& given) override {
    Batch batch = given;
    order_by_weight(item_weights_, batch);
    GcnItems<T> items = on_device(batch);
    items.labels.weights = weight_runs(item_weights_, batch.whole);
    return std::make_unique<GcnTrainingBatch<T>>(model_, std::move(items), seed_);
  }
  bool keeps_best_epoch() const override { return keeps_best_; }
  std::unique_ptr<ValidationBatch<T>> upload_validation(const Problem& /*problem*/,
                                                        const Batch& batch) override {
    return std::make_unique<GcnValidationBatch<T>>(model_, on_device(batch), batch);
  }

 private:
  /// Where nodes were left out, only those with labels get logits: exact, and faster.
  GcnItems<T> on_device(const Batch& batch) {
    Backend<T>& backend = model_.backend();
    const GcnConfig& config = model_.config();
    const Part& part = batch.part;
    const Buffer<std::int32_t> label(backend, batch.label);
    if (part.graph_start.empty() && all_nodes_) {
      return {make_gcn_inputs<T>(backend, config, part.relations, part.features),
              {ItemRows(backend, batch.item), label}};
    }
    const Csr outputs = part.graph_start.empty() ? selection(batch.item, part.relations.nodes())
                                                 : pooling_matrix(part.graph_start, config.pooling);
    std::vector<std::int32_t> rows = batch.item;  // the numbers of graphs
    if (part.graph_start.empty()) std::iota(rows.begin(), rows.end(), 0);
    return {make_gcn_inputs<T>(backend, config, part.relations, part.features, &outputs),
            {ItemRows(backend, rows), label}};
  }

  Gcn<T>& model_;
  std::uint64_t seed_;
  std::vector<double> class_weights_, item_weights_;
  bool keeps_best_;
  bool all_nodes_;
};

}  // namespace

template <class T>
std::unique_ptr<Gcn<T>> make_model(Backend<T>& backend, const GcnConfig& config, const Problem& problem) {
  return std::make_unique<Gcn<T>>(backend, config, problem.features.cols, problem.classes);
}

template <class T>
std::unique_ptr<Trainable<T>> make_trainable(Gcn<T>& model, const Problem& problem,
                                             const std::vector<std::int32_t>& train,
                                             const TrainOptions& options) {
  return std::make_unique<GcnTrainable<T>>(model, problem, train, options);
}

#define GDKM_INSTANTIATE(T)                                                                   \
  template std::unique_ptr<Gcn<T>> make_model(Backend<T>&, const GcnConfig&, const Problem&); \
  template std::unique_ptr<Trainable<T>> make_trainable(                                      \
      Gcn<T>&, const Problem&, const std::vector<std::int32_t>&, const TrainOptions&)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
