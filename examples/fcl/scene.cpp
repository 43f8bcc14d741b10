// A superovoid, a box and a mesh under a broad-phase manager of FCL: contacts, and the least distance.
#include <cstdio>

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/geometric_shape_to_BVH_model.h>
#include <superovoid/fcl.hpp>

int main() {
  const auto egg = std::make_shared<superovoid::fcl::Superovoidd>(0.02, 0.02, 0.03, 1, 1, 0.2, 0.2);
  const auto brick = std::make_shared<fcl::Boxd>(0.10, 0.06, 0.02);
  const auto ball = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  fcl::generateBVHModel(*ball, fcl::Sphered(0.02), fcl::Transform3d::Identity(), 24, 24);

  const auto at = [](double x, double y, double z) {
    return fcl::Transform3d(fcl::Translation3d(x, y, z));
  };
  fcl::CollisionObjectd objects[] = {
      {egg, at(0, 0, 0)}, {brick, at(0, 0, 0.035)}, {ball, at(0.045, 0, 0)}};
  fcl::DynamicAABBTreeCollisionManagerd manager;
  for (auto& object : objects) manager.registerObject(&object);
  manager.setup();

  superovoid::fcl::Meshes<double> meshes;  // converts each mesh once
  meshes.add(ball);

  superovoid::fcl::CollisionData<double> collisions;
  collisions.meshes = &meshes;
  collisions.request.num_max_contacts = 100;
  collisions.request.enable_contact = true;
  superovoid::fcl::collide(manager, collisions);
  for (std::size_t i = 0; i < collisions.result.numContacts(); ++i) {
    const fcl::Contactd& contact = collisions.result.getContact(i);
    std::printf("depth %.4f m at (%.4f, %.4f, %.4f), normal (%.3f, %.3f, %.3f)\n",
                contact.penetration_depth, contact.pos[0], contact.pos[1], contact.pos[2],
                contact.normal[0], contact.normal[1], contact.normal[2]);
  }

  fcl::DistanceResultd result;
  superovoid::fcl::distance(&objects[0], &objects[2], fcl::DistanceRequestd(true), result, &meshes);
  std::printf("egg and ball: %.6f m, triangle %ld\n", result.min_distance, long(result.b2));
}
