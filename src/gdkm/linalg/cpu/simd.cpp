#include "gdkm/linalg/cpu/simd.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "gdkm/kernels/arccos.hpp"
#include "gdkm/linalg/cpu/every_isa.hpp"

namespace gdkm::simd {

namespace {

/// A vector of `bytes` bytes, which the compiler keeps in one or several registers.
template <class T, int bytes>
using Vector [[gnu::vector_size(bytes), gnu::aligned(sizeof(T)), gnu::may_alias]] = T;

/// One panel of `count` adjacent vectors, with their sums in registers.
template <int bytes, int count, class T>
inline void panel_times(T alpha, const SparseRows<T>& a, Index begin, Index end, const T* b, Index b_stride,
                        T beta, T* c, Index c_stride) {
  using V = Vector<T, bytes>;
  for (Index r = begin; r < end; ++r) {
    V sum[count] = {};
    for (Index e = a.start[r]; e < a.start[r + 1]; ++e) {
      const V* from = reinterpret_cast<const V*>(b + a.col[e] * b_stride);
      for (int k = 0; k < count; ++k) sum[k] += a.value[e] * from[k];
    }
    V* out = reinterpret_cast<V*>(c + r * c_stride);
    for (int k = 0; k < count; ++k) out[k] = beta == T(0) ? alpha * sum[k] : alpha * sum[k] + beta * out[k];
  }
}

/// The same by blocks of rows of B, with partial sums stored in C between blocks.
template <int bytes, int count, class T>
inline void panel_times_blocks(T alpha, const SparseRows<T>& a, Index begin, Index end, const T* b,
                               Index b_rows, Index b_stride, T beta, T* c, Index c_stride,
                               const SparseBlocks& blocks) {
  using V = Vector<T, bytes>;
  for (Index r = begin; r < end; ++r) {
    blocks.cursor[r] = a.start[r];
    V* out = reinterpret_cast<V*>(c + r * c_stride);
    for (int k = 0; k < count; ++k) out[k] = beta == T(0) ? V{} : beta * out[k];
  }
  for (Index first = 0; first < b_rows; first += blocks.rows) {
    for (Index r = begin; r < end; ++r) {
      const Index stop = a.start[r + 1];
      Index e = blocks.cursor[r];
      if (e == stop || a.col[e] >= first + blocks.rows) continue;
      V* out = reinterpret_cast<V*>(c + r * c_stride);
      V sum[count];
      for (int k = 0; k < count; ++k) sum[k] = out[k];
      for (; e < stop && a.col[e] < first + blocks.rows; ++e) {
        const V* from = reinterpret_cast<const V*>(b + a.col[e] * b_stride);
        const T value = alpha * a.value[e];
        for (int k = 0; k < count; ++k) sum[k] += value * from[k];
      }
      for (int k = 0; k < count; ++k) out[k] = sum[k];
      blocks.cursor[r] = e;
    }
  }
}

template <class T>
inline void all_panels(T alpha, const SparseRows<T>& a, Index begin, Index end, ConstView<T> b, T beta,
                       View<T> c, const SparseBlocks& blocks) {
  Index j = 0;
  const auto panels = [&]<int bytes, int count>() {
    constexpr Index width = bytes / sizeof(T) * count;
    for (; j + width <= c.cols; j += width) {
      if (blocks.rows > 0) {
        panel_times_blocks<bytes, count>(alpha, a, begin, end, b.data + j, b.rows, b.stride, beta, c.data + j,
                                         c.stride, blocks);
      } else {
        panel_times<bytes, count>(alpha, a, begin, end, b.data + j, b.stride, beta, c.data + j, c.stride);
      }
    }
  };
  panels.template operator()<64, 4>();
  // Every panel reads all indices again, so the remaining columns should need few panels.
  panels.template operator()<64, 2>();
  panels.template operator()<64, 1>();
  panels.template operator()<32, 1>();
  panels.template operator()<16, 1>();
  panels.template operator()<sizeof(T), 1>();
}

}  // namespace

GDKM_EVERY_ISA void sparse_times(float alpha, const SparseRows<float>& a, Index begin, Index end,
                                 ConstView<float> b, float beta, View<float> c, const SparseBlocks& blocks) {
  all_panels(alpha, a, begin, end, b, beta, c, blocks);
}
GDKM_EVERY_ISA void sparse_times(double alpha, const SparseRows<double>& a, Index begin, Index end,
                                 ConstView<double> b, double beta, View<double> c,
                                 const SparseBlocks& blocks) {
  all_panels(alpha, a, begin, end, b, beta, c, blocks);
}

GDKM_EVERY_ISA void arccos_row(float* g, float si, float inv_si, const float* sj, const float* inv_sj,
                               Index count) {
#pragma omp simd
  for (Index j = 0; j < count; ++j) g[j] = ArcCos<float>::value(g[j], si, sj[j], inv_si, inv_sj[j]);
}

GDKM_EVERY_ISA float arccos_row_backward(float* g, float* k_bar, float si, float inv_si, const float* sj,
                                         const float* inv_sj, float* sj_bar, Index count) {
  float si_bar = 0;
#pragma omp simd reduction(+ : si_bar)
  for (Index j = 0; j < count; ++j) {
    const auto p = ArcCos<float>::gradient(g[j], si, sj[j], inv_si, inv_sj[j]);
    g[j] = p.value;
    si_bar += k_bar[j] * p.d_si;
    sj_bar[j] += k_bar[j] * p.d_sj;
    k_bar[j] *= p.d_g;
  }
  return si_bar;
}

namespace {

/// e^x = 2^n e^r with n = round(x / log 2), |r| ≤ ½ log 2, and a polynomial in r: relative error below 4e-9
/// before rounding.
inline float exp_of(float x) {
  constexpr float to_integer = 12582912.0f;  // 1.5 · 2²³: adding it rounds to an integer
  const float shifted = std::max(x, -87.0f) * 1.44269504f + to_integer;
  const float n = shifted - to_integer;
  const float r = (std::max(x, -87.0f) - n * 0.693145752f) - n * 1.42860682e-6f;
  float p = 1.38145981e-3f;
  p = p * r + 8.36871693e-3f;
  p = p * r + 4.16683881e-2f;
  p = p * r + 1.66665206e-1f;
  p = p * r + 4.99999934e-1f;
  // The low bits of `shifted` are n; the shift discards the others.
  const float power = std::bit_cast<float>((std::bit_cast<std::uint32_t>(shifted) + 127u) << 23);
  return power * (p * r * r + r + 1.0f);
}

template <class T>
inline T squares(const T* x, Index count) {
  T sum = 0;
#pragma omp simd reduction(+ : sum)
  for (Index j = 0; j < count; ++j) sum += x[j] * x[j];
  return sum;
}

template <class T>
inline void update_all(const AdamUpdate<T>& update, const T* gradient, T* first, T* second, T* parameter,
                       Index count) {
#pragma omp simd
  for (Index k = 0; k < count; ++k) update(gradient[k], first[k], second[k], parameter[k]);
}

}  // namespace

GDKM_EVERY_ISA void exp_row(float* x, Index count) {
#pragma omp simd
  for (Index j = 0; j < count; ++j) x[j] = exp_of(x[j]);
}
void exp_row(double* x, Index count) {
  for (Index j = 0; j < count; ++j) x[j] = std::exp(x[j]);
}

GDKM_EVERY_ISA float sum_of_squares(const float* x, Index count) {
  return squares(x, count);
}
GDKM_EVERY_ISA double sum_of_squares(const double* x, Index count) {
  return squares(x, count);
}

GDKM_EVERY_ISA void adam(const AdamUpdate<float>& update, const float* gradient, float* first, float* second,
                         float* parameter, Index count) {
  update_all(update, gradient, first, second, parameter, count);
}
GDKM_EVERY_ISA void adam(const AdamUpdate<double>& update, const double* gradient, double* first,
                         double* second, double* parameter, Index count) {
  update_all(update, gradient, first, second, parameter, count);
}

}  // namespace gdkm::simd
