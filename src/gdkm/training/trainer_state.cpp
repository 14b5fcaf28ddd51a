#include "gdkm/training/trainer_state.hpp"

#include "gdkm/support/error.hpp"

namespace gdkm {

void StateReader::damaged(const std::string& why) const {
  throw InputError(path_.string() + ": " + why + "; the checkpoint is damaged");
}

}  // namespace gdkm
