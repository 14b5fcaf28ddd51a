#pragma once

/// Several files in one input, as text that can be cut and joined anywhere and stays a container:
///
///     === edges.csv
///     0,1
///     === labels.csv
///     ...
///
/// No lengths are stored, which a mutation would spoil.

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdkm::fuzzing {

/// Names and bytes, in the order of the input; a name may come twice.
using Files = std::vector<std::pair<std::string, std::string>>;

std::string to_container(const Files& files);
/// Of any bytes at all. What stands before the first name is left out.
Files from_container(std::string_view input);

std::map<std::string, std::string> by_name(const Files& files);

/// An array in a container: the header of a .npy on the first line, then the data.
std::string array_file(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false);

/// The .npy of such an array: its header gets its length. What is an .npy already stays as it is.
std::string to_npy(const std::string& array);

/// An .npz of such arrays, each under its name. Members get their checksums, so that a mutation comes through
/// to whoever reads the arrays.
std::string to_npz(const Files& arrays);

}  // namespace gdkm::fuzzing
