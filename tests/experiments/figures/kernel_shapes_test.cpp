#include "gdkm/experiments/figures/kernel_shapes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/cka.hpp"
#include "tests/experiments/figures/heat_map_reader.hpp"

namespace gdkm {
namespace {

KernelShapesOptions small_shapes() {
  KernelShapesOptions out;
  out.nu = {1, INFINITY};
  out.nodes = 30;
  out.epochs = 10;
  out.inducing = 20;
  out.threads = 1;
  return out;
}

TEST(KernelShapesFigure, NumbersAreThoseOfAPlainTraining) {
  const Dataset graph = generate("csbm:n=150,classes=3,degree=4,features=8");
  std::int64_t last = 0;
  ExperimentObserver observer;
  observer.progress = [&](std::int64_t done, const std::string&) { last = done; };
  const auto shapes = kernel_shapes(graph, small_shapes(), observer);
  ASSERT_TRUE(shapes);
  EXPECT_EQ(last, 20);
  ASSERT_EQ(shapes->shapes.size(), 2u);
  const Figure figure = kernel_shapes_figure({*shapes});
  const auto& numbers = figure.numbers.at(0).table;
  const auto& pictures = figure.numbers.at(1).table;
  const auto maps = testing::heat_maps_in(figure.pictures.at(0).svg);
  ASSERT_EQ(maps.size(), 3u);

  for (std::size_t k = 0; k < 2; ++k) {
    Settings settings;
    settings.config.nu = {small_shapes().nu[k]};
    settings.config.inducing = 20;
    settings.config.lambda = 0.3;
    settings.training.epochs = 10;
    settings.training.inference = Inference::paper;  // the last epoch
    settings.device.threads = 1;
    const FittedModel model = fit(graph, graph.splits.at("public")[0], settings);
    const NodeFeatures f = model.features(graph);
    // K = F Fᵀ over all nodes, and the labels' kernel.
    const Index n = graph.graph.nodes;
    std::vector<double> kernel, labels;
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < n; ++c) {
        const double* a = f.values.data() + r * f.width;
        kernel.push_back(std::inner_product(a, a + f.width, f.values.data() + c * f.width, 0.0));
        labels.push_back(graph.label[r] == graph.label[c] ? 1 : 0);
      }
    }
    std::vector<std::int32_t> all(static_cast<std::size_t>(n));
    std::iota(all.begin(), all.end(), 0);
    EXPECT_NEAR(shapes->shapes[k].cka, cka(kernel, labels, n, all), 1e-9);
    EXPECT_EQ(numbers.columns[3].values[k].get<double>(), shapes->shapes[k].cka);
    EXPECT_EQ(numbers.columns[2].values[k], k == 0 ? "1" : "inf");
    EXPECT_EQ(numbers.columns[5].values[k].get<double>(), model.card().run.test->accuracy);
    const double low = figure.pictures[0].svg.find(">−1<") == std::string::npos ? 0 : -1;
    for (const std::size_t r : {0u, 7u, 29u}) {
      for (const std::size_t c : {0u, 11u, 28u}) {
        const auto i = shapes->nodes[r], j = shapes->nodes[c];
        const double cosine = kernel[i * n + j] / std::sqrt(kernel[i * n + i] * kernel[j * n + j]);
        EXPECT_NEAR(pictures.columns[3 + c].values[30 * k + r].get<double>(), cosine, 6e-5);
        EXPECT_NEAR(low + (1 - low) * maps[k].part(30, r, c), std::max(cosine, low), 0.01);
      }
    }
  }
}

TEST(KernelShapesFigure, StopsWhenInterrupted) {
  ExperimentObserver observer;
  observer.interrupted = [] { return true; };
  EXPECT_FALSE(kernel_shapes(generate("csbm:n=60"), small_shapes(), observer));
}

TEST(KernelShapesFigure, ManyGraphsAreRefused) {
  Dataset graphs = generate("csbm:n=60");
  graphs.task = Task::graph;
  EXPECT_THROW(kernel_shapes(graphs, small_shapes(), {}), InputError);
}

}  // namespace
}  // namespace gdkm
