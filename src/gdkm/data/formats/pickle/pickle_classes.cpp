#include "gdkm/data/formats/pickle/pickle_classes.hpp"

#include <algorithm>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

struct Known {
  std::string_view module, name;
  PickleClass meaning;
};

/// Libraries have moved these; the old and the new names mean the same.
constexpr Known known[] = {
    {"numpy", "ndarray", PickleClass::array},
    {"numpy", "dtype", PickleClass::dtype},
    {"numpy.core.multiarray", "_reconstruct", PickleClass::make_array},
    {"numpy._core.multiarray", "_reconstruct", PickleClass::make_array},
    {"numpy.core.numeric", "_frombuffer", PickleClass::array_of_buffer},
    {"numpy._core.numeric", "_frombuffer", PickleClass::array_of_buffer},
    {"scipy.sparse.csr", "csr_matrix", PickleClass::csr},
    {"scipy.sparse._csr", "csr_matrix", PickleClass::csr},
    {"collections", "defaultdict", PickleClass::dict},
    {"__builtin__", "list", PickleClass::list},
    {"builtins", "list", PickleClass::list},
    {"__builtin__", "bytes", PickleClass::bytes},
    {"builtins", "bytes", PickleClass::bytes},
    {"_codecs", "encode", PickleClass::encode},
};

template <class T>
const T* get(const PickleValues& values, PickleId id) {
  return std::get_if<T>(&values[id]);
}

bool is_class(const PickleValues& values, PickleId id, PickleClass expected) {
  const auto* found = get<PickleClass>(values, id);
  return found != nullptr && *found == expected;
}

void require(bool holds, const char* what) {
  if (!holds) refuse("{} is stored in an unsupported way", what);
}

PickleDtype make_dtype(const PickleValues& values, const std::vector<PickleId>& arguments) {
  require(!arguments.empty(), "a numpy.dtype");
  const auto* kind = get<PickleText>(values, arguments[0]);
  require(kind != nullptr, "a numpy.dtype");
  return {kind->view};
}

/// encode(text, "latin1"): bytes in protocols without an opcode for them.
PickleBytes make_bytes(const PickleValues& values, const std::vector<PickleId>& arguments) {
  require(arguments.size() == 2, "a byte string");
  const auto* text = get<PickleText>(values, arguments[0]);
  const auto* coding = get<PickleText>(values, arguments[1]);
  require(text != nullptr && coding != nullptr && coding->view == "latin1", "a byte string");
  return {text->view, text->is_unicode};
}

/// (buffer, dtype, shape, order)
PickleArray make_array_of_buffer(const PickleValues& values, const std::vector<PickleId>& arguments) {
  require(arguments.size() == 4, "a numpy array");
  const auto* order = get<PickleText>(values, arguments[3]);
  require(order != nullptr && (order->view == "C" || order->view == "F"), "a numpy array");
  return {arguments[2], arguments[1], arguments[0], order->view == "F"};
}

/// (version, byte order, None, None, None, …); the three belong to structured types.
void build_dtype(const PickleValues& values, const std::vector<PickleId>& state, PickleDtype& out) {
  require(state.size() >= 5, "a numpy.dtype");
  const auto* order = get<PickleText>(values, state[1]);
  require(order != nullptr && order->view.size() == 1 &&
              std::string_view("<>|=").find(order->view[0]) != std::string_view::npos,
          "a numpy.dtype");
  for (const auto k : {2, 3, 4}) {
    require(get<PickleNone>(values, state[k]) != nullptr, "a structured numpy.dtype");
  }
  out.order = order->view[0];
}

/// (version, shape, dtype, is Fortran order, data)
void build_array(const PickleValues& values, const std::vector<PickleId>& state, PickleArray& out) {
  require(state.size() == 5, "a numpy array");
  const auto* flag = get<bool>(values, state[3]);
  const auto* number = get<std::int64_t>(values, state[3]);
  require(flag != nullptr || number != nullptr, "a numpy array");
  out = {state[1], state[2], state[4], flag != nullptr ? *flag : *number != 0};
}

}  // namespace

std::optional<PickleClass> find_pickle_class(std::string_view module, std::string_view name) {
  for (const Known& entry : known) {
    if (entry.module == module && entry.name == name) return entry.meaning;
  }
  return std::nullopt;
}

PickleValue pickle_call(const PickleValues& values, PickleId callee, PickleId arguments) {
  const auto* meaning = get<PickleClass>(values, callee);
  const auto* tuple = get<PickleTuple>(values, arguments);
  require(meaning != nullptr && tuple != nullptr, "an object");
  const auto& items = tuple->items;
  switch (*meaning) {
    case PickleClass::dtype:
      return make_dtype(values, items);
    case PickleClass::csr:
      require(items.empty(), "a scipy.sparse.csr_matrix");
      return PickleCsr{};
    case PickleClass::dict:
      require(items.empty() || (items.size() == 1 && is_class(values, items[0], PickleClass::list)),
              "a collections.defaultdict other than of lists");
      return PickleDict{};
    case PickleClass::list:
      require(items.empty(), "a list");
      return PickleList{};
    case PickleClass::bytes:
      require(items.empty(), "a byte string");
      return PickleBytes{{}, false};
    case PickleClass::make_array:
      require(!items.empty() && is_class(values, items[0], PickleClass::array), "a numpy array");
      return PickleArray{};
    case PickleClass::array_of_buffer:
      return make_array_of_buffer(values, items);
    case PickleClass::encode:
      return make_bytes(values, items);
    case PickleClass::array:
      break;
  }
  refuse("a numpy array is stored in an unsupported way");
}

void pickle_build(PickleValues& values, PickleId object, PickleId state) {
  if (auto* csr = std::get_if<PickleCsr>(&values[object])) {
    require(get<PickleDict>(values, state) != nullptr, "a scipy.sparse.csr_matrix");
    csr->state = state;
    return;
  }
  const auto* tuple = get<PickleTuple>(values, state);
  require(tuple != nullptr, "an object");
  if (auto* dtype = std::get_if<PickleDtype>(&values[object])) {
    build_dtype(values, tuple->items, *dtype);
  } else if (auto* array = std::get_if<PickleArray>(&values[object])) {
    build_array(values, tuple->items, *array);
  } else {
    require(false, "an object");
  }
}

std::string pickle_shown(std::string_view text) {
  std::string out(text.substr(0, 40));
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.size() > 40 ? out + "..." : out;
}

}  // namespace gdkm
