#include "gdkm/fitting/fit.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "gdkm/dataset/check_dataset.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"
#include "gdkm/python/dense_turn.hpp"
#include "gdkm/python/settings.hpp"
#include "gdkm/python/spelling.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/safetensors_bytes.hpp"

namespace gdkm::python {

namespace {

/// Python is asked after every epoch: a callback, if there is one, and whether Ctrl-C was pressed, which only
/// the main thread learns. An exception ends the training; the model is what was learned so far.
class EpochCalls {
 public:
  EpochCalls(nb::object call, nb::object warn) : call_(std::move(call)), warn_(std::move(warn)) {}

  bool epoch(const Epoch& epoch) {
    const nb::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) return fail();
    if (call_.is_none()) return true;
    try {
      const nb::object answer = call_(epoch.number, epoch.of, epoch.loss);
      return answer.is_none() || nb::cast<bool>(nb::bool_(answer));
    } catch (nb::python_error& error) {
      error.restore();
      return fail();
    }
  }
  /// A warning that Python turns into an exception ends the training before its first epoch.
  void warn(const std::string& message) {
    const nb::gil_scoped_acquire acquired;
    if (!warn_.is_none()) warn_(spell_options(message, python_spelling));
  }
  /// Ctrl-C after the last epoch must not lose the model either.
  void end() {
    if (!raised_ && PyErr_CheckSignals() != 0) fail();
  }
  /// What Python raised meanwhile, or None.
  nb::object raised() const { return raised_ ? nb::borrow(raised_->value()) : nb::none(); }

 private:
  bool fail() {
    raised_ = std::make_unique<nb::python_error>();
    return false;
  }

  nb::object call_, warn_;
  std::unique_ptr<nb::python_error> raised_;
};

nb::dict to_python(const TrainingHistory& history) {
  nb::dict out;
  out["loss"] = to_numpy(history.loss);
  if (history.val_epoch.empty()) return out;
  out["val_epoch"] = to_numpy(history.val_epoch);
  out["val_loss"] = to_numpy(history.val_loss);
  out["val_score"] = to_numpy(history.val_accuracy);
  return out;
}

/// (model, history, what was raised by a callback or Ctrl-C).
nb::tuple fit_model(const PythonDataset& dataset, nb::handle parts, const std::string& model,
                    const nb::dict& options, nb::object on_epoch, nb::object warn,
                    std::optional<Column<double>> item_weight) {
  const Settings settings = settings_from(model, options);
  refuse_without_effect(options, settings, kind_of(*dataset));
  const Split split = split_from(parts);
  std::vector<double> weight = item_weight ? to_vector(*item_weight) : std::vector<double>();
  EpochCalls calls(std::move(on_epoch), std::move(warn));
  std::optional<FittedModel> fitted;
  TrainingHistory history;
  {
    const nb::gil_scoped_release released;
    const DenseTurn turn(settings);
    FitObserver observer;
    observer.epoch = [&](const Epoch& epoch) { return calls.epoch(epoch); };
    observer.warn = [&](const std::string& message) { calls.warn(message); };
    observer.trained = [&](const TrainingHistory& all) { history = all; };
    fitted.emplace(fit(*dataset, split, settings, observer, std::move(weight)));
  }
  calls.end();
  return nb::make_tuple(*fitted, to_python(history), calls.raised());
}

FittedModel restored(const PythonDataset& dataset, nb::handle parts, const std::string& model,
                     const nb::dict& options, const nb::bytes& state) {
  const Settings settings = settings_from(model, options);
  const Split split = split_from(parts);
  const TensorFile tensors = safetensors_from(std::string(state.c_str(), state.size()), "the model");
  const nb::gil_scoped_release released;
  const DenseTurn turn(settings);
  return restore_exact(*dataset, split, settings, tensors);
}

/// The same graph with other labels: classes, or numbers (items × outputs, NaN where they are unknown).
PythonDataset relabelled(const PythonDataset& dataset, std::optional<Column<std::int32_t>> label,
                         const std::vector<std::string>& class_names, std::optional<Rows<float>> target) {
  Dataset out = *dataset;
  const std::size_t items = out.label.size();
  out.splits.clear();
  out.share_of.clear();  // the fingerprint of other labels
  out.class_names = class_names;
  out.target.clear();
  out.targets = 0;
  out.classes = static_cast<int>(class_names.size());
  if (label) out.label = to_vector(*label);
  if (target) {
    out.targets = static_cast<int>(target->shape(1));
    out.target = {target->data(), target->data() + target->size()};
    out.label.assign(target->shape(0), 0);
    for (std::size_t item = 0; item < out.label.size(); ++item) {
      const float* row = target->data() + item * target->shape(1);
      if (std::any_of(row, row + target->shape(1), [](float y) { return std::isnan(y); }))
        out.label[item] = -1;
    }
  }
  if (out.label.size() != items)
    throw InputError("labels: expected one for each of the " + std::to_string(items) + " items");
  check_dataset(out);
  return wrapped(std::move(out));
}

}  // namespace

void add_fitting(nb::module_& module) {
  module.def("fit", &fit_model, nb::arg("dataset"), nb::arg("split"), nb::arg("model"), nb::arg("options"),
             nb::arg("on_epoch").none(), nb::arg("warn").none(), nb::arg("item_weight").none() = nb::none());
  module.def("restore_exact", &restored, nb::arg("dataset"), nb::arg("split"), nb::arg("model"),
             nb::arg("options"), nb::arg("state"));
  module.def("relabelled", &relabelled, nb::arg("dataset"), nb::arg("label").none(), nb::arg("class_names"),
             nb::arg("target").none());
}

}  // namespace gdkm::python
