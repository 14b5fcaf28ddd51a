#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gdkm/training/confusion_matrix.hpp"

namespace gdkm {

/// The rows whose largest probability lies in ((bin)/15, (bin + 1)/15]: how many there are, the sum of these
/// probabilities, and how many of the rows are predicted right.
struct ReliabilityBin {
  int bin = 0;
  double count = 0, confidence = 0, correct = 0;
};

/// How good class probabilities are on a set of rows.
struct Metrics {
  double accuracy = 0;        // percent
  double nll = 0;             // mean −log p(label)
  double ece = 0;             // expected calibration error: 15 equal bins over the confidence
  std::optional<double> auc;  // ROC AUC of class 1, where there are two classes and both occur
  /// Of regression, which has these and nll in place of all others.
  std::optional<double> r2;                    // 1 − Σ(y − mean)² / Σ(y − ȳ)²
  std::optional<double> rmse;                  // √ of the mean of (y − mean)²
  std::vector<ReliabilityBin> reliability{};   // of classes: the bins that hold rows, in order
  std::optional<ConfusionMatrix> confusion{};  // of classes; results of earlier versions have none

  /// What models are chosen by, the higher the better: accuracy, or R².
  double score() const { return r2 ? *r2 : accuracy; }

  /// What follows from the confusion matrix, where there is one.
  std::optional<double> f1_macro() const { return of_confusion(&ConfusionMatrix::f1_macro); }
  std::optional<double> f1_weighted() const { return of_confusion(&ConfusionMatrix::f1_weighted); }
  std::optional<double> balanced_accuracy() const {  // percent
    return of_confusion(&ConfusionMatrix::balanced_accuracy);
  }

 private:
  std::optional<double> of_confusion(double (ConfusionMatrix::*score)() const) const {
    return confusion ? std::optional(((*confusion).*score)()) : std::nullopt;
  }
};

/// Scores row-major probabilities (n × classes) on `rows`. Rows without a label (−1) are left out; nothing
/// where none remain. Of equally probable classes the lowest is predicted. A NumericalError where a
/// probability is not finite.
std::optional<Metrics> evaluate(std::span<const double> probabilities, int classes,
                                std::span<const std::int32_t> labels, std::span<const std::int32_t> rows);

/// The expected calibration error of the rows of all these runs together: that of one run is biased upwards,
/// the more so the fewer rows it has. Empty where no run has bins.
std::optional<double> pooled_ece(std::span<const Metrics* const> runs);

/// Scores predicted numbers on `rows`: `predictions` has 2k columns, k means and then k standard deviations,
/// and `targets` the k true numbers. Rows with a NaN among these are left out; nothing where none remain. nll
/// is the mean of −log N(y; mean, deviation²) over rows and targets.
std::optional<Metrics> evaluate_numbers(std::span<const double> predictions, int targets_per_row,
                                        std::span<const float> targets, std::span<const std::int32_t> rows);
std::optional<Metrics> evaluate_numbers(std::span<const double> predictions, int targets_per_row,
                                        std::span<const double> targets, std::span<const std::int32_t> rows);

/// Accuracy (percent) on `rows` of always predicting the class that is most frequent in `train_rows`, the
/// lowest of equally frequent ones; NaN where no label is left to count or to predict.
double majority_accuracy(std::span<const std::int32_t> labels, std::span<const std::int32_t> train_rows,
                         std::span<const std::int32_t> rows);

/// The root mean square error on `rows` of always predicting the mean of `train_rows`, target by target. Rows
/// with a NaN among their targets are left out, as in evaluate_numbers; NaN where none remain.
double mean_rmse(int targets_per_row, std::span<const float> targets,
                 std::span<const std::int32_t> train_rows, std::span<const std::int32_t> rows);

/// A mean ± one standard deviation.
struct Summary {
  double mean = 0, std = 0;
  std::int64_t count = 0;  // of the values that the deviation is over
};

/// With the sample deviation (n − 1), which is 0 for one value; NaN for none.
Summary mean_and_std(std::span<const double> values);

/// One number of a run: that of `seed` on `split`.
struct RunValue {
  std::int64_t seed = 0, split = 0;
  double value = 0;
};

/// Over the means of the splits where there are several splits, over the seeds otherwise.
Summary summarise_runs(std::span<const RunValue> runs);

}  // namespace gdkm
