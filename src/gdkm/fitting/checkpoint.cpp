#include "gdkm/fitting/checkpoint.hpp"

#include <nlohmann/json.hpp>

#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/tensor_parts.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* checkpoint_format = "gdkm-checkpoint-1";

/// The first run under way is stored as it was when there was no other: without a number.
std::string numbered(const std::string& what, int run, const Checkpoint& of) {
  return run == static_cast<int>(of.finished.size()) ? what + "." : what + "-" + std::to_string(run) + ".";
}

}  // namespace

std::int64_t Checkpoint::epochs_done(int epochs_of_a_run) const {
  std::int64_t out = static_cast<std::int64_t>(finished.size() + early.size()) * epochs_of_a_run;
  for (const auto& [run, state] : under_way) out += state.epoch;
  return out;
}

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  TensorFile file;
  Json finished = Json::array();
  for (const RunResult& run : checkpoint.finished) finished.push_back(to_json(run));
  Json under_way = Json::array(), early = Json::array();
  for (const auto& [run, state] : checkpoint.under_way) {
    under_way.push_back({{"run", run}, {"seconds", state.seconds}, {"epoch", state.epoch}});
    add_part(file, numbered("state", run, checkpoint), state.state);
  }
  for (const auto& [run, done] : checkpoint.early) {
    early.push_back({{"run", run}, {"result", to_json(done.run)}});
    add_part(file, numbered("model", run, checkpoint), done.model);
  }
  file.metadata.insert({{"format", checkpoint_format},
                        {"settings", checkpoint.settings},
                        {"finished", finished.dump()},
                        {"under_way", under_way.dump()},
                        {"early", early.dump()}});
  if (checkpoint.best) add_part(file, "best.", *checkpoint.best);
  write_safetensors(path, file);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const auto bad = [&](const std::string& why) {
    return InputError(path.string() + ": " + why + "; " + option("resume") +
                      " takes the checkpoint that an interrupted run left");
  };
  std::error_code ignored;
  const bool there = std::filesystem::is_regular_file(path, ignored);
  TensorFile file;
  try {
    file = read_safetensors(path);
  } catch (const InputError&) {
    throw bad(there ? "it cannot be read as a checkpoint" : "there is no such file");
  }
  const auto format = file.metadata.find("format");
  if (format == file.metadata.end() || format->second != checkpoint_format) throw bad("it is no checkpoint");
  try {
    Checkpoint out;
    out.settings = file.metadata.at("settings");
    if (!Json::parse(out.settings).is_object()) throw InputError("its settings are no JSON object");
    for (const Json& run : Json::parse(file.metadata.at("finished")))
      out.finished.push_back(run_from_json(run));
    if (file.metadata.contains("under_way")) {
      for (const Json& each : Json::parse(file.metadata.at("under_way"))) {
        const int run = each.at("run");
        out.under_way[run] = {each.at("seconds"), each.at("epoch"),
                              part_of(file, numbered("state", run, out))};
      }
      for (const Json& each : Json::parse(file.metadata.at("early"))) {
        const int run = each.at("run");
        out.early[run] = {run_from_json(each.at("result")), part_of(file, numbered("model", run, out))};
      }
    } else {  // an older file has one run
      out.under_way[static_cast<int>(out.finished.size())] = {
          Json::parse(file.metadata.at("seconds")).get<double>(), std::stoi(file.metadata.at("epoch")),
          part_of(file, "state.")};
    }
    TensorFile best = part_of(file, "best.");
    if (!best.tensors.empty()) out.best = std::move(best);
    return out;
  } catch (const std::exception& error) {
    throw bad(std::string("it is damaged (") + error.what() + ")");
  }
}

}  // namespace gdkm
