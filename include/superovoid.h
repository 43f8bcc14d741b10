/** @mainpage superovoid: exact contact between smooth convex bodies
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Signed distance, witness points, normal and a bracket that proves them, between superovoids (tapered
 * superellipsoids), balls, boxes, cylinders, capsules, cones, hulls, meshes and other bodies; rays, motions,
 * derivatives; robots from URDF. A superovoid is seven numbers, not a mesh.
 *
 *     const double axes[3] = {0.02, 0.02, 0.03}, exponents[2] = {1, 1}, tapers[2] = {0.2, 0.2};
 *     const sovo_body can = sovo_body_cylinder(0.03, 0.1);
 *     sovo_superovoid shape;
 *     sovo_body egg;
 *     sovo_pose here = sovo_pose_identity(), there = sovo_pose_identity();
 *     sovo_contact contact;
 *     there.translation[2] = 0.1;
 *     if (sovo_superovoid_make(axes, exponents, tapers, &shape) == SOVO_STATUS_OK) {
 *       egg = sovo_body_superovoid(&shape);
 *       if (sovo_body_contact(&egg, &here, &can, &there, NULL, &contact, NULL) == SOVO_STATUS_OK)
 *         printf("%g m apart\n", contact.distance);
 *     }
 *
 * BODIES  A sovo_body is a tag and the numbers of its kind, a plain value. sovo_body_contact(),
 *   sovo_body_time_of_impact(), sovo_body_derivatives() and sovo_body_ray_cast() take bodies of any kind; two kinds for
 *   which there is no answer end with SOVO_STATUS_ERROR_UNSUPPORTED. Beside them are functions for superovoids alone:
 *   sovo_pair_contact() starts from a cache, sovo_pair_contact_batch() and sovo_vertex_contact_batch() work in the vector
 *   lanes of the processor.
 *
 * FRAMES AND UNITS  Metres, radians, double precision, right-handed frames. A body is described in its
 *   own frame, with its origin at the centre; a sovo_pose puts it into the world frame, in which all
 *   answers are. Points and directions are pointers to three numbers.
 *
 * SIGN  distance is positive apart, zero touching and negative overlapping (minus the least translation
 *   that separates the bodies). normal is a unit vector from A to B, and always
 *   point_b = point_a + distance * normal. Swapping the bodies swaps the points and turns the normal.
 *
 * PROOF  Every answer carries a bracket, lower <= true distance <= upper, and an outcome. An answer
 *   that did not converge is never reported as apart: bodies are proven to be free where lower > 0.
 *
 * ERRORS  Every function that can fail returns a sovo_status, SOVO_STATUS_OK (0) on success. Otherwise nothing
 *   that was passed in has changed, there is no partial result, and sovo_last_error() describes the error
 *   and its place. NULL, numbers that are not finite, quaternions that are not rotations, invalid sizes and
 *   counts, and integers that are not values of an enum are errors. Nothing unwinds or aborts across this
 *   interface.
 *
 * WHAT CANNOT BE CHECKED  A pointer that is not NULL must point to as much memory as its type or its
 *   count says; memory need not be aligned. The makers of bodies at the end of this header check nothing: their pointers
 *   to numbers must not be NULL. Handles (sovo_hull, sovo_tri_mesh, sovo_box_set, sovo_robot,
 *   sovo_scene, sovo_robot_scene, sovo_spline, sovo_plan) come from a function that makes them and go to their _free function, once.
 *
 * THREADS  Every function may be called from any thread at any time. There is no global state except
 *   the text of the last error, of which each thread has its own. Bodies and handles, except scenes, are immutable
 *   and can be shared; outputs and caches must not be used by two threads at once. Functions that take one body or
 *   one pair lock nothing and give the same bits on any thread. They allocate nothing, except for
 *   sovo_body_contacts(), sovo_body_tessellate(), points that are not contiguous, two bodies with parts, and what has
 *   corners (a point, a segment, a triangle, points, boxes and prisms of sets and height fields) beside a body other than a
 *   superovoid.
 *
 * OWNERSHIP  Inputs remain the caller's and are not kept; scenes share what is large. Texts (const char *) belong to
 *   the library, in UTF-8.
 *
 * FLAGS AND ABSENCE  A flag among the arguments of a function is 0 or any other value; in options it is 0 or 1. A distance
 *   without a limit is INFINITY. An index that is missing is UINT32_MAX.
 *
 * STRIDES  A stride is the number of bytes from one element of an array to the next, at least the size of an element. In
 *   arrays of a batch that are only read a stride of 0 uses the first element for all.
 *
 * VERSIONS  Options and batches begin with their size: initialise them with the _INIT macros, and programs keep
 *   working when fields are added at the end. sovo_body has room for more kinds; other structs do not change within an
 *   interface, which the name of the shared library numbers. Functions and structs whose comment says UNSTABLE may
 *   change in any release, with a new number.
 *
 * SOURCES  A. Goncalves, A. Bernardino, J. Jorge, D. Lopes: "A benchmark study on accuracy-controlled
 *   distance calculation between superellipsoid and superovoid contact geometries", Mechanism and Machine
 *   Theory 115 (2017): the shapes, and the four schemes of sovo_scheme.
 */


#ifndef SUPEROVOID_H
#define SUPEROVOID_H

/* Generated by cbindgen from crates/capi/src: changes go there. */

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/** @file
 * The C interface of superovoid, and of every language that calls C.
 */

/** Major version of this header. */
#define SOVO_VERSION_MAJOR 0
/** Minor version of this header. */
#define SOVO_VERSION_MINOR 1
/** Patch version of this header. */
#define SOVO_VERSION_PATCH 0
/** Version of this header; sovo_version() is that of the library that runs. */
#define SOVO_VERSION "0.1.0"

/** What is added to the index of an attached body in a sovo_robot_contact. */
#define SOVO_ATTACHED 0x80000000u

/** Sets every field to its default:  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT; */
#define SOVO_QUERY_OPTIONS_INIT \
  { sizeof(sovo_query_options), 0, 0, 0, HUGE_VAL }
/** Sets every field to its default. */
#define SOVO_VERTEX_OPTIONS_INIT \
  { sizeof(sovo_vertex_options), 0, 0, 0, HUGE_VAL }
/** Sets every field to its default. */
#define SOVO_CLEARANCE_OPTIONS_INIT \
  { sizeof(sovo_clearance_options), 0, 0, 0, HUGE_VAL, 0, 0 }
/** Sets every field to its default. */
#define SOVO_EDGE_OPTIONS_INIT \
  { sizeof(sovo_edge_options), 0, 0, 0, 0, 0, 0, 0, 0 }
/** Sets every field to its default. */
#define SOVO_TIME_OF_IMPACT_OPTIONS_INIT \
  { sizeof(sovo_time_of_impact_options), 0, 0, 0, 0 }
/** Sets every field to its default. */
#define SOVO_PLAN_OPTIONS_INIT \
  { sizeof(sovo_plan_options), 0, 0, 0, 0, 0, 3, 0, 0, NULL, NULL }
/** Makes places for no derivatives; set the pointers to those that are wanted. */
#define SOVO_DERIVATIVES_INIT \
  { sizeof(sovo_derivatives), NULL, NULL, NULL, NULL }
/** Makes an empty batch; the strides are those of contiguous arrays. */
#define SOVO_PAIR_BATCH_INIT                                                                    \
  {                                                                                             \
    sizeof(sovo_pair_batch), 0, NULL, sizeof(sovo_superovoid), NULL, sizeof(sovo_pose), NULL,        \
        sizeof(sovo_superovoid), NULL, sizeof(sovo_pose), NULL, sizeof(sovo_pair_cache), NULL,       \
        sizeof(sovo_contact), NULL, NULL, 0, 0                                                  \
  }
/** Makes an empty batch; the strides are those of contiguous arrays. */
#define SOVO_BODY_BATCH_INIT                                                                    \
  {                                                                                             \
    sizeof(sovo_body_batch), 0, NULL, sizeof(sovo_body), NULL, sizeof(sovo_pose), NULL,         \
        sizeof(sovo_body), NULL, sizeof(sovo_pose), NULL, sizeof(sovo_part_contact), NULL,      \
        NULL, 0, 0                                                                              \
  }
/** Makes an empty batch; the strides are those of contiguous arrays. */
#define SOVO_TIME_OF_IMPACT_BATCH_INIT                                                          \
  {                                                                                             \
    sizeof(sovo_time_of_impact_batch), 0, NULL, sizeof(sovo_body), NULL, sizeof(sovo_motion),   \
        NULL, sizeof(sovo_body), NULL, sizeof(sovo_motion), NULL, sizeof(sovo_time_of_impact),  \
        NULL, NULL, 0, 0                                                                        \
  }
/** Makes an empty batch; the strides are those of contiguous arrays. */
#define SOVO_RAY_BATCH_INIT                                                                     \
  {                                                                                             \
    sizeof(sovo_ray_batch), 0, NULL, sizeof(sovo_body), NULL, sizeof(sovo_pose), NULL,          \
        3 * sizeof(double), NULL, 3 * sizeof(double), NULL, sizeof(sovo_ray_hit), NULL, NULL, 0, 0 \
  }
/** Makes an empty batch; the strides are those of contiguous arrays. */
#define SOVO_INDEXED_PAIR_BATCH_INIT                                                            \
  {                                                                                             \
    sizeof(sovo_indexed_pair_batch), 0, 0, NULL, sizeof(sovo_pose), 0, NULL,                    \
        sizeof(sovo_superovoid), NULL, sizeof(uint32_t), NULL, sizeof(uint32_t), NULL,               \
        sizeof(uint32_t), NULL, 1, 0, NULL, sizeof(sovo_pair_cache), NULL,                      \
        sizeof(sovo_contact), NULL, NULL, 0, 0                                                  \
  }
/** Makes an empty batch; the strides are those of contiguous arrays. */
#define SOVO_VERTEX_BATCH_INIT                                                                  \
  {                                                                                             \
    sizeof(sovo_vertex_batch), 0, NULL, 3 * sizeof(double), NULL, sizeof(sovo_contact), NULL,   \
        NULL, 0, 0                                                                              \
  }


/**
 * The status of a call. Everything but SOVO_STATUS_OK is an error: the call changed nothing that the caller can see,
 * and sovo_last_error() describes the error and its place.
 */
enum sovo_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The call succeeded.
   */
  SOVO_STATUS_OK = 0,
  /**
   * A pointer that must not be NULL is NULL.
   */
  SOVO_STATUS_ERROR_NULL = 1,
  /**
   * A size field, count, capacity, stride, or index in an array is invalid.
   */
  SOVO_STATUS_ERROR_SIZE = 2,
  /**
   * An option is out of its domain, unknown, or in conflict with another one.
   */
  SOVO_STATUS_ERROR_OPTION = 3,
  /**
   * The parameters are not those of a shape, or a sovo_superovoid was not filled by this library or was changed since.
   */
  SOVO_STATUS_ERROR_SHAPE = 4,
  /**
   * A pose is not finite, or its quaternion or matrix is not a rotation.
   */
  SOVO_STATUS_ERROR_POSE = 5,
  /**
   * A point, direction or other length is not finite or is zero where it must not be, or vertices, triangles or
   * boxes do not make a body.
   */
  SOVO_STATUS_ERROR_GEOMETRY = 6,
  /**
   * The answer, or an intermediate difference, exceeds the number range.
   */
  SOVO_STATUS_ERROR_OVERFLOW = 7,
  /**
   * A sovo_pair_cache is neither all zero nor written by a query.
   */
  SOVO_STATUS_ERROR_CACHE = 8,
  /**
   * A text is not UTF-8.
   */
  SOVO_STATUS_ERROR_TEXT = 9,
  /**
   * A file cannot be read.
   */
  SOVO_STATUS_ERROR_FILE = 10,
  /**
   * A robot description was rejected; the text gives line and column.
   */
  SOVO_STATUS_ERROR_URDF = 11,
  /**
   * The robot cannot take these joint positions, or a robot or scene does not have this name, index or number.
   */
  SOVO_STATUS_ERROR_CONFIGURATION = 12,
  /**
   * The cancel callback ended the call.
   */
  SOVO_STATUS_ERROR_CANCELLED = 13,
  /**
   * There is not enough memory.
   */
  SOVO_STATUS_ERROR_MEMORY = 14,
  /**
   * A defect of this library was caught before it could do harm. Please report it with the text.
   */
  SOVO_STATUS_ERROR_INTERNAL = 15,
  /**
   * The robot has collision shapes that are not checked, so that nothing proves it free; the text names them.
   */
  SOVO_STATUS_ERROR_UNCHECKED = 16,
  /**
   * The library has no answer for these kinds of body; the text names them.
   */
  SOVO_STATUS_ERROR_UNSUPPORTED = 17,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_status sovo_status;
#else
typedef int32_t sovo_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a query ended.
 */
enum sovo_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * No query has written here: this is the value of a contact that is all zero.
   */
  SOVO_OUTCOME_NONE = 0,
  /**
   * The bracket is closed: upper - lower is at most the tolerance.
   */
  SOVO_OUTCOME_CERTIFIED = 1,
  /**
   * The answer is stationary and checked (its points lie on both surfaces, the normals are opposed, a common point
   * proves the overlap), but its bracket is open: it is a fast depth, an overlap of bodies that are not convex, or any
   * answer of a body with an exponent within 1e-6 of 0 or 2, of which rounding proves nothing.
   */
  SOVO_OUTCOME_CONVERGED = 2,
  /**
   * Only the bracket is known, which is true. While it contains 0 the distance is its lower end, so that nothing
   * in doubt reads as free.
   */
  SOVO_OUTCOME_NOT_CONVERGED = 3,
  /**
   * The bodies are proven to be farther apart than max_distance: distance and lower are that proof, and the points
   * are not the nearest ones.
   */
  SOVO_OUTCOME_BEYOND = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_outcome sovo_outcome;
#else
typedef uint32_t sovo_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What is wanted of a pair, as bits that can be added: SOVO_WANTED_NEAR + SOVO_WANTED_DISTANCE is a request too.
 *
 * UNSTABLE: may change in any release.
 */
enum sovo_wanted
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The whole answer.
   */
  SOVO_WANTED_CONTACT = 0,
  /**
   * The distance, its bracket and the outcome; the points and the normal are left zero.
   */
  SOVO_WANTED_DISTANCE = 1,
  /**
   * The answer if the bodies may be within the margin of the batch. Where their bounding spheres, or the boxes of elongated
   * bodies, prove them farther apart, nothing is solved: the outcome is SOVO_OUTCOME_BEYOND, distance and lower are that
   * proof, and the cache of the pair stays as it is. Other pairs, also some that are farther apart, have their whole
   * answer.
   */
  SOVO_WANTED_NEAR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_wanted sovo_wanted;
#else
typedef uint32_t sovo_wanted;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Whether a body is convex and, if not, the reason.
 */
enum sovo_convexity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The body is convex: queries can prove their answers.
   */
  SOVO_CONVEXITY_CONVEX = 1,
  /**
   * The profile in x (or y) is hollow itself: |tx| (or |ty|) > (1 - e2/2) 2^(e2/2).
   */
  SOVO_CONVEXITY_TAPER_TOO_STRONG = 2,
  /**
   * Both profiles are convex, but the difference of the tapers twists the sections more than the
   * profiles' curvature allows. For e2 < 1 every body with tx != ty is of this kind.
   */
  SOVO_CONVEXITY_TAPERS_TOO_DIFFERENT = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_convexity sovo_convexity;
#else
typedef uint32_t sovo_convexity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The four schemes of Goncalves, Bernardino, Jorge and Lopes (2017): a guess, then Newton's method on the
 * common-normal equations.
 *
 * UNSTABLE: may change in any release.
 */
enum sovo_scheme
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The guess is by an octree; Newton's method is on the six coordinates of both points.
   */
  SOVO_SCHEME_OCT_IMPLICIT = 0,
  /**
   * The same with a guess by a quadtree; this is the scheme that the paper recommends.
   */
  SOVO_SCHEME_QUAD_IMPLICIT = 1,
  /**
   * The guess is by a quadtree; Newton's method is on the four surface angles, with tangents of the parametric
   * form.
   */
  SOVO_SCHEME_QUAD_PARAMETRIC = 2,
  /**
   * The same with Householder tangents.
   */
  SOVO_SCHEME_NTB_PARAMETRIC = 3,
  /**
   * Added to one of the others, this is the scheme as its authors published it: undamped, with one pair of cells
   * kept on a level and one guess, and its answer believed.
   */
  SOVO_SCHEME_AS_PUBLISHED = 256,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_scheme sovo_scheme;
#else
typedef uint32_t sovo_scheme;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kinds of body.
 */
enum sovo_body_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * No body: this is the value of a body that is all zero, which every query refuses.
   */
  SOVO_BODY_KIND_NONE = 0,
  /**
   * The superovoid data.superovoid.
   */
  SOVO_BODY_KIND_SUPEROVOID = 1,
  /**
   * A ball about the origin, of the radius data.radius.
   */
  SOVO_BODY_KIND_BALL = 2,
  /**
   * A solid box with its centre at the origin and edges along the axes; data.half_extents is half their lengths. Against
   * a superovoid they may be 0.
   */
  SOVO_BODY_KIND_CUBOID = 3,
  /**
   * A cylinder about z with its centre at the origin: data.round, the length being the whole length.
   */
  SOVO_BODY_KIND_CYLINDER = 4,
  /**
   * A capsule about z with its centre at the origin: data.round, the length being that of its cylindrical part. A
   * capsule of length 0 is a ball.
   */
  SOVO_BODY_KIND_CAPSULE = 5,
  /**
   * A cone about z, its tip at z = length/2 and its base of this radius at z = -length/2: data.round.
   */
  SOVO_BODY_KIND_CONE = 6,
  /**
   * The convex hull data.hull, which sovo_hull_new() has prepared.
   */
  SOVO_BODY_KIND_HULL = 7,
  /**
   * The convex hull of data.points, which stay in the program's memory. Nothing is prepared: points that are not
   * contiguous and aligned are copied by every query.
   */
  SOVO_BODY_KIND_POINTS = 8,
  /**
   * The point at the origin of the frame; it has no data.
   */
  SOVO_BODY_KIND_POINT = 9,
  /**
   * The segment between the first two of data.corners, which may coincide. Like a triangle it has no interior: its
   * depth is the length of the least translation that separates it.
   */
  SOVO_BODY_KIND_SEGMENT = 10,
  /**
   * The two-sided triangle of data.corners, in either order. It may be degenerate.
   */
  SOVO_BODY_KIND_TRIANGLE = 11,
  /**
   * The solid half-space of all x with normal . x <= offset: data.plane.
   */
  SOVO_BODY_KIND_HALF_SPACE = 12,
  /**
   * The thin plane of all x with normal . x = offset: data.plane. Both of its sides are free, and a body that straddles
   * it overlaps it by the smaller of the two translations that clear it.
   */
  SOVO_BODY_KIND_PLANE = 13,
  /**
   * The triangle mesh data.tri_mesh.
   */
  SOVO_BODY_KIND_TRI_MESH = 14,
  /**
   * The set of boxes data.box_set.
   */
  SOVO_BODY_KIND_BOX_SET = 15,
  /**
   * The superhyperboloid or supertoroid data.superquadric.
   */
  SOVO_BODY_KIND_SUPERQUADRIC = 16,
  /**
   * The convex hull of data.superquadric; for one sheet of two that is the body itself.
   */
  SOVO_BODY_KIND_SUPERQUADRIC_HULL = 17,
  /**
   * The height field data.height_field.
   */
  SOVO_BODY_KIND_HEIGHT_FIELD = 18,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_body_kind sovo_body_kind;
