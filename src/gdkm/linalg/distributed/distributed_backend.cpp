#include "gdkm/linalg/distributed/distributed_backend.hpp"

#include <algorithm>

#include "gdkm/linalg/distributed/spaces.hpp"

namespace gdkm {

namespace {

class CalledAgain final : public Recording {
 public:
  explicit CalledAgain(std::function<void()> work) : work_(std::move(work)) {}
  void replay() override { work_(); }

 private:
  std::function<void()> work_;
};

/// Memory for at least rows · cols numbers, in that shape.
template <class T>
View<T> grown(Device& device, Buffer<T>& buffer, Index rows, Index cols) {
  const auto size = static_cast<std::size_t>(rows * cols);
  if (buffer.size() < size) buffer = Buffer<T>(device, size);
  return {buffer.data(), rows, cols};
}

}  // namespace

template <class T>
DistributedBackend<T>::DistributedBackend(std::unique_ptr<Backend<T>> local,
                                          std::shared_ptr<Communicator> ranks, GpuMessages gpus)
    : local_(std::move(local)),
      ranks_(std::move(ranks)),
      gpus_(std::move(gpus)),
      queue_(local_->gpu() != nullptr ? local_->gpu()->stream : nullptr) {}

template <class T>
std::string DistributedBackend<T>::description() const {
  return std::to_string(ranks_->size()) + (ranks_->size() == 1 ? " rank, " : " ranks, each: ") +
         local_->description() + (local_->gpu() != nullptr ? "; " + gpus_.description() : "");
}

template <class T>
std::unique_ptr<Recording> DistributedBackend<T>::record(std::function<void()> work) {
  return std::make_unique<CalledAgain>(std::move(work));
}

template <class T>
void DistributedBackend<T>::needs_all_ranks(const char* name) const {
  if (in_sum_)
    throw std::logic_error(
        std::string("[") + name +
        "] needs all ranks, within a sum over nodes, of which ranks have different numbers");
}

template <class T>
View<T> DistributedBackend<T>::room(Index rows, Index cols) {
  return grown<T>(*local_, sums_, rows, cols);
}

template <class T>
void DistributedBackend<T>::add_up(View<T> contiguous) {
  const auto size = static_cast<std::size_t>(contiguous.size());
  if (gpus_.direct) {
    gpus_.direct->add_up(contiguous.data, size, queue_);
    ranks_->count_sum(size * sizeof(T));
    return ranks_->count_wait(gpus_.direct->waited());
  }
  if (local_->is_host()) return ranks_->add_up(std::span<T>(contiguous.data, size));
  host_sums_.resize(std::max(host_sums_.size(), size));
  local_->download(contiguous.data, host_sums_.data(), size * sizeof(T));
  ranks_->add_up(std::span<T>(host_sums_.data(), size));
  local_->upload(host_sums_.data(), contiguous.data, size * sizeof(T));
}

template <class T>
void DistributedBackend<T>::total(std::span<const View<T>> sums) {
  in_sum_ = false;
  Index size = 0;
  for (const View<T>& sum : sums) {
    if (!sum.empty()) expect_space("total", Space::terms, sum);
    size += sum.size();
  }
  if (size == 0) return;
  const View<T> all = room(1, size);
  const auto copy_each = [&](bool back) {
    Index at = 0;
    for (const View<T>& sum : sums) {
      if (sum.empty()) continue;
      const View<T> part(all.data + at, sum.rows, sum.cols);
      back ? local_->add(T(1), part, T(0), sum) : local_->add(T(1), sum, T(0), part);
      at += sum.size();
    }
  };
  copy_each(false);
  add_up(all);
  copy_each(true);
}

template <class T>
template <class Compute>
void DistributedBackend<T>::contract(const char* name, T beta, View<T> c, bool has_rows,
                                     const Compute& compute) {
  if (c.space == Space::nodes) wrong_spaces(name);
  if (c.space == Space::terms) {
    if (has_rows) return compute(beta, c);
    return beta == T(0) ? local_->fill(c, T(0)) : local_->add(T(0), c, beta, c);
  }
  needs_all_ranks(name);
  const View<T> sum = room(c.rows, c.cols);
  local_->fill(sum, T(0));  // not all of it may be computed
  if (has_rows) compute(T(0), sum);
  add_up(sum);
  local_->add(T(1), sum, beta, c);
}

template <class T>
template <class Compute>
void DistributedBackend<T>::multiply(const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                                     const Compute& compute) {
  if (a.view.space != Space::nodes) {
    expect_space("gemm", Space::shared, a.view, b.view, c);
    return compute(beta, c);
  }
  if (a.op == Op::none) {  // row by row
    expect_space("gemm", Space::shared, b.view);
    expect_space("gemm", Space::nodes, c);
    if (c.rows > 0) compute(beta, c);
    return;
  }
  expect_space("gemm", Space::nodes, b.view);
  if (b.op != Op::none) wrong_spaces("gemm");
  contract("gemm", beta, c, a.view.rows > 0, compute);
}

template <class T>
void DistributedBackend<T>::gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta,
                                 View<T> c) {
  multiply({op_a, a}, {op_b, b}, beta, c,
           [&](T factor, View<T> out) { local_->gemm(alpha, op_a, a, op_b, b, factor, out); });
}

