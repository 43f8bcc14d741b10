// Three-vectors, unit quaternions (w, x, y, z as LAMMPS stores them) and the rotation of free rigid bodies.

#ifndef SUPEROVOID_VECTORS_H
#define SUPEROVOID_VECTORS_H

#include <cmath>

namespace superovoid {

inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline void cross(const double *a, const double *b, double *c)
{
  c[0] = a[1] * b[2] - a[2] * b[1];
  c[1] = a[2] * b[0] - a[0] * b[2];
  c[2] = a[0] * b[1] - a[1] * b[0];
}

// Turns a vector of the body's frame into the world's.
inline void to_world(const double *q, const double *v, double *out)
{
  const double u[3] = {q[1], q[2], q[3]};
  double t[3], s[3];
  cross(u, v, t);
  for (double &x : t) x *= 2.0;
  cross(u, t, s);
  for (int k = 0; k < 3; k++) out[k] = v[k] + q[0] * t[k] + s[k];
}

// Turns a vector of the world's frame into the body's.
inline void to_body(const double *q, const double *v, double *out)
{
  const double inverse[4] = {q[0], -q[1], -q[2], -q[3]};
  to_world(inverse, v, out);
}

// Turns body and body-frame angular momentum by the time dt about one axis of the body, as a free body with that one
// angular velocity turns: the momentum in the world stays.
inline void turn_about(int axis, double dt, const double *inertia, double *q, double *momentum)
{
  const double half = 0.5 * dt * momentum[axis] / inertia[axis];
  const double c = std::cos(half), s = std::sin(half);
  const int j = (axis + 1) % 3, k = (axis + 2) % 3;
  // q becomes q (c + s axis).
  const double w = q[0], x = q[1 + axis], y = q[1 + j], z = q[1 + k];
  q[0] = w * c - x * s;
  q[1 + axis] = x * c + w * s;
  q[1 + j] = y * c + z * s;
  q[1 + k] = z * c - y * s;
  // The momentum in the body's frame turns the other way, by the whole angle.
  const double c2 = c * c - s * s, s2 = 2.0 * s * c;
  const double a = momentum[j], b = momentum[k];
  momentum[j] = c2 * a + s2 * b;
  momentum[k] = c2 * b - s2 * a;
}

// Turns a free rigid body by the time dt. The splitting into five turns about axes of the body is symplectic and
// time-reversible: energy does not drift (Dullweber, Leimkuhler and McLachlan 1997). The momentum in the world is kept to
// rounding, and so is the length of the quaternion, which is renormalised.
inline void turn_free(double dt, const double *inertia, double *q, double *momentum)
{
  turn_about(0, 0.5 * dt, inertia, q, momentum);
  turn_about(1, 0.5 * dt, inertia, q, momentum);
  turn_about(2, dt, inertia, q, momentum);
  turn_about(1, 0.5 * dt, inertia, q, momentum);
  turn_about(0, 0.5 * dt, inertia, q, momentum);
  const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int k = 0; k < 4; k++) q[k] /= norm;
}

}    // namespace superovoid

#endif
