#include "gdkm/data/formats/pickle/object_npy.hpp"

#include <fmt/format.h>

#include <span>

#include "gdkm/data/files/npy.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

Pickle read_object_npy(Text text) {
  const auto bytes = std::as_bytes(std::span(text.bytes));
  const NpyHeader header = parse_npy_header(text.where, bytes);
  if (header.descr.find('O') == std::string::npos) {
    throw InputError(
        fmt::format("{}: expected an array of Python objects, got '{}'; fetch the published file", text.where,
                    header.descr));
  }
  return read_pickle(std::move(text), header.length);
}

}  // namespace gdkm
