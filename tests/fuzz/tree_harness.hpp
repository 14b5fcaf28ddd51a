#pragma once

/// Readers of several files, mostly of text. An input is a container of them.

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

/// Arrays named train_mask, val_mask and test_mask are read as a split, too.
bool run_geom_gcn(std::string_view input);
std::vector<std::string> geom_gcn_seeds();

bool run_tu(std::string_view input);
std::vector<std::string> tu_seeds();

bool run_ogb(std::string_view input);
std::vector<std::string> ogb_seeds();

bool run_musae(std::string_view input);
std::vector<std::string> musae_seeds();

}  // namespace gdkm::fuzzing
