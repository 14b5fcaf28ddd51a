#include "gdkm/data/files/http_get.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <stdexcept>

#include "gdkm/data/files/http_reception.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {
namespace {

using Trouble = HttpOutcome::Trouble;

/// One running request. libcurl calls back into it; no exception may pass through libcurl.
class Request {
 public:
  Request(const std::string& url, PartialFile& part, bool checked, const DownloadOptions& options);
  HttpOutcome perform();

 private:
  template <class T>
  void set(CURLoption option, T value) {
    curl_easy_setopt(curl_.get(), option, value);
  }
  bool begin();
  void judge(CURLcode code);

  static std::size_t on_header(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t on_body(char* data, std::size_t size, std::size_t count, void* self);
  static int on_tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
  /// Runs a callback. An exception is kept until the request has ended.
  template <class Action>
  bool guarded(Action action) {
    try {
      return action();
    } catch (...) {
      failure_ = std::current_exception();
      return false;
    }
  }

  HttpReception reception_;
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_{nullptr, curl_easy_cleanup};
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, curl_slist_free_all};
  std::array<char, CURL_ERROR_SIZE> message_{};
  std::exception_ptr failure_;
};

Request::Request(const std::string& url, PartialFile& part, bool checked, const DownloadOptions& options)
    : reception_(part, checked, options) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (started == CURLE_OK) curl_.reset(curl_easy_init());
  if (!curl_) throw std::runtime_error("libcurl cannot be started");
  set(CURLOPT_URL, url.c_str());
  // A redirect must not lead from https to http.
  const bool secure = url.starts_with("https:") || url.starts_with("HTTPS:");
#if LIBCURL_VERSION_NUM >= 0x075500
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
#else
  set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  set(CURLOPT_REDIR_PROTOCOLS,
      static_cast<long>(secure ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, static_cast<long>(options.redirects));
  set(CURLOPT_USERAGENT, fmt::format("gdkm/{}", version).c_str());
  set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(1000 * options.connect_seconds));
  set(CURLOPT_FILETIME, 1L);
  set(CURLOPT_ERRORBUFFER, message_.data());
  set(CURLOPT_HEADERFUNCTION, &Request::on_header);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Request::on_body);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  set(CURLOPT_XFERINFOFUNCTION, &Request::on_tick);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(this));
  set(CURLOPT_NOPROGRESS, 0L);
  const auto add_header = [&](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    headers_.reset(curl_slist_append(headers_.release(), (name + ": " + value).c_str()));
    set(CURLOPT_HTTPHEADER, headers_.get());
  };
  add_header("Range", reception_.range());
  add_header("If-Range", reception_.if_range());
}

std::size_t Request::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& request = *static_cast<Request*>(self);
  const auto take = [&] {
    request.reception_.header({data, size * count});
    return true;
  };
  return request.guarded(take) ? size * count : 0;
}

std::size_t Request::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& request = *static_cast<Request*>(self);
  // Returning 0 would not stop an empty piece; the largest number stops any.
  const auto take = [&] {
    return (request.reception_.begun() || request.begin()) && request.reception_.body({data, size * count});
  };
  return request.guarded(take) ? size * count : SIZE_MAX;
}

int Request::on_tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& request = *static_cast<Request*>(self);
  return request.guarded([&] { return request.reception_.goes_on(); }) ? 0 : 1;
}

bool Request::begin() {
  long status = 0;
  curl_off_t length = -1;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  return reception_.begin(status, length);
}

void Request::judge(CURLcode code) {
  const std::string reason = message_[0] != '\0' ? message_.data() : curl_easy_strerror(code);
  double connected = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_CONNECT_TIME, &connected);
  switch (code) {
    case CURLE_OK:
      if (reception_.begun() || begin()) reception_.complete();  // a response may have no body
      return;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      reception_.stop(Trouble::unreachable, reason);
      return;
    case CURLE_OPERATION_TIMEDOUT:
      reception_.stop(connected > 0 ? Trouble::cut : Trouble::unreachable, reason);
      return;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      reception_.stop(Trouble::cut, reason);
      return;
    default:
      reception_.stop(Trouble::other, reason);
  }
}

HttpOutcome Request::perform() {
  const CURLcode code = curl_easy_perform(curl_.get());
  if (failure_) std::rethrow_exception(failure_);
  const bool stopped_here = code == CURLE_WRITE_ERROR || code == CURLE_ABORTED_BY_CALLBACK;
  if (!stopped_here) judge(code);
  curl_off_t changed = -1;
  curl_easy_getinfo(curl_.get(), CURLINFO_FILETIME_T, &changed);
  return reception_.finish(static_cast<std::time_t>(changed));
}

}  // namespace

HttpOutcome http_get(const std::string& url, PartialFile& part, bool checked,
                     const DownloadOptions& options) {
  return Request(url, part, checked, options).perform();
}

bool can_download() {
  return true;
}

}  // namespace gdkm
