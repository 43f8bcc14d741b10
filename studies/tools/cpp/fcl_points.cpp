// FCL 0.7: the nearest point of a triangle mesh to a point, asked as the thesis on superellipsoids and vertices asks it:
// the mesh in a hierarchy of OBBRSS, and the point as a small sphere, whose radius is added to the distance afterwards.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>
#include <limits>
#include <vector>

// The sphere must be apart from the mesh.
constexpr double RADIUS = 1e-9;

// Writes for each point the nearest point of the mesh, three numbers, and the distance; NaN where FCL throws. Returns the
// least time of three rounds, nanoseconds.
extern "C" double fcl_points(const double* vertices, std::size_t vertex_count, const std::uint32_t* triangles,
                             std::size_t triangle_count, const double* points, std::size_t count, double* found) {
  using Clock = std::chrono::steady_clock;
  try {
    std::vector<fcl::Vector3d> corners;
    for (std::size_t k = 0; k < vertex_count; ++k)
      corners.emplace_back(vertices[3 * k], vertices[3 * k + 1], vertices[3 * k + 2]);
    std::vector<fcl::Triangle> faces;
    for (std::size_t k = 0; k < triangle_count; ++k)
      faces.emplace_back(triangles[3 * k], triangles[3 * k + 1], triangles[3 * k + 2]);
    fcl::BVHModel<fcl::OBBRSSd> mesh;
    mesh.beginModel();
    mesh.addSubModel(corners, faces);
    mesh.endModel();
    const fcl::Sphered sphere(RADIUS);
    fcl::DistanceRequestd request(true);
    request.gjk_solver_type = fcl::GST_INDEP;
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < 3; ++round) {
      const auto start = Clock::now();
      for (std::size_t k = 0; k < count; ++k) {
        fcl::Transform3d at = fcl::Transform3d::Identity();
        at.translation() = fcl::Vector3d(points[3 * k], points[3 * k + 1], points[3 * k + 2]);
        fcl::DistanceResultd result;
        fcl::distance(&mesh, fcl::Transform3d::Identity(), &sphere, at, request, result);
        for (int i = 0; i < 3; ++i) found[4 * k + i] = result.nearest_points[0][i];
        found[4 * k + 3] = result.min_distance + RADIUS;
      }
      const double time = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
      best = time < best ? time : best;
    }
    return best;
  } catch (const std::exception&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}
