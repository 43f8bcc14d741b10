/* Every function with every kind of bad argument, one at a time.
 *
 * The table FUNCTIONS says of each function what its arguments are, with valid values, and with what
 * status and word a bad one is to be refused. From that follow, for each argument in turn: NULL, memory
 * that is not aligned, memory shared with the output, numbers that are not finite, huge and tiny
 * numbers, changed bytes, sizes and enum numbers that are none. After every call that fails, all memory
 * must be as it was, bit by bit. What does not fit the table (batches, meshes, matrices) follows.
 */
#include "check.h"

#include <float.h>

/* ---- Values that are valid ------------------------------------------------------------------ */

static const double AXES[3] = {0.5, 0.4, 0.8}, EXPONENTS[2] = {0.7, 1.1}, TAPERS[2] = {0.2, 0.2};
static const double UNIT_MATRIX[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double POINT[3] = {2.0, 0.3, -0.4}, OTHER_POINT[3] = {1.5, 2.0, 0.6};
static const double CORNERS[9] = {2, 0, 0, 2, 1, 0, 3, 0, 1};
static const double PLANAR_AXES[2] = {1, 0.5}, PLANAR_A[2] = {2, 1}, PLANAR_B[2] = {2, -1},
                    PLANAR_TRANSLATION[2] = {0.1, 0.2};
static const double ANGLE = 0.3, EXPONENT = 0.8, FAR = 9.0;
static const sovo_query_options OPTIONS = SOVO_QUERY_OPTIONS_INIT;
static const sovo_vertex_options VERTEX_OPTIONS = SOVO_VERTEX_OPTIONS_INIT;
static const sovo_bounding_sphere SPHERES[2] = {{{0, 0, 0}, 1}, {{3, 0, 0}, 1}};
static const sovo_aabb BOXES[2] = {{{0, 0, 0}, {1, 1, 1}}, {{2, 2, 2}, {3, 3, 3}}};
static sovo_obb obbs[2];
static sovo_superovoid shape, shape_b;
static sovo_pose pose, pose_b;
static sovo_pair_cache cache;
static sovo_contact pair_answer, vertex_answer, plane_answer, hull_answer;
static sovo_body ovoid, ovoid_b, ball, cuboid, can, capsule, cone, hull_body, points_body, point_body, segment, triangle_body,
    half_space, plane, mesh_body, set_body, ring, cup_hull;
static sovo_hull *hull;
static sovo_motion motion, motion_b, passing, resting;
static sovo_pose first_pose, last_pose; /* of a motion, which is not a body */
static sovo_tri_mesh *mesh;
static sovo_box_set *set;

static void set_up(void) {
  const uint32_t triangle[3] = {0, 1, 2};
  sovo_contact contact;
  shape = shape_of(0.5, 0.4, 0.8, 0.7, 1.1, 0.2, 0.2);
  shape_b = shape_of(0.5, 1.0, 0.3, 1.5, 0.1, 0, 0);
  pose = pose_at(0.1, -0.2, 0.3);
  pose_b = pose_at(2, 1, 0);
  pose_b.rotation[0] = pose_b.rotation[3] = sqrt(0.5);
  obbs[0].pose = pose;
  obbs[1].pose = pose_b;
  obbs[0].half_extents[0] = obbs[1].half_extents[1] = 0.2;
  first_pose = pose;
  last_pose = pose_b;
  OK(sovo_motion_between(SOVO_MOTION_KIND_SCREW, &pose, &pose_b, &motion));
  memset(&motion_b, 0, sizeof motion_b);
  motion_b.start = pose_at(2, -3, 0.5);
  motion_b.linear[1] = 3;
  motion_b.angular[0] = 7;
  motion_b.center[2] = 0.1;
  memset(&resting, 0, sizeof resting);
  resting.start = motion_b.start;
  passing = motion_b;
  passing.start = pose_at(-4, 0, 0);
  passing.linear[0] = 8;
  memset(&cache, 0, sizeof cache);
  OK(sovo_pair_contact(&shape, &pose, &shape_b, &pose_b, NULL, &cache, &contact));
  OK(sovo_pair_contact(&shape, &pose, &shape_b, &pose_b, NULL, NULL, &pair_answer));
  OK(sovo_tri_mesh_new(CORNERS, 3, 24, triangle, 1, 0, &mesh));
  OK(sovo_box_set_new(BOXES, 2, &set));
  OK(sovo_hull_new(CORNERS, 3, 24, &hull));
  {
    static const double TUBE[3] = {1.5, 1.4, 1.6}, BENT[2] = {0.8, 1.2};
    ring = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, TUBE, BENT, 3);
    cup_hull = sovo_body_superquadric_hull(SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET, TUBE, BENT, 3);
  }
  ovoid = sovo_body_superovoid(&shape);
  ovoid_b = sovo_body_superovoid(&shape_b);
  ball = sovo_body_ball(0.4);
  cuboid = sovo_body_cuboid(0.3, 0.2, 0.1);
  can = sovo_body_cylinder(0.3, 0.5);
  capsule = sovo_body_capsule(0.3, 0.5);
  cone = sovo_body_cone(0.4, 0.7);
  hull_body = sovo_body_hull(hull);
  points_body = sovo_body_points(CORNERS, 3, 24);
  point_body = sovo_body_point();
  segment = sovo_body_segment(POINT, OTHER_POINT);
  triangle_body = sovo_body_triangle(CORNERS);
  half_space = sovo_body_half_space(POINT, -1.5);
  plane = sovo_body_plane(POINT, -1.5);
  mesh_body = sovo_body_tri_mesh(mesh);
  set_body = sovo_body_box_set(set);
  OK(sovo_body_contact(&ovoid, &pose, &point_body, &pose_b, NULL, &vertex_answer, NULL));
  OK(sovo_body_contact(&ovoid, &pose, &half_space, &pose_b, NULL, &plane_answer, NULL));
  OK(sovo_body_contact(&ovoid, &pose, &points_body, &pose_b, NULL, &hull_answer, NULL));
}

/* ---- The table ------------------------------------------------------------------------------ */

enum kind {
  END,
  SHAPE,       /* a sovo_superovoid: any changed byte is refused */
  BODY,        /* a sovo_body: see bad_bodies() */
  NUMBERS,     /* doubles, poses among them, which must be finite */
  SCALAR,      /* a double passed by value */
  OPTIONAL,    /* doubles; or NULL */
  CACHED,      /* a sovo_pair_cache, or NULL; input and output */
  OPTION_SET,  /* sovo_query_options, or NULL */
  VERTEX_SET,  /* sovo_vertex_options, or NULL */
  HANDLE,      /* not to be changed */
  OUTPUT,      /* a place for the answer */
  MAYBE_OUTPUT /* the same; or NULL */
};

struct argument {
  enum kind kind;
  const char *name;
  const void *value; /* of an output NULL */
  size_t size;
  sovo_status refusal; /* of numbers that are not finite */
  const char *word;    /* in the text of that */
};

struct function {
  const char *name;
  sovo_status (*call)(void *const *p);
  struct argument arguments[9];
};

#define CALLER(name, arguments) \
  static sovo_status call_##name(void *const *p) { return sovo_##name arguments; }
#define NUMBER(k) (*(const double *)p[k])

CALLER(pose_from_matrix, (p[0], p[1], p[2]))
CALLER(pose_rotation_matrix, (p[0], p[1]))
CALLER(superovoid_make, (p[0], p[1], p[2], p[3]))
CALLER(superovoid_make_convex, (p[0], p[1], p[2], p[3]))
CALLER(superovoid_support, (p[0], p[1], p[2], p[3]))
CALLER(superovoid_surface_point, (p[0], NUMBER(1), NUMBER(2), p[3], p[4]))
CALLER(superovoid_bounding_sphere, (p[0], p[1]))
CALLER(superovoid_aabb, (p[0], p[1], p[2]))
CALLER(superovoid_obb, (p[0], p[1], p[2]))
CALLER(bounding_sphere_distance, (p[0], p[1], p[2]))
CALLER(aabb_distance, (p[0], p[1], p[2]))
CALLER(obb_distance, (p[0], p[1], p[2]))
CALLER(pair_contact, (p[0], p[1], p[2], p[3], p[4], p[5], p[6]))
CALLER(vertex_contact, (p[0], p[1], p[2], p[3], p[4]))
CALLER(published_scheme_contact, (1, 0, p[0], p[1], p[2], p[3], p[4], p[5], p[6]))
CALLER(published_iterative_vertex_contact, (p[0], p[1], p[2], p[3], p[4]))
CALLER(published_radial_vertex_contact, (p[0], p[1], p[2], p[3], p[4]))
CALLER(body_contact, (p[0], p[1], p[2], p[3], p[4], p[5], p[6]))
CALLER(body_contacts, (p[0], p[1], p[2], p[3], NUMBER(4), p[5], p[6], 2, p[7]))
CALLER(body_inside_outside, (p[0], p[1], p[2]))
CALLER(body_local_aabb, (p[0], p[1]))
CALLER(body_mass_properties, (p[0], NUMBER(1), p[2]))
CALLER(body_tessellate, (p[0], 8, p[1], 64, p[2], 128, p[3], p[4]))
CALLER(body_ray_cast, (p[0], p[1], p[2], p[3], NUMBER(4), 1, p[5]))
CALLER(body_ray_hits, (p[0], p[1], p[2], p[3], NUMBER(4), p[5], 1, p[6], p[7]))
CALLER(body_derivatives, (p[0], p[1], p[2], p[3], p[4], NULL, p[5]))
CALLER(body_time_of_impact, (p[0], p[1], p[2], p[3], NULL, p[4]))
CALLER(pair_gradient, (p[0], p[1], p[2], p[3], p[4], NULL, p[5]))
CALLER(motion_between, (SOVO_MOTION_KIND_SCREW, p[0], p[1], p[2]))
CALLER(motion_pose, (p[0], NUMBER(1), p[2]))
CALLER(planar_segment_contact, (p[0], NUMBER(1), p[2], NUMBER(3), p[4], p[5], p[6]))

#define A_SHAPE {SHAPE, "shape", &shape, sizeof shape, SOVO_STATUS_ERROR_SHAPE, "shape"}
#define A_BODY(name, value) {BODY, name, &value, sizeof value, SOVO_STATUS_OK, ""}
#define A_POSE {NUMBERS, "pose", &pose, sizeof pose, SOVO_STATUS_ERROR_POSE, "pose: the pose"}
#define B_POSE(name) {NUMBERS, name, &pose_b, sizeof pose_b, SOVO_STATUS_ERROR_POSE, name ": the pose"}
#define SOME(name, value, status, word) {NUMBERS, name, value, sizeof value, status, word}
#define GEOMETRY(name, value, word) SOME(name, value, SOVO_STATUS_ERROR_GEOMETRY, word)
#define ALONE(name, value, status, word) {SCALAR, name, &value, sizeof value, status, word}
#define AN_OPTION {OPTION_SET, "options", &OPTIONS, sizeof OPTIONS, SOVO_STATUS_ERROR_OPTION, "options"}
#define PLACE(name, type, count) {OUTPUT, name, NULL, sizeof(type) * (count), SOVO_STATUS_OK, ""}
#define CONTACT PLACE("contact", sovo_contact, 1)
/* The brackets are not read, and the last number is the outcome. */
#define ANSWER(value) {NUMBERS, "contact", &value, sizeof value, SOVO_STATUS_OK, ""}
#define GRADIENT PLACE("gradient", sovo_gradient, 1)
#define PARTS {MAYBE_OUTPUT, "parts", NULL, 2 * sizeof(uint32_t), SOVO_STATUS_OK, ""}
/* The last number is the kind: what is not finite is refused, or is another kind. */
#define A_MOTION(name, value) {NUMBERS, name, &value, sizeof value, SOVO_STATUS_OK, ""}
#define IMPACT PLACE("impact", sovo_time_of_impact, 1)
#define A_PAIR(a, b)                                                                            \
  A_BODY("a", a), {NUMBERS, "pose_a", &pose, sizeof pose, SOVO_STATUS_ERROR_POSE, "pose_a: the pose"}, \
      A_BODY("b", b), B_POSE("pose_b")
