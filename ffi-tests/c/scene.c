/* Scenes: every function, on balls and planes whose distances are known, and every refusal. */
#include <float.h>

#include "check.h"

#define HOLDS(condition) CHECK(condition, "%s", sovo_last_error())

static sovo_scene *scene;
static sovo_superovoid shape;
static sovo_body ball;

static sovo_pose at(double x, double z) {
  sovo_pose pose = sovo_pose_identity();
  pose.translation[0] = x;
  pose.translation[2] = z;
  return pose;
}

static int collides(void) {
  int32_t answer = -1;
  HOLDS(sovo_scene_in_collision(scene, NULL, &answer) == SOVO_STATUS_OK);
  return answer;
}

static double distance(void) {
  sovo_scene_contact contact;
  HOLDS(sovo_scene_closest(scene, NULL, &contact) == SOVO_STATUS_OK);
  HOLDS(contact.contact.outcome != SOVO_OUTCOME_NONE);
  return contact.contact.distance;
}

static void bodies_and_obstacles(void) {
  const double up[3] = {0, 0, 2};
  const double vertices[9] = {-9, -9, 0, 9, -9, 0, 0, 9, 0};
  const uint32_t triangle[3] = {0, 1, 2};
  const sovo_aabb cell = {{-1, -1, -1}, {1, 1, 1}};
  const double tube[3] = {0.75, 0.75, 0.75}, exponents[2] = {1, 1};
  const sovo_pose left = at(-2, 5), right = at(2, 5), origin = at(0, 0), under = at(0, -10);
  sovo_scene_contact contacts[4];
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  sovo_tri_mesh *mesh = NULL;
  sovo_box_set *set = NULL;
  sovo_hull *hull = NULL;
  sovo_body body;
  uint32_t hand, other, floor_group;
  uint64_t a, b, floor_body, box, sheet, cells, flat, pillar;
  size_t count = 0;
  char text[64];

  HOLDS(sovo_scene_group(scene, "hand", &hand) == SOVO_STATUS_OK && hand == 0);
  HOLDS(sovo_scene_group(scene, "other hand", &other) == SOVO_STATUS_OK && other == 1);
  HOLDS(sovo_scene_group(scene, "hand", &hand) == SOVO_STATUS_OK && hand == 0);
  HOLDS(sovo_scene_group(scene, "floor", &floor_group) == SOVO_STATUS_OK && floor_group == 2);
  HOLDS(!collides());

  HOLDS(sovo_scene_add(scene, hand, &ball, &left, 0, &a) == SOVO_STATUS_OK);
  HOLDS(sovo_scene_add(scene, other, &ball, &right, 0, &b) == SOVO_STATUS_OK && a != b);
  HOLDS(fabs(distance() - 2) < 1e-9 && !collides());
  body = sovo_body_half_space(up, 2); /* z = 1 */
  HOLDS(sovo_scene_add(scene, floor_group, &body, &origin, 1, &floor_body) == SOVO_STATUS_OK);
  HOLDS(sovo_scene_count(scene, &count) == SOVO_STATUS_OK && count == 3);

  HOLDS(sovo_scene_contacts(scene, NULL, contacts, 4, &count) == SOVO_STATUS_OK && count == 3);
  HOLDS(fabs(contacts[0].contact.distance - 2) < 1e-9 && contacts[0].body_a == a);
  HOLDS(contacts[0].body_b == b && contacts[0].part == UINT32_MAX);
  HOLDS(contacts[0].status == SOVO_COLLISION_STATUS_FREE && fabs(contacts[2].contact.distance - 3) < 1e-9);
  options.max_distance = 2.5;
  HOLDS(sovo_scene_contacts(scene, &options, NULL, 0, &count) == SOVO_STATUS_OK && count == 1);
  options.max_distance = 1;
  HOLDS(sovo_scene_closest(scene, &options, contacts) == SOVO_STATUS_OK);
  HOLDS(contacts[0].status == SOVO_COLLISION_STATUS_NONE && contacts[0].body_b == 0);

  HOLDS(sovo_scene_move(scene, b, &left) == SOVO_STATUS_OK && collides());
  HOLDS(sovo_scene_allow(scene, hand, other, 1) == SOVO_STATUS_OK && !collides());
  HOLDS(sovo_scene_allow(scene, other, hand, 0) == SOVO_STATUS_OK && collides());
  HOLDS(sovo_scene_remove(scene, b) == SOVO_STATUS_OK && fabs(distance() - 3) < 1e-9);
  HOLDS(sovo_scene_remove(scene, b) == SOVO_STATUS_ERROR_CONFIGURATION);
  sprintf(text, "body = %llu: ", (unsigned long long)b);
  HOLDS(strncmp(sovo_last_error(), text, strlen(text)) == 0);
  HOLDS(sovo_scene_move(scene, b, &left) == SOVO_STATUS_ERROR_CONFIGURATION);
  HOLDS(strncmp(sovo_last_error(), text, strlen(text)) == 0);
  HOLDS(sovo_scene_remove(scene, floor_body) == SOVO_STATUS_OK);

  body = sovo_body_cuboid(1, 1, 1);
  HOLDS(sovo_scene_add(scene, floor_group, &body, &under, 1, &box) == SOVO_STATUS_OK);
  HOLDS(sovo_tri_mesh_new(vertices, 3, 3 * sizeof(double), triangle, 1, 0, &mesh) == SOVO_STATUS_OK);
  body = sovo_body_tri_mesh(mesh);
  HOLDS(sovo_scene_add(scene, floor_group, &body, &origin, 1, &sheet) == SOVO_STATUS_OK);
  sovo_tri_mesh_free(mesh); /* the scene goes on using it */
  HOLDS(fabs(distance() - 4) < 1e-9);
  HOLDS(sovo_scene_closest(scene, NULL, contacts) == SOVO_STATUS_OK);
  HOLDS(contacts[0].body_b == sheet && contacts[0].part == 0);
  HOLDS(sovo_box_set_new(&cell, 1, &set) == SOVO_STATUS_OK);
  body = sovo_body_box_set(set);
  HOLDS(sovo_scene_add(scene, floor_group, &body, &right, 1, &cells) == SOVO_STATUS_OK);
  sovo_box_set_free(set);
  HOLDS(fabs(distance() - 2) < 1e-9);
  HOLDS(sovo_hull_new(vertices, 3, 3 * sizeof(double), &hull) == SOVO_STATUS_OK);
  body = sovo_body_hull(hull);
  HOLDS(sovo_scene_add(scene, floor_group, &body, &under, 1, &flat) == SOVO_STATUS_OK);
  sovo_hull_free(hull);
  HOLDS(fabs(distance() - 2) < 1e-9);
  HOLDS(sovo_scene_add(scene, floor_group, &ball, &left, 1, &pillar) == SOVO_STATUS_OK && collides());
  HOLDS(sovo_scene_count(scene, &count) == SOVO_STATUS_OK && count == 6);

  /* A ring is compared with bodies and meshes. */
  HOLDS(sovo_scene_remove(scene, pillar) == SOVO_STATUS_OK);
  body = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, tube, exponents, 3);
  HOLDS(sovo_scene_add(scene, floor_group, &body, &left, -1, &pillar) == SOVO_STATUS_OK);
  HOLDS(sovo_scene_closest(scene, NULL, contacts) == SOVO_STATUS_OK && fabs(distance() - 0.5) < 1e-6);
  HOLDS(contacts[0].body_b == pillar);
  HOLDS(sovo_scene_remove(scene, pillar) == SOVO_STATUS_OK);
  HOLDS(sovo_scene_add(scene, other, &body, &left, 0, &pillar) == SOVO_STATUS_OK);
  HOLDS(sovo_scene_contacts(scene, NULL, NULL, 0, &count) == SOVO_STATUS_OK);
  HOLDS(sovo_scene_remove(scene, pillar) == SOVO_STATUS_OK);
}

