// superovoid/ompl.hpp: the contract of OMPL's motion validators, its planners, and the errors.
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SO2StateSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <cmath>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <superovoid/ompl.hpp>

#include "expect.hpp"

namespace ob = ompl::base;
namespace og = ompl::geometric;
namespace so = superovoid;

namespace {

// Two links of a length of 1 m in the plane, each an ellipsoid, that start at the origin.
const char* const kArm =
    "<robot name='arm'><link name='base'/>"
    "<link name='upper'><collision><origin xyz='0.5 0 0'/><geometry><sphere radius='0.5'/></geometry>"
    "<superovoid a1='0.45' a2='0.06' a3='0.06' e1='1' e2='1' tx='0' ty='0'/></collision></link>"
    "<link name='fore'><collision><origin xyz='0.5 0 0'/><geometry><sphere radius='0.5'/></geometry>"
    "<superovoid a1='0.45' a2='0.06' a3='0.06' e1='0.6' e2='1' tx='0' ty='0'/></collision></link>"
    "<joint name='shoulder' type='%'><parent link='base'/><child link='upper'/><axis xyz='0 0 1'/>"
    "<limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='elbow' type='revolute'><origin xyz='1 0 0'/><parent link='upper'/><child link='fore'/>"
    "<axis xyz='0 0 1'/><limit lower='-2.5' upper='2.5' effort='1' velocity='1'/></joint></robot>";

so::Robot arm(const std::string& shoulder) {
  std::string urdf = kArm;
  urdf.replace(urdf.find('%'), 1, shoulder);
  return so::Robot::parse(urdf);
}

// The arm among three posts, and everything that OMPL needs to plan in two numbers.
struct World {
  World(const so::Robot& robot, ob::StateSpacePtr of) : space(std::move(of)), scene(robot) {
    for (const auto& [x, y] : {std::pair(1.5, 0.5), std::pair(-0.2, 1.2), std::pair(0.9, -1.0)})
      scene.add_obstacle("posts", so::Superovoid({0.12, 0.12, 0.3}, {1, 0.4}), so::Pose({x, y, 0}));
    const auto scenes = std::make_shared<so::ompl::Scenes>(scene);
    const so::ompl::Joints joints(robot, {"shoulder", "elbow"}, robot.neutral());
    if (space->getType() == ob::STATE_SPACE_REAL_VECTOR)
      space->as<ob::RealVectorStateSpace>()->setBounds(joints.bounds());
    si = std::make_shared<ob::SpaceInformation>(space);
    si->setStateValidityChecker(std::make_shared<so::ompl::StateValidityChecker>(si, scenes, joints));
    motions = std::make_shared<so::ompl::MotionValidator>(si, scenes, joints);
    si->setMotionValidator(motions);
    si->setup();
  }

  ob::ScopedState<> state(double shoulder, double elbow) const {
    ob::ScopedState<> made(space);
    made = std::vector<double>{shoulder, elbow};
    return made;
  }

  // Whether every state at a fine spacing is valid, up to a parameter.
  bool sampled(const ob::State* a, const ob::State* b, double until, unsigned steps) const {
    ob::ScopedState<> between(space);
    for (unsigned k = 0; k <= steps; ++k) {
      space->interpolate(a, b, until * k / steps, between.get());
      if (!si->isValid(between.get())) return false;
    }
    return true;
  }

