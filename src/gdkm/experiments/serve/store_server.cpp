#include "gdkm/experiments/serve/store_server.hpp"

#include <fmt/format.h>
#include <httplib.h>

#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"
#include "gdkm/experiments/report/study_report.hpp"
#include "gdkm/experiments/serve/live_state.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr double store_patience = 3, report_seconds = 10;
constexpr int threads = 16;  // a browser keeps some connections open
constexpr const char* cookie = "gdkm_token";

/// The library's own pool of threads, which also notices that the program was told to end.
class WatchedThreads : public httplib::ThreadPool {
 public:
  WatchedThreads(httplib::Server& server, const std::function<bool()>& interrupted)
      : ThreadPool(threads), server_(server), interrupted_(interrupted) {}
  void on_idle() override {
    if (interrupted_()) server_.stop();
  }

 private:
  httplib::Server& server_;
  const std::function<bool()>& interrupted_;
};

/// In a time that does not tell how much of it was right.
bool same_token(const std::string& given, const std::string& token) {
  unsigned char difference = given.size() == token.size() ? 0 : 1;
  for (std::size_t k = 0; k < given.size(); ++k)
    difference = static_cast<unsigned char>(difference | (given[k] ^ token[k % token.size()]));
  return difference == 0;
}

std::string cookie_value(const std::string& header) {
  const std::string name = std::string(cookie) + "=";
  const auto at = header.find(name);
  if (at == std::string::npos) return "";
  const auto begin = at + name.size();
  return header.substr(begin, header.find(';', begin) - begin);
}

/// A page of another site can make a name of its own point to this machine, and its script then reads what a
/// server here says. The name that the browser asked for gives it away.
bool asks_for_loopback(const std::string& host) {
  const bool is_bracketed = host.starts_with("[");
  const std::string name = is_bracketed ? host.substr(1, host.find(']') - 1) : host.substr(0, host.find(':'));
  return is_loopback(name);
}

/// The store, for one request at a time.
class ServedStore {
 public:
  ServedStore(const StoreLocation& location, const std::function<bool()>& interrupted)
      : store_(Store::open(location, observer(interrupted))) {}

  std::string live() {
    const std::lock_guard lock(mutex_);
    begun_ = wall_clock();
    return live_state(store_).dump();
  }

  /// The report, at most some seconds old: making it reads all runs.
  std::string report() {
    const std::lock_guard lock(mutex_);
    begun_ = wall_clock();
    if (report_.empty() || begun_ - made_ > report_seconds) {
      ReportKernelOptions no_kernels;
      no_kernels.seconds = 0;
      report_ = study_report(*report_content(store_, no_kernels), store_);
      made_ = wall_clock();
    }
    return report_;
  }

  std::string title() const { return store_.location().title(); }

 private:
  /// A reader is told soon that the server of the store is gone, and the page asks again.
  DatabaseObserver observer(const std::function<bool()>& interrupted) {
    DatabaseObserver out;
    out.interrupted = [this, &interrupted] {
      return interrupted() || wall_clock() - begun_ > store_patience;
    };
    return out;
  }

  std::mutex mutex_;
  double begun_ = 0, made_ = 0;
  Store store_;
  std::string report_;
};

std::string live_page(const std::string& title) {
  return html_page(
      "gdkm: " + title,
      fmt::format(
          "<style>\n{}</style>\n<p class='over'>gdkm serve: {}</p>\n{}<script src='live.js'></script>\n",
          page_files::live_style, escape_html(title), page_files::live));
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

}  // namespace

void serve_store(const StoreServerOptions& options, const std::function<void(const std::string&)>& ready,
                 const std::function<bool()>& interrupted) {
  if (options.token.empty() && !is_loopback(options.host))
    throw InputError(option("host", options.host) + ": others can reach this address; give a token with " +
                     option("token"));
  ServedStore store(options.store, interrupted);
  httplib::Server server;
  server.new_task_queue = [&] { return new WatchedThreads(server, interrupted); };
  server.set_idle_interval(0, 200000);
  server.set_payload_max_length(0);  // nobody has anything to send
  server.set_keep_alive_max_count(100);
  server.set_read_timeout(5, 0);
  server.set_write_timeout(10, 0);
  server.set_default_headers(
      {{"Cache-Control", "no-store"},
       {"X-Content-Type-Options", "nosniff"},
       {"X-Frame-Options", "SAMEORIGIN"},
       {"Referrer-Policy", "no-referrer"},
       {"Content-Security-Policy",
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src 'self' data:; connect-src 'self'; frame-src 'self'; frame-ancestors 'self'"}});
  using Handled = httplib::Server::HandlerResponse;
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    if (request.method != "GET" && request.method != "HEAD") {
      refuse(response, 405, "this server only shows");
      return Handled::Handled;
    }
    if (options.token.empty()) {
      if (asks_for_loopback(request.get_header_value("Host"))) return Handled::Unhandled;
      refuse(response, 403, "this server answers to the names of this machine alone");
      return Handled::Handled;
    }
    const std::string asked = request.get_param_value("token");
    const bool by_address = same_token(asked, options.token);
    if (!by_address && !same_token(cookie_value(request.get_header_value("Cookie")), options.token) &&
        request.get_header_value("Authorization") != "Bearer " + options.token) {
      refuse(response, 401, "open the address that gdkm serve printed, with its token");
      return Handled::Handled;
    }
    if (by_address)
      response.set_header("Set-Cookie",
                          fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", cookie, options.token));
    return Handled::Unhandled;
  });
  const auto answer = [&](const char* path, const char* type, std::function<std::string()> make) {
    server.Get(path, [make, type](const httplib::Request&, httplib::Response& response) {
      try {
        response.set_content(make(), type);
      } catch (const InputError& error) {
        refuse(response, 503, error.what());
      }
    });
  };
  answer("/", "text/html; charset=utf-8", [&] { return live_page(store.title()); });
  answer("/live.js", "text/javascript; charset=utf-8",
         [] { return fmt::format("'use strict';\n(() => {{\n{}}})();\n", page_files::live_script); });
  answer("/live.json", "application/json", [&] { return store.live(); });
  answer("/report", "text/html; charset=utf-8", [&] { return store.report(); });
  server.set_error_handler([](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) refuse(response, response.status, "there is nothing here; the page is at /");
  });

  const int port = options.port == 0                                 ? server.bind_to_any_port(options.host)
                   : server.bind_to_port(options.host, options.port) ? options.port
                                                                     : -1;
  if (port < 0)
    throw InputError(fmt::format("cannot listen at {}:{}; is another program there? choose another {}",
                                 options.host, options.port, option("port")));
  const std::string host =
      options.host.find(':') == std::string::npos ? options.host : "[" + options.host + "]";
  ready(fmt::format("http://{}:{}/{}", host, port, options.token.empty() ? "" : "?token=" + options.token));
  server.listen_after_bind();
}

}  // namespace gdkm