#define CONTACT_OF(a, b) {"body_contact, " #a " and " #b, call_body_contact, {A_PAIR(a, b), AN_OPTION, CONTACT, PARTS}}
#define DERIVATIVES_OF(a, b, answer) \
  {"body_derivatives, " #a " and " #b, call_body_derivatives, {A_PAIR(a, b), ANSWER(answer), GRADIENT}}
#define CONTACTS_OF(a, b, found)                                                                                     \
  {"body_contacts, " #b, call_body_contacts,                                                                         \
   {A_PAIR(a, b), ALONE("margin", FAR, SOVO_STATUS_OK, ""), AN_OPTION, PLACE("contacts", sovo_part_contact, found),  \
    PLACE("total", size_t, 1)}}
#define IMPACT_OF(a, b, motion_of_b)                                       \
  {"body_time_of_impact, " #a " and " #b, call_body_time_of_impact,        \
   {A_BODY("a", a), A_MOTION("motion_a", motion), A_BODY("b", b), A_MOTION("motion_b", motion_of_b), IMPACT}}

static const struct function FUNCTIONS[] = {
    {"pose_from_matrix", call_pose_from_matrix,
     {SOME("rotation", UNIT_MATRIX, SOVO_STATUS_ERROR_POSE, "pose"), SOME("translation", POINT, SOVO_STATUS_ERROR_POSE, "pose"),
      PLACE("pose", sovo_pose, 1)}},
    {"pose_rotation_matrix", call_pose_rotation_matrix, {A_POSE, PLACE("rotation", double, 9)}},
    {"superovoid_make", call_superovoid_make,
     {SOME("semi_axes", AXES, SOVO_STATUS_ERROR_SHAPE, "a"), SOME("exponents", EXPONENTS, SOVO_STATUS_ERROR_SHAPE, "e"),
      {OPTIONAL, "tapers", TAPERS, sizeof TAPERS, SOVO_STATUS_ERROR_SHAPE, "t"}, PLACE("shape", sovo_superovoid, 1)}},
    {"superovoid_make_convex", call_superovoid_make_convex,
     {SOME("semi_axes", AXES, SOVO_STATUS_ERROR_SHAPE, "a"), SOME("exponents", EXPONENTS, SOVO_STATUS_ERROR_SHAPE, "e"),
      {OPTIONAL, "tapers", TAPERS, sizeof TAPERS, SOVO_STATUS_ERROR_SHAPE, "t"}, PLACE("shape", sovo_superovoid, 1)}},
    {"superovoid_support", call_superovoid_support,
     {A_SHAPE, GEOMETRY("direction", POINT, "direction"), {MAYBE_OUTPUT, "value", NULL, 8, SOVO_STATUS_OK, ""},
      {MAYBE_OUTPUT, "point", NULL, 24, SOVO_STATUS_OK, ""}}},
    {"superovoid_surface_point", call_superovoid_surface_point,
     {A_SHAPE, ALONE("phi1", ANGLE, SOVO_STATUS_ERROR_GEOMETRY, "angle"), ALONE("phi2", ANGLE, SOVO_STATUS_ERROR_GEOMETRY, "angle"),
      {MAYBE_OUTPUT, "point", NULL, 24, SOVO_STATUS_OK, ""}, {MAYBE_OUTPUT, "normal", NULL, 24, SOVO_STATUS_OK, ""}}},
    {"superovoid_bounding_sphere", call_superovoid_bounding_sphere, {A_SHAPE, PLACE("sphere", sovo_bounding_sphere, 1)}},
    {"superovoid_aabb", call_superovoid_aabb, {A_SHAPE, A_POSE, PLACE("aabb", sovo_aabb, 1)}},
    {"superovoid_obb", call_superovoid_obb, {A_SHAPE, A_POSE, PLACE("obb", sovo_obb, 1)}},
    {"bounding_sphere_distance", call_bounding_sphere_distance,
     {{NUMBERS, "a", &SPHERES[0], sizeof *SPHERES, SOVO_STATUS_ERROR_GEOMETRY, "a: "},
      {NUMBERS, "b", &SPHERES[1], sizeof *SPHERES, SOVO_STATUS_ERROR_GEOMETRY, "b: "}, PLACE("distance", double, 1)}},
    {"aabb_distance", call_aabb_distance,
     {{NUMBERS, "a", &BOXES[0], sizeof *BOXES, SOVO_STATUS_ERROR_GEOMETRY, "a: "},
      {NUMBERS, "b", &BOXES[1], sizeof *BOXES, SOVO_STATUS_ERROR_GEOMETRY, "b: "}, PLACE("distance", double, 1)}},
    {"obb_distance", call_obb_distance,
     {{NUMBERS, "a", &obbs[0], sizeof *obbs, SOVO_STATUS_OK, ""}, {NUMBERS, "b", &obbs[1], sizeof *obbs, SOVO_STATUS_OK, ""},
      PLACE("distance", double, 1)}},
    {"pair_contact", call_pair_contact,
     {{SHAPE, "shape_a", &shape, sizeof shape, SOVO_STATUS_ERROR_SHAPE, "shape_a"},
      {NUMBERS, "pose_a", &pose, sizeof pose, SOVO_STATUS_ERROR_POSE, "pose_a: the pose"},
      {SHAPE, "shape_b", &shape_b, sizeof shape_b, SOVO_STATUS_ERROR_SHAPE, "shape_b"}, B_POSE("pose_b"), AN_OPTION,
      {CACHED, "cache", &cache, sizeof cache, SOVO_STATUS_ERROR_CACHE, "cache"}, CONTACT}},
    {"vertex_contact", call_vertex_contact,
     {A_SHAPE, A_POSE, GEOMETRY("point", POINT, "point"),
      {VERTEX_SET, "options", &VERTEX_OPTIONS, sizeof VERTEX_OPTIONS, SOVO_STATUS_ERROR_OPTION, "options"}, CONTACT}},
    {"published_scheme_contact", call_published_scheme_contact,
     {{SHAPE, "shape_a", &shape, sizeof shape, SOVO_STATUS_ERROR_SHAPE, "shape_a"},
      {NUMBERS, "pose_a", &pose, sizeof pose, SOVO_STATUS_ERROR_POSE, "pose_a: the pose"},
      {SHAPE, "shape_b", &shape_b, sizeof shape_b, SOVO_STATUS_ERROR_SHAPE, "shape_b"}, B_POSE("pose_b"), AN_OPTION,
      {CACHED, "cache", &cache, sizeof cache, SOVO_STATUS_ERROR_CACHE, "cache"}, CONTACT}},
    {"published_iterative_vertex_contact", call_published_iterative_vertex_contact,
     {A_SHAPE, A_POSE, GEOMETRY("vertex", POINT, "point"),
      {VERTEX_SET, "options", &VERTEX_OPTIONS, sizeof VERTEX_OPTIONS, SOVO_STATUS_ERROR_OPTION, "options"}, CONTACT}},
    {"published_radial_vertex_contact", call_published_radial_vertex_contact,
     {A_SHAPE, A_POSE, GEOMETRY("vertex", POINT, "point"),
      {VERTEX_SET, "options", &VERTEX_OPTIONS, sizeof VERTEX_OPTIONS, SOVO_STATUS_ERROR_OPTION, "options"}, CONTACT}},
    CONTACT_OF(ovoid, ovoid_b),
    CONTACT_OF(ovoid, ball),
    CONTACT_OF(ovoid, cuboid),
    CONTACT_OF(can, ovoid),
    CONTACT_OF(ovoid, hull_body),
    CONTACT_OF(ovoid, points_body),
    CONTACT_OF(ovoid, point_body),
    CONTACT_OF(segment, ovoid),
    CONTACT_OF(ovoid, triangle_body),
    CONTACT_OF(ovoid, half_space),
    CONTACT_OF(plane, ovoid),
    CONTACT_OF(ovoid, mesh_body),
    CONTACT_OF(set_body, ovoid),
    CONTACT_OF(cone, can),
    CONTACT_OF(capsule, mesh_body),
    CONTACT_OF(mesh_body, set_body),
    CONTACT_OF(ring, ovoid),
    CONTACT_OF(can, ring),
    CONTACT_OF(ring, point_body),
    CONTACT_OF(plane, ring),
    CONTACT_OF(ring, half_space),
    CONTACT_OF(ovoid, cup_hull),
    CONTACTS_OF(ovoid, mesh_body, 1),
    CONTACTS_OF(ovoid, set_body, 2),
    {"body_ray_cast, ovoid", call_body_ray_cast,
     {A_BODY("body", ovoid), A_POSE, GEOMETRY("origin", POINT, "origin"), GEOMETRY("direction", OTHER_POINT, "direction"),
      ALONE("max_time_of_impact", FAR, SOVO_STATUS_OK, ""), PLACE("hit", sovo_ray_hit, 1)}},
    {"body_ray_cast, ring", call_body_ray_cast,
     {A_BODY("body", ring), A_POSE, GEOMETRY("origin", POINT, "origin"), GEOMETRY("direction", OTHER_POINT, "direction"),
      ALONE("max_time_of_impact", FAR, SOVO_STATUS_OK, ""), PLACE("hit", sovo_ray_hit, 1)}},
    {"body_ray_cast, mesh", call_body_ray_cast,
     {A_BODY("body", mesh_body), A_POSE, GEOMETRY("origin", POINT, "origin"), GEOMETRY("direction", OTHER_POINT, "direction"),
      ALONE("max_time_of_impact", FAR, SOVO_STATUS_OK, ""), PLACE("hit", sovo_ray_hit, 1)}},
    {"body_ray_cast, can", call_body_ray_cast,
     {A_BODY("body", can), A_POSE, GEOMETRY("origin", POINT, "origin"), GEOMETRY("direction", OTHER_POINT, "direction"),
      ALONE("max_time_of_impact", FAR, SOVO_STATUS_OK, ""), PLACE("hit", sovo_ray_hit, 1)}},
    {"body_ray_hits", call_body_ray_hits,
     {A_BODY("body", ring), A_POSE, GEOMETRY("origin", POINT, "origin"), GEOMETRY("direction", OTHER_POINT, "direction"),
      ALONE("max_time_of_impact", FAR, SOVO_STATUS_OK, ""), PLACE("hits", sovo_ray_hit, 1), PLACE("total", size_t, 1),
      PLACE("complete", int32_t, 1)}},
    {"body_inside_outside, ovoid", call_body_inside_outside,
     {A_BODY("body", ovoid), GEOMETRY("point", POINT, "point"), PLACE("value", double, 1)}},
    {"body_inside_outside, ring", call_body_inside_outside,
     {A_BODY("body", ring), GEOMETRY("point", POINT, "point"), PLACE("value", double, 1)}},
    {"body_local_aabb, cone", call_body_local_aabb, {A_BODY("body", cone), PLACE("aabb", sovo_aabb, 1)}},
    {"body_local_aabb, triangle", call_body_local_aabb, {A_BODY("body", triangle_body), PLACE("aabb", sovo_aabb, 1)}},
    {"body_local_aabb, mesh", call_body_local_aabb, {A_BODY("body", mesh_body), PLACE("aabb", sovo_aabb, 1)}},
    {"body_mass_properties, ovoid", call_body_mass_properties,
     {A_BODY("body", ovoid), ALONE("density", FAR, SOVO_STATUS_ERROR_GEOMETRY, "density"), PLACE("properties", sovo_mass_properties, 1)}},
    {"body_mass_properties, ring", call_body_mass_properties,
     {A_BODY("body", ring), ALONE("density", FAR, SOVO_STATUS_ERROR_GEOMETRY, "density"), PLACE("properties", sovo_mass_properties, 1)}},
    {"body_tessellate, ovoid", call_body_tessellate,
     {A_BODY("body", ovoid), PLACE("vertices", double, 192), PLACE("triangles", uint32_t, 384), PLACE("vertex_count", size_t, 1),
      PLACE("triangle_count", size_t, 1)}},
    {"body_tessellate, ring", call_body_tessellate,
     {A_BODY("body", ring), PLACE("vertices", double, 192), PLACE("triangles", uint32_t, 384), PLACE("vertex_count", size_t, 1),
      PLACE("triangle_count", size_t, 1)}},
    {"pair_gradient", call_pair_gradient,
     {{SHAPE, "shape_a", &shape, sizeof shape, SOVO_STATUS_ERROR_SHAPE, "shape_a"},
      {NUMBERS, "pose_a", &pose, sizeof pose, SOVO_STATUS_ERROR_POSE, "pose_a: the pose"},
      {SHAPE, "shape_b", &shape_b, sizeof shape_b, SOVO_STATUS_ERROR_SHAPE, "shape_b"}, B_POSE("pose_b"), ANSWER(pair_answer), GRADIENT}},
    DERIVATIVES_OF(ovoid, ovoid_b, pair_answer),
    DERIVATIVES_OF(ovoid, point_body, vertex_answer),
    DERIVATIVES_OF(ovoid, half_space, plane_answer),
    DERIVATIVES_OF(ovoid, points_body, hull_answer),
    {"motion_between", call_motion_between,
     {{NUMBERS, "start", &first_pose, sizeof pose, SOVO_STATUS_ERROR_POSE, "start: the pose"},
      {NUMBERS, "end", &last_pose, sizeof pose_b, SOVO_STATUS_ERROR_POSE, "end: the pose"}, PLACE("motion", sovo_motion, 1)}},
    {"motion_pose", call_motion_pose,
     {A_MOTION("motion", motion), ALONE("t", ANGLE, SOVO_STATUS_ERROR_GEOMETRY, "t is not finite"), PLACE("pose", sovo_pose, 1)}},
    IMPACT_OF(ovoid, ovoid_b, motion_b),
    IMPACT_OF(ovoid, point_body, motion_b),
    IMPACT_OF(ovoid, half_space, resting),
    IMPACT_OF(ovoid, points_body, motion_b),
    IMPACT_OF(cone, can, motion_b),
    IMPACT_OF(ovoid, can, motion_b),
    IMPACT_OF(ovoid, mesh_body, motion_b),
    IMPACT_OF(set_body, ovoid, passing),
    {"planar_segment_contact", call_planar_segment_contact,
     {SOME("semi_axes", PLANAR_AXES, SOVO_STATUS_ERROR_SHAPE, "a"), ALONE("exponent", EXPONENT, SOVO_STATUS_ERROR_SHAPE, "e"),
      SOME("translation", PLANAR_TRANSLATION, SOVO_STATUS_ERROR_POSE, "pose"), ALONE("angle", ANGLE, SOVO_STATUS_ERROR_POSE, "angle"),
      GEOMETRY("from", PLANAR_A, "segment end"), GEOMETRY("to", PLANAR_B, "segment end"), PLACE("contact", sovo_planar_contact, 1)}},
};

/* ---- One call ------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 9, ROOM = 2048 };

/* A call being prepared: each argument in memory of its own, and what that memory was before. */
static struct {
  const struct function *function;
  void *pointers[MOST_ARGUMENTS];
  unsigned char memory[MOST_ARGUMENTS][ROOM], before[MOST_ARGUMENTS][ROOM];
} call;

static size_t argument_count(const struct function *function) {
  size_t k = 0;
  while (k < MOST_ARGUMENTS && function->arguments[k].kind != END) k++;
  return k;
}

/* Valid arguments, offset bytes from alignment. */
static void prepare(const struct function *function, size_t offset) {
  size_t k;
  call.function = function;
  memset(call.memory, PATTERN, sizeof call.memory);
  for (k = 0; k < argument_count(function); k++) {
    const struct argument *argument = &function->arguments[k];
    call.pointers[k] = call.memory[k] + 8 + offset;
    if (argument->kind == SCALAR) call.pointers[k] = call.memory[k] + 8; /* read by this program */
    if (argument->kind == HANDLE) memcpy(&call.pointers[k], argument->value, sizeof call.pointers[k]);
    else if (argument->value != NULL) memcpy(call.pointers[k], argument->value, argument->size);
  }
}

static int is_written(const struct argument *argument) {
  return argument->kind == OUTPUT || argument->kind == MAYBE_OUTPUT || argument->kind == CACHED;
}

/* Makes the call. Nothing may change but outputs, and those only if it succeeds. `what` is for the
 * messages. */
static sovo_status make(const char *what) {
  const struct function *function = call.function;
  sovo_status status;
  size_t k;
  memcpy(call.before, call.memory, sizeof call.memory);
  status = function->call(call.pointers);
  CHECK(status != SOVO_STATUS_ERROR_INTERNAL, "%s, %s: %s", function->name, what, sovo_last_error());
  if (status == SOVO_STATUS_OK)
    for (k = 0; k < argument_count(function); k++)
      if (is_written(&function->arguments[k]) && call.pointers[k] != NULL) {
        /* Where it points, also if that is another argument's memory. */
        const size_t start = (size_t)((unsigned char *)call.pointers[k] - call.memory[0]);
        memcpy(call.before[0] + start, call.memory[0] + start, function->arguments[k].size);
      }
  CHECK(memcmp(call.before, call.memory, sizeof call.memory) == 0, "%s, %s, %s: memory has changed",
        function->name, what, sovo_status_name(status));
  return status;
}

/* The call must be refused, with a word in the text. */
static void refused(const char *what, sovo_status expected, const char *word) {
  const sovo_status status = make(what);
  CHECK(status == expected, "%s, %s: %s instead of %s", call.function->name, what, sovo_status_name(status),
        sovo_status_name(expected));
  CHECK(status == SOVO_STATUS_OK || strstr(sovo_last_error(), word) != NULL, "%s, %s: \"%s\" does not name %s",
        call.function->name, what, sovo_last_error(), word);
}

/* ---- What is done to each argument ---------------------------------------------------------- */

/* The outputs of the call with valid arguments. */
static unsigned char answers[MOST_ARGUMENTS][ROOM];

static void valid(const struct function *function) {
  size_t k;
  prepare(function, 0);
  CHECK(make("all valid") == SOVO_STATUS_OK, "%s: %s", function->name, sovo_last_error());
  for (k = 0; k < argument_count(function); k++) memcpy(answers[k], call.pointers[k], function->arguments[k].size);
}

static void compare_answers(const char *what) {
  size_t k;
  for (k = 0; k < argument_count(call.function); k++)
    if (is_written(&call.function->arguments[k]) && call.pointers[k] != NULL)
      CHECK(memcmp(answers[k], call.pointers[k], call.function->arguments[k].size) == 0, "%s, %s: another %s",
            call.function->name, what, call.function->arguments[k].name);
}

static void misaligned(const struct function *function) {
  size_t offset;
  for (offset = 1; offset < 8; offset++) {
    prepare(function, offset);
    CHECK(make("misaligned") == SOVO_STATUS_OK, "%s: %s", function->name, sovo_last_error());
    compare_answers("misaligned");
  }
}

static void null(const struct function *function, size_t k) {
  const struct argument *argument = &function->arguments[k];
  char text[64];
  prepare(function, 0);
  call.pointers[k] = NULL;
  sprintf(text, "%s is NULL", argument->name);
  switch (argument->kind) {
    case SCALAR: break;
    case OPTIONAL:
    case OPTION_SET:
    case VERTEX_SET:
    case CACHED:
    case MAYBE_OUTPUT: CHECK(make(text) == SOVO_STATUS_OK, "%s, %s", function->name, text); break;
    default:
      refused(text, SOVO_STATUS_ERROR_NULL, text);
      CHECK(strcmp(sovo_last_error(), text) == 0, "%s: %s", function->name, sovo_last_error());
  }
}

/* The output on top of an input. */
static void overlapping(const struct function *function, size_t k) {
  size_t output;
  for (output = 0; output < argument_count(function); output++)
    if (function->arguments[output].kind == OUTPUT && function->arguments[k].kind != HANDLE &&
        function->arguments[k].kind != CACHED && !is_written(&function->arguments[k])) {
      prepare(function, 0);
      call.pointers[output] = call.pointers[k];
      CHECK(make("output on input") == SOVO_STATUS_OK, "%s: %s", function->name, sovo_last_error());
      compare_answers("output on input");
    }
}

static void bad_numbers(const struct function *function, size_t k) {
  static const double NOT_FINITE[] = {NAN, INFINITY, -INFINITY};
  static const double EXTREME[] = {0,       -0.0,    5e-324, -5e-324, DBL_MIN, 1e-200, 1e-160, 1e-100, -1,
                                   1e100,   -1e100,  1e154,  1e160,   1e200,   -1e200, 1e300,  1e308,  -1e308,
                                   DBL_MAX, -DBL_MAX};
  const struct argument *argument = &function->arguments[k];
  char what[80];
  size_t i, j;
  if (argument->kind != NUMBERS && argument->kind != SCALAR && argument->kind != OPTIONAL) return;
  for (i = 0; i < argument->size / sizeof(double); i++) {
    for (j = 0; j < sizeof NOT_FINITE / sizeof *NOT_FINITE; j++) {
      prepare(function, 0);
      ((double *)call.pointers[k])[i] = NOT_FINITE[j];
      sprintf(what, "%s[%lu] = %g", argument->name, (unsigned long)i, NOT_FINITE[j]);
      if (argument->refusal == SOVO_STATUS_OK)
        make(what);
      else
        refused(what, argument->refusal, argument->word);
    }
    for (j = 0; j < sizeof EXTREME / sizeof *EXTREME; j++) {
      prepare(function, 0);
      ((double *)call.pointers[k])[i] = EXTREME[j];
      sprintf(what, "%s[%lu] = %g", argument->name, (unsigned long)i, EXTREME[j]);
      make(what);
    }
  }
  /* All of them at once. */
  for (j = 0; j < sizeof EXTREME / sizeof *EXTREME; j++) {
    prepare(function, 0);
    for (i = 0; i < argument->size / sizeof(double); i++) ((double *)call.pointers[k])[i] = EXTREME[j];
    sprintf(what, "%s = %g", argument->name, EXTREME[j]);
    make(what);
  }
}

/* Shapes and caches of which any byte was changed, or that are garbage. */
static void changed_bytes(const struct function *function, size_t k) {
  const struct argument *argument = &function->arguments[k];
  size_t byte;
  if (argument->kind != SHAPE && argument->kind != CACHED) return;
  for (byte = 0; byte < argument->size; byte++) {
    prepare(function, 0);
    ((unsigned char *)call.pointers[k])[byte] ^= (unsigned char)(1u << byte % 8);
    refused("changed byte", argument->refusal, argument->word);
  }
  prepare(function, 0);
  memset(call.pointers[k], 0xff, argument->size);
  refused("garbage", argument->refusal, argument->word);
  prepare(function, 0);
  memset(call.pointers[k], 0, argument->size);
  if (argument->kind == SHAPE)
    refused("all zero", argument->refusal, argument->word);
  else
    CHECK(make("an empty cache") == SOVO_STATUS_OK, "%s", sovo_last_error());
}

/* sizeof(struct) that is none, or that of another version: known is that of this one. */
static void sizes(const struct function *function, size_t k) {
  const struct argument *argument = &function->arguments[k];
  const size_t known = argument->size;
  /* Those of a pointer and of a struct that is cut short among them: no release has had them. */
  const size_t wrong[] = {0, 1, 7, sizeof(void *), 16, known - 8, known - 1, known - 4, known + 1, 1025, 4096, (size_t)-1, (size_t)-8};
  size_t i;
  if (argument->kind != OPTION_SET && argument->kind != VERTEX_SET) return;
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    prepare(function, 0);
    memcpy(call.pointers[k], &wrong[i], sizeof *wrong);
    refused("wrong size", SOVO_STATUS_ERROR_SIZE, "options->size");
  }
  for (i = known; i <= known + 64; i += 8) { /* the unknown fields of a later version are zero */
    prepare(function, 0);
    memset(call.pointers[k], 0, known + 64);
    memcpy(call.pointers[k], argument->value, known);
    memcpy(call.pointers[k], &i, sizeof i);
    CHECK(make("other size") == SOVO_STATUS_OK, "%s, size %lu: %s", function->name, (unsigned long)i, sovo_last_error());
    compare_answers("other size");
    if (i > known) { /* an unknown field is set */
      ((unsigned char *)call.pointers[k])[i - 1] = 1;
      refused("unknown field", SOVO_STATUS_ERROR_SIZE, "options has a field");
    }
  }
}

