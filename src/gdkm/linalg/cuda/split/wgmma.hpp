#pragma once

#include <cstdint>

namespace gdkm::cuda {

// Hopper's asynchronous matrix products (PTX: wgmma): 128 threads add a 64×16 matrix A, in their registers,
// times a 16×N matrix B, in shared memory, to a 64×N matrix D in their registers. A and B are numbers of 16
// bits, D is float.
//
// Thread 32w + 4g + t has the rows r = 16w + g and r + 8: of A the entries (r, 2t), (r, 2t+1), (r+8, 2t),
// (r+8, 2t+1), (r, 2t+8), (r, 2t+9), (r+8, 2t+8), (r+8, 2t+9), two to a register; of D, for all j < N/8, the
// entries (r, 8j+2t), (r, 8j+2t+1), (r+8, 8j+2t), (r+8, 8j+2t+1).

/// The depth of one product.
inline constexpr int mma_depth = 16;

/// B in shared memory: first the rows 0 to 7, then 8 to 15, each as N columns of eight numbers (16 bytes).
template <int n>
__device__ std::uint64_t matrix_descriptor(std::uint32_t address) {
  constexpr std::uint64_t to_next_rows = n * 16, to_next_eight_columns = 128;
  return (address >> 4 & 0x3fff) | (to_next_rows >> 4) << 16 | (to_next_eight_columns >> 4) << 32;
}

/// What was written to registers before is visible to the products that follow.
inline __device__ void mma_begin() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Ends a batch of products.
inline __device__ void mma_commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until no more than so many batches of this warp are under way; `d` is the result of one that is
/// complete then.
template <int under_way, int count>
__device__ void mma_wait(float (&d)[count]) {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(under_way) : "memory");
#pragma unroll
  for (float& entry : d) asm volatile("" : "+f"(entry)::"memory");  // it is not read before
}

/// A group of 128 threads takes more registers, or gives some back; each of its threads then has this many.
template <int count>
__device__ void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(count));
}
template <int count>
__device__ void give_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(count));
}

#define GDKM_MMA_4(k) "+f"(d[k]), "+f"(d[k + 1]), "+f"(d[k + 2]), "+f"(d[k + 3])
#define GDKM_MMA_16(k) GDKM_MMA_4(k), GDKM_MMA_4(k + 4), GDKM_MMA_4(k + 8), GDKM_MMA_4(k + 12)
#define GDKM_MMA(columns, type, names, left, right, flag, ...)                                             \
  asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, " flag                                              \
               ", 0;\n"                                                                                    \
               "wgmma.mma_async.sync.aligned.m64n" columns "k16.f32." type "." type " {" names "}, {" left \
               "}, " right ", keep, 1, 1, 0;\n}"                                                           \
               : __VA_ARGS__                                                                               \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep))
/// Products of both types of numbers. The names are those of the entries of D, of A, of B and of `keep`.
#define GDKM_MMA_BOTH(columns, names, left, right, flag, ...)         \
  if constexpr (type == Half::bfloat16) {                             \
    GDKM_MMA(columns, "bf16", names, left, right, flag, __VA_ARGS__); \
  } else {                                                            \
    GDKM_MMA(columns, "f16", names, left, right, flag, __VA_ARGS__);  \
  }
#define GDKM_MMA_32_NAMES                                  \
  "%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15," \
  "%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define GDKM_MMA_40_NAMES GDKM_MMA_32_NAMES ",%32,%33,%34,%35,%36,%37,%38,%39"
#define GDKM_MMA_52_NAMES GDKM_MMA_40_NAMES ",%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51"
#define GDKM_MMA_64_NAMES GDKM_MMA_52_NAMES ",%52,%53,%54,%55,%56,%57,%58,%59,%60,%61,%62,%63"

#define GDKM_MMA_100_NAMES                                            \
  GDKM_MMA_64_NAMES                                                   \
  ",%64,%65,%66,%67,%68,%69,%70,%71,%72,%73,%74,%75,%76,%77,%78,%79," \
  "%80,%81,%82,%83,%84,%85,%86,%87,%88,%89,%90,%91,%92,%93,%94,%95,%96,%97,%98,%99"

/// The numbers of 16 bits that a factor is made of.
enum class Half { bfloat16, float16 };

/// D ← A B, plus D if `keep`.
template <Half type>
__device__ void mma(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
  GDKM_MMA_BOTH("64", GDKM_MMA_32_NAMES, "%32,%33,%34,%35", "%36", "%37", GDKM_MMA_16(0), GDKM_MMA_16(16))
}
template <Half type>
__device__ void mma(float (&d)[40], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
  GDKM_MMA_BOTH("80", GDKM_MMA_40_NAMES, "%40,%41,%42,%43", "%44", "%45", GDKM_MMA_16(0), GDKM_MMA_16(16),
                GDKM_MMA_4(32), GDKM_MMA_4(36))
}
template <Half type>
__device__ void mma(float (&d)[52], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
  GDKM_MMA_BOTH("104", GDKM_MMA_52_NAMES, "%52,%53,%54,%55", "%56", "%57", GDKM_MMA_16(0), GDKM_MMA_16(16),
                GDKM_MMA_16(32), GDKM_MMA_4(48))
}
template <Half type>
__device__ void mma(float (&d)[64], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
  GDKM_MMA_BOTH("128", GDKM_MMA_64_NAMES, "%64,%65,%66,%67", "%68", "%69", GDKM_MMA_16(0), GDKM_MMA_16(16),
                GDKM_MMA_16(32), GDKM_MMA_16(48))
}
template <Half type>
__device__ void mma(float (&d)[100], const std::uint32_t (&a)[4], std::uint64_t b, int keep) {
  GDKM_MMA_BOTH("200", GDKM_MMA_100_NAMES, "%100,%101,%102,%103", "%104", "%105", GDKM_MMA_16(0),
                GDKM_MMA_16(16), GDKM_MMA_16(32), GDKM_MMA_16(48), GDKM_MMA_16(64), GDKM_MMA_16(80),
                GDKM_MMA_4(96))
}

#undef GDKM_MMA_4
#undef GDKM_MMA_16
#undef GDKM_MMA
#undef GDKM_MMA_BOTH
#undef GDKM_MMA_32_NAMES
#undef GDKM_MMA_40_NAMES
#undef GDKM_MMA_52_NAMES
#undef GDKM_MMA_64_NAMES
#undef GDKM_MMA_100_NAMES

}  // namespace gdkm::cuda
