/* Every function once, with bodies for which the answer is known in closed form. */
#include "check.h"

static const double PI = 3.14159265358979323846;

static void near(const char *what, double value, double expected) {
  CHECK(fabs(value - expected) <= 1e-9 * (1 + fabs(expected)), "%s: %.15g instead of %.15g", what, value, expected);
}

static void near_point(const char *what, const double *point, double x, double y, double z) {
  near(what, point[0], x);
  near(what, point[1], y);
  near(what, point[2], z);
}

/* A contact of bodies that meet along x. */
static void along_x(const char *what, const sovo_contact *contact, double distance, double from, double direction) {
  near(what, contact->distance, distance);
  CHECK(contact->lower <= distance + 1e-9 && contact->upper >= distance - 1e-9, "%s: [%g, %g]", what, contact->lower,
        contact->upper);
  near_point(what, contact->point_a, from, 0, 0);
  near_point(what, contact->point_b, from + direction * distance, 0, 0);
  near_point(what, contact->normal, direction, 0, 0);
}

static void poses(void) {
  const double quarter_turn[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1}, translation[3] = {1, 2, 3};
  double matrix[9];
  sovo_pose pose = sovo_pose_identity();
  int i;
  near_point("identity", pose.translation, 0, 0, 0);
  near("identity", pose.rotation[3], 1);
  OK(sovo_pose_from_matrix(quarter_turn, translation, &pose));
  near_point("quarter turn about z", pose.rotation, 0, 0, sqrt(0.5));
  near("quarter turn about z", pose.rotation[3], sqrt(0.5));
  near_point("quarter turn about z", pose.translation, 1, 2, 3);
  OK(sovo_pose_rotation_matrix(&pose, matrix));
  for (i = 0; i < 9; i++) near("matrix", matrix[i], quarter_turn[i]);
  /* A quaternion of single precision counts as of unit length. */
  pose.rotation[2] = pose.rotation[3] = (float)sqrt(0.5);
  OK(sovo_pose_rotation_matrix(&pose, matrix));
  for (i = 0; i < 9; i++) CHECK(fabs(matrix[i] - quarter_turn[i]) < 1e-15, "matrix[%d] = %.17g", i, matrix[i]);
}

static void shapes(void) {
  const sovo_shape ellipsoid = shape_of(1, 2, 3, 1, 1, 0, 0), hollow = shape_of(1, 1, 1, 1, 1, 0.9, 0.9);
  const double inside[3] = {0, 0, 1.5}, diagonal[3] = {1, 1, 1};
  double value, point[3], normal[3], vertices[3 * 26];
  uint32_t triangles[3 * 48];
  size_t vertex_count, triangle_count, i;
  CHECK(ellipsoid.convexity == SOVO_CONVEXITY_CONVEX && hollow.convexity == SOVO_CONVEXITY_TAPER_TOO_STRONG, "convexity %u, %u",
        (unsigned)ellipsoid.convexity, (unsigned)hollow.convexity);
  near("outer radius", ellipsoid.outer_radius, 3);
  near("inner radius", ellipsoid.inner_radius, 1);
  OK(sovo_shape_inside_outside(&ellipsoid, inside, &value));
  near("F", value, 0.25 - 1);
  OK(sovo_shape_support(&ellipsoid, diagonal, &value, point));
  near("support", value, sqrt(14));
  near_point("support", point, 1 / sqrt(14), 4 / sqrt(14), 9 / sqrt(14));
  OK(sovo_shape_surface_point(&ellipsoid, PI / 2, 0, point, normal));
  near_point("surface", point, 0, 2, 0);
  near_point("surface", normal, 0, 1, 0);
  OK(sovo_shape_volume(&ellipsoid, &value));
  near("volume", value, 8 * PI);
  OK(sovo_tessellation_size(8, &vertex_count, &triangle_count));
  CHECK(vertex_count == 26 && triangle_count == 48, "%lu vertices", (unsigned long)vertex_count);
  OK(sovo_shape_tessellate(&ellipsoid, 8, vertices, 26, triangles, 48));
  for (i = 0; i < vertex_count; i++) {
    OK(sovo_shape_inside_outside(&ellipsoid, vertices + 3 * i, &value));
    near("F of a vertex", value, 0);
  }
}

