// superovoid/fcl.hpp, one pair at a time: every kind of pair against FCL's own primitives where these
// are exact and against closed forms, the semantics of distance() and collide(), bounds and inertia.
#include "fcl_check.hpp"

#include <iostream>
#include <sstream>

namespace sv = superovoid::fcl;

template <typename S>
using Geometry = std::shared_ptr<fcl::CollisionGeometry<S>>;

/// What is left of 1e-9 after rounding to S, for bodies and places of size 1.
template <typename S>
constexpr double accuracy = sizeof(S) == 4 ? 4e-6 : 1e-8;

/// The signed distance, by superovoid::fcl.
template <typename S>
fcl::DistanceResult<S> signed_distance(const Geometry<S>& g1, const fcl::Transform3<S>& tf1,
                                       const Geometry<S>& g2, const fcl::Transform3<S>& tf2) {
  fcl::DistanceResult<S> result;
  const S least =
      sv::distance(g1.get(), tf1, g2.get(), tf2, fcl::DistanceRequest<S>(true, true), result);
  CHECK(least == result.min_distance && result.o1 == g1.get() && result.o2 == g2.get());
  return result;
}

/// What must hold of any pair. convex: nothing else comes in the way when they are moved together or
/// apart along the normal.
template <typename S>
void check_semantics(const Geometry<S>& g1, const fcl::Transform3<S>& tf1, const Geometry<S>& g2,
                     const fcl::Transform3<S>& tf2, bool convex) {
  const double tolerance = accuracy<S>;
  const auto there = signed_distance(g1, tf1, g2, tf2);
  const double d = there.min_distance;
  const fcl::Vector3<S> p1 = there.nearest_points[0], p2 = there.nearest_points[1];
  CHECK_CLOSE((p2 - p1).norm(), std::abs(d), tolerance);

  fcl::DistanceResult<S> without_sign;
  sv::distance(g1.get(), tf1, g2.get(), tf2, fcl::DistanceRequest<S>(), without_sign);
  CHECK(without_sign.min_distance == (d > 0 ? S(d) : S(-1)));

  // Swapped: the same distance, the points and ids the other way round.
  const auto back = signed_distance(g2, tf2, g1, tf1);
  CHECK_CLOSE(back.min_distance, d, tolerance);
  CHECK_CLOSE((back.nearest_points[0] - back.nearest_points[1]).dot(p2 - p1), d * d, 2 * tolerance);

  fcl::CollisionResult<S> collision, reverse;
  const fcl::CollisionRequest<S> request(1, true);
  const std::size_t count = sv::collide(g1.get(), tf1, g2.get(), tf2, request, collision);
  CHECK(count == collision.numContacts() && (count == 1) == (d <= 0));
  CHECK(sv::collide(g2.get(), tf2, g1.get(), tf1, request, reverse) == count);
  if (count == 1) {
    const fcl::Contact<S>& contact = collision.getContact(0);
    CHECK(contact.o1 == g1.get() && contact.o2 == g2.get());
    // Triangles of one face may tie, and then either is the deepest: the one that the distance names must be as deep.
    fcl::CollisionResult<S> all;
    sv::collide(g1.get(), tf1, g2.get(), tf2, fcl::CollisionRequest<S>(1000, true), all);
    double named = -1;
    for (std::size_t i = 0; i < all.numContacts(); ++i) {
      const fcl::Contact<S>& one = all.getContact(i);
      // Shapes of one piece have several points, of which the first is the deepest.
      if (one.b1 == there.b1 && one.b2 == there.b2) named = std::max(named, double(one.penetration_depth));
    }
    CHECK_CLOSE(named, -d, tolerance);
    CHECK_CLOSE(contact.normal.norm(), 1, tolerance);
    CHECK_CLOSE(contact.penetration_depth, -d, tolerance);
    CHECK_CLOSE((contact.pos - (p1 + p2) / 2).norm(), 0, tolerance);
    CHECK_CLOSE((p2 - p1 - S(d) * contact.normal).norm(), 0, 2 * tolerance);
    CHECK_CLOSE(reverse.getContact(0).normal.norm(), 1, tolerance);
    if (convex && d < -1e-4) {
      // The normal is from o1 to o2: along it o2 comes free.
      fcl::Transform3<S> out = tf2;
      out.translation() += contact.normal * (contact.penetration_depth + S(0.01));
      CHECK_CLOSE(signed_distance(g1, tf1, g2, out).min_distance, 0.01, 0.01 * 1e-3 + tolerance);
      CHECK_CLOSE(contact.normal.dot(reverse.getContact(0).normal), -1, 1e-3);
    }
  } else if (convex) {
    // Along the line between the nearest points the bodies come to touch.
    fcl::Transform3<S> touching = tf2;
    touching.translation() -= p2 - p1;
    CHECK_CLOSE(signed_distance(g1, tf1, g2, touching).min_distance, 0, 2 * tolerance);
  }

  // Moved together: the same distance, the points moved along.
  Random random(7);
  const fcl::Transform3<S> motion = random.pose<S>(1);
  const auto moved = signed_distance<S>(g1, motion * tf1, g2, motion * tf2);
  CHECK_CLOSE(moved.min_distance, d, 4 * tolerance);
  if (d > 1e-2) CHECK_CLOSE((moved.nearest_points[1] - moved.nearest_points[0] -
                             motion.linear() * (p2 - p1)).norm(), 0, 1e-3);

  // A result keeps the smaller distance, and is final at zero.
  for (const double before : {d - 0.5, d + 0.5}) {
    fcl::DistanceResult<S> result{S(before)};
    sv::distance(g1.get(), tf1, g2.get(), tf2, fcl::DistanceRequest<S>(true, true), result);
    const bool kept = before < d || before <= 0;
    // A distance that is known changes which triangles of a mesh are asked first, and so what is rounded.
    CHECK_CLOSE(result.min_distance, kept ? S(before) : there.min_distance, 4 * std::numeric_limits<S>::epsilon());
    CHECK((result.o1 == nullptr) == kept);
  }
  // Contacts are added up to the number asked for.
  fcl::CollisionResult<S> two;
  sv::collide(g1.get(), tf1, g2.get(), tf2, request, two);
  CHECK(sv::collide(g1.get(), tf1, g2.get(), tf2, request, two) == count);
}

