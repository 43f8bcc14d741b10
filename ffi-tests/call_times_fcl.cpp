// FCL 0.7 for call_times.c, which is compiled with -DSOVO_WITH_FCL then.

#include "call_times/fcl.h"

#include <exception>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/narrowphase/distance.h>
#include <memory>
#include <vector>

struct fcl_body {
  std::shared_ptr<fcl::CollisionGeometryd> geometry;
  fcl::Transform3d pose = fcl::Transform3d::Identity();
};

extern "C" fcl_body *fcl_new_ellipsoid(const double a[3]) {
  try {
    return new fcl_body{std::make_shared<fcl::Ellipsoidd>(a[0], a[1], a[2])};
  } catch (const std::exception &) {
    return nullptr;
  }
}

extern "C" fcl_body *fcl_new_mesh(const double *vertices, size_t vertex_count,
                                  const uint32_t *triangles, size_t triangle_count) {
  try {
    std::vector<fcl::Vector3d> points;
    std::vector<fcl::Triangle> faces;
    for (size_t k = 0; k < vertex_count; k++)
      points.emplace_back(vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]);
    for (size_t k = 0; k < triangle_count; k++)
      faces.emplace_back(triangles[3 * k], triangles[3 * k + 1], triangles[3 * k + 2]);
    auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    mesh->beginModel();
    mesh->addSubModel(points, faces);
    mesh->endModel();
    return new fcl_body{mesh};
  } catch (const std::exception &) {
    return nullptr;
  }
}

extern "C" void fcl_free(fcl_body *body) { delete body; }

extern "C" void fcl_place(fcl_body *body, const double translation[3], const double rotation[4]) {
  const fcl::Quaterniond turn(rotation[3], rotation[0], rotation[1], rotation[2]);
  body->pose.linear() = turn.toRotationMatrix();
  body->pose.translation() = fcl::Vector3d(translation[0], translation[1], translation[2]);
}

extern "C" int fcl_distance(const fcl_body *a, const fcl_body *b, int independent_solver,
                            int is_signed, double *distance) {
  try {
    fcl::DistanceRequestd request(true, is_signed != 0);
    request.gjk_solver_type = independent_solver ? fcl::GST_INDEP : fcl::GST_LIBCCD;
    fcl::DistanceResultd result;
    fcl::distance(a->geometry.get(), a->pose, b->geometry.get(), b->pose, request, result);
    *distance = result.min_distance;
    return 1;
  } catch (const std::exception &) {
    return 0;
  }
}
