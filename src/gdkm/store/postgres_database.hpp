#pragma once

#include "gdkm/store/database.hpp"

namespace gdkm {

/// A store on a PostgreSQL server. An InputError in a build without libpq.
std::unique_ptr<Database> open_postgres(const StoreLocation& location, Database::Mode mode,
                                        const DatabaseObserver& observer);

/// Whether this build has libpq.
bool has_postgres();

}  // namespace gdkm
