// A motion planner on sovo_robot_in_collision() and sovo_robot_distance(): two robot hands hook their
// fingers into each other.
//
//     g++ -O2 -Iinclude $(pkg-config --cflags ompl) -std=c++17 examples/ompl/hands_rrt.cpp
//         target/release/libsuperovoid.a $(pkg-config --libs-only-l ompl) -lm -lpthread -ldl
//     ./a.out urdf/icub_hands.urdf
//
// The problem. START: the right hand 100 mm farther away than its mount, its fingers a little curled
// (0.4 rad), the left hand open, thumbs turned in front of the palms. GOAL: the right hand 42 mm away and
// turned inward by 0.515 rad, the fingers of the two hands curled around each other's: the tips of the
// right ones lie about 2 cm behind those of the left ones. GOAL was found by a random search for hooked
// fingers with 2 mm of clearance. Both are valid; on the straight line between them the left fingers
// close too early and meet the right ones.
//
// The planner: RRT-Connect in the 29 joints named below (the other 13 stay where they are). Then one
// waypoint after the other is moved at random where the path is closest to a collision, a move being kept
// if it is better by ompl's MaximizeMinClearanceObjective.
//
// Resolution. RRT-Connect checks a motion at configurations between which no point of a hand moves, in
// the frame of any other link, by more than 2 mm (joint steps times the reach of each joint, summed
// with Cauchy and Schwarz). The thinnest link is some 11 mm thick, so that nothing can pass through anything
// between two checks; what they can miss is a graze.
//
// What the end shows. The dense re-check repeats such checks, closer together, and proves no more than
// that: each of its configurations is free. What lies between is shown by the last step, conservative
// advancement: where the clearance is d, no collision is nearer than a motion by d, so intervals are
// halved until each is proven from its middle. If that succeeds, the whole path is free, as far as the
// shapes and the joint positions are exact, among the pairs of links that the query covers: those that
// one joint joins are not asked for.

#include <ompl/base/MotionValidator.h>
#include <ompl/base/ProblemDefinition.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/objectives/MaximizeMinClearanceObjective.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <superovoid.hpp>

namespace ob = ompl::base;
namespace og = ompl::geometric;
using superovoid::check;
using Vector = std::vector<double>;

// Metres that a point may move, relative to any other link, between two checks of the planner.
constexpr double kResolution = 0.002;
// Configurations of the dense re-check, at least.
constexpr unsigned kDense = 2000;

// A joint of the problem, radians or metres.
struct JointGoal {
  const char* name;
  double start, goal;
};

constexpr JointGoal kJoints[] = {
    {"right_hand_approach", -0.100, -0.042},  {"right_hand_inward", 0.0, 0.515},
    {"l_hand_index_0_joint", 0.0, -0.152},    {"l_hand_index_1_joint", 0.0, 1.165},
    {"l_hand_index_2_joint", 0.0, 0.000},     {"l_hand_index_3_joint", 0.0, 0.726},
    {"l_hand_middle_0_joint", 0.0, 0.128},    {"l_hand_middle_1_joint", 0.0, 1.010},
    {"l_hand_middle_2_joint", 0.0, 0.766},    {"l_hand_middle_3_joint", 0.0, 0.297},
    {"l_hand_ring_0_joint", 0.0, 0.224},      {"l_hand_ring_1_joint", 0.0, 1.074},
    {"l_hand_ring_2_joint", 0.0, 0.439},      {"l_hand_ring_3_joint", 0.0, 0.538},
    {"l_hand_little_0_joint", 0.0, 0.349},    {"l_hand_little_1_joint", 0.0, 1.200},
    {"l_hand_little_2_joint", 0.0, 0.358},    {"l_hand_little_3_joint", 0.0, 0.172},
    {"r_hand_index_0_joint", 0.0, -0.335},    {"r_hand_index_1_joint", 0.4, 0.245},
    {"r_hand_index_3_joint", 0.4, 0.340},     {"r_hand_middle_1_joint", 0.4, 0.116},
    {"r_hand_middle_2_joint", 0.4, 0.304},    {"r_hand_middle_3_joint", 0.4, 0.553},
    {"r_hand_ring_2_joint", 0.4, 0.828},      {"r_hand_ring_3_joint", 0.4, 0.083},
    {"r_hand_little_1_joint", 0.4, 0.289},    {"r_hand_little_2_joint", 0.4, 0.377},
    {"r_hand_little_3_joint", 0.4, 0.301},
};
constexpr std::size_t kCount = std::size(kJoints);
// The same from start to goal.
constexpr JointGoal kThumbs[] = {{"l_hand_thumb_0_joint", 0.849, 0.849},
                                 {"r_hand_thumb_0_joint", 0.734, 0.734}};

