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
  const sovo_superovoid ellipsoid = shape_of(1, 2, 3, 1, 1, 0, 0), hollow = shape_of(1, 1, 1, 1, 1, 0.9, 0.9);
  const sovo_body body = sovo_body_superovoid(&ellipsoid);
  const double inside[3] = {0, 0, 1.5}, diagonal[3] = {1, 1, 1};
  double value, point[3], normal[3], vertices[3 * 26];
  sovo_mass_properties mass;
  sovo_aabb box;
  uint32_t triangles[3 * 48];
  size_t vertex_count, triangle_count, i;
  CHECK(ellipsoid.convexity == SOVO_CONVEXITY_CONVEX && hollow.convexity == SOVO_CONVEXITY_TAPER_TOO_STRONG, "convexity %u, %u",
        (unsigned)ellipsoid.convexity, (unsigned)hollow.convexity);
  near("outer radius", ellipsoid.outer_radius, 3);
  near("inner radius", ellipsoid.inner_radius, 1);
  OK(sovo_body_inside_outside(&body, inside, &value));
  near("F", value, 0.25 - 1);
  OK(sovo_superovoid_support(&ellipsoid, diagonal, &value, point));
  near("support", value, sqrt(14));
  near_point("support", point, 1 / sqrt(14), 4 / sqrt(14), 9 / sqrt(14));
  OK(sovo_superovoid_surface_point(&ellipsoid, PI / 2, 0, point, normal));
  near_point("surface", point, 0, 2, 0);
  near_point("surface", normal, 0, 1, 0);
  OK(sovo_body_mass_properties(&body, 1, &mass));
  near("volume", mass.volume, 8 * PI);
  OK(sovo_body_local_aabb(&body, &box));
  near_point("box", box.max, 1, 2, 3);
  OK(sovo_body_tessellate(&body, 8, NULL, 0, NULL, 0, &vertex_count, &triangle_count));
  CHECK(vertex_count == 26 && triangle_count == 48, "%lu vertices", (unsigned long)vertex_count);
  OK(sovo_body_tessellate(&body, 8, vertices, 26, triangles, 48, &vertex_count, &triangle_count));
  for (i = 0; i < vertex_count; i++) {
    OK(sovo_body_inside_outside(&body, vertices + 3 * i, &value));
    near("F of a vertex", value, 0);
  }
}

