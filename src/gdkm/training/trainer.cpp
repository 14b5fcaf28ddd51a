#include "gdkm/training/trainer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
/// How far the device may be behind.
constexpr std::size_t most_in_flight = 32;

/// Calls `work`; a NumericalError then says in which epoch it was.
template <class Work>
void in_epoch(int epoch, const Work& work) {
  try {
    work();
  } catch (const NumericalError& error) {
    throw NumericalError(fmt::format("epoch {}: {}", epoch, error.message()));
  }
}
}  // namespace

template <class T>
Trainer<T>::Trainer(std::unique_ptr<Trainable<T>> model, const Problem& problem, const Split& split,
                    const TrainOptions& options)
    : model_(std::move(model)),
      backend_(model_->backend()),
      options_(options),
      stopping_(*model_, problem, labelled(problem, split.val), options),
      guard_(*model_, model_->keeps_best_epoch() && model_->validation_interval() > 1 && !stopping_.active()),
      clock_(backend_, 1),
      optimiser_(backend_, model_->parameters(),
                 [this](const std::string& name) { return model_->rate_factor(name); }) {
  const auto train = labelled(problem, split.train);
  if (train.empty()) throw InputError("no training item has a label; give a split that has some");
  n_train_ = static_cast<double>(train.size());
  const auto reach = model_->reach();
  BatchOptions how = options.batches;
  how.only_within_reach = how.only_within_reach && !reach.everywhere;
  const std::size_t before = backend_.bytes_in_use();
  for (const Batch& batch :
       make_batches(problem, train, reach.nodes, reach.hops, how, options.seed, backend_.ranks()))
    slots_.push_back({model_->upload(problem, batch), nullptr});
  input_bytes_ = backend_.bytes_in_use() - before;
  stopping_.reserve();
  order_.resize(slots_.size());

  keeps_layers_ = slots_.size() == 1 || problem.task == Task::graph;
  build(slots_.front());
  for (std::size_t k = 0; k < most_in_flight; ++k) {
    flights_.emplace_back();
    flights_.back().numbers =
        backend_.make_readback(static_cast<std::size_t>(slots_.front().batch->numbers().cols) * sizeof(T));
  }
  for (BatchSlot& slot : slots_) keeps_layers_ ? build(slot) : release(slot);
  for (auto* values : {&history_.loss, &history_.val_loss, &history_.val_accuracy})
    values->reserve(static_cast<std::size_t>(options.epochs) + 2);
}

template <class T>
Index Trainer<T>::nodes_in_use() const {
  Index most = 0;
  for (const BatchSlot& slot : slots_) most = std::max(most, slot.batch->nodes());
  return most;
}

template <class T>
void Trainer<T>::build(BatchSlot& slot) {
  if (slot.recording) return;
  slot.batch->build();
  slot.recording = backend_.record([this, batch = slot.batch.get()] {
    batch->compute_gradients(&clock_.data()->turn);
    optimiser_.step(clock_.data());
  });
}

template <class T>
void Trainer<T>::release(BatchSlot& slot) {
  slot.recording.reset();
  slot.batch->release();
}

template <class T>
bool Trainer<T>::loss_is_steady() const {
  constexpr std::ptrdiff_t epochs = 10;
  if (static_cast<std::ptrdiff_t>(history_.loss.size()) < 2 * epochs) return false;
  const auto last = history_.loss.end();
  const double now = std::accumulate(last - epochs, last, 0.0),
               before = std::accumulate(last - 2 * epochs, last - epochs, 0.0);
  return std::abs(now - before) <= 1e-3 * std::abs(now);
}

template <class T>
void Trainer<T>::begin() {
  begun_ = true;
  model_->begin();
  guard_.begin();
  // The start is a model, too, where one can be validated that no step has touched.
  if (stopping_.active() && model_->validation_interval() > 1) stopping_.validate(history_, 0);
}

template <class T>
void Trainer<T>::finish() {
  if (finished_) return;
  finished_ = true;
  history_.converged = loss_is_steady() || stopping_.out_of_patience(history_);
  if (history_.best >= 0) stopping_.restore_best();
  if (guard_.goes_back(history_.loss)) history_.loss.back() = guard_.loss();  // that of what is kept
  model_->finish();
  calibration_ = stopping_.calibrate();
}

template <class T>
double Trainer<T>::step() {
  if (!begun_) begin();
  if (slots_.size() == 1) {
    begin(slots_.front(), 0, 1, true);
  } else {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    Random random(Stream{options_.seed, Purpose::shuffle, static_cast<std::uint32_t>(epoch()) + 2});
    shuffle(order_, random);
    double seen = 0;
    for (std::size_t turn = 0; turn < order_.size(); ++turn) {
      BatchSlot& slot = slots_[order_[turn]];
      const auto nodes = static_cast<double>(slot.batch->nodes());
      seen += nodes;
      begin(slot, turn, nodes / seen, turn + 1 == order_.size());
    }
  }
  ++epochs_in_flight_;
  const bool validates = stopping_.active() && (stopping_.is_due(epoch()) || epoch() >= most_epochs());
  // Whether the loss is steady must not depend on how far the device is behind.
  const bool looks = (options_.epochs == 0 || guard_.active()) && epoch() % 10 == 0;
  collect(validates || looks || epoch() >= most_epochs() || !keeps_layers_ ? 0 : most_in_flight - 1);
  if (validates && history_.lost.empty()) {
    or_end_with_best([&] {
      in_epoch(epoch(), [&] {
        model_->refine();
        stopping_.validate(history_, epoch());
      });
    });
    if (!finished() && stopping_.go_back(history_)) optimiser_.restart();
  }
  if (finished()) {
    collect(0);
    finish();
  } else if (looks && guard_.goes_back(history_.loss)) {
    optimiser_.restart();
    if (finished()) {
      history_.loss.back() = guard_.loss();  // that of what is kept
      finish();
    }
  }
  return history_.loss.empty() ? std::numeric_limits<double>::quiet_NaN() : history_.loss.back();
}

