#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>

#include "gdkm/store/run_export.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

static_assert(std::endian::native == std::endian::little, "Parquet is little-endian");

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// The part of Thrift's compact protocol that Parquet's headers use.
class Thrift {
 public:
  enum Type : unsigned char { i32 = 5, i64 = 6, binary = 8, list = 9, structure = 12 };

  void whole(int field, Type type, std::int64_t value) {
    begin(field, type);
    zigzag(value);
  }
  void text(int field, const std::string& value) {
    begin(field, binary);
    bytes(value);
  }
  void object(int field, const std::function<void()>& write) {
    begin(field, structure);
    element(write);
  }
  void objects(int field, std::size_t count, const std::function<void(std::size_t)>& write) {
    begin_list(field, structure, count);
    for (std::size_t k = 0; k < count; ++k) element([&] { write(k); });
  }
  void texts(int field, const std::vector<std::string>& values) {
    begin_list(field, binary, values.size());
    for (const auto& value : values) bytes(value);
  }
  void wholes(int field, const std::vector<std::int64_t>& values) {
    begin_list(field, i32, values.size());
    for (const auto value : values) zigzag(value);
  }
  /// Ends the outermost struct and returns the bytes.
  std::string end() {
    out_ += '\0';
    return std::move(out_);
  }

 private:
  void begin(int field, Type type) {
    out_ += static_cast<char>(((field - last_) << 4) | type);  // fields ascend by less than 16 here
    last_ = field;
  }
  void begin_list(int field, Type type, std::size_t count) {
    begin(field, list);
    if (count < 15) {
      out_ += static_cast<char>((count << 4) | type);
    } else {
      out_ += static_cast<char>(0xF0 | type);
      append_varint(out_, count);
    }
  }
  void element(const std::function<void()>& write) {
    const int outer = last_;
    last_ = 0;
    write();
    out_ += '\0';
    last_ = outer;
  }
  void zigzag(std::int64_t value) {
    append_varint(out_, (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void bytes(const std::string& value) {
    append_varint(out_, value.size());
    out_ += value;
  }

  std::string out_;
  int last_ = 0;
};

using Kind = ExportTable::Kind;
enum ParquetType { boolean_type = 0, int64_type = 2, double_type = 5, byte_array_type = 6 };
enum { plain = 0, rle = 3, optional = 1, utf8 = 0, data_page = 0, uncompressed = 0 };

ParquetType type_of(Kind kind) {
  constexpr ParquetType types[] = {byte_array_type, int64_type, double_type, boolean_type};
  return types[static_cast<std::size_t>(kind)];
}

template <class T>
void append(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

/// Definition levels (1 where a row has a value), run-length encoded.
std::string levels(const std::vector<nlohmann::json>& values) {
  std::string out;
  for (std::size_t k = 0; k < values.size();) {
    const bool present = !values[k].is_null();
    std::size_t end = k;
    while (end < values.size() && values[end].is_null() != present) ++end;
    append_varint(out, static_cast<std::uint64_t>(end - k) << 1);
    out += static_cast<char>(present ? 1 : 0);
    k = end;
  }
  return out;
}

std::string page(const ExportTable::Column& column) {
  const std::string defined = levels(column.values);
  std::string out;
  append(out, static_cast<std::uint32_t>(defined.size()));
  out += defined;
  unsigned bit = 0;
  for (const auto& value : column.values) {
    if (value.is_null()) continue;
    switch (column.kind) {
      case Kind::whole:
        append(out, value.get<std::int64_t>());
        break;
      case Kind::real:
        append(out, value.get<double>());
        break;
      case Kind::flag:
        if (bit % 8 == 0) out += '\0';
        if (value.get<bool>()) out.back() = static_cast<char>(out.back() | (1 << (bit % 8)));
        ++bit;
        break;
      case Kind::text: {
        const std::string text = value.get<std::string>();
        append(out, static_cast<std::uint32_t>(text.size()));
        out += text;
      }
    }
  }
  return out;
}

std::string page_header(std::size_t size, std::size_t rows) {
  Thrift header;
  header.whole(1, Thrift::i32, data_page);
  header.whole(2, Thrift::i32, static_cast<std::int64_t>(size));
  header.whole(3, Thrift::i32, static_cast<std::int64_t>(size));
  header.object(5, [&] {
    header.whole(1, Thrift::i32, static_cast<std::int64_t>(rows));
    header.whole(2, Thrift::i32, plain);
    header.whole(3, Thrift::i32, rle);
    header.whole(4, Thrift::i32, rle);
  });
  return header.end();
}

}  // namespace

std::string to_parquet(const ExportTable& table) {
  const auto& columns = table.columns;
  const auto rows = static_cast<std::int64_t>(table.rows());
  std::string out = "PAR1";
  std::vector<std::int64_t> start, size;
  for (const auto& column : columns) {
    const std::string body = page(column), header = page_header(body.size(), table.rows());
    start.push_back(static_cast<std::int64_t>(out.size()));
    size.push_back(static_cast<std::int64_t>(header.size() + body.size()));
    out += header + body;
  }
  Thrift footer;
  footer.whole(1, Thrift::i32, 1);
  footer.objects(2, columns.size() + 1, [&](std::size_t k) {
    if (k == 0) {
      footer.text(4, "schema");
      footer.whole(5, Thrift::i32, static_cast<std::int64_t>(columns.size()));
      return;
    }
    const auto& column = columns[k - 1];
    footer.whole(1, Thrift::i32, type_of(column.kind));
    footer.whole(3, Thrift::i32, optional);
    footer.text(4, column.name);
    if (column.kind == Kind::text) footer.whole(6, Thrift::i32, utf8);
  });
  footer.whole(3, Thrift::i64, rows);
  footer.objects(4, 1, [&](std::size_t) {
    footer.objects(1, columns.size(), [&](std::size_t k) {
      footer.whole(2, Thrift::i64, start[k]);
      footer.object(3, [&] {
        footer.whole(1, Thrift::i32, type_of(columns[k].kind));
        footer.wholes(2, {plain, rle});
        footer.texts(3, {columns[k].name});
        footer.whole(4, Thrift::i32, uncompressed);
        footer.whole(5, Thrift::i64, rows);
        footer.whole(6, Thrift::i64, size[k]);
        footer.whole(7, Thrift::i64, size[k]);
        footer.whole(9, Thrift::i64, start[k]);
      });
    });
    footer.whole(2, Thrift::i64, static_cast<std::int64_t>(out.size()) - 4);
    footer.whole(3, Thrift::i64, rows);
  });
  footer.text(6, "gdkm " + std::string(version));
  const std::string end = footer.end();
  out += end;
  append(out, static_cast<std::uint32_t>(end.size()));
  return out + "PAR1";
}

}  // namespace gdkm
