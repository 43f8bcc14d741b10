// The shapes of the atom types, with what their motion needs.

#ifndef SUPEROVOID_SHAPE_TABLE_H
#define SUPEROVOID_SHAPE_TABLE_H

#include "superovoid.h"
#include "vectors.h"

#include <vector>

namespace superovoid {

struct TypeShape {
  bool set = false;
  double numbers[7] = {};       // a1 a2 a3 e1 e2 tx ty
  sovo_superovoid shape = {};
  double center[3] = {};        // the centre of mass in the frame of the shape
  double volume = 0.0;
  double inertia[3] = {};       // about the centre of mass, for density 1: the axes are those of the shape
  double radius = 0.0;          // of a sphere about the centre of mass that holds the body
  double equivalent = 0.0;      // the radius of the sphere of the same volume

  // Returns null, or what is wrong with the numbers.
  const char *make(const double *given)
  {
    for (int k = 0; k < 7; k++) numbers[k] = given[k];
    if (sovo_superovoid_make(given, given + 3, given + 5, &shape) != SOVO_STATUS_OK) return sovo_last_error();
    sovo_mass_properties mass;
    const sovo_body body = sovo_body_superovoid(&shape);
    if (sovo_body_mass_properties(&body, 1.0, &mass) != SOVO_STATUS_OK) return sovo_last_error();
    volume = mass.volume;
    for (int k = 0; k < 3; k++) {
      center[k] = mass.center_of_mass[k];
      inertia[k] = mass.inertia[4 * k];
    }
    radius = shape.outer_radius + std::sqrt(dot(center, center));
    equivalent = std::cbrt(volume * 3.0 / (4.0 * 3.14159265358979323846));
    set = true;
    return nullptr;
  }

  // The pose of the shape's frame for an atom, whose position is the centre of mass. A quaternion stands for the rotation
  // of the one of length 1, as in the library, which keeps those of length 1 to rounding as they are.
  sovo_pose pose(const double *x, const double *quat) const
  {
    const double square = quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] + quat[3] * quat[3];
    const double length = std::fabs(square - 1.0) < 1e-15 ? 1.0 : std::sqrt(square);
    double unit[4], offset[3];
    for (int k = 0; k < 4; k++) unit[k] = quat[k] / length;
    to_world(unit, center, offset);
    sovo_pose pose;
    for (int k = 0; k < 3; k++) {
      pose.translation[k] = x[k] - offset[k];
      pose.rotation[k] = unit[k + 1];
    }
    pose.rotation[3] = unit[0];
    return pose;
  }
};

// By type, from 1.
using ShapeTable = std::vector<TypeShape>;

}    // namespace superovoid

#endif
