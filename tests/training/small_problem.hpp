#pragma once

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/study.hpp"

namespace gdkm::testing {

/// A graph on which a run takes a fraction of a second.
inline Dataset small_dataset(const std::string& options = "") {
  return generate("csbm:n=150,classes=3,homophily=0.8,features=40,degree=6" +
                  (options.empty() ? "" : "," + options));
}

inline Settings small_settings() {
  Settings out;
  out.config.inducing = 20;
  out.training.epochs = 15;
  out.device.threads = 2;
  return out;
}

}  // namespace gdkm::testing
