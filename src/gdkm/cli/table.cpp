#include <fmt/format.h>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/option_names.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/experiments/tables/paper_tables.hpp"
#include "gdkm/support/atomic_file.hpp"

namespace gdkm::cli {

namespace {

struct TableCommand {
  std::string name, store, output = "-";
  TableFormat format = TableFormat::markdown;

  void run() const;
};

void TableCommand::run() const {
  check_output("--output", output, store);
  const std::string text = to_text(paper_table(name, Store::open(store)), format);
  if (output == "-") {
    fmt::print("{}", text);
  } else {
    write_file_atomically(output, text);
  }
}

}  // namespace

void add_table(CLI::App& app) {
  auto command = std::make_shared<TableCommand>();
  CLI::App& table = *app.add_subcommand("table", "Print one of the paper's tables, from a store");
  table.add_option("NAME", command->name, "nodes, graphs, schemes, datasets or graph-datasets")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember(table_names()).description(""));
  table.add_option("STORE", command->store, "A store of gdkm sweep")->required()->type_name("");
  add_choice(table, "--format", command->format,
             {TableFormat::markdown, TableFormat::latex, TableFormat::csv}, "Output format");
  table.add_option("--output,-o", command->output, "The file to write; - for standard output")
      ->type_name("FILE|-")
      ->capture_default_str();
  table.footer(
      "Cells show mean ± standard deviation, over the means of the splits if there are\n"
      "several, else over seeds. The best of a row is bold; the paper's numbers are in\n"
      "parentheses.\n"
      "Examples:\n"
      "  gdkm table nodes paper-quick.db\n"
      "  gdkm table schemes node-dkm.db --format latex -o schemes.tex");
  table.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
