// superovoid for C++17, over the C interface of superovoid.h.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef SUPEROVOID_HPP
#define SUPEROVOID_HPP

#include <stdexcept>
#include <string>

#include <superovoid.h>

namespace superovoid {

/// What the library refused: the status of the C call, and its text as what().
class error : public std::runtime_error {
 public:
  error(sovo_status status, const std::string& text) : std::runtime_error(text), status_(status) {}

  /// The status, never SOVO_OK.
  sovo_status status() const noexcept { return status_; }

 private:
  sovo_status status_;
};

/// Throws superovoid::error unless the call succeeded.
inline void check(sovo_status status) {
  if (status != SOVO_OK) throw error(status, sovo_last_error());
}

}  // namespace superovoid

#endif  // SUPEROVOID_HPP
