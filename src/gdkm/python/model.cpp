#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"
#include "gdkm/python/settings.hpp"
#include "gdkm/python/spelling.hpp"
#include "gdkm/settings/settings_json.hpp"

namespace gdkm::python {

namespace {

/// Python is asked after every epoch: a callback, if there is one, and whether Ctrl-C was pressed, which only
/// the main thread learns. An exception ends the training; fit() throws it again with the model attached.
class EpochCalls {
 public:
  EpochCalls(nb::object call, nb::object warn) : call_(std::move(call)), warn_(std::move(warn)) {}

  bool epoch(const Epoch& epoch) {
    losses_.push_back(epoch.loss);
    const nb::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) return fail();
    if (call_.is_none()) return true;
    try {
      const nb::object answer = call_(epoch.number, epoch.of, epoch.loss);
      return answer.is_none() || nb::cast<bool>(answer);
    } catch (nb::python_error& error) {
      error.restore();
      return fail();
    }
  }
  void warn(const std::string& message) {
    const nb::gil_scoped_acquire acquired;
    if (!warn_.is_none()) warn_(spell_options(message, python_spelling));
  }
  const std::vector<double>& losses() const { return losses_; }
  /// What Python raised meanwhile, or None.
  nb::object raised() const { return raised_ ? nb::borrow(raised_->value()) : nb::none(); }
  ~EpochCalls() {
    const nb::gil_scoped_acquire acquired;
    raised_.reset();
    call_.reset();
    warn_.reset();
  }

 private:
  bool fail() {
    raised_ = std::make_unique<nb::python_error>();
    return false;
  }

  nb::object call_, warn_;
  std::vector<double> losses_;
  std::unique_ptr<nb::python_error> raised_;
};

/// (model, losses, what was raised by a callback or Ctrl-C).
nb::tuple fit_model(const PythonDataset& dataset, nb::handle parts, const std::string& model,
                    const nb::dict& options, nb::object on_epoch, nb::object warn) {
  const Settings settings = settings_from(model, options);
  refuse_without_effect(options, settings, kind_of(*dataset));
  const Split split = split_from(parts);
  EpochCalls calls(std::move(on_epoch), std::move(warn));
  std::optional<FittedModel> fitted;
  {
    const nb::gil_scoped_release released;
    FitObserver observer;
    observer.epoch = [&](const Epoch& epoch) { return calls.epoch(epoch); };
    observer.warn = [&](const std::string& message) { calls.warn(message); };
    fitted.emplace(fit(*dataset, split, settings, observer));
  }
  return nb::make_tuple(*fitted, to_numpy(calls.losses()), calls.raised());
}

nb::dict predictions(const FittedModel& model, const PythonDataset& dataset) {
  Predictions out;
  {
    const nb::gil_scoped_release released;
    out = model.predict(*dataset);
  }
  nb::dict result;
  result["regression"] = out.regression;
  result["values"] = to_numpy(std::move(out.values), {static_cast<std::size_t>(out.items),
                                                       static_cast<std::size_t>(out.columns())});
  result["label"] = to_numpy(std::move(out.label));
  result["remarks"] = out.remarks;
  result["names"] = out.names;
  return result;
}

nb::tuple features_of(const FittedModel& model, const PythonDataset& dataset, int layer, bool of_items) {
  NodeFeatures out;
  {
    const nb::gil_scoped_release released;
    out = model.features(*dataset, layer, of_items ? FeatureRows::items : FeatureRows::nodes);
  }
  const auto width = static_cast<std::size_t>(out.width);
  const std::size_t rows = width == 0 ? 0 : out.values.size() / width;
  return nb::make_tuple(to_numpy(std::move(out.values), {rows, width}), out.names);
}

nb::object kernel_of(const FittedModel& model, const PythonDataset& dataset, const Column<std::int32_t>& rows,
                     const Column<std::int32_t>& columns, int layer, bool of_items) {
  const auto r = to_vector(rows), c = to_vector(columns);
  Dense out;
  {
    const nb::gil_scoped_release released;
    out = model.kernel(*dataset, r, c, layer, of_items ? FeatureRows::items : FeatureRows::nodes);
  }
  return to_numpy(std::move(out.value), {r.size(), c.size()});
}

/// What the model says about itself, as JSON.
std::string card_text(const FittedModel& model) {
  const ModelCard& card = model.card();
  nlohmann::ordered_json out{{"model", name_of(card.settings.model)},
                             {"data", card.data},
                             {"version", card.version},
                             {"nodes", card.nodes},
                             {"features", card.features},
                             {"classes", card.classes},
                             {"class_names", card.class_names},
                             {"options", to_json(card.settings)},
                             {"run", to_json(card.run)}};
  if (card.task) out["task"] = *card.task == Task::node ? "node" : "graph";
  return out.dump();
}

nb::dict tensors_of(const FittedModel& model) {
  nb::dict out;
  for (const auto& [name, tensor] : model.tensors().tensors) {
    const std::vector<std::size_t> shape(tensor.shape.begin(), tensor.shape.end());
    const auto add = [&]<class T>(T) { out[name.c_str()] = to_numpy(tensor.as<T>(), shape); };
    if (tensor.dtype == "F32") add(float{});
    if (tensor.dtype == "F64") add(double{});
    if (tensor.dtype == "I32") add(std::int32_t{});
    if (tensor.dtype == "I64") add(std::int64_t{});
  }
  return out;
}

FittedModel load_model(const std::filesystem::path& path, const std::string& device, int threads) {
  DeviceChoice choice;
  const auto id = parse_device(device);
  if (!id) throw OptionError("device", device, "expected cpu, cuda or cuda:N", "");
  choice.device = *id;
  choice.threads = threads;
  return FittedModel::load(path, choice);
}

}  // namespace

void add_model(nb::module_& module) {
  nb::class_<FittedModel>(module, "Model")
      .def("predict", &predictions)
      .def("features", &features_of, nb::arg("dataset"), nb::arg("layer"), nb::arg("of_items"))
      .def("kernel", &kernel_of, nb::arg("dataset"), nb::arg("rows"), nb::arg("columns"), nb::arg("layer"),
           nb::arg("of_items"))
      .def("was_trained_on", [](const FittedModel& m, const PythonDataset& d) { return m.was_trained_on(*d); })
      .def("card", &card_text)
      .def("tensors", &tensors_of)
      .def("save", [](const FittedModel& m, const std::filesystem::path& path) { m.save(path); });
  module.def("fit", &fit_model, nb::arg("dataset"), nb::arg("split"), nb::arg("model"), nb::arg("options"),
             nb::arg("on_epoch").none(), nb::arg("warn").none());
  module.def("load_model", &load_model, nb::arg("path"), nb::arg("device"), nb::arg("threads"));
}

}  // namespace gdkm::python