template <class T>
void DistributedBackend<T>::gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                                      Region wanted) {
  multiply(a, b, beta, c,
           [&](T factor, View<T> out) { local_->gemm_part(alpha, a, b, factor, out, wanted); });
}

template <class T>
void DistributedBackend<T>::lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) {
  expect_same_space("lower_product", a, b);
  if (a.space == Space::shared) {
    expect_space("lower_product", Space::shared, c);
    return local_->lower_product(a, b, beta, c);
  }
  contract("lower_product", beta, c, a.rows > 0,
           [&](T factor, View<T> out) { local_->lower_product(a, b, factor, out); });
}

template <class T>
void DistributedBackend<T>::dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) {
  expect_same_space("dot", a, b);
  if (a.space == Space::shared) {
    expect_space("dot", Space::shared, value);
    return local_->dot(alpha, a, b, beta, value);
  }
  contract("dot", beta, value, !a.empty(),
           [&](T factor, View<T> out) { local_->dot(alpha, a, b, factor, out); });
}

template <class T>
void DistributedBackend<T>::column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) {
  if (a.space == Space::shared) {
    expect_space("column_sums", Space::shared, sums);
    return local_->column_sums(alpha, a, beta, sums);
  }
  expect_space("column_sums", Space::nodes, a);
  contract("column_sums", beta, sums, !a.empty(),
           [&](T factor, View<T> out) { local_->column_sums(alpha, a, factor, out); });
}

template <class T>
void DistributedBackend<T>::kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t,
                                                  ConstView<T> f_i, ConstView<T> s_i, Fill fill,
                                                  ConstView<T> s, ConstView<T> out_bar, View<T> s_bar, T beta,
                                                  View<T> f_t_bar, View<T> f_i_bar, View<T> s_i_bar,
                                                  View<T> s_t_bar, ConstView<T> kept) {
  expect_space("kernel_times_backward", Space::nodes, f_t, s_t, out_bar, f_t_bar, s_t_bar, kept);
  expect_space("kernel_times_backward", Space::shared, f_i, s_i, s, s_bar, f_i_bar, s_i_bar);
  needs_all_ranks("kernel_times_backward");
  const View<T> all = room(1, s_bar.size() + f_i_bar.size() + s_i_bar.size());
  const View<T> s_sum(all.data, s_bar.rows, s_bar.cols),
      f_i_sum(s_sum.data + s_sum.size(), f_i_bar.rows, f_i_bar.cols),
      s_i_sum(f_i_sum.data + f_i_sum.size(), s_i_bar.rows, s_i_bar.cols);
  local_->fill(all, T(0));
  if (f_t.rows > 0)
    local_->kernel_times_backward(kind, f_t, s_t, f_i, s_i, fill, s, out_bar, s_sum, beta, f_t_bar, f_i_sum,
                                  s_i_sum, s_t_bar, kept);
  add_up(all);
  local_->add(T(1), s_sum, T(0), s_bar);
  local_->add(T(1), f_i_sum, T(1), f_i_bar);
  local_->add(T(1), s_i_sum, T(1), s_i_bar);
}

