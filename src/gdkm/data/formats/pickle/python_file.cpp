#include "gdkm/data/formats/pickle/python_file.hpp"

#include <string>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

void refuse_python_file(const std::filesystem::path& path) {
  const std::string ending = lower_case(path.extension().string()), where = path.string();
  const std::string stem = path.stem().string();
  if (ending == ".pt" || ending == ".pth") {
    refuse(
        "{}: is a file of PyTorch, which only Python can read; store its arrays: numpy.savez('{}.npz', "
        "x=data.x, edge_index=data.edge_index, y=data.y, train_mask=data.train_mask, val_mask=data.val_mask, "
        "test_mask=data.test_mask)",
        where, stem);
  }
  if (ending == ".gpickle" || ending == ".pkl" || ending == ".pickle") {
    refuse(
        "{}: is a pickle, which only Python can read; for a graph of NetworkX store "
        "networkx.write_graphml(G, "
        "'{}.graphml'), for arrays numpy.savez('{}.npz', x=x, edge_index=edge_index, y=y)",
        where, stem, stem);
  }
  if (ending == ".xlsx" || ending == ".xls" || ending == ".ods")
    refuse("{}: is a spreadsheet; save each table as CSV, and import them together", where);
}

}  // namespace gdkm