/// FCL's own signed distance of a sphere: from distance() apart, otherwise the depth of collide().
template <typename S>
double fcl_signed_distance(const Geometry<S>& g1, const fcl::Transform3<S>& tf1,
                           const Geometry<S>& g2, const fcl::Transform3<S>& tf2) {
  fcl::CollisionResult<S> collision;
  if (fcl::collide(g1.get(), tf1, g2.get(), tf2, fcl::CollisionRequest<S>(1, true), collision) > 0)
    return -collision.getContact(0).penetration_depth;
  fcl::DistanceResult<S> result;
  fcl::distance(g1.get(), tf1, g2.get(), tf2, fcl::DistanceRequest<S>(true), result);
  return result.min_distance;
}

template <typename S>
std::shared_ptr<fcl::Convex<S>> box_as_convex(const fcl::Vector3<S>& side) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3<S>>>();
  for (int i = 0; i < 8; ++i)
    vertices->push_back({side[0] * ((i & 1) - S(0.5)), side[1] * ((i >> 1 & 1) - S(0.5)),
                         side[2] * ((i >> 2 & 1) - S(0.5))});
  const std::vector<int> faces = {4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 0, 1, 5, 4,
                                  4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4, 1, 3, 7, 5};
  return std::make_shared<fcl::Convex<S>>(vertices, 6, std::make_shared<std::vector<int>>(faces));
}

/// The surface of a box, twelve triangles.
template <typename BV>
std::shared_ptr<fcl::BVHModel<BV>> box_mesh(const fcl::Vector3<typename BV::S>& side) {
  using S = typename BV::S;
  auto model = std::make_shared<fcl::BVHModel<BV>>();
  model->beginModel();
  for (int axis = 0; axis < 3; ++axis)
    for (const S sign : {S(-0.5), S(0.5)}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      fcl::Vector3<S> corners[4];
      for (int i = 0; i < 4; ++i) {
        corners[i][axis] = sign * side[axis];
        corners[i][u] = side[u] * (i == 1 || i == 2 ? S(0.5) : S(-0.5));
        corners[i][v] = side[v] * (i >= 2 ? S(0.5) : S(-0.5));
      }
      model->addTriangle(corners[0], corners[1], corners[2]);
      model->addTriangle(corners[0], corners[2], corners[3]);
    }
  model->endModel();
  return model;
}

template <typename S>
Geometry<S> box_mesh_of_type(int type, const fcl::Vector3<S>& side) {
  switch (type) {
    case 0: return box_mesh<fcl::AABB<S>>(side);
    case 1: return box_mesh<fcl::OBB<S>>(side);
    case 2: return box_mesh<fcl::RSS<S>>(side);
    case 3: return box_mesh<fcl::kIOS<S>>(side);
    case 4: return box_mesh<fcl::OBBRSS<S>>(side);
    case 5: return box_mesh<fcl::KDOP<S, 16>>(side);
    case 6: return box_mesh<fcl::KDOP<S, 18>>(side);
    default: return box_mesh<fcl::KDOP<S, 24>>(side);
  }
}

/// A ball given as a superovoid must get FCL's exact answers for fcl::Sphere.
template <typename S>
void balls_agree_with_fcl_spheres() {
  Random random(1);
  int overlapping = 0;
  for (int k = 0; k < 400; ++k) {
    const double r = random.between(0.2, 0.6);
    const Geometry<S> ball = std::make_shared<sv::Superovoid<S>>(r, r, r);
    const Geometry<S> sphere = std::make_shared<fcl::Sphere<S>>(S(r));
    const fcl::Vector3<S> side = random.vector<S>(0.5).cwiseAbs() + fcl::Vector3<S>::Constant(S(0.3));
    const fcl::Vector3<S> n = random.vector<S>(1).normalized();
    Geometry<S> others[] = {
        std::make_shared<fcl::Sphere<S>>(side[0]),
        std::make_shared<fcl::Box<S>>(side),
        std::make_shared<fcl::Capsule<S>>(side[0], side[1]),
        std::make_shared<fcl::Halfspace<S>>(n, side[0]),
        std::make_shared<fcl::Plane<S>>(n, side[0]),
    };
    for (int type = 0; type < 5; ++type) {
      const auto tf1 = random.pose<S>(0.8), tf2 = random.pose<S>(0.8);
      const double own = signed_distance(ball, tf1, others[type], tf2).min_distance;
      double theirs = 0;
      if (type <= 2) {
        theirs = fcl_signed_distance(sphere, tf1, others[type], tf2);
      } else {
        // FCL finds these depths exactly, and distances by GJK on an unbounded body.
        const double offset = n.dot(tf2.inverse() * tf1.translation()) - side[0];
        theirs = (type == 3 ? offset : std::abs(offset)) - r;
      }
      CHECK_CLOSE(own, theirs, accuracy<S>);
      overlapping += own <= 0;
    }
  }
  std::printf("balls: 2000 pairs as FCL's spheres, %d overlapping\n", overlapping);
}

