/* Objects that are attached to links, paddings and scales: distances of balls in closed form, and every error. */
#include "check.h"

#define PI 3.14159265358979323846

/* The call ends with this status and a text that holds these words. */
#define ENDS(call, expected, words)                                                                                    \
  do {                                                                                                                 \
    const sovo_status ends_status = (call);                                                                            \
    CHECK(ends_status == (expected) && strstr(sovo_last_error(), words) != NULL, "%s, \"%s\"", sovo_status_name(ends_status), \
          sovo_last_error());                                                                                          \
  } while (0)

static const char ARM[] =
    "<robot name='arm'><link name='base'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
    "<link name='hand'><collision><origin xyz='1 0 0'/><geometry><sphere radius='0.2'/></geometry></collision></link>"
    "<joint name='turn' type='continuous'><parent link='base'/><child link='hand'/><axis xyz='0 0 1'/></joint></robot>";

static const double HELD[3] = {1.5, 0, 0.2}, POST[3] = {0, 1.8, 0};
static const double HELD_RADIUS = 0.25, POST_RADIUS = 0.3;

static sovo_robot *robot;
static uint64_t post;

static sovo_robot_scene *new_scene(void) {
  sovo_robot_scene *scene = NULL;
  const sovo_body ball = sovo_body_ball(POST_RADIUS);
  const sovo_pose pose = pose_at(POST[0], POST[1], POST[2]);
  OK(sovo_robot_scene_new(robot, &scene));
  OK(sovo_robot_scene_add_obstacle(scene, "post", &ball, &pose, &post));
  return scene;
}

/* Which pairs of balls count beside the base and the post, and by how much their distance is less than that of the balls. */
struct pairs {
  int hand_post, held_post, held_base;
  double hand_post_less, held_post_less, held_base_less;
};

static double apart(double turn, double x, double z, const double *center, double radii) {
  const double dx = x * cos(turn) - center[0], dy = x * sin(turn) - center[1], dz = z - center[2];
  return sqrt(dx * dx + dy * dy + dz * dz) - radii;
}

/* Compares the closest pair with the least distance of the balls, whole turns at a time. */
static void compare(sovo_robot_scene *scene, struct pairs of) {
  enum { COUNT = 48 };
  static const double origin[3] = {0, 0, 0};
  double turns[COUNT], clearances[COUNT];
  int32_t hits[COUNT];
  sovo_robot_contact batch[COUNT];
  size_t k;
  for (k = 0; k < COUNT; k++) turns[k] = 2 * PI * (double)k / COUNT;
  OK(sovo_robot_scene_in_collision_batch(scene, turns, 1, COUNT, NULL, 0, hits));
  OK(sovo_robot_scene_clearance_batch(scene, turns, 1, COUNT, NULL, 0, clearances));
  OK(sovo_robot_scene_closest_batch(scene, turns, 1, COUNT, NULL, 0, batch));
  for (k = 0; k < COUNT; k++) {
    const double t = turns[k];
    const double hand_post = of.hand_post ? apart(t, 1, 0, POST, 0.2 + POST_RADIUS) - of.hand_post_less : INFINITY;
    const double held_post =
        of.held_post ? apart(t, HELD[0], HELD[2], POST, HELD_RADIUS + POST_RADIUS) - of.held_post_less : INFINITY;
    const double held_base = of.held_base ? apart(t, HELD[0], HELD[2], origin, HELD_RADIUS + 0.1) - of.held_base_less : INFINITY;
    const double base_post = POST[1] - 0.1 - POST_RADIUS, least = fmin(base_post, fmin(hand_post, fmin(held_post, held_base)));
    sovo_robot_contact contact;
    int32_t hit = 7;
    OK(sovo_robot_scene_closest(scene, &t, 1, NULL, &contact));
    OK(sovo_robot_scene_in_collision(scene, &t, 1, NULL, &hit));
    CHECK(fabs(contact.contact.distance - least) < 1e-9, "turn %g: %.12g, not %.12g", t, contact.contact.distance, least);
    CHECK(fabs(batch[k].contact.distance - least) < 1e-9, "turn %g: %.12g, not %.12g", t, batch[k].contact.distance, least);
    CHECK(hit == (least <= 0) && hits[k] == hit, "turn %g: %d, %d", t, (int)hit, (int)hits[k]);
    CHECK(fabs(clearances[k] - fmax(least, 0)) < 1e-9, "turn %g: clearance %g", t, clearances[k]);
    CHECK(batch[k].link_a == contact.link_a && batch[k].collision_a == contact.collision_a, "turn %g", t);
    CHECK(batch[k].link_b == contact.link_b && batch[k].collision_b == contact.collision_b, "turn %g", t);
    if (least == held_base) {
      CHECK(contact.link_a == 0 && contact.collision_a == 0 && contact.obstacle == 0, "link %u", (unsigned)contact.link_a);
      CHECK(contact.link_b == 1 && contact.collision_b == SOVO_ATTACHED, "collision %x", (unsigned)contact.collision_b);
    } else if (least == base_post) {
      CHECK(contact.link_a == 0 && contact.collision_a == 0 && contact.obstacle == post, "link %u", (unsigned)contact.link_a);
    } else {
      CHECK(contact.link_a == 1 && contact.link_b == UINT32_MAX && contact.obstacle == post, "link %u", (unsigned)contact.link_a);
      CHECK(contact.collision_a == (least == held_post ? SOVO_ATTACHED : 0), "collision %x", (unsigned)contact.collision_a);
    }
  }
}

