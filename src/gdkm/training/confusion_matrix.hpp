#pragma once

#include <cstdint>
#include <vector>

namespace gdkm {

/// How many rows of each class were predicted to be of each, and what follows from these counts. Scores are
/// those of scikit-learn: a class that is never predicted has precision 0, and one that neither occurs nor is
/// predicted does not count.
struct ConfusionMatrix {
  int classes = 0;
  std::vector<std::int64_t> count{};  // row-major; rows are true classes, columns predicted ones

  ConfusionMatrix() = default;
  explicit ConfusionMatrix(int of)
      : classes(of), count(static_cast<std::size_t>(of) * static_cast<std::size_t>(of)) {}

  std::int64_t& at(int truth, int predicted) {
    return count[static_cast<std::size_t>(truth) * static_cast<std::size_t>(classes) +
                 static_cast<std::size_t>(predicted)];
  }
  std::int64_t at(int truth, int predicted) const {
    return const_cast<ConfusionMatrix&>(*this).at(truth, predicted);
  }
  /// Rows of the class, and rows that were predicted to be of it.
  std::int64_t occurrences(int of) const;
  std::int64_t predictions(int of) const;

  /// The share of the class's rows that were found; 0 where it has none.
  double recall(int of) const;
  /// 2 TP / (2 TP + FP + FN); 0 where the class neither occurs nor is predicted.
  double f1(int of) const;

  /// The mean over classes that occur or are predicted, and the mean over rows of their class's F1.
  double f1_macro() const;
  double f1_weighted() const;
  /// The mean recall, in percent, of classes that occur.
  double balanced_accuracy() const;

  /// The counts of both together; both have the same classes.
  ConfusionMatrix& operator+=(const ConfusionMatrix& other);
  bool operator==(const ConfusionMatrix&) const = default;
};

}  // namespace gdkm
