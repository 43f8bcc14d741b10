/* Motions among obstacles: the paths of a ball in the plane, whose distances are known in closed form, and every error. */
#include "check.h"

/* The call ends with this status and a text that holds these words. */
#define ENDS(call, expected, words)                                                                                    \
  do {                                                                                                                 \
    const sovo_status ends_status = (call);                                                                            \
    CHECK(ends_status == (expected) && strstr(sovo_last_error(), words) != NULL, "%s, \"%s\"", sovo_status_name(ends_status), \
          sovo_last_error());                                                                                          \
  } while (0)

enum { ROOM = 400 };

static const char TABLE[] =
    "<robot name='table'><link name='base'/><link name='carriage'/>"
    "<link name='ball'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='carriage'/><axis xyz='1 0 0'/>"
    "<limit lower='-1' upper='1'/></joint>"
    "<joint name='y' type='prismatic'><parent link='carriage'/><child link='ball'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1'/></joint></robot>";

static const double START[2] = {-0.8, 0}, GOAL[2] = {0.8, 0};
static const double POST_RADIUS = 0.3, RADIUS = 0.1;

static sovo_robot *robot;

static sovo_robot_scene *new_scene(void) {
  sovo_robot_scene *scene = NULL;
  const sovo_body ball = sovo_body_ball(POST_RADIUS);
  const sovo_pose pose = pose_at(0, 0, 0);
  uint64_t post;
  OK(sovo_robot_scene_new(robot, &scene));
  OK(sovo_robot_scene_add_obstacle(scene, "post", &ball, &pose, &post));
  return scene;
}

/* The distance of the origin from the segment between two points, both shifted by so much in y. */
static double distance_to_origin(const double *from, const double *to, double shift) {
  const double ax = from[0], ay = from[1] + shift, dx = to[0] - from[0], dy = to[1] - from[1];
  const double squared = dx * dx + dy * dy;
  const double t = squared > 0 ? fmin(1, fmax(0, -(ax * dx + ay * dy) / squared)) : 0;
  return hypot(ax + t * dx, ay + t * dy);
}

static sovo_plan_info info_of(const sovo_plan *plan) {
  sovo_plan_info info;
  memset(&info, PATTERN, sizeof info);
  OK(sovo_plan_describe(plan, &info));
  return info;
}

/* Reads a path that leads from the start to the goal past the post, at least so far; returns its configurations. */
static size_t path_of(const sovo_plan *plan, const double *goal, double least, double *path) {
  const sovo_plan_info info = info_of(plan);
  size_t k;
  CHECK(info.configurations >= 2 && info.configurations * 2 <= ROOM, "%lu", (unsigned long)info.configurations);
  CHECK(info.position_count == 2 && info.reason == SOVO_PLAN_REASON_NONE && info.text == NULL, "reason %u", (unsigned)info.reason);
  CHECK(info.touching_count == 0 && info.rounds >= 1 && info.edges_checked > 0 && info.states_checked > 0, "%u rounds", (unsigned)info.rounds);
  CHECK(info.search_time >= 0 && info.shortcutting_time >= 0 && info.proof_time >= 0, "%g s", info.search_time);
  if (info.configurations < 2 || info.configurations * 2 > ROOM) return 0;
  OK(sovo_plan_path(plan, path, 2 * info.configurations));
  CHECK(memcmp(path, START, sizeof START) == 0, "from %g, %g", path[0], path[1]);
  CHECK(memcmp(path + 2 * (info.configurations - 1), goal, sizeof START) == 0, "to another place");
  for (k = 0; k + 1 < info.configurations; k++)
    CHECK(distance_to_origin(path + 2 * k, path + 2 * k + 2, 0) > least, "edge %lu: %g", (unsigned long)k,
          distance_to_origin(path + 2 * k, path + 2 * k + 2, 0));
  return info.configurations;
}

