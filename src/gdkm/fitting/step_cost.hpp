#pragma once

#include <vector>

#include "gdkm/fitting/prepared_data.hpp"
#include "gdkm/linalg/dry/dry_backend.hpp"
#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// What training takes of one rank, counted on a backend that computes nothing (DryBackend).
struct RankCost {
  Index nodes = 0;    // of its own
  Index entries = 0;  // of relations, in their rows
  Index halo = 0;    // rows of other ranks' nodes that it receives before a sparse product, for all relations
  Index labels = 0;  // of training items
  double bytes = 0;  // of memory for matrices, without the data set on the host
  Work step;         // of one step
  Traffic traffic;   // of one step
};

/// The same for every rank, with nodes shared out as training does it. For sparse models (dkm and nngp with
/// inducing points), an InputError otherwise.
std::vector<RankCost> step_costs(const PreparedData& data, const Split& split, int ranks);

/// How fast a machine is.
struct MachineRates {
  double flops = 0;      // dense products, per second
  double bytes = 0;      // memory traffic, per second
  double call = 0;       // seconds that a primitive takes at least
  double latency = 0;    // seconds from one rank to another
  double bandwidth = 0;  // bytes a second from one rank to another
};

/// Measured in about a second, on the device of the settings. Between ranks: by messages, where there are
/// ranks; else it is what one expects of a network (10 µs, 10 GB/s).
MachineRates measure_rates(const Settings& settings);

/// Seconds of a step, by these rates: a rank computes, exchanges rows and adds up.
double step_seconds(const RankCost& cost, const MachineRates& rates, int ranks);

}  // namespace gdkm
