#include "gdkm/models/upload_features.hpp"

#include <type_traits>

#include "gdkm/graph/mix_dense.hpp"
#include "gdkm/models/graph_inputs.hpp"

namespace gdkm {

template <class T>
DeviceFeatures<T> upload(Backend<T>& backend, const Features& features) {
  const Index rows = features.rows, cols = features.cols;
  if (features.is_sparse) return {Sparse<T>(backend, features.sparse), {}};
  if constexpr (std::is_same_v<T, float>) {  // as they are, without a copy on the way
    return {{}, Matrix<T>(backend, rows, cols, features.dense.get(), Space::nodes)};
  } else {
    return {{},
            Matrix<T>(backend, rows, cols, std::vector<T>(features.dense.begin(), features.dense.end()),
                      Space::nodes)};
  }
}

template <class T>
DeviceFeatures<T> upload_mixed(Backend<T>& backend, const Relations& relations, const Features& features) {
  if (features.is_sparse) return upload(backend, mix_by(relations, features));
  const Index rows = relations.each.front().matrix.rows, width = relations.count() * features.cols;
  std::vector<T> host(static_cast<std::size_t>(rows * width));
  for (Index r = 0; r < relations.count() && rows > 0; ++r)
    mix_dense(relations.each[static_cast<std::size_t>(r)].matrix, features, host.data() + r * features.cols,
              width);
  return {{}, Matrix<T>(backend, rows, width, host, Space::nodes)};
}

template DeviceFeatures<float> upload(Backend<float>&, const Features&);
template DeviceFeatures<double> upload(Backend<double>&, const Features&);
template DeviceFeatures<float> upload_mixed(Backend<float>&, const Relations&, const Features&);
template DeviceFeatures<double> upload_mixed(Backend<double>&, const Relations&, const Features&);

}  // namespace gdkm