static void bounds(void) {
  const sovo_shape ellipsoid = shape_of(1, 2, 3, 1, 1, 0, 0);
  sovo_pose turned = pose_at(1, 0, 0); /* half a quarter about x */
  sovo_bounding_sphere ball, other_ball;
  sovo_aabb box, other_box;
  sovo_obb obb, other_obb;
  double distance;
  turned.rotation[0] = sin(PI / 8);
  turned.rotation[3] = cos(PI / 8);
  OK(sovo_shape_bounding_sphere(&ellipsoid, &ball));
  near("radius", ball.radius, 3);
  near_point("centre", ball.center, 0, 0, 0);
  OK(sovo_shape_aabb(&ellipsoid, &turned, &box));
  near_point("min", box.min, 0, -sqrt(6.5), -sqrt(6.5));
  near_point("max", box.max, 2, sqrt(6.5), sqrt(6.5));
  OK(sovo_shape_obb(&ellipsoid, &turned, &obb));
  near_point("half extents", obb.half_extents, 1, 2, 3);
  other_ball = ball;
  other_ball.center[1] = 10;
  OK(sovo_bounding_sphere_distance(&ball, &other_ball, &distance));
  near("balls", distance, 4);
  other_box = box;
  other_box.min[0] = 5;
  other_box.max[0] = 6;
  OK(sovo_aabb_distance(&box, &other_box, &distance));
  near("boxes", distance, 3);
  other_obb = obb;
  other_obb.pose.translation[0] = 5;
  OK(sovo_obb_distance(&obb, &other_obb, &distance));
  near("turned boxes", distance, 2);
}

/* Three bodies of two shapes in a table; of the second pair only a proof that it is farther than a metre. */
static void by_index(const sovo_shape *ball, const sovo_shape *ellipsoid) {
  const sovo_pose poses[3] = {pose_at(0, 0, 0), pose_at(5, 0, 0), pose_at(-9, 0, 0)};
  const uint32_t kinds[3] = {0, 1, 0}, index[3] = {0, 1, 2};
  const unsigned char wanted[2] = {SOVO_WANTED_CONTACT, SOVO_WANTED_NEAR};
  const sovo_shape shapes[2] = {*ball, *ellipsoid};
  sovo_indexed_pair_batch batch = SOVO_INDEXED_PAIR_BATCH_INIT;
  sovo_contact contacts[2];
  batch.count = 2;
  batch.body_count = 3;
  batch.poses = poses;
  batch.shape_count = 2;
  batch.shapes = shapes;
  batch.body_shapes = kinds;
  batch.index_a = index;
  batch.index_b = index + 1;
  batch.wanted = wanted;
  batch.margin = 1;
  batch.contacts = contacts;
  OK(sovo_indexed_pair_contact_batch(&batch, NULL));
  along_x("by index", &contacts[0], 2, 1, 1);
  CHECK(contacts[1].outcome == SOVO_OUTCOME_BEYOND && contacts[1].lower > 1 && contacts[1].lower <= 11, "outcome %u",
        (unsigned)contacts[1].outcome);
}

