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
// LAST VALID  On failure lastValid.second is set to a parameter up to which the whole motion is proven free, within
//   sovo_edge_options.resolution of the first contact, and lastValid.first, unless it is NULL, to the state there; both
//   are those of the first state if nothing is proven. On success neither is touched.
//
// CLEARANCE  StateValidityChecker::clearance() is a lower bound of the distance, in the metric of the space, to the
//   nearest state that is not valid: the proven clearance in metres over the largest motion in metres for a unit of
//   distance in the space. It is at most 0 for states that are not valid, and infinite if there is nothing to meet.
//
// THREADS  OMPL may call both from several threads. A Scenes gives each its own copy of the scene, made at the first call.
//   The copies share the warm starts of no other thread.
//
// ERRORS  superovoid::error is thrown by the constructors. A state outside the limits of its joints, or one that is not
//   finite, is not valid; everything else that the library refuses throws.
#ifndef SUPEROVOID_OMPL_HPP
#define SUPEROVOID_OMPL_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
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

#include <superovoid.hpp>

namespace superovoid {
namespace ompl {

namespace base = ::ompl::base;

/// A robot among obstacles, one copy for each thread that asks.
class Scenes {
 public:
  /// Keeps a copy of a scene; later changes of the scene have no effect.
  explicit Scenes(RobotScene scene) : original_(std::move(scene)) {}

  /// Returns the scene of the calling thread.
  RobotScene& mine() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::unique_ptr<RobotScene>& scene = scenes_[std::this_thread::get_id()];
    if (!scene) scene = std::make_unique<RobotScene>(original_);
    return *scene;
  }

 private:
  std::mutex mutex_;
  RobotScene original_;
  std::unordered_map<std::thread::id, std::unique_ptr<RobotScene>> scenes_;
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
    read(space_, state, numbers);
    return numbers;
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
    std::vector<double> positions;
    return joints_.configuration(numbers_.of(state), positions) && !scenes_->mine().in_collision(positions);
  }

  /// Returns a lower bound of the distance in the space to the nearest state in collision; -1 outside the limits.
  double clearance(const base::State* state) const override {
    std::vector<double> positions;
    if (!joints_.configuration(numbers_.of(state), positions)) return -1;
    const RobotContact closest = scenes_->mine().closest(positions);
    if (!closest) return std::numeric_limits<double>::infinity();
    // Pairs beyond the closest one may have their bracket lower, by the tolerance of a query.
    constexpr double kSlack = 1e-8;
    const double lower = closest.contact.lower;
    const double proven = lower > 0 ? std::max(lower - kSlack, 0.0) : lower;
    return proven / std::max(numbers_.motion(), std::numeric_limits<double>::min());
  }

 private:
  std::shared_ptr<Scenes> scenes_;
  Joints joints_;
  Numbers numbers_;
};

/// Valid motions are those that are proven to be free from end to end.
class MotionValidator : public base::MotionValidator {
 public:
  /// Checks motions of the space of `si`; every pair keeps `margin`, metres.
  MotionValidator(const base::SpaceInformationPtr& si, std::shared_ptr<Scenes> scenes, Joints joints,
                  double margin = 1e-8)
      : base::MotionValidator(si),
        scenes_(std::move(scenes)),
        joints_(std::move(joints)),
        numbers_(si->getStateSpace().get(), joints_) {
    options_.min_separation = margin;
  }

  /// Returns whether the motion between two states is proven free, and counts it.
  bool checkMotion(const base::State* s1, const base::State* s2) const override {
    const Edge edge = judge(s1, s2, true);
    return counted(edge.free());
  }

  /// Returns whether the motion between two states is proven free, and counts it; if it is not, sets both members of
  /// `last_valid`.
  bool checkMotion(const base::State* s1, const base::State* s2,
                   std::pair<base::State*, double>& last_valid) const override {
    const Edge edge = judge(s1, s2, false);
    if (!edge.free()) {
      last_valid.second = std::max(edge.safe, 0.0);
      if (last_valid.first != nullptr)
        si_->getStateSpace()->interpolate(s1, s2, last_valid.second, last_valid.first);
    }
    return counted(edge.free());
  }

  /// Returns the answer for a motion; with `any_contact` it ends as soon as the motion is known to be invalid.
  Edge judge(const base::State* s1, const base::State* s2, bool any_contact) const {
    const std::vector<double> a = numbers_.of(s1);
    std::vector<double> b = numbers_.of(s2);
    numbers_.unwrap(a, b);
    std::vector<double> from, to;
    Edge edge;
    edge.status = SOVO_EDGE_STATUS_UNDECIDED;
    edge.safe = edge.touching = -1;
    const bool within_from = joints_.configuration(a, from), within_to = joints_.configuration(b, to);
    if (!within_from || !within_to) return edge;
    EdgeOptions options = options_;
    options.any_contact = any_contact ? 1 : 0;
    return scenes_->mine().edge_free(from, to, options);
  }

 private:
  bool counted(bool valid) const {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++(valid ? valid_ : invalid_);
    return valid;
  }

  std::shared_ptr<Scenes> scenes_;
  Joints joints_;
  Numbers numbers_;
  EdgeOptions options_;
  mutable std::mutex mutex_;
};

}  // namespace ompl
}  // namespace superovoid

#endif
