// coal 3. The support function goes in through `coal::details::MinkowskiDiff::getSupportFunc`, the pointer that GJK
// and EPA call for every support point.

#include "peer.hpp"

#include <algorithm>
#include <cmath>
#include <coal/BVH/BVH_model.h>
#include <coal/distance.h>
#include <coal/narrowphase/narrowphase.h>
#include <coal/shape/convex.h>
#include <memory>
#include <vector>

namespace {

using coal::Matrix3s;
using coal::Transform3s;
using coal::Triangle;
using coal::Vec3s;
using coal::details::EPA;
using coal::details::GJK;

Transform3s transform(const double pose[12]) {
  const Eigen::Map<const Eigen::Matrix3d> rotation(pose);
  const Eigen::Map<const Eigen::Vector3d> translation(pose + 9);
  return Transform3s(Matrix3s(rotation), Vec3s(translation));
}

// Whether the answer is one: EPA ends without reaching its tolerance in several ways, and with the largest number
// for a depth that it calls accurate.
bool reached(GJK::Status gjk, EPA::Status epa, double distance) {
  if (!(std::abs(distance) < 1e300)) return false;
  if (gjk == GJK::Collision) return epa == EPA::Valid || epa == EPA::AccuracyReached;
  return gjk == GJK::NoCollision || gjk == GJK::CollisionWithPenetrationInformation;
}

// Coal's defaults at its default tolerance of 1e-6; a tighter one needs more.
std::size_t gjk_iterations(double tolerance) {
  return tolerance < coal::GJK_DEFAULT_TOLERANCE ? 1000 : coal::GJK_DEFAULT_MAX_ITERATIONS;
}
std::size_t epa_iterations(double tolerance) {
  return tolerance < coal::EPA_DEFAULT_TOLERANCE ? 1000 : coal::EPA_DEFAULT_MAX_ITERATIONS;
}

// The Minkowski difference of two bodies with injected support functions, in the frame of A.
struct Difference : coal::details::MinkowskiDiff {
  SupportFunction function = nullptr;
  const void *shape_a = nullptr, *shape_b = nullptr;  // b is NULL for a point
  coal::Sphere none{0};
  mutable std::uint32_t evaluations = 0;

  Difference() {
    shapes[0] = shapes[1] = &none;
    swept_sphere_radius.setZero();
    getSupportFunc = support;
  }

  static void support(const coal::details::MinkowskiDiff& base, const Vec3s& direction, Vec3s& support0,
                      Vec3s& support1, coal::support_func_guess_t&, coal::details::ShapeSupportData*) {
    const Difference& self = static_cast<const Difference&>(base);
    self.function(self.shape_a, direction.data(), support0.data());
    ++self.evaluations;
    support1 = self.ot1;
    if (!self.shape_b) return;
    const Vec3s back = -(self.oR1.transpose() * direction);
    Vec3s point;
    self.function(self.shape_b, back.data(), point.data());
    support1 += self.oR1 * point;
  }
};

class Injected : public Peer {
 public:
  Injected(const Request& request, const Geometry* geometries, const Case* cases, std::size_t count)
      : tolerance_(request.tolerance),
        gjk_(gjk_iterations(tolerance_), tolerance_),
        epa_(epa_iterations(tolerance_), tolerance_) {
    difference_.function = request.support;
    for (std::size_t k = 0; k < count; ++k) {
      const Case& c = cases[k];
      const void* b = c.b == POINT ? nullptr : geometries[c.b].shape;
      Pair pair{geometries[c.a].shape, b, transform(c.pose_a), transform(c.pose_b), Vec3s::Zero()};
      if (request.warm) {
        Pair before{pair.a, pair.b, transform(c.before_a), transform(c.before_b), Vec3s::Zero()};
        Answer ignored;
        run(before, ignored);
        pair.guess = found_;
      }
      pairs_.push_back(pair);
    }
  }

  void answer(std::size_t index, Answer& out) override { run(pairs_[index], out); }

 private:
  struct Pair {
    const void *a, *b;
    Transform3s pose_a, pose_b;
    Vec3s guess;  // zero: the centre line
  };

  // What coal::GJKSolver does with its own shapes.
  void run(const Pair& pair, Answer& out) {
    difference_.shape_a = pair.a;
    difference_.shape_b = pair.b;
    const Matrix3s to_a = pair.pose_a.getRotation().transpose();
    difference_.oR1 = to_a * pair.pose_b.getRotation();
    difference_.ot1 = to_a * (pair.pose_b.getTranslation() - pair.pose_a.getTranslation());
    difference_.evaluations = 0;

    Vec3s guess = pair.guess;
    if (guess.isZero()) guess = -difference_.ot1;
    if (guess.isZero()) guess = Vec3s(1, 0, 0);
    gjk_.reset(gjk_iterations(tolerance_), tolerance_);
    epa_.status = EPA::DidNotRun;
    const GJK::Status status = gjk_.evaluate(difference_, guess);
    out.distance = gjk_.distance;
    found_ = gjk_.ray;
    if (status == GJK::Collision) {
      epa_.reset(epa_iterations(tolerance_), tolerance_);
      epa_.evaluate(gjk_, -guess);
      out.distance = std::min(0.0, -epa_.depth);
      found_ = -(epa_.depth * epa_.normal);
    }
    out.converged = reached(status, epa_.status, out.distance);
    out.evaluations = difference_.evaluations;
  }

