// Builds a graph from arrays: two rings of four friends, joined by one edge. Two of them have a label.
#include <cstdio>
#include <gdkm/gdkm.hpp>

int main() {
  gdkm::Dataset graph;
  graph.name = "friends";
  graph.graph.nodes = 8;
  for (int i = 0; i < 4; ++i) {
    graph.graph.edges.push_back({i, (i + 1) % 4});
    graph.graph.edges.push_back({4 + i, 4 + (i + 1) % 4});
  }
  graph.graph.edges.push_back({0, 4});
  graph.features.rows = graph.features.cols = 8;  // one-hot: no other features are known
  graph.features.dense.assign(64, 0.0f);
  for (std::size_t i = 0; i < 8; ++i) graph.features.dense[i * 8 + i] = 1.0f;
  graph.label = {0, -1, -1, -1, -1, -1, 1, -1};
  graph.classes = 2;
  graph.class_names = {"tea", "coffee"};

  gdkm::Settings settings;
  settings.config.inducing = 8;
  const gdkm::FittedModel model = gdkm::fit(graph, {.train = {0, 6}, .val = {}, .test = {}}, settings);
  const gdkm::Predictions predictions = model.predict(graph);
  for (gdkm::Index node = 0; node < predictions.items; ++node) {
    const auto likes = static_cast<std::size_t>(predictions.predicted_class(node));
    std::printf("%lld %s %.2f\n", static_cast<long long>(node), graph.class_names[likes].c_str(),
                predictions.row(node)[likes]);
  }
  // The block of the learned kernel between the two rings.
  const gdkm::Dense kernel = model.kernel(graph, {0, 1, 2, 3}, {4, 5, 6, 7});
  std::printf("kernel between the rings: %.3f to %.3f\n", kernel(2, 2), kernel(0, 0));
}
