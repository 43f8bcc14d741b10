/* A program that was compiled against the header of an earlier release, and is run with the library of this one: see
   tests/interface/abi.rs. It depends on nothing but the library, so that it runs with any C library. The binary
   program-0.1-x86_64-linux was made by

     gcc -O1 -s -nostdlib -fno-stack-protector -fcf-protection=none -Wl,--build-id=none -Wl,-z,noseparate-code \
         -I include -o ffi-tests/old_programs/program-0.1-x86_64-linux ffi-tests/old_programs/program.c LIBRARY

   with the shared library for LIBRARY, and is not made again while the interface keeps its number. Its exit code is 0, or
   the number of the check that failed. */
#include "superovoid.h"

static int check, failed;

static void expect(int holds) {
  check += 1;
  if (!holds && !failed)
    failed = check;
}

static int near(double x, double y) { return x - y < 1e-9 && y - x < 1e-9; }

static void pairs(void) {
  const double axes[3] = {0.02, 0.02, 0.02}, exponents[2] = {1, 1}, up[3] = {0, 0, 1};
  sovo_superovoid ball;
  sovo_pose here = sovo_pose_identity(), there = sovo_pose_identity();
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  sovo_time_of_impact_options impact_options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  sovo_contact contact;
  sovo_pair_cache cache = {0};
  sovo_body a, box, floor;
  sovo_motion still, falling;
  sovo_time_of_impact impact;
  uint32_t parts[2];
  there.translation[0] = 0.1;
  expect(sovo_superovoid_make(axes, exponents, NULL, &ball) == SOVO_STATUS_OK);
  expect(sovo_pair_contact(&ball, &here, &ball, &there, &options, &cache, &contact) == SOVO_STATUS_OK);
  expect(near(contact.distance, 0.06) && contact.outcome == SOVO_OUTCOME_CERTIFIED);
  a = sovo_body_superovoid(&ball);
  box = sovo_body_cuboid(0.05, 0.01, 0.01);
  floor = sovo_body_half_space(up, -0.1);
  expect(sovo_body_contact(&a, &here, &box, &there, &options, &contact, parts) == SOVO_STATUS_OK);
  expect(near(contact.distance, 0.03) && near(contact.normal[0], 1));
  expect(sovo_body_contact(&a, &here, &floor, &here, NULL, &contact, NULL) == SOVO_STATUS_OK);
  expect(near(contact.distance, 0.08));
  options.max_distance = 0.01;
  expect(sovo_body_contact(&a, &here, &box, &there, &options, &contact, NULL) == SOVO_STATUS_OK);
  expect(contact.lower > 0.01);
  box.kind = 4711;
  expect(sovo_body_contact(&a, &here, &box, &there, NULL, &contact, NULL) != SOVO_STATUS_OK);
  expect(sovo_last_error()[0] != 0);
  still = falling = (sovo_motion){.start = here};
  falling.linear[2] = -0.16;
  expect(sovo_body_time_of_impact(&a, &falling, &floor, &still, &impact_options, &impact) == SOVO_STATUS_OK);
  expect(impact.outcome == SOVO_TIME_OF_IMPACT_HIT && near(impact.safe, 0.5));
}

static void meshes(void) {
  const double vertices[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
  const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
  sovo_tri_mesh *mesh = NULL;
  sovo_pose here = sovo_pose_identity(), above = sovo_pose_identity();
  sovo_contact contact;
  uint32_t parts[2];
  sovo_body ball = sovo_body_ball(0.1), ground;
  above.translation[0] = 0.5, above.translation[1] = -0.25, above.translation[2] = 0.3;
  expect(sovo_tri_mesh_new(vertices, 4, 24, triangles, 2, 0, &mesh) == SOVO_STATUS_OK);
  ground = sovo_body_tri_mesh(mesh);
  expect(sovo_body_contact(&ball, &above, &ground, &here, NULL, &contact, parts) == SOVO_STATUS_OK);
  expect(near(contact.distance, 0.2) && parts[1] == 0);
  sovo_tri_mesh_free(mesh);
}

static void robots(void) {
  static const char urdf[] =
      "<robot name='r'><link name='a'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<link name='b'/><link name='c'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<joint name='x' type='prismatic'><parent link='a'/><child link='b'/><axis xyz='1 0 0'/>"
      "<limit lower='0' upper='2' effort='1' velocity='1'/></joint>"
      "<joint name='y' type='prismatic'><parent link='b'/><child link='c'/><axis xyz='0 1 0'/>"
      "<limit lower='0' upper='2' effort='1' velocity='1'/></joint></robot>";
  sovo_clearance_options options = SOVO_CLEARANCE_OPTIONS_INIT;
  sovo_robot *robot = NULL;
  sovo_robot_info info;
  sovo_clearance clearance;
  const double positions[2] = {0.3, 0.4};
  options.include_adjacent = 1;
  expect(sovo_robot_parse(urdf, sizeof urdf - 1, &robot) == SOVO_STATUS_OK);
  expect(sovo_robot_describe(robot, &info) == SOVO_STATUS_OK && info.link_count == 3 && info.position_count == 2);
  expect(sovo_robot_closest(robot, positions, 2, &options, &clearance) == SOVO_STATUS_OK);
  expect(near(clearance.contact.distance, 0.3));
  sovo_robot_free(robot);
}

static void scenes(void) {
  const sovo_body ball = sovo_body_ball(0.25), box = sovo_body_cuboid(0.5, 0.5, 0.5);
  sovo_pose here = sovo_pose_identity(), there = sovo_pose_identity();
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  sovo_scene *scene = NULL;
  sovo_scene_contact contact;
  uint32_t one, other;
  uint64_t id;
  there.translation[1] = 1;
  expect(sovo_scene_new(&scene) == SOVO_STATUS_OK);
  expect(sovo_scene_group(scene, "ball", &one) == SOVO_STATUS_OK);
  expect(sovo_scene_group(scene, "box", &other) == SOVO_STATUS_OK);
  expect(sovo_scene_add(scene, one, &ball, &there, 0, &id) == SOVO_STATUS_OK);
  expect(sovo_scene_add(scene, other, &box, &here, 1, &id) == SOVO_STATUS_OK);
  expect(sovo_scene_closest(scene, &options, &contact) == SOVO_STATUS_OK);
  expect(near(contact.contact.distance, 0.25));
  sovo_scene_free(scene);
}

/* The compiler calls these two. */
__attribute__((visibility("hidden"))) void *memset(void *to, int value, size_t count) {
  for (size_t k = 0; k < count; ++k)
    ((volatile unsigned char *)to)[k] = (unsigned char)value;
  return to;
}

__attribute__((visibility("hidden"))) void *memcpy(void *to, const void *from, size_t count) {
  for (size_t k = 0; k < count; ++k)
    ((volatile unsigned char *)to)[k] = ((const unsigned char *)from)[k];
  return to;
}

__attribute__((force_align_arg_pointer, noreturn)) void _start(void) {
  pairs();
  meshes();
  robots();
  scenes();
  __asm__ volatile("syscall" : : "a"(231L), "D"((long)failed));
  __builtin_unreachable();
}
