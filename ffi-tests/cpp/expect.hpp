// What the programs check with: a failed expectation says where, and fails the program.
#ifndef EXPECT_HPP
#define EXPECT_HPP

#include <cmath>
#include <cstdio>

// How many expectations have failed.
inline int failures = 0;

inline void expect(bool holds, const char* what, const char* file, int line) {
  if (holds) return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
  ++failures;
}

#define EXPECT(condition) expect(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
#define EXPECT_NEAR(a, b, tolerance) \
  expect(std::fabs((a) - (b)) <= (tolerance), #a " is " #b, __FILE__, __LINE__)

#endif  // EXPECT_HPP