static void pairs(void) {
  const sovo_shape ball = ball_of(1), ellipsoid = shape_of(2, 1, 1, 1, 1, 0, 0);
  const sovo_pose here = sovo_pose_identity(), there = pose_at(5, 0, 0), close = pose_at(2.5, 0, 0);
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  uint32_t scheme;
  sovo_pair_cache cache = {{0}, 0};
  sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
  sovo_pose poses_b[2];
  sovo_contact contact, contacts[2];
  int again;
  for (again = 0; again < 2; again++) {
    OK(sovo_pair_contact(&ball, &here, &ellipsoid, &there, NULL, &cache, &contact));
    along_x("apart", &contact, 2, 1, 1);
    CHECK(contact.outcome == SOVO_OUTCOME_CERTIFIED && cache.seal != 0, "outcome %u", (unsigned)contact.outcome);
  }
  OK(sovo_pair_contact(&ball, &here, &ball, &there, NULL, NULL, &contact));
  along_x("balls", &contact, 3, 1, 1);
  options.depth = SOVO_DEPTH_CERTIFIED;
  OK(sovo_pair_contact(&ball, &here, &ellipsoid, &close, &options, NULL, &contact));
  CHECK(fabs(contact.distance + 0.5) < 1e-5 && contact.outcome == SOVO_OUTCOME_CERTIFIED, "depth %g", contact.distance);
  options.depth = SOVO_DEPTH_FAST;
  options.max_distance = 0.1;
  OK(sovo_pair_contact(&ball, &here, &ellipsoid, &there, &options, NULL, &contact));
  CHECK(contact.outcome == SOVO_OUTCOME_BEYOND && contact.lower > 0.1 && contact.lower <= 2, "outcome %u",
        (unsigned)contact.outcome);
  options.max_distance = 0;
  for (scheme = SOVO_SCHEME_OCT_IMPLICIT; scheme <= SOVO_SCHEME_NTB_PARAMETRIC; scheme++) {
    OK(sovo_published_scheme_contact(scheme, SOVO_JACOBIAN_ANALYTIC, &ball, &here, &ellipsoid, &there, &options, NULL,
                                     &contact));
    CHECK(fabs(contact.distance - 2) < 1e-4 || contact.outcome == SOVO_OUTCOME_NOT_CONVERGED, "scheme %u: %g",
          (unsigned)scheme, contact.distance);
    OK(sovo_published_scheme_contact(scheme | SOVO_SCHEME_AS_PUBLISHED, SOVO_JACOBIAN_ANALYTIC, &ball, &here, &ellipsoid,
                                     &there, &options, NULL, &contact));
    CHECK(contact.outcome != SOVO_OUTCOME_CERTIFIED && contact.lower <= 2 && contact.upper >= 2, "scheme %u: %g to %g",
          (unsigned)scheme, contact.lower, contact.upper);
  }
  poses_b[0] = there;
  poses_b[1] = pose_at(-5, 0, 0);
  batch.count = 2;
  batch.shapes_a = &ball;
  batch.shapes_b = &ellipsoid;
  batch.shape_a_stride = batch.shape_b_stride = batch.pose_a_stride = 0;
  batch.poses_a = &here;
  batch.poses_b = poses_b;
  batch.contacts = contacts;
  OK(sovo_pair_contact_batch(&batch, NULL));
  along_x("batch", &contacts[0], 2, 1, 1);
  along_x("batch", &contacts[1], 2, -1, -1);
  by_index(&ball, &ellipsoid);
}

static void points(void) {
  const sovo_shape ellipsoid = shape_of(2, 1, 1, 1, 1, 0, 0);
  const sovo_pose here = sovo_pose_identity();
  const double outside_and_inside[6] = {5, 0, 0, 0, 0.75, 0};
  sovo_vertex_options options = SOVO_VERTEX_OPTIONS_INIT;
  sovo_vertex_batch batch = SOVO_VERTEX_BATCH_INIT;
  sovo_contact contact, contacts[2];
  OK(sovo_vertex_contact(&ellipsoid, &here, outside_and_inside, &options, &contact));
  CHECK(fabs(contact.distance - 3) < 1e-9, "exact: %g", contact.distance);
  OK(sovo_published_iterative_vertex_contact(&ellipsoid, &here, outside_and_inside, &options, &contact));
  CHECK(fabs(contact.distance - 3) < 1e-2, "iterative: %g", contact.distance);
  OK(sovo_published_radial_vertex_contact(&ellipsoid, &here, outside_and_inside, &options, &contact));
  CHECK(fabs(contact.distance - 3) < 1e-2, "radial: %g", contact.distance);
  batch.count = 2;
  batch.points = outside_and_inside;
  batch.contacts = contacts;
  OK(sovo_vertex_contact_batch(&ellipsoid, &here, &batch, NULL));
  along_x("point", &contacts[0], 3, 2, 1);
  near("point inside", contacts[1].distance, -0.25);
  near_point("point inside", contacts[1].point_a, 0, 1, 0);
}

