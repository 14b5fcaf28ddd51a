#pragma once

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/store/database.hpp"

namespace gdkm {

/// A connection to a server that is made again when it is lost: at once, then with growing pauses. Outside a
/// transaction the statement is simply repeated, so such statements must bear repeating. Within one, TryAgain
/// is thrown, and `transact` repeats the whole.
class PostgresConnection {
 public:
  PostgresConnection(const StoreLocation& location, const DatabaseObserver& observer);

  struct ResultCloser {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Result = std::unique_ptr<PGresult, ResultCloser>;
  using Parameters = std::vector<std::optional<std::string>>;

  /// One statement with parameters $1, $2, ….
  Result execute(const std::string& sql, const Parameters& parameters = {});
  /// Several statements without parameters.
  void script(const std::string& sql);

  void begin(const std::string& mode = "");
  void commit();
  void rollback() noexcept;

  /// How far the server's clock is ahead of this machine's, in seconds.
  double clock_offset() const { return clock_offset_; }

 private:
  template <class Send>
  Result send(const Send& statement);
  bool is_lost(const PGresult* result) const;
  [[noreturn]] void fail(const PGresult* result) const;
  /// Returns the reason if there is no connection afterwards.
  std::optional<std::string> connect();
  void connect_first();
  void reconnect();
  void pause(double seconds) const;
  std::string error_text() const;
  bool may_pass() const;

  struct Closer {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  StoreLocation location_;
  DatabaseObserver observer_;
  std::vector<std::pair<std::string, std::string>> settings_;  // of the connection, by libpq's keywords
  std::unique_ptr<PGconn, Closer> connection_;
  bool in_transaction_ = false;
  double clock_offset_ = 0;
};

}  // namespace gdkm
