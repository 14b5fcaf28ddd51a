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

/// The number of a value within its Pickle. Values name one another by number, so that sharing costs nothing,
/// a cycle is harmless, and nothing is ever walked or freed by recursion.
using PickleId = std::uint32_t;
constexpr PickleId no_pickle_value = std::numeric_limits<PickleId>::max();

struct PickleNone {};
/// Text of Python 3 (UTF-8), or a string of Python 2, which may stand for text or for bytes.
struct PickleText {
  std::string_view view;
  bool is_unicode;
};
/// Bytes; recoded ones stand in the file as UTF-8 of Latin-1, as Python 3 writes them in protocol 2.
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
/// A numpy.dtype: kind and size ("i4"), and '<', '>', '|' or '='.
struct PickleDtype {
  std::string_view kind;
  char order = '=';
};
/// A numpy.ndarray as stored and not yet checked: pickled_array does that.
struct PickleArray {
  PickleId shape = no_pickle_value, dtype = no_pickle_value, data = no_pickle_value;
  bool is_fortran = false;
};
/// A scipy.sparse.csr_matrix as stored and not yet checked: pickled_csr does that.
struct PickleCsr {
  PickleId state = no_pickle_value;
};
/// The classes and functions that a pickle may name. None of them is run; a few have a known meaning.
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
  /// Bytes of the file. What honest files hold is not more, however often values are shared.
  std::size_t file_size() const { return text_->bytes.size(); }
  PickleId root() const { return root_; }

  /// The value if it is of that kind, else null.
  template <class T>
  const T* get(PickleId id) const {
    return id < values_.size() ? std::get_if<T>(&values_[id]) : nullptr;
  }

  /// What belongs to the text `key`.
  std::optional<PickleId> find(const PickleDict& dict, std::string_view key) const;

 private:
  std::shared_ptr<const Text> text_;
  PickleValues values_;
  PickleId root_;
};

/// Reads the few opcodes and classes (numpy arrays, scipy CSR matrices, lists, tuples, dicts, numbers, text)
/// that published data sets are pickled with, in protocols 2 to 5. Nothing is executed. Anything else is an
/// InputError that names the opcode or class and its byte. The pickle begins at byte `start`.
Pickle read_pickle(Text text, std::size_t start = 0);

}  // namespace gdkm
