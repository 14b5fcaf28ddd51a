#include "gdkm/data/formats/pickle/pickle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gdkm/data/formats/pickle/pickle_classes.hpp"
#include "gdkm/data/formats/pickle/pickle_input.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

struct Refused {
  std::uint8_t opcode;
  const char* name;
};

/// Opcodes that no published data set needs.
constexpr Refused refused[] = {
    {'I', "INT"},        {'L', "LONG"},         {'F', "FLOAT"},
    {'S', "STRING"},     {'V', "UNICODE"},      {'P', "PERSID"},
    {'Q', "BINPERSID"},  {'i', "INST"},         {'o', "OBJ"},
    {'l', "LIST"},       {'d', "DICT"},         {'p', "PUT"},
    {'g', "GET"},        {'0', "POP"},          {'1', "POP_MARK"},
    {'2', "DUP"},        {0x80, "PROTO"},       {0x82, "EXT1"},
    {0x83, "EXT2"},      {0x84, "EXT4"},        {0x8b, "LONG4"},
    {0x8f, "EMPTY_SET"}, {0x90, "ADDITEMS"},    {0x91, "FROZENSET"},
    {0x92, "NEWOBJ_EX"}, {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"},
};

/// "INST (0x69)".
std::string opcode_name(std::uint8_t opcode) {
  for (const Refused& entry : refused) {
    if (entry.opcode == opcode) return fmt::format("{} (0x{:02x})", entry.name, opcode);
  }
  return fmt::format("0x{:02x}", opcode);
}

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
    if (start.size() < 2 || start[0] != '\x80' || start[1] < 2 || start[1] > 5)
      refuse("{}: is not a Python pickle of protocol 2 to 5; {}", text_->where, pickle_remedy);
    try {
      input_.take(2);
      while (step()) continue;
      const PickleId root = pop();
      if (!stack_.empty() || !marks_.empty()) refuse("the pickle ends with values left over");
      if (!input_.at_end()) refuse("data follows after the end of the pickle");
      return {std::move(text_), std::move(values_), root};
    } catch (const InputError& error) {
      refuse("{}: byte {}: {}; {}", text_->where, opcode_at_, error.message(), pickle_remedy);
    }
  }

 private:
  static constexpr PickleId none = 0, no = 1, yes = 2, empty_tuple = 3;

  void push_id(PickleId id) { stack_.push_back(id); }

  void push(PickleValue value) {
    if (values_.size() >= no_pickle_value) refuse("the pickle has more than 2^32 values");
    values_.push_back(std::move(value));
    push_id(static_cast<PickleId>(values_.size() - 1));
  }

  PickleId top() const {
    if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) refuse("a value is missing on the stack");
    return stack_.back();
  }

  PickleId pop() {
    const PickleId out = top();
    stack_.pop_back();
    return out;
  }

  std::vector<PickleId> pop_to_mark() {
    if (marks_.empty()) refuse("a mark is missing on the stack");
    const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<PickleId> out(begin, stack_.end());
    stack_.erase(begin, stack_.end());
    marks_.pop_back();
    return out;
  }

  template <class T>
  T& expect(PickleId id, const char* what) {
    auto* out = std::get_if<T>(&values_[id]);
    if (out == nullptr) refuse("expected {} on the stack", what);
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
    if (items.size() % 2 != 0) refuse("a key has no value");
    for (std::size_t k = 0; k < items.size(); k += 2) dict.emplace_back(items[k], items[k + 1]);
  }

  /// Writers number memo entries by counting, so a number beyond the bytes read so far means damage.
  void remember(std::size_t index) {
    if (index > input_.at()) refuse("the memo number {} is out of range", index);
    if (index >= memo_.size()) memo_.resize(index + 1, no_pickle_value);
    if (memo_[index] == no_pickle_value) ++remembered_;
    memo_[index] = top();
  }

  void recall(std::size_t index) {
    if (index >= memo_.size() || memo_[index] == no_pickle_value) refuse("the memo has no value {}", index);
    push_id(memo_[index]);
  }

  void push_class(std::string_view module, std::string_view name) {
    const auto found = find_pickle_class(module, name);
    if (!found)
      refuse("the class or function {}.{} is not supported", pickle_shown(module), pickle_shown(name));
    push(*found);
  }

  template <class Count>
  void push_text(bool is_unicode) {
    push(PickleText{input_.counted<Count>(), is_unicode});
  }

  template <class Count>
  void push_bytes() {
    push(PickleBytes{input_.counted<Count>(), false});
  }

  template <class Stored>
  void push_integer() {
    push(std::int64_t{static_cast<Stored>(input_.number<std::make_unsigned_t<Stored>>())});
  }

  void append() {
    const PickleId item = pop();
    extend({item});
  }

  void set_item() {
    const PickleId value = pop(), key = pop();
    set_items({key, value});
  }

  void push_named_class() {
    const auto module = input_.line(), name = input_.line();
    push_class(module, name);
  }

  void push_stacked_class() {
    const PickleId name = pop(), module = pop();
    push_class(expect<PickleText>(module, "a name").view, expect<PickleText>(name, "a name").view);
  }

  void call() {
    const PickleId arguments = pop(), callee = pop();
    push(pickle_call(values_, callee, arguments));
  }

  void build() {
    const PickleId state = pop();
    pickle_build(values_, top(), state);
  }

  using Step = void (*)(PickleReader&);
  static std::array<Step, 256> make_steps();

  /// Executes one opcode; false at the end of the pickle.
  bool step() {
    static const auto step_of = make_steps();
    opcode_at_ = input_.at();
    const auto code = input_.number<std::uint8_t>();
    if (code == '.') return false;  // STOP
    if (step_of[code] == nullptr) refuse("the opcode {} is not supported", opcode_name(code));
    step_of[code](*this);
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

/// The supported opcodes, with their names in Python's pickletools.
std::array<PickleReader::Step, 256> PickleReader::make_steps() {
  using R = PickleReader;
  const std::pair<std::uint8_t, Step> supported[] = {
      {0x95, [](R& r) { r.input_.take(8); }},                             // FRAME
      {'(', [](R& r) { r.marks_.push_back(r.stack_.size()); }},           // MARK
      {'N', [](R& r) { r.push_id(none); }},                               // NONE
      {0x88, [](R& r) { r.push_id(yes); }},                               // NEWTRUE
      {0x89, [](R& r) { r.push_id(no); }},                                // NEWFALSE
      {'J', [](R& r) { r.push_integer<std::int32_t>(); }},                // BININT
      {'K', [](R& r) { r.push_integer<std::uint8_t>(); }},                // BININT1
      {'M', [](R& r) { r.push_integer<std::uint16_t>(); }},               // BININT2
      {0x8a, [](R& r) { r.push(r.input_.long_integer()); }},              // LONG1
      {'G', [](R& r) { r.push(r.input_.real()); }},                       // BINFLOAT
      {'U', [](R& r) { r.push_text<std::uint8_t>(false); }},              // SHORT_BINSTRING
      {'T', [](R& r) { r.push_text<std::uint32_t>(false); }},             // BINSTRING
      {0x8c, [](R& r) { r.push_text<std::uint8_t>(true); }},              // SHORT_BINUNICODE
      {'X', [](R& r) { r.push_text<std::uint32_t>(true); }},              // BINUNICODE
      {0x8d, [](R& r) { r.push_text<std::uint64_t>(true); }},             // BINUNICODE8
      {'C', [](R& r) { r.push_bytes<std::uint8_t>(); }},                  // SHORT_BINBYTES
      {'B', [](R& r) { r.push_bytes<std::uint32_t>(); }},                 // BINBYTES
      {0x8e, [](R& r) { r.push_bytes<std::uint64_t>(); }},                // BINBYTES8
      {0x96, [](R& r) { r.push_bytes<std::uint64_t>(); }},                // BYTEARRAY8
      {']', [](R& r) { r.push(PickleList{}); }},                          // EMPTY_LIST
      {'a', [](R& r) { r.append(); }},                                    // APPEND
      {'e', [](R& r) { r.extend(r.pop_to_mark()); }},                     // APPENDS
      {')', [](R& r) { r.push_id(empty_tuple); }},                        // EMPTY_TUPLE
      {'t', [](R& r) { r.push(PickleTuple{r.pop_to_mark()}); }},          // TUPLE
      {0x85, [](R& r) { r.push_tuple(1); }},                              // TUPLE1
      {0x86, [](R& r) { r.push_tuple(2); }},                              // TUPLE2
      {0x87, [](R& r) { r.push_tuple(3); }},                              // TUPLE3
      {'}', [](R& r) { r.push(PickleDict{}); }},                          // EMPTY_DICT
      {'s', [](R& r) { r.set_item(); }},                                  // SETITEM
      {'u', [](R& r) { r.set_items(r.pop_to_mark()); }},                  // SETITEMS
      {'q', [](R& r) { r.remember(r.input_.number<std::uint8_t>()); }},   // BINPUT
      {'r', [](R& r) { r.remember(r.input_.number<std::uint32_t>()); }},  // LONG_BINPUT
      {0x94, [](R& r) { r.remember(r.remembered_); }},                    // MEMOIZE
      {'h', [](R& r) { r.recall(r.input_.number<std::uint8_t>()); }},     // BINGET
      {'j', [](R& r) { r.recall(r.input_.number<std::uint32_t>()); }},    // LONG_BINGET
      {'c', [](R& r) { r.push_named_class(); }},                          // GLOBAL
      {0x93, [](R& r) { r.push_stacked_class(); }},                       // STACK_GLOBAL
      {'R', [](R& r) { r.call(); }},                                      // REDUCE
      {0x81, [](R& r) { r.call(); }},                                     // NEWOBJ
      {'b', [](R& r) { r.build(); }},                                     // BUILD
  };
  std::array<Step, 256> out{};
  for (const auto& [code, step] : supported) out[code] = step;
  return out;
}

}  // namespace

std::optional<PickleId> Pickle::find(const PickleDict& dict, std::string_view key) const {
  // As in Python, the last of several equal keys wins.
  for (auto item = dict.items.rbegin(); item != dict.items.rend(); ++item) {
    const auto* text = get<PickleText>(item->first);
    if (text != nullptr && text->view == key) return item->second;
  }
  return std::nullopt;
}

Pickle read_pickle(Text text, std::size_t start) {
  return PickleReader(std::make_shared<const Text>(std::move(text)), start).read();
}

}  // namespace gdkm
