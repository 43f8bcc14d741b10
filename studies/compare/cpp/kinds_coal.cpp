// coal 3: its functions `distance` and `collide`, on its own geometries.

#include "kinds.hpp"

#include <coal/BVH/BVH_model.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/hfield.h>
#include <coal/octree.h>
#include <coal/shape/convex.h>
#include <coal/shape/geometric_shapes.h>
#include <memory>

namespace {

using coal::Transform3s;
using coal::Triangle;
using coal::Vec3s;

std::shared_ptr<std::vector<Vec3s>> points(const Shape& shape) {
  auto found = std::make_shared<std::vector<Vec3s>>();
  for (std::size_t k = 0; k + 3 <= shape.number_count; k += 3)
    found->emplace_back(Eigen::Map<const Eigen::Vector3d>(shape.numbers + k));
  return found;
}

std::shared_ptr<std::vector<Triangle>> triangles(const Shape& shape) {
  auto found = std::make_shared<std::vector<Triangle>>();
  for (std::size_t k = 0; k < shape.triangle_count; ++k) {
    const std::uint32_t* t = shape.triangles + 3 * k;
    found->emplace_back(t[0], t[1], t[2]);
  }
  return found;
}

std::shared_ptr<coal::CollisionGeometry> mesh(const Shape& shape) {
  auto model = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  model->beginModel(static_cast<unsigned>(shape.triangle_count), static_cast<unsigned>(shape.number_count / 3));
  model->addSubModel(*points(shape), *triangles(shape));
  model->endModel();
  return model;
}

std::shared_ptr<coal::CollisionGeometry> boxes(const Shape& shape) {
  auto tree = std::make_shared<octomap::OcTree>(shape.size[0]);
  for (const Vec3s& p : *points(shape))
    tree->updateNode(octomap::point3d(static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])),
                     true);
  return std::make_shared<coal::OcTree>(tree);
}

std::shared_ptr<coal::CollisionGeometry> height_field(const Shape& shape) {
  const auto columns = static_cast<Eigen::Index>(shape.size[3]);
  const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> heights(
      shape.numbers, static_cast<Eigen::Index>(shape.number_count) / columns, columns);
  return std::make_shared<coal::HeightField<coal::OBBRSS>>(shape.size[0], shape.size[1], heights, shape.size[2]);
}

struct Engine {
  using Geometry = coal::CollisionGeometry;
  using Pose = Transform3s;

  static std::shared_ptr<Geometry> make(const Shape& shape) {
    const std::shared_ptr<Geometry> made = bare(shape);
    made->computeLocalAABB();
    return made;
  }

  static std::shared_ptr<Geometry> bare(const Shape& shape) {
    const double* s = shape.size;
    switch (shape.kind) {
      case Kind::ball: return std::make_shared<coal::Sphere>(s[0]);
      case Kind::capsule: return std::make_shared<coal::Capsule>(s[0], s[1]);
      case Kind::cylinder: return std::make_shared<coal::Cylinder>(s[0], s[1]);
      case Kind::cone: return std::make_shared<coal::Cone>(s[0], s[1]);
      case Kind::box: return std::make_shared<coal::Box>(2 * s[0], 2 * s[1], 2 * s[2]);
      case Kind::hull: {
        const auto p = points(shape);
        const auto t = triangles(shape);
        return std::make_shared<coal::Convex<Triangle>>(p, static_cast<unsigned>(p->size()), t,
                                                        static_cast<unsigned>(t->size()));
      }
      case Kind::ellipsoid: return std::make_shared<coal::Ellipsoid>(s[0], s[1], s[2]);
      case Kind::triangle: {
        const auto p = *points(shape);
        return std::make_shared<coal::TriangleP>(p[0], p[1], p[2]);
      }
      case Kind::half_space: return std::make_shared<coal::Halfspace>(Vec3s(s[0], s[1], s[2]), s[3]);
      case Kind::plane: return std::make_shared<coal::Plane>(Vec3s(s[0], s[1], s[2]), s[3]);
      case Kind::mesh: return mesh(shape);
      case Kind::boxes: return boxes(shape);
      case Kind::height_field: return height_field(shape);
    }
    throw std::invalid_argument("coal has no such shape");
  }

  static Pose pose(const double* x) {
    return Transform3s(coal::Matrix3s(Eigen::Quaterniond(x[6], x[3], x[4], x[5]).normalized().toRotationMatrix()),
                       Vec3s(x[0], x[1], x[2]));
  }

  Engine(const Asked& asked) : verdict_(asked.question == Question::verdict), deepest_(asked.deepest()) {
    // Of bodies with parts its distance ends at the first that touch.
    distance_.enable_signed_distance = !asked.parts;
    if (deepest_) collision_ = coal::CollisionRequest(coal::CONTACT, all_contacts);
    for (coal::QueryRequest* request : {static_cast<coal::QueryRequest*>(&distance_),
                                        static_cast<coal::QueryRequest*>(&collision_)})
      if (asked.question == Question::tight) {
        request->gjk_tolerance = request->epa_tolerance = 1e-9;
        request->gjk_max_iterations = request->epa_max_iterations = 1000;
      }
  }

  // What it has not, it throws.
  static bool has(const Geometry&, const Geometry&, const Asked&) { return true; }

  double ask(const Geometry& a, const Pose& at_a, const Geometry& b, const Pose& at_b) {
    if (verdict_) {
      coal::CollisionResult result;
      return coal::collide(&a, at_a, &b, at_b, collision_, result) > 0;
    }
    if (deepest_) {
      coal::CollisionResult result;
      coal::collide(&a, at_a, &b, at_b, collision_, result);
      double distance = std::numeric_limits<double>::infinity();
      for (const coal::Contact& contact : result.getContacts())
        distance = std::min(distance, contact.penetration_depth);
      return distance;
    }
    coal::DistanceResult result;
    return coal::distance(&a, at_a, &b, at_b, distance_, result);
  }

 private:
  bool verdict_, deepest_;
  coal::DistanceRequest distance_;
  coal::CollisionRequest collision_{coal::NO_REQUEST, 1};
};

}  // namespace

KINDS_DRIVER(Engine)
