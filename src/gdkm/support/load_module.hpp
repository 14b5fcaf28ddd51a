#pragma once

#include <string>

namespace gdkm {

/// A shared library that the program loads when it needs it, or why it could not.
struct LoadedModule {
  void* handle = nullptr;
  std::string problem;  // what the loader said
  bool found = false;   // there is such a file, beside the program or where the environment says
  bool named = false;   // the environment names it
};

/// Loads `file` (libgdkm_….so) for good: the one that the environment variable names; or beside the program,
/// in its ../lib, and the same for a shared library that this code is part of; or where the system looks.
LoadedModule load_module(const char* file, const char* variable);

}  // namespace gdkm
