// A program of two translation units, both with the header. The other one is second_unit.cpp.
#include <superovoid.hpp>

superovoid::Contact second_unit(const superovoid::Superovoid& shape);

int main() {
  const superovoid::Superovoid ball = superovoid::Superovoid::sphere(0.01);
  const double here = superovoid::pair_contact(ball, {}, ball, superovoid::Pose({0, 0, 0.03})).distance;
  return second_unit(ball).distance == here ? 0 : 1;
}
