/* What the C test programs share: checks that count, memory with a pattern, shapes and poses. */
#ifndef SOVO_TEST_CHECK_H
#define SOVO_TEST_CHECK_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <superovoid.h>

static int failed_checks;

/* Prints what does not hold and goes on. CHECK(x == y, "x = %g", x) */
#define CHECK(condition, ...)                                    \
  do {                                                           \
    if (!(condition) && failed_checks++ < 20) {                  \
      fprintf(stderr, "%s:%d: not (%s): ", __FILE__, __LINE__, #condition); \
      fprintf(stderr, __VA_ARGS__);                              \
      fprintf(stderr, "\n");                                     \
    }                                                            \
  } while (0)

/* Calls that must succeed. */
#define OK(call)                                                                       \
  do {                                                                                 \
    const sovo_status ok_status = (call);                                              \
    CHECK(ok_status == SOVO_STATUS_OK, "%s: %s", sovo_status_name(ok_status), sovo_last_error()); \
  } while (0)

/* What memory is filled with to see that nothing is written to it. */
#define PATTERN 0xa5

/* For the end of main(). */
static inline int verdict(const char *program) {
  if (failed_checks != 0) {
    fprintf(stderr, "%s: %d checks failed\n", program, failed_checks);
    return 1;
  }
  printf("%s: passed\n", program);
  return 0;
}

static inline sovo_superovoid shape_of(double a1, double a2, double a3, double e1, double e2, double tx,
                                  double ty) {
  const double axes[3] = {a1, a2, a3}, exponents[2] = {e1, e2}, tapers[2] = {tx, ty};
  sovo_superovoid shape;
  memset(&shape, 0, sizeof shape);
  OK(sovo_superovoid_make(axes, exponents, tapers, &shape));
  return shape;
}

static inline sovo_superovoid ball_of(double radius) {
  return shape_of(radius, radius, radius, 1, 1, 0, 0);
}

static inline sovo_pose pose_at(double x, double y, double z) {
  sovo_pose pose = sovo_pose_identity();
  pose.translation[0] = x;
  pose.translation[1] = y;
  pose.translation[2] = z;
  return pose;
}

#endif
