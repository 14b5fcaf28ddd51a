#include "gdkm/linalg/distributed/gpu_messages.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "gdkm/linalg/cuda/nccl/module.hpp"
#include "gdkm/ranks/collect.hpp"
#include "gdkm/support/load_module.hpp"

namespace gdkm {

namespace {

constexpr const char* module_name = "libgdkm_nccl.so";
constexpr const char* module_variable = "GDKM_NCCL_MODULE";

/// The module's functions, or why there are none.
struct NcclModule {
  std::string problem;
  NcclModuleVersion* version = nullptr;
  MakeNcclId* make_id = nullptr;
  MakeNcclMessages* make_messages = nullptr;
};

NcclModule load_nccl() {
  NcclModule out;
  if (const char* named = std::getenv(module_variable); named != nullptr && *named == '\0') {
    out.problem = std::string(module_variable) + " is empty";
    return out;
  }
  const LoadedModule loaded = load_module(module_name, module_variable);
  if (loaded.handle == nullptr) {
    out.problem = loaded.found || loaded.named ? loaded.problem : "built without NCCL";
    return out;
  }
  const auto signature =
      reinterpret_cast<NcclModuleSignature*>(dlsym(loaded.handle, nccl_module_signature_name));
  if (signature == nullptr || signature() != nccl_module_signature()) {
    out.problem = std::string(module_name) + " belongs to another build of gdkm";
    return out;
  }
  out.version = reinterpret_cast<NcclModuleVersion*>(dlsym(loaded.handle, nccl_module_version_name));
  out.make_id = reinterpret_cast<MakeNcclId*>(dlsym(loaded.handle, make_nccl_id_name));
  out.make_messages = reinterpret_cast<MakeNcclMessages*>(dlsym(loaded.handle, make_nccl_messages_name));
  if (out.version == nullptr || out.make_id == nullptr || out.make_messages == nullptr)
    out.problem = std::string(module_name) + " lacks a function; build or install it again";
  return out;
}

/// Two ranks with one GPU, which NCCL refuses; nothing where each has its own. Machines may have the same
/// names, and one GPU may be cut into several, so both what it is called and where it sits count.
std::string shared_gpu(const std::vector<GpuIdentity>& gpu, const std::vector<std::string>& host) {
  for (std::size_t a = 0; a < gpu.size(); ++a) {
    for (std::size_t b = a + 1; b < gpu.size(); ++b) {
      if (gpu[a].uuid == gpu[b].uuid || (gpu[a].slot == gpu[b].slot && host[a] == host[b]))
        return "ranks " + std::to_string(a) + " and " + std::to_string(b) + " share a GPU";
    }
  }
  return "";
}

/// The first rank that has a problem, or whose version differs.
std::string first_problem(const std::vector<std::string>& problem, const std::vector<int>& version) {
  for (std::size_t r = 0; r < problem.size(); ++r) {
    if (!problem[r].empty())
      return problem.size() == 1 ? problem[r] : "rank " + std::to_string(r) + ": " + problem[r];
  }
  for (std::size_t r = 1; r < version.size(); ++r) {
    if (version[r] != version[0]) return "rank " + std::to_string(r) + " has another NCCL than rank 0";
  }
  return "";
}

}  // namespace

GpuMessages connect_gpus(Communicator& ranks, const GpuQueue& mine) {
  const auto host = text_of_each(ranks, ranks.host());
  if (const std::string problem = shared_gpu(one_of_each(ranks, mine.identity), host); !problem.empty())
    return {nullptr, problem};
  const NcclModule nccl = load_nccl();
  const int version = nccl.problem.empty() ? nccl.version() : 0;
  if (const std::string problem =
          first_problem(text_of_each(ranks, nccl.problem), one_of_each(ranks, version));
      !problem.empty())
    return {nullptr, problem};
  // Backends that follow each other use the same connection.
  const auto& kept = ranks.device_messages();
  const auto fits = one_of_each(ranks, static_cast<char>(kept && kept->device() == mine.device ? 1 : 0));
  if (std::find(fits.begin(), fits.end(), 0) == fits.end()) return {kept, ""};
  NcclPlace place{ranks.rank(), ranks.size(), mine.device, {}};
  if (ranks.is_first()) nccl.make_id(place.id);
  place.id = that_of_the_first(ranks, place.id);
  ranks.keep(std::shared_ptr<DeviceMessages>(nccl.make_messages(place)));
  return {ranks.device_messages(), ""};
}

}  // namespace gdkm
