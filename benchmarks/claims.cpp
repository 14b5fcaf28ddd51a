// gdkm_bench_claims STORE WORKERS RUNS: how many runs a second WORKERS processes claim from a store that has
// RUNS pending runs, and how many they claim and finish. Prints JSON. STORE must not exist yet.

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "gdkm/store/run_queue.hpp"
#include "gdkm/support/error.hpp"

namespace {

using namespace gdkm;

const std::vector<DataKey> data{{"cora", "0123"}};

void add_runs(const std::string& place, int runs) {
  Store store = Store::open_or_create(place);
  if (!store.runs().empty()) throw InputError(place + ": this store has runs; give the name of a new one");
  RunQueue queue(store);
  transact(store.database(), Database::Locking::exclusive, [&](bool) {
    for (int seed = 0; seed < runs; ++seed)
      queue.add({"cora", "0123", "dkm", {{"nu", 1.0}}, static_cast<std::uint64_t>(seed), 0});
  });
}

/// A worker takes runs until there are none; returns how many.
int take_all(const std::string& place, bool finish) {
  Store store = Store::open(place);
  RunQueue queue(store);
  RunOutcome outcome;
  outcome.result.val = Metrics{81.5, 0.6, 0.1, std::nullopt, std::nullopt, std::nullopt};
  for (int epoch = 1; epoch <= 300; ++epoch) outcome.curve.push_back({epoch, 1.0 / epoch, std::nullopt});
  int out = 0;
  while (const auto run = queue.claim_any(data, "")) {
    ++out;
    if (finish) queue.finish(*run, outcome);
  }
  return out;
}

struct Rate {
  int claims = 0;
  double seconds = 0;
};

/// All workers begin together, when the pipe that they read from is closed.
Rate measure(const std::string& place, int workers, bool finish) {
  int gate[2], counts[2];
  if (::pipe(gate) != 0 || ::pipe(counts) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  for (int k = 0; k < workers; ++k) {
    if (::fork() != 0) continue;
    ::close(gate[1]);
    int taken = 0;
    try {
      Store::open(place);  // connecting and reading libraries is no part of the measurement
      char nothing = 0;
      while (::read(gate[0], &nothing, 1) > 0) {
      }
      taken = take_all(place, finish);
    } catch (const std::exception& error) {
      fmt::print(stderr, "{}\n", error.what());
      taken = -1;
    }
    const auto written = ::write(counts[1], &taken, sizeof taken);
    ::_exit(written == sizeof taken ? 0 : 1);
  }
  ::sleep(2);
  Rate out;
  const double begin = wall_clock();
  ::close(gate[1]);
  ::close(gate[0]);
  for (int k = 0; k < workers; ++k) {
    int taken = 0;
    if (::read(counts[0], &taken, sizeof taken) != sizeof taken || taken < 0)
      throw InputError("a worker failed");
    out.claims += taken;
  }
  out.seconds = wall_clock() - begin;
  while (::wait(nullptr) > 0) {
  }
  ::close(counts[0]);
  ::close(counts[1]);
  return out;
}

}  // namespace

int main(int count, char** words) {
  try {
    if (count != 4) throw InputError("expected STORE WORKERS RUNS");
    const std::string place = words[1];
    const int workers = std::stoi(words[2]), runs = std::stoi(words[3]);
    add_runs(place, runs);
    const Rate claims = measure(place, workers, false);
    {
      const Store store = Store::open(place);
      store.database().execute(
          "UPDATE runs SET status = 'pending', owner_host = NULL, owner_pid = NULL, owner_start = NULL");
    }
    const Rate whole = measure(place, workers, true);
    fmt::print(
        "{{\"workers\": {}, \"claims\": {}, \"claims_per_second\": {:.0f}, "
        "\"claims_and_results_per_second\": {:.0f}}}\n",
        workers, claims.claims, claims.claims / claims.seconds, whole.claims / whole.seconds);
    return claims.claims == runs && whole.claims == runs ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "gdkm_bench_claims: {}\n", error.what());
    return 2;
  }
}
