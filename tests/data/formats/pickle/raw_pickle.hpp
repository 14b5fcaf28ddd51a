#pragma once

/// Writes pickles as Python 2 did for Planetoid, by hand, so that a test can lie in any field.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm::testing {

inline std::string pickle_of(const std::string& body) {
  return "\x80\x02" + body + ".";
}

inline std::string pickled_int(std::int64_t value) {
  return "J" + raw_bytes<std::int32_t>({static_cast<std::int32_t>(value)});
}

inline std::string pickled_string(const std::string& text) {
  return "T" + raw_bytes<std::uint32_t>({static_cast<std::uint32_t>(text.size())}) + text;
}

inline std::string pickled_ints(const std::vector<std::int64_t>& values, const std::string& end) {
  std::string out = "(";
  for (const auto value : values) out += pickled_int(value);
  return out + end;
}

inline std::string pickled_tuple(const std::vector<std::int64_t>& values) {
  return pickled_ints(values, "t");
}

/// `descr` as in "<i4".
inline std::string pickled_array_of_bytes(const std::string& descr, const std::vector<std::int64_t>& shape,
                                          const std::string& bytes) {
  const std::string dtype = "cnumpy\ndtype\n" + pickled_string(descr.substr(1)) +
                            std::string("K\0K\1\x87R(K\3", 9) + pickled_string(descr.substr(0, 1)) + "NNNtb";
  return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n" + pickled_tuple({0}) +
         pickled_string("b") + "\x87R(K\1" + pickled_tuple(shape) + dtype + "\x89" + pickled_string(bytes) +
         "tb";
}

template <class T>
std::string pickled_array_of(const std::string& descr, const std::vector<std::int64_t>& shape,
                             const std::vector<T>& values) {
  return pickled_array_of_bytes(descr, shape, raw_bytes(values));
}

struct RawCsr {
  std::vector<std::int64_t> shape;
  std::vector<std::int32_t> indptr, indices;
  std::vector<float> data;

  std::string body() const {
    const auto length = [](const auto& values) {
      return std::vector<std::int64_t>{std::int64_t(values.size())};
    };
    return "cscipy.sparse.csr\ncsr_matrix\n)\x81}(" + pickled_string("_shape") + pickled_tuple(shape) +
           pickled_string("indptr") + pickled_array_of("<i4", length(indptr), indptr) +
           pickled_string("indices") + pickled_array_of("<i4", length(indices), indices) +
           pickled_string("data") + pickled_array_of("<f4", length(data), data) + "ub";
  }
};

inline std::string pickled_graph(const std::map<std::int64_t, std::vector<std::int64_t>>& neighbours) {
  std::string out = "ccollections\ndefaultdict\nc__builtin__\nlist\n\x85R(";
  for (const auto& [node, list] : neighbours) out += pickled_int(node) + "]" + pickled_ints(list, "e");
  return out + "u";
}

}  // namespace gdkm::testing
