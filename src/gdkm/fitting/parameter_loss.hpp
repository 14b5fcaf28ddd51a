#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/fitting/prepared_data.hpp"

namespace gdkm {

/// What a training minimises, as a function of parameters that the caller sets: for whoever brings an
/// optimiser of their own. Of a model with inducing points that is −ELBO per training item, with q(W) among
/// the parameters, as inference = paper has it; of a GCN the mean cross-entropy, without weight decay.
/// Parameters start where a training does.
class ParameterLoss {
 public:
  /// An InputError for exact models and landmarks, which have no such parameters, and for several batches.
  ParameterLoss(Dataset dataset, const Split& split, Settings settings);
  ~ParameterLoss();
  ParameterLoss(ParameterLoss&&) noexcept;

  struct Parameter {
    std::string name;
    Index rows = 0, cols = 0;
    Index size() const { return rows * cols; }
  };
  std::vector<Parameter> parameters() const;
  /// Row-major. A wrong name or length is an InputError.
  std::vector<double> get(const std::string& name) const;
  void set(const std::string& name, const std::vector<double>& values);

  /// The loss at these parameters; its gradient is then there. `turn` chooses the random numbers of the
  /// expected log-likelihood or of dropout: the same turn gives the same loss.
  double compute(std::uint32_t turn = 0);
  std::vector<double> gradient(const std::string& name) const;
  /// Items that the loss is the mean over.
  Index items() const;

  /// Predictions at these parameters, without calibration: see Problem::columns.
  std::vector<double> predict() const;

  class Content;

 private:
  std::unique_ptr<Content> content_;
};

}  // namespace gdkm
