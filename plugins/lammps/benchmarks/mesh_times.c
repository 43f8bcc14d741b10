/*
 * Times of a body against a bowl of triangles, as fix wall/superovoid asks, by the size of the triangles.
 *
 *   cc -O2 -I include plugins/lammps/benchmarks/mesh_times.c target/release/libsuperovoid.a -lpthread -ldl -lm -o mesh_times && ./mesh_times
 *
 * The bowl is half a sphere of radius 1 m. Bodies of the two shapes of examples/in.box are turned at random about points
 * near it; "touching" are those that overlap it, by up to a millimetre and by up to a semi-axis, and "near" those of which
 * only the bounding sphere does. Every answer is compared with the least of the triangles one by one, which
 * sovo_body_contacts() asks without what is known of the others: brackets that do not overlap, and verdicts that differ,
 * are counted. Prints microseconds a body, the least of passes.
 */

#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <superovoid.h>
#include <time.h>

enum { BODIES = 400, PASSES = 5, CLASSES = 3, MOST = 4096 };

static const double pi = 3.14159265358979323846;
static sovo_superovoid shapes[2];

static double drawn(void) {
  static uint64_t state = 88172645463325252u;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(sovo_status status) {
  if (status == SOVO_STATUS_OK) return;
  fprintf(stderr, "%s\n", sovo_last_error());
  exit(1);
}

static sovo_tri_mesh *bowl(size_t rings, size_t *triangles) {
  const size_t around = 4 * rings;
  double *points = malloc(3 * sizeof(double) * (rings + 1) * around);
  uint32_t *indices = malloc(6 * sizeof(uint32_t) * rings * around);
  size_t i, j, count = 0;
  sovo_tri_mesh *mesh;
  if (!points || !indices) exit(1);
  for (i = 0; i <= rings; i++)
    for (j = 0; j < around; j++) {
      const double polar = 0.5 * pi * (double)i / (double)rings, turn = 2 * pi * (double)j / (double)around;
      double *p = points + 3 * (i * around + j);
      p[0] = sin(polar) * cos(turn), p[1] = sin(polar) * sin(turn), p[2] = -cos(polar);
    }
  for (i = 0; i < rings; i++)
    for (j = 0; j < around; j++) {
      const uint32_t a = (uint32_t)(i * around + j), b = (uint32_t)(i * around + (j + 1) % around);
      const uint32_t c = a + (uint32_t)around, d = b + (uint32_t)around;
      if (i > 0) indices[3 * count] = a, indices[3 * count + 1] = b, indices[3 * count + 2] = d, count++;
      indices[3 * count] = a, indices[3 * count + 1] = d, indices[3 * count + 2] = c, count++;
    }
  must(sovo_tri_mesh_new(points, (rings + 1) * around, 3 * sizeof(double), indices, count, 0, &mesh));
  free(points), free(indices);
  *triangles = count;
  return mesh;
}

/* A body about the bowl, inside of it by `height`. */
static sovo_pose placed(double height) {
  sovo_pose pose;
  double q[4], length = 0, p[3], norm = 0;
  int k;
  for (k = 0; k < 4; k++) q[k] = sqrt(-2 * log(drawn() + 1e-300)) * cos(2 * pi * drawn()), length += q[k] * q[k];
  for (k = 0; k < 4; k++) pose.rotation[k] = q[k] / sqrt(length);
  for (k = 0; k < 3; k++) p[k] = sqrt(-2 * log(drawn() + 1e-300)) * cos(2 * pi * drawn()), norm += p[k] * p[k];
  p[2] = -fabs(p[2]);
  for (k = 0; k < 3; k++) pose.translation[k] = p[k] / sqrt(norm) * (1.0 - height);
  return pose;
}

static void mesh(size_t rings) {
  static sovo_pose poses[CLASSES][BODIES];
  static int kinds[CLASSES][BODIES];
  static sovo_part_contact parts[MOST];
  static const char *const names[CLASSES] = {"touching, to 1 mm", "touching, deeper", "near"};
  size_t count[CLASSES] = {0}, wrong = 0, open = 0, triangles, tries, k;
  double best[CLASSES] = {1e300, 1e300, 1e300};
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  const sovo_pose here = {{0, 0, 0}, {0, 0, 0, 1}};
  sovo_tri_mesh *const wall = bowl(rings, &triangles);
  const sovo_body body = sovo_body_tri_mesh(wall), bodies[2] = {sovo_body_superovoid(&shapes[0]), sovo_body_superovoid(&shapes[1])};
  int class, pass;
  options.max_distance = 0;
  for (tries = 0; tries < 1000000 && (count[0] < BODIES || count[1] < BODIES || count[2] < BODIES); tries++) {
    const int kind = drawn() < 0.5;
    const sovo_pose pose = placed(0.08 * drawn());
    sovo_contact found;
    size_t near, i;
    double distance = 1.0, lower = 1.0, upper = 1.0;
    must(sovo_body_contact(&bodies[kind], &pose, &body, &here, &options, &found, NULL));
    class = found.distance >= 0.0 ? 2 : found.distance > -0.001 ? 0 : 1;
    if (count[class] == BODIES || found.distance < -0.02) continue;
    must(sovo_body_contacts(&bodies[kind], &pose, &body, &here, 0, NULL, parts, MOST, &near));
    for (i = 0; i < near; i++) {
      distance = fmin(distance, parts[i].contact.distance);
      lower = fmin(lower, parts[i].contact.lower), upper = fmin(upper, parts[i].contact.upper);
    }
    if (class < 2 ? found.lower > upper || lower > found.upper || fabs(distance - found.distance) > 1e-9 : distance < 0.0) wrong++;
    if (class < 2 && found.upper > 0.0) open++;
    poses[class][count[class]] = pose, kinds[class][count[class]++] = kind;
  }
  for (pass = 0; pass < PASSES; pass++)
    for (class = 0; class < CLASSES; class++) {
      const double start = now();
      double took;
      for (k = 0; k < count[class]; k++) {
        sovo_contact found;
        must(sovo_body_contact(&bodies[kinds[class][k]], &poses[class][k], &body, &here, &options, &found, NULL));
      }
      took = (now() - start) / (double)count[class];
      if (took < best[class]) best[class] = took;
    }
  printf("%6lu triangles:", (unsigned long)triangles);
  for (class = 0; class < CLASSES; class++) printf("  %s %.2f", names[class], 1e6 * best[class]);
  printf("  (different %lu, open %lu)\n", (unsigned long)wrong, (unsigned long)open);
  sovo_tri_mesh_free(wall);
}

int main(void) {
  static const double box[3] = {0.03, 0.03, 0.045}, egg[3] = {0.04, 0.03, 0.03};
  static const double boxes[2] = {0.3, 0.3}, eggs[2] = {1.0, 0.7}, none[2] = {0, 0}, tapers[2] = {0.2, 0.2};
  must(sovo_superovoid_make(box, boxes, none, &shapes[0]));
  must(sovo_superovoid_make(egg, eggs, tapers, &shapes[1]));
  mesh(4), mesh(16), mesh(64);
  return 0;
}
