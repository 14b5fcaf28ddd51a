#include "gdkm/models/upload_features.hpp"

#include <gtest/gtest.h>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/gcn/gcn_inputs.hpp"
#include "gdkm/models/graph_inputs.hpp"

namespace gdkm {
namespace {

/// Three nodes; 1/3 and 2/3 are no numbers of float32.
Relations relations(int count) {
  Relations out;
  for (int r = 0; r < count; ++r)
    out.each.push_back(
        {"", RelationScaling::sym,
         csr_from_triplets(3, 3, {{0, 0, 1.0 / 3}, {0, 2, 2.0 / 3}, {1, 1, 1.0 + r}, {2, 0, 0.1}})});
  return out;
}

Features features() {
  Features out;
  out.rows = 3;
  out.cols = 2;
  out.dense = std::vector<float>{1, 0.5f, -2, 4, 0.25f, 3};
  return out;
}

std::vector<double> plain_product(int count) {
  const Features x = features();
  std::vector<double> out(static_cast<std::size_t>(3 * 2 * count), 0.0);
  for (int r = 0; r < count; ++r) {
    const Csr p = relations(count).each[static_cast<std::size_t>(r)].matrix;
    for (Index row = 0; row < 3; ++row) {
      for (Index k = p.row_start[row]; k < p.row_start[row + 1]; ++k) {
        for (Index c = 0; c < 2; ++c)
          out[row * 2 * count + 2 * r + c] += p.value[k] * static_cast<double>(x.dense[p.col[k] * 2 + c]);
      }
    }
  }
  return out;
}

template <class T>
void expect_near(const std::vector<T>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(static_cast<double>(actual[k]), expected[k], tolerance) << "entry " << k;
}

TEST(UploadFeatures, InDoublePrecisionMixedFeaturesAreNotRoundedToFloat) {
  CpuBackend<double> backend(1);
  for (const int count : {1, 2}) {
    const auto expected = plain_product(count);
    const auto dkm = make_inputs<double>(backend, relations(count), features(), {});
    expect_near(dkm.input.dense.to_host(), expected, 1e-15);
    GcnConfig config;
    config.relations = count;
    expect_near(make_gcn_inputs<double>(backend, config, relations(count), features()).dense.to_host(),
                expected, 1e-15);
  }
}

TEST(UploadFeatures, InSinglePrecisionMixedFeaturesAreRoundedOnce) {
  CpuBackend<float> backend(1);
  expect_near(upload_mixed(backend, relations(2), features()).dense.to_host(), plain_product(2), 3e-7);
}

}  // namespace
}  // namespace gdkm
