// superovoid/fcl.hpp under every broad-phase manager of FCL: objects, half of them superovoids, must give the same
// colliding pairs and the same least distances as all pairs one by one. The argument says how many, at most 1,000.
#include "fcl_check.hpp"

#include <cstdlib>
#include <functional>
#include <set>

#include <fcl/broadphase/broadphase_SSaP.h>
#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_bruteforce.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/broadphase/broadphase_interval_tree.h>
#include <fcl/broadphase/broadphase_spatialhash.h>

namespace sv = superovoid::fcl;
using S = double;
using Object = fcl::CollisionObject<S>;
using Manager = fcl::BroadPhaseCollisionManager<S>;
using Pairs = std::set<std::pair<const void*, const void*>>;

int count = 0;

/// No body of these scenes reaches farther from its origin.
constexpr double reach = 0.4;

std::pair<const void*, const void*> unordered(const void* a, const void* b) {
  return std::less<>()(a, b) ? std::make_pair(a, b) : std::make_pair(b, a);
}

std::shared_ptr<fcl::CollisionGeometry<S>> body(Random& random, int k) {
  const double a = random.between(0.1, 0.2), b = random.between(0.1, 0.2), c = random.between(0.1, 0.2);
  switch (k % 6) {
    case 0: return std::make_shared<fcl::Sphere<S>>(a);
    case 2: return std::make_shared<fcl::Box<S>>(2 * a, 2 * b, 2 * c);
    case 4: return std::make_shared<fcl::Ellipsoid<S>>(a, b, c);
    default: return random.superovoid<S>(0.1, 0.2, k % 6 == 1 ? 0.2 : 0);
  }
}

std::vector<std::unique_ptr<Object>> scene(Random& random, const std::function<fcl::Vector3<S>(int)>& place) {
  std::vector<std::unique_ptr<Object>> objects;
  for (int k = 0; k < count; ++k) {
    fcl::Transform3<S> tf = random.pose<S>(0);
    tf.translation() = place(k);
    objects.push_back(std::make_unique<Object>(body(random, k), tf));
    objects.back()->computeAABB();
  }
  return objects;
}

using Objects = std::vector<Object*>;

bool within(const Object& a, const Object& b, double distance) {
  return (a.getTranslation() - b.getTranslation()).norm() <= 2 * reach + distance;
}

Pairs all_collisions(const Objects& first, const Objects& second) {
  Pairs pairs;
  for (auto* a : first)
    for (auto* b : second) {
      if (a == b || !within(*a, *b, 0)) continue;
      fcl::CollisionResult<S> result;
      if (sv::collide(a, b, fcl::CollisionRequest<S>(), result))
        pairs.insert(unordered(a->collisionGeometry().get(), b->collisionGeometry().get()));
    }
  return pairs;
}

fcl::DistanceResult<S> least_distance(const Objects& first, const Objects& second) {
  fcl::DistanceResult<S> result;
  for (auto* a : first)
    for (auto* b : second)
      if (a < b && within(*a, *b, result.min_distance))
        sv::distance(a, b, fcl::DistanceRequest<S>(), result);
  return result;
}

fcl::DistanceResult<S> least_distance(const Object& a, const Objects& others) {
  fcl::DistanceResult<S> result;
  for (auto* b : others)
    if (within(a, *b, result.min_distance)) sv::distance(&a, b, fcl::DistanceRequest<S>(), result);
  return result;
}

Pairs pairs_of(const fcl::CollisionResult<S>& result) {
  Pairs pairs;
  for (std::size_t i = 0; i < result.numContacts(); ++i)
    pairs.insert(unordered(result.getContact(i).o1, result.getContact(i).o2));
  return pairs;
}

bool is_superovoid(const fcl::CollisionGeometry<S>* geometry) {
  return dynamic_cast<const sv::Superovoid<S>*>(geometry) != nullptr;
}

/// Pairs without a superovoid are as exact as FCL's GJK.
void check_same(const fcl::DistanceResult<S>& found, const fcl::DistanceResult<S>& truth) {
  const bool exact = (is_superovoid(found.o1) || is_superovoid(found.o2)) &&
                     (is_superovoid(truth.o1) || is_superovoid(truth.o2));
  CHECK_CLOSE(found.min_distance, truth.min_distance, exact ? 1e-8 : 1e-4);
}

struct Kind {
  const char* name;
  std::function<std::unique_ptr<Manager>()> make;
};

const Kind kinds[] = {
    {"Naive", [] { return std::make_unique<fcl::NaiveCollisionManager<S>>(); }},
    {"DynamicAABBTree", [] { return std::make_unique<fcl::DynamicAABBTreeCollisionManager<S>>(); }},
    {"DynamicAABBTree_Array",
     [] { return std::make_unique<fcl::DynamicAABBTreeCollisionManager_Array<S>>(); }},
    {"SaP", [] { return std::make_unique<fcl::SaPCollisionManager<S>>(); }},
    {"SSaP", [] { return std::make_unique<fcl::SSaPCollisionManager<S>>(); }},
    {"IntervalTree", [] { return std::make_unique<fcl::IntervalTreeCollisionManager<S>>(); }},
    {"SpatialHash",
     [] {
       const auto low = fcl::Vector3<S>::Constant(-6), high = fcl::Vector3<S>::Constant(6);
       return std::make_unique<fcl::SpatialHashingCollisionManager<S>>(0.5, low, high);
     }},
};

std::unique_ptr<Manager> manager_of(const Kind& kind, const Objects& objects) {
  auto manager = kind.make();
  manager->registerObjects(objects);
  manager->setup();
  return manager;
}

struct Scene {
  std::vector<std::unique_ptr<Object>> owned;
  Objects all, first, second;

