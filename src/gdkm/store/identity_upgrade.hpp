#pragma once

#include "gdkm/store/database.hpp"

namespace gdkm {

/// Gives every run the identity that it has now that options without effect are no part of it. Runs that turn
/// out to be the same become one: the finished one stays, in all the places of the others.
void upgrade_identities(Database& database);

}  // namespace gdkm
