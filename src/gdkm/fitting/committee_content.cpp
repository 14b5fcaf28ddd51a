#include "gdkm/fitting/committee_content.hpp"

#include "gdkm/fitting/committee_file.hpp"
#include "gdkm/fitting/mixture.hpp"
#include "gdkm/fitting/model_file.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

class CommitteeContent final : public FittedModel::Content {
 public:
  CommitteeContent(TensorFile file, std::vector<FittedModel> members, const std::filesystem::path& path)
      : Content(read_card(file, path)), file_(std::move(file)), members_(std::move(members)) {
    for (const FittedModel& member : members_) {
      const ModelCard& other = member.card();
      if (other.classes != card().classes ||
          other.settings.config.regression != card().settings.config.regression)
        throw InputError(path.string() + ": its members do not predict the same; the file is damaged");
    }
  }

  Predictions predict(const Dataset& dataset) const override {
    // All that is not a number is the same for all members: names, labels, which items training saw.
    Predictions out = members_.front().predict(dataset);
    std::vector<std::vector<double>> values{out.values};
    for (std::size_t k = 1; k < members_.size(); ++k) values.push_back(members_[k].predict(dataset).values);
    out.values = mixture(values, out.outputs, out.regression);
    return out;
  }
  NodeFeatures features(const Dataset& /*dataset*/, int /*layer*/, FeatureRows /*of*/) const override {
    throw without("features");
  }
  std::vector<NodeFeatures> inducing_features(const Dataset& /*dataset*/) const override {
    throw without("inducing points");
  }
  Dense kernel(const Dataset& /*dataset*/, const std::vector<std::int32_t>& /*rows*/,
               const std::vector<std::int32_t>& /*columns*/, int /*layer*/,
               FeatureRows /*of*/) const override {
    throw without("kernel");
  }
  bool was_trained_on(const Dataset& dataset) const override {
    return members_.front().was_trained_on(dataset);
  }
  std::vector<FittedModel> members() const override { return members_; }
  const TensorFile& tensors() const override { return file_; }

 private:
  static InputError without(const std::string& what) {
    return InputError(
        "a committee has no " + what +
        " of its own, because every member has others; ask one of its members, or train a model "
        "with the settings of one, without " +
        option("members"));
  }

  TensorFile file_;
  std::vector<FittedModel> members_;
};

}  // namespace

std::shared_ptr<const FittedModel::Content> committee_content(const TensorFile& file,
                                                              const DeviceChoice& device,
                                                              const std::filesystem::path& path) {
  std::vector<FittedModel> members;
  for (TensorFile& member : members_of(file))
    members.push_back(fitted_model(std::move(member), device, path));
  if (members.empty()) return nullptr;
  return std::make_shared<CommitteeContent>(file, std::move(members), path);
}

}  // namespace gdkm
