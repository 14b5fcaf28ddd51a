#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/formats/pickle/pickle.hpp"
#include "gdkm/data/formats/pickle/pickle_classes.hpp"
#include "gdkm/data/formats/pickle/pickle_input.hpp"
#include "gdkm/data/formats/pickle/pickle_opcodes.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

constexpr const char* remedy = "fetch the published file, or pickle it again";

/// The stack machine of pickle. Each step takes at least one byte of the file and makes at most one value, so
/// time and memory are proportional to the file.
class PickleReader {
 public:
  PickleReader(std::shared_ptr<const Text> text, std::size_t start)
      : text_(std::move(text)), start_(start), opcode_at_(start), input_(text_->bytes, start) {
    values_ = {PickleNone{}, false, true, PickleTuple{}};
  }

  Pickle read() {
    const auto start = std::string_view(text_->bytes).substr(std::min(start_, text_->bytes.size()));
    if (start.size() < 2 || start[0] != '\x80' || start[1] < 2 || start[1] > 5) {
      throw InputError(
          fmt::format("{}: is not a Python pickle of protocol 2 to 5; {}", text_->where, remedy));
    }
    try {
      input_.take(2);
      while (step()) continue;
      const PickleId root = pop();
      if (!stack_.empty() || !marks_.empty()) fail("the pickle ends with values left over");
      if (!input_.at_end()) fail("data follows after the end of the pickle");
      return {std::move(text_), std::move(values_), root};
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: byte {}: {}; {}", text_->where, opcode_at_, error.message(), remedy));
    }
  }

 private:
  static constexpr PickleId none = 0, no = 1, yes = 2, empty_tuple = 3;

  /// read() adds the place.
  [[noreturn]] static void fail(const std::string& what) { throw InputError(what); }

  void push_id(PickleId id) { stack_.push_back(id); }

  void push(PickleValue value) {
    if (values_.size() >= no_pickle_value) fail("the pickle has more than 2^32 values");
    values_.push_back(std::move(value));
    push_id(static_cast<PickleId>(values_.size() - 1));
  }

