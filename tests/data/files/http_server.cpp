#include "tests/data/files/http_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace gdkm::testing {

namespace {

std::pair<int, int> listen_somewhere() {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (listener < 0 || ::bind(listener, raw, size) != 0 || ::listen(listener, 16) != 0 ||
      ::getsockname(listener, raw, &size) != 0) {
    throw std::runtime_error("no socket on the loopback");
  }
  return {listener, ntohs(address.sin_port)};
}

/// Whether something can be read within some milliseconds.
bool ready(int descriptor, int milliseconds) {
  pollfd poll{descriptor, POLLIN, 0};
  return ::poll(&poll, 1, milliseconds) > 0;
}

HttpRequest parse(const std::string& text) {
  std::istringstream in(text);
  HttpRequest out;
  in >> out.method >> out.path;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line) && line != "\r") {
    const auto colon = line.find(": ");
    if (colon == std::string::npos) continue;
    std::string name = line.substr(0, colon);
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    out.headers[name] = line.substr(colon + 2, line.find_last_not_of("\r\n") - colon - 1);
  }
  return out;
}

}  // namespace

std::string HttpRequest::header(const std::string& name) const {
  const auto at = headers.find(name);
  return at == headers.end() ? "" : at->second;
}

HttpServer::HttpServer(Handler handler) : handler_(std::move(handler)) {
  std::tie(listener_, port_) = listen_somewhere();
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  stopping_ = true;
  thread_.join();
  ::close(listener_);
}

std::string HttpServer::url(const std::string& path) const {
  return "http://127.0.0.1:" + std::to_string(port_) + path;
}

std::vector<HttpRequest> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::serve() {
  while (!stopping_) {
    if (!ready(listener_, 10)) continue;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    converse(connection);
    ::close(connection);
  }
}

void HttpServer::converse(int connection) {
  std::string text;
  while (text.find("\r\n\r\n") == std::string::npos) {
    char piece[4096];
    while (!ready(connection, 10)) {
      if (stopping_) return;
    }
    const auto got = ::recv(connection, piece, sizeof(piece), 0);
    if (got <= 0) return;
    text.append(piece, static_cast<std::size_t>(got));
  }
  const HttpRequest request = parse(text);
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
  }
  send_answer(connection, handler_(request));
}

bool HttpServer::send_all(int connection, const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    pollfd poll{connection, POLLOUT, 0};
    if (stopping_) return false;
    if (::poll(&poll, 1, 10) <= 0) continue;
    const auto count =
        ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno != EAGAIN) return false;
    if (count > 0) sent += static_cast<std::size_t>(count);
  }
  return true;
}

void HttpServer::send_answer(int connection, const HttpAnswer& answer) const {
  std::string head = "HTTP/1.1 " + std::to_string(answer.status) + " Scripted\r\nConnection: close\r\n";
  for (const auto& line : answer.headers) head += line + "\r\n";
  if (answer.says_length && !answer.endless) {
    head += "Content-Length: " + std::to_string(answer.body.size()) + "\r\n";
  }
  const std::string body = answer.body.substr(0, static_cast<std::size_t>(answer.cut_after));
  if (!send_all(connection, head + "\r\n" + body)) return;
  while (answer.endless && send_all(connection, body)) {
  }
  while (answer.stalls && !stopping_ && !ready(connection, 10)) {  // readable: the client has hung up
  }
  ::shutdown(connection, SHUT_WR);
}

HttpAnswer file_answer(const HttpRequest& request, const std::string& bytes) {
  HttpAnswer out;
  out.headers = {"Accept-Ranges: bytes", "Last-Modified: Tue, 05 Mar 2024 07:08:09 GMT"};
  const std::string range = request.header("range"), condition = request.header("if-range");
  if (!range.starts_with("bytes=") ||
      (!condition.empty() && "Last-Modified: " + condition != out.headers[1])) {
    out.body = bytes;
    return out;
  }
  const std::string size = std::to_string(bytes.size());
  const auto from = static_cast<std::size_t>(std::stoll(range.substr(6)));
  if (from >= bytes.size()) {
    out.status = 416;
    out.headers.push_back("Content-Range: bytes */" + size);
    return out;
  }
  out.status = 206;
  out.body = bytes.substr(from);
  out.headers.push_back("Content-Range: bytes " + std::to_string(from) + "-" +
                        std::to_string(bytes.size() - 1) + "/" + size);
  return out;
}

std::string dead_url(const std::string& path) {
  const auto [listener, port] = listen_somewhere();
  ::close(listener);
  return "http://127.0.0.1:" + std::to_string(port) + path;
}

void bypass_proxies() {
  ::setenv("no_proxy", "127.0.0.1", 1);
  ::setenv("NO_PROXY", "127.0.0.1", 1);
}

}  // namespace gdkm::testing
