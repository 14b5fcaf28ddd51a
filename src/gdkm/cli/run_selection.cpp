#include "gdkm/cli/run_selection.hpp"

#include "gdkm/store/run_options.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

void RunSelection::add_to(CLI::App& command) {
  command.add_option("--dataset", dataset, "Only runs on this data set")->type_name("NAME")->group("Filters");
  command.add_option("--model", model, "Only runs of this model")
      ->type_name("dkm|nngp|gcn")
      ->group("Filters");
  command.add_option("--status", status, "Only runs with this status")
      ->type_name("pending|running|done|failed")
      ->group("Filters");
  command
      .add_option("--where", where,
                  "Only runs with this value of an option, or of seed\nor split; may be repeated")
      ->type_name("OPTION=VALUE")
      ->group("Filters")
      ->allow_extra_args(false);
}

RunFilter RunSelection::filter() const {
  RunFilter out;
  out.dataset = dataset;
  out.model = model;
  if (!status.empty()) out.status = run_status(status);
  for (const std::string& each : where) {
    out.where.push_back(parse_where(each));
    const std::string& name = out.where.back().first;
    if (!is_option(name) && name != "seed")  // split is also the name of an option
      throw InputError("--where " + each + ": no such option; gdkm runs show lists the options of a run");
  }
  return out;
}

}  // namespace gdkm::cli
