#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace gdkm::testing {

struct HttpRequest {
  std::string method, path;
  std::map<std::string, std::string> headers;  // names in lower case

  /// The value of a header, or "".
  std::string header(const std::string& name) const;
};

/// What the server says, and how it misbehaves.
struct HttpAnswer {
  int status = 200;
  std::vector<std::string> headers{};  // whole lines
  std::string body{};
  bool says_length = true;
  std::int64_t cut_after = -1;  // bytes of the body after which the connection is closed
  bool stalls = false;          // says nothing more after that, but keeps the connection
  bool endless = false;         // repeats the body until the client has had enough
};

/// A server on the loopback, on a port of its own, that answers as the test says; one request a connection,
/// one connection at a time. It also keeps what it was asked.
class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest&)>;

  explicit HttpServer(Handler handler);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// "http://127.0.0.1:PORT" and `path`.
  std::string url(const std::string& path) const;
  std::vector<HttpRequest> requests() const;

 private:
  void serve();
  void converse(int connection);
  void send_answer(int connection, const HttpAnswer& answer) const;
  bool send_all(int connection, const std::string& bytes) const;

  Handler handler_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> stopping_{false};
  mutable std::mutex mutex_;
  std::vector<HttpRequest> requests_;
  std::thread thread_;
};

/// Answers as a good server does for a file, ranges included.
HttpAnswer file_answer(const HttpRequest& request, const std::string& bytes);

/// An address at which nobody listens.
std::string dead_url(const std::string& path);

/// Loopback addresses must not go through a proxy that the machine may have.
void bypass_proxies();

}  // namespace gdkm::testing
