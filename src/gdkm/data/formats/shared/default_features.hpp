#pragma once

#include <optional>
#include <string>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Features for nodes that have none: their degree (one-hot), their own number (one-hot), or a constant 1.
enum class DefaultFeatures { degree, identity, ones };

/// The degree counts distinct neighbours and ignores direction and self-loops. Degrees of 1000 and more share
/// one column, so that a hub does not make the matrix wide.
Features make_default_features(const Graph& graph, DefaultFeatures kind);

/// Gives them to a data set where nobody may have said which: identity for up to 20,000 nodes, since it tells
/// nodes apart by their neighbours, degree beyond. A remark says so.
void set_default_features(std::optional<DefaultFeatures> kind, Dataset& dataset);
/// The degrees of nodes of many graphs, which a model finds again in other graphs; `where` is for messages.
void set_degree_features(const std::string& where, const Graph& graph, Features& features,
                         FeatureColumns& columns);
/// When nodes have their names: columns that stand for nodes are called by them, so that a model finds them
/// again, unless a file has names for them.
void name_columns_of_nodes(Dataset& dataset);

/// Throws an InputError: features were asked for that are for nodes without any, but these have some.
[[noreturn]] void refuse_default_features(const std::string& where, std::size_t columns);

}  // namespace gdkm
