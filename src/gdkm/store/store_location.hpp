#pragma once

#include <filesystem>
#include <string>

namespace gdkm {

/// Where a store is: a SQLite file, or a PostgreSQL server as
/// postgresql://user@host:port/database?store=NAME. A database may hold several stores, each a schema of its
/// own; without `store=` it is the schema `gdkm`.
class StoreLocation {
 public:
  StoreLocation() = default;
  // Implicit, as a path or a name is a location. An InputError if an address cannot be taken apart.
  StoreLocation(const std::string& text);
  StoreLocation(const char* text) : StoreLocation(std::string(text)) {}
  StoreLocation(const std::filesystem::path& path) : StoreLocation(path.string()) {}

  static bool is_address(const std::string& text);

  bool is_server() const { return is_server_; }
  bool empty() const { return text_.empty(); }
  /// The file's path, or the server's address without its password. The only form that may be shown.
  const std::string& shown() const { return text_; }
  std::filesystem::path file() const { return text_; }

  /// Of a server: the address as libpq takes it, without `store=` and without a password; the password, ""
  /// if the address has none; the schema that holds the tables.
  const std::string& address() const { return address_; }
  const std::string& password() const { return password_; }
  const std::string& schema() const { return schema_; }

  /// A short name, as for the title of a report: the file's name, or that of the database; `stem` is without
  /// an extension, for files that are named after the store.
  std::string title() const;
  std::string stem() const;

 private:
  std::string text_, address_, password_, schema_;
  bool is_server_ = false;
};

/// `text`, which may contain an address, without the address's password.
std::string without_password(const std::string& text);

}  // namespace gdkm
