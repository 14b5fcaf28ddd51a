#pragma once

#include <string>

#include "gdkm/cli/command.hpp"
#include "gdkm/experiments/experiment_observer.hpp"
#include "gdkm/support/progress.hpp"

namespace gdkm::cli {

inline Progress::Mode progress_mode(bool quiet) {
  return quiet ? Progress::Mode::quiet : Progress::Mode::automatic;
}

/// Progress, warnings and Ctrl-C of a command that takes time.
struct Watch {
  InterruptGuard guard;
  Progress progress;
  ExperimentObserver observer;

  Watch(const std::string& name, std::int64_t total, bool quiet)
      : progress(name, total, progress_mode(quiet)) {
    observer.progress = [this](std::int64_t done, const std::string& what) { progress.update(done, what); };
    observer.interrupted = [this] { return guard.interrupted(); };
    observer.warn = [this, quiet](const std::string& message) {
      if (quiet) return;
      progress.clear();
      warn(message);
    };
  }
};

}  // namespace gdkm::cli
