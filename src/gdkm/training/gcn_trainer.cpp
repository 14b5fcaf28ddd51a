#include "gdkm/training/gcn_trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

namespace {

template <class T>
std::vector<GcnBatch<T>> make_batches(Backend<T>& backend, const Problem& problem,
                                      const std::vector<std::int32_t>& items, const GcnConfig& config,
                                      const GcnTrainOptions& options) {
  std::vector<GcnBatch<T>> out;
  if (problem.task == Task::node) {
    out.push_back(node_batch<T>(backend, config, problem.mixing, problem.features, problem.label, items,
                                !options.only_within_reach));
  } else {
    for (std::size_t begin = 0; begin < items.size(); begin += static_cast<std::size_t>(options.graphs)) {
      const std::size_t end = std::min(items.size(), begin + static_cast<std::size_t>(options.graphs));
      const std::vector<std::int32_t> graphs(items.data() + begin, items.data() + end);
      out.push_back(graph_batch<T>(backend, config, problem.mixing, problem.features, problem.graph_start,
                                   problem.label, graphs));
    }
  }
  std::erase_if(out, [](const GcnBatch<T>& batch) { return batch.labels.count() == 0; });
  return out;
}

}  // namespace

template <class T>
GcnTrainer<T>::GcnTrainer(Backend<T>& backend, const Problem& problem, const Split& split,
                          const GcnConfig& config, const GcnTrainOptions& options)
    : GcnTrainer(backend, problem.features.cols, problem.classes,
                 make_batches(backend, problem, split.train, config, options),
                 make_batches(backend, problem, split.val, config, options), config, options) {}

template <class T>
GcnTrainer<T>::GcnTrainer(Backend<T>& backend, Index features, Index classes, std::vector<GcnBatch<T>> train,
                          std::vector<GcnBatch<T>> val, const GcnConfig& config,
                          const GcnTrainOptions& options)
    : backend_(backend),
      options_(options),
      model_(backend, config, features, classes),
      train_(std::move(train)),
      val_(std::move(val)) {
  if (train_.empty()) throw InputError("nothing to train on has a label; give a split that does");
  for (const auto& batch : train_) train_runs_.push_back({&batch, model_.network(batch.inputs, true)});
  for (const auto& batch : val_) val_runs_.push_back({&batch, model_.network(batch.inputs, false)});
  model_.initialise(options.seed);
  optimiser_ = std::make_unique<Optimiser<T>>(backend, model_.parameters());
  if (keeps_best()) {
    best_parameters_ = Matrix<T>(backend, 1, model_.parameters().size());
    best_statistics_ = Matrix<T>(backend, 1, model_.statistics().size());
  }
  for (auto* values : {&history_.loss, &history_.val_loss, &history_.val_accuracy}) {
    values->reserve(static_cast<std::size_t>(options.epochs));
  }
}

template <class T>
bool GcnTrainer<T>::finished() const {
  const bool patient = options_.patience == 0 || !keeps_best();
  return epoch() >= options_.epochs || (!patient && epoch() - history_.best_epoch >= options_.patience);
}

template <class T>
double GcnTrainer<T>::train() {
  const double rate =
      options_.scheduled ? learning_rate(epoch(), options_.epochs, options_.rate) : options_.rate;
  double sum = 0, count = 0;
  for (const Run& run : train_runs_) {
    const auto step = static_cast<std::uint32_t>(optimiser_->count());
    run.network->forward(Stream{options_.seed, Purpose::dropout, step});
    run.network->backward(run.batch->labels);
    model_.add_weight_decay();
    const double loss = run.network->read_score().loss;
    if (!std::isfinite(loss)) {
      throw NumericalError(fmt::format(
          "epoch {}: the loss is not finite; try a smaller --lr or --precision float64", epoch()));
    }
    optimiser_->step(rate);
    const auto items = static_cast<double>(run.batch->labels.count());
    sum += items * loss;
    count += items;
  }
  return sum / count;
}

template <class T>
void GcnTrainer<T>::validate() {
  double loss = 0, accuracy = 0, count = 0;
  for (const Run& run : val_runs_) {
    run.network->predict();
    run.network->score(run.batch->labels);
    const GcnScore score = run.network->read_score();
    const auto items = static_cast<double>(run.batch->labels.count());
    loss += items * score.loss;
    accuracy += items * score.accuracy;
    count += items;
  }
  loss /= count;
  accuracy /= count;
  const auto best = static_cast<std::size_t>(history_.best_epoch);
  const bool better = best == 0 || accuracy > history_.val_accuracy[best - 1] ||
                      (accuracy == history_.val_accuracy[best - 1] && loss < history_.val_loss[best - 1]);
  history_.val_loss.push_back(loss);
  history_.val_accuracy.push_back(accuracy);
  if (!better) return;
  history_.best_epoch = static_cast<int>(history_.val_loss.size());
  backend_.add(T(1), model_.parameters().values(), T(0), best_parameters_);
  backend_.add(T(1), model_.statistics().values(), T(0), best_statistics_);
}

