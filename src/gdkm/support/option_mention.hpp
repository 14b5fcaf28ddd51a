#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace gdkm {

/// Options have one name everywhere (batch_size) and are spelled as the place where a message appears spells
/// them: `batch_size = 8` in the library, `--batch-size 8` on the command line. So a message does not spell
/// an option, it mentions it:
///
///     NumericalError("the loss is not finite; try a smaller " + option("lr") + " or " +
///                    option("precision", "float64"))

/// A mention of an option, alone or with a value, to be put into a message.
std::string option(std::string_view name, std::string_view value = {});

/// How some place spells an option and its value (empty where there is none).
using OptionSpelling = std::function<std::string(std::string_view name, std::string_view value)>;

/// The library's way: `lr`, `scheme = inter`.
std::string library_spelling(std::string_view name, std::string_view value);

/// `message` with every mention spelled out.
std::string spell_options(std::string_view message, const OptionSpelling& spelling = library_spelling);

}  // namespace gdkm
