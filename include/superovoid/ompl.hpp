// superovoid for OMPL 1.5 and newer (state validity checker, motion validator). C++17.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
//     auto scenes = std::make_shared<superovoid::ompl::Scenes>(scene);        // a superovoid::RobotScene
//     superovoid::ompl::Joints joints(robot, {"shoulder", "elbow"}, robot.neutral());
//     auto space = std::make_shared<ompl::base::RealVectorStateSpace>(2);
//     space->setBounds(joints.bounds());
//     auto si = std::make_shared<ompl::base::SpaceInformation>(space);
//     si->setStateValidityChecker(std::make_shared<superovoid::ompl::StateValidityChecker>(si, scenes, joints));
//     si->setMotionValidator(std::make_shared<superovoid::ompl::MotionValidator>(si, scenes, joints));
//
// STATES  A state holds one number for each joint that is planned, in the order of their names. The space is a
//   RealVectorStateSpace, an SO2StateSpace, or a CompoundStateSpace of these, however deep. Joints that are not
//   planned stay where the rest configuration has them. Planar and floating joints cannot be planned: the constructors
//   throw superovoid::error, and so they do for a robot with collision shapes that are not checked.
//
// MOTIONS  A motion is the line that the space interpolates: straight in every number, and in SO2 the shorter way
//   round. checkMotion() is true only if the whole of it is proven free (sovo_robot_scene_edge_free()); no resolution
//   is set, and the space's longest valid segment has no effect. A motion that is neither proven free nor proven to
//   touch counts as invalid. Every pair keeps the margin of the constructor, so that each state of a valid motion is
//   valid for the state validity checker as well.
//
// SAMPLED MOTIONS  DiscreteMotionValidator asks about states of a motion alone, as many as the space counts segments
//   (setStateValidityCheckingResolution()), in one batch that ends with the first collision. A planner that trusts it
//   until there is a path proves that path at the end: prove() judges each motion of an ompl::geometric::PathGeometric and
//   returns the first one that is not proven free, which can be planned anew.
//
// LAST VALID  On failure lastValid.second is set to a parameter up to which the whole motion is proven free, within
//   sovo_edge_options.resolution of the first contact, and lastValid.first, unless it is NULL, to the state there; both
//   are those of the first state if nothing is proven. On success neither is touched.
//
// CLEARANCE  StateValidityChecker::clearance() is a lower bound of the distance, in the metric of the space, to the
//   nearest state that is not valid: the proven clearance in metres over the largest motion in metres for a unit of
//   distance in the space. It is at most 0 for states that are not valid, and infinite if there is nothing to meet.
//
// THREADS  OMPL may call all of these from several threads. A Scenes gives each its own copy of the scene and its own
//   memory, made at the first call. The copies share the warm starts of no other thread. Later calls take no lock, and
//   isValid() allocates nothing; a thread that goes back and forth between two Scenes takes a lock each time.
//
// ERRORS  superovoid::error is thrown by the constructors. A state outside the limits of its joints, or one that is not
//   finite, is not valid; everything else that the library refuses throws.
#ifndef SUPEROVOID_OMPL_HPP
#define SUPEROVOID_OMPL_HPP

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateSpace.h>
#include <ompl/base/StateValidityChecker.h>
#include <ompl/base/spaces/RealVectorBounds.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/geometric/PathGeometric.h>

#include <superovoid.hpp>

namespace superovoid {
namespace ompl {

namespace base = ::ompl::base;

/// What one thread asks with: its scene, and memory that is kept from call to call.
struct Workspace {
  /// Makes a copy of a scene.
  explicit Workspace(const RobotScene& original) : scene(original) {}

  /// The scene.
  RobotScene scene;
  /// The numbers of a state.
  std::vector<double> numbers;
  /// The numbers of a second one.
  std::vector<double> others;
  /// A configuration, or the first one of a motion.
  std::vector<double> from;
  /// The last configuration of a motion.
  std::vector<double> to;
  /// The configurations along a motion, one after the other.
  std::vector<double> states;
  /// The answers for these.
  std::vector<std::int32_t> hits;
};

/// A robot among obstacles, one copy for each thread that asks.
class Scenes {
 public:
  /// Keeps a copy of a scene; later changes of the scene have no effect.
  explicit Scenes(RobotScene scene) : original_(std::move(scene)) {}