  PickleId top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail("a value is missing on the stack");
    return stack_.back();
  }

  PickleId pop() {
    const PickleId out = top();
    stack_.pop_back();
    return out;
  }

  std::vector<PickleId> pop_to_mark() {
    if (marks_.empty()) fail("a mark is missing on the stack");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> out(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return out;
  }

  template <class T>
  T& expect(PickleId id, const char* what) {
    auto* out = std::get_if<T>(&values_[id]);
    if (out == nullptr) fail(fmt::format("expected {} on the stack", what));
    return *out;
  }

  void push_tuple(std::size_t size) {
    PickleTuple out{std::vector<PickleId>(size)};
    for (std::size_t k = size; k-- > 0;) out.items[k] = pop();
    push(std::move(out));
  }

  void extend(const std::vector<PickleId>& items) {
    auto& list = expect<PickleList>(top(), "a list").items;
    list.insert(list.end(), items.begin(), items.end());
  }

  void set_items(const std::vector<PickleId>& items) {
    auto& dict = expect<PickleDict>(top(), "a dict").items;
    if (items.size() % 2 != 0) fail("a key has no value");
    for (std::size_t k = 0; k < items.size(); k += 2) dict.emplace_back(items[k], items[k + 1]);
  }

  /// Writers number memo entries by counting, so a number beyond the bytes read so far means damage.
  void remember(std::size_t index) {
    if (index > input_.at()) fail(fmt::format("the memo number {} is out of range", index));
    if (index >= memo_.size()) memo_.resize(index + 1, no_pickle_value);
    if (memo_[index] == no_pickle_value) ++remembered_;
    memo_[index] = top();
  }

  void recall(std::size_t index) {
    if (index >= memo_.size() || memo_[index] == no_pickle_value) {
      fail(fmt::format("the memo has no value {}", index));
    }
    push_id(memo_[index]);
  }

  void push_class(std::string_view module, std::string_view name) {
    const auto found = find_pickle_class(module, name);
    if (!found) {
      fail(fmt::format("the class or function {}.{} is not supported", pickle_shown(module),
                       pickle_shown(name)));
    }
    push(*found);
  }

  /// Executes one opcode; false at the end of the pickle.
  bool step() {
    using enum PickleOp;
    opcode_at_ = input_.at();
    const auto opcode = input_.number<std::uint8_t>();
    switch (static_cast<PickleOp>(opcode)) {
      case stop:
        return false;
      case frame:
        input_.take(8);
        break;
      case mark:
        marks_.push_back(stack_.size());
        break;
      case PickleOp::none:
        push_id(PickleReader::none);
        break;
      case newtrue:
        push_id(yes);
        break;
      case newfalse:
        push_id(no);
        break;
      case binint:
        push(std::int64_t{static_cast<std::int32_t>(input_.number<std::uint32_t>())});
        break;
      case binint1:
        push(std::int64_t{input_.number<std::uint8_t>()});
        break;
      case binint2:
        push(std::int64_t{input_.number<std::uint16_t>()});
        break;
      case long1:
        push(input_.long_integer());
        break;
      case binfloat:
        push(input_.real());
        break;
      case short_binstring:
        push(PickleText{input_.counted<std::uint8_t>(), false});
        break;
      case binstring:
        push(PickleText{input_.counted<std::uint32_t>(), false});
        break;
      case short_binunicode:
        push(PickleText{input_.counted<std::uint8_t>(), true});
        break;
      case binunicode:
        push(PickleText{input_.counted<std::uint32_t>(), true});
        break;
      case binunicode8:
        push(PickleText{input_.counted<std::uint64_t>(), true});
        break;
      case short_binbytes:
        push(PickleBytes{input_.counted<std::uint8_t>(), false});
        break;
      case binbytes:
        push(PickleBytes{input_.counted<std::uint32_t>(), false});
        break;
      case binbytes8:
      case bytearray8:
        push(PickleBytes{input_.counted<std::uint64_t>(), false});
        break;
      case empty_list:
        push(PickleList{});
        break;
      case PickleOp::append: {
        const PickleId item = pop();
        extend({item});
        break;
      }
      case appends:
        extend(pop_to_mark());
        break;
      case PickleOp::empty_tuple:
        push_id(PickleReader::empty_tuple);
        break;
      case tuple:
        push(PickleTuple{pop_to_mark()});
        break;
      case tuple1:
        push_tuple(1);
        break;
      case tuple2:
        push_tuple(2);
        break;
      case tuple3:
        push_tuple(3);
        break;
      case empty_dict:
        push(PickleDict{});
        break;
      case setitem: {
        const PickleId value = pop(), key = pop();
        set_items({key, value});
        break;
      }
      case setitems:
        set_items(pop_to_mark());
        break;
      case binput:
        remember(input_.number<std::uint8_t>());
        break;
      case long_binput:
        remember(input_.number<std::uint32_t>());
        break;
      case memoize:
        remember(remembered_);
        break;
      case binget:
        recall(input_.number<std::uint8_t>());
        break;
      case long_binget:
        recall(input_.number<std::uint32_t>());
        break;
      case global: {
        const auto module = input_.line(), name = input_.line();
        push_class(module, name);
        break;
      }
      case stack_global: {
        const PickleId name = pop(), module = pop();
        push_class(expect<PickleText>(module, "a name").view, expect<PickleText>(name, "a name").view);
        break;
      }
      case reduce:
      case newobj: {
        const PickleId arguments = pop(), callee = pop();
        push(pickle_call(values_, callee, arguments));
        break;
      }
      case build: {
        const PickleId state = pop();
        pickle_build(values_, top(), state);
        break;
      }
      default:
        fail(fmt::format("the opcode {} is not supported", pickle_opcode_name(opcode)));
    }
    return true;
  }

  std::shared_ptr<const Text> text_;
  std::size_t start_, opcode_at_;
  PickleInput input_;
  PickleValues values_;
  std::vector<PickleId> stack_, memo_;
  std::size_t remembered_ = 0;
  std::vector<std::size_t> marks_;
};

}  // namespace

Pickle read_pickle(Text text, std::size_t start) {
  return PickleReader(std::make_shared<const Text>(std::move(text)), start).read();
}

}  // namespace gdkm
