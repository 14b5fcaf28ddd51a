#include "container.hpp"
#include "tree_harness.hpp"

namespace gdkm::fuzzing {

std::vector<std::string> geom_gcn_seeds() {
  const auto mask = [](const std::string& values) { return array_file("|b1", "4,", values); };
  const Files toy = {
      {"out1_node_feature_label.txt", "node_id\tfeature\tlabel\n1\t0,1,0\t1\n0\t2.5,0,0\t0\n2\t0,0,1\t1\n"},
      {"out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n1\t0\n2\t2\n0\t1\n"},
      {"train_mask", mask(std::string("\1\0\0\0", 4))},
      {"val_mask", mask(std::string("\0\1\0\1", 4))},
      {"test_mask", mask(std::string("\0\0\1\0", 4))}};
  const Files film = {{"out1_node_feature_label.txt", "node_id\tfeature\tlabel\n0\t5,1,5\t0\n1\t931\t1\n"},
                      {"out1_graph_edges.txt", "node_id\tnode_id\n0\t1\n"}};
  const Files sparse = {{"out1_node_feature_label.txt",
                         "node_id\tfeature\tlabel\n1\t0,0,0,0,0,0,0,0,0,0,0,0\t1\n"
                         "0\t0,0,0,7,0,0,0,0,0,0,0,0\t0\n"},
                        {"out1_graph_edges.txt", "node_id\tnode_id\n"}};
  return {to_container(toy), to_container(film), to_container(sparse)};
}

std::vector<std::string> tu_seeds() {
  const Files three = {{"DS_A.txt", "1, 2\n2, 1\n2,3\n3,2\n4, 5\n5, 4\n"},
                       {"DS_graph_indicator.txt", "1\n1\n1\n2\n2\n3\n"},
                       {"DS_graph_labels.txt", "7\n-1\n7\n"},
                       {"DS_node_labels.txt", "5\n9\n5\n2\n2\n9\n"},
                       {"DS_edge_labels.txt", "0\n0\n-1\n-1\n3\n3\n"},
                       {"DS_node_attributes.txt", "0.5, 1\n0,2\n0, 3\n-1e-1, 4\n0, 5\n1e-60, 6\n"}};
  const Files ten = {
      {"DS_A.txt", ""},
      {"DS_graph_indicator.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"},
      {"DS_graph_labels.txt", "0\n0\n0\n0\n0\n1\n1\n1\n1\n1\n"},
      {"DS_folds10.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"},
      {"DS_splits.json", R"([{"test": [1, 2], "model_selection": [{"train": [0, 3], "validation": [4]}]}])"}};
  Files listed = {
      {"DS_A.txt", "1,1\n"},
      {"DS_graph_indicator.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n"},
      {"DS_graph_labels.txt", "0\n0\n0\n0\n0\n1\n1\n1\n1\n?\n2\n"},
      {"DS_node_labels.txt", "1, 0\n2, 0\n3, 0\n4, 1\n5, 0\n6, 0\n7, 1\n8, 2\n9, 0\n1, 0\n1, 0\n"}};
  for (int fold = 0; fold < 10; ++fold) {
    listed.emplace_back("10fold_idx/test_idx-" + std::to_string(fold + 1) + ".txt",
                        std::to_string(fold) + "\n");
  }
  return {to_container(three), to_container(ten), to_container(listed)};
}

std::vector<std::string> ogb_seeds() {
  const Files one = {{"raw/edge.csv", "0,1\n1,0\n2,4\n3,3\n"},
                     {"raw/node-feat.csv", "1,-0.5\n0,2e-3\n0,0\n4,5\n6,1e-70\n"},
                     {"raw/node-label.csv", "2\n0\nnan\n1\n1.0\n"},
                     {"raw/num-node-list.csv", "5\n"},
                     {"split/time/train.csv", "4\n0\n"},
                     {"split/time/valid.csv", "1\n"},
                     {"split/time/test.csv", "3\n2\n"}};
  Files two = one;
  for (const char* part : {"train", "valid", "test"})
    two.emplace_back(std::string("arxiv/split/random/") + part + ".csv.gz",
                     part == std::string("train") ? "1\n" : "");
  return {to_container(one), to_container(two)};
}

std::vector<std::string> musae_seeds() {
  const std::string targets =
      "id,page_id,page_name,page_type\n0,17,Plain,tvshow\n2,18,\"A, \"\"quoted\"\"\nname\",company\r\n"
      "1,19,word,tvshow\n\n3,20,\"\",\"art, fine\"\n";
  const Files pages = {{"page_edges.csv", "id_1,id_2\n0,1\n1,2\r\n3,3\n"},
                       {"page.json", R"({"2": [4, 0, 4], "0": [1], "3": []})"},
                       {"page_target.csv", targets}};
  const Files longer = {{"x_edges.csv", "a,b\n"},
                        {"x_features.json", R"({"0": [0, 1], "1": [1]})"},
                        {"x_target.csv", "id,type\n0,a\n1,b\n"}};
  return {to_container(pages), to_container(longer)};
}

}  // namespace gdkm::fuzzing
