#include "gdkm/support/safetensors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace gdkm {
namespace {

class Safetensors : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              ("gdkm-safetensors-" + std::to_string(getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "model.safetensors";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& content) const {
    std::filesystem::remove(
        path_);  // some file systems flush a file that is truncated: thousands of these are slow
    std::ofstream(path_, std::ios::binary) << content;
  }
  static std::string with_length(std::uint64_t length, const std::string& rest) {
    return std::string(reinterpret_cast<const char*>(&length), 8) + rest;
  }
  static std::string with_header(const std::string& header, std::size_t data_bytes) {
    return with_length(header.size(), header + std::string(data_bytes, '\0'));
  }
  /// Reading must fail with one line that names the file, says `what`, and says what to do.
  void expect_refusal(const std::string& content, const std::string& what) const {
    put(content);
    try {
      read_safetensors(path_);
      ADD_FAILURE() << "read without complaint; expected: " << what;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find(what), std::string::npos) << message;
      EXPECT_TRUE(message.starts_with(path_.string() + ": ")) << message;
      EXPECT_TRUE(message.ends_with("is it a model saved by gdkm?")) << message;
      EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    }
  }

  std::filesystem::path folder_, path_;
};

TensorFile example() {
  TensorFile file;
  file.metadata = {{"arch", "kipf"}, {"quote", "\"ν=∞\"\n"}};
  file.tensors["b.weight"] = Tensor::make<float>({1, 3}, std::vector<float>{1.5f, -2, 3});
  file.tensors["a.weight"] = Tensor::make<double>({2, 2}, std::vector<double>{1, 2, 3, 1e-300});
  file.tensors["rows"] = Tensor::make<std::int32_t>({2}, std::vector<std::int32_t>{-7, 8});
  file.tensors["step"] = Tensor::make<std::int64_t>({}, std::vector<std::int64_t>{1LL << 40});
  file.tensors["none"] = Tensor::make<float>({0, 5}, std::vector<float>{});
  return file;
}

TEST_F(Safetensors, ReadsBackWhatWasWritten) {
  const TensorFile written = example();
  write_safetensors(path_, written);
  const TensorFile read = read_safetensors(path_);
  EXPECT_EQ(read.metadata, written.metadata);
  ASSERT_EQ(read.tensors.size(), written.tensors.size());
  for (const auto& [name, tensor] : written.tensors) {
    EXPECT_EQ(read.tensors.at(name).dtype, tensor.dtype) << name;
    EXPECT_EQ(read.tensors.at(name).shape, tensor.shape) << name;
    EXPECT_EQ(read.tensors.at(name).bytes, tensor.bytes) << name;
  }
  EXPECT_EQ(read.tensors.at("b.weight").as<float>(), (std::vector<float>{1.5f, -2, 3}));
  EXPECT_EQ(read.tensors.at("step").as<std::int64_t>(), (std::vector<std::int64_t>{1LL << 40}));
}

TEST_F(Safetensors, ReadsAndWritesAnEmptyFile) {
  write_safetensors(path_, {});
  EXPECT_EQ(bytes(), with_header("{}      ", 0));
  EXPECT_TRUE(read_safetensors(path_).tensors.empty());
}

TEST_F(Safetensors, WritesTheSameBytesAgain) {
  write_safetensors(path_, example());
  const std::string first = bytes();
  write_safetensors(path_, read_safetensors(path_));
  EXPECT_EQ(bytes(), first);
}

TEST_F(Safetensors, AlignsTheHeaderAndEveryTensor) {
  write_safetensors(path_, example());
  const std::string content = bytes();
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, content.data(), 8);
  EXPECT_EQ(header_bytes % 8, 0u);
  const auto header = nlohmann::json::parse(content.substr(8, header_bytes));
  for (const auto& [name, tensor] : example().tensors) {
    const auto width = tensor.dtype.ends_with("64") ? 8u : 4u;
    EXPECT_EQ(header[name]["data_offsets"][0].get<std::uint64_t>() % width, 0u) << name;
  }
}

TEST_F(Safetensors, ReadsAFileOfAnotherWriter) {
  put(with_header(R"( {"w":{"data_offsets":[8,12],"shape":[1,1],"dtype":"I32"},)"
                  R"("v":{"dtype":"F64","shape":[],"data_offsets":[0,8]}}   )",
                  12));
  const TensorFile file = read_safetensors(path_);
  EXPECT_EQ(file.tensors.at("w").as<std::int32_t>(), std::vector<std::int32_t>{0});
  EXPECT_EQ(file.tensors.at("v").as<double>(), std::vector<double>{0});
}

