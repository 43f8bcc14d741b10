/* Everything at once on eight threads: shared shapes and meshes, batches with threads of their own,
 * errors with texts of their own. All must get the bits that one thread gets. And every function on a
 * small stack.
 */
#define _POSIX_C_SOURCE 200809L
#include "check.h"

#include <limits.h>
#include <pthread.h>

enum { THREADS = 8, ROUNDS = 12, PAIRS = 200, TREE = 200 };

static sovo_superovoid egg, brick, hollow;
static sovo_pose here, there;
static sovo_tri_mesh *mesh;
static sovo_box_set *set;
static double points[3 * PAIRS];

static void set_up(void) {
  double vertices[3 * (TREE + 2)];
  uint32_t triangles[3 * TREE];
  sovo_aabb boxes[TREE];
  size_t i;
  egg = shape_of(0.5, 0.5, 0.8, 1, 1, 0.2, 0.2);
  brick = shape_of(1, 2, 0.5, 0.1, 0.1, 0, 0);
  hollow = shape_of(0.4, 0.5, 0.6, 0.5, 0.5, 0.9, -0.9);
  here = pose_at(0.1, 0.2, 0.3);
  there = pose_at(1.2, 1.5, -1);
  for (i = 0; i < 3 * PAIRS; i++) points[i] = sin((double)(i * i));
  for (i = 0; i < 3 * (TREE + 2); i++) vertices[i] = 2 * sin(1.7 * (double)(i * i));
  for (i = 0; i < 3 * TREE; i++) triangles[i] = (uint32_t)(i / 3 + i % 3);
  for (i = 0; i < TREE; i++) {
    const double x = 2 * sin(0.7 * (double)(i * i)), y = 2 * cos(0.9 * (double)(i * i));
    const sovo_aabb box = {{x, y, 0.8}, {x + 0.1, y + 0.1, 0.9}};
    boxes[i] = box;
  }
  OK(sovo_tri_mesh_new(vertices, TREE + 2, 24, triangles, TREE, 0, &mesh));
  OK(sovo_box_set_new(boxes, TREE, &set));
}

struct answers {
  sovo_contact pair, certified, slabs, scheme, vertex, plane, segment, hull, batch[PAIRS], pairs[PAIRS], by_index[PAIRS];
  sovo_contact triangle, box, body, convex, ring;
  uint32_t parts[2];
  sovo_ray_hit hit;
  sovo_planar_contact planar;
  sovo_aabb aabb;
  sovo_pair_cache cache;
  sovo_superovoid shape;
  sovo_mass_properties mass;
};

/* Every kind of query once; `threads` is for the batches. */
static void everything(struct answers *all, uint32_t threads) {
  const double axes[3] = {0.5, 0.6, 0.7}, e[2] = {0.4, 1.2}, t[2] = {0.1, 0.1}, up[3] = {0, 0, 1};
  const double a2[2] = {1, 0.5}, p2[2] = {2, 1}, q2[2] = {3, -1}, zero2[2] = {0, 0};
  sovo_query_options certified = SOVO_QUERY_OPTIONS_INIT;
  const sovo_pose inside = pose_at(0.5, 0.4, 0.3);
  sovo_vertex_batch batch = SOVO_VERTEX_BATCH_INIT;
  sovo_pair_batch pairs = SOVO_PAIR_BATCH_INIT;
  sovo_indexed_pair_batch indexed = SOVO_INDEXED_PAIR_BATCH_INIT;
  const uint32_t numbers[2] = {0, 1};
  const sovo_pose poses[2] = {here, there};
  sovo_superovoid shapes[2];
  memset(all, 0, sizeof *all);
  certified.depth = SOVO_DEPTH_CERTIFIED;
  OK(sovo_superovoid_make(axes, e, t, &all->shape));
  OK(sovo_superovoid_aabb(&brick, &there, &all->aabb));
  OK(sovo_pair_contact(&egg, &here, &brick, &there, NULL, &all->cache, &all->pair));
  OK(sovo_pair_contact(&egg, &here, &brick, &inside, &certified, NULL, &all->certified));
  OK(sovo_pair_contact(&hollow, &here, &brick, &there, NULL, NULL, &all->slabs));
  OK(sovo_published_scheme_contact(SOVO_SCHEME_QUAD_PARAMETRIC, SOVO_JACOBIAN_ANALYTIC, &egg, &here, &brick, &there,
                                   NULL, NULL, &all->scheme));
  OK(sovo_vertex_contact(&egg, &here, points, NULL, &all->vertex));
  {
    const sovo_body ovoid = sovo_body_superovoid(&egg), block = sovo_body_superovoid(&brick), plane = sovo_body_plane(up, 0.2);
    const sovo_body segment = sovo_body_segment(points, points + 3), hull = sovo_body_points(points, 20, 24);
    const sovo_body tree = sovo_body_tri_mesh(mesh), boxes_ = sovo_body_box_set(set);
    const sovo_body cone = sovo_body_cone(0.3, 0.6), capsule = sovo_body_capsule(0.2, 0.9);
    const sovo_body ring = sovo_body_superquadric(SOVO_SUPERQUADRIC_FAMILY_TOROID, axes, e, 2);
    const sovo_pose world = sovo_pose_identity();
    OK(sovo_body_mass_properties(&ovoid, 1000, &all->mass));
    OK(sovo_body_contact(&ovoid, &here, &block, &there, NULL, &all->body, NULL));
    OK(sovo_body_contact(&ovoid, &here, &plane, &world, NULL, &all->plane, NULL));
    OK(sovo_body_contact(&block, &there, &segment, &world, NULL, &all->segment, NULL));
    OK(sovo_body_contact(&ovoid, &there, &hull, &here, NULL, &all->hull, NULL));
    OK(sovo_body_contact(&ovoid, &here, &tree, &there, NULL, &all->triangle, all->parts));
    OK(sovo_body_contact(&ovoid, &here, &boxes_, &there, NULL, &all->box, NULL));
    OK(sovo_body_contact(&cone, &here, &capsule, &there, NULL, &all->convex, NULL));
    OK(sovo_body_contact(&ring, &here, &capsule, &there, NULL, &all->ring, NULL));
    OK(sovo_body_ray_cast(&ovoid, &here, points, up, INFINITY, 0, &all->hit));
  }
  OK(sovo_planar_segment_contact(a2, 0.7, zero2, 0.1, p2, q2, &all->planar));
  batch.count = PAIRS;
  batch.points = points;
  batch.contacts = all->batch;
  batch.threads = threads;
  OK(sovo_vertex_contact_batch(&brick, &there, &batch, NULL));
  shapes[0] = egg;
  shapes[1] = brick;
  pairs.count = PAIRS;
  pairs.shapes_a = &shapes[0];
  pairs.shapes_b = &shapes[1];
  pairs.shape_a_stride = pairs.shape_b_stride = pairs.pose_a_stride = pairs.pose_b_stride = 0;
  pairs.poses_a = &here;
  pairs.poses_b = &there;
  pairs.contacts = all->pairs;
  pairs.threads = threads;
  OK(sovo_pair_contact_batch(&pairs, NULL));
  indexed.count = PAIRS;
  indexed.body_count = indexed.shape_count = 2;
  indexed.shapes = shapes;
  indexed.poses = poses;
  indexed.index_a = &numbers[0];
  indexed.index_b = &numbers[1];
  indexed.index_a_stride = indexed.index_b_stride = 0;
  indexed.contacts = all->by_index;
  indexed.threads = threads;
  OK(sovo_indexed_pair_contact_batch(&indexed, NULL));
  CHECK(memcmp(all->by_index, all->pairs, sizeof all->pairs) == 0, "other bits by index");
}