  /// Returns the scene of the calling thread.
  RobotScene& mine() { return workspace().scene; }

  /// Returns the scene and memory of the calling thread.
  Workspace& workspace() {
    // The last one that this thread was given. Numbers are never used again, as addresses are.
    thread_local std::uint64_t owner = 0;
    thread_local Workspace* last = nullptr;
    if (owner != number_) {
      last = &own();
      owner = number_;
    }
    return *last;
  }

 private:
  Workspace& own() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<Workspace>& made = workspaces_[std::this_thread::get_id()];
    if (!made) made = std::make_unique<Workspace>(original_);
    return *made;
  }

  static std::uint64_t next() {
    static std::atomic<std::uint64_t> numbers{0};
    return ++numbers;
  }

  const std::uint64_t number_ = next();
  std::mutex mutex_;
  RobotScene original_;
  std::unordered_map<std::thread::id, std::unique_ptr<Workspace>> workspaces_;
};

/// The joints that are planned, and where the others stay.
class Joints {
 public:
  /// Plans the joints of these names; all others stay where `rest`, a configuration, has them.
  Joints(const Robot& robot, const std::vector<std::string>& names, std::vector<double> rest)
      : rest_(std::move(rest)) {
    // An error of the rest configuration names its joint.
    robot.link_poses(rest_);
    const std::vector<std::string> unchecked = robot.unchecked();
    if (!unchecked.empty())
      throw error(SOVO_STATUS_ERROR_GEOMETRY, "not checked for contact, so that nothing would be proven: " +
                                                  unchecked.front() + " and " +
                                                  std::to_string(unchecked.size() - 1) + " more");
    const std::vector<double> reaches = robot.reaches();
    std::vector<std::size_t> velocities(robot.joint_count());
    std::size_t next = 0;
    for (std::uint32_t k = 0; k < robot.joint_count(); ++k) {
      velocities[k] = next;
      next += std::min<std::size_t>(robot.joint(k).position_count, 6);
    }
    for (const std::string& name : names) {
      const std::uint32_t index = robot.joint_index(name);
      const sovo_joint joint = robot.joint(index);
      if (joint.position_count != 1)
        throw error(SOVO_STATUS_ERROR_CONFIGURATION,
                    "the joint \"" + name + "\" has " + std::to_string(joint.position_count) +
                        " positions; expected one");
      const bool bounded = joint.has_range != 0;
      const double turn = 3.14159265358979323846;
      planned_.push_back({joint.first_position, bounded, bounded ? joint.lower : -turn,
                          bounded ? joint.upper : turn, reaches[velocities[index]]});
    }
  }

  /// Returns the number of joints that are planned.
  std::size_t size() const noexcept { return planned_.size(); }

  /// Returns the limits of the joints, and from -pi to pi for those that have none.
  base::RealVectorBounds bounds() const {
    base::RealVectorBounds bounds(static_cast<unsigned>(size()));
    for (std::size_t k = 0; k < size(); ++k) {
      bounds.setLow(static_cast<unsigned>(k), planned_[k].lower);
      bounds.setHigh(static_cast<unsigned>(k), planned_[k].upper);
    }
    return bounds;
  }

  /// Writes the numbers of the joints into a configuration. Returns false, with part of them written, if one is not
  /// finite or outside its limits by more than rounding.
  bool configuration(const std::vector<double>& numbers, std::vector<double>& positions) const {
    constexpr double kRounding = 1e-9;
    positions = rest_;
    for (std::size_t k = 0; k < size(); ++k) {
      const Planned& joint = planned_[k];
      double q = numbers[k];
      if (!std::isfinite(q)) return false;
      if (joint.bounded) {
        if (q < joint.lower - kRounding || q > joint.upper + kRounding) return false;
        q = std::clamp(q, joint.lower, joint.upper);
      }
      positions[joint.position] = q;
    }
    return true;
  }

  /// Returns the largest distance, metres, that a point moves relative to a link while this joint moves by one.
  double reach(std::size_t joint) const { return planned_[joint].reach; }

 private:
  struct Planned {
    std::size_t position;
    bool bounded;
    double lower, upper, reach;
  };

