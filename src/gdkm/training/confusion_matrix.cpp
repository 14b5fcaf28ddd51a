#include "gdkm/training/confusion_matrix.hpp"

#include <cassert>

namespace gdkm {

namespace {

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

}  // namespace

std::int64_t ConfusionMatrix::occurrences(int of) const {
  std::int64_t sum = 0;
  for (int c = 0; c < classes; ++c) sum += at(of, c);
  return sum;
}

std::int64_t ConfusionMatrix::predictions(int of) const {
  std::int64_t sum = 0;
  for (int c = 0; c < classes; ++c) sum += at(c, of);
  return sum;
}

double ConfusionMatrix::recall(int of) const {
  return share(static_cast<double>(at(of, of)), static_cast<double>(occurrences(of)));
}

double ConfusionMatrix::f1(int of) const {
  return share(2 * static_cast<double>(at(of, of)), static_cast<double>(occurrences(of) + predictions(of)));
}

double ConfusionMatrix::f1_macro() const {
  double sum = 0, counted = 0;
  for (int c = 0; c < classes; ++c) {
    sum += f1(c);
    counted += occurrences(c) + predictions(c) > 0 ? 1 : 0;
  }
  return share(sum, counted);
}

double ConfusionMatrix::f1_weighted() const {
  double sum = 0, rows = 0;
  for (int c = 0; c < classes; ++c) {
    sum += static_cast<double>(occurrences(c)) * f1(c);
    rows += static_cast<double>(occurrences(c));
  }
  return share(sum, rows);
}

double ConfusionMatrix::balanced_accuracy() const {
  double sum = 0, counted = 0;
  for (int c = 0; c < classes; ++c) {
    sum += recall(c);
    counted += occurrences(c) > 0 ? 1 : 0;
  }
  return 100 * share(sum, counted);
}

ConfusionMatrix& ConfusionMatrix::operator+=(const ConfusionMatrix& other) {
  assert(classes == other.classes);
  for (std::size_t k = 0; k < count.size(); ++k) count[k] += other.count[k];
  return *this;
}

}  // namespace gdkm
