#include <algorithm>
#include <cctype>

#include "gdkm/data/catalogue/entry.hpp"

namespace gdkm {
namespace {

const std::string github = "https://raw.githubusercontent.com/";
const std::string no_licence = "none stated; cite the authors";

CatalogueEntry entry(Format format, const std::string& name, const std::string& title, ExpectedCounts counts,
                     const std::string& splits, const std::string& source, const std::string& licence,
                     bool verified = true) {
  const Task task = format == Format::tu ? Task::graph : Task::node;
  return {name, title, task, format, "accuracy", splits, source, licence, counts, verified, {}};
}

void add(CatalogueEntry& entry, const std::string& file, const std::string& url) {
  entry.files.push_back({file, url, std::string(checksum_of(entry.name + "/" + file)), false});
}

void add_geom_splits(CatalogueEntry& entry) {
  for (int s = 0; s < 10; ++s) {
    const std::string name = entry.name + "_split_0.6_0.2_" + std::to_string(s) + ".npz";
    add(entry, "splits/" + name, github + "graphdml-uiuc-jlu/geom-gcn/master/splits/" + name);
  }
}

CatalogueEntry planetoid(const std::string& name, const std::string& title, const std::string& public_split,
                         ExpectedCounts counts) {
  auto out = entry(Format::planetoid, name, title, counts,
                   "1 public (" + public_split + "), 10 of Geom-GCN (split set geom)",
                   "kimiyoung/planetoid (Yang et al., 2016); splits graphdml-uiuc-jlu/geom-gcn",
                   "repository MIT; the data's own is not stated");
  for (const char* part : {"x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"}) {
    const std::string file = "ind." + name + "." + part;
    add(out, file, github + "kimiyoung/planetoid/master/data/" + file);
  }
  add_geom_splits(out);
  return out;
}

CatalogueEntry heterophilous(const std::string& name, const std::string& title, const std::string& metric,
                             const std::string& file, bool verified, ExpectedCounts counts) {
  auto out =
      entry(Format::npz, name, title, counts, "10 official (50/25/25 %)",
            "yandex-research/heterophilous-graphs (Platonov et al., 2023)", "repository MIT", verified);
  out.metric = metric;
  add(out, file, github + "yandex-research/heterophilous-graphs/main/data/" + file);
  return out;
}

CatalogueEntry filtered(const std::string& name, const std::string& title, const std::string& stem,
                        ExpectedCounts counts) {
  auto out = heterophilous(name, title, "accuracy", stem + ".npz", true, counts);
  out.splits = "10 official (48/32/20 %)";
  return out;
}

CatalogueEntry wikipedia(const std::string& name, const std::string& title, const std::string& sizes,
                         ExpectedCounts counts) {
  auto out = entry(Format::geom_gcn, name, title, counts, "10 official (" + sizes + ")",
                   "graphdml-uiuc-jlu/geom-gcn (Pei et al., 2020)", no_licence);
  for (const std::string file : {"out1_graph_edges.txt", "out1_node_feature_label.txt"})
    add(out, file, github + "graphdml-uiuc-jlu/geom-gcn/master/new_data/" + name + "/" + file);
  add_geom_splits(out);
  return out;
}

CatalogueEntry attributed(const std::string& name, const std::string& title, ExpectedCounts counts) {
  auto out = entry(Format::attributed_mat, name, title, counts,
                   "none published; 10 random ones (60/20/20 %, seeds 0..9)",
                   "xhuang31/LANE (Huang et al., 2017)", no_licence);
  add(out, title + ".mat", github + "xhuang31/LANE/master/" + title + ".mat");
  return out;
}

const std::string linkx = github + "CUAI/Non-Homophily-Large-Scale/master/data/";

CatalogueEntry facebook(const std::string& name, const std::string& title, const std::string& local_stem,
                        const std::string& published_stem, bool verified, ExpectedCounts counts) {
  auto out =
      entry(Format::facebook100, name, title, counts,
            "none published; 5 random ones (50/25/25 % of the labelled, seeds 0..4)",
            "CUAI/Non-Homophily-Large-Scale (Traud et al., 2012; Lim et al., 2021)", no_licence, verified);
  add(out, local_stem + ".mat", linkx + "facebook100/" + published_stem + ".mat");
  return out;
}

CatalogueEntry penn94() {
  auto out = facebook("penn94", "Penn94", "Penn94", "Penn94", false, {41'554, 1'362'229, 4'814, 2, 0.470, 0});
  out.splits = "5 official (50/25/25 % of the labelled)";
  add(out, "fb100-Penn94-splits.npy", linkx + "splits/fb100-Penn94-splits.npy");
  return out;
}

CatalogueEntry facebook_pages() {
  const std::string root = github + "benedekrozemberczki/MUSAE/master/input/";
  auto out =
      entry(Format::musae, "facebook-pages", "Facebook page-page", {22'470, 170'823, 4'714, 4, 0.8853, 0},
            "none published; 10 random ones (60/20/20 %, seeds 0..9)",
            "benedekrozemberczki/MUSAE (Rozemberczki et al., 2021)", "repository GPL-3.0");
  add(out, "facebook_edges.csv", root + "edges/facebook_edges.csv");
  add(out, "facebook.json", root + "features/facebook.json");
  add(out, "facebook_target.csv", root + "target/facebook_target.csv");
  return out;
}

CatalogueEntry arxiv() {
  auto out = entry(Format::ogb, "arxiv", "ogbn-arxiv", {169'343, 1'157'799, 128, 40, 0.655, 0},
                   "1 official, by time (90,941 / 29,799 / 48,603)", "Open Graph Benchmark (Hu et al., 2020)",
                   "ODC-BY", false);
  add(out, "arxiv.zip", "http://snap.stanford.edu/ogb/data/nodeproppred/arxiv.zip");
  return out;
}

CatalogueEntry reddit() {
  auto out = entry(Format::reddit, "reddit", "Reddit", {232'965, 57'307'946, 602, 41, 0.756, 0},
                   "1 official (153,431 / 23,831 / 55,703)",
                   "Deep Graph Library's copy (Hamilton et al., 2017)", no_licence, false);
  add(out, "reddit.zip", "https://data.dgl.ai/dataset/reddit.zip");
  out.files.back().unpack = true;
  return out;
}

CatalogueEntry tu(const std::string& name, const std::string& splits, ExpectedCounts counts) {
  auto out = entry(Format::tu, name, name, counts, splits,
                   "TUDataset (Morris et al., 2020), www.chrsmrrs.com/graphkerneldatasets", no_licence);
  add(out, name + ".zip", "https://www.chrsmrrs.com/graphkerneldatasets/" + name + ".zip");
  return out;
}

std::vector<CatalogueEntry> make_catalogue() {
  const std::string folds = "10 folds";
  const std::string dgcnn = "10 folds (of DGCNN if their files exist, else stratified)";
  return {
      planetoid("cora", "Cora", "140 / 500 / 1000", {2'708, 5'278, 1'433, 7, 0.8100, 0}),
      planetoid("citeseer", "Citeseer", "120 / 500 / 1000", {3'327, 4'552, 3'703, 6, 0.7377, 0}),
      planetoid("pubmed", "Pubmed", "60 / 500 / 1000", {19'717, 44'324, 500, 3, 0.8024, 0}),
      reddit(),
      arxiv(),
      heterophilous("minesweeper", "Minesweeper", "ROC AUC", "minesweeper.npz", true,
                    {10'000, 39'402, 7, 2, 0.6828, 0}),
      heterophilous("tolokers", "Tolokers", "ROC AUC", "tolokers.npz", true,
                    {11'758, 519'000, 10, 2, 0.5945, 0}),
      heterophilous("questions", "Questions", "ROC AUC", "questions.npz", false,
                    {48'921, 153'540, 301, 2, 0.840, 0}),
      heterophilous("roman-empire", "Roman Empire", "accuracy", "roman_empire.npz", false,
                    {22'662, 32'927, 300, 18, 0.047, 0}),
      heterophilous("amazon-ratings", "Amazon Ratings", "accuracy", "amazon_ratings.npz", false,
                    {24'492, 93'050, 300, 5, 0.380, 0}),
      penn94(),
      facebook("cornell5", "Cornell5", "Cornell5", "Cornell5", true, {18'660, 790'777, 4'735, 2, 0.5464, 0}),
      facebook("johnshopkins55", "Johns Hopkins55", "Johns_Hopkins55", "Johns%20Hopkins55", true,
               {5'180, 186'586, 2'406, 2, 0.5488, 0}),
      facebook("amherst41", "Amherst41", "Amherst41", "Amherst41", false, {2'235, 90'954, 1'193, 2, 0, 0}),
      facebook("reed98", "Reed98", "Reed98", "Reed98", false, {962, 18'812, 745, 2, 0, 0}),
      attributed("blogcatalog", "BlogCatalog", {5'196, 171'743, 8'189, 6, 0.4011, 0}),
      attributed("flickr", "Flickr", {7'575, 239'738, 12'047, 9, 0.2386, 0}),
      wikipedia("chameleon", "Chameleon", "1092 / 729 / 456", {2'277, 31'371, 2'325, 5, 0.2299, 0}),
      wikipedia("squirrel", "Squirrel", "2496 / 1664 / 1041", {5'201, 198'353, 2'089, 5, 0.2221, 0}),
      filtered("chameleon-filtered", "Chameleon, duplicates filtered", "chameleon_filtered",
               {890, 8'854, 2'325, 5, 0.2361, 0}),
      filtered("squirrel-filtered", "Squirrel, duplicates filtered", "squirrel_filtered",
               {2'223, 46'998, 2'089, 5, 0.2072, 0}),
      facebook_pages(),
      tu("MUTAG", folds, {3'371, 3'721, 7, 2, 0.7210, 188}),
      tu("PROTEINS", dgcnn, {43'471, 81'044, 4, 2, 0.6568, 1'113}),
      tu("NCI1", dgcnn, {122'747, 132'753, 37, 2, 0.6309, 4'110}),
      tu("NCI109", dgcnn, {122'494, 132'604, 38, 2, 0.6297, 4'127}),
      tu("Mutagenicity", folds, {131'488, 133'447, 14, 2, 0.3882, 4'337}),
  };
}

std::string folded(std::string_view name) {
  std::string out(name);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return c == '_' ? '-' : static_cast<char>(std::tolower(c)); });
  return out;
}

}  // namespace

const std::vector<CatalogueEntry>& catalogue() {
  static const std::vector<CatalogueEntry> entries = make_catalogue();
  return entries;
}

const CatalogueEntry* find_entry(std::string_view name) {
  const auto& entries = catalogue();
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& entry) {
    return folded(entry.name) == folded(name);
  });
  return at == entries.end() ? nullptr : &*at;
}

}  // namespace gdkm
