#include "gdkm/experiments/figures/er_lambda.hpp"

#include <fmt/format.h>

#include <numeric>

#include "gdkm/data/generators/erdos_renyi.hpp"
#include "gdkm/experiments/figures/kernel_grid.hpp"
#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/graph/graph.hpp"
#include "gdkm/models/exact/linear_closed_form.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/training/cka.hpp"

namespace gdkm {

ErLambda er_lambda(const ErLambdaOptions& options) {
  constexpr int layers = 2;
  const DenseThreads alone(1);
  ErdosRenyi generator;
  generator.nodes = options.nodes;
  generator.p = options.p;
  generator.classes = 2;
  generator.features = options.features;
  generator.signal = 0;
  generator.splits.splits = 0;
  generator.splits.seed = static_cast<std::int64_t>(options.seed);
  const Dataset graph = generator.generate();
  const auto nodes = sampled_nodes(graph.label, options.nodes, options.seed);

  ErLambda out;
  out.label = labels_of(graph.label, nodes);
  const auto n = static_cast<Index>(nodes.size());
  out.labels = Dense(n, n);
  for (Index r = 0; r < n; ++r) {
    for (Index c = 0; c < n; ++c) out.labels(r, c) = out.label[r] == out.label[c] ? 1 : -1;
  }
  Dense target = out.labels, input = linear_kernel(select_rows(graph.features, nodes));
  add_to_diagonal(options.nugget, target);
  for (double& value : input.value) value /= static_cast<double>(options.features);
  const Csr edges = submatrix(adjacency(graph.graph), nodes, nodes);
  std::vector<std::int32_t> rows(nodes.size());
  std::iota(rows.begin(), rows.end(), 0);
  for (const double lambda : options.lambda) {
    const Csr mixing = normalised_adjacency(edges, lambda);
    ErLambda::Column column;
    column.lambda = lambda;
    column.dkm = linear_closed_form(mixing, input, target, layers).grams.back();
    column.nngp = input;
    for (int layer = 0; layer < layers; ++layer) mix_both_sides(mixing, column.nngp);
    column.dkm_cka = cka(column.dkm.value, out.labels.value, n, rows);
    column.nngp_cka = cka(column.nngp.value, out.labels.value, n, rows);
    out.columns.push_back(std::move(column));
  }
  return out;
}

Figure er_lambda_figure(const ErLambda& kernels) {
  KernelGrid grid;
  grid.title = "Kernels of linear graph DKMs and NNGPs on an Erdos-Renyi graph";
  grid.rows = {"DKM", "NNGP"};
  grid.labels.assign(2, kernels.label);
  grid.cells.resize(2);
  ExportTable numbers;
  numbers.columns = {{"lambda"}, {"model"}, {"cka"}};
  TextTable text({"lambda", "CKA of the DKM", "CKA of the NNGP"});
  text.align_right({0, 1, 2});
  for (const auto& column : kernels.columns) {
    grid.columns.push_back(fmt::format("λ = {:g}", column.lambda));
    const auto add = [&](std::size_t row, const char* model, const Dense& kernel, double cka) {
      grid.cells[row].push_back(KernelGrid::Cell{picture_of_kernel(kernel),
                                                 fmt::format("{} lambda={:g}", model, column.lambda),
                                                 fmt::format("CKA {:.3f}", cka)});
      numbers.add({column.lambda, model, cka});
    };
    add(0, "dkm", column.dkm, column.dkm_cka);
    add(1, "nngp", column.nngp, column.nngp_cka);
    text.add({fmt::format("{:g}", column.lambda), fmt::format("{:.3f}", column.dkm_cka),
              fmt::format("{:.3f}", column.nngp_cka)});
  }
  grid.columns.emplace_back("labels");
  grid.cells[0].push_back(KernelGrid::Cell{picture_of_kernel(kernels.labels), "labels", ""});
  grid.cells[1].push_back(std::nullopt);
  Figure out;
  out.pictures = {{"er-lambda", to_svg(grid)}};
  out.numbers = {{"er-lambda", std::move(numbers)}, {"er-lambda-kernels", to_table(grid)}};
  out.summary = text.text();
  return out;
}

}  // namespace gdkm
