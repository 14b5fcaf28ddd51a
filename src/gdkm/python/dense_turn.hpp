#pragma once

#include <shared_mutex>

#include "gdkm/settings/settings.hpp"

namespace gdkm::python {

/// Exact models and landmarks set the threads of the linear algebra library for the whole process: no other
/// model computes meanwhile. While an object exists, its thread has its turn: alone, or with other models
/// that leave that setting as it is. A callback that computes with another model shares the turn of its
/// thread.
class DenseTurn {
 public:
  explicit DenseTurn(const Settings& settings) : alone_(settings.uses_dense()), waits_(turns_held()++ == 0) {
    if (!waits_) return;
    if (alone_) {
      mutex().lock();
    } else {
      mutex().lock_shared();
    }
  }
  ~DenseTurn() {
    --turns_held();
    if (!waits_) return;
    if (alone_) {
      mutex().unlock();
    } else {
      mutex().unlock_shared();
    }
  }
  DenseTurn(const DenseTurn&) = delete;
  DenseTurn& operator=(const DenseTurn&) = delete;

 private:
  static std::shared_mutex& mutex() {
    static std::shared_mutex of_the_process;
    return of_the_process;
  }
  static int& turns_held() {
    thread_local int held = 0;
    return held;
  }

  bool alone_, waits_;
};

}  // namespace gdkm::python
