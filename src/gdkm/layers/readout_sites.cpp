// The readout's natural-gradient updates: see Sites.
#include "gdkm/layers/readout.hpp"

#include <algorithm>

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
  for (Index first = 0; first < count; first += rows_) {
    const Index rows = std::min(rows_, count - first);
    const View<T> mean = mean_.view().block_rows(0, rows), none = deviation_.view().block_cols(0, rows),
                  unused = deviation_bar_.view().block_cols(0, rows);
    backend_.fill(mean, T(0));
    backend_.fill(none, T(0));
    backend_.softmax_moments(mean, none, labels.label.data() + first, first, 1, Stream{}, log_likelihood_,
                             sites.linear.block_rows(first, rows), unused, unused);
  }
  weigh(labels.weights, 0, sites.linear, sites.precision, sites.curvature);
}

template <class T>
typename Readout<T>::Block Readout<T>::block_of(const Buffer<std::int32_t>& row, Index first) {
  const Index rows = std::min(rows_, static_cast<Index>(row.size()) - first);
  const Block out{u_.view().block_rows(0, rows), v_.view().block_rows(0, rows),
                  mean_.view().block_rows(0, rows), deviation_.view().block_cols(0, rows)};
  backend_.gather_rows(input_.f_t(), row.data() + first, out.u);
  backend_.gemm(T(1), Op::none, out.u, Op::none, mean_weights_, T(0), out.mean);
  backend_.times_lower(out.u, Op::none, deviation_weights_, out.v);
  backend_.row_norms(out.v, out.deviation);
  return out;
}

template <class T>
void Readout<T>::add_up(const Buffer<std::int32_t>& row, Sites<T>& sites) {
  const auto count = static_cast<Index>(row.size());
  for (Index first = 0; first < count; first += rows_) {
    const Index rows = std::min(rows_, count - first);
    const T beta = first == 0 ? T(0) : T(1);
    const View<T> raw = v_bar_.view().block_rows(0, rows), u = u_.view().block_rows(0, rows),
                  weighted = v_.view().block_rows(0, rows);
    backend_.gather_rows(input_.f_t(), row.data() + first, raw);
    scaled(raw, T(0), u);
    backend_.scale_rows(sites.precision.block_cols(first, rows), u, weighted);
    backend_.lower_product(u, weighted, beta, sites.covariance_evidence);
    backend_.scale_rows(sites.curvature.block_cols(first, rows), u, weighted);
    backend_.lower_product(u, weighted, beta, sites.mean_evidence);
    backend_.gemm(T(1), Op::transpose, u, Op::none, sites.linear.block_rows(first, rows), beta,
                  sites.linear_evidence);
  }
}

template <class T>
void Readout<T>::add_up_residuals(const Buffer<std::int32_t>& row, Sites<T>& sites) {
  const auto count = static_cast<Index>(row.size());
  for (Index first = 0; first < count; first += rows_) {
    const Index rows = std::min(rows_, count - first);
    const View<T> u = u_.view().block_rows(0, rows);
    backend_.gather_rows(input_.f_t(), row.data() + first, u);
    backend_.gemm(T(1), Op::transpose, u, Op::none, sites.residual.block_rows(first, rows),
                  first == 0 ? T(0) : T(1), mean_weights_bar_);
  }
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
                           Index pairs, T rate, Sites<T>& sites) {
  const Index rows = block.mean.rows;
  const View<T> residual = sites.residual.block_rows(first, rows),
                beta = new_precision_.view().block_cols(0, rows), b = sites.curvature.block_cols(first, rows),
                linear = sites.linear.block_rows(first, rows), logits = mean_bar_.view().block_rows(0, rows);
  backend_.add(T(1), block.mean, T(0), logits);
  add_bias(logits);
  by_weight<T>(backend_, labels.weights, first, rows, part_, log_likelihood_,
               [&](Index at, Index count, T /*weight*/, View<T> value) {
                 const View<T> mean = logits.block_rows(at, count),
                               deviation = block.deviation.block_cols(at, count),
                               gradient = residual.block_rows(at, count), spread = beta.block_cols(at, count),
                               bound = b.block_cols(at, count);
                 const std::int32_t* label = labels.label.data() + first + at;
                 if (pairs == by_quadrature) {
                   backend_.softmax_expectations(mean, deviation, label, value, gradient, spread, bound);
                 } else {
                   backend_.softmax_moments(mean, deviation, label, first + at, pairs, stream, value,
                                            gradient, spread, bound);
                 }
               });
  weigh(labels.weights, first, residual, beta, b);
  backend_.scale_rows(b, block.mean, linear);  // λ = gradient + b f, where f has no constant
  backend_.add(T(1), residual, T(1), linear);
  backend_.add(rate, beta, T(1) - rate, sites.precision.block_cols(first, rows));
}

