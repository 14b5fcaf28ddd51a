#pragma once

#include <optional>
#include <string_view>

#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

/// The class or function of that name, if a pickle may use it.
std::optional<PickleClass> find_pickle_class(std::string_view module, std::string_view name);

/// The meaning of `callee(arguments)`. As in pickle_build, unsupported input is an InputError without a
/// place.
PickleValue pickle_call(const PickleValues& values, PickleId callee, PickleId arguments);

/// Sets the state of `object`.
void pickle_build(PickleValues& values, PickleId object, PickleId state);

/// Text of a file as a message may show it.
std::string pickle_shown(std::string_view text);

}  // namespace gdkm
