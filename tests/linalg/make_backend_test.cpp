#include "gdkm/linalg/make_backend.hpp"

#include <gtest/gtest.h>

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
  EXPECT_NE(make_backend<float>({"cpu", 2, false})->description().find("2"), std::string::npos);
  EXPECT_NE(make_backend<double>({"cpu", 1, false}), nullptr);
}

TEST(MakeBackend, ADeviceOfAnotherNameIsRefusedByName) {
  for (const char* name : {"gpu", "", "cuda:", "cuda:-1", "cuda:1x", "cuda0", "CPU", "cuda:99999999999"}) {
    const std::string message = refusal<float>({name, 1, false});
    EXPECT_TRUE(message.starts_with(library_spelling("device", name) + ": ")) << message;
    EXPECT_NE(message.find("cuda:N"), std::string::npos) << message;
  }
}

TEST(MakeBackend, Tf32IsForFloat32OnAGpu) {
  EXPECT_NE(refusal<float>({"cpu", 1, true}).find("device = cuda"), std::string::npos);
  EXPECT_NE(refusal<double>({"cuda", 1, true}).find("float32"), std::string::npos);
}

TEST(MakeBackend, AGpuThatCannotBeHadIsRefusedInOneLineWithARemedy) {
  // No machine has this many, with or without CUDA.
  const std::string message = refusal<float>({"cuda:12345", 1, false});
  EXPECT_TRUE(message.starts_with("device = cuda:12345: ")) << message;
  EXPECT_TRUE(message.find("device = cpu") != std::string::npos ||
              message.find("the last one is") != std::string::npos)
      << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

}  // namespace
}  // namespace gdkm
