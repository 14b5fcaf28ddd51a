#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "gdkm/linalg/dropout.hpp"
#include "tests/linalg/reference_backend.hpp"
#include "tests/linalg/reference_loops.hpp"
#include "tests/linalg/softmax_expectations.hpp"

// The primitives of models: kernels, likelihoods, neural networks, Adam.

namespace gdkm::testing {

namespace {
/// K_ij of two different points, and its derivatives by G_ij and the two norms.
struct Pair {
  double value, d_g, d_si, d_sj;
};
Pair pair(KernelKind kind, double g, double si, double sj) {
  if (kind == KernelKind::linear) return {g, 1, 0, 0};
  if (kind == KernelKind::rbf) {
    const double k = std::exp(-std::max(0.0, si * si + sj * sj - 2 * g) / 2);
    return {k, k, -si * k, -sj * k};
  }
  if (kind != KernelKind::arccos) throw std::logic_error("[reference] a kernel without a definition here");
  if (si == 0 || sj == 0) return {0, 0, 0, 0};
  const double pi = std::acos(-1.0), theta = std::acos(std::min(1.0, std::max(-1.0, g / (si * sj))));
  const double sine = std::sin(theta);
  return {si * sj / pi * (sine + (pi - theta) * std::cos(theta)), (pi - theta) / pi, sj * sine / pi,
          si * sine / pi};
}
}  // namespace

void ReferenceBackend::kernel_matrix(KernelKind kind, In g, In s, Out k) {
  each(g.rows, g.cols, [&](Index r, Index c) {
    const double on_diagonal = kind == KernelKind::rbf ? 1 : s.data[r] * s.data[r];
    at(k, r, c) = r == c ? on_diagonal : pair(kind, at(g, r, c), s.data[r], s.data[c]).value;
  });
}

void ReferenceBackend::kernel_matrix_backward(KernelKind kind, In g, In s, In k_bar, Out g_bar, Out s_bar) {
  each(g.rows, g.cols, [&](Index r, Index c) {
    const double bar = at(k_bar, r, c);
    const Pair p = pair(kind, at(g, r, c), s.data[r], s.data[c]);
    at(g_bar, r, c) = r == c ? 0 : bar * p.d_g;
    s_bar.data[r] += r != c ? bar * p.d_si : (kind == KernelKind::rbf ? 0 : 2 * bar * s.data[r]);
    s_bar.data[c] += r != c ? bar * p.d_sj : 0;
  });
}

void ReferenceBackend::kernel_times(KernelKind kind, In f_t, In s_t, In f_i, In s_i, Fill, In s, Out out,
                                    Out kept) {
  fill(out, 0);
  each(f_t.rows, f_i.rows, [&](Index t, Index i) {
    const double g = row_times_row(f_t, t, f_i, i);
    const double k = pair(kind, g, s_t.data[t], s_i.data[i]).value;
    if (!kept.empty()) at(kept, t, i) = g;
    for (Index c = 0; c < s.cols; ++c) at(out, t, c) += k * at(s, i, c);
  });
}

void ReferenceBackend::kernel_times_backward(KernelKind kind, In f_t, In s_t, In f_i, In s_i, Fill, In s,
                                             In out_bar, Out s_bar, double beta, Out f_t_bar, Out f_i_bar,
                                             Out s_i_bar, Out s_t_bar, In /*kept*/) {
  fill(s_bar, 0);
  if (beta == 0) fill(f_t_bar, 0);
  std::vector<double> norms_bar(static_cast<std::size_t>(f_t.rows), 0.0);
  each(f_t.rows, f_i.rows, [&](Index t, Index i) {
    const Pair p = pair(kind, row_times_row(f_t, t, f_i, i), s_t.data[t], s_i.data[i]);
    const double k_bar = row_times_row(out_bar, t, s, i);
    for (Index c = 0; c < s.cols; ++c) at(s_bar, i, c) += p.value * at(out_bar, t, c);
    for (Index c = 0; c < f_t.cols; ++c) {
      at(f_t_bar, t, c) += k_bar * p.d_g * at(f_i, i, c);
      at(f_i_bar, i, c) += k_bar * p.d_g * at(f_t, t, c);
    }
    s_i_bar.data[i] += k_bar * p.d_sj;
    norms_bar[static_cast<std::size_t>(t)] += k_bar * p.d_si;
  });
  if (s_t_bar.empty()) {
    row_norms_backward(f_t, s_t, In(norms_bar.data(), 1, f_t.rows), f_t_bar);
  } else {
    add(1, In(norms_bar.data(), 1, f_t.rows), 1, s_t_bar);
  }
}

void ReferenceBackend::normals(const Stream& stream, Out out) {
  for (Index k = 0; k < out.size(); ++k) {
    double four[4];
    normal_block(at_this_step(stream), static_cast<std::uint64_t>(k / 4), four);
    out.data[k] = four[k % 4];
  }
}

namespace {
/// scale · the gradient of log softmax(logits)_label, in place of the logits; returns that logarithm.
double log_probability(double* logits, Index classes, Index label, double scale) {
  double sum = 0;
  for (Index c = 0; c < classes; ++c) sum += std::exp(logits[c]);
  const double out = logits[label] - std::log(sum);
  for (Index c = 0; c < classes; ++c)
    logits[c] = scale * ((c == label ? 1.0 : 0.0) - std::exp(logits[c]) / sum);
  return out;
}
}  // namespace

void ReferenceBackend::node_log_likelihood(In mean, In deviation, const std::int32_t* label,
                                           RowNumbers number, Index samples, const Stream& stream,
                                           double scale, Out value, Out mean_bar, Out deviation_bar) {
  const Index classes = mean.cols, blocks = (samples * classes + 3) / 4;
  const double share = 1.0 / static_cast<double>(samples);
  fill(mean_bar, 0);
  for (Index r = 0; r < mean.rows; ++r) {
    deviation_bar.data[r] = 0;
    for (Index s = 0; s < samples; ++s) {
      std::vector<double> noise, logits;
      for (Index c = 0; c < classes; ++c) {
        const Index k = s * classes + c;
        double four[4];
        normal_block(at_this_step(stream), static_cast<std::uint64_t>(number[r] * blocks + k / 4), four);
        noise.push_back(four[k % 4]);
        logits.push_back(at(mean, r, c) + deviation.data[r] * noise.back());
      }
      *value.data += share * log_probability(logits.data(), classes, label[r], scale * share);
      for (Index c = 0; c < classes; ++c) {
        at(mean_bar, r, c) += logits[c];
        deviation_bar.data[r] += logits[c] * noise[c];
      }
    }
  }
}

void ReferenceBackend::softmax_moments(In mean, In deviation, const std::int32_t* label, RowNumbers number,
                                       Index pairs, const Stream& stream, Out value, Out residual,
                                       Out precision, Out curvature) {
  const Index classes = mean.cols, blocks = (pairs * classes + 3) / 4;
  const double share = 0.5 / static_cast<double>(pairs);
  for (Index r = 0; r < mean.rows; ++r) {
    std::vector<double> p(static_cast<std::size_t>(classes), 0.0);
    precision.data[r] = curvature.data[r] = 0;
    for (Index s = 0; s < 2 * pairs; ++s) {
      std::vector<double> weight;
      double sum = 0;
      for (Index c = 0; c < classes; ++c) {
        const Index k = s / 2 * classes + c;
        double four[4];
        normal_block(at_this_step(stream), static_cast<std::uint64_t>(number[r] * blocks + k / 4), four);
        weight.push_back(std::exp(at(mean, r, c) + (s % 2 == 0 ? 1 : -1) * deviation.data[r] * four[k % 4]));
        sum += weight.back();
      }
      *value.data += share * std::log(weight[static_cast<std::size_t>(label[r])] / sum);
      for (Index c = 0; c < classes; ++c) {
        const double each_p = weight[static_cast<std::size_t>(c)] / sum;
        p[static_cast<std::size_t>(c)] += share * each_p;
        precision.data[r] += share * each_p * (1 - each_p) / static_cast<double>(classes);
      }
    }
    for (Index c = 0; c < classes; ++c) {
      const double mean_p = p[static_cast<std::size_t>(c)];
      at(residual, r, c) = (c == label[r] ? 1 : 0) - mean_p;
      curvature.data[r] = std::max(curvature.data[r], 2 * mean_p * (1 - mean_p));
    }
    curvature.data[r] = std::max({curvature.data[r], 0.5 * at(residual, r, label[r]), 0.01});
  }
}

void ReferenceBackend::softmax_expectations(In mean, In deviation, const std::int32_t* label, Out value,
                                            Out residual, Out precision, Out curvature) {
  for (Index r = 0; r < mean.rows; ++r) {
    const SoftmaxExpectations exact = softmax_expectations_of(mean.row(r), mean.cols, deviation.data[r]);
    *value.data += at(mean, r, label[r]) - exact.log_sum;
    precision.data[r] = curvature.data[r] = 0;
    for (Index c = 0; c < mean.cols; ++c) {
      const double variance = exact.variance[static_cast<std::size_t>(c)];
      at(residual, r, c) = (c == label[r] ? 1 : 0) - exact.probability[static_cast<std::size_t>(c)];
      precision.data[r] += variance / static_cast<double>(mean.cols);
      curvature.data[r] = std::max(curvature.data[r], 2 * variance);
    }
    curvature.data[r] = std::max(curvature.data[r], 0.5 * at(residual, r, label[r]));
  }
}

void ReferenceBackend::softmax_log_likelihood(Out logits, const std::int32_t* label, Index samples,
                                              double scale, Out value) {
  const Index classes = logits.cols / samples;
  const double share = 1.0 / static_cast<double>(samples);
  each(logits.rows, samples, [&](Index r, Index s) {
    *value.data += share * log_probability(logits.row(r) + s * classes, classes, label[r], scale * share);
  });
}

void ReferenceBackend::gaussian_log_likelihood(In mean, In deviation, In target, In log_noise, double scale,
                                               Out value, Out mean_bar, Out deviation_bar,
                                               Out log_noise_bar) {
  const double variance = std::exp(*log_noise.data), two_pi = 2 * std::acos(-1.0);
  for (Index r = 0; r < mean.rows; ++r) deviation_bar.data[r] = 0;
  each(mean.rows, mean.cols, [&](Index r, Index c) {
    const double error = at(target, r, c) - at(mean, r, c), spread = deviation.data[r];
    const double square = (error * error + spread * spread) / variance;
    *value.data -= 0.5 * (std::log(two_pi * variance) + square);
    at(mean_bar, r, c) = scale * error / variance;
    deviation_bar.data[r] -= scale * spread / variance;
    *log_noise_bar.data += scale * 0.5 * (square - 1);
  });
}

void ReferenceBackend::mean_softmax(In mean, In deviation, In noise, Out out) {
  fill(out, 0);
  each(mean.rows, noise.rows, [&](Index r, Index s) {
    double sum = 0;
    const auto weight = [&](Index c) {
      return std::exp(at(mean, r, c) + deviation.data[r] * at(noise, s, c));
    };
    for (Index c = 0; c < mean.cols; ++c) sum += weight(c);
    for (Index c = 0; c < mean.cols; ++c)
      at(out, r, c) += weight(c) / (sum * static_cast<double>(noise.rows));
  });
}

void ReferenceBackend::relu(double dropout, const Stream& stream, Out x) {
  const Dropout drop(dropout);
  for (Index k = 0; k < x.size(); ++k) {
    const Random4 block = random_block(at_this_step(stream), static_cast<std::uint64_t>(k / 8));
    const bool passes = x.data[k] > 0 && drop.keeps(block, static_cast<int>(k % 8));
    x.data[k] = passes ? x.data[k] * drop.scale : 0;
  }
}

void ReferenceBackend::relu_backward(In out, double dropout, Out x_bar) {
  for (Index k = 0; k < out.size(); ++k) x_bar.data[k] *= out.data[k] > 0 ? Dropout(dropout).scale : 0;
}

void ReferenceBackend::column_moments(In x, Out mean, Out variance) {
  const auto rows = static_cast<double>(x.rows);
  for (Index c = 0; c < x.cols; ++c) {
    double sum = 0, square = 0;
    for (Index r = 0; r < x.rows; ++r) sum += at(x, r, c) / rows;
    for (Index r = 0; r < x.rows; ++r) square += (at(x, r, c) - sum) * (at(x, r, c) - sum) / rows;
    mean.data[c] = sum;
    variance.data[c] = square;
  }
}

void ReferenceBackend::standardise(In mean, In variance, double epsilon, Out x) {
  each(x.rows, x.cols, [&](Index r, Index c) {
    at(x, r, c) = (at(x, r, c) - mean.data[c]) / std::sqrt(variance.data[c] + epsilon);
  });
}

/// x_bar = (y_bar − mean y_bar − y · mean(y ∘ y_bar)) / √(variance + ε), with means over the rows.
void ReferenceBackend::standardise_backward(In out, In variance, double epsilon, Out x_bar) {
  const auto rows = static_cast<double>(out.rows);
  for (Index c = 0; c < out.cols; ++c) {
    double sum = 0, product = 0;
    for (Index r = 0; r < out.rows; ++r) {
      sum += at(x_bar, r, c) / rows;
      product += at(x_bar, r, c) * at(out, r, c) / rows;
    }
    for (Index r = 0; r < out.rows; ++r) {
      at(x_bar, r, c) =
          (at(x_bar, r, c) - sum - at(out, r, c) * product) / std::sqrt(variance.data[c] + epsilon);
    }
  }
}

void ReferenceBackend::normalise_rows(double epsilon, Out x, Out length) {
  for (Index r = 0; r < x.rows; ++r) {
    length.data[r] = std::sqrt(row_times_row(x, r, x, r) / static_cast<double>(x.cols) + epsilon);
    for (Index c = 0; c < x.cols; ++c) at(x, r, c) /= length.data[r];
  }
}

/// x_bar = (y_bar − y · mean(y ∘ y_bar)) / length, with the mean over the columns.
void ReferenceBackend::normalise_rows_backward(In out, In length, Out x_bar) {
  for (Index r = 0; r < out.rows; ++r) {
    const double product = row_times_row(out, r, x_bar, r) / static_cast<double>(out.cols);
    for (Index c = 0; c < out.cols; ++c)
      at(x_bar, r, c) = (at(x_bar, r, c) - at(out, r, c) * product) / length.data[r];
  }
}

void ReferenceBackend::count_correct(In scores, const std::int32_t* label, Out count) {
  *count.data = 0;
  for (Index r = 0; r < scores.rows; ++r) {
    Index best = 0;
    for (Index c = 1; c < scores.cols; ++c) best = at(scores, r, c) > at(scores, r, best) ? c : best;
    *count.data += best == label[r] ? 1 : 0;
  }
}

void ReferenceBackend::adam(const AdamStep& step, In gradient, Out first, Out second, Out parameter) {
  const double rate = step.factor * (step.clock != nullptr ? step.clock->rate : step.rate);
  const auto t = static_cast<double>(step.clock != nullptr ? step.clock->count : step.count);
  each(gradient.rows, gradient.cols, [&](Index r, Index c) {
    double &m = at(first, r, c), &v = at(second, r, c);
    m = step.beta1 * m + (1 - step.beta1) * at(gradient, r, c);
    v = step.beta2 * v + (1 - step.beta2) * at(gradient, r, c) * at(gradient, r, c);
    at(parameter, r, c) -= rate * (m / (1 - std::pow(step.beta1, t))) /
                           (std::sqrt(v / (1 - std::pow(step.beta2, t))) + step.epsilon);
  });
}

}  // namespace gdkm::testing
