#include "gdkm/data/formats/pickle/pickled_array.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/formats/pickle/pickle_classes.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

constexpr const char* remedy = "fetch the published file, or pickle it again";
constexpr std::size_t most_dimensions = 64;  // as in numpy

NpyHeader array_header(const Pickle& pickle, const PickleArray& array, const std::string& where) {
  NpyHeader out;
  out.shape = pickled_shape(pickle, array.shape, where);
  out.fortran_order = array.is_fortran;
  const auto* dtype = pickle.get<PickleDtype>(array.dtype);
  if (dtype == nullptr || dtype->kind.empty()) {
    throw InputError(fmt::format("{}: has no element type; {}", where, remedy));
  }
  out.descr = dtype->order + pickle_shown(dtype->kind);
  return out;
}

const PickleArray& expect_array(const Pickle& pickle, PickleId id, const std::string& where) {
  const auto* array = pickle.get<PickleArray>(id);
  if (array == nullptr || array->data == no_pickle_value) {
    throw InputError(fmt::format("{}: is not a numpy array; {}", where, remedy));
  }
  return *array;
}

/// Decodes UTF-8 of characters below 256.
std::vector<std::byte> recode(std::string_view text, const std::string& where) {
  std::vector<std::byte> out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    auto value = static_cast<unsigned>(static_cast<std::uint8_t>(text[k]));
    if (value >= 0x80) {
      const bool is_pair =
          (value == 0xC2 || value == 0xC3) && k + 1 < text.size() && (text[k + 1] & 0xC0) == 0x80;
      if (!is_pair) throw InputError(fmt::format("{}: its bytes are not Latin-1; {}", where, remedy));
      value = (value & 3u) << 6 | (static_cast<unsigned>(text[++k]) & 0x3Fu);
    }
    out.push_back(static_cast<std::byte>(value));
  }
  return out;
}

std::vector<std::byte> raw(std::string_view view) {
  std::vector<std::byte> out(view.size());
  std::transform(view.begin(), view.end(), out.begin(), [](char c) { return static_cast<std::byte>(c); });
  return out;
}

std::vector<std::byte> array_bytes(const Pickle& pickle, PickleId data, const std::string& where) {
  if (const auto* bytes = pickle.get<PickleBytes>(data)) {
    return bytes->is_recoded ? recode(bytes->view, where) : raw(bytes->view);
  }
  const auto* text = pickle.get<PickleText>(data);
  if (text == nullptr || text->is_unicode) {
    throw InputError(fmt::format("{}: its elements are not stored as bytes; {}", where, remedy));
  }
  return raw(text->view);
}

}  // namespace

std::vector<std::int64_t> pickled_shape(const Pickle& pickle, PickleId id, const std::string& where) {
  const auto* tuple = pickle.get<PickleTuple>(id);
  if (tuple == nullptr || tuple->items.size() > most_dimensions) {
    throw InputError(fmt::format("{}: its shape is not a short tuple; {}", where, remedy));
  }
  std::vector<std::int64_t> out;
  for (const PickleId item : tuple->items) {
    const auto* extent = pickle.get<std::int64_t>(item);
    if (extent == nullptr || *extent < 0) {
      throw InputError(fmt::format("{}: its shape does not consist of integers >= 0; {}", where, remedy));
    }
    out.push_back(*extent);
  }
  return out;
}

NpyArray pickled_array(const Pickle& pickle, PickleId id, const std::string& where) {
  const PickleArray& array = expect_array(pickle, id, where);
  NpyArray out;
  out.where = where;
  out.header = array_header(pickle, array, where);
  if (std::string_view("biuf").find(out.header.descr[1]) == std::string_view::npos) {
    throw InputError(fmt::format("{}: expected numbers, got '{}'; {}", where, out.header.descr, remedy));
  }
  const std::size_t expected = npy_data_size(where, out.header);
  out.bytes = array_bytes(pickle, array.data, where);
  if (out.bytes.size() != expected) {
    throw InputError(fmt::format("{}: shape {} of '{}' needs {} bytes, but has {}; {}", where,
                                 shape_text(out.shape()), out.header.descr, expected, out.bytes.size(),
                                 remedy));
  }
  return out;
}

std::vector<PickleId> pickled_objects(const Pickle& pickle, PickleId id, const std::string& where) {
  const PickleArray& array = expect_array(pickle, id, where);
  const NpyHeader header = array_header(pickle, array, where);
  const auto* list = pickle.get<PickleList>(array.data);
  if (header.descr[1] != 'O' || list == nullptr) {
    throw InputError(
        fmt::format("{}: expected an array of objects, got '{}'; {}", where, header.descr, remedy));
  }
  std::size_t size = 1;
  bool fits = true;
  for (const auto extent : header.shape) {
    fits = fits && !__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size);
  }
  if (!fits || size != list->items.size()) {
    throw InputError(fmt::format("{}: has shape {}, but {} objects; {}", where, shape_text(header.shape),
                                 list->items.size(), remedy));
  }
  return list->items;
}

}  // namespace gdkm