/* Options that are out of their domain, each with the name of the field. */
static void bad_options(const struct function *function, size_t k) {
  static const uint32_t NOT_AN_ENUM[] = {5, 100, 0x80000000u, UINT32_MAX};
  static const double NOT_A_LENGTH[] = {-1, -5e-324, NAN, INFINITY, -INFINITY};
  const enum kind kind = function->arguments[k].kind;
  size_t i;
  if (kind == OPTION_SET) {
    for (i = 0; i < sizeof NOT_AN_ENUM / sizeof *NOT_AN_ENUM; i++) {
      sovo_query_options *options;
      prepare(function, 0), options = call.pointers[k], options->depth = NOT_AN_ENUM[i];
      refused("depth", SOVO_STATUS_ERROR_OPTION, "options->depth");
    }
    for (i = 0; i < sizeof NOT_A_LENGTH / sizeof *NOT_A_LENGTH; i++) {
      sovo_query_options *options;
      prepare(function, 0), options = call.pointers[k], options->tolerance = NOT_A_LENGTH[i];
      refused("tolerance", SOVO_STATUS_ERROR_OPTION, "tolerance");
    }
  }
  if (kind == VERTEX_SET) {
    for (i = 0; i < sizeof NOT_AN_ENUM / sizeof *NOT_AN_ENUM; i++) {
      sovo_vertex_options *options;
      prepare(function, 0), options = call.pointers[k], options->depth = NOT_AN_ENUM[i];
      refused("depth", SOVO_STATUS_ERROR_OPTION, "options->depth");
    }
    for (i = 0; i < sizeof NOT_A_LENGTH / sizeof *NOT_A_LENGTH; i++) {
      sovo_vertex_options *options;
      prepare(function, 0), options = call.pointers[k], options->tolerance = NOT_A_LENGTH[i];
      refused("tolerance", SOVO_STATUS_ERROR_OPTION, "tolerance");
    }
  }
}

/* The numbers that follow the kind, all of which must be finite. */
static size_t numbers_of(uint32_t kind) {
  switch (kind) {
    case SOVO_BODY_KIND_BALL: return 1;
    case SOVO_BODY_KIND_CYLINDER:
    case SOVO_BODY_KIND_CAPSULE:
    case SOVO_BODY_KIND_CONE: return 2;
    case SOVO_BODY_KIND_CUBOID: return 3;
    case SOVO_BODY_KIND_HALF_SPACE:
    case SOVO_BODY_KIND_PLANE: return 4;
    case SOVO_BODY_KIND_SEGMENT:
    case SOVO_BODY_KIND_SUPERQUADRIC:
    case SOVO_BODY_KIND_SUPERQUADRIC_HULL: return 6;
    case SOVO_BODY_KIND_TRIANGLE: return 9;
    default: return 0;
  }
}

/* Bodies whose kind, numbers, pointers or unused words are none, each refused by the name of the argument. */
static void bad_bodies(const struct function *function, size_t k) {
  static const uint32_t NOT_A_KIND[] = {0, 19, 100, 0x80000000u, UINT32_MAX}, NOT_A_FAMILY[] = {0, 6, UINT32_MAX};
  static const double NOT_FINITE[] = {NAN, INFINITY, -INFINITY};
  const struct argument *argument = &function->arguments[k];
  const sovo_body *valid_body = argument->value;
  sovo_body *body;
  char place[40];
  size_t i, j;
  if (argument->kind != BODY) return;
  sprintf(place, "%s: ", argument->name);
  for (i = 0; i < sizeof NOT_A_KIND / sizeof *NOT_A_KIND; i++) {
    prepare(function, 0), body = call.pointers[k], body->kind = NOT_A_KIND[i];
    refused("kind", SOVO_STATUS_ERROR_OPTION, strcat(strcpy(place, argument->name), ": kind"));
  }
  prepare(function, 0), body = call.pointers[k], body->reserved = 1;
  refused("reserved", SOVO_STATUS_ERROR_OPTION, strcat(strcpy(place, argument->name), ": reserved"));
  sprintf(place, "%s: ", argument->name);
  for (i = 0; i < numbers_of(valid_body->kind); i++)
    for (j = 0; j < sizeof NOT_FINITE / sizeof *NOT_FINITE; j++) {
      const int is_superquadric = valid_body->kind >= SOVO_BODY_KIND_SUPERQUADRIC;
      double *numbers;
      prepare(function, 0), body = call.pointers[k], numbers = (double *)&body->data, numbers[i] = NOT_FINITE[j];
      refused("a number", is_superquadric ? SOVO_STATUS_ERROR_SHAPE : SOVO_STATUS_ERROR_GEOMETRY, place);
    }
  switch (valid_body->kind) {
    case SOVO_BODY_KIND_SUPEROVOID:
      for (i = 0; i < sizeof(sovo_superovoid); i++) {
        prepare(function, 0), body = call.pointers[k];
        ((unsigned char *)&body->data)[i] ^= (unsigned char)(1u << i % 8);
        refused("a changed byte", SOVO_STATUS_ERROR_SHAPE, place);
      }
      break;
    case SOVO_BODY_KIND_HULL:
    case SOVO_BODY_KIND_TRI_MESH:
    case SOVO_BODY_KIND_BOX_SET:
    case SOVO_BODY_KIND_HEIGHT_FIELD:
      prepare(function, 0), body = call.pointers[k], body->data.hull = NULL;
      refused("no handle", SOVO_STATUS_ERROR_NULL, place);
      break;
    case SOVO_BODY_KIND_POINTS:
      prepare(function, 0), body = call.pointers[k], body->data.points.first = NULL;
      refused("no points", SOVO_STATUS_ERROR_NULL, place);
      prepare(function, 0), body = call.pointers[k], body->data.points.count = 0;
      refused("0 points", SOVO_STATUS_ERROR_GEOMETRY, place);
      prepare(function, 0), body = call.pointers[k], body->data.points.count = (size_t)-1 / 12;
      refused("many points", SOVO_STATUS_ERROR_SIZE, place);
      break;
    case SOVO_BODY_KIND_SUPERQUADRIC:
    case SOVO_BODY_KIND_SUPERQUADRIC_HULL:
      for (i = 0; i < sizeof NOT_A_FAMILY / sizeof *NOT_A_FAMILY; i++) {
        prepare(function, 0), body = call.pointers[k], body->data.superquadric.family = NOT_A_FAMILY[i];
        refused("family", SOVO_STATUS_ERROR_OPTION, "family");
      }
      prepare(function, 0), body = call.pointers[k], body->data.superquadric.reserved = 1;
      refused("reserved", SOVO_STATUS_ERROR_OPTION, "superquadric.reserved");
      break;
    default: break;
  }
}

static void run_the_table(void) {
  size_t f, k;
  for (f = 0; f < sizeof FUNCTIONS / sizeof *FUNCTIONS; f++) {
    const struct function *function = &FUNCTIONS[f];
    valid(function);
    misaligned(function);
    for (k = 0; k < argument_count(function); k++) {
      null(function, k);
      overlapping(function, k);
      bad_numbers(function, k);
      changed_bytes(function, k);
      sizes(function, k);
      bad_options(function, k);
      bad_bodies(function, k);
    }
  }
}

/* ---- Poses from matrices -------------------------------------------------------------------- */

static void matrices(void) {
  static const struct {
    const char *what;
    double matrix[9];
    const char *word;
  } BAD[] = {
      {"all zero", {0}, "orthonormal"},
      {"mirror", {1, 0, 0, 0, 1, 0, 0, 0, -1}, "mirrors"},
      {"minus one", {-1, 0, 0, 0, -1, 0, 0, 0, -1}, "mirrors"},
      {"scaled", {2, 0, 0, 0, 2, 0, 0, 0, 2}, "orthonormal"},
      {"sheared", {1, 2e-4, 0, 0, 1, 0, 0, 0, 1}, "orthonormal"},
      {"singular", {1, 0, 0, 1, 0, 0, 0, 0, 1}, "orthonormal"},
      {"products that overflow", {1e200, -1e200, 1e200, 1e200, 1e200, 1e200, -1e200, 1e200, 1e200}, "orthonormal"},
      {"products that vanish", {1e-200, 0, 0, 0, 1e-200, 0, 0, 0, 1e-200}, "orthonormal"},
      {"largest numbers", {DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX, -DBL_MAX, DBL_MAX, 1, 1, 1}, "orthonormal"},
  };
  /* Turns by half a turn, where the trace is least, and by nothing but rounding. */
  static const double GOOD[][9] = {{1, 0, 0, 0, -1, 0, 0, 0, -1}, {-1, 0, 0, 0, 1, 0, 0, 0, -1},
                                   {-1, 0, 0, 0, -1, 0, 0, 0, 1}, {0, 1, 0, 0, 0, 1, 1, 0, 0},
                                   {0, -1, 0, 1, 0, 0, 0, 0, 1},  {1, 1e-16, 0, -1e-16, 1, 0, 0, 0, 1}};
  size_t i, k;
  for (i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    prepare(&FUNCTIONS[0], 0);
    memcpy(call.pointers[0], BAD[i].matrix, sizeof BAD[i].matrix);
    refused(BAD[i].what, SOVO_STATUS_ERROR_POSE, BAD[i].word);
  }
  for (i = 0; i < sizeof GOOD / sizeof *GOOD; i++) {
    sovo_pose result;
    double back[9];
    OK(sovo_pose_from_matrix(GOOD[i], POINT, &result));
    OK(sovo_pose_rotation_matrix(&result, back));
    for (k = 0; k < 9; k++) CHECK(fabs(back[k] - GOOD[i][k]) < 1e-14, "matrix %lu", (unsigned long)i);
    CHECK(memcmp(result.translation, POINT, sizeof POINT) == 0, "the translation is another one");
  }
}

/* Quaternions that are zero are refused, by body. */
static void quaternions(void) {
  static const double LENGTHS[] = {1e-300, 1e-3, 1 - 2e-6, 1 + 2e-6, 2, 1e3, 1e200};
  size_t f, k, i, j;
  sovo_contact exact, found;
  for (f = 0; f < sizeof FUNCTIONS / sizeof *FUNCTIONS; f++)
    for (k = 0; k < argument_count(&FUNCTIONS[f]); k++) {
      const struct argument *argument = &FUNCTIONS[f].arguments[k];
      if (argument->value != &pose && argument->value != &pose_b) continue;
      prepare(&FUNCTIONS[f], 0);
      for (j = 0; j < 4; j++) ((sovo_pose *)call.pointers[k])->rotation[j] = 0;
      refused("zero quaternion", SOVO_STATUS_ERROR_POSE, argument->name);
    }
  /* Of any other length they are divided by it. */
  OK(sovo_pair_contact(&shape, &pose, &shape, &pose_b, NULL, NULL, &exact));
  for (i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
    sovo_pose turned = pose_b;
    for (j = 0; j < 4; j++) turned.rotation[j] *= LENGTHS[i];
    OK(sovo_pair_contact(&shape, &pose, &shape, &turned, NULL, NULL, &found));
    CHECK(fabs(found.distance - exact.distance) < 1e-12, "length %g", LENGTHS[i]);
  }
}

/* ---- Zero directions, and the few other numbers that have no meaning ------------------------ */

static void meaningless_numbers(void) {
  static const double ZERO[3] = {0, -0.0, 0};
  sovo_contact contact;
  sovo_ray_hit hit;
  sovo_body flat;
  double value, point[3];
  struct {
    sovo_status status;
    const char *word;
    char text[200];
  } calls[8];
  size_t i, n = 0;
#define REFUSED(call_, word_) \
  (calls[n].status = call_, calls[n].word = word_, strncpy(calls[n].text, sovo_last_error(), 199), calls[n++].text[199] = 0)
  REFUSED(sovo_superovoid_support(&shape, ZERO, &value, point), "direction");
  flat = sovo_body_plane(ZERO, 1);
  REFUSED(sovo_body_contact(&ovoid, &pose, &flat, &pose, NULL, &contact, NULL), "b: plane normal");
  flat = sovo_body_half_space(ZERO, 1);
  REFUSED(sovo_body_contact(&flat, &pose, &ovoid, &pose, NULL, &contact, NULL), "a: plane normal");
  REFUSED(sovo_body_ray_cast(&ovoid, &pose, POINT, ZERO, 1, 1, &hit), "direction");
  REFUSED(sovo_body_ray_cast(&ovoid, &pose, POINT, POINT, -1, 1, &hit), "time");
  REFUSED(sovo_body_ray_cast(&ovoid, &pose, POINT, POINT, NAN, 1, &hit), "time");
  for (i = 0; i < n; i++) {
    CHECK(calls[i].status == SOVO_STATUS_ERROR_GEOMETRY || calls[i].status == SOVO_STATUS_ERROR_OPTION, "call %lu: %s",
          (unsigned long)i, sovo_status_name(calls[i].status));
    CHECK(strstr(calls[i].text, calls[i].word) != NULL, "\"%s\" does not name %s", calls[i].text, calls[i].word);
  }
}

/* ---- Motions that are none, and their options ------------------------------------------------- */

static void expect(const char *what, sovo_status status, sovo_status expected, const char *word);

