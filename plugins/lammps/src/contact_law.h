// The forces of a contact: Hooke or Hertz with damping along the normal, a spring with friction across it.
//
// Hooke:  F = kn d + gn m v,  tangential spring kt with damping gt m (as LAMMPS' gran/hooke/history).
// Hertz:  F = 4/3 E* sqrt(R d) d + damping that gives the coefficient of restitution e (Tsuji, Tanaka and Ishida 1992 with
//         Sn = 2 E* sqrt(R d)), Mindlin's tangential stiffness 8 G* sqrt(R d) without partial slip.
// d is the depth, exact as the library gives it; m the effective mass; R the effective radius of the spheres of the same
// volumes, as the force law knows no curvature. What is exact is the geometry, not the law.

#ifndef SUPEROVOID_CONTACT_LAW_H
#define SUPEROVOID_CONTACT_LAW_H

#include "vectors.h"

#include <algorithm>
#include <cmath>

namespace superovoid {

struct ContactLaw {
  enum Kind { HOOKE = 0, HERTZ = 1 };
  int kind = HOOKE;
  // Hooke: kn, gn, kt, gt. Hertz: E, nu, e.
  double kn = 0.0, gn = 0.0, kt = 0.0, gt = 0.0;
  double young = 0.0, poisson = 0.0, restitution = 1.0;
  double friction = 0.0;

  bool has_history() const { return friction > 0.0 && (kind == HERTZ || kt > 0.0); }

  struct Stiffness {
    double force;      // of the spring at this depth
    double energy;
    double normal_damping, tangential, tangential_damping;
  };

  Stiffness at(double depth, double mass, double radius) const
  {
    Stiffness s;
    if (kind == HOOKE) {
      s.force = kn * depth;
      s.energy = 0.5 * kn * depth * depth;
      s.normal_damping = gn * mass;
      s.tangential = kt;
      s.tangential_damping = gt * mass;
      return s;
    }
    const double modulus = young / (2.0 * (1.0 - poisson * poisson));
    const double shear = young / (4.0 * (1.0 + poisson) * (2.0 - poisson));
    const double a = std::sqrt(radius * depth);
    s.force = 4.0 / 3.0 * modulus * a * depth;
    s.energy = 0.4 * s.force * depth;
    const double ln = std::log(restitution), pi = 3.14159265358979323846;
    const double beta = -ln / std::sqrt(ln * ln + pi * pi);
    s.tangential = 8.0 * shear * a;
    s.normal_damping = 2.0 * std::sqrt(5.0 / 6.0) * beta * std::sqrt(2.0 * modulus * a * mass);
    s.tangential_damping = 2.0 * std::sqrt(5.0 / 6.0) * beta * std::sqrt(s.tangential * mass);
    return s;
  }

  // Returns the elastic energy and writes the force on A. n: unit normal from A to B; v: velocity of A's point relative
  // to B's; spring: the tangential displacement of A relative to B, which a step dt extends (0: it stays as it is); null
  // without history.
  double force(double depth, const double *n, const double *v, double mass, double radius, double dt, double *spring,
               double *f) const
  {
    const Stiffness s = at(depth, mass, radius);
    const double approach = dot(v, n);
    // Damping never pulls.
    const double normal = std::max(0.0, s.force + s.normal_damping * approach);
    double tangent[3];
    for (int k = 0; k < 3; k++) {
      tangent[k] = v[k] - approach * n[k];
      f[k] = -normal * n[k];
    }
    if (friction <= 0.0) return s.energy;
    double pull[3];
    if (spring && s.tangential > 0.0) {
      // The spring turns with the plane of contact and keeps its length.
      const double before = std::sqrt(dot(spring, spring)), out = dot(spring, n);
      for (int k = 0; k < 3; k++) spring[k] -= out * n[k];
      const double after = std::sqrt(dot(spring, spring));
      for (int k = 0; k < 3; k++) spring[k] = (after > 0.0 ? spring[k] * before / after : 0.0) + tangent[k] * dt;
      for (int k = 0; k < 3; k++) pull[k] = -s.tangential * spring[k] - s.tangential_damping * tangent[k];
    } else {
      for (int k = 0; k < 3; k++) pull[k] = -s.tangential_damping * tangent[k];
    }
    const double size = std::sqrt(dot(pull, pull)), most = friction * normal;
    if (size > most) {
      for (double &x : pull) x *= most / size;
      if (spring && s.tangential > 0.0)
        for (int k = 0; k < 3; k++) spring[k] = -(pull[k] + s.tangential_damping * tangent[k]) / s.tangential;
    }
    for (int k = 0; k < 3; k++) f[k] += pull[k];
    return s.energy;
  }
};

}    // namespace superovoid

#endif