template <class T>
double GcnTrainer<T>::step() {
  const double loss = train();
  if (keeps_best()) validate();
  history_.loss.push_back(loss);
  if (finished() && keeps_best()) {
    backend_.add(T(1), best_parameters_, T(0), model_.parameters().values());
    backend_.add(T(1), best_statistics_, T(0), model_.statistics().values());
  }
  return loss;
}

namespace {

template <class V>
Tensor tensor_of(const std::vector<V>& values) {
  return Tensor::make<V>({static_cast<std::int64_t>(values.size())}, std::span<const V>(values));
}

/// The tensor of that name as numbers of type V, `size` of them; any number of them where that is negative.
template <class V>
std::vector<V> take(const TensorFile& state, const std::string& name, Index size,
                    const std::filesystem::path& path) {
  const auto at = state.tensors.find(name);
  if (at == state.tensors.end() || (size >= 0 && at->second.size() != size)) {
    throw InputError(path.string() + ": '" + name +
                     "' is missing or has another size; the checkpoint is damaged");
  }
  return at->second.template as<V>();
}

template <class T>
std::vector<T> download(const Backend<T>& backend, View<T> from) {
  std::vector<T> out(static_cast<std::size_t>(from.size()));
  if (!out.empty()) backend.download(from.data, out.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
void upload(Backend<T>& backend, const std::vector<T>& from, View<T> to) {
  if (!from.empty()) backend.upload(from.data(), to.data, from.size() * sizeof(T));
}

}  // namespace

template <class T>
TensorFile GcnTrainer<T>::save_state() {
  TensorFile out;
  const auto add = [&](const std::string& name, const auto& values) {
    out.tensors[name] = tensor_of(values);
  };
  add("parameters", download(backend_, model_.parameters().values()));
  add("statistics", download(backend_, model_.statistics().values()));
  add("best.parameters", best_parameters_.to_host());
  add("best.statistics", best_statistics_.to_host());
  add("adam.first", optimiser_->first());
  add("adam.second", optimiser_->second());
  add("adam.count", std::vector<std::int64_t>{optimiser_->count()});
  add("loss", history_.loss);
  add("val_loss", history_.val_loss);
  add("val_accuracy", history_.val_accuracy);
  add("best_epoch", std::vector<std::int64_t>{history_.best_epoch});
  return out;
}

template <class T>
void GcnTrainer<T>::restore_state(const TensorFile& state, const std::filesystem::path& path) {
  const Index size = model_.parameters().size(), moments = model_.statistics().size();
  GcnHistory history;
  history.loss = take<double>(state, "loss", -1, path);
  const auto epochs = static_cast<Index>(history.loss.size()), validated = keeps_best() ? epochs : 0;
  history.val_loss = take<double>(state, "val_loss", validated, path);
  history.val_accuracy = take<double>(state, "val_accuracy", validated, path);
  const std::int64_t best = take<std::int64_t>(state, "best_epoch", 1, path)[0];
  if (best < (validated > 0 ? 1 : 0) || best > validated) {
    throw InputError(path.string() + ": 'best_epoch' names no epoch; the checkpoint is damaged");
  }
  history.best_epoch = static_cast<int>(best);
  const auto parameters = take<T>(state, "parameters", size, path);
  const auto statistics = take<T>(state, "statistics", moments, path);
  const auto best_parameters = take<T>(state, "best.parameters", keeps_best() ? size : 0, path);
  const auto best_statistics = take<T>(state, "best.statistics", keeps_best() ? moments : 0, path);
  const auto first = take<T>(state, "adam.first", size, path),
             second = take<T>(state, "adam.second", size, path);
  const std::int64_t count = take<std::int64_t>(state, "adam.count", 1, path)[0];

  upload(backend_, parameters, model_.parameters().values());
  upload(backend_, statistics, model_.statistics().values());
  upload(backend_, best_parameters, best_parameters_.view());
  upload(backend_, best_statistics, best_statistics_.view());
  optimiser_->restore(count, first, second);
  history_ = std::move(history);
}

template <class T>
std::vector<double> predict(Gcn<T>& model, const Problem& problem, const BatchOptions& batches) {
  const GcnConfig& config = model.config();
  if (problem.task == Task::node) {
    return class_probabilities(model,
                               make_gcn_inputs<T>(model.backend(), config, problem.mixing, problem.features));
  }
  std::vector<double> out;
  for (Index first = 0; first < problem.items(); first += batches.graphs) {
    std::vector<std::int32_t> graphs;
    for (Index g = first; g < std::min(problem.items(), first + batches.graphs); ++g)
      graphs.push_back(static_cast<std::int32_t>(g));
    const Part part = some_graphs(problem, graphs);
    const Csr pool = pooling_matrix(part.graph_start, config.pooling);
    const auto rows = class_probabilities(
        model, make_gcn_inputs<T>(model.backend(), config, part.mixing, part.features, &pool));
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

template class GcnTrainer<float>;
template class GcnTrainer<double>;
template std::vector<double> predict(Gcn<float>&, const Problem&, const BatchOptions&);
template std::vector<double> predict(Gcn<double>&, const Problem&, const BatchOptions&);

}  // namespace gdkm
