/* The functions of one superovoid and something else: body A of each pair, and a point, plane, segment,
 * triangle, box or ray drawn around the way to body B. */
#ifndef CALL_TIMES_SHAPES_H
#define CALL_TIMES_SHAPES_H

#include "check.h"
#include "report.h"

typedef enum {
  POINT,
  POINT_ITERATIVE,
  POINT_RADIAL,
  PLANE,
  HALF_SPACE,
  SEGMENT,
  TRIANGLE,
  BOX,
  HULL,
  RAY,
  SUPPORT,
  INSIDE_OUTSIDE,
  AABB,
  FUNCTION_COUNT
} function;

static const char *const FUNCTION_NAMES[FUNCTION_COUNT] = {
    "point",    "point iterative", "point radial", "plane", "half-space",     "segment", "triangle",
    "box",      "hull of 8",       "ray",          "support", "inside-outside", "AABB"};

enum { CORNERS = 8 };

/* What A is asked about, and the answers. */
typedef struct {
  const body *body;
  const sovo_superovoid *shape;
  sovo_body ovoid;
  const sovo_pose *pose;
  double size;
  int convex;
  /* The corners of the box; the point, segment and triangle are its first ones. */
  double corners[CORNERS][3];
  double half_extents[3];
  sovo_pose box_pose;
  /* Of the plane and the ray. */
  double direction[3], offset;
  /* The point in A's frame. */
  double local[3];
  sovo_status status;
  sovo_contact contact;
  sovo_ray_hit hit;
  sovo_aabb aabb;
  double value;
} item;

typedef struct {
  item **items;
  function function;
} shape_calls;

static void draw_item(const pair *p, item *it) {
  random_source source;
  double arm[3], way;
  int i, k;
  memset(it, 0, sizeof *it);
  source.state = 0x17e3 + p->row;
  it->body = &p->bodies[0];
  it->shape = &p->shapes[0];
  it->ovoid = sovo_body_superovoid(it->shape);
  it->pose = &p->poses[0];
  it->convex = it->shape->convexity == SOVO_CONVEXITY_CONVEX;
  for (i = 0; i < 3; i++) it->size = fmax(it->size, p->bodies[0].a[i]);
  way = random_between(&source, 0, 1);
  random_direction(&source, arm);
  it->box_pose = sovo_pose_identity();
  random_rotation(&source, it->box_pose.rotation);
  for (i = 0; i < 3; i++) {
    double a = p->poses[0].translation[i], b = p->poses[1].translation[i];
    it->box_pose.translation[i] = a + way * (b - a) + 0.3 * it->size * arm[i];
    it->half_extents[i] = it->size * random_between(&source, 0.05, 0.3);
  }
  for (k = 0; k < CORNERS; k++) {
    double corner[3];
    for (i = 0; i < 3; i++) corner[i] = (k >> i & 1 ? 1 : -1) * it->half_extents[i];
    rotate(it->box_pose.rotation, 1, corner, it->corners[k]);
    for (i = 0; i < 3; i++) it->corners[k][i] += it->box_pose.translation[i];
  }
  random_direction(&source, it->direction);
  it->offset = dot(it->direction, it->corners[0]);
  for (i = 0; i < 3; i++) arm[i] = it->corners[0][i] - it->pose->translation[i];
  rotate(it->pose->rotation, -1, arm, it->local);
}

/* What A is asked about, which is made for every call. */
static sovo_body other_body(const item *it, function f) {
  switch (f) {
    case PLANE: return sovo_body_plane(it->direction, it->offset);
    case HALF_SPACE: return sovo_body_half_space(it->direction, it->offset);
    case SEGMENT: return sovo_body_segment(it->corners[0], it->corners[1]);
    case TRIANGLE: return sovo_body_triangle(it->corners[0]);
    case BOX: return sovo_body_cuboid(it->half_extents[0], it->half_extents[1], it->half_extents[2]);
    default: return sovo_body_points(it->corners[0], CORNERS, 3 * sizeof(double));
  }
}

