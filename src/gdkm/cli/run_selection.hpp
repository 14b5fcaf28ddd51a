#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "gdkm/store/run_filter.hpp"

namespace gdkm::cli {

/// --dataset, --model, --status and --where, which select runs of a store.
struct RunSelection {
  std::string dataset, model, status;
  std::vector<std::string> where;

  void add_to(CLI::App& command);
  bool empty() const { return dataset.empty() && model.empty() && status.empty() && where.empty(); }
  RunFilter filter() const;
};

}  // namespace gdkm::cli
