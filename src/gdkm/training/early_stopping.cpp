#include "gdkm/training/early_stopping.hpp"

namespace gdkm {

template <class T>
EarlyStopping<T>::EarlyStopping(Trainable<T>& model, const Problem& problem,
                                const std::vector<std::int32_t>& items, const TrainOptions& options)
    : model_(model), patience_(options.patience) {
  if (items.empty() || !model.keeps_best_epoch()) return;
  const auto reach = model.reach();
  BatchOptions how = options.batches;
  how.batches = 1;  // a score sees all edges
  how.only_within_reach = how.only_within_reach && !reach.everywhere;
  for (const Batch& batch : make_batches(problem, items, reach.nodes, reach.hops, how, options.seed))
    batches_.push_back(model.upload_validation(problem, batch));
  best_parameters_ = Matrix<T>(model.backend(), 1, model.parameters().size());
  if (model.statistics() != nullptr)
    best_statistics_ = Matrix<T>(model.backend(), 1, model.statistics()->size());
}

template <class T>
void EarlyStopping<T>::validate(TrainingHistory& history) {
  double loss = 0, accuracy = 0, count = 0;
  for (const auto& batch : batches_) {
    const auto score = batch->score();
    const auto items = static_cast<double>(batch->items());
    loss += items * score.loss;
    accuracy += items * score.accuracy;
    count += items;
  }
  loss /= count;
  accuracy /= count;
  const auto best = static_cast<std::size_t>(history.best_epoch);
  const bool better = best == 0 || accuracy > history.val_accuracy[best - 1] ||
                      (accuracy == history.val_accuracy[best - 1] && loss < history.val_loss[best - 1]);
  history.val_loss.push_back(loss);
  history.val_accuracy.push_back(accuracy);
  if (!better) return;
  history.best_epoch = static_cast<int>(history.val_loss.size());
  Backend<T>& backend = model_.backend();
  backend.add(T(1), model_.parameters().values(), T(0), best_parameters_);
  if (model_.statistics() != nullptr)
    backend.add(T(1), model_.statistics()->values(), T(0), best_statistics_);
}

template <class T>
void EarlyStopping<T>::restore_best() {
  if (!active()) return;
  Backend<T>& backend = model_.backend();
  backend.add(T(1), best_parameters_, T(0), model_.parameters().values());
  if (model_.statistics() != nullptr)
    backend.add(T(1), best_statistics_, T(0), model_.statistics()->values());
}

template <class T>
void EarlyStopping<T>::save(const TrainingHistory& history, StateWriter& state) const {
  if (!active()) return;
  state.add("best.parameter", model_.parameters(), best_parameters_.to_host());
  if (model_.statistics() != nullptr)
    state.add("best.statistic", *model_.statistics(), best_statistics_.to_host());
  state.add("val_loss", history.val_loss);
  state.add("val_accuracy", history.val_accuracy);
  state.add("best_epoch", std::vector<std::int64_t>{history.best_epoch});
}

template <class T>
void EarlyStopping<T>::restore(const StateReader& state, Index epochs, TrainingHistory& history) {
  if (!active()) return;
  history.val_loss = state.get<double>("val_loss", epochs);
  history.val_accuracy = state.get<double>("val_accuracy", epochs);
  const std::int64_t best = state.get<std::int64_t>("best_epoch", 1)[0];
  if (best < (epochs > 0 ? 1 : 0) || best > epochs) state.damaged("'best_epoch' names no epoch");
  history.best_epoch = static_cast<int>(best);
  const auto upload = [&](const std::vector<T>& from, const Matrix<T>& to) {
    model_.backend().upload(from.data(), to.view().data, from.size() * sizeof(T));
  };
  upload(state.get<T>("best.parameter", model_.parameters()), best_parameters_);
  if (model_.statistics() != nullptr)
    upload(state.get<T>("best.statistic", *model_.statistics()), best_statistics_);
}

template class EarlyStopping<float>;
template class EarlyStopping<double>;

}  // namespace gdkm
