#include "gdkm/data/formats/csv/csv_export.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/formats/shared/edge_types.hpp"
#include "gdkm/graph/feature_forms.hpp"
#include "gdkm/support/random.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::TemporaryFolder;

/// Odd names that must survive: separators, marks, line ends, blanks, comments, words of the format itself.
const std::vector<std::string> odd_names{"id", "a,b",    "say \"hi\"", "two\nlines", " blank ",   "#tag",
                                         "0",  "7",      "?",          "x;y",        "tab\there", "Zoë",
                                         "-1", "source", "class",      "\"",         "cr\r",      "01"};

/// A data set in which everything that can vary does.
Dataset random_dataset(std::uint64_t seed) {
  Random random(Stream{seed, Purpose::generator, 0});
  const auto below = [&](std::uint64_t n) { return static_cast<std::int32_t>(random.below(n)); };
  Dataset out;
  const bool named = below(2) == 0;
  const std::int32_t nodes = named ? static_cast<std::int32_t>(odd_names.size()) : 1 + below(40);
  out.graph.nodes = nodes;
  if (named) out.node_names = odd_names;
  const bool weighted = below(2) == 0, typed = below(2) == 0;
  EdgeTypes types;
  for (std::int32_t k = below(60); k > 0; --k) {
    out.graph.edges.push_back(
        {below(static_cast<std::uint64_t>(nodes)), below(static_cast<std::uint64_t>(nodes))});
    if (weighted) out.graph.weight.push_back(static_cast<float>(random.uniform()) + 1e-6f);
    if (typed) types.add(odd_names[static_cast<std::size_t>(below(odd_names.size()))]);
  }
  types.give_to(out.graph);
  out.graph.directed = below(2) == 0;
  const std::int32_t cols = 1 + below(8);
  out.features.rows = nodes;
  out.features.cols = cols;
  out.features.is_sparse = below(2) == 0;
  std::vector<Triplet> entries;
  for (std::int32_t r = 0; r < nodes; ++r) {
    for (std::int32_t c = 0; c < cols; ++c) {
      const double value = below(3) == 0 ? (random.uniform() - 0.5) * std::pow(10.0, below(60) - 30) : 0.0;
      if (!out.features.is_sparse) out.features.dense.push_back(static_cast<float>(value));
      if (out.features.is_sparse && value != 0) entries.push_back({r, c, value});
    }
  }
  if (out.features.is_sparse) out.features.sparse = csr_from_triplets(nodes, cols, std::move(entries));
  out.classes = 1 + below(5);
  const std::vector<std::string> words{"b", "a", "10", "-1", "new, york"};
  if (below(2) == 0) out.class_names.assign(words.begin(), words.begin() + out.classes);
  for (std::int32_t i = 0; i < nodes; ++i)
    out.label.push_back(below(static_cast<std::uint64_t>(out.classes) + 1) - 1);
  out.label[0] = 0;  // something to train on
  for (const char* set : {"public", "geom"}) {
    for (std::int32_t s = below(3); s > 0; --s) {
      Split split;
      split.train.push_back(0);
      for (std::int32_t i = 1; i < nodes; ++i) {
        const std::int32_t part = below(4);
        if (out.label[static_cast<std::size_t>(i)] < 0 || part == 3) continue;
        (part == 0 ? split.train : part == 1 ? split.val : split.test).push_back(i);
      }
      out.splits[set].push_back(split);
    }
  }
  return out;
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.graph.nodes, b.graph.nodes);
  ASSERT_EQ(a.graph.edges.size(), b.graph.edges.size());
  for (std::size_t k = 0; k < a.graph.edges.size(); ++k) {
    EXPECT_EQ(a.graph.edges[k].from, b.graph.edges[k].from);
    EXPECT_EQ(a.graph.edges[k].to, b.graph.edges[k].to);
  }
  EXPECT_EQ(a.graph.weight, b.graph.weight);
  EXPECT_EQ(a.graph.type, b.graph.type);
  EXPECT_EQ(a.graph.type_names, b.graph.type_names);
  EXPECT_EQ(a.graph.directed, b.graph.directed);
  EXPECT_EQ(a.features.cols, b.features.cols);
  EXPECT_EQ(a.features.is_sparse, b.features.is_sparse);
  EXPECT_EQ(a.features.dense, b.features.dense);
  EXPECT_EQ(a.features.sparse.row_start, b.features.sparse.row_start);
  EXPECT_EQ(a.features.sparse.col, b.features.sparse.col);
  EXPECT_EQ(a.features.sparse.value, b.features.sparse.value);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.class_names, b.class_names);
  EXPECT_EQ(a.node_names, b.node_names);
  ASSERT_EQ(a.splits.size(), b.splits.size());
  for (const auto& [name, splits] : a.splits) {
    ASSERT_EQ(splits.size(), b.splits.at(name).size()) << name;
    for (std::size_t s = 0; s < splits.size(); ++s) {
      EXPECT_EQ(splits[s].train, b.splits.at(name)[s].train);
      EXPECT_EQ(splits[s].val, b.splits.at(name)[s].val);
      EXPECT_EQ(splits[s].test, b.splits.at(name)[s].test);
    }
  }
}

