#pragma once

#include <string>

#include "gdkm/store/database.hpp"

namespace gdkm {

/// The present version of the tables.
std::int64_t schema_version();
/// The SQL of one of the steps that lead from an empty database to them: from version `from` to the next.
std::string schema_step(std::int64_t from, const Dialect& dialect);

/// Brings the tables to the present version, one writer at a time. An InputError where the place holds
/// something else, or was written by a later version.
void upgrade_schema(Database& database);

/// A step of it: gives every run the identity that it has now that options without effect are no part of it.
/// Runs that turn out to be the same become one: the finished one stays, in all the places of the others.
void upgrade_identities(Database& database);

}  // namespace gdkm
