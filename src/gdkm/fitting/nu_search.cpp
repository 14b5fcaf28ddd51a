#include "gdkm/fitting/nu_search.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/tensor_parts.hpp"

namespace gdkm {

namespace {

constexpr std::size_t candidates = std::size(nu_candidates);
constexpr const char *best_prefix = "best/", *current_prefix = "current/";

}  // namespace

NuSearch::NuSearch(Make make, const PreparedData& data, const Split& split)
    : make_(std::move(make)), data_(data), split_(split) {
  const auto& label = data.problem.label;
  if (std::none_of(split.val.begin(), split.val.end(), [&](auto item) { return label[item] >= 0; }))
    throw OptionError("nu", "auto", "it is chosen on validation items, and the split has none",
                      "give a number, or draw a split that has some with " + option("split", "60/20/20"));
  current_ = make_(nu_candidates[0]);
}

int NuSearch::progress() const {
  const int all = epochs_of(data_.settings), each = all / static_cast<int>(candidates);
  return current_ ? static_cast<int>(at_) * each + current_->progress() : all;
}

double NuSearch::step() {
  try {
    const double loss = current_->step();
    if (current_->finished()) judge();
    return loss;
  } catch (const NumericalError&) {
    if (at_ + 1 == candidates && !best_) throw;  // all of them broke down
    epochs_ += current_->epoch();
    begin_next();
    return std::nan("");
  }
}

void NuSearch::judge() {
  const RunResult run = evaluate(*current_, data_, {{}, split_.val, {}}, 0).run;
  const double found = score_of(run, data_.settings.training.select).value_or(std::nan(""));
  // A score that is no number (R² of targets that do not vary) is the worst.
  const double score = std::isnan(found) ? -std::numeric_limits<double>::infinity() : found;
  const int epochs = current_->epoch();
  if (!best_ || score > best_score_) {
    best_ = std::move(current_);
    best_score_ = score;
    best_nu_ = nu_candidates[at_];
  }
  epochs_ += epochs;
  begin_next();
}

void NuSearch::begin_next() {
  current_.reset();  // its memory is free before the next one takes some
  ++at_;
  if (at_ < candidates && !stopped_) current_ = make_(nu_candidates[at_]);
}

void NuSearch::stop() {
  if (!current_) return;
  current_->stop();
  stopped_ = true;
  judge();
}

const std::vector<double>& NuSearch::losses() const {
  static const std::vector<double> none;
  return current_ ? none : best_->losses();
}

TensorFile NuSearch::save_state() {
  TensorFile out;
  const std::vector<double> numbers{static_cast<double>(at_), static_cast<double>(epochs_), best_nu_,
                                    best_score_};
  out.tensors["nu_search"] = Tensor::make<double>({4}, std::span<const double>(numbers));
  if (best_) add_part(out, best_prefix, best_->save_state());
  if (current_) add_part(out, current_prefix, current_->save_state());
  return out;
}

void NuSearch::restore_state(const TensorFile& state, const std::filesystem::path& path) {
  const auto found = state.tensors.find("nu_search");
  if (found == state.tensors.end() || found->second.size() != 4)
    throw InputError(path.string() + ": not the state of a search for nu; start the training again");
  const auto numbers = found->second.as<double>();
  at_ = static_cast<std::size_t>(numbers[0]);
  epochs_ = static_cast<int>(numbers[1]);
  best_nu_ = numbers[2];
  best_score_ = numbers[3];
  const auto restored = [&](double nu, const char* prefix) -> std::unique_ptr<Learner> {
    const TensorFile part = part_of(state, prefix);
    if (part.tensors.empty()) return nullptr;
    auto out = make_(nu);
    out->restore_state(part, path);
    return out;
  };
  best_ = restored(best_nu_, best_prefix);
  current_ = at_ < candidates ? restored(nu_candidates[at_], current_prefix) : nullptr;
  if (!best_ && !current_)
    throw InputError(path.string() +
                     ": the state of a search for nu is not complete; start the training again");
}

}  // namespace gdkm
