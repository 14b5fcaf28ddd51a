#include "gdkm/dataset/split_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/refuse.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {
namespace {

template <class... T>
[[noreturn]] void fail(std::string_view text, fmt::format_string<T...> what, T&&... values) {
  refuse("split '{}': {}; use e.g. 60/20/20 or per-class=20,val=500,test=1000", text.substr(0, 60),
         fmt::format(what, std::forward<T>(values)...));
}

std::vector<std::string_view> pieces(std::string_view text, char between) {
  std::vector<std::string_view> out;
  while (true) {
    const auto end = text.find(between);
    out.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

SplitSpec parse_fractions(std::string_view text) {
  const auto parts = pieces(text, '/');
  if (parts.size() < 2 || parts.size() > 3) fail(text, "expected two or three numbers");
  std::vector<double> part;
  double sum = 0;
  for (auto piece : parts) {
    if (piece.ends_with('%')) piece.remove_suffix(1);
    const double value = whole_number<double>(piece).value_or(-1);
    if (!(value >= 0) || !std::isfinite(value))
      fail(text, "expected a number >= 0, got '{}'", piece.substr(0, 20));
    part.push_back(value);
    sum += value;
  }
  constexpr double rounding = 1e-5;  // of texts with six digits
  const double whole = sum <= 1 + rounding ? 1 : 100;
  if (sum > whole * (1 + rounding) || sum < whole * (1 - rounding)) {
    fail(text, "the parts sum to {:g}, expected 100 (or 1){}", sum,
         parts.size() == 2 ? "; two numbers are train and test" : "");
  }
  if (!(part[0] > 0)) fail(text, "the training part is empty");
  SplitSpec out;
  out.train = part[0] / whole;
  out.val = part[1] / whole;
  if (parts.size() == 2) {
    out.val = out.train / 5;
    out.train -= out.val;
  }
  if (out.train + out.val > 1) out.val = 1 - out.train;
  return out;
}

SplitSpec parse_counts(std::string_view text) {
  SplitSpec out;
  for (const auto piece : pieces(text, ',')) {
    const auto equals = piece.find('=');
    const std::string_view key = piece.substr(0, equals);
    const bool has_key = equals != std::string_view::npos;
    const auto value = has_key ? whole_number<std::int64_t>(piece.substr(equals + 1)).value_or(-1) : -1;
    if (value < 0) fail(text, "expected KEY=NUMBER, got '{}'", piece.substr(0, 20));
    if (key == "per-class") {
      out.per_class = value;
    } else if (key == "val") {
      out.val_count = value;
    } else if (key == "test") {
      out.test_count = value;
    } else {
      fail(text, "unknown key '{}'", key.substr(0, 20));
    }
  }
  if (out.per_class < 1) fail(text, "per-class must be at least 1");
  return out;
}

std::vector<std::vector<std::int32_t>> members_of(const std::vector<std::int32_t>& label) {
  std::vector<std::vector<std::int32_t>> out;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (label[i] < 0) continue;
    const auto c = static_cast<std::size_t>(label[i]);
    if (c >= out.size()) out.resize(c + 1);
    out[c].push_back(static_cast<std::int32_t>(i));
  }
  return out;
}

/// Takes the first `count` nodes off a shuffled list and sorts them.
std::vector<std::int32_t> deal(std::vector<std::int32_t>& nodes, std::int64_t count) {
  const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<std::int32_t> out(nodes.begin(), end);
  nodes.erase(nodes.begin(), end);
  std::sort(out.begin(), out.end());
  return out;
}

Split split_by_counts(const SplitSpec& spec, const std::vector<std::vector<std::int32_t>>& members,
                      Random random) {
  Split out;
  std::vector<std::int32_t> rest;
  for (std::size_t c = 0; c < members.size(); ++c) {
    auto nodes = members[c];
    if (nodes.empty()) continue;
    if (static_cast<std::int64_t>(nodes.size()) < spec.per_class) {
      refuse("split {}: class {} has {} labelled nodes; use a smaller per-class", to_string(spec), c,
             nodes.size());
    }
    shuffle(nodes, random);
    const auto chosen = deal(nodes, spec.per_class);
    out.train.insert(out.train.end(), chosen.begin(), chosen.end());
    rest.insert(rest.end(), nodes.begin(), nodes.end());
  }
  const auto left = static_cast<std::int64_t>(rest.size());
  const std::int64_t tested = std::max<std::int64_t>(spec.test_count, 0);
  if (spec.val_count > left || tested > left - spec.val_count)
    refuse("split {}: only {} nodes remain for val and test; request fewer", to_string(spec), left);
  shuffle(rest, random);
  out.val = deal(rest, spec.val_count);
  out.test = deal(rest, spec.test_count < 0 ? left - spec.val_count : spec.test_count);
  std::sort(out.train.begin(), out.train.end());
  return out;
}

/// Takes `fraction` of a growing total, so that the rounding errors of the classes do not add up.
class Quota {
 public:
  explicit Quota(double fraction) : fraction_(fraction) {}
  std::size_t next(std::size_t members) {
    seen_ += members;
    const auto due = static_cast<std::size_t>(std::floor(fraction_ * static_cast<double>(seen_) + 0.5));
    const std::size_t share = due - given_;
    given_ = due;
    return share;
  }

 private:
  double fraction_;
  std::size_t seen_ = 0, given_ = 0;
};

}  // namespace

SplitSpec parse_split_spec(std::string_view text) {
  return text.find('=') == std::string_view::npos ? parse_fractions(text) : parse_counts(text);
}

std::string to_string(const SplitSpec& spec) {
  if (spec.per_class == 0) {
    const double test = std::max(0.0, 1 - spec.train - spec.val);
    return fmt::format("{:g}/{:g}/{:g}", 100 * spec.train, 100 * spec.val, 100 * test);
  }
  std::string out = fmt::format("per-class={}", spec.per_class);
  if (spec.val_count > 0) out += fmt::format(",val={}", spec.val_count);
  if (spec.test_count >= 0) out += fmt::format(",test={}", spec.test_count);
  return out;
}

void check_fractions(double train, double val) {
  if (train > 0 && val >= 0 && train + val <= 1 + 1e-12) return;
  refuse(
      "random splits: cannot use the fractions train={} and val={}; use train > 0, val >= 0 and a sum of at "
      "most 1",
      train, val);
}

std::vector<Split> random_splits(const std::vector<std::int32_t>& label, double train_fraction,
                                 double val_fraction, int count, std::uint64_t seed) {
  check_fractions(train_fraction, val_fraction);
  const auto members = members_of(label);
  std::vector<Split> out(static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t s = 0; s < out.size(); ++s) {
    Random random(Stream{seed, Purpose::split, static_cast<std::uint32_t>(s)});
    Quota train(train_fraction), val(val_fraction);
    Split& split = out[s];
    for (auto nodes : members) {
      shuffle(nodes, random);
      const std::size_t trained = std::min(train.next(nodes.size()), nodes.size());
      const std::size_t selected = std::min(val.next(nodes.size()), nodes.size() - trained);
      const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(trained);
      const auto second = first + static_cast<std::ptrdiff_t>(selected);
      split.train.insert(split.train.end(), nodes.begin(), first);
      split.val.insert(split.val.end(), first, second);
      split.test.insert(split.test.end(), second, nodes.end());
    }
    if (split.train.empty()) {
      refuse("random splits: train={} leaves no labelled node to train on; use a larger fraction",
             train_fraction);
    }
    for (auto* part : {&split.train, &split.val, &split.test}) std::sort(part->begin(), part->end());
  }
  return out;
}

std::vector<Split> make_splits(const SplitSpec& spec, const std::vector<std::int32_t>& label,
                               std::uint64_t seed, int count) {
  const auto members = members_of(label);
  if (members.empty()) refuse("split {}: no node has a class; label some nodes", to_string(spec));
  if (spec.per_class == 0) return random_splits(label, spec.train, spec.val, count, seed);
  std::vector<Split> out;
  for (int s = 0; s < count; ++s) {
    out.push_back(
        split_by_counts(spec, members, Random(Stream{seed, Purpose::split, static_cast<std::uint32_t>(s)})));
  }
  return out;
}

}  // namespace gdkm