static void simple_bodies(void) {
  const sovo_shape ball = ball_of(1);
  const sovo_pose here = sovo_pose_identity(), there = pose_at(4, 0, 0);
  const double normal[3] = {2, 0, 0}, minus[3] = {-2, 0, 0}, half[3] = {1, 5, 5};
  const double from[3] = {3, -1, 0}, to[3] = {3, 1, 0};
  const double corners[9] = {3, -1, -1, 3, 1, -1, 3, 0, 2};
  const uint32_t triangle[3] = {0, 1, 2};
  const sovo_aabb boxes[2] = {{{7, 0, 0}, {8, 1, 1}}, {{3, -1, -1}, {4, 1, 1}}};
  sovo_contact contact;
  sovo_part_contact part, parts[2];
  sovo_mesh *mesh = NULL;
  sovo_boxes *set = NULL;
  size_t count = 0;
  OK(sovo_plane_contact(&ball, &here, normal, 6, &contact));
  along_x("plane", &contact, 2, 1, 1);
  OK(sovo_half_space_contact(&ball, &here, minus, -6, &contact));
  along_x("half-space", &contact, 2, 1, 1);
  OK(sovo_segment_contact(&ball, &here, from, to, NULL, &contact));
  along_x("segment", &contact, 2, 1, 1);
  OK(sovo_triangle_contact(&ball, &here, corners, NULL, &contact));
  along_x("triangle", &contact, 2, 1, 1);
  OK(sovo_box_contact(&ball, &here, half, &there, NULL, &contact));
  along_x("box", &contact, 2, 1, 1);
  OK(sovo_hull_contact(&ball, &here, corners, 3, 24, &here, NULL, &contact));
  along_x("hull", &contact, 2, 1, 1);
  {
    sovo_convex *bodies[6] = {NULL}, *unit = NULL;
    const char *const names[6] = {"ball", "convex box", "cylinder", "capsule", "cone", "convex hull"};
    double around[12] = {-1, -5, -5, -1, 5, -5, -1, 0, 5, 5, 0, 0};
    int k;
    OK(sovo_convex_ball(1, &unit));
    OK(sovo_convex_ball(1, &bodies[0]));
    OK(sovo_convex_box(1, 5, 5, &bodies[1]));
    OK(sovo_convex_cylinder(1, 9, &bodies[2]));
    OK(sovo_convex_capsule(1, 9, &bodies[3]));
    OK(sovo_convex_cone(2, 2, &bodies[4]));
    OK(sovo_convex_hull(around, 4, 24, &bodies[5]));
    for (k = 0; k < 6; k++) {
      if (k == 2) {
        /* Of a smooth pair the points are as accurate as the root of the bracket. */
        OK(sovo_shape_convex_contact(&ball, &here, bodies[k], &there, NULL, &contact));
        CHECK(fabs(contact.distance - 2) < 1e-8 && fabs(contact.point_b[0] - 3) < 1e-8, "can: %.17g", contact.distance);
        OK(sovo_convex_contact(unit, &here, bodies[k], &there, NULL, &contact));
        CHECK(fabs(contact.distance - 2) < 1e-8 && fabs(contact.point_b[0] - 3) < 1e-8, "can: %.17g", contact.distance);
      } else if (k != 4) {
        OK(sovo_shape_convex_contact(&ball, &here, bodies[k], &there, NULL, &contact));
        along_x(names[k], &contact, 2, 1, 1);
        OK(sovo_convex_contact(unit, &here, bodies[k], &there, NULL, &contact));
        along_x(names[k], &contact, 2, 1, 1);
      } else {
        /* The rim of the base is nearest: at x = 2, z = -1. */
        OK(sovo_convex_contact(unit, &here, bodies[k], &there, NULL, &contact));
        CHECK(fabs(contact.distance - (sqrt(5.0) - 1)) < 1e-8, "cone: %.17g", contact.distance);
      }
    }
    for (k = 0; k < 6; k++) sovo_convex_free(bodies[k]);
    sovo_convex_free(unit);
  }
  OK(sovo_mesh_new(corners, 3, 24, triangle, 1, &mesh));
  OK(sovo_mesh_contact(&ball, &here, mesh, &here, NULL, &part));
  along_x("mesh", &part.contact, 2, 1, 1);
  OK(sovo_mesh_contacts(&ball, &here, mesh, &here, 2.5, NULL, parts, 2, &count));
  CHECK(count == 1, "%lu triangles", (unsigned long)count);
  {
    /* A tetrahedron around the ball, solid and as its surface. */
    static const double tips[12] = {9, 9, 9, 9, -9, -9, -9, 9, -9, -9, -9, 9};
    static const uint32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    sovo_mesh *solid = NULL, *surface = NULL;
    int32_t is_solid = 7;
    OK(sovo_mesh_is_solid(mesh, &is_solid));
    CHECK(is_solid == 0, "an open mesh");
    OK(sovo_mesh_new(tips, 4, 24, faces, 4, &solid));
    OK(sovo_mesh_is_solid(solid, &is_solid));
    CHECK(is_solid == 1, "a closed mesh");
    OK(sovo_mesh_contact(&ball, &here, solid, &here, NULL, &part));
    CHECK(fabs(part.contact.distance + 1 + sqrt(27.0)) < 1e-8, "inside: %.17g", part.contact.distance);
    OK(sovo_mesh_new_surface(tips, 4, 24, faces, 4, &surface));
    OK(sovo_mesh_is_solid(surface, &is_solid));
    CHECK(is_solid == 0, "a surface on request");
    OK(sovo_mesh_contact(&ball, &here, surface, &here, NULL, &part));
    CHECK(fabs(part.contact.distance + 1 - sqrt(27.0)) < 1e-8, "apart: %.17g", part.contact.distance);
    sovo_mesh_free(solid);
    sovo_mesh_free(surface);
  }
  OK(sovo_boxes_new(boxes, 2, &set));
  OK(sovo_boxes_contact(&ball, &here, set, &here, NULL, &part));
  along_x("boxes", &part.contact, 2, 1, 1);
  CHECK(part.part == 1, "box %u", (unsigned)part.part);
  OK(sovo_boxes_contacts(&ball, &here, set, &here, 9, NULL, parts, 2, &count));
  CHECK(count == 2, "%lu boxes", (unsigned long)count);
  sovo_mesh_free(mesh);
  sovo_boxes_free(set);
}