template <class T>
void Trainer<T>::stop() {
  if (!begun_) begin();
  settle();
  finish();
}

template <class T>
void Trainer<T>::begin(BatchSlot& slot, std::size_t turn, double weight, bool last_of_epoch) {
  collect(most_in_flight - 1);
  build(slot);
  const auto count = static_cast<std::uint32_t>(slots_.size());
  Clock now;
  now.rate = stopping_.rate_multiple(history_) * guard_.rate_multiple() *
             learning_rate(epoch(), most_epochs(), options_.rate, options_.schedule);
  now.count = optimiser_.count_one();
  now.turn = static_cast<std::uint32_t>(epoch()) * count + static_cast<std::uint32_t>(turn);
  backend_.set_clock(now, clock_.data());
  if (slots_.size() > 1) slot.batch->set_mean_weight(weight);
  slot.recording->replay();
  Flight& flight = flights_[(first_flight_ + in_flight_++) % flights_.size()];
  flight.numbers->start(slot.batch->numbers().data);
  flight.batch = slot.batch.get();
  flight.epoch = epoch();
  flight.last_of_epoch = last_of_epoch;
  if (keeps_layers_) return;
  collect(0);
  release(slot);
}

template <class T>
void Trainer<T>::collect(std::size_t most) {
  while (in_flight_ > 0 && (in_flight_ > most || flights_[first_flight_].numbers->ready())) {
    const Flight& flight = flights_[first_flight_];
    first_flight_ = (first_flight_ + 1) % flights_.size();
    --in_flight_;
    take_in(flight);
  }
}

template <class T>
template <class Work>
void Trainer<T>::or_end_with_best(const Work& work) {
  try {
    work();
  } catch (const NumericalError& error) {
    if (!stopping_.active() || history_.best < 0) throw;
    history_.lost = error.what();
  }
}

template <class T>
void Trainer<T>::take_in(const Flight& flight) {
  const std::span<const T> numbers(static_cast<const T*>(flight.numbers->wait()),
                                   static_cast<std::size_t>(flight.batch->numbers().cols));
  StepReport report;
  if (history_.lost.empty())
    or_end_with_best([&] { in_epoch(flight.epoch, [&] { report = flight.batch->report(numbers); }); });
  if (!history_.lost.empty()) {  // and so are the steps that were begun after it
    if (flight.last_of_epoch) --epochs_in_flight_;
    return;
  }
  // 1e-5 in float32 is 9.99999975e-06: report what was asked for.
  if (report.jitter > history_.jitter)
    history_.jitter = std::max(history_.jitter, std::stod(fmt::format("{:.6g}", report.jitter)));
  epoch_loss_ += static_cast<double>(flight.batch->items()) / n_train_ * report.loss;
  if (!flight.last_of_epoch) return;
  history_.loss.push_back(epoch_loss_);
  epoch_loss_ = 0;
  --epochs_in_flight_;
}

namespace {

template <class T>
std::vector<T> values_of(Backend<T>& backend, const Parameters<T>& parameters) {
  std::vector<T> out(static_cast<std::size_t>(parameters.size()));
  backend.download(parameters.values().data, out.data(), out.size() * sizeof(T));
  return out;
}

}  // namespace

template <class T>
TensorFile Trainer<T>::save_state() {
  settle();
  StateWriter out(backend_.ranks());
  out.add("parameter", model_->parameters(), values_of(backend_, model_->parameters()));
  if (const auto* statistics = model_->statistics())
    out.add("statistic", *statistics, values_of(backend_, *statistics));
  out.add("adam.first", optimiser_.first());
  out.add("adam.second", optimiser_.second());
  out.add("adam.count", std::vector<std::int64_t>{optimiser_.count()});
  out.add("loss", history_.loss);
  out.add("jitter", std::vector<double>{history_.jitter});
  stopping_.save(history_, out);
  guard_.save(out);
  return out.take();
}

template <class T>
void Trainer<T>::restore_state(const TensorFile& file, const std::filesystem::path& path) {
  const StateReader state(file, path);
  const auto restore = [&](const std::string& prefix, const Parameters<T>& parameters) {
    const auto values = state.get<T>(prefix, parameters);
    backend_.upload(values.data(), parameters.values().data, values.size() * sizeof(T));
  };
  TrainingHistory history;
  history.loss = state.get<double>("loss");
  // Version 0.1 wrote none for a GCN.
  if (state.has("jitter") || !state.has("parameters")) history.jitter = state.get<double>("jitter", 1)[0];
  stopping_.restore(state, static_cast<Index>(history.loss.size()), history);
  restore("parameter", model_->parameters());
  if (const auto* statistics = model_->statistics()) restore("statistic", *statistics);
  guard_.restore(state, history.loss);
  const Index size = model_->parameters().size();
  begun_ = !history.loss.empty();
  optimiser_.restore(state.get<std::int64_t>("adam.count", 1)[0], state.get<T>("adam.first", size),
                     state.get<T>("adam.second", size));
  history_ = std::move(history);
  if (!finished()) return;
  // It was finished when it was saved, but for what is not in the state.
  finished_ = true;
  history_.converged = loss_is_steady() || stopping_.out_of_patience(history_);
  calibration_ = stopping_.calibrate();
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace gdkm
