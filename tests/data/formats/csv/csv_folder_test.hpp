#pragma once

#include <gtest/gtest.h>

#include <string>

#include "gdkm/data/formats/csv/csv_graph.hpp"
#include "gdkm/support/option_mention.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm::testing {

/// Two files as people have them: edges, and where there are some, nodes or their labels.
class CsvFolderTest : public ::testing::Test {
 protected:
  Dataset read(const std::string& edges, const std::string& nodes) {
    write_bytes(folder / "nodes.csv", nodes);
    (as_labels ? files.labels : files.nodes) = folder / "nodes.csv";
    return read(edges);
  }
  Dataset read(const std::string& edges) {
    write_bytes(folder / edges_file, edges);
    files.edges = folder / edges_file;
    ThreadPool pool(2);
    Dataset out = read_csv_graph(files, pool);
    remarks.clear();
    for (const auto& line : out.remarks) remarks += spell_options(line) + "\n";
    return out;
  }
  void expect_remark(const std::string& words) const {
    EXPECT_NE(remarks.find(words), std::string::npos) << words << " not in:\n" << remarks;
  }

  CsvGraphFiles files;
  std::string edges_file = "edges.csv";
  bool as_labels = false;
  std::string remarks;
  TemporaryFolder folder;
};

}  // namespace gdkm::testing