  std::vector<double> rest_;
  std::vector<Planned> planned_;
};

/// The numbers of the states of a space.
class Numbers {
 public:
  /// Reads a space of one number for each joint.
  Numbers(const base::StateSpace* space, const Joints& joints) : space_(space) {
    add(space, 1.0, joints);
    if (wraps_.size() != joints.size())
      throw error(SOVO_STATUS_ERROR_SIZE, "the space has " + std::to_string(wraps_.size()) + " numbers for " +
                                              std::to_string(joints.size()) + " joints");
  }

  /// Returns the numbers of a state.
  std::vector<double> of(const base::State* state) const {
    std::vector<double> numbers;
    numbers.reserve(wraps_.size());
    of(state, numbers);
    return numbers;
  }

  /// Writes the numbers of a state in place of what there is.
  void of(const base::State* state, std::vector<double>& numbers) const {
    numbers.clear();
    read(space_, state, numbers);
  }

  /// Changes the numbers at the end of a motion by whole turns, so that the shorter way round is straight.
  void unwrap(const std::vector<double>& from, std::vector<double>& to) const {
    const double turn = 2 * 3.14159265358979323846;
    for (std::size_t k = 0; k < wraps_.size(); ++k)
      if (wraps_[k]) to[k] -= turn * std::round((to[k] - from[k]) / turn);
  }

  /// Returns the largest motion of a point, metres, for a unit of the space's distance. The motion is at most the sum
  /// over the parts of the space of the norm of their reaches times their distance (Cauchy and Schwarz), and the
  /// distance of the space is the sum of the parts' distances times their weights.
  double motion() const noexcept { return motion_; }

 private:
  void add(const base::StateSpace* space, double weight, const Joints& joints) {
    if (space->getType() == base::STATE_SPACE_SO2) {
      part(1, weight, true, joints);
    } else if (space->getType() == base::STATE_SPACE_REAL_VECTOR) {
      part(space->getDimension(), weight, false, joints);
    } else if (const auto* parts = dynamic_cast<const base::CompoundStateSpace*>(space)) {
      for (unsigned k = 0; k < parts->getSubspaceCount(); ++k)
        add(parts->getSubspace(k).get(), weight * parts->getSubspaceWeight(k), joints);
    } else {
      throw error(SOVO_STATUS_ERROR_CONFIGURATION,
                  "the space \"" + space->getName() +
                      "\" is none of RealVectorStateSpace, SO2StateSpace and compounds of them");
    }
  }

  void part(unsigned count, double weight, bool wraps, const Joints& joints) {
    double square = 0;
    for (unsigned k = 0; k < count && wraps_.size() < joints.size() + 1; ++k) {
      if (wraps_.size() < joints.size()) square += std::pow(joints.reach(wraps_.size()), 2);
      wraps_.push_back(wraps);
    }
    if (square > 0) motion_ = std::max(motion_, std::sqrt(square) / weight);
  }

  static void read(const base::StateSpace* space, const base::State* state, std::vector<double>& numbers) {
    if (space->getType() == base::STATE_SPACE_SO2) {
      numbers.push_back(state->as<base::SO2StateSpace::StateType>()->value);
    } else if (space->getType() == base::STATE_SPACE_REAL_VECTOR) {
      const double* values = state->as<base::RealVectorStateSpace::StateType>()->values;
      numbers.insert(numbers.end(), values, values + space->getDimension());
    } else if (const auto* parts = dynamic_cast<const base::CompoundStateSpace*>(space)) {
      const auto* whole = state->as<base::CompoundState>();
      for (unsigned k = 0; k < parts->getSubspaceCount(); ++k)
        read(parts->getSubspace(k).get(), (*whole)[k], numbers);
    }
  }

  const base::StateSpace* space_;
  std::vector<bool> wraps_;
  double motion_ = 0;
};

/// Valid states are those at which every pair is proven to be free.
class StateValidityChecker : public base::StateValidityChecker {
 public:
  /// Checks states of the space of `si`.
  StateValidityChecker(const base::SpaceInformationPtr& si, std::shared_ptr<Scenes> scenes, Joints joints)
      : base::StateValidityChecker(si),
        scenes_(std::move(scenes)),
        joints_(std::move(joints)),
        numbers_(si->getStateSpace().get(), joints_) {
    specs_.clearanceComputationType = base::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
  }

