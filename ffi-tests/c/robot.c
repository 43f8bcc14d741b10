/* Every function on robots: values that are known, and every error. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <superovoid.h>

#define PI 3.14159265358979323846

static int failures = 0;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);                  \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

/* The call ends with this status and, on an error, a text that holds these words. */
#define ENDS(call, expected, words)                                           \
  do {                                                                        \
    const sovo_status status_ = (call);                                       \
    if (status_ != (expected) || strstr(sovo_last_error(), words) == NULL) {  \
      printf("%s:%d: %s: %s, \"%s\"\n", __FILE__, __LINE__, #call,            \
             sovo_status_name(status_), sovo_last_error());                   \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

#define OK(call)                                                              \
  do {                                                                        \
    const sovo_status status_ = (call);                                       \
    if (status_ != SOVO_STATUS_OK) {                                                 \
      printf("%s:%d: %s: %s, \"%s\"\n", __FILE__, __LINE__, #call,            \
             sovo_status_name(status_), sovo_last_error());                   \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

static int near_to(double a, double b) { return fabs(a - b) < 1e-12; }

static sovo_robot_info info_of(const sovo_robot *robot) {
  sovo_robot_info info;
  memset(&info, 0, sizeof info);
  OK(sovo_robot_describe(robot, &info));
  return info;
}

static sovo_link link_of(const sovo_robot *robot, uint32_t index) {
  sovo_link link;
  memset(&link, 0, sizeof link);
  OK(sovo_robot_link(robot, index, &link));
  return link;
}

static sovo_robot *parse(const char *text) {
  sovo_robot *robot = NULL;
  OK(sovo_robot_parse(text, strlen(text), &robot));
  return robot;
}

/* All six kinds of joint, and two that mimic, one of them the other. Joints stand along x, 1 m apart;
 * those with an axis have z. */
static const char six_joints[] =
    "<robot name='six'>"
    "<link name='base'/><link name='a'/><link name='b'/><link name='c'/><link name='d'/>"
    "<link name='e'/><link name='f'/><link name='g'/><link name='h'/>"
    "<joint name='fixed' type='fixed'><parent link='base'/><child link='a'/>"
    "<origin xyz='1 0 0'/></joint>"
    "<joint name='revolute' type='revolute'><parent link='a'/><child link='b'/>"
    "<origin xyz='1 0 0'/><axis xyz='0 0 1'/><limit lower='0.5' upper='2' effort='1' velocity='1'/>"
    "</joint>"
    "<joint name='continuous' type='continuous'><parent link='base'/><child link='c'/>"
    "<axis xyz='0 0 2'/></joint>"
    "<joint name='prismatic' type='prismatic'><parent link='base'/><child link='d'/>"
    "<axis xyz='0 0 1'/><limit lower='-1' upper='3' effort='1' velocity='1'/></joint>"
    "<joint name='floating' type='floating'><parent link='base'/><child link='e'/></joint>"
    "<joint name='planar' type='planar'><parent link='base'/><child link='f'/><axis xyz='0 0 1'/>"
    "</joint>"
    "<joint name='first_mimic' type='continuous'><parent link='base'/><child link='g'/>"
    "<axis xyz='0 0 1'/><mimic joint='second_mimic' multiplier='2' offset='0.25'/></joint>"
    "<joint name='second_mimic' type='continuous'><parent link='base'/><child link='h'/>"
    "<axis xyz='0 0 1'/><mimic joint='prismatic' multiplier='-1' offset='0.5'/></joint>"
    "<gazebo/>"
    "</robot>";

static void joints_and_positions(void) {
  sovo_robot *robot = parse(six_joints);
  const char *text = NULL;
  uint32_t count = 0, index = 0, k;
  size_t positions = 0;
  double q[13], neutral[13];
  sovo_pose poses[9];
  sovo_joint joint;
  sovo_link link;
  static const struct {
    const char *name;
    uint32_t kind, first, numbers, mimics;
  } expected[8] = {
      {"fixed", SOVO_JOINT_KIND_FIXED, 0, 0, 0},         {"revolute", SOVO_JOINT_KIND_REVOLUTE, 0, 1, 0},
      {"continuous", SOVO_JOINT_KIND_CONTINUOUS, 1, 1, 0}, {"prismatic", SOVO_JOINT_KIND_PRISMATIC, 2, 1, 0},
      {"floating", SOVO_JOINT_KIND_FLOATING, 3, 7, 0},   {"planar", SOVO_JOINT_KIND_PLANAR, 10, 3, 0},
      {"first_mimic", SOVO_JOINT_KIND_CONTINUOUS, 13, 0, 1},
      {"second_mimic", SOVO_JOINT_KIND_CONTINUOUS, 13, 0, 1}};

  text = info_of(robot).name;
  CHECK(strcmp(text, "six") == 0);
  count = info_of(robot).link_count;
  CHECK(count == 9);
  text = link_of(robot, 8).name;
  CHECK(strcmp(text, "h") == 0);
  OK(sovo_robot_link_index(robot, "c", &index));
  CHECK(index == 3);
  index = link_of(robot, 0).parent_joint;
  CHECK(index == UINT32_MAX);
  index = link_of(robot, 5).parent_joint;
  CHECK(index == 4);
  count = info_of(robot).joint_count;
  CHECK(count == 8);
  for (k = 0; k < 8; ++k) {
    OK(sovo_robot_joint_index(robot, expected[k].name, &index));
    CHECK(index == k);
    OK(sovo_robot_joint(robot, k, &joint));
    CHECK(strcmp(joint.name, expected[k].name) == 0);
    CHECK(joint.kind == expected[k].kind);
    CHECK(joint.position_count == expected[k].numbers);
    CHECK(joint.position_count == 0 || joint.first_position == expected[k].first);
    CHECK(joint.mimics == expected[k].mimics);
    CHECK(joint.child_link == k + 1);
    CHECK(joint.parent_link == (k == 1 ? 1u : 0u));
    CHECK(joint.has_range == (k == 1 || k == 3 ? 1u : 0u));
  }
  OK(sovo_robot_joint(robot, 1, &joint));
  CHECK(joint.lower == 0.5 && joint.upper == 2.0 && joint.source == UINT32_MAX);
  CHECK(joint.multiplier == 1.0 && joint.offset == 0.0);
  /* 2 (-q + 0.5) + 0.25 of the prismatic joint, through the other one. */
  OK(sovo_robot_joint(robot, 6, &joint));
  CHECK(joint.source == 3 && joint.multiplier == -2.0 && joint.offset == 1.25);
  OK(sovo_robot_joint(robot, 7, &joint));
  CHECK(joint.source == 3 && joint.multiplier == -1.0 && joint.offset == 0.5);

  count = info_of(robot).warning_count;
  CHECK(count == 1);
  OK(sovo_robot_warning(robot, 0, &text));
  CHECK(strstr(text, "line 1, column ") == text && strstr(text, "<gazebo>") != NULL);

  positions = info_of(robot).position_count;
  CHECK(positions == 13);
  OK(sovo_robot_neutral(robot, neutral, 13));
  for (k = 0; k < 13; ++k) CHECK(neutral[k] == (k == 0 ? 0.5 : k == 9 ? 1.0 : 0.0));

  memcpy(q, neutral, sizeof q);
  q[0] = PI / 2;
  q[1] = 7.0; /* more than a turn */
  q[2] = 0.5;
  q[3] = 1.0, q[4] = 2.0, q[5] = 3.0; /* floating: a half turn about y */
  q[6] = 0.0, q[7] = 1.0, q[8] = 0.0, q[9] = 0.0;
  q[10] = -1.0, q[11] = 4.0, q[12] = PI;
  OK(sovo_robot_link_poses(robot, q, 13, poses, 9));
  CHECK(poses[0].translation[0] == 0.0 && poses[0].rotation[3] == 1.0);
  CHECK(near_to(poses[1].translation[0], 1.0));
  CHECK(near_to(poses[2].translation[0], 2.0) && near_to(poses[2].rotation[2], sqrt(0.5)));
  CHECK(near_to(poses[3].rotation[2], sin(3.5)) && near_to(poses[3].rotation[3], cos(3.5)));
  CHECK(near_to(poses[4].translation[2], 0.5));
  CHECK(near_to(poses[5].translation[1], 2.0) && near_to(poses[5].rotation[1], 1.0));
  CHECK(near_to(poses[6].translation[0], -1.0) && near_to(poses[6].translation[1], 4.0));
  CHECK(near_to(fabs(poses[6].rotation[2]), 1.0));
  /* -2 q + 1.25 = 0.25 and -q + 0.5 = 0. */
  CHECK(near_to(poses[7].rotation[2], sin(0.125)) && near_to(poses[8].rotation[2], 0.0));

  /* Any length but 0 will do, and is corrected. */
  q[7] = 1.1;
  OK(sovo_robot_link_poses(robot, q, 13, poses, 9));
  CHECK(near_to(poses[5].rotation[1], 1.0));

  /* Positions that the robot cannot take; nothing is written. */
  memset(poses, 0, sizeof poses);
  q[7] = 0.0;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"floating\"");
  q[7] = 1.0, q[0] = 2.1;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"revolute\"");
  q[0] = 1.0, q[2] = -1.5;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"prismatic\"");
  q[2] = 0.0, q[11] = NAN;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"planar\"");
  q[11] = 0.0, q[1] = INFINITY;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"continuous\"");
  q[1] = 0.0, q[3] = NAN;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"floating\"");
  q[3] = 0.0, q[8] = NAN;
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 9), SOVO_STATUS_ERROR_CONFIGURATION, "\"floating\"");
  q[8] = 0.0;
  ENDS(sovo_robot_link_poses(robot, q, 12, poses, 9), SOVO_STATUS_ERROR_SIZE, "13");
  ENDS(sovo_robot_link_poses(robot, q, SIZE_MAX, poses, 9), SOVO_STATUS_ERROR_SIZE, "13");
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, 8), SOVO_STATUS_ERROR_SIZE, "pose_count = 8");
  ENDS(sovo_robot_link_poses(robot, q, 13, poses, SIZE_MAX), SOVO_STATUS_ERROR_SIZE, "pose_count");
  ENDS(sovo_robot_link_poses(robot, NULL, 13, poses, 9), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_link_poses(robot, q, 13, NULL, 9), SOVO_STATUS_ERROR_NULL, "poses");
  ENDS(sovo_robot_link_poses(NULL, q, 13, poses, 9), SOVO_STATUS_ERROR_NULL, "robot");
  for (k = 0; k < 9; ++k) CHECK(poses[k].rotation[3] == 0.0);
  ENDS(sovo_robot_neutral(robot, neutral, 14), SOVO_STATUS_ERROR_SIZE, "count = 14");
  ENDS(sovo_robot_neutral(robot, NULL, 13), SOVO_STATUS_ERROR_NULL, "positions");

  /* Names and indices that it does not have. */
  ENDS(sovo_robot_link(robot, 9, &link), SOVO_STATUS_ERROR_CONFIGURATION, "link 9");
  ENDS(sovo_robot_link_index(robot, "z", &index), SOVO_STATUS_ERROR_CONFIGURATION, "\"z\"");
  ENDS(sovo_robot_link_index(robot, "\xff", &index), SOVO_STATUS_ERROR_TEXT, "name");
  ENDS(sovo_robot_link(robot, UINT32_MAX, &link), SOVO_STATUS_ERROR_CONFIGURATION, "link");
  ENDS(sovo_robot_joint_index(robot, "", &index), SOVO_STATUS_ERROR_CONFIGURATION, "joint \"\"");
  ENDS(sovo_robot_joint_index(robot, NULL, &index), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_joint(robot, 8, &joint), SOVO_STATUS_ERROR_CONFIGURATION, "joint 8");
  ENDS(sovo_robot_warning(robot, 1, &text), SOVO_STATUS_ERROR_CONFIGURATION, "warning 1");
  sovo_robot_free(robot);
}

