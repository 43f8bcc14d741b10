// A motion planner with superovoid/ompl.hpp: two robot hands hook their fingers into each other.
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
// What is proven. superovoid::ompl::MotionValidator accepts a motion only if all of it is proven free, so there is no
// resolution to choose: every motion of the planner's tree is free, as far as the shapes and the joint positions are
// exact, among the pairs of links that the query covers, which those that one joint joins are not. The end judges the
// path once more and compares it with the clearances at many configurations.

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
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <superovoid/ompl.hpp>

namespace ob = ompl::base;
namespace og = ompl::geometric;
namespace so = superovoid;
using Vector = std::vector<double>;

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

// The robot, and the checks of its states and motions.
struct Hands {
  explicit Hands(const char* path) : robot(so::Robot::load(path)), scene(robot) {}

  // The planned joints; the thumbs are turned in front of the palms, and all others stay at rest.
  so::ompl::Joints joints() const {
    Vector rest = robot.neutral();
    for (const JointGoal& thumb : kThumbs)
      rest[robot.joint(robot.joint_index(thumb.name)).first_position] = thumb.goal;
    std::vector<std::string> names;
    for (const JointGoal& planned : kJoints) names.emplace_back(planned.name);
    return {robot, names, rest};
  }

  // A proven lower bound of the least clearance, metres.
  double clearance(const Vector& q) {
    Vector positions;
    if (!planned.configuration(q, positions)) throw std::runtime_error("a state is outside the limits");
    return scene.closest(positions).contact.lower;
  }

  so::Robot robot;
  so::RobotScene scene;
  so::ompl::Joints planned = joints();
};

const double* values(const ob::State* state) {
  return state->as<ob::RealVectorStateSpace::StateType>()->values;
}

Vector numbers(const ob::State* state) { return {values(state), values(state) + kCount}; }

Vector between(const Vector& a, const Vector& b, double s) {
  Vector q(kCount);
  for (std::size_t k = 0; k < kCount; ++k) q[k] = (1 - s) * a[k] + s * b[k];
  return q;
}

// The least clearance at configurations spread evenly over each motion of a path, at least kDense of
// them.
double dense_clearance(Hands& hands, const og::PathGeometric& path, unsigned long& count) {
  const std::size_t last = path.getStateCount() - 1;
  const unsigned steps = kDense / static_cast<unsigned>(last) + 1;
  double least = hands.clearance(numbers(path.getState(0)));
  count = 1;
  for (std::size_t i = 0; i < last; ++i) {
    const Vector a = numbers(path.getState(i)), b = numbers(path.getState(i + 1));
    for (unsigned k = 1; k <= steps; ++k, ++count)
      least = std::min(least, hands.clearance(between(a, b, double(k) / steps)));
  }
  return least;
}

// Prints what is known about a path; whether it is proven free.
bool report(const char* name, Hands& hands, const so::ompl::MotionValidator& motions,
            const og::PathGeometric& path) {
  unsigned long count = 0, states = 0, distances = 0;
  const double least = dense_clearance(hands, path, count);
  bool whole = true;
  for (std::size_t i = 1; i < path.getStateCount(); ++i) {
    const so::Edge edge = motions.judge(path.getState(i - 1), path.getState(i), true);
    whole = whole && edge.free();
    states += edge.states;
    distances += edge.distances;
  }
  std::printf("%s: length %.3f, %zu waypoints, least clearance %.3f mm at %lu configurations\n", name,
              path.length(), path.getStateCount(), 1e3 * least, count);
  std::printf("%s: %s, with %lu configurations and %lu distances of pairs\n", name,
              whole ? "proven free from start to goal" : "not proven between these configurations", states,
              distances);
  return whole && least > 0;
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
    // Costs are sampled, motions are proven.
    if (!si->checkMotion(path.getState(i - 1), moved.get())) continue;
    if (!si->checkMotion(moved.get(), path.getState(i + 1))) continue;
    costs[i - 1] = to;
    costs[i] = on;
    si->copyState(path.getState(i), moved.get());
  }
}

int plan(const char* urdf) {
  Hands hands(urdf);
  ompl::RNG::setSeed(1);
  ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
  auto space = std::make_shared<ob::RealVectorStateSpace>(kCount);
  space->setBounds(hands.planned.bounds());
  ob::ScopedState<ob::RealVectorStateSpace> start(space), goal(space);
  for (std::size_t k = 0; k < kCount; ++k) {
    start[k] = kJoints[k].start;
    goal[k] = kJoints[k].goal;
  }
  auto si = std::make_shared<ob::SpaceInformation>(space);
  const auto scenes = std::make_shared<so::ompl::Scenes>(hands.scene);
  const auto motions = std::make_shared<so::ompl::MotionValidator>(si, scenes, hands.planned);
  si->setStateValidityChecker(std::make_shared<so::ompl::StateValidityChecker>(si, scenes, hands.planned));
  si->setMotionValidator(motions);
  si->setup();
  std::printf("start: clearance %.3f mm; goal: clearance %.3f mm\n",
              1e3 * hands.clearance(numbers(start.get())), 1e3 * hands.clearance(numbers(goal.get())));
  if (!si->isValid(start.get()) || !si->isValid(goal.get())) {
    std::fprintf(stderr, "start or goal is in collision\n");
    return 1;
  }
  const so::Edge direct = motions->judge(start.get(), goal.get(), false);
  const char* verdict = direct.free() ? "free" : "in collision";
  std::printf("straight line: %s", verdict);
  if (direct.status == SOVO_EDGE_STATUS_HIT)
    std::printf(", %s meets %s between t = %.6f and %.6f", hands.robot.link_name(direct.contact.link_a).c_str(),
                hands.robot.link_name(direct.contact.link_b).c_str(), direct.safe, direct.touching);
  std::printf("\n");

  auto problem = std::make_shared<ob::ProblemDefinition>(si);
  problem->setStartAndGoalStates(start, goal);
  og::RRTConnect planner(si);
  planner.setProblemDefinition(problem);
  planner.setup();
  motions->resetMotionCounter();
  const auto from = std::chrono::steady_clock::now();
  const ob::PlannerStatus status = planner.solve(ob::timedPlannerTerminationCondition(10.0));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - from;
  const unsigned judged = motions->getCheckedMotionCount();
  std::printf("RRT-Connect: %.3f s, %u motions, %u of them proven free, %.0f motions per second\n", took.count(),
              judged, motions->getValidMotionCount(), judged / took.count());
  if (status != ob::PlannerStatus::EXACT_SOLUTION) {
    std::fprintf(stderr, "no path found\n");
    return 1;
  }
  og::PathGeometric path = *problem->getSolutionPath()->as<og::PathGeometric>();
  const bool first = report("first path", hands, *motions, path);
  path.interpolate(std::max<unsigned>(40, static_cast<unsigned>(path.getStateCount())));
  widen(si, path, 3.0);
  const bool second = report("wider path", hands, *motions, path);
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
