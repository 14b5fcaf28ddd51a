#include "gdkm/linalg/make_backend.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <type_traits>
#include <vector>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cuda/module.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "libgdkm_cuda.so";
constexpr const char* module_variable = "GDKM_CUDA_MODULE";

/// Beside the program and in its ../lib, and the same for a shared library that this code is part of.
std::vector<fs::path> likely_places() {
  std::vector<fs::path> files;
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored); !program.empty())
    files.push_back(program);
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&likely_places), &here) != 0 && here.dli_fname != nullptr)
    files.emplace_back(here.dli_fname);
  std::vector<fs::path> out;
  for (const fs::path& file : files) {
    const fs::path folder = file.parent_path();
    out.push_back(folder / module_name);
    out.push_back(folder / ".." / "lib" / module_name);
    out.push_back(folder / ".." / GDKM_LIBDIR / module_name);
  }
  return out;
}

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
        "build it where CUDA's nvcc is found, " + otherwise);
  if (end != std::string::npos)
    return unavailable(
        device, std::string(module_name) + " needs " + reason.substr(0, end) + ", which is not installed",
        "install CUDA's libraries or name their folder in LD_LIBRARY_PATH, " + otherwise);
  return unavailable(device, std::string(module_name) + " cannot be loaded: " + reason, otherwise.substr(3));
}

/// The file that the user, or the package for Python, names.
void* load_named_module(const std::string& asked, const char* path) {
  if (void* module = dlopen(path, RTLD_NOW | RTLD_LOCAL)) return module;
  throw unavailable(
      asked, std::string("the module that ") + module_variable + " names cannot be loaded: " + dlerror(),
      std::string("correct or unset ") + module_variable + ", or use " + option("device", "cpu"));
}

/// The module, loaded once and for good: CUDA does not like to be unloaded.
void* load_module(const std::string& asked) {
  void* module = nullptr;
  if (const char* named = std::getenv(module_variable); named != nullptr && *named != '\0')
    module = load_named_module(asked, named);
  std::error_code ignored;
  for (const fs::path& path : likely_places()) {
    if (module != nullptr) break;
    if (!fs::exists(path, ignored)) continue;
    module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) throw not_loaded(asked, dlerror(), true);
  }
  if (module == nullptr) module = dlopen(module_name, RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) throw not_loaded(asked, dlerror(), false);
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
  const auto make = reinterpret_cast<Make*>(dlsym(load_module(asked), name));
  if (make == nullptr)
    throw unavailable(asked, std::string(module_name) + " has no function " + name,
                      "build or install it again");
  return std::unique_ptr<Backend<T>>(make(options));
}

}  // namespace

template <class T>
std::unique_ptr<Backend<T>> make_backend(const DeviceChoice& choice) {
  if (choice.device.is_cpu()) {
    if (asks_for_tensor_cores(choice.math))
      throw OptionError("math", name_of(choice.math), "it is for NVIDIA GPUs", "leave it out on the CPU");
    return std::make_unique<CpuBackend<T>>(choice.threads);
  }
  if (asks_for_tensor_cores(choice.math) && std::is_same_v<T, double>)
    throw OptionError("math", name_of(choice.math), "it is for float32",
                      "leave it out, or leave out " + option("precision", "float64"));
  return make_cuda_backend<T>(to_string(choice.device), {choice.device.number, choice.math});
}

template std::unique_ptr<Backend<float>> make_backend(const DeviceChoice&);
template std::unique_ptr<Backend<double>> make_backend(const DeviceChoice&);

}  // namespace gdkm
