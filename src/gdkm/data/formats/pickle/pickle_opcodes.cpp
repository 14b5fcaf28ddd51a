#include "gdkm/data/formats/pickle/pickle_opcodes.hpp"

#include <fmt/format.h>

namespace gdkm {
namespace {

struct Refused {
  std::uint8_t opcode;
  const char* name;
};

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

}  // namespace

std::string pickle_opcode_name(std::uint8_t opcode) {
  for (const Refused& entry : refused) {
    if (entry.opcode == opcode) return fmt::format("{} (0x{:02x})", entry.name, opcode);
  }
  return fmt::format("0x{:02x}", opcode);
}

}  // namespace gdkm
