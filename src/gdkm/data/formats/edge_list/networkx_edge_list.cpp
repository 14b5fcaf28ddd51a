#include "gdkm/data/formats/edge_list/networkx_edge_list.hpp"

#include <algorithm>
#include <map>

#include "gdkm/data/formats/csv/csv_row.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::size_t most_keys = 64;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Takes a Python value off the front of `rest`, up to the comma, colon or brace that ends it.
std::string_view take_value(std::string_view& rest) {
  int depth = 0;
  char quote = '\0';
  std::size_t size = 0;
  for (; size < rest.size(); ++size) {
    const char c = rest[size];
    if (quote != '\0') {
      if (c == '\\') ++size;
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '[' || c == '(' || c == '{') {
      ++depth;
    } else if (depth > 0 && (c == ']' || c == ')' || c == '}')) {
      --depth;
    } else if (depth == 0 && (c == ',' || c == ':' || c == '}')) {
      break;
    }
  }
  size = std::min(size, rest.size());
  const std::string_view out = trimmed(rest.substr(0, size));
  rest.remove_prefix(size);
  return out;
}

/// The text that a value stands for: that of a string without its quotes, the number in np.float64(0.5).
std::string plain(std::string_view value) {
  if (value.starts_with("np.") && value.ends_with(')')) {
    const auto open = value.find('(');
    if (open != std::string_view::npos) value = value.substr(open + 1, value.size() - open - 2);
  }
  if (value.size() < 2 || (value.front() != '\'' && value.front() != '"') || value.back() != value.front())
    return std::string(value);
  std::string out;
  for (std::size_t k = 1; k + 1 < value.size(); ++k) {
    if (value[k] == '\\' && k + 2 < value.size()) ++k;
    out += value[k];
  }
  return out;
}

struct DictLine {
  std::string source, target;
  std::vector<std::pair<std::size_t, std::string>> value;  // by the number of its key
};

class Reader {
 public:
  explicit Reader(const Text& text) : text_(text) {}

  Text read() {
    std::string_view rest = text_.bytes;
    for (std::int64_t number = 1; !rest.empty(); ++number) {
      const std::string_view line = take_line(rest);
      if (is_csv_comment(line)) continue;
      try {
        lines_.push_back(read_line(line));
      } catch (const InputError& error) {
        refuse("{}: line {}: {}", text_.where, number, error.message());
      }
    }
    return as_csv();
  }

 private:
  DictLine read_line(std::string_view line) {
    const auto brace = line.find('{');
    if (brace == std::string_view::npos)
      refuse("expected two nodes and a dict {{...}}; write all edges alike");
    std::string_view nodes = trimmed(line.substr(0, brace)), rest = trimmed(line.substr(brace));
    if (!rest.ends_with('}')) refuse("the dict is not closed; end it with a brace");
    DictLine out;
    const bool by_tabs = nodes.find('\t') != std::string_view::npos;
    const auto end = nodes.find_first_of(by_tabs ? "\t" : " ,");
    out.source = trimmed(nodes.substr(0, end));
    if (end != std::string_view::npos) out.target = trimmed(nodes.substr(end + 1));
    if (out.target.ends_with(',')) out.target.pop_back();
    if (out.source.empty() || out.target.empty()) refuse("expected two nodes before the dict; name both");
    if (!by_tabs && out.target.find(' ') != std::string::npos) {
      refuse("{} is more than one name; where names have blanks, write the list with tabs (delimiter='\\t')",
             show_field(out.target));
    }
    rest.remove_prefix(1);
    while (true) {
      const std::string key = plain(take_value(rest));
      if (!rest.starts_with(':')) {
        if (key.empty() && rest == "}") return out;
        refuse("expected 'key': value in the dict, got {}; correct it", show_field(key));
      }
      rest.remove_prefix(1);
      std::string value = plain(take_value(rest));
      const auto known = key_.emplace(key, key_.size()).first->second;
      if (key_.size() > most_keys)
        refuse("edges have more than {} different attributes; keep the weight and the type", most_keys);
      out.value.emplace_back(known, value == "None" ? "" : std::move(value));
      if (!rest.starts_with(',')) break;
      rest.remove_prefix(1);
    }
    if (rest != "}") refuse("the dict is not closed; end it with a brace");
    return out;
  }

  Text as_csv() const {
    std::vector<std::string> names(key_.size());
    for (const auto& [name, number] : key_) names[number] = name;
    Text out{text_.where, "source\ttarget"};
    const auto add = [&](std::string_view field) {
      out.bytes += '\t';
      out.bytes += csv_field(field);
    };
    for (const std::string& name : names) add(name.empty() ? "attribute" : name);
    out.bytes += '\n';
    std::vector<std::string_view> fields(names.size());
    for (const DictLine& line : lines_) {
      for (std::size_t k = 0; k < names.size(); ++k) fields[k] = names[k] == "weight" ? "1" : "";
      for (const auto& [key, value] : line.value) fields[key] = value;
      out.bytes += csv_field(line.source);
      add(line.target);
      for (const auto field : fields) add(field);
      out.bytes += '\n';
    }
    return out;
  }

  const Text& text_;
  std::map<std::string, std::size_t> key_;
  std::vector<DictLine> lines_;
};

}  // namespace

bool is_networkx_edge_list(const Text& text) {
  for (std::string_view rest = text.bytes; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (is_csv_comment(line)) continue;
    const auto brace = line.find('{');
    return brace != std::string_view::npos && brace > 0 && trimmed(line).ends_with('}');
  }
  return false;
}

Text networkx_edge_list_as_csv(const Text& text) {
  return Reader(text).read();
}

}  // namespace gdkm