  ob::StateSpacePtr space;
  so::RobotScene scene;
  ob::SpaceInformationPtr si;
  std::shared_ptr<so::ompl::MotionValidator> motions;
};

World flat() { return {arm("revolute"), std::make_shared<ob::RealVectorStateSpace>(2)}; }

bool same(const ob::ScopedState<>& a, const ob::ScopedState<>& b) { return a.reals() == b.reals(); }

void last_valid() {
  const World world = flat();
  const auto& si = world.si;
  ob::RealVectorBounds bounds = world.space->as<ob::RealVectorStateSpace>()->getBounds();
  EXPECT(bounds.low[0] == -3 && bounds.high[1] == 2.5);
  ompl::RNG random(3);
  unsigned free = 0, hit = 0, narrow = 0;
  world.motions->resetMotionCounter();
  for (unsigned k = 0; k < 300; ++k) {
    const auto number = [&](double most) { return random.uniformReal(-most, most); };
    const auto a = world.state(number(3), number(2.5));
    const auto b = world.state(a[0] + number(1), a[1] + number(1));
    if (!si->satisfiesBounds(b.get())) continue;
    const ob::ScopedState<> untouched = world.state(0.1, 0.2);
    ob::ScopedState<> state = untouched;
    std::pair<ob::State*, double> last(state.get(), 0.125);
    const bool valid = si->checkMotion(a.get(), b.get(), last);
    EXPECT(valid == si->checkMotion(a.get(), b.get()));
    if (valid) {
      ++free;
      EXPECT(same(state, untouched) && last.second == 0.125 && last.first == state.get());
      EXPECT(world.sampled(a.get(), b.get(), 1, 200));
      continue;
    }
    ++hit;
    EXPECT(last.second >= 0 && last.second < 1);
    ob::ScopedState<> there(world.space);
    world.space->interpolate(a.get(), b.get(), last.second, there.get());
    EXPECT(same(state, there));
    if (si->isValid(a.get())) {
      EXPECT(si->isValid(state.get()) && world.sampled(a.get(), b.get(), last.second, 200));
      // The state is the last one before the first contact, which is bracketed.
      const so::Edge edge = world.motions->judge(a.get(), b.get(), false);
      EXPECT(edge.status == SOVO_EDGE_STATUS_HIT && edge.safe == last.second);
      world.space->interpolate(a.get(), b.get(), edge.touching, there.get());
      // The margin of the validator is what the clearance leaves out.
      EXPECT(si->getStateValidityChecker()->clearance(there.get()) < 1e-9 && edge.touching > edge.safe);
      narrow += edge.touching - edge.safe < 1e-5 ? 1 : 0;
    } else {
      EXPECT(last.second == 0 && same(state, a));
    }
    std::pair<ob::State*, double> number_only(nullptr, -5);
    EXPECT(!si->checkMotion(a.get(), b.get(), number_only) && number_only.second == last.second);
  }
  // Only grazes have wider brackets.
  EXPECT(free > 50 && hit > 50 && narrow > 40);
  EXPECT(world.motions->getValidMotionCount() == 2 * free && world.motions->getInvalidMotionCount() == 3 * hit);
  // Beyond the limits nothing is valid.
  const auto a = world.state(0, 0), beyond = world.state(3.1, 0);
  EXPECT(!si->isValid(beyond.get()) && !si->checkMotion(a.get(), beyond.get()));
  EXPECT(si->getStateValidityChecker()->clearance(beyond.get()) < 0);
}

void clearances() {
  const World world = flat();
  const auto checker = world.si->getStateValidityChecker();
  EXPECT(checker->getSpecs().clearanceComputationType == ob::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE);
  ompl::RNG random(5);
  unsigned positive = 0;
  for (unsigned k = 0; k < 300; ++k) {
    const auto a = world.state(random.uniformReal(-3, 3), random.uniformReal(-2.5, 2.5));
    const double clearance = checker->clearance(a.get());
    EXPECT((clearance > 0) == world.si->isValid(a.get()));
    if (clearance <= 0) continue;
    ++positive;
    for (unsigned i = 0; i < 16; ++i) {
      const double angle = 2 * 3.14159265 * i / 16;
      const auto near = world.state(a[0] + clearance * std::cos(angle), a[1] + clearance * std::sin(angle));
      EXPECT(!world.si->satisfiesBounds(near.get()) || world.si->isValid(near.get()));
    }
  }
  EXPECT(positive > 100);
}

// In SO2 a motion goes the shorter way round, which numbers alone do not.
void the_shorter_way_round() {
  auto space = std::make_shared<ob::CompoundStateSpace>();
  auto elbow = std::make_shared<ob::RealVectorStateSpace>(1);
  elbow->setBounds(-2.5, 2.5);
  space->addSubspace(std::make_shared<ob::SO2StateSpace>(), 0.5);
  space->addSubspace(elbow, 1);
  const World world(arm("continuous"), space);
  const auto a = world.state(3.0, 0), b = world.state(-2.8, 0), c = world.state(0.8, 0), d = world.state(-0.2, 0);
  EXPECT(world.si->checkMotion(a.get(), b.get()) && world.sampled(a.get(), b.get(), 1, 500));
  EXPECT(!world.si->checkMotion(c.get(), d.get()) && !world.sampled(c.get(), d.get(), 1, 500));
  const double clearance = world.si->getStateValidityChecker()->clearance(a.get());
  EXPECT(clearance > 0);
  const auto near = world.state(3.0 - 1.99 * clearance, 0);
  EXPECT(std::abs(world.space->distance(a.get(), near.get()) - 0.995 * clearance) < 1e-9);
  EXPECT(world.si->isValid(near.get()));
}

void planners() {
  const World world = flat();
  const auto start = world.state(-2.5, 0.3), goal = world.state(2.6, -0.2);
  EXPECT(!world.si->checkMotion(start.get(), goal.get()));
  const std::vector<ob::PlannerPtr> all = {std::make_shared<og::RRTConnect>(world.si),
                                           std::make_shared<og::PRM>(world.si)};
  for (const ob::PlannerPtr& planner : all) {
    og::SimpleSetup setup(world.si);
    setup.setStartAndGoalStates(start, goal);
    setup.setPlanner(planner);
    EXPECT(setup.solve(5.0) == ob::PlannerStatus::EXACT_SOLUTION);
    og::PathGeometric path = setup.getSolutionPath();
    const double before = path.length();
    og::PathSimplifier simplifier(world.si, setup.getGoal());
    simplifier.simplify(path, 0.2);
    EXPECT(path.length() <= before + 1e-9 && path.getStateCount() >= 3);
    for (std::size_t i = 1; i < path.getStateCount(); ++i) {
      EXPECT(world.si->checkMotion(path.getState(i - 1), path.getState(i)));
      EXPECT(world.sampled(path.getState(i - 1), path.getState(i), 1, 1000));
    }
  }
}

// Samples lead to a path quickly, and the proof says which of its motions they were wrong about.
void sampled_motions_and_their_proof() {
  const World world = flat();
  const so::ompl::Joints joints(arm("revolute"), {"shoulder", "elbow"}, arm("revolute").neutral());
  const auto scenes = std::make_shared<so::ompl::Scenes>(world.scene);
  const so::ompl::DiscreteMotionValidator samples(world.si, scenes, joints);
  ompl::RNG random(9);
  unsigned free = 0, hit = 0, missed = 0;
  for (unsigned k = 0; k < 300; ++k) {
    const auto number = [&](double most) { return random.uniformReal(-most, most); };
    const auto a = world.state(number(3), number(2.5)), b = world.state(number(3), number(2.5));
    if (!world.si->isValid(a.get())) continue;
    const unsigned segments = world.space->validSegmentCount(a.get(), b.get());
    ob::ScopedState<> state(world.space), there(world.space);
    std::pair<ob::State*, double> last(state.get(), 0.125);
    const bool valid = samples.checkMotion(a.get(), b.get(), last);
    EXPECT(valid == samples.checkMotion(a.get(), b.get()));
    EXPECT(valid == world.sampled(a.get(), b.get(), 1, segments));
    const bool proven = world.motions->checkMotion(a.get(), b.get());
    EXPECT(valid || !proven);
    og::PathGeometric path(world.si, a.get());
    path.append(a.get());
    path.append(b.get());
    const auto unproven = so::ompl::prove(path, *world.motions);
    EXPECT(unproven.has_value() == !proven && (!unproven || unproven->motion == 1));
    missed += valid && !proven ? 1 : 0;
    ++(valid ? free : hit);
    if (valid) continue;
    world.space->interpolate(a.get(), b.get(), last.second, there.get());
    EXPECT(same(state, there) && world.si->isValid(state.get()));
    world.space->interpolate(a.get(), b.get(), last.second + 1.0 / segments, there.get());
    EXPECT(!world.si->isValid(there.get()));
  }
  EXPECT(free > 50 && hit > 50 && missed < free);
  EXPECT(samples.getValidMotionCount() == 2 * free && samples.getInvalidMotionCount() == 2 * hit);
  const auto inside = world.state(0, 0), beyond = world.state(3.1, 0);
  std::pair<ob::State*, double> last(nullptr, 0.125);
  EXPECT(!samples.checkMotion(inside.get(), beyond.get()));
  EXPECT(!samples.checkMotion(inside.get(), beyond.get(), last) && last.second == 0);
  og::PathGeometric alone(world.si, beyond.get());
  EXPECT(so::ompl::prove(alone, *world.motions).has_value());
  EXPECT(!so::ompl::prove(og::PathGeometric(world.si), *world.motions));
  // Two sets of scenes in turn on one thread.
  const auto others = std::make_shared<so::ompl::Scenes>(world.scene);
  so::RobotScene* const first = &scenes->mine();
  EXPECT(&others->mine() != first && &scenes->mine() == first);
}

void threads() {
  const World world = flat();
  ompl::RNG random(7);
  std::vector<ob::ScopedState<>> states;
  for (unsigned k = 0; k < 200; ++k)
    states.push_back(world.state(random.uniformReal(-3, 3), random.uniformReal(-2.5, 2.5)));
  const auto judged = [&](std::vector<char>& answers) {
    for (std::size_t k = 1; k < states.size(); ++k)
      answers.push_back(world.si->checkMotion(states[k - 1].get(), states[k].get()) ? 1 : 0);
  };
  std::vector<char> alone;
  judged(alone);
  std::vector<std::vector<char>> answers(4);
  std::vector<std::thread> running;
  for (auto& own : answers) running.emplace_back([&judged, &own] { judged(own); });
  for (std::thread& thread : running) thread.join();
  for (const auto& own : answers) EXPECT(own == alone);
  EXPECT(world.motions->getCheckedMotionCount() == 5 * alone.size());
}

void errors() {
  const auto status_of = [](auto call) {
    try {
      call();
    } catch (const so::error& error) {
      return error.status();
    }
    return SOVO_STATUS_OK;
  };
  const so::Robot robot = arm("revolute"), planar = arm("planar");
  const auto rest = robot.neutral();
  EXPECT(status_of([&] { so::ompl::Joints(robot, {"knee"}, rest); }) == SOVO_STATUS_ERROR_CONFIGURATION);
  EXPECT(status_of([&] { so::ompl::Joints(robot, {"elbow"}, {0}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::ompl::Joints(planar, {"shoulder"}, planar.neutral()); }) ==
         SOVO_STATUS_ERROR_CONFIGURATION);
  const so::ompl::Joints one(robot, {"elbow"}, rest);
  const ob::RealVectorStateSpace two(2);
  const ob::SE2StateSpace se2;
  EXPECT(status_of([&] { so::ompl::Numbers(&two, one); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::ompl::Numbers(&se2, one); }) == SOVO_STATUS_ERROR_SIZE);
  const so::Robot meshes = so::Robot::parse(
      "<robot name='r'><link name='l'><collision><geometry><mesh filename='no.stl'/></geometry></collision></link></robot>");
  EXPECT(status_of([&] { so::ompl::Joints(meshes, {}, {}); }) == SOVO_STATUS_ERROR_GEOMETRY);
}

}  // namespace

int main() {
  ompl::RNG::setSeed(1);
  ompl::msg::setLogLevel(ompl::msg::LOG_WARN);
  last_valid();
  clearances();
  the_shorter_way_round();
  planners();
  sampled_motions_and_their_proof();
  threads();
  errors();
  return failures;
}
