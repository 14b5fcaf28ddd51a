// Ranks that read a part of the graph each train the model that one process trains on the whole.
#include <gtest/gtest.h>

#include <functional>

#include "gdkm/data/formats/parts/parts.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::TemporaryFolder;

struct Case {
  std::string name;
  Dataset data = generate("csbm:n=90,features=12,degree=5,signal=3,splits=1");
  Settings settings = {};

  Case(std::string name_, const std::function<void(Case&)>& change) : name(std::move(name_)) {
    settings.config.inducing = 9;
    settings.config.nu = {0.5};
    settings.precision = Precision::float64;
    settings.device.threads = 1;
    settings.training.epochs = 20;
    settings.training.rate = 0.001;
    settings.training.patience = 0;
    change(*this);
  }
};

/// Directions for an undirected graph.
void direct(Dataset& data) {
  data.graph.directed = true;
  for (std::size_t k = 0; k < data.graph.edges.size(); k += 2) {
    Edge& edge = data.graph.edges[k];
    std::swap(edge.from, edge.to);
  }
}

/// Scattered.
std::vector<std::int32_t> parts_of(const Dataset& data, int parts) {
  std::vector<std::int32_t> out;
  for (Index node = 0; node < data.graph.nodes; ++node)
    out.push_back(static_cast<std::int32_t>(node * 5 % 13 % parts));
  return out;
}

std::vector<Case> cases() {
  return {
      {"kipf", [](Case&) {}},
      {"lambda_and_weights",
       [](Case& c) {
         c.settings.config.lambda = 0.3;
         for (std::size_t k = 0; k < c.data.graph.edges.size(); ++k)
           c.data.graph.weight.push_back(1.0F + static_cast<float>(k % 3));
       }},
      {"sparse_features",
       [](Case& c) {
         std::vector<Triplet> entries;
         for (std::int32_t r = 0; r < 90; ++r) {
           entries.push_back({r, r % 13, 1.0});
           entries.push_back({r, 13 + c.data.label[static_cast<std::size_t>(r)], 2.0});
         }
         c.data.features = {90, 20, true, csr_from_triplets(90, 20, entries), {}};
       }},
      {"intra", [](Case& c) { c.settings.config.scheme = Scheme::intra; }},
      {"unmixed_inputs", [](Case& c) { c.settings.config.arch = Architecture::platonov; }},
      {"centred", [](Case& c) { c.settings.config.center = true; }},
      {"directions",
       [](Case& c) {
         direct(c.data);
         c.settings.config.relations = parse_relations("self,in,out");
       }},
      {"scalings",
       [](Case& c) {
         direct(c.data);
         c.settings.config.relations = parse_relations("und:row,in:sum,gcn");
       }},
      {"types_and_a_part_without_edges",
       [](Case& c) {
         const auto part = parts_of(c.data, 4);
         std::vector<Edge> kept;
         for (const Edge edge : std::as_const(c.data.graph).edges) {
           if (part[static_cast<std::size_t>(edge.from)] != 3 && part[static_cast<std::size_t>(edge.to)] != 3)
             kept.push_back(edge);
         }
         for (std::size_t k = 0; k < kept.size(); ++k)
           c.data.graph.type.push_back(static_cast<std::int32_t>(k % 2));
         c.data.graph.edges = kept;
         c.data.graph.type_names = {"a", "b"};
         c.settings.config.relations = parse_relations("self,types");
         c.settings.config.edge_types = 2;
       }},
      {"polynomial", [](Case& c) { c.settings.config.relations = parse_relations("poly:2"); }},
      {"kept_direction",
       [](Case& c) {
         direct(c.data);
         c.settings.preprocessing.adjacency.keep_direction = true;
       }},
  };
}

class RanksWithParts : public ::testing::TestWithParam<Case> {};

TEST_P(RanksWithParts, TrainAsOneProcessDoesOnTheWhole) {
  const Case& with = GetParam();
  const auto study = [&](const Dataset& data, const Settings& settings) {
    std::vector<double> out;
    StudyObserver observer;
    observer.run_ended = [&](const RunResult& run, const std::vector<double>& losses) {
      out = losses;
      out.insert(out.end(), {run.train->nll, run.val->nll, run.test->nll});
    };
    run_study(settings, data, observer);
    return out;
  };
  const auto alone = study(with.data, with.settings);
  const TemporaryFolder folder;
  write_parts(source_of(with.data), parts_of(with.data, 4), 4, folder / "parts");
  EXPECT_EQ(study(read_parts(folder / "parts"), with.settings), alone);
  for (const int count : {2, 3, 4}) {
    std::vector<std::vector<double>> got(static_cast<std::size_t>(count));
    run_as_ranks(count, [&](Communicator& ranks) {
      Settings settings = with.settings;
      settings.device.ranks = std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks);
      got[static_cast<std::size_t>(ranks.rank())] =
          study(read_parts(folder / "parts", ranks.rank(), count), settings);
    });
    for (const auto& each : got) {
      ASSERT_EQ(each.size(), alone.size());
      for (std::size_t k = 0; k < alone.size(); ++k)
        EXPECT_NEAR(each[k], alone[k], 1e-9 * std::max(1.0, std::abs(alone[k]))) << count << " ranks, " << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RanksWithParts, ::testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(RanksWithPartsSay, WhatTheyCannotDo) {
  const Case plain("plain", [](Case&) {});
  const TemporaryFolder folder;
  write_parts(source_of(plain.data), parts_of(plain.data, 2), 2, folder / "parts");
  const auto refused = [&](const std::function<void(Settings&)>& change) {
    std::vector<std::string> said(2);
    run_as_ranks(2, [&](Communicator& ranks) {
      Settings settings = plain.settings;
      change(settings);
      settings.device.ranks = std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks);
      try {
        run_study(settings, read_parts(folder / "parts", ranks.rank(), 2), {});
      } catch (const InputError& error) {
        said[static_cast<std::size_t>(ranks.rank())] = error.message();
      }
    });
    EXPECT_EQ(said[0], said[1]);
    return said[0];
  };
  const auto mentions = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  mentions(refused([](Settings& s) { s.training.batches.batches = 3; }), "batches");
  mentions(refused([](Settings& s) { s.preprocessing.structure_features = true; }), "structure");
  mentions(refused([](Settings& s) { s.preprocessing.degree_features = true; }), "degree");
  mentions(refused([](Settings& s) { s.preprocessing.largest_component = true; }), "largest");
  mentions(refused([](Settings& s) { s.preprocessing.normalise = Normalisation::standard; }), "normalise");
  mentions(refused([](Settings& s) { s.config.relations = parse_relations("self,hop2"); }), "hop2");
}

}  // namespace
}  // namespace gdkm