/* All pairs of one configuration, the closest first. */
static void all_pairs(sovo_robot_scene *scene) {
  static const double origin[3] = {0, 0, 0};
  const double turn = 1, hand_post = apart(turn, 1, 0, POST, 0.2 + POST_RADIUS);
  const double held_post = apart(turn, HELD[0], HELD[2], POST, HELD_RADIUS + POST_RADIUS);
  const double held_base = apart(turn, HELD[0], HELD[2], origin, HELD_RADIUS + 0.1);
  const double expected[4] = {held_post, hand_post, held_base, POST[1] - 0.1 - POST_RADIUS};
  sovo_robot_contact found[5];
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  size_t total = 7, k, j;
  memset(found, PATTERN, sizeof found);
  OK(sovo_robot_scene_contacts(scene, &turn, 1, NULL, found, 4, &total));
  CHECK(total == 4, "%lu", (unsigned long)total);
  for (k = 0; k < 4; k++) {
    int known = 0;
    for (j = 0; j < 4; j++) known |= fabs(found[k].contact.distance - expected[j]) < 1e-9;
    CHECK(known && (k == 0 || found[k - 1].contact.distance <= found[k].contact.distance), "%g", found[k].contact.distance);
  }
  CHECK(((unsigned char *)&found[4])[0] == PATTERN, "written");
  OK(sovo_robot_scene_contacts(scene, &turn, 1, NULL, NULL, 0, &total));
  CHECK(total == 4, "%lu", (unsigned long)total);
  options.max_distance = 0.5 * (found[0].contact.distance + found[1].contact.distance);
  OK(sovo_robot_scene_contacts(scene, &turn, 1, &options, found, 5, &total));
  CHECK(total == 1 && found[0].collision_a == SOVO_ATTACHED, "%lu", (unsigned long)total);
  total = 7;
  ENDS(sovo_robot_scene_contacts(NULL, &turn, 1, NULL, found, 4, &total), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_contacts(scene, NULL, 1, NULL, found, 4, &total), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_contacts(scene, &turn, 2, NULL, found, 4, &total), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_contacts(scene, &turn, 1, NULL, NULL, 4, &total), SOVO_STATUS_ERROR_NULL, "contacts");
  ENDS(sovo_robot_scene_contacts(scene, &turn, 1, NULL, found, 4, NULL), SOVO_STATUS_ERROR_NULL, "total");
  CHECK(total == 7, "%lu", (unsigned long)total);
}

