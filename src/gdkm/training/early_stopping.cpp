#include "gdkm/training/early_stopping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gdkm {

namespace {
constexpr double no_score = std::numeric_limits<double>::quiet_NaN();
}

template <class T>
EarlyStopping<T>::EarlyStopping(Trainable<T>& model, const Problem& problem,
                                const std::vector<std::int32_t>& items, const TrainOptions& options)
    : model_(model), patience_(options.patience), select_(options.select), targets_(problem.targets) {
  if (items.empty() || !model.keeps_best_epoch()) return;
  lowers_rate_ = model.validation_interval() > 1 && patience_ > 0 && select_ != Select::elbo;
  calibrates_ = options.inference == Inference::natural;
  const auto reach = model.reach();
  BatchOptions how = options.batches;
  how.batches = 1;  // a score sees all edges
  how.only_within_reach = how.only_within_reach && !reach.everywhere;
  for (const Batch& batch :
       make_batches(problem, items, reach.nodes, reach.hops, how, options.seed, model.backend().ranks()))
    batches_.push_back(model.upload_validation(problem, batch));
  has_items_ = true;
  for (const auto& batch : batches_) {
    for (const auto item : batch->which()) {
      const auto i = static_cast<std::size_t>(item), k = static_cast<std::size_t>(targets_);
      label_.push_back(problem.label[i]);
      for (std::size_t c = 0; c < k; ++c) target_.push_back(problem.target[i * k + c]);
    }
  }
  rows_.resize(label_.size());
  std::iota(rows_.begin(), rows_.end(), 0);
}

template <class T>
void EarlyStopping<T>::reserve() {
  if (!active()) return;
  best_parameters_ = Matrix<T>(model_.backend(), 1, model_.parameters().size());
  if (auto* statistics = model_.statistics())
    best_statistics_ = Matrix<T>(model_.backend(), 1, statistics->size());
}

template <class T>
bool EarlyStopping<T>::waits_in_vain(const TrainingHistory& history) const {
  if (!active() || patience_ <= 0 || history.best < 0) return false;
  const std::int64_t now = history.val_epoch.back();
  if (!lowers_rate_) return now - history.best_epoch() >= patience_;
  std::int64_t since = history.best_epoch();
  if (!history.lowered.empty()) since = std::max(since, history.lowered.back());
  const std::int64_t tenths = tenths_of_patience[history.lowered.size()];
  return now - since >= std::max<std::int64_t>(1, tenths * patience_ / 10);
}

template <class T>
double EarlyStopping<T>::rate_multiple(const TrainingHistory& history) const {
  return lowers_rate_ ? std::pow(rate_ratio, 1 - static_cast<double>(history.lowered.size())) : 1;
}

template <class T>
bool EarlyStopping<T>::go_back(TrainingHistory& history) {
  if (!lowers_rate_ || !waits_in_vain(history) || out_of_patience(history)) return false;
  history.lowered.push_back(history.val_epoch.back());
  restore_best();
  return true;
}

template <class T>
Logits EarlyStopping<T>::outputs() {
  Logits out;
  for (const auto& batch : batches_) {
    const Logits part = batch->outputs();
    out.classes = part.classes;
    out.mean.insert(out.mean.end(), part.mean.begin(), part.mean.end());
    out.variance.insert(out.variance.end(), part.variance.begin(), part.variance.end());
  }
  return out;
}

template <class T>
bool EarlyStopping<T>::is_better(const TrainingHistory& history, std::size_t now) const {
  if (history.best < 0) return true;
  const auto best = static_cast<std::size_t>(history.best);
  const auto& accuracy = history.val_accuracy;
  const bool lower_loss = history.val_loss[now] < history.val_loss[best];
  if (select_ == Select::nll) return lower_loss;
  if (select_ == Select::auc || select_ == Select::f1) {
    const auto& score = select_ == Select::auc ? history.val_auc : history.val_f1;
    if (std::isfinite(score[now]))
      return score[now] > score[best] || (score[now] == score[best] && lower_loss);
  }
  if (!calibrates_ || targets_ > 0)
    return accuracy[now] > accuracy[best] || (accuracy[now] == accuracy[best] && lower_loss);
  const double highest = *std::max_element(accuracy.begin(), accuracy.end()), share = highest / 100;
  const double error = 0.5 * 100 * std::sqrt(share * (1 - share) / static_cast<double>(label_.size()));
  const auto counts = [&](std::size_t k) { return accuracy[k] >= highest - error; };
  return counts(now) && (lower_loss || !counts(best));
}

