#pragma once

#include <cstdint>
#include <string>

namespace gdkm {

/// The supported opcodes, with the names of Python's pickletools.
enum class PickleOp : std::uint8_t {
  mark = '(',
  stop = '.',
  none = 'N',
  newtrue = 0x88,
  newfalse = 0x89,
  binint = 'J',
  binint1 = 'K',
  binint2 = 'M',
  long1 = 0x8a,
  binfloat = 'G',
  short_binstring = 'U',
  binstring = 'T',
  binunicode = 'X',
  short_binunicode = 0x8c,
  binunicode8 = 0x8d,
  binbytes = 'B',
  short_binbytes = 'C',
  binbytes8 = 0x8e,
  bytearray8 = 0x96,
  empty_list = ']',
  append = 'a',
  appends = 'e',
  empty_tuple = ')',
  tuple = 't',
  tuple1 = 0x85,
  tuple2 = 0x86,
  tuple3 = 0x87,
  empty_dict = '}',
  setitem = 's',
  setitems = 'u',
  binput = 'q',
  long_binput = 'r',
  memoize = 0x94,
  binget = 'h',
  long_binget = 'j',
  frame = 0x95,
  global = 'c',
  stack_global = 0x93,
  reduce = 'R',
  newobj = 0x81,
  build = 'b',
};

/// The name of an opcode in messages: "INST (0x69)".
std::string pickle_opcode_name(std::uint8_t opcode);

}  // namespace gdkm
