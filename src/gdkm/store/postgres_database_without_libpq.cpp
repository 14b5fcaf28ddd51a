#include "gdkm/store/postgres_database.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

std::unique_ptr<Database> open_postgres(const StoreLocation& location, Database::Mode,
                                        const DatabaseObserver&) {
  throw InputError(location.shown() +
                   ": this gdkm was built without PostgreSQL; give a file, or build it with libpq "
                   "(Debian: libpq-dev)");
}

bool has_postgres() {
  return false;
}

}  // namespace gdkm