/* Two balls: the distance of their centres, less the radii. */
static void derivatives(void) {
  const sovo_shape ball = ball_of(1);
  const sovo_pose here = sovo_pose_identity(), there = pose_at(4, 0, 0);
  const double minus[3] = {-1, 0, 0}, corners[9] = {3, -1, -1, 3, 1, -1, 3, 0, 2}, point[3] = {3, 0, 0};
  double hessian[676], normal[78];
  sovo_derivatives places = SOVO_DERIVATIVES_INIT;
  sovo_gradient gradient;
  sovo_contact contact;
  places.hessian = hessian;
  places.normal = normal;
  {
    const double axes[3] = {1, 2, -3}, exponents[2] = {2.5, 0.5}, tapers[2] = {0.1, 0.2};
    sovo_shape convex;
    OK(sovo_shape_make_convex(axes, exponents, tapers, &convex));
    CHECK(convex.convexity == SOVO_CONVEXITY_CONVEX, "a projection is not convex");
    near("least semi-axis", convex.semi_axes[2], 1e-4);
    near("greatest exponent", convex.exponents[0], 1.98);
    near("equal tapers", convex.tapers[0], 0.15);
    near("equal tapers", convex.tapers[1], 0.15);
  }
  OK(sovo_pair_contact(&ball, &here, &ball, &there, NULL, NULL, &contact));
  OK(sovo_pair_gradient(&ball, &here, &ball, &there, &contact, &places, &gradient));
  CHECK(gradient.status == SOVO_DERIVATIVE_STATUS_EXACT && gradient.local_answer == 0, "status %u", (unsigned)gradient.status);
  near("B along x", gradient.gradient[6], 1);
  near("A along x", gradient.gradient[0], -1);
  near("a1 of A", gradient.gradient[12], -1);
  near("B along y, twice", hessian[26 * 7 + 7], 0.25);
  near("normal with B along y", normal[26 * 1 + 7], 0.25);
  {
    sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
    sovo_pose poses_b[2];
    sovo_contact contacts[2];
    sovo_gradient gradients[2];
    double normals[2 * 78];
    poses_b[0] = pose_at(4, 0, 0), poses_b[1] = pose_at(0, 5, 0);
    batch.count = 2;
    batch.shapes_a = batch.shapes_b = &ball;
    batch.shape_a_stride = batch.shape_b_stride = batch.pose_a_stride = 0;
    batch.poses_a = &here;
    batch.poses_b = poses_b;
    batch.contacts = contacts;
    OK(sovo_pair_contact_batch(&batch, NULL));
    OK(sovo_pair_gradient_batch(&batch, NULL, gradients, sizeof *gradients));
    near("batch, B along x", gradients[0].gradient[6], 1);
    near("batch, B along y", gradients[1].gradient[7], 1);
    places.hessian = NULL, places.normal = normals;
    OK(sovo_pair_gradient_batch(&batch, &places, gradients, sizeof *gradients));
    near("batch, normal with B along y", normals[26 * 1 + 7], 0.25);
    near("batch, normal with B along x", normals[78 + 6], 0.2);
    places.hessian = hessian, places.normal = normal;
  }
  OK(sovo_vertex_contact(&ball, &here, point, NULL, &contact));
  OK(sovo_vertex_gradient(&ball, &here, &contact, &places, &gradient));
  near("vertex along x", gradient.gradient[6], 1);
  near("vertex along y, twice", hessian[26 * 7 + 7], 1.0 / 3);
  OK(sovo_half_space_contact(&ball, &here, minus, -3, &contact));
  OK(sovo_half_space_gradient(&ball, &here, minus, -3, &contact, &places, &gradient));
  near("towards a half-space", gradient.gradient[0], -1);
  OK(sovo_hull_contact(&ball, &here, corners, 3, 24, &here, NULL, &contact));
  OK(sovo_hull_gradient(&ball, &here, corners, 3, 24, &here, &contact, &places, &gradient));
  near("hull along x", gradient.gradient[6], 1);
  near("hull along y, twice", hessian[26 * 7 + 7], 0);
}

