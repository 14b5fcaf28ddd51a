#include "gdkm/data/files/http_get.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <exception>
#include <iomanip>
#include <locale>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "gdkm/support/version.hpp"

namespace gdkm {
namespace {

using Trouble = HttpOutcome::Trouble;
using Clock = std::chrono::steady_clock;

constexpr double least_speed = 100;  // bytes per second; slower connections count as broken

/// A date in HTTP format, independent of the locale.
std::string http_date(std::time_t when) {
  std::tm t{};
  ::gmtime_r(&when, &t);
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::put_time(&t, "%a, %d %b %Y %H:%M:%S GMT");
  return out.str();
}

/// The value of a header line, if it has that (lower-case) name.
bool read_header(std::string_view line, std::string_view name, std::string_view& value) {
  if (line.size() <= name.size() || line[name.size()] != ':') return false;
  for (std::size_t k = 0; k < name.size(); ++k) {
    if (std::tolower(static_cast<unsigned char>(line[k])) != name[k]) return false;
  }
  value = line.substr(name.size() + 1);
  while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front()))) value.remove_prefix(1);
  while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back()))) value.remove_suffix(1);
  return true;
}

/// Takes the number off the front of `text`; -1 if there is none.
std::int64_t take_number(std::string_view& text) {
  std::int64_t out = -1;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || out < 0) return -1;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  return out;
}

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
  bool header(std::string_view line);
  bool body(std::string_view bytes);
  bool begin();
  bool stop(Trouble trouble, std::string reason = {});
  bool goes_on();
  void judge(CURLcode code);
  long status() const;

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

  PartialFile& part_;
  const DownloadOptions& options_;
  const bool checked_;
  const std::int64_t offset_;  // the request starts here
  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_{nullptr, curl_easy_cleanup};
  std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> headers_{nullptr, curl_slist_free_all};
  std::array<char, CURL_ERROR_SIZE> message_{};
  HttpOutcome outcome_;
  std::exception_ptr failure_;
  bool begun_ = false, accepts_ranges_ = false;
  std::int64_t range_start_ = -1, range_total_ = -1;
  Clock::time_point watched_since_ = Clock::now();
  std::int64_t watched_size_;
};

Request::Request(const std::string& url, PartialFile& part, bool checked, const DownloadOptions& options)
    : part_(part), options_(options), checked_(checked), offset_(part.size()), watched_size_(part.size()) {
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
  if (offset_ == 0) return;
  set(CURLOPT_RANGE, fmt::format("{}-", offset_).c_str());
  if (checked) return;
  headers_.reset(curl_slist_append(nullptr, ("If-Range: " + http_date(part.modified())).c_str()));
  set(CURLOPT_HTTPHEADER, headers_.get());
}

std::size_t Request::on_header(char* data, std::size_t size, std::size_t count, void* self) {
  auto& request = *static_cast<Request*>(self);
  return request.guarded([&] { return request.header({data, size * count}); }) ? size * count : 0;
}

std::size_t Request::on_body(char* data, std::size_t size, std::size_t count, void* self) {
  auto& request = *static_cast<Request*>(self);
  // Returning 0 would not stop an empty piece; the largest number stops any.
  return request.guarded([&] { return request.body({data, size * count}); }) ? size * count : SIZE_MAX;
}

int Request::on_tick(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& request = *static_cast<Request*>(self);
  return request.guarded([&] { return request.goes_on(); }) ? 0 : 1;
}

bool Request::stop(Trouble trouble, std::string reason) {
  outcome_.trouble = trouble;
  outcome_.reason = std::move(reason);
  return false;
}

bool Request::goes_on() {
  if (options_.interrupted && options_.interrupted()) return stop(Trouble::interrupted);
  // libcurl's own speed limit averages over seconds and so reacts late.
  const auto now = Clock::now();
  const double waited = std::chrono::duration<double>(now - watched_since_).count();
  if (waited < options_.stalled_seconds) return true;
  const auto came = static_cast<double>(part_.size() - watched_size_);
  if (came < least_speed * waited) return stop(Trouble::cut, fmt::format("no data for {:.0f} s", waited));
  watched_since_ = now;
  watched_size_ = part_.size();
  return true;
}

