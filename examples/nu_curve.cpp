// One graph at several values of nu; the caller watches every epoch and ends a training that no longer gains.
#include <cmath>
#include <limits>
#include <cstdio>
#include <gdkm/data/load.hpp>
#include <gdkm/gdkm.hpp>

int main() {
  const gdkm::Dataset graph = gdkm::load("csbm:n=400,classes=4,homophily=0.1,signal=8", {});
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double nu : {0.1, 1.0, 100.0, infinity}) {
    gdkm::Settings settings;
    settings.config.nu = {nu};
    settings.config.inducing = 40;
    double best = infinity;
    int since = 0;
    gdkm::FitObserver observer;
    observer.epoch = [&](const gdkm::Epoch& epoch) {
      since = epoch.loss < best ? 0 : since + 1;
      best = std::fmin(best, epoch.loss);
      return since < 20;  // false ends the training; the model stays usable
    };
    const auto model = gdkm::fit(graph, graph.splits.at("public")[0], settings, observer);
    const gdkm::RunResult& run = model.card().run;
    std::printf("nu %-5g validation %.1f %%, test %.1f %%, %d epochs\n", nu, run.val->accuracy, run.test->accuracy,
                run.epochs);
  }
}