#else
typedef uint32_t sovo_body_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The families of superquadrics that are no superovoids.
 */
enum sovo_superquadric_family
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A solid ring about z; extent is its ring radius in units of the tube, more than 1: the centre line has the
   * half-widths a1 * extent and a2 * extent.
   */
  SOVO_SUPERQUADRIC_FAMILY_TOROID = 1,
  /**
   * A solid neck about z, a superhyperboloid of one sheet, between flat caps at z = +-a3 * extent, extent more than 0.
   * Its waist has the half-widths a1 and a2.
   */
  SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET = 2,
  /**
   * Both sheets of a superhyperboloid of two sheets, which move as one: solid from their tips at z = +-a3 to flat caps
   * at z = +-a3 * extent, extent more than 1.
   */
  SOVO_SUPERQUADRIC_FAMILY_TWO_SHEETS = 3,
  /**
   * The sheet above the xy plane, a convex cup that opens upwards.
   */
  SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET = 4,
  /**
   * The sheet below the xy plane, a convex cup that opens downwards.
   */
  SOVO_SUPERQUADRIC_FAMILY_LOWER_SHEET = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_superquadric_family sovo_superquadric_family;
#else
typedef uint32_t sovo_superquadric_family;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The way in which the depth of overlapping bodies is found.
 */
enum sovo_depth
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A fast search finds the least depth in nearly every case, with an open bracket.
   */
  SOVO_DEPTH_FAST = 0,
  /**
   * A branch and bound over all directions closes the bracket to 1e-6 of the larger body, or to the tolerance if
   * that is larger. It is for convex bodies only, and needs about 250 kB of stack.
   */
  SOVO_DEPTH_CERTIFIED = 1,
  /**
   * Only whether the bodies overlap counts: as soon as that is proven, the depth is not looked for. The distance is then minus the
   * length of some translation that separates the two bodies, or of meshes, sets of boxes and terrain the first two parts that
   * overlap, and the lower bound is theirs; the witness points need not be on the surfaces.
   */
  SOVO_DEPTH_ANY = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_depth sovo_depth;
#else
typedef uint32_t sovo_depth;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The source of the Jacobian matrix of a scheme.
 *
 * UNSTABLE: may change in any release.
 */
enum sovo_jacobian
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The derivatives in closed form.
   */
  SOVO_JACOBIAN_ANALYTIC = 0,
  /**
   * Forward differences, as in the paper.
   */
  SOVO_JACOBIAN_FORWARD_DIFFERENCES = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_jacobian sovo_jacobian;
#else
typedef uint32_t sovo_jacobian;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The types of joint.
 */
enum sovo_joint_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The joint has no motion and no position.
   */
  SOVO_JOINT_KIND_FIXED = 0,
  /**
   * The joint rotates about the axis within limits; its position is one number, radians.
   */
  SOVO_JOINT_KIND_REVOLUTE = 1,
  /**
   * The joint rotates about the axis without limits; its position is one number, radians.
   */
  SOVO_JOINT_KIND_CONTINUOUS = 2,
  /**
   * The joint translates along the axis within limits; its position is one number, metres.
   */
  SOVO_JOINT_KIND_PRISMATIC = 3,
  /**
   * The joint has all six degrees of freedom; its position is seven numbers: translation, metres, and unit
   * quaternion x, y, z, w.
   */
  SOVO_JOINT_KIND_FLOATING = 4,
  /**
   * The joint moves in the plane normal to the axis; its position is three numbers: x and y, metres, and yaw,
   * radians.
   */
  SOVO_JOINT_KIND_PLANAR = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_joint_kind sovo_joint_kind;
#else
typedef uint32_t sovo_joint_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What is proven about a pair of bodies.
 */
enum sovo_collision_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * There is no pair: this is the value of a clearance that is all zero.
   */
  SOVO_COLLISION_STATUS_NONE = 0,
  /**
   * The bodies do not touch.
   */
  SOVO_COLLISION_STATUS_FREE = 1,
  /**
   * They overlap or touch.
   */
  SOVO_COLLISION_STATUS_COLLISION = 2,
  /**
   * Neither is proven. Treat it as a collision.
   */
  SOVO_COLLISION_STATUS_UNDECIDED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_collision_status sovo_collision_status;
#else
typedef uint32_t sovo_collision_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What is proven about an edge.
 */
enum sovo_edge_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Every pair keeps more than min_separation on the whole edge, both ends included.
   */
  SOVO_EDGE_STATUS_FREE = 1,
  /**
   * A pair is proven to touch, or to come to min_separation, at touching.
   */
  SOVO_EDGE_STATUS_HIT = 2,
  /**
   * Neither is proven. Treat it as a hit.
   */
  SOVO_EDGE_STATUS_UNDECIDED = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_edge_status sovo_edge_status;
#else
typedef uint32_t sovo_edge_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The reason why no path was found.
 */
enum sovo_plan_reason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A path was found.
   */
  SOVO_PLAN_REASON_NONE = 0,
  /**
   * The start is in collision, or not proven free; sovo_plan_touching() tells the pair.
   */
  SOVO_PLAN_REASON_START_IN_COLLISION = 1,
  /**
   * Every goal is in collision, or not proven free; sovo_plan_touching() tells the pairs, in the order of the goals.
   */
  SOVO_PLAN_REASON_GOALS_IN_COLLISION = 2,
  /**
   * The samples were used up.
   */
  SOVO_PLAN_REASON_SAMPLES = 3,
  /**
   * The time was used up.
   */
  SOVO_PLAN_REASON_TIME = 4,
  /**
   * The cancel callback ended the plan.
   */
  SOVO_PLAN_REASON_CANCELLED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_plan_reason sovo_plan_reason;
#else
typedef uint32_t sovo_plan_reason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What derivatives are worth.
 */
enum sovo_derivative_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * There are none, and all numbers are NaN: the contact is not converged, or beyond the maximum distance.
   */
  SOVO_DERIVATIVE_STATUS_NONE = 0,
  /**
   * All derivatives exist.
   */
  SOVO_DERIVATIVE_STATUS_EXACT = 1,
  /**
   * The gradient of the distance exists; the other derivatives are NaN. The witness points are not unique (flat
   * faces that lie on each other), or ridges touch; or so nearly that rounding leaves too few digits.
   */
  SOVO_DERIVATIVE_STATUS_POINTS_SINGULAR = 2,
  /**
   * The depth is attained along several directions: the gradient is a subgradient, that of the contact's normal.
   */
  SOVO_DERIVATIVE_STATUS_TIE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_derivative_status sovo_derivative_status;
#else
typedef uint32_t sovo_derivative_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of a motion.
 */
enum sovo_motion_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The point center moves on a straight line while the body turns about it.
   */
  SOVO_MOTION_KIND_LINE_SPIN = 0,
  /**
   * The body moves along a screw: its velocity turns with it, and center is not used.
   */
  SOVO_MOTION_KIND_SCREW = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_motion_kind sovo_motion_kind;
#else
typedef uint32_t sovo_motion_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What is proven of two motions.
 */
enum sovo_time_of_impact_outcome
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * No query has written here: this is the value of an impact that is all zero.
   */
  SOVO_TIME_OF_IMPACT_NONE = 0,
  /**
   * The bodies are proven to stay farther apart than min_separation. From a start in touch that separates, they are
   * proven to come no nearer than min_separation - tolerance until they are apart.
   */
  SOVO_TIME_OF_IMPACT_FREE = 1,
  /**
   * The bodies touch: the first contact is proven to be after safe and not after touching.
   */
  SOVO_TIME_OF_IMPACT_HIT = 2,
  /**
   * The bodies overlap at t = 0, or are nearer than min_separation, by more than the tolerance.
   */
  SOVO_TIME_OF_IMPACT_OVERLAPPING = 3,
  /**
   * Neither is proven: the bodies graze each other after safe, or max_queries did not suffice.
   */
  SOVO_TIME_OF_IMPACT_UNDECIDED = 4,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum sovo_time_of_impact_outcome sovo_time_of_impact_outcome;
#else
typedef uint32_t sovo_time_of_impact_outcome;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Solid boxes along the axes of their common frame, behind a hierarchy of boxes, for example the occupied cells of
 * an octree. They may touch or overlap. A set is immutable, so that threads can share it.
 */
typedef struct sovo_box_set sovo_box_set;

/**
 * Terrain from a grid of heights, solid from its surface down to a bottom, behind a hierarchy of boxes. A field is
 * immutable, so that threads can share it.
 */
typedef struct sovo_height_field sovo_height_field;

/**
 * The convex hull of points, prepared for queries. It is immutable, so that threads can share it.
 */
typedef struct sovo_hull sovo_hull;

/**
 * The answer of sovo_robot_scene_plan(): a path, or the reason why none was found. It is immutable, so that threads can
 * share it, and must be freed with sovo_plan_free().
 */
typedef struct sovo_plan sovo_plan;

/**
 * A robot read from a URDF: links joined into one tree, their collision shapes and the data that clearances need. A
 * robot is immutable, so that threads can share it. Its links, joints, bodies, warnings and unchecked shapes are
 * numbered from 0 in the order of the file.
 */
typedef struct sovo_robot sovo_robot;

/**
 * A robot among obstacles. Its collision shapes are compared with those of other links, except adjacent links and
 * pairs that are allowed to collide, and with every obstacle; obstacles are not compared with each other. The root link
 * is at the origin of the world until sovo_robot_scene_set_base() moves it.
 *
 * Like a sovo_scene it changes, by queries too: no two threads may use one at the same time. Each thread takes a copy,
 * from sovo_robot_scene_copy(). Queries take the numbers of configurations in the order of sovo_robot_joint(), so that no
 * name is looked up, and they take no lock.
 */
typedef struct sovo_robot_scene sovo_robot_scene;

/**
 * A scene: bodies and obstacles that are added, moved and removed, a broad phase, and the contacts among them. Each
 * body is in a group (a link, an object): bodies of one group are never compared, nor are those of two groups that
 * may collide. Obstacles are compared with bodies only, not with each other.
 *
 * Unlike the other handles a scene changes, by queries too, which keep warm starts: no two threads may use one scene
 * at the same time.
 */
typedef struct sovo_scene sovo_scene;

/**
 * A motion by piecewise polynomials of the numbers of a configuration, continuous in time. It is immutable, so that threads
 * can share it, and must be freed with sovo_spline_free().
 */
typedef struct sovo_spline sovo_spline;

/**
 * A triangle mesh behind a hierarchy of boxes: a solid where it is closed, so that a body wholly inside overlaps it,
 * otherwise its surface, two-sided. A mesh is immutable, so that threads can share it.
 */
typedef struct sovo_tri_mesh sovo_tri_mesh;

/**
 * A pose of a body: its points x in its own frame are at R x + translation in the world frame.
 *
 * A pose that is all zero is invalid: the identity has rotation {0, 0, 0, 1}.
 */
typedef struct sovo_pose {
  /**
   * The translation, metres.
   */
  double translation[3];
  /**
   * The rotation R as a quaternion, in the order x, y, z, w (that of ROS and of Eigen's coeffs(); MuJoCo's order is
   * w, x, y, z). It may have any length but 0: R is that of the quaternion divided by its length.
   */
  double rotation[4];
} sovo_pose;

/**
 * A superovoid: a superellipsoid whose x and y half-widths change linearly along z. It is filled by
 * sovo_superovoid_make() and is a plain value from then on: it can be copied, kept in arrays and shared between threads.
 * A query rejects a shape that was filled or changed in any other way.
 *
 * In the body's own frame, with its origin at the centre, the body is F <= 0 with
 *
 *   F(x, y, z) = ( |x/(a1 (1 + tx z/a3))|^(2/e1) + |y/(a2 (1 + ty z/a3))|^(2/e1) )^(e1/e2)
 *              + |z/a3|^(2/e2) - 1
 *
 * e1 squares the section parallel to the xy plane and e2 the profile along z (part of the
 * literature numbers them the other way round). Exponents: 1 is round, towards 0 a box, towards 2 a
 * pointed body. Without tapers this is a superellipsoid, with e1 = e2 = 1 an ellipsoid.
 */
typedef struct sovo_superovoid {
  /**
   * The semi-axes a1, a2, a3, metres. They are read-only, like all that follows.
   */
  double semi_axes[3];
  /**
   * The exponents e1, e2.
   */
  double exponents[2];
  /**
   * The tapers tx, ty.
   */
  double tapers[2];
  /**
   * The radius of a sphere about the origin that contains the body, metres.
   */
  double outer_radius;
  /**
   * The radius of a sphere about the origin inside the body, metres.
   */
  double inner_radius;
  /**
   * The lowest and highest z/a3 of the sections at which the surface curves inwards; 0, 0 if convex.
   */
  double hollow_band[2];
  /**
   * The convexity, a sovo_convexity.
   */
  uint32_t convexity;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
  /**
   * Constants of the solver, and a checksum of everything above.
   */
  uint64_t prepared[8];
} sovo_superovoid;

/**
 * A sphere, metres.
 */
typedef struct sovo_bounding_sphere {
  /**
   * The centre.
   */
  double center[3];
  /**
   * The radius.
   */
  double radius;
} sovo_bounding_sphere;

/**
 * A box with faces perpendicular to the axes of its frame, metres.
 */
typedef struct sovo_aabb {
  /**
   * The smallest coordinates.
   */
  double min[3];
  /**
   * The largest coordinates.
   */
  double max[3];
} sovo_aabb;

/**
 * A box in any orientation.
 */
typedef struct sovo_obb {
  /**
   * The centre and the axes.
   */
  struct sovo_pose pose;
  /**
   * Half the lengths of the edges along its own axes, metres.
   */
  double half_extents[3];
} sovo_obb;

/**
 * The options of a query; NULL in place of the whole struct means the defaults. Start from
 *
 *   sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
 *
 * In all fields but max_distance zero means the default.
 */
typedef struct sovo_query_options {
  /**
   * The size, sizeof(sovo_query_options).
   */
  size_t size;
  /**
   * The depth mode, a sovo_depth.
   */
  uint32_t depth;
  /**
   * The number of Newton iterations of one start; 0 means 30. More than 1000 count as 1000.
   */
  uint32_t max_iterations;
  /**
   * The widest bracket, metres, of an answer that counts as certified; 0 means 1e-9 of the largest semi-axis.
   */
  double tolerance;
  /**
   * The distance, metres, at which the query stops because the bodies are proven to be farther apart: 0 tells only
   * whether they are apart, INFINITY, the default, is no limit. A negative one, which scenes and robots refuse, stops
   * where the bodies are proven to overlap by no more than that.
   */
  double max_distance;
} sovo_query_options;

/**
 * The warm-start data of one pair, owned by the caller: the next query starts from the last answers and follows a
 * steady motion. All zero is an empty cache, and a cache can be copied. One that belongs to another pair, or is out
 * of date, costs time but never changes what is proven. Two threads must not use one cache at the same time.
 */
typedef struct sovo_pair_cache {
  /**
   * The state, for the library only.
   */
  double state[38];
  /**
   * A checksum of the state; 0 for an empty cache.
   */
  uint64_t seal;
} sovo_pair_cache;

/**
 * The answer of a query, in the world frame, metres.
 */
typedef struct sovo_contact {
  /**
   * The signed distance: positive apart, zero touching, negative overlapping, minus the least penetration depth.
   */
  double distance;
  /**
   * The true signed distance is at least this.
   */
  double lower;
  /**
   * The true signed distance is at most this.
   */
  double upper;
  /**
   * The witness point on the surface of A.
   */
  double point_a[3];
  /**
   * The witness point on the surface of B: point_a + distance * normal.
   */
  double point_b[3];
  /**
   * The unit vector from A to B.
   */
  double normal[3];
  /**
   * The outcome, a sovo_outcome.
   */
  uint32_t outcome;
  /**
   * The number of solver iterations.
   */
  uint32_t iterations;
} sovo_contact;

/**
 * A callback that decides during a batch or a plan whether to continue: done of count elements are finished. Any value but 0
 * ends a batch with SOVO_STATUS_ERROR_CANCELLED, and a plan with SOVO_PLAN_REASON_CANCELLED. It is called from the thread that called the library, never from
 * another; it must return (no longjmp, no C++ exception).
 */
typedef int32_t (*sovo_cancel)(void *data, size_t done, size_t count);

/**
 * The arrays of a batch of pairs. Element k of an array begins k strides (bytes) after its first element; a stride
 * of 0 in an array that is only read uses its first element for every pair.
 *
 * Start from SOVO_PAIR_BATCH_INIT.
 */