/* A ball on its way to another one, and to what is at x = 1. */
static void moving_bodies(void) {
  const sovo_shape ball = ball_of(1);
  const sovo_pose from = pose_at(-5, 0, 0), to = pose_at(5, 0, 0);
  const double minus[3] = {-1, 0, 0}, corners[9] = {1, -1, -1, 1, 1, -1, 1, 0, 2};
  const uint32_t triangle[3] = {0, 1, 2};
  const sovo_aabb box = {{1, -1, -1}, {2, 1, 1}};
  sovo_time_of_impact_options options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  sovo_motion motion, still;
  sovo_impact impact;
  sovo_pose middle;
  sovo_mesh *mesh;
  sovo_boxes *set;
  memset(&still, 0, sizeof still);
  still.start = sovo_pose_identity();
  OK(sovo_motion_between(SOVO_MOTION_KIND_LINE_SPIN, &from, &to, &motion));
  OK(sovo_motion_pose(&motion, 0.25, &middle));
  near("a quarter of the way", middle.translation[0], -2.5);
  OK(sovo_pair_time_of_impact(&ball, &motion, &ball, &still, NULL, &impact));
  CHECK(impact.outcome == SOVO_IMPACT_HIT && impact.safe <= 0.3 && impact.touching >= 0.3, "outcome %u", (unsigned)impact.outcome);
  near("safe", impact.safe, 0.3);
  near("touching", impact.touching, 0.3);
  options.min_separation = 1;
  OK(sovo_pair_time_of_impact(&ball, &motion, &ball, &still, &options, &impact));
  near("a metre before", impact.safe, 0.2);
  OK(sovo_vertex_time_of_impact(&ball, &motion, &still, NULL, &impact));
  near("vertex", impact.safe, 0.4);
  OK(sovo_half_space_time_of_impact(&ball, &motion, minus, -1, NULL, &impact));
  near("half-space", impact.safe, 0.5);
  OK(sovo_hull_time_of_impact(&ball, &motion, corners, 3, 24, &still, NULL, &impact));
  near("triangle", impact.safe, 0.5);
  {
    sovo_convex *capsule = NULL, *cube = NULL;
    OK(sovo_convex_capsule(1, 2, &capsule));
    OK(sovo_convex_box(1, 1, 1, &cube));
    OK(sovo_convex_time_of_impact(capsule, &motion, cube, &still, NULL, &impact));
    near("capsule and box", impact.safe, 0.3);
    OK(sovo_shape_convex_time_of_impact(&ball, &motion, cube, &still, NULL, &impact));
    near("ball and box", impact.safe, 0.3);
    sovo_convex_free(capsule);
    sovo_convex_free(cube);
  }
  OK(sovo_mesh_new(corners, 3, 24, triangle, 1, &mesh));
  OK(sovo_mesh_time_of_impact(&ball, &motion, mesh, &still, NULL, &impact));
  near("mesh", impact.safe, 0.5);
  OK(sovo_boxes_new(&box, 1, &set));
  OK(sovo_boxes_time_of_impact(&ball, &motion, set, &still, NULL, &impact));
  near("box", impact.safe, 0.5);
  still.start = pose_at(0, 5, 0);
  OK(sovo_pair_time_of_impact(&ball, &motion, &ball, &still, NULL, &impact));
  CHECK(impact.outcome == SOVO_IMPACT_FREE && impact.clearance > 0 && impact.clearance <= 3, "clearance %g", impact.clearance);
  still.start = from;
  OK(sovo_pair_time_of_impact(&ball, &motion, &ball, &still, NULL, &impact));
  CHECK(impact.outcome == SOVO_IMPACT_OVERLAPPING, "outcome %u", (unsigned)impact.outcome);
  sovo_mesh_free(mesh);
  sovo_boxes_free(set);
}

