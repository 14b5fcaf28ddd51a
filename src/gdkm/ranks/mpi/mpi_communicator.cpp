#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "gdkm/ranks/mpi/module.hpp"

namespace gdkm {

namespace {

/// MPI counts in int. Longer messages go in pieces of this many bytes, or numbers.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

void check(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw RankFailure(std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// Calls work(pointer, count) for pieces of an array.
template <class V, class Work>
void in_pieces(V* data, std::size_t size, const Work& work) {
  for (std::size_t at = 0; at < size; at += most_at_once)
    work(data + at, static_cast<int>(std::min(most_at_once, size - at)));
}

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() {
    int given = 0;
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given), "MPI cannot be started");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
    char name[MPI_MAX_PROCESSOR_NAME];
    int length = 0;
    check(MPI_Get_processor_name(name, &length), "MPI_Get_processor_name");
    host_.assign(name, static_cast<std::size_t>(length));
  }
  ~MpiCommunicator() override { MPI_Finalize(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string host() const override { return host_; }

 protected:
  void do_add_up(std::span<float> values) override { sum(values, MPI_FLOAT); }
  void do_add_up(std::span<double> values) override { sum(values, MPI_DOUBLE); }
  void do_broadcast(void* data, std::size_t bytes) override {
    in_pieces(static_cast<char*>(data), bytes, [](char* piece, int count) {
      check(MPI_Bcast(piece, count, MPI_BYTE, 0, MPI_COMM_WORLD), "MPI_Bcast");
    });
  }
  void do_all_gather(const void* mine, std::size_t bytes, void* out) override {
    if (bytes > most_at_once) throw std::length_error("[Communicator::all_gather] too much for one call");
    check(MPI_Allgather(mine, static_cast<int>(bytes), MPI_BYTE, out, static_cast<int>(bytes), MPI_BYTE,
                        MPI_COMM_WORLD),
          "MPI_Allgather");
  }
  void do_start(std::span<const Message> send, std::span<const Message> receive) override {
    // Pieces between two ranks arrive in the order in which they are sent.
    for (const Message& message : receive) {
      in_pieces(static_cast<char*>(message.data), message.bytes, [&](char* piece, int count) {
        requests_.emplace_back();
        check(MPI_Irecv(piece, count, MPI_BYTE, message.rank, 0, MPI_COMM_WORLD, &requests_.back()),
              "MPI_Irecv");
      });
    }
    for (const Message& message : send) {
      in_pieces(static_cast<char*>(message.data), message.bytes, [&](char* piece, int count) {
        requests_.emplace_back();
        check(MPI_Isend(piece, count, MPI_BYTE, message.rank, 0, MPI_COMM_WORLD, &requests_.back()),
              "MPI_Isend");
      });
    }
  }
  void do_finish() override {
    check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
          "MPI_Waitall");
    requests_.clear();
  }

 private:
  template <class V>
  void sum(std::span<V> values, MPI_Datatype type) {
    in_pieces(values.data(), values.size(), [&](V* piece, int count) {
      check(MPI_Allreduce(MPI_IN_PLACE, piece, count, type, MPI_SUM, MPI_COMM_WORLD), "MPI_Allreduce");
    });
  }

  int rank_ = 0, size_ = 1;
  std::string host_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

}  // namespace gdkm

#define GDKM_EXPORT extern "C" __attribute__((visibility("default")))

GDKM_EXPORT const char* gdkm_mpi_signature() {
  static const std::string signature = gdkm::mpi_module_signature();
  return signature.c_str();
}

GDKM_EXPORT gdkm::Communicator* gdkm_mpi_communicator() {
  return new gdkm::MpiCommunicator;
}

GDKM_EXPORT void gdkm_mpi_abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
}
