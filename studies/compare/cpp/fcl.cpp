// FCL 0.7. The support function goes in through `fcl::detail::GJKSignedDistance`, which takes two objects with a
// callback each, and is what FCL's own shapes are solved with.

#include "peer.hpp"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/narrowphase/detail/convexity_based_algorithm/gjk_libccd.h>
#include <fcl/narrowphase/distance.h>
#include <memory>
#include <vector>

namespace {

using fcl::Transform3d;
using fcl::Vector3d;

Transform3d transform(const double pose[12]) {
  Transform3d result = Transform3d::Identity();
  result.linear() = Eigen::Map<const Eigen::Matrix3d>(pose);
  result.translation() = Eigen::Map<const Eigen::Vector3d>(pose + 9);
  return result;
}

// A placed body, or a point, as FCL's callback sees it.
struct Placed {
  SupportFunction function;
  const void* shape;  // NULL for a point
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;
  std::uint32_t evaluations = 0;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* out) {
  Placed& body = *static_cast<Placed*>(const_cast<void*>(object));
  Eigen::Vector3d x = body.translation;
  if (body.shape) {
    const Eigen::Vector3d world(direction->v[0], direction->v[1], direction->v[2]);
    const Eigen::Vector3d local = body.rotation.transpose() * world;
    Eigen::Vector3d point;
    body.function(body.shape, local.data(), point.data());
    x += body.rotation * point;
    ++body.evaluations;
  }
  ccdVec3Set(out, x[0], x[1], x[2]);
}

// FCL's default; its tolerance is the request's.
constexpr unsigned MOST_ITERATIONS = 1000;

class Injected : public Peer {
 public:
  Injected(const Request& request, const Geometry* geometries, const Case* cases, std::size_t count)
      : tolerance_(request.tolerance) {
    const auto placed = [&](std::uint32_t index, const double pose[12]) {
      const Transform3d at = transform(pose);
      const void* shape = index == POINT ? nullptr : geometries[index].shape;
      return Placed{request.support, shape, at.linear(), at.translation()};
    };
    for (std::size_t k = 0; k < count; ++k)
      pairs_.push_back({placed(cases[k].a, cases[k].pose_a), placed(cases[k].b, cases[k].pose_b)});
  }

  void answer(std::size_t index, Answer& out) override {
    Pair& pair = pairs_[index];
    pair.a.evaluations = 0;
    Vector3d a, b;
    fcl::detail::GJKSignedDistance<double>(&pair.a, support, &pair.b, support, MOST_ITERATIONS, tolerance_,
                                           &out.distance, &a, &b);
    out.converged = 1;
    out.evaluations = pair.a.evaluations;
  }

 private:
  struct Pair {
    Placed a, b;
  };
  double tolerance_;
  std::vector<Pair> pairs_;
};

// FCL's own geometries.
class Geometries : public Peer {
 public:
  Geometries(const Request& request, const Geometry* geometries, std::size_t geometry_count,
             const Case* cases, std::size_t case_count)
      // Without depth for meshes: FCL has none to give there.
      : request_(true, static_cast<Kind>(request.kind) != Kind::mesh) {
    request_.gjk_solver_type = fcl::GST_LIBCCD;
    request_.distance_tolerance = request.tolerance;
    for (std::size_t k = 0; k < geometry_count; ++k)
      geometries_.push_back(make(static_cast<Kind>(request.kind), geometries[k]));
    for (std::size_t k = 0; k < case_count; ++k)
      pairs_.push_back({cases[k].a, cases[k].b, transform(cases[k].pose_a), transform(cases[k].pose_b)});
  }

  void answer(std::size_t index, Answer& out) override {
    const Pair& pair = pairs_[index];
    fcl::DistanceResultd result;
    fcl::distance(geometries_[pair.a].get(), pair.pose_a, geometries_[pair.b].get(), pair.pose_b, request_,
                  result);
    out.distance = result.min_distance;
    if (!request_.enable_signed_distance && out.distance <= 0)
      out.distance = -std::numeric_limits<double>::infinity();
    out.converged = 1;
  }

 private:
  static std::shared_ptr<fcl::CollisionGeometryd> make(Kind kind, const Geometry& geometry) {
    if (kind == Kind::ellipsoid) {
      const double* a = geometry.semi_axes;
      return std::make_shared<fcl::Ellipsoidd>(a[0], a[1], a[2]);
    }
    auto points = std::make_shared<std::vector<Vector3d>>();
    for (std::size_t k = 0; k < geometry.vertex_count; ++k)
      points->emplace_back(Eigen::Map<const Eigen::Vector3d>(geometry.vertices + 3 * k));
    if (kind == Kind::hull) {
      auto faces = std::make_shared<std::vector<int>>();
      for (std::size_t k = 0; k < 3 * geometry.triangle_count; ++k) {
        if (k % 3 == 0) faces->push_back(3);
        faces->push_back(static_cast<int>(geometry.triangles[k]));
      }
      const int count = static_cast<int>(geometry.triangle_count);
      return std::make_shared<fcl::Convexd>(points, count, faces);
    }
    if (kind != Kind::mesh) throw std::invalid_argument("FCL has no such geometry");
    std::vector<fcl::Triangle> triangles;
    for (std::size_t k = 0; k < geometry.triangle_count; ++k) {
      const std::uint32_t* t = geometry.triangles + 3 * k;
      triangles.emplace_back(t[0], t[1], t[2]);
    }
    auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    mesh->beginModel();
    mesh->addSubModel(*points, triangles);
    mesh->endModel();
    return mesh;
  }

  struct Pair {
    std::uint32_t a, b;
    Transform3d pose_a, pose_b;
  };
  fcl::DistanceRequestd request_;
  std::vector<std::shared_ptr<fcl::CollisionGeometryd>> geometries_;
  std::vector<Pair, Eigen::aligned_allocator<Pair>> pairs_;
};

}  // namespace

Peer* make_peer(const Request& request, const Geometry* geometries, std::size_t geometry_count,
                const Case* cases, std::size_t case_count) {
  if (request.warm) throw std::invalid_argument("FCL has no warm start");
  if (static_cast<Kind>(request.kind) == Kind::injected)
    return new Injected(request, geometries, cases, case_count);
  return new Geometries(request, geometries, geometry_count, cases, case_count);
}
