// What the tests of superovoid/fcl.hpp share: checks that print where they fail, random bodies and poses.
#ifndef FCL_CHECK_HPP
#define FCL_CHECK_HPP

#include <cstdio>
#include <random>

#include <superovoid/fcl.hpp>

inline int failures = 0;

#define CHECK(condition) check_that(condition, #condition, __FILE__, __LINE__)

inline void check_that(bool condition, const char* text, const char* file, int line) {
  if (condition) return;
  if (++failures <= 20) std::fprintf(stderr, "%s:%d: %s\n", file, line, text);
}

#define CHECK_CLOSE(x, y, tolerance) check_close(x, y, tolerance, #x ", " #y, __FILE__, __LINE__)

inline void check_close(double x, double y, double tolerance, const char* text, const char* file,
                        int line) {
  if (std::abs(x - y) <= tolerance) return;
  if (++failures <= 20)
    std::fprintf(stderr, "%s:%d: %s: %.17g and %.17g\n", file, line, text, x, y);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }

  template <typename S>
  fcl::Vector3<S> vector(double size) {
    const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
    return fcl::Vector3<S>(S(x), S(y), S(z));
  }

  template <typename S>
  fcl::Transform3<S> pose(double size) {
    Eigen::Vector4d q;
    for (int i = 0; i < 4; ++i) q[i] = std::normal_distribution<double>()(engine_);
    fcl::Transform3<S> tf = fcl::Transform3<S>::Identity();
    tf.linear() = Eigen::Quaterniond(q.normalized()).toRotationMatrix().template cast<S>();
    tf.translation() = vector<S>(size);
    return tf;
  }

  /// Round, box-like and pointed, mostly tapered.
  template <typename S>
  std::shared_ptr<superovoid::fcl::Superovoid<S>> superovoid(double smallest, double largest,
                                                             double taper = 0.4) {
    const double a1 = between(smallest, largest), a2 = between(smallest, largest),
                 a3 = between(smallest, largest), e1 = between(0.1, 1.8), e2 = between(0.1, 1.8),
                 tx = between(-taper, taper), ty = between(-taper, taper);
    const bool equal = between(0, 1) < 0.5;
    return std::make_shared<superovoid::fcl::Superovoid<S>>(a1, a2, a3, e1, e2, tx, equal ? tx : ty);
  }

 private:
  std::mt19937_64 engine_;
};

#endif