static void motions(void) {
  static const double NOT_FINITE[] = {NAN, INFINITY, -INFINITY};
  static const uint32_t NOT_A_KIND[] = {2, 100, 0x80000000u, UINT32_MAX};
  sovo_motion bad;
  sovo_time_of_impact impact;
  sovo_time_of_impact_options options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  sovo_status status;
  size_t i, j;
  OK(sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &motion_b, &options, &impact));
  for (i = 0; i < 16; i++)
    for (j = 0; j < sizeof NOT_FINITE / sizeof *NOT_FINITE; j++) {
      bad = motion_b;
      ((double *)&bad)[i] = NOT_FINITE[j];
      status = i < 7 ? SOVO_STATUS_ERROR_POSE : SOVO_STATUS_ERROR_GEOMETRY; /* its start, or the rest */
      expect("motion_b", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &bad, NULL, &impact), status, "motion_b: ");
      expect("motion_a", sovo_body_time_of_impact(&ovoid, &bad, &ovoid_b, &motion, NULL, &impact), status, "motion_a: ");
      bad.kind = SOVO_MOTION_KIND_SCREW;
      expect("screw", sovo_body_time_of_impact(&ovoid, &motion, &point_body, &bad, NULL, &impact), status, "motion_b: ");
    }
  bad = motion_b;
  memset(bad.start.rotation, 0, sizeof bad.start.rotation);
  expect("zero quaternion", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &bad, NULL, &impact), SOVO_STATUS_ERROR_POSE, "motion_b: start: the quaternion");
  for (i = 0; i < sizeof NOT_A_KIND / sizeof *NOT_A_KIND; i++) {
    bad = motion_b;
    bad.kind = NOT_A_KIND[i];
    expect("kind", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &bad, NULL, &impact), SOVO_STATUS_ERROR_OPTION, "motion_b: kind");
    expect("kind", sovo_motion_between(NOT_A_KIND[i], &pose, &pose_b, &bad), SOVO_STATUS_ERROR_OPTION, "kind");
  }
  bad = motion_b;
  bad.reserved = 1;
  expect("reserved", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &bad, NULL, &impact), SOVO_STATUS_ERROR_OPTION, "motion_b: reserved");
  options.reserved = 1;
  expect("reserved", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &motion_b, &options, &impact), SOVO_STATUS_ERROR_OPTION, "reserved");
  for (i = 0; i < sizeof NOT_FINITE / sizeof *NOT_FINITE; i++) {
    options.reserved = 0;
    options.tolerance = NOT_FINITE[i];
    expect("tolerance", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &motion_b, &options, &impact), SOVO_STATUS_ERROR_OPTION, "tolerance");
    options.tolerance = 0;
    options.min_separation = NOT_FINITE[i];
    expect("separation", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &motion_b, &options, &impact), SOVO_STATUS_ERROR_OPTION,
           "min_separation");
    options.min_separation = 0;
  }
  options.size = 7;
  expect("size", sovo_body_time_of_impact(&ovoid, &motion, &ovoid_b, &motion_b, &options, &impact), SOVO_STATUS_ERROR_SIZE, "options->size");
}

/* ---- Answers that the number range is too small for ----------------------------------------- */

static void out_of_range(void) {
  const sovo_superovoid giant = shape_of(1.7e308, 1.7e308, 1.7e308, 0.5, 0.5, 0.9, 0.9);
  const sovo_superovoid speck = shape_of(5e-324, 5e-324, 5e-324, 1, 1, 0.5, 0.5);
  const sovo_superovoid needle = shape_of(1e-300, 1e300, 1, 1, 1, 0, 0);
  const sovo_pose far_away = pose_at(1.7e308, -1.7e308, 1.7e308);
  const double far_point[3] = {1e308, 1e308, 1e308}, near_point[3] = {0, 0, 0};
  sovo_pose here = sovo_pose_identity();
  double numbers[3 * 26];
  uint32_t triangles[3 * 48];
  const sovo_superovoid thin = shape_of(1e-200, 1e150, 1, 1, 1, 0, 0);
  const sovo_body thin_body = sovo_body_superovoid(&thin);
  sovo_bounding_sphere ball;
  sovo_mass_properties mass;
  sovo_aabb box;
  sovo_obb obb;
  sovo_contact contact;
  sovo_status status;
  size_t vertex_count, triangle_count;
  const sovo_body giant_body = sovo_body_superovoid(&giant), needle_body = sovo_body_superovoid(&needle);
  const sovo_body speck_body = sovo_body_superovoid(&speck), far_plane = sovo_body_plane(POINT, 1e308);
  const sovo_body far_half_space = sovo_body_half_space(POINT, 1e308);
#define IN_RANGE_OR_REFUSED(call_, count, first)                                                       \
  do {                                                                                                 \
    size_t i_;                                                                                         \
    status = call_;                                                                                    \
    CHECK(status == SOVO_STATUS_OK || status == SOVO_STATUS_ERROR_OVERFLOW, "%s: %s", #call_, sovo_last_error());    \
    for (i_ = 0; status == SOVO_STATUS_OK && i_ < (count); i_++)                                              \
      CHECK(isfinite((first)[i_]), "%s: number %lu is %g", #call_, (unsigned long)i_, (first)[i_]);    \
  } while (0)
  IN_RANGE_OR_REFUSED(sovo_body_mass_properties(&giant_body, 1, &mass), 14, &mass.mass);
  CHECK(status == SOVO_STATUS_ERROR_OVERFLOW, "volume of a giant: %g", mass.volume);
  IN_RANGE_OR_REFUSED(sovo_superovoid_bounding_sphere(&giant, &ball), 4, (double *)&ball);
  CHECK(status == SOVO_STATUS_ERROR_OVERFLOW, "ball around a giant: %g", ball.radius);
  IN_RANGE_OR_REFUSED(sovo_superovoid_aabb(&giant, &far_away, &box), 6, (double *)&box);
  CHECK(status == SOVO_STATUS_ERROR_OVERFLOW, "box around a giant: %g", box.max[0]);
  IN_RANGE_OR_REFUSED(sovo_superovoid_obb(&giant, &here, &obb), 10, (double *)&obb);
  IN_RANGE_OR_REFUSED(sovo_superovoid_surface_point(&giant, 0.1, 0.8, numbers, numbers + 3), 6, numbers);
  IN_RANGE_OR_REFUSED(sovo_superovoid_support(&giant, POINT, numbers, numbers + 1), 4, numbers);
  IN_RANGE_OR_REFUSED(sovo_body_tessellate(&giant_body, 8, numbers, 26, triangles, 48, &vertex_count, &triangle_count), 3 * 26, numbers);
  IN_RANGE_OR_REFUSED(sovo_body_tessellate(&needle_body, 8, numbers, 26, triangles, 48, &vertex_count, &triangle_count), 3 * 26, numbers);
  IN_RANGE_OR_REFUSED(sovo_body_contact(&giant_body, &here, &far_plane, &here, NULL, &contact, NULL), 12, &contact.distance);
  IN_RANGE_OR_REFUSED(sovo_body_contact(&giant_body, &here, &far_half_space, &here, NULL, &contact, NULL), 12, &contact.distance);
  IN_RANGE_OR_REFUSED(sovo_pair_contact(&giant, &here, &giant, &far_away, NULL, NULL, &contact), 12, &contact.distance);
  IN_RANGE_OR_REFUSED(sovo_pair_contact(&speck, &here, &giant, &here, NULL, NULL, &contact), 12, &contact.distance);
  status = sovo_body_inside_outside(&speck_body, far_point, numbers);
  CHECK(status == SOVO_STATUS_ERROR_OVERFLOW || numbers[0] > 0, "F = %g far outside", numbers[0]);
  status = sovo_body_inside_outside(&speck_body, near_point, numbers);
  CHECK(status == SOVO_STATUS_ERROR_OVERFLOW || numbers[0] == -1, "F = %g at the centre", numbers[0]);
  /* Products that leave the number range on the way to one that does not. */
  OK(sovo_body_mass_properties(&thin_body, 1, &mass));
  CHECK(fabs(mass.volume / (4 * acos(-1) / 3 * 1e-50) - 1) < 1e-12, "the volume of a needle is %g", mass.volume);
}

/* ---- Counts, strides and capacities --------------------------------------------------------- */

static const size_t HUGE_SIZES[] = {(size_t)-1, (size_t)-2, (size_t)-1 / 2, (size_t)-1 / 2 + 1, (size_t)-1 / 12};
enum { HUGE_COUNT = sizeof HUGE_SIZES / sizeof *HUGE_SIZES };

static void expect(const char *what, sovo_status status, sovo_status expected, const char *word) {
  CHECK(status == expected, "%s: %s, %s", what, sovo_status_name(status), sovo_last_error());
  CHECK(status == SOVO_STATUS_OK || strstr(sovo_last_error(), word) != NULL, "%s: \"%s\" does not name %s", what,
        sovo_last_error(), word);
}

/* One element each, and counts that memory cannot hold: to be refused before more is touched. */
static void huge_counts(void) {
  const uint32_t triangle[3] = {0, 1, 2};
  double *points = malloc(24);
  sovo_contact contact, *place = malloc(sizeof *place);
  sovo_part_contact parts[1];
  sovo_tri_mesh *new_mesh = NULL;
  sovo_box_set *new_set = NULL;
  sovo_hull *new_hull = NULL;
  sovo_body body;
  size_t i, found = 77, vertices, triangles;
  memcpy(points, POINT, 24);
  memset(parts, PATTERN, sizeof parts);
  for (i = 0; i < HUGE_COUNT; i++) {
    const size_t huge = HUGE_SIZES[i];
    sovo_pair_batch pairs = SOVO_PAIR_BATCH_INIT;
    sovo_vertex_batch batch = SOVO_VERTEX_BATCH_INIT;
    body = sovo_body_points(points, huge, 24);
    expect("points", sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL), SOVO_STATUS_ERROR_SIZE, "points");
    body = sovo_body_points(points, huge, 0);
    expect("points", sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL), SOVO_STATUS_ERROR_SIZE, "points");
    body = sovo_body_points(points, 1 << 20, huge);
    expect("points", sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL), SOVO_STATUS_ERROR_SIZE, "points");
    expect("hull", sovo_hull_new(points, huge, 24, &new_hull), SOVO_STATUS_ERROR_SIZE, "points");
    expect("mesh", sovo_tri_mesh_new(points, huge, 24, triangle, 1, 0, &new_mesh), SOVO_STATUS_ERROR_SIZE, "vertices");
    expect("mesh", sovo_tri_mesh_new(points, 1, 24, triangle, huge, 0, &new_mesh), SOVO_STATUS_ERROR_SIZE, "triangles");
    expect("boxes", sovo_box_set_new(BOXES, huge, &new_set), SOVO_STATUS_ERROR_SIZE, "boxes");
    expect("contacts", sovo_body_contacts(&ovoid, &pose, &mesh_body, &pose_b, 9, NULL, parts, huge, &found), SOVO_STATUS_ERROR_SIZE, "contacts");
    expect("contacts", sovo_body_contacts(&ovoid, &pose, &set_body, &pose_b, 9, NULL, parts, huge, &found), SOVO_STATUS_ERROR_SIZE, "contacts");
    expect("segments", sovo_body_tessellate(&ovoid, huge, NULL, 0, NULL, 0, &vertices, &triangles), SOVO_STATUS_ERROR_SIZE, "segments");
    expect("segments", sovo_body_tessellate(&ovoid, huge, points, huge, (uint32_t *)points, huge, &vertices, &triangles),
           SOVO_STATUS_ERROR_SIZE, "segments");
    pairs.shapes_a = pairs.shapes_b = &shape;
    pairs.poses_a = pairs.poses_b = &pose;
    pairs.contacts = place;
    pairs.count = huge;
    expect("pairs", sovo_pair_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_SIZE, "shapes_a");
    pairs.count = 1 << 20;
    pairs.contact_stride = huge;
    expect("pairs", sovo_pair_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_SIZE, "contacts");
    pairs.contact_stride = sizeof(sovo_contact);
    pairs.pose_b_stride = huge;
    expect("pairs", sovo_pair_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_SIZE, "poses_b");
    batch.points = points;
    batch.contacts = place;
    batch.count = huge;
    expect("points", sovo_vertex_contact_batch(&shape, &pose, &batch, NULL), SOVO_STATUS_ERROR_SIZE, "points");
    batch.count = 1 << 20;
    batch.point_stride = huge;
    expect("points", sovo_vertex_contact_batch(&shape, &pose, &batch, NULL), SOVO_STATUS_ERROR_SIZE, "points");
  }
  /* What an address space could hold, but no machine: all inputs are the same element. */
  {
    sovo_pair_batch pairs = SOVO_PAIR_BATCH_INIT;
    pairs.shapes_a = pairs.shapes_b = &shape;
    pairs.poses_a = pairs.poses_b = &pose;
    pairs.shape_a_stride = pairs.shape_b_stride = pairs.pose_a_stride = pairs.pose_b_stride = 0;
    pairs.contacts = place;
    pairs.count = (size_t)1 << 52;
    expect("pairs", sovo_pair_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_MEMORY, "memory");
    body = sovo_body_points(points, (size_t)1 << 52, 32); /* not contiguous: a copy */
    expect("points", sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL), SOVO_STATUS_ERROR_MEMORY, "memory");
    expect("mesh", sovo_tri_mesh_new(points, (size_t)1 << 52, 24, triangle, 1, 0, &new_mesh), SOVO_STATUS_ERROR_MEMORY, "memory");
  }
  CHECK(new_mesh == NULL && new_set == NULL && new_hull == NULL && found == 77, "an error wrote something");
  free(points);
  free(place);
}

/* Strides that count numbers instead of bytes, with which elements would overlap; and the stride 0 that other libraries
 * read as contiguous, of arrays of which all elements are meant. */
static void strides_that_are_not_bytes(void) {
  static const size_t SHORT[] = {1, 3, 4, 8, 23};
  const uint32_t triangle[3] = {0, 1, 2};
  static sovo_contact contacts[2];
  static sovo_part_contact parts[2];
  const sovo_superovoid shapes[2] = {shape, shape_b};
  const sovo_pose poses[2] = {pose, pose_b};
  const sovo_body bodies[2] = {ovoid, ovoid_b};
  const uint32_t index[2] = {0, 1};
  sovo_hull *new_hull = NULL;
  sovo_tri_mesh *new_mesh = NULL;
  sovo_contact contact;
  size_t i;
  for (i = 0; i < sizeof SHORT / sizeof *SHORT; i++) {
    const size_t stride = SHORT[i];
    sovo_body body = sovo_body_points(CORNERS, 3, stride);
    sovo_pair_batch pairs = SOVO_PAIR_BATCH_INIT;
    sovo_body_batch batch = SOVO_BODY_BATCH_INIT;
    sovo_indexed_pair_batch indexed = SOVO_INDEXED_PAIR_BATCH_INIT;
    sovo_vertex_batch vertices = SOVO_VERTEX_BATCH_INIT;
    expect("points", sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL), SOVO_STATUS_ERROR_SIZE, "b: the stride of data.points");
    expect("hull", sovo_hull_new(CORNERS, 3, stride, &new_hull), SOVO_STATUS_ERROR_SIZE, "the stride of points");
    expect("mesh", sovo_tri_mesh_new(CORNERS, 3, stride, triangle, 1, 0, &new_mesh), SOVO_STATUS_ERROR_SIZE, "the stride of vertices");
    pairs.count = batch.count = indexed.count = vertices.count = 2;
    pairs.shapes_a = pairs.shapes_b = shapes, pairs.poses_a = pairs.poses_b = poses, pairs.contacts = contacts;
    batch.bodies_a = batch.bodies_b = bodies, batch.poses_a = batch.poses_b = poses, batch.contacts = parts;
    indexed.body_count = indexed.shape_count = 2, indexed.shapes = shapes, indexed.poses = poses;
    indexed.index_a = indexed.index_b = index, indexed.contacts = contacts;
    vertices.points = CORNERS, vertices.contacts = contacts;
    pairs.pose_b_stride = batch.body_a_stride = indexed.shape_stride = vertices.point_stride = stride;
    expect("pairs", sovo_pair_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_SIZE, "the stride of poses_b");
    expect("bodies", sovo_body_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "the stride of bodies_a");
    expect("indexed", sovo_indexed_pair_contact_batch(&indexed, NULL), SOVO_STATUS_ERROR_SIZE, "the stride of shapes");
    expect("vertices", sovo_vertex_contact_batch(&shape, &pose, &vertices, NULL), SOVO_STATUS_ERROR_SIZE, "the stride of points");
    indexed.shape_stride = sizeof(sovo_superovoid), indexed.index_b_stride = 1;
    expect("index", sovo_indexed_pair_contact_batch(&indexed, NULL), SOVO_STATUS_ERROR_SIZE, "the stride of index_b");
  }
  {
    sovo_body body = sovo_body_points(CORNERS, 3, 0);
    expect("points", sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL), SOVO_STATUS_ERROR_SIZE, "b: the stride of data.points");
    expect("hull", sovo_hull_new(CORNERS, 3, 0, &new_hull), SOVO_STATUS_ERROR_SIZE, "the stride of points");
    expect("mesh", sovo_tri_mesh_new(CORNERS, 3, 0, triangle, 1, 0, &new_mesh), SOVO_STATUS_ERROR_SIZE, "the stride of vertices");
    body = sovo_body_points(CORNERS, 1, 0); /* there is no next one */
    OK(sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, NULL));
  }
  CHECK(new_hull == NULL && new_mesh == NULL, "an error wrote a handle");
}