static uint32_t count_of(const sovo_robot_scene *scene) {
  uint32_t count = 77;
  OK(sovo_robot_scene_attached_count(scene, &count));
  return count;
}

static void attaching(void) {
  sovo_robot_scene *scene = new_scene(), *copy = NULL;
  const sovo_body ball = sovo_body_ball(HELD_RADIUS);
  const sovo_pose in_hand = pose_at(HELD[0], HELD[1], HELD[2]), other = pose_at(9, 9, 9);
  const struct pairs bare = {.hand_post = 1}, held = {.hand_post = 1, .held_post = 1, .held_base = 1};
  const struct pairs touching = {.hand_post = 1, .held_post = 1}, allowed = {.hand_post = 1, .held_base = 1};
  const char *base = "base";
  const double quarter = PI / 2, from = 0, to = PI;
  sovo_attached_body told;
  sovo_edge edge;
  uint64_t number = 7;
  int32_t is_allowed = 7;

  compare(scene, bare);
  OK(sovo_robot_scene_attach(scene, "ball", "hand", &ball, &in_hand, NULL, 0, &number));
  compare(scene, held);
  all_pairs(scene);
  CHECK(count_of(scene) == 1, "%u", (unsigned)count_of(scene));
  OK(sovo_robot_scene_attached(scene, 0, &told));
  CHECK(told.body == number && told.link == 1 && told.reserved == 0 && strcmp(told.name, "ball") == 0, "%s", told.name);
  CHECK(memcmp(&told.pose, &in_hand, sizeof in_hand) == 0, "the pose");
  OK(sovo_robot_scene_edge_free(scene, &from, &to, 1, NULL, &edge));
  CHECK(edge.status == SOVO_EDGE_STATUS_HIT && edge.contact.collision_a == SOVO_ATTACHED && edge.contact.link_a == 1, "status %u",
        (unsigned)edge.status);
  CHECK(edge.contact.obstacle == post, "obstacle %lu", (unsigned long)edge.contact.obstacle);

  /* What may touch. */
  OK(sovo_robot_scene_is_allowed(scene, "ball", "hand", &is_allowed));
  CHECK(is_allowed == 1, "hand");
  OK(sovo_robot_scene_is_allowed(scene, "ball", "base", &is_allowed));
  CHECK(is_allowed == 0, "base");
  OK(sovo_robot_scene_copy(scene, &copy));
  OK(sovo_robot_scene_allow(copy, "ball", "post", 1));
  OK(sovo_robot_scene_is_allowed(copy, "post", "ball", &is_allowed));
  CHECK(is_allowed == 1, "post");
  compare(copy, allowed);
  compare(scene, held);

  /* The default of the ball counts for both of its pairs, unless there is a setting. */
  OK(sovo_robot_scene_set_default(copy, "ball", 1));
  OK(sovo_robot_scene_allow(copy, "ball", "post", 0));
  compare(copy, touching);
  OK(sovo_robot_scene_set_default(copy, "ball", -1));
  compare(copy, held);
  ENDS(sovo_robot_scene_set_default(copy, "ball", 2), SOVO_STATUS_ERROR_OPTION, "allowed = 2");
  ENDS(sovo_robot_scene_set_default(copy, "nobody", 1), SOVO_STATUS_ERROR_CONFIGURATION, "name: \"nobody\"");
  ENDS(sovo_robot_scene_set_default(copy, NULL, 1), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_scene_set_default(NULL, "ball", 1), SOVO_STATUS_ERROR_NULL, "scene");
  compare(copy, held);

  /* Without a place it is gone, and can come again, with a touch link. */
  OK(sovo_robot_scene_detach(copy, "ball", NULL, 0));
  compare(copy, bare);
  CHECK(count_of(copy) == 0 && count_of(scene) == 1, "%u", (unsigned)count_of(copy));
  CHECK(strcmp(told.name, "ball") == 0, "%s", told.name);
  OK(sovo_robot_scene_attach(copy, "ball", "hand", &ball, &in_hand, &base, 1, NULL));
  compare(copy, touching);
  sovo_robot_scene_free(copy);

  /* Left at a quarter of a turn it is an obstacle there: at (0, 1.5, 0.2), with its number. */
  OK(sovo_robot_scene_detach(scene, "ball", &quarter, 1));
  CHECK(count_of(scene) == 0, "%u", (unsigned)count_of(scene));
  {
    const double left[3] = {0, HELD[0], HELD[2]};
    sovo_robot_contact contact;
    OK(sovo_robot_scene_closest(scene, &from, 1, NULL, &contact));
    CHECK(contact.obstacle == number && contact.link_a <= 1 && contact.collision_a == 0, "obstacle %lu", (unsigned long)contact.obstacle);
    CHECK(fabs(contact.contact.distance - fmin(apart(from, 1, 0, left, 0.2 + HELD_RADIUS), apart(from, 0, 0, left, 0.1 + HELD_RADIUS))) < 1e-9,
          "%g", contact.contact.distance);
  }
  /* Gripped at the same quarter it is where it was in the hand. */
  OK(sovo_robot_scene_attach_obstacle(scene, "ball", "hand", &base, 1, &quarter, 1));
  compare(scene, touching);
  OK(sovo_robot_scene_attached(scene, 0, &told));
  CHECK(told.body == number && fabs(told.pose.translation[0] - HELD[0]) < 1e-12, "x %g", told.pose.translation[0]);
  ENDS(sovo_robot_scene_move_obstacle(scene, number, &other), SOVO_STATUS_ERROR_CONFIGURATION, "part of the robot");

  /* An object of two bodies: their indices are one after the other, and move up when the first object goes. */
  OK(sovo_robot_scene_add_obstacle(scene, "pair", &ball, &other, &number));
  OK(sovo_robot_scene_add_obstacle(scene, "pair", &ball, &other, &number));
  OK(sovo_robot_scene_attach_obstacle(scene, "pair", "base", NULL, 0, &quarter, 1));
  CHECK(count_of(scene) == 3, "%u", (unsigned)count_of(scene));
  OK(sovo_robot_scene_attached(scene, 2, &told));
  CHECK(told.body == number && told.link == 0 && strcmp(told.name, "pair") == 0, "%s", told.name);
  OK(sovo_robot_scene_detach(scene, "ball", NULL, 0));
  CHECK(count_of(scene) == 2 && strcmp(told.name, "pair") == 0, "%u", (unsigned)count_of(scene));
  OK(sovo_robot_scene_attached(scene, 1, &told));
  CHECK(told.body == number && strcmp(told.name, "pair") == 0, "%s", told.name);
  sovo_robot_scene_free(scene);
}

