#include "gdkm/support/safetensors_bytes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>

#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

namespace {
using nlohmann::json;
using Path = std::filesystem::path;

static_assert(std::endian::native == std::endian::little, "tensors are copied without conversion");

constexpr std::string_view metadata_key = "__metadata__";
constexpr std::uint64_t length_bytes = 8;
constexpr std::uint64_t largest_header = 100'000'000;  // the limit of other readers

template <class... T>
[[noreturn]] void fail(const Path& path, fmt::format_string<T...> what, T&&... values) {
  refuse("{}: {}; is it a model saved by gdkm?", path.string(),
         fmt::format(what, std::forward<T>(values)...));
}

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// 0 for an unsupported type.
std::uint64_t dtype_bytes(std::string_view dtype) {
  if (dtype == "F64" || dtype == "I64") return 8;
  return dtype == "F32" || dtype == "I32" ? 4 : 0;
}

/// The header's entry of a tensor.
struct Entry {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;
};

json parse_header(const Path& path, const std::string& text) {
  std::vector<std::set<std::string>> keys;  // of the enclosing objects
  const auto watch = [&](int depth, json::parse_event_t event, json& parsed) {
    using Event = json::parse_event_t;
    const bool opens = event == Event::object_start || event == Event::array_start;
    if (opens && depth > 2) fail(path, "its header is nested too deeply");
    if (event == Event::object_start) keys.emplace_back();
    if (event == Event::object_end) keys.pop_back();
    if (event == Event::key && !keys.back().insert(parsed.get<std::string>()).second)
      fail(path, "its header has {} twice", dump(parsed));
    return true;
  };
  try {
    json header = json::parse(text, watch);
    if (header.is_object()) return header;
  } catch (const json::exception&) {
  }
  fail(path, "its header is not a JSON object");
}

std::vector<std::int64_t> counts(const json& entry, const char* key, const Path& path,
                                 const std::string& tensor) {
  const auto found = entry.find(key);
  std::vector<std::int64_t> out;
  bool good = found != entry.end() && found->is_array();
  for (std::size_t k = 0; good && k < found->size(); ++k) {
    const json& value = (*found)[k];
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    good = value.is_number_unsigned() && value.get<std::uint64_t>() <= largest;
    if (good) out.push_back(value.get<std::int64_t>());
  }
  if (!good) fail(path, "the {} of tensor {} is not a list of counts", key, tensor);
  return out;
}

Entry parse_entry(const Path& path, const std::string& name, const json& value) {
  const std::string quoted = dump(name);
  if (!value.is_object()) fail(path, "tensor {} is not described by an object", quoted);
  const auto dtype = value.find("dtype");
  if (dtype == value.end() || !dtype->is_string()) fail(path, "tensor {} has no dtype", quoted);
  Entry entry{name, dtype->get<std::string>(), counts(value, "shape", path, quoted)};
  std::uint64_t bytes = dtype_bytes(entry.dtype);
  if (bytes == 0) fail(path, "tensor {} has dtype {}, not F32, F64, I32 or I64", quoted, dump(*dtype));
  const auto offsets = counts(value, "data_offsets", path, quoted);
  if (offsets.size() != 2 || offsets[0] > offsets[1])
    fail(path, "the data_offsets of tensor {} are not a begin and an end", quoted);
  entry.begin = static_cast<std::uint64_t>(offsets[0]);
  entry.end = static_cast<std::uint64_t>(offsets[1]);
  bool overflow = false;
  for (const auto extent : entry.shape) {
    overflow = overflow || __builtin_mul_overflow(bytes, static_cast<std::uint64_t>(extent), &bytes);
  }
  if (overflow || bytes != entry.end - entry.begin) {
    fail(path, "the shape {} of {} of tensor {} does not fill its {} bytes", dump(value["shape"]),
         entry.dtype, quoted, entry.end - entry.begin);
  }
  return entry;
}

/// Sorts entries by position, and checks that they fill the data without gap or overlap.
void check_places(const Path& path, std::vector<Entry>& entries, std::uint64_t data_bytes) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::uint64_t next = 0;
  for (const Entry& entry : entries) {
    if (entry.end > data_bytes) {
      fail(path, "tensor {} ends at byte {} of data of {} bytes (cut short?)", dump(entry.name), entry.end,
           data_bytes);
    }
    if (entry.begin != next) {
      fail(path, "tensor {} {} the one before it", dump(entry.name),
           entry.begin < next ? "overlaps" : "leaves a gap after");
    }
    next = entry.end;
  }
  if (next != data_bytes) fail(path, "{} bytes follow its last tensor", data_bytes - next);
}

