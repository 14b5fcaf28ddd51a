/// Takes training steps on a GPU, on a random graph of a known shape: gdkm_bench_cuda SHAPE [options].
///
/// Speaks as gdkm_bench_step does: a line of JSON about itself, then for every number that it reads a line
/// with the losses and milliseconds of that many steps, each waited for. `stream_ms` is the time of a step
/// where the host does not wait in between, as in training. Memory is what is allocated on the device.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "gdkm/linalg/make_backend.hpp"
#include "problem_file.hpp"
#include "shapes.hpp"

namespace {

using namespace gdkm;
using namespace gdkm::bench;
using Timer = std::chrono::steady_clock;

struct Run {
  Shape shape;
  DeviceChoice device{"cuda", 0, false};
  ModelConfig config;
  std::string export_to;
};

double milliseconds(Timer::time_point start) {
  return std::chrono::duration<double, std::milli>(Timer::now() - start).count();
}

template <class T>
void take_steps(Backend<T>& backend, Trainer<T>& trainer, int count) {
  nlohmann::ordered_json out{{"loss", nlohmann::json::array()}, {"ms", nlohmann::json::array()}};
  for (int k = 0; k < count; ++k) {
    const auto start = Timer::now();
    trainer.step();
    trainer.settle();
    out["ms"].push_back(milliseconds(start));
    out["loss"].push_back(trainer.history().loss.back());
  }
  out["peak"] = backend.bytes_in_use();
  std::cout << out.dump() << std::endl;
}

template <class T>
double stream_milliseconds(Trainer<T>& trainer, int count) {
  const auto start = Timer::now();
  for (int k = 0; k < count; ++k) trainer.step();
  trainer.settle();
  return milliseconds(start) / count;
}

template <class T>
void serve(const Run& run) {
  const auto owner = make_backend<T>(run.device);
  Backend<T>& backend = *owner;
  TrainOptions options;
  options.init = Init::random;
  options.epochs = 100000;
  options.batches.only_within_reach = false;
  const auto trainer = [&] {
    const Problem problem = random_problem(run.shape);
    std::vector<std::int32_t> train(static_cast<std::size_t>(run.shape.nodes));
    std::iota(train.begin(), train.end(), 0);
    auto out = std::make_unique<Trainer<T>>(backend, problem, train, run.config, options);
    if (!run.export_to.empty()) write_problem<T>(run.export_to, backend, problem, out->model(), options);
    return out;
  }();
  std::cout << nlohmann::ordered_json{{"shape", run.shape.name},
                                      {"nodes", run.shape.nodes},
                                      {"inducing", run.shape.inducing},
                                      {"mixing_nonzeros", run.shape.mixing_nonzeros()},
                                      {"operations", counted_operations(run.shape, run.config.samples)},
                                      {"backend", backend.description()},
                                      {"resident_before", 0},
                                      {"input_bytes", trainer->input_bytes()}}
                   .dump()
            << std::endl;
  for (int count; std::cin >> count;) {
    if (count > 0) {
      take_steps(backend, *trainer, count);
    } else {  // a negative number asks for so many steps without waiting
      std::cout << nlohmann::json{{"stream_ms", stream_milliseconds(*trainer, -count)}}.dump() << std::endl;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Training steps on a GPU, at the shape of a well-known graph"};
  Run run;
  std::string shape;
  bool float64 = false, intra = false, by_nodes = false;
  app.add_option("SHAPE", shape, "cora, roman-empire, penn94, arxiv or reddit")->required();
  app.add_option("--device", run.device.device, "cuda or cuda:N")->capture_default_str();
  app.add_flag("--tf32", run.device.tf32, "Large products in TF32");
  app.add_flag("--float64", float64, "Double precision");
  app.add_flag("--intra", intra, "Inducing points at nodes of the graph");
  app.add_flag("--sample-nodes", by_nodes, "Sample the logits of nodes, not the weights");
  app.add_option("--export", run.export_to, "Write the problem to this safetensors file, for a peer");
  CLI11_PARSE(app, argc, argv);
  try {
    run.shape = find_shape(shape);
    run.config.inducing = run.shape.inducing;
    run.config.scheme = intra ? Scheme::intra : Scheme::inter;
    run.config.sampling = by_nodes ? Sampling::node : Sampling::weights;
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
