#include "gdkm/data/files/http_reception.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iomanip>
#include <locale>
#include <sstream>
#include <utility>

namespace gdkm {
namespace {

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

}  // namespace

HttpReception::HttpReception(PartialFile& part, bool checked, const DownloadOptions& options)
    : part_(part), options_(options), checked_(checked), offset_(part.size()), watched_size_(part.size()) {}

std::string HttpReception::range() const {
  return offset_ == 0 ? "" : fmt::format("bytes={}-", offset_);
}

std::string HttpReception::if_range() const {
  return offset_ == 0 || checked_ ? "" : http_date(part_.modified());
}

bool HttpReception::stop(Trouble trouble, std::string reason) {
  outcome_.trouble = trouble;
  outcome_.reason = std::move(reason);
  return false;
}

bool HttpReception::goes_on() {
  if (options_.interrupted && options_.interrupted()) return stop(Trouble::interrupted);
  const auto now = Clock::now();
  const double waited = std::chrono::duration<double>(now - watched_since_).count();
  if (waited < options_.stalled_seconds) return true;
  const auto came = static_cast<double>(part_.size() - watched_size_);
  if (came < least_speed * waited) return stop(Trouble::cut, fmt::format("no data for {:.0f} s", waited));
  watched_since_ = now;
  watched_size_ = part_.size();
  return true;
}

void HttpReception::header(std::string_view line) {
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
}

/// Checks the headers: is this the requested data?
bool HttpReception::begin(long status, std::int64_t length) {
  begun_ = true;
  outcome_.status = status;
  if (status == 416 && offset_ > 0) {
    // A complete file has no more bytes to ask for.
    if (range_total_ == offset_) outcome_.total = offset_;
    return stop(range_total_ == offset_ ? Trouble::none : Trouble::range,
                "the server refuses to send the rest");
  }
  if (status == 206 && offset_ > 0) {
    if (range_start_ != offset_) return stop(Trouble::range, "the server sends another part");
    outcome_.total = std::max<std::int64_t>(range_total_, 0);
  } else if (status == 200) {
    outcome_.total = std::max<std::int64_t>(length, 0);
    if (part_.size() > 0) part_.start_over();
  } else {
    return stop(Trouble::status, fmt::format("the server answered {}", status));
  }
  if (outcome_.total > options_.most_bytes) return stop(Trouble::too_large);
  return true;
}

bool HttpReception::body(std::string_view bytes) {
  if (!goes_on()) return false;
  const std::int64_t most = outcome_.total > 0 ? outcome_.total : options_.most_bytes;
  if (static_cast<std::int64_t>(bytes.size()) > most - part_.size()) return stop(Trouble::too_large);
  outcome_.disk_error = part_.append(bytes);
  if (outcome_.disk_error != 0) return stop(Trouble::disk);
  if (options_.progress) options_.progress(part_.size(), outcome_.total);
  return true;
}

void HttpReception::complete() {
  if (outcome_.total > 0 && part_.size() < outcome_.total) stop(Trouble::cut, "the data ended early");
}

HttpOutcome HttpReception::finish(std::time_t changed) {
  if (begun_ && changed >= 0) part_.set_modified(changed);
  outcome_.resumable =
      part_.size() > 0 && (accepts_ranges_ || outcome_.status == 206) && (checked_ || changed >= 0);
  return outcome_;
}

}  // namespace gdkm
