#include "gdkm/experiments/sweep/stage_chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/fitting/learner.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

StageChain::StageChain(const SweepSpec& spec, const StudySpec& study, const DatasetFacts& facts, Store& store,
                       RunQueue& queue, bool retry_failed, std::string needs)
    : spec_(spec),
      study_(study),
      facts_(facts),
      store_(store),
      queue_(queue),
      retry_failed_(retry_failed),
      needs_(std::move(needs)) {
  append_stage();
  if (!finished()) enter_stage();
}

void StageChain::append_stage() {
  if (!study_.next) return;
  if (auto stage = study_.next(outcomes_)) study_.stages.push_back(std::move(*stage));
}

StageOutcome StageChain::outcome() const {
  StageOutcome out{stage_name(), {}};
  for (const Candidate& candidate : plan_.candidates) out.candidates.push_back({candidate.varied, {}, 0});
  for (const TrackedRun& run : runs_) {
    CandidateOutcome& candidate = out.candidates[static_cast<std::size_t>(run.candidate)];
    candidate.failed += run.state == State::failed ? 1 : 0;
    if (run.result) candidate.runs.push_back(*run.result);
  }
  return out;
}

StagePlan StageChain::plan_of(std::size_t stage, const RunOptions& carried) const {
  const auto& committee = study_.stages[stage].committee;
  if (!committee || committee->of >= compared_.size())
    return plan_stage(spec_, study_, stage, facts_, carried);
  const Compared& compared = compared_[committee->of];
  return plan_stage(spec_, study_, stage, facts_, compared.carried, compared.within(committee->within));
}

std::vector<Candidate> StageChain::Compared::within(double distance) const {
  std::vector<Candidate> out;
  for (std::size_t k = 0; k < ranked.size() && (k == 0 || score[k] >= score[0] - distance); ++k)
    out.push_back(ranked[k]);
  return out;
}

const RunOptions& StageChain::chosen_before() const {
  const std::size_t planned =
      finished() ? compared_.size() - 1 : stage_;  // at the end, the plan is the last one
  const auto& committee = study_.stages[planned].committee;
  return committee ? compared_[committee->of].carried : carried_;
}

void StageChain::enter_stage() {
  plan_ = plan_of(stage_, carried_);
  std::vector<StageRun> places;
  transact(store_.database(), Database::Locking::exclusive, [&](bool) {
    runs_.clear();
    for (const auto& planned : plan_.runs)
      runs_.push_back({queue_.add(planned.configuration, needs_), planned.candidate,
                       run_flops(planned.configuration, facts_), State::waiting, std::nullopt});
  });
  for (TrackedRun& run : runs_) {
    if (retry_failed_) queue_.retry(run.id);
    read(run);
    places.push_back({spec_.name, study_.name, facts_.name, static_cast<int>(stage_), stage_name(),
                      run.candidate, plan_.candidates[static_cast<std::size_t>(run.candidate)].varied, false,
                      run.id});
  }
  StageRecords(store_).record(places);
  future_runs_ = 0;
  future_flops_ = 0;
  for (const StagePlan& plan : future_plans()) {
    future_runs_ += static_cast<int>(plan.runs.size());
    for (const auto& run : plan.runs) future_flops_ += run_flops(run.configuration, facts_);
  }
}

void StageChain::read(TrackedRun& run) {
  const auto stored = store_.run(run.id);
  if (!stored) {
    throw InputError(
        fmt::format("{}: run {} was removed during the sweep; start the sweep again", store_.name(), run.id));
  }
  switch (stored->status) {
    case RunStatus::done:
      run.state = State::done;
      run.result = stored->result;
      break;
    case RunStatus::failed:
      run.state = State::failed;
      break;
    case RunStatus::pending:
      run.state = State::waiting;
      break;
    case RunStatus::running:
      run.state = is_gone(*stored->owner, stored->heartbeat, store_.database().now()) ? State::waiting
                                                                                      : State::elsewhere;
      break;
  }
}

std::vector<StageOutcome> StageChain::outcomes() const {
  std::vector<StageOutcome> out = outcomes_;
  if (!finished()) out.push_back(outcome());
  return out;
}

double StageChain::seconds_spent() const {
  double out = 0;
  for (const TrackedRun& run : runs_) out += run.result ? run.result->seconds : 0;
  return out;
}

