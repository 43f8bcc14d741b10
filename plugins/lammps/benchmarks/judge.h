// A judge of contacts: superovoids by their support functions, written for this purpose alone.
//
// Of a superellipsoid with the exponents n1 = 2/e2 (along z) and n2 = 2/e1 (across),
//
//   (|x/a|^n2 + |y/b|^n2)^(n1/n2) + |z/c|^n1 <= 1,
//
// which is the unit ball of a norm, the support function is the dual norm, whose exponents are n / (n - 1). With tapers it is
// the largest value over the sections: at the height c s the section has the half-widths a (1 + tx s) w and b (1 + ty s) w with
// w = (1 - |s|^n1)^(1/n1), and what it reaches is concave in s for a convex body.
//
// The signed distance of two convex bodies is the largest value, over all unit vectors u, of
// g(u) = u.(c_B - c_A) - h_A(u) - h_B(-u): positive apart, minus the least translation that separates them where they overlap.
// Every u proves a lower bound of it. Exponents n must be more than 1, e less than 2.

#ifndef SUPEROVOID_JUDGE_H
#define SUPEROVOID_JUDGE_H

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

namespace judge {

struct Body {
  double axes[3], n1, n2, tapers[2];
  double x[3], quat[4];    // w x y z
  double R[3][3];          // body to world

  void turn()
  {
    const double w = quat[0], i = quat[1], j = quat[2], k = quat[3];
    const double m[3][3] = {{1 - 2 * (j * j + k * k), 2 * (i * j - w * k), 2 * (i * k + w * j)},
                            {2 * (i * j + w * k), 1 - 2 * (i * i + k * k), 2 * (j * k - w * i)},
                            {2 * (i * k - w * j), 2 * (j * k + w * i), 1 - 2 * (i * i + j * j)}};
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) R[r][c] = m[r][c];
  }

  double support(const double *u) const
  {
    double v[3];
    for (int c = 0; c < 3; c++) v[c] = (R[0][c] * u[0] + R[1][c] * u[1] + R[2][c] * u[2]) * axes[c];
    if (tapers[0] != 0 || tapers[1] != 0) return over_sections(v);
    for (double &x : v) x = std::fabs(x);
    const double q1 = n1 / (n1 - 1), q2 = n2 / (n2 - 1);
    const double across = std::pow(std::pow(v[0], q2) + std::pow(v[1], q2), 1 / q2);
    return std::pow(std::pow(across, q1) + std::pow(v[2], q1), 1 / q1);
  }

  // The largest reach of the sections, by golden-section search.
  double over_sections(const double *v) const
  {
    const double q2 = n2 / (n2 - 1), golden = 0.6180339887498949;
    const auto reach = [&](double s) {
      const double w = std::pow(std::max(0.0, 1 - std::pow(std::fabs(s), n1)), 1 / n1);
      const double x = std::fabs(v[0]) * (1 + tapers[0] * s), y = std::fabs(v[1]) * (1 + tapers[1] * s);
      return v[2] * s + w * std::pow(std::pow(x, q2) + std::pow(y, q2), 1 / q2);
    };
    double low = -1, high = 1, s = high - golden * (high - low), t = low + golden * (high - low), f = reach(s), g = reach(t);
    for (int k = 0; k < 40; k++) {
      if (f > g) high = t, t = s, g = f, s = high - golden * (high - low), f = reach(s);
      else low = s, s = t, f = g, t = low + golden * (high - low), g = reach(t);
    }
    return std::max({f, g, reach(-1), reach(1)});
  }

  // The factor by which the body must grow to reach a point of this direction; without tapers.
  double norm(const double *d) const
  {
    double v[3];
    for (int c = 0; c < 3; c++) v[c] = std::fabs((R[0][c] * d[0] + R[1][c] * d[1] + R[2][c] * d[2]) / axes[c]);
    const double across = std::pow(std::pow(v[0], n2) + std::pow(v[1], n2), 1 / n2);
    return std::pow(std::pow(across, n1) + std::pow(v[2], n1), 1 / n1);
  }
};

inline double gap(const Body &a, const Body &b, const double *u)
{
  const double minus[3] = {-u[0], -u[1], -u[2]};
  double along = 0;
  for (int k = 0; k < 3; k++) along += u[k] * (b.x[k] - a.x[k]);
  return along - a.support(u) - b.support(minus);
}

struct Found {
  double gap, u[3];
};

// Climbs from a direction: steps along two random tangents at a time, which grow with success and shrink without.
inline Found climb(const Body &a, const Body &b, Found at, double step, std::mt19937_64 &random)
{
  std::normal_distribution<double> normal;
  // Rounding alone is no gain.
  const double least = 1e-15 * (std::fabs(at.gap) + a.axes[0] + a.axes[1] + a.axes[2] + b.axes[0] + b.axes[1] + b.axes[2]);
  int idle = 0;
  for (int tries = 0; step > 1e-9 && tries < 3000; tries++) {
    double t[3], length = 0, along = 0;
    for (double &x : t) x = normal(random);
    for (int k = 0; k < 3; k++) along += t[k] * at.u[k];
    for (int k = 0; k < 3; k++) t[k] -= along * at.u[k], length += t[k] * t[k];
    bool better = false;
    for (int side = -1; side <= 1 && !better; side += 2) {
      Found next;
      double norm = 0;
      for (int k = 0; k < 3; k++) next.u[k] = at.u[k] + side * step * t[k] / std::sqrt(length), norm += next.u[k] * next.u[k];
      for (double &x : next.u) x /= std::sqrt(norm);
      next.gap = gap(a, b, next.u);
      if (next.gap > at.gap + least) at = next, better = true;
    }
    if (better) step = std::min(0.3, 1.6 * step), idle = 0;
    else if (++idle >= 4) step *= 0.5, idle = 0;
  }
  return at;
}

// The signed distance: the best of some directions over the sphere and of the hints, and climbs from the best of these.
inline Found distance(const Body &a, const Body &b, const std::vector<std::array<double, 3>> &hints, std::mt19937_64 &random,
                      int count = 400, int climbs = 8)
{
  std::vector<Found> starts;
  const auto add = [&](double x, double y, double z) {
    const double norm = std::sqrt(x * x + y * y + z * z);
    if (!(norm > 0) || !std::isfinite(norm)) return;
    Found f = {0, {x / norm, y / norm, z / norm}};
    f.gap = gap(a, b, f.u);
    starts.push_back(f);
  };
  for (int k = 0; k < count; k++) {
    const double z = 1 - (2 * k + 1.0) / count, r = std::sqrt(1 - z * z), turn = 2.399963229728653 * k;
    add(r * std::cos(turn), r * std::sin(turn), z);
  }
  add(b.x[0] - a.x[0], b.x[1] - a.x[1], b.x[2] - a.x[2]);
  for (const Body *body : {&a, &b})
    for (int c = 0; c < 3; c++)
      for (int side = -1; side <= 1; side += 2) add(side * body->R[0][c], side * body->R[1][c], side * body->R[2][c]);
  for (const auto &hint : hints) add(hint[0], hint[1], hint[2]);
  std::sort(starts.begin(), starts.end(), [](const Found &p, const Found &q) { return p.gap > q.gap; });
  Found best = starts[0];
  for (int k = 0; k < climbs; k++) {
    const Found top = climb(a, b, starts[k], 0.1, random);
    if (top.gap > best.gap) best = top;
  }
  return best;
}

}    // namespace judge

#endif