long Request::status() const {
  long out = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_RESPONSE_CODE, &out);
  return out;
}

bool Request::header(std::string_view line) {
  std::string_view value;
  if (line.starts_with("HTTP/")) {  // a new hop: forget the headers of the previous one
    accepts_ranges_ = false;
    range_start_ = range_total_ = -1;
  } else if (read_header(line, "accept-ranges", value)) {
    accepts_ranges_ = value == "bytes";
  } else if (read_header(line, "content-range", value) && value.starts_with("bytes")) {
    value.remove_prefix(
        std::min(value.size(), value.find_first_not_of(' ', 5)));  // "bytes 5-9/10", "bytes */10"
    range_start_ = take_number(value);
    value.remove_prefix(std::min(value.size(), value.find('/')));
    if (value.starts_with('/')) value.remove_prefix(1);
    range_total_ = take_number(value);
  }
  return true;
}

/// Checks the headers: is this the requested data?
bool Request::begin() {
  begun_ = true;
  const long code = status();
  if (code == 416 && offset_ > 0) {
    // A complete file has no more bytes to ask for.
    if (range_total_ == offset_) outcome_.total = offset_;
    return stop(range_total_ == offset_ ? Trouble::none : Trouble::range,
                "the server refuses to send the rest");
  }
  if (code == 206 && offset_ > 0) {
    if (range_start_ != offset_) return stop(Trouble::range, "the server sends another part");
    outcome_.total = std::max<std::int64_t>(range_total_, 0);
  } else if (code == 200) {
    curl_off_t length = -1;
    curl_easy_getinfo(curl_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    outcome_.total = std::max<std::int64_t>(length, 0);
    if (part_.size() > 0) part_.start_over();
  } else {
    return stop(Trouble::status, fmt::format("the server answered {}", code));
  }
  if (outcome_.total > options_.most_bytes) return stop(Trouble::too_large);
  return true;
}

bool Request::body(std::string_view bytes) {
  if (!goes_on() || (!begun_ && !begin())) return false;
  const std::int64_t most = outcome_.total > 0 ? outcome_.total : options_.most_bytes;
  if (static_cast<std::int64_t>(bytes.size()) > most - part_.size()) return stop(Trouble::too_large);
  outcome_.disk_error = part_.append(bytes);
  if (outcome_.disk_error != 0) return stop(Trouble::disk);
  if (options_.progress) options_.progress(part_.size(), outcome_.total);
  return true;
}

void Request::judge(CURLcode code) {
  const std::string reason = message_[0] != '\0' ? message_.data() : curl_easy_strerror(code);
  double connected = 0;
  curl_easy_getinfo(curl_.get(), CURLINFO_CONNECT_TIME, &connected);
  switch (code) {
    case CURLE_OK:
      if (!begun_ && !begin()) return;  // a response without a body
      if (outcome_.total > 0 && part_.size() < outcome_.total) stop(Trouble::cut, "the data ended early");
      return;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
      stop(Trouble::unreachable, reason);
      return;
    case CURLE_OPERATION_TIMEDOUT:
      stop(connected > 0 ? Trouble::cut : Trouble::unreachable, reason);
      return;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      stop(Trouble::cut, reason);
      return;
    default:
      stop(Trouble::other, reason);
  }
}

HttpOutcome Request::perform() {
  const CURLcode code = curl_easy_perform(curl_.get());
  if (failure_) std::rethrow_exception(failure_);
  outcome_.status = status();
  const bool stopped_here = code == CURLE_WRITE_ERROR || code == CURLE_ABORTED_BY_CALLBACK;
  if (!stopped_here) judge(code);
  curl_off_t changed = -1;
  curl_easy_getinfo(curl_.get(), CURLINFO_FILETIME_T, &changed);
  if (begun_ && changed >= 0) part_.set_modified(static_cast<std::time_t>(changed));
  outcome_.resumable =
      part_.size() > 0 && (accepts_ranges_ || outcome_.status == 206) && (checked_ || changed >= 0);
  return outcome_;
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
