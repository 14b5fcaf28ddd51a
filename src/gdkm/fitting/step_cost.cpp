#include "gdkm/fitting/step_cost.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "gdkm/fitting/compute_device.hpp"
#include "gdkm/graph/distribute.hpp"
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/own_items.hpp"
#include "gdkm/training/trainer.hpp"

namespace gdkm {

namespace {

Traffic difference(const Traffic& now, const Traffic& before) {
  Traffic out;
  out.sent_bytes = now.sent_bytes - before.sent_bytes;
  out.summed_bytes = now.summed_bytes - before.summed_bytes;
  out.messages = now.messages - before.messages;
  out.sums = now.sums - before.sums;
  return out;
}

/// Own nodes and labels; entries and halo of the relations.
void count_share(const Problem& problem, const std::vector<std::int32_t>& train, Communicator& ranks,
                 RankCost& cost) {
  if (problem.task == Task::graph) {
    cost.nodes = problem.nodes() / ranks.size();
    cost.labels = static_cast<Index>(train.size()) / ranks.size();
    return;
  }
  cost.nodes = static_cast<Index>(nodes_of(problem.owner, ranks.rank()).size());
  for (const auto node : train) {
    if (problem.owner[static_cast<std::size_t>(node)] == ranks.rank()) ++cost.labels;
  }
  for (const Relation& relation : problem.relations.each) {
    const DistributedCsr part = distribute(relation.matrix, {&problem.owner, &ranks});
    cost.entries += part.own.nonzeros() + part.remote.nonzeros();
    cost.halo += part.halo.received;
  }
}

template <class T>
RankCost cost_of_rank(const PreparedData& data, const ModelConfig& config, const Split& split,
                      Communicator& ranks) {
  auto counting = std::make_unique<DryBackend<T>>();
  DryBackend<T>& dry = *counting;
  DistributedBackend<T> backend(std::move(counting),
                                std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks));
  const auto train = labelled(data.problem, split.train);
  TrainOptions options = data.settings.training;
  const Problem problem = share_out(data.problem, train, ranks, options.batches.batches == 1);
  options.init = Init::random;  // where they start does not matter here
  options.epochs = 1000;        // none of the steps below is the last
  const auto model = make_model<T>(backend, config, problem);
  Trainer<T> trainer(*model, problem, split, options);
  trainer.step();  // with what comes before the first
  RankCost out;
  for (int k = 0; k < 3; ++k) {  // one of them is not validated
    const Traffic before = ranks.traffic();
    dry.forget_work();
    trainer.step();
    if (k > 0 && dry.work().flops >= out.step.flops) continue;
    out.step = dry.work();
    out.traffic = difference(ranks.traffic(), before);
  }
  out.bytes = static_cast<double>(dry.most_bytes());
  count_share(problem, train, ranks, out);
  return out;
}

using Timer = std::chrono::steady_clock;

/// Seconds of one call, from as many as a tenth of a second takes.
template <class Call>
double seconds_of(const Call& call) {
  call();  // the first may allocate
  for (int times = 1;; times *= 2) {
    const auto start = Timer::now();
    for (int k = 0; k < times; ++k) call();
    const double seconds = std::chrono::duration<double>(Timer::now() - start).count();
    if (seconds > 0.1) return seconds / times;
  }
}

template <class T>
void measure_device(Backend<T>& backend, Index inducing, MachineRates& rates) {
  const Index rows = 4096, m = std::max<Index>(inducing, 16), large = Index{1} << 23;
  const Matrix<T> a(backend, rows, m), b(backend, m, m), c(backend, rows, m), x(backend, 1, large),
      y(backend, 1, large), one(backend, 1, 1);
  for (const Matrix<T>& matrix : {a, b, c, x, y, one}) backend.fill(matrix, T(0));
  T read = 0;  // waits for a GPU
  const auto wait = [&] { backend.download(one.view().data, &read, sizeof(T)); };
  rates.call = seconds_of([&] {
                 for (int k = 0; k < 100; ++k) backend.fill(one, T(0));
                 wait();
               }) /
               100;
  rates.flops =
      2 * static_cast<double>(rows) * static_cast<double>(m) * static_cast<double>(m) / seconds_of([&] {
        backend.gemm(T(1), Op::none, a, Op::none, b, T(0), c);
        wait();
      });
  rates.bytes = 3 * static_cast<double>(large) * sizeof(T) / seconds_of([&] {
                  backend.add(T(1), x, T(1), y);
                  wait();
                });
}

/// All ranks call it, and all measure the same number of times.
void measure_messages(Communicator& ranks, MachineRates& rates) {
  constexpr int times = 20;
  constexpr std::size_t large = std::size_t{4} << 20;
  std::vector<char> out(large), in(large);
  const int next = (ranks.rank() + 1) % ranks.size(), last = (ranks.rank() + ranks.size() - 1) % ranks.size();
  const auto seconds = [&](std::size_t bytes) {
    const auto start = Timer::now();
    for (int k = 0; k < times; ++k) {
      const Communicator::Message send[] = {{next, out.data(), bytes}},
                                  receive[] = {{last, in.data(), bytes}};
      ranks.start(send, receive);
      ranks.finish();
    }
    return std::chrono::duration<double>(Timer::now() - start).count() / times;
  };
  seconds(large);
  rates.latency = seconds(8);
  rates.bandwidth = static_cast<double>(large) / std::max(1e-9, seconds(large) - rates.latency);
}

}  // namespace

std::vector<RankCost> step_costs(const PreparedData& data, const Split& split, int ranks) {
  const auto choice = model_choice(data.settings);
  const ModelConfig* config = std::get_if<ModelConfig>(&choice);
  if (!data.members.empty())
    throw InputError("the cost of a step is that of one model; leave " + option("members") +
                     " out, and give the settings of one member");
  if (config == nullptr || data.settings.chooses_nu())
    throw InputError(
        "the cost of a step is that of a sparse model (dkm or nngp with inducing points) with a given " +
        option("nu") + "; choose one");
  std::vector<RankCost> out(static_cast<std::size_t>(ranks));
  run_as_ranks(ranks, [&](Communicator& all) {
    out[static_cast<std::size_t>(all.rank())] = data.settings.precision == Precision::float64
                                                    ? cost_of_rank<double>(data, *config, split, all)
                                                    : cost_of_rank<float>(data, *config, split, all);
  });
  return out;
}

MachineRates measure_rates(const Settings& settings) {
  MachineRates out;
  out.latency = 1e-5;
  out.bandwidth = 1e10;
  ComputeDevice device(settings.device, settings.precision);
  device.visit([&](auto& backend) { measure_device(backend, settings.config.inducing, out); });
  if (settings.device.ranks) measure_messages(*settings.device.ranks, out);
  return out;
}

double step_seconds(const RankCost& cost, const MachineRates& rates, int ranks) {
  const double computes =
      cost.step.flops / rates.flops + cost.step.bytes / rates.bytes + cost.step.calls * rates.call;
  if (ranks == 1) return computes;
  const double exchanges = static_cast<double>(cost.traffic.messages) * rates.latency +
                           static_cast<double>(cost.traffic.sent_bytes) / rates.bandwidth;
  // A sum over ranks sends every number about twice, in about 2 log₂ P turns.
  const double adds_up =
      static_cast<double>(cost.traffic.sums) * 2 * std::ceil(std::log2(ranks)) * rates.latency +
      2 * static_cast<double>(cost.traffic.summed_bytes) / rates.bandwidth;
  return computes + exchanges + adds_up;
}

}  // namespace gdkm