struct Free {
  void operator()(sovo_robot* robot) const { sovo_robot_free(robot); }
};

// The robot, the planned joints in it, and how far each of them can move a point.
class Hands {
 public:
  explicit Hands(const char* path) {
    sovo_robot* robot = nullptr;
    check(sovo_robot_load(path, &robot));
    robot_.reset(robot);
    std::size_t count = 0;
    check(sovo_robot_position_count(robot, &count));
    neutral_.resize(count);
    check(sovo_robot_neutral(robot, neutral_.data(), count));
    for (const JointGoal& thumb : kThumbs) neutral_[joint(thumb.name).first_position] = thumb.goal;
    for (const JointGoal& planned : kJoints) joints_.push_back(joint(planned.name));
    find_motions();
  }

  const sovo_joint& planned(std::size_t k) const { return joints_[k]; }

  bool free(const double* q) const {
    std::int32_t hit = 1;
    const Vector all = configuration(q);
    check(sovo_robot_in_collision(robot_.get(), all.data(), all.size(), nullptr, &hit));
    ++checks;
    return hit == 0;
  }

  // A proven lower bound of the least clearance, metres; what is in doubt is at most 0.
  double clearance(const double* q) const {
    sovo_clearance found;
    const Vector all = configuration(q);
    check(sovo_robot_distance(robot_.get(), all.data(), all.size(), nullptr, &found));
    ++distances;
    return found.contact.lower;
  }

  // How far any point of any link can move, in the frame of any other one, while the joints move by
  // these amounts: for each pair of links the sum over the joints between them of the joint's motion
  // times its reach.
  double motion(const Vector& step) const {
    double most = 0;
    for (const auto& from : motions_)
      for (const auto& to : motions_) {
        double sum = 0;
        // Joints above both links move them alike.
        for (std::size_t k = 0; k < kCount; ++k)
          if ((from[k] > 0) != (to[k] > 0)) sum += std::max(from[k], to[k]) * std::abs(step[k]);
        most = std::max(most, sum);
      }
    return most;
  }

  // The longest joint step, Euclidean, that moves no point farther than this relative to a link.
  double longest_step(double motion) const {
    double square = 0;
    for (const auto& from : motions_)
      for (const auto& to : motions_) {
        double sum = 0;
        for (std::size_t k = 0; k < kCount; ++k)
          if ((from[k] > 0) != (to[k] > 0)) sum += std::pow(std::max(from[k], to[k]), 2);
        square = std::max(square, sum);
      }
    return motion / std::sqrt(square);
  }

  mutable unsigned long checks = 0, distances = 0;

 private:
  sovo_joint joint(const char* name) const {
    std::uint32_t index = 0;
    sovo_joint found;
    check(sovo_robot_joint_index(robot_.get(), name, &index));
    check(sovo_robot_joint(robot_.get(), index, &found));
    return found;
  }

  Vector configuration(const double* q) const {
    Vector all = neutral_;
    // Rounding must not lead outside the limits.
    for (std::size_t k = 0; k < kCount; ++k)
      all[joints_[k].first_position] = std::clamp(q[k], joints_[k].lower, joints_[k].upper);
    return all;
  }

  // For every body and every planned joint above it the metres that a point of the body moves, at most,
  // while the joint moves by one: 1 for a prismatic joint; for a revolute one the distance from the
  // joint's origin, along the chain of links (whose lengths revolute joints do not change), to the far
  // end of the body.
  void find_motions() {
    std::uint32_t links = 0, bodies = 0;
    check(sovo_robot_link_count(robot_.get(), &links));
    std::vector<sovo_pose> poses(links);
    check(sovo_robot_link_poses(robot_.get(), neutral_.data(), neutral_.size(), poses.data(), links));
    std::map<std::uint32_t, std::size_t> planned;
    for (std::size_t k = 0; k < kCount; ++k) planned[joints_[k].child_link] = k;
    check(sovo_robot_body_count(robot_.get(), &bodies));
    for (std::uint32_t b = 0; b < bodies; ++b) {
      sovo_body body;
      check(sovo_robot_body(robot_.get(), b, &body));
      Vector motion(kCount, 0.0);
      const double* at = body.pose.translation;
      double reach = std::hypot(at[0], at[1], at[2]) + body.shape.outer_radius;
      for (std::uint32_t link = body.link, up = 0;;) {
        check(sovo_robot_parent_joint(robot_.get(), link, &up));
        if (up == UINT32_MAX) break;
        sovo_joint joint;
        check(sovo_robot_joint(robot_.get(), up, &joint));
        const bool slides = joint.kind == SOVO_JOINT_KIND_PRISMATIC;
        const auto found = planned.find(link);
        if (found != planned.end()) motion[found->second] = slides ? 1.0 : reach;
        const double *x = poses[link].translation, *y = poses[joint.parent_link].translation;
        reach += std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
        link = joint.parent_link;
      }
      motions_.push_back(motion);
    }
  }

