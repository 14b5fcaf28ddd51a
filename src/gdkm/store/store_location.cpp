#include "gdkm/store/store_location.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr std::string_view schemes[] = {"postgresql://", "postgres://"};

/// Where an address begins in `text`.
std::size_t find_address(std::string_view text) {
  std::size_t first = std::string_view::npos;
  for (const auto scheme : schemes) first = std::min(first, text.find(scheme));
  return first;
}

/// An address in parts. A password may wrongly hold characters that end a part, so that the user's part is
/// taken to reach as far as it can: then no piece of a password is ever shown.
struct Parts {
  std::string scheme, user, password, host_and_path;
  std::vector<std::string> parameters;  // name=value
  bool has_user = false, is_ambiguous = false;
};

Parts parts_of(const std::string& text) {
  Parts out;
  const std::size_t start = text.find("://") + 3;
  out.scheme = text.substr(0, start);
  std::string rest = text.substr(start);
  if (const auto at = rest.rfind('@'); at != std::string::npos) {
    const std::string user = rest.substr(0, at);
    const auto colon = user.find(':');
    out.has_user = true;
    out.user = user.substr(0, colon);
    if (colon != std::string::npos) out.password = user.substr(colon + 1);
    out.is_ambiguous = user.find_first_of("/?@#") != std::string::npos;
    rest.erase(0, at + 1);
  }
  const auto query = rest.find('?');
  out.host_and_path = rest.substr(0, query);
  while (query != std::string::npos && rest.size() > query + 1) {
    const auto end = std::min(rest.find('&', query + 1), rest.size());
    out.parameters.push_back(rest.substr(query + 1, end - query - 1));
    rest.erase(query + 1, end - query);
  }
  return out;
}

std::optional<std::string> value_of(const std::string& parameter, std::string_view name) {
  return parameter.starts_with(name) && parameter.size() > name.size() && parameter[name.size()] == '='
             ? std::optional(parameter.substr(name.size() + 1))
             : std::nullopt;
}

std::string joined(const Parts& parts, const std::vector<std::string>& parameters) {
  std::string out = parts.scheme + (parts.has_user ? parts.user + "@" : "") + parts.host_and_path;
  for (std::size_t k = 0; k < parameters.size(); ++k) out += (k == 0 ? "?" : "&") + parameters[k];
  return out;
}

std::string shown_address(const std::string& text) {
  const Parts parts = parts_of(text);
  std::vector<std::string> kept = parts.parameters;
  std::erase_if(kept, [](const std::string& parameter) {
    return value_of(parameter, "password") || value_of(parameter, "sslpassword");
  });
  return joined(parts, kept);
}

/// %40 becomes @.
std::string decoded(const std::string& text, const std::string& shown) {
  std::string out;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] != '%') {
      out += text[k];
      continue;
    }
    const auto digit = [&](std::size_t at) {
      return at < text.size() && std::isxdigit(static_cast<unsigned char>(text[at]));
    };
    if (!digit(k + 1) || !digit(k + 2))
      throw InputError(shown + ": a '%' of its password is not followed by two digits; write it as %25");
    out += static_cast<char>(std::stoi(text.substr(k + 1, 2), nullptr, 16));
    k += 2;
  }
  return out;
}

bool is_schema_name(const std::string& name) {
  return !name.empty() && name.size() < 60 && !name.starts_with("pg_") &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) || c == '_' || c == '-';
         });
}

}  // namespace

bool StoreLocation::is_address(const std::string& text) {
  return find_address(text) == 0;
}

StoreLocation::StoreLocation(const std::string& text) : text_(text), is_server_(is_address(text)) {
  if (!is_server_) return;
  text_ = shown_address(text);
  const Parts parts = parts_of(text);
  if (parts.is_ambiguous)
    throw InputError(
        text_ +
        ": a user or password has one of the characters / ? # @; write them as %2F %3F %23 %40, or set the "
        "password with PGPASSWORD");
  password_ = decoded(parts.password, text_);
  schema_ = "gdkm";
  std::vector<std::string> kept;
  for (const std::string& parameter : parts.parameters) {
    if (const auto name = value_of(parameter, "store")) {
      schema_ = *name;
    } else if (const auto word = value_of(parameter, "password")) {
      password_ = decoded(*word, text_);
    } else {
      kept.push_back(parameter);
    }
  }
  if (!is_schema_name(schema_))
    throw InputError(text_ +
                     ": the name after store= must consist of a-z, 0-9, _ and -, and not begin with pg_");
  address_ = joined(parts, kept);
}

std::string StoreLocation::title() const {
  if (!is_server_) return file().filename().string();
  const std::string path = parts_of(text_).host_and_path;
  const auto slash = path.find('/');
  const std::string database = slash == std::string::npos ? "" : path.substr(slash + 1);
  if (schema_ != "gdkm") return database.empty() ? schema_ : database + "/" + schema_;
  return database.empty() ? schema_ : database;
}

std::string StoreLocation::stem() const {
  if (!is_server_) return file().stem().string();
  std::string out = title();
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return !std::isalnum(c) && c != '_' && c != '-'; }, '-');
  return out;
}

std::string without_password(const std::string& text) {
  const auto start = find_address(text);
  return start == std::string::npos ? text : text.substr(0, start) + shown_address(text.substr(start));
}

}  // namespace gdkm
