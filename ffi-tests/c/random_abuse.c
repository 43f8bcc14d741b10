/* Random calls of every function but those of robots alone: valid ones, nasty numbers, broken structs, NULL, misaligned and
 * overlapping memory. Whatever comes in:
 *
 *   - no call ends as SOVO_STATUS_ERROR_INTERNAL, and none takes more than the limit;
 *   - a call that fails leaves every byte as it was and a text behind, one that succeeds changes its
 *     outputs only;
 *   - what must be refused is refused, and what is valid is answered;
 *   - every answer is finite, its bracket in order, its normal of unit length, its points `distance`
 *     apart along the normal; and valid calls in between give the bits that they gave at first.
 *
 * random_abuse [calls [seed [seconds that a call may take [call whose inputs are printed]]]]
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <float.h>
#include <limits.h>
#include <time.h>

/* ---- Random numbers ------------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

#ifdef SOVO_LIBFUZZER
/* The numbers that decide everything are those that libFuzzer makes: two bytes each. */
static const uint8_t *fuzz_bytes;
static size_t fuzz_left;

static uint64_t random_bits(void) {
  uint64_t word;
  if (fuzz_bytes == NULL) return mixed(random_state += 0x9e3779b97f4a7c15u); /* before the first input */
  if (fuzz_left < 2) return 0;
  word = 1 + fuzz_bytes[0] + 256u * fuzz_bytes[1];
  fuzz_bytes += 2;
  fuzz_left -= 2;
  return mixed(word * 0x9e3779b97f4a7c15u);
}
#else
static uint64_t random_bits(void) { return mixed(random_state += 0x9e3779b97f4a7c15u); } /* splitmix64 */
#endif

static size_t below(size_t n) { return (size_t)(random_bits() % n); }

static double unit(void) { return (double)(random_bits() >> 11) * 0x1p-53; }

static int chance(double share) { return unit() < share; }

static double between(double low, double high) { return low + (high - low) * unit(); }

/* ---- The call under way --------------------------------------------------------------------- */

/* How many of the numbers, pointers and structs of this call are nasty: 0 for a valid call. */
static double nastiness;
/* Something was passed that has to be refused. */
static int must_fail;
/* Something was passed that is valid, but so large or small that it may be refused. */
static int may_fail;
/* Two outputs, or an output and an input, share memory. */
static int aliased;

static double nasty_number(void) {
  static const double POOL[] = {
      0.0,     -0.0,    5e-324,  -5e-324, 1e-310,      DBL_MIN, -DBL_MIN, 1e-200, 1e-160,     1e-154,
      1e-100,  1e-20,   DBL_EPSILON,      1.0,         -1.0,    1.0 + DBL_EPSILON,   1e-9,   2.0,
      2.0 - 2 * DBL_EPSILON, 1.9999999,   1e9,         1e20,    1e100,    1e153,  1e154,      1e160,
      1e200,   1e300,   -1e300,  1e308,   -1e308,      DBL_MAX, -DBL_MAX, INFINITY, -INFINITY, NAN};
  return chance(0.1) ? 0 : POOL[below(sizeof POOL / sizeof *POOL)];
}

/* A number that may be anything but has to be refused unless it is finite. */
static double number(double low, double high) {
  double x;
  if (!chance(nastiness)) return between(low, high);
  x = nasty_number();
  must_fail |= !isfinite(x);
  return x;
}

/* Memory of the call, and what it must be afterwards. */
static unsigned char arena[1 << 16], expected[1 << 16];
static size_t arena_used;

/* Pieces of the arena. */
static struct piece {
  size_t start, size;
  int is_output;
} pieces[64];
static size_t piece_count;

static void begin(void) {
  arena_used = 0;
  piece_count = 0;
  must_fail = 0;
#ifdef SOVO_LIBFUZZER
  may_fail = 1; /* It makes directions zero and points equal on purpose. */
#else
  may_fail = 0;
#endif
  aliased = 0;
  nastiness = chance(0.5) ? 0 : chance(0.5) ? 0.02 : 0.2;
}

/* Room for size bytes, aligned or not, with pattern around it. */
static unsigned char *place(const void *bytes, size_t size, int is_output) {
  const size_t start = arena_used + 8 + (chance(0.25) ? below(8) : 0);
  struct piece *piece = &pieces[piece_count++];
  const size_t end = (start + size + 15) / 8 * 8;
  if (end > sizeof arena || piece_count > sizeof pieces / sizeof *pieces) abort();
  memset(arena + arena_used, PATTERN, end - arena_used);
  if (bytes != NULL) memcpy(arena + start, bytes, size);
  memcpy(expected + arena_used, arena + arena_used, end - arena_used);
  arena_used = end;
  piece->start = start;
  piece->size = size;
  piece->is_output = is_output;
  return arena + start;
}

/* An input; NULL now and then. */
static void *in(const void *bytes, size_t size) {
  if (chance(nastiness * 0.1)) {
    must_fail = 1;
    return NULL;
  }
  return place(bytes, size, 0);
}

/* An input that may be missing. */
static void *optional(const void *bytes, size_t size) {
  return bytes == NULL ? NULL : place(bytes, size, 0);
}

/* Memory for an output; NULL now and then, or on top of what is there already. */
static void *out(size_t size) {
  if (chance(nastiness * 0.1)) {
    must_fail = 1;
    return NULL;
  }
  if (piece_count > 0 && chance(0.02)) {
    const struct piece under = pieces[below(piece_count)];
    if (under.size >= size) {
      struct piece *piece = &pieces[piece_count++];
      *piece = under;
      piece->size = size;
      piece->is_output = 1;
      aliased = 1;
      return arena + piece->start;
    }
  }
  return place(NULL, size, 1);
}

/* ---- Accounts ------------------------------------------------------------------------------- */

enum { STATUSES = 18 };
static unsigned long calls_by_status[STATUSES];
static double slowest, limit = 1.0;
static const char *slowest_name = "";
static unsigned long slowest_call, call_number, described_call = ULONG_MAX;
static double call_start;
static sovo_status call_status;

static struct tally {
  const char *name;
  unsigned long calls, accepted;
  double seconds, slowest;
} tallies[128];

static struct tally *tally_of(const char *name) {
  struct tally *tally = tallies;
  while (tally->name != NULL && tally->name != name) tally++;
  tally->name = name;
  return tally;
}

/* Of this thread's own work, so that a busy machine does not count. */
static double seconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The inputs of a call, as doubles. */
static void describe(const char *name) {
  size_t i, k;
  double x;
  printf("%s, status %d:\n", name, (int)call_status);
  for (i = 0; i < piece_count; i++) {
    printf("  %lu bytes:", (unsigned long)pieces[i].size);
    for (k = 0; k + sizeof x <= pieces[i].size; k += sizeof x) {
      memcpy(&x, arena + pieces[i].start + k, sizeof x);
      printf(" %.17g", x);
    }
    printf("\n");
  }
}

/* What must hold after every call. Whether there is an answer. */
static int done(const char *name, sovo_status status, double took) {
  struct tally *tally = tally_of(name);
  size_t i;
  tally->calls++;
  tally->accepted += status == SOVO_STATUS_OK;
  tally->seconds += took;
  if (took > tally->slowest) tally->slowest = took;
  if (took > slowest) {
    slowest = took;
    slowest_name = name;
    slowest_call = call_number;
  }
  if (call_number == described_call) describe(name);
  CHECK(took <= limit, "%s, call %lu, took %g s", name, call_number, took);
  CHECK(status >= SOVO_STATUS_OK && status <= SOVO_STATUS_ERROR_UNSUPPORTED, "%s: status %d", name, (int)status);
  if (status >= 0 && status < STATUSES) calls_by_status[status]++;
  CHECK(status != SOVO_STATUS_ERROR_INTERNAL, "%s, call %lu: %s", name, call_number, sovo_last_error());
  if (status != SOVO_STATUS_OK) {
    CHECK(sovo_last_error()[0] != 0, "%s: no text", name);
    CHECK(nastiness > 0 || may_fail || must_fail, "%s, call %lu refuses a valid call: %s", name, call_number,
          sovo_last_error());
  } else {
    CHECK(!must_fail, "%s, call %lu accepts what it must refuse", name, call_number);
    for (i = 0; i < piece_count; i++)
      if (pieces[i].is_output)
        memcpy(expected + pieces[i].start, arena + pieces[i].start, pieces[i].size);
  }
  CHECK(memcmp(arena, expected, arena_used) == 0, "%s, call %lu, %s: memory has changed", name,
        call_number, sovo_status_name(status));
  return status == SOVO_STATUS_OK;
}