static void small_capacities(void) {
  double vertices[3 * 26];
  uint32_t triangles[3 * 48];
  size_t vertex_count, triangle_count, count = 77, i;
  sovo_part_contact parts[3];
  OK(sovo_body_tessellate(&ovoid, 0, NULL, 0, NULL, 0, &vertex_count, &triangle_count));
  CHECK(vertex_count == 26 && triangle_count == 48, "%lu vertices", (unsigned long)vertex_count);
  memset(vertices, PATTERN, sizeof vertices);
  memset(triangles, PATTERN, sizeof triangles);
  expect("capacity", sovo_body_tessellate(&ovoid, 8, vertices, 25, triangles, 48, &vertex_count, &triangle_count), SOVO_STATUS_ERROR_SIZE, "vertex_capacity");
  expect("capacity", sovo_body_tessellate(&ovoid, 8, vertices, 26, triangles, 47, &vertex_count, &triangle_count), SOVO_STATUS_ERROR_SIZE, "triangle_capacity");
  expect("capacity", sovo_body_tessellate(&ovoid, 8, vertices, 0, triangles, 1, &vertex_count, &triangle_count), SOVO_STATUS_ERROR_SIZE, "vertex_capacity");
  for (i = 0; i < sizeof vertices; i++) CHECK(((unsigned char *)vertices)[i] == PATTERN, "written on an error");
  for (i = 0; i < sizeof triangles; i++) CHECK(((unsigned char *)triangles)[i] == PATTERN, "written on an error");
  OK(sovo_body_tessellate(&ovoid, 4096, NULL, 0, NULL, 0, &vertex_count, &triangle_count));
  expect("segments", sovo_body_tessellate(&ovoid, 4097, NULL, 0, NULL, 0, &vertex_count, &triangle_count), SOVO_STATUS_ERROR_SIZE,
         "4097");
  /* Fewer places than there are contacts: all are counted, those behind the places stay as they are. */
  memset(parts, PATTERN, sizeof parts);
  OK(sovo_body_contacts(&ovoid, &pose, &set_body, &pose_b, INFINITY, NULL, parts, 1, &count));
  CHECK(count == 2, "%lu boxes", (unsigned long)count);
  for (i = sizeof *parts; i < sizeof parts; i++) CHECK(((unsigned char *)parts)[i] == PATTERN, "written behind the capacity");
  OK(sovo_body_contacts(&ovoid, &pose, &set_body, &pose_b, INFINITY, NULL, NULL, 0, &count));
  CHECK(count == 2, "%lu boxes", (unsigned long)count);
  OK(sovo_body_contacts(&ovoid, &pose, &set_body, &pose_b, -INFINITY, NULL, NULL, 0, &count));
  CHECK(count == 0, "%lu boxes", (unsigned long)count);
  count = 77;
  expect("no places", sovo_body_contacts(&ovoid, &pose, &set_body, &pose_b, 1, NULL, NULL, 1, &count), SOVO_STATUS_ERROR_NULL, "contacts");
  expect("margin", sovo_body_manifolds(&ovoid, &pose, &set_body, &pose_b, NAN, NULL, NULL, 0, &count), SOVO_STATUS_ERROR_OPTION, "margin = NaN");
  expect("no places", sovo_body_manifolds(&ovoid, &pose, &set_body, &pose_b, 1, NULL, NULL, 1, &count), SOVO_STATUS_ERROR_NULL, "manifolds");
  expect("margin", sovo_body_contacts(&ovoid, &pose, &set_body, &pose_b, NAN, NULL, parts, 1, &count), SOVO_STATUS_ERROR_OPTION, "margin = NaN");
  CHECK(count == 77, "count was written");
}

/* ---- Meshes and boxes that are none, and hostile ones --------------------------------------- */

static void bad_meshes(void) {
  double vertices[9];
  uint32_t triangle[6] = {0, 1, 2, 2, 1, 0};
  sovo_tri_mesh *made = (sovo_tri_mesh *)&made; /* any pattern */
  sovo_tri_mesh *const before = made;
  sovo_box_set *boxes = NULL;
  sovo_aabb box = {{0, 0, 0}, {1, 1, 1}};
  memcpy(vertices, CORNERS, sizeof vertices);
  {
    static const double bad[4] = {0, -1, NAN, INFINITY};
    sovo_hull *new_hull = (sovo_hull *)&made, *const kept = new_hull;
    sovo_contact contact;
    size_t k, i;
    for (k = 0; k < 4; k++) {
      const struct {
        sovo_body body;
        const char *name;
      } none[5] = {{sovo_body_ball(bad[k]), "b: radius"},
                   {sovo_body_cuboid(1, -1, bad[k]), "b: half extent"},
                   {sovo_body_cylinder(1, bad[k]), "b: length"},
                   {sovo_body_capsule(bad[k], 1), "b: radius"},
                   {sovo_body_cone(bad[k], 1), "b: radius"}};
      for (i = 0; i < 5; i++)
        expect("lengths", sovo_body_contact(&ovoid, &pose, &none[i].body, &pose, NULL, &contact, NULL),
               SOVO_STATUS_ERROR_GEOMETRY, none[i].name);
    }
    expect("no place", sovo_hull_new(vertices, 3, 24, NULL), SOVO_STATUS_ERROR_NULL, "hull");
    expect("no points", sovo_hull_new(NULL, 3, 24, &new_hull), SOVO_STATUS_ERROR_NULL, "points");
    expect("no hull", sovo_hull_new(vertices, 0, 24, &new_hull), SOVO_STATUS_ERROR_GEOMETRY, "points: ");
    CHECK(new_hull == kept, "a refused hull was written");
    sovo_hull_free(NULL);
  }
  expect("no vertices", sovo_tri_mesh_new(NULL, 3, 24, triangle, 1, 0, &made), SOVO_STATUS_ERROR_NULL, "vertices");
  expect("no triangles", sovo_tri_mesh_new(vertices, 3, 24, NULL, 1, 0, &made), SOVO_STATUS_ERROR_NULL, "triangles");
  expect("no place", sovo_tri_mesh_new(vertices, 3, 24, triangle, 1, 0, NULL), SOVO_STATUS_ERROR_NULL, "mesh");
  expect("empty", sovo_tri_mesh_new(vertices, 3, 24, triangle, 0, 0, &made), SOVO_STATUS_ERROR_GEOMETRY, "triangles");
  expect("empty", sovo_tri_mesh_new(NULL, 0, 24, NULL, 0, 0, &made), SOVO_STATUS_ERROR_GEOMETRY, "triangles");
  triangle[5] = 3;
  expect("index", sovo_tri_mesh_new(vertices, 3, 24, triangle, 2, 0, &made), SOVO_STATUS_ERROR_GEOMETRY, "triangle 1");
  triangle[5] = UINT32_MAX;
  expect("index", sovo_tri_mesh_new(vertices, 3, 24, triangle, 2, 0, &made), SOVO_STATUS_ERROR_GEOMETRY, "triangle 1");
  expect("index", sovo_tri_mesh_new(vertices, 0, 24, triangle, 1, 0, &made), SOVO_STATUS_ERROR_GEOMETRY, "triangle 0");
  vertices[5] = NAN;
  expect("NaN", sovo_tri_mesh_new(vertices, 3, 24, triangle, 1, 0, &made), SOVO_STATUS_ERROR_GEOMETRY, "vertex 1");
  CHECK(made == before, "an error wrote a handle");
  expect("no boxes", sovo_box_set_new(NULL, 1, &boxes), SOVO_STATUS_ERROR_NULL, "boxes");
  expect("no place", sovo_box_set_new(&box, 1, NULL), SOVO_STATUS_ERROR_NULL, "set");
  expect("empty", sovo_box_set_new(&box, 0, &boxes), SOVO_STATUS_ERROR_GEOMETRY, "boxes");
  box.min[1] = 2;
  expect("inside out", sovo_box_set_new(&box, 1, &boxes), SOVO_STATUS_ERROR_GEOMETRY, "box 0");
  box.min[1] = -INFINITY;
  expect("infinite", sovo_box_set_new(&box, 1, &boxes), SOVO_STATUS_ERROR_GEOMETRY, "box 0");
  CHECK(boxes == NULL, "an error wrote a handle");
  sovo_tri_mesh_free(NULL);
  sovo_box_set_free(NULL);
  {
    double heights[6] = {0, 1, 0, 1, 0, 1};
    const double ends[2] = {-1, 1}, same[2] = {1, 1};
    sovo_height_field *field = NULL;
    expect("no heights", sovo_height_field_new(NULL, 3, 2, ends, ends, 0, &field), SOVO_STATUS_ERROR_NULL, "heights");
    expect("no x", sovo_height_field_new(heights, 3, 2, NULL, ends, 0, &field), SOVO_STATUS_ERROR_NULL, "x");
    expect("no y", sovo_height_field_new(heights, 3, 2, ends, NULL, 0, &field), SOVO_STATUS_ERROR_NULL, "y");
    expect("no place", sovo_height_field_new(heights, 3, 2, ends, ends, 0, NULL), SOVO_STATUS_ERROR_NULL, "field");
    expect("empty", sovo_height_field_new(heights, 0, 2, ends, ends, 0, &field), SOVO_STATUS_ERROR_GEOMETRY, "two rows");
    expect("a row", sovo_height_field_new(heights, 1, 6, ends, ends, 0, &field), SOVO_STATUS_ERROR_GEOMETRY, "two rows");
    expect("huge", sovo_height_field_new(heights, (size_t)-1, 2, ends, ends, 0, &field), SOVO_STATUS_ERROR_SIZE, "heights");
    expect("flat", sovo_height_field_new(heights, 3, 2, same, ends, 0, &field), SOVO_STATUS_ERROR_GEOMETRY, "x = from 1 to 1");
    expect("low", sovo_height_field_new(heights, 3, 2, ends, ends, 0.5, &field), SOVO_STATUS_ERROR_GEOMETRY, "row 0, column 0");
    heights[3] = NAN;
    expect("NaN", sovo_height_field_new(heights, 3, 2, ends, ends, 0, &field), SOVO_STATUS_ERROR_GEOMETRY, "row 1, column 1");
    CHECK(field == NULL, "an error wrote a handle");
    sovo_height_field_free(NULL);
  }
}

/* Asks everything of a mesh; whatever it is made of, an answer is finite and its bracket in order. */
static void question(const char *what, const double *vertices, size_t vertex_count, const uint32_t *triangles,
                     size_t triangle_count) {
  sovo_tri_mesh *made = NULL;
  sovo_contact contact;
  sovo_body body;
  uint32_t parts[2];
  sovo_status status;
  size_t count = 0;
  status = sovo_tri_mesh_new(vertices, vertex_count, 24, triangles, triangle_count, 0, &made);
  CHECK(status == SOVO_STATUS_OK, "%s: %s", what, sovo_last_error());
  if (status != SOVO_STATUS_OK) return;
  body = sovo_body_tri_mesh(made);
  status = sovo_body_contact(&ovoid, &pose, &body, &pose_b, NULL, &contact, parts);
  CHECK(status == SOVO_STATUS_OK || status == SOVO_STATUS_ERROR_OVERFLOW, "%s: %s", what, sovo_last_error());
  if (status == SOVO_STATUS_OK) {
    const sovo_contact *c = &contact;
    CHECK(c->lower <= c->distance && c->distance <= c->upper && isfinite(c->lower), "%s: %g in [%g, %g]", what,
          c->distance, c->lower, c->upper);
    CHECK(parts[1] < triangle_count, "%s: part %u", what, (unsigned)parts[1]);
  }
  status = sovo_body_contacts(&ovoid, &pose, &body, &pose_b, -0.1, NULL, NULL, 0, &count);
  CHECK(status == SOVO_STATUS_OK || status == SOVO_STATUS_ERROR_OVERFLOW, "%s: %s", what, sovo_last_error());
  sovo_tri_mesh_free(made);
}

static void hostile_meshes(void) {
  enum { COUNT = 20000, LEVELS = 2000 };
  double *vertices = malloc(3 * COUNT * sizeof *vertices);
  uint32_t *triangles = malloc(3 * COUNT * sizeof *triangles);
  size_t i;
  for (i = 0; i < 3 * COUNT; i++) triangles[i] = (uint32_t)(i % 3);
  memcpy(vertices, CORNERS, sizeof CORNERS);
  question("the same triangle many times", vertices, 3, triangles, COUNT);
  for (i = 0; i < 9; i++) vertices[i] = 0;
  question("a point many times", vertices, 3, triangles, COUNT);
  for (i = 0; i < 9; i++) vertices[i] = i % 2 ? 1e308 : -1e308;
  question("huge coordinates", vertices, 3, triangles, 100);
  for (i = 0; i < 3 * LEVELS; i++) triangles[i] = (uint32_t)(i / 3);
  /* Each half as large as the one before: a hierarchy cannot be balanced by splitting space. */
  for (i = 0; i < 3 * LEVELS; i++) vertices[i] = ldexp(i % 3 == 0 ? 1 : -1, 1000 - (int)(i / 3));
  question("two thousand scales", vertices, LEVELS, triangles, LEVELS);
  for (i = 0; i < 3 * LEVELS; i++) vertices[i] = ldexp(1, 1000 - (int)(i / 3)) * (i % 2 ? 1 : -1);
  for (i = 0; i < 3 * LEVELS; i++) triangles[i] = (uint32_t)((i * 7919) % LEVELS);
  question("triangles across all scales", vertices, LEVELS, triangles, LEVELS);
  for (i = 0; i < 3 * COUNT; i++) vertices[i] = 1e-300 * (double)(i % 97);
  for (i = 0; i < 3 * COUNT; i++) triangles[i] = (uint32_t)((i * 31) % COUNT);
  question("tiny coordinates", vertices, COUNT, triangles, COUNT);
  free(vertices);
  free(triangles);
}

/* ---- Batches -------------------------------------------------------------------------------- */

enum { PAIRS = 300 };

static struct {
  sovo_superovoid a[PAIRS], b[PAIRS];
  sovo_pose pose_a[PAIRS], pose_b[PAIRS];
  sovo_pair_cache caches[PAIRS];
  double points[3 * PAIRS];
} many;

static void many_pairs(void) {
  size_t i;
  for (i = 0; i < PAIRS; i++) {
    const double x = (double)i / PAIRS;
    many.a[i] = i % 2 ? shape : shape_b;
    many.b[i] = i % 3 ? shape_b : shape;
    many.pose_a[i] = pose_at(x, -x, 0.3);
    many.pose_b[i] = pose_at(3 * x - 0.5, 0.2, 1 - x);
    many.points[3 * i] = 2 * x;
    many.points[3 * i + 1] = 1 - 3 * x;
    many.points[3 * i + 2] = 0.1;
  }
  memset(many.caches, 0, sizeof many.caches);
}

static sovo_pair_batch pair_batch(sovo_contact *contacts) {
  sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
  batch.count = PAIRS;
  batch.shapes_a = many.a;
  batch.poses_a = many.pose_a;
  batch.shapes_b = many.b;
  batch.poses_b = many.pose_b;
  batch.contacts = contacts;
  return batch;
}

static sovo_vertex_batch vertex_batch(sovo_contact *contacts) {
  sovo_vertex_batch batch = SOVO_VERTEX_BATCH_INIT;
  batch.count = PAIRS;
  batch.points = many.points;
  batch.contacts = contacts;
  return batch;
}

/* An element alone need not have the last bits that it has in a batch, and of an overlap whose depth is searched for
 * one may prove more than the other. */
static void check_agreement(const sovo_contact *alone, const sovo_contact *answer, const char *what, size_t i) {
  const int proven_alike = alone->outcome == answer->outcome;
  CHECK(fabs(alone->distance - answer->distance) < 1e-10, "%s %lu", what, (unsigned long)i);
  CHECK(proven_alike || answer->distance < 0, "%s %lu: outcome", what, (unsigned long)i);
}

