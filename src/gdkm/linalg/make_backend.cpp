#include "gdkm/linalg/make_backend.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <type_traits>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cuda/module.hpp"
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/collect.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/load_module.hpp"

namespace gdkm {

namespace {

constexpr const char* module_name = "libgdkm_cuda.so";
constexpr const char* module_variable = "GDKM_CUDA_MODULE";

OptionError unavailable(const std::string& device, const std::string& problem, const std::string& remedy) {
  return OptionError("device", device, problem, remedy);
}

/// What the loader said, for somebody who did not know that there is a module.
OptionError not_loaded(const std::string& device, const std::string& reason, bool found) {
  constexpr std::string_view absent = ": cannot open shared object file";
  const auto end = reason.find(absent);
  const std::string otherwise = "or use " + option("device", "cpu");
  if (!found && end != std::string::npos)
    return unavailable(
        device, "this gdkm was built without CUDA (there is no " + std::string(module_name) + " beside it)",
        "build it where CUDA's nvcc is found, install gdkm-cuda if it came by pip, " + otherwise);
  if (end != std::string::npos)
    return unavailable(
        device, std::string(module_name) + " needs " + reason.substr(0, end) + ", which is not installed",
        "install CUDA's libraries or name their folder in LD_LIBRARY_PATH, " + otherwise);
  return unavailable(device, std::string(module_name) + " cannot be loaded: " + reason, otherwise.substr(3));
}

/// The module, loaded once and for good: CUDA does not like to be unloaded.
void* load_cuda(const std::string& asked) {
  const LoadedModule loaded = load_module(module_name, module_variable);
  if (loaded.handle == nullptr && loaded.named && loaded.found) throw not_loaded(asked, loaded.problem, true);
  if (loaded.handle == nullptr && loaded.named)
    throw unavailable(
        asked,
        std::string("the module that ") + module_variable + " names cannot be loaded: " + loaded.problem,
        std::string("correct or unset ") + module_variable + ", or use " + option("device", "cpu"));
  if (loaded.handle == nullptr) throw not_loaded(asked, loaded.problem, loaded.found);
  void* module = loaded.handle;
  const auto signature = reinterpret_cast<CudaModuleSignature*>(dlsym(module, cuda_module_signature_name));
  if (signature == nullptr || signature() != cuda_module_signature())
    throw unavailable(asked, std::string(module_name) + " belongs to another build of gdkm",
                      "build or install both again");
  return module;
}

template <class T>
std::unique_ptr<Backend<T>> make_cuda_backend(const std::string& asked, const CudaOptions& options) {
  constexpr bool single = std::is_same_v<T, float>;
  using Make = std::conditional_t<single, MakeCudaBackend32, MakeCudaBackend64>;
  const char* name = single ? make_cuda_backend32_name : make_cuda_backend64_name;
  const auto make = reinterpret_cast<Make*>(dlsym(load_cuda(asked), name));
  if (make == nullptr)
    throw unavailable(asked, std::string(module_name) + " has no function " + name,
                      "build or install it again");
  return std::unique_ptr<Backend<T>>(make(options));
}

template <class T>
std::unique_ptr<Backend<T>> make_local_backend(const DeviceChoice& choice, int rank) {
  if (choice.device.is_cpu()) {
    if (asks_for_tensor_cores(choice.math))
      throw OptionError("math", name_of(choice.math), "it is for NVIDIA GPUs", "leave it out on the CPU");
    return std::make_unique<CpuBackend<T>>(choice.threads);
  }
  if (asks_for_tensor_cores(choice.math) && std::is_same_v<T, double>)
    throw OptionError("math", name_of(choice.math), "it is for float32",
                      "leave it out, or leave out " + option("precision", "float64"));
  return make_cuda_backend<T>(to_string(choice.device),
                              {choice.device.number, choice.math, choice.recompute, rank});
}

}  // namespace

template <class T>
std::unique_ptr<Backend<T>> make_backend(const DeviceChoice& choice) {
  if (!choice.ranks) return make_local_backend<T>(choice, 0);
  // Ranks of one machine share its cores, where nobody says how many threads each has, and its GPUs.
  const LocalRanks here = ranks_on_this_machine(*choice.ranks);
  DeviceChoice own = choice;
  if (own.threads == 0)
    own.threads = std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)) / here.count);
  auto local = make_local_backend<T>(own, here.number);
  GpuMessages gpus = local->gpu() != nullptr ? connect_gpus(*choice.ranks, *local->gpu()) : GpuMessages{};
  return std::make_unique<DistributedBackend<T>>(std::move(local), choice.ranks, std::move(gpus));
}

template std::unique_ptr<Backend<float>> make_backend(const DeviceChoice&);
template std::unique_ptr<Backend<double>> make_backend(const DeviceChoice&);

}  // namespace gdkm
