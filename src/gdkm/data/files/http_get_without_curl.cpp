// What a build without libcurl (GDKM_CURL=OFF) has in place of http_get.cpp: the package for Python, which
// downloads with Python's own library.
#include "gdkm/data/files/http_get.hpp"

namespace gdkm {

HttpOutcome http_get(const std::string& url, PartialFile&, bool, const DownloadOptions&) {
  throw OfflineError("this build of gdkm cannot download, because it has no libcurl",
                     "use gdkm.fetch in Python, or fetch " + url + " by hand");
}

bool can_download() {
  return false;
}

}  // namespace gdkm