static struct answers alone;

static void *worker(void *data) {
  const size_t number = *(const size_t *)data;
  struct answers *mine = malloc(sizeof *mine);
  size_t round;
  for (round = 0; round < ROUNDS; round++) {
    char expected[64];
    sovo_superovoid shape;
    const double axes[3] = {1, -(double)(1000 * number + round) - 0.5, 1}, e[2] = {1, 1};
    /* An error of this thread's own, and what others do leaves its text alone. */
    const int refused = sovo_superovoid_make(axes, e, NULL, &shape) == SOVO_STATUS_ERROR_SHAPE;
    sprintf(expected, "a2 = %.1f", axes[1]);
    if (!refused || strncmp(sovo_last_error(), expected, strlen(expected)) != 0) return "text at once";
    everything(mine, (uint32_t)(round % 4));
    if (memcmp(mine, &alone, sizeof alone) != 0) return "answers";
    if (strncmp(sovo_last_error(), expected, strlen(expected)) != 0) return "text afterwards";
  }
  free(mine);
  return NULL;
}

static void all_at_once(void) {
  pthread_t threads[THREADS];
  size_t numbers[THREADS], i;
  everything(&alone, 0);
  for (i = 0; i < THREADS; i++) {
    numbers[i] = i;
    CHECK(pthread_create(&threads[i], NULL, worker, &numbers[i]) == 0, "no thread");
  }
  for (i = 0; i < THREADS; i++) {
    void *wrong = NULL;
    pthread_join(threads[i], &wrong);
    CHECK(wrong == NULL, "thread %lu: %s", (unsigned long)i, (const char *)wrong);
  }
  /* Threads that end leave nothing behind; this one's text is its own. */
  CHECK(sovo_last_error()[0] == 0, "this thread has failed nowhere, and has a text");
}

static void *on_a_small_stack(void *data) {
  struct answers *all = data;
  everything(all, 0);
  return memcmp(all, &alone, sizeof alone) == 0 ? NULL : "answers";
}

/* The header promises that a certified depth, the hungriest, needs about 250 kB. */
static void small_stack(size_t bytes) {
  struct answers *all = malloc(sizeof *all);
  pthread_attr_t attributes;
  pthread_t thread;
  void *wrong = NULL;
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstacksize(&attributes, bytes) == 0, "no stack of %lu bytes", (unsigned long)bytes);
  CHECK(pthread_create(&thread, &attributes, on_a_small_stack, all) == 0, "no thread");
  pthread_join(thread, &wrong);
  CHECK(wrong == NULL, "%s", (const char *)wrong);
  pthread_attr_destroy(&attributes);
  free(all);
}

int main(int argc, char **argv) {
  /* threads [kB of the small stack; 0 for none: sanitizers and valgrind need stacks of their own] */
  const size_t stack = argc > 1 ? strtoul(argv[1], NULL, 10) : 320;
  set_up();
  all_at_once();
  if (stack > 0) small_stack(1024 * stack);
  sovo_tri_mesh_free(mesh);
  sovo_box_set_free(set);
  return verdict("threads");
}
