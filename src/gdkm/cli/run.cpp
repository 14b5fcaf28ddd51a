#include "gdkm/cli/run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <new>
#include <system_error>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/store/store_location.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm::cli {

namespace {

enum Exit { done = 0, failed = 1, bad_input = 2, numerical_failure = 3 };

/// No message shows the password of an address, wherever the message comes from.
std::string without_passwords(std::string message, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const std::string hidden = without_password(word);
    for (std::size_t at = 0; hidden != word && (at = message.find(word, at)) != std::string::npos;)
      message.replace(at, word.size(), hidden);
  }
  return message;
}

/// The command as a shell would take it again.
std::string command_line(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + shell_word(without_password(word));
  return out;
}

}  // namespace

int run_command_line(const std::vector<std::string>& words, const Invocation& self, const HttpGet& get) {
  CLI::App app{
      "Graph convolutional deep kernel machines:\n"
      "infinite-width graph networks that learn representations."};
  app.name("gdkm");
  app.set_version_flag("--version", fmt::format("gdkm {} ({})", version, git_commit));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  gdkm demo                                  the main idea, as one HTML file\n"
      "  gdkm train csbm:n=2000,homophily=0.1       train on a generated graph\n"
      "  gdkm train cora --nu 10 --seeds 5          train on a data set, five seeds\n"
      "  gdkm train graph.npz --save m.safetensors  train on your graph, keep the model\n"
      "  gdkm predict m.safetensors graph.npz       and use it\n"
      "  gdkm embed m.safetensors graph.npz         what it has learned of every node\n"
      "  gdkm tune graph.npz --budget 10m           choose the settings for your graph\n"
      "  gdkm sweep experiments/paper-quick.toml    many runs, stored, resumable\n"
      "  gdkm report paper-quick.db                 what they show, as one HTML file\n"
      "  gdkm table nodes paper-quick.db            what they came to, beside the paper\n"
      "  gdkm figure linear-check                   one of the paper's figures\n"
      "Each command has its own --help, which gdkm help COMMAND prints too.");
  LaunchedRanks ranks;
  add_train(app, command_line(words), ranks);
  add_predict(app, ranks);
  add_embed(app);
  add_inspect(app);
  add_data(app, get);
  add_sweep(app, command_line(words), self);
  add_worker(app, command_line(words), self);
  add_tune(app, command_line(words), self);
  add_runs(app);
  add_report(app);
  add_serve(app);
  add_figure(app);
  add_table(app);
  add_demo(app);
  add_help(app);
  const auto fail = [&](int status, const std::string& text) {
    const std::string message = without_passwords(text, words);
    std::fflush(stdout);  // the process may live on, and results come before the message
    if (ranks.speaks()) fmt::print(stderr, "gdkm: {}\n", message);
    ranks.fail(status, message);
    return status;
  };
  try {
    // CLI11 takes words off the end.
    app.parse(
        std::vector<std::string>(words.rbegin(), words.empty() ? words.rend() : std::prev(words.rend())));
    flush_results();
    return done;
  } catch (const CLI::Success& success) {
    const int status = app.exit(success);  // --help, --version
    std::fflush(stdout);
    return status;
  } catch (const CLI::ParseError& error) {
    return fail(bad_input, usage_error(app, error));
  } catch (const InputError& error) {
    return fail(bad_input, error.spelled(command_line_spelling));
  } catch (const NumericalError& error) {
    return fail(numerical_failure, error.spelled(command_line_spelling));
  } catch (const Interrupted& stop) {  // all ranks, at the same epoch
    std::fflush(stdout);
    if (ranks.speaks()) fmt::print(stderr, "gdkm: {}\n", stop.what());
    return stop.status();
  } catch (const Failure& failure) {
    return fail(failed, failure.what());
  } catch (const std::bad_alloc&) {
    return fail(failed,
                "there is not enough memory for this; try fewer --inducing points or a smaller graph");
  } catch (const std::system_error& error) {
    // What is printed goes to standard output alone; files are written elsewhere, and say their own names.
    const std::string what = error.what();
    const bool printing = what.find("cannot write to file") != std::string::npos;
    return fail(failed,
                printing ? "standard output cannot be written (" + error.code().message() + ")" : what);
  } catch (const std::exception& error) {
    return fail(failed, fmt::format("unexpected: {}", error.what()));
  }
}

}  // namespace gdkm::cli
