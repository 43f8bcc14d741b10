/*
 * Times of a batch of pairs by index against a batch of strided copies, and of pairs that are far apart.
 *
 *   cc -O2 -I include plugins/lammps/benchmarks/index_times.c target/release/libsuperovoid.a -lpthread -ldl -lm -o index_times && ./index_times
 *
 * 10,000 bodies of two shapes, box-like and tapered, turned at random about the points of a lattice, and all pairs whose bounding spheres are less than a
 * fifth of their radii apart, as a neighbour list has them. The copies are made anew in each pass, as a program must that
 * has a table of bodies. Prints nanoseconds a pair, the least of passes.
 */

#define _POSIX_C_SOURCE 199309L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <superovoid.h>
#include <time.h>

enum { BODIES = 10000, MOST = 400000, PASSES = 15 };

static sovo_superovoid shapes[2];
static uint32_t kinds[BODIES];
static sovo_pose poses[BODIES];
static struct {
  uint32_t a, b;
} pairs[MOST];
static size_t count;
static sovo_contact contacts[MOST];
static sovo_superovoid copies_a[MOST], copies_b[MOST];
static sovo_pose copies_pose_a[MOST], copies_pose_b[MOST];

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

static void by_copies(void) {
  sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
  size_t k;
  for (k = 0; k < count; k++) {
    copies_a[k] = shapes[kinds[pairs[k].a]], copies_b[k] = shapes[kinds[pairs[k].b]];
    copies_pose_a[k] = poses[pairs[k].a], copies_pose_b[k] = poses[pairs[k].b];
  }
  batch.count = count;
  batch.shapes_a = copies_a, batch.shapes_b = copies_b;
  batch.poses_a = copies_pose_a, batch.poses_b = copies_pose_b;
  batch.contacts = contacts;
  must(sovo_pair_contact_batch(&batch, NULL));
}

static void by_index(unsigned char wanted, double margin) {
  sovo_indexed_pair_batch batch = SOVO_INDEXED_PAIR_BATCH_INIT;
  batch.count = count;
  batch.body_count = BODIES, batch.poses = poses;
  batch.shape_count = 2, batch.shapes = shapes, batch.body_shapes = kinds;
  batch.index_a = &pairs[0].a, batch.index_b = &pairs[0].b;
  batch.index_a_stride = batch.index_b_stride = sizeof pairs[0];
  batch.wanted = &wanted, batch.wanted_stride = 0, batch.margin = margin;
  batch.contacts = contacts;
  must(sovo_indexed_pair_contact_batch(&batch, NULL));
}

static void all_by_index(void) { by_index(SOVO_WANTED_CONTACT, 0); }
static void distances(void) { by_index(SOVO_WANTED_DISTANCE, 0); }
static void touching(void) { by_index(SOVO_WANTED_NEAR, 0); }

static double nanoseconds(void (*pass)(void)) {
  double best = INFINITY;
  int k;
  for (k = 0; k < PASSES; k++) {
    const double start = now();
    pass();
    best = fmin(best, now() - start);
  }
  return 1e9 * best / (double)count;
}

/* Keeps the pairs that touch, or that do not. */
static void keep(int touching_ones) {
  size_t k, kept = 0;
  by_index(SOVO_WANTED_DISTANCE, 0);
  for (k = 0; k < count; k++)
    if ((contacts[k].distance < 0) == touching_ones) pairs[kept++] = pairs[k];
  count = kept;
}

static void report(const char *what) {
  size_t k, left = 0;
  const double copies = nanoseconds(by_copies), index = nanoseconds(all_by_index), distance = nanoseconds(distances);
  const double near_ones = nanoseconds(touching);
  for (k = 0; k < count; k++) left += contacts[k].outcome == SOVO_OUTCOME_BEYOND;
  printf("%-28s %8lu %8.1f %8.1f %8.1f %8.1f %7.1f %%\n", what, (unsigned long)count, copies, index, distance, near_ones,
         100.0 * (double)left / (double)count);
}

static void find_pairs(double slack) {
  uint32_t i, j;
  count = 0;
  for (i = 0; i < BODIES; i++)
    for (j = i + 1; j < BODIES; j++) {
      const double *p = poses[i].translation, *q = poses[j].translation;
      const double reach = (shapes[kinds[i]].outer_radius + shapes[kinds[j]].outer_radius) * slack;
      const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
      if (x * x + y * y + z * z > reach * reach || count == MOST) continue;
      pairs[count].a = i, pairs[count++].b = j;
    }
}

int main(void) {
  const double axes[2][3] = {{0.03, 0.03, 0.045}, {0.04, 0.03, 0.03}}, e[2][2] = {{0.3, 0.3}, {1.0, 0.7}}, t[2][2] = {{0, 0}, {0.2, 0.2}};
  const size_t ROW[3] = {1, 22, 484};
  size_t i, k, kept;
  for (i = 0; i < 2; i++) must(sovo_superovoid_make(axes[i], e[i], t[i], &shapes[i]));
  for (i = 0; i < BODIES; i++) {
    double norm = 0;
    kinds[i] = (uint32_t)(i % 2);
    for (k = 0; k < 3; k++) poses[i].translation[k] = 0.066 * (double)(i / ROW[k] % 22) + 0.006 * drawn();
    do
      for (norm = 0, k = 0; k < 4; k++) {
        poses[i].rotation[k] = 2 * drawn() - 1;
        norm += poses[i].rotation[k] * poses[i].rotation[k];
      }
    while (norm > 1 || norm < 0.01);
    for (k = 0; k < 4; k++) poses[i].rotation[k] /= sqrt(norm);
  }
  printf("%-28s %8s %8s %8s %8s %8s %9s\n", "ns a pair", "pairs", "copies", "index", "distance", "near", "left");
  find_pairs(1.2);
  report("all of the list");
  find_pairs(1.2);
  for (k = 0, kept = 0; k < count; k++) { /* those whose spheres are apart */
    const double *p = poses[pairs[k].a].translation, *q = poses[pairs[k].b].translation;
    const double reach = shapes[kinds[pairs[k].a]].outer_radius + shapes[kinds[pairs[k].b]].outer_radius;
    if (hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]) > reach) pairs[kept++] = pairs[k];
  }
  count = kept;
  report("spheres apart");
  find_pairs(1.0);
  report("spheres overlap");
  find_pairs(1.0), keep(0);
  report("spheres overlap, no contact");
  find_pairs(1.0), keep(1);
  report("in contact");
  return 0;
}