/* Two balls of radius 0.1, one on a slide along x, and a mesh that is not checked. */
static const char slide[] =
    "<robot name='slide'>"
    "<link name='base'><collision><geometry><mesh filename='m.stl'/></geometry></collision>"
    "<collision><origin xyz='0 0 0.5'/><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='cart'/>"
    "<link name='ball'><collision><origin xyz='0 0 0.5'/><geometry><sphere radius='0.1'/></geometry>"
    "</collision></link>"
    "<joint name='rail' type='prismatic'><parent link='base'/><child link='cart'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
    "<joint name='turn' type='continuous'><parent link='cart'/><child link='ball'/></joint>"
    "</robot>";

static void clearances(void) {
  sovo_robot *robot = parse(slide);
  sovo_clearance_options options = SOVO_CLEARANCE_OPTIONS_INIT, partial = SOVO_CLEARANCE_OPTIONS_INIT;
  sovo_clearance found[2], before;
  sovo_superovoid_body body;
  const char *text = NULL;
  uint32_t count = 0;
  size_t total = 0;
  int32_t hit = -1;
  double q[2] = {0.5, 0.0};

  options.allow_unchecked = partial.allow_unchecked = 1;
  count = info_of(robot).body_count;
  CHECK(count == 2);
  OK(sovo_robot_body(robot, 0, &body));
  CHECK(body.link == 0 && body.collision == 1);
  CHECK(body.shape.semi_axes[0] == 0.1 && body.shape.exponents[0] == 1.0);
  CHECK(body.pose.translation[2] == 0.5 && body.pose.rotation[3] == 1.0);
  count = info_of(robot).unchecked_count;
  CHECK(count == 1);
  OK(sovo_robot_unchecked(robot, 0, &text));
  CHECK(strcmp(text, "link \"base\", collision 1: mesh") == 0);

  memset(found, 0, sizeof found);
  OK(sovo_robot_clearances(robot, q, 2, &partial, found, 2, &total));
  CHECK(total == 1);
  CHECK(near_to(found[0].contact.distance, 0.3) && near_to(found[0].contact.normal[0], 1.0));
  CHECK(found[0].link_a == 0 && found[0].collision_a == 1 && found[0].link_b == 2);
  CHECK(found[0].collision_b == 0 && found[0].status == SOVO_COLLISION_STATUS_FREE);
  CHECK(found[1].status == SOVO_COLLISION_STATUS_NONE);
  OK(sovo_robot_clearances(robot, q, 2, &options, NULL, 0, &total));
  CHECK(total == 1);
  {
    double rows[3] = {7, 7, 7};
    size_t velocities = 0;
    velocities = info_of(robot).velocity_count;
    CHECK(velocities == 2);
    OK(sovo_robot_clearance_gradients(robot, q, 2, &partial, found, rows, 2, 1, &total));
    CHECK(total == 1 && near_to(rows[0], 1.0) && near_to(rows[1], 0.0) && rows[2] == 7);
    OK(sovo_robot_clearance_gradients(robot, q, 2, &partial, NULL, NULL, 2, 0, &total));
    CHECK(total == 1);
    ENDS(sovo_robot_clearance_gradients(robot, q, 2, &partial, found, rows, 3, 1, &total), SOVO_STATUS_ERROR_SIZE, "velocity_count");
    ENDS(sovo_robot_clearance_gradients(robot, q, 2, &partial, found, NULL, 2, 1, &total), SOVO_STATUS_ERROR_NULL, "gradients");
    ENDS(sovo_robot_clearance_gradients(robot, q, 2, &partial, found, rows, 2, SIZE_MAX / 2, &total), SOVO_STATUS_ERROR_SIZE,
         "clearances");
    CHECK(rows[2] == 7);
    {
      double value = 7;
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, 0.01, &value, rows, 2), SOVO_STATUS_ERROR_UNCHECKED, "base");
      CHECK(value == 7);
      OK(sovo_robot_smooth_minimum(robot, q, 2, &partial, 0.01, &value, rows, 2));
      CHECK(near_to(value, 0.3) && near_to(rows[0], 1.0) && near_to(rows[1], 0.0) && rows[2] == 7);
      partial.max_distance = 0.2;
      OK(sovo_robot_smooth_minimum(robot, q, 2, &partial, 0.01, &value, rows, 2));
      CHECK(value == INFINITY && rows[0] == 0 && rows[1] == 0);
      partial.max_distance = INFINITY;
      value = 7, rows[0] = 7;
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, 0, &value, rows, 2), SOVO_STATUS_ERROR_OPTION, "temperature");
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, -1, &value, rows, 2), SOVO_STATUS_ERROR_OPTION, "temperature");
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, NAN, &value, rows, 2), SOVO_STATUS_ERROR_OPTION, "temperature");
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, INFINITY, &value, rows, 2), SOVO_STATUS_ERROR_OPTION, "temperature");
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, 1, NULL, rows, 2), SOVO_STATUS_ERROR_NULL, "value");
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, 1, &value, NULL, 2), SOVO_STATUS_ERROR_NULL, "gradient");
      ENDS(sovo_robot_smooth_minimum(robot, q, 2, NULL, 1, &value, rows, 1), SOVO_STATUS_ERROR_SIZE, "velocity_count");
      ENDS(sovo_robot_smooth_minimum(robot, NULL, 2, NULL, 1, &value, rows, 2), SOVO_STATUS_ERROR_NULL, "positions");
      ENDS(sovo_robot_smooth_minimum(NULL, q, 2, NULL, 1, &value, rows, 2), SOVO_STATUS_ERROR_NULL, "robot");
      CHECK(value == 7 && rows[0] == 7);
    }
  }
  OK(sovo_robot_in_collision(robot, q, 2, &partial, &hit));
  CHECK(hit == 0);
  options.max_distance = 0.2;
  OK(sovo_robot_clearances(robot, q, 2, &options, found, 2, &total));
  CHECK(total == 0);
  OK(sovo_robot_closest(robot, q, 2, &options, found));
  CHECK(found[0].status == SOVO_COLLISION_STATUS_NONE && found[0].contact.outcome == SOVO_OUTCOME_NONE);
  /* It moves the ball but the pair stays that of links two joints apart. */
  options.max_distance = 0.4;
  q[1] = 100.0;
  OK(sovo_robot_closest(robot, q, 2, &options, found));
  CHECK(found[0].status == SOVO_COLLISION_STATUS_FREE && found[0].contact.distance > 0.3);
  q[0] = 0.15, q[1] = 0.0;
  OK(sovo_robot_closest(robot, q, 2, &partial, found));
  CHECK(near_to(found[0].contact.distance, -0.05));
  CHECK(found[0].status == SOVO_COLLISION_STATUS_COLLISION);
  OK(sovo_robot_in_collision(robot, q, 2, &options, &hit));
  CHECK(hit == 1);
  /* A collision is one whatever else was not checked. */
  OK(sovo_robot_in_collision(robot, q, 2, NULL, &hit));
  CHECK(hit == 1);

  /* Errors write nothing. */
  before = found[0], total = 77, hit = 77;
  q[0] = 0.5;
  ENDS(sovo_robot_in_collision(robot, q, 2, NULL, &hit), SOVO_STATUS_ERROR_UNCHECKED, text); /* in the same words */
  ENDS(sovo_robot_clearances(robot, q, 2, NULL, found, 2, &total), SOVO_STATUS_ERROR_UNCHECKED, "mesh");
  ENDS(sovo_robot_closest(robot, q, 2, NULL, found), SOVO_STATUS_ERROR_UNCHECKED, "\"base\"");
  q[0] = 0.15;
  options.max_distance = -1.0;
  ENDS(sovo_robot_clearances(robot, q, 2, &options, found, 2, &total), SOVO_STATUS_ERROR_OPTION, "max_distance");
  options.max_distance = NAN;
  ENDS(sovo_robot_closest(robot, q, 2, &options, found), SOVO_STATUS_ERROR_OPTION, "max_distance");
  options.max_distance = INFINITY, options.tolerance = NAN;
  ENDS(sovo_robot_in_collision(robot, q, 2, &options, &hit), SOVO_STATUS_ERROR_OPTION, "tolerance");
  options.tolerance = 0.0, options.depth = 9;
  ENDS(sovo_robot_in_collision(robot, q, 2, &options, &hit), SOVO_STATUS_ERROR_OPTION, "depth");
  options.depth = 0, options.include_adjacent = 2;
  ENDS(sovo_robot_in_collision(robot, q, 2, &options, &hit), SOVO_STATUS_ERROR_OPTION, "include_adjacent");
  options.include_adjacent = 0, options.allow_unchecked = 2;
  ENDS(sovo_robot_in_collision(robot, q, 2, &options, &hit), SOVO_STATUS_ERROR_OPTION, "allow_unchecked");
  options.allow_unchecked = 1, options.size = 1;
  ENDS(sovo_robot_in_collision(robot, q, 2, &options, &hit), SOVO_STATUS_ERROR_SIZE, "size");
  q[0] = 1.01;
  ENDS(sovo_robot_in_collision(robot, q, 2, NULL, &hit), SOVO_STATUS_ERROR_CONFIGURATION, "\"rail\"");
  ENDS(sovo_robot_closest(robot, q, 2, NULL, found), SOVO_STATUS_ERROR_CONFIGURATION, "\"rail\"");
  ENDS(sovo_robot_clearances(robot, q, 2, NULL, found, 2, &total), SOVO_STATUS_ERROR_CONFIGURATION, "rail");
  q[0] = NAN;
  ENDS(sovo_robot_in_collision(robot, q, 2, NULL, &hit), SOVO_STATUS_ERROR_CONFIGURATION, "\"rail\"");
  q[0] = 0.0;
  ENDS(sovo_robot_in_collision(robot, q, 3, NULL, &hit), SOVO_STATUS_ERROR_SIZE, "count = 3");
  ENDS(sovo_robot_in_collision(robot, NULL, 2, NULL, &hit), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_in_collision(robot, q, 2, NULL, NULL), SOVO_STATUS_ERROR_NULL, "in_collision");
  ENDS(sovo_robot_in_collision(NULL, q, 2, NULL, &hit), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_closest(robot, q, 2, NULL, NULL), SOVO_STATUS_ERROR_NULL, "clearance");
  ENDS(sovo_robot_clearances(robot, q, 2, NULL, NULL, 1, &total), SOVO_STATUS_ERROR_NULL, "clearances");
  ENDS(sovo_robot_clearances(robot, q, 2, NULL, found, 2, NULL), SOVO_STATUS_ERROR_NULL, "total");
  ENDS(sovo_robot_clearances(robot, q, 2, NULL, found, SIZE_MAX, &total), SOVO_STATUS_ERROR_SIZE,
       "clearances");
  ENDS(sovo_robot_body(robot, 2, &body), SOVO_STATUS_ERROR_CONFIGURATION, "body 2");
  ENDS(sovo_robot_unchecked(robot, 1, &text), SOVO_STATUS_ERROR_CONFIGURATION, "unchecked shape 1");
  CHECK(total == 77 && hit == 77 && memcmp(&before, found, sizeof before) == 0);
  sovo_robot_free(robot);
}

