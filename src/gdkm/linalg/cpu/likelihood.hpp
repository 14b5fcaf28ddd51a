#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"
#include "gdkm/linalg/cpu/simd.hpp"
#include "gdkm/linalg/smoothed_gumbel.hpp"
#include "gdkm/linalg/softmax_curvature.hpp"

namespace gdkm {

namespace detail {
/// Turns the logits of one row, samples side by side, into scale · (onehot − softmax) of each, in place;
/// returns the sum of their log softmax_label.
template <class T>
T log_softmax_gradient(T* logits, Index samples, Index classes, std::int32_t label, T scale) {
  T total = 0;
  for (T* sample = logits; sample != logits + samples * classes; sample += classes) {
    const T top = *std::max_element(sample, sample + classes);
    for (Index c = 0; c < classes; ++c) sample[c] -= top;
    total += sample[label];
  }
  simd::exp_row(logits, samples * classes);
  for (T* sample = logits; sample != logits + samples * classes; sample += classes) {
    T sum = 0;
    for (Index c = 0; c < classes; ++c) sum += sample[c];
    for (Index c = 0; c < classes; ++c) sample[c] *= -scale / sum;
    sample[label] += scale;
    total -= std::log(sum);
  }
  return total;
}
}  // namespace detail

template <class T>
void CpuBackend<T>::normals(const Stream& given, View<T> out) {
  assert(out.contiguous());
  const Stream stream = at_this_step(given);
  pool_.share(out.size(), 4096, [&](Index begin, Index end) {
    for (Index k = begin; k < end; k += 4) {
      T four[4];
      normal_block(stream, static_cast<std::uint64_t>(k / 4), four);
      std::copy_n(four, std::min<Index>(4, end - k), out.data + k);
    }
  });
}

template <class T>
void CpuBackend<T>::node_log_likelihood(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                        RowNumbers number, Index samples, const Stream& given, T scale,
                                        View<T> value, View<T> mean_bar, View<T> deviation_bar) {
  const Stream stream = at_this_step(given);
  const Index classes = mean.cols;
  const Index blocks = (samples * classes + 3) / 4;  // of four random numbers, for each row
  const T share = T(1) / static_cast<T>(samples);
  const int threads = pool_.size();
  pool_.run([&](int k) {
    T* noise = scratch(k, 1 + 4 * blocks + samples * classes);
    T* logits = noise + 1 + 4 * blocks;
    double total = 0;
    for (Index r = mean.rows * k / threads; r < mean.rows * (k + 1) / threads; ++r) {
      for (Index b = 0; b < blocks; ++b) {
        normal_block(stream, static_cast<std::uint64_t>(number[r] * blocks + b), noise + 1 + 4 * b);
      }
      for (Index s = 0; s < samples; ++s) {
        const T* e = noise + 1 + s * classes;
        for (Index c = 0; c < classes; ++c)
          logits[s * classes + c] = mean.row(r)[c] + deviation.data[r] * e[c];
      }
      total += detail::log_softmax_gradient(logits, samples, classes, label[r], scale * share) * share;
      std::fill_n(mean_bar.row(r), classes, T(0));
      T deviation_sum = 0;
      for (Index s = 0; s < samples; ++s) {
        const T *e = noise + 1 + s * classes, *bar = logits + s * classes;
        for (Index c = 0; c < classes; ++c) {
          mean_bar.row(r)[c] += bar[c];
          deviation_sum += bar[c] * e[c];
        }
      }
      deviation_bar.data[r] = deviation_sum;
    }
    noise[0] = static_cast<T>(total);
  });
  sum_scratch(threads, 0, T(1), value);
}

template <class T>
void CpuBackend<T>::softmax_moments(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                    RowNumbers number, Index pairs, const Stream& given, View<T> value,
                                    View<T> residual, View<T> precision, View<T> curvature) {
  const Stream stream = at_this_step(given);
  const Index classes = mean.cols, blocks = (pairs * classes + 3) / 4;
  const T share = T(0.5) / static_cast<T>(pairs);
  const int threads = pool_.size();
  pool_.run([&](int k) {
    T* noise = scratch(k, 1 + 4 * blocks + 2 * pairs * classes);
    T* logits = noise + 1 + 4 * blocks;
    double total = 0;
    for (Index r = mean.rows * k / threads; r < mean.rows * (k + 1) / threads; ++r) {
      for (Index b = 0; b < blocks; ++b)
        normal_block(stream, static_cast<std::uint64_t>(number[r] * blocks + b), noise + 1 + 4 * b);
      for (Index i = 0; i < pairs * classes; ++i) {
        const T centre = mean.row(r)[i % classes], away = deviation.data[r] * noise[1 + i];
        logits[i] = centre + away;
        logits[pairs * classes + i] = centre - away;
      }
      // What is left of the logits is onehot − p.
      total += detail::log_softmax_gradient(logits, 2 * pairs, classes, label[r], T(1)) * share;
      std::fill_n(residual.row(r), classes, T(0));
      T spread = 0;
      for (Index s = 0; s < 2 * pairs; ++s) {
        const T* gradient = logits + s * classes;
        for (Index c = 0; c < classes; ++c) {
          const T p = (c == label[r] ? T(1) : T(0)) - gradient[c];
          residual.row(r)[c] += share * gradient[c];
          spread += share * p * (T(1) - p);
        }
      }
      T largest = 0;
      for (Index c = 0; c < classes; ++c) {
        const T p = (c == label[r] ? T(1) : T(0)) - residual.row(r)[c];
        largest = std::max(largest, p * (T(1) - p));
      }
      precision.data[r] = std::max(spread, T(0)) / static_cast<T>(classes);
      curvature.data[r] = softmax_curvature(largest, residual.row(r)[label[r]], least_curvature<T>);
    }
    noise[0] = static_cast<T>(total);
  });
  sum_scratch(threads, 0, T(1), value);
}

template <class T>
void CpuBackend<T>::softmax_expectations(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                         View<T> value, View<T> residual, View<T> precision,
                                         View<T> curvature) {
  const SmoothedGumbel gumbel;
  const Index classes = mean.cols;
  const int threads = pool_.size();
  pool_.run([&](int k) {
    T *sum = scratch(k, 1 + 3 * classes), *p = sum + 1, *variance = p + classes, *rate = variance + classes;
    double total = 0;
    for (Index r = mean.rows * k / threads; r < mean.rows * (k + 1) / threads; ++r) {
      const double spread = static_cast<double>(deviation.data[r]),
                   top = static_cast<double>(*std::max_element(mean.row(r), mean.row(r) + classes));
      const SmoothedGumbel::Grid grid = SmoothedGumbel::grid(classes, spread);
      double mass = 0, largest = 0;
      std::fill_n(p, 2 * classes, T(0));
      for (int i = 0; i < SmoothedGumbel::points; ++i) {
        const double x = grid.first + i * grid.step;
        double product = grid.step, rates = 0;
        for (Index c = 0; c < classes; ++c) {
          const auto at = gumbel.at(x + top - static_cast<double>(mean.row(r)[c]), spread);
          product *= at.distribution;
          rate[c] = static_cast<T>(at.density / at.distribution);
          rates += static_cast<double>(rate[c]);
        }
        mass += product * rates;
        largest += product * rates * x;
        for (Index c = 0; c < classes; ++c) {
          const auto each = product * static_cast<double>(rate[c]);
          p[c] += static_cast<T>(each);
          variance[c] += static_cast<T>(each * (rates - static_cast<double>(rate[c])));
        }
      }
      total += static_cast<double>(mean.row(r)[label[r]]) - top - largest / mass + SmoothedGumbel::gamma;
      for (Index c = 0; c < classes; ++c)
        residual.row(r)[c] = (c == label[r] ? T(1) : T(0)) - p[c] / static_cast<T>(mass);
      precision.data[r] = std::accumulate(variance, variance + classes, T(0)) / static_cast<T>(classes);
      curvature.data[r] =
          softmax_curvature(*std::max_element(variance, variance + classes), residual.row(r)[label[r]], T(0));
    }
    *sum = static_cast<T>(total);
  });
  sum_scratch(threads, 0, T(1), value);
}

template <class T>
void CpuBackend<T>::softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples, T scale,
                                           View<T> value) {
  const Index classes = logits.cols / samples;
  const T share = T(1) / static_cast<T>(samples);
  const int threads = pool_.size();
  pool_.run([&](int k) {
    T* sum = scratch(k, 1);
    double total = 0;
    for (Index r = logits.rows * k / threads; r < logits.rows * (k + 1) / threads; ++r) {
      total += detail::log_softmax_gradient(logits.row(r), samples, classes, label[r], scale * share) * share;
    }
    *sum = static_cast<T>(total);
  });
  sum_scratch(threads, 0, T(1), value);
}

