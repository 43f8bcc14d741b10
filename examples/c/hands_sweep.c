/* Two robot hands move towards each other: where do they first collide, and how close were they before?
 *
 *     cc -O2 -Iinclude examples/c/hands_sweep.c target/release/libsuperovoid.a -lm -lpthread -ldl
 *     ./a.out urdf/icub_hands.urdf
 *
 * The path is the straight line, in joint space, from
 *
 *   OPEN   the free pose of docs/reports/icub_hands.md, both thumbs turned out, the right hand 60 mm farther
 *          away, to
 *   GRASP  the right hand 40 mm nearer than the mount and turned inward by 0.6 rad, its four fingers
 *          curled by 0.5 rad at every knuckle,
 *
 * checked at 1,000 configurations. The motion between two of them is not checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <superovoid.h>
#include <time.h>

enum { CONFIGURATIONS = 1000, LARGEST = 64 };

static void check(sovo_status status) {
  if (status == SOVO_STATUS_OK) return;
  fprintf(stderr, "%s: %s\n", sovo_status_name(status), sovo_last_error());
  exit(1);
}

/* Where the one number of a joint stands in a configuration. */
static size_t position_of(const sovo_robot *robot, const char *name) {
  uint32_t index;
  sovo_joint joint;
  check(sovo_robot_joint_index(robot, name, &index));
  check(sovo_robot_joint(robot, index, &joint));
  return joint.first_position;
}

static const char *link_name(const sovo_robot *robot, uint32_t link) {
  sovo_link description;
  check(sovo_robot_link(robot, link, &description));
  return description.name;
}

/* Start and end of the path. */
static void ends(const sovo_robot *robot, size_t count, double *open, double *grasp) {
  static const char *const fingers[] = {"index", "middle", "ring", "little"};
  char name[64];
  size_t finger, knuckle;
  check(sovo_robot_neutral(robot, open, count));
  open[position_of(robot, "l_hand_thumb_0_joint")] = 0.25; /* radians */
  open[position_of(robot, "r_hand_thumb_0_joint")] = 0.25;
  memcpy(grasp, open, count * sizeof *grasp);
  open[position_of(robot, "right_hand_approach")] = -0.06; /* metres */
  grasp[position_of(robot, "right_hand_approach")] = 0.04;
  grasp[position_of(robot, "right_hand_inward")] = 0.6;
  for (finger = 0; finger < 4; ++finger)
    for (knuckle = 1; knuckle <= 3; ++knuckle) {
      snprintf(name, sizeof name, "r_hand_%s_%u_joint", fingers[finger], (unsigned)knuckle);
      grasp[position_of(robot, name)] = 0.5;
    }
}

static void sweep(const sovo_robot *robot) {
  double open[LARGEST], grasp[LARGEST], q[LARGEST];
  sovo_robot_info info;
  sovo_clearance now, closest, first;
  size_t count, closest_at = 0, k, j;
  long first_at = -1;
  clock_t start;
  double seconds;

  check(sovo_robot_describe(robot, &info));
  count = info.position_count;
  if (count > LARGEST) {
    fprintf(stderr, "the robot has more than %d positions\n", (int)LARGEST);
    exit(1);
  }
  ends(robot, count, open, grasp);
  memset(&closest, 0, sizeof closest);
  memset(&first, 0, sizeof first);
  start = clock();
  for (k = 0; k < CONFIGURATIONS; ++k) {
    const double s = (double)k / (CONFIGURATIONS - 1);
    for (j = 0; j < count; ++j) q[j] = (1 - s) * open[j] + s * grasp[j];
    check(sovo_robot_closest(robot, q, count, NULL, &now));
    /* What is not proven to be free counts as a collision. */
    if (first_at < 0 && now.status != SOVO_COLLISION_STATUS_FREE) {
      first_at = (long)k;
      first = now;
    }
    if (first_at < 0 && (k == 0 || now.contact.distance < closest.contact.distance)) {
      closest = now;
      closest_at = k;
    }
  }
  seconds = (double)(clock() - start) / CLOCKS_PER_SEC;

  if (first_at < 0) {
    printf("no collision\n");
  } else {
    printf("first collision: configuration %ld, %s and %s, %.6f mm deep\n", first_at,
           link_name(robot, first.link_a), link_name(robot, first.link_b),
           -1e3 * first.contact.distance);
  }
  if (first_at != 0)
    printf("closest before: configuration %lu, %s and %s, %.6f mm apart\n",
           (unsigned long)closest_at, link_name(robot, closest.link_a),
           link_name(robot, closest.link_b), 1e3 * closest.contact.distance);
  printf("distance: %.1f us per configuration\n", 1e6 * seconds / CONFIGURATIONS);

  /* A planner that needs no distance asks for less. */
  start = clock();
  for (k = 0; k < CONFIGURATIONS; ++k) {
    const double s = (double)k / (CONFIGURATIONS - 1);
    int32_t hit;
    for (j = 0; j < count; ++j) q[j] = (1 - s) * open[j] + s * grasp[j];
    check(sovo_robot_in_collision(robot, q, count, NULL, &hit));
  }
  seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  printf("in collision or not: %.1f us per configuration\n", 1e6 * seconds / CONFIGURATIONS);
}

int main(int argc, char **argv) {
  sovo_robot *robot;
  if (argc != 2 || strcmp(argv[1], "--help") == 0) {
    printf("usage: %s FILE\n"
           "Moves the two hands of FILE, urdf/icub_hands.urdf, towards each other and prints their\n"
           "first collision, the closest approach before it, and the time that a check takes.\n",
           argv[0]);
    return argc == 2 ? 0 : 2;
  }
  check(sovo_robot_load(argv[1], &robot));
  sweep(robot);
  sovo_robot_free(robot);
  return 0;
}
