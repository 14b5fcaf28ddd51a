#pragma once

#include <string>
#include <string_view>

namespace gdkm {

/// Whether standard error is a terminal that can redraw a line.
bool stderr_is_terminal();
/// The width of that terminal in characters; 80 if unknown.
int terminal_columns();

/// The number of characters of UTF-8 text.
int character_count(std::string_view text);
/// The first `columns` characters of UTF-8 text. Control characters become spaces, because they would move
/// the cursor.
std::string first_characters(std::string_view text, int columns);

/// "1:02:03", or "0:40".
std::string duration_text(double seconds);

}  // namespace gdkm
