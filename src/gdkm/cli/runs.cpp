#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/runs_tables.hpp"
#include "gdkm/store/run_export.hpp"
#include "gdkm/store/run_options.hpp"
#include "gdkm/store/store_copy.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

/// --dataset, --model, --status and --where, which select runs of a store.
struct RunSelection {
  RunFilter chosen;
  std::string status;
  std::vector<std::string> where;

  void add_to(CLI::App& command);
  bool empty() const {
    return chosen.dataset.empty() && chosen.model.empty() && status.empty() && where.empty();
  }
  RunFilter filter() const;
};

void RunSelection::add_to(CLI::App& command) {
  add_text(command, "--dataset", "NAME", chosen.dataset, "Only runs on this data set")->group("Filters");
  add_text(command, "--model", "dkm|nngp|gcn", chosen.model, "Only runs of this model")->group("Filters");
  add_text(command, "--status", "pending|running|done|failed", status, "Only runs with this status")
      ->group("Filters");
  add_text(command, "--where", "OPTION=VALUE", where,
           "Only runs with this value of an option, or of seed\nor split; may be repeated")
      ->group("Filters")
      ->allow_extra_args(false);
}

RunFilter RunSelection::filter() const {
  RunFilter out = chosen;
  if (!status.empty()) out.status = run_status(status);
  for (const std::string& each : where) {
    out.where.push_back(parse_where(each));
    const std::string& name = out.where.back().first;
    if (!is_option(name) && name != "seed")  // split is also the name of an option
      throw InputError("--where " + each + ": no such option; gdkm runs show lists the options of a run");
  }
  return out;
}

struct RunsCommand {
  std::string store, target, output = "-", format;
  std::vector<std::string> runs, by;
  RunSelection selection;
  bool curves = false, all = false;

  std::vector<StoredRun> chosen(const Store& from) const;
  void list() const;
  void show() const;
  void compare() const;
  void remove() const;
  void export_runs() const;
  void copy() const;
};

/// The runs given by number, or else those that match the filters.
std::vector<StoredRun> RunsCommand::chosen(const Store& from) const {
  if (runs.empty()) return from.runs(selection.filter());
  if (!selection.empty()) throw InputError("give run numbers or filters, not both");
  std::vector<StoredRun> out;
  for (const std::string& run : runs) out.push_back(from.find(run));
  return out;
}

void RunsCommand::list() const {
  const auto found = Store::open(store).runs(selection.filter());
  fmt::print("{}", found.empty() ? "no matching runs\n" : run_list(found));
}

void RunsCommand::show() const {
  const Store from = Store::open(store);
  for (const std::string& run : runs) fmt::print("{}", run_details(from, from.find(run)));
}

void RunsCommand::compare() const {
  const Store from = Store::open(store);
  const auto found = chosen(from);
  if (!by.empty()) {
    std::vector<std::string> options = by;
    for (std::string& option : options) {
      option = option_key(option);
      const bool known = std::any_of(found.begin(), found.end(), [&](const StoredRun& run) {
        return run.configuration.options.contains(option);
      });
      if (!known) throw InputError(fmt::format("--by {}: none of these runs has this option", option));
    }
    return fmt::print("{}", run_groups(found, options));
  }
  if (found.size() < 2 || found.size() > 12) {
    throw InputError(
        fmt::format("cannot compare {} runs side by side; give 2 to 12, or summarise them with --by OPTION",
                    found.size()));
  }
  fmt::print("{}", run_comparison(found));
}

void RunsCommand::remove() const {
  if (runs.empty() && selection.empty() && !all)
    throw InputError("no runs given; give their numbers, a filter such as --status failed, or --all");
  if (all && (!runs.empty() || !selection.empty()))
    throw InputError("--all does not go with run numbers or filters; leave one of them out");
  const Store from = Store::open(store);
  int removed = 0;
  for (const StoredRun& run : chosen(from)) removed += from.remove(run.id) ? 1 : 0;
  fmt::print("{} {} removed\n", removed, removed == 1 ? "run" : "runs");
}

void RunsCommand::export_runs() const {
  std::string kind = format;
  if (kind.empty() && output != "-") {
    kind = std::filesystem::path(output).extension().string();
    if (!kind.empty()) kind.erase(0, 1);
  }
  if (kind.empty() && output == "-") kind = "csv";
  if (kind != "csv" && kind != "json" && kind != "parquet")
    throw InputError(fmt::format(
        "{}: unknown format; use a name that ends in .csv, .json or .parquet, or --format", output));
  if (kind == "parquet" && output == "-")
    throw InputError("--format parquet is a binary format; name a file with --output");
  check_output("--output", output, store);
  const Store from = Store::open(store);
  const auto found = from.runs(selection.filter());
  const ExportTable table = curves ? export_curves(from, found) : gdkm::export_runs(found);
  write_output(output, kind == "csv"    ? to_csv(table)
                       : kind == "json" ? to_json_text(table)
                                        : to_parquet(table));
}

