// The other translation unit of two_units.cpp.
#include <superovoid.hpp>

superovoid::Contact second_unit(const superovoid::Superovoid& shape);

superovoid::Contact second_unit(const superovoid::Superovoid& shape) {
  return superovoid::pair_contact(shape, {}, shape, superovoid::Pose({0, 0, 0.03}));
}