  using base::StateValidityChecker::clearance;
  using base::StateValidityChecker::isValid;

  /// Returns whether a state is within the limits and proven to be free.
  bool isValid(const base::State* state) const override {
    Workspace& own = scenes_->workspace();
    return within(state, own) && !own.scene.in_collision(own.from);
  }

  /// Returns a lower bound of the distance in the space to the nearest state in collision; -1 outside the limits.
  double clearance(const base::State* state) const override {
    Workspace& own = scenes_->workspace();
    if (!within(state, own)) return -1;
    const RobotContact closest = own.scene.closest(own.from);
    if (!closest) return std::numeric_limits<double>::infinity();
    // Pairs beyond the closest one may have their bracket lower, by the tolerance of a query.
    constexpr double kSlack = 1e-8;
    const double lower = closest.contact.lower;
    const double proven = lower > 0 ? std::max(lower - kSlack, 0.0) : lower;
    return proven / std::max(numbers_.motion(), std::numeric_limits<double>::min());
  }

 private:
  bool within(const base::State* state, Workspace& own) const {
    numbers_.of(state, own.numbers);
    return joints_.configuration(own.numbers, own.from);
  }

  std::shared_ptr<Scenes> scenes_;
  Joints joints_;
  Numbers numbers_;
};

/// The ends of motions as configurations, and the counts of what was checked.
class Motions : public base::MotionValidator {
 protected:
  /// Reads motions of the space of `si`.
  Motions(const base::SpaceInformationPtr& si, std::shared_ptr<Scenes> scenes, Joints joints)
      : base::MotionValidator(si),
        scenes_(std::move(scenes)),
        joints_(std::move(joints)),
        numbers_(si->getStateSpace().get(), joints_) {}

  /// Writes both ends into the memory of the thread, so that the motion is straight. Returns false if one is outside the
  /// limits.
  bool ends(const base::State* s1, const base::State* s2, Workspace& own) const {
    numbers_.of(s1, own.numbers);
    numbers_.of(s2, own.others);
    numbers_.unwrap(own.numbers, own.others);
    return joints_.configuration(own.numbers, own.from) && joints_.configuration(own.others, own.to);
  }

  /// Sets both members of `last_valid` to a state of the motion.
  void stop(const base::State* s1, const base::State* s2, double at, std::pair<base::State*, double>& last_valid) const {
    last_valid.second = at;
    if (last_valid.first != nullptr) si_->getStateSpace()->interpolate(s1, s2, at, last_valid.first);
  }

  /// Counts a motion.
  bool counted(bool valid) const {
    unsigned int& count = valid ? valid_ : invalid_;
#if defined(__GNUC__)
    __atomic_fetch_add(&count, 1U, __ATOMIC_RELAXED);
#else
    const std::lock_guard<std::mutex> lock(mutex_);
    ++count;
#endif
    return valid;
  }

  /// The scenes of the threads.
  std::shared_ptr<Scenes> scenes_;
  /// The joints that are planned.
  Joints joints_;
  /// The numbers of the states.
  Numbers numbers_;

 private:
#if !defined(__GNUC__)
  mutable std::mutex mutex_;
#endif
};

/// Valid motions are those that are proven to be free from end to end.
class MotionValidator : public Motions {
 public:
  /// Checks motions of the space of `si`; every pair keeps `margin`, metres.
  MotionValidator(const base::SpaceInformationPtr& si, std::shared_ptr<Scenes> scenes, Joints joints,
                  double margin = 1e-8)
      : Motions(si, std::move(scenes), std::move(joints)) {
    options_.min_separation = margin;
  }

  /// Returns whether the motion between two states is proven free, and counts it.
  bool checkMotion(const base::State* s1, const base::State* s2) const override {
    return counted(judge(s1, s2, true).free());
  }

  /// Returns whether the motion between two states is proven free, and counts it; if it is not, sets both members of
  /// `last_valid`.
  bool checkMotion(const base::State* s1, const base::State* s2,
                   std::pair<base::State*, double>& last_valid) const override {
    const Edge edge = judge(s1, s2, false);
    if (!edge.free()) stop(s1, s2, std::max(edge.safe, 0.0), last_valid);
    return counted(edge.free());
  }