/* The same bits from batches on any number of threads, and with caches from single calls. */
static void the_same_bits(void) {
  static const uint32_t THREADS[] = {0, 1, 2, 8, UINT32_MAX};
  static sovo_contact single[PAIRS], batch_answers[PAIRS], first[PAIRS];
  static sovo_pair_cache single_caches[PAIRS];
  size_t i, k;
  for (i = 0; i < PAIRS; i++)
    OK(sovo_pair_contact(&many.a[i], &many.pose_a[i], &many.b[i], &many.pose_b[i], NULL, NULL, &single[i]));
  for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++) {
    sovo_pair_batch batch = pair_batch(batch_answers);
    batch.threads = THREADS[k];
    memset(batch_answers, 0, sizeof batch_answers);
    OK(sovo_pair_contact_batch(&batch, NULL));
    if (k == 0) memcpy(first, batch_answers, sizeof first);
    CHECK(memcmp(first, batch_answers, sizeof first) == 0, "pairs on %u threads", (unsigned)THREADS[k]);
  }
  for (i = 0; i < PAIRS; i++) check_agreement(&single[i], &first[i], "pair", i);
  memset(single_caches, 0, sizeof single_caches);
  for (i = 0; i < PAIRS; i++)
    OK(sovo_pair_contact(&many.a[i], &many.pose_a[i], &many.b[i], &many.pose_b[i], NULL, &single_caches[i], &single[i]));
  for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++) {
    sovo_pair_batch batch = pair_batch(batch_answers);
    batch.threads = THREADS[k];
    batch.caches = many.caches;
    memset(many.caches, 0, sizeof many.caches);
    OK(sovo_pair_contact_batch(&batch, NULL));
    CHECK(memcmp(single, batch_answers, sizeof single) == 0, "warm pairs on %u threads", (unsigned)THREADS[k]);
    CHECK(memcmp(single_caches, many.caches, sizeof single_caches) == 0, "caches on %u threads", (unsigned)THREADS[k]);
  }
  for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++) {
    sovo_vertex_batch batch = vertex_batch(batch_answers);
    batch.threads = THREADS[k];
    memset(batch_answers, 0, sizeof batch_answers);
    OK(sovo_vertex_contact_batch(&shape, &pose, &batch, NULL));
    if (k == 0) memcpy(first, batch_answers, sizeof first);
    CHECK(memcmp(first, batch_answers, sizeof first) == 0, "points on %u threads", (unsigned)THREADS[k]);
  }
  for (i = 0; i < PAIRS; i++) {
    OK(sovo_vertex_contact(&shape, &pose, &many.points[3 * i], NULL, &single[i]));
    check_agreement(&single[i], &batch_answers[i], "point", i);
  }
  { /* one element for all, and elements at any distance */
    static unsigned char places[PAIRS * (sizeof(sovo_contact) + 3)];
    sovo_pair_batch batch = pair_batch(NULL);
    batch.shape_a_stride = batch.pose_a_stride = 0;
    batch.contacts = (void *)places;
    batch.contact_stride = sizeof(sovo_contact) + 3;
    memset(places, PATTERN, sizeof places);
    OK(sovo_pair_contact_batch(&batch, NULL));
    for (i = 0; i < PAIRS; i++) {
      const unsigned char *element = places + i * batch.contact_stride;
      OK(sovo_pair_contact(&many.a[0], &many.pose_a[0], &many.b[i], &many.pose_b[i], NULL, NULL, &single[i]));
      memcpy(&first[i], element, sizeof *first);
      check_agreement(&single[i], &first[i], "broadcast pair", i);
      CHECK(element[sizeof *single] == PATTERN && element[sizeof *single + 2] == PATTERN, "written between the places");
    }
  }
}