TEST_F(Safetensors, RefusesToReadOneNumberTypeAsAnother) {
  EXPECT_THROW(example().tensors.at("b.weight").as<double>(), InputError);
  EXPECT_THROW(example().tensors.at("rows").as<float>(), InputError);
}

TEST_F(Safetensors, RefusesAMissingFileAndAFolder) {
  EXPECT_THROW(read_safetensors(folder_ / "nowhere"), InputError);
  EXPECT_THROW(read_safetensors(folder_), InputError);
}

TEST_F(Safetensors, RefusesEveryTruncation) {
  write_safetensors(path_, example());
  const std::string whole = bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    put(whole.substr(0, size));
    EXPECT_THROW(read_safetensors(path_), InputError) << size;
  }
  expect_refusal(whole.substr(0, 5), "only 5 bytes");
  expect_refusal(whole.substr(0, whole.size() - 1), "cut short");
  expect_refusal(whole + "x", "1 bytes follow its last tensor");
}

TEST_F(Safetensors, RefusesAHeaderLengthThatLies) {
  expect_refusal(with_length(~0ull, "{}"),
                 "its header would have 18446744073709551615 bytes, in a file of 10");
  expect_refusal(with_length(3, "{}"), "header would have 3 bytes");
}

TEST_F(Safetensors, RefusesAHeaderThatIsNotAJsonObject) {
  expect_refusal("PK\3\4 an archive, or something else", "not a safetensors file");
  for (const char* header : {"", "{", "[]", "3", "{}}", "nonsense", "{\"\xff\":1}"}) {
    expect_refusal(with_header(header, 0), "not a JSON object");
  }
  expect_refusal(with_header(std::string(100000, '['), 0), "nested too deeply");
}

TEST_F(Safetensors, RefusesDuplicates) {
  const std::string w = R"("w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  expect_refusal(with_header("{" + w + "," + w + "}", 4), R"(its header has "w" twice)");
  expect_refusal(with_header(R"({"w":{"dtype":"F32","dtype":"I32","shape":[1],"data_offsets":[0,4]}})", 4),
                 "twice");
  expect_refusal(with_header(R"({"__metadata__":{"a":"1","a":"2"}})", 0), R"("a" twice)");
}

TEST_F(Safetensors, RefusesMetadataThatIsNotStrings) {
  expect_refusal(with_header(R"({"__metadata__":3})", 0), "__metadata__ is not an object");
  expect_refusal(with_header(R"({"__metadata__":{"a":1}})", 0), R"(metadata "a" is not a string)");
}

TEST_F(Safetensors, RefusesBadEntries) {
  const auto entry = [](const std::string& dtype, const std::string& shape, const std::string& offsets) {
    return with_header(
        R"({"w\n":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}",
        16);
  };
  expect_refusal(entry("F32", "[2,2]", "[0,15]"), "does not fill its 15 bytes");
  expect_refusal(entry("F64", "[2,2]", "[0,16]"), "shape [2,2] of F64");
  expect_refusal(entry("F32", "[4611686018427387905,4]", "[0,16]"), "does not fill");
  expect_refusal(entry("F32", "[9223372036854775808]", "[0,16]"), "not a list of counts");
  expect_refusal(entry("F32", "[-4]", "[0,16]"), "not a list of counts");
  expect_refusal(entry("F32", "[4.0]", "[0,16]"), "not a list of counts");
  expect_refusal(entry("F32", "4", "[0,16]"), "shape of tensor");
  expect_refusal(entry("BF16", "[8]", "[0,16]"), R"(has dtype "BF16")");
  expect_refusal(entry("F32", "[4]", "[16,0]"), "not a begin and an end");
  expect_refusal(entry("F32", "[4]", "[0]"), "not a begin and an end");
  expect_refusal(entry("F32", "[4]", "{}"), "data_offsets of tensor");
  expect_refusal(entry("F32", "[5]", "[0,20]"), "cut short");
  expect_refusal(entry("F32", "[3]", "[4,16]"), "leaves a gap");
  expect_refusal(entry("F32", "[3]", "[0,12]"), "4 bytes follow");
  expect_refusal(with_header(R"({"w":3})", 0), "not described by an object");
  expect_refusal(with_header(R"({"w":{"shape":[],"data_offsets":[0,4]}})", 4), "has no dtype");
  expect_refusal(with_header(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
                             R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
                             12),
                 R"("b" overlaps)");
}

TEST_F(Safetensors, SurvivesEveryChangedByte) {
  write_safetensors(path_, example());
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char change : {'\x01', '\x02', '\x20', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      put(changed);
      try {
        read_safetensors(path_);
      } catch (const InputError&) {
      }
    }
  }
}

}  // namespace
}  // namespace gdkm
