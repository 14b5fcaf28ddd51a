#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "gdkm/support/text.hpp"

namespace gdkm {

/// The number of a value within its Pickle. Values refer to each other by number: sharing costs nothing,
/// cycles are harmless, and nothing is visited or freed recursively.
using PickleId = std::uint32_t;
constexpr PickleId no_pickle_value = std::numeric_limits<PickleId>::max();

/// What messages about a pickle advise.
constexpr const char* pickle_remedy = "fetch the published file, or pickle it again";

struct PickleNone {};
/// Text of Python 3 (UTF-8), or a string of Python 2, which may be text or bytes.
struct PickleText {
  std::string_view view;
  bool is_unicode;
};
/// Bytes. Recoded bytes are stored as Latin-1 in UTF-8, as Python 3 writes them in protocol 2.
struct PickleBytes {
  std::string_view view;
  bool is_recoded;
};
struct PickleList {
  std::vector<PickleId> items;
};
struct PickleTuple {
  std::vector<PickleId> items;
};
struct PickleDict {
  std::vector<std::pair<PickleId, PickleId>> items;
};
/// A numpy.dtype: kind and size ("i4"), and byte order ('<', '>', '|' or '=').
struct PickleDtype {
  std::string_view kind;
  char order = '=';
};
/// A numpy.ndarray as stored; pickled_array checks it.
struct PickleArray {
  PickleId shape = no_pickle_value, dtype = no_pickle_value, data = no_pickle_value;
  bool is_fortran = false;
};
/// A scipy.sparse.csr_matrix as stored; pickled_csr checks it.
struct PickleCsr {
  PickleId state = no_pickle_value;
};
/// The classes and functions that a pickle may name. None of them is run; each has a fixed meaning.
enum class PickleClass { array, dtype, csr, dict, list, bytes, make_array, array_of_buffer, encode };

using PickleValue = std::variant<PickleNone, bool, std::int64_t, double, PickleText, PickleBytes, PickleList,
                                 PickleTuple, PickleDict, PickleDtype, PickleArray, PickleCsr, PickleClass>;
using PickleValues = std::deque<PickleValue>;

/// The values of a Python pickle, with the text that they point into.
class Pickle {
 public:
  Pickle(std::shared_ptr<const Text> text, PickleValues values, PickleId root)
      : text_(std::move(text)), values_(std::move(values)), root_(root) {}

  const std::string& where() const { return text_->where; }
  /// Size of the file. Honest files contain no more values than bytes, however often values are shared.
  std::size_t file_size() const { return text_->bytes.size(); }
  PickleId root() const { return root_; }

  /// The value if it has that type, else null.
  template <class T>
  const T* get(PickleId id) const {
    return id < values_.size() ? std::get_if<T>(&values_[id]) : nullptr;
  }

  /// The value of the text key `key`.
  std::optional<PickleId> find(const PickleDict& dict, std::string_view key) const;

 private:
  std::shared_ptr<const Text> text_;
  PickleValues values_;
  PickleId root_;
};

/// Reads pickles of protocols 2 to 5 with the few opcodes and classes that published data sets use (numpy
/// arrays, scipy CSR matrices, lists, tuples, dicts, numbers, text). Nothing is executed. Any other opcode or
/// class is an InputError that names it and its byte. The pickle begins at byte `start`.
Pickle read_pickle(Text text, std::size_t start = 0);

}  // namespace gdkm
