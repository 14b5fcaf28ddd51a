#pragma once

/// What a reader may do with an input: read it to something sound, or refuse it in one line.

#include <string>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::fuzzing {

/// Each throws std::logic_error naming what is wrong.
void check_message(const std::string& message);
void check(const Graph& graph);
void check(const Features& features, Index nodes);
void check(const Split& split, const std::vector<std::int32_t>& label);
void check(const Dataset& dataset);

/// Runs `action`. False where it refuses the input by an InputError, if that is a proper one.
template <class Action>
bool is_read(Action action) {
  try {
    action();
    return true;
  } catch (const InputError& error) {
    check_message(error.what());
    return false;
  }
}

}  // namespace gdkm::fuzzing