  std::unique_ptr<sovo_robot, Free> robot_;
  Vector neutral_;
  std::vector<sovo_joint> joints_;
  std::vector<Vector> motions_;
};

const double* values(const ob::State* state) {
  return state->as<ob::RealVectorStateSpace::StateType>()->values;
}

class Checker : public ob::StateValidityChecker {
 public:
  Checker(const ob::SpaceInformationPtr& si, const Hands& hands)
      : StateValidityChecker(si), hands_(hands) {}
  bool isValid(const ob::State* state) const override { return hands_.free(values(state)); }
  double clearance(const ob::State* state) const override { return hands_.clearance(values(state)); }

 private:
  const Hands& hands_;
};

Vector between(const Vector& a, const Vector& b, double s) {
  Vector q(kCount);
  for (std::size_t k = 0; k < kCount; ++k) q[k] = (1 - s) * a[k] + s * b[k];
  return q;
}

using Waypoints = std::vector<Vector>;

Waypoints waypoints(const og::PathGeometric& path) {
  Waypoints points;
  for (std::size_t i = 0; i < path.getStateCount(); ++i) {
    const double* q = values(path.getState(i));
    points.emplace_back(q, q + kCount);
  }
  return points;
}

// The least clearance at configurations spread evenly over each motion of a path, at least kDense of
// them.
double dense_clearance(const Hands& hands, const Waypoints& path, unsigned long& count) {
  const unsigned steps = kDense / static_cast<unsigned>(path.size() - 1) + 1;
  double least = hands.clearance(path.front().data());
  count = 1;
  for (std::size_t i = 1; i < path.size(); ++i)
    for (unsigned k = 1; k <= steps; ++k, ++count)
      least = std::min(least,
                       hands.clearance(between(path[i - 1], path[i], double(k) / steps).data()));
  return least;
}

// Whether every configuration between two is proven to be free, by conservative advancement. The
// bracket of a distance is that of the closest pair; others, found a little farther away, may have
// theirs lower by a tolerance (1e-9 of a body), which the slack covers amply.
bool proven(const Hands& hands, const Vector& a, const Vector& b, unsigned depth = 0) {
  constexpr double kSlack = 1e-7;
  constexpr unsigned kDeepest = 20;
  const Vector middle = between(a, b, 0.5);
  Vector half(kCount);
  for (std::size_t k = 0; k < kCount; ++k) half[k] = 0.5 * (b[k] - a[k]);
  const double clearance = hands.clearance(middle.data());
  if (clearance <= kSlack || depth == kDeepest) return false;
  if (hands.motion(half) < clearance - kSlack) return true;
  return proven(hands, a, middle, depth + 1) && proven(hands, middle, b, depth + 1);
}

// Prints what is known about a path; whether the dense re-check found it free.
bool report(const char* name, const Hands& hands, const og::PathGeometric& path) {
  const Waypoints points = waypoints(path);
  unsigned long count = 0;
  const double least = dense_clearance(hands, points, count);
  const unsigned long before = hands.distances;
  bool whole = true;
  for (std::size_t i = 1; whole && i < points.size(); ++i)
    whole = proven(hands, points[i - 1], points[i]);
  std::printf("%s: length %.3f, %zu waypoints, least clearance %.3f mm at %lu configurations\n", name,
              path.length(), points.size(), 1e3 * least, count);
  std::printf("%s: %s, with %lu distances\n", name,
              whole ? "proven free from start to goal" : "not proven between these configurations",
              hands.distances - before);
  return least > 0;
}

