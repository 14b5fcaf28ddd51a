#include "gdkm/layers/readout.hpp"

#include <algorithm>

namespace gdkm {

template <class T>
Readout<T>::Readout(Workspace<T>& workspace, DenseFeatures<T>& input, Parameters<T>& parameters,
                    const Options& options)
    : backend_(workspace.backend()),
      input_(input),
      parameters_(parameters),
      options_(options),
      mu_(parameters.declare("readout.mu", input.width(), options.classes)),
      l_sigma_(parameters.declare("readout.L_sigma", input.width(), input.width())),
      rows_(std::min(backend_.rows_at_a_time(workspace.nodes()), workspace.nodes())) {
  if (options.learned_scale) log_scale_ = parameters.declare("readout.log_scale", 1, 1);
  // Checkpoints store Adam's moments in this order.
  if (options.regression) log_noise_ = parameters.declare("readout.log_noise", 1, 1);
  if (options.bias || options.regression) bias_ = parameters.declare("readout.bias", 1, options.classes);
  if (options.regression) {
    parameters.declare("readout.target_mean", 1, options.classes);  // these two are not learned: see Trainer
    parameters.declare("readout.target_scale", 1, options.classes);
  }
  const Index w = input.width(), classes = options.classes;
  const auto matrix = [&](Index rows, Index cols) { return Matrix<T>(backend_, rows, cols); };
  l_ = matrix(w, w);
  mean_weights_ = matrix(w, classes);
  deviation_weights_ = matrix(w, w);
  v_ = matrix(rows_, w);
  if (!workspace.training()) return;
  l_bar_ = workspace.small(0, w, w);
  log_likelihood_ = workspace.scalar();
  kl_covariance_ = workspace.scalar();
  mean_square_ = workspace.scalar();
  if (options.sampling == Sampling::node || options.regression) {
    u_ = matrix(rows_, w);
    mean_weights_bar_ = matrix(w, classes);
    deviation_weights_bar_ = workspace.small(1, w, w);
    v_bar_ = matrix(rows_, w);
    mean_ = matrix(rows_, classes);
    mean_bar_ = matrix(rows_, classes);
    deviation_ = matrix(1, rows_);
    deviation_bar_ = matrix(1, rows_);
    new_precision_ = matrix(1, rows_);
  } else {
    const Index columns = options.samples * classes;
    u_ = v_;  // sampling weights needs no marginals
    noise_ = matrix(w, columns);
    weights_ = matrix(w, columns);
    weights_bar_ = matrix(w, columns);
    mean_ = matrix(rows_, columns);
  }
}

template <class T>
void Readout<T>::scaled(ConstView<T> a, T beta, View<T> out) {
  if (log_scale_ < 0) return backend_.add(T(1), a, beta, out);
  backend_.add_exp_scaled(T(0.5), parameters_.value(log_scale_), a, beta, out);
}

template <class T>
void Readout<T>::add_bias(View<T> outputs) {
  if (bias_ >= 0) backend_.add_row(T(1), parameters_.value(bias_), outputs);
}

template <class T>
void Readout<T>::add_bias_gradient(ConstView<T> outputs_bar) {
  if (bias_ >= 0) backend_.column_sums(T(1), outputs_bar, T(1), parameters_.gradient(bias_));
}

template <class T>
void Readout<T>::forward() {
  backend_.positive_lower(parameters_.value(l_sigma_), l_);
  scaled(parameters_.value(mu_), T(0), mean_weights_);
  scaled(l_, T(0), deviation_weights_);
}

template <class T>
void Readout<T>::begin_objective() {
  backend_.fill(log_likelihood_, T(0));
  backend_.fill(l_bar_, T(0));
  if (input_.f_t_beta() == T(0)) backend_.fill(input_.f_t_bar(), T(0));
}

template <class T>
void Readout<T>::end_objective(T scale) {
  add_prior_gradient(scale);
  backend_.positive_lower_backward(l_, l_bar_, parameters_.gradient(l_sigma_));
}

template <class T>
void Readout<T>::objective(const Labels& labels, const Stream& stream, T scale, T repeats,
                           ConstView<T> noise) {
  begin_objective();
  if (options_.sampling == Sampling::node) {
    sample_nodes(labels, stream, repeats * scale);
  } else {
    sample_weights(labels, stream, repeats * scale, noise);
  }
  end_objective(scale);
}

template <class T>
void Readout<T>::objective(const Targets<T>& targets, T scale, T repeats) {
  begin_objective();
  by_marginals(targets.row, [&](Index first, View<T> mean, View<T> deviation, View<T> mean_bar,
                                View<T> deviation_bar) {
    backend_.gaussian_log_likelihood(mean, deviation, targets.value.view().block_rows(first, mean.rows),
                                     parameters_.value(log_noise_), repeats * scale, log_likelihood_,
                                     mean_bar, deviation_bar, parameters_.gradient(log_noise_));
  });
  end_objective(scale);
}

template <class T>
void Readout<T>::sample_nodes(const Labels& labels, const Stream& stream, T scale) {
  by_marginals(
      labels.row, [&](Index first, View<T> mean, View<T> deviation, View<T> mean_bar, View<T> deviation_bar) {
        backend_.node_log_likelihood(mean, deviation, labels.label.data() + first, first, options_.samples,
                                     stream, scale, log_likelihood_, mean_bar, deviation_bar);
      });
}

template <class T>
template <class Likelihood>
void Readout<T>::by_marginals(const Buffer<std::int32_t>& row, Likelihood likelihood) {
  const auto count = static_cast<Index>(row.size());
  backend_.fill(mean_weights_bar_, T(0));
  backend_.fill(deviation_weights_bar_, T(0));
  for (Index first = 0; first < count; first += rows_) {
    const Index rows = std::min(rows_, count - first);
    const auto head = [&](const Matrix<T>& a) { return a.view().block_rows(0, rows); };
    const auto head_of_vector = [&](const Matrix<T>& a) { return a.view().block_cols(0, rows); };
    const View<T> u = head(u_), v = head(v_), v_bar = head(v_bar_), mean = head(mean_),
                  mean_bar = head(mean_bar_);
    const View<T> deviation = head_of_vector(deviation_), deviation_bar = head_of_vector(deviation_bar_);

    backend_.gather_rows(input_.f_t(), row.data() + first, u);
    backend_.gemm(T(1), Op::none, u, Op::none, mean_weights_, T(0), mean);
    backend_.times_lower(u, Op::none, deviation_weights_, v);
    backend_.row_norms(v, deviation);
    add_bias(mean);
    likelihood(first, mean, deviation, mean_bar, deviation_bar);
    add_bias_gradient(mean_bar);

    backend_.fill(v_bar, T(0));
    backend_.row_norms_backward(v, deviation, deviation_bar, v_bar);
    backend_.gemm(T(1), Op::transpose, u, Op::none, mean_bar, T(1), mean_weights_bar_);
    backend_.lower_product(u, v_bar, T(1), deviation_weights_bar_);
    backend_.times_lower(v_bar, Op::transpose, deviation_weights_, u);
    backend_.gemm(T(1), Op::none, mean_bar, Op::transpose, mean_weights_, T(1), u);
    backend_.scatter_rows(u, row.data() + first, input_.f_t_bar());
  }
  // d(σA)/d log σ² = ½ σA.
  backend_.keep_lower(deviation_weights_bar_, T(1));
  scaled(mean_weights_bar_, T(1), parameters_.gradient(mu_));
  scaled(deviation_weights_bar_, T(1), l_bar_);
  if (log_scale_ < 0) return;
  backend_.dot(T(0.5), mean_weights_bar_, mean_weights_, T(1), parameters_.gradient(log_scale_));
  backend_.dot(T(0.5), deviation_weights_bar_, deviation_weights_, T(1), parameters_.gradient(log_scale_));
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
  backend_.softmax_moments(logits, block.deviation, labels.label.data() + first, first, pairs, stream,
                           log_likelihood_, residual, beta, b);
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

template <class T>
void Readout<T>::sample_weights(const Labels& labels, const Stream& stream, T scale, ConstView<T> given) {
  const Index classes = options_.classes;
  if (given.empty()) {
    backend_.normals(stream, noise_);
  } else {
    backend_.add(T(1), given, T(0), noise_);
  }
  // σW_s = σμ + σL_Σ ε_s
  backend_.gemm(T(1), Op::none, deviation_weights_, Op::none, noise_, T(0), weights_);
  for (Index s = 0; s < options_.samples; ++s) {
    backend_.add(T(1), mean_weights_, T(1), weights_.view().block_cols(s * classes, classes));
  }
  backend_.fill(weights_bar_, T(0));
  for (Index first = 0; first < labels.count(); first += rows_) {
    const Index rows = std::min(rows_, labels.count() - first);
    const View<T> u = u_.view().block_rows(0, rows), logits = mean_.view().block_rows(0, rows);
    backend_.gather_rows(input_.f_t(), labels.row.data() + first, u);
    backend_.gemm(T(1), Op::none, u, Op::none, weights_, T(0), logits);
    const auto sample = [&](Index s) { return logits.block_cols(s * classes, classes); };
    for (Index s = 0; s < options_.samples; ++s) add_bias(sample(s));
    backend_.softmax_log_likelihood(logits, labels.label.data() + first, options_.samples, scale,
                                    log_likelihood_);
    for (Index s = 0; s < options_.samples; ++s) add_bias_gradient(sample(s));
    backend_.gemm(T(1), Op::transpose, u, Op::none, logits, T(1), weights_bar_);
    backend_.gemm(T(1), Op::none, logits, Op::transpose, weights_, T(0), u);
    backend_.scatter_rows(u, labels.row.data() + first, input_.f_t_bar());
  }
  for (Index s = 0; s < options_.samples; ++s) {
    scaled(weights_bar_.view().block_cols(s * classes, classes), T(1), parameters_.gradient(mu_));
  }
  if (log_scale_ >= 0) backend_.dot(T(0.5), weights_bar_, weights_, T(1), parameters_.gradient(log_scale_));
  scaled(weights_bar_, T(0), weights_);
  backend_.gemm(T(1), Op::none, weights_, Op::transpose, noise_, T(1), l_bar_);
}

template <class T>
void Readout<T>::add_prior_gradient(T scale) {
  if (options_.temper <= 0) return;  // L_Σ may then reach 0, and 0·∞ must not be computed
  const T weight = -scale * static_cast<T>(options_.temper);
  const auto mu = parameters_.value(mu_);
  backend_.dot(T(1), mu, mu, T(0), mean_square_);
  backend_.add(weight, mu, T(1), parameters_.gradient(mu_));
  backend_.normal_kl(l_, weight * static_cast<T>(options_.classes), l_bar_, kl_covariance_);
}

template <class T>
void Readout<T>::marginals(Index first, View<T> mean, View<T> deviation) {
  for (Index done = 0; done < mean.rows; done += rows_) {
    const Index rows = std::min(rows_, mean.rows - done);
    const View<T> u = input_.f_t().block_rows(first + done, rows), v = v_.view().block_rows(0, rows);
    backend_.gemm(T(1), Op::none, u, Op::none, mean_weights_, T(0), mean.block_rows(done, rows));
    add_bias(mean.block_rows(done, rows));
    backend_.times_lower(u, Op::none, deviation_weights_, v);
    backend_.row_norms(v, deviation.block_cols(done, rows));
  }
}

template class Readout<float>;
template class Readout<double>;

}  // namespace gdkm
