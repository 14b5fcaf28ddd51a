#include "gdkm/store/postgres_connection.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "gdkm/store/owner.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr double first_pause = 0.1, longest_pause = 5, give_up_seconds = 600;

std::string state_of(const PGresult* result) {
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  return state == nullptr ? "" : state;
}

/// The first line, without the word FATAL that libpq begins with; the others are advice.
std::string tidy(std::string text) {
  for (const char* prefix : {"FATAL:  ", "ERROR:  "}) {
    if (const auto at = text.find(prefix); at != std::string::npos) text.erase(at, std::strlen(prefix));
  }
  return text.substr(0, text.find('\n'));
}

/// Settings as libpq takes them: two lists that end with a null pointer.
struct Keywords {
  explicit Keywords(const std::vector<std::pair<std::string, std::string>>& settings) {
    for (const auto& [name, value] : settings) {
      names.push_back(name.c_str());
      values.push_back(value.c_str());
    }
    names.push_back(nullptr);
    values.push_back(nullptr);
  }
  std::vector<const char*> names, values;
};

std::vector<std::pair<std::string, std::string>> settings_of(const StoreLocation& location) {
  char* why = nullptr;
  PQconninfoOption* options = PQconninfoParse(location.address().c_str(), &why);
  PQfreemem(why);  // libpq's reason may quote a part of the address that was meant to be a password
  if (options == nullptr)
    throw InputError(location.shown() +
                     ": not an address of a store; expected postgresql://user@host:port/database, with "
                     "other characters than letters and digits written as %2F");
  std::vector<std::pair<std::string, std::string>> out;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) out.emplace_back(option->keyword, option->val);
  }
  PQconninfoFree(options);
  const auto by_default = [&](const char* name, const std::string& value) {
    const bool given =
        std::any_of(out.begin(), out.end(), [&](const auto& each) { return each.first == name; });
    if (!given) out.emplace_back(name, value);
  };
  if (!location.password().empty()) by_default("password", location.password());
  by_default("application_name", "gdkm");
  by_default("connect_timeout", "10");
  by_default("keepalives_idle", "30");
  by_default("tcp_user_timeout", "60000");  // a machine that vanished is noticed within a minute
  out.emplace_back("client_encoding", "UTF8");
  return out;
}

}  // namespace

PostgresConnection::PostgresConnection(const StoreLocation& location, const DatabaseObserver& observer)
    : location_(location), observer_(observer), settings_(settings_of(location)) {
  connect_first();
}

std::string PostgresConnection::error_text() const {
  return connection_ ? tidy(PQerrorMessage(connection_.get())) : "not enough memory";
}

std::optional<std::string> PostgresConnection::connect() {
  const Keywords keywords(settings_);
  connection_.reset(PQconnectdbParams(keywords.names.data(), keywords.values.data(), 0));
  if (!connection_ || PQstatus(connection_.get()) != CONNECTION_OK) return error_text();
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
  const double before = wall_clock();
  const Result result(
      PQexec(connection_.get(), fmt::format("SET search_path TO \"{}\"; SELECT extract(epoch FROM "
                                            "clock_timestamp())::float8",
                                            location_.schema())
                                    .c_str()));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK) return error_text();
  clock_offset_ = std::strtod(PQgetvalue(result.get(), 0, 0), nullptr) - (before + wall_clock()) / 2;
  return std::nullopt;
}

/// Whether waiting may help: the server does not answer, is starting, or has too many clients.
bool PostgresConnection::may_pass() const {
  const Keywords keywords(settings_);
  return PQpingParams(keywords.names.data(), keywords.values.data(), 0) != PQPING_OK ||
         error_text().find("connection slots") != std::string::npos ||
         error_text().find("too many") != std::string::npos;
}

void PostgresConnection::pause(double seconds) const {
  // Many workers lose a server at the same moment, and should not return at the same moment.
  const double end = wall_clock() + seconds * (1 + 0.3 * static_cast<double>(::getpid() % 16) / 16);
  while (wall_clock() < end && !observer_.interrupted()) ::poll(nullptr, 0, 50);
}

