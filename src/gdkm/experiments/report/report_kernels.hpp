#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/experiments/report/report_nu.hpp"

namespace gdkm {

/// How long training for kernels may take, and where data sets are.
struct ReportKernelOptions {
  std::optional<std::filesystem::path> data_dir;
  double seconds = 120;  // of training, by what the runs took when they were stored; 0 for no kernels
  int threads = 0;
  std::function<void(std::int64_t done, std::int64_t total, const std::string& what)> progress =
      [](std::int64_t, std::int64_t, const std::string&) {};
  std::function<bool()> interrupted = [] { return false; };
};

/// The final kernel of a run of the store, trained again from its configuration.
struct ReportKernel {
  double nu = 0;
  std::int64_t run = 0;
  std::optional<double> val;  // of the repetition; the store has the first one's
  double cka = 0;             // with the labels, over all nodes (or graphs)
  KernelPicture picture;
};

/// Kernels of one data set over the same nodes, sorted by class.
struct ReportKernels {
  std::string dataset;
  bool of_graphs = false;              // rows are graphs, by the mean of their nodes' features
  std::vector<std::int64_t> of_class;  // rows of each class, in order
  std::vector<std::string> class_names;
  std::vector<ReportKernel> by_nu;  // ν ascending, ∞ last
};

/// A data set (perhaps at one ν) without kernels, and why.
struct ReportWithoutKernels {
  std::string dataset, why;
  bool no_time = false;  // training takes longer than the options allow
};

struct ReportKernelSet {
  std::vector<ReportKernels> kernels;
  std::vector<ReportWithoutKernels> without;
};

/// A store holds no kernels, so this trains one run of some points of the ν-curves again and takes the kernel
/// of its last layer. On every data set ν = ∞ and the ν that validation prefers come first, then the smallest
/// ν, and then those farthest from the others, as long as the seconds last. Returns nothing if it was
/// interrupted.
std::optional<ReportKernelSet> report_kernels(const std::vector<ReportNuCurve>& curves,
                                              const ReportRuns& runs, const ReportKernelOptions& options);

/// The points to train, for each curve in ascending order: their runs took at most `seconds` in total.
std::vector<std::vector<std::size_t>> affordable_kernels(const std::vector<ReportNuCurve>& curves,
                                                         const ReportRuns& runs, double seconds);

}  // namespace gdkm
