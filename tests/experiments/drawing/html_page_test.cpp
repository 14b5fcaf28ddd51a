#include "gdkm/experiments/drawing/html_page.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gdkm/experiments/drawing/colours.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"
#include "tests/places.hpp"

namespace gdkm {
namespace {

std::string read(const std::string& name) {
  std::ifstream in(GDKM_SOURCE_DIR "/src/gdkm/experiments/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(PageFiles, AreEmbeddedAsTheyAre) {
  EXPECT_EQ(page_files::style, read("drawing/page.css"));
  EXPECT_EQ(page_files::demo, read("demo/demo.html"));
  EXPECT_EQ(page_files::report, read("report/page/report.html"));
  const std::string first = read("report/page/basics.js"), last = read("report/page/failures.js");
  EXPECT_TRUE(page_files::report_script.starts_with(first));
  EXPECT_TRUE(page_files::report_script.ends_with(last));
}

TEST(HtmlPage, HoldsTitleStyleColoursAndBody) {
  const std::string page = html_page("a < b", "<p>text</p>\n");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.find("<title>a &lt; b</title>"), std::string::npos);
  EXPECT_NE(page.find("<p>text</p>"), std::string::npos);
  EXPECT_NE(page.find(page_files::style), std::string::npos);
  for (const Colour& colour : colours::series) {
    EXPECT_NE(page.find(colour.light), std::string::npos) << colour.name;
    EXPECT_NE(page.find(colour.dark), std::string::npos) << colour.name;
  }
}

}  // namespace
}  // namespace gdkm