// Raises the least clearance along a path: of the motion where it is least, one end is moved at random,
// which is kept if it raises the least clearance of the two motions at that end.
void widen(const ob::SpaceInformationPtr& si, og::PathGeometric& path, double seconds) {
  const ob::MaximizeMinClearanceObjective objective(si);
  const auto better = [&](ob::Cost a, ob::Cost b) { return objective.isCostBetterThan(a, b); };
  const std::size_t last = path.getStateCount() - 1;
  std::vector<ob::Cost> costs;
  for (std::size_t i = 0; i < last; ++i)
    costs.push_back(objective.motionCost(path.getState(i), path.getState(i + 1)));
  ob::ScopedState<ob::RealVectorStateSpace> moved(si->getStateSpace());
  ompl::RNG random(7);
  const auto start = std::chrono::steady_clock::now();
  const std::chrono::duration<double> limit(seconds);
  while (std::chrono::steady_clock::now() - start < limit) {
    const auto worst = std::min_element(costs.begin(), costs.end(),
                                        [&](ob::Cost a, ob::Cost b) { return better(b, a); });
    const auto motion = static_cast<std::size_t>(worst - costs.begin());
    const std::size_t end = motion + static_cast<std::size_t>(random.uniformInt(0, 1));
    const std::size_t i = std::clamp<std::size_t>(end, 1, last - 1);
    si->copyState(moved.get(), path.getState(i));
    const double step = random.uniformReal(0.0, 0.05);
    for (std::size_t k = 0; k < kCount; ++k) moved[k] += random.gaussian(0.0, step);
    si->enforceBounds(moved.get());
    const ob::Cost to = objective.motionCost(path.getState(i - 1), moved.get());
    // Half of the work is saved where the first motion is no better already.
    const ob::Cost before = objective.combineCosts(costs[i - 1], costs[i]);
    if (!better(to, before)) continue;
    const ob::Cost on = objective.motionCost(moved.get(), path.getState(i + 1));
    if (!better(on, before)) continue;
    costs[i - 1] = to;
    costs[i] = on;
    si->copyState(path.getState(i), moved.get());
  }
}

int plan(const char* urdf) {
  const Hands hands(urdf);
  ompl::RNG::setSeed(1);
  ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
  auto space = std::make_shared<ob::RealVectorStateSpace>(kCount);
  ob::RealVectorBounds bounds(kCount);
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (std::size_t k = 0; k < kCount; ++k) {
    bounds.setLow(k, hands.planned(k).lower);
    bounds.setHigh(k, hands.planned(k).upper);
    start[k] = kJoints[k].start;
    goal[k] = kJoints[k].goal;
  }
  space->setBounds(bounds);
  space->setLongestValidSegmentFraction(hands.longest_step(kResolution) / space->getMaximumExtent());
  auto si = std::make_shared<ob::SpaceInformation>(space);
  si->setStateValidityChecker(std::make_shared<Checker>(si, hands));
  si->setup();
  std::printf("start: clearance %.3f mm; goal: clearance %.3f mm\n",
              1e3 * hands.clearance(values(start.get())), 1e3 * hands.clearance(values(goal.get())));
  if (!si->isValid(start.get()) || !si->isValid(goal.get())) {
    std::fprintf(stderr, "start or goal is in collision\n");
    return 1;
  }
  const bool direct = si->checkMotion(start.get(), goal.get());
  std::printf("straight line: %s\n", direct ? "free" : "in collision");

  auto problem = std::make_shared<ob::ProblemDefinition>(si);
  problem->setStartAndGoalStates(start, goal);
  og::RRTConnect planner(si);
  planner.setProblemDefinition(problem);
  planner.setup();
  hands.checks = 0;
  const auto from = std::chrono::steady_clock::now();
  const ob::PlannerStatus status = planner.solve(ob::timedPlannerTerminationCondition(10.0));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  std::printf("RRT-Connect: %.2f s, %lu checks, %.0f checks per second\n", took.count(), hands.checks,
              static_cast<double>(hands.checks) / took.count());
  if (status != ob::PlannerStatus::EXACT_SOLUTION) {
    std::fprintf(stderr, "no path found\n");
    return 1;
  }
  og::PathGeometric path = *problem->getSolutionPath()->as<og::PathGeometric>();
  const bool first = report("first path", hands, path);
  path.interpolate(std::max<unsigned>(40, static_cast<unsigned>(path.getStateCount())));
  widen(si, path, 3.0);
  const bool second = report("wider path", hands, path);
  return first && second ? 0 : 1;
}

int main(int argc, char** argv) {
  if (argc != 2 || std::strcmp(argv[1], "--help") == 0) {
    std::printf(
        "usage: %s FILE\n"
        "Plans how the two hands of FILE, urdf/icub_hands.urdf, hook their fingers into each other.\n",
        argv[0]);
    return argc == 2 ? 0 : 2;
  }
  try {
    return plan(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