static void refusals(void) {
  const double zero[3] = {0, 0, 0}, up[3] = {0, 0, 1};
  const sovo_body inside_out = sovo_body_cuboid(1, -1, 1), nowhere = sovo_body_half_space(zero, 0), plane = sovo_body_plane(up, 0);
  const sovo_body no_mesh = sovo_body_tri_mesh(NULL), no_set = sovo_body_box_set(NULL), half_space = sovo_body_half_space(up, 0);
  const sovo_body no_kind = sovo_body_of_kind(99);
  const sovo_pose origin = at(0, 0);
  sovo_pose bad = at(DBL_MAX, 0);
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  sovo_scene_contact contact;
  uint64_t body = 77;
  uint32_t group = 77;
  int32_t answer = 77;
  size_t count = 77;

  bad.translation[1] = bad.translation[0] * 10;
  HOLDS(sovo_scene_new(NULL) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_group(NULL, "x", &group) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_group(scene, NULL, &group) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_group(scene, "\xff", &group) == SOVO_STATUS_ERROR_TEXT);
  HOLDS(sovo_scene_group(scene, "x", NULL) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_allow(scene, 0, UINT32_MAX, 1) == SOVO_STATUS_ERROR_CONFIGURATION);
  HOLDS(sovo_scene_add(scene, UINT32_MAX, &ball, &origin, 0, &body) == SOVO_STATUS_ERROR_CONFIGURATION);
  HOLDS(sovo_scene_add(scene, 0, &ball, &bad, 0, &body) == SOVO_STATUS_ERROR_POSE);
  HOLDS(sovo_scene_add(scene, 0, NULL, &origin, 0, &body) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_add(scene, 0, &ball, &origin, 0, NULL) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_add(scene, 0, &ball, NULL, 1, &body) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_add(scene, 0, &inside_out, &origin, 1, &body) == SOVO_STATUS_ERROR_GEOMETRY);
  HOLDS(sovo_scene_add(scene, 0, &nowhere, &origin, 1, &body) == SOVO_STATUS_ERROR_GEOMETRY);
  HOLDS(sovo_scene_add(scene, 0, &no_mesh, &origin, 1, &body) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_add(scene, 0, &no_set, &origin, 1, &body) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_add(scene, 0, &half_space, &origin, 0, &body) == SOVO_STATUS_ERROR_GEOMETRY);
  HOLDS(sovo_scene_add(scene, 0, &no_kind, &origin, 1, &body) == SOVO_STATUS_ERROR_OPTION);
  HOLDS(sovo_scene_add(scene, 0, &plane, &origin, 1, &body) == SOVO_STATUS_ERROR_UNSUPPORTED);
  HOLDS(sovo_scene_move(scene, UINT64_MAX, &origin) == SOVO_STATUS_ERROR_CONFIGURATION);
  HOLDS(sovo_scene_count(NULL, &count) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_contacts(scene, NULL, NULL, 1, &count) == SOVO_STATUS_ERROR_NULL);
  HOLDS(sovo_scene_closest(scene, NULL, NULL) == SOVO_STATUS_ERROR_NULL);
  options.max_distance = -1;
  HOLDS(sovo_scene_closest(scene, &options, &contact) == SOVO_STATUS_ERROR_OPTION);
  options.max_distance = 0;
  options.depth = 9;
  HOLDS(sovo_scene_in_collision(scene, &options, &answer) == SOVO_STATUS_ERROR_OPTION);
  HOLDS(body == 77 && group == 77 && answer == 77 && count == 77);
  sovo_scene_free(NULL);
}

int main(void) {
  const double axes[3] = {1, 1, 1}, round_[2] = {1, 1};
  HOLDS(sovo_superovoid_make(axes, round_, NULL, &shape) == SOVO_STATUS_OK);
  ball = sovo_body_superovoid(&shape);
  HOLDS(sovo_scene_new(&scene) == SOVO_STATUS_OK);
  bodies_and_obstacles();
  refusals();
  sovo_scene_free(scene);
  return verdict("scene");
}
