/* Edges in batches, states along lines, splines and regions of a ball in the plane, whose distances are known in closed form. */
#include "check.h"

/* The call ends with this status and a text that holds these words. */
#define ENDS(call, expected, words)                                                                                    \
  do {                                                                                                                 \
    const sovo_status ends_status = (call);                                                                            \
    CHECK(ends_status == (expected) && strstr(sovo_last_error(), words) != NULL, "%s, \"%s\"", sovo_status_name(ends_status), \
          sovo_last_error());                                                                                          \
  } while (0)

/* A ball of a radius of 0.1 m on two slides, and one of 0.3 m in the middle: they touch at a distance of 0.4 m. */
static const char TABLE[] =
    "<robot name='table'><link name='base'/><link name='carriage'/>"
    "<link name='ball'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<joint name='x' type='prismatic'><parent link='base'/><child link='carriage'/><axis xyz='1 0 0'/>"
    "<limit lower='-1' upper='1'/></joint>"
    "<joint name='y' type='prismatic'><parent link='carriage'/><child link='ball'/><axis xyz='0 1 0'/>"
    "<limit lower='-1' upper='1'/></joint></robot>";
static const double TOUCHING = 0.4;

static sovo_robot *robot;
static sovo_robot_scene *scene;

static void many_edges(void) {
  /* Through the post, past it, into it. */
  const double from[6] = {-0.8, 0, -0.8, 0.5, 0, -0.9}, to[6] = {0.8, 0, 0.8, 0.5, 0, -0.2};
  const double nan_at[4] = {-0.8, 0, 0, NAN};
  sovo_edge_options options = SOVO_EDGE_OPTIONS_INIT;
  sovo_edge edges[3], one, before[3];
  uint32_t threads;
  size_t k;
  for (threads = 0; threads < 4; threads++) {
    memset(edges, PATTERN, sizeof edges);
    OK(sovo_robot_scene_edge_free_batch(scene, from, to, 2, 3, threads == 3 ? NULL : &options, threads, edges));
    CHECK(edges[0].status == SOVO_EDGE_STATUS_HIT && fabs(edges[0].touching - 0.25) < 1e-5, "%g", edges[0].touching);
    CHECK(edges[1].status == SOVO_EDGE_STATUS_FREE && edges[1].proven == 1, "%u", (unsigned)edges[1].status);
    CHECK(edges[2].status == SOVO_EDGE_STATUS_HIT && fabs(edges[2].safe - 0.5 / 0.7) < 1e-5, "%g", edges[2].safe);
    for (k = 0; k < 3; k++) {
      memset(&one, PATTERN, sizeof one);
      OK(sovo_robot_scene_edge_free(scene, from + 2 * k, to + 2 * k, 2, NULL, &one));
      CHECK(memcmp(&one, &edges[k], sizeof one) == 0, "edge %lu is another one", (unsigned long)k);
    }
  }
  OK(sovo_robot_scene_edge_free_batch(scene, NULL, NULL, 2, 0, NULL, 1, NULL));
  /* The time is that of the batch. */
  options.max_time = 1e-9;
  OK(sovo_robot_scene_edge_free_batch(scene, from, to, 2, 3, &options, 1, edges));
  for (k = 0; k < 3; k++) CHECK(edges[k].status == SOVO_EDGE_STATUS_UNDECIDED && edges[k].states == 0, "%lu", (unsigned long)edges[k].states);

  memset(edges, PATTERN, sizeof edges);
  memcpy(before, edges, sizeof edges);
  ENDS(sovo_robot_scene_edge_free_batch(NULL, from, to, 2, 3, NULL, 1, edges), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_edge_free_batch(scene, NULL, to, 2, 3, NULL, 1, edges), SOVO_STATUS_ERROR_NULL, "from");
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, NULL, 2, 3, NULL, 1, edges), SOVO_STATUS_ERROR_NULL, "to");
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, to, 2, 3, NULL, 1, NULL), SOVO_STATUS_ERROR_NULL, "edges");
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, to, 3, 2, NULL, 1, edges), SOVO_STATUS_ERROR_SIZE, "count = 3");
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, to, 2, SIZE_MAX, NULL, 1, edges), SOVO_STATUS_ERROR_SIZE, "from");
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, nan_at, 2, 2, NULL, 1, edges), SOVO_STATUS_ERROR_CONFIGURATION, "to: element 1: ");
  options.max_time = NAN;
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, to, 2, 3, &options, 1, edges), SOVO_STATUS_ERROR_OPTION, "max_time");
  options.max_time = 0, options.min_separation = -1;
  ENDS(sovo_robot_scene_edge_free_batch(scene, from, to, 2, 3, &options, 1, edges), SOVO_STATUS_ERROR_OPTION, "min_separation");
  /* A program of before has no time in its struct. */
  options.min_separation = 0, options.max_time = NAN, options.size = offsetof(sovo_edge_options, max_time);
  CHECK(memcmp(before, edges, sizeof edges) == 0, "written");
  OK(sovo_robot_scene_edge_free_batch(scene, from, to, 2, 3, &options, 1, edges));
}

