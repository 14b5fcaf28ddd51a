#pragma once

/// Marks a formula that the host and a GPU both compile.
#ifdef __CUDACC__
#define GDKM_HOST_DEVICE __host__ __device__
#else
#define GDKM_HOST_DEVICE
#endif
