#include <fmt/format.h>

#include <cstdio>
#include <new>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/interrupted.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm::cli {

void warn(std::string_view message) {
  fmt::print(stderr, "gdkm: warning: {}\n", message);
}

namespace {

enum Exit { done = 0, failed = 1, bad_input = 2, numerical_failure = 3 };

int fail(Exit status, std::string_view message) {
  fmt::print(stderr, "gdkm: {}\n", message);
  return status;
}

/// The command as a shell would take it again.
std::string command_line(int argc, char** argv) {
  std::string out;
  for (int k = 0; k < argc; ++k) {
    const std::string word = argv[k];
    const bool plain = word.find_first_of(" \t\"'$`\\*?&|;<>()#~") == std::string::npos && !word.empty();
    out += (k > 0 ? " " : "") + (plain ? word : "'" + word + "'");
  }
  return out;
}

int run(int argc, char** argv) {
  CLI::App app{
      "Graph convolutional deep kernel machines: infinite-width graph networks that learn representations."};
  app.name("gdkm");
  app.set_version_flag("--version", fmt::format("gdkm {} ({})", version, git_commit));
  app.require_subcommand(1);
  app.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
  app.footer(
      "Examples:\n"
      "  gdkm demo                                 the main idea in two minutes, as one HTML file\n"
      "  gdkm train csbm:n=2000,homophily=0.1      train on a generated graph\n"
      "  gdkm train cora --nu 10 --seeds 5         train on a data set, five seeds\n"
      "  gdkm train graph.npz --save model.safetensors && gdkm predict model.safetensors graph.npz\n"
      "Each command has its own --help.");
  add_train(app, command_line(argc, argv));
  add_predict(app);
  add_inspect(app);
  add_data(app);
  add_demo(app);
  try {
    app.parse(argc, argv);
    return done;
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help, --version
  } catch (const CLI::ParseError& error) {
    return fail(bad_input,
                fmt::format("{}; see gdkm {}--help", error.what(),
                            app.get_subcommands().empty() ? "" : app.get_subcommands()[0]->get_name() + " "));
  } catch (const InputError& error) {
    return fail(bad_input, error.what());
  } catch (const NumericalError& error) {
    return fail(numerical_failure, error.what());
  } catch (const Interrupted& stop) {
    return fail(failed, stop.what());
  } catch (const std::bad_alloc&) {
    return fail(failed,
                "there is not enough memory for this; try fewer --inducing points or a smaller graph");
  } catch (const std::exception& error) {
    return fail(failed, fmt::format("unexpected: {}", error.what()));
  }
}

}  // namespace
}  // namespace gdkm::cli

int main(int argc, char** argv) {
  return gdkm::cli::run(argc, argv);
}
