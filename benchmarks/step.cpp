/// Takes training steps on a random graph of a known shape: gdkm_bench_step SHAPE [options].
///
/// Prints one line of JSON about the model and its memory, then reads numbers from standard input, takes that
/// many steps for each and prints their losses and milliseconds as one line of JSON. So a driver can let it
/// and a peer take turns. Every step is waited for; a negative number asks for so many without waiting in
/// between, as in training, and gets the milliseconds of one (`stream_ms`). Memory is what the process has in
/// use, or what is allocated on the GPU.
#include <fmt/format.h>
#include <malloc.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/trainer.hpp"
#include "problem_file.hpp"
#include "resident.hpp"
#include "shapes.hpp"

namespace {

using namespace gdkm;
using namespace gdkm::bench;
using Time = std::chrono::steady_clock;

struct Run {
  Shape shape;
  DeviceChoice device;
  Index train = 0;       // nodes that train; 0 for all
  bool natural = false;  // the readout is updated by natural gradients, not by Adam
  bool within_reach = false;
  ModelConfig config;
  std::string export_to;
};

double milliseconds(Time::time_point start) {
  return std::chrono::duration<double, std::milli>(Time::now() - start).count();
}

template <class T>
void take_steps(const Run& run, const Backend<T>& backend, Trainer<T>& trainer, int count) {
  nlohmann::ordered_json out{{"ms", nlohmann::json::array()}, {"cpu_ms", nlohmann::json::array()}};
  forget_peak();
  for (int k = 0; k < count; ++k) {
    const auto start = Time::now();
    const std::clock_t busy = std::clock();
    trainer.step();
    trainer.settle();
    out["ms"].push_back(milliseconds(start));
    out["cpu_ms"].push_back(1e3 * static_cast<double>(std::clock() - busy) /
                            CLOCKS_PER_SEC);  // of all threads
  }
  const auto& loss = trainer.history().loss;
  out["loss"] = std::vector<double>(loss.end() - count, loss.end());
  const bool on_host = run.device.device.is_cpu();
  out["peak"] = on_host ? resident("VmHWM") : backend.bytes_in_use();
  std::cout << out.dump() << std::endl;
}

template <class T>
double stream_milliseconds(Trainer<T>& trainer, int count) {
  const auto start = Time::now();
  for (int k = 0; k < count; ++k) trainer.step();
  trainer.settle();
  return milliseconds(start) / count;
}

template <class T>
void serve(const Run& run) {
  const std::size_t empty = resident("VmRSS");
  const auto owner = make_backend<T>(run.device);
  Backend<T>& backend = *owner;
  TrainOptions options;
  options.init = Init::random;
  options.inference = run.natural ? Inference::natural : Inference::paper;
  options.batches.only_within_reach = run.within_reach;
  const auto set_up = Time::now();
  std::unique_ptr<Dkm<T>> model;
  const auto trainer = [&] {
    const Problem problem = random_problem(run.shape, run.config);
    Split split;
    split.train.resize(static_cast<std::size_t>(run.train > 0 ? run.train : run.shape.nodes));
    std::iota(split.train.begin(), split.train.end(), 0);
    model = make_model(backend, run.config, problem);
    auto out = std::make_unique<Trainer<T>>(*model, problem, split, options);
    if (!run.export_to.empty()) write_problem<T>(run.export_to, backend, problem, *model, options);
    return out;
  }();
  malloc_trim(0);
  const double matrix = static_cast<double>(run.shape.nodes * run.shape.inducing) * sizeof(T);
  const double parameters = 4.0 * static_cast<double>(model->parameters().size()) * sizeof(T);
  const double rest =
      static_cast<double>(backend.bytes_in_use()) - static_cast<double>(trainer->input_bytes());
  const nlohmann::ordered_json about{
      {"shape", run.shape.name},
      {"nodes", run.shape.nodes},
      {"nodes_in_use", trainer->nodes_in_use()},
      {"inducing", run.shape.inducing},
      {"mixing_nonzeros", run.shape.mixing_nonzeros()},
      {"operations", counted_operations(run.shape, run.config.samples)},
      {"backend", backend.description()},
      {"bytes", backend.bytes_in_use()},
      {"input_bytes", trainer->input_bytes()},
      {"matrices", (rest - parameters) / matrix},
      {"resident_before", run.device.device.is_cpu() ? empty : 0},
      {"set_up_ms", milliseconds(set_up)},
  };
  std::cout << about.dump() << std::endl;
  for (int count; std::cin >> count;) {
    if (count > 0) {
      take_steps(run, backend, *trainer, count);
    } else {
      std::cout << nlohmann::json{{"stream_ms", stream_milliseconds(*trainer, -count)}}.dump() << std::endl;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Training steps at the shape of a well-known graph"};
  Run run;
  std::string shape;
  bool float64 = false, intra = false, by_nodes = false;
  app.add_option("SHAPE", shape, "cora, roman-empire, penn94, arxiv or reddit")->required();
  app.add_option_function<std::string>(
      "--device", [&](const std::string& name) { run.device.device = parse_device(name).value(); },
      "cpu, cuda or cuda:N");
  app.add_option("--threads", run.device.threads, "Threads; 0 for all cores")->capture_default_str();
  app.add_option_function<std::string>(
      "--math", [&](const std::string& name) { run.device.math = value_named<MathMode>(name).value(); },
      "How CUDA computes large products: auto, strict, split or tf32");
  app.add_flag("--recompute", run.device.recompute, "On CUDA: keep no kernels for the backward pass");
  app.add_option("--train", run.train, "Nodes that train; 0 for all")->capture_default_str();
  app.add_flag("--within-reach", run.within_reach, "Leave out nodes that no training node depends on");
  app.add_flag("--float64", float64, "Double precision");
  app.add_flag("--intra", intra, "Inducing points at nodes of the graph");
  app.add_flag("--sample-nodes", by_nodes, "Sample the logits of nodes, not the weights");
  app.add_flag("--natural", run.natural,
               "Natural-gradient updates of the readout, the default of gdkm train");
  app.add_option_function<std::string>(
      "--relations", [&](const std::string& list) { run.config.relations = parse_relations(list); },
      "What to mix with, such as self,in,out");
  app.add_option("--export", run.export_to, "Write the problem to this safetensors file, for a peer");
  CLI11_PARSE(app, argc, argv);
  try {
    run.shape = find_shape(shape);
    run.config.inducing = run.shape.inducing;
    run.config.scheme = intra ? Scheme::intra : Scheme::inter;
    run.config.sampling = by_nodes || run.natural ? Sampling::node : Sampling::weights;
    if (float64) {
      serve<double>(run);
    } else {
      serve<float>(run);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
  return 0;
}
