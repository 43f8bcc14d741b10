// The library through its C interface: `sovo_body_contact`.

#include "kinds.hpp"

#include <cmath>
#include <memory>
#include <superovoid.h>

namespace {

void check(sovo_status status) {
  if (status != SOVO_STATUS_OK) throw std::runtime_error(sovo_last_error());
}

// A body, and the handle that it refers to.
std::shared_ptr<sovo_body> bare(const Shape& shape) {
  const double* s = shape.size;
  const auto made = [](const sovo_body& body) { return std::make_shared<sovo_body>(body); };
  switch (shape.kind) {
    case Kind::ball: return made(sovo_body_ball(s[0]));
    case Kind::capsule: return made(sovo_body_capsule(s[0], s[1]));
    case Kind::cylinder: return made(sovo_body_cylinder(s[0], s[1]));
    case Kind::cone: return made(sovo_body_cone(s[0], s[1]));
    case Kind::box: return made(sovo_body_cuboid(s[0], s[1], s[2]));
    case Kind::triangle: return made(sovo_body_triangle(shape.numbers));
    case Kind::half_space: return made(sovo_body_half_space(s, s[3]));
    case Kind::plane: return made(sovo_body_plane(s, s[3]));
    case Kind::ellipsoid: {
      const double round[2] = {1, 1}, straight[2] = {0, 0};
      sovo_superovoid egg;
      check(sovo_superovoid_make(s, round, straight, &egg));
      return made(sovo_body_superovoid(&egg));
    }
    case Kind::hull: {
      sovo_hull* hull;
      check(sovo_hull_new(shape.numbers, shape.number_count / 3, 24, &hull));
      return {new sovo_body(sovo_body_hull(hull)), [hull](sovo_body* body) { delete body, sovo_hull_free(hull); }};
    }
    case Kind::mesh: {
      sovo_tri_mesh* mesh;
      check(sovo_tri_mesh_new(shape.numbers, shape.number_count / 3, 24, shape.triangles, shape.triangle_count, 1, &mesh));
      return {new sovo_body(sovo_body_tri_mesh(mesh)),
              [mesh](sovo_body* body) { delete body, sovo_tri_mesh_free(mesh); }};
    }
    case Kind::boxes: {
      std::vector<sovo_aabb> cells;
      for (std::size_t k = 0; k + 3 <= shape.number_count; k += 3) {
        sovo_aabb cell;
        for (int i = 0; i < 3; ++i) {
          cell.min[i] = shape.numbers[k + i] - s[0] / 2;
          cell.max[i] = shape.numbers[k + i] + s[0] / 2;
        }
        cells.push_back(cell);
      }
      sovo_box_set* set;
      check(sovo_box_set_new(cells.data(), cells.size(), &set));
      return {new sovo_body(sovo_body_box_set(set)), [set](sovo_body* body) { delete body, sovo_box_set_free(set); }};
    }
    case Kind::height_field: {
      const double x[2] = {-s[0] / 2, s[0] / 2}, y[2] = {s[1] / 2, -s[1] / 2};
      const std::size_t columns = static_cast<std::size_t>(s[3]);
      sovo_height_field* field;
      check(sovo_height_field_new(shape.numbers, shape.number_count / columns, columns, x, y, s[2], &field));
      return {new sovo_body(sovo_body_height_field(field)),
              [field](sovo_body* body) { delete body, sovo_height_field_free(field); }};
    }
  }
  throw std::invalid_argument("no such shape");
}

struct Engine {
  using Geometry = sovo_body;
  using Pose = sovo_pose;

  static std::shared_ptr<sovo_body> make(const Shape& shape) { return bare(shape); }

  static Pose pose(const double* x) {
    Pose pose;
    for (int k = 0; k < 3; ++k) pose.translation[k] = x[k];
    for (int k = 0; k < 4; ++k) pose.rotation[k] = x[3 + k];
    return pose;
  }

  Engine(const Asked& asked) : verdict_(asked.question == Question::verdict) {
    if (verdict_) {
      options_.depth = SOVO_DEPTH_ANY;
      options_.max_distance = 0;
    }
  }

  static bool has(const Geometry&, const Geometry&, const Asked& asked) { return asked.question != Question::tight; }

  double ask(const Geometry& a, const Pose& at_a, const Geometry& b, const Pose& at_b) {
    sovo_contact contact;
    check(sovo_body_contact(&a, &at_a, &b, &at_b, &options_, &contact, nullptr));
    if (verdict_) return contact.outcome != SOVO_OUTCOME_BEYOND && contact.upper <= 0;
    return contact.distance;
  }

 private:
  bool verdict_;
  sovo_query_options options_ = SOVO_QUERY_OPTIONS_INIT;
};

}  // namespace

KINDS_DRIVER(Engine)