TensorFile read(std::istream& in, std::uint64_t size, const Path& path) {
  const auto take = [&](void* memory, std::uint64_t bytes) {
    if (bytes > 0 && !in.read(static_cast<char*>(memory), static_cast<std::streamsize>(bytes)))
      fail(path, "cannot read the whole file");
  };
  std::uint64_t header_bytes = 0;
  if (size < length_bytes) fail(path, "the file has only {} bytes", size);
  take(&header_bytes, length_bytes);
  if (in.peek() != '{' && header_bytes > size - length_bytes) fail(path, "not a safetensors file");
  if (header_bytes > size - length_bytes || header_bytes > largest_header)
    fail(path, "its header would have {} bytes, in a file of {}", header_bytes, size);
  std::string text(header_bytes, '\0');
  take(text.data(), header_bytes);

  TensorFile out;
  std::vector<Entry> entries;
  const json header = parse_header(path, text);
  for (const auto& [name, value] : header.items()) {
    if (name != metadata_key) {
      entries.push_back(parse_entry(path, name, value));
      continue;
    }
    if (!value.is_object()) fail(path, "its __metadata__ is not an object");
    for (const auto& [key, note] : value.items()) {
      if (!note.is_string()) fail(path, "its metadata {} is not a string", dump(key));
      out.metadata[key] = note.get<std::string>();
    }
  }
  check_places(path, entries, size - length_bytes - header_bytes);
  for (Entry& entry : entries) {
    Tensor tensor{std::move(entry.dtype), std::move(entry.shape),
                  std::vector<std::byte>(entry.end - entry.begin)};
    take(tensor.bytes.data(), tensor.bytes.size());
    out.tensors.emplace(std::move(entry.name), std::move(tensor));
  }
  return out;
}
}  // namespace

TensorFile read_safetensors(const Path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) refuse("{}: this is a folder; name a file", path.string());
  if (!std::filesystem::is_regular_file(path, error))
    refuse("{}: no such file; check the path", path.string());
  std::ifstream in(path, std::ios::binary);
  const std::uint64_t size = std::filesystem::file_size(path, error);
  if (!in || error) refuse("{}: cannot read the file; check its permissions", path.string());
  return read(in, size, path);
}

TensorFile safetensors_from(const std::string& bytes, const Path& path) {
  std::istringstream in(bytes);
  return read(in, bytes.size(), path);
}

std::string safetensors_bytes(const TensorFile& file) {
  json header = json::object();
  if (!file.metadata.empty()) header[std::string(metadata_key)] = file.metadata;
  std::uint64_t data_bytes = 0;
  std::vector<const Tensor*> order;
  // Wide types first: since the header is padded, every tensor is then aligned.
  for (const std::uint64_t width : {8u, 4u}) {
    for (const auto& [name, tensor] : file.tensors) {
      assert(name != metadata_key && dtype_bytes(tensor.dtype) > 0);
      if (dtype_bytes(tensor.dtype) != width) continue;
      assert(static_cast<std::uint64_t>(tensor.size()) * width == tensor.bytes.size());
      const std::uint64_t end = data_bytes + tensor.bytes.size();
      header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {data_bytes, end}}};
      order.push_back(&tensor);
      data_bytes = end;
    }
  }
  std::string text = dump(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t header_bytes = text.size();

  std::string bytes;
  bytes.reserve(length_bytes + header_bytes + data_bytes);
  bytes.append(reinterpret_cast<const char*>(&header_bytes), length_bytes);
  bytes += text;
  for (const Tensor* tensor : order) {
    bytes.append(reinterpret_cast<const char*>(tensor->bytes.data()), tensor->bytes.size());
  }
  return bytes;
}

void write_safetensors(const Path& path, const TensorFile& file) {
  write_file_atomically(path, safetensors_bytes(file));
}

}  // namespace gdkm
