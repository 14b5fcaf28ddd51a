#pragma once

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/models/gcn/gcn_config.hpp"
#include "gdkm/training/problem.hpp"
#include "gdkm/training/train_options.hpp"

namespace gdkm::testing {

/// A graph, and a GCN, on which a training takes a fraction of a second.
struct Small {
  Dataset data = generate("csbm:n=150,classes=3,homophily=0.8,features=40,degree=4");
  Problem problem = prepare(data, Preprocessing{}, 0);
  Split split = data.splits.at("public")[0];
};

inline GcnConfig small_config() {
  GcnConfig out;
  out.width = 16;
  return out;
}

inline TrainOptions epochs(int count, int patience = 0) {
  TrainOptions out;
  out.epochs = count;
  out.patience = patience;
  out.inference = Inference::uncalibrated;
  return out;
}

}  // namespace gdkm::testing
