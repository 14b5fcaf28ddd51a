#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include "gdkm/support/option_mention.hpp"

namespace gdkm {

/// An error whose message may mention options (see option_mention.hpp). what() spells them as the library
/// does, spelled() as the caller does.
class Error : public std::runtime_error {
 public:
  explicit Error(std::string message)
      : std::runtime_error(spell_options(message)), message_(std::move(message)) {}

  /// The message with its mentions, for an error that is made of this one.
  const std::string& message() const { return message_; }
  std::string spelled(const OptionSpelling& spelling) const { return spell_options(message_, spelling); }

 private:
  std::string message_;
};

/// What the user gave cannot be used. The message says what was received, where, and what to do. Exit
/// status 2.
class InputError : public Error {
 public:
  using Error::Error;
};

/// An option cannot have this value, or has no effect where it was given.
class OptionError : public InputError {
 public:
  OptionError(std::string field, std::string value, std::string problem, std::string remedy)
      : InputError(option(field, value) + ": " + problem + (remedy.empty() ? "" : "; " + remedy)),
        field_(std::move(field)),
        value_(std::move(value)),
        problem_(std::move(problem)),
        remedy_(std::move(remedy)) {}

  const std::string& field() const { return field_; }  // the option's name, with '_': batch_size
  const std::string& value() const { return value_; }  // as text; empty where the value does not matter
  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }

 private:
  std::string field_, value_, problem_, remedy_;
};

/// A computation broke down and could not be recovered. Exit status 3.
class NumericalError : public Error {
 public:
  using Error::Error;
};

}  // namespace gdkm