static void around_a_post(void) {
  sovo_robot_scene *scene = new_scene();
  sovo_plan_options options = SOVO_PLAN_OPTIONS_INIT;
  sovo_plan *plan = NULL, *again = NULL, *other = NULL;
  sovo_plan_info info;
  double path[ROOM], same[ROOM];
  const double goals[6] = {0.1, 0.1, 0, 0.8, 0.2, 0}, straight[2] = {-0.8, 0.5};
  const char *names[2] = {"x", "y"}, *y[1] = {"y"};
  size_t count;

  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, NULL, &plan));
  info = info_of(plan);
  CHECK(info.proven == 1 && info.goal == 0 && info.edges_proven >= info.configurations - 1, "%u", (unsigned)info.proven);
  count = path_of(plan, GOAL, POST_RADIUS + RADIUS, path);
  CHECK(count > 2, "%lu", (unsigned long)count);

  /* The same seed gives the same path, another one another. */
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, names, 2, &options, &again));
  CHECK(path_of(again, GOAL, POST_RADIUS + RADIUS, same) == count, "another length");
  CHECK(memcmp(path, same, 2 * count * sizeof *path) == 0, "another path");
  options.seed = 5;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &other));
  CHECK(path_of(other, GOAL, POST_RADIUS + RADIUS, same) != count || memcmp(path, same, 2 * count * sizeof *path) != 0, "the same path");
  sovo_plan_free(again);
  sovo_plan_free(other);

  /* Without a proof it says so; the states, 1/32 apart, may then be nearer by less than that. */
  options.no_proof = 1;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &other));
  path_of(other, GOAL, POST_RADIUS + RADIUS - 1.0 / 32, same);
  CHECK(info_of(other).proven == 0 && info_of(other).edges_proven == 0, "proven");
  sovo_plan_free(other);

  /* The goals in the post do not count. */
  OK(sovo_robot_scene_plan(scene, START, 2, goals, 3, NULL, 0, NULL, &other));
  path_of(other, goals + 2, POST_RADIUS + RADIUS, same);
  CHECK(info_of(other).goal == 1, "goal %lu", (unsigned long)info_of(other).goal);
  sovo_plan_free(other);

  /* One joint is enough where the way is straight. */
  OK(sovo_robot_scene_plan(scene, START, 2, straight, 1, y, 1, NULL, &other));
  count = path_of(other, straight, POST_RADIUS + RADIUS, same);
  CHECK(count == 2, "%lu", (unsigned long)count);
  sovo_plan_free(other);

  /* The plan does not need its scene, and writes nothing for another count. */
  sovo_robot_scene_free(scene);
  memset(same, PATTERN, sizeof same);
  memcpy(path, same, sizeof same);
  ENDS(sovo_plan_path(plan, same, 2 * info.configurations - 1), SOVO_STATUS_ERROR_SIZE, "count = ");
  ENDS(sovo_plan_path(plan, NULL, 2 * info.configurations), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_plan_path(NULL, same, 2 * info.configurations), SOVO_STATUS_ERROR_NULL, "plan");
  CHECK(memcmp(path, same, sizeof same) == 0, "written");
  path_of(plan, GOAL, POST_RADIUS + RADIUS, same);
  sovo_plan_free(plan);
}

/* A ball that is attached beside, and a padding, keep the path away from the post. */
static void with_a_load(void) {
  sovo_robot_scene *scene = new_scene();
  const sovo_body load = sovo_body_ball(0.2);
  const sovo_pose beside = pose_at(0, 0.15, 0);
  sovo_plan *plan = NULL;
  double path[ROOM];
  size_t count, k;
  OK(sovo_robot_scene_attach(scene, "load", "ball", &load, &beside, NULL, 0, NULL));
  OK(sovo_robot_scene_set_padding(scene, "load", 0.05));
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, NULL, &plan));
  count = path_of(plan, GOAL, POST_RADIUS + RADIUS, path);
  for (k = 0; k + 1 < count; k++)
    CHECK(distance_to_origin(path + 2 * k, path + 2 * k + 2, 0.15) > POST_RADIUS + 0.2 + 0.05, "edge %lu", (unsigned long)k);
  sovo_plan_free(plan);
  {
    /* The load alone touches: its name is told. */
    const double close[2] = {0, -0.45};
    sovo_touching_pair pair;
    OK(sovo_robot_scene_plan(scene, close, 2, GOAL, 1, NULL, 0, NULL, &plan));
    CHECK(info_of(plan).reason == SOVO_PLAN_REASON_START_IN_COLLISION, "%u", (unsigned)info_of(plan).reason);
    OK(sovo_plan_touching(plan, 0, &pair));
    CHECK(strcmp(pair.name_a, "load") == 0 && strcmp(pair.name_b, "post") == 0, "%s, %s", pair.name_a, pair.name_b);
    CHECK(pair.contact.collision_a == SOVO_ATTACHED && fabs(pair.contact.contact.distance - (0.3 - 0.55)) < 1e-9, "%g",
          pair.contact.contact.distance);
    sovo_plan_free(plan);
  }
  sovo_robot_scene_free(scene);
}

