#pragma once

#include <cstdint>
#include <vector>

#include "gdkm/linalg/csr.hpp"

namespace gdkm {

/// Which rows ranks send each other before a sparse product, so that each has those of other ranks' nodes
/// that its own rows have entries for.
struct Halo {
  struct Neighbour {
    int rank = 0;
    Index send_first = 0, send_count = 0;        // in `send`
    Index receive_first = 0, receive_count = 0;  // among the rows that arrive
  };
  std::vector<Neighbour> neighbours;  // in the order of ranks
  std::vector<std::int32_t> send;     // own rows
  Index received = 0;                 // rows of all neighbours
};

/// The rows of a square matrix that belong to the nodes of one rank. Columns of its own nodes and those of
/// the halo are two matrices, so that products with the first need not wait.
struct DistributedCsr {
  Csr own;     // own nodes × own nodes
  Csr remote;  // own nodes × rows of the halo
  Halo halo;
};

}  // namespace gdkm
