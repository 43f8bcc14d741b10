// FCL 0.7: its functions `distance` and `collide`, on its own geometries.

#include "kinds.hpp"

#include <fcl/fcl.h>
#include <memory>

namespace {

using fcl::Transform3d;
using fcl::Vector3d;

std::shared_ptr<std::vector<Vector3d>> points(const Shape& shape) {
  auto found = std::make_shared<std::vector<Vector3d>>();
  for (std::size_t k = 0; k + 3 <= shape.number_count; k += 3)
    found->emplace_back(Eigen::Map<const Eigen::Vector3d>(shape.numbers + k));
  return found;
}

std::shared_ptr<fcl::CollisionGeometryd> hull(const Shape& shape) {
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t k = 0; k < 3 * shape.triangle_count; ++k) {
    if (k % 3 == 0) faces->push_back(3);
    faces->push_back(static_cast<int>(shape.triangles[k]));
  }
  return std::make_shared<fcl::Convexd>(points(shape), static_cast<int>(shape.triangle_count), faces, true);
}

std::shared_ptr<fcl::CollisionGeometryd> mesh(const Shape& shape) {
  std::vector<fcl::Triangle> triangles;
  for (std::size_t k = 0; k < shape.triangle_count; ++k) {
    const std::uint32_t* t = shape.triangles + 3 * k;
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  model->beginModel(static_cast<int>(triangles.size()), static_cast<int>(shape.number_count / 3));
  model->addSubModel(*points(shape), triangles);
  model->endModel();
  return model;
}

std::shared_ptr<fcl::CollisionGeometryd> boxes(const Shape& shape) {
  auto tree = std::make_shared<octomap::OcTree>(shape.size[0]);
  for (const Vector3d& p : *points(shape))
    tree->updateNode(octomap::point3d(static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])),
                     true);
  return std::make_shared<fcl::OcTreed>(tree);
}

struct Engine {
  using Geometry = fcl::CollisionGeometryd;
  using Pose = Transform3d;

  static std::shared_ptr<Geometry> make(const Shape& shape) {
    const std::shared_ptr<Geometry> made = bare(shape);
    made->computeLocalAABB();
    return made;
  }

  static std::shared_ptr<Geometry> bare(const Shape& shape) {
    const double* s = shape.size;
    switch (shape.kind) {
      case Kind::ball: return std::make_shared<fcl::Sphered>(s[0]);
      case Kind::capsule: return std::make_shared<fcl::Capsuled>(s[0], s[1]);
      case Kind::cylinder: return std::make_shared<fcl::Cylinderd>(s[0], s[1]);
      case Kind::cone: return std::make_shared<fcl::Coned>(s[0], s[1]);
      case Kind::box: return std::make_shared<fcl::Boxd>(2 * s[0], 2 * s[1], 2 * s[2]);
      case Kind::hull: return hull(shape);
      case Kind::ellipsoid: return std::make_shared<fcl::Ellipsoidd>(s[0], s[1], s[2]);
      case Kind::half_space: return std::make_shared<fcl::Halfspaced>(Vector3d(s[0], s[1], s[2]), s[3]);
      case Kind::plane: return std::make_shared<fcl::Planed>(Vector3d(s[0], s[1], s[2]), s[3]);
      case Kind::mesh: return mesh(shape);
      case Kind::boxes: return boxes(shape);
      case Kind::triangle:
      case Kind::height_field: break;
    }
    throw std::invalid_argument("FCL has no such shape");
  }

  static Pose pose(const double* x) {
    Transform3d pose = Transform3d::Identity();
    pose.linear() = Eigen::Quaterniond(x[6], x[3], x[4], x[5]).normalized().toRotationMatrix();
    pose.translation() = Vector3d(x[0], x[1], x[2]);
    return pose;
  }

  // Of bodies with parts its distance has no sign.
  Engine(const Asked& asked)
      : verdict_(asked.question == Question::verdict), deepest_(asked.deepest()), distance_(true, !asked.parts) {
    if (deepest_) collision_ = fcl::CollisionRequestd(all_contacts, true);
  }

  // FCL's tables have a distance of planes and half-spaces, and a collision of a hull and a plane, which call a support
  // function that is not there.
  static bool has(const Geometry& a, const Geometry& b, const Asked& asked) {
    const auto either = [&](fcl::NODE_TYPE type) { return a.getNodeType() == type || b.getNodeType() == type; };
    if (asked.question == Question::verdict || asked.deepest()) return !(either(fcl::GEOM_PLANE) && either(fcl::GEOM_CONVEX));
    return !either(fcl::GEOM_PLANE) && !either(fcl::GEOM_HALFSPACE);
  }

  double ask(const Geometry& a, const Pose& at_a, const Geometry& b, const Pose& at_b) {
    if (verdict_) {
      fcl::CollisionResultd result;
      return fcl::collide(&a, at_a, &b, at_b, collision_, result) > 0;
    }
    if (deepest_) {
      fcl::CollisionResultd result;
      fcl::collide(&a, at_a, &b, at_b, collision_, result);
      std::vector<fcl::Contactd> contacts;
      result.getContacts(contacts);
      double distance = std::numeric_limits<double>::infinity();
      for (const fcl::Contactd& contact : contacts) distance = std::min(distance, -contact.penetration_depth);
      return distance;
    }
    fcl::DistanceResultd result;
    return fcl::distance(&a, at_a, &b, at_b, distance_, result);
  }

 private:
  bool verdict_, deepest_;
  fcl::DistanceRequestd distance_;
  fcl::CollisionRequestd collision_;
};

}  // namespace

KINDS_DRIVER(Engine)
