#include "gdkm/experiments/serve/store_server.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

void serve_store(const StoreServerOptions&, const std::function<void(const std::string&)>&,
                 const std::function<bool()>&) {
  throw InputError(
      "this gdkm was built without cpp-httplib and cannot serve; gdkm report writes the report as a file, or "
      "build it "
      "with cpp-httplib (Debian: libcpp-httplib-dev libssl-dev libbrotli-dev)");
}

}  // namespace gdkm