typedef struct sovo_pair_batch {
  /**
   * The size, sizeof(sovo_pair_batch).
   */
  size_t size;
  /**
   * The number of pairs.
   */
  size_t count;
  /**
   * The bodies A.
   */
  const struct sovo_superovoid *shapes_a;
  /**
   * The stride of shapes_a, bytes.
   */
  size_t shape_a_stride;
  /**
   * The poses of the bodies A.
   */
  const struct sovo_pose *poses_a;
  /**
   * The stride of poses_a, bytes.
   */
  size_t pose_a_stride;
  /**
   * The bodies B.
   */
  const struct sovo_superovoid *shapes_b;
  /**
   * The stride of shapes_b, bytes.
   */
  size_t shape_b_stride;
  /**
   * The poses of the bodies B.
   */
  const struct sovo_pose *poses_b;
  /**
   * The stride of poses_b, bytes.
   */
  size_t pose_b_stride;
  /**
   * The caches, one for each pair, or NULL.
   */
  struct sovo_pair_cache *caches;
  /**
   * The stride of caches, bytes; at least sizeof(sovo_pair_cache).
   */
  size_t cache_stride;
  /**
   * The places for the answers.
   */
  struct sovo_contact *contacts;
  /**
   * The stride of contacts, bytes; at least sizeof(sovo_contact).
   */
  size_t contact_stride;
  /**
   * A callback that is called from time to time from the calling thread; NULL for none.
   */
  sovo_cancel cancel;
  /**
   * The pointer that is passed to it.
   */
  void *cancel_data;
  /**
   * The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
   * answers do not depend on it.
   */
  uint32_t threads;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_pair_batch;

/**
 * The arrays of a batch of pairs of bodies that are in one table, each body once: pair k is that of the bodies
 * index_a[k] and index_b[k]. Element k of an array begins k strides (bytes) after its first element, whatever its
 * alignment; a stride of 0 in an array that is only read uses its first element for all.
 *
 * Start from SOVO_INDEXED_PAIR_BATCH_INIT.
 *
 * UNSTABLE: may change in any release.
 */
typedef struct sovo_indexed_pair_batch {
  /**
   * The size, sizeof(sovo_indexed_pair_batch).
   */
  size_t size;
  /**
   * The number of pairs.
   */
  size_t count;
  /**
   * The number of bodies in the table.
   */
  size_t body_count;
  /**
   * The poses of the bodies.
   */
  const struct sovo_pose *poses;
  /**
   * The stride of poses, bytes.
   */
  size_t pose_stride;
  /**
   * The number of shapes; without body_shapes at least body_count.
   */
  size_t shape_count;
  /**
   * The shapes. Only those of bodies that are in a pair are looked at, and so it is with poses.
   */
  const struct sovo_superovoid *shapes;
  /**
   * The stride of shapes, bytes.
   */
  size_t shape_stride;
  /**
   * The indices of the bodies' shapes; NULL: body k has shape k.
   */
  const uint32_t *body_shapes;
  /**
   * The stride of body_shapes, bytes.
   */
  size_t body_shape_stride;
  /**
   * The indices of the bodies A.
   */
  const uint32_t *index_a;
  /**
   * The stride of index_a, bytes.
   */
  size_t index_a_stride;
  /**
   * The indices of the bodies B.
   */
  const uint32_t *index_b;
  /**
   * The stride of index_b, bytes.
   */
  size_t index_b_stride;
  /**
   * What is wanted of each pair, sums of sovo_wanted; NULL: the whole answer of all.
   */
  const uint8_t *wanted;
  /**
   * The stride of wanted, bytes.
   */
  size_t wanted_stride;
  /**
   * The margin of SOVO_WANTED_NEAR, metres, 0 or more; 0 leaves those that touch or may touch.
   */
  double margin;
  /**
   * The caches, one for each pair, or NULL.
   */
  struct sovo_pair_cache *caches;
  /**
   * The stride of caches, bytes; at least sizeof(sovo_pair_cache).
   */
  size_t cache_stride;
  /**
   * The places for the answers.
   */
  struct sovo_contact *contacts;
  /**
   * The stride of contacts, bytes; at least sizeof(sovo_contact).
   */
  size_t contact_stride;
  /**
   * A callback that is called from time to time from the calling thread; NULL for none.
   */
  sovo_cancel cancel;
  /**
   * The pointer that is passed to it.
   */
  void *cancel_data;
  /**
   * The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
   * answers do not depend on it.
   */
  uint32_t threads;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_indexed_pair_batch;

/**
 * The options of a vertex query; NULL in place of the whole struct means the defaults. Start from
 * SOVO_VERTEX_OPTIONS_INIT. In all fields but max_distance zero means the default.
 */
typedef struct sovo_vertex_options {
  /**
   * The size, sizeof(sovo_vertex_options).
   */
  size_t size;
  /**
   * The depth mode, a sovo_depth: the effort of the search for the depth of points inside convex bodies.
   * SOVO_DEPTH_CERTIFIED takes up to 2048 directions instead of 512.
   */
  uint32_t depth;
  /**
   * The number of Newton iterations of one start; 0 means 50. More than 1000 count as 1000.
   */
  uint32_t max_iterations;
  /**
   * The widest bracket, metres, of an answer that counts as certified; 0 means 1e-10 of the largest semi-axis.
   */
  double tolerance;
  /**
   * The distance, metres, at which the query stops because the point is proven to be farther away; INFINITY, the
   * default, is no limit.
   */
  double max_distance;
} sovo_vertex_options;

/**
 * The arrays of a batch of vertices against one superovoid. Start from SOVO_VERTEX_BATCH_INIT.
 */
typedef struct sovo_vertex_batch {
  /**
   * The size, sizeof(sovo_vertex_batch).
   */
  size_t size;
  /**
   * The number of vertices.
   */
  size_t count;
  /**
   * The first coordinate of the first vertex; each is three numbers, metres, world frame.
   */
  const double *points;
  /**
   * The stride of points, bytes; 3 * sizeof(double) where the vertices are contiguous.
   */
  size_t point_stride;
  /**
   * The places for the answers.
   */
  struct sovo_contact *contacts;
  /**
   * The stride of contacts, bytes; at least sizeof(sovo_contact).
   */
  size_t contact_stride;
  /**
   * A callback that is called from time to time from the calling thread; NULL for none.
   */
  sovo_cancel cancel;
  /**
   * The pointer that is passed to it.
   */
  void *cancel_data;
  /**
   * The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
   * answers do not depend on it.
   */
  uint32_t threads;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_vertex_batch;

/**
 * The lengths of a body of revolution about z.
 */
typedef struct sovo_round {
  /**
   * The radius, metres.
   */
  double radius;
  /**
   * The length along z, metres.
   */
  double length;
} sovo_round;

/**
 * Points in the program's memory.
 */
typedef struct sovo_points {
  /**
   * The first coordinate of the first point; each is three numbers, metres. Points inside the hull, duplicates and
   * flat sets are allowed; each costs time.
   */
  const double *first;
  /**
   * The number of points, at least 1.
   */
  size_t count;
  /**
   * The bytes from one point to the next; 3 * sizeof(double) where the points are contiguous.
   */
  size_t stride;
} sovo_points;

/**
 * A plane, the boundary of a half-space.
 */
typedef struct sovo_plane {
  /**
   * The normal, out of the solid, of any length but zero; normal and offset are divided by its length.
   */
  double normal[3];
  /**
   * The offset along the normal.
   */
  double offset;
} sovo_plane;

/**
 * A superhyperboloid of one or two sheets, or a supertoroid: a neck, a cup, a ring or a washer.
 */
typedef struct sovo_superquadric {
  /**
   * The semi-axes a1, a2, a3, metres; of a ring those of its tube.
   */
  double semi_axes[3];
  /**
   * The exponents e1 (around z) and e2 (of the profile), both strictly between 0 and 2.
   */
  double exponents[2];
  /**
   * The extent, whose meaning depends on the family.
   */
  double extent;
  /**
   * The family, a sovo_superquadric_family.
   */
  uint32_t family;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_superquadric;

/**
 * The data of a body: the member that its kind names, and room for kinds to come.
 */
typedef union sovo_body_data {
  /**
   * A superovoid.
   */
  struct sovo_superovoid superovoid;
  /**
   * The radius of a ball, metres.
   */
  double radius;
  /**
   * Half the edge lengths of a cuboid, metres.
   */
  double half_extents[3];
  /**
   * A cylinder, capsule or cone.
   */
  struct sovo_round round;
  /**
   * The corners of a triangle, metres; of a segment the first two.
   */
  double corners[3][3];
  /**
   * Points and their hull.
   */
  struct sovo_points points;
  /**
   * A half-space or plane.
   */
  struct sovo_plane plane;
  /**
   * A superquadric.
   */
  struct sovo_superquadric superquadric;
  /**
   * A convex hull.
   */
  const struct sovo_hull *hull;
  /**
   * A triangle mesh.
   */
  const struct sovo_tri_mesh *tri_mesh;
  /**
   * A set of boxes.
   */
  const struct sovo_box_set *box_set;
  /**
   * A height field.
   */
  const struct sovo_height_field *height_field;
  /**
   * Room that no kind uses yet.
   */
  uint64_t reserved[24];
} sovo_body_data;

/**
 * A body of any kind in its own frame: a plain value, which can be copied, kept in arrays and shared between threads.
 * The functions sovo_body_ball() and so on, at the end of this header, make one; its numbers are checked by the queries.
 * What it points to (a hull, mesh, set of boxes, height field or points) must exist while it is used.
 */
typedef struct sovo_body {
  /**
   * The kind, a sovo_body_kind.
   */
  uint32_t kind;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
  /**
   * The data that the kind names.
   */
  union sovo_body_data data;
} sovo_body;

/**
 * The contact of two parts: of a triangle mesh, a set of boxes or a height field, or a whole body of one piece.
 */
typedef struct sovo_part_contact {
  /**
   * The contact.
   */
  struct sovo_contact contact;
  /**
   * The triangles, boxes or prisms of A and of B that it belongs to; UINT32_MAX for a body without parts, and for both where
   * all parts are farther than the maximum distance.
   */
  uint32_t parts[2];
} sovo_part_contact;

/**
 * The arrays of a batch of pairs of bodies of any kind. Element k of an array begins k strides (bytes) after its first
 * element; a stride of 0 in an array that is only read uses its first element for every pair.
 *
 * Start from SOVO_BODY_BATCH_INIT.
 */
typedef struct sovo_body_batch {
  /**
   * The size, sizeof(sovo_body_batch).
   */
  size_t size;
  /**
   * The number of pairs.
   */
  size_t count;
  /**
   * The bodies A.
   */
  const struct sovo_body *bodies_a;
  /**
   * The stride of bodies_a, bytes.
   */
  size_t body_a_stride;
  /**
   * The poses of the bodies A.
   */
  const struct sovo_pose *poses_a;
  /**
   * The stride of poses_a, bytes.
   */
  size_t pose_a_stride;
  /**
   * The bodies B.
   */
  const struct sovo_body *bodies_b;
  /**
   * The stride of bodies_b, bytes.
   */
  size_t body_b_stride;
  /**
   * The poses of the bodies B.
   */
  const struct sovo_pose *poses_b;
  /**
   * The stride of poses_b, bytes.
   */
  size_t pose_b_stride;
  /**
   * The places for the answers.
   */
  struct sovo_part_contact *contacts;
  /**
   * The stride of contacts, bytes; at least sizeof(sovo_part_contact).
   */
  size_t contact_stride;
  /**
   * A callback that is called from time to time from the calling thread; NULL for none.
   */
  sovo_cancel cancel;
  /**
   * The pointer that is passed to it.
   */
  void *cancel_data;
  /**
   * The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
   * answers do not depend on it.
   */
  uint32_t threads;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_body_batch;

/**
 * The mass properties of a solid body, in its own frame.
 */
typedef struct sovo_mass_properties {
  /**
   * The mass, kilograms.
   */
  double mass;
  /**
   * The volume, cubic metres.
   */
  double volume;
  /**
   * The centre of mass, metres. Tapers move it along z, towards the wider end.
   */
  double center_of_mass[3];
  /**
   * The inertia tensor about the centre of mass, kg m^2, row by row. By symmetry it is diagonal.
   */
  double inertia[9];
} sovo_mass_properties;

/**
 * The point where a ray meets a surface, world frame.
 */
typedef struct sovo_ray_hit {
  /**
   * The t of origin + t * direction; 0 for a miss, like the point and the normal.
   */
  double time_of_impact;
  /**
   * The surface point, metres.
   */
  double point[3];
  /**
   * The unit outward normal of the surface there, also where the ray leaves the body; of a plane, a triangle or the surface
   * of a mesh that of the side from which the ray comes. A solid body with the origin inside is hit at the origin, with
   * the normal opposite to the direction.
   */
  double normal[3];
  /**
   * 1 for a hit, 0 for a miss.
   */
  uint32_t hit;
  /**
   * The triangle of a mesh, box of a set or prism of terrain that is hit; UINT32_MAX of a body of one piece, where the ray
   * begins inside a solid mesh, and for a miss.
   */
  uint32_t part;
} sovo_ray_hit;

/**
 * The arrays of a batch of rays, each with a body of its own or, with body_stride and pose_stride 0, all with one. Element
 * k of an array begins k strides (bytes) after its first element; a stride of 0 in an array that is only read uses its first
 * element for every ray.
 *
 * Start from SOVO_RAY_BATCH_INIT.
 */
typedef struct sovo_ray_batch {
  /**
   * The size, sizeof(sovo_ray_batch).
   */
  size_t size;
  /**
   * The number of rays.
   */
  size_t count;
  /**
   * The bodies.
   */
  const struct sovo_body *bodies;
  /**
   * The stride of bodies, bytes.
   */
  size_t body_stride;
  /**
   * The poses of the bodies.
   */
  const struct sovo_pose *poses;
  /**
   * The stride of poses, bytes.
   */
  size_t pose_stride;
  /**
   * The first coordinate of the first origin; each is three numbers, metres, world frame.
   */
  const double *origins;
  /**
   * The stride of origins, bytes; 3 * sizeof(double) where they are contiguous.
   */
  size_t origin_stride;
  /**
   * The first coordinate of the first direction; each is three numbers, world frame.
   */
  const double *directions;
  /**
   * The stride of directions, bytes; 3 * sizeof(double) where they are contiguous.
   */
  size_t direction_stride;
  /**
   * The places for the answers.
   */
  struct sovo_ray_hit *hits;
  /**
   * The stride of hits, bytes; at least sizeof(sovo_ray_hit).
   */
  size_t hit_stride;
  /**
   * A callback that is called from time to time from the calling thread; NULL for none.
   */
  sovo_cancel cancel;
  /**
   * The pointer that is passed to it.
   */
  void *cancel_data;
  /**
   * The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
   * answers do not depend on it.
   */
  uint32_t threads;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_ray_batch;

/**
 * The answer of a query in two dimensions, world frame, metres; the fields have the meaning that they have in
 * sovo_contact.
 *
 * UNSTABLE: may change in any release.
 */
typedef struct sovo_planar_contact {
  /**
   * The signed distance.
   */
  double distance;
  /**
   * The true distance is at least this.
   */
  double lower;
  /**
   * The true distance is at most this.
   */
  double upper;
  /**
   * The witness point on the superellipse.
   */
  double point_a[2];
  /**
   * The witness point on the segment.
   */
  double point_b[2];
  /**
   * The unit vector from the superellipse to the segment.
   */
  double normal[2];
  /**
   * The outcome, a sovo_outcome.
   */
  uint32_t outcome;
  /**
   * The number of solver iterations.
   */
  uint32_t iterations;
} sovo_planar_contact;

/**
 * The places for further derivatives by the same inputs. Start from SOVO_DERIVATIVES_INIT and set the pointers to those
 * that are wanted; NULL ones are not computed.
 */
typedef struct sovo_derivatives {
  /**
   * The size, sizeof(sovo_derivatives).
   */
  size_t size;
  /**
   * The Hessian of the distance, symmetric: 26 rows of 26 numbers.
   */
  double *hessian;
  /**
   * The Jacobian of the unit normal: 3 rows of 26 numbers.
   */
  double *normal;
  /**
   * The Jacobian of the witness point of A, metres: 3 rows of 26 numbers.
   */
  double *point_a;
  /**
   * The Jacobian of the witness point of B, metres: 3 rows of 26 numbers.
   */
  double *point_b;
} sovo_derivatives;

/**
 * The gradient of a signed distance by 26 inputs, in this order: the motion of A (velocity of its origin, metres, then
 * angular velocity, radians, both along the world's axes), the motion of B likewise, the shape of A (a1 a2 a3 e1 e2 tx
 * ty) and the shape of B (0 where B is not a superovoid).
 *
 * Along a motion (v, w) the origin moves to o + t v and the rotation is exp(t [w]) R.
 */
typedef struct sovo_gradient {
  /**
   * The derivatives of the distance by the inputs.
   */
  double gradient[26];
  /**
   * What they are worth, a sovo_derivative_status.
   */
  uint32_t status;
  /**
   * 1 if a body is not convex, so that the derivatives are those of a local answer, otherwise 0.
   */
  uint32_t local_answer;
} sovo_gradient;

/**
 * A place where two surfaces face each other along the normal of their contact, in the world frame.
 */
typedef struct sovo_manifold_point {
  /**
   * The point on the surface of A, metres.
   */
  double point_a[3];
  /**
   * The point on the surface of B: point_a + distance * normal.
   */
  double point_b[3];
  /**
   * The distance between both along the normal, metres; negative where they overlap.
   */
  double distance;
  /**
   * A number of the vertices, edges and faces that meet here. It is the same in the next step if they are, so that impulses
   * can be kept; 0 for the witnesses of the contact.
   */
  uint64_t id;
} sovo_manifold_point;

/**
 * The contact of two bodies, or of two parts of them, with the places where they face each other.
 */
typedef struct sovo_manifold {
  /**
   * The contact, with its normal and bracket, and the parts.
   */
  struct sovo_part_contact contact;
  /**
   * The points, the deepest first; zeros after the last.
   */
  struct sovo_manifold_point points[8];
  /**
   * The number of points: 1 to 8, or 0 where no two parts are within the margin: then contact is that of
   * sovo_body_contact() with the margin as the maximum distance.
   */
  uint64_t count;
} sovo_manifold;

/**
 * The motion of a body over t from 0 to 1, both velocities constant. Set start and the velocities, the rest may be
 * zero; zero velocities are a body at rest. sovo_motion_between() makes one from two poses.
 */
typedef struct sovo_motion {
  /**
   * The pose at t = 0.
   */
  struct sovo_pose start;
  /**
   * The point of the body, in its own frame, metres, that moves on a straight line; {0, 0, 0} is its origin.
   */
  double center[3];
  /**
   * The velocity of that point (of a screw: of the body's origin at t = 0), metres, along the world's axes.
   */
  double linear[3];
  /**
   * The angular velocity, radians, along the world's axes. It may exceed a turn.
   */
  double angular[3];
  /**
   * The kind, a sovo_motion_kind.
   */
  uint32_t kind;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_motion;

/**
 * The options of a time of impact. A field that is zero means the default, and so does a NULL in place of the whole
 * struct. Start from SOVO_TIME_OF_IMPACT_OPTIONS_INIT.
 */
typedef struct sovo_time_of_impact_options {
  /**
   * The size, sizeof(sovo_time_of_impact_options).
   */
  size_t size;
  /**
   * The distance at which the bodies count as touching, metres. 0: 0.
   */
  double min_separation;
  /**
   * How far the distances at safe and touching may be from min_separation, metres. 0: 1e-9 of the largest semi-axis.
   */
  double tolerance;
  /**
   * The number of distance queries, after which the search ends. 0: 100.
   */
  uint32_t max_queries;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_time_of_impact_options;

/**
 * When two bodies touch first.
 */
typedef struct sovo_time_of_impact {
  /**
   * The bodies are proven to be farther apart than min_separation up to this instant. 1 if free, 0 if overlapping.
   */
  double safe;
  /**
   * Of a hit, an instant at which the distance is proven to be at most min_separation; otherwise 1, or 0 if
   * overlapping.
   */
  double touching;
  /**
   * Of a free motion, a proven lower bound of the distance at every instant, metres, not a sharp one; otherwise 0.
   */
  double clearance;
  /**
   * The contact at safe; all zero if free.
   */
  struct sovo_contact contact;
  /**
   * The outcome, a sovo_time_of_impact_outcome.
   */
  uint32_t outcome;
  /**
   * The triangle or box to which the contact belongs; UINT32_MAX for bodies without parts, and if free.
   */
  uint32_t part;
} sovo_time_of_impact;

/**
 * The arrays of a batch of pairs of moving bodies. Element k of an array begins k strides (bytes) after its first element; a
 * stride of 0 in an array that is only read uses its first element for every pair.
 *
 * Start from SOVO_TIME_OF_IMPACT_BATCH_INIT.
 */
typedef struct sovo_time_of_impact_batch {
  /**
   * The size, sizeof(sovo_time_of_impact_batch).
   */
  size_t size;
  /**
   * The number of pairs.
   */
  size_t count;
  /**
   * The bodies A.
   */
  const struct sovo_body *bodies_a;
  /**
   * The stride of bodies_a, bytes.
   */
  size_t body_a_stride;
  /**
   * The motions of the bodies A.
   */
  const struct sovo_motion *motions_a;
  /**
   * The stride of motions_a, bytes.
   */
  size_t motion_a_stride;
  /**
   * The bodies B.
   */
  const struct sovo_body *bodies_b;
  /**
   * The stride of bodies_b, bytes.
   */
  size_t body_b_stride;
  /**
   * The motions of the bodies B.
   */
  const struct sovo_motion *motions_b;
  /**
   * The stride of motions_b, bytes.
   */
  size_t motion_b_stride;
  /**
   * The places for the answers.
   */
  struct sovo_time_of_impact *impacts;
  /**
   * The stride of impacts, bytes; at least sizeof(sovo_time_of_impact).
   */
  size_t impact_stride;
  /**
   * A callback that is called from time to time from the calling thread; NULL for none.
   */
  sovo_cancel cancel;
  /**
   * The pointer that is passed to it.
   */
  void *cancel_data;
  /**
   * The number of threads that share the work, limited to the number of cores; 0 and 1 mean the calling one. The
   * answers do not depend on it.
   */
  uint32_t threads;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_time_of_impact_batch;

/**
 * What a robot consists of.
 */
typedef struct sovo_robot_info {
  /**
   * The name of the robot. This text and those of the functions below belong to the robot and are freed with it.
   */
  const char *name;
  /**
   * The number of links.
   */
  uint32_t link_count;
  /**
   * The number of joints.
   */
  uint32_t joint_count;
  /**
   * The number of superovoids among the collision shapes, for sovo_robot_body().
   */
  uint32_t body_count;
  /**
   * The number of warnings of the reader, for sovo_robot_warning().
   */
  uint32_t warning_count;
  /**
   * The number of collision shapes that are not checked for contact, for sovo_robot_unchecked().
   */
  uint32_t unchecked_count;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
  /**
   * The number of numbers of a configuration; sovo_robot_joint() tells which of them belong to a joint.
   */
  size_t position_count;
  /**
   * The number of velocities of a configuration: that of its positions, but six for a floating joint.
   */
  size_t velocity_count;
} sovo_robot_info;

/**
 * A link.
 */
typedef struct sovo_link {
  /**
   * The name.
   */
  const char *name;
  /**
   * The joint that moves it; UINT32_MAX for the root, which no joint moves.
   */
  uint32_t parent_joint;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_link;

/**
 * A joint.
 *
 * A configuration of the robot is one array of numbers in which every joint that can be set has its place, in the
 * order of the file. A joint that mimics another one cannot be set: its position is multiplier times that of the
 * joint that it follows, plus offset.
 */
typedef struct sovo_joint {
  /**
   * The name.
   */
  const char *name;
  /**
   * The type, a sovo_joint_kind.
   */
  uint32_t kind;
  /**
   * The parent link.
   */
  uint32_t parent_link;
  /**
   * The child link, which the joint moves.
   */
  uint32_t child_link;
  /**
   * 1 if the position has limits, otherwise 0.
   */
  uint32_t has_range;
  /**
   * The least position, radians or metres; 0 without limits.
   */
  double lower;
  /**
   * The greatest position, radians or metres; 0 without limits.
   */
  double upper;
  /**
   * 1 if the joint follows another joint, otherwise 0.
   */
  uint32_t mimics;
  /**
   * The joint that it follows in the end, which itself follows none; UINT32_MAX if it does not mimic.
   */
  uint32_t source;
  /**
   * The factor of the source's position; 1 if it does not mimic.
   */
  double multiplier;
  /**
   * The offset, radians or metres; 0 if it does not mimic.
   */
  double offset;
  /**
   * The index of its first number in a configuration.
   */
  uint32_t first_position;
  /**
   * The number of its numbers: 0, 1, 3 or 7.
   */
  uint32_t position_count;
} sovo_joint;

/**
 * A superovoid among the collision shapes of a robot.
 */
typedef struct sovo_superovoid_body {
  /**
   * The link to which it belongs.
   */
  uint32_t link;
  /**
   * The index among the link's collision elements, from 0.
   */
  uint32_t collision;
  /**
   * The shape.
   */
  struct sovo_superovoid shape;
  /**
   * The pose in the frame of the link.
   */
  struct sovo_pose pose;
} sovo_superovoid_body;

/**
 * The options of a clearance query; NULL in place of the whole struct means the defaults. Start from
 * SOVO_CLEARANCE_OPTIONS_INIT. In all fields but max_distance zero means the default.
 */
typedef struct sovo_clearance_options {
  /**
   * The size, sizeof(sovo_clearance_options).
   */
  size_t size;
  /**
   * The depth mode, a sovo_depth.
   */
  uint32_t depth;
  /**
   * The number of Newton iterations of one start; 0 means 30.
   */
  uint32_t max_iterations;
  /**
   * The widest bracket, metres, of an answer that counts as certified; 0 means that of sovo_query_options.
   */
  double tolerance;
  /**
   * The distance, metres, beyond which pairs are left out, most of them unsolved; INFINITY, the default, is
   * no limit.
   */
  double max_distance;
  /**
   * 1 includes the pairs of links that are joined by one joint, by turning joints in series at one point, or rigidly
   * fixed to each other; 0 leaves them out.
   */
  uint32_t include_adjacent;
  /**
   * 1: the answers may leave out the collision shapes that are not checked, which sovo_robot_unchecked() tells.
   * 0: a query on a robot that has one ends with SOVO_STATUS_ERROR_UNCHECKED, so that nothing unchecked passes for
   * free.
   */
  uint32_t allow_unchecked;
} sovo_clearance_options;

/**
 * The contact of two collision shapes on different links.
 */
typedef struct sovo_clearance {
  /**
   * The contact in the frame of the root link.
   */
  struct sovo_contact contact;
  /**
   * The link of body A, which is less than link_b.
   */
  uint32_t link_a;
  /**
   * The index of body A among the collision elements of its link, from 0.
   */
  uint32_t collision_a;
  /**
   * The link of body B.
   */
  uint32_t link_b;
  /**
   * The index of body B among the collision elements of its link, from 0.
   */
  uint32_t collision_b;
  /**
   * The status, a sovo_collision_status.
   */
  uint32_t status;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
} sovo_clearance;

/**
 * The contact of two bodies of a scene, or of a body and an obstacle.
 */
typedef struct sovo_scene_contact {
  /**
   * The contact in the world frame. For a mesh or a set of boxes it is that with the nearest part.
   */
  struct sovo_contact contact;
  /**
   * The body A.
   */
  uint64_t body_a;
  /**
   * The body B, which may be an obstacle.
   */
  uint64_t body_b;
  /**
   * The triangle or box of body B; UINT32_MAX if it has no parts.
   */
  uint32_t part;
  /**
   * The status, a sovo_collision_status.
   */
  uint32_t status;
} sovo_scene_contact;

/**
 * The options of an edge. A field that is zero means the default, and so does a NULL in place of the whole struct.
 * Start from SOVO_EDGE_OPTIONS_INIT.
 */
typedef struct sovo_edge_options {
  /**
   * The size, sizeof(sovo_edge_options).
   */
  size_t size;
  /**
   * The number of Newton iterations of one start of a pair query. 0: 30.
   */
  uint32_t max_iterations;
  /**
   * 1: the query ends as soon as the edge is known not to be proven free, which is faster. 0: the first contact is
   * bracketed.
   */
  uint32_t any_contact;
  /**
   * The tolerance of the pair queries, metres. 0: as in sovo_query_options.
   */
  double tolerance;
  /**
   * The distance, metres, that every pair must keep. 0: no pair may touch.
   */
  double min_separation;
  /**
   * The motion, metres, below which an interval is not halved again: a pair that is neither proven free nor proven to
   * touch while none of its points moves farther is undecided. 0: 1e-6.
   */
  double resolution;
  /**
   * The number of configurations after which the query ends undecided. 0: 10000.
   */
  uint32_t max_states;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
  /**
   * The time, seconds, after which the query, of one edge or of a batch, ends undecided. 0 and INFINITY: no limit; then
   * the answer is the same on every machine.
   */
  double max_time;
} sovo_edge_options;

/**
 * The contact of a collision shape of a robot, or of a body that is attached to a link, with another one, or with an
 * obstacle.
 */
typedef struct sovo_robot_contact {
  /**
   * The contact in the frame of the root link, or in the world for a robot in a scene.
   */
  struct sovo_contact contact;
  /**
   * The obstacle that is body B, if link_b is UINT32_MAX; otherwise 0.
   */
  uint64_t obstacle;
  /**
   * The link of body A, or the one that carries it.
   */
  uint32_t link_a;
  /**
   * The index of body A among the collision elements of its link, from 0; SOVO_ATTACHED + k if it is the attached body k of
   * sovo_robot_scene_attached().
   */
  uint32_t collision_a;
  /**
   * The link of body B, or the one that carries it; UINT32_MAX for an obstacle.
   */
  uint32_t link_b;
  /**
   * The index of body B, as that of body A; 0 for an obstacle.
   */
  uint32_t collision_b;
  /**
   * The triangle or box of an obstacle; UINT32_MAX if body B has no parts.
   */
  uint32_t part;
  /**
   * The status, a sovo_collision_status; SOVO_COLLISION_STATUS_NONE if there is no pair.
   */
  uint32_t status;
} sovo_robot_contact;

/**
 * The answer of an edge. The parameter t runs from 0 at the first configuration to 1 at the second one.
 */
typedef struct sovo_edge {
  /**
   * The pair that touches at touching, or one that is undecided; of an undecided pair it may be missing (status
   * SOVO_COLLISION_STATUS_NONE).
   */
  struct sovo_robot_contact contact;
  /**
   * Every configuration with t from 0 to this is proven free; -1 where not even the first one is.
   */
  double safe;
  /**
   * The least t at which a pair is proven to touch; -1 unless the edge is a hit.
   */
  double touching;
  /**
   * The share of the edge that is proven free, from 0 to 1. A query that ends early has not looked at all of it.
   */
  double proven;
  /**
   * The number of configurations at which the robot was posed.
   */
  uint64_t states;
  /**
   * The number of distances that were computed.
   */
  uint64_t distances;
  /**
   * The number of collision shapes of the robot that are not checked. An edge is undecided, not free, if there are
   * any.
   */
  uint32_t unchecked;
  /**
   * What is proven, a sovo_edge_status; 0 in a struct that is all zero.
   */
  uint32_t status;
} sovo_edge;

/**
 * A body that is attached to a link.
 */
typedef struct sovo_attached_body {
  /**
   * Its number: that of sovo_robot_scene_attach(), or the one that it had as an obstacle.
   */
  uint64_t body;
  /**
   * The name of the object, which may have several bodies. The text belongs to the scene until the object is detached.
   */
  const char *name;
  /**
   * The link that carries it.
   */
  uint32_t link;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
  /**
   * The pose in the frame of the link.
   */
  struct sovo_pose pose;
} sovo_attached_body;

/**
 * How many configurations each step of sovo_robot_scene_in_collision_batch(), sovo_robot_scene_find_collision() and
 * sovo_robot_scene_find_collision_between() has decided: each counts for the most expensive step that was asked in the block
 * that decided it. Where batches are answered one by one, because there are very many obstacles, they count none.
 */
typedef struct sovo_step_counts {
  /**
   * Balls around and inside the bodies, and boxes.
   */
  uint64_t bounds;
  /**
   * Directions that separate the bodies, eight configurations at once.
   */
  uint64_t directions;
  /**
   * Distances of the hulls of the bodies.
   */
  uint64_t hulls;
  /**
   * Directions and hulls of pieces of meshes.
   */
  uint64_t pieces;
  /**
   * Contacts of the bodies as they are.
   */
  uint64_t contacts;
} sovo_step_counts;

/**
 * The options of a plan. Distances between configurations are Euclidean, in radians and metres alike. A field that is zero
 * means the default, but for shortcuts, and a NULL in place of the whole struct means all defaults. Start from
 * SOVO_PLAN_OPTIONS_INIT.
 */
typedef struct sovo_plan_options {
  /**
   * The size, sizeof(sovo_plan_options).
   */
  size_t size;
  /**
   * The seed of the random numbers. The same problem, options and seed give the same path, unless the time ends.
   */
  uint64_t seed;
  /**
   * The greatest distance between two states that are checked on an edge; twice that where edges are proven, as a proof
   * refuses what is between the states. 0: 1/32.
   */
  double spacing;
  /**
   * The greatest length of an edge of the search's trees. 0: 1.
   */
  double max_step;
  /**
   * The time, seconds, after which the plan ends. 0 and INFINITY: no limit.
   */
  double max_time;
  /**
   * The number of random configurations after which the search ends. 0: 100000.
   */
  uint32_t max_samples;
  /**
   * The number of rounds that make the path shorter, each with shortcuts and rounder corners; SOVO_PLAN_OPTIONS_INIT sets 3.
   */
  uint32_t shortcuts;
  /**
   * 0: every edge of the path is proven. 1: states at the spacing are checked only, and the path is not proven.
   */
  uint32_t no_proof;
  /**
   * Reserved, 0.
   */
  uint32_t reserved;
  /**
   * A callback that decides whether the plan goes on; NULL: none. It is called once at the beginning, then every 10 ms or, if
   * a single query takes longer, after it, during proofs too: with the samples that were drawn and max_samples. It must not
   * use the scene.
   */
  sovo_cancel cancel;
  /**
   * A pointer that cancel receives.
   */
  void *cancel_data;
} sovo_plan_options;

/**
 * What a plan consists of, and the work that it took.
 */
typedef struct sovo_plan_info {
  /**
   * The number of configurations of the path, from the start to a goal: the robot moves straight from one to the next, as in
   * sovo_robot_edge_free(). 0 if no path was found.
   */
  size_t configurations;
  /**
   * The number of numbers of a configuration.
   */
  size_t position_count;
  /**
   * The index of the goal where the path ends; SIZE_MAX without a path.
   */
  size_t goal;
  /**
   * 1 if every edge of the path is proven free, both ends included, otherwise 0.
   */
  uint32_t proven;
  /**
   * Why no path was found, a sovo_plan_reason. Unless an end is in collision this does not prove that there is none.
   */
  uint32_t reason;
  /**
   * The reason in words, with the links and objects that touch; NULL if a path was found. The text belongs to the plan.
   */
  const char *text;
  /**
   * The number of pairs for sovo_plan_touching().
   */
  uint32_t touching_count;
  /**
   * The number of times that a path was searched, repaired or not: 1 if the first path was proven at once.
   */
  uint32_t rounds;
  /**
   * The number of random configurations of the search.
   */
  uint64_t samples;
  /**
   * The number of states that were checked on edges; a collision ends the check of an edge, whose states all count.
   */
  uint64_t states_checked;
  /**
   * The number of edges whose states were checked.
   */
  uint64_t edges_checked;
  /**
   * The number of edges that were proven free.
   */
  uint64_t edges_proven;
  /**
   * The number of edges whose states were free, and that the proof refused.
   */
  uint64_t edges_refused;
  /**
   * The time of the search and of repairs, seconds.
   */
  double search_time;
  /**
   * The time of shortcuts, seconds.
   */
  double shortcutting_time;
  /**
   * The time in which the edges of paths were proven, seconds.
   */
  double proof_time;
} sovo_plan_info;

/**
 * A pair that is in collision at the start or at a goal, or not proven to be free.
 */
typedef struct sovo_touching_pair {
  /**
   * The name of the link, or of the object attached to it. The texts belong to the plan.
   */
  const char *name_a;
  /**
   * The name of the other link, of an attached object, or of the obstacle.
   */
  const char *name_b;
  /**
   * The contact, world frame.
   */
  struct sovo_robot_contact contact;
} sovo_touching_pair;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the description of the last error of this thread, in English, UTF-8; the empty string if there was none.
 * The text belongs to the library: it is valid until another call fails on this thread or the thread ends. A call
 * that succeeds does not clear it.
 */
const char *sovo_last_error(void);

/**
 * Returns the name of a status, such as "SOVO_STATUS_ERROR_NULL"; "unknown status" for any other number. The text is
 * a constant.
 */
const char *sovo_status_name(int32_t status);

/**
 * Returns the version of the library that runs, such as "0.1.0"; SOVO_VERSION is that of the header. The text is a
 * constant.
 *
 * While the major version is 0, a change of the minor version may change this interface, and the
 * name of the shared library changes with it.
 */
const char *sovo_version(void);

/**
 * Returns the identity: no rotation, no translation.
 */
struct sovo_pose sovo_pose_identity(void);

/**
 * Writes the pose of the rotation nearest to a matrix, nine numbers row by row, and of a translation, three numbers,
 * metres.
 *
 * SOVO_STATUS_ERROR_POSE: a number that is not finite, or a matrix whose rows are not orthonormal to 1e-4, or that
 * mirrors.
 */
sovo_status sovo_pose_from_matrix(const double *rotation,
                                  const double *translation,
                                  struct sovo_pose *pose);

/**
 * Writes the rotation matrix of a pose, nine numbers row by row.
 *
 * SOVO_STATUS_ERROR_POSE: a pose that is not finite or whose quaternion is zero.
 */
sovo_status sovo_pose_rotation_matrix(const struct sovo_pose *pose, double *rotation);

/**
 * Makes a shape from the seven numbers of a superovoid, which are checked: semi_axes points to a1, a2, a3 (metres),
 * exponents to e1, e2, tapers to tx, ty (NULL: 0, 0, a superellipsoid). This takes about a microsecond for
 * superellipsoids, and up to some hundred for tapered bodies.
 *
 * Every combination in the domain is accepted, also bodies that are not convex: see the field
 * convexity.
 *
 * SOVO_STATUS_ERROR_SHAPE: a semi-axis that is not finite and positive, an exponent that is not between 0 and
 * 2, a taper that is not between -1 and 1 (ends excluded). The text names the first.
 */
sovo_status sovo_superovoid_make(const double *semi_axes,
                                 const double *exponents,
                                 const double *tapers,
                                 struct sovo_superovoid *shape);

/**
 * Makes the convex shape nearest to seven numbers, given as to sovo_superovoid_make(), for optimisers whose steps along
 * shape derivatives leave the domain: semi-axes are at least 1e-4 m, exponents from 0.02 to 1.98, tapers at most 0.95 and
 * the nearest with which these exponents make a convex body. A convex shape within these limits is made as it is.
 * Unequal tapers that are to be brought nearer to each other take some milliseconds.
 *
 * SOVO_STATUS_ERROR_SHAPE: a number that is not finite; the text names it.
 */
sovo_status sovo_superovoid_make_convex(const double *semi_axes,
                                        const double *exponents,
                                        const double *tapers,
                                        struct sovo_superovoid *shape);

/**
 * Writes the support function h(n) = max n . x over the body, and a surface point that attains it, in the body's own
 * frame, metres. direction: three numbers, any length but zero (h is proportional to it). For a body that is not
 * convex these are those of its convex hull. value or point may be NULL.
 */
sovo_status sovo_superovoid_support(const struct sovo_superovoid *shape,
                                    const double *direction,
                                    double *value,
                                    double *point);

/**
 * Writes the surface point and unit outward normal at two angles, radians, in the body's own frame: phi1 around z,
 * phi2 from the lower pole (-pi/2) to the upper one (pi/2). point or normal may be NULL.
 */
sovo_status sovo_superovoid_surface_point(const struct sovo_superovoid *shape,
                                          double phi1,
                                          double phi2,
                                          double *point,
                                          double *normal);

/**
 * Writes a sphere, about the origin of the body's own frame, that contains the body.
 */
sovo_status sovo_superovoid_bounding_sphere(const struct sovo_superovoid *shape,
                                            struct sovo_bounding_sphere *sphere);

/**
 * Writes the smallest box along the world's axes around the body at a pose, to a relative 1e-12; for exponents
 * within 1e-6 of 0 or 2 it is a larger one.
 */
sovo_status sovo_superovoid_aabb(const struct sovo_superovoid *shape,
                                 const struct sovo_pose *pose,
                                 struct sovo_aabb *aabb);

/**
 * Writes the smallest box along the body's own axes around the body at a pose, to a relative 1e-12.
 */
sovo_status sovo_superovoid_obb(const struct sovo_superovoid *shape,
                                const struct sovo_pose *pose,
                                struct sovo_obb *obb);

/**
 * Writes a lower bound of the distance, metres, between the contents of two spheres: the distance of the spheres, 0
 * if they meet.
 */
sovo_status sovo_bounding_sphere_distance(const struct sovo_bounding_sphere *a,
                                          const struct sovo_bounding_sphere *b,
                                          double *distance);

/**
 * Writes a lower bound of the distance, metres, between the contents of two boxes: the distance of the boxes, 0 if
 * they meet.
 */
sovo_status sovo_aabb_distance(const struct sovo_aabb *a,
                               const struct sovo_aabb *b,
                               double *distance);

/**
 * Writes a lower bound of the distance, metres, between the contents of two boxes: the widest gap between their
 * projections onto the 15 axes of the separating-axis test, 0 if they meet.
 */
sovo_status sovo_obb_distance(const struct sovo_obb *a,
                              const struct sovo_obb *b,
                              double *distance);

/**
 * Computes the signed distance of two superovoids, with witness points, normal and bracket.
 *
 * options: NULL for the defaults. cache: NULL, or the cache of the pair; the query starts from it and stores its
 * answer there.
 *
 * Convex bodies that are apart or touch have the outcome SOVO_OUTCOME_CERTIFIED, with a bracket no wider than the
 * tolerance, unless an exponent is within 1e-6 of 0 or 2. Overlaps have SOVO_OUTCOME_CERTIFIED where their depth is proven
 * to be the least, which SOVO_DEPTH_CERTIFIED requests, otherwise SOVO_OUTCOME_CONVERGED. A negative distance is only
 * reported if a common point is proven to exist, a positive lower bound only with a proof.
 */
sovo_status sovo_pair_contact(const struct sovo_superovoid *shape_a,
                              const struct sovo_pose *pose_a,
                              const struct sovo_superovoid *shape_b,
                              const struct sovo_pose *pose_b,
                              const struct sovo_query_options *options,
                              struct sovo_pair_cache *cache,
                              struct sovo_contact *contact);

/**
 * Answers every pair of a batch as sovo_pair_contact() does, all with the same options (NULL for the defaults).
 *
 * The answers agree with those of single calls within the tolerance, but need not have the same last bits, and an
 * overlap whose depth is searched for may be proven by one and not by the other. They depend neither on the number
 * of threads nor on the other pairs.
 *
 * All answers are written once all are found, so that after an error, or a cancellation, contacts and caches are
 * unchanged; until then they take 112 bytes of memory a pair, and 312 more with caches. The text of an error names
 * the element.
 */
sovo_status sovo_pair_contact_batch(const struct sovo_pair_batch *batch,
                                    const struct sovo_query_options *options);

/**
 * Answers pairs of bodies that are in one table, as sovo_pair_contact_batch() answers those of arrays: the same bits
 * where the whole answer is wanted.
 *
 * All answers are written once all are found, so that after an error, or a cancellation, contacts and caches are
 * unchanged; until then they take 112 bytes of memory a pair, and 312 more with caches. The text of an error names the
 * pair as the element.
 *
 * SOVO_STATUS_ERROR_SIZE: an index that is not in its table, and all that the other batches refuse.
 * SOVO_STATUS_ERROR_OPTION: a number in wanted that is no sum of sovo_wanted, or a margin that is not 0 or more.
 *
 * UNSTABLE: may change in any release.
 */
sovo_status sovo_indexed_pair_contact_batch(const struct sovo_indexed_pair_batch *batch,
                                            const struct sovo_query_options *options);

/**
 * Computes the signed distance of a superovoid A and a vertex B, three numbers, metres, world frame: negative
 * inside, where the bracket is one of the least distance to the surface. The normal points out of the surface.
 *
 * options: NULL for the defaults.
 */
sovo_status sovo_vertex_contact(const struct sovo_superovoid *shape,
                                const struct sovo_pose *pose,
                                const double *point,
                                const struct sovo_vertex_options *options,
                                struct sovo_contact *contact);

/**
 * Answers every vertex of a batch as sovo_vertex_contact() does. With options->max_distance, groups of 64
 * consecutive vertices whose box is farther away than that are answered as a whole.
 *
 * The answers agree with those of single calls within the tolerance, and prove as much, but need not have the same
 * last bits. They depend neither on the number of threads nor, apart from those groups, on the other vertices.
 *
 * All answers are written once all are found, so that after an error, or a cancellation, they are unchanged; until
 * then they take 112 bytes of memory a vertex. The text of an error names the vertex.
 */
sovo_status sovo_vertex_contact_batch(const struct sovo_superovoid *shape,
                                      const struct sovo_pose *pose,
                                      const struct sovo_vertex_batch *batch,
                                      const struct sovo_vertex_options *options);

/**
 * Computes the signed distance of two superovoids by a published scheme, for comparison: sovo_pair_contact() is
 * faster, leaves nothing unsolved and proves its distances.
 *
 * scheme: a sovo_scheme, SOVO_SCHEME_AS_PUBLISHED added or not. jacobian: a sovo_jacobian. options: NULL for the
 * defaults; the default tolerance is 1e-6 of the largest semi-axis, at which Newton's method stops too, and
 * SOVO_DEPTH_CERTIFIED is an error. cache: NULL, or the cache of the pair, which serves sovo_pair_contact() as well.
 *
 * The schemes are local methods. The answer is SOVO_OUTCOME_CERTIFIED where its bracket is closed at the
 * tolerance, SOVO_OUTCOME_CONVERGED where it is a stationary depth, which need not be the least, and
 * otherwise SOVO_OUTCOME_NOT_CONVERGED with a true bracket. With SOVO_SCHEME_AS_PUBLISHED added to the scheme nothing
 * is verified: SOVO_OUTCOME_CONVERGED says that the last step was short, distance and points may be wrong by any amount,
 * and the bracket, which is true, is that of the bounding spheres and need not contain the distance.
 *
 * UNSTABLE: may change in any release.
 */
sovo_status sovo_published_scheme_contact(uint32_t scheme,
                                          uint32_t jacobian,
                                          const struct sovo_superovoid *shape_a,
                                          const struct sovo_pose *pose_a,
                                          const struct sovo_superovoid *shape_b,
                                          const struct sovo_pose *pose_b,
                                          const struct sovo_query_options *options,
                                          struct sovo_pair_cache *cache,
                                          struct sovo_contact *contact);

/**
 * Computes the signed distance of a superovoid A and a vertex B, three numbers, metres, world frame, by the
 * iterative geometric method for superellipsoids and vertices, for comparison with sovo_vertex_contact().
 *
 * The method is approximate: the answer is SOVO_OUTCOME_CONVERGED where the surface's normal points to the
 * vertex within the tolerance, and SOVO_OUTCOME_NOT_CONVERGED where the iterations ran out. The bracket is
 * true either way.
 *
 * options: NULL for the defaults; the default tolerance is 1e-3 of the largest semi-axis, and SOVO_DEPTH_CERTIFIED
 * is an error.
 *
 * UNSTABLE: may change in any release.
 */
sovo_status sovo_published_iterative_vertex_contact(const struct sovo_superovoid *shape,
                                                    const struct sovo_pose *pose,
                                                    const double *vertex,
                                                    const struct sovo_vertex_options *options,
                                                    struct sovo_contact *contact);

/**
 * Computes the surface point of a superovoid A on the ray from its centre through a vertex B, three numbers, metres,
 * world frame, for comparison with sovo_vertex_contact(). The direction of the ray is the answer's normal.
 *
 * The radial distance is an upper bound of distance and depth: the outcome is SOVO_OUTCOME_NOT_CONVERGED,
 * with a true bracket.
 *
 * options: NULL for the defaults; of these, max_distance has an effect, and SOVO_DEPTH_CERTIFIED is an error.
 *
 * UNSTABLE: may change in any release.
 */
sovo_status sovo_published_radial_vertex_contact(const struct sovo_superovoid *shape,
                                                 const struct sovo_pose *pose,
                                                 const double *vertex,
                                                 const struct sovo_vertex_options *options,
                                                 struct sovo_contact *contact);

/**
 * Makes the convex hull of points (the first coordinate of the first, three numbers each, metres, stride bytes from
 * one to the next), which are copied. Points inside the hull, duplicates and flat sets are allowed. The hull must be
 * freed with sovo_hull_free().
 *
 * SOVO_STATUS_ERROR_GEOMETRY: there is no point, or one is not finite.
 */
sovo_status sovo_hull_new(const double *points,
                          size_t count,
                          size_t stride,
                          struct sovo_hull **hull);

/**
 * Frees a hull; NULL is allowed. In scenes to which it was added it remains.
 */
void sovo_hull_free(struct sovo_hull *hull);

/**
 * Makes a mesh from its vertices (the first coordinate of the first, three numbers each, metres, vertex_stride bytes
 * from one to the next) and the three vertex indices of each triangle, contiguous. Both are copied. The mesh must be
 * freed with sovo_tri_mesh_free().
 *
 * as_surface: 0 makes a solid of a closed mesh: the triangles meet edge to edge, all turned the same way, with their
 * corners anticlockwise seen from outside; vertices at the same place are one. A mesh that is not closed is its surface,
 * two-sided, and any other value makes a surface of a closed mesh too, so that a body wholly inside does not overlap it.
 * sovo_tri_mesh_is_solid() tells which.
 *
 * SOVO_STATUS_ERROR_GEOMETRY: there are no triangles, a vertex is not finite, or an index has no vertex.
 */
sovo_status sovo_tri_mesh_new(const double *vertices,
                              size_t vertex_count,
                              size_t vertex_stride,
                              const uint32_t *triangles,
                              size_t triangle_count,
                              int32_t as_surface,
                              struct sovo_tri_mesh **mesh);

/**
 * Tells whether a mesh is a solid, so that a body wholly inside overlaps it: is_solid is set to 1 if it is, and to 0 if
 * it is its surface.
 */
sovo_status sovo_tri_mesh_is_solid(const struct sovo_tri_mesh *mesh,
                                   int32_t *is_solid);

/**
 * Frees a mesh; NULL is allowed.
 */
void sovo_tri_mesh_free(struct sovo_tri_mesh *mesh);

/**
 * Makes a set of boxes. boxes: the first of count, contiguous; they are copied. The set must be freed with
 * sovo_box_set_free().
 *
 * SOVO_STATUS_ERROR_GEOMETRY: there are no boxes, one is not finite, or its min exceeds its max.
 */
sovo_status sovo_box_set_new(const struct sovo_aabb *boxes,
                             size_t count,
                             struct sovo_box_set **set);

/**
 * Frees a set of boxes; NULL is allowed.
 */
void sovo_box_set_free(struct sovo_box_set *set);

/**
 * Makes a height field. heights: rows * columns numbers (metres), row by row; they are copied. x, y: two numbers each, the
 * coordinates of the first and the last column and row (metres), which may decrease. bottom: the z of the bottom, at most
 * that of any height. The field must be freed with sovo_height_field_free().
 *
 * The diagonal of a cell goes from its next row to its next column and makes two triangles; the space below each is a
 * part: of the cell of row r and column c, counted from 0, the parts 2 * (r * (columns - 1) + c), at the corner of that
 * row and column, and the one after it.
 *
 * SOVO_STATUS_ERROR_GEOMETRY: fewer than two rows or columns, an x or y of no length, a number that is not finite, or a
 * height below the bottom; the text names it.
 */
sovo_status sovo_height_field_new(const double *heights,
                                  size_t rows,
                                  size_t columns,
                                  const double *x,
                                  const double *y,
                                  double bottom,
                                  struct sovo_height_field **field);

/**
 * Frees a height field; NULL is allowed.
 */
void sovo_height_field_free(struct sovo_height_field *field);

/**
 * Computes the signed distance of two bodies A and B, of any kinds that the library can compare, with witness points,
 * normal and bracket. Swapping the bodies swaps the points and turns the normal.
 *
 * options: NULL for the defaults. parts: NULL, or two numbers for the triangles, boxes or prisms of A and of B to which the
 * contact belongs; UINT32_MAX for a body without parts, and for both where all parts are farther than
 * options->max_distance.
 *
 * What is proven, by the kinds of the bodies:
 *
 * - Two superovoids are answered as by sovo_pair_contact(), which can start from a cache.
 * - A superovoid and a point are answered as by sovo_vertex_contact(), with its defaults.
 * - Convex bodies that are apart or touch have a bracket that is closed at the tolerance. Where they overlap the distance
 *   is minus the least depth, with the bracket that options->depth asks for. Against segments, triangles, boxes and hulls
 *   the tolerance of a superovoid is raised to 3e-14 of the distance of the two frames' origins and 6e-14 of the largest
 *   coordinate of a vertex.
 * - Half-spaces and planes are answered in closed form. Two of these that are not parallel, or two half-spaces that face the
 *   same way, have distance -INFINITY: no translation separates them, and both points are a common point. A mesh, a
 *   set of boxes or a height field with parts on both sides of a plane is apart from it where each part is.
 * - A point, a segment or points against anything but a superovoid, half-space or plane are made a hull for the query,
 *   which allocates.
 * - Of a mesh, a set of boxes or a height field the answer is that of the part with the least signed distance, and the bracket holds for
 *   the least of all parts. Inside a solid mesh the distance is minus the way along the normal at the nearest triangle
 *   until the whole body has passed it, with an open bracket that is true of the solid. If all parts are proven to be
 *   farther than options->max_distance, the points and the normal are zero.
 * - A superquadric that is apart has a closed bracket, or the answer is SOVO_OUTCOME_NOT_CONVERGED. In overlap the distance
 *   is minus the length of a translation that is proven to separate the bodies, SOVO_OUTCOME_CONVERGED. A superovoid that
 *   is not convex counts by its hull below and by its own surface above. A point inside has the least of many local
 *   minima. One sheet of two answers as every convex body.
 *
 * SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for these two kinds, which the text names. Other errors name the body,
 * as in: b: radius = -1: it must be finite and more than 0 metres.
 */
sovo_status sovo_body_contact(const struct sovo_body *a,
                              const struct sovo_pose *pose_a,
                              const struct sovo_body *b,
                              const struct sovo_pose *pose_b,
                              const struct sovo_query_options *options,
                              struct sovo_contact *contact,
                              uint32_t *parts);

/**
 * Finds every two parts of the bodies A and B whose signed distance is at most margin (metres, may be negative or
 * INFINITY), in no particular order: triangles of meshes, boxes of sets, prisms of height fields, and bodies of one piece
 * as a whole. A solid mesh
 * counts by its triangles: what is wholly inside has no contact.
 *
 * The function writes as many as capacity allows and sets total to their number; contacts may be NULL if capacity is
 * 0. options: as for sovo_body_contact(), except that max_distance is ignored. The function allocates memory.
 *
 * SOVO_STATUS_ERROR_OPTION: a margin that is NaN. Other errors are those of sovo_body_contact().
 */
sovo_status sovo_body_contacts(const struct sovo_body *a,
                               const struct sovo_pose *pose_a,
                               const struct sovo_body *b,
                               const struct sovo_pose *pose_b,
                               double margin,
                               const struct sovo_query_options *options,
                               struct sovo_part_contact *contacts,
                               size_t capacity,
                               size_t *total);

/**
 * Answers every pair of a batch as sovo_body_contact() does, to the bit, all with the same options (NULL for the
 * defaults). Many pairs of superovoids are answered faster by sovo_pair_contact_batch().
 *
 * All answers are written once all are found, so that after an error, or a cancellation, contacts are unchanged; until
 * then they take 120 bytes of memory a pair. The text of an error names the element.
 */
sovo_status sovo_body_contact_batch(const struct sovo_body_batch *batch,
                                    const struct sovo_query_options *options);

/**
 * Writes the inside-outside function of a superovoid (see sovo_superovoid) or superquadric at a point of the body's own
 * frame (three numbers, metres): negative inside, zero on the surface, positive outside, without a unit. That of a
 * superovoid is INFINITY beyond a tapered tip and where powers exceed the number range.
 *
 * SOVO_STATUS_ERROR_OVERFLOW: a value that exceeds the number range. SOVO_STATUS_ERROR_UNSUPPORTED: another kind of body.
 */
sovo_status sovo_body_inside_outside(const struct sovo_body *body,
                                     const double *point,
                                     double *value);

/**
 * Writes a box along the axes of the body's own frame around the body: the smallest one to rounding, except for a cone.
 * sovo_superovoid_aabb() gives that of a superovoid at a pose.
 *
 * SOVO_STATUS_ERROR_UNSUPPORTED: a half-space or a plane, which no box holds.
 */
sovo_status sovo_body_local_aabb(const struct sovo_body *body,
                                 struct sovo_aabb *aabb);

/**
 * Writes mass, centre of mass and inertia tensor of the solid superovoid or superquadric: of superovoids and rings in
 * closed form, of the others to a relative 1e-12. density: kg/m^3.
 *
 * SOVO_STATUS_ERROR_GEOMETRY: a density that is not finite and positive. SOVO_STATUS_ERROR_OVERFLOW: a result that
 * exceeds the number range. SOVO_STATUS_ERROR_UNSUPPORTED: another kind of body.
 */
sovo_status sovo_body_mass_properties(const struct sovo_body *body,
                                      double density,
                                      struct sovo_mass_properties *properties);

/**
 * Writes a watertight triangle mesh of the surface of a superovoid or superquadric in the body's own frame, with its
 * vertices on the surface and its triangles counter-clockwise seen from outside; of two sheets it is two closed surfaces.
 * segments edges go around z (rounded up to a multiple of 4, at least 8), as many around the tube of a ring, and half as
 * many bands from pole to pole, from cap to cap or from tip to cap.
 *
 * vertices: room for three numbers (metres) a vertex; triangles: for three indices a triangle; the capacities count
 * vertices and triangles. vertex_count and triangle_count are set to the numbers of both; with capacities of 0 nothing
 * else is written.
 *
 * SOVO_STATUS_ERROR_SIZE: a capacity that is too small, more than 4096 segments. SOVO_STATUS_ERROR_OVERFLOW: a
 * coordinate that exceeds the number range. SOVO_STATUS_ERROR_MEMORY: not enough memory. SOVO_STATUS_ERROR_UNSUPPORTED:
 * another kind of body.
 */
sovo_status sovo_body_tessellate(const struct sovo_body *body,
                                 size_t segments,
                                 double *vertices,
                                 size_t vertex_capacity,
                                 uint32_t *triangles,
                                 size_t triangle_capacity,
                                 size_t *vertex_count,
                                 size_t *triangle_count);

/**
 * Finds the first hit of the half-line origin + t * direction, 0 <= t <= max_time_of_impact, on a body of any kind.
 *
 * A half-space, a set of boxes, terrain and a solid mesh are solids, whose inner walls are not hit. No ray passes between
 * the triangles of a closed mesh. A ray that grazes an edge or a surface, or lies in a face, to rounding, may hit or miss.
 *
 * origin: three numbers, metres; direction: three numbers, any length but zero; max_time_of_impact: at least 0,
 * INFINITY for no limit. solid: 0 for a shell, which a ray from the inside hits where it leaves; any other value for
 * a solid body, which it hits at once.
 */
sovo_status sovo_body_ray_cast(const struct sovo_body *body,
                               const struct sovo_pose *pose,
                               const double *origin,
                               const double *direction,
                               double max_time_of_impact,
                               int32_t solid,
                               struct sovo_ray_hit *hit);

/**
 * Casts every ray of a batch as sovo_body_ray_cast() does, to the bit, all with the same limit, as shells or as solid
 * bodies.
 *
 * All answers are written once all are found, so that after an error, or a cancellation, hits are unchanged; until then they
 * take 64 bytes of memory a ray. The text of an error names the element.
 */
sovo_status sovo_body_ray_cast_batch(const struct sovo_ray_batch *batch,
                                     double max_time_of_impact,
                                     int32_t solid);

/**
 * Finds every place where the half-line origin + t * direction, 0 <= t <= max_time_of_impact, meets the surface of a
 * superquadric, by increasing t: where it enters and where it leaves.
 *
 * The function writes as many as capacity allows, the first ones, and sets total to their number, at most 16; hits may be
 * NULL if capacity is 0. complete is set to 1, or to 0 where a hit may be missing: the ray lies in the surface over a
 * whole stretch to rounding, or there are more than 16.
 *
 * SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for this kind of body.
 */
sovo_status sovo_body_ray_hits(const struct sovo_body *body,
                               const struct sovo_pose *pose,
                               const double *origin,
                               const double *direction,
                               double max_time_of_impact,
                               struct sovo_ray_hit *hits,
                               size_t capacity,
                               size_t *total,
                               int32_t *complete);

/**
 * Computes the signed distance of the superellipse |x/a1|^(2/e) + |y/a2|^(2/e) = 1 and a segment, in two dimensions.
 *
 * semi_axes: a1, a2, metres; exponent: e, between 0 and 2; translation: two numbers, metres, and angle,
 * radians, counter-clockwise: the superellipse's pose; from and to: two numbers each, metres, world
 * frame. Equal ends are a point.
 *
 * UNSTABLE: may change in any release.
 */
sovo_status sovo_planar_segment_contact(const double *semi_axes,
                                        double exponent,
                                        const double *translation,
                                        double angle,
                                        const double *from,
                                        const double *to,
                                        struct sovo_planar_contact *contact);

/**
 * Computes the derivatives of the signed distance of two superovoids at their contact, which sovo_pair_contact() has
 * answered for the same shapes and poses, without another query.
 *
 * derivatives: NULL for the gradient alone, which takes a fraction of the time of a query and is as exact as normal and
 * points of the contact; otherwise the places for the Hessian of the distance and the Jacobians of normal and witness
 * points, and normal and points are polished first.
 *
 * SOVO_STATUS_ERROR_GEOMETRY: the contact is not finite or has no unit normal; with derivatives, also where it is not
 * the answer of a query of these bodies at these poses. SOVO_STATUS_ERROR_OPTION: an outcome that no answer has.
 */
sovo_status sovo_pair_gradient(const struct sovo_superovoid *shape_a,
                               const struct sovo_pose *pose_a,
                               const struct sovo_superovoid *shape_b,
                               const struct sovo_pose *pose_b,
                               const struct sovo_contact *contact,
                               const struct sovo_derivatives *derivatives,
                               struct sovo_gradient *gradient);

/**
 * Computes the derivatives of every pair of a batch at its contact, as sovo_pair_gradient() does. batch is that of
 * sovo_pair_contact_batch(), whose contacts are read here; its caches are not looked at.
 *
 * derivatives: NULL for the gradients alone; otherwise each of its pointers that is not NULL is to the places for all
 * pairs, one after the other without gaps: count Hessians of 676 numbers, count Jacobians of 78 numbers.
 *
 * gradients: the places for the gradients, gradient_stride bytes (at least sizeof(sovo_gradient)) from one to the next.
 *
 * All answers are written once all are found, so that after an error, or a cancellation, no place is changed; until then
 * they take 216 bytes of memory a pair, and 7.6 kB with derivatives. The text of an error names the element; errors are
 * those of sovo_pair_contact_batch() and sovo_pair_gradient().
 */
sovo_status sovo_pair_gradient_batch(const struct sovo_pair_batch *batch,
                                     const struct sovo_derivatives *derivatives,
                                     struct sovo_gradient *gradients,
                                     size_t gradient_stride);

/**
 * Computes the derivatives of the signed distance of two bodies at their contact, which sovo_body_contact() has answered
 * for the same bodies and poses, without another query.
 *
 * All derivatives are those of a superovoid A with a B that is a superovoid, a point, a half-space, or a body with corners
 * (hull, points, cuboid, segment, triangle), which is touched at a vertex, edge or face; the motion of such a half-space is
 * about the world's origin. Of any other two kinds there is the gradient alone, by both poses and by the shape of a
 * superovoid: with the status SOVO_DERIVATIVE_STATUS_POINTS_SINGULAR, and NaN in the other places. It is that of the nearest, or
 * deepest, parts of a mesh, a set of boxes or terrain.
 *
 * derivatives: NULL for the gradient alone; otherwise as for sovo_pair_gradient(), which is faster for the gradient of two
 * superovoids.
 *
 * The errors are those of sovo_pair_gradient().
 */
sovo_status sovo_body_derivatives(const struct sovo_body *a,
                                  const struct sovo_pose *pose_a,
                                  const struct sovo_body *b,
                                  const struct sovo_pose *pose_b,
                                  const struct sovo_contact *contact,
                                  const struct sovo_derivatives *derivatives,
                                  struct sovo_gradient *gradient);

/**
 * Computes the derivatives of every pair of a batch at its contact, as sovo_body_derivatives() does, to the bit. batch is
 * that of sovo_body_contact_batch(), whose contacts are read here. derivatives, gradients, gradient_stride, memory and
 * errors are as for sovo_pair_gradient_batch().
 */
sovo_status sovo_body_derivatives_batch(const struct sovo_body_batch *batch,
                                        const struct sovo_derivatives *derivatives,
                                        struct sovo_gradient *gradients,
                                        size_t gradient_stride);

/**
 * Finds the contact manifolds of the bodies A and B: one for every two parts that sovo_body_contacts() finds within margin
 * (metres), in the same order, a body of one piece being one part. A manifold has up to eight points of both surfaces that face
 * each other along the normal of the contact at a distance of at most margin: the corners of the region in which two faces
 * overlap, the ends of an edge on a face, or one point of round bodies and crossing edges.
 *
 * The function writes as many as capacity allows and sets total to their number; manifolds may be NULL if capacity is 0.
 * options: as for sovo_body_contact(), except that max_distance is ignored. The function allocates memory.
 *
 * SOVO_STATUS_ERROR_OPTION: a margin that is NaN. Other errors are those of sovo_body_contact().
 */
sovo_status sovo_body_manifolds(const struct sovo_body *a,
                                const struct sovo_pose *pose_a,
                                const struct sovo_body *b,
                                const struct sovo_pose *pose_b,
                                double margin,
                                const struct sovo_query_options *options,
                                struct sovo_manifold *manifolds,
                                size_t capacity,
                                size_t *total);

/**
 * Finds the contact manifold of many pairs of bodies of one table, as sovo_body_manifolds() does: of bodies with many parts that
 * of the two parts with the least distance. Pair k is that of the bodies pairs[2 k] (A) and pairs[2 k + 1] (B). bodies and poses
 * have body_count elements, pairs twice as many as manifolds, which are pair_count. threads: as in sovo_body_batch.
 *
 * All answers are written once all are found, so that after an error manifolds are unchanged. The text of an error names the
 * pair as the element.
 *
 * SOVO_STATUS_ERROR_SIZE: an index that is not below body_count. Other errors are those of sovo_body_manifolds().
 */
sovo_status sovo_body_manifold_batch(const struct sovo_body *bodies,
                                     const struct sovo_pose *poses,
                                     size_t body_count,
                                     const uint32_t *pairs,
                                     size_t pair_count,
                                     double margin,
                                     const struct sovo_query_options *options,
                                     uint32_t threads,
                                     struct sovo_manifold *manifolds);

/**
 * Makes the motion from one pose to another that turns by the smaller angle. kind: a sovo_motion_kind; the line of
 * SOVO_MOTION_KIND_LINE_SPIN is that of the body's origin. A turn by half a turn has two axes, of which one is taken.
 *
 * SOVO_STATUS_ERROR_POSE: a pose that is not finite or whose quaternion is zero.
 * SOVO_STATUS_ERROR_GEOMETRY: the velocities are not finite. SOVO_STATUS_ERROR_OPTION: the kind.
 */
sovo_status sovo_motion_between(uint32_t kind,
                                const struct sovo_pose *start,
                                const struct sovo_pose *end,
                                struct sovo_motion *motion);

/**
 * Computes the pose of a body at an instant t of its motion; t may lie beyond 0 and 1.
 *
 * SOVO_STATUS_ERROR_POSE: a motion whose start is no pose. SOVO_STATUS_ERROR_GEOMETRY: a motion or t is not finite.
 * SOVO_STATUS_ERROR_OPTION: the kind of the motion. SOVO_STATUS_ERROR_OVERFLOW: the pose at t is not finite.
 */
sovo_status sovo_motion_pose(const struct sovo_motion *motion,
                             double t,
                             struct sovo_pose *pose);

/**
 * Finds when two moving bodies touch first, or proves that they do not. What is proven holds for the motions as they are
 * given, not for others between the same poses. The kinds may be any that sovo_body_contact() compares. A half-space or a
 * plane must rest.
 *
 * Of two bodies with parts, part is that of B. Bodies that begin inside a solid mesh overlap it from the start; otherwise a mesh is met at its surface. The clearance of
 * a free motion against a mesh, a set of boxes or a height field is min_separation. options: NULL for the defaults.
 *
 * SOVO_STATUS_ERROR_UNSUPPORTED: there is no answer for these two kinds, which the text names. SOVO_STATUS_ERROR_POSE: a
 * motion whose start is no pose. SOVO_STATUS_ERROR_GEOMETRY: a motion that is not finite, or a half-space or plane that moves.
 * SOVO_STATUS_ERROR_OPTION: an option out of its domain, or the kind of a motion. The text names the motion.
 */
sovo_status sovo_body_time_of_impact(const struct sovo_body *a,
                                     const struct sovo_motion *motion_a,
                                     const struct sovo_body *b,
                                     const struct sovo_motion *motion_b,
                                     const struct sovo_time_of_impact_options *options,
                                     struct sovo_time_of_impact *impact);

/**
 * Answers every pair of a batch as sovo_body_time_of_impact() does, to the bit, all with the same options (NULL for the
 * defaults).
 *
 * All answers are written once all are found, so that after an error, or a cancellation, impacts are unchanged; until then
 * they take 136 bytes of memory a pair. The text of an error names the element.
 */
sovo_status sovo_body_time_of_impact_batch(const struct sovo_time_of_impact_batch *batch,
                                           const struct sovo_time_of_impact_options *options);

/**
 * Reads a robot from a URDF file; path is UTF-8 and ends with a zero. Superovoids stand next to geometry in
 * collision elements; spheres are superovoids too, and meshes are not checked for contact until
 * sovo_robot_with_meshes() or sovo_robot_with_mesh_files() has added them (see sovo_robot_unchecked()). The robot must be freed with sovo_robot_free().
 *
 * SOVO_STATUS_ERROR_FILE: the file cannot be read. SOVO_STATUS_ERROR_TEXT: the path or the file is not UTF-8.
 * SOVO_STATUS_ERROR_URDF: any other error; the text gives line, column and what was expected there.
 */
sovo_status sovo_robot_load(const char *path,
                            struct sovo_robot **robot);

/**
 * Reads a robot from the text of a URDF file: length bytes of UTF-8, which need not end with a zero. Everything else
 * is as for sovo_robot_load().
 */
sovo_status sovo_robot_parse(const char *text,
                             size_t length,
                             struct sovo_robot **robot);

/**
 * Frees a robot and its texts; NULL is allowed.
 */
void sovo_robot_free(struct sovo_robot *robot);

/**
 * Writes the robot as a URDF document, in which superovoids stand next to geometry: length is set to its bytes,
 * without the zero at its end. buffer has room for capacity bytes; NULL with a capacity of 0 requests the length
 * only.
 *
 * SOVO_STATUS_ERROR_SIZE: a capacity that is neither 0 nor greater than the length.
 */
sovo_status sovo_robot_urdf(const struct sovo_robot *robot,
                            char *buffer,
                            size_t capacity,
                            size_t *length);

/**
 * Writes what a robot consists of.
 */
sovo_status sovo_robot_describe(const struct sovo_robot *robot, struct sovo_robot_info *info);

/**
 * Writes the description of a link. SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
 */
sovo_status sovo_robot_link(const struct sovo_robot *robot,
                            uint32_t index,
                            struct sovo_link *link);

/**
 * Finds the link of a name. SOVO_STATUS_ERROR_CONFIGURATION: there is none.
 */
sovo_status sovo_robot_link_index(const struct sovo_robot *robot, const char *name, uint32_t *link);

/**
 * Finds the joint of a name. SOVO_STATUS_ERROR_CONFIGURATION: there is none.
 */
sovo_status sovo_robot_joint_index(const struct sovo_robot *robot,
                                   const char *name,
                                   uint32_t *joint);

/**
 * Writes the description of a joint, with its place in a configuration. SOVO_STATUS_ERROR_CONFIGURATION: an index that
 * the robot does not have.
 */
sovo_status sovo_robot_joint(const struct sovo_robot *robot,
                             uint32_t index,
                             struct sovo_joint *joint);

/**
 * Writes a superovoid among the collision shapes; those of other kinds are not told.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
 */
sovo_status sovo_robot_body(const struct sovo_robot *robot,
                            uint32_t index,
                            struct sovo_superovoid_body *body);

/**
 * Writes a warning of the reader: about parts of the file that the robot does not hold, each with line and column, and
 * about forms other than the one that sovo_robot_urdf() writes.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
 */
sovo_status sovo_robot_warning(const struct sovo_robot *robot,
                               uint32_t index,
                               const char **warning);

/**
 * Writes a description of a collision shape that is not checked for contact: its link, its number among the link's
 * collision elements, counted from 1 as in the texts of errors and warnings, and its kind, such as: link "base",
 * collision 1: mesh
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: an index that the robot does not have.
 */
sovo_status sovo_robot_unchecked(const struct sovo_robot *robot,
                                 uint32_t index,
                                 const char **shape);

/**
 * Makes a robot like another one, whose collision shapes have meshes: every shape whose file name in the URDF is
 * filenames[k], byte for byte, gets meshes[k] (count of each), multiplied by the scale in the URDF. A closed mesh
 * is compared as a solid, mirrored or not, an open one as its surface (sovo_tri_mesh_new()). What has a superovoid beside
 * its mesh is compared as that; a mesh that is not among these stays unchecked, also if the other robot has it. The
 * meshes are shared: they may be freed at any time. The robot must be freed with sovo_robot_free().
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a file name that no collision shape has, or one that is given twice.
 * SOVO_STATUS_ERROR_GEOMETRY: a scaled vertex that is not finite. The text of an error names the element.
 */
sovo_status sovo_robot_with_meshes(const struct sovo_robot *robot,
                                   const char *const *filenames,
                                   const struct sovo_tri_mesh *const *meshes,
                                   size_t count,
                                   struct sovo_robot **with_meshes);

/**
 * Makes a robot like another one, whose collision shapes have the meshes of the files that its URDF names: STL, OBJ and
 * COLLADA. path: that of the URDF, which need not be the file that the robot was read from; relative names start in its
 * folder. package_paths: folders (count of them, NULL if there are none) in which the packages of names like
 * package://arm/meshes/a.stl are looked for, by their package.xml or the name of their folder; the packages that the URDF
 * is in are found without them. Files outside of these folders are not read. Everything else is as for
 * sovo_robot_with_meshes(), and the robot must be freed with sovo_robot_free().
 *
 * SOVO_STATUS_ERROR_FILE: a folder that is not there, or a mesh that may not or cannot be read; the text names the link,
 * the collision element (from 1), the name in the URDF and what is wrong. SOVO_STATUS_ERROR_TEXT: a path that is not
 * UTF-8.
 */
sovo_status sovo_robot_with_mesh_files(const struct sovo_robot *robot,
                                       const char *path,
                                       const char *const *package_paths,
                                       size_t count,
                                       struct sovo_robot **with_meshes);

/**
 * Reads from a file most of what scenes work out of the robot's meshes before their first answer: their hulls, and balls around
 * and inside them. If there is no such file (path is UTF-8 and ends with a zero), or it is of other meshes or another version of
 * the library, or not whole, this is worked out now and the file written anew. was_read: 1 if it was read, else 0; may be
 * NULL. Of a robot without meshes there is nothing to keep, and no file. Who can write the file can make proofs wrong.
 *
 * SOVO_STATUS_ERROR_FILE: a mesh of the robot is not loaded, the file cannot be read or written, or is something else than such a file, and stays as it is.
 */
sovo_status sovo_robot_use_cache(const struct sovo_robot *robot,
                                 const char *path,
                                 int32_t *was_read);

/**
 * Finds the contacts of the bodies on different links in a configuration (count numbers), closest or deepest first.
 * Links that are joined by one joint, by turning joints in series at one point, or rigidly fixed together are left out by
 * default.
 *
 * The function writes as many contacts as capacity allows, the closest ones, and sets total to their number;
 * clearances may be NULL if capacity is 0. options: NULL for the defaults. Like the functions below it allocates
 * memory.
 *
 * Errors of the configuration are those of sovo_robot_link_poses(). SOVO_STATUS_ERROR_OPTION: a max_distance that is
 * negative or NaN, or an option that sovo_pair_contact() rejects. SOVO_STATUS_ERROR_UNCHECKED: the robot has
 * collision shapes that are not checked, and options->allow_unchecked is 0.
 */
sovo_status sovo_robot_clearances(const struct sovo_robot *robot,
                                  const double *positions,
                                  size_t count,
                                  const struct sovo_clearance_options *options,
                                  struct sovo_clearance *clearances,
                                  size_t capacity,
                                  size_t *total);

/**
 * Finds the contacts of sovo_robot_clearances() and the gradients of their distances by the velocities of the joints.
 *
 * gradients: room for capacity rows of velocity_count numbers each, contiguous, where velocity_count is that of the
 * robot. The velocities stand in the order of the positions; a floating joint has six, the
 * velocity of its child's origin and the angular velocity, both along the axes of the joint's frame. A row is NaN where
 * the contact is not converged.
 *
 * SOVO_STATUS_ERROR_SIZE: a wrong velocity_count. Other errors are those of sovo_robot_clearances().
 */
sovo_status sovo_robot_clearance_gradients(const struct sovo_robot *robot,
                                           const double *positions,
                                           size_t count,
                                           const struct sovo_clearance_options *options,
                                           struct sovo_clearance *clearances,
                                           double *gradients,
                                           size_t velocity_count,
                                           size_t capacity,
                                           size_t *total);

/**
 * Computes a smooth lower bound of the distances of sovo_robot_clearance_gradients() for optimisers that want a single
 * function: value is -T ln(sum of exp(-distance/T)), at most the least distance and less than it by at most
 * T ln(number of pairs), with T = temperature, metres. Pairs beyond options->max_distance do not count, so that the
 * value jumps, by about T exp(-max_distance/T), where a pair comes within it.
 *
 * gradient: the derivatives of value by the velocities of the joints, velocity_count numbers, that of the robot.
 *
 * Without a pair value is infinite and the gradient 0; where a pair is not converged all of them are NaN.
 *
 * SOVO_STATUS_ERROR_OPTION: a temperature that is not positive and finite. SOVO_STATUS_ERROR_SIZE: a wrong
 * velocity_count. Other errors are those of sovo_robot_clearances().
 */
sovo_status sovo_robot_smooth_minimum(const struct sovo_robot *robot,
                                      const double *positions,
                                      size_t count,
                                      const struct sovo_clearance_options *options,
                                      double temperature,
                                      double *value,
                                      double *gradient,
                                      size_t velocity_count);

/**
 * Finds the first of sovo_robot_clearances() alone, which takes less time: the least distance and its pair. The
 * bracket is that of this pair. The result is all zero, with the status SOVO_COLLISION_STATUS_NONE, if no pair is
 * within options->max_distance, or if the robot has none.
 */
sovo_status sovo_robot_closest(const struct sovo_robot *robot,
                               const double *positions,
                               size_t count,
                               const struct sovo_clearance_options *options,
                               struct sovo_clearance *clearance);

/**
 * Tests whether any two bodies of different links touch or overlap: in_collision is set to 0 if every pair is proven
 * to be free, and to 1 otherwise, also where a pair could not be decided. The test ends at the first pair that is
 * not free and is the fastest of these functions. options->max_distance is ignored. A collision is the answer also
 * where other collision shapes are not checked.
 */
sovo_status sovo_robot_in_collision(const struct sovo_robot *robot,
                                    const double *positions,
                                    size_t count,
                                    const struct sovo_clearance_options *options,
                                    int32_t *in_collision);

/**
 * Writes the neutral configuration: every joint at zero, or at the limit nearest to zero where zero is outside;
 * floating joints at the identity. count: the position_count of the robot.
 */
sovo_status sovo_robot_neutral(const struct sovo_robot *robot,
                               double *positions,
                               size_t count);

/**
 * Writes the pose of every link in the frame of the root link, in the order of the links. positions: a configuration
 * of count numbers; pose_count: the link_count of the robot.
 *
 * SOVO_STATUS_ERROR_SIZE: a wrong count. SOVO_STATUS_ERROR_CONFIGURATION: a position that is not finite or outside
 * the limits of its joint, or a quaternion whose length is not 1 to 1e-6; the text names the joint.
 */
sovo_status sovo_robot_link_poses(const struct sovo_robot *robot,
                                  const double *positions,
                                  size_t count,
                                  struct sovo_pose *poses,
                                  size_t pose_count);

/**
 * Makes an empty scene, which must be freed with sovo_scene_free().
 */
sovo_status sovo_scene_new(struct sovo_scene **scene);

/**
 * Frees a scene; NULL is allowed. Hulls, meshes, sets of boxes and height fields that were added remain valid.
 */
void sovo_scene_free(struct sovo_scene *scene);

/**
 * Finds the group of a name, which is UTF-8 and ends with a zero; adds it if there is none yet.
 */
sovo_status sovo_scene_group(struct sovo_scene *scene, const char *name, uint32_t *group);

/**
 * Sets whether two groups may collide: with allowed other than 0 they are not compared, with 0, the initial value,
 * they are.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a group that the scene does not have.
 */
sovo_status sovo_scene_allow(struct sovo_scene *scene,
                             uint32_t group_a,
                             uint32_t group_b,
                             int32_t allowed);

/**
 * Adds a body of any kind but a plane. It is compared with all other bodies and with all obstacles; with
 * as_obstacle other than 0 it is an obstacle, which is compared with bodies only. A half-space can only be an obstacle. id: set to its number, which is never used again in this scene.
 *
 * Hulls, meshes, sets of boxes and height fields are shared: they may be freed, and added again, at any time. Points are copied.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a group that the scene does not have. SOVO_STATUS_ERROR_UNSUPPORTED: a kind that a
 * scene does not take. SOVO_STATUS_ERROR_GEOMETRY: a half-space that is no obstacle.
 */
sovo_status sovo_scene_add(struct sovo_scene *scene,
                           uint32_t group,
                           const struct sovo_body *body,
                           const struct sovo_pose *pose,
                           int32_t as_obstacle,
                           uint64_t *id);

/**
 * Moves a body or an obstacle.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a number that belongs to no body, or to a removed one.
 */
sovo_status sovo_scene_move(struct sovo_scene *scene, uint64_t body, const struct sovo_pose *pose);

/**
 * Removes a body or an obstacle; its number is invalid from then on.
 */
sovo_status sovo_scene_remove(struct sovo_scene *scene, uint64_t body);

/**
 * Writes the number of bodies and obstacles.
 */
sovo_status sovo_scene_count(const struct sovo_scene *scene, size_t *count);

/**
 * Finds every contact within options->max_distance, closest or deepest first. The function
 * writes as many as capacity allows, the closest ones, and sets total to their number; contacts may be NULL if
 * capacity is 0.
 *
 * options: NULL for the defaults. Like the functions below it allocates memory.
 *
 * SOVO_STATUS_ERROR_OPTION: a max_distance that is negative or NaN, or an option that sovo_pair_contact() rejects.
 */
sovo_status sovo_scene_contacts(struct sovo_scene *scene,
                                const struct sovo_query_options *options,
                                struct sovo_scene_contact *contacts,
                                size_t capacity,
                                size_t *total);

/**
 * Finds the first of sovo_scene_contacts() alone, which takes less time: the least distance and its pair. The result
 * is all zero, with the status SOVO_COLLISION_STATUS_NONE, if nothing is within options->max_distance.
 */
sovo_status sovo_scene_closest(struct sovo_scene *scene,
                               const struct sovo_query_options *options,
                               struct sovo_scene_contact *contact);

/**
 * Tests whether any pair that is compared touches or overlaps: in_collision is set to 0 if every pair is proven to
 * be free, and to 1 otherwise, also where a pair could not be decided. This is the fastest of these functions.
 * options->max_distance is ignored.
 */
sovo_status sovo_scene_in_collision(struct sovo_scene *scene,
                                    const struct sovo_query_options *options,
                                    int32_t *in_collision);

/**
 * Judges the straight line between two configurations, from and to (count numbers each): whether every pair of bodies
 * on different links, adjacent links left out, keeps more than options->min_separation on the whole of it. The answer
 * is a proof, not a sample: an edge that is free has no configuration that touches.
 *
 * Every joint moves at a constant rate, from its first position to its second one by the numbers: a continuous joint
 * from 0 to 6 turns by 6 radians, and the shorter way round is that to 6 - 2 pi. A floating joint moves its origin on a
 * straight line and turns the shorter way about a fixed axis. Joints that mimic follow. The proof holds for this motion.
 *
 * options: NULL for the defaults. The function allocates memory. Errors of the configurations are those of
 * sovo_robot_link_poses(). SOVO_STATUS_ERROR_OPTION: a length that is negative or not finite, a resolution below 1e-12,
 * a time that is negative or NaN, or an option that sovo_pair_contact() rejects.
 */
sovo_status sovo_robot_edge_free(const struct sovo_robot *robot,
                                 const double *from,
                                 const double *to,
                                 size_t count,
                                 const struct sovo_edge_options *options,
                                 struct sovo_edge *edge);

/**
 * Writes, for every velocity of a configuration, the largest distance (metres) that a point of a body moves relative to
 * any other link while the configuration moves by one unit along it: metres per radian, or 1 for a slide. It holds in
 * every configuration within the limits; it is infinite for turns with a planar or floating joint between them and a
 * body. Where the clearance is d, every configuration is free that differs by less than d in the sum of these products.
 *
 * count: the velocity_count of the robot. SOVO_STATUS_ERROR_SIZE: another count.
 */
sovo_status sovo_robot_reaches(const struct sovo_robot *robot,
                               double *reaches,
                               size_t count);

/**
 * Makes the scene of a robot without obstacles, which must be freed with sovo_robot_scene_free(). The robot may be
 * freed at any time.
 */
sovo_status sovo_robot_scene_new(const struct sovo_robot *robot,
                                 struct sovo_robot_scene **scene);

/**
 * Makes a copy of a scene, with the same numbers of its bodies, for another thread or for changes that are tried: shapes,
 * names and the hierarchy of obstacles are shared until one of the two changes them. It must be freed with
 * sovo_robot_scene_free().
 */
sovo_status sovo_robot_scene_copy(const struct sovo_robot_scene *scene,
                                  struct sovo_robot_scene **copy);

/**
 * Frees a scene; NULL is allowed. Hulls, meshes, sets of boxes and height fields that were added remain valid.
 */
void sovo_robot_scene_free(struct sovo_robot_scene *scene);

/**
 * Adds a body as an obstacle, to the group of a name, which may hold others. The kinds are those of sovo_scene_add(), and
 * so is what is shared. obstacle: set to its number, which is never used again in this scene.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: the name of a link or an attached object. SOVO_STATUS_ERROR_UNSUPPORTED: a kind that a scene does not take.
 */
sovo_status sovo_robot_scene_add_obstacle(struct sovo_robot_scene *scene,
                                          const char *group,
                                          const struct sovo_body *body,
                                          const struct sovo_pose *pose,
                                          uint64_t *obstacle);

/**
 * Moves an obstacle.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a number that belongs to no obstacle, or to a removed one.
 */
sovo_status sovo_robot_scene_move_obstacle(struct sovo_robot_scene *scene,
                                           uint64_t obstacle,
                                           const struct sovo_pose *pose);

/**
 * Removes an obstacle; its number is invalid from then on. The errors are those of sovo_robot_scene_move_obstacle().
 */
sovo_status sovo_robot_scene_remove_obstacle(struct sovo_robot_scene *scene,
                                             uint64_t obstacle);

/**
 * Sets the pose of the root link in the world, with which the whole robot moves; obstacles stay where they are. It is
 * the identity at first.
 *
 * SOVO_STATUS_ERROR_POSE: a pose that is not finite, or whose quaternion is not of length 1.
 */
sovo_status sovo_robot_scene_set_base(struct sovo_robot_scene *scene,
                                      const struct sovo_pose *pose);

/**
 * Writes the pose of the root link in the world.
 */
sovo_status sovo_robot_scene_base(const struct sovo_robot_scene *scene, struct sovo_pose *pose);

/**
 * Applies the collision settings of an SRDF document, MoveIt's semantic description of a robot: its text is length bytes
 * of UTF-8, which need not end with a zero. Pairs of links that it disables are not compared from then on, in addition to
 * adjacent links. An element with a link that the robot does not have is without effect. warning_count: NULL, or set to
 * the number of warnings about such elements, and about the name of another robot, for sovo_robot_scene_warning().
 *
 * SOVO_STATUS_ERROR_TEXT: a text that is not UTF-8. SOVO_STATUS_ERROR_URDF: a text that is no SRDF; the text of the error
 * gives line, column and what was expected there.
 */
sovo_status sovo_robot_scene_apply_srdf(struct sovo_robot_scene *scene,
                                        const char *text,
                                        size_t length,
                                        uint32_t *warning_count);

/**
 * Writes a warning of the SRDF that was applied last, with its line and column. The text belongs to the scene until
 * another SRDF is applied to it or it is freed.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: an index that is not below the number of warnings.
 */
sovo_status sovo_robot_scene_warning(const struct sovo_robot_scene *scene,
                                     uint32_t index,
                                     const char **warning);

/**
 * Sets whether answers may leave out the collision shapes of sovo_robot_unchecked(): with allow_unchecked other than 0 they
 * may, with 0, the default, a query on a robot that has one ends with SOVO_STATUS_ERROR_UNCHECKED. An edge is never
 * free with them.
 */
sovo_status sovo_robot_scene_set_allow_unchecked(struct sovo_robot_scene *scene,
                                                 int32_t allow_unchecked);

/**
 * Sets whether two may collide, by the names of links, attached objects or groups of obstacles: with allowed other than 0
 * they are not compared, with 0 they are, also if they are adjacent links, or an object and one of its touch links.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
 */
sovo_status sovo_robot_scene_allow(struct sovo_robot_scene *scene,
                                   const char *a,
                                   const char *b,
                                   int32_t allowed);

/**
 * Tests whether any pair that is compared touches or overlaps in a configuration (count numbers): in_collision is set to
 * 0 if every pair is proven to be free, and to 1 otherwise, also where a pair could not be decided.
 * options->max_distance is ignored.
 */
sovo_status sovo_robot_scene_in_collision(struct sovo_robot_scene *scene,
                                          const double *positions,
                                          size_t count,
                                          const struct sovo_query_options *options,
                                          int32_t *in_collision);

/**
 * Finds the least distance of all pairs that are compared, and its pair. The result is all zero, with the status
 * SOVO_COLLISION_STATUS_NONE, if no pair is within options->max_distance.
 */
sovo_status sovo_robot_scene_closest(struct sovo_robot_scene *scene,
                                     const double *positions,
                                     size_t count,
                                     const struct sovo_query_options *options,
                                     struct sovo_robot_contact *contact);

/**
 * Finds every pair that is compared and not proven to be farther apart than options->max_distance, closest or deepest
 * first. The function writes as many as capacity allows, the closest ones, and sets total to their number; contacts may be
 * NULL if capacity is 0. It allocates memory.
 */
sovo_status sovo_robot_scene_contacts(struct sovo_robot_scene *scene,
                                      const double *positions,
                                      size_t count,
                                      const struct sovo_query_options *options,
                                      struct sovo_robot_contact *contacts,
                                      size_t capacity,
                                      size_t *total);

/**
 * Judges the straight line between two configurations as sovo_robot_edge_free() does, for all pairs that the scene
 * compares.
 */
sovo_status sovo_robot_scene_edge_free(struct sovo_robot_scene *scene,
                                       const double *from,
                                       const double *to,
                                       size_t count,
                                       const struct sovo_edge_options *options,
                                       struct sovo_edge *edge);

/**
 * Attaches a body to a link, such as what a gripper holds, at a pose in the frame of the link: it moves with it in all
 * queries. It is compared with all obstacles, links and attached objects, but for its link, what else is attached to that,
 * and its touch links: touch_links are the names of count links or attached objects, NULL if there are none.
 * sovo_robot_scene_allow() sets other pairs. The kinds are those of sovo_robot_scene_add_obstacle() that have bounds; an
 * object of several bodies is added as an obstacle first, and then attached with sovo_robot_scene_attach_obstacle().
 * attached: NULL, or set to its number.
 *
 * In contacts collision_a or collision_b of a sovo_robot_contact say that a body is an attached one.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that a link, an obstacle or an attached object has, or an unknown link or touch
 * link. SOVO_STATUS_ERROR_UNSUPPORTED: a half-space, or a kind that a scene does not take.
 */
sovo_status sovo_robot_scene_attach(struct sovo_robot_scene *scene,
                                    const char *name,
                                    const char *link,
                                    const struct sovo_body *body,
                                    const struct sovo_pose *pose,
                                    const char *const *touch_links,
                                    size_t count,
                                    uint64_t *attached);

/**
 * Attaches all obstacles of a name to a link, as sovo_robot_scene_attach() does, at the poses relative to the link that
 * they have in a configuration (position_count numbers). Their numbers stay.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that no obstacle has, an unknown link or touch link, or a wrong position.
 * SOVO_STATUS_ERROR_UNSUPPORTED: a half-space.
 */
sovo_status sovo_robot_scene_attach_obstacle(struct sovo_robot_scene *scene,
                                             const char *name,
                                             const char *link,
                                             const char *const *touch_links,
                                             size_t count,
                                             const double *positions,
                                             size_t position_count);

/**
 * Detaches an object. With a configuration (count numbers) its bodies are obstacles from then on, where they are in it,
 * with the same numbers; with NULL for positions they are removed. Its touch links and its padding end. The bodies that
 * were attached after it have other indices from then on.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that no attached object has, or a wrong position.
 */
sovo_status sovo_robot_scene_detach(struct sovo_robot_scene *scene,
                                    const char *name,
                                    const double *positions,
                                    size_t count);

/**
 * Writes the number of attached bodies.
 */
sovo_status sovo_robot_scene_attached_count(const struct sovo_robot_scene *scene, uint32_t *count);

/**
 * Writes the attached body of an index; they are numbered from 0, those that were attached first first.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: an index that is not below the number of attached bodies.
 */
sovo_status sovo_robot_scene_attached(const struct sovo_robot_scene *scene,
                                      uint32_t index,
                                      struct sovo_attached_body *attached);

/**
 * Pads a link or an attached object: its bodies are taken to be larger by so many metres on all sides, round at corners
 * and edges. All its pairs count it: their distance is less by the paddings of both, they collide where it is at most 0, the
 * witnesses are on the padded surfaces, and an edge keeps its minimum separation from there. 0 ends it. An attached object
 * has its own padding, and not that of its link.
 *
 * SOVO_STATUS_ERROR_OPTION: a padding that is negative or not finite. SOVO_STATUS_ERROR_CONFIGURATION: a name that no link
 * and no attached object has.
 */
sovo_status sovo_robot_scene_set_padding(struct sovo_robot_scene *scene,
                                         const char *name,
                                         double metres);

/**
 * Writes the padding of a link or an attached object, metres.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
 */
sovo_status sovo_robot_scene_padding(const struct sovo_robot_scene *scene,
                                     const char *name,
                                     double *metres);

/**
 * Pads a pair in addition to the paddings of both: two links or attached objects, or one of them and an obstacle. The
 * witnesses move by half of it each. 0 ends it.
 *
 * SOVO_STATUS_ERROR_OPTION: a padding that is negative or not finite. SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing
 * in the scene has, or two obstacles.
 */
sovo_status sovo_robot_scene_set_pair_padding(struct sovo_robot_scene *scene,
                                              const char *a,
                                              const char *b,
                                              double metres);

/**
 * Writes the padding of a pair in addition to the paddings of both, metres.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
 */
sovo_status sovo_robot_scene_pair_padding(const struct sovo_robot_scene *scene,
                                          const char *a,
                                          const char *b,
                                          double *metres);

/**
 * Multiplies the collision shapes of a link by a factor, each about the origin of its own frame; 1 are the shapes of the
 * robot again. Objects that are attached to the link are not scaled.
 *
 * SOVO_STATUS_ERROR_OPTION: a factor that is not finite or not above 0, or that leaves no valid shape.
 * SOVO_STATUS_ERROR_CONFIGURATION: an unknown link.
 */
sovo_status sovo_robot_scene_set_scale(struct sovo_robot_scene *scene,
                                       const char *link,
                                       double factor);

/**
 * Tells whether two may collide, by the names of links, attached objects or groups of obstacles: allowed is set to 1 if they
 * are not compared, otherwise to 0. Obstacles are never compared with each other, whatever is allowed.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
 */
sovo_status sovo_robot_scene_is_allowed(const struct sovo_robot_scene *scene,
                                        const char *a,
                                        const char *b,
                                        int32_t *allowed);

/**
 * Sets whether a link, an attached object or a group of obstacles may collide in pairs for which nothing else is set:
 * allowed is 1 (such pairs are not compared), 0 (they are), or -1, the initial value, for no default.
 *
 * SOVO_STATUS_ERROR_OPTION: another number. SOVO_STATUS_ERROR_CONFIGURATION: a name that nothing in the scene has.
 */
sovo_status sovo_robot_scene_set_default(struct sovo_robot_scene *scene,
                                         const char *name,
                                         int32_t allowed);

/**
 * Tests many configurations as sovo_robot_scene_in_collision() tests one, eight at a time, which is several times
 * faster. positions: one configuration of count numbers after the other, configurations of them. threads: 0 and 1 for
 * the calling thread alone; the answers are the same on any number of threads. in_collision: one number for each
 * configuration, 0 or 1. Nothing is written if there is an error; its text names the configuration whose positions are
 * wrong.
 */
sovo_status sovo_robot_scene_in_collision_batch(struct sovo_robot_scene *scene,
                                                const double *positions,
                                                size_t count,
                                                size_t configurations,
                                                const struct sovo_query_options *options,
                                                uint32_t threads,
                                                int32_t *in_collision);

/**
 * Finds the closest pair of many configurations as sovo_robot_scene_closest() finds that of one. contacts: one for each
 * configuration. Otherwise it is like sovo_robot_scene_in_collision_batch().
 */
sovo_status sovo_robot_scene_closest_batch(struct sovo_robot_scene *scene,
                                           const double *positions,
                                           size_t count,
                                           size_t configurations,
                                           const struct sovo_query_options *options,
                                           uint32_t threads,
                                           struct sovo_robot_contact *contacts);

/**
 * Finds the clearance of many configurations, metres: the distance of the closest pair, or max_distance if that is
 * farther apart, and 0 for a configuration that is in collision. Every pair is proven to be that far apart. A
 * configuration ends with its first overlap, whose depth is not sought. clearances: one number for each configuration.
 * Otherwise it is like sovo_robot_scene_in_collision_batch().
 */
sovo_status sovo_robot_scene_clearance_batch(struct sovo_robot_scene *scene,
                                             const double *positions,
                                             size_t count,
                                             size_t configurations,
                                             const struct sovo_query_options *options,
                                             uint32_t threads,
                                             double *clearances);

/**
 * Finds a configuration among many that is in collision, for instance of the states along a path: found is set to its
 * index, and to SIZE_MAX if every one is proven to be free, which says nothing about those between them
 * (sovo_robot_scene_edge_free() judges these). The ends and the middle are tested first, then the quarters and so on, eight
 * at a time, and the function ends with the first eight that have a collision. positions: configurations of count
 * numbers each, radians and metres; stride: the bytes from one configuration to the next, count * sizeof(double) if
 * nothing is between them. options->max_distance is ignored.
 *
 * SOVO_STATUS_ERROR_SIZE: a count that is not the position_count of the robot, or a stride with which configurations
 * would overlap. SOVO_STATUS_ERROR_CONFIGURATION: a position that is not finite or outside its limits; the text names the
 * configuration and the joint. SOVO_STATUS_ERROR_UNCHECKED: see sovo_robot_scene_set_allow_unchecked().
 */
sovo_status sovo_robot_scene_find_collision(struct sovo_robot_scene *scene,
                                            const double *positions,
                                            size_t stride,
                                            size_t count,
                                            size_t configurations,
                                            const struct sovo_query_options *options,
                                            size_t *found);

/**
 * Finds a state that is in collision among those at k / states of the straight line between two configurations, k from 1 to
 * states; from itself is not among them. found is set to k, and to SIZE_MAX if every one is proven to be free. The joints move
 * as in sovo_robot_edge_free(). Otherwise it is like sovo_robot_scene_find_collision(), but no configurations are made.
 */
sovo_status sovo_robot_scene_find_collision_between(struct sovo_robot_scene *scene,
                                                    const double *from,
                                                    const double *to,
                                                    size_t count,
                                                    size_t states,
                                                    const struct sovo_query_options *options,
                                                    size_t *found);

/**
 * Writes how many configurations each step has decided since the scene was made or copied.
 */
sovo_status sovo_robot_scene_step_counts(struct sovo_robot_scene *scene,
                                         struct sovo_step_counts *counts);

/**
 * Judges many edges as sovo_robot_scene_edge_free() judges one, each to the last bit. from and to: the ends of the edge_count
 * edges, count numbers each, one after the other; edges: one for each. options->max_time is that of the whole batch: where it
 * ends, the edges that are left are undecided, at 0 states. threads: 0 and 1 for the calling thread alone. Nothing is
 * written if there is an error; its text names the edge whose positions are wrong. The function allocates memory.
 */
sovo_status sovo_robot_scene_edge_free_batch(struct sovo_robot_scene *scene,
                                             const double *from,
                                             const double *to,
                                             size_t count,
                                             size_t edge_count,
                                             const struct sovo_edge_options *options,
                                             uint32_t threads,
                                             struct sovo_edge *edges);

/**
 * Makes a spline of cubic pieces from positions and velocities at times, as a ROS JointTrajectory means them. times:
 * time_count numbers that grow, seconds, at least two; positions and velocities: count numbers for each time, one
 * configuration after the other, radians and metres. The spline must be freed with sovo_spline_free().
 *
 * SOVO_STATUS_ERROR_SIZE: fewer than two times, or more numbers than memory holds. SOVO_STATUS_ERROR_CONFIGURATION: times
 * that do not grow, or a number that is not finite; the text names its index.
 */
sovo_status sovo_spline_cubic(const double *times,
                              size_t time_count,
                              const double *positions,
                              const double *velocities,
                              size_t count,
                              struct sovo_spline **spline);

/**
 * Makes a spline of quintic pieces from positions, velocities and accelerations at times. It is like sovo_spline_cubic().
 */
sovo_status sovo_spline_quintic(const double *times,
                                size_t time_count,
                                const double *positions,
                                const double *velocities,
                                const double *accelerations,
                                size_t count,
                                struct sovo_spline **spline);

/**
 * Makes a spline of polynomials of one degree, from 1 to 15: number i is the sum over j, from 0 to degree, of
 * c[k][j][i] (t - times[k])^j from times[k] to times[k + 1]. coefficients: the numbers c of the time_count - 1 pieces, one
 * after the other. Otherwise it is like sovo_spline_cubic().
 *
 * SOVO_STATUS_ERROR_OPTION: another degree. SOVO_STATUS_ERROR_CONFIGURATION: also a number that jumps from one piece to the
 * next.
 */
sovo_status sovo_spline_polynomials(const double *times,
                                    size_t time_count,
                                    const double *coefficients,
                                    uint32_t degree,
                                    size_t count,
                                    struct sovo_spline **spline);

/**
 * Makes a B-spline of a degree from 1 to 15. knots: knot_count numbers that do not fall, one more than points and degree
 * together; points: point_count control points of count numbers each, one after the other. It runs from knot degree to the
 * last but degree. Otherwise it is like sovo_spline_cubic().
 *
 * SOVO_STATUS_ERROR_OPTION: another degree. SOVO_STATUS_ERROR_SIZE: also another number of knots, or no more points than the
 * degree. SOVO_STATUS_ERROR_CONFIGURATION: also a knot that is there so often that the curve jumps.
 */
sovo_status sovo_spline_b_spline(uint32_t degree,
                                 const double *knots,
                                 size_t knot_count,
                                 const double *points,
                                 size_t point_count,
                                 size_t count,
                                 struct sovo_spline **spline);

/**
 * Makes a spline of Bezier pieces of a degree from 1 to 15. times: the time_count ends of the pieces; points: the
 * (time_count - 1) * degree + 1 points of the pieces, of which neighbours share one, count numbers each. Otherwise it is like
 * sovo_spline_cubic().
 *
 * SOVO_STATUS_ERROR_OPTION: another degree.
 */
sovo_status sovo_spline_bezier(uint32_t degree,
                               const double *times,
                               size_t time_count,
                               const double *points,
                               size_t count,
                               struct sovo_spline **spline);

/**
 * Writes the numbers of the configuration at a time; before the first and after the last time they are those there.
 *
 * SOVO_STATUS_ERROR_OPTION: a time that is not finite. SOVO_STATUS_ERROR_SIZE: a count that is not that of the spline.
 */
sovo_status sovo_spline_position(const struct sovo_spline *spline,
                                 double time,
                                 double *positions,
                                 size_t count);

/**
 * Frees a spline; NULL is allowed.
 */
void sovo_spline_free(struct sovo_spline *spline);

/**
 * Judges the motion along a spline as sovo_robot_scene_edge_free() judges a straight line: the same proof holds at every time.
 * In the edge, safe and touching are times of the spline; where an edge has -1 they are NaN. Planar and floating joints must
 * rest. options: NULL for the defaults.
 *
 * SOVO_STATUS_ERROR_SIZE: a spline whose count is not the position_count of the robot. SOVO_STATUS_ERROR_CONFIGURATION: a joint
 * that leaves its limits, of which the text tells when, or a planar or floating joint that moves. SOVO_STATUS_ERROR_OPTION: as
 * for sovo_robot_edge_free().
 */
sovo_status sovo_robot_scene_spline_free(struct sovo_robot_scene *scene,
                                         const struct sovo_spline *spline,
                                         const struct sovo_edge_options *options,
                                         struct sovo_edge *edge);

/**
 * Grows a box of configurations around a free one (count numbers), in all of which every pair that the scene compares is
 * proven to keep more than options->min_separation: those whose every number is at least that of lower and at most that of
 * upper, count numbers each. It is as large as was found: every face is moved outwards in turn until no step of
 * options->resolution, metres of motion of the bodies (0: 1e-3), can be proven, or options->max_states configurations
 * (0: 20000) were asked. The limits of the joints bound it; a joint that turns without limits goes at most half a turn each
 * way, and planar and floating joints stay where they are. options: NULL for the defaults; any_contact and max_time must be
 * 0. The function allocates memory.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: a wrong position, a configuration that is not free (the text names the pair), or a
 * prismatic joint without limits. SOVO_STATUS_ERROR_SIZE: a wrong count. SOVO_STATUS_ERROR_OPTION: an option that is out of
 * its domain. SOVO_STATUS_ERROR_UNCHECKED: see sovo_robot_scene_set_allow_unchecked().
 */
sovo_status sovo_robot_scene_free_region(struct sovo_robot_scene *scene,
                                         const double *positions,
                                         size_t count,
                                         const struct sovo_edge_options *options,
                                         double *lower,
                                         double *upper);

/**
 * Searches a path from a start (count numbers) to one of its goals (goal_count configurations of count numbers, one after
 * the other), among the obstacles of a scene: RRT-Connect, shortcuts, and a proof of every edge as that of
 * sovo_robot_scene_edge_free(); an edge that is refused is replaced. joints: the names of the joint_count joints that move, the
 * others stay where the start has them; NULL with a count of 0 stands for every revolute, continuous and prismatic joint
 * that mimics no other one. options: NULL for the defaults. The plan must be freed with sovo_plan_free().
 *
 * That no path is found is no error: sovo_plan_describe() tells the reason. SOVO_STATUS_ERROR_SIZE: no goal, or a wrong
 * count. SOVO_STATUS_ERROR_CONFIGURATION: a wrong position, a joint that is unknown, given twice, or not one with one degree
 * of freedom that mimics no other one, or a goal that has a joint that does not move elsewhere than the start.
 * SOVO_STATUS_ERROR_OPTION: an option that is out of its domain. SOVO_STATUS_ERROR_UNCHECKED: the robot has collision shapes
 * that are not checked, so that no edge can be proven.
 */
sovo_status sovo_robot_scene_plan(struct sovo_robot_scene *scene,
                                  const double *start,
                                  size_t count,
                                  const double *goals,
                                  size_t goal_count,
                                  const char *const *joints,
                                  size_t joint_count,
                                  const struct sovo_plan_options *options,
                                  struct sovo_plan **plan);

/**
 * Finds the joints that move in a plan unless it names others: every revolute, continuous and prismatic one that mimics no
 * other one, in the order of the robot. The function writes the names of as many as capacity allows, the first ones, which
 * belong to the robot, and sets total to their number; names may be NULL if capacity is 0.
 */
sovo_status sovo_robot_movable_joints(const struct sovo_robot *robot,
                                      const char **names,
                                      size_t capacity,
                                      size_t *total);

/**
 * Writes what a plan consists of.
 */
sovo_status sovo_plan_describe(const struct sovo_plan *plan, struct sovo_plan_info *info);

/**
 * Writes the path: the configurations one after the other, count numbers in all, which is configurations * position_count of
 * the sovo_plan_info.
 *
 * SOVO_STATUS_ERROR_SIZE: another count.
 */
sovo_status sovo_plan_path(const struct sovo_plan *plan,
                           double *positions,
                           size_t count);

/**
 * Writes a pair that is in collision at the start or at a goal.
 *
 * SOVO_STATUS_ERROR_CONFIGURATION: an index that is not below the touching_count of the sovo_plan_info.
 */
sovo_status sovo_plan_touching(const struct sovo_plan *plan,
                               uint32_t index,
                               struct sovo_touching_pair *touching);

/**
 * Frees a plan and its texts; NULL is allowed.
 */
void sovo_plan_free(struct sovo_plan *plan);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* SUPEROVOID_H */


#ifndef SUPEROVOID_BODIES_H
#define SUPEROVOID_BODIES_H

/** Makes a body of a sovo_body_kind whose data are all zero. */
static inline sovo_body sovo_body_of_kind(uint32_t kind) {
  sovo_body body;
  size_t k;
  body.kind = kind;
  body.reserved = 0;
  for (k = 0; k < sizeof body.data.reserved / sizeof *body.data.reserved; k++) body.data.reserved[k] = 0;
  return body;
}

/** Makes a superovoid from a shape that sovo_superovoid_make() has filled; the pointer must not be NULL. */
static inline sovo_body sovo_body_superovoid(const sovo_superovoid *shape) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_SUPEROVOID);
  body.data.superovoid = *shape;
  return body;
}

/** Makes a ball about the origin from its radius, metres. */
static inline sovo_body sovo_body_ball(double radius) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_BALL);
  body.data.radius = radius;
  return body;
}

/** Makes a box with its centre at the origin and edges along the axes from half its edge lengths, metres. */
static inline sovo_body sovo_body_cuboid(double half_x, double half_y, double half_z) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_CUBOID);
  body.data.half_extents[0] = half_x;
  body.data.half_extents[1] = half_y;
  body.data.half_extents[2] = half_z;
  return body;
}

/** Makes a cylinder about z from its radius and its whole length, metres. */
static inline sovo_body sovo_body_cylinder(double radius, double length) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_CYLINDER);
  body.data.round.radius = radius;
  body.data.round.length = length;
  return body;
}

/** Makes a capsule about z from its radius and the length of its cylindrical part, metres. */
static inline sovo_body sovo_body_capsule(double radius, double length) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_CAPSULE);
  body.data.round.radius = radius;
  body.data.round.length = length;
  return body;
}

