#pragma once

namespace gdkm::cuda {

// Loads that the compiler leaves where they are: ahead of the products that run while they are under way. It
// would move others to where their numbers are used, after the products, and the threads would wait for
// memory.

inline __device__ float4 load_early(const float4* from, bool wanted) {
  float4 x;
  asm volatile(
      "{\n.reg .pred wanted;\nsetp.ne.b32 wanted, %5, 0;\n"
      "mov.f32 %0, 0f00000000;\nmov.f32 %1, 0f00000000;\nmov.f32 %2, 0f00000000;\nmov.f32 %3, 0f00000000;\n"
      "@wanted ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];\n}"
      : "=&f"(x.x), "=&f"(x.y), "=&f"(x.z), "=&f"(x.w)
      : "l"(from), "r"(static_cast<int>(wanted)));
  return x;
}
inline __device__ float2 load_early(const float2* from, bool wanted) {
  float2 x;
  asm volatile(
      "{\n.reg .pred wanted;\nsetp.ne.b32 wanted, %3, 0;\n"
      "mov.f32 %0, 0f00000000;\nmov.f32 %1, 0f00000000;\n"
      "@wanted ld.global.nc.v2.f32 {%0, %1}, [%2];\n}"
      : "=&f"(x.x), "=&f"(x.y)
      : "l"(from), "r"(static_cast<int>(wanted)));
  return x;
}
inline __device__ float load_early(const float* from, bool wanted) {
  float x;
  asm volatile(
      "{\n.reg .pred wanted;\nsetp.ne.b32 wanted, %2, 0;\nmov.f32 %0, 0f00000000;\n"
      "@wanted ld.global.nc.f32 %0, [%1];\n}"
      : "=&f"(x)
      : "l"(from), "r"(static_cast<int>(wanted)));
  return x;
}

/// Brings a line of memory into the second-level cache.
inline __device__ void bring_near(const float* from) {
  asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
}

}  // namespace gdkm::cuda