static void padding(void) {
  sovo_robot_scene *scene = new_scene();
  const sovo_body ball = sovo_body_ball(HELD_RADIUS);
  const sovo_pose in_hand = pose_at(HELD[0], HELD[1], HELD[2]);
  struct pairs of = {.hand_post = 1, .held_post = 1, .held_base = 1};
  sovo_robot_contact contact;
  const double zero = 0;
  double metres = 7;

  OK(sovo_robot_scene_attach(scene, "ball", "hand", &ball, &in_hand, NULL, 0, NULL));
  OK(sovo_robot_scene_set_padding(scene, "hand", 0.125));
  of.hand_post_less = 0.125;
  compare(scene, of);
  OK(sovo_robot_scene_set_padding(scene, "ball", 0.0625));
  of.held_post_less = of.held_base_less = 0.0625;
  compare(scene, of);
  OK(sovo_robot_scene_set_pair_padding(scene, "post", "hand", 0.25));
  of.hand_post_less += 0.25;
  compare(scene, of);
  OK(sovo_robot_scene_padding(scene, "hand", &metres));
  CHECK(metres == 0.125, "%g", metres);
  OK(sovo_robot_scene_padding(scene, "base", &metres));
  CHECK(metres == 0, "%g", metres);
  OK(sovo_robot_scene_pair_padding(scene, "hand", "post", &metres));
  CHECK(metres == 0.25, "%g", metres);
  OK(sovo_robot_scene_set_padding(scene, "hand", 0));
  OK(sovo_robot_scene_set_pair_padding(scene, "hand", "post", 0));
  of.hand_post_less = 0;
  compare(scene, of);

  /* Twice as large about the middle of its own: the hand's ball has the radius 0.4. */
  OK(sovo_robot_scene_set_scale(scene, "hand", 2));
  of.hand_post_less = 0.2;
  compare(scene, of);
  OK(sovo_robot_scene_set_scale(scene, "hand", 1));
  of.hand_post_less = 0;
  compare(scene, of);

  ENDS(sovo_robot_scene_set_padding(scene, "hand", -1e-9), SOVO_STATUS_ERROR_OPTION, "padding of \"hand\" is -0.000000001");
  ENDS(sovo_robot_scene_set_padding(scene, "hand", NAN), SOVO_STATUS_ERROR_OPTION, "hand");
  ENDS(sovo_robot_scene_set_padding(scene, "hand", INFINITY), SOVO_STATUS_ERROR_OPTION, "hand");
  ENDS(sovo_robot_scene_set_padding(scene, "post", 0.1), SOVO_STATUS_ERROR_CONFIGURATION, "no link or attached object \"post\"");
  ENDS(sovo_robot_scene_set_padding(scene, "nobody", 0.1), SOVO_STATUS_ERROR_CONFIGURATION, "nobody");
  ENDS(sovo_robot_scene_set_padding(scene, NULL, 0.1), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_scene_set_padding(NULL, "hand", 0.1), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_set_pair_padding(scene, "hand", "post", -1), SOVO_STATUS_ERROR_OPTION, "hand, post");
  ENDS(sovo_robot_scene_set_pair_padding(scene, "post", "post", 1), SOVO_STATUS_ERROR_CONFIGURATION, "post");
  ENDS(sovo_robot_scene_set_pair_padding(scene, "hand", "nobody", 1), SOVO_STATUS_ERROR_CONFIGURATION, "nobody");
  ENDS(sovo_robot_scene_set_pair_padding(scene, "hand", NULL, 1), SOVO_STATUS_ERROR_NULL, "b");
  ENDS(sovo_robot_scene_set_pair_padding(NULL, "hand", "post", 1), SOVO_STATUS_ERROR_NULL, "scene");
  metres = 7;
  ENDS(sovo_robot_scene_padding(scene, "nobody", &metres), SOVO_STATUS_ERROR_CONFIGURATION, "name: \"nobody\"");
  ENDS(sovo_robot_scene_padding(NULL, "hand", &metres), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_padding(scene, "hand", NULL), SOVO_STATUS_ERROR_NULL, "metres");
  ENDS(sovo_robot_scene_pair_padding(scene, "hand", "nobody", &metres), SOVO_STATUS_ERROR_CONFIGURATION, "b: \"nobody\"");
  ENDS(sovo_robot_scene_pair_padding(NULL, "hand", "post", &metres), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_pair_padding(scene, "hand", "post", NULL), SOVO_STATUS_ERROR_NULL, "metres");
  CHECK(metres == 7, "%g", metres);
  ENDS(sovo_robot_scene_set_scale(scene, "hand", 0), SOVO_STATUS_ERROR_OPTION, "hand");
  ENDS(sovo_robot_scene_set_scale(scene, "hand", NAN), SOVO_STATUS_ERROR_OPTION, "hand");
  ENDS(sovo_robot_scene_set_scale(scene, "hand", 5e-324), SOVO_STATUS_ERROR_OPTION, "hand");
  ENDS(sovo_robot_scene_set_scale(scene, "ball", 2), SOVO_STATUS_ERROR_CONFIGURATION, "no link \"ball\"");
  ENDS(sovo_robot_scene_set_scale(scene, NULL, 2), SOVO_STATUS_ERROR_NULL, "link");
  ENDS(sovo_robot_scene_set_scale(NULL, "hand", 2), SOVO_STATUS_ERROR_NULL, "scene");
  compare(scene, of);
  OK(sovo_robot_scene_closest(scene, &zero, 1, NULL, &contact));
  sovo_robot_scene_free(scene);
}

