#include "gdkm/experiments/sweep/stage_chain.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/fitting/learner.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

StageChain::StageChain(const SweepSpec& spec, const StudySpec& study, const DatasetFacts& facts, Store& store,
                       RunClaims& claims, bool retry_failed)
    : spec_(spec), study_(study), facts_(facts), store_(store), claims_(claims), retry_failed_(retry_failed) {
  enter_stage();
}

void StageChain::enter_stage() {
  plan_ = plan_stage(spec_, study_, stage_, facts_, carried_);
  slots_.clear();
  std::vector<StageRun> places;
  {
    Transaction transaction(store_.database());
    for (const auto& planned : plan_.runs)
      slots_.push_back({claims_.add(planned.configuration), planned.candidate,
                        run_flops(planned.configuration, facts_), State::waiting, std::nullopt});
    transaction.commit();
  }
  for (Slot& slot : slots_) {
    if (retry_failed_) claims_.retry(slot.run);
    read(slot);
    places.push_back({spec_.name, study_.name, facts_.name, static_cast<int>(stage_), stage_name(),
                      slot.candidate, plan_.candidates[static_cast<std::size_t>(slot.candidate)].varied,
                      false, slot.run});
  }
  StageRecords(store_).record(places);
  future_runs_ = 0;
  future_flops_ = 0;
  for (const StagePlan& plan : future_plans()) {
    future_runs_ += static_cast<int>(plan.runs.size());
    for (const auto& run : plan.runs) future_flops_ += run_flops(run.configuration, facts_);
  }
}

void StageChain::read(Slot& slot) {
  const auto run = store_.run(slot.run);
  if (!run) {
    throw InputError(fmt::format("{}: run {} was removed while the sweep was at work; start it again",
                                 store_.path().string(), slot.run));
  }
  switch (run->status) {
    case RunStatus::done:
      slot.state = State::done;
      slot.result = run->result;
      break;
    case RunStatus::failed:
      slot.state = State::failed;
      break;
    case RunStatus::pending:
      slot.state = State::waiting;
      break;
    case RunStatus::running:
      slot.state = is_gone(*run->owner, run->heartbeat, wall_clock()) ? State::waiting : State::elsewhere;
      break;
  }
}

double StageChain::seconds_spent() const {
  double out = 0;
  for (const Slot& slot : slots_) out += slot.result ? slot.result->seconds : 0;
  return out;
}

std::optional<std::int64_t> StageChain::next(const std::function<bool(std::int64_t)>& is_under_way) {
  if (finished()) return std::nullopt;
  const double budget = study_.stages[stage_].max_seconds;
  for (Slot& slot : slots_) {
    if (slot.state != State::waiting) continue;
    read(slot);  // somebody else may have been faster
    if (slot.state != State::waiting) continue;
    if (is_under_way(slot.run)) {  // though its worker may not have claimed it yet
      slot.state = State::elsewhere;
      continue;
    }
    if (budget > 0 && seconds_spent() >= budget) {
      slot.state = State::skipped;
      continue;
    }
    slot.state = State::ours;
    return slot.run;
  }
  return std::nullopt;
}

const StageChain::Slot* StageChain::slot_of(std::int64_t run) const {
  const auto at = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& s) { return s.run == run; });
  return at == slots_.end() ? nullptr : &*at;
}

void StageChain::settle(std::int64_t run) {
  for (Slot& slot : slots_) {
    if (slot.run == run && !is_over(slot.state)) read(slot);
  }
}

bool StageChain::take_again(std::int64_t run) {
  settle(run);
  for (Slot& slot : slots_) {
    if (slot.run != run || slot.state != State::waiting) continue;
    slot.state = State::ours;
    return true;
  }
  return false;
}

void StageChain::look_elsewhere() {
  for (Slot& slot : slots_) {
    if (slot.state == State::elsewhere) read(slot);
  }
}

bool StageChain::advance() {
  if (finished() ||
      !std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return is_over(slot.state); }))
    return false;
  if (const auto best = best_candidate(candidate_runs())) {
    StageRecords(store_).choose(spec_.name, study_.name, static_cast<int>(stage_), facts_.name,
                                static_cast<int>(*best));
    if (stage_ + 1 < study_.stages.size()) {
      for (const auto& [key, value] : plan_.candidates[*best].varied) carried_[key] = value;
    }
  }
  const Count now = count();
  if (stage_ + 1 == study_.stages.size() || now.done == before_.done) {
    stage_ = study_.stages.size();  // the last one, or no run of it came to an end: nothing to build on
    return true;
  }
  before_ = {now.done, now.failed, now.skipped, static_cast<int>(slots_.size()) + before_.total};
  ++stage_;
  enter_stage();
  return true;
}

std::vector<StagePlan> StageChain::future_plans() const {
  std::vector<StagePlan> out;
  RunOptions carried = carried_;
  const StagePlan* last = &plan_;
  for (std::size_t stage = stage_ + 1; stage < study_.stages.size(); ++stage) {
    for (const auto& [key, value] : last->candidates[0].varied) carried[key] = value;
    out.push_back(plan_stage(spec_, study_, stage, facts_, carried));
    last = &out.back();
  }
  return out;
}

StageChain::Count StageChain::count() const {
  Count out = before_;
  out.total += static_cast<int>(slots_.size());
  for (const Slot& slot : slots_) {
    out.done += slot.state == State::done ? 1 : 0;
    out.failed += slot.state == State::failed ? 1 : 0;
    out.skipped += slot.state == State::skipped ? 1 : 0;
  }
  if (!finished()) out.total += future_runs_;
  return out;
}

std::vector<std::int64_t> StageChain::failed() const {
  std::vector<std::int64_t> out;
  for (const Slot& slot : slots_) {
    if (slot.state == State::failed) out.push_back(slot.run);
  }
  return out;
}

double StageChain::flops_left() const {
  double out = finished() ? 0 : future_flops_;
  for (const Slot& slot : slots_) out += is_over(slot.state) ? 0 : slot.flops;
  return out;
}

double StageChain::flops_of(std::int64_t run) const {
  const Slot* slot = slot_of(run);
  return slot != nullptr ? slot->flops : 0;
}

int StageChain::epochs_of(std::int64_t run) const {
  const Slot* slot = slot_of(run);
  if (slot == nullptr) return 1;
  return gdkm::epochs_of(
      settings_of(plan_.runs[static_cast<std::size_t>(slot - slots_.data())].configuration));
}

std::vector<CandidateRuns> StageChain::candidate_runs() const {
  std::vector<CandidateRuns> out(plan_.candidates.size());
  for (const Slot& slot : slots_) {
    CandidateRuns& runs = out[static_cast<std::size_t>(slot.candidate)];
    if (slot.state == State::failed) ++runs.failed;
    if (!slot.result) continue;
    const auto& judged = slot.result->val ? slot.result->val : slot.result->train;
    if (judged)
      runs.val.push_back({static_cast<std::int64_t>(slot.result->seed), slot.result->split, judged->score()});
  }
  return out;
}

StageChain::Best StageChain::summary_of(std::size_t candidate) const {
  Best out;
  out.options = carried_;
  for (const auto& [key, value] : plan_.candidates[candidate].varied) out.options[key] = value;
  std::vector<RunValue> val, test;
  std::vector<const Slot*> slots;
  for (const Slot& slot : slots_) {
    if (static_cast<std::size_t>(slot.candidate) != candidate) continue;
    out.failed += slot.state == State::failed ? 1 : 0;
    if (slot.result) slots.push_back(&slot);
  }
  for (const Slot* slot : slots) {
    const RunResult& result = *slot->result;
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