/// Bodies without symmetry: an ellipsoid given as a superovoid against FCL's GJK for fcl::Ellipsoid.
template <typename S>
void ellipsoids_agree_with_fcl_ellipsoids() {
  Random random(2);
  int compared = 0;
  for (int k = 0; k < 300; ++k) {
    const double a = random.between(0.1, 0.6), b = random.between(0.1, 0.6), c = random.between(0.1, 0.6);
    const Geometry<S> own = std::make_shared<sv::Superovoid<S>>(a, b, c);
    const Geometry<S> theirs = std::make_shared<fcl::Ellipsoid<S>>(S(a), S(b), S(c));
    const fcl::Vector3<S> side = random.vector<S>(0.5).cwiseAbs() + fcl::Vector3<S>::Constant(S(0.2));
    const Geometry<S> others[] = {
        std::make_shared<fcl::Ellipsoid<S>>(side),
        std::make_shared<fcl::Box<S>>(side),
        std::make_shared<fcl::Capsule<S>>(side[0] / 2, side[1]),
        box_as_convex<S>(side),
    };
    for (const auto& other : others) {
      const auto tf1 = random.pose<S>(1.2), tf2 = random.pose<S>(1.2);
      const auto answer = signed_distance(own, tf1, other, tf2);
      if (answer.min_distance < 0.01) continue;  // GJK's own accuracy suffers
      fcl::DistanceResult<S> result;
      fcl::distance(theirs.get(), tf1, other.get(), tf2, fcl::DistanceRequest<S>(true), result);
      CHECK_CLOSE(answer.min_distance, result.min_distance, 2e-3);
      ++compared;
    }
  }
  std::printf("ellipsoids: %d pairs as FCL's GJK\n", compared);
}

/// Every kind of pair, with what must hold of it.
template <typename S>
void every_pair_has_the_semantics() {
  Random random(3);
  for (int k = 0; k < 25; ++k) {
    const auto body = random.superovoid<S>(0.2, 0.6);
    const bool convex = body->shape().convexity == SOVO_CONVEXITY_CONVEX;
    const fcl::Vector3<S> side = random.vector<S>(0.5).cwiseAbs() + fcl::Vector3<S>::Constant(S(0.2));
    const fcl::Vector3<S> n = random.vector<S>(1).normalized();
    const auto other = random.superovoid<S>(0.2, 0.6);
    const auto triangle = std::make_shared<fcl::TriangleP<S>>(random.vector<S>(0.5), random.vector<S>(0.5),
                                                              random.vector<S>(0.5));
    const std::pair<Geometry<S>, bool> others[] = {
        {other, convex && other->shape().convexity == SOVO_CONVEXITY_CONVEX},
        {std::make_shared<fcl::Sphere<S>>(side[0]), convex},
        {std::make_shared<fcl::Ellipsoid<S>>(side), convex},
        {std::make_shared<fcl::Capsule<S>>(side[0], side[1]), convex},
        {std::make_shared<fcl::Box<S>>(side), convex},
        {triangle, convex},
        {box_as_convex<S>(side), convex},
        {std::make_shared<fcl::Plane<S>>(n, side[0]), true},
        {std::make_shared<fcl::Halfspace<S>>(n, side[0]), true},
        {box_mesh_of_type<S>(k % 8, side), false},
    };
    for (const auto& [geometry, both_convex] : others)
      check_semantics<S>(body, random.pose<S>(0.6), geometry, random.pose<S>(0.6), both_convex);
  }
}

/// The same body in different forms must get the same answer; a mesh of any BV, prepared or not.
template <typename S>
void forms_of_a_box_agree() {
  Random random(4);
  for (int k = 0; k < 80; ++k) {
    const Geometry<S> body = random.superovoid<S>(0.2, 0.6);
    const fcl::Vector3<S> side = random.vector<S>(0.5).cwiseAbs() + fcl::Vector3<S>::Constant(S(0.3));
    const auto tf1 = random.pose<S>(1), tf2 = random.pose<S>(1);
    const auto box = signed_distance<S>(body, tf1, std::make_shared<fcl::Box<S>>(side), tf2);
    const auto hull = signed_distance<S>(body, tf1, box_as_convex<S>(side), tf2);
    CHECK_CLOSE(box.min_distance, hull.min_distance, accuracy<S>);

    const Geometry<S> mesh = box_mesh_of_type<S>(k % 8, side);
    const auto surface = signed_distance<S>(body, tf1, mesh, tf2);
    if (box.min_distance > 0) CHECK_CLOSE(box.min_distance, surface.min_distance, accuracy<S>);
    CHECK(surface.b1 == -1 && surface.b2 >= 0 && surface.b2 < 12);
    sv::Meshes<S> meshes;
    meshes.add(mesh);
    CHECK(meshes.find(mesh.get()) && !meshes.find(body.get()));
    meshes.remove(mesh.get());
    CHECK(!meshes.find(mesh.get()));
    fcl::CollisionObject<S> object(mesh), smooth(body);
    meshes.add({&object, &smooth});
    CHECK(meshes.find(mesh.get()) && !meshes.find(body.get()));
    fcl::DistanceResult<S> prepared;
    sv::distance(body.get(), tf1, mesh.get(), tf2, fcl::DistanceRequest<S>(true, true), prepared, &meshes);
    CHECK(prepared.min_distance == surface.min_distance && prepared.b2 == surface.b2);

    // All colliding triangles, deepest first, and only as many as asked for.
    fcl::CollisionResult<S> all, three;
    const fcl::CollisionRequest<S> few(3, true);
    sv::collide(body.get(), tf1, mesh.get(), tf2, fcl::CollisionRequest<S>(100, true), all, &meshes);
    sv::collide(body.get(), tf1, mesh.get(), tf2, few, three, &meshes);
    CHECK((all.numContacts() > 0) == (surface.min_distance <= 0));
    CHECK(three.numContacts() == std::min<std::size_t>(3, all.numContacts()));
    for (std::size_t i = 0; i < three.numContacts(); ++i) {
      CHECK(three.getContact(i).b2 == all.getContact(i).b2);
      if (i > 0) CHECK(all.getContact(i).penetration_depth <= all.getContact(i - 1).penetration_depth);
    }
  }
}