template <class T>
void DistributedBackend<T>::exchange(const Halo& halo, View<T> outgoing, View<T> incoming, bool back) {
  T *from = outgoing.data, *to = incoming.data;
  if (!gpus_.direct && !local_->is_host()) {
    host_outgoing_.resize(std::max(host_outgoing_.size(), static_cast<std::size_t>(outgoing.size())));
    host_incoming_.resize(std::max(host_incoming_.size(), static_cast<std::size_t>(incoming.size())));
    local_->download(from, host_outgoing_.data(), static_cast<std::size_t>(outgoing.size()) * sizeof(T));
    from = host_outgoing_.data();
    to = host_incoming_.data();
  }
  const Index cols = outgoing.cols;
  std::vector<Communicator::Message> send, receive;
  const auto message = [&](int rank, T* data, Index first, Index count) {
    return Communicator::Message{rank, data + first * cols,
                                 static_cast<std::size_t>(count * cols) * sizeof(T)};
  };
  for (const Halo::Neighbour& each : halo.neighbours) {
    const Index out_first = back ? each.receive_first : each.send_first,
                out_count = back ? each.receive_count : each.send_count,
                in_first = back ? each.send_first : each.receive_first,
                in_count = back ? each.send_count : each.receive_count;
    if (out_count > 0) send.push_back(message(each.rank, from, out_first, out_count));
    if (in_count > 0) receive.push_back(message(each.rank, to, in_first, in_count));
  }
  if (!gpus_.direct) return ranks_->start(send, receive);
  gpus_.direct->start(send, receive, queue_);
  ranks_->count_sent(send);
}

template <class T>
void DistributedBackend<T>::finish_exchange(View<T> incoming) {
  if (gpus_.direct) {
    gpus_.direct->finish(queue_);
    return ranks_->count_wait(gpus_.direct->waited());
  }
  ranks_->finish();
  if (!local_->is_host() && incoming.size() > 0)
    local_->upload(host_incoming_.data(), incoming.data,
                   static_cast<std::size_t>(incoming.size()) * sizeof(T));
}

template <class T>
void DistributedBackend<T>::spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) {
  if (a.remote() == nullptr && op == Op::none) {  // rows of nodes, or nothing of them
    expect_space("spmm", Space::shared, b);
    if (c.space == Space::terms) wrong_spaces("spmm");
    if (c.rows > 0) local_->spmm(alpha, op, a, b, beta, c);
    return;
  }
  if (a.remote() == nullptr) {
    if (b.space == Space::shared) {
      expect_space("spmm", Space::shared, c);
      return local_->spmm(alpha, op, a, b, beta, c);
    }
    expect_space("spmm", Space::nodes, b);
    return contract("spmm", beta, c, b.rows > 0,
                    [&](T factor, View<T> out) { local_->spmm(alpha, op, a, b, factor, out); });
  }
  expect_space("spmm", Space::nodes, b, c);
  needs_all_ranks("spmm");
  const RemoteColumns<T>& remote = *a.remote();
  const Halo& halo = remote.halo;
  const auto sent = static_cast<Index>(halo.send.size());
  if (op == Op::none) {
    const View<T> outgoing = grown<T>(*local_, outgoing_, sent, b.cols),
                  incoming = grown<T>(*local_, incoming_, halo.received, b.cols);
    if (sent > 0) local_->gather_rows(b, remote.send.data(), outgoing);
    exchange(halo, outgoing, incoming, false);
    if (c.rows > 0) local_->spmm(alpha, op, a, b, beta, c);
    finish_exchange(incoming);
    if (c.rows > 0 && halo.received > 0) local_->spmm(alpha, op, remote.matrix, incoming, T(1), c);
    return;
  }
  // What own rows contribute to other ranks' nodes goes to them.
  const View<T> outgoing = grown<T>(*local_, outgoing_, halo.received, b.cols),
                incoming = grown<T>(*local_, incoming_, sent, b.cols);
  if (halo.received > 0) local_->spmm(alpha, op, remote.matrix, b, T(0), outgoing);
  exchange(halo, outgoing, incoming, true);
  if (c.rows > 0) local_->spmm(alpha, op, a, b, beta, c);
  finish_exchange(incoming);
  // Several ranks may contribute to one row, so each has its turn, in a fixed order.
  for (const Halo::Neighbour& each : halo.neighbours) {
    if (each.send_count > 0)
      local_->scatter_rows(incoming.block_rows(each.send_first, each.send_count),
                           remote.send.data() + each.send_first, c);
  }
}

template class DistributedBackend<float>;
template class DistributedBackend<double>;

}  // namespace gdkm