  double tolerance_;
  GJK gjk_;
  EPA epa_;
  Difference difference_;
  Vec3s found_ = Vec3s::Zero();
  std::vector<Pair> pairs_;
};

// What coal's own convex shapes are solved with. `Shape` is a class of coal with GJK and EPA as its solver.
template <typename Shape>
class Convex : public Peer {
 public:
  Convex(const Request& request, std::vector<std::shared_ptr<Shape>> shapes, const Case* cases,
         std::size_t count)
      : shapes_(std::move(shapes)) {
    coal::DistanceRequest options;
    options.gjk_initial_guess = coal::GJKInitialGuess::BoundingVolumeGuess;
    options.gjk_tolerance = options.epa_tolerance = request.tolerance;
    options.gjk_max_iterations = gjk_iterations(request.tolerance);
    options.epa_max_iterations = epa_iterations(request.tolerance);
    if (static_cast<Kind>(request.kind) == Kind::nesterov)
      options.gjk_variant = coal::GJKVariant::NesterovAcceleration;
    solver_.set(options);
    for (auto& shape : shapes_) shape->computeLocalAABB();
    for (std::size_t k = 0; k < count; ++k)
      pairs_.push_back({cases[k].a, cases[k].b, transform(cases[k].pose_a), transform(cases[k].pose_b)});
  }

  void answer(std::size_t index, Answer& out) override {
    const Pair& pair = pairs_[index];
    solver_.epa.status = EPA::DidNotRun;
    Vec3s a, b, normal;
    out.distance = solver_.shapeDistance(*shapes_[pair.a], pair.pose_a, *shapes_[pair.b], pair.pose_b, true,
                                         a, b, normal);
    out.converged = reached(solver_.gjk.status, solver_.epa.status, out.distance);
  }

 private:
  struct Pair {
    std::uint32_t a, b;
    Transform3s pose_a, pose_b;
  };
  coal::GJKSolver solver_;
  std::vector<std::shared_ptr<Shape>> shapes_;
  std::vector<Pair> pairs_;
};

// Meshes in a hierarchy of bounding volumes.
class Meshes : public Peer {
 public:
  Meshes(const Geometry* geometries, std::size_t geometry_count, const Case* cases, std::size_t count) {
    for (std::size_t g = 0; g < geometry_count; ++g) {
      std::vector<Vec3s> points;
      for (std::size_t k = 0; k < geometries[g].vertex_count; ++k)
        points.emplace_back(Eigen::Map<const Eigen::Vector3d>(geometries[g].vertices + 3 * k));
      std::vector<Triangle> triangles;
      for (std::size_t k = 0; k < geometries[g].triangle_count; ++k) {
        const std::uint32_t* t = geometries[g].triangles + 3 * k;
        triangles.emplace_back(t[0], t[1], t[2]);
      }
      auto mesh = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
      mesh->beginModel();
      mesh->addSubModel(points, triangles);
      mesh->endModel();
      meshes_.push_back(mesh);
    }
    // Depth of meshes would be that of two of their triangles.
    request_.enable_signed_distance = false;
    for (std::size_t k = 0; k < count; ++k)
      pairs_.push_back({cases[k].a, cases[k].b, transform(cases[k].pose_a), transform(cases[k].pose_b)});
  }

  void answer(std::size_t index, Answer& out) override {
    const Pair& pair = pairs_[index];
    coal::DistanceResult result;
    coal::distance(meshes_[pair.a].get(), pair.pose_a, meshes_[pair.b].get(), pair.pose_b, request_, result);
    out.distance = result.min_distance > 0 ? result.min_distance : -std::numeric_limits<double>::infinity();
    out.converged = 1;
  }

 private:
  struct Pair {
    std::uint32_t a, b;
    Transform3s pose_a, pose_b;
  };
  coal::DistanceRequest request_;
  std::vector<std::shared_ptr<coal::BVHModel<coal::OBBRSS>>> meshes_;
  std::vector<Pair> pairs_;
};

std::shared_ptr<coal::Convex<Triangle>> hull(const Geometry& geometry) {
  auto points = std::make_shared<std::vector<Vec3s>>();
  for (std::size_t k = 0; k < geometry.vertex_count; ++k)
    points->emplace_back(Eigen::Map<const Eigen::Vector3d>(geometry.vertices + 3 * k));
  auto triangles = std::make_shared<std::vector<Triangle>>();
  for (std::size_t k = 0; k < geometry.triangle_count; ++k) {
    const std::uint32_t* t = geometry.triangles + 3 * k;
    triangles->emplace_back(t[0], t[1], t[2]);
  }
  return std::make_shared<coal::Convex<Triangle>>(points, points->size(), triangles, triangles->size());
}

}  // namespace

Peer* make_peer(const Request& request, const Geometry* geometries, std::size_t geometry_count,
                const Case* cases, std::size_t case_count) {
  const Kind kind = static_cast<Kind>(request.kind);
  if (request.warm && kind != Kind::injected) throw std::invalid_argument("no warm start of this kind");
  switch (kind) {
    case Kind::injected: return new Injected(request, geometries, cases, case_count);
    case Kind::mesh: return new Meshes(geometries, geometry_count, cases, case_count);
    case Kind::hull: {
      std::vector<std::shared_ptr<coal::Convex<Triangle>>> hulls;
      for (std::size_t k = 0; k < geometry_count; ++k) hulls.push_back(hull(geometries[k]));
      return new Convex<coal::Convex<Triangle>>(request, std::move(hulls), cases, case_count);
    }
    case Kind::ellipsoid:
    case Kind::nesterov: {
      std::vector<std::shared_ptr<coal::Ellipsoid>> ellipsoids;
      for (std::size_t k = 0; k < geometry_count; ++k) {
        const double* a = geometries[k].semi_axes;
        ellipsoids.push_back(std::make_shared<coal::Ellipsoid>(a[0], a[1], a[2]));
      }
      return new Convex<coal::Ellipsoid>(request, std::move(ellipsoids), cases, case_count);
    }
  }
  throw std::invalid_argument("coal has no such geometry");
}
