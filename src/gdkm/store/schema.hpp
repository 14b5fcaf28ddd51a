#pragma once

#include <span>
#include <string_view>

#include "gdkm/store/database.hpp"

namespace gdkm {

/// The steps from an empty file to the present tables: step k leads from version k to version k + 1.
std::span<const std::string_view> schema_steps();

/// Brings the tables to the present version, one writer at a time. An InputError where the file is something
/// else, or was written by a later version.
void upgrade_schema(Database& database);

/// A step of it: gives every run the identity that it has now that options without effect are no part of it.
/// Runs that turn out to be the same become one: the finished one stays, in all the places of the others.
void upgrade_identities(Database& database);

}  // namespace gdkm
