#include "gdkm/ranks/launch.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "gdkm/ranks/mpi/module.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/load_module.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

namespace {

constexpr const char* module_name = "libgdkm_mpi.so";

std::string launched_as(int processes) {
  return "this process is one of " + std::to_string(processes) + " that mpirun or srun started, ";
}

void* function(void* module, const char* name) {
  void* out = dlsym(module, name);
  if (out == nullptr)
    throw InputError(std::string(module_name) + " has no function " + name + "; build or install it again");
  return out;
}

void* load_mpi(int processes) {
  const LoadedModule loaded = load_module(module_name, "GDKM_MPI_MODULE");
  const std::string otherwise = "start one process, or ";
  if (loaded.handle == nullptr && !loaded.found)
    throw InputError(launched_as(processes) + "and this gdkm was built without MPI (there is no " +
                     module_name + " beside it); " + otherwise + "build it where MPI is found");
  if (loaded.handle == nullptr)
    throw InputError(launched_as(processes) + "and " + module_name + " cannot be loaded: " + loaded.problem +
                     "; " + otherwise + "install this MPI");
  const auto signature =
      reinterpret_cast<MpiModuleSignature*>(function(loaded.handle, mpi_module_signature_name));
  if (signature() != mpi_module_signature())
    throw InputError(std::string(module_name) +
                     " belongs to another build of gdkm; build or install both again");
  return loaded.handle;
}

}  // namespace

int launched_processes() {
  // Open MPI, MPICH and its kin, Slurm's srun.
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* text = std::getenv(name)) return whole_number<int>(text).value_or(1);
  }
  return 1;
}

std::shared_ptr<Communicator> launched_ranks() {
  const int processes = launched_processes();
  if (processes <= 1) return nullptr;
  void* module = load_mpi(processes);
  const auto make = reinterpret_cast<MakeMpiCommunicator*>(function(module, make_mpi_communicator_name));
  std::shared_ptr<Communicator> out(make());
  if (out->size() != processes)
    throw InputError(launched_as(processes) + "and its MPI sees " + std::to_string(out->size()) +
                     "; gdkm was built for another MPI than the one that started it");
  return out;
}

void abort_ranks(int status) {
  if (launched_processes() <= 1) return;
  const LoadedModule loaded = load_module(module_name, "GDKM_MPI_MODULE");
  if (loaded.handle == nullptr) return;
  if (void* abort = dlsym(loaded.handle, abort_mpi_name)) reinterpret_cast<AbortMpi*>(abort)(status);
}

}  // namespace gdkm