static void ask_shape(void *context, size_t k) {
  shape_calls *calls = context;
  item *it = calls->items[k];
  switch (calls->function) {
    case POINT:
      it->status = sovo_vertex_contact(it->shape, it->pose, it->corners[0], NULL, &it->contact);
      break;
    case POINT_ITERATIVE:
    case POINT_RADIAL:
      it->status = (calls->function == POINT_RADIAL ? sovo_published_radial_vertex_contact
                                                    : sovo_published_iterative_vertex_contact)(
          it->shape, it->pose, it->corners[0], NULL, &it->contact);
      break;
    case PLANE:
    case HALF_SPACE:
    case SEGMENT:
    case TRIANGLE:
    case BOX:
    case HULL: {
      const sovo_pose world = {{0, 0, 0}, {0, 0, 0, 1}};
      const sovo_body other = other_body(it, calls->function);
      it->status = sovo_body_contact(&it->ovoid, it->pose, &other, calls->function == BOX ? &it->box_pose : &world, NULL,
                                     &it->contact, NULL);
      break;
    }
    case RAY:
      it->status = sovo_body_ray_cast(&it->ovoid, it->pose, it->corners[0], it->direction, INFINITY, 0, &it->hit);
      break;
    case SUPPORT:
      it->status = sovo_superovoid_support(it->shape, it->direction, &it->value, NULL);
      break;
    case INSIDE_OUTSIDE:
      it->status = sovo_body_inside_outside(&it->ovoid, it->local, &it->value);
      break;
    case AABB:
    default:
      it->status = sovo_superovoid_aabb(it->shape, it->pose, &it->aabb); break;
  }
}

/* How many corners the thing that A is asked about has; 0 for what is none of them. */
static int corner_count(function f) {
  switch (f) {
    case POINT: return 1;
    case SEGMENT: return 2;
    case TRIANGLE: return 3;
    case BOX:
    case HULL: return CORNERS;
    default: return 0;
  }
}

/* As pair_is_right: points where they belong and, of a convex A, the distance equal to the gap. */
static int contact_is_right(const item *it, function f) {
  const sovo_contact *c = &it->contact;
  int corners = corner_count(f), k;
  double along = HUGE_VAL;
  double slack = 1e-9 * it->size + rounding(c->point_a) + rounding(c->point_b);
  if (!closes(c, 1e-14 * it->size + rounding(c->point_b))) return 0;
  if (!on_surface(it->body, it->pose, c->point_a, slack)) return 0;
  if (f == POINT_ITERATIVE || f == POINT_RADIAL) return 1;
  if (f == PLANE || f == HALF_SPACE) {
    if (fabs(dot(it->direction, c->point_b) - it->offset) > slack) return 0;
    if (fabs(fabs(dot(it->direction, c->normal)) - 1) > 1e-12) return 0;
    along = dot(c->normal, c->point_b);
  }
  for (k = 0; k < corners; k++) along = fmin(along, dot(c->normal, it->corners[k]));
  if (!it->convex) return 1;
  along -= dot(c->normal, it->pose->translation) + support(it->body, it->pose, c->normal, 1);
  return fabs(along - c->distance) <= slack;
}

/* A hit on the ray and on the surface; for a miss, no point of the ray inside. */
static int ray_is_right(const item *it) {
  enum { STEPS = 200 };
  double slack = 1e-9 * it->size + rounding(it->hit.point), point[3], arm[3], local[3];
  int i, k;
  if (it->hit.hit) {
    for (i = 0; i < 3; i++) {
      double along = it->corners[0][i] + it->hit.time_of_impact * it->direction[i];
      if (fabs(along - it->hit.point[i]) > slack) return 0;
    }
    return on_surface(it->body, it->pose, it->hit.point, slack);
  }
  for (k = 0; k < STEPS; k++) {
    for (i = 0; i < 3; i++) {
      point[i] = it->corners[0][i] + 8 * it->size * k / STEPS * it->direction[i];
      arm[i] = point[i] - it->pose->translation[i];
    }
    rotate(it->pose->rotation, -1, arm, local);
    if (inside_outside(it->body, local) < -1e-9) return 0;
  }
  return 1;
}