static void rays(void) {
  const sovo_shape ball = ball_of(1);
  const sovo_pose here = sovo_pose_identity();
  const double origin[3] = {-5, 0, 0}, direction[3] = {2, 0, 0}, to[3] = {-2, 0, 0}, centre[3] = {0, 0, 0};
  sovo_ray_hit hit;
  OK(sovo_ray_cast(&ball, &here, origin, direction, INFINITY, 1, &hit));
  near("ray", hit.time_of_impact, 2);
  near_point("ray", hit.point, -1, 0, 0);
  near_point("ray", hit.normal, -1, 0, 0);
  CHECK(hit.hit == 1, "a miss");
  OK(sovo_segment_cast(&ball, &here, origin, to, 1, &hit));
  CHECK(hit.hit == 0, "a hit");
  OK(sovo_segment_cast(&ball, &here, centre, to, 0, &hit));
  near("from within", hit.time_of_impact, 0.5);
}

static void superquadrics(void) {
  const sovo_shape ball = ball_of(1);
  const sovo_pose here = sovo_pose_identity(), above = pose_at(0, 0, 2), beside = pose_at(0.2, 0, 0);
  const double tube[3] = {0.5, 0.5, 0.5}, unit[3] = {1, 1, 1}, round[2] = {1, 1};
  const double centre[3] = {0, 0, 0}, in_tube[3] = {2, 0, 0}, up[3] = {0, 0, 1}, from[3] = {-5, 0, 0}, along[3] = {1, 0, 0};
  sovo_superquadric *ring = NULL, *neck = NULL, *cup = NULL, *cups = NULL;
  sovo_convex *hull = NULL, *other = NULL;
  sovo_contact contact;
  sovo_ray_hit hits[4];
  sovo_mass_properties mass;
  sovo_aabb box;
  double value, vertices[3 * 64];
  uint32_t triangles[3 * 128], complete = 9;
  size_t vertex_count, triangle_count, count, i;
  OK(sovo_superquadric_toroid(tube, round, 4, &ring));
  OK(sovo_superquadric_one_sheet(unit, round, 2, &neck));
  OK(sovo_superquadric_two_sheets(unit, round, 3, SOVO_SHEETS_UPPER, &cup));
  OK(sovo_superquadric_two_sheets(unit, round, 3, SOVO_SHEETS_BOTH, &cups));
  OK(sovo_superquadric_inside_outside(ring, in_tube, &value));
  near("F of a ring", value, -1);
  OK(sovo_superquadric_aabb(neck, &box));
  near_point("neck", box.max, sqrt(5), sqrt(5), 2);
  OK(sovo_superquadric_mass_properties(ring, 1000, &mass));
  CHECK(fabs(mass.mass / (1000 * 2 * PI * PI * 2 * 0.25) - 1) < 1e-13, "mass %.17g", mass.mass);
  OK(sovo_superquadric_tessellation_size(ring, 8, &vertex_count, &triangle_count));
  CHECK(vertex_count == 64 && triangle_count == 128, "%lu vertices", (unsigned long)vertex_count);
  OK(sovo_superquadric_tessellate(ring, 8, vertices, 64, triangles, 128));
  for (i = 0; i < vertex_count; i++) {
    OK(sovo_superquadric_inside_outside(ring, vertices + 3 * i, &value));
    near("F of a vertex", value, 0);
  }
  OK(sovo_superquadric_shape_contact(ring, &here, &ball, &beside, NULL, &contact));
  CHECK(fabs(contact.distance - 0.3) < 1e-9 && contact.outcome == SOVO_OUTCOME_CERTIFIED, "ring: %.17g", contact.distance);
  OK(sovo_convex_ball(1, &other));
  OK(sovo_superquadric_convex_contact(ring, &here, other, &beside, NULL, &contact));
  CHECK(fabs(contact.distance - 0.3) < 1e-9 && contact.outcome == SOVO_OUTCOME_CERTIFIED, "ring: %.17g", contact.distance);
  OK(sovo_superquadric_point_contact(ring, &here, centre, NULL, &contact));
  near("centre", contact.distance, 1.5);
  OK(sovo_superquadric_point_contact(cups, &here, centre, NULL, &contact));
  CHECK(fabs(contact.distance - 1) < 1e-8, "between cups: %.17g", contact.distance);
  OK(sovo_superquadric_plane_contact(cups, &here, up, 0, &contact));
  near("plane between cups", contact.distance, 1);
  OK(sovo_superquadric_half_space_contact(ring, &above, up, 0, &contact));
  near("ring above the floor", contact.distance, 1.5);
  OK(sovo_superquadric_ray_cast(ring, &here, from, along, INFINITY, 1, &hits[0]));
  near("ray", hits[0].time_of_impact, 2.5);
  OK(sovo_superquadric_ray_hits(ring, &here, from, along, INFINITY, hits, 4, &count, &complete));
  CHECK(count == 4 && complete == 1, "%lu hits", (unsigned long)count);
  near("fourth hit", hits[3].time_of_impact, 7.5);
  near_point("fourth hit", hits[3].normal, 1, 0, 0);
  OK(sovo_superquadric_ray_hits(ring, &here, from, along, INFINITY, hits, 1, &count, &complete));
  CHECK(count == 4, "%lu hits", (unsigned long)count);
  OK(sovo_convex_hull_of_superquadric(cup, &hull));
  OK(sovo_convex_contact(hull, &above, other, &here, NULL, &contact));
  CHECK(fabs(contact.distance - 2) < 1e-8, "cup: %.17g", contact.distance);
  sovo_superquadric_free(ring);
  sovo_superquadric_free(neck);
  sovo_superquadric_free(cup);
  sovo_superquadric_free(cups);
  sovo_convex_free(hull);
  sovo_convex_free(other);
}