static void states_of_a_line(void) {
  const double from[2] = {-0.8, 0}, to[2] = {0.8, 0}, aside[2] = {-0.8, 0.9}, beyond[2] = {0, 2};
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  size_t found = 7;
  OK(sovo_robot_scene_find_collision_between(scene, from, to, 2, 16, NULL, &found));
  CHECK(found >= 4 && found <= 12, "%lu", (unsigned long)found);
  /* The only state but the end is at 0; the end alone is free, and so is no state at all. */
  OK(sovo_robot_scene_find_collision_between(scene, from, to, 2, 2, NULL, &found));
  CHECK(found == 1, "%lu", (unsigned long)found);
  OK(sovo_robot_scene_find_collision_between(scene, from, to, 2, 1, NULL, &found));
  CHECK(found == SIZE_MAX, "%lu", (unsigned long)found);
  found = 7;
  OK(sovo_robot_scene_find_collision_between(scene, from, to, 2, 0, NULL, &found));
  CHECK(found == SIZE_MAX, "%lu", (unsigned long)found);
  OK(sovo_robot_scene_find_collision_between(scene, from, aside, 2, 1000, &options, &found));
  CHECK(found == SIZE_MAX, "%lu", (unsigned long)found);
  found = 7;
  ENDS(sovo_robot_scene_find_collision_between(NULL, from, to, 2, 16, NULL, &found), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_find_collision_between(scene, NULL, to, 2, 16, NULL, &found), SOVO_STATUS_ERROR_NULL, "from");
  ENDS(sovo_robot_scene_find_collision_between(scene, from, NULL, 2, 16, NULL, &found), SOVO_STATUS_ERROR_NULL, "to");
  ENDS(sovo_robot_scene_find_collision_between(scene, from, to, 2, 16, NULL, NULL), SOVO_STATUS_ERROR_NULL, "found");
  ENDS(sovo_robot_scene_find_collision_between(scene, from, to, 1, 16, NULL, &found), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_find_collision_between(scene, from, beyond, 2, 16, NULL, &found), SOVO_STATUS_ERROR_CONFIGURATION, "\"y\"");
  options.tolerance = -1;
  ENDS(sovo_robot_scene_find_collision_between(scene, from, to, 2, 16, &options, &found), SOVO_STATUS_ERROR_OPTION, "tolerance");
  CHECK(found == 7, "written");
  {
    const double states[6] = {-0.8, 0, 0.8, 0, -0.8, 0.9};
    int in_collision[3];
    sovo_step_counts before, after;
    OK(sovo_robot_scene_step_counts(scene, &before));
    OK(sovo_robot_scene_in_collision_batch(scene, states, 2, 3, NULL, 1, in_collision));
    OK(sovo_robot_scene_step_counts(scene, &after));
    CHECK(after.bounds + after.directions + after.hulls + after.pieces + after.contacts ==
            before.bounds + before.directions + before.hulls + before.pieces + before.contacts + 3, "counts");
    ENDS(sovo_robot_scene_step_counts(NULL, &before), SOVO_STATUS_ERROR_NULL, "scene");
    ENDS(sovo_robot_scene_step_counts(scene, NULL), SOVO_STATUS_ERROR_NULL, "counts");
  }
}

static double position_at(const sovo_spline *spline, double time) {
  double positions[2] = {7, 7};
  OK(sovo_spline_position(spline, time, positions, 2));
  CHECK(positions[1] == 0, "%g", positions[1]);
  return positions[0];
}

