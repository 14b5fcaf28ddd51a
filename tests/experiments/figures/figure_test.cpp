#include "gdkm/experiments/figures/figure.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gdkm/experiments/drawing/axis.hpp"
#include "gdkm/experiments/drawing/svg_document.hpp"
#include "gdkm/experiments/drawing/svg_to_png.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::TemporaryFolder;

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Figure small_figure() {
  SvgDocument svg(SvgDocument::Use::file, 30, 20, "a < b");
  svg.line(0, 0, 30, 20);
  svg.text(2, 10, power_of_ten(-3));
  Figure out;
  out.pictures = {{"one", std::move(svg).finish()}};
  out.numbers = {{"one", {{{"x", ExportTable::Kind::real, {1.5, 2.5}}}}}};
  return out;
}

TEST(FigureFiles, AreWrittenIntoAFolderThatIsMade) {
  const TemporaryFolder folder;
  const auto target = folder / "new" / "figures";
  std::vector<std::string> remarks;
  const auto files =
      write_figure(small_figure(), target, [&](const std::string& remark) { remarks.push_back(remark); });
  EXPECT_EQ(read(target / "one.svg"), small_figure().pictures[0].svg);
  EXPECT_NE(read(target / "one.svg").find("a &lt; b"), std::string::npos);
  EXPECT_EQ(read(target / "one.csv"), "x\n1.5\n2.5\n");
  EXPECT_EQ(files.front(), target / "one.svg");
  EXPECT_EQ(files.size() + remarks.size(), 3u) << "a PNG, or a word why there is none";
}

TEST(FigureFiles, AFileInTheFoldersPlaceIsNamed) {
  const TemporaryFolder folder;
  std::ofstream(folder / "taken") << "x";
  EXPECT_THROW(write_figure(small_figure(), folder / "taken", [](const std::string&) {}), InputError);
}

TEST(SvgToPng, DrawsAtTwiceTheSize) {
  const TemporaryFolder folder;
  std::ofstream(folder / "one.svg") << small_figure().pictures[0].svg;
  const PngResult png = svg_to_png(folder / "one.svg");
  if (png.bytes.empty()) GTEST_SKIP() << png.trouble;
  EXPECT_EQ(png.bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(static_cast<unsigned char>(png.bytes.at(19)), 60);
  EXPECT_EQ(static_cast<unsigned char>(png.bytes.at(23)), 40);
}

TEST(SvgToPng, WithoutTheProgramSaysWhatToInstall) {
  const PngResult png = svg_to_png("one.svg", "a-program-that-nobody-has");
  EXPECT_TRUE(png.bytes.empty());
  EXPECT_NE(png.trouble.find("a-program-that-nobody-has is not installed"), std::string::npos) << png.trouble;
  EXPECT_NE(png.trouble.find("librsvg2-bin"), std::string::npos);
}

TEST(SvgToPng, AProgramThatFailsIsNoPicture) {
  const PngResult png = svg_to_png("one.svg", "false");
  EXPECT_TRUE(png.bytes.empty());
  EXPECT_NE(png.trouble.find("could not draw it"), std::string::npos) << png.trouble;
}

}  // namespace
}  // namespace gdkm