static void no_path(void) {
  sovo_robot_scene *scene = new_scene();
  sovo_plan_options options = SOVO_PLAN_OPTIONS_INIT;
  const sovo_body wall = sovo_body_cuboid(0.01, 3, 1);
  const sovo_pose pose = pose_at(0.5, 0, 0);
  const double inside[2] = {0.1, 0}, goals[4] = {0.2, 0, 0, 0.3};
  sovo_plan *plan = NULL;
  sovo_plan_info info;
  sovo_touching_pair pair;
  uint64_t obstacle;

  OK(sovo_robot_scene_plan(scene, inside, 2, GOAL, 1, NULL, 0, NULL, &plan));
  info = info_of(plan);
  CHECK(info.configurations == 0 && info.goal == SIZE_MAX && info.proven == 0 && info.touching_count == 1, "%u", (unsigned)info.touching_count);
  CHECK(info.reason == SOVO_PLAN_REASON_START_IN_COLLISION && strstr(info.text, "the start is in collision: ball and post") != NULL, "%s", info.text);
  OK(sovo_plan_touching(plan, 0, &pair));
  CHECK(strcmp(pair.name_a, "ball") == 0 && strcmp(pair.name_b, "post") == 0, "%s, %s", pair.name_a, pair.name_b);
  CHECK(fabs(pair.contact.contact.distance - (0.1 - POST_RADIUS - RADIUS)) < 1e-9 && pair.contact.link_a == 2, "%g", pair.contact.contact.distance);
  ENDS(sovo_plan_touching(plan, 1, &pair), SOVO_STATUS_ERROR_CONFIGURATION, "touching pair 1: there are 1");
  ENDS(sovo_plan_touching(plan, 0, NULL), SOVO_STATUS_ERROR_NULL, "touching");
  ENDS(sovo_plan_touching(NULL, 0, &pair), SOVO_STATUS_ERROR_NULL, "plan");
  OK(sovo_plan_path(plan, NULL, 0));
  sovo_plan_free(plan);

  OK(sovo_robot_scene_plan(scene, START, 2, goals, 2, NULL, 0, NULL, &plan));
  info = info_of(plan);
  CHECK(info.reason == SOVO_PLAN_REASON_GOALS_IN_COLLISION && info.touching_count == 2, "%u", (unsigned)info.reason);
  OK(sovo_plan_touching(plan, 1, &pair));
  CHECK(fabs(pair.contact.contact.distance - (0.3 - POST_RADIUS - RADIUS)) < 1e-9, "%g", pair.contact.contact.distance);
  CHECK(strstr(info.text, "goal 2: ball and post") != NULL, "%s", info.text);
  sovo_plan_free(plan);

  /* A wall across the table. */
  OK(sovo_robot_scene_add_obstacle(scene, "wall", &wall, &pose, &obstacle));
  options.max_samples = 300;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan));
  info = info_of(plan);
  CHECK(info.reason == SOVO_PLAN_REASON_SAMPLES && info.samples == 300 && info.touching_count == 0, "%u, %lu", (unsigned)info.reason, (unsigned long)info.samples);
  CHECK(strstr(info.text, "300 samples") != NULL, "%s", info.text);
  sovo_plan_free(plan);
  options.max_samples = 0;
  options.max_time = 1e-3;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan));
  CHECK(info_of(plan).reason == SOVO_PLAN_REASON_TIME, "%u", (unsigned)info_of(plan).reason);
  sovo_plan_free(plan);
  sovo_robot_scene_free(scene);
}