/* Everything that is wrong with a batch, and that contacts and caches are then as they were. */
static void bad_batches(void) {
  static sovo_contact contacts[PAIRS], untouched[PAIRS];
  static sovo_pair_cache caches[PAIRS], garbage;
  static const uint32_t THREADS[] = {1, 8};
  const sovo_superovoid zero_shape = {{0}, {0}, {0}, 0, 0, {0}, 0, 0, {0}};
  sovo_pair_batch batch;
  sovo_vertex_batch points;
  size_t i, k;
  const struct {
    size_t place;
    const char *name;
  } ARRAYS[] = {{offsetof(sovo_pair_batch, shapes_a), "shapes_a"}, {offsetof(sovo_pair_batch, poses_a), "poses_a"},
                {offsetof(sovo_pair_batch, shapes_b), "shapes_b"}, {offsetof(sovo_pair_batch, poses_b), "poses_b"},
                {offsetof(sovo_pair_batch, contacts), "contacts"}};
  memset(contacts, PATTERN, sizeof contacts);
  memcpy(untouched, contacts, sizeof contacts);
  memset(&garbage, 0x77, sizeof garbage);
  for (i = 0; i < sizeof ARRAYS / sizeof *ARRAYS; i++) {
    batch = pair_batch(contacts);
    memset((unsigned char *)&batch + ARRAYS[i].place, 0, sizeof(void *));
    expect("NULL array", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_NULL, ARRAYS[i].name);
  }
  {
    sovo_contact contact;
    expect("no scheme", sovo_published_scheme_contact(4, 0, &shape, &pose, &shape_b, &pose_b, NULL, NULL, &contact),
           SOVO_STATUS_ERROR_OPTION, "scheme = 4");
    expect("no Jacobian", sovo_published_scheme_contact(0, 2, &shape, &pose, &shape_b, &pose_b, NULL, NULL, &contact),
           SOVO_STATUS_ERROR_OPTION, "jacobian = 2");
  }
  expect("no batch", sovo_pair_contact_batch(NULL, NULL), SOVO_STATUS_ERROR_NULL, "batch");
  expect("no batch", sovo_vertex_contact_batch(&shape, &pose, NULL, NULL), SOVO_STATUS_ERROR_NULL, "batch");
  for (i = 0; i < 8; i++) {
    const size_t sizes_[8] = {0, 1, 7, sizeof batch - 1, sizeof batch + 1, 1025, (size_t)-1, (size_t)-8};
    batch = pair_batch(contacts), batch.size = sizes_[i];
    expect("batch size", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "batch->size");
    points = vertex_batch(contacts), points.size = i == 3 ? sizeof points - 1 : sizes_[i];
    expect("batch size", sovo_vertex_contact_batch(&shape, &pose, &points, NULL), SOVO_STATUS_ERROR_SIZE, "batch->size");
  }
  { /* of a later version */
    struct {
      sovo_pair_batch batch;
      uint64_t more;
    } later;
    later.batch = pair_batch(contacts), later.batch.size = sizeof later, later.more = 1;
    expect("unknown field", sovo_pair_contact_batch(&later.batch, NULL), SOVO_STATUS_ERROR_SIZE, "batch has a field");
  }
  batch = pair_batch(contacts), batch.reserved = 1;
  expect("reserved", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  points = vertex_batch(contacts), points.reserved = 1;
  expect("reserved", sovo_vertex_contact_batch(&shape, &pose, &points, NULL), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  for (i = 0; i < sizeof(sovo_contact); i += 7) {
    batch = pair_batch(contacts), batch.contact_stride = i;
    expect("contacts overlap", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "contacts");
    points = vertex_batch(contacts), points.contact_stride = i;
    expect("contacts overlap", sovo_vertex_contact_batch(&shape, &pose, &points, NULL), SOVO_STATUS_ERROR_SIZE, "contacts");
  }
  batch = pair_batch(contacts), batch.caches = caches, batch.cache_stride = 0;
  expect("caches overlap", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "caches");
  for (k = 0; k < 2; k++) { /* the first bad element is named, whatever the threads */
    const uint32_t threads = THREADS[k];
    const sovo_superovoid was = many.b[290];
    const sovo_pose was_at = many.pose_a[130];
    many.b[290] = zero_shape;
    batch = pair_batch(contacts), batch.threads = threads;
    expect("bad shape", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SHAPE, "element 290: shape_b");
    memset(many.pose_a[130].rotation, 0, sizeof many.pose_a[130].rotation);
    expect("bad pose", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_POSE, "element 130: pose_a: the quaternion");
    many.pose_a[130] = was_at;
    many.b[290] = was;
    memset(caches, 0, sizeof caches);
    caches[200] = garbage;
    batch.caches = caches;
    expect("bad cache", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_CACHE, "element 200: cache");
    for (i = 0; i < PAIRS; i++)
      CHECK(caches[i].seal == (i == 200 ? garbage.seal : 0), "cache %lu was written", (unsigned long)i);
    many.points[3 * 77 + 1] = NAN;
    points = vertex_batch(contacts), points.threads = threads;
    expect("bad point", sovo_vertex_contact_batch(&shape, &pose, &points, NULL), SOVO_STATUS_ERROR_GEOMETRY, "77");
    many.points[3 * 77 + 1] = 0;
  }
  CHECK(memcmp(contacts, untouched, sizeof contacts) == 0, "an error wrote answers");
  batch = pair_batch(NULL), batch.count = 0;
  batch.shapes_a = batch.shapes_b = NULL, batch.poses_a = batch.poses_b = NULL;
  OK(sovo_pair_contact_batch(&batch, NULL));
  points = vertex_batch(NULL), points.count = 0, points.points = NULL;
  OK(sovo_vertex_contact_batch(&shape, &pose, &points, NULL));
}

/* ---- Batches by index ----------------------------------------------------------------------- */

/* A table of 2 PAIRS bodies with shapes of their own: those of A, and behind them those of B. */
static struct {
  sovo_superovoid shapes[2 * PAIRS];
  sovo_pose poses[2 * PAIRS];
  uint32_t a[PAIRS], b[PAIRS];
} table;

static sovo_indexed_pair_batch indexed_batch(sovo_contact *contacts) {
  sovo_indexed_pair_batch batch = SOVO_INDEXED_PAIR_BATCH_INIT;
  size_t i;
  for (i = 0; i < PAIRS; i++) {
    table.shapes[i] = many.a[i], table.shapes[PAIRS + i] = many.b[i];
    table.poses[i] = many.pose_a[i], table.poses[PAIRS + i] = many.pose_b[i];
    table.a[i] = (uint32_t)i, table.b[i] = (uint32_t)(PAIRS + i);
  }
  batch.count = PAIRS;
  batch.body_count = batch.shape_count = 2 * PAIRS;
  batch.shapes = table.shapes;
  batch.poses = table.poses;
  batch.index_a = table.a;
  batch.index_b = table.b;
  batch.contacts = contacts;
  return batch;
}

/* The bits of the batch of arrays, on any number of threads, cold and warm, with the shapes by body or by an index. */
static void indexed_bits(void) {
  static const uint32_t THREADS[] = {0, 1, 2, 8, UINT32_MAX};
  static sovo_contact whole[PAIRS], answers[PAIRS];
  static sovo_pair_cache caches[PAIRS], own[PAIRS];
  static uint32_t kinds[2 * PAIRS];
  const sovo_superovoid two[2] = {shape, shape_b};
  size_t i, k, warm, by_kind;
  for (i = 0; i < PAIRS; i++) kinds[i] = i % 2 ? 0 : 1, kinds[PAIRS + i] = i % 3 ? 1 : 0;
  for (warm = 0; warm < 2; warm++) {
    sovo_pair_batch arrays = pair_batch(whole);
    memset(caches, 0, sizeof caches);
    if (warm) arrays.caches = caches;
    OK(sovo_pair_contact_batch(&arrays, NULL));
    for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++)
      for (by_kind = 0; by_kind < 2; by_kind++) {
        sovo_indexed_pair_batch batch = indexed_batch(answers);
        batch.threads = THREADS[k];
        memset(own, 0, sizeof own);
        if (warm) batch.caches = own;
        if (by_kind) batch.shapes = two, batch.shape_count = 2, batch.body_shapes = kinds;
        memset(answers, PATTERN, sizeof answers);
        OK(sovo_indexed_pair_contact_batch(&batch, NULL));
        CHECK(memcmp(whole, answers, sizeof whole) == 0, "by index on %u threads", (unsigned)THREADS[k]);
        if (warm) CHECK(memcmp(caches, own, sizeof own) == 0, "caches by index on %u threads", (unsigned)THREADS[k]);
      }
  }
  { /* tables and indices that are not aligned, pairs of indices side by side */
    static unsigned char shapes[2 * PAIRS * sizeof(sovo_superovoid) + 1], poses[2 * PAIRS * sizeof(sovo_pose) + 1];
    static unsigned char indices[PAIRS * 11 + 3];
    sovo_indexed_pair_batch batch = indexed_batch(answers);
    memcpy(shapes + 1, table.shapes, sizeof table.shapes);
    memcpy(poses + 1, table.poses, sizeof table.poses);
    for (i = 0; i < PAIRS; i++) {
      memcpy(indices + 3 + 11 * i, &table.a[i], 4);
      memcpy(indices + 3 + 11 * i + 4, &table.b[i], 4);
    }
    batch.shapes = (void *)(shapes + 1), batch.poses = (void *)(poses + 1);
    batch.index_a = (void *)(indices + 3), batch.index_b = (void *)(indices + 7);
    batch.index_a_stride = batch.index_b_stride = 11;
    {
      const sovo_pair_batch arrays = pair_batch(whole);
      OK(sovo_pair_contact_batch(&arrays, NULL));
    }
    memset(answers, PATTERN, sizeof answers);
    OK(sovo_indexed_pair_contact_batch(&batch, NULL));
    CHECK(memcmp(whole, answers, sizeof whole) == 0, "tables that are not aligned");
  }
}

/* What is wanted of pairs: a proof of those that are far, distances alone, and the others as ever. */
static void indexed_wanted(void) {
  static const double MARGINS[] = {0, 0.2, 1, INFINITY};
  static sovo_contact whole[PAIRS], answers[PAIRS];
  static sovo_pair_cache caches[PAIRS], whole_caches[PAIRS];
  static const sovo_pair_cache empty;
  static unsigned char wanted[PAIRS];
  size_t i, k, warm, far = 0;
  const double zero[3] = {0, 0, 0};
  for (i = 0; i < PAIRS; i++) wanted[i] = (unsigned char)(i % 4);
  for (k = 0; k < sizeof MARGINS / sizeof *MARGINS; k++)
    for (warm = 0; warm < 2; warm++) {
      sovo_indexed_pair_batch batch = indexed_batch(whole);
      memset(caches, 0, sizeof caches);
      if (warm) batch.caches = caches;
      OK(sovo_indexed_pair_contact_batch(&batch, NULL));
      memcpy(whole_caches, caches, sizeof caches);
      memset(caches, 0, sizeof caches);
      batch.contacts = answers, batch.wanted = wanted, batch.margin = MARGINS[k];
      OK(sovo_indexed_pair_contact_batch(&batch, NULL));
      for (i = 0; i < PAIRS; i++) {
        const sovo_contact *all = &whole[i], *some = &answers[i];
        if ((wanted[i] & SOVO_WANTED_NEAR) && some->outcome == SOVO_OUTCOME_BEYOND) {
          far++;
          CHECK(some->lower > MARGINS[k] && some->lower <= all->upper && some->distance == some->lower,
                "pair %lu is said to be beyond %g at %g, and is at %g", (unsigned long)i, MARGINS[k], some->lower, all->distance);
          CHECK(memcmp(&caches[i], &empty, sizeof empty) == 0, "an early end wrote a cache");
        } else {
          CHECK(some->distance == all->distance && some->lower == all->lower && some->upper == all->upper &&
                    some->outcome == all->outcome,
                "pair %lu is another one when masked", (unsigned long)i);
          CHECK(memcmp(&caches[i], &whole_caches[i], sizeof empty) == 0, "another cache");
          if (!(wanted[i] & SOVO_WANTED_DISTANCE))
            CHECK(memcmp(some, all, sizeof *all) == 0, "pair %lu is not whole", (unsigned long)i);
        }
        if (wanted[i] & SOVO_WANTED_DISTANCE)
          CHECK(memcmp(some->point_a, zero, sizeof zero) == 0 && memcmp(some->point_b, zero, sizeof zero) == 0 &&
                    memcmp(some->normal, zero, sizeof zero) == 0,
                "pair %lu has points that nobody wanted", (unsigned long)i);
      }
    }
  CHECK(far > 0, "no pair was far");
}

/* Everything that is wrong with an indexed batch, by the index of its pair, and that nothing is written then. */
static void bad_indexed_batches(void) {
  static sovo_contact contacts[PAIRS], untouched[PAIRS];
  static sovo_pair_cache caches[PAIRS], garbage;
  static unsigned char wanted[PAIRS];
  static uint32_t kinds[2 * PAIRS];
  static const uint32_t THREADS[] = {1, 8};
  const double margins[] = {-1, -DBL_MIN, NAN, -INFINITY};
  const sovo_superovoid zero_shape = {{0}, {0}, {0}, 0, 0, {0}, 0, 0, {0}};
  sovo_indexed_pair_batch batch;
  size_t i, k;
  const struct {
    size_t place;
    const char *name;
  } ARRAYS[] = {{offsetof(sovo_indexed_pair_batch, shapes), "shapes"},
                {offsetof(sovo_indexed_pair_batch, poses), "poses"},
                {offsetof(sovo_indexed_pair_batch, index_a), "index_a"},
                {offsetof(sovo_indexed_pair_batch, index_b), "index_b"},
                {offsetof(sovo_indexed_pair_batch, contacts), "contacts"}};
  const struct {
    size_t place;
    const char *name;
  } STRIDES[] = {{offsetof(sovo_indexed_pair_batch, shape_stride), "shapes"},
                 {offsetof(sovo_indexed_pair_batch, pose_stride), "poses"},
                 {offsetof(sovo_indexed_pair_batch, body_shape_stride), "body_shapes"},
                 {offsetof(sovo_indexed_pair_batch, index_a_stride), "index_a"},
                 {offsetof(sovo_indexed_pair_batch, index_b_stride), "index_b"},
                 {offsetof(sovo_indexed_pair_batch, wanted_stride), "wanted"},
                 {offsetof(sovo_indexed_pair_batch, cache_stride), "caches"},
                 {offsetof(sovo_indexed_pair_batch, contact_stride), "contacts"}};
  memset(contacts, PATTERN, sizeof contacts);
  memcpy(untouched, contacts, sizeof contacts);
  memset(&garbage, 0x77, sizeof garbage);
  expect("no batch", sovo_indexed_pair_contact_batch(NULL, NULL), SOVO_STATUS_ERROR_NULL, "batch");
  for (i = 0; i < sizeof ARRAYS / sizeof *ARRAYS; i++) {
    batch = indexed_batch(contacts);
    memset((unsigned char *)&batch + ARRAYS[i].place, 0, sizeof(void *));
    expect("NULL array", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_NULL, ARRAYS[i].name);
  }
  for (i = 0; i < sizeof STRIDES / sizeof *STRIDES; i++)
    for (k = 0; k < HUGE_COUNT; k++) {
      batch = indexed_batch(contacts);
      batch.body_shapes = kinds, batch.wanted = wanted, batch.caches = caches;
      memcpy((unsigned char *)&batch + STRIDES[i].place, &HUGE_SIZES[k], sizeof(size_t));
      expect("huge stride", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, STRIDES[i].name);
    }
  for (k = 0; k < HUGE_COUNT; k++) {
    batch = indexed_batch(contacts), batch.count = HUGE_SIZES[k];
    expect("huge count", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "more than memory holds");
    batch = indexed_batch(contacts), batch.body_count = batch.shape_count = HUGE_SIZES[k];
    expect("huge table", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "more than memory holds");
  }
  for (i = 0; i < 6; i++) {
    const size_t sizes_[6] = {0, 7, sizeof batch - 1, sizeof batch + 1, 1025, (size_t)-8};
    batch = indexed_batch(contacts), batch.size = sizes_[i];
    expect("batch size", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "batch->size");
  }
  batch = indexed_batch(contacts), batch.reserved = 1;
  expect("reserved", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  for (i = 0; i < sizeof margins / sizeof *margins; i++) {
    batch = indexed_batch(contacts), batch.margin = margins[i];
    expect("margin", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_OPTION, "batch->margin");
  }
  batch = indexed_batch(contacts), batch.contact_stride = sizeof(sovo_contact) - 1;
  expect("overlap", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "contacts");
  batch = indexed_batch(contacts), batch.caches = caches, batch.cache_stride = 8;
  expect("overlap", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "caches");
  batch = indexed_batch(contacts), batch.shape_count = 2 * PAIRS - 1;
  expect("too few shapes", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "batch->shape_count");
  for (k = 0; k < 2; k++) { /* the first bad pair is named, whatever the threads */
    batch = indexed_batch(contacts), batch.threads = THREADS[k];
    memset(caches, 0, sizeof caches);
    batch.caches = k ? caches : NULL;
    memset(wanted, 0, sizeof wanted);
    table.b[290] = 2 * PAIRS;
    expect("index", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "element 290: index_b is 600");
    table.a[250] = UINT32_MAX;
    expect("index", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "element 250: index_a is 4294967295");
    wanted[222] = 4, batch.wanted = wanted;
    expect("wanted", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_OPTION, "element 222: wanted is 4");
    table.shapes[PAIRS + 180] = zero_shape;
    expect("shape", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SHAPE, "element 180: the shape of body B");
    memset(table.poses[130].rotation, 0, sizeof table.poses[130].rotation);
    expect("pose", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_POSE, "element 130: the pose of body A: the quaternion");
    table.poses[PAIRS + 99].translation[1] = NAN;
    expect("pose", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_POSE, "element 99:");
    batch.body_shapes = kinds, batch.shape_count = 2;
    memset(kinds, 0, sizeof kinds);
    kinds[PAIRS + 70] = 2;
    expect("kind", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_SIZE, "element 70: body_shapes is 2");
    caches[50] = garbage, batch.caches = caches;
    expect("cache", sovo_indexed_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_CACHE, "element 50: cache");
    for (i = 0; i < PAIRS; i++) CHECK(caches[i].seal == (i == 50 ? garbage.seal : 0), "cache %lu was written", (unsigned long)i);
  }
  CHECK(memcmp(contacts, untouched, sizeof contacts) == 0, "an error wrote answers");
  { /* a body that is in no pair is not looked at; a batch without pairs needs nothing */
    batch = indexed_batch(contacts);
    table.b[290] = 0;
    table.shapes[PAIRS + 290] = zero_shape;
    OK(sovo_indexed_pair_contact_batch(&batch, NULL));
    batch = indexed_batch(NULL);
    batch.count = batch.body_count = batch.shape_count = 0;
    batch.shapes = NULL, batch.poses = NULL, batch.index_a = batch.index_b = NULL;
    OK(sovo_indexed_pair_contact_batch(&batch, NULL));
  }
}

/* ---- Batches of bodies ------------------------------------------------------------------------ */

enum { BODIES = 150 };

/* Pairs of bodies of which each query has the answers, with all that the queries are asked. */
static struct {
  sovo_body a[BODIES], b[BODIES], any[BODIES];
  sovo_pose pose_a[BODIES], pose_b[BODIES];
  sovo_motion motion_a[BODIES], motion_b[BODIES];
  double origins[3 * BODIES], directions[3 * BODIES];
  sovo_part_contact contacts[BODIES];
} bodies;

static void many_bodies(void) {
  const sovo_body with[] = {ovoid_b, point_body, points_body, cuboid, triangle_body, hull_body, segment};
  const sovo_body surfaces[] = {ring, ovoid, can, mesh_body, set_body, half_space, cuboid};
  size_t i;
  for (i = 0; i < BODIES; i++) {
    const double x = (double)i / BODIES;
    bodies.a[i] = i % 2 ? ovoid : ovoid_b;
    bodies.b[i] = with[i % (sizeof with / sizeof *with)];
    bodies.any[i] = surfaces[i % (sizeof surfaces / sizeof *surfaces)];
    bodies.pose_a[i] = pose_at(x, -x, 0.3);
    bodies.pose_b[i] = pose_at(5 - 3 * x, 0.2, 2 - x);
    bodies.motion_a[i] = i % 2 ? motion : passing;
    bodies.motion_a[i].start = bodies.pose_a[i];
    bodies.motion_b[i] = resting;
    bodies.motion_b[i].start = bodies.pose_b[i];
    bodies.origins[3 * i] = -9, bodies.origins[3 * i + 1] = 2 * x, bodies.origins[3 * i + 2] = 0.2;
    bodies.directions[3 * i] = 1, bodies.directions[3 * i + 1] = -0.2 * x;
  }
}

static sovo_body_batch contact_batch(sovo_part_contact *contacts) {
  sovo_body_batch batch = SOVO_BODY_BATCH_INIT;
  batch.count = BODIES;
  batch.bodies_a = bodies.a, batch.bodies_b = bodies.b;
  batch.poses_a = bodies.pose_a, batch.poses_b = bodies.pose_b;
  batch.contacts = contacts;
  return batch;
}

static sovo_time_of_impact_batch impact_batch(sovo_time_of_impact *impacts) {
  sovo_time_of_impact_batch batch = SOVO_TIME_OF_IMPACT_BATCH_INIT;
  batch.count = BODIES;
  batch.bodies_a = bodies.a, batch.bodies_b = bodies.b;
  batch.motions_a = bodies.motion_a, batch.motions_b = bodies.motion_b;
  batch.impacts = impacts;
  return batch;
}

static sovo_ray_batch ray_batch(sovo_ray_hit *hits) {
  sovo_ray_batch batch = SOVO_RAY_BATCH_INIT;
  batch.count = BODIES;
  batch.bodies = bodies.any, batch.poses = bodies.pose_a;
  batch.origins = bodies.origins, batch.directions = bodies.directions;
  batch.hits = hits;
  return batch;
}

/* The bits of single calls on any number of threads. */
static void body_bits(void) {
  static const uint32_t THREADS[] = {0, 1, 2, 8, UINT32_MAX};
  static sovo_part_contact contacts[BODIES];
  static sovo_time_of_impact impacts[BODIES], impact;
  static sovo_ray_hit hits[BODIES], hit;
  static sovo_gradient gradients[BODIES], alone[BODIES], gradient;
  static double hessians[676 * BODIES], normals[78 * BODIES], hessian[676], normal[78];
  sovo_derivatives places = SOVO_DERIVATIVES_INIT, single = SOVO_DERIVATIVES_INIT;
  size_t i, k, hit_count = 0, impact_count = 0;
  places.hessian = hessians, places.normal = normals;
  single.hessian = hessian, single.normal = normal;
  for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++) {
    sovo_body_batch pairs = contact_batch(contacts);
    sovo_time_of_impact_batch moving = impact_batch(impacts);
    sovo_ray_batch rays = ray_batch(hits);
    pairs.threads = moving.threads = rays.threads = THREADS[k];
    OK(sovo_body_contact_batch(&pairs, NULL));
    memcpy(bodies.contacts, contacts, sizeof contacts);
    OK(sovo_body_derivatives_batch(&pairs, &places, gradients, sizeof *gradients));
    OK(sovo_body_derivatives_batch(&pairs, NULL, alone, sizeof *alone));
    OK(sovo_body_time_of_impact_batch(&moving, NULL));
    OK(sovo_body_ray_cast_batch(&rays, 20, 0));
    for (i = 0; i < BODIES; i++) {
      const sovo_body *a = &bodies.a[i], *b = &bodies.b[i];
      sovo_part_contact contact;
      OK(sovo_body_contact(a, &bodies.pose_a[i], b, &bodies.pose_b[i], NULL, &contact.contact, contact.parts));
      CHECK(memcmp(&contact, &contacts[i], sizeof contact) == 0, "contact %lu", (unsigned long)i);
      OK(sovo_body_derivatives(a, &bodies.pose_a[i], b, &bodies.pose_b[i], &contact.contact, &single, &gradient));
      CHECK(memcmp(&gradient, &gradients[i], sizeof gradient) == 0, "gradient %lu", (unsigned long)i);
      CHECK(memcmp(&gradient, &alone[i], sizeof gradient) == 0, "gradient alone %lu", (unsigned long)i);
      CHECK(memcmp(hessian, hessians + 676 * i, sizeof hessian) == 0, "Hessian %lu", (unsigned long)i);
      CHECK(memcmp(normal, normals + 78 * i, sizeof normal) == 0, "normal %lu", (unsigned long)i);
      OK(sovo_body_time_of_impact(a, &bodies.motion_a[i], b, &bodies.motion_b[i], NULL, &impact));
      CHECK(memcmp(&impact, &impacts[i], sizeof impact) == 0, "impact %lu", (unsigned long)i);
      OK(sovo_body_ray_cast(&bodies.any[i], &bodies.pose_a[i], bodies.origins + 3 * i, bodies.directions + 3 * i, 20, 0, &hit));
      CHECK(memcmp(&hit, &hits[i], sizeof hit) == 0, "hit %lu", (unsigned long)i);
      hit_count += hit.hit, impact_count += impact.outcome == SOVO_TIME_OF_IMPACT_HIT;
    }
  }
  CHECK(hit_count > BODIES && impact_count > BODIES / 2, "%lu hits, %lu impacts", (unsigned long)hit_count, (unsigned long)impact_count);
  { /* one body for all rays, and one origin */
    sovo_ray_batch rays = ray_batch(hits);
    rays.body_stride = rays.pose_stride = rays.origin_stride = 0;
    OK(sovo_body_ray_cast_batch(&rays, INFINITY, 1));
    for (i = 0; i < BODIES; i++) {
      OK(sovo_body_ray_cast(bodies.any, bodies.pose_a, bodies.origins, bodies.directions + 3 * i, INFINITY, 1, &hit));
      CHECK(memcmp(&hit, &hits[i], sizeof hit) == 0, "hit %lu of one body", (unsigned long)i);
    }
  }
}

/* A callback that ends a batch at once. */
static int32_t refuse(void *data, size_t finished, size_t count) {
  (void)data, (void)finished, (void)count;
  return 1;
}

/* Everything that is wrong with a batch of bodies, by the index of its element, and that nothing is written then. */
static void bad_body_batches(void) {
  static sovo_time_of_impact impacts[BODIES], no_impacts[BODIES];
  static sovo_ray_hit hits[BODIES], no_hits[BODIES];
  static sovo_gradient gradients[BODIES], no_gradients[BODIES];
  static sovo_part_contact contacts[BODIES], no_contacts[BODIES];
  static const uint32_t THREADS[] = {1, 8};
  sovo_time_of_impact_options options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  const struct {
    size_t place;
    const char *name;
  } MOVING[] = {{offsetof(sovo_time_of_impact_batch, bodies_a), "bodies_a"}, {offsetof(sovo_time_of_impact_batch, motions_a), "motions_a"},
                {offsetof(sovo_time_of_impact_batch, bodies_b), "bodies_b"}, {offsetof(sovo_time_of_impact_batch, motions_b), "motions_b"},
                {offsetof(sovo_time_of_impact_batch, impacts), "impacts"}},
    RAYS[] = {{offsetof(sovo_ray_batch, bodies), "bodies"}, {offsetof(sovo_ray_batch, poses), "poses"},
              {offsetof(sovo_ray_batch, origins), "origins"}, {offsetof(sovo_ray_batch, directions), "directions"},
              {offsetof(sovo_ray_batch, hits), "hits"}},
    PAIRED[] = {{offsetof(sovo_body_batch, bodies_a), "bodies_a"}, {offsetof(sovo_body_batch, poses_a), "poses_a"},
                {offsetof(sovo_body_batch, bodies_b), "bodies_b"}, {offsetof(sovo_body_batch, poses_b), "poses_b"},
                {offsetof(sovo_body_batch, contacts), "contacts"}};
  sovo_time_of_impact_batch moving;
  sovo_ray_batch rays;
  sovo_body_batch pairs;
  size_t i, k;
  memset(impacts, PATTERN, sizeof impacts), memcpy(no_impacts, impacts, sizeof impacts);
  memset(hits, PATTERN, sizeof hits), memcpy(no_hits, hits, sizeof hits);
  memset(gradients, PATTERN, sizeof gradients), memcpy(no_gradients, gradients, sizeof gradients);
  memset(contacts, PATTERN, sizeof contacts), memcpy(no_contacts, contacts, sizeof contacts);
  expect("no batch", sovo_body_contact_batch(NULL, NULL), SOVO_STATUS_ERROR_NULL, "batch");
  expect("no batch", sovo_body_derivatives_batch(NULL, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_NULL, "batch");
  expect("no batch", sovo_body_time_of_impact_batch(NULL, NULL), SOVO_STATUS_ERROR_NULL, "batch");
  expect("no batch", sovo_body_ray_cast_batch(NULL, 1, 1), SOVO_STATUS_ERROR_NULL, "batch");
  for (i = 0; i < 5; i++) {
    const void *const null = NULL;
    const size_t huge = (size_t)-1 / 12, one = 1;
    moving = impact_batch(impacts), rays = ray_batch(hits), pairs = contact_batch(contacts);
    memcpy((unsigned char *)&moving + MOVING[i].place, &null, sizeof null);
    memcpy((unsigned char *)&rays + RAYS[i].place, &null, sizeof null);
    memcpy((unsigned char *)&pairs + PAIRED[i].place, &null, sizeof null);
    expect("NULL array", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_NULL, MOVING[i].name);
    expect("NULL array", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_NULL, RAYS[i].name);
    expect("NULL array", sovo_body_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_NULL, PAIRED[i].name);
    expect("NULL array", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_NULL, PAIRED[i].name);
    for (k = 0; k < 2; k++) { /* the stride stands behind its array */
      const size_t *const stride = k == 0 ? &huge : &one;
      moving = impact_batch(impacts), rays = ray_batch(hits), pairs = contact_batch(contacts);
      memcpy((unsigned char *)&moving + MOVING[i].place + sizeof null, stride, sizeof *stride);
      memcpy((unsigned char *)&rays + RAYS[i].place + sizeof null, stride, sizeof *stride);
      memcpy((unsigned char *)&pairs + PAIRED[i].place + sizeof null, stride, sizeof *stride);
      expect("stride", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_SIZE, MOVING[i].name);
      expect("stride", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_SIZE, RAYS[i].name);
      expect("stride", sovo_body_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_SIZE, PAIRED[i].name);
      expect("stride", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_SIZE, PAIRED[i].name);
    }
  }
  for (i = 0; i < 8; i++) {
    const size_t sizes_[8] = {0, 7, sizeof(void *), sizeof moving - 8, sizeof moving + 1, 1025, (size_t)-1, (size_t)-8};
    moving = impact_batch(impacts), rays = ray_batch(hits), pairs = contact_batch(contacts);
    moving.size = rays.size = pairs.size = sizes_[i];
    expect("size", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_SIZE, "batch->size");
    expect("size", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_SIZE, "batch->size");
    expect("size", sovo_body_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_SIZE, "batch->size");
    expect("size", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_SIZE, "batch->size");
  }
  moving = impact_batch(impacts), rays = ray_batch(hits), pairs = contact_batch(contacts);
  moving.reserved = rays.reserved = pairs.reserved = 1;
  expect("reserved", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  expect("reserved", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  expect("reserved", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  expect("reserved", sovo_body_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  moving = impact_batch(impacts), options.tolerance = -1;
  expect("options", sovo_body_time_of_impact_batch(&moving, &options), SOVO_STATUS_ERROR_OPTION, "tolerance");
  moving.count = 0;
  expect("options", sovo_body_time_of_impact_batch(&moving, &options), SOVO_STATUS_ERROR_OPTION, "tolerance");
  rays = ray_batch(hits);
  expect("limit", sovo_body_ray_cast_batch(&rays, NAN, 1), SOVO_STATUS_ERROR_OPTION, "element 0: option max_time_of_impact");
  pairs = contact_batch(bodies.contacts);
  expect("overlap", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients - 8), SOVO_STATUS_ERROR_SIZE, "gradients");
  expect("no places", sovo_body_derivatives_batch(&pairs, NULL, NULL, sizeof *gradients), SOVO_STATUS_ERROR_NULL, "gradients");
  for (k = 0; k < 2; k++) { /* the first bad element is named, whatever the threads */
    const sovo_body was = bodies.b[140], was_any = bodies.any[140];
    const sovo_motion was_moving = bodies.motion_a[70];
    const sovo_part_contact was_touching = bodies.contacts[70];
    moving = impact_batch(impacts), rays = ray_batch(hits), pairs = contact_batch(bodies.contacts);
    moving.threads = rays.threads = pairs.threads = THREADS[k];
    bodies.b[140] = sovo_body_ball(-1), bodies.any[140] = sovo_body_ball(-1);
    expect("body", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_GEOMETRY, "element 140: b: radius");
    expect("body", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_GEOMETRY, "element 140: b: radius");
    expect("body", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_GEOMETRY, "element 140: body: radius");
    bodies.motion_a[70].linear[1] = NAN, bodies.directions[3 * 70] = INFINITY, bodies.contacts[70].contact.outcome = 77;
    expect("motion", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_GEOMETRY, "element 70: motion_a: velocity");
    expect("ray", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_GEOMETRY, "element 70: ray direction");
    expect("outcome", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_OPTION,
           "element 70: contact->outcome");
    bodies.b[140] = was, bodies.any[140] = was_any, bodies.motion_a[70] = was_moving;
    bodies.directions[3 * 70] = 1, bodies.contacts[70] = was_touching;
    moving.cancel = rays.cancel = pairs.cancel = refuse;
    expect("cancelled", sovo_body_time_of_impact_batch(&moving, NULL), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
    expect("cancelled", sovo_body_ray_cast_batch(&rays, 1, 1), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
    expect("cancelled", sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
    pairs.contacts = contacts;
    expect("cancelled", sovo_body_contact_batch(&pairs, NULL), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
  }
  CHECK(memcmp(impacts, no_impacts, sizeof impacts) == 0 && memcmp(hits, no_hits, sizeof hits) == 0 &&
            memcmp(gradients, no_gradients, sizeof gradients) == 0 && memcmp(contacts, no_contacts, sizeof contacts) == 0,
        "an error wrote answers");
  { /* a batch without elements needs nothing */
    sovo_time_of_impact_batch no_moving = SOVO_TIME_OF_IMPACT_BATCH_INIT;
    sovo_ray_batch no_rays = SOVO_RAY_BATCH_INIT;
    sovo_body_batch no_pairs = SOVO_BODY_BATCH_INIT;
    OK(sovo_body_time_of_impact_batch(&no_moving, NULL));
    OK(sovo_body_ray_cast_batch(&no_rays, 1, 1));
    OK(sovo_body_contact_batch(&no_pairs, NULL));
    OK(sovo_body_derivatives_batch(&no_pairs, NULL, NULL, sizeof(sovo_gradient)));
  }
}

struct patience {
  size_t calls, most, last_done;
};

static int32_t cancel(void *data, size_t finished, size_t count) {
  struct patience *patience = data;
  sovo_contact contact;
  CHECK(count == PAIRS && finished <= count && finished >= patience->last_done, "%lu of %lu", (unsigned long)finished,
        (unsigned long)count);
  patience->last_done = finished;
  /* A callback may call the library, and fail. */
  CHECK(sovo_pair_contact(NULL, &pose, &shape, &pose, NULL, NULL, &contact) == SOVO_STATUS_ERROR_NULL, "within a callback");
  return patience->calls++ < patience->most ? 0 : (int32_t)0x80000000;
}

static void cancelled(void) {
  static sovo_contact contacts[PAIRS], untouched[PAIRS];
  static const uint32_t THREADS[] = {1, 2, 8};
  size_t k, most;
  memset(contacts, PATTERN, sizeof contacts);
  memcpy(untouched, contacts, sizeof contacts);
  for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++)
    for (most = 0; most < 4; most++) {
      struct patience patience = {0, 0, 0};
      sovo_pair_batch batch = pair_batch(contacts);
      sovo_vertex_batch points = vertex_batch(contacts);
      /* On several threads the others may be done before this one has asked so often. */
      patience.most = THREADS[k] == 1 ? most : 0;
      batch.cancel = points.cancel = cancel;
      batch.cancel_data = points.cancel_data = &patience;
      batch.threads = points.threads = THREADS[k];
      memset(many.caches, 0, sizeof many.caches);
      batch.caches = many.caches;
      expect("cancelled", sovo_pair_contact_batch(&batch, NULL), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
      {
        struct patience others = {0, 0, 0};
        sovo_indexed_pair_batch by_index = indexed_batch(contacts);
        others.most = patience.most;
        by_index.cancel = cancel, by_index.cancel_data = &others, by_index.threads = THREADS[k];
        expect("cancelled", sovo_indexed_pair_contact_batch(&by_index, NULL), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
      }
      CHECK(many.caches[0].seal == 0, "a cancelled batch wrote a cache");
      CHECK(patience.calls == patience.most + 1, "asked %lu times", (unsigned long)patience.calls);
      patience.calls = patience.last_done = 0;
      expect("cancelled", sovo_vertex_contact_batch(&shape, &pose, &points, NULL), SOVO_STATUS_ERROR_CANCELLED, "cancelled");
      CHECK(memcmp(contacts, untouched, sizeof contacts) == 0, "a cancelled batch wrote answers");
      patience.calls = patience.last_done = 0;
      patience.most = (size_t)-1;
      OK(sovo_vertex_contact_batch(&shape, &pose, &points, NULL));
      CHECK(patience.calls > 0, "never asked");
      memset(contacts, PATTERN, sizeof contacts);
    }
}

/* ---- Texts ---------------------------------------------------------------------------------- */

/* Places for derivatives: their size, what is not asked for, and contacts that are none of these bodies. */
static void bad_derivatives(void) {
  static double hessian[676 + 2], normal[78 + 2], point_a[78 + 2], point_b[78 + 2];
  const size_t wrong[] = {0, 7, sizeof(sovo_derivatives) + 1, 4096};
  sovo_derivatives places = SOVO_DERIVATIVES_INIT;
  sovo_gradient gradient, alone;
  sovo_contact other = pair_answer;
  size_t i, j;
  memset(&gradient, 0, sizeof gradient);
  for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    places.size = wrong[i];
    expect("size", sovo_pair_gradient(&shape, &pose, &shape_b, &pose_b, &pair_answer, &places, &gradient),
           SOVO_STATUS_ERROR_SIZE, "derivatives->size");
  }
  places.size = sizeof places;
  OK(sovo_pair_gradient(&shape, &pose, &shape_b, &pose_b, &pair_answer, NULL, &alone));
  for (i = 0; i < 16; i++) {
    hessian[0] = hessian[677] = normal[0] = normal[79] = point_a[0] = point_a[79] = point_b[0] = point_b[79] = 7;
    places.hessian = i & 1 ? hessian + 1 : NULL;
    places.normal = i & 2 ? normal + 1 : NULL;
    places.point_a = i & 4 ? point_a + 1 : NULL;
    places.point_b = i & 8 ? point_b + 1 : NULL;
    OK(sovo_pair_gradient(&shape, &pose, &shape_b, &pose_b, &pair_answer, &places, &gradient));
    CHECK(gradient.status == alone.status, "another status with places %lu", (unsigned long)i);
    for (j = 0; j < 26; j++)
      CHECK(fabs(gradient.gradient[j] - alone.gradient[j]) < 1e-8, "other gradients with places %lu", (unsigned long)i);
    CHECK(hessian[0] + hessian[677] + normal[0] + normal[79] + point_a[0] + point_a[79] + point_b[0] + point_b[79] == 56,
          "written beside places %lu", (unsigned long)i);
  }
  for (i = 0; i < 26; i++)
    for (j = 0; j < 26; j++)
      CHECK(isfinite(hessian[1 + 26 * i + j]) && hessian[1 + 26 * i + j] == hessian[1 + 26 * j + i], "Hessian %lu %lu",
            (unsigned long)i, (unsigned long)j);
  for (i = 0; i < 78; i++) CHECK(isfinite(normal[1 + i]) && isfinite(point_a[1 + i]) && isfinite(point_b[1 + i]), "Jacobian");
  other.outcome = 77;
  expect("outcome", sovo_pair_gradient(&shape, &pose, &shape_b, &pose_b, &other, &places, &gradient),
         SOVO_STATUS_ERROR_OPTION, "contact->outcome");
  other = pair_answer;
  other.point_a[0] += 0.3;
  expect("elsewhere", sovo_pair_gradient(&shape, &pose, &shape_b, &pose_b, &other, &places, &gradient),
         SOVO_STATUS_ERROR_GEOMETRY, "contact");
  other = pair_answer;
  other.outcome = SOVO_OUTCOME_NOT_CONVERGED;
  OK(sovo_pair_gradient(&shape, &pose, &shape_b, &pose_b, &other, &places, &gradient));
  CHECK(gradient.status == SOVO_DERIVATIVE_STATUS_NONE && isnan(gradient.gradient[3]) && isnan(hessian[5]), "open: a number");
}

/* Batches of derivatives: the bits of single calls on any number of threads, every error, and that nothing is written
 * then. */
static void derivative_batches(void) {
  static const uint32_t THREADS[] = {0, 1, 8};
  static sovo_contact contacts[PAIRS];
  static sovo_gradient gradients[PAIRS], untouched[PAIRS], one;
  static double hessians[676 * PAIRS + 1], normals[78 * PAIRS + 1], hessian[676], normal[78];
  sovo_derivatives places = SOVO_DERIVATIVES_INIT, single = SOVO_DERIVATIVES_INIT;
  const size_t stride = sizeof *gradients;
  sovo_pair_batch batch = pair_batch(contacts), bad;
  sovo_contact was;
  size_t i, k;
  OK(sovo_pair_contact_batch(&batch, NULL));
  contacts[5].outcome = SOVO_OUTCOME_NOT_CONVERGED;
  single.hessian = hessian, single.normal = normal;
  for (k = 0; k < sizeof THREADS / sizeof *THREADS; k++) {
    batch.threads = THREADS[k];
    memset(gradients, PATTERN, sizeof gradients);
    OK(sovo_pair_gradient_batch(&batch, NULL, gradients, stride));
    memcpy(untouched, gradients, sizeof gradients);
    places.hessian = hessians, places.normal = normals;
    hessians[676 * PAIRS] = normals[78 * PAIRS] = 7;
    OK(sovo_pair_gradient_batch(&batch, &places, gradients, stride));
    CHECK(hessians[676 * PAIRS] == 7 && normals[78 * PAIRS] == 7, "written beyond the places");
    CHECK(gradients[5].status == SOVO_DERIVATIVE_STATUS_NONE && isnan(hessians[676 * 5 + 3]), "open: a number");
    for (i = 0; i < PAIRS; i++) {
      OK(sovo_pair_gradient(&many.a[i], &many.pose_a[i], &many.b[i], &many.pose_b[i], &contacts[i], &single, &one));
      CHECK(memcmp(&one, &gradients[i], stride) == 0, "gradient %lu", (unsigned long)i);
      CHECK(memcmp(hessian, hessians + 676 * i, sizeof hessian) == 0, "Hessian %lu", (unsigned long)i);
      CHECK(memcmp(normal, normals + 78 * i, sizeof normal) == 0, "normals %lu", (unsigned long)i);
      OK(sovo_pair_gradient(&many.a[i], &many.pose_a[i], &many.b[i], &many.pose_b[i], &contacts[i], NULL, &one));
      CHECK(memcmp(&one, &untouched[i], stride) == 0, "alone %lu", (unsigned long)i);
    }
  }
  memset(gradients, PATTERN, sizeof gradients);
  memcpy(untouched, gradients, sizeof gradients);
  memset(hessians, PATTERN, sizeof hessians);
  expect("no batch", sovo_pair_gradient_batch(NULL, NULL, gradients, stride), SOVO_STATUS_ERROR_NULL, "batch");
  expect("no places", sovo_pair_gradient_batch(&batch, NULL, NULL, stride), SOVO_STATUS_ERROR_NULL, "gradients");
  bad = batch, bad.contacts = NULL;
  expect("no contacts", sovo_pair_gradient_batch(&bad, NULL, gradients, stride), SOVO_STATUS_ERROR_NULL, "contacts");
  bad = batch, bad.shapes_b = NULL;
  expect("no shapes", sovo_pair_gradient_batch(&bad, &places, gradients, stride), SOVO_STATUS_ERROR_NULL, "shapes_b");
  bad = batch, bad.size -= 1;
  expect("size", sovo_pair_gradient_batch(&bad, NULL, gradients, stride), SOVO_STATUS_ERROR_SIZE, "batch->size");
  bad = batch, bad.reserved = 3;
  expect("reserved", sovo_pair_gradient_batch(&bad, NULL, gradients, stride), SOVO_STATUS_ERROR_OPTION, "batch->reserved");
  bad = batch, bad.count = (size_t)-1;
  expect("count", sovo_pair_gradient_batch(&bad, &places, gradients, stride), SOVO_STATUS_ERROR_SIZE, "");
  expect("overlap", sovo_pair_gradient_batch(&batch, NULL, gradients, stride - 1), SOVO_STATUS_ERROR_SIZE, "gradients");
  places.size = 12;
  expect("size", sovo_pair_gradient_batch(&batch, &places, gradients, stride), SOVO_STATUS_ERROR_SIZE, "derivatives->size");
  places.size = sizeof places;
  was = contacts[290], contacts[290].outcome = 77;
  expect("outcome", sovo_pair_gradient_batch(&batch, NULL, gradients, stride), SOVO_STATUS_ERROR_OPTION, "element 290");
  contacts[130].normal[1] = NAN;
  expect("normal", sovo_pair_gradient_batch(&batch, &places, gradients, stride), SOVO_STATUS_ERROR_GEOMETRY, "element 130");
  contacts[290] = was;
  for (i = 0; i < 676; i++) {
    double pattern;
    memset(&pattern, PATTERN, sizeof pattern);
    CHECK(memcmp(&hessians[i], &pattern, sizeof pattern) == 0, "an error wrote a Hessian");
  }
  CHECK(memcmp(gradients, untouched, sizeof gradients) == 0, "an error wrote gradients");
  bad = batch, bad.count = 0, bad.contacts = NULL, bad.shapes_a = bad.shapes_b = NULL, bad.poses_a = bad.poses_b = NULL;
  OK(sovo_pair_gradient_batch(&bad, NULL, NULL, stride));
}

static void texts(void) {
  int32_t status;
  char text[256];
  sovo_contact contact;
  for (status = 0; status <= 17; status++)
    CHECK(strncmp(sovo_status_name(status), "SOVO_", 5) == 0, "status %d", (int)status);
  CHECK(strcmp(sovo_status_name(18), "unknown status") == 0, "status 18");
  CHECK(strcmp(sovo_status_name(-1), "unknown status") == 0, "status -1");
  CHECK(strcmp(sovo_status_name(INT32_MIN), "unknown status") == 0, "the least status");
  CHECK(strcmp(sovo_version(), SOVO_VERSION) == 0, "version %s", sovo_version());
  /* A call that succeeds leaves the text of the last error. */
  CHECK(sovo_pair_contact(&shape, NULL, &shape_b, &pose_b, NULL, NULL, &contact) == SOVO_STATUS_ERROR_NULL, "pose_a");
  strncpy(text, sovo_last_error(), sizeof text - 1);
  OK(sovo_pair_contact(&shape, &pose, &shape_b, &pose_b, NULL, NULL, &contact));
  CHECK(strcmp(sovo_last_error(), "pose_a is NULL") == 0, "the text is now \"%s\"", sovo_last_error());
}

int main(void) {
  CHECK(sovo_last_error()[0] == 0, "a text before any error");
  set_up();
  run_the_table();
  matrices();
  quaternions();
  meaningless_numbers();
  motions();
  out_of_range();
  huge_counts();
  strides_that_are_not_bytes();
  small_capacities();
  bad_meshes();
  hostile_meshes();
  many_pairs();
  the_same_bits();
  bad_batches();
  indexed_bits();
  indexed_wanted();
  bad_indexed_batches();
  many_bodies();
  body_bits();
  bad_body_batches();
  cancelled();
  bad_derivatives();
  derivative_batches();
  texts();
  sovo_hull_free(hull);
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
  return verdict("abuse");
}
