// The readout's natural-gradient updates: see Sites.
#include "gdkm/layers/readout.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/layers/sum_over_nodes.hpp"

namespace gdkm {

template <class T>
void Readout<T>::weigh(const std::vector<WeightRun>& weights, Index first, View<T> linear, View<T> precision,
                       View<T> curvature) {
  if (weights.empty()) return;
  by_weight<T>(backend_, weights, first, linear.rows, part_, part_,
               [&](Index at, Index count, T weight, View<T> /*value*/) {
                 for (const View<T> each : {linear.block_rows(at, count), precision.block_cols(at, count),
                                            curvature.block_cols(at, count)})
                   backend_.add(weight, each, T(0), each);
               });
}

template <class T>
void Readout<T>::start(const Labels& labels, Sites<T>& sites) {
  // At μ = 0 and no variance all classes are equally probable.
  const T classes = static_cast<T>(options_.classes), p = T(1) / classes;
  const Index count = labels.count();
  backend_.fill(sites.precision, p * (T(1) - p));
  backend_.fill(sites.curvature, T(2) * p * (T(1) - p));
  sum_over_nodes<T>(backend_, {log_likelihood_}, [&](View<T> log_likelihood) {
    for (Index first = 0; first < count; first += rows_) {
      const Index rows = std::min(rows_, count - first);
      const View<T> mean = mean_.view().block_rows(0, rows), none = deviation_.view().block_cols(0, rows),
                    unused = deviation_bar_.view().block_cols(0, rows);
      backend_.fill(mean, T(0));
      backend_.fill(none, T(0));
      backend_.softmax_moments(mean, none, labels.label.data() + first, labels.numbers(first), 1, Stream{},
                               log_likelihood, sites.linear.block_rows(first, rows), unused, unused);
    }
  });
  weigh(labels.weights, 0, sites.linear, sites.precision, sites.curvature);
}

template <class T>
typename Readout<T>::Block Readout<T>::block_of(const ItemRows& row, Index first) {
  const Index rows = std::min(rows_, row.count() - first);
  const Block out{features_of(row, first, u_.view().block_rows(0, rows)), v_.view().block_rows(0, rows),
                  mean_.view().block_rows(0, rows), deviation_.view().block_cols(0, rows)};
  backend_.gemm(T(1), Op::none, out.u, Op::none, mean_weights_, T(0), out.mean);
  backend_.times_lower(out.u, Op::none, deviation_weights_, out.v);
  backend_.row_norms(out.v, out.deviation);
  return out;
}

template <class T>
void Readout<T>::add_up(const ItemRows& row, Sites<T>& sites) {
  const Index count = row.count();
  const auto blocks = [&](View<T> covariance_evidence, View<T> mean_evidence, View<T> linear_evidence) {
    for (Index first = 0; first < count; first += rows_) {
      const Index rows = std::min(rows_, count - first);
      const View<T> u = u_.view().block_rows(0, rows), weighted = v_.view().block_rows(0, rows);
      scaled(features_of(row, first, v_bar_.view().block_rows(0, rows)), T(0), u);
      backend_.scale_rows(sites.precision.block_cols(first, rows), u, weighted);
      backend_.lower_product(u, weighted, T(1), covariance_evidence);
      backend_.scale_rows(sites.curvature.block_cols(first, rows), u, weighted);
      backend_.lower_product(u, weighted, T(1), mean_evidence);
      backend_.gemm(T(1), Op::transpose, u, Op::none, sites.linear.block_rows(first, rows), T(1),
                    linear_evidence);
    }
  };
  sum_over_nodes<T>(backend_, {sites.covariance_evidence, sites.mean_evidence, sites.linear_evidence},
                    blocks);
}

template <class T>
void Readout<T>::add_up_residuals(const ItemRows& row, Sites<T>& sites) {
  const Index count = row.count();
  sum_over_nodes<T>(backend_, {mean_weights_bar_.view()}, [&](View<T> sum) {
    for (Index first = 0; first < count; first += rows_) {
      const Index rows = std::min(rows_, count - first);
      const View<T> u = features_of(row, first, u_.view().block_rows(0, rows));
      backend_.gemm(T(1), Op::transpose, u, Op::none, sites.residual.block_rows(first, rows), T(1), sum);
    }
  });
  scaled(mean_weights_bar_, T(0), sites.residual_evidence);
}

template <class T>
void Readout<T>::add_up(const Targets<T>& targets, Sites<T>& sites) {
  // β = b = 1/noise, λ = (target − constant)/noise: exact, so that one solve finds the optimum.
  const View<T> log_noise = parameters_.value(log_noise_), ones = new_precision_.view();
  for (Index first = 0; first < targets.count(); first += rows_) {
    const Index rows = std::min(rows_, targets.count() - first);
    const View<T> linear = sites.linear.block_rows(first, rows), one = ones.block_cols(0, rows);
    backend_.add_exp_scaled(T(-1), log_noise, targets.value.view().block_rows(first, rows), T(0), linear);
    backend_.fill(mean_.view().block_rows(0, rows), T(0));
    add_bias(mean_.view().block_rows(0, rows));
    backend_.add(T(-1), mean_.view().block_rows(0, rows), T(0), mean_.view().block_rows(0, rows));
    backend_.add_exp_scaled(T(-1), log_noise, mean_.view().block_rows(0, rows), T(1), linear);
    backend_.fill(one, T(1));
    backend_.add_exp_scaled(T(-1), log_noise, one, T(0), sites.precision.block_cols(first, rows));
    backend_.add_exp_scaled(T(-1), log_noise, one, T(0), sites.curvature.block_cols(first, rows));
    weigh(targets.weights, first, linear, sites.precision.block_cols(first, rows),
          sites.curvature.block_cols(first, rows));
  }
  add_up(targets.row, sites);
}

template <class T>
void Readout<T>::set_sites(const Block& block, const Labels& labels, Index first, const Stream& stream,
                           Index pairs, T rate, Sites<T>& sites, View<T> log_likelihood) {
  const Index rows = block.mean.rows;
  const View<T> residual = sites.residual.block_rows(first, rows),
                beta = new_precision_.view().block_cols(0, rows), b = sites.curvature.block_cols(first, rows),
                linear = sites.linear.block_rows(first, rows), logits = mean_bar_.view().block_rows(0, rows);
  backend_.add(T(1), block.mean, T(0), logits);
  add_bias(logits);
  by_weight<T>(backend_, labels.weights, first, rows, part_, log_likelihood,
               [&](Index at, Index count, T /*weight*/, View<T> value) {
                 const View<T> mean = logits.block_rows(at, count),
                               deviation = block.deviation.block_cols(at, count),
                               gradient = residual.block_rows(at, count), spread = beta.block_cols(at, count),
                               bound = b.block_cols(at, count);
                 const std::int32_t* label = labels.label.data() + first + at;
                 if (pairs == by_quadrature) {
                   backend_.softmax_expectations(mean, deviation, label, value, gradient, spread, bound);
                 } else {
                   backend_.softmax_moments(mean, deviation, label, labels.numbers(first + at), pairs, stream,
                                            value, gradient, spread, bound);
                 }
               });
  weigh(labels.weights, first, residual, beta, b);
  backend_.scale_rows(b, block.mean, linear);  // λ = gradient + b f, where f has no constant
  backend_.add(T(1), residual, T(1), linear);
  backend_.add(rate, beta, T(1) - rate, sites.precision.block_cols(first, rows));
}

template <class T>
void Readout<T>::update(const Labels& labels, const Stream& stream, Index pairs, T rate, Sites<T>& sites) {
  sum_over_nodes<T>(backend_, {log_likelihood_}, [&](View<T> log_likelihood) {
    for (Index first = 0; first < labels.count(); first += rows_)
      set_sites(block_of(labels.row, first), labels, first, stream, pairs, rate, sites, log_likelihood);
  });
}

template <class T>
void Readout<T>::compute_prior() {
  const auto mu = parameters_.value(mu_);
  backend_.dot(T(1), mu, mu, T(0), mean_square_);
  backend_.fill(l_bar_, T(0));
  backend_.normal_kl(l_, T(0), l_bar_, kl_covariance_);
}

template <class T>
double Readout<T>::sum_of_kernel(const ItemRows& row) {
  const Index count = row.count();
  sum_over_nodes<T>(backend_, {part_.view()}, [&](View<T> sum) {
    for (Index first = 0; first < count; first += rows_) {
      const Index rows = std::min(rows_, count - first);
      const View<T> u = u_.view().block_rows(0, rows);
      scaled(features_of(row, first, v_bar_.view().block_rows(0, rows)), T(0), u);
      backend_.dot(T(1), u, u, T(1), sum);
    }
  });
  return static_cast<double>(part_.to_host()[0]);
}

template <class T>
void Readout<T>::weigh_rows(const ItemRows& row, ConstView<T> weight,
                            const typename WeightPosterior<T>::Rows& out) {
  const Index count = row.count();
  std::vector<T> root(static_cast<std::size_t>(count));
  backend_.download(weight.data, root.data(), root.size() * sizeof(T));
  for (T& each : root) each = std::sqrt(std::max(each, T(0)));
  const Matrix<T> roots(backend_, 1, count, root);
  for (Index first = 0; first < count; first += rows_) {
    const Index rows = std::min(rows_, count - first);
    const View<T> u = u_.view().block_rows(0, rows), weighted = v_.view().block_rows(0, rows);
    scaled(features_of(row, first, v_bar_.view().block_rows(0, rows)), T(0), u);
    backend_.scale_rows(roots.view().block_cols(first, rows), u, weighted);
    backend_.gemm(T(1), Op::none, out.order, Op::transpose, weighted, T(0),
                  out.of_items.block_cols(first, rows));
  }
}

template <class T>
void Readout<T>::objective(const Labels& labels, const Stream& stream, T scale, T repeats, Sites<T>& sites) {
  const T beta = begin_objective(labels.row);
  const T weight = repeats * scale, classes = static_cast<T>(options_.classes);
  const auto blocks = [&](View<T> log_likelihood, View<T> bias_bar, View<T> scale_bar) {
    for (Index first = 0; first < labels.count(); first += rows_) {
      const Block block = block_of(labels.row, first);
      const Index rows = block.mean.rows;
      const View<T> mean_bar = mean_bar_.view().block_rows(0, rows),
                    v_bar = v_bar_.view().block_rows(0, rows),
                    deviation_bar = deviation_bar_.view().block_cols(0, rows);
      set_sites(block, labels, first, stream, options_.samples, T(0.7), sites, log_likelihood);
      backend_.add(weight, sites.residual.block_rows(first, rows), T(0), mean_bar);
      // The derivative by the deviation is −deviation · C · β.
      backend_.scale_rows(new_precision_.view().block_cols(0, rows), block.deviation.reshaped(rows, 1),
                          deviation_bar.reshaped(rows, 1));
      backend_.add(-weight * classes, deviation_bar, T(0), deviation_bar);
      if (bias_ >= 0) backend_.column_sums(T(1), mean_bar, T(1), bias_bar);
      if (log_scale_ >= 0) {  // mean and deviation are proportional to σ
        backend_.dot(T(0.5), mean_bar, block.mean, T(1), scale_bar);
        backend_.dot(T(0.5), deviation_bar, block.deviation, T(1), scale_bar);
      }
      backend_.fill(v_bar, T(0));
      backend_.row_norms_backward(block.v, block.deviation, deviation_bar, v_bar);
      add_features_bar(labels.row, first, beta, v_bar, mean_bar);
    }
  };
  sum_over_nodes<T>(backend_, {log_likelihood_, bias_bar_.view(), scale_bar_.view()}, blocks);
  add_gradient(bias_, bias_bar_);
  add_gradient(log_scale_, scale_bar_);
  // KL(W), whose gradients nobody needs.
  add_prior_gradient(scale);
}

#define GDKM_INSTANTIATE(T)                                                            \
  template void Readout<T>::start(const Labels&, Sites<T>&);                           \
  template void Readout<T>::add_up(const ItemRows&, Sites<T>&);                        \
  template void Readout<T>::add_up_residuals(const ItemRows&, Sites<T>&);              \
  template void Readout<T>::add_up(const Targets<T>&, Sites<T>&);                      \
  template void Readout<T>::update(const Labels&, const Stream&, Index, T, Sites<T>&); \
  template void Readout<T>::weigh_rows(const ItemRows&, ConstView<T>,                  \
                                       const typename WeightPosterior<T>::Rows&);      \
  template void Readout<T>::compute_prior();                                           \
  template double Readout<T>::sum_of_kernel(const ItemRows&);                          \
  template void Readout<T>::objective(const Labels&, const Stream&, T, T, Sites<T>&)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
