// coal 3 as a planner's collision checker: collision objects, its dynamic tree of axis-aligned boxes, early ends.

#include "planner.hpp"

#include <algorithm>
#include <coal/BVH/BVH_model.h>
#include <coal/broadphase/broadphase_callbacks.h>
#include <coal/broadphase/broadphase_dynamic_AABB_tree.h>
#include <coal/collision.h>
#include <coal/distance.h>
#include <coal/shape/convex.h>
#include <memory>

namespace {

using coal::CollisionObject;
using coal::Transform3s;
using coal::Triangle;
using coal::Vec3s;

Transform3s transform(const double pose[12]) {
  const Eigen::Map<const Eigen::Matrix3d> rotation(pose);
  const Eigen::Map<const Eigen::Vector3d> translation(pose + 9);
  return Transform3s(coal::Matrix3s(rotation), Vec3s(translation));
}

std::shared_ptr<coal::CollisionGeometry> geometry(const Body& body) {
  switch (static_cast<Kind>(body.kind)) {
    case Kind::sphere: return std::make_shared<coal::Sphere>(body.size[0]);
    case Kind::box: return std::make_shared<coal::Box>(2 * body.size[0], 2 * body.size[1], 2 * body.size[2]);
    case Kind::capsule: return std::make_shared<coal::Capsule>(body.size[0], 2 * body.size[1]);
    case Kind::cylinder: return std::make_shared<coal::Cylinder>(body.size[0], 2 * body.size[1]);
    case Kind::hull:
    case Kind::mesh: break;
  }
  auto points = std::make_shared<std::vector<Vec3s>>();
  for (std::size_t k = 0; k < body.vertex_count; ++k)
    points->emplace_back(Eigen::Map<const Eigen::Vector3d>(body.vertices + 3 * k));
  auto triangles = std::make_shared<std::vector<Triangle>>();
  for (std::size_t k = 0; k < body.triangle_count; ++k) {
    const std::uint32_t* t = body.triangles + 3 * k;
    triangles->emplace_back(t[0], t[1], t[2]);
  }
  if (static_cast<Kind>(body.kind) == Kind::hull)
    return std::make_shared<coal::Convex<Triangle>>(points, points->size(), triangles, triangles->size());
  auto mesh = std::make_shared<coal::BVHModel<coal::OBBRSS>>();
  mesh->beginModel();
  mesh->addSubModel(*points, *triangles);
  mesh->endModel();
  return mesh;
}

class CoalScene : public Scene {
 public:
  CoalScene(const Body* bodies, std::size_t count, const std::uint32_t* pairs, std::size_t pair_count,
            bool broad_phase)
      : count_(count), broad_phase_(broad_phase), compared_(count * count, false) {
    collision_.enable_contact = false;
    collision_.num_max_contacts = 1;
    distance_.enable_signed_distance = false;
    for (std::size_t k = 0; k < count; ++k) {
      own_.push_back(is_primitive(bodies[k]) ? transform(bodies[k].pose) : Transform3s());
      auto shape = geometry(bodies[k]);
      shape->computeLocalAABB();
      objects_.push_back(std::make_unique<CollisionObject>(shape));
      objects_.back()->setUserData(reinterpret_cast<void*>(k));
    }
    for (std::size_t k = 0; k < pair_count; ++k) {
      const std::uint32_t a = pairs[2 * k], b = pairs[2 * k + 1];
      pairs_.emplace_back(a, b);
      compared_[a * count + b] = compared_[b * count + a] = true;
    }
    if (broad_phase) {
      std::vector<CollisionObject*> all;
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
      standing_.push_back(std::make_unique<CollisionObject>(shape, transform(obstacles[k].pose)));
      standing_.back()->setUserData(reinterpret_cast<void*>(count_));
    }
    if (broad_phase_ && count > 0) {
      std::vector<CollisionObject*> all;
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
      Collide callback(*this);
      if (!standing_.empty()) manager_.collide(&standing_manager_, &callback);
      if (!callback.found) manager_.collide(&callback);
      return callback.found;
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
    distance_.enable_signed_distance = depths;
    double least = std::numeric_limits<double>::infinity();
    if (broad_phase_ && !depths) {
      Closest callback(*this);
      if (!standing_.empty()) manager_.distance(&standing_manager_, &callback);
      if (callback.least > 0) manager_.distance(&callback);
      return callback.least;
    }
    const auto ask = [&](CollisionObject* a, CollisionObject* b) {
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
  bool is_compared(CollisionObject* a, CollisionObject* b) const {
    const auto i = reinterpret_cast<std::size_t>(a->getUserData());
    const auto j = reinterpret_cast<std::size_t>(b->getUserData());
    // The number of what stands is that of all bodies.
    return std::max(i, j) == count_ || compared_[i * count_ + j];
  }
  bool pair_collides(CollisionObject* a, CollisionObject* b) {
    coal::CollisionResult result;
    coal::collide(a, b, collision_, result);
    return result.isCollision();
  }
  double pair_distance(CollisionObject* a, CollisionObject* b) {
    coal::DistanceResult result;
    coal::distance(a, b, distance_, result);
    return result.min_distance;
  }

  struct Collide : coal::CollisionCallBackBase {
    explicit Collide(CoalScene& scene) : scene(scene) {}
    bool collide(CollisionObject* a, CollisionObject* b) override {
      if (scene.is_compared(a, b)) found = scene.pair_collides(a, b);
      return found;
    }
    CoalScene& scene;
    bool found = false;
  };
  struct Closest : coal::DistanceCallBackBase {
    explicit Closest(CoalScene& scene) : scene(scene) {}
    bool distance(CollisionObject* a, CollisionObject* b, coal::CoalScalar& limit) override {
      if (scene.is_compared(a, b)) least = std::min(least, scene.pair_distance(a, b));
      limit = least;
      return least <= 0;
    }
    CoalScene& scene;
    double least = std::numeric_limits<double>::infinity();
  };

  std::size_t count_;
  bool broad_phase_;
  std::vector<Transform3s> own_;
  std::vector<std::unique_ptr<CollisionObject>> objects_;
  std::vector<std::unique_ptr<CollisionObject>> standing_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<bool> compared_;
  coal::CollisionRequest collision_;
  coal::DistanceRequest distance_;
  coal::DynamicAABBTreeCollisionManager manager_, standing_manager_;
};

}  // namespace

Scene* make_scene(const Body* bodies, std::size_t count, const std::uint32_t* pairs, std::size_t pair_count,
                  std::uint32_t way) {
  return new CoalScene(bodies, count, pairs, pair_count, way == 1);
}