template <class T>
void Readout<T>::update(const Labels& labels, const Stream& stream, Index pairs, T rate, Sites<T>& sites) {
  backend_.fill(log_likelihood_, T(0));
  for (Index first = 0; first < labels.count(); first += rows_)
    set_sites(block_of(labels.row, first), labels, first, stream, pairs, rate, sites);
}

template <class T>
void Readout<T>::compute_prior() {
  const auto mu = parameters_.value(mu_);
  backend_.dot(T(1), mu, mu, T(0), mean_square_);
  backend_.fill(l_bar_, T(0));
  backend_.normal_kl(l_, T(0), l_bar_, kl_covariance_);
}

template <class T>
double Readout<T>::mean_kernel(const Buffer<std::int32_t>& row) {
  const auto count = static_cast<Index>(row.size());
  double sum = 0;
  for (Index first = 0; first < count; first += rows_) {
    const Index rows = std::min(rows_, count - first);
    const View<T> raw = v_bar_.view().block_rows(0, rows), u = u_.view().block_rows(0, rows);
    backend_.gather_rows(input_.f_t(), row.data() + first, raw);
    scaled(raw, T(0), u);
    backend_.row_norms(u, deviation_.view().block_cols(0, rows));
    std::vector<T> host(static_cast<std::size_t>(rows));
    backend_.download(deviation_.view().data, host.data(), host.size() * sizeof(T));
    for (const T norm : host) sum += static_cast<double>(norm) * static_cast<double>(norm);
  }
  return sum / static_cast<double>(count);
}

template <class T>
void Readout<T>::objective(const Labels& labels, const Stream& stream, T scale, T repeats, Sites<T>& sites) {
  begin_objective();
  const T weight = repeats * scale, classes = static_cast<T>(options_.classes);
  for (Index first = 0; first < labels.count(); first += rows_) {
    const Block block = block_of(labels.row, first);
    const Index rows = block.mean.rows;
    const View<T> mean_bar = mean_bar_.view().block_rows(0, rows), v_bar = v_bar_.view().block_rows(0, rows),
                  deviation_bar = deviation_bar_.view().block_cols(0, rows);
    const auto column = [&](View<T> row) { return View<T>(row.data, rows, 1); };
    set_sites(block, labels, first, stream, options_.samples, T(0.7), sites);
    backend_.add(weight, sites.residual.block_rows(first, rows), T(0), mean_bar);
    // The derivative by the deviation is −deviation · C · β.
    backend_.scale_rows(new_precision_.view().block_cols(0, rows), column(block.deviation),
                        column(deviation_bar));
    backend_.add(-weight * classes, deviation_bar, T(0), deviation_bar);
    add_bias_gradient(mean_bar);
    if (log_scale_ >= 0) {  // mean and deviation are proportional to σ
      backend_.dot(T(0.5), mean_bar, block.mean, T(1), parameters_.gradient(log_scale_));
      backend_.dot(T(0.5), deviation_bar, block.deviation, T(1), parameters_.gradient(log_scale_));
    }
    backend_.fill(v_bar, T(0));
    backend_.row_norms_backward(block.v, block.deviation, deviation_bar, v_bar);
    backend_.times_lower(v_bar, Op::transpose, deviation_weights_, block.u);
    backend_.gemm(T(1), Op::none, mean_bar, Op::transpose, mean_weights_, T(1), block.u);
    backend_.scatter_rows(block.u, labels.row.data() + first, input_.f_t_bar());
  }
  // KL(W), whose gradients nobody needs.
  add_prior_gradient(scale);
}

#define GDKM_INSTANTIATE(T)                                                            \
  template void Readout<T>::start(const Labels&, Sites<T>&);                           \
  template void Readout<T>::add_up(const Buffer<std::int32_t>&, Sites<T>&);            \
  template void Readout<T>::add_up_residuals(const Buffer<std::int32_t>&, Sites<T>&);  \
  template void Readout<T>::add_up(const Targets<T>&, Sites<T>&);                      \
  template void Readout<T>::update(const Labels&, const Stream&, Index, T, Sites<T>&); \
  template void Readout<T>::compute_prior();                                           \
  template double Readout<T>::mean_kernel(const Buffer<std::int32_t>&);                \
  template void Readout<T>::objective(const Labels&, const Stream&, T, T, Sites<T>&)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
