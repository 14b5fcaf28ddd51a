#include "gdkm/python/http_get_by.hpp"

#include <nanobind/stl/string.h>

#include <memory>

#include "gdkm/data/files/http_reception.hpp"

namespace gdkm::python {

namespace nb = nanobind;

namespace {

using Trouble = HttpOutcome::Trouble;

Trouble trouble_of(const std::string& kind) {
  return kind == "cut" ? Trouble::cut : kind == "unreachable" ? Trouble::unreachable : Trouble::other;
}

/// Reads a response as long as the reception takes it.
void receive(const nb::object& response, HttpReception& reception) {
  for (const nb::handle line : response.attr("head")) reception.header(nb::cast<std::string>(line));
  if (!reception.begin(nb::cast<long>(response.attr("status")),
                       nb::cast<std::int64_t>(response.attr("length"))))
    return;
  const nb::object read = response.attr("read");
  while (true) {
    const auto piece = nb::cast<nb::bytes>(read());
    if (piece.size() == 0) return reception.complete();
    if (!reception.body({piece.c_str(), piece.size()})) return;
  }
}

HttpOutcome request(const nb::object& open_url, const std::string& url, HttpReception& reception,
                    const DownloadOptions& options) {
  const nb::gil_scoped_acquire held;
  std::time_t changed = -1;
  try {
    nb::dict headers;
    if (const std::string range = reception.range(); !range.empty()) headers["Range"] = range;
    if (const std::string date = reception.if_range(); !date.empty()) headers["If-Range"] = date;
    const nb::object response = open_url(url, headers, options.connect_seconds, options.redirects);
    changed = nb::cast<std::int64_t>(response.attr("changed"));
    receive(response, reception);
    response.attr("close")();
  } catch (nb::python_error& error) {
    // gdkm._http.Trouble says what kind it is; anything else, such as KeyboardInterrupt, goes to the caller.
    if (!nb::hasattr(error.value(), "kind")) throw;
    reception.stop(trouble_of(nb::cast<std::string>(error.value().attr("kind"))),
                   nb::cast<std::string>(nb::str(error.value())));
  }
  return reception.finish(changed);
}

}  // namespace

HttpGet http_get_by(const nb::object& open_url) {
  if (open_url.is_none()) return {};
  // Copies of the function are made without the GIL; they share one reference.
  const auto shared = std::make_shared<nb::object>(open_url);
  return [shared](const std::string& url, PartialFile& part, bool checked, const DownloadOptions& options) {
    HttpReception reception(part, checked, options);
    return request(*shared, url, reception, options);
  };
}

}  // namespace gdkm::python
