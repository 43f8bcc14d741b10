// FCL 0.7 as a planner's collision checker: collision objects, its dynamic tree of axis-aligned boxes, early ends.

#include "planner.hpp"

#include <algorithm>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>
#include <memory>

namespace {

using fcl::Transform3d;
using fcl::Vector3d;
using Object = fcl::CollisionObjectd;

Transform3d transform(const double pose[12]) {
  Transform3d result = Transform3d::Identity();
  result.linear() = Eigen::Map<const Eigen::Matrix3d>(pose);
  result.translation() = Eigen::Map<const Eigen::Vector3d>(pose + 9);
  return result;
}

std::shared_ptr<fcl::CollisionGeometryd> geometry(const Body& body) {
  switch (static_cast<Kind>(body.kind)) {
    case Kind::sphere: return std::make_shared<fcl::Sphered>(body.size[0]);
    case Kind::box: return std::make_shared<fcl::Boxd>(2 * body.size[0], 2 * body.size[1], 2 * body.size[2]);
    case Kind::capsule: return std::make_shared<fcl::Capsuled>(body.size[0], 2 * body.size[1]);
    case Kind::cylinder: return std::make_shared<fcl::Cylinderd>(body.size[0], 2 * body.size[1]);
    case Kind::hull:
    case Kind::mesh: break;
  }
  auto points = std::make_shared<std::vector<Vector3d>>();
  for (std::size_t k = 0; k < body.vertex_count; ++k)
    points->emplace_back(Eigen::Map<const Eigen::Vector3d>(body.vertices + 3 * k));
  if (static_cast<Kind>(body.kind) == Kind::hull) {
    auto faces = std::make_shared<std::vector<int>>();
    for (std::size_t k = 0; k < body.triangle_count; ++k) {
      const std::uint32_t* t = body.triangles + 3 * k;
      faces->insert(faces->end(), {3, static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
    }
    return std::make_shared<fcl::Convexd>(points, static_cast<int>(body.triangle_count), faces);
  }
  std::vector<fcl::Triangle> triangles;
  for (std::size_t k = 0; k < body.triangle_count; ++k) {
    const std::uint32_t* t = body.triangles + 3 * k;
    triangles.emplace_back(t[0], t[1], t[2]);
  }
  auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  mesh->beginModel();
  mesh->addSubModel(*points, triangles);
  mesh->endModel();
  return mesh;
}

class FclScene : public Scene {
 public:
  FclScene(const Body* bodies, std::size_t count, const std::uint32_t* pairs, std::size_t pair_count,
           bool broad_phase)
      : count_(count), broad_phase_(broad_phase), compared_(count * count, false) {
    for (std::size_t k = 0; k < count; ++k) {
      own_.push_back(is_primitive(bodies[k]) ? transform(bodies[k].pose) : Transform3d::Identity());
      auto shape = geometry(bodies[k]);
      shape->computeLocalAABB();
      objects_.push_back(std::make_unique<Object>(shape));
      objects_.back()->setUserData(reinterpret_cast<void*>(k));
    }
    for (std::size_t k = 0; k < pair_count; ++k) {
      const std::uint32_t a = pairs[2 * k], b = pairs[2 * k + 1];
      pairs_.emplace_back(a, b);
      compared_[a * count + b] = compared_[b * count + a] = true;
    }
    if (broad_phase) {
      std::vector<Object*> all;
      for (auto& object : objects_) all.push_back(object.get());
      manager_.registerObjects(all);
      manager_.setup();
    }
  }

  void stand(const Body* obstacles, std::size_t count) override {
    standing_manager_.clear();
    standing_.clear();
    for (std::size_t k = 0; k < count; ++k) {
      auto shape = geometry(obstacles[k]);
      shape->computeLocalAABB();
      standing_.push_back(std::make_unique<Object>(shape, transform(obstacles[k].pose)));
      standing_.back()->setUserData(reinterpret_cast<void*>(count_));
    }
    if (broad_phase_ && count > 0) {
      std::vector<Object*> all;
      for (auto& object : standing_) all.push_back(object.get());
      standing_manager_.registerObjects(all);
      standing_manager_.setup();
    }
  }

  void move(const double* poses) override {
    for (std::size_t k = 0; k < count_; ++k) {
      objects_[k]->setTransform(transform(poses + 12 * k) * own_[k]);
      objects_[k]->computeAABB();
    }
    if (broad_phase_) manager_.update();
  }

  bool collides() override {
    if (broad_phase_) {
      Asked asked{this, false, 0};
      const auto ask = [](Object* a, Object* b, void* data) {
        Asked& asked = *static_cast<Asked*>(data);
        if (asked.scene->is_compared(a, b)) asked.found = asked.scene->pair_collides(a, b);
        return asked.found;
      };
      if (!standing_.empty()) manager_.collide(&standing_manager_, &asked, ask);
      if (!asked.found) manager_.collide(&asked, ask);
      return asked.found;
    }
    for (const auto& obstacle : standing_)
      for (const auto& body : objects_)
        if (body->getAABB().overlap(obstacle->getAABB()) && pair_collides(body.get(), obstacle.get())) return true;
    for (const auto& [a, b] : pairs_)
      if (objects_[a]->getAABB().overlap(objects_[b]->getAABB()) && pair_collides(objects_[a].get(), objects_[b].get()))
        return true;
    return false;
  }

  double closest(bool depths) override {
    double least = std::numeric_limits<double>::infinity();
    if (broad_phase_ && !depths) {
      Asked asked{this, false, least};
      const auto ask = [](Object* a, Object* b, void* data, double& limit) {
        Asked& asked = *static_cast<Asked*>(data);
        if (asked.scene->is_compared(a, b)) asked.least = std::min(asked.least, asked.scene->pair_distance(a, b));
        limit = asked.least;
        return asked.least <= 0;
      };
      if (!standing_.empty()) manager_.distance(&standing_manager_, &asked, ask);
      if (asked.least > 0) manager_.distance(&asked, ask);
      return asked.least;
    }
    const auto ask = [&](Object* a, Object* b) {
      const bool is_over = !depths && least <= 0;
      if (!is_over && a->getAABB().distance(b->getAABB()) <= std::max(least, 0.0))
        least = std::min(least, pair_distance(a, b));
    };
    for (const auto& obstacle : standing_)
      for (const auto& body : objects_) ask(body.get(), obstacle.get());
    for (const auto& [a, b] : pairs_) ask(objects_[a].get(), objects_[b].get());
    return least;
  }

 private:
  struct Asked {
    FclScene* scene;
    bool found;
    double least;
  };
  bool is_compared(Object* a, Object* b) const {
    const auto i = reinterpret_cast<std::size_t>(a->getUserData());
    const auto j = reinterpret_cast<std::size_t>(b->getUserData());
    // The number of what stands is that of all bodies.
    return std::max(i, j) == count_ || compared_[i * count_ + j];
  }
  bool pair_collides(Object* a, Object* b) {
    fcl::CollisionRequestd request;
    fcl::CollisionResultd result;
    return fcl::collide(a, b, request, result) > 0;
  }
  double pair_distance(Object* a, Object* b) {
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(a, b, request, result);
  }

  std::size_t count_;
  bool broad_phase_;
  std::vector<Transform3d, Eigen::aligned_allocator<Transform3d>> own_;
  std::vector<std::unique_ptr<Object>> objects_;
  std::vector<std::unique_ptr<Object>> standing_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<bool> compared_;
  fcl::DynamicAABBTreeCollisionManagerd manager_, standing_manager_;
};

}  // namespace

Scene* make_scene(const Body* bodies, std::size_t count, const std::uint32_t* pairs, std::size_t pair_count,
                  std::uint32_t way) {
  return new FclScene(bodies, count, pairs, pair_count, way == 1);
}