  explicit Scene(std::vector<std::unique_ptr<Object>> objects) : owned(std::move(objects)) {
    for (auto& object : owned) {
      all.push_back(object.get());
      (all.size() % 2 ? first : second).push_back(object.get());
    }
  }
};

void check_collisions() {
  Random random(1);
  // As many in a volume, whatever their number.
  const double half = 2 * std::cbrt(count / 1000.0);
  const Scene crowd(scene(random, [&](int) { return random.vector<S>(half); }));
  const Pairs inside = all_collisions(crowd.all, crowd.all);
  const Pairs between = all_collisions(crowd.first, crowd.second);
  const std::size_t enough = static_cast<std::size_t>(count);
  CHECK(inside.size() > enough && 2 * between.size() > enough);
  for (const Kind& kind : kinds) {
    const auto all = manager_of(kind, crowd.all);
    sv::CollisionData<S> own;
    own.request.num_max_contacts = 1000000;
    sv::collide(*all, own);
    CHECK(pairs_of(own.result) == inside);

    const auto first = manager_of(kind, crowd.first), second = manager_of(kind, crowd.second);
    sv::CollisionData<S> others;
    others.request.num_max_contacts = 1000000;
    sv::collide(*first, second.get(), others);
    CHECK(pairs_of(others.result) == between);

    sv::CollisionData<S> single;
    single.request.num_max_contacts = 1000000;
    for (auto* object : crowd.first) sv::collide(*second, object, single);
    CHECK(pairs_of(single.result) == between);

    // As many as asked for end it.
    sv::CollisionData<S> few;
    few.request.num_max_contacts = 5;
    sv::collide(*all, few);
    CHECK(few.done && few.result.numContacts() == 5);

    // The first pair that overlaps ends a distance.
    sv::DistanceData<S> least;
    CHECK(sv::distance(*all, least) == -1);
    std::printf("%s: %d objects, %zu colliding pairs, %zu between the halves\n", kind.name, count,
                pairs_of(own.result).size(), pairs_of(others.result).size());
  }
}

void check_distances() {
  Random random(2);
  const Scene grid(scene(random, [&](int k) {
    const fcl::Vector3<S> cell(k % 10, k / 10 % 10, k / 100);
    return fcl::Vector3<S>(cell - fcl::Vector3<S>::Constant(4.5) + random.vector<S>(0.1));
  }));
  const auto inside = least_distance(grid.all, grid.all);
  std::vector<fcl::DistanceResult<S>> nearest;
  fcl::DistanceResult<S> between;
  for (auto* object : grid.first) {
    nearest.push_back(least_distance(*object, grid.second));
    between.update(nearest.back());
  }
  CHECK(inside.min_distance > 0);
  for (const Kind& kind : kinds) {
    const auto all = manager_of(kind, grid.all);
    sv::DistanceData<S> own;
    sv::distance(*all, own);
    check_same(own.result, inside);

    const auto first = manager_of(kind, grid.first), second = manager_of(kind, grid.second);
    sv::DistanceData<S> others;
    sv::distance(*first, second.get(), others);
    check_same(others.result, between);

    for (std::size_t k = 0; k < grid.first.size(); ++k) {
      sv::DistanceData<S> single;
      sv::distance(*second, grid.first[k], single);
      check_same(single.result, nearest[k]);
    }
    std::printf("%s: least distance %.9f, between the halves %.9f, and of %zu objects\n", kind.name,
                own.result.min_distance, others.result.min_distance, grid.first.size());
  }
}

/// A pair that cannot be answered reads as a collision and throws, and the manager is none the worse.
void check_errors() {
  const auto at = [](double x) {
    fcl::Transform3<S> tf = fcl::Transform3<S>::Identity();
    tf.translation().x() = x;
    return tf;
  };
  // A point cloud.
  const auto cloud = std::make_shared<fcl::BVHModel<fcl::OBB<S>>>();
  cloud->beginModel();
  cloud->addSubModel({fcl::Vector3<S>(-0.1, -0.1, -0.1), fcl::Vector3<S>(0.1, 0.1, 0.1), fcl::Vector3<S>(0, 0.1, 0)});
  cloud->endModel();
  Object egg(std::make_shared<sv::Superovoid<S>>(0.2, 0.2, 0.3), at(0)),
      can(cloud, at(0.25)),
      ball(std::make_shared<fcl::Sphere<S>>(0.1), at(1));
  for (const Kind& kind : kinds) {
    const auto manager = manager_of(kind, {&egg, &can, &ball});
    sv::CollisionData<S> collision;
    sv::DistanceData<S> distance;
    int thrown = 0;
    try {
      sv::collide(*manager, collision);
    } catch (const superovoid::error&) {
      ++thrown;
    }
    try {
      sv::distance(*manager, distance);
    } catch (const superovoid::error&) {
      ++thrown;
    }
    CHECK(thrown == 2 && collision.result.isCollision() && distance.result.min_distance == -1);

    // unregisterObject() of FCL 0.7's SaPCollisionManager leaves dangling pointers behind.
    manager->clear();
    manager->registerObjects({&egg, &ball});
    manager->setup();
    sv::CollisionData<S> again;
    sv::collide(*manager, again);
    sv::DistanceData<S> then;
    CHECK(!again.result.isCollision());
    CHECK_CLOSE(sv::distance(*manager, then), 0.7, 1e-9);
  }
}

int main(int argc, char** argv) {
  count = argc == 2 ? std::atoi(argv[1]) : 0;
  if (count < 10 || count > 1000) {
    std::fprintf(stderr, "usage: fcl_scene COUNT (10 to 1000)\n");
    return 2;
  }
  check_collisions();
  check_distances();
  check_errors();
  if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}
