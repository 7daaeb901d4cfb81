// What an operation gives back when failing is ordinary: a value, or an Error whose Fault says what
// the caller can do about it. Nothing of ours throws.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace millrace {

// What the caller can do about an error.
enum class Fault {
  kTransient,  // Roll back, back off, try the same again.
  kRejected,   // These events can never be delivered as they are: set them aside.
  kConfig,     // The operator has to change something; the component stays down.
  kCorrupt,    // Stored bytes fail their checksum: quarantine, never skip in silence.
  kClosed,     // We are stopping.
};

std::string_view to_string(Fault fault);

// A fault and what was tried on what, in words for the operator. Logged once, by whoever handles
// it.
class [[nodiscard]] Error {
 public:
  Error(Fault fault, std::string message, int error_number = 0)
      : fault_(fault), error_number_(error_number), message_(std::move(message)) {}

  Fault fault() const { return fault_; }
  // The errno of the system call that failed; 0: there was none.
  int error_number() const { return error_number_; }
  const std::string& message() const { return message_; }

  // The same error with "context: " before its message.
  Error with(std::string_view context) &&;

 private:
  Fault fault_;
  int error_number_;
  std::string message_;
};

inline Error transient(std::string message) {
  return {Fault::kTransient, std::move(message)};
}
inline Error rejected(std::string message) {
  return {Fault::kRejected, std::move(message)};
}
inline Error bad_config(std::string message) {
  return {Fault::kConfig, std::move(message)};
}
inline Error corrupt(std::string message) {
  return {Fault::kCorrupt, std::move(message)};
}
inline Error closed(std::string message) {
  return {Fault::kClosed, std::move(message)};
}

// kTransient with "what: <text of errno>".
Error system_error(std::string_view what, int error_number);

template <class T = void>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &std::get<0>(state_); }

  const Error& error() const& { return std::get<1>(state_); }
  Error error() && { return std::get<1>(std::move(state_)); }

  Result with(std::string_view context) && {
    return ok() ? std::move(*this) : Result(std::move(*this).error().with(context));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  void value() const {}

  const Error& error() const& { return *error_; }
  Error error() && { return std::move(*error_); }

  Result with(std::string_view context) && {
    return ok() ? std::move(*this) : Result(std::move(*this).error().with(context));
  }

 private:
  std::optional<Error> error_;
};

}  // namespace millrace

// Evaluates a Result: its value, or a return of its error from the enclosing function. Stands alone
// or as a whole right-hand side.
#define TRY(...)                             \
  __extension__({                            \
    auto try_result_ = (__VA_ARGS__);        \
    if (!try_result_.ok()) {                 \
      return std::move(try_result_).error(); \
    }                                        \
    std::move(try_result_).value();          \
  })