static void splines(void) {
  const double times[2] = {-6, -5}, positions[4] = {-0.8, 0, -0.45, 0}, rest[4] = {0, 0, 0, 0}, swing[4] = {1, 0, -2, 0};
  /* The same swing: of the Hermite form with the length 1. */
  const double powers[8] = {-0.8, 0, 1, 0, 1.05, 0, -1.7, 0};
  const double points[8] = {-0.8, 0, -0.8 + 1.0 / 3, 0, -0.45 + 2.0 / 3, 0, -0.45, 0};
  const double knots[8] = {-6, -6, -6, -6, -5, -5, -5, -5};
  const double fast[4] = {20, 0, 0, 0}, falling[2] = {1, 1}, three[3] = {-0.8, 0.1, 0};
  double nan_in[4] = {-0.8, 0, NAN, 0}, at[2] = {7, 7};
  sovo_spline *slow = NULL, *made[4] = {NULL, NULL, NULL, NULL}, *const untouched = (sovo_spline *)at, *spline = untouched;
  sovo_edge edge, touched;
  size_t k;
  double t;

  OK(sovo_spline_cubic(times, 2, positions, rest, 2, &slow));
  OK(sovo_robot_scene_spline_free(scene, slow, NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE && edge.safe == -5 && isnan(edge.touching) && edge.proven == 1, "%g", edge.safe);
  CHECK(fabs(position_at(slow, -5.5) + 0.625) < 1e-12 && position_at(slow, -9) == -0.8 && position_at(slow, 9) == -0.45, "position");

  OK(sovo_spline_cubic(times, 2, positions, swing, 2, &made[0]));
  OK(sovo_spline_polynomials(times, 2, powers, 3, 2, &made[1]));
  OK(sovo_spline_bezier(3, times, 2, points, 2, &made[2]));
  OK(sovo_spline_b_spline(3, knots, 8, points, 4, 2, &made[3]));
  for (k = 0; k < 4; k++) {
    sovo_edge_options options = SOVO_EDGE_OPTIONS_INIT;
    for (t = -6; t <= -5; t += 0.125) {
      const double s = t + 6, x = -0.8 + s * (1 + s * (1.05 - 1.7 * s));
      CHECK(fabs(position_at(made[k], t) - x) < 1e-12, "spline %lu: %g", (unsigned long)k, position_at(made[k], t) - x);
    }
    OK(sovo_robot_scene_spline_free(scene, made[k], &options, &edge));
    CHECK(edge.status == SOVO_EDGE_STATUS_HIT && edge.safe <= edge.touching, "spline %lu: %u", (unsigned long)k, (unsigned)edge.status);
    CHECK(fabs(position_at(made[k], edge.touching) + TOUCHING) < 1e-5, "spline %lu: at %g", (unsigned long)k, edge.touching);
    CHECK(edge.contact.link_a == 2 && edge.contact.link_b == UINT32_MAX, "%u", (unsigned)edge.contact.link_a);
    sovo_spline_free(made[k]);
  }
  OK(sovo_spline_quintic(times, 2, positions, rest, rest, 2, &made[0]));
  OK(sovo_robot_scene_spline_free(scene, made[0], NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE && fabs(position_at(made[0], -5.75) - (-0.8 + 0.35 * 0.103515625)) < 1e-12, "quintic");
  sovo_spline_free(made[0]);
  sovo_spline_free(NULL);

  /* What is wrong is named, and nothing is made. */
  ENDS(sovo_spline_cubic(NULL, 2, positions, rest, 2, &spline), SOVO_STATUS_ERROR_NULL, "times");
  ENDS(sovo_spline_cubic(times, 2, NULL, rest, 2, &spline), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_spline_cubic(times, 2, positions, NULL, 2, &spline), SOVO_STATUS_ERROR_NULL, "velocities");
  ENDS(sovo_spline_quintic(times, 2, positions, rest, NULL, 2, &spline), SOVO_STATUS_ERROR_NULL, "accelerations");
  ENDS(sovo_spline_cubic(times, 2, positions, rest, 2, NULL), SOVO_STATUS_ERROR_NULL, "spline");
  ENDS(sovo_spline_cubic(times, 1, positions, rest, 2, &spline), SOVO_STATUS_ERROR_SIZE, "1 times; expected 2");
  ENDS(sovo_spline_cubic(times, 0, NULL, NULL, 2, &spline), SOVO_STATUS_ERROR_SIZE, "0 times");
  ENDS(sovo_spline_cubic(times, 2, positions, rest, SIZE_MAX, &spline), SOVO_STATUS_ERROR_SIZE, "positions");
  ENDS(sovo_spline_cubic(times, SIZE_MAX, positions, rest, 2, &spline), SOVO_STATUS_ERROR_SIZE, "times");
  ENDS(sovo_spline_cubic(falling, 2, positions, rest, 2, &spline), SOVO_STATUS_ERROR_CONFIGURATION, "time 1 = 1");
  ENDS(sovo_spline_cubic(nan_in + 1, 2, positions, rest, 2, &spline), SOVO_STATUS_ERROR_CONFIGURATION, "time 1");
  ENDS(sovo_spline_cubic(times, 2, nan_in, rest, 2, &spline), SOVO_STATUS_ERROR_CONFIGURATION, "positions 1");
  ENDS(sovo_spline_polynomials(times, 2, NULL, 3, 2, &spline), SOVO_STATUS_ERROR_NULL, "coefficients");
  ENDS(sovo_spline_polynomials(times, 2, powers, 0, 2, &spline), SOVO_STATUS_ERROR_OPTION, "degree 0");
  ENDS(sovo_spline_polynomials(times, SIZE_MAX, powers, 3, 2, &spline), SOVO_STATUS_ERROR_SIZE, "times");
  ENDS(sovo_spline_bezier(16, times, 2, points, 2, &spline), SOVO_STATUS_ERROR_OPTION, "degree 16");
  ENDS(sovo_spline_bezier(3, times, 2, NULL, 2, &spline), SOVO_STATUS_ERROR_NULL, "points");
  ENDS(sovo_spline_b_spline(UINT32_MAX, knots, 8, points, 4, 2, &spline), SOVO_STATUS_ERROR_OPTION, "degree");
  ENDS(sovo_spline_b_spline(3, NULL, 8, points, 4, 2, &spline), SOVO_STATUS_ERROR_NULL, "knots");
  ENDS(sovo_spline_b_spline(3, knots, 7, points, 4, 2, &spline), SOVO_STATUS_ERROR_SIZE, "7 knots; expected 8");
  ENDS(sovo_spline_b_spline(3, knots, 7, points, 3, 2, &spline), SOVO_STATUS_ERROR_SIZE, "3 points; expected 4");
  CHECK(spline == untouched, "written");
  ENDS(sovo_spline_position(NULL, 0, at, 2), SOVO_STATUS_ERROR_NULL, "spline");
  ENDS(sovo_spline_position(slow, NAN, at, 2), SOVO_STATUS_ERROR_OPTION, "time");
  ENDS(sovo_spline_position(slow, 0, at, 3), SOVO_STATUS_ERROR_SIZE, "count = 3");
  ENDS(sovo_spline_position(slow, 0, NULL, 2), SOVO_STATUS_ERROR_NULL, "positions");
  CHECK(at[0] == 7 && at[1] == 7, "written");
  memset(&edge, PATTERN, sizeof edge);
  touched = edge;
  ENDS(sovo_robot_scene_spline_free(NULL, slow, NULL, &edge), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_spline_free(scene, NULL, NULL, &edge), SOVO_STATUS_ERROR_NULL, "spline");
  ENDS(sovo_robot_scene_spline_free(scene, slow, NULL, NULL), SOVO_STATUS_ERROR_NULL, "edge");
  OK(sovo_spline_cubic(times, 2, positions, fast, 2, &spline));
  ENDS(sovo_robot_scene_spline_free(scene, spline, NULL, &edge), SOVO_STATUS_ERROR_CONFIGURATION, "joint \"x\" = ");
  sovo_spline_free(spline);
  OK(sovo_spline_bezier(1, times, 2, three, 1, &spline));
  ENDS(sovo_robot_scene_spline_free(scene, spline, NULL, &edge), SOVO_STATUS_ERROR_SIZE, "count = 1");
  sovo_spline_free(spline);
  CHECK(memcmp(&edge, &touched, sizeof edge) == 0, "written");
  /* A configuration of no numbers. */
  OK(sovo_spline_bezier(1, times, 2, NULL, 0, &spline));
  OK(sovo_spline_position(spline, 0, NULL, 0));
  sovo_spline_free(spline);
  sovo_spline_free(slow);
}

static void regions(void) {
  const double at[2] = {-0.8, 0}, inside[2] = {0.1, 0}, nan_at[2] = {NAN, 0};
  sovo_edge_options options = SOVO_EDGE_OPTIONS_INIT;
  double lower[2] = {7, 7}, upper[2] = {7, 7}, x, y;
  int kept;
  for (kept = 0; kept < 2; kept++) {
    options.min_separation = 0.1 * kept;
    OK(sovo_robot_scene_free_region(scene, at, 2, kept ? &options : NULL, lower, upper));
    CHECK(lower[0] >= -1 && lower[1] >= -1 && upper[0] <= 1 && upper[1] <= 1, "beyond the limits");
    CHECK(lower[0] <= at[0] && at[0] <= upper[0] && lower[1] <= at[1] && at[1] <= upper[1], "not around the configuration");
    /* The point of the box that is nearest to the post. */
    x = fmin(fmax(0, lower[0]), upper[0]), y = fmin(fmax(0, lower[1]), upper[1]);
    CHECK(hypot(x, y) > TOUCHING + 0.1 * kept, "%g", hypot(x, y));
    CHECK((upper[0] - lower[0]) * (upper[1] - lower[1]) > 0.5, "%g m by %g m", upper[0] - lower[0], upper[1] - lower[1]);
  }
  lower[0] = upper[0] = 7;
  ENDS(sovo_robot_scene_free_region(scene, inside, 2, NULL, lower, upper), SOVO_STATUS_ERROR_CONFIGURATION, "\"ball\" and \"post\"");
  ENDS(sovo_robot_scene_free_region(scene, nan_at, 2, NULL, lower, upper), SOVO_STATUS_ERROR_CONFIGURATION, "\"x\"");
  ENDS(sovo_robot_scene_free_region(NULL, at, 2, NULL, lower, upper), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_free_region(scene, NULL, 2, NULL, lower, upper), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_free_region(scene, at, 2, NULL, NULL, upper), SOVO_STATUS_ERROR_NULL, "lower");
  ENDS(sovo_robot_scene_free_region(scene, at, 2, NULL, lower, NULL), SOVO_STATUS_ERROR_NULL, "upper");
  ENDS(sovo_robot_scene_free_region(scene, at, 1, NULL, lower, upper), SOVO_STATUS_ERROR_SIZE, "count = 1");
  options.any_contact = 1;
  ENDS(sovo_robot_scene_free_region(scene, at, 2, &options, lower, upper), SOVO_STATUS_ERROR_OPTION, "any_contact");
  options.any_contact = 0, options.max_time = 1;
  ENDS(sovo_robot_scene_free_region(scene, at, 2, &options, lower, upper), SOVO_STATUS_ERROR_OPTION, "max_time");
  options.max_time = 0, options.resolution = -1;
  ENDS(sovo_robot_scene_free_region(scene, at, 2, &options, lower, upper), SOVO_STATUS_ERROR_OPTION, "resolution");
  CHECK(lower[0] == 7 && upper[0] == 7, "written");
}

static void moving_joints(void) {
  const char *names[2] = {NULL, NULL};
  sovo_plan *plan = NULL;
  const double start[2] = {-0.8, 0}, goal[2] = {-0.8, 0.5};
  size_t total = 7;
  OK(sovo_robot_movable_joints(robot, NULL, 0, &total));
  CHECK(total == 2, "%lu", (unsigned long)total);
  OK(sovo_robot_movable_joints(robot, names, 1, &total));
  CHECK(total == 2 && strcmp(names[0], "x") == 0 && names[1] == NULL, "%lu", (unsigned long)total);
  OK(sovo_robot_movable_joints(robot, names, 2, &total));
  CHECK(strcmp(names[1], "y") == 0, "%s", names[1]);
  OK(sovo_robot_scene_plan(scene, start, 2, goal, 1, names, total, NULL, &plan));
  sovo_plan_free(plan);
  total = 7;
  ENDS(sovo_robot_movable_joints(NULL, names, 2, &total), SOVO_STATUS_ERROR_NULL, "robot");
  ENDS(sovo_robot_movable_joints(robot, NULL, 2, &total), SOVO_STATUS_ERROR_NULL, "names");
  ENDS(sovo_robot_movable_joints(robot, names, 2, NULL), SOVO_STATUS_ERROR_NULL, "total");
  CHECK(total == 7, "written");
}

int main(void) {
  const sovo_body post = sovo_body_ball(0.3);
  const sovo_pose origin = pose_at(0, 0, 0);
  uint64_t obstacle;
  OK(sovo_robot_parse(TABLE, sizeof TABLE - 1, &robot));
  OK(sovo_robot_scene_new(robot, &scene));
  OK(sovo_robot_scene_add_obstacle(scene, "post", &post, &origin, &obstacle));
  many_edges();
  states_of_a_line();
  splines();
  regions();
  moving_joints();
  sovo_robot_scene_free(scene);
  sovo_robot_free(robot);
  return verdict("edges");
}