std::optional<std::int64_t> StageChain::next(const std::function<bool(std::int64_t)>& is_started) {
  if (finished()) return std::nullopt;
  const double budget = study_.stages[stage_].max_seconds;
  for (TrackedRun& run : runs_) {
    if (run.state != State::waiting) continue;
    read(run);  // another process may have claimed it
    if (run.state != State::waiting) continue;
    if (is_started(run.id)) {  // its worker may not have claimed it yet
      run.state = State::elsewhere;
      continue;
    }
    const double deadline = study_.stages[stage_].deadline;
    if ((budget > 0 && seconds_spent() >= budget) || (deadline > 0 && wall_clock() >= deadline)) {
      run.state = State::skipped;
      continue;
    }
    run.state = State::started;
    return run.id;
  }
  return std::nullopt;
}

void StageChain::refresh(std::int64_t id) {
  for (TrackedRun& run : runs_) {
    if (run.id == id && !has_ended(run.state)) read(run);
  }
}

bool StageChain::restart(std::int64_t id) {
  refresh(id);
  for (TrackedRun& run : runs_) {
    if (run.id != id || run.state != State::waiting) continue;
    run.state = State::started;
    return true;
  }
  return false;
}

void StageChain::refresh_elsewhere() {
  if (finished() || runs_.empty()) return;
  // One question to the store, however many runs wait.
  const auto [first, last] = std::minmax_element(
      runs_.begin(), runs_.end(), [](const TrackedRun& a, const TrackedRun& b) { return a.id < b.id; });
  const auto now = store_.statuses(first->id, last->id);
  for (TrackedRun& run : runs_) {
    const auto found = now.find(run.id);
    const bool still_waits = found != now.end() && found->second == RunStatus::pending;
    if (run.state == State::elsewhere || (run.state == State::waiting && !still_waits)) read(run);
  }
}

bool StageChain::advance() {
  if (finished() ||
      !std::all_of(runs_.begin(), runs_.end(), [&](const TrackedRun& run) { return has_ended(run.state); }))
    return false;
  Compared compared{carried_, {}, {}};
  for (const RankedCandidate& each : ranked_scores(candidate_runs())) {
    compared.ranked.push_back(plan_.candidates[each.candidate]);
    compared.score.push_back(each.score);
  }
  if (const auto best = best_candidate(candidate_runs())) {
    StageRecords(store_).choose(spec_.name, study_.name, static_cast<int>(stage_), facts_.name,
                                static_cast<int>(*best));
    if (stage_ + 1 < study_.stages.size() && !study_.next && !study_.stages[stage_].committee) {
      for (const auto& [key, value] : plan_.candidates[*best].varied) carried_[key] = value;
    }
  }
  compared_.push_back(std::move(compared));
  const Count now = count();
  outcomes_.push_back(outcome());
  append_stage();
  const bool in_vain = !study_.next && now.done == before_.done;
  if (stage_ + 1 == study_.stages.size() || in_vain) {
    stage_ = study_.stages.size();  // this was the last stage, or none of its runs is done
    return true;
  }
  before_ = {now.done, now.failed, now.skipped, static_cast<int>(runs_.size()) + before_.total};
  ++stage_;
  enter_stage();
  return true;
}

std::vector<StagePlan> StageChain::future_plans() const {
  std::vector<StagePlan> out;
  RunOptions carried = carried_;
  const StagePlan* last = &plan_;
  for (std::size_t stage = stage_ + 1; stage < study_.stages.size(); ++stage) {
    if (!study_.stages[stage - 1].committee) {
      for (const auto& [key, value] : last->candidates[0].varied) carried[key] = value;
    }
    out.push_back(plan_of(stage, carried));
    last = &out.back();
  }
  return out;
}

StageChain::Count StageChain::count() const {
  Count out = before_;
  out.total += static_cast<int>(runs_.size());
  for (const TrackedRun& run : runs_) {
    out.done += run.state == State::done ? 1 : 0;
    out.failed += run.state == State::failed ? 1 : 0;
    out.skipped += run.state == State::skipped ? 1 : 0;
  }
  if (!finished()) out.total += future_runs_;
  return out;
}