/// The triangles that collide with a ball, by FCL's exact sphere-triangle test.
template <typename S>
void triangles_of_a_mesh_are_counted_as_fcl_does() {
  Random random(5);
  std::size_t contacts = 0;
  for (int k = 0; k < 200; ++k) {
    const double r = random.between(0.2, 0.8);
    const sv::Superovoid<S> ball(r, r, r);
    const fcl::Sphere<S> sphere{S(r)};
    const Geometry<S> mesh = box_mesh<fcl::OBBRSS<S>>(fcl::Vector3<S>(1, S(0.8), S(0.6)));
    const auto tf1 = random.pose<S>(0.7), tf2 = random.pose<S>(0.2);
    const fcl::CollisionRequest<S> request(100, true);
    fcl::CollisionResult<S> own, theirs;
    sv::collide(mesh.get(), tf2, &ball, tf1, request, own);
    fcl::collide(mesh.get(), tf2, &sphere, tf1, request, theirs);
    CHECK(own.numContacts() == theirs.numContacts());
    for (std::size_t i = 0; i < own.numContacts(); ++i) CHECK(own.getContact(i).b1 >= 0);
    contacts += own.numContacts();
  }
  std::printf("mesh: %zu contacts of balls and triangles as FCL's spheres\n", contacts);
}

#if FCL_HAVE_OCTOMAP
/// Occupied cells against the closed form for a ball and a box along the axes.
template <typename S>
void octrees_agree_with_the_closed_form() {
  Random random(6);
  const auto map = std::make_shared<octomap::OcTree>(0.1);
  std::vector<Eigen::Vector3d> cells;
  for (int k = 0; k < 60; ++k) {
    const Eigen::Vector3d x = random.vector<double>(0.6);
    map->updateNode(octomap::point3d(float(x[0]), float(x[1]), float(x[2])), k % 4 != 0);
  }
  // A block of eight that becomes one leaf.
  for (int i = 0; i < 8; ++i)
    map->setNodeValue(octomap::point3d(1.65f + 0.1f * (i & 1), 0.05f + 0.1f * (i >> 1 & 1),
                                       0.05f + 0.1f * (i >> 2)), 2.0f, true);
  map->updateInnerOccupancy();
  map->prune();
  std::vector<std::pair<Eigen::Vector3d, double>> boxes;  // centre and edge
  for (auto leaf = map->begin_leafs(); leaf != map->end_leafs(); ++leaf)
    if (map->isNodeOccupied(*leaf))
      boxes.push_back({{leaf.getX(), leaf.getY(), leaf.getZ()}, leaf.getSize()});
  const auto tree = std::make_shared<fcl::OcTree<S>>(std::shared_ptr<const octomap::OcTree>(map));
  sv::Meshes<S> meshes;
  meshes.add(tree);

  for (int k = 0; k < 200; ++k) {
    const double r = random.between(0.02, 0.3);
    const sv::Superovoid<S> ball(r, r, r);
    const fcl::Transform3<S> place = random.pose<S>(1.5), tf2 = random.pose<S>(0.5);
    const Eigen::Vector3d center = (tf2.inverse() * place.translation()).template cast<double>();
    double least = 1e9;
    std::size_t colliding = 0;
    for (const auto& [middle, edge] : boxes) {
      const Eigen::Vector3d from = (center - middle).cwiseAbs() - Eigen::Vector3d::Constant(edge / 2);
      const double d = from.cwiseMax(0).norm() + std::min(0.0, from.maxCoeff()) - r;
      least = std::min(least, d);
      colliding += d <= 0;
    }
    fcl::DistanceResult<S> result;
    sv::distance(static_cast<const fcl::CollisionGeometry<S>*>(tree.get()), tf2, &ball, place,
                 fcl::DistanceRequest<S>(true, true), result, &meshes);
    CHECK_CLOSE(result.min_distance, least, 2 * accuracy<S>);
    const fcl::Vector3<S> at = tf2.inverse() * result.nearest_points[0];
    if (least > 0) CHECK(tree->getNodeByQueryCellId(result.b1, at) != nullptr);
    fcl::CollisionResult<S> collision;
    sv::collide(&ball, place, static_cast<const fcl::CollisionGeometry<S>*>(tree.get()), tf2,
                fcl::CollisionRequest<S>(1000), collision, &meshes);
    CHECK(collision.numContacts() == colliding);
  }

  const fcl::OcTree<S> empty(S(0.1));
  const sv::Superovoid<S> ball(1, 1, 1);
  fcl::CollisionResult<S> collision;
  const auto here = fcl::Transform3<S>::Identity();
  CHECK(sv::collide<S>(&ball, here, &empty, here, fcl::CollisionRequest<S>(), collision) == 0);
  std::printf("octree: 200 balls against %zu leaves\n", boxes.size());
}
#endif

