#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/graph.hpp"

namespace gdkm {

/// Features for nodes that have none: their degree (one-hot), their own number (one-hot), or a constant 1.
enum class DefaultFeatures { degree, identity, ones };

/// The degree counts distinct neighbours and ignores direction and self-loops. Degrees of 1000 and more share
/// one column, so that a hub does not make the matrix wide.
Features make_default_features(const Graph& graph, DefaultFeatures kind);

/// The same where nobody may have said which: identity for up to 20,000 nodes, since it tells nodes apart by
/// their neighbours, degree beyond. A remark says so.
Features make_default_features(const Graph& graph, std::optional<DefaultFeatures> kind,
                               std::vector<std::string>& remarks);

/// Throws an InputError: features were asked for that are for nodes without any, but these have some.
[[noreturn]] void refuse_default_features(const std::string& where, std::size_t columns);

}  // namespace gdkm
