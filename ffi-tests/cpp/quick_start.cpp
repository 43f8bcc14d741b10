// The signed distance of an egg and a brick, with points, normal and proof.
#include <cstdio>
#include <superovoid.hpp>

int main() try {
  const superovoid::Superovoid egg({0.02, 0.02, 0.03}, {1, 1}, {0.2, 0.2});
  const superovoid::Superovoid brick({0.05, 0.03, 0.01}, {0.1, 0.1});
  const superovoid::Pose here, there({0.06, 0.04, 0.05});  // metres

  const superovoid::Contact contact = superovoid::pair_contact(egg, here, brick, there);
  std::printf("distance %.6f m, %s\n", contact.distance,
              contact.certified() ? "certified" : "not certified");
  return 0;
} catch (const superovoid::error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
