#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// One value of every rank.
template <class V>
std::vector<V> one_of_each(Communicator& ranks, const V& mine) {
  std::vector<V> out(static_cast<std::size_t>(ranks.size()));
  ranks.all_gather(&mine, sizeof(V), out.data());
  return out;
}

/// Any number of values of every rank, one rank after the other; `start` receives where each begins.
template <class V>
std::vector<V> all_of_each(Communicator& ranks, const std::vector<V>& mine,
                           std::vector<std::size_t>* start = nullptr) {
  const auto sizes = one_of_each(ranks, mine.size());
  std::vector<std::size_t> at{0};
  for (const std::size_t size : sizes) at.push_back(at.back() + size);
  std::vector<V> out(at.back());
  const auto me = static_cast<std::size_t>(ranks.rank());
  std::copy(mine.begin(), mine.end(), out.begin() + static_cast<std::ptrdiff_t>(at[me]));
  std::vector<Communicator::Message> send, receive;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    if (r == me) continue;
    const int rank = static_cast<int>(r);
    if (!mine.empty()) send.push_back({rank, out.data() + at[me], mine.size() * sizeof(V)});
    if (sizes[r] > 0) receive.push_back({rank, out.data() + at[r], sizes[r] * sizeof(V)});
  }
  ranks.start(send, receive);
  ranks.finish();
  if (start != nullptr) *start = std::move(at);
  return out;
}

/// A text of every rank.
inline std::vector<std::string> text_of_each(Communicator& ranks, const std::string& mine) {
  std::vector<std::size_t> start;
  const auto all = all_of_each(ranks, std::vector<char>(mine.begin(), mine.end()), &start);
  std::vector<std::string> out;
  for (std::size_t r = 0; r + 1 < start.size(); ++r)
    out.emplace_back(all.data() + start[r], start[r + 1] - start[r]);
  return out;
}

/// How many ranks are on this machine, and which of them this one is, from 0.
struct LocalRanks {
  int count = 0, number = 0;
};
inline LocalRanks ranks_on_this_machine(Communicator& ranks) {
  LocalRanks out;
  const auto hosts = text_of_each(ranks, ranks.host());
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    if (hosts[r] != ranks.host()) continue;
    if (static_cast<int>(r) == ranks.rank()) out.number = out.count;
    ++out.count;
  }
  return out;
}

/// To every rank the values that are meant for it; returns what each rank sent here.
template <class V>
std::vector<std::vector<V>> deal_out(Communicator& ranks, const std::vector<std::vector<V>>& to) {
  const auto count = static_cast<std::size_t>(ranks.size()), me = static_cast<std::size_t>(ranks.rank());
  std::vector<std::uint64_t> mine, sizes(count * count);
  for (const auto& values : to) mine.push_back(values.size());
  ranks.all_gather(mine.data(), count * sizeof(std::uint64_t), sizes.data());
  std::vector<std::vector<V>> out(count);
  std::vector<Communicator::Message> send, receive;
  for (std::size_t r = 0; r < count; ++r) {
    out[r].resize(sizes[r * count + me]);
    if (r == me) {
      out[r] = to[r];
      continue;
    }
    const int rank = static_cast<int>(r);
    if (!to[r].empty())  // which is only read
      send.push_back({rank, const_cast<V*>(to[r].data()), to[r].size() * sizeof(V)});
    if (!out[r].empty()) receive.push_back({rank, out[r].data(), out[r].size() * sizeof(V)});
  }
  ranks.start(send, receive);
  ranks.finish();
  return out;
}

/// Rows that ranks have, `width` numbers each, as one table of all: row k of this rank has the number
/// number[k] there. Rows that no rank has are 0.
template <class V>
std::vector<V> gather_rows(Communicator& ranks, const std::vector<V>& rows, std::size_t width,
                           const std::vector<std::int32_t>& number, std::size_t all) {
  const auto numbers = all_of_each(ranks, number);
  const auto values = all_of_each(ranks, rows);
  std::vector<V> out(all * width);
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(k * width), width,
                out.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(numbers[k]) * width));
  }
  return out;
}

/// The value of rank 0.
template <class V>
V that_of_the_first(Communicator& ranks, V mine) {
  ranks.broadcast(&mine, sizeof(V));
  return mine;
}
template <class V>
std::vector<V> that_of_the_first(Communicator& ranks, std::vector<V> mine) {
  mine.resize(that_of_the_first(ranks, static_cast<std::uint64_t>(mine.size())));
  ranks.broadcast(mine.data(), mine.size() * sizeof(V));
  return mine;
}

}  // namespace gdkm
