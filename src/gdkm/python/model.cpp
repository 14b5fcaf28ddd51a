#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <nlohmann/json.hpp>

#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/fitting/nearest_items.hpp"
#include "gdkm/fitting/prediction_sets.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"
#include "gdkm/python/dense_turn.hpp"
#include "gdkm/python/settings.hpp"
#include "gdkm/python/spelling.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/safetensors_bytes.hpp"

namespace gdkm::python {

namespace {

/// Remarks, with options as Python spells them.
std::vector<std::string> spelled(std::vector<std::string> remarks) {
  for (std::string& each : remarks) each = spell_options(each, python_spelling);
  return remarks;
}

/// What `work` returns, computed while other threads of Python go on.
template <class Work>
auto computed(const FittedModel& model, const Work& work) {
  const nb::gil_scoped_release released;
  const DenseTurn turn(model.card().settings);
  return work();
}

nb::dict predictions(const FittedModel& model, const PythonDataset& dataset) {
  Predictions out = computed(model, [&] { return model.predict(*dataset); });
  const auto items = static_cast<std::size_t>(out.items), columns = static_cast<std::size_t>(out.columns());
  nb::dict result;
  result["regression"] = out.regression;
  result["values"] = to_numpy(std::move(out.values), {items, columns});
  result["label"] = to_numpy(std::move(out.label));
  result["remarks"] = spelled(out.remarks);
  result["names"] = out.names;
  return result;
}

nb::dict sets_of(const FittedModel& model, const PythonDataset& dataset, double coverage) {
  const Predictions known = computed(model, [&] { return model.predict(*dataset); });
  PredictionSets sets = prediction_sets(known, model.card(), coverage);
  const std::vector<std::size_t> shape{static_cast<std::size_t>(known.items),
                                       static_cast<std::size_t>(known.outputs)};
  nb::dict result;
  result["calibrated"] = sets.calibrated;
  if (known.regression) {
    result["lower"] = to_numpy(std::move(sets.lower), shape);
    result["upper"] = to_numpy(std::move(sets.upper), shape);
  } else {
    result["member"] = to_numpy(std::vector<std::int8_t>(sets.member.begin(), sets.member.end()), shape);
  }
  result["remarks"] = spelled(known.remarks);
  result["names"] = known.names;
  if (!sets.measured) return result;
  nb::dict measured;
  measured["asked"] = sets.measured->asked;
  measured["measured"] = sets.measured->measured;
  measured["size"] = sets.measured->size;
  measured["items"] = sets.measured->items;
  measured["calibration_items"] = sets.measured->calibration_items;
  result["measured"] = measured;
  return result;
}

nb::dict nearest_of(const FittedModel& model, const PythonDataset& dataset,
                    const PythonDataset& training_data, int count) {
  NearestItems out =
      computed(model, [&] { return nearest_training_items(model, *dataset, *training_data, count); });
  const auto each = static_cast<std::size_t>(out.count);
  const std::size_t rows = each == 0 ? 0 : out.item.size() / each;
  nb::dict result;
  result["item"] = to_numpy(std::move(out.item), {rows, each});
  result["similarity"] = to_numpy(std::move(out.similarity), {rows, each});
  result["label"] = to_numpy(std::move(out.label));
  return result;
}

FeatureRows rows_for(bool of_items) {
  return of_items ? FeatureRows::items : FeatureRows::nodes;
}

nb::tuple features_of(const FittedModel& model, const PythonDataset& dataset, int layer, bool of_items) {
  NodeFeatures out = computed(model, [&] { return model.features(*dataset, layer, rows_for(of_items)); });
  const auto width = static_cast<std::size_t>(out.width);
  const std::size_t rows = width == 0 ? 0 : out.values.size() / width;
  return nb::make_tuple(to_numpy(std::move(out.values), {rows, width}), out.names);
}

nb::object kernel_of(const FittedModel& model, const PythonDataset& dataset, const Column<std::int32_t>& rows,
                     const Column<std::int32_t>& columns, int layer, bool of_items) {
  const auto r = to_vector(rows), c = to_vector(columns);
  Dense out = computed(model, [&] { return model.kernel(*dataset, r, c, layer, rows_for(of_items)); });
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
                             {"regression", card.settings.config.regression},
                             {"train_items", card.train_items.size()},
                             {"val_items", card.val_items.size()},
                             {"conformal_items", card.conformal.empty() ? 0 : card.conformal.front().size()},
                             {"options", to_json(card.settings)},
                             {"run", to_json(card.run)}};
  if (card.task) out["task"] = *card.task == Task::node ? "node" : "graph";
  return out.dump();
}

/// The options that it was trained with, as estimators take them.
nb::dict options_of(const FittedModel& model) {
  nb::dict out;
  for (const Option& option : option_table())
    out[option.name.c_str()] = to_python(option, option.get(model.card().settings));
  return out;
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

nb::bytes state_of(const FittedModel& model) {
  const std::string bytes = safetensors_bytes(model.state());
  return nb::bytes(bytes.data(), bytes.size());
}

DeviceChoice device_choice(const std::string& device, int threads) {
  const auto id = parse_device(device);
  if (!id) throw OptionError("device", device, "expected cpu, cuda or cuda:N", "");
  DeviceChoice out;
  out.device = *id;
  out.threads = threads;
  return out;
}

}  // namespace

void add_model(nb::module_& module) {
  using Self = const FittedModel&;
  nb::class_<FittedModel>(module, "Model")
      .def("predict", &predictions, nb::arg("dataset"))
      .def("prediction_sets", &sets_of, nb::arg("dataset"), nb::arg("coverage"))
      .def("nearest", &nearest_of, nb::arg("dataset"), nb::arg("training_data"), nb::arg("count"))
      .def("features", &features_of, nb::arg("dataset"), nb::arg("layer"), nb::arg("of_items"))
      .def("kernel", &kernel_of, nb::arg("dataset"), nb::arg("rows"), nb::arg("columns"), nb::arg("layer"),
           nb::arg("of_items"))
      .def(
          "was_trained_on", [](Self m, const PythonDataset& d) { return m.was_trained_on(*d); },
          nb::arg("dataset"))
      .def("card", &card_text)
      .def("options", &options_of)
      .def_prop_ro("train_items", [](Self m) { return to_numpy(m.card().train_items); })
      .def_prop_ro("val_items", [](Self m) { return to_numpy(m.card().val_items); })
      .def("tensors", &tensors_of)
      .def("state", &state_of)
      .def(
          "save", [](Self m, const std::filesystem::path& path) { m.save(path); }, nb::arg("path"));
  module.def(
      "load_model",
      [](const std::filesystem::path& path, const std::string& device, int threads) {
        return FittedModel::load(path, device_choice(device, threads));
      },
      nb::arg("path"), nb::arg("device"), nb::arg("threads"));
  module.def(
      "model_from_state",
      [](const nb::bytes& state, const std::string& device, int threads) {
        return fitted_model(safetensors_from(std::string(state.c_str(), state.size()), "the model"),
                            device_choice(device, threads), "the model");
      },
      nb::arg("state"), nb::arg("device"), nb::arg("threads"));
}

}  // namespace gdkm::python