static void bounds(void) {
  const sovo_superovoid ellipsoid = shape_of(1, 2, 3, 1, 1, 0, 0);
  sovo_pose turned = pose_at(1, 0, 0); /* half a quarter about x */
  sovo_bounding_sphere ball, other_ball;
  sovo_aabb box, other_box;
  sovo_obb obb, other_obb;
  double distance;
  turned.rotation[0] = sin(PI / 8);
  turned.rotation[3] = cos(PI / 8);
  OK(sovo_superovoid_bounding_sphere(&ellipsoid, &ball));
  near("radius", ball.radius, 3);
  near_point("centre", ball.center, 0, 0, 0);
  OK(sovo_superovoid_aabb(&ellipsoid, &turned, &box));
  near_point("min", box.min, 0, -sqrt(6.5), -sqrt(6.5));
  near_point("max", box.max, 2, sqrt(6.5), sqrt(6.5));
  OK(sovo_superovoid_obb(&ellipsoid, &turned, &obb));
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
static void by_index(const sovo_superovoid *ball, const sovo_superovoid *ellipsoid) {
  const sovo_pose poses[3] = {pose_at(0, 0, 0), pose_at(5, 0, 0), pose_at(-9, 0, 0)};
  const uint32_t kinds[3] = {0, 1, 0}, index[3] = {0, 1, 2};
  const unsigned char wanted[2] = {SOVO_WANTED_CONTACT, SOVO_WANTED_NEAR};
  const sovo_superovoid shapes[2] = {*ball, *ellipsoid};
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
  const sovo_superovoid ball = ball_of(1), ellipsoid = shape_of(2, 1, 1, 1, 1, 0, 0);
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
  OK(sovo_pair_contact(&ball, &here, &ellipsoid, &there, &options, NULL, &contact));
  CHECK(contact.outcome == SOVO_OUTCOME_BEYOND && contact.lower > 0 && contact.lower <= 2, "outcome %u",
        (unsigned)contact.outcome);
  options.max_distance = INFINITY;
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
  const sovo_superovoid ellipsoid = shape_of(2, 1, 1, 1, 1, 0, 0);
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

/* The contact of two bodies, and that with B named first, which is the same seen from the other side. */
static sovo_contact contact_of(const char *what, const sovo_body *a, const sovo_pose *pose_a, const sovo_body *b,
                               const sovo_pose *pose_b, uint32_t parts[2]) {
  sovo_contact contact, swapped;
  uint32_t other_parts[2] = {7, 7};
  int k;
  memset(&contact, 0, sizeof contact);
  memset(&swapped, 0, sizeof swapped);
  OK(sovo_body_contact(a, pose_a, b, pose_b, NULL, &contact, parts));
  OK(sovo_body_contact(b, pose_b, a, pose_a, NULL, &swapped, other_parts));
  near(what, swapped.distance, contact.distance);
  CHECK(parts[0] == other_parts[1] && parts[1] == other_parts[0], "%s: parts", what);
  for (k = 0; k < 3; k++) {
    CHECK(fabs(swapped.point_a[k] - contact.point_b[k]) < 1e-7, "%s, swapped: %.17g", what, swapped.point_a[k]);
    CHECK(fabs(swapped.normal[k] + contact.normal[k]) < 1e-7, "%s, swapped: %.17g", what, swapped.normal[k]);
  }
  return contact;
}

static void bodies_of_every_kind(void) {
  const sovo_superovoid shape = ball_of(1);
  const sovo_pose here = sovo_pose_identity(), there = pose_at(4, 0, 0), at_three = pose_at(3, 0, 0);
  const double normal[3] = {2, 0, 0}, minus[3] = {-2, 0, 0};
  const double from[3] = {3, -1, 0}, to[3] = {3, 1, 0};
  const double corners[9] = {3, -1, -1, 3, 1, -1, 3, 0, 2}, around[12] = {-1, -5, -5, -1, 5, -5, -1, 0, 5, 5, 0, 0};
  const double unit[3] = {1, 1, 1}, round[2] = {1, 1};
  const uint32_t triangle[3] = {0, 1, 2};
  const sovo_aabb boxes[2] = {{{7, 0, 0}, {8, 1, 1}}, {{3, -1, -1}, {4, 1, 1}}};
  sovo_hull *hull = NULL;
  sovo_tri_mesh *mesh = NULL;
  sovo_box_set *set = NULL;
  OK(sovo_hull_new(around, 4, 24, &hull));
  OK(sovo_tri_mesh_new(corners, 3, 24, triangle, 1, 0, &mesh));
  OK(sovo_box_set_new(boxes, 2, &set));
  {
    const sovo_body superovoid = sovo_body_superovoid(&shape), ball = sovo_body_ball(1);
    /* What is 2 m from a ball about the origin, towards x. */
    const struct {
      const char *name;
      sovo_body body;
      const sovo_pose *pose;
      int with_ball, has_box, part;
    } others[] = {
        {"superovoid", superovoid, &there, 1, 1, -1},
        {"ball", ball, &there, 1, 1, -1},
        {"cuboid", sovo_body_cuboid(1, 5, 5), &there, 1, 1, -1},
        {"flat cuboid", sovo_body_cuboid(0, 5, 5), &at_three, 0, 1, -1},
        {"cylinder", sovo_body_cylinder(1, 9), &there, 1, 1, -1},
        {"capsule", sovo_body_capsule(1, 9), &there, 1, 1, -1},
        {"hull", sovo_body_hull(hull), &there, 1, 1, -1},
        {"points", sovo_body_points(corners, 3, 24), &here, 0, 1, -1},
        {"point", sovo_body_point(), &at_three, 0, 1, -1},
        {"segment", sovo_body_segment(from, to), &here, 0, 1, -1},
        {"triangle", sovo_body_triangle(corners), &here, 0, 1, -1},
        {"half-space", sovo_body_half_space(minus, -6), &here, 0, 0, -1},
        {"half-space at a pose", sovo_body_half_space(minus, 0), &at_three, 0, 0, -1},
        {"plane", sovo_body_plane(normal, 6), &here, 0, 0, -1},
        {"plane at a pose", sovo_body_plane(normal, -2), &there, 0, 0, -1},
        {"mesh", sovo_body_tri_mesh(mesh), &here, 1, 1, 0},
        {"box set", sovo_body_box_set(set), &here, 1, 1, 1},
    };
    const sovo_body ring = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, unit, round, 3);
    sovo_part_contact answers[sizeof others / sizeof *others];
    sovo_body_batch batch = SOVO_BODY_BATCH_INIT;
    sovo_query_options near_only = SOVO_QUERY_OPTIONS_INIT;
    uint32_t parts[2];
    sovo_contact contact;
    sovo_aabb box;
    size_t k, i;
    near_only.max_distance = 0.5;
    for (k = 0; k < sizeof others / sizeof *others; k++) {
      const sovo_body *const b = &others[k].body;
      /* Of a smooth pair the points are as accurate as the root of the bracket. */
      const double room = b->kind == SOVO_BODY_KIND_CYLINDER ? 1e-8 : 1e-9;
      for (i = 0; i < 2; i++) {
        if (i == 1 && !others[k].with_ball) continue;
        contact = contact_of(others[k].name, i == 0 ? &superovoid : &ball, &here, b, others[k].pose, parts);
        CHECK(fabs(contact.distance - 2) <= room && fabs(contact.point_b[0] - 3) <= 10 * room && contact.lower <= 2 + room,
              "%s: %.17g", others[k].name, contact.distance);
        CHECK(parts[0] == UINT32_MAX && parts[1] == (uint32_t)others[k].part, "%s: part %u", others[k].name, (unsigned)parts[1]);
      }
      OK(sovo_body_contact(&superovoid, &here, b, others[k].pose, &near_only, &contact, NULL));
      CHECK(contact.lower > 0.5 - 1e-12 && contact.lower <= 2 + 1e-9, "%s, beyond: %g", others[k].name, contact.lower);
      /* What is found on the way is a whole answer. */
      CHECK(contact.outcome == SOVO_OUTCOME_BEYOND || (contact.outcome == SOVO_OUTCOME_CERTIFIED && contact.distance > 1.9),
            "%s: outcome %u", others[k].name, (unsigned)contact.outcome);
      if (others[k].has_box) {
        OK(sovo_body_local_aabb(b, &box));
        near(others[k].name, box.min[0] + others[k].pose->translation[0], 3);
      } else {
        CHECK(sovo_body_local_aabb(b, &box) == SOVO_STATUS_ERROR_UNSUPPORTED, "a box around a %s", others[k].name);
      }
      batch.count = 1;
      batch.bodies_a = &superovoid;
      batch.bodies_b = b;
      batch.poses_a = &here;
      batch.poses_b = others[k].pose;
      batch.contacts = &answers[k];
      OK(sovo_body_contact_batch(&batch, NULL));
      OK(sovo_body_contact(&superovoid, &here, b, others[k].pose, NULL, &contact, parts));
      CHECK(memcmp(&answers[k].contact, &contact, sizeof contact) == 0 && answers[k].parts[1] == parts[1], "%s: a batch",
            others[k].name);
    }
    /* The rim of the base is nearest: at x = 2, z = -1. */
    {
      const sovo_body cone = sovo_body_cone(2, 2);
      contact = contact_of("cone", &ball, &here, &cone, &there, parts);
      CHECK(fabs(contact.distance - (sqrt(5.0) - 1)) < 1e-8, "cone: %.17g", contact.distance);
    }
    /* Two meshes, and a ring around one. */
    contact = contact_of("meshes", &others[15].body, &here, &others[16].body, &here, parts);
    CHECK(contact.distance <= 0 && parts[0] == 0 && parts[1] == 1, "meshes: %g", contact.distance);
    contact = contact_of("ring and mesh", &ring, &here, &others[15].body, &here, parts);
    CHECK(contact.lower <= contact.distance && contact.distance <= contact.upper && parts[0] == UINT32_MAX, "ring and mesh");
  }
  sovo_hull_free(hull);
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
}

static void meshes(void) {
  const sovo_superovoid shape = ball_of(1);
  const sovo_body ball = sovo_body_superovoid(&shape);
  const sovo_pose here = sovo_pose_identity();
  /* A tetrahedron around the ball, solid and as its surface. */
  static const double tips[12] = {9, 9, 9, 9, -9, -9, -9, 9, -9, -9, -9, 9};
  static const uint32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
  const double depth[2] = {-1 - sqrt(27.0), sqrt(27.0) - 1};
  const sovo_aabb boxes[2] = {{{7, 0, 0}, {8, 1, 1}}, {{3, -1, -1}, {4, 1, 1}}};
  sovo_contact contact;
  sovo_part_contact parts[4];
  sovo_box_set *set = NULL;
  sovo_body many;
  size_t count = 0;
  int32_t as_surface;
  for (as_surface = 0; as_surface < 2; as_surface++) {
    sovo_tri_mesh *mesh = NULL;
    sovo_body body;
    int32_t is_solid = 7;
    OK(sovo_tri_mesh_new(tips, 4, 24, faces, 4, as_surface, &mesh));
    OK(sovo_tri_mesh_is_solid(mesh, &is_solid));
    CHECK(is_solid == (as_surface == 0), "a closed mesh: %d", (int)is_solid);
    body = sovo_body_tri_mesh(mesh);
    OK(sovo_body_contact(&ball, &here, &body, &here, NULL, &contact, NULL));
    CHECK(fabs(contact.distance - depth[as_surface]) < 1e-8, "inside: %.17g", contact.distance);
    OK(sovo_body_contacts(&ball, &here, &body, &here, 4.2, NULL, parts, 4, &count));
    CHECK(count == 4, "%lu triangles", (unsigned long)count);
    sovo_tri_mesh_free(mesh);
  }
  OK(sovo_box_set_new(boxes, 2, &set));
  many = sovo_body_box_set(set);
  OK(sovo_body_contacts(&ball, &here, &many, &here, 9, NULL, parts, 2, &count));
  CHECK(count == 2 && parts[0].parts[0] == UINT32_MAX && parts[0].parts[1] + parts[1].parts[1] == 1, "%lu boxes",
        (unsigned long)count);
  OK(sovo_body_contacts(&ball, &here, &ball, &here, 9, NULL, parts, 2, &count));
  CHECK(count == 1 && parts[0].parts[0] == UINT32_MAX && parts[0].parts[1] == UINT32_MAX, "%lu balls", (unsigned long)count);
  OK(sovo_body_contacts(&many, &here, &many, &here, -9, NULL, parts, 2, &count));
  CHECK(count == 0, "%lu boxes deep in each other", (unsigned long)count);
  OK(sovo_body_contacts(&many, &here, &ball, &here, 9, NULL, parts, 2, &count));
  CHECK(count == 2 && parts[0].parts[1] == UINT32_MAX && parts[0].parts[0] + parts[1].parts[0] == 1, "%lu boxes, swapped",
        (unsigned long)count);
  sovo_box_set_free(set);
}

/* A block on a table has four points, whichever is named first, which keep their numbers when it slides; pairs by index. */
static void manifolds(void) {
  const sovo_pose here = sovo_pose_identity();
  sovo_pose poses[3], there = sovo_pose_identity();
  sovo_body bodies[3];
  sovo_manifold found, slid, batch[3];
  const uint32_t pairs[6] = {0, 1, 1, 0, 1, 2};
  const uint32_t wrong[2] = {0, 3};
  size_t k, total;
  bodies[0] = sovo_body_cuboid(1, 1, 0.1), bodies[1] = sovo_body_cuboid(0.2, 0.1, 0.05), bodies[2] = sovo_body_ball(0.1);
  there.translation[0] = 0.3, there.translation[2] = 0.149;
  OK(sovo_body_manifolds(&bodies[0], &here, &bodies[1], &there, 0.01, NULL, &found, 1, &total));
  CHECK(total == 1 && found.count == 4, "%lu manifolds, %lu points", (unsigned long)total, (unsigned long)found.count);
  near("how deep", found.contact.contact.distance, -0.001);
  for (k = 0; k < 4; k++) {
    near("on the table", found.points[k].point_a[2], 0.1);
    near("on the block", found.points[k].point_b[2], 0.099);
    near("a corner", fabs(found.points[k].point_a[1]), 0.1);
  }
  there.translation[0] = 0.31;
  OK(sovo_body_manifolds(&bodies[0], &here, &bodies[1], &there, 0.01, NULL, &slid, 1, &total));
  for (k = 0; k < 4; k++) CHECK(slid.points[k].id == found.points[k].id, "point %lu has another number", (unsigned long)k);
  there.translation[2] = 0.17;
  OK(sovo_body_manifolds(&bodies[0], &here, &bodies[1], &there, 0.01, NULL, NULL, 0, &total));
  CHECK(total == 0, "%lu manifolds beyond the margin", (unsigned long)total);
  there.translation[2] = 0.149;
  poses[0] = here, poses[1] = there, poses[2] = there;
  poses[2].translation[2] = 0.3;
  OK(sovo_body_manifold_batch(bodies, poses, 3, pairs, 3, 0.01, NULL, 2, batch));
  CHECK(memcmp(&batch[0], &slid, sizeof slid) == 0, "the batch has another manifold");
  CHECK(batch[1].count == 4 && batch[2].count == 1, "%lu and %lu points", (unsigned long)batch[1].count,
        (unsigned long)batch[2].count);
  near("seen from the block", batch[1].contact.contact.normal[2], -1);
  /* What is wholly inside a solid has no manifold, and is not apart. */
  {
    const double tips[12] = {9, 9, 9, 9, -9, -9, -9, 9, -9, -9, -9, 9};
    const uint32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    const uint32_t pair[2] = {0, 1};
    sovo_tri_mesh *mesh = NULL;
    sovo_body inside[2];
    OK(sovo_tri_mesh_new(tips, 4, 24, faces, 4, 0, &mesh));
    inside[0] = sovo_body_tri_mesh(mesh), inside[1] = bodies[2];
    poses[0] = poses[1] = here;
    OK(sovo_body_manifold_batch(inside, poses, 2, pair, 1, 0.01, NULL, 1, batch));
    CHECK(batch[0].count == 0 && batch[0].contact.contact.upper < 0, "a ball in a solid: %g", batch[0].contact.contact.upper);
    sovo_tri_mesh_free(mesh);
  }
  CHECK(sovo_body_manifold_batch(bodies, poses, 3, wrong, 1, 0.01, NULL, 1, batch) == SOVO_STATUS_ERROR_SIZE &&
            strstr(sovo_last_error(), "index 3"),
        "%s", sovo_last_error());
}

/* A half-space meets the lowest triangle or box, whichever body is named first, and no vertex that is in no triangle. */
static void lowest_parts(void) {
  const sovo_pose here = sovo_pose_identity();
  const double up[3] = {0, 0, 1};
  const double vertices[21] = {0, 0, 3, 1, 0, 3, 0, 1, 3, 5, 0, 2, 6, 0, 4, 5, 1, 4, 9, 9, -7};
  const uint32_t triangles[6] = {0, 1, 2, 3, 4, 5};
  const sovo_aabb boxes[3] = {{{0, 0, 5}, {1, 1, 6}}, {{0, 0, 4}, {1, 1, 9}}, {{2, 0, 2}, {3, 1, 3}}};
  const sovo_body floor = sovo_body_half_space(up, 0);
  sovo_tri_mesh *mesh = NULL;
  sovo_box_set *set = NULL;
  sovo_body many[2];
  size_t k;
  OK(sovo_tri_mesh_new(vertices, 7, 24, triangles, 2, 0, &mesh));
  OK(sovo_box_set_new(boxes, 3, &set));
  many[0] = sovo_body_tri_mesh(mesh), many[1] = sovo_body_box_set(set);
  for (k = 0; k < 2; k++) {
    uint32_t parts[2] = {77, 77};
    sovo_contact contact;
    OK(sovo_body_contact(&many[k], &here, &floor, &here, NULL, &contact, parts));
    near("above a half-space", contact.distance, 2);
    near("the lowest point", contact.point_a[2], 2);
    CHECK(parts[0] == 1 + k && parts[1] == UINT32_MAX, "parts %u and %u", (unsigned)parts[0], (unsigned)parts[1]);
    OK(sovo_body_contact(&floor, &here, &many[k], &here, NULL, &contact, parts));
    near("below", contact.distance, 2);
    CHECK(parts[0] == UINT32_MAX && parts[1] == 1 + k, "parts %u and %u", (unsigned)parts[0], (unsigned)parts[1]);
  }
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
}

/* Two balls: the distance of their centres, less the radii. */
static void derivatives(void) {
  const sovo_superovoid ball = ball_of(1);
  const sovo_pose here = sovo_pose_identity(), there = pose_at(4, 0, 0);
  const double minus[3] = {-1, 0, 0}, corners[9] = {3, -1, -1, 3, 1, -1, 3, 0, 2};
  const sovo_body body = sovo_body_superovoid(&ball), vertex = sovo_body_point(), half_space = sovo_body_half_space(minus, -3);
  const sovo_body hull = sovo_body_points(corners, 3, 24), cylinder = sovo_body_cylinder(1, 1), cuboid = sovo_body_cuboid(1, 2, 2);
  const sovo_pose at_three = pose_at(3, 0, 0);
  double hessian[676], normal[78];
  sovo_derivatives places = SOVO_DERIVATIVES_INIT;
  sovo_gradient gradient;
  sovo_contact contact;
  places.hessian = hessian;
  places.normal = normal;
  {
    const double axes[3] = {1, 2, -3}, exponents[2] = {2.5, 0.5}, tapers[2] = {0.1, 0.2};
    sovo_superovoid convex;
    OK(sovo_superovoid_make_convex(axes, exponents, tapers, &convex));
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
  OK(sovo_body_contact(&body, &here, &body, &there, NULL, &contact, NULL));
  OK(sovo_body_derivatives(&body, &here, &body, &there, &contact, &places, &gradient));
  near("body B along y, twice", hessian[26 * 7 + 7], 0.25);
  OK(sovo_body_contact(&body, &here, &vertex, &at_three, NULL, &contact, NULL));
  OK(sovo_body_derivatives(&body, &here, &vertex, &at_three, &contact, &places, &gradient));
  near("vertex along x", gradient.gradient[6], 1);
  near("vertex along y, twice", hessian[26 * 7 + 7], 1.0 / 3);
  OK(sovo_body_contact(&body, &here, &half_space, &here, NULL, &contact, NULL));
  OK(sovo_body_derivatives(&body, &here, &half_space, &here, &contact, &places, &gradient));
  near("towards a half-space", gradient.gradient[0], -1);
  OK(sovo_body_contact(&body, &here, &hull, &here, NULL, &contact, NULL));
  OK(sovo_body_derivatives(&body, &here, &hull, &here, &contact, &places, &gradient));
  near("hull along x", gradient.gradient[6], 1);
  near("hull along y, twice", hessian[26 * 7 + 7], 0);
  OK(sovo_body_contact(&body, &here, &cuboid, &there, NULL, &contact, NULL));
  OK(sovo_body_derivatives(&body, &here, &cuboid, &there, &contact, NULL, &gradient));
  near("cuboid along x", gradient.gradient[6], 1);
  OK(sovo_body_contact(&body, &here, &cylinder, &there, NULL, &contact, NULL));
  OK(sovo_body_derivatives(&body, &here, &cylinder, &there, &contact, &places, &gradient));
  near("cylinder along x", gradient.gradient[6], 1);
  CHECK(gradient.status == SOVO_DERIVATIVE_STATUS_POINTS_SINGULAR && isnan(hessian[0]), "the Hessian of a cylinder");
}

/* A ball on its way to another one, and to what is at x = 1. */
static void moving_bodies(void) {
  const sovo_superovoid shape = ball_of(1);
  const sovo_pose from = pose_at(-5, 0, 0), to = pose_at(5, 0, 0);
  const double minus[3] = {-1, 0, 0}, corners[9] = {1, -1, -1, 1, 1, -1, 1, 0, 2};
  const uint32_t triangle[3] = {0, 1, 2};
  const sovo_aabb box = {{1, -1, -1}, {2, 1, 1}};
  const sovo_body ball = sovo_body_superovoid(&shape), capsule = sovo_body_capsule(1, 2);
  sovo_time_of_impact_options options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  sovo_motion motion, still;
  sovo_time_of_impact impact;
  sovo_pose middle;
  sovo_tri_mesh *mesh;
  sovo_box_set *set;
  memset(&still, 0, sizeof still);
  still.start = sovo_pose_identity();
  OK(sovo_motion_between(SOVO_MOTION_KIND_LINE_SPIN, &from, &to, &motion));
  OK(sovo_motion_pose(&motion, 0.25, &middle));
  near("a quarter of the way", middle.translation[0], -2.5);
  OK(sovo_tri_mesh_new(corners, 3, 24, triangle, 1, 0, &mesh));
  OK(sovo_box_set_new(&box, 1, &set));
  {
    const struct {
      const char *name;
      const sovo_body *a;
      sovo_body b;
      double first;
    } meetings[] = {
        {"balls", &ball, ball, 0.3},
        {"point", &ball, sovo_body_point(), 0.4},
        {"half-space", &ball, sovo_body_half_space(minus, -1), 0.5},
        {"plane", &ball, sovo_body_plane(minus, -1), 0.5},
        {"capsule and half-space", &capsule, sovo_body_half_space(minus, -1), 0.5},
        {"capsule and plane", &capsule, sovo_body_plane(minus, -1), 0.5},
        {"points", &ball, sovo_body_points(corners, 3, 24), 0.5},
        {"triangle", &ball, sovo_body_triangle(corners), 0.5},
        {"cuboid", &ball, sovo_body_cuboid(1, 1, 1), 0.3},
        {"mesh", &ball, sovo_body_tri_mesh(mesh), 0.5},
        {"box set", &ball, sovo_body_box_set(set), 0.5},
        {"capsule and cuboid", &capsule, sovo_body_cuboid(1, 1, 1), 0.3},
        {"capsule and mesh", &capsule, sovo_body_tri_mesh(mesh), 0.5},
    };
    size_t k;
    for (k = 0; k < sizeof meetings / sizeof *meetings; k++) {
      const sovo_body *const a = meetings[k].a, *const b = &meetings[k].b;
      OK(sovo_body_time_of_impact(a, &motion, b, &still, NULL, &impact));
      near(meetings[k].name, impact.safe, meetings[k].first);
      CHECK(impact.outcome == SOVO_TIME_OF_IMPACT_HIT && impact.touching >= meetings[k].first - 1e-9, "%s: outcome %u",
            meetings[k].name, (unsigned)impact.outcome);
      CHECK(impact.part == (b->kind == SOVO_BODY_KIND_TRI_MESH || b->kind == SOVO_BODY_KIND_BOX_SET ? 0 : UINT32_MAX),
            "%s: part %u", meetings[k].name, (unsigned)impact.part);
      OK(sovo_body_time_of_impact(b, &still, a, &motion, NULL, &impact));
      near(meetings[k].name, impact.safe, meetings[k].first);
      CHECK(impact.contact.normal[0] < 0, "%s, swapped: %g", meetings[k].name, impact.contact.normal[0]);
    }
    CHECK(sovo_body_time_of_impact(&ball, &still, &meetings[2].b, &motion, NULL, &impact) == SOVO_STATUS_ERROR_GEOMETRY,
          "a half-space that moves");
  }
  options.min_separation = 1;
  OK(sovo_body_time_of_impact(&ball, &motion, &ball, &still, &options, &impact));
  near("a metre before", impact.safe, 0.2);
  still.start = pose_at(0, 5, 0);
  OK(sovo_body_time_of_impact(&ball, &motion, &ball, &still, NULL, &impact));
  CHECK(impact.outcome == SOVO_TIME_OF_IMPACT_FREE && impact.clearance > 0 && impact.clearance <= 3, "clearance %g",
        impact.clearance);
  CHECK(impact.part == UINT32_MAX, "a free motion: part %u", (unsigned)impact.part);
  still.start = from;
  OK(sovo_body_time_of_impact(&ball, &motion, &ball, &still, NULL, &impact));
  CHECK(impact.outcome == SOVO_TIME_OF_IMPACT_OVERLAPPING, "outcome %u", (unsigned)impact.outcome);
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
}

static void rays(void) {
  const sovo_superovoid shape = ball_of(1);
  const sovo_body ball = sovo_body_superovoid(&shape), cylinder = sovo_body_cylinder(1, 1);
  const sovo_pose here = sovo_pose_identity();
  const double origin[3] = {-5, 0, 0}, direction[3] = {2, 0, 0}, centre[3] = {0, 0, 0}, back[3] = {-2, 0, 0};
  sovo_ray_hit hit;
  OK(sovo_body_ray_cast(&ball, &here, origin, direction, INFINITY, 1, &hit));
  near("ray", hit.time_of_impact, 2);
  near_point("ray", hit.point, -1, 0, 0);
  near_point("ray", hit.normal, -1, 0, 0);
  CHECK(hit.hit == 1, "a miss");
  OK(sovo_body_ray_cast(&ball, &here, origin, direction, 1.5, 1, &hit));
  CHECK(hit.hit == 0, "a hit");
  OK(sovo_body_ray_cast(&ball, &here, centre, back, 1, 0, &hit));
  near("from within", hit.time_of_impact, 0.5);
  OK(sovo_body_ray_cast(&cylinder, &here, origin, direction, INFINITY, 1, &hit));
  near("a cylinder", hit.point[0], -1);
  CHECK(hit.part == UINT32_MAX, "a part");
}

/* Three balls on their way to a wall, rays at them, and the derivatives of their distances from it. */
static void batches_of_bodies(void) {
  const sovo_superovoid shape = ball_of(1);
  const double minus[3] = {-1, 0, 0}, ahead[3] = {1, 0, 0}, origins[9] = {-9, 0, 0, -9, 2, 0, -9, 0, 0};
  const sovo_body ball = sovo_body_superovoid(&shape), wall = sovo_body_half_space(minus, -3); /* x = 3 */
  const sovo_pose here = sovo_pose_identity();
  sovo_body_batch pairs = SOVO_BODY_BATCH_INIT;
  sovo_time_of_impact_batch moving = SOVO_TIME_OF_IMPACT_BATCH_INIT;
  sovo_ray_batch rays = SOVO_RAY_BATCH_INIT;
  sovo_pose poses[3];
  sovo_motion motions[3], still;
  sovo_part_contact contacts[3];
  sovo_gradient gradients[3];
  sovo_time_of_impact impacts[3];
  sovo_ray_hit hits[3];
  size_t k;
  memset(motions, 0, sizeof motions);
  memset(&still, 0, sizeof still);
  still.start = here;
  for (k = 0; k < 3; k++) {
    poses[k] = motions[k].start = pose_at(-(double)k, 0, 0);
    motions[k].linear[0] = 8;
  }
  pairs.count = moving.count = rays.count = 3;
  pairs.bodies_a = moving.bodies_a = rays.bodies = &ball;
  pairs.bodies_b = moving.bodies_b = &wall;
  pairs.body_a_stride = pairs.body_b_stride = moving.body_a_stride = moving.body_b_stride = rays.body_stride = 0;
  pairs.poses_a = rays.poses = poses;
  pairs.poses_b = &here, pairs.pose_b_stride = 0;
  moving.motions_a = motions;
  moving.motions_b = &still, moving.motion_b_stride = 0;
  rays.origins = origins;
  rays.directions = ahead, rays.direction_stride = 0;
  pairs.contacts = contacts, moving.impacts = impacts, rays.hits = hits;
  OK(sovo_body_contact_batch(&pairs, NULL));
  OK(sovo_body_derivatives_batch(&pairs, NULL, gradients, sizeof *gradients));
  OK(sovo_body_time_of_impact_batch(&moving, NULL));
  OK(sovo_body_ray_cast_batch(&rays, INFINITY, 1));
  for (k = 0; k < 3; k++) {
    near("to the wall", contacts[k].contact.distance, 2 + (double)k);
    near("its derivative", gradients[k].gradient[0], -1);
    near("at the wall", impacts[k].safe, (2 + (double)k) / 8);
    CHECK(impacts[k].part == UINT32_MAX && hits[k].hit == (k != 1), "part %u, hit %u", (unsigned)impacts[k].part, (unsigned)hits[k].hit);
    if (k != 1) near("a ray", hits[k].time_of_impact, 8 - (double)k);
  }
}

/* Which kinds have an answer with which, as the table of docs/guides/c.md says; a superovoid has all derivatives with kinds of an x. */
static void answers_by_kind(void) {
  /* A superquadric that is not convex has no answer with another, nor with meshes, sets of boxes and height fields. */
  static const char DERIVATIVES[] = "x.x...xxxxxx......";
  const double axes[3] = {0.1, 0.2, 0.3}, round[2] = {1, 1}, up[3] = {0, 0, 1}, from[3] = {-1, 0, 0};
  const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
  const sovo_aabb box = {{0, 0, 0}, {1, 1, 1}};
  const sovo_superovoid shape = shape_of(0.1, 0.2, 0.3, 1, 1, 0, 0);
  const sovo_pose here = sovo_pose_identity(), there = pose_at(3, 0, 2);
  sovo_motion resting, other;
  sovo_hull *hull = NULL;
  sovo_tri_mesh *mesh = NULL;
  sovo_box_set *set = NULL;
  sovo_height_field *field = NULL;
  const double heights[4] = {0, 0.2, 0.1, 0}, ends[2] = {-1, 1};
  size_t i, k;
  OK(sovo_height_field_new(heights, 2, 2, ends, ends, -1, &field));
  OK(sovo_hull_new(corners, 4, 24, &hull));
  OK(sovo_tri_mesh_new(corners, 4, 24, faces, 4, 0, &mesh));
  OK(sovo_box_set_new(&box, 1, &set));
  memset(&resting, 0, sizeof resting);
  other = resting;
  resting.start = here, other.start = there;
  {
    const sovo_body kinds[18] = {
        sovo_body_superovoid(&shape), sovo_body_ball(0.1), sovo_body_cuboid(0.1, 0.2, 0.3), sovo_body_cylinder(0.1, 0.2),
        sovo_body_capsule(0.1, 0.2), sovo_body_cone(0.1, 0.2), sovo_body_hull(hull), sovo_body_points(corners, 4, 24),
        sovo_body_point(), sovo_body_segment(corners, corners + 3), sovo_body_triangle(corners), sovo_body_half_space(up, 0),
        sovo_body_plane(up, 0), sovo_body_tri_mesh(mesh), sovo_body_box_set(set),
        sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, axes, round, 3),
        sovo_body_superquadric_hull(SOVO_SUPERQUADRIC_FAMILY_TOROID, axes, round, 3), sovo_body_height_field(field)};
    for (i = 0; i < 18; i++) {
      sovo_ray_hit hit;
      CHECK(kinds[i].kind == i + 1, "kind %u", (unsigned)kinds[i].kind);
      OK(sovo_body_ray_cast(&kinds[i], &here, from, up, 1, 1, &hit));
      for (k = 0; k < 18; k++) {
        sovo_contact contact;
        sovo_gradient gradient;
        sovo_time_of_impact impact;
        const sovo_status found = sovo_body_contact(&kinds[i], &here, &kinds[k], &there, NULL, &contact, NULL);
        CHECK(found == SOVO_STATUS_OK, "contact of kinds %lu and %lu: %s",
              (unsigned long)i + 1, (unsigned long)k + 1, sovo_status_name(found));
        CHECK(sovo_body_time_of_impact(&kinds[i], &resting, &kinds[k], &other, NULL, &impact) == SOVO_STATUS_OK,
              "impact of kinds %lu and %lu", (unsigned long)i + 1, (unsigned long)k + 1);
        if (found == SOVO_STATUS_OK) {
          const int all = i == 0 && DERIVATIVES[k] == 'x';
          OK(sovo_body_derivatives(&kinds[i], &here, &kinds[k], &there, &contact, NULL, &gradient));
          CHECK(gradient.status == SOVO_DERIVATIVE_STATUS_NONE || all == (gradient.status == SOVO_DERIVATIVE_STATUS_EXACT) || all,
                "derivatives of kinds %lu and %lu: %u", (unsigned long)i + 1, (unsigned long)k + 1, (unsigned)gradient.status);
        }
      }
    }
  }
  sovo_hull_free(hull);
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
  sovo_height_field_free(field);
}

static void superquadrics(void) {
  const sovo_superovoid shape = ball_of(1);
  const sovo_pose here = sovo_pose_identity(), above = pose_at(0, 0, 2), beside = pose_at(0.2, 0, 0);
  const double tube[3] = {0.5, 0.5, 0.5}, unit[3] = {1, 1, 1}, round[2] = {1, 1};
  const double in_tube[3] = {2, 0, 0}, up[3] = {0, 0, 1}, from[3] = {-5, 0, 0}, along[3] = {1, 0, 0};
  const sovo_body ball = sovo_body_superovoid(&shape), other = sovo_body_ball(1), point = sovo_body_point();
  const sovo_body plane = sovo_body_plane(up, 0), floor = sovo_body_half_space(up, 0);
  const sovo_body ring = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, tube, round, 4);
  const sovo_body neck = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET, unit, round, 2);
  const sovo_body cups = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TWO_SHEETS, unit, round, 3);
  const sovo_body hull = sovo_body_superquadric_hull(SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET, unit, round, 3);
  sovo_contact contact;
  sovo_ray_hit hits[4];
  sovo_mass_properties mass;
  sovo_aabb box;
  double value, vertices[3 * 64];
  uint32_t triangles[3 * 128];
  int32_t complete = 9;
  size_t vertex_count, triangle_count, count, i;
  OK(sovo_body_inside_outside(&ring, in_tube, &value));
  near("F of a ring", value, -1);
  OK(sovo_body_local_aabb(&neck, &box));
  near_point("neck", box.max, sqrt(5), sqrt(5), 2);
  OK(sovo_body_mass_properties(&ring, 1000, &mass));
  CHECK(fabs(mass.mass / (1000 * 2 * PI * PI * 2 * 0.25) - 1) < 1e-13, "mass %.17g", mass.mass);
  OK(sovo_body_tessellate(&ring, 8, vertices, 64, triangles, 128, &vertex_count, &triangle_count));
  CHECK(vertex_count == 64 && triangle_count == 128, "%lu vertices", (unsigned long)vertex_count);
  for (i = 0; i < vertex_count; i++) {
    OK(sovo_body_inside_outside(&ring, vertices + 3 * i, &value));
    near("F of a vertex", value, 0);
  }
  OK(sovo_body_contact(&ring, &here, &ball, &beside, NULL, &contact, NULL));
  CHECK(fabs(contact.distance - 0.3) < 1e-9 && contact.outcome == SOVO_OUTCOME_CERTIFIED, "ring: %.17g", contact.distance);
  OK(sovo_body_contact(&other, &beside, &ring, &here, NULL, &contact, NULL));
  CHECK(fabs(contact.distance - 0.3) < 1e-9 && contact.outcome == SOVO_OUTCOME_CERTIFIED, "ring: %.17g", contact.distance);
  OK(sovo_body_contact(&ring, &here, &point, &here, NULL, &contact, NULL));
  near("centre", contact.distance, 1.5);
  OK(sovo_body_contact(&cups, &here, &point, &here, NULL, &contact, NULL));
  CHECK(fabs(contact.distance - 1) < 1e-8, "between cups: %.17g", contact.distance);
  OK(sovo_body_contact(&cups, &here, &plane, &here, NULL, &contact, NULL));
  near("plane between cups", contact.distance, 1);
  OK(sovo_body_contact(&ring, &above, &floor, &here, NULL, &contact, NULL));
  near("ring above the floor", contact.distance, 1.5);
  OK(sovo_body_ray_cast(&ring, &here, from, along, INFINITY, 1, &hits[0]));
  near("ray", hits[0].time_of_impact, 2.5);
  OK(sovo_body_ray_hits(&ring, &here, from, along, INFINITY, hits, 4, &count, &complete));
  CHECK(count == 4 && complete == 1, "%lu hits", (unsigned long)count);
  near("fourth hit", hits[3].time_of_impact, 7.5);
  near_point("fourth hit", hits[3].normal, 1, 0, 0);
  OK(sovo_body_ray_hits(&ring, &here, from, along, INFINITY, hits, 1, &count, &complete));
  CHECK(count == 4, "%lu hits", (unsigned long)count);
  OK(sovo_body_contact(&hull, &above, &other, &here, NULL, &contact, NULL));
  CHECK(fabs(contact.distance - 2) < 1e-8, "cup: %.17g", contact.distance);
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
  CHECK(sovo_superovoid_make(NULL, NULL, NULL, NULL) == SOVO_STATUS_ERROR_NULL, "NULL was taken");
  CHECK(sovo_tri_mesh_is_solid(NULL, NULL) == SOVO_STATUS_ERROR_NULL, "NULL was taken");
  CHECK(sovo_last_error()[0] != 0, "no text");
}

int main(void) {
  texts();
  poses();
  shapes();
  bounds();
  pairs();
  points();
  bodies_of_every_kind();
  meshes();
  manifolds();
  lowest_parts();
  derivatives();
  moving_bodies();
  rays();
  batches_of_bodies();
  answers_by_kind();
  superquadrics();
  in_the_plane();
  return verdict("whole_api");
}
