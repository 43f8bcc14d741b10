/* A check of the answers that shares no code with the library: the inside-outside function and the
 * support function written a second time, and what they must say of a right answer.
 *
 * For convex bodies A and B every unit vector n gives a lower bound of the signed distance,
 *
 *     gap(n) = n . (c_B - c_A) - h_A(n) - h_B(-n),
 *
 * h being the support functions, and the largest gap is the signed distance. An answer is right if
 *
 *   1. its points are on their surfaces, and point_b = point_a + distance * normal (then bodies that are
 *      apart are no farther apart than that),
 *   2. of convex bodies, distance = gap(normal) (then they are no nearer),
 *   3. of convex bodies that overlap, none of some hundred directions has a larger gap.
 *
 * The tolerance is that of the query: 1e-9 of the larger body for the exact method, 1e-6 for the others.
 * Of bodies that are not convex only the first is checked.
 */
#ifndef CALL_TIMES_CHECK_H
#define CALL_TIMES_CHECK_H

#include "pairs.h"

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* R v, for a unit quaternion x, y, z, w; its inverse with turn = -1. */
static void rotate(const double q[4], double turn, const double v[3], double out[3]) {
  double x = turn * q[0], y = turn * q[1], z = turn * q[2], w = q[3], t[3];
  t[0] = 2 * (y * v[2] - z * v[1]);
  t[1] = 2 * (z * v[0] - x * v[2]);
  t[2] = 2 * (x * v[1] - y * v[0]);
  out[0] = v[0] + w * t[0] + y * t[2] - z * t[1];
  out[1] = v[1] + w * t[1] + z * t[0] - x * t[2];
  out[2] = v[2] + w * t[2] + x * t[1] - y * t[0];
}

/* F at a point of the body's own frame: negative inside. */
static double inside_outside(const body *b, const double x[3]) {
  double zeta = x[2] / b->a[2], taper_x = 1 + b->t[0] * zeta, taper_y = 1 + b->t[1] * zeta;
  double section;
  if (taper_x <= 0 || taper_y <= 0) return HUGE_VAL;
  section = pow(fabs(x[0] / (b->a[0] * taper_x)), 2 / b->e[0]) +
            pow(fabs(x[1] / (b->a[1] * taper_y)), 2 / b->e[0]);
  return pow(section, b->e[0] / b->e[1]) + pow(fabs(zeta), 2 / b->e[1]) - 1;
}

/* Whether a point is within tolerance of the surface. F grows along every ray from the centre, so it is
 * enough that the surface lies between the point moved inwards and the point moved outwards. */
static int on_surface(const body *b, const sovo_pose *pose, const double point[3],
                      double tolerance) {
  double arm[3], local[3], inner[3], outer[3], step;
  int i;
  for (i = 0; i < 3; i++) arm[i] = point[i] - pose->translation[i];
  rotate(pose->rotation, -1, arm, local);
  step = tolerance / sqrt(dot(local, local));
  for (i = 0; i < 3; i++) {
    inner[i] = local[i] * (1 - step);
    outer[i] = local[i] * (1 + step);
  }
  return inside_outside(b, inner) <= 0 && inside_outside(b, outer) >= 0;
}

/* (|u|^q + |v|^q)^(1/q) without overflow. */
static double power_norm(double u, double v, double q) {
  double large = fmax(fabs(u), fabs(v)), small = fmin(fabs(u), fabs(v));
  return large == 0 ? 0 : large * pow(1 + pow(small / large, q), 1 / q);
}

/* The support of a convex body at the height of profile angle phi, where z/a3 = sin(phi)^e2. */
static double support_at(const body *b, const double n[3], double phi) {
  double zeta = copysign(pow(fabs(sin(phi)), b->e[1]), phi), rho = pow(cos(phi), b->e[1]);
  double section = power_norm(b->a[0] * (1 + b->t[0] * zeta) * n[0],
                              b->a[1] * (1 + b->t[1] * zeta) * n[1], 2 / (2 - b->e[0]));
  return b->a[2] * n[2] * zeta + rho * section;
}

