#include "gdkm/support/parquet.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>

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

enum { plain = 0, rle = 3, optional = 1, utf8 = 0, data_page = 0, uncompressed = 0 };

template <class T>
void append(std::string& out, T value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

/// Definition levels (1 where a row has a value), run-length encoded.
std::string levels(std::size_t rows, const std::vector<char>& present) {
  const auto has = [&](std::size_t k) { return present.empty() || present[k] != 0; };
  std::string out;
  for (std::size_t k = 0; k < rows;) {
    std::size_t end = k;
    while (end < rows && has(end) == has(k)) ++end;
    append_varint(out, static_cast<std::uint64_t>(end - k) << 1);
    out += static_cast<char>(has(k) ? 1 : 0);
    k = end;
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

void ParquetFile::add_column(const std::string& name, Type type, const std::vector<char>& present,
                             const std::string& values) {
  const std::string defined = levels(rows_, present);
  std::string body;
  append(body, static_cast<std::uint32_t>(defined.size()));
  body += defined;
  body += values;
  const std::string header = page_header(body.size(), rows_);
  columns_.push_back({name, type, static_cast<std::int64_t>(out_.size()),
                      static_cast<std::int64_t>(header.size() + body.size())});
  out_ += header;
  out_ += body;
}

void ParquetFile::add_texts(const std::string& name, std::span<const std::string> values,
                            const std::vector<char>& present) {
  std::string bytes;
  for (const std::string& text : values) {
    append(bytes, static_cast<std::uint32_t>(text.size()));
    bytes += text;
  }
  add_column(name, byte_array_type, present, bytes);
}

void ParquetFile::add_wholes(const std::string& name, std::span<const std::int64_t> values,
                             const std::vector<char>& present) {
  std::string bytes;
  for (const auto value : values) append(bytes, value);
  add_column(name, int64_type, present, bytes);
}

void ParquetFile::add_reals(const std::string& name, std::span<const double> values,
                            const std::vector<char>& present) {
  std::string bytes;
  for (const double value : values) append(bytes, value);
  add_column(name, double_type, present, bytes);
}

void ParquetFile::add_flags(const std::string& name, std::span<const char> values,
                            const std::vector<char>& present) {
  std::string bytes;
  for (std::size_t bit = 0; bit < values.size(); ++bit) {
    if (bit % 8 == 0) bytes += '\0';
    if (values[bit] != 0) bytes.back() = static_cast<char>(bytes.back() | (1 << (bit % 8)));
  }
  add_column(name, boolean_type, present, bytes);
}

std::string ParquetFile::bytes() && {
  const auto rows = static_cast<std::int64_t>(rows_);
  Thrift footer;
  footer.whole(1, Thrift::i32, 1);
  footer.objects(2, columns_.size() + 1, [&](std::size_t k) {
    if (k == 0) {
      footer.text(4, "schema");
      footer.whole(5, Thrift::i32, static_cast<std::int64_t>(columns_.size()));
      return;
    }
    const Column& column = columns_[k - 1];
    footer.whole(1, Thrift::i32, column.type);
    footer.whole(3, Thrift::i32, optional);
    footer.text(4, column.name);
    if (column.type == byte_array_type) footer.whole(6, Thrift::i32, utf8);
  });
  footer.whole(3, Thrift::i64, rows);
  footer.objects(4, 1, [&](std::size_t) {
    footer.objects(1, columns_.size(), [&](std::size_t k) {
      footer.whole(2, Thrift::i64, columns_[k].start);
      footer.object(3, [&] {
        footer.whole(1, Thrift::i32, columns_[k].type);
        footer.wholes(2, {plain, rle});
        footer.texts(3, {columns_[k].name});
        footer.whole(4, Thrift::i32, uncompressed);
        footer.whole(5, Thrift::i64, rows);
        footer.whole(6, Thrift::i64, columns_[k].size);
        footer.whole(7, Thrift::i64, columns_[k].size);
        footer.whole(9, Thrift::i64, columns_[k].start);
      });
    });
    footer.whole(2, Thrift::i64, static_cast<std::int64_t>(out_.size()) - 4);
    footer.whole(3, Thrift::i64, rows);
  });
  footer.text(6, "gdkm " + std::string(version));
  const std::string end = footer.end();
  out_ += end;
  append(out_, static_cast<std::uint32_t>(end.size()));
  return std::move(out_) + "PAR1";
}

}  // namespace gdkm
