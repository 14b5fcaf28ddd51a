#pragma once

#include <cmath>
#include <cstdint>

#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// What a random number is for; part of its counter, so that streams never overlap.
enum class Purpose : std::uint32_t {
  sampling = 1,
  prediction,
  inducing,
  initial,
  generator,
  split,
  shuffle,
  dropout,
  structure
};

/// A counter-based stream: number k of a stream depends on (seed, purpose, step, k) alone, never on how many
/// numbers were drawn before, on threads, or on the device.
struct Stream {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::sampling;
  std::uint32_t step = 0;
  /// On the device that draws the numbers: added to `step` there, `stride` times, when they are drawn. So a
  /// recorded step draws new numbers each time it is replayed.
  const std::uint32_t* clock = nullptr;
  std::uint32_t stride = 1;  // streams that one turn of the clock takes
};

/// The stream as it is now, its clock read; on the device of the clock.
GDKM_HOST_DEVICE inline Stream at_this_step(Stream stream) {
  if (stream.clock != nullptr) stream.step += stream.stride * *stream.clock;
  stream.clock = nullptr;
  return stream;
}

struct Random4 {
  std::uint32_t v[4];
};

/// Philox4x32-10 (Salmon et al., 2011): four random words for block `block` of the stream.
GDKM_HOST_DEVICE inline Random4 random_block(const Stream& stream, std::uint64_t block) {
  std::uint32_t c0 = static_cast<std::uint32_t>(block), c1 = static_cast<std::uint32_t>(block >> 32);
  std::uint32_t c2 = stream.step, c3 = static_cast<std::uint32_t>(stream.purpose);
  std::uint32_t k0 = static_cast<std::uint32_t>(stream.seed),
                k1 = static_cast<std::uint32_t>(stream.seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c0;
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57u} * c2;
    const std::uint32_t next0 = static_cast<std::uint32_t>(p1 >> 32) ^ c1 ^ k0;
    const std::uint32_t next2 = static_cast<std::uint32_t>(p0 >> 32) ^ c3 ^ k1;
    c1 = static_cast<std::uint32_t>(p1);
    c3 = static_cast<std::uint32_t>(p0);
    c0 = next0;
    c2 = next2;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

/// Four standard normals by Box–Muller, from block `block` of the stream.
template <class T>
GDKM_HOST_DEVICE inline void normal_block(const Stream& stream, std::uint64_t block, T out[4]) {
  const Random4 r = random_block(stream, block);
  for (int pair = 0; pair < 2; ++pair) {
    // (0, 1] keeps the logarithm finite.
    const T u = (static_cast<T>(r.v[2 * pair] >> 8) + T(1)) * T(1.0 / 16777216.0);
    const T angle = static_cast<T>(r.v[2 * pair + 1] >> 8) * T(6.283185307179586 / 16777216.0);
    const T radius = std::sqrt(T(-2) * std::log(u));
    out[2 * pair] = radius * std::cos(angle);
    out[2 * pair + 1] = radius * std::sin(angle);
  }
}

/// Sequential numbers for host code (generators, k-means++): a cursor over one stream.
class Random {
 public:
  explicit Random(const Stream& stream) : stream_(stream) {}

  std::uint32_t bits() {
    if (used_ == 4) {
      block_ = random_block(stream_, next_++);
      used_ = 0;
    }
    return block_.v[used_++];
  }
  /// Uniform in [0, 1) with 53 random bits.
  double uniform() {
    const std::uint64_t high = bits() >> 5, low = bits() >> 6;
    return static_cast<double>(high * 67108864u + low) * (1.0 / 9007199254740992.0);
  }
  /// Uniform in {0, …, bound − 1}.
  std::uint64_t below(std::uint64_t bound) {
    const auto k = static_cast<std::uint64_t>(uniform() * static_cast<double>(bound));
    return k < bound ? k : bound - 1;
  }
  double normal() {
    const double u = 1.0 - uniform(), v = uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
  }

 private:
  Stream stream_;
  std::uint64_t next_ = 0;
  Random4 block_{};
  int used_ = 4;
};

}  // namespace gdkm
