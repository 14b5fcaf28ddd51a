#include "gdkm/linalg/make_backend.hpp"

#include <dlfcn.h>

#include <charconv>
#include <filesystem>
#include <optional>
#include <type_traits>
#include <vector>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cuda/module.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

namespace fs = std::filesystem;

constexpr const char* module_name = "libgdkm_cuda.so";

/// N for "cuda:N", 0 for "cuda", otherwise nothing.
std::optional<int> cuda_device(const std::string& text) {
  if (text == "cuda") return 0;
  if (!text.starts_with("cuda:")) return std::nullopt;
  int out = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + 5, end, out);
  if (error != std::errc() || stop != end || out < 0) return std::nullopt;
  return out;
}

/// The folder of the program and its ../lib, and the same for the shared library that contains this code.
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

/// The loader's error, explained for users who do not know about the module.
InputError not_loaded(const std::string& asked, std::string reason, bool found) {
  constexpr std::string_view absent = ": cannot open shared object file";
  const auto end = reason.find(absent);
  if (!found && end != std::string::npos)
    return InputError(asked + ": gdkm was built without CUDA (" + module_name +
                      " is not next to it); build it with CUDA's nvcc installed, or use " +
                      option("device", "cpu"));
  if (end != std::string::npos)
    return InputError(asked + ": " + module_name + " needs " + reason.substr(0, end) +
                      ", which is not installed; install CUDA's libraries or add their folder to "
                      "LD_LIBRARY_PATH, or use " +
                      option("device", "cpu"));
  return InputError(asked + ": " + module_name + " cannot be loaded: " + reason);
}

/// Loads the module. It is never unloaded, which CUDA does not support well.
void* load_module(const std::string& asked) {
  void* module = nullptr;
  std::error_code ignored;
  for (const fs::path& path : likely_places()) {
    if (!fs::exists(path, ignored)) continue;
    module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (module == nullptr) throw not_loaded(asked, dlerror(), true);
    break;
  }
  if (module == nullptr) module = dlopen(module_name, RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) throw not_loaded(asked, dlerror(), false);
  const auto signature = reinterpret_cast<CudaModuleSignature*>(dlsym(module, cuda_module_signature_name));
  if (signature == nullptr || signature() != cuda_module_signature())
    throw InputError(asked + ": " + module_name +
                     " is from another build of gdkm; build or install both again");
  return module;
}

template <class T>
std::unique_ptr<Backend<T>> make_cuda_backend(const std::string& asked, const CudaOptions& options) {
  constexpr bool single = std::is_same_v<T, float>;
  using Make = std::conditional_t<single, MakeCudaBackend32, MakeCudaBackend64>;
  const char* name = single ? make_cuda_backend32_name : make_cuda_backend64_name;
  const auto make = reinterpret_cast<Make*>(dlsym(load_module(asked), name));
  if (make == nullptr) throw InputError(asked + ": " + module_name + " has no function " + name);
  return std::unique_ptr<Backend<T>>(make(options));
}

}  // namespace

template <class T>
std::unique_ptr<Backend<T>> make_backend(const DeviceChoice& choice) {
  if (choice.device == "cpu") {
    if (choice.tf32)
      throw InputError(option("tf32") + " needs " + option("device", "cuda") + "; leave it out on the CPU");
    return std::make_unique<CpuBackend<T>>(choice.threads);
  }
  const std::optional<int> device = cuda_device(choice.device);
  if (!device) throw OptionError("device", choice.device, "expected cpu, cuda or cuda:N (N = 0, 1, …)", "");
  if (choice.tf32 && std::is_same_v<T, double>)
    throw InputError(option("tf32") + " needs " + option("precision", "float32") + "; leave one of them out");
  return make_cuda_backend<T>(option("device", choice.device), {*device, choice.tf32});
}

template std::unique_ptr<Backend<float>> make_backend(const DeviceChoice&);
template std::unique_ptr<Backend<double>> make_backend(const DeviceChoice&);

}  // namespace gdkm
