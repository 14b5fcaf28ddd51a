#include "gdkm/experiments/figures/figure.hpp"

#include "gdkm/experiments/drawing/svg_to_png.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {

namespace fs = std::filesystem;

std::vector<fs::path> write_figure(const Figure& figure, const fs::path& folder,
                                   const std::function<void(const std::string&)>& warn) {
  std::error_code trouble;
  fs::create_directories(folder, trouble);
  if (!fs::is_directory(folder)) {
    throw InputError(folder.string() + ": cannot create the folder (" + trouble.message() +
                     "); choose another with " + option("out"));
  }
  std::vector<fs::path> out;
  const auto write = [&](const std::string& name, const std::string& bytes) {
    out.push_back(folder / name);
    write_file_atomically(out.back(), bytes);
  };
  for (const auto& picture : figure.pictures) write(picture.name + ".svg", picture.svg);
  for (const auto& picture : figure.pictures) {
    const PngResult png = svg_to_png(folder / (picture.name + ".svg"));
    if (png.bytes.empty()) {
      warn(png.trouble);
      break;
    }
    write(picture.name + ".png", png.bytes);
  }
  for (const auto& numbers : figure.numbers) write(numbers.name + ".csv", to_csv(numbers.table));
  return out;
}

}  // namespace gdkm