void PostgresConnection::connect_first() {
  const double start = wall_clock();
  bool told = false;
  for (double wait = first_pause;; wait = std::min(2 * wait, longest_pause)) {
    auto why = connect();
    if (!why) return;
    const bool patient = wall_clock() - start < observer_.patience && !observer_.interrupted();
    // A server that answers the ping may have been starting a moment ago.
    if (patient && !may_pass()) {
      why = connect();
      if (!why) return;
    }
    if (!patient || !may_pass())
      throw StoreUnavailable(fmt::format(
          "{}: cannot connect to the store ({}); check the address and the server", location_.shown(), *why));
    if (!told) observer_.message(fmt::format("{}: {}; trying again", location_.shown(), *why));
    told = true;
    pause(wait);
  }
}

void PostgresConnection::reconnect() {
  const double start = wall_clock();
  bool told = false;
  for (double wait = first_pause;; wait = std::min(2 * wait, longest_pause)) {
    const auto why = connect();
    if (!why) {
      if (told) observer_.message(location_.shown() + ": the server is back");
      return;
    }
    if (wall_clock() - start >= give_up_seconds || observer_.interrupted())
      throw StoreUnavailable(fmt::format("{}: the server is gone ({}); start it and repeat the command",
                                         location_.shown(), *why));
    if (!told)
      observer_.message(fmt::format("{}: lost the server ({}); trying again", location_.shown(), *why));
    told = true;
    pause(wait);
  }
}

bool PostgresConnection::is_lost(const PGresult* result) const {
  if (PQstatus(connection_.get()) != CONNECTION_OK) return true;
  const std::string state = state_of(result);
  return state.starts_with("08") || state.starts_with("57P");
}

template <class Send>
PostgresConnection::Result PostgresConnection::send(const Send& statement) {
  for (;;) {
    if (!connection_ || PQstatus(connection_.get()) != CONNECTION_OK) reconnect();
    Result result(statement(connection_.get()));
    const auto status = PQresultStatus(result.get());
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY) return result;
    const bool lost = is_lost(result.get());
    const std::string state = state_of(result.get());
    if (!lost && state != "40001" && state != "40P01") fail(result.get());  // serialisation, deadlock
    if (lost) connection_.reset();
    if (!in_transaction_) continue;
    if (lost) in_transaction_ = false;
    throw Database::TryAgain();
  }
}

PostgresConnection::Result PostgresConnection::execute(const std::string& sql, const Parameters& parameters) {
  std::vector<const char*> values;
  for (const auto& each : parameters) values.push_back(each ? each->c_str() : nullptr);
  return send([&](PGconn* connection) {
    return PQexecParams(connection, sql.c_str(), static_cast<int>(values.size()), nullptr, values.data(),
                        nullptr, nullptr, 0);
  });
}

void PostgresConnection::script(const std::string& sql) {
  send([&](PGconn* connection) { return PQexec(connection, sql.c_str()); });
}

void PostgresConnection::begin(const std::string& mode) {
  script("BEGIN " + mode);
  in_transaction_ = true;
}

void PostgresConnection::commit() {
  script("COMMIT");
  in_transaction_ = false;
}

void PostgresConnection::rollback() noexcept {
  if (in_transaction_ && connection_) PQclear(PQexec(connection_.get(), "ROLLBACK"));
  in_transaction_ = false;
}

void PostgresConnection::fail(const PGresult* result) const {
  const std::string state = state_of(result), where = location_.shown() + ": ";
  if (state == "42501")
    throw InputError(fmt::format("{}{}; give the user this right, or use another", where,
                                 tidy(PQresultErrorMessage(result))));
  if (state == "25006") throw InputError(where + "the server only reads; use the one that writes");
  if (state.starts_with("53"))
    throw InputError(fmt::format("{}the server lacks resources ({}); free some and start again", where,
                                 tidy(PQresultErrorMessage(result))));
  throw InputError(fmt::format("{}cannot use the store ({}); check the server", where,
                               tidy(PQresultErrorMessage(result))));
}

}  // namespace gdkm
