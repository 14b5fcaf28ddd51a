#include "problem_file.hpp"

#include <fmt/format.h>

#include "gdkm/support/safetensors.hpp"

namespace gdkm::bench {

namespace {

template <class T, class Values>
void add(TensorFile& file, const std::string& name, std::vector<std::int64_t> shape, const Values& values) {
  const std::vector<T> converted(values.begin(), values.end());
  file.tensors.emplace(name, Tensor::make<T>(std::move(shape), converted));
}

template <class T>
void add_csr(TensorFile& file, const std::string& name, const Csr& csr) {
  add<std::int64_t>(file, name + ".start", {csr.rows + 1}, csr.row_start);
  add<std::int32_t>(file, name + ".col", {csr.nonzeros()}, csr.col);
  add<T>(file, name + ".value", {csr.nonzeros()}, csr.value);
}

}  // namespace

template <class T>
void write_problem(const std::filesystem::path& path, Backend<T>& backend, const Problem& problem,
                   Dkm<T>& model, const TrainOptions& options) {
  const ModelConfig& config = model.config();
  TensorFile file;
  file.metadata = {{"nu", fmt::format("{}", config.nu_of(0))},
                   {"jitter", fmt::format("{}", config.jitter)},
                   {"samples", fmt::format("{}", config.samples)},
                   {"classes", fmt::format("{}", problem.classes)},
                   {"features", fmt::format("{}", problem.features.cols)}};
  add_csr<T>(file, "mixing", problem.relations.each[0].matrix);
  if (problem.features.is_sparse) {
    add_csr<T>(file, "X", problem.features.sparse);
  } else {
    add<T>(file, "X", {problem.features.rows, problem.features.cols}, problem.features.dense);
  }
  add<std::int64_t>(file, "label", {problem.items()}, problem.label);
  auto& parameters = model.parameters();
  for (const auto& entry : parameters.entries())
    add<T>(file, "parameter." + entry.name, {entry.rows, entry.cols}, parameters.get(entry.name));

  const Index width = parameters.value(parameters.find("readout.mu")).rows;
  Matrix<T> noise(backend, width, config.samples * problem.classes);
  std::vector<double> rate;
  for (int step = 0; step < verified_steps; ++step) {
    backend.normals(Stream{options.seed, Purpose::sampling, static_cast<std::uint32_t>(step)}, noise);
    add<T>(file, fmt::format("noise.{}", step), {noise.rows(), noise.cols()}, noise.to_host());
    rate.push_back(learning_rate(step, options.epochs, options.rate, options.schedule));
  }
  add<double>(file, "rate", {verified_steps}, rate);
  write_safetensors(path, file);
}

template void write_problem(const std::filesystem::path&, Backend<float>&, const Problem&, Dkm<float>&,
                            const TrainOptions&);
template void write_problem(const std::filesystem::path&, Backend<double>&, const Problem&, Dkm<double>&,
                            const TrainOptions&);

}  // namespace gdkm::bench