  /// Returns the answer for a motion; with `any_contact` it ends as soon as the motion is known to be invalid.
  Edge judge(const base::State* s1, const base::State* s2, bool any_contact) const {
    Workspace& own = scenes_->workspace();
    if (!ends(s1, s2, own)) {
      Edge edge;
      edge.status = SOVO_EDGE_STATUS_UNDECIDED;
      edge.safe = edge.touching = -1;
      return edge;
    }
    EdgeOptions options = options_;
    options.any_contact = any_contact ? 1 : 0;
    return own.scene.edge_free(own.from, own.to, options);
  }

 private:
  EdgeOptions options_;
};

/// Valid motions are those of which no state is in collision, at the resolution of the space. What lies between the
/// states is not looked at: prove() does that for a whole path.
class DiscreteMotionValidator : public Motions {
 public:
  /// Checks motions of the space of `si`.
  DiscreteMotionValidator(const base::SpaceInformationPtr& si, std::shared_ptr<Scenes> scenes, Joints joints)
      : Motions(si, std::move(scenes), std::move(joints)) {}

  /// Returns whether the states of a motion are free, the first one aside, which is valid already; and counts it.
  bool checkMotion(const base::State* s1, const base::State* s2) const override {
    Workspace& own = scenes_->workspace();
    if (!ends(s1, s2, own)) return counted(false);
    fill(s1, s2, own);
    return counted(!own.scene.find_collision(own.states, own.from.size()));
  }

  /// Returns the same; if the motion is not valid, sets both members of `last_valid` to the last state before the first
  /// one that is in collision.
  bool checkMotion(const base::State* s1, const base::State* s2,
                   std::pair<base::State*, double>& last_valid) const override {
    Workspace& own = scenes_->workspace();
    if (!ends(s1, s2, own)) {
      stop(s1, s2, 0, last_valid);
      return counted(false);
    }
    const unsigned segments = fill(s1, s2, own);
    own.hits.resize(segments);
    check(own.scene.try_in_collision_batch(own.states, own.from.size(), own.hits));
    const auto first = std::find_if(own.hits.begin(), own.hits.end(), [](std::int32_t hit) { return hit != 0; });
    if (first == own.hits.end()) return counted(true);
    stop(s1, s2, static_cast<double>(first - own.hits.begin()) / segments, last_valid);
    return counted(false);
  }

 private:
  /// Writes the states at the ends of the segments, and returns how many these are.
  unsigned fill(const base::State* s1, const base::State* s2, Workspace& own) const {
    const unsigned segments = std::max(1U, si_->getStateSpace()->validSegmentCount(s1, s2));
    const std::size_t count = own.from.size();
    own.states.resize(segments * count);
    for (unsigned k = 1; k <= segments; ++k)
      for (std::size_t i = 0; i < count; ++i) own.states[(k - 1) * count + i] = between(own, i, k, segments);
    return segments;
  }

  static double between(const Workspace& own, std::size_t i, unsigned k, unsigned segments) {
    if (k == segments) return own.to[i];
    const double a = own.from[i], b = own.to[i];
    // Rounding does not lead out of the limits.
    return std::clamp(a + (b - a) * k / segments, std::min(a, b), std::max(a, b));
  }
};

/// A motion of a path that is not proven free.
struct Unproven {
  /// The index of the state that it starts at.
  std::size_t motion;
  /// What is known of it: how far it is proven free, and which pair touches.
  Edge edge;
};

/// Judges each motion of a path, from its start on, and returns the first one that is not proven free; nothing, if the
/// whole path is. A path of one state is a motion that stays there.
inline std::optional<Unproven> prove(const ::ompl::geometric::PathGeometric& path, const MotionValidator& motions) {
  const std::size_t count = path.getStateCount();
  for (std::size_t k = 0; k < count; ++k) {
    // The last state has no motion of its own.
    if (k + 1 == count && k > 0) break;
    const std::size_t next = std::min(k + 1, count - 1);
    const auto state = [&](std::size_t index) { return path.getState(static_cast<unsigned>(index)); };
    const Edge edge = motions.judge(state(k), state(next), false);
    if (!edge.free()) return Unproven{k, edge};
  }
  return std::nullopt;
}

}  // namespace ompl
}  // namespace superovoid

#endif