static void hands(const char *path) {
  sovo_robot *robot = NULL, *again = NULL;
  sovo_clearance_options options = SOVO_CLEARANCE_OPTIONS_INIT;
  sovo_clearance closest, *all = NULL;
  sovo_joint joint;
  uint32_t count = 0, index = 0;
  size_t positions = 0, total = 0, length = 0, k;
  const char *text = NULL;
  double *q = NULL;
  char *urdf = NULL;
  int32_t hit = -1;

  OK(sovo_robot_load(path, &robot));
  if (robot == NULL) return;
  text = info_of(robot).name;
  CHECK(strcmp(text, "icub_hands") == 0);
  count = info_of(robot).link_count;
  CHECK(count == 57);
  count = info_of(robot).body_count;
  CHECK(count == 42);
  count = info_of(robot).warning_count;
  CHECK(count == 0);
  count = info_of(robot).unchecked_count;
  CHECK(count == 0);
  positions = info_of(robot).position_count;
  CHECK(positions == 42);
  q = calloc(positions, sizeof *q);
  all = calloc(1000, sizeof *all);
  if (q == NULL || all == NULL) exit(2);
  OK(sovo_robot_neutral(robot, q, positions));

  /* docs/reports/icub_hands.md: at neutral the thumbs overlap their palms and nothing else does. */
  OK(sovo_robot_in_collision(robot, q, positions, NULL, &hit));
  CHECK(hit == 1);
  OK(sovo_robot_clearances(robot, q, positions, NULL, all, 1000, &total));
  CHECK(total == 821);
  CHECK(all[0].status == SOVO_COLLISION_STATUS_COLLISION && all[1].status == SOVO_COLLISION_STATUS_COLLISION);
  CHECK(fabs(all[0].contact.distance + 0.0038) < 1e-4);
  CHECK(fabs(all[1].contact.distance + 0.0036) < 1e-4);
  for (k = 2; k < total; ++k) {
    CHECK(all[k].status == SOVO_COLLISION_STATUS_FREE && all[k].link_a < all[k].link_b);
    CHECK(all[k].contact.distance >= all[k - 1].contact.distance);
  }

  /* With the thumbs out it is free; at an approach of 3.53 mm the thumb tips touch. */
  OK(sovo_robot_joint_index(robot, "l_hand_thumb_0_joint", &index));
  OK(sovo_robot_joint(robot, index, &joint));
  CHECK(joint.kind == SOVO_JOINT_KIND_REVOLUTE && joint.has_range == 1 && joint.lower == 0.0);
  CHECK(joint.upper == 1.570796327);
  q[joint.first_position] = 0.25;
  OK(sovo_robot_joint_index(robot, "r_hand_thumb_0_joint", &index));
  OK(sovo_robot_joint(robot, index, &joint));
  q[joint.first_position] = 0.25;
  OK(sovo_robot_in_collision(robot, q, positions, NULL, &hit));
  CHECK(hit == 0);
  OK(sovo_robot_clearances(robot, q, positions, NULL, all, 1, &total));
  CHECK(total == 821);
  OK(sovo_robot_closest(robot, q, positions, NULL, &closest));
  CHECK(closest.status == SOVO_COLLISION_STATUS_FREE && closest.contact.lower > 0.0);
  CHECK(closest.link_a == all[0].link_a && closest.link_b == all[0].link_b);
  CHECK(fabs(closest.contact.distance - all[0].contact.distance) < 1e-10);
  OK(sovo_robot_joint_index(robot, "right_hand_approach", &index));
  OK(sovo_robot_joint(robot, index, &joint));
  CHECK(joint.kind == SOVO_JOINT_KIND_PRISMATIC);
  q[joint.first_position] = 0.00353 + 0.001;
  OK(sovo_robot_closest(robot, q, positions, NULL, &closest));
  CHECK(closest.status == SOVO_COLLISION_STATUS_COLLISION);
  text = link_of(robot, closest.link_a).name;
  CHECK(strcmp(text, "l_hand_thumb_3") == 0);
  text = link_of(robot, closest.link_b).name;
  CHECK(strcmp(text, "r_hand_thumb_3") == 0);
  /* Neighbours overlap where the joint is. */
  options.include_adjacent = 1;
  OK(sovo_robot_clearances(robot, q, positions, &options, NULL, 0, &total));
  CHECK(total > 821);

  /* Written, read and written again it is the same document. */
  OK(sovo_robot_urdf(robot, NULL, 0, &length));
  urdf = malloc(2 * (length + 1));
  if (urdf == NULL) exit(2);
  memset(urdf, 'x', 2 * (length + 1));
  ENDS(sovo_robot_urdf(robot, urdf, length, &total), SOVO_STATUS_ERROR_SIZE, "capacity");
  CHECK(urdf[0] == 'x');
  OK(sovo_robot_urdf(robot, urdf, length + 1, &total));
  CHECK(total == length && strlen(urdf) == length);
  OK(sovo_robot_parse(urdf, length, &again));
  OK(sovo_robot_urdf(again, urdf + length + 1, length + 1, &total));
  CHECK(total == length && strcmp(urdf, urdf + length + 1) == 0);
  ENDS(sovo_robot_urdf(robot, NULL, 1, &total), SOVO_STATUS_ERROR_NULL, "buffer");
  ENDS(sovo_robot_urdf(robot, urdf, length + 1, NULL), SOVO_STATUS_ERROR_NULL, "length");
  ENDS(sovo_robot_urdf(NULL, urdf, length + 1, &total), SOVO_STATUS_ERROR_NULL, "robot");
  sovo_robot_free(again);
  sovo_robot_free(robot);
  free(urdf);
  free(all);
  free(q);
}