TEST(CsvExportTest, ImportGivesBackWhatWasExported) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Dataset original = random_dataset(seed);
    const auto path = folder / std::to_string(seed);
    write_csv_folder(original, path, false);
    ImportRequest request;
    request.file = path;
    request.csv.directed = original.graph.directed;
    expect_same(import_graph(request, 2), original);
    if (HasFailure()) break;
  }
}

TEST(CsvExportTest, FoldersAreNotOverwrittenBySlip) {
  const TemporaryFolder folder;
  const Dataset first = random_dataset(1), second = random_dataset(2);
  write_csv_folder(first, folder / "out/", false);
  const std::string before = testing::read_bytes(folder / "out/edges.csv");
  expect_input_error([&] { write_csv_folder(second, folder / "out", false); }, {"out", "force"});
  EXPECT_EQ(testing::read_bytes(folder / "out/edges.csv"), before);
  write_csv_folder(second, folder / "out", true);
  EXPECT_NE(testing::read_bytes(folder / "out/edges.csv"), before);
  testing::write_bytes(folder / "out/thesis.txt", "years of work");
  expect_input_error([&] { write_csv_folder(first, folder / "out", true); }, {"thesis.txt"});
  EXPECT_EQ(testing::read_bytes(folder / "out/thesis.txt"), "years of work");
  std::filesystem::create_directory(folder / "empty");
  write_csv_folder(first, folder / "empty", false);
  EXPECT_EQ(testing::read_bytes(folder / "empty/edges.csv"), before);
  testing::write_bytes(folder / "file", "");
  expect_input_error([&] { write_csv_folder(first, folder / "file", true); }, {"not a folder"});
  std::size_t entries = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++entries;
  EXPECT_EQ(entries, 3u);  // nothing is left aside
}

TEST(CsvExportTest, WhatCsvCannotHoldIsRefused) {
  Dataset data = random_dataset(1);
  data.node_names.assign(static_cast<std::size_t>(data.graph.nodes), "same");
  data.node_names[0] = "other";
  data.node_names.resize(static_cast<std::size_t>(data.graph.nodes));
  expect_input_error([&] { csv_files(data); }, {"'same' is used twice", "npz"});
  data.node_names.clear();
  data.class_names.assign(static_cast<std::size_t>(data.classes), "");
  expect_input_error([&] { csv_files(data); }, {"empty name"});
  data.task = Task::graph;
  expect_input_error([&] { csv_files(data); }, {"many graphs"});
}

TEST(CsvExportTest, TheIdsGetANameThatNoFeatureHas) {
  TemporaryFolder folder;
  testing::write_bytes(folder / "edges.csv", "ann,bob\nbob,cat\n");
  testing::write_bytes(folder / "nodes.csv", "name,id,node\nann,3,7\nbob,1,8\ncat,5,7\n");
  ImportRequest request;
  request.csv.edges = folder / "edges.csv";
  request.csv.nodes = folder / "nodes.csv";
  request.csv.names.id = "name";
  const Dataset data = import_graph(request, 1);
  ASSERT_EQ(data.columns.table.size(), 2u);
  write_csv_folder(data, folder / "out", false);
  EXPECT_TRUE(testing::read_bytes(folder / "out/features.csv").starts_with("node_id,id,node\n"));
  ImportRequest again;
  again.file = folder / "out";
  const Dataset back = import_graph(again, 1);
  EXPECT_EQ(back.node_names, data.node_names);
  EXPECT_EQ(back.columns.table, data.columns.table);
  EXPECT_EQ(back.features.dense, data.features.dense);
}