/** Makes a cone about z from the radius of its base, at z = -length/2, and its length, metres. */
static inline sovo_body sovo_body_cone(double radius, double length) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_CONE);
  body.data.round.radius = radius;
  body.data.round.length = length;
  return body;
}

/** Makes a body of a convex hull. */
static inline sovo_body sovo_body_hull(const sovo_hull *hull) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_HULL);
  body.data.hull = hull;
  return body;
}

/** Makes the convex hull of count points, stride bytes from one to the next; first is the first coordinate of the first. */
static inline sovo_body sovo_body_points(const double *first, size_t count, size_t stride) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_POINTS);
  body.data.points.first = first;
  body.data.points.count = count;
  body.data.points.stride = stride;
  return body;
}

/** Makes the point at the origin of its frame. */
static inline sovo_body sovo_body_point(void) { return sovo_body_of_kind(SOVO_BODY_KIND_POINT); }

/** Makes the segment between two points, three numbers each, metres. */
static inline sovo_body sovo_body_segment(const double *from, const double *to) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_SEGMENT);
  size_t k;
  for (k = 0; k < 3; k++) body.data.corners[0][k] = from[k], body.data.corners[1][k] = to[k];
  return body;
}

/** Makes a triangle from its corners, nine numbers, metres, one corner after the other. */
static inline sovo_body sovo_body_triangle(const double *corners) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_TRIANGLE);
  size_t k;
  for (k = 0; k < 9; k++) body.data.corners[k / 3][k % 3] = corners[k];
  return body;
}