static void refused(void) {
  /* Never written to. */
  char place;
  sovo_robot *const nothing = (sovo_robot *)(void *)&place;
  sovo_robot *robot = nothing;
  const char *text = NULL;
  uint32_t count = 0;
  double q = 0.0;
  sovo_joint joint;
  sovo_link link;
  sovo_robot_info info;
  sovo_superovoid_body body;
  static const char bad_number[] =
      "<robot name='r'>\n  <link name='a'>\n    <collision>"
      "<geometry><sphere radius='-1'/></geometry></collision></link></robot>";
  static const char not_utf8[] = "<robot name='\xc3('/>";

  ENDS(sovo_robot_load(NULL, &robot), SOVO_STATUS_ERROR_NULL, "path");
  ENDS(sovo_robot_load("urdf/icub_hands.urdf", NULL), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_load("no/such/file.urdf", &robot), SOVO_STATUS_ERROR_FILE, "no/such/file.urdf");
  ENDS(sovo_robot_load("urdf", &robot), SOVO_STATUS_ERROR_FILE, "urdf");
  ENDS(sovo_robot_load("", &robot), SOVO_STATUS_ERROR_FILE, "");
  ENDS(sovo_robot_load("\xff.urdf", &robot), SOVO_STATUS_ERROR_TEXT, "path is not UTF-8: byte 0");
  ENDS(sovo_robot_load("Cargo.toml", &robot), SOVO_STATUS_ERROR_URDF, "line 1, column 1");

  ENDS(sovo_robot_parse(NULL, 0, &robot), SOVO_STATUS_ERROR_NULL, "text");
  ENDS(sovo_robot_parse(slide, strlen(slide), NULL), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_parse(slide, SIZE_MAX, &robot), SOVO_STATUS_ERROR_SIZE, "length");
  ENDS(sovo_robot_parse("", 0, &robot), SOVO_STATUS_ERROR_URDF, "line 1, column 1");
  /* The length counts, not a zero. */
  ENDS(sovo_robot_parse(slide, strlen(slide) - 1, &robot), SOVO_STATUS_ERROR_URDF, "line 1");
  ENDS(sovo_robot_parse(slide, sizeof slide, &robot), SOVO_STATUS_ERROR_URDF, "line 1");
  ENDS(sovo_robot_parse("<robot>", 7, &robot), SOVO_STATUS_ERROR_URDF, "XML");
  ENDS(sovo_robot_parse(bad_number, strlen(bad_number), &robot), SOVO_STATUS_ERROR_URDF,
       "line 3, column 34: link \"a\"");
  ENDS(sovo_robot_parse("<world/>", 8, &robot), SOVO_STATUS_ERROR_URDF, "<world>");
  ENDS(sovo_robot_parse(not_utf8, strlen(not_utf8), &robot), SOVO_STATUS_ERROR_TEXT, "byte 13");
  CHECK(robot == nothing);
  sovo_robot_free(NULL);

  ENDS(sovo_robot_describe(NULL, &info), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_link(NULL, 0, &link), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_link_index(NULL, "a", &count), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_joint_index(NULL, "a", &count), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_joint(NULL, 0, &joint), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_body(NULL, 0, &body), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_warning(NULL, 0, &text), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_unchecked(NULL, 0, &text), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_neutral(NULL, &q, 1), SOVO_STATUS_ERROR_NULL, "robot");

  robot = parse(slide);
  ENDS(sovo_robot_describe(robot, NULL), SOVO_STATUS_ERROR_NULL, "info");
  ENDS(sovo_robot_link(robot, 0, NULL), SOVO_STATUS_ERROR_NULL, "link");
  ENDS(sovo_robot_link_index(robot, "a", NULL), SOVO_STATUS_ERROR_NULL, "link");
  ENDS(sovo_robot_link_index(robot, NULL, &count), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_joint_index(robot, "a", NULL), SOVO_STATUS_ERROR_NULL, "joint");
  ENDS(sovo_robot_joint(robot, 0, NULL), SOVO_STATUS_ERROR_NULL, "joint");
  ENDS(sovo_robot_body(robot, 0, NULL), SOVO_STATUS_ERROR_NULL, "body");
  ENDS(sovo_robot_warning(robot, 0, NULL), SOVO_STATUS_ERROR_NULL, "warning");
  ENDS(sovo_robot_unchecked(robot, 0, NULL), SOVO_STATUS_ERROR_NULL, "shape");
  sovo_robot_free(robot);
}

