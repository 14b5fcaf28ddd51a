#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/small_problem.hpp"

// A sanitizer brings allocation functions of its own.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// They do match: all of them are here, on top of aligned_alloc.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace {
/// The handful of numbers that a step reports (the parts of the objective) may grow on the host.
constexpr std::size_t a_few_numbers = 64;
std::atomic<long> allocations{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  if (bytes > a_few_numbers) ++allocations;
  const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  if (void* memory = std::aligned_alloc(alignment, whole)) return memory;
  throw std::bad_alloc();
}
}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace gdkm {
namespace {

/// Allocations of ten steps, after a first one.
template <class T, class Config>
long allocations_of_steps(const Config& config, int threads, Inference inference = Inference::natural) {
  const Dataset data = testing::small_dataset("signal=1");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  CpuBackend<T> backend(threads);
  TrainOptions options;
  options.epochs = 100;
  options.patience = 0;
  options.inference = inference;
  options.select = Select::elbo;  // validations take in the outputs of all items
  const auto model = make_model(backend, config, problem);
  Trainer<T> trainer(*model, problem, data.splits.at("public")[0], options);
  trainer.step();
  const long before = allocations;
  for (int k = 0; k < 10; ++k) trainer.step();
  return allocations - before;
}

template <class T>
long allocations_of_paper_steps(const ModelConfig& config, int threads) {
  return allocations_of_steps<T>(config, threads, Inference::paper);
}

TEST(StepAllocations, AStepOfADkmAllocatesNoMoreThanAFewNumbersToReport) {
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    for (const Sampling sampling : {Sampling::node, Sampling::weights}) {
      for (const bool center : {false, true}) {
        ModelConfig config = testing::small_settings().config;
        config.scheme = scheme;
        config.sampling = sampling;
        config.center = center;
        EXPECT_EQ(allocations_of_paper_steps<float>(config, 2), 0);
        EXPECT_EQ(allocations_of_paper_steps<double>(config, 1), 0);
        if (sampling == Sampling::weights) continue;
        EXPECT_EQ(allocations_of_steps<float>(config, 2), 0);
        EXPECT_EQ(allocations_of_steps<double>(config, 1), 0);
      }
    }
  }
}

TEST(StepAllocations, AStepOfAGcnAllocatesNoMoreThanAFewNumbersToReport) {
  for (const Architecture arch : {Architecture::kipf, Architecture::platonov}) {
    for (const bool normalised : {false, true}) {
      GcnConfig config;
      config.arch = arch;
      config.batch_norm = config.row_normalise = normalised;
      EXPECT_EQ(allocations_of_steps<float>(config, 2), 0);
      EXPECT_EQ(allocations_of_steps<double>(config, 1), 0);
    }
  }
}

}  // namespace
}  // namespace gdkm

#endif