/* Counts its calls, and ends the plan with one of them. */
struct calls {
  size_t count, last, done, of;
};

static int32_t stop(void *data, size_t done, size_t of) {
  struct calls *calls = data;
  CHECK(done >= calls->done && done <= of, "%lu of %lu", (unsigned long)done, (unsigned long)of);
  calls->done = done, calls->of = of;
  return ++calls->count == calls->last ? 5 : 0;
}

static void cancelled(void) {
  sovo_robot_scene *scene = new_scene();
  sovo_plan_options options = SOVO_PLAN_OPTIONS_INIT;
  struct calls calls = {0, SIZE_MAX, 0, 0};
  const sovo_body wall = sovo_body_cuboid(0.01, 3, 1);
  const sovo_pose pose = pose_at(0.5, 0, 0);
  sovo_plan *plan = NULL;
  double path[ROOM], same[ROOM];
  size_t count;
  uint64_t obstacle;

  /* Who only listens gets the same path. */
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, NULL, &plan));
  count = path_of(plan, GOAL, POST_RADIUS + RADIUS, path);
  sovo_plan_free(plan);
  options.cancel = stop, options.cancel_data = &calls;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan));
  CHECK(path_of(plan, GOAL, POST_RADIUS + RADIUS, same) == count && memcmp(path, same, 2 * count * sizeof *path) == 0, "another path");
  CHECK(calls.count >= 1 && calls.of == 100000, "%lu calls", (unsigned long)calls.count);
  sovo_plan_free(plan);

  /* At once, also where the start touches; and behind a wall after three calls. */
  OK(sovo_robot_scene_add_obstacle(scene, "wall", &wall, &pose, &obstacle));
  options.max_samples = UINT32_MAX;
  for (count = 1; count <= 3; count += 2) {
    const double inside[2] = {0.1, 0};
    sovo_plan_info info;
    calls.count = calls.done = 0, calls.last = count;
    OK(sovo_robot_scene_plan(scene, count == 1 ? inside : START, 2, GOAL, 1, NULL, 0, &options, &plan));
    info = info_of(plan);
    CHECK(info.reason == SOVO_PLAN_REASON_CANCELLED && info.configurations == 0 && info.goal == SIZE_MAX && info.proven == 0, "%u", (unsigned)info.reason);
    CHECK(strstr(info.text, "cancelled") != NULL && calls.count == count && calls.done <= info.samples, "%s", info.text);
    sovo_plan_free(plan);
  }
  /* A program of before has no callback in its struct. */
  options.size = offsetof(sovo_plan_options, cancel);
  options.max_samples = 10;
  calls.count = 0, calls.last = 1;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan));
  CHECK(info_of(plan).reason == SOVO_PLAN_REASON_SAMPLES && calls.count == 0, "%u", (unsigned)info_of(plan).reason);
  sovo_plan_free(plan);
  sovo_robot_scene_free(scene);
}