/* The hand, a ball of radius 0.2 at 1 m from the axis, swings past a ball of radius 0.3 at (0, 1, z). */
static const char arm[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='hand'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.2'/></geometry></collision></link>"
    "<joint name='turn' type='continuous'><parent link='base'/><child link='hand'/><axis xyz='0 0 1'/></joint></robot>";

/* Turns of the arm past the ball, some of which touch it, in batches and one by one. */
static void configurations(void) {
  enum { count = 37 };
  sovo_robot *robot = parse(arm);
  sovo_robot_scene *scene = NULL;
  sovo_robot_contact contacts[count], contact;
  sovo_pose pose = sovo_pose_identity();
  sovo_superovoid shape;
  sovo_body ball;
  const double axes[3] = {0.3, 0.3, 0.3}, e[2] = {1, 1};
  double turns[count];
  int32_t hits[count], again[count], hit = 7, sum = 0;
  double clearances[count];
  uint64_t obstacle = 7;

  OK(sovo_superovoid_make(axes, e, NULL, &shape));
  ball = sovo_body_superovoid(&shape);
  OK(sovo_robot_scene_new(robot, &scene));
  pose.translation[1] = 1;
  pose.translation[2] = 0.3;
  OK(sovo_robot_scene_add_obstacle(scene, "ball", &ball, &pose, &obstacle));
  for (size_t k = 0; k < count; ++k) turns[k] = 0.1 * (double)k;
  OK(sovo_robot_scene_in_collision_batch(scene, turns, 1, count, NULL, 1, hits));
  OK(sovo_robot_scene_in_collision_batch(scene, turns, 1, count, NULL, 3, again));
  CHECK(memcmp(hits, again, sizeof hits) == 0);
  OK(sovo_robot_scene_closest_batch(scene, turns, 1, count, NULL, 0, contacts));
  OK(sovo_robot_scene_clearance_batch(scene, turns, 1, count, NULL, 2, clearances));
  for (size_t k = 0; k < count; ++k) {
    OK(sovo_robot_scene_in_collision(scene, &turns[k], 1, NULL, &hit));
    OK(sovo_robot_scene_closest(scene, &turns[k], 1, NULL, &contact));
    CHECK(hits[k] == hit && near_to(contacts[k].contact.distance, contact.contact.distance));
    CHECK(contacts[k].obstacle == obstacle && contacts[k].link_a == 1);
    CHECK(hit ? clearances[k] == 0 : near_to(clearances[k], contact.contact.distance));
    sum += hit;
  }
  CHECK(sum > 0 && sum < count);
  OK(sovo_robot_scene_in_collision_batch(scene, NULL, 1, 0, NULL, 0, NULL));
  OK(sovo_robot_scene_closest_batch(scene, NULL, 1, 0, NULL, 0, NULL));
  OK(sovo_robot_scene_clearance_batch(scene, NULL, 1, 0, NULL, 0, NULL));

  hits[0] = 7;
  ENDS(sovo_robot_scene_in_collision_batch(NULL, turns, 1, count, NULL, 0, hits), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_in_collision_batch(scene, NULL, 1, count, NULL, 0, hits), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_in_collision_batch(scene, turns, 2, 3, NULL, 0, hits), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_in_collision_batch(scene, turns, 1, count, NULL, 0, NULL), SOVO_STATUS_ERROR_NULL, "in_collision");
  ENDS(sovo_robot_scene_in_collision_batch(scene, turns, 1, SIZE_MAX, NULL, 0, hits), SOVO_STATUS_ERROR_MEMORY, "memory");
  ENDS(sovo_robot_scene_closest_batch(scene, turns, 1, count, NULL, 0, NULL), SOVO_STATUS_ERROR_NULL, "contacts");
  ENDS(sovo_robot_scene_closest_batch(scene, NULL, 1, count, NULL, 0, contacts), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_clearance_batch(scene, turns, 1, count, NULL, 0, NULL), SOVO_STATUS_ERROR_NULL, "clearances");
  turns[5] = NAN;
  ENDS(sovo_robot_scene_in_collision_batch(scene, turns, 1, count, NULL, 0, hits), SOVO_STATUS_ERROR_CONFIGURATION, "5");
  CHECK(hits[0] == 7);
  clearances[0] = 7;
  ENDS(sovo_robot_scene_clearance_batch(scene, turns, 1, count, NULL, 0, clearances), SOVO_STATUS_ERROR_CONFIGURATION, "5");
  CHECK(clearances[0] == 7);
  sovo_robot_scene_free(scene);
  sovo_robot_free(robot);
}

static void edges(void) {
  sovo_robot *robot = parse(arm);
  sovo_robot_scene *scene = NULL, *copy = NULL;
  sovo_edge_options options = SOVO_EDGE_OPTIONS_INIT;
  sovo_edge edge, before;
  sovo_robot_contact contact;
  sovo_pose pose = sovo_pose_identity(), bad = sovo_pose_identity();
  sovo_superovoid shape;
  sovo_body ball;
  sovo_tri_mesh *mesh = NULL;
  sovo_box_set *set = NULL;
  const double axes[3] = {0.3, 0.3, 0.3}, e[2] = {1, 1}, from[1] = {0}, to[1] = {PI}, nan[1] = {NAN};
  const double up[3] = {0, 0, 1};
  const sovo_body wrong = sovo_body_cuboid(-1, 0, 0), no_mesh = sovo_body_tri_mesh(NULL), plane = sovo_body_plane(up, 0);
  const double corners[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
  const uint32_t triangle[3] = {0, 1, 2};
  const sovo_aabb cell = {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}};
  double reach = 0;
  uint64_t obstacle = 7, other = 7;
  int32_t hit = 7;

  OK(sovo_superovoid_make(axes, e, NULL, &shape));
  ball = sovo_body_superovoid(&shape);
  OK(sovo_robot_reaches(robot, &reach, 1));
  CHECK(reach >= 1.2 && reach < 1.2 + 1e-9);
  ENDS(sovo_robot_reaches(robot, &reach, 2), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_reaches(NULL, &reach, 1), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_reaches(robot, NULL, 1), SOVO_STATUS_ERROR_NULL, "reaches");
  OK(sovo_robot_edge_free(robot, from, to, 1, NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE && edge.safe == 1 && edge.touching == -1 && edge.proven == 1);
  CHECK(edge.contact.status == SOVO_COLLISION_STATUS_NONE && edge.unchecked == 0);

  OK(sovo_robot_scene_new(robot, &scene));
  pose.translation[1] = 1;
  pose.translation[2] = 0.6;
  OK(sovo_robot_scene_add_obstacle(scene, "ball", &ball, &pose, &obstacle));
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, &options, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE && edge.states > 0);
  options.min_separation = 0.2;
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, &options, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_HIT && edge.safe < edge.touching && edge.touching < 0.5);
  CHECK(edge.contact.link_a == 1 && edge.contact.link_b == UINT32_MAX && edge.contact.obstacle == obstacle);
  CHECK(edge.contact.part == UINT32_MAX && edge.proven < 1);
  options.any_contact = 1;
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, &options, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_HIT);
  OK(sovo_robot_scene_in_collision(scene, from, 1, NULL, &hit));
  CHECK(hit == 0);
  OK(sovo_robot_scene_closest(scene, from, 1, NULL, &contact));
  CHECK(near_to(contact.contact.distance, sqrt(2 + 0.36) - 0.5) && contact.obstacle == obstacle);
  OK(sovo_robot_scene_copy(scene, &copy));
  OK(sovo_robot_scene_allow(copy, "hand", "ball", 1));
  OK(sovo_robot_scene_edge_free(copy, from, to, 1, &options, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE);
  OK(sovo_robot_scene_closest(copy, from, 1, NULL, &contact));
  CHECK(contact.status == SOVO_COLLISION_STATUS_NONE);
  sovo_robot_scene_free(copy);

  /* Obstacles of every kind. */
  OK(sovo_tri_mesh_new(corners, 3, 24, triangle, 1, 0, &mesh));
  OK(sovo_box_set_new(&cell, 1, &set));
  {
    const sovo_body bodies[5] = {sovo_body_cuboid(0.1, 0.1, 0.1), sovo_body_half_space(up, -0.9), sovo_body_tri_mesh(mesh),
                                 sovo_body_box_set(set), sovo_body_cylinder(0.1, 0.1)};
    for (size_t k = 0; k < 5; ++k) {
      OK(sovo_robot_scene_add_obstacle(scene, "others", &bodies[k], &pose, &other));
      CHECK(other != obstacle);
    }
  }
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE);
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, &options, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_HIT);

  /* The ball comes into the way, and goes. */
  pose.translation[2] = 0;
  OK(sovo_robot_scene_move_obstacle(scene, obstacle, &pose));
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_HIT && edge.contact.obstacle == obstacle);
  OK(sovo_robot_scene_remove_obstacle(scene, obstacle));
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE);
  ENDS(sovo_robot_scene_move_obstacle(scene, obstacle, &pose), SOVO_STATUS_ERROR_CONFIGURATION, "");
  ENDS(sovo_robot_scene_remove_obstacle(scene, obstacle), SOVO_STATUS_ERROR_CONFIGURATION, "");
  ENDS(sovo_robot_scene_remove_obstacle(scene, 0), SOVO_STATUS_ERROR_CONFIGURATION, "obstacle = 0: ");
  ENDS(sovo_robot_scene_remove_obstacle(NULL, other), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_move_obstacle(NULL, other, &pose), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_move_obstacle(scene, other, NULL), SOVO_STATUS_ERROR_NULL, "pose");
  bad.rotation[3] = 0;
  ENDS(sovo_robot_scene_move_obstacle(scene, other, &bad), SOVO_STATUS_ERROR_POSE, "");
  ENDS(sovo_robot_scene_set_allow_unchecked(NULL, 1), SOVO_STATUS_ERROR_NULL, "scene");
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, &options, &edge));

  /* Every error, after which nothing has changed. */
  before = edge;
  ENDS(sovo_robot_edge_free(NULL, from, to, 1, NULL, &edge), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_edge_free(robot, NULL, to, 1, NULL, &edge), SOVO_STATUS_ERROR_NULL, "from");
  ENDS(sovo_robot_edge_free(robot, from, NULL, 1, NULL, &edge), SOVO_STATUS_ERROR_NULL, "to");
  ENDS(sovo_robot_edge_free(robot, from, to, 1, NULL, NULL), SOVO_STATUS_ERROR_NULL, "edge");
  ENDS(sovo_robot_edge_free(robot, from, to, 2, NULL, &edge), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_edge_free(robot, from, nan, 1, NULL, &edge), SOVO_STATUS_ERROR_CONFIGURATION, "turn");
  ENDS(sovo_robot_scene_edge_free(NULL, from, to, 1, NULL, &edge), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_edge_free(scene, nan, to, 1, NULL, &edge), SOVO_STATUS_ERROR_CONFIGURATION, "turn");
  ENDS(sovo_robot_scene_edge_free(scene, from, to, 0, NULL, &edge), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_edge_free(scene, from, to, 1, NULL, NULL), SOVO_STATUS_ERROR_NULL, "edge");
  options.min_separation = -1;
  ENDS(sovo_robot_edge_free(robot, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_OPTION, "min_separation");
  ENDS(sovo_robot_scene_edge_free(scene, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_OPTION, "min_separation");
  options.min_separation = 0;
  options.resolution = 1e-300;
  ENDS(sovo_robot_edge_free(robot, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_OPTION, "resolution");
  options.resolution = NAN;
  ENDS(sovo_robot_edge_free(robot, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_OPTION, "resolution");
  options.resolution = 0;
  options.any_contact = 2;
  ENDS(sovo_robot_edge_free(robot, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_OPTION, "any_contact");
  options.any_contact = 0;
  options.reserved = 1;
  ENDS(sovo_robot_edge_free(robot, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_OPTION, "reserved");
  options.reserved = 0;
  options.size = 3;
  ENDS(sovo_robot_edge_free(robot, from, to, 1, &options, &edge), SOVO_STATUS_ERROR_SIZE, "options");
  CHECK(memcmp(&edge, &before, sizeof edge) == 0);

  obstacle = 7;
  bad.rotation[3] = 0;
  ENDS(sovo_robot_scene_new(NULL, &copy), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_scene_new(robot, NULL), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_copy(NULL, &copy), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_copy(scene, NULL), SOVO_STATUS_ERROR_NULL, "copy");
  ENDS(sovo_robot_scene_add_obstacle(NULL, "x", &ball, &pose, &obstacle), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_add_obstacle(scene, NULL, &ball, &pose, &obstacle), SOVO_STATUS_ERROR_NULL, "group");
  ENDS(sovo_robot_scene_add_obstacle(scene, "\xff", &ball, &pose, &obstacle), SOVO_STATUS_ERROR_TEXT, "group");
  ENDS(sovo_robot_scene_add_obstacle(scene, "hand", &ball, &pose, &obstacle), SOVO_STATUS_ERROR_CONFIGURATION, "hand");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", NULL, &pose, &obstacle), SOVO_STATUS_ERROR_NULL, "body");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &ball, NULL, &obstacle), SOVO_STATUS_ERROR_NULL, "pose");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &ball, &bad, &obstacle), SOVO_STATUS_ERROR_POSE, "pose");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &ball, &pose, NULL), SOVO_STATUS_ERROR_NULL, "obstacle");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &wrong, &pose, &obstacle), SOVO_STATUS_ERROR_GEOMETRY, "body: half extent");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &no_mesh, &pose, &obstacle), SOVO_STATUS_ERROR_NULL, "body: data.tri_mesh");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &plane, &pose, &obstacle), SOVO_STATUS_ERROR_UNSUPPORTED, "plane");
  CHECK(obstacle == 7);
  ENDS(sovo_robot_scene_allow(scene, "hand", "nobody", 1), SOVO_STATUS_ERROR_CONFIGURATION, "b: \"nobody\"");
  ENDS(sovo_robot_scene_allow(scene, "nobody", "hand", 1), SOVO_STATUS_ERROR_CONFIGURATION, "a: \"nobody\"");
  ENDS(sovo_robot_scene_allow(scene, NULL, "hand", 1), SOVO_STATUS_ERROR_NULL, "a");
  ENDS(sovo_robot_scene_allow(NULL, "hand", "hand", 1), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_in_collision(NULL, from, 1, NULL, &hit), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_in_collision(scene, nan, 1, NULL, &hit), SOVO_STATUS_ERROR_CONFIGURATION, "turn");
  ENDS(sovo_robot_scene_in_collision(scene, from, 1, NULL, NULL), SOVO_STATUS_ERROR_NULL, "in_collision");
  ENDS(sovo_robot_scene_closest(scene, NULL, 1, NULL, &contact), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_closest(scene, from, 1, NULL, NULL), SOVO_STATUS_ERROR_NULL, "contact");
  sovo_robot_scene_free(NULL);
  sovo_robot_free(robot);
  /* The scene keeps what it needs of the robot. */
  OK(sovo_robot_scene_edge_free(scene, from, to, 1, NULL, &edge));
  sovo_robot_scene_free(scene);
}

/* A mesh hand with a scale, and a stone that no file describes. */
static const char meshes[] =
    "<robot name='meshes'><link name='base'><collision><geometry><mesh filename='wall.stl'/></geometry></collision></link>"
    "<link name='hand'><collision><geometry><mesh filename='tip.stl' scale='2 2 2'/></geometry></collision></link>"
    "<joint name='out' type='prismatic'><parent link='base'/><child link='hand'/><axis xyz='0 0 1'/>"
    "<limit lower='0' upper='9'/></joint>"
    "<link name='free'/><joint name='turn' type='continuous'><parent link='hand'/><child link='free'/></joint>"
    "<link name='stone'><collision><geometry><mesh filename='tip.stl'/></geometry></collision></link>"
    "<joint name='on' type='fixed'><origin xyz='0 0 0.5'/><parent link='free'/><child link='stone'/></joint></robot>";

static void robot_meshes(void) {
  sovo_robot *bare = parse(meshes), *robot = NULL, *other = (sovo_robot *)1;
  sovo_robot_scene *scene = NULL;
  sovo_robot_contact contact;
  sovo_tri_mesh *wall = NULL, *tip = NULL;
  const double flat[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0}, small[9] = {-0.1, -0.1, 0.1, 0.1, -0.1, 0.1, 0, 0.1, 0.1};
  const uint32_t triangle[3] = {0, 1, 2};
  const double at[2] = {1, 0};
  const char *names[2] = {"wall.stl", "tip.stl"}, *wrong[2] = {"wall.stl", "tap.stl"}, *null[2] = {"wall.stl", NULL};
  const char *twice[2] = {"wall.stl", "wall.stl"}, *no_text[2] = {"wall.stl", "\xff"};
  const double far_off[9] = {1e308, 0, 0, 0, 1, 0, 0, 0, 1};
  sovo_tri_mesh *endless = NULL;
  const sovo_tri_mesh *made[2], *none[2] = {NULL, NULL}, *huge[2];
  uint32_t count = 7;
  int32_t hit = 7;

  OK(sovo_tri_mesh_new(flat, 3, 24, triangle, 1, 0, &wall));
  OK(sovo_tri_mesh_new(small, 3, 24, triangle, 1, 0, &tip));
  OK(sovo_tri_mesh_new(far_off, 3, 24, triangle, 1, 0, &endless));
  made[0] = wall;
  made[1] = tip;
  none[0] = huge[0] = tip;
  huge[1] = endless;
  OK(sovo_robot_scene_new(bare, &scene));
  ENDS(sovo_robot_scene_in_collision(scene, at, 2, NULL, &hit), SOVO_STATUS_ERROR_UNCHECKED, "hand");
  OK(sovo_robot_scene_set_allow_unchecked(scene, 1));
  OK(sovo_robot_scene_in_collision(scene, at, 2, NULL, &hit));
  CHECK(hit == 0);
  OK(sovo_robot_scene_set_allow_unchecked(scene, 0));
  ENDS(sovo_robot_scene_in_collision(scene, at, 2, NULL, &hit), SOVO_STATUS_ERROR_UNCHECKED, "hand");
  sovo_robot_scene_free(scene);

  OK(sovo_robot_with_meshes(bare, names, made, 2, &robot));
  count = info_of(robot).unchecked_count;
  CHECK(count == 0);
  count = info_of(bare).unchecked_count;
  CHECK(count == 3);
  sovo_tri_mesh_free(wall);
  OK(sovo_robot_scene_new(robot, &scene));
  OK(sovo_robot_scene_closest(scene, at, 2, NULL, &contact));
  /* The hand's triangle is at 1 + 2 * 0.1 above the wall and adjacent to it, the stone's at 1 + 0.5 + 0.1. */
  CHECK(near_to(contact.contact.distance, 0.4));
  OK(sovo_robot_scene_allow(scene, "hand", "stone", 1));
  OK(sovo_robot_scene_closest(scene, at, 2, NULL, &contact));
  CHECK(near_to(contact.contact.distance, 1.6));
  sovo_robot_scene_free(scene);

  ENDS(sovo_robot_with_meshes(NULL, names, made, 2, &other), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_with_meshes(bare, NULL, made, 2, &other), SOVO_STATUS_ERROR_NULL, "filenames");
  ENDS(sovo_robot_with_meshes(bare, names, NULL, 2, &other), SOVO_STATUS_ERROR_NULL, "meshes");
  ENDS(sovo_robot_with_meshes(bare, null, made, 2, &other), SOVO_STATUS_ERROR_NULL, "element 1: filenames");
  ENDS(sovo_robot_with_meshes(bare, names, none, 2, &other), SOVO_STATUS_ERROR_NULL, "element 1: meshes");
  ENDS(sovo_robot_with_meshes(bare, twice, made, 2, &other), SOVO_STATUS_ERROR_CONFIGURATION, "element 1: the file name");
  ENDS(sovo_robot_with_meshes(bare, no_text, made, 2, &other), SOVO_STATUS_ERROR_TEXT, "element 1: filenames");
  ENDS(sovo_robot_with_meshes(bare, names, huge, 2, &other), SOVO_STATUS_ERROR_GEOMETRY, "element 1: vertex");
  made[0] = tip;
  ENDS(sovo_robot_with_meshes(bare, names, made, 2, NULL), SOVO_STATUS_ERROR_NULL, "with_meshes");
  ENDS(sovo_robot_with_meshes(bare, wrong, made, 2, &other), SOVO_STATUS_ERROR_CONFIGURATION, "element 1: no collision shape has the file name \"tap.stl\"");
  CHECK(other == (sovo_robot *)1);
  OK(sovo_robot_with_meshes(bare, NULL, NULL, 0, &other));
  count = info_of(other).unchecked_count;
  CHECK(count == 3);
  sovo_tri_mesh_free(tip);
  sovo_tri_mesh_free(endless);
  sovo_robot_free(other);
  sovo_robot_free(robot);
  sovo_robot_free(bare);
}

/* A hand whose mesh is of the package "arm" in a folder, where the file "bad.stl" is no mesh and nothing is "no.stl". */
static void mesh_files(const char *folder) {
  static const char urdf[] =
      "<robot name='files'><link name='base'/>"
      "<link name='hand'><collision><geometry><sphere radius='0.1'/></geometry></collision>"
      "<collision><origin xyz='1 0 0'/><geometry><mesh filename='package://arm/meshes/%s' scale='2 2 2'/></geometry>"
      "</collision></link>"
      "<joint name='turn' type='continuous'><parent link='base'/><child link='hand'/><axis xyz='0 0 1'/></joint></robot>";
  sovo_robot *named[3], *robot = NULL, *other = (sovo_robot *)1;
  sovo_robot_scene *scene = NULL;
  sovo_robot_contact contact;
  sovo_pose pose = sovo_pose_identity();
  const sovo_body ball = sovo_body_ball(0.5);
  const char *const files[3] = {"tip.stl", "no.stl", "bad.stl"}, *none[1] = {NULL}, *nowhere[1] = {"no/such/folder"};
  char text[1024], path[1024];
  uint64_t obstacle = 0;
  const double turn[1] = {0};
  uint32_t count;

  for (size_t k = 0; k < 3; ++k) {
    snprintf(text, sizeof text, urdf, files[k]);
    named[k] = parse(text);
  }
  snprintf(path, sizeof path, "%s/elsewhere/arm.urdf", folder);
  OK(sovo_robot_with_mesh_files(named[0], path, &folder, 1, &robot));
  count = info_of(robot).unchecked_count;
  CHECK(count == 0);
  OK(sovo_robot_scene_new(robot, &scene));
  pose.translation[0] = 9;
  OK(sovo_robot_scene_add_obstacle(scene, "ball", &ball, &pose, &obstacle));
  OK(sovo_robot_scene_closest(scene, turn, 1, NULL, &contact));
  /* The tip is at 1 + 2 * 0.5. */
  CHECK(near_to(contact.contact.distance, 6.5) && contact.collision_a == 1);
  sovo_robot_scene_free(scene);
  sovo_robot_free(robot);
  snprintf(path, sizeof path, "%s/arm/urdf/arm.urdf", folder);
  OK(sovo_robot_with_mesh_files(named[0], path, NULL, 0, &robot));
  {
    /* A cache is written, read, and not written where something else is. */
    char cache[1024];
    int32_t was_read = 2;
    snprintf(cache, sizeof cache, "%s/arm.cache", folder);
    OK(sovo_robot_use_cache(robot, cache, &was_read));
    CHECK(was_read == 0);
    OK(sovo_robot_use_cache(robot, cache, &was_read));
    CHECK(was_read == 1);
    OK(sovo_robot_use_cache(robot, cache, NULL));
    remove(cache);
    snprintf(text, sizeof text, "%s/arm/meshes/tip.stl", folder);
    ENDS(sovo_robot_use_cache(robot, text, &was_read), SOVO_STATUS_ERROR_FILE, "is no cache of a robot's meshes; expected one, or no file");
    ENDS(sovo_robot_use_cache(robot, "no/such/cache", &was_read), SOVO_STATUS_ERROR_FILE, "no/such/cache");
    ENDS(sovo_robot_use_cache(NULL, path, &was_read), SOVO_STATUS_ERROR_NULL, "robot");
    ENDS(sovo_robot_use_cache(robot, NULL, &was_read), SOVO_STATUS_ERROR_NULL, "path");
    ENDS(sovo_robot_use_cache(robot, "\xff", &was_read), SOVO_STATUS_ERROR_TEXT, "path");
    CHECK(was_read == 1);
  }
  sovo_robot_free(robot);

  ENDS(sovo_robot_with_mesh_files(named[1], path, &folder, 1, &other), SOVO_STATUS_ERROR_FILE,
       "link \"hand\", collision 2: the mesh \"package://arm/meshes/no.stl\": ");
  snprintf(text, sizeof text, "%s/elsewhere/arm.urdf", folder);
  ENDS(sovo_robot_with_mesh_files(named[0], text, NULL, 0, &other), SOVO_STATUS_ERROR_FILE, "as a package path (package_paths)");
  ENDS(sovo_robot_with_mesh_files(named[2], path, &folder, 1, &other), SOVO_STATUS_ERROR_FILE, "bad.stl");
  ENDS(sovo_robot_with_mesh_files(named[0], "no/such/arm.urdf", NULL, 0, &other), SOVO_STATUS_ERROR_FILE, "no/such");
  ENDS(sovo_robot_with_mesh_files(named[0], path, nowhere, 1, &other), SOVO_STATUS_ERROR_FILE, "no/such/folder");
  ENDS(sovo_robot_with_mesh_files(NULL, path, &folder, 1, &other), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_with_mesh_files(named[0], NULL, &folder, 1, &other), SOVO_STATUS_ERROR_NULL, "path");
  ENDS(sovo_robot_with_mesh_files(named[0], "\xff", &folder, 1, &other), SOVO_STATUS_ERROR_TEXT, "path");
  ENDS(sovo_robot_with_mesh_files(named[0], path, NULL, 1, &other), SOVO_STATUS_ERROR_NULL, "package_paths");
  ENDS(sovo_robot_with_mesh_files(named[0], path, none, 1, &other), SOVO_STATUS_ERROR_NULL, "element 0: package_paths");
  ENDS(sovo_robot_with_mesh_files(named[0], path, &folder, 1, NULL), SOVO_STATUS_ERROR_NULL, "with_meshes");
  CHECK(other == (sovo_robot *)1);
  for (size_t k = 0; k < 3; ++k) sovo_robot_free(named[k]);
}

/* A joint that turns, one that mimics it behind it, one in a plane and one that floats, a ball on each link. */
static const char balls[] =
    "<robot name='balls'>"
    "<link name='base'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='turn'><collision><origin xyz='0.5 0.1 0'/><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='follow'><collision><origin xyz='0.2 0.4 0.1'/><geometry><sphere radius='0.05'/></geometry></collision></link>"
    "<link name='plane'><collision><origin xyz='0 -0.3 0.2'/><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='float'><collision><origin xyz='-0.3 0.2 0.4'/><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<joint name='a' type='continuous'><parent link='base'/><child link='turn'/><origin xyz='0 0 0.3' rpy='0.2 0 0.1'/>"
    "<axis xyz='0 0.6 0.8'/></joint>"
    "<joint name='b' type='continuous'><parent link='turn'/><child link='follow'/><origin xyz='0.5 0 0'/>"
    "<axis xyz='1 0 0'/><mimic joint='a' multiplier='-1.5' offset='0.2'/></joint>"
    "<joint name='c' type='planar'><parent link='turn'/><child link='plane'/><origin xyz='0 -0.4 0' rpy='0 0.3 0'/>"
    "<axis xyz='0 0 1'/></joint>"
    "<joint name='d' type='floating'><parent link='base'/><child link='float'/><origin xyz='-0.5 0 0' rpy='0.5 0 0.2'/></joint>"
    "</robot>";

/* Rows of every kind of joint against differences: 11 positions, 10 velocities. */
static void gradients(void) {
  sovo_robot *robot = parse(balls);
  sovo_clearance_options options = SOVO_CLEARANCE_OPTIONS_INIT;
  sovo_clearance found[10], moved[10];
  double q[11] = {0.3, 0.1, -0.2, 0.4, 0.05, 0.1, -0.1, 0, 0, 0, 1}, rows[100];
  const double step = 1e-6;
  size_t positions = 0, velocities = 0, total = 0, i, j, k, compared = 0;
  options.include_adjacent = 1;
  positions = info_of(robot).position_count;
  velocities = info_of(robot).velocity_count;
  CHECK(positions == 11 && velocities == 10);
  OK(sovo_robot_clearance_gradients(robot, q, 11, &options, found, rows, 10, 10, &total));
  CHECK(total == 10);
  for (j = 0; j < 10; j++) {
    double distance[2][10];
    for (k = 0; k < 2; k++) {
      double there[11];
      const double by = k == 0 ? step : -step;
      memcpy(there, q, sizeof q);
      if (j < 7) {
        there[j] += by;
      } else { /* about an axis of the joint's frame, from no turn */
        there[j] = sin(0.5 * by);
        there[10] = cos(0.5 * by);
      }
      OK(sovo_robot_clearances(robot, there, 11, &options, moved, 10, &total));
      for (i = 0; i < 10; i++) {
        size_t m = 0;
        while (m < 9 && (moved[m].link_a != found[i].link_a || moved[m].link_b != found[i].link_b)) m++;
        distance[k][i] = moved[m].contact.distance;
      }
    }
    for (i = 0; i < 10; i++) {
      const double difference = (distance[0][i] - distance[1][i]) / (2 * step);
      CHECK(fabs(difference - rows[10 * i + j]) < 1e-8);
      compared += fabs(difference) > 1e-3;
    }
  }
  CHECK(compared > 30);
  sovo_robot_free(robot);
}

/* An obstacle of every kind comes, is met where the arm is, goes away and is removed. */
static void obstacles(void) {
  enum { kinds = 17 };
  sovo_robot *robot = parse(arm);
  sovo_robot_scene *scene = NULL;
  sovo_superovoid shape;
  sovo_hull *hull = NULL;
  sovo_tri_mesh *mesh = NULL;
  sovo_box_set *set = NULL;
  sovo_height_field *field = NULL;
  sovo_pose at_hand = sovo_pose_identity(), away = sovo_pose_identity();
  const double axes[3] = {0.1, 0.1, 0.1}, e[2] = {1, 1}, round[2] = {0.9, 0.9}, ring[3] = {0.05, 0.05, 0.05};
  const double corners[12] = {-0.1, -0.1, 0, 0.1, -0.1, 0, 0, 0.1, 0, 0, 0, 0.1}, up[3] = {0, 0, 1};
  const uint32_t triangles[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  const double heights[9] = {0, 0, 0, 0, 0.1, 0, 0, 0, 0}, grid[3] = {-0.1, 0, 0.1};
  const sovo_aabb cell = {{-0.1, -0.1, -0.1}, {0.1, 0.1, 0.1}};
  const double turn[1] = {0};

  OK(sovo_superovoid_make(axes, e, NULL, &shape));
  OK(sovo_hull_new(corners, 4, 24, &hull));
  OK(sovo_tri_mesh_new(corners, 4, 24, triangles, 4, 0, &mesh));
  OK(sovo_box_set_new(&cell, 1, &set));
  OK(sovo_height_field_new(heights, 3, 3, grid, grid, -0.1, &field));
  OK(sovo_robot_scene_new(robot, &scene));
  at_hand.translation[0] = 1;
  away.translation[2] = -9;
  {
    const sovo_body bodies[kinds] = {sovo_body_superovoid(&shape),
                                     sovo_body_ball(0.1),
                                     sovo_body_cuboid(0.1, 0.1, 0.1),
                                     sovo_body_cuboid(0.1, 0.1, 0),
                                     sovo_body_cylinder(0.1, 0.2),
                                     sovo_body_capsule(0.1, 0.2),
                                     sovo_body_cone(0.1, 0.2),
                                     sovo_body_hull(hull),
                                     sovo_body_points(corners, 4, 24),
                                     sovo_body_point(),
                                     sovo_body_segment(corners, corners + 3),
                                     sovo_body_triangle(corners),
                                     sovo_body_half_space(up, 0),
                                     sovo_body_tri_mesh(mesh),
                                     sovo_body_box_set(set),
                                     sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, ring, round, 2),
                                     sovo_body_height_field(field)};
    for (size_t k = 0; k < kinds; ++k) {
      uint64_t obstacle = 0;
      int32_t hit = 7;
      OK(sovo_robot_scene_add_obstacle(scene, "it", &bodies[k], &away, &obstacle));
      OK(sovo_robot_scene_in_collision(scene, turn, 1, NULL, &hit));
      CHECK(hit == 0);
      OK(sovo_robot_scene_move_obstacle(scene, obstacle, &at_hand));
      OK(sovo_robot_scene_in_collision(scene, turn, 1, NULL, &hit));
      CHECK(hit == 1);
      OK(sovo_robot_scene_remove_obstacle(scene, obstacle));
      OK(sovo_robot_scene_in_collision(scene, turn, 1, NULL, &hit));
      CHECK(hit == 0);
    }
  }
  sovo_hull_free(hull);
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
  sovo_height_field_free(field);
  sovo_robot_scene_free(scene);
  sovo_robot_free(robot);
}

/* The arm carried about, along a path that a ball is in, and with an SRDF. */
static void planner(void) {
  enum { count = 40 };
  sovo_robot *robot = parse(arm);
  sovo_robot_scene *scene = NULL, *copy = NULL;
  sovo_pose pose = sovo_pose_identity(), bad = sovo_pose_identity(), base;
  const sovo_body ball = sovo_body_ball(0.3);
  struct {
    double turn, other;
  } path[count];
  const char *warning = NULL;
  uint64_t obstacle = 7;
  uint32_t warnings = 7;
  size_t found = 7;
  int32_t hit = 7;
  static const char srdf[] =
      "<robot name='leg'><disable_collisions link1='base' link2='hand' reason='Never'/>\n"
      "<disable_collisions link1='base' link2='foot'/></robot>";
  static const char no_srdf[] = "<robot name='arm'><disable_collisions link1='base'/></robot>";

  OK(sovo_robot_scene_new(robot, &scene));
  pose.translation[1] = 1;
  OK(sovo_robot_scene_add_obstacle(scene, "ball", &ball, &pose, &obstacle));
  for (size_t k = 0; k < count; ++k) {
    path[k].turn = -0.1 * (double)k;
    path[k].other = NAN;
  }
  /* The ball is at a quarter turn, which the path reaches from the other side. */
  OK(sovo_robot_scene_find_collision(scene, &path[0].turn, sizeof path[0], 1, count, NULL, &found));
  CHECK(found == SIZE_MAX);
  path[31].turn = 1.6;
  OK(sovo_robot_scene_find_collision(scene, &path[0].turn, sizeof path[0], 1, count, NULL, &found));
  CHECK(found == 31);
  OK(sovo_robot_scene_find_collision(scene, &path[31].turn, 0, 1, 1, NULL, &found));
  CHECK(found == 0);
  OK(sovo_robot_scene_find_collision(scene, NULL, 8, 1, 0, NULL, &found));
  CHECK(found == SIZE_MAX);
  found = 7;
  ENDS(sovo_robot_scene_find_collision(NULL, &path[0].turn, 16, 1, count, NULL, &found), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_find_collision(scene, NULL, 16, 1, count, NULL, &found), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, 16, 1, count, NULL, NULL), SOVO_STATUS_ERROR_NULL, "found");
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, 16, 2, count, NULL, &found), SOVO_STATUS_ERROR_SIZE, "count = 2");
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, 4, 1, count, NULL, &found), SOVO_STATUS_ERROR_SIZE, "stride");
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, 0, 1, count, NULL, &found), SOVO_STATUS_ERROR_SIZE, "stride");
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, 16, 1, SIZE_MAX, NULL, &found), SOVO_STATUS_ERROR_MEMORY, "memory");
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, SIZE_MAX, 1, 2, NULL, &found), SOVO_STATUS_ERROR_SIZE, "stride");
  path[3].turn = INFINITY;
  ENDS(sovo_robot_scene_find_collision(scene, &path[0].turn, 16, 1, count, NULL, &found), SOVO_STATUS_ERROR_CONFIGURATION, "element 3");
  CHECK(found == 7);
  path[31].turn = 0;

  /* The base takes the hand to the ball. */
  OK(sovo_robot_scene_base(scene, &base));
  CHECK(base.translation[0] == 0 && base.rotation[3] == 1);
  OK(sovo_robot_scene_in_collision(scene, &path[0].turn, 1, NULL, &hit));
  CHECK(hit == 0);
  pose.translation[0] = -1;
  OK(sovo_robot_scene_set_base(scene, &pose));
  OK(sovo_robot_scene_base(scene, &base));
  CHECK(memcmp(&base, &pose, sizeof pose) == 0);
  OK(sovo_robot_scene_in_collision(scene, &path[0].turn, 1, NULL, &hit));
  CHECK(hit == 1);
  bad.translation[2] = NAN;
  ENDS(sovo_robot_scene_set_base(scene, &bad), SOVO_STATUS_ERROR_POSE, "pose");
  ENDS(sovo_robot_scene_set_base(scene, NULL), SOVO_STATUS_ERROR_NULL, "pose");
  ENDS(sovo_robot_scene_set_base(NULL, &pose), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_base(NULL, &base), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_base(scene, NULL), SOVO_STATUS_ERROR_NULL, "pose");
  OK(sovo_robot_scene_base(scene, &base));
  CHECK(memcmp(&base, &pose, sizeof pose) == 0);

  ENDS(sovo_robot_scene_warning(scene, 0, &warning), SOVO_STATUS_ERROR_CONFIGURATION, "warning 0: there are 0");
  OK(sovo_robot_scene_apply_srdf(scene, srdf, sizeof srdf - 1, &warnings));
  CHECK(warnings == 2);
  OK(sovo_robot_scene_warning(scene, 0, &warning));
  CHECK(strstr(warning, "leg") != NULL);
  OK(sovo_robot_scene_copy(scene, &copy));
  sovo_robot_scene_free(scene);
  OK(sovo_robot_scene_warning(copy, 1, &warning));
  CHECK(strstr(warning, "line 2") != NULL && strstr(warning, "foot") != NULL);
  ENDS(sovo_robot_scene_warning(copy, 2, &warning), SOVO_STATUS_ERROR_CONFIGURATION, "warning 2: there are 2");
  ENDS(sovo_robot_scene_warning(copy, 0, NULL), SOVO_STATUS_ERROR_NULL, "warning");
  ENDS(sovo_robot_scene_warning(NULL, 0, &warning), SOVO_STATUS_ERROR_NULL, "scene");
  warnings = 7;
  ENDS(sovo_robot_scene_apply_srdf(NULL, srdf, sizeof srdf - 1, &warnings), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_apply_srdf(copy, NULL, 1, &warnings), SOVO_STATUS_ERROR_NULL, "text");
  ENDS(sovo_robot_scene_apply_srdf(copy, srdf, SIZE_MAX, &warnings), SOVO_STATUS_ERROR_SIZE, "length");
  ENDS(sovo_robot_scene_apply_srdf(copy, "\xff", 1, &warnings), SOVO_STATUS_ERROR_TEXT, "text");
  ENDS(sovo_robot_scene_apply_srdf(copy, no_srdf, sizeof no_srdf - 1, &warnings), SOVO_STATUS_ERROR_URDF, "link2");
  CHECK(warnings == 7);
  OK(sovo_robot_scene_warning(copy, 1, &warning));
  OK(sovo_robot_scene_apply_srdf(copy, srdf, sizeof srdf - 1, NULL));
  sovo_robot_scene_free(copy);
  sovo_robot_free(robot);
}

int main(int argc, char **argv) {
  joints_and_positions();
  if (argc > 1) mesh_files(argv[1]);
  obstacles();
  planner();
  clearances();
  edges();
  configurations();
  robot_meshes();
  gradients();
  hands("urdf/icub_hands.urdf");
  refused();
  if (failures > 0) return 1;
  printf("all as it should be\n");
  return 0;
}