/// Runs it; the text of the superovoid::error that it must throw.
template <typename Action>
std::string refused(Action&& action) {
  try {
    action();
  } catch (const superovoid::error& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

template <typename S>
struct Custom : fcl::CollisionGeometry<S> {
  void computeLocalAABB() override {}
};

template <typename S>
void cylinders_and_cones_are_answered() {
  const sv::Superovoid<S> ball(1, 1, 1);
  const fcl::Cylinder<S> cylinder(S(0.5), 6);
  const fcl::Cone<S> cone(2, 2);
  const auto here = fcl::Transform3<S>::Identity();
  auto there = here;
  there.translation().x() = 3;
  fcl::DistanceRequest<S> request;
  request.enable_signed_distance = true;
  const auto distance = [&](const fcl::CollisionGeometry<S>& g) {
    fcl::DistanceResult<S> result;
    sv::distance<S>(&ball, here, &g, there, request, result);
    return double(result.min_distance);
  };
  CHECK(std::abs(distance(cylinder) - 1.5) < 1e-6);
  // The rim of the base, at x = 1, z = -1.
  CHECK(std::abs(distance(cone) - (std::sqrt(2.0) - 1)) < 1e-6);
  there.translation().x() = 1;
  CHECK(std::abs(distance(cylinder) + 0.5) < 1e-6);
}

template <typename S>
void what_cannot_be_answered_is_refused() {
  const sv::Superovoid<S> ball(1, 1, 1);
  const Custom<S> custom;
  fcl::BVHModel<fcl::OBB<S>> cloud;
  cloud.beginModel();
  cloud.addSubModel({fcl::Vector3<S>::Zero(), fcl::Vector3<S>::Ones(), fcl::Vector3<S>::UnitX()});
  cloud.endModel();
  const auto here = fcl::Transform3<S>::Identity();
  const std::pair<const fcl::CollisionGeometry<S>*, const char*> others[] = {
      {&custom, "Custom"}, {&cloud, "point cloud"}};
  for (const auto& [other, name] : others) {
    fcl::CollisionResult<S> collision;
    fcl::DistanceResult<S> result;
    const fcl::CollisionRequest<S> collide;
    const fcl::DistanceRequest<S> distance;
    const fcl::CollisionGeometry<S>* o = other;
    CHECK(contains(refused([&] { sv::collide<S>(&ball, here, o, here, collide, collision); }), name));
    CHECK(contains(refused([&] { sv::collide<S>(o, here, &ball, here, collide, collision); }), name));
    CHECK(contains(refused([&] { sv::distance<S>(o, here, &ball, here, distance, result); }), name));
    CHECK(!collision.isCollision() && result.o1 == nullptr);
  }
  fcl::CollisionResult<S> collision;
  fcl::DistanceResult<S> result;
  const auto collide = [&](const fcl::Transform3<S>& tf, const fcl::CollisionRequest<S>& request) {
    return refused([&] { sv::collide<S>(&ball, here, &ball, tf, request, collision); });
  };
  CHECK(contains(collide(here, fcl::CollisionRequest<S>(0)), "num_max_contacts"));
  fcl::Transform3<S> wrong = here;
  wrong.linear() *= 2;
  CHECK(contains(collide(wrong, {}), "rotation"));
  wrong.linear() = fcl::Matrix3<S>::Constant(std::numeric_limits<S>::quiet_NaN());
  CHECK(contains(collide(wrong, {}), "rotation"));
  wrong = here;
  wrong.translation()[1] = std::numeric_limits<S>::infinity();
  CHECK(!collide(wrong, {}).empty());
  const fcl::Sphere<S> nothing(std::numeric_limits<S>::quiet_NaN());
  const fcl::DistanceRequest<S> distance;
  CHECK(contains(refused([&] { sv::distance<S>(&ball, here, &nothing, here, distance, result); }),
                 "radius"));
  CHECK(!refused([] { sv::Superovoid<S>(1, -1, 1); }).empty());
  CHECK(!collision.isCollision() && result.o1 == nullptr);

  // What FCL itself says of a superovoid: a warning, and "free". The reason for these functions.
  std::ostringstream warnings;
  auto* stream = std::cerr.rdbuf(warnings.rdbuf());
  CHECK(fcl::collide<S>(&ball, here, &ball, here, fcl::CollisionRequest<S>(), collision) == 0);
  std::cerr.rdbuf(stream);
  CHECK(contains(warnings.str(), "is not supported"));
  CHECK(sv::collide<S>(&ball, here, &ball, here, fcl::CollisionRequest<S>(), collision) == 1);

  // A geometry that is marked as no obstacle collides with nothing, as for FCL.
  fcl::Sphere<S> ghost(1);
  ghost.cost_density = 0;
  collision.clear();
  CHECK(sv::collide<S>(&ball, here, &ghost, here, fcl::CollisionRequest<S>(), collision) == 0);
}

/// Cost sources are the boxes that parts have in common, with the product of the densities; a ball has no rotation.
template <typename S>
void costs() {
  const sv::Superovoid<S> ball(1, 1, 1);
  const auto here = fcl::Transform3<S>::Identity();
  fcl::Transform3<S> beside = here;
  beside.translation()[0] = S(1.5);
  const auto sources = [&](const fcl::CollisionGeometry<S>& o1, const fcl::Transform3<S>& tf1, const fcl::CollisionGeometry<S>& o2,
                           const fcl::Transform3<S>& tf2, std::size_t contacts) {
    const fcl::CollisionRequest<S> request(1, true, 100, true);
    fcl::CollisionResult<S> result;
    CHECK(sv::collide<S>(&o1, tf1, &o2, tf2, request, result) == contacts);
    std::vector<fcl::CostSource<S>> found;
    result.getCostSources(found);
    return found;
  };
  fcl::Box<S> box(2, 2, 2);
  box.cost_density = 2;
  for (const auto& found : {sources(ball, here, box, beside, 1), sources(box, beside, ball, here, 1)}) {
    CHECK(found.size() == 1);
    CHECK_CLOSE(found[0].aabb_min[0], 0.5, 1e-6);
    CHECK_CLOSE(found[0].aabb_max[0], 1, 1e-6);
    CHECK_CLOSE(found[0].cost_density, 2, 1e-6);
  }
  box.threshold_occupied = 3;  // neither free nor occupied: a cost, and no contact
  CHECK(sources(ball, here, box, beside, 0).size() == 1);
  box.cost_density = 0;
  CHECK(sources(ball, here, box, beside, 0).empty());

  // The triangles at x = 0.5 and x = 1.25, of which the ball meets the first alone.
  fcl::BVHModel<fcl::OBBRSS<S>> mesh;
  mesh.beginModel();
  for (const S x : {S(0.5), S(1.25)}) mesh.addTriangle({x, -1, -1}, {x, 1, -1}, {x, 0, 1});
  mesh.endModel();
  for (const auto& found : {sources(ball, here, mesh, here, 1), sources(mesh, here, ball, here, 1)}) {
    CHECK(found.size() == 1);
    CHECK_CLOSE(found[0].aabb_min[0], 0.5, 1e-6);
    CHECK_CLOSE(found[0].aabb_max[1], 1, 1e-6);
  }
#if FCL_HAVE_OCTOMAP
  // A cell that is occupied and one that is free, and around them what is unknown.
  const auto tree = std::make_shared<octomap::OcTree>(0.5);
  tree->updateNode(octomap::point3d(0.25f, 0.25f, 0.25f), true);
  tree->updateNode(octomap::point3d(0.75f, 0.25f, 0.25f), false);
  const fcl::OcTree<S> octree(tree);
  const sv::Superovoid<S> grain(S(0.3), S(0.1), S(0.1));
  fcl::Transform3<S> between = here;
  between.translation() << S(0.5), S(0.25), S(0.25);
  const auto found = sources(octree, here, grain, between, 1);
  CHECK(found.size() == 1);
  CHECK_CLOSE(found[0].aabb_min[0], 0.2, 1e-6);
  CHECK_CLOSE(found[0].aabb_max[0], 0.5, 1e-6);
  CHECK_CLOSE(found[0].cost_density, 0.7, 1e-6);
  between.translation()[0] = S(-0.2);
  CHECK(!sources(octree, here, grain, between, 1).empty());
#endif

  fcl::Transform3<S> unset = here;
  unset.linear().setConstant(std::numeric_limits<S>::quiet_NaN());
  fcl::CollisionResult<S> result;
  CHECK(sv::collide<S>(&ball, here, std::make_unique<fcl::Sphere<S>>(S(1)).get(), unset, fcl::CollisionRequest<S>(), result) == 1);
}

/// Surface points of a body, and its tessellation as FCL's mesh.
template <typename S>
std::shared_ptr<fcl::BVHModel<fcl::OBBRSS<S>>> tessellation(const sovo_superovoid& shape) {
  std::size_t vertex_count = 0, triangle_count = 0;
  const sovo_body body = sovo_body_superovoid(&shape);
  superovoid::check(sovo_body_tessellate(&body, 96, nullptr, 0, nullptr, 0, &vertex_count, &triangle_count));
  std::vector<double> vertices(3 * vertex_count);
  std::vector<std::uint32_t> triangles(3 * triangle_count);
  superovoid::check(sovo_body_tessellate(&body, 96, vertices.data(), vertex_count, triangles.data(), triangle_count,
                                         &vertex_count, &triangle_count));
  std::vector<fcl::Vector3<S>> points;
  std::vector<fcl::Triangle> faces;
  for (std::size_t i = 0; i < vertex_count; ++i)
    points.push_back(Eigen::Vector3d(&vertices[3 * i]).template cast<S>());
  for (std::size_t i = 0; i < triangle_count; ++i)
    faces.emplace_back(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSS<S>>>();
  model->beginModel();
  model->addSubModel(points, faces);
  model->endModel();
  return model;
}

/// Boxes hold the body in any pose, and no more than needed; FCL rounds when it moves them.
template <typename S>
void bounds_hold_the_body() {
  Random random(8);
  for (int k = 0; k < 60; ++k) {
    const auto body = random.superovoid<S>(0.05, 2, 0.9);
    const auto mesh = tessellation<S>(body->shape());
    for (int pose = 0; pose < 4; ++pose) {
      fcl::Transform3<S> tf = random.pose<S>(pose < 2 ? 0 : 5);
      if (pose % 2) tf.linear().setIdentity();
      fcl::CollisionObject<S> object(body, tf);
      object.computeAABB();
      const double rounding = 8 * std::numeric_limits<S>::epsilon() * tf.translation().norm();
      for (int i = 0; i < mesh->num_vertices; ++i) {
        // In double precision, from the vertex as FCL's mesh has it.
        const Eigen::Vector3d x = tf.linear().template cast<double>() *
                                      mesh->vertices[i].template cast<double>() +
                                  tf.translation().template cast<double>();
        const Eigen::Vector3d low = x - object.getAABB().min_.template cast<double>();
        const Eigen::Vector3d high = object.getAABB().max_.template cast<double>() - x;
        CHECK(low.minCoeff() >= -rounding && high.minCoeff() >= -rounding);
      }
      if (pose == 1) {
        fcl::AABB<S> tight;
        for (int i = 0; i < mesh->num_vertices; ++i) tight += mesh->vertices[i];
        const fcl::Vector3<S> slack = object.getAABB().max_ - tight.max_;
        CHECK(slack.maxCoeff() <= 0.03 * body->aabb_radius);
      }
    }
  }
}

/// Volume, centre of mass and inertia as FCL gets them from a fine mesh of the body.
template <typename S>
void mass_is_that_of_the_mesh() {
  Random random(9);
  for (int k = 0; k < 30; ++k) {
    const auto body = random.superovoid<S>(0.5, 2, 0.6);
    const auto mesh = tessellation<double>(body->shape());
    const double volume = mesh->computeVolume();
    CHECK_CLOSE(body->computeVolume() / volume, 1, 5e-3);
    const double off = (body->computeCOM().template cast<double>() - mesh->computeCOM()).norm();
    CHECK_CLOSE(off, 0, 5e-3);
    const Eigen::Matrix3d about_origin = mesh->computeMomentofInertia();
    const Eigen::Matrix3d about_center = mesh->computeMomentofInertiaRelatedToCOM();
    const double size = about_origin.norm();
    CHECK_CLOSE((body->computeMomentofInertia().template cast<double>() - about_origin).norm() / size, 0,
                1e-2);
    const Eigen::Matrix3d own = body->computeMomentofInertiaRelatedToCOM().template cast<double>();
    CHECK_CLOSE((own - about_center).norm() / size, 0, 1e-2);
    // And as the base class derives it.
    const auto derived = body->fcl::template CollisionGeometry<S>::computeMomentofInertiaRelatedToCOM();
    CHECK_CLOSE((own - derived.template cast<double>()).norm() / size, 0, 1e-5);
  }
}

/// The time of contact, by superovoid::fcl, of g1 that moves by v and turns about z, and g2 at rest.
template <typename S>
fcl::ContinuousCollisionResult<S> moving(const Geometry<S>& g1, const fcl::Transform3<S>& from,
                                         const fcl::Vector3<S>& v, S turn, const Geometry<S>& g2,
                                         const fcl::Transform3<S>& at, fcl::CCDMotionType type) {
  fcl::Transform3<S> to = from;
  to.translation() += v;
  if (turn != 0) to.linear() = Eigen::AngleAxis<S>(turn, fcl::Vector3<S>::UnitZ()) * from.linear();
  fcl::ContinuousCollisionRequest<S> request;
  request.ccd_motion_type = type;
  fcl::ContinuousCollisionResult<S> result, reverse;
  const S t = sv::continuousCollide(g1.get(), from, to, g2.get(), at, at, request, result);
  CHECK(t == result.time_of_contact && result.is_collide == (t < 1));
  // Swapped: the same instant.
  sv::continuousCollide(g2.get(), at, at, g1.get(), from, to, request, reverse);
  CHECK(reverse.is_collide == result.is_collide);
  CHECK_CLOSE(reverse.time_of_contact, t, accuracy<S>);
  return result;
}

template <typename S>
void motions_are_answered_and_refused() {
  const Geometry<S> ball = std::make_shared<sv::Superovoid<S>>(1, 1, 1);
  const auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSS<S>>>();
  mesh->beginModel();
  mesh->addTriangle({1, -5, -5}, {1, 5, -5}, {1, 0, 5});
  mesh->endModel();
  fcl::Transform3<S> start = fcl::Transform3<S>::Identity(), origin = start;
  start.translation() = fcl::Vector3<S>(-4, S(0.0625), 0);
  const fcl::Vector3<S> v(8, 0, 0);
  // The ball's foremost point is at x = -3 at first; each of these is met by its rim, or in the line of its centre.
  const double two = std::sqrt(4 - 0.0625 * 0.0625),
               touch = std::sqrt(1.25 * 1.25 - 0.0625 * 0.0625);
  const std::pair<Geometry<S>, double> others[] = {
      {ball, 4 - two},
      {std::make_shared<fcl::Sphere<S>>(S(0.25)), 4 - touch},
      {std::make_shared<fcl::Capsule<S>>(S(0.25), S(2)), 4 - touch},
      {std::make_shared<fcl::Ellipsoid<S>>(S(1), S(1), S(1)), 4 - two},
      {std::make_shared<fcl::Box<S>>(S(1), S(2), S(2)), 2.5},
      {std::make_shared<fcl::Halfspace<S>>(fcl::Vector3<S>(-1, 0, 0), S(0)), 3},
      {std::make_shared<fcl::Plane<S>>(fcl::Vector3<S>(1, 0, 0), S(0)), 3},
      {std::make_shared<fcl::TriangleP<S>>(fcl::Vector3<S>(0, -5, -5), fcl::Vector3<S>(0, 5, -5), fcl::Vector3<S>(0, 0, 5)), 3},
      {mesh, 4},
      {std::make_shared<fcl::Cylinder<S>>(S(1), S(2)), 4 - two}};
  for (const auto& [other, way] : others)
    for (const auto type : {fcl::CCDM_TRANS, fcl::CCDM_LINEAR, fcl::CCDM_SCREW}) {
      const auto result = moving<S>(ball, start, v, 0, other, origin, type);
      CHECK(result.is_collide);
      CHECK_CLOSE(result.time_of_contact, way / 8, accuracy<S>);
      CHECK_CLOSE(result.contact_tf1.translation()[0], way - 4, 8 * accuracy<S>);
      // It passes on the other side, or goes the other way.
      CHECK(!moving<S>(ball, start, -v, 0, other, origin, type).is_collide);
    }
  // A ball that turns is the same ball; the line of its origin is the same, a screw goes round.
  CHECK_CLOSE(moving<S>(ball, start, v, 3, ball, origin, fcl::CCDM_LINEAR).time_of_contact, (4 - two) / 8, accuracy<S>);
  // Where it overlaps at first the time is 0.
  CHECK(moving<S>(ball, origin, v, 1, ball, origin, fcl::CCDM_SCREW).time_of_contact == 0);
  // FCL's own motion has the poses of ours.
  fcl::Transform3<S> end = start;
  end.translation() = fcl::Vector3<S>(3, 1, 2);
  end.linear() = Eigen::AngleAxis<S>(S(2.5), fcl::Vector3<S>(1, 2, 3).normalized()).toRotationMatrix();
  const fcl::Transform3d start_d = start.template cast<double>(), end_d = end.template cast<double>();
  const fcl::ScrewMotion<double> screw(start_d, end_d);
  for (const double t : {0.0, 0.3, 0.7, 1.0}) {
    fcl::Transform3d tf;
    screw.integrate(t);
    screw.getCurrentTransform(tf);
    const auto ours = sv::detail::transform_at<S>(sv::detail::motion<S>(start, end, fcl::CCDM_SCREW), t);
    CHECK_CLOSE((tf.matrix().template cast<S>() - ours.matrix()).norm(), 0, 10 * accuracy<S>);
    // FCL's CCDM_LINEAR leaves the point that it moves on a line uninitialised; here it is the origin.
    const auto line = sv::detail::transform_at<S>(sv::detail::motion<S>(start, end, fcl::CCDM_LINEAR), t);
    const fcl::Vector3<S> between = start.translation() + S(t) * (end.translation() - start.translation());
    const Eigen::Quaternion<S> turned = Eigen::Quaternion<S>(start.linear()).slerp(S(t), Eigen::Quaternion<S>(end.linear()));
    CHECK_CLOSE((line.translation() - between).norm(), 0, 10 * accuracy<S>);
    CHECK_CLOSE((line.linear() - turned.toRotationMatrix()).norm(), 0, 10 * accuracy<S>);
  }
  // FCL answers other pairs itself.
  const Geometry<S> sphere = std::make_shared<fcl::Sphere<S>>(S(1));
  fcl::ContinuousCollisionRequest<S> request(100, S(0.01), fcl::CCDM_LINEAR);
  fcl::ContinuousCollisionResult<S> result;
  fcl::Transform3<S> beyond = start;
  beyond.translation() += v;
  sv::continuousCollide(sphere.get(), start, beyond, sphere.get(), origin, origin, request, result);
  CHECK(result.is_collide);

  const auto refuses = [&](const Geometry<S>& other, const fcl::Transform3<S>& to, fcl::CCDMotionType type) {
    fcl::ContinuousCollisionRequest<S> asked;
    asked.ccd_motion_type = type;
    fcl::ContinuousCollisionResult<S> untouched;
    untouched.time_of_contact = S(0.5);
    try {
      sv::continuousCollide(ball.get(), start, end, other.get(), origin, to, asked, untouched);
    } catch (const superovoid::error& error) {
      return untouched.time_of_contact == S(0.5) && std::string(error.what()).find("superovoid::fcl") == 0;
    }
    return false;
  };
  CHECK(refuses(ball, origin, fcl::CCDM_TRANS));
  CHECK(refuses(ball, origin, fcl::CCDM_SPLINE));
  CHECK(refuses(others[5].first, end, fcl::CCDM_LINEAR));
  CHECK(refuses(others[6].first, end, fcl::CCDM_LINEAR));
}

template <typename S>
void run() {
  balls_agree_with_fcl_spheres<S>();
  ellipsoids_agree_with_fcl_ellipsoids<S>();
  every_pair_has_the_semantics<S>();
  forms_of_a_box_agree<S>();
  triangles_of_a_mesh_are_counted_as_fcl_does<S>();
#if FCL_HAVE_OCTOMAP
  octrees_agree_with_the_closed_form<S>();
#endif
  cylinders_and_cones_are_answered<S>();
  what_cannot_be_answered_is_refused<S>();
  costs<S>();
  motions_are_answered_and_refused<S>();
  bounds_hold_the_body<S>();
  mass_is_that_of_the_mesh<S>();
}

int main() {
#ifdef SINGLE_PRECISION
  run<float>();
#else
  run<double>();
#endif
  if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}