static int aabb_is_right(const item *it) {
  int i;
  for (i = 0; it->convex && i < 3; i++) {
    double axis[3] = {0, 0, 0}, c = it->pose->translation[i];
    axis[i] = 1;
    if (fabs(it->aabb.max[i] - c - support(it->body, it->pose, axis, 1)) > 1e-9 * it->size ||
        fabs(c - it->aabb.min[i] - support(it->body, it->pose, axis, -1)) > 1e-9 * it->size)
      return 0;
  }
  return 1;
}

static int item_is_right(const item *it, function f) {
  const sovo_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
  double own;
  switch (f) {
    case RAY: return ray_is_right(it);
    case AABB: return aabb_is_right(it);
    case SUPPORT:
      return !it->convex ||
             fabs(it->value - support(it->body, &here, it->direction, 1)) <= 1e-9 * it->size;
    case INSIDE_OUTSIDE:
      own = inside_outside(it->body, it->local);
      return it->value == own || fabs(it->value - own) <= 1e-9 * (1 + fabs(own));
    default: return contact_is_right(it, f);
  }
}

static verdict judge_items(const shape_calls *calls, size_t count) {
  verdict v = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  size_t k;
  for (k = 0; k < count; k++) {
    const item *it = calls->items[k];
    if (it->status != SOVO_STATUS_OK) {
      v.errors++;
      continue;
    }
    if (calls->function < RAY) {
      if (it->contact.outcome == SOVO_OUTCOME_NOT_CONVERGED) {
        v.not_converged++;
        continue;
      }
      if (it->contact.outcome == SOVO_OUTCOME_CONVERGED) v.open++;
    }
    if (!item_is_right(it, calls->function)) v.wrong++;
  }
  return v;
}

/* Which kind of answer an item has had: the two that are reported apart, or one for all. */
static const char *kind_of(const item *it, function f) {
  if (f < RAY) return it->contact.distance > 0 ? "apart" : "overlapping";
  if (f == RAY) return it->hit.hit ? "hit" : "miss";
  return "all";
}

static void time_shapes(const char *name, const pair_list *list, int repeats) {
  static const char *const kinds[] = {"apart", "overlapping", "hit", "miss", "all"};
  item *items = allocate(list->count, sizeof *items);
  shape_calls calls;
  work w = {ask_shape, NULL, NULL, 0, 1};
  row r;
  size_t k;
  int f, kind;
  memset(&r, 0, sizeof r);
  calls.items = allocate(list->count, sizeof *calls.items);
  w.context = &calls;
  r.set = name;
  r.state = "single";
  for (k = 0; k < list->count; k++) draw_item(&list->pairs[k], &items[k]);
  for (f = 0; f < FUNCTION_COUNT; f++) {
    calls.function = (function)f;
    r.method = FUNCTION_NAMES[f];
    for (kind = 0; kind < 5; kind++) {
      w.count = 0;
      for (k = 0; k < list->count; k++) {
        calls.items[w.count] = &items[k];
        ask_shape(&calls, w.count);
        if (strcmp(kind_of(&items[k], (function)f), kinds[kind]) == 0) w.count++;
      }
      if (w.count == 0) continue;
      r.pairs = kinds[kind];
      r.count = w.count;
      r.times = time_calls(&w, repeats);
      r.verdict = judge_items(&calls, w.count);
      if (r.verdict.wrong > 0 || r.verdict.errors > 0) failed = 1;
      print_row(&r);
    }
  }
  free(items);
  free(calls.items);
}

#endif
