/// Times the training of a GCN beside PyTorch Geometric: gdkm_bench_gcn PROBLEM.npz EPOCHS THREADS DROPOUT.
///
/// peers/gcn_pyg.py writes the problem (graph, features, labels, starting weights), runs this program on it,
/// compares the losses and times both in turns. Prints one line of JSON: the losses of the first steps and
/// the milliseconds of every epoch, forward to Adam over all nodes, as the peer's.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/trainer.hpp"

namespace {

using namespace gdkm;
using Time = std::chrono::steady_clock;

Csr read_csr(NpzReader& file, const std::string& name, Index rows, Index cols) {
  Csr out;
  out.rows = rows;
  out.cols = cols;
  out.row_start = file.read(name + "_start").as<std::int64_t>();
  out.col = file.read(name + "_col").as<std::int32_t>();
  out.value = file.read(name + "_value").as<double>();
  return out;
}

void run(const char* path, int epochs, int threads, double dropout, bool whole) {
  NpzReader file(path);
  Problem problem;
  problem.label = file.read("label").as<std::int32_t>();
  Split split;
  split.train = file.read("train").as<std::int32_t>();
  const auto w1 = file.read("W1"), w2 = file.read("W2");
  const Index nodes = problem.items();
  problem.classes = static_cast<int>(w2.shape()[1]);
  Features& features = problem.features;
  features.rows = nodes;
  features.cols = w1.shape()[0];
  features.is_sparse = true;
  features.sparse = read_csr(file, "X", nodes, features.cols);
  problem.relations.each[0].matrix = read_csr(file, "A", nodes, nodes);

  GcnConfig config;
  config.width = w1.shape()[1];
  config.dropout = dropout;
  CpuBackend<float> backend(threads);
  TrainOptions options;
  options.epochs = epochs;
  options.schedule = constant_rate;
  options.batches.only_within_reach = !whole;
  const auto model = make_model(backend, config, problem);
  Trainer<float> trainer(*model, problem, split, options);
  model->parameters().set("layer1.W", w1.as<float>());
  model->parameters().set("output.W", w2.as<float>());

  std::string losses, times;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto start = Time::now();
    trainer.step();
    trainer.settle();
    const double ms = std::chrono::duration<double, std::milli>(Time::now() - start).count();
    losses += fmt::format("{}{:.9g}", epoch == 0 ? "" : ", ", trainer.history().loss.back());
    times += fmt::format("{}{:.4g}", epoch == 0 ? "" : ", ", ms);
  }
  fmt::print("{{\"loss\": [{}], \"ms\": [{}]}}\n", losses, times);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || argc > 6) {
    fmt::print(stderr, "usage: {} PROBLEM.npz EPOCHS THREADS DROPOUT [reach]\n", argv[0]);
    return 2;
  }
  run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atof(argv[4]), argc == 5);
  return 0;
}
