#include "gdkm/linalg/make_backend.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

template <class T>
std::string refusal(const DeviceChoice& choice) {
  try {
    make_backend<T>(choice);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(MakeBackend, TheCpuHasAsManyThreadsAsWereAskedFor) {
  EXPECT_NE(make_backend<float>({{}, 2})->description().find("2"), std::string::npos);
  EXPECT_NE(make_backend<double>({{}, 1}), nullptr);
}

TEST(MakeBackend, TensorCoresAreForFloat32OnAGpu) {
  for (const MathMode math : {MathMode::split, MathMode::tf32}) {
    EXPECT_NE(refusal<float>({{}, 1, math}).find("GPU"), std::string::npos);
    EXPECT_NE(refusal<double>({{DeviceId::Kind::cuda, 0}, 1, math}).find("float32"), std::string::npos);
  }
  EXPECT_NE(make_backend<float>({{}, 1, MathMode::strict}), nullptr);
}

TEST(MakeBackend, AGpuThatCannotBeHadIsRefusedInOneLineWithARemedy) {
  // No machine has this many, with or without CUDA.
  const std::string message = refusal<float>({{DeviceId::Kind::cuda, 12345}, 1});
  EXPECT_TRUE(message.starts_with("device = cuda:12345: ")) << message;
  EXPECT_TRUE(message.find("device = cpu") != std::string::npos ||
              message.find("the last one is") != std::string::npos)
      << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

/// Names a file for as long as it lives.
class NamedModule {
 public:
  explicit NamedModule(const char* path) { ::setenv("GDKM_CUDA_MODULE", path, 1); }
  ~NamedModule() { ::unsetenv("GDKM_CUDA_MODULE"); }
};

TEST(MakeBackend, AModuleThatTheEnvironmentNamesIsTheOneThatIsLoaded) {
  const DeviceChoice gpu{{DeviceId::Kind::cuda, 12345}, 1};
  {
    const NamedModule absent("/nonexistent/libgdkm_cuda.so");
    const std::string message = refusal<float>(gpu);
    for (const char* part : {"GDKM_CUDA_MODULE", "/nonexistent/libgdkm_cuda.so", "unset", "device = cpu"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  {
    const NamedModule broken("/proc/self/cmdline");  // there, and no library: the name is right
    const std::string message = refusal<float>(gpu);
    EXPECT_NE(message.find("cannot be loaded"), std::string::npos) << message;
    EXPECT_EQ(message.find("GDKM_CUDA_MODULE"), std::string::npos) << message;
  }
  {
    const NamedModule another("libdl.so.2");  // can be loaded, and is not the module
    EXPECT_NE(refusal<float>(gpu).find("another build"), std::string::npos) << refusal<float>(gpu);
  }
  const std::string without = refusal<float>(gpu);
  const NamedModule empty("");
  EXPECT_EQ(refusal<float>(gpu), without);
}

}  // namespace
}  // namespace gdkm
