#include "gdkm/cli/run_selection.hpp"

#include "gdkm/store/run_options.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

void RunSelection::add_to(CLI::App& command) {
  command.add_option("--dataset", dataset, "Only runs on this data set")->type_name("NAME")->group("Which");
  command.add_option("--model", model, "Only runs of this model")->type_name("dkm|nngp|gcn")->group("Which");
  command.add_option("--status", status, "Only runs of this status")
      ->type_name("pending|running|done|failed")
      ->group("Which");
  command
      .add_option("--where", where,
                  "Only runs with this value of an option, of seed\nor of split; may be given again")
      ->type_name("OPTION=VALUE")
      ->group("Which")
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
    if (!is_option(name) && name != "seed")  // split is an option's name, too
      throw InputError("--where " + each + ": runs have no such option; gdkm runs show lists those of a run");
  }
  return out;
}

}  // namespace gdkm::cli