static void refused(void) {
  sovo_robot_scene *scene = new_scene();
  const sovo_body ball = sovo_body_ball(HELD_RADIUS), wrong = sovo_body_ball(-1);
  const double up[3] = {0, 0, 1}, at = 0, nan_at = NAN;
  const sovo_body floor = sovo_body_half_space(up, -5), plane = sovo_body_plane(up, -5);
  sovo_pose pose = pose_at(0, 0, 0), bad = pose_at(NAN, 0, 0);
  const char *touch[2] = {"base", "nobody"}, *null[2] = {"base", NULL};
  const struct pairs bare = {.hand_post = 1};
  sovo_attached_body told;
  uint64_t number = 7;
  uint32_t count = 7;
  int32_t allowed = 7;

  ENDS(sovo_robot_scene_attach(NULL, "x", "hand", &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_attach(scene, NULL, "hand", &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_scene_attach(scene, "x", NULL, &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_NULL, "link");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", NULL, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_NULL, "body");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, NULL, NULL, 0, &number), SOVO_STATUS_ERROR_NULL, "pose");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, &pose, NULL, 1, &number), SOVO_STATUS_ERROR_NULL, "touch_links");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, &pose, null, 2, &number), SOVO_STATUS_ERROR_NULL, "element 1: touch_links");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, &pose, touch, 2, &number), SOVO_STATUS_ERROR_CONFIGURATION, "nobody");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, &pose, touch, SIZE_MAX, &number), SOVO_STATUS_ERROR_SIZE, "touch_links");
  ENDS(sovo_robot_scene_attach(scene, "x", "nobody", &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_CONFIGURATION, "no link \"nobody\"");
  ENDS(sovo_robot_scene_attach(scene, "\xff", "hand", &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_TEXT, "name");
  ENDS(sovo_robot_scene_attach(scene, "base", "hand", &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_CONFIGURATION, "\"base\" is taken");
  ENDS(sovo_robot_scene_attach(scene, "post", "hand", &ball, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_CONFIGURATION, "\"post\" is taken");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &wrong, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_GEOMETRY, "body: radius");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &floor, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_UNSUPPORTED, "\"x\"");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &plane, &pose, NULL, 0, &number), SOVO_STATUS_ERROR_UNSUPPORTED, "plane");
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, &bad, NULL, 0, &number), SOVO_STATUS_ERROR_POSE, "pose");
  CHECK(number == 7, "%lu", (unsigned long)number);

  ENDS(sovo_robot_scene_attach_obstacle(NULL, "post", "hand", NULL, 0, &at, 1), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_attach_obstacle(scene, NULL, "hand", NULL, 0, &at, 1), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_scene_attach_obstacle(scene, "post", NULL, NULL, 0, &at, 1), SOVO_STATUS_ERROR_NULL, "link");
  ENDS(sovo_robot_scene_attach_obstacle(scene, "post", "hand", NULL, 1, &at, 1), SOVO_STATUS_ERROR_NULL, "touch_links");
  ENDS(sovo_robot_scene_attach_obstacle(scene, "post", "hand", NULL, 0, NULL, 1), SOVO_STATUS_ERROR_NULL, "positions");
  ENDS(sovo_robot_scene_attach_obstacle(scene, "post", "hand", NULL, 0, &at, 2), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_attach_obstacle(scene, "post", "hand", NULL, 0, &nan_at, 1), SOVO_STATUS_ERROR_CONFIGURATION, "turn");
  ENDS(sovo_robot_scene_attach_obstacle(scene, "nobody", "hand", NULL, 0, &at, 1), SOVO_STATUS_ERROR_CONFIGURATION, "no obstacle \"nobody\"");
  OK(sovo_robot_scene_add_obstacle(scene, "floor", &floor, &pose, &number));
  ENDS(sovo_robot_scene_attach_obstacle(scene, "floor", "hand", NULL, 0, &at, 1), SOVO_STATUS_ERROR_UNSUPPORTED, "\"floor\"");
  OK(sovo_robot_scene_remove_obstacle(scene, number));

  ENDS(sovo_robot_scene_detach(NULL, "x", NULL, 0), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_detach(scene, NULL, NULL, 0), SOVO_STATUS_ERROR_NULL, "name");
  ENDS(sovo_robot_scene_detach(scene, "post", NULL, 0), SOVO_STATUS_ERROR_CONFIGURATION, "no attached object \"post\"");
  ENDS(sovo_robot_scene_attached_count(NULL, &count), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_attached_count(scene, NULL), SOVO_STATUS_ERROR_NULL, "count");
  ENDS(sovo_robot_scene_attached(NULL, 0, &told), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_attached(scene, 0, &told), SOVO_STATUS_ERROR_CONFIGURATION, "attached body 0: there are 0");
  ENDS(sovo_robot_scene_attached(scene, 0, NULL), SOVO_STATUS_ERROR_NULL, "attached");
  ENDS(sovo_robot_scene_is_allowed(NULL, "hand", "base", &allowed), SOVO_STATUS_ERROR_NULL, "scene");
  ENDS(sovo_robot_scene_is_allowed(scene, "nobody", "base", &allowed), SOVO_STATUS_ERROR_CONFIGURATION, "a: \"nobody\"");
  ENDS(sovo_robot_scene_is_allowed(scene, "base", "nobody", &allowed), SOVO_STATUS_ERROR_CONFIGURATION, "b: \"nobody\"");
  ENDS(sovo_robot_scene_is_allowed(scene, "base", "hand", NULL), SOVO_STATUS_ERROR_NULL, "allowed");
  CHECK(count == 7 && allowed == 7 && count_of(scene) == 0, "%u", (unsigned)count_of(scene));
  compare(scene, bare);

  OK(sovo_robot_scene_attach(scene, "x", "hand", &ball, &pose, touch, 1, NULL));
  ENDS(sovo_robot_scene_attach(scene, "x", "hand", &ball, &pose, NULL, 0, NULL), SOVO_STATUS_ERROR_CONFIGURATION, "\"x\" is taken");
  ENDS(sovo_robot_scene_add_obstacle(scene, "x", &ball, &pose, &number), SOVO_STATUS_ERROR_CONFIGURATION, "\"x\" is taken");
  ENDS(sovo_robot_scene_detach(scene, "x", &nan_at, 1), SOVO_STATUS_ERROR_CONFIGURATION, "turn");
  ENDS(sovo_robot_scene_detach(scene, "x", &at, 2), SOVO_STATUS_ERROR_SIZE, "count");
  ENDS(sovo_robot_scene_attached(scene, 1, &told), SOVO_STATUS_ERROR_CONFIGURATION, "attached body 1: there are 1");
  CHECK(count_of(scene) == 1, "%u", (unsigned)count_of(scene));
  sovo_robot_scene_free(scene);
}

int main(void) {
  OK(sovo_robot_parse(ARM, sizeof ARM - 1, &robot));
  attaching();
  padding();
  refused();
  sovo_robot_free(robot);
  return verdict("attached");
}
