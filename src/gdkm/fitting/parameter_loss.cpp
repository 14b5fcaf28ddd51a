#include "gdkm/fitting/parameter_loss.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/fitting/compute_device.hpp"
#include "gdkm/fitting/trained_models.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

class ParameterLoss::Content {
 public:
  virtual ~Content() = default;
  virtual std::vector<Parameter> parameters() const = 0;
  virtual std::vector<double> get(const std::string& name, bool gradient) const = 0;
  virtual void set(const std::string& name, const std::vector<double>& values) = 0;
  virtual double compute(std::uint32_t turn) = 0;
  virtual Index items() const = 0;
  virtual std::vector<double> predict() = 0;
};

namespace {

template <class T, class Config>
class LossOf final : public ParameterLoss::Content {
 public:
  LossOf(Backend<T>& backend, const Config& config, const Problem& problem, const Split& split,
         const TrainOptions& options)
      : problem_(problem),
        options_(options),
        model_(make_model(backend, config, problem)),
        trainable_(make_trainable(*model_, problem, split.train, options)),
        turn_(backend, 1) {
    const auto train = labelled(problem, split.train);
    if (train.empty()) throw InputError("no training item has a label; give a split that has some");
    const auto reach = trainable_->reach();
    BatchOptions how = options.batches;
    how.graphs = std::max<Index>(how.graphs, static_cast<Index>(train.size()));
    how.only_within_reach = how.only_within_reach && !reach.everywhere;
    const auto batches = make_batches(problem, train, reach.nodes, reach.hops, how, options.seed);
    if (batches.size() != 1)
      throw InputError("the loss at given parameters is that of all items; leave " + option("batches") +
                       " out");
    batch_ = trainable_->upload(problem, batches.front());
    batch_->build();
  }

  std::vector<ParameterLoss::Parameter> parameters() const override {
    std::vector<ParameterLoss::Parameter> out;
    for (const auto& entry : trainable_->parameters().entries())
      out.push_back({entry.name, entry.rows, entry.cols});
    return out;
  }
  std::vector<double> get(const std::string& name, bool gradient) const override {
    const Parameters<T>& all = trainable_->parameters();
    require(name);
    const auto values = gradient ? all.get_gradient(name) : all.get(name);
    return {values.begin(), values.end()};
  }
  void set(const std::string& name, const std::vector<double>& values) override {
    const Index size = require(name).size();
    if (static_cast<Index>(values.size()) != size)
      throw InputError(fmt::format("parameter '{}': expected {} numbers, got {}", name, size, values.size()));
    trainable_->parameters().set(name, std::vector<T>(values.begin(), values.end()));
  }
  double compute(std::uint32_t turn) override {
    Backend<T>& backend = trainable_->backend();
    backend.upload(&turn, turn_.data(), sizeof(turn));
    batch_->set_mean_weight(1);
    batch_->compute_gradients(turn_.data());
    const View<T> on_device = batch_->numbers();
    std::vector<T> numbers(static_cast<std::size_t>(on_device.size()));
    backend.download(on_device.data, numbers.data(), numbers.size() * sizeof(T));
    return batch_->report(numbers).loss;
  }
  Index items() const override { return batch_->items(); }
  std::vector<double> predict() override {
    return TrainedModel<Config>::predict(*model_, problem_, options_, std::nullopt, nullptr);
  }

 private:
  ParameterLoss::Parameter require(const std::string& name) const {
    std::string known;
    for (const auto& each : parameters()) {
      if (each.name == name) return each;
      known += (known.empty() ? "" : ", ") + each.name;
    }
    throw InputError(fmt::format("there is no parameter '{}'; the model has {}", name, known));
  }

  const Problem& problem_;
  TrainOptions options_;
  std::unique_ptr<typename TrainedModel<Config>::template Type<T>> model_;
  std::unique_ptr<Trainable<T>> trainable_;
  std::unique_ptr<TrainingBatch<T>> batch_;
  Buffer<std::uint32_t> turn_;
};

/// The loss with all that it refers to.
class OwningLoss final : public ParameterLoss::Content {
 public:
  OwningLoss(PreparedData data, const Split& split)
      : data_(std::move(data)), device_(data_.settings.device, data_.settings.precision) {
    std::visit(
        [&]<class Config>(const Config& config) {
          if constexpr (HasTrainedModel<Config> && !std::is_same_v<Config, LandmarkConfig>) {
            device_.visit([&]<class T>(Backend<T>& backend) {
              loss_ = std::make_unique<LossOf<T, Config>>(backend, config, data_.problem, split,
                                                          data_.settings.training);
            });
          } else {
            throw InputError("exact models and landmarks are solved, not optimised; leave " +
                             option("exact") + " and " + option("landmarks") + " out");
          }
        },
        model_choice(data_.settings));
  }

  std::vector<ParameterLoss::Parameter> parameters() const override { return loss_->parameters(); }
  std::vector<double> get(const std::string& name, bool gradient) const override {
    return loss_->get(name, gradient);
  }
  void set(const std::string& name, const std::vector<double>& values) override { loss_->set(name, values); }
  double compute(std::uint32_t turn) override { return loss_->compute(turn); }
  Index items() const override { return loss_->items(); }
  std::vector<double> predict() override { return loss_->predict(); }

 private:
  PreparedData data_;
  ComputeDevice device_;
  std::unique_ptr<ParameterLoss::Content> loss_;
};

}  // namespace

ParameterLoss::ParameterLoss(Dataset dataset, const Split& split, Settings settings) {
  if (!settings.members.empty())
    throw OptionError("members", to_string(settings.members),
                      "the loss of a training is that of one model, and every member has its own",
                      "leave it out, and take the loss of one member at a time");
  settings.training.inference = Inference::paper;
  settings.gcn.weight_decay = 0;  // which adds to gradients and not to losses
  dataset.splits = {{"loss", {split}}};
  PreparedData data = prepare(std::move(dataset), std::move(settings));
  const Split numbered = data.dataset.splits.at("loss").front();
  content_ = std::make_unique<OwningLoss>(for_split(std::move(data), numbered), numbered);
}
ParameterLoss::~ParameterLoss() = default;
ParameterLoss::ParameterLoss(ParameterLoss&&) noexcept = default;

std::vector<ParameterLoss::Parameter> ParameterLoss::parameters() const {
  return content_->parameters();
}
std::vector<double> ParameterLoss::get(const std::string& name) const {
  return content_->get(name, false);
}
void ParameterLoss::set(const std::string& name, const std::vector<double>& values) {
  content_->set(name, values);
}
double ParameterLoss::compute(std::uint32_t turn) {
  return content_->compute(turn);
}
std::vector<double> ParameterLoss::gradient(const std::string& name) const {
  return content_->get(name, true);
}
Index ParameterLoss::items() const {
  return content_->items();
}
std::vector<double> ParameterLoss::predict() const {
  return content_->predict();
}

}  // namespace gdkm