static void refused(void) {
  sovo_robot_scene *scene = new_scene();
  sovo_plan_options options = SOVO_PLAN_OPTIONS_INIT;
  sovo_plan *const untouched = (sovo_plan *)&options, *plan = untouched;
  sovo_plan_info info;
  const double nan_at[2] = {0, NAN}, beyond[4] = {0.8, 0, 0, 2};
  const char *x = "x", *unknown = "z", *twice[2] = {"x", "x"}, *null = NULL;
  const double elsewhere[2] = {0.8, 0.1};

  ENDS(sovo_robot_scene_plan(NULL, START, 2, GOAL, 1, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_plan(scene, NULL, 2, GOAL, 1, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_NULL, "start");
  ENDS(sovo_robot_scene_plan(scene, START, 1, GOAL, 1, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_plan(scene, START, 2, NULL, 1, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_NULL, "goals");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 0, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_SIZE, "no goal");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, SIZE_MAX, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_SIZE, "goals");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 1, NULL, &plan), SOVO_STATUS_ERROR_NULL, "joints");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, NULL, NULL), SOVO_STATUS_ERROR_NULL, "plan");
  ENDS(sovo_robot_scene_plan(scene, nan_at, 2, GOAL, 1, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_CONFIGURATION, "\"y\"");
  ENDS(sovo_robot_scene_plan(scene, START, 2, beyond, 2, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_CONFIGURATION, "goals: element 1: ");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, &unknown, 1, NULL, &plan), SOVO_STATUS_ERROR_CONFIGURATION, "no joint \"z\"; expected one of x, y");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, twice, 2, NULL, &plan), SOVO_STATUS_ERROR_CONFIGURATION, "twice");
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, &null, 1, NULL, &plan), SOVO_STATUS_ERROR_NULL, "element 0: joints");
  ENDS(sovo_robot_scene_plan(scene, START, 2, elsewhere, 1, &x, 1, NULL, &plan), SOVO_STATUS_ERROR_CONFIGURATION, "goal 1: joint \"y\"");
  options.spacing = -1;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_OPTION, "spacing");
  options.spacing = 0, options.max_step = INFINITY;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_OPTION, "max_step");
  options.max_step = 0, options.max_time = NAN;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_OPTION, "max_time");
  options.max_time = -1;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_OPTION, "max_time");
  options.max_time = INFINITY, options.no_proof = 2;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_OPTION, "no_proof");
  options.no_proof = 0, options.reserved = 1;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_OPTION, "reserved");
  options.reserved = 0, options.size = 8;
  ENDS(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_SIZE, "options");
  CHECK(plan == untouched, "written");
  ENDS(sovo_plan_describe(NULL, &info), SOVO_STATUS_ERROR_NULL, "plan");
  options.size = sizeof options;
  OK(sovo_robot_scene_plan(scene, START, 2, GOAL, 1, NULL, 0, &options, &plan));
  ENDS(sovo_plan_describe(plan, NULL), SOVO_STATUS_ERROR_NULL, "info");
  sovo_plan_free(plan);
  sovo_plan_free(NULL);
  sovo_robot_scene_free(scene);
}

/* Without the mesh nothing proves an edge. */
static void not_provable(void) {
  static const char text[] =
      "<robot name='r'><link name='base'/><link name='tip'><collision><geometry><mesh filename='tip.stl'/></geometry></collision></link>"
      "<joint name='x' type='prismatic'><parent link='base'/><child link='tip'/><limit lower='-1' upper='1'/></joint></robot>";
  sovo_robot *bare = NULL;
  sovo_robot_scene *scene = NULL;
  sovo_plan_options options = SOVO_PLAN_OPTIONS_INIT;
  sovo_plan *plan = NULL;
  const double start = 0, goal = 1;
  OK(sovo_robot_parse(text, sizeof text - 1, &bare));
  OK(sovo_robot_scene_new(bare, &scene));
  ENDS(sovo_robot_scene_plan(scene, &start, 1, &goal, 1, NULL, 0, NULL, &plan), SOVO_STATUS_ERROR_UNCHECKED, "plan without proof");
  options.no_proof = 1;
  ENDS(sovo_robot_scene_plan(scene, &start, 1, &goal, 1, NULL, 0, &options, &plan), SOVO_STATUS_ERROR_UNCHECKED, "tip");
  OK(sovo_robot_scene_set_allow_unchecked(scene, 1));
  OK(sovo_robot_scene_plan(scene, &start, 1, &goal, 1, NULL, 0, &options, &plan));
  CHECK(info_of(plan).configurations == 2 && info_of(plan).proven == 0, "%lu", (unsigned long)info_of(plan).configurations);
  sovo_plan_free(plan);
  sovo_robot_scene_free(scene);
  sovo_robot_free(bare);
}

int main(void) {
  OK(sovo_robot_parse(TABLE, sizeof TABLE - 1, &robot));
  around_a_post();
  with_a_load();
  no_path();
  cancelled();
  refused();
  not_provable();
  sovo_robot_free(robot);
  return verdict("plan");
}
