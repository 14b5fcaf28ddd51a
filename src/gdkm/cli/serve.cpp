#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/experiments/serve/store_server.hpp"

namespace gdkm::cli {

namespace {

struct ServeCommand {
  std::string store;
  StoreServerOptions options;

  void run();
};

void ServeCommand::run() {
  options.store = store;
  const char* from_environment = std::getenv("GDKM_SERVE_TOKEN");
  if (options.token.empty() && from_environment != nullptr) options.token = from_environment;
  if (options.token.empty() && !is_loopback(options.host)) options.token = random_token();
  const InterruptGuard guard;
  serve_store(
      options,
      [](const std::string& address) {
        fmt::print("Open in a browser:  {}\nEnd with Ctrl-C.\n", address);
        std::fflush(stdout);
      },
      [&] { return guard.interrupted(); });
  throw Interrupted("stopped serving");
}

}  // namespace

void add_serve(CLI::App& app) {
  auto command = std::make_shared<ServeCommand>();
  CLI::App& serve = *app.add_subcommand("serve", "Show a store in a browser while work goes on");
  command->options.port = 8017;
  add_argument(serve, "STORE", command->store,
               "A store of gdkm sweep: a file, or\npostgresql://user@host/database");
  add_text(serve, "--host", "NAME", command->options.host,
           "The address to listen at; one that others can\nreach needs a token")
      ->capture_default_str();
  add_number(serve, "--port", "N", command->options.port, 0, 65535,
             "The port to listen at; 0 for any free one");
  add_text(serve, "--token", "TEXT", command->options.token,
           "What a reader must present [$GDKM_SERVE_TOKEN, or\na random one where it is needed]");
  serve.footer(
      "The page shows progress, rates, machines and failures, and the report. It\n"
      "changes nothing, and no file of this machine can be read through it. The\n"
      "connection is not encrypted; over a network, use a tunnel:\n"
      "ssh -L 8017:127.0.0.1:8017 MACHINE.\n"
      "Examples:\n"
      "  gdkm serve node-dkm.db\n"
      "  gdkm serve postgresql://me@server/study --host 0.0.0.0");
  serve.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