static void in_the_plane(void) {
  const double axes[2] = {2, 1}, translation[2] = {0, 0}, from[2] = {5, -1}, to[2] = {5, 1};
  sovo_planar_contact contact;
  OK(sovo_planar_segment_contact(axes, 1, translation, 0, from, to, &contact));
  near("ellipse", contact.distance, 3);
  near("ellipse", contact.point_a[0], 2);
  near("ellipse", contact.point_b[0], 5);
  near("ellipse", contact.normal[0], 1);
  CHECK(contact.outcome == SOVO_OUTCOME_CERTIFIED, "outcome %u", (unsigned)contact.outcome);
}

static void texts(void) {
  CHECK(strcmp(sovo_version(), SOVO_VERSION) == 0, "version %s", sovo_version());
  CHECK(strcmp(sovo_status_name(SOVO_STATUS_OK), "SOVO_STATUS_OK") == 0, "%s", sovo_status_name(SOVO_STATUS_OK));
  CHECK(sovo_last_error()[0] == 0, "\"%s\"", sovo_last_error());
  CHECK(sovo_shape_make(NULL, NULL, NULL, NULL) == SOVO_STATUS_ERROR_NULL, "NULL was taken");
  CHECK(sovo_mesh_is_solid(NULL, NULL) == SOVO_STATUS_ERROR_NULL, "NULL was taken");
  CHECK(sovo_last_error()[0] != 0, "no text");
}

int main(void) {
  poses();
  shapes();
  bounds();
  pairs();
  points();
  simple_bodies();
  derivatives();
  moving_bodies();
  rays();
  superquadrics();
  in_the_plane();
  texts();
  return verdict("whole_api");
}
