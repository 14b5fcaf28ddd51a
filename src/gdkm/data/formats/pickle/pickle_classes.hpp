#pragma once

#include <optional>
#include <string_view>

#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

/// The class or function of that name, where a pickle may use it.
std::optional<PickleClass> find_pickle_class(std::string_view module, std::string_view name);

/// What `callee(arguments)` stands for. As in pickle_build, what does not fit is an InputError without a
/// place.
PickleValue pickle_call(const PickleValues& values, PickleId callee, PickleId arguments);

/// Gives `object` its state.
void pickle_build(PickleValues& values, PickleId object, PickleId state);

/// Characters of a file as a message may show them.
std::string pickle_shown(std::string_view text);

}  // namespace gdkm
