#include "container.hpp"

#include <algorithm>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm::fuzzing {
namespace {

constexpr std::string_view mark = "=== ";
constexpr std::string_view separator = "\n=== ";

}  // namespace

std::string to_container(const Files& files) {
  std::string out;
  for (const auto& [name, bytes] : files) {
    if (!out.empty()) out += '\n';
    out.append(mark).append(name).append("\n").append(bytes);
  }
  return out;
}

Files from_container(std::string_view input) {
  Files out;
  std::size_t at = input.starts_with(mark) ? mark.size() : input.find(separator);
  if (at == std::string_view::npos) return out;
  if (!input.starts_with(mark)) at += separator.size();
  while (true) {
    const std::size_t next = input.find(separator, at);
    const std::string_view file = input.substr(at, next == std::string_view::npos ? next : next - at);
    const std::size_t line = std::min(file.find('\n'), file.size());
    out.emplace_back(file.substr(0, line), line < file.size() ? file.substr(line + 1) : "");
    if (next == std::string_view::npos) return out;
    at = next + separator.size();
  }
}

std::map<std::string, std::string> by_name(const Files& files) {
  return {files.begin(), files.end()};
}

std::string array_file(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
         shape + "), }\n" + data;
}

std::string to_npy(const std::string& array) {
  if (array.starts_with("\x93NUMPY")) return array;
  const std::size_t end = std::min(array.find('\n'), array.size());
  return testing::raw_npy(array.substr(0, end) + "\n", end < array.size() ? array.substr(end + 1) : "");
}

std::string to_npz(const Files& arrays) {
  std::vector<testing::RawMember> members;
  for (const auto& [name, bytes] : arrays) members.push_back({name + ".npy", to_npy(bytes)});
  return testing::raw_zip(members);
}

}  // namespace gdkm::fuzzing
