#include <limits>

#include "gdkm/layers/mix_inter.hpp"
#include "gdkm/layers/mix_intra.hpp"
#include "gdkm/layers/nonlinearity.hpp"
#include "gdkm/models/network.hpp"
#include "tests/layers/small_graph.hpp"

// Layers by themselves: the gradient of a random linear functional of their features.

namespace gdkm {
namespace {

using namespace testing::small_graph;

struct LayerCase {
  std::string name;
  Index width, inducing;
  bool intra, sparse;
  KernelKind kind;
};

class LayerGradient : public ::testing::TestWithParam<LayerCase> {};

TEST_P(LayerGradient, AgreesWithFiniteDifferences) {
  const LayerCase& c = GetParam();
  World world(c.width, c.inducing, c.intra, c.sparse);
  Parameters<double> parameters(world.backend);
  Workspace<double> workspace(world.backend, n, std::max(c.inducing, c.width), true);
  Sequential<double> layers;
  auto& input = layers.add<InputLayer<double>>(workspace, world.inputs.input, world.inputs.mixing, parameters,
                                               c.inducing);
  DenseFeatures<double>* features = nullptr;
  if (c.name.starts_with("feature_gram")) {
    features = &layers.add<FeatureGramLayer<double>>(workspace, input, parameters, "a", 0.6).output();
  } else {
    features = &layers.add<GramLayer<double>>(workspace, input, parameters, "a", 0.6, 0.0).output();
  }
  const double none = std::numeric_limits<double>::infinity();
  if (c.name.find("phi") != std::string::npos) {
    auto& phi = layers.add<Nonlinearity<double>>(workspace, *features, c.kind);
    if (c.name.find("mix_intra") != std::string::npos) {
      auto& factor = layers.add<GramLayer<double>>(workspace, phi, parameters, "f", none, 0.0);
      features = &layers.add<MixIntra<double>>(workspace, factor.output(), world.inputs.mixing).output();
    } else if (c.name.find("mix_inter") != std::string::npos) {
      auto& mixed = layers.add<MixInter<double>>(workspace, phi, world.inputs.mixing);
      features = &layers.add<GramLayer<double>>(workspace, mixed, parameters, "b", 0.2, 0.0).output();
    } else {
      features = &layers.add<GramLayer<double>>(workspace, phi, parameters, "b", 0.0, 0.0).output();
    }
  }
  parameters.allocate();
  world.randomise(parameters);

  Random random(Stream{9, Purpose::initial, 0});
  std::vector<double> on_i, on_t;
  for (Index k = 0; k < features->f_i().size(); ++k) on_i.push_back(random.normal());
  for (Index k = 0; k < features->f_t().size(); ++k) on_t.push_back(random.normal());
  const auto value = [&] {
    layers.forward();
    double sum = 0;
    for (std::size_t k = 0; k < on_i.size(); ++k) sum += on_i[k] * features->f_i().data[k];
    for (std::size_t k = 0; k < on_t.size(); ++k) sum += on_t[k] * features->f_t().data[k];
    return sum;
  };
  value();
  ASSERT_EQ(features->f_t_beta(), 0.0);
  std::copy(on_i.begin(), on_i.end(), features->f_i_bar().data);
  std::copy(on_t.begin(), on_t.end(), features->f_t_bar().data);
  layers.backward(0.0);  // no weight for the penalties: the functional alone
  expect_gradients(parameters, value);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, LayerGradient,
    ::testing::Values(LayerCase{"gram", 9, 6, false, true, KernelKind::arccos},
                      LayerCase{"gram_dense", 9, 6, false, false, KernelKind::arccos},
                      LayerCase{"gram_intra", 9, 6, true, true, KernelKind::arccos},
                      LayerCase{"feature_gram", 4, 6, false, true, KernelKind::arccos},
                      LayerCase{"feature_gram_intra", 4, 6, true, false, KernelKind::arccos},
                      LayerCase{"phi_arccos", 9, 6, false, true, KernelKind::arccos},
                      LayerCase{"phi_rbf", 9, 6, false, true, KernelKind::rbf},
                      LayerCase{"phi_linear", 9, 6, false, true, KernelKind::linear},
                      LayerCase{"phi_mix_inter", 9, 6, false, true, KernelKind::arccos},
                      LayerCase{"phi_mix_intra", 9, 6, true, true, KernelKind::arccos},
                      LayerCase{"feature_gram_phi_mix_inter", 4, 6, false, false, KernelKind::rbf}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gdkm
