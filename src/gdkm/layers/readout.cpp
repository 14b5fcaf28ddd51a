#include "gdkm/layers/readout.hpp"

#include <algorithm>

#include "gdkm/layers/sum_over_nodes.hpp"

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
  const auto of_items = [&](Index rows, Index cols) { return Matrix<T>(backend_, rows, cols, Space::nodes); };
  l_ = matrix(w, w);
  mean_weights_ = matrix(w, classes);
  deviation_weights_ = matrix(w, w);
  v_ = of_items(rows_, w);
  if (!workspace.training()) return;
  l_bar_ = workspace.small(0, w, w);
  log_likelihood_ = workspace.scalar();
  kl_covariance_ = workspace.scalar();
  mean_square_ = workspace.scalar();
  part_ = matrix(1, 1);
  scale_bar_ = matrix(1, 1);
  if (bias_ >= 0) bias_bar_ = matrix(1, classes);
  if (log_noise_ >= 0) noise_bar_ = matrix(1, 1);
  if (options.sampling == Sampling::node || options.regression) {
    u_ = of_items(rows_, w);
    mean_weights_bar_ = matrix(w, classes);
    deviation_weights_bar_ = workspace.small(1, w, w);
    v_bar_ = of_items(rows_, w);
    mean_ = of_items(rows_, classes);
    mean_bar_ = of_items(rows_, classes);
    deviation_ = of_items(1, rows_);
    deviation_bar_ = of_items(1, rows_);
    new_precision_ = of_items(1, rows_);
  } else {
    const Index columns = options.samples * classes;
    u_ = v_;  // sampling weights needs no marginals
    noise_ = matrix(w, columns);
    weights_ = matrix(w, columns);
    weights_bar_ = matrix(w, columns);
    mean_ = of_items(rows_, columns);
    std::vector<T> identities(static_cast<std::size_t>(columns * classes), T(0));
    for (Index k = 0; k < columns; ++k)
      identities[static_cast<std::size_t>(k * classes + k % classes)] = T(1);
    each_sample_ = Matrix<T>(backend_, columns, classes, identities);
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
void Readout<T>::add_gradient(int parameter, const Matrix<T>& sum) {
  if (parameter >= 0) backend_.add(T(1), sum, T(1), parameters_.gradient(parameter));
}

template <class T>
void Readout<T>::forward() {
  backend_.positive_lower(parameters_.value(l_sigma_), l_);
  scaled(parameters_.value(mu_), T(0), mean_weights_);
  scaled(l_, T(0), deviation_weights_);
}

template <class T>
T Readout<T>::begin_objective(const ItemRows& row) {
  backend_.fill(log_likelihood_, T(0));
  backend_.fill(l_bar_, T(0));
  if (input_.f_t_beta() != T(0)) return T(1);
  if (row.are_all(input_.f_t_bar().rows)) return T(0);
  backend_.fill(input_.f_t_bar(), T(0));
  return T(1);
}

template <class T>
View<T> Readout<T>::features_of(const ItemRows& row, Index first, View<T> copy) {
  if (row.are_adjacent()) return input_.f_t().block_rows(row.first() + first, copy.rows);
  backend_.gather_rows(input_.f_t(), row.data() + first, copy);
  return copy;
}

template <class T>
void Readout<T>::add_features_bar(const ItemRows& row, Index first, T beta, View<T> v_bar, View<T> mean_bar) {
  const Index rows = v_bar.rows;
  const View<T> there =
      row.are_adjacent() ? input_.f_t_bar().block_rows(row.first() + first, rows) : View<T>{};
  const View<T> out = beta == T(0) ? there : u_.view().block_rows(0, rows);
  backend_.times_lower(v_bar, Op::transpose, deviation_weights_, out);
  backend_.gemm(T(1), Op::none, mean_bar, Op::transpose, mean_weights_, T(1), out);
  if (beta == T(0)) return;
  if (row.are_adjacent()) return backend_.add(T(1), out, T(1), there);
  backend_.scatter_rows(out, row.data() + first, input_.f_t_bar());
}

template <class T>
void Readout<T>::end_objective(T scale) {
  add_prior_gradient(scale);
  backend_.positive_lower_backward(l_, l_bar_, parameters_.gradient(l_sigma_));
}

template <class T>
void Readout<T>::objective(const Labels& labels, const Stream& stream, T scale, T repeats,
                           ConstView<T> noise) {
  const T beta = begin_objective(labels.row);
  if (options_.sampling == Sampling::node) {
    sample_nodes(labels, stream, beta, repeats * scale);
  } else {
    sample_weights(labels, stream, beta, repeats * scale, noise);
  }
  end_objective(scale);
}

template <class T>
void Readout<T>::objective(const Targets<T>& targets, T scale, T repeats) {
  const T beta = begin_objective(targets.row);
  by_marginals(targets.row, beta,
               [&](Index first, const Terms& terms, View<T> mean, View<T> deviation, View<T> mean_bar,
                   View<T> deviation_bar) {
                 by_weight<T>(backend_, targets.weights, first, mean.rows, part_, terms.log_likelihood,
                              [&](Index at, Index count, T weight, View<T> value) {
                                backend_.gaussian_log_likelihood(
                                    mean.block_rows(at, count), deviation.block_cols(at, count),
                                    targets.value.view().block_rows(first + at, count),
                                    parameters_.value(log_noise_), weight * repeats * scale, value,
                                    mean_bar.block_rows(at, count), deviation_bar.block_cols(at, count),
                                    terms.noise_bar);
                              });
               });
  add_gradient(log_noise_, noise_bar_);
  end_objective(scale);
}

template <class T>
void Readout<T>::sample_nodes(const Labels& labels, const Stream& stream, T beta, T scale) {
  by_marginals(labels.row, beta,
               [&](Index first, const Terms& terms, View<T> mean, View<T> deviation, View<T> mean_bar,
                   View<T> deviation_bar) {
                 by_weight<T>(backend_, labels.weights, first, mean.rows, part_, terms.log_likelihood,
                              [&](Index at, Index count, T weight, View<T> value) {
                                backend_.node_log_likelihood(
                                    mean.block_rows(at, count), deviation.block_cols(at, count),
                                    labels.label.data() + first + at, labels.numbers(first + at),
                                    options_.samples, stream, weight * scale, value,
                                    mean_bar.block_rows(at, count), deviation_bar.block_cols(at, count));
                              });
               });
}

template <class T>
template <class Likelihood>
void Readout<T>::by_marginals(const ItemRows& row, T beta, Likelihood likelihood) {
  const Index count = row.count();
  const auto blocks = [&](View<T> mean_weights_bar, View<T> deviation_weights_bar, View<T> log_likelihood,
                          View<T> bias_bar, View<T> noise_bar) {
    for (Index first = 0; first < count; first += rows_) {
      const Index rows = std::min(rows_, count - first);
      const auto head = [&](const Matrix<T>& a) { return a.view().block_rows(0, rows); };
      const auto head_of_vector = [&](const Matrix<T>& a) { return a.view().block_cols(0, rows); };
      const View<T> v = head(v_), v_bar = head(v_bar_), mean = head(mean_), mean_bar = head(mean_bar_);
      const View<T> deviation = head_of_vector(deviation_), deviation_bar = head_of_vector(deviation_bar_);

      const View<T> u = features_of(row, first, head(u_));
      backend_.gemm(T(1), Op::none, u, Op::none, mean_weights_, T(0), mean);
      backend_.times_lower(u, Op::none, deviation_weights_, v);
      backend_.row_norms(v, deviation);
      add_bias(mean);
      likelihood(first, Terms{log_likelihood, noise_bar}, mean, deviation, mean_bar, deviation_bar);
      if (bias_ >= 0) backend_.column_sums(T(1), mean_bar, T(1), bias_bar);

      backend_.fill(v_bar, T(0));
      backend_.row_norms_backward(v, deviation, deviation_bar, v_bar);
      backend_.gemm(T(1), Op::transpose, u, Op::none, mean_bar, T(1), mean_weights_bar);
      backend_.lower_product(u, v_bar, T(1), deviation_weights_bar);
      add_features_bar(row, first, beta, v_bar, mean_bar);
    }
  };
  sum_over_nodes<T>(backend_,
                    {mean_weights_bar_.view(), deviation_weights_bar_.view(), log_likelihood_,
                     bias_bar_.view(), noise_bar_.view()},
                    blocks);
  add_gradient(bias_, bias_bar_);
  // d(σA)/d log σ² = ½ σA.
  backend_.keep_lower(deviation_weights_bar_, T(1));
  scaled(mean_weights_bar_, T(1), parameters_.gradient(mu_));
  scaled(deviation_weights_bar_, T(1), l_bar_);
  if (log_scale_ < 0) return;
  backend_.dot(T(0.5), mean_weights_bar_, mean_weights_, T(1), parameters_.gradient(log_scale_));
  backend_.dot(T(0.5), deviation_weights_bar_, deviation_weights_, T(1), parameters_.gradient(log_scale_));
}

template <class T>
void Readout<T>::sample_weights(const Labels& labels, const Stream& stream, T beta, T scale,
                                ConstView<T> given) {
  const Index classes = options_.classes;
  if (given.empty()) {
    backend_.normals(stream, noise_);
  } else {
    backend_.add(T(1), given, T(0), noise_);
  }
  // σW_s = σμ + σL_Σ ε_s
  backend_.gemm(T(1), Op::none, mean_weights_, Op::transpose, each_sample_, T(0), weights_);
  backend_.gemm(T(1), Op::none, deviation_weights_, Op::none, noise_, T(1), weights_);
  const auto blocks = [&](View<T> weights_bar, View<T> log_likelihood, View<T> bias_bar) {
    for (Index first = 0; first < labels.count(); first += rows_) {
      const Index rows = std::min(rows_, labels.count() - first);
      const View<T> copy = u_.view().block_rows(0, rows), u = features_of(labels.row, first, copy);
      const View<T> logits = mean_.view().block_rows(0, rows);
      backend_.gemm(T(1), Op::none, u, Op::none, weights_, T(0), logits);
      const auto sample = [&](Index s) { return logits.block_cols(s * classes, classes); };
      for (Index s = 0; s < options_.samples; ++s) add_bias(sample(s));
      by_weight<T>(backend_, labels.weights, first, rows, part_, log_likelihood,
                   [&](Index at, Index count, T weight, View<T> value) {
                     backend_.softmax_log_likelihood(logits.block_rows(at, count),
                                                     labels.label.data() + first + at, options_.samples,
                                                     weight * scale, value);
                   });
      for (Index s = 0; s < options_.samples && bias_ >= 0; ++s)
        backend_.column_sums(T(1), sample(s), T(1), bias_bar);
      backend_.gemm(T(1), Op::transpose, u, Op::none, logits, T(1), weights_bar);
      if (labels.row.are_adjacent()) {
        backend_.gemm(T(1), Op::none, logits, Op::transpose, weights_, beta,
                      input_.f_t_bar().block_rows(labels.row.first() + first, rows));
      } else {
        backend_.gemm(T(1), Op::none, logits, Op::transpose, weights_, T(0), copy);
        backend_.scatter_rows(copy, labels.row.data() + first, input_.f_t_bar());
      }
    }
  };
  sum_over_nodes<T>(backend_, {weights_bar_.view(), log_likelihood_, bias_bar_.view()}, blocks);
  add_gradient(bias_, bias_bar_);
  if (log_scale_ >= 0) backend_.dot(T(0.5), weights_bar_, weights_, T(1), parameters_.gradient(log_scale_));
  scaled(weights_bar_, T(0), weights_);
  backend_.gemm(T(1), Op::none, weights_, Op::none, each_sample_, T(1), parameters_.gradient(mu_));
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