void RunsCommand::copy() const {
  const StoreLocation from(store), to(target);
  if (from.shown() == to.shown())
    throw InputError(to.shown() + ": a store cannot be copied to itself; give another");
  if (!to.is_server()) check_output("TO", target);
  const Store source = Store::open(from);
  const StoreCopyCount count = copy_store(source, Store::open_or_create(to));
  fmt::print("{} {} added, {} completed, {} known\n", count.added, count.added == 1 ? "run" : "runs",
             count.completed, count.known);
}

}  // namespace

void add_runs(CLI::App& app) {
  auto command = std::make_shared<RunsCommand>();
  CLI::App& runs = *app.add_subcommand("runs", "List, compare, export, copy or remove runs");
  runs.require_subcommand(1);
  runs.footer(
      "Examples:\n"
      "  gdkm runs list node-dkm.db --dataset cora --status done\n"
      "  gdkm runs compare node-dkm.db --by nu,scheme\n"
      "  gdkm runs export node-dkm.db -o runs.csv\n"
      "Each command has its own --help.");
  const auto add = [&](const char* name, const char* help, const std::string& examples,
                       void (RunsCommand::*action)() const) -> CLI::App& {
    CLI::App& out = *runs.add_subcommand(name, help);
    add_argument(out, "STORE", command->store, "A store of gdkm sweep");
    out.footer("Examples:\n" + examples);
    out.callback([command, action] { ((*command).*action)(); });
    return out;
  };
  command->selection.add_to(add("list", "List runs, one per line",
                                "  gdkm runs list node-dkm.db\n"
                                "  gdkm runs list node-dkm.db --where nu=0.1 --where scheme=inter",
                                &RunsCommand::list));
  add_argument(
      add("show", "Show all details of some runs", "  gdkm runs show node-dkm.db 17", &RunsCommand::show),
      "RUN", command->runs, "Run numbers, or beginnings of hashes");
  CLI::App& compare = add("compare", "Compare runs side by side, or summarise by option",
                          "  gdkm runs compare node-dkm.db 17 18\n"
                          "  gdkm runs compare node-dkm.db --by nu --where scheme=inter",
                          &RunsCommand::compare);
  add_text(compare, "RUN", "", command->runs, "Run numbers");
  add_text(compare, "--by", "OPTION,..", command->by,
           "Mean and standard deviation for each value of\nthese options")
      ->delimiter(',');
  command->selection.add_to(compare);
  CLI::App& remove = add("rm", "Remove runs",
                         "  gdkm runs rm node-dkm.db 17 18\n"
                         "  gdkm runs rm node-dkm.db --status failed",
                         &RunsCommand::remove);
  add_text(remove, "RUN", "", command->runs, "Run numbers");
  remove.add_flag("--all", command->all, "Remove all runs");
  command->selection.add_to(remove);
  CLI::App& exported = add("export", "Export runs as CSV, JSON or Parquet",
                           "  gdkm runs export node-dkm.db -o runs.csv\n"
                           "  gdkm runs export node-dkm.db -o runs.parquet --model dkm\n"
                           "  gdkm runs export node-dkm.db --curves -o curves.csv",
                           &RunsCommand::export_runs);
  add_output(exported, command->output, "The file to write; - for standard output");
  add_text(exported, "--format", "csv|json|parquet", command->format,
           "The format, if the name of the file does not tell");
  exported.add_flag("--curves", command->curves, "Export learning curves: one row per epoch");
  command->selection.add_to(exported);
  CLI::App& copied = *runs.add_subcommand("copy", "Copy runs to another store, of either kind");
  add_argument(copied, "FROM", command->store, "A store: a file, or\npostgresql://user@host/database");
  add_argument(copied, "TO", command->target, "Another store; it is created if it is missing");
  copied.footer(
      "Runs that both stores have stay as they are, unless only FROM has their results.\n"
      "Examples:\n"
      "  gdkm runs copy node-dkm.db postgresql://me@server/study\n"
      "  gdkm runs copy postgresql://me@server/study laptop.db");
  copied.callback([command] { command->copy(); });
}

}  // namespace gdkm::cli
