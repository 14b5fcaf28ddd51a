#pragma once

#include <utility>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/relation.hpp"
#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/matrix.hpp"
#include "gdkm/linalg/sparse.hpp"

namespace gdkm {

/// Features on a device: one of the two, as they are sparse or dense on the host.
template <class T>
struct DeviceFeatures {
  Sparse<T> sparse;
  Matrix<T> dense;

  /// To the inputs of a network, which have both under these names.
  template <class Inputs>
  void move_to(Inputs& inputs) {
    inputs.sparse = std::move(sparse);
    inputs.dense = std::move(dense);
  }
};

template <class T>
DeviceFeatures<T> upload(Backend<T>& backend, const Features& features);

/// [P_1 X, …, P_R X]: what the first layer sees where it mixes, but for the weights of relations.
template <class T>
DeviceFeatures<T> upload_mixed(Backend<T>& backend, const Relations& relations, const Features& features);

}  // namespace gdkm