/* Calls function(arguments), takes the time, checks. Whether there is an answer. */
#define CALL(function, arguments)                          \
  (call_start = seconds(), call_status = function arguments, \
   done(#function, call_status, seconds() - call_start))

/* ---- What is passed ------------------------------------------------------------------------- */

enum { SLOTS = 24 };
static struct slot {
  sovo_superovoid value;
  int extreme; /* made of nasty numbers */
} shapes[SLOTS];
static sovo_pair_cache caches[SLOTS];
enum { TREES = 4 };
static sovo_tri_mesh *meshes[TREES];
static sovo_box_set *sets[TREES];
static sovo_height_field *fields[TREES];
static sovo_hull *hulls[TREES];
static size_t mesh_parts[TREES], set_parts[TREES], field_parts[TREES];
static int extreme_mesh[TREES], extreme_set[TREES], extreme_field[TREES], extreme_hull[TREES];

static double axis_length(void) {
  return chance(nastiness) ? number(0.1, 1) : exp(between(log(0.02), log(2)));
}

static double exponent(void) {
  static const double COMMON[] = {1, 1, 1, 0.02, 0.1, 0.5, 1.5, 1.98};
  if (chance(nastiness)) return number(0, 2);
  return chance(0.5) ? COMMON[below(8)] : between(0.02, 1.98);
}

static double length_of(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static sovo_pose some_pose(double reach) {
  sovo_pose pose = sovo_pose_identity();
  int i;
  for (i = 0; i < 3; i++) pose.translation[i] = number(-reach, reach);
  if (chance(0.8)) {
    double q[4], norm;
    for (i = 0; i < 4; i++) q[i] = between(-1, 1);
    norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (norm > 0.1)
      for (i = 0; i < 4; i++) pose.rotation[i] = q[i] / norm;
  }
  if (chance(nastiness * 0.3)) {
    const double *r = pose.rotation;
    pose.rotation[below(4)] = nasty_number();
    for (i = 0; i < 4; i++) must_fail |= !isfinite(r[i]);
    must_fail |= r[0] == 0 && r[1] == 0 && r[2] == 0 && r[3] == 0;
  }
  return pose;
}

/* A pose in memory; NULL now and then. */
static const sovo_pose *pose_in(double reach) {
  const sovo_pose pose = some_pose(reach);
  return in(&pose, sizeof pose);
}

/* count numbers in memory. */
static double *numbers_in(size_t count, double low, double high) {
  double values[64];
  size_t i;
  for (i = 0; i < count; i++) values[i] = number(low, high);
  return in(values, count * sizeof *values);
}

static void new_shape(size_t slot) {
  const double axes[3] = {axis_length(), axis_length(), axis_length()};
  const double exponents[2] = {exponent(), exponent()};
  const int tapered = chance(0.5);
  double tapers[2] = {0, 0};
  int valid = 1, i;
  sovo_superovoid *shape;
  const double *a, *e, *t;
  if (tapered) {
    tapers[0] = number(-0.95, 0.95);
    tapers[1] = chance(0.5) ? tapers[0] : number(-0.95, 0.95);
  }
  for (i = 0; i < 3; i++) valid &= axes[i] > 0 && axes[i] <= DBL_MAX;
  for (i = 0; i < 2; i++) valid &= exponents[i] > 0 && exponents[i] < 2 && fabs(tapers[i]) < 1;
  must_fail = !valid;
  a = in(axes, sizeof axes);
  e = in(exponents, sizeof exponents);
  t = optional(tapered ? tapers : NULL, sizeof tapers);
  shape = out(sizeof *shape);
  if (CALL(sovo_superovoid_make, (a, e, t, shape))) {
    memcpy(&shapes[slot].value, shape, sizeof *shape);
    shapes[slot].extreme = nastiness > 0;
  }
}

static sovo_superovoid some_shape(void) {
  const size_t slot = below(SLOTS);
  may_fail |= shapes[slot].extreme;
  return shapes[slot].value;
}

/* A shape in memory; one that was changed, or NULL, now and then. */
static const sovo_superovoid *shape_in(void) {
  sovo_superovoid shape = some_shape();
  if (chance(nastiness * 0.2)) {
    ((unsigned char *)&shape)[below(sizeof shape)] ^= (unsigned char)(1u << below(8));
    must_fail = 1;
  }
  return in(&shape, sizeof shape);
}

/* What the library can compare. */
enum family { OVOID, CONVEX, TREE, RING, CUP, HALF_SPACE, PLANE, VERTEX };

static double length_number(int may_be_0) {
  const double x = axis_length();
  must_fail |= !((may_be_0 ? x >= 0 : x > 0) && isfinite(x));
  return x;
}

/* A body of any kind, which may have to be refused; parts: set to the number of its parts. */
static sovo_body some_body(enum family *family, size_t *parts) {
  const size_t slot = below(TREES);
  double numbers[9];
  uint32_t kind = 1 + (uint32_t)below(18);
  sovo_body body;
  size_t i;
  *parts = 0;
  *family = CONVEX;
  if (kind == SOVO_BODY_KIND_HULL && hulls[slot] == NULL) kind = SOVO_BODY_KIND_BALL;
  switch (kind) {
    case SOVO_BODY_KIND_SUPEROVOID: {
      sovo_superovoid shape = some_shape();
      if (chance(nastiness * 0.2)) {
        ((unsigned char *)&shape)[below(sizeof shape)] ^= (unsigned char)(1u << below(8));
        must_fail = 1;
      }
      *family = OVOID;
      return sovo_body_superovoid(&shape);
    }
    case SOVO_BODY_KIND_BALL: body = sovo_body_ball(length_number(0)); break;
    case SOVO_BODY_KIND_CUBOID:
      for (i = 0; i < 3; i++) {
        numbers[i] = length_number(1);
              }
      body = sovo_body_cuboid(numbers[0], numbers[1], numbers[2]);
      break;
    case SOVO_BODY_KIND_CYLINDER: body = sovo_body_cylinder(length_number(0), length_number(0)); break;
    case SOVO_BODY_KIND_CAPSULE: body = sovo_body_capsule(length_number(0), length_number(1)); break;
    case SOVO_BODY_KIND_CONE: body = sovo_body_cone(length_number(0), length_number(0)); break;
    case SOVO_BODY_KIND_HULL:
      may_fail |= extreme_hull[slot];
      body = sovo_body_hull(hulls[slot]);
      break;
    case SOVO_BODY_KIND_POINT: *family = VERTEX, body = sovo_body_point(); break;
    case SOVO_BODY_KIND_POINTS: {
      const size_t count = 1 + below(20);
      size_t stride = 3 * sizeof(double), passed = count;
      const double *points = numbers_in(3 * count, -1, 1);
      if (points != NULL && chance(nastiness * 0.2)) {
        switch (below(4)) {
          case 0: passed = 0; break;
          case 1: passed = (size_t)-1; break;
          case 2: stride = (size_t)-1 / 2, passed = 3; break;
          default: passed = (size_t)1 << 58, stride = 0;
        }
        must_fail = 1;
      } else if (chance(nastiness * 0.2)) {
        stride = below(24), passed = 2 + below(count);
        must_fail = 1;
      }
      return sovo_body_points(points, passed, stride);
    }
    case SOVO_BODY_KIND_SEGMENT:
    case SOVO_BODY_KIND_TRIANGLE:
      for (i = 0; i < (kind == SOVO_BODY_KIND_SEGMENT ? 6 : 9); i++) numbers[i] = number(-3, 3);
      body = kind == SOVO_BODY_KIND_SEGMENT ? sovo_body_segment(numbers, numbers + 3) : sovo_body_triangle(numbers);
      break;
    case SOVO_BODY_KIND_HALF_SPACE:
    case SOVO_BODY_KIND_PLANE:
      for (i = 0; i < 4; i++) numbers[i] = number(-1, 1);
      *family = kind == SOVO_BODY_KIND_PLANE ? PLANE : HALF_SPACE;
      body = sovo_body_half_space(numbers, numbers[3]);
      body.kind = kind;
      break;
    case SOVO_BODY_KIND_HEIGHT_FIELD:
      may_fail |= extreme_field[slot];
      *parts = field_parts[slot];
      *family = TREE;
      body = sovo_body_height_field(fields[slot]);
      if (chance(nastiness * 0.1)) body.data.height_field = NULL, must_fail = 1;
      break;
    case SOVO_BODY_KIND_TRI_MESH:
    case SOVO_BODY_KIND_BOX_SET: {
      const int is_mesh = kind == SOVO_BODY_KIND_TRI_MESH;
      may_fail |= is_mesh ? extreme_mesh[slot] : extreme_set[slot];
      *parts = is_mesh ? mesh_parts[slot] : set_parts[slot];
      *family = TREE;
      body = is_mesh ? sovo_body_tri_mesh(meshes[slot]) : sovo_body_box_set(sets[slot]);
      if (chance(nastiness * 0.1)) body.data.tri_mesh = NULL, must_fail = 1;
      break;
    }
    default: {
      const uint32_t of_family = 1 + (uint32_t)below(chance(nastiness) ? 7 : 5);
      const double axes[3] = {axis_length(), axis_length(), axis_length()}, exponents[2] = {exponent(), exponent()};
      const double extent = number(1.1, 3);
      for (i = 0; i < 3; i++) must_fail |= !(axes[i] > 0);
      for (i = 0; i < 2; i++) must_fail |= !(exponents[i] > 0 && exponents[i] < 2);
      must_fail |= !(extent > (of_family == SOVO_SUPERQUADRIC_FAMILY_ONE_SHEET ? 0 : 1)) || of_family > 5;
      body = sovo_body_superquadric(of_family, axes, exponents, extent);
      body.kind = kind;
      if (kind == SOVO_BODY_KIND_SUPERQUADRIC) *family = of_family < SOVO_SUPERQUADRIC_FAMILY_UPPER_SHEET ? RING : CUP;
    }
  }
  if (chance(nastiness * 0.1)) body.reserved = 1, must_fail = 1;
  if (chance(nastiness * 0.1)) body.kind = chance(0.5) ? 0 : 19 + (uint32_t)random_bits() % 1000, must_fail = 1;
  return body;
}

static int has_surface(enum family a) { return a == OVOID || a == RING || a == CUP; }

static int is_flat(enum family a) { return a == HALF_SPACE || a == PLANE; }

/* The size field of a struct of size bytes, and what is really passed: size - cut. */
static size_t nasty_size(size_t size) {
  const size_t pool[] = {0, 1, 7, size - 1, size + 1, (size_t)-1, 2048, size / 2 + 1};
  const size_t chosen = pool[below(sizeof pool / sizeof *pool)];
  must_fail = 1;
  return chosen;
}

/* Fields of options that are lengths. */
static double option_length(int infinity_is_valid) {
  double x;
  if (!chance(nastiness)) return chance(0.5) ? infinity_is_valid ? INFINITY : 0 : exp(between(log(1e-9), log(1.0)));
  x = nasty_number();
  if (infinity_is_valid)
    must_fail |= isnan(x);
  else
    must_fail |= !(x >= 0 && isfinite(x));
  return x;
}

static uint32_t choice(uint32_t choices) {
  if (chance(nastiness * 0.2)) {
    must_fail = 1;
    return chance(0.5) ? choices : (uint32_t)random_bits() | 0x80000000u;
  }
  return (uint32_t)below(choices);
}

/* Options, or NULL. A certified depth costs milliseconds. */
static const sovo_query_options *options_in(void) {
  unsigned char bytes[sizeof(sovo_query_options) + 16] = {0};
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  size_t size = sizeof options;
  if (chance(0.5)) return NULL;
  if (chance(0.002)) options.depth = SOVO_DEPTH_CERTIFIED;
  if (chance(0.2)) options.depth = SOVO_DEPTH_ANY;
  if (chance(nastiness * 0.1)) options.depth = 3 + (uint32_t)below(9), must_fail = 1;
  if (chance(nastiness)) options.max_iterations = (uint32_t)random_bits();
  options.tolerance = option_length(0);
  options.max_distance = option_length(1);
  if (chance(nastiness * 0.2)) {
    options.size = nasty_size(sizeof options);
  } else if (chance(0.1)) { /* a later version's, and what it has more is 0, or not */
    options.size = size = sizeof bytes;
    if (chance(nastiness)) bytes[sizeof options + below(16)] = 1, must_fail = 1;
  }
  memcpy(bytes, &options, sizeof options);
  return place(bytes, size, 0), (const void *)(arena + pieces[piece_count - 1].start);
}

static const sovo_vertex_options *vertex_options_in(void) {
  sovo_vertex_options options = SOVO_VERTEX_OPTIONS_INIT;
  if (chance(0.5)) return NULL;
  if (chance(0.01)) options.depth = SOVO_DEPTH_CERTIFIED;
  if (chance(nastiness)) options.max_iterations = (uint32_t)random_bits();
  options.tolerance = option_length(0);
  options.max_distance = option_length(1);
  if (chance(nastiness * 0.2)) options.size = nasty_size(sizeof options);
  return (const void *)place(&options, sizeof options, 0);
}

/* ---- Answers -------------------------------------------------------------------------------- */

static void check_answer(const char *name, double distance, double lower, double upper,
                         const double *point_a, const double *point_b, const double *normal,
                         size_t dimension, uint32_t outcome) {
  double scale = fabs(distance), square = 0;
  size_t i;
  CHECK(outcome >= SOVO_OUTCOME_CERTIFIED && outcome <= SOVO_OUTCOME_BEYOND, "%s, call %lu: outcome %u",
        name, call_number, (unsigned)outcome);
  CHECK(isfinite(distance) && isfinite(lower) && !isnan(upper), "%s, call %lu: %g in [%g, %g]", name,
        call_number, distance, lower, upper);
  CHECK(lower <= distance && distance <= upper, "%s, call %lu, outcome %u: %.17g in [%.17g, %.17g]", name,
        call_number, (unsigned)outcome, distance, lower, upper);
  for (i = 0; i < dimension; i++) {
    CHECK(isfinite(point_a[i]) && isfinite(point_b[i]), "%s, call %lu: points", name, call_number);
    scale = fmax(scale, fmax(fabs(point_a[i]), fabs(point_b[i])));
    square += normal[i] * normal[i];
  }
  CHECK(fabs(square - 1) < 1e-9, "%s, call %lu: normal of length %g", name, call_number, sqrt(square));
  for (i = 0; i < dimension; i++)
    CHECK(fabs(point_a[i] / scale + distance / scale * normal[i] - point_b[i] / scale) < 1e-12 || scale == 0,
          "%s, call %lu: not closed by %g of %g", name, call_number,
          point_a[i] + distance * normal[i] - point_b[i], scale);
}

static void check_contact(const char *name, const sovo_contact *unaligned) {
  sovo_contact c;
  memcpy(&c, unaligned, sizeof c);
  if (aliased) return;
  check_answer(name, c.distance, c.lower, c.upper, c.point_a, c.point_b, c.normal, 3, c.outcome);
}

static int is_part(uint32_t part, size_t parts) { return parts == 0 ? part == UINT32_MAX : part < parts; }

static void check_part(const char *name, const sovo_part_contact *unaligned, size_t parts_a, size_t parts_b) {
  sovo_part_contact c;
  memcpy(&c, unaligned, sizeof c);
  if (aliased) return;
  CHECK(is_part(c.parts[0], parts_a) && is_part(c.parts[1], parts_b), "%s: parts %u and %u", name, (unsigned)c.parts[0],
        (unsigned)c.parts[1]);
  if (parts_a + parts_b > 0 || isfinite(c.contact.distance)) check_contact(name, &c.contact);
}

/* count numbers of an output, of which none may be NaN or infinite. */
static void check_numbers(const char *name, const void *unaligned, size_t count) {
  double values[16];
  size_t i;
  memcpy(values, unaligned, count * sizeof *values);
  for (i = 0; i < count; i++)
    CHECK(isfinite(values[i]) || aliased, "%s, call %lu: number %lu is %g", name, call_number,
          (unsigned long)i, values[i]);
}

/* ---- Calls ---------------------------------------------------------------------------------- */

static void try_shape_make(void) { new_shape(below(SLOTS)); }

static void try_pose_from_matrix(void) {
  const sovo_pose pose = some_pose(3);
  double matrix[9];
  const double *m, *t;
  sovo_pose *result;
  if (must_fail || sovo_pose_rotation_matrix(&pose, matrix) != SOVO_STATUS_OK) return;
  if (chance(nastiness)) {
    const size_t i = below(9);
    const double was = matrix[i];
    matrix[i] = nasty_number();
    must_fail |= !(fabs(matrix[i] - was) < 1e-3); /* Up to 1e-4 off is a rotation. */
  }
  m = in(matrix, sizeof matrix);
  t = numbers_in(3, -3, 3);
  result = out(sizeof *result);
  if (CALL(sovo_pose_from_matrix, (m, t, result)))
    check_numbers("sovo_pose_from_matrix", result, 7);
}

static void try_rotation_matrix(void) {
  const sovo_pose *pose = pose_in(3);
  double *matrix = out(9 * sizeof *matrix);
  if (CALL(sovo_pose_rotation_matrix, (pose, matrix)))
    check_numbers("sovo_pose_rotation_matrix", matrix, 9);
}

static void try_surface(void) {
  const sovo_superovoid *shape;
  if (chance(0.3)) {
    enum family family;
    size_t parts;
    const sovo_body made = some_body(&family, &parts), *body = in(&made, sizeof made);
    if (chance(0.3)) {
      double density = between(1, 2000);
      sovo_mass_properties *mass = out(sizeof *mass);
      if (chance(nastiness)) density = nasty_number(), must_fail |= !(density > 0 && isfinite(density));
      must_fail |= !has_surface(family);
      if (CALL(sovo_body_mass_properties, (body, density, mass))) check_numbers("sovo_body_mass_properties", mass, 14);
    } else if (chance(0.5)) {
      const double *point = numbers_in(3, -2, 2);
      double value, *result = out(sizeof *result);
      must_fail |= !has_surface(family);
      if (CALL(sovo_body_inside_outside, (body, point, result))) {
        memcpy(&value, result, sizeof value);
        CHECK(value >= -1 || family != OVOID, "call %lu: F = %g", call_number, value);
      }
    } else {
      sovo_aabb *box = out(sizeof *box);
      must_fail |= family == HALF_SPACE || family == PLANE;
      if (CALL(sovo_body_local_aabb, (body, box))) check_numbers("sovo_body_local_aabb", box, 6);
    }
    return;
  }
  shape = shape_in();
  if (chance(0.25)) {
    const double *direction = numbers_in(3, -2, 2);
    double *value = chance(0.2) ? NULL : (void *)place(NULL, sizeof *value, 1);
    double *point = chance(0.2) ? NULL : (void *)place(NULL, 3 * sizeof *point, 1);
    if (CALL(sovo_superovoid_support, (shape, direction, value, point))) {
      if (value != NULL) check_numbers("sovo_superovoid_support", value, 1);
      if (point != NULL) check_numbers("sovo_superovoid_support", point, 3);
    }
  } else if (chance(0.33)) {
    const double phi1 = number(-7, 7), phi2 = number(-1.5707963267948966, 1.5707963267948966);
    double *point = (void *)place(NULL, 3 * sizeof *point, 1);
    double *normal = (void *)place(NULL, 3 * sizeof *normal, 1);
    if (CALL(sovo_superovoid_surface_point, (shape, phi1, phi2, point, normal))) {
      check_numbers("sovo_superovoid_surface_point", point, 3);
      check_numbers("sovo_superovoid_surface_point", normal, 3);
    }
  } else {
    sovo_bounding_sphere *sphere = out(sizeof *sphere);
    if (CALL(sovo_superovoid_bounding_sphere, (shape, sphere))) check_numbers("sovo_superovoid_bounding_sphere", sphere, 4);
  }
}

static void try_tessellate(void) {
  static double vertices[3 * 2000];
  static uint32_t triangles[3 * 4000];
  const sovo_superovoid shape = some_shape();
  const sovo_body made = sovo_body_superovoid(&shape), *body = in(&made, sizeof made);
  const size_t segments = chance(nastiness) ? chance(0.5) ? (size_t)-1 - below(9) : 4097 : below(24);
  size_t vertex_count = 0, triangle_count = 0, i;
  const int size_known = sovo_body_tessellate(&made, segments, NULL, 0, NULL, 0, &vertex_count, &triangle_count) == SOVO_STATUS_OK;
  const int too_small = size_known && chance(nastiness * 0.3);
  size_t found_vertices, found_triangles;
  CHECK(size_known == (segments <= 4096), "%lu segments", (unsigned long)segments);
  must_fail |= !size_known || too_small;
  if (size_known && vertex_count > 2000) return;
  memset(vertices, PATTERN, sizeof vertices);
  if (CALL(sovo_body_tessellate, (body, segments, vertices, vertex_count - (size_t)too_small, triangles, triangle_count,
                                  &found_vertices, &found_triangles))) {
    CHECK(found_vertices == vertex_count && found_triangles == triangle_count, "another size");
    for (i = 0; i < 3 * vertex_count; i++)
      CHECK(isfinite(vertices[i]), "vertex number %g", vertices[i]);
    for (i = 0; i < 3 * triangle_count; i++) CHECK(triangles[i] < vertex_count, "index out of range");
  } else if (must_fail) {
    for (i = 0; i < sizeof vertices; i++)
      if (((unsigned char *)vertices)[i] != PATTERN) break;
    CHECK(i == sizeof vertices, "vertices were written before the error");
  }
}

static void try_bounds(void) {
  if (chance(0.3)) {
    const sovo_superovoid *shape = shape_in();
    const sovo_pose *pose = pose_in(3);
    sovo_aabb *box = out(sizeof *box);
    if (CALL(sovo_superovoid_aabb, (shape, pose, box))) check_numbers("sovo_superovoid_aabb", box, 6);
  } else if (chance(0.3)) {
    const sovo_superovoid *shape = shape_in();
    const sovo_pose *pose = pose_in(3);
    sovo_obb *box = out(sizeof *box);
    if (CALL(sovo_superovoid_obb, (shape, pose, box))) check_numbers("sovo_superovoid_obb", box, 10);
  } else {
    sovo_bounding_sphere spheres[2];
    sovo_aabb boxes[2];
    sovo_obb obbs[2];
    double *distance = out(sizeof *distance);
    const void *a, *b;
    int i, k;
    const char *name = "";
    int answered;
    const size_t kind = below(3);
    memset(spheres, 0, sizeof spheres);
    memset(boxes, 0, sizeof boxes);
    memset(obbs, 0, sizeof obbs);
    for (k = 0; k < 2; k++) {
      if (kind == 2) obbs[k].pose = some_pose(3);
      if (kind == 0) spheres[k].radius = fabs(number(0, 1));
      for (i = 0; i < 3; i++) {
        if (kind == 0) spheres[k].center[i] = number(-3, 3);
        if (kind == 2) obbs[k].half_extents[i] = fabs(number(0, 1));
        if (kind == 1) {
          const double x = number(-3, 3), y = number(-3, 3);
          boxes[k].min[i] = x < y ? x : y;
          boxes[k].max[i] = x < y ? y : x;
        }
      }
    }
    if (kind == 0) {
      a = in(&spheres[0], sizeof *spheres), b = in(&spheres[1], sizeof *spheres);
      answered = CALL(sovo_bounding_sphere_distance, (a, b, distance));
      name = "sovo_bounding_sphere_distance";
    } else if (kind == 1) {
      a = in(&boxes[0], sizeof *boxes), b = in(&boxes[1], sizeof *boxes);
      answered = CALL(sovo_aabb_distance, (a, b, distance));
      name = "sovo_aabb_distance";
    } else {
      a = in(&obbs[0], sizeof *obbs), b = in(&obbs[1], sizeof *obbs);
      answered = CALL(sovo_obb_distance, (a, b, distance));
      name = "sovo_obb_distance";
    }
    if (answered) check_numbers(name, distance, 1);
  }
}

static void try_pair(void) {
  const sovo_superovoid *a = shape_in();
  const sovo_pose *pose_a = pose_in(2);
  const sovo_superovoid *b = shape_in();
  const sovo_pose *pose_b = pose_in(2);
  const sovo_query_options *options = options_in();
  const size_t slot = below(SLOTS);
  sovo_pair_cache cache = caches[slot], *cache_in = NULL;
  sovo_contact *contact;
  int answered;
  if (chance(0.3)) {
    if (chance(nastiness)) {
      ((unsigned char *)&cache)[below(sizeof cache)] ^= (unsigned char)(1u << below(8));
      must_fail = 1;
    }
    cache_in = (void *)place(&cache, sizeof cache, 1);
  }
  contact = out(sizeof *contact);
  if (chance(0.02)) { /* a scheme costs a tenth of a millisecond */
    const uint32_t scheme = choice(4), jacobian = choice(2);
    if (options != NULL) {
      sovo_query_options copy;
      memcpy(&copy, options, sizeof copy);
      if (copy.depth == SOVO_DEPTH_CERTIFIED) must_fail = 1;
    }
    answered = CALL(sovo_published_scheme_contact,
                    (scheme, jacobian, a, pose_a, b, pose_b, options, cache_in, contact));
  } else {
    answered = CALL(sovo_pair_contact, (a, pose_a, b, pose_b, options, cache_in, contact));
  }
  if (answered) {
    check_contact("sovo_pair_contact", contact);
    if (cache_in != NULL && !aliased) memcpy(&caches[slot], cache_in, sizeof cache);
  }
}

static int32_t cancel_after(void *data, size_t finished, size_t count) {
  (void)finished, (void)count;
  return (*(int *)data)-- <= 0;
}

static void try_pair_batch(void) {
  enum { MOST = 5 };
  sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
  const size_t count = below(MOST + 1);
  unsigned char bytes[sizeof batch + 16] = {0};
  sovo_superovoid a[MOST], b[MOST];
  sovo_pose pose_a[MOST], pose_b[MOST];
  sovo_pair_cache warm[MOST];
  const sovo_query_options *options = options_in();
  size_t i, size = sizeof batch;
  int patience = (int)below(4);
  must_fail = must_fail && count > 0; /* The lengths in them are looked at with the first pair. */
  for (i = 0; i < MOST; i++) {
    const int failing = must_fail;
    a[i] = some_shape();
    b[i] = some_shape();
    pose_a[i] = some_pose(2);
    pose_b[i] = some_pose(2);
    warm[i] = caches[below(SLOTS)];
    if (chance(nastiness * 0.2)) a[i].semi_axes[0] *= -1, must_fail = 1;
    if (chance(nastiness * 0.2)) warm[i].state[0] += 1, warm[i].seal ^= 2;
    if (i >= count) must_fail = failing;
  }
  batch.count = count;
  batch.shapes_a = (const void *)place(a, sizeof a, 0);
  batch.poses_a = (const void *)place(pose_a, sizeof pose_a, 0);
  batch.shapes_b = (const void *)place(b, sizeof b, 0);
  batch.poses_b = (const void *)place(pose_b, sizeof pose_b, 0);
  if (chance(0.2)) batch.pose_b_stride = 0;
  if (chance(0.2)) batch.shape_a_stride = 0;
  if (chance(0.3)) batch.caches = (void *)place(warm, sizeof warm, 1);
  batch.contacts = (void *)place(NULL, MOST * sizeof(sovo_contact), 1);
  batch.threads = chance(nastiness * 0.1) ? UINT32_MAX : 0;
  if (chance(0.2)) batch.cancel = cancel_after, batch.cancel_data = &patience;
  if (chance(nastiness * 0.3)) {
    const size_t huge[] = {(size_t)-1, (size_t)-1 / 2, (size_t)1 << 60};
    switch (below(6)) {
      case 0: batch.count = huge[below(3)]; break;
      case 1: batch.contact_stride = huge[below(2)]; batch.count = 2 + below(4); break;
      case 2: batch.shape_a_stride = huge[below(2)]; batch.count = 2 + below(4); break;
      case 3: batch.contacts = NULL; batch.count = 1 + below(5); break;
      case 4: batch.reserved = 1; break;
      default: batch.size = nasty_size(sizeof batch);
    }
    must_fail = 1;
  }
  if (batch.cancel != NULL) may_fail = 1;
  if (batch.shape_a_stride == 0 || batch.pose_b_stride == 0) /* Elements that nobody looks at. */
    must_fail = must_fail && (batch.reserved != 0 || batch.count > MOST);
  memcpy(bytes, &batch, sizeof batch);
  {
    const sovo_pair_batch *passed = in(bytes, size);
    if (CALL(sovo_pair_contact_batch, (passed, options)))
      for (i = 0; i < count; i++) check_contact("sovo_pair_contact_batch", &batch.contacts[i]);
  }
}

static void try_indexed_batch(void) {
  enum { MOST = 5, BODIES = 3 };
  sovo_indexed_pair_batch batch = SOVO_INDEXED_PAIR_BATCH_INIT;
  const size_t count = below(MOST + 1);
  sovo_superovoid shapes[BODIES];
  sovo_pose poses[BODIES];
  sovo_pair_cache warm[MOST];
  uint32_t index[2 * MOST], kinds[BODIES];
  unsigned char bytes[sizeof batch + 16] = {0}, wanted[MOST];
  const sovo_query_options *options = options_in();
  size_t i, size = sizeof batch;
  int patience = (int)below(4);
  must_fail = must_fail && count > 0;
  for (i = 0; i < BODIES; i++) {
    const int failing = must_fail;
    shapes[i] = some_shape();
    poses[i] = some_pose(2);
    kinds[i] = (uint32_t)below(BODIES);
    if (must_fail && !failing) may_fail = 1, must_fail = 0; /* It may be in no pair. */
  }
  for (i = 0; i < MOST; i++) {
    index[2 * i] = (uint32_t)below(BODIES), index[2 * i + 1] = (uint32_t)below(BODIES);
    wanted[i] = (unsigned char)below(4);
    warm[i] = caches[below(SLOTS)];
    if (i >= count) continue;
    if (chance(nastiness * 0.2)) index[2 * i + below(2)] = chance(0.5) ? BODIES : UINT32_MAX - (uint32_t)below(9), must_fail = 1;
    if (chance(nastiness * 0.1)) kinds[index[2 * i] % BODIES] = BODIES + (uint32_t)below(9), may_fail = 1;
    if (chance(nastiness * 0.1)) wanted[i] = (unsigned char)(4 + below(250)), may_fail = 1;
    if (chance(nastiness * 0.2)) warm[i].state[0] += 1, warm[i].seal ^= 2, may_fail = 1;
  }
  batch.count = count;
  batch.body_count = batch.shape_count = BODIES;
  batch.shapes = (const void *)place(shapes, sizeof shapes, 0);
  batch.poses = (const void *)place(poses, sizeof poses, 0);
  batch.index_a = (const void *)place(index, sizeof index, 0);
  batch.index_b = batch.index_a + 1;
  batch.index_a_stride = batch.index_b_stride = 2 * sizeof *index;
  if (chance(0.5)) batch.body_shapes = (const void *)place(kinds, sizeof kinds, 0);
  if (chance(0.5)) batch.wanted = (const void *)place(wanted, sizeof wanted, 0);
  batch.margin = between(0, 3);
  if (chance(0.3)) batch.caches = (void *)place(warm, sizeof warm, 1);
  batch.contacts = (void *)place(NULL, MOST * sizeof(sovo_contact), 1);
  batch.threads = chance(nastiness * 0.1) ? UINT32_MAX : 0;
  if (chance(0.2)) batch.cancel = cancel_after, batch.cancel_data = &patience, may_fail = 1;
  if (chance(nastiness * 0.3)) {
    const size_t huge[] = {(size_t)-1, (size_t)-1 / 2, (size_t)1 << 60};
    switch (below(6)) {
      case 0: batch.count = huge[below(3)]; break;
      case 1: batch.body_count = huge[below(3)]; break;
      case 2: batch.shape_count = huge[below(3)]; break;
      case 3: batch.margin = -1; break;
      case 4: batch.reserved = 1; break;
      default: batch.size = nasty_size(sizeof batch);
    }
    must_fail = 1;
  }
  memcpy(bytes, &batch, sizeof batch);
  {
    const sovo_indexed_pair_batch *passed = in(bytes, size);
    if (CALL(sovo_indexed_pair_contact_batch, (passed, options)))
      for (i = 0; i < count; i++) {
        sovo_contact contact;
        memcpy(&contact, (const char *)batch.contacts + i * sizeof contact, sizeof contact);
        if (batch.wanted != NULL && (wanted[i] & SOVO_WANTED_DISTANCE)) continue;
        check_contact("sovo_indexed_pair_contact_batch", &contact);
      }
  }
}

static void try_vertex(void) {
  const sovo_superovoid *shape = shape_in();
  const sovo_pose *pose = pose_in(2);
  const double *point = numbers_in(3, -3, 3);
  const sovo_vertex_options *options = vertex_options_in();
  sovo_contact *contact = out(sizeof *contact);
  if (CALL(sovo_vertex_contact, (shape, pose, point, options, contact)))
    check_contact("sovo_vertex_contact", contact);
}

static void try_vertex_batch(void) {
  enum { MOST = 9 };
  sovo_vertex_batch batch = SOVO_VERTEX_BATCH_INIT;
  const sovo_superovoid *shape = shape_in();
  const sovo_pose *pose = pose_in(2);
  const sovo_vertex_options *options = vertex_options_in();
  size_t i;
  int patience = (int)below(3);
  batch.count = 1 + below(MOST);
  batch.points = numbers_in(3 * batch.count, -3, 3);
  batch.contacts = (void *)place(NULL, MOST * sizeof(sovo_contact), 1);
  if (chance(0.1)) batch.cancel = cancel_after, batch.cancel_data = &patience;
  if (batch.cancel != NULL) may_fail = 1;
  if (chance(nastiness * 0.3)) {
    switch (below(4)) {
      case 0: batch.count = (size_t)-1 / 3; break;
      case 1: batch.contact_stride = sizeof(sovo_contact) - 1; batch.count = 2; break;
      case 2: batch.reserved = (uint32_t)-1; break;
      default: batch.size = nasty_size(sizeof batch);
    }
    must_fail = 1;
  }
  {
    const sovo_vertex_batch *passed = in(&batch, sizeof batch);
    if (CALL(sovo_vertex_contact_batch, (shape, pose, passed, options)))
      for (i = 0; i < batch.count; i++) check_contact("sovo_vertex_contact_batch", &batch.contacts[i]);
  }
}

static void try_bodies(void) {
  enum family family_a, family_b;
  size_t parts_a, parts_b;
  const sovo_body made_a = some_body(&family_a, &parts_a), made_b = some_body(&family_b, &parts_b);
  const sovo_body *a = in(&made_a, sizeof made_a), *b = in(&made_b, sizeof made_b);
  const sovo_pose *pose_a = pose_in(2), *pose_b = pose_in(2);
  const sovo_query_options *options = options_in();
  sovo_contact *contact, c;
  uint32_t *parts, p[2];
  if (chance(0.2)) {
    sovo_body_batch batch = SOVO_BODY_BATCH_INIT;
    const sovo_body_batch *passed;
    sovo_part_contact *answer = out(sizeof *answer);
    batch.count = 1;
    batch.bodies_a = a, batch.poses_a = pose_a;
    batch.bodies_b = b, batch.poses_b = pose_b;
    batch.contacts = answer;
    batch.threads = (uint32_t)below(3);
    passed = in(&batch, sizeof batch);
    CALL(sovo_body_contact_batch, (passed, options));
    return;
  }
  contact = out(sizeof *contact);
  parts = chance(0.3) ? NULL : (void *)place(NULL, 2 * sizeof *parts, 1);
  if (!CALL(sovo_body_contact, (a, pose_a, b, pose_b, options, contact, parts)) || aliased) return;
  memcpy(&c, contact, sizeof c);
  if (c.outcome == SOVO_OUTCOME_BEYOND && parts_a + parts_b > 0) {
    CHECK(c.lower == c.distance && c.upper >= c.lower, "call %lu: beyond %g", call_number, c.lower);
    return;
  }
  if (is_flat(family_a) && is_flat(family_b))
    CHECK(c.distance == c.distance && c.lower <= c.upper, "call %lu: %g", call_number, c.distance); /* It may be -INFINITY. */
  else
    check_contact("sovo_body_contact", contact);
  if (parts == NULL) return;
  memcpy(p, parts, sizeof p);
  CHECK(is_part(p[0], parts_a) && is_part(p[1], parts_b), "call %lu: parts %u and %u", call_number, (unsigned)p[0], (unsigned)p[1]);
}

static void try_hull_new(void) {
  const size_t slot = below(TREES);
  size_t count = 1 + below(20);
  const double *points = numbers_in(3 * count, -1, 1);
  sovo_hull **hull;
  if (chance(nastiness * 0.1)) count = chance(0.5) ? 0 : (size_t)-1 / 24, must_fail = 1;
  hull = (void *)place(NULL, sizeof *hull, 1);
  if (CALL(sovo_hull_new, (points, count, 24, hull))) {
    sovo_hull_free(hulls[slot]);
    memcpy(&hulls[slot], hull, sizeof *hull);
    extreme_hull[slot] = nastiness > 0;
  }
}

/* Contacts of these bodies, and contacts of none. */
static void try_gradient(void) {
  const sovo_superovoid *shape = shape_in(), *shape_b = shape_in();
  const sovo_pose *pose = pose_in(2), *pose_b = pose_in(2);
  static double numbers[676 + 3 * 78];
  sovo_derivatives places = SOVO_DERIVATIVES_INIT;
  sovo_contact contact;
  const sovo_contact *passed;
  sovo_gradient *gradient;
  size_t k;
  double *fields = &contact.distance;
  for (k = 0; k < 12; k++) fields[k] = chance(0.9) ? between(-3, 3) : nasty_number();
  contact.outcome = (uint32_t)below(6);
  contact.iterations = 3;
  if (chance(0.7)) sovo_pair_contact(shape, pose, shape_b, pose_b, NULL, NULL, &contact);
  may_fail = 1;
  must_fail = 0;
  if (chance(0.5)) {
    places.hessian = numbers;
    places.normal = numbers + 676;
    places.point_a = numbers + 754;
    places.point_b = numbers + 832;
  }
  if (chance(0.3)) {
    sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
    const sovo_pair_batch *passed_batch;
    batch.count = 1;
    batch.shapes_a = shape, batch.poses_a = pose;
    batch.shapes_b = shape_b, batch.poses_b = pose_b;
    batch.contacts = &contact;
    batch.threads = (uint32_t)below(3);
    passed_batch = in(&batch, sizeof batch);
    gradient = out(sizeof *gradient);
    CALL(sovo_pair_gradient_batch, (passed_batch, &places, gradient, sizeof *gradient));
    return;
  }
  passed = in(&contact, sizeof contact);
  gradient = out(sizeof *gradient);
  if (chance(0.5))
    CALL(sovo_pair_gradient, (shape, pose, shape_b, pose_b, passed, &places, gradient));
  else {
    enum family family;
    size_t parts;
    const sovo_superovoid first = some_shape();
    const sovo_body a = chance(0.5) ? sovo_body_superovoid(&first) : some_body(&family, &parts), b = some_body(&family, &parts);
    const sovo_body *body_a = in(&a, sizeof a), *body_b = in(&b, sizeof b);
    may_fail = 1, must_fail = 0;
    CALL(sovo_body_derivatives, (body_a, pose, body_b, pose_b, passed, &places, gradient));
  }
}

static void try_mesh_new(void) {
  const size_t slot = below(TREES), count = 1 + below(12), used = 3 + below(10);
  const double *vertices = numbers_in(3 * used, -1, 1);
  uint32_t indices[36];
  size_t i, vertex_count = used, triangle_count = count;
  sovo_tri_mesh **mesh;
  const uint32_t *triangles;
  for (i = 0; i < 3 * count; i++) {
    indices[i] = (uint32_t)below(used);
    if (chance(nastiness * 0.02)) indices[i] = chance(0.5) ? (uint32_t)used : UINT32_MAX, must_fail = 1;
  }
  triangles = in(indices, 12 * count);
  if (chance(nastiness * 0.2)) {
    switch (below(3)) {
      case 0: triangle_count = 0; break;
      case 1: triangle_count = (size_t)-1 / 12; break;
      default: vertex_count = (size_t)-1 / 24;
    }
    must_fail = 1;
  }
  mesh = (void *)place(NULL, sizeof *mesh, 1);
  if (CALL(sovo_tri_mesh_new, (vertices, vertex_count, 24, triangles, triangle_count, (int32_t)below(2), mesh))) {
    sovo_tri_mesh_free(meshes[slot]);
    memcpy(&meshes[slot], mesh, sizeof *mesh);
    mesh_parts[slot] = count;
    extreme_mesh[slot] = nastiness > 0;
  }
}

static void try_boxes_new(void) {
  const size_t slot = below(TREES), count = 1 + below(9);
  sovo_aabb boxes[9];
  size_t i, k, passed = count;
  sovo_box_set **set;
  const sovo_aabb *memory;
  for (k = 0; k < count; k++)
    for (i = 0; i < 3; i++) {
      boxes[k].min[i] = number(-1, 1);
      boxes[k].max[i] = boxes[k].min[i] + fabs(number(0, 0.3));
      must_fail |= !isfinite(boxes[k].max[i]);
    }
  if (chance(nastiness * 0.1)) {
    const double low = boxes[0].min[0];
    boxes[0].min[0] = boxes[0].max[0];
    boxes[0].max[0] = low;
    must_fail |= boxes[0].min[0] > low;
  }
  memory = in(boxes, count * sizeof *boxes);
  if (chance(nastiness * 0.1)) passed = chance(0.5) ? 0 : (size_t)-1, must_fail = 1;
  set = (void *)place(NULL, sizeof *set, 1);
  if (CALL(sovo_box_set_new, (memory, passed, set))) {
    sovo_box_set_free(sets[slot]);
    memcpy(&sets[slot], set, sizeof *set);
    set_parts[slot] = count;
    extreme_set[slot] = nastiness > 0;
  }
}

static void try_field_new(void) {
  const size_t slot = below(TREES), rows = 2 + below(3), columns = 2 + below(3);
  double heights[16], x[2], y[2], bottom = number(-2, -1);
  size_t k, passed = rows;
  sovo_height_field **field;
  const double *memory, *x_in, *y_in;
  must_fail |= !isfinite(bottom);
  for (k = 0; k < rows * columns; k++) {
    heights[k] = number(-1, 1);
    must_fail |= !(isfinite(heights[k]) && heights[k] >= bottom);
  }
  for (k = 0; k < 2; k++) x[k] = number(-1, 1), y[k] = number(-1, 1);
  must_fail |= x[0] == x[1] || y[0] == y[1] || !isfinite(x[1] - x[0]) || !isfinite(y[1] - y[0]);
  memory = in(heights, rows * columns * sizeof *heights);
  x_in = in(x, sizeof x), y_in = in(y, sizeof y);
  if (chance(nastiness * 0.1)) passed = chance(0.5) ? 1 : (size_t)-1, must_fail = 1;
  field = (void *)place(NULL, sizeof *field, 1);
  if (CALL(sovo_height_field_new, (memory, passed, columns, x_in, y_in, bottom, field))) {
    sovo_height_field_free(fields[slot]);
    memcpy(&fields[slot], field, sizeof *field);
    field_parts[slot] = 2 * (rows - 1) * (columns - 1);
    extreme_field[slot] = nastiness > 0;
  }
}

static void try_contacts(void) {
  enum { ROOM = 16 };
  enum family family_a, family_b;
  size_t parts_a, parts_b;
  const sovo_body made_a = some_body(&family_a, &parts_a), made_b = some_body(&family_b, &parts_b);
  const sovo_body *a = in(&made_a, sizeof made_a), *b = in(&made_b, sizeof made_b);
  const sovo_pose *pose_a = pose_in(1), *pose_b = pose_in(1);
  const sovo_query_options *options = options_in();
  size_t i, capacity = below(ROOM + 1), found = 0;
  sovo_part_contact *places = (void *)place(NULL, ROOM * sizeof *places, 1);
  size_t *count = (void *)place(NULL, sizeof *count, 1);
  double margin = between(-1, 2);
  if (chance(nastiness)) margin = nasty_number(), must_fail |= isnan(margin);
  if (chance(nastiness * 0.1)) capacity = (size_t)-1, must_fail = 1;
  if (CALL(sovo_body_contacts, (a, pose_a, b, pose_b, margin, options, places, capacity, count))) {
    const size_t most = (parts_a > 0 ? parts_a : 1) * (parts_b > 0 ? parts_b : 1);
    memcpy(&found, count, sizeof found);
    if (aliased) return;
    CHECK(found <= most, "%lu of %lu", (unsigned long)found, (unsigned long)most);
    for (i = 0; i < found && i < capacity; i++) check_part("sovo_body_contacts", &places[i], parts_a, parts_b);
  }
}

/* Counts, the order of the points and that they face each other. */
static void check_manifold(const char *what, const void *place, size_t parts_a, size_t parts_b) {
  sovo_manifold copy;
  const sovo_manifold *const m = &copy;
  size_t i, k;
  memcpy(&copy, place, sizeof copy);
  CHECK(m->count <= 8, "%s: %lu points", what, (unsigned long)m->count);
  if (m->count > 0) check_part(what, &m->contact, parts_a, parts_b);
  for (i = 0; i < m->count; i++) {
    const sovo_manifold_point *p = &m->points[i];
    const sovo_contact *c = &m->contact.contact;
    /* Coordinates are rounded as those of the larger body. */
    double size = fmax(1, fmax(fabs(c->distance), c->upper - c->lower));
    for (k = 0; k < 3; k++) size = fmax(size, fmax(fabs(p->point_a[k]), fabs(p->point_b[k])));
    if (!isfinite(p->distance) || size > 1e100) continue;
    for (k = 0; k < 3; k++)
      CHECK(fabs(p->point_a[k] + p->distance * c->normal[k] - p->point_b[k]) <= 1e-6 * size, "%s: point %lu does not close", what,
            (unsigned long)i);
  }
}

static void try_manifolds(void) {
  enum { ROOM = 4 };
  enum family family_a, family_b;
  size_t parts_a, parts_b;
  sovo_body made[2];
  const sovo_body *a, *b;
  const sovo_pose *pose_a = pose_in(1), *pose_b = pose_in(1);
  const sovo_query_options *options = options_in();
  size_t i, capacity = below(ROOM + 1), found = 0;
  sovo_manifold *places = (void *)place(NULL, ROOM * sizeof *places, 1);
  size_t *count = (void *)place(NULL, sizeof *count, 1);
  double margin = between(-1, 2);
  made[0] = some_body(&family_a, &parts_a), made[1] = some_body(&family_b, &parts_b);
  a = in(&made[0], sizeof made[0]), b = in(&made[1], sizeof made[1]);
  if (chance(nastiness)) margin = nasty_number(), must_fail |= isnan(margin);
  if (chance(nastiness * 0.1)) capacity = (size_t)-1, must_fail = 1;
  if (CALL(sovo_body_manifolds, (a, pose_a, b, pose_b, margin, options, places, capacity, count))) {
    memcpy(&found, count, sizeof found);
    if (aliased) return;
    for (i = 0; i < found && i < capacity; i++) check_manifold("sovo_body_manifolds", (const char *)places + i * sizeof *places, parts_a, parts_b);
  }
}

static void try_manifold_batch(void) {
  enum { ROOM = 4 };
  enum family family_a, family_b;
  size_t parts_a, parts_b;
  sovo_body made[2];
  const sovo_body *bodies;
  const sovo_pose *poses;
  const sovo_query_options *options = options_in();
  const size_t count = 1 + below(ROOM);
  uint32_t pairs[2 * ROOM];
  const uint32_t *pairs_in;
  sovo_pose made_poses[2];
  size_t i;
  sovo_manifold *places = (void *)place(NULL, ROOM * sizeof *places, 1);
  double margin = between(-1, 2);
  made[0] = some_body(&family_a, &parts_a), made[1] = some_body(&family_b, &parts_b);
  bodies = in(made, sizeof made);
  for (i = 0; i < 2; i++) made_poses[i] = some_pose(1);
  poses = in(made_poses, sizeof made_poses);
  for (i = 0; i < count; i++) pairs[2 * i] = (uint32_t)(i % 2), pairs[2 * i + 1] = (uint32_t)(1 - i % 2);
  if (chance(nastiness)) pairs[below(2 * count)] = 2 + (uint32_t)below(9), must_fail = 1;
  pairs_in = in(pairs, 2 * count * sizeof *pairs);
  if (chance(nastiness)) margin = nasty_number(), must_fail |= isnan(margin);
  if (CALL(sovo_body_manifold_batch, (bodies, poses, 2, pairs_in, count, margin, options, (uint32_t)below(3), places))) {
    if (aliased) return;
    for (i = 0; i < count; i++)
      check_manifold("sovo_body_manifold_batch", (const char *)places + i * sizeof *places, i % 2 ? parts_b : parts_a,
                     i % 2 ? parts_a : parts_b);
  }
}

static void try_ray(void) {
  enum family family;
  size_t parts;
  const sovo_body made = some_body(&family, &parts), *body = in(&made, sizeof made);
  const sovo_pose *pose = pose_in(1);
  const double *from = numbers_in(3, -3, 3), *to = numbers_in(3, -3, 3);
  const int32_t solid = (int32_t)below(3) - 1;
  sovo_ray_hit *memory, hit;
  double most_time = chance(0.5) ? INFINITY : between(0, 2);
  if ((family == RING || family == CUP) && chance(0.5)) {
    sovo_ray_hit *hits = out(4 * sizeof *hits);
    size_t *count = out(sizeof *count), found;
    int32_t *complete = out(sizeof *complete);
    if (!CALL(sovo_body_ray_hits, (body, pose, from, to, INFINITY, hits, 4, count, complete)) || aliased) return;
    memcpy(&found, count, sizeof found);
    CHECK(found <= 16, "%lu hits", (unsigned long)found);
    if (found > 0) check_numbers("sovo_body_ray_hits", hits, 7);
    return;
  }
  memory = out(sizeof *memory);
  if (chance(nastiness)) most_time = nasty_number(), must_fail |= !(most_time >= 0);
  if (!CALL(sovo_body_ray_cast, (body, pose, from, to, most_time, solid, memory)) || aliased) return;
  memcpy(&hit, memory, sizeof hit);
  check_numbers("sovo_body_ray_cast", memory, 7);
  CHECK(hit.hit <= 1 && hit.time_of_impact >= 0, "hit %u at %g", (unsigned)hit.hit, hit.time_of_impact);
  CHECK(hit.part == UINT32_MAX || (hit.hit && hit.part < parts), "part %u of %lu", (unsigned)hit.part, (unsigned long)parts);
  if (hit.hit)
    CHECK(fabs(length_of(hit.normal) - 1) < 1e-9, "call %lu: normal of length %g", call_number,
          length_of(hit.normal));
}

/* A motion in memory, at rest now and then, as a half-space has to be. */
static const sovo_motion *motion_in(void) {
  sovo_motion some;
  int i;
  memset(&some, 0, sizeof some);
  some.start = some_pose(2);
  for (i = 0; i < 3; i++) some.center[i] = number(-1, 1);
  if (chance(0.7))
    for (i = 0; i < 3; i++) some.linear[i] = number(-4, 4);
  if (chance(0.5))
    for (i = 0; i < 3; i++) some.angular[i] = number(-4, 4);
  some.kind = choice(2);
  if (chance(nastiness * 0.1)) some.reserved = 1, must_fail = 1;
  return in(&some, sizeof some);
}

static void try_impact(void) {
  enum family family_a, family_b;
  size_t parts_a, parts_b, parts;
  const sovo_body made_a = some_body(&family_a, &parts_a), made_b = some_body(&family_b, &parts_b);
  const sovo_body *a = in(&made_a, sizeof made_a), *b = in(&made_b, sizeof made_b);
  const sovo_motion *motion_a = motion_in(), *motion_b = motion_in();
  sovo_time_of_impact_options options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  const sovo_time_of_impact_options *passed;
  sovo_time_of_impact *answer, impact;
  int found;
  options.min_separation = chance(0.5) ? 0 : option_length(0), options.tolerance = chance(0.5) ? 0 : option_length(0);
  /* Beside a huge body a motion is followed in tiny steps, until there are no more. */
  if (nastiness > 0 || may_fail || chance(0.1)) options.max_queries = 1 + (uint32_t)below(10);
  if (chance(nastiness * 0.2)) options.size = nasty_size(sizeof options);
  passed = chance(0.2) && !must_fail ? NULL : (const void *)place(&options, sizeof options, 0);
  answer = out(sizeof *answer);
  may_fail |= is_flat(family_a) || is_flat(family_b); /* They must rest. */
  if (chance(0.3)) {
    sovo_time_of_impact_batch batch = SOVO_TIME_OF_IMPACT_BATCH_INIT;
    const sovo_time_of_impact_batch *pairs;
    batch.count = 1;
    batch.bodies_a = a, batch.motions_a = motion_a, batch.bodies_b = b, batch.motions_b = motion_b;
    batch.impacts = answer;
    batch.threads = (uint32_t)below(3);
    pairs = in(&batch, sizeof batch);
    found = CALL(sovo_body_time_of_impact_batch, (pairs, passed));
  } else {
    found = CALL(sovo_body_time_of_impact, (a, motion_a, b, motion_b, passed, answer));
  }
  if (!found || aliased) return;
  memcpy(&impact, answer, sizeof impact);
  parts = parts_a + parts_b;
  CHECK(impact.outcome >= SOVO_TIME_OF_IMPACT_FREE && impact.outcome <= SOVO_TIME_OF_IMPACT_UNDECIDED, "call %lu: outcome %u",
        call_number, (unsigned)impact.outcome);
  CHECK(impact.safe >= 0 && impact.safe <= impact.touching && impact.touching <= 1 && isfinite(impact.clearance),
        "call %lu: from %g to %g, clearance %g", call_number, impact.safe, impact.touching, impact.clearance);
  if (parts_a > 0 && parts_b > 0) parts = parts_b;
  CHECK(is_part(impact.part, impact.outcome == SOVO_TIME_OF_IMPACT_FREE ? 0 : parts), "call %lu: part %u", call_number,
        (unsigned)impact.part);
  if (impact.outcome != SOVO_TIME_OF_IMPACT_FREE && impact.contact.outcome != SOVO_OUTCOME_BEYOND &&
      !(is_flat(family_a) && is_flat(family_b)))
    check_contact("sovo_body_time_of_impact", &impact.contact);
}

/* Adds, moves, removes and asks bodies of a scene. */
static void try_scene(void) {
  enum { MOST = 12 };
  static sovo_scene *scene;
  static uint32_t groups[3];
  static uint64_t numbers[MOST];
  static size_t count;
  const size_t which = below(MOST), action = below(6);
  size_t i, total = 0;
  if (scene == NULL) {
    OK(sovo_scene_new(&scene));
    OK(sovo_scene_group(scene, "a", &groups[0]));
    OK(sovo_scene_group(scene, "b", &groups[1]));
    OK(sovo_scene_group(scene, "c", &groups[2]));
  }
  may_fail = 1; /* of half-spaces that are bodies, kinds without an answer, and what an earlier call has added */
  if (action < 2 && count < MOST) {
    enum family family;
    size_t parts;
    const sovo_body made = some_body(&family, &parts), *body = in(&made, sizeof made);
    const sovo_pose *pose = pose_in(2);
    const uint32_t group = chance(nastiness * 0.2) ? (must_fail = 1, 3u) : groups[below(3)];
    uint64_t *number_place = out(sizeof *number_place);
    must_fail |= family == PLANE;
    if (CALL(sovo_scene_add, (scene, group, body, pose, (int32_t)below(2), number_place)))
      memcpy(&numbers[count++], number_place, sizeof *numbers);
  } else if (action < 3 && which < count) {
    const sovo_pose *pose = pose_in(2);
    CALL(sovo_scene_move, (scene, numbers[which], pose));
  } else if (action < 4) {
    must_fail = which >= count;
    if (CALL(sovo_scene_remove, (scene, which < count ? numbers[which] : UINT64_MAX - which))) numbers[which] = numbers[--count];
  } else {
    const sovo_query_options *options = options_in();
    sovo_scene_contact *places = (void *)place(NULL, 4 * sizeof *places, 1), found;
    size_t *total_place = out(sizeof *total_place);
    if (!CALL(sovo_scene_contacts, (scene, options, places, 4, total_place)) || aliased) return;
    memcpy(&total, total_place, sizeof total);
    CHECK(total <= MOST * MOST, "call %lu: %lu contacts", call_number, (unsigned long)total);
    for (i = 0; i < total && i < 4; i++) {
      memcpy(&found, &places[i], sizeof found);
      CHECK(found.body_a != found.body_b && found.status >= SOVO_COLLISION_STATUS_FREE && found.status <= SOVO_COLLISION_STATUS_UNDECIDED,
            "call %lu: status %u", call_number, (unsigned)found.status);
      check_contact("sovo_scene_contacts", &found.contact);
    }
  }
}

/* A name in a robot's scene: of a link, an object or nobody, or no text at all. */
static const char *some_name(int of_link) {
  static const char *const NAMES[] = {"base", "hand", "post", "wall", "ball", "load"};
  if (chance(nastiness * 0.2)) {
    must_fail = 1;
    switch (below(3)) {
      case 0: return NULL;
      case 1: return "\xff";
      default: return "nobody";
    }
  }
  return NAMES[of_link ? below(2) : below(6)];
}

/* Two numbers of a configuration within the limits of the robot's joints, from -2 to 2. */
static const double *configuration_in(void) {
  double values[2];
  size_t i;
  for (i = 0; i < 2; i++) {
    values[i] = number(-2, 2);
    must_fail |= !(fabs(values[i]) <= 2);
  }
  return in(values, sizeof values);
}

static double metres_of_padding(void) {
  const double x = chance(nastiness) ? nasty_number() : chance(0.3) ? 0 : between(0, 0.1);
  must_fail |= !(x >= 0 && isfinite(x));
  return x;
}

/* The names and places of all that is attached. */
static void check_attached(const sovo_robot_scene *scene) {
  sovo_attached_body body;
  uint32_t count = 0, k;
  OK(sovo_robot_scene_attached_count(scene, &count));
  CHECK(count < 1000, "call %lu: %u attached", call_number, (unsigned)count);
  for (k = 0; k < count; k++) {
    OK(sovo_robot_scene_attached(scene, k, &body));
    CHECK(body.link < 3 && body.reserved == 0 && strlen(body.name) == 4, "call %lu: %s on link %u", call_number, body.name,
          (unsigned)body.link);
    check_numbers("sovo_robot_scene_attached", body.pose.translation, 3);
  }
  CHECK(sovo_robot_scene_attached(scene, count, &body) == SOVO_STATUS_ERROR_CONFIGURATION, "call %lu: one more", call_number);
}

static void check_robot_contact(const char *name, const sovo_robot_scene *scene, const sovo_robot_contact *unaligned) {
  sovo_robot_contact c;
  uint32_t attached = 0;
  memcpy(&c, unaligned, sizeof c);
  if (aliased || c.status == SOVO_COLLISION_STATUS_NONE) return;
  OK(sovo_robot_scene_attached_count(scene, &attached));
  CHECK(c.link_a < 3 && (c.collision_a == 0 || c.collision_a - SOVO_ATTACHED < attached), "%s, call %lu: A is %u, %x", name, call_number,
        (unsigned)c.link_a, (unsigned)c.collision_a);
  CHECK(c.link_b == UINT32_MAX ? c.collision_b == 0 : c.link_b < 3 && (c.collision_b == 0 || c.collision_b - SOVO_ATTACHED < attached),
        "%s, call %lu: B is %u, %x", name, call_number, (unsigned)c.link_b, (unsigned)c.collision_b);
  check_contact(name, &c.contact);
}

static int32_t now_and_then(void *data, size_t done, size_t count) {
  CHECK(data == NULL && done <= count, "call %lu: %lu of %lu", call_number, (unsigned long)done, (unsigned long)count);
  return chance(0.5) ? 3 : 0;
}

static const sovo_edge_options *edge_options_in(int of_region) {
  sovo_edge_options options = SOVO_EDGE_OPTIONS_INIT;
  options.max_states = 1 + (uint32_t)below(100);
  options.min_separation = chance(0.5) ? 0 : between(0, 0.2);
  if (!of_region) options.any_contact = (uint32_t)below(2), options.max_time = chance(0.5) ? 0 : 0.01;
  if (chance(nastiness)) options.min_separation = nasty_number(), must_fail |= !(options.min_separation >= 0 && isfinite(options.min_separation));
  if (chance(nastiness)) options.max_time = nasty_number(), must_fail |= !(options.max_time >= 0);
  if (chance(nastiness * 0.2)) options.any_contact = 2, must_fail = 1;
  if (chance(nastiness * 0.2)) options.size = nasty_size(sizeof options);
  return (const void *)place(&options, sizeof options, 0);
}

static void check_edge(const char *name, const sovo_robot_scene *scene, const sovo_edge *unaligned, double start, double end) {
  sovo_edge edge;
  memcpy(&edge, unaligned, sizeof edge);
  CHECK(edge.status >= SOVO_EDGE_STATUS_FREE && edge.status <= SOVO_EDGE_STATUS_UNDECIDED, "%s, call %lu: status %u", name, call_number,
        (unsigned)edge.status);
  CHECK(edge.status == SOVO_EDGE_STATUS_FREE ? edge.safe == end || (isinf(end) && isfinite(edge.safe)) : !(edge.safe > end), "%s, call %lu: safe %g", name, call_number, edge.safe);
  CHECK((edge.status == SOVO_EDGE_STATUS_HIT) == (edge.touching >= start && edge.touching <= end), "%s, call %lu: touching %g", name,
        call_number, edge.touching);
  CHECK(fabs(edge.proven - 0.5) <= 0.5 + 1e-12, "%s, call %lu: proven %g", name, call_number, edge.proven);
  check_robot_contact(name, scene, &edge.contact);
}

/* Makes a spline of two pieces of one kind or the other, and asks about it. */
static void try_spline(sovo_robot_scene *scene) {
  double grid[3], time, *at;
  const double *times, *knots, *a, *b, *c;
  const sovo_edge_options *options;
  sovo_spline **memory, *spline;
  sovo_edge *edge;
  const uint32_t degree = chance(nastiness * 0.3) ? (below(2) ? 0u : 16u) : 2;
  const size_t kind = below(5), count = chance(nastiness * 0.1) ? SIZE_MAX / 3 : 2;
  int made;
  grid[0] = number(-3, 3);
  grid[1] = grid[0] + (chance(nastiness) ? nasty_number() : between(0.1, 2));
  grid[2] = grid[1] + between(0.1, 2);
  times = in(grid, sizeof grid);
  {
    const double repeated[7] = {grid[0], grid[0], grid[0], grid[1], grid[2], grid[2], grid[2]};
    knots = in(repeated, sizeof repeated);
  }
  a = numbers_in(12, -1, 1), b = numbers_in(12, -1, 1), c = numbers_in(12, -1, 1);
  memory = (void *)place(NULL, sizeof *memory, 1);
  /* What is missing counts for some kinds only, and so does the degree. */
  must_fail = count != 2 || (degree != 2 && kind >= 2);
  if (kind == 0) made = CALL(sovo_spline_cubic, (times, 3, a, b, count, memory));
  else if (kind == 1) made = CALL(sovo_spline_quintic, (times, 3, a, b, c, count, memory));
  else if (kind == 2) made = CALL(sovo_spline_polynomials, (times, 2, a, degree, count, memory));
  else if (kind == 3) made = CALL(sovo_spline_bezier, (degree, times, 3, a, count, memory));
  else made = CALL(sovo_spline_b_spline, (degree, knots, 7, a, 4, count, memory));
  if (!made) return;
  memcpy(&spline, memory, sizeof spline);
  begin();
  may_fail = 1; /* of limits */
  time = number(-4, 4);
  must_fail |= !isfinite(time);
  at = out(2 * sizeof *at);
  if (CALL(sovo_spline_position, (spline, time, at, 2)) && !aliased) check_numbers("sovo_spline_position", at, 2);
  must_fail = 0;
  options = edge_options_in(0);
  edge = out(sizeof *edge);
  if (CALL(sovo_robot_scene_spline_free, (scene, spline, options, edge)) && !aliased)
    check_edge("sovo_robot_scene_spline_free", scene, edge, -INFINITY, INFINITY);
  sovo_spline_free(spline);
}

/* Attaches, detaches and pads what a robot with two balls has among obstacles, and asks and plans with it. */
static void try_robot_scene(void) {
  static const char URDF[] =
      "<robot name='r'><link name='base'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<link name='between'/><link name='hand'><collision><geometry><sphere radius='0.2'/></geometry></collision></link>"
      "<joint name='x' type='prismatic'><parent link='base'/><child link='between'/><axis xyz='1 0 0'/><limit lower='-2' upper='2'/></joint>"
      "<joint name='y' type='prismatic'><parent link='between'/><child link='hand'/><axis xyz='0 1 0'/><limit lower='-2' upper='2'/></joint>"
      "</robot>";
  static sovo_robot_scene *scene;
  static unsigned age;
  const size_t action = below(21);
  enum family family;
  size_t parts;
  if (age++ % 64 == 0) {
    sovo_robot *robot = NULL;
    sovo_robot_scene_free(scene);
    OK(sovo_robot_parse(URDF, sizeof URDF - 1, &robot));
    OK(sovo_robot_scene_new(robot, &scene));
    sovo_robot_free(robot);
  }
  may_fail = 1; /* of names that are taken or not there, kinds that a scene does not take, and what an earlier call has added */
  if (action < 2) {
    const sovo_body made = some_body(&family, &parts), *body = in(&made, sizeof made);
    const sovo_pose *pose = pose_in(3);
    const char *name = chance(0.5) ? "post" : "wall";
    uint64_t *number_place = out(sizeof *number_place);
    CALL(sovo_robot_scene_add_obstacle, (scene, name, body, pose, number_place));
  } else if (action < 5) {
    const sovo_body made = some_body(&family, &parts), *body = in(&made, sizeof made);
    const sovo_pose *pose = pose_in(0.5);
    const char *name = chance(0.5) ? "ball" : "load", *link = some_name(1), *touch_made[2];
    const char *const *touch;
    size_t count = below(3), k;
    uint64_t *number_place = chance(0.3) ? NULL : (void *)place(NULL, sizeof *number_place, 1);
    for (k = 0; k < 2; k++) touch_made[k] = k < count ? some_name(1) : NULL;
    touch = count > 0 ? in(touch_made, count * sizeof *touch_made) : NULL;
    if (chance(nastiness * 0.1)) count = SIZE_MAX, must_fail = 1;
    must_fail |= is_flat(family);
    CALL(sovo_robot_scene_attach, (scene, name, link, body, pose, touch, count, number_place));
  } else if (action < 7) {
    const char *name = some_name(0), *link = some_name(1);
    const double *at = configuration_in();
    const size_t count = chance(nastiness * 0.2) ? (must_fail = 1, 3u) : 2;
    must_fail |= name == NULL || strcmp(name, "base") == 0 || strcmp(name, "hand") == 0;
    CALL(sovo_robot_scene_attach_obstacle, (scene, name, link, NULL, 0, at, count));
  } else if (action < 9) {
    const char *name = some_name(0);
    const double *left_at = NULL;
    if (chance(0.5)) {
      const double values[2] = {number(-2, 2), number(-2, 2)};
      must_fail |= !(fabs(values[0]) <= 2 && fabs(values[1]) <= 2);
      left_at = (void *)place(values, sizeof values, 0);
    }
    CALL(sovo_robot_scene_detach, (scene, name, left_at, 2));
  } else if (action == 9) {
    const char *name = some_name(0);
    const double metres = metres_of_padding();
    if (chance(0.5)) CALL(sovo_robot_scene_set_padding, (scene, name, metres));
    else CALL(sovo_robot_scene_set_pair_padding, (scene, some_name(1), name, metres));
  } else if (action == 10) {
    double *metres = out(sizeof *metres);
    if (CALL(sovo_robot_scene_padding, (scene, some_name(0), metres)) && !aliased) check_numbers("sovo_robot_scene_padding", metres, 1);
  } else if (action == 11) {
    const double factor = number(0.5, 2);
    must_fail |= !(factor > 0);
    CALL(sovo_robot_scene_set_scale, (scene, some_name(1), factor));
  } else if (action == 12) {
    int32_t allowed, *place_of = out(sizeof *place_of);
    if (CALL(sovo_robot_scene_is_allowed, (scene, some_name(0), some_name(0), place_of)) && !aliased) {
      memcpy(&allowed, place_of, sizeof allowed);
      CHECK(allowed == 0 || allowed == 1, "call %lu: allowed %d", call_number, (int)allowed);
    }
  } else if (action < 15) {
    const double *at = configuration_in();
    const sovo_query_options *options = options_in();
    sovo_robot_contact *contact = out(sizeof *contact);
    if (CALL(sovo_robot_scene_closest, (scene, at, 2, options, contact))) check_robot_contact("sovo_robot_scene_closest", scene, contact);
  } else if (action == 15) {
    sovo_plan_options options = SOVO_PLAN_OPTIONS_INIT;
    const double *start = configuration_in(), *goals = numbers_in(4, -2, 2);
    const sovo_plan_options *passed;
    sovo_plan **memory, *plan;
    sovo_plan_info info;
    uint32_t k;
    options.seed = random_bits();
    options.max_samples = 1 + (uint32_t)below(20);
    options.shortcuts = (uint32_t)below(5);
    options.no_proof = chance(0.8);
    options.spacing = chance(0.5) ? 0 : 0.25;
    options.max_time = 0.05;
    if (chance(0.3)) options.cancel = now_and_then;
    if (chance(nastiness)) options.max_step = nasty_number(), must_fail |= !(options.max_step >= 0 && isfinite(options.max_step));
    if (chance(nastiness * 0.2)) options.no_proof = 2, must_fail = 1;
    if (chance(nastiness * 0.2)) options.size = nasty_size(sizeof options);
    passed = (const void *)place(&options, sizeof options, 0);
    memory = (void *)place(NULL, sizeof *memory, 1);
    if (CALL(sovo_robot_scene_plan, (scene, start, 2, goals, 2, NULL, 0, passed, memory))) {
      memcpy(&plan, memory, sizeof plan);
      OK(sovo_plan_describe(plan, &info));
      CHECK((info.configurations > 0) == (info.reason == SOVO_PLAN_REASON_NONE) && (info.text == NULL) == (info.configurations > 0),
            "call %lu: reason %u", call_number, (unsigned)info.reason);
      CHECK(info.proven == (info.configurations > 0 && options.no_proof == 0), "call %lu: proven %u", call_number, (unsigned)info.proven);
      for (k = 0; k < info.touching_count; k++) {
        sovo_touching_pair pair;
        OK(sovo_plan_touching(plan, k, &pair));
        CHECK(pair.name_a[0] != 0 && pair.name_b[0] != 0, "call %lu: no name", call_number);
        check_robot_contact("sovo_plan_touching", scene, &pair.contact);
      }
      sovo_plan_free(plan);
    }
  } else if (action == 16) {
    const size_t some = below(5);
    const double *from = numbers_in(2 * some, -2, 2), *to = numbers_in(2 * some, -2, 2);
    const sovo_edge_options *options = edge_options_in(0);
    const size_t count = chance(nastiness * 0.2) ? (must_fail = 1, below(2) ? 3u : SIZE_MAX) : 2;
    const size_t edge_count = chance(nastiness * 0.1) ? (must_fail = 1, SIZE_MAX / 7) : some;
    sovo_edge *edges = some > 0 ? out(some * sizeof *edges) : NULL;
    size_t k;
    must_fail &= edge_count > 0 || count != 2; /* what is not read may be NULL */
    if (CALL(sovo_robot_scene_edge_free_batch, (scene, from, to, count, edge_count, options, (uint32_t)below(4), edges)) && !aliased)
      for (k = 0; k < edge_count; k++) check_edge("sovo_robot_scene_edge_free_batch", scene, &edges[k], 0, 1);
  } else if (action == 17) {
    const double *from = configuration_in(), *to = configuration_in();
    const sovo_query_options *options = options_in();
    const size_t states = below(40);
    size_t found, *place_of = out(sizeof *place_of);
    if (CALL(sovo_robot_scene_find_collision_between, (scene, from, to, 2, states, options, place_of)) && !aliased) {
      memcpy(&found, place_of, sizeof found);
      CHECK(found == SIZE_MAX || (found >= 1 && found <= states), "call %lu: state %lu", call_number, (unsigned long)found);
    }
  } else if (action == 18) {
    const double *at = configuration_in();
    const sovo_edge_options *options = edge_options_in(1);
    double *lower = out(2 * sizeof *lower), *upper = out(2 * sizeof *upper), box[2][2];
    if (CALL(sovo_robot_scene_free_region, (scene, at, 2, options, lower, upper)) && !aliased) {
      size_t k;
      memcpy(box[0], lower, sizeof box[0]);
      memcpy(box[1], upper, sizeof box[1]);
      for (k = 0; k < 2; k++)
        CHECK(box[0][k] >= -2 && box[0][k] <= box[1][k] && box[1][k] <= 2, "call %lu: from %g to %g", call_number, box[0][k], box[1][k]);
    }
  } else {
    try_spline(scene);
  }
  check_attached(scene);
}

static void try_planar(void) {
  const double axes[2] = {axis_length(), axis_length()}, e = exponent();
  const double *semi_axes = in(axes, sizeof axes), *translation = numbers_in(2, -2, 2);
  const double angle = number(-7, 7);
  const double *from = numbers_in(2, -3, 3), *to = numbers_in(2, -3, 3);
  sovo_planar_contact *contact = out(sizeof *contact), c;
  if (CALL(sovo_planar_segment_contact, (semi_axes, e, translation, angle, from, to, contact)) && !aliased) {
    memcpy(&c, contact, sizeof c);
    check_answer("sovo_planar_segment_contact", c.distance, c.lower, c.upper, c.point_a, c.point_b, c.normal, 2,
                 c.outcome);
  }
}

/* ---- Valid calls that always have the same answers ------------------------------------------ */

enum { REFERENCES = 8 };

static void reference(size_t which, sovo_contact *answer) {
  const sovo_superovoid egg = shape_of(0.5, 0.5, 0.8, 1, 1, 0.2, 0.2), brick = shape_of(1, 2, 0.5, 0.1, 0.1, 0, 0);
  const sovo_pose here = pose_at(0.1, 0.2, 0.3), there = pose_at(1 + 0.3 * (double)which, 1, -1), zero = pose_at(0, 0, 0);
  const double from[3] = {2, 1, 0}, to[3] = {-1, 3, 1};
  switch (which) {
    case 0:
    case 1:
    case 2: OK(sovo_pair_contact(&egg, &here, &brick, &there, NULL, NULL, answer)); break;
    case 3: OK(sovo_vertex_contact(&egg, &here, from, NULL, answer)); break;
    case 4: {
      const sovo_body a = sovo_body_superovoid(&egg), b = sovo_body_segment(from, to);
      OK(sovo_body_contact(&a, &here, &b, &zero, NULL, answer, NULL));
      break;
    }
    case 5: {
      const sovo_body a = sovo_body_superovoid(&egg), b = sovo_body_cuboid(2, 1, 0);
      OK(sovo_body_contact(&a, &here, &b, &there, NULL, answer, NULL));
      break;
    }
    case 6: {
      const sovo_body a = sovo_body_superovoid(&egg), b = sovo_body_plane(from, 0.1);
      OK(sovo_body_contact(&a, &here, &b, &zero, NULL, answer, NULL));
      break;
    }
    default: {
      const sovo_superovoid a = ball_of(0.7), b = ball_of(1.1);
      OK(sovo_pair_contact(&a, &here, &b, &there, NULL, NULL, answer));
    }
  }
}

static void try_reference(void) {
  static sovo_contact first[REFERENCES];
  static int known[REFERENCES];
  const size_t which = below(REFERENCES);
  sovo_contact answer;
  memset(&answer, 0, sizeof answer);
  reference(which, &answer);
  if (known[which])
    CHECK(memcmp(&answer, &first[which], sizeof answer) == 0, "valid call %lu has another answer than before",
          (unsigned long)which);
  first[which] = answer;
  known[which] = 1;
  if (which == 7) {
    const double d[3] = {1 + 0.3 * 7 - 0.1, 1 - 0.2, -1 - 0.3};
    CHECK(fabs(answer.distance - (length_of(d) - 1.8)) < 1e-9, "balls are %g apart", answer.distance);
  }
}

/* ---- The run -------------------------------------------------------------------------------- */

static const struct {
  void (*attempt)(void);
  unsigned weight;
} ATTEMPTS[] = {
    {try_shape_make, 5},   {try_pose_from_matrix, 5}, {try_rotation_matrix, 5}, {try_surface, 20},
    {try_tessellate, 1},   {try_bounds, 20},          {try_pair, 15},           {try_pair_batch, 5},
    {try_indexed_batch, 5},
    {try_vertex, 10},      {try_vertex_batch, 5},     {try_bodies, 45},
    {try_mesh_new, 5},     {try_boxes_new, 5},        {try_field_new, 5},      {try_hull_new, 5},        {try_contacts, 5},
    {try_manifolds, 5},    {try_manifold_batch, 5},
    {try_ray, 15},         {try_planar, 10},      {try_reference, 5},       {try_gradient, 10},
    {try_impact, 20},      {try_scene, 20},      {try_robot_scene, 40},
};

/* One call, drawn by weight. */
static void attempt(void) {
  size_t draw, k;
  unsigned total = 0;
  for (k = 0; k < sizeof ATTEMPTS / sizeof *ATTEMPTS; k++) total += ATTEMPTS[k].weight;
  draw = below(total);
  begin();
  for (k = 0; draw >= ATTEMPTS[k].weight; k++) draw -= ATTEMPTS[k].weight;
  ATTEMPTS[k].attempt();
}

/* A mesh and a set of boxes in every place. */
static void fill_trees(void) {
  size_t k;
  for (k = 0; k < TREES; k++)
    while (meshes[k] == NULL || sets[k] == NULL || fields[k] == NULL) {
      begin();
      nastiness = 0;
      if (chance(0.3)) try_field_new();
      else if (chance(0.5)) try_mesh_new();
      else try_boxes_new();
    }
}

/* Something valid in every place, before the first query. */
static void fill_slots(void) {
  size_t k;
  for (k = 0; k < SLOTS; k++) {
    begin();
    nastiness = 0;
    new_shape(k);
  }
  fill_trees();
}

static void empty_slots(void) {
  size_t k;
  for (k = 0; k < TREES; k++) {
    sovo_tri_mesh_free(meshes[k]);
    sovo_box_set_free(sets[k]);
    sovo_height_field_free(fields[k]);
    sovo_hull_free(hulls[k]);
    fields[k] = NULL;
    hulls[k] = NULL;
    meshes[k] = NULL;
    sets[k] = NULL;
  }
  memset(caches, 0, sizeof caches);
}

#ifdef SOVO_LIBFUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The bytes as a sequence of calls, from the same state each time. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct slot first_shapes[SLOTS];
  limit = 20;
  random_state = 1;
  fuzz_bytes = NULL;
  if (first_shapes[0].value.convexity == 0) {
    fill_slots();
    empty_slots();
    memcpy(first_shapes, shapes, sizeof shapes);
  }
  memcpy(shapes, first_shapes, sizeof shapes);
  fill_trees();
  fuzz_bytes = data;
  fuzz_left = size;
  for (call_number = 0; fuzz_left >= 2; call_number++) attempt();
  empty_slots();
  if (failed_checks != 0) abort();
  return 0;
}

#else

int main(int argc, char **argv) {
  const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
  const double start = seconds();
  size_t k;
  random_state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
  if (argc > 3) limit = atof(argv[3]);
  if (argc > 4) described_call = strtoul(argv[4], NULL, 10);
  fill_slots();
  for (call_number = 0; call_number < count; call_number++) attempt();
  empty_slots();
  printf("%lu calls in %.1f s; the slowest, %s, call %lu: %.3f ms\n", count, seconds() - start, slowest_name,
         slowest_call, 1e3 * slowest);
  for (k = 0; k < STATUSES; k++)
    if (calls_by_status[k] != 0)
      printf("%10lu %s\n", calls_by_status[k], sovo_status_name((int32_t)k));
  for (k = 0; tallies[k].name != NULL; k++)
    printf("%10lu %-28s %8lu accepted, mean %8.2f us, slowest %8.3f ms\n", tallies[k].calls, tallies[k].name,
           tallies[k].accepted, 1e6 * tallies[k].seconds / (double)tallies[k].calls, 1e3 * tallies[k].slowest);
  return verdict("random_abuse");
}

#endif
