#pragma once

#include <string>
#include <vector>

namespace gdkm::cli {

/// How gdkm starts itself again: workers of a sweep are processes of the same program.
struct Invocation {
  std::string program;         // the file to execute
  std::string name = program;  // what its process is called (argv[0])
  std::vector<std::string>
      arguments{};  // in front of the words of a command: none, or those of an interpreter
};

/// The file that this process executes, even if it has been replaced since. Where the system cannot tell,
/// `name`, as the program was called.
Invocation this_program(const std::string& name);

}  // namespace gdkm::cli
