#include <cmath>

#include "gdkm/settings/option.hpp"
#include "gdkm/settings/option_conditions.hpp"
#include "gdkm/settings/option_entries.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr double most_seed = 4294967295.0;

std::vector<Option> make_table() {
  const std::string model = "Model", exact = "Exact models", gcn = "GCN", training = "Training",
                    data = "Data", machine = "Machine";
  std::vector<Option> table;
  const auto add = [&](Option entry) { table.push_back(std::move(entry)); };

  Option nu{.name = "nu",
            .group = model,
            .type = PerLayerType{1e12},
            .symbol = "X|inf|X1,X2,..|auto",
            .help =
                "How strongly kernels are held to the NNGP: a number >= 0, inf, or one per layer (0.1,1); "
                "auto: the best of six on the validation data of each split",
            .get = [](const Settings& s) -> OptionValue {
              return s.model == ModelKind::nngp ? std::vector<double>{INFINITY} : s.config.nu;
            },
            .set = [](Settings& s,
                      const OptionValue& value) { s.config.nu = std::get<std::vector<double>>(value); }};
  add(only(sparse_models | full_rank_dkm, nu, [](const Settings& s, const DataKind&) {
    return s.model == ModelKind::nngp
               ? option("model", "nngp") + " is the dkm at nu = inf; for another nu there is " +
                     option("model", "dkm")
               : "";
  }));
  add(only(inducing_models, choice(
                                "scheme", model, [](auto& s) -> auto& { return s.config.scheme; },
                                "Inducing points apart from the graph (inter) or at its nodes (intra)")));
  add(only(inducing_models,
           whole(
               "inducing", model, [](auto& s) -> auto& { return s.config.inducing; }, {1, 20000, ""}, "M",
               "Number of inducing points; cost per layer grows with nodes x M^2")));
  add(only(every_model,
           whole(
               "layers", model, [](auto& s) -> auto& { return s.config.layers; }, {1, 64, ""}, "L",
               "Number of graph convolutions"),
           for_networks));
  add(only(inducing_models | gcn_models, choice(
                                             "arch", model, [](auto& s) -> auto& { return s.config.arch; },
                                             "Order of layers, some with relations of their own")));
  add(only(inducing_models, flag(
                                "center", model, [](auto& s) -> auto& { return s.config.center; },
                                "Centre kernels before every Gram layer")));
  add(only(sparse_models,
           flag(
               "affine", model, [](auto& s) -> auto& { return s.config.affine; },
               "With " + option("center") + ": also learn a scale and a bias"),
           with_centres));
  add(only(
      sparse_models | gcn_models,
      choice(
          "pool", model, [](auto& s) -> auto& { return s.config.pooling; }, "Pooling over a graph's nodes"),
      for_pooling));
  add(only(every_model,
           real(
               "lambda", model, [](auto& s) -> auto& { return s.config.lambda; }, {0, 1},
               "Mix with lambda*I + (1-lambda)*A instead of A, the normalised adjacency"),
           for_mixing));
  add(later(
      only(inducing_models | gcn_models | exact_nngp,
           text(
               "relations", model,
               {"relations such as self,in,out:row or poly:3", canonical_by("relations", parse_relations)},
               "NAME[:SCALING],..", asked_relations,
               [](Settings& s, const std::string& value) { s.config.relations = parse_relations(value); },
               "What to mix with, each with weights of its own: gcn (default), self, und, in, out, hop2, "
               "types, gcn2, gin, or poly:K; scaled by sym, row or sum"),
           for_relations)));
  add(later(only(sparse_models,
                 negated_flag(
                     "fixed_relations", model, [](auto& s) -> auto& { return s.config.learned_relations; },
                     "Do not learn the weights of relations, which start at 1/R"),
                 with_several_relations)));
  add(only(inducing_models | exact_models,
           choice(
               "kernel", model, [](auto& s) -> auto& { return s.config.kernel; },
               "Kernel nonlinearity; arccos is that of the ReLU"),
           for_networks));
  Option is_exact = flag(
      "exact", model, [](auto& s) -> auto& { return s.exact; },
      "No inducing points: nngp is then GP regression, dkm has full rank; for graphs of a few thousand "
      "nodes");
  add(in_common(only(sparse_models | exact_models, is_exact)));
  add(in_common(later(
      only(inducing_models, flag(
                                "landmarks", model, [](auto& s) -> auto& { return s.landmarks; },
                                "With " + option("model", "nngp") +
                                    ": GP regression with inducing points as landmarks, in closed form; as " +
                                    option("exact") + ", for large graphs")))));
  add(later(only(every_model,
                 text(
                     "members", model,
                     {"variants of these settings, such as diffuse=8,layers=1;diffuse=16",
                      canonical_by("members", parse_members)},
                     "X=V,..;X=V,..", [](const Settings& s) { return to_string(s.members); },
                     [](Settings& s, const std::string& value) { s.members = parse_members(value); },
                     "Train a committee: a model for each of these variants of the settings (options and "
                     "values, with ; between variants), whose predictions are averaged"),
                 for_saved_models)));
  add(only(exact_nngp, choice(
                           "network", exact, [](auto& s) -> auto& { return s.network; },
                           "With " + option("model", "nngp") + " " + option("exact") +
                               ": the network whose kernel it is; rbf and linear see no graph")));
  add(only(full_rank_dkm,
           real(
               "noise", exact, [](auto& s) -> auto& { return s.noise; }, {1e-12, 1e12},
               "With " + option("model", "dkm") + " " + option("exact") + ": the variance of the noise")));
  add(only(gcn_models, whole(
                           "width", gcn, [](auto& s) -> auto& { return s.gcn.width; }, {1, 1000000, ""}, "W",
                           "Width of hidden layers")));
  add(only(gcn_models, real(
                           "dropout", gcn, [](auto& s) -> auto& { return s.gcn.dropout; }, {0, 0.999},
                           "Fraction of hidden values dropped in training")));
  add(only(gcn_models, flag(
                           "batch_norm", gcn, [](auto& s) -> auto& { return s.gcn.batch_norm; },
                           "Batch normalisation of hidden layers")));
  add(only(gcn_models, flag(
                           "row_normalise", gcn, [](auto& s) -> auto& { return s.gcn.row_normalise; },
                           "Scale hidden rows to mean square 1")));
  add(only(gcn_models, real(
                           "weight_decay", gcn, [](auto& s) -> auto& { return s.gcn.weight_decay; }, {0, 1e6},
                           "Weight decay of all layers but the last")));
  add(later(only(inducing_models | gcn_models | exact_nngp,
                 choice(
                     "inference", training, [](auto& s) -> auto& { return s.training.inference; },
                     "natural: readout near its optimum, best validated epoch, calibrated probabilities; "
                     "uncalibrated: the same without calibration; paper: Adam and the last epoch"),
                 for_probabilities),
            [](ModelKind kind) { return kind == ModelKind::gcn ? "uncalibrated" : "paper"; }));
  add(only(sparse_models | gcn_models,
           whole(
               "patience", training, [](auto& s) -> auto& { return s.training.patience; }, {0, 1e9, ""}, "N",
               "Stop after N epochs without a better validation score, a DKM at the "
               "lowest of its three rates; 0: never"),
           for_best_epochs));
  add(later(only(
      sparse_models | gcn_models,
      choice(
          "select", training, [](auto& s) -> auto& { return s.training.select; },
          "What epochs are chosen by, on validation data; f1 is the mean over classes, r2 is for numbers, "
          "elbo takes the last and needs none"),
      for_best_epochs)));
  add(in_common(later(only(
      sparse_models | gcn_models,
      text(
          "class_weights", training,
          {"none, balanced, or a number > 0 for each class",
           canonical_by("class_weights", parse_class_weights)},
          "none|balanced|W1,W2,..", [](const Settings& s) { return to_string(s.training.class_weights); },
          [](Settings& s, const std::string& value) {
            s.training.class_weights = parse_class_weights(value);
          },
          "How much training items count, by class; balanced: every class the same"),
      for_data_with_classes))));
  add(only(sparse_models | gcn_models | full_rank_dkm,
           whole(
               "epochs", training, [](auto& s) -> auto& { return s.training.epochs; }, {0, 10000000, "auto"},
               "N|auto", "Passes over the training data, at most; auto: until the loss no longer changes")));
  add(only(sparse_models | gcn_models | full_rank_dkm,
           real(
               "lr", training, [](auto& s) -> auto& { return s.training.rate; }, {1e-12, 1e3},
               "Learning rate; with " + option("inference", "paper") + " the peak of the paper's schedule")));
  add(only(
      sparse_models | gcn_models,
      whole(
          "batches", training, [](auto& s) -> auto& { return s.training.batches.batches; }, {1, 1000000, ""},
          "B", "Cut a large graph into B parts that take turns; memory falls with their number"),
      for_one_graph));
  add(only(sparse_models | gcn_models,
           choice(
               "partition", training, [](auto& s) -> auto& { return s.training.batches.partition; },
               "With " + option("batches") + ": parts with few edges between them (metis), or random ones"),
           with_batches));
  add(only(sparse_models | gcn_models,
           whole(
               "batch_size", training, [](auto& s) -> auto& { return s.training.batches.graphs; },
               {1, 1e9, ""}, "N", "Number of graphs in one batch, for graph classification"),
           for_graphs));
  add(only(sparse_models,
           whole(
               "samples", training, [](auto& s) -> auto& { return s.config.samples; }, {1, 4096, ""}, "S",
               "Samples of the expected log-likelihood per step; of natural inference, pairs"),
           for_classes));
  add(only(sparse_models,
           choice(
               "sampling", training, [](auto& s) -> auto& { return s.config.sampling; },
               "With " + option("inference", "paper") + ": sample each node's logits, or the weights"),
           for_paper));
  add(only(sparse_models, real(
                              "temper_w", model, [](auto& s) -> auto& { return s.config.temper; }, {0, 1e6},
                              "Weight of the KL divergence of the readout weights")));
  add(only(sparse_models, negated_flag(
                              "fixed_scale", model, [](auto& s) -> auto& { return s.config.learned_scale; },
                              "Do not learn the scale of the output kernel")));
  add(later(only(sparse_models,
                 flag(
                     "bias", model, [](auto& s) -> auto& { return s.config.bias; },
                     "Learn a constant in every output (regression always does)"),
                 for_classes)));
  add(only(inducing_models, choice(
                                "init", training, [](auto& s) -> auto& { return s.training.init; },
                                "Where inducing points start: k-means of the features, or random nodes")));
  add(later(only(sparse_models,
                 flag(
                     "fixed_inducing", training, [](auto& s) -> auto& { return s.training.fixed_inducing; },
                     "Leave inducing points where they start: the kernel of an nngp is then fixed"))));
  add(only(inducing_models | full_rank_dkm,
           real(
               "jitter", model, [](auto& s) -> auto& { return s.config.jitter; }, {0, 0.1},
               "Added to kernel diagonals before they are factorised, relative to their mean; raised when "
               "needed")));
  Option normalise = choice(
      "normalise", data, [](auto& s) -> auto& { return s.preprocessing.normalise; },
      "Give feature columns mean 0 and variance 1 (standard), scale rows to length 1 (l2) or to absolute sum "
      "1 "
      "(sum), or neither; auto is standard for a table whose columns have types and for pooled features, l2 "
      "for all else");
  normalise.resolved = [](const Settings& s, const DataKind& kind) -> OptionValue {
    const Normalisation how = s.preprocessing.normalise;
    if (how != Normalisation::automatic) return name_of(how);
    const bool pooled = s.preprocessing.makes_rows();
    return name_of(kind.table.value_or(false) || pooled ? Normalisation::standard : Normalisation::l2);
  };
  add(std::move(normalise));
  add(only(every_model,
           flag(
               "directed", data, [](auto& s) -> auto& { return s.preprocessing.adjacency.keep_direction; },
               "Keep the direction of edges, where the data has one; otherwise the graph is made symmetric"),
           for_directions));
  add(only(every_model,
           negated_flag(
               "ignore_weights", data, [](auto& s) -> auto& { return s.preprocessing.adjacency.use_weights; },
               "Give every edge the weight 1"),
           with_edges_before_rows));
  add(only(
      every_model,
      flag(
          "keep_self_loops", data, [](auto& s) -> auto& { return s.preprocessing.adjacency.keep_self_loops; },
          "Keep the self-loops of the data; otherwise they are dropped"),
      with_edges_before_rows));
  add(in_common(flag(
      "largest_component", data, [](auto& s) -> auto& { return s.preprocessing.largest_component; },
      "Leave out nodes outside the largest connected component")));
  add(later(flag(
      "degree_features", data, [](auto& s) -> auto& { return s.preprocessing.degree_features; },
      "Add the degrees of nodes to their features")));
  add(later(whole(
      "wl_features", data, [](auto& s) -> auto& { return s.preprocessing.wl_features; }, {0, 10, ""}, "R",
      "Add R rounds of Weisfeiler-Lehman colours to the features: nodes have the same colour if their "
      "surroundings are alike; for graphs such as molecules")));
  add(later(flag(
      "structure_features", data, [](auto& s) -> auto& { return s.preprocessing.structure_features; },
      "Add rows of the adjacency matrix to the features: which nodes point at a node, and where it points; "
      "the model then belongs to its graph")));
  add(later(
      only(every_model,
           whole(
               "diffuse", data, [](auto& s) -> auto& { return s.preprocessing.diffuse; }, {0, 1000, ""}, "K",
               "Average the features over walks of up to K edges before the model sees them; 0: do "
               "not. For homophilous graphs with few labels"),
           with_edges)));
  add(later(only(every_model,
                 choice(
                     "pool_features", data, [](auto& s) -> auto& { return s.preprocessing.pool_features; },
                     "Pool the features of each graph's nodes before the model, which then sees one row for "
                     "each graph and no edges: their mean, sum, or the root of the sum. With " +
                         option("wl_features") + ": a kernel between histograms of colours"),
                 for_graphs)));
  add(in_common(only(every_model,
                     text(
                         "split_set", data, {"the name of a set of splits", {}}, "NAME",
                         [](const Settings& s) { return s.split.set; },
                         [](Settings& s, const std::string& value) { s.split.set = value; },
                         "Which splits of the data: public, or geom where it has them"),
                     with_own_splits)));
  add(in_common(text(
      "split", data,
      {"splits such as 60/20/20 or per-class=20,val=500,test=1000",
       [](const std::string& t) { return t.empty() ? t : to_string(parse_split_spec(t)); }},
      "SPEC", [](const Settings& s) { return s.split.random ? to_string(*s.split.random) : ""; },
      [](Settings& s, const std::string& value) {
        s.split.random = value.empty() ? std::nullopt : std::optional(parse_split_spec(value));
      },
      "Random splits in place of the data's own: 60/20/20, or per-class=20,val=500,test=1000")));
  add(in_common(only(every_model,
                     whole(
                         "split_seed", data, [](auto& s) -> auto& { return s.split.seed; },
                         {0, most_seed, ""}, "S", "With " + option("split") + ": the seed of random splits"),
                     with_random_splits)));
  add(not_identifying(whole(
      "seed", training, [](auto& s) -> auto& { return s.training.seed; }, {0, most_seed, ""}, "S",
      "The first seed")));
  add(not_identifying(whole(
      "seeds", training, [](auto& s) -> auto& { return s.seeds; }, {1, 100000, ""}, "K",
      "Number of runs per split, with consecutive seeds")));
  add(not_identifying(whole(
      "splits", data, [](auto& s) -> auto& { return s.split.count; }, {0, 100000, "all"}, "K|all",
      "Use the first K splits of the data, or all")));
  add(in_common(later(real(
      "conformal", data, [](auto& s) -> auto& { return s.split.conformal; }, {0, 0.9},
      "Share of the validation data to keep apart, so that predictions can have sets of classes, or "
      "intervals, that hold the truth as often as asked"))));
  Option precision = only(inducing_models | gcn_models,
                          choice(
                              "precision", machine, [](auto& s) -> auto& { return s.precision; },
                              "Arithmetic; exact models always use float64"));
  precision.implied = "float64";
  add(in_common(precision));
  Option device = text(
      "device", machine,
      {"cpu, cuda or cuda:N",
       [](const std::string& t) {
         const auto parsed = parse_device(t);
         if (!parsed) throw OptionError("device", t, "expected cpu, cuda or cuda:N", "");
         return to_string(*parsed);
       }},
      "cpu|cuda|cuda:N", [](const Settings& s) { return to_string(s.device.device); },
      [](Settings& s, const std::string& value) { s.device.device = *parse_device(value); },
      "Where to compute: cpu, cuda, or cuda:N for one of several GPUs");
  add(not_identifying(later(device)));
  Option math =
      only(inducing_models | gcn_models,
           choice(
               "math", machine, [](auto& s) -> auto& { return s.device.math; },
               "With " + option("device", "cuda") +
                   ": large products in float32 arithmetic (strict), as accurate on tensor cores "
                   "(split), or in TF32, which is faster and less accurate; auto: split where the GPU "
                   "can, else strict"),
           on_a_gpu_in_float32);
  math.implied = "strict";
  add(not_identifying(later(math)));
  Option tf32{.name = "tf32",
              .group = machine,
              .type = FlagType{},
              .symbol = "",
              .help = "Short for " + option("math", "tf32"),
              .get = [](const Settings& s) -> OptionValue { return s.device.math == MathMode::tf32; },
              .set =
                  [](Settings& s, const OptionValue& value) {
                    if (std::get<bool>(value) && s.device.math == MathMode::automatic)
                      s.device.math = MathMode::tf32;
                  }};
  add(not_identifying(
      later(only(inducing_models | gcn_models, tf32, [](const Settings& s, const DataKind& d) {
        const bool other = s.device.math == MathMode::strict || s.device.math == MathMode::split;
        return other ? "it contradicts " + option("math", name_of(s.device.math)) : on_a_gpu_in_float32(s, d);
      }))));
  add(not_identifying(later(only(
      sparse_models,
      flag(
          "recompute", machine, [](auto& s) -> auto& { return s.device.recompute; },
          "With " + option("device", "cuda") +
              ": compute kernels again for gradients instead of keeping them, which takes less "
              "memory and more time; otherwise they are kept where a quarter of the free memory is enough"),
      on_a_gpu))));
  add(not_identifying(whole(
      "threads", machine, [](auto& s) -> auto& { return s.device.threads; }, {0, 4096, ""}, "N",
      "Threads; 0 for one per core")));
  add(not_identifying(
      later(only(sparse_models | gcn_models,
                 whole(
                     "jobs", machine, [](auto& s) -> auto& { return s.jobs; }, {0, 256, ""}, "N",
                     "Runs (seeds and splits) at a time; 0: one on a CPU, up to 8 on a GPU, by the size of "
                     "the graph")))));
  return table;
}

}  // namespace

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = make_table();
  return table;
}

}  // namespace gdkm