template <class T>
void CpuBackend<T>::mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise, View<T> out) {
  const Index classes = mean.cols;
  const int threads = pool_.size();
  pool_.run([&](int k) {
    T* logits = scratch(k, classes);
    for (Index r = mean.rows * k / threads; r < mean.rows * (k + 1) / threads; ++r) {
      std::fill_n(out.row(r), classes, T(0));
      for (Index s = 0; s < noise.rows; ++s) {
        for (Index c = 0; c < classes; ++c) logits[c] = mean.row(r)[c] + deviation.data[r] * noise.row(s)[c];
        const T top = *std::max_element(logits, logits + classes);
        T sum = 0;
        for (Index c = 0; c < classes; ++c) sum += logits[c] = std::exp(logits[c] - top);
        for (Index c = 0; c < classes; ++c) out.row(r)[c] += logits[c] / (sum * static_cast<T>(noise.rows));
      }
    }
  });
}

/// E log N(y; f, σ²) = −½ log 2πσ² − ((y − mean)² + deviation²) / 2σ², for every row and output.
template <class T>
void CpuBackend<T>::gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation, ConstView<T> target,
                                            ConstView<T> log_noise, T scale, View<T> value, View<T> mean_bar,
                                            View<T> deviation_bar, View<T> log_noise_bar) {
  constexpr double log_two_pi = 1.8378770664093453;
  const double log_variance = static_cast<double>(*log_noise.data), precision = std::exp(-log_variance);
  const auto outputs = static_cast<double>(mean.cols);
  double total = 0, noise_bar = 0;
  for (Index r = 0; r < mean.rows; ++r) {
    const double spread = static_cast<double>(deviation.data[r]) * static_cast<double>(deviation.data[r]);
    double square = outputs * spread;
    for (Index c = 0; c < mean.cols; ++c) {
      const double error = static_cast<double>(target.row(r)[c]) - static_cast<double>(mean.row(r)[c]);
      square += error * error;
      mean_bar.row(r)[c] = static_cast<T>(static_cast<double>(scale) * precision * error);
    }
    deviation_bar.data[r] = static_cast<T>(-static_cast<double>(scale) * precision * outputs *
                                           static_cast<double>(deviation.data[r]));
    total -= 0.5 * (outputs * (log_two_pi + log_variance) + precision * square);
    noise_bar += 0.5 * (precision * square - outputs);
  }
  *value.data += static_cast<T>(total);
  *log_noise_bar.data += static_cast<T>(static_cast<double>(scale) * noise_bar);
}

}  // namespace gdkm