/// What an export of `data` says when it is read back.
Dataset and_back(const Dataset& data, const TemporaryFolder& folder, const char* name) {
  write_csv_folder(data, folder / name, false);
  ImportRequest request;
  request.file = folder / name;
  return import_graph(request, 2);
}

TEST(CsvExportTest, NamesOfWordsSurvive) {
  const TemporaryFolder folder;
  for (const bool is_sparse : {true, false}) {
    Dataset data = random_dataset(3);
    data.features.is_sparse = is_sparse;
    data.features.cols = static_cast<Index>(odd_names.size());
    std::vector<Triplet> entries;
    for (std::int32_t r = 0; r < static_cast<std::int32_t>(data.graph.nodes); ++r)
      entries.push_back({r, r % 7, 2});
    data.features.sparse = csr_from_triplets(data.graph.nodes, data.features.cols, std::move(entries));
    data.features.dense.clear();
    if (!is_sparse) data.features = dense_features(data.features.sparse);
    data.columns.kind = FeatureColumns::Kind::words;
    for (const std::string& name : odd_names) data.columns.table.push_back({name});
    const Dataset back = and_back(data, folder, is_sparse ? "sparse" : "dense");
    EXPECT_EQ(back.columns.kind, FeatureColumns::Kind::words) << is_sparse;
    EXPECT_EQ(back.columns.table, data.columns.table) << is_sparse;
    EXPECT_EQ(back.features.is_sparse, is_sparse);
    EXPECT_EQ(nonzero_entries(back.features).col, nonzero_entries(data.features).col);
    EXPECT_EQ(nonzero_entries(back.features).value, nonzero_entries(data.features).value);
  }
}

TEST(CsvExportTest, NodesThatAreTheirOwnFeaturesAreStillKnownByName) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "edges.csv", "source,target\nann,bob\nbob,cat\ncat,dan\n");
  ImportRequest request;
  request.csv.edges = folder / "edges.csv";
  const Dataset data = import_graph(request, 1);
  ASSERT_EQ(data.columns.kind, FeatureColumns::Kind::nodes);
  const Dataset back = and_back(data, folder, "out");
  EXPECT_EQ(back.columns.kind, FeatureColumns::Kind::nodes);
  EXPECT_EQ(back.columns.table, data.columns.table);
  EXPECT_EQ(back.node_names, data.node_names);
  EXPECT_EQ(back.features.sparse.col, data.features.sparse.col);
}

TEST(CsvExportTest, NamesOfColumnsMustFitTheFeatures) {
  const TemporaryFolder folder;
  testing::write_bytes(folder / "edges.csv", "a,b\n");
  testing::write_bytes(folder / "features.csv", "node,feature,value\na,0,1\nb,1,2\n");
  ImportRequest request;
  request.file = folder.path();
  const auto read_with = [&](const char* columns) {
    testing::write_bytes(folder / "columns.csv", columns);
    import_graph(request, 1);
  };
  expect_input_error([&] { read_with("name,type\n*,words\nsun,number\n"); },
                     {"2 features", "columns.csv", "lists 1"});
  expect_input_error([&] { read_with("name,type\n*,words\nsun,number\nsky,flag\n"); }, {"numbers"});
  expect_input_error([&] { read_with("name,type\nsun,number\nsky,flag\n"); }, {"no types"});
  // Nodes of a larger graph.
  testing::write_bytes(folder / "columns.csv", "name,type\n*,nodes\na,number\nz,number\n");
  const Dataset part = import_graph(request, 1);
  EXPECT_EQ(part.columns.table.at(0).values, (std::vector<std::string>{"a", "z"}));
}

}  // namespace
}  // namespace gdkm
