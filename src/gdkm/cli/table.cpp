#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/experiments/tables/paper_tables.hpp"

namespace gdkm::cli {

namespace {

struct TableCommand {
  std::string name, store, output = "-";
  TableScope scope;
  TableFormat format = TableFormat::markdown;
  bool brief = false;

  void run() const;
};

void TableCommand::run() const {
  check_output("--output", output, store);
  write_output(output, to_text(paper_table(name, Store::open(store), scope), format, brief));
}

}  // namespace

void add_table(CLI::App& app) {
  auto command = std::make_shared<TableCommand>();
  CLI::App& table = *app.add_subcommand("table", "Print one of the paper's tables, from a store");
  add_argument(table, "NAME", command->name,
               "nodes, graphs, differences, graph-differences,\nbest, calibration, gains, graph-gains, "
               "schemes,\ndatasets or graph-datasets")
      ->check(CLI::IsMember(table_names()).description(""));
  add_argument(table, "STORE", command->store, "A store of gdkm sweep");
  add_text(table, "--sweep", "NAME[/STUDY],..", command->scope.sweeps,
           "Only runs of these sweeps of the store,\nor of one study of a sweep")
      ->delimiter(',');
  add_text(table, "--without", "DATA,..", command->scope.without, "Leave out these data sets")
      ->delimiter(',');
  add_choice(table, "--score", command->scope.score,
             "Test score that tables of differences and gains\ncompare");
  add_choice(table, "--format", command->format, "Output format");
  table.add_flag("--brief", command->brief, "Leave out what the columns and marks mean");
  add_output(table, command->output, "The file to write; - for standard output");
  table.footer(
      "Cells show mean ± standard deviation, over the means of the splits if there are\n"
      "several, else over seeds. The best of a row is bold; the paper's numbers are in\n"
      "parentheses.\n"
      "Examples:\n"
      "  gdkm table nodes paper-quick.db\n"
      "  gdkm table nodes protocol.db --sweep node-dkm,node-nngp,gcn\n"
      "  gdkm table differences protocol.db --sweep node-dkm,gcn\n"
      "  gdkm table gains node-dkm.db --without cora,citeseer\n"
      "  gdkm table gains node-dkm.db --score nll\n"
      "  gdkm table schemes node-dkm.db --format latex -o schemes.tex");
  table.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