/** Makes the solid half-space of all x with normal . x <= offset; normal: three numbers. */
static inline sovo_body sovo_body_half_space(const double *normal, double offset) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_HALF_SPACE);
  size_t k;
  for (k = 0; k < 3; k++) body.data.plane.normal[k] = normal[k];
  body.data.plane.offset = offset;
  return body;
}

/** Makes the thin plane of all x with normal . x = offset; normal: three numbers. */
static inline sovo_body sovo_body_plane(const double *normal, double offset) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_PLANE);
  size_t k;
  for (k = 0; k < 3; k++) body.data.plane.normal[k] = normal[k];
  body.data.plane.offset = offset;
  return body;
}

/** Makes a body of a triangle mesh. */
static inline sovo_body sovo_body_tri_mesh(const sovo_tri_mesh *mesh) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_TRI_MESH);
  body.data.tri_mesh = mesh;
  return body;
}

/** Makes a body of a set of boxes. */
static inline sovo_body sovo_body_box_set(const sovo_box_set *set) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_BOX_SET);
  body.data.box_set = set;
  return body;
}

/** Makes a body of a height field. */
static inline sovo_body sovo_body_height_field(const sovo_height_field *field) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_HEIGHT_FIELD);
  body.data.height_field = field;
  return body;
}

/** Makes a superquadric of a sovo_superquadric_family from its semi-axes (three numbers, metres), exponents (two) and extent. */
static inline sovo_body sovo_body_superquadric(uint32_t family, const double *semi_axes, const double *exponents,
                                               double extent) {
  sovo_body body = sovo_body_of_kind(SOVO_BODY_KIND_SUPERQUADRIC);
  size_t k;
  for (k = 0; k < 3; k++) body.data.superquadric.semi_axes[k] = semi_axes[k];
  for (k = 0; k < 2; k++) body.data.superquadric.exponents[k] = exponents[k];
  body.data.superquadric.extent = extent;
  body.data.superquadric.family = family;
  return body;
}

/** Makes the convex hull of a superquadric. */
static inline sovo_body sovo_body_superquadric_hull(uint32_t family, const double *semi_axes, const double *exponents,
                                                    double extent) {
  sovo_body body = sovo_body_superquadric(family, semi_axes, exponents, extent);
  body.kind = SOVO_BODY_KIND_SUPERQUADRIC_HULL;
  return body;
}

#endif  /* SUPEROVOID_BODIES_H */
