#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "tests/layers/central_differences.hpp"
#include "tests/models/gcn/small_gcn_inputs.hpp"

namespace gdkm {
namespace {

using namespace testing;

struct GcnCase {
  std::string name;
  GcnConfig config;
  bool sparse = true, pooled = false;
  std::string relations{};
  std::int32_t columns = 6;
  bool weighted = false;  // items count by their classes

  World world() const { return World(sparse, relations, columns); }
};

/// The same network with relations.
GcnCase related(const std::string& relations, GcnCase of, std::int32_t columns = 6) {
  of.relations = relations;
  of.config.relations = static_cast<Index>(parse_relations(relations).size());
  of.columns = columns;
  return of;
}

template <class T>
Items<T> batch_of(Backend<T>& backend, const GcnCase& c, const World& world) {
  if (!c.pooled) {
    return node_items<T>(backend, c.config, world.mixing, world.features, world.label, world.nodes,
                         c.config.batch_norm);
  }
  return graph_items<T>(backend, c.config, world.mixing, world.features, {0, 5, 6, 15, 24}, {1, 0, 0, 2});
}

class GcnGradient : public ::testing::TestWithParam<GcnCase> {};

TEST_P(GcnGradient, AgreesWithFiniteDifferences) {
  const GcnCase& c = GetParam();
  const World world = c.world();
  CpuBackend<double> backend(2);
  Gcn<double> model(backend, c.config, c.columns, classes);
  auto& parameters = model.parameters();
  randomise(parameters);
  auto batch = batch_of<double>(backend, c, world);
  if (c.weighted) batch.labels.weights = {{3, 0.4}, {batch.labels.count() - 3, 1.7}};
  const auto network = model.network(batch.inputs, true);
  const auto value = [&] {
    network->forward(Stream{2, Purpose::dropout, 3});
    network->score(batch.labels);
    return network->read_score().loss;
  };
  network->forward(Stream{2, Purpose::dropout, 3});
  network->backward(batch.labels, 2.0);
  std::map<std::string, double> largest;
  testing::central_differences(parameters, 1e-6, value,
                               [&](const auto& entry, std::size_t k, double gradient, double numeric) {
                                 ASSERT_NEAR(gradient, 2 * numeric, 1e-7) << entry.name << " entry " << k;
                                 largest[entry.name] = std::max(largest[entry.name], std::fabs(gradient));
                               });
  for (const auto& entry : parameters.entries())
    EXPECT_GT(largest[entry.name], 0) << entry.name << " receives nothing";
}

TEST_P(GcnGradient, Float32AgreesWithFloat64) {
  const GcnCase& c = GetParam();
  const World world = c.world();
  CpuBackend<double> exact(2);
  CpuBackend<float> single(2);
  Gcn<double> model(exact, c.config, c.columns, classes);
  Gcn<float> rounded(single, c.config, c.columns, classes);
  randomise(model.parameters());
  for (const auto& entry : model.parameters().entries()) {
    rounded.parameters().set(entry.name, cast<float>(model.parameters().get(entry.name)));
  }
  const auto batch = batch_of<double>(exact, c, world);
  const auto batch32 = batch_of<float>(single, c, world);
  const auto network = model.network(batch.inputs, true);
  const auto network32 = rounded.network(batch32.inputs, true);
  network->forward(Stream{2, Purpose::dropout, 3});
  network->backward(batch.labels);
  network32->forward(Stream{2, Purpose::dropout, 3});
  network32->backward(batch32.labels);
  EXPECT_NEAR(network32->read_score().loss, network->read_score().loss, 1e-5);
  EXPECT_EQ(network32->read_score().accuracy, network->read_score().accuracy);
  for (const auto& entry : model.parameters().entries()) {
    expect_close(rounded.parameters().get_gradient(entry.name), model.parameters().get_gradient(entry.name),
                 1e-4, entry.name);
  }
}

GcnCase weighted(GcnCase of) {
  of.weighted = true;
  return of;
}

INSTANTIATE_TEST_SUITE_P(
    Networks, GcnGradient,
    ::testing::Values(
        weighted({"kipf_with_weights_of_items", config_of(Architecture::kipf, 2, 0, false, false)}),
        GcnCase{"kipf", config_of(Architecture::kipf, 2, 0, false, false)},
        GcnCase{"kipf_dense", config_of(Architecture::kipf, 2, 0.5, false, false), false},
        GcnCase{"kipf_one_layer", config_of(Architecture::kipf, 1, 0.5, false, false)},
        GcnCase{"kipf_three_layers", config_of(Architecture::kipf, 3, 0.3, false, false)},
        GcnCase{"kipf_batch_norm", config_of(Architecture::kipf, 3, 0.3, true, false)},
        GcnCase{"kipf_row_normalise", config_of(Architecture::kipf, 2, 0.3, false, true)},
        GcnCase{"kipf_both_norms", config_of(Architecture::kipf, 3, 0, true, true)},
        GcnCase{"kipf_narrow", config_of(Architecture::kipf, 2, 0, false, false, 2)},
        GcnCase{"kipf_mean_pooled", config_of(Architecture::kipf, 2, 0, false, false), true, true},
        GcnCase{"kipf_one_layer_sum_pooled", sums(config_of(Architecture::kipf, 1, 0, false, false)), true,
                true},
        GcnCase{"platonov", config_of(Architecture::platonov, 2, 0, false, false)},
        GcnCase{"platonov_dense", config_of(Architecture::platonov, 2, 0.4, false, true), false},
        GcnCase{"platonov_both_norms", config_of(Architecture::platonov, 2, 0.4, true, true)},
        GcnCase{"platonov_sum_pooled", sums(config_of(Architecture::platonov, 1, 0.2, true, false)), true,
                true},
        related("self,in,out", {"relations", config_of(Architecture::kipf, 2, 0, false, false)}),
        related("self,in,out:row",
                {"relations_dense", config_of(Architecture::kipf, 3, 0.3, false, false), false}),
        related("in,self,gcn", {"relations_batch_norm", config_of(Architecture::kipf, 3, 0.3, true, true)}),
        related("self,und,hop2",
                {"relations_of_many_features", config_of(Architecture::kipf, 2, 0, false, false)}, 60),
        related("in,out", {"relations_one_layer", config_of(Architecture::kipf, 1, 0, false, false)}, 60),
        related("self,in,out", {"relations_narrow", config_of(Architecture::kipf, 3, 0, true, false, 2)}),
        related("self,in,out",
                {"relations_mean_pooled", config_of(Architecture::kipf, 2, 0, false, false), true, true}),
        related("self,in,out",
                {"relations_platonov", config_of(Architecture::platonov, 2, 0.4, true, true)})),
    [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gdkm
