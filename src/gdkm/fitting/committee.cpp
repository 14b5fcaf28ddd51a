#include "gdkm/fitting/committee.hpp"

#include <algorithm>

#include "gdkm/fitting/committee_file.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/mixture.hpp"
#include "gdkm/fitting/model_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/tensor_parts.hpp"

namespace gdkm {

namespace {

constexpr const char *current_prefix = "current/", *losses_name = "committee_losses",
                     *predictions_name = "committee_predictions", *members_name = "committee_members";

std::string done_prefix(std::size_t member) {
  return "done." + std::to_string(member) + "/";
}

Tensor numbers(const std::vector<double>& values) {
  return Tensor::make<double>({static_cast<std::int64_t>(values.size())}, std::span<const double>(values));
}

}  // namespace

Committee::Committee(Make make, const PreparedData& data, const Split& split, std::uint64_t seed)
    : make_(std::move(make)), data_(data), split_(split), seed_(seed) {
  begin_next();
}

int Committee::epoch() const {
  int out = current_ ? current_->epoch() : 0;
  for (const Member& member : done_) out += member.run.epochs;
  return out;
}

int Committee::progress() const {
  if (!current_) return epochs_of(data_.settings);
  int out = current_->progress();
  for (std::size_t k = 0; k < done_.size(); ++k) out += epochs_of(data_.members[k].settings);
  return out;
}

double Committee::step() {
  const double loss = current_->step();
  take_losses();
  if (current_->finished()) end_member();
  return loss;
}

void Committee::take_losses() {
  const std::vector<double>& known = current_->losses();
  for (auto k = losses_.size() - losses_before_; k < known.size(); ++k) losses_.push_back(known[k]);
}

void Committee::end_member() {
  const PreparedData& data = data_.members[done_.size()];
  Evaluation evaluation = evaluate(*current_, data, split_, seed_);
  take_losses();
  losses_before_ = losses_.size();
  // Prediction sets are those of the committee, so that no member has conformal scores.
  const ModelCard card = make_card(data, split_, evaluation.run, {});
  done_.push_back({current_->model_file(card), evaluation.run, std::move(evaluation.predictions)});
  begin_next();
}

void Committee::begin_next() {
  current_.reset();  // its memory is free before the next one takes some
  if (done_.size() < data_.members.size() && !stopped_) current_ = make_(data_.members[done_.size()]);
}

void Committee::stop() {
  if (!current_) return;
  stopped_ = true;
  if (!done_.empty() && current_->epoch() == 0) return current_.reset();  // it has learned nothing yet
  current_->stop();
  end_member();
}

TrainingHistory Committee::history() const {
  TrainingHistory out;
  out.loss = losses_;
  out.jitter = jitter();
  out.converged = converged();
  for (std::size_t k = 0; k < done_.size() && out.lost.empty(); ++k) {
    const std::string& lost = done_[k].run.lost;
    if (!lost.empty()) out.lost = "member " + std::to_string(k + 1) + ": " + lost;
  }
  return out;
}

bool Committee::converged() const {
  return !current_ &&
         std::all_of(done_.begin(), done_.end(), [](const Member& m) { return m.run.converged; });
}

int Committee::best_epoch() const {
  int out = current_ ? current_->best_epoch() : 0;
  for (const Member& member : done_) out += member.run.best_epoch;
  return out;
}

double Committee::jitter() const {
  double out = current_ ? current_->jitter() : 0;
  for (const Member& member : done_) out = std::max(out, member.run.jitter);
  return out;
}

std::vector<double> Committee::predict() {
  std::vector<std::vector<double>> all;
  for (const Member& member : done_) all.push_back(member.predictions);
  if (current_) all.push_back(current_->predict());
  return mixture(all, data_.problem.outputs(), data_.problem.is_regression());
}

TensorFile Committee::model_file(const ModelCard& card) {
  std::vector<TensorFile> files;
  for (const Member& member : done_) files.push_back(member.file);
  return committee_file(card, files);
}

TensorFile Committee::save_state() {
  TensorFile out;
  out.tensors[members_name] =
      numbers({static_cast<double>(done_.size()), static_cast<double>(losses_before_)});
  out.tensors[losses_name] = numbers(losses_);
  for (std::size_t k = 0; k < done_.size(); ++k) {
    TensorFile member = done_[k].file;
    member.tensors[predictions_name] = numbers(done_[k].predictions);
    add_part(out, done_prefix(k), member);
  }
  if (current_) add_part(out, current_prefix, current_->save_state());
  return out;
}

void Committee::restore_state(const TensorFile& state, const std::filesystem::path& path) {
  const auto bad = [&] {
    return InputError(path.string() + ": not the state of this committee; start the training again");
  };
  const auto read = [&](const TensorFile& file, const char* name) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end()) throw bad();
    return found->second.as<double>();
  };
  const std::vector<double> counts = read(state, members_name);
  const auto predictions = static_cast<std::size_t>(data_.problem.items() * data_.problem.columns());
  if (counts.size() != 2 || !(counts[0] >= 0 && counts[0] <= static_cast<double>(data_.members.size())))
    throw bad();
  current_.reset();
  done_.clear();
  for (std::size_t k = 0; k < static_cast<std::size_t>(counts[0]); ++k) {
    Member member{part_of(state, done_prefix(k)), {}, {}};
    member.predictions = read(member.file, predictions_name);
    member.file.tensors.erase(predictions_name);
    member.run = read_card(member.file, path).run;
    if (member.predictions.size() != predictions) throw bad();
    done_.push_back(std::move(member));
  }
  losses_ = read(state, losses_name);
  losses_before_ = std::min(losses_.size(), static_cast<std::size_t>(std::max(0.0, counts[1])));
  begin_next();
  if (current_) current_->restore_state(part_of(state, current_prefix), path);
}

}  // namespace gdkm
