// The whole life of a model: fit, save, load, predict, read features.
#include <cstdio>
#include <gdkm/data/load.hpp>
#include <gdkm/gdkm.hpp>

int main() {
  const gdkm::Dataset graph = gdkm::load("csbm:n=500,homophily=0.2,signal=5", {});
  const gdkm::Split split = graph.splits.at("public")[0];
  gdkm::Settings settings;
  settings.config.nu = {1.0};
  settings.config.inducing = 50;
  gdkm::fit(graph, split, settings).save("model.safetensors");

  const gdkm::FittedModel model = gdkm::FittedModel::load("model.safetensors");
  const gdkm::Predictions predictions = model.predict(graph);
  const gdkm::NodeFeatures features = model.features(graph);
  std::printf("test accuracy %.1f %%; node 0: class %lld, %lld features\n", model.card().run.test->accuracy,
              static_cast<long long>(predictions.predicted_class(0)), static_cast<long long>(features.width));
}