std::vector<std::int64_t> StageChain::failed() const {
  std::vector<std::int64_t> out;
  for (const TrackedRun& run : runs_) {
    if (run.state == State::failed) out.push_back(run.id);
  }
  return out;
}

double StageChain::flops_left() const {
  double out = finished() ? 0 : future_flops_;
  for (const TrackedRun& run : runs_) out += has_ended(run.state) ? 0 : run.flops;
  return out;
}

StageChain::Size StageChain::size_of(std::int64_t run) const {
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    if (runs_[k].id == run) return {runs_[k].flops, epochs_of(settings_of(plan_.runs[k].configuration))};
  }
  return {};
}

std::vector<CandidateRuns> StageChain::candidate_runs() const {
  std::vector<CandidateRuns> out(plan_.candidates.size());
  for (std::size_t k = 0; k < runs_.size(); ++k) {
    const TrackedRun& run = runs_[k];
    CandidateRuns& runs = out[static_cast<std::size_t>(run.candidate)];
    if (run.state == State::failed) ++runs.failed;
    if (!run.result) continue;
    const Select select = study_.select.value_or(settings_of(plan_.runs[k].configuration).training.select);
    if (const auto score = score_of(*run.result, select))
      runs.val.push_back({static_cast<std::int64_t>(run.result->seed), run.result->split, *score});
  }
  return out;
}

StageChain::Best StageChain::summary_of(std::size_t candidate) const {
  Best out;
  out.options = chosen_before();
  for (const auto& [key, value] : plan_.candidates[candidate].varied) out.options[key] = value;
  std::vector<RunValue> val, test;
  for (const TrackedRun& run : runs_) {
    if (static_cast<std::size_t>(run.candidate) != candidate) continue;
    out.failed += run.state == State::failed ? 1 : 0;
    if (!run.result) continue;
    const RunResult& result = *run.result;
    const auto seed = static_cast<std::int64_t>(result.seed);
    if (result.val) val.push_back({seed, result.split, result.val->score()});
    if (result.test) test.push_back({seed, result.split, result.test->score()});
    out.regression = result.train && result.train->r2;
    out.seconds += result.seconds;
    ++out.runs;
  }
  out.val = summarise_runs(val);
  if (!test.empty()) out.test = summarise_runs(test);
  return out;
}

std::optional<StageChain::Best> StageChain::best() const {
  const auto best = best_candidate(candidate_runs());
  return best ? std::optional(summary_of(*best)) : std::nullopt;
}

std::optional<StageChain::BestRun> StageChain::best_savable_run() const {
  auto scores = candidate_runs();
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (plan_.candidates[c].options.value("exact", false)) scores[c] = {};
  }
  const auto best = best_candidate(scores);
  if (!best) return std::nullopt;
  const auto& runs = scores[*best].val;
  const RunValue& first = *std::max_element(
      runs.begin(), runs.end(), [](const RunValue& a, const RunValue& b) { return a.value < b.value; });
  for (const auto& run : plan_.runs) {
    const Configuration& c = run.configuration;
    if (static_cast<std::size_t>(run.candidate) == *best && c.split == first.split &&
        c.seed == static_cast<std::uint64_t>(first.seed))
      return BestRun{summarise_runs(runs).mean, c};
  }
  return std::nullopt;
}

std::vector<std::pair<std::string, StageChain::Best>> StageChain::best_per() const {
  std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;
  for (std::size_t c = 0; c < plan_.candidates.size(); ++c) {
    std::vector<std::string> parts;
    for (const std::string& key : study_.per) {
      const auto at = plan_.candidates[c].options.find(key);
      parts.push_back(key + "=" + (at == plan_.candidates[c].options.end() ? "" : option_text(*at)));
    }
    const std::string name = fmt::format("{}", fmt::join(parts, " "));
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == name; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
    group->second.push_back(c);
  }
  const auto runs = candidate_runs();
  std::vector<std::pair<std::string, Best>> out;
  for (const auto& [name, members] : groups) {
    std::vector<CandidateRuns> theirs;
    for (const std::size_t c : members) theirs.push_back(runs[c]);
    if (const auto best = best_candidate(theirs)) out.emplace_back(name, summary_of(members[*best]));
  }
  return out;
}

}  // namespace gdkm