template <class T>
void EarlyStopping<T>::validate(TrainingHistory& history, int epoch) {
  const Logits logits = outputs();
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!std::all_of(logits.mean.begin(), logits.mean.end(), finite)) return;  // the next step says why
  Metrics score;
  if (targets_ > 0) {
    if (calibrates_) last_ = calibrate_numbers(logits.mean, targets_, target_);
    const auto scored =
        evaluate_numbers(calibrated_numbers(logits.mean, targets_, last_), targets_, target_, rows_);
    if (!scored) return;  // no target is known
    score = *scored;
    score.accuracy = std::isfinite(*score.r2) ? *score.r2 : 0;  // targets that do not vary have none
  } else {
    if (calibrates_) last_ = gdkm::calibrate(logits, label_, last_, model_.class_weights());
    const auto classes = static_cast<int>(logits.classes);
    score = *evaluate(class_probabilities(logits, last_), classes, label_, rows_);
  }
  history.val_epoch.push_back(epoch);
  history.val_loss.push_back(score.nll);
  history.val_accuracy.push_back(score.accuracy);
  history.val_auc.push_back(score.auc.value_or(no_score));
  history.val_f1.push_back(score.f1_macro().value_or(no_score));
  const std::size_t now = history.val_epoch.size() - 1;
  if (!is_better(history, now)) return;
  history.best = static_cast<std::int64_t>(now);
  Backend<T>& backend = model_.backend();
  backend.add(T(1), model_.parameters().values(), T(0), best_parameters_);
  if (auto* statistics = model_.statistics()) {
    backend.add(T(1), statistics->values(), T(0), best_statistics_);
  }
}

template <class T>
void EarlyStopping<T>::restore_best() {
  if (!active()) return;
  Backend<T>& backend = model_.backend();
  backend.add(T(1), best_parameters_, T(0), model_.parameters().values());
  if (auto* statistics = model_.statistics()) backend.add(T(1), best_statistics_, T(0), statistics->values());
}

template <class T>
std::optional<Calibration> EarlyStopping<T>::calibrate() {
  if (!calibrates_ || batches_.empty()) return std::nullopt;
  if (targets_ > 0) return calibrate_numbers(outputs().mean, targets_, target_);
  return gdkm::calibrate(outputs(), label_, {}, model_.class_weights());
}

template <class T>
void EarlyStopping<T>::save(const TrainingHistory& history, StateWriter& state) const {
  if (!active()) return;
  state.add("best", std::vector<std::int64_t>{history.best});
  if (history.best < 0) return;
  state.add("best.parameter", model_.parameters(), best_parameters_.to_host());
  if (const auto* statistics = model_.statistics())
    state.add("best.statistic", *statistics, best_statistics_.to_host());
  state.add("val_epoch", history.val_epoch);
  state.add("val_loss", history.val_loss);
  state.add("val_accuracy", history.val_accuracy);
  state.add("val_auc", history.val_auc);
  if (select_ == Select::f1) state.add("val_f1", history.val_f1);  // of no use otherwise
  state.add("lowered", history.lowered);
  state.add("calibration", std::vector<double>{last_.temperature, last_.moderation});
}

template <class T>
void EarlyStopping<T>::restore(const StateReader& state, Index epochs, TrainingHistory& history) {
  if (!active() || epochs == 0) return;
  if (state.has("best") && state.get<std::int64_t>("best", 1)[0] == -1) return;  // no finite score yet
  history.val_loss = state.get<double>("val_loss");
  const auto count = static_cast<Index>(history.val_loss.size());
  history.val_accuracy = state.get<double>("val_accuracy", count);
  if (state.has("best_epoch")) {  // up to version 0.2: a score for every epoch, and no areas
    if (count != epochs) state.damaged("'val_loss' is missing or has another size");
    for (Index k = 1; k <= count; ++k) history.val_epoch.push_back(k);
    history.val_auc.assign(history.val_loss.size(), no_score);
    history.best = state.get<std::int64_t>("best_epoch", 1)[0] - 1;
  } else {
    history.val_epoch = state.get<std::int64_t>("val_epoch", count);
    history.val_auc = state.get<double>("val_auc", count);
    if (select_ == Select::f1) history.val_f1 = state.get<double>("val_f1", count);
    history.best = state.get<std::int64_t>("best", 1)[0];
    history.lowered = state.get<std::int64_t>("lowered");
    if (history.lowered.size() >= rates) state.damaged("'lowered' has more epochs than there are rates");
    const auto calibration = state.get<double>("calibration", 2);
    last_ = {calibration[0], calibration[1]};
  }
  if (history.val_f1.empty()) history.val_f1.assign(history.val_loss.size(), no_score);
  if (history.best < 0 || history.best >= count) state.damaged("'best_epoch' names no epoch");
  const auto upload = [&](const std::vector<T>& from, const Matrix<T>& to) {
    model_.backend().upload(from.data(), to.view().data, from.size() * sizeof(T));
  };
  upload(state.get<T>("best.parameter", model_.parameters()), best_parameters_);
  if (auto* statistics = model_.statistics()) {
    upload(state.get<T>("best.statistic", *statistics), best_statistics_);
  }
}

template class EarlyStopping<float>;
template class EarlyStopping<double>;

}  // namespace gdkm