/* The largest of f(phi) = support_at, which has one maximum for convex bodies: golden section. */
static double tapered_support(const body *b, const double n[3]) {
  const double ratio = 0.6180339887498949, quarter = TURN / 4;
  double low = -quarter, high = quarter;
  double left = high - ratio * (high - low), right = low + ratio * (high - low);
  double at_left = support_at(b, n, left), at_right = support_at(b, n, right);
  while (high - low > 1e-9) {
    if (at_left < at_right) {
      low = left, left = right, at_left = at_right;
      right = low + ratio * (high - low), at_right = support_at(b, n, right);
    } else {
      high = right, right = left, at_right = at_left;
      left = high - ratio * (high - low), at_left = support_at(b, n, left);
    }
  }
  return fmax(at_left, at_right);
}

static int is_tapered(const body *b) { return b->t[0] != 0 || b->t[1] != 0; }

/* h(sign * n) of a convex body at a pose, from its centre. */
static double support(const body *b, const sovo_pose *pose, const double n[3], double sign) {
  double local[3];
  int i;
  rotate(pose->rotation, -1, n, local);
  for (i = 0; i < 3; i++) local[i] *= sign;
  if (is_tapered(b)) return tapered_support(b, local);
  return power_norm(power_norm(b->a[0] * local[0], b->a[1] * local[1], 2 / (2 - b->e[0])),
                    b->a[2] * local[2], 2 / (2 - b->e[1]));
}

static double gap(const pair *p, const double n[3]) {
  double centres[3];
  int i;
  for (i = 0; i < 3; i++) centres[i] = p->poses[1].translation[i] - p->poses[0].translation[i];
  return dot(n, centres) - support(&p->bodies[0], &p->poses[0], n, 1) -
         support(&p->bodies[1], &p->poses[1], n, -1);
}

/* The largest gap of some directions spread over the sphere (a spiral). */
static double largest_gap(const pair *p) {
  enum { DIRECTIONS = 200 };
  double largest = -HUGE_VAL;
  int k;
  for (k = 0; k < DIRECTIONS; k++) {
    double z = (2 * k + 1.0) / DIRECTIONS - 1, r = sqrt(1 - z * z), angle = 2.399963229728653 * k;
    double n[3];
    n[0] = r * cos(angle);
    n[1] = r * sin(angle);
    n[2] = z;
    largest = fmax(largest, gap(p, n));
  }
  return largest;
}

/* point_b = point_a + distance * normal, to rounding, with a unit normal. */
static int closes(const sovo_contact *c, double tolerance) {
  int i;
  if (!isfinite(c->distance) || !(fabs(dot(c->normal, c->normal) - 1) <= 1e-12)) return 0;
  for (i = 0; i < 3; i++)
    if (!(fabs(c->point_a[i] + c->distance * c->normal[i] - c->point_b[i]) <= tolerance)) return 0;
  return 1;
}

/* What rounding may add at these coordinates. */
static double rounding(const double point[3]) { return 1e-14 * sqrt(dot(point, point)); }

/* Whether an answer that claims to be one is right, to a tolerance in metres. */
static int pair_is_right(const pair *p, const sovo_contact *c, double tolerance) {
  double along, slack = tolerance + rounding(c->point_a) + rounding(p->poses[1].translation);
  if (!closes(c, 1e-14 * p->size + rounding(c->point_b))) return 0;
  if (!(c->lower <= c->distance && c->distance <= c->upper)) return 0;
  if (!on_surface(&p->bodies[0], &p->poses[0], c->point_a, slack) ||
      !on_surface(&p->bodies[1], &p->poses[1], c->point_b, slack))
    return 0;
  if (!p->convex) return 1;
  along = gap(p, c->normal);
  return fabs(along - c->distance) <= slack;
}

#endif
